/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "dcn-test-error.h"
#include "dcn-test-optional.h"
#include "dcn-torch-graph-draws.h"
#include "dcn-torch-graph-reference.h"
#include "dcn-torch-test-draws.h"

#include "ns3/dcn-process-pool.h"
#include "ns3/dcn-torch-graph-network.h"
#include "ns3/dcn-torch.h"
#include "ns3/test.h"

#include <cmath>

using namespace ns3;

namespace
{

using Network = DcnTorchGraphNetwork;
using Draws = DcnTorchGraphDraws;
using Tensors = std::vector<DcnModelFile::Tensor>;

/// Predictions, losses and gradients are those of the equations, over several chunks.
class GradientTestCase : public TestCase
{
  public:
    /**
     * @param sizes of the network
     * @param lambda of both kinds of supervision
     */
    GradientTestCase(const Network::Sizes& sizes, double lambda)
        : TestCase("gradients, " + std::to_string(sizes.rounds) + " rounds" +
                   (sizes.graphSage ? " of GraphSAGE" : "") +
                   (sizes.inputs.flowTime.empty() ? "" : ", columns of features") +
                   (sizes.rawSlowdown ? ", raw slowdowns" : "") +
                   (sizes.jointHeads ? ", joint heads" : "") + ", widths " +
                   std::to_string(sizes.GetMessageWidth()) + " and " +
                   std::to_string(sizes.GetHeadWidth()) + ", lambda " + std::to_string(lambda)),
          m_sizes(sizes)
    {
        m_options.lambdaLeft = lambda;
        m_options.lambdaQueue = 0.7 * lambda;
    }

  private:
    static constexpr uint32_t FLOWS = 5; //!< rows of flow states
    static constexpr uint32_t LINKS = 4; //!< rows of link states

    /**
     * @param reference where the states are those before the chunk
     * @param chunk steps
     * @return what the equations say
     */
    static DcnTorchGraphReference::Result RunReference(DcnTorchGraphReference& reference,
                                                       const std::vector<Network::Step>& chunk)
    {
        DcnTorchGraphReference::Result result;
        for (std::size_t i = 0; i < chunk.size(); ++i)
        {
            if (i == 2) // see DoRun
            {
                for (uint32_t row = 1; row < 3; ++row)
                {
                    std::fill(reference.flowStates[row].begin(),
                              reference.flowStates[row].end(),
                              0);
                    std::fill(reference.linkStates[row].begin(),
                              reference.linkStates[row].end(),
                              0);
                }
            }
            reference.Run(chunk[i], result);
        }
        return result;
    }

    /**
     * @brief Compare numbers.
     * @param ours what was computed
     * @param theirs what is expected
     * @param what they are
     */
    void Compare(const std::vector<float>& ours,
                 const std::vector<double>& theirs,
                 const char* what)
    {
        NS_TEST_ASSERT_MSG_EQ(ours.size(), theirs.size(), what);
        for (std::size_t i = 0; i < ours.size(); ++i)
        {
            NS_TEST_EXPECT_MSG_EQ_TOL(ours[i], theirs[i], 1e-5, what << " " << i);
        }
    }

    /**
     * @brief Compare gradients with differences.
     * @param gradient of the chunk
     * @param reference where the states are those before the chunk
     * @param chunk steps
     */
    void CompareGradient(const Tensors& gradient,
                         const DcnTorchGraphReference& reference,
                         const std::vector<Network::Step>& chunk)
    {
        constexpr double DELTA = 1e-6;
        DcnTorchGraphReference unmoved = reference;
        unmoved.starts.clear();
        RunReference(unmoved, chunk);
        double largest = 0;
        for (const auto& tensor : gradient)
        {
            for (std::size_t i = 0; i < tensor.values.size(); ++i)
            {
                double difference = 0;
                for (double sign : {1.0, -1.0})
                {
                    DcnTorchGraphReference moved = reference;
                    moved.weights.at(tensor.name)[i] += sign * DELTA;
                    moved.starts.clear();
                    moved.fixed = &unmoved.starts;
                    const auto result = RunReference(moved, chunk);
                    difference += sign * result.loss / result.divisor;
                }
                difference /= 2 * DELTA;
                largest = std::max(largest, std::abs(difference));
                NS_TEST_EXPECT_MSG_EQ_TOL(tensor.values[i],
                                          difference,
                                          2e-5,
                                          tensor.name << " " << i);
            }
        }
        NS_TEST_EXPECT_MSG_GT(largest, 0.02, "there is something to compare");
    }

    void DoRun() override
    {
        Draws draws;
        Network network(m_sizes, m_options, 3);
        Tensors weights = network.ExportWeights();
        DcnTorchGraphReference reference(m_sizes, m_options, FLOWS, LINKS);
        for (auto& tensor : weights)
        {
            tensor.values = draws.Numbers(tensor.values.size(), -0.7, 0.7);
            tensor.values[0] += tensor.name == "queue.b.b" ? 0.7F : 0.0F; // queues are seldom empty
            reference.weights[tensor.name] = {tensor.values.begin(), tensor.values.end()};
        }
        network.ImportWeights(weights);
        network.Begin(FLOWS, LINKS, true);
        for (int i = 0; i < 3; ++i)
        {
            std::vector<Network::Step> chunk;
            Network::Predictions predictions;
            Network::Predictions later;
            for (uint32_t s = 0; s < 5; ++s)
            {
                chunk.push_back(draws.Step(m_sizes, FLOWS, LINKS));
                if (s == 2)
                {
                    network.ClearStates({1, 3}, {1, 3});
                }
                // The second chunk is run step by step in part, the third altogether.
                if (i == 2 || (i == 1 && s == 3))
                {
                    Network::Predictions now;
                    network.Accumulate(chunk.back(), now);
                    NS_TEST_EXPECT_MSG_EQ(now.left.size(), chunk.back().flowState.size(), "now");
                    if (i == 2)
                    {
                        Append(predictions, now);
                    }
                    continue;
                }
                network.Accumulate(chunk.back());
            }
            const auto losses = network.Finish(0, later);
            DcnTorchGraphReference after = reference;
            const auto expected = RunReference(after, chunk);
            if (i != 1)
            {
                Append(predictions, later);
                Compare(predictions.logSlowdown, expected.logSlowdown, "slowdown");
                Compare(predictions.left, expected.left, "left");
                Compare(predictions.queue, expected.queue, "queue");
            }
            NS_TEST_EXPECT_MSG_EQ_TOL(losses.total, expected.loss / expected.divisor, 1e-5, "loss");
            NS_TEST_EXPECT_MSG_EQ_TOL(losses.queue, expected.queueErrors, 1e-4, "queue errors");
            CompareGradient(network.ExportGradient(), reference, chunk);
            reference = after;
        }
        // Evaluated only, from states that are 0, and after steps that are forgotten.
        network.Accumulate(draws.Step(m_sizes, FLOWS, LINKS));
        network.Begin(FLOWS, LINKS, false);
        DcnTorchGraphReference fresh(m_sizes, m_options, FLOWS, LINKS);
        fresh.weights = reference.weights;
        const Network::Step step = draws.Step(m_sizes, FLOWS, LINKS);
        network.Accumulate(step);
        const auto losses = network.Finish(0);
        DcnTorchGraphReference::Result expected;
        fresh.Run(step, expected);
        NS_TEST_EXPECT_MSG_EQ_TOL(losses.total,
                                  expected.loss / expected.divisor,
                                  1e-5,
                                  "evaluated");
    }

    /**
     * @param to what grows
     * @param from what is appended
     */
    static void Append(Network::Predictions& to, const Network::Predictions& from)
    {
        to.logSlowdown.insert(to.logSlowdown.end(),
                              from.logSlowdown.begin(),
                              from.logSlowdown.end());
        to.left.insert(to.left.end(), from.left.begin(), from.left.end());
        to.queue.insert(to.queue.end(), from.queue.begin(), from.queue.end());
    }

    Network::Sizes m_sizes;     //!< of the network
    Network::Options m_options; //!< of the training
};

/// Training: from the fluid answer to the target, the same bytes every time, and resumed exactly.
class TrainingTestCase : public TestCase
{
  public:
    /**
     * @param jointHeads of the networks
     */
    explicit TrainingTestCase(bool jointHeads)
        : TestCase(std::string("training") + (jointHeads ? ", joint heads" : "")),
          m_sizes{16, 4, 2, 1, 0, 0, false, false, {}, jointHeads}
    {
    }

  private:
    static constexpr uint32_t FLOWS = 24; //!< rows of flow states
    static constexpr uint32_t LINKS = 10; //!< rows of link states
    const Network::Sizes m_sizes;         //!< of the networks

    /**
     * @brief A step whose slowdown is the fluid one plus the part of the flow's path that is busy,
     * which only messages can tell, and the first feature of a flow the step before.
     * @param draws what is drawn from
     * @param memory first feature of each flow
     * @return the step
     */
    Network::Step MakeStep(Draws& draws, std::vector<float>& memory) const
    {
        Network::Step step = draws.Step(m_sizes, FLOWS, LINKS);
        const std::size_t n = step.flowState.size();
        std::fill(step.isNew.begin(), step.isNew.end(), 0);
        std::fill(step.logSlowdownWeight.begin(), step.logSlowdownWeight.end(), 1.0F);
        std::vector<float> busy(n);
        std::vector<float> links(n);
        for (std::size_t e = 0; e < step.edgeFlow.size(); ++e)
        {
            links[step.edgeFlow[e]] += 1;
            busy[step.edgeFlow[e]] += step.linkFeatures[2 * step.edgeLink[e]] > 0 ? 1 : 0;
        }
        for (std::size_t f = 0; f < n; ++f)
        {
            float& before = memory[step.flowState[f]];
            step.logSlowdownTarget[f] =
                step.fluidLogSlowdown[f] + 0.5F + 0.1F * busy[f] + 0.3F * before;
            before = step.flowFeatures[4 * f];
        }
        step.leftWeight.clear();
        step.leftTarget.clear();
        step.queueWeight.clear();
        step.queueTarget.clear();
        return step;
    }

    /**
     * @brief Train.
     * @param network what to train
     * @param nChunks chunks of 8 steps
     * @param draws what is drawn from
     * @param memory see MakeStep
     * @param learningRate of the steps; negative to evaluate
     * @return mean error of all chunks
     */
    double Train(Network& network,
                 int nChunks,
                 Draws& draws,
                 std::vector<float>& memory,
                 double learningRate) const
    {
        double error = 0;
        double weight = 0;
        for (int i = 0; i < nChunks; ++i)
        {
            for (int s = 0; s < 8; ++s)
            {
                network.Accumulate(MakeStep(draws, memory));
            }
            const auto losses = network.Finish(std::abs(learningRate));
            error += losses.slowdown;
            weight += losses.slowdownWeight;
        }
        return error / weight;
    }

    void DoRun() override
    {
        Network::Options options;
        options.averaging = 0.9;
        Network network(m_sizes, options, 5);
        Draws draws;
        std::vector<float> memory(FLOWS);

        // Untrained: the fluid answer.
        network.Begin(FLOWS, LINKS, false);
        const Network::Step step = MakeStep(draws, memory);
        Network::Predictions predictions;
        network.Accumulate(step, predictions);
        for (std::size_t i = 0; i < step.fluidLogSlowdown.size(); ++i)
        {
            const double excess = predictions.logSlowdown[i] - step.fluidLogSlowdown[i];
            NS_TEST_EXPECT_MSG_EQ((excess > -1e-6 && excess <= 0.02 * std::log(2.0) + 1e-6),
                                  true,
                                  "the fluid answer, not " << excess << " above");
        }
        const Tensors first = network.ExportWeights();
        network.Finish(1);
        NS_TEST_EXPECT_MSG_EQ(DcnTorchAreEqual(first, network.ExportWeights()),
                              true,
                              "evaluated only");
        NS_TEST_EXPECT_MSG_EQ(DcnTorchAreEqual(first, Network(m_sizes, options, 5).ExportWeights()),
                              true,
                              "the same seed");
        NS_TEST_EXPECT_MSG_EQ(DcnTorchAreEqual(first, Network(m_sizes, options, 6).ExportWeights()),
                              false,
                              "another seed");

        // Learning.
        network.Begin(FLOWS, LINKS, true);
        const double before = Train(network, 5, draws, memory, 1e-9);
        Train(network, 150, draws, memory, 5e-3);
        Train(network, 50, draws, memory, 5e-4);
        const double after = Train(network, 5, draws, memory, 1e-9);
        NS_TEST_EXPECT_MSG_GT(before, 0.5, "error before");
        NS_TEST_EXPECT_MSG_LT(after, 0.08, "error after");
        NS_TEST_EXPECT_MSG_EQ(
            DcnTorchAreEqual(network.ExportWeights(), network.ExportWeights(true)),
            false,
            "the average is another one");

        // Resume: another network, another seed, the same bytes from now on.
        Network other(m_sizes, options, 99);
        other.ImportWeights(network.ExportWeights());
        other.ImportOptimizer(network.ExportOptimizer());
        network.Begin(FLOWS, LINKS, true);
        other.Begin(FLOWS, LINKS, true);
        for (Network* resumed : {&network, &other})
        {
            Draws same;
            std::vector<float> sameMemory(FLOWS);
            Train(*resumed, 10, same, sameMemory, 1e-2);
        }
        NS_TEST_EXPECT_MSG_EQ(DcnTorchAreEqual(network.ExportWeights(), other.ExportWeights()),
                              true,
                              "weights after going on");
        NS_TEST_EXPECT_MSG_EQ(
            DcnTorchAreEqual(network.ExportWeights(true), other.ExportWeights(true)),
            true,
            "average after going on");
        NS_TEST_EXPECT_MSG_EQ(DcnTorchAreEqual(network.ExportOptimizer(), other.ExportOptimizer()),
                              true,
                              "AdamW after going on");
    }
};

/// Networks can be trained in processes that are forked after others were trained.
class ProcessesTestCase : public TestCase
{
  public:
    ProcessesTestCase()
        : TestCase("training in processes")
    {
    }

  private:
    /**
     * @param seed of the network
     * @return bytes of the weights after some training
     */
    static std::string Train(uint64_t seed)
    {
        const Network::Sizes sizes{8, 2, 2, 1};
        Network network(sizes, {}, seed);
        Draws draws;
        network.Begin(6, 4, true);
        for (int i = 0; i < 20; ++i)
        {
            network.Accumulate(draws.Step(sizes, 6, 4));
            network.Finish(1e-3);
        }
        std::string bytes;
        for (const auto& tensor : network.ExportWeights())
        {
            const auto* data = reinterpret_cast<const char*>(tensor.values.data());
            bytes.append(data, tensor.values.size() * sizeof(float));
        }
        return bytes;
    }

    void DoRun() override
    {
        const std::vector<std::string> here{Train(0), Train(1), Train(2)};
        const auto there = DcnComputeInProcesses(3, 2, Train);
        for (std::size_t i = 0; i < here.size(); ++i)
        {
            NS_TEST_EXPECT_MSG_EQ((here[i] == there[i]), true, "weights of network " << i);
        }
        NS_TEST_EXPECT_MSG_EQ((here[0] == here[1]), false, "two seeds");
    }
};

/// What makes no sense is refused with a sentence, and nothing is changed by what is no number.
class ErrorsTestCase : public TestCase
{
  public:
    ErrorsTestCase()
        : TestCase("errors")
    {
    }

  private:
    void DoRun() override
    {
        const Network::Sizes sizes{4, 2, 2, 1};
        Network::Options options;
        DCN_TEST_EXPECT_ERROR(Network({0, 2, 2, 1}, options, 1),
                              "the hidden width of a graph network is 0");
        DCN_TEST_EXPECT_ERROR(Network({4, 2, 2, 0, 0, 0, true}, options, 1),
                              "a graph network has no layers of GraphSAGE");
        const Network::Inputs inputs{{1}, {0}, {2}, {0}, {1}};
        DCN_TEST_EXPECT_ERROR(Network({4, 2, 2, 1, 0, 0, true, false, inputs}, options, 1),
                              "a network names the flow feature 2, but there are 2");
        DCN_TEST_EXPECT_ERROR(Network({4, 3, 2, 1, 0, 0, false, false, inputs}, options, 1),
                              "columns of features can be chosen for layers of GraphSAGE only, for "
                              "the time of links, too, and for the start of a flow at most 4");
        for (const Network::Inputs& partly : {Network::Inputs{{}, {0}, {}, {}, {}},
                                              Network::Inputs{{}, {}, {0}, {}, {}},
                                              Network::Inputs{{}, {}, {}, {0}, {}},
                                              Network::Inputs{{}, {}, {}, {}, {0}}})
        {
            DCN_TEST_EXPECT_ERROR(Network({4, 2, 2, 1, 0, 0, true, false, partly}, options, 1),
                                  "columns of features are chosen for a graph network, but none "
                                  "for the time of flows");
        }
        DCN_TEST_EXPECT_ERROR(Network({4, 2, 2, 1, 0, 0, false, true, {}, true}, options, 1),
                              "joint heads of a graph network need slowdowns relative to the "
                              "fluid");
        DCN_TEST_EXPECT_ERROR(Network({4, 2, 2, 1, 3, 0, true}, options, 1),
                              "a width of messages of 3 has no effect on a graph network with one "
                              "layer of GraphSAGE");
        options.weightDecay = -1;
        DCN_TEST_EXPECT_ERROR(Network(sizes, options, 1),
                              "the weight decay of a graph network is -1");
        options.weightDecay = 0;
        options.clipNorm = 0;
        DCN_TEST_EXPECT_ERROR(
            Network(sizes, options, 1),
            "a graph network cannot clip gradients to 0 or average with a decay of 0");
        options.clipNorm = 1;

        Network network(sizes, options, 1);
        network.Begin(3, 2, true);
        Draws draws;
        Network::Step step = draws.Step(sizes, 3, 2);
        step.flowState[0] = 3;
        DCN_TEST_EXPECT_ERROR(network.Accumulate(step),
                              "a step names the flow state 3, but there are 3");
        step = draws.Step(sizes, 3, 2);
        step.fluidLeft.push_back(0);
        DCN_TEST_EXPECT_ERROR(network.Accumulate(step),
                              "a step has " + std::to_string(step.fluidLeft.size()) +
                                  " fluid parts left, not " +
                                  std::to_string(step.flowState.size()));
        step = draws.Step(sizes, 3, 2);
        step.fluidService.assign(step.flowState.size(), 1);
        DCN_TEST_EXPECT_ERROR(network.Accumulate(step),
                              "a step has " + std::to_string(step.flowState.size()) +
                                  " fluid services, not 0");
        step = draws.Step(sizes, 3, 2);
        step.linkState.assign(2, 1);
        step.edgeFlow.clear();
        step.edgeLink.clear();
        step.linkFeatures.assign(4, 0);
        step.queueWeight.clear();
        step.queueTarget.clear();
        DCN_TEST_EXPECT_ERROR(network.Accumulate(step), "a step names the link state 1 twice");
        DCN_TEST_EXPECT_ERROR(
            network.ClearStates({0, 4}, {0, 0}),
            "states of flows 0 to 4 of 3 and links 0 to 0 of 2 cannot be cleared");

        const Tensors before = network.ExportWeights();
        step = draws.Step(sizes, 3, 2);
        step.flowFeatures[0] = std::nanf("");
        network.Accumulate(step);
        NS_TEST_EXPECT_MSG_EQ((DcnSentenceOf([&]() {
                                   network.Finish(1);
                               }).find("is not a number") != std::string::npos),
                              true,
                              DcnSentenceOf([&]() { network.Finish(1); }));
        NS_TEST_EXPECT_MSG_EQ(DcnTorchAreEqual(before, network.ExportWeights()), true, "unchanged");

        Tensors tensors = before;
        tensors[2].name = "z";
        DCN_TEST_EXPECT_ERROR(network.ImportWeights(tensors),
                              "there is no matrix y.w among the weights");
        tensors = before;
        tensors[0].rows = 5;
        DCN_TEST_EXPECT_ERROR(network.ImportWeights(tensors),
                              "the matrix x.w has 5 x 2 numbers, not 4 x 2");
        DCN_TEST_EXPECT_ERROR(network.ImportOptimizer(before),
                              "there is no matrix adamw.state among the weights");
    }
};

/// The suite; DcnTorchTestSuite says what happens without LibTorch.
class DcnTorchGraphTestSuite : public DcnOptionalTestSuite
{
  public:
    DcnTorchGraphTestSuite()
        : DcnOptionalTestSuite("dcn-torch-graph", Type::UNIT)
    {
        const Network::Inputs inputs{{1}, {0, 2, 3}, {3, 0}, {2, 0}, {1}};
        AddTestCasesIf(DcnTorch::IsAvailable(),
                       DCN_NEED_LIBTORCH,
                       {new GradientTestCase({3, 4, 2, 0}, 1),
                        new GradientTestCase({3, 4, 2, 1}, 1),
                        new GradientTestCase({3, 4, 2, 2}, 0.5),
                        new GradientTestCase({3, 4, 2, 1}, 0),
                        new GradientTestCase({3, 4, 2, 2, 4, 2}, 1),
                        new GradientTestCase({3, 4, 2, 1, 0, 0, true}, 1),
                        new GradientTestCase({3, 4, 2, 3, 5, 4, true}, 0.5),
                        new GradientTestCase({3, 4, 2, 2, 4, 5, true, true}, 1),
                        new GradientTestCase({3, 4, 2, 2, 4, 2, true, true, inputs}, 1),
                        new GradientTestCase({3, 4, 2, 2, 4, 2, true, false, inputs}, 0.5),
                        new GradientTestCase({3, 4, 2, 1, 0, 0, false, false, {}, true}, 1),
                        new GradientTestCase({3, 4, 2, 2, 4, 2, true, false, inputs, true}, 0.5),
                        new TrainingTestCase(false),
                        new TrainingTestCase(true),
                        new ProcessesTestCase,
                        new ErrorsTestCase});
    }
};

DcnTorchGraphTestSuite g_dcnTorchGraphTestSuite; //!< the suite

} // namespace

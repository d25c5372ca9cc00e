/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "dcn-test-error.h"
#include "dcn-test-optional.h"
#include "dcn-torch-set-reference.h"
#include "dcn-torch-test-draws.h"

#include "ns3/dcn-torch-set-network.h"
#include "ns3/dcn-torch.h"
#include "ns3/test.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

using namespace ns3;

namespace
{

using Network = DcnTorchSetNetwork;
using Tensors = std::vector<DcnModelFile::Tensor>;
using Reference = DcnTorchSetReference;
using Row = Reference::Row;

/// Draws paths and weights.
class Draws : public DcnTorchTestDraws
{
  public:
    Draws()
        : DcnTorchTestDraws(2)
    {
    }

    /**
     * @param sizes of the network
     * @param nPaths how many
     * @return paths of 1 to 5 links
     */
    Network::Batch Batch(const Network::Sizes& sizes, std::size_t nPaths)
    {
        Network::Batch batch;
        std::size_t nTokens = 0;
        for (std::size_t i = 0; i < nPaths; ++i)
        {
            batch.tokens.push_back(m_uniform->GetInteger(1, 5));
            nTokens += batch.tokens.back();
        }
        const std::size_t outputs = nPaths * sizes.classes * sizes.knots;
        batch.token = Numbers(nTokens * sizes.tokenFeatures, -1, 1);
        batch.foreground = Numbers(nPaths * sizes.foregroundFeatures, -1, 1);
        batch.base = Numbers(outputs, 0, 0.1);
        for (std::size_t i = 0; i < outputs; ++i)
        {
            batch.base[i] *= m_uniform->GetInteger(0, 2) > 0; // many increments are 0
            batch.base[i] += i % sizes.knots ? batch.base[i - 1] : 0;
        }
        batch.target = Numbers(outputs, 0, 1);
        batch.weight = Numbers(outputs, 0, 1);
        return batch;
    }
};

/// Predictions, loss and gradients are those of the equations.
class GradientTestCase : public TestCase
{
  public:
    /**
     * @param layers blocks
     * @param context whether tokens are looked at
     * @param nTargets targets by class for the pinball loss; 0: the absolute error
     * @param absent numbers that are learned for missing features
     */
    GradientTestCase(uint32_t layers,
                     bool context,
                     std::size_t nTargets = 0,
                     uint32_t absent = 0)
        : TestCase("gradients, " + std::to_string(layers) + " blocks, " +
                   (context ? "with" : "without") + " context, " + std::to_string(nTargets) +
                   " targets at levels, " + std::to_string(absent) + " missing"),
          m_nTargets(nTargets)
    {
        m_sizes.gain = nTargets > 0 ? 0.3F : 1.0F;
        m_sizes.tokenFeatures = 3;
        m_sizes.foregroundFeatures = 2;
        m_sizes.classes = 2;
        m_sizes.knots = 3;
        m_sizes.width = 4;
        m_sizes.heads = 2;
        m_sizes.layers = layers;
        m_sizes.feedForward = 5;
        m_sizes.mlp = 6;
        m_sizes.context = context;
        m_sizes.absent = absent;
    }

  private:
    void DoRun() override
    {
        Draws draws;
        Network::Options options;
        Reference reference;
        if (m_nTargets > 0)
        {
            options.levels = {0.1F, 0.5F, 0.9F};
            reference.levels.assign(options.levels.begin(), options.levels.end());
            reference.levelWeights.assign(3, 1);
        }
        if (m_nTargets > 1)
        {
            options.levelWeights = {1.5F, 0.5F, 2.5F};
            reference.levelWeights.assign(options.levelWeights.begin(), options.levelWeights.end());
        }
        Network network(m_sizes, options, 3);
        Tensors weights = network.ExportWeights();
        reference.sizes = m_sizes;
        for (auto& tensor : weights)
        {
            tensor.values = draws.Numbers(tensor.values.size(), -0.9, 0.9);
            reference.weights[tensor.name] = {tensor.values.begin(), tensor.values.end()};
        }
        network.ImportWeights(weights);
        Network::Batch batch = draws.Batch(m_sizes, 7);
        for (auto* features : {&batch.token, &batch.foreground})
        {
            for (std::size_t i = 0; i < features->size() && m_sizes.absent > 0; i += 3 - i % 2)
            {
                (*features)[i] = std::numeric_limits<float>::quiet_NaN();
            }
        }
        if (!m_sizes.context)
        {
            batch.token.clear();
        }
        if (m_nTargets > 0)
        {
            batch.target = draws.Numbers(7 * m_sizes.classes * m_nTargets, 0, 1);
            batch.weight = draws.Numbers(batch.target.size(), 0, 1);
        }
        if (m_nTargets > 1)
        {
            // answers on both sides of D above
            batch.known = draws.Numbers(batch.base.size(), -2, 1);
            batch.knownWeight = draws.Numbers(batch.base.size(), 0, 1);
        }
        const Row expected = reference.Predict(batch);
        const std::vector<float> predicted = network.Predict(batch);
        NS_TEST_ASSERT_MSG_EQ(predicted.size(), expected.size(), "outputs");
        for (std::size_t i = 0; i < expected.size(); ++i)
        {
            NS_TEST_EXPECT_MSG_EQ_TOL(predicted[i], expected[i], 1e-5, "output " << i);
        }
        NS_TEST_EXPECT_MSG_EQ_TOL(network.Evaluate(batch).total,
                                  reference.Loss(batch),
                                  1e-5,
                                  "loss");
        const auto losses = network.Train(batch, 0);
        NS_TEST_EXPECT_MSG_EQ_TOL(losses.total, reference.Loss(batch), 1e-5, "loss");
        double largest = 0;
        for (const auto& tensor : network.ExportGradient())
        {
            for (std::size_t i = 0; i < tensor.values.size(); ++i)
            {
                constexpr double DELTA = 1e-6;
                double difference = 0;
                for (double sign : {1.0, -1.0})
                {
                    Reference moved = reference;
                    moved.weights.at(tensor.name)[i] += sign * DELTA;
                    difference += sign * moved.Loss(batch) / (2 * DELTA);
                }
                largest = std::max(largest, std::abs(difference));
                NS_TEST_EXPECT_MSG_EQ_TOL(tensor.values[i],
                                          difference,
                                          2e-5,
                                          tensor.name << " " << i);
            }
        }
        NS_TEST_EXPECT_MSG_GT(largest, 0.02, "there is something to compare");
    }

    std::size_t m_nTargets; //!< see the constructor
    Network::Sizes m_sizes; //!< of the network
};

/// Training: from the fluid answer to the target, the same bytes every time, and resumed exactly.
class TrainingTestCase : public TestCase
{
  public:
    TrainingTestCase()
        : TestCase("training")
    {
        m_sizes.tokenFeatures = 3;
        m_sizes.foregroundFeatures = 2;
        m_sizes.classes = 2;
        m_sizes.knots = 5;
        m_sizes.width = 16;
        m_sizes.heads = 2;
        m_sizes.feedForward = 24;
        m_sizes.mlp = 32;
    }

  private:
    /**
     * @brief Paths whose quantiles have an offset, a tenth for each busy link, and a slope.
     * @param draws what is drawn from
     * @return the batch
     */
    Network::Batch MakeBatch(Draws& draws) const
    {
        Network::Batch batch = draws.Batch(m_sizes, 32);
        std::size_t token = 0;
        for (std::size_t path = 0; path < batch.tokens.size(); ++path)
        {
            float busy = 0;
            for (uint32_t i = 0; i < batch.tokens[path]; ++i)
            {
                busy += batch.token[3 * token++] > 0 ? 0.1F : 0;
            }
            for (uint32_t i = 0; i < 10; ++i)
            {
                batch.target[10 * path + i] =
                    batch.base[10 * path + i] + busy + 0.05F * static_cast<float>(i % 5);
            }
        }
        return batch;
    }

    /**
     * @param network to train
     * @param nBatches how many
     * @param draws what is drawn from
     * @param learningRate of the steps
     */
    void Train(Network& network, int nBatches, Draws& draws, double learningRate) const
    {
        for (int i = 0; i < nBatches; ++i)
        {
            network.Train(MakeBatch(draws), learningRate);
        }
    }

    void DoRun() override
    {
        Network::Options options;
        options.averaging = 0.95;
        Network network(m_sizes, options, 5);
        Draws draws;
        const Network::Batch batch = MakeBatch(draws);

        // Untrained: the fluid answer.
        const std::vector<float> untrained = network.Predict(batch);
        for (std::size_t i = 0; i < untrained.size(); ++i)
        {
            const double excess = untrained[i] - batch.base[i];
            NS_TEST_EXPECT_MSG_EQ((excess > -1e-6 && excess < 0.0005 * 5 + 1e-6),
                                  true,
                                  "the fluid answer, not " << excess << " above");
        }
        const Tensors first = network.ExportWeights();
        NS_TEST_EXPECT_MSG_EQ(DcnTorchAreEqual(first, Network(m_sizes, options, 5).ExportWeights()),
                              true,
                              "the same seed");
        NS_TEST_EXPECT_MSG_EQ(DcnTorchAreEqual(first, Network(m_sizes, options, 6).ExportWeights()),
                              false,
                              "another seed");

        // Learning.
        const double before = network.Evaluate(batch).total;
        NS_TEST_EXPECT_MSG_EQ(DcnTorchAreEqual(first, network.ExportWeights()),
                              true,
                              "evaluated only");
        Train(network, 600, draws, 3e-3);
        Train(network, 200, draws, 3e-4);
        const double after = network.Evaluate(batch).total;
        NS_TEST_EXPECT_MSG_GT(before, 0.2, "loss before");
        NS_TEST_EXPECT_MSG_LT(after, 0.04, "loss after");
        Network averaged(m_sizes, options, 5);
        averaged.ImportWeights(network.ExportWeights(true));
        NS_TEST_EXPECT_MSG_LT(averaged.Evaluate(batch).total, 0.04, "loss of the average");
        NS_TEST_EXPECT_MSG_EQ(DcnTorchAreEqual(network.ExportWeights(), averaged.ExportWeights()),
                              false,
                              "the average is another one");

        // Quantiles never decrease, whatever the weights.
        Tensors wild = first;
        for (auto& tensor : wild)
        {
            tensor.values = draws.Numbers(tensor.values.size(), -2, 2);
        }
        averaged.ImportWeights(wild);
        const std::vector<float> odd = averaged.Predict(batch);
        for (std::size_t i = 0; i < odd.size(); ++i)
        {
            NS_TEST_EXPECT_MSG_EQ((odd[i] >= (i % 5 ? odd[i - 1] : 0)), true, "quantile " << i);
        }

        // Resume: another network, another seed, the same bytes from now on.
        Network other(m_sizes, options, 99);
        other.ImportWeights(network.ExportWeights());
        other.ImportOptimizer(network.ExportOptimizer());
        for (Network* resumed : {&network, &other})
        {
            Draws same;
            Train(*resumed, 10, same, 1e-2);
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

    Network::Sizes m_sizes; //!< of the networks
};

/// What makes no sense is refused with a sentence.
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
        Network::Sizes sizes;
        sizes.tokenFeatures = 3;
        DCN_TEST_EXPECT_ERROR(Network(sizes, {}, 1),
                              "the number of foreground features of a set network is 0");
        sizes.foregroundFeatures = 2;
        sizes.width = 6;
        DCN_TEST_EXPECT_ERROR(Network(sizes, {}, 1),
                              "the width 6 of a set network is not a multiple of its 4 heads");
        sizes.width = 8;
        sizes.gain = 0;
        DCN_TEST_EXPECT_ERROR(Network(sizes, {}, 1), "the gain of a set network is 0");
        sizes.gain = 1;
        Network::Options options;
        options.levels = {0.5F};
        DCN_TEST_EXPECT_ERROR(Network(sizes, options, 1),
                              "a set network of 20 knots has 1 levels");
        options.levels.assign(20, 1.0F);
        DCN_TEST_EXPECT_ERROR(Network(sizes, options, 1),
                              "a level of a set network is 1, not between 0 and 1");
        options.levels.assign(20, 0.5F);
        options.levelWeights.assign(2, 1);
        DCN_TEST_EXPECT_ERROR(Network(sizes, options, 1),
                              "a set network of 20 levels has 2 weights of levels");
        options.levelWeights.assign(20, 0);
        DCN_TEST_EXPECT_ERROR(Network(sizes, options, 1),
                              "the weight of a level of a set network is 0");
        options.levelWeights.clear();
        options.levels.clear();
        options.averaging = 1;
        DCN_TEST_EXPECT_ERROR(
            Network(sizes, options, 1),
            "a set network cannot clip gradients to 1 or average with a decay of 1");

        Network network(sizes, {}, 1);
        Draws draws;
        Network::Batch batch = draws.Batch(sizes, 2);
        batch.tokens[1] = 0;
        DCN_TEST_EXPECT_ERROR(network.Predict(batch), "a batch has a path without links");
        batch = draws.Batch(sizes, 2);
        batch.foreground.pop_back();
        DCN_TEST_EXPECT_ERROR(network.Predict(batch), "a batch has 3 foreground features, not 4");
        batch = draws.Batch(sizes, 2);
        batch.base[1] = batch.base[0] - 1;
        NS_TEST_EXPECT_MSG_EQ((DcnSentenceOf([&]() { network.Predict(batch); }).find("decrease") !=
                               std::string::npos),
                              true,
                              "decreasing quantiles");
        batch = draws.Batch(sizes, 2);
        batch.target.clear();
        DCN_TEST_EXPECT_ERROR(network.Train(batch, 1), "a batch has 0 targets, not 160");

        const Tensors before = network.ExportWeights();
        batch = draws.Batch(sizes, 2);
        batch.token[0] = std::nanf("");
        NS_TEST_EXPECT_MSG_EQ((DcnSentenceOf([&]() {
                                   network.Train(batch, 1);
                               }).find("is not a number") != std::string::npos),
                              true,
                              "features that are no numbers");
        NS_TEST_EXPECT_MSG_EQ(DcnTorchAreEqual(before, network.ExportWeights()), true, "unchanged");
        Tensors tensors = before;
        tensors.pop_back();
        DCN_TEST_EXPECT_ERROR(network.ImportWeights(tensors),
                              "there is no matrix mlp3.b among the weights");
    }
};

/// R(d) of the class, which is the same with and without LibTorch.
class RelativeErrorTestCase : public TestCase
{
  public:
    RelativeErrorTestCase()
        : TestCase("relative error")
    {
    }

  private:
    void DoRun() override
    {
        constexpr double E = 2.718281828459045;
        constexpr double D = Network::STRAIGHT;
        NS_TEST_EXPECT_MSG_EQ(D, 1, "the values below are for this one");
        auto error = [](double d) { return Network::RelativeError(d); };
        NS_TEST_EXPECT_MSG_EQ_TOL(error(-2), 1 - 1 / (E * E), 1e-15, "0.8647");
        NS_TEST_EXPECT_MSG_EQ(error(0), 0, "no error");
        NS_TEST_EXPECT_MSG_EQ_TOL(error(0.5), 0.6487212707001282, 1e-15, "sqrt(e) - 1");
        NS_TEST_EXPECT_MSG_EQ_TOL(error(1), E - 1, 1e-15, "1.718");
        NS_TEST_EXPECT_MSG_EQ_TOL(error(3), 3 * E - 1, 1e-14, "e - 1 + 2 e = 7.155, not e^3 - 1");
        NS_TEST_EXPECT_MSG_EQ_TOL(error(std::log(10)), 5.26, 0.005, "ten times too high");
        // value and slope, which is e, go on at D
        constexpr double H = 1e-6;
        NS_TEST_EXPECT_MSG_EQ_TOL(error(D + H) - error(D), E * H, 1e-11, "above D");
        NS_TEST_EXPECT_MSG_EQ_TOL(error(D) - error(D - H), E * H, 1e-11, "below D");
    }
};

/// The suite; DcnTorchTestSuite says what happens without LibTorch.
class DcnTorchSetTestSuite : public DcnOptionalTestSuite
{
  public:
    DcnTorchSetTestSuite()
        : DcnOptionalTestSuite("dcn-torch-set", Type::UNIT)
    {
        AddTestCase(new RelativeErrorTestCase);
        AddTestCasesIf(DcnTorch::IsAvailable(),
                       DCN_NEED_LIBTORCH,
                       {new GradientTestCase(0, true),
                        new GradientTestCase(1, true),
                        new GradientTestCase(2, true),
                        new GradientTestCase(2, false),
                        new GradientTestCase(1, true, 1),
                        new GradientTestCase(1, true, 4),
                        new GradientTestCase(1, true, 0, 2),
                        new TrainingTestCase,
                        new ErrorsTestCase});
    }
};

DcnTorchSetTestSuite g_dcnTorchSetTestSuite; //!< the suite

} // namespace

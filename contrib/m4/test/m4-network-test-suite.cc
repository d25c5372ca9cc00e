/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "../model/network/m4-architecture.h"
#include "../model/network/m4-torch-network.h"
#include "dcn-test-case.h"
#include "dcn-test-error.h"
#include "dcn-test-optional.h"
#include "m4-plain-network.h"
#include "m4-test.h"

#include "ns3/command-line.h"
#include "ns3/dcn-torch-training.h"
#include "ns3/dcn-torch.h"
#include "ns3/m4-trainer.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <map>
#include <memory>
#include <string>
#include <vector>

using namespace ns3;

namespace
{

/**
 * @param architecture of the network that sees them
 * @return three flows on links 4, 1, 0; the last of them starts with the second event; then one
 * departs, and one of its links is empty
 */
std::vector<M4Snapshot>
MakeEvents(const M4Architecture& architecture)
{
    std::vector<M4Snapshot> events(3);
    events[0].flows = {0, 2};
    events[0].links = {4, 1};
    events[0].edgeFlow = {0, 1, 1};
    events[0].edgeLink = {1, 0, 1};
    events[0].eventRow = 1;
    events[0].fluidLogSlowdown = {0.3F, -0.01F};
    events[0].linkIsNew = {1, 1};
    events[1].flows = {0, 1, 2};
    events[1].links = {1, 0, 4};
    events[1].edgeFlow = {0, 1, 1, 2, 2};
    events[1].edgeLink = {0, 0, 1, 0, 2};
    events[1].eventRow = 1;
    events[1].fluidLogSlowdown = {0.4F, 0.02F, 1.5F};
    events[1].linkIsNew = {0, 1, 0};
    events[2].flows = {0, 2};
    events[2].links = {3, 1};
    events[2].edgeFlow = {0, 1};
    events[2].edgeLink = {1, 1};
    events[2].fluidLogSlowdown = {0.1F, 0.9F};
    events[2].linkIsNew = {1, 0};
    const std::vector<float> remaining{0.9F, 0.25F, 0.5F};
    for (std::size_t e = 0; e < events.size(); ++e)
    {
        auto fill = [e](std::vector<float>& features, std::size_t n) {
            for (std::size_t i = 0; i < n; ++i)
            {
                features.push_back(static_cast<float>(std::sin(3.7 * (i + 1.0) + 2.0 * e)));
            }
        };
        M4Snapshot& event = events[e];
        fill(event.flowFeatures, event.flows.size() * architecture.sizes.nFlowFeatures);
        fill(event.linkFeatures, event.links.size() * architecture.sizes.nLinkFeatures);
        event.fluidRemaining.assign(remaining.begin(),
                                    remaining.begin() +
                                        static_cast<std::ptrdiff_t>(event.flows.size()));
    }
    return events;
}

/// @return the equations of an architecture
std::unique_ptr<M4PlainNetwork>
MakePlain(const M4Architecture& architecture, const DcnModelFile& model)
{
    if (architecture.sizes.isPublished)
    {
        return std::make_unique<M4PlainPublished>(model);
    }
    return std::make_unique<M4PlainDefault>(model);
}

/// A network answers as its equations say, over events that keep states.
class EquationsTestCase : public TestCase
{
  public:
    /**
     * @param name of the architecture
     * @param byTorch whether LibTorch evaluates it
     */
    EquationsTestCase(const std::string& name, bool byTorch)
        : TestCase("the equations in plain loops: " + name + (byTorch ? ", LibTorch" : ", Eigen")),
          m_name(name),
          m_byTorch(byTorch)
    {
    }

  private:
    std::string m_name; //!< of the architecture
    bool m_byTorch;     //!< whether LibTorch evaluates it

    void DoRun() override
    {
        const M4Architecture architecture = M4MakeSmall(m_name, 5);
        const DcnModelFile model = M4MakeTestModel(architecture);
        std::unique_ptr<M4Network> network;
        if (m_byTorch)
        {
            network = std::make_unique<M4TorchNetwork>(architecture.sizes, model);
        }
        else
        {
            network = architecture.MakeNetwork(model);
        }
        network->Begin(6);
        NS_TEST_EXPECT_MSG_EQ(network->GetQueueBytes().size(), 0, "before any event");
        const auto plain = MakePlain(architecture, model);
        double spread = 0;
        std::map<uint32_t, std::vector<double>> logQuantiles; // by slot
        std::vector<float> flowFeatures;
        std::vector<float> linkFeatures;
        for (const M4Snapshot& event : MakeEvents(architecture))
        {
            const auto expected = plain->Update(event);
            flowFeatures.assign(event.flowFeatures.begin(),
                                event.flowFeatures.begin() + architecture.sizes.nFlowFeatures);
            linkFeatures.assign(event.linkFeatures.begin(),
                                event.linkFeatures.begin() + architecture.sizes.nLinkFeatures);
            network->Update(event);
            network->QueryRemaining(0, flowFeatures); // changes no answer for the event
            network->QueryQueueBytes(0, linkFeatures);
            const std::vector<float>& slowdown = network->GetLogSlowdowns();
            for (const double value : expected.logSlowdown)
            {
                spread = std::max(spread, std::abs(value - expected.logSlowdown[0]));
            }
            Compare(slowdown, expected.logSlowdown, "ln slowdown");
            Compare(network->GetRemaining(), expected.remaining, "remaining fraction");
            Compare(network->GetQueueBytes(), expected.queueBytes, "queue");
            NS_TEST_EXPECT_MSG_EQ(network->HasSpread(), !expected.spread.empty(), "spread");
            for (std::size_t row = 0; row < event.flows.size(); ++row)
            {
                std::vector<double>& quantiles = logQuantiles[event.flows[row]];
                quantiles.clear(); // those of the event before
                for (std::size_t k = 0; k < M4Spread::N && network->HasSpread(); ++k)
                {
                    quantiles.push_back(expected.logSlowdown[row] + expected.spread[row][k]);
                }
            }
            for (const auto& [slot, quantiles] : logQuantiles) // those of earlier events, too
            {
                Compare(network->GetLogQuantiles(slot), quantiles, "quantiles");
            }
        }
        // a thousand times the difference that Compare allows: the comparison can fail
        NS_TEST_EXPECT_MSG_GT(spread, 0.01, "slowdowns differ");
        flowFeatures[0] = 0.5; // of the published network: time that has passed
        linkFeatures[0] = 0.5;
        for (int time = 0; time < 2; ++time) // twice, because queries change nothing
        {
            Compare({network->QueryRemaining(1, flowFeatures)},
                    {plain->QueryRemaining(1, flowFeatures)},
                    "remaining fraction between events");
            Compare({network->QueryQueueBytes(4, linkFeatures)},
                    {plain->QueryQueueBytes(4, linkFeatures)},
                    "queue between events");
        }
    }

    /// Compares numbers; errors of queues [bytes] are relative to 1 KB and the queue.
    void Compare(const std::vector<float>& actual,
                 const std::vector<double>& expected,
                 const std::string& what)
    {
        NS_TEST_ASSERT_MSG_EQ(actual.size(), expected.size(), what);
        for (std::size_t i = 0; i < actual.size(); ++i)
        {
            const double unit = what.find("queue") == 0 ? 1000 + expected[i] : 1;
            NS_TEST_EXPECT_MSG_EQ_TOL(static_cast<double>(actual[i]),
                                      expected[i],
                                      1e-5 * unit,
                                      what << ", row " << i);
        }
    }
};

/// Losses and gradients of a chunk are those of the equations; states come from the chunk before.
class GradientTestCase : public TestCase
{
  public:
    /// @param name of the architecture
    explicit GradientTestCase(const std::string& name)
        : TestCase("losses and gradients: " + name),
          m_name(name)
    {
    }

  private:
    std::string m_name;              //!< of the architecture
    M4TorchModel::Options m_options; //!< of the training

    /// @return a number without a pattern for a row of an event, 0.1 to 0.9
    static float GetNumber(std::size_t event, std::size_t row, double seed)
    {
        return static_cast<float>(0.5 + 0.4 * std::sin(7.3 * event + 2.1 * row + seed));
    }

    /// @return steps with labels
    static M4TorchChunk MakeChunk(const std::vector<M4Snapshot>& events)
    {
        M4TorchChunk chunk;
        for (std::size_t e = 0; e < events.size(); ++e)
        {
            M4TorchNetwork::Append(events[e], 0, 0, chunk);
            for (std::size_t f = 0; f < events[e].flows.size(); ++f)
            {
                chunk.logSlowdownTarget.push_back(GetNumber(e, f, 1));
                chunk.logSlowdownWeight.push_back(GetNumber(e, f, 2));
                chunk.remainingTarget.push_back(GetNumber(e, f, 3));
                chunk.remainingWeight.push_back(GetNumber(e, f, 4));
                chunk.spreadWeight.push_back(GetNumber(e, f, 7));
            }
            for (std::size_t l = 0; l < events[e].links.size(); ++l)
            {
                chunk.queueTarget.push_back(GetNumber(e, l, 5));
                chunk.queueWeight.push_back(GetNumber(e, l, 6));
            }
            chunk.EndStep();
        }
        return chunk;
    }

    /// @return the loss by the equations, with or without that of the spread; states change
    double GetLoss(M4PlainNetwork& plain,
                   const std::vector<M4Snapshot>& events,
                   bool withSpread) const
    {
        double loss = 0;
        double divisor = 0;
        double pinball = 0;
        double spreadWeight = 0;
        for (std::size_t e = 0; e < events.size(); ++e)
        {
            const auto answer = plain.Update(events[e]);
            for (std::size_t f = 0; f < events[e].flows.size(); ++f)
            {
                const auto target = static_cast<double>(GetNumber(e, f, 1));
                const double error = m_name == "published"
                                         ? answer.slowdownLoss[f] / std::exp(target) - 1
                                         : answer.slowdownLoss[f] - target;
                loss += std::abs(error) * static_cast<double>(GetNumber(e, f, 2));
                divisor += static_cast<double>(GetNumber(e, f, 2));
                loss += m_options.lambdaRemaining * static_cast<double>(GetNumber(e, f, 4)) *
                        std::abs(answer.remainingRaw[f] - static_cast<double>(GetNumber(e, f, 3)));
                for (std::size_t k = 0; withSpread && k < M4Spread::N && !answer.spread.empty();
                     ++k)
                {
                    const auto p = static_cast<double>(M4Spread::LEVELS[k]);
                    const double r = target - answer.logSlowdown[f] - answer.spread[f][k];
                    pinball += static_cast<double>(GetNumber(e, f, 7)) *
                               (r > 0 ? p * r : (p - 1) * r) / M4Spread::N;
                }
                spreadWeight += static_cast<double>(GetNumber(e, f, 7));
            }
            for (std::size_t l = 0; l < events[e].links.size(); ++l)
            {
                auto target = static_cast<double>(GetNumber(e, l, 5));
                target = m_name == "published" ? std::cbrt(1000 * std::expm1(target)) : target;
                loss += m_options.lambdaQueue * static_cast<double>(GetNumber(e, l, 6)) *
                        std::abs(answer.queueLoss[l] - target);
            }
        }
        return loss / divisor + pinball / spreadWeight;
    }

    void DoRun() override
    {
        constexpr double DELTA = 1e-6;
        m_options.clipNorm = 1e9; // not at all
        m_options.lambdaRemaining = 0.7;
        m_options.lambdaQueue = 0.3;
        const M4Architecture architecture = M4MakeSmall(m_name, 4);
        const DcnModelFile model = M4MakeTestModel(architecture);
        const auto network = M4TorchNetwork::Make("a test", architecture.sizes, m_options);
        DcnTorchTrainer& trainer = network->GetTrainer();
        DcnTorchCheckpoint::ImportWeights(model.GetTensors(), trainer);
        const auto plain = MakePlain(architecture, model);
        auto events = MakeEvents(architecture);
        for (int i = 0; i < 2; ++i)
        {
            const auto flowStates = plain->flowStates;
            const auto linkStates = plain->linkStates;
            const auto losses = network->Train(MakeChunk(events), 0);
            const double expected =
                GetLoss(*plain, events, true); // once: the macro repeats arguments
            NS_TEST_EXPECT_MSG_EQ_TOL(losses.total, expected, 1e-5, "loss");
            const auto nextFlowStates = plain->flowStates;
            const auto nextLinkStates = plain->linkStates;
            double largest = 0;
            for (const auto& tensor : DcnTorchCheckpoint::Export(trainer, trainer.GetGradient()))
            {
                for (std::size_t k = 0; k < tensor.values.size(); ++k)
                {
                    double& weight =
                        plain->weights.at(tensor.name)[k / tensor.columns][k % tensor.columns];
                    double difference = 0;
                    for (const double sign : {1.0, -1.0})
                    {
                        weight += sign * DELTA;
                        plain->flowStates = flowStates;
                        plain->linkStates = linkStates;
                        // the spread has no effect on the gradient of other weights
                        const bool isSpread = tensor.name.find("spread") == 0;
                        difference += sign * GetLoss(*plain, events, isSpread) / (2 * DELTA);
                        weight -= sign * DELTA;
                    }
                    largest = std::max(largest, std::abs(difference));
                    NS_TEST_EXPECT_MSG_EQ_TOL(static_cast<double>(tensor.values[k]),
                                              difference,
                                              2e-5,
                                              tensor.name << " " << k);
                }
            }
            NS_TEST_EXPECT_MSG_GT(largest, 0.02, "there is something to compare");
            plain->flowStates = nextFlowStates;
            plain->linkStates = nextLinkStates;
            for (M4Snapshot& event : events)
            {
                event.linkIsNew.assign(event.links.size(), 0);
            }
        }
    }
};

/// Reads a model as a session does.
void
Use(const DcnModelFile& model)
{
    M4Architecture::Read(model).MakeNetwork(model);
}

DCN_TEST_CASE(RefusedModelTestCase, "models that are refused")
{
    DcnModelFile model = M4DefaultNetwork::MakeUntrained(4);
    for (const float bad :
         {std::numeric_limits<float>::quiet_NaN(), std::numeric_limits<float>::infinity()})
    {
        DCN_TEST_EXPECT_ERROR(
            Use(M4ChangeWeights(model,
                                [bad](const DcnModelFile::Tensor& tensor, std::size_t i) {
                                    return tensor.name == "gru_uf.b_hh" && i == 2
                                               ? bad
                                               : tensor.values[i];
                                })),
            std::string("the matrix gru_uf.b_hh of the model has the value ") +
                (std::isnan(bad) ? "nan" : "inf") + ", which is not finite");
    }
    auto expect = [&](const char* key, double value, const std::string& sentence) {
        const double before = model.GetNumber("architecture", key);
        model.Set("architecture", key, value);
        DCN_TEST_EXPECT_ERROR(Use(model), sentence);
        model.Set("architecture", key, before);
    };
    const std::string whole =
        "architecture.hidden of the model must be a whole number from 1 to 1024, but it is ";
    expect("hidden", 32.5, whole + "32.5");
    expect("hidden", 4e9, whole + "4e+09");
    expect("hidden", 0, whole + "0");
    expect("hidden", 5, "the matrix x.w must be 5 x 35, but it is 4 x 35");
    expect("feature_version",
           77,
           "the model was made with version 77 of the features, but " +
               std::to_string(M4Features::VERSION) + " is needed: train it anew with m4-train");
    Use(model); // restored
    model.Set("architecture", "rounds", 1);
    Use(model); // as cards of 0.1 have it
    for (const auto& [key, value] : {std::make_pair("rounds", "2"),
                                     std::make_pair("heads", "joint"),
                                     std::make_pair("memory", "none"),
                                     std::make_pair("messages", "graphsage"),
                                     std::make_pair("message_width", "8")})
    {
        DcnModelFile other = M4DefaultNetwork::MakeUntrained(4);
        other.Set("architecture", key, std::string(value));
        DCN_TEST_EXPECT_ERROR(
            Use(other),
            std::string("the model has an architecture that this release does not have (") + key +
                "=" + value +
                "): train it anew with m4-train --architecture=default or "
                "--architecture=published");
    }
    model.Set("architecture", "name", std::string("m5"));
    DCN_TEST_EXPECT_ERROR(Use(model),
                          "the architecture must be default or published, but it is m5");
}

/// @return the options of a command line
M4TrainingOptions
Parse(std::vector<std::string> words)
{
    CommandLine cmd;
    M4TrainingOptions options;
    options.AddTo(cmd);
    words.insert(words.begin(), "program");
    cmd.Parse(words);
    return options;
}

DCN_TEST_CASE(ArchitectureTestCase, "architectures, their cards, and options of a training")
{
    auto describe = [](const std::vector<std::string>& words) {
        return Parse(words).GetArchitecture().Describe();
    };
    NS_TEST_EXPECT_MSG_EQ(describe({}), "architecture=default hidden=32", "default");
    NS_TEST_EXPECT_MSG_EQ(describe({"--architecture=published"}),
                          "architecture=published hidden=400 message_width=300 head_width=200",
                          "published");
    NS_TEST_EXPECT_MSG_EQ(describe({"--hidden=200", "--architecture=published"}),
                          "architecture=published hidden=200 message_width=300 head_width=200",
                          "released");
    NS_TEST_EXPECT_MSG_EQ(Parse({}).rollouts, 1, "roll-outs throughout by default");
    NS_TEST_EXPECT_MSG_EQ(Parse({"--rollouts=0"}).firstRollouts,
                          -1,
                          "the first epoch is like the others unless said");
    DCN_TEST_EXPECT_ERROR(describe({"--architecture=m4"}),
                          "the architecture must be default or published, but it is m4");
    DCN_TEST_EXPECT_ERROR(describe({"--hidden=1025"}),
                          "the width of states must be from 1 to 1024, but it is 1025");
    DCN_TEST_EXPECT_ERROR(describe({"--architecture=published", "--hidden=3"}),
                          "the width of states must be from 4 to 1024, but it is 3");
    M4TrainingOptions wide;
    wide.headWidth = 8;
    DCN_TEST_EXPECT_ERROR(wide.GetArchitecture(),
                          "--messageWidth and --headWidth are for --architecture=published only");
    for (const auto& architecture : {M4MakeSmall("default", 5), M4MakeSmall("published", 6)})
    {
        DcnModelFile model("m4");
        architecture.Write(model);
        NS_TEST_EXPECT_MSG_EQ(M4Architecture::Read(model).Describe(),
                              architecture.Describe(),
                              "written and read");
    }
}

/// The released weights of the paper: 6 MB, 1,501,003 numbers. Without CUDA there is a sentence.
DCN_TEST_CASE(ReleasedTestCase, "size of the published network; devices")
{
    const M4Architecture released("published", 200);
    const auto network = M4TorchNetwork::Make("a test", released.sizes, {});
    NS_TEST_EXPECT_MSG_EQ(network->GetTrainer().GetWeights().size(), 1501003, "numbers");
    M4TorchModel::Options options;
    options.device = "cuda";
    const std::string sentence =
        DcnSentenceOf([&]() { M4TorchNetwork::Make("a test", released.sizes, options); });
    NS_TEST_EXPECT_MSG_EQ(
        (sentence == "no error" || sentence.find("use --device=cpu") != std::string::npos),
        true,
        sentence);
}

DcnTestSuite g_m4NetworkTestSuite("m4-network",
                                  {new EquationsTestCase("default", false),
                                   new RefusedModelTestCase,
                                   new ArchitectureTestCase},
                                  DcnTestsIf(DcnTorch::IsAvailable(),
                                             DCN_NEED_LIBTORCH,
                                             {new EquationsTestCase("default", true),
                                              new EquationsTestCase("published", true),
                                              new GradientTestCase("default"),
                                              new GradientTestCase("published"),
                                              new ReleasedTestCase})); //!< the suite

} // namespace

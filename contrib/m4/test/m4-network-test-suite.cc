/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "dcn-test-error.h"
#include "m4-plain-network.h"

#include "ns3/command-line.h"
#include "ns3/m4-network.h"
#include "ns3/m4-training-arguments.h"
#include "ns3/test.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <functional>
#include <limits>
#include <string>
#include <vector>

using namespace ns3;

namespace
{

/// @return the options of arguments
M4TrainingOptions
ParseArguments(std::vector<std::string> words)
{
    CommandLine cmd;
    M4TrainingArguments arguments;
    arguments.AddTo(cmd);
    words.insert(words.begin(), "program");
    cmd.Parse(words);
    return arguments.Get();
}

/**
 * @param sizes of a network
 * @param change applied to each matrix and the index of its element
 * @return an untrained network with other weights
 */
DcnModelFile
MakeModel(const M4Architecture& sizes,
          const std::function<float(const DcnModelFile::Tensor&, std::size_t)>& change)
{
    const DcnModelFile untrained = M4Network::MakeUntrained(sizes);
    DcnModelFile model("m4");
    model.Set("architecture", "feature_version", M4Features::VERSION);
    sizes.Write(model);
    for (DcnModelFile::Tensor tensor : untrained.GetTensors())
    {
        for (std::size_t i = 0; i < tensor.values.size(); ++i)
        {
            tensor.values[i] = change(tensor, i);
        }
        model.Add(std::move(tensor));
    }
    return model;
}

/// The network answers as its equations say, over events that keep states.
class EquationsTestCase : public TestCase
{
  public:
    /**
     * @param architecture of the network
     */
    explicit EquationsTestCase(const M4Architecture& architecture)
        : TestCase("the equations in plain loops: " + architecture.Describe()),
          m_architecture(architecture)
    {
    }

  private:
    M4Architecture m_architecture; //!< of the network

    void DoRun() override
    {
        // any numbers will do; these have both signs and no pattern
        const DcnModelFile model =
            MakeModel(m_architecture, [](const DcnModelFile::Tensor& tensor, std::size_t i) {
                double seed = 0;
                for (const char c : tensor.name)
                {
                    seed += c;
                }
                // raw slowdowns are mostly above 1, and queues not empty
                const bool above = tensor.name == "fct.b.b" || tensor.name == "queue.b.b";
                const double shift = above ? 1.2 : 0;
                return static_cast<float>(shift + 0.4 * std::sin(12.9898 * (i + 1.0) + seed));
            });
        // three flows on links 4, 1, 0; the last of them starts with the second event
        std::vector<M4Snapshot> events(3);
        events[0].flows = {0, 2};
        events[0].links = {4, 1};
        events[0].edgeFlow = {0, 1, 1};
        events[0].edgeLink = {1, 0, 1};
        events[0].eventRow = 1;
        events[0].fluidLogSlowdown = {0.3F, -0.01F};
        events[1].flows = {0, 1, 2};
        events[1].links = {1, 0, 4};
        events[1].edgeFlow = {0, 1, 1, 2, 2};
        events[1].edgeLink = {0, 0, 1, 0, 2};
        events[1].eventRow = 1;
        events[1].fluidLogSlowdown = {0.4F, 0.02F, 1.5F};
        // a departure, of which one link is empty then
        events[2].flows = {0, 2};
        events[2].links = {3, 1};
        events[2].edgeFlow = {0, 1};
        events[2].edgeLink = {1, 1};
        events[2].eventRow = M4Snapshot::NO_ROW;
        events[2].fluidLogSlowdown = {0.1F, 0.9F};
        const std::vector<float> left{0.9F, 0.25F, 0.5F};

        M4Network network(model);
        network.Begin(6);
        NS_TEST_EXPECT_MSG_EQ(network.PredictQueues().size(), 0, "before any event");
        M4PlainNetwork plain(model, 3, 6);
        double spread = 0;
        double waited = 0;
        std::vector<float> flowFeatures;
        std::vector<float> linkFeatures;
        for (std::size_t e = 0; e < events.size(); ++e)
        {
            M4Snapshot& event = events[e];
            auto fill = [e](std::vector<float>& features, std::size_t n) {
                for (std::size_t i = 0; i < n; ++i)
                {
                    features.push_back(static_cast<float>(std::sin(3.7 * (i + 1.0) + 2.0 * e)));
                }
            };
            fill(event.flowFeatures, event.flows.size() * M4Features::N_FLOW);
            fill(event.linkFeatures, event.links.size() * M4Features::N_LINK);
            const std::vector<float> fluidLeft(left.begin(),
                                               left.begin() +
                                                   static_cast<std::ptrdiff_t>(event.flows.size()));
            event.fluidLeft = fluidLeft;
            event.fluidService = {1.7F, 4.1F, 0.6F};
            event.fluidService.resize(event.flows.size());
            for (std::size_t edge = 0; edge < event.edgeFlow.size(); ++edge)
            {
                const float wait = 0.2F + 0.1F * static_cast<float>(edge);
                event.edgeWait.push_back(event.edgeFlow[edge] == event.eventRow ? wait : 0);
            }
            const auto expected = plain.Update(event, fluidLeft);
            for (std::size_t edge = 0; edge < event.edgeFlow.size(); ++edge)
            {
                waited += expected.queues[event.edgeLink[edge]] * event.edgeWait[edge];
            }
            const std::vector<float> slowdown = network.Update(event);
            const std::vector<float> shares = network.PredictLeft(fluidLeft);
            const std::vector<float> queues = network.PredictQueues();
            for (std::size_t f = 0; f < event.flows.size(); ++f)
            {
                NS_TEST_EXPECT_MSG_EQ_TOL(static_cast<double>(slowdown[f]),
                                          expected.logSlowdown[f],
                                          1e-5,
                                          "ln slowdown, event " << e << ", row " << f);
                NS_TEST_EXPECT_MSG_EQ_TOL(static_cast<double>(shares[f]),
                                          expected.left[f],
                                          1e-5,
                                          "share left, event " << e << ", row " << f);
                spread += std::abs(expected.left[f] - static_cast<double>(fluidLeft[f]));
            }
            for (std::size_t l = 0; l < event.links.size(); ++l)
            {
                NS_TEST_EXPECT_MSG_EQ_TOL(static_cast<double>(queues[l]),
                                          expected.queues[l],
                                          1e-5 * (1000 + expected.queues[l]),
                                          "queue, event " << e << ", row " << l);
            }
            flowFeatures.assign(event.flowFeatures.begin(),
                                event.flowFeatures.begin() + M4Features::N_FLOW);
            linkFeatures.assign(event.linkFeatures.begin(),
                                event.linkFeatures.begin() + M4Features::N_LINK);
        }
        NS_TEST_EXPECT_MSG_GT(spread, 0.1, "the heads say something");
        NS_TEST_EXPECT_MSG_GT(waited, 100.0, "of queues, too");
        // twice, for asking changes nothing
        for (int time = 0; time < 2; ++time)
        {
            NS_TEST_EXPECT_MSG_EQ_TOL(
                static_cast<double>(network.PredictLeftNow(1, flowFeatures, 0.3F)),
                plain.LeftNow(1, flowFeatures, static_cast<double>(0.3F)),
                1e-5,
                "share left between events");
            const double queue = plain.QueueNow(4, linkFeatures);
            NS_TEST_EXPECT_MSG_EQ_TOL(static_cast<double>(network.PredictQueueNow(4, linkFeatures)),
                                      queue,
                                      1e-5 * (1000 + queue),
                                      "queue between events");
        }
    }
};

/// With joint heads no queue counts as more than exp(14) - 1 KB, and nothing starts below 1.
class JointLimitsTestCase : public TestCase
{
  public:
    JointLimitsTestCase()
        : TestCase("limits of joint heads")
    {
    }

  private:
    void DoRun() override
    {
        // queues of e^20 KB; shares left of odds that are e^-3 times the fluid's
        const M4Architecture sizes{4, 1, 0, 0, false, false, false, true};
        M4Network network(MakeModel(sizes, [](const DcnModelFile::Tensor& tensor, std::size_t i) {
            return tensor.name == "queue.b.b"  ? 20.0F
                   : tensor.name == "left.b.b" ? -3.0F
                                               : tensor.values[i];
        }));
        network.Begin(2);
        M4Snapshot event;
        event.flows = {0, 1};
        event.links = {0, 1};
        event.edgeFlow = {0, 1, 1};
        event.edgeLink = {0, 0, 1};
        event.eventRow = 1;
        event.flowFeatures.assign(2 * M4Features::N_FLOW, 0.5F);
        event.linkFeatures.assign(2 * M4Features::N_LINK, 0.5F);
        event.fluidLogSlowdown = {0.5F, 0.3F};
        event.fluidLeft = {0.6F, 0.5F};
        event.fluidService = {4, 0.2F};
        event.edgeWait = {0, 1e-6F, 2e-6F};
        const std::vector<float> slowdown = network.Update(event);
        NS_TEST_EXPECT_MSG_EQ_TOL(slowdown[0], 0.02 * std::log(2.0), 1e-6, "b of -0.5, so 1");
        const double odds = std::exp(-3.0);
        const double b = std::exp(0.3) + std::expm1(14.0) * 3e-6 + (odds / (1 + odds) - 0.5) * 0.2;
        NS_TEST_EXPECT_MSG_EQ_TOL(slowdown[1], std::log(b), 1e-5, "the longest queues");
    }
};

/// Models that are refused.
class RefusedModelTestCase : public TestCase
{
  public:
    RefusedModelTestCase()
        : TestCase("models that are refused")
    {
    }

  private:
    void DoRun() override
    {
        const M4Architecture sizes{4, 1};
        for (const float bad :
             {std::numeric_limits<float>::quiet_NaN(), std::numeric_limits<float>::infinity()})
        {
            const DcnModelFile model =
                MakeModel(sizes, [bad](const DcnModelFile::Tensor& tensor, std::size_t i) {
                    return tensor.name == "gru_uf.b_hh" && i == 2 ? bad : tensor.values[i];
                });
            DCN_TEST_EXPECT_ERROR(
                M4Network{model},
                std::string("the matrix gru_uf.b_hh of the model has the value ") +
                    (std::isnan(bad) ? "nan" : "inf") + ", which is no finite number");
        }
        DcnModelFile model = M4Network::MakeUntrained(sizes);
        auto expect = [&](const char* key, double value, const std::string& sentence) {
            const double before = model.GetNumber("architecture", key);
            model.Set("architecture", key, value);
            DCN_TEST_EXPECT_ERROR(M4Network{model}, sentence);
            model.Set("architecture", key, before);
        };
        expect(
            "rounds",
            -1,
            "architecture.rounds of the model must be a whole number from 0 to 16, but it is -1");
        expect("rounds",
               4e9,
               "architecture.rounds of the model must be a whole number from 0 to 16, but it is "
               "4e+09");
        expect("hidden",
               32.5,
               "architecture.hidden of the model must be a whole number from 1 to 1024, but it is "
               "32.5");
        expect("hidden", 5, "the matrix x.w must be 5 x 30, but it is 4 x 30");
        expect("feature_version",
               77,
               "the model was made with version 77 of the features, but " +
                   std::to_string(M4Features::VERSION) + " is needed");
        M4Network usable(model);
        NS_TEST_EXPECT_MSG_EQ(usable.GetArchitecture().hidden, 4, "restored");
        model.Set("architecture", "output", std::string("slow"));
        DCN_TEST_EXPECT_ERROR(
            M4Network{model},
            "the output of the network must be residual or slowdown, but it is slow");
        model.Set("architecture", "output", std::string("residual"));
        model.Set("architecture", "message_width", 0);
        DCN_TEST_EXPECT_ERROR(M4Network{model},
                              "architecture.message_width of the model must be a whole number from "
                              "1 to 1024, but it is 0");
        model.Set("architecture", "message_width", 7);
        DCN_TEST_EXPECT_ERROR(M4Network{model},
                              "the matrix gru_uf.w_ih must be 12 x 11, but it is 12 x 8");
    }
};

/// Cards have what is not as by default, and settings without effect are refused.
class ArchitectureTestCase : public TestCase
{
  public:
    ArchitectureTestCase()
        : TestCase("architectures and their cards")
    {
    }

  private:
    void DoRun() override
    {
        NS_TEST_EXPECT_MSG_EQ(M4Architecture().Describe(), "hidden=32 rounds=1", "default");
        NS_TEST_EXPECT_MSG_EQ(M4Architecture::Make("published").Describe(),
                              "hidden=400 rounds=3 message_width=300 head_width=200 "
                              "messages=graphsage inputs=published output=slowdown",
                              "published");
        DCN_TEST_EXPECT_ERROR(M4Architecture().Choose("message", "gated"),
                              "of the network, messages, inputs, output, heads and memory can be "
                              "chosen, but not message");
        DCN_TEST_EXPECT_ERROR(M4Architecture::Make("m4"),
                              "the architecture must be default or published, but it is m4");
        for (const M4Architecture& architecture :
             {M4Architecture(),
              M4Architecture{5, 2, 7, 3},
              M4Architecture{5, 2, 0, 0, false, false, false, true},
              M4Architecture{5, 2, 0, 0, false, false, false, true, M4Memory::STATES},
              M4Architecture{5, 2, 0, 0, false, false, false, true, M4Memory::NONE},
              M4Architecture::MakePublished()})
        {
            DcnModelFile model("m4");
            architecture.Write(model);
            NS_TEST_EXPECT_MSG_EQ(M4Architecture::Read(model).Describe(),
                                  architecture.Describe(),
                                  "written and read");
            const std::size_t nEntries = model.GetSection("architecture").size();
            const auto text = architecture.Describe();
            NS_TEST_EXPECT_MSG_EQ(
                nEntries,
                static_cast<std::size_t>(std::count(text.begin(), text.end(), '=')),
                "nothing else in the card");
        }
        DcnModelFile untold("m4");
        M4Architecture{5, 2, 0, 0, false, false, false, true, M4Memory::NONE}.Write(untold);
        NS_TEST_EXPECT_MSG_EQ(untold.GetText("architecture", "memory"), "none", "by its name");
        DcnModelFile old("m4"); // written before heads could be joint, and states remember
        M4Architecture().Write(old);
        NS_TEST_EXPECT_MSG_EQ((M4Architecture::Read(old).memory == M4Memory::FLUID),
                              true,
                              "the fluid unless it says");
        NS_TEST_EXPECT_MSG_EQ(M4Architecture::Read(old).jointHeads, false, "apart unless it says");
        old.Set("architecture", "memories", std::string("states")); // of a later release
        DCN_TEST_EXPECT_ERROR(M4Architecture::Read(old),
                              "of the network, messages, inputs, output, heads and memory can be "
                              "chosen, but not memories");
        // the released weights of the paper: 6 MB, 1,501,003 numbers
        M4Architecture released = M4Architecture::MakePublished();
        released.hidden = 200;
        std::size_t count = 0;
        const DcnModelFile untrained = M4Network::MakeUntrained(released);
        for (const auto& tensor : untrained.GetTensors())
        {
            count += tensor.values.size();
        }
        NS_TEST_EXPECT_MSG_EQ(count, 1501003, "numbers of the published network");

        DCN_TEST_EXPECT_ERROR((M4Architecture{0, 1}.Check()),
                              "the width of states must be from 1 to 1024, but it is 0");
        DCN_TEST_EXPECT_ERROR((M4Architecture{8, 1, 0, 1025}.Check()),
                              "the width of heads must be from 1 to 1024, but it is 1025");
        DCN_TEST_EXPECT_ERROR((M4Architecture{8, 0, 4}.Check()),
                              "a width of messages of 4 has no effect with no rounds of messages");
        DCN_TEST_EXPECT_ERROR(
            (M4Architecture{8, 0, 0, 0, true}.Check()),
            "the number of layers of GraphSAGE must be from 1 to 16, but it is 0");
        DCN_TEST_EXPECT_ERROR((M4Architecture{8, 1, 4, 0, true}.Check()),
                              "a width of messages of 4 has no effect with one layer of GraphSAGE, "
                              "which is as wide as states");
        DCN_TEST_EXPECT_ERROR((M4Architecture{8, 1, 0, 0, false, true}.Check()),
                              "published inputs need layers of GraphSAGE and states of at least 2 "
                              "numbers");
    }
};

/// What is said of a network's parts replaces what its architecture has, in any order.
class ArgumentsTestCase : public TestCase
{
  public:
    ArgumentsTestCase()
        : TestCase("arguments of a training")
    {
    }

  private:
    void DoRun() override
    {
        auto describe = [](const std::vector<std::string>& words) {
            return ParseArguments(words).architecture.Describe();
        };
        NS_TEST_EXPECT_MSG_EQ(describe({}), "hidden=32 rounds=1", "default");
        NS_TEST_EXPECT_MSG_EQ(describe({"--hidden=16", "--rounds=0", "--headWidth=8"}),
                              "hidden=16 rounds=0 head_width=8",
                              "parts");
        NS_TEST_EXPECT_MSG_EQ(describe({"--hidden=200", "--output=residual",
                                        "--architecture=published", "--messageWidth=200"}),
                              "hidden=200 rounds=3 messages=graphsage inputs=published",
                              "parts before the architecture");
        NS_TEST_EXPECT_MSG_EQ(ParseArguments({}).rollouts, 1, "roll-outs throughout by default");
        NS_TEST_EXPECT_MSG_EQ(ParseArguments({"--rollouts=0"}).firstRollouts,
                              -1,
                              "the first epoch is like the others unless said");
        NS_TEST_EXPECT_MSG_EQ(ParseArguments({"--curriculum=3"}).curriculum, 3, "curriculum");
        DCN_TEST_EXPECT_ERROR(ParseArguments({"--messages=sage"}),
                              "the messages of the network must be gated or graphsage, but it is "
                              "sage");
        DCN_TEST_EXPECT_ERROR(ParseArguments({"--architecture=published", "--messages=gated"}),
                              "published inputs need layers of GraphSAGE and states of at least 2 "
                              "numbers");
        NS_TEST_EXPECT_MSG_EQ(describe({"--heads=joint"}),
                              "hidden=32 rounds=1 heads=joint",
                              "joint heads");
        DCN_TEST_EXPECT_ERROR(ParseArguments({"--architecture=published", "--heads=joint"}),
                              "joint heads start from the fluid, so that the output of the network "
                              "must be residual");
        NS_TEST_EXPECT_MSG_EQ(describe({"--memory=states"}),
                              "hidden=32 rounds=1 memory=states",
                              "memory of states");
        NS_TEST_EXPECT_MSG_EQ(describe({"--heads=joint", "--memory=none"}),
                              "hidden=32 rounds=1 heads=joint memory=none",
                              "no memory, after the parts");
        DCN_TEST_EXPECT_ERROR(ParseArguments({"--architecture=published", "--memory=states"}),
                              "memory=states has no effect with published inputs and "
                              "slowdowns as they are, which have nothing of the fluid");
        NS_TEST_EXPECT_MSG_EQ(
            (ParseArguments({"--output=slowdown", "--memory=states"}).architecture.memory ==
             M4Memory::STATES) &&
                (ParseArguments({"--architecture=published", "--output=residual", "--memory=none"})
                     .architecture.memory == M4Memory::NONE),
            true,
            "either has something of the fluid");
        DCN_TEST_EXPECT_ERROR(ParseArguments({"--architecture=published", "--memory=none"}),
                              "memory=none has no effect with published inputs and "
                              "slowdowns as they are, which have nothing of the fluid");
        DCN_TEST_EXPECT_ERROR(
            ParseArguments({"--memory=half"}),
            "the memory of the network must be fluid, states or none, but it is half");
        DCN_TEST_EXPECT_ERROR(ParseArguments({"--rounds=-2"}), "--rounds=-2 is negative");
    }
};

/// The suite.
class M4NetworkTestSuite : public TestSuite
{
  public:
    M4NetworkTestSuite()
        : TestSuite("m4-network", Type::UNIT)
    {
        AddTestCase(new EquationsTestCase({5, 2}));
        AddTestCase(new EquationsTestCase({5, 2, 7, 3}));
        AddTestCase(new EquationsTestCase({5, 1, 0, 0, true}));
        AddTestCase(new EquationsTestCase({5, 3, 7, 4, true, false, true}));
        AddTestCase(new EquationsTestCase({5, 3, 7, 4, true, true, false}));
        AddTestCase(new EquationsTestCase({5, 3, 7, 4, true, true, true}));
        AddTestCase(new EquationsTestCase({5, 2, 7, 3, false, false, false, true}));
        AddTestCase(new EquationsTestCase({5, 3, 7, 4, true, true, false, true}));
        AddTestCase(new JointLimitsTestCase);
        AddTestCase(new RefusedModelTestCase);
        AddTestCase(new ArchitectureTestCase);
        AddTestCase(new ArgumentsTestCase);
    }
};

M4NetworkTestSuite g_m4NetworkTestSuite; //!< the suite

} // namespace

/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "m4-test-truth.h"

#include "ns3/dcn-network-config.h"
#include "ns3/dcn-scenario.h"
#include "ns3/dcn-topology-helper.h"
#include "ns3/dcn-workload.h"
#include "ns3/m4-evaluation.h"
#include "ns3/m4-network.h"
#include "ns3/m4-session.h"
#include "ns3/m4-tape.h"
#include "ns3/test.h"

#include <cmath>
#include <cstdint>
#include <map>
#include <vector>

using namespace ns3;

namespace
{

/// A part of a simulation is its first events, in which every flow has its whole weight.
class PartTestCase : public TestCase
{
  public:
    PartTestCase()
        : TestCase("the first part of a simulation")
    {
    }

  private:
    void DoRun() override
    {
        const auto truth = M4MakeTestTruth(200, 5);
        const DcnModelFile model = M4Network::MakeUntrained({8, 1});
        const auto all = M4RunEvents(*truth->scenario, model);
        const std::size_t most = 150;
        NS_TEST_ASSERT_MSG_EQ(all.size(), 400, "a start and a departure of each");
        const auto part = M4RunEvents(*truth->scenario, model, most);
        NS_TEST_ASSERT_MSG_EQ(part.size(), most, "no more than asked for");
        for (std::size_t i = 0; i < part.size(); ++i)
        {
            const bool same = part[i].timeNs == all[i].timeNs && part[i].flow == all[i].flow &&
                              part[i].arrival == all[i].arrival;
            NS_TEST_EXPECT_MSG_EQ(same, true, "event " << i << " is that of the whole");
        }
        // under teacher forcing; the whole tape begins the same way
        M4Tape tape(*truth, {}, 0.5, most);
        M4Tape whole(*truth);
        std::map<uint32_t, double> weights;
        M4Step step;
        M4Step other;
        std::size_t nEvents = 0;
        bool cut = false;
        while (tape.Next(step))
        {
            ++nEvents;
            NS_TEST_ASSERT_MSG_EQ(whole.Next(other), true, "the whole is longer");
            NS_TEST_ASSERT_MSG_EQ((step.snapshot.flowFeatures == other.snapshot.flowFeatures),
                                  true,
                                  "the same flows");
            for (std::size_t row = 0; row < step.flow.size(); ++row)
            {
                weights[step.flow[row]] += static_cast<double>(step.weight[row]);
                cut = cut || step.weight[row] > other.weight[row];
            }
        }
        NS_TEST_EXPECT_MSG_EQ(nEvents, most, "events of the part");
        NS_TEST_EXPECT_MSG_EQ(cut, true, "of some flows later events are missing");
        for (const auto& [flow, weight] : weights)
        {
            NS_TEST_EXPECT_MSG_EQ_TOL(weight, 1, 1e-5, "one in all of flow " << flow);
        }
    }
};

/// Flows whose last bytes arrive before any could leave: each leaves as soon as it has started.
class InstantTestCase : public TestCase
{
  public:
    InstantTestCase()
        : TestCase("flows that use their links for no time")
    {
    }

  private:
    void DoRun() override
    {
        Ptr<DcnTopology> topology = DcnTopologyHelper::Create(DcnFabricParameters());
        DcnWorkloadSpec spec;
        spec.nFlows = 3;
        DcnWorkload workload = DcnWorkload::Generate(topology, spec);
        for (auto& flow : workload.flows)
        {
            flow.startNs = 1000; // all at one instant
        }
        M4Truth truth;
        truth.scenario = DcnScenario::CreateWithPaths(topology,
                                                      DcnNetworkConfig::Preset("dctcp"),
                                                      std::move(workload.flows),
                                                      std::move(workload.paths));
        truth.fctNs = {1, 1, 1}; // ns, less than any propagation
        M4Tape tape(truth);
        M4Step step;
        for (int flow = 0; flow < 3; ++flow)
        {
            NS_TEST_ASSERT_MSG_EQ(tape.Next(step), true, "starts");
            NS_TEST_EXPECT_MSG_EQ(step.snapshot.flows.size(), 1, "alone, " << flow);
            NS_TEST_EXPECT_MSG_EQ(step.snapshot.eventRow, 0, "it starts, " << flow);
            NS_TEST_ASSERT_MSG_EQ(tape.Next(step), true, "leaves");
            NS_TEST_EXPECT_MSG_EQ(step.snapshot.flows.size(), 0, "nobody is left, " << flow);
        }
        NS_TEST_EXPECT_MSG_EQ(tape.Next(step), false, "that is all");
        NS_TEST_EXPECT_MSG_EQ(tape.GetNSlots(), 1, "one at a time");
    }
};

/// Events of a roll-out are those of the model's own simulation; labels stay.
class RolloutTestCase : public TestCase
{
  public:
    RolloutTestCase()
        : TestCase("events of a roll-out")
    {
    }

  private:
    void DoRun() override
    {
        const auto truth = M4MakeTestTruth(200, 5);
        const DcnModelFile model = M4Network::MakeUntrained({8, 1});
        M4Tape tape(*truth, M4RunEvents(*truth->scenario, model));
        // the same network that sees these events says what it said when it made them
        M4Network network(model);
        network.Begin(truth->scenario->GetTopology().GetNLinks());
        std::vector<float> last(truth->fctNs.size(), 0);
        M4Step step;
        while (tape.Next(step))
        {
            const auto& predicted = network.Update(step.snapshot);
            for (std::size_t row = 0; row < predicted.size(); ++row)
            {
                last[step.flow[row]] = predicted[row];
                NS_TEST_EXPECT_MSG_GT(step.logSlowdown[row], std::log(1.4), "the true label");
            }
        }
        const auto fctNs = M4Run(*truth->scenario, model);
        std::size_t differing = 0;
        for (std::size_t i = 0; i < fctNs.size(); ++i)
        {
            const double ideal = static_cast<double>(truth->scenario->GetIdealFct(i).GetTotalNs());
            const double expected = ideal * std::exp(static_cast<double>(last[i]));
            // a flow that should have ended before the event that says so ends later
            differing += std::abs(static_cast<double>(fctNs[i]) - expected) > 2 ? 1 : 0;
        }
        NS_TEST_EXPECT_MSG_EQ(differing, 0, "as in the simulation");
    }
};

/// Errors of answers that are a tenth too long, by group.
class ErrorsTestCase : public TestCase
{
  public:
    ErrorsTestCase()
        : TestCase("errors by class of size and congestion control")
    {
    }

  private:
    void DoRun() override
    {
        auto truth = M4MakeTestTruth(300, 7);
        std::vector<int64_t> tenthMore;
        for (int64_t& fct : truth->fctNs)
        {
            fct *= 10;
            tenthMore.push_back(fct / 10 * 11);
        }
        truth->fctNs[3] = -1; // unfinished: counts nowhere
        M4ErrorTable table;
        table.Add(*truth, tenthMore);
        std::size_t ofSizes = 0;
        std::size_t ofDctcp = 0;
        const auto groups = table.GetGroups();
        NS_TEST_ASSERT_MSG_EQ(groups.front().first, "all", "the first");
        NS_TEST_EXPECT_MSG_EQ(groups.front().second.GetNFlows(), 299, "all that finished");
        for (const auto& [name, errors] : groups)
        {
            NS_TEST_EXPECT_MSG_EQ_TOL(errors.GetMean(), 0.1, 1e-9, "|1.1 - 1|");
            NS_TEST_EXPECT_MSG_EQ_TOL(errors.GetP90(), 0.1, 1e-9, "of each flow");
            NS_TEST_EXPECT_MSG_EQ_TOL(errors.GetBias(), 0.1, 1e-9, "too long");
            NS_TEST_EXPECT_MSG_EQ_TOL(errors.GetP99Error(), 0.1, 1e-9, "so is the tail");
            ofDctcp += name == "dctcp" ? errors.GetNFlows() : 0;
            ofSizes += name == "all" || name == "dctcp" ? 0 : errors.GetNFlows();
        }
        NS_TEST_EXPECT_MSG_EQ(ofSizes, 299, "every flow has one class of size");
        NS_TEST_EXPECT_MSG_EQ(ofDctcp, 299, "and one congestion control");
    }
};

/// The suite: what is played to a network, and how its answers are judged.
class M4TapeTestSuite : public TestSuite
{
  public:
    M4TapeTestSuite()
        : TestSuite("m4-tape", Type::UNIT)
    {
        AddTestCase(new RolloutTestCase);
        AddTestCase(new ErrorsTestCase);
        AddTestCase(new PartTestCase);
        AddTestCase(new InstantTestCase);
    }
};

M4TapeTestSuite g_m4TapeTestSuite; //!< the suite

} // namespace

/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "../../../test/dcn-test-error.h"

#include "ns3/dcn-network-config.h"
#include "ns3/dcn-scenario.h"
#include "ns3/dcn-topology-helper.h"
#include "ns3/dcn-workload.h"
#include "ns3/flowsim-estimator.h"
#include "ns3/m4-network.h"
#include "ns3/m4-session.h"
#include "ns3/test.h"

#include <cmath>
#include <map>
#include <vector>

using namespace ns3;

namespace
{

/**
 * @param topology the network
 * @param nFlows number of flows
 * @return web-server flows on it
 */
Ptr<const DcnScenario>
MakeScenario(Ptr<DcnTopology> topology, uint32_t nFlows)
{
    DcnWorkloadSpec spec;
    spec.nFlows = nFlows;
    DcnWorkload workload = DcnWorkload::Generate(topology, spec);
    return DcnScenario::CreateWithPaths(topology,
                                        DcnNetworkConfig::Preset("dctcp"),
                                        std::move(workload.flows),
                                        std::move(workload.paths));
}

/**
 * A network that has learned nothing answers like the fluid simulation: where every flow crosses
 * the one bottleneck, so that every event touches all, up to tau ln 2 of the logarithm.
 */
class UntrainedTestCase : public TestCase
{
  public:
    UntrainedTestCase()
        : TestCase("without training: the fluid's completion times")
    {
    }

  private:
    void DoRun() override
    {
        auto scenario = MakeScenario(DcnTopologyHelper::Create(DcnDumbbellParameters()), 400);
        const DcnModelFile model = M4Network::MakeUntrained({16, 2});
        const auto fctNs = M4Run(*scenario, model);
        auto flowsim = DcnEstimator::CreateByName("flowsim:WindowCap=true");
        const auto fluid = flowsim->Estimate(scenario).fctNs;
        double worst = 0;
        double sum = 0;
        for (std::size_t i = 0; i < fctNs.size(); ++i)
        {
            const double ideal = static_cast<double>(scenario->GetIdealFct(i).GetTotalNs());
            NS_TEST_EXPECT_MSG_EQ((static_cast<double>(fctNs[i]) >= ideal - 1),
                                  true,
                                  "no slowdown below 1");
            const double error =
                std::log(static_cast<double>(fctNs[i]) / static_cast<double>(fluid[i]));
            worst = std::max(worst, std::abs(error));
            sum += error;
        }
        // flows that end 1.4 % later hold up the others for that time
        NS_TEST_EXPECT_MSG_LT(worst, 0.05, "largest difference");
        NS_TEST_EXPECT_MSG_LT(std::abs(sum / static_cast<double>(fctNs.size())),
                              0.02,
                              "mean difference");
        NS_TEST_EXPECT_MSG_EQ((fctNs == M4Run(*scenario, model)), true, "the same again");
    }
};

/// Order of events, callbacks, and what is refused.
class SessionTestCase : public TestCase
{
  public:
    SessionTestCase()
        : TestCase("driven from outside")
    {
    }

  private:
    void DoRun() override
    {
        auto scenario = MakeScenario(DcnTopologyHelper::Create(DcnFabricParameters()), 50);
        M4Session session(scenario->GetTopology(),
                          scenario->GetNetwork(),
                          M4Network::MakeUntrained({8, 1}));
        NS_TEST_EXPECT_MSG_EQ(session.GetNextEventNs(), M4Session::NEVER, "nothing to do");
        std::vector<uint64_t> ended;
        bool refuse = false;
        session.SetDeliveryListener([&](uint64_t id, int64_t fctNs) {
            ended.push_back(id);
            NS_TEST_EXPECT_MSG_GT(fctNs, 0, "completion time");
            if (id < 3)
            {
                session.AddFlow(id + 100, scenario->GetPath(id), 1000);
            }
            if (refuse)
            {
                throw std::runtime_error("no");
            }
        });
        session.AdvanceTo(1000);
        for (uint64_t id = 0; id < 5; ++id)
        {
            const auto handle = session.AddFlow(id, scenario->GetPath(id), 10'000);
            NS_TEST_EXPECT_MSG_EQ((session.GetLeft(handle) > 0.9), true, "nothing sent yet");
            NS_TEST_EXPECT_MSG_EQ(session.GetQueuesOfEvent().size(),
                                  scenario->GetPath(id).size(),
                                  "a queue per link");
        }
        NS_TEST_EXPECT_MSG_GT(session.GetNextEventNs(), 1000, "an end to come");
        while (session.GetNextEventNs() != M4Session::NEVER)
        {
            const int64_t next = session.GetNextEventNs();
            session.AdvanceTo(next);
            NS_TEST_EXPECT_MSG_EQ(session.GetNowNs(), next, "the clock");
        }
        NS_TEST_EXPECT_MSG_EQ(ended.size(), 8, "five flows and three that they started");
        NS_TEST_EXPECT_MSG_EQ(session.GetNEvents(), 16, "a start and an end each");

        const int64_t now = session.GetNowNs();
        DCN_TEST_EXPECT_ERROR(session.AdvanceTo(now - 1),
                              "time cannot go back from " + std::to_string(now) + " ns to " +
                                  std::to_string(now - 1) + " ns");
        DCN_TEST_EXPECT_ERROR(session.AddFlow(9, scenario->GetPath(0), 0),
                              "flow 9 has a size of 0 bytes");
        const uint32_t twice[] = {0, 0};
        DCN_TEST_EXPECT_ERROR(session.AddFlow(9, DcnPath{twice, twice + 2}, 5),
                              "the path of flow 9 has link 0 twice, or there is no such link");
        DCN_TEST_EXPECT_ERROR(session.AddFlow(9, DcnPath{twice, twice}, 5),
                              "flow 9 has a path without links");

        // what a listener throws comes out, and the session can go on
        refuse = true;
        session.AddFlow(50, scenario->GetPath(5), 500);
        session.AddFlow(51, scenario->GetPath(6), 500'000);
        bool thrown = false;
        try
        {
            session.AdvanceTo(now + 1'000'000'000);
        }
        catch (const std::runtime_error&)
        {
            thrown = true;
        }
        NS_TEST_EXPECT_MSG_EQ(thrown, true, "the listener's exception");
        refuse = false;
        session.AdvanceTo(now + 1'000'000'000);
        NS_TEST_EXPECT_MSG_EQ(ended.size(), 10, "the other flow ended, too");
    }
};

/// Closed loop.
class ClosedLoopTestCase : public TestCase
{
  public:
    ClosedLoopTestCase()
        : TestCase("closed loop")
    {
    }

  private:
    void DoRun() override
    {
        auto scenario = MakeScenario(DcnTopologyHelper::Create(DcnFabricParameters()), 300);
        const DcnModelFile model = M4Network::MakeUntrained({8, 1});
        const auto loop = M4RunClosedLoop(*scenario, model, 1);
        const auto& flows = scenario->GetFlows();
        // with one flow in flight per rack, a rack's flows do not overlap
        std::map<uint32_t, int64_t> busyUntil;
        for (std::size_t i = 0; i < flows.size(); ++i)
        {
            int64_t& until = busyUntil[scenario->GetTopology().GetRack(flows[i].src)];
            NS_TEST_EXPECT_MSG_EQ((loop.releaseNs[i] >= until), true, "one after the other");
            NS_TEST_EXPECT_MSG_EQ((loop.releaseNs[i] == std::max(until, flows[i].startNs)),
                                  true,
                                  "released as soon as possible");
            until = loop.releaseNs[i] + loop.fctNs[i];
        }
    }
};

/// The suite.
class M4SessionTestSuite : public TestSuite
{
  public:
    M4SessionTestSuite()
        : TestSuite("m4-session", Type::UNIT)
    {
        AddTestCase(new UntrainedTestCase);
        AddTestCase(new SessionTestCase);
        AddTestCase(new ClosedLoopTestCase);
    }
};

M4SessionTestSuite g_m4SessionTestSuite; //!< the suite

} // namespace

/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/dcn-path-census.h"
#include "ns3/dcn-path-selection.h"
#include "ns3/dcn-path-surrogate.h"
#include "ns3/dcn-path-traffic.h"
#include "ns3/dcn-path-window.h"
#include "ns3/dcn-estimator.h"
#include "ns3/dcn-topology-helper.h"
#include "ns3/dcn-workload.h"
#include "ns3/test.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

using namespace ns3;

namespace
{

/// @return true if the module flowsim is built, too
bool
HasFlowsim()
{
    const auto names = DcnEstimator::GetNames();
    return std::find(names.begin(), names.end(), "flowsim") != names.end();
}

/**
 * Links of 10 Gb/s and 1 us; hosts 0, 1 send to 2, 3 by the link between two switches.
 * @param flows flows in order
 * @return the scenario
 */
Ptr<const DcnScenario>
MakeDumbbell(const std::vector<DcnFlow>& flows)
{
    DcnDumbbellParameters parameters;
    parameters.senders = 2;
    parameters.receivers = 2;
    return DcnScenario::Create(DcnTopologyHelper::Create(parameters),
                               DcnNetworkConfig::Preset("dctcp"),
                               flows);
}

/// Which flows are active, and what the score adds for them.
class SurrogateTestCase : public TestCase
{
  public:
    SurrogateTestCase()
        : TestCase("ends, oldest active flow and scores")
    {
    }

  private:
    void DoRun() override
    {
        if (!HasFlowsim())
        {
            return;
        }
        // 0 and 2 do not meet 1, which comes late
        Ptr<const DcnScenario> scenario =
            MakeDumbbell({{0, 0, 2, 1'000'000, 0},
                          {1, 1, 3, 1000, 100'000}, {2, 1, 3, 1000, 10'000'000}});
        const DcnPathSurrogate surrogate(scenario, "flowsim");
        const DcnEstimate fluid = DcnEstimator::CreateByName("flowsim")->Estimate(scenario);
        auto ideal = [&](std::size_t i) {
            return static_cast<double>(scenario->GetIdealFct(i).GetTotalNs());
        };
        NS_TEST_EXPECT_MSG_EQ(surrogate.GetEndNs(1), 100'000 + fluid.fctNs[1], "end");
        NS_TEST_EXPECT_MSG_EQ(surrogate.GetOldestActive(50'000), 0, "the first is under way");
        NS_TEST_EXPECT_MSG_EQ(surrogate.GetOldestActive(surrogate.GetEndNs(0)), 2, "both are over");
        NS_TEST_EXPECT_MSG_EQ(surrogate.GetOldestActive(20'000'000), 3, "all are over");
        NS_TEST_EXPECT_MSG_EQ_TOL(surrogate.GetScore(2), 1, 1e-9, "alone");
        // one other flow on the link between the switches: a window of 18000 bytes, 14.4 us
        NS_TEST_EXPECT_MSG_EQ_TOL(surrogate.GetScore(1),
                                  (static_cast<double>(fluid.fctNs[1]) + 14'400) / ideal(1),
                                  1e-9,
                                  "with another flow");
    }
};

/// What is left of background flows in a window.
class WindowTestCase : public TestCase
{
  public:
    WindowTestCase()
        : TestCase("flows in a window: those before, those under way, those that last beyond")
    {
    }

  private:
    void DoRun() override
    {
        if (!HasFlowsim())
        {
            return;
        }
        // 0 is over before the window; 1 starts before it and lasts beyond it; 2 is the foreground
        Ptr<const DcnScenario> scenario = MakeDumbbell({{0, 0, 2, 1000, 0},
                                                        {1, 0, 2, 100'000'000, 1'000'000},
                                                        {2, 1, 3, 1000, 20'000'000},
                                                        {3, 0, 3, 1000, 60'000'000}});
        const DcnPathSurrogate surrogate(scenario, "flowsim");
        DcnPathWindow window(*scenario, surrogate, 2, 2'000'000);
        const auto fct = surrogate.GetEndNs(2) - 20'000'000;
        NS_TEST_EXPECT_MSG_EQ(window.GetLongestNs(), fct * 3 / 2 + 100'000, "time of the flow");
        const auto [first, last] = window.GetFlows();
        NS_TEST_EXPECT_MSG_EQ(first, 1, "first flow that can be in it");
        NS_TEST_EXPECT_MSG_EQ(last, 3, "first flow that starts too late");
        std::vector<DcnFlow> flows = scenario->GetFlows();
        NS_TEST_EXPECT_MSG_EQ(window.Adjust(0, flows[0]), false, "over");
        NS_TEST_EXPECT_MSG_EQ(window.Adjust(3, flows[3]), false, "too late");
        NS_TEST_EXPECT_MSG_EQ(window.Adjust(2, flows[2]), true, "the foreground");
        NS_TEST_EXPECT_MSG_EQ(flows[2].sizeBytes, 1000, "as it is");
        NS_TEST_ASSERT_MSG_EQ(window.Adjust(1, flows[1]), true, "under way");
        NS_TEST_EXPECT_MSG_EQ(flows[1].startNs, 18'000'000, "from the window's begin");
        // no more than 10 Gb/s can bring from begin to end
        const double most = 1.25 * static_cast<double>(2'000'000 + window.GetLongestNs());
        NS_TEST_EXPECT_MSG_EQ_TOL(static_cast<double>(flows[1].sizeBytes), most, 1, "size");
        // with a window that reaches beyond its end, the rest of the flow, as it went on evenly
        while (20'000'000 + window.GetLongestNs() < surrogate.GetEndNs(1))
        {
            window.Extend();
        }
        DcnFlow rest = scenario->GetFlows()[1];
        window.Adjust(1, rest);
        const double left = static_cast<double>(surrogate.GetEndNs(1) - 18'000'000) /
                            static_cast<double>(surrogate.GetEndNs(1) - 1'000'000);
        NS_TEST_EXPECT_MSG_EQ_TOL(static_cast<double>(rest.sizeBytes), 1e8 * left, 1, "rest");
        NS_TEST_EXPECT_MSG_EQ(window.Adjust(3, flows[3]), true, "the window is longer now");
    }
};

/// The rate of a flow that shares a link, of one that does not, and of one that is short.
class LimitTestCase : public TestCase
{
  public:
    LimitTestCase()
        : TestCase("limits of background flows")
    {
    }

  private:
    void DoRun() override
    {
        if (!HasFlowsim())
        {
            return;
        }
        // 0 and 1 have 5 Gb/s each; 2 fits into a window of 18000 bytes; 3 is alone
        Ptr<const DcnScenario> scenario = MakeDumbbell({{0, 0, 2, 2'000'000, 0},
                                                        {1, 1, 3, 2'000'000, 0},
                                                        {2, 1, 3, 18'000, 1'000'000},
                                                        {3, 0, 2, 2'000'000, 50'000'000},
                                                        {4, 1, 3, 1000, 60'000'000}});
        const DcnPathSurrogate surrogate(scenario, "flowsim");
        const DcnPathWindow window(*scenario, surrogate, 4, 100'000'000);
        // payload only: 1000 of 1048 bytes; the short flow takes a third for a while
        NS_TEST_EXPECT_MSG_EQ_TOL(static_cast<double>(window.GetLimit(0)),
                                  5e9 * 1000 / 1048,
                                  0.02 * 5e9,
                                  "half of a link");
        NS_TEST_EXPECT_MSG_EQ(window.GetLimit(2), 0, "in one go");
        NS_TEST_EXPECT_MSG_EQ(window.GetLimit(3), 0, "alone");
        NS_TEST_EXPECT_MSG_EQ(window.GetLimit(4), 0, "the foreground");
    }
};

/// Background on links that are never full is left out, other background is not.
class PruneTestCase : public TestCase
{
  public:
    PruneTestCase()
        : TestCase("flows on free links are left out")
    {
    }

  private:
    void DoRun() override
    {
        if (!HasFlowsim())
        {
            return;
        }
        // the link between the switches carries two hosts at once at 20 Gb/s, not at 19
        for (const char* rate : {"20Gbps", "19Gbps"})
        {
            DcnDumbbellParameters parameters;
            parameters.senders = 2;
            parameters.receivers = 2;
            parameters.bottleneckRate = DataRate(rate);
            Ptr<const DcnScenario> scenario =
                DcnScenario::Create(DcnTopologyHelper::Create(parameters),
                                    DcnNetworkConfig::Preset("dctcp"),
                                    {{0, 0, 2, 1'000'000, 0}, {1, 1, 3, 1000, 100'000}});
            const DcnPathCensus census(scenario);
            const DcnPathSurrogate surrogate(scenario, "flowsim");
            const DcnPathWindow window(*scenario, surrogate, 1, 1'000'000);
            DcnPathTraffic traffic = DcnFindPathTraffic(census, 1, true);
            NS_TEST_ASSERT_MSG_EQ(traffic.background.size(), 1, "the other flow");
            window.Prune(census.GetLinks(1), traffic);
            NS_TEST_EXPECT_MSG_EQ(traffic.background.size(),
                                  (std::string(rate) == "19Gbps" ? 1U : 0U),
                                  rate);
        }
    }
};

/// Every flow counts 1 in expectation; those of high scores are drawn more often.
class DrawFlowsTestCase : public TestCase
{
  public:
    DrawFlowsTestCase()
        : TestCase("draws of flows: number, weights, no bias")
    {
    }

  private:
    void DoRun() override
    {
        if (!HasFlowsim())
        {
            return;
        }
        Ptr<DcnTopology> topology = DcnTopologyHelper::Create(DcnFabricParameters());
        DcnWorkloadSpec spec;
        spec.nFlows = 2000;
        DcnWorkload workload = DcnWorkload::Generate(topology, spec);
        Ptr<const DcnScenario> scenario =
            DcnScenario::CreateWithPaths(topology,
                                         DcnNetworkConfig::Preset("dctcp"),
                                         std::move(workload.flows),
                                         std::move(workload.paths));
        const DcnPathSurrogate surrogate(scenario, "flowsim");
        const uint32_t nSeeds = 400;
        std::vector<double> ratio(2000, 0); // mean over seeds of weight if drawn
        std::vector<double> weight(2000, 0);
        for (uint32_t seed = 1; seed <= nSeeds; ++seed)
        {
            const auto drawn = DcnDrawFlows(*scenario, surrogate, 200, seed);
            // 200 points at a distance of 1 on a row of the length 200
            NS_TEST_EXPECT_MSG_EQ_TOL(static_cast<double>(drawn.size()), 200, 1, "number");
            for (const auto& each : drawn)
            {
                ratio[each.flow] += each.weight / nSeeds;
                weight[each.flow] = each.weight;
            }
        }
        // The variance of w B, B = 1 with the probability 1 / w, is w - 1. (Flows are not drawn
        // independently of one another, so that the sum of squares would tell less.)
        uint32_t n = 0;
        for (std::size_t i = 0; i < 2000; ++i)
        {
            if (weight[i] > 0)
            {
                NS_TEST_EXPECT_MSG_EQ_TOL(ratio[i],
                                          1,
                                          1e-9 + 6 * std::sqrt((weight[i] - 1) / nSeeds),
                                          "bias of flow " << i);
                ++n;
            }
        }
        NS_TEST_EXPECT_MSG_GT(n, 1900, "nearly all flows have been drawn at some time");
        const auto all = DcnDrawFlows(*scenario, surrogate, 2000, 1);
        NS_TEST_EXPECT_MSG_EQ(all.size(), 2000, "all flows");
        // in a class, a higher score means a smaller weight
        for (std::size_t i = 1; i < 2000; ++i)
        {
            const auto& flows = scenario->GetFlows();
            const bool comparable = weight[i] > 0 && weight[i - 1] > 0 &&
                                    flows[i].sizeBytes < 1000 && flows[i - 1].sizeBytes < 1000;
            if (comparable && surrogate.GetScore(i) > surrogate.GetScore(i - 1))
            {
                NS_TEST_EXPECT_MSG_EQ((weight[i] <= weight[i - 1]), true, "order of " << i);
            }
        }
    }
};

/// The suite of windows and scores.
class DcnPathWindowTestSuite : public TestSuite
{
  public:
    DcnPathWindowTestSuite()
        : TestSuite("dcn-path-window", Type::UNIT)
    {
        AddTestCase(new SurrogateTestCase);
        AddTestCase(new WindowTestCase);
        AddTestCase(new LimitTestCase);
        AddTestCase(new PruneTestCase);
        AddTestCase(new DrawFlowsTestCase);
    }
};

DcnPathWindowTestSuite g_dcnPathWindowTestSuite; //!< registers the suite

} // namespace

/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "../model/dcn-path-pre-estimate.h"
#include "../model/dcn-path-window.h"
#include "dcn-test-case.h"
#include "dcn-test-scenario.h"

#include "ns3/dcn-estimator.h"
#include "ns3/dcn-path-index.h"
#include "ns3/dcn-path-scenario.h"
#include "ns3/dcn-path-selection.h"
#include "ns3/dcn-topology.h"
#include "ns3/dcn-units.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <string>
#include <vector>

using namespace ns3;

namespace
{

/// Which flows are active, and what the score adds for them.
DCN_TEST_CASE(PreEstimateTestCase, "ends, oldest active flow and scores")
{
    // 0 and 2 do not meet 1, which comes late
    Ptr<const DcnScenario> scenario = DcnMakeDumbbellScenario(
        {{0, 0, 2, 1'000'000, 0}, {1, 1, 3, 1000, 100'000}, {2, 1, 3, 1000, 10'000'000}});
    const DcnPathPreEstimate preEstimate(scenario, "flowsim");
    const DcnEstimate fluid = DcnEstimator::CreateByName("flowsim")->Estimate(scenario);
    auto ideal = [&](std::size_t i) {
        return static_cast<double>(scenario->GetIdealFct(i).GetTotalNs());
    };
    NS_TEST_EXPECT_MSG_EQ(preEstimate.GetEndNs(1), 100'000 + fluid.fctNs[1], "end");
    NS_TEST_EXPECT_MSG_EQ(preEstimate.GetOldestActive(50'000), 0, "the first is under way");
    NS_TEST_EXPECT_MSG_EQ(preEstimate.GetOldestActive(preEstimate.GetEndNs(0)), 2, "both are over");
    NS_TEST_EXPECT_MSG_EQ(preEstimate.GetOldestActive(20'000'000), 3, "all are over");
    NS_TEST_EXPECT_MSG_EQ_TOL(preEstimate.GetScore(2), 1, 1e-9, "alone");
    // one other flow on the link between the switches: a window of 18000 bytes, 14.4 us
    NS_TEST_EXPECT_MSG_EQ_TOL(preEstimate.GetScore(1),
                              (static_cast<double>(fluid.fctNs[1]) + 14'400) / ideal(1),
                              1e-9,
                              "with another flow");
}

/// What is left of background flows in a window.
DCN_TEST_CASE(WindowTestCase,
              "flows in a window: those before, those under way, those that last beyond")
{
    // 0 is over before the window; 1 starts before it and lasts beyond it; 2 is the foreground
    Ptr<const DcnScenario> scenario = DcnMakeDumbbellScenario({{0, 0, 2, 1000, 0},
                                                               {1, 0, 2, 100'000'000, 1'000'000},
                                                               {2, 1, 3, 1000, 20'000'000},
                                                               {3, 0, 3, 1000, 60'000'000}});
    const DcnPathPreEstimate preEstimate(scenario, "flowsim");
    DcnPathWindow window(*scenario, preEstimate, 2, 2'000'000);
    const auto fct = preEstimate.GetEndNs(2) - 20'000'000;
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
    while (20'000'000 + window.GetLongestNs() < preEstimate.GetEndNs(1))
    {
        window.Extend();
    }
    DcnFlow rest = scenario->GetFlows()[1];
    window.Adjust(1, rest);
    const double left = static_cast<double>(preEstimate.GetEndNs(1) - 18'000'000) /
                        static_cast<double>(preEstimate.GetEndNs(1) - 1'000'000);
    NS_TEST_EXPECT_MSG_EQ_TOL(static_cast<double>(rest.sizeBytes), 1e8 * left, 1, "rest");
    NS_TEST_EXPECT_MSG_EQ(window.Adjust(3, flows[3]), true, "the window is longer now");
}

/// Background on links that are never full is left out, other background is not.
DCN_TEST_CASE(PruneTestCase, "flows on free links are left out")
{
    // the link between the switches carries two hosts at once at 20 Gb/s, not at 19
    for (const uint64_t rate : {20 * DCN_GBPS, 19 * DCN_GBPS})
    {
        Ptr<const DcnScenario> scenario =
            DcnScenario::Create(DcnMakeDumbbell(2, 2, rate),
                                DcnNetworkConfig::Preset("dctcp"),
                                {{0, 0, 2, 1'000'000, 0}, {1, 1, 3, 1000, 100'000}});
        const DcnPathIndex pathIndex(scenario);
        const DcnPathPreEstimate preEstimate(scenario, "flowsim");
        const DcnPathWindow window(*scenario, preEstimate, 1, 1'000'000);
        DcnPathTraffic traffic = DcnFindPathTraffic(pathIndex, 1, true);
        NS_TEST_ASSERT_MSG_EQ(traffic.background.size(), 1, "the other flow");
        window.Prune(pathIndex.GetLinks(1), traffic);
        NS_TEST_EXPECT_MSG_EQ(traffic.background.size(), (rate == 19 * DCN_GBPS ? 1U : 0U), rate);
    }
}

/// Begins at times at which nothing is shared, off-path cross traffic off the path, and what is not
/// one.
class CrossTrafficTestCase : public TestCase
{
  public:
    CrossTrafficTestCase()
        : TestCase("begin of windows; flows that slow down background flows off the path")
    {
    }

  private:
    void DoRun() override
    {
        CheckBegin();
        CheckCrossTraffic();
        CheckInitialQueues();
        CheckInitialQueuesInPackets();
    }

    /// @return when its window begins [ns]
    static int64_t Begin(Ptr<const DcnScenario> scenario, uint32_t flow)
    {
        const DcnPathIndex pathIndex(scenario);
        const DcnPathPreEstimate preEstimate(scenario, "flowsim");
        DcnPathWindow window(*scenario, preEstimate, flow, 5'000'000);
        const uint32_t path = pathIndex.GetPathOf(flow);
        window.ChooseBegin(pathIndex.GetLinks(path), DcnFindPathTraffic(pathIndex, path, true));
        return window.GetBeginNs();
    }

    void CheckBegin()
    {
        // u: when the link is free again, a quarter later than the fluid flows of 5 Gb/s each
        const std::vector<DcnFlow> flows{{0, 0, 2, 500'000, 10'000'000},
                                         {1, 1, 3, 500'000, 10'000'000},
                                         {2, 1, 3, 1000, 20'000'000}};
        const auto scenario = DcnMakeDumbbellScenario(flows);
        const DcnPathPreEstimate preEstimate(scenario, "flowsim");
        const int64_t lastsNs = preEstimate.GetEndNs(0) - 10'000'000;
        NS_TEST_ASSERT_MSG_EQ((preEstimate.GetEndNs(0) == preEstimate.GetEndNs(1)), true, "halves");
        const int64_t free = 10'000'000 + lastsNs * 5 / 4 + 100'000;
        auto begin = [&](int64_t startNs) {
            auto moved = flows;
            moved[2].startNs = startNs;
            return Begin(DcnMakeDumbbellScenario(moved), 2);
        };
        NS_TEST_EXPECT_MSG_EQ(begin(20'000'000), 19'500'000, "free since long ago: s - 0.5 ms");
        NS_TEST_EXPECT_MSG_EQ_TOL(begin(free + 300'000), free, 1, "free since 0.3 ms: u");
        NS_TEST_EXPECT_MSG_EQ(begin(free + 100'000),
                              9'500'000,
                              "free since 0.1 ms: 0.5 ms before the interval before ends");
        NS_TEST_EXPECT_MSG_EQ(begin(10'050'000), 9'500'000, "not free now: the same");
        // no such interval in 5 ms: two flows have been there for longer
        auto long0 = flows;
        long0[0].sizeBytes = long0[1].sizeBytes = 50'000'000;
        long0[2].startNs = 30'000'000;
        NS_TEST_EXPECT_MSG_EQ(Begin(DcnMakeDumbbellScenario(long0), 2), 25'000'000, "never free");
        NS_TEST_EXPECT_MSG_EQ(Begin(DcnMakeDumbbellScenario({flows[0]}), 0), 9'500'000, "alone");
    }

    void CheckInitialQueues()
    {
        // Hosts 0, 1 -> 2, 3, 10 Gb/s everywhere, W = 18 kB. Flow 0 is large and fills the link
        // between the switches, to which flow 1 brings 700 bytes. Flow 2 is the foreground.
        const std::vector<DcnFlow> flows{{0, 0, 2, 20'000'000, 0},
                                         {1, 1, 3, 700, 1'000'000},
                                         {2, 1, 3, 1000, 9'000'000}};
        auto initialQueues = [](const std::vector<DcnFlow>& all) {
            const auto scenario = DcnMakeDumbbellScenario(all);
            const DcnPathIndex pathIndex(scenario);
            const DcnPathPreEstimate preEstimate(scenario, "flowsim");
            const auto flow = static_cast<uint32_t>(all.size() - 1);
            const DcnPathWindow window(*scenario, preEstimate, flow, 1'000'000);
            const uint32_t path = pathIndex.GetPathOf(flow);
            DcnPathTraffic traffic = DcnFindPathTraffic(pathIndex, path, true);
            window.AddInitialQueues(pathIndex.GetLinks(path), traffic);
            return traffic.initialQueues;
        };
        auto found = initialQueues(flows);
        NS_TEST_ASSERT_MSG_EQ(found.size(), 1, "one link");
        NS_TEST_EXPECT_MSG_EQ(found[0].place, 1, "between the switches");
        NS_TEST_EXPECT_MSG_EQ(found[0].sizeBytes, 700, "what was brought");
        NS_TEST_EXPECT_MSG_EQ(found[0].startNs, 8'000'000, "at the begin");
        auto more = flows;
        more[1].sizeBytes = 200'000;
        found = initialQueues(more);
        NS_TEST_ASSERT_MSG_EQ(found.size(), 1, "one link");
        // W less the bytes of a base round trip: 3 links of 1 us, 1048 and 60 bytes at 10 Gb/s
        const int64_t rttNs = 2 * 3 * 1000 + 3 * (838 + 48);
        NS_TEST_EXPECT_MSG_EQ_TOL(static_cast<double>(found[0].sizeBytes),
                                  18'000 - 1.25 * static_cast<double>(rttNs),
                                  10,
                                  "no more than the window keeps");
        more[1].sizeBytes = 1'000'000;
        NS_TEST_EXPECT_MSG_EQ(initialQueues(more).size(), 0, "large flows empty the queue");
        more = flows;
        more[0].sizeBytes = 1'000'000;
        NS_TEST_EXPECT_MSG_EQ(initialQueues(more).size(), 0, "nothing keeps it");
        // t_0 is the start of flow 0, whatever else has ended before the begin of 8 ms
        more = flows;
        more.insert(more.begin() + 2, {3, 1, 3, 1'000'000, 1'500'000});
        found = initialQueues(more);
        NS_TEST_ASSERT_MSG_EQ(found.size(), 1, "one link");
        NS_TEST_EXPECT_MSG_EQ(found[0].sizeBytes, 700, "what was brought since flow 0 is there");
    }

    /// A initial queue is there before the foreground, which waits until all of it has left.
    void CheckInitialQueuesInPackets()
    {
        const std::vector<DcnFlow> flows{{0, 0, 2, 1000, 0}};
        const DcnPathIndex pathIndex(DcnMakeDumbbellScenario(flows));
        const DcnPathScenarioBuilder builder(pathIndex, DcnPathHosts::CONTENDED);
        auto run = [&](const std::vector<DcnPathInitialQueue>& initialQueues) {
            const uint32_t path = pathIndex.GetPathOf(0);
            DcnPathTraffic traffic = DcnFindPathTraffic(pathIndex, path, true);
            traffic.initialQueues = initialQueues;
            const DcnPathScenario made = builder.Build(path, traffic);
            const auto fctNs = DcnEstimator::CreateByName("packet")->Estimate(made.scenario).fctNs;
            Simulator::Destroy();
            NS_TEST_EXPECT_MSG_EQ(fctNs.size(), 1 + initialQueues.size(), "flows");
            for (std::size_t i = 0; i < fctNs.size(); ++i)
            {
                if (made.origins[i].flow != DcnPathScenario::INITIAL_QUEUE)
                {
                    return fctNs[i];
                }
            }
            return int64_t{-1};
        };
        // 15 packets come at 100 Gb/s and leave at 10 Gb/s; the foreground's packet comes after one
        // or two links of 1 us
        const int64_t packetNs = DcnSerializationNs(1048, 10'000'000'000);
        const int64_t fastNs = DcnSerializationNs(1048, 100'000'000'000);
        const int64_t alone = run({});
        for (const uint16_t place : {1, 2})
        {
            const int64_t waitsNs = fastNs + 15 * packetNs - place * (packetNs + 1000);
            NS_TEST_EXPECT_MSG_EQ_TOL(run({{place, 15'000, 0}}) - alone,
                                      waitsNs,
                                      20,
                                      "initial queue at link " << place);
        }
    }

    void CheckCrossTraffic()
    {
        // One rack of 5 hosts, 10 Gb/s. By id: the foreground is 0, 0 -> 1. Flow 1, 2 -> 1, shares
        // its last link, and its own first one with 2, 2 -> 3, whose last one is shared with 3,
        // 4 -> 3: 2 slows 1 down, 3 slows 2 down. 4, 2 -> 4, starts when all is over.
        Ptr<const DcnTopology> topology = DcnMakeStar(5);
        for (const std::string given : {"both", "alone", "small"})
        {
            // alone: flow 2 is over when flow 1 starts; small: flow 1 leaves its host in one go,
            // as its window of 18000 bytes holds all of it
            const bool slowed = given == "both";
            const int64_t late = given == "alone" ? 5'000'000 : 0;
            const uint64_t size = given == "small" ? 18'000 : 1'000'000;
            Ptr<const DcnScenario> scenario = DcnScenario::Create(topology,
                                                                  DcnNetworkConfig::Preset("dctcp"),
                                                                  {{2, 2, 3, 1'000'000, 0},
                                                                   {3, 4, 3, 1'000'000, 0},
                                                                   {1, 2, 1, size, 10'000 + late},
                                                                   {0, 0, 1, 1000, 60'000 + late},
                                                                   {4, 2, 4, 1000, 90'000'000}});
            const DcnPathIndex pathIndex(scenario);
            const DcnPathPreEstimate preEstimate(scenario, "flowsim");
            const DcnPathWindow window(*scenario, preEstimate, 3, 10'000'000);
            const uint32_t path = pathIndex.GetPathOf(3);
            DcnPathTraffic traffic = DcnFindPathTraffic(pathIndex, path, true);
            window.Prune(pathIndex.GetLinks(path), traffic);
            NS_TEST_ASSERT_MSG_EQ(traffic.background.size(), 1, "flow 1 only");
            window.AddCrossTraffic(pathIndex, pathIndex.GetLinks(path), traffic);
            NS_TEST_ASSERT_MSG_EQ(traffic.background.size(), (slowed ? 2U : 1U), given);
            NS_TEST_EXPECT_MSG_EQ(traffic.background.back().flow, 2, "flow 1 is last");
            // the foreground and flow 1 meet before host 1, flow 2 and flow 1 behind host 2;
            // nothing else here waits: not on the way to host 3, as flow 3 is not there
            const uint32_t last = pathIndex.GetLinks(path)[1];
            std::set<uint32_t> contended{last, DcnTopology::Reverse(last)};
            if (slowed)
            {
                contended.insert(scenario->GetPath(2)[0]);
            }
            NS_TEST_EXPECT_MSG_EQ((std::set<uint32_t>(traffic.contended.begin(),
                                                      traffic.contended.end()) == contended),
                                  true,
                                  "contended links, " << given);
            if (slowed)
            {
                NS_TEST_EXPECT_MSG_EQ(traffic.background[0].flow, 0, "flow 2 is first");
                NS_TEST_EXPECT_MSG_EQ(traffic.background[0].enter,
                                      traffic.background[0].leave,
                                      "it uses no link of the path");
            }
        }
    }
};

/// Every flow counts 1 in expectation; those of high scores are drawn more often.
DCN_TEST_CASE(DrawFlowsTestCase, "draws of flows: number, weights, no bias")
{
    Ptr<const DcnScenario> scenario = DcnMakeTestScenario(DcnTestWorkload(2000));
    const DcnPathPreEstimate preEstimate(scenario, "flowsim");
    const uint32_t nSeeds = 400;
    std::vector<double> ratio(2000, 0); // mean over seeds of weight if drawn
    std::vector<double> weight(2000, 0);
    for (uint32_t seed = 1; seed <= nSeeds; ++seed)
    {
        const auto drawn = DcnDrawFlows(*scenario, preEstimate, 200, seed);
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
    const auto all = DcnDrawFlows(*scenario, preEstimate, 2000, 1);
    NS_TEST_EXPECT_MSG_EQ(all.size(), 2000, "all flows");
    // in a class, a higher score means a smaller weight, costs apart: w is in proportion to
    // (u + 0.01)^1.5 (1 + C / 1 ms)^(1/2), but for flows that are drawn for certain
    const auto& flows = scenario->GetFlows();
    auto part = [&](std::size_t i) {
        const auto lastsNs = static_cast<double>(preEstimate.GetEndNs(i) - flows[i].startNs);
        return weight[i] / std::sqrt(1 + lastsNs / 1e6);
    };
    uint32_t nCompared = 0;
    for (std::size_t i = 1; i < 2000; ++i)
    {
        const bool comparable = weight[i] > 1 && weight[i - 1] > 1 && flows[i].sizeBytes < 1000 &&
                                flows[i - 1].sizeBytes < 1000;
        if (comparable && preEstimate.GetScore(i) > preEstimate.GetScore(i - 1))
        {
            NS_TEST_EXPECT_MSG_LT_OR_EQ(part(i), part(i - 1) * (1 + 1e-9), "order of " << i);
            ++nCompared;
        }
    }
    NS_TEST_EXPECT_MSG_GT(nCompared, 20, "pairs");
    // that factor is the same for all classes, of which 1 MB and more is one
    std::vector<double> factors;
    for (const auto& [from, to] :
         {std::pair<uint64_t, uint64_t>{0, 1000}, {50'000, 1'000'000}, {1'000'000, UINT64_MAX}})
    {
        std::vector<std::pair<double, std::size_t>> row; // by score, the highest first
        for (std::size_t i = 0; i < 2000; ++i)
        {
            if (flows[i].sizeBytes >= from && flows[i].sizeBytes < to)
            {
                row.emplace_back(-preEstimate.GetScore(i), i);
            }
        }
        std::sort(row.begin(), row.end());
        const std::size_t before = factors.size();
        for (std::size_t k = 0; k < row.size(); ++k)
        {
            const double u = static_cast<double>(k) / static_cast<double>(row.size());
            if (weight[row[k].second] > 1)
            {
                factors.push_back(part(row[k].second) / std::pow(u + 0.01, 1.5));
            }
        }
        NS_TEST_EXPECT_MSG_GT(factors.size(), before + 3, "flows from " << from << " bytes");
    }
    for (double factor : factors)
    {
        NS_TEST_EXPECT_MSG_EQ_TOL(factor / factors[0], 1, 1e-9, "1 / c");
    }
}

/// The suite of windows and scores.
DcnTestSuite<PreEstimateTestCase,
             WindowTestCase,
             PruneTestCase,
             CrossTrafficTestCase,
             DrawFlowsTestCase>
    g_dcnPathWindowTestSuite("dcn-path-window");

} // namespace

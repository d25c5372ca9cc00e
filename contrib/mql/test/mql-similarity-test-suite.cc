/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "../model/queue/mql-similarity.h"
#include "dcn-test-case.h"
#include "dcn-test-error.h"
#include "mql-network-test.h"

#include <cmath>
#include <vector>

using namespace ns3;
using namespace mqltest;

namespace
{

/// Mean latencies of all flows [s].
std::vector<double>
Latencies(const MqlNetwork& network, const MqlSolution& solution)
{
    std::vector<double> latencies;
    for (std::size_t i = 0; i < network.GetFlows().size(); i++)
    {
        latencies.push_back(solution.GetLatency(i).GetMean());
    }
    return latencies;
}

MqlOptions
Grid(double threshold)
{
    MqlOptions options;
    options.similarity = threshold;
    return options;
}

/// Places on the grid: |v / v' - 1| <= S_T for equal keys; signs and 0 are apart.
DCN_TEST_CASE(GridTestCase, "Logarithmic grid")
{
    const MqlSimilarityGrid grid(0.05);
    const MqlSimilarityGrid exact(0);
    for (double value = 1e-6; value < 1e6; value *= 1.013)
    {
        for (double factor : {1.0001, 1.02, 1.049})
        {
            if (grid.Bin(value) != grid.Bin(value * factor))
            {
                NS_TEST_EXPECT_MSG_EQ(grid.Bin(value * factor) - grid.Bin(value), 2, "next");
            }
        }
        NS_TEST_EXPECT_MSG_NE(grid.Bin(value), grid.Bin(value * 1.0501), "too different");
        NS_TEST_EXPECT_MSG_NE(grid.Bin(value), grid.Bin(-value), "sign");
        NS_TEST_EXPECT_MSG_NE(exact.Bin(value), exact.Bin(value * (1 + 1e-11)), "exact");
        NS_TEST_EXPECT_MSG_LT(std::abs(exact.Bin(value) - exact.Bin(value * (1 + 1e-15))),
                              2,
                              "rounding");
    }
    NS_TEST_EXPECT_MSG_EQ(grid.Bin(0), grid.Bin(1e-12), "nothing");
    NS_TEST_EXPECT_MSG_NE(grid.Bin(0), grid.Bin(1e-6), "something");
    DCN_TEST_EXPECT_ERROR(MqlSimilarityGrid(-0.1),
                          "the similarity threshold must be at least 0, not -0.1");
}

/// All-to-all with even splitting is the same for all queues of a tier: six queues; pairs from the
/// host, edge, aggregation (to core and down), core and aggregation again (to a rack), of which
/// those within and between pods differ in rate.
DCN_TEST_CASE(CallsTestCase, "Model calls and added error")
{
    const Ptr<DcnTopology> topology = MakeFatTree(8);
    MqlTrafficOptions spec;
    {
        const MqlNetwork network(MqlMakeTraffic(*topology, spec), DcnRouting(topology));
        const MqlSolution without = MqlSolve(network);
        const MqlSolution with = MqlSolve(network, Grid(0));
        NS_TEST_EXPECT_MSG_EQ(without.GetNModelCalls(),
                              network.GetOrder().size() + network.GetPairs().size() - 128,
                              "queues, and pairs but for hosts' own");
        NS_TEST_EXPECT_MSG_EQ(with.GetNEvaluations(), without.GetNModelCalls(), "same work");
        NS_TEST_EXPECT_MSG_LT(with.GetNModelCalls(), 16, "a handful");
        NS_TEST_EXPECT_MSG_GT(with.GetNModelCalls(), 9, "all tiers");
        // Between pods 1 + 4 + 16 + 16 + 4 * 4 + 16 prefixes, within 1 + 4 + 4 + 4, rack 1 + 1.
        NS_TEST_EXPECT_MSG_EQ(network.GetNSplitVisits(),
                              128ULL * (112 * 69 + 12 * 13 + 3 * 2),
                              "visits of flow splits");
        const auto exact = Latencies(network, without);
        const auto clustered = Latencies(network, with);
        for (std::size_t i = 0; i < exact.size(); i++)
        {
            NS_TEST_ASSERT_MSG_EQ_TOL(clustered[i], exact[i], 1e-9 * exact[i], "S_T = 0");
        }
    }
    spec.unequalRates = true;
    spec.density = 0.5;
    const MqlNetwork network(MqlMakeTraffic(*topology, spec), DcnRouting(topology));
    const auto exact = Latencies(network, MqlSolve(network));
    uint64_t calls = MqlSolve(network).GetNModelCalls();
    for (double threshold : {0.0, 0.05, 0.15})
    {
        const MqlSolution solution = MqlSolve(network, Grid(threshold));
        NS_TEST_EXPECT_MSG_LT(solution.GetNModelCalls(), calls + 1, "never more calls");
        calls = solution.GetNModelCalls();
        const auto clustered = Latencies(network, solution);
        double sum = 0;
        for (std::size_t i = 0; i < exact.size(); i++)
        {
            sum += std::abs(clustered[i] / exact[i] - 1);
        }
        NS_TEST_EXPECT_MSG_LT(sum / static_cast<double>(exact.size()),
                              (threshold > 0 ? 0.05 * threshold + 0.0025 : 1e-9),
                              "added error at " << threshold);
        // Rates are never copied.
        const auto& queues = solution.GetQueues();
        const MqlSolution plain = MqlSolve(network);
        for (uint32_t link : network.GetOrder())
        {
            NS_TEST_ASSERT_MSG_EQ(queues[link].rho, plain.GetQueues()[link].rho, "flow");
        }
    }
    NS_TEST_EXPECT_MSG_LT(calls, MqlSolve(network).GetNModelCalls() / 5, "15 % merges a lot");

    // Overload: queues that lose packets are clusters, too.
    std::vector<MqlFlow> heavy = network.GetFlows();
    for (MqlFlow& flow : heavy)
    {
        flow.rate *= 2;
    }
    const MqlNetwork overloaded(heavy, DcnRouting(topology));
    const auto lossy = Latencies(overloaded, MqlSolve(overloaded));
    const auto same = Latencies(overloaded, MqlSolve(overloaded, Grid(0)));
    for (std::size_t i = 0; i < lossy.size(); i++)
    {
        NS_TEST_ASSERT_MSG_EQ_TOL(same[i], lossy[i], 1e-9 * lossy[i], "overload, S_T = 0");
    }

    // The published search: at S_T = 0 it is exact, and it costs comparisons.
    const MqlSolution solution = MqlSolve(network);
    const MqlGreedyReport strict = MqlGreedySimilarity(solution, 0);
    NS_TEST_EXPECT_MSG_EQ_TOL(strict.meanError, 0, 1e-12, "exact");
    const MqlGreedyReport greedy = MqlGreedySimilarity(solution, 0.05);
    NS_TEST_EXPECT_MSG_LT(greedy.nModelCalls, strict.nModelCalls, "fewer calls");
    NS_TEST_EXPECT_MSG_GT(greedy.nComparisons, greedy.nVisits, "more comparisons than visits");
    NS_TEST_EXPECT_MSG_LT(greedy.latencyError, 0.005, "error");
    NS_TEST_EXPECT_MSG_EQ(greedy.nVisits, strict.nVisits, "visits");
}

DcnTestSuite<GridTestCase, CallsTestCase> g_mqlSimilarityTestSuite("mql-similarity"); //!< the suite

} // namespace

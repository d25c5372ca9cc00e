/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "dcn-test-case.h"
#include "mql-network-test.h"

#include <cmath>
#include <string>
#include <vector>

using namespace ns3;
using namespace mqltest;

namespace
{

/**
 * One stream over a row of equal links waits at the first queue alone.
 *
 * M/D/1 at the first link, W = rho S / (2 (1 - rho)); later links are never asked to serve two
 * packets at once, W = 0. Another host that joins: its packets meet those of the row, and all
 * waiting adds up to that of one queue, V(rho_1 + rho_2).
 */
DCN_TEST_CASE(TandemTestCase, "Tandem and merging: exact in trees")
{
    Ptr<DcnTopology> topology = MakeRow(4);
    const auto& hosts = topology->GetHosts();
    const DcnRouting routing(topology);
    const uint32_t first = hosts.front();
    const uint32_t last = hosts.back();
    {
        const std::vector<MqlFlow> flows{MakeFlow(first, last, 0.5)};
        const DcnPathTable paths = MqlHashPaths(flows, routing);
        const MqlNetwork network(topology, flows, paths);
        MqlOptions options;
        options.formula = MqlFormula::SUBTRACTIVE;
        const MqlSolution solution = MqlSolve(network, options);
        std::vector<MqlHop> hops;
        solution.GetHops(0, hops);
        NS_TEST_EXPECT_MSG_EQ(hops.size(), 5, "queues on the way");
        NS_TEST_EXPECT_MSG_EQ_TOL(hops[0].wait, 0.5 * SERVICE, 1e-12, "M/D/1");
        for (std::size_t i = 1; i < hops.size(); i++)
        {
            NS_TEST_EXPECT_MSG_EQ_TOL(hops[i].wait, 0, 1e-15, "serialised");
        }
        NS_TEST_EXPECT_MSG_GT(hops[1].waitGeFlow, 0.1 * SERVICE, "maximum entropy waits");
        NS_TEST_EXPECT_MSG_EQ_TOL(solution.GetLatency(0).GetMean(),
                                  5.5 * SERVICE,
                                  1e-12,
                                  "waits and services");
        const MqlFifoSimulator truth(network, &paths, nullptr, 20, 1);
        NS_TEST_EXPECT_MSG_EQ_TOL(truth.flows[0].wait, 0.5 * SERVICE, 0.01 * SERVICE, "truth");
        NS_TEST_EXPECT_MSG_EQ_TOL(truth.queues[hops[2].visit.link].wait, 0, 1e-12, "truth");
    }
    {
        // In a tree with sources of the same kind, per link and in total.
        std::vector<MqlFlow> flows;
        for (std::size_t i = 0; i + 1 < hosts.size(); i++)
        {
            flows.push_back(MakeFlow(hosts[i], last, 0.75 / (hosts.size() - 1.0), 4));
        }
        const DcnPathTable paths = MqlHashPaths(flows, routing);
        const MqlNetwork network(topology, flows, paths);
        MqlOptions options;
        options.formula = MqlFormula::SUBTRACTIVE;
        const MqlSolution solution = MqlSolve(network, options);
        const MqlFifoSimulator truth(network, &paths, nullptr, 60, 1);
        double model = 0;
        double simulated = 0;
        for (std::size_t i = 0; i < flows.size(); i++)
        {
            model += solution.GetLatency(i).wait;
            simulated += truth.flows[i].wait;
        }
        NS_TEST_EXPECT_MSG_EQ_TOL(model / simulated, 1, 0.02, "all waiting");
        // V of one queue fed by all, less the last link's own wait, is the total wait of
        // packets from the far end: here the rate-weighted sum over flows that share it.
        const MqlFlow& flow = flows[0];
        const double one = flow.rate * SERVICE;
        NS_TEST_EXPECT_MSG_EQ_TOL(solution.GetLatency(0).wait,
                                  1.5 * SERVICE + 4 * SERVICE * 0.75 / (2 * 0.25),
                                  1e-9,
                                  "telescopes from the first queue, load " << one);
    }
}

/// Largest error of a formula, and the least that it must have (0: none).
struct Bound
{
    MqlFormula formula; //!< the formula
    double least;       //!< of the error [%]
    double most;        //!< of the error [%]
};

/// Errors of the formulas, as found with another simulator when the model was designed, within the
/// spread over ECMP seeds and the noise of short runs.
DCN_TEST_CASE(AccuracyTestCase, "Latency of flows against exact simulation of FIFO networks")
{
    const auto check = [&](const std::string& name,
                           const MqlTrafficOptions& spec,
                           double load,
                           double seconds,
                           const std::vector<Bound>& bounds) {
        const Case one(MakeFatTree(4), spec, load);
        const MqlNetwork network(one.topology, one.flows, one.paths);
        const MqlFifoSimulator truth(network, &one.paths, nullptr, seconds, 1);
        for (const Bound& bound : bounds)
        {
            const double mape = GetMape(network, truth, bound.formula);
            NS_TEST_EXPECT_MSG_LT(mape, bound.most, name);
            NS_TEST_EXPECT_MSG_GT(mape, bound.least, name);
        }
        // A queue's mean wait and utilisation: first queues are exact.
        const MqlSolution solution = MqlSolve(network);
        for (uint32_t host : one.topology->GetHosts())
        {
            const uint32_t link = one.topology->GetOutLinks(host)[0];
            const MqlQueue& queue = solution.GetQueues()[link];
            if (queue.rate > 0)
            {
                NS_TEST_EXPECT_MSG_EQ_TOL(queue.wait / truth.queues[link].wait,
                                          1,
                                          (spec.c2a > 1 ? 0.1 : 0.03),
                                          "first queue of " << host);
            }
        }
    };
    MqlTrafficOptions spec;
    // Found then: GE_FLOW 6.4, GE_LINK 3.2, SUBTRACTIVE 0.56, damped 0.45.
    check("all-to-all, Poisson, 50 %",
          spec,
          0.5,
          6,
          {{MqlFormula::GE_FLOW, 5, 8.5},
           {MqlFormula::GE_LINK, 2, 5},
           {MqlFormula::SUBTRACTIVE, 0, 1.3},
           {MqlFormula::AUTOMATIC, 0, 1.3}});
    // 10.0-11.5, 1.6-2.2, 2.1-3.3, 1.7-1.9.
    check("all-to-all, Poisson, 75 %",
          spec,
          0.75,
          6,
          {{MqlFormula::GE_FLOW, 8, 13},
           {MqlFormula::GE_LINK, 0, 3},
           {MqlFormula::SUBTRACTIVE, 1, 4},
           {MqlFormula::SUBTRACTIVE_DAMPED, 0, 2.5}});
    spec.pattern = MqlPattern::BROADCAST;
    // 5.2, -, 1.4, 0.15: later queues stay empty.
    check("broadcast, 75 %",
          spec,
          0.75,
          30,
          {{MqlFormula::GE_FLOW, 3, 8}, {MqlFormula::AUTOMATIC, 0, 1.2}});
    spec.pattern = MqlPattern::INCAST;
    spec.c2a = 4;
    // 10.3, -, 31.9, 1.78.
    check("incast, GE4, 75 %",
          spec,
          0.75,
          60,
          {{MqlFormula::GE_LINK, 15, 40}, {MqlFormula::AUTOMATIC, 0, 6}});
}

/// Round trips with acknowledgements: small packets wait behind large ones at every hop.
DCN_TEST_CASE(AckTestCase, "Round trips with ACKs, and 99th percentiles")
{
    MqlTrafficOptions spec;
    spec.ackBytes = 50;
    const Case one(MakeFatTree(4), spec, 0.5);
    const MqlNetwork network(one.topology, one.flows, one.paths);
    const MqlFifoSimulator truth(network, &one.paths, nullptr, 10, 1);
    const MqlSolution solution = MqlSolve(network);
    const std::size_t n = one.flows.size() / 2;
    double error = 0;
    double ackError = 0;
    double tailError = 0;
    for (std::size_t i = 0; i < n; i++)
    {
        const double simulated = truth.flows[i].latency + truth.flows[n + i].latency;
        error += std::abs(solution.GetRoundTrip(i).GetMean() / simulated - 1);
        ackError += solution.GetLatency(n + i).GetMean() / truth.flows[n + i].latency - 1;
        const double tail = DcnQuantile(truth.flows[i].latencies, 0.99);
        tailError += std::abs(solution.GetLatency(i).GetQuantile(0.99) / tail - 1);
    }
    const double flows = static_cast<double>(n);
    NS_TEST_EXPECT_MSG_LT(100 * error / flows, 1.5, "round trip"); // GE_LINK: 1.4 in the brief
    NS_TEST_EXPECT_MSG_LT(std::abs(100 * ackError / flows), 4, "bias of ACKs");
    NS_TEST_EXPECT_MSG_LT(100 * tailError / flows, 5, "99th percentile");
    // Without the term for ACKs behind data, ACKs would be a fifth too fast.
    std::vector<MqlFlow> plain = one.flows;
    for (MqlFlow& flow : plain)
    {
        flow.kind = MqlFlow::Kind::DATA;
    }
    const MqlNetwork without(one.topology, plain, one.paths);
    const MqlSolution blind = MqlSolve(without);
    double blindError = 0;
    for (std::size_t i = 0; i < n; i++)
    {
        blindError += blind.GetLatency(n + i).GetMean() / truth.flows[n + i].latency - 1;
    }
    NS_TEST_EXPECT_MSG_LT(100 * blindError / flows, -10, "the test sees the term");
}

DcnTestSuite<TandemTestCase, AccuracyTestCase, AckTestCase> g_mqlNetworkTestSuite(
    "mql-network"); //!< the suite

} // namespace

/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "../model/queue/mql-queue.h"
#include "dcn-test-case.h"
#include "dcn-test-error.h"
#include "mql-network-test.h"

#include <cmath>
#include <string>
#include <vector>

using namespace ns3;
using namespace mqltest;

namespace
{

/// Even splitting: fractions, conservation, and sharing of routes change nothing.
DCN_TEST_CASE(SplitTestCase, "Even flow splitting over all shortest paths")
{
    Ptr<DcnTopology> topology = MakeFatTree(4);
    const DcnRouting routing(topology);
    MqlTrafficOptions spec;
    spec.load = 0.75;
    spec.c2a = 4;
    std::vector<MqlFlow> flows = MqlMakeTraffic(*topology, spec);
    const MqlNetwork network(flows, routing);
    MqlOptions options;
    options.bufferPackets = 0;
    const MqlSolution solution = MqlSolve(network, options);
    // Full bisection bandwidth: each inner link carries 12 of 15 or 14 of 15 parts of 0.75.
    for (uint32_t link = 0; link < topology->GetNLinks(); link++)
    {
        const std::string type = MqlQueueTypes::GetName(network.GetQueueType(link));
        const double share = type == "edgeUp" || type == "aggDown"   ? 14.0 / 15
                             : type == "aggUp" || type == "coreDown" ? 12.0 / 15
                                                                     : 1;
        NS_TEST_EXPECT_MSG_EQ_TOL(solution.GetQueues()[link].rho, 0.75 * share, 1e-9, type);
    }
    // First and last host are in different pods: 1, 2, 4, 4, 4 and 2 pairs of links.
    std::vector<MqlVisit> visits;
    const std::size_t far = 14;
    network.GetVisits(far, visits);
    std::vector<double> perHop(6, 0);
    std::vector<uint32_t> nPerHop(6, 0);
    for (const MqlVisit& visit : visits)
    {
        perHop[visit.hop] += visit.fraction;
        nPerHop[visit.hop]++;
    }
    for (double sum : perHop)
    {
        NS_TEST_EXPECT_MSG_EQ_TOL(sum, 1, 1e-12, "fractions");
    }
    NS_TEST_EXPECT_MSG_EQ((nPerHop == std::vector<uint32_t>{1, 2, 4, 4, 4, 2}), true, "pairs");
    // The host's own queue sees the flow before it is split: batches and all.
    std::vector<MqlHop> hops;
    solution.GetHops(far, hops);
    NS_TEST_EXPECT_MSG_EQ_TOL(hops[0].wait, 7.5 * SERVICE, 1e-9, "GE4/D/1");

    // Shared and single visits give the same sums.
    double wait = 0;
    for (const MqlHop& hop : hops)
    {
        wait += hop.visit.fraction * hop.wait;
    }
    NS_TEST_EXPECT_MSG_EQ_TOL(solution.GetLatency(far).wait, wait, 1e-12, "sums");
    const MqlFlowLatency same =
        solution.GetLatency(far, [](const MqlHop& hop) { return hop.wait; });
    NS_TEST_EXPECT_MSG_EQ_TOL(same.wait, wait, 1e-12, "replaced by itself");
    NS_TEST_EXPECT_MSG_EQ_TOL(same.variance, solution.GetLatency(far).variance, 1e-15, "same");

    // A host with two links, and two parallel links between switches: halves, then quarters.
    {
        DcnTopologyBuilder builder;
        const uint32_t src = builder.AddNode(DcnNodeKind::HOST);
        const uint32_t dst = builder.AddNode(DcnNodeKind::HOST);
        const uint32_t last = builder.AddNode(DcnNodeKind::SWITCH);
        std::vector<uint32_t> first;
        std::vector<uint32_t> inner;
        for (int i = 0; i < 2; i++)
        {
            const uint32_t node = builder.AddNode(DcnNodeKind::SWITCH);
            first.push_back(builder.AddLink(src, node, 100000000, 0));
            inner.push_back(builder.AddLink(node, last, 100000000, 0));
            inner.push_back(builder.AddLink(node, last, 100000000, 0));
        }
        const uint32_t end = builder.AddLink(last, dst, 100000000, 1000);
        const Ptr<DcnTopology> topology = builder.Build();
        const MqlNetwork network({MakeFlow(src, dst, 0.8, 3)}, DcnRouting(topology));
        const MqlSolution solution = MqlSolve(network);
        for (uint32_t link : first)
        {
            NS_TEST_EXPECT_MSG_EQ_TOL(solution.GetQueues()[link].rho, 0.4, 1e-12, "half");
            NS_TEST_EXPECT_MSG_EQ_TOL(solution.GetQueues()[link].c2a, 2, 1e-12, "split");
        }
        for (uint32_t link : inner)
        {
            NS_TEST_EXPECT_MSG_EQ_TOL(solution.GetQueues()[link].rho, 0.2, 1e-12, "quarter");
        }
        NS_TEST_EXPECT_MSG_EQ_TOL(solution.GetQueues()[end].rho, 0.8, 1e-12, "together");
        NS_TEST_EXPECT_MSG_EQ(network.GetNSplitVisits(), 2 + 4 + 4, "visits");
        const MqlFlowLatency latency = solution.GetLatency(0);
        NS_TEST_EXPECT_MSG_EQ_TOL(latency.service, 3 * SERVICE, 1e-12, "three hops");
        NS_TEST_EXPECT_MSG_EQ_TOL(latency.propagation, 1e-6, 1e-15, "propagation");
    }

    // Poisson sources, packet by packet, against simulation: 1.2 % when this was designed.
    for (MqlFlow& flow : flows)
    {
        flow.c2a = 1;
    }
    const MqlNetwork poisson(flows, routing);
    const MqlFifoSimulator truth(poisson, nullptr, &routing, 6, 1);
    NS_TEST_EXPECT_MSG_LT(GetMape(poisson, truth, MqlFormula::AUTOMATIC), 2, "GE_LINK");
}

DCN_TEST_CASE(LimitsTestCase, "Overload, finite buffers, cyclic routes, bad input")
{
    Ptr<DcnTopology> topology = MakeRow(3);
    const auto& hosts = topology->GetHosts();
    const DcnRouting routing(topology);
    std::vector<MqlFlow> flows{MakeFlow(hosts[0], hosts[4], 0.7),
                               MakeFlow(hosts[1], hosts[4], 0.7)};
    DcnPathTable paths = MqlHashPaths(flows, routing);
    const MqlNetwork network(topology, flows, paths);
    MqlOptions infinite;
    infinite.bufferPackets = 0;
    DCN_TEST_EXPECT_ERROR(MqlSolve(network, infinite),
                          "queue " + topology->DescribeLink(paths.Get(0)[1]) +
                              " (edgePeer) has utilisation 1.4: with an infinite buffer it "
                              "needs less than 1");
    // 1.4 into a server of 1: 2/7 are lost there, and the next link has a utilisation of 1.
    const MqlSolution solution = MqlSolve(network);
    const MqlQueue& bottleneck = solution.GetQueues()[paths.Get(0)[1]];
    NS_TEST_EXPECT_MSG_EQ_TOL(bottleneck.loss, 0.4 / 1.4, 0.002, "loss");
    NS_TEST_EXPECT_MSG_EQ_TOL(solution.GetQueues()[paths.Get(0)[2]].rho, 1, 0.002, "carried");
    NS_TEST_EXPECT_MSG_LT(solution.GetLatency(0).delivered, 0.72, "delivered");
    NS_TEST_EXPECT_MSG_GT(bottleneck.wait, 100 * SERVICE, "the buffer is full");
    NS_TEST_EXPECT_MSG_LT(bottleneck.wait, 129 * SERVICE, "the buffer is full");
    // Far from it, the buffer does not matter.
    flows[0].rate = flows[1].rate = 0.35 / SERVICE;
    const MqlNetwork light(topology, flows, paths);
    NS_TEST_EXPECT_MSG_EQ_TOL(MqlSolve(light).GetLatency(0).GetMean(),
                              MqlSolve(light, infinite).GetLatency(0).GetMean(),
                              1e-15,
                              "finite and infinite");

    // A ring of four switches where each flow takes two hops: every link feeds the next one.
    DcnTopologyBuilder builder;
    for (int i = 0; i < 4; i++)
    {
        builder.AddNode(DcnNodeKind::HOST);
    }
    std::vector<uint32_t> ring;
    for (uint32_t i = 0; i < 4; i++)
    {
        builder.AddNode(DcnNodeKind::SWITCH);
    }
    std::vector<uint32_t> up;
    for (uint32_t i = 0; i < 4; i++)
    {
        up.push_back(builder.AddLink(i, 4 + i, 100000000, 0));
        ring.push_back(builder.AddLink(4 + i, 4 + (i + 1) % 4, 100000000, 0));
    }
    Ptr<DcnTopology> circle = builder.Build();
    std::vector<MqlFlow> around;
    DcnPathTable walks;
    for (uint32_t i = 0; i < 4; i++)
    {
        around.push_back(MakeFlow(i, (i + 2) % 4, 0.3, 4));
        walks.Append({up[i], ring[i], ring[(i + 1) % 4], DcnTopology::Reverse(up[(i + 2) % 4])});
    }
    const MqlNetwork cyclic(circle, around, walks);
    NS_TEST_EXPECT_MSG_EQ(cyclic.IsFeedForward(), false, "a ring");
    MqlOptions sweeps;
    sweeps.formula = MqlFormula::GE_LINK;
    const MqlSolution fixed = MqlSolve(cyclic, sweeps);
    NS_TEST_EXPECT_MSG_GT(fixed.GetNSweeps(), 2, "needs sweeps");
    // The fixed point by symmetry: a ring link has C2A = (C2n + C2r) / 2, half from the host's
    // link, half from the ring link before, split in half.
    const double c2n = MqlDepartureC2(0.3, 4, 0);
    double c2d = 1;
    for (int i = 0; i < 200; i++)
    {
        c2d = MqlDepartureC2(0.6, (c2n + (1 + 0.5 * (c2d - 1))) / 2, 0);
    }
    for (uint32_t link : ring)
    {
        NS_TEST_EXPECT_MSG_EQ_TOL(fixed.GetQueues()[link].c2d, c2d, 1e-8, "fixed point");
    }
    // Overloaded and without a change of any SCV: for C2a = C2s = 1 departures have 1, whatever
    // is lost. By symmetry all ring links carry the same: 0.8 from the host, and half of the
    // 1.6 that the link before is meant to carry, less what is lost there.
    for (MqlFlow& flow : around)
    {
        flow.rate = 0.8 / SERVICE;
        flow.c2a = flow.c2s = 1;
    }
    const MqlNetwork overloaded(circle, around, walks);
    const MqlSolution lossy = MqlSolve(overloaded);
    for (uint32_t link : ring)
    {
        const MqlQueue& queue = lossy.GetQueues()[link];
        NS_TEST_EXPECT_MSG_GT(queue.loss, 0.1, "overload");
        NS_TEST_EXPECT_MSG_EQ_TOL(queue.rho,
                                  0.8 + 0.8 * queue.rho / 1.6 * (1 - queue.loss),
                                  1e-6,
                                  "losses have converged");
    }
    sweeps.maxSweeps = 2;
    const std::string sentence = DcnSentenceOf([&]() { MqlSolve(cyclic, sweeps); });
    NS_TEST_EXPECT_MSG_EQ(sentence.substr(0, 85),
                          "the queueing network has cyclic routes and did not converge: "
                          "after 2 sweeps a squared",
                          "gives up: " << sentence);

    const auto refuse = [&](const char* what, const std::function<void(MqlFlow&)>& spoil) {
        std::vector<MqlFlow> bad = flows;
        spoil(bad[1]);
        DCN_TEST_EXPECT_ERROR(MqlNetwork(topology, bad, paths),
                              std::string("flow 1 of the queueing network has ") + what);
    };
    refuse("a rate that is not above 0: 0", [](MqlFlow& flow) { flow.rate = 0; });
    refuse("a packet size that is not above 0: -1", [](MqlFlow& flow) { flow.wireBytes = -1; });
    refuse("a squared coefficient of variation of gaps below 0: -0.5",
           [](MqlFlow& flow) { flow.c2a = -0.5; });
    refuse("a squared coefficient of variation of sizes below 0: -1",
           [](MqlFlow& flow) { flow.c2s = -1; });
    refuse("a partner that does not point back: flow 0", [](MqlFlow& flow) { flow.partner = 0; });
    DCN_TEST_EXPECT_ERROR(MqlSolve(light).GetRoundTrip(0),
                          "flow 0 has no flow back, so there is no round trip");
}

DcnTestSuite<SplitTestCase, LimitsTestCase> g_mqlNetworkLimitsTestSuite(
    "mql-network-limits"); //!< the suite

} // namespace

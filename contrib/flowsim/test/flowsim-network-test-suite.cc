/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "../model/simulation/flowsim-estimator.h"
#include "../model/simulation/flowsim-network.h"
#include "../model/simulation/flowsim-session.h"
#include "dcn-test-case.h"
#include "dcn-test-error.h"
#include "dcn-test-scenario.h"

#include "ns3/boolean.h"
#include "ns3/dcn-flow-network-helper.h"
#include "ns3/dcn-topology.h"
#include "ns3/node-container.h"
#include "ns3/point-to-point-helper.h"
#include "ns3/simulator.h"
#include "ns3/string.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <string>
#include <vector>

using namespace ns3;

namespace
{

/**
 * @param nFlows number of flows
 * @return web-search flows between the hosts of a 32-host fabric
 */
Ptr<const DcnScenario>
MakeFabric(uint64_t nFlows)
{
    return DcnMakeTestScenario(DcnTestWorkload(nFlows, "web-search", 0.8));
}

DCN_TEST_CASE(ClosedLoopRunTestCase, "A closed loop keeps its limit and releases at deliveries")
{
    // Four flows of two senders of one rack, all offered at 1 s.
    {
        constexpr int64_t START = 1'000'000'000;
        auto scenario = DcnMakeDumbbellScenario({{0, 0, 2, 1000000, START},
                                                 {1, 1, 3, 1000000, START},
                                                 {2, 0, 3, 500000, START},
                                                 {3, 1, 2, 1000000, START}});
        const int64_t ideal = scenario->GetIdealFct(0).GetTotalNs();
        const int64_t half = scenario->GetIdealFct(2).GetTotalNs();
        // One at a time: each flow is alone.
        const auto one = FlowsimRunClosedLoop(*scenario, 1);
        NS_TEST_EXPECT_MSG_EQ((one.fctNs == std::vector<int64_t>{ideal, ideal, half, ideal}),
                              true,
                              "one at a time: ideal completion times");
        NS_TEST_EXPECT_MSG_EQ((one.releaseNs == std::vector<int64_t>{START,
                                                                     START + ideal,
                                                                     START + 2 * ideal,
                                                                     START + 2 * ideal + half}),
                              true,
                              "one at a time: releases at deliveries");
        // Two at a time: the first two share, both take 838400 ns longer, then the last two start.
        const auto two = FlowsimRunClosedLoop(*scenario, 2);
        NS_TEST_EXPECT_MSG_EQ(two.fctNs[0], ideal + 838400, "shared");
        NS_TEST_EXPECT_MSG_EQ(two.fctNs[1], ideal + 838400, "shared");
        NS_TEST_EXPECT_MSG_EQ(two.releaseNs[2], START + two.fctNs[0], "next");
        NS_TEST_EXPECT_MSG_EQ(two.releaseNs[3], START + two.fctNs[1], "next");
        NS_TEST_EXPECT_MSG_EQ(two.fctNs[2], half + 419200, "500 kbyte of each, then done");
        NS_TEST_EXPECT_MSG_EQ(two.fctNs[3], ideal + 419200, "the rest alone");
    }

    // Limits on a fabric.
    {
        Ptr<const DcnScenario> scenario = MakeFabric(3000);
        const auto& flows = scenario->GetFlows();
        for (uint32_t limit : {1, 5})
        {
            const auto result = FlowsimRunClosedLoop(*scenario, limit);
            std::map<uint32_t, std::map<int64_t, int64_t>>
                change; // of the flows in flight, by rack
            std::map<uint32_t, int64_t> lastRelease;
            uint64_t nBad = 0;
            uint64_t nHeld = 0;
            for (std::size_t i = 0; i < flows.size(); i++)
            {
                const uint32_t rack = scenario->GetTopology().GetRack(flows[i].src);
                change[rack][result.releaseNs[i]]++;
                change[rack][result.releaseNs[i] + result.fctNs[i]]--;
                nBad += result.releaseNs[i] < flows[i].startNs ? 1 : 0;
                nBad += result.releaseNs[i] < lastRelease[rack] ? 1 : 0; // first come first served
                nBad += result.fctNs[i] < scenario->GetIdealFct(i).GetTotalNs() ? 1 : 0;
                nHeld += result.releaseNs[i] > flows[i].startNs ? 1 : 0;
                lastRelease[rack] = result.releaseNs[i];
            }
            int64_t most = 0;
            for (const auto& [rack, changes] : change)
            {
                int64_t inFlight = 0;
                for (const auto& [time, delta] : changes)
                {
                    inFlight += delta;
                    most = std::max(most, inFlight);
                }
            }
            NS_TEST_EXPECT_MSG_EQ(nBad, 0, "releases before the start, out of order or too fast");
            NS_TEST_EXPECT_MSG_EQ(most, limit, "in flight");
            NS_TEST_EXPECT_MSG_GT(nHeld, 100, "the limit has an effect");
        }
        // A limit that is never reached is no limit.
        const auto open = CreateObject<FlowsimEstimator>()->Estimate(scenario).fctNs;
        Ptr<FlowsimEstimator> estimator = CreateObject<FlowsimEstimator>();
        estimator->SetAttribute("InFlightPerRack", StringValue("1000000"));
        const DcnEstimate loop = estimator->Estimate(scenario);
        const auto& closed = loop.fctNs;
        int64_t worst = 0;
        for (std::size_t i = 0; i < flows.size(); i++)
        {
            worst = std::max(worst, std::abs(open[i] - closed[i]));
            NS_TEST_ASSERT_MSG_EQ(loop.releaseNs[i], flows[i].startNs, "release");
        }
        NS_TEST_EXPECT_MSG_LT(worst, 2, "completion times against the open loop [ns]");
    }
}

/// Fluids on point-to-point devices, inside a running simulation.
DCN_TEST_CASE(NetworkByHandTestCase, "Rates and completions in an ns-3 simulation, by hand")
{
    // Flows that are refused.
    // nodes: its nodes, the last one a switch
    const auto refusals = [&](Ptr<FlowsimNetwork> network, const NodeContainer& nodes) {
        Ptr<Node> stranger = CreateObject<Node>();
        auto sentence = [&](Ptr<Node> from, Ptr<Node> to, uint64_t bytes, double weight) {
            return DcnSentenceOf([&]() { network->AddFlow(from, to, bytes, weight); });
        };
        NS_TEST_EXPECT_MSG_EQ(sentence(nodes.Get(0), stranger, 1, 1),
                              "node " + std::to_string(stranger->GetId()) +
                                  " is not in the network",
                              "sentence");
        NS_TEST_EXPECT_MSG_EQ(sentence(nodes.Get(0), nodes.Get(0), 1, 1),
                              "flow 3 goes from host 0 to itself",
                              "sentence");
        NS_TEST_EXPECT_MSG_EQ(sentence(nodes.Get(0), nodes.Get(3), 1, 1),
                              "flow 3 ends at 3, which is a switch",
                              "sentence");
        NS_TEST_EXPECT_MSG_EQ(sentence(nodes.Get(0), nodes.Get(1), 0, 1),
                              "flow 3 has the size 0",
                              "sentence");
        NS_TEST_EXPECT_MSG_EQ(sentence(nodes.Get(0), nodes.Get(1), 1, 0),
                              "flow 3 has the weight 0, but weights are between 0.01 and 1e+06",
                              "sentence");
    };
    // Three hosts at a switch, 8 Gb/s and 10 us. A flow of n packets of 1048 bytes takes 1048 n
    // ns alone.
    NodeContainer nodes(4);
    PointToPointHelper link;
    link.SetDeviceAttribute("DataRate", StringValue("8Gbps"));
    link.SetChannelAttribute("Delay", StringValue("10us"));
    for (uint32_t host = 0; host < 3; host++)
    {
        link.Install(nodes.Get(host), nodes.Get(3));
    }
    const NodeContainer hosts(nodes.Get(0), nodes.Get(1), nodes.Get(2));
    const DcnFlowNetworkHelper helper("flowsim");
    auto network = DynamicCast<FlowsimNetwork>(helper.Install(hosts, NodeContainer(nodes.Get(3))));
    std::vector<std::pair<uint64_t, int64_t>> completed; // flow, time
    std::vector<std::pair<uint64_t, double>> rates;
    network->TraceConnectWithoutContext(
        "RateChange",
        Callback<void, uint64_t, double>(
            [&](uint64_t flow, double rate) { rates.emplace_back(flow, rate); }));
    bool isLoop = true;
    network->TraceConnectWithoutContext(
        "FlowCompleted",
        Callback<void, uint64_t, Time>([&](uint64_t flow, Time fct) {
            completed.emplace_back(flow, Simulator::Now().GetNanoSeconds());
            if (isLoop)
            {
                isLoop = false;
                NS_TEST_EXPECT_MSG_EQ(network->AddFlow(nodes.Get(2), nodes.Get(1), 1000),
                                      2,
                                      "number of the third flow");
            }
        }));
    // Flow 0 from host 0 to 1 at 0, flow 1 from host 2 to 1 at 524 us: they share from then on.
    // 1000 packets each: flow 0 is served at 524 + 2 x 524 = 1572 us, flow 1 at 2096 us and
    // 1048 ns for the one packet of flow 2.
    network->AddFlow(nodes.Get(0), nodes.Get(1), 1000000);
    Simulator::Schedule(NanoSeconds(524000),
                        [&]() { network->AddFlow(nodes.Get(2), nodes.Get(1), 1000000); });
    std::map<int64_t, std::pair<double, double>> expected{
        {1, {8e9, 0}},
        {523999, {8e9, 0}},
        {524001, {4e9, 4e9}},
        {1571999, {4e9, 4e9}},
        {1572001, {0, 8e9}},
        {2097047, {0, 8e9}},
        {2097049, {0, 0}},
    };
    for (const auto& [time, each] : expected)
    {
        Simulator::Schedule(NanoSeconds(time), [&, time = time, each = each]() {
            NS_TEST_EXPECT_MSG_EQ_TOL(network->GetRate(0), each.first, 1, "0 at " << time);
            NS_TEST_EXPECT_MSG_EQ_TOL(network->GetRate(1), each.second, 1, "1 at " << time);
        });
    }
    Simulator::Run();
    // The last byte is at the receiver two delays and the second serialisation of a packet
    // after the fluid has left: 20000 + 1048 ns. At 1593048 flow 0 completes and flow 2 starts.
    const std::vector<std::pair<uint64_t, int64_t>> times{{0, 1593048},
                                                          {2, 1593048 + 20000 + 3 * 1048},
                                                          {1, 2096000 + 21048 + 1048}};
    NS_TEST_ASSERT_MSG_EQ(completed.size(), times.size(), "completions");
    for (std::size_t i = 0; i < times.size(); i++)
    {
        NS_TEST_EXPECT_MSG_EQ(completed[i].first, times[i].first, "flow, in order");
        NS_TEST_EXPECT_MSG_EQ(completed[i].second, times[i].second, "time");
    }
    NS_TEST_EXPECT_MSG_EQ(network->GetNActive(), 0, "all done");
    const std::vector<std::pair<uint64_t, double>> changes{{0, 8e9},
                                                           {0, 4e9},
                                                           {1, 4e9},
                                                           {0, 0},
                                                           {1, 8e9},
                                                           {2, 4e9},
                                                           {1, 4e9},
                                                           {2, 0},
                                                           {1, 8e9},
                                                           {1, 0}};
    NS_TEST_ASSERT_MSG_EQ(rates.size(), changes.size(), "rate changes");
    for (std::size_t i = 0; i < changes.size(); i++)
    {
        NS_TEST_EXPECT_MSG_EQ_TOL(rates[i].second, changes[i].second, 1, "rate change " << i);
    }
    refusals(network, nodes);
    network->Dispose();
    Simulator::Destroy();
}

/// The same flows in an ns-3 simulation and by the estimator.
DCN_TEST_CASE(NetworkAgainstEstimatorTestCase,
              "Flows added while ns-3 runs complete as in the estimator")
{
    Ptr<const DcnScenario> scenario = MakeFabric(1000);
    Ptr<FlowsimEstimator> flowsim = CreateObject<FlowsimEstimator>();
    flowsim->SetAttribute("WindowCap", BooleanValue(true));
    const auto expected = flowsim->Estimate(scenario).fctNs;
    DcnFlowNetworkHelper helper("flowsim");
    helper.SetNetworkAttribute("WindowCap", BooleanValue(true));
    helper.SetConfig(scenario->GetNetworkConfig());
    Ptr<DcnFlowNetwork> network = helper.Install(scenario->GetTopologyPtr());
    const NodeContainer& nodes = scenario->GetTopology().GetNodes();
    std::size_t nDone = 0;
    int64_t worst = 0;
    network->TraceConnectWithoutContext(
        "FlowCompleted",
        Callback<void, uint64_t, Time>([&](uint64_t flow, Time fct) {
            worst = std::max(worst, std::abs(fct.GetNanoSeconds() - expected[flow]));
            // Never before; later by what the ideal completion time rounds off in headers.
            const DcnFlow& record = scenario->GetFlows()[flow];
            const Time late = Simulator::Now() - NanoSeconds(record.startNs) - fct;
            const Time rounding = NanoSeconds(record.sizeBytes / 1000 * 4 / 10);
            NS_TEST_EXPECT_MSG_EQ((late.IsPositive() && late <= rounding), true, "instant");
            nDone++;
        }));
    for (const DcnFlow& flow : scenario->GetFlows())
    {
        Simulator::Schedule(NanoSeconds(flow.startNs), [&network, &nodes, flow]() {
            network->AddFlow(nodes.Get(flow.src), nodes.Get(flow.dst), flow.sizeBytes);
        });
    }
    Simulator::Run();
    NS_TEST_EXPECT_MSG_EQ(nDone, expected.size(), "completions");
    NS_TEST_EXPECT_MSG_LT(worst, 2, "completion times [ns]");
    network->Dispose();
    Simulator::Destroy();
}

/// A weight outlasts the time in which a flow is cut off.
DCN_TEST_CASE(WeightTestCase, "A flow with a weight that was cut off")
{
    const Ptr<DcnTopology> topology = DcnMakeStar(3);
    Ptr<FlowsimNetwork> network = CreateObject<FlowsimNetwork>();
    network->Install(topology, DcnNetworkConfig::Preset("dctcp"));
    const NodeContainer& nodes = topology->GetNodes();
    network->AddFlow(nodes.Get(0), nodes.Get(2), 10'000'000, 3);
    network->AddFlow(nodes.Get(1), nodes.Get(2), 10'000'000, 1);
    const uint32_t last = topology->GetOutLinks(2)[0];
    Simulator::Schedule(MicroSeconds(1), &DcnFlowNetwork::FailLink, network, last);
    Simulator::Schedule(MicroSeconds(2), [&]() {
        NS_TEST_EXPECT_MSG_EQ(network->GetRate(0), 0, "no rate without a path");
    });
    Simulator::Schedule(MicroSeconds(3), &DcnFlowNetwork::RepairLink, network, last);
    Simulator::Schedule(MicroSeconds(4), [&]() {
        NS_TEST_EXPECT_MSG_EQ_TOL(network->GetRate(0), 7.5e9, 1, "three quarters");
        NS_TEST_EXPECT_MSG_EQ_TOL(network->GetRate(1), 2.5e9, 1, "a quarter");
    });
    Simulator::Run();
    NS_TEST_EXPECT_MSG_EQ(network->GetNActive(), 0, "both are complete");
    network->Dispose();
    Simulator::Destroy();
}

/// Tests of fluid simulations that are driven from outside.
DcnTestSuite<ClosedLoopRunTestCase,
             NetworkByHandTestCase,
             NetworkAgainstEstimatorTestCase,
             WeightTestCase>
    g_flowsimNetworkTestSuite("flowsim-network");

} // namespace

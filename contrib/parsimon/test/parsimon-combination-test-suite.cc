/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "../model/combine/parsimon-combination.h"
#include "dcn-test-case.h"
#include "dcn-test-scenario.h"
#include "parsimon-test-links.h"

#include "ns3/dcn-estimator.h"
#include "ns3/dcn-topology.h"
#include "ns3/dcn-units.h"
#include "ns3/random-variable-stream.h"
#include "ns3/simulator.h"

#include <cmath>
#include <string>
#include <vector>

using namespace ns3;

namespace
{

DCN_TEST_CASE(TwoLinksTestCase, "Delays of two links, by hand")
{
    // 3 packets, 10.5 and 20.4 ns per packet: 3 x 30.9 = 92.7, cut off
    NS_TEST_EXPECT_MSG_EQ(ParsimonCombination::Published(3, 10.5 + 20.4), 92, "published");
    NS_TEST_EXPECT_MSG_EQ(ParsimonCombination::Published(3, 0), 0, "no delay");

    NS_TEST_EXPECT_MSG_EQ_TOL(ParsimonCombination::GetNewDelay(100, 0.25), 75, 1e-9, "new");
    NS_TEST_EXPECT_MSG_EQ(ParsimonCombination::GetNewDelay(-3, 0.25), 0, "never negative");
    NS_TEST_EXPECT_MSG_EQ_TOL(ParsimonCombination::GetBurstDelay(100, 40, 10), 75, 1e-9, "burst");
    NS_TEST_EXPECT_MSG_EQ(ParsimonCombination::GetBurstDelay(-3, 40, 10), 0, "never negative");
}

/// Overlap on a dumbbell with a bottleneck of 40 Gb/s and edges of 10 Gb/s.
DCN_TEST_CASE(OverlapTestCase, "Overlap of successive links")
{
    DcnDumbbellParameters parameters;
    parameters.senders = 3;
    parameters.receivers = 3;
    parameters.bottleneckRate = DataRate("40Gbps");
    // hosts 0-2 send to 3-5; 0 -> 3 twice as much as 1 -> 3; 4 -> 3 stays behind the switch
    auto scenario = DcnScenario::Create(
        DcnBuildTopology(parameters),
        DcnNetworkConfig::Preset("dctcp"),
        {{0, 0, 3, 2000, 0}, {1, 1, 3, 1000, 0}, {2, 2, 5, 3000, 0}, {3, 4, 3, 1000, 0}});
    const ParsimonOverlap overlap(*scenario, [](uint32_t) { return 0.0; });
    const DcnPath a = scenario->GetPath(0);
    const DcnPath b = scenario->GetPath(1);
    const DcnPath c = scenario->GetPath(2);
    const DcnPath d = scenario->GetPath(3);
    // bottleneck, 6000 bytes: 2000, 1000 and 3000 from 10 Gb/s links into one of 40 Gb/s
    NS_TEST_EXPECT_MSG_EQ_TOL(overlap.Get(a[0], a[1]), 2. / 6, 1e-6, "first sender");
    NS_TEST_EXPECT_MSG_EQ_TOL(overlap.Get(b[0], b[1]), 1. / 6, 1e-6, "second sender");
    // last link of host 3, 4000 bytes, 1000 from a neighbour's link of the same rate; the
    // bottleneck, over which the others come, is 4 times faster
    NS_TEST_EXPECT_MSG_EQ_TOL(overlap.Get(d[0], d[1]), 0.25, 1e-6, "from the neighbour");
    NS_TEST_EXPECT_MSG_EQ(overlap.Get(a[1], a[2]), 0, "from the bottleneck");
    NS_TEST_EXPECT_MSG_EQ(overlap.Get(c[1], c[2]), 0, "all of a link, from a faster one");
    NS_TEST_EXPECT_MSG_EQ(overlap.Get(a[0], a[2]), 0, "not successive");

    // half of the load 0.8, M/G/1: (0.4 / 0.6) / (0.8 / 0.2) = 1 / 6
    NS_TEST_EXPECT_MSG_EQ_TOL(ParsimonOverlap::GetPart(0.5, 0.8), 1. / 6, 1e-9, "half");
    NS_TEST_EXPECT_MSG_EQ(ParsimonOverlap::GetPart(0.5, 1), 0, "an endless queue");
    NS_TEST_EXPECT_MSG_EQ(ParsimonOverlap::GetPart(1, 1), 1, "no queue at any load");
    const ParsimonOverlap loaded(*scenario, [](uint32_t) { return 0.8; });
    NS_TEST_EXPECT_MSG_EQ_TOL(loaded.Get(d[0], d[1]), 0.25 * 0.2 / 0.8, 1e-6, "at load 0.8");
}

/// Single packets wait behind acknowledgements that came before them, but not for later ones.
DCN_TEST_CASE(AcknowledgementTestCase, "Short flows in both directions of a link")
{
    // each way 0.6 of 10 Gb/s as flows of 200 bytes, 248 on the wire, so that acknowledgements of
    // 60 bytes take 0.6 x 60 / 248 = 15 % of the other way
    static constexpr uint32_t N_HOSTS = 8;
    static constexpr uint64_t N_FLOWS = 40'000;
    std::vector<DcnFlow> flows;
    Ptr<UniformRandomVariable> random = CreateObject<UniformRandomVariable>();
    random->SetStream(1);
    double timeNs = 0;
    for (uint64_t i = 0; i < N_FLOWS; ++i)
    {
        timeNs -= std::log(1 - random->GetValue()) * 248 * 0.8 / 0.6 / 2;
        const uint32_t left = random->GetInteger(0, N_HOSTS - 1);
        const uint32_t right = random->GetInteger(N_HOSTS, 2 * N_HOSTS - 1);
        const bool back = random->GetInteger(0, 1) == 1;
        flows.push_back(
            {i, back ? right : left, back ? left : right, 200, static_cast<int64_t>(timeNs)});
    }
    for (const bool priority : {false, true})
    {
        Ptr<DcnNetworkConfig> network = DcnNetworkConfig::Preset("dctcp");
        network->ackHighPriority = priority;
        auto scenario =
            DcnScenario::Create(DcnMakeDumbbell(N_HOSTS, N_HOSTS, 10 * DCN_GBPS), network, flows);
        auto getDelay = [&](const std::string& method) {
            const DcnEstimate estimate = DcnEstimator::CreateByName(method)->Estimate(scenario);
            double sum = 0;
            for (std::size_t i = 0; i < N_FLOWS; ++i)
            {
                sum +=
                    static_cast<double>(estimate.fctNs[i] - scenario->GetIdealFct(i).GetTotalNs());
            }
            return sum / N_FLOWS;
        };
        const double truthNs = getDelay("packet");
        Simulator::Destroy();
        NS_TEST_EXPECT_MSG_EQ_TOL(getDelay("parsimon"),
                                  truthNs,
                                  0.05 * truthNs,
                                  "mean delay, acknowledgements first: " << priority);
    }
}

/// Long flows that meet on two links of one rate, one after the other, wait once.
DCN_TEST_CASE(EqualRatesTestCase, "One receiver behind links of one rate")
{
    // 400 KB on 10 Gb/s in turn: 320 us of payload
    DcnDumbbellParameters parameters;
    std::vector<DcnFlow> flows;
    for (uint32_t i = 0; i < 4; ++i)
    {
        flows.push_back({i, i, 7, 100'000, 5'000 * i});
    }
    auto scenario =
        DcnScenario::Create(DcnBuildTopology(parameters), DcnNetworkConfig::Preset("dctcp"), flows);
    NS_TEST_EXPECT_MSG_LT(ParsimonGetLargestError(scenario), 0.2, "of a flow");
}

/**
 * One receiver at the end of two links of one rate: all bytes of the last one have queued at the
 * one before, so the delays are those of a network in which the link before is too fast to queue.
 */
DCN_TEST_CASE(SerialLinksTestCase, "A link whose bytes all come over one link of its rate")
{
    constexpr uint32_t N_HOSTS = 3;
    constexpr double MEAN_BYTES = 60'000;
    constexpr double LOAD = 0.7;
    Ptr<ExponentialRandomVariable> random = CreateObject<ExponentialRandomVariable>();
    random->SetStream(3);
    std::vector<DcnFlow> flows;
    double timeNs = 0;
    for (uint32_t i = 0; i < 1000; ++i)
    {
        const auto bytes = static_cast<uint64_t>(1 + random->GetValue(MEAN_BYTES, 0));
        flows.push_back({i, i % N_HOSTS, N_HOSTS, bytes, static_cast<int64_t>(timeNs)});
        timeNs += random->GetValue(MEAN_BYTES * 0.8 / LOAD, 0); // 0.8 ns a byte
    }
    auto getDelayNs = [&flows](uint64_t middleBps) {
        DcnDumbbellParameters parameters;
        parameters.senders = N_HOSTS;
        parameters.receivers = 1;
        parameters.bottleneckRate = DataRate(middleBps);
        auto scenario = DcnScenario::Create(DcnBuildTopology(parameters),
                                            DcnNetworkConfig::Preset("dctcp"),
                                            flows);
        const auto fctNs = DcnEstimator::CreateByName("parsimon")->Estimate(scenario).fctNs;
        double sum = 0;
        for (std::size_t i = 0; i < flows.size(); ++i)
        {
            sum += static_cast<double>(fctNs[i] - scenario->GetIdealFct(i).GetTotalNs());
        }
        return sum / static_cast<double>(flows.size());
    };
    const double lastNs = getDelayNs(100 * DCN_GBPS);
    NS_TEST_EXPECT_MSG_GT(lastNs, 20'000, "flows wait");
    NS_TEST_EXPECT_MSG_EQ_TOL(getDelayNs(10 * DCN_GBPS), lastNs, 0.05 * lastNs, "they wait once");
}

/**
 * A window below a round trip, alone in a fabric: the published rules count its waits at each link.
 *
 * Problem. A flow of n packets, of which K fit into its window, waits V = floor((n - 1) / K)
 * max(0, T - K t) for it, with T the round trip of the path and t the time of a packet at the
 * slowest link. The default rules count V once. By the published ones each of the h links of the
 * path adds V', of T' in place of T: the round trip of its topology, which has the propagation
 * of the path, but serialises at the NIC and the link alone.
 */
DCN_TEST_CASE(WindowTestCase, "Waiting for a window, by default and by published rules")
{
    DcnFabricParameters fabric;
    fabric.fabricsPerPod = 1; // one path: the published rules draw another one for a flow
    fabric.spinesPerPlane = 1;
    const auto topology = DcnBuildTopology(fabric);
    constexpr uint64_t BYTES = 50'000;
    const uint32_t far = topology->GetHosts().back();
    // two flows of one pair, far apart in time: a link with one flow is not simulated
    const auto getDelayNs = [&](const std::string& method, uint64_t windowBytes) {
        auto network = DcnNetworkConfig::Preset("dctcp");
        network->windowBytes = windowBytes;
        auto scenario =
            DcnScenario::Create(topology,
                                network,
                                {{0, 0, far, BYTES, 0}, {1, 0, far, BYTES, 100'000'000}});
        const auto fctNs = DcnEstimator::CreateByName(method)->Estimate(scenario).fctNs;
        Simulator::Destroy();
        return static_cast<double>(fctNs[0] - scenario->GetIdealFct(0).GetTotalNs());
    };
    // what does not depend on the window, such as headers of acknowledgements, is subtracted
    const auto getWaitNs = [&](const std::string& method) {
        return getDelayNs(method, 5'000) - getDelayNs(method, 100'000);
    };
    const double packetNs = 1048 * 0.8; // t at 10 Gb/s
    const double waits = 49 / 5;        // floor((50 - 1) / 5)
    const double wait = getWaitNs("packet");
    const double tripNs = wait / waits + 5 * packetNs; // T
    NS_TEST_EXPECT_MSG_GT(tripNs, 12'000, "more than the propagation of six links");
    NS_TEST_EXPECT_MSG_LT(tripNs, 16'000, "and some serialisation");
    NS_TEST_EXPECT_MSG_EQ_TOL(getWaitNs("parsimon"), wait, 0.02 * wait, "default rules: once");
    constexpr double HOPS = 6;
    const double linkTripNs = 12 * 1000 + packetNs + packetNs / 4; // T': propagation, NIC, link
    const double expected = HOPS * waits * (linkTripNs - 5 * packetNs);
    NS_TEST_EXPECT_MSG_EQ_TOL(getWaitNs("parsimon:Rules=published"),
                              expected,
                              0.05 * expected,
                              "published rules: at each link");
    NS_TEST_EXPECT_MSG_GT(expected, 5 * wait, "five times");
}

DcnTestSuite<TwoLinksTestCase,
             OverlapTestCase,
             AcknowledgementTestCase,
             EqualRatesTestCase,
             SerialLinksTestCase,
             WindowTestCase>
    g_parsimonCombinationTestSuite("parsimon-combination"); //!< the suite

} // namespace

/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "../model/simulate/parsimon-lean-engine.h"
#include "../model/simulate/parsimon-lean-nic.h"
#include "../model/topology/parsimon-link-scenario.h"
#include "../model/topology/parsimon-nic-delays.h"
#include "../model/topology/parsimon-window.h"
#include "dcn-test-case.h"
#include "parsimon-test-links.h"

#include "ns3/dcn-congestion-control.h"
#include "ns3/dcn-statistics.h"
#include "ns3/dcn-units.h"
#include "ns3/parsimon-link-builder.h"
#include "ns3/parsimon-link-simulator.h"
#include "ns3/random-variable-stream.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

using namespace ns3;

namespace
{

/// @return delay of each flow by its packets [ns], in ascending order
std::vector<double>
GetDelays(const ParsimonLink& link,
          const ParsimonLinkResult& result,
          const DcnNetworkParameters& network)
{
    std::vector<double> delays;
    for (std::size_t i = 0; i < link.flows.size(); ++i)
    {
        const auto packets =
            static_cast<double>(DcnPackets(link.flows[i].sizeBytes, network.payloadBytes));
        delays.push_back(static_cast<double>(result.fctNs[i] - result.idealNs[i]) / packets);
    }
    std::sort(delays.begin(), delays.end());
    return delays;
}

/**
 * The lean simulator runs the packet engine's model: nearly all flows take the same time to the
 * nanosecond, with every congestion control and at every position. With exact times, the two round
 * at other places, and HPCC and PowerTCP then take another course: the p99 of packets moves by 5 %
 * with each nanosecond of the link's delay, so its mean over nine delays is compared.
 */
DCN_TEST_CASE(LeanAgainstPacketTestCase, "The lean link simulator agrees with the packet engine")
{
    // One link in both.
    const auto compare = [&](const ParsimonLink& link,
                             const ParsimonLinkSimulator& lean,
                             const ParsimonLinkSimulator& packet,
                             const DcnNetworkParameters& network) {
        const std::string where = network.congestionControl + ", position " +
                                  std::to_string(static_cast<int>(link.position));
        double leanSum = 0;
        double packetSum = 0;
        for (int64_t longerNs = 0; longerNs < (network.timeGrainNs > 0 ? 1 : 9); ++longerNs)
        {
            ParsimonLink longer = link;
            longer.delayNs += longerNs;
            const ParsimonLinkResult leanResult = lean.Simulate(longer);
            const ParsimonLinkResult packetResult = packet.Simulate(longer);
            NS_TEST_ASSERT_MSG_EQ(leanResult.fctNs.size(), link.flows.size(), where);
            NS_TEST_EXPECT_MSG_EQ((leanResult.idealNs == packetResult.idealNs), true, where);
            leanSum += DcnQuantile(GetDelays(longer, leanResult, network), 0.99);
            packetSum += DcnQuantile(GetDelays(longer, packetResult, network), 0.99);
            std::size_t same = 0;
            for (std::size_t i = 0; i < link.flows.size(); ++i)
            {
                same += leanResult.fctNs[i] == packetResult.fctNs[i] ? 1 : 0;
            }
            if (network.timeGrainNs > 0)
            {
                // the others differ by the order of events of the same nanosecond
                NS_TEST_EXPECT_MSG_GT(static_cast<double>(same),
                                      0.9 * static_cast<double>(link.flows.size()),
                                      where);
            }
        }
        NS_TEST_EXPECT_MSG_GT(packetSum, 100, "there is queueing: " << where);
        NS_TEST_EXPECT_MSG_EQ_TOL(leanSum, packetSum, 0.03 * packetSum, where);
    };
    for (const std::string& cc : ParsimonTestControls())
    {
        for (const uint32_t grainNs : {1, 0})
        {
            auto scenario = ParsimonMakeTestFabric(cc, 0.6, 4000);
            DcnNetworkParameters network = scenario->GetNetwork();
            network.timeGrainNs = grainNs;
            const ParsimonLinkBuilder builder(scenario);
            auto lean = ParsimonLinkSimulator::Create("lean", network, 1);
            auto packet = ParsimonLinkSimulator::Create("packet", network, 1);
            for (auto position : {ParsimonPosition::FIRST_HOP,
                                  ParsimonPosition::SWITCH_TO_SWITCH,
                                  ParsimonPosition::LAST_HOP})
            {
                const uint32_t hottest = ParsimonFindHottest(builder, position);
                compare(builder.Build(hottest), *lean, *packet, network);
            }
        }
    }
}

/**
 * @param random source of random numbers
 * @param position where the target is
 * @return a link topology with up to five sources and destinations and flows of 1 byte to 60 kB
 */
ParsimonLink
RandomLink(UniformRandomVariable& random, ParsimonPosition position)
{
    const uint64_t rate = 10'000'000'000;
    const uint64_t capacity = random.GetInteger(0, 1) ? rate : 4 * rate;
    ParsimonLink link{0,
                      position,
                      capacity,
                      capacity - random.GetInteger(0, 1'000'000'000),
                      random.GetInteger(0, 3) * 500,
                      {},
                      {},
                      {}};
    const bool isFirst = position == ParsimonPosition::FIRST_HOP;
    const uint32_t nSources = isFirst ? 1 : random.GetInteger(1, 5);
    for (uint32_t i = 0; i < nSources; ++i)
    {
        const uint64_t corrected =
            rate - random.GetInteger(0, 1) * random.GetInteger(1, 500'000'000);
        link.sources.push_back({i,
                                2 * i + 2,
                                isFirst ? 0 : corrected,
                                isFirst ? 0 : 1000 + 1000 * random.GetInteger(0, 4)});
    }
    const bool isLast = position == ParsimonPosition::LAST_HOP;
    const uint32_t nDestinations = isLast ? 1 : random.GetInteger(1, 5);
    for (uint32_t i = 0; i < nDestinations; ++i)
    {
        link.destinations.push_back({100 + i,
                                     100 + 2 * i,
                                     isLast ? 0 : 10 * rate,
                                     isLast ? 0 : 1000 + 1000 * random.GetInteger(0, 4)});
    }
    int64_t startNs = 0;
    const uint32_t nFlows = random.GetInteger(1, 40);
    for (uint32_t i = 0; i < nFlows; ++i)
    {
        const uint32_t largest = random.GetInteger(0, 1) ? 300 : 60'000;
        link.flows.push_back({i,
                              random.GetInteger(0, nSources - 1),
                              random.GetInteger(0, nDestinations - 1),
                              random.GetInteger(1, largest),
                              startNs});
        startNs += random.GetInteger(0, 2) * random.GetInteger(0, 20'000);
    }
    return link;
}

/// Skipping rounds of a NIC changes nothing: completion times are those of a packet by packet
/// simulation, to the nanosecond.
DCN_TEST_CASE(RoundsTestCase, "Flows of a first-hop target, packet by packet and by rounds")
{
    constexpr std::size_t N_RUNS = 1000; // random topologies
    auto random = CreateObject<UniformRandomVariable>();
    random->SetStream(7);
    std::size_t byRounds = 0;
    for (uint32_t run = 0; run < N_RUNS; ++run)
    {
        const std::string cc = std::vector<std::string>{"dctcp", "dcqcn", "timely"}[run % 3];
        const auto network = DcnNetworkConfig::Preset(cc);
        network->windowBytes = 1000 * random->GetInteger(10, 24); // some bind
        const ParsimonLink link = RandomLink(*random, ParsimonPosition::FIRST_HOP);
        ParsimonLeanNic nic(link, *network);
        if (!nic.IsUnthrottled())
        {
            continue;
        }
        ++byRounds;
        const auto fctNs = nic.Run();
        const auto packets = ParsimonLeanEngine(link, {PeekPointer(network), 1, 1, 1}).Run();
        NS_TEST_ASSERT_MSG_EQ((fctNs == packets), true, "run " << run);
    }
    NS_TEST_EXPECT_MSG_GT(byRounds, N_RUNS / 3, "the rule applies often");
    NS_TEST_EXPECT_MSG_LT(byRounds, N_RUNS, "but not always");
}

/// Delays at NICs by processor sharing are those of a simulation in which the target is so fast
/// that packets wait in the NICs only.
DCN_TEST_CASE(NicDelaysTestCase, "Processor sharing at the NICs, against packets")
{
    auto scenario = ParsimonMakeTestFabric("dctcp", 0.6, 4000);
    const ParsimonLinkBuilder builder(scenario);
    for (uint32_t run = 0; run < 6; ++run)
    {
        const auto position =
            run % 2 == 0 ? ParsimonPosition::SWITCH_TO_SWITCH : ParsimonPosition::LAST_HOP;
        const auto network = DcnNetworkConfig::Preset("dctcp");
        network->windowBytes = 4000 * (run / 2); // none, and two that slow long flows
        ParsimonLink link = builder.Build(ParsimonFindHottest(builder, position));
        link.capacityBps *= 1000;
        link.availableBps *= 1000;
        for (auto& destination : link.destinations)
        {
            destination.rateBps *= 1000;
        }
        const auto alone = ParsimonMakeLinkScenario(link, *network, 1); // the link's round trips
        const DcnTopology& topology = alone->GetTopology();
        const auto window = ParsimonWindow::Of(*network, ParsimonRules::DEFAULT);
        link.windowBytes = DcnPackets(network->windowBytes, 1000) * (1000 + DCN_HEADER_BYTES);
        for (std::size_t i = 0; i < link.flows.size(); ++i)
        {
            ParsimonLinkFlow& flow = link.flows[i];
            const DcnPath path = alone->GetPath(i);
            const uint64_t rate = alone->GetIdealFct(i).bottleneckBps;
            flow.limitBps = window.GetRate(topology, path, flow.sizeBytes);
            flow.idleNs =
                static_cast<float>(window.GetIdleNs(topology, path, flow.sizeBytes, rate));
        }
        const auto nicNs = ParsimonNicDelays(link, network->payloadBytes, DCN_HEADER_BYTES);
        const auto packets = ParsimonLinkSimulator::Create("lean", *network, 1)->Simulate(link);
        double sum = 0;
        double packetSum = 0;
        double difference = 0;
        for (std::size_t i = 0; i < nicNs.size(); ++i)
        {
            const auto delay = static_cast<double>(packets.fctNs[i] - packets.idealNs[i]);
            sum += nicNs[i];
            packetSum += delay;
            difference += std::abs(delay - nicNs[i]);
        }
        NS_TEST_EXPECT_MSG_GT(packetSum, 0, "flows meet at their NICs");
        NS_TEST_EXPECT_MSG_EQ_TOL(sum / packetSum,
                                  1,
                                  0.03,
                                  "mean, window " << network->windowBytes);
    }
}

/**
 * A pace is the largest rate at which a NIC sends a flow. Alone and without a window, it takes the
 * time of its ideal; a pace of the NIC's rate changes nothing.
 */
DCN_TEST_CASE(PaceTestCase, "A pace is the rate at which the NIC sends a flow")
{
    auto random = CreateObject<UniformRandomVariable>();
    random->SetStream(9);
    std::size_t slower = 0;
    for (uint32_t run = 0; run < 60; ++run)
    {
        const auto controls = ParsimonTestControls();
        const auto network = DcnNetworkConfig::Preset(controls[run % controls.size()]);
        network->windowBytes = random->GetInteger(0, 4) * 6000;
        const uint64_t pace = random->GetInteger(1, 8) * 1'000'000'000ULL;
        ParsimonLink link =
            RandomLink(*random, static_cast<ParsimonPosition>(random->GetInteger(1, 2)));
        const auto simulate = [&network](const ParsimonLink& each) {
            return ParsimonLinkSimulator::Create("lean", *network, 1)->Simulate(each);
        };
        const auto plain = simulate(link);
        auto paceAt = [&link](auto getBps) {
            ParsimonLink paced = link;
            for (auto& flow : paced.flows)
            {
                flow.paceBps = getBps(paced.sources[flow.source].rateBps);
            }
            return paced;
        };
        const auto same = simulate(paceAt([](uint64_t nicBps) { return nicBps; }));
        NS_TEST_EXPECT_MSG_EQ((same.fctNs == plain.fctNs), true, "pace of the NIC, run " << run);
        const auto slow = simulate(paceAt([pace](uint64_t /* nicBps */) { return pace; }));
        slower += slow.fctNs != plain.fctNs ? 1 : 0;
        // alone
        ParsimonLink lone = paceAt([pace](uint64_t /* nicBps */) { return pace; });
        lone.flows.resize(1);
        lone.flows[0].sizeBytes = 100'000;
        network->windowBytes = 0;
        const auto alone = simulate(lone);
        // ideal times have headers of 48 bytes; the last packet passes the NIC at the NIC's rate
        const double byteNs = 8e9 / static_cast<double>(pace);
        const double headerNs =
            100 * byteNs *
            (DcnCongestionControl::GetWireFormat(*network).dataHeaderBytes - DCN_HEADER_BYTES);
        NS_TEST_EXPECT_MSG_EQ_TOL(static_cast<double>(alone.fctNs[0]),
                                  static_cast<double>(alone.idealNs[0]) + headerNs,
                                  1100 * byteNs,
                                  "alone, run " << run);
    }
    NS_TEST_EXPECT_MSG_GT(slower, 30, "it has an effect");
}

/**
 * Sixteen long flows share a target of their NICs' rate C and go at their smallest rate, C / 10. A
 * pace of C / 2 is no limit to them, so it changes neither their times nor the queue that packets
 * between find. Their windows are those of flows of rate C, W / 10 in bytes. (Were the pace their
 * largest rate, they would be W / 5, and the queue twice as long.)
 */
DCN_TEST_CASE(LoosePaceTestCase, "A pace above a flow's share of the target changes nothing")
{
    constexpr uint64_t RATE = 10'000'000'000;
    constexpr uint32_t N_LONG = 16;
    constexpr uint32_t N_SHORT = 200;
    for (const std::string& cc : ParsimonTestControls())
    {
        const auto network = DcnNetworkConfig::Preset(cc);
        ParsimonLink link{0,
                          ParsimonPosition::SWITCH_TO_SWITCH,
                          RATE,
                          RATE,
                          1000,
                          {},
                          {{100, 100, 10 * RATE, 1000}},
                          {}};
        for (uint32_t i = 0; i <= N_LONG; ++i)
        {
            link.sources.push_back({i, 2 * i + 2, RATE, 1000});
        }
        for (uint32_t i = 0; i < N_LONG; ++i)
        {
            link.flows.push_back({i, i, 0, 2'000'000, static_cast<int64_t>(1000 * i)});
        }
        for (uint32_t i = 0; i < N_SHORT; ++i) // while all are there
        {
            const auto startNs = static_cast<int64_t>(2'000'000 + 100'000 * i);
            link.flows.push_back({N_LONG + i, N_LONG, 0, 500, startNs});
        }
        auto getDelays = [&](uint64_t pace) {
            for (uint32_t i = 0; i < N_LONG; ++i)
            {
                link.flows[i].paceBps = pace;
            }
            const auto result = ParsimonLinkSimulator::Create("lean", *network, 1)->Simulate(link);
            std::pair<double, double> means{0, 0}; // long flows' times, short flows' delays
            for (std::size_t i = 0; i < link.flows.size(); ++i)
            {
                const bool isLong = i < N_LONG;
                (isLong ? means.first : means.second) +=
                    static_cast<double>(result.fctNs[i] - (isLong ? 0 : result.idealNs[i])) /
                    (isLong ? N_LONG : N_SHORT);
            }
            return means;
        };
        const auto [freeLong, freeShort] = getDelays(0);
        const auto [pacedLong, pacedShort] = getDelays(RATE / 2);
        NS_TEST_EXPECT_MSG_EQ_TOL(pacedLong, freeLong, 0.03 * freeLong, cc << ", long flows");
        NS_TEST_EXPECT_MSG_EQ_TOL(pacedShort, freeShort, 0.15 * freeShort + 300, cc << ", queue");
    }
}

/// Random link topologies, each with every congestion control, in the lean simulator and in the
/// packet engine; with windows of all flows, or of each flow (window_bdp).
DCN_TEST_CASE_OF(RandomLinksTestCase,
                 bool,
                 ofFlows,
                 std::string("Random link topologies agree with the packet engine, windows of ") +
                     (ofFlows ? "each flow" : "all flows"))
{
    auto random = CreateObject<UniformRandomVariable>();
    random->SetStream(8);
    std::size_t same = 0;
    std::size_t flows = 0;
    double sum = 0;
    double packetSum = 0;
    for (uint32_t run = 0; run < 200; ++run)
    {
        const auto controls = ParsimonTestControls();
        const auto network = DcnNetworkConfig::Preset(controls[run % controls.size()]);
        network->windowBytes = random->GetInteger(0, 4) * 6000;
        if (ofFlows)
        {
            network->windowBdp = 0.4 + static_cast<double>(network->windowBytes) / 30'000;
            network->windowBytes = 0;
        }
        const auto position = static_cast<ParsimonPosition>(random->GetInteger(0, 2));
        const ParsimonLink link = RandomLink(*random, position);
        const auto leanResult = ParsimonLinkSimulator::Create("lean", *network, 1)->Simulate(link);
        const auto packetResult =
            ParsimonLinkSimulator::Create("packet", *network, 1)->Simulate(link);
        NS_TEST_EXPECT_MSG_EQ((leanResult.idealNs == packetResult.idealNs), true, run);
        for (std::size_t i = 0; i < link.flows.size(); ++i)
        {
            ++flows;
            same += leanResult.fctNs[i] == packetResult.fctNs[i] ? 1 : 0;
            sum += static_cast<double>(leanResult.fctNs[i]) /
                   static_cast<double>(leanResult.idealNs[i]);
            packetSum += static_cast<double>(packetResult.fctNs[i]) /
                         static_cast<double>(packetResult.idealNs[i]);
            NS_TEST_EXPECT_MSG_GT(leanResult.fctNs[i], 0, run);
        }
    }
    // flows that start at the same instant are served in another order now and then
    NS_TEST_EXPECT_MSG_GT(same, flows * 8 / 10, "of " << flows);
    NS_TEST_EXPECT_MSG_EQ_TOL(sum, packetSum, 0.01 * packetSum, "mean slowdown");
}

DcnTestSuite<> g_parsimonLeanTestSuite("parsimon-lean",
                                       {new LeanAgainstPacketTestCase,
                                        new RoundsTestCase,
                                        new NicDelaysTestCase,
                                        new PaceTestCase,
                                        new LoosePaceTestCase,
                                        new RandomLinksTestCase(false),
                                        new RandomLinksTestCase(true)}); //!< the suite

} // namespace

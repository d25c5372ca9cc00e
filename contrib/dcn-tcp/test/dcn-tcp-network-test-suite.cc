/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "../model/dcn-tcp-network.h"
#include "dcn-test-case.h"
#include "dcn-test-error.h"
#include "dcn-test-scenario.h"

#include "ns3/boolean.h"
#include "ns3/data-rate.h"
#include "ns3/dcn-collector.h"
#include "ns3/dcn-units.h"
#include "ns3/fq-codel-queue-disc.h"
#include "ns3/inet-socket-address.h"
#include "ns3/red-queue-disc.h"
#include "ns3/simulator.h"
#include "ns3/tcp-dctcp.h"
#include "ns3/tcp-l4-protocol.h"
#include "ns3/test.h"

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <tuple>
#include <unordered_map>
#include <vector>

using namespace ns3;

namespace
{

constexpr uint32_t PAYLOAD = 1000; //!< of a segment, as in the presets [bytes]

/// @return DCTCP over RED with an acknowledgement for every segment
DcnTcpOptions
MakeOptions()
{
    DcnTcpOptions options;
    options.transport = TcpDctcp::GetTypeId();
    options.queueDisc = RedQueueDisc::GetTypeId();
    options.hostQueueDisc = FqCoDelQueueDisc::GetTypeId();
    options.ecn = true;
    options.minRto = MilliSeconds(10);
    options.connTimeout = MilliSeconds(20);
    options.delayedAckTimeout = MilliSeconds(1);
    options.delayedAcks = 1;
    options.initialWindow = 10;
    options.socketBuffer = 1 << 22;
    options.sack = true;
    return options;
}

/// A simulation, and its end.
class Simulation
{
  public:
    /**
     * @param scenario the flows
     * @param options transport and queue discs
     * @param seed of random draws
     * @param collector records the flows
     */
    explicit Simulation(Ptr<const DcnScenario> scenario,
                        const DcnTcpOptions& options = MakeOptions(),
                        uint64_t seed = 1,
                        Ptr<DcnCollector> collector = nullptr)
        : network(scenario, options, seed, collector)
    {
        network.Run();
    }

    ~Simulation()
    {
        Simulator::Destroy();
    }

    DcnTcpNetwork network; //!< after Run
};

/**
 * Completion time of a flow alone on a path of equal links, in slow start without losses and marks.
 *
 * The handshake takes a round trip of segments of 20 + 28 bytes (window scale and selective
 * acknowledgements are options of a SYN). The last acknowledgement of the handshake leaves before
 * the first segment. Every round begins a round-trip time after the one before it and has twice its
 * segments, which leave the sender back to back.
 *
 * @param sizeBytes payload
 * @param nLinks of the path
 * @param rateBps of each link
 * @param delayNs of each link
 * @param window first congestion window [segments]
 * @return the time [ns]
 */
int64_t
GetSlowStartNs(uint64_t sizeBytes,
               int64_t nLinks,
               uint64_t rateBps,
               int64_t delayNs,
               uint64_t window)
{
    const DataRate rate(rateBps);
    // the device sends PPP_BYTES before IP and TCP headers; then comes the gap
    auto transmission = [&rate](uint32_t ipBytes) {
        return rate.CalculateBytesTxTime(ipBytes + DcnTcpNetwork::PPP_BYTES).GetNanoSeconds();
    };
    const int64_t gap =
        rate.CalculateBytesTxTime(DcnTcpNetwork::LINK_BYTES - DcnTcpNetwork::PPP_BYTES)
            .GetNanoSeconds();
    auto oneWay = [&](uint32_t ipBytes) { return nLinks * (transmission(ipBytes) + delayNs); };
    uint64_t nBefore = (sizeBytes - 1) / PAYLOAD; // segments before the last one
    const auto last = static_cast<uint32_t>(sizeBytes - nBefore * PAYLOAD);
    int64_t rounds = 0;
    for (; nBefore >= window; window *= 2)
    {
        nBefore -= window;
        ++rounds;
    }
    return 2 * oneWay(48) + transmission(40) + gap + rounds * (oneWay(PAYLOAD + 40) + oneWay(40)) +
           static_cast<int64_t>(nBefore) * (transmission(PAYLOAD + 40) + gap) + oneWay(last + 40);
}

/// A flow alone takes the handshake, the rounds of slow start, and the time of its last round.
DCN_TEST_CASE(AloneTestCase, "a flow alone takes the time that algebra gives")
{
    DcnDumbbellParameters parameters;
    parameters.senders = parameters.receivers = 2;
    parameters.linkDelay = MicroSeconds(50);
    Ptr<DcnTopology> topology = DcnBuildTopology(parameters);
    Ptr<DcnNetworkConfig> network = DcnNetworkConfig::Preset("dctcp");
    network->SetKeys("ecn_kmin_bytes=300000,ecn_kmax_bytes=300000,buffer_bytes=400000");
    for (const uint64_t sizeBytes : {1u, 999u, 1000u, 10'000u, 10'001u, 30'500u, 95'000u})
    {
        const Simulation simulation(
            DcnScenario::Create(topology, network, {{0, 0, 2, sizeBytes, 777}}));
        const int64_t expected = GetSlowStartNs(sizeBytes, 3, 10 * DCN_GBPS, 50'000, 10);
        const int64_t fct = simulation.network.GetFctNs()[0];
        // sockets of ns-3 begin to send a nanosecond after they were told
        NS_TEST_EXPECT_MSG_LT_OR_EQ(std::abs(fct - expected), 1, sizeBytes << " bytes, " << fct);
    }
}

/// The first window is the option's, else the configuration's, else ten segments.
DCN_TEST_CASE(WindowTestCase, "the first window is that of the option or of the configuration")
{
    for (const auto& [option, key, window] :
         std::vector<std::tuple<uint32_t, std::string, uint64_t>>{{0, "0", 10},
                                                                  {0, "3500", 4},
                                                                  {0, "4000", 4},
                                                                  {3, "4000", 3}})
    {
        DcnTcpOptions options = MakeOptions();
        options.initialWindow = option;
        auto scenario =
            DcnMakeDumbbellScenario({{0, 0, 2, 20'000, 0}}, "initial_window_bytes=" + key);
        const DcnLink& link = scenario->GetTopology().GetLink(scenario->GetPath(0)[0]);
        const int64_t fct = Simulation(scenario, options).network.GetFctNs()[0];
        const int64_t expected = GetSlowStartNs(20'000, 3, link.rateBps, link.delayNs, window);
        NS_TEST_EXPECT_MSG_LT_OR_EQ(std::abs(fct - expected), 1, option << " and " << key);
    }
}

/// A port that is still in use ends the simulation with a sentence.
DCN_TEST_CASE(PortTestCase, "flows whose port is in use are refused")
{
    auto scenario = DcnMakeDumbbellScenario({{7, 1, 2, 1000, 0}});
    {
        DcnTcpNetwork network(scenario, MakeOptions(), 1);
        Ptr<Node> node = network.GetDevice(scenario->GetPath(0)[0])->GetNode();
        Ptr<Socket> other = MakeOptions().MakeSocket(node->GetObject<TcpL4Protocol>(),
                                                     scenario->GetNetwork(),
                                                     0);
        other->Bind(InetSocketAddress(DcnTcpFlowTable::GetAddress(1),
                                      DcnTcpFlowTable::FIRST_SENDER_PORT));
        DCN_TEST_EXPECT_ERROR(network.Run(),
                              "flow 7 of host 1 cannot start: its port 1024 is in use");
        Simulator::Destroy();
    }
    // the first flow is of another host
    std::vector<DcnFlow> flows{{0, 1, 2, 1, 0}};
    for (uint32_t i = 0; i <= DcnTcpFlowTable::N_SENDER_PORTS; ++i)
    {
        flows.push_back({1 + i, 0, 2, 1, 0});
    }
    const DcnTcpFlowTable table(DcnMakeDumbbellScenario(flows));
    NS_TEST_EXPECT_MSG_EQ(table.FindBefore(flows.size() - 2).has_value(), false, "its own port");
    NS_TEST_EXPECT_MSG_EQ(table.FindBefore(flows.size() - 1).value_or(0), 1, "that of the first");
}

/// The header of a frame costs as much as in the ideal completion time, and more with TCP's 20
/// bytes: no flow is faster than its ideal.
DCN_TEST_CASE(IdealTestCase, "no flow is faster than alone in the network of packets")
{
    auto scenario = DcnMakeDumbbellScenario({{0, 0, 2, 3'000'000, 0}});
    const Simulation simulation(scenario);
    const int64_t fct = simulation.network.GetFctNs()[0];
    NS_TEST_EXPECT_MSG_GT(fct, scenario->GetIdealFct(0).GetTotalNs(), "slower");
    // 54 bytes of headers in place of 48, handshake and slow start of a few round trips
    NS_TEST_EXPECT_MSG_LT(static_cast<double>(fct),
                          1.05 * static_cast<double>(scenario->GetIdealFct(0).GetTotalNs()),
                          "not much");
}

/// All bytes arrive, and every queue lets go what it has taken.
DCN_TEST_CASE(ConservationTestCase, "bytes are conserved, with losses, and sockets are released")
{
    std::vector<DcnFlow> flows;
    for (uint32_t i = 0; i < 60; ++i)
    {
        flows.push_back({i, i % 8, 8, 1 + i * i * 37ULL, 2'000 * i});
    }
    DcnDumbbellParameters parameters;
    parameters.senders = 8;
    parameters.receivers = 1;
    Ptr<DcnNetworkConfig> network = DcnNetworkConfig::Preset("dctcp");
    // thresholds that nothing reaches: loss alone holds the senders back
    network->SetKeys("buffer_bytes=20000,ecn_kmin_bytes=20000,ecn_kmax_bytes=20000");
    auto scenario = DcnScenario::Create(DcnBuildTopology(parameters), network, flows);
    Ptr<DcnCollector> collector = CreateObject<DcnCollector>();
    const Simulation simulation(scenario, MakeOptions(), 1, collector);
    uint64_t nDropped = 0;
    for (uint32_t link = 0; link < scenario->GetTopology().GetNLinks(); ++link)
    {
        Ptr<QueueDisc> disc = simulation.network.GetQueueDisc(link);
        const QueueDisc::Stats stats = disc->GetStats();
        NS_TEST_EXPECT_MSG_EQ(stats.nTotalEnqueuedBytes,
                              stats.nTotalDequeuedBytes + disc->GetNBytes(),
                              "queue of link " << link);
        nDropped += stats.nTotalDroppedPackets;
    }
    NS_TEST_EXPECT_MSG_GT(nDropped, 0, "packets are lost");
    uint64_t again = 0;
    for (std::size_t i = 0; i < flows.size(); ++i)
    {
        const DcnFlowRecord& record = collector->GetFlowRecords()[i];
        NS_TEST_EXPECT_MSG_EQ(simulation.network.GetReceivedBytes(i), flows[i].sizeBytes, "all");
        NS_TEST_EXPECT_MSG_EQ(record.receivedBytes, flows[i].sizeBytes, "recorded");
        NS_TEST_EXPECT_MSG_EQ(record.startNs, flows[i].startNs, "start");
        NS_TEST_EXPECT_MSG_EQ(record.GetFctNs(), simulation.network.GetFctNs()[i], "end");
        again += record.retransmittedBytes;
    }
    NS_TEST_EXPECT_MSG_GT(again, 0, "and sent again");
    NS_TEST_EXPECT_MSG_EQ(simulation.network.GetRetransmittedBytes(), again, "counted alike");
    NS_TEST_EXPECT_MSG_EQ(simulation.network.GetUnfinished().size(), 0, "complete");
}

/// Sockets of delivered flows do not stay.
DCN_TEST_CASE(ReleaseTestCase, "sockets of delivered flows are released")
{
    std::vector<DcnFlow> flows;
    for (uint32_t i = 0; i < 200; ++i)
    {
        flows.push_back({i, i % 2, 2 + i % 2, 2000, 50'000 * i});
    }
    const Simulation simulation(DcnMakeDumbbellScenario(flows));
    // a socket stays for 2 ms after its end: 40 flows with two sockets; two sockets listen
    NS_TEST_EXPECT_MSG_LT_OR_EQ(simulation.network.CountSockets(), 2 * 42 + 2, "sockets");
    NS_TEST_EXPECT_MSG_GT(simulation.network.CountSockets(), 2, "the last ones and the listeners");
}

/// Packets of a flow use the links of its path, its acknowledgements the other directions, and no
/// others; parallel links are different links.
DCN_TEST_CASE(PathTestCase, "flows and their acknowledgements take the scenario's paths")
{
    DcnTopologyBuilder builder;
    for (uint32_t i = 0; i < 6; ++i)
    {
        builder.AddNode(i < 4 ? DcnNodeKind::HOST : DcnNodeKind::SWITCH);
    }
    for (uint32_t host = 0; host < 4; ++host)
    {
        builder.AddLink(host, 4 + host / 2, 10 * DCN_GBPS, 1000);
    }
    for (uint32_t i = 0; i < 6; ++i)
    {
        builder.AddLink(4, 5, 10 * DCN_GBPS, 1000); // parallel
    }
    Ptr<DcnTopology> topology = builder.Build();
    std::vector<DcnFlow> flows;
    for (uint32_t i = 0; i < 5; ++i)
    {
        flows.push_back({i, i % 2, 2 + i % 2, 5000 + 1000 * i, 1000 * i});
    }
    auto scenario = DcnScenario::Create(topology, DcnNetworkConfig::Preset("dctcp"), flows);
    std::vector<uint64_t> payload(topology->GetNLinks(), 0);
    std::vector<bool> isUsed(payload.size(), false);
    for (std::size_t i = 0; i < flows.size(); ++i)
    {
        for (const uint32_t link : scenario->GetPath(i))
        {
            payload[link] += flows[i].sizeBytes;
            isUsed[link] = isUsed[DcnTopology::Reverse(link)] = true;
        }
    }
    NS_TEST_ASSERT_MSG_GT(std::count(isUsed.begin() + 8, isUsed.end(), true), 2, "several links");
    NS_TEST_ASSERT_MSG_LT(std::count(isUsed.begin() + 8, isUsed.end(), true), 12, "not all");
    const Simulation simulation(scenario);
    for (uint32_t link = 0; link < payload.size(); ++link)
    {
        const auto stats = simulation.network.GetQueueDisc(link)->GetStats();
        NS_TEST_EXPECT_MSG_EQ((stats.nTotalReceivedPackets > 0), isUsed[link], "link " << link);
        NS_TEST_EXPECT_MSG_GT_OR_EQ(stats.nTotalReceivedBytes, payload[link], "link " << link);
        // acknowledgements of 40 bytes for 1000, handshakes, ends
        NS_TEST_EXPECT_MSG_LT_OR_EQ(stats.nTotalReceivedBytes,
                                    payload[link] + payload[DcnTopology::Reverse(link)] / 20 + 2000,
                                    "link " << link);
    }
    uint64_t hops = 0;
    for (std::size_t i = 0; i < flows.size(); ++i)
    {
        hops += DcnPackets(flows[i].sizeBytes, PAYLOAD) * scenario->GetPath(i).size();
    }
    NS_TEST_EXPECT_MSG_EQ(simulation.network.GetDataPacketHops(), hops, "packet-hops");
}

/**
 * @param spines nodes of the spines of the two flows, which share neither hosts nor a leaf's port
 * @return completion times [ns]
 */
std::vector<int64_t>
RunPinned(const std::vector<uint32_t>& spines)
{
    DcnLeafSpineParameters parameters;
    parameters.racks = 2;
    parameters.hostsPerRack = 2;
    parameters.fabricRate = parameters.hostRate;
    Ptr<DcnTopology> topology = DcnBuildTopology(parameters); // hosts 0-3, leaves 4-5, spines 6-7
    std::vector<DcnFlow> flows;
    std::unordered_map<uint64_t, DcnScenario::PinnedPath> pinned;
    for (uint32_t i = 0; i < spines.size(); ++i)
    {
        flows.push_back({i, i, 2 + i, 400'000, 0});
        pinned[i].nodes = {{i, 4, spines[i], 5, 2 + i}, {}};
    }
    return Simulation(
               DcnScenario::Create(topology, DcnNetworkConfig::Preset("dctcp"), flows, pinned))
        .network.GetFctNs();
}

/// Flows over different spines do not wait for each other, those over one do.
DCN_TEST_CASE(PinnedTestCase, "two flows on different spines share no queue")
{
    const int64_t alone = RunPinned({6})[0];
    const std::vector<int64_t> apart = RunPinned({6, 7});
    NS_TEST_EXPECT_MSG_EQ(apart[0], alone, "as if alone");
    NS_TEST_EXPECT_MSG_EQ(apart[1], alone, "as if alone");
    const std::vector<int64_t> together = RunPinned({7, 7});
    // the later one has waited for the other's 400 kB at 10 Gb/s
    NS_TEST_EXPECT_MSG_GT(std::max(together[0], together[1]), alone + 300'000, "one queue");
}

/// First packets meet the queues that are there; remaining bytes follow the receivers.
DCN_TEST_CASE(CollectorTestCase, "the collector has queues of first packets and remaining bytes")
{
    // at 10 Gb/s to one receiver: the second flow meets the queue of the first two
    auto scenario = DcnScenario::Create(
        DcnMakeStar(4),
        DcnNetworkConfig::Preset("dctcp"),
        {{0, 0, 3, 200'000, 0}, {1, 1, 3, 200'000, 0}, {2, 2, 3, 1000, 100'000}});
    Ptr<DcnCollector> collector = CreateObject<DcnCollector>();
    collector->SetAttribute("RemainingBytes", BooleanValue(true));
    const Simulation simulation(scenario, MakeOptions(), 1, collector);
    const auto& first = collector->GetFirstPackets();
    NS_TEST_ASSERT_MSG_EQ(first.size(), 3, "a flow and switch each");
    NS_TEST_EXPECT_MSG_EQ(first[0].queueBytes, 0, "an idle port");
    NS_TEST_EXPECT_MSG_EQ(first[2].flow, 2, "in order of time");
    NS_TEST_EXPECT_MSG_EQ(first[2].hop, 1, "the second link");
    NS_TEST_EXPECT_MSG_GT(first[2].queueBytes, 5'000, "two senders keep a queue near K");
    NS_TEST_EXPECT_MSG_LT(first[2].queueBytes, 60'000, "of 20 kB");
    const auto& remaining = collector->GetRemaining();
    NS_TEST_ASSERT_MSG_EQ(remaining.events.size(), 6, "starts and ends");
    NS_TEST_EXPECT_MSG_EQ(remaining.bytes[0], 200'000, "the first start");
    NS_TEST_EXPECT_MSG_EQ(remaining.offsets.back(), remaining.bytes.size(), "entries");
    for (std::size_t e = 0; e < remaining.events.size(); ++e)
    {
        const auto& event = remaining.events[e];
        const int64_t expected = scenario->GetFlows()[event.flow].startNs +
                                 (event.isArrival ? 0 : simulation.network.GetFctNs()[event.flow]);
        NS_TEST_EXPECT_MSG_EQ(event.timeNs, expected, "event " << e);
    }
}

DcnTestSuite<AloneTestCase,
             WindowTestCase,
             PortTestCase,
             IdealTestCase,
             ConservationTestCase,
             ReleaseTestCase,
             PathTestCase,
             PinnedTestCase,
             CollectorTestCase>
    g_dcnTcpNetworkTestSuite("dcn-tcp-network"); //!< the suite

} // namespace

/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "../model/network/dcn-packet-flow-network.h"
#include "../model/engine/dcn-packet-switch.h"
#include "../model/engine/dcn-switch-device.h"
#include "../model/estimate/dcn-packet-estimator.h"
#include "dcn-test-case.h"
#include "dcn-test-error.h"
#include "dcn-test-leaf-spine.h"
#include "dcn-test-scenario.h"

#include "ns3/dcn-collector.h"
#include "ns3/dcn-csv.h"
#include "ns3/dcn-flow-network-helper.h"
#include "ns3/dcn-random.h"
#include "ns3/dcn-scenario.h"
#include "ns3/dcn-topology-value.h"
#include "ns3/dcn-topology.h"
#include "ns3/inet-socket-address.h"
#include "ns3/ipv4-global-routing-helper.h"
#include "ns3/node-container.h"
#include "ns3/packet-sink-helper.h"
#include "ns3/point-to-point-helper.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/test.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

using namespace ns3;

namespace
{

/// Flows that are added while the simulation runs complete as those of a scenario.
DCN_TEST_CASE(AddedFlowsTestCase, "flows added one by one and flows of a scenario")
{
    for (const char* cc : {"dctcp", "dcqcn", "timely", "hpcc"})
    {
        Ptr<const DcnScenario> scenario =
            DcnMakeTestScenario(DcnTestWorkload(300, "google-rpc"), DcnNetworkConfig::Preset(cc));
        const auto expected = CreateObject<DcnPacketEstimator>()->Estimate(scenario).fctNs;
        Simulator::Destroy();

        DcnFlowNetworkHelper helper("packet");
        helper.SetConfig(scenario->GetNetworkConfig());
        Ptr<DcnTopology> fresh = DcnBuildTopology(DcnFabricParameters());
        Ptr<DcnFlowNetwork> network = helper.Install(fresh);
        DcnTopologyValue topology;
        network->GetAttribute("Topology", topology);
        NS_TEST_EXPECT_MSG_EQ((topology.Get() == fresh), true, "the topology as an attribute");
        DynamicCast<DcnPacketFlowNetwork>(network)->GetPackets()->GetAttribute("Topology",
                                                                               topology);
        NS_TEST_EXPECT_MSG_EQ((topology.Get() == fresh), true, "and that of the packets");
        std::vector<int64_t> fctNs(expected.size(), -1);
        network->TraceConnectWithoutContext(
            "FlowCompleted",
            Callback<void, uint64_t, Time>(
                [&](uint64_t flow, Time fct) { fctNs[flow] = fct.GetNanoSeconds(); }));
        const NodeContainer& nodes = fresh->GetNodes();
        for (const DcnFlow& flow : scenario->GetFlows())
        {
            network->AddFlowAt(NanoSeconds(flow.startNs),
                               nodes.Get(flow.src),
                               nodes.Get(flow.dst),
                               flow.sizeBytes);
        }
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(network->GetNActive(), 0, "all complete with " << cc);
        std::size_t same = 0;
        for (std::size_t i = 0; i < fctNs.size(); ++i)
        {
            same += fctNs[i] == expected[i] ? 1 : 0;
        }
        NS_TEST_EXPECT_MSG_EQ(same, fctNs.size(), "completion times with " << cc);
        network->Dispose();
        Simulator::Destroy();
    }
}

/// Nodes that are joined by PointToPoint links: a star.
NodeContainer
MakeStar(uint32_t nHosts)
{
    NodeContainer nodes(nHosts + 1);
    PointToPointHelper link;
    link.SetDeviceAttribute("DataRate", StringValue("10Gbps"));
    link.SetChannelAttribute("Delay", StringValue("1us"));
    for (uint32_t host = 0; host < nHosts; ++host)
    {
        link.Install(nodes.Get(host), nodes.Get(nHosts));
    }
    return nodes;
}

DCN_TEST_CASE(CollectorTestCase, "a collector records flows that applications add")
{
    const NodeContainer nodes = MakeStar(4);
    Ptr<DcnFlowNetwork> network = DcnFlowNetworkHelper("packet").Install(nodes);
    Ptr<DcnCollector> collector = CreateObject<DcnCollector>();
    collector->Watch(network);
    std::vector<int64_t> fctNs(6, -1);
    network->TraceConnectWithoutContext(
        "FlowCompleted",
        Callback<void, uint64_t, Time>([&](uint64_t flow, Time fct) {
            fctNs[flow] = fct.GetNanoSeconds();
            if (flow < 3) // each of three flows is followed by another one
            {
                network->AddFlow(nodes.Get(3), nodes.Get(flow), 5000);
            }
        }));
    for (uint32_t host = 0; host < 3; ++host)
    {
        network->AddFlow(nodes.Get(host), nodes.Get(3), 100'000);
    }
    Simulator::Run();
    const std::vector<DcnFlowRecord>& records = collector->GetFlowRecords();
    NS_TEST_ASSERT_MSG_EQ(records.size(), 6, "all flows are recorded");
    for (std::size_t i = 0; i < 6; ++i)
    {
        NS_TEST_EXPECT_MSG_EQ(records[i].GetFctNs(), fctNs[i], "time of flow " << i);
        NS_TEST_EXPECT_MSG_EQ(records[i].receivedBytes, (i < 3 ? 100'000U : 5000U), "its bytes");
    }
    const std::string folder = CreateTempDirFilename("collector");
    collector->Write(folder);
    DcnCsvReader csv(folder + "/flow-records.csv",
                     {"flow_id",
                      "src",
                      "dst",
                      "size_bytes",
                      "start_ns",
                      "first_byte_ns",
                      "last_byte_ns",
                      "fct_ns",
                      "received_bytes",
                      "retransmitted_bytes",
                      "path"});
    uint64_t rows = 0;
    while (csv.FetchRow())
    {
        NS_TEST_EXPECT_MSG_EQ(csv.GetUint(3), (rows < 3 ? 100'000U : 5000U), "size in the file");
        NS_TEST_EXPECT_MSG_EQ((rows < 3 ? csv.GetUint(2) : csv.GetUint(1)),
                              3,
                              "end at the hub host");
        ++rows;
    }
    NS_TEST_EXPECT_MSG_EQ(rows, 6, "a row for each flow");
    Ptr<DcnFlowNetwork> second = DcnFlowNetworkHelper("packet").Install(MakeStar(3));
    DCN_TEST_EXPECT_ERROR(collector->Watch(second),
                          "a DcnCollector watches the flows of one network: make another one for "
                          "the second");
    network->Dispose();
    second->Dispose();
    Simulator::Destroy();
}

DCN_TEST_CASE(SameNodesTestCase, "networks are installed one after the other on the same nodes")
{
    const NodeContainer nodes = MakeStar(4);
    const Ptr<const DcnTopology> before = DcnTopology::FromNodes(nodes);
    Ptr<DcnFlowNetwork> first = DcnFlowNetworkHelper("packet").Install(nodes);
    const Ptr<const DcnTopology> after = DcnTopology::FromNodes(nodes);
    NS_TEST_EXPECT_MSG_EQ(after->GetNLinks(),
                          before->GetNLinks(),
                          "devices of packets are no links");
    Ptr<DcnFlowNetwork> second = DcnFlowNetworkHelper("packet").Install(nodes);
    std::vector<int64_t> fctNs;
    for (const auto& network : {first, second})
    {
        network->TraceConnectWithoutContext("FlowCompleted",
                                            Callback<void, uint64_t, Time>([&](uint64_t, Time fct) {
                                                fctNs.push_back(fct.GetNanoSeconds());
                                            }));
        network->AddFlow(nodes.Get(0), nodes.Get(1), 50'000);
    }
    Simulator::Run();
    NS_TEST_ASSERT_MSG_EQ(fctNs.size(), 2, "both complete");
    NS_TEST_EXPECT_MSG_EQ(fctNs[0], fctNs[1], "each network has the links for itself");
    first->Dispose();
    second->Dispose();
    Simulator::Destroy();
}

DCN_TEST_CASE(PendingEventsTestCase, "an estimate leaves the events of the user's simulation alone")
{
    DcnWorkloadSpec spec;
    spec.sizes = "google-rpc";
    spec.nFlows = 100;
    Ptr<const DcnScenario> scenario = DcnMakeTestScenario(spec, DcnNetworkConfig::Preset("dctcp"));
    const auto expected = CreateObject<DcnPacketEstimator>()->Estimate(scenario);
    Simulator::Destroy();
    uint32_t nEvents = 0;
    Simulator::Schedule(NanoSeconds(10), [&nEvents]() { ++nEvents; });
    EventId cancelled = Simulator::Schedule(NanoSeconds(20), [&nEvents]() { nEvents += 100; });
    cancelled.Cancel();
    Simulator::Schedule(Seconds(3), [&nEvents]() { ++nEvents; });
    for (const uint32_t before : {0, 1})
    {
        const auto estimate = CreateObject<DcnPacketEstimator>()->Estimate(scenario);
        NS_TEST_EXPECT_MSG_EQ((estimate.fctNs == expected.fctNs), true, "completion times");
        NS_TEST_EXPECT_MSG_EQ((estimate.unfinished == expected.unfinished), true, "unfinished");
        NS_TEST_EXPECT_MSG_EQ(nEvents, before, "events of the user");
        NS_TEST_EXPECT_MSG_EQ(Simulator::Now(), Seconds(before), "clock");
        if (before == 0)
        {
            Simulator::Stop(Seconds(1));
            Simulator::Run();
        }
    }
    Simulator::Run();
    NS_TEST_EXPECT_MSG_EQ(nEvents, 2, "events of the user in the end");
    NS_TEST_EXPECT_MSG_EQ(Simulator::Now(), Seconds(3), "clock in the end");
    Simulator::Destroy();
}

/// What a run of both has shown.
struct Mixed
{
    std::vector<std::pair<int64_t, uint32_t>> received; //!< by TCP's sinks: instants, bytes
    std::vector<int64_t> fctNs;                         //!< of the flows of packets
};

/**
 * @brief Run TCP and a network of packets on the same nodes.
 * @param hasTcp TCP sends
 * @param hasPackets there is a network of packets, with flows
 * @param isFirst the network is installed before addresses and routes
 */
Mixed
RunMixed(bool hasTcp, bool hasPackets, bool isFirst = false)
{
    Mixed mixed;
    DcnTestLeafSpine nodes;
    Ptr<DcnFlowNetwork> network;
    const auto install = [&]() {
        if (hasPackets)
        {
            network = DcnFlowNetworkHelper("packet").Install(nodes.nodes);
            network->TraceConnectWithoutContext(
                "FlowCompleted",
                Callback<void, uint64_t, Time>([&mixed](uint64_t flow, Time fct) {
                    mixed.fctNs.resize(std::max<std::size_t>(mixed.fctNs.size(), flow + 1), -1);
                    mixed.fctNs[flow] = fct.GetNanoSeconds();
                }));
            for (uint32_t host = 1; host < DcnTestLeafSpine::HOSTS; ++host)
            {
                network->AddFlowAt(MicroSeconds(200),
                                   nodes.hosts.Get(host),
                                   nodes.hosts.Get(0),
                                   100'000);
            }
        }
    };
    if (isFirst)
    {
        install();
    }
    nodes.AddIpv4();
    InternetStackHelper().AssignStreams(nodes.nodes, 1000); // jitter of ARP
    Ipv4GlobalRoutingHelper::PopulateRoutingTables();
    for (uint32_t host = 0; host < DcnTestLeafSpine::HOSTS; ++host)
    {
        PacketSinkHelper sink("ns3::TcpSocketFactory", InetSocketAddress(Ipv4Address::GetAny(), 5));
        sink.Install(nodes.hosts.Get(host))
            .Get(0)
            ->TraceConnectWithoutContext("Rx",
                                         Callback<void, Ptr<const Packet>, const Address&>(
                                             [&mixed](Ptr<const Packet> packet, const Address&) {
                                                 mixed.received.emplace_back(
                                                     Simulator::Now().GetNanoSeconds(),
                                                     packet->GetSize());
                                             }));
        if (hasTcp)
        {
            nodes.Send(host,
                       InetSocketAddress(nodes.GetIpv4((host + 2) % DcnTestLeafSpine::HOSTS), 5),
                       150'000,
                       MicroSeconds(100));
        }
    }
    if (!isFirst)
    {
        install();
    }
    Simulator::Stop(Seconds(1));
    Simulator::Run();
    if (network)
    {
        network->Dispose();
    }
    return mixed;
}

DCN_TEST_CASE(InternetStackTestCase, "TCP and packets on the same nodes do not see each other")
{
    const Mixed tcp = RunMixed(true, false);
    const Mixed packets = RunMixed(false, true);
    uint64_t bytes = 0;
    for (const auto& arrival : tcp.received)
    {
        bytes += arrival.second;
    }
    NS_TEST_EXPECT_MSG_EQ(bytes, 6 * 150'000, "TCP alone");
    NS_TEST_ASSERT_MSG_EQ(packets.fctNs.size(), 5, "packets alone");
    for (const int64_t fct : packets.fctNs)
    {
        NS_TEST_EXPECT_MSG_GT(fct, 800'000, "100 KB at 1 Gb/s");
    }
    for (const bool isFirst : {false, true})
    {
        const Mixed both = RunMixed(true, true, isFirst);
        NS_TEST_EXPECT_MSG_EQ((both.received == tcp.received), true, "TCP, order " << isFirst);
        NS_TEST_EXPECT_MSG_EQ((both.fctNs == packets.fctNs), true, "packets, order " << isFirst);
    }
}

/// Without pauses of the switch, an incast loses packets: go-back-N goes over ends of messages.
DCN_TEST_CASE(LossTestCase, "messages arrive once and in order when packets are lost")
{
    const Ptr<DcnTopology> topology = DcnMakeStar(9);
    const Ptr<DcnNetworkConfig> config = DcnNetworkConfig::Preset("dctcp");
    config->SetKeys("pfc=0,buffer_bytes=212000,window_bytes=0");
    DcnFlowNetworkHelper helper("packet");
    helper.SetConfig(config);
    const Ptr<DcnFlowNetwork> network = helper.Install(topology);
    std::vector<uint64_t> completed;
    std::vector<uint64_t> acknowledged;
    network->TraceConnectWithoutContext(
        "FlowCompleted",
        Callback<void, uint64_t, Time>([&](uint64_t flow, Time) { completed.push_back(flow); }));
    network->TraceConnectWithoutContext(
        "FlowAcknowledged",
        Callback<void, uint64_t, Time>([&](uint64_t flow, Time) {
            NS_TEST_EXPECT_MSG_EQ(
                (std::find(completed.begin(), completed.end(), flow) != completed.end()),
                true,
                "acknowledged after it was delivered");
            acknowledged.push_back(flow);
        }));
    const NodeContainer& nodes = topology->GetNodes();
    for (uint32_t host = 0; host < 8; ++host)
    {
        const uint64_t connection = network->Connect(nodes.Get(host), nodes.Get(8));
        for (uint64_t i = 0; i < 100; ++i) // numbers 100 host + i
        {
            network->AddMessage(connection, 500 + 700 * (i % 7));
        }
    }
    Simulator::Run();
    const auto packets = DynamicCast<DcnPacketFlowNetwork>(network)->GetPackets();
    NS_TEST_EXPECT_MSG_GT(packets->GetNDropped(), 100, "packets were lost");
    for (const auto* flows : {&completed, &acknowledged})
    {
        NS_TEST_EXPECT_MSG_EQ(flows->size(), 800, "each once");
        std::vector<uint64_t> next(8, 0); // message of each connection
        for (const uint64_t flow : *flows)
        {
            NS_TEST_EXPECT_MSG_EQ(flow % 100, next[flow / 100]++, "in order");
        }
    }
    network->Dispose();
    Simulator::Destroy();
}

/**
 * Links between switches fail and are repaired under load, with pauses and with a small buffer. In the
 * end every message has arrived, no switch has bytes, and each port has
 *
 *     bytes offered = departed + dropped
 *
 * with the frames that a failed link has lost among the dropped ones; frames are lost with links.
 */
DCN_TEST_CASE(FailedLinksTestCase, "what failed links lose is accounted for and sent again")
{
    for (const char* keys : {"", "pfc=0,buffer_bytes=300000", "selective_repeat=1"})
    {
        const Ptr<DcnTopology> topology = DcnBuildTopology(DcnFatTreeParameters());
        const Ptr<DcnNetworkConfig> config = DcnNetworkConfig::Preset("dctcp");
        config->SetKeys(keys);
        DcnFlowNetworkHelper helper("packet");
        helper.SetConfig(config);
        const Ptr<DcnFlowNetwork> network = helper.Install(topology);
        const auto packets = DynamicCast<DcnPacketFlowNetwork>(network)->GetPackets();
        uint64_t nCompleted = 0;
        network->TraceConnectWithoutContext(
            "FlowCompleted",
            Callback<void, uint64_t, Time>([&](uint64_t, Time) { ++nCompleted; }));
        const NodeContainer& nodes = topology->GetNodes();
        for (uint32_t host = 0; host < 16; ++host)
        {
            const uint64_t connection =
                network->Connect(nodes.Get(host), nodes.Get(host < 8 ? 8 + host % 4 : host - 8));
            for (uint32_t i = 0; i < 20; ++i)
            {
                network->AddMessage(connection, 30'000);
            }
        }
        std::vector<uint32_t> cables; // from the first switch of each pod upwards, one at a time
        for (uint32_t link = 0; link < topology->GetNLinks(); link += 2)
        {
            if (!topology->IsHost(topology->GetLink(link).from) &&
                !topology->IsHost(topology->GetLink(link).to))
            {
                cables.push_back(link);
            }
        }
        for (std::size_t i = 0; i < cables.size(); ++i)
        {
            const auto beginNs = static_cast<int64_t>(20'000 + 30'000 * i);
            Simulator::Schedule(NanoSeconds(beginNs),
                                [&, i]() { network->FailLink(cables[i]); });
            // also repairs before the last frame of the link would have arrived
            Simulator::Schedule(NanoSeconds(beginNs + (i % 3 == 0 ? 400 : 25'000)),
                                [&, i]() { network->RepairLink(cables[i]); });
        }
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(nCompleted, 320, "all messages, " << keys);
        NS_TEST_EXPECT_MSG_GT(packets->GetNLost(), 0, "frames lost with links");
        for (const auto& each : packets->GetSwitches())
        {
            NS_TEST_EXPECT_MSG_EQ(each->GetBufferedBytes(), 0, "an empty switch, " << keys);
        }
        for (uint32_t link = 0; link < topology->GetNLinks(); ++link)
        {
            if (const auto port = DynamicCast<DcnSwitchDevice>(packets->GetDevice(link)))
            {
                NS_TEST_EXPECT_MSG_EQ(port->GetOfferedBytes(),
                                      port->GetLeftBytes() + port->GetDroppedBytes(),
                                      "bytes of port " << link);
                NS_TEST_EXPECT_MSG_EQ(port->IsLinkUp(), true, "repaired");
            }
        }
        network->Dispose();
        Simulator::Destroy();
    }
}

DcnTestSuite g_dcnPacketFlowNetworkTestSuite("dcn-packet-flow-network",
                                             {new AddedFlowsTestCase,
                                              new LossTestCase,
                                              new FailedLinksTestCase,
                                              new CollectorTestCase,
                                              new SameNodesTestCase,
                                              new InternetStackTestCase,
                                              new PendingEventsTestCase}); //!< the suite

} // namespace

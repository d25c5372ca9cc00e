/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "../model/engine/dcn-host-device.h"
#include "dcn-test-case.h"
#include "dcn-test-error.h"
#include "dcn-test-texts.h"

#include "ns3/boolean.h"
#include "ns3/bulk-send-application.h"
#include "ns3/bulk-send-helper.h"
#include "ns3/config.h"
#include "ns3/dcn-collector.h"
#include "ns3/dcn-csv.h"
#include "ns3/double.h"
#include "ns3/internet-stack-helper.h"
#include "ns3/ipv4-address-helper.h"
#include "ns3/ipv4-l3-protocol.h"
#include "ns3/ipv4-static-routing-helper.h"
#include "ns3/packet-sink-helper.h"
#include "ns3/packet-sink.h"
#include "ns3/point-to-point-helper.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/tcp-header.h"
#include "ns3/test.h"
#include "ns3/traffic-control-helper.h"
#include "ns3/traffic-control-layer.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <string>
#include <vector>

using namespace ns3;

namespace
{

/// Counts TCP payload that a host hands to its IP layer's output.
class SegmentCounter
{
  public:
    /**
     * @param ip header
     * @param packet with TCP header
     * @param interface through which it leaves
     */
    void Take(const Ipv4Header& ip, Ptr<const Packet> packet, uint32_t interface)
    {
        TcpHeader tcp;
        packet->PeekHeader(tcp);
        bytes += packet->GetSize() - tcp.GetSerializedSize();
    }

    uint64_t bytes{0}; //!< payload
};

/**
 * Two hosts and a switch of mainline ns-3 with TCP flows over a slow second link, whose device
 * queue and queue disc are watched.
 */
class TcpTestCase : public TestCase
{
  public:
    /**
     * @param marks the queue disc marks (RED with ECN), else it drops (a short FIFO)
     */
    explicit TcpTestCase(bool marks)
        : TestCase(marks ? "stock devices: queue disc that marks" : "stock devices: loss"),
          m_marks(marks)
    {
    }

  private:
    static constexpr uint32_t N_FLOWS = 3;          //!< flows
    static constexpr uint64_t SIZE_BYTES = 400'000; //!< of each

    void DoRun() override
    {
        Config::Reset();
        Config::SetDefault("ns3::TcpL4Protocol::SocketType",
                           StringValue(m_marks ? "ns3::TcpDctcp" : "ns3::TcpNewReno"));
        NodeContainer nodes(3); // two hosts, and the switch between them
        PointToPointHelper link;
        link.SetDeviceAttribute("DataRate", StringValue("1Gbps"));
        link.SetChannelAttribute("Delay", StringValue("10us"));
        link.SetQueue("ns3::DropTailQueue", "MaxSize", StringValue("1p"));
        const NetDeviceContainer edge = link.Install(nodes.Get(0), nodes.Get(2));
        link.SetDeviceAttribute("DataRate", StringValue("100Mbps"));
        const NetDeviceContainer core = link.Install(nodes.Get(2), nodes.Get(1));
        InternetStackHelper().Install(nodes);
        TrafficControlHelper control;
        if (m_marks)
        {
            control.SetRootQueueDisc("ns3::RedQueueDisc",
                                     "UseEcn",
                                     BooleanValue(true),
                                     "UseHardDrop",
                                     BooleanValue(false),
                                     "Gentle",
                                     BooleanValue(false),
                                     "QW",
                                     DoubleValue(1),
                                     "MinTh",
                                     DoubleValue(10),
                                     "MaxTh",
                                     DoubleValue(10),
                                     "MaxSize",
                                     StringValue("1000p"));
        }
        else
        {
            control.SetRootQueueDisc("ns3::FifoQueueDisc", "MaxSize", StringValue("8p"));
        }
        control.Install(core.Get(0));
        Ipv4AddressHelper addresses("10.1.0.0", "255.255.255.0");
        addresses.Assign(edge);
        addresses.NewNetwork();
        const Ipv4Address receiver = addresses.Assign(core).GetAddress(1);
        Ipv4StaticRoutingHelper routing;
        for (uint32_t host : {0U, 1U})
        {
            routing.GetStaticRouting(nodes.Get(host)->GetObject<Ipv4>())
                ->SetDefaultRoute(Ipv4Address(host == 0 ? "10.1.0.2" : "10.1.1.1"), 1);
        }

        Ptr<DcnTopology> topology =
            DcnTopology::FromNodes(NodeContainer(nodes.Get(0), nodes.Get(1)),
                                   NodeContainer(nodes.Get(2)));
        std::vector<DcnFlow> flows;
        for (uint32_t i = 0; i < N_FLOWS; ++i)
        {
            flows.push_back({i, 0, 1, SIZE_BYTES, 1'000'000 * i});
        }
        auto scenario =
            DcnScenario::Create(topology, DcnNetworkConfig::Preset("dctcp", 100'000'000), flows);
        Ptr<DcnCollector> collector = CreateObject<DcnCollector>();
        collector->SetAttribute("RemainingBytes", BooleanValue(true));
        collector->Watch(core.Get(0), "bottleneck");
        for (uint32_t i = 0; i < N_FLOWS; ++i)
        {
            const InetSocketAddress to(receiver, static_cast<uint16_t>(1000 + i));
            BulkSendHelper sender("ns3::TcpSocketFactory", to);
            sender.SetAttribute("MaxBytes", UintegerValue(SIZE_BYTES));
            auto source = DynamicCast<BulkSendApplication>(sender.Install(nodes.Get(0)).Get(0));
            source->SetStartTime(NanoSeconds(flows[i].startNs));
            PacketSinkHelper taker("ns3::TcpSocketFactory", to);
            auto sink = DynamicCast<PacketSink>(taker.Install(nodes.Get(1)).Get(0));
            collector->WatchTcpFlow(scenario, i, source, sink);
        }
        SegmentCounter sent;
        nodes.Get(0)->GetObject<Ipv4L3Protocol>()->TraceConnectWithoutContext(
            "SendOutgoing",
            MakeCallback(&SegmentCounter::Take, &sent));
        Simulator::Stop(Seconds(10));
        Simulator::Run();
        collector->Finish();
        CheckFlows(*collector, sent.bytes);
        CheckQueues(*collector, core.Get(0));
        Simulator::Destroy();
        Config::Reset();
    }

    void CheckFlows(const DcnCollector& collector, uint64_t sentBytes)
    {
        uint64_t again = 0;
        for (uint32_t i = 0; i < N_FLOWS; ++i)
        {
            const DcnFlowRecord& record = collector.GetFlowRecords()[i];
            NS_TEST_EXPECT_MSG_EQ(record.startNs, 1'000'000 * i, "start");
            // the handshake and the first segment: three ways of 20 us, at the least
            NS_TEST_EXPECT_MSG_GT(record.firstByteNs, record.startNs + 60'000, "first byte");
            // payload at 100 Mb/s
            NS_TEST_EXPECT_MSG_GT(record.GetFctNs(), 80 * static_cast<int64_t>(SIZE_BYTES), "FCT");
            NS_TEST_EXPECT_MSG_EQ(record.receivedBytes, SIZE_BYTES, "all of it");
            again += record.retransmittedBytes;
        }
        NS_TEST_EXPECT_MSG_LT_OR_EQ(again, sentBytes - N_FLOWS * SIZE_BYTES, "sent again");
        NS_TEST_EXPECT_MSG_EQ((again > 0), !m_marks, "only where packets are lost");
        const DcnRemainingRecords& remaining = collector.GetRemaining();
        NS_TEST_ASSERT_MSG_EQ(remaining.events.size(), 2 * N_FLOWS, "starts and ends");
        NS_TEST_EXPECT_MSG_EQ(remaining.bytes[0], SIZE_BYTES, "nothing has come yet");
        NS_TEST_EXPECT_MSG_EQ(remaining.offsets[1], 1, "one flow is active");
        NS_TEST_EXPECT_MSG_EQ(remaining.bytes.size(), remaining.offsets.back(), "entries");
    }

    void CheckQueues(const DcnCollector& collector, Ptr<NetDevice> device)
    {
        auto disc =
            device->GetNode()->GetObject<TrafficControlLayer>()->GetRootQueueDiscOnDevice(device);
        const QueueDisc::Stats stats = disc->GetStats();
        NS_TEST_ASSERT_MSG_EQ(collector.GetNQueues(), 2, "two layers");
        for (const std::string layer : {"device", "qdisc"})
        {
            DcnQueueRecord sum{};
            for (const auto& record : collector.GetQueueRecords("bottleneck", layer))
            {
                sum.inBytes += record.inBytes;
                sum.outBytes += record.outBytes;
                sum.inPackets += record.inPackets;
                sum.outPackets += record.outPackets;
                sum.marks += record.marks;
                sum.drops += record.drops;
                sum.maxBytes = std::max(sum.maxBytes, record.maxBytes);
                NS_TEST_EXPECT_MSG_GT_OR_EQ(sum.inBytes, sum.outBytes, layer << ": waiting");
            }
            NS_TEST_EXPECT_MSG_EQ(sum.inBytes, sum.outBytes, layer << ": empty at the end");
            NS_TEST_EXPECT_MSG_EQ(sum.inPackets, sum.outPackets, layer << ": empty at the end");
            if (layer == "qdisc")
            {
                NS_TEST_EXPECT_MSG_EQ(sum.inPackets, stats.nTotalEnqueuedPackets, "in");
                NS_TEST_EXPECT_MSG_EQ(sum.outBytes, stats.nTotalDequeuedBytes, "out");
                NS_TEST_EXPECT_MSG_EQ(sum.marks, stats.nTotalMarkedPackets, "marks");
                NS_TEST_EXPECT_MSG_EQ(sum.drops, stats.nTotalDroppedPackets, "drops");
                NS_TEST_EXPECT_MSG_EQ((sum.marks > 0), m_marks, "marks");
                NS_TEST_EXPECT_MSG_EQ((sum.drops > 0), !m_marks, "drops");
            }
            else
            {
                // frames with the link header of two bytes; all that the disc has let go
                NS_TEST_EXPECT_MSG_EQ(sum.inBytes,
                                      stats.nTotalDequeuedBytes + 2 * stats.nTotalDequeuedPackets,
                                      "what the queue disc has let go");
            }
        }
    }

    bool m_marks; //!< the queue disc marks
};

/// What cannot be watched is refused with a sentence.
DCN_TEST_CASE(RefusalTestCase, "what cannot be watched is refused")
{
    NodeContainer nodes(3);
    PointToPointHelper link;
    link.SetDeviceAttribute("DataRate", StringValue("10Gbps"));
    const NetDeviceContainer left = link.Install(nodes.Get(0), nodes.Get(2));
    const NetDeviceContainer right = link.Install(nodes.Get(1), nodes.Get(2));
    Ptr<DcnCollector> collector = CreateObject<DcnCollector>();
    collector->Watch(left.Get(0), "a");
    NS_TEST_EXPECT_MSG_EQ(DcnSentenceOf([&]() { collector->Watch(right.Get(0), "a"); }),
                          "two queues of the layer device are called \"a\"",
                          "name in use");
    NS_TEST_EXPECT_MSG_EQ(DcnSentenceOf([&]() { collector->GetQueueRecords("b", "qdisc"); }),
                          "no queue \"b\" of the layer \"qdisc\" is watched",
                          "unknown queue");
    Ptr<NetDevice> other = CreateObject<DcnHostDevice>();
    nodes.Get(0)->AddDevice(other);
    NS_TEST_EXPECT_MSG_EQ(DcnSentenceOf([&]() { collector->Watch(other, "b"); }),
                          "the device to be watched as \"b\" is a ns3::DcnHostDevice, which "
                          "has no TxQueue, and no queue disc is installed on it",
                          "no queue");

    Ptr<DcnTopology> topology = DcnTopology::FromNodes(nodes);
    auto makeScenario = [&]() {
        return DcnScenario::Create(topology,
                                   CreateObject<DcnNetworkConfig>(),
                                   {{5, 0, 1, 1000, 0}});
    };
    auto scenario = makeScenario();
    Ptr<BulkSendApplication> source = CreateObject<BulkSendApplication>();
    Ptr<PacketSink> sink = CreateObject<PacketSink>();
    source->SetAttribute("MaxBytes", UintegerValue(999));
    auto watch = [&](Ptr<const DcnScenario> of) {
        return DcnSentenceOf([&]() { collector->WatchTcpFlow(of, 0, source, sink); });
    };
    NS_TEST_EXPECT_MSG_EQ(watch(scenario),
                          "flow 5 has 1000 bytes, but MaxBytes of its BulkSendApplication is 999",
                          "another size");
    source->SetAttribute("MaxBytes", UintegerValue(1000));
    NS_TEST_EXPECT_MSG_EQ(watch(scenario), "no error", "right size");
    NS_TEST_EXPECT_MSG_EQ(watch(scenario), "flow 5 is watched twice", "again");
    NS_TEST_EXPECT_MSG_EQ(watch(makeScenario()),
                          "a DcnCollector watches the flows of one scenario: make another one "
                          "for the second",
                          "another scenario");
    Simulator::Destroy();
}

/// A name of a queue may have any bytes: it is one cell of queues.csv.
DCN_TEST_CASE(NamesTestCase, "any name of a queue")
{
    const std::vector<std::string> texts = DcnHostileTexts();
    NodeContainer nodes(2);
    PointToPointHelper link;
    Ptr<DcnCollector> collector = CreateObject<DcnCollector>();
    for (std::size_t i = 0; i < texts.size(); ++i)
    {
        const NetDeviceContainer ends = link.Install(nodes);
        collector->Watch(ends.Get(0), texts[i] + std::to_string(i)); // no name comes twice
        ends.Get(0)->Send(Create<Packet>(100), ends.Get(1)->GetAddress(), 0x0800);
    }
    Simulator::Stop(Seconds(1));
    Simulator::Run();
    const std::string folder = CreateTempDirFilename("names");
    collector->Write(folder);
    const std::vector<std::string> columns = DcnSplit(
        "queue,layer,start_ns,end_ns,in_bytes,in_packets,out_bytes,out_packets,marks,drops,pauses,"
        "max_bytes,mean_bytes",
        ',');
    DcnCsvReader csv(folder + "/queues.csv", columns);
    std::size_t nRows = 0;
    for (; csv.FetchRow(); ++nRows)
    {
        NS_TEST_EXPECT_MSG_EQ(csv.GetText(1), "device", "the cell behind the name");
        NS_TEST_EXPECT_MSG_EQ(csv.GetText(5), "1", "a packet");
    }
    NS_TEST_EXPECT_MSG_EQ(nRows, texts.size(), "a row for each queue");
    Simulator::Destroy();
}

DcnTestSuite g_dcnCollectorTcpTestSuite("dcn-packet-collector-tcp",
                                        {new TcpTestCase(true),
                                         new TcpTestCase(false),
                                         new RefusalTestCase,
                                         new NamesTestCase}); //!< the suite

} // namespace

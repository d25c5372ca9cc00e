/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "../model/engine/dcn-transport-header.h"
#include "dcn-packet-test.h"
#include "dcn-test-case.h"
#include "dcn-test-error.h"

#include "ns3/dcn-estimator.h"
#include "ns3/dcn-scenario-suite.h"
#include "ns3/dcn-units.h"
#include "ns3/ethernet-header.h"
#include "ns3/ipv4-header.h"
#include "ns3/udp-header.h"

#include <algorithm>
#include <numeric>
#include <string>
#include <vector>

using namespace ns3;

namespace
{

/**
 * A DCTCP flow alone, whose window does not bind, takes the ideal time: up to one packet and for
 * many whole packets, with rates that rise and fall along the path, and any delay.
 */
DCN_TEST_CASE(IdealTestCase, "a flow alone takes the ideal completion time")
{
    // A last packet that is smaller than the others overtakes the formula, which lets it leave
    // the links behind the bottleneck as slowly as a full one: sizes are whole packets here.
    for (uint64_t middle : {1 * DCN_GBPS, 10 * DCN_GBPS, 100 * DCN_GBPS})
    {
        for (uint64_t size : {1, 999, 1000, 2000, 12000, 1000000})
        {
            DcnTopologyBuilder builder;
            const uint32_t a = builder.AddNode(DcnNodeKind::HOST);
            const uint32_t b = builder.AddNode(DcnNodeKind::HOST);
            const uint32_t s = builder.AddNode(DcnNodeKind::SWITCH);
            const uint32_t t = builder.AddNode(DcnNodeKind::SWITCH);
            builder.AddLink(a, s, 10 * DCN_GBPS, 1000);
            builder.AddLink(s, t, middle, 777);
            builder.AddLink(t, b, 25 * DCN_GBPS, 0);
            Ptr<DcnTopology> topology = builder.Build();
            Ptr<DcnNetworkConfig> config = DcnNetworkConfig::Preset("dctcp");
            config->windowBytes = 0;
            config->bufferBytes = 100'000'000;
            config->ecnKminBytes = config->ecnKmaxBytes = 10'000'000;
            config->minRate = DataRate(1'000'000);
            auto scenario = DcnScenario::Create(topology, config, {{0, a, b, size, 5000}});
            const DcnPacketTestNetwork network(scenario);
            network->Run();
            // the ideal time is rounded down, the arrival up
            const int64_t late = network->GetFctNs()[0] - scenario->GetIdealFct(0).GetTotalNs();
            NS_TEST_EXPECT_MSG_EQ((late == 0 || late == 1),
                                  true,
                                  size << " bytes over " << middle << " bit/s: " << late);
        }
    }
}

/// Flows over one bottleneck: every link carries each packet once, nothing is lost, bytes sent by a
/// port are those of the frames that crossed it, and the buffers are empty at the end.
DCN_TEST_CASE_OF(ConservationTestCase, std::string, cc, "conservation with " + cc)
{
    const uint32_t n = 8;
    Ptr<DcnTopology> topology = DcnMakeDumbbell(n, n);
    std::vector<DcnFlow> flows;
    uint64_t packets = 0;
    for (uint32_t i = 0; i < n; ++i)
    {
        flows.push_back({i, i, n + i, 100'000 + 777 * i, 1000 * i});
        packets += DcnPackets(flows.back().sizeBytes, 1000);
    }
    // A port may take a quarter of some 20 kB: the first switch has to pause its senders. A
    // threshold beyond that leaves the work to the pauses.
    Ptr<DcnNetworkConfig> config = DcnNetworkConfig::Preset(cc);
    config->bufferBytes = 100'000;
    config->ecnKminBytes = config->ecnKmaxBytes = 100'000;
    auto scenario = DcnScenario::Create(topology, config, flows);
    const DcnPacketTestNetwork network(scenario, "LosslessHeadroom", BooleanValue(true));
    network->Run();
    Simulator::Run(); // the acknowledgements still on their way
    NS_TEST_EXPECT_MSG_GT(network->GetNPauses(), 0, "the buffer is too small without pauses");
    NS_TEST_EXPECT_MSG_EQ(network->GetNDropped(), 0, "no loss with priority flow control");
    NS_TEST_EXPECT_MSG_EQ(network->GetDataPacketHops(), 3 * packets, "each packet, each link");
    const uint64_t headers = DcnCongestionControl::GetWireFormat(*config).dataHeaderBytes;
    const uint64_t payload =
        std::accumulate(flows.begin(), flows.end(), uint64_t{0}, [](uint64_t sum, auto& flow) {
            return sum + flow.sizeBytes;
        });
    const uint32_t bottleneck = scenario->GetPath(0)[1];
    NS_TEST_EXPECT_MSG_EQ(network.GetPort(bottleneck)->GetTxBytes(),
                          payload + packets * headers,
                          "bytes of the bottleneck, which nobody pauses");
    for (const auto& buffer : network->GetSwitches())
    {
        NS_TEST_EXPECT_MSG_EQ(buffer->GetBufferedBytes(), 0, "empty at the end");
        NS_TEST_EXPECT_MSG_EQ(buffer->GetNPauses(), buffer->GetNResumes(), "every pause ends");
    }
    for (int64_t fctNs : network->GetFctNs())
    {
        NS_TEST_EXPECT_MSG_GT(fctNs, 0, "delivered");
    }
}

/**
 * DCTCP with N long flows keeps the bottleneck busy and its queue near K (Alizadeh et al.,
 * section 3.3): with the windows of the evaluation the throughput stays above 95 %.
 */
DCN_TEST_CASE(DctcpThroughputTestCase, "DCTCP keeps the link busy and the queue near K")
{
    for (uint32_t n : {2, 4, 8})
    {
        std::vector<DcnFlow> flows;
        const uint64_t size = 4'000'000;
        for (uint32_t i = 0; i < n; ++i)
        {
            flows.push_back({i, i, n + i, size, 0});
        }
        Ptr<DcnNetworkConfig> config = DcnNetworkConfig::Preset("dctcp");
        auto scenario = DcnScenario::Create(DcnMakeDumbbell(n, n), config, flows);
        const DcnPacketTestNetwork network(scenario);
        const auto port = network.GetPort(scenario->GetPath(0)[1]);
        std::vector<uint64_t> queue;
        for (int i = 500; i < 2000; ++i)
        {
            Simulator::Schedule(MicroSeconds(i),
                                [port, &queue]() { queue.push_back(port->GetQueueBytes()); });
        }
        network->Run();
        const auto fct = network->GetFctNs();
        const double lastNs = static_cast<double>(*std::max_element(fct.begin(), fct.end()));
        const double busyNs =
            static_cast<double>(n * DcnWireBytes(size, 1000)) * 8 / 10; // at 10 bit/ns
        NS_TEST_EXPECT_MSG_GT(busyNs / lastNs, 0.95, n << " flows: throughput");
        std::sort(queue.begin(), queue.end());
        const uint64_t median = queue[queue.size() / 2];
        NS_TEST_EXPECT_MSG_GT(median, config->ecnKmaxBytes / 2, n << " flows: queue");
        NS_TEST_EXPECT_MSG_LT(median, 2 * config->ecnKmaxBytes, n << " flows: queue");
    }
}

/// An incast of 32 into a buffer that cannot hold it. Without priority flow control packets are
/// lost; with it and the headroom of the evaluations fewer are; with headroom for all that can
/// arrive after a pause none is. Every flow ends in each case.
DCN_TEST_CASE(IncastTestCase, "incast with and without priority flow control")
{
    // pfc: pauses are obeyed
    // lossless: headroom covers all that can arrive
    // Returns packets lost
    const auto countLost = [&](bool pfc, bool lossless) {
        const uint32_t n = 32;
        std::vector<DcnFlow> flows;
        for (uint32_t i = 0; i < n; ++i)
        {
            flows.push_back({i, i, n, 200'000, 0});
        }
        Ptr<DcnNetworkConfig> config = DcnNetworkConfig::Preset("dctcp");
        config->pfc = pfc;
        config->minRate = DataRate(100'000'000);
        auto scenario = DcnScenario::Create(DcnMakeStar(n + 1), config, flows);
        const DcnPacketTestNetwork network(scenario, "LosslessHeadroom", BooleanValue(lossless));
        network->Run();
        NS_TEST_EXPECT_MSG_EQ((network->GetNPauses() > 0), pfc, "pauses");
        for (int64_t fctNs : network->GetFctNs())
        {
            NS_TEST_EXPECT_MSG_GT(fctNs, 0, "every flow ends, pfc " << pfc);
        }
        NS_TEST_EXPECT_MSG_EQ(network->GetUnfinished().size(), 0, "nothing left");
        return network->GetNDropped();
    };
    const uint64_t without = countLost(false, false);
    const uint64_t evaluation = countLost(true, false);
    NS_TEST_EXPECT_MSG_GT(without, evaluation, "pauses save packets");
    NS_TEST_EXPECT_MSG_GT(evaluation, 0, "but three bandwidth-delay products are too little");
    NS_TEST_EXPECT_MSG_EQ(countLost(true, true), 0, "full headroom loses nothing");
}

/**
 * Two flows of one host take turns packet by packet: a flow of 10 packets that starts together with
 * one of 100 finishes when some 20 packets have been sent, not 110.
 */
DCN_TEST_CASE(RoundRobinTestCase, "flows of a host take turns")
{
    Ptr<DcnNetworkConfig> config = DcnNetworkConfig::Preset("dctcp");
    config->windowBytes = 0;
    auto scenario = DcnScenario::Create(DcnMakeDumbbell(1, 2),
                                        config,
                                        {{0, 0, 1, 100'000, 0}, {1, 0, 2, 10'000, 0}});
    const DcnPacketTestNetwork network(scenario);
    network->Run();
    const int64_t alone = scenario->GetIdealFct(1).GetTotalNs();
    // each of its ten packets follows one of the other flow, of 838.4 ns
    NS_TEST_EXPECT_MSG_EQ_TOL(network->GetFctNs()[1], alone + 8384, 1, "ten more packets");
}

/// Collects the packets that a trace shows.
class Sniffer
{
  public:
    /**
     * @param packet of the trace
     */
    void Take(Ptr<const Packet> packet)
    {
        packets.push_back(packet->Copy());
    }

    std::vector<Ptr<Packet>> packets; //!< in order
};

/**
 * What a trace shows has the length on the wire and headers that say what the frame is.
 */
DCN_TEST_CASE(TraceTestCase, "frames appear as packets in traces")
{
    for (const auto& cc : DcnScenarioSuite::GetLearnedControls())
    {
        Ptr<DcnNetworkConfig> config = DcnNetworkConfig::Preset(cc);
        auto scenario = DcnScenario::Create(DcnMakeDumbbell(1, 1), config, {{7, 0, 1, 1500, 1000}});
        const DcnPacketTestNetwork network(scenario);
        Sniffer sent;
        Sniffer received;
        Ptr<NetDevice> nic = network->GetDevice(scenario->GetPath(0)[0]);
        nic->TraceConnectWithoutContext("PhyTxBegin", MakeCallback(&Sniffer::Take, &sent));
        nic->TraceConnectWithoutContext("PhyRxEnd", MakeCallback(&Sniffer::Take, &received));
        network->Run();
        Simulator::Run(); // the last acknowledgement
        const auto format = DcnCongestionControl::GetWireFormat(*config);
        NS_TEST_ASSERT_MSG_EQ(sent.packets.size(), 2, cc << ": data packets");
        NS_TEST_ASSERT_MSG_EQ(received.packets.size(), 2, cc << ": acknowledgements");
        for (uint32_t i = 0; i < 2; ++i)
        {
            EthernetHeader link(false);
            Ipv4Header ip;
            UdpHeader udp;
            DcnTransportHeader transport;
            Ptr<Packet> data = sent.packets[i];
            NS_TEST_EXPECT_MSG_EQ(data->GetSize(),
                                  (i == 0 ? 1000 : 500) + format.dataHeaderBytes,
                                  cc << ": bytes on the wire");
            data->RemoveHeader(link);
            data->RemoveHeader(ip);
            data->RemoveHeader(udp);
            data->PeekHeader(transport);
            NS_TEST_EXPECT_MSG_EQ(ip.GetPayloadSize(), data->GetSize() + 8, "IP length");
            NS_TEST_EXPECT_MSG_EQ(static_cast<int>(transport.GetKind()),
                                  static_cast<int>(DcnFrameKind::DATA),
                                  "kind");
            NS_TEST_EXPECT_MSG_EQ(transport.GetSequence(), i * 1000U, "sequence");

            Ptr<Packet> ack = received.packets[i];
            NS_TEST_EXPECT_MSG_EQ(ack->GetSize(), format.ackBytes, cc << ": ACK on the wire");
            Ipv4Header ackIp;
            ack->RemoveHeader(link);
            ack->RemoveHeader(ackIp);
            ack->PeekHeader(transport);
            NS_TEST_EXPECT_MSG_EQ(ackIp.GetSource(), ip.GetDestination(), "the way back");
            NS_TEST_EXPECT_MSG_EQ(static_cast<int>(transport.GetKind()),
                                  static_cast<int>(DcnFrameKind::ACK),
                                  "kind");
            NS_TEST_EXPECT_MSG_EQ(transport.GetSequence(), (i == 0 ? 1000U : 1500U), "cumulative");
        }
    }
}

/// Same scenario and seed, same times; and a second run in the same process, later in time.
DCN_TEST_CASE(DeterminismTestCase, "same seed, same completion times")
{
    std::vector<DcnFlow> flows;
    for (uint32_t i = 0; i < 200; ++i)
    {
        flows.push_back({i, i % 4, 4 + (i / 4) % 4, 1000 + 997 * i, 500 * i});
    }
    Ptr<DcnNetworkConfig> config = DcnNetworkConfig::Preset("dcqcn"); // marks at random
    auto scenario = DcnScenario::Create(DcnMakeDumbbell(4, 4), config, flows);
    std::vector<std::vector<int64_t>> times;
    for (int run = 0; run < 3; ++run)
    {
        Ptr<DcnPacketNetwork> network = CreateObject<DcnPacketNetwork>();
        network->AssignStreams(1);
        network->Install(scenario);
        network->Run();
        times.push_back(network->GetFctNs());
        network->Dispose();
        if (run == 1)
        {
            Simulator::Destroy(); // the third run starts at time 0 again, the second did not
        }
    }
    Simulator::Destroy();
    NS_TEST_EXPECT_MSG_EQ((times[0] == times[1]), true, "later in the same simulation");
    NS_TEST_EXPECT_MSG_EQ((times[0] == times[2]), true, "in a new simulation");
}

/// A simulation that ends with a flow.
DCN_TEST_CASE(LastFlowTestCase,
              "the attribute LastFlow ends the simulation and changes nothing before")
{
    Ptr<const DcnScenario> scenario = DcnScenario::Create(
        DcnMakeDumbbell(2, 2),
        DcnNetworkConfig::Preset("dctcp"),
        {{0, 0, 2, 900'000, 0}, {1, 1, 3, 30'000, 10'000}, {2, 1, 2, 1000, 20'000}});
    auto run = [&](const std::string& method) {
        DcnEstimate estimate = DcnEstimator::CreateByName(method)->Estimate(scenario);
        Simulator::Destroy();
        return estimate.fctNs;
    };
    const auto all = run("packet");
    const auto some = run("packet:LastFlow=1");
    NS_TEST_EXPECT_MSG_EQ(some[1], all[1], "the flow itself");
    NS_TEST_EXPECT_MSG_EQ(some[0], DcnEstimate::UNFINISHED, "a flow that ends later");
    NS_TEST_EXPECT_MSG_EQ(some[2], all[2], "a flow that ends before");
    DCN_TEST_EXPECT_ERROR(run("packet:LastFlow=3"),
                          "the attribute LastFlow of the method \"packet\" is 3, but the "
                          "scenario has 3 flows");
}

/// Handshakes, windows that grow and headers of other lengths are no part of the packet engine.
DCN_TEST_CASE(UnmodelledTestCase, "keys of transports with connections are listed")
{
    auto describe = [](const std::string& keys) {
        Ptr<DcnNetworkConfig> network = DcnNetworkConfig::Preset("dctcp");
        network->SetKeys(keys);
        auto scenario = DcnScenario::Create(DcnMakeStar(2), network, {{0, 0, 1, 1000, 0}});
        const std::string provenance =
            DcnEstimator::CreateByName("packet")->Estimate(scenario).provenance;
        Simulator::Destroy();
        return provenance;
    };
    NS_TEST_EXPECT_MSG_EQ(describe(""), "packet-level simulation, dctcp", "nothing");
    NS_TEST_EXPECT_MSG_EQ(describe("header_bytes=54,handshake_rtts=1,initial_window_bytes=2000,"
                                   "slow_start_bytes=4000,window_growth_divisor=2,queue_packets=9"),
                          "packet-level simulation, dctcp; not modelled: "
                          "handshake_rtts, initial_window_bytes, slow_start_bytes, "
                          "window_growth_divisor, queue_packets",
                          "all");
}

/// Configurations that cannot work are refused with the numbers.
DCN_TEST_CASE(RefusalTestCase, "impossible configurations are refused")
{
    Ptr<DcnNetworkConfig> config = DcnNetworkConfig::Preset("dctcp");
    config->bufferBytes = 30'000;
    auto scenario = DcnScenario::Create(DcnMakeDumbbell(4, 4), config, {{0, 0, 4, 1000, 0}});
    // 5 ports of 10 Gb/s and 1 us: 4096 + 3 * 1250 bytes each
    DCN_TEST_EXPECT_ERROR(CreateObject<DcnPacketNetwork>()->Install(scenario),
                          "switch 8 sets aside 39230 bytes as reserve and headroom of its 5 "
                          "ports, but buffer_bytes is 30000; a buffer of three times as much "
                          "leaves them a share: buffer_bytes=117690");
    Simulator::Destroy();
}

/// The suite.
class DcnPacketTestSuite : public TestSuite
{
  public:
    DcnPacketTestSuite()
        : TestSuite("dcn-packet", Type::UNIT)
    {
        AddTestCase(new IdealTestCase);
        for (const auto& cc : DcnScenarioSuite::GetLearnedControls())
        {
            AddTestCase(new ConservationTestCase(cc));
        }
        AddTestCase(new DctcpThroughputTestCase);
        AddTestCase(new IncastTestCase);
        AddTestCase(new RoundRobinTestCase);
        AddTestCase(new TraceTestCase);
        AddTestCase(new DeterminismTestCase);
        AddTestCase(new LastFlowTestCase);
        AddTestCase(new UnmodelledTestCase);
        AddTestCase(new RefusalTestCase);
    }
};

DcnPacketTestSuite g_dcnPacketTestSuite; //!< the suite

} // namespace

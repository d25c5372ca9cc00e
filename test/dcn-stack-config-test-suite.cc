/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "dcn-test-case.h"
#include "dcn-test-error.h"
#include "dcn-test-scenario.h"

#include "ns3/boolean.h"
#include "ns3/bulk-send-helper.h"
#include "ns3/config.h"
#include "ns3/csma-helper.h"
#include "ns3/data-rate.h"
#include "ns3/dcn-estimator.h"
#include "ns3/dcn-scenario-helper.h"
#include "ns3/double.h"
#include "ns3/error-model.h"
#include "ns3/inet-socket-address.h"
#include "ns3/internet-stack-helper.h"
#include "ns3/ipv4-address-helper.h"
#include "ns3/ipv4-global-routing-helper.h"
#include "ns3/ipv4.h"
#include "ns3/on-off-helper.h"
#include "ns3/packet-sink-helper.h"
#include "ns3/point-to-point-helper.h"
#include "ns3/pointer.h"
#include "ns3/random-variable-stream.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/test.h"
#include "ns3/traffic-control-helper.h"
#include "ns3/udp-client-server-helper.h"
#include "ns3/uinteger.h"

#include <cmath>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

using namespace ns3;

namespace
{

/// Sets defaults and restores them at its end.
class Defaults
{
  public:
    ~Defaults()
    {
        for (const auto& [name, text] : m_before)
        {
            Config::SetDefault(name, StringValue(text));
        }
    }

    /// Sets a default, such as ("ns3::TcpSocket", "SegmentSize", "1000").
    void Set(const std::string& type, const std::string& name, const std::string& value)
    {
        TypeId::AttributeInformation known;
        TypeId::LookupByName(type).LookupAttributeByName(name, &known);
        const std::string full = type + "::" + name;
        m_before.emplace(full, known.initialValue->SerializeToString(known.checker));
        Config::SetDefault(full, StringValue(value));
    }

  private:
    std::map<std::string, std::string> m_before; //!< values by name
};

/// Two hosts with a router between them, IPv4 and routes.
struct Chain
{
    NodeContainer hosts{2};                                //!< node indices 0 and 1
    NodeContainer router{1};                               //!< node index 2
    NodeContainer nodes{NodeContainer(hosts, router)};     //!< all
    std::map<uint16_t, std::pair<uint64_t, Time>> arrived; //!< bytes and last arrival, by port

    /**
     * @param rate of both links
     * @param delay of both links
     * @param disc queue disc of the router; empty: the default
     */
    explicit Chain(const std::string& rate,
                   const std::string& delay,
                   TrafficControlHelper* disc = nullptr)
    {
        PointToPointHelper link;
        link.SetDeviceAttribute("DataRate", StringValue(rate));
        link.SetChannelAttribute("Delay", StringValue(delay));
        InternetStackHelper().Install(nodes);
        Ipv4AddressHelper subnets("10.0.0.0", "255.255.255.0");
        for (uint32_t host = 0; host < 2; ++host)
        {
            const NetDeviceContainer ends = link.Install(hosts.Get(host), router.Get(0));
            if (disc)
            {
                disc->Install(ends.Get(1));
            }
            subnets.Assign(ends);
            subnets.NewNetwork();
        }
        Ipv4GlobalRoutingHelper::PopulateRoutingTables();
    }

    ~Chain()
    {
        Simulator::Destroy();
    }

    /// @return address and port of the second host
    InetSocketAddress GetAddress(uint16_t port) const
    {
        return {hosts.Get(1)->GetObject<Ipv4>()->GetAddress(1, 0).GetLocal(), port};
    }

    /// A sink has received payload.
    static void OnArrival(Chain* chain, uint16_t port, Ptr<const Packet> packet, const Address&)
    {
        chain->arrived[port].first += packet->GetSize();
        chain->arrived[port].second = Simulator::Now();
    }

    /// Installs a BulkSendApplication, and its sink.
    void Send(uint16_t port, uint64_t bytes, Time start)
    {
        BulkSendHelper sender("ns3::TcpSocketFactory", GetAddress(port));
        sender.SetAttribute("MaxBytes", UintegerValue(bytes));
        sender.Install(hosts.Get(0)).Start(start);
        PacketSinkHelper sink("ns3::TcpSocketFactory", GetAddress(port));
        sink.Install(hosts.Get(1))
            .Get(0)
            ->TraceConnectWithoutContext("Rx", MakeBoundCallback(&Chain::OnArrival, this, port));
    }

    /// @return the configuration that is read
    Ptr<const DcnNetworkConfig> Read(std::vector<std::string>* notes = nullptr) const
    {
        DcnScenarioHelper reader;
        const auto config = reader.FromApplications(nodes)->GetNetworkConfig();
        if (notes)
        {
            *notes = reader.GetNotes();
        }
        return config;
    }
};

DCN_TEST_CASE(KeysTestCase, "keys of transports are written where they are set, and checked")
{
    Ptr<DcnNetworkConfig> config = DcnNetworkConfig::Preset("dctcp");
    const auto before = config->GetKeys();
    for (const auto& [key, value] : before)
    {
        NS_TEST_EXPECT_MSG_EQ((key == "header_bytes" || key == "handshake_rtts" ||
                               key == "initial_window_bytes" || key == "slow_start_bytes" ||
                               key == "window_growth_divisor" || key == "queue_packets"),
                              false,
                              key << " has its default");
    }
    config->SetKeys("header_bytes=54,handshake_rtts=1,initial_window_bytes=14480,"
                    "slow_start_bytes=20000,window_growth_divisor=20,queue_packets=100");
    NS_TEST_EXPECT_MSG_EQ(config->GetKeys().size(), before.size() + 6, "all of them are written");
    Ptr<DcnNetworkConfig> copy = CreateObject<DcnNetworkConfig>();
    for (const auto& [key, value] : config->GetKeys())
    {
        copy->SetKey(key, value);
    }
    NS_TEST_EXPECT_MSG_EQ((copy->GetKeys() == config->GetKeys()), true, "read back");
    copy->Check({10 * DCN_GBPS});
    const auto refuse = [](const std::string& keys, const std::string& sentence) {
        Ptr<DcnNetworkConfig> bad = DcnNetworkConfig::Preset("dctcp");
        bad->SetKeys(keys);
        return DcnSentenceOf([&] { bad->Check({10 * DCN_GBPS}); }) == sentence;
    };
    NS_TEST_EXPECT_MSG_EQ(
        refuse("queue_packets=7",
               "queue_packets is 7, which has no effect without initial_window_bytes"),
        true,
        "a queue without windows");
    NS_TEST_EXPECT_MSG_EQ(
        refuse("initial_window_bytes=5000,window_growth_divisor=2",
               "window_growth_divisor is 2, which has no effect without slow_start_bytes"),
        true,
        "growth without an end of slow start");
    DCN_TEST_EXPECT_ERROR(config->SetKey("handshake_rtts", "11"),
                          "handshake_rtts cannot be \"11\"; it takes a whole number from 0 to 10");
}

DCN_TEST_CASE(OpeningTestCase, "the ideal time has the handshake and the waits of slow start")
{
    // two links of 10 Gb/s and 1 us
    Ptr<DcnTopology> topology = DcnMakeStar(2);
    Ptr<DcnNetworkConfig> config = DcnNetworkConfig::Preset("dctcp");
    config->windowBytes = 0;
    const auto ideal = [&](uint64_t bytes) {
        return DcnScenario::Create(topology, config, {{0, 0, 1, bytes, 0}})->GetIdealFct(0);
    };
    const int64_t plain = ideal(50'000).GetTotalNs();
    NS_TEST_EXPECT_MSG_EQ(ideal(50'000).openingNs, 0, "without a connection");
    config->handshakeRtts = 2;
    // two round trips of 48 bytes: 4 us, and 38.4 ns four times; 8307.2 ns
    NS_TEST_EXPECT_MSG_EQ(ideal(50'000).GetTotalNs() - plain, 8307, "handshake");
    config->handshakeRtts = 0;
    config->initialWindowBytes = 1000;
    // T = 4 us + 2 (838.4 + 38.4) + 838.4 = 6592 ns; windows of 1, 2, 4 packets of 838.4 ns leave
    // gaps, 8 do not
    const auto whole = [](double ns) { return static_cast<int64_t>(ns); };
    constexpr double T = 6592;
    NS_TEST_EXPECT_MSG_EQ(ideal(50'000).openingNs, whole(3 * T - 7 * 838.4), "three gaps");
    NS_TEST_EXPECT_MSG_EQ(ideal(3'000).openingNs, whole(T - 838.4), "the last window has no gap");
    NS_TEST_EXPECT_MSG_EQ(ideal(1'000).openingNs, 0, "one window");
    config->windowBytes = 2000;
    // 1, then 24 windows of 2 packets, and one packet: 24 gaps of the latter kind
    NS_TEST_EXPECT_MSG_EQ(ideal(50'000).openingNs,
                          whole(T - 838.4 + 24 * (T - 2 * 838.4)),
                          "the largest window is below the bandwidth-delay product");
    config->windowBytes = 0;
    config->headerBytes = 148;
    // 50 packets, two links: 100 bytes more in each frame of the pipeline and in the first one
    config->initialWindowBytes = 0;
    NS_TEST_EXPECT_MSG_EQ(ideal(50'000).GetTotalNs() - plain, 51 * 80, "headers");
}

DCN_TEST_CASE(DefaultsTestCase, "sockets, devices and queue discs give the configuration")
{
    Defaults defaults;
    defaults.Set("ns3::TcpSocket", "SegmentSize", "1448");
    {
        Chain chain("1Gbps", "5us");
        chain.Send(80, 10'000, Seconds(1));
        const auto config = chain.Read();
        NS_TEST_EXPECT_MSG_EQ(config->payloadBytes, 1448, "segment");
        NS_TEST_EXPECT_MSG_EQ(config->headerBytes, 2 + 20 + 20 + 12, "PPP, IP, TCP, time stamps");
        NS_TEST_EXPECT_MSG_EQ(config->handshakeRtts, 1, "handshake");
        NS_TEST_EXPECT_MSG_EQ(config->initialWindowBytes, 14'480, "ten segments");
        NS_TEST_EXPECT_MSG_EQ(config->windowBytes, 131'072, "buffers");
        NS_TEST_EXPECT_MSG_EQ(config->slowStartBytes, 16 * 1448, "HyStartLowWindow");
        NS_TEST_EXPECT_MSG_EQ(config->windowGrowthDivisor, 20, "CntClamp");
        NS_TEST_EXPECT_MSG_EQ(config->queuePackets, 100, "the device's queue: FqCoDel is fair");
        NS_TEST_EXPECT_MSG_EQ(config->bufferBytes,
                              2 * (100 + 10'240) * 1502,
                              "two ports of device and queue disc");
        NS_TEST_EXPECT_MSG_EQ(config->ecnKminBytes, config->bufferBytes, "no marks");
        NS_TEST_EXPECT_MSG_EQ(config->pfc, false, "no pauses");
    }
    defaults.Set("ns3::TcpSocket", "InitialCwnd", "4");
    defaults.Set("ns3::TcpSocket", "RcvBufSize", "60000");
    defaults.Set("ns3::TcpSocketBase", "Timestamp", "false");
    defaults.Set("ns3::TcpL4Protocol", "SocketType", "ns3::TcpLinuxReno");
    defaults.Set("ns3::DropTailQueue<Packet>", "MaxSize", "40p");
    {
        TrafficControlHelper fifo;
        fifo.SetRootQueueDisc("ns3::FifoQueueDisc", "MaxSize", StringValue("30p"));
        Chain chain("1Gbps", "5us", &fifo);
        chain.Send(80, 10'000, Seconds(1));
        const auto config = chain.Read();
        NS_TEST_EXPECT_MSG_EQ(config->headerBytes, 42, "without time stamps");
        NS_TEST_EXPECT_MSG_EQ(config->initialWindowBytes, 4 * 1448, "four segments");
        NS_TEST_EXPECT_MSG_EQ(config->windowBytes, 60'000, "the smaller buffer");
        NS_TEST_EXPECT_MSG_EQ(config->slowStartBytes, 0, "Reno has no HyStart");
        NS_TEST_EXPECT_MSG_EQ(config->queuePackets, 70, "queue disc and device");
    }
    TrafficControlHelper red;
    {
        red.SetRootQueueDisc("ns3::RedQueueDisc",
                             "UseEcn",
                             BooleanValue(true),
                             "MinTh",
                             DoubleValue(10),
                             "MaxTh",
                             DoubleValue(20),
                             "LInterm",
                             DoubleValue(4));
        Chain chain("2Gbps", "5us", &red);
        chain.Send(80, 10'000, Seconds(1));
        std::vector<std::string> notes;
        auto config = chain.Read(&notes);
        NS_TEST_EXPECT_MSG_EQ(config->ecnKminBytes, config->bufferBytes, "sockets without ECN");
        NS_TEST_ASSERT_MSG_EQ(notes.size(), 1, "a note");
        NS_TEST_EXPECT_MSG_EQ(notes[0],
                              "queue discs mark packets (RedQueueDisc::UseEcn), but sockets do not "
                              "use ECN (TcpSocketBase::UseEcn is not On): no packet is marked",
                              "sentence");
        // no SYN of such a sender asks for ECN
        defaults.Set("ns3::TcpSocketBase", "UseEcn", "AcceptOnly");
        NS_TEST_EXPECT_MSG_EQ(chain.Read()->ecnKminBytes, config->bufferBytes, "AcceptOnly");
        defaults.Set("ns3::TcpSocketBase", "UseEcn", "On");
        config = chain.Read();
        const uint64_t packet = 1448 + 42;
        NS_TEST_EXPECT_MSG_EQ(config->ecnKminBytes, 10 * packet, "MinTh");
        NS_TEST_EXPECT_MSG_EQ(config->ecnKmaxBytes, 20 * packet, "MaxTh");
        NS_TEST_EXPECT_MSG_EQ_TOL(config->ecnPmax, 0.25, 1e-9, "LInterm");
        NS_TEST_EXPECT_MSG_EQ(config->ecnReferenceRate.GetBitRate(), 2 * DCN_GBPS, "its port");
        NS_TEST_EXPECT_MSG_EQ(config->queuePackets, 60, "up to MaxTh, and the device's");
        defaults.Set("ns3::TcpSocket", "InitialCwnd", "0");
        NS_TEST_EXPECT_MSG_EQ(
            DcnSentenceOf([&] { chain.Read(); }),
            "the default of TcpSocket::InitialCwnd is 0 segments, so that TCP sends nothing",
            "sentence");
        defaults.Set("ns3::TcpSocket", "InitialCwnd", "10");
        defaults.Set("ns3::TcpSocket", "SndBufSize", "1000");
        NS_TEST_EXPECT_MSG_EQ(DcnSentenceOf([&] { chain.Read(); }),
                              "the smaller one of TcpSocket::SndBufSize and RcvBufSize is 1000 "
                              "bytes, less than a segment of 1448 bytes",
                              "sentence");
    }
    defaults.Set("ns3::TcpSocketBase", "UseEcn", "Off");
    defaults.Set("ns3::TcpSocket", "SndBufSize", "131072");
    defaults.Set("ns3::TcpL4Protocol", "SocketType", "ns3::TcpDctcp");
    {
        Chain chain("2Gbps", "5us", &red);
        chain.Send(80, 10'000, Seconds(1));
        std::vector<std::string> notes;
        const auto config = chain.Read(&notes);
        NS_TEST_EXPECT_MSG_EQ(config->ecnKmaxBytes, 20 * 1490, "DCTCP turns ECN on");
        NS_TEST_EXPECT_MSG_EQ(notes.size(), 0, "no note");
    }
}

DCN_TEST_CASE(UdpTestCase, "UDP has headers of its own, no handshake and no window")
{
    Chain chain("1Gbps", "5us");
    UdpClientHelper client(chain.GetAddress(9).GetIpv4(), 9);
    client.SetAttribute("MaxPackets", UintegerValue(3));
    client.SetAttribute("PacketSize", UintegerValue(700));
    client.Install(chain.hosts.Get(0)).Start(Seconds(1));
    auto config = chain.Read();
    NS_TEST_EXPECT_MSG_EQ(config->payloadBytes, 700, "largest packet");
    NS_TEST_EXPECT_MSG_EQ(config->headerBytes, 2 + 20 + 8, "PPP, IP, UDP");
    NS_TEST_EXPECT_MSG_EQ(config->handshakeRtts + config->initialWindowBytes + config->windowBytes +
                              config->queuePackets,
                          0,
                          "no connection");
    chain.Send(80, 10'000, Seconds(1));
    std::vector<std::string> notes;
    config = chain.Read(&notes);
    NS_TEST_EXPECT_MSG_EQ(config->handshakeRtts, 1, "where senders differ, that of TCP");
    NS_TEST_ASSERT_MSG_EQ(notes.size(), 1, "a note");
    NS_TEST_EXPECT_MSG_EQ(notes[0],
                          "the configuration is that of TCP, with its handshake and windows, for 1 "
                          "senders over UDP, too, beside 1 over TCP",
                          "sentence");
}

DCN_TEST_CASE(UnreadTestCase, "senders that cannot be read have a transport; without any it is TCP")
{
    {
        const Chain chain("1Gbps", "5us");
        const Ptr<const DcnTopology> topology = DcnTopology::FromNodes(chain.nodes);
        DcnScenarioHelper reader;
        reader.FindSources(topology);
        auto config = reader.MakeConfig(*topology);
        NS_TEST_EXPECT_MSG_EQ(config->payloadBytes, 536, "ns-3's segment");
        NS_TEST_EXPECT_MSG_EQ(config->headerBytes, 2 + 20 + 32, "PPP, IP, TCP with time stamps");
        NS_TEST_EXPECT_MSG_EQ(config->handshakeRtts, 1, "a connection");
        OnOffHelper onOff("ns3::UdpSocketFactory", chain.GetAddress(9));
        onOff.SetConstantRate(DataRate("1Mbps"), 900);
        onOff.SetAttribute("OnTime", StringValue("ns3::ExponentialRandomVariable[Mean=1]"));
        onOff.Install(chain.hosts.Get(0)).Start(Seconds(1));
        reader.FindSources(topology);
        config = reader.MakeConfig(*topology);
        NS_TEST_EXPECT_MSG_EQ(config->payloadBytes, 900, "its packets");
        NS_TEST_EXPECT_MSG_EQ(config->headerBytes, 2 + 20 + 8, "PPP, IP, UDP");
        NS_TEST_EXPECT_MSG_EQ(config->handshakeRtts + config->initialWindowBytes, 0, "none");
    }
    {
        // a sender that is not part of the scenario does not change its transport
        Chain chain("1Gbps", "5us");
        chain.Send(80, 0, Seconds(1)); // without end
        UdpClientHelper client(chain.GetAddress(9).GetIpv4(), 9);
        client.SetAttribute("MaxPackets", UintegerValue(3));
        client.Install(chain.hosts.Get(0)).Start(Seconds(1));
        NS_TEST_EXPECT_MSG_EQ(chain.Read()->handshakeRtts, 0, "UDP");
    }
}

/// TCP flows alone, one after the other, on paths below, at and above the bandwidth-delay product
/// that the initial window covers: the ideal time and that of flowsim are those of ns-3's TCP. The
/// sizes end within a window: ns-3 counts the first acknowledgement as one segment, so that its
/// windows are some segments smaller, and a flow that just fits into a window needs one more.
DCN_TEST_CASE(AloneTestCase, "a flow alone takes the ideal time over ns-3's TCP")
{
    Defaults defaults;
    defaults.Set("ns3::TcpSocket", "SegmentSize", "1448");
    defaults.Set("ns3::TcpL4Protocol", "SocketType", "ns3::TcpLinuxReno");
    for (const char* delay : {"5us", "100us", "1ms"})
    {
        Chain chain("1Gbps", delay);
        const std::vector<uint64_t> sizes{100, 1448, 14'480, 60'000, 180'000, 900'000};
        for (std::size_t i = 0; i < sizes.size(); ++i)
        {
            chain.Send(static_cast<uint16_t>(1 + i), sizes[i], Seconds(1.0 + 0.1 * i));
        }
        DcnScenarioHelper reader;
        const auto scenario = reader.FromApplications(chain.nodes);
        const DcnEstimate fluid = DcnEstimator::CreateByName("flowsim")->Estimate(scenario);
        Simulator::Stop(Seconds(2));
        Simulator::Run();
        for (std::size_t i = 0; i < sizes.size(); ++i)
        {
            const auto& [bytes, end] = chain.arrived[static_cast<uint16_t>(1 + i)];
            NS_TEST_ASSERT_MSG_EQ(bytes, sizes[i], "all bytes arrive");
            const auto tcpNs =
                static_cast<double>(end.GetNanoSeconds() - scenario->GetFlows()[i].startNs);
            const auto idealNs = static_cast<double>(scenario->GetIdealFct(i).GetTotalNs());
            NS_TEST_EXPECT_MSG_EQ_TOL(idealNs / tcpNs,
                                      1,
                                      0.02,
                                      sizes[i] << " bytes, " << delay << ": " << tcpNs << " ns");
            NS_TEST_EXPECT_MSG_EQ_TOL(static_cast<double>(fluid.fctNs[i]) / idealNs,
                                      1,
                                      0.001,
                                      "flowsim, " << sizes[i] << " bytes, " << delay);
        }
    }
}

/// A stock ns-3 script: TCP bulk transfers and an OnOff application on a leaf-spine with global
/// routing. The mean absolute error of flowsim against TCP, flow by flow, must be at most a bound.
class StockScriptTestCase : public TestCase
{
  public:
    StockScriptTestCase()
        : TestCase("flowsim beside TCP in a stock script: error per flow")
    {
    }

  private:
    static constexpr uint32_t FLOWS = 200;        //!< bulk transfers
    static constexpr double LARGEST_ERROR = 0.12; //!< with the configuration of the stack
    static constexpr double SMALLEST_GAIN = 0.03; //!< of the error, by that configuration

    /// A sink has received payload.
    static void OnArrival(std::vector<int64_t>* ends,
                          uint32_t flow,
                          Ptr<const Packet>,
                          const Address&)
    {
        (*ends)[flow] = Simulator::Now().GetNanoSeconds();
    }

    void DoRun() override
    {
        Defaults defaults;
        defaults.Set("ns3::TcpSocket", "SegmentSize", "1448");
        NodeContainer hosts(16);
        NodeContainer leaves(4);
        NodeContainer spines(4);
        const NodeContainer nodes(hosts, leaves, spines);
        PointToPointHelper link;
        link.SetDeviceAttribute("DataRate", StringValue("1Gbps"));
        link.SetChannelAttribute("Delay", StringValue("5us"));
        InternetStackHelper().Install(nodes);
        Ipv4AddressHelper subnets("10.0.0.0", "255.255.255.0");
        const auto join = [&](Ptr<Node> a, Ptr<Node> b) {
            subnets.Assign(link.Install(a, b));
            subnets.NewNetwork();
        };
        for (uint32_t i = 0; i < 16; ++i)
        {
            join(hosts.Get(i), leaves.Get(i / 4));
            join(leaves.Get(i / 4), spines.Get(i % 4));
        }
        Ipv4GlobalRoutingHelper::PopulateRoutingTables();
        auto random = CreateObject<UniformRandomVariable>();
        random->SetStream(7);
        std::vector<int64_t> ends(FLOWS + 1, 0);
        for (uint32_t i = 0; i <= FLOWS; ++i)
        {
            const uint32_t from = random->GetInteger(0, 15);
            const uint32_t to = (from + random->GetInteger(1, 15)) % 16;
            const auto ip = hosts.Get(to)->GetObject<Ipv4>();
            const InetSocketAddress address(ip->GetAddress(1, 0).GetLocal(),
                                            static_cast<uint16_t>(1000 + i));
            ApplicationContainer sender;
            if (i < FLOWS)
            {
                BulkSendHelper bulk("ns3::TcpSocketFactory", address);
                bulk.SetAttribute("MaxBytes", UintegerValue(random->GetInteger(10'000, 500'000)));
                sender = bulk.Install(hosts.Get(from));
            }
            else
            {
                OnOffHelper onOff("ns3::TcpSocketFactory", address);
                onOff.SetConstantRate(DataRate("20Mbps"), 1000);
                onOff.SetAttribute("MaxBytes", UintegerValue(100'000));
                sender = onOff.Install(hosts.Get(from));
            }
            sender.Start(MicroSeconds(random->GetInteger(0, 50'000)));
            PacketSinkHelper sink("ns3::TcpSocketFactory", address);
            sink.Install(hosts.Get(to))
                .Get(0)
                ->TraceConnectWithoutContext(
                    "Rx",
                    MakeBoundCallback(&StockScriptTestCase::OnArrival, &ends, i));
        }
        DcnScenarioHelper reader;
        const auto flowsim = DcnEstimator::CreateByName("flowsim");
        auto fctNs = reader.GetSourceFctNs(flowsim->Estimate(reader.FromApplications(nodes)));
        DcnScenarioHelper without;
        Ptr<DcnNetworkConfig> preset = DcnNetworkConfig::Preset("dctcp", DCN_GBPS);
        preset->payloadBytes = 1448;
        without.SetConfig(preset);
        auto plainNs = without.GetSourceFctNs(flowsim->Estimate(without.FromApplications(nodes)));
        Simulator::Stop(Seconds(20));
        Simulator::Run();
        double error = 0;
        double plainError = 0;
        NS_TEST_ASSERT_MSG_EQ(reader.GetSources().size(), FLOWS + 1, "all senders are read");
        for (std::size_t i = 0; i < reader.GetSources().size(); ++i)
        {
            const auto& source = reader.GetSources()[i];
            const auto tcpNs =
                static_cast<double>(ends[source.ip.destinationPort - 1000] - source.startNs);
            NS_TEST_ASSERT_MSG_GT(tcpNs, 0, "it has finished");
            error += std::abs(static_cast<double>(fctNs[i]) / tcpNs - 1) / (FLOWS + 1);
            plainError += std::abs(static_cast<double>(plainNs[i]) / tcpNs - 1) / (FLOWS + 1);
        }
        Simulator::Destroy();
        NS_TEST_EXPECT_MSG_LT(error, LARGEST_ERROR, "with the configuration of the stack");
        NS_TEST_EXPECT_MSG_GT(plainError - error, SMALLEST_GAIN, "without it: " << plainError);
    }
};

DCN_TEST_CASE(UnmodelledTestCase, "a note names what links, devices and sockets do beyond methods")
{
    struct Case
    {
        std::string part;                               // of the note; empty: no note
        std::function<void(Defaults&)> set;             // sets defaults
        std::function<TrafficControlHelper()> makeDisc; // of the router; empty: none
        std::function<void(Chain&)> change;             // changes the network
    };

    const auto spoil = [](double rate) {
        return [rate](Chain& chain) {
            auto model = CreateObject<RateErrorModel>();
            model->SetRate(rate);
            chain.hosts.Get(1)->GetDevice(1)->SetAttribute("ReceiveErrorModel",
                                                           PointerValue(model));
        };
    };
    const auto set =
        [](const std::string& type, const std::string& name, const std::string& value) {
            return [=](Defaults& defaults) { defaults.Set(type, name, value); };
        };
    const auto disc = [](const std::string& type) {
        return [type]() {
            TrafficControlHelper helper;
            helper.SetRootQueueDisc(type);
            return helper;
        };
    };
    const std::vector<Case> cases{
        {"", nullptr, nullptr, nullptr},
        {"", nullptr, nullptr, spoil(0)},
        {"", nullptr, disc("ns3::FifoQueueDisc"), nullptr},
        {"", set("ns3::TcpL4Protocol", "SocketType", "ns3::TcpCubic"), nullptr, nullptr},
        {"", set("ns3::TcpL4Protocol", "SocketType", "ns3::TcpLinuxReno"), nullptr, nullptr},
        {"packets are lost at 1 device, device 1 of node ", nullptr, nullptr, spoil(1e-5)},
        {"senders use ns3::TcpVegas, whose control no method models",
         set("ns3::TcpL4Protocol", "SocketType", "ns3::TcpVegas"),
         nullptr,
         nullptr},
        {"senders use ns3::TcpBbr, whose control no method models",
         set("ns3::TcpL4Protocol", "SocketType", "ns3::TcpBbr"),
         nullptr,
         nullptr},
        {"sockets pace their packets",
         set("ns3::TcpSocketState", "EnablePacing", "true"),
         nullptr,
         nullptr},
        {"the first window of 1 segments (TcpSocket::InitialCwnd) waits",
         set("ns3::TcpSocket", "InitialCwnd", "1"),
         nullptr,
         nullptr},
        {"frames have gaps between them at 4 devices",
         set("ns3::PointToPointNetDevice", "InterframeGap", "1us"),
         nullptr,
         nullptr},
        {"ns3::TbfQueueDisc at 2 devices, such as device 1 of node",
         nullptr,
         disc("ns3::TbfQueueDisc"),
         nullptr},
        {"ns3::RedQueueDisc at 2 devices, such as", nullptr, disc("ns3::RedQueueDisc"), nullptr},
        {"links have MTUs from 400 to 1500 bytes and packets have up to 588",
         nullptr,
         nullptr,
         [](Chain& chain) { chain.router.Get(0)->GetDevice(2)->SetMtu(400); }},
        {"packets may be lost in front of 1 link, 2->1 with ",
         set("ns3::DropTailQueue<Packet>", "MaxSize", "20p"),
         [] {
             TrafficControlHelper helper;
             helper.SetRootQueueDisc("ns3::FifoQueueDisc", "MaxSize", StringValue("30p"));
             return helper;
         },
         [](Chain& chain) { chain.Send(81, 500'000, Seconds(1)); }},
    };
    for (const Case& each : cases)
    {
        Defaults defaults;
        if (each.set)
        {
            each.set(defaults);
        }
        TrafficControlHelper helper;
        if (each.makeDisc)
        {
            helper = each.makeDisc();
        }
        Chain chain("100Mbps", "10us", each.makeDisc ? &helper : nullptr);
        if (each.change)
        {
            each.change(chain);
        }
        chain.Send(80, 20'000, Seconds(1));
        std::vector<std::string> notes;
        chain.Read(&notes);
        bool hasNote = each.part.empty() && notes.empty();
        std::string all;
        for (const std::string& note : notes)
        {
            hasNote = hasNote || (!each.part.empty() && note.rfind(each.part, 0) == 0);
            all += note + "; ";
        }
        NS_TEST_EXPECT_MSG_EQ(hasNote, true, each.part << ": " << all);
    }
}

DCN_TEST_CASE(CsmaNoteTestCase, "CSMA channels are half-duplex and resolve addresses: two notes")
{
    NodeContainer nodes(3); // 1 is the router; only its first link is a CSMA channel
    CsmaHelper csma;
    csma.SetChannelAttribute("DataRate", StringValue("1Gbps"));
    csma.SetChannelAttribute("Delay", StringValue("20us"));
    PointToPointHelper link;
    link.SetDeviceAttribute("DataRate", StringValue("1Gbps"));
    InternetStackHelper().Install(nodes);
    Ipv4AddressHelper subnets("10.0.0.0", "255.255.255.0");
    subnets.Assign(csma.Install(NodeContainer(nodes.Get(0), nodes.Get(1))));
    subnets.NewNetwork();
    const Ipv4InterfaceContainer last = subnets.Assign(link.Install(nodes.Get(1), nodes.Get(2)));
    Ipv4GlobalRoutingHelper::PopulateRoutingTables();
    BulkSendHelper sender("ns3::TcpSocketFactory", InetSocketAddress(last.GetAddress(1), 80));
    sender.SetAttribute("MaxBytes", UintegerValue(5000));
    sender.Install(nodes.Get(0)).Start(Seconds(1));
    DcnScenarioHelper reader;
    reader.FromApplications(nodes);
    const std::vector<std::string> notes = reader.GetNotes();
    NS_TEST_ASSERT_MSG_EQ(notes.size(), 2, "notes");
    NS_TEST_EXPECT_MSG_EQ(notes[0],
                          "methods take 1 CSMA channel, 0->1, where a frame of 1500 bytes is sent "
                          "for 12000 ns and travels for 20000 ns, for full-duplex links: in ns-3 "
                          "such a channel carries one frame at a time, in one direction, and is "
                          "busy while the frame travels",
                          "sentence");
    NS_TEST_EXPECT_MSG_EQ(notes[1].rfind("on 1 link, 0->1, ns-3 finds the address", 0),
                          0,
                          notes[1]);
    Simulator::Destroy();
}

const DcnTestSuite<> g_suite("dcn-stack-config",
                             {new KeysTestCase,
                              new OpeningTestCase,
                              new DefaultsTestCase,
                              new UdpTestCase,
                              new UnreadTestCase,
                              new AloneTestCase,
                              new StockScriptTestCase,
                              new UnmodelledTestCase,
                              new CsmaNoteTestCase});

} // namespace

/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "mql-truth-tcp.h"

#include "mql-truth-network.h"

#include "ns3/boolean.h"
#include "ns3/dcn-error.h"
#include "ns3/inet-socket-address.h"
#include "ns3/internet-stack-helper.h"
#include "ns3/ipv4-address-helper.h"
#include "ns3/ipv4-header.h"
#include "ns3/ipv4-static-routing-helper.h"
#include "ns3/ppp-header.h"
#include "ns3/simulator.h"
#include "ns3/socket-factory.h"
#include "ns3/tcp-header.h"
#include "ns3/tcp-socket-factory.h"
#include "ns3/uinteger.h"

#include <cmath>
#include <deque>
#include <memory>
#include <utility>
#include <vector>

namespace ns3
{

namespace
{

constexpr uint32_t OVERHEAD_BYTES = 54;   //!< PPP 2, IP 20, TCP 20 and its time stamps 12
constexpr uint16_t FIRST_PORT = 10000;    //!< port of flow 0's destination
constexpr uint32_t MAX_FLOWS = 50000;     //!< limit by the number of ports
constexpr int64_t CONNECT_NS = 1'000'000; //!< connections are opened in this time [ns]

/// State of a connection.
struct Connection
{
    Ptr<Socket> socket; //!< of the source
    /// Segments under way, by the sequence number after their last byte, with the time of sending.
    std::deque<std::pair<SequenceNumber32, int64_t>> segments;
    SequenceNumber32 highest{0}; //!< largest sequence number sent so far
};

/// The headers of a packet on a link.
struct Headers
{
    Ipv4Header ip;    //!< IP
    TcpHeader tcp;    //!< TCP
    uint32_t payload; //!< bytes after them

    Headers(Ptr<const Packet> packet, bool hasPpp)
    {
        Ptr<Packet> copy = packet->Copy();
        if (hasPpp)
        {
            PppHeader ppp;
            copy->RemoveHeader(ppp);
        }
        copy->RemoveHeader(ip);
        copy->RemoveHeader(tcp);
        payload = copy->GetSize();
    }
};

/// Connections of all flows.
class TcpTraffic
{
  public:
    TcpTraffic(const MqlTruthTraffic& traffic, const MqlTruthWatch& watch)
        : m_traffic(traffic),
          m_watch(watch),
          m_source(traffic),
          m_recorder(traffic),
          m_connections(traffic.GetFlows().size())
    {
        if (traffic.GetFlows().size() > MAX_FLOWS)
        {
            DcnFail("TCP can be simulated for ",
                    MAX_FLOWS,
                    " flows, not for ",
                    traffic.GetFlows().size());
        }
        for (const auto& flow : traffic.GetFlows())
        {
            if (flow.meanBytes <= OVERHEAD_BYTES)
            {
                DcnFail("packets of ", flow.meanBytes, " bytes are too small for TCP");
            }
        }
    }

    MqlTruthResult Run()
    {
        m_network = std::make_unique<MqlTruthNetwork>(m_traffic, m_recorder, m_watch);
        m_network->Forward(Callback<void, Ptr<Packet>>());
        InstallHosts();
        for (uint32_t flow = 0; flow < m_connections.size(); ++flow)
        {
            Connect(flow);
            ScheduleNext(flow);
        }
        // TCP's timers outlive the traffic.
        Simulator::Stop(NanoSeconds(m_recorder.GetEndNs()) + Seconds(1));
        m_network->Run();
        m_connections.clear();
        return m_recorder.Finish();
    }

  private:
    /// TCP options of a data center; ns-3's defaults are for the Internet.
    void Configure(Ptr<Socket> socket) const
    {
        const auto& config = m_traffic.GetConfig();
        const double bytes = config.IsSet("trace")
                                 ? 500
                                 : config.GetNumber("bytes") * (1 + config.GetNumber("spread"));
        const auto segment = static_cast<uint32_t>(std::lround(bytes) - OVERHEAD_BYTES);
        socket->SetAttribute("SegmentSize", UintegerValue(segment));
        socket->SetAttribute("SndBufSize", UintegerValue(4'000'000));
        socket->SetAttribute("RcvBufSize", UintegerValue(4'000'000));
        socket->SetAttribute("InitialCwnd", UintegerValue(10));
        socket->SetAttribute("DelAckCount", UintegerValue(1));
        socket->SetAttribute("TcpNoDelay", BooleanValue(true));
        socket->SetAttribute("Sack", BooleanValue(false)); // 54 bytes are the size of a plain ACK
    }

    void InstallHosts()
    {
        const auto& topology = *m_traffic.GetTopology();
        InternetStackHelper stack;
        Ipv4AddressHelper subnets("10.0.0.0", "255.255.255.252");
        Ipv4StaticRoutingHelper routing;
        m_addresses.resize(topology.GetNNodes());
        for (const uint32_t host : topology.GetHosts())
        {
            Ptr<Node> node = m_network->GetNodes().Get(host);
            const uint32_t link = topology.GetOutLinks(host).front();
            Ptr<PointToPointNetDevice> device = m_network->GetDevice(link);
            stack.Install(node);
            // Only the host's end gets an address: the switch forwards without IP.
            const auto interfaces = subnets.Assign(NetDeviceContainer(device));
            subnets.NewNetwork();
            m_addresses[host] = interfaces.GetAddress(0);
            routing.GetStaticRouting(node->GetObject<Ipv4>())
                ->SetDefaultRoute(Ipv4Address("10.255.255.254"), interfaces.Get(0).second);
            device->TraceConnectWithoutContext(
                "MacTx",
                Callback<void, Ptr<const Packet>>([this](Ptr<const Packet> p) { AddStream(p); }));
            device->TraceConnectWithoutContext(
                "MacRx",
                Callback<void, Ptr<const Packet>>([this](Ptr<const Packet> p) { Arrive(p); }));
        }
    }

    void Connect(uint32_t number)
    {
        const auto& flow = m_traffic.GetFlows()[number];
        const auto port = static_cast<uint16_t>(FIRST_PORT + number);
        Ptr<Socket> sink = Socket::CreateSocket(m_network->GetNodes().Get(flow.dst),
                                                TcpSocketFactory::GetTypeId());
        Configure(sink);
        sink->Bind(InetSocketAddress(Ipv4Address::GetAny(), port));
        sink->Listen();
        sink->SetAcceptCallback(
            MakeNullCallback<bool, Ptr<Socket>, const Address&>(),
            Callback<void, Ptr<Socket>, const Address&>([this](Ptr<Socket> socket, const Address&) {
                socket->SetRecvCallback(
                    Callback<void, Ptr<Socket>>([](Ptr<Socket> s) { s->Recv(); }));
                m_sinks.push_back(socket);
            }));
        m_sinks.push_back(sink);
        Ptr<Socket> socket = Socket::CreateSocket(m_network->GetNodes().Get(flow.src),
                                                  TcpSocketFactory::GetTypeId());
        Configure(socket);
        socket->Bind();
        m_connections[number].socket = socket;
        // One after the other, so that thousands of handshakes do not collide.
        const int64_t start = CONNECT_NS * number / static_cast<int64_t>(m_connections.size());
        Simulator::Schedule(NanoSeconds(start), [this, number, port]() {
            const auto& ends = m_traffic.GetFlows()[number];
            m_connections[number].socket->Connect(InetSocketAddress(m_addresses[ends.dst], port));
        });
    }

    void ScheduleNext(uint32_t flow)
    {
        if (m_source.Next(flow) && m_source.Get(flow).timeNs < m_recorder.GetEndNs())
        {
            Simulator::Schedule(NanoSeconds(m_source.Get(flow).timeNs) - Simulator::Now(),
                                [this, flow]() {
                                    // The application loses a write that does not fit into the send
                                    // buffer.
                                    m_connections[flow].socket->Send(
                                        Create<Packet>(m_source.Get(flow).bytes - OVERHEAD_BYTES));
                                    ScheduleNext(flow);
                                });
        }
    }

    /// A host's device is about to enqueue a packet (MacTx): tag it with its stream.
    void AddStream(Ptr<const Packet> packet)
    {
        const Headers headers(packet, true);
        const uint16_t to = headers.tcp.GetDestinationPort();
        const bool isAck = headers.ip.GetDestination() != AddressOf(to, &MqlTruthFlow::dst) ||
                           headers.ip.GetSource() != AddressOf(to, &MqlTruthFlow::src);
        const uint32_t number = (isAck ? headers.tcp.GetSourcePort() : to) - FIRST_PORT;
        const auto& flow = m_traffic.GetFlows().at(number);
        const int64_t now = Simulator::Now().GetNanoSeconds();
        MqlStreamTag tag;
        tag.stream = isAck ? flow.firstAck : flow.firstStream;
        tag.sentNs = now;
        packet->AddPacketTag(tag);
        if (!isAck && headers.payload > 0)
        {
            auto& connection = m_connections[number];
            const SequenceNumber32 end = headers.tcp.GetSequenceNumber() + headers.payload;
            if (end > connection.highest)
            {
                connection.highest = end;
                connection.segments.emplace_back(end, now);
                m_recorder.AddSent(number, now);
            }
        }
    }

    /// Address of an end of a port's flow; none for other ports.
    Ipv4Address AddressOf(uint16_t port, uint32_t MqlTruthFlow::*end) const
    {
        const uint32_t number = static_cast<uint32_t>(port) - FIRST_PORT;
        return number < m_connections.size() ? m_addresses[m_traffic.GetFlows()[number].*end]
                                             : Ipv4Address();
    }

    /// Handles the arrival of a packet at its host.
    void Arrive(Ptr<const Packet> packet)
    {
        MqlStreamTag tag;
        packet->PeekPacketTag(tag);
        const auto& stream = m_traffic.GetStreams()[tag.stream];
        const int64_t now = Simulator::Now().GetNanoSeconds();
        const Headers headers(packet, true);
        if (!stream.isAck)
        {
            if (headers.payload > 0)
            {
                m_recorder.AddData(stream.flow, tag.sentNs, now);
            }
            return;
        }
        auto& segments = m_connections[stream.flow].segments;
        const SequenceNumber32 upTo = headers.tcp.GetAckNumber();
        while (!segments.empty() && segments.front().first <= upTo)
        {
            if (segments.front().first == upTo)
            {
                m_recorder.AddAck(stream.flow, segments.front().second, tag.sentNs, now);
            }
            segments.pop_front();
        }
    }

    const MqlTruthTraffic& m_traffic;           //!< of the configuration
    const MqlTruthWatch& m_watch;               //!< collector
    MqlPacketSource m_source;                   //!< draws the packets
    MqlTruthRecorder m_recorder;                //!< measures
    std::unique_ptr<MqlTruthNetwork> m_network; //!< nodes and links
    std::vector<Ipv4Address> m_addresses;       //!< by node index, of hosts
    std::vector<Connection> m_connections;      //!< by flow
    std::vector<Ptr<Socket>> m_sinks;           //!< listening and connected sockets
};

} // namespace

MqlTruthResult
MqlSimulateTcp(const MqlTruthTraffic& traffic, const MqlTruthWatch& watch)
{
    return TcpTraffic(traffic, watch).Run();
}

static const MqlTruthEngine g_tcp("ns3", "tcp", &MqlSimulateTcp); //!< registers it

} // namespace ns3

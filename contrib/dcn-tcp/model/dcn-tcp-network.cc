/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "dcn-tcp-network.h"

#include "ns3/assert.h"
#include "ns3/dcn-collector.h"
#include "ns3/dcn-error.h"
#include "ns3/dcn-progress.h"
#include "ns3/dcn-random.h"
#include "ns3/dcn-units.h"
#include "ns3/dcn-wheel-scheduler.h"
#include "ns3/hash.h"
#include "ns3/inet-socket-address.h"
#include "ns3/internet-stack-helper.h"
#include "ns3/log.h"
#include "ns3/object-vector.h"
#include "ns3/point-to-point-helper.h"
#include "ns3/point-to-point-net-device.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/tcp-l4-protocol.h"
#include "ns3/traffic-control-layer.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <set>
#include <string>
#include <utility>

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("DcnTcpNetwork");

namespace
{

/// Payload that is handed to a socket at once, at most [bytes].
constexpr uint64_t WRITE_BYTES = 1 << 16;

constexpr uint32_t MAX_FRAME_BYTES = 1500; //!< usual size of a full frame [bytes]

/**
 * @param device a point-to-point device
 * @return frames and bytes that wait in it behind the one that it sends
 */
std::pair<uint32_t, uint32_t>
GetWaiting(Ptr<NetDevice> device)
{
    const auto queue = DynamicCast<PointToPointNetDevice>(device)->GetQueue();
    return {queue->GetNPackets(), queue->GetNBytes()};
}

} // namespace

DcnTcpNetwork::DcnTcpNetwork(Ptr<const DcnScenario> scenario,
                             const DcnTcpOptions& options,
                             uint64_t seed,
                             Ptr<DcnCollector> collector)
    : m_scenario(scenario),
      m_options(options),
      m_seed(seed),
      m_collector(collector),
      m_routes(scenario),
      m_devices(scenario->GetTopology().GetNLinks()),
      m_discs(m_devices.size()),
      m_unsentBytes(scenario->GetFlows().size()),
      m_receivedBytes(m_unsentBytes.size(), 0),
      m_fctNs(m_unsentBytes.size(), -1),
      m_failures(m_unsentBytes.size(), Failure::NONE)
{
    options.Check();
    MakeNodes();
    for (uint32_t link = 0; link < m_devices.size(); link += 2)
    {
        MakeLink(link);
    }
    for (const uint32_t host : scenario->GetTopology().GetHosts())
    {
        m_nodes.Get(host)->GetObject<Ipv4>()->AddAddress(
            1,
            Ipv4InterfaceAddress(DcnTcpFlowTable::GetAddress(host), Ipv4Mask("255.0.0.0")));
    }
    Listen();
    if (m_collector)
    {
        m_collector->WatchTcp(scenario);
        m_routes.onFirstPacket = [this](uint32_t flow, std::size_t hop, uint32_t link) {
            const auto [frames, bytes] = GetWaiting(m_devices[link]);
            const Ptr<QueueDisc> disc = m_discs[link];
            m_collector->NoteFirstPacket(flow,
                                         hop,
                                         disc->GetNBytes() + LINK_BYTES * disc->GetNPackets() +
                                             bytes + (LINK_BYTES - PPP_BYTES) * frames);
        };
    }
}

DcnTcpNetwork::~DcnTcpNetwork() = default;

int64_t
DcnTcpNetwork::NowNs() const
{
    return Simulator::Now().GetNanoSeconds() - m_originNs;
}

void
DcnTcpNetwork::MakeNodes()
{
    m_nodes.Create(m_scenario->GetTopology().GetNNodes());
    InternetStackHelper stack;
    stack.SetIpv6StackInstall(false);
    stack.Install(m_nodes);
    for (uint32_t node = 0; node < m_nodes.GetN(); ++node)
    {
        Ptr<Ipv4> ipv4 = m_nodes.Get(node)->GetObject<Ipv4>();
        ipv4->SetAttribute("DefaultTtl", UintegerValue(DcnTcpRouting::TTL));
        ipv4->SetRoutingProtocol(CreateObject<DcnTcpRouting>(m_routes, node));
    }
}

void
DcnTcpNetwork::MakeLink(uint32_t link)
{
    const DcnLink& a = m_scenario->GetTopology().GetLink(link);
    const DcnNetworkParameters& network = m_scenario->GetNetwork();
    PointToPointHelper helper;
    const DataRate rate(a.rateBps);
    helper.SetDeviceAttribute("DataRate", DataRateValue(rate));
    helper.SetDeviceAttribute("InterframeGap",
                              TimeValue(rate.CalculateBytesTxTime(LINK_BYTES - PPP_BYTES)));
    // room for the options of TCP, so that no segment is cut
    helper.SetDeviceAttribute(
        "Mtu",
        UintegerValue(std::min(65535U, network.payloadBytes + DcnTcpOptions::IP_TCP_BYTES + 40)));
    helper.SetChannelAttribute("Delay", TimeValue(NanoSeconds(a.delayNs)));
    helper.SetQueue("ns3::DropTailQueue", "MaxSize", StringValue("1p"));
    const NetDeviceContainer devices = helper.Install(m_nodes.Get(a.from), m_nodes.Get(a.to));
    for (const uint32_t direction : {0U, 1U})
    {
        const uint32_t each = link + direction;
        const DcnLink& end = m_scenario->GetTopology().GetLink(each);
        const bool isHost = m_scenario->GetTopology().IsHost(end.from);
        Ptr<NetDevice> device = devices.Get(direction);
        Ptr<Node> node = device->GetNode();
        Ptr<Ipv4> ipv4 = node->GetObject<Ipv4>();
        ipv4->SetUp(ipv4->AddInterface(device));
        m_devices[each] = device;
        m_discs[each] =
            m_options.MakeQueueDisc(isHost ? m_options.hostQueueDisc : m_options.queueDisc,
                                    network,
                                    end.rateBps,
                                    DcnRandom(m_seed).GetStream(DcnPurpose::ECN_MARKING, each));
        node->GetObject<TrafficControlLayer>()->SetRootQueueDiscOnDevice(device, m_discs[each]);
        Ptr<Ipv4Route> route = Create<Ipv4Route>();
        route->SetSource(DcnTcpFlowTable::GetAddress(end.from));
        route->SetDestination(DcnTcpFlowTable::GetAddress(end.to));
        route->SetGateway(DcnTcpFlowTable::GetAddress(end.to));
        route->SetOutputDevice(device);
        m_routes.byLink[each] = route;
    }
}

void
DcnTcpNetwork::Listen()
{
    std::set<std::pair<uint32_t, uint16_t>> ports; // of receivers, by host
    for (std::size_t flow = 0; flow < m_fctNs.size(); ++flow)
    {
        ports.emplace(m_scenario->GetFlows()[flow].dst, m_routes.table.GetReceiverPort(flow));
    }
    for (const auto& [host, port] : ports)
    {
        Ptr<Socket> socket = m_options.MakeSocket(m_nodes.Get(host)->GetObject<TcpL4Protocol>(),
                                                  m_scenario->GetNetwork(),
                                                  0);
        [[maybe_unused]] const int bound =
            socket->Bind(InetSocketAddress(DcnTcpFlowTable::GetAddress(host), port));
        NS_ASSERT_MSG(bound == 0, "no socket at port " << port);
        socket->SetAcceptCallback(
            MakeNullCallback<bool, Ptr<Socket>, const Address&>(),
            Callback<void, Ptr<Socket>, const Address&>(
                [this](Ptr<Socket> receiver, const Address& from) { Accept(receiver, from); }));
        socket->Listen();
    }
}

void
DcnTcpNetwork::Run()
{
    int64_t longestHopNs = 0;
    const DcnTopology& topology = m_scenario->GetTopology();
    for (uint32_t link = 0; link < topology.GetNLinks(); ++link)
    {
        const DcnLink& each = topology.GetLink(link);
        longestHopNs =
            std::max(longestHopNs, each.delayNs + DcnSerializationNs(MAX_FRAME_BYTES, each.rateBps));
    }
    const DcnWheelSchedulerChoice wheel(longestHopNs);
    DcnProgress progress("tcp", m_fctNs.size(), "flows");
    m_progress = &progress;
    m_originNs = Simulator::Now().GetNanoSeconds();
    Simulator::Schedule(NanoSeconds(m_scenario->GetFlows().front().startNs),
                        &DcnTcpNetwork::StartDueFlows,
                        this);
    Simulator::Run();
    m_endNs = NowNs();
    m_progress = nullptr;
    if (m_failure)
    {
        std::rethrow_exception(m_failure);
    }
}

void
DcnTcpNetwork::StartDueFlows()
{
    const auto& flows = m_scenario->GetFlows();
    while (m_nextFlow < flows.size() && flows[m_nextFlow].startNs <= NowNs())
    {
        try
        {
            StartFlow(m_nextFlow++);
        }
        catch (const DcnError&)
        {
            // ns-3 loses the memory of an event that throws: Run does so instead
            m_failure = std::current_exception();
            Simulator::Stop();
            return;
        }
    }
    if (m_nextFlow < flows.size())
    {
        Simulator::Schedule(NanoSeconds(flows[m_nextFlow].startNs - NowNs()),
                            &DcnTcpNetwork::StartDueFlows,
                            this);
    }
}

void
DcnTcpNetwork::StartFlow(std::size_t index)
{
    const DcnFlow& flow = m_scenario->GetFlows()[index];
    m_unsentBytes[index] = flow.sizeBytes;
    const std::string key = std::to_string(m_seed) + " " + std::to_string(index);
    Ptr<Socket> socket = m_options.MakeSocket(m_nodes.Get(flow.src)->GetObject<TcpL4Protocol>(),
                                              m_scenario->GetNetwork(),
                                              Hash32(key));
    const uint16_t port = m_routes.table.GetSenderPort(index);
    if (socket->Bind(InetSocketAddress(DcnTcpFlowTable::GetAddress(flow.src), port)) != 0)
    {
        const auto before = m_routes.table.FindBefore(index);
        const std::string host = std::to_string(m_scenario->GetTopology().GetExternalId(flow.src));
        DcnFail("flow ",
                flow.id,
                " of host ",
                host,
                " cannot start: its port ",
                port,
                before ? " still belongs to flow " +
                             std::to_string(m_scenario->GetFlows()[*before].id) +
                             ", which is not complete; a host has ports for " +
                             std::to_string(DcnTcpFlowTable::N_SENDER_PORTS) + " flows at a time"
                       : std::string(" is in use"));
    }
    socket->SetConnectCallback(
        Callback<void, Ptr<Socket>>([this, index](Ptr<Socket> sender) { Fill(index, sender); }),
        Callback<void, Ptr<Socket>>([this, index](Ptr<Socket>) {
            NS_LOG_INFO("flow " << index << " gets no connection");
            m_failures[index] = Failure::NO_CONNECTION;
        }));
    socket->SetSendCallback(Callback<void, Ptr<Socket>, uint32_t>(
        [this, index](Ptr<Socket> sender, uint32_t) { Fill(index, sender); }));
    socket->SetCloseCallbacks(MakeNullCallback<void, Ptr<Socket>>(),
                              Callback<void, Ptr<Socket>>([this, index](Ptr<Socket>) {
                                  NS_LOG_INFO("flow " << index << " is given up");
                                  m_failures[index] = Failure::GIVEN_UP;
                              }));
    if (m_collector)
    {
        m_collector->NoteTcpStart(index, socket);
    }
    socket->Connect(InetSocketAddress(DcnTcpFlowTable::GetAddress(flow.dst),
                                      m_routes.table.GetReceiverPort(index)));
}

void
DcnTcpNetwork::Fill(std::size_t flow, Ptr<Socket> sender)
{
    uint64_t& unsent = m_unsentBytes[flow];
    if (unsent == 0)
    {
        return; // closed already
    }
    while (unsent > 0)
    {
        const auto bytes = static_cast<uint32_t>(
            std::min({unsent, WRITE_BYTES, static_cast<uint64_t>(sender->GetTxAvailable())}));
        if (bytes == 0 || sender->Send(Create<Packet>(bytes)) < 0)
        {
            return; // goes on when acknowledgements have made room
        }
        unsent -= bytes;
    }
    sender->Close(); // after all that it has been given
}

void
DcnTcpNetwork::Accept(Ptr<Socket> receiver, const Address& from)
{
    Address to;
    receiver->GetSockName(to);
    const InetSocketAddress source = InetSocketAddress::ConvertFrom(from);
    const InetSocketAddress destination = InetSocketAddress::ConvertFrom(to);
    const std::size_t flow =
        m_routes.table
            .Find(source.GetIpv4(), source.GetPort(), destination.GetIpv4(), destination.GetPort())
            .flow;
    receiver->SetRecvCallback(
        Callback<void, Ptr<Socket>>([this, flow](Ptr<Socket> socket) { Receive(flow, socket); }));
    auto close = Callback<void, Ptr<Socket>>([](Ptr<Socket> socket) { socket->Close(); });
    receiver->SetCloseCallbacks(close, MakeNullCallback<void, Ptr<Socket>>());
}

void
DcnTcpNetwork::Receive(std::size_t flow, Ptr<Socket> receiver)
{
    while (Ptr<Packet> packet = receiver->Recv())
    {
        if (packet->GetSize() == 0)
        {
            break; // the end of the connection
        }
        m_receivedBytes[flow] += packet->GetSize();
        if (m_collector)
        {
            m_collector->NoteTcpReceived(flow, packet->GetSize());
        }
    }
    const DcnFlow& of = m_scenario->GetFlows()[flow];
    if (m_receivedBytes[flow] < of.sizeBytes || m_fctNs[flow] >= 0)
    {
        return;
    }
    m_fctNs[flow] = NowNs() - of.startNs;
    m_progress->Update(++m_nDelivered);
    if (m_nDelivered == m_fctNs.size())
    {
        NS_LOG_INFO("all flows are delivered: stop");
        Simulator::Stop();
    }
}

std::map<std::string, uint64_t>
DcnTcpNetwork::GetUnfinished() const
{
    std::map<std::string, uint64_t> reasons;
    for (std::size_t flow = 0; flow < m_fctNs.size(); ++flow)
    {
        if (m_fctNs[flow] < 0)
        {
            ++reasons[m_failures[flow] == Failure::NO_CONNECTION ? "no connection"
                      : m_failures[flow] == Failure::GIVEN_UP    ? "connection given up"
                                                                 : "in flight"];
        }
    }
    return reasons;
}

uint64_t
DcnTcpNetwork::GetDataPacketHops() const
{
    return m_routes.dataPacketHops;
}

uint64_t
DcnTcpNetwork::GetRetransmittedBytes() const
{
    return m_routes.retransmittedBytes;
}

Ptr<NetDevice>
DcnTcpNetwork::GetDevice(uint32_t link) const
{
    return m_devices[link];
}

Ptr<QueueDisc>
DcnTcpNetwork::GetQueueDisc(uint32_t link) const
{
    return m_discs[link];
}

std::size_t
DcnTcpNetwork::CountSockets() const
{
    std::size_t n = 0;
    for (uint32_t node = 0; node < m_nodes.GetN(); ++node)
    {
        ObjectVectorValue sockets;
        m_nodes.Get(node)->GetObject<TcpL4Protocol>()->GetAttribute("SocketList", sockets);
        n += sockets.GetN();
    }
    return n;
}

} // namespace ns3

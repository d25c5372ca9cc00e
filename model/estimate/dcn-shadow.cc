/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "dcn-shadow.h"

#include "ns3/assert.h"
#include "ns3/dcn-csv.h"
#include "ns3/dcn-error.h"
#include "ns3/inet-socket-address.h"
#include "ns3/inet6-socket-address.h"
#include "ns3/ipv4-l3-protocol.h"
#include "ns3/ipv6-l3-protocol.h"
#include "ns3/log.h"
#include "ns3/simulator.h"
#include "ns3/udp-header.h"

#include <algorithm>
#include <iostream>
#include <limits>
#include <utility>

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("DcnShadow");

NS_OBJECT_ENSURE_REGISTERED(DcnShadow);

namespace
{

constexpr uint8_t UDP = 17; //!< protocol number

/// @return port of a socket address, else 0
uint16_t
GetPort(const Address& address)
{
    return InetSocketAddress::IsMatchingType(address)
               ? InetSocketAddress::ConvertFrom(address).GetPort()
           : Inet6SocketAddress::IsMatchingType(address)
               ? Inet6SocketAddress::ConvertFrom(address).GetPort()
               : 0;
}

/**
 * @param object an object
 * @param name of a trace source
 * @param signature its type of callback
 * @return true if the object has such a trace source
 */
bool
HasTrace(const Object& object, const std::string& name, const std::string& signature)
{
    TypeId::TraceSourceInformation known;
    return object.GetInstanceTypeId().LookupTraceSourceByName(name, &known) &&
           known.callback == signature;
}

} // namespace

TypeId
DcnShadow::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::DcnShadow")
            .SetParent<Object>()
            .SetGroupName("Dcn")
            .AddConstructor<DcnShadow>()
            .AddTraceSource("Completed",
                            "A flow is complete by a method, or in the simulation itself.",
                            MakeTraceSourceAccessor(&DcnShadow::m_completed),
                            "ns3::DcnShadow::CompletedCallback");
    return tid;
}

void
DcnShadow::Install(Ptr<const DcnTopology> topology,
                   Ptr<const DcnNetworkConfig> config,
                   uint64_t seed)
{
    NS_ASSERT_MSG(!m_topology, "the shadow is installed already");
    config->Check(topology->GetNicRates(topology->GetHosts()));
    m_topology = topology;
    m_config = config;
    m_seed = seed;
    m_routes = std::make_unique<DcnIpRoutes>(topology);
    m_routing = std::make_unique<DcnRouting>(topology, seed);
    const NodeContainer& nodes = topology->GetNodes();
    for (uint32_t node = 0; node < nodes.GetN(); ++node)
    {
        m_index[nodes.Get(node)->GetId()] = node;
    }
    m_isListening.assign(nodes.GetN(), false);
    m_methods.push_back({SIMULATION, nullptr, {}});
    // the callbacks of trace sources do not count as references
    Simulator::ScheduleDestroy(&DcnShadow::OnDestroy, Ptr<DcnShadow>(this));
}

void
DcnShadow::AddNetwork(const std::string& method, Ptr<DcnFlowNetwork> network)
{
    NS_ASSERT_MSG(m_topology, "the shadow is not installed");
    NS_ASSERT_MSG(m_flows.empty(), "methods are added before flows");
    for (const Method& each : m_methods)
    {
        if (each.name == method)
        {
            DcnFail("the shadow has a method \"", method, "\" already");
        }
    }
    const std::size_t index = m_methods.size();
    m_methods.push_back({method, network, {}});
    network->TraceConnectWithoutContext(
        "FlowCompleted",
        Callback<void, uint64_t, Time>([this, index](uint64_t flow, Time completionTime) {
            Complete(index, flow, completionTime.GetNanoSeconds());
        }));
}

uint32_t
DcnShadow::FindIndex(Ptr<Node> node) const
{
    const auto found = m_index.find(node->GetId());
    if (found == m_index.end())
    {
        DcnFail("node ", node->GetId(), " is not in the network of the shadow");
    }
    return found->second;
}

uint32_t
DcnShadow::CheckDestination(uint32_t source, const DcnIpFlow& ip) const
{
    const uint32_t destination = m_routes->FindNode(ip.destination);
    if (destination == DcnIpRoutes::NONE)
    {
        DcnFail("node ",
                m_topology->GetExternalId(source),
                " sends to ",
                DcnIpRoutes::ToText(ip.destination),
                ", which is an address of none of the nodes");
    }
    m_routes->GetPath(source, ip);
    return destination;
}

uint64_t
DcnShadow::Add(uint32_t source, const DcnIpFlow& ip, uint64_t bytes, bool isFollowed)
{
    const DcnFlow flow{m_flows.size(),
                       source,
                       m_routes->FindNode(ip.destination),
                       bytes,
                       Simulator::Now().GetNanoSeconds()};
    std::vector<uint32_t> links;
    try
    {
        DcnCheckFlow(*m_topology, flow, nullptr);
        links = m_routes->GetPath(source, ip);
        if (links.empty())
        {
            m_routing->AppendPath(flow, links);
        }
    }
    catch (const DcnError& error)
    {
        if (!isFollowed)
        {
            throw;
        }
        Miss(error.what()); // the script goes on, as ns-3 does
        return MISSED;
    }
    NS_LOG_INFO("flow " << flow.id << " starts: " << bytes << " bytes on " << links.size()
                        << " links");
    m_flows.push_back(flow);
    m_paths.Append(links);
    const NodeContainer& nodes = m_topology->GetNodes();
    for (Method& method : m_methods)
    {
        method.fctNs.push_back(DcnEstimate::UNFINISHED);
        if (method.network)
        {
            const uint64_t number = method.network->AddFlowOnPath(nodes.Get(flow.src),
                                                                  nodes.Get(flow.dst),
                                                                  bytes,
                                                                  links);
            if (number != flow.id)
            {
                DcnFail("the network of the method ", method.name, " has flows of others");
            }
        }
    }
    return flow.id;
}

uint64_t
DcnShadow::AddFlow(Ptr<Node> source, const Address& destination, uint64_t bytes)
{
    DcnIpFlow ip;
    ip.destination = DcnIpRoutes::WithoutPort(destination);
    ip.destinationPort = GetPort(destination);
    const uint32_t node = FindIndex(source);
    CheckDestination(node, ip);
    return Add(node, ip, bytes, false);
}

uint64_t
DcnShadow::AddFlow(Ptr<Socket> socket, uint64_t bytes)
{
    Stream*& stream = m_bySocket[socket];
    if (!stream)
    {
        Address peer;
        if (socket->GetPeerName(peer) != 0 || DcnIpRoutes::WithoutPort(peer).IsInvalid())
        {
            DcnFail("a socket of node ",
                    socket->GetNode()->GetId(),
                    " has no peer: announce its flows after Connect");
        }
        DcnIpFlow ip;
        ip.destination = DcnIpRoutes::WithoutPort(peer);
        ip.destinationPort = GetPort(peer);
        stream = AddStream(FindIndex(socket->GetNode()), ip, [socket]() { return socket; });
    }
    return AddToStream(stream, bytes, false);
}

uint64_t
DcnShadow::AddToStream(Stream* stream, uint64_t bytes, bool isFollowed)
{
    stream->sentBytes += bytes;
    stream->flows.emplace_back(stream->sentBytes, MISSED);
    stream->flows.back().second = Add(stream->source, stream->ip, bytes, isFollowed);
    return stream->flows.back().second;
}

void
DcnShadow::Miss(const std::string& reason)
{
    const int64_t nowNs = Simulator::Now().GetNanoSeconds();
    Missed& missed = m_missed[reason];
    if (missed.n++ == 0)
    {
        missed.firstNs = nowNs;
        NS_LOG_WARN(reason);
        std::cerr << "dcn: from " << nowNs << " ns on bytes are not followed: " << reason
                  << std::endl;
    }
    missed.latestNs = nowNs;
}

std::vector<std::string>
DcnShadow::GetNotes() const
{
    std::vector<std::string> notes;
    for (const auto& [reason, missed] : m_missed)
    {
        notes.push_back(reason + ": bytes sent " + std::to_string(missed.n) + " times from " +
                        std::to_string(missed.firstNs) + " to " + std::to_string(missed.latestNs) +
                        " ns are not followed");
    }
    return notes;
}

void
DcnShadow::Finish(uint64_t flow)
{
    if (flow >= m_flows.size())
    {
        DcnFail("there is no flow ", flow, ", only ", m_flows.size(), " have started");
    }
    if (m_methods.front().fctNs[flow] != DcnEstimate::UNFINISHED)
    {
        DcnFail("flow ", flow, " is complete already");
    }
    Complete(0, flow, Simulator::Now().GetNanoSeconds() - m_flows[flow].startNs);
}

void
DcnShadow::Complete(std::size_t method, uint64_t flow, int64_t fctNs)
{
    NS_LOG_INFO("flow " << flow << " is complete by " << m_methods[method].name << " after "
                        << fctNs << " ns");
    m_methods[method].fctNs[flow] = fctNs;
    m_completed(flow, m_methods[method].name, NanoSeconds(fctNs));
}

DcnShadow::Stream*
DcnShadow::AddStream(uint32_t node, const DcnIpFlow& ip, SocketGetter getSocket)
{
    const uint32_t destination = CheckDestination(node, ip);
    for (const auto& other : m_streams)
    {
        if (!getSocket && !other->getSocket && other->source == node &&
            other->destination == destination && other->ip.destinationPort == ip.destinationPort)
        {
            DcnFail("two senders of node ",
                    m_topology->GetExternalId(node),
                    " send to ",
                    DcnIpRoutes::ToText(ip.destination),
                    ", port ",
                    ip.destinationPort,
                    ", and cannot be told apart: announce their flows by "
                    "DcnShadow::AddFlow(socket, bytes)");
        }
    }
    m_streams.push_back(
        std::make_unique<Stream>(Stream{node, destination, ip, std::move(getSocket)}));
    return m_streams.back().get();
}

void
DcnShadow::FollowStream(uint32_t node,
                        const DcnIpFlow& ip,
                        uint64_t bytes,
                        Time start,
                        SocketGetter getSocket)
{
    Stream* stream = AddStream(node, ip, std::move(getSocket));
    Simulator::Schedule(start - Simulator::Now(), [this, stream, bytes]() {
        if (m_topology)
        {
            AddToStream(stream, bytes, true);
        }
    });
}

void
DcnShadow::FollowMessages(Ptr<Application> application,
                          uint32_t node,
                          const DcnIpFlow& ip,
                          SocketGetter getSocket)
{
    if (!HasTrace(*application, "Tx", "ns3::Packet::TracedCallback"))
    {
        DcnFail(application->GetInstanceTypeId().GetName(),
                " has no trace source Tx of packets, by which its messages could be followed");
    }
    Stream* stream = AddStream(node, ip, std::move(getSocket));
    application->TraceConnectWithoutContext(
        "Tx",
        Callback<void, Ptr<const Packet>>([this, stream](Ptr<const Packet> message) {
            if (m_topology)
            {
                AddToStream(stream, message->GetSize(), true);
            }
        }));
}

void
DcnShadow::FollowDatagrams(uint32_t node, const DcnIpFlow& ip)
{
    CheckDestination(node, ip);
    m_datagramSenders.emplace(Connection{node, ip.destination, ip.destinationPort}, ip);
    if (m_isListening[node])
    {
        return;
    }
    m_isListening[node] = true;
    const Ptr<Node> sender = m_topology->GetNodes().Get(node);
    if (const auto v4 = sender->GetObject<Ipv4L3Protocol>())
    {
        v4->TraceConnectWithoutContext(
            "SendOutgoing",
            Callback<void, const Ipv4Header&, Ptr<const Packet>, uint32_t>(
                [this, node](const Ipv4Header& header, Ptr<const Packet> datagram, uint32_t) {
                    if (header.GetProtocol() == UDP)
                    {
                        OnSent(node, header.GetDestination(), datagram);
                    }
                }));
    }
    if (const auto v6 = sender->GetObject<Ipv6L3Protocol>())
    {
        v6->TraceConnectWithoutContext(
            "SendOutgoing",
            Callback<void, const Ipv6Header&, Ptr<const Packet>, uint32_t>(
                [this, node](const Ipv6Header& header, Ptr<const Packet> datagram, uint32_t) {
                    if (header.GetNextHeader() == UDP)
                    {
                        OnSent(node, header.GetDestination(), datagram);
                    }
                }));
    }
}

void
DcnShadow::OnSent(uint32_t node, const Address& destination, Ptr<const Packet> datagram)
{
    if (!m_topology)
    {
        return; // disposed of
    }
    UdpHeader header;
    datagram->PeekHeader(header);
    const auto sender =
        m_datagramSenders.find(Connection{node, destination, header.GetDestinationPort()});
    const uint32_t payload = datagram->GetSize() - header.GetSerializedSize();
    if (sender != m_datagramSenders.end() && payload > 0)
    {
        const uint64_t flow = Add(node, sender->second, payload, true);
        if (flow != MISSED)
        {
            m_datagrams[datagram->GetUid()] = flow;
        }
    }
}

bool
DcnShadow::FollowSink(Ptr<Application> application, uint32_t node)
{
    if (!HasTrace(*application, "RxWithAddresses", "ns3::Packet::TwoAddressTracedCallback"))
    {
        return false;
    }
    application->TraceConnectWithoutContext(
        "RxWithAddresses",
        Callback<void, Ptr<const Packet>, const Address&, const Address&>(
            [this, node](Ptr<const Packet> packet, const Address& from, const Address& to) {
                OnReceived(node, packet, from, to);
            }));
    return true;
}

void
DcnShadow::OnReceived(uint32_t node,
                      Ptr<const Packet> packet,
                      const Address& from,
                      const Address& to)
{
    if (!m_topology)
    {
        return; // disposed of
    }
    // a datagram keeps its number on its way, and its answer may have it, too
    const auto datagram = m_datagrams.find(packet->GetUid());
    if (datagram != m_datagrams.end() && m_flows[datagram->second].dst == node)
    {
        Finish(datagram->second);
        m_datagrams.erase(datagram);
        return;
    }
    const Connection connection{node, from, GetPort(to)};
    auto found = m_byConnection.find(connection);
    if (found == m_byConnection.end())
    {
        Stream* stream = Bind(connection);
        if (!stream)
        {
            return; // its flows may be announced later
        }
        stream->isBound = true;
        found = m_byConnection.emplace(connection, stream).first;
    }
    Stream* stream = found->second;
    stream->arrivedBytes += packet->GetSize();
    while (!stream->flows.empty() && stream->flows.front().first <= stream->arrivedBytes)
    {
        const uint64_t flow = stream->flows.front().second;
        stream->flows.pop_front();
        if (flow != MISSED)
        {
            Finish(flow);
        }
    }
}

DcnShadow::Stream*
DcnShadow::Bind(const Connection& connection) const
{
    const auto& [node, from, port] = connection;
    const uint32_t source = m_routes->FindNode(DcnIpRoutes::WithoutPort(from));
    Stream* byAddress = nullptr;
    for (const auto& stream : m_streams)
    {
        if (stream->isBound || stream->flows.empty() || stream->source != source ||
            stream->destination != node || stream->ip.destinationPort != port)
        {
            continue;
        }
        const Ptr<Socket> socket = stream->getSocket ? stream->getSocket() : nullptr;
        Address name;
        if (socket && socket->GetSockName(name) == 0 && name == from)
        {
            return stream.get();
        }
        if (!stream->getSocket)
        {
            byAddress = stream.get();
        }
    }
    return byAddress;
}

uint64_t
DcnShadow::GetNFlows() const
{
    return m_flows.size();
}

const DcnFlow&
DcnShadow::GetFlow(uint64_t flow) const
{
    return m_flows.at(flow);
}

int64_t
DcnShadow::GetFctNs(const std::string& method, uint64_t flow) const
{
    for (const Method& each : m_methods)
    {
        if (each.name == method)
        {
            if (flow >= m_flows.size())
            {
                DcnFail("there is no flow ", flow, ", only ", m_flows.size(), " have started");
            }
            return each.fctNs[flow];
        }
    }
    DcnFail("the shadow has no method \"", method, "\"");
}

Ptr<const DcnScenario>
DcnShadow::GetScenario() const
{
    if (m_flows.empty())
    {
        DcnFail("no flow has started: install the shadow after the applications and before "
                "Simulator::Run");
    }
    return DcnScenario::CreateWithPaths(m_topology, m_config, m_flows, m_paths, m_seed);
}

DcnFctTable
DcnShadow::GetResults() const
{
    DcnFctTable table(GetScenario());
    for (const Method& method : m_methods)
    {
        DcnEstimate estimate;
        estimate.method = method.name;
        estimate.isGroundTruth = &method == &m_methods.front();
        estimate.provenance =
            estimate.isGroundTruth ? "arrivals at the applications" : "followed the simulation";
        estimate.fctNs = method.fctNs;
        estimate.wallSeconds = std::numeric_limits<double>::quiet_NaN();
        estimate.cpuSeconds = std::numeric_limits<double>::quiet_NaN();
        const auto unfinished =
            std::count(method.fctNs.begin(), method.fctNs.end(), DcnEstimate::UNFINISHED);
        if (unfinished > 0)
        {
            estimate.unfinished["not complete yet"] = static_cast<uint64_t>(unfinished);
        }
        table.Add(estimate);
    }
    return table;
}

void
DcnShadow::Write(const std::string& folder) const
{
    const DcnFctTable table = GetResults();
    DcnMakeFolder(folder);
    table.Write(folder);
    table.PlotSlowdowns(folder + "/slowdown-cdf");
}

void
DcnShadow::OnDestroy()
{
    for (Method& method : m_methods)
    {
        if (method.network)
        {
            method.network->Dispose(); // its events belong to the simulator
            method.network = nullptr;
        }
    }
    // sockets and applications, which have the shadow's callbacks
    m_streams.clear();
    m_bySocket.clear();
    m_byConnection.clear();
}

void
DcnShadow::DoDispose()
{
    OnDestroy();
    m_routes.reset();
    m_routing.reset();
    m_topology = nullptr;
    m_config = nullptr;
    Object::DoDispose();
}

} // namespace ns3

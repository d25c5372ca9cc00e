/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "dcn-sink-reader.h"

#include "dcn-application-reader.h"
#include "dcn-attributes.h"
#include "dcn-stack-config.h"

#include "ns3/dcn-error.h"
#include "ns3/dcn-ideal-fct.h"
#include "ns3/dcn-topology.h"
#include "ns3/ipv4.h"
#include "ns3/ipv6.h"
#include "ns3/log.h"
#include "ns3/node.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <type_traits>
#include <utility>

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("DcnSinkReader");

namespace
{

constexpr uint8_t TCP = DcnStackConfig::TCP; //!< protocol number
constexpr uint8_t UDP = DcnStackConfig::UDP; //!< protocol number

/// @return the first address of a node but loopback and link-local ones; invalid if there is none
template <class Ip>
Address
GetFirstAddress(const Node& node)
{
    const auto ip = node.GetObject<Ip>();
    for (uint32_t interface = 0; ip && interface < ip->GetNInterfaces(); ++interface)
    {
        for (uint32_t i = 0; i < ip->GetNAddresses(interface); ++i)
        {
            const auto address = ip->GetAddress(interface, i).GetAddress();
            if constexpr (std::is_same_v<Ip, Ipv6>)
            {
                if (!address.IsLinkLocal() && !address.IsLocalhost())
                {
                    return address;
                }
            }
            else if (!address.IsLocalhost())
            {
                return address;
            }
        }
    }
    return Address();
}

} // namespace

DcnSinkReader::DcnSinkReader(const NodeContainer& nodes)
    : m_arrivals(std::make_shared<Arrivals>())
{
    uint32_t nWatched = 0;
    for (uint32_t i = 0; i < nodes.GetN(); ++i)
    {
        for (uint32_t j = 0; j < nodes.Get(i)->GetNApplications(); ++j)
        {
            const Ptr<Application> application = nodes.Get(i)->GetApplication(j);
            const auto protocol = DcnReadAttribute<TypeIdValue>(*application, "Protocol");
            const bool isTcp =
                protocol && protocol->Get().GetName().find("Tcp") != std::string::npos;
            const Listener listener(m_arrivals,
                                    isTcp ? TCP : UDP,
                                    GetFirstAddress<Ipv4>(*nodes.Get(i)),
                                    GetFirstAddress<Ipv6>(*nodes.Get(i)));
            nWatched += application->TraceConnectWithoutContext(
                "RxWithAddresses",
                MakeBoundCallback(&DcnSinkReader::OnReceived, listener));
        }
    }
    if (nWatched == 0)
    {
        DcnFail("none of the ",
                nodes.GetN(),
                " nodes has an application with the trace RxWithAddresses (PacketSink, UdpServer, "
                "UdpEchoServer, UdpEchoClient): install sinks before WatchSinks");
    }
    NS_LOG_INFO(nWatched << " applications are watched");
}

void
DcnSinkReader::OnReceived(Listener listener,
                          Ptr<const Packet> packet,
                          const Address& from,
                          const Address& local)
{
    DcnIpFlow ip;
    ip.source = DcnIpRoutes::WithoutPort(from);
    ip.sourcePort = DcnApplicationReader::GetPort(from);
    ip.destination = DcnIpRoutes::WithoutPort(local);
    ip.destinationPort = DcnApplicationReader::GetPort(local);
    const auto& [arrivals, protocol, v4, v6] = listener;
    if (ip.destination == Address(Ipv4Address::GetAny()))
    {
        ip.destination = v4;
    }
    else if (ip.destination == Address(Ipv6Address::GetAny()))
    {
        ip.destination = v6;
    }
    ip.protocol = protocol;
    if (packet->GetSize() > 0)
    {
        (*arrivals)[DcnTrafficSource::MakeKey(ip, false)].push_back(
            {packet->GetSize(), Simulator::Now().GetNanoSeconds()});
    }
}

DcnTrafficSource::Messages
DcnSinkReader::ReadArrivals(const DcnTopology& topology,
                            const std::vector<uint32_t>& path,
                            const DcnTrafficSource::Messages& arrivals,
                            uint32_t maxMessages,
                            std::vector<DcnTrafficSource>& senders,
                            DcnTrafficSource& source)
{
    const bool isV4 = Ipv4Address::IsMatchingType(source.ip.destination);
    const DcnStackConfig::Packet packet =
        DcnStackConfig::GetPacket(topology, source.ip.protocol, isV4);
    const Ptr<DcnNetworkConfig> config = CreateObject<DcnNetworkConfig>();
    config->headerBytes = packet.headerBytes;
    config->payloadBytes = packet.payloadBytes;
    // when bytes that arrive now were sent, if the path was empty
    const auto getSentNs = [&](const DcnTrafficSource::Message& arrival) {
        const DcnPath links{path.data(), path.data() + path.size()};
        const DcnIdealFct ideal = DcnComputeIdealFct(topology, links, arrival.sizeBytes, *config);
        return std::max<int64_t>(0, arrival.startNs - ideal.latencyNs - ideal.restNs);
    };
    source.startNs = getSentNs(arrivals.front());
    if (const DcnTrafficSource* sender = DcnApplicationReader::TakeSender(senders, source))
    {
        source.application = sender->application;
    }
    uint64_t received = 0;
    for (const DcnTrafficSource::Message& arrival : arrivals)
    {
        received += arrival.sizeBytes;
        source.packetBytes = std::max(source.packetBytes, arrival.sizeBytes);
    }
    if (source.ip.protocol == TCP &&
        !(source.application && DcnApplicationReader::IsPaced(*source.application)))
    {
        if (source.application)
        {
            source.startNs = DcnApplicationReader::ReadStartNs(*source.application);
        }
        return {{received, source.startNs}};
    }
    const uint64_t group = (arrivals.size() + maxMessages - 1) / maxMessages;
    DcnTrafficSource::Messages messages;
    for (std::size_t i = 0; i < arrivals.size(); ++i)
    {
        if (i % group == 0)
        {
            messages.push_back({0, getSentNs(arrivals[i])});
        }
        messages.back().sizeBytes += arrivals[i].sizeBytes;
    }
    return messages;
}

DcnTraffic
DcnSinkReader::Read(const DcnTopology& topology,
                    const DcnIpRoutes& routes,
                    const PathFinder& findPath,
                    uint32_t maxMessages) const
{
    if (m_arrivals->empty())
    {
        DcnFail("no sink has received payload since WatchSinks");
    }
    std::vector<DcnTrafficSource> senders = DcnApplicationReader::FindSenders(topology.GetNodes());
    DcnTraffic traffic;
    for (const auto& [key, arrivals] : *m_arrivals)
    {
        DcnTrafficSource source;
        std::tie(source.ip.source,
                 source.ip.sourcePort,
                 source.ip.destination,
                 source.ip.destinationPort,
                 source.ip.protocol) = key;
        source.node = routes.FindNode(source.ip.source);
        DcnTrafficSource::Messages parts;
        if (source.node == DcnIpRoutes::NONE)
        {
            source.reason =
                "none of the nodes has its source address " + DcnIpRoutes::ToText(source.ip.source);
        }
        else
        {
            std::vector<uint32_t> path;
            source.reason = findPath(source, traffic.sources.size(), path);
            if (source.reason.empty())
            {
                parts = ReadArrivals(topology, path, arrivals, maxMessages, senders, source);
            }
        }
        traffic.sources.push_back(source);
        traffic.messages.push_back(std::move(parts));
    }
    return traffic;
}

} // namespace ns3

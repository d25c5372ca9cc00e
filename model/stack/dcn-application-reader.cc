/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "dcn-application-reader.h"

#include "dcn-attributes.h"
#include "dcn-stack-config.h"

#include "ns3/data-rate.h"
#include "ns3/dcn-topology.h"
#include "ns3/inet-socket-address.h"
#include "ns3/inet6-socket-address.h"
#include "ns3/node.h"
#include "ns3/pointer.h"
#include "ns3/random-variable-stream.h"
#include "ns3/simulator.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <optional>
#include <utility>

namespace ns3
{

namespace
{

constexpr uint8_t TCP = DcnStackConfig::TCP; //!< protocol number
constexpr uint8_t UDP = DcnStackConfig::UDP; //!< protocol number

/// @return a time of an object [ns]; 0 if it has no such attribute
int64_t
ReadNs(const Object& object, const std::string& name)
{
    const auto value = DcnReadAttribute<TimeValue>(object, name);
    return value ? value->Get().GetNanoSeconds() : 0;
}

/**
 * @param object with the attribute
 * @param name of an attribute that is a random variable
 * @return its value if it is constant [ns]; none otherwise
 */
std::optional<int64_t>
ReadConstantNs(const Object& object, const std::string& name)
{
    const auto pointer = DcnReadAttribute<PointerValue>(object, name);
    const auto variable =
        pointer ? DynamicCast<ConstantRandomVariable>(pointer->GetObject()) : nullptr;
    return variable ? std::optional<int64_t>(Seconds(variable->GetConstant()).GetNanoSeconds())
                    : std::nullopt;
}

/// Reads the destination of an application; false if it is one that only receives.
bool
ReadDestination(DcnTrafficSource& source)
{
    const Application& application = *source.application;
    const auto protocol = DcnReadAttribute<TypeIdValue>(application, "Protocol");
    const bool isUdp = protocol ? protocol->Get().GetName().find("Udp") != std::string::npos
                                : DcnReadNumber(application, "MaxPackets").has_value();
    source.ip.protocol = isUdp ? UDP : TCP;
    auto remote = DcnReadAttribute<AddressValue>(application, "Remote");
    if (!remote || remote->Get().IsInvalid())
    {
        remote = DcnReadAttribute<AddressValue>(application, "RemoteAddress");
    }
    if (remote && !remote->Get().IsInvalid())
    {
        source.ip.destination = DcnIpRoutes::WithoutPort(remote->Get());
        source.ip.destinationPort = DcnApplicationReader::GetPort(remote->Get());
        if (source.ip.destinationPort == 0) // deprecated from ns-3.44 on, where Remote has the port
        {
            const auto port = DcnReadNumber(application, "RemotePort");
            source.ip.destinationPort = static_cast<uint16_t>(port.value_or(0));
        }
        if (source.ip.destination.IsInvalid())
        {
            source.reason = "its destination is no IP address";
        }
        return true;
    }
    TypeId::AttributeInformation known;
    for (const char* name : {"Local", "Port", "LocalAddress"})
    {
        if (application.GetInstanceTypeId().LookupAttributeByName(name, &known))
        {
            return false;
        }
    }
    source.reason = "it has no address in an attribute Remote or RemoteAddress";
    return true;
}

/// @return whether an application sends to a UdpEchoServer
bool
FindEchoServer(const NodeContainer& nodes,
               const DcnIpRoutes& routes,
               const DcnTrafficSource& source)
{
    const uint32_t to = source.reason.empty() && source.ip.protocol == UDP
                            ? routes.FindNode(source.ip.destination)
                            : DcnIpRoutes::NONE;
    for (uint32_t i = 0; to != DcnIpRoutes::NONE && i < nodes.Get(to)->GetNApplications(); ++i)
    {
        const Ptr<Application> application = nodes.Get(to)->GetApplication(i);
        if (application->GetInstanceTypeId().GetName() == "ns3::UdpEchoServer" &&
            DcnReadNumber(*application, "Port") == source.ip.destinationPort)
        {
            return true;
        }
    }
    return false;
}

/**
 * @param nodes all nodes
 * @param routes of the nodes
 * @param source a sender over TCP
 * @return false if the node of its destination has applications, and none of them listens at the
 * port; true where that is not known, as for applications whose attributes have no port, and for
 * packets to the own node, which are refused
 */
bool
CanListen(const NodeContainer& nodes, const DcnIpRoutes& routes, const DcnTrafficSource& source)
{
    const uint32_t to = routes.FindNode(source.ip.destination);
    if (to == DcnIpRoutes::NONE || to == source.node || nodes.Get(to)->GetNApplications() == 0)
    {
        return true; // a socket of the script may do so
    }
    for (uint32_t i = 0; i < nodes.Get(to)->GetNApplications(); ++i)
    {
        const Application& application = *nodes.Get(to)->GetApplication(i);
        const auto local = DcnReadAttribute<AddressValue>(application, "Local");
        const auto port = DcnReadNumber(application, "Port");
        const auto localPort = DcnReadNumber(application, "LocalPort");
        DcnTrafficSource other;
        other.application = nodes.Get(to)->GetApplication(i);
        const bool isSender = ReadDestination(other) && other.reason.empty();
        if ((local && DcnApplicationReader::GetPort(local->Get()) == source.ip.destinationPort) ||
            port == source.ip.destinationPort || localPort == source.ip.destinationPort ||
            (!local && !port && !localPort && !isSender))
        {
            return true;
        }
    }
    return false;
}

/// @return an instant some time later [ns]; the latest one if it cannot be written
int64_t
AddNs(int64_t startNs, double laterNs)
{
    constexpr double MOST = 9e18;
    return laterNs < MOST - static_cast<double>(startNs) ? startNs + std::llround(laterNs)
                                                         : INT64_MAX;
}

/**
 * @brief Check the times of an application against each other and the present.
 * @param source the application, with its start
 * @param firstNs when its first bytes are sent [ns]
 * @param bytes that it sends at once; 0: it sends at a pace
 * @param hostBps rate of its link [bit/s]
 * @return a contradiction; empty if there is none
 */
std::string
FindContradiction(const DcnTrafficSource& source, int64_t firstNs, uint64_t bytes, uint64_t hostBps)
{
    const int64_t nowNs = Simulator::Now().GetNanoSeconds();
    if (firstNs < nowNs)
    {
        return "it starts at " + std::to_string(source.startNs) +
               " ns, before the present time of " + std::to_string(nowNs) +
               " ns: read applications before the simulation runs, or what a FlowMonitor has seen "
               "of it";
    }
    const int64_t stopNs = ReadNs(*source.application, "StopTime");
    if (stopNs > 0 && static_cast<double>(bytes) * 8e9 / static_cast<double>(hostBps) >
                          static_cast<double>(stopNs - source.startNs))
    {
        return "it is stopped at " + std::to_string(stopNs) + " ns, before its link of " +
               std::to_string(hostBps) + " bit/s can carry its " + std::to_string(bytes) + " bytes";
    }
    return "";
}

/// Packets of an application that sends at a pace.
struct Pace
{
    uint64_t nPackets{0};                     //!< their number; UINT64_MAX: without end
    std::function<int64_t(uint64_t)> instant; //!< of packet 0, 1, ... [ns]; none: it is not known
};

/**
 * @param application sends at a pace
 * @param startNs its start [ns]
 * @param reason set where the pace is not known
 * @return the pace
 */
Pace
ReadPace(const Application& application, int64_t startNs, std::string& reason)
{
    const auto maxBytes = DcnReadNumber(application, "MaxBytes");
    const auto maxPackets = DcnReadNumber(application, "MaxPackets");
    const auto packetBytes = DcnReadNumber(application, "PacketSize");
    const auto rate = DcnReadAttribute<DataRateValue>(application, "DataRate");
    const auto interval = DcnReadAttribute<TimeValue>(application, "Interval");
    Pace pace;
    if (maxBytes && packetBytes)
    {
        const auto onNs = ReadConstantNs(application, "OnTime");
        const auto offNs = ReadConstantNs(application, "OffTime");
        if (!onNs || !offNs || *onNs <= 0)
        {
            reason = "its on and off times are random";
            return pace;
        }
        if (rate->Get().GetBitRate() == 0)
        {
            reason = "it has no pace (DataRate is 0)";
            return pace;
        }
        const double gapNs = static_cast<double>(8 * *packetBytes) * 1e9 /
                             static_cast<double>(rate->Get().GetBitRate());
        pace.nPackets = *maxBytes > 0 ? (*maxBytes + *packetBytes - 1) / *packetBytes : UINT64_MAX;
        pace.instant = [=](uint64_t packet) {
            // it begins with an off time, and a packet is sent when its time has passed
            const double busyNs = static_cast<double>(packet + 1) * gapNs;
            const double pauses = 1 + std::floor(busyNs / static_cast<double>(*onNs));
            return AddNs(startNs, busyNs + pauses * static_cast<double>(*offNs));
        };
    }
    else if (maxPackets && packetBytes && interval)
    {
        pace.nPackets = *maxPackets > 0 ? *maxPackets : UINT64_MAX;
        pace.instant = [=](uint64_t packet) {
            return AddNs(startNs,
                         static_cast<double>(packet) *
                             static_cast<double>(interval->Get().GetNanoSeconds()));
        };
    }
    else
    {
        reason = "no attribute says how many bytes it sends (MaxBytes, or MaxPackets, "
                 "PacketSize and Interval)";
    }
    return pace;
}

/**
 * @param pace instants ascend
 * @param endNs the application stops then, after its first packet [ns]
 * @return packets before it stops
 */
uint64_t
CountPackets(const Pace& pace, int64_t endNs)
{
    uint64_t low = 1;
    uint64_t high = std::min<uint64_t>(pace.nPackets, uint64_t(1) << 40);
    while (low < high)
    {
        const uint64_t middle = high - (high - low) / 2;
        (pace.instant(middle - 1) < endNs ? low : high) =
            pace.instant(middle - 1) < endNs ? middle : middle - 1;
    }
    return low;
}

} // namespace

bool
DcnApplicationReader::IsPaced(const Application& application)
{
    return DcnReadAttribute<DataRateValue>(application, "DataRate") ||
           DcnReadAttribute<TimeValue>(application, "Interval");
}

uint16_t
DcnApplicationReader::GetPort(const Address& address)
{
    return InetSocketAddress::IsMatchingType(address)
               ? InetSocketAddress::ConvertFrom(address).GetPort()
           : Inet6SocketAddress::IsMatchingType(address)
               ? Inet6SocketAddress::ConvertFrom(address).GetPort()
               : 0;
}

uint64_t
DcnApplicationReader::ReadMaxBytes(const Application& application)
{
    const uint64_t packets = DcnReadNumber(application, "MaxPackets").value_or(0);
    const uint64_t packetBytes = DcnReadNumber(application, "PacketSize").value_or(0);
    uint64_t bytes = DcnReadNumber(application, "MaxBytes").value_or(0);
    if (packetBytes > 0 && IsPaced(application))
    {
        bytes = (bytes + packetBytes - 1) / packetBytes * packetBytes; // it sends whole packets
    }
    return std::max(bytes, packets * packetBytes);
}

int64_t
DcnApplicationReader::ReadStartNs(const Application& application)
{
    return ReadNs(application, "StartTime");
}

DcnTrafficSource::Messages
DcnApplicationReader::ReadMessages(DcnTrafficSource& source, uint32_t maxMessages)
{
    const Application& application = *source.application;
    const int64_t startNs = source.startNs;
    const int64_t stopNs = ReadNs(application, "StopTime");
    const int64_t endNs = stopNs > 0 ? stopNs : INT64_MAX;
    const auto maxBytes = DcnReadNumber(application, "MaxBytes");
    const auto packetBytes = DcnReadNumber(application, "PacketSize");
    if (maxBytes && !DcnReadAttribute<DataRateValue>(application, "DataRate"))
    {
        if (*maxBytes == 0)
        {
            source.reason = "it sends without end (MaxBytes is 0)";
            return {};
        }
        return {{*maxBytes, startNs}};
    }

    if (packetBytes && *packetBytes == 0)
    {
        source.reason = "its packets have no payload (PacketSize is 0)";
        return {};
    }
    const Pace pace = ReadPace(application, startNs, source.reason);
    if (!pace.instant)
    {
        return {};
    }
    if (pace.nPackets == UINT64_MAX && stopNs == 0)
    {
        source.reason = "it sends without end (no largest number of bytes or packets, no StopTime)";
        return {};
    }
    if (pace.instant(0) >= endNs)
    {
        source.reason = "it is stopped before its first packet";
        return {};
    }
    const uint64_t nPackets = CountPackets(pace, endNs);
    const uint64_t group = (nPackets + maxMessages - 1) / maxMessages;
    source.packetBytes = *packetBytes;
    DcnTrafficSource::Messages messages;
    for (uint64_t packet = 0; packet < nPackets; packet += group)
    {
        const uint64_t count = std::min(group, nPackets - packet);
        messages.push_back({count * *packetBytes, pace.instant(packet)});
    }
    return messages;
}

std::vector<DcnTrafficSource>
DcnApplicationReader::FindSenders(const NodeContainer& nodes)
{
    std::vector<DcnTrafficSource> senders;
    for (uint32_t node = 0; node < nodes.GetN(); ++node)
    {
        for (uint32_t i = 0; i < nodes.Get(node)->GetNApplications(); ++i)
        {
            DcnTrafficSource source;
            source.application = nodes.Get(node)->GetApplication(i);
            source.node = node;
            source.startNs = ReadNs(*source.application, "StartTime");
            if (ReadDestination(source))
            {
                senders.push_back(source);
            }
        }
    }
    return senders;
}

const DcnTrafficSource*
DcnApplicationReader::TakeSender(std::vector<DcnTrafficSource>& senders,
                                 const DcnTrafficSource& flow)
{
    DcnTrafficSource* found = nullptr;
    for (DcnTrafficSource& each : senders)
    {
        if (each.node != flow.node || !each.reason.empty() ||
            each.ip.protocol != flow.ip.protocol || each.ip.destination != flow.ip.destination ||
            each.ip.destinationPort != flow.ip.destinationPort)
        {
            continue;
        }
        const bool isBefore = each.startNs <= flow.startNs;
        if (!found || (isBefore ? found->startNs > flow.startNs || each.startNs > found->startNs
                                : each.startNs < found->startNs))
        {
            found = &each;
        }
    }
    if (found)
    {
        found->node = DcnIpRoutes::NONE;
    }
    return found;
}

DcnTraffic
DcnApplicationReader::Read(const DcnTopology& topology,
                           const DcnIpRoutes& routes,
                           uint32_t maxMessages)
{
    DcnTraffic traffic;
    const NodeContainer& nodes = topology.GetNodes();
    std::size_t nDeaf = 0; // senders over TCP to which no application listens
    std::string deaf;      // the first of them
    for (DcnTrafficSource& source : FindSenders(nodes))
    {
        DcnTrafficSource::Messages parts;
        if (source.reason.empty())
        {
            parts = ReadMessages(source, maxMessages);
        }
        const std::string contradiction =
            parts.empty() ? ""
                          : FindContradiction(source,
                                              parts.front().startNs,
                                              parts.size() == 1 ? parts.front().sizeBytes : 0,
                                              topology.GetHostRate(source.node));
        if (!contradiction.empty())
        {
            source.reason = contradiction;
            parts.clear();
        }
        if (FindEchoServer(nodes, routes, source))
        {
            traffic.notes.push_back(
                "replies to " + source.Describe(topology) +
                " (ns3::UdpEchoServer) are not read, since they start when a request "
                "arrives: FromSinks and FromFlowMonitor read them after a run");
        }
        if (!parts.empty() && source.ip.protocol == TCP && !CanListen(nodes, routes, source) &&
            nDeaf++ == 0)
        {
            deaf = source.Describe(topology) + ", at port " +
                   std::to_string(source.ip.destinationPort) + " of node " +
                   std::to_string(topology.GetExternalId(routes.FindNode(source.ip.destination)));
        }
        traffic.sources.push_back(source);
        traffic.messages.push_back(std::move(parts));
    }
    if (nDeaf > 0)
    {
        traffic.notes.push_back("no application listens to " + std::to_string(nDeaf) +
                                " senders over TCP, such as " + deaf +
                                ": unless a socket of the script does, they send nothing in ns-3");
    }
    return traffic;
}

} // namespace ns3

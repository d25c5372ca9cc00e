/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "dcn-scenario-helper.h"

#include "../model/stack/dcn-attributes.h"
#include "../model/stack/dcn-stack-config.h"

#include "ns3/address.h"
#include "ns3/data-rate.h"
#include "ns3/dcn-error.h"
#include "ns3/dcn-ideal-fct.h"
#include "ns3/dcn-routing.h"
#include "ns3/flow-monitor.h"
#include "ns3/inet-socket-address.h"
#include "ns3/inet6-socket-address.h"
#include "ns3/ipv4-flow-classifier.h"
#include "ns3/ipv4.h"
#include "ns3/ipv6-flow-classifier.h"
#include "ns3/ipv6.h"
#include "ns3/log.h"
#include "ns3/node.h"
#include "ns3/pointer.h"
#include "ns3/random-variable-stream.h"
#include "ns3/simulator.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <tuple>
#include <type_traits>
#include <utility>

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("DcnScenarioHelper");

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

/// @return port of an address that has one, else 0
uint16_t
GetPort(const Address& address)
{
    return InetSocketAddress::IsMatchingType(address)
               ? InetSocketAddress::ConvertFrom(address).GetPort()
           : Inet6SocketAddress::IsMatchingType(address)
               ? Inet6SocketAddress::ConvertFrom(address).GetPort()
               : 0;
}

/// Reads the destination of an application; false if it is one that only receives.
bool
ReadDestination(DcnScenarioHelper::Source& source)
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
        source.ip.destinationPort = GetPort(remote->Get());
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
               const DcnScenarioHelper::Source& source)
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
CanListen(const NodeContainer& nodes,
          const DcnIpRoutes& routes,
          const DcnScenarioHelper::Source& source)
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
        DcnScenarioHelper::Source other;
        other.application = nodes.Get(to)->GetApplication(i);
        const bool isSender = ReadDestination(other) && other.reason.empty();
        if ((local && GetPort(local->Get()) == source.ip.destinationPort) ||
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

/// @return whether an application sends its bytes one by one, at a pace
bool
IsPaced(const Application& application)
{
    return DcnReadAttribute<DataRateValue>(application, "DataRate") ||
           DcnReadAttribute<TimeValue>(application, "Interval");
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
FindContradiction(const DcnScenarioHelper::Source& source,
                  int64_t firstNs,
                  uint64_t bytes,
                  uint64_t hostBps)
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

/// @return bytes that an application sends at most; 0 if its attributes name no such number
uint64_t
ReadMaxBytes(const Application& application)
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

std::string
DcnScenarioHelper::Source::Describe(const DcnTopology& topology) const
{
    if (!application)
    {
        return monitorId > 0 ? "flow " + std::to_string(monitorId) + " of the FlowMonitor"
                             : "the flow from " + DcnIpRoutes::ToText(ip.source) + " port " +
                                   std::to_string(ip.sourcePort) + " to " +
                                   DcnIpRoutes::ToText(ip.destination) + " port " +
                                   std::to_string(ip.destinationPort);
    }
    const Ptr<Node> owner = topology.GetNodes().Get(node);
    uint32_t number = 0;
    while (owner->GetApplication(number) != application)
    {
        ++number;
    }
    return "application " + std::to_string(number) + " of node " +
           std::to_string(topology.GetExternalId(node)) + " (" +
           application->GetInstanceTypeId().GetName() + ")";
}

DcnScenarioHelper::DcnScenarioHelper() = default;

void
DcnScenarioHelper::SetConfig(Ptr<const DcnNetworkConfig> config)
{
    m_config = config;
}

void
DcnScenarioHelper::SetSeed(uint64_t seed)
{
    m_seed = seed;
}

uint64_t
DcnScenarioHelper::GetSeed() const
{
    return m_seed;
}

void
DcnScenarioHelper::SetMaxMessages(uint32_t messages)
{
    if (messages == 0)
    {
        DcnFail("a sender needs at least one message, but SetMaxMessages was given 0");
    }
    m_maxMessages = messages;
}

const std::vector<DcnScenarioHelper::Source>&
DcnScenarioHelper::GetSources() const
{
    return m_sources;
}

std::size_t
DcnScenarioHelper::GetSourceOf(std::size_t flow) const
{
    return m_sourceOf.at(flow);
}

std::vector<std::string>
DcnScenarioHelper::GetNotes() const
{
    return m_notes;
}

std::vector<DcnScenarioHelper::Message>
DcnScenarioHelper::ReadApplication(Source& source) const
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
    const uint64_t group = (nPackets + m_maxMessages - 1) / m_maxMessages;
    source.packetBytes = *packetBytes;
    std::vector<Message> messages;
    for (uint64_t packet = 0; packet < nPackets; packet += group)
    {
        const uint64_t count = std::min(group, nPackets - packet);
        messages.push_back({count * *packetBytes, pace.instant(packet)});
    }
    return messages;
}

Ptr<const DcnScenario>
DcnScenarioHelper::FromApplications(const NodeContainer& nodes)
{
    return ReadApplications(DcnTopology::FromNodes(nodes));
}

Ptr<const DcnScenario>
DcnScenarioHelper::FromApplications(const NodeContainer& hosts, const NodeContainer& switches)
{
    return ReadApplications(DcnTopology::FromNodes(hosts, switches));
}

std::vector<DcnScenarioHelper::Source>
DcnScenarioHelper::FindSenders(const NodeContainer& nodes)
{
    std::vector<Source> senders;
    for (uint32_t node = 0; node < nodes.GetN(); ++node)
    {
        for (uint32_t i = 0; i < nodes.Get(node)->GetNApplications(); ++i)
        {
            Source source;
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

void
DcnScenarioHelper::Clear()
{
    m_sources.clear();
    m_sourceOf.clear();
    m_notes.clear();
    m_scenario = nullptr;
}

void
DcnScenarioHelper::FindSources(Ptr<const DcnTopology> topology)
{
    const std::vector<std::vector<Message>> messages =
        FindMessages(topology, DcnIpRoutes(topology));
    for (std::size_t i = 0; i < m_sources.size(); ++i)
    {
        m_sources[i].nFlows = static_cast<uint32_t>(messages[i].size());
        m_sources[i].sizeBytes = GetBytes(messages[i]);
    }
}

std::vector<std::vector<DcnScenarioHelper::Message>>
DcnScenarioHelper::FindMessages(Ptr<const DcnTopology> topology, const DcnIpRoutes& routes)
{
    Clear();
    std::vector<std::vector<Message>> messages;
    const NodeContainer& nodes = topology->GetNodes();
    std::size_t nDeaf = 0; // senders over TCP to which no application listens
    std::string deaf;      // the first of them
    for (Source& source : FindSenders(nodes))
    {
        std::vector<Message> parts;
        if (source.reason.empty())
        {
            parts = ReadApplication(source);
        }
        const std::string contradiction =
            parts.empty() ? ""
                          : FindContradiction(source,
                                              parts.front().startNs,
                                              parts.size() == 1 ? parts.front().sizeBytes : 0,
                                              topology->GetHostRate(source.node));
        if (!contradiction.empty())
        {
            source.reason = contradiction;
            parts.clear();
        }
        if (FindEchoServer(nodes, routes, source))
        {
            m_notes.push_back("replies to " + source.Describe(*topology) +
                              " (ns3::UdpEchoServer) are not read, since they start when a request "
                              "arrives: FromSinks and FromFlowMonitor read them after a run");
        }
        if (!parts.empty() && source.ip.protocol == TCP && !CanListen(nodes, routes, source) &&
            nDeaf++ == 0)
        {
            deaf = source.Describe(*topology) + ", at port " +
                   std::to_string(source.ip.destinationPort) + " of node " +
                   std::to_string(topology->GetExternalId(routes.FindNode(source.ip.destination)));
        }
        m_sources.push_back(source);
        messages.push_back(std::move(parts));
    }
    if (nDeaf > 0)
    {
        m_notes.push_back("no application listens to " + std::to_string(nDeaf) +
                          " senders over TCP, such as " + deaf +
                          ": unless a socket of the script does, they send nothing in ns-3");
    }
    return messages;
}

Ptr<const DcnScenario>
DcnScenarioHelper::ReadApplications(Ptr<const DcnTopology> topology)
{
    const DcnIpRoutes routes(topology);
    const std::vector<std::vector<Message>> messages = FindMessages(topology, routes);
    if (m_sources.empty())
    {
        DcnFail("none of the ", topology->GetNNodes(), " nodes has an application that sends");
    }
    return Create(topology, routes, messages);
}

Ptr<const DcnNetworkConfig>
DcnScenarioHelper::MakeConfig(const DcnTopology& topology)
{
    return ReadConfig(topology, true, {});
}

Ptr<const DcnNetworkConfig>
DcnScenarioHelper::ReadConfig(const DcnTopology& topology,
                              bool unread,
                              const std::vector<bool>& isUsed)
{
    DcnStackConfig::Senders senders;
    std::set<uint32_t> tcpNodes;
    std::size_t nPaced = 0;
    for (const Source& source : m_sources)
    {
        if (source.ip.destination.IsInvalid() || (source.nFlows == 0 && !unread))
        {
            continue;
        }
        senders.isV4 = Ipv4Address::IsMatchingType(source.ip.destination);
        if (source.ip.protocol == TCP)
        {
            ++senders.nTcp;
            tcpNodes.insert(source.node);
            nPaced += source.application && IsPaced(*source.application);
            continue;
        }
        ++senders.nUdp;
        uint64_t packetBytes = source.packetBytes;
        if (packetBytes == 0)
        {
            packetBytes = source.nFlows > 0
                              ? source.sizeBytes / source.nFlows
                              : DcnReadNumber(*source.application, "PacketSize").value_or(0);
        }
        senders.largestDatagramBytes =
            std::max(senders.largestDatagramBytes,
                     static_cast<uint32_t>(std::min<uint64_t>(packetBytes, UINT16_MAX)));
    }
    if (senders.nTcp + senders.nUdp == 0)
    {
        tcpNodes.insert(topology.GetHosts().begin(), topology.GetHosts().end());
    }
    senders.tcpNodes.assign(tcpNodes.begin(), tcpNodes.end());
    Ptr<const DcnNetworkConfig> config = m_config;
    if (!config)
    {
        config = DcnStackConfig::Read(topology, senders, m_notes);
    }
    DcnStackConfig::NoteUnmodelled(topology, senders, isUsed, m_notes);
    if (nPaced > 0 && config->handshakeRtts > 0)
    {
        m_notes.push_back("each message of " + std::to_string(nPaced) +
                          " senders over TCP with a pace is a flow with a handshake and a first "
                          "window of its own, but the sender has one connection");
    }
    return config;
}

bool
DcnScenarioHelper::ChooseVersion() const
{
    std::size_t nV4 = 0;
    std::size_t nV6 = 0;
    for (const Source& source : m_sources)
    {
        const bool isV4 = Ipv4Address::IsMatchingType(source.ip.destination);
        nV4 += source.reason.empty() && isV4;
        nV6 += source.reason.empty() && !isV4;
    }
    return nV4 >= nV6;
}

std::string
DcnScenarioHelper::FindPath(const DcnTopology& topology,
                            const DcnIpRoutes& routes,
                            const DcnRouting& routing,
                            const Source& source,
                            const std::vector<Message>& messages,
                            std::vector<uint32_t>& path)
{
    try
    {
        Address from;
        path = routes.GetPath(source.node, source.ip, &from);
        const uint32_t destination = routes.FindNode(source.ip.destination);
        for (uint32_t end : {source.node, destination})
        {
            if (!topology.IsHost(end))
            {
                return "its flows " + std::string(end == source.node ? "start" : "end") +
                       " at node " + std::to_string(topology.GetExternalId(end)) + ", which has " +
                       std::to_string(topology.GetOutLinks(end).size()) +
                       " links and so counts as a switch: say which nodes are hosts "
                       "(FromApplications(hosts, switches), or Estimate(hosts, switches) of a "
                       "method's helper)";
            }
        }
        for (const Message& message : messages)
        {
            DcnCheckFlow(topology,
                         {0, source.node, destination, message.sizeBytes, message.startNs},
                         nullptr);
        }
        if (path.empty())
        {
            std::vector<uint32_t> drawn;
            routing.AppendPath({0, source.node, destination, 1, 0}, drawn);
        }
        else if (source.ip.protocol == TCP)
        {
            DcnIpFlow back;
            back.source = source.ip.destination;
            back.sourcePort = source.ip.destinationPort;
            back.destination = from;
            back.destinationPort = source.ip.sourcePort;
            routes.GetPath(destination, back);
        }
    }
    catch (const DcnError& error)
    {
        return error.what();
    }
    return "";
}

std::vector<DcnScenarioHelper::Entry>
DcnScenarioHelper::MakeFlows(const DcnTopology& topology,
                             const DcnIpRoutes& routes,
                             const DcnRouting& routing,
                             const std::vector<std::vector<Message>>& messages,
                             std::vector<std::vector<uint32_t>>& paths)
{
    const bool isV4 = ChooseVersion();
    std::vector<Entry> entries;
    paths.resize(m_sources.size());
    std::size_t nUnread = 0;
    std::size_t nRandom = 0;
    for (std::size_t i = 0; i < m_sources.size(); ++i)
    {
        Source& source = m_sources[i];
        if (source.reason.empty() && Ipv4Address::IsMatchingType(source.ip.destination) != isV4)
        {
            source.reason = std::string("it sends over IPv") + (isV4 ? "6" : "4") +
                            ", most others over IPv" + (isV4 ? "4" : "6") +
                            ", and a scenario has one size of headers: read the two kinds of nodes "
                            "or applications in two scenarios";
        }
        if (source.reason.empty())
        {
            source.reason = FindPath(topology, routes, routing, source, messages[i], paths[i]);
        }
        if (!source.reason.empty())
        {
            m_notes.push_back(source.Describe(topology) + " was not read: " + source.reason);
            ++nUnread;
            continue;
        }
        nRandom += paths[i].empty();
        const uint32_t destination = routes.FindNode(source.ip.destination);
        source.nFlows = static_cast<uint32_t>(messages[i].size());
        source.sizeBytes = GetBytes(messages[i]);
        for (const Message& message : messages[i])
        {
            entries.push_back(
                {{entries.size(), source.node, destination, message.sizeBytes, message.startNs},
                 i});
        }
    }
    if (entries.empty())
    {
        DcnFail("no application can be read: ",
                m_notes.front(),
                m_notes.size() > 1 ? " (and " + std::to_string(m_notes.size() - 1) +
                                         " further sentences: GetNotes)"
                                   : "");
    }
    if (nRandom > 0)
    {
        m_notes.push_back("routing draws a path for each packet of " + std::to_string(nRandom) +
                          " senders (RandomEcmpRouting); each of their flows was given one of the "
                          "shortest paths");
    }
    std::stable_sort(entries.begin(), entries.end(), [](const Entry& a, const Entry& b) {
        return a.flow.startNs < b.flow.startNs;
    });
    NS_LOG_INFO(entries.size() << " flows of " << m_sources.size() - nUnread << " senders, "
                               << nUnread << " senders not read");
    return entries;
}

Ptr<const DcnScenario>
DcnScenarioHelper::Create(Ptr<const DcnTopology> topology,
                          const DcnIpRoutes& routes,
                          const std::vector<std::vector<Message>>& messages)
{
    const DcnRouting routing(topology, m_seed);
    std::vector<std::vector<uint32_t>> paths;
    std::vector<Entry> entries = MakeFlows(*topology, routes, routing, messages, paths);
    std::vector<DcnFlow> flows;
    DcnPathTable table;
    std::vector<bool> isUsed(topology->GetNLinks(), false);
    std::vector<bool> isTcp;
    m_sourceOf.clear();
    for (Entry& entry : entries)
    {
        entry.flow.id = flows.size(); // ids ascend with start times
        std::vector<uint32_t> path = paths[entry.source];
        if (path.empty())
        {
            routing.AppendPath(entry.flow, path);
        }
        table.Append(path);
        for (uint32_t link : path)
        {
            isUsed[link] = true;
        }
        flows.push_back(entry.flow);
        m_sourceOf.push_back(entry.source);
        isTcp.push_back(m_sources[entry.source].ip.protocol == TCP);
    }
    m_scenario = DcnScenario::CreateWithPaths(topology,
                                              ReadConfig(*topology, false, isUsed),
                                              std::move(flows),
                                              std::move(table),
                                              m_seed);
    DcnStackConfig::NoteLosses(
        m_scenario->GetTopology(),
        m_scenario->GetNetwork(),
        m_scenario->GetFlows(),
        [this](std::size_t flow) { return m_scenario->GetPath(flow); },
        isTcp,
        m_notes);
    return m_scenario;
}

Ptr<const DcnScenario>
DcnScenarioHelper::GetScenario() const
{
    return m_scenario;
}

std::vector<int64_t>
DcnScenarioHelper::GetSourceFctNs(const DcnEstimate& estimate) const
{
    if (!m_scenario || estimate.fctNs.size() != m_sourceOf.size())
    {
        DcnFail("the estimate has ",
                estimate.fctNs.size(),
                " flows, but the scenario that was read last has ",
                m_sourceOf.size());
    }
    uint64_t nUnfinished = 0; // for which the method gives a reason
    for (const auto& [reason, count] : estimate.unfinished)
    {
        nUnfinished += count;
    }
    const uint64_t nFinished = estimate.GetNFinished();
    if (!estimate.samples.empty() && nFinished + nUnfinished < m_sourceOf.size())
    {
        DcnFail("the method ",
                estimate.method,
                nFinished == 0 ? " gives slowdowns of all flows together"
                               : " gives times for some of the flows only",
                ", not the completion time of each flow: read DcnEstimate::samples, or ask "
                "another method for times, such as flowsim");
    }
    const std::vector<DcnFlow>& flows = m_scenario->GetFlows();
    std::vector<int64_t> fctNs(m_sources.size(), DcnEstimate::UNFINISHED);
    std::vector<bool> isUnfinished(m_sources.size(), false);
    for (std::size_t flow = 0; flow < m_sourceOf.size(); ++flow)
    {
        const std::size_t i = m_sourceOf[flow];
        if (estimate.fctNs[flow] == DcnEstimate::UNFINISHED)
        {
            isUnfinished[i] = true;
            continue;
        }
        const int64_t endNs = flows[flow].startNs + estimate.fctNs[flow];
        fctNs[i] = std::max(fctNs[i], endNs - m_sources[i].startNs);
    }
    for (std::size_t i = 0; i < m_sources.size(); ++i)
    {
        fctNs[i] = isUnfinished[i] ? DcnEstimate::UNFINISHED : fctNs[i];
    }
    return fctNs;
}

namespace
{

/// A flow as a FlowMonitor knows it.
struct MonitorFlow
{
    uint32_t id;       //!< number in the monitor
    DcnIpFlow ip;      //!< addresses and ports
    uint64_t payload;  //!< bytes that arrived beyond headers
    uint64_t nPackets; //!< packets that arrived
    int64_t startNs;   //!< first packet is sent [ns]
    int64_t endNs;     //!< last packet is sent [ns]
};

/// @return key of a flow; with swapped ends: of the flow in the other direction
DcnScenarioHelper::Key
MakeKey(const DcnIpFlow& ip, bool isSwapped)
{
    return isSwapped ? std::make_tuple(ip.destination,
                                       ip.destinationPort,
                                       ip.source,
                                       ip.sourcePort,
                                       ip.protocol)
                     : std::make_tuple(ip.source,
                                       ip.sourcePort,
                                       ip.destination,
                                       ip.destinationPort,
                                       ip.protocol);
}

/**
 * @brief Find the application that made a flow: on its node, with its destination and protocol; of
 * several the one that starts last but not after the flow, else the first one to start.
 * @param senders applications that were not found yet; the one that is found becomes another node's
 * @param flow with node, addresses and start
 * @return the application; null if there is none
 */
const DcnScenarioHelper::Source*
TakeSender(std::vector<DcnScenarioHelper::Source>& senders, const DcnScenarioHelper::Source& flow)
{
    DcnScenarioHelper::Source* found = nullptr;
    for (DcnScenarioHelper::Source& each : senders)
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

/// @return all flows of a monitor, by number
std::vector<MonitorFlow>
ReadMonitor(const FlowMonitor& monitor, Ptr<FlowClassifier> classifier)
{
    const auto v4 = DynamicCast<Ipv4FlowClassifier>(classifier);
    const auto v6 = DynamicCast<Ipv6FlowClassifier>(classifier);
    if (!v4 && !v6)
    {
        DcnFail("the classifier of a FlowMonitor must be an Ipv4FlowClassifier or an "
                "Ipv6FlowClassifier");
    }
    const auto read = [](const auto& tuple) {
        DcnIpFlow ip;
        ip.source = tuple.sourceAddress;
        ip.destination = tuple.destinationAddress;
        ip.protocol = tuple.protocol;
        ip.sourcePort = tuple.sourcePort;
        ip.destinationPort = tuple.destinationPort;
        return ip;
    };
    std::vector<MonitorFlow> flows;
    for (const auto& [id, stats] : monitor.GetFlowStats())
    {
        const DcnIpFlow ip = v4 ? read(v4->FindFlow(id)) : read(v6->FindFlow(id));
        const bool isV4 = v4 != nullptr;
        const uint64_t headers =
            stats.rxPackets == 0
                ? 0
                : DcnStackConfig::GetHeaderBytes(ip.protocol, isV4, true) +
                      (stats.rxPackets - 1) * DcnStackConfig::GetHeaderBytes(ip.protocol, isV4);
        const uint64_t payload = stats.rxBytes > headers ? stats.rxBytes - headers : 0;
        flows.push_back({id,
                         ip,
                         payload,
                         stats.rxPackets,
                         stats.timeFirstTxPacket.GetNanoSeconds(),
                         stats.timeLastTxPacket.GetNanoSeconds()});
    }
    return flows;
}

/// Flows of a monitor by their keys.
using MonitorFlows = std::map<DcnScenarioHelper::Key, const MonitorFlow*>;

/// @return whether a flow has the acknowledgements of another one
bool
Acknowledges(const MonitorFlow& flow, const MonitorFlows& byKey)
{
    // acknowledgements with lists of lost segments carry up to 36 bytes of options
    constexpr uint64_t LARGEST_OPTIONS = 36;
    const auto other = byKey.find(MakeKey(flow.ip, true));
    return flow.ip.protocol == TCP && other != byKey.end() &&
           flow.payload <= LARGEST_OPTIONS * flow.nPackets && other->second->payload > flow.payload;
}

/**
 * Note what a monitor does not say.
 * @param nUnknown flows over TCP whose application is not known
 * @param nSpread flows over TCP whose messages have no known times
 * @param notes appended to
 */
void
NoteGuesses(std::size_t nUnknown, std::size_t nSpread, std::vector<std::string>& notes)
{
    if (nUnknown > 0)
    {
        notes.push_back(std::to_string(nUnknown) +
                        " flows over TCP have no application that can be read; each was taken "
                        "for one transfer that is handed over at its start");
    }
    if (nSpread > 0)
    {
        notes.push_back(std::to_string(nSpread) +
                        " senders over TCP with a pace have random times or lost bytes; their "
                        "bytes were spread evenly between the first and the last packet that the "
                        "FlowMonitor saw, which is late where the network held them up");
    }
}

} // namespace

uint64_t
DcnScenarioHelper::GetBytes(const std::vector<Message>& messages)
{
    uint64_t bytes = 0;
    for (const Message& message : messages)
    {
        bytes += message.sizeBytes;
    }
    return bytes;
}

std::vector<DcnScenarioHelper::Message>
DcnScenarioHelper::Spread(uint64_t bytes,
                          uint64_t nPackets,
                          int64_t firstNs,
                          int64_t lastNs,
                          uint32_t maxMessages)
{
    const uint64_t gaps = lastNs > firstNs && nPackets > 1 ? nPackets - 1 : 0;
    const uint64_t n = gaps == 0 ? 1 : std::min<uint64_t>({nPackets, bytes, maxMessages});
    std::vector<Message> messages;
    uint64_t done = 0;
    for (uint64_t i = 0; i < n; ++i)
    {
        // message i begins with packet i * nPackets / n
        const double packets =
            static_cast<double>(i) * static_cast<double>(nPackets) / static_cast<double>(n);
        const uint64_t end = static_cast<uint64_t>(std::llround(
            static_cast<double>(bytes) * static_cast<double>(i + 1) / static_cast<double>(n)));
        const double share = gaps == 0 ? 0 : std::floor(packets) / static_cast<double>(gaps);
        messages.push_back(
            {end - done, firstNs + std::llround(share * static_cast<double>(lastNs - firstNs))});
        done = end;
    }
    return messages;
}

Ptr<const DcnScenario>
DcnScenarioHelper::FromFlowMonitor(const NodeContainer& nodes,
                                   Ptr<FlowMonitor> monitor,
                                   Ptr<FlowClassifier> classifier)
{
    const std::vector<MonitorFlow> flows = ReadMonitor(*monitor, classifier);
    MonitorFlows byKey;
    for (const MonitorFlow& flow : flows)
    {
        byKey[MakeKey(flow.ip, false)] = &flow;
    }
    Ptr<const DcnTopology> topology = DcnTopology::FromNodes(nodes);
    const DcnIpRoutes routes(topology);
    std::vector<Source> senders = FindSenders(topology->GetNodes());
    Clear();
    std::size_t nUnknown = 0; // flows over TCP whose application is not known
    std::size_t nSpread = 0;  // flows over TCP whose messages have no known times
    std::vector<std::vector<Message>> messages;
    for (const MonitorFlow& flow : flows)
    {
        if (Acknowledges(flow, byKey))
        {
            continue;
        }
        Source source;
        source.monitorId = flow.id;
        source.ip = flow.ip;
        source.startNs = flow.startNs;
        source.node = routes.FindNode(flow.ip.source);
        std::vector<Message> parts;
        if (source.node == DcnIpRoutes::NONE)
        {
            source.reason =
                "none of the nodes has its source address " + DcnIpRoutes::ToText(flow.ip.source);
        }
        else if (flow.payload == 0)
        {
            source.reason = "no payload has arrived";
        }
        else
        {
            // a segment that arrives twice counts twice in the monitor
            uint64_t payload = flow.payload;
            bool isPaced = flow.ip.protocol == UDP;
            if (const Source* sender = TakeSender(senders, source))
            {
                const uint64_t most = ReadMaxBytes(*sender->application);
                payload = most > 0 ? std::min(payload, most) : payload;
                Source copy = *sender;
                parts = isPaced || IsPaced(*sender->application) ? ReadApplication(copy) : parts;
                isPaced = isPaced || IsPaced(*sender->application);
            }
            else if (!isPaced)
            {
                ++nUnknown;
            }
            if (flow.ip.protocol == UDP)
            {
                source.packetBytes = (flow.payload + flow.nPackets - 1) / flow.nPackets;
            }
            if (!isPaced)
            {
                parts = {{payload, flow.startNs}};
            }
            else if (GetBytes(parts) != payload)
            {
                // its times are random, or something is missing: evenly between what was seen
                parts = Spread(payload, flow.nPackets, flow.startNs, flow.endNs, m_maxMessages);
                nSpread += flow.ip.protocol == TCP;
            }
        }
        m_sources.push_back(source);
        messages.push_back(std::move(parts));
    }
    if (m_sources.empty())
    {
        DcnFail("the FlowMonitor has seen no flow with payload");
    }
    NoteGuesses(nUnknown, nSpread, m_notes);
    return Create(topology, routes, messages);
}

namespace
{

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

void
DcnScenarioHelper::WatchSinks(const NodeContainer& nodes)
{
    uint32_t nWatched = 0;
    m_arrivals = std::make_shared<Arrivals>();
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
                MakeBoundCallback(&DcnScenarioHelper::OnReceived, listener));
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
DcnScenarioHelper::OnReceived(Listener listener,
                              Ptr<const Packet> packet,
                              const Address& from,
                              const Address& local)
{
    DcnIpFlow ip;
    ip.source = DcnIpRoutes::WithoutPort(from);
    ip.sourcePort = GetPort(from);
    ip.destination = DcnIpRoutes::WithoutPort(local);
    ip.destinationPort = GetPort(local);
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
        (*arrivals)[MakeKey(ip, false)].push_back(
            {packet->GetSize(), Simulator::Now().GetNanoSeconds()});
    }
}

std::vector<DcnScenarioHelper::Message>
DcnScenarioHelper::ReadArrivals(const DcnTopology& topology,
                                const std::vector<uint32_t>& path,
                                const std::vector<Message>& arrivals,
                                std::vector<Source>& senders,
                                Source& source) const
{
    const bool isV4 = Ipv4Address::IsMatchingType(source.ip.destination);
    const DcnStackConfig::Packet packet =
        DcnStackConfig::GetPacket(topology, source.ip.protocol, isV4);
    const Ptr<DcnNetworkConfig> config = CreateObject<DcnNetworkConfig>();
    config->headerBytes = packet.headerBytes;
    config->payloadBytes = packet.payloadBytes;
    // when bytes that arrive now were sent, if the path was empty
    const auto getSentNs = [&](const Message& arrival) {
        const DcnPath links{path.data(), path.data() + path.size()};
        const DcnIdealFct ideal = DcnComputeIdealFct(topology, links, arrival.sizeBytes, *config);
        return std::max<int64_t>(0, arrival.startNs - ideal.latencyNs - ideal.restNs);
    };
    source.startNs = getSentNs(arrivals.front());
    if (const Source* sender = TakeSender(senders, source))
    {
        source.application = sender->application;
    }
    uint64_t received = 0;
    for (const Message& arrival : arrivals)
    {
        received += arrival.sizeBytes;
        source.packetBytes = std::max(source.packetBytes, arrival.sizeBytes);
    }
    if (source.ip.protocol == TCP && !(source.application && IsPaced(*source.application)))
    {
        if (source.application)
        {
            source.startNs = ReadNs(*source.application, "StartTime");
        }
        return {{received, source.startNs}};
    }
    const uint64_t group = (arrivals.size() + m_maxMessages - 1) / m_maxMessages;
    std::vector<Message> messages;
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

Ptr<const DcnScenario>
DcnScenarioHelper::FromSinks(const NodeContainer& nodes)
{
    if (!m_arrivals)
    {
        DcnFail("FromSinks reads what sinks received since WatchSinks: call that before the "
                "simulation runs");
    }
    if (m_arrivals->empty())
    {
        DcnFail("no sink has received payload since WatchSinks");
    }
    Ptr<const DcnTopology> topology = DcnTopology::FromNodes(nodes);
    const DcnIpRoutes routes(topology);
    std::vector<Source> senders = FindSenders(topology->GetNodes());
    Clear();
    const DcnRouting routing(topology, m_seed);
    std::vector<std::vector<Message>> messages;
    for (const auto& [key, arrivals] : *m_arrivals)
    {
        Source source;
        std::tie(source.ip.source,
                 source.ip.sourcePort,
                 source.ip.destination,
                 source.ip.destinationPort,
                 source.ip.protocol) = key;
        source.node = routes.FindNode(source.ip.source);
        std::vector<Message> parts;
        if (source.node == DcnIpRoutes::NONE)
        {
            source.reason =
                "none of the nodes has its source address " + DcnIpRoutes::ToText(source.ip.source);
        }
        else
        {
            std::vector<uint32_t> path;
            source.reason = FindPath(*topology, routes, routing, source, {}, path);
            if (source.reason.empty() && path.empty())
            {
                // one of the shortest paths: numbers of flows, by which Create draws, follow starts
                const uint32_t to = routes.FindNode(source.ip.destination);
                routing.AppendPath({m_sources.size(), source.node, to, 1, 0}, path);
            }
            if (source.reason.empty())
            {
                parts = ReadArrivals(*topology, path, arrivals, senders, source);
            }
        }
        m_sources.push_back(source);
        messages.push_back(std::move(parts));
    }
    return Create(topology, routes, messages);
}

} // namespace ns3

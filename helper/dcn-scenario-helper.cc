/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "dcn-scenario-helper.h"

#include "ns3/address.h"
#include "ns3/boolean.h"
#include "ns3/data-rate.h"
#include "ns3/dcn-error.h"
#include "ns3/double.h"
#include "ns3/flow-monitor.h"
#include "ns3/inet-socket-address.h"
#include "ns3/inet6-socket-address.h"
#include "ns3/ipv4-flow-classifier.h"
#include "ns3/ipv6-flow-classifier.h"
#include "ns3/log.h"
#include "ns3/node.h"
#include "ns3/pointer.h"
#include "ns3/random-variable-stream.h"
#include "ns3/simulator.h"
#include "ns3/tcp-socket-base.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <optional>
#include <tuple>
#include <utility>

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("DcnScenarioHelper");

namespace
{

constexpr uint8_t TCP = 6;  //!< protocol number
constexpr uint8_t UDP = 17; //!< protocol number

/// @return an attribute of an object; none if it has no such attribute of this kind
template <class Value>
std::optional<Value>
Read(const Object& object, const std::string& name)
{
    Value value;
    TypeId::AttributeInformation known;
    if (!object.GetInstanceTypeId().LookupAttributeByName(name, &known) ||
        !object.GetAttributeFailSafe(name, value))
    {
        return std::nullopt;
    }
    return value;
}

/// @return a number of an object; none if it has no such attribute
std::optional<uint64_t>
ReadNumber(const Object& object, const std::string& name)
{
    const auto value = Read<UintegerValue>(object, name);
    return value ? std::optional<uint64_t>(value->Get()) : std::nullopt;
}

/// @return a time of an object [ns]; 0 if it has no such attribute
int64_t
ReadNs(const Object& object, const std::string& name)
{
    const auto value = Read<TimeValue>(object, name);
    return value ? value->Get().GetNanoSeconds() : 0;
}

/// @return the default value of an attribute, as Config::SetDefault left it
template <class Value>
auto
GetDefault(const std::string& type, const std::string& name)
{
    TypeId::AttributeInformation known;
    if (!TypeId::LookupByName(type).LookupAttributeByName(name, &known))
    {
        DcnFail("this ns-3 has no attribute ", name, " of ", type);
    }
    return dynamic_cast<const Value&>(*known.initialValue).Get();
}

/**
 * @param object with the attribute
 * @param name of an attribute that is a random variable
 * @return its value if it is constant [ns]; none otherwise
 */
std::optional<int64_t>
ReadConstantNs(const Object& object, const std::string& name)
{
    const auto pointer = Read<PointerValue>(object, name);
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
    const auto protocol = Read<TypeIdValue>(application, "Protocol");
    const bool isUdp = protocol ? protocol->Get().GetName().find("Udp") != std::string::npos
                                : ReadNumber(application, "MaxPackets").has_value();
    source.ip.protocol = isUdp ? UDP : TCP;
    auto remote = Read<AddressValue>(application, "Remote");
    if (!remote || remote->Get().IsInvalid())
    {
        remote = Read<AddressValue>(application, "RemoteAddress");
    }
    if (remote && !remote->Get().IsInvalid())
    {
        source.ip.destination = DcnIpRoutes::WithoutPort(remote->Get());
        source.ip.destinationPort = GetPort(remote->Get());
        if (source.ip.destinationPort == 0) // deprecated from ns-3.44 on, where Remote has the port
        {
            const auto port = ReadNumber(application, "RemotePort");
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

} // namespace

std::string
DcnScenarioHelper::Source::Describe(const DcnTopology& topology) const
{
    if (!application)
    {
        return "flow " + std::to_string(monitorId) + " of the FlowMonitor";
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
    const auto maxBytes = ReadNumber(application, "MaxBytes");
    const auto maxPackets = ReadNumber(application, "MaxPackets");
    const auto packetBytes = ReadNumber(application, "PacketSize");
    const auto rate = Read<DataRateValue>(application, "DataRate");
    const auto interval = Read<TimeValue>(application, "Interval");

    if (maxBytes && !rate)
    {
        if (*maxBytes == 0)
        {
            source.reason = "it sends without end (MaxBytes is 0)";
            return {};
        }
        return {{*maxBytes, startNs}};
    }

    uint64_t nPackets = 0;
    std::function<int64_t(uint64_t)> instant; // of packet 0, 1, ... [ns]
    if (maxBytes && packetBytes && *packetBytes > 0)
    {
        const auto onNs = ReadConstantNs(application, "OnTime");
        const auto offNs = ReadConstantNs(application, "OffTime");
        if (!onNs || !offNs || *onNs <= 0)
        {
            source.reason = "its on and off times are random";
            return {};
        }
        const double gapNs = static_cast<double>(8 * *packetBytes) * 1e9 /
                             static_cast<double>(rate->Get().GetBitRate());
        nPackets = *maxBytes > 0 ? (*maxBytes + *packetBytes - 1) / *packetBytes : UINT64_MAX;
        instant = [=](uint64_t packet) {
            // it begins with an off time, and a packet is sent when its time has passed
            const double busyNs = static_cast<double>(packet + 1) * gapNs;
            const double pauses = 1 + std::floor(busyNs / static_cast<double>(*onNs));
            return startNs + std::llround(busyNs + pauses * static_cast<double>(*offNs));
        };
    }
    else if (maxPackets && packetBytes && interval)
    {
        nPackets = *maxPackets > 0 ? *maxPackets : UINT64_MAX;
        instant = [=](uint64_t packet) {
            return startNs + static_cast<int64_t>(packet) * interval->Get().GetNanoSeconds();
        };
    }
    else
    {
        source.reason = "no attribute says how many bytes it sends (MaxBytes, or MaxPackets, "
                        "PacketSize and Interval)";
        return {};
    }
    if (nPackets == UINT64_MAX && stopNs == 0)
    {
        source.reason = "it sends without end (no largest number of bytes or packets, no StopTime)";
        return {};
    }
    if (instant(0) >= endNs)
    {
        source.reason = "it is stopped before its first packet";
        return {};
    }
    // the last packet before the stop, by bisection: instants ascend
    uint64_t low = 1;
    uint64_t high = std::min<uint64_t>(nPackets, uint64_t(1) << 40);
    while (low < high)
    {
        const uint64_t middle = high - (high - low) / 2;
        (instant(middle - 1) < endNs ? low : high) =
            instant(middle - 1) < endNs ? middle : middle - 1;
    }
    nPackets = low;
    const uint64_t group = (nPackets + m_maxMessages - 1) / m_maxMessages;
    std::vector<Message> messages;
    for (uint64_t packet = 0; packet < nPackets; packet += group)
    {
        const uint64_t count = std::min(group, nPackets - packet);
        messages.push_back({count * *packetBytes, instant(packet)});
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

void
DcnScenarioHelper::FindSources(Ptr<const DcnTopology> topology)
{
    const std::vector<std::vector<Message>> messages = FindMessages(topology);
    for (std::size_t i = 0; i < m_sources.size(); ++i)
    {
        m_sources[i].nFlows = static_cast<uint32_t>(messages[i].size());
        for (const Message& message : messages[i])
        {
            m_sources[i].sizeBytes += message.sizeBytes;
        }
    }
}

std::vector<std::vector<DcnScenarioHelper::Message>>
DcnScenarioHelper::FindMessages(Ptr<const DcnTopology> topology)
{
    m_sources.clear();
    m_sourceOf.clear();
    m_notes.clear();
    m_scenario = nullptr;
    std::vector<std::vector<Message>> messages;
    const NodeContainer& nodes = topology->GetNodes();
    for (uint32_t node = 0; node < nodes.GetN(); ++node)
    {
        for (uint32_t i = 0; i < nodes.Get(node)->GetNApplications(); ++i)
        {
            Source source;
            source.application = nodes.Get(node)->GetApplication(i);
            source.node = node;
            source.startNs = ReadNs(*source.application, "StartTime");
            if (!ReadDestination(source))
            {
                continue;
            }
            std::vector<Message> parts;
            if (source.reason.empty())
            {
                parts = ReadApplication(source);
            }
            if (!parts.empty() && parts.front().startNs < Simulator::Now().GetNanoSeconds())
            {
                DcnFail(source.Describe(*topology),
                        " starts at ",
                        source.startNs,
                        " ns, before the present time of ",
                        Simulator::Now().GetNanoSeconds(),
                        " ns: read applications before the simulation runs, or what a "
                        "FlowMonitor has seen of it");
            }
            const int64_t stopNs = ReadNs(*source.application, "StopTime");
            if (parts.size() == 1 && stopNs > 0 &&
                static_cast<double>(parts[0].sizeBytes) * 8e9 /
                        static_cast<double>(topology->GetHostRate(node)) >
                    static_cast<double>(stopNs - source.startNs))
            {
                DcnFail(source.Describe(*topology),
                        " is stopped at ",
                        stopNs,
                        " ns, before its link of ",
                        topology->GetHostRate(node),
                        " bit/s can carry its ",
                        parts[0].sizeBytes,
                        " bytes");
            }
            m_sources.push_back(source);
            messages.push_back(std::move(parts));
        }
    }
    return messages;
}

Ptr<const DcnScenario>
DcnScenarioHelper::ReadApplications(Ptr<const DcnTopology> topology)
{
    const std::vector<std::vector<Message>> messages = FindMessages(topology);
    if (m_sources.empty())
    {
        DcnFail("none of the ", topology->GetNNodes(), " nodes has an application that sends");
    }
    return Create(topology, DcnIpRoutes(topology), messages);
}

Ptr<const DcnNetworkConfig>
DcnScenarioHelper::MakeConfig(const DcnTopology& topology) const
{
    if (m_config)
    {
        return m_config;
    }
    Ptr<DcnNetworkConfig> config = DcnNetworkConfig::Preset("dctcp", topology.GetSlowestHostRate());
    config->payloadBytes =
        static_cast<uint32_t>(GetDefault<UintegerValue>("ns3::TcpSocket", "SegmentSize"));
    return config;
}

Ptr<const DcnScenario>
DcnScenarioHelper::Create(Ptr<const DcnTopology> topology,
                          const DcnIpRoutes& routes,
                          const std::vector<std::vector<Message>>& messages)
{
    /// A flow of the scenario.
    struct Entry
    {
        DcnFlow flow;
        std::size_t source;
    };

    std::vector<Entry> entries;
    std::vector<std::vector<uint32_t>> paths(m_sources.size());
    std::vector<bool> isRandom(m_sources.size(), false);
    std::optional<bool> isV4;
    std::size_t nUnread = 0;
    std::size_t nRandom = 0;
    for (std::size_t i = 0; i < m_sources.size(); ++i)
    {
        Source& source = m_sources[i];
        if (!source.reason.empty())
        {
            m_notes.push_back(source.Describe(*topology) + " was not read: " + source.reason);
            ++nUnread;
            continue;
        }
        const bool v4 = Ipv4Address::IsMatchingType(source.ip.destination);
        if (isV4 && *isV4 != v4)
        {
            DcnFail(source.Describe(*topology),
                    " sends to ",
                    DcnIpRoutes::ToText(source.ip.destination),
                    ", others to addresses of another version of IP: a scenario has one size of "
                    "headers, read the two kinds of nodes or applications in two scenarios");
        }
        isV4 = v4;
        paths[i] = routes.GetPath(source.node, source.ip);
        isRandom[i] = paths[i].empty();
        nRandom += isRandom[i];
        const uint32_t destination = routes.FindNode(source.ip.destination);
        source.nFlows = static_cast<uint32_t>(messages[i].size());
        for (const Message& message : messages[i])
        {
            source.sizeBytes += message.sizeBytes;
            entries.push_back(
                {{entries.size(), source.node, destination, message.sizeBytes, message.startNs},
                 i});
        }
    }
    if (entries.empty())
    {
        DcnFail("no application can be read: ", m_notes.front());
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
    const DcnRouting routing(topology, m_seed);
    std::vector<DcnFlow> flows;
    DcnPathTable table;
    m_sourceOf.clear();
    for (Entry& entry : entries)
    {
        entry.flow.id = flows.size(); // ids ascend with start times
        std::vector<uint32_t> path = paths[entry.source];
        if (isRandom[entry.source])
        {
            routing.AppendPath(entry.flow, path);
        }
        table.Append(path);
        flows.push_back(entry.flow);
        m_sourceOf.push_back(entry.source);
    }
    NS_LOG_INFO(flows.size() << " flows of " << m_sources.size() - nUnread << " senders, "
                             << nUnread << " senders not read");
    m_scenario = DcnScenario::CreateWithPaths(topology,
                                              MakeConfig(*topology),
                                              std::move(flows),
                                              std::move(table),
                                              m_seed);
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

/// Sizes of headers of IP and transport, as sockets are configured [bytes].
struct HeaderBytes
{
    uint32_t data;  //!< of a packet
    uint32_t first; //!< of the first packet, TCP's SYN

    /**
     * @param protocol TCP or UDP
     * @param isV4 false: IPv6
     */
    HeaderBytes(uint8_t protocol, bool isV4)
        : data(isV4 ? 20 : 40)
    {
        if (protocol == UDP)
        {
            data += 8;
            first = data;
            return;
        }
        const auto isOn = [](const char* name) {
            return GetDefault<BooleanValue>("ns3::TcpSocketBase", name);
        };
        const auto pad = [](uint32_t options) { return (options + 3) / 4 * 4; };
        const uint32_t timestamp = isOn("Timestamp") ? 10 : 0;
        first =
            data + 20 + pad(timestamp + (isOn("WindowScaling") ? 3 : 0) + (isOn("Sack") ? 2 : 0));
        data += 20 + pad(timestamp);
    }
};

/// A flow as a FlowMonitor knows it.
struct MonitorFlow
{
    uint32_t id;       //!< number in the monitor
    DcnIpFlow ip;      //!< addresses and ports
    uint64_t payload;  //!< bytes that arrived beyond headers
    uint64_t nPackets; //!< packets that arrived
    int64_t startNs;   //!< first packet is sent [ns]
};

/// @return key of a flow; with swapped ends: of the flow in the other direction
auto
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
        const HeaderBytes header(ip.protocol, v4 != nullptr);
        const uint64_t headers =
            stats.rxPackets == 0 ? 0 : header.first + (stats.rxPackets - 1) * header.data;
        const uint64_t payload = stats.rxBytes > headers ? stats.rxBytes - headers : 0;
        flows.push_back(
            {id, ip, payload, stats.rxPackets, stats.timeFirstTxPacket.GetNanoSeconds()});
    }
    return flows;
}

} // namespace

Ptr<const DcnScenario>
DcnScenarioHelper::FromFlowMonitor(const NodeContainer& nodes,
                                   Ptr<FlowMonitor> monitor,
                                   Ptr<FlowClassifier> classifier)
{
    // acknowledgements with lists of lost segments carry up to 36 bytes of options
    constexpr uint64_t LARGEST_OPTIONS = 36;
    const std::vector<MonitorFlow> flows = ReadMonitor(*monitor, classifier);
    std::map<decltype(MakeKey(DcnIpFlow(), false)), const MonitorFlow*> byKey;
    for (const MonitorFlow& flow : flows)
    {
        byKey[MakeKey(flow.ip, false)] = &flow;
    }
    Ptr<const DcnTopology> topology = DcnTopology::FromNodes(nodes);
    const DcnIpRoutes routes(topology);
    m_sources.clear();
    m_notes.clear();
    std::vector<std::vector<Message>> messages;
    for (const MonitorFlow& flow : flows)
    {
        const auto other = byKey.find(MakeKey(flow.ip, true));
        const bool acknowledges = flow.ip.protocol == TCP && other != byKey.end() &&
                                  flow.payload <= LARGEST_OPTIONS * flow.nPackets &&
                                  other->second->payload > flow.payload;
        if (acknowledges)
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
            parts.push_back({flow.payload, flow.startNs});
        }
        m_sources.push_back(source);
        messages.push_back(std::move(parts));
    }
    if (m_sources.empty())
    {
        DcnFail("the FlowMonitor has seen no flow with payload");
    }
    return Create(topology, routes, messages);
}

} // namespace ns3

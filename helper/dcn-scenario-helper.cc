/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "dcn-scenario-helper.h"

#include "../model/stack/dcn-application-reader.h"
#include "../model/stack/dcn-attributes.h"
#include "../model/stack/dcn-monitor-reader.h"
#include "../model/stack/dcn-sink-reader.h"
#include "../model/stack/dcn-stack-config.h"

#include "ns3/dcn-error.h"
#include "ns3/dcn-routing.h"
#include "ns3/flow-monitor.h"
#include "ns3/log.h"
#include "ns3/node.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <set>
#include <utility>

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("DcnScenarioHelper");

namespace
{

constexpr uint8_t TCP = DcnStackConfig::TCP; //!< protocol number

} // namespace

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
DcnScenarioHelper::Clear()
{
    m_sources.clear();
    m_sourceOf.clear();
    m_notes.clear();
    m_scenario = nullptr;
}

DcnScenarioHelper::Messages
DcnScenarioHelper::Take(DcnTraffic&& traffic)
{
    m_sources = std::move(traffic.sources);
    m_notes = std::move(traffic.notes);
    return std::move(traffic.messages);
}

void
DcnScenarioHelper::FindSources(Ptr<const DcnTopology> topology)
{
    Clear();
    const Messages messages =
        Take(DcnApplicationReader::Read(*topology, DcnIpRoutes(topology), m_maxMessages));
    for (std::size_t i = 0; i < m_sources.size(); ++i)
    {
        m_sources[i].nFlows = static_cast<uint32_t>(messages[i].size());
        m_sources[i].sizeBytes = DcnTrafficSource::GetBytes(messages[i]);
    }
}

Ptr<const DcnScenario>
DcnScenarioHelper::ReadApplications(Ptr<const DcnTopology> topology)
{
    Clear();
    const DcnIpRoutes routes(topology);
    const Messages messages = Take(DcnApplicationReader::Read(*topology, routes, m_maxMessages));
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
            nPaced += source.application && DcnApplicationReader::IsPaced(*source.application);
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
                            const DcnTrafficSource::Messages& messages,
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
        for (const DcnTrafficSource::Message& message : messages)
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
                             const Messages& messages,
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
        source.sizeBytes = DcnTrafficSource::GetBytes(messages[i]);
        for (const DcnTrafficSource::Message& message : messages[i])
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
                          const Messages& messages)
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

Ptr<const DcnScenario>
DcnScenarioHelper::FromFlowMonitor(const NodeContainer& nodes,
                                   Ptr<FlowMonitor> monitor,
                                   Ptr<FlowClassifier> classifier)
{
    Clear();
    Ptr<const DcnTopology> topology = DcnTopology::FromNodes(nodes);
    const DcnIpRoutes routes(topology);
    const Messages messages =
        Take(DcnMonitorReader::Read(*topology, routes, *monitor, classifier, m_maxMessages));
    return Create(topology, routes, messages);
}

void
DcnScenarioHelper::WatchSinks(const NodeContainer& nodes)
{
    m_sinks = std::make_shared<DcnSinkReader>(nodes);
}

Ptr<const DcnScenario>
DcnScenarioHelper::FromSinks(const NodeContainer& nodes)
{
    Clear();
    if (!m_sinks)
    {
        DcnFail("FromSinks reads what sinks received since WatchSinks: call that before the "
                "simulation runs");
    }
    Ptr<const DcnTopology> topology = DcnTopology::FromNodes(nodes);
    const DcnIpRoutes routes(topology);
    const DcnRouting routing(topology, m_seed);
    const auto findPath =
        [&](const Source& source, std::size_t position, std::vector<uint32_t>& path) {
            const std::string reason = FindPath(*topology, routes, routing, source, {}, path);
            if (reason.empty() && path.empty())
            {
                // one of the shortest paths: numbers of flows, by which Create draws, follow starts
                const uint32_t to = routes.FindNode(source.ip.destination);
                routing.AppendPath({position, source.node, to, 1, 0}, path);
            }
            return reason;
        };
    const Messages messages = Take(m_sinks->Read(*topology, routes, findPath, m_maxMessages));
    return Create(topology, routes, messages);
}

} // namespace ns3

/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "dcn-flow-network.h"

#include "../network/dcn-detours.h"

#include "ns3/assert.h"
#include "ns3/dcn-error.h"
#include "ns3/dcn-scenario.h"
#include "ns3/dcn-topology-value.h"
#include "ns3/log.h"
#include "ns3/simulator.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <utility>

namespace ns3
{

namespace
{

/// @return a view of a path
DcnPath
Span(const std::vector<uint32_t>& links)
{
    return {links.data(), links.data() + links.size()};
}

} // namespace

NS_LOG_COMPONENT_DEFINE("DcnFlowNetwork");

NS_OBJECT_ENSURE_REGISTERED(DcnFlowNetwork);

TypeId
DcnFlowNetwork::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::DcnFlowNetwork")
            .SetParent<Object>()
            .SetGroupName("Dcn")
            .AddAttribute("Seed",
                          "Seed of the choice among shortest paths.",
                          UintegerValue(1),
                          MakeUintegerAccessor(&DcnFlowNetwork::m_seed),
                          MakeUintegerChecker<uint64_t>())
            .AddAttribute("Topology",
                          "The network, once it is installed.",
                          TypeId::ATTR_GET,
                          DcnTopologyValue(),
                          MakeDcnTopologyAccessor(&DcnFlowNetwork::m_topology),
                          MakeDcnTopologyChecker())
            .AddTraceSource("FlowCompleted",
                            "The receiver has a whole flow or message.",
                            MakeTraceSourceAccessor(&DcnFlowNetwork::m_flowCompleted),
                            "ns3::DcnFlowNetwork::CompletionCallback")
            .AddTraceSource("FlowAcknowledged",
                            "The sender knows that the receiver has a whole flow or message. "
                            "Connect before flows are added.",
                            MakeTraceSourceAccessor(&DcnFlowNetwork::m_flowAcknowledged),
                            "ns3::DcnFlowNetwork::CompletionCallback")
            .AddTraceSource("ConnectionCutOff",
                            "The destination of a connection cannot be reached any more, or can be "
                            "reached again.",
                            MakeTraceSourceAccessor(&DcnFlowNetwork::m_cutOff),
                            "ns3::DcnFlowNetwork::CutOffCallback");
    return tid;
}

DcnFlowNetwork::DcnFlowNetwork() = default;
DcnFlowNetwork::~DcnFlowNetwork() = default;

void
DcnFlowNetwork::Install(Ptr<const DcnTopology> topology, Ptr<const DcnNetworkConfig> config)
{
    NS_ASSERT_MSG(!m_topology, "the network is installed already");
    config->Check(topology->GetNicRates(topology->GetHosts()));
    m_topology = topology;
    m_config = config;
    const NodeContainer& nodes = topology->GetNodes();
    for (uint32_t node = 0; node < nodes.GetN(); ++node)
    {
        m_index[nodes.Get(node)->GetId()] = node;
    }
    m_routing = std::make_unique<DcnRouting>(topology, m_seed);
    DoInstall(topology, config);
}

uint64_t
DcnFlowNetwork::GetNFlows() const
{
    return m_nFlows;
}

uint32_t
DcnFlowNetwork::FindHost(Ptr<Node> node) const
{
    NS_ASSERT_MSG(m_topology, "the network is not installed");
    const auto found = m_index.find(node->GetId());
    if (found == m_index.end())
    {
        DcnFail("node ", node->GetId(), " is not in the network");
    }
    return found->second;
}

DcnFlow
DcnFlowNetwork::MakeFlow(Time start, Ptr<Node> source, Ptr<Node> destination, uint64_t bytes) const
{
    const uint32_t from = FindHost(source);
    const uint32_t to = FindHost(destination);
    if (start < Simulator::Now())
    {
        DcnFail("flow ",
                m_nFlows,
                " cannot start at ",
                start.GetNanoSeconds(),
                " ns, for it is ",
                Simulator::Now().GetNanoSeconds(),
                " ns already");
    }
    const DcnFlow flow{m_nFlows, from, to, bytes, start.GetNanoSeconds()};
    DcnCheckFlow(*m_topology, flow, nullptr);
    return flow;
}

void
DcnFlowNetwork::Start(const DcnFlow& flow)
{
    if (!m_routing)
    {
        return; // disposed before the flow's start
    }
    std::vector<uint32_t> links;
    m_routing->AppendPath(flow, links);
    StartOnPath(flow, links);
}

void
DcnFlowNetwork::StartOnPath(const DcnFlow& flow, const std::vector<uint32_t>& links)
{
    Route route{flow, links, FindDetour(flow, links)};
    route.isCutOff = IsUnreachable(route);
    route.hasBegun = !route.isCutOff;
    ++m_nActive;
    if (route.isCutOff)
    {
        NS_LOG_INFO("flow " << flow.id << " waits: its destination cannot be reached");
        m_routes[flow.id] = route;
        return;
    }
    NS_LOG_INFO("flow " << flow.id << " starts: " << flow.sizeBytes << " bytes, "
                        << route.Get().size() << " links");
    m_routes[flow.id] = route;
    try
    {
        DoStart(flow, Span(route.Get()));
    }
    catch (...)
    {
        --m_nActive;
        m_routes.erase(flow.id);
        throw;
    }
}

uint64_t
DcnFlowNetwork::AddFlow(Ptr<Node> source, Ptr<Node> destination, uint64_t bytes)
{
    const DcnFlow flow = MakeFlow(Simulator::Now(), source, destination, bytes);
    ++m_nFlows;
    Start(flow);
    return flow.id;
}

uint64_t
DcnFlowNetwork::AddFlowOnPath(Ptr<Node> source,
                              Ptr<Node> destination,
                              uint64_t bytes,
                              const std::vector<uint32_t>& links)
{
    const DcnFlow flow = MakeFlow(Simulator::Now(), source, destination, bytes);
    uint32_t node = flow.src;
    for (std::size_t i = 0; i < links.size(); ++i)
    {
        const bool isKnown = links[i] < m_topology->GetNLinks();
        if (!isKnown || m_topology->GetLink(links[i]).from != node ||
            std::find(links.begin(), links.begin() + static_cast<std::ptrdiff_t>(i), links[i]) !=
                links.begin() + static_cast<std::ptrdiff_t>(i))
        {
            DcnFail("link ",
                    isKnown ? m_topology->DescribeLink(links[i]) : std::to_string(links[i]),
                    " of the path of flow ",
                    flow.id,
                    isKnown && m_topology->GetLink(links[i]).from == node
                        ? " was taken before"
                        : " does not begin at node " +
                              std::to_string(m_topology->GetExternalId(node)));
        }
        node = m_topology->GetLink(links[i]).to;
    }
    if (node != flow.dst)
    {
        DcnFail("the path of flow ",
                flow.id,
                " ends at node ",
                m_topology->GetExternalId(node),
                ", but the flow goes to node ",
                m_topology->GetExternalId(flow.dst));
    }
    ++m_nFlows;
    StartOnPath(flow, links);
    return flow.id;
}

uint64_t
DcnFlowNetwork::AddFlowAt(Time start, Ptr<Node> source, Ptr<Node> destination, uint64_t bytes)
{
    const DcnFlow flow = MakeFlow(start, source, destination, bytes);
    ++m_nFlows;
    Simulator::Schedule(start - Simulator::Now(),
                        &DcnFlowNetwork::Start,
                        Ptr<DcnFlowNetwork>(this),
                        flow);
    return flow.id;
}

uint64_t
DcnFlowNetwork::Connect(Ptr<Node> source, Ptr<Node> destination)
{
    const auto found = m_nOfPair.find(uint64_t{FindHost(source)} << 32 | FindHost(destination));
    return Connect(source, destination, found == m_nOfPair.end() ? 0 : found->second);
}

uint64_t
DcnFlowNetwork::Connect(Ptr<Node> source, Ptr<Node> destination, uint64_t channel)
{
    DcnFlow ends{m_connections.size(),
                 FindHost(source),
                 FindHost(destination),
                 1, // to be valid
                 Simulator::Now().GetNanoSeconds()};
    DcnCheckFlow(*m_topology, ends, nullptr);
    DcnFlow key = ends;
    key.id = channel;
    Route route;
    route.key = key;
    m_routing->AppendPath(key, route.home);
    route.detour = FindDetour(key, route.home);
    route.isCutOff = IsUnreachable(route);
    NS_LOG_INFO("connection " << ends.id << " is made: " << route.Get().size() << " links");
    DoConnect(ends, Span(route.Get()));
    if (route.isCutOff)
    {
        DoHoldConnection(ends.id);
    }
    m_connections.push_back(std::move(route));
    ++m_nOfPair[uint64_t{ends.src} << 32 | ends.dst];
    return ends.id;
}

const DcnFlowNetwork::Route&
DcnFlowNetwork::FindConnection(uint64_t connection) const
{
    if (connection >= m_connections.size())
    {
        DcnFail("there is no connection ",
                connection,
                ", since ",
                m_connections.size(),
                " were made (DcnFlowNetwork::Connect)");
    }
    return m_connections[connection];
}

const std::vector<uint32_t>&
DcnFlowNetwork::GetConnectionPath(uint64_t connection) const
{
    return FindConnection(connection).Get();
}

bool
DcnFlowNetwork::IsCutOff(uint64_t connection) const
{
    return FindConnection(connection).isCutOff;
}

uint64_t
DcnFlowNetwork::AddMessage(uint64_t connection, uint64_t bytes)
{
    DcnFlow message = FindConnection(connection).key;
    message.id = m_nFlows;
    message.sizeBytes = bytes;
    message.startNs = Simulator::Now().GetNanoSeconds();
    DcnCheckFlow(*m_topology, message, nullptr);
    ++m_nFlows;
    ++m_nActive;
    NS_LOG_INFO("message " << message.id << " is added to connection " << connection << ": "
                           << bytes << " bytes");
    DoAddMessage(connection, message);
    return message.id;
}

bool
DcnFlowNetwork::HasLinkChanges() const
{
    return false;
}

void
DcnFlowNetwork::CheckLink(uint32_t link, const char* function) const
{
    NS_ASSERT_MSG(m_topology, "the network is not installed");
    if (link >= m_topology->GetNLinks())
    {
        DcnFail("there is no link ",
                link,
                "; the network has ",
                m_topology->GetNLinks(),
                " directed links");
    }
    if (!HasLinkChanges())
    {
        DcnFail(GetInstanceTypeId().GetName(),
                " has links that do not change: take the engine packet, flowsim or m4 for ",
                function);
    }
}

void
DcnFlowNetwork::FailLink(uint32_t link)
{
    CheckLink(link, "FailLink");
    m_config->RefuseManyPaths("DcnFlowNetwork::FailLink");
    std::set<uint32_t> failed = m_failed;
    if (!failed.insert(link / 2).second)
    {
        DcnFail("link ", m_topology->DescribeLink(link), " has failed already");
    }
    SetFailed(std::move(failed), link, 0);
}

void
DcnFlowNetwork::RepairLink(uint32_t link)
{
    CheckLink(link, "RepairLink");
    std::set<uint32_t> failed = m_failed;
    if (failed.erase(link / 2) == 0)
    {
        DcnFail("link ", m_topology->DescribeLink(link), " has not failed: nothing to repair");
    }
    const auto rate = m_rates.find(link / 2);
    SetFailed(std::move(failed),
              link,
              rate == m_rates.end() ? m_topology->GetLink(link).rateBps : rate->second);
}

bool
DcnFlowNetwork::HasFailed(uint32_t link) const
{
    CheckLink(link, "HasFailed");
    return m_failed.count(link / 2) > 0;
}

void
DcnFlowNetwork::SetLinkRate(uint32_t link, uint64_t rateBps)
{
    CheckLink(link, "SetLinkRate");
    if (rateBps == 0 || rateBps > m_topology->GetLink(link).rateBps)
    {
        DcnFail("the rate of link ",
                m_topology->DescribeLink(link),
                " must be above 0 and at most that of the topology, ",
                m_topology->GetLink(link).rateBps,
                " bit/s, but it is ",
                rateBps,
                rateBps == 0 ? ": FailLink lets it fail" : "");
    }
    m_rates[link / 2] = rateBps;
    NS_LOG_INFO("link " << m_topology->DescribeLink(link) << " has " << rateBps << " bit/s");
    if (m_failed.count(link / 2) == 0)
    {
        DoChangeLink(link, rateBps);
    }
}

uint64_t
DcnFlowNetwork::GetNMoved() const
{
    return m_nMoved;
}

std::vector<uint32_t>
DcnFlowNetwork::FindDetour(const DcnFlow& key, const std::vector<uint32_t>& home) const
{
    std::vector<uint32_t> links;
    if (m_detours && m_detours->IsCut(Span(home)))
    {
        m_detours->Find(Span(home), key, links);
    }
    return links;
}

bool
DcnFlowNetwork::IsUnreachable(const Route& route) const
{
    return route.detour.empty() && m_detours && m_detours->IsCut(Span(route.home));
}

void
DcnFlowNetwork::CollectMove(uint64_t number, Route& route, std::vector<Move>& moves) const
{
    std::vector<uint32_t> links = route.home;
    if (m_detours && m_detours->IsCut(Span(route.home)))
    {
        if (!route.isCutOff && !m_detours->IsCut(Span(route.Get())))
        {
            return; // it has a detour that works
        }
        links = FindDetour(route.key, route.home);
    }
    if (links.empty() ? !route.isCutOff : route.isCutOff || links != route.Get())
    {
        if (!links.empty())
        {
            DcnFlow flow = route.key;
            flow.id = number;
            DoCheckPath(flow, Span(links));
        }
        moves.push_back({number, &route, std::move(links)});
    }
}

void
DcnFlowNetwork::SetFailed(std::set<uint32_t> failed, uint32_t link, uint64_t rateBps)
{
    std::unique_ptr<const DcnDetours> detours;
    if (!failed.empty())
    {
        detours = std::make_unique<const DcnDetours>(*m_topology, failed, m_seed);
    }
    m_detours.swap(detours);
    std::vector<Move> flows;
    std::vector<Move> connections;
    try
    {
        std::vector<uint64_t> numbers; // the order of the map depends on the library
        for (const auto& [number, route] : m_routes)
        {
            numbers.push_back(number);
        }
        std::sort(numbers.begin(), numbers.end());
        for (const uint64_t number : numbers)
        {
            CollectMove(number, m_routes.at(number), flows);
        }
        for (uint64_t number = 0; number < m_connections.size(); ++number)
        {
            CollectMove(number, m_connections[number], connections);
        }
    }
    catch (...)
    {
        m_detours.swap(detours);
        throw;
    }
    m_failed = std::move(failed);
    NS_LOG_INFO("link " << m_topology->DescribeLink(link) << (rateBps > 0 ? " works" : " fails")
                        << ": " << flows.size() << " flows and " << connections.size()
                        << " connections take another path or have none");
    DoChangeLink(link, rateBps);
    for (Move& move : flows)
    {
        MoveFlow(move);
    }
    std::vector<uint64_t> changed; // connections that are cut off, or were
    for (Move& move : connections)
    {
        if (MoveConnection(move))
        {
            changed.push_back(move.number);
        }
    }
    for (const uint64_t number : changed) // listeners may add connections
    {
        m_cutOff(number, m_connections[number].isCutOff);
    }
}

void
DcnFlowNetwork::MoveFlow(Move& move)
{
    Route& route = *move.route;
    route.isCutOff = move.links.empty();
    if (route.isCutOff)
    {
        DoHold(route.key);
        return;
    }
    m_nMoved += move.links != route.Get() ? 1 : 0;
    route.detour = move.links == route.home ? std::vector<uint32_t>() : std::move(move.links);
    if (route.hasBegun)
    {
        DoMove(move.number, Span(route.Get()));
        return;
    }
    route.hasBegun = true;
    DcnFlow flow = route.key;
    flow.startNs = Simulator::Now().GetNanoSeconds();
    m_delays[move.number] = flow.startNs - route.key.startNs;
    DoStart(flow, Span(route.Get()));
}

bool
DcnFlowNetwork::MoveConnection(Move& move)
{
    Route& route = *move.route;
    const bool wasCutOff = std::exchange(route.isCutOff, move.links.empty());
    if (route.isCutOff)
    {
        DoHoldConnection(move.number);
    }
    else
    {
        m_nMoved += move.links != route.Get() ? 1 : 0;
        route.detour = move.links == route.home ? std::vector<uint32_t>() : std::move(move.links);
        DoMoveConnection(move.number, Span(route.Get()));
    }
    return wasCutOff != route.isCutOff;
}

void
DcnFlowNetwork::Forget(uint64_t flow)
{
    m_routes.erase(flow);
}

void
DcnFlowNetwork::DoCheckPath(const DcnFlow& /* flow */, DcnPath /* path */) const
{
}

void
DcnFlowNetwork::DoChangeLink(uint32_t /* link */, uint64_t /* rateBps */)
{
    NS_ASSERT_MSG(false, "a class with HasLinkChanges defines this function");
}

void
DcnFlowNetwork::DoHold(const DcnFlow& /* flow */)
{
    NS_ASSERT_MSG(false, "a class with HasLinkChanges defines this function");
}

void
DcnFlowNetwork::DoHoldConnection(uint64_t /* connection */)
{
    NS_ASSERT_MSG(false, "a class with HasLinkChanges defines this function");
}

void
DcnFlowNetwork::DoMove(uint64_t /* flow */, DcnPath /* path */)
{
    NS_ASSERT_MSG(false, "a class with HasLinkChanges defines this function");
}

void
DcnFlowNetwork::DoMoveConnection(uint64_t /* connection */, DcnPath /* path */)
{
    NS_ASSERT_MSG(false, "a class with HasLinkChanges defines this function");
}

std::size_t
DcnFlowNetwork::GetNActive() const
{
    return m_nActive;
}

void
DcnFlowNetwork::Complete(uint64_t flow, int64_t fctNs)
{
    --m_nActive;
    NS_LOG_INFO("flow " << flow << " is complete after " << fctNs << " ns");
    ReportSoon({flow, fctNs, false});
}

void
DcnFlowNetwork::Acknowledge(uint64_t flow, int64_t timeNs)
{
    if (HasAcknowledgementSink())
    {
        ReportSoon({flow, timeNs, true});
    }
}

bool
DcnFlowNetwork::HasAcknowledgementSink() const
{
    return !m_flowAcknowledged.IsEmpty();
}

Ptr<const DcnTopology>
DcnFlowNetwork::GetInstalledTopology() const
{
    return m_topology;
}

void
DcnFlowNetwork::ReportSoon(const Done& done)
{
    if (!m_routing)
    {
        return; // disposed before the acknowledgement's time: nobody holds this object any more
    }
    m_done.push_back(done);
    if (!m_delays.empty())
    {
        const auto late = m_delays.find(done.flow);
        m_done.back().timeNs += late == m_delays.end() ? 0 : late->second;
    }
    // after the present event: the simulation must not be changed while it runs
    if (m_report.IsExpired())
    {
        m_report = Simulator::ScheduleNow(&DcnFlowNetwork::Report, this);
    }
}

void
DcnFlowNetwork::Report()
{
    const EventId present = m_report; // sinks may make another
    std::vector<Done> done;
    done.swap(m_done);
    for (std::size_t i = 0; i < done.size(); ++i)
    {
        try
        {
            (done[i].isAcknowledged ? m_flowAcknowledged
                                    : m_flowCompleted)(done[i].flow, NanoSeconds(done[i].timeNs));
        }
        catch (...)
        {
            present.PeekEventImpl()->Unref(); // ns-3 does not when the event throws
            m_done.insert(m_done.begin(),
                          done.begin() + static_cast<std::ptrdiff_t>(i) + 1,
                          done.end());
            if (!m_done.empty() && m_report.IsExpired())
            {
                m_report = Simulator::ScheduleNow(&DcnFlowNetwork::Report, this);
            }
            throw;
        }
    }
}

std::string
DcnFlowNetwork::GetNote() const
{
    return "";
}

void
DcnFlowNetwork::DoDispose()
{
    m_report.Cancel();
    DoStop();
    m_done.clear();
    m_connections.clear();
    m_nOfPair.clear();
    m_routes.clear();
    m_delays.clear();
    m_detours.reset();
    m_routing.reset();
    m_index.clear();
    m_topology = nullptr;
    m_config = nullptr;
    Object::DoDispose();
}

} // namespace ns3

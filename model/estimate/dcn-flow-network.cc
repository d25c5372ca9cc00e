/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "dcn-flow-network.h"

#include "ns3/assert.h"
#include "ns3/dcn-error.h"
#include "ns3/dcn-scenario.h"
#include "ns3/dcn-topology-value.h"
#include "ns3/log.h"
#include "ns3/simulator.h"
#include "ns3/uinteger.h"

#include <algorithm>

namespace ns3
{

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
                            "ns3::DcnFlowNetwork::CompletionCallback");
    return tid;
}

void
DcnFlowNetwork::Install(Ptr<const DcnTopology> topology, Ptr<const DcnNetworkConfig> config)
{
    NS_ASSERT_MSG(!m_topology, "the network is installed already");
    config->Check(topology->GetSlowestHostRate());
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
    ++m_nActive;
    NS_LOG_INFO("flow " << flow.id << " starts: " << flow.sizeBytes << " bytes, " << links.size()
                        << " links");
    try
    {
        DoStart(flow, {links.data(), links.data() + links.size()});
    }
    catch (...)
    {
        --m_nActive;
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
    DcnFlow ends{m_connections.size(),
                 FindHost(source),
                 FindHost(destination),
                 1, // to be valid
                 Simulator::Now().GetNanoSeconds()};
    DcnCheckFlow(*m_topology, ends, nullptr);
    std::vector<uint32_t> links;
    m_routing->AppendPath(ends, links);
    NS_LOG_INFO("connection " << ends.id << " is made: " << links.size() << " links");
    DoConnect(ends, {links.data(), links.data() + links.size()});
    m_connections.push_back({ends, std::move(links)});
    return ends.id;
}

const DcnFlowNetwork::Connection&
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
    return FindConnection(connection).links;
}

uint64_t
DcnFlowNetwork::AddMessage(uint64_t connection, uint64_t bytes)
{
    DcnFlow message = FindConnection(connection).ends;
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
    m_routing.reset();
    m_index.clear();
    m_topology = nullptr;
    m_config = nullptr;
    Object::DoDispose();
}

} // namespace ns3

/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "dcn-topology.h"

#include "ns3/channel.h"
#include "ns3/dcn-error.h"
#include "ns3/log.h"
#include "ns3/node.h"

#include <algorithm>
#include <initializer_list>
#include <limits>
#include <map>
#include <unordered_map>

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("DcnTopology");

NS_OBJECT_ENSURE_REGISTERED(DcnOverlayChannel);

TypeId
DcnOverlayChannel::GetTypeId()
{
    static TypeId tid = TypeId("ns3::DcnOverlayChannel").SetParent<Channel>().SetGroupName("Dcn");
    return tid;
}

namespace
{

/// The link on which an ns-3 device sends.
struct NsLink
{
    Ptr<NetDevice> device; //!< sending end
    Ptr<NetDevice> peer;   //!< receiving end
    uint64_t rateBps;      //!< its rate
    int64_t delayNs;       //!< the channel's Delay attribute
};

/// @return rate of a device [bit/s]: its own attribute or its channel's; 0 if it has none
uint64_t
ReadRate(Ptr<NetDevice> device)
{
    DataRateValue rate{DataRate(0)};
    if (!device->GetAttributeFailSafe("DataRate", rate))
    {
        device->GetChannel()->GetAttributeFailSafe("DataRate", rate);
    }
    return rate.Get().GetBitRate();
}

/**
 * Read the links that leave a node from its devices; see DcnTopology::FromNodes.
 * @param node the node
 * @return one entry per device that is an end of a link
 */
std::vector<NsLink>
ReadLinks(Ptr<Node> node)
{
    std::vector<NsLink> links;
    for (uint32_t i = 0; i < node->GetNDevices(); ++i)
    {
        Ptr<NetDevice> device = node->GetDevice(i);
        Ptr<Channel> channel = device->GetChannel();
        if (!channel || DynamicCast<DcnOverlayChannel>(channel) || ReadRate(device) == 0)
        {
            continue;
        }
        if (channel->GetNDevices() > 2)
        {
            DcnFail("device ",
                    i,
                    " of node ",
                    node->GetId(),
                    " (",
                    device->GetInstanceTypeId().GetName(),
                    ") is on a channel with ",
                    channel->GetNDevices(),
                    " ends, but a link has two: join the nodes by links to a switch");
        }
        if (channel->GetNDevices() != 2)
        {
            continue; // not wired yet
        }
        TimeValue delay{Time(0)};
        channel->GetAttributeFailSafe("Delay", delay);
        Ptr<NetDevice> peer = channel->GetDevice(channel->GetDevice(0) == device ? 1 : 0);
        if (ReadRate(peer) == 0)
        {
            DcnFail("device ",
                    peer->GetIfIndex(),
                    " of node ",
                    peer->GetNode()->GetId(),
                    " (",
                    peer->GetInstanceTypeId().GetName(),
                    ") has the rate 0, but the other end of its link has one: set its DataRate");
        }
        links.push_back({device, peer, ReadRate(device), delay.Get().GetNanoSeconds()});
    }
    return links;
}

} // namespace

Ptr<DcnTopology>
DcnTopology::FromNodes(const NodeContainer& nodes)
{
    std::vector<DcnNodeKind> kinds;
    for (auto node = nodes.Begin(); node != nodes.End(); ++node)
    {
        kinds.push_back(ReadLinks(*node).size() == 1 ? DcnNodeKind::HOST : DcnNodeKind::SWITCH);
    }
    return DcnTopologyBuilder::FromDevices(nodes, kinds);
}

Ptr<DcnTopology>
DcnTopology::FromNodes(const NodeContainer& hosts, const NodeContainer& switches)
{
    NodeContainer nodes(hosts, switches);
    std::vector<DcnNodeKind> kinds(hosts.GetN(), DcnNodeKind::HOST);
    kinds.resize(nodes.GetN(), DcnNodeKind::SWITCH);
    return DcnTopologyBuilder::FromDevices(nodes, kinds);
}

Ptr<DcnTopology>
DcnTopologyBuilder::FromDevices(const NodeContainer& nodes, const std::vector<DcnNodeKind>& kinds)
{
    DcnTopologyBuilder builder;
    std::unordered_map<uint32_t, uint32_t> index; // by ns-3 node id
    for (uint32_t i = 0; i < nodes.GetN(); ++i)
    {
        if (!index.emplace(nodes.Get(i)->GetId(), builder.AddNode(kinds[i])).second)
        {
            DcnFail("node ", nodes.Get(i)->GetId(), " is twice in the container");
        }
    }
    auto& devices = builder.m_topology->m_devices;
    for (uint32_t i = 0; i < nodes.GetN(); ++i)
    {
        for (const NsLink& link : ReadLinks(nodes.Get(i)))
        {
            auto peer = index.find(link.peer->GetNode()->GetId());
            if (peer == index.end())
            {
                continue; // the other end is outside the container
            }
            // each channel is found from both ends: it is added from its first
            // device, with the rates of both devices
            if (link.device->GetChannel()->GetDevice(0) != link.device)
            {
                continue;
            }
            uint32_t forward = builder.AddLink(i, peer->second, link.rateBps, link.delayNs);
            builder.m_topology->m_links[forward + 1].rateBps = ReadRate(link.peer);
            devices.push_back(link.device);
            devices.push_back(link.peer);
        }
    }
    builder.m_topology->m_nodes = nodes;
    return builder.Build();
}

uint32_t
DcnTopology::GetNNodes() const
{
    return static_cast<uint32_t>(m_kinds.size());
}

uint32_t
DcnTopology::GetNLinks() const
{
    return static_cast<uint32_t>(m_links.size());
}

bool
DcnTopology::IsHost(uint32_t node) const
{
    return m_kinds[node] == DcnNodeKind::HOST;
}

uint64_t
DcnTopology::GetExternalId(uint32_t node) const
{
    return m_externalIds[node];
}

const std::vector<uint32_t>&
DcnTopology::GetHosts() const
{
    return m_hosts;
}

const DcnLink&
DcnTopology::GetLink(uint32_t link) const
{
    return m_links[link];
}

const std::vector<uint32_t>&
DcnTopology::GetOutLinks(uint32_t node) const
{
    return m_outLinks[node];
}

uint32_t
DcnTopology::GetNRacks() const
{
    return static_cast<uint32_t>(m_rackHosts.size());
}

const std::vector<uint32_t>&
DcnTopology::GetRackHosts(uint32_t rack) const
{
    return m_rackHosts[rack];
}

uint32_t
DcnTopology::GetRack(uint32_t host) const
{
    return m_racks[host];
}

uint64_t
DcnTopology::GetHostRate(uint32_t host) const
{
    uint64_t rate = 0;
    for (uint32_t link : m_outLinks[host])
    {
        rate = std::max(rate, m_links[link].rateBps);
    }
    return rate;
}

std::vector<uint64_t>
DcnTopology::GetNicRates(const std::vector<uint32_t>& hosts) const
{
    std::vector<uint64_t> rates;
    uint64_t latest = 0; // most hosts have the same
    for (uint32_t host : hosts)
    {
        for (uint32_t link : m_outLinks[host])
        {
            const uint64_t rate = IsHost(host) ? m_links[link].rateBps : latest;
            if (rate != latest)
            {
                rates.push_back(rate);
                latest = rate;
            }
        }
    }
    std::sort(rates.begin(), rates.end());
    rates.erase(std::unique(rates.begin(), rates.end()), rates.end());
    return rates;
}

uint64_t
DcnTopology::GetSlowestHostRate() const
{
    uint64_t rate = std::numeric_limits<uint64_t>::max();
    for (uint32_t host : m_hosts)
    {
        rate = std::min(rate, GetHostRate(host));
    }
    return rate;
}

const NodeContainer&
DcnTopology::GetNodes() const
{
    if (m_nodes.GetN() == 0)
    {
        m_nodes.Create(GetNNodes());
    }
    return m_nodes;
}

Ptr<NetDevice>
DcnTopology::GetDevice(uint32_t link) const
{
    return m_devices.empty() ? nullptr : m_devices[link];
}

std::string
DcnTopology::DescribeLink(uint32_t link) const
{
    return std::to_string(m_externalIds[m_links[link].from]) + "->" +
           std::to_string(m_externalIds[m_links[link].to]);
}

void
DcnTopology::Index()
{
    m_outLinks.assign(GetNNodes(), {});
    for (uint32_t link = 0; link < GetNLinks(); ++link)
    {
        m_outLinks[m_links[link].from].push_back(link);
    }
    for (auto& links : m_outLinks)
    {
        std::sort(links.begin(), links.end(), [this](uint32_t a, uint32_t b) {
            return std::make_pair(m_links[a].to, a) < std::make_pair(m_links[b].to, b);
        });
    }
    std::map<uint32_t, uint32_t> rackOfSwitch;
    m_racks.assign(GetNNodes(), 0);
    for (uint32_t node = 0; node < GetNNodes(); ++node)
    {
        if (!IsHost(node))
        {
            continue;
        }
        m_hosts.push_back(node);
        uint32_t anchor = node;
        for (uint32_t link : m_outLinks[node])
        {
            if (!IsHost(m_links[link].to))
            {
                anchor = m_links[link].to;
                break;
            }
        }
        auto [rack, isNew] = rackOfSwitch.emplace(anchor, GetNRacks());
        if (isNew)
        {
            m_rackHosts.emplace_back();
        }
        m_racks[node] = rack->second;
        m_rackHosts[rack->second].push_back(node);
    }
}

Ptr<DcnTopology>
DcnTopologyBuilder::Create()
{
    return Ptr<DcnTopology>(new DcnTopology, false);
}

uint32_t
DcnTopologyBuilder::AddNode(DcnNodeKind kind)
{
    return AddNode(kind, m_topology->GetNNodes());
}

uint32_t
DcnTopologyBuilder::AddNode(DcnNodeKind kind, uint64_t externalId, const std::string& where)
{
    if (!m_externalIds.insert(externalId).second)
    {
        DcnFail(where, "node_id ", externalId, " stands for two nodes");
    }
    m_topology->m_kinds.push_back(kind);
    m_topology->m_externalIds.push_back(externalId);
    return m_topology->GetNNodes() - 1;
}

uint32_t
DcnTopologyBuilder::AddLink(uint32_t a,
                            uint32_t b,
                            uint64_t rateBps,
                            int64_t delayNs,
                            const std::string& where)
{
    const uint32_t nNodes = m_topology->GetNNodes();
    if (a >= nNodes || b >= nNodes)
    {
        DcnFail(where,
                "a link ends at node ",
                std::max(a, b),
                ", but there are ",
                nNodes,
                " nodes");
    }
    const auto& ids = m_topology->m_externalIds;
    if (a == b)
    {
        DcnFail(where, "the link joins node ", ids[a], " to itself");
    }
    if (rateBps == 0)
    {
        DcnFail(where, "the link between ", ids[a], " and ", ids[b], " has the rate 0");
    }
    if (delayNs < 0)
    {
        DcnFail(where,
                "the link between ",
                ids[a],
                " and ",
                ids[b],
                " has a delay of ",
                delayNs,
                " ns, which is before 0");
    }
    if (delayNs > MAX_DELAY_NS)
    {
        DcnFail(where,
                "the link between ",
                ids[a],
                " and ",
                ids[b],
                " has a delay of ",
                delayNs,
                " ns, more than ",
                MAX_DELAY_NS);
    }
    m_topology->m_links.push_back({a, b, rateBps, delayNs});
    m_topology->m_links.push_back({b, a, rateBps, delayNs});
    return m_topology->GetNLinks() - 2;
}

uint32_t
DcnTopologyBuilder::AddLink(uint32_t a, uint32_t b, DataRate rate, Time delay)
{
    return AddLink(a, b, rate.GetBitRate(), delay.GetNanoSeconds());
}

Ptr<DcnTopology>
DcnTopologyBuilder::Build()
{
    Ptr<DcnTopology> topology = m_topology;
    topology->Index();
    if (topology->m_hosts.empty())
    {
        DcnFail("the topology has no host (",
                topology->GetNNodes(),
                " nodes): of ns-3 nodes, those with exactly one link are hosts");
    }
    for (uint32_t node = 0; node < topology->GetNNodes(); ++node)
    {
        if (topology->m_outLinks[node].empty())
        {
            DcnFail("node ",
                    topology->m_externalIds[node],
                    " has no link: join it to another node, or leave it out");
        }
    }
    NS_LOG_INFO(topology->m_hosts.size()
                << " hosts in " << topology->GetNRacks() << " racks, " << topology->GetNNodes()
                << " nodes, " << topology->GetNLinks() << " directed links");
    m_topology = Create();
    m_externalIds.clear();
    return topology;
}

namespace
{

/// A number of things with the name of its parameter.
struct Count
{
    const char* name; //!< as in the parameters
    uint32_t value;   //!< as given
};

/// A link rate with the name of its parameter.
struct Rate
{
    const char* name; //!< as in the parameters
    DataRate value;   //!< as given
};

/**
 * Check the parameters that all topologies have.
 * @param topology name for the sentence
 * @param counts numbers that must be at least 1
 * @param rates rates that must be above 0
 * @param delay propagation delay, must not be below 0
 */
void
Check(const char* topology,
      std::initializer_list<Count> counts,
      std::initializer_list<Rate> rates,
      Time delay)
{
    for (const Count& count : counts)
    {
        if (count.value == 0)
        {
            DcnFail(topology, ": ", count.name, " must be at least 1, but it is 0");
        }
    }
    for (const Rate& rate : rates)
    {
        if (rate.value.GetBitRate() == 0)
        {
            DcnFail(topology, ": ", rate.name, " must be above 0, but it is 0 b/s");
        }
    }
    if (delay.IsStrictlyNegative())
    {
        DcnFail(topology,
                ": linkDelay must not be below 0, but it is ",
                delay.GetNanoSeconds(),
                " ns");
    }
}

/**
 * Refuse a topology that is too large.
 * @param topology name for the sentence
 * @param nNodes number of nodes it would have
 */
void
CheckNodes(const char* topology, double nNodes)
{
    if (nNodes > DCN_MAX_NODES)
    {
        DcnFail(topology,
                ": there would be ",
                nNodes,
                " nodes, but at most ",
                DCN_MAX_NODES,
                " are possible");
    }
}

/**
 * @param builder where to add
 * @param kind host or switch
 * @param n number of nodes
 * @return index of the first; the others follow
 */
uint32_t
AddNodes(DcnTopologyBuilder& builder, DcnNodeKind kind, uint32_t n)
{
    uint32_t first = 0;
    for (uint32_t i = 0; i < n; ++i)
    {
        const uint32_t node = builder.AddNode(kind);
        first = i == 0 ? node : first;
    }
    return first;
}

/**
 * Join hosts to ToRs, rack by rack.
 * @param builder where to add
 * @param hosts first host
 * @param tors first ToR
 * @param nTors number of ToRs
 * @param hostsPerRack hosts in a rack
 * @param rate link rate
 * @param delay propagation delay
 */
void
JoinRacks(DcnTopologyBuilder& builder,
          uint32_t hosts,
          uint32_t tors,
          uint32_t nTors,
          uint32_t hostsPerRack,
          DataRate rate,
          Time delay)
{
    for (uint32_t tor = 0; tor < nTors; ++tor)
    {
        for (uint32_t host = 0; host < hostsPerRack; ++host)
        {
            builder.AddLink(hosts + tor * hostsPerRack + host, tors + tor, rate, delay);
        }
    }
}

} // namespace

Ptr<DcnTopology>
DcnBuildTopology(const DcnFabricParameters& p)
{
    Check("fabric",
          {{"pods", p.pods},
           {"racksPerPod", p.racksPerPod},
           {"hostsPerRack", p.hostsPerRack},
           {"fabricsPerPod", p.fabricsPerPod}},
          {{"hostRate", p.hostRate}, {"fabricRate", p.fabricRate}},
          p.linkDelay);
    if (p.spinesPerPlane == 0 && p.pods > 1)
    {
        DcnFail("fabric: spinesPerPlane must be at least 1 to join ", p.pods, " pods, but it is 0");
    }
    CheckNodes("fabric",
               static_cast<double>(p.pods) * p.racksPerPod * (p.hostsPerRack + 1.0) +
                   static_cast<double>(p.fabricsPerPod) * (p.pods + 1.0 * p.spinesPerPlane));
    DcnTopologyBuilder builder;
    const uint32_t nTors = p.pods * p.racksPerPod;
    const uint32_t hosts = AddNodes(builder, DcnNodeKind::HOST, nTors * p.hostsPerRack);
    const uint32_t tors = AddNodes(builder, DcnNodeKind::SWITCH, nTors);
    const uint32_t fabrics = AddNodes(builder, DcnNodeKind::SWITCH, p.pods * p.fabricsPerPod);
    const uint32_t spines =
        AddNodes(builder, DcnNodeKind::SWITCH, p.fabricsPerPod * p.spinesPerPlane);
    JoinRacks(builder, hosts, tors, nTors, p.hostsPerRack, p.hostRate, p.linkDelay);
    for (uint32_t tor = 0; tor < nTors; ++tor)
    {
        for (uint32_t plane = 0; plane < p.fabricsPerPod; ++plane)
        {
            const uint32_t fabric = fabrics + tor / p.racksPerPod * p.fabricsPerPod + plane;
            builder.AddLink(tors + tor, fabric, p.fabricRate, p.linkDelay);
        }
    }
    for (uint32_t pod = 0; pod < p.pods; ++pod)
    {
        for (uint32_t plane = 0; plane < p.fabricsPerPod; ++plane)
        {
            for (uint32_t spine = 0; spine < p.spinesPerPlane; ++spine)
            {
                builder.AddLink(fabrics + pod * p.fabricsPerPod + plane,
                                spines + plane * p.spinesPerPlane + spine,
                                p.fabricRate,
                                p.linkDelay);
            }
        }
    }
    return builder.Build();
}

Ptr<DcnTopology>
DcnBuildTopology(const DcnLeafSpineParameters& p)
{
    Check("leaf-spine",
          {{"racks", p.racks}, {"hostsPerRack", p.hostsPerRack}, {"spines", p.spines}},
          {{"hostRate", p.hostRate}, {"fabricRate", p.fabricRate}},
          p.linkDelay);
    CheckNodes("leaf-spine", static_cast<double>(p.racks) * (p.hostsPerRack + 1.0) + p.spines);
    DcnTopologyBuilder builder;
    const uint32_t hosts = AddNodes(builder, DcnNodeKind::HOST, p.racks * p.hostsPerRack);
    const uint32_t leaves = AddNodes(builder, DcnNodeKind::SWITCH, p.racks);
    const uint32_t spines = AddNodes(builder, DcnNodeKind::SWITCH, p.spines);
    JoinRacks(builder, hosts, leaves, p.racks, p.hostsPerRack, p.hostRate, p.linkDelay);
    for (uint32_t leaf = 0; leaf < p.racks; ++leaf)
    {
        for (uint32_t spine = 0; spine < p.spines; ++spine)
        {
            builder.AddLink(leaves + leaf, spines + spine, p.fabricRate, p.linkDelay);
        }
    }
    return builder.Build();
}

Ptr<DcnTopology>
DcnBuildTopology(const DcnFatTreeParameters& p)
{
    Check("fat-tree", {{"k", p.k}}, {{"linkRate", p.linkRate}}, p.linkDelay);
    if (p.k % 2 != 0)
    {
        DcnFail("fat-tree: k must be even, but it is ", p.k);
    }
    CheckNodes("fat-tree", 0.25 * p.k * p.k * p.k + 1.25 * p.k * p.k);
    DcnFabricParameters fabric;
    fabric.pods = p.k;
    fabric.racksPerPod = fabric.hostsPerRack = p.k / 2;
    fabric.fabricsPerPod = fabric.spinesPerPlane = p.k / 2;
    fabric.hostRate = fabric.fabricRate = p.linkRate;
    fabric.linkDelay = p.linkDelay;
    return DcnBuildTopology(fabric);
}

Ptr<DcnTopology>
DcnBuildTopology(const DcnDumbbellParameters& p)
{
    Check("dumbbell",
          {{"senders", p.senders}, {"receivers", p.receivers}},
          {{"edgeRate", p.edgeRate}, {"bottleneckRate", p.bottleneckRate}},
          p.linkDelay);
    CheckNodes("dumbbell", 2.0 + p.senders + p.receivers);
    DcnTopologyBuilder builder;
    const uint32_t senders = AddNodes(builder, DcnNodeKind::HOST, p.senders);
    const uint32_t receivers = AddNodes(builder, DcnNodeKind::HOST, p.receivers);
    const uint32_t switches = AddNodes(builder, DcnNodeKind::SWITCH, 2);
    JoinRacks(builder, senders, switches, 1, p.senders, p.edgeRate, p.linkDelay);
    JoinRacks(builder, receivers, switches + 1, 1, p.receivers, p.edgeRate, p.linkDelay);
    builder.AddLink(switches, switches + 1, p.bottleneckRate, p.linkDelay);
    return builder.Build();
}

Ptr<DcnTopology>
DcnBuildTopology(const DcnParkingLotParameters& p)
{
    Check("parking-lot", {}, {{"hostRate", p.hostRate}, {"switchRate", p.switchRate}}, p.linkDelay);
    if (p.switches < 2)
    {
        DcnFail("parking-lot: switches must be at least 2, but it is ", p.switches);
    }
    if (p.hostsPerSwitch == 0 && p.endHosts == 0)
    {
        DcnFail("parking-lot: hostsPerSwitch and endHosts are both 0, so there is no host");
    }
    CheckNodes("parking-lot", p.switches * (p.hostsPerSwitch + 1.0) + 2.0 * p.endHosts);
    DcnTopologyBuilder builder;
    const uint32_t nHosts = p.switches * p.hostsPerSwitch + 2 * p.endHosts;
    const uint32_t hosts = AddNodes(builder, DcnNodeKind::HOST, nHosts);
    const uint32_t switches = AddNodes(builder, DcnNodeKind::SWITCH, p.switches);
    uint32_t next = hosts;
    for (uint32_t i = 0; i < p.switches; ++i)
    {
        const bool isEnd = i == 0 || i + 1 == p.switches;
        const uint32_t nHere = p.hostsPerSwitch + (isEnd ? p.endHosts : 0);
        JoinRacks(builder, next, switches + i, 1, nHere, p.hostRate, p.linkDelay);
        next += nHere;
    }
    for (uint32_t i = 0; i + 1 < p.switches; ++i)
    {
        builder.AddLink(switches + i, switches + i + 1, p.switchRate, p.linkDelay);
    }
    return builder.Build();
}

} // namespace ns3

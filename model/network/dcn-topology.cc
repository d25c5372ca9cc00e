/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "dcn-topology.h"

#include "ns3/channel.h"
#include "ns3/dcn-error.h"
#include "ns3/log.h"
#include "ns3/node.h"

#include <algorithm>
#include <limits>
#include <map>
#include <unordered_map>

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("DcnTopology");

namespace
{

/// The link that an ns-3 device sends on.
struct NsLink
{
    Ptr<NetDevice> device; //!< sending end
    Ptr<NetDevice> peer;   //!< receiving end
    uint64_t rateBps;      //!< its DataRate attribute
    int64_t delayNs;       //!< the channel's Delay attribute
};

/**
 * Read the links that leave a node from its devices.
 * @param node the node
 * @return one entry per device that is an end of a two-ended channel and has a rate
 */
std::vector<NsLink>
ReadLinks(Ptr<Node> node)
{
    std::vector<NsLink> links;
    for (uint32_t i = 0; i < node->GetNDevices(); ++i)
    {
        Ptr<NetDevice> device = node->GetDevice(i);
        Ptr<Channel> channel = device->GetChannel();
        DataRateValue rate;
        if (!channel || channel->GetNDevices() != 2 ||
            !device->GetAttributeFailSafe("DataRate", rate))
        {
            continue;
        }
        TimeValue delay{Time(0)};
        channel->GetAttributeFailSafe("Delay", delay);
        Ptr<NetDevice> peer = channel->GetDevice(channel->GetDevice(0) == device ? 1 : 0);
        links.push_back({device, peer, rate.Get().GetBitRate(), delay.Get().GetNanoSeconds()});
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
            // each channel is met from both ends: it is added from the end that the channel
            // lists first, with the rates of both devices
            if (link.device->GetChannel()->GetDevice(0) != link.device)
            {
                continue;
            }
            uint32_t forward = builder.AddLink(i, peer->second, link.rateBps, link.delayNs);
            DataRateValue peerRate;
            link.peer->GetAttribute("DataRate", peerRate);
            builder.m_topology->m_links[forward + 1].rateBps = peerRate.Get().GetBitRate();
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
        DcnFail("the topology has no host (", topology->GetNNodes(), " nodes)");
    }
    for (uint32_t node = 0; node < topology->GetNNodes(); ++node)
    {
        if (topology->m_outLinks[node].empty())
        {
            DcnFail("node ", topology->m_externalIds[node], " has no link");
        }
    }
    NS_LOG_INFO(topology->m_hosts.size()
                << " hosts in " << topology->GetNRacks() << " racks, " << topology->GetNNodes()
                << " nodes, " << topology->GetNLinks() << " directed links");
    m_topology = Create();
    m_externalIds.clear();
    return topology;
}

} // namespace ns3

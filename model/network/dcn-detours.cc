/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "dcn-detours.h"

#include <algorithm>

namespace ns3
{

DcnDetours::DcnDetours(const DcnTopology& topology,
                       const std::set<uint32_t>& failed,
                       uint64_t seed)
    : m_failed(failed)
{
    DcnTopologyBuilder builder; // for routing, which only uses node indices
    for (uint32_t node = 0; node < topology.GetNNodes(); ++node)
    {
        builder.AddNode(topology.IsHost(node) ? DcnNodeKind::HOST : DcnNodeKind::SWITCH);
    }
    std::vector<uint32_t> degrees(topology.GetNNodes(), 0);
    for (uint32_t cable = 0; cable < topology.GetNLinks() / 2; ++cable)
    {
        if (failed.count(cable) == 0)
        {
            const DcnLink& link = topology.GetLink(2 * cable);
            ++degrees[link.from];
            ++degrees[link.to];
            builder.AddLink(link.from, link.to, link.rateBps, link.delayNs);
            m_working.push_back(cable);
        }
    }
    for (uint32_t node = 0; node < degrees.size(); ++node)
    {
        if (degrees[node] ==
            0) // a topology needs a link at every node: add a link to an unused node
        {
            builder.AddLink(node, builder.AddNode(DcnNodeKind::SWITCH), 1, 0);
        }
    }
    m_routing = std::make_unique<DcnRouting>(builder.Build(), seed);
}

bool
DcnDetours::IsCut(DcnPath path) const
{
    return std::any_of(path.begin(), path.end(), [this](uint32_t link) {
        return m_failed.count(link / 2) > 0;
    });
}

void
DcnDetours::Find(DcnPath before, DcnFlow flow, std::vector<uint32_t>& links) const
{
    links.clear();
    if (m_routing->GetHops(flow.src, flow.dst) == 0)
    {
        return;
    }
    auto toReal = [this](uint32_t link) { return 2 * m_working[link / 2] + link % 2; };
    const Ptr<const DcnTopology> topology = m_routing->GetTopology();
    // hops are kept while they are on a shortest path
    for (uint32_t link : before)
    {
        const auto next = m_routing->GetNextLinks(flow.src, flow.dst);
        const auto same = std::find_if(next.begin(), next.end(), [&](uint32_t each) {
            return toReal(each) == link;
        });
        if (same == next.end())
        {
            break;
        }
        links.push_back(link);
        flow.src = topology->GetLink(*same).to;
    }
    // the rest has another hash (its source is a switch now): with the hash that chose the failed
    // link, all of its flows would choose the same neighbour
    std::vector<uint32_t> rest;
    m_routing->AppendPath(flow, rest);
    for (uint32_t link : rest)
    {
        links.push_back(toReal(link));
    }
}

} // namespace ns3

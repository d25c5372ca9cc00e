/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "parsimon-link-index.h"

#include "ns3/dcn-error.h"

#include <limits>

namespace ns3
{

ParsimonLinkIndex::ParsimonLinkIndex(const DcnScenario& scenario)
    : m_bytes(scenario.GetTopology().GetNLinks(), 0)
{
    const auto& flows = scenario.GetFlows();
    if (flows.size() > std::numeric_limits<uint32_t>::max())
    {
        DcnFail("a decomposition into links can have at most ",
                std::numeric_limits<uint32_t>::max(),
                " flows, not ",
                flows.size());
    }
    std::vector<uint32_t> counts(m_bytes.size(), 0);
    m_hopOffsets.reserve(flows.size());
    for (std::size_t f = 0; f < flows.size(); ++f)
    {
        const DcnPath path = scenario.GetPath(f);
        if (path.size() == 0)
        {
            DcnFail("flow ", flows[f].id, " crosses no link");
        }
        m_hopOffsets.push_back(m_places.size());
        for (uint32_t link : path)
        {
            m_places.push_back(counts[link]++);
            m_bytes[link] += flows[f].sizeBytes;
        }
    }
    m_linkOffsets.assign(1, 0);
    for (uint32_t count : counts)
    {
        m_linkOffsets.push_back(m_linkOffsets.back() + count);
    }
    m_flows.resize(m_places.size());
    for (std::size_t f = 0; f < flows.size(); ++f)
    {
        const DcnPath path = scenario.GetPath(f);
        for (std::size_t hop = 0; hop < path.size(); ++hop)
        {
            m_flows[m_linkOffsets[path[hop]] + GetPlace(f, hop)] = static_cast<uint32_t>(f);
        }
    }
}

uint32_t
ParsimonLinkIndex::GetNLinks() const
{
    return static_cast<uint32_t>(m_bytes.size());
}

uint32_t
ParsimonLinkIndex::GetNFlows(uint32_t link) const
{
    return static_cast<uint32_t>(m_linkOffsets[link + 1] - m_linkOffsets[link]);
}

DcnIndexSpan
ParsimonLinkIndex::GetFlows(uint32_t link) const
{
    return {m_flows.data() + m_linkOffsets.at(link), m_flows.data() + m_linkOffsets.at(link + 1)};
}

uint64_t
ParsimonLinkIndex::GetBytes(uint32_t link) const
{
    return m_bytes[link];
}

uint32_t
ParsimonLinkIndex::GetPlace(std::size_t flow, std::size_t hop) const
{
    return m_places[m_hopOffsets[flow] + hop];
}

ParsimonPosition
ParsimonLinkIndex::GetPosition(const DcnTopology& topology, uint32_t link)
{
    if (topology.IsHost(topology.GetLink(link).from))
    {
        return ParsimonPosition::FIRST_HOP;
    }
    return topology.IsHost(topology.GetLink(link).to) ? ParsimonPosition::LAST_HOP
                                                      : ParsimonPosition::SWITCH_TO_SWITCH;
}

} // namespace ns3

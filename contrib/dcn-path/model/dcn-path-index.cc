/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "dcn-path-index.h"

#include "ns3/dcn-error.h"

#include <algorithm>
#include <limits>

namespace ns3
{

namespace
{

constexpr uint32_t NONE = std::numeric_limits<uint32_t>::max(); //!< no path, no flow

/// @return a hash of its links and their order
uint64_t
HashOf(DcnPath links)
{
    uint64_t hash = 0x9e3779b97f4a7c15ULL;
    for (uint32_t link : links)
    {
        // a multiplication carries a link into the higher bits, the shift brings them back down
        hash = (hash ^ link) * 0xff51afd7ed558ccdULL;
        hash ^= hash >> 32;
    }
    return hash;
}

/// @return true if they have the same links in the same order
bool
IsSame(DcnPath a, DcnPath b)
{
    return std::equal(a.begin(), a.end(), b.begin(), b.end());
}

/**
 * Turn counts at [1 ... n] into the offsets at which rows begin.
 * @param counts number of entries of row i at i + 1, 0 at 0
 */
void
Accumulate(std::vector<std::size_t>& counts)
{
    for (std::size_t i = 1; i < counts.size(); ++i)
    {
        counts[i] += counts[i - 1];
    }
}

} // namespace

DcnPathIndex::DcnPathIndex(Ptr<const DcnScenario> scenario)
    : m_scenario(scenario)
{
    if (scenario->GetFlows().size() >= NONE)
    {
        DcnFail("a path index of paths counts up to ",
                NONE - 1,
                " flows, but there are ",
                scenario->GetFlows().size());
    }
    NumberPaths();
    ListForeground();
    ListLinks();
}

void
DcnPathIndex::NumberPaths()
{
    const std::size_t nFlows = m_scenario->GetFlows().size();
    m_pathOf.resize(nFlows);
    // open addressing, at most half full: first flow of the path that has the place
    std::size_t nPlaces = 16;
    while (nPlaces < 2 * nFlows)
    {
        nPlaces *= 2;
    }
    std::vector<uint32_t> places(nPlaces, NONE);
    uint32_t nPaths = 0;
    for (std::size_t flow = 0; flow < nFlows; ++flow)
    {
        const DcnPath links = m_scenario->GetPath(flow);
        std::size_t place = HashOf(links) & (nPlaces - 1);
        while (places[place] != NONE && !IsSame(links, m_scenario->GetPath(places[place])))
        {
            place = (place + 1) & (nPlaces - 1);
        }
        if (places[place] == NONE)
        {
            places[place] = static_cast<uint32_t>(flow);
            m_pathOf[flow] = nPaths++;
        }
        else
        {
            m_pathOf[flow] = m_pathOf[places[place]];
        }
    }
    m_pathOffsets.assign(nPaths + std::size_t{1}, 0);
}

void
DcnPathIndex::ListForeground()
{
    for (uint32_t path : m_pathOf)
    {
        ++m_pathOffsets[path + std::size_t{1}];
    }
    Accumulate(m_pathOffsets);
    m_foreground.resize(m_pathOf.size());
    std::vector<std::size_t> next(m_pathOffsets.begin(), m_pathOffsets.end() - 1);
    for (std::size_t flow = 0; flow < m_pathOf.size(); ++flow)
    {
        m_foreground[next[m_pathOf[flow]]++] = static_cast<uint32_t>(flow);
    }
}

void
DcnPathIndex::ListLinks()
{
    const std::size_t nFlows = m_scenario->GetFlows().size();
    m_linkOffsets.assign(m_scenario->GetTopology().GetNLinks() + std::size_t{1}, 0);
    for (std::size_t flow = 0; flow < nFlows; ++flow)
    {
        for (uint32_t link : m_scenario->GetPath(flow))
        {
            ++m_linkOffsets[link + std::size_t{1}];
        }
    }
    Accumulate(m_linkOffsets);
    m_linkFlows.resize(m_linkOffsets.back());
    std::vector<std::size_t> next(m_linkOffsets.begin(), m_linkOffsets.end() - 1);
    for (std::size_t flow = 0; flow < nFlows; ++flow)
    {
        for (uint32_t link : m_scenario->GetPath(flow))
        {
            m_linkFlows[next[link]++] = static_cast<uint32_t>(flow);
        }
    }
}

const DcnScenario&
DcnPathIndex::GetScenario() const
{
    return *m_scenario;
}

uint32_t
DcnPathIndex::GetNPaths() const
{
    return static_cast<uint32_t>(m_pathOffsets.size() - 1);
}

uint32_t
DcnPathIndex::GetPathOf(std::size_t flow) const
{
    return m_pathOf[flow];
}

DcnPath
DcnPathIndex::GetLinks(uint32_t path) const
{
    return m_scenario->GetPath(GetForeground(path)[0]);
}

DcnIndexSpan
DcnPathIndex::GetForeground(uint32_t path) const
{
    return {m_foreground.data() + m_pathOffsets[path],
            m_foreground.data() + m_pathOffsets[path + std::size_t{1}]};
}

DcnIndexSpan
DcnPathIndex::GetFlowsOnLink(uint32_t link) const
{
    return {m_linkFlows.data() + m_linkOffsets[link],
            m_linkFlows.data() + m_linkOffsets[link + std::size_t{1}]};
}

} // namespace ns3

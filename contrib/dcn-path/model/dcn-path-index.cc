/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "dcn-path-index.h"

#include "ns3/dcn-error.h"
#include "ns3/dcn-units.h"

#include <algorithm>
#include <limits>

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("DcnPathIndex");

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
    NS_LOG_INFO(m_pathOf.size() << " flows on " << GetNPaths() << " paths");
}

void
DcnPathIndex::NumberPaths()
{
    const std::size_t nFlows = m_scenario->GetFlows().size();
    m_pathOf.resize(nFlows);
    // open addressing, at most half full: each place holds the first flow of a path
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

namespace
{

/// The links of a path in both directions, to be asked for their places.
class LinkPlaces
{
  public:
    static constexpr int32_t NOWHERE = -1; //!< not a link of the path

    /**
     * @param links the path
     */
    explicit LinkPlaces(DcnPath links)
        : m_links(links)
    {
    }

    /// @return its place on the path
    int32_t Find(uint32_t link) const
    {
        // paths are a few links long: looking through them beats any index
        for (std::size_t i = 0; i < m_links.size(); ++i)
        {
            if (m_links[i] == link)
            {
                return static_cast<int32_t>(i);
            }
        }
        return NOWHERE;
    }

  private:
    DcnPath m_links; //!< the path
};

/**
 * Add the intervals of a flow.
 * @param places links of the path
 * @param flow flow index
 * @param own the flow's links
 * @param reverse find links that are used in the other direction, not those in the path's
 * @param intervals appended to
 */
void
AppendIntervals(const LinkPlaces& places,
                uint32_t flow,
                DcnPath own,
                bool reverse,
                std::vector<DcnPathInterval>& intervals)
{
    const int32_t step = reverse ? -1 : 1;
    int32_t before = LinkPlaces::NOWHERE; // place of the flow's link before
    for (uint32_t link : own)
    {
        const int32_t place = places.Find(reverse ? DcnTopology::Reverse(link) : link);
        if (place != LinkPlaces::NOWHERE)
        {
            // link k leads from node k to k + 1, its other direction from k + 1 to k
            const int32_t leave = reverse ? place : place + 1;
            if (before != LinkPlaces::NOWHERE && place == before + step)
            {
                intervals.back().leave = static_cast<uint16_t>(leave);
            }
            else
            {
                intervals.push_back(
                    {flow, static_cast<uint16_t>(leave - step), static_cast<uint16_t>(leave)});
            }
        }
        before = place;
    }
}

} // namespace

DcnPathTraffic
DcnFindPathTraffic(const DcnPathIndex& pathIndex,
                   uint32_t path,
                   bool reverse,
                   uint32_t first,
                   uint32_t last)
{
    const DcnScenario& scenario = pathIndex.GetScenario();
    const DcnPath links = pathIndex.GetLinks(path);
    const LinkPlaces places(links);
    DcnPathTraffic traffic;
    traffic.foreground = pathIndex.GetForeground(path);
    // merge the lists of the links, each of which is ascending
    std::vector<DcnIndexSpan> lists;
    auto addList = [&](uint32_t link) {
        const DcnIndexSpan all = pathIndex.GetFlowsOnLink(link);
        const uint32_t* begin = std::lower_bound(all.begin(), all.end(), first);
        lists.push_back({begin, std::lower_bound(begin, all.end(), last)});
    };
    for (uint32_t link : links)
    {
        addList(link);
        if (reverse)
        {
            addList(DcnTopology::Reverse(link));
        }
    }
    static constexpr uint32_t NONE = std::numeric_limits<uint32_t>::max();
    while (true)
    {
        uint32_t flow = NONE;
        for (const DcnIndexSpan& list : lists)
        {
            flow = list.first != list.last ? std::min(flow, *list.first) : flow;
        }
        if (flow == NONE)
        {
            return traffic;
        }
        for (DcnIndexSpan& list : lists)
        {
            list.first += list.first != list.last && *list.first == flow ? 1 : 0;
        }
        if (pathIndex.GetPathOf(flow) == path)
        {
            continue;
        }
        AppendIntervals(places, flow, scenario.GetPath(flow), false, traffic.background);
        if (reverse)
        {
            AppendIntervals(places, flow, scenario.GetPath(flow), true, traffic.background);
        }
    }
}

DcnPathSpec
DcnGetPathSpec(const DcnPathIndex& pathIndex, uint32_t path)
{
    const DcnScenario& scenario = pathIndex.GetScenario();
    const DcnTopology& topology = scenario.GetTopology();
    const DcnPath links = pathIndex.GetLinks(path);
    DcnPathSpec spec;
    spec.bottleneckBps = scenario.GetMaxRate(topology.GetLink(links[0]).from);
    for (uint32_t link : links)
    {
        spec.ratesBps.push_back(topology.GetLink(link).rateBps);
        spec.delaysNs.push_back(topology.GetLink(link).delayNs);
        spec.bottleneckBps = std::min(spec.bottleneckBps, spec.ratesBps.back());
    }
    spec.baseRttNs =
        DcnBaseRttNs(topology,
                     links,
                     scenario.GetNetwork().payloadBytes + scenario.GetNetwork().headerBytes,
                     DCN_ACK_BYTES);
    spec.bdpBytes =
        static_cast<double>(spec.bottleneckBps) * static_cast<double>(spec.baseRttNs) / 8e9;
    return spec;
}

} // namespace ns3

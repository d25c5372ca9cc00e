/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "dcn-path-traffic.h"

#include "ns3/dcn-units.h"

#include <algorithm>
#include <limits>

namespace ns3
{

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
    spec.baseRttNs = DcnBaseRttNs(topology,
                                  links,
                                  scenario.GetNetwork().payloadBytes + DCN_HEADER_BYTES,
                                  DCN_ACK_BYTES);
    spec.bdpBytes =
        static_cast<double>(spec.bottleneckBps) * static_cast<double>(spec.baseRttNs) / 8e9;
    return spec;
}

} // namespace ns3

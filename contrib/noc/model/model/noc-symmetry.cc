/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "noc-symmetry.h"

#include "ns3/log.h"

#include <algorithm>
#include <functional>
#include <numeric>

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("NocSymmetry");

namespace
{

constexpr uint32_t NONE = UINT32_MAX; // no lane

/// @return n classes of one element each
NocSymmetry::Classes
MakeClasses(uint32_t n)
{
    NocSymmetry::Classes classes;
    classes.of.resize(n);
    std::iota(classes.of.begin(), classes.of.end(), 0);
    return classes;
}

/// @return the first element of the class of an element, while classes are joined
uint32_t
Find(std::vector<uint32_t>& of, uint32_t element)
{
    while (of[element] != element)
    {
        element = of[element] = of[of[element]];
    }
    return element;
}

/// Joins the classes of two elements.
void
Join(NocSymmetry::Classes& classes, uint32_t a, uint32_t b)
{
    a = Find(classes.of, a);
    b = Find(classes.of, b);
    classes.of[std::max(a, b)] = std::min(a, b);
}

/// Points every element at the first one of its class, and counts.
void
Finish(NocSymmetry::Classes& classes)
{
    std::vector<uint32_t> members(classes.of.size(), 0);
    for (uint32_t i = 0; i < classes.of.size(); ++i)
    {
        classes.of[i] = Find(classes.of, i);
        ++members[classes.of[i]];
    }
    for (uint32_t first : classes.of)
    {
        classes.size.push_back(members[first]);
    }
}

} // namespace

NocSymmetry::NocSymmetry(const NocSystem& system, bool isUsed)
    : m_topology(*system.topology)
{
    const uint32_t n = m_topology.GetNNodes();
    const uint32_t nLanes = m_topology.GetNLanes();
    m_nLanesAt.assign(n, 0);
    for (uint32_t lane = 0; lane < nLanes; ++lane)
    {
        m_place.push_back(m_nLanesAt[m_topology.GetNode(lane)]++);
    }
    m_firstTurn.push_back(0);
    for (uint32_t count : m_nLanesAt)
    {
        m_firstTurn.push_back(m_firstTurn.back() + count * count);
    }
    m_nodes = MakeClasses(n);
    m_lanes = MakeClasses(nLanes);
    m_turns = MakeClasses(m_firstTurn.back());
    if (isUsed)
    {
        const uint32_t rows = m_topology.GetNRows();
        const uint32_t columns = m_topology.GetNColumns();
        std::vector<std::function<uint32_t(uint32_t)>> candidates{
            [n](uint32_t node) { return n - 1 - node; },
            [n](uint32_t node) { return (node + 1) % n; }};
        if (rows > 0)
        {
            auto at = [columns](uint32_t row, uint32_t column) { return row * columns + column; };
            candidates = {
                [=](uint32_t i) { return at(rows - 1 - i / columns, i % columns); },
                [=](uint32_t i) { return at(i / columns, columns - 1 - i % columns); },
                [=](uint32_t i) { return at((i / columns + 1) % rows, i % columns); },
                [=](uint32_t i) { return at(i / columns, (i % columns + 1) % columns); },
                [n](uint32_t i) { return n - 1 - i; }}; // both, where neither alone is one
        }
        for (const auto& candidate : candidates)
        {
            std::vector<uint32_t> image;
            for (uint32_t node = 0; node < n; ++node)
            {
                image.push_back(candidate(node));
            }
            Try(system, image);
        }
    }
    for (Classes* classes : {&m_nodes, &m_lanes, &m_turns})
    {
        Finish(*classes);
    }
    uint32_t count = 0;
    for (uint32_t node = 0; node < n; ++node)
    {
        count += m_nodes.IsFirst(node);
    }
    NS_LOG_INFO(n << " nodes in " << count << " classes");
}

void
NocSymmetry::Try(const NocSystem& system, const std::vector<uint32_t>& image)
{
    const auto n = static_cast<uint32_t>(image.size());
    const auto& shares = system.destinations;
    for (uint32_t node = 0; node < n; ++node)
    {
        if (system.rates[node] != system.rates[image[node]] ||
            system.bursts[node] != system.bursts[image[node]] ||
            system.IsMemory(node) != system.IsMemory(image[node]))
        {
            return;
        }
        for (uint32_t other = 0; other < n && !shares.empty(); ++other)
        {
            if (shares[node][other] != shares[image[node]][image[other]])
            {
                return;
            }
        }
    }
    const std::vector<uint32_t> lanes = MapLanes(image);
    if (lanes.empty())
    {
        return;
    }
    for (uint32_t node = 0; node < n; ++node)
    {
        Join(m_nodes, node, image[node]);
    }
    std::vector<std::vector<uint32_t>> at(n);
    for (uint32_t lane = 0; lane < lanes.size(); ++lane)
    {
        Join(m_lanes, lane, lanes[lane]);
        at[m_topology.GetNode(lane)].push_back(lane);
    }
    for (const auto& list : at)
    {
        for (uint32_t from : list)
        {
            for (uint32_t to : list)
            {
                Join(m_turns, GetTurn(from, to), GetTurn(lanes[from], lanes[to]));
            }
        }
    }
}

std::vector<uint32_t>
NocSymmetry::MapLanes(const std::vector<uint32_t>& image) const
{
    const auto n = static_cast<uint32_t>(image.size());
    std::vector<uint32_t> lanes(m_topology.GetNLanes(), NONE);
    for (uint32_t a = 0; a < n; ++a)
    {
        for (uint32_t b = 0; b < n; ++b)
        {
            const NocTopology::Leg& leg = m_topology.GetLeg(a, b);
            const NocTopology::Leg& other = m_topology.GetLeg(image[a], image[b]);
            if ((leg.lane == NocTopology::NONE) != (other.lane == NocTopology::NONE))
            {
                return {};
            }
            if (leg.lane == NocTopology::NONE)
            {
                continue;
            }
            uint32_t& mapped = lanes[leg.lane];
            mapped = mapped == NONE ? other.lane : mapped;
            if (mapped != other.lane || other.hops != leg.hops || other.exit != image[leg.exit])
            {
                return {};
            }
        }
    }
    // lanes that only through traffic uses follow those before them on their loop
    for (uint32_t loop = 0; loop < m_topology.GetNLoops(); ++loop)
    {
        const uint32_t first = m_topology.GetFirst(loop);
        const uint32_t round = m_topology.GetFirst(loop + 1) - first;
        for (uint32_t step = 0; step < 2 * round; ++step)
        {
            const uint32_t lane = first + step % round;
            const uint32_t next = m_topology.GetNext(lane);
            if (lanes[lane] == NONE)
            {
                continue;
            }
            uint32_t& mapped = lanes[next];
            mapped = mapped == NONE ? m_topology.GetNext(lanes[lane]) : mapped;
            if (mapped != m_topology.GetNext(lanes[lane]))
            {
                return {};
            }
        }
    }
    std::vector<bool> isImage(lanes.size(), false);
    for (uint32_t lane = 0; lane < lanes.size(); ++lane)
    {
        lanes[lane] = lanes[lane] == NONE ? lane : lanes[lane]; // a loop without traffic
        if (m_topology.GetNode(lanes[lane]) != image[m_topology.GetNode(lane)] &&
            lanes[lane] != lane)
        {
            return {};
        }
        if (isImage[lanes[lane]])
        {
            return {};
        }
        isImage[lanes[lane]] = true;
    }
    return lanes;
}

} // namespace ns3

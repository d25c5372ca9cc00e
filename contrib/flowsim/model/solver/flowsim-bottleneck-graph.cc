/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "flowsim-bottleneck-graph.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string>

namespace ns3
{

FlowsimBottleneckGraph::FlowsimBottleneckGraph(const std::vector<double>& capacities)
    : FlowsimLinkLoads(capacities)
{
}

FlowsimBottleneckGraph::PathGroupId
FlowsimBottleneckGraph::GetPathGroup(const uint32_t* path,
                                     uint32_t nHops,
                                     double cap,
                                     int64_t quanta)
{
    if (nHops == 0)
    {
        throw std::invalid_argument("flowsim: a flow has an empty path");
    }
    m_path.clear();
    bool known = true; // all links are in use
    double narrowest = INFINITE;
    for (uint32_t i = 0; i < nHops; i++)
    {
        if (path[i] >= GetNNumbers())
        {
            throw std::invalid_argument("flowsim: a path names link " + std::to_string(path[i]) +
                                        ", there are " + std::to_string(GetNNumbers()) + " links");
        }
        const Place& place = m_places[path[i]];
        m_path.push_back(place.id);
        known = known && place.id != NONE;
        narrowest = std::min(narrowest, place.capacity);
    }
    // A cap that the links imply would only add path groups and virtual links.
    const double capLevel = cap < narrowest ? cap / static_cast<double>(quanta) : INFINITE;
    if (capLevel != INFINITE)
    {
        m_path.push_back(FindCap(capLevel));
        known = known && m_path.back() != NONE;
    }
    if (known)
    {
        const auto size = static_cast<uint32_t>(m_path.size());
        const PathGroupId group =
            m_groups.Find(m_path.data(),
                          size,
                          FlowsimPathGroupTable::HashPath(m_path.data(), size));
        if (group != NONE)
        {
            return group;
        }
    }

    CheckPath(path, nHops);
    PathGroupId surplus = m_groups.GetSurplus();
    if (surplus != NONE)
    {
        RecyclePathGroup(surplus);
    }
    m_path.clear();
    for (uint32_t i = 0; i < nHops; i++)
    {
        m_path.push_back(UseLink(path[i]));
    }
    if (capLevel != INFINITE)
    {
        m_path.push_back(UseCap(capLevel));
    }
    const auto size = static_cast<uint32_t>(m_path.size());
    const PathGroupId group =
        m_groups.Make(m_path.data(), size, FlowsimPathGroupTable::HashPath(m_path.data(), size));
    m_groups.Retire(group);
    return group;
}

/// Refuses a path that visits a link twice.
void
FlowsimBottleneckGraph::CheckPath(const uint32_t* path, uint32_t nHops)
{
    if (++m_stamp == 0)
    {
        for (Place& place : m_places)
        {
            place.stamp = 0;
        }
        m_stamp = 1;
    }
    for (uint32_t i = 0; i < nHops; i++)
    {
        uint32_t& stamp = m_places[path[i]].stamp;
        if (stamp == m_stamp)
        {
            throw std::invalid_argument("flowsim: a path visits link " + std::to_string(path[i]) +
                                        " twice");
        }
        stamp = m_stamp;
    }
}

/// Forgets an empty path group.
void
FlowsimBottleneckGraph::RecyclePathGroup(PathGroupId group)
{
    const auto& record = m_groups.Get(group);
    for (HopId h = record.hops; h < record.hops + record.nHops; h++)
    {
        Release(m_groups.GetHop(h).link);
    }
    m_groups.Revive(group);
    m_groups.Remove(group);
}

void
FlowsimBottleneckGraph::Enter(PathGroupId group, int64_t quanta)
{
    auto& record = m_groups.Get(group);
    m_groups.Revive(group);
    const HopId end = record.hops + record.nHops;
    HopId lowest = record.hops;
    HopId fullest = record.hops;
    for (HopId h = record.hops; h < end; h++)
    {
        const Link& link = m_links[m_groups.GetHop(h).link];
        const Link& low = m_links[m_groups.GetHop(lowest).link];
        const Link& full = m_links[m_groups.GetHop(fullest).link];
        lowest = link.level < low.level ? h : lowest;
        fullest = link.capacity - link.load < full.capacity - full.load ? h : fullest;
        __builtin_prefetch(link.shares.data() + link.shares.size());
    }
    // Without a bottleneck on the path, start a class on the most likely bottleneck.
    HopId own = m_links[m_groups.GetHop(lowest).link].level < INFINITE ? lowest : fullest;
    LinkId cls = m_groups.GetHop(own).link;
    record.cls = cls;
    record.quanta = quanta;
    NoteMoved(group);
    if (!m_links[cls].isVirtual)
    {
        MakeExact(cls);
    }
    const bool isNewClass = m_links[cls].level == INFINITE;
    Attach(own, cls, quanta);
    if (isNewClass)
    {
        SetLevel(cls, GetFillLevel(cls));
    }
    for (HopId h = record.hops; h < end; h++)
    {
        if (h != own)
        {
            Attach(h, cls, quanta);
        }
    }
    if (isNewClass)
    {
        Absorb(cls, m_links[cls].level);
    }
}

void
FlowsimBottleneckGraph::AddQuanta(PathGroupId group, int64_t quanta)
{
    auto& record = m_groups.Get(group);
    const LinkId cls = record.cls;
    const HopId end = record.hops + record.nHops;
    PrefetchHops(record.hops, end);
    if (record.quanta + quanta == 0)
    {
        for (HopId h = record.hops; h < end; h++)
        {
            Detach(h, cls, record.quanta);
        }
        record.quanta = 0;
        record.cls = NONE;
        EndClassIfEmpty(cls);
        m_groups.Retire(group);
        return;
    }
    record.quanta += quanta;
    for (HopId h = record.hops; h < end; h++)
    {
        const auto& hop = m_groups.GetHop(h);
        if (hop.link == cls)
        {
            AddOwnQuanta(cls, quanta);
        }
        else
        {
            AddQuantaToCrossing(hop.crossing, quanta);
        }
    }
}

/// Prefetches the records of all hops at once, not hop by hop.
void
FlowsimBottleneckGraph::PrefetchHops(HopId first, HopId end) const
{
    PrefetchLinks(first, end);
    PrefetchShares(first, end);
}

/// Prefetches the links and crossings of hops.
void
FlowsimBottleneckGraph::PrefetchLinks(HopId first, HopId end) const
{
    for (HopId h = first; h < end; h++)
    {
        const auto& hop = m_groups.GetHop(h);
        __builtin_prefetch(&m_links[hop.link]);
        __builtin_prefetch(&m_links[hop.link].quanta);
        if (hop.crossing != NONE)
        {
            __builtin_prefetch(&m_crossings[hop.crossing]);
        }
    }
}

/// Prefetches the shares of hops, whose links and crossings point to them.
void
FlowsimBottleneckGraph::PrefetchShares(HopId first, HopId end) const
{
    for (HopId h = first; h < end; h++)
    {
        const auto& hop = m_groups.GetHop(h);
        if (hop.crossing != NONE)
        {
            __builtin_prefetch(m_links[hop.link].shares.data() +
                               m_crossings[hop.crossing].sharePos);
        }
    }
}

void
FlowsimBottleneckGraph::PrefetchPathGroup(PathGroupId group, uint32_t step) const
{
    if (step == 0)
    {
        __builtin_prefetch(&m_groups.Get(group));
        return;
    }
    const auto& record = m_groups.Get(group);
    const HopId end = record.hops + record.nHops;
    if (step == 1)
    {
        __builtin_prefetch(&m_groups.GetHop(record.hops));
        __builtin_prefetch(&m_groups.GetHop(end - 1));
    }
    else if (step == 2)
    {
        PrefetchLinks(record.hops, end);
    }
    else if (step == 3)
    {
        PrefetchShares(record.hops, end);
    }
}

void
FlowsimBottleneckGraph::Move(PathGroupId group, LinkId cls)
{
    auto& record = m_groups.Get(group);
    const LinkId from = record.cls;
    const HopId end = record.hops + record.nHops;
    PrefetchHops(record.hops, end);
    for (HopId h = record.hops; h < end; h++)
    {
        Detach(h, from, record.quanta);
        Attach(h, cls, record.quanta);
    }
    record.cls = cls;
    NoteMoved(group);
    EndClassIfEmpty(from);
}

void
FlowsimBottleneckGraph::Absorb(LinkId link, double threshold)
{
    // A moved share vanishes and the last one takes its place, so the index stays.
    const auto& shares = m_links[link].shares;
    for (std::size_t i = 0; i < shares.size();)
    {
        if (shares[i].bound <= threshold)
        {
            i++;
            continue;
        }
        const CrossingId crossing = shares[i].crossing;
        while (i < shares.size() && shares[i].crossing == crossing)
        {
            Move(m_groups.GetHop(m_crossings[crossing].members).group, link);
        }
    }
}

bool
FlowsimBottleneckGraph::Expel(LinkId cls, double threshold)
{
    bool moved = false;
    auto expelFrom = [&](const Visits& visits) {
        for (std::size_t i = 0; i < visits.size(); i++)
        {
            if (m_links[visits[i].link].level >= threshold)
            {
                continue;
            }
            moved = true;
            const CrossingId crossing = visits[i].crossing;
            while (i < visits.size() && visits[i].crossing == crossing)
            {
                PathGroupId group = m_groups.GetHop(m_crossings[crossing].members).group;
                const auto& record = m_groups.Get(group);
                LinkId best = visits[i].link;
                for (HopId h = record.hops; h < record.hops + record.nHops; h++)
                {
                    LinkId other = m_groups.GetHop(h).link;
                    if (other != cls && m_links[other].level < m_links[best].level)
                    {
                        best = other;
                    }
                }
                Move(group, best);
            }
        }
    };
    expelFrom(m_links[cls].exactVisits);
    if (threshold > m_links[cls].relaxedLimit)
    {
        // Among the relaxed links only caps have a level.
        expelFrom(m_links[cls].relaxedVisits);
    }
    return moved;
}

/// Puts a hop of a path group into the lists of a class and counts its weight there.
void
FlowsimBottleneckGraph::Attach(HopId h, LinkId cls, int64_t quanta)
{
    auto& hop = m_groups.GetHop(h);
    HopId* head = nullptr;
    if (hop.link == cls)
    {
        AddOwnQuanta(cls, quanta);
        hop.crossing = NONE;
        head = &m_links[cls].members;
    }
    else
    {
        CrossingId crossing = FindCrossing(cls, hop.link);
        if (crossing == NONE)
        {
            crossing = MakeCrossing(cls, hop.link, quanta);
        }
        AddQuantaToCrossing(crossing, quanta);
        hop.crossing = crossing;
        head = &m_crossings[crossing].members;
    }
    hop.previous = NONE;
    hop.next = *head;
    if (*head != NONE)
    {
        m_groups.GetHop(*head).previous = h;
    }
    *head = h;
}

/// Takes a hop of a path group out of the lists of a class.
void
FlowsimBottleneckGraph::Detach(HopId h, LinkId cls, int64_t quanta)
{
    const auto& hop = m_groups.GetHop(h);
    if (hop.next != NONE)
    {
        m_groups.GetHop(hop.next).previous = hop.previous;
    }
    if (hop.previous != NONE)
    {
        m_groups.GetHop(hop.previous).next = hop.next;
    }
    if (hop.link == cls)
    {
        Link& link = m_links[cls];
        link.members = hop.previous == NONE ? hop.next : link.members;
        AddOwnQuanta(cls, -quanta);
        return;
    }
    Crossing& crossing = m_crossings[hop.crossing];
    crossing.members = hop.previous == NONE ? hop.next : crossing.members;
    AddQuantaToCrossing(hop.crossing, -quanta);
    if (crossing.members == NONE)
    {
        RemoveCrossing(hop.crossing);
    }
}

/// Lists a path group among the moved ones.
void
FlowsimBottleneckGraph::NoteMoved(PathGroupId group)
{
    auto& record = m_groups.Get(group);
    if (!record.moved)
    {
        record.moved = true;
        m_moved.push_back(group);
    }
}

void
FlowsimBottleneckGraph::ClearChanges()
{
    ClearChanged();
    for (PathGroupId group : m_moved)
    {
        m_groups.Get(group).moved = false;
    }
    m_moved.clear();
}

} // namespace ns3

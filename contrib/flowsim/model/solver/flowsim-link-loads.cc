/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "flowsim-link-loads.h"

#include <algorithm>
#include <cmath>

namespace ns3
{

namespace
{

/// Half of the distance from 1 to the next double: relative rounding error of one operation.
constexpr double ROUNDING = 1.0 / (1ULL << 53);

} // namespace

FlowsimLinkLoads::FlowsimLinkLoads(const std::vector<double>& capacities)
    : FlowsimLinkTable(capacities)
{
}

void
FlowsimLinkLoads::AddOwnQuanta(LinkId cls, int64_t quanta)
{
    m_links[cls].quanta += quanta;
    Touch(cls);
}

void
FlowsimLinkLoads::AddQuantaToCrossing(CrossingId id, int64_t quanta)
{
    const Crossing& crossing = m_crossings[id];
    Share& share = m_links[crossing.link].shares[crossing.sharePos];
    share.quanta += quanta;
    AddLoad(crossing.link, static_cast<double>(quanta) * share.bound);
}

void
FlowsimLinkLoads::EndClassIfEmpty(LinkId cls)
{
    Link& link = m_links[cls];
    if (link.quanta == 0 && !link.isVirtual)
    {
        link.level = INFINITE;
        link.relaxedLimit = INFINITE;
        NoteLevelSet(cls);
        NoteIdle(cls);
        Touch(cls);
    }
}

FlowsimLinkLoads::CrossingId
FlowsimLinkLoads::FindCrossing(LinkId cls, LinkId link) const
{
    const auto& shares = m_links[link].shares;
    const auto& visits =
        m_links[link].exact ? m_links[cls].exactVisits : m_links[cls].relaxedVisits;
    if (shares.size() <= visits.size())
    {
        for (const Share& share : shares)
        {
            if (share.cls == cls)
            {
                return share.crossing;
            }
        }
        return NONE;
    }
    for (const Visit& visit : visits)
    {
        if (visit.link == link)
        {
            return visit.crossing;
        }
    }
    return NONE;
}

FlowsimLinkLoads::CrossingId
FlowsimLinkLoads::MakeCrossing(LinkId cls, LinkId linkId, int64_t quanta)
{
    CrossingId id = static_cast<CrossingId>(m_crossings.size());
    if (m_freeCrossings.empty())
    {
        m_crossings.emplace_back();
    }
    else
    {
        id = m_freeCrossings.back();
        m_freeCrossings.pop_back();
    }
    Link& link = m_links[linkId];
    double bound = m_links[cls].level;
    if (link.isVirtual)
    {
        bound = link.level;
    }
    else if (link.exact)
    {
        link.highest = std::max(link.highest, bound);
    }
    else
    {
        double slack = link.capacity - link.load - static_cast<double>(quanta) * bound;
        bound += std::max(0.0, std::min(bound, slack / (4 * static_cast<double>(quanta))));
    }
    m_crossings[id] = {linkId, cls, static_cast<uint32_t>(link.shares.size()), NONE, NONE};
    link.shares.push_back({bound, 0, cls, id});
    AddVisit(id);
    return id;
}

void
FlowsimLinkLoads::RemoveCrossing(CrossingId id)
{
    const Crossing& crossing = m_crossings[id];
    RemoveVisit(id);
    Link& link = m_links[crossing.link];
    link.shares[crossing.sharePos] = link.shares.back();
    m_crossings[link.shares.back().crossing].sharePos = crossing.sharePos;
    link.shares.pop_back();
    if (link.shares.empty())
    {
        link.load = 0;
        link.error = 0;
        link.highest = 0;
    }
    m_freeCrossings.push_back(id);
}

/// Adds to the visits of the class, in the list that belongs to the mode of the link.
void
FlowsimLinkLoads::AddVisit(CrossingId id)
{
    Crossing& crossing = m_crossings[id];
    const Link& link = m_links[crossing.link];
    Link& cls = m_links[crossing.cls];
    auto& visits = link.exact ? cls.exactVisits : cls.relaxedVisits;
    crossing.visitPos = static_cast<uint32_t>(visits.size());
    visits.push_back({id, crossing.link});
    if (!link.exact)
    {
        cls.relaxedLimit = std::min(cls.relaxedLimit, link.shares[crossing.sharePos].bound);
    }
}

/// Removes from the visits of the class, from the list that belongs to the mode of the link.
void
FlowsimLinkLoads::RemoveVisit(CrossingId id)
{
    const Crossing& crossing = m_crossings[id];
    Link& cls = m_links[crossing.cls];
    auto& visits = m_links[crossing.link].exact ? cls.exactVisits : cls.relaxedVisits;
    visits[crossing.visitPos] = visits.back();
    m_crossings[visits.back().crossing].visitPos = crossing.visitPos;
    visits.pop_back();
}

/// Adds to the load of a link, and queues the link for examination if it may have become
/// inconsistent.
void
FlowsimLinkLoads::AddLoad(LinkId id, double delta)
{
    Link& link = m_links[id];
    link.load += delta;
    link.error += ROUNDING * (std::abs(link.load) + 2 * std::abs(delta));
    if (link.exact || link.load > link.capacity || link.error > LOAD_REFRESH * link.capacity)
    {
        Touch(id);
    }
}

void
FlowsimLinkLoads::SetLevel(LinkId id, double level)
{
    m_links[id].level = level;
    NoteLevelSet(id);
    Touch(id);
    for (const Visit& visit : m_links[id].exactVisits)
    {
        Link& link = m_links[visit.link];
        Share& share = link.shares[m_crossings[visit.crossing].sharePos];
        double delta = static_cast<double>(share.quanta) * (level - share.bound);
        share.bound = level;
        link.highest = std::max(link.highest, level);
        AddLoad(visit.link, delta);
    }
    if (level > m_links[id].relaxedLimit)
    {
        RaiseBounds(id);
    }
}

/// Raises the bounds that a class has exceeded, with a margin where capacity is free.
void
FlowsimLinkLoads::RaiseBounds(LinkId cls)
{
    const double level = m_links[cls].level;
    double limit = INFINITE;
    for (const Visit& visit : m_links[cls].relaxedVisits)
    {
        const Link& link = m_links[visit.link];
        Share& share = m_links[visit.link].shares[m_crossings[visit.crossing].sharePos];
        if (share.bound < level && !link.isVirtual)
        {
            double quanta = static_cast<double>(share.quanta);
            double slack = link.capacity - link.load - quanta * (level - share.bound);
            double bound = level + std::max(0.0, std::min(level, slack / (4 * quanta)));
            double delta = quanta * (bound - share.bound);
            share.bound = bound;
            AddLoad(visit.link, delta);
        }
        limit = std::min(limit, share.bound);
    }
    m_links[cls].relaxedLimit = limit;
}

double
FlowsimLinkLoads::GetFillLevel(LinkId id)
{
    Link& link = m_links[id];
    const double own = static_cast<double>(link.quanta);
    // Newton's method on the concave, piecewise linear F_l from the left: every step is exact for
    // the shares below the level, and the level never passes the solution.
    double level = link.quanta > 0 ? std::max(0.0, (link.capacity - link.load) / own) : 0;
    if (level >= link.highest)
    {
        return level;
    }
    for (;;)
    {
        double slope = own;
        double fixed = 0;
        double next = INFINITE;
        double highest = 0;
        for (const Share& share : link.shares)
        {
            const double quanta = static_cast<double>(share.quanta);
            const bool above = share.bound > level;
            slope += above ? quanta : 0;
            fixed += above ? 0 : quanta * share.bound;
            next = above && share.bound < next ? share.bound : next;
            highest = std::max(highest, share.bound);
        }
        link.highest = highest;
        double step = slope > 0 ? (link.capacity - fixed) / slope : level;
        if (!(step > level) || step <= next)
        {
            return std::max(step, level);
        }
        level = step;
    }
}

void
FlowsimLinkLoads::Settle(LinkId id)
{
    Link& link = m_links[id];
    if (link.error > LOAD_REFRESH * link.capacity)
    {
        RefreshLoad(id);
    }
    if (!link.exact && link.load > link.capacity)
    {
        double load = 0;
        for (const Share& share : link.shares)
        {
            load += static_cast<double>(share.quanta) * m_links[share.cls].level;
        }
        if (link.capacity - load >= RELAX_SLACK * link.capacity)
        {
            SpreadSlack(id);
        }
        else
        {
            MakeExact(id);
        }
    }
}

/// Sums the load of a link anew from its bounds.
void
FlowsimLinkLoads::RefreshLoad(LinkId id)
{
    Link& link = m_links[id];
    link.load = 0;
    link.highest = 0;
    for (const Share& share : link.shares)
    {
        link.load += static_cast<double>(share.quanta) * share.bound;
        link.highest = std::max(link.highest, share.bound);
    }
    link.error = 0;
}

/// Sets the bounds on a relaxed link to the levels plus an equal part of half the free capacity.
void
FlowsimLinkLoads::SpreadSlack(LinkId id)
{
    Link& link = m_links[id];
    double load = 0;
    double weight = 0;
    for (const Share& share : link.shares)
    {
        load += static_cast<double>(share.quanta) * m_links[share.cls].level;
        weight += static_cast<double>(share.quanta);
    }
    const double room = (link.capacity - load) / (2 * weight);
    for (Share& share : link.shares)
    {
        Link& cls = m_links[share.cls];
        share.bound = cls.level + room;
        cls.relaxedLimit = std::min(cls.relaxedLimit, share.bound);
    }
    RefreshLoad(id);
}

void
FlowsimLinkLoads::MakeExact(LinkId id)
{
    Link& link = m_links[id];
    if (link.exact)
    {
        return;
    }
    for (Share& share : link.shares)
    {
        RemoveVisit(share.crossing);
        share.bound = m_links[share.cls].level;
    }
    link.exact = true;
    for (const Share& share : link.shares)
    {
        AddVisit(share.crossing);
    }
    RefreshLoad(id);
    NoteIdle(id);
    Touch(id);
}

/// Makes an exact link relaxed.
void
FlowsimLinkLoads::MakeRelaxed(LinkId id)
{
    Link& link = m_links[id];
    for (const Share& share : link.shares)
    {
        RemoveVisit(share.crossing);
    }
    link.exact = false;
    for (const Share& share : link.shares)
    {
        AddVisit(share.crossing);
    }
    SpreadSlack(id);
}

void
FlowsimLinkLoads::RelaxIdle()
{
    for (LinkId id : m_idle)
    {
        const Link& link = m_links[id];
        // Twice the slack that makes a link exact, so that a link does not change mode at every
        // event
        if (link.exact && link.quanta == 0 && link.load < (1 - 2 * RELAX_SLACK) * link.capacity)
        {
            MakeRelaxed(id);
        }
    }
    m_idle.clear();
}

/// Queues a link for examination.
void
FlowsimLinkLoads::Touch(LinkId id)
{
    Link& link = m_links[id];
    if (!link.touched && !link.isVirtual)
    {
        link.touched = true;
        m_touched.push_back(id);
    }
}

bool
FlowsimLinkLoads::TakeTouched(LinkId& link)
{
    if (m_touched.empty())
    {
        return false;
    }
    link = m_touched.back();
    m_touched.pop_back();
    m_links[link].touched = false;
    return true;
}

/// Lists a class among the changed ones.
void
FlowsimLinkLoads::NoteLevelSet(LinkId cls)
{
    if (!m_links[cls].changed)
    {
        m_links[cls].changed = true;
        m_changed.push_back(cls);
    }
}

void
FlowsimLinkLoads::ClearChanged()
{
    for (LinkId link : m_changed)
    {
        m_links[link].changed = false;
    }
    m_changed.clear();
}

} // namespace ns3

/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "flowsim-link-table.h"

#include <stdexcept>
#include <string>

namespace ns3
{

FlowsimLinkTable::FlowsimLinkTable(const std::vector<double>& capacities)
{
    m_places.reserve(capacities.size());
    for (double capacity : capacities)
    {
        if (!(capacity > 0) || capacity == INFINITE)
        {
            throw std::invalid_argument(
                "flowsim: capacity of link " + std::to_string(m_places.size()) + " is " +
                std::to_string(capacity) + ", it must be positive and finite");
        }
        m_places.push_back({capacity});
    }
}

void
FlowsimLinkTable::SetCapacity(uint32_t number, double capacity)
{
    Place& place = m_places[number];
    place.capacity = capacity;
    if (place.id != NONE) // path groups without flows have it
    {
        Link& link = m_links[place.id];
        if (link.quanta > 0 || !link.shares.empty())
        {
            throw std::logic_error("flowsim: flows cross link " + std::to_string(number) +
                                   ", whose capacity changes");
        }
        link.capacity = capacity;
    }
}

FlowsimLinkTable::LinkId
FlowsimLinkTable::FindCap(double level) const
{
    const auto found = m_caps.find(level);
    return found == m_caps.end() ? NONE : found->second;
}

FlowsimLinkTable::LinkId
FlowsimLinkTable::UseLink(uint32_t number)
{
    Place& place = m_places[number];
    if (place.id == NONE)
    {
        place.id = MakeRecord();
        Link& link = m_links[place.id];
        link.number = number;
        link.capacity = place.capacity;
        link.level = INFINITE;
        link.isVirtual = false;
    }
    m_links[place.id].users++;
    return place.id;
}

FlowsimLinkTable::LinkId
FlowsimLinkTable::UseCap(double level)
{
    const auto [place, isNew] = m_caps.try_emplace(level, NONE);
    if (isNew)
    {
        place->second = MakeRecord();
        Link& link = m_links[place->second];
        link.number = GetNNumbers() + place->second;
        link.capacity = INFINITE;
        link.level = level;
        link.isVirtual = true;
    }
    m_links[place->second].users++;
    return place->second;
}

FlowsimLinkTable::LinkId
FlowsimLinkTable::MakeRecord()
{
    if (m_free.empty())
    {
        m_links.emplace_back();
        return GetNIds() - 1;
    }
    const LinkId id = m_free.back();
    m_free.pop_back();
    return id;
}

void
FlowsimLinkTable::Release(LinkId link)
{
    if (--m_links[link].users == 0)
    {
        m_unused.push_back(link);
    }
}

void
FlowsimLinkTable::FreeUnused()
{
    for (LinkId id : m_unused)
    {
        Link& link = m_links[id];
        if (link.users > 0 || link.number == NONE)
        {
            continue; // in use again, or freed already
        }
        // A link that no flow crosses has no other state; its lists keep their memory.
        if (link.isVirtual)
        {
            m_caps.erase(link.level);
        }
        else
        {
            m_places[link.number].id = NONE;
        }
        link.number = NONE;
        m_free.push_back(id);
    }
    m_unused.clear();
}

} // namespace ns3

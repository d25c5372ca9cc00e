/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "flowsim-path-group-table.h"

namespace ns3
{

FlowsimPathGroupTable::FlowsimPathGroupTable()
    : m_buckets(256, NONE)
{
}

uint64_t
FlowsimPathGroupTable::HashPath(const uint32_t* path, uint32_t nHops)
{
    // Multiply and fold: every link id reaches all bits of the result.
    uint64_t hash = nHops;
    for (uint32_t i = 0; i < nHops; i++)
    {
        hash = (hash ^ path[i]) * 0x9E3779B97F4A7C15ULL;
        hash ^= hash >> 32;
    }
    return hash;
}

uint32_t
FlowsimPathGroupTable::Find(const uint32_t* path, uint32_t nHops, uint64_t hash) const
{
    for (uint32_t b = m_buckets[hash & (m_buckets.size() - 1)]; b != NONE; b = m_groups[b].chain)
    {
        const PathGroup& group = m_groups[b];
        if (group.hash != hash || group.nHops != nHops)
        {
            continue;
        }
        uint32_t i = 0;
        while (i < nHops && m_hops[group.hops + i].link == path[i])
        {
            i++;
        }
        if (i == nHops)
        {
            return b;
        }
    }
    return NONE;
}

uint32_t
FlowsimPathGroupTable::Make(const uint32_t* path, uint32_t nHops, uint64_t hash)
{
    if (m_nPathGroups == m_buckets.size())
    {
        Grow();
    }
    uint32_t id = GetNSlots();
    if (m_freePathGroups.empty())
    {
        m_groups.emplace_back();
    }
    else
    {
        id = m_freePathGroups.back();
        m_freePathGroups.pop_back();
    }
    m_nPathGroups++;

    if (m_freeHops.size() <= nHops)
    {
        m_freeHops.resize(nHops + 1);
    }
    uint32_t first = static_cast<uint32_t>(m_hops.size());
    if (m_freeHops[nHops].empty())
    {
        m_hops.resize(first + nHops);
    }
    else
    {
        first = m_freeHops[nHops].back();
        m_freeHops[nHops].pop_back();
    }
    for (uint32_t i = 0; i < nHops; i++)
    {
        m_hops[first + i] = {path[i], id, NONE, NONE, NONE};
    }

    PathGroup& group = m_groups[id];
    group.hops = first;
    group.nHops = nHops;
    group.cls = NONE;
    group.quanta = 0;
    group.hash = hash;
    uint32_t& bucket = m_buckets[hash & (m_buckets.size() - 1)];
    group.chain = bucket;
    bucket = id;
    return id;
}

void
FlowsimPathGroupTable::Remove(uint32_t group)
{
    uint32_t* link = &m_buckets[m_groups[group].hash & (m_buckets.size() - 1)];
    while (*link != group)
    {
        link = &m_groups[*link].chain;
    }
    *link = m_groups[group].chain;
    m_freeHops[m_groups[group].nHops].push_back(m_groups[group].hops);
    m_freePathGroups.push_back(group);
    m_nPathGroups--;
}

void
FlowsimPathGroupTable::Retire(uint32_t group)
{
    PathGroup& record = m_groups[group];
    record.older = m_newest;
    record.newer = NONE;
    (m_newest == NONE ? m_oldest : m_groups[m_newest].newer) = group;
    m_newest = group;
    m_nEmpty++;
}

void
FlowsimPathGroupTable::Revive(uint32_t group)
{
    const PathGroup& record = m_groups[group];
    (record.older == NONE ? m_oldest : m_groups[record.older].newer) = record.newer;
    (record.newer == NONE ? m_newest : m_groups[record.newer].older) = record.older;
    m_nEmpty--;
}

uint32_t
FlowsimPathGroupTable::GetSurplus() const
{
    return m_nEmpty > SPARE ? m_oldest : NONE;
}

void
FlowsimPathGroupTable::Grow()
{
    std::vector<uint32_t> old(2 * m_buckets.size(), NONE);
    old.swap(m_buckets);
    for (uint32_t b : old)
    {
        while (b != NONE)
        {
            uint32_t next = m_groups[b].chain;
            uint32_t& bucket = m_buckets[m_groups[b].hash & (m_buckets.size() - 1)];
            m_groups[b].chain = bucket;
            bucket = b;
            b = next;
        }
    }
}

} // namespace ns3

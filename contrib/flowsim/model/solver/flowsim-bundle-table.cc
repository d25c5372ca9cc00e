/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "flowsim-bundle-table.h"

namespace ns3
{

FlowsimBundleTable::FlowsimBundleTable()
    : m_buckets(256, NONE)
{
}

uint64_t
FlowsimBundleTable::HashPath(const uint32_t* path, uint32_t nHops)
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
FlowsimBundleTable::Find(const uint32_t* path, uint32_t nHops, uint64_t hash) const
{
    for (uint32_t b = m_buckets[hash & (m_buckets.size() - 1)]; b != NONE; b = m_bundles[b].chain)
    {
        const Bundle& bundle = m_bundles[b];
        if (bundle.hash != hash || bundle.nHops != nHops)
        {
            continue;
        }
        uint32_t i = 0;
        while (i < nHops && m_hops[bundle.hops + i].link == path[i])
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
FlowsimBundleTable::Make(const uint32_t* path, uint32_t nHops, uint64_t hash)
{
    if (m_nBundles == m_buckets.size())
    {
        Grow();
    }
    uint32_t id = GetNSlots();
    if (m_freeBundles.empty())
    {
        m_bundles.emplace_back();
    }
    else
    {
        id = m_freeBundles.back();
        m_freeBundles.pop_back();
    }
    m_nBundles++;

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

    Bundle& bundle = m_bundles[id];
    bundle.hops = first;
    bundle.nHops = nHops;
    bundle.cls = NONE;
    bundle.quanta = 0;
    bundle.hash = hash;
    uint32_t& bucket = m_buckets[hash & (m_buckets.size() - 1)];
    bundle.chain = bucket;
    bucket = id;
    return id;
}

void
FlowsimBundleTable::Remove(uint32_t bundle)
{
    uint32_t* link = &m_buckets[m_bundles[bundle].hash & (m_buckets.size() - 1)];
    while (*link != bundle)
    {
        link = &m_bundles[*link].chain;
    }
    *link = m_bundles[bundle].chain;
    m_freeHops[m_bundles[bundle].nHops].push_back(m_bundles[bundle].hops);
    m_freeBundles.push_back(bundle);
    m_nBundles--;
}

void
FlowsimBundleTable::Retire(uint32_t bundle)
{
    Bundle& record = m_bundles[bundle];
    record.older = m_newest;
    record.newer = NONE;
    (m_newest == NONE ? m_oldest : m_bundles[m_newest].newer) = bundle;
    m_newest = bundle;
    m_nEmpty++;
}

void
FlowsimBundleTable::Revive(uint32_t bundle)
{
    const Bundle& record = m_bundles[bundle];
    (record.older == NONE ? m_oldest : m_bundles[record.older].newer) = record.newer;
    (record.newer == NONE ? m_newest : m_bundles[record.newer].older) = record.older;
    m_nEmpty--;
}

uint32_t
FlowsimBundleTable::GetSurplus() const
{
    return m_nEmpty > SPARE ? m_oldest : NONE;
}

void
FlowsimBundleTable::Grow()
{
    std::vector<uint32_t> old(2 * m_buckets.size(), NONE);
    old.swap(m_buckets);
    for (uint32_t b : old)
    {
        while (b != NONE)
        {
            uint32_t next = m_bundles[b].chain;
            uint32_t& bucket = m_buckets[m_bundles[b].hash & (m_buckets.size() - 1)];
            m_bundles[b].chain = bucket;
            bucket = b;
            b = next;
        }
    }
}

} // namespace ns3

/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "dcn-event-buckets.h"

namespace ns3
{

DcnEventBuckets::DcnEventBuckets(int64_t aheadNs)
{
    uint32_t nBuckets = MIN_BUCKETS;
    while (nBuckets < MAX_BUCKETS && nBuckets * WIDTH_NS < aheadNs + WIDTH_NS)
    {
        nBuckets *= 2;
    }
    m_mask = nBuckets - 1;
    m_used.resize(nBuckets / 64);
    m_buckets.resize(nBuckets);
}

void
DcnEventBuckets::PushLater(DcnWindowEvent event)
{
    m_later.push_back({event, m_serial++});
    std::push_heap(m_later.begin(), m_later.end());
}

int64_t
DcnEventBuckets::Take(std::vector<DcnWindowEvent>& events)
{
    const int64_t number = GetNextNs() >> WIDTH_BITS;
    // of equal events those in the heap were added first
    while (!m_later.empty() && m_later.front().event.timeNs >> WIDTH_BITS == number)
    {
        events.push_back(m_later.front().event);
        std::pop_heap(m_later.begin(), m_later.end());
        m_later.pop_back();
    }
    if (m_usedWords != 0)
    {
        const uint32_t index = FindFirst();
        Bucket& bucket = m_buckets[index];
        if (bucket.firstNs >> WIDTH_BITS == number)
        {
            events.insert(events.end(), bucket.events.begin(), bucket.events.end());
            bucket.events.clear();
            m_used[index >> 6] &= ~(uint64_t{1} << (index & 63));
            if (m_used[index >> 6] == 0)
            {
                m_usedWords &= ~(uint64_t{1} << (index >> 6));
            }
        }
    }
    m_first = number + 1;
    return m_first << WIDTH_BITS;
}

} // namespace ns3

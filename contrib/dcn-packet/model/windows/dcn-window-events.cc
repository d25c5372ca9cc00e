/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "dcn-window-events.h"

#include "ns3/abort.h"

#include <numeric>

namespace ns3
{

void
DcnWindowEvents::Post(uint32_t partition, DcnWindowEvent event)
{
    NS_ABORT_MSG_IF(event.timeNs < m_endNs, "a message within the lookahead");
    m_boxes[m_writing][partition].events.push_back(event);
    m_firstSentNs = std::min(m_firstSentNs, event.timeNs);
}

void
DcnWindowEvents::Fill()
{
    if (m_at >= MAX_DONE)
    {
        m_left.clear();
        for (std::size_t i = 0; i < GetNLeft(); ++i)
        {
            m_left.push_back(Peek(i));
        }
        m_batch.swap(m_left);
        m_places.resize(m_batch.size());
        std::iota(m_places.begin(), m_places.end(), 0);
        m_at = 0;
    }
    const std::size_t first = m_batch.size();
    m_filledNs = m_buckets.Take(m_batch);
    Sort(first);
}

void
DcnWindowEvents::Sort(std::size_t first)
{
    constexpr std::size_t SOME = 6; // so many are sorted at once, by time and order
    constexpr std::size_t FEW = 24; // so many of one time are sorted in place
    constexpr std::size_t W = DcnEventBuckets::WIDTH_NS;
    const std::size_t n = m_batch.size() - first;
    const std::size_t firstPlace = m_places.size();
    m_places.resize(firstPlace + n);
    uint32_t* places = m_places.data() + firstPlace;
    if (n <= SOME)
    {
        for (std::size_t i = 0; i < n; ++i)
        {
            const auto place = static_cast<uint32_t>(first + i);
            std::size_t j = i;
            for (; j > 0 && m_batch[place].RunsBefore(m_batch[places[j - 1]]); --j)
            {
                places[j] = places[j - 1];
            }
            places[j] = place;
        }
        return;
    }
    // by time, as they were added: counting sort
    std::array<uint32_t, W + 1> begins{};
    for (std::size_t i = first; i < m_batch.size(); ++i)
    {
        ++begins[static_cast<std::size_t>(m_batch[i].timeNs) % W + 1];
    }
    for (std::size_t time = 1; time <= W; ++time)
    {
        begins[time] += begins[time - 1];
    }
    std::array<uint32_t, W + 1> ends = begins;
    for (std::size_t i = first; i < m_batch.size(); ++i)
    {
        places[ends[static_cast<std::size_t>(m_batch[i].timeNs) % W]++] = static_cast<uint32_t>(i);
    }
    // those of one time by order
    for (std::size_t time = 0; time < W; ++time)
    {
        uint32_t* begin = places + begins[time];
        uint32_t* end = places + begins[time + 1];
        if (end - begin > static_cast<std::ptrdiff_t>(FEW))
        {
            std::sort(begin, end, [this](uint32_t a, uint32_t b) {
                const uint64_t orderA = m_batch[a].order;
                const uint64_t orderB = m_batch[b].order;
                return orderA < orderB || (orderA == orderB && a < b);
            });
            continue;
        }
        for (uint32_t* i = begin; i < end; ++i)
        {
            const uint32_t place = *i;
            uint32_t* j = i;
            for (; j > begin && m_batch[place].order < m_batch[j[-1]].order; --j)
            {
                *j = j[-1];
            }
            *j = place;
        }
    }
}

void
DcnWindowEvents::SortIn(DcnWindowEvent event)
{
    const auto next = m_places.begin() + static_cast<std::ptrdiff_t>(m_at);
    const auto at = std::upper_bound(next,
                                     m_places.end(),
                                     event,
                                     [this](const DcnWindowEvent& one, uint32_t place) {
                                         return one.RunsBefore(m_batch[place]);
                                     });
    m_places.insert(at, static_cast<uint32_t>(m_batch.size()));
    m_batch.push_back(event);
}

} // namespace ns3

/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "dcn-window-events.h"

#include "ns3/abort.h"

#include <algorithm>

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
DcnWindowEvents::SortBatch()
{
    constexpr std::size_t FEW = 24; // so many are sorted in place
    const auto isFirst = [](const DcnWindowEvent& one, const DcnWindowEvent& other) {
        return one.order < other.order;
    };
    if (m_batch.size() > FEW)
    {
        std::stable_sort(m_batch.begin(), m_batch.end(), isFirst);
        return;
    }
    for (auto i = m_batch.begin(); i != m_batch.end(); ++i)
    {
        const DcnWindowEvent event = *i;
        auto at = i;
        for (; at != m_batch.begin() && isFirst(event, at[-1]); --at)
        {
            *at = at[-1];
        }
        *at = event;
    }
}

void
DcnWindowEvents::SortIn(DcnWindowEvent event)
{
    const auto at = std::upper_bound(m_batch.begin() + static_cast<std::ptrdiff_t>(m_at),
                                     m_batch.end(),
                                     event,
                                     [](const DcnWindowEvent& one, const DcnWindowEvent& other) {
                                         return one.order < other.order;
                                     });
    m_batch.insert(at, event);
}

} // namespace ns3

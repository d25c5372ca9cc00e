/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "dcn-flow-receiver.h"

#include <iterator>

namespace ns3
{

void
DcnFlowReceiver::Begin(bool isSelective)
{
    *this = DcnFlowReceiver();
    if (isSelective)
    {
        m_early = std::make_unique<std::map<uint64_t, uint64_t>>();
    }
}

DcnFlowReceiver::Answer
DcnFlowReceiver::OnGap(int64_t nowNs, int64_t nackIntervalNs)
{
    if (m_hasNacked && m_lastNack == m_expected && nowNs - m_lastNackNs <= nackIntervalNs)
    {
        return Answer::NOTHING;
    }
    m_hasNacked = true;
    m_lastNack = m_expected;
    m_lastNackNs = nowNs;
    return Answer::NACK;
}

void
DcnFlowReceiver::Keep(uint64_t begin, uint64_t end)
{
    if (end <= m_expected)
    {
        return; // a second time
    }
    std::map<uint64_t, uint64_t>& early = *m_early;
    if (begin > m_expected)
    {
        auto next = early.lower_bound(begin);
        if (next != early.end() && next->first == begin)
        {
            return; // a second time
        }
        if (next != early.begin() && std::prev(next)->second >= begin)
        {
            next = std::prev(next);
            if (next->second >= end)
            {
                return; // a second time
            }
            next->second = end;
        }
        else
        {
            next = early.emplace_hint(next, begin, end);
        }
        const auto after = std::next(next);
        if (after != early.end() && after->first == next->second)
        {
            next->second = after->second;
            early.erase(after);
        }
        return;
    }
    m_expected = end;
    const auto first = early.begin();
    if (first != early.end() && first->first == m_expected)
    {
        m_expected = first->second;
        early.erase(first);
    }
}

} // namespace ns3

/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "dcn-flow-messages.h"

#include <algorithm>
#include <cstddef>
#include <utility>

namespace ns3
{

uint64_t
DcnFlowMessages::FindEnd(uint64_t byte, uint64_t last) const
{
    const auto next = std::upper_bound(m_ends.begin(), m_ends.end(), byte);
    return next == m_ends.end() ? last : *next;
}

uint64_t
DcnFlowMessages::GetNextEnd() const
{
    const std::size_t next = m_nDelivered - m_nAcknowledged;
    return next < m_ends.size() ? m_ends[next] : NONE;
}

bool
DcnFlowMessages::IsDeliveredEnd(uint64_t byte) const
{
    const uint64_t nPending = m_nDelivered - m_nAcknowledged;
    return nPending > 0 && m_ends[nPending - 1] == byte;
}

bool
DcnFlowMessages::Acknowledge(uint64_t acknowledged)
{
    if (m_ends.empty() || m_ends.front() > acknowledged)
    {
        return false;
    }
    m_ends.pop_front();
    ++m_nAcknowledged;
    return true;
}

bool
DcnFlowMessages::SetIdle(bool isIdle)
{
    return std::exchange(m_isIdle, isIdle);
}

} // namespace ns3

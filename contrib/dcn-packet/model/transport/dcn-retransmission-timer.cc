/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "dcn-retransmission-timer.h"

#include <algorithm>
#include <utility>

namespace ns3
{

void
DcnRetransmissionTimer::Begin(int64_t nowNs)
{
    *this = DcnRetransmissionTimer();
    m_progressNs = nowNs;
}

bool
DcnRetransmissionTimer::OnDrop(int64_t atNs, uint64_t acknowledged, uint64_t sent)
{
    if (acknowledged >= m_recoverUpTo)
    {
        m_beginNs = atNs; // the timer starts; it would go on otherwise
    }
    m_recoverUpTo = std::max<uint64_t>(1, sent);
    const bool runs = m_nTimeouts <= MAX_TIMEOUTS && acknowledged < m_recoverUpTo;
    m_isRunning = m_isRunning || runs;
    return runs;
}

bool
DcnRetransmissionTimer::Follow(uint64_t acknowledged)
{
    m_isRunning = acknowledged < m_recoverUpTo;
    // the timeout is shorter again, and so its end may be before the check
    return std::exchange(m_nTimeouts, 0) > 0 && m_isRunning;
}

int64_t
DcnRetransmissionTimer::GetExpiryNs(int64_t firstNs) const
{
    static constexpr int64_t LONGEST_NS = 60'000'000'000; // one minute: no doubling beyond
    int64_t timeoutNs = firstNs;
    for (uint32_t i = 0; i < m_nTimeouts && timeoutNs < LONGEST_NS; ++i)
    {
        timeoutNs *= 2;
    }
    return std::max(m_beginNs, m_progressNs) + std::min(timeoutNs, std::max(LONGEST_NS, firstNs));
}

int64_t
DcnRetransmissionTimer::Arm(int64_t nowNs, int64_t firstNs)
{
    const int64_t atNs = std::max(nowNs, GetExpiryNs(firstNs));
    if (atNs >= m_checkAtNs)
    {
        return NONE; // the pending check sees that it comes too early
    }
    m_checkAtNs = atNs;
    return atNs;
}

DcnRetransmissionTimer::Check
DcnRetransmissionTimer::OnCheck(int64_t nowNs, int64_t firstNs)
{
    if (nowNs != m_checkAtNs)
    {
        return Check::NOTHING; // an earlier check was asked for after this one
    }
    m_checkAtNs = NEVER;
    if (!m_isRunning)
    {
        return Check::NOTHING; // all that was in flight at the latest drop is acknowledged
    }
    if (GetExpiryNs(firstNs) > nowNs)
    {
        return Check::EARLY;
    }
    ++m_nTimeouts;
    m_beginNs = nowNs;
    m_isRunning = m_nTimeouts <= MAX_TIMEOUTS;
    return m_isRunning ? Check::EXPIRED : Check::GIVE_UP;
}

} // namespace ns3

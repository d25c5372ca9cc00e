/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "dcn-selective-repeat.h"

#include "ns3/assert.h"

#include <algorithm>

namespace ns3
{

DcnSelectiveRepeat::DcnSelectiveRepeat(int64_t reorderNs, bool mayGrow)
    : m_reorderNs(reorderNs),
      m_mayGrow(mayGrow)
{
}

void
DcnSelectiveRepeat::OnSend(const Range& range, int64_t nowNs)
{
    m_sent.push_back({range, false, false, false, nowNs});
    m_inFlightBytes += range.bytes;
}

void
DcnSelectiveRepeat::OnPathChange(int64_t reorderNs, int64_t nowNs)
{
    m_changeNs = nowNs;
    m_changeReorderNs = reorderNs;
}

bool
DcnSelectiveRepeat::HasLost()
{
    while (!m_lost.empty())
    {
        const Sent* packet = Find(m_lost.front());
        if (packet && packet->isLost)
        {
            return true;
        }
        m_lost.pop_front(); // it has arrived after all
    }
    return false;
}

DcnSelectiveRepeat::Range
DcnSelectiveRepeat::Resend(int64_t nowNs)
{
    NS_ASSERT_MSG(HasLost(), "nothing is lost");
    Sent& packet = *Find(m_lost.front());
    m_lost.pop_front();
    packet.isLost = false;
    packet.isResent = true;
    packet.sentNs = nowNs;
    m_inFlightBytes += packet.range.bytes;
    return packet.range;
}

bool
DcnSelectiveRepeat::OnAck(uint64_t sequence, int64_t sentNs)
{
    m_latestNs = std::max(m_latestNs, sentNs);
    Sent* acknowledged = Find(sequence);
    if (acknowledged && !acknowledged->isAcknowledged)
    {
        const bool wasOvertaken = acknowledged->isLost || sentNs < acknowledged->sentNs;
        if (m_mayGrow && wasOvertaken)
        {
            m_reorderNs = std::max(m_reorderNs, m_latestNs - sentNs);
        }
        m_inFlightBytes -= acknowledged->isLost ? 0 : acknowledged->range.bytes;
        m_acknowledgedBytes += acknowledged->range.bytes;
        acknowledged->isAcknowledged = true;
        acknowledged->isLost = false;
    }
    while (!m_sent.empty() && m_sent.front().isAcknowledged)
    {
        m_sent.pop_front();
    }
    bool hasFound = false;
    for (Sent& packet : m_sent)
    {
        if (packet.isAcknowledged || packet.isLost)
        {
            continue;
        }
        if (packet.sentNs + GetWindowNs(packet) < m_latestNs)
        {
            Lose(packet);
            hasFound = true;
        }
        else if (!packet.isResent && packet.sentNs > m_changeNs)
        {
            break; // the first transmissions of later packets were later, and have this window
        }
    }
    return hasFound;
}

void
DcnSelectiveRepeat::LoseAll()
{
    for (Sent& packet : m_sent)
    {
        if (!packet.isAcknowledged && !packet.isLost)
        {
            Lose(packet);
        }
    }
}

void
DcnSelectiveRepeat::Lose(Sent& packet)
{
    packet.isLost = true;
    m_inFlightBytes -= packet.range.bytes;
    m_lost.push_back(packet.range.sequence);
}

DcnSelectiveRepeat::Sent*
DcnSelectiveRepeat::Find(uint64_t sequence)
{
    const auto found = std::lower_bound(
        m_sent.begin(),
        m_sent.end(),
        sequence,
        [](const Sent& packet, uint64_t value) { return packet.range.sequence < value; });
    return found != m_sent.end() && found->range.sequence == sequence ? &*found : nullptr;
}

} // namespace ns3

/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "dcn-flow-sender.h"

#include "ns3/dcn-units.h"

#include <utility>

namespace ns3
{

void
DcnFlowSender::Begin(uint64_t end,
                     uint64_t maxRateBps,
                     bool isWhole,
                     std::unique_ptr<DcnSelectiveRepeat> selective,
                     int64_t nowNs)
{
    *this = DcnFlowSender();
    m_end = end;
    m_maxRateBps = maxRateBps;
    m_isWhole = isWhole;
    m_selective = std::move(selective);
    m_nextSendNs = nowNs;
}

DcnFlowSender::Packet
DcnFlowSender::TakePacket(uint32_t payloadBytes, int64_t nowNs)
{
    if (m_selective && m_selective->HasLost())
    {
        const DcnSelectiveRepeat::Range range = m_selective->Resend(nowNs);
        m_retransmittedBytes += range.bytes;
        return {range.sequence, range.bytes, true};
    }
    const uint64_t sequence = m_next;
    const auto bytes = static_cast<uint16_t>(std::min<uint64_t>(payloadBytes, m_end - m_next));
    m_next += bytes;
    if (m_next <= m_sentEnd)
    {
        m_retransmittedBytes += bytes;
    }
    m_sentEnd = std::max(m_sentEnd, m_next);
    if (m_selective)
    {
        m_selective->OnSend({sequence, bytes}, nowNs);
    }
    // with selective repeat, any packet may be the one that completes the flow
    return {sequence, bytes, m_selective || m_next == m_end};
}

int64_t
DcnFlowSender::GetGapTicks(uint32_t wireBytes, uint64_t rateBps) const
{
    return DcnFrameTicks(wireBytes, rateBps, m_isWhole);
}

void
DcnFlowSender::SendAfter(int64_t fromNs, int64_t ticks)
{
    const int64_t ns = DcnCeilNs(ticks);
    m_nextSendNs = fromNs + ns;
    m_sendLead = static_cast<uint32_t>(ns * DCN_TICKS_PER_NS - ticks);
}

void
DcnFlowSender::Pace(uint32_t wireBytes, int64_t nowNs, uint32_t lead)
{
    if (wireBytes != m_lastWireBytes || m_gapRateBps != m_rateBps)
    {
        m_lastWireBytes = wireBytes;
        m_gapRateBps = m_rateBps;
        m_gapTicks = GetGapTicks(wireBytes, m_rateBps);
    }
    // at its largest rate the transmitter, which counts finer, says when the next packet goes
    const int64_t early = m_rateBps == m_maxRateBps && !m_isWhole ? 1 : 0;
    SendAfter(nowNs, m_gapTicks - int64_t{lead} - early);
}

void
DcnFlowSender::SetRate(uint64_t rateBps, uint64_t windowBytes, bool repaces)
{
    if (m_lastWireBytes > 0 && repaces)
    {
        SendAfter(m_nextSendNs,
                  GetGapTicks(m_lastWireBytes, rateBps) - GetGapTicks(m_lastWireBytes, m_rateBps) -
                      int64_t{m_sendLead});
    }
    m_rateBps = rateBps;
    m_window =
        windowBytes ? std::max<uint64_t>(1, DcnMulDiv(windowBytes, rateBps, m_maxRateBps)) : ANY;
}

DcnFlowSender::Acknowledgement
DcnFlowSender::OnSelectiveAck(uint64_t sequence, int64_t sentNs)
{
    const uint64_t before = m_selective->GetAcknowledgedBytes();
    const bool hasLost = m_selective->OnAck(sequence, sentNs);
    const uint64_t una = m_selective->GetUnacknowledged(m_next);
    const bool hasRisen = una > m_una;
    Rise(una);
    const uint64_t bytes = m_selective->GetAcknowledgedBytes();
    return {bytes, bytes > before, hasRisen, hasLost};
}

void
DcnFlowSender::GoBack()
{
    if (m_selective)
    {
        m_selective->LoseAll();
        return;
    }
    m_next = m_una;
}

void
DcnFlowSender::OnPathChange(int64_t reorderNs, int64_t nowNs)
{
    if (m_selective)
    {
        m_selective->OnPathChange(reorderNs, nowNs);
    }
}

uint64_t
DcnFlowSender::GetSkippablePackets(uint32_t payloadBytes) const
{
    return m_selective || m_next < m_sentEnd || m_next >= m_end
               ? 0
               : (m_end - m_next - 1) / payloadBytes;
}

void
DcnFlowSender::Translate(uint64_t bytes, int64_t timeNs)
{
    for (uint64_t* sequence : {&m_next, &m_una, &m_sentEnd})
    {
        *sequence += bytes;
    }
    m_nextSendNs += timeNs;
}

} // namespace ns3

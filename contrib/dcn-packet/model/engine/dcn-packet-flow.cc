/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "dcn-packet-flow.h"

#include "../congestion/dcn-replayable-control.h"
#include "../paths/dcn-selective-repeat.h"
#include "dcn-flow-owner.h"

#include "ns3/dcn-units.h"
#include "ns3/log.h"

#include <algorithm>
#include <cstddef>
#include <limits>
#include <utility>

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("DcnPacketFlow");

// offsetof of a class with a base is as good as that of a struct for GCC and Clang
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Winvalid-offsetof"

DcnPacketFlow::DcnPacketFlow(DcnFlowOwner* owner)
    : m_owner(owner)
{
    using Events = DcnPacketEvents;
    static_assert(offsetof(DcnPacketFlow, m_pathRttNs) < Events::FLOW_BYTES, "both ends use it");
    static_assert(offsetof(DcnPacketFlow, m_framesAlive) == Events::FLOW_SENDER, "begin");
    static_assert(offsetof(DcnPacketFlow, m_timerAtNs) <
                      Events::FLOW_SENDER + Events::FLOW_SIDE_BYTES,
                  "an acknowledgement uses it");
    static_assert(offsetof(DcnPacketFlow, m_expected) == Events::FLOW_RECEIVER, "begin");
    static_assert(offsetof(DcnPacketFlow, m_hasNacked) <
                      Events::FLOW_RECEIVER + Events::FLOW_SIDE_BYTES,
                  "data that is out of order uses it");
}

#pragma GCC diagnostic pop

DcnPacketFlow::~DcnPacketFlow() = default;

void
DcnPacketFlow::Begin(std::size_t index,
                     uint64_t id,
                     uint64_t sizeBytes,
                     uint64_t nicBps,
                     uint64_t maxRateBps,
                     int64_t pathRttNs,
                     DcnHostDevice* source,
                     DcnHostDevice* sink,
                     uint32_t destination,
                     std::vector<DcnSwitchDevice*> forward,
                     std::vector<DcnSwitchDevice*> reverse,
                     int64_t nowNs)
{
    NS_ASSERT_MSG(IsReusable(), "a flow object in use");
    m_cc = DcnCongestionControl::Create(m_owner->GetParametersOf(nicBps), maxRateBps, pathRttNs);
    m_source = source;
    m_origin = nullptr;
    m_sink = sink;
    m_forward = std::move(forward);
    m_reverse = std::move(reverse);
    m_earlier.clear();
    m_pathSinceNs = nowNs - 1; // packets of this instant have it
    m_index = index;
    m_id = id;
    m_sizeBytes = sizeBytes;
    m_startNs = nowNs;
    m_maxRateBps = maxRateBps;
    m_complete = false;
    m_messages = sizeBytes > 0 ? nullptr : std::make_unique<Messages>();
    m_sendEnd = sizeBytes;
    m_deliverEnd = sizeBytes > 0 ? sizeBytes : NONE;
    m_sndNxt = 0;
    m_sndUna = 0;
    m_sndMax = 0;
    m_nextSendNs = nowNs;
    m_sendLead = 0;
    m_lastWireBytes = 0;
    m_timerAtNs = DcnCongestionControl::NEVER;
    m_retransmittedBytes = 0;
    m_recoverUpTo = 0;
    m_watched = false;
    m_timeouts = 0;
    m_checkAtNs = DcnCongestionControl::NEVER;
    m_pathRttNs = pathRttNs;
    m_progressNs = nowNs;
    m_expected = 0;
    m_firstByteNs = -1;
    m_firstPacketHops = 0;
    m_hasNacked = false;
    m_destination = destination;
    m_selective.reset();
    if (m_owner->parameters->selectiveRepeat)
    {
        const auto reorderNs = static_cast<int64_t>(m_owner->parameters->reorderNs);
        const bool hasManyPaths = m_owner->parameters->HasManyPaths();
        m_selective = std::make_unique<DcnSelectiveRepeat>(
            reorderNs > 0 || !hasManyPaths ? reorderNs : REORDER_ROUND_TRIPS * pathRttNs,
            reorderNs == 0 && hasManyPaths);
    }
    m_rateBps = 0;
    FollowRate();
}

void
DcnPacketFlow::Move(int64_t pathRttNs,
                    DcnHostDevice* source,
                    DcnHostDevice* sink,
                    std::vector<DcnSwitchDevice*> forward,
                    std::vector<DcnSwitchDevice*> reverse,
                    int64_t nowNs)
{
    if (m_selective && m_owner->parameters->reorderNs == 0)
    {
        m_selective->OnPathChange(REORDER_ROUND_TRIPS * std::max(m_pathRttNs, pathRttNs), nowNs);
    }
    m_source = source;
    m_sink = sink;
    m_pathRttNs = pathRttNs;
    m_pathSinceNs = nowNs;
    m_firstPacketHops = std::numeric_limits<std::size_t>::max(); // it is not reported any more
    m_earlier.push_back(std::move(m_forward)); // moved vectors keep their memory
    m_earlier.push_back(std::move(m_reverse));
    m_forward = std::move(forward);
    m_reverse = std::move(reverse);
    if (m_cc)
    {
        m_cc->OnPathChange();
    }
    if (m_sndUna < m_sndMax)
    {
        OnDrop(nowNs);
    }
    NS_LOG_INFO("flow " << m_index << " has another path of " << m_forward.size() << " links");
}

bool
DcnPacketFlow::HasManyPaths() const
{
    return m_owner->parameters->HasManyPaths();
}

bool
DcnPacketFlow::IsSelectiveWindowOpen() const
{
    return (m_sndNxt < m_sizeBytes || m_selective->HasLost()) &&
           m_selective->GetInFlightBytes() < m_window;
}

bool
DcnPacketFlow::AddMessage(uint64_t bytes, int64_t nowNs)
{
    NS_ASSERT_MSG(m_messages, "only connections have messages");
    m_sizeBytes += bytes;
    m_messages->hasShort = m_messages->hasShort || bytes < m_owner->parameters->payloadBytes;
    m_messages->ends.push_back(m_sizeBytes);
    m_deliverEnd = std::min(m_deliverEnd, m_sizeBytes);
    FollowMessages();
    if (!m_messages->isIdle)
    {
        return false;
    }
    m_messages->isIdle = false;
    while (m_cc->GetNextTimerNs() < nowNs)
    {
        m_cc->OnTimer(m_cc->GetNextTimerNs());
        FollowRate();
    }
    ArmTimer();
    return true;
}

void
DcnPacketFlow::FollowMessages()
{
    if (m_messages)
    {
        const auto& ends = m_messages->ends;
        const auto next = std::upper_bound(ends.begin(), ends.end(), m_sndNxt);
        m_sendEnd = next == ends.end() ? m_sizeBytes : *next;
    }
}

void
DcnPacketFlow::Deliver(int64_t nowNs)
{
    if (!m_messages)
    {
        m_owner->OnDelivered(*this, nowNs);
        return;
    }
    const uint64_t message = m_messages->nDelivered++;
    const std::size_t next = m_messages->nDelivered - m_messages->nAcknowledged;
    m_deliverEnd = next < m_messages->ends.size() ? m_messages->ends[next] : NONE;
    m_owner->OnMessageDelivered(*this, message);
}

void
DcnPacketFlow::AcknowledgeMessages()
{
    while (!m_messages->ends.empty() && m_messages->ends.front() <= m_sndUna)
    {
        m_messages->ends.pop_front();
        m_owner->OnMessageAcknowledged(*this, m_messages->nAcknowledged++);
    }
}

bool
DcnPacketFlow::IsReusable() const
{
    return m_complete && m_framesAlive == 0;
}

void
DcnPacketFlow::Release()
{
    if (IsReusable())
    {
        m_owner->OnOver(this);
    }
}

std::pair<Ipv4Address, Ipv4Address>
DcnPacketFlow::GetAddresses() const
{
    return m_owner->GetAddresses(*this);
}

int64_t
DcnPacketFlow::GetGapTicks(uint32_t wireBytes, uint64_t rateBps) const
{
    return DcnFrameTicks(wireBytes, rateBps, m_owner->parameters->timeGrainNs > 0);
}

void
DcnPacketFlow::SendAfter(int64_t fromNs, int64_t ticks)
{
    const int64_t ns = DcnCeilNs(ticks);
    m_nextSendNs = fromNs + ns;
    m_sendLead = static_cast<uint32_t>(ns * DCN_TICKS_PER_NS - ticks);
}

DcnFrame*
DcnPacketFlow::MakePacket(int64_t nowNs, uint32_t lead)
{
    DcnFrame* frame = m_owner->pool.Get();
    frame->flow = this;
    frame->route = m_forward.data();
    frame->egress = m_forward.front();
    frame->sentNs = nowNs;
    frame->sentLead = lead;
    frame->lead = lead;
    const bool isAgain = m_selective && m_selective->HasLost();
    if (isAgain)
    {
        const DcnSelectiveRepeat::Range range = m_selective->Resend(nowNs);
        frame->sequence = range.sequence;
        frame->payloadBytes = range.bytes;
    }
    else
    {
        frame->sequence = m_sndNxt;
        frame->payloadBytes = static_cast<uint16_t>(
            std::min<uint64_t>(m_owner->parameters->payloadBytes, m_sendEnd - m_sndNxt));
    }
    frame->wireBytes =
        static_cast<uint16_t>(frame->payloadBytes + m_owner->wireFormat.dataHeaderBytes);
    frame->kind = DcnFrameKind::DATA;
    frame->congestionExperienced = false;
    frame->highPriority = false;
    frame->hop = 0;
    // with selective repeat, any packet may be the one that completes the flow
    frame->isLast = m_selective || m_sndNxt + frame->payloadBytes == m_sendEnd;
    if (m_owner->wireFormat.telemetry)
    {
        if (!frame->telemetry)
        {
            frame->telemetry = std::make_unique<DcnTelemetry>();
        }
        frame->telemetry->nHops = 0;
    }
    ++m_framesAlive;
    if (isAgain)
    {
        m_retransmittedBytes += frame->payloadBytes;
    }
    else
    {
        m_sndNxt += frame->payloadBytes;
        if (m_sndNxt <= m_sndMax)
        {
            m_retransmittedBytes += frame->payloadBytes;
        }
        m_sndMax = std::max(m_sndMax, m_sndNxt);
        if (m_sndNxt == m_sendEnd)
        {
            FollowMessages();
        }
        if (m_selective)
        {
            m_selective->OnSend({frame->sequence, frame->payloadBytes}, nowNs);
        }
    }
    if (frame->wireBytes != m_lastWireBytes || m_gapRateBps != m_rateBps)
    {
        m_lastWireBytes = frame->wireBytes;
        m_gapRateBps = m_rateBps;
        m_gapTicks = GetGapTicks(frame->wireBytes, m_rateBps);
    }
    // at its largest rate the transmitter, which counts finer, says when the next packet goes
    const int64_t early = m_rateBps == m_maxRateBps && m_owner->parameters->timeGrainNs == 0 ? 1 : 0;
    SendAfter(nowNs, m_gapTicks - int64_t{lead} - early);
    return frame;
}

void
DcnPacketFlow::Arrive(uint64_t expected, int64_t nowNs)
{
    if (m_firstByteNs < 0)
    {
        m_firstByteNs = nowNs;
    }
    if (expected > m_expected)
    {
        m_expected = expected;
        if (m_messages)
        {
            while (m_deliverEnd <= m_expected)
            {
                Deliver(nowNs);
            }
        }
        else if (m_expected == m_deliverEnd)
        {
            Deliver(nowNs);
        }
    }
}

bool
DcnPacketFlow::OnData(DcnFrame* frame, int64_t nowNs)
{
    DcnFrameKind answer = DcnFrameKind::ACK;
    if (m_selective)
    {
        Arrive(m_selective->Receive({frame->sequence, frame->payloadBytes}), nowNs);
    }
    else if (frame->sequence == m_expected)
    {
        Arrive(m_expected + frame->payloadBytes, nowNs);
    }
    else if (frame->sequence > m_expected)
    {
        // a gap is reported once, and again only after a while
        if (m_hasNacked && m_lastNack == m_expected &&
            nowNs - m_lastNackNs <= m_owner->nackIntervalNs)
        {
            return false;
        }
        m_hasNacked = true;
        m_lastNack = m_expected;
        m_lastNackNs = nowNs;
        answer = DcnFrameKind::NACK;
        NS_LOG_LOGIC("flow " << m_index << ": NACK for byte " << m_expected << ", byte "
                             << frame->sequence << " came instead");
    }
    // Data below m_expected is acknowledged again: the earlier acknowledgement may be lost.
    // The frame turns round as its own acknowledgement: mark, send time and telemetry are echoed.
    frame->kind = answer;
    frame->route = m_reverse.data();
    frame->egress = m_reverse.front();
    frame->sequence = m_selective ? frame->sequence : m_expected;
    // an earlier frame that comes twice may bring the acknowledgement of all bytes, too
    frame->isLast = frame->isLast || IsEndDelivered();
    frame->payloadBytes = 0;
    frame->wireBytes = static_cast<uint16_t>(m_owner->wireFormat.ackBytes);
    frame->highPriority = m_owner->parameters->ackHighPriority;
    return true;
}

bool
DcnPacketFlow::IsEndDelivered() const
{
    if (!m_messages)
    {
        return m_expected == m_deliverEnd;
    }
    const uint64_t nPending = m_messages->nDelivered - m_messages->nAcknowledged;
    return nPending > 0 && m_messages->ends[nPending - 1] == m_expected;
}

bool
DcnPacketFlow::OnAck(const DcnFrame* frame, int64_t nowNs)
{
    if (m_complete)
    {
        return false;
    }
    uint64_t acknowledged = frame->sequence;
    const uint64_t acknowledgedBefore = m_selective ? m_selective->GetAcknowledgedBytes() : 0;
    if (m_selective)
    {
        if (m_selective->OnAck(frame->sequence, frame->sentNs))
        {
            NS_LOG_INFO("flow " << m_index << " has lost packets");
            m_cc->OnGoBack(GetNextOfControl(), nowNs);
        }
        acknowledged = m_selective->GetUnacknowledged(m_sndNxt);
    }
    const bool isProgress = m_selective ? m_selective->GetAcknowledgedBytes() > acknowledgedBefore
                                        : acknowledged > m_sndUna;
    if (acknowledged > m_sndUna)
    {
        m_sndUna = acknowledged;
        m_sndNxt = std::max(m_sndNxt, m_sndUna); // after going back, old data may have arrived
        if (m_messages)
        {
            FollowMessages();
            AcknowledgeMessages();
        }
    }
    if (isProgress)
    {
        NoteProgress(nowNs);
    }
    if (m_sndUna >= m_sizeBytes && !m_messages)
    {
        m_complete = true;
        m_cc.reset();
        m_owner->OnAcknowledged(*this, nowNs);
        return true;
    }
    if (frame->kind == DcnFrameKind::NACK)
    {
        NS_LOG_INFO("flow " << m_index << " goes back from byte " << m_sndNxt << " to " << m_sndUna
                            << ": NACK");
        GoBack(nowNs);
    }
    const int64_t restTicks = static_cast<int64_t>(frame->sentLead) - int64_t{frame->lead};
    m_cc->OnAck({nowNs,
                 m_selective ? m_selective->GetAcknowledgedBytes() : acknowledged,
                 GetNextOfControl(),
                 frame->congestionExperienced,
                 frame->sentNs,
                 frame->sentNs > m_pathSinceNs ? frame->telemetry.get() : nullptr,
                 static_cast<double>(restTicks) / DCN_TICKS_PER_NS});
    FollowRate();
    if (m_owner->isWatched)
    {
        m_owner->OnControl(*this, nowNs);
    }
    if (m_sndUna >= m_sizeBytes) // of a connection
    {
        m_timerAtNs = DcnCongestionControl::NEVER; // AddMessage makes up for timers
        return !std::exchange(m_messages->isIdle, true);
    }
    ArmTimer();
    return false;
}

void
DcnPacketFlow::GoBack(int64_t nowNs)
{
    if (m_selective)
    {
        m_selective->LoseAll();
    }
    else
    {
        m_sndNxt = m_sndUna;
        FollowMessages();
    }
    m_cc->OnGoBack(GetNextOfControl(), nowNs);
}

uint64_t
DcnPacketFlow::GetNextOfControl() const
{
    return m_selective ? m_selective->GetAcknowledgedBytes() + m_selective->GetInFlightBytes()
                       : m_sndNxt;
}

int64_t
DcnPacketFlow::GetFirstTimeoutNs() const
{
    // reports of losses come first where there are some
    return std::max(m_owner->retransmissionTimeoutNs,
                    3 * m_pathRttNs + (m_selective ? m_selective->GetReorderNs() : 0));
}

void
DcnPacketFlow::FollowRate()
{
    const uint64_t rateBps = m_cc->GetRate();
    if (rateBps == m_rateBps)
    {
        return;
    }
    if (m_lastWireBytes > 0 && m_cc->RepacesPendingPacket())
    {
        SendAfter(m_nextSendNs,
                  GetGapTicks(m_lastWireBytes, rateBps) - GetGapTicks(m_lastWireBytes, m_rateBps) -
                      int64_t{m_sendLead});
    }
    NS_LOG_LOGIC("flow " << m_index << ": rate from " << m_rateBps << " to " << rateBps
                         << " bit/s");
    m_rateBps = rateBps;
    const uint64_t window = m_cc->GetWindowBytes();
    m_window = window ? std::max<uint64_t>(1, DcnMulDiv(window, rateBps, m_maxRateBps))
                      : std::numeric_limits<uint64_t>::max();
}

void
DcnPacketFlow::ArmTimer()
{
    const int64_t atNs = m_cc->GetNextTimerNs();
    if (atNs >= m_timerAtNs)
    {
        return;
    }
    m_timerAtNs = atNs;
    m_owner->events.ScheduleFlow(DcnPacketEventKind::TIMER, this, m_index, GetPartition(), atNs);
}

uint32_t
DcnPacketFlow::GetPartition() const
{
    return m_owner->events.GetPartition();
}

void
DcnPacketFlow::OnEvent(DcnPacketEventKind kind, int64_t nowNs)
{
    switch (kind)
    {
    case DcnPacketEventKind::TIMER:
        OnTimer(nowNs);
        break;
    case DcnPacketEventKind::CHECK:
        OnCheck(nowNs);
        break;
    case DcnPacketEventKind::LOST:
        OnDrop(std::max(nowNs - m_pathRttNs, m_pathSinceNs));
        [[fallthrough]];
    default: // ENDED
        m_owner->pool.OnArrival();
        OnFrameEnd();
        Release();
        break;
    }
}

void
DcnPacketFlow::OnTimer(int64_t nowNs)
{
    // An event of an earlier flow of this object, or of a timer that was moved, finds another due
    // time here: the pending event of the present timer will do the work.
    if (m_complete || nowNs != m_timerAtNs || (m_origin && m_origin->IsFrozen()))
    {
        return;
    }
    m_timerAtNs = DcnCongestionControl::NEVER;
    m_cc->OnTimer(nowNs);
    FollowRate();
    if (m_owner->isWatched)
    {
        m_owner->OnControl(*this, nowNs);
    }
    ArmTimer();
    m_owner->Wake(*this, nowNs); // a larger window may let a packet go
}

void
DcnPacketFlow::OnFirstPacket(const DcnFrame* frame, uint64_t queueBytes)
{
    if (!m_owner->hasFirstPacketListener)
    {
        return;
    }
    // not when it is sent again: behind the first one, which has been where this one comes
    const auto hop = static_cast<std::size_t>(frame->route - m_forward.data()) + 1;
    if (hop > m_firstPacketHops.load(std::memory_order_relaxed) && !m_messages)
    {
        m_firstPacketHops.store(hop, std::memory_order_relaxed);
        m_owner->OnFirstPacket(*this, hop, queueBytes);
    }
}

void
DcnPacketFlow::OnDrop(int64_t atNs)
{
    if (m_origin)
    {
        m_origin->NoteChange();
    }
    m_owner->events.NoteLoss();
    if (m_sndUna >= m_recoverUpTo)
    {
        m_watchedSinceNs = atNs; // the timer starts; it would go on otherwise
    }
    m_recoverUpTo = std::max<uint64_t>(1, m_sndMax);
    if (!m_complete && m_timeouts <= MAX_TIMEOUTS && m_sndUna < m_recoverUpTo)
    {
        m_watched = true;
        ArmCheck(m_owner->events.GetNowNs());
    }
}

bool
DcnPacketFlow::IsTimeoutRunning() const
{
    return m_watched && !m_owner->IsPaused(*this);
}

void
DcnPacketFlow::NoteProgress(int64_t nowNs)
{
    m_progressNs = nowNs;
    if (!m_watched)
    {
        return;
    }
    m_watched = m_sndUna < m_recoverUpTo;
    if (std::exchange(m_timeouts, 0) > 0 && m_watched)
    {
        ArmCheck(nowNs); // the timeout is shorter again, and so its end may be before the check
    }
}

int64_t
DcnPacketFlow::GetExpiryNs() const
{
    static constexpr int64_t LONGEST_NS = 60'000'000'000; // one minute: no doubling beyond
    const int64_t firstNs = GetFirstTimeoutNs();
    int64_t timeoutNs = firstNs;
    for (uint32_t i = 0; i < m_timeouts && timeoutNs < LONGEST_NS; ++i)
    {
        timeoutNs *= 2;
    }
    return std::max(m_watchedSinceNs, m_progressNs) +
           std::min(timeoutNs, std::max(LONGEST_NS, firstNs));
}

void
DcnPacketFlow::ArmCheck(int64_t nowNs)
{
    const int64_t atNs = std::max(nowNs, GetExpiryNs());
    if (atNs >= m_checkAtNs)
    {
        return; // the pending check sees that it comes too early and arms another one
    }
    m_checkAtNs = atNs;
    m_owner->events.ScheduleFlow(DcnPacketEventKind::CHECK, this, m_index, GetPartition(), atNs);
}

void
DcnPacketFlow::OnCheck(int64_t nowNs)
{
    if (m_complete || nowNs != m_checkAtNs)
    {
        return; // an earlier check was armed after this one, and has armed what is due
    }
    m_checkAtNs = DcnCongestionControl::NEVER;
    if (!m_watched)
    {
        return; // all that was in flight at the latest drop is acknowledged
    }
    if (GetExpiryNs() > nowNs)
    {
        ArmCheck(nowNs);
        return;
    }
    ++m_timeouts;
    m_watchedSinceNs = nowNs;
    if (m_timeouts > MAX_TIMEOUTS)
    {
        m_watched = false;
        NS_LOG_WARN("flow " << m_index << " gives up at byte " << m_sndUna << " of " << m_sizeBytes
                            << " after " << m_timeouts << " timeouts");
        return;
    }
    NS_LOG_INFO("flow " << m_index << " goes back from byte " << m_sndNxt << " to " << m_sndUna
                        << ": retransmission timeout " << m_timeouts << " in a row, next one after "
                        << GetExpiryNs() - nowNs << " ns");
    GoBack(nowNs);
    m_owner->Wake(*this, nowNs);
    ArmCheck(nowNs);
}

uint64_t
DcnPacketFlow::GetSkippablePackets() const
{
    const bool isRepaired = m_watched || m_sndNxt < m_sndMax || m_firstByteNs < 0;
    const bool isEarlierLeft = m_messages && m_messages->ends.front() != m_sendEnd;
    if (m_complete || m_selective || isRepaired || isEarlierLeft || m_sndNxt >= m_sendEnd)
    {
        return 0;
    }
    return (m_sendEnd - m_sndNxt - 1) / m_owner->parameters->payloadBytes;
}

uint64_t
DcnPacketFlow::GetMostFrames() const
{
    const uint64_t window = m_cc->GetWindowBytes();
    if (window == 0 || (m_messages && m_messages->hasShort))
    {
        return NONE;
    }
    // one is sent while less than a window is on its way
    const uint64_t packets = (window - 1) / m_owner->parameters->payloadBytes + 2;
    return m_messages ? 2 * packets + 1 : packets; // a full one follows the short end of a message
}

void
DcnPacketFlow::Translate(const DcnTranslation& by)
{
    m_cc->AsReplayable()->Translate(by);
    for (uint64_t* sequence : {&m_sndNxt, &m_sndUna, &m_sndMax, &m_expected})
    {
        *sequence += by.bytes;
    }
    m_nextSendNs += by.timeNs;
    m_progressNs += by.timeNs;
    if (m_timerAtNs != DcnCongestionControl::NEVER)
    {
        // the pending event of the earlier time will find another due time
        m_timerAtNs += by.timeNs;
        m_owner->events.ScheduleFlow(DcnPacketEventKind::TIMER,
                                     this,
                                     m_index,
                                     GetPartition(),
                                     m_timerAtNs);
    }
}

} // namespace ns3

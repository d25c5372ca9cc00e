/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "dcn-packet-flow.h"

#include "../congestion/dcn-replayable-control.h"
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
    static_assert(offsetof(DcnPacketFlow, m_startNs) < Events::FLOW_BYTES, "both ends use it");
    static_assert(offsetof(DcnPacketFlow, m_framesAlive) == Events::FLOW_SENDER, "begin");
    static_assert(offsetof(DcnPacketFlow, m_timerAtNs) <
                      Events::FLOW_SENDER + Events::FLOW_SIDE_BYTES,
                  "an acknowledgement uses it");
    static_assert(offsetof(DcnPacketFlow, m_receiver) == Events::FLOW_RECEIVER, "begin");
    static_assert(offsetof(DcnPacketFlow, m_deliverEnd) <
                      Events::FLOW_RECEIVER + Events::FLOW_SIDE_BYTES,
                  "data uses it");
}

#pragma GCC diagnostic pop

DcnPacketFlow::~DcnPacketFlow() = default;

void
DcnPacketFlow::Begin(std::size_t index,
                     uint64_t id,
                     uint64_t sizeBytes,
                     uint64_t nicBps,
                     uint64_t maxRateBps,
                     uint32_t destination,
                     DcnFlowPath path,
                     int64_t nowNs)
{
    NS_ASSERT_MSG(m_complete && m_framesAlive == 0, "a flow object in use");
    const DcnNetworkParameters& network = *m_owner->parameters;
    m_cc = DcnCongestionControl::Create(m_owner->GetParametersOf(nicBps), maxRateBps, path.rttNs);
    m_path = std::move(path);
    m_earlier.clear();
    m_pathSinceNs = nowNs - 1; // packets of this instant have it
    m_index = index;
    m_id = id;
    m_sizeBytes = sizeBytes;
    m_startNs = nowNs;
    m_complete = false;
    m_messages = sizeBytes > 0 ? nullptr : std::make_unique<DcnFlowMessages>();
    m_timerAtNs = DcnCongestionControl::NEVER;
    m_timeout.Begin(nowNs);
    m_receiver.Begin(network.selectiveRepeat);
    m_deliverEnd = sizeBytes > 0 ? sizeBytes : DcnFlowMessages::NONE;
    m_firstPacketHops = 0;
    m_destination = destination;
    std::unique_ptr<DcnSelectiveRepeat> selective;
    if (network.selectiveRepeat)
    {
        const auto reorderNs = static_cast<int64_t>(network.reorderNs);
        const bool hasManyPaths = network.HasManyPaths();
        selective = std::make_unique<DcnSelectiveRepeat>(
            reorderNs > 0 || !hasManyPaths ? reorderNs : REORDER_ROUND_TRIPS * m_path.rttNs,
            reorderNs == 0 && hasManyPaths);
    }
    m_sender.Begin(sizeBytes, maxRateBps, network.timeGrainNs > 0, std::move(selective), nowNs);
    FollowRate();
}

void
DcnPacketFlow::Move(DcnFlowPath path, int64_t nowNs)
{
    if (m_owner->parameters->reorderNs == 0)
    {
        m_sender.OnPathChange(REORDER_ROUND_TRIPS * std::max(m_path.rttNs, path.rttNs), nowNs);
    }
    m_earlier.push_back(std::move(m_path.forward)); // moved vectors keep their memory
    m_earlier.push_back(std::move(m_path.reverse));
    m_path = std::move(path);
    m_pathSinceNs = nowNs;
    m_firstPacketHops = std::numeric_limits<std::size_t>::max(); // it is not reported any more
    if (m_cc)
    {
        m_cc->OnPathChange();
    }
    if (m_sender.GetUnacknowledged() < m_sender.GetSentEnd())
    {
        OnDrop(nowNs);
    }
    NS_LOG_INFO("flow " << m_index << " has another path of " << m_path.forward.size() << " links");
}

void
DcnPacketFlow::Resume(DcnFlowPath path, int64_t nowNs)
{
    m_timeout.Begin(nowNs);
    Move(std::move(path), nowNs);
    if (m_cc && m_sender.GetUnacknowledged() < m_sender.GetSentEnd())
    {
        NS_LOG_INFO("flow " << m_index << " goes on from byte " << m_sender.GetUnacknowledged());
        GoBack(nowNs);
    }
}

bool
DcnPacketFlow::HasManyPaths() const
{
    return m_owner->parameters->HasManyPaths();
}

bool
DcnPacketFlow::AddMessage(uint64_t bytes, int64_t nowNs)
{
    NS_ASSERT_MSG(m_messages, "only connections have messages");
    m_sizeBytes += bytes;
    m_messages->Add(m_sizeBytes, bytes < m_owner->parameters->payloadBytes);
    m_deliverEnd = std::min(m_deliverEnd, m_sizeBytes);
    FollowMessages();
    if (!m_messages->SetIdle(false))
    {
        return false;
    }
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
        m_sender.SetEnd(m_messages->FindEnd(m_sender.GetNext(), m_sizeBytes));
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
    while (m_deliverEnd <= m_receiver.GetExpected())
    {
        const uint64_t message = m_messages->Deliver();
        m_deliverEnd = m_messages->GetNextEnd();
        m_owner->OnMessageDelivered(*this, message);
    }
}

void
DcnPacketFlow::Release()
{
    if (m_complete && m_framesAlive == 0)
    {
        m_owner->OnOver(this);
    }
}

std::pair<Ipv4Address, Ipv4Address>
DcnPacketFlow::GetAddresses() const
{
    return m_owner->GetAddresses(*this);
}

DcnFrame*
DcnPacketFlow::MakePacket(int64_t nowNs, uint32_t lead)
{
    const DcnFlowSender::Packet packet =
        m_sender.TakePacket(m_owner->parameters->payloadBytes, nowNs);
    if (m_sender.GetNext() == m_sender.GetEnd())
    {
        FollowMessages();
    }
    DcnFrame* frame = m_owner->pool.Get();
    frame->flow = this;
    frame->route = m_path.forward.data();
    frame->egress = m_path.forward.front();
    const auto wireBytes =
        static_cast<uint16_t>(packet.bytes + m_owner->wireFormat.dataHeaderBytes);
    frame->BecomeData(packet.sequence, packet.bytes, wireBytes, nowNs, lead, packet.isLast);
    if (m_owner->wireFormat.telemetry)
    {
        if (!frame->telemetry)
        {
            frame->telemetry = std::make_unique<DcnTelemetry>();
        }
        frame->telemetry->nHops = 0;
    }
    ++m_framesAlive;
    m_sender.Pace(wireBytes, nowNs, lead);
    return frame;
}

bool
DcnPacketFlow::OnData(DcnFrame* frame, int64_t nowNs)
{
    using Answer = DcnFlowReceiver::Answer;
    const uint64_t before = m_receiver.GetExpected();
    const Answer answer =
        m_receiver.OnData(frame->sequence, frame->payloadBytes, nowNs, m_owner->nackIntervalNs);
    if (answer == Answer::NOTHING)
    {
        return false;
    }
    const uint64_t expected = m_receiver.GetExpected();
    if (answer == Answer::NACK)
    {
        NS_LOG_LOGIC("flow " << m_index << ": NACK for byte " << expected << ", byte "
                             << frame->sequence << " came instead");
    }
    else if (expected > before && expected >= m_deliverEnd)
    {
        Deliver(nowNs);
    }
    frame->route = m_path.reverse.data();
    frame->egress = m_path.reverse.front();
    // an earlier frame that comes twice may bring the acknowledgement of all bytes, too
    frame->isLast = frame->isLast ||
                    (m_messages ? m_messages->IsDeliveredEnd(expected) : expected == m_deliverEnd);
    frame->BecomeAnswer(answer == Answer::NACK ? DcnFrameKind::NACK : DcnFrameKind::ACK,
                        m_owner->parameters->selectiveRepeat ? frame->sequence : expected,
                        static_cast<uint16_t>(m_owner->wireFormat.ackBytes),
                        m_owner->parameters->ackHighPriority);
    return true;
}

bool
DcnPacketFlow::OnAck(const DcnFrame* frame, int64_t nowNs)
{
    if (m_complete)
    {
        return false;
    }
    const DcnFlowSender::Acknowledgement ack = m_sender.OnAck(frame->sequence, frame->sentNs);
    if (ack.hasLost)
    {
        NS_LOG_INFO("flow " << m_index << " has lost packets");
        m_cc->OnGoBack(m_sender.GetNextOfControl(), nowNs);
    }
    if (ack.hasRisen && m_messages)
    {
        FollowMessages();
        while (m_messages->Acknowledge(m_sender.GetUnacknowledged()))
        {
            m_owner->OnMessageAcknowledged(*this, m_messages->GetNAcknowledged() - 1);
        }
    }
    if (ack.isProgress && m_timeout.OnProgress(nowNs, m_sender.GetUnacknowledged()))
    {
        ArmCheck(nowNs);
    }
    if (!m_messages && m_sender.GetUnacknowledged() >= m_sizeBytes)
    {
        m_complete = true;
        m_cc.reset();
        m_owner->OnAcknowledged(*this, nowNs);
        return true;
    }
    if (frame->kind == DcnFrameKind::NACK)
    {
        NS_LOG_INFO("flow " << m_index << " goes back from byte " << m_sender.GetNext() << " to "
                            << m_sender.GetUnacknowledged() << ": NACK");
        GoBack(nowNs);
    }
    const int64_t restTicks = static_cast<int64_t>(frame->sentLead) - int64_t{frame->lead};
    m_cc->OnAck({nowNs,
                 ack.bytes,
                 m_sender.GetNextOfControl(),
                 frame->congestionExperienced,
                 frame->sentNs,
                 frame->sentNs > m_pathSinceNs ? frame->telemetry.get() : nullptr,
                 static_cast<double>(restTicks) / DCN_TICKS_PER_NS});
    FollowRate();
    if (m_owner->isWatched)
    {
        m_owner->OnControl(*this, nowNs);
    }
    if (m_sender.GetUnacknowledged() >= m_sizeBytes) // of a connection
    {
        m_timerAtNs = DcnCongestionControl::NEVER; // AddMessage makes up for timers
        return !m_messages->SetIdle(true);
    }
    ArmTimer();
    return false;
}

void
DcnPacketFlow::GoBack(int64_t nowNs)
{
    m_sender.GoBack();
    FollowMessages();
    m_cc->OnGoBack(m_sender.GetNextOfControl(), nowNs);
}

int64_t
DcnPacketFlow::GetFirstTimeoutNs() const
{
    // reports of losses come first where there are some
    return std::max(m_owner->retransmissionTimeoutNs, 3 * m_path.rttNs + m_sender.GetReorderNs());
}

void
DcnPacketFlow::FollowRate()
{
    const uint64_t rateBps = m_cc->GetRate();
    if (rateBps == m_sender.GetRate())
    {
        return;
    }
    NS_LOG_LOGIC("flow " << m_index << ": rate from " << m_sender.GetRate() << " to " << rateBps
                         << " bit/s");
    m_sender.SetRate(rateBps, m_cc->GetWindowBytes(), m_cc->RepacesPendingPacket());
}

void
DcnPacketFlow::Schedule(DcnPacketEventKind kind, int64_t atNs)
{
    m_owner->events.ScheduleFlow(kind, this, m_index, GetPartition(), atNs);
}

void
DcnPacketFlow::ArmTimer()
{
    const int64_t atNs = m_cc->GetNextTimerNs();
    if (atNs < m_timerAtNs)
    {
        m_timerAtNs = atNs;
        Schedule(DcnPacketEventKind::TIMER, atNs);
    }
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
        OnDrop(std::max(nowNs - m_path.rttNs, m_pathSinceNs));
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
    if (m_complete || nowNs != m_timerAtNs || (m_path.origin && m_path.origin->IsFrozen()))
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
    if (!m_owner->hasFirstPacketListener || m_messages)
    {
        return;
    }
    // not when it is sent again: behind the first one, which has been where this one comes
    const auto hop = static_cast<std::size_t>(frame->route - m_path.forward.data()) + 1;
    if (hop > m_firstPacketHops.load(std::memory_order_relaxed))
    {
        m_firstPacketHops.store(hop, std::memory_order_relaxed);
        m_owner->OnFirstPacket(*this, hop, queueBytes);
    }
}

void
DcnPacketFlow::OnDrop(int64_t atNs)
{
    if (m_path.origin)
    {
        m_path.origin->NoteChange();
    }
    m_owner->events.NoteLoss();
    if (m_timeout.OnDrop(atNs, m_sender.GetUnacknowledged(), m_sender.GetSentEnd()) && !m_complete)
    {
        ArmCheck(m_owner->events.GetNowNs());
    }
}

bool
DcnPacketFlow::IsTimeoutRunning() const
{
    return m_timeout.IsRunning() && !m_owner->IsPaused(*this);
}

void
DcnPacketFlow::ArmCheck(int64_t nowNs)
{
    const int64_t atNs = m_timeout.Arm(nowNs, GetFirstTimeoutNs());
    if (atNs != DcnRetransmissionTimer::NONE)
    {
        Schedule(DcnPacketEventKind::CHECK, atNs);
    }
}

void
DcnPacketFlow::OnCheck(int64_t nowNs)
{
    using Check = DcnRetransmissionTimer::Check;
    switch (m_complete ? Check::NOTHING : m_timeout.OnCheck(nowNs, GetFirstTimeoutNs()))
    {
    case Check::NOTHING:
        break;
    case Check::EARLY:
        ArmCheck(nowNs);
        break;
    case Check::GIVE_UP:
        NS_LOG_WARN("flow " << m_index << " gives up at byte " << m_sender.GetUnacknowledged()
                            << " of " << m_sizeBytes << " after " << m_timeout.GetNTimeouts()
                            << " timeouts");
        break;
    case Check::EXPIRED:
        NS_LOG_INFO("flow " << m_index << " goes back from byte " << m_sender.GetNext() << " to "
                            << m_sender.GetUnacknowledged() << ": retransmission timeout "
                            << m_timeout.GetNTimeouts() << " in a row, next one after "
                            << m_timeout.GetExpiryNs(GetFirstTimeoutNs()) - nowNs << " ns");
        GoBack(nowNs);
        m_owner->Wake(*this, nowNs);
        ArmCheck(nowNs);
        break;
    }
}

void
DcnPacketFlow::Translate(const DcnTranslation& by)
{
    m_cc->AsReplayable()->Translate(by);
    m_sender.Translate(by.bytes, by.timeNs);
    m_timeout.Translate(by.timeNs);
    m_receiver.Translate(by.bytes);
    if (m_timerAtNs != DcnCongestionControl::NEVER)
    {
        // the pending event of the earlier time will find another due time
        m_timerAtNs += by.timeNs;
        Schedule(DcnPacketEventKind::TIMER, m_timerAtNs);
    }
}

} // namespace ns3

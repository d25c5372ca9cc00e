/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "dcn-switch-device.h"

#include "dcn-packet-flow.h"

#include "ns3/log.h"
#include "ns3/node.h"

#include <cstddef>

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("DcnSwitchDevice");
NS_OBJECT_ENSURE_REGISTERED(DcnSwitchDevice);

TypeId
DcnSwitchDevice::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::DcnSwitchDevice")
            .SetParent<DcnPacketDevice>()
            .SetGroupName("DcnPacket")
            .AddConstructor<DcnSwitchDevice>()
            .AddTraceSource("Enqueue",
                            "A frame has joined the data class.",
                            MakeTraceSourceAccessor(&DcnSwitchDevice::m_enqueueTrace),
                            "ns3::DcnSwitchDevice::QueueCallback")
            .AddTraceSource("Dequeue",
                            "A frame has left the data class to be transmitted.",
                            MakeTraceSourceAccessor(&DcnSwitchDevice::m_dequeueTrace),
                            "ns3::DcnSwitchDevice::QueueCallback")
            .AddTraceSource("Mark",
                            "A data packet has been marked on leaving.",
                            MakeTraceSourceAccessor(&DcnSwitchDevice::m_markTrace),
                            "ns3::DcnSwitchDevice::QueueCallback")
            .AddTraceSource("Drop",
                            "A frame for this port is dropped: the switch has no room.",
                            MakeTraceSourceAccessor(&DcnSwitchDevice::m_dropTrace),
                            "ns3::DcnSwitchDevice::QueueCallback")
            .AddTraceSource("Skip",
                            "Frames of the data class were not simulated (DcnSteadySkip).",
                            MakeTraceSourceAccessor(&DcnSwitchDevice::m_skipTrace),
                            "ns3::DcnSwitchDevice::SkipCallback");
    return tid;
}

inline DcnFrame*
DcnSwitchDevice::PickFrame(int64_t nowNs)
{
    if (!m_high.IsEmpty())
    {
        DcnFrame* frame = m_high.Pop();
        frame->lead = GetStartLead(frame->lead, nowNs);
        return frame;
    }
    if (m_paused || m_data.IsEmpty())
    {
        return nullptr;
    }
    DcnFrame* frame = m_data.Pop();
    frame->lead = GetStartLead(frame->lead, nowNs);
    m_leftBytes += frame->wireBytes;
    NS_ASSERT_MSG(m_offeredBytes == m_leftBytes + m_data.GetNBytes() + m_droppedBytes,
                  "bytes offered = departed + waiting + dropped");
    m_dequeueTrace(frame->wireBytes, m_data.GetNBytes());
    m_switch->Release(frame->ingressPort, frame->wireBytes, nowNs);
    if (frame->kind == DcnFrameKind::DATA)
    {
        if (m_data.GetNBytes() > m_marking.kminBytes && m_marking.IsMarked(m_data.GetNBytes(),
                                                                           frame->flow->GetId(),
                                                                           frame->sequence,
                                                                           frame->hop))
        {
            frame->congestionExperienced = true;
            ++m_nMarked;
            m_markTrace(frame->wireBytes, m_data.GetNBytes());
            NS_LOG_LOGIC("node " << GetNode()->GetId() << ", device " << GetIfIndex()
                                 << " marks a packet of flow " << frame->flow->GetIndex() << ": "
                                 << m_data.GetNBytes() << " bytes wait");
        }
        if (frame->telemetry)
        {
            Stamp(*frame->telemetry, nowNs, frame->lead);
        }
    }
    return frame;
}

inline int64_t
DcnSwitchDevice::NextPickNs(int64_t fromNs) const
{
    return m_high.IsEmpty() && (m_paused || m_data.IsEmpty()) ? NEVER : fromNs;
}

inline void
DcnSwitchDevice::Enqueue(DcnFrame* frame, int64_t nowNs)
{
    if (frame->highPriority)
    {
        if (nowNs < GetFreeAtNs() || !m_high.IsEmpty())
        {
            frame->lead = DcnFrame::WAITED;
        }
        m_high.Push(frame);
    }
    else
    {
        if (nowNs < GetFreeAtNs() || !m_data.IsEmpty() || m_paused)
        {
            frame->lead = DcnFrame::WAITED;
        }
        m_data.Push(frame);
        m_offeredBytes += frame->wireBytes;
        m_enqueueTrace(frame->wireBytes, m_data.GetNBytes());
    }
    Transmit(*this, nowNs);
}

void
DcnSwitchDevice::Kick(int64_t nowNs)
{
    Transmit(*this, nowNs);
}

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Winvalid-offsetof" // a class with bases

void
DcnSwitchDevice::SetSwitch(DcnPacketSwitch* owner, uint32_t port)
{
    static_assert(offsetof(DcnSwitchDevice, m_marking) + sizeof(m_marking.kminBytes) <=
                      DcnPacketEvents::DEVICE_BYTES,
                  "every frame uses it");
    m_switch = owner;
    m_port = port;
    FollowRate();
}

#pragma GCC diagnostic pop

void
DcnSwitchDevice::FollowRate()
{
    const DcnNetworkParameters& network = m_switch->GetParameters();
    const double scale =
        static_cast<double>(m_rateBps) / static_cast<double>(network.ecnReferenceRate.GetBitRate());
    m_marking.kminBytes = static_cast<uint64_t>(static_cast<double>(network.ecnKminBytes) * scale);
    m_marking.kmaxBytes = static_cast<uint64_t>(static_cast<double>(network.ecnKmaxBytes) * scale);
    m_marking.pmax = network.ecnPmax;
    m_marking.seed = m_switch->GetDrawSeed();
}

std::vector<DcnFrame*>
DcnSwitchDevice::GetWaiting() const
{
    std::vector<DcnFrame*> frames = m_data.GetFrames();
    const std::vector<DcnFrame*> high = m_high.GetFrames();
    frames.insert(frames.end(), high.begin(), high.end());
    return frames;
}

void
DcnSwitchDevice::SkipQueued(uint64_t frames, uint32_t wireBytes, bool isData)
{
    Skip(frames, wireBytes, isData);
    m_offeredBytes += frames * wireBytes;
    m_leftBytes += frames * wireBytes;
    m_skippedBytes += frames * wireBytes;
    m_skippedFrames += frames;
}

void
DcnSwitchDevice::EndSkip(int64_t sinceNs, uint64_t marks)
{
    m_nMarked += marks;
    m_skipTrace(sinceNs, m_skippedBytes, m_skippedFrames, marks);
    m_skippedBytes = 0;
    m_skippedFrames = 0;
}

void
DcnSwitchDevice::SendPfc(bool pause, uint32_t frameBytes, int64_t nowNs)
{
    if (IsDown())
    {
        return;
    }
    NS_LOG_INFO("node " << GetNode()->GetId() << ", device " << GetIfIndex()
                        << (pause ? " sends PAUSE" : " sends RESUME"));
    if (m_switch->IsLossless() && !m_high.IsEmpty() && !m_high.Peek()->flow)
    {
        m_pool->Put(m_high.Pop()); // the two cancel out: the sender goes on as it does
        return;
    }
    DcnFrame* frame = m_pool->Get();
    frame->kind = pause ? DcnFrameKind::PAUSE : DcnFrameKind::RESUME;
    frame->flow = nullptr;
    frame->route = nullptr;
    frame->egress = nullptr;
    frame->payloadBytes = 0;
    frame->wireBytes = static_cast<uint16_t>(frameBytes);
    frame->congestionExperienced = false;
    frame->highPriority = true;
    frame->isLast = false;
    frame->hop = 0;
    frame->lead = 0;
    if (m_switch->IsLossless() && !m_high.IsEmpty())
    {
        frame->lead = DcnFrame::WAITED;
        m_high.PushFront(frame); // the transmitter wakes up for those that wait
        return;
    }
    Enqueue(frame, nowNs);
}

void
DcnSwitchDevice::Receive(DcnFrame* frame, int64_t nowNs)
{
    if (!OnArrival(frame, nowNs))
    {
        return;
    }
    if (!frame->flow)
    {
        const bool pause = frame->kind == DcnFrameKind::PAUSE;
        m_pool->Put(frame);
        SetPaused(pause, nowNs);
        return;
    }
    frame->ingressPort = static_cast<uint16_t>(m_port);
    ++frame->hop;
    DcnSwitchDevice* egress = frame->egress;
    const bool hasPath = egress != nullptr;
    if (!hasPath)
    {
        DcnPacketFlow* flow = frame->flow;
        egress =
            static_cast<DcnSwitchDevice*>(m_switch->GetLinkChoice()->Choose({flow->GetDestination(),
                                                                             flow->GetIndex(),
                                                                             frame->sequence,
                                                                             frame->sentNs,
                                                                             flow->GetPath().rttNs},
                                                                            nowNs));
    }
    if (egress->IsDown())
    {
        egress->Lose(frame); // by a path that was given up
        return;
    }
    if (!frame->highPriority && !m_switch->Admit(m_port, frame->wireBytes, nowNs))
    {
        egress->Drop(frame, nowNs);
        return;
    }
    if (hasPath)
    {
        if (frame->sequence == 0 && frame->kind == DcnFrameKind::DATA)
        {
            frame->flow->OnFirstPacket(frame, egress->GetQueueBytes());
        }
        frame->egress = *++frame->route;
    }
    egress->Enqueue(frame, nowNs);
}

void
DcnSwitchDevice::Flush(int64_t nowNs)
{
    m_switch->ForgetPause(m_port);
    while (!m_high.IsEmpty())
    {
        Lose(m_high.Pop());
    }
    while (!m_data.IsEmpty())
    {
        DcnFrame* frame = m_data.Pop();
        m_droppedBytes += frame->wireBytes;
        m_dropTrace(frame->wireBytes, m_data.GetNBytes());
        m_switch->Release(frame->ingressPort, frame->wireBytes, nowNs);
        Lose(frame);
    }
}

void
DcnSwitchDevice::Drop(DcnFrame* frame, int64_t nowNs)
{
    m_offeredBytes += frame->wireBytes;
    m_droppedBytes += frame->wireBytes;
    m_dropTrace(frame->wireBytes, m_data.GetNBytes());
    DcnPacketFlow* flow = frame->flow;
    NS_LOG_INFO("node " << GetNode()->GetId() << ", device " << GetIfIndex()
                        << " drops a frame of flow " << flow->GetIndex());
    m_pool->Put(frame);
    EndFrame(flow, true, nowNs);
}

uint32_t
DcnSwitchDevice::GetNListeners() const
{
    return DcnPacketDevice::GetNListeners() + m_enqueueTrace.GetN() + m_dequeueTrace.GetN() +
           m_markTrace.GetN() + m_dropTrace.GetN() + m_skipTrace.GetN();
}

void
DcnSwitchDevice::Stamp(DcnTelemetry& telemetry, int64_t nowNs, uint32_t lead) const
{
    // units of the 20-bit and 17-bit fields of HPCC's 8-byte hop record
    static constexpr uint64_t TX_UNIT_BYTES = 128;
    static constexpr uint64_t QUEUE_UNIT_BYTES = 80;
    uint64_t txBytes = m_txBytes;
    uint64_t queueBytes = m_high.GetNBytes() + m_data.GetNBytes();
    if (m_switch->IsTelemetryQuantised())
    {
        txBytes -= txBytes % TX_UNIT_BYTES;
        queueBytes -= queueBytes % QUEUE_UNIT_BYTES;
    }
    telemetry.hops[telemetry.nHops++] = {DcnTelemetryHop::MakeTicks(nowNs, lead),
                                         txBytes,
                                         queueBytes,
                                         m_rateBps};
}

} // namespace ns3

/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "dcn-host-device.h"

#include "dcn-packet-flow.h"

#include <algorithm>

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(DcnHostDevice);

TypeId
DcnHostDevice::GetTypeId()
{
    static TypeId tid = TypeId("ns3::DcnHostDevice")
                            .SetParent<DcnPacketDevice>()
                            .SetGroupName("DcnPacket")
                            .AddConstructor<DcnHostDevice>();
    return tid;
}

void
DcnHostDevice::AddFlow(DcnPacketFlow* flow, int64_t nowNs)
{
    NoteChange();
    m_flows.push_back(flow);
    Kick(nowNs);
}

void
DcnHostDevice::Kick(int64_t nowNs)
{
    Transmit(*this, nowNs);
}

void
DcnHostDevice::Receive(DcnFrame* frame, int64_t nowNs)
{
    if (!OnArrival(frame, nowNs))
    {
        return;
    }
    DcnPacketFlow* flow = frame->flow;
    switch (frame->kind)
    {
    case DcnFrameKind::DATA:
        if (flow->OnData(frame, nowNs))
        {
            // with several links, a packet may come by another one than that of its flow's path now
            DcnHostDevice* sink = flow->GetPath().sink;
            if (nowNs < sink->GetFreeAtNs() || !sink->m_acks.IsEmpty() ||
                (sink->m_paused && !frame->highPriority))
            {
                frame->lead = DcnFrame::WAITED;
            }
            sink->m_acks.Push(frame);
            sink->Kick(nowNs);
            return;
        }
        m_pool->Put(frame);
        EndFrame(flow, flow->HasManyPaths(), nowNs);
        return;
    case DcnFrameKind::ACK:
    case DcnFrameKind::NACK: {
        const bool wasOpen = flow->GetSender().IsWindowOpen();
        flow->OnFrameEnd();
        if (flow->OnAck(frame, nowNs))
        {
            flow->GetPath().source->RemoveFlow(flow);
        }
        // only a flow that has waited for it begins no sooner than the acknowledgement
        flow->GetPath().source->m_inputLead =
            wasOpen ? DcnFrame::WAITED : static_cast<uint32_t>(frame->lead);
        flow->GetPath().source->Kick(nowNs);
        flow->GetPath().source->m_inputLead = DcnFrame::WAITED;
        break;
    }
    case DcnFrameKind::PAUSE:
    case DcnFrameKind::RESUME:
        SetPaused(frame->kind == DcnFrameKind::PAUSE, nowNs);
        m_pool->Put(frame);
        return;
    }
    m_pool->Put(frame);
    flow->Release();
}

void
DcnHostDevice::RemoveFlow(const DcnPacketFlow* flow)
{
    NoteChange();
    auto position = std::find(m_flows.begin(), m_flows.end(), flow);
    if (position == m_flows.end())
    {
        return;
    }
    const auto index = static_cast<std::size_t>(position - m_flows.begin());
    m_flows.erase(position);
    if (index < m_nextFlow)
    {
        --m_nextFlow;
    }
}

void
DcnHostDevice::Flush(int64_t /* nowNs */)
{
    while (!m_acks.IsEmpty())
    {
        Lose(m_acks.Pop());
    }
}

DcnFrame*
DcnHostDevice::PickFrame(int64_t nowNs)
{
    if (!m_acks.IsEmpty() && (m_acks.Peek()->highPriority || !m_paused))
    {
        DcnFrame* ack = m_acks.Pop();
        ack->lead = GetStartLead(ack->lead, nowNs);
        return ack;
    }
    if (m_paused)
    {
        return nullptr;
    }
    const std::size_t n = m_flows.size();
    std::size_t i = m_nextFlow < n ? m_nextFlow : 0;
    for (std::size_t tried = 0; tried < n; ++tried)
    {
        DcnPacketFlow* flow = m_flows[i];
        const DcnFlowSender& sender = flow->GetSender();
        if (sender.IsWindowOpen() && sender.GetNextSendNs() <= nowNs)
        {
            m_nextFlow = i + 1;
            const uint32_t sendLead =
                nowNs == sender.GetNextSendNs() ? sender.GetSendLead() : DcnFrame::WAITED;
            const uint32_t lead = std::min(sendLead, m_inputLead);
            return flow->MakePacket(nowNs, GetStartLead(lead, nowNs));
        }
        i = i + 1 < n ? i + 1 : 0;
    }
    return nullptr;
}

int64_t
DcnHostDevice::NextPickNs(int64_t fromNs) const
{
    if (!m_acks.IsEmpty() && (m_acks.Peek()->highPriority || !m_paused))
    {
        return fromNs;
    }
    int64_t nextNs = NEVER;
    if (!m_paused)
    {
        for (const DcnPacketFlow* flow : m_flows)
        {
            const DcnFlowSender& sender = flow->GetSender();
            if (sender.IsWindowOpen())
            {
                if (sender.GetNextSendNs() <= fromNs)
                {
                    return fromNs;
                }
                nextNs = std::min(nextNs, sender.GetNextSendNs());
            }
        }
    }
    return nextNs;
}

} // namespace ns3

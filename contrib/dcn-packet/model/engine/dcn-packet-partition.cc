/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "dcn-packet-partition.h"

#include "dcn-host-device.h"

#include "ns3/simulator.h"

namespace ns3
{

DcnPacketPartition::DcnPacketPartition(DcnPartitionedNetwork& network,
                                       DcnPacketListener& listener,
                                       uint32_t number,
                                       uint32_t nPartitions,
                                       int64_t aheadNs)
    : DcnFlowOwner(number, nPartitions, aheadNs),
      m_network(network),
      m_listener(listener)
{
}

void
DcnPacketPartition::ScheduleStart()
{
    if (m_nextStart < m_starts.size())
    {
        const auto& [flow, atNs] = m_starts[m_nextStart];
        events.ScheduleFlow(DcnPacketEventKind::START, nullptr, flow, events.GetPartition(), atNs);
    }
}

void
DcnPacketPartition::RunTurn(int64_t nowNs, int64_t untilNs)
{
    /// Notices that a listener has stopped the simulation.
    struct Handler
    {
        DcnPacketPartition& partition; //!< runs the events

        void Run(const DcnWindowEvent& event)
        {
            partition.Run(event);
            // true also if ns-3 has no other event; then it takes another turn for the rest
            if (Simulator::IsFinished())
            {
                partition.events.GetList().Stop();
            }
        }

        void PrefetchFrame(const DcnWindowEvent& event)
        {
            DcnPacketPartition::PrefetchFrame(event);
        }

        void PrefetchSubject(const DcnWindowEvent& event)
        {
            DcnPacketPartition::PrefetchSubject(event);
        }

        void PrefetchReferred(const DcnWindowEvent& event)
        {
            DcnPacketPartition::PrefetchReferred(event);
        }
    };

    /// Ends the turn, also where a listener throws.
    struct Guard
    {
        DcnPacketEvents& events; //!< run

        ~Guard()
        {
            events.EndTurn();
        }
    };

    Handler handler{*this};
    events.BeginTurn(nowNs);
    const Guard guard{events};
    events.GetList().Run(untilNs, handler);
}

void
DcnPacketPartition::RunFlow(const DcnWindowEvent& event)
{
    const auto kind = static_cast<DcnPacketEventKind>(event.GetKind());
    if (kind == DcnPacketEventKind::LOOK)
    {
        m_network.OnLook(event.GetNumber());
        return;
    }
    if (kind == DcnPacketEventKind::START)
    {
        ++m_nextStart;
        m_network.OnStart(*this, event.GetNumber(), event.timeNs);
        ScheduleStart();
        return;
    }
    auto* flow = static_cast<DcnPacketFlow*>(event.subject);
    if (flow->GetIndex() == event.GetNumber()) // the object may serve another flow now
    {
        flow->OnEvent(kind, event.timeNs);
    }
}

DcnPacketFlow*
DcnPacketPartition::TakeFlow()
{
    if (m_freeFlows.empty())
    {
        m_flows.push_back(Create<DcnPacketFlow>(this));
        return PeekPointer(m_flows.back());
    }
    DcnPacketFlow* flow = m_freeFlows.back();
    m_freeFlows.pop_back();
    return flow;
}

void
DcnPacketPartition::OnDelivered(const DcnPacketFlow& flow, int64_t nowNs)
{
    // called for the partition of the flow's source, by the thread of its destination's
    DcnPacketPartition& there = m_network.OnDelivered(flow, nowNs);
    ++there.m_nDelivered;
    there.m_deliveredBytes += flow.GetSizeBytes();
}

void
DcnPacketPartition::OnAcknowledged(const DcnPacketFlow& flow, int64_t nowNs)
{
    ++m_nAcknowledged;
    m_retransmittedBytes += flow.GetRetransmittedBytes();
    m_network.OnAcknowledged(flow, nowNs);
}

void
DcnPacketPartition::OnMessageDelivered(const DcnPacketFlow& connection, uint64_t message)
{
    m_listener.OnMessageDelivered(connection.GetIndex(), message);
}

void
DcnPacketPartition::OnMessageAcknowledged(const DcnPacketFlow& connection, uint64_t message)
{
    m_listener.OnMessageAcknowledged(connection.GetIndex(), message);
}

void
DcnPacketPartition::OnControl(const DcnPacketFlow& flow, int64_t nowNs)
{
    m_listener.OnControl(flow, nowNs);
}

void
DcnPacketPartition::OnFirstPacket(const DcnPacketFlow& flow, std::size_t hop, uint64_t queueBytes)
{
    m_listener.OnFirstPacket(flow, hop, queueBytes);
}

void
DcnPacketPartition::OnOver(DcnPacketFlow* flow)
{
    m_freeFlows.push_back(flow);
}

void
DcnPacketPartition::Wake(const DcnPacketFlow& flow, int64_t nowNs)
{
    flow.GetPath().source->Kick(nowNs);
}

bool
DcnPacketPartition::IsPaused(const DcnPacketFlow& flow) const
{
    return flow.GetPath().source->IsPaused();
}

std::pair<Ipv4Address, Ipv4Address>
DcnPacketPartition::GetAddresses(const DcnPacketFlow& flow) const
{
    const DcnFlow& ends = m_network.GetFlow(flow.GetIndex());
    return {MakeAddress(ends.src), MakeAddress(ends.dst)};
}

} // namespace ns3

/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "dcn-packet-partition.h"

#include "dcn-host-device.h"
#include "dcn-packet-flow.h"

#include "ns3/assert.h"

namespace ns3
{

DcnPacketPartition::DcnPacketPartition(const DcnPartitionedNetwork& network,
                                       const DcnFlowOwner& like,
                                       uint32_t number,
                                       int64_t aheadNs)
    : m_network(network),
      m_events(number, network.cut.GetNPartitions(), aheadNs)
{
    parameters = like.parameters;
    wireFormat = like.wireFormat;
    nackIntervalNs = like.nackIntervalNs;
    retransmissionTimeoutNs = like.retransmissionTimeoutNs;
    events.JoinPartition(&m_events, &network.partitionOf);
}

void
DcnPacketPartition::ScheduleStart()
{
    if (m_nextStart < m_starts.size())
    {
        const std::size_t flow = m_starts[m_nextStart];
        events.ScheduleFlow(DcnPacketEventKind::START,
                            nullptr,
                            flow,
                            m_events.GetPartition(),
                            m_network.originNs + m_network.scenario.GetFlows()[flow].startNs);
    }
}

void
DcnPacketPartition::RunFlow(const DcnWindowEvent& event)
{
    const auto kind = static_cast<DcnPacketEventKind>(event.GetKind());
    if (kind == DcnPacketEventKind::START)
    {
        StartFlow(event.GetNumber(), event.timeNs);
        return;
    }
    auto* flow = static_cast<DcnPacketFlow*>(event.subject);
    if (flow->GetIndex() == event.GetNumber()) // the object may serve another flow now
    {
        flow->OnEvent(kind, event.timeNs);
    }
}

void
DcnPacketPartition::StartFlow(std::size_t index, int64_t nowNs)
{
    ++m_nextStart;
    if (m_freeFlows.empty())
    {
        m_flows.push_back(Create<DcnPacketFlow>(this));
        m_freeFlows.push_back(PeekPointer(m_flows.back()));
    }
    DcnPacketFlow* flow = m_freeFlows.back();
    m_freeFlows.pop_back();
    m_network.begin(flow, index, nowNs);
    ScheduleStart();
}

void
DcnPacketPartition::OnDelivered(const DcnPacketFlow& flow, int64_t nowNs)
{
    // called for the flow's source's partition, by the thread of its destination's
    m_network.fctNs[flow.GetIndex()] = nowNs - flow.GetStartNs();
    DcnPacketPartition& there =
        *m_network.partitions[m_network.cut.GetPartition(flow.GetDestination())];
    ++there.m_nDelivered;
    there.m_deliveredBytes += flow.GetSizeBytes();
}

void
DcnPacketPartition::OnAcknowledged(const DcnPacketFlow& flow, int64_t /* nowNs */)
{
    m_retransmittedBytes += flow.GetRetransmittedBytes();
}

void
DcnPacketPartition::OnMessageDelivered(const DcnPacketFlow& /* connection */,
                                       uint64_t /* message */)
{
    NS_ASSERT_MSG(false, "connections take one thread");
}

void
DcnPacketPartition::OnMessageAcknowledged(const DcnPacketFlow& /* connection */,
                                          uint64_t /* message */)
{
    NS_ASSERT_MSG(false, "connections take one thread");
}

void
DcnPacketPartition::OnControl(const DcnPacketFlow& /* flow */, int64_t /* nowNs */)
{
    NS_ASSERT_MSG(false, "partitions have no listeners");
}

void
DcnPacketPartition::OnFirstPacket(const DcnPacketFlow& /* flow */,
                                  std::size_t /* hop */,
                                  uint64_t /* queueBytes */)
{
    NS_ASSERT_MSG(false, "partitions have no listeners");
}

void
DcnPacketPartition::OnOver(DcnPacketFlow* flow)
{
    m_freeFlows.push_back(flow);
}

void
DcnPacketPartition::Wake(const DcnPacketFlow& flow, int64_t nowNs)
{
    flow.GetSource()->Kick(nowNs);
}

bool
DcnPacketPartition::IsPaused(const DcnPacketFlow& flow) const
{
    return flow.GetSource()->IsPaused();
}

std::pair<Ipv4Address, Ipv4Address>
DcnPacketPartition::GetAddresses(const DcnPacketFlow& flow) const
{
    const DcnFlow& ends = m_network.scenario.GetFlows()[flow.GetIndex()];
    return {MakeAddress(ends.src), MakeAddress(ends.dst)};
}

} // namespace ns3

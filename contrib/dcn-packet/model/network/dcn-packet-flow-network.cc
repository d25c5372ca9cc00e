/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "dcn-packet-flow-network.h"

#include "../engine/dcn-packet-flow.h"

#include "ns3/boolean.h"
#include "ns3/simulator.h"

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(DcnPacketFlowNetwork);

TypeId
DcnPacketFlowNetwork::GetTypeId()
{
    static TypeId tid = TypeId("ns3::DcnPacketFlowNetwork")
                            .SetParent<DcnFlowNetwork>()
                            .SetGroupName("DcnPacket")
                            .AddConstructor<DcnPacketFlowNetwork>()
                            .AddAttribute("Skip",
                                          "Whether steady states are skipped (DcnSteadySkip).",
                                          BooleanValue(false),
                                          MakeBooleanAccessor(&DcnPacketFlowNetwork::m_skips),
                                          MakeBooleanChecker());
    return tid;
}

void
DcnPacketFlowNetwork::DoInstall(Ptr<const DcnTopology> topology, Ptr<const DcnNetworkConfig> config)
{
    Ptr<DcnPacketNetwork> packets = CreateObject<DcnPacketNetwork>();
    packets->SetAttribute("Skip", BooleanValue(m_skips));
    packets->Install(topology, config); // may throw
    m_packets = packets;
    m_packets->TraceConnectWithoutContext("FlowDelivered",
                                          MakeCallback(&DcnPacketFlowNetwork::OnDelivered, this));
    m_packets->TraceConnectWithoutContext(
        "FlowAcknowledged",
        MakeCallback(&DcnPacketFlowNetwork::OnAcknowledged, this));
    m_packets->TraceConnectWithoutContext(
        "MessageDelivered",
        MakeCallback(&DcnPacketFlowNetwork::OnMessageDelivered, this));
    m_packets->TraceConnectWithoutContext(
        "MessageAcknowledged",
        MakeCallback(&DcnPacketFlowNetwork::OnMessageAcknowledged, this));
}

void
DcnPacketFlowNetwork::DoStart(const DcnFlow& flow, DcnPath path)
{
    // AddFlow may report completion, which needs the number
    m_numbers.push_back(flow.id);
    try
    {
        m_packets->AddFlow(flow, path);
    }
    catch (...)
    {
        m_numbers.pop_back(); // the packets have no such flow
        throw;
    }
}

void
DcnPacketFlowNetwork::OnDelivered(Ptr<const DcnPacketFlow> flow)
{
    Complete(m_numbers[flow->GetIndex()], Simulator::Now().GetNanoSeconds() - flow->GetStartNs());
}

void
DcnPacketFlowNetwork::OnAcknowledged(Ptr<const DcnPacketFlow> flow)
{
    Forget(m_numbers[flow->GetIndex()]);
    Acknowledge(m_numbers[flow->GetIndex()],
                Simulator::Now().GetNanoSeconds() - flow->GetStartNs());
}

void
DcnPacketFlowNetwork::DoConnect(const DcnFlow& ends, DcnPath path)
{
    m_indices.push_back(m_packets->Connect(ends, path)); // before the rest: it may throw
    m_numbers.push_back(ends.id);
    m_connections.emplace_back();
}

void
DcnPacketFlowNetwork::DoAddMessage(uint64_t connection, const DcnFlow& message)
{
    m_connections[connection].messages.push_back({message.id, message.startNs});
    m_packets->AddMessage(m_indices[connection], message.sizeBytes);
}

void
DcnPacketFlowNetwork::OnMessageDelivered(std::size_t index, uint64_t message)
{
    const Connection& connection = m_connections[m_numbers[index]];
    const Message& done = connection.messages[message - connection.nAcknowledged];
    Complete(done.id, Simulator::Now().GetNanoSeconds() - done.startNs);
}

void
DcnPacketFlowNetwork::OnMessageAcknowledged(std::size_t index, uint64_t /* message */)
{
    Connection& connection = m_connections[m_numbers[index]];
    const Message done = connection.messages.front();
    connection.messages.pop_front();
    ++connection.nAcknowledged;
    Acknowledge(done.id, Simulator::Now().GetNanoSeconds() - done.startNs);
}

std::string
DcnPacketFlowNetwork::GetNote() const
{
    if (!m_packets || !m_skips)
    {
        return "";
    }
    const auto [skippedNs, nSkips] = m_packets->GetSkipped();
    return "skipped " + std::to_string(static_cast<double>(skippedNs) / 1e6) + " ms in " +
           std::to_string(nSkips) + " steady states";
}

bool
DcnPacketFlowNetwork::HasLinkChanges() const
{
    return true;
}

void
DcnPacketFlowNetwork::DoCheckPath(const DcnFlow& flow, DcnPath path) const
{
    m_packets->CheckPath(flow, path);
}

void
DcnPacketFlowNetwork::DoChangeLink(uint32_t link, uint64_t rateBps)
{
    m_packets->ChangeLink(link, rateBps);
}

void
DcnPacketFlowNetwork::DoHold(const DcnFlow& flow)
{
    m_packets->HoldFlow(flow.id, flow.src);
}

void
DcnPacketFlowNetwork::DoHoldConnection(uint64_t connection)
{
    m_packets->HoldConnection(m_indices[connection]);
}

void
DcnPacketFlowNetwork::DoMove(uint64_t flow, DcnPath path)
{
    m_packets->MoveFlow(flow, path);
}

void
DcnPacketFlowNetwork::DoMoveConnection(uint64_t connection, DcnPath path)
{
    m_packets->MoveConnection(m_indices[connection], path);
}

void
DcnPacketFlowNetwork::DoStop()
{
    if (m_packets)
    {
        m_packets->Dispose();
        m_packets = nullptr;
    }
    m_numbers.clear();
    m_indices.clear();
    m_connections.clear();
}

} // namespace ns3

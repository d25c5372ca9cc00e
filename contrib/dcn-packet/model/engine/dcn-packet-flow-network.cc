/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "dcn-packet-flow-network.h"

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
                            .AddConstructor<DcnPacketFlowNetwork>();
    return tid;
}

void
DcnPacketFlowNetwork::DoInstall(Ptr<const DcnTopology> topology, Ptr<const DcnNetworkConfig> config)
{
    m_packets = CreateObject<DcnPacketNetwork>();
    m_packets->Install(topology, config);
    m_packets->TraceConnectWithoutContext("FlowDelivered",
                                          MakeCallback(&DcnPacketFlowNetwork::OnDelivered, this));
}

void
DcnPacketFlowNetwork::DoStart(const DcnFlow& flow, DcnPath path)
{
    // AddFlow may report completion, which needs the number
    m_numbers.push_back(flow.id);
    m_packets->AddFlow(flow, path);
}

void
DcnPacketFlowNetwork::OnDelivered(Ptr<const DcnPacketFlow> flow)
{
    Complete(m_numbers[flow->GetIndex()], Simulator::Now().GetNanoSeconds() - flow->GetStartNs());
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
}

} // namespace ns3

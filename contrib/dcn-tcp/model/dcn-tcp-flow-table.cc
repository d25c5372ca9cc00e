/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "dcn-tcp-flow-table.h"

#include "ns3/assert.h"
#include "ns3/dcn-error.h"
#include "ns3/log.h"

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("DcnTcpFlowTable");

DcnTcpFlowTable::DcnTcpFlowTable(Ptr<const DcnScenario> scenario)
    : m_scenario(scenario),
      m_flowsOf(scenario->GetTopology().GetNNodes())
{
    if (m_flowsOf.size() > MAX_NODES)
    {
        DcnFail("the method \"tcp\" has addresses for ",
                MAX_NODES,
                " nodes, but the network has ",
                m_flowsOf.size());
    }
    const auto& flows = scenario->GetFlows();
    m_numbers.reserve(flows.size());
    for (std::size_t flow = 0; flow < flows.size(); ++flow)
    {
        auto& flowsOf = m_flowsOf[flows[flow].src];
        m_numbers.push_back(static_cast<uint32_t>(flowsOf.size()));
        flowsOf.push_back(static_cast<uint32_t>(flow));
        if (m_numbers.back() / N_SENDER_PORTS >= N_RECEIVER_PORTS)
        {
            DcnFail("the method \"tcp\" has ports for ",
                    static_cast<uint64_t>(N_SENDER_PORTS) * N_RECEIVER_PORTS,
                    " flows of a host, but host ",
                    scenario->GetTopology().GetExternalId(flows[flow].src),
                    " sends more");
        }
    }
    NS_LOG_INFO("ports for " << flows.size() << " flows");
}

Ipv4Address
DcnTcpFlowTable::GetAddress(uint32_t node)
{
    return Ipv4Address(FIRST_ADDRESS + node);
}

uint32_t
DcnTcpFlowTable::GetNode(Ipv4Address address)
{
    return address.Get() - FIRST_ADDRESS;
}

uint16_t
DcnTcpFlowTable::GetSenderPort(std::size_t flow) const
{
    return static_cast<uint16_t>(FIRST_SENDER_PORT + m_numbers[flow] % N_SENDER_PORTS);
}

uint16_t
DcnTcpFlowTable::GetReceiverPort(std::size_t flow) const
{
    return static_cast<uint16_t>(1 + m_numbers[flow] / N_SENDER_PORTS);
}

std::optional<std::size_t>
DcnTcpFlowTable::FindBefore(std::size_t flow) const
{
    if (m_numbers[flow] < N_SENDER_PORTS)
    {
        return std::nullopt;
    }
    return m_flowsOf[m_scenario->GetFlows()[flow].src][m_numbers[flow] - N_SENDER_PORTS];
}

DcnTcpFlowTable::Match
DcnTcpFlowTable::Find(Ipv4Address source,
                      uint16_t sourcePort,
                      Ipv4Address destination,
                      uint16_t destinationPort) const
{
    const bool isForward = sourcePort >= FIRST_SENDER_PORT;
    const uint32_t sender = GetNode(isForward ? source : destination);
    const uint32_t senderPort = isForward ? sourcePort : destinationPort;
    const uint32_t receiverPort = isForward ? destinationPort : sourcePort;
    const uint32_t number = senderPort - FIRST_SENDER_PORT + N_SENDER_PORTS * (receiverPort - 1);
    NS_ASSERT_MSG(sender < m_flowsOf.size() && number < m_flowsOf[sender].size(),
                  "a packet of no flow");
    return {m_flowsOf[sender][number], isForward};
}

} // namespace ns3

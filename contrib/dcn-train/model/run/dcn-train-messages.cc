/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "dcn-train-messages.h"

#include "ns3/dcn-error.h"
#include "ns3/log.h"
#include "ns3/simulator.h"

#include <sstream>

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("DcnTrainMessages");

DcnTrainMessages::DcnTrainMessages(Ptr<DcnFlowNetwork> network, const NodeContainer& hosts)
    : m_network(network),
      m_hosts(hosts)
{
    network->TraceConnectWithoutContext("FlowCompleted",
                                        MakeCallback(&DcnTrainMessages::OnCompleted, this));
    network->TraceConnectWithoutContext("FlowAcknowledged",
                                        MakeCallback(&DcnTrainMessages::OnAcknowledged, this));
}

DcnTrainMessages::~DcnTrainMessages()
{
    m_network->TraceDisconnectWithoutContext("FlowCompleted",
                                             MakeCallback(&DcnTrainMessages::OnCompleted, this));
    m_network->TraceDisconnectWithoutContext("FlowAcknowledged",
                                             MakeCallback(&DcnTrainMessages::OnAcknowledged, this));
}

void
DcnTrainMessages::Check(const Matching::Key& key, uint64_t bytes, const char* verb) const
{
    const uint32_t nRanks = m_hosts.GetN();
    std::ostringstream problem;
    if (key.source >= nRanks || key.destination >= nRanks)
    {
        problem << ", but the ranks with hosts are 0 to " << nRanks - 1;
    }
    else if (key.source == key.destination)
    {
        problem << ", but a rank has no messages to itself";
    }
    else if (bytes == 0)
    {
        problem << ", but a message has at least one byte";
    }
    if (!problem.str().empty())
    {
        DcnFail("a ",
                verb,
                " has ",
                bytes,
                " bytes from rank ",
                key.source,
                " to rank ",
                key.destination,
                " with tag ",
                key.tag,
                problem.str());
    }
}

void
DcnTrainMessages::CheckSizes(const Matching::Key& key, uint32_t slot)
{
    const Matching::Message& message = m_matching.Get(slot);
    if (message.isSent && message.isPosted && message.sendBytes != message.receiveBytes)
    {
        DcnFail("rank ",
                key.source,
                " sends ",
                message.sendBytes,
                " bytes to rank ",
                key.destination,
                " with tag ",
                key.tag,
                ", but the receive is of ",
                message.receiveBytes,
                " bytes");
    }
}

void
DcnTrainMessages::Send(uint32_t source,
                       uint32_t destination,
                       uint32_t tag,
                       uint64_t bytes,
                       Handler sent)
{
    const Matching::Key key{source, destination, tag};
    Check(key, bytes, "send");
    const uint32_t slot = m_matching.AddSend(key, bytes, nullptr);
    CheckSizes(key, slot);
    auto found = m_connections.find({source, destination});
    if (found == m_connections.end())
    {
        const uint64_t connection =
            m_network->Connect(m_hosts.Get(source), m_hosts.Get(destination), 0);
        found = m_connections.insert({{source, destination}, connection}).first;
    }
    NS_LOG_LOGIC("rank " << source << " sends " << bytes << " bytes to rank " << destination
                         << " with tag " << tag);
    const uint64_t flow = m_network->AddMessage(found->second, bytes);
    m_slotOf[flow] = slot;
    m_unacknowledged[flow] = std::move(sent);
    ++m_nMessages;
    m_nBytes += bytes;
}

void
DcnTrainMessages::Receive(uint32_t destination,
                          uint32_t source,
                          uint32_t tag,
                          uint64_t bytes,
                          Handler received)
{
    const Matching::Key key{source, destination, tag};
    Check(key, bytes, "receive");
    const uint32_t slot = m_matching.AddReceive(key, bytes, received);
    CheckSizes(key, slot);
    if (m_matching.Get(slot).isDelivered)
    {
        m_matching.Remove(slot);
        Simulator::ScheduleNow(&DcnTrainMessages::Call, received);
    }
}

void
DcnTrainMessages::Call(const Handler& handler)
{
    handler();
}

void
DcnTrainMessages::OnCompleted(uint64_t flow, Time /* time */)
{
    const auto found = m_slotOf.find(flow);
    if (found == m_slotOf.end())
    {
        return; // of other traffic
    }
    const uint32_t slot = found->second;
    m_slotOf.erase(found);
    Matching::Message& message = m_matching.Get(slot);
    message.isDelivered = true;
    if (message.isPosted)
    {
        const Handler received = std::move(message.receive);
        m_matching.Remove(slot);
        received();
    }
}

void
DcnTrainMessages::OnAcknowledged(uint64_t flow, Time /* time */)
{
    const auto found = m_unacknowledged.find(flow);
    if (found != m_unacknowledged.end())
    {
        const Handler sent = std::move(found->second);
        m_unacknowledged.erase(found);
        sent();
    }
}

uint64_t
DcnTrainMessages::GetNMessages() const
{
    return m_nMessages;
}

uint64_t
DcnTrainMessages::GetNBytes() const
{
    return m_nBytes;
}

std::string
DcnTrainMessages::DescribeWait(uint32_t rank) const
{
    for (const Matching::Open& open : m_matching.GetOpen())
    {
        if (!open.isSend && open.key.destination == rank)
        {
            std::ostringstream text;
            text << "waits for " << m_matching.Get(open.slot).receiveBytes << " bytes from rank "
                 << open.key.source << " with tag " << open.key.tag << ", which were not sent";
            return text.str();
        }
    }
    return "";
}

} // namespace ns3

/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "dcn-packet-traces.h"

#include "../engine/dcn-packet-flow.h"

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(DcnPacketTraces);

namespace
{

/// Calls a trace source of flows, if anybody listens to it.
template <class Trace, class... Args>
void
Call(const Trace& trace, const DcnPacketFlow& flow, Args... args)
{
    if (!trace.IsEmpty())
    {
        trace(Ptr<const DcnPacketFlow>(&flow), args...);
    }
}

} // namespace

TypeId
DcnPacketTraces::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::DcnPacketTraces")
            .SetParent<Object>()
            .SetGroupName("DcnPacket")
            .AddTraceSource("FlowStarted",
                            "A flow starts; no packet has been sent.",
                            MakeTraceSourceAccessor(&DcnPacketTraces::m_flowStarted),
                            "ns3::DcnPacketTraces::FlowCallback")
            .AddTraceSource("FlowDelivered",
                            "The receiver has a whole flow.",
                            MakeTraceSourceAccessor(&DcnPacketTraces::m_flowDelivered),
                            "ns3::DcnPacketTraces::FlowCallback")
            .AddTraceSource("FlowAcknowledged",
                            "The sender has the last acknowledgement of a flow.",
                            MakeTraceSourceAccessor(&DcnPacketTraces::m_flowAcknowledged),
                            "ns3::DcnPacketTraces::FlowCallback")
            .AddTraceSource("MessageDelivered",
                            "The receiver has a whole message of a connection.",
                            MakeTraceSourceAccessor(&DcnPacketTraces::m_messageDelivered),
                            "ns3::DcnPacketTraces::MessageCallback")
            .AddTraceSource("MessageAcknowledged",
                            "The sender has the last acknowledgement of a message.",
                            MakeTraceSourceAccessor(&DcnPacketTraces::m_messageAcknowledged),
                            "ns3::DcnPacketTraces::MessageCallback")
            .AddTraceSource("FirstPacket",
                            "The first packet of a flow comes to the egress queue of a switch. "
                            "For flows that start after the listener has connected.",
                            MakeTraceSourceAccessor(&DcnPacketTraces::m_firstPacket),
                            "ns3::DcnPacketTraces::FirstPacketCallback")
            .AddTraceSource("FlowControl",
                            "The congestion control of a flow has seen an acknowledgement or a "
                            "timer: GetRate, GetWindow and GetControlState of the flow are new. "
                            "For flows that start after the listener has connected.",
                            MakeTraceSourceAccessor(&DcnPacketTraces::m_flowControl),
                            "ns3::DcnPacketTraces::FlowControlCallback");
    return tid;
}

DcnPacketTraces::DcnPacketTraces() = default;

DcnPacketTraces::~DcnPacketTraces() = default;

void
DcnPacketTraces::DoDispose()
{
    // a collector holds the network, and these hold the collector
    m_flowStarted = {};
    m_flowDelivered = {};
    m_flowAcknowledged = {};
    m_messageDelivered = {};
    m_messageAcknowledged = {};
    m_firstPacket = {};
    m_flowControl = {};
    Object::DoDispose();
}

bool
DcnPacketTraces::HasListener() const
{
    return !m_flowStarted.IsEmpty() || !m_flowDelivered.IsEmpty() ||
           !m_flowAcknowledged.IsEmpty() || !m_firstPacket.IsEmpty() || !m_flowControl.IsEmpty();
}

void
DcnPacketTraces::OnStarted(const DcnPacketFlow& flow)
{
    Call(m_flowStarted, flow);
}

void
DcnPacketTraces::OnDelivered(const DcnPacketFlow& flow)
{
    Call(m_flowDelivered, flow);
}

void
DcnPacketTraces::OnAcknowledged(const DcnPacketFlow& flow)
{
    Call(m_flowAcknowledged, flow);
}

void
DcnPacketTraces::OnMessageDelivered(std::size_t connection, uint64_t message)
{
    m_messageDelivered(connection, message);
}

void
DcnPacketTraces::OnMessageAcknowledged(std::size_t connection, uint64_t message)
{
    m_messageAcknowledged(connection, message);
}

void
DcnPacketTraces::OnFirstPacket(const DcnPacketFlow& flow, std::size_t hop, uint64_t queueBytes)
{
    Call(m_firstPacket, flow, hop, queueBytes);
}

void
DcnPacketTraces::OnControl(const DcnPacketFlow& flow, int64_t nowNs)
{
    Call(m_flowControl, flow, NanoSeconds(nowNs));
}

bool
DcnPacketTraces::WantsFirstPackets() const
{
    return !m_firstPacket.IsEmpty();
}

bool
DcnPacketTraces::WantsControl() const
{
    return !m_flowControl.IsEmpty();
}

} // namespace ns3

/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "dcn-frame.h"

#include "dcn-packet-device.h"
#include "dcn-packet-flow.h"
#include "dcn-transport-header.h"

#include "ns3/ethernet-header.h"
#include "ns3/ipv4-header.h"
#include "ns3/udp-header.h"

namespace ns3
{

void
DcnFrame::Notify()
{
    receiver->Arrive(this);
}

Ptr<Packet>
DcnFrame::ToPacket() const
{
    EthernetHeader link(false);
    Ipv4Header ip;
    UdpHeader udp;
    const uint32_t network = link.GetSerializedSize() + ip.GetSerializedSize();
    DcnTransportHeader transport(*this);
    const bool isData = kind == DcnFrameKind::DATA;
    // acknowledgements and pauses follow the IP header directly, data comes in UDP
    const uint32_t before = network + (isData ? udp.GetSerializedSize() : 0);
    transport.SetLength(wireBytes - before - payloadBytes);

    Ptr<Packet> packet = Create<Packet>(payloadBytes);
    packet->AddHeader(transport);
    if (isData)
    {
        udp.SetSourcePort(static_cast<uint16_t>(10000 + flow->GetIndex() % 50000));
        udp.SetDestinationPort(100);
        packet->AddHeader(udp);
    }
    ip.SetProtocol(isData ? 17 : 0xfc); // UDP, or one of those left for experiments
    ip.SetTtl(64);
    ip.SetPayloadSize(static_cast<uint16_t>(packet->GetSize()));
    ip.SetEcn(!isData                   ? Ipv4Header::ECN_NotECT
              : congestionExperienced ? Ipv4Header::ECN_CE
                                        : Ipv4Header::ECN_ECT0);
    if (flow)
    {
        const auto [source, destination] = flow->GetAddresses();
        ip.SetSource(isData ? source : destination);
        ip.SetDestination(isData ? destination : source);
    }
    packet->AddHeader(ip);
    link.SetLengthType(0x0800);
    packet->AddHeader(link);
    return packet;
}

DcnFramePool::~DcnFramePool()
{
    CancelAll();
    for (DcnFrame* frame : m_all)
    {
        frame->Unref();
    }
}

void
DcnFramePool::CancelAll()
{
    for (DcnFrame* frame : m_all)
    {
        frame->Cancel();
    }
}

DcnFrame*
DcnFramePool::Grow()
{
    m_all.push_back(new DcnFrame); // its one reference is the pool's
    return m_all.back();
}

} // namespace ns3

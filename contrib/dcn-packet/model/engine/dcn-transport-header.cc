/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "dcn-transport-header.h"

#include "dcn-packet-flow.h"

#include "ns3/ethernet-header.h"
#include "ns3/ipv4-header.h"
#include "ns3/udp-header.h"

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(DcnTransportHeader);

TypeId
DcnTransportHeader::GetTypeId()
{
    static TypeId tid = TypeId("ns3::DcnTransportHeader")
                            .SetParent<Header>()
                            .SetGroupName("DcnPacket")
                            .AddConstructor<DcnTransportHeader>();
    return tid;
}

DcnTransportHeader::DcnTransportHeader(const DcnFrame& frame)
    : m_sequence(static_cast<uint32_t>(frame.sequence)),
      m_kind(frame.kind),
      m_echo(frame.IsAck() && frame.congestionExperienced)
{
}

void
DcnTransportHeader::SetLength(uint32_t bytes)
{
    NS_ASSERT_MSG(bytes >= FIXED_BYTES, "the transport header needs 6 bytes");
    m_length = bytes;
}

TypeId
DcnTransportHeader::GetInstanceTypeId() const
{
    return GetTypeId();
}

uint32_t
DcnTransportHeader::GetSerializedSize() const
{
    return m_length;
}

void
DcnTransportHeader::Serialize(Buffer::Iterator start) const
{
    start.WriteHtonU32(m_sequence);
    start.WriteU8(static_cast<uint8_t>(m_kind));
    start.WriteU8(m_echo ? 1 : 0);
    start.WriteU8(0, m_length - FIXED_BYTES);
}

uint32_t
DcnTransportHeader::Deserialize(Buffer::Iterator start)
{
    m_sequence = start.ReadNtohU32();
    m_kind = static_cast<DcnFrameKind>(start.ReadU8());
    m_echo = start.ReadU8() != 0;
    return m_length;
}

void
DcnTransportHeader::Print(std::ostream& os) const
{
    static const char* const names[] = {"DATA", "ACK", "NACK", "PAUSE", "RESUME"};
    os << names[static_cast<uint8_t>(m_kind)] << " sequence " << m_sequence
       << (m_echo ? " echo" : "");
}

Ptr<Packet>
DcnMakePacket(const DcnFrame& frame)
{
    EthernetHeader link(false);
    Ipv4Header ip;
    UdpHeader udp;
    const uint32_t network = link.GetSerializedSize() + ip.GetSerializedSize();
    DcnTransportHeader transport(frame);
    const bool isData = frame.kind == DcnFrameKind::DATA;
    // acknowledgements and pauses follow the IP header directly, data comes in UDP
    const uint32_t before = network + (isData ? udp.GetSerializedSize() : 0);
    transport.SetLength(frame.wireBytes - before - frame.payloadBytes);

    Ptr<Packet> packet = Create<Packet>(frame.payloadBytes);
    packet->AddHeader(transport);
    if (isData)
    {
        udp.SetSourcePort(static_cast<uint16_t>(10000 + frame.flow->GetIndex() % 50000));
        udp.SetDestinationPort(100);
        packet->AddHeader(udp);
    }
    ip.SetProtocol(isData ? 17 : 0xfc); // UDP, or a number reserved for experiments
    ip.SetTtl(64);
    ip.SetPayloadSize(static_cast<uint16_t>(packet->GetSize()));
    ip.SetEcn(!isData                       ? Ipv4Header::ECN_NotECT
              : frame.congestionExperienced ? Ipv4Header::ECN_CE
                                            : Ipv4Header::ECN_ECT0);
    if (frame.flow)
    {
        const auto [source, destination] = frame.flow->GetAddresses();
        ip.SetSource(isData ? source : destination);
        ip.SetDestination(isData ? destination : source);
    }
    packet->AddHeader(ip);
    link.SetLengthType(0x0800);
    packet->AddHeader(link);
    return packet;
}

} // namespace ns3

/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "dcn-transport-header.h"

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

uint32_t
DcnTransportHeader::GetSequence() const
{
    return m_sequence;
}

DcnFrameKind
DcnTransportHeader::GetKind() const
{
    return m_kind;
}

bool
DcnTransportHeader::GetEcho() const
{
    return m_echo;
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

} // namespace ns3

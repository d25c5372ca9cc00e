/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef DCN_TRANSPORT_HEADER_H
#define DCN_TRANSPORT_HEADER_H

#include "../frames/dcn-frame.h"

#include "ns3/header.h"
#include "ns3/packet.h"

#include <cstdint>

namespace ns3
{

/**
 * @ingroup dcn-packet
 * @brief Transport header in packet traces: follows the UDP header of data packets and the IP
 * header of other frames.
 *
 * Bytes: 4 sequence number (low 32 bits, network order), 1 kind (DcnFrameKind), 1 echo of the
 * congestion mark, then zeros up to the length that the congestion control's packets have (send
 * time, telemetry, padding).
 */
class DcnTransportHeader : public Header
{
  public:
    /**
     * @brief Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();
    DcnTransportHeader() = default;

    /**
     * @param frame the frame described
     */
    explicit DcnTransportHeader(const DcnFrame& frame);

    /**
     * @param bytes length on the wire, at least 6
     */
    void SetLength(uint32_t bytes);

    /** @return low 32 bits of the sequence number [bytes]. */
    uint32_t GetSequence() const
    {
        return m_sequence;
    }

    /** @return kind of the frame. */
    DcnFrameKind GetKind() const
    {
        return m_kind;
    }

    TypeId GetInstanceTypeId() const override;
    uint32_t GetSerializedSize() const override;
    void Serialize(Buffer::Iterator start) const override;
    uint32_t Deserialize(Buffer::Iterator start) override;
    void Print(std::ostream& os) const override;

  private:
    static constexpr uint32_t FIXED_BYTES = 6; //!< sequence number, kind and echo

    uint32_t m_sequence{0};                  //!< see GetSequence
    DcnFrameKind m_kind{DcnFrameKind::DATA}; //!< see GetKind
    bool m_echo{false};                      //!< acknowledgements: the data packet had been marked
    uint32_t m_length{FIXED_BYTES};          //!< see SetLength
};

/**
 * @ingroup dcn-packet
 * @brief Convert a frame to an ns-3 packet: Ethernet-like link header, IPv4, UDP (data
 * only) and transport header, then payload of zeros; layout in the module's page.
 * @param frame the frame
 * @return a new packet of wireBytes bytes
 */
Ptr<Packet> DcnMakePacket(const DcnFrame& frame);

} // namespace ns3

#endif /* DCN_TRANSPORT_HEADER_H */

/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef DCN_UNITS_H
#define DCN_UNITS_H

#include <cstdint>

namespace ns3
{

/// @ingroup dcn
/// @brief Header bytes of a data packet on the wire with any congestion control: 14 link, 20 IP,
/// 8 UDP, 6 sequence number and priority group.
static constexpr uint32_t DCN_HEADER_BYTES = 48;

/// @ingroup dcn
/// @brief Bytes of an acknowledgement on the wire, without HPCC's telemetry.
static constexpr uint32_t DCN_ACK_BYTES = 60;

/**
 * @ingroup dcn
 * @brief Time that a frame occupies a link.
 *
 * The largest whole number of nanoseconds strictly below 8e9 * bytes / rate: the reference
 * simulator truncates twice in fixed point, so that exact results lose one nanosecond. Only with
 * this rule, packet completion times of a single flow agree with the reference to the nanosecond.
 *
 * @param bytes frame length on the wire, at most 2 GB
 * @param rateBps link rate [bit/s], > 0
 * @return the time [ns]
 */
inline int64_t
DcnSerializationNs(uint64_t bytes, uint64_t rateBps)
{
    return static_cast<int64_t>((bytes * 8'000'000'000ULL - 1) / rateBps);
}

/**
 * @ingroup dcn
 * @brief floor(a * b / c) without overflow.
 *
 * Rates times bytes or times delays can exceed 64 bits. A division of 128 bits is slow, so it is
 * used only if necessary.
 *
 * @param a any number
 * @param b any number
 * @param c divisor, > 0; the result must fit into 64 bits
 * @return floor(a * b / c)
 */
inline uint64_t
DcnMulDiv(uint64_t a, uint64_t b, uint64_t c)
{
    __extension__ typedef unsigned __int128 Wide; // no ISO C++, as ns-3's compiler flags remark
    const Wide product = static_cast<Wide>(a) * b;
    return product >> 64 ? static_cast<uint64_t>(product / c) : static_cast<uint64_t>(product) / c;
}

/**
 * @ingroup dcn
 * @brief Number of packets for a number of payload bytes.
 * @param bytes payload bytes, > 0
 * @param payloadPerPacket largest payload of a packet
 * @return ceil(bytes / payloadPerPacket)
 */
inline uint64_t
DcnPackets(uint64_t bytes, uint32_t payloadPerPacket)
{
    return (bytes + payloadPerPacket - 1) / payloadPerPacket;
}

/**
 * @ingroup dcn
 * @brief Bytes on the wire of a transfer.
 * @param bytes payload bytes
 * @param payloadPerPacket largest payload of a packet
 * @param headerBytes headers of a packet
 * @return payload plus headers
 */
inline uint64_t
DcnWireBytes(uint64_t bytes, uint32_t payloadPerPacket, uint32_t headerBytes = DCN_HEADER_BYTES)
{
    return bytes + DcnPackets(bytes, payloadPerPacket) * headerBytes;
}

} // namespace ns3

#endif /* DCN_UNITS_H */

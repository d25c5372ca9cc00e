/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef DCN_UNITS_H
#define DCN_UNITS_H

#include <algorithm>
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
 * @brief Time that a frame occupies a link, rounded down as in the reference simulator.
 *
 * The largest whole number of nanoseconds strictly below 8e9 * bytes / rate: the reference
 * simulator truncates twice in fixed point, so that exact results lose one nanosecond. With the
 * key time_grain_ns 1 every frame takes this time, and packet completion times of a single flow
 * agree with the reference to the nanosecond; a link of 100 Gb/s is then 1 % too fast. Otherwise
 * frames take DcnFrameTime, and this is a lower bound.
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

/// @ingroup dcn
/// @brief Bits of a tick: times finer than a nanosecond count in units of 2^-14 ns.
static constexpr uint32_t DCN_TICK_BITS = 14;

/// @ingroup dcn
/// @brief Ticks of a nanosecond.
static constexpr int64_t DCN_TICKS_PER_NS = 1 << DCN_TICK_BITS;

/**
 * @ingroup dcn
 * @brief Time that a frame occupies a link, in ticks.
 * @param bytes frame length on the wire, at most 2 GB
 * @param rateBps link rate [bit/s], > 0
 * @return floor(2^14 * 8e9 * bytes / rate) [2^-14 ns]
 */
inline int64_t
DcnSerializationTicks(uint64_t bytes, uint64_t rateBps)
{
    return static_cast<int64_t>(DcnMulDiv(bytes, 8'000'000'000ULL * DCN_TICKS_PER_NS, rateBps));
}

/**
 * @ingroup dcn
 * @param bytes frame length on the wire, at most 2 GB
 * @param rateBps rate [bit/s], > 0
 * @param isReference whole nanoseconds as of DcnSerializationNs (time_grain_ns 1)
 * @return the time that the frame takes at the rate [2^-14 ns]
 */
inline int64_t
DcnFrameTicks(uint64_t bytes, uint64_t rateBps, bool isReference)
{
    return isReference ? DcnSerializationNs(bytes, rateBps) << DCN_TICK_BITS
                       : DcnSerializationTicks(bytes, rateBps);
}

/**
 * @ingroup dcn
 * @param ticks a time [2^-14 ns]
 * @return the first whole nanosecond that is not before it [ns]
 */
inline int64_t
DcnCeilNs(int64_t ticks)
{
    return (ticks + DCN_TICKS_PER_NS - 1) >> DCN_TICK_BITS;
}

/**
 * @ingroup dcn
 * @brief Time that a frame occupies a link, for a clock of whole nanoseconds that keeps the rate.
 *
 * **Problem.** Events have whole nanoseconds, but a frame of S bytes takes 8e9 S / R ns on a link
 * of R bit/s: 20.96 ns for 1048 bytes at 400 Gb/s. Rounding every frame changes the rate of the
 * link.
 *
 * **Rule.** The exact end of a transmission is its exact begin plus 8e9 S / R. Its event comes at
 * the next whole nanosecond,
 *
 *     event = ceil(exact),     lead = event - exact,  0 <= lead < 1 ns.
 *
 * A frame that follows another at once begins lead before the event at which the other one ended.
 * So n frames back to back take n 8e9 S / R, whatever R is, and no frame ends before its time.
 * Fractions count in units of 2^-22 ns and are rounded down, which makes a link of 3.2 Tb/s too
 * fast by 2e-6 at most for frames of 60 bytes.
 */
struct DcnFrameTime
{
    static constexpr uint32_t FRACTION_BITS = 22;            //!< units of 2^-22 ns
    static constexpr int64_t ONE_NS = 1 << FRACTION_BITS;    //!< a nanosecond in these units

    int64_t ns{0};       //!< whole nanoseconds
    int64_t fraction{0}; //!< the rest [2^-22 ns], below ONE_NS

    /**
     * @param bytes frame length on the wire, at most 2 GB
     * @param rateBps link rate [bit/s], > 0
     * @param isReference whole nanoseconds as of DcnSerializationNs (time_grain_ns 1)
     * @return the time
     */
    static DcnFrameTime Of(uint64_t bytes, uint64_t rateBps, bool isReference)
    {
        if (isReference)
        {
            return {DcnSerializationNs(bytes, rateBps), 0};
        }
        const uint64_t bits = bytes * 8'000'000'000ULL;
        return {static_cast<int64_t>(bits / rateBps),
                static_cast<int64_t>(DcnMulDiv(bits % rateBps, ONE_NS, rateBps))};
    }

    /**
     * @brief Find the event of an end.
     * @param startNs event of the begin [ns]
     * @param lead of the begin; set to that of the end [2^-22 ns]
     * @return event of the end [ns]
     */
    int64_t GetEndNs(int64_t startNs, int64_t& lead) const
    {
        const int64_t late = fraction - lead; // exact end - startNs - ns, above -1 ns and below 1
        const int64_t carry = late > 0 ? 1 : 0;
        lead = (carry << FRACTION_BITS) - late;
        return startNs + ns + carry;
    }
};

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

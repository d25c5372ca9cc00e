/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef DCN_TELEMETRY_H
#define DCN_TELEMETRY_H

#include "dcn-state-bytes.h"

#include "ns3/dcn-units.h"

#include <algorithm>
#include <array>
#include <cstdint>

namespace ns3
{

/**
 * @ingroup dcn-packet
 * @brief In-band network telemetry (INT) that one switch writes into a data packet, for HPCC and
 * PowerTCP.
 */
struct DcnTelemetryHop
{
    /**
     * @param ns a time [ns]
     * @param lead the exact time is so long before [ticks of 2^-14 ns]
     * @return the exact time, modulo 2^64 [ticks]
     */
    static uint64_t MakeTicks(int64_t ns, uint32_t lead)
    {
        return (static_cast<uint64_t>(ns) << DCN_TICK_BITS) - lead;
    }

    /**
     * @param before an earlier report of the port, or a later one
     * @return time from that to this one [ns]
     */
    double GetNsSince(const DcnTelemetryHop& before) const
    {
        return static_cast<double>(static_cast<int64_t>(timeTicks - before.timeTicks)) /
               static_cast<double>(DCN_TICKS_PER_NS);
    }

    uint64_t timeTicks;  //!< when the packet left the queue, modulo 2^64 [ticks of 2^-14 ns]
    uint64_t txBytes;    //!< wire bytes that the port had sent before the packet
    uint64_t queueBytes; //!< wire bytes waiting at the port after the packet left, all classes
    uint64_t rateBps;    //!< port rate [bit/s]
};

/**
 * @ingroup dcn-packet
 * @brief Telemetry of all switches on a packet's path.
 */
struct DcnTelemetry
{
    static constexpr uint8_t MAX_HOPS = 5; //!< switches that fit into the 42 bytes on the wire

    /**
     * @brief Take the entries in use of another one.
     * @param from the other one
     */
    void CopyFrom(const DcnTelemetry& from)
    {
        nHops = from.nHops;
        std::copy_n(from.hops.begin(), from.nHops, hops.begin());
    }

    /**
     * @brief Move the reports as if they had been written later.
     * @param by the difference
     */
    void Translate(const DcnTranslation& by)
    {
        for (uint8_t i = 0; i < nHops; ++i)
        {
            hops[i].timeTicks += static_cast<uint64_t>(by.timeNs) << DCN_TICK_BITS;
            hops[i].txBytes += by.txBytes[i];
        }
    }

    /// @copydoc DcnReplayableControl::ExchangeState
    void Exchange(DcnStateBytes& state)
    {
        state.Exchange(nHops);
        for (uint8_t i = 0; i < nHops; ++i)
        {
            state.Exchange(hops[i]);
        }
    }

    std::array<DcnTelemetryHop, MAX_HOPS> hops; //!< in path order
    uint8_t nHops{0};                           //!< entries in use
};

} // namespace ns3

#endif /* DCN_TELEMETRY_H */

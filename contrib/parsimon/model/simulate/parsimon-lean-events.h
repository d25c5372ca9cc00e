/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef PARSIMON_LEAN_EVENTS_H
#define PARSIMON_LEAN_EVENTS_H

#include "ns3/dcn-timing-wheel.h"

#include <cstdint>

namespace ns3
{

/**
 * @ingroup parsimon
 * @brief A pending event of a link simulation; its payload (a packet, a NIC) belongs to the owner of
 * the events.
 */
struct ParsimonLeanEvent
{
    int64_t timeNs;   //!< when [ticks of 2^-14 ns]; the wheel gives the name
    int64_t order;    //!< of events of equal time
    uint32_t payload; //!< any number
    uint32_t next{0}; //!< set by the wheel

    /**
     * @param other another event
     * @return true if this one precedes it
     */
    bool operator<(const ParsimonLeanEvent& other) const
    {
        return timeNs < other.timeNs || (timeNs == other.timeNs && order < other.order);
    }
};

/**
 * @ingroup parsimon
 * @brief Pending events of a link simulation, in slots of 128 ns (2^21 ticks): a link sends few packets in that
 * time. The wheel holds the next half millisecond.
 */
using ParsimonLeanEvents = DcnTimingWheel<ParsimonLeanEvent, 21, 4096>;

} // namespace ns3

#endif /* PARSIMON_LEAN_EVENTS_H */

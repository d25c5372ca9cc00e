/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef PARSIMON_INTERFACE_DELAYS_H
#define PARSIMON_INTERFACE_DELAYS_H

#include "ns3/parsimon-link.h"

#include <cstdint>
#include <vector>

namespace ns3
{

/**
 * @ingroup parsimon
 * @brief The part of flows' delays in a link topology that the sources' interfaces alone cause.
 *
 * An interface of rate R serves its flows packet by packet in turn, which is processor sharing:
 * with n(t) flows of w_i bytes on the wire each, every flow gets R / n(t). In virtual time
 *
 *     dV/dt = R / n(t),   flow i ends when V = V(start_i) + w_i
 *
 * and N_i = (end_i - start_i) - w_i / R is what it loses to the others. This is exact for fluid
 * flows without a window, and differs from a simulation of the packets by less than 3 % of the mean
 * (doc/parsimon.rst); it takes O(n log n), where a simulation takes packets.
 *
 * @param link a link topology
 * @param payloadBytes largest payload of a packet
 * @param headerBytes added to each packet
 * @return N by position in ParsimonLink::flows [ns]
 */
std::vector<float> ParsimonInterfaceDelays(const ParsimonLink& link,
                                           uint32_t payloadBytes,
                                           uint32_t headerBytes);

} // namespace ns3

#endif /* PARSIMON_INTERFACE_DELAYS_H */

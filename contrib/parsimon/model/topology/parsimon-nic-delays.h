/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef PARSIMON_NIC_DELAYS_H
#define PARSIMON_NIC_DELAYS_H

#include "parsimon-link.h"

#include <cstdint>
#include <vector>

namespace ns3
{

/**
 * @ingroup parsimon
 * @brief The part of flows' delays in a link topology that the target does not cause: waits for
 * other flows of the NIC, and for the window.
 *
 * A NIC of rate R serves its flows packet by packet in turn, which is processor sharing, unless a
 * flow's window or pacing does not let it use its part. Let c_i be the largest mean rate of flow i
 * (ParsimonLinkFlow::GetLimit, at most R). At any time the flows present send at the max-min fair
 * rates
 *
 *     r_i = min(c_i, x),   x with sum_i r_i = R if sum_i c_i > R (the NIC is full), else r_i = c_i
 *
 * Flows of one limit c form a class. With dV_c/dt = min(c, x), flow i of w_i bytes on the wire ends
 * when V_c = V_c(start_i) + w_i, and
 *
 *     N_i = (end_i - start_i) - w_i / c_i + (V_i if its window is the limit c_i < R, else 0)
 *
 * is its delay, with V_i the idle time of its window (ParsimonWindow). This is exact for fluid
 * flows, and differs from a packet simulation by less than 3 % of the mean (doc/parsimon.rst). It
 * takes O(n (log n + k)) with k limits at a time; a packet simulation takes time in proportion to
 * packets.
 *
 * @param link a link topology
 * @param payloadBytes largest payload of a packet
 * @param headerBytes headers of each packet
 * @param isMet null, or set by position in ParsimonLink::flows to whether the NIC was full at any
 * time between start_i and end_i
 * @return N by position in ParsimonLink::flows [ns]
 */
std::vector<float> ParsimonNicDelays(const ParsimonLink& link,
                                     uint32_t payloadBytes,
                                     uint32_t headerBytes,
                                     std::vector<char>* isMet = nullptr);

} // namespace ns3

#endif /* PARSIMON_NIC_DELAYS_H */

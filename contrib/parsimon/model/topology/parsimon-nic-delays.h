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
 * other flows of the NIC and for the window, and longer headers.
 *
 * A NIC of rate R serves its flows packet by packet in turn, which is processor sharing, unless a
 * flow's window or pacing does not let it use its part. Let c_i be the largest mean rate of flow i
 * (ParsimonLinkFlow::GetLimit, at most R). At any time the flows present send at the max-min fair
 * rates
 *
 *     r_i = min(c_i, x),   x with sum_i r_i = R if sum_i c_i > R (the NIC is full), else r_i = c_i
 *
 * Flows of one limit c form a class. With dS_c/dt = min(c, x), flow i of w_i bytes on the wire ends
 * when S_c = S_c(start_i) + w_i. A flow that its window limits sends the B bytes of the first
 * window without a limit, and the rest at the rate with which it would end after w_i / R + V_i
 * alone, with V_i the idle time of its window (ParsimonWindow). The delay is
 *
 *     N_i = (end_i - start_i) - w'_i / R_i
 *
 * with R_i = R, or the flow's pace or `max_rate_bps` if smaller, and w'_i the bytes with the
 * headers of ideal completion times, from which link simulations count delays (DcnIdealFct). Alone,
 * N_i is V_i and the time of longer headers. Against packets, the mean is right to 3 % (suite
 * parsimon-lean). It takes O(n (log n + k)) with k limits at a time; a packet simulation takes time
 * in proportion to packets.
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

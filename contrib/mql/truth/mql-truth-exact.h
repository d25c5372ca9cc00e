/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef MQL_TRUTH_EXACT_H
#define MQL_TRUTH_EXACT_H

#include "mql-truth-engine.h"

namespace ns3
{

/**
 * @ingroup mql
 * @brief engine=exact: MqlSimulateNetwork without ns-3's packets, devices and scheduler.
 *
 * Queues are FIFO with one server each, so that the start of service of a packet is known when it
 * arrives. For the packet n that comes to a queue at a_n with s_n = 8 bytes / rate (whole
 * nanoseconds):
 *
 *     start_n = max(a_n, start_(n-1) + s_(n-1));  waiting = start_n - a_n
 *     arrival at the next queue = start_n + s_n + propagation
 *
 * It is dropped if as many packets as the buffer holds arrived before it and have start > a_n. One
 * event per packet and queue, in order of time, is enough. Packets are drawn as for
 * MqlSimulateNetwork, so that the two agree packet for packet but for the order of packets that
 * come to a queue in the same nanosecond.
 *
 * @param traffic of the configuration
 * @param watch unused: there are no devices
 * @return the outcome
 */
MqlTruthResult MqlSimulateExact(const MqlTruthTraffic& traffic, const MqlTruthWatch& watch);

} // namespace ns3

#endif /* MQL_TRUTH_EXACT_H */

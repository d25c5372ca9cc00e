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
 * @brief engine=exact: the model of MqlSimulateNetwork without ns-3's packets, devices and
 * scheduler.
 *
 * Queues are FIFO with one server each, so that the start of service of a packet is known at its
 * arrival. For packet n, which arrives at a queue at a_n with s_n = 8 bytes / rate (whole
 * nanoseconds):
 *
 *     start_n = max(a_n, start_(n-1) + s_(n-1));  waiting = start_n - a_n
 *     arrival at the next queue = start_n + s_n + propagation
 *
 * It is dropped if as many packets as the buffer can hold arrived before it and have start > a_n.
 * One event per packet and queue, in order of time, suffices. Packets are drawn as for
 * MqlSimulateNetwork, so that both agree packet for packet, except for the order of packets that
 * arrive at a queue in the same nanosecond.
 *
 * @param traffic of the configuration
 * @param watch unused, without devices
 * @return the measurements
 */
MqlTruthResult MqlSimulateExact(const MqlTruthTraffic& traffic, const MqlTruthWatch& watch);

} // namespace ns3

#endif /* MQL_TRUTH_EXACT_H */

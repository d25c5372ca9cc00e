/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef PARSIMON_ROUND_TRIP_H
#define PARSIMON_ROUND_TRIP_H

#include "parsimon-link.h"

#include "ns3/dcn-scenario.h"

namespace ns3
{

/**
 * @ingroup parsimon
 * @brief Give the pairs of a link topology the round trip that they have in the network.
 *
 * A link topology keeps the propagation delays of the links that it leaves out, not the time that a
 * packet needs to be sent on each of them: across a 10 and 40 Gb/s fabric of 12 us, 1.7 us of 14.7.
 * With a window near the bandwidth-delay product, that is most of the queueing that a flow can
 * stand before its window holds it back, so that flows put too much into queues and lose too little
 * themselves. With t(l) the time that link l takes to send a full packet and its acknowledgement,
 * and b the link behind the target that stands for the last ones, this adds
 *
 *     1/2 sum_(left out before) t(l)            to the delay of the source
 *     1/2 (sum_(left out behind) t(l) - t(b))   to that of the destination
 *
 * since acknowledgements take each delay a second time. Delays of flows do not change by it but
 * for the window: completion times and ideal ones grow alike. (The published topologies leave it
 * out.) Where several paths share an endpoint, that of its first flow counts.
 *
 * @param scenario the flows and their paths
 * @param link the topology that is changed
 */
void ParsimonKeepRoundTrip(const DcnScenario& scenario, ParsimonLink& link);

} // namespace ns3

#endif /* PARSIMON_ROUND_TRIP_H */

/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef MQL_TRUTH_TCP_H
#define MQL_TRUTH_TCP_H

#include "mql-truth-engine.h"

namespace ns3
{

/**
 * @ingroup mql
 * @brief engine=ns3, transport=tcp: ns-3's TCP.
 *
 * Each flow has a connection (InternetStackHelper's sockets, no queue disc, no Nagle algorithm,
 * every segment acknowledged). The application writes the bytes of a packet at each time of the
 * flow; TCP's window determines when they leave, and may join waiting bytes to larger segments of
 * at most the mean size. Switches forward as in MqlTruthNetwork. The round trip of a segment is
 * from its arrival at the source's device to the arrival of the acknowledgement that ends with it;
 * retransmitted segments are not counted.
 *
 * @param traffic of the configuration
 * @param watch collector
 * @return the measurements
 */
MqlTruthResult MqlSimulateTcp(const MqlTruthTraffic& traffic, const MqlTruthWatch& watch);

} // namespace ns3

#endif /* MQL_TRUTH_TCP_H */

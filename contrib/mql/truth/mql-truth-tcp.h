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
 * A connection per flow (InternetStackHelper's sockets, no queue disc, Nagle's algorithm off, every
 * segment acknowledged). The application writes the bytes of one packet at each instant at which
 * the flow has one; TCP's window decides when they leave, and may join waiting bytes into larger
 * segments of at most the mean size. Switches forward as in MqlTruthNetwork. The round trip of a
 * segment is from its arrival at the source's device to that of the acknowledgement that ends with
 * it; segments sent again are not counted.
 *
 * @param traffic of the configuration
 * @param watch collector
 * @return the outcome
 */
MqlTruthResult MqlSimulateTcp(const MqlTruthTraffic& traffic, const MqlTruthWatch& watch);

} // namespace ns3

#endif /* MQL_TRUTH_TCP_H */

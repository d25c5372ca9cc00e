/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef DCN_NETWORK_LIMITS_H
#define DCN_NETWORK_LIMITS_H

#include "dcn-scenario.h"

#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup dcn
 * @brief Say before a run where the configuration, rather than the network, limits flows.
 *
 * With b the smallest rate of a flow's path and T its round-trip time (DcnBaseRttNs), there is a
 * sentence for
 * - flows whose window is below half of b T: alone they use less than half of their path;
 * - flows whose smallest rate is above b: alone they overload their path;
 * - hosts that send at several rates: which values follow the NIC.
 * @param scenario flows, paths and configuration
 * @return sentences with the numbers of one such flow; none if there is nothing to say
 */
std::vector<std::string> DcnDescribeNetworkLimits(const DcnScenario& scenario);

} // namespace ns3

#endif /* DCN_NETWORK_LIMITS_H */

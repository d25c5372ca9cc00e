/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef PARSIMON_LINK_SCENARIO_H
#define PARSIMON_LINK_SCENARIO_H

#include "parsimon-link.h"

#include "ns3/dcn-scenario.h"

#include <cstdint>
#include <vector>

namespace ns3
{

/// @ingroup parsimon
/// @brief Marking thresholds of a target.
struct ParsimonMarking
{
    uint64_t kminBytes; //!< no packet is marked up to this queue [bytes]
    uint64_t kmaxBytes; //!< every packet is marked above this queue [bytes]
};

/// @ingroup parsimon
/// @brief Rate of the links behind a NIC with several delays over the NIC's own rate.
constexpr uint64_t PARSIMON_SPLIT_FACTOR = 10;

/**
 * @ingroup parsimon
 * @brief Thresholds of the target's queue, by its full capacity including the rate of
 * acknowledgements.
 * @param link the topology
 * @param network the configuration
 * @return floor(K * capacity / reference rate), as the packet engine computes them
 */
ParsimonMarking ParsimonTargetMarking(const ParsimonLink& link,
                                      const DcnNetworkParameters& network);

/**
 * @ingroup parsimon
 * @brief A link topology as a scenario, which DcnWriteScenario can write and any method can run.
 *
 * Nodes: the two ends u and v of the target, a host for every NIC before it and a host for every
 * endpoint behind it (a host that both sends and receives over the target becomes two). Links: NIC
 * to u at its corrected rate, u to v at the rate available to data, v to each destination at the
 * inflated rate; propagation delays are those of the endpoints. A NIC whose flows take paths of
 * inflated rate; propagation delays are those of the endpoints. A NIC whose flows take paths of
 * different delay to u has a switch behind it, with a link of PARSIMON_SPLIT_FACTOR times its rate
 * for each path. Flows are in the order of ParsimonLink::flows.
 *
 * The configuration is the given one, except that
 *
 * - the buffer is unlimited and there are no pauses: priority flow control couples links, which a
 *   decomposition cannot represent, and a target with hundreds of ingress ports could not even
 * reserve their headroom;
 * - the reference rate of the ECN thresholds is the rate of the target here, and the thresholds are
 *   those of ParsimonTargetMarking, so that the correction for acknowledgements does not shift
 * them;
 * - the minimum rate is at most that of the slowest NIC.
 *
 * @param link the topology, at least one flow; no flow is paced (ParsimonLinkFlow::paceBps)
 * @param network the configuration
 * @param seed of the scenario
 * @param original if given, hosts, switches and flows keep their numbers from it where possible
 * @return the scenario
 */
Ptr<const DcnScenario> ParsimonMakeLinkScenario(const ParsimonLink& link,
                                                const DcnNetworkParameters& network,
                                                uint64_t seed = 1,
                                                Ptr<const DcnScenario> original = nullptr);

/**
 * @ingroup parsimon
 * @brief Completion time of every flow alone in the link topology, by DcnComputeIdealFct.
 * @param link the topology
 * @param network the configuration
 * @return by position in ParsimonLink::flows [ns]
 */
std::vector<int64_t> ParsimonIdealFcts(const ParsimonLink& link,
                                       const DcnNetworkParameters& network);

} // namespace ns3

#endif /* PARSIMON_LINK_SCENARIO_H */

/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef DCN_SIMULATION_REPORT_H
#define DCN_SIMULATION_REPORT_H

#include "dcn-estimator.h"

#include <cstdint>
#include <set>
#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup dcn
 * @brief Notes of a simulation of packets beside its completion times: busiest links, and keys of
 * the configuration that it does not model. Methods that are ground truths share it.
 */
struct DcnSimulationReport
{
    /**
     * @brief Set DcnEstimate::busiestLinks: the three links with the largest shares of time in use.
     *
     * A link of rate r that has sent b bytes from the first start s to the end e of the simulation
     * was in use for the share
     *
     *     8 b / (r (e - s)),
     *
     * at most 1, whether flows have finished or not.
     * @param scenario the scenario
     * @param linkBytes bytes on the wire that each link sent until the end, by directed link
     * @param endNs end of the simulation, from the scenario's time 0 [ns]
     * @param estimate gets the text
     */
    static void SetBusiestLinks(const DcnScenario& scenario,
                                const std::vector<uint64_t>& linkBytes,
                                int64_t endNs,
                                DcnEstimate& estimate);

    /**
     * @param config a configuration
     * @param modelled keys that are left out
     * @return keys of transports with connections that are not at their defaults, such as
     * handshake_rtts
     */
    static std::vector<std::string> GetConnectionKeys(Ptr<const DcnNetworkConfig> config,
                                                      const std::set<std::string>& modelled = {});

    /**
     * @param keys of the configuration that a simulation does not model
     * @return the end of a provenance: "; not modelled: handshake_rtts, queue_packets"; empty
     * without keys
     */
    static std::string DescribeUnmodelled(const std::vector<std::string>& keys);
};

} // namespace ns3

#endif /* DCN_SIMULATION_REPORT_H */

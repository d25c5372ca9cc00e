/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef DCN_SIMULATION_REPORT_H
#define DCN_SIMULATION_REPORT_H

#include "dcn-estimator.h"

#include <cstdint>
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
     * @brief Set DcnEstimate::busiestLinks: the three links with the largest shares of time in use,
     * from the first start to the last completion.
     * @param scenario the scenario
     * @param linkBytes bytes on the wire that the simulation sent, by directed link
     * @param estimate has the completion times
     */
    static void SetBusiestLinks(const DcnScenario& scenario,
                                const std::vector<uint64_t>& linkBytes,
                                DcnEstimate& estimate);

    /**
     * @param config a configuration
     * @return keys of transports with connections that are not at their defaults, such as
     * handshake_rtts
     */
    static std::vector<std::string> GetConnectionKeys(Ptr<const DcnNetworkConfig> config);

    /**
     * @param keys of the configuration that a simulation does not model
     * @return the end of a provenance: "; not modelled: handshake_rtts, queue_packets"; empty
     * without keys
     */
    static std::string DescribeUnmodelled(const std::vector<std::string>& keys);
};

} // namespace ns3

#endif /* DCN_SIMULATION_REPORT_H */

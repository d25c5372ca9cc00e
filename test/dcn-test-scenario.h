/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef DCN_TEST_SCENARIO_H
#define DCN_TEST_SCENARIO_H

#include "ns3/dcn-scenario.h"
#include "ns3/dcn-topology-helper.h"
#include "ns3/dcn-workload.h"

#include <utility>

/**
 * @ingroup dcn-tests
 * @param topology the network
 * @param spec what flows are drawn
 * @param network the configuration
 * @return the flows of a workload on the paths that were drawn with them
 */
inline ns3::Ptr<const ns3::DcnScenario>
DcnMakeTestScenario(
    ns3::Ptr<const ns3::DcnTopology> topology,
    const ns3::DcnWorkloadSpec& spec,
    ns3::Ptr<const ns3::DcnNetworkConfig> network = ns3::DcnNetworkConfig::Preset("dctcp"))
{
    ns3::DcnWorkload workload = ns3::DcnWorkload::Generate(topology, spec);
    return ns3::DcnScenario::CreateWithPaths(topology,
                                             network,
                                             std::move(workload.flows),
                                             std::move(workload.paths));
}

/**
 * @ingroup dcn-tests
 * @param spec what flows are drawn
 * @param network the configuration
 * @return the same on the 32 hosts of the default fabric
 */
inline ns3::Ptr<const ns3::DcnScenario>
DcnMakeTestScenario(
    const ns3::DcnWorkloadSpec& spec,
    ns3::Ptr<const ns3::DcnNetworkConfig> network = ns3::DcnNetworkConfig::Preset("dctcp"))
{
    return DcnMakeTestScenario(ns3::DcnTopologyHelper::Create(ns3::DcnFabricParameters()),
                               spec,
                               network);
}

#endif /* DCN_TEST_SCENARIO_H */

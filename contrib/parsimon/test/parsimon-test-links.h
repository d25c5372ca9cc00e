/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef PARSIMON_TEST_LINKS_H
#define PARSIMON_TEST_LINKS_H

#include "../model/topology/parsimon-link-index.h"
#include "dcn-test-scenario.h"

#include "ns3/dcn-estimator.h"
#include "ns3/dcn-network-config.h"
#include "ns3/dcn-scenario-suite.h"
#include "ns3/dcn-scenario.h"
#include "ns3/dcn-workload.h"
#include "ns3/parsimon-link-builder.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

/// @return the congestion controls of the packet engine, without those of test suites
inline std::vector<std::string>
ParsimonTestControls()
{
    std::vector<std::string> controls = ns3::DcnScenarioSuite::GetLearnedControls();
    controls.insert(controls.end(), {"powertcp", "swift"});
    return controls;
}

/**
 * @ingroup parsimon-tests
 * @param cc congestion control
 * @param load of the most loaded link
 * @param nFlows number of flows
 * @return web-server flows of at most 300 kB on the 32-host fabric
 */
inline ns3::Ptr<const ns3::DcnScenario>
ParsimonMakeTestFabric(const std::string& cc, double load, uint64_t nFlows)
{
    ns3::DcnWorkloadSpec spec;
    spec.sizes = "web-server";
    spec.sizeCapBytes = 300000;
    spec.load = load;
    spec.nFlows = nFlows;
    return DcnMakeTestScenario(spec, ns3::DcnNetworkConfig::Preset(cc));
}

/// @return the published defaults: window 18 kB, K 30 kB at 10 Gb/s, g 1/16, 615 Mb/s, 1 Gb/s
inline ns3::Ptr<ns3::DcnNetworkConfig>
ParsimonMakeTestNetwork()
{
    ns3::Ptr<ns3::DcnNetworkConfig> network = ns3::DcnNetworkConfig::Preset("dctcp");
    network->SetKeys("window_bytes=18000,ecn_kmin_bytes=30000,ecn_kmax_bytes=30000");
    return network;
}

/**
 * @ingroup parsimon-tests
 * @param builder knows the loads of links
 * @param position of the link
 * @return the most loaded link there
 */
inline uint32_t
ParsimonFindHottest(const ns3::ParsimonLinkBuilder& builder, ns3::ParsimonPosition position)
{
    uint32_t hottest = 0;
    double load = 0;
    for (uint32_t each : builder.GetBusyLinks())
    {
        const auto& topology = builder.GetScenario().GetTopology();
        if (ns3::ParsimonLinkIndex::GetPosition(topology, each) == position &&
            builder.GetLoad(each) > load)
        {
            load = builder.GetLoad(each);
            hottest = each;
        }
    }
    return hottest;
}

/**
 * @ingroup parsimon-tests
 * @param scenario the flows
 * @return largest error of Parsimon's completion time of a flow, as a part of that by packets
 */
inline double
ParsimonGetLargestError(ns3::Ptr<const ns3::DcnScenario> scenario)
{
    const auto truth = ns3::DcnEstimator::CreateByName("packet")->Estimate(scenario).fctNs;
    const auto fctNs = ns3::DcnEstimator::CreateByName("parsimon")->Estimate(scenario).fctNs;
    ns3::Simulator::Destroy();
    double largest = 0;
    for (std::size_t i = 0; i < truth.size(); ++i)
    {
        const auto expected = static_cast<double>(truth[i]);
        largest = std::max(largest, std::abs(static_cast<double>(fctNs[i]) / expected - 1));
    }
    return largest;
}

#endif /* PARSIMON_TEST_LINKS_H */

/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

/**
 * @file
 * @brief The benchmark of dcn-bench for m4: speed by size of the network, and against packets.
 */

#include "dcn-bench.h"

#include "ns3/dcn-estimator.h"
#include "ns3/dcn-scenario.h"
#include "ns3/dcn-topology-helper.h"
#include "ns3/dcn-workload.h"
#include "ns3/simulator.h"

#include <string>
#include <utility>

using namespace ns3;

namespace
{

/**
 * @brief Make flows on a fabric like those that m4 was timed on: 50 % load, web-like matrix, DCTCP.
 * @param pods pods
 * @param racksPerPod racks of 16 hosts in a pod
 * @param sizes name of the flow sizes
 * @param nFlows number of flows
 * @return the scenario
 */
Ptr<const DcnScenario>
MakeScenario(uint32_t pods, uint32_t racksPerPod, const std::string& sizes, uint64_t nFlows)
{
    DcnFabricParameters fabric;
    fabric.pods = pods;
    fabric.racksPerPod = racksPerPod;
    fabric.hostsPerRack = 16;
    fabric.fabricsPerPod = 4;
    fabric.spinesPerPlane = racksPerPod / 2;
    Ptr<DcnTopology> topology = DcnTopologyHelper::Create(fabric);
    DcnWorkloadSpec spec;
    spec.sizes = sizes;
    spec.matrix = "web";
    spec.sigma = 1;
    spec.nFlows = nFlows;
    DcnWorkload workload = DcnWorkload::Generate(topology, spec);
    Ptr<DcnNetworkConfig> network = DcnNetworkConfig::Preset("dctcp");
    network->SetKey("buffer_bytes", "800000"); // more than 24 ports set aside
    return DcnScenario::CreateWithPaths(topology,
                                        network,
                                        std::move(workload.flows),
                                        std::move(workload.paths));
}

} // namespace

void
BenchM4()
{
    const std::pair<uint32_t, uint32_t> fabrics[] = {{4, 16}, {8, 48}, {32, 48}};
    for (const auto& [pods, racksPerPod] : fabrics)
    {
        const uint64_t nFlows = 50000;
        Ptr<const DcnScenario> scenario = MakeScenario(pods, racksPerPod, "web-server", nFlows);
        const DcnEstimate m4 = DcnEstimator::CreateByName("m4")->Estimate(scenario);
        const std::string hosts = std::to_string(scenario->GetTopology().GetHosts().size());
        Report("m4", hosts + "_events_per_s", 2 * static_cast<double>(nFlows) / m4.cpuSeconds);
        Report("m4", hosts + "_50000_flows_wall_s", m4.wallSeconds);
        if (pods == 4)
        {
            // the name that the table of targets has
            Report("m4", "events_per_s", 2 * static_cast<double>(nFlows) / m4.cpuSeconds);
        }
    }
    for (const char* sizes : {"cache-follower", "hadoop", "web-server"})
    {
        Ptr<const DcnScenario> scenario = MakeScenario(4, 16, sizes, 20000);
        const DcnEstimate m4 = DcnEstimator::CreateByName("m4")->Estimate(scenario);
        const DcnEstimate packet = DcnEstimator::CreateByName("packet")->Estimate(scenario);
        Simulator::Destroy();
        const std::string name(sizes);
        Report("m4", name + "_packet_cpu_s", packet.cpuSeconds);
        Report("m4", name + "_cpu_s", m4.cpuSeconds);
        Report("m4", name + "_speedup", packet.cpuSeconds / m4.cpuSeconds);
        if (name == "cache-follower")
        {
            Report("m4", "speedup", packet.cpuSeconds / m4.cpuSeconds);
        }
    }
}

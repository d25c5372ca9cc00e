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

#include <map>
#include <string>
#include <utility>
#include <vector>

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

/**
 * @brief Put copies of a scenario side by side: what a flow meets stays the same, but the network
 * grows.
 * @param copies how many, each on four pods of its own
 * @return the scenario
 */
Ptr<const DcnScenario>
MakeCopies(uint32_t copies)
{
    const Ptr<const DcnScenario> one = MakeScenario(4, 16, "web-server", 8000);
    DcnFabricParameters fabric;
    fabric.pods = 4 * copies;
    fabric.racksPerPod = 16;
    fabric.hostsPerRack = 16;
    fabric.fabricsPerPod = 4;
    fabric.spinesPerPlane = 8;
    Ptr<DcnTopology> topology = DcnTopologyHelper::Create(fabric);
    // hosts come rack by rack, and racks pod by pod
    std::map<uint32_t, std::size_t> places;
    for (const uint32_t host : one->GetTopology().GetHosts())
    {
        places.emplace(host, places.size());
    }
    const auto& hosts = topology->GetHosts();
    std::vector<DcnFlow> flows;
    for (const DcnFlow& flow : one->GetFlows())
    {
        for (uint32_t copy = 0; copy < copies; ++copy)
        {
            const std::size_t first = copy * places.size();
            flows.push_back({flows.size(),
                             hosts[first + places.at(flow.src)],
                             hosts[first + places.at(flow.dst)],
                             flow.sizeBytes,
                             flow.startNs});
        }
    }
    return DcnScenario::Create(topology, one->GetNetworkConfig(), std::move(flows));
}

} // namespace

void
BenchM4()
{
    for (const uint32_t copies : {1, 6, 24})
    {
        const Ptr<const DcnScenario> scenario = MakeCopies(copies);
        const DcnEstimate m4 = DcnEstimator::CreateByName("m4")->Estimate(scenario);
        const std::string hosts = std::to_string(scenario->GetTopology().GetHosts().size());
        const auto nEvents = 2 * static_cast<double>(scenario->GetFlows().size());
        Report("m4", hosts + "_events_per_s", nEvents / m4.cpuSeconds);
        if (copies == 1)
        {
            // the name that the table of targets has
            Report("m4", "events_per_s", nEvents / m4.cpuSeconds);
        }
    }
    {
        const Ptr<const DcnScenario> scenario = MakeScenario(8, 48, "web-server", 50000);
        const DcnEstimate m4 = DcnEstimator::CreateByName("m4")->Estimate(scenario);
        Report("m4", "6144_50000_flows_wall_s", m4.wallSeconds);
        Report("m4", "6144_50000_flows_cpu_s", m4.cpuSeconds);
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

/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

/**
 * @file
 * @brief Benchmarks of m3 against the packet engine, one core each, and on a large fabric.
 */

#include "dcn-bench.h"

#include "ns3/dcn-fct-table.h"
#include "ns3/dcn-topology-helper.h"
#include "ns3/dcn-workload.h"
#include "ns3/dcn-estimator.h"
#include "ns3/simulator.h"

#include <string>
#include <vector>

using namespace ns3;

namespace
{

/**
 * @param fabric the network, 10 and 40 Gb/s
 * @param sizes size distribution
 * @param nFlows number of flows
 * @return flows at 50 % load
 */
Ptr<const DcnScenario>
MakeScenario(const DcnFabricParameters& fabric, const std::string& sizes, uint64_t nFlows)
{
    DcnWorkloadSpec spec;
    spec.sizes = sizes;
    spec.matrix = "web";
    spec.nFlows = nFlows;
    spec.load = 0.5;
    spec.sigma = 1;
    Ptr<DcnTopology> topology = DcnTopologyHelper::Create(fabric);
    DcnWorkload workload = DcnWorkload::Generate(topology, spec);
    Ptr<DcnNetworkConfig> network = DcnNetworkConfig::Preset("dctcp");
    network->bufferBytes = 3000000;
    return DcnScenario::CreateWithPaths(topology,
                                        network,
                                        std::move(workload.flows),
                                        std::move(workload.paths));
}

} // namespace

void
BenchM3()
{
    DcnFabricParameters fabric; // 256 hosts, 2:1
    fabric.racksPerPod = 16;
    fabric.hostsPerRack = 8;
    fabric.spinesPerPlane = 8;
    struct Case
    {
        std::string prefix; // of the metrics
        std::string sizes;  // size distribution
        uint64_t nFlows;    // packets cost per byte, m3 per flow
    };
    for (const Case& one : std::vector<Case>{{"", "cache-follower", 200'000},
                                             {"web_server_", "web-server", 200'000}})
    {
        auto scenario = MakeScenario(fabric, one.sizes, one.nFlows);
        const auto truth = DcnEstimator::CreateByName("packet")->Estimate(scenario);
        Simulator::Destroy();
        const auto estimate =
            DcnEstimator::CreateByName("m3:NPaths=500:Threads=1")->Estimate(scenario);
        Report("m3", one.prefix + "packet_cpu_s", truth.cpuSeconds);
        Report("m3", one.prefix + "cpu_s", estimate.cpuSeconds);
        Report("m3", one.prefix + "speedup", truth.cpuSeconds / estimate.cpuSeconds);
        DcnFctTable table(scenario);
        table.Add(truth);
        table.Add(estimate);
        for (const auto& row : table.GetSummary())
        {
            if (row.method == estimate.method && row.metric == "p99_slowdown")
            {
                Report("m3", one.prefix + "p99_error_" + row.sizeClass, row.relativeError);
            }
        }
    }
}

void
BenchM3Fabric()
{
    DcnFabricParameters fabric; // 6,144 hosts, 2:1
    fabric.pods = 8;
    fabric.racksPerPod = 48;
    fabric.hostsPerRack = 16;
    fabric.fabricsPerPod = 4;
    fabric.spinesPerPlane = 24;
    auto scenario = MakeScenario(fabric, "web-server", 1'000'000);
    const auto estimate = DcnEstimator::CreateByName("m3:NPaths=500:Threads=2")->Estimate(scenario);
    Report("m3-fabric", "hosts", static_cast<double>(scenario->GetTopology().GetHosts().size()));
    Report("m3-fabric", "flows", static_cast<double>(scenario->GetFlows().size()));
    Report("m3-fabric", "wall_s", estimate.wallSeconds);
    Report("m3-fabric", "cpu_s", estimate.cpuSeconds);
}

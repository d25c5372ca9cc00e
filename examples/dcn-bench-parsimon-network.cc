/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

/**
 * @file
 * @brief Benchmark of Parsimon from end to end against the packet engine, one core each.
 */

#include "dcn-bench.h"

#include "ns3/boolean.h"
#include "ns3/dcn-error.h"
#include "ns3/dcn-fct-table.h"
#include "ns3/dcn-topology-helper.h"
#include "ns3/dcn-workload.h"
#include "ns3/parsimon-estimator.h"
#include "ns3/simulator.h"

#include <cmath>
#include <string>
#include <vector>

using namespace ns3;

namespace
{

/**
 * @param table answers
 * @param method label of one of them
 * @param sizeClass name of a size class
 * @return relative error of its p99 slowdown
 */
double
FindP99Error(const DcnFctTable& table, const std::string& method, const std::string& sizeClass)
{
    for (const auto& row : table.GetSummary())
    {
        if (row.method == method && row.metric == "p99_slowdown" && row.sizeClass == sizeClass)
        {
            return row.relativeError;
        }
    }
    return NAN;
}

} // namespace

void
BenchParsimon()
{
    // the fabric of 256 hosts of the published evaluation, 2:1, and its buffer
    DcnFabricParameters fabric;
    fabric.racksPerPod = 16;
    fabric.hostsPerRack = 8;
    fabric.spinesPerPlane = 8;
    DcnWorkloadSpec spec;
    spec.sizes = "web-server";
    spec.matrix = "web";
    spec.nFlows = 200000;
    spec.load = 0.5;
    spec.sigma = 1;
    Ptr<DcnTopology> topology = DcnTopologyHelper::Create(fabric);
    DcnWorkload workload = DcnWorkload::Generate(topology, spec);
    Ptr<DcnNetworkConfig> network = DcnNetworkConfig::Preset("dctcp");
    network->bufferBytes = 3000000;
    auto scenario = DcnScenario::CreateWithPaths(topology,
                                                 network,
                                                 std::move(workload.flows),
                                                 std::move(workload.paths));
    DcnFctTable table(scenario);
    const auto truth = DcnEstimator::CreateByName("packet")->Estimate(scenario);
    Simulator::Destroy();
    table.Add(truth);
    Report("parsimon", "flows", static_cast<double>(scenario->GetFlows().size()));
    Report("parsimon", "packet_cpu_s", truth.cpuSeconds);
    struct Variant
    {
        std::string prefix; // of the metrics
        std::string name;   // of the method
    };
    for (const Variant& variant : std::vector<Variant>{
             {"", "parsimon:Threads=1"},
             {"clustered_", "parsimon:Threads=1:Clustering=true"},
             {"faithful_", "parsimon:Threads=1:Rules=faithful"},
             {"faithful_clustered_", "parsimon:Threads=1:Rules=faithful:Clustering=true"}})
    {
        auto method = DynamicCast<ParsimonEstimator>(DcnEstimator::CreateByName(variant.name));
        const auto estimate = method->Estimate(scenario);
        table.Add(estimate);
        const auto& accounting = method->GetRun()->GetTable().GetAccounting();
        // processor time: other work on the machine does not count
        Report("parsimon", variant.prefix + "speedup", truth.cpuSeconds / estimate.cpuSeconds);
        Report("parsimon", variant.prefix + "cpu_s", estimate.cpuSeconds);
        Report("parsimon",
               variant.prefix + "wall_speedup",
               truth.wallSeconds / estimate.wallSeconds);
        Report("parsimon", variant.prefix + "links", accounting.GetTotal());
        Report("parsimon", variant.prefix + "links_simulated", accounting.simulated);
        for (const auto& sizeClass : DcnSizeClasses())
        {
            Report("parsimon",
                   variant.prefix + "p99_error_" + sizeClass.name,
                   FindP99Error(table, estimate.method, sizeClass.name));
        }
    }
}

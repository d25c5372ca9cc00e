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
#include "ns3/dcn-topology.h"
#include "ns3/dcn-workload.h"
#include "ns3/double.h"
#include "ns3/simulator.h"
#include "ns3/uinteger.h"

#include <cmath>
#include <string>
#include <vector>

using namespace ns3;

namespace
{

/**
 * @param table answers
 * @param method label of one of them
 * @param metric of the summary
 * @param sizeClass name of a size class
 * @return relative error of a quantile; the value itself of errors of flows
 */
double
FindError(const DcnFctTable& table,
          const std::string& method,
          const std::string& metric,
          const std::string& sizeClass)
{
    for (const auto& row : table.GetSummary())
    {
        if (row.method == method && row.metric == metric && row.sizeClass == sizeClass)
        {
            return metric == "p99_slowdown" ? row.relativeError : row.value;
        }
    }
    return NAN;
}

} // namespace

void
BenchParsimon()
{
    // the fabric of 256 hosts of the published evaluation, 2:1, and its buffer
    const DcnStopwatch watch;
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
    Ptr<DcnNetworkConfig> network = DcnNetworkConfig::Preset("dctcp");
    network->bufferBytes = 3000000;
    const DcnBenchScenario made = MakeBenchScenario(DcnBuildTopology(fabric), spec, network, watch);
    DcnFctTable table(made.scenario);
    const auto reference = DcnEstimator::CreateByName("packet")->Estimate(made.scenario);
    Simulator::Destroy();
    table.Add(reference);
    Report("parsimon", "flows", static_cast<double>(made.scenario->GetFlows().size()));
    Report("parsimon", "realised_max_load", made.maxLoad);

    struct Variant
    {
        std::string prefix; // of the metrics
        std::string name;   // of the method
    };

    for (const Variant& variant : std::vector<Variant>{
             {"", "parsimon:Threads=1"},
             {"clustered_", "parsimon:Threads=1:Clustering=true"},
             {"published_", "parsimon:Threads=1:Rules=published"},
             {"published_clustered_", "parsimon:Threads=1:Rules=published:Clustering=true"}})
    {
        const auto method = DcnEstimator::CreateByName(variant.name);
        const auto estimate = method->Estimate(made.scenario);
        table.Add(estimate);
        DcnSpeedComparison{"parsimon",
                           variant.prefix,
                           "packet",
                           GetCost(reference),
                           GetCost(estimate),
                           made.preparation}
            .ReportRows();
        Report("parsimon", variant.prefix + "links", made.scenario->GetTopology().GetNLinks());
        UintegerValue nSimulated;
        method->GetAttribute("LinksSimulated", nSimulated);
        Report("parsimon",
               variant.prefix + "links_simulated",
               static_cast<double>(nSimulated.Get()));
        // Parsimon/inf of the paper (section 5): fixed costs and the longest link simulation
        DoubleValue linkSeconds;
        DoubleValue longestSeconds;
        method->GetAttribute("LinkSeconds", linkSeconds);
        method->GetAttribute("LongestLinkSeconds", longestSeconds);
        const double fixedSeconds = estimate.cpuSeconds - linkSeconds.Get();
        const double infSeconds = fixedSeconds + longestSeconds.Get();
        Report("parsimon", variant.prefix + "link_simulations_s", linkSeconds.Get());
        Report("parsimon", variant.prefix + "fixed_s", fixedSeconds);
        Report("parsimon", variant.prefix + "inf_s", infSeconds);
        Report("parsimon", variant.prefix + "inf_speedup", reference.cpuSeconds / infSeconds);
        for (const auto& sizeClass : DcnSizeClasses())
        {
            Report("parsimon",
                   variant.prefix + "p99_error_" + sizeClass.name,
                   FindError(table, estimate.method, "p99_slowdown", sizeClass.name));
        }
        // the p99 of all flows may be right where those of single flows are not
        for (const std::string metric : {"mean_abs_flow_error", "p90_abs_flow_error"})
        {
            Report("parsimon",
                   variant.prefix + metric,
                   FindError(table, estimate.method, metric, "all"));
        }
    }
}

/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

/**
 * @file
 * @brief Benchmark of dcn-bench for the queueing model: time by size, similarity.
 */

#include "dcn-bench.h"

#include "ns3/dcn-topology.h"
#include "ns3/mql-report.h"

#include <cmath>
#include <memory>
#include <string>
#include <vector>

using namespace ns3;

namespace
{

/**
 * @brief Latencies of all flows.
 * @param solution answer of the model
 * @param nFlows number of flows
 * @return mean one-way latency of each [s]
 */
std::vector<double>
GetLatencies(const MqlSolution& solution, std::size_t nFlows)
{
    std::vector<double> latencies(nFlows);
    for (std::size_t i = 0; i < nFlows; i++)
    {
        latencies[i] = solution.GetLatency(i).GetMean();
    }
    return latencies;
}

/**
 * @brief Times the whole analysis of all-to-all traffic: from flows and paths to latencies.
 * @param k ports of each switch of the fat tree
 * @param ackBytes size of ACKs, 0: none
 */
void
TimeAllToAll(uint32_t k, uint32_t ackBytes)
{
    DcnFatTreeParameters tree;
    tree.k = k;
    tree.linkRate = DataRate("100Mbps");
    Ptr<DcnTopology> topology = DcnBuildTopology(tree);
    MqlTrafficOptions spec;
    spec.ackBytes = ackBytes;
    const std::vector<MqlFlow> flows = MqlMakeTraffic(*topology, spec);
    const DcnStopwatch routing;
    const DcnPathTable paths = MqlHashPaths(flows, DcnRouting(topology));
    const DcnCost routingCost = routing.Get();
    const DcnStopwatch model;
    MqlReport mql(topology, flows, paths);
    const MqlSolution& solution = mql.Solve();
    GetLatencies(solution, flows.size());
    const std::string name =
        std::to_string(topology->GetHosts().size()) + "_hosts_" + (ackBytes > 0 ? "acks_" : "");
    const DcnCost cost = model.Get();
    Report("mql-scale", name + "model_s", cost.wallSeconds);
    Report("mql-scale", name + "model_cpu_s", cost.cpuSeconds);
    Report("mql-scale", name + "routing_s", routingCost.wallSeconds);
    Report("mql-scale", name + "end_to_end_s", (routingCost + cost).cpuSeconds);
}

/**
 * @brief Model calls and added error of similarity on 2,000 hosts, all-to-all with even splitting.
 * @param unequalRates whether flows have random rates
 */
void
CountCalls(bool unequalRates)
{
    DcnFatTreeParameters tree;
    tree.k = 20;
    tree.linkRate = DataRate("100Mbps");
    Ptr<DcnTopology> topology = DcnBuildTopology(tree);
    MqlTrafficOptions spec;
    spec.density = 0.06;
    spec.unequalRates = unequalRates;
    const std::vector<MqlFlow> flows = MqlMakeTraffic(*topology, spec);
    const std::string name = unequalRates ? "2000_hosts_unequal_rates_" : "2000_hosts_";
    std::vector<double> exact;
    double exactCalls = 0;
    for (double threshold : {-1.0, 0.0, 0.05, 0.15})
    {
        MqlOptions options;
        std::string label = name;
        if (threshold >= 0)
        {
            options.similarity = threshold;
            label += "similarity_" + std::to_string(std::lround(100 * threshold)) + "_";
        }
        const DcnStopwatch model;
        MqlReport mql(flows, DcnRouting(topology));
        const MqlSolution& solution = mql.Solve(options);
        const std::vector<double> latencies = GetLatencies(solution, flows.size());
        const DcnCost cost = model.Get();
        const auto calls = static_cast<double>(solution.GetNModelCalls());
        Report("mql-scale", label + "model_s", cost.wallSeconds);
        Report("mql-scale", label + "model_cpu_s", cost.cpuSeconds);
        Report("mql-scale", label + "calls", calls);
        if (threshold < 0)
        {
            exact = latencies;
            exactCalls = calls;
            Report("mql-scale",
                   name + "flow_split_visits",
                   static_cast<double>(mql.GetNSplitVisits()));
            continue;
        }
        double error = 0;
        for (std::size_t i = 0; i < exact.size(); i++)
        {
            error += std::abs(latencies[i] / exact[i] - 1);
        }
        Report("mql-scale", label + "added_error", error / static_cast<double>(exact.size()));
        // this model without similarity, which calls once for each queue or pair of links
        Report("mql-scale", label + "fewer_calls_than_without", exactCalls / calls);
        // the published algorithm, which calls at each visit
        Report("mql-scale",
               label + "fewer_calls_than_flow_split_visits",
               static_cast<double>(mql.GetNSplitVisits()) / calls);
    }
}

/// The published search on 128 hosts, where it can be afforded.
void
CountGreedyCalls()
{
    DcnFatTreeParameters tree;
    tree.k = 8;
    tree.linkRate = DataRate("100Mbps");
    Ptr<DcnTopology> topology = DcnBuildTopology(tree);
    MqlTrafficOptions spec;
    spec.unequalRates = true;
    const std::vector<MqlFlow> flows = MqlMakeTraffic(*topology, spec);
    MqlReport mql(flows, DcnRouting(topology));
    const DcnStopwatch model;
    const MqlSolution& solution = mql.Solve();
    Report("mql-scale", "128_hosts_unequal_rates_solve_s", model.Get().wallSeconds);
    for (double threshold : {0.0, 0.05, 0.15})
    {
        const DcnStopwatch watch;
        const MqlGreedyReport report = MqlGreedySimilarity(solution, threshold);
        const std::string label =
            "128_hosts_unequal_rates_greedy_" + std::to_string(std::lround(100 * threshold)) + "_";
        Report("mql-scale", label + "s", watch.Get().wallSeconds);
        Report("mql-scale", label + "visits", static_cast<double>(report.nVisits));
        Report("mql-scale", label + "calls", static_cast<double>(report.nModelCalls));
        Report("mql-scale", label + "comparisons", static_cast<double>(report.nComparisons));
        Report("mql-scale", label + "added_error", report.latencyError);
    }
}

} // namespace

void
BenchMqlScale()
{
    for (uint32_t k : {4, 8, 12, 16})
    {
        TimeAllToAll(k, 0);
        TimeAllToAll(k, 54);
    }
    CountCalls(false);
    CountCalls(true);
    CountGreedyCalls();
}

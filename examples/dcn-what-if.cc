/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

/**
 * @file
 * @brief A question to several methods: how do the slowdowns change if a link fails?
 *
 * DcnScenarioChange makes the scenario after the change, in which only the flows of the failed link
 * have other paths. Every method that can estimate a scenario can answer the question. (Parsimon
 * can also keep the results of unchanged links: see ParsimonWhatIf and dcn-parsimon-failures.)
 */

#include "ns3/command-line.h"
#include "ns3/dcn-command-line.h"
#include "ns3/dcn-error.h"
#include "ns3/dcn-estimator.h"
#include "ns3/dcn-fct-table.h"
#include "ns3/dcn-scenario-change.h"
#include "ns3/dcn-statistics.h"
#include "ns3/dcn-topology-helper.h"
#include "ns3/dcn-workload.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <cstdio>
#include <string>
#include <utility>
#include <vector>

using namespace ns3;

namespace
{

/**
 * @param scenario a scenario
 * @return the link between two switches that most flows cross
 */
uint32_t
FindBusiestLink(const DcnScenario& scenario)
{
    const DcnTopology& topology = scenario.GetTopology();
    std::vector<uint64_t> nFlows(topology.GetNLinks(), 0);
    for (std::size_t i = 0; i < scenario.GetFlows().size(); ++i)
    {
        for (uint32_t link : scenario.GetPath(i))
        {
            const DcnLink& ends = topology.GetLink(link);
            nFlows[link] += topology.IsHost(ends.from) || topology.IsHost(ends.to) ? 0 : 1;
        }
    }
    return static_cast<uint32_t>(std::max_element(nFlows.begin(), nFlows.end()) - nFlows.begin());
}

/**
 * @param scenario a scenario
 * @param method name of a method
 * @return 99th percentile of its slowdowns
 */
double
EstimateP99(Ptr<const DcnScenario> scenario, const std::string& method)
{
    DcnFctTable table(scenario);
    table.Add(DcnEstimator::CreateByName(method)->Estimate(scenario));
    Simulator::Destroy();
    auto slowdowns = table.GetSlowdowns(0, DcnSizeClasses().front()); // flows of all sizes
    std::sort(slowdowns.begin(), slowdowns.end());
    return DcnWeightedQuantile(slowdowns, 0.99);
}

} // namespace

int
main(int argc, char* argv[])
{
    DcnWorkloadSpec spec;
    spec.sizes = "google-rpc";
    CommandLine cmd(__FILE__);
    cmd.Usage("Compare the slowdowns before and after the failure of a link by several methods.");
    cmd.AddValue("flows", "Number of flows", spec.nFlows);
    cmd.AddValue("load", "Load of the most loaded link, between 0 and 1", spec.load);
    cmd.AddValue("seed", "Seed of the flows", spec.seed);
    DcnParseCommandLine(cmd, argc, argv);

    return DcnRunProgram("dcn-what-if", [&]() {
        Ptr<DcnTopology> topology = DcnTopologyHelper::Create(DcnFabricParameters());
        DcnWorkload workload = DcnWorkload::Generate(topology, spec);
        Ptr<const DcnScenario> before =
            DcnScenario::CreateWithPaths(topology,
                                         DcnNetworkConfig::Preset("dctcp"),
                                         std::move(workload.flows),
                                         std::move(workload.paths));
        const uint32_t link = FindBusiestLink(*before);
        Ptr<const DcnScenario> after = DcnScenarioChange().FailLink(link).Apply(before);

        std::printf("the link %s fails\n", topology->DescribeLink(link).c_str());
        std::printf("method      p99 slowdown before      after    change\n");
        for (const std::string method : {"packet", "flowsim", "parsimon"})
        {
            const double was = EstimateP99(before, method);
            const double is = EstimateP99(after, method);
            std::printf("%-10s %20.3f %10.3f %+8.1f%%\n",
                        method.c_str(),
                        was,
                        is,
                        100 * (is / was - 1));
        }
        return 0;
    });
}

/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

/**
 * @file
 * @brief A question to several methods: how do the slowdowns change if a link fails?
 *
 * DcnScenarioChange makes the scenario after the change, in which only the flows of the failed link
 * have other paths. Every method that can estimate a scenario can answer the question. (Parsimon
 * can also reuse the results of unchanged links: see ParsimonWhatIf and dcn-parsimon-failures.)
 */

#include "ns3/command-line.h"
#include "ns3/dcn-command-line.h"
#include "ns3/dcn-error.h"
#include "ns3/dcn-estimator.h"
#include "ns3/dcn-scenario-change.h"
#include "ns3/dcn-topology.h"
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
 * @param method name of a method
 * @param flows flow indices
 * @return mean slowdown of these flows
 */
double
EstimateMean(Ptr<const DcnScenario> scenario,
             const std::string& method,
             const std::vector<std::size_t>& flows)
{
    const DcnEstimate estimate = DcnEstimator::CreateByName(method)->Estimate(scenario);
    Simulator::Destroy();
    if (!estimate.IsComplete())
    {
        DcnFail(estimate.DescribeCompletion());
    }
    double sum = 0;
    for (std::size_t i : flows)
    {
        sum += static_cast<double>(estimate.fctNs[i]) /
               static_cast<double>(scenario->GetIdealFct(i).GetTotalNs());
    }
    return sum / static_cast<double>(flows.size());
}

} // namespace

int
main(int argc, char* argv[])
{
    DcnWorkloadSpec spec;
    spec.sizes = "web-search";
    spec.nFlows = 500;
    spec.load = 0.6;
    CommandLine cmd(__FILE__);
    cmd.Usage("Compare the slowdowns before and after the failure of a link by several methods.");
    cmd.AddValue("flows", "Number of flows", spec.nFlows);
    cmd.AddValue("load", "Load of the most loaded link, between 0 and 1", spec.load);
    cmd.AddValue("seed", "Seed of the flows", spec.seed);
    DcnParseCommandLine(cmd, argc, argv);

    return DcnRunProgram("dcn-what-if", [&]() {
        DcnFabricParameters fabric;
        fabric.fabricRate = fabric.hostRate; // so that links between switches are bottlenecks
        Ptr<DcnTopology> topology = DcnBuildTopology(fabric);
        DcnWorkload workload = DcnWorkload::Generate(topology, spec);
        Ptr<const DcnScenario> before =
            DcnScenario::CreateWithPaths(topology,
                                         DcnNetworkConfig::Preset("dctcp"),
                                         std::move(workload.flows),
                                         std::move(workload.paths));
        const std::size_t n = before->GetFlows().size();
        std::size_t some = 0; // a flow that leaves its rack: its second link is between switches
        for (; some < n && before->GetPath(some).size() <= 2; ++some)
        {
        }
        if (some == n)
        {
            DcnFail("no flow leaves its rack: take more than ", some, " by --flows");
        }
        const uint32_t link = before->GetPath(some)[1];
        Ptr<const DcnScenario> after = DcnScenarioChange().FailLink(link).Apply(before);

        std::vector<std::size_t> moved; // flow indices do not change
        for (std::size_t i = 0; i < n; ++i)
        {
            const DcnPath was = before->GetPath(i);
            const DcnPath is = after->GetPath(i);
            if (!std::equal(was.begin(), was.end(), is.begin(), is.end()))
            {
                moved.push_back(i);
            }
        }
        std::printf("the link %s fails, and ", topology->DescribeLink(link).c_str());
        std::printf("%zu of %zu flows move\n", moved.size(), n);
        std::printf("method      their mean slowdown before      after    change\n");
        for (const char* method : {"packet", "flowsim", "parsimon"})
        {
            const double was = EstimateMean(before, method, moved);
            const double is = EstimateMean(after, method, moved);
            const double change = 100 * (is / was - 1);
            std::printf("%-10s %27.3f %10.3f %+8.1f%%\n", method, was, is, change);
        }
        return 0;
    });
}

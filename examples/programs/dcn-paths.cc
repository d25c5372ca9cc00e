/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

/**
 * @file
 * @brief Lists the paths of a scenario, and simulates one of them alone.
 *
 * Lists the paths with most flows and writes the path index of all. With --path, makes the
 * path-level scenario of one path, writes it as a scenario directory (--export) and runs methods on
 * it, so that its foreground flows can be examined alone.
 */

#include "ns3/command-line.h"
#include "ns3/dcn-command-line.h"
#include "ns3/dcn-csv.h"
#include "ns3/dcn-error.h"
#include "ns3/dcn-estimator.h"
#include "ns3/dcn-path-scenario.h"
#include "ns3/dcn-run-record.h"
#include "ns3/dcn-scenario-directory.h"
#include "ns3/dcn-scenario-options.h"
#include "ns3/dcn-statistics.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <cstdio>
#include <iostream>
#include <numeric>
#include <sstream>
#include <string>
#include <vector>

using namespace ns3;

namespace
{

/**
 * @param topology the network
 * @param path links of a path
 * @return its nodes, by their numbers in files, joined by '-'
 */
std::string
Describe(const DcnTopology& topology, DcnPath path)
{
    std::string text = std::to_string(topology.GetExternalId(topology.GetLink(path[0]).from));
    for (uint32_t link : path)
    {
        text += "-" + std::to_string(topology.GetExternalId(topology.GetLink(link).to));
    }
    return text;
}

/**
 * Write a row for each path.
 * @param pathIndex the paths
 * @param file path of the file
 */
void
WritePathIndex(const DcnPathIndex& pathIndex, const std::string& file)
{
    DcnFileWriter writer(file);
    writer.Stream() << "path,nodes,hops,bottleneck_bps,base_rtt_ns,foreground_flows,"
                       "foreground_bytes\n";
    for (uint32_t path = 0; path < pathIndex.GetNPaths(); ++path)
    {
        const DcnPathSpec spec = DcnGetPathSpec(pathIndex, path);
        uint64_t bytes = 0;
        for (uint32_t flow : pathIndex.GetForeground(path))
        {
            bytes += pathIndex.GetScenario().GetFlows()[flow].sizeBytes;
        }
        writer.Stream() << path << ','
                        << Describe(pathIndex.GetScenario().GetTopology(), pathIndex.GetLinks(path))
                        << ',' << spec.ratesBps.size() << ',' << spec.bottleneckBps << ','
                        << spec.baseRttNs << ',' << pathIndex.GetForeground(path).size() << ','
                        << bytes << '\n';
    }
    writer.Commit();
}

/**
 * Print the paths with most flows.
 * @param pathIndex the paths
 * @param n number of paths
 */
void
PrintLargest(const DcnPathIndex& pathIndex, std::size_t n)
{
    std::vector<uint32_t> order(pathIndex.GetNPaths());
    std::iota(order.begin(), order.end(), 0);
    std::sort(order.begin(), order.end(), [&pathIndex](uint32_t a, uint32_t b) {
        const std::size_t left = pathIndex.GetForeground(a).size();
        const std::size_t right = pathIndex.GetForeground(b).size();
        return left != right ? left > right : a < b;
    });
    std::printf("%8s %6s  %s\n", "path", "flows", "nodes");
    for (std::size_t i = 0; i < std::min(n, order.size()); ++i)
    {
        std::printf(
            "%8u %6zu  %s\n",
            order[i],
            pathIndex.GetForeground(order[i]).size(),
            Describe(pathIndex.GetScenario().GetTopology(), pathIndex.GetLinks(order[i])).c_str());
    }
}

/**
 * Run a method on a path-level scenario and print the slowdowns of the foreground flows.
 * @param local the path-level scenario
 * @param name of the method
 */
void
RunMethod(const DcnPathScenario& local, const std::string& name)
{
    const DcnEstimate estimate = DcnEstimator::CreateByName(name)->Estimate(local.scenario);
    Simulator::Destroy();
    const auto slowdowns = local.GetForegroundSlowdowns(estimate);
    if (slowdowns.empty())
    {
        std::cout << name << ": no foreground flow "
                  << (estimate.samples.empty() ? "finished" : "has a sample") << std::endl;
        return;
    }
    std::printf("%s: %zu %s in %.3f s, slowdown p50 %.3f, p90 %.3f, p99 %.3f\n",
                name.c_str(),
                slowdowns.size(),
                estimate.samples.empty() ? "foreground flows" : "samples of the foreground",
                estimate.wallSeconds,
                DcnWeightedQuantile(slowdowns, 0.5),
                DcnWeightedQuantile(slowdowns, 0.9),
                DcnWeightedQuantile(slowdowns, 0.99));
}

} // namespace

int
main(int argc, char* argv[])
{
    DcnScenarioOptions options;
    std::string which;
    std::string exportTo;
    std::string methods;
    std::string out = "results";
    uint64_t list = 10;
    bool reverse = true;
    CommandLine cmd(__FILE__);
    cmd.Usage("List the paths of a scenario, and examine one of them.");
    options.AddTo(cmd);
    cmd.AddValue("list", "Paths to print, those with most flows first", list);
    cmd.AddValue("reverse", "Include flows in the other direction of its links", reverse);
    DcnAddText(cmd, "path", "Number of the path to examine (none)", which);
    DcnAddText(cmd, "export", "Folder for its scenario directory (none)", exportTo);
    DcnAddText(cmd, "methods", "Methods to run on it, joined by commas (none)", methods);
    DcnAddText(cmd, "out", "Folder for path-index.csv", out);
    const DcnGivenOptions given = DcnParseCommandLine(cmd, argc, argv);

    return DcnRunProgram("dcn-paths", [&]() {
        given.CheckEffects({{{"export", "methods", "reverse"}, !which.empty(), "without --path"}});
        const auto names = DcnSplitValues("methods", methods);
        const DcnPathIndex pathIndex(options.Create());
        uint64_t path = 0;
        if (!which.empty() && (!DcnParse(which, path) || path >= pathIndex.GetNPaths()))
        {
            DcnFail("--path is a number below ", pathIndex.GetNPaths(), ", not \"", which, "\"");
        }
        DcnMakeFolder(out);
        const DcnFolderLock lock(out, DcnRunRecord::IN_USE);
        std::cout << pathIndex.GetScenario().GetFlows().size() << " flows on "
                  << pathIndex.GetNPaths() << " paths" << std::endl;
        PrintLargest(pathIndex, list);
        WritePathIndex(pathIndex, out + "/path-index.csv");
        std::cout << "written: " << out << "/path-index.csv" << std::endl;
        if (which.empty())
        {
            return 0;
        }
        const auto number = static_cast<uint32_t>(path);
        const DcnPathScenario local =
            DcnPathScenarioBuilder(pathIndex, DcnPathHosts::HOST)
                .Build(number, DcnFindPathTraffic(pathIndex, number, reverse));
        std::cout << "path " << number << ": " << pathIndex.GetForeground(number).size()
                  << " foreground flows and " << local.scenario->GetFlows().size() << " in all on "
                  << local.scenario->GetTopology().GetNNodes() << " nodes" << std::endl;
        if (!exportTo.empty())
        {
            DcnWriteScenario(*local.scenario, exportTo);
            std::cout << "written: " << exportTo << std::endl;
        }
        for (const std::string& name : names)
        {
            RunMethod(local, name);
        }
        return 0;
    });
}

/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

/**
 * @file
 * @brief Three workloads at once, each evaluated by itself: appendix A of the Parsimon paper.
 *
 * On the 256-host fabric, 2:1: cache-follower flows by a database-like matrix, web-server flows by
 * a web-like matrix and Hadoop flows by a Hadoop-like matrix, each with bursty arrivals and a
 * maximum load of 20 %. Written: mix.csv, with the 99th percentile of the slowdown by workload,
 * size class and method, and a plot per workload.
 */

#include "ns3/command-line.h"
#include "ns3/dcn-command-line.h"
#include "ns3/dcn-csv.h"
#include "ns3/dcn-error.h"
#include "ns3/dcn-estimator.h"
#include "ns3/dcn-plot.h"
#include "ns3/dcn-statistics.h"
#include "ns3/dcn-topology.h"
#include "ns3/dcn-workload-mix.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <string>
#include <vector>

using namespace ns3;

namespace
{

/// One of the workloads.
struct Workload
{
    std::string name;   //!< name in files and rows
    std::string matrix; //!< traffic matrix
    std::string sizes;  //!< flow sizes
};

} // namespace

int
main(int argc, char* argv[])
{
    CommandLine cmd(__FILE__);
    cmd.Usage("Three workloads at once: slowdowns of each by Parsimon and by the packet engine.");
    std::vector<Workload> workloads{{"W0", "database", "cache-follower"},
                                    {"W1", "web", "web-server"},
                                    {"W2", "hadoop", "hadoop"}};
    Time duration = MilliSeconds(50);
    std::string load = "0.2";
    uint64_t seed = 1;
    std::string out = "results";
    cmd.AddValue("duration", "Period of starts", duration);
    DcnAddText(cmd, "load", "Maximum link load of each workload", load);
    for (auto& workload : workloads)
    {
        DcnAddText(cmd,
                   "matrix" + workload.name,
                   "Traffic matrix of " + workload.name,
                   workload.matrix);
    }
    cmd.AddValue("seed", "Seed of the flows", seed);
    DcnAddText(cmd, "out", "Folder for the results", out);
    DcnParseCommandLine(cmd, argc, argv);

    return DcnRunProgram("dcn-parsimon-mix", [&]() {
        DcnMakeFolder(out);
        DcnFabricParameters fabric;
        fabric.racksPerPod = 16;
        fabric.hostsPerRack = 8;
        fabric.spinesPerPlane = 8;
        Ptr<DcnTopology> topology = DcnBuildTopology(fabric);
        DcnWorkloadSpec spec;
        spec.sigma = 2;
        spec.nFlows = 0;
        spec.durationNs = duration.GetNanoSeconds();
        if (!DcnParse(load, spec.load))
        {
            DcnFail("--load must be a number, but it is \"", load, "\"");
        }
        std::vector<DcnWorkloadSpec> specs;
        for (std::size_t k = 0; k < workloads.size(); ++k)
        {
            spec.matrix = workloads[k].matrix;
            spec.sizes = workloads[k].sizes;
            spec.seed = seed + k;
            specs.push_back(spec);
        }
        const DcnWorkloadMix mix = DcnMixWorkloads(topology, specs);
        const std::vector<DcnFlow>& flows = mix.flows;
        Ptr<DcnNetworkConfig> network = DcnNetworkConfig::Preset("dctcp");
        // as in the evaluation; ports of 40 Gb/s reserve more than the default
        network->bufferBytes = 3000000;
        auto scenario = DcnScenario::Create(topology, network, flows);
        std::printf("%zu flows\n", flows.size());

        const std::vector<std::string> methods{"packet", "parsimon", "parsimon:Rules=published"};
        std::vector<std::vector<int64_t>> fctNs;
        for (const auto& method : methods)
        {
            fctNs.push_back(DcnEstimator::CreateByName(method)->Estimate(scenario).fctNs);
            Simulator::Destroy();
        }
        DcnFileWriter csv(out + "/mix.csv");
        csv.Stream() << "workload,size_class,method,flows,p99_slowdown,relative_error\n";
        std::printf("%-9s %-8s %-26s %7s %12s %9s\n",
                    "workload",
                    "sizes",
                    "method",
                    "flows",
                    "p99 slowdown",
                    "error");
        for (std::size_t k = 0; k < workloads.size(); ++k)
        {
            DcnCdfPlot plot(workloads[k].name + ": " + workloads[k].matrix + ", " +
                                workloads[k].sizes,
                            "FCT slowdown");
            for (const auto& sizeClass : DcnSizeClasses())
            {
                double reference = 0;
                for (std::size_t m = 0; m < methods.size(); ++m)
                {
                    std::vector<double> slowdowns;
                    for (std::size_t f = 0; f < flows.size(); ++f)
                    {
                        const DcnFlow& flow = scenario->GetFlows()[f];
                        if (mix.origins[f] == k && fctNs[m][f] > 0 &&
                            sizeClass.Contains(static_cast<double>(flow.sizeBytes)))
                        {
                            slowdowns.push_back(
                                static_cast<double>(fctNs[m][f]) /
                                static_cast<double>(scenario->GetIdealFct(f).GetTotalNs()));
                        }
                    }
                    if (slowdowns.empty())
                    {
                        continue;
                    }
                    std::sort(slowdowns.begin(), slowdowns.end());
                    const double p99 = DcnQuantile(slowdowns, 0.99);
                    reference = m == 0 ? p99 : reference;
                    csv.Stream() << workloads[k].name << ',' << sizeClass.name << ',' << methods[m]
                                 << ',' << slowdowns.size() << ',' << p99 << ','
                                 << p99 / reference - 1 << '\n';
                    std::printf("%-9s %-8s %-26s %7zu %12.3f %+8.1f%%\n",
                                workloads[k].name.c_str(),
                                sizeClass.name.c_str(),
                                methods[m].c_str(),
                                slowdowns.size(),
                                p99,
                                100 * (p99 / reference - 1));
                    if (sizeClass.name == "all")
                    {
                        plot.Add(methods[m], slowdowns);
                    }
                }
            }
            plot.Write(out + "/" + workloads[k].name);
        }
        csv.Commit();
        return 0;
    });
}

/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

/**
 * @file
 * @brief Benchmarks: speed of the methods, as rows benchmark,metric,value.
 *
 * Usage: dcn-bench [NAME]; without a name, all of them. Figures depend on the machine; figures for
 * comparison with each other are measured in one run. A benchmark is skipped if the library that it
 * needs was missing when the program was built: a line says so, and the program ends with status 2.
 *
 * Rates are per second of processor time of one core; wall_X: per second elapsed.
 *
 * Rows of every comparison of speed, with a prefix if there are several:
 * - X_cpu_s, X_wall_s: processor and elapsed time of the reference X, sums over its runs; cpu_s and
 *   wall_s: of the method, including the reading of its model (mql: loading_cpu_s);
 * - speedup: ratio of the processor times; wall_speedup: of the elapsed times; threads: threads of
 * the method; the reference has one;
 * - generation_and_routing_s: processor time for flows and paths, needed by both; end_to_end_s,
 *   X_end_to_end_s and end_to_end_speedup: including this time and that of loading.
 *
 * Rows without a prefix, which are compared with targets, are the worst of their kind:
 * - m3, m4: speedup is the least over the workloads of the target (m3: cache-follower with 500 and
 * with 5,000 draws; m4: cache-follower and hadoop), least_speedup that over all workloads;
 * - mql: speedup is the least of all sizes; rtt_mape the largest mean over the loads of a group of
 *   size, pattern and arrivals;
 * - m4: events_per_s is the least of the connected networks;
 * - noc: closed_speedup and chain_speedup are the least over the rates;
 * - cceval: coverage is the coverage farthest from the level;
 * - farm: efficiency is the least of processes and ranks, of tasks that sleep and that compute.
 */

#include "dcn-bench.h"

#include "ns3/command-line.h"
#include "ns3/dcn-command-line.h"
#include "ns3/dcn-error.h"
#include "ns3/dcn-topology.h"
#include "ns3/dcn-workload.h"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <functional>
#include <iostream>
#include <limits>
#include <map>
#include <string>
#include <utility>

using namespace ns3;

namespace
{

constexpr int SKIPPED = 2; //!< exit status when a benchmark could not run

/// Flows per second of the fluid simulation on a 256-host fabric.
void
BenchFlowsim()
{
    const DcnStopwatch watch;
    DcnFabricParameters fabric;
    fabric.racksPerPod = 16;
    fabric.hostsPerRack = 8;
    fabric.spinesPerPlane = 8;
    const uint64_t nFlows = 200000;
    const DcnBenchScenario made =
        MakeUniform(DcnBuildTopology(fabric), "web-server", nFlows, "dctcp", watch);
    const DcnCost cost = GetCost(DcnEstimator::CreateByName("flowsim")->Estimate(made.scenario));
    const auto flows = static_cast<double>(nFlows);
    Report("flowsim", "flows_per_s", flows / cost.cpuSeconds);
    Report("flowsim", "wall_flows_per_s", flows / cost.wallSeconds);
    Report("flowsim", "cpu_s", cost.cpuSeconds);
    Report("flowsim", "wall_s", cost.wallSeconds);
    Report("flowsim", "generation_and_routing_s", made.preparation.cpuSeconds);
    Report("flowsim", "end_to_end_s", (made.preparation + cost).cpuSeconds);
    Report("flowsim", "realised_max_load", made.maxLoad);
}

} // namespace

DcnBenchScenario
MakeUniform(Ptr<DcnTopology> topology,
            const std::string& sizes,
            uint64_t nFlows,
            const std::string& cc,
            const DcnStopwatch& watch)
{
    DcnWorkloadSpec spec;
    spec.sizes = sizes;
    spec.nFlows = nFlows;
    return MakeBenchScenario(topology,
                             spec,
                             DcnNetworkConfig::Preset(cc, topology->GetNicRates(topology->GetHosts())),
                             watch);
}

double
GetPeakMbytes()
{
    std::ifstream status("/proc/self/status");
    for (std::string word; status >> word;)
    {
        double kbytes;
        if (word == "VmHWM:" && status >> kbytes)
        {
            return kbytes / 1000;
        }
    }
    return std::numeric_limits<double>::quiet_NaN();
}

void
Report(const std::string& benchmark, const std::string& metric, double value)
{
    std::cout << benchmark << ',' << metric << ',' << value << std::endl;
}

DcnCost
GetCost(const DcnEstimate& estimate)
{
    return {estimate.cpuSeconds, estimate.wallSeconds};
}

DcnBenchScenario
MakeBenchScenario(Ptr<DcnTopology> topology,
                  const DcnWorkloadSpec& spec,
                  Ptr<DcnNetworkConfig> network,
                  const DcnStopwatch& watch,
                  bool stretched)
{
    DcnWorkload workload = DcnWorkload::Generate(topology, spec);
    DcnBenchScenario made;
    made.maxLoad = workload.load.realised.maxLoad;
    double spanNs = workload.load.spanNs;
    if (stretched)
    {
        const double stretch = made.maxLoad / spec.load;
        for (DcnFlow& flow : workload.flows)
        {
            flow.startNs = std::llround(static_cast<double>(flow.startNs) * stretch);
        }
        spanNs *= stretch;
        made.maxLoad = DcnMeasureLoad(*topology, workload.flows, workload.paths, spanNs).maxLoad;
    }
    made.spanSeconds = spanNs / 1e9;
    made.scenario = DcnScenario::CreateWithPaths(topology,
                                                 network,
                                                 std::move(workload.flows),
                                                 std::move(workload.paths));
    made.preparation = watch.Get();
    return made;
}

double
DcnSpeedComparison::ReportRows() const
{
    auto row = [this](const std::string& metric, double value) {
        Report(benchmark, prefix + metric, value);
    };
    const double speedup = referenceCost.cpuSeconds / methodCost.cpuSeconds;
    const DcnCost its = preparation + referenceCost;
    const DcnCost ours = preparation + methodLoading + methodCost;
    row(reference + "_cpu_s", referenceCost.cpuSeconds);
    row(reference + "_wall_s", referenceCost.wallSeconds);
    row("cpu_s", methodCost.cpuSeconds);
    row("wall_s", methodCost.wallSeconds);
    row("speedup", speedup);
    row("wall_speedup", referenceCost.wallSeconds / methodCost.wallSeconds);
    row("threads", threads);
    row("generation_and_routing_s", preparation.cpuSeconds);
    if (methodLoading.cpuSeconds > 0)
    {
        row("loading_cpu_s", methodLoading.cpuSeconds);
    }
    row(reference + "_end_to_end_s", its.cpuSeconds);
    row("end_to_end_s", ours.cpuSeconds);
    row("end_to_end_speedup", its.cpuSeconds / ours.cpuSeconds);
    return speedup;
}

/// Runs a benchmark.
/// @return false if it was skipped for lack of a library
static bool
HasRun(const std::string& name, const std::function<void()>& run)
{
    try
    {
        run();
        return true;
    }
    catch (const DcnBenchSkipped& skipped)
    {
        std::cerr << "dcn-bench: " << name << " skipped: " << skipped.what() << std::endl;
        return false;
    }
}

int
main(int argc, char* argv[])
{
    std::string name;
    CommandLine cmd(__FILE__);
    cmd.Usage(
        "Measure the speed of the methods; prints benchmark,metric,value.\n\n"
        "speedup: ratio of processor times, sums over runs; wall_speedup: of elapsed times; "
        "threads: of the method;\nend_to_end_s: processor time with generation, routing and "
        "loading. Rows without a prefix are the worst of their kind:\nm3, m4 speedup over the "
        "workloads that the target is for (least_speedup: over all), mql speedup over all "
        "sizes,\nmql rtt_mape over groups of size, pattern and arrivals, m4 events_per_s over "
        "connected networks,\ncceval coverage: farthest from 95 %, farm efficiency: elapsed time "
        "of tasks that sleep, processor time of tasks that compute. Status 2: a benchmark was "
        "skipped for lack of a library.");
    const std::map<std::string, std::function<void()>> benchmarks{
        {"cceval", BenchCceval},
        {"farm", BenchFarm},
        {"flowsim", BenchFlowsim},
        {"flowsim-fabric", BenchFlowsimFabric},
        {"flowsim-parking-lot", BenchFlowsimParkingLot},
        {"flowsim-simgrid", BenchFlowsimSimgrid},
        {"m4", BenchM4},
        {"mql", BenchMql},
        {"mql-scale", BenchMqlScale},
        {"noc", BenchNoc},
        {"packet", BenchPacket},
        {"packet-fabric", BenchPacketFabric},
        {"packet-fattree", BenchPacketFatTree},
        {"packet-threads", BenchPacketThreads},
        {"packet-skip", BenchPacketSkip},
        {"m3", BenchM3},
        {"m3-fabric", BenchM3Fabric},
        {"parsimon", BenchParsimon},
        {"parsimon-link", BenchParsimonLink},
        {"torch-graph", BenchTorchGraph},
        {"torch-set", BenchTorchSet},
    };
    std::string known;
    for (const auto& [each, run] : benchmarks)
    {
        known += (known.empty() ? "" : ", ") + each;
    }
    cmd.AddNonOption("name", "Benchmark: one of " + known + " (all)", name);
    DcnParseCommandLine(cmd, argc, argv);

    return DcnRunProgram("dcn-bench", [&]() {
        if (!name.empty() && benchmarks.find(name) == benchmarks.end())
        {
            DcnFail("the benchmark \"", name, "\" is not one of ", known);
        }
        std::cout << "benchmark,metric,value" << std::endl;
        int status = 0;
        for (const auto& [each, run] : benchmarks)
        {
            status = (name.empty() || name == each) && !HasRun(each, run) ? SKIPPED : status;
        }
        return status;
    });
}

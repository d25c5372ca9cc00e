/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

/**
 * @file
 * @brief Benchmark of dcn-bench: the fluid simulation against SimGrid's.
 */

#include "../../contrib/flowsim/test/flowsim-simgrid.h"
#include "dcn-bench.h"

#include "ns3/dcn-csv.h"
#include "ns3/dcn-error.h"
#include "ns3/dcn-topology.h"
#include "ns3/dcn-units.h"
#include "ns3/dcn-workload.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <map>
#include <string>
#include <unistd.h>
#include <utility>
#include <vector>

using namespace ns3;

namespace
{

constexpr uint32_t PAYLOAD_BYTES = 1000; //!< Largest payload of a packet
constexpr double HOST_BPS = 10e9;        //!< Rate of hosts [bit/s]

/**
 * @brief Compares the fluid simulations on one scenario.
 * @param name of the scenario
 * @param nFlows number of flows
 * @param hostLoad payload of all flows over the capacity of the hosts in that time
 */
void
CompareWithSimgrid(const std::string& name, uint64_t nFlows, double hostLoad)
{
    // The core has an eighth of the hosts' capacity, and 7 of 8 flows cross it: it is overloaded
    // from 14 % host load on.
    const DcnStopwatch preparation;
    DcnFabricParameters fabric;
    fabric.pods = 8;
    fabric.racksPerPod = 8;
    fabric.hostsPerRack = 16;
    fabric.spinesPerPlane = 2;
    Ptr<DcnTopology> topology = DcnBuildTopology(fabric);
    DcnWorkloadSpec spec;
    spec.sizes = "cache-follower";
    spec.nFlows = nFlows;
    const DcnWorkload workload = DcnWorkload::Generate(topology, spec);
    const double stretch = workload.load.offeredRateBps /
                           (hostLoad * HOST_BPS * static_cast<double>(topology->GetHosts().size()));

    flowsim_test::SimgridInput input;
    input.nHosts = static_cast<uint32_t>(topology->GetHosts().size());
    for (uint32_t link = 0; link < topology->GetNLinks(); link++)
    {
        input.capacities.push_back(static_cast<double>(topology->GetLink(link).rateBps));
    }
    // SimGrid has one route per pair of hosts: that of the first flow.
    std::map<std::pair<uint32_t, uint32_t>, std::vector<uint32_t>> routes;
    std::vector<FlowsimArrival> flows(nFlows);
    for (uint64_t i = 0; i < nFlows; i++)
    {
        const DcnFlow& flow = workload.flows[i];
        const DcnPath path = workload.paths.Get(i);
        const auto& route =
            routes
                .try_emplace({flow.src, flow.dst}, std::vector<uint32_t>(path.begin(), path.end()))
                .first->second;
        const auto startNs =
            static_cast<int64_t>(std::llround(stretch * static_cast<double>(flow.startNs)));
        const uint64_t bytes = DcnWireBytes(flow.sizeBytes, PAYLOAD_BYTES);
        input.flows.push_back({flow.src, flow.dst, bytes, startNs, route});
        flows[i].id = i;
        flows[i].startNs = startNs;
        flows[i].bits = 8.0 * static_cast<double>(bytes);
        flows[i].path = route;
    }

    const DcnCost prepared = preparation.Get();

    const std::string folder = std::filesystem::temp_directory_path().string() +
                               "/flowsim-simgrid-" + std::to_string(getpid());
    DcnMakeFolder(folder);
    const DcnStopwatch watch;
    const std::vector<double> ours = RunFlowsimEngine(input.capacities, flows);
    const DcnCost cost = watch.Get();
    const DcnStopwatch theirWatch;
    const flowsim_test::SimgridOutput theirs = flowsim_test::SimulateBySimgrid(input, folder);
    const DcnCost theirProcess = theirWatch.Get();
    std::filesystem::remove_all(folder);
    if (theirs.durationsNs.size() != ours.size())
    {
        DcnFail("SimGrid answered for ", theirs.durationsNs.size(), " of ", ours.size(), " flows");
    }
    double difference = 0;
    for (std::size_t i = 0; i < theirs.durationsNs.size(); i++)
    {
        difference = std::max(difference, std::abs(ours[i] / theirs.durationsNs[i] - 1));
    }
    const std::string benchmark = "flowsim-simgrid";
    const auto n = static_cast<double>(nFlows);
    Report(benchmark, name + "_flows", n);
    Report(benchmark, name + "_flowsim_flows_per_s", n / cost.cpuSeconds);
    Report(benchmark, name + "_simgrid_flows_per_s", n / theirs.cpuSeconds);
    // the clocks of both start after platform and routes are ready
    DcnSpeedComparison{benchmark,
                       name + "_",
                       "simgrid",
                       {theirs.cpuSeconds, theirs.wallSeconds},
                       cost,
                       prepared}
        .ReportRows();
    // its whole process: reading of the flows, platform, routes, simulation
    Report(benchmark, name + "_simgrid_process_cpu_s", theirProcess.cpuSeconds);
    Report(benchmark, name + "_largest_relative_difference", difference);
}

} // namespace

void
BenchFlowsimSimgrid()
{
    if (!flowsim_test::HasSimgrid())
    {
        throw DcnBenchSkipped("SimGrid (libsimgrid-dev) was not there when dcn was configured");
    }
    CompareWithSimgrid("light", 5000, 0.1);
    CompareWithSimgrid("overloaded", 20000, 0.3);
}

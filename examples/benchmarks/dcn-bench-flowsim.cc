/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

/**
 * @file
 * @brief Benchmarks of dcn-bench: speed of the fluid simulation at scale.
 */

#include "dcn-bench.h"

#include "ns3/dcn-arrival-process.h"
#include "ns3/dcn-random.h"
#include "ns3/dcn-scenario.h"
#include "ns3/dcn-size-distribution.h"
#include "ns3/dcn-topology.h"
#include "ns3/dcn-units.h"
#include "ns3/dcn-workload.h"
#include "ns3/flowsim-estimator.h"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <limits>
#include <sstream>
#include <vector>

using namespace ns3;

namespace
{

constexpr uint32_t PAYLOAD_BYTES = 1000; //!< Largest payload of a packet
constexpr double HOST_BPS = 10e9;        //!< Rate of hosts and of the links of the row [bit/s]

constexpr int REPETITIONS = 5;               //!< Of the fabrics with less than a million flows
const std::string FABRIC = "flowsim-fabric"; //!< Name of the benchmark of fabrics

/**
 * @brief Returns the middle one of an odd number of values.
 * @param values the values
 * @return their median
 */
double
GetMedian(std::vector<double> values)
{
    std::sort(values.begin(), values.end());
    return values[values.size() / 2];
}

/// A row of the table of timings: a parking lot of four links.
struct RowCase
{
    uint64_t nFlows; //!< Number of flows
    double load;     //!< Of the most loaded link
    double sigma;    //!< Shape of the gaps between arrivals
};

/**
 * @brief Draws flows on a row of four links: all ten pairs equally likely, log-normal sizes.
 * @param row number of flows, load and shape of the gaps
 * @return the flows in order of arrival
 */
std::vector<FlowsimArrival>
DrawRow(const RowCase& row)
{
    constexpr double HOTTEST_SHARE = 0.6; // 6 of the 10 pairs cross the second link, and the third
    const DcnRandom random(1);
    auto sizes = DcnSizeDistribution::Create("lognorm:20000");
    sizes->AssignStreams(random);
    DcnArrivalProcess arrivals(row.sigma, random);
    auto uniform = CreateObject<UniformRandomVariable>();
    random.Assign(uniform, DcnPurpose::FLOW_PAIRS);
    std::vector<std::vector<uint32_t>> paths;
    for (uint32_t first = 0; first < 4; first++)
    {
        std::vector<uint32_t> path;
        for (uint32_t last = first; last < 4; last++)
        {
            path.push_back(last);
            paths.push_back(path);
        }
    }
    const double meanGapNs = HOTTEST_SHARE * 8e9 * sizes->GetMean() / (row.load * HOST_BPS);
    std::vector<FlowsimArrival> flows(row.nFlows);
    for (uint64_t i = 0; i < row.nFlows; i++)
    {
        flows[i].id = i;
        flows[i].startNs = std::llround(arrivals.Next().time * meanGapNs);
        flows[i].bits = 8.0 * static_cast<double>(DcnWireBytes(sizes->Sample(), PAYLOAD_BYTES));
        flows[i].path = paths[uniform->GetInteger(0, 9)];
    }
    return flows;
}

/// A fabric of pods of 48 racks of 16 hosts with web-like traffic.
struct FabricCase
{
    uint32_t pods;    //!< Number of pods
    uint64_t nFlows;  //!< Number of flows
    int repetitions;  //!< Odd; the median is printed, since other load may slow some of them
    bool stretched;   //!< See MakeBenchScenario
    const char* name; //!< Names of the rows begin with the number of hosts and this name
};

/**
 * @brief Measures and prints the rows of a fabric.
 * @param each the fabric and its flows
 * @return processor time of the simulation per flow [s]
 */
double
RunFabric(const FabricCase& each)
{
    DcnFabricParameters fabric;
    fabric.pods = each.pods;
    fabric.racksPerPod = 48;
    fabric.hostsPerRack = 16;
    fabric.fabricsPerPod = 4;
    fabric.spinesPerPlane = 24;
    DcnWorkloadSpec spec;
    spec.matrix = "web";
    spec.sigma = 1;
    spec.nFlows = each.nFlows;
    const DcnStopwatch watch;
    const DcnBenchScenario made = MakeBenchScenario(DcnBuildTopology(fabric),
                                                    spec,
                                                    DcnNetworkConfig::Preset("dctcp"),
                                                    watch,
                                                    each.stretched);
    Ptr<FlowsimEstimator> flowsim = CreateObject<FlowsimEstimator>();
    std::vector<double> wallSeconds;
    std::vector<double> cpuSeconds;
    for (int i = 0; i < each.repetitions; i++)
    {
        const DcnCost cost = GetCost(flowsim->Estimate(made.scenario));
        wallSeconds.push_back(cost.wallSeconds);
        cpuSeconds.push_back(cost.cpuSeconds);
    }
    const double wall = GetMedian(wallSeconds);
    const double cpu = GetMedian(cpuSeconds);
    const auto flows = static_cast<double>(each.nFlows);
    const std::string prefix =
        std::to_string(made.scenario->GetTopology().GetHosts().size()) + "_" + each.name;
    auto row = [&prefix](const std::string& metric, double value) {
        Report(FABRIC, prefix + metric, value);
    };
    row("median_wall_s", wall);
    row("median_cpu_s", cpu);
    row("flows", flows);
    row("flows_per_s", flows / cpu);
    row("wall_flows_per_s", flows / wall);
    row("rate_changes_per_event",
        static_cast<double>(flowsim->GetStatistics().nRateChanges) /
            static_cast<double>(flowsim->GetStatistics().nEvents));
    row("simulated_s", made.spanSeconds);
    row("realised_max_load", made.maxLoad);
    row("generation_and_routing_s", made.preparation.cpuSeconds);
    row("end_to_end_s", made.preparation.cpuSeconds + cpu);
    row("end_to_end_wall_s", made.preparation.wallSeconds + wall);
    row("peak_Mbyte", GetPeakMbytes()); // cases grow, so this is that of this case
    return cpu / flows;
}

} // namespace

std::vector<double>
RunFlowsimEngine(const std::vector<double>& capacities, const std::vector<FlowsimArrival>& flows)
{
    std::vector<double> durations(flows.size());
    FlowsimEngine engine(capacities);
    std::size_t next = 0;
    engine.SetSource([&](FlowsimArrival& arrival) {
        if (next == flows.size())
        {
            return false;
        }
        arrival = flows[next++];
        return true;
    });
    engine.SetSink([&](const FlowsimCompletion& done) { durations[done.id] = done.durationNs; });
    engine.Run();
    return durations;
}

void
BenchFlowsimFabric()
{
    const std::vector<std::pair<uint32_t, uint64_t>> cases{{8, 51000},
                                                           {16, 196000},
                                                           {32, 287000},
                                                           {48, 541000},
                                                           {64, 565000}};
    std::vector<double> costs;
    for (const auto& [pods, nFlows] : cases)
    {
        // So few flows per host give the most loaded link several times the specified 50 %; with
        // scaled starts the load is 50 %, and fewer flows are active.
        costs.push_back(RunFabric({pods, nFlows, REPETITIONS, false, ""}));
        RunFabric({pods, nFlows, REPETITIONS, true, "exact_load_"});
    }
    RunFabric({64, 10'000'000, 1, false, "ten_million_"});
    Report(FABRIC, "cpu_s_per_flow_largest_to_smallest", costs.back() / costs.front());
}

void
BenchFlowsimParkingLot()
{
    const std::vector<RowCase> rows{{800000, 0.3, 1},
                                    {800000, 0.5, 1},
                                    {800000, 0.5, 2},
                                    {800000, 0.75, 2},
                                    {800000, 0.95, 2},
                                    {800000, 1.5, 1}};
    for (const RowCase& row : rows)
    {
        const std::vector<FlowsimArrival> arrivals = DrawRow(row);
        const DcnStopwatch watch;
        RunFlowsimEngine({HOST_BPS, HOST_BPS, HOST_BPS, HOST_BPS}, arrivals);
        const DcnCost cost = watch.Get();
        std::ostringstream name;
        name << "load_" << row.load << "_sigma_" << row.sigma;
        const auto flows = static_cast<double>(row.nFlows);
        Report("flowsim-parking-lot", name.str() + "_flows_per_s", flows / cost.cpuSeconds);
        Report("flowsim-parking-lot", name.str() + "_wall_flows_per_s", flows / cost.wallSeconds);
    }
}

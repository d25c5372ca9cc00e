/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef DCN_BENCH_H
#define DCN_BENCH_H

#include "ns3/dcn-estimator.h"
#include "ns3/dcn-network-config.h"
#include "ns3/dcn-progress.h"
#include "ns3/dcn-scenario.h"
#include "ns3/dcn-workload.h"
#include "ns3/flowsim-engine.h"

#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

/**
 * @file
 * Benchmarks of dcn-bench in files of their own, and their common functions.
 */

/**
 * @brief Prints one result.
 * @param benchmark name of the benchmark
 * @param metric name of the measured value, with its unit
 * @param value the result
 */
void Report(const std::string& benchmark, const std::string& metric, double value);

/// Ends a benchmark that cannot run here; what() names the missing library.
class DcnBenchSkipped : public std::runtime_error
{
  public:
    using std::runtime_error::runtime_error;
};

/**
 * @param estimate an answer
 * @return cost of the method alone: with the reading of its model, without flows and paths
 */
ns3::DcnCost GetCost(const ns3::DcnEstimate& estimate);

/// A scenario, its realised load and its cost.
struct DcnBenchScenario
{
    ns3::Ptr<const ns3::DcnScenario> scenario; //!< flows and paths
    double maxLoad{0};                         //!< payload load of the most loaded link, realised
    double spanSeconds{0};                     //!< period represented by the flows [s]
    ns3::DcnCost preparation;                  //!< cost of topology, flows and paths
};

/**
 * @brief Makes a scenario.
 *
 * With few flows per host and heavy-tailed sizes, the realised load of the most loaded link is
 * several times the specified one.
 *
 * @param topology the network
 * @param spec the flows
 * @param network congestion control and queues
 * @param watch started before the topology was created
 * @param stretched whether the starts are scaled so that the realised load equals the specified one
 * @return the scenario
 */
DcnBenchScenario MakeBenchScenario(ns3::Ptr<ns3::DcnTopology> topology,
                                   const ns3::DcnWorkloadSpec& spec,
                                   ns3::Ptr<ns3::DcnNetworkConfig> network,
                                   const ns3::DcnStopwatch& watch,
                                   bool stretched = false);

/**
 * @param topology the network
 * @param sizes name of the flow sizes
 * @param nFlows number of flows, Poisson and uniform at 50 % load
 * @param cc congestion control, with the evaluation parameters
 * @param watch started before the topology was created
 * @return the scenario
 */
DcnBenchScenario MakeUniform(ns3::Ptr<ns3::DcnTopology> topology,
                             const std::string& sizes,
                             uint64_t nFlows,
                             const std::string& cc,
                             const ns3::DcnStopwatch& watch);

/** @return largest memory of this process so far [Mbyte], NaN if unknown. */
double GetPeakMbytes();

/// Costs of a method and of a reference on the same flows, summed over the runs.
struct DcnSpeedComparison
{
    std::string benchmark;           //!< name of the benchmark
    std::string prefix;              //!< beginning of the metrics' names
    std::string reference{"packet"}; //!< name of the reference
    ns3::DcnCost referenceCost;      //!< cost of the reference alone
    ns3::DcnCost methodCost;         //!< cost of the method alone
    ns3::DcnCost preparation;        //!< cost of flows and paths, needed by both
    ns3::DcnCost methodLoading{};    //!< cost of loading, if not part of methodCost
    uint32_t threads{1};             //!< threads of the method; the reference has one

    /**
     * @brief Prints the rows: processor and elapsed times, their ratios, threads, and from end to
     * end, with preparation and loading.
     * @return the ratio of processor times
     */
    double ReportRows() const;
};

/**
 * @brief Runs flows through the engine of the fluid simulation.
 * @param capacities capacity of each link [bit/s]
 * @param flows the flows in order of arrival, ids 0 .. n - 1
 * @return duration of each flow [ns]
 */
std::vector<double> RunFlowsimEngine(const std::vector<double>& capacities,
                                     const std::vector<ns3::FlowsimArrival>& flows);

/// Packets: data packets times links crossed per CPU second, on a dumbbell and on a fabric.
void BenchPacket();

/// Packets at 100 Gb/s on fat trees of 128 and 1,024 hosts, every congestion control.
void BenchPacketFatTree();

/// Threads in a packet simulation: their speed-up, and what windows would allow with more cores.
void BenchPacketThreads();

/// Steady states skipped (DcnSteadySkip): processor time of full packets to that with skips.
void BenchPacketSkip();

/// Packets on fabrics of 1,024 and 6,144 hosts, with the memory that they take.
void BenchPacketFabric();

/// Fluid simulation of the web-like fabrics of 6,144 to 49,152 hosts on which m4 was timed.
void BenchFlowsimFabric();

/// Fluid simulation of a row of four links, as in the timings of m3's flowSim.
void BenchFlowsimParkingLot();

/// Fluid simulation against SimGrid on 1,024 hosts; skipped if built without SimGrid.
void BenchFlowsimSimgrid();

/// Parsimon from end to end against the packet engine on a 256-host fabric.
void BenchParsimon();

/// The lean link simulator against the packet engine on link topologies of a 256-host fabric.
void BenchParsimonLink();

/// Coverage of the intervals and of the forecasts of repeated evaluations, see contrib/cceval.
void BenchCceval();

/// Task farm with tasks of unequal length, by processes and by ranks of mpirun.
void BenchFarm();

/// m4: events per second by size of the network, and speed against the packet engine.
void BenchM4();

/// Queueing model: time by size, model calls with and without similarity.
void BenchMqlScale();

/// Queueing model with correction: errors against simulation, speed against ns-3.
void BenchMql();

/// Networks on chip: cycles per second of the simulator, and models against it.
void BenchNoc();

/// m3 against the packet engine on a 256-host fabric.
void BenchM3();

/// m3 on the 6,144-host fabric with a million flows.
void BenchM3Fabric();

/// Training of the graph network of m4; skipped without LibTorch.
void BenchTorchGraph();

/// Training of the set network of m3; skipped without LibTorch.
void BenchTorchSet();

#endif // DCN_BENCH_H

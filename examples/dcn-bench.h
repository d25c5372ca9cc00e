/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef DCN_BENCH_H
#define DCN_BENCH_H

#include "ns3/flowsim-engine.h"

#include <chrono>
#include <string>
#include <vector>

/**
 * @file
 * The benchmarks of dcn-bench that have a file of their own, and what they share.
 */

/**
 * @brief Prints one result.
 * @param benchmark name of the benchmark
 * @param metric what was measured, with its unit
 * @param value the result
 */
void Report(const std::string& benchmark, const std::string& metric, double value);

/// Measures elapsed time.
class DcnStopwatch
{
  public:
    /// @return time since it was made [s]
    double GetSeconds() const
    {
        return std::chrono::duration<double>(std::chrono::steady_clock::now() - m_start).count();
    }

  private:
    std::chrono::steady_clock::time_point m_start{std::chrono::steady_clock::now()}; //!< Start
};

/**
 * @brief Runs flows through the engine of the fluid simulation.
 * @param capacities capacity of each link [bit/s]
 * @param flows the flows in order of arrival, ids 0 .. n - 1
 * @return duration of each flow [ns]
 */
std::vector<double> RunFlowsimEngine(const std::vector<double>& capacities,
                                     const std::vector<ns3::FlowsimArrival>& flows);

/// Fluid simulation of the web-like fabrics of 6,144 to 49,152 hosts on which m4 was timed.
void BenchFlowsimFabric();

/// Fluid simulation of a row of four links, as in the timings of m3's flowSim.
void BenchFlowsimParkingLot();

/// Fluid simulation against SimGrid on 1,024 hosts; says so when SimGrid was not there to build.
void BenchFlowsimSimgrid();

/// Parsimon from end to end against the packet engine on a 256-host fabric.
void BenchParsimon();

/// The lean link simulator against the packet engine on link topologies of a 256-host fabric.
void BenchParsimonLink();

/// Coverage of the intervals and of the forecasts of repeated evaluations, see contrib/cceval.
void BenchCceval();

/// m4: events per second by size of the network, and speed against the packet engine.
void BenchM4();

/// Queueing model: time by size, model calls with and without similarity.
void BenchMqlScale();


/// Queueing model with correction: errors against simulation, speed against ns-3.
void BenchMql();

/// m3 against the packet engine on a 256-host fabric.
void BenchM3();

/// m3 on the 6,144-host fabric with a million flows.
void BenchM3Fabric();

/// Training of the graph network of m4; says so when there is no LibTorch.
void BenchTorchGraph();

/// Training of the set network of m3; says so when there is no LibTorch.
void BenchTorchSet();

#endif // DCN_BENCH_H

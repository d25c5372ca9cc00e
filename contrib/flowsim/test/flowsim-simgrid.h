/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef FLOWSIM_SIMGRID_H
#define FLOWSIM_SIMGRID_H

#include <cstdint>
#include <utility>
#include <vector>

/**
 * @file
 * @ingroup flowsim-tests
 * The fluid simulation by SimGrid, for tests and for one benchmark. Built only when SimGrid's
 * development files (libsimgrid-dev) are there.
 */

namespace flowsim_test
{

/// What to simulate; free of ns-3 types, and of SimGrid's.
struct SimgridInput
{
    /// A flow.
    struct Flow
    {
        uint32_t src;               //!< Host
        uint32_t dst;               //!< Another host
        uint64_t bytes;             //!< Size
        int64_t startNs;            //!< Start [ns]
        std::vector<uint32_t> path; //!< Links crossed, the same for all flows from src to dst
    };

    uint32_t nHosts;                //!< Hosts are 0 .. nHosts - 1
    std::vector<double> capacities; //!< Capacity of each link [bit/s]
    std::vector<Flow> flows;        //!< In order of start
};

/// What came of it.
struct SimgridOutput
{
    double wallSeconds;              //!< Elapsed time of the simulation, platform and routes ready
    std::vector<double> durationsNs; //!< Completion time minus start of each flow [ns]
};

/**
 * @brief Simulates flows with SimGrid: max-min sharing, no latency, no effects of TCP.
 *
 * Runs in a process of its own, since SimGrid's engine exists once per process.
 * @param input what to simulate
 * @return the result; without durations when SimGrid failed
 */
SimgridOutput SimulateBySimgrid(const SimgridInput& input);

} // namespace flowsim_test

#endif // FLOWSIM_SIMGRID_H

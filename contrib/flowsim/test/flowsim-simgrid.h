/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef FLOWSIM_SIMGRID_H
#define FLOWSIM_SIMGRID_H

#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <limits>
#include <string>
#include <vector>

/**
 * @file
 * @ingroup flowsim-tests
 * The fluid simulation by SimGrid, for tests and for one benchmark.
 */

/// The program that SimulateBySimgrid runs; empty where SimGrid (libsimgrid-dev) was not found.
#ifndef DCN_SIMGRID_PROGRAM
#define DCN_SIMGRID_PROGRAM ""
#endif

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
    double cpuSeconds;  //!< Processor time of the simulation, platform and routes ready
    double wallSeconds; //!< Elapsed time of the same
    std::vector<double> durationsNs; //!< Completion time minus start of each flow [ns]
};

/// @return whether there is SimGrid
inline bool
HasSimgrid()
{
    return !std::string(DCN_SIMGRID_PROGRAM).empty();
}

/**
 * @brief Simulates flows with SimGrid: max-min sharing, no latency, no effects of TCP.
 *
 * Runs the program flowsim-simgrid, see there; needs HasSimgrid().
 * @param input what to simulate
 * @param folder where its input and output are kept meanwhile
 * @return the result; without durations when SimGrid failed
 */
inline SimgridOutput
SimulateBySimgrid(const SimgridInput& input, const std::string& folder)
{
    const std::string in = folder + "/simgrid-input.txt";
    const std::string out = folder + "/simgrid-output.txt";
    std::ofstream question(in);
    question.precision(std::numeric_limits<double>::max_digits10);
    question << input.nHosts << ' ' << input.capacities.size() << ' ' << input.flows.size() << '\n';
    for (double capacity : input.capacities)
    {
        question << capacity << '\n';
    }
    for (const auto& flow : input.flows)
    {
        question << flow.src << ' ' << flow.dst << ' ' << flow.bytes << ' ' << flow.startNs << ' '
                 << flow.path.size();
        for (uint32_t link : flow.path)
        {
            question << ' ' << link;
        }
        question << '\n';
    }
    question.close();

    SimgridOutput output{0, 0, {}};
    const std::string command = "'" DCN_SIMGRID_PROGRAM "' '" + in + "' '" + out + "'";
    if (question && std::system(command.c_str()) == 0)
    {
        std::ifstream answer(out);
        answer >> output.cpuSeconds >> output.wallSeconds;
        for (double duration; answer >> duration;)
        {
            output.durationsNs.push_back(duration);
        }
    }
    return output;
}

} // namespace flowsim_test

#endif // FLOWSIM_SIMGRID_H

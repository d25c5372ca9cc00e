/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

/**
 * @file
 * @brief Benchmark of dcn-bench: share of the time that the places of a task farm spend in tasks.
 */

#include "dcn-bench.h"

#include "ns3/dcn-error.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <unistd.h>

using namespace ns3;

namespace
{

/// What dcn-farm says.
struct Outcome
{
    double taskSeconds{0};    //!< sum of the lengths of the tasks [s]
    double elapsedSeconds{0}; //!< from the first task to the last result [s]
    double efficiency{0};     //!< share of the places' elapsed time in tasks
    DcnCost cost;             //!< of the whole program, with the start of mpirun and ranks
};

/**
 * @param launcher command that starts dcn-farm; empty: none
 * @param options of dcn-farm
 * @return what it says
 */
Outcome
RunFarm(const std::string& launcher, const std::string& options)
{
    const std::string command = launcher + DCN_FARM_PROGRAM + " " + options;
    const DcnStopwatch watch;
    FILE* output = popen(command.c_str(), "r");
    if (!output)
    {
        DcnFail("this command cannot be run: ", command);
    }
    std::string text;
    std::array<char, 4096> part;
    while (const std::size_t n = fread(part.data(), 1, part.size(), output))
    {
        text.append(part.data(), n);
    }
    Outcome outcome;
    const bool isDone = pclose(output) == 0;
    outcome.cost = watch.Get();
    if (!isDone || std::sscanf(text.c_str(),
                               "%*u tasks of %lf s on %*u ranks with %*u jobs: %lf s elapsed, "
                               "efficiency %lf",
                               &outcome.taskSeconds,
                               &outcome.elapsedSeconds,
                               &outcome.efficiency) != 3)
    {
        DcnFail("this command has failed: ", command, "\n", text);
    }
    return outcome;
}

} // namespace

void
BenchFarm()
{
    const bool hasMpirun = std::system("command -v mpirun > /dev/null") == 0;
    // tasks sleep, so that cores that others use do not count
    auto report = [](const std::string& name, const std::string& launcher, const std::string& places) {
        const Outcome sleeping = RunFarm(launcher, places + " --work=sleep");
        Report("farm", name + "_sleep_task_s", sleeping.taskSeconds);
        Report("farm", name + "_sleep_elapsed_s", sleeping.elapsedSeconds);
        Report("farm", name + "_sleep_efficiency", sleeping.efficiency);
        const Outcome computing = RunFarm(launcher, places + " --work=compute");
        Report("farm", name + "_compute_task_s", computing.taskSeconds);
        Report("farm", name + "_compute_cpu_s", computing.cost.cpuSeconds);
        Report("farm",
               name + "_compute_cpu_efficiency",
               computing.taskSeconds / computing.cost.cpuSeconds);
        Report("farm", name + "_compute_wall_efficiency", computing.efficiency);
        return std::min(sleeping.efficiency, computing.taskSeconds / computing.cost.cpuSeconds);
    };
    double least = report("jobs_2", "", "--jobs=2");
    if (hasMpirun)
    {
        const std::string mpirun = std::string("mpirun -n 2 --oversubscribe --bind-to none ") +
                                   (geteuid() == 0 ? "--allow-run-as-root " : "");
        least = std::min(least, report("ranks_2", mpirun, "--mpi"));
    }
    Report("farm", "efficiency", least);
    if (!hasMpirun)
    {
        throw DcnBenchSkipped("rows of ranks: there is no mpirun (openmpi-bin)");
    }
}

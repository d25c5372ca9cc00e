/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

/**
 * @file
 * @brief Tasks of unequal length on a task farm: shows whether the ranks of mpirun find each other,
 * and how much of the time of processes and ranks goes into tasks.
 *
 * Lengths are exponential and known before, so that a perfect farm of m places would take their sum
 * divided by m. Tasks sleep, so that their places need no cores, or compute for the given processor
 * time. dcn-bench farm runs this program.
 */

#include "ns3/command-line.h"
#include "ns3/dcn-command-line.h"
#include "ns3/dcn-error.h"
#include "ns3/dcn-origin.h"
#include "ns3/dcn-task-farm.h"

#include <chrono>
#include <cinttypes>
#include <cmath>
#include <cstdio>
#include <ctime>
#include <string>
#include <thread>
#include <vector>

using namespace ns3;

namespace
{

/**
 * @param n number of tasks
 * @param mean length [s]
 * @return the lengths [s], the quantiles of an exponential distribution in a mixed order
 */
std::vector<double>
DrawLengths(uint64_t n, double mean)
{
    std::vector<double> lengths(n);
    for (uint64_t i = 0; i < n; ++i)
    {
        // a multiple of the golden ratio, modulo 1, is spread evenly over 0 to 1
        const double u = std::fmod((static_cast<double>(i) + 0.5) * 0.6180339887498949, 1.0);
        lengths[i] = -mean * std::log(1 - u);
    }
    return lengths;
}

/// Waits.
/// @param seconds how long
/// @param sleeps whether it takes elapsed time alone, and no processor time
void
Spend(double seconds, bool sleeps)
{
    if (sleeps)
    {
        std::this_thread::sleep_for(std::chrono::duration<double>(seconds));
        return;
    }
    const std::clock_t begin = std::clock();
    while (static_cast<double>(std::clock() - begin) < seconds * CLOCKS_PER_SEC)
    {
    }
}

/// Refuses what is no work.
void
Check(const std::string& work, uint64_t n, double mean)
{
    if (work != "compute" && work != "sleep")
    {
        DcnFail("--work must be compute or sleep, but it is \"", work, "\"");
    }
    if (n == 0 || !(mean >= 0))
    {
        DcnFail("there must be at least 1 task of at least 0 s, but there are ",
                n,
                " of ",
                mean,
                " s");
    }
}

} // namespace

int
main(int argc, char* argv[])
{
    uint64_t n = 40;
    double mean = 0.25;
    std::string work = "compute";
    std::string bad;
    DcnTaskFarmOptions places(false);
    CommandLine cmd(__FILE__);
    cmd.Usage("Runs tasks of unequal length on a task farm: mpirun -n 4 dcn-farm --mpi");
    cmd.AddValue("tasks", "Number of tasks", n);
    cmd.AddValue("seconds", "Mean length of a task [s]", mean);
    DcnAddText(cmd, "work", "compute (default: processor time) or sleep", work);
    DcnAddText(cmd, "bad", "Number of a task that fails", bad);
    places.AddTo(cmd);
    DcnParseCommandLine(cmd, argc, argv);

    return DcnRunProgram("dcn-farm", [&]() {
        Check(work, n, mean);
        const DcnTaskFarm farm = places.Make();
        const std::vector<double> lengths = DrawLengths(n, mean);
        std::vector<std::string> tasks;
        double sum = 0;
        for (uint64_t i = 0; i < n; ++i)
        {
            tasks.push_back(std::to_string(i));
            sum += lengths[i];
        }
        std::vector<std::string> results(n);
        const auto start = std::chrono::steady_clock::now();
        farm.Run(
            {{"tasks", std::to_string(n)}, {"seconds", std::to_string(mean)}, {"work", work}},
            tasks,
            [&](const std::string& task, const DcnTaskFarm::Reply& reply) {
                if (task == bad)
                {
                    DcnFail("task ", task, " fails, as --bad says");
                }
                Spend(lengths[std::stoull(task)], work == "sleep");
                reply(DcnHashText(task));
            },
            [&](uint64_t task, std::string&& bytes) { results[task] = std::move(bytes); });
        const double elapsed =
            std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
        const std::string all = farm.Share(DcnTaskFarm::Pack(results));
        if (!farm.IsRoot())
        {
            return 0;
        }
        const uint32_t m = farm.GetNRanks() * farm.GetJobs();
        std::printf("%" PRIu64 " tasks of %.3f s on %u ranks with %u jobs: %.3f s elapsed, "
                    "efficiency %.4f, results %s\n",
                    n,
                    sum,
                    farm.GetNRanks(),
                    farm.GetJobs(),
                    elapsed,
                    sum / (elapsed * m),
                    DcnHashText(all).c_str());
        return 0;
    });
}

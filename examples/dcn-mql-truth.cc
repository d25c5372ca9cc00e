/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

/**
 * @file
 * @brief Simulate networks of FIFO queues to train MQL and to compare it with.
 *
 * One configuration (--config) or a list of them (--list), each in a process of its own. What is in
 * the folder already is kept, so that a run that was stopped can be repeated and goes on where it
 * was. Keys of a configuration: MqlTruthConfig and doc/schema.rst.
 */

#include "ns3/command-line.h"
#include "ns3/dcn-command-line.h"
#include "ns3/dcn-csv.h"
#include "ns3/dcn-error.h"
#include "ns3/dcn-process-pool.h"
#include "ns3/dcn-progress.h"
#include "ns3/mql-truth-files.h"

#include <algorithm>
#include <chrono>
#include <cinttypes>
#include <cstdio>
#include <string>
#include <vector>

using namespace ns3;

namespace
{

/**
 * Simulate a configuration and write what was measured.
 * @param config the configuration
 * @param out folder of all configurations
 */
void
Simulate(const MqlTruthConfig& config, const std::string& out)
{
    const MqlTruthTraffic traffic(config);
    const MqlTruthResult result = MqlSimulateTruth(traffic);
    MqlWriteTruth(traffic, result, out);
    double rtt = 0;
    uint64_t packets = 0;
    uint64_t sent = 0;
    for (const auto& flow : result.flows)
    {
        rtt += flow.rttNs * static_cast<double>(flow.packets);
        packets += flow.packets;
        sent += flow.sent;
    }
    double busiest = 0;
    for (const auto& queue : result.queues)
    {
        busiest = std::max(busiest, queue.utilisation);
    }
    std::printf("%s: %zu flows, %" PRIu64 " packets (%.4f %% lost), mean round trip %.2f us, "
                "busiest link %.4f, %.2f M packet-hops/s of CPU, %.1f s\n",
                config.GetName().c_str(),
                result.flows.size(),
                sent,
                sent == 0 ? 0 : 100 * (1 - static_cast<double>(packets) / sent),
                packets == 0 ? 0 : rtt / static_cast<double>(packets) / 1000,
                busiest,
                static_cast<double>(result.packetHops) / result.cpuSeconds / 1e6,
                result.wallSeconds);
    std::fflush(stdout);
}

} // namespace

int
main(int argc, char* argv[])
{
    std::string text;
    std::string list;
    std::string out = "results/mql-truth";
    uint32_t jobs = 1;
    CommandLine cmd(__FILE__);
    cmd.Usage("Simulate networks of FIFO queues to train MQL and to compare it with.");
    DcnAddText(cmd, "config", "A configuration, e.g. k=8,arrivals=ge,scv=4,load=0.75", text);
    DcnAddText(cmd, "list", "File with a configuration per line, instead of --config", list);
    cmd.AddValue("jobs", "Processes at a time", jobs);
    DcnAddText(cmd, "out", "Folder; each configuration gets a folder of its own in it", out);
    DcnParseCommandLine(cmd, argc, argv);

    return DcnRunProgram("dcn-mql-truth", [&]() {
        if (!list.empty() && !text.empty())
        {
            DcnFail("--config has no effect with --list");
        }
        if (jobs == 0)
        {
            DcnFail("--jobs must be at least 1, but it is 0");
        }
        std::vector<MqlTruthConfig> configs;
        if (list.empty())
        {
            configs.push_back(MqlTruthConfig::Parse(text, "--config: "));
        }
        else
        {
            configs = MqlTruthConfig::ReadList(list);
        }
        DcnMakeFolder(out);
        std::vector<uint64_t> tasks;
        for (uint64_t i = 0; i < configs.size(); ++i)
        {
            if (!MqlHasTruth(configs[i], out))
            {
                tasks.push_back(i);
            }
        }
        std::printf("%zu configurations, %zu to simulate\n", configs.size(), tasks.size());
        std::fflush(stdout);
        DcnProgress progress("dcn-mql-truth", tasks.size(), "configurations");
        uint64_t done = 0;
        DcnRunInProcesses(
            tasks,
            jobs,
            [&](uint64_t i, const DcnTaskStep&) { Simulate(configs[i], out); },
            []() {},
            [&](uint64_t) { progress.Update(++done); });
        std::printf("written to %s\n", out.c_str());
        return 0;
    });
}

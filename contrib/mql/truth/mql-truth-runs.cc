/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "mql-truth-runs.h"

#include "mql-truth-engine.h"
#include "mql-truth-files.h"

#include "ns3/dcn-csv.h"
#include "ns3/dcn-error.h"
#include "ns3/dcn-progress.h"
#include "ns3/dcn-run-record.h"
#include "ns3/dcn-task-farm.h"

#include <algorithm>
#include <cinttypes>
#include <cstdio>
#include <vector>

namespace ns3
{

namespace
{

/// Simulates a configuration, writes its files and prints a line.
void
Simulate(const MqlTruthConfig& config,
         Time interval,
         const std::string& out,
         const std::string& command)
{
    const MqlTruthTraffic traffic(config);
    MqlTruthWatch watch;
    if (config.Get("engine") == "ns3" && !interval.IsZero())
    {
        watch.collector = CreateObject<DcnCollector>();
        watch.collector->SetAttribute("Interval", TimeValue(interval));
        watch.folder = out + "/" + config.GetName() + "/collector";
    }
    const MqlTruthResult result = MqlSimulateTruth(traffic, watch);
    MqlWriteTruth(traffic, result, out, command);
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

std::string
MqlDescribeTruthKeys()
{
    return DcnRecipe::Describe(MqlTruthConfig::GetKeys());
}

void
MqlRunTruth(const MqlTruthRunOptions& options, const std::string& command)
{
    if (!options.list.empty() && !options.config.empty())
    {
        DcnFail("--config has no effect with --list");
    }
    if (options.jobs == 0)
    {
        DcnFail("--jobs must be at least 1, but it is 0");
    }
    if (options.interval.IsStrictlyNegative())
    {
        DcnFail("--interval must be at least 0, but it is ", options.interval.As(Time::S));
    }
    const std::vector<MqlTruthConfig> configs =
        options.list.empty()
            ? std::vector<MqlTruthConfig>{MqlTruthConfig::Parse(options.config, "--config: ")}
            : MqlTruthConfig::ReadList(options.list);
    if (options.hasInterval &&
        std::none_of(configs.begin(), configs.end(), [](const MqlTruthConfig& config) {
            return config.Get("engine") == "ns3";
        }))
    {
        DcnFail("--interval has no effect: no configuration has engine=ns3");
    }
    DcnMakeFolder(options.out);
    const DcnFolderLock lock(options.out, DcnRunRecord::IN_USE);
    std::vector<MqlTruthConfig> missing;
    for (const MqlTruthConfig& config : configs)
    {
        if (!MqlHasTruth(config, options.out))
        {
            missing.push_back(config);
            MqlTruthDigest(config.Get("engine")); // once for all processes
        }
    }
    std::printf("%zu configurations, %zu to simulate\n", configs.size(), missing.size());
    std::fflush(stdout);
    DcnProgress progress("dcn-mql-truth", missing.size(), "configurations");
    uint64_t done = 0;
    DcnComputeInProcesses(
        missing.size(),
        options.jobs,
        [&](uint64_t i) {
            Simulate(missing[i], options.interval, options.out, command);
            return std::string();
        },
        [&](uint64_t) { progress.Update(++done); });
    std::printf("written to %s\n", options.out.c_str());
}

} // namespace ns3

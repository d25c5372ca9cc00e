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
 *
 * With engine=ns3, a DcnCollector watches the queues of all devices (--interval) and writes its
 * records to the folder collector; what it counts must be what was measured packet by packet.
 */

#include "dcn-mql-collector.h"

#include "ns3/command-line.h"
#include "ns3/dcn-command-line.h"
#include "ns3/dcn-csv.h"
#include "ns3/dcn-error.h"
#include "ns3/dcn-process-pool.h"
#include "ns3/dcn-progress.h"
#include "ns3/mql-truth-digest.h"
#include "ns3/mql-truth-files.h"
#include "ns3/nstime.h"

#include <algorithm>
#include <chrono>
#include <cinttypes>
#include <cmath>
#include <cstdio>
#include <string>
#include <vector>

using namespace ns3;

namespace
{

/**
 * Simulate a configuration and write what was measured.
 * @param config the configuration
 * @param interval of the collector's records; 0: no collector
 * @param out folder of all configurations
 * @param command that simulates it
 */
void
Simulate(const MqlTruthConfig& config,
         Time interval,
         const std::string& out,
         const std::string& command)
{
    const MqlTruthTraffic traffic(config);
    Ptr<DcnCollector> collector;
    MqlTruthHooks hooks;
    if (config.engine == "ns3" && !interval.IsZero())
    {
        collector = CreateObject<DcnCollector>();
        collector->SetAttribute("Interval", TimeValue(interval));
        hooks.watch = [&](Ptr<NetDevice> device, uint32_t link) {
            collector->Watch(device, traffic.GetTopology()->DescribeLink(link));
        };
        hooks.finish = [&]() {
            collector->Write(out + "/" + config.GetName() + "/collector");
        };
    }
    const MqlTruthResult result = MqlSimulateTruth(traffic, hooks);
    if (collector)
    {
        MqlCheckCollector(traffic, result, *collector);
    }
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

/**
 * Refuse an interval that has no effect, or that recorded times are no multiple of.
 * @param configs what to simulate
 * @param interval of the collector's records
 * @param isGiven it is not the default
 * @throws DcnError
 */
void
CheckInterval(const std::vector<MqlTruthConfig>& configs, Time interval, bool isGiven)
{
    if (interval < Time(0))
    {
        DcnFail("--interval must be at least 0, but it is ", interval.As(Time::S));
    }
    bool hasEffect = false;
    for (const auto& config : configs)
    {
        if (config.engine != "ns3" || interval.IsZero())
        {
            hasEffect = hasEffect || config.engine == "ns3";
            continue;
        }
        hasEffect = true;
        const int64_t ns = interval.GetNanoSeconds();
        if (ns == 0 || std::llround(config.warmupS * 1e9) % ns != 0 ||
            std::llround(config.durationS * 1e9) % ns != 0)
        {
            DcnFail("--interval=", interval.As(Time::MS), " does not divide warmup_s=",
                    config.warmupS, " and duration_s=", config.durationS,
                    "; --interval=0 does without a collector");
        }
    }
    if (isGiven && !hasEffect)
    {
        DcnFail("--interval has no effect without engine=ns3");
    }
}

} // namespace

int
main(int argc, char* argv[])
{
    std::string text;
    std::string list;
    std::string out = "results/mql-truth";
    uint32_t jobs = 1;
    Time interval = MilliSeconds(50);
    const Time defaultInterval = interval;
    CommandLine cmd(__FILE__);
    cmd.Usage("Simulate networks of FIFO queues to train MQL and to compare it with.");
    DcnAddText(cmd, "config", "A configuration, e.g. k=8,arrivals=ge,scv=4,load=0.75", text);
    DcnAddText(cmd, "list", "File with a configuration per line, instead of --config", list);
    cmd.AddValue("jobs", "Processes at a time", jobs);
    cmd.AddValue("interval", "Of the collector's queue records (engine=ns3); 0: none", interval);
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
        CheckInterval(configs, interval, interval != defaultInterval);
        DcnMakeFolder(out);
        std::vector<uint64_t> tasks;
        for (uint64_t i = 0; i < configs.size(); ++i)
        {
            if (!MqlHasTruth(configs[i], out))
            {
                tasks.push_back(i);
                MqlTruthDigest(configs[i].engine); // once for all tasks
            }
        }
        std::printf("%zu configurations, %zu to simulate\n", configs.size(), tasks.size());
        std::fflush(stdout);
        const std::string command = DcnDescribeCommand("dcn-mql-truth", argc, argv);
        DcnProgress progress("dcn-mql-truth", tasks.size(), "configurations");
        uint64_t done = 0;
        DcnRunInProcesses(
            tasks,
            jobs,
            [&](uint64_t i, const DcnTaskStep&) { Simulate(configs[i], interval, out, command); },
            []() {},
            [&](uint64_t) { progress.Update(++done); });
        std::printf("written to %s\n", out.c_str());
        return 0;
    });
}

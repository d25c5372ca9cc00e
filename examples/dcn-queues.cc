/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

/**
 * @file
 * @brief The bottleneck queue of long flows over time, for each congestion control.
 *
 * Flows of different hosts start together and share one link. A DcnCollector keeps the mean queue
 * of every interval.
 */

#include "ns3/command-line.h"
#include "ns3/dcn-collector.h"
#include "ns3/dcn-command-line.h"
#include "ns3/dcn-csv.h"
#include "ns3/dcn-error.h"
#include "ns3/dcn-packet-helper.h"
#include "ns3/dcn-plot.h"
#include "ns3/dcn-topology-helper.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <cstdio>
#include <string>
#include <vector>

using namespace ns3;

namespace
{

/// What is simulated.
struct Options
{
    uint32_t flows{8};               //!< long flows, one per pair of hosts
    Time duration{MilliSeconds(5)};  //!< time that they take if the link is always busy
    Time interval{MicroSeconds(10)}; //!< length of the intervals
    DataRate rate{10'000'000'000};   //!< of every link
};

/**
 * @param cc congestion control
 * @param options what to simulate
 * @param folder for the records
 * @return the queue over time as a curve: milliseconds, kilobytes
 */
Gnuplot2dDataset
Simulate(const std::string& cc, const Options& options, const std::string& folder)
{
    DcnDumbbellParameters sizes;
    sizes.senders = sizes.receivers = options.flows;
    sizes.edgeRate = sizes.bottleneckRate = options.rate;
    Ptr<DcnTopology> topology = DcnTopologyHelper::Create(sizes);
    const auto bytes = static_cast<uint64_t>(options.duration.GetSeconds() / 8 / options.flows *
                                             static_cast<double>(options.rate.GetBitRate()));
    std::vector<DcnFlow> flows;
    for (uint32_t i = 0; i < options.flows; ++i)
    {
        flows.push_back({i, i, options.flows + i, bytes, 0});
    }
    Ptr<DcnNetworkConfig> config = DcnNetworkConfig::Preset(cc, options.rate.GetBitRate());
    auto scenario = DcnScenario::Create(topology, config, flows);
    Ptr<DcnPacketNetwork> network = DcnPacketHelper().Install(scenario);
    network->AssignStreams(1);

    Ptr<DcnCollector> collector = CreateObject<DcnCollector>();
    collector->SetAttribute("Interval", TimeValue(options.interval));
    collector->Watch(network);
    network->Run();
    collector->Write(folder);

    Gnuplot2dDataset curve(cc);
    curve.SetStyle(Gnuplot2dDataset::LINES);
    curve.SetExtra(" lw 2");
    const uint32_t link = scenario->GetPath(0)[1]; // from switch to switch
    uint64_t longest = 0;
    double settledByteNs = 0;
    double settledNs = 0;
    const auto& fctNs = network->GetFctNs();
    const auto [first, last] = std::minmax_element(fctNs.begin(), fctNs.end());
    int64_t endNs = 0;
    for (const auto& record : collector->GetQueueRecords(topology->DescribeLink(link), "switch"))
    {
        if (record.startNs > endNs) // no record: nothing waited
        {
            curve.Add(static_cast<double>(endNs) / 1e6, 0);
            curve.Add(static_cast<double>(record.startNs) / 1e6, 0);
        }
        endNs = record.endNs;
        curve.Add(static_cast<double>(record.startNs + record.endNs) / 2e6, record.meanBytes / 1e3);
        longest = std::max(longest, record.maxBytes);
        if (record.startNs >= options.duration.GetNanoSeconds() / 2 && record.endNs <= *first)
        {
            const auto lengthNs = static_cast<double>(record.endNs - record.startNs);
            settledByteNs += record.meanBytes * lengthNs;
            settledNs += lengthNs;
        }
    }
    std::printf("%-8s %12.1f %12.1f %15.3f\n",
                cc.c_str(),
                settledNs > 0 ? settledByteNs / settledNs / 1e3 : 0,
                static_cast<double>(longest) / 1e3,
                static_cast<double>(*last) / 1e6);
    network->Dispose();
    Simulator::Destroy();
    return curve;
}

} // namespace

int
main(int argc, char* argv[])
{
    Options options;
    std::string out = "results";
    CommandLine cmd(__FILE__);
    cmd.Usage("Plot the bottleneck queue of long flows over time for each congestion control.");
    cmd.AddValue("flows", "Long flows that share the bottleneck", options.flows);
    cmd.AddValue("duration", "Time that they take at the least", options.duration);
    cmd.AddValue("interval", "Interval of the queue records", options.interval);
    cmd.AddValue("rate", "Rate of every link", options.rate);
    DcnAddText(cmd, "out", "Folder for queues.png and, by congestion control, the records", out);
    DcnParseCommandLine(cmd, argc, argv);

    return DcnRunProgram("dcn-queues", [&]() {
        if (options.duration <= Time(0) || options.interval <= Time(0))
        {
            DcnFail("--duration and --interval must be above 0");
        }
        DcnMakeFolder(out);
        Gnuplot plot(out + "/queues.png",
                     std::to_string(options.flows) + " long flows: bottleneck queue");
        plot.SetTerminal("png size 900,600 noenhanced");
        plot.SetLegend("time [ms]", "mean queue of the interval [KB]");
        plot.AppendExtra("set grid\nset yrange [0:]");
        std::printf("control  settled [KB] longest [KB]   last end [ms]\n");
        for (const auto& cc : DcnNetworkConfig::GetCongestionControls())
        {
            plot.AddDataset(Simulate(cc, options, out + "/" + cc));
        }
        std::printf("settled: mean queue of the second half, until the first flow ends\n");
        const bool picture = DcnWritePlot(plot, out + "/queues");
        const char* suffix = picture ? "png" : "plt";
        std::printf("written to %s: queues.%s, <control>/*.csv\n", out.c_str(), suffix);
        return 0;
    });
}

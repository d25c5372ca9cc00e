/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

/**
 * @file
 * @brief The bottleneck queue of long flows over time, for each congestion control.
 *
 * Flows of different hosts start together and share one link. A DcnCollector keeps the mean queue of
 * every interval.
 */

#include "ns3/command-line.h"
#include "ns3/dcn-command-line.h"
#include "ns3/dcn-collector.h"
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
    uint32_t flows{8};                 //!< long flows, one per pair of hosts
    Time duration{MilliSeconds(5)};    //!< time that they take if the link is always busy
    Time interval{MicroSeconds(10)};   //!< length of the intervals
    DataRate rate{10'000'000'000};     //!< of every link
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
    const double totalBytes =
        options.duration.GetSeconds() * static_cast<double>(options.rate.GetBitRate()) / 8;
    std::vector<DcnFlow> flows;
    for (uint32_t i = 0; i < options.flows; ++i)
    {
        const auto bytes = static_cast<uint64_t>(totalBytes / options.flows) + 1;
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
    uint64_t marks = 0;
    double settledByteNs = 0;
    double settledNs = 0;
    const int64_t halfNs = options.duration.GetNanoSeconds() / 2;
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
        marks += record.marks;
        if (record.startNs >= halfNs && record.endNs <= *first)
        {
            settledByteNs += record.meanBytes * static_cast<double>(record.endNs - record.startNs);
            settledNs += static_cast<double>(record.endNs - record.startNs);
        }
    }
    std::printf("%-8s %12.1f %12.1f %10llu %12.3f %12.3f\n",
                cc.c_str(),
                settledNs > 0 ? settledByteNs / settledNs / 1e3 : 0,
                static_cast<double>(longest) / 1e3,
                static_cast<unsigned long long>(marks),
                static_cast<double>(*first) / 1e6,
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
    cmd.AddValue("duration", "Time that they take if the bottleneck is always busy", options.duration);
    cmd.AddValue("interval", "Interval of the queue records", options.interval);
    cmd.AddValue("rate", "Rate of every link", options.rate);
    DcnAddText(cmd, "out", "Folder for queues.png and, by congestion control, the records", out);
    DcnParseCommandLine(cmd, argc, argv);

    return DcnRunProgram("dcn-queues", [&]() {
        DcnMakeFolder(out);
        Gnuplot plot(out + "/queues.png",
                     std::to_string(options.flows) + " long flows: bottleneck queue");
        plot.SetTerminal("png size 900,600 noenhanced");
        plot.SetLegend("time [ms]", "mean queue of the interval [KB]");
        plot.AppendExtra("set grid");
        plot.AppendExtra("set yrange [0:]");
        std::printf("%-8s %12s %12s %10s %12s %12s\n",
                    "control", "settled [KB]", "longest [KB]", "marks", "first [ms]", "last [ms]");
        for (const auto& cc : DcnNetworkConfig::GetCongestionControls())
        {
            plot.AddDataset(Simulate(cc, options, out + "/" + cc));
        }
        std::printf("settled: mean of the second half until the first flow ends; first, last: end of "
                    "flows\n");
        const bool picture = DcnWritePlot(plot, out + "/queues");
        std::printf("written: %s/queues.%s and <control>/*.csv\n", out.c_str(), picture ? "png" : "plt");
        return 0;
    });
}

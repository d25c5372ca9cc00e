/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

/**
 * @file
 * @brief The bottleneck queue of long flows over time, for each congestion control.
 *
 * Flows start together and share one link; a DcnCollector keeps the mean queue of every interval.
 */

#include "ns3/command-line.h"
#include "ns3/dcn-collector.h"
#include "ns3/dcn-command-line.h"
#include "ns3/dcn-csv.h"
#include "ns3/dcn-error.h"
#include "ns3/dcn-packet-helper.h"
#include "ns3/dcn-plot.h"
#include "ns3/dcn-topology.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <cstdio>
#include <string>
#include <vector>

using namespace ns3;

int
main(int argc, char* argv[])
{
    uint32_t nFlows = 8;
    Time duration = MilliSeconds(5);
    Time interval = MicroSeconds(10);
    DataRate rate("10Gbps");
    std::string out = "results";
    CommandLine cmd(__FILE__);
    cmd.Usage("Plot the bottleneck queue of long flows over time for each congestion control.");
    cmd.AddValue("flows", "Long flows that share the bottleneck", nFlows);
    cmd.AddValue("duration", "Least duration of the flows", duration);
    cmd.AddValue("interval", "Interval of the queue records", interval);
    cmd.AddValue("rate", "Rate of every link", rate);
    DcnAddText(cmd, "out", "Folder for queues.png and, by congestion control, the records", out);
    DcnParseCommandLine(cmd, argc, argv);

    return DcnRunProgram("dcn-queues", [&]() {
        if (duration <= Time(0) || interval <= Time(0))
        {
            DcnFail("--duration and --interval must be above 0");
        }
        DcnMakeFolder(out);
        Gnuplot plot(out + "/queues.png", std::to_string(nFlows) + " long flows: bottleneck queue");
        plot.SetLegend("time [ms]", "mean queue of the interval [KB]");
        plot.AppendExtra("set grid\nset yrange [0:]");
        std::printf("control  settled [KB] longest [KB]   last end [ms]\n");
        for (const auto& cc : DcnNetworkConfig::GetCongestionControls())
        {
            DcnDumbbellParameters sizes;
            sizes.senders = sizes.receivers = nFlows; // host i sends to host nFlows + i
            sizes.edgeRate = sizes.bottleneckRate = rate;
            Ptr<DcnTopology> topology = DcnBuildTopology(sizes);
            const auto bytes = static_cast<uint64_t>(rate * duration / 8 / nFlows);
            std::vector<DcnFlow> flows;
            for (uint32_t i = 0; i < nFlows; ++i)
            {
                flows.push_back({i, i, nFlows + i, bytes, 0});
            }
            Ptr<DcnNetworkConfig> config = DcnNetworkConfig::Preset(cc, rate.GetBitRate());
            auto scenario = DcnScenario::Create(topology, config, flows);
            Ptr<DcnPacketNetwork> network = DcnPacketHelper().Install(scenario);
            network->AssignStreams(1);
            Ptr<DcnCollector> collector = CreateObject<DcnCollector>();
            collector->SetAttribute("Interval", TimeValue(interval));
            collector->Watch(network);
            network->Run();
            collector->Write(out + "/" + cc);

            Gnuplot2dDataset curve(cc);
            curve.SetStyle(Gnuplot2dDataset::LINES);
            const auto& fctNs = network->GetFctNs();
            const auto [first, last] = std::minmax_element(fctNs.begin(), fctNs.end());
            double settledByteNs = 0; // integral over the second half, until the first flow ends
            double settledNs = 0;
            uint64_t longest = 0;
            const std::string link = topology->DescribeLink(scenario->GetPath(0)[1]);
            const auto& records = collector->GetQueueRecords(link, "switch");
            DcnAddQueueCurve(records, curve);
            for (const DcnQueueRecord& record : records)
            {
                longest = std::max(longest, record.maxBytes);
                if (record.startNs >= duration.GetNanoSeconds() / 2 && record.endNs <= *first)
                {
                    const auto lengthNs = static_cast<double>(record.endNs - record.startNs);
                    settledByteNs += record.meanBytes * lengthNs;
                    settledNs += lengthNs;
                }
            }
            plot.AddDataset(curve);
            std::printf("%-8s %12.1f %12.1f %15.3f\n",
                        cc.c_str(),
                        settledNs > 0 ? settledByteNs / settledNs / 1e3 : 0,
                        static_cast<double>(longest) / 1e3,
                        static_cast<double>(*last) / 1e6);
            network->Dispose();
            Simulator::Destroy();
        }
        std::printf("settled: mean queue of the second half, until the first flow ends\n");
        const char* suffix = DcnWritePlot(plot, out + "/queues") ? "png" : "plt";
        std::printf("written to %s: queues.%s, <control>/*.csv\n", out.c_str(), suffix);
        return 0;
    });
}

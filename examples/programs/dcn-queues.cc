/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

/**
 * @file
 * @brief The bottleneck queue of long flows over time, for each congestion control; with --flow,
 * also the rate, the window and the state of the congestion control of single flows.
 *
 * Flows start together and share one link; a DcnCollector keeps the mean queue of every interval,
 * and an entry for each acknowledgement of the flows to be watched.
 */

#include "ns3/command-line.h"
#include "ns3/dcn-collector.h"
#include "ns3/dcn-command-line.h"
#include "ns3/dcn-csv.h"
#include "ns3/dcn-error.h"
#include "ns3/dcn-packet-helper.h"
#include "ns3/dcn-plot.h"
#include "ns3/dcn-recipe.h"
#include "ns3/dcn-run-record.h"
#include "ns3/dcn-scenario-suite.h"
#include "ns3/dcn-topology.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <map>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

using namespace ns3;

namespace
{

/// A unit for people: suffix of a quantity, divisor, and unit.
struct Unit
{
    const char* suffix;   //!< of the quantity's name
    double divisor;       //!< of its values
    const char* readable; //!< unit then
};

/// @return the unit of a quantity of DcnControlRecords; without divisor if it has none
Unit
FindUnit(const std::string& quantity)
{
    for (const Unit& unit :
         {Unit{"_bps", 1e9, "Gb/s"}, Unit{"_bytes", 1e3, "KB"}, Unit{"_ns", 1e3, "us"}})
    {
        const std::string suffix = unit.suffix;
        if (quantity.size() > suffix.size() &&
            quantity.compare(quantity.size() - suffix.size(), suffix.size(), suffix) == 0)
        {
            return unit;
        }
    }
    return {"", 1, ""};
}

/// Pictures of watched flows: one for each flow, with a panel for each quantity and for the queue
/// of the link that the flows share, over one axis of time; a curve for each control.
class ControlPlots
{
  public:
    /**
     * @brief Add the curves of a congestion control.
     * @param cc its name
     * @param collector of its simulation
     * @param flows the flows watched
     * @param queue curve of the queue of the link that the flows share
     */
    void Add(const std::string& cc,
             const DcnCollector& collector,
             const std::vector<uint32_t>& flows,
             const Gnuplot2dDataset& queue)
    {
        // a control has one colour in all panels, also where another one has no such quantity
        const std::string colour = " lw 2 lc rgb \"" + DcnGetPlotColour(m_nControls++) + '"';
        Gnuplot2dDataset queueCurve = queue;
        queueCurve.SetExtra(colour);
        for (const uint32_t flow : flows)
        {
            const DcnControlRecords& records = collector.GetControl(flow);
            for (std::size_t q = 0; q < records.quantities.size(); ++q)
            {
                const std::string& quantity = records.quantities[q];
                const Unit unit = FindUnit(quantity);
                const std::string name =
                    quantity.substr(0, quantity.size() - std::string(unit.suffix).size());
                // values hold until the next acknowledgement
                Gnuplot2dDataset curve = DcnMakeCurve(cc, Gnuplot2dDataset::STEPS);
                curve.SetExtra(colour);
                for (std::size_t i = 0; i < records.timesNs.size(); ++i)
                {
                    curve.Add(1e-6 * static_cast<double>(records.timesNs[i]),
                              records.values[q][i] / unit.divisor);
                }
                GetPanel(flow, name, unit.readable).AddDataset(curve);
            }
            GetPanel(flow, "queue of the shared link", "KB").AddDataset(queueCurve);
        }
    }

    /**
     * @brief Write all pictures.
     * @param folder where
     * @param title of the flows; the number of each is put before it
     */
    void Write(const std::string& folder, const std::string& title) const
    {
        for (const auto& [flow, panels] : m_flows)
        {
            std::vector<Gnuplot> plots;
            for (const auto& [name, panel] : panels)
            {
                plots.push_back(panel);
            }
            const std::string base = "flow-" + std::to_string(flow);
            const bool isPicture =
                DcnWritePanels("flow " + std::to_string(flow) + title, plots, folder + "/" + base);
            std::printf("written to %s: %s.%s\n",
                        folder.c_str(),
                        base.c_str(),
                        isPicture ? "png" : "plt");
        }
    }

  private:
    using Panels = std::vector<std::pair<std::string, Gnuplot>>; //!< with their quantities

    /**
     * @param flow that is watched
     * @param name of the quantity
     * @param unit of its values; empty: none
     * @return the panel of the quantity, which is made if there is none
     */
    Gnuplot& GetPanel(uint32_t flow, const std::string& name, const std::string& unit)
    {
        Panels& panels = m_flows[flow];
        for (auto& [quantity, panel] : panels)
        {
            if (quantity == name)
            {
                return panel;
            }
        }
        panels.emplace_back(name, DcnMakePlot(name, "time [ms]", unit.empty() ? name : unit));
        // zero is in the picture; a quantity that is always zero has a range, too
        panels.back().second.AppendExtra(
            "set grid\nset lmargin 9\nset xrange [0:*]\nset yrange [*<0:1e-3<*]");
        return panels.back().second;
    }

    std::size_t m_nControls{0};         //!< whose curves were added
    std::map<uint32_t, Panels> m_flows; //!< panels of each flow, in the order of their quantities
};

/**
 * @param name of an option
 * @param text its value
 * @return the time
 * @throws DcnError unless it is a time above 0, with a unit
 */
Time
ParseTime(const std::string& name, const std::string& text)
{
    Time time;
    if (!DcnParseTime(text, time) || time <= Time(0))
    {
        DcnFail("--", name, " must be a time above 0 such as 10us, but it is \"", text, "\"");
    }
    return time;
}

/**
 * @param text numbers joined by commas
 * @param nFlows number of flows
 * @return the numbers
 * @throws DcnError for anything else, and for a number that no flow has
 */
std::vector<uint32_t>
ParseFlows(const std::string& text, uint32_t nFlows)
{
    std::vector<uint32_t> flows;
    for (const std::string& part : DcnSplitValues("flow", text))
    {
        double number = -1;
        if (!DcnParse(part, number) || number < 0 || number >= nFlows ||
            number != std::floor(number))
        {
            DcnFail("--flow=", text, ": \"", part, "\" is no flow; they are 0 to ", nFlows - 1);
        }
        flows.push_back(static_cast<uint32_t>(number));
    }
    return flows;
}

/**
 * @param text names joined by commas; empty: the default ones
 * @return names of congestion controls
 * @throws DcnError for a name that no control has
 */
std::vector<std::string>
ParseControls(const std::string& text)
{
    const auto names =
        text.empty() ? DcnScenarioSuite::GetLearnedControls() : DcnSplitValues("cc", text);
    for (const std::string& name : names)
    {
        DcnNetworkConfig::Preset(name); // throws
    }
    return {names.begin(), names.end()};
}

/// Long flows that share a bottleneck.
struct Bottleneck
{
    uint32_t nFlows{8};              //!< --flows
    Time duration{MilliSeconds(5)};  //!< --duration
    Time interval{MicroSeconds(10)}; //!< --interval
    DataRate rate{"10Gbps"};         //!< --rate
    std::vector<uint32_t> watched;   //!< --flow
    std::string out{"results"};      //!< --out

    /// @throws DcnError for numbers with which nothing could be measured
    void Check() const
    {
        if (nFlows == 0)
        {
            DcnFail("--flows must be at least 1");
        }
        if (rate.GetBitRate() < 1'000'000 || rate.GetBitRate() > 3'200'000'000'000)
        {
            DcnFail("--rate must be from 1Mbps to 3.2Tbps, but it is ", rate.GetBitRate(), "bps");
        }
        if (interval * 4 > duration)
        {
            DcnFail("--interval must be at most a quarter of --duration, whose second half is "
                    "measured");
        }
    }

    /// @return the flows under a congestion control
    Ptr<const DcnScenario> MakeScenario(const std::string& cc) const
    {
        DcnDumbbellParameters sizes;
        sizes.senders = sizes.receivers = nFlows; // host i sends to host nFlows + i
        sizes.edgeRate = sizes.bottleneckRate = rate;
        const auto bytes = static_cast<uint64_t>(rate * duration / 8 / nFlows);
        std::vector<DcnFlow> flows;
        for (uint32_t i = 0; i < nFlows; ++i)
        {
            flows.push_back({i, i, nFlows + i, bytes, 0});
        }
        return DcnScenario::Create(DcnBuildTopology(sizes),
                                   DcnNetworkConfig::Preset(cc, rate.GetBitRate()),
                                   flows);
    }

    /**
     * Simulates a congestion control, prints a row and writes records.
     * @param cc its name
     * @param plot gets the curve of its queue
     * @param controlPlots get those of the flows that are watched
     */
    void Run(const std::string& cc, Gnuplot& plot, ControlPlots& controlPlots) const
    {
        const auto scenario = MakeScenario(cc);
        Ptr<DcnPacketNetwork> network = DcnPacketHelper().Install(scenario);
        Ptr<DcnCollector> collector = CreateObject<DcnCollector>();
        collector->SetAttribute("Interval", TimeValue(interval));
        for (const uint32_t flow : watched)
        {
            collector->KeepControl(flow);
        }
        collector->Watch(network);
        network->Run();
        collector->Write(out + "/" + cc);

        Gnuplot2dDataset curve = DcnMakeCurve(cc);
        const auto& fctNs = network->GetFctNs();
        const auto [first, last] = std::minmax_element(fctNs.begin(), fctNs.end());
        double settledByteNs = 0; // integral over the second half, until the first flow ends
        double settledNs = 0;
        uint64_t longest = 0;
        const std::string link = scenario->GetTopologyPtr()->DescribeLink(scenario->GetPath(0)[1]);
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
        controlPlots.Add(cc, *collector, watched, curve);
        std::printf("%-8s %12.1f %12.1f %15.3f\n",
                    cc.c_str(),
                    settledNs > 0 ? settledByteNs / settledNs / 1e3 : 0,
                    static_cast<double>(longest) / 1e3,
                    static_cast<double>(*last) / 1e6);
        network->Dispose();
        Simulator::Destroy();
    }
};

} // namespace

int
main(int argc, char* argv[])
{
    Bottleneck bottleneck;
    std::string duration{"5ms"};
    std::string interval{"10us"};
    std::string controls;
    std::string watched;
    CommandLine cmd(__FILE__);
    cmd.Usage("Plot the bottleneck queue of long flows over time for each congestion control.");
    cmd.AddValue("flows", "Long flows that share the bottleneck", bottleneck.nFlows);
    DcnAddText(cmd, "duration", "Least duration of the flows", duration);
    DcnAddText(cmd, "interval", "Interval of the queue records", interval);
    cmd.AddValue("rate", "Rate of every link", bottleneck.rate);
    DcnAddText(cmd,
               "cc",
               "Congestion controls joined by commas (dctcp,dcqcn,timely,hpcc)",
               controls);
    DcnAddText(cmd, "flow", "Flows to watch, joined by commas: rate, window and state", watched);
    DcnAddText(cmd,
               "out",
               "Folder for queues.png and, by congestion control, the records",
               bottleneck.out);
    DcnParseCommandLine(cmd, argc, argv);

    return DcnRunProgram("dcn-queues", [&]() {
        bottleneck.duration = ParseTime("duration", duration);
        bottleneck.interval = ParseTime("interval", interval);
        bottleneck.Check();
        const std::string& out = bottleneck.out;
        bottleneck.watched = ParseFlows(watched, bottleneck.nFlows);
        const std::vector<std::string> ccs = ParseControls(controls);
        DcnMakeFolder(out);
        const DcnFolderLock lock(out, DcnRunRecord::IN_USE);
        ControlPlots controlPlots;
        Gnuplot plot =
            DcnMakePlot(std::to_string(bottleneck.nFlows) + " long flows: bottleneck queue",
                        "time [ms]",
                        "mean queue of the interval [KB]");
        plot.AppendExtra("set grid\nset yrange [0:]");
        std::printf("control  settled [KB] longest [KB]   last end [ms]\n");
        for (const auto& cc : ccs)
        {
            bottleneck.Run(cc, plot, controlPlots);
        }
        std::printf("settled: mean queue of the second half, until the first flow ends\n");
        const char* suffix = DcnWritePlot(plot, out + "/queues") ? "png" : "plt";
        std::printf("written to %s: queues.%s, <control>/*.csv\n", out.c_str(), suffix);
        std::ostringstream title;
        title << " of " << bottleneck.nFlows << " that share a link of "
              << static_cast<double>(bottleneck.rate.GetBitRate()) / 1e9 << " Gb/s";
        controlPlots.Write(out, title.str());
        return 0;
    });
}

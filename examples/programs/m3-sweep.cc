/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

/**
 * @file
 * @brief Percentiles of slowdowns by m3 while parameters of the network are varied (m3,
 * section 5.4, figures 13 and 14), and by packets with --truth. Flows and drawn paths are the same
 * for all values. For a value, only the fluid is simulated, and only if the window, the payload of
 * packets or the largest rate of flows changes (M3WhatIf).
 */

#include "ns3/command-line.h"
#include "ns3/dcn-command-line.h"
#include "ns3/dcn-csv.h"
#include "ns3/dcn-error.h"
#include "ns3/dcn-model-file.h"
#include "ns3/dcn-path-index.h"
#include "ns3/dcn-plot.h"
#include "ns3/dcn-run-record.h"
#include "ns3/dcn-scenario-options.h"
#include "ns3/dcn-scenario-suite.h"
#include "ns3/m3-what-if.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <limits>
#include <sstream>
#include <string>
#include <vector>

using namespace ns3;

namespace
{
constexpr uint32_t ANY = ~0U;                  //!< any host
using Elapsed = std::chrono::duration<double>; //!< in seconds

/// A row of sweep.csv.
struct Point
{
    std::string value;     //!< value of the parameter
    std::string method;    //!< m3 or packet
    std::string sizeClass; //!< name
    DcnSlowdownQuantile
        quantile; //!< without limits (HasLimits) for packets, and if all paths were drawn
};

/// Returns the percentile of a query; 0 if no such flow finished.
double
AskPackets(const DcnScenario& scenario,
           const DcnSlowdownQuery& query,
           const std::vector<int64_t>& fctNs)
{
    std::vector<double> slowdowns;
    for (std::size_t i = 0; i < fctNs.size(); ++i)
    {
        const DcnFlow& flow = scenario.GetFlows()[i];
        if (fctNs[i] >= 0 && flow.sizeBytes >= query.smallestBytes &&
            flow.sizeBytes <= query.largestBytes &&
            (query.sources.empty() || flow.src == query.sources[0]) &&
            (query.destinations.empty() || flow.dst == query.destinations[0]))
        {
            const auto ideal = static_cast<double>(scenario.GetIdealFct(i).GetTotalNs());
            slowdowns.push_back(std::max(1.0, static_cast<double>(fctNs[i]) / ideal));
        }
    }
    std::sort(slowdowns.begin(), slowdowns.end());
    return slowdowns.empty() ? 0 : DcnQuantile(slowdowns, query.p);
}

/**
 * Draw a percentile by size class over the values of a parameter; limits are dotted. Values that
 * are no numbers, such as congestion controls, get bars for all flows.
 * @param points rows
 * @param key of the parameter
 * @param p level of the percentile
 * @param base path of the picture, without suffix
 */
void
Plot(const std::vector<Point>& points, const std::string& key, double p, const std::string& base)
{
    std::ostringstream ordinate;
    ordinate << 'p' << 100 * p << " slowdown";
    double number = 0;
    if (!std::all_of(points.begin(), points.end(), [&number](const Point& point) {
            return DcnParse(point.value, number);
        }))
    {
        DcnBarPlot bars(ordinate.str() + " of all flows by " + key, ordinate.str());
        for (const Point& point : points)
        {
            if (point.sizeClass == DcnSizeClasses().front().name)
            {
                bars.Add(point.value, point.method, point.quantile.value);
            }
        }
        bars.Write(base);
        return;
    }
    Gnuplot plot =
        DcnMakePlot(ordinate.str() + " by " + key + " and class of sizes", key, ordinate.str());
    plot.AppendExtra(
        "set logscale y\nset grid\nset offsets graph 0.03, graph 0.03, 0, 0\n"
        "set ytics (1, 1.5, 2, 3, 4, 5, 7, 10, 15, 20, 30, 50, 70, 100, 200, 500, 1000)\n"
        "set key outside right");
    int colour = 0;
    for (const DcnSizeClass& sizeClass : DcnSizeClasses())
    {
        const std::string colourText = "lc " + std::to_string(++colour);
        auto add = [&](const std::string& method,
                       double DcnSlowdownQuantile::*number,
                       const std::string& extra) {
            bool isEmpty = true;
            Gnuplot2dDataset curve =
                DcnMakeCurve(extra.empty() ? sizeClass.name + ", " + method : "");
            for (const Point& point : points)
            {
                double x = 0;
                if (point.method == method && point.sizeClass == sizeClass.name &&
                    (extra.empty() || point.quantile.HasLimits()) && DcnParse(point.value, x))
                {
                    curve.Add(x, point.quantile.*number);
                    isEmpty = false;
                }
            }
            // packets and m3 of a class have its colour
            curve.SetStyle(method == "packet" ? Gnuplot2dDataset::POINTS
                           : extra.empty()    ? Gnuplot2dDataset::LINES_POINTS
                                              : Gnuplot2dDataset::LINES);
            curve.SetExtra(colourText + extra);
            if (!isEmpty)
            {
                plot.AddDataset(curve);
            }
        };
        add("m3", &DcnSlowdownQuantile::value, "");
        add("m3", &DcnSlowdownQuantile::lower, " dt 3 notitle");
        add("m3", &DcnSlowdownQuantile::upper, " dt 3 notitle");
        add("packet", &DcnSlowdownQuantile::value, "");
    }
    DcnWritePlot(plot, base);
}

/// Prints and writes rows.
void
WriteTable(const std::vector<Point>& points, const std::string& key, const std::string& path)
{
    DcnFileWriter csv(path);
    csv.Stream() << "value,method,size_class,percentile,slowdown,lower,upper\n";
    std::printf("%-16s %-10s %-15s %-8s %8s\n", "key", "value", "method", "sizes", "slowdown");
    for (const auto& [value, method, sizeClass, q] : points)
    {
        csv.Stream() << value << ',' << method << ',' << sizeClass << ',' << 100 * q.p << ','
                     << q.value << ',';
        std::printf("%-16s %-10s %-15s %-8s %8.3f",
                    key.c_str(),
                    value.c_str(),
                    method.c_str(),
                    sizeClass.c_str(),
                    q.value);
        std::printf("%s\n", method == "m3" ? q.DescribeLimits().c_str() : "");
        constexpr double none = std::numeric_limits<double>::quiet_NaN();
        csv.Stream() << (q.HasLimits() ? q.lower : none) << ',' << (q.HasLimits() ? q.upper : none)
                     << '\n';
    }
    csv.Commit();
}

/// The values of a key, asked one after the other.
class Sweep
{
  public:
    DcnScenarioOptions scenario;                        //!< network and traffic
    std::string key{"window_bytes"};                    //!< --key
    std::string values{"6000,12000,18000,24000,30000"}; //!< --values
    std::string model;                                  //!< --model
    std::string out{"results/sweep"};                   //!< --out
    uint32_t src{ANY};                                  //!< --src
    uint32_t dst{ANY};                                  //!< --dst
    uint64_t nPaths{5000};                              //!< --paths
    uint64_t truth{0};                                  //!< --truth
    uint32_t truthSeeds{1};                             //!< --truthSeeds
    DcnSlowdownQuery asked;                             //!< --percentile

    /// Declares the options.
    void AddTo(CommandLine& cmd)
    {
        scenario.AddTo(cmd);
        DcnAddText(cmd,
                   "key",
                   "Key of network.csv to vary; several joined by + all get each value",
                   key);
        DcnAddText(cmd, "values", "Its values, joined by commas", values);
        DcnAddText(cmd,
                   "model",
                   "Folder of the model, or name of a folder in data/models; empty: m3",
                   model);
        cmd.AddValue("paths", "Number of paths drawn", nPaths);
        cmd.AddValue("percentile", "Level of the percentile, between 0 and 1", asked.p);
        cmd.AddValue("src", "Node of the source host; default: all", src);
        cmd.AddValue("dst", "Node of the destination host; default: all", dst);
        cmd.AddValue("truth",
                     "Also simulate packets at every n-th value: 1: at all, 0: at none",
                     truth);
        cmd.AddValue(
            "truthSeeds",
            "Repetitions of the packets; from the second on, starts are moved by less than 1 us",
            truthSeeds);
        DcnAddText(cmd, "out", "Folder for sweep.csv and sweep.png", out);
    }

    /// Asks, prints and writes.
    void Run()
    {
        if (truthSeeds == 0)
        {
            DcnFail("--truthSeeds must be at least 1");
        }
        m_scenario = scenario.Create();
        const auto list = DcnSplitValues("values", values);
        for (const std::string& value : list) // before a folder is made
        {
            Configure(value);
        }
        DcnMakeFolder(out);
        const DcnFolderLock lock(out, DcnRunRecord::IN_USE);
        const auto sampling = DcnPathSampling::SYSTEMATIC;
        M3WhatIf whatIf(
            m_scenario,
            DcnModelFile::Read(DcnModelFile::FindFolder(model, "m3"), "m3"),
            DcnDrawPaths(DcnPathIndex(m_scenario), nPaths, sampling, m_scenario->GetSeed()),
            sampling);
        MakeQueries();
        for (std::size_t v = 0; v < list.size(); ++v)
        {
            Ask(whatIf, list[v], truth > 0 && v % truth == 0 ? truthSeeds : 0);
        }
        if (m_points.empty())
        {
            DcnFail(list.empty() ? "--values has no value"
                                 : "no flow on the paths drawn is asked for");
        }
        Plot(m_points, key, asked.p, out + "/sweep");
        for (const std::string& warning : whatIf.GetWarnings())
        {
            std::fprintf(stderr, "m3-sweep: %s\n", warning.c_str());
        }
        WriteTable(m_points, key, out + "/sweep.csv");
        std::printf("m3: %zu answers in %.2f s with %u fluid simulations; packets: %.2f s\n",
                    list.size(),
                    m_seconds,
                    whatIf.GetNFluids(),
                    m_packetSeconds);
        std::printf("written: %s/sweep.csv, sweep.png\n", out.c_str());
    }

  private:
    /// @return the configuration with a value of the key
    Ptr<DcnNetworkConfig> Configure(const std::string& value) const
    {
        Ptr<DcnNetworkConfig> config = CopyObject(m_scenario->GetNetworkConfig());
        for (const std::string& each : DcnSplit(key, '+'))
        {
            config->SetKey(each, value);
        }
        M3WhatIf::Configure(*m_scenario, config); // throws for an invalid configuration
        return config;
    }

    /// Makes a query for each class of sizes.
    void MakeQueries()
    {
        for (const DcnSizeClass& sizeClass : DcnSizeClasses())
        {
            DcnSlowdownQuery query = DcnSlowdownQuery::OfClass(sizeClass);
            query.p = asked.p;
            query.sources.assign(src == ANY ? 0 : 1, src);
            query.destinations.assign(dst == ANY ? 0 : 1, dst);
            m_queries.push_back(query);
        }
    }

    /// Adds the rows of a value.
    /// @param whatIf answers by m3
    /// @param value of the key
    /// @param nSeeds repetitions of the packets
    void Ask(M3WhatIf& whatIf, const std::string& value, uint32_t nSeeds)
    {
        Ptr<DcnNetworkConfig> config = Configure(value);
        const auto configured = M3WhatIf::Configure(*m_scenario, config);
        const auto start = std::chrono::steady_clock::now();
        const auto answers = whatIf.Ask(config, m_queries);
        m_seconds += Elapsed(std::chrono::steady_clock::now() - start).count();
        std::vector<DcnEstimate> packets;
        std::vector<Ptr<const DcnScenario>> simulated;
        for (uint32_t seed = 1; seed <= nSeeds; ++seed)
        {
            simulated.push_back(seed == 1 ? configured
                                          : DcnScenarioSuite::Repeat(configured, seed));
            packets.push_back(DcnEstimator::CreateByName("packet")->Estimate(simulated.back()));
            m_packetSeconds += packets.back().wallSeconds;
            Simulator::Destroy();
        }
        for (std::size_t c = 0; c < m_queries.size(); ++c)
        {
            const std::string& sizeClass = DcnSizeClasses()[c].name;
            if (answers[c])
            {
                m_points.push_back({value, "m3", sizeClass, *answers[c]});
            }
            for (std::size_t i = 0; i < packets.size(); ++i)
            {
                if (const double q = AskPackets(*simulated[i], m_queries[c], packets[i].fctNs))
                {
                    const std::string seed = " (seed " + std::to_string(i + 1) + ")";
                    m_points.push_back({value,
                                        i == 0 ? "packet" : "packet" + seed,
                                        sizeClass,
                                        {asked.p, q, q, q, 0}});
                }
            }
        }
    }

    Ptr<const DcnScenario> m_scenario;       //!< of all values
    std::vector<DcnSlowdownQuery> m_queries; //!< by class of sizes
    std::vector<Point> m_points;             //!< rows
    double m_seconds{0};                     //!< of m3
    double m_packetSeconds{0};               //!< of packets
};

} // namespace

int
main(int argc, char* argv[])
{
    Sweep sweep;
    CommandLine cmd(__FILE__);
    cmd.Usage("Vary parameters of the network, and predict slowdowns by m3.");
    sweep.AddTo(cmd);
    const DcnGivenOptions given = DcnParseCommandLine(cmd, argc, argv);

    return DcnRunProgram("m3-sweep", [&]() {
        given.CheckEffects({{{"truthSeeds"}, sweep.truth > 0, "without --truth"}});
        sweep.Run();
        return 0;
    });
}

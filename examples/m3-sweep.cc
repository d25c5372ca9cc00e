/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

/**
 * @file
 * @brief What if the network were configured otherwise: the p99 slowdown by m3 while one parameter
 * after the other is varied (m3, section 5.6, figures 13 and 14), and by packets at some values.
 *
 * Flows are the same throughout. Nothing is simulated for a value but, where the window changes, the
 * fluid (M3WhatIf). Limits are those of drawing paths (M3Answer), 95 %.
 */

#include "ns3/command-line.h"
#include "ns3/dcn-command-line.h"
#include "ns3/dcn-csv.h"
#include "ns3/dcn-data-path.h"
#include "ns3/dcn-error.h"
#include "ns3/dcn-estimator.h"
#include "ns3/dcn-plot.h"
#include "ns3/dcn-scenario-options.h"
#include "ns3/dcn-statistics.h"
#include "ns3/gnuplot.h"
#include "ns3/m3-what-if.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <map>
#include <sstream>
#include <string>
#include <vector>

using namespace ns3;

namespace
{

/// A parameter and its values.
struct Sweep
{
    std::string key;                 //!< of network.csv
    std::vector<std::string> values; //!< as it takes them
};

/// A percentile of slowdowns at a value.
struct Point
{
    std::string key;       //!< of the sweep
    std::string value;     //!< of the key
    std::string method;    //!< m3 or packet
    std::string sizeClass; //!< name
    M3Limits p99;          //!< limits of packet are its value
};

/**
 * @param text joined by a character
 * @param separator the character
 * @return the parts
 */
std::vector<std::string>
Split(const std::string& text, char separator)
{
    std::vector<std::string> parts;
    std::istringstream in(text);
    for (std::string part; std::getline(in, part, separator);)
    {
        parts.push_back(part);
    }
    return parts;
}

/**
 * @param text key=value+value,key=...
 * @return the sweeps
 */
std::vector<Sweep>
ParseSweeps(const std::string& text)
{
    std::vector<Sweep> sweeps;
    for (const std::string& part : Split(text, ','))
    {
        const auto equals = part.find('=');
        if (equals == std::string::npos || equals + 1 == part.size())
        {
            DcnFail("--sweep takes key=value+value+..., not \"", part, "\"");
        }
        sweeps.push_back({part.substr(0, equals), Split(part.substr(equals + 1), '+')});
    }
    return sweeps;
}

/**
 * @param scenario with a configuration
 * @param sizeClass which flows
 * @param fctNs their completion times
 * @return percentile of their slowdowns
 */
double
GetP99(const DcnScenario& scenario,
       const DcnSizeClass& sizeClass,
       const std::vector<int64_t>& fctNs)
{
    std::vector<double> slowdowns;
    for (std::size_t i = 0; i < fctNs.size(); ++i)
    {
        if (fctNs[i] >= 0 && sizeClass.Contains(scenario.GetFlows()[i].sizeBytes))
        {
            slowdowns.push_back(std::max(1.0,
                                         static_cast<double>(fctNs[i]) /
                                             static_cast<double>(scenario.GetIdealFct(i).GetTotalNs())));
        }
    }
    std::sort(slowdowns.begin(), slowdowns.end());
    return slowdowns.empty() ? 0 : DcnQuantile(slowdowns, 0.99);
}

/**
 * Draw the p99 by size class over the values of a key.
 * @param points all points
 * @param key which of them
 * @param base path of the picture, without suffix
 */
void
Plot(const std::vector<Point>& points, const std::string& key, const std::string& base)
{
    std::map<std::string, Gnuplot2dDataset> curves;
    for (const Point& point : points)
    {
        if (point.key != key || point.p99.value == 0)
        {
            continue;
        }
        const bool isPacket = point.method == "packet";
        auto [curve, isNew] = curves.try_emplace(point.sizeClass + ", " + point.method);
        if (isNew)
        {
            curve->second.SetTitle(curve->first);
            curve->second.SetStyle(isPacket ? Gnuplot2dDataset::POINTS
                                            : Gnuplot2dDataset::LINES_POINTS);
            curve->second.SetErrorBars(isPacket ? Gnuplot2dDataset::NONE : Gnuplot2dDataset::Y);
        }
        double x = 0;
        DcnParse(point.value, x);
        if (isPacket)
        {
            curve->second.Add(x, point.p99.value);
        }
        else
        {
            curve->second.Add(x, point.p99.value, (point.p99.high - point.p99.low) / 2);
        }
    }
    Gnuplot plot(base + ".png");
    plot.SetLegend(key, "p99 slowdown");
    plot.AppendExtra("set logscale y");
    plot.AppendExtra("set key outside");
    for (const auto& [name, curve] : curves)
    {
        plot.AddDataset(curve);
    }
    DcnWritePlot(plot, base);
}

} // namespace

int
main(int argc, char* argv[])
{
    DcnScenarioOptions options;
    std::string sweep = "window_bytes=5000+10000+15000+20000+25000+30000";
    std::string model;
    std::string out = "results/sweep";
    uint64_t nPaths = 5000;
    uint64_t packetEvery = 0;
    CommandLine cmd(__FILE__);
    cmd.Usage("Vary parameters of the network, and see what m3 says of the p99 slowdown.");
    options.AddTo(cmd);
    DcnAddText(cmd, "sweep", "Keys of network.csv and values, as in hpcc_eta=0.7+0.8+0.9,...", sweep);
    DcnAddText(cmd, "model", "Folder of the model; empty: the one that comes with the module", model);
    cmd.AddValue("paths", "Number of paths drawn", nPaths);
    cmd.AddValue("packetEvery", "Packets at every so many values; 0: at none", packetEvery);
    DcnAddText(cmd, "out", "Folder for sweep.csv and a picture for each key", out);
    DcnParseCommandLine(cmd, argc, argv);

    return DcnRunProgram("m3-sweep", [&]() {
        const std::vector<Sweep> sweeps = ParseSweeps(sweep);
        const auto scenario = options.Create();
        const M3Network network(
            DcnModelFile::Read(model.empty() ? DcnDataPath("models/m3") : model, "m3"));
        DcnMakeFolder(out);
        const DcnPathCensus census(scenario);
        M3WhatIf whatIf(scenario, network,
                        DcnDrawPaths(census, nPaths, DcnPathSampling::SYSTEMATIC, scenario->GetSeed()),
                        DcnPathSampling::SYSTEMATIC);
        DcnFileWriter csv(out + "/sweep.csv");
        csv.Stream() << "key,value,method,size_class,p99_slowdown,low,high\n";
        std::vector<Point> points;
        uint64_t nAnswers = 0;
        std::chrono::duration<double> seconds{0};
        for (const Sweep& one : sweeps)
        {
            for (std::size_t v = 0; v < one.values.size(); ++v)
            {
                Ptr<DcnNetworkConfig> config = CopyObject(scenario->GetNetworkConfig());
                config->SetKey(one.key, one.values[v]);
                // refuses what cannot be
                const auto configured = M3WhatIf::Configure(*scenario, config);
                const auto start = std::chrono::steady_clock::now();
                const M3Answer answer = whatIf.Answer(config);
                seconds += std::chrono::steady_clock::now() - start;
                ++nAnswers;
                std::vector<int64_t> fctNs;
                if (packetEvery > 0 && v % packetEvery == 0)
                {
                    fctNs = DcnEstimator::CreateByName("packet")->Estimate(configured).fctNs;
                    Simulator::Destroy();
                }
                for (const DcnSizeClass& sizeClass : DcnSizeClasses())
                {
                    M3Query query;
                    query.leastBytes = sizeClass.lowerBytes;
                    query.endBytes = sizeClass.upperBytes;
                    points.push_back({one.key, one.values[v], "m3", sizeClass.name, answer.Ask(query)});
                    if (!fctNs.empty())
                    {
                        const double p99 = GetP99(*configured, sizeClass, fctNs);
                        points.push_back(
                            {one.key, one.values[v], "packet", sizeClass.name, {p99, p99, p99, 0}});
                    }
                }
            }
            Plot(points, one.key, out + "/" + one.key);
        }
        for (const Point& point : points)
        {
            csv.Stream() << point.key << ',' << point.value << ',' << point.method << ','
                         << point.sizeClass << ',' << point.p99.value << ',' << point.p99.low << ','
                         << point.p99.high << '\n';
            std::printf("%-16s %-10s %-7s %-8s %8.3f (%.3f to %.3f)\n", point.key.c_str(),
                        point.value.c_str(), point.method.c_str(), point.sizeClass.c_str(),
                        point.p99.value, point.p99.low, point.p99.high);
        }
        csv.Commit();
        std::printf("%llu answers in %.2f s, %u fluid simulations\n",
                    static_cast<unsigned long long>(nAnswers), seconds.count(), whatIf.GetNFluids());
        return 0;
    });
}

/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

/**
 * @file
 * @brief Remaining sizes and queues, predicted by m4 and of packets (m4, figure 13).
 *
 * m4 simulates on its own events. At every start of a flow it predicts the remaining size of every
 * flow that is active in the packet simulation, and the queues on the path of the first packet.
 */

#include "ns3/command-line.h"
#include "ns3/dcn-command-line.h"
#include "ns3/dcn-csv.h"
#include "ns3/dcn-error.h"
#include "ns3/dcn-plot.h"
#include "ns3/dcn-statistics.h"
#include "ns3/gnuplot.h"
#include "ns3/m4-data.h"
#include "ns3/m4-watched.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <map>
#include <string>
#include <vector>

using namespace ns3;

namespace
{

/**
 * @param series by flow or link
 * @return the series with the most points above 0
 */
uint32_t
FindLongest(const std::map<uint32_t, std::vector<M4WatchedPoint>>& series)
{
    uint32_t best = series.begin()->first;
    std::ptrdiff_t most = 0;
    for (const auto& [which, points] : series)
    {
        const auto n = std::count_if(points.begin(), points.end(), [](const M4WatchedPoint& point) {
            return point.truth > 0;
        });
        if (n > most)
        {
            most = n;
            best = which;
        }
    }
    return best;
}

/// Write <name>.csv and <name>.png of a series.
void
WriteSeries(const std::string& out,
            const std::string& name,
            const std::string& title,
            const std::string& quantity,
            double scale,
            const std::vector<M4WatchedPoint>& points)
{
    DcnFileWriter file(out + "/" + name + ".csv");
    file.Stream() << "time_ns,packet,m4,fluid\n";
    Gnuplot plot = DcnMakePlot(title, "time [ms]", quantity);
    plot.AppendExtra("set grid\nset yrange [0:]\nset key outside top center horizontal");
    Gnuplot2dDataset truth = DcnMakeCurve("packet", Gnuplot2dDataset::LINES_POINTS);
    Gnuplot2dDataset predicted = DcnMakeCurve("m4", Gnuplot2dDataset::LINES_POINTS);
    for (const M4WatchedPoint& point : points)
    {
        file.Stream() << point.timeNs << ',' << point.truth << ',' << point.predicted << ','
                      << point.fluid << '\n';
        truth.Add(static_cast<double>(point.timeNs) / 1e6, point.truth * scale);
        predicted.Add(static_cast<double>(point.timeNs) / 1e6, point.predicted * scale);
    }
    truth.SetExtra(" lc rgb \"black\" lw 3"); // the ground truth lies on top
    plot.AddDataset(predicted);
    plot.AddDataset(truth);
    file.Commit();
    DcnWritePlot(plot, out + "/" + name);
}

} // namespace

int
main(int argc, char* argv[])
{
    std::string data = "results/dataset";
    std::string model;
    std::string out = "results/m4-watch";
    uint32_t samples = 20;
    CommandLine cmd(__FILE__);
    cmd.Usage("Compare remaining sizes and queues predicted by m4 with those of packets.");
    DcnAddText(cmd, "data", "Data sets (dcn-dataset --kind=fabric), joined by commas", data);
    cmd.AddValue("samples", "Samples at the end of each data set", samples);
    DcnAddText(cmd, "model", "Folder of a model; empty: the shipped one", model);
    DcnAddText(cmd, "out", "Folder for remaining.csv, queue.csv and their pictures", out);
    DcnParseCommandLine(cmd, argc, argv);

    return DcnRunProgram("m4-watch", [&]() {
        M4Data set(data, samples);
        const DcnModelFile weights =
            DcnModelFile::Read(model.empty() ? DcnDataPath("models/m4") : model, "m4");
        if (set.GetNValidation() == 0)
        {
            DcnFail("--samples must be at least 1");
        }
        DcnMakeFolder(out);
        std::vector<double> remaining;
        std::vector<double> fluid;
        std::map<int, std::vector<double>> queues; // by decade of the true queue
        std::map<int, double> trueBytes;           // likewise, sum
        for (uint64_t i = 0; i < set.GetNValidation(); ++i)
        {
            const auto truth = set.ReadValidation(i);
            if (truth->remaining.empty())
            {
                DcnFail(data, " has no events, which the remaining fractions come from");
            }
            const M4Watched watched = M4Watch(*truth, weights);
            for (const auto& [flow, points] : watched.remaining)
            {
                for (const M4WatchedPoint& point : points)
                {
                    remaining.push_back(std::abs(point.predicted - point.truth));
                    fluid.push_back(std::abs(point.fluid - point.truth));
                }
            }
            for (const auto& [link, points] : watched.queues)
            {
                for (const M4WatchedPoint& point : points)
                {
                    const int decade =
                        point.truth < 1 ? -1 : static_cast<int>(std::log10(point.truth));
                    queues[decade].push_back(std::abs(point.predicted - point.truth));
                    trueBytes[decade] += point.truth;
                }
            }
            if (i == 0)
            {
                const uint32_t flow = FindLongest(watched.remaining);
                WriteSeries(out,
                            "remaining",
                            "flow " + std::to_string(flow) + " of the first sample",
                            "remaining share of the flow",
                            1,
                            watched.remaining.at(flow));
                const uint32_t link = FindLongest(watched.queues);
                WriteSeries(out,
                            "queue",
                            "link " + truth->scenario->GetTopology().DescribeLink(link) +
                                " of the first sample",
                            "queue [KB]",
                            1e-3,
                            watched.queues.at(link));
            }
        }
        for (auto& [name, values] :
             {std::make_pair("m4", &remaining), std::make_pair("fluid", &fluid)})
        {
            std::sort(values->begin(), values->end());
            std::printf("remaining fraction, %-5s: %zu values, mean |error| %.4f, p90 %.4f\n",
                        name,
                        values->size(),
                        DcnMean(*values),
                        DcnQuantile(*values, 0.9));
        }
        for (const auto& [decade, values] : queues)
        {
            const double low = decade < 0 ? 0 : std::pow(10, decade);
            const double truth = trueBytes[decade] / static_cast<double>(values.size());
            std::printf(
                "queues from %7.0f bytes: %8zu values, mean %8.0f, mean |error| %8.0f bytes\n",
                low,
                values.size(),
                truth,
                DcnMean(values));
        }
        std::printf("written: %s/remaining.csv, %s/queue.csv and pictures\n",
                    out.c_str(),
                    out.c_str());
        return 0;
    });
}

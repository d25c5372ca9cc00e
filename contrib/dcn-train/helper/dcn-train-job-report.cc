/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "dcn-train-job-report.h"

#include "ns3/dcn-csv.h"
#include "ns3/dcn-plot.h"
#include "ns3/dcn-report.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <map>
#include <utility>

namespace ns3
{

namespace
{

using Times = DcnTrainExecutor::RankTimes;

/// @return a rate as text
std::string
ToGbps(double bps)
{
    return DcnToText(bps / 1e9) + " Gb/s";
}

/// @return the smallest and the largest of some values as text, once if they are equal
std::string
ToRange(const std::vector<double>& values, std::string (*toText)(double))
{
    const auto [least, most] = std::minmax_element(values.begin(), values.end());
    return *least == *most ? toText(*least) : toText(*least) + " to " + toText(*most);
}

/// @return a number with a few digits
std::string
ToShort(double value)
{
    char text[32];
    std::snprintf(text, sizeof text, "%.4g", value);
    return text;
}

/// @return mean iterations of two runs by each other as text; empty without the other one
std::string
ToRatio(const DcnTrainRunResult& run, const std::optional<DcnTrainRunResult>& other)
{
    return other ? DcnToText(run.GetIterationMs() / other->GetIterationMs()) : "";
}

/// @return mean iteration as text; empty without a run
std::string
ToMs(const std::optional<DcnTrainRunResult>& run)
{
    return run ? DcnToText(run->GetIterationMs()) : "";
}

} // namespace

double
DcnTrainJobReport::Row::GetTokensPerSecond() const
{
    return job.tokens > 0 ? 1000 * job.tokens / run.GetIterationMs() : 0;
}

double
DcnTrainJobReport::Row::GetFlopUtilisation() const
{
    return job.efficiency * run.GetMeanMs(&Times::computeNs) * 1e6 /
           static_cast<double>(run.durationNs);
}

double
DcnTrainJobReport::Row::GetExposedPart() const
{
    return run.GetMeanMs(&Times::exposedNs) * 1e6 / static_cast<double>(run.durationNs);
}

std::string
DcnTrainJobReport::Row::GetName() const
{
    return job.name.empty() ? "job" : job.name;
}

std::vector<std::string>
DcnTrainJobReport::DescribeNetwork(const DcnTopology& topology,
                                   const DcnNetworkParameters& network,
                                   Time hostLatency,
                                   bool isFluid)
{
    std::vector<double> hostRates;
    std::map<uint32_t, std::pair<double, double>> edges; // rates to hosts and on, by switch
    for (uint32_t link = 0; link < topology.GetNLinks(); ++link)
    {
        const DcnLink& each = topology.GetLink(link);
        const auto bps = static_cast<double>(each.rateBps);
        if (topology.IsHost(each.from))
        {
            hostRates.push_back(bps);
            edges[each.to].first += bps;
        }
    }
    std::vector<double> down;
    std::vector<double> up;
    std::vector<double> ratios;
    for (auto& [node, rates] : edges)
    {
        for (const uint32_t link : topology.GetOutLinks(node))
        {
            const DcnLink& each = topology.GetLink(link);
            rates.second += topology.IsHost(each.to) ? 0 : static_cast<double>(each.rateBps);
        }
        if (rates.second > 0) // else a scale-up switch, or the only one
        {
            down.push_back(rates.first);
            up.push_back(rates.second);
            ratios.push_back(rates.first / rates.second);
        }
    }
    std::string links = "assumed: " + std::to_string(topology.GetHosts().size()) +
                        " hosts with links of " + ToRange(hostRates, ToGbps);
    if (!down.empty())
    {
        links += "; switches with hosts have " + ToRange(down, ToGbps) + " to them and " +
                 ToRange(up, ToGbps) + " to other switches (oversubscription " +
                 ToRange(ratios, ToShort) + ")";
    }
    const std::string window =
        network.windowBdp > 0     ? DcnToText(network.windowBdp) + " bandwidth-delay products"
        : network.windowBytes > 0 ? std::to_string(network.windowBytes) + " bytes"
                                  : "no";
    const std::string control =
        "congestion control " + network.congestionControl + ", " + window + " window, ";
    const std::string buffers = ", buffers of " + std::to_string(network.bufferBytes) +
                                " bytes a switch, " + (network.pfc ? "with" : "without") + " PFC";
    return {links,
            "assumed: " + (isFluid ? "" : control) + "packets of " +
                std::to_string(network.payloadBytes) + " bytes and " +
                std::to_string(network.headerBytes) + " of headers" + (isFluid ? "" : buffers) +
                "; host latency " + std::to_string(hostLatency.GetNanoSeconds()) + " ns a message"};
}

void
DcnTrainJobReport::Add(Row row)
{
    m_rows.push_back(std::move(row));
}

const std::vector<DcnTrainJobReport::Row>&
DcnTrainJobReport::GetRows() const
{
    return m_rows;
}

std::vector<std::string>
DcnTrainJobReport::GetStops() const
{
    std::vector<std::string> lines;
    for (const Row& row : m_rows)
    {
        if (!row.run.stop.empty())
        {
            lines.push_back(row.run.engine + ": " + row.GetName() + " " + row.run.stop);
        }
    }
    return lines;
}

void
DcnTrainJobReport::PrintJobs(std::size_t first) const
{
    const auto has = [&](const std::optional<DcnTrainRunResult> Row::*other) {
        return std::any_of(m_rows.begin() + static_cast<std::ptrdiff_t>(first),
                           m_rows.end(),
                           [other](const Row& row) { return (row.*other).has_value(); });
    };
    const bool hasAlone = has(&Row::alone);
    const bool hasNoEvents = has(&Row::noEvents);
    std::printf("%-24s %-16s %7s %12s %14s",
                "engine",
                "job",
                "ranks",
                "start [ms]",
                "iteration [ms]");
    if (hasAlone)
    {
        std::printf(" %14s %10s", "alone [ms]", "slow-down");
    }
    if (hasNoEvents)
    {
        std::printf(" %19s %10s", "without events [ms]", "slow-down");
    }
    std::printf("\n");
    for (std::size_t i = first; i < m_rows.size(); ++i)
    {
        const Row& row = m_rows[i];
        const double ms = row.run.GetIterationMs();
        std::printf("%-24s %-16s %7u %12.4f %14.4f",
                    row.run.engine.c_str(),
                    row.GetName().c_str(),
                    row.job.source->GetNRanks(),
                    static_cast<double>(row.job.start.GetNanoSeconds()) / 1e6,
                    ms);
        if (row.alone)
        {
            std::printf(" %14.4f %9.3fx",
                        row.alone->GetIterationMs(),
                        ms / row.alone->GetIterationMs());
        }
        if (row.noEvents)
        {
            std::printf(" %19.4f %9.3fx",
                        row.noEvents->GetIterationMs(),
                        ms / row.noEvents->GetIterationMs());
        }
        std::printf("\n");
    }
}

void
DcnTrainJobReport::PrintRow(const Row& row)
{
    const std::string name = row.run.engine + (row.job.name.empty() ? "" : ", " + row.job.name);
    if (row.job.tokens > 0)
    {
        std::printf("%s: %.0f tokens/s, FLOP utilisation %.1f %%, exposed communication %.1f %% of "
                    "the time\n",
                    name.c_str(),
                    row.GetTokensPerSecond(),
                    100 * row.GetFlopUtilisation(),
                    100 * row.GetExposedPart());
    }
    const double stalledMs = row.run.GetMeanMs(&Times::stalledNs);
    if (stalledMs > 0)
    {
        std::printf("%s: a rank is stalled by failures for %.4f ms in the mean\n",
                    name.c_str(),
                    stalledMs);
    }
    if (row.run.collectives.size() > 1)
    {
        for (const auto& [kind, bus] : row.run.GetBus(*row.job.source))
        {
            std::printf(
                "%s: %u times %s of %.3f MB in all, bus bandwidth %.3f Gb/s, of the slowest "
                "one %.3f Gb/s\n",
                name.c_str(),
                bus.n,
                kind.c_str(),
                static_cast<double>(bus.bytes) / 1e6,
                bus.meanGbps,
                bus.leastGbps);
        }
    }
}

std::vector<std::string>
DcnTrainJobReport::GetHead()
{
    return {"engine",
            "job",
            "ranks",
            "start_ns",
            "duration_ns",
            "iteration_ms",
            "alone_iteration_ms",
            "slowdown",
            "no_events_iteration_ms",
            "events_slowdown",
            "compute_ms",
            "exposed_ms",
            "stalled_ms",
            "idle_ms",
            "tokens_per_s",
            "flop_utilisation",
            "end"};
}

std::vector<std::string>
DcnTrainJobReport::GetCells(const Row& row)
{
    const DcnTrainRunResult& run = row.run;
    const bool isTraining = row.job.tokens > 0;
    return {run.engine,
            row.GetName(),
            std::to_string(row.job.source->GetNRanks()),
            std::to_string(row.job.start.GetNanoSeconds()),
            std::to_string(run.durationNs),
            DcnToText(run.GetIterationMs()),
            ToMs(row.alone),
            ToRatio(run, row.alone),
            ToMs(row.noEvents),
            ToRatio(run, row.noEvents),
            DcnToText(run.GetMeanMs(&Times::computeNs)),
            DcnToText(run.GetMeanMs(&Times::exposedNs)),
            DcnToText(run.GetMeanMs(&Times::stalledNs)),
            DcnToText(run.GetMeanMs(&Times::idleNs)),
            isTraining ? DcnToText(row.GetTokensPerSecond()) : "",
            isTraining ? DcnToText(row.GetFlopUtilisation()) : "",
            run.stop.empty() ? "complete" : run.stop};
}

std::vector<std::string>
DcnTrainJobReport::Write(const std::string& folder) const
{
    DcnFileWriter table(folder + "/jobs.csv");
    const auto write = [&table](const std::vector<std::string>& cells) {
        for (std::size_t i = 0; i < cells.size(); ++i)
        {
            table.Stream() << (i > 0 ? "," : "") << DcnCsvText(cells[i]);
        }
        table.Stream() << '\n';
    };
    DcnBarPlot plot("Time of a rank, mean over ranks", "time [ms]");
    plot.SetStacked();
    const bool hasStalls = std::any_of(m_rows.begin(), m_rows.end(), [](const Row& row) {
        return row.run.GetMeanMs(&Times::stalledNs) > 0;
    });
    const auto draw = [&](const Row& row, const DcnTrainRunResult& run, const char* what) {
        const std::string name =
            run.engine + (row.job.name.empty() ? "" : ", " + row.job.name) + what;
        plot.Add(name, "compute", run.GetMeanMs(&Times::computeNs));
        plot.Add(name, "exposed communication", run.GetMeanMs(&Times::exposedNs));
        if (hasStalls)
        {
            plot.Add(name, "stalled by failures", run.GetMeanMs(&Times::stalledNs));
        }
        plot.Add(name, "idle", run.GetMeanMs(&Times::idleNs));
    };
    write(GetHead());
    for (const Row& row : m_rows)
    {
        write(GetCells(row));
        draw(row, row.run, "");
        if (row.noEvents)
        {
            draw(row, *row.noEvents, ", without events");
        }
        if (row.alone)
        {
            draw(row, *row.alone, ", alone");
        }
    }
    table.Commit();
    std::vector<std::string> files = {"jobs.csv"};
    if (plot.Write(folder + "/times"))
    {
        files.insert(files.end(), {"times.png", "times.svg"});
    }
    return files;
}

void
DcnTrainJobReport::WriteHtml(const std::string& folder,
                             const std::vector<std::string>& tables,
                             const std::vector<std::string>& assumptions,
                             const std::string& command) const
{
    DcnReport page("Training run");
    std::vector<std::vector<std::string>> cells;
    std::vector<std::vector<std::string>> buses;
    for (const Row& row : m_rows)
    {
        cells.push_back(GetCells(row));
        for (const auto& [kind, bus] : row.run.GetBus(*row.job.source))
        {
            buses.push_back({row.run.engine,
                             row.GetName(),
                             kind,
                             std::to_string(bus.n),
                             std::to_string(bus.bytes),
                             ToShort(bus.meanGbps),
                             ToShort(bus.leastGbps)});
        }
    }
    page.AddHeading("Jobs");
    page.AddTable(GetHead(), cells);
    page.AddFigure(
        folder + "/times.svg",
        "How ranks spend their time: none of compute, communication and stalls is idle.");
    if (!buses.empty())
    {
        page.AddHeading("Collectives");
        page.AddTable({"engine", "job", "kind", "number", "bytes", "bus_gbps", "slowest_gbps"},
                      buses);
    }
    const std::vector<std::string> stops = GetStops();
    if (!stops.empty())
    {
        page.AddHeading("Stopped by failures");
        for (const std::string& line : stops)
        {
            page.AddText(line);
        }
    }
    page.AddHeading("Assumptions");
    std::string text;
    for (const std::string& line : assumptions)
    {
        text += (text.empty() ? "" : "\n") + line;
    }
    page.AddText(text);
    page.AddHeading("Tables");
    for (const std::string& table : tables)
    {
        page.AddCsv(folder + "/" + table, table);
    }
    page.AddOrigin(command);
    page.Write(folder + "/report.html");
}

} // namespace ns3

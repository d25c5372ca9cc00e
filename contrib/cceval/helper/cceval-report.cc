/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "cceval-report.h"

#include "ns3/cceval-comparison.h"
#include "ns3/cceval-violin.h"
#include "ns3/dcn-csv.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <map>

namespace ns3
{

namespace
{

/**
 * @param name of a metric
 * @return the same without what file names should not have
 */
std::string
FileName(std::string name)
{
    const std::string odd = "<>@";
    const std::string instead = "lg-";
    for (char& c : name)
    {
        const std::size_t at = odd.find(c);
        c = at == std::string::npos ? c : instead[at];
    }
    return name;
}

/**
 * @param result what is known
 * @return processor time of the trials that are still needed [s]
 */
double
SecondsLeft(const CcevalResult& result)
{
    const double each =
        result.cpuSeconds / static_cast<double>(std::max<uint64_t>(1, result.trials));
    return each * std::max(0.0,
                           static_cast<double>(result.forecast.trials) -
                               static_cast<double>(result.trials));
}

} // namespace

CcevalReport::CcevalReport(const std::vector<CcevalMetric>& metrics, double level, bool paired)
    : m_metrics(metrics),
      m_level(level),
      m_paired(paired)
{
}

void
CcevalReport::PrintHeader()
{
    std::printf("%-8s %-22s %12s    %-13s %21s %9s %7s %6s %8s %7s\n",
                "method",
                "metric",
                "value",
                "half-width",
                "interval",
                "relative",
                "trials",
                "failed",
                "cpu [s]",
                "gain");
}

void
CcevalReport::PrintResult(const CcevalResult& result)
{
    const auto& interval = result.interval;
    std::printf("%-8s %-22s %12.5g +- %-10.4g %-2s %9.5g to %8.5g %7.2f %% %7zu %6zu %8.1f %7.2f\n",
                result.algorithm.c_str(),
                result.metric.c_str(),
                interval.estimate,
                interval.GetHalfWidth(),
                CcevalMetric::Parse(result.metric).GetUnit().c_str(),
                interval.low,
                interval.high,
                100 * interval.GetHalfWidth() / std::abs(interval.estimate),
                static_cast<std::size_t>(result.trials),
                static_cast<std::size_t>(result.failed),
                result.cpuSeconds + result.extraCpuSeconds,
                result.gain);
    if (!result.converged && result.forecast.trials > 0 && result.forecast.IsReachable())
    {
        std::printf(
            "         not known to the margin: about %zu trials (%zu to %zu) are needed, %.0f "
            "s of processor time more\n",
            static_cast<std::size_t>(result.forecast.trials),
            static_cast<std::size_t>(result.forecast.low),
            static_cast<std::size_t>(result.forecast.high),
            SecondsLeft(result));
    }
    if (!result.note.empty())
    {
        std::printf("         %s\n", result.note.c_str());
    }
    std::fflush(stdout);
}

void
CcevalReport::ShowProgress(const CcevalResult& result)
{
    if (result.converged)
    {
        return;
    }
    std::fprintf(stderr,
                 "%s %s: %zu trials, +-%.1f %%; ",
                 result.algorithm.c_str(),
                 result.metric.c_str(),
                 static_cast<std::size_t>(result.trials),
                 100 * result.interval.GetHalfWidth() / std::abs(result.interval.estimate));
    if (result.forecast.trials == 0)
    {
        std::fprintf(stderr, "too few to tell how many are needed\n");
        return;
    }
    if (!result.forecast.IsReachable())
    {
        std::fprintf(stderr, "no number of trials is enough\n");
        return;
    }
    std::fprintf(stderr,
                 "about %zu (%zu to %zu) needed, %.0f s of processor time left\n",
                 static_cast<std::size_t>(result.forecast.trials),
                 static_cast<std::size_t>(result.forecast.low),
                 static_cast<std::size_t>(result.forecast.high),
                 SecondsLeft(result));
}

void
CcevalReport::PrintPhases(const CcevalResult& result)
{
    std::printf(
        "         %.1f flows per trial: %.1f %% warm-up, %.1f %% stable, %.1f %% cool-down\n",
        result.flowsPerTrial,
        100 * result.phases[0],
        100 * result.phases[1],
        100 * result.phases[2]);
}

void
CcevalReport::Add(const std::vector<CcevalResult>& results)
{
    m_results.push_back(results);
}

bool
CcevalReport::IsKnown() const
{
    for (const auto& each : m_results)
    {
        for (const auto& result : each)
        {
            if (!result.converged)
            {
                return false;
            }
        }
    }
    return true;
}

void
CcevalReport::Write(const std::string& folder) const
{
    WriteResults(folder + "/cceval.csv");
    if (m_results.size() > 1 && m_paired)
    {
        WriteComparison(folder + "/comparison.csv");
    }
    WriteViolins(folder);
}

void
CcevalReport::WriteResults(const std::string& path) const
{
    DcnFileWriter csv(path);
    csv.Stream() << "algorithm,metric,method,trials,failed,value,low,high,half_width_relative,"
                    "converged,coverage_assured,forecast,forecast_low,forecast_high,cpu_s,"
                    "extra_cpu_s,gain,cpu_gain,flows_per_trial,warm_up,stable,cool_down\n";
    for (const auto& each : m_results)
    {
        for (const CcevalResult& r : each)
        {
            csv.Stream() << r.algorithm << ',' << r.metric << ',' << r.method << ',' << r.trials
                         << ',' << r.failed << ',' << r.interval.estimate << ',' << r.interval.low
                         << ',' << r.interval.high << ','
                         << r.interval.GetHalfWidth() / std::abs(r.interval.estimate) << ','
                         << r.converged << ',' << r.assured << ',' << r.forecast.trials << ','
                         << r.forecast.low << ',' << r.forecast.high << ',' << r.cpuSeconds << ','
                         << r.extraCpuSeconds << ',' << r.gain << ',' << r.cpuGain << ','
                         << r.flowsPerTrial << ',' << r.phases[0] << ',' << r.phases[1] << ','
                         << r.phases[2] << "\n";
        }
    }
    csv.Commit();
}

void
CcevalReport::WriteComparison(const std::string& path) const
{
    const auto nMetrics = static_cast<uint64_t>(
        std::count_if(m_metrics.begin(), m_metrics.end(), [](const auto& m) { return !m.pooled; }));
    DcnFileWriter csv(path);
    csv.Stream() << "metric,first,second,trials,difference,low,high,correlation,gain,verdict\n";
    for (std::size_t m = 0; m < m_metrics.size(); ++m)
    {
        std::vector<std::string> names;
        std::map<uint64_t, std::vector<double>> common; // values of the algorithms, by run
        for (const auto& each : m_results)
        {
            for (std::size_t i = 0; i < each[m].values.size(); ++i)
            {
                auto& row = common[each[m].runs[i]];
                if (row.size() == names.size()) // no other algorithm lacks it
                {
                    row.push_back(each[m].values[i]);
                }
            }
            names.push_back(each[m].algorithm);
        }
        std::vector<std::vector<double>> values(names.size());
        for (const auto& [run, row] : common)
        {
            for (std::size_t a = 0; a < row.size() && row.size() == names.size(); ++a)
            {
                values[a].push_back(row[a]);
            }
        }
        const std::size_t n = values.front().size();
        if (n < 2) // a pooled metric, or hardly any trial that did not fail
        {
            continue;
        }
        const CcevalComparison comparison(names, values, m_level, nMetrics);
        const char* const verdicts[] = {"below", "unresolved", "above"};
        for (const auto& pair : comparison.GetPairs())
        {
            csv.Stream() << m_metrics[m].name << ',' << names[pair.first] << ','
                         << names[pair.second] << ',' << n << ',' << pair.difference.estimate << ','
                         << pair.difference.low << ',' << pair.difference.high << ','
                         << pair.correlation << ',' << pair.gain << ','
                         << verdicts[pair.GetSign() + 1] << "\n";
        }
        std::printf("%s over %zu common trials: %s\n",
                    m_metrics[m].name.c_str(),
                    n,
                    comparison.DescribeOrder().c_str());
    }
    csv.Commit();
}

void
CcevalReport::WriteViolins(const std::string& folder) const
{
    for (std::size_t m = 0; m < m_metrics.size(); ++m)
    {
        const auto& metric = m_metrics[m];
        CcevalViolinPlot plot(metric.name, metric.name + (metric.slowdown ? "" : " [us]"));
        bool any = false;
        for (const auto& each : m_results)
        {
            if (!each[m].values.empty())
            {
                plot.Add(each[m].algorithm + " (" + std::to_string(each[m].trials) + ")",
                         each[m].values,
                         each[m].interval);
                any = true;
            }
        }
        if (any)
        {
            plot.Write(folder + "/violin-" + FileName(metric.name));
        }
    }
}

} // namespace ns3

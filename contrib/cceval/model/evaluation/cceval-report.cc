/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "cceval-report.h"

#include "../statistics/cceval-comparison.h"
#include "../statistics/cceval-moments.h"
#include "../statistics/cceval-pooled-quantile.h"
#include "../statistics/cceval-stopping-rule.h"
#include "../trials/cceval-metric.h"
#include "cceval-plain-method.h"
#include "cceval-violin.h"

#include "ns3/dcn-csv.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>
#include <map>

namespace ns3
{

namespace
{

/**
 * @param name of a metric
 * @return the name without characters that file names should not have
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
 * @param interval an interval
 * @return the interval, with NaN ends if its width is zero: equal values do not bound the error
 */
CcevalInterval
GetShown(const CcevalInterval& interval)
{
    constexpr double NONE = std::numeric_limits<double>::quiet_NaN();
    return interval.low == interval.high ? CcevalInterval{interval.estimate, NONE, NONE} : interval;
}

/**
 * @param format printf format of a number
 * @param value the number
 * @return its text
 */
std::string
Format(const char* format, double value)
{
    char text[64];
    std::snprintf(text, sizeof(text), format, value);
    return text;
}

/**
 * @param result estimate and forecast of a metric
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

/**
 * @param pooled quantile of an algorithm
 * @param values its pseudo-values
 * @param level confidence level
 * @return true if these give its error as the interval by inversion does, which needs no slope of
 * the tail: a tail with two modes has no valid slope
 */
bool
IsFirstOrder(const CcevalPooledQuantile& pooled, const std::vector<double>& values, double level)
{
    constexpr double MOST = 2; // ratio of half-widths; smooth tails differ by tens of percent
    CcevalMoments moments;
    for (const double value : values)
    {
        moments.Add(value);
    }
    const double linear = CcevalMeanInterval(moments, level).GetHalfWidth();
    const double inverted = pooled.GetInterval(level).GetHalfWidth(); // NaN if an end is unknown
    return inverted <= MOST * linear && linear <= MOST * inverted;
}

/// @return the number of trials, with its band where that has a width
std::string
DescribeTrials(const CcevalForecast& forecast)
{
    std::string text = std::to_string(forecast.trials);
    if (forecast.low < forecast.high)
    {
        text += " (" + std::to_string(forecast.low) + " to " + std::to_string(forecast.high) + ")";
    }
    return text;
}

} // namespace

CcevalReport::CcevalReport(const std::vector<std::string>& metrics, double level)
    : m_level(level)
{
    std::transform(metrics.begin(),
                   metrics.end(),
                   std::back_inserter(m_metrics),
                   CcevalMetric::Parse);
}

CcevalReport::~CcevalReport() = default;

void
CcevalReport::PrintHeader()
{
    std::printf("%-8s %-22s %12s    %-13s %21s %9s %7s %6s %8s %7s  %s\n",
                "cc",
                "metric",
                "value",
                "half-width",
                "interval",
                "relative",
                "trials",
                "failed",
                "cpu [s]",
                "gain",
                "answered by");
}

void
CcevalReport::PrintResult(const CcevalResult& result)
{
    const CcevalInterval interval = GetShown(result.interval);
    const bool hasInterval = !(std::isnan(interval.low) && std::isnan(interval.high));
    const bool isOther = !result.answeredBy.empty();
    std::printf(
        "%-8s %-22s %12.5g +- %-10s %-2s %21s %9s %7zu %6zu %8.1f %7s  %s\n",
        result.algorithm.c_str(),
        result.metric.c_str(),
        interval.estimate,
        hasInterval ? Format("%.4g", interval.GetHalfWidth()).c_str() : "-",
        CcevalMetric::Parse(result.metric).GetUnit().c_str(),
        hasInterval ? (Format("%9.5g", interval.low) + Format(" to %8.5g", interval.high)).c_str()
                    : "-",
        hasInterval
            ? Format("%7.2f %%", 100 * interval.GetHalfWidth() / std::abs(interval.estimate))
                  .c_str()
            : "-",
        static_cast<std::size_t>(result.trials),
        static_cast<std::size_t>(result.failed),
        result.cpuSeconds + result.extraCpuSeconds,
        isOther ? "-" : Format("%.2f", result.gain).c_str(),
        isOther ? (result.answeredBy + ", not " + result.method).c_str() : result.method.c_str());
    if (!result.converged && result.forecast.trials > 0 && result.forecast.IsReachable())
    {
        // a narrow interval of fewer trials than planned may be narrow by chance
        const bool isPlanned = result.planned > result.trials;
        const std::string needed = DescribeTrials(result.forecast);
        std::printf("         %s %s trials are needed, %.0f s of processor time more\n",
                    isPlanned ? "ended before the planned number of trials, so that the margin is "
                                "not assured:"
                              : "not known to the margin: about",
                    needed.c_str(),
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
        std::fprintf(stderr, "too few to forecast how many are needed\n");
        return;
    }
    if (!result.forecast.IsReachable())
    {
        std::fprintf(stderr, "no number of trials suffices\n");
        return;
    }
    // a narrow interval does not end an evaluation before the planned number of trials
    const bool isPlanned = result.planned > result.trials;
    std::fprintf(stderr,
                 "%s%s %s, %.0f s of processor time left\n",
                 isPlanned ? "" : "about ",
                 DescribeTrials(result.forecast).c_str(),
                 isPlanned ? "planned" : "needed",
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
CcevalReport::Add(const std::vector<CcevalResult>& results, const std::string& traffic)
{
    m_results.push_back(results);
    m_traffic.push_back(traffic);
}

bool
CcevalReport::IsKnown() const
{
    return std::all_of(m_results.begin(), m_results.end(), [](const auto& each) {
        return std::all_of(each.begin(), each.end(), [](const CcevalResult& result) {
            return result.converged;
        });
    });
}

bool
CcevalReport::HasFailures() const
{
    return std::any_of(m_results.begin(), m_results.end(), [](const auto& each) {
        return std::any_of(each.begin(), each.end(), [](const CcevalResult& result) {
            return result.failed > 0;
        });
    });
}

void
CcevalReport::Write(const std::string& folder) const
{
    WriteResults(folder + "/cceval.csv");
    WriteComparison(folder + "/comparison.csv");
    WriteViolins(folder);
}

void
CcevalReport::WriteResults(const std::string& path) const
{
    DcnFileWriter csv(path);
    csv.Stream()
        << "algorithm,metric,method,answered_by,trials,failed,others,others_by,value,low,high,"
           "half_width_relative,converged,coverage_assured,forecast,forecast_low,forecast_high,cpu_"
           "s,"
           "extra_cpu_s,gain,cpu_gain,flows_per_trial,warm_up,stable,cool_down\n";
    // the gain does not apply to an answer of another method
    constexpr double none = std::numeric_limits<double>::quiet_NaN();
    for (const auto& each : m_results)
    {
        for (const CcevalResult& r : each)
        {
            const CcevalInterval interval = GetShown(r.interval);
            const bool isAllOthers = r.others > 0 && r.others == r.trials;
            csv.Stream() << r.algorithm << ',' << r.metric << ',' << r.method << ','
                         << (isAllOthers ? r.othersBy : r.answeredBy) << ',' << r.trials << ','
                         << r.failed << ',' << r.others << ',' << r.othersBy << ','
                         << interval.estimate << ',' << interval.low << ',' << interval.high << ','
                         << interval.GetHalfWidth() / std::abs(interval.estimate) << ','
                         << r.converged << ',' << r.assured << ',' << r.forecast.trials << ','
                         << r.forecast.low << ',' << r.forecast.high << ',' << r.cpuSeconds << ','
                         << r.extraCpuSeconds << ',' << (r.answeredBy.empty() ? r.gain : none)
                         << ',' << (r.answeredBy.empty() ? r.cpuGain : none) << ','
                         << r.flowsPerTrial << ',' << r.phases[0] << ',' << r.phases[1] << ','
                         << r.phases[2] << "\n";
        }
    }
    csv.Commit();
}

void
CcevalReport::WriteComparison(const std::string& path) const
{
    std::map<std::string, std::vector<std::size_t>> byTraffic;
    for (std::size_t i = 0; i < m_results.size(); ++i)
    {
        byTraffic[m_traffic[i]].push_back(i);
    }
    uint64_t pairs = 0;
    for (const auto& [traffic, which] : byTraffic)
    {
        pairs += m_metrics.size() * which.size() * (which.size() - 1) / 2;
    }
    if (pairs == 0)
    {
        return;
    }
    DcnFileWriter csv(path);
    csv.Stream()
        << "metric,first,second,trials,others,difference,low,high,correlation,gain,verdict,"
           "coverage_assured\n";
    for (std::size_t m = 0; m < m_metrics.size(); ++m)
    {
        for (const auto& [traffic, which] : byTraffic)
        {
            if (which.size() > 1)
            {
                Compare(m, which, pairs - which.size() * (which.size() - 1) / 2, csv.Stream());
            }
        }
    }
    csv.Commit();
    if (m_results.front().front().method != CcevalPlainMethod::NAME)
    {
        std::printf("(algorithms are compared by their plain trials, whatever the method)\n");
    }
}

CcevalReport::Common
CcevalReport::FindCommon(std::size_t metric, const std::vector<std::size_t>& which) const
{
    Common made;
    for (const std::size_t a : which)
    {
        const CcevalResult& result = m_results[a][metric];
        made.doubt = result.failed > 0 ? "failed trials are excluded" : made.doubt;
        for (std::size_t i = 0; i < result.runs.size(); ++i)
        {
            auto& row = made.runs[result.runs[i]];
            if (row.size() == made.names.size()) // run by all algorithms
            {
                row.push_back(i);
            }
        }
        made.names.push_back(result.algorithm);
    }
    return made;
}

bool
CcevalReport::ReadValues(std::size_t metric,
                         const std::vector<std::size_t>& which,
                         Common& common) const
{
    const CcevalMetric& asked = m_metrics[metric];
    common.values.resize(which.size());
    for (std::size_t a = 0; a < which.size(); ++a)
    {
        const CcevalResult& result = m_results[which[a]][metric];
        std::vector<double>& values = common.values[a];
        std::vector<CcevalCycle> cycles;
        for (const auto& [run, row] : common.runs)
        {
            if (row.size() == which.size() && asked.pooled)
            {
                cycles.push_back(result.tails->at(row[a]));
            }
            else if (row.size() == which.size())
            {
                values.push_back(result.values[row[a]]);
            }
        }
        common.n = asked.pooled ? cycles.size() : values.size();
        if (asked.pooled && common.n >= 2)
        {
            const CcevalPooledQuantile pooled(asked.probability, std::move(cycles));
            values = pooled.GetPseudoValues();
            const double effective = pooled.GetEffectiveSampleSize(pooled.GetThreshold(1));
            if (values.empty())
            {
                common.n = 0; // too few flows in the tail
            }
            else if (common.doubt.empty() && effective < CcevalPooledQuantile::MIN_EFFECTIVE)
            {
                common.doubt =
                    "the effective sample size of the tail of " + common.names[a] + " is too small";
            }
            else if (common.doubt.empty() && !IsFirstOrder(pooled, values, m_level))
            {
                common.doubt = "the tail of " + common.names[a] + " has no well-defined slope";
            }
        }
        if (common.n < 2)
        {
            std::printf("%s: %s cannot be compared: too few common trials\n",
                        asked.name.c_str(),
                        common.names[a].c_str());
            return false;
        }
    }
    return true;
}

void
CcevalReport::Compare(std::size_t metric,
                      const std::vector<std::size_t>& which,
                      uint64_t others,
                      std::ostream& csv) const
{
    const CcevalMetric& asked = m_metrics[metric];
    Common common = FindCommon(metric, which);
    if (!ReadValues(metric, which, common))
    {
        return;
    }
    const auto& names = common.names;
    const CcevalComparison comparison(names, common.values, m_level, others);
    std::string reason = common.doubt;
    // common trials of a pair with an answer of another method for at least one of them
    auto countOthers = [&](const CcevalComparison::Pair& pair) {
        const auto& first = m_results[which[pair.first]][metric].otherRuns;
        const auto& second = m_results[which[pair.second]][metric].otherRuns;
        return std::count_if(common.runs.begin(), common.runs.end(), [&](const auto& each) {
            return each.second.size() == which.size() &&
                   (first.count(each.first) > 0 || second.count(each.first) > 0);
        });
    };
    const char* const verdicts[] = {"below", "unresolved", "above"};
    for (const auto& pair : comparison.GetPairs())
    {
        const CcevalInterval difference = GetShown(pair.difference);
        csv << asked.name << ',' << names[pair.first] << ',' << names[pair.second] << ','
            << common.n << ',' << countOthers(pair) << ',' << difference.estimate << ','
            << difference.low << ',' << difference.high << ',' << pair.correlation << ','
            << pair.gain << ',' << verdicts[pair.GetSign() + 1] << ',';
        // by what is known before the trials (CcevalRehearsal): the skewness of the differences
        // depends on which trials came; of a tail the effective sample size decides
        const bool isKnown = asked.pooled || (m_results[which[pair.first]][metric].assured &&
                                              m_results[which[pair.second]][metric].assured);
        csv << (pair.assured && isKnown && common.doubt.empty()) << "\n";
        if ((!pair.assured || !isKnown) && reason.empty())
        {
            reason = names[pair.first] + " and " + names[pair.second] +
                     (common.n < CcevalComparison::MIN_TRIALS ? " have few common trials"
                      : !pair.assured ? " differ by equal values in all trials"
                                      : " have intervals that are not assured");
        }
    }
    std::printf("%s over %zu common trials: %s%s\n",
                asked.name.c_str(),
                common.n,
                comparison.DescribeOrder().c_str(),
                reason.empty() ? "" : (" (coverage not assured: " + reason + ")").c_str());
}

void
CcevalReport::WriteViolins(const std::string& folder) const
{
    for (std::size_t m = 0; m < m_metrics.size(); ++m)
    {
        const auto& metric = m_metrics[m];
        CcevalViolinPlot plot(metric.name,
                              metric.name + (metric.slowdown ? "" : " [us]"),
                              metric.slowdown ? 1 : 0);
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

/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "dcn-fct-table.h"

#include "ns3/assert.h"
#include "ns3/dcn-csv.h"
#include "ns3/dcn-plot.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>
#include <utility>

namespace ns3
{

namespace
{

const double NONE = std::numeric_limits<double>::quiet_NaN(); //!< a cell without a number

/// Metrics of slowdowns: three quantiles and the mean.
const char* const METRICS[] = {"p50_slowdown", "p90_slowdown", "p99_slowdown", "mean_slowdown"};
const double LEVELS[] = {0.5, 0.9, 0.99}; //!< of the quantiles

using Figures = std::vector<double>; //!< values of METRICS, or none where there are no slowdowns

/**
 * @param slowdowns with their weights
 * @return the figures of METRICS; none of no slowdowns
 */
Figures
GetFigures(std::vector<std::pair<double, double>> slowdowns)
{
    Figures figures;
    if (slowdowns.empty())
    {
        return figures;
    }
    std::sort(slowdowns.begin(), slowdowns.end());
    for (const double level : LEVELS)
    {
        figures.push_back(DcnWeightedQuantile(slowdowns, level));
    }
    double sum = 0;
    double total = 0;
    for (const auto& [value, weight] : slowdowns)
    {
        sum += value * weight;
        total += weight;
    }
    figures.push_back(sum / total);
    return figures;
}

} // namespace

DcnFctTable::DcnFctTable(Ptr<const DcnScenario> scenario)
    : m_scenario(scenario)
{
    m_idealNs.reserve(scenario->GetFlows().size());
    for (std::size_t i = 0; i < scenario->GetFlows().size(); ++i)
    {
        m_idealNs.push_back(scenario->GetIdealFct(i).GetTotalNs());
    }
}

void
DcnFctTable::Add(const DcnEstimate& estimate)
{
    NS_ASSERT_MSG(estimate.fctNs.size() == m_idealNs.size(), "an estimate of another scenario");
    m_estimates.push_back(estimate);
}

void
DcnFctTable::SetScenarioCost(const DcnCost& cost)
{
    m_scenarioCost = cost;
}

bool
DcnFctTable::HasTruth() const
{
    return !m_estimates.empty() && m_estimates.front().isGroundTruth;
}

bool
DcnFctTable::HasError(std::size_t method) const
{
    const DcnEstimate& estimate = m_estimates[method];
    const DcnEstimate& truth = m_estimates.front();
    return method > 0 && HasTruth() &&
           !DcnEstimate::IsOther(estimate.method, estimate.answeredBy) &&
           (truth.answeredBy.empty() || DcnEstimate::IsOther(estimate.method, truth.answeredBy));
}

const std::vector<DcnEstimate>&
DcnFctTable::GetEstimates() const
{
    return m_estimates;
}

Ptr<const DcnScenario>
DcnFctTable::GetScenario() const
{
    return m_scenario;
}

const std::vector<int64_t>&
DcnFctTable::GetIdealNs() const
{
    return m_idealNs;
}

std::vector<std::pair<double, double>>
DcnFctTable::GetSlowdowns(std::size_t method, const DcnSizeClass& sizeClass) const
{
    std::vector<std::pair<double, double>> slowdowns;
    const DcnEstimate& estimate = m_estimates[method];
    for (const auto& sample : estimate.samples)
    {
        if (sizeClass.Contains(static_cast<double>(sample.sizeBytes)))
        {
            slowdowns.emplace_back(sample.slowdown, sample.weight);
        }
    }
    if (!estimate.samples.empty())
    {
        return slowdowns;
    }
    const auto& flows = m_scenario->GetFlows();
    for (std::size_t i = 0; i < flows.size(); ++i)
    {
        const int64_t fct = estimate.fctNs[i];
        if (fct != DcnEstimate::UNFINISHED &&
            sizeClass.Contains(static_cast<double>(flows[i].sizeBytes)))
        {
            slowdowns.emplace_back(static_cast<double>(fct) / static_cast<double>(m_idealNs[i]), 1);
        }
    }
    return slowdowns;
}

void
DcnFctTable::Write(const std::string& folder) const
{
    // all files are complete before one has its name
    DcnFileWriter fct(folder + "/fct.csv");
    DcnFileWriter summary(folder + "/summary.csv");
    const std::string samplesPath = folder + "/samples.csv";
    DcnFileWriter samples(samplesPath);
    WriteFcts(fct.Stream());
    WriteSamples(samples.Stream());
    WriteSummary(summary.Stream());
    fct.Commit();
    const bool hasSamples =
        std::any_of(m_estimates.begin(), m_estimates.end(), [](const DcnEstimate& estimate) {
            return !estimate.samples.empty();
        });
    if (hasSamples)
    {
        samples.Commit();
    }
    else
    {
        std::remove(samplesPath.c_str()); // it would be of an earlier run
    }
    summary.Commit();
}

void
DcnFctTable::WriteFcts(std::ostream& csv) const
{
    const DcnTopology& topology = m_scenario->GetTopology();
    csv << "flow_id,src,dst,size_bytes,start_ns,path_hops,ideal_ns";
    for (const auto& estimate : m_estimates)
    {
        const bool isExpected = !estimate.samples.empty() && estimate.GetNFinished() > 0;
        csv << ',' << DcnCsvText(estimate.method) << (isExpected ? "_expected_fct_ns" : "_fct_ns");
    }
    csv << '\n';
    for (std::size_t i = 0; i < m_idealNs.size(); ++i)
    {
        const DcnFlow& flow = m_scenario->GetFlows()[i];
        csv << flow.id << ',' << topology.GetExternalId(flow.src) << ','
            << topology.GetExternalId(flow.dst) << ',' << flow.sizeBytes << ',' << flow.startNs
            << ',' << m_scenario->GetPath(i).size() << ',' << m_idealNs[i];
        for (const auto& estimate : m_estimates)
        {
            if (estimate.fctNs[i] == DcnEstimate::UNFINISHED)
            {
                csv << ",nan";
            }
            else
            {
                csv << ',' << estimate.fctNs[i];
            }
        }
        csv << '\n';
    }
}

void
DcnFctTable::WriteSamples(std::ostream& csv) const
{
    const DcnTopology& topology = m_scenario->GetTopology();
    csv << "method,src,dst,size_bytes,slowdown,weight\n";
    csv.precision(9);
    for (const DcnEstimate& estimate : m_estimates)
    {
        const std::string method = DcnCsvText(estimate.method);
        for (const DcnEstimate::Sample& sample : estimate.samples)
        {
            csv << method << ',' << topology.GetExternalId(sample.src) << ','
                << topology.GetExternalId(sample.dst) << ',' << sample.sizeBytes << ','
                << sample.slowdown << ',' << sample.weight << '\n';
        }
    }
}

void
DcnFctTable::Summarise(std::size_t method,
                       const DcnSizeClass& sizeClass,
                       std::vector<SummaryRow>& rows) const
{
    const DcnEstimate& estimate = m_estimates[method];
    const DcnEstimate& truth = m_estimates.front();
    const bool hasError = HasError(method);
    const Figures own = GetFigures(GetSlowdowns(method, sizeClass));
    const Figures trueFigures = HasTruth() ? GetFigures(GetSlowdowns(0, sizeClass)) : Figures();
    // only flows that both finished can be compared one by one
    std::vector<std::pair<double, double>> slowdowns;
    std::vector<std::pair<double, double>> truths;
    std::vector<double> errors;
    const auto& flows = m_scenario->GetFlows();
    for (std::size_t i = 0; HasTruth() && i < flows.size(); ++i)
    {
        const int64_t fct = estimate.fctNs[i];
        const int64_t trueFct = truth.fctNs[i];
        if (fct == DcnEstimate::UNFINISHED || trueFct == DcnEstimate::UNFINISHED ||
            !sizeClass.Contains(static_cast<double>(flows[i].sizeBytes)))
        {
            continue;
        }
        const auto ideal = static_cast<double>(m_idealNs[i]);
        slowdowns.emplace_back(static_cast<double>(fct) / ideal, 1);
        truths.emplace_back(static_cast<double>(trueFct) / ideal, 1);
        errors.push_back(std::abs(slowdowns.back().first / truths.back().first - 1));
    }
    const bool isSampled = !estimate.samples.empty() || !truth.samples.empty();
    const Figures compared = isSampled ? own : GetFigures(std::move(slowdowns));
    const Figures reference = isSampled ? trueFigures : GetFigures(std::move(truths));
    for (std::size_t i = 0; i < own.size(); ++i)
    {
        const bool isCompared = hasError && i < compared.size() && i < reference.size();
        rows.push_back({estimate.method,
                        METRICS[i],
                        sizeClass.name,
                        own[i],
                        i < trueFigures.size() ? trueFigures[i] : NONE,
                        isCompared ? compared[i] / reference[i] - 1 : NONE});
    }
    if (!errors.empty())
    {
        std::sort(errors.begin(), errors.end());
        for (const auto& [metric, value] :
             {std::pair("mean_abs_flow_error", DcnMean(errors)),
              std::pair("p90_abs_flow_error", DcnQuantile(errors, 0.9))})
        {
            rows.push_back(
                {estimate.method, metric, sizeClass.name, hasError ? value : NONE, NONE, NONE});
        }
    }
}

std::vector<DcnFctTable::SummaryRow>
DcnFctTable::GetSummary(const std::vector<DcnSizeClass>& classes) const
{
    std::vector<SummaryRow> rows;
    for (std::size_t m = 0; m < m_estimates.size(); ++m)
    {
        for (SummaryRow& row : GetSummaryOf(m, classes))
        {
            rows.push_back(std::move(row));
        }
    }
    return rows;
}

std::vector<DcnFctTable::SummaryRow>
DcnFctTable::GetSummaryOf(std::size_t method, const std::vector<DcnSizeClass>& classes) const
{
    const DcnEstimate& estimate = m_estimates[method];
    const DcnEstimate& truth = m_estimates.front();
    std::vector<SummaryRow> rows;
    for (const DcnSizeClass& sizeClass : classes)
    {
        Summarise(method, sizeClass, rows);
    }
    auto add = [&](const char* metric, double value, double truthValue) {
        rows.push_back({estimate.method, metric, "all", value, truthValue, NONE});
    };
    add("wall_s", estimate.wallSeconds, truth.wallSeconds);
    add("cpu_s", estimate.cpuSeconds, truth.cpuSeconds);
    add("jobs", estimate.jobs, truth.jobs);
    if (m_scenarioCost)
    {
        add("scenario_s", m_scenarioCost->wallSeconds, m_scenarioCost->wallSeconds);
        add("scenario_cpu_s", m_scenarioCost->cpuSeconds, m_scenarioCost->cpuSeconds);
    }
    for (const auto& [metric, value] : estimate.events)
    {
        add(metric.c_str(), value, NONE);
    }
    for (SummaryRow& row : rows)
    {
        row.answeredBy = estimate.answeredBy;
        row.provenance = estimate.provenance;
    }
    return rows;
}

void
DcnFctTable::WriteSummary(std::ostream& csv) const
{
    csv << "method,metric,size_class,value,truth,relative_error,answered_by,provenance\n";
    csv.precision(9);
    for (const SummaryRow& row : GetSummary())
    {
        csv << DcnCsvText(row.method) << ',' << row.metric << ',' << row.sizeClass << ','
            << row.value << ',' << row.truth << ',' << row.relativeError << ','
            << DcnCsvText(row.answeredBy) << ',' << DcnCsvText(row.provenance) << '\n';
    }
}

std::vector<DcnFctTable::SummaryRow>
DcnFctTable::ReadSummary(const std::string& path)
{
    auto number = [](const DcnCsvReader& csv, std::size_t column) {
        return csv.GetText(column) == "nan" || csv.GetText(column) == "-nan"
                   ? NONE
                   : csv.GetDouble(column);
    };
    std::vector<SummaryRow> rows;
    DcnCsvReader csv(path,
                     {"method",
                      "metric",
                      "size_class",
                      "value",
                      "truth",
                      "relative_error",
                      "answered_by",
                      "provenance"});
    while (csv.FetchRow())
    {
        rows.push_back({csv.GetText(0),
                        csv.GetText(1),
                        csv.GetText(2),
                        number(csv, 3),
                        number(csv, 4),
                        number(csv, 5),
                        csv.GetText(6)});
    }
    return rows;
}

const std::vector<double>&
DcnFctTable::GetShares()
{
    static const std::vector<double> shares = []() {
        std::vector<double> made;
        for (int i = 0; i <= 66; ++i)
        {
            made.push_back(std::pow(10, -i / 20.0));
        }
        return made;
    }();
    return shares;
}

std::vector<DcnFctTable::Distribution>
DcnFctTable::GetDistributions() const
{
    std::vector<Distribution> distributions;
    for (std::size_t m = 0; m < m_estimates.size(); ++m)
    {
        for (const DcnSizeClass& sizeClass : DcnSizeClasses())
        {
            auto slowdowns = GetSlowdowns(m, sizeClass);
            std::sort(slowdowns.begin(), slowdowns.end());
            Distribution one{m_estimates[m].method, sizeClass.name, {}};
            for (const double share : GetShares())
            {
                if (share * static_cast<double>(slowdowns.size()) >= 1)
                {
                    one.points.emplace_back(share, DcnWeightedQuantile(slowdowns, 1 - share));
                }
            }
            if (!one.points.empty())
            {
                distributions.push_back(std::move(one));
            }
        }
    }
    return distributions;
}

void
DcnFctTable::WriteDistributions(const std::string& path) const
{
    DcnFileWriter csv(path);
    csv.Stream().precision(9);
    csv.Stream() << "method,size_class,share_above,slowdown\n";
    for (const Distribution& one : GetDistributions())
    {
        for (const auto& [share, slowdown] : one.points)
        {
            csv.Stream() << DcnCsvText(one.method) << ',' << one.sizeClass << ',' << share << ','
                         << slowdown << '\n';
        }
    }
    csv.Commit();
}

std::vector<DcnFctTable::Distribution>
DcnFctTable::ReadDistributions(const std::string& path)
{
    std::vector<Distribution> distributions;
    DcnCsvReader csv(path, {"method", "size_class", "share_above", "slowdown"});
    while (csv.FetchRow())
    {
        if (distributions.empty() || distributions.back().method != csv.GetText(0) ||
            distributions.back().sizeClass != csv.GetText(1))
        {
            distributions.push_back({csv.GetText(0), csv.GetText(1), {}});
        }
        distributions.back().points.emplace_back(csv.GetDouble(2), csv.GetDouble(3));
    }
    return distributions;
}

std::string
DcnFctTable::DescribeScenario() const
{
    return std::to_string(m_scenario->GetFlows().size()) + " flows, " +
           std::to_string(m_scenario->GetTopology().GetHosts().size()) + " hosts, " +
           m_scenario->GetNetwork().congestionControl;
}

DcnCdfPlot
DcnFctTable::MakePlot(const std::string& title, const DcnSizeClass& sizeClass) const
{
    DcnCdfPlot plot(title, "slowdown (FCT / ideal FCT)");
    for (std::size_t m = 0; m < m_estimates.size(); ++m)
    {
        plot.AddWeighted(DcnEstimate::MakeTitle(m_estimates[m].method, m_estimates[m].answeredBy),
                         GetSlowdowns(m, sizeClass),
                         m == 0 && HasTruth());
    }
    return plot;
}

bool
DcnFctTable::PlotSlowdowns(const std::string& base, const std::string& title) const
{
    return MakePlot(title.empty() ? DescribeScenario() : title, DcnSizeClasses().front())
        .Write(base);
}

bool
DcnFctTable::PlotSlowdownsBySize(const std::string& base, const std::string& title) const
{
    std::vector<Gnuplot> panels;
    for (std::size_t i = 1; i < DcnSizeClasses().size(); ++i)
    {
        const DcnSizeClass& sizeClass = DcnSizeClasses()[i];
        const DcnCdfPlot plot = MakePlot("flows of " + sizeClass.name, sizeClass);
        if (!plot.IsEmpty())
        {
            panels.push_back(plot.Make());
        }
    }
    return panels.size() > 1 &&
           DcnWritePanels(title.empty() ? DescribeScenario() : title, panels, base);
}

} // namespace ns3

/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "dcn-fct-table.h"

#include "ns3/assert.h"
#include "ns3/dcn-csv.h"
#include "ns3/dcn-plot.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace ns3
{

namespace
{

const double NONE = std::numeric_limits<double>::quiet_NaN(); //!< a cell without a number

/// A quantile of slowdowns that the summary reports.
struct ReportedQuantile
{
    const char* metric; //!< its name
    double p;           //!< its probability
};

const ReportedQuantile QUANTILES[] = {
    {"p50_slowdown", 0.5},
    {"p90_slowdown", 0.9},
    {"p99_slowdown", 0.99},
};

/**
 * @param values with their weights, at least one
 * @return their weighted mean
 */
double
GetWeightedMean(const std::vector<std::pair<double, double>>& values)
{
    double sum = 0;
    double total = 0;
    for (const auto& [value, weight] : values)
    {
        sum += value * weight;
        total += weight;
    }
    return sum / total;
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
DcnFctTable::HasError(std::size_t method) const
{
    const DcnEstimate& estimate = m_estimates[method];
    const DcnEstimate& truth = m_estimates.front();
    return method > 0 && !DcnEstimate::IsOther(estimate.method, estimate.answeredBy) &&
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
    // both files are complete before either has its name
    DcnFileWriter fct(folder + "/fct.csv");
    DcnFileWriter summary(folder + "/summary.csv");
    WriteFcts(fct.Stream());
    WriteSummary(summary.Stream());
    fct.Commit();
    summary.Commit();
}

void
DcnFctTable::WriteFcts(std::ostream& csv) const
{
    const DcnTopology& topology = m_scenario->GetTopology();
    csv << "flow_id,src,dst,size_bytes,start_ns,path_hops,ideal_ns";
    for (const auto& estimate : m_estimates)
    {
        csv << ',' << estimate.method << "_fct_ns";
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
DcnFctTable::Summarise(std::size_t method,
                       const DcnSizeClass& sizeClass,
                       std::vector<SummaryRow>& rows) const
{
    const DcnEstimate& estimate = m_estimates[method];
    const DcnEstimate& truthEstimate = m_estimates.front();
    const auto& flows = m_scenario->GetFlows();
    // only flows that both methods finished can be compared
    std::vector<std::pair<double, double>> slowdowns;
    std::vector<std::pair<double, double>> truths;
    std::vector<double> errors;
    for (std::size_t i = 0; i < flows.size(); ++i)
    {
        const int64_t fct = estimate.fctNs[i];
        const int64_t truth = truthEstimate.fctNs[i];
        if (fct == DcnEstimate::UNFINISHED || truth == DcnEstimate::UNFINISHED ||
            !sizeClass.Contains(static_cast<double>(flows[i].sizeBytes)))
        {
            continue;
        }
        const auto ideal = static_cast<double>(m_idealNs[i]);
        slowdowns.emplace_back(static_cast<double>(fct) / ideal, 1);
        truths.emplace_back(static_cast<double>(truth) / ideal, 1);
        errors.push_back(std::abs(slowdowns.back().first / truths.back().first - 1));
    }
    if (!estimate.samples.empty())
    {
        slowdowns = GetSlowdowns(method, sizeClass);
        truths = GetSlowdowns(0, sizeClass);
    }
    const bool hasError = HasError(method);
    auto add = [&](const std::string& metric, double value, double truth) {
        rows.push_back({estimate.method,
                        metric,
                        sizeClass.name,
                        value,
                        truth,
                        hasError ? value / truth - 1 : NONE});
    };
    if (!slowdowns.empty() && !truths.empty())
    {
        std::sort(slowdowns.begin(), slowdowns.end());
        std::sort(truths.begin(), truths.end());
        for (const ReportedQuantile& quantile : QUANTILES)
        {
            add(quantile.metric,
                DcnWeightedQuantile(slowdowns, quantile.p),
                DcnWeightedQuantile(truths, quantile.p));
        }
        add("mean_slowdown", GetWeightedMean(slowdowns), GetWeightedMean(truths));
    }
    if (!errors.empty())
    {
        std::sort(errors.begin(), errors.end());
        add("mean_abs_flow_error", hasError ? DcnMean(errors) : NONE, NONE);
        add("p90_abs_flow_error", hasError ? DcnQuantile(errors, 0.9) : NONE, NONE);
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
        csv << row.method << ',' << row.metric << ',' << row.sizeClass << ',' << row.value << ','
            << row.truth << ',' << row.relativeError << ',' << row.answeredBy << ','
            << DcnCsvText(row.provenance) << '\n';
    }
}

bool
DcnFctTable::PlotSlowdowns(const std::string& base) const
{
    DcnCdfPlot plot("Slowdown of all flows", "slowdown (FCT / ideal FCT)");
    for (std::size_t m = 0; m < m_estimates.size(); ++m)
    {
        plot.AddWeighted(DcnEstimate::MakeTitle(m_estimates[m].method, m_estimates[m].answeredBy),
                         GetSlowdowns(m, DcnSizeClasses().front()));
    }
    return plot.Write(base);
}

} // namespace ns3

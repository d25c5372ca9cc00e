/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "dcn-fct-table.h"

#include "dcn-csv.h"
#include "dcn-plot.h"

#include "ns3/assert.h"

#include <algorithm>
#include <cmath>
#include <limits>

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
    // flows that only one of them finished would be compared with nothing
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
    auto add = [&](const std::string& metric, double value, double truth) {
        rows.push_back({estimate.method, metric, sizeClass.name, value, truth, value / truth - 1});
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
        add("mean_abs_flow_error", DcnMean(errors), NONE);
        add("p90_abs_flow_error", DcnQuantile(errors, 0.9), NONE);
    }
}

std::vector<DcnFctTable::SummaryRow>
DcnFctTable::GetSummary(const std::vector<DcnSizeClass>& classes) const
{
    std::vector<SummaryRow> rows;
    for (std::size_t m = 0; m < m_estimates.size(); ++m)
    {
        for (const DcnSizeClass& sizeClass : classes)
        {
            Summarise(m, sizeClass, rows);
        }
        rows.push_back({m_estimates[m].method,
                        "wall_s",
                        "all",
                        m_estimates[m].wallSeconds,
                        m_estimates.front().wallSeconds,
                        NONE});
    }
    return rows;
}

void
DcnFctTable::WriteSummary(std::ostream& csv) const
{
    csv << "method,metric,size_class,value,truth,relative_error\n";
    csv.precision(9);
    for (const SummaryRow& row : GetSummary())
    {
        csv << row.method << ',' << row.metric << ',' << row.sizeClass << ',' << row.value << ','
            << row.truth << ',' << row.relativeError << '\n';
    }
}

bool
DcnFctTable::PlotSlowdowns(const std::string& base) const
{
    DcnCdfPlot plot("Slowdown of all flows", "slowdown (FCT / ideal FCT)");
    for (std::size_t m = 0; m < m_estimates.size(); ++m)
    {
        plot.AddWeighted(m_estimates[m].method, GetSlowdowns(m, DcnSizeClasses().front()));
    }
    return plot.Write(base);
}

} // namespace ns3

/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "cceval-metric.h"

#include "cceval-phases.h"

#include "ns3/dcn-error.h"
#include "ns3/dcn-flow-query.h"

#include <algorithm>
#include <limits>
#include <optional>

namespace ns3
{

namespace
{

constexpr double NS_PER_US = 1000.0; //!< nanoseconds in a microsecond

} // namespace

CcevalTrim
CcevalParseTrim(const std::string& name)
{
    if (name == "none")
    {
        return CcevalTrim::NONE;
    }
    if (name == "warm-up")
    {
        return CcevalTrim::WARM_UP;
    }
    if (name == "phases")
    {
        return CcevalTrim::PHASES;
    }
    DcnFail("--trim must be none, warm-up or phases, but it is \"", name, "\"");
}

CcevalMetric
CcevalMetric::Parse(const std::string& text)
{
    CcevalMetric metric;
    metric.name = text;
    const std::string prefix = "pooled_";
    metric.pooled = text.compare(0, prefix.size(), prefix) == 0;
    const std::string rest = metric.pooled ? text.substr(prefix.size()) : text;
    const auto statistic = DcnFlowQuery::ParseStatistic(rest);
    if (!statistic || (statistic->isMean && metric.pooled))
    {
        DcnFail("the metric \"",
                text,
                "\" is not of the form p99_fct, mean_slowdown, p50_fct@>10MB or "
                "pooled_p99.9_fct@<10KB");
    }
    metric.mean = statistic->isMean;
    metric.probability = statistic->probability;
    metric.slowdown = statistic->isSlowdown;
    metric.sizeClass = statistic->sizeClass;
    return metric;
}

std::vector<std::pair<double, double>>
CcevalMetric::GetValues(const DcnScenario& scenario,
                        const CcevalOutcome& outcome,
                        CcevalTrim trim) const
{
    std::vector<std::pair<double, double>> values;
    if (!outcome.samples.empty())
    {
        if (trim != CcevalTrim::NONE)
        {
            DcnFail("the method answers with slowdowns of samples of the flows, so ",
                    name,
                    " cannot be trimmed");
        }
        for (const auto& sample : outcome.samples)
        {
            if (sizeClass.Contains(static_cast<double>(sample.sizeBytes)))
            {
                values.emplace_back(
                    slowdown ? sample.slowdown : sample.slowdown * sample.idealNs / NS_PER_US,
                    sample.weight);
            }
        }
        return values;
    }
    return Take(scenario.GetFlows(), outcome.fctNs, trim, [&scenario](std::size_t flow) {
        return scenario.GetIdealFct(flow).GetTotalNs();
    });
}

std::vector<std::pair<double, double>>
CcevalMetric::GetValues(const CcevalOutcome& outcome, CcevalTrim trim) const
{
    return Take(outcome.flows, outcome.fctNs, trim, [&outcome](std::size_t flow) {
        return outcome.idealNs[flow];
    });
}

std::vector<std::pair<double, double>>
CcevalMetric::Take(const std::vector<DcnFlow>& flows,
                   const std::vector<int64_t>& fctNs,
                   CcevalTrim trim,
                   const std::function<int64_t(std::size_t)>& idealNs) const
{
    std::vector<std::pair<double, double>> values;
    std::optional<CcevalPhases> phases;
    if (trim != CcevalTrim::NONE)
    {
        phases.emplace(flows, fctNs);
    }
    for (std::size_t i = 0; i < flows.size(); ++i)
    {
        if (!sizeClass.Contains(static_cast<double>(flows[i].sizeBytes)) ||
            (phases && phases->Get(i) == CcevalPhase::WARM_UP) ||
            (trim == CcevalTrim::PHASES && phases->Get(i) == CcevalPhase::COOL_DOWN))
        {
            continue;
        }
        const auto fct = static_cast<double>(fctNs[i]);
        values.emplace_back(slowdown ? fct / static_cast<double>(idealNs(i)) : fct / NS_PER_US,
                            1.0);
    }
    return values;
}

double
CcevalMetric::Evaluate(std::vector<std::pair<double, double>> values,
                       uint64_t run,
                       uint64_t seed,
                       const std::string& kind) const
{
    if (values.empty())
    {
        DcnFail(kind,
                " ",
                run,
                " (seed ",
                seed,
                ") has no flow in the size class ",
                sizeClass.name,
                ", so ",
                name,
                " is not defined there; take longer trials, or the pooled quantile");
    }
    if (mean)
    {
        double sum = 0;
        double weights = 0;
        for (const auto& [value, weight] : values)
        {
            sum += value * weight;
            weights += weight;
        }
        return sum / weights;
    }
    std::sort(values.begin(), values.end());
    return DcnWeightedQuantile(values, probability);
}

std::string
CcevalMetric::GetUnit() const
{
    return slowdown ? "" : "us";
}

} // namespace ns3

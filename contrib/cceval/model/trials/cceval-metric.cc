/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "cceval-metric.h"

#include "cceval-phases.h"

#include "ns3/dcn-csv.h"
#include "ns3/dcn-error.h"

#include <algorithm>
#include <limits>
#include <optional>

namespace ns3
{

namespace
{

constexpr double NS_PER_US = 1000.0; //!< nanoseconds in a microsecond

/**
 * @param text e.g. "10KB"
 * @param bytes set on success
 * @param unit bytes per unit if the text has none; 0: the text must have one
 * @return bytes per unit, 0 if the text is no size
 */
double
ParseSize(const std::string& text, double& bytes, double unit)
{
    const std::size_t end = text.find_first_not_of("0123456789.");
    if (end != std::string::npos)
    {
        const std::string name = text.substr(end);
        unit = name == "B" ? 1 : name == "KB" ? 1e3 : name == "MB" ? 1e6 : 0;
    }
    double number = 0;
    if (unit == 0 || !DcnParse(text.substr(0, end), number))
    {
        return 0;
    }
    bytes = number * unit;
    return unit;
}

/**
 * @param text e.g. "<10KB"
 * @return the class, none if the text is no class
 */
std::optional<DcnSizeClass>
ParseClass(const std::string& text)
{
    DcnSizeClass made{text, 0, std::numeric_limits<double>::infinity()};
    if (text == "all")
    {
        return made;
    }
    const std::size_t dash = text.find('-');
    if (text.empty())
    {
        return std::nullopt;
    }
    if (text[0] == '<' || text[0] == '>')
    {
        double& end = text[0] == '<' ? made.upperBytes : made.lowerBytes;
        return ParseSize(text.substr(1), end, 0) > 0 ? std::make_optional(made) : std::nullopt;
    }
    if (dash == std::string::npos)
    {
        return std::nullopt;
    }
    const double unit = ParseSize(text.substr(dash + 1), made.upperBytes, 0);
    if (unit == 0 || ParseSize(text.substr(0, dash), made.lowerBytes, unit) == 0 ||
        made.lowerBytes >= made.upperBytes)
    {
        return std::nullopt;
    }
    return made;
}

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
    const std::size_t bar = rest.find('_');
    const std::size_t at = rest.find('@');
    const std::string statistic = rest.substr(0, bar);
    const std::string quantity =
        bar == std::string::npos
            ? ""
            : rest.substr(bar + 1, at == std::string::npos ? at : at - bar - 1);
    double percent = 0;
    metric.mean = statistic == "mean";
    const bool isQuantile = statistic.size() > 1 && statistic[0] == 'p' &&
                            DcnParse(statistic.substr(1), percent) && percent > 0 && percent < 100;
    const auto sizeClass = ParseClass(at == std::string::npos ? "all" : rest.substr(at + 1));
    if (!(metric.mean || isQuantile) || !(quantity == "fct" || quantity == "slowdown") ||
        !sizeClass || (metric.mean && metric.pooled))
    {
        DcnFail("the metric \"",
                text,
                "\" is not of the form p99_fct, mean_slowdown, p50_fct@>10MB or "
                "pooled_p99.9_fct@<10KB");
    }
    metric.probability = percent / 100;
    metric.slowdown = quantity == "slowdown";
    metric.sizeClass = *sizeClass;
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
        if (!slowdown || trim != CcevalTrim::NONE)
        {
            DcnFail("the method answers with slowdowns of samples of the flows, so ",
                    name,
                    trim == CcevalTrim::NONE ? " is not known" : " cannot be trimmed");
        }
        for (const auto& sample : outcome.samples)
        {
            if (sizeClass.Contains(static_cast<double>(sample.sizeBytes)))
            {
                values.emplace_back(sample.slowdown, sample.weight);
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

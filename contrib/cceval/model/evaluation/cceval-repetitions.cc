/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "cceval-repetitions.h"

#include "../statistics/cceval-moments.h"
#include "cceval-control-method.h"
#include "cceval-importance-method.h"
#include "cceval-plain-method.h"

#include "ns3/dcn-error.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <utility>

namespace ns3
{

namespace
{

const std::string IMPORTANCE = CcevalImportanceMethod::NAME; //!< supports pooled metrics only
const std::string CONTROLLED = CcevalControlMethod::NAME;    //!< control variates

} // namespace

CcevalAgreement::CcevalAgreement(double level)
    : m_deviations(std::make_unique<CcevalMoments>())
{
    CcevalCheckLevel(level);
    m_quantile = CcevalNormalQuantile((1 + level) / 2);
}

CcevalAgreement::~CcevalAgreement() = default;

CcevalAgreement::CcevalAgreement(CcevalAgreement&& other) noexcept = default;

CcevalAgreement::Verdict
CcevalAgreement::Add(const CcevalInterval& interval, const CcevalInterval& reference)
{
    const double half = interval.GetHalfWidth();
    const double both = std::hypot(half, reference.GetHalfWidth());
    const double difference = interval.estimate - reference.estimate;
    if (!(both > 0) || !std::isfinite(both) || !std::isfinite(difference))
    {
        ++m_counts.leftOut;
        return {false, false, std::nan(""), std::nan("")};
    }
    const Verdict verdict{interval.Contains(reference.estimate),
                          std::abs(difference) <= both,
                          2 * CcevalNormalCdf(m_quantile * half / both) - 1,
                          difference / both * m_quantile};
    ++m_counts.n;
    m_counts.inside += verdict.inside ? 1 : 0;
    m_counts.consistent += verdict.consistent ? 1 : 0;
    m_counts.expected += verdict.expected;
    m_deviations->Add(verdict.deviation);
    return verdict;
}

const CcevalAgreement::Counts&
CcevalAgreement::GetCounts() const
{
    return m_counts;
}

double
CcevalAgreement::GetMeanDeviation() const
{
    return m_deviations->GetMean();
}

double
CcevalAgreement::GetSpreadOfDeviations() const
{
    return m_deviations->GetDeviation();
}

void
CcevalRepetitions::Check() const
{
    if (methods.empty())
    {
        DcnFail("there is no method to repeat");
    }
    for (const auto& method : methods)
    {
        if (method != IMPORTANCE && method != CONTROLLED)
        {
            DcnFail("--methods may name control-variate and importance, but it names \"",
                    method,
                    "\"");
        }
        if (std::count(methods.begin(), methods.end(), method) > 1)
        {
            DcnFail("the method ", method, " is named twice");
        }
    }
    if (repetitions < 2 || repetitions > parts)
    {
        DcnFail("--repetitions must be from 2 to ", parts, ", but it is ", repetitions);
    }
    if (request.trials < 2)
    {
        DcnFail("--trials must be at least 2, but it is ", request.trials);
    }
    if (reference == 1)
    {
        DcnFail("--reference must be 0 or at least 2 trials, but it is 1");
    }
    if (reference > 0 && parts != repetitions)
    {
        DcnFail("with --reference trials beyond the repetitions have no effect, so that --parts "
                "must be --repetitions, ",
                repetitions,
                ", but it is ",
                parts);
    }
    if (parts > (CCEVAL_MAX_RUNS - std::min(reference, CCEVAL_MAX_RUNS)) / request.trials)
    {
        DcnFail(parts,
                " parts of ",
                request.trials,
                " trials and ",
                reference,
                " further ones are more than the ",
                CCEVAL_MAX_RUNS,
                " that have seeds");
    }
    if (HasMethod(CONTROLLED) && request.controlTraces > CCEVAL_MAX_RUNS / repetitions)
    {
        DcnFail(repetitions,
                " repetitions of ",
                request.controlTraces,
                " traces are more than the ",
                CCEVAL_MAX_RUNS,
                " that have seeds");
    }
    if (!HasMethod(IMPORTANCE))
    {
        return;
    }
    if (request.trials < CcevalImportanceMethod::PILOT_TRIALS)
    {
        DcnFail("importance sampling has ",
                CcevalImportanceMethod::PILOT_TRIALS,
                " plain trials beside its own, so that --trials must not be less, but it is ",
                request.trials);
    }
    const bool isAlone = !HasMethod(CONTROLLED); // the other controls have an effect with it only
    if (isAlone && request.control.find('+') != std::string::npos)
    {
        DcnFail("importance sampling has one control, so that --control=",
                request.control,
                " has no effect beyond the first");
    }
    bool hasPooled = false;
    for (const std::string& metric : request.metrics)
    {
        const bool isPooled = CcevalMetric::Parse(metric).pooled;
        hasPooled = hasPooled || isPooled;
        if (isAlone && !isPooled)
        {
            DcnFail("importance sampling estimates pooled quantiles, so that the metric ",
                    metric,
                    " has no effect");
        }
    }
    if (!hasPooled)
    {
        DcnFail("importance sampling estimates pooled quantiles, but no metric is one");
    }
}

bool
CcevalRepetitions::HasMethod(const std::string& method) const
{
    return std::find(methods.begin(), methods.end(), method) != methods.end();
}

CcevalRequest
CcevalRepetitions::GetPlain() const
{
    CcevalRequest plain = request;
    plain.method = CcevalPlainMethod::NAME;
    plain.trials = parts * request.trials + reference;
    return plain;
}

CcevalRequest
CcevalRepetitions::GetRepetition(const std::string& method, uint64_t repetition) const
{
    CcevalRequest each = request;
    each.method = method;
    each.repetition = repetition;
    if (method == IMPORTANCE)
    {
        each.control = request.control.substr(0, request.control.find('+'));
        each.metrics.clear();
        std::copy_if(request.metrics.begin(),
                     request.metrics.end(),
                     std::back_inserter(each.metrics),
                     [](const std::string& metric) { return CcevalMetric::Parse(metric).pooled; });
    }
    return each;
}

CcevalInterval
CcevalRepetitions::GetReference(const std::vector<CcevalTrial>& trials,
                                const std::string& metric,
                                uint64_t repetition) const
{
    const auto asked = std::find(request.metrics.begin(), request.metrics.end(), metric);
    if (asked == request.metrics.end())
    {
        DcnFail("there is no metric ", metric);
    }
    const auto which = static_cast<std::size_t>(asked - request.metrics.begin());
    const uint64_t first = repetition * request.trials;
    CcevalMoments moments;
    std::vector<CcevalCycle> cycles;
    for (const auto& trial : trials)
    {
        const bool isOther = trial.run < first || trial.run >= first + request.trials;
        if (reference > 0 ? trial.run >= parts * request.trials : isOther)
        {
            moments.Add(trial.values[which]);
            cycles.push_back(trial.cycles[which]);
        }
    }
    if (cycles.size() < 2)
    {
        DcnFail("fewer than two trials of the reference did not fail");
    }
    const auto parsed = CcevalMetric::Parse(metric);
    const CcevalStoppingRule rule(CcevalStoppingRule::ParseKind(request.rule),
                                  request.margin,
                                  request.level);
    return parsed.pooled ? CcevalPooledQuantile(parsed.probability, std::move(cycles))
                               .GetInterval(request.level)
                         : rule.GetInterval(moments);
}

} // namespace ns3

/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "cceval-evaluation.h"

#include "ns3/dcn-error.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <set>
#include <sstream>

namespace ns3
{

namespace
{

constexpr double KEPT = 8; //!< times the odds of a quantile: flows that comparisons may need

} // namespace

void
CcevalEvaluation::EvaluateByValues(std::size_t metric, CcevalResult& result) const
{
    const auto& rule = m_request.rule;
    const bool controlled = m_request.method == "control-variate";
    CcevalMoments moments;
    CcevalMoments logarithms;
    std::vector<std::vector<double>> controls;
    result.cpuSeconds = 0;
    for (const Trial& trial : m_trials)
    {
        const double value = trial.values[metric];
        moments.Add(value);
        if (value > 0)
        {
            logarithms.Add(std::log(value));
        }
        result.values.push_back(value);
        result.runs.push_back(trial.run);
        result.cpuSeconds += trial.cpuSeconds;
        if (controlled)
        {
            controls.push_back(trial.controls.values[metric]);
        }
        // trials come in batches; the rule stops at the first number that is enough
        else if (m_request.trials == 0 && rule.IsMet(moments))
        {
            result.converged = true;
            break;
        }
    }
    result.trials = moments.GetN();
    const auto diagnosis = CcevalDiagnosis::Make(moments);
    result.assured = diagnosis.assured;
    result.note = diagnosis.Describe();
    if (moments.GetVariance() == 0)
    {
        result.note = "all trials are equal: zero variance tells nothing about the error";
        result.assured = false;
    }
    if (moments.GetN() >= CcevalForecast::MIN_TRIALS)
    {
        result.forecast = CcevalForecast::Make(rule, moments, logarithms, rule.GetLevel());
    }
    result.interval = rule.GetInterval(moments);
    auto isNarrow = [&]() {
        return result.interval.GetHalfWidth() <=
               rule.GetMargin() * std::abs(result.interval.estimate);
    };
    result.converged = result.converged || (m_request.trials > 0 && isNarrow());
    if (controlled)
    {
        const auto made = CcevalControlled::Make(result.values,
                                                 controls,
                                                 m_controls->GetMeans(metric),
                                                 rule.GetLevel());
        const auto n = static_cast<double>(moments.GetN());
        result.interval = made.interval;
        result.gain = moments.GetVariance() / n / (made.error * made.error);
        result.converged = isNarrow();
        const double relative = std::pow(made.error / made.interval.estimate, 2);
        result.forecast = CcevalForecast::MakeBySpread(rule,
                                                       moments.GetN(),
                                                       {n * relative * (1 - made.controlShare),
                                                        relative * made.controlShare,
                                                        2 / made.freedom});
        std::ostringstream text;
        text.precision(3);
        text << (result.note.empty() ? "" : "; ") << made.controls << " controls explain "
             << 100 * made.rSquared << " % of the variance; their means bring "
             << 100 * made.controlShare << " % of the error's"
             << (made.controlShare > 0.5 ? ", so that more traces help more than trials" : "");
        result.note += text.str();
        CheckControls(made.controls, result);
    }
}

void
CcevalEvaluation::EvaluatePooled(std::size_t metric,
                                 CcevalPlan& plan,
                                 bool isLast,
                                 CcevalResult& result) const
{
    std::vector<CcevalCycle> cycles;
    std::vector<const CcevalControls::Row*> controls;
    for (const Trial& trial : m_trials)
    {
        cycles.push_back(trial.cycles[metric]);
        controls.push_back(&trial.controls);
    }
    for (const Trial& trial : m_trials)
    {
        result.runs.push_back(trial.run);
    }
    const CcevalMetric& asked = m_request.metrics[metric];
    if (std::none_of(cycles.begin(), cycles.end(), [](const CcevalCycle& cycle) {
            return cycle.flows > 0;
        }))
    {
        DcnFail("none of ",
                cycles.size(),
                " trials from trial ",
                m_trials.front().run,
                " on has a flow in the size class ",
                asked.sizeClass.name,
                ", so ",
                asked.name,
                " is not defined");
    }
    CcevalPooledQuantile pooled(asked.probability, std::move(cycles));
    result.tails = pooled.GetTails(KEPT);
    std::optional<CcevalPooledQuantile> plain;
    if (m_request.method == "control-variate")
    {
        plain = pooled;
        m_controls->AddTo(metric, controls, pooled);
    }
    CcevalLook look = CcevalLook::Make(pooled, result.trials, m_request.rule.GetLevel());
    look.least = CcevalControlled::TRIALS_PER_CONTROL * pooled.GetNControls();
    plan.Add(look, isLast);
    result.interval = look.interval;
    result.forecast = plan.GetForecast();
    result.planned = plan.GetTrials();
    result.converged = plan.IsDone();
    if (plain)
    {
        const double g = look.interval.estimate;
        result.gain = std::pow(plain->GetExcessError(g) / pooled.GetExcessError(g), 2);
    }
    if (std::isnan(result.interval.GetHalfWidth()))
    {
        result.note = pooled.GetNValues() == 1
                          ? "all flows are equal: zero variance tells nothing about the error"
                          : "the trials do not reach beyond the quantile";
        result.assured = false;
        return;
    }
    if (look.effective < CcevalPooledQuantile::MIN_EFFECTIVE)
    {
        std::ostringstream text;
        text.precision(3);
        text << "coverage not assured: the tail stands on " << look.effective
             << " effective trials, fewer than " << CcevalPooledQuantile::MIN_EFFECTIVE;
        result.note = text.str();
        result.assured = false;
    }
    if (m_request.method == "control-variate")
    {
        CheckControls(pooled.GetNControls(), result);
    }
}

void
CcevalEvaluation::CheckControls(uint64_t controls, CcevalResult& result) const
{
    if (!result.forecast.IsReachable())
    {
        result.note += (result.note.empty() ? "" : "; ") +
                       std::string("the means of the controls alone leave more than the margin: "
                                   "more traces are needed, not trials");
    }
    const uint64_t least = CcevalControlled::TRIALS_PER_CONTROL * controls;
    if (result.trials < least)
    {
        result.note += (result.note.empty() ? "" : "; ") +
                       ("coverage not assured: " + std::to_string(controls) + " controls need " +
                        std::to_string(least) + " trials");
        result.assured = false;
        result.converged = false;
    }
}

CcevalResult
CcevalEvaluation::Evaluate(std::size_t metric, CcevalPlan& plan, bool isLast) const
{
    CcevalResult result;
    result.algorithm = m_label;
    result.metric = m_request.metrics[metric].name;
    result.method = m_request.method;
    result.trials = m_trials.size();
    for (const Trial& trial : m_trials)
    {
        result.cpuSeconds += trial.cpuSeconds;
    }
    result.extraCpuSeconds = m_controlSeconds;
    result.flowsPerTrial = GetMeanFlows();
    result.phases = GetPhaseShares();
    if (m_trials.size() < 2)
    {
        result.note = "fewer than two trials did not fail";
        result.assured = false;
        constexpr double NONE = std::numeric_limits<double>::quiet_NaN();
        result.interval = {NONE, NONE, NONE};
        AddFailures(m_failures, result);
        return result;
    }
    m_request.metrics[metric].pooled ? EvaluatePooled(metric, plan, isLast, result)
                                     : EvaluateByValues(metric, result);
    const double all = result.cpuSeconds + result.extraCpuSeconds;
    result.cpuGain = all > 0 ? result.gain * result.cpuSeconds / all : result.gain;
    std::vector<std::string> answeredBy; // of the trials used: the rule may stop at fewer
    for (std::size_t i = 0; i < result.trials; ++i)
    {
        answeredBy.push_back(m_trials[i].answeredBy);
    }
    AddOthers(answeredBy, result);
    AddFailures(m_failures, result);
    return result;
}

void
CcevalEvaluation::AddOthers(const std::vector<std::string>& answeredBy, CcevalResult& result) const
{
    result.others = 0;
    result.othersBy.clear();
    std::set<std::string> names;
    for (const std::string& by : answeredBy)
    {
        if (by.empty())
        {
            continue;
        }
        ++result.others;
        if (names.insert(by).second)
        {
            result.othersBy += (result.othersBy.empty() ? "" : "+") + by;
        }
    }
    if (result.others > 0)
    {
        result.note += (result.note.empty() ? "" : "; ") + std::to_string(result.others) + " of " +
                       std::to_string(answeredBy.size()) + " trials were answered by " +
                       result.othersBy + ", not by " + m_request.estimator;
    }
}

void
CcevalEvaluation::AddFailures(const std::vector<std::string>& failures, CcevalResult& result) const
{
    result.failed = failures.size();
    if (!failures.empty())
    {
        result.note += (result.note.empty() ? "" : "; ") + std::to_string(failures.size()) +
                       " trials failed and were kept out, the first: " + failures.front();
        result.assured = false;
    }
}

std::array<double, 3>
CcevalEvaluation::GetPhaseShares() const
{
    std::array<double, 3> shares{};
    for (const Trial& trial : m_trials)
    {
        for (std::size_t i = 0; i < shares.size(); ++i)
        {
            shares[i] += trial.phases[i] / static_cast<double>(m_trials.size());
        }
    }
    return shares;
}

double
CcevalEvaluation::GetMeanFlows() const
{
    double flows = 0;
    for (const Trial& trial : m_trials)
    {
        flows += static_cast<double>(trial.flows) / static_cast<double>(m_trials.size());
    }
    return flows;
}

} // namespace ns3

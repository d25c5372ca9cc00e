/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "cceval-control-method.h"

#include "ns3/dcn-error.h"

#include <cmath>
#include <ctime>
#include <sstream>

namespace ns3
{

const char* const CcevalControlMethod::NAME = "control-variate";

CcevalControlMethod::CcevalControlMethod(const Setting& setting)
    : CcevalPlainMethod(setting),
      m_controls(*m_traffic,
                 m_network,
                 m_metrics,
                 ParseEstimators(m_request.control),
                 CcevalParseTrim(m_request.trim))
{
    if (m_request.controlTraces < 2)
    {
        DcnFail("the means of the controls need at least two traces, but there are ",
                m_request.controlTraces);
    }
}

uint64_t
CcevalControlMethod::GetFirstAnalysis() const
{
    return m_rule.GetFirstCheck(); // no forecast with fewer than 20 trials per control
}

std::vector<CcevalResult>
CcevalControlMethod::Run(const CcevalObserver& observer)
{
    m_controls.Prepare(m_request.controlTraces,
                       m_request.farm,
                       m_request.repetition * m_request.controlTraces);
    m_extraSeconds += m_controls.GetCpuSeconds();
    return CcevalPlainMethod::Run(observer);
}

void
CcevalControlMethod::Extend(uint64_t n)
{
    m_trials.Extend(n);
    const std::clock_t start = std::clock();
    const auto& trials = m_trials.Get();
    for (std::size_t i = m_rows.size(); i < trials.size(); ++i)
    {
        const uint64_t run = trials[i].run;
        m_rows.push_back(m_controls.Get(m_trials.GetRunner().GetTrace(run), run));
    }
    m_extraSeconds += static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
}

bool
CcevalControlMethod::IsHopeless(const CcevalResult& result) const
{
    // the error of the controls' means depends on their traces, not on the number of trials
    return !result.forecast.IsReachable();
}

void
CcevalControlMethod::EvaluateValues(std::size_t metric, CcevalResult& result) const
{
    const CcevalMoments moments = TakeValues(metric, false, result);
    std::vector<std::vector<double>> controls;
    for (const auto& row : m_rows)
    {
        controls.push_back(row.values[metric]);
    }
    const auto made = CcevalControlled::Make(result.values,
                                             controls,
                                             m_controls.GetMeans(metric),
                                             m_rule.GetLevel());
    const auto n = static_cast<double>(moments.GetN());
    result.interval = made.interval;
    result.gain = moments.GetVariance() / n / (made.error * made.error);
    result.converged = result.interval.IsWithin(m_rule.GetMargin());
    const double relative = std::pow(made.error / made.interval.estimate, 2);
    result.forecast = CcevalForecast::MakeBySpread(
        m_rule,
        moments.GetN(),
        {n * relative * (1 - made.controlShare), relative * made.controlShare, 2 / made.freedom});
    std::ostringstream text;
    text.precision(3);
    text << made.controls << " controls explain " << 100 * made.rSquared
         << " % of the variance; their means bring " << 100 * made.controlShare
         << " % of the error's"
         << (made.controlShare > 0.5 ? ", so that more traces help more than trials" : "");
    AddNote(text.str(), result);
    CheckControls(made.controls, result);
}

void
CcevalControlMethod::EvaluatePooled(std::size_t metric,
                                    CcevalPlan& plan,
                                    bool isLast,
                                    CcevalResult& result) const
{
    const CcevalPooledQuantile plain = TakePooled(metric, result);
    CcevalPooledQuantile pooled = plain;
    m_controls.AddTo(metric, m_rows, pooled);
    AnalysePooled(pooled, plan, isLast, result);
    const double g = result.interval.estimate;
    result.gain = std::pow(plain.GetExcessError(g) / pooled.GetExcessError(g), 2);
    if (!std::isnan(result.interval.GetHalfWidth()))
    {
        CheckControls(pooled.GetNControls(), result);
    }
}

void
CcevalControlMethod::CheckControls(uint64_t controls, CcevalResult& result)
{
    if (!result.forecast.IsReachable())
    {
        AddNote("the error of the controls' means alone exceeds the margin: more traces are "
                "needed, not trials",
                result);
    }
    const uint64_t least = CcevalControlled::TRIALS_PER_CONTROL * controls;
    if (result.trials < least)
    {
        AddNote("coverage not assured: " + std::to_string(controls) + " controls need " +
                    std::to_string(least) + " trials",
                result);
        result.assured = false;
        result.converged = false;
    }
}

} // namespace ns3

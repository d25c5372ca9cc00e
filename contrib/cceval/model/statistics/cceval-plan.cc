/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "cceval-plan.h"

#include "cceval-control-variate.h"

#include "ns3/log.h"

#include <algorithm>
#include <cmath>
#include <iterator>

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("CcevalPlan");

namespace
{

/// Trials of forecasts before the first analysis of the guarded rule: steps of 1.3 to 1.45.
constexpr uint64_t EARLY[] = {CcevalPlan::FIRST_TRIALS, 26, 36, 50, 72};

} // namespace

CcevalAnalysis
CcevalAnalysis::Make(const CcevalPooledQuantile& pooled, uint64_t trials, double level)
{
    CcevalAnalysis analysis;
    analysis.trials = trials;
    analysis.interval = pooled.GetInterval(level);
    analysis.spread = pooled.GetSpread(analysis.interval.estimate);
    analysis.effective = pooled.GetEffectiveSampleSize(analysis.interval.estimate);
    analysis.least = CcevalControlled::TRIALS_PER_CONTROL * pooled.GetNControls();
    return analysis;
}

CcevalPlan::CcevalPlan(const CcevalStoppingRule& rule, double effective)
    : m_rule(rule),
      m_effective(effective),
      m_isPlanned(rule.GetKind() == CcevalStoppingRule::Kind::GUARDED)
{
}

CcevalForecast
CcevalPlan::GetNeed(const CcevalAnalysis& analysis, uint64_t fewest) const
{
    CcevalForecast need = CcevalForecast::MakeBySpread(m_rule, fewest, analysis.spread);
    if (need.trials == 0 || !(analysis.effective > 0))
    {
        return {};
    }
    const double tail = (1 - m_rule.GetLevel()) / 2;
    const double freedom = 2 * analysis.effective;
    const double expected = m_effective * static_cast<double>(analysis.trials) / analysis.effective;
    auto larger = [&](uint64_t trials, double factor) {
        const auto enough = static_cast<uint64_t>(std::ceil(expected * factor));
        return std::max(trials, m_rule.GetNextCheck(std::max(enough, analysis.least)));
    };
    need.trials = larger(need.trials, 1);
    need.low = larger(need.low, freedom / CcevalChiSquareQuantile(1 - tail, freedom));
    need.high = larger(need.high, freedom / CcevalChiSquareQuantile(tail, freedom));
    return need;
}

void
CcevalPlan::Add(const CcevalAnalysis& analysis, bool isLast)
{
    const uint64_t n = analysis.trials;
    m_isNarrow = analysis.interval.IsWithin(m_rule.GetMargin()) &&
                 analysis.effective >= m_effective && n >= analysis.least;
    const CcevalForecast need = GetNeed(analysis, n);
    const bool canPlan = m_isPlanned && need.trials > 0 && need.IsReachable();
    // L(k N), with a share of Var(ln W)
    auto safe = [&](uint64_t trials, double share) {
        const double variance = share * std::min(analysis.spread.logVariance, MOST_VARIANCE);
        const double factor = std::exp(SAFETY * std::sqrt(variance));
        return m_rule.GetNextCheck(
            static_cast<uint64_t>(std::ceil(factor * static_cast<double>(trials))));
    };
    if (canPlan && m_trials == 0 && !isLast && FRACTION * n >= need.trials)
    {
        // trials already run for other metrics count
        m_trials = safe(GetNeed(analysis, 0).trials, 1);
        NS_LOG_INFO("after " << n << " trials: " << m_trials << " trials are planned");
    }
    const bool isEnough = n >= m_rule.GetFirstCheck() && (m_trials > 0 ? n >= m_trials : !canPlan);
    m_isDone = m_isNarrow && (isEnough || isLast);
    m_forecast = need;
    const uint64_t next = m_rule.GetNextCheck(n + 1);
    if (m_isDone)
    {
        m_forecast.trials = m_forecast.low = m_forecast.high = n;
    }
    else if (canPlan && m_trials == 0)
    {
        const double planned = static_cast<double>(need.low) / static_cast<double>(FRACTION);
        const double left = std::min(1.0, static_cast<double>(n) / planned);
        m_forecast.trials = std::max(safe(need.trials, 1), next);
        m_forecast.low = std::max(safe(need.low, std::sqrt(left)), next);
        m_forecast.high = std::max(safe(need.high, 1), next);
    }
    else if (canPlan)
    {
        m_forecast.low = n < m_trials ? m_trials : next;
        m_forecast.trials = n < m_trials ? m_trials : std::max(need.trials, m_forecast.low);
        m_forecast.high = std::max(need.high, m_forecast.trials);
    }
    else if (need.trials == 0 && n < m_trials)
    {
        // the plan stands although the spread of these trials is unknown
        m_forecast.trials = m_forecast.low = m_forecast.high = m_trials;
    }
}

const CcevalForecast&
CcevalPlan::GetForecast() const
{
    return m_forecast;
}

uint64_t
CcevalPlan::GetTrials() const
{
    return m_trials;
}

bool
CcevalPlan::IsNarrow() const
{
    return m_isNarrow;
}

bool
CcevalPlan::IsDone() const
{
    return m_isDone;
}

uint64_t
CcevalPlan::GetNextAnalysis(const CcevalStoppingRule& rule, uint64_t trials)
{
    if (rule.GetKind() == CcevalStoppingRule::Kind::PUBLISHED)
    {
        return rule.GetNextCheck(std::max(trials + 1, trials + trials / 10));
    }
    const auto* early = std::upper_bound(std::begin(EARLY), std::end(EARLY), trials);
    return early == std::end(EARLY) ? rule.GetNextCheck(trials + 1) : *early;
}

} // namespace ns3

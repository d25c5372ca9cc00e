/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "cceval-plain-method.h"

#include "ns3/log.h"

#include <algorithm>

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("CcevalPlainMethod");

const char* const CcevalPlainMethod::NAME = "model-free";

CcevalPlainMethod::CcevalPlainMethod(const Setting& setting)
    : CcevalMethod(setting, setting.request.repetition * setting.request.trials)
{
}

uint64_t
CcevalPlainMethod::GetFirstAnalysis() const
{
    return std::min(m_rule.GetFirstCheck(), FIRST_FORECAST);
}

void
CcevalPlainMethod::Extend(uint64_t n)
{
    m_trials.Extend(n);
}

bool
CcevalPlainMethod::IsHopeless(const CcevalResult& /* result */) const
{
    return false;
}

std::vector<CcevalResult>
CcevalPlainMethod::Run(const CcevalObserver& observer)
{
    std::vector<CcevalResult> results(m_metrics.size());
    std::vector<bool> isDone(results.size(), false);
    std::vector<CcevalPlan> plans(results.size(), CcevalPlan(m_rule));
    uint64_t n =
        m_request.trials ? m_request.trials : std::min(GetFirstAnalysis(), m_request.maxTrials);
    while (true)
    {
        Extend(n);
        // analyses before the rule's first one only serve the forecast
        const bool canStop = m_request.trials || n >= m_rule.GetFirstCheck();
        const bool isLast = IsLast(n);
        for (std::size_t m = 0; m < results.size(); ++m)
        {
            if (!isDone[m]) // a result keeps the trials that sufficed
            {
                results[m] = Evaluate(m, plans[m], isLast && canStop);
                results[m].converged = results[m].converged && canStop;
                isDone[m] = results[m].converged || IsHopeless(results[m]);
                NS_LOG_INFO(m_label << ": " << m_metrics[m].name << " after " << n << " trials: "
                                    << (results[m].converged ? "known to the margin"
                                        : isDone[m]          ? "more trials do not help"
                                        : isLast             ? "no more trials"
                                                             : "not yet known"));
                observer(results[m]);
            }
        }
        if (isLast || std::find(isDone.begin(), isDone.end(), false) == isDone.end())
        {
            return results;
        }
        n = GetNextAnalysis(n);
    }
}

} // namespace ns3

/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "cceval-evaluation.h"

#include "../trials/cceval-phases.h"
#include "ns3/dcn-error.h"
#include "ns3/dcn-process-pool.h"
#include "ns3/dcn-progress.h"

#include <algorithm>
#include <cmath>
#include <ctime>
#include <limits>
#include <set>
#include <sstream>

namespace ns3
{

namespace
{

/**
 * @param text names joined by '+'
 * @return the names
 */
std::vector<std::string>
SplitNames(const std::string& text)
{
    std::vector<std::string> names;
    std::istringstream parts(text);
    for (std::string name; std::getline(parts, name, '+');)
    {
        names.push_back(name);
    }
    return names;
}

} // namespace

CcevalEvaluation::CcevalEvaluation(const std::string& label,
                                   const CcevalTraffic& traffic,
                                   Ptr<const DcnNetworkConfig> network,
                                   const CcevalRequest& request)
    : m_label(label),
      m_traffic(traffic),
      m_network(network),
      m_request(request)
{
    if (request.metrics.empty())
    {
        DcnFail("there is no metric to evaluate");
    }
    if (request.method != "model-free" && request.method != "importance" &&
        request.method != "control-variate")
    {
        DcnFail("the method must be model-free, importance or control-variate, but it is \"",
                request.method,
                "\"");
    }
    if (request.proposal != "mixture" && request.proposal != "tilt" &&
        request.proposal != "published")
    {
        DcnFail("the proposal must be mixture, tilt or published, but it is \"",
                request.proposal,
                "\"");
    }
    if (request.tuner != "control" && request.tuner != "method")
    {
        DcnFail("the tuner must be control or method, but it is \"", request.tuner, "\"");
    }
    if (request.trials == 1 || request.maxTrials < 2)
    {
        DcnFail("an interval needs at least two trials");
    }
    if (!(request.budgetSeconds >= 0))
    {
        DcnFail("the budget must be a time that is not negative, but it is ",
                request.budgetSeconds);
    }
    const bool limited =
        request.budgetSeconds > 0 || request.maxTrials != CcevalRequest().maxTrials;
    if (request.trials > 0 && limited)
    {
        DcnFail("the number of trials is fixed, so that a budget or a largest number has no "
                "effect");
    }
    if (request.method == "control-variate" && request.controlTraces < 2)
    {
        DcnFail("the means of the controls need at least two traces, but there are ",
                request.controlTraces);
    }
    if (request.repetition > 0 && request.trials == 0)
    {
        DcnFail("a repetition is one of evaluations of a fixed number of trials, which is missing");
    }
    // the pilot of importance sampling must not be that of another repetition
    m_first = request.repetition *
              std::max<uint64_t>(request.trials, request.method == "importance" ? PILOT_TRIALS : 0);
    std::set<std::string> names;
    for (const auto& metric : request.metrics)
    {
        if (!names.insert(metric.name).second)
        {
            DcnFail("the metric ", metric.name, " is named twice");
        }
        if (request.method == "importance" && !metric.pooled)
        {
            DcnFail("importance sampling estimates the pooled quantile: write pooled_",
                    metric.name,
                    " in place of ",
                    metric.name);
        }
        if (request.method == "importance" && request.trim != CcevalTrim::NONE)
        {
            DcnFail("importance sampling counts all flows, so nothing can be trimmed");
        }
    }
    if (request.method != "model-free")
    {
        m_controlEstimators = SplitNames(request.control);
        CheckImportance();
        // checks the names, too
        if (request.proposal == "published")
        {
            UsePublishedSizes();
        }
        m_controls = std::make_unique<CcevalControls>(m_traffic,
                                                      network,
                                                      request.metrics,
                                                      m_controlEstimators,
                                                      request.trim);
    }
    const uint64_t base = m_traffic.GetSpec().seed;
    m_runner = std::make_unique<CcevalRunner>(
        [this, base](uint64_t run) {
            return m_traffic.Draw(CcevalSeed(base, CcevalStage::TRIALS, run));
        },
        CcevalEstimatorSimulator(m_traffic, m_network, request.estimator),
        OpenStore(CcevalStage::TRIALS, request.estimator, "trials", CcevalProposal().Describe()),
        m_request.jobs,
        m_first);
}

CcevalStore
CcevalEvaluation::OpenStore(CcevalStage stage,
                            const std::string& estimator,
                            const std::string& store,
                            const std::string& proposal) const
{
    if (m_request.folder.empty() || store.empty())
    {
        return CcevalStore("", {});
    }
    auto keys = CcevalDescribeTrials(m_traffic, *m_network, estimator);
    keys["stage"] = std::to_string(static_cast<int>(stage));
    keys["proposal"] = proposal;
    std::string name = m_label + "-" + store + ".csv";
    std::replace(name.begin(), name.end(), '<', 'l'); // of size classes
    std::replace(name.begin(), name.end(), '>', 'g');
    return CcevalStore(m_request.folder + "/" + name, keys, DcnRank::Get().rank);
}

void
CcevalEvaluation::RunShare(uint64_t rank, uint64_t size)
{
    if (m_request.folder.empty())
    {
        DcnFail("with several processes of mpirun trials must be kept in a store");
    }
    if (m_request.trials == 0)
    {
        DcnFail("with several processes of mpirun the number of trials must be given");
    }
    m_runner->RunShare(m_request.trials, rank, size);
}

const std::vector<CcevalEvaluation::Trial>&
CcevalEvaluation::GetTrials() const
{
    return m_trials;
}

CcevalEvaluation::Trial
CcevalEvaluation::Examine(uint64_t run) const
{
    const CcevalTrace trace = m_runner->GetTrace(run);
    const CcevalOutcome& outcome = m_runner->Get(run);
    Ptr<const DcnScenario> scenario = m_traffic.MakeScenario(trace, m_network);
    Trial trial{run,
                trace.seed,
                trace.flows.size(),
                outcome.cpuSeconds,
                {},
                {},
                {},
                {},
                outcome.answeredBy};
    if (outcome.samples.empty())
    {
        trial.phases = CcevalPhases(trace.flows, outcome.fctNs).GetShares();
    }
    for (const auto& metric : m_request.metrics)
    {
        auto values = metric.GetValues(*scenario, outcome, m_request.trim);
        trial.cycles.emplace_back();
        trial.values.push_back(std::numeric_limits<double>::quiet_NaN());
        if (metric.pooled)
        {
            for (const auto& value : values)
            {
                trial.cycles.back().flows += value.second;
            }
            trial.cycles.back().values = std::move(values);
        }
        else
        {
            trial.values.back() = metric.Evaluate(std::move(values), run, trace.seed);
        }
    }
    if (m_request.method == "control-variate")
    {
        trial.controls = m_controls->Get(trace, run);
    }
    return trial;
}

void
CcevalEvaluation::Extend(uint64_t n)
{
    DcnProgress progress(m_label, n, "trials");
    m_runner->Run(n, [&progress](uint64_t done) { progress.Update(done); });
    for (; m_examined < n; ++m_examined)
    {
        const uint64_t run = m_first + m_examined;
        const CcevalOutcome& outcome = m_runner->Get(run);
        if (!outcome.failure.empty())
        {
            m_failures.push_back(
                CcevalDescribeFailure(run, m_runner->GetTrace(run).seed, outcome.failure));
            continue;
        }
        const std::clock_t start = std::clock();
        m_trials.push_back(Examine(run));
        m_controlSeconds += m_request.method == "control-variate"
                                ? static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC
                                : 0.0;
    }
}

bool
CcevalEvaluation::SpentBudget() const
{
    // trials that failed were paid for, too: those that run into a limit of time are the dearest
    const double controls = m_request.method == "importance" ? m_spentSeconds : m_controlSeconds;
    const double seconds = controls + m_runner->GetCpuSeconds(m_examined);
    return m_request.budgetSeconds > 0 && seconds >= m_request.budgetSeconds;
}

bool
CcevalEvaluation::IsLast(uint64_t n) const
{
    // where all of a first look have failed, more would only cost more
    return m_request.trials || n >= m_request.maxTrials || SpentBudget() || m_trials.empty();
}

uint64_t
CcevalEvaluation::GetNextLook(uint64_t n) const
{
    const bool isPooled =
        std::any_of(m_request.metrics.begin(),
                    m_request.metrics.end(),
                    [](const CcevalMetric& metric) { return metric.pooled; });
    // the number of trials of means is not told again before the rule looks
    const uint64_t from = isPooled ? n : std::max(n, m_request.rule.GetFirstCheck() - 1);
    return std::min(CcevalPlan::GetNextLook(m_request.rule, from), m_request.maxTrials);
}

std::vector<CcevalResult>
CcevalEvaluation::Run(const std::function<void(const CcevalResult&)>& onLook)
{
    std::vector<CcevalResult> results(m_request.metrics.size());
    if (m_request.method == "importance")
    {
        for (std::size_t m = 0; m < results.size(); ++m)
        {
            results[m] = EvaluateByImportance(m, onLook);
        }
        return results;
    }
    if (m_request.method == "control-variate")
    {
        m_controls->Prepare(m_request.controlTraces,
                            m_request.jobs,
                            m_request.repetition * m_request.controlTraces);
        m_controlSeconds += m_controls->GetCpuSeconds();
    }
    std::vector<bool> known(results.size(), false);
    std::vector<CcevalPlan> plans(results.size(), CcevalPlan(m_request.rule));
    // a forecast is told before the rule looks; fewer than 20 trials per control do not tell one
    const uint64_t first = m_request.method == "model-free"
                               ? std::min(m_request.rule.GetFirstCheck(), FORECAST_TRIALS)
                               : m_request.rule.GetFirstCheck();
    uint64_t n = m_request.trials ? m_request.trials : std::min(first, m_request.maxTrials);
    while (true)
    {
        Extend(n);
        const bool isLook = m_request.trials || n >= m_request.rule.GetFirstCheck();
        const bool isLast = IsLast(n);
        bool all = true;
        for (std::size_t m = 0; m < results.size(); ++m)
        {
            if (!known[m]) // the trials that were enough stay those of the result
            {
                results[m] = Evaluate(m, plans[m], isLast && isLook);
                results[m].converged = results[m].converged && isLook;
                // the error of controls stays with their traces, whatever the number of trials
                known[m] = results[m].converged || (m_request.method == "control-variate" &&
                                                    !results[m].forecast.IsReachable());
                if (onLook)
                {
                    onLook(results[m]);
                }
            }
            all = all && known[m];
        }
        if (all || isLast)
        {
            return results;
        }
        n = GetNextLook(n);
    }
}

void
CcevalEvaluation::WriteTrials(std::ostream& csv, bool header) const
{
    if (header)
    {
        csv << "algorithm,run,seed,flows,warm_up,stable,cool_down,cpu_s";
        for (const auto& metric : m_request.metrics)
        {
            csv << (metric.pooled ? "" : "," + metric.name);
        }
        csv << "\n";
    }
    for (const Trial& trial : m_trials)
    {
        csv << m_label << ',' << trial.run << ',' << trial.seed << ',' << trial.flows;
        for (const double share : trial.phases)
        {
            csv << ',' << share;
        }
        csv << ',' << trial.cpuSeconds;
        for (std::size_t m = 0; m < m_request.metrics.size(); ++m)
        {
            if (!m_request.metrics[m].pooled)
            {
                csv << ',' << trial.values[m];
            }
        }
        csv << "\n";
    }
}

} // namespace ns3

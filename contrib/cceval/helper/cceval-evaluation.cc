/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "cceval-evaluation.h"

#include "ns3/cceval-phases.h"
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

constexpr double KEPT = 8; //!< times the odds of a quantile: flows that comparisons may need

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
    Trial trial{run, trace.seed, trace.flows.size(), outcome.cpuSeconds, {}, {}, {}, {}};
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
CcevalEvaluation::EvaluatePooled(std::size_t metric, CcevalResult& result) const
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
    const double level = m_request.rule.GetLevel();
    CcevalPooledQuantile pooled(asked.probability, std::move(cycles));
    result.interval = pooled.GetInterval(level);
    result.tails = pooled.GetTails(KEPT);
    if (m_request.method == "control-variate")
    {
        const CcevalPooledQuantile plain = pooled;
        m_controls->AddTo(metric, controls, pooled);
        result.interval = pooled.GetInterval(level);
        const double g = result.interval.estimate;
        result.gain = std::pow(plain.GetExcessError(g) / pooled.GetExcessError(g), 2);
    }
    const double half = result.interval.GetHalfWidth();
    result.converged =
        half <= m_request.rule.GetMargin() * std::abs(result.interval.estimate);
    result.forecast = CcevalForecast::MakeBySpread(m_request.rule,
                                                   result.trials,
                                                   pooled.GetSpread(result.interval.estimate));
    if (std::isnan(half))
    {
        result.note = pooled.GetNValues() == 1
                          ? "all flows are equal: zero variance tells nothing about the error"
                          : "the trials do not reach beyond the quantile";
        result.assured = false;
        return;
    }
    const double effective = pooled.GetEffectiveTrials(result.interval.estimate);
    if (effective < CcevalPooledQuantile::MIN_EFFECTIVE)
    {
        std::ostringstream text;
        text.precision(3);
        text << "coverage not assured: the tail stands on " << effective
             << " effective trials, fewer than " << CcevalPooledQuantile::MIN_EFFECTIVE;
        result.note = text.str();
        result.assured = false;
    }
    if (effective < CcevalPooledQuantile::STOP_EFFECTIVE)
    {
        result.converged = false; // more trials are what it lacks
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
CcevalEvaluation::Evaluate(std::size_t metric) const
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
    m_request.metrics[metric].pooled ? EvaluatePooled(metric, result)
                                     : EvaluateByValues(metric, result);
    const double all = result.cpuSeconds + result.extraCpuSeconds;
    result.cpuGain = all > 0 ? result.gain * result.cpuSeconds / all : result.gain;
    AddFailures(m_failures, result);
    return result;
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

bool
CcevalEvaluation::SpentBudget() const
{
    // trials that failed were paid for, too: those that run into a limit of time are the dearest
    const double controls = m_request.method == "importance" ? m_spentSeconds : m_controlSeconds;
    const double seconds = controls + m_runner->GetCpuSeconds(m_examined);
    return m_request.budgetSeconds > 0 && seconds >= m_request.budgetSeconds;
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
    // a forecast is told before the rule looks; fewer than 20 trials per control do not tell one
    const uint64_t first = m_request.method == "model-free"
                               ? std::min(m_request.rule.GetFirstCheck(), FORECAST_TRIALS)
                               : m_request.rule.GetFirstCheck();
    uint64_t n = m_request.trials ? m_request.trials : std::min(first, m_request.maxTrials);
    while (true)
    {
        Extend(n);
        const bool isLook = m_request.trials || n >= m_request.rule.GetFirstCheck();
        bool all = true;
        for (std::size_t m = 0; m < results.size(); ++m)
        {
            if (!known[m]) // the trials that were enough stay those of the result
            {
                results[m] = Evaluate(m);
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
        // where all of a first look have failed, more would only cost more
        if (all || m_request.trials || n >= m_request.maxTrials || SpentBudget() ||
            m_trials.empty())
        {
            return results;
        }
        n = std::min(m_request.rule.GetNextCheck(std::max(n + 1, n + n / 10)), m_request.maxTrials);
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

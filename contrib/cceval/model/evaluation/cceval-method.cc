/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "cceval-method.h"

#include "../trials/cceval-proposal.h"

#include "ns3/dcn-error.h"
#include "ns3/dcn-input-check.h"
#include "ns3/dcn-parallel.h"
#include "ns3/log.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>
#include <sstream>

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("CcevalMethod");

namespace
{

constexpr double KEPT = 8; //!< stored flows in multiples of the odds of a quantile, for comparisons
constexpr double NONE = std::numeric_limits<double>::quiet_NaN(); //!< missing number

/**
 * @param names of metrics
 * @return the metrics
 */
std::vector<CcevalMetric>
ParseMetrics(const std::vector<std::string>& names)
{
    std::vector<CcevalMetric> metrics;
    std::transform(names.begin(), names.end(), std::back_inserter(metrics), CcevalMetric::Parse);
    return metrics;
}

} // namespace

CcevalMethod::CcevalMethod(const Setting& setting, uint64_t first)
    : m_label(setting.label),
      m_traffic(setting.traffic),
      m_seed(setting.seed),
      m_network(setting.network),
      m_request(setting.request),
      m_rule(CcevalStoppingRule::ParseKind(m_request.rule), m_request.margin, m_request.level),
      m_metrics(ParseMetrics(m_request.metrics)),
      m_trials(m_traffic ? &*m_traffic : nullptr,
               {m_label,
                m_seed,
                setting.simulation,
                m_network,
                m_metrics,
                CcevalParseTrim(m_request.trim),
                m_request.estimator,
                m_request.farm,
                first},
               OpenStore(CcevalStage::TRIALS,
                         m_request.estimator,
                         "trials",
                         CcevalProposal().Describe()))
{
}

std::vector<std::string>
CcevalMethod::ParseEstimators(const std::string& text)
{
    std::vector<std::string> names;
    std::istringstream parts(text);
    for (std::string name; std::getline(parts, name, '+');)
    {
        DcnEstimator::CreateByName(name);
        names.push_back(name);
    }
    DcnCheckInputFiles(names);
    if (names.empty())
    {
        DcnFail("control variates need an estimator: set --control");
    }
    return names;
}

CcevalTrialSet&
CcevalMethod::GetTrials()
{
    return m_trials;
}

CcevalStore
CcevalMethod::OpenStore(CcevalStage stage,
                        const std::string& estimator,
                        const std::string& name,
                        const std::string& proposal) const
{
    const bool isFile = !m_request.folder.empty() && !name.empty() && m_request.farm.IsRoot();
    if (!isFile && m_request.farm.GetNRanks() == 1)
    {
        return CcevalStore("", {}); // a digest of the estimator takes time
    }
    std::map<std::string, std::string> keys{{"simulation", estimator},
                                            {"seed", std::to_string(m_seed)}};
    if (m_traffic)
    {
        keys = CcevalDescribeTrials(*m_traffic, *m_network, estimator);
    }
    keys["stage"] = std::to_string(static_cast<int>(stage));
    keys["proposal"] = proposal;
    if (!isFile)
    {
        return CcevalStore("", keys); // by which ranks see that they run the same trials
    }
    std::string file = m_label + "-" + name + ".db";
    std::replace(file.begin(), file.end(), '<', 'l'); // file names without '<' of size classes
    std::replace(file.begin(), file.end(), '>', 'g');
    return CcevalStore(m_request.folder + "/" + file, keys);
}

double
CcevalMethod::GetOtherSeconds() const
{
    return m_extraSeconds;
}

bool
CcevalMethod::IsLast(uint64_t n) const
{
    // failed trials count, too: trials that reach a limit of time cost most
    bool isSpent = m_request.budgetSeconds > 0 &&
                   GetOtherSeconds() + m_trials.GetCpuSeconds() >= m_request.budgetSeconds;
    if (m_request.budgetSeconds > 0)
    {
        // each rank has measured the other seconds by itself, so the root decides for all
        isSpent = m_request.farm.Share(isSpent ? "spent" : "") == "spent";
    }
    // stop if all trials of the first analysis failed
    return m_request.trials || n >= m_request.maxTrials || isSpent || m_trials.Get().empty();
}

uint64_t
CcevalMethod::GetNextAnalysis(uint64_t n) const
{
    const bool isPooled = std::any_of(m_metrics.begin(),
                                      m_metrics.end(),
                                      [](const CcevalMetric& metric) { return metric.pooled; });
    // means have no further forecast before the first analysis of the rule
    const uint64_t from = isPooled ? n : std::max(n, m_rule.GetFirstCheck() - 1);
    return std::min(CcevalPlan::GetNextAnalysis(m_rule, from), m_request.maxTrials);
}

CcevalResult
CcevalMethod::Evaluate(std::size_t metric, CcevalPlan& plan, bool isLast) const
{
    const auto& trials = m_trials.Get();
    CcevalResult result;
    result.algorithm = m_label;
    result.metric = m_metrics[metric].name;
    result.method = m_request.method;
    result.trials = trials.size();
    for (const CcevalTrial& trial : trials)
    {
        result.cpuSeconds += trial.cpuSeconds;
    }
    result.extraCpuSeconds = m_extraSeconds;
    result.flowsPerTrial = m_trials.GetMeanFlows();
    result.phases = m_trials.GetPhaseShares();
    if (trials.size() < 2)
    {
        result.note = "fewer than two trials did not fail";
        result.assured = false;
        result.interval = {NONE, NONE, NONE};
        AddFailures(m_trials.GetFailures(), result);
        return result;
    }
    m_metrics[metric].pooled ? EvaluatePooled(metric, plan, isLast, result)
                             : EvaluateValues(metric, result);
    const double all = result.cpuSeconds + result.extraCpuSeconds;
    result.cpuGain = all > 0 ? result.gain * result.cpuSeconds / all : result.gain;
    std::vector<std::string> answeredBy; // by trial used; the rule may use fewer than all trials
    for (std::size_t i = 0; i < result.trials; ++i)
    {
        answeredBy.push_back(trials[i].answeredBy);
        if (!trials[i].answeredBy.empty())
        {
            result.otherRuns.insert(trials[i].run);
        }
    }
    AddOthers(answeredBy, result);
    AddFailures(m_trials.GetFailures(), result);
    NS_LOG_INFO(m_label << ": " << result.metric << " = " << result.interval.estimate << " ("
                        << result.interval.low << " to " << result.interval.high << ") after "
                        << result.trials << " trials; " << result.forecast.trials << " are needed");
    return result;
}

void
CcevalMethod::Rehearse() const
{
    // as many trials as a fraction of a second draws, and enough for a tail
    constexpr uint64_t FLOWS = 500'000;
    constexpr uint64_t LEAST = 200;
    constexpr uint64_t MOST = 10'000;
    std::vector<double> bytes;
    std::vector<std::vector<double>> statistics(m_metrics.size()); // of sizes, by metric
    uint64_t nFlows = 0;
    while (bytes.size() < LEAST || (nFlows < FLOWS && bytes.size() < MOST))
    {
        // traces for controls from the last one on, so that they are no trials
        const uint64_t run = CCEVAL_MAX_RUNS - 1 - bytes.size();
        const auto sizes = m_traffic->DrawSizes(CcevalSeed(m_seed, CcevalStage::CONTROLS, run));
        nFlows += sizes.size();
        bytes.push_back(std::accumulate(sizes.begin(), sizes.end(), 0.0));
        for (std::size_t m = 0; m < m_metrics.size(); ++m)
        {
            const CcevalMetric& asked = m_metrics[m];
            std::vector<std::pair<double, double>> values;
            for (const uint64_t size : sizes)
            {
                const auto each = static_cast<double>(size);
                if (!asked.pooled && !asked.slowdown && asked.sizeClass.Contains(each))
                {
                    values.emplace_back(each, 1.0);
                }
            }
            if (!values.empty())
            {
                statistics[m].push_back(asked.Evaluate(values, run, 0));
            }
        }
    }
    const auto rehearse = [this](const std::vector<double>& bank) {
        return CcevalRehearsal::Make(m_rule, bank, m_request.trials, m_request.maxTrials);
    };
    const CcevalRehearsal load = rehearse(bytes);
    for (std::size_t m = 0; m < m_metrics.size(); ++m)
    {
        m_rehearsals.emplace_back(load, "bytes of trials");
        if (!statistics[m].empty())
        {
            const CcevalRehearsal other = rehearse(statistics[m]);
            if (other.covered < load.covered)
            {
                m_rehearsals.back() = {other, "sizes of flows"};
            }
        }
        NS_LOG_INFO(m_label << ": " << m_metrics[m].name << " in rehearsal: "
                            << 100 * m_rehearsals.back().first.covered << " % cover ("
                            << m_rehearsals.back().second << ", " << bytes.size() << " trials)");
    }
}

void
CcevalMethod::Assure(std::size_t metric, uint64_t nTrials, CcevalResult& result) const
{
    if (nTrials < CcevalDiagnosis::MIN_TRIALS)
    {
        AddNote("coverage not assured: there are only " + std::to_string(nTrials) + " trials",
                result);
        result.assured = false;
        return;
    }
    if (!m_traffic)
    {
        AddNote("coverage not assured: the tail of the metric is not known before the trials",
                result);
        result.assured = false;
        return;
    }
    if (m_rehearsals.empty())
    {
        Rehearse();
    }
    const auto& [rehearsal, tail] = m_rehearsals.at(metric);
    if (!rehearsal.IsAssured())
    {
        std::ostringstream text;
        text.precision(3);
        text << "coverage not assured: with the tail of the " << tail << ' '
             << 100 * rehearsal.covered << " % of such intervals cover, not "
             << 100 * rehearsal.level << " %";
        AddNote(text.str(), result);
        result.assured = false;
    }
}

CcevalMoments
CcevalMethod::TakeValues(std::size_t metric, bool stops, CcevalResult& result) const
{
    CcevalMoments moments;
    result.cpuSeconds = 0;
    for (const CcevalTrial& trial : m_trials.Get())
    {
        moments.Add(trial.values[metric]);
        result.values.push_back(trial.values[metric]);
        result.runs.push_back(trial.run);
        result.cpuSeconds += trial.cpuSeconds;
        if (stops && m_rule.IsMet(moments))
        {
            result.converged = true;
            break;
        }
    }
    result.trials = moments.GetN();
    Assure(metric, moments.GetN(), result);
    const std::string tail = CcevalDiagnosis::Make(moments).Describe();
    if (!tail.empty())
    {
        AddNote(tail +
                    " (this describes the sample; intervals without this remark cover no better)",
                result);
    }
    if (moments.GetVariance() == 0)
    {
        result.note = "all trials are equal: zero variance does not bound the error";
        result.assured = false;
    }
    return moments;
}

void
CcevalMethod::EvaluateValues(std::size_t metric, CcevalResult& result) const
{
    const CcevalMoments moments = TakeValues(metric, m_request.trials == 0, result);
    if (moments.GetN() >= CcevalForecast::MIN_TRIALS)
    {
        CcevalMoments logarithms;
        for (const double value : result.values)
        {
            if (value > 0)
            {
                logarithms.Add(std::log(value));
            }
        }
        result.forecast = CcevalForecast::Make(m_rule, moments, logarithms, m_rule.GetLevel());
    }
    result.interval = m_rule.GetInterval(moments);
    result.converged =
        result.converged || (m_request.trials > 0 && result.interval.IsWithin(m_rule.GetMargin()));
}

CcevalPooledQuantile
CcevalMethod::TakePooled(std::size_t metric, CcevalResult& result) const
{
    const auto& trials = m_trials.Get();
    std::vector<CcevalCycle> cycles;
    bool hasFlows = false;
    for (const CcevalTrial& trial : trials)
    {
        cycles.push_back(trial.cycles[metric]);
        hasFlows = hasFlows || cycles.back().flows > 0;
        result.runs.push_back(trial.run);
    }
    const CcevalMetric& asked = m_metrics[metric];
    if (!hasFlows)
    {
        DcnFail("none of ",
                cycles.size(),
                " trials from trial ",
                trials.front().run,
                " on has a flow in the size class ",
                asked.sizeClass.name,
                ", so ",
                asked.name,
                " is not defined");
    }
    CcevalPooledQuantile pooled(asked.probability, std::move(cycles));
    result.tails = std::make_shared<const std::vector<CcevalCycle>>(pooled.GetTails(KEPT));
    return pooled;
}

void
CcevalMethod::EvaluatePooled(std::size_t metric,
                             CcevalPlan& plan,
                             bool isLast,
                             CcevalResult& result) const
{
    AnalysePooled(TakePooled(metric, result), plan, isLast, result);
}

void
CcevalMethod::AnalysePooled(const CcevalPooledQuantile& pooled,
                            CcevalPlan& plan,
                            bool isLast,
                            CcevalResult& result) const
{
    const auto analysis = CcevalAnalysis::Make(pooled, result.trials, m_rule.GetLevel());
    plan.Add(analysis, isLast);
    result.interval = analysis.interval;
    result.forecast = plan.GetForecast();
    result.planned = plan.GetTrials();
    result.converged = plan.IsDone();
    if (std::isnan(result.interval.GetHalfWidth()))
    {
        result.note = pooled.GetNValues() == 1
                          ? "all flows are equal: zero variance does not bound the error"
                          : "no trial has a value above the quantile";
        result.assured = false;
    }
    else if (analysis.effective < CcevalPooledQuantile::MIN_EFFECTIVE)
    {
        std::ostringstream text;
        text.precision(3);
        text << "coverage not assured: the effective sample size of the tail is "
             << analysis.effective << " trials, less than " << CcevalPooledQuantile::MIN_EFFECTIVE;
        result.note = text.str();
        result.assured = false;
    }
}

void
CcevalMethod::AddNote(const std::string& sentence, CcevalResult& result)
{
    result.note += (result.note.empty() ? "" : "; ") + sentence;
}

void
CcevalMethod::AddFailures(const std::vector<std::string>& failures, CcevalResult& result)
{
    result.failed = failures.size();
    if (!failures.empty())
    {
        AddNote(std::to_string(failures.size()) +
                    " trials failed and are excluded, the first: " + failures.front(),
                result);
        result.assured = false;
    }
}

void
CcevalMethod::AddOthers(const std::vector<std::string>& answeredBy, CcevalResult& result) const
{
    result.others = 0;
    result.othersBy.clear();
    std::set<std::string> names;
    for (const std::string& by : answeredBy)
    {
        result.others += by.empty() ? 0 : 1;
        if (!by.empty() && names.insert(by).second)
        {
            result.othersBy += (result.othersBy.empty() ? "" : "+") + by;
        }
    }
    if (result.others > 0)
    {
        AddNote(std::to_string(result.others) + " of " + std::to_string(answeredBy.size()) +
                    " trials were answered by " + result.othersBy + ", not by " +
                    m_request.estimator,
                result);
    }
}

} // namespace ns3

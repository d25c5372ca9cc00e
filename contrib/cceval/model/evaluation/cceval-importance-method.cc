/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "cceval-importance-method.h"

#include "../statistics/cceval-size-fit.h"
#include "cceval-plain-method.h"

#include "ns3/dcn-error.h"
#include "ns3/log.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <sstream>

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("CcevalImportanceMethod");

const char* const CcevalImportanceMethod::NAME = "importance";

namespace
{

constexpr double NONE = std::numeric_limits<double>::quiet_NaN(); //!< missing number

} // namespace

CcevalImportanceMethod::CcevalImportanceMethod(const Setting& setting)
    // each repetition has a pilot of its own
    : CcevalMethod(UseSizes(setting),
                   setting.request.repetition * std::max(setting.request.trials, PILOT_TRIALS)),
      m_controls(ParseEstimators(m_request.control))
{
    Check();
}

CcevalMethod::Setting
CcevalImportanceMethod::UseSizes(Setting setting)
{
    if (setting.request.proposal != "published")
    {
        return setting;
    }
    // The paper draws sizes from the fit. Its tail is unlimited, so it is cut at the largest size
    // of the original distribution; the likelihood ratio is one of scores and stays exact.
    const std::string sizes = setting.traffic->GetSpec().sizes;
    const auto fit = CcevalLogNormalFit::Make(sizes);
    const uint64_t largest = DcnSizeDistribution::Create(sizes)->GetQuantile(1);
    setting.traffic->SetSizes([=](double score) { return std::min(fit.GetSize(score), largest); },
                              "log-normal(" + std::to_string(fit.mu) + " " +
                                  std::to_string(fit.sigma) + ")");
    return setting;
}

void
CcevalImportanceMethod::Check() const
{
    for (const auto& metric : m_metrics)
    {
        if (!metric.pooled)
        {
            DcnFail("importance sampling estimates the pooled quantile: write pooled_",
                    metric.name,
                    " in place of ",
                    metric.name);
        }
    }
    if (CcevalParseTrim(m_request.trim) != CcevalTrim::NONE)
    {
        DcnFail("importance sampling counts all flows, so nothing can be trimmed");
    }
    if (m_request.maxTrials < PILOT_TRIALS)
    {
        DcnFail("importance sampling begins with ",
                PILOT_TRIALS,
                " plain trials, so that the largest number of trials cannot be ",
                m_request.maxTrials);
    }
    if (m_request.proposal == "published" && m_request.trials > 0 && m_request.trials < 2 * BATCH)
    {
        DcnFail("the published interval is that of batches of ",
                BATCH,
                " trials, so that it needs at least ",
                2 * BATCH,
                ", but there are ",
                m_request.trials);
    }
    if (m_controls.size() > 1)
    {
        DcnFail("importance sampling has one control, but there are ", m_controls.size());
    }
}

CcevalImportance::Options
CcevalImportanceMethod::GetOptions(const CcevalMetric& metric) const
{
    CcevalImportance::Options options;
    options.p = metric.probability;
    options.level = m_rule.GetLevel();
    options.mixture = m_request.proposal == "mixture";
    options.batch = m_request.proposal == "published" ? BATCH : 0;
    return options;
}

double
CcevalImportanceMethod::GetOtherSeconds() const
{
    return m_spentSeconds;
}

std::unique_ptr<CcevalTiltedTrials>
CcevalImportanceMethod::MakeTilted(const CcevalTiltedTrials::Options& options,
                                   const std::string& store) const
{
    const std::string until =
        std::isfinite(options.threshold) ? " until " + std::to_string(options.threshold) : "";
    const std::string proposal = options.proposal.Describe() + until;
    return std::make_unique<CcevalTiltedTrials>(
        *m_traffic,
        m_network,
        options,
        OpenStore(options.stage, options.estimator, store, proposal),
        m_request.farm);
}

std::vector<CcevalResult>
CcevalImportanceMethod::Run(const CcevalObserver& observer)
{
    std::vector<CcevalResult> results;
    for (std::size_t m = 0; m < m_metrics.size(); ++m)
    {
        results.push_back(EvaluateTilted(m, observer));
    }
    return results;
}

CcevalResult
CcevalImportanceMethod::EvaluatePlain(std::size_t metric,
                                      uint64_t tilted,
                                      const CcevalObserver& observer)
{
    // with a given number of tilted trials as many plain ones, else a number by the rule
    uint64_t n = std::max(m_trials.GetNRun(), m_request.trials ? tilted : m_rule.GetFirstCheck());
    CcevalPlan plan(m_rule);
    while (true)
    {
        m_trials.Extend(n);
        const bool isLast = IsLast(n);
        const CcevalResult result = Evaluate(metric, plan, isLast);
        observer(result);
        if (result.converged || isLast)
        {
            return result;
        }
        n = GetNextAnalysis(n);
    }
}

CcevalImportance::Result
CcevalImportanceMethod::RunTilted(const CcevalImportance& importance,
                                  const CcevalProposal& proposal,
                                  const std::vector<CcevalTiltedTrial>& plain,
                                  CcevalTiltedTrials& trials,
                                  const CcevalObserver& observer,
                                  Cost& cost,
                                  CcevalResult& result)
{
    const double least =
        CcevalImportance::Options().minEffective; // smaller sample sizes do not pass the gates
    CcevalPlan plan(m_rule, least);
    uint64_t n =
        m_request.trials ? m_request.trials : std::min(m_rule.GetFirstCheck(), m_request.maxTrials);
    while (true)
    {
        const auto tilted = trials.Get(n, m_label);
        cost.tilted = trials.GetCpuSeconds(n);
        const auto found = importance.Evaluate(proposal, tilted, plain);
        result.trials = tilted.size();
        const bool isLast = m_request.trials || n >= m_request.maxTrials ||
                            (m_request.budgetSeconds > 0 &&
                             m_spentSeconds + cost.GetTotal() >= m_request.budgetSeconds);
        CcevalAnalysis analysis{result.trials, found.interval, found.spread, found.effective};
        if (!found.tilted)
        {
            analysis.interval = {NONE,
                                 NONE,
                                 NONE}; // the interval of plain trials does not apply to these
        }
        plan.Add(analysis, isLast);
        result.planned = plan.GetTrials();
        result.converged = plan.IsDone();
        CcevalResult interim = result;
        interim.interval = found.interval;
        interim.cpuSeconds = cost.tilted;
        interim.forecast = plan.GetForecast();
        observer(interim);
        // a gate that the tilted trials do not pass, nor would more of them
        const double grown = static_cast<double>(m_request.maxTrials) / static_cast<double>(n);
        const bool isHopeless = !found.tilted && (found.drifted || found.effective * grown < least);
        if (result.converged || isHopeless || isLast)
        {
            result.forecast = plan.GetForecast();
            if (found.tilted)
            {
                std::vector<std::string> answeredBy;
                for (const CcevalTiltedTrial& trial : tilted)
                {
                    answeredBy.push_back(trial.answeredBy);
                }
                result.interval = found.interval;
                result.note.clear(); // note of the plain trials
                AddOthers(answeredBy, result);
            }
            return found;
        }
        n = GetNextAnalysis(n);
    }
}

CcevalImportance
CcevalImportanceMethod::MakeImportance(const CcevalMetric& asked, Cost& cost)
{
    const std::string tuner =
        m_request.tuner == "control" ? m_controls.front() : m_request.estimator;
    const auto options = GetOptions(asked);
    const uint64_t tuningFirst =
        m_request.repetition * options.epochs * (options.mostCycles + options.cyclesPerEpoch);
    return CcevalImportance(
        options,
        [this, &asked, &cost, tuner, tuningFirst](CcevalStage stage,
                                                  uint64_t first,
                                                  uint64_t n,
                                                  const CcevalProposal& proposal) {
            CcevalTiltedTrials::Options tuning{asked, stage, tuner, tuningFirst + first, proposal};
            tuning.cheap = m_request.tuner == "control";
            auto trials = MakeTilted(tuning);
            auto drawn = trials->Get(n, m_label);
            cost.tuning += trials->GetCpuSeconds(n);
            return drawn;
        });
}

CcevalResult
CcevalImportanceMethod::EvaluateTilted(std::size_t metric, const CcevalObserver& observer)
{
    const CcevalMetric& asked = m_metrics[metric];
    Cost cost;
    CcevalImportance importance = MakeImportance(asked, cost);
    m_trials.Extend(std::max(PILOT_TRIALS, m_trials.GetNRun()));
    const CcevalRunner& runner = m_trials.GetRunner();
    CcevalTiltedTrials::Options sampling{asked, CcevalStage::TRIALS, m_request.estimator};
    sampling.first = runner.GetFirst();
    const auto pilotTrials = MakeTilted(sampling);
    const auto plain = pilotTrials->GetFrom(runner, m_trials.GetNRun());
    cost.plain = m_trials.GetCpuSeconds();
    CcevalPlan pilot(m_rule); // for plain trials, whose number does not depend on it
    CcevalResult result = Evaluate(metric, pilot, true);
    if (plain.size() < 2)
    {
        result.answeredBy = CcevalPlainMethod::NAME;
        return result; // its note has the reason
    }
    const CcevalProposal proposal = importance.Search(m_trials.GetMeanFlows());
    NS_LOG_INFO(m_label << ": " << asked.name << ": proposal " << proposal.Describe());
    sampling.stage = CcevalStage::TILTED;
    sampling.first = m_request.repetition * m_request.trials;
    sampling.proposal = proposal;
    if (m_request.proposal == "published")
    {
        sampling.threshold = result.interval.estimate;
    }
    // each repetition has a proposal, hence a store, of its own
    const std::string which =
        m_request.repetition ? "-repetition-" + std::to_string(m_request.repetition) : "";
    const auto tiltedTrials = MakeTilted(sampling, "tilted-" + asked.name + which);
    const auto found =
        RunTilted(importance, proposal, plain, *tiltedTrials, observer, cost, result);
    // all metrics share plain trials, but not tilted ones
    m_spentSeconds += cost.tilted + cost.tuning;
    const auto& failures = tiltedTrials->GetFailures();
    std::ostringstream text;
    text.precision(3);
    if (!found.tilted)
    {
        NS_LOG_INFO(m_label << ": " << asked.name << ": plain sampling, since " << found.reason);
        // the cost of tilted trials is part of the answer's cost
        const uint64_t n = result.trials + failures.size();
        const double before = m_extraSeconds;
        m_extraSeconds += cost.tilted + cost.tuning;
        result = EvaluatePlain(metric, n, observer);
        m_extraSeconds = before;
        result.answeredBy = CcevalPlainMethod::NAME;
        result.failed += failures.size();
        result.assured = result.assured && failures.empty();
        if (!failures.empty())
        {
            text << failures.size() << " tilted trials failed, the first: " << failures.front()
                 << "; ";
        }
        text << "plain sampling, since " << found.reason << "; ";
    }
    else
    {
        result.assured = true;
        result.gain = found.gain;
        result.cpuSeconds = cost.tilted;
        result.extraCpuSeconds = cost.tuning + cost.plain;
        const double perPlain = cost.plain / static_cast<double>(plain.size());
        const double all = cost.GetTotal();
        result.cpuGain =
            all > 0 ? result.gain * perPlain * static_cast<double>(result.trials) / all : 1;
    }
    text << found.proposal.Describe() << "; effective sample size of the tail " << found.effective
         << " trials, mean likelihood ratio " << found.meanLikelihood << ", " << found.tuningTrials
         << " tuning trials";
    AddNote(text.str(), result);
    if (found.tilted)
    {
        std::vector<std::string> all = m_trials.GetFailures(); // of the pilot
        all.insert(all.end(), failures.begin(), failures.end());
        AddFailures(all, result);
    }
    return result;
}

} // namespace ns3

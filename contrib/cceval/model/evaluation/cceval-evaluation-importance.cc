/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "cceval-evaluation.h"
#include "../trials/cceval-tilted-trials.h"

#include "../statistics/cceval-size-fit.h"
#include "ns3/dcn-error.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <sstream>

namespace ns3
{

namespace
{

const double NEVER = std::numeric_limits<double>::infinity(); //!< threshold of no switching
const double NONE = std::numeric_limits<double>::quiet_NaN(); //!< no such number
const std::string PLAIN = "model-free"; //!< the method that answers where tilted trials cannot

} // namespace

void
CcevalEvaluation::CheckImportance() const
{
    if (m_request.method != "importance")
    {
        return;
    }
    if (m_request.maxTrials < PILOT_TRIALS)
    {
        DcnFail("importance sampling begins with ",
                PILOT_TRIALS,
                " plain trials, so that the largest number of trials cannot be ",
                m_request.maxTrials);
    }
    if (m_request.proposal == "published" && m_request.trials > 0 &&
        m_request.trials < 2 * BATCH)
    {
        DcnFail("the published interval is that of batches of ",
                BATCH,
                " trials, so that it needs at least ",
                2 * BATCH,
                ", but there are ",
                m_request.trials);
    }
    if (m_controlEstimators.size() > 1)
    {
        DcnFail("importance sampling has one control, but there are ", m_controlEstimators.size());
    }
}

void
CcevalEvaluation::UsePublishedSizes()
{
    // The paper draws from the fit in place of the sizes. Its tail would not end within any run, so
    // it is cut at the largest size there is; the likelihood ratio is one of scores and stays
    // exact.
    const std::string sizes = m_traffic.GetSpec().sizes;
    const auto fit = CcevalLogNormalFit::Make(sizes);
    const uint64_t largest = DcnSizeDistribution::Create(sizes)->GetQuantile(1);
    m_traffic.SetSizes([=](double score) { return std::min(fit.GetSize(score), largest); },
                       "log-normal(" + std::to_string(fit.mu) + " " + std::to_string(fit.sigma) +
                           ")");
}

std::unique_ptr<CcevalTiltedTrials>
CcevalEvaluation::MakeTilted(const CcevalMetric& metric,
                             CcevalStage stage,
                             const std::string& estimator,
                             uint64_t first,
                             const CcevalProposal& proposal,
                             const std::string& store,
                             double threshold) const
{
    const std::string until =
        std::isfinite(threshold) ? " until " + std::to_string(threshold) : "";
    const bool cheap = stage == CcevalStage::TUNING && m_request.tuner == "control";
    return std::make_unique<CcevalTiltedTrials>(
        m_traffic,
        m_network,
        CcevalTiltedTrials::Spec{metric, stage, estimator, first, proposal, threshold, cheap},
        OpenStore(stage, estimator, store, proposal.Describe() + until),
        m_request.jobs);
}

CcevalResult
CcevalEvaluation::EvaluatePlain(std::size_t metric,
                                uint64_t tilted,
                                const std::function<void(const CcevalResult&)>& onLook)
{
    // as many trials as there are tilted ones if their number is given, else as the rule says
    uint64_t n = m_request.trials ? std::max(tilted, m_examined)
                                  : std::max(m_examined, m_request.rule.GetFirstCheck());
    CcevalPlan plan(m_request.rule);
    while (true)
    {
        Extend(n);
        const bool isLast = IsLast(n);
        const CcevalResult result = Evaluate(metric, plan, isLast);
        if (onLook)
        {
            onLook(result);
        }
        if (result.converged || isLast)
        {
            return result;
        }
        n = GetNextLook(n);
    }
}

CcevalResult
CcevalEvaluation::EvaluateByImportance(std::size_t metric,
                                       const std::function<void(const CcevalResult&)>& onLook)
{
    const CcevalMetric& asked = m_request.metrics[metric];
    const std::string tuner =
        m_request.tuner == "control" ? m_controlEstimators.front() : m_request.estimator;
    double tuningSeconds = 0;
    CcevalImportance::Options options;
    options.p = asked.probability;
    options.level = m_request.rule.GetLevel();
    options.mixture = m_request.proposal == "mixture";
    options.batch = m_request.proposal == "published" ? BATCH : 0;
    const uint64_t tuningFirst =
        m_request.repetition * options.epochs * (options.mostCycles + options.cyclesPerEpoch);
    CcevalImportance importance(
        options,
        [&](CcevalStage stage, uint64_t first, uint64_t n, const CcevalProposal& proposal) {
            auto trials =
                MakeTilted(asked, stage, tuner, tuningFirst + first, proposal, "", NEVER);
            auto drawn = trials->Get(n, m_label);
            tuningSeconds += trials->GetCpuSeconds(n);
            return drawn;
        });
    Extend(PILOT_TRIALS);
    auto pilotTrials =
        MakeTilted(asked, CcevalStage::TRIALS, m_request.estimator, m_first, {}, "", NEVER);
    const auto plain = pilotTrials->GetFrom(*m_runner, m_examined);
    const double plainSeconds = m_runner->GetCpuSeconds(m_examined);
    CcevalPlan pilot(m_request.rule); // of plain trials, whose number does not follow from it
    CcevalResult result = Evaluate(metric, pilot, true);
    if (plain.size() < 2)
    {
        result.answeredBy = PLAIN;
        return result; // it says so
    }
    const CcevalProposal proposal = importance.Search(GetMeanFlows());
    const double threshold = m_request.proposal == "published" ? result.interval.estimate : NEVER;
    // each repetition has a proposal of its own, and so a store
    const std::string which =
        m_request.repetition ? "-repetition-" + std::to_string(m_request.repetition) : "";
    const auto tiltedTrials = MakeTilted(asked,
                                         CcevalStage::TILTED,
                                         m_request.estimator,
                                         m_request.repetition * m_request.trials,
                                         proposal,
                                         "tilted-" + asked.name + which,
                                         threshold);
    CcevalImportance::Result found;
    std::vector<std::string> answeredBy;                   // by tilted trial
    CcevalPlan plan(m_request.rule, options.minEffective); // fewer do not pass the gates
    double tiltedSeconds = 0;
    uint64_t n = m_request.trials
                     ? m_request.trials
                     : std::min(m_request.rule.GetFirstCheck(), m_request.maxTrials);
    while (true)
    {
        const auto tilted = tiltedTrials->Get(n, m_label);
        tiltedSeconds = tiltedTrials->GetCpuSeconds(n);
        found = importance.Evaluate(proposal, tilted, plain);
        result.trials = tilted.size();
        answeredBy.clear();
        for (const CcevalTiltedTrial& trial : tilted)
        {
            answeredBy.push_back(trial.answeredBy);
        }
        const bool isLast =
            m_request.trials || n >= m_request.maxTrials ||
            (m_request.budgetSeconds > 0 &&
             m_spentSeconds + tiltedSeconds + plainSeconds + tuningSeconds >=
                 m_request.budgetSeconds);
        CcevalLook known{result.trials, found.interval, found.spread, found.effective};
        if (!found.tilted)
        {
            known.interval = {NONE, NONE, NONE}; // that of plain trials says nothing of these
        }
        plan.Add(known, isLast);
        result.planned = plan.GetTrials();
        result.converged = plan.IsDone();
        if (onLook)
        {
            CcevalResult look = result;
            look.interval = found.interval;
            look.cpuSeconds = tiltedSeconds;
            look.forecast = plan.GetForecast();
            onLook(look);
        }
        // what keeps the tilted trials from being used, and would keep more of them from it
        const double grown = static_cast<double>(m_request.maxTrials) / static_cast<double>(n);
        const bool isHopeless =
            !found.tilted &&
            (found.drifted || found.effective * grown < options.minEffective);
        if (result.converged || isHopeless || isLast)
        {
            break;
        }
        n = GetNextLook(n);
    }
    // plain trials are those of all metrics, tilted ones are not
    m_spentSeconds += tiltedSeconds + tuningSeconds;
    std::ostringstream text;
    text.precision(3);
    if (!found.tilted)
    {
        // what was spent on tilted trials is a cost of the answer
        const double before = m_controlSeconds;
        m_controlSeconds += tiltedSeconds + tuningSeconds;
        result = EvaluatePlain(metric, n, onLook);
        result.answeredBy = PLAIN;
        m_controlSeconds = before;
        const auto& failures = tiltedTrials->GetFailures();
        result.failed += failures.size();
        result.assured = result.assured && failures.empty();
        text << (failures.empty() ? ""
                                  : std::to_string(failures.size()) +
                                        " tilted trials failed, the first: " + failures.front() +
                                        "; ");
        text << "plain sampling, since " << found.reason << "; ";
    }
    else
    {
        result.interval = found.interval;
        result.assured = true;
        result.note.clear(); // that of the plain trials
        AddOthers(answeredBy, result);
        result.forecast = plan.GetForecast();
        result.gain = found.gain;
        result.cpuSeconds = tiltedSeconds;
        result.extraCpuSeconds = tuningSeconds + plainSeconds;
        const double perPlain = plainSeconds / static_cast<double>(plain.size());
        const double all = tiltedSeconds + plainSeconds + tuningSeconds;
        result.cpuGain =
            all > 0 ? result.gain * perPlain * static_cast<double>(result.trials) / all : 1;
    }
    text << found.proposal.Describe() << "; " << found.effective
         << " effective trials in the tail, mean likelihood ratio " << found.meanLikelihood << ", "
         << found.tuningTrials << " tuning trials";
    result.note += (result.note.empty() ? "" : "; ") + text.str();
    if (found.tilted)
    {
        std::vector<std::string> failures = m_failures; // of the pilot
        failures.insert(failures.end(),
                        tiltedTrials->GetFailures().begin(),
                        tiltedTrials->GetFailures().end());
        AddFailures(failures, result);
    }
    return result;
}

} // namespace ns3

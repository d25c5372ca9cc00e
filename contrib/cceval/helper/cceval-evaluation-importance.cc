/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "cceval-evaluation.h"

#include "ns3/dcn-error.h"
#include "ns3/dcn-progress.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <sstream>

namespace ns3
{

namespace
{

constexpr uint64_t PILOT_TRIALS = 100; //!< plain trials beside tilted ones (m_or of the paper)

} // namespace

std::vector<CcevalTiltedTrial>
CcevalEvaluation::Sample(const CcevalMetric& metric,
                         CcevalStage stage,
                         const std::string& estimator,
                         uint64_t first,
                         uint64_t n,
                         const CcevalProposal& proposal,
                         const std::string& store,
                         double& cpuSeconds) const
{
    CcevalRunner runner = MakeRunner(stage, estimator, store, proposal);
    const uint64_t base = m_traffic.GetSpec().seed;
    auto drawn = [&](uint64_t run) {
        return m_traffic.Draw(CcevalSeed(base, stage, first + run), proposal);
    };
    if (first > 0)
    {
        runner = CcevalRunner(drawn,
                              CcevalEstimatorSimulator(m_traffic, m_network, estimator),
                              CcevalStore("", {}),
                              m_request.jobs);
    }
    DcnProgress progress(m_label + " tilted", n, "trials");
    runner.Run(n, [&progress](uint64_t done) { progress.Update(done); });
    cpuSeconds += runner.GetCpuSeconds(n);
    const double expected = m_traffic.GetExpectedFlows();
    const bool wholeClass = metric.sizeClass.name == "all" && expected > 0;
    std::vector<CcevalTiltedTrial> trials;
    for (uint64_t run = 0; run < n; ++run)
    {
        const CcevalOutcome& outcome = runner.Get(run);
        if (!outcome.failure.empty())
        {
            continue;
        }
        CcevalTiltedTrial trial;
        trial.trace = drawn(run);
        trial.fctNs = outcome.fctNs;
        trial.values.assign(outcome.fctNs.size(), std::numeric_limits<double>::quiet_NaN());
        Ptr<const DcnScenario> scenario = m_traffic.MakeScenario(trial.trace, m_network);
        for (std::size_t i = 0; i < trial.values.size(); ++i)
        {
            const DcnFlow& flow = trial.trace.flows[i];
            if (!metric.sizeClass.Contains(static_cast<double>(flow.sizeBytes)))
            {
                continue;
            }
            const auto fct = static_cast<double>(outcome.fctNs[i]);
            trial.values[i] =
                metric.slowdown
                    ? fct / static_cast<double>(scenario->GetIdealFct(i).GetTotalNs())
                    : fct / 1000;
        }
        // flows are as many with tilted sizes; of a class, those tilted into it count by weight
        trial.flows = static_cast<double>(trial.values.size());
        if (!wholeClass)
        {
            trial.flows = 0;
            for (const auto& value : CcevalWeigh(trial).values)
            {
                trial.flows += value.second;
            }
        }
        trials.push_back(std::move(trial));
    }
    return trials;
}

CcevalResult
CcevalEvaluation::EvaluateByImportance(std::size_t metric)
{
    const CcevalMetric& asked = m_request.metrics[metric];
    const std::string tuner =
        m_request.tuner == "control" ? m_controlEstimators.front() : m_request.estimator;
    double tuningSeconds = 0;
    CcevalImportance::Options options;
    options.p = asked.probability;
    options.level = m_request.rule.GetLevel();
    options.mixture = m_request.proposal == "mixture";
    CcevalImportance importance(
        options,
        [&](CcevalStage stage, uint64_t first, uint64_t n, const CcevalProposal& proposal) {
            // runs 0 .. of this stage choose thresholds of controls
            return Sample(asked, stage, tuner, first + 1, n, proposal, "", tuningSeconds);
        });
    Extend(PILOT_TRIALS);
    auto plainTrials = [&]() {
        double ignored = 0;
        return Sample(asked, CcevalStage::TRIALS, m_request.estimator, 0, m_examined, {}, "trials", ignored);
    };
    const CcevalProposal proposal = importance.Search(std::max(1.0, m_traffic.GetMeanGapNs() > 0 ? GetMeanFlows() : 1.0));
    const std::string store = "tilted-p" + std::to_string(static_cast<int>(asked.probability * 10000));
    CcevalResult result = Evaluate(metric);
    CcevalImportance::Result found;
    double tiltedSeconds = 0;
    const auto plain = plainTrials();
    uint64_t n = m_request.trials ? m_request.trials : m_request.rule.GetFirstCheck();
    while (true)
    {
        tiltedSeconds = 0;
        const auto tilted = Sample(asked, CcevalStage::TILTED, m_request.estimator, 0, n, proposal, store, tiltedSeconds);
        found = importance.Evaluate(proposal, tilted, plain);
        result.trials = tilted.size();
        result.converged = found.tilted && found.interval.GetHalfWidth() <=
                                               m_request.rule.GetMargin() * found.interval.estimate;
        if (result.converged || m_request.trials || n >= m_request.maxTrials ||
            (m_request.budgetSeconds > 0 && tiltedSeconds >= m_request.budgetSeconds))
        {
            break;
        }
        n = std::min(m_request.rule.GetNextCheck(n + 1), m_request.maxTrials);
    }
    result.interval = found.interval;
    result.assured = true;
    std::ostringstream text;
    text.precision(3);
    if (!found.tilted)
    {
        // as many plain trials as there are tilted ones
        Extend(n);
        result = Evaluate(metric);
        text << "plain sampling, since " << found.reason << "; ";
    }
    else
    {
        const double plainSeconds = m_runner->GetCpuSeconds(m_examined);
        const double plainVariance = std::pow(result.interval.GetHalfWidth(), 2);
        const CcevalResult reference = Evaluate(metric);
        const double referenceVariance =
            std::pow(reference.interval.GetHalfWidth(), 2) *
            static_cast<double>(reference.trials) / static_cast<double>(result.trials);
        result.gain = referenceVariance / plainVariance;
        result.cpuSeconds = tiltedSeconds;
        const double perPlain = plainSeconds / static_cast<double>(m_examined);
        result.cpuGain = result.gain * perPlain * static_cast<double>(result.trials) /
                         (tiltedSeconds + tuningSeconds + plainSeconds);
        result.extraCpuSeconds = tuningSeconds + plainSeconds;
    }
    text << found.proposal.Describe() << "; " << found.effective << " effective trials in the tail, "
         << "mean likelihood ratio " << found.meanLikelihood << ", " << found.tuningTrials
         << " tuning trials";
    result.note += (result.note.empty() ? "" : "; ") + text.str();
    return result;
}

} // namespace ns3

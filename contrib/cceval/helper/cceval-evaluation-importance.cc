/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "cceval-evaluation.h"

#include "ns3/cceval-size-fit.h"
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
constexpr uint64_t BATCH = 40;         //!< trials in a batch (K of the paper)
const double NEVER = std::numeric_limits<double>::infinity(); //!< threshold of no switching

/**
 * @param metric what is asked for
 * @param scenario a trial
 * @param fctNs completion times [ns]
 * @return R of each flow; NaN for those outside the size class
 */
std::vector<double>
ValuesOf(const CcevalMetric& metric, const DcnScenario& scenario, const std::vector<int64_t>& fctNs)
{
    constexpr double NS_PER_US = 1000;
    std::vector<double> values(fctNs.size(), std::numeric_limits<double>::quiet_NaN());
    for (std::size_t i = 0; i < values.size(); ++i)
    {
        if (metric.sizeClass.Contains(static_cast<double>(scenario.GetFlows()[i].sizeBytes)))
        {
            const auto fct = static_cast<double>(fctNs[i]);
            values[i] = metric.slowdown
                            ? fct / static_cast<double>(scenario.GetIdealFct(i).GetTotalNs())
                            : fct / NS_PER_US;
        }
    }
    return values;
}

} // namespace

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

std::vector<CcevalTiltedTrial>
CcevalEvaluation::Sample(const CcevalMetric& metric,
                         CcevalStage stage,
                         const std::string& estimator,
                         uint64_t first,
                         uint64_t n,
                         const CcevalProposal& proposal,
                         const std::string& store,
                         double threshold,
                         double& cpuSeconds) const
{
    const uint64_t base = m_traffic.GetSpec().seed;
    const auto simulate = CcevalEstimatorSimulator(m_traffic, m_network, estimator);
    auto draw = [&](uint64_t run) {
        return m_traffic.Draw(CcevalSeed(base, stage, first + run), proposal);
    };
    auto complete = [&](const CcevalTrace& trace, const CcevalOutcome& outcome) {
        const auto scenario = m_traffic.MakeScenario(trace, m_network);
        CcevalTiltedTrial trial{trace,
                                outcome.fctNs,
                                ValuesOf(metric, *scenario, outcome.fctNs),
                                0};
        return trial;
    };
    auto redraw = [&](const CcevalTrace& trace, const CcevalOutcome& outcome) {
        const int64_t at = CcevalSwitchNs(complete(trace, outcome), threshold);
        return at == INT64_MAX ? trace : m_traffic.Draw(trace.seed, proposal, at + 1);
    };
    CcevalRunner runner(
        draw,
        [&](const CcevalTrace& trace) {
            CcevalOutcome outcome = simulate(trace);
            if (threshold < NEVER && outcome.failure.empty())
            {
                const double cpu = outcome.cpuSeconds;
                outcome = simulate(redraw(trace, outcome));
                outcome.cpuSeconds += cpu;
            }
            return outcome;
        },
        OpenStore(stage,
                  estimator,
                  store,
                  proposal.Describe() +
                      (threshold < NEVER ? " until " + std::to_string(threshold) : "")),
        m_request.jobs);
    DcnProgress progress(m_label + " " + estimator, n, "trials");
    runner.Run(n, [&progress](uint64_t done) { progress.Update(done); });
    cpuSeconds += runner.GetCpuSeconds(n);
    std::vector<CcevalTiltedTrial> trials;
    for (uint64_t run = 0; run < n; ++run)
    {
        const CcevalOutcome& outcome = runner.Get(run);
        if (!outcome.failure.empty())
        {
            continue;
        }
        CcevalTrace trace = draw(run);
        trace = threshold < NEVER ? redraw(trace, outcome) : trace;
        trials.push_back(complete(trace, outcome));
        // flows are as many with tilted sizes; of a class, those tilted into it count by weight
        CcevalTiltedTrial& trial = trials.back();
        trial.flows = static_cast<double>(trial.values.size());
        if (metric.sizeClass.name != "all")
        {
            trial.flows = 0;
            for (const auto& value : CcevalWeigh(trial).values)
            {
                trial.flows += value.second;
            }
        }
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
    options.batch = m_request.proposal == "published" ? BATCH : 0;
    CcevalImportance importance(
        options,
        [&](CcevalStage stage, uint64_t first, uint64_t n, const CcevalProposal& proposal) {
            return Sample(asked, stage, tuner, first, n, proposal, "", NEVER, tuningSeconds);
        });
    Extend(PILOT_TRIALS);
    double plainSeconds = 0;
    const auto plain = Sample(asked,
                              CcevalStage::TRIALS,
                              m_request.estimator,
                              0,
                              m_examined,
                              {},
                              "trials",
                              NEVER,
                              plainSeconds);
    const CcevalProposal proposal = importance.Search(GetMeanFlows());
    const CcevalResult pilot = Evaluate(metric);
    const double threshold = m_request.proposal == "published" ? pilot.interval.estimate : NEVER;
    CcevalResult result = pilot;
    CcevalImportance::Result found;
    double tiltedSeconds = 0;
    uint64_t n = m_request.trials ? m_request.trials : m_request.rule.GetFirstCheck();
    while (true)
    {
        tiltedSeconds = 0;
        const auto tilted = Sample(asked,
                                   CcevalStage::TILTED,
                                   m_request.estimator,
                                   0,
                                   n,
                                   proposal,
                                   "tilted-" + asked.name,
                                   threshold,
                                   tiltedSeconds);
        found = importance.Evaluate(proposal, tilted, plain);
        result.trials = tilted.size();
        result.converged =
            found.tilted && found.interval.GetHalfWidth() <=
                                m_request.rule.GetMargin() * std::abs(found.interval.estimate);
        if (result.converged || m_request.trials || n >= m_request.maxTrials ||
            (m_request.budgetSeconds > 0 &&
             tiltedSeconds + plainSeconds + tuningSeconds >= m_request.budgetSeconds))
        {
            break;
        }
        n = std::min(m_request.rule.GetNextCheck(n + 1), m_request.maxTrials);
    }
    std::ostringstream text;
    text.precision(3);
    if (!found.tilted)
    {
        Extend(std::max(n, m_examined)); // as many plain trials as there are tilted ones
        result = Evaluate(metric);
        text << "plain sampling, since " << found.reason << "; ";
    }
    else
    {
        result.interval = found.interval;
        result.assured = true;
        result.note.clear();
        result.forecast = {};
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
    return result;
}

} // namespace ns3

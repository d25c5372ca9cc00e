/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "cceval-importance.h"

#include "../statistics/cceval-moments.h"

#include "ns3/assert.h"
#include "ns3/dcn-error.h"
#include "ns3/log.h"

#include <algorithm>
#include <cmath>
#include <sstream>

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("CcevalImportance");

namespace
{

/// Sums over the flows of a trial that have arrived by a given time.
class Prefixes
{
  public:
    /**
     * @param trial a trial
     * @param term summand, by flow
     */
    template <typename Term>
    Prefixes(const CcevalTiltedTrial& trial, const Term& term)
        : m_flows(trial.trace.flows),
          m_sums(1, 0.0)
    {
        for (std::size_t i = 0; i < m_flows.size(); ++i)
        {
            m_sums.push_back(m_sums.back() + term(i));
        }
    }

    /**
     * @param timeNs a time [ns]
     * @return sum over the flows that start until that time
     */
    double UpTo(int64_t timeNs) const
    {
        const auto end =
            std::upper_bound(m_flows.begin(),
                             m_flows.end(),
                             timeNs,
                             [](int64_t time, const DcnFlow& flow) { return time < flow.startNs; });
        return m_sums[static_cast<std::size_t>(end - m_flows.begin())];
    }

  private:
    const std::vector<DcnFlow>& m_flows; //!< ordered by start
    std::vector<double> m_sums;          //!< sums over the first 0, 1, 2, ... flows
};

/**
 * @param trials the trials
 * @return their cycles
 */
std::vector<CcevalCycle>
WeighAll(const std::vector<CcevalTiltedTrial>& trials)
{
    std::vector<CcevalCycle> cycles;
    for (const auto& trial : trials)
    {
        cycles.push_back(CcevalWeigh(trial));
    }
    return cycles;
}

/**
 * @param cycle a trial
 * @param g threshold
 * @return sum of the likelihood ratios of its flows above it
 */
double
TailWeight(const CcevalCycle& cycle, double g)
{
    double sum = 0;
    for (const auto& [value, weight] : cycle.values)
    {
        sum += value > g ? weight : 0;
    }
    return sum;
}

} // namespace

CcevalCycle
CcevalWeigh(const CcevalTiltedTrial& trial)
{
    const Prefixes logs(trial, [&](std::size_t i) { return trial.trace.logFactors[i]; });
    CcevalCycle cycle;
    cycle.flows = trial.flows;
    for (std::size_t i = 0; i < trial.values.size(); ++i)
    {
        if (!std::isnan(trial.values[i]))
        {
            cycle.values.emplace_back(
                trial.values[i],
                std::exp(logs.UpTo(trial.trace.flows[i].startNs + trial.fctNs[i])));
        }
    }
    return cycle;
}

CcevalProposal
CcevalTune(const CcevalProposal& proposal, const std::vector<CcevalTiltedTrial>& trials, double p)
{
    double flows = 0;
    std::vector<std::pair<double, double>> all;
    for (const auto& trial : trials)
    {
        const CcevalCycle cycle = CcevalWeigh(trial);
        flows += cycle.flows;
        all.insert(all.end(), cycle.values.begin(), cycle.values.end());
    }
    const double g = CcevalTopDownQuantile(all, (1 - p) * flows);
    double count = 0;  // sum_n w_n |J_n|
    double weight = 0; // sum_n w_n sum_J pi
    double first = 0;  // sum_n w_n sum_J pi z
    double second = 0; // sum_n w_n sum_J pi z^2
    for (const auto& trial : trials)
    {
        const auto& scores = trial.trace.scores;
        auto part = [&](std::size_t i) { return proposal.GetResponsibility(scores[i]); };
        const Prefixes logs(trial, [&](std::size_t i) { return trial.trace.logFactors[i]; });
        const Prefixes counts(trial, [](std::size_t) { return 1.0; });
        const Prefixes parts(trial, part);
        const Prefixes firsts(trial, [&](std::size_t i) { return part(i) * scores[i]; });
        const Prefixes seconds(trial,
                               [&](std::size_t i) { return part(i) * scores[i] * scores[i]; });
        for (std::size_t i = 0; i < trial.values.size(); ++i)
        {
            if (!(trial.values[i] > g))
            {
                continue;
            }
            const int64_t end = trial.trace.flows[i].startNs + trial.fctNs[i];
            const double w = std::exp(logs.UpTo(end));
            count += w * counts.UpTo(end);
            weight += w * parts.UpTo(end);
            first += w * firsts.UpTo(end);
            second += w * seconds.UpTo(end);
        }
    }
    CcevalProposal next = proposal;
    if (weight > 0)
    {
        next.mean = first / weight;
        next.deviation = std::sqrt(std::max(1e-12, second / weight - next.mean * next.mean));
        next.share = proposal.share == 1 ? 1.0 : weight / count;
    }
    return next;
}

CcevalImportance::CcevalImportance(const Options& options, const Sampler& tuner)
    : m_options(options),
      m_tuner(tuner)
{
    CcevalCheckLevel(options.level);
}

uint64_t
CcevalImportance::GetTuningTrials() const
{
    return m_tuningTrials;
}

CcevalProposal
CcevalImportance::Clamp(CcevalProposal proposal, double expectedFlows) const
{
    if (m_options.mixture)
    {
        proposal.deviation = std::clamp(proposal.deviation, 0.3, 2.0);
        proposal.mean = std::clamp(proposal.mean, 0.0, 4.0);
        // (1 - q)^-n bounds the likelihood ratio: 4 flows on average give e^4
        const double least = std::min(0.5, 0.2 / expectedFlows);
        proposal.share = std::clamp(proposal.share, least, std::min(0.5, 4 / expectedFlows));
    }
    return proposal;
}

CcevalProposal
CcevalImportance::Search(double expectedFlows)
{
    CcevalProposal proposal = m_options.mixture
                                  ? CcevalProposal{std::min(0.3, 1 / expectedFlows), 2, 0.7}
                                  : CcevalProposal{1, 0, 1};
    for (uint64_t epoch = 0; epoch < m_options.epochs; ++epoch)
    {
        std::vector<CcevalTiltedTrial> trials;
        double exceedances = 0;
        uint64_t run = 0; // failed trials are not in the list
        while (run < m_options.cyclesPerEpoch ||
               (exceedances < static_cast<double>(m_options.exceedances) &&
                run < m_options.mostCycles))
        {
            auto more =
                m_tuner(CcevalStage::TUNING, m_tuningTrials, m_options.cyclesPerEpoch, proposal);
            run += m_options.cyclesPerEpoch;
            m_tuningTrials += m_options.cyclesPerEpoch;
            std::move(more.begin(), more.end(), std::back_inserter(trials));
            if (trials.size() < 2)
            {
                continue;
            }
            const CcevalPooledQuantile pooled(m_options.p, WeighAll(trials));
            const double g = pooled.GetInterval(m_options.level).estimate;
            exceedances = 0;
            for (const auto& trial : trials)
            {
                exceedances += static_cast<double>(
                    std::count_if(trial.values.begin(), trial.values.end(), [g](double value) {
                        return value > g;
                    }));
            }
        }
        if (trials.size() < 2)
        {
            DcnFail("a proposal cannot be searched: of ",
                    run,
                    " tuning trials all but ",
                    trials.size(),
                    " failed");
        }
        const CcevalProposal next = CcevalTune(proposal, trials, m_options.p);
        const double a = m_options.smoothing;
        proposal.mean = a * next.mean + (1 - a) * proposal.mean;
        proposal.deviation = a * next.deviation + (1 - a) * proposal.deviation;
        proposal.share = a * next.share + (1 - a) * proposal.share;
        proposal = Clamp(proposal, expectedFlows);
        NS_LOG_DEBUG("epoch " << epoch << ", " << run << " tuning trials: " << proposal.Describe());
    }
    return proposal;
}

namespace
{

/// @return squared standard error of a mean
double
SquaredError(const CcevalMoments& moments)
{
    return moments.GetVariance() / static_cast<double>(moments.GetN());
}

/**
 * @param cycles trials with weights
 * @param plainCycles trials without tilting
 * @param level of the interval
 * @return standard errors between the two shares of flows above the 90th percentile of the plain
 * ones
 */
double
GetPilotDistance(const std::vector<CcevalCycle>& cycles,
                 const std::vector<CcevalCycle>& plainCycles,
                 double level)
{
    const double g0 = CcevalPooledQuantile(0.9, plainCycles).GetInterval(level).estimate;
    CcevalMoments atTilted;
    CcevalMoments atPlain;
    for (const auto& cycle : cycles)
    {
        atTilted.Add(TailWeight(cycle, g0) - 0.1 * cycle.flows);
    }
    for (const auto& cycle : plainCycles)
    {
        atPlain.Add(TailWeight(cycle, g0) - 0.1 * cycle.flows);
    }
    const double error = std::sqrt(SquaredError(atTilted) + SquaredError(atPlain));
    return error > 0 ? std::abs(atTilted.GetMean() - atPlain.GetMean()) / error : 0.0;
}

} // namespace

std::string
CcevalImportance::FindReason(Result& result,
                             std::size_t nTilted,
                             const CcevalMoments& likelihoods,
                             const CcevalInterval& plainInterval) const
{
    std::ostringstream why;
    why.precision(3);
    const double far = std::abs(result.meanLikelihood - 1);
    if (std::isnan(result.interval.low) || std::isnan(result.interval.high))
    {
        why << "the tilted trials do not reach the quantile";
    }
    else if (nTilted < 2 * m_options.batch)
    {
        why << "there are fewer than two batches of " << m_options.batch << " trials";
    }
    else if (far > 4 * std::sqrt(SquaredError(likelihoods)) && far > 1e-9)
    {
        result.drifted = true;
        why << "the likelihood ratios have the mean " << result.meanLikelihood << " instead of 1";
    }
    else if (result.effective < m_options.minEffective)
    {
        why << "the effective sample size of the tail is " << result.effective
            << " trials, less than " << m_options.minEffective;
    }
    else if (result.largestShare > m_options.maxShare)
    {
        why << "one trial is " << 100 * result.largestShare << " % of the tail";
    }
    else if (result.pilotDistance > 3)
    {
        result.drifted = true;
        why << "the 90th percentile differs from plain sampling by " << result.pilotDistance
            << " standard errors";
    }
    else if (!std::isnan(plainInterval.low) && !std::isnan(plainInterval.high) &&
             (result.interval.high < plainInterval.low || result.interval.low > plainInterval.high))
    {
        why << "the interval and that of plain sampling do not overlap";
    }
    return why.str();
}

CcevalImportance::Result
CcevalImportance::Evaluate(const CcevalProposal& proposal,
                           const std::vector<CcevalTiltedTrial>& tilted,
                           const std::vector<CcevalTiltedTrial>& plain) const
{
    NS_ASSERT_MSG(plain.size() >= 2, "the gates need trials without tilting");
    Result result;
    result.proposal = proposal;
    result.tuningTrials = m_tuningTrials;
    const auto plainCycles = WeighAll(plain);
    const CcevalPooledQuantile plainQuantile(m_options.p, plainCycles);
    const CcevalInterval plainInterval = plainQuantile.GetInterval(m_options.level);
    if (tilted.size() < 2)
    {
        result.interval = plainInterval;
        result.reason = "there are no tilted trials";
        return result;
    }
    const auto cycles = WeighAll(tilted);
    const CcevalPooledQuantile quantile(m_options.p, cycles);
    result.interval = m_options.batch && cycles.size() >= 2 * m_options.batch
                          ? quantile.GetBatchInterval(m_options.batch, m_options.level)
                          : quantile.GetInterval(m_options.level);

    result.spread = quantile.GetSpread(result.interval.estimate);

    const double plainError = plainQuantile.GetExcessError(result.interval.estimate);
    const double tiltedError = quantile.GetExcessError(result.interval.estimate);
    result.gain = std::pow(plainError / tiltedError, 2) * static_cast<double>(plain.size()) /
                  static_cast<double>(tilted.size());

    CcevalMoments likelihoods;
    double sum = 0;
    double squares = 0;
    double largest = 0;
    for (std::size_t i = 0; i < tilted.size(); ++i)
    {
        likelihoods.Add(std::exp(tilted[i].trace.GetLogLikelihood()));
        const double weight = TailWeight(cycles[i], result.interval.estimate);
        sum += weight;
        squares += weight * weight;
        largest = std::max(largest, weight);
    }
    result.meanLikelihood = likelihoods.GetMean();
    result.effective = squares > 0 ? sum * sum / squares : 0;
    result.largestShare = sum > 0 ? largest / sum : 1;
    result.pilotDistance = GetPilotDistance(cycles, plainCycles, m_options.level);
    result.reason = FindReason(result, cycles.size(), likelihoods, plainInterval);
    result.tilted = result.reason.empty();
    if (!result.tilted)
    {
        result.interval = plainInterval;
    }
    return result;
}

int64_t
CcevalSwitchNs(const CcevalTiltedTrial& trial, double threshold)
{
    int64_t switchNs = INT64_MAX;
    for (std::size_t i = 0; i < trial.values.size(); ++i)
    {
        if (trial.values[i] > threshold)
        {
            switchNs = std::min(switchNs, trial.trace.flows[i].startNs + trial.fctNs[i]);
        }
    }
    return switchNs;
}

} // namespace ns3

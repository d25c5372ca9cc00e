/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "cceval-pooled-quantile.h"

#include "cceval-control-variate.h"
#include "cceval-moments.h"

#include "ns3/assert.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace ns3
{

namespace
{

constexpr double SLACK = 1e-12; //!< relative; limits such as (1 - 0.99) 100 are not exact

/// Thresholds of a cheap method, relative to the one that corresponds to g: several thresholds
/// let the regression follow a relation that is noisy and not quite proportional.
constexpr double THRESHOLDS[] = {0.9, 0.97, 1.03, 1.1};

constexpr double CHORD = 2; //!< factor of the odds at the ends of the slope's chord
constexpr double SHAPE = 4; //!< factor of the odds at the second measurement of the dispersion
constexpr double SHAPE_ERROR = 0.3; //!< error of ln D there relative to that at the quantile
constexpr double CLUSTERS = 3;      //!< Var(ln D) times the effective sample size

const double NONE = std::numeric_limits<double>::quiet_NaN(); //!< missing number

/**
 * @param cycle sorted in descending order here
 */
void
SortDescending(CcevalCycle& cycle)
{
    std::sort(cycle.values.begin(), cycle.values.end(), [](const auto& a, const auto& b) {
        return a.first > b.first;
    });
}

/**
 * @param cycle values in descending order
 * @param g threshold
 * @return sum of the weights of the values above it
 */
double
WeightAbove(const CcevalCycle& cycle, double g)
{
    double sum = 0;
    for (const auto& [value, weight] : cycle.values)
    {
        if (!(value > g))
        {
            break;
        }
        sum += weight;
    }
    return sum;
}

} // namespace

double
CcevalTopDownQuantile(std::vector<std::pair<double, double>> values, double limit, bool printed)
{
    std::sort(values.begin(), values.end(), [](const auto& a, const auto& b) {
        return a.first > b.first;
    });
    const double most = limit * (1 + SLACK);
    double sum = 0;
    double above = NONE;
    for (const auto& [value, weight] : values)
    {
        sum += weight;
        if (sum > most)
        {
            return printed ? above : value;
        }
        above = value;
    }
    return printed ? above : NONE;
}

CcevalPooledQuantile::CcevalPooledQuantile(double p, std::vector<CcevalCycle> cycles)
    : m_p(p),
      m_cycles(std::move(cycles))
{
    NS_ASSERT_MSG(p > 0 && p < 1 && m_cycles.size() >= 2, "no such quantile");
    for (CcevalCycle& cycle : m_cycles)
    {
        SortDescending(cycle);
        for (const auto& value : cycle.values)
        {
            m_sorted.push_back(value.first);
        }
    }
    std::sort(m_sorted.begin(), m_sorted.end());
    m_sorted.erase(std::unique(m_sorted.begin(), m_sorted.end()), m_sorted.end());
}

void
CcevalPooledQuantile::AddPreEstimate(std::vector<CcevalCycle> trials,
                                     std::vector<CcevalCycle> traces,
                                     double least)
{
    NS_ASSERT_MSG(trials.size() == m_cycles.size() && traces.size() >= 2, "a cycle per trial");
    double flows = 0;
    double itsFlows = 0;
    std::vector<std::pair<double, double>> mine;
    std::vector<std::pair<double, double>> its;
    for (std::size_t i = 0; i < trials.size(); ++i)
    {
        flows += m_cycles[i].flows;
        itsFlows += trials[i].flows;
        mine.insert(mine.end(), m_cycles[i].values.begin(), m_cycles[i].values.end());
        its.insert(its.end(), trials[i].values.begin(), trials[i].values.end());
        SortDescending(trials[i]);
    }
    for (CcevalCycle& trace : traces)
    {
        SortDescending(trace);
    }
    const double ratio = CcevalTopDownQuantile(its, (1 - m_p) * itsFlows) /
                         CcevalTopDownQuantile(mine, (1 - m_p) * flows);
    if (std::isfinite(ratio) && ratio > 0)
    {
        m_preEstimates.push_back({std::move(trials), std::move(traces), ratio, least});
    }
}

std::vector<double>
CcevalPooledQuantile::GetExcesses(double g) const
{
    std::vector<double> excesses;
    excesses.reserve(m_cycles.size());
    for (const CcevalCycle& cycle : m_cycles)
    {
        excesses.push_back(WeightAbove(cycle, g) - (1 - m_p) * cycle.flows);
    }
    return excesses;
}

std::vector<double>
CcevalPooledQuantile::GetControls(double g, const std::vector<const CcevalCycle*>& said) const
{
    std::vector<double> controls{said.front()->flows};
    for (std::size_t s = 0; s < said.size(); ++s)
    {
        for (const double factor : THRESHOLDS)
        {
            const double threshold =
                std::max(g * m_preEstimates[s].ratio * factor, m_preEstimates[s].least);
            controls.push_back(WeightAbove(*said[s], threshold));
        }
    }
    return controls;
}

CcevalPooledQuantile::Excess
CcevalPooledQuantile::ComputeExcess(double g) const
{
    const std::vector<double> excesses = GetExcesses(g);
    if (m_preEstimates.empty())
    {
        CcevalMoments moments;
        for (const double excess : excesses)
        {
            moments.Add(excess);
        }
        const auto n = static_cast<double>(moments.GetN());
        return {moments.GetMean(),
                moments.GetDeviation() / std::sqrt(n),
                moments.GetSkewness() / std::sqrt(n),
                n - 1,
                0};
    }
    auto controlsOf = [&](std::size_t n, auto pick) {
        std::vector<std::vector<double>> rows;
        for (std::size_t i = 0; i < n; ++i)
        {
            std::vector<const CcevalCycle*> said;
            for (const PreEstimate& estimate : m_preEstimates)
            {
                said.push_back(&pick(estimate)[i]);
            }
            rows.push_back(GetControls(g, said));
        }
        return rows;
    };
    const auto ofTrials = [](const PreEstimate& estimate) -> const std::vector<CcevalCycle>& {
        return estimate.trials;
    };
    const auto ofTraces = [](const PreEstimate& estimate) -> const std::vector<CcevalCycle>& {
        return estimate.traces;
    };
    const auto means =
        CcevalControlMeans::Make(controlsOf(m_preEstimates.front().traces.size(), ofTraces));
    constexpr double ANY_LEVEL = 0.95; // level of an unused interval
    const auto made =
        CcevalControlled::Make(excesses, controlsOf(m_cycles.size(), ofTrials), means, ANY_LEVEL);
    return {made.interval.estimate,
            made.error,
            made.lambda,
            made.freedom,
            made.controlShare * made.error * made.error};
}

CcevalInterval
CcevalPooledQuantile::GetExcess(double g, double level) const
{
    const Excess excess = ComputeExcess(g);
    return CcevalSkewedInterval(excess.mean,
                                excess.error,
                                excess.lambda,
                                CcevalStudentQuantile((1 + level) / 2, excess.freedom));
}

double
CcevalPooledQuantile::GetExcessError(double g) const
{
    return ComputeExcess(g).error;
}

double
CcevalPooledQuantile::GetEffectiveSampleSize(double g) const
{
    double sum = 0;
    double squares = 0;
    for (const CcevalCycle& cycle : m_cycles)
    {
        const double weight = WeightAbove(cycle, g);
        sum += weight;
        squares += weight * weight;
    }
    return squares > 0 ? sum * sum / squares : 0.0;
}

CcevalPooledQuantile::Tail
CcevalPooledQuantile::ExamineTail(double g, double probability) const
{
    Tail tail{{}, 0, probability, 0, 0};
    CcevalMoments moments;
    for (const CcevalCycle& cycle : m_cycles)
    {
        tail.excesses.push_back(WeightAbove(cycle, g) - probability * cycle.flows);
        tail.weight += probability * cycle.flows / static_cast<double>(m_cycles.size());
        moments.Add(tail.excesses.back());
    }
    const auto n = static_cast<double>(moments.GetN());
    const double variance = moments.GetVariance();
    tail.dispersion = variance / (tail.weight * (1 - probability));
    double sum = 0;
    for (const double excess : tail.excesses)
    {
        const double square = std::pow(excess - moments.GetMean(), 2);
        sum += variance > 0 ? std::pow(square / variance - 1, 2) : 0.0;
    }
    tail.logVariance =
        std::max({sum / (n * n), 2 / (n - 1), CLUSTERS / std::max(1.0, GetEffectiveSampleSize(g))});
    return tail;
}

double
CcevalPooledQuantile::GetShare(double times) const
{
    const double odds = times * (1 - m_p) / m_p;
    return odds / (1 + odds);
}

double
CcevalPooledQuantile::GetThreshold(double times) const
{
    std::vector<std::pair<double, double>> values;
    double flows = 0;
    for (const CcevalCycle& cycle : m_cycles)
    {
        flows += cycle.flows;
        values.insert(values.end(), cycle.values.begin(), cycle.values.end());
    }
    return CcevalTopDownQuantile(std::move(values), GetShare(times) * flows);
}

double
CcevalPooledQuantile::GetSlope(double upper, double lower) const
{
    return m_p * 2 * std::log(CHORD) / std::log(upper / lower);
}

std::vector<double>
CcevalPooledQuantile::GetPseudoValues() const
{
    const double quantile = GetThreshold(1);
    const double slope = GetSlope(GetThreshold(1 / CHORD), GetThreshold(CHORD));
    if (std::isnan(quantile) || std::isnan(slope))
    {
        return {};
    }
    const Tail tail = ExamineTail(quantile, 1 - m_p);
    const auto n = static_cast<double>(m_cycles.size());
    const double mean = std::accumulate(tail.excesses.begin(), tail.excesses.end(), 0.0) / n;
    std::vector<double> values;
    for (const double excess : tail.excesses)
    {
        values.push_back(quantile + (excess - mean) * quantile / (tail.weight * slope));
    }
    return values;
}

std::vector<CcevalCycle>
CcevalPooledQuantile::GetTails(double times) const
{
    const double least = GetThreshold(times);
    std::vector<CcevalCycle> tails;
    for (const CcevalCycle& cycle : m_cycles)
    {
        tails.push_back({{}, cycle.flows});
        for (const auto& value : cycle.values)
        {
            if (!(value.first < least)) // all values if it is unknown
            {
                tails.back().values.push_back(value);
            }
        }
    }
    return tails;
}

CcevalSpread
CcevalPooledQuantile::GetSpread(double quantile) const
{
    CcevalSpread spread;
    if (!(GetEffectiveSampleSize(quantile) > 0))
    {
        spread.perTrial = NONE;
        return spread;
    }
    bool tilted = false;
    for (const CcevalCycle& cycle : m_cycles)
    {
        for (const auto& value : cycle.values)
        {
            tilted = tilted || value.second != 1;
        }
    }
    const double upper = GetThreshold(1 / CHORD);
    const double lower = GetThreshold(CHORD);
    const double slope = GetSlope(upper, lower);
    const Tail above = ExamineTail(upper, GetShare(1 / CHORD));
    const Tail below = ExamineTail(lower, GetShare(CHORD));
    const auto n = static_cast<double>(m_cycles.size());
    double slopeVariance = 0;
    for (std::size_t i = 0; i < m_cycles.size(); ++i)
    {
        auto influence = [i](const Tail& tail) {
            return tail.excesses[i] / (tail.weight * (1 - tail.probability));
        };
        slopeVariance += std::pow((influence(above) - influence(below)) / std::log(CHORD) / n, 2);
    }
    const Tail tail = ExamineTail(quantile, 1 - m_p);
    const double relative = tail.weight * slope;
    if (!m_preEstimates.empty())
    {
        const Excess excess = ComputeExcess(quantile);
        spread.fixed = excess.fixed / (relative * relative);
        spread.perTrial = n * (excess.error * excess.error - excess.fixed) / (relative * relative);
        spread.logVariance = 2 / excess.freedom + slopeVariance;
        return spread;
    }
    double dispersion = tail.dispersion;
    double logVariance = tail.logVariance;
    if (!tilted && dispersion > 0)
    {
        const Tail shape = ExamineTail(GetThreshold(SHAPE), GetShare(SHAPE));
        if (shape.dispersion > 0)
        {
            // a rarer tail is not known more precisely
            const double mine = 1 / std::max(logVariance, shape.logVariance);
            const double its = 1 / (shape.logVariance + SHAPE_ERROR * SHAPE_ERROR);
            dispersion = std::exp((mine * std::log(dispersion) + its * std::log(shape.dispersion)) /
                                  (mine + its));
            logVariance = 1 / (mine + its);
        }
    }
    spread.perTrial = dispersion * tail.weight * m_p / (relative * relative);
    spread.logVariance = logVariance + slopeVariance;
    return spread;
}

std::size_t
CcevalPooledQuantile::GetNControls() const
{
    return m_preEstimates.empty() ? 0 : 1 + m_preEstimates.size() * std::size(THRESHOLDS);
}

std::size_t
CcevalPooledQuantile::GetNValues() const
{
    return m_sorted.size();
}

double
CcevalPooledQuantile::GetTailProbability(double g) const
{
    double above = 0;
    double flows = 0;
    for (const CcevalCycle& cycle : m_cycles)
    {
        flows += cycle.flows;
        for (const auto& [value, weight] : cycle.values)
        {
            above += value > g ? weight : 0;
        }
    }
    return above / flows;
}

CcevalInterval
CcevalPooledQuantile::GetInterval(double level) const
{
    if (m_sorted.empty())
    {
        return {NONE, NONE, NONE};
    }
    // Means fall with g, and so do their intervals, but for steps of the error: bisection finds the
    // ranks at which they pass 0. E[Y(g)] is constant between two values of the sample.
    double roundOff = 0;
    for (const CcevalCycle& cycle : m_cycles)
    {
        roundOff += SLACK * (1 - m_p) * cycle.flows / static_cast<double>(m_cycles.size());
    }
    auto firstNotAbove = [&](auto pick) {
        std::size_t low = 0;
        std::size_t high = m_sorted.size(); // at the largest value nothing is above
        while (low < high)
        {
            const std::size_t middle = low + (high - low) / 2;
            if (pick(GetExcess(m_sorted[middle], level)) > roundOff)
            {
                low = middle + 1;
            }
            else
            {
                high = middle;
            }
        }
        return low;
    };
    const std::size_t n = m_sorted.size();
    const std::size_t middle =
        firstNotAbove([](const CcevalInterval& excess) { return excess.estimate; });
    std::size_t low = firstNotAbove([](const CcevalInterval& excess) { return excess.low; });
    std::size_t high = firstNotAbove([](const CcevalInterval& excess) { return excess.high; });
    if (!m_preEstimates.empty())
    {
        // If the methods agree on all flows near Q, there is no residual, and one more flow is many
        // standard errors. Between values of the sample there is no information.
        low = std::min(low, middle > 0 ? middle - 1 : 0);
        high = std::max(high, middle + 1);
    }
    CcevalInterval interval{NONE, NONE, NONE};
    interval.estimate = middle < n ? m_sorted[middle] : NONE;
    interval.low = low < n ? m_sorted[low] : NONE;
    // at the largest value of the sample the excess does not vary, so that it is no bound
    interval.high = high + 1 < n ? m_sorted[high] : NONE;
    return interval;
}

CcevalInterval
CcevalPooledQuantile::GetBatchInterval(uint64_t batch, double level, bool printed) const
{
    NS_ASSERT_MSG(batch >= 1 && m_cycles.size() >= 2 * batch, "at least two batches");
    CcevalMoments quantiles;
    for (std::size_t first = 0; first + batch <= m_cycles.size(); first += batch)
    {
        std::vector<std::pair<double, double>> values;
        double flows = 0;
        for (std::size_t i = first; i < first + batch; ++i)
        {
            values.insert(values.end(), m_cycles[i].values.begin(), m_cycles[i].values.end());
            flows += m_cycles[i].flows;
        }
        quantiles.Add(CcevalTopDownQuantile(values, (1 - m_p) * flows, printed));
    }
    return CcevalMeanInterval(quantiles, level);
}

} // namespace ns3

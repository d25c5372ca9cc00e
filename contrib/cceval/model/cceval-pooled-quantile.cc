/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "cceval-pooled-quantile.h"

#include "ns3/assert.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace ns3
{

namespace
{

constexpr double SLACK = 1e-12; //!< relative; limits such as (1 - 0.99) 100 are not exact
const double NONE = std::numeric_limits<double>::quiet_NaN(); //!< no such number

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
        std::sort(cycle.values.begin(), cycle.values.end(), [](const auto& a, const auto& b) {
            return a.first > b.first;
        });
        for (const auto& value : cycle.values)
        {
            m_sorted.push_back(value.first);
        }
    }
    std::sort(m_sorted.begin(), m_sorted.end());
    m_sorted.erase(std::unique(m_sorted.begin(), m_sorted.end()), m_sorted.end());
}

void
CcevalPooledQuantile::SetControls(std::vector<std::vector<double>> controls,
                                  const CcevalControlMeans& means)
{
    NS_ASSERT_MSG(controls.size() == m_cycles.size(), "a row of controls per trial");
    m_controls = std::move(controls);
    m_controlMeans = means;
}

std::vector<double>
CcevalPooledQuantile::GetExcesses(double g) const
{
    std::vector<double> excesses;
    excesses.reserve(m_cycles.size());
    for (const CcevalCycle& cycle : m_cycles)
    {
        double sum = -(1 - m_p) * cycle.flows;
        for (const auto& [value, weight] : cycle.values)
        {
            if (!(value > g))
            {
                break;
            }
            sum += weight;
        }
        excesses.push_back(sum);
    }
    return excesses;
}

CcevalInterval
CcevalPooledQuantile::GetExcess(double g, double level) const
{
    const std::vector<double> excesses = GetExcesses(g);
    if (!m_controls.empty())
    {
        return CcevalControlled::Make(excesses, m_controls, m_controlMeans, level).interval;
    }
    CcevalMoments moments;
    for (const double excess : excesses)
    {
        moments.Add(excess);
    }
    return CcevalMeanInterval(moments, level);
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
    // Means fall with g, and so, but for steps of the error, do their intervals: the ranks at which
    // they pass 0 are found by halving. E[Y(g)] is constant between two values of the sample.
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
    const std::size_t low = firstNotAbove([](const CcevalInterval& excess) { return excess.low; });
    const std::size_t high = firstNotAbove([](const CcevalInterval& excess) { return excess.high; });
    CcevalInterval interval{NONE, NONE, NONE};
    interval.estimate = middle < n ? m_sorted[middle] : NONE;
    interval.low = low < n ? m_sorted[low] : NONE;
    // at the largest value of the sample the excess no longer varies, so that its end is no bound
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

/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "cceval-comparison.h"

#include "cceval-moments.h"

#include "ns3/dcn-error.h"

#include <algorithm>
#include <cmath>

namespace ns3
{

CcevalComparison::CcevalComparison(std::vector<std::string> names,
                                   const std::vector<std::vector<double>>& values,
                                   double level,
                                   uint64_t others)
    : m_names(std::move(names))
{
    CcevalCheckLevel(level);
    const std::size_t n = m_names.size();
    if (n < 2 || values.size() != n)
    {
        DcnFail("a comparison needs two algorithms, but there is ", n);
    }
    for (const auto& each : values)
    {
        if (each.size() < 2 || each.size() != values.front().size())
        {
            DcnFail("a comparison needs at least two trials, the same for all algorithms");
        }
    }
    const double each = CcevalBonferroniLevel(level, others + n * (n - 1) / 2);
    for (std::size_t a = 0; a < n; ++a)
    {
        for (std::size_t b = a + 1; b < n; ++b)
        {
            CcevalMoments difference;
            CcevalMoments first;
            CcevalMoments second;
            for (std::size_t i = 0; i < values[a].size(); ++i)
            {
                difference.Add(values[a][i] - values[b][i]);
                first.Add(values[a][i]);
                second.Add(values[b][i]);
            }
            const double sum = first.GetVariance() + second.GetVariance();
            const double product = first.GetDeviation() * second.GetDeviation();
            const auto trials = static_cast<double>(difference.GetN());
            const double freedom =
                2 / (2 / (trials - 1) + std::max(0.0, difference.GetExcessKurtosis()) / trials);
            const double half = CcevalStudentQuantile((1 + each) / 2, freedom) *
                                difference.GetDeviation() / std::sqrt(trials);
            const double mean = difference.GetMean();
            Pair pair{a, b, {mean, mean - half, mean + half}, 0, 0, 0, true};
            pair.skewness = difference.GetSkewness();
            pair.assured = difference.GetN() >= MIN_TRIALS && difference.GetVariance() > 0;
            pair.correlation = product > 0 ? (sum - difference.GetVariance()) / (2 * product) : 0;
            pair.gain = difference.GetVariance() > 0 ? sum / difference.GetVariance() : INFINITY;
            m_pairs.push_back(pair);
        }
    }
}

const std::vector<CcevalComparison::Pair>&
CcevalComparison::GetPairs() const
{
    return m_pairs;
}

std::string
CcevalComparison::DescribeOrder() const
{
    const std::size_t n = m_names.size();
    std::vector<std::vector<bool>> below(n, std::vector<bool>(n, false));
    for (const Pair& pair : m_pairs)
    {
        below[pair.first][pair.second] = pair.GetSign() < 0;
        below[pair.second][pair.first] = pair.GetSign() > 0;
    }
    std::string text;
    for (std::size_t a = 0; a < n; ++a)
    {
        for (std::size_t b = 0; b < n; ++b)
        {
            bool follows = false;
            for (std::size_t c = 0; c < n; ++c)
            {
                follows = follows || (below[a][c] && below[c][b]);
            }
            if (below[a][b] && !follows)
            {
                text += (text.empty() ? "" : ", ") + m_names[a] + " < " + m_names[b];
            }
        }
    }
    return text.empty() ? "no difference is resolved" : text;
}

} // namespace ns3

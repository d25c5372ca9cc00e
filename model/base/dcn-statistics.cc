/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "dcn-statistics.h"

#include "ns3/assert.h"

#include <limits>
#include <numeric>

namespace ns3
{

double
DcnQuantile(const std::vector<double>& sorted, double p)
{
    NS_ASSERT_MSG(!sorted.empty() && p >= 0 && p <= 1, "quantile of nothing, or p outside [0, 1]");
    const double position = p * static_cast<double>(sorted.size() - 1);
    const auto below = static_cast<std::size_t>(position);
    if (below + 1 >= sorted.size())
    {
        return sorted.back();
    }
    const double fraction = position - static_cast<double>(below);
    return sorted[below] + fraction * (sorted[below + 1] - sorted[below]);
}

double
DcnWeightedQuantile(const std::vector<std::pair<double, double>>& sorted, double p)
{
    NS_ASSERT_MSG(!sorted.empty() && p >= 0 && p <= 1, "quantile of nothing, or p outside [0, 1]");
    double total = 0;
    for (const auto& [value, weight] : sorted)
    {
        total += weight;
    }
    // position of value i, times the denominator of s_i
    const double target = p * (total - sorted.front().second / 2 - sorted.back().second / 2);
    double place = 0;
    for (std::size_t i = 1; i < sorted.size(); ++i)
    {
        const double step = (sorted[i - 1].second + sorted[i].second) / 2;
        if (place + step >= target)
        {
            const double fraction = (target - place) / step;
            return sorted[i - 1].first + fraction * (sorted[i].first - sorted[i - 1].first);
        }
        place += step;
    }
    return sorted.back().first;
}

double
DcnMean(const std::vector<double>& values)
{
    NS_ASSERT_MSG(!values.empty(), "mean of nothing");
    return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

const std::vector<DcnSizeClass>&
DcnSizeClasses()
{
    static const std::vector<DcnSizeClass> classes{
        {"all", 0, std::numeric_limits<double>::infinity()},
        {"<1KB", 0, 1000},
        {"1-10KB", 1000, 10000},
        {"10-50KB", 10000, 50000},
        {">50KB", 50000, std::numeric_limits<double>::infinity()},
    };
    return classes;
}

} // namespace ns3

/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "m3-answer.h"

#include "ns3/assert.h"
#include "ns3/dcn-error.h"
#include "ns3/dcn-statistics.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace ns3
{

M3Answer::M3Answer(const DcnScenario& scenario,
                   std::vector<DcnDrawnPath> drawn,
                   DcnPathSampling sampling,
                   std::vector<std::vector<M3Point>> points)
    : m_scenario(scenario),
      m_drawn(std::move(drawn)),
      m_sampling(sampling),
      m_points(std::move(points))
{
    NS_ASSERT_MSG(m_drawn.size() == m_points.size(), "points of each path");
}

M3Limits
M3Answer::Ask(const M3Query& query) const
{
    if (!(query.level > 0) || !(query.level < 1))
    {
        DcnFail("a percentile must be between 0 and 1, but ", query.level, " is asked for");
    }
    std::vector<std::pair<double, double>> sorted;        // slowdown, weight
    std::vector<std::vector<std::pair<double, double>>> own(m_drawn.size()); // slowdown, flows
    double total = 0;
    M3Limits limits;
    for (std::size_t i = 0; i < m_drawn.size(); ++i)
    {
        for (const M3Point& point : m_points[i])
        {
            const DcnFlow& flow = m_scenario.GetFlows()[point.flow];
            const auto bytes = static_cast<double>(flow.sizeBytes);
            if (bytes >= query.leastBytes && bytes < query.endBytes &&
                (query.src == M3Query::ANY || flow.src == query.src) &&
                (query.dst == M3Query::ANY || flow.dst == query.dst))
            {
                const double weight = m_drawn[i].flowWeight * point.nFlows;
                sorted.emplace_back(point.slowdown, weight);
                own[i].emplace_back(point.slowdown, point.nFlows);
                total += weight;
            }
        }
        limits.nPaths += own[i].empty() ? 0 : 1;
    }
    if (sorted.empty())
    {
        return limits;
    }
    std::sort(sorted.begin(), sorted.end());
    limits.value = DcnWeightedQuantile(sorted, query.level);
    double variance = 0;
    for (std::size_t i = 0; i < m_drawn.size(); ++i)
    {
        double z = 0;
        for (const auto& [slowdown, flows] : own[i])
        {
            z += flows * ((slowdown > limits.value ? 1 : 0) - (1 - query.level));
        }
        const double weight = m_drawn[i].flowWeight;
        const double factor = m_sampling == DcnPathSampling::REPLACEMENT
                                  ? 1.0 / m_drawn[i].multiplicity
                                  : std::max(0.0, 1 - 1 / weight);
        variance += factor * weight * weight * z * z;
    }
    const double deviation = DEVIATIONS * std::sqrt(variance) / total;
    limits.low = DcnWeightedQuantile(sorted, std::max(0.0, query.level - deviation));
    limits.high = DcnWeightedQuantile(sorted, std::min(1.0, query.level + deviation));
    return limits;
}

std::vector<DcnEstimate::Sample>
M3Answer::MakeSamples() const
{
    std::vector<DcnEstimate::Sample> samples;
    for (std::size_t i = 0; i < m_drawn.size(); ++i)
    {
        for (const M3Point& point : m_points[i])
        {
            const DcnFlow& flow = m_scenario.GetFlows()[point.flow];
            samples.push_back({point.slowdown,
                               flow.sizeBytes,
                               m_drawn[i].flowWeight * point.nFlows,
                               flow.src,
                               flow.dst});
        }
    }
    return samples;
}

} // namespace ns3

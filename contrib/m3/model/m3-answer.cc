/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "m3-answer.h"

#include "ns3/assert.h"
#include "ns3/dcn-error.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <utility>

namespace ns3
{

namespace
{

/**
 * @param topology the network
 * @param hosts some hosts; empty: all
 * @return whether a node is one of them, by node
 */
std::vector<bool>
Select(const DcnTopology& topology, const std::vector<uint32_t>& hosts)
{
    std::vector<bool> isSelected(topology.GetNNodes(), hosts.empty());
    for (uint32_t host : hosts)
    {
        if (host >= topology.GetNNodes() || !topology.IsHost(host))
        {
            DcnFail("node ", host, " is not a host of the network");
        }
        isSelected[host] = true;
    }
    return isSelected;
}

} // namespace

M3Answer::M3Answer(Ptr<const DcnScenario> scenario,
                   std::vector<DcnDrawnPath> drawn,
                   DcnPathSampling sampling,
                   std::vector<std::vector<M3Point>> points,
                   std::vector<std::string> warnings,
                   const M3Layout& layout)
    : m_scenario(scenario),
      m_drawn(std::move(drawn)),
      m_sampling(sampling),
      m_points(std::move(points)),
      m_warnings(std::move(warnings)),
      m_highest(layout.knots.back())
{
    NS_ASSERT_MSG(m_drawn.size() == m_points.size(), "points of each path");
}

void
M3Answer::Check(const DcnSlowdownQuery& query) const
{
    if (!(query.p > 0) || !(query.p <= m_highest))
    {
        DcnFail("m3 predicts percentiles above 0 and up to ",
                100 * m_highest,
                ", but ",
                100 * query.p,
                " is asked for");
    }
    if (query.smallestBytes > query.largestBytes)
    {
        DcnFail("sizes from ",
                query.smallestBytes,
                " to ",
                query.largestBytes,
                " bytes are asked for, which is no range");
    }
    const uint32_t nLinks = m_scenario->GetTopology().GetNLinks();
    if (query.link && *query.link >= nLinks)
    {
        DcnFail("there is no link ", *query.link, "; the network has ", nLinks, " directed links");
    }
}

std::optional<DcnSlowdownQuantile>
M3Answer::Ask(const DcnSlowdownQuery& query) const
{
    Check(query);
    const auto isSource = Select(m_scenario->GetTopology(), query.sources);
    const auto isDestination = Select(m_scenario->GetTopology(), query.destinations);
    std::vector<std::pair<double, double>> sorted;                           // slowdown, weight
    std::vector<std::vector<std::pair<double, double>>> own(m_drawn.size()); // slowdown, flows
    double total = 0;
    DcnSlowdownQuantile quantile;
    quantile.isWhole = true;
    quantile.p = query.p;
    for (std::size_t i = 0; i < m_drawn.size(); ++i)
    {
        if (query.link && !m_points[i].empty())
        {
            const DcnPath path = m_scenario->GetPath(m_points[i].front().flow);
            if (std::find(path.begin(), path.end(), *query.link) == path.end())
            {
                continue;
            }
        }
        for (const M3Point& point : m_points[i])
        {
            const DcnFlow& flow = m_scenario->GetFlows()[point.flow];
            if (flow.sizeBytes >= query.smallestBytes && flow.sizeBytes <= query.largestBytes &&
                isSource[flow.src] && isDestination[flow.dst])
            {
                const double weight = m_drawn[i].flowWeight * point.nFlows;
                sorted.emplace_back(point.slowdown, weight);
                own[i].emplace_back(point.slowdown, point.nFlows);
                total += weight;
            }
        }
        quantile.n += own[i].empty() ? 0 : 1;
    }
    if (sorted.empty())
    {
        return std::nullopt;
    }
    std::sort(sorted.begin(), sorted.end());
    quantile.value = DcnWeightedQuantile(sorted, query.p);
    double variance = 0;
    for (std::size_t i = 0; i < m_drawn.size(); ++i)
    {
        double z = 0;
        for (const auto& [slowdown, flows] : own[i])
        {
            z += flows * ((slowdown > quantile.value ? 1 : 0) - (1 - query.p));
        }
        const double weight = m_drawn[i].flowWeight;
        const double factor = m_sampling == DcnPathSampling::REPLACEMENT
                                  ? 1.0 / m_drawn[i].multiplicity
                                  : std::max(0.0, 1 - 1 / weight);
        variance += factor * weight * weight * z * z;
        quantile.isWhole = quantile.isWhole && (own[i].empty() || factor == 0);
    }
    const double deviation = DEVIATIONS * std::sqrt(variance) / total;
    quantile.lower = DcnWeightedQuantile(sorted, std::max(0.0, query.p - deviation));
    quantile.upper = DcnWeightedQuantile(sorted, std::min(1.0, query.p + deviation));
    return quantile;
}

std::vector<DcnEstimate::Sample>
M3Answer::MakeSamples() const
{
    std::vector<DcnEstimate::Sample> samples;
    for (std::size_t i = 0; i < m_drawn.size(); ++i)
    {
        for (const M3Point& point : m_points[i])
        {
            const DcnFlow& flow = m_scenario->GetFlows()[point.flow];
            samples.push_back({point.slowdown,
                               flow.sizeBytes,
                               m_drawn[i].flowWeight * point.nFlows,
                               flow.src,
                               flow.dst});
        }
    }
    return samples;
}

std::size_t
M3Answer::GetNPaths() const
{
    return m_drawn.size();
}

const std::vector<std::string>&
M3Answer::GetWarnings() const
{
    return m_warnings;
}

} // namespace ns3

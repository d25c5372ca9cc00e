/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "m3-distribution.h"

#include "../features/m3-feature-extractor.h"
#include "../network/m3-network.h"

#include "ns3/assert.h"
#include "ns3/dcn-error.h"
#include "ns3/dcn-parallel.h"
#include "ns3/log.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <numeric>
#include <utility>

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("M3Distribution");

namespace
{

/**
 * @param knots levels
 * @param quantiles of a class at the knots
 * @param level between 0 and 1
 * @return the quantile there
 */
double
Interpolate(const std::vector<double>& knots, const float* quantiles, double level)
{
    const auto above = static_cast<std::size_t>(
        std::upper_bound(knots.begin(), knots.end(), level) - knots.begin());
    if (above == 0 || above == knots.size())
    {
        return quantiles[above == 0 ? 0 : knots.size() - 1];
    }
    const double share = (level - knots[above - 1]) / (knots[above] - knots[above - 1]);
    return (1 - share) * quantiles[above - 1] + share * quantiles[above];
}

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

/**
 * @brief Turn quantiles into points.
 * @param input the path
 * @param quantiles [nSlots x nKnots] log slowdowns
 * @param share of the flows that the points represent
 * @param points the points are appended to it
 */
void
Expand(const M3PathFeatures& input,
       const float* quantiles,
       double share,
       std::vector<M3Point>& points)
{
    const M3FeatureSet& featureSet = *input.featureSet;
    const uint32_t nKnots = featureSet.nKnots;
    for (uint32_t c = 0; c < featureSet.nSlots; ++c)
    {
        const auto& flows = input.flows[c];
        if (flows.empty())
        {
            continue;
        }
        const auto n = static_cast<double>(flows.size());
        const bool hasIdle = c < input.idle.size() && !input.idle[c].empty();
        for (uint32_t k = 0; k <= nKnots; ++k)
        {
            const double from = k == 0 ? 0 : featureSet.knots[k - 1];
            const double to = k == nKnots ? 1 : featureSet.knots[k];
            if (to <= from) // the last knot is 1
            {
                continue;
            }
            for (double quarter : {0.25, 0.75})
            {
                const double level = from + quarter * (to - from);
                const auto rank = std::min(flows.size() - 1, static_cast<std::size_t>(level * n));
                const bool isIdle = hasIdle && input.idle[c][rank] > 0;
                points.push_back(
                    {flows[rank],
                     c % featureSet.nClasses,
                     isIdle ? static_cast<double>(input.idle[c][rank])
                            : std::exp(Interpolate(featureSet.knots, quantiles + c * nKnots, level)),
                     share * n * (to - from) / 2});
            }
        }
    }
}

} // namespace

void
M3Expand(const M3PathFeatures& input,
         const float* quantiles,
         double share,
         std::vector<M3Point>& points)
{
    const auto nSlots = std::count_if(input.flows.begin(),
                                      input.flows.end(),
                                      [](const auto& flows) { return !flows.empty(); });
    const std::size_t perSlot = 2 * (input.featureSet->knots.size() + 1);
    points.reserve(points.size() + nSlots * perSlot * (share < 1 ? 2 : 1));
    Expand(input, quantiles, share, points);
    if (share < 1)
    {
        Expand(input, input.base.data(), 1 - share, points);
    }
}

M3Distribution
M3Distribution::Predict(const M3Network& network,
                        Ptr<const DcnScenario> scenario,
                        std::vector<DcnDrawnPath> drawn,
                        DcnPathSampling sampling,
                        uint32_t nThreads,
                        const Source& source)
{
    static constexpr std::size_t BATCH = 128; // paths in a call of the network
    const M3FeatureSet& featureSet = network.GetFeatureSet();
    const std::size_t n = drawn.size();
    std::vector<std::vector<M3Point>> points(n);
    const std::size_t nBatches = (n + BATCH - 1) / BATCH;
    std::vector<DcnTrainedRanges::Findings> outside(nBatches);
    const std::vector<float> none(featureSet.nOutputs, 0.0F); // of paths without a question
    DcnParallelFor(nBatches, nThreads, [&](std::size_t batch) {
        const std::size_t first = batch * BATCH;
        const std::size_t last = std::min(n, first + BATCH);
        std::vector<M3PathFeatures> inputs;
        inputs.reserve(last - first);
        std::vector<std::size_t> asked; // paths of the inputs
        for (std::size_t i = first; i < last; ++i)
        {
            M3PathFeatures input = source(i);
            if (input.IsIdle())
            {
                M3Expand(input, none.data(), 1, points[i]);
                continue;
            }
            inputs.push_back(std::move(input));
            asked.push_back(i);
            DcnTrainedRanges::Merge(outside[batch],
                                    network.GetRanges().Check(inputs.back().ranges));
        }
        if (inputs.empty())
        {
            return;
        }
        const std::vector<float> quantiles = network.Predict(inputs);
        for (std::size_t k = 0; k < asked.size(); ++k)
        {
            M3Expand(inputs[k],
                     quantiles.data() + k * featureSet.nOutputs,
                     network.GetCorrection(),
                     points[asked[k]]);
        }
    });
    DcnTrainedRanges::Findings findings;
    for (const auto& each : outside)
    {
        DcnTrainedRanges::Merge(findings, each);
    }
    NS_LOG_INFO("predicted " << n << " paths, " << findings.size()
                             << " quantities outside of the training's ranges");
    return {scenario,
            std::move(drawn),
            sampling,
            std::move(points),
            featureSet.knots.back(),
            DcnTrainedRanges::Describe(findings, n, "paths")};
}

M3Distribution::M3Distribution(Ptr<const DcnScenario> scenario,
                               std::vector<DcnDrawnPath> drawn,
                               DcnPathSampling sampling,
                               std::vector<std::vector<M3Point>> points,
                               double highest,
                               std::vector<std::string> warnings)
    : m_scenario(scenario),
      m_drawn(std::move(drawn)),
      m_sampling(sampling),
      m_points(std::move(points)),
      m_warnings(std::move(warnings)),
      m_highest(highest)
{
    NS_ASSERT_MSG(m_drawn.size() == m_points.size(), "points of each path");
    m_sorted.reserve(
        std::accumulate(m_points.begin(),
                        m_points.end(),
                        std::size_t{0},
                        [](std::size_t sum, const auto& ofPath) { return sum + ofPath.size(); }));
    for (uint32_t i = 0; i < m_points.size(); ++i)
    {
        for (const M3Point& point : m_points[i])
        {
            m_sorted.push_back(
                {point.slowdown, m_drawn[i].flowWeight * point.nFlows, i, point.flow});
        }
    }
    std::sort(m_sorted.begin(), m_sorted.end(), [](const Place& a, const Place& b) {
        return a.slowdown < b.slowdown || (a.slowdown == b.slowdown && a.weight < b.weight);
    });
}

void
M3Distribution::Check(const DcnSlowdownQuery& query) const
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
M3Distribution::Ask(const DcnSlowdownQuery& query) const
{
    Check(query);
    const auto isSource = Select(m_scenario->GetTopology(), query.sources);
    const auto isDestination = Select(m_scenario->GetTopology(), query.destinations);
    std::vector<bool> isOnLink(m_drawn.size(), true);
    for (std::size_t i = 0; query.link && i < m_drawn.size(); ++i)
    {
        if (!m_points[i].empty())
        {
            const DcnPath path = m_scenario->GetPath(m_points[i].front().flow);
            isOnLink[i] = std::find(path.begin(), path.end(), *query.link) != path.end();
        }
    }
    const auto& flows = m_scenario->GetFlows();
    std::vector<std::pair<double, double>> sorted; // slowdown, weight
    std::vector<uint32_t> paths;                   // of the same points
    double total = 0;
    sorted.reserve(m_sorted.size());
    paths.reserve(m_sorted.size());
    for (const Place& place : m_sorted)
    {
        const DcnFlow& flow = flows[place.flow];
        if (flow.sizeBytes >= query.smallestBytes && flow.sizeBytes <= query.largestBytes &&
            isSource[flow.src] && isDestination[flow.dst] && isOnLink[place.path])
        {
            sorted.emplace_back(place.slowdown, place.weight);
            paths.push_back(place.path);
            total += place.weight;
        }
    }
    if (sorted.empty())
    {
        return std::nullopt;
    }
    DcnSlowdownQuantile quantile;
    quantile.isWhole = true;
    quantile.p = query.p;
    quantile.value = DcnWeightedQuantile(sorted, query.p);
    std::vector<double> z(m_drawn.size(), 0.0); // w_p z_p
    std::vector<bool> isAsked(m_drawn.size(), false);
    for (std::size_t k = 0; k < sorted.size(); ++k)
    {
        const auto& [slowdown, weight] = sorted[k];
        z[paths[k]] += weight * ((slowdown > quantile.value ? 1 : 0) - (1 - query.p));
        isAsked[paths[k]] = true;
    }
    double variance = 0;
    for (std::size_t i = 0; i < m_drawn.size(); ++i)
    {
        const double factor = m_sampling == DcnPathSampling::REPLACEMENT
                                  ? 1.0 / m_drawn[i].multiplicity
                                  : std::max(0.0, 1 - 1 / m_drawn[i].flowWeight);
        variance += factor * z[i] * z[i];
        quantile.isWhole = quantile.isWhole && (!isAsked[i] || factor == 0);
        quantile.n += isAsked[i] ? 1 : 0;
    }
    const double deviation = DEVIATIONS * std::sqrt(variance) / total;
    quantile.lower = DcnWeightedQuantile(sorted, std::max(0.0, query.p - deviation));
    quantile.upper = DcnWeightedQuantile(sorted, std::min(1.0, query.p + deviation));
    return quantile;
}

std::vector<DcnEstimate::Sample>
M3Distribution::MakeSamples() const
{
    std::vector<DcnEstimate::Sample> samples;
    samples.reserve(m_sorted.size());
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
M3Distribution::GetNPaths() const
{
    return m_drawn.size();
}

const std::vector<std::string>&
M3Distribution::GetWarnings() const
{
    return m_warnings;
}

} // namespace ns3

/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "parsimon-clustering.h"

#include "ns3/log.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <tuple>

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("ParsimonClustering");

namespace
{

/**
 * @param values any order; sorted
 * @param nQuantiles how many numbers to return
 * @return the quantiles, see ParsimonLinkFeatures
 */
std::vector<float>
Quantiles(std::vector<float>& values, uint32_t nQuantiles)
{
    std::sort(values.begin(), values.end());
    std::vector<float> quantiles(nQuantiles);
    for (uint64_t i = 0; i < nQuantiles; ++i)
    {
        quantiles[i] = values[i * values.size() / nQuantiles];
    }
    return quantiles;
}

/**
 * @param load of the cluster's representative
 * @param options rules and threshold
 * @return largest difference of the load of a member
 */
double
LoadTolerance(double load, const ParsimonClusteringOptions& options)
{
    if (options.rules == ParsimonRules::PUBLISHED)
    {
        return options.loadThreshold;
    }
    const double idle = std::max(0.0, 1 - load);
    return options.loadThreshold * idle * idle;
}

/**
 * @param links features by link
 * @param first by link: the first link of its cluster
 * @return by link: the member of its cluster with the load nearest to the mean
 */
std::vector<uint32_t>
MoveToCentre(const std::vector<ParsimonLinkFeatures>& links, const std::vector<uint32_t>& first)
{
    std::vector<double> sums(links.size(), 0);
    std::vector<uint32_t> counts(links.size(), 0);
    for (std::size_t i = 0; i < links.size(); ++i)
    {
        sums[first[i]] += links[i].load;
        ++counts[first[i]];
    }
    std::vector<uint32_t> centres = first;
    auto distance = [&](uint32_t i) {
        return std::abs(links[i].load - sums[first[i]] / counts[first[i]]);
    };
    for (uint32_t i = 0; i < links.size(); ++i)
    {
        uint32_t& centre = centres[first[i]];
        if (distance(i) < distance(centre) || (distance(i) == distance(centre) && i < centre))
        {
            centre = i;
        }
    }
    std::vector<uint32_t> representative;
    for (uint32_t each : first)
    {
        representative.push_back(centres[each]);
    }
    return representative;
}

} // namespace

ParsimonClusteringOptions
ParsimonClusteringOptions::Of(ParsimonRules rules)
{
    ParsimonClusteringOptions options{rules, 100, 0.4, 0.06};
    if (rules == ParsimonRules::PUBLISHED)
    {
        options.nQuantiles = 1000;
        options.maxWmape = 0.1;
        options.loadThreshold = 0.005;
    }
    return options;
}

ParsimonLinkFeatures::ParsimonLinkFeatures(ParsimonPosition position,
                                           uint64_t capacityBps,
                                           const std::vector<std::pair<int64_t, uint64_t>>& flows,
                                           int64_t spanNs,
                                           uint32_t nQuantiles)
    : position(position),
      capacityBps(capacityBps),
      load(0)
{
    uint64_t bytes = 0;
    for (const auto& flow : flows)
    {
        bytes += flow.second;
    }
    if (flows.size() < 2)
    {
        return;
    }
    if (spanNs == 0)
    {
        // all flows start together: a span of 1 ns gives a load unlike any other
        spanNs = std::max<int64_t>(1, flows.back().first - flows.front().first);
    }
    load = 8e9 * static_cast<double>(bytes) /
           (static_cast<double>(spanNs) * static_cast<double>(capacityBps));
    std::vector<float> values;
    values.reserve(flows.size());
    for (const auto& flow : flows)
    {
        values.push_back(static_cast<float>(flow.second));
    }
    sizes = Quantiles(values, nQuantiles);
    values.clear();
    for (std::size_t i = 1; i < flows.size(); ++i)
    {
        values.push_back(static_cast<float>(flows[i].first - flows[i - 1].first));
    }
    gaps = Quantiles(values, nQuantiles);
}

double
ParsimonClustering::Wmape(const std::vector<float>& a, const std::vector<float>& b, double limit)
{
    constexpr std::size_t BLOCK = 16;
    const double weight = std::accumulate(a.begin(), a.end(), 0.0);
    const double enough = limit * weight;
    double difference = 0;
    // from the largest quantiles, which differ most, so that the sum exceeds the limit early
    for (std::size_t end = a.size(); end > 0;)
    {
        const std::size_t begin = end > BLOCK ? end - BLOCK : 0;
        for (std::size_t i = begin; i < end; ++i)
        {
            difference += std::abs(static_cast<double>(a[i]) - b[i]);
        }
        if (difference > enough)
        {
            break;
        }
        end = begin;
    }
    if (weight > 0)
    {
        return difference / weight;
    }
    return difference > 0 ? std::numeric_limits<double>::infinity() : 0;
}

std::vector<uint32_t>
ParsimonClustering::Cluster(const std::vector<ParsimonLinkFeatures>& links,
                            const ParsimonClusteringOptions& options)
{
    constexpr uint32_t NONE = std::numeric_limits<uint32_t>::max();
    const auto n = static_cast<uint32_t>(links.size());
    const bool isPublished = options.rules == ParsimonRules::PUBLISHED;
    std::vector<uint32_t> representative(n, NONE);

    // by kind, then by descending load; the position makes the order strict
    auto kind = [&](uint32_t i) {
        const auto& link = links[i];
        return std::make_tuple(link.sizes.empty(),
                               isPublished ? ParsimonPosition::FIRST_HOP : link.position,
                               isPublished ? 0 : link.capacityBps);
    };
    std::vector<uint32_t> order(n);
    std::iota(order.begin(), order.end(), 0U);
    std::sort(order.begin(), order.end(), [&](uint32_t a, uint32_t b) {
        return std::make_tuple(kind(a), -links[a].load, a) <
               std::make_tuple(kind(b), -links[b].load, b);
    });
    std::vector<uint32_t> place(n);
    for (uint32_t p = 0; p < n; ++p)
    {
        place[order[p]] = p;
    }

    auto isClose = [&](uint32_t first, uint32_t second) {
        const auto& a = links[first];
        const auto& b = links[second];
        return Wmape(a.sizes, b.sizes, options.maxWmape) < options.maxWmape &&
               Wmape(a.gaps, b.gaps, options.maxWmape) < options.maxWmape;
    };
    for (uint32_t turn = 0; turn < n; ++turn)
    {
        const uint32_t first = isPublished ? turn : order[turn];
        if (representative[first] != NONE)
        {
            continue;
        }
        representative[first] = first;
        const auto firstKind = kind(first);
        const bool withoutFeatures = links[first].sizes.empty();
        const double load = links[first].load;
        const double tolerance = LoadTolerance(load, options);
        auto visit = [&](uint32_t p) {
            const uint32_t candidate = order[p];
            if (kind(candidate) != firstKind)
            {
                return false;
            }
            const double difference = std::abs(links[candidate].load - load);
            if (!withoutFeatures && difference > tolerance)
            {
                return false;
            }
            // the published rules are strict, the default ones allow equality
            if (representative[candidate] == NONE &&
                (withoutFeatures ||
                 ((difference < tolerance || difference == 0) && isClose(first, candidate))))
            {
                representative[candidate] = first;
            }
            return true;
        };
        for (uint32_t p = place[first] + 1; p < n && visit(p); ++p)
        {
        }
        for (uint32_t p = place[first]; p > 0 && visit(p - 1); --p)
        {
        }
    }
    NS_LOG_INFO(n << " links in clusters by the " << (isPublished ? "published" : "default")
                  << " rules");
    return isPublished ? representative : MoveToCentre(links, representative);
}

} // namespace ns3

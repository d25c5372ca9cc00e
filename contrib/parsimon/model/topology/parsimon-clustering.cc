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
 * Split clusters that have few flows, and choose their representatives.
 * @param links features
 * @param order links of each cluster by descending load
 * @param first by link: a link of its cluster
 * @param leastFlows see ParsimonClustering
 * @return by link: its representative
 */
std::vector<uint32_t>
ChooseRepresentatives(const std::vector<ParsimonLinkFeatures>& links,
                      const std::vector<uint32_t>& order,
                      const std::vector<uint32_t>& first,
                      uint32_t leastFlows)
{
    std::vector<std::vector<uint32_t>> clusters(links.size()); // by first link, most are empty
    for (uint32_t i : order)
    {
        clusters[first[i]].push_back(i);
    }
    std::vector<uint32_t> representative(links.size());
    for (const auto& members : clusters)
    {
        const std::size_t n = members.size();
        std::size_t flows = 0;
        for (uint32_t i : members)
        {
            flows += links[i].nFlows;
        }
        const bool hasFeatures = flows > 0 && !links[members.front()].sizes.empty();
        const std::size_t wanted = hasFeatures ? (leastFlows * n + flows - 1) / flows : 1;
        const std::size_t parts = std::clamp<std::size_t>(wanted, 1, std::max<std::size_t>(1, n));
        for (std::size_t part = 0; part < parts; ++part)
        {
            const auto begin = members.begin() + static_cast<std::ptrdiff_t>(part * n / parts);
            const auto end = members.begin() + static_cast<std::ptrdiff_t>((part + 1) * n / parts);
            const double sum = std::accumulate(begin, end, 0.0, [&](double before, uint32_t i) {
                return before + links[i].load;
            });
            const double mean = sum / static_cast<double>(end - begin);
            const auto centre = std::min_element(begin, end, [&](uint32_t a, uint32_t b) {
                return std::make_pair(std::abs(links[a].load - mean), a) <
                       std::make_pair(std::abs(links[b].load - mean), b);
            });
            std::for_each(begin, end, [&](uint32_t i) { representative[i] = *centre; });
        }
    }
    return representative;
}

} // namespace

ParsimonClusteringOptions
ParsimonClusteringOptions::Of(ParsimonRules rules)
{
    ParsimonClusteringOptions options{rules, 100, 0.4, 0.06, 1000};
    if (rules == ParsimonRules::PUBLISHED)
    {
        options.nQuantiles = 1000;
        options.maxWmape = 0.1;
        options.loadThreshold = 0.005;
        options.leastFlows = 0;
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
      nFlows(flows.size()),
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
    return isPublished ? representative
                       : ChooseRepresentatives(links, order, representative, options.leastFlows);
}

} // namespace ns3

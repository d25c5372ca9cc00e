/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "mql-similarity.h"

#include "ns3/dcn-error.h"

#include <algorithm>
#include <cmath>
#include <cstring>

namespace ns3
{

MqlSimilarityGrid::MqlSimilarityGrid(double threshold)
{
    if (!(threshold >= 0) || std::isinf(threshold))
    {
        DcnFail("the similarity threshold must be at least 0, not ", threshold);
    }
    if (threshold > 0)
    {
        m_perLog = 1 / std::log1p(threshold);
    }
}

int64_t
MqlSimilarityGrid::Bin(double value) const
{
    constexpr double ZERO = 1e-9;
    if (std::abs(value) < ZERO)
    {
        return INT64_MIN;
    }
    if (m_perLog == 0)
    {
        // The double's bits, rounded to 40 binary digits: neighbours in value are neighbours here.
        int64_t bits;
        std::memcpy(&bits, &value, sizeof(bits));
        return (bits + (1 << 11)) >> 12;
    }
    const auto bin = static_cast<int64_t>(std::floor(std::log(std::abs(value)) * m_perLog));
    return 2 * bin + (value < 0 ? 1 : 0);
}

namespace
{

/// A flow split at a queue.
struct Split
{
    std::size_t flow;
    double fraction;
    double rate;
    double rho;
    double c2a;
    double c2s;
    double wait;
};

/// Relative difference from a cached value is within the threshold; 0 is like 0 alone.
bool
IsSimilar(double value, double cached, double threshold)
{
    return value == cached || std::abs(value - cached) <= threshold * std::abs(cached);
}

} // namespace

MqlGreedyReport
MqlGreedySimilarity(const MqlNetwork& network, const MqlSolution& solution, double threshold)
{
    std::vector<std::vector<Split>> queues(network.GetTopology().GetNLinks());
    std::vector<double> latencies(network.GetFlows().size());
    std::vector<double> errors(network.GetFlows().size());
    std::vector<MqlHop> hops;
    for (std::size_t i = 0; i < latencies.size(); i++)
    {
        solution.GetHops(i, hops);
        for (const MqlHop& hop : hops)
        {
            queues[hop.visit.link].push_back(
                {i, hop.visit.fraction, hop.rate, hop.rho, hop.c2a, hop.c2s, hop.waitGeFlow});
            latencies[i] +=
                hop.visit.fraction * (hop.waitGeFlow + hop.service + hop.propagation);
        }
    }
    MqlGreedyReport report;
    std::vector<Split> cache;
    for (const auto& queue : queues)
    {
        cache.clear();
        for (const Split& split : queue)
        {
            report.nVisits++;
            const auto match = std::find_if(cache.begin(), cache.end(), [&](const Split& cached) {
                report.nComparisons++;
                return IsSimilar(split.rate, cached.rate, threshold) &&
                       IsSimilar(split.rho, cached.rho, threshold) &&
                       IsSimilar(split.c2a, cached.c2a, threshold) &&
                       IsSimilar(split.c2s, cached.c2s, threshold);
            });
            if (match == cache.end())
            {
                report.nModelCalls++;
                cache.push_back(split);
                continue;
            }
            report.meanError += split.wait > 0 ? std::abs(match->wait / split.wait - 1) : 0;
            errors[split.flow] += split.fraction * (match->wait - split.wait);
        }
    }
    report.meanError /= static_cast<double>(std::max<uint64_t>(1, report.nVisits));
    for (std::size_t i = 0; i < latencies.size(); i++)
    {
        report.latencyError += std::abs(errors[i] / latencies[i]);
    }
    report.latencyError /= static_cast<double>(latencies.size());
    return report;
}

} // namespace ns3

/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "dcn-path-sampler.h"

#include "ns3/assert.h"
#include "ns3/dcn-arrival-process.h"
#include "ns3/dcn-csv.h"
#include "ns3/dcn-error.h"
#include "ns3/dcn-size-distribution.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace ns3
{

namespace
{

constexpr double LATEST_START = 9e18; //!< starts are 64-bit nanoseconds [ns]

/// Makes the kind known.
const DcnDatasetSampler::Registration g_registration(
    "path",
    [](const DcnDatasetRecipe& recipe, uint64_t seed) -> std::unique_ptr<DcnDatasetSampler> {
        return std::make_unique<DcnPathSampler>(recipe, seed);
    });

} // namespace

DcnPathSampler::DcnPathSampler(const DcnDatasetRecipe& recipe, uint64_t seed)
    : DcnDatasetSampler(recipe, seed)
{
    NS_ASSERT_MSG(recipe.GetKind() == "path", "another kind of data set");
}

std::vector<DcnPathSampler::Pair>
DcnPathSampler::DrawPairs(uint32_t nodes, const DcnRandom& random) const
{
    auto variable = [&random](const char* name) {
        return DcnDatasetRecipe::GetVariable(name, random, DcnPurpose::DATASET_WORKLOAD);
    };
    std::vector<Pair> others;
    for (uint32_t from = 0; from < nodes; ++from)
    {
        for (uint32_t to = from + 1; to < nodes; ++to)
        {
            if (from != 0 || to != nodes - 1)
            {
                others.push_back({from, to, 0});
            }
        }
    }
    DcnShuffle(others, *variable("pairs"));
    const uint32_t nPairs =
        variable("number of pairs")->GetInteger(2, static_cast<uint32_t>(others.size()) + 1);
    others.resize(nPairs - 1);

    const bool published = m_recipe.Get("weights") == "published";
    const double spreads[] = {static_cast<double>(nPairs), 10, 20, 50};
    const double spread = spreads[variable("spread of weights")->GetInteger(0, 3)];
    auto weight = variable("weights");
    double sum = 0;
    for (Pair& pair : others)
    {
        pair.weight = weight->GetValue(0.0, 1.0) * (published ? spread / nPairs : 1.0);
        sum += pair.weight;
    }
    const double share =
        published ? 1.0 / (1.0 + sum)
                  : m_recipe.DrawNumber("foreground_share", random, DcnPurpose::DATASET_WORKLOAD);
    for (Pair& pair : others)
    {
        pair.weight *= (1.0 - share) / sum;
    }
    others.insert(others.begin(), {0, nodes - 1, share});
    return others;
}

DcnPathSampler::Path
DcnPathSampler::MakePath(uint32_t nodes, const Context& context) const
{
    const bool published = m_recipe.Get("background") == "published";
    Path path;
    path.hostRateBps = static_cast<uint64_t>(DrawCommon("host_rate_bps", context));
    const auto switchRateBps = static_cast<uint64_t>(DrawCommon("switch_rate_bps", context));
    const auto delayNs = static_cast<int64_t>(DrawCommon("link_delay_ns", context));
    const auto nHosts =
        published ? 1 : static_cast<uint32_t>(DrawCommon("background_hosts", context));

    DcnTopologyBuilder builder;
    path.hosts.resize(nodes);
    for (uint32_t point = 0; point < nodes; ++point)
    {
        const bool isEnd = point == 0 || point == nodes - 1;
        for (uint32_t i = 0; i < (isEnd ? 1 : nHosts); ++i)
        {
            path.hosts[point].push_back(builder.AddNode(DcnNodeKind::HOST));
        }
    }
    std::vector<uint32_t> points{path.hosts.front().front()};
    for (uint32_t point = 1; point + 1 < nodes; ++point)
    {
        points.push_back(builder.AddNode(DcnNodeKind::SWITCH));
    }
    points.push_back(path.hosts.back().front());
    for (uint32_t link = 0; link + 1 < nodes; ++link)
    {
        const bool isEnd = link == 0 || link + 2 == nodes;
        path.ratesBps.push_back(isEnd ? path.hostRateBps : switchRateBps);
        builder.AddLink(points[link],
                        points[link + 1],
                        isEnd ? path.hostRateBps : switchRateBps,
                        delayNs);
    }
    for (uint32_t point = 1; point + 1 < nodes; ++point)
    {
        for (uint32_t host : path.hosts[point])
        {
            builder.AddLink(host,
                            points[point],
                            published ? PUBLISHED_RATE_BPS : path.hostRateBps,
                            delayNs * std::min(point, nodes - 1 - point));
        }
    }
    path.topology = builder.Build();
    return path;
}

std::vector<DcnPathSampler::Draft>
DcnPathSampler::DrawFlows(const std::vector<Pair>& pairs,
                          const Context& context,
                          const Sizes& sizes,
                          double sigma,
                          uint64_t capBytes) const
{
    auto nFlows = static_cast<uint64_t>(DrawCommon("flows", context));
    nFlows *= m_recipe.Get("flows_per") == "pair" ? pairs.size() : 1;
    const double reverseShare = DrawCommon("reverse_share", context);
    std::vector<double> cumulative;
    for (const Pair& pair : pairs)
    {
        cumulative.push_back((cumulative.empty() ? 0.0 : cumulative.back()) + pair.weight);
    }

    auto distribution = DcnSizeDistribution::Create(sizes.name);
    distribution->AssignStreams(context.common);
    DcnArrivalProcess arrivals(sigma, context.common);
    auto pairDraws = CreateObject<UniformRandomVariable>();
    context.common.Assign(pairDraws, DcnPurpose::FLOW_PAIRS, 0);
    auto reverseDraws = CreateObject<UniformRandomVariable>();
    context.common.Assign(reverseDraws, DcnPurpose::FLOW_PAIRS, 1);

    std::vector<Draft> drafts;
    drafts.reserve(nFlows);
    while (drafts.size() < nFlows)
    {
        const double draw = pairDraws->GetValue(0.0, cumulative.back());
        const auto pair = static_cast<uint32_t>(
            std::upper_bound(cumulative.begin(), cumulative.end() - 1, draw) - cumulative.begin());
        const bool reverse = reverseDraws->GetValue(0.0, 1.0) < reverseShare && pair > 0;
        drafts.push_back(
            {pair, reverse, std::min(distribution->Sample(), capBytes), arrivals.Next().time});
    }
    return drafts;
}

double
DcnPathSampler::MeanGap(const std::vector<double>& bytes, const Path& path, double gaps)
{
    double longestNs = 0;
    for (std::size_t link = 0; link < bytes.size(); ++link)
    {
        longestNs = std::max(longestNs, 8e9 * bytes[link] / path.ratesBps[link]);
    }
    return longestNs / gaps;
}

double
DcnPathSampler::PublishedGap(const std::vector<Pair>& pairs, const Path& path, double meanBytes)
{
    std::vector<double> flows(path.ratesBps.size(), 0.0); // with one flow for each pair
    for (const Pair& pair : pairs)
    {
        for (uint32_t link = pair.from; link < pair.to; ++link)
        {
            flows[link] += meanBytes;
        }
    }
    return MeanGap(flows, path, pairs.size());
}

std::vector<DcnFlow>
DcnPathSampler::PlaceFlows(const std::vector<Draft>& drafts,
                           const std::vector<Pair>& pairs,
                           const Path& path,
                           double meanGapNs)
{
    // when each host will have sent (received) what it has been given, at its link's rate
    std::vector<double> freeNs[2];
    freeNs[0].resize(path.topology->GetNNodes(), 0.0);
    freeNs[1] = freeNs[0];
    if (drafts.back().time * meanGapNs > LATEST_START)
    {
        DcnFail("flows would start after more than 2^63 ns");
    }
    std::vector<DcnFlow> flows;
    flows.reserve(drafts.size());
    for (const Draft& draft : drafts)
    {
        DcnFlow flow{};
        flow.id = flows.size();
        flow.sizeBytes = draft.sizeBytes;
        flow.startNs = std::llround(draft.time * meanGapNs);
        const Pair& pair = pairs[draft.pair];
        auto place = [&](uint32_t point, std::vector<double>& free) {
            const auto& hosts = path.hosts[point];
            const uint32_t host =
                *std::min_element(hosts.begin(), hosts.end(), [&](uint32_t a, uint32_t b) {
                    return std::max<double>(free[a], flow.startNs) <
                           std::max<double>(free[b], flow.startNs);
                });
            free[host] =
                std::max<double>(free[host], flow.startNs) +
                8e9 * static_cast<double>(flow.sizeBytes) / static_cast<double>(path.hostRateBps);
            return host;
        };
        flow.src = place(draft.reverse ? pair.to : pair.from, freeNs[0]);
        flow.dst = place(draft.reverse ? pair.from : pair.to, freeNs[1]);
        flows.push_back(flow);
    }
    return flows;
}

void
DcnPathSampler::DoDraw(const Context& context, DcnDatasetSample& sample) const
{
    const auto lengths = m_recipe.GetChoices("nodes");
    uint64_t nodes = 0;
    DcnParse(lengths[context.index % lengths.size()], nodes);
    const std::vector<Pair> pairs = DrawPairs(static_cast<uint32_t>(nodes), context.common);
    const Path path = MakePath(static_cast<uint32_t>(nodes), context);
    const Sizes sizes = DrawSizes(context);
    const double sigma = DrawCommon("sigma", context);
    const double load = DrawCommon("load", context);
    const auto cap = static_cast<uint64_t>(DrawCommon("size_cap_bytes", context));
    const uint64_t capBytes = cap ? cap : std::numeric_limits<uint64_t>::max();
    const std::vector<Draft> drafts = DrawFlows(pairs, context, sizes, sigma, capBytes);

    std::vector<double> bytes(path.ratesBps.size(), 0.0);
    double nForeground = 0;
    for (const Draft& draft : drafts)
    {
        const Pair& pair = pairs[draft.pair];
        const bool foreground = draft.pair == 0;
        nForeground += foreground;
        sample.flags.push_back(foreground ? DcnDatasetSample::FOREGROUND : 0);
        sample.pathFirst.push_back(draft.reverse ? 0 : pair.from);
        sample.pathLast.push_back(draft.reverse ? 0 : pair.to);
        for (uint32_t link = sample.pathFirst.back(); link < sample.pathLast.back(); ++link)
        {
            bytes[link] += static_cast<double>(draft.sizeBytes);
        }
    }
    // n flows stand for n gaps, one more than there are between them
    const double n = drafts.size();
    const double between = drafts.back().time - drafts.front().time;
    const double gaps = between > 0 ? between * n / (n - 1) : 1.0;
    const double fullLoadGap = MeanGap(bytes, path, gaps);
    auto distribution = DcnSizeDistribution::Create(sizes.name);
    const double meanBytes = cap ? distribution->GetLimitedMean(capBytes) : distribution->GetMean();
    const double meanGapNs =
        (m_recipe.Get("load_rule") == "published" ? PublishedGap(pairs, path, meanBytes)
                                                  : fullLoadGap) /
        load;

    Ptr<DcnNetworkConfig> network = DrawNetwork(context, {path.hostRateBps});
    network->maxRate = DataRate(path.hostRateBps);
    sample.draw = {static_cast<double>(context.workload),
                   static_cast<double>(sizes.index),
                   sizes.theta,
                   sigma,
                   load,
                   fullLoadGap / meanGapNs,
                   static_cast<double>(network->bufferBytes),
                   static_cast<double>(nodes),
                   static_cast<double>(pairs.size()),
                   nForeground / n};
    if (m_recipe.Get("background") == "published")
    {
        network->bufferBytes = UNLIMITED_BUFFER;
    }
    for (uint32_t link = 0; link < path.ratesBps.size(); ++link)
    {
        sample.pathLinks.push_back(2 * link);
    }
    sample.scenario =
        DcnScenario::Create(path.topology, network, PlaceFlows(drafts, pairs, path, meanGapNs));
}

} // namespace ns3

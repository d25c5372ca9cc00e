/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "m3-feature-extractor.h"

#include "m3-scaler.h"

#include "ns3/assert.h"
#include "ns3/dcn-error.h"
#include "ns3/dcn-idle-time.h"
#include "ns3/dcn-parallel.h"
#include "ns3/dcn-statistics.h"
#include "ns3/log.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("M3FeatureExtractor");

namespace
{

constexpr float COUNT_SCALE = 0.1F; //!< scale of logarithms of counts

/**
 * @param n a count
 * @return the feature
 */
float
LogCount(std::size_t n)
{
    return COUNT_SCALE * std::log1p(static_cast<float>(n));
}

} // namespace

bool
M3PathFeatures::IsIdle() const
{
    for (std::size_t slot = 0; slot < flows.size(); ++slot)
    {
        const bool hasOthers = !flows[slot].empty() &&
                               (idle.empty() || idle[slot].empty() ||
                                std::count(idle[slot].begin(), idle[slot].end(), 0.0F) > 0);
        if (hasOthers)
        {
            return false;
        }
    }
    return true;
}

M3FeatureExtractor::M3FeatureExtractor(const DcnPathIndex& pathIndex,
                                       const M3Base& base,
                                       M3RangeFeatures::Unmodelled unmodelled)
    : m_pathIndex(pathIndex),
      m_base(base),
      m_fluid(base.GetFluid()),
      m_featureSet(base.GetFeatureSet()),
      m_unmodelled(std::move(unmodelled)),
      m_links(pathIndex.GetScenario().GetTopology().GetNLinks())
{
    const auto& flows = pathIndex.GetScenario().GetFlows();
    m_spanNs =
        static_cast<double>(std::max<int64_t>(1, m_fluid.GetEndNs() - flows.front().startNs));
}

M3FeatureExtractor::M3FeatureExtractor(const DcnPathIndex& pathIndex, const M3Base& base)
    : M3FeatureExtractor(pathIndex,
                         base,
                         M3RangeFeatures::Unmodelled(pathIndex.GetScenario().GetNetwork()))
{
}

void
M3FeatureExtractor::AppendMap(std::vector<double>& values, std::vector<float>& features) const
{
    std::sort(values.begin(), values.end());
    for (double level : m_featureSet.mapLevels)
    {
        features.push_back(values.empty() ? M3Scaler::ABSENT
                                          : static_cast<float>(DcnQuantile(values, level)));
    }
}

void
M3FeatureExtractor::Sort(std::vector<uint32_t>& flows) const
{
    std::stable_sort(flows.begin(), flows.end(), [this](uint32_t a, uint32_t b) {
        return m_base.GetLogSlowdown(a) < m_base.GetLogSlowdown(b);
    });
}

void
M3FeatureExtractor::Prepare(const std::vector<uint32_t>& paths, uint32_t nThreads)
{
    std::vector<uint32_t> links;
    for (uint32_t path : paths)
    {
        for (uint32_t link : m_pathIndex.GetLinks(path))
        {
            links.push_back(link);
            if (!m_featureSet.isPublished)
            {
                links.push_back(DcnTopology::Reverse(link));
            }
        }
    }
    std::sort(links.begin(), links.end());
    links.erase(std::unique(links.begin(), links.end()), links.end());
    links.erase(std::remove_if(links.begin(),
                               links.end(),
                               [this](uint32_t link) { return m_links[link].isPrepared; }),
                links.end());
    NS_LOG_INFO("features of " << links.size() << " links for " << paths.size() << " paths");
    DcnParallelFor(links.size(), nThreads, [&](std::size_t i) { PrepareLink(links[i]); });
}

void
M3FeatureExtractor::PrepareLink(uint32_t link)
{
    Link& entry = m_links[link];
    const DcnScenario& scenario = m_pathIndex.GetScenario();
    double bytes = 0;
    entry.sorted.resize(m_featureSet.isPublished ? m_featureSet.mapBytes.size() : 0);
    for (uint32_t flow : m_pathIndex.GetFlowsOnLink(link))
    {
        const uint64_t size = scenario.GetFlows()[flow].sizeBytes;
        if (m_featureSet.isPublished || m_fluid.GetIdleSlowdown(flow) == 0)
        {
            bytes += static_cast<double>(size);
        }
        if (m_featureSet.isPublished)
        {
            entry.sorted[m_featureSet.GetMapClass(size)].push_back(flow);
        }
    }
    for (auto& flows : entry.sorted)
    {
        Sort(flows);
    }
    if (!m_featureSet.isPublished)
    {
        PrepareDefault(link, entry);
    }
    const auto rate = static_cast<double>(scenario.GetTopology().GetLink(link).rateBps);
    entry.load = 8e9 * bytes / (rate * m_spanNs);
    entry.isPrepared = true;
}

void
M3FeatureExtractor::PrepareDefault(uint32_t link, Link& entry) const
{
    const DcnScenario& scenario = m_pathIndex.GetScenario();
    std::vector<std::vector<double>> slowdowns(m_featureSet.mapBytes.size());
    auto simulated = slowdowns;
    std::vector<double> backlogs;
    for (uint32_t flow : m_pathIndex.GetFlowsOnLink(link))
    {
        const uint64_t size = scenario.GetFlows()[flow].sizeBytes;
        const uint32_t sizeClass = m_featureSet.GetMapClass(size);
        slowdowns[sizeClass].push_back(m_fluid.GetLogSlowdown(flow));
        simulated[sizeClass].push_back(m_base.GetLogSlowdown(flow));
        const DcnPath path = scenario.GetPath(flow);
        const auto hop =
            static_cast<std::size_t>(std::find(path.begin(), path.end(), link) - path.begin());
        backlogs.push_back(std::log1p(m_fluid.GetBacklog(flow, hop)));
    }
    for (std::size_t c = 0; c < slowdowns.size(); ++c)
    {
        auto& values = slowdowns[c];
        AppendMap(values, entry.flows);
        if (m_featureSet.simulatesLinks)
        {
            AppendMap(simulated[c], entry.flows);
        }
        entry.flows.push_back(LogCount(values.size()));
        entry.flows.push_back(values.empty() ? 0.0F : 1.0F);
    }
    AppendMap(backlogs, entry.backlog);
}

void
M3FeatureExtractor::SetNetworkFeatures(const M3NetworkFeatures& features,
                                       const DcnNetworkParameters& network,
                                       const M3RangeFeatures::Unmodelled& unmodelled,
                                       M3PathFeatures& input)
{
    const M3FeatureSet& featureSet = *input.featureSet;
    std::vector<float> values;
    features.Append(featureSet.isPublished, values);
    auto put = [&values](std::vector<float>& to, std::size_t end) {
        std::copy(values.begin(),
                  values.end(),
                  to.begin() + static_cast<std::ptrdiff_t>(end - values.size()));
    };
    put(input.foreground, featureSet.nForeground);
    for (uint32_t token = 1; token <= input.nTokens; ++token)
    {
        put(input.token, std::size_t{token} * featureSet.nToken);
    }
    input.ranges = M3RangeFeatures(features, network, unmodelled, input.traffic);
}

void
M3FeatureExtractor::SetIdle(const DcnScenario& scenario,
                            DcnPath path,
                            const DcnNetworkParameters& network,
                            M3PathFeatures& input)
{
    const DcnIdleTime idle(scenario.GetTopology(), network);
    for (std::size_t slot = 0; slot < input.idle.size(); ++slot)
    {
        for (std::size_t i = 0; i < input.idle[slot].size(); ++i)
        {
            if (input.idle[slot][i] > 0)
            {
                const uint64_t size = scenario.GetFlows()[input.flows[slot][i]].sizeBytes;
                const DcnIdealFct ideal =
                    DcnComputeIdealFct(scenario.GetTopology(), path, size, network);
                const auto idealNs = static_cast<double>(ideal.GetTotalNs());
                input.idle[slot][i] = static_cast<float>(
                    static_cast<double>(idle.GetNs(path, size)) / std::max(1.0, idealNs));
            }
        }
    }
}

M3PathFeatures
M3FeatureExtractor::Make(uint32_t path) const
{
    const DcnScenario& scenario = m_pathIndex.GetScenario();
    if (path >= m_pathIndex.GetNPaths())
    {
        DcnFail("path ",
                path,
                " has no foreground flow: only the paths 0 to ",
                m_pathIndex.GetNPaths() - 1,
                " of the scenario have flows");
    }
    const DcnPath links = m_pathIndex.GetLinks(path);
    M3PathFeatures input;
    input.featureSet = &m_featureSet;
    input.nTokens = static_cast<uint32_t>(links.size());
    input.flows.resize(m_featureSet.nSlots);
    input.idle.resize(m_featureSet.nSlots);
    input.base.assign(m_featureSet.nOutputs, 0.0F);
    Classes byClass(m_featureSet.nClasses);
    for (uint32_t flow : m_pathIndex.GetForeground(path))
    {
        byClass[m_featureSet.GetClass(scenario.GetFlows()[flow].sizeBytes)].push_back(flow);
    }
    for (uint32_t c = 0; c < m_featureSet.nClasses; ++c)
    {
        auto& flows = byClass[c];
        Sort(flows);
        const uint32_t slot = m_featureSet.GetSlot(c, flows.size());
        for (uint32_t k = 0; k < m_featureSet.nKnots && !flows.empty(); ++k)
        {
            // no interpolation: it would narrow the distribution of few flows
            const std::size_t rank = m_featureSet.GetRank(m_featureSet.knots[k], flows.size());
            input.base[slot * m_featureSet.nKnots + k] = m_base.GetLogSlowdown(flows[rank]);
        }
        if (!m_featureSet.isPublished)
        {
            AppendClass(c, flows, input);
        }
        // the published network answers for all flows
        const bool hasIdle =
            !m_featureSet.isPublished && std::any_of(flows.begin(), flows.end(), [this](uint32_t f) {
                return m_fluid.GetIdleSlowdown(f) > 0;
            });
        for (std::size_t i = 0; hasIdle && i < flows.size(); ++i)
        {
            input.idle[slot].push_back(m_fluid.GetIdleSlowdown(flows[i]));
        }
        input.flows[slot] = std::move(flows);
    }
    for (uint32_t link : links)
    {
        NS_ASSERT_MSG(m_links[link].isPrepared, "Prepare has not been called");
        input.traffic.load = std::max(input.traffic.load, m_links[link].load);
        input.traffic.flows =
            std::max(input.traffic.flows,
                     static_cast<double>(m_pathIndex.GetFlowsOnLink(link).size()));
    }
    input.traffic.foreground = static_cast<double>(m_pathIndex.GetForeground(path).size());
    const M3NetworkFeatures network(m_pathIndex, path, scenario.GetNetwork());
    if (m_featureSet.isPublished)
    {
        AppendPublished(path, network, input);
    }
    else
    {
        AppendDefault(path, network, input);
    }
    input.ranges = M3RangeFeatures(network, scenario.GetNetwork(), m_unmodelled, input.traffic);
    NS_ASSERT_MSG(input.foreground.size() == m_featureSet.nForeground, "foreground features");
    NS_ASSERT_MSG(input.token.size() == links.size() * m_featureSet.nToken, "token features");
    return input;
}

void
M3FeatureExtractor::AppendClass(uint32_t sizeClass,
                                const std::vector<uint32_t>& flows,
                                M3PathFeatures& input) const
{
    std::vector<double> values;
    double logSizes = 0;
    for (uint32_t flow : flows)
    {
        values.push_back(m_fluid.GetLogSlowdown(flow));
        logSizes +=
            std::log(static_cast<double>(m_pathIndex.GetScenario().GetFlows()[flow].sizeBytes));
    }
    AppendMap(values, input.foreground);
    if (m_featureSet.simulatesLinks)
    {
        values.clear();
        for (uint32_t flow : flows)
        {
            values.push_back(m_base.GetLogSlowdown(flow));
        }
        AppendMap(values, input.foreground);
    }
    values.clear();
    for (uint32_t flow : flows)
    {
        values.push_back(m_fluid.GetLogQueue(flow));
    }
    AppendMap(values, input.foreground);
    const auto n = static_cast<double>(flows.size());
    input.foreground.push_back(LogCount(flows.size()));
    input.foreground.push_back(flows.empty() ? 0.0F : 1.0F);
    input.foreground.push_back(
        flows.empty()
            ? M3Scaler::ABSENT
            : static_cast<float>(logSizes / n -
                                 std::log(std::max(1e2, m_featureSet.mapBytes[sizeClass]))));
}

void
M3FeatureExtractor::AppendDefault(uint32_t path,
                                  const M3NetworkFeatures& network,
                                  M3PathFeatures& input) const
{
    const DcnPath links = m_pathIndex.GetLinks(path);
    const DcnPathSpec pathSpec = DcnGetPathSpec(m_pathIndex, path);
    const DcnIndexSpan foreground = m_pathIndex.GetForeground(path);
    std::vector<float> specification;
    network.Append(false, specification);
    input.token.reserve(links.size() * m_featureSet.nToken);
    std::vector<double> values;
    std::vector<double> sums(foreground.size(), 0.0);
    for (std::size_t l = 0; l < links.size(); ++l)
    {
        const Link& link = m_links[links[l]];
        const Link& reverse = m_links[DcnTopology::Reverse(links[l])];
        auto& token = input.token;
        token.insert(token.end(), link.flows.begin(), link.flows.end());
        token.insert(token.end(), link.backlog.begin(), link.backlog.end());
        token.insert(token.end(), reverse.backlog.begin(), reverse.backlog.end());
        values.clear();
        for (std::size_t i = 0; i < foreground.size(); ++i)
        {
            const float backlog = m_fluid.GetBacklog(foreground[i], l);
            values.push_back(std::log1p(backlog));
            sums[i] += backlog;
        }
        AppendMap(values, token);
        values.clear();
        for (uint32_t flow : foreground)
        {
            values.push_back(std::log1p(m_fluid.GetReverseBacklog(flow, l)));
        }
        AppendMap(values, token);
        const auto n = static_cast<double>(links.size());
        const auto place = static_cast<double>(l);
        for (double value :
             {link.load,
              reverse.load,
              std::log(static_cast<double>(pathSpec.ratesBps[l]) /
                       static_cast<double>(pathSpec.bottleneckBps)),
              static_cast<double>(pathSpec.delaysNs[l]) / static_cast<double>(pathSpec.baseRttNs),
              place / n,
              (n - 1 - place) / n})
        {
            token.push_back(static_cast<float>(value));
        }
        token.insert(token.end(), specification.begin(), specification.end());
    }
    for (double& sum : sums)
    {
        sum = std::log1p(sum);
    }
    AppendMap(sums, input.foreground);
    input.foreground.push_back(static_cast<float>(input.traffic.load));
    input.traffic.windows = std::expm1(sums.back());
    input.foreground.insert(input.foreground.end(), specification.begin(), specification.end());
}

void
M3FeatureExtractor::AppendSlowdowns(const Classes& sorted, std::vector<float>& features) const
{
    for (const auto& flows : sorted)
    {
        for (double level : m_featureSet.mapLevels)
        {
            features.push_back(flows.empty()
                                   ? M3Scaler::ABSENT
                                   : std::exp(m_fluid.GetLogSlowdown(
                                         flows[m_featureSet.GetRank(level, flows.size())])));
        }
    }
}

void
M3FeatureExtractor::AppendPublished(uint32_t path,
                                    const M3NetworkFeatures& network,
                                    M3PathFeatures& input) const
{
    const DcnPath links = m_pathIndex.GetLinks(path);
    const DcnScenario& scenario = m_pathIndex.GetScenario();
    Classes classes(m_featureSet.mapBytes.size());
    for (uint32_t flow : m_pathIndex.GetForeground(path))
    {
        classes[m_featureSet.GetMapClass(scenario.GetFlows()[flow].sizeBytes)].push_back(flow);
        double windows = 0;
        for (std::size_t l = 0; l < links.size(); ++l)
        {
            windows += m_fluid.GetBacklog(flow, l);
        }
        input.traffic.windows = std::max(input.traffic.windows, windows);
    }
    for (auto& flows : classes)
    {
        Sort(flows);
    }
    AppendSlowdowns(classes, input.foreground);
    network.Append(true, input.foreground);
    for (uint32_t link : links)
    {
        for (std::size_t c = 0; c < classes.size(); ++c)
        {
            classes[c].clear();
            for (uint32_t flow : m_links[link].sorted[c])
            {
                if (m_pathIndex.GetPathOf(flow) != path)
                {
                    classes[c].push_back(flow);
                }
            }
        }
        AppendSlowdowns(classes, input.token);
        network.Append(true, input.token);
    }
}

} // namespace ns3

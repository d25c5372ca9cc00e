/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "m3-features.h"

#include "m3-scaler.h"

#include "ns3/assert.h"
#include "ns3/dcn-error.h"
#include "ns3/dcn-parallel.h"
#include "ns3/dcn-statistics.h"

#include <algorithm>
#include <cmath>

namespace ns3
{

namespace
{

constexpr float COUNT_SCALE = 0.1F; //!< of logarithms of counts

/**
 * @param n a count
 * @return the feature
 */
float
LogCount(std::size_t n)
{
    return COUNT_SCALE * std::log1p(static_cast<float>(n));
}

/**
 * @param spec of a path
 * @param layout of the features
 * @param features appended to
 */
void
AppendSpec(const M3Spec& spec, const M3Layout& layout, std::vector<float>& features)
{
    if (layout.isPublished)
    {
        spec.AppendPublished(features);
    }
    else
    {
        spec.Append(features);
    }
}

} // namespace

M3Features::M3Features(const DcnPathIndex& pathIndex, const M3Fluid& fluid, const M3Layout& layout)
    : m_pathIndex(pathIndex),
      m_fluid(fluid),
      m_layout(layout),
      m_settings(*pathIndex.GetScenario().GetNetworkConfig()),
      m_links(pathIndex.GetScenario().GetTopology().GetNLinks())
{
    const auto& flows = pathIndex.GetScenario().GetFlows();
    m_spanNs = static_cast<double>(std::max<int64_t>(1, fluid.GetEndNs() - flows.front().startNs));
}

void
M3Features::AppendMap(std::vector<double>& values, std::vector<float>& features) const
{
    std::sort(values.begin(), values.end());
    for (double level : m_layout.mapLevels)
    {
        features.push_back(values.empty() ? M3Scaler::ABSENT
                                          : static_cast<float>(DcnQuantile(values, level)));
    }
}

void
M3Features::Sort(std::vector<uint32_t>& flows) const
{
    std::stable_sort(flows.begin(), flows.end(), [this](uint32_t a, uint32_t b) {
        return m_fluid.GetLogSlowdown(a) < m_fluid.GetLogSlowdown(b);
    });
}

void
M3Features::Prepare(const std::vector<uint32_t>& paths, uint32_t nThreads)
{
    std::vector<uint32_t> links;
    for (uint32_t path : paths)
    {
        for (uint32_t link : m_pathIndex.GetLinks(path))
        {
            links.push_back(link);
            if (!m_layout.isPublished)
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
    DcnParallelFor(links.size(), nThreads, [&](std::size_t i) { PrepareLink(links[i]); });
}

void
M3Features::PrepareLink(uint32_t link)
{
    Link& entry = m_links[link];
    const DcnScenario& scenario = m_pathIndex.GetScenario();
    double bytes = 0;
    entry.sorted.resize(m_layout.isPublished ? m_layout.mapBytes.size() : 0);
    for (uint32_t flow : m_pathIndex.GetFlowsOnLink(link))
    {
        const uint64_t size = scenario.GetFlows()[flow].sizeBytes;
        bytes += static_cast<double>(size);
        if (m_layout.isPublished)
        {
            entry.sorted[m_layout.GetMapClass(size)].push_back(flow);
        }
    }
    for (auto& flows : entry.sorted)
    {
        Sort(flows);
    }
    if (!m_layout.isPublished)
    {
        PrepareOurs(link, entry);
    }
    const auto rate = static_cast<double>(scenario.GetTopology().GetLink(link).rateBps);
    entry.load = 8e9 * bytes / (rate * m_spanNs);
    entry.isPrepared = true;
}

void
M3Features::PrepareOurs(uint32_t link, Link& entry) const
{
    const DcnScenario& scenario = m_pathIndex.GetScenario();
    std::vector<std::vector<double>> slowdowns(m_layout.mapBytes.size());
    std::vector<double> backlogs;
    for (uint32_t flow : m_pathIndex.GetFlowsOnLink(link))
    {
        const uint64_t size = scenario.GetFlows()[flow].sizeBytes;
        slowdowns[m_layout.GetMapClass(size)].push_back(m_fluid.GetLogSlowdown(flow));
        const DcnPath path = scenario.GetPath(flow);
        const auto hop = static_cast<std::size_t>(
            std::find(path.begin(), path.end(), link) - path.begin());
        backlogs.push_back(std::log1p(m_fluid.GetBacklog(flow, hop)));
    }
    for (auto& values : slowdowns)
    {
        AppendMap(values, entry.flows);
        entry.flows.push_back(LogCount(values.size()));
        entry.flows.push_back(values.empty() ? 0.0F : 1.0F);
    }
    AppendMap(backlogs, entry.backlog);
}

M3Spec
M3Features::MakeSpec(uint32_t path) const
{
    return {m_pathIndex, path, m_pathIndex.GetScenario().GetNetwork()};
}

M3Conditions
M3Features::Describe(uint32_t path, const M3Input& input) const
{
    return m_settings.Describe(MakeSpec(path), input.traffic);
}

void
M3Features::SetSpec(const M3Spec& spec, M3Input& input)
{
    const M3Layout& layout = *input.layout;
    std::vector<float> values;
    AppendSpec(spec, layout, values);
    auto put = [&values](std::vector<float>& features, std::size_t end) {
        std::copy(values.begin(),
                  values.end(),
                  features.begin() + static_cast<std::ptrdiff_t>(end - values.size()));
    };
    put(input.foreground, layout.nForeground);
    for (uint32_t token = 1; token <= input.nTokens; ++token)
    {
        put(input.token, std::size_t{token} * layout.nToken);
    }
}

M3Input
M3Features::MakeInput(uint32_t path) const
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
    M3Input input;
    input.layout = &m_layout;
    input.nTokens = static_cast<uint32_t>(links.size());
    input.flows.resize(m_layout.nSlots);
    input.base.assign(m_layout.nOutputs, 0.0F);
    Classes byClass(m_layout.nClasses);
    for (uint32_t flow : m_pathIndex.GetForeground(path))
    {
        byClass[m_layout.GetClass(scenario.GetFlows()[flow].sizeBytes)].push_back(flow);
    }
    for (uint32_t c = 0; c < m_layout.nClasses; ++c)
    {
        auto& flows = byClass[c];
        Sort(flows);
        const uint32_t slot = m_layout.GetSlot(c, flows.size());
        for (uint32_t k = 0; k < m_layout.nKnots && !flows.empty(); ++k)
        {
            // no interpolation: of few flows it would pull the distribution together
            const std::size_t rank = m_layout.GetRank(m_layout.knots[k], flows.size());
            input.base[slot * m_layout.nKnots + k] = m_fluid.GetLogSlowdown(flows[rank]);
        }
        if (!m_layout.isPublished)
        {
            AppendClass(c, flows, input);
        }
        input.flows[slot] = std::move(flows);
    }
    for (uint32_t link : links)
    {
        NS_ASSERT_MSG(m_links[link].isPrepared, "Prepare has not been called");
        input.traffic.load = std::max(input.traffic.load, m_links[link].load);
        input.traffic.flows = std::max(input.traffic.flows,
                                       static_cast<double>(m_pathIndex.GetFlowsOnLink(link).size()));
    }
    input.traffic.foreground = static_cast<double>(m_pathIndex.GetForeground(path).size());
    if (m_layout.isPublished)
    {
        AppendPublished(path, input);
    }
    else
    {
        AppendOurs(path, input);
    }
    NS_ASSERT_MSG(input.foreground.size() == m_layout.nForeground, "foreground features");
    NS_ASSERT_MSG(input.token.size() == links.size() * m_layout.nToken, "token features");
    return input;
}

void
M3Features::AppendClass(uint32_t sizeClass,
                        const std::vector<uint32_t>& flows,
                        M3Input& input) const
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
        flows.empty() ? M3Scaler::ABSENT
                      : static_cast<float>(logSizes / n -
                                           std::log(std::max(1e2, m_layout.mapBytes[sizeClass]))));
}

void
M3Features::AppendOurs(uint32_t path, M3Input& input) const
{
    const DcnPath links = m_pathIndex.GetLinks(path);
    const DcnPathSpec pathSpec = DcnGetPathSpec(m_pathIndex, path);
    const M3Spec spec = MakeSpec(path);
    const DcnIndexSpan foreground = m_pathIndex.GetForeground(path);
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
        spec.Append(token);
    }
    for (double& sum : sums)
    {
        sum = std::log1p(sum);
    }
    AppendMap(sums, input.foreground);
    input.foreground.push_back(static_cast<float>(input.traffic.load));
    input.traffic.windows = std::expm1(sums.back());
    spec.Append(input.foreground);
}

void
M3Features::AppendSlowdowns(const Classes& sorted, std::vector<float>& features) const
{
    for (const auto& flows : sorted)
    {
        for (double level : m_layout.mapLevels)
        {
            features.push_back(flows.empty() ? M3Scaler::ABSENT
                                             : std::exp(m_fluid.GetLogSlowdown(
                                                   flows[m_layout.GetRank(level, flows.size())])));
        }
    }
}

void
M3Features::AppendPublished(uint32_t path, M3Input& input) const
{
    const DcnPath links = m_pathIndex.GetLinks(path);
    const DcnScenario& scenario = m_pathIndex.GetScenario();
    const M3Spec spec = MakeSpec(path);
    Classes classes(m_layout.mapBytes.size());
    for (uint32_t flow : m_pathIndex.GetForeground(path))
    {
        classes[m_layout.GetMapClass(scenario.GetFlows()[flow].sizeBytes)].push_back(flow);
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
    AppendSpec(spec, m_layout, input.foreground);
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
        AppendSpec(spec, m_layout, input.token);
    }
}

} // namespace ns3

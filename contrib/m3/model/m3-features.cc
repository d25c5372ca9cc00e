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

} // namespace

M3Features::M3Features(const DcnPathCensus& census, const M3Fluid& fluid)
    : m_census(census),
      m_fluid(fluid),
      m_settings(*census.GetScenario().GetNetworkConfig()),
      m_links(census.GetScenario().GetTopology().GetNLinks())
{
    const auto& flows = census.GetScenario().GetFlows();
    m_spanNs = static_cast<double>(std::max<int64_t>(1, fluid.GetEndNs() - flows.front().startNs));
}

uint32_t
M3Features::GetClass(uint64_t bytes)
{
    const auto above =
        std::upper_bound(CLASS_BYTES.begin(), CLASS_BYTES.end(), static_cast<double>(bytes));
    return static_cast<uint32_t>(above - CLASS_BYTES.begin()) - 1;
}

uint32_t
M3Features::GetSlot(uint32_t sizeClass, std::size_t nFlows)
{
    static constexpr std::size_t MANY = 16; // flows that are a distribution of their own
    return sizeClass + N_CLASSES * (nFlows >= MANY ? 2 : nFlows > 1 ? 1 : 0);
}

void
M3Features::AppendMap(std::vector<double>& values, std::vector<float>& features)
{
    std::sort(values.begin(), values.end());
    for (double level : MAP_LEVELS)
    {
        features.push_back(values.empty() ? M3Scaler::ABSENT
                                          : static_cast<float>(DcnQuantile(values, level)));
    }
}

void
M3Features::Prepare(const std::vector<uint32_t>& paths, uint32_t nThreads)
{
    std::vector<uint32_t> links;
    for (uint32_t path : paths)
    {
        for (uint32_t link : m_census.GetLinks(path))
        {
            links.push_back(link);
            links.push_back(DcnTopology::Reverse(link));
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
    const DcnScenario& scenario = m_census.GetScenario();
    std::array<std::vector<double>, N_CLASSES> slowdowns;
    std::vector<double> backlogs;
    double bytes = 0;
    for (uint32_t flow : m_census.GetFlowsOnLink(link))
    {
        const uint64_t size = scenario.GetFlows()[flow].sizeBytes;
        slowdowns[GetClass(size)].push_back(m_fluid.GetLogSlowdown(flow));
        const DcnPath path = scenario.GetPath(flow);
        const auto hop = static_cast<std::size_t>(
            std::find(path.begin(), path.end(), link) - path.begin());
        backlogs.push_back(std::log1p(m_fluid.GetBacklog(flow, hop)));
        bytes += static_cast<double>(size);
    }
    for (auto& values : slowdowns)
    {
        AppendMap(values, entry.flows);
        entry.flows.push_back(LogCount(values.size()));
        entry.flows.push_back(values.empty() ? 0.0F : 1.0F);
    }
    AppendMap(backlogs, entry.backlog);
    const auto rate = static_cast<double>(scenario.GetTopology().GetLink(link).rateBps);
    entry.load = 8e9 * bytes / (rate * m_spanNs);
    entry.isPrepared = true;
}

M3Spec
M3Features::MakeSpec(uint32_t path) const
{
    return {m_census, path, m_census.GetScenario().GetNetwork()};
}

M3Conditions
M3Features::Describe(uint32_t path, const M3Input& input) const
{
    return m_settings.Describe(MakeSpec(path), input.traffic);
}

void
M3Features::SetSpec(const M3Spec& spec, M3Input& input)
{
    std::vector<float> values;
    spec.Append(values);
    auto put = [&values](std::vector<float>& features, std::size_t end) {
        std::copy(values.begin(),
                  values.end(),
                  features.begin() + static_cast<std::ptrdiff_t>(end - M3Spec::N));
    };
    put(input.foreground, N_FOREGROUND);
    for (uint32_t token = 1; token <= input.nTokens; ++token)
    {
        put(input.token, std::size_t{token} * N_TOKEN);
    }
}

M3Input
M3Features::MakeInput(uint32_t path) const
{
    const DcnScenario& scenario = m_census.GetScenario();
    if (path >= m_census.GetNPaths())
    {
        DcnFail("path ",
                path,
                " has no foreground flow: only the paths 0 to ",
                m_census.GetNPaths() - 1,
                " of the scenario have flows");
    }
    const DcnPath links = m_census.GetLinks(path);
    const DcnPathSpec pathSpec = DcnGetPathSpec(m_census, path);
    const M3Spec spec(m_census, path, scenario.GetNetwork());
    const DcnFlowRange foreground = m_census.GetForeground(path);

    M3Input input;
    input.nTokens = static_cast<uint32_t>(links.size());
    input.flows.resize(N_SLOTS);
    input.base.assign(std::size_t{N_SLOTS} * N_KNOTS, 0.0F);
    std::array<std::vector<uint32_t>, N_CLASSES> byClass;
    for (uint32_t flow : foreground)
    {
        byClass[GetClass(scenario.GetFlows()[flow].sizeBytes)].push_back(flow);
    }
    std::vector<double> values;
    for (uint32_t c = 0; c < N_CLASSES; ++c)
    {
        auto& flows = byClass[c];
        std::stable_sort(flows.begin(), flows.end(), [this](uint32_t a, uint32_t b) {
            return m_fluid.GetLogSlowdown(a) < m_fluid.GetLogSlowdown(b);
        });
        values.clear();
        double logSizes = 0;
        for (uint32_t flow : flows)
        {
            values.push_back(m_fluid.GetLogSlowdown(flow));
            logSizes += std::log(static_cast<double>(scenario.GetFlows()[flow].sizeBytes));
        }
        const uint32_t slot = GetSlot(c, values.size());
        for (uint32_t k = 0; k < N_KNOTS && !values.empty(); ++k)
        {
            // no interpolation: of few flows it would pull the distribution together
            const auto rank =
                std::ceil(KNOTS[k] * static_cast<double>(values.size()) - 1e-9) - 1;
            input.base[slot * N_KNOTS + k] =
                static_cast<float>(values[static_cast<std::size_t>(std::max(0.0, rank))]);
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
            flows.empty()
                ? M3Scaler::ABSENT
                : static_cast<float>(logSizes / n - std::log(std::max(1e2, CLASS_BYTES[c]))));
        input.flows[slot] = std::move(flows);
    }
    std::vector<double> sums(foreground.size(), 0.0);
    double load = 0;
    for (std::size_t l = 0; l < links.size(); ++l)
    {
        const Link& link = m_links[links[l]];
        const Link& reverse = m_links[DcnTopology::Reverse(links[l])];
        NS_ASSERT_MSG(link.isPrepared && reverse.isPrepared, "Prepare has not been called");
        load = std::max(load, link.load);
        input.traffic.flows =
            std::max(input.traffic.flows,
                     static_cast<double>(m_census.GetFlowsOnLink(links[l]).size()));
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
    input.foreground.push_back(static_cast<float>(load));
    input.traffic.load = load;
    input.traffic.foreground = static_cast<double>(foreground.size());
    input.traffic.windows = std::expm1(sums.back());
    spec.Append(input.foreground);
    NS_ASSERT_MSG(input.foreground.size() == N_FOREGROUND, "foreground features");
    NS_ASSERT_MSG(input.token.size() == links.size() * N_TOKEN, "token features");
    return input;
}

} // namespace ns3

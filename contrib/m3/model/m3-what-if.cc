/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "m3-what-if.h"

#include "ns3/dcn-parallel.h"

#include <algorithm>
#include <utility>

namespace ns3
{

namespace
{

constexpr std::size_t BATCH = 128; //!< paths in a call of the network

/// Outputs of the network for a path.
constexpr std::size_t OUTPUTS = std::size_t{M3Features::N_SLOTS} * M3Features::N_KNOTS;

/**
 * @param a a configuration
 * @param b another one
 * @return whether the fluid is the same
 */
bool
IsSameFluid(const DcnNetworkConfig& a, const DcnNetworkConfig& b)
{
    return a.windowBytes == b.windowBytes && a.payloadBytes == b.payloadBytes &&
           a.maxRate == b.maxRate;
}

} // namespace

M3WhatIf::M3WhatIf(Ptr<const DcnScenario> scenario,
                   const M3Network& network,
                   std::vector<DcnDrawnPath> drawn,
                   DcnPathSampling sampling,
                   uint32_t nThreads)
    : m_scenario(scenario),
      m_network(network),
      m_drawn(std::move(drawn)),
      m_sampling(sampling),
      m_nThreads(nThreads),
      m_census(scenario)
{
}

Ptr<const DcnScenario>
M3WhatIf::Configure(const DcnScenario& scenario, Ptr<const DcnNetworkConfig> config)
{
    DcnPathTable paths;
    for (std::size_t i = 0; i < scenario.GetFlows().size(); ++i)
    {
        const DcnPath path = scenario.GetPath(i);
        paths.Append({path.begin(), path.end()});
    }
    return DcnScenario::CreateWithPaths(scenario.GetTopologyPtr(),
                                        config,
                                        scenario.GetFlows(),
                                        std::move(paths),
                                        scenario.GetSeed());
}

void
M3WhatIf::MakeInputs(Ptr<const DcnNetworkConfig> config)
{
    const auto scenario = Configure(*m_scenario, config);
    const M3Fluid fluid(*scenario);
    M3Features features(m_census, fluid);
    std::vector<uint32_t> paths;
    for (const DcnDrawnPath& drawn : m_drawn)
    {
        paths.push_back(drawn.path);
    }
    features.Prepare(paths, m_nThreads);
    m_inputs.assign(paths.size(), {});
    DcnParallelFor(paths.size(), m_nThreads, [&](std::size_t i) {
        m_inputs[i] = features.MakeInput(paths[i]);
    });
    m_last = CopyObject(config); // the caller may change it
    ++m_nFluids;
}

M3Answer
M3WhatIf::Answer(Ptr<const DcnNetworkConfig> config)
{
    if (!m_last || !IsSameFluid(*m_last, *config))
    {
        MakeInputs(config);
    }
    std::vector<std::vector<M3Point>> points(m_drawn.size());
    const std::size_t nBatches = (m_drawn.size() + BATCH - 1) / BATCH;
    DcnParallelFor(nBatches, m_nThreads, [&](std::size_t batch) {
        const std::size_t first = batch * BATCH;
        const std::size_t last = std::min(m_drawn.size(), first + BATCH);
        std::vector<M3Input> inputs(m_inputs.begin() + static_cast<std::ptrdiff_t>(first),
                                    m_inputs.begin() + static_cast<std::ptrdiff_t>(last));
        for (std::size_t i = first; i < last; ++i)
        {
            M3Features::SetSpec(M3Spec(m_census, m_drawn[i].path, *config), inputs[i - first]);
        }
        const std::vector<float> quantiles = m_network.Predict(inputs);
        for (std::size_t i = first; i < last; ++i)
        {
            M3Expand(inputs[i - first], quantiles.data() + (i - first) * OUTPUTS, points[i]);
        }
    });
    return {*m_scenario, m_drawn, m_sampling, std::move(points)};
}

uint32_t
M3WhatIf::GetNFluids() const
{
    return m_nFluids;
}

} // namespace ns3

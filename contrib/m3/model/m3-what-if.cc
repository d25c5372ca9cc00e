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
      m_nThreads(nThreads)
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
    const M3Layout& layout = m_network.GetLayout();
    const M3Fluid fluid(*scenario, layout.hasWindows);
    // of the new scenario: payload and largest rate are in what paths have, such as their base RTT
    m_pathIndex = std::make_unique<DcnPathIndex>(scenario);
    M3Features features(*m_pathIndex, fluid, layout);
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
    m_network.GetRanges().Require(config->congestionControl);
    if (!m_last || !IsSameFluid(*m_last, *config))
    {
        MakeInputs(config);
    }
    const M3Settings settings(*config);
    DcnTrainedRanges::Findings findings;
    auto points = M3Predict(
        m_network,
        m_drawn.size(),
        m_nThreads,
        [&](std::size_t i) {
            const M3Spec spec(*m_pathIndex, m_drawn[i].path, *config);
            M3Question question{m_inputs[i], settings.Describe(spec, m_inputs[i].traffic)};
            M3Features::SetSpec(spec, question.input);
            return question;
        },
        findings);
    return {m_scenario,
            m_drawn,
            m_sampling,
            std::move(points),
            DcnTrainedRanges::Describe(findings, m_drawn.size(), "paths"),
            m_network.GetLayout()};
}

uint32_t
M3WhatIf::GetNFluids() const
{
    return m_nFluids;
}

} // namespace ns3

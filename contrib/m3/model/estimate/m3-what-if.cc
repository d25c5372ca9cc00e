/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "m3-what-if.h"

#include "../features/m3-feature-extractor.h"
#include "../network/m3-network.h"
#include "m3-distribution.h"

#include "ns3/dcn-model-file.h"
#include "ns3/dcn-network-config.h"
#include "ns3/dcn-parallel.h"
#include "ns3/dcn-path-index.h"
#include "ns3/log.h"

#include <algorithm>
#include <utility>

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("M3WhatIf");

namespace
{

/**
 * @param a a configuration
 * @param b another one
 * @return whether the fluid simulations of both are equal
 */
bool
IsSameFluid(const DcnNetworkConfig& a, const DcnNetworkConfig& b)
{
    // the last three are of transports with connections, as the three before them
    return a.windowBytes == b.windowBytes && a.payloadBytes == b.payloadBytes &&
           a.maxRate == b.maxRate && a.headerBytes == b.headerBytes &&
           a.handshakeRtts == b.handshakeRtts && a.initialWindowBytes == b.initialWindowBytes &&
           a.slowStartBytes == b.slowStartBytes && a.windowGrowthDivisor == b.windowGrowthDivisor &&
           a.queuePackets == b.queuePackets;
}

} // namespace

M3WhatIf::M3WhatIf(Ptr<const DcnScenario> scenario,
                   const DcnModelFile& model,
                   std::vector<DcnDrawnPath> drawn,
                   DcnPathSampling sampling,
                   uint32_t nThreads)
    : m_scenario(scenario),
      m_network(std::make_unique<const M3Network>(model)),
      m_drawn(std::move(drawn)),
      m_sampling(sampling),
      m_nThreads(nThreads)
{
    m_scenario->GetNetwork().RefuseManyPaths("m3");
}

M3WhatIf::~M3WhatIf() = default;

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
    const M3FeatureSet& featureSet = m_network->GetFeatureSet();
    const M3Base base(scenario, featureSet, m_nThreads);
    // index of the new scenario: the base RTT of a path depends on payload and largest rate
    m_pathIndex = std::make_unique<DcnPathIndex>(scenario);
    M3FeatureExtractor features(*m_pathIndex, base);
    std::vector<uint32_t> paths;
    for (const DcnDrawnPath& drawn : m_drawn)
    {
        paths.push_back(drawn.path);
    }
    features.Prepare(paths, m_nThreads);
    m_inputs.assign(paths.size(), {});
    DcnParallelFor(paths.size(), m_nThreads, [&](std::size_t i) {
        m_inputs[i] = features.Make(paths[i]);
    });
    m_last = CopyObject(config); // a copy, which the caller cannot change
    ++m_nFluids;
    NS_LOG_INFO("fluid simulation " << m_nFluids << ", features of " << paths.size() << " paths");
}

M3Distribution
M3WhatIf::Predict(Ptr<const DcnNetworkConfig> config)
{
    m_network->GetRanges().Require(config->congestionControl);
    // link simulations depend on every parameter
    const bool isSame = m_last && (m_network->GetFeatureSet().simulatesLinks
                                       ? m_last->GetKeys() == config->GetKeys()
                                       : IsSameFluid(*m_last, *config));
    if (!isSame)
    {
        MakeInputs(config);
    }
    const DcnNetworkParameters& network = *config;
    const M3RangeFeatures::Unmodelled unmodelled(network);
    M3Distribution distribution = M3Distribution::Predict(
        *m_network,
        m_scenario,
        m_drawn,
        m_sampling,
        m_nThreads,
        [&](std::size_t i) {
            M3PathFeatures input = m_inputs[i];
            const M3NetworkFeatures features(*m_pathIndex, m_drawn[i].path, network);
            M3FeatureExtractor::SetNetworkFeatures(features, network, unmodelled, input);
            M3FeatureExtractor::SetIdle(*m_scenario,
                                        m_pathIndex->GetLinks(m_drawn[i].path),
                                        network,
                                        input);
            return input;
        });
    m_warnings.insert(distribution.GetWarnings().begin(), distribution.GetWarnings().end());
    return distribution;
}

std::vector<std::optional<DcnSlowdownQuantile>>
M3WhatIf::Ask(Ptr<const DcnNetworkConfig> config, const std::vector<DcnSlowdownQuery>& queries)
{
    const M3Distribution distribution = Predict(config);
    std::vector<std::optional<DcnSlowdownQuantile>> answers;
    for (const DcnSlowdownQuery& query : queries)
    {
        answers.push_back(distribution.Ask(query));
    }
    return answers;
}

const std::set<std::string>&
M3WhatIf::GetWarnings() const
{
    return m_warnings;
}

uint32_t
M3WhatIf::GetNFluids() const
{
    return m_nFluids;
}

} // namespace ns3

/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "dcn-repeat-sampler.h"

#include "ns3/assert.h"

#include <limits>
#include <utility>

namespace ns3
{

namespace
{

/// Makes the sampler known.
const DcnDatasetSampler::Registration g_registration(
    DcnDatasetRecipe::SCENARIO,
    [](const DcnDatasetRecipe& recipe, uint64_t seed) -> std::unique_ptr<DcnDatasetSampler> {
        return std::make_unique<DcnRepeatSampler>(recipe, seed);
    });

} // namespace

DcnRepeatSampler::DcnRepeatSampler(const DcnDatasetRecipe& recipe, uint64_t seed)
    : DcnDatasetSampler(recipe, seed)
{
    NS_ASSERT_MSG(recipe.GetScenario(), "no recipe of a scenario");
}

void
DcnRepeatSampler::DoDraw(const Context& context, DcnDatasetSample& sample) const
{
    constexpr double UNKNOWN = std::numeric_limits<double>::quiet_NaN();
    const DcnScenario& scenario = *m_recipe.GetScenario();
    Ptr<DcnNetworkConfig> network =
        DrawNetwork(context,
                    scenario.GetTopology().GetNicRates(scenario.GetTopology().GetHosts()));
    const DcnNetworkParameters& own = scenario.GetNetwork();
    network->payloadBytes = own.payloadBytes;
    network->maxRate = own.maxRate;
    network->headerBytes = own.headerBytes;
    network->handshakeRtts = own.handshakeRtts;
    network->initialWindowBytes = own.initialWindowBytes;
    network->slowStartBytes = own.slowStartBytes;
    network->windowGrowthDivisor = own.windowGrowthDivisor;
    network->queuePackets = own.queuePackets;
    sample.draw = {static_cast<double>(context.workload),
                   UNKNOWN,
                   UNKNOWN,
                   UNKNOWN,
                   UNKNOWN,
                   UNKNOWN,
                   static_cast<double>(network->bufferBytes),
                   UNKNOWN,
                   UNKNOWN,
                   UNKNOWN};
    DcnPathTable paths;
    for (std::size_t flow = 0; flow < scenario.GetFlows().size(); ++flow)
    {
        const DcnPath path = scenario.GetPath(flow);
        paths.Append({path.begin(), path.end()});
    }
    sample.scenario = DcnScenario::CreateWithPaths(scenario.GetTopologyPtr(),
                                                   network,
                                                   scenario.GetFlows(),
                                                   std::move(paths));
}

} // namespace ns3

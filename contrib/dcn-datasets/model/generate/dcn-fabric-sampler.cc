/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "dcn-fabric-sampler.h"

#include "ns3/assert.h"
#include "ns3/dcn-topology.h"
#include "ns3/dcn-workload.h"

#include <cmath>
#include <utility>

namespace ns3
{

namespace
{

/// Makes the kind known.
const DcnDatasetSampler::Registration g_registration(
    "fabric",
    [](const DcnDatasetRecipe& recipe, uint64_t seed) -> std::unique_ptr<DcnDatasetSampler> {
        return std::make_unique<DcnFabricSampler>(recipe, seed);
    });

} // namespace

DcnFabricSampler::DcnFabricSampler(const DcnDatasetRecipe& recipe, uint64_t seed)
    : DcnDatasetSampler(recipe, seed)
{
    NS_ASSERT_MSG(recipe.GetKind() == "fabric", "another kind of data set");
}

void
DcnFabricSampler::DoDraw(const Context& context, DcnDatasetSample& sample) const
{
    auto count = [this, &context](const char* key) {
        return static_cast<uint32_t>(DrawCommon(key, context));
    };
    auto rate = [this, &context](const char* key) {
        return DataRate(static_cast<uint64_t>(DrawCommon(key, context)));
    };
    DcnFabricParameters parameters;
    parameters.pods = count("pods");
    parameters.racksPerPod = count("racks_per_pod");
    parameters.hostsPerRack = count("hosts_per_rack");
    parameters.fabricsPerPod = count("fabrics_per_pod");
    parameters.spinesPerPlane = count("spines_per_plane");
    parameters.hostRate = rate("host_rate_bps");
    parameters.fabricRate = rate("switch_rate_bps");
    parameters.linkDelay = NanoSeconds(count("link_delay_ns"));
    Ptr<DcnTopology> topology = DcnBuildTopology(parameters);

    const Sizes sizes = DrawSizes(context);
    const std::size_t matrix =
        m_recipe.DrawChoice("matrices", context.common, DcnPurpose::DATASET_WORKLOAD);
    DcnWorkloadSpec spec;
    spec.sizes = sizes.name;
    spec.sizeCapBytes = static_cast<uint64_t>(DrawCommon("size_cap_bytes", context));
    spec.matrix = m_recipe.GetChoices("matrices")[matrix];
    spec.sigma = DrawCommon("sigma", context);
    spec.load = DrawCommon("load", context);
    spec.nFlows = count("flows");
    spec.seed = spec.ecmpSeed = context.common.GetSeed();
    spec.exactLoad = m_recipe.Get("load_rule") == "exact";
    DcnWorkload workload = DcnWorkload::Generate(topology, spec);

    Ptr<DcnNetworkConfig> network = DrawNetwork(context, {parameters.hostRate.GetBitRate()});
    sample.draw = {static_cast<double>(context.workload),
                   static_cast<double>(sizes.index),
                   sizes.theta,
                   spec.sigma,
                   spec.load,
                   spec.exactLoad ? spec.load : workload.load.realised.maxLoad,
                   static_cast<double>(network->bufferBytes),
                   static_cast<double>(matrix),
                   static_cast<double>(parameters.spinesPerPlane),
                   static_cast<double>(parameters.fabricRate.GetBitRate())};
    sample.scenario = DcnScenario::CreateWithPaths(topology,
                                                   network,
                                                   std::move(workload.flows),
                                                   std::move(workload.paths));
}

} // namespace ns3

/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "dcn-dataset-sampler.h"

#include "ns3/dcn-error.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <sstream>

namespace ns3
{

namespace
{

/// DCQCN's thresholds belong to 25 Gb/s; a configuration of the evaluations refers to 10 Gb/s.
constexpr double DCQCN_SCALE = 10.0 / 25.0;

/** @return the registered samplers by kind; complete before main begins. */
std::map<std::string, DcnDatasetSampler::Factory>&
GetFactories()
{
    static std::map<std::string, DcnDatasetSampler::Factory> factories;
    return factories;
}

} // namespace

DcnDatasetSampler::Registration::Registration(const std::string& kind, Factory factory)
{
    if (!GetFactories().emplace(kind, factory).second)
    {
        DcnFail("the sampler of data sets of the kind \"", kind, "\" is registered twice");
    }
}

std::unique_ptr<DcnDatasetSampler>
DcnDatasetSampler::Create(const DcnDatasetRecipe& recipe, uint64_t seed)
{
    const auto found = GetFactories().find(recipe.GetSampler());
    if (found == GetFactories().end())
    {
        DcnFail("there is no sampler for data sets of the kind ", recipe.GetKind());
    }
    return found->second(recipe, seed);
}

DcnDatasetSampler::DcnDatasetSampler(const DcnDatasetRecipe& recipe, uint64_t seed)
    : m_recipe(recipe),
      m_seed(seed)
{
    if (seed > MAX_SEED)
    {
        DcnFail("the seed of a data set must be at most ", MAX_SEED, ", but it is ", seed);
    }
    m_recipe.CheckEffects();
}

uint64_t
DcnDatasetSampler::GetSampleSeed(uint64_t seed, uint64_t index)
{
    return seed * MAX_SAMPLES + index;
}

DcnDatasetSample
DcnDatasetSampler::Draw(uint64_t index) const
{
    NS_ASSERT_MSG(index < MAX_SAMPLES, "sample number too large");
    DcnDatasetSample sample;
    sample.index = index;
    sample.seed = GetSampleSeed(m_seed, index);
    try
    {
        const DcnRandom own(sample.seed);
        // a scenario has one workload; numbered apart, its samples can be held out one by one
        const bool hasRule = m_recipe.GetSampler() == m_recipe.GetKind();
        const uint64_t perWorkload = hasRule ? m_recipe.GetWhole("samples_per_workload") : 1;
        const uint64_t workload = index / perWorkload;
        const DcnRandom common(GetSampleSeed(m_seed, workload * perWorkload));
        DoDraw({index, workload, common, own}, sample);
    }
    catch (const DcnError& error)
    {
        DcnFail("sample ", index, ": ", error.what());
    }
    sample.idealNs.reserve(sample.scenario->GetFlows().size());
    for (std::size_t flow = 0; flow < sample.scenario->GetFlows().size(); ++flow)
    {
        sample.idealNs.push_back(sample.scenario->GetIdealFct(flow).GetTotalNs());
    }
    return sample;
}

double
DcnDatasetSampler::DrawCommon(const std::string& key, const Context& context) const
{
    return m_recipe.DrawNumber(key, context.common, DcnPurpose::DATASET_WORKLOAD);
}

DcnDatasetSampler::Sizes
DcnDatasetSampler::DrawSizes(const Context& context) const
{
    Sizes sizes;
    sizes.index = m_recipe.DrawChoice("sizes", context.common, DcnPurpose::DATASET_WORKLOAD);
    sizes.name = m_recipe.GetChoices("sizes")[sizes.index];
    sizes.theta = 0;
    if (sizes.name == "exp" || sizes.name == "gaussian" || sizes.name == "lognorm" ||
        sizes.name == "pareto")
    {
        sizes.theta = DrawCommon("theta", context);
        std::ostringstream name;
        name.precision(std::numeric_limits<double>::max_digits10);
        name << sizes.name << ':' << sizes.theta;
        sizes.name = name.str();
    }
    else if (sizes.name == "random")
    {
        sizes.name += ':' + std::to_string(context.common.GetSeed());
    }
    return sizes;
}

Ptr<DcnNetworkConfig>
DcnDatasetSampler::DrawNetwork(const Context& context,
                               const std::vector<uint64_t>& nicRates) const
{
    auto draw = [this, &context](const char* key) {
        return m_recipe.DrawNumber(key, context.own, DcnPurpose::DATASET_NETWORK);
    };
    auto whole = [&draw](const char* key, double scale = 1.0) {
        return static_cast<uint64_t>(std::llround(scale * draw(key)));
    };
    const std::string cc = m_recipe.GetChoices(
        "cc")[m_recipe.DrawChoice("cc", context.own, DcnPurpose::DATASET_NETWORK)];
    Ptr<DcnNetworkConfig> network = DcnNetworkConfig::Preset(cc, nicRates);
    network->bufferBytes = whole("buffer_kib", 1024.0);
    network->windowBytes = whole("window_bytes");
    network->pfc = draw("pfc") > 0 || (cc == "dcqcn" && m_recipe.Get("dcqcn_pfc") == "on");
    if (cc == "dctcp")
    {
        network->ecnKminBytes = network->ecnKmaxBytes = whole("dctcp_k_bytes");
    }
    else if (cc == "dcqcn")
    {
        network->ecnKminBytes = whole("dcqcn_kmin_bytes", DCQCN_SCALE);
        network->ecnKmaxBytes = whole("dcqcn_kmax_bytes", DCQCN_SCALE);
    }
    else if (cc == "timely")
    {
        network->SetOwn("timely_low_ns", std::round(draw("timely_low_ns")));
        network->SetOwn("timely_high_ns", std::round(draw("timely_high_ns")));
    }
    else
    {
        network->SetOwn("hpcc_eta", draw("hpcc_eta"));
        network->SetOwn("hpcc_additive_increase_bps",
                        std::round(draw("hpcc_additive_increase_bps")));
    }
    return network;
}

} // namespace ns3

/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "m3-example.h"

#include "ns3/dcn-error.h"
#include "ns3/dcn-statistics.h"

#include <algorithm>
#include <cmath>

namespace ns3
{

namespace
{

/**
 * @param knots levels
 * @param k number of a knot
 * @return share of the levels nearest to that knot
 */
double
GetShare(const std::vector<double>& knots, uint32_t k)
{
    const double from = k == 0 ? 0 : (knots[k - 1] + knots[k]) / 2;
    const double to = k + 1 == knots.size() ? 1 : (knots[k] + knots[k + 1]) / 2;
    return to - from;
}

} // namespace

M3Example
M3Example::Make(const M3FeatureExtractor& features,
                const DcnScenario& scenario,
                uint32_t path,
                const std::vector<int64_t>& fctNs,
                bool keepTruth)
{
    M3Example example;
    example.input = features.Make(path);
    const M3FeatureSet& featureSet = *example.input.featureSet;
    example.target.assign(featureSet.nOutputs, 0.0F);
    example.weight.assign(featureSet.nOutputs, 0.0F);
    example.known.assign(featureSet.isPublished ? 0 : featureSet.nOutputs, 0.0F);
    example.knownWeight = example.known;
    example.truth.resize(keepTruth ? featureSet.nClasses : 0);
    example.base = example.truth;
    for (uint32_t c = 0; c < featureSet.nSlots; ++c)
    {
        std::vector<double> values;
        std::vector<uint32_t> flows = example.input.flows[c];
        std::sort(flows.begin(), flows.end());
        for (uint32_t flow : flows)
        {
            if (fctNs[flow] >= 0)
            {
                if (keepTruth)
                {
                    example.base[c % featureSet.nClasses].push_back(
                        features.GetBase().GetLogSlowdown(flow));
                }
                const auto ideal = static_cast<double>(scenario.GetIdealFct(flow).GetTotalNs());
                values.push_back(std::log(std::max(1.0, static_cast<double>(fctNs[flow]) / ideal)));
            }
        }
        if (keepTruth && !values.empty())
        {
            example.truth[c % featureSet.nClasses].assign(values.begin(), values.end());
        }
        std::sort(values.begin(), values.end());
        if (!values.empty())
        {
            example.SetTargets(c, values);
        }
    }
    return example;
}

void
M3Example::SetTargets(uint32_t slot, const std::vector<double>& values)
{
    const M3FeatureSet& featureSet = *input.featureSet;
    const std::size_t at = std::size_t{slot} * featureSet.nKnots;
    const auto m = static_cast<double>(values.size());
    if (featureSet.isPublished)
    {
        for (uint32_t k = 0; k < featureSet.nKnots; ++k)
        {
            const std::size_t rank = featureSet.GetRank(featureSet.knots[k], values.size());
            target[at + k] = static_cast<float>(values[rank]);
            weight[at + k] = 1;
        }
        return;
    }
    const double sum = std::sqrt(std::min(m, FLOWS_THAT_COUNT));
    const bool few = values.size() <= featureSet.nKnots;
    for (uint32_t i = 0; i < (few ? values.size() : featureSet.nKnots); ++i)
    {
        target[at + i] =
            static_cast<float>(few ? values[i] : DcnQuantile(values, featureSet.knots[i]));
        weight[at + i] = static_cast<float>(sum * (few ? 1 / m : GetShare(featureSet.knots, i)));
    }
    for (uint32_t k = 0; k < featureSet.nKnots && featureSet.IsOfMany(slot); ++k)
    {
        const double level = featureSet.knots[k];
        if (m * std::min(level, 1 - level) >= LEAST_BEYOND)
        {
            known[at + k] = static_cast<float>(DcnQuantile(values, level));
            knownWeight[at + k] =
                static_cast<float>(4 * std::sqrt(std::min(m, MANY_THAT_COUNT)) / featureSet.nKnots);
        }
    }
}

void
M3Example::AddLoss(const float* quantiles, M3Loss& loss) const
{
    const M3FeatureSet& featureSet = *input.featureSet;
    const uint32_t nKnots = featureSet.nKnots;
    if (featureSet.isPublished)
    {
        for (uint32_t i = 0; i < featureSet.nOutputs; ++i)
        {
            loss.error += weight[i] * std::abs(std::expm1(quantiles[i] - target[i]));
        }
        loss.weight += featureSet.nOutputs;
        return;
    }
    const std::vector<float> levelWeight = M3Loss::GetLevelWeights(featureSet.knots);
    for (uint32_t i = 0; i < featureSet.nOutputs; ++i)
    {
        const float* ofSlot = quantiles + i / nKnots * nKnots;
        for (uint32_t k = 0; k < nKnots && weight[i] > 0; ++k)
        {
            const double level = featureSet.knots[k];
            const double above = target[i] - ofSlot[k];
            loss.error += 2 * levelWeight[k] * weight[i] *
                          std::max(level * above, (level - 1) * above) / nKnots;
        }
        loss.error += knownWeight[i] * M3Loss::GetRelativeError(quantiles[i] - known[i]);
        loss.weight += weight[i] + knownWeight[i];
    }
}

void
M3Example::RequireFlows(const std::vector<M3Example>& examples, const std::string& purpose)
{
    const bool isThere = std::any_of(examples.begin(), examples.end(), [](const M3Example& each) {
        return std::any_of(each.weight.begin(), each.weight.end(), [](float w) { return w > 0; });
    });
    if (!isThere)
    {
        DcnFail("no flow of the ", examples.size(), " paths ", purpose, " finished");
    }
}

} // namespace ns3

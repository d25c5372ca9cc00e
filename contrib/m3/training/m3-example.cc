/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "m3-example.h"

#include "ns3/dcn-error.h"
#include "ns3/dcn-statistics.h"
#include "ns3/dcn-torch-set-network.h"

#include <algorithm>
#include <cmath>

namespace ns3
{

namespace
{

/**
 * @param knots levels
 * @param quantiles of a class at the knots
 * @param level between 0 and 1
 * @return the quantile there
 */
double
Interpolate(const std::vector<double>& knots, const float* quantiles, double level)
{
    const auto above = static_cast<std::size_t>(
        std::upper_bound(knots.begin(), knots.end(), level) - knots.begin());
    if (above == 0 || above == knots.size())
    {
        return quantiles[above == 0 ? 0 : knots.size() - 1];
    }
    const double share = (level - knots[above - 1]) / (knots[above] - knots[above - 1]);
    return (1 - share) * quantiles[above - 1] + share * quantiles[above];
}

/**
 * @param knots levels
 * @param k number of a knot
 * @return share of the levels that are nearest to it
 */
double
GetShare(const std::vector<double>& knots, uint32_t k)
{
    const double from = k == 0 ? 0 : (knots[k - 1] + knots[k]) / 2;
    const double to = k + 1 == knots.size() ? 1 : (knots[k] + knots[k + 1]) / 2;
    return to - from;
}

} // namespace

std::vector<float>
M3LossOptions::GetLevelWeights(const std::vector<double>& knots) const
{
    std::vector<float> weights;
    double sum = 0;
    for (double level : knots)
    {
        weights.push_back(static_cast<float>(std::pow(level * (1 - level), -tail)));
        sum += weights.back();
    }
    for (float& weight : weights)
    {
        weight *= static_cast<float>(static_cast<double>(knots.size()) / sum);
    }
    return weights;
}

void
M3LossOptions::Check(const M3Layout& layout) const
{
    if (!(tail >= 0) || !(tail <= 1) || !(known >= 0))
    {
        DcnFail("of a training, tail must be from 0 to 1 and known at least 0, but they are ",
                tail,
                " and ",
                known);
    }
    const M3LossOptions usual;
    if (!layout.learnsFlows && (tail != usual.tail || known != usual.known))
    {
        DcnFail("tail and known have no effect on the loss of the ", layout.name,
                " features of m3");
    }
}

void
M3Expand(const M3Input& input, const float* quantiles, std::vector<M3Point>& points)
{
    const M3Layout& layout = *input.layout;
    const uint32_t nKnots = layout.nKnots;
    for (uint32_t c = 0; c < layout.nSlots; ++c)
    {
        const auto& flows = input.flows[c];
        if (flows.empty())
        {
            continue;
        }
        const auto n = static_cast<double>(flows.size());
        for (uint32_t k = 0; k <= nKnots; ++k)
        {
            const double from = k == 0 ? 0 : layout.knots[k - 1];
            const double to = k == nKnots ? 1 : layout.knots[k];
            if (to <= from) // the last knot is 1
            {
                continue;
            }
            for (double quarter : {0.25, 0.75})
            {
                const double level = from + quarter * (to - from);
                const auto rank = std::min(flows.size() - 1, static_cast<std::size_t>(level * n));
                points.push_back(
                    {flows[rank],
                     c % layout.nClasses,
                     std::exp(Interpolate(layout.knots, quantiles + c * nKnots, level)),
                     n * (to - from) / 2});
            }
        }
    }
}

M3Example
M3Example::Make(const M3Features& features,
                const DcnScenario& scenario,
                uint32_t path,
                const std::vector<int64_t>& fctNs,
                bool keepTruth)
{
    M3Example example;
    example.input = features.MakeInput(path);
    example.conditions = features.Describe(path, example.input);
    const M3Layout& layout = *example.input.layout;
    example.target.assign(layout.nOutputs, 0.0F);
    example.weight.assign(layout.nOutputs, 0.0F);
    example.known.assign(layout.learnsFlows ? layout.nOutputs : 0, 0.0F);
    example.knownWeight = example.known;
    example.truth.resize(keepTruth ? layout.nClasses : 0);
    example.fluid = example.truth;
    for (uint32_t c = 0; c < layout.nSlots; ++c)
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
                    example.fluid[c % layout.nClasses].push_back(
                        features.GetFluid().GetLogSlowdown(flow));
                }
                const auto ideal = static_cast<double>(scenario.GetIdealFct(flow).GetTotalNs());
                values.push_back(
                    std::log(std::max(1.0, static_cast<double>(fctNs[flow]) / ideal)));
            }
        }
        if (keepTruth && !values.empty())
        {
            example.truth[c % layout.nClasses].assign(values.begin(), values.end());
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
    const M3Layout& layout = *input.layout;
    const std::size_t at = std::size_t{slot} * layout.nKnots;
    const auto m = static_cast<double>(values.size());
    if (!layout.learnsFlows)
    {
        for (uint32_t k = 0; k < layout.nKnots; ++k)
        {
            const std::size_t rank = layout.GetRank(layout.knots[k], values.size());
            target[at + k] = static_cast<float>(values[rank]);
            weight[at + k] = 1;
        }
        return;
    }
    const double sum = std::sqrt(std::min(m, FLOWS_THAT_COUNT));
    const bool few = values.size() <= layout.nKnots;
    for (uint32_t i = 0; i < (few ? values.size() : layout.nKnots); ++i)
    {
        target[at + i] = static_cast<float>(few ? values[i] : DcnQuantile(values, layout.knots[i]));
        weight[at + i] = static_cast<float>(sum * (few ? 1 / m : GetShare(layout.knots, i)));
    }
    for (uint32_t k = 0; k < layout.nKnots && layout.IsOfMany(slot); ++k)
    {
        const double level = layout.knots[k];
        if (m * std::min(level, 1 - level) >= LEAST_BEYOND)
        {
            known[at + k] = static_cast<float>(DcnQuantile(values, level));
            knownWeight[at + k] =
                static_cast<float>(2 * std::sqrt(std::min(m, MANY_THAT_COUNT)) / layout.nKnots);
        }
    }
}

double
M3Example::GetError(const float* quantiles, const M3LossOptions& options, double& weightSum) const
{
    const M3Layout& layout = *input.layout;
    const uint32_t nKnots = layout.nKnots;
    double error = 0;
    if (!layout.learnsFlows)
    {
        for (uint32_t i = 0; i < layout.nOutputs; ++i)
        {
            error += weight[i] * std::abs(target[i] - quantiles[i]);
            weightSum += weight[i];
        }
        return error;
    }
    const std::vector<float> levelWeight = options.GetLevelWeights(layout.knots);
    for (uint32_t c = 0; c < layout.nSlots; ++c)
    {
        for (uint32_t i = c * nKnots; i < (c + 1) * nKnots; ++i)
        {
            for (uint32_t k = 0; k < nKnots && weight[i] > 0; ++k)
            {
                const double level = layout.knots[k];
                const double above = target[i] - quantiles[c * nKnots + k];
                error += 2 * levelWeight[k] * weight[i] *
                         std::max(level * above, (level - 1) * above) / nKnots;
            }
            weightSum += weight[i];
        }
        for (uint32_t i = c * nKnots; i < (c + 1) * nKnots; ++i)
        {
            error += options.known * knownWeight[i] *
                     DcnTorchSetNetwork::RelativeError(quantiles[i] - known[i]);
            weightSum += options.known * knownWeight[i];
        }
    }
    return error;
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

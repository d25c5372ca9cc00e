/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "m3-example.h"

#include "ns3/dcn-statistics.h"

#include <algorithm>
#include <cmath>

namespace ns3
{

namespace
{

constexpr uint32_t C = M3Features::N_SLOTS; //!< slots
constexpr uint32_t K = M3Features::N_KNOTS; //!< knots

/**
 * @param quantiles of a class at the knots
 * @param level between 0 and 1
 * @return the quantile there
 */
double
Interpolate(const float* quantiles, double level)
{
    const auto& knots = M3Features::KNOTS;
    const auto above = static_cast<std::size_t>(
        std::upper_bound(knots.begin(), knots.end(), level) - knots.begin());
    if (above == 0 || above == K)
    {
        return quantiles[above == 0 ? 0 : K - 1];
    }
    const double share = (level - knots[above - 1]) / (knots[above] - knots[above - 1]);
    return (1 - share) * quantiles[above - 1] + share * quantiles[above];
}

/**
 * @param k number of a knot
 * @return share of the levels that are nearest to it
 */
double
GetShare(uint32_t k)
{
    const auto& knots = M3Features::KNOTS;
    const double from = k == 0 ? 0 : (knots[k - 1] + knots[k]) / 2;
    const double to = k + 1 == K ? 1 : (knots[k] + knots[k + 1]) / 2;
    return to - from;
}

} // namespace

std::vector<float>
M3LossOptions::GetLevelWeights() const
{
    std::vector<float> weights;
    double sum = 0;
    for (double level : M3Features::KNOTS)
    {
        weights.push_back(static_cast<float>(std::pow(level * (1 - level), -tail)));
        sum += weights.back();
    }
    for (float& weight : weights)
    {
        weight *= static_cast<float>(K / sum);
    }
    return weights;
}

void
M3Expand(const M3Input& input, const float* quantiles, std::vector<M3Point>& points)
{
    for (uint32_t c = 0; c < C; ++c)
    {
        const auto& flows = input.flows[c];
        if (flows.empty())
        {
            continue;
        }
        const auto n = static_cast<double>(flows.size());
        for (uint32_t k = 0; k <= K; ++k)
        {
            const double from = k == 0 ? 0 : M3Features::KNOTS[k - 1];
            const double to = k == K ? 1 : M3Features::KNOTS[k];
            for (double quarter : {0.25, 0.75})
            {
                const double level = from + quarter * (to - from);
                const auto rank = std::min(flows.size() - 1, static_cast<std::size_t>(level * n));
                points.push_back({flows[rank],
                                  c % M3Features::N_CLASSES,
                                  std::exp(Interpolate(quantiles + c * K, level)),
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
    example.target.assign(C * N_TARGETS, 0.0F);
    example.weight.assign(C * N_TARGETS, 0.0F);
    example.known.assign(C * K, 0.0F);
    example.knownWeight.assign(C * K, 0.0F);
    example.truth.resize(keepTruth ? M3Features::N_CLASSES : 0);
    example.fluid = example.truth;
    for (uint32_t c = 0; c < C; ++c)
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
                    example.fluid[c % M3Features::N_CLASSES].push_back(
                        features.GetFluid().GetLogSlowdown(flow));
                }
                const auto ideal = static_cast<double>(scenario.GetIdealFct(flow).GetTotalNs());
                values.push_back(
                    std::log(std::max(1.0, static_cast<double>(fctNs[flow]) / ideal)));
            }
        }
        if (keepTruth && !values.empty())
        {
            example.truth[c % M3Features::N_CLASSES].assign(values.begin(), values.end());
        }
        std::sort(values.begin(), values.end());
        const auto m = static_cast<double>(values.size());
        const double weight = std::sqrt(std::min(m, FLOWS_THAT_COUNT));
        for (uint32_t i = 0; i < N_TARGETS && !values.empty(); ++i)
        {
            const bool few = values.size() <= N_TARGETS;
            if (few && i >= values.size())
            {
                break;
            }
            example.target[c * N_TARGETS + i] = static_cast<float>(
                few ? values[i] : DcnQuantile(values, M3Features::KNOTS[i]));
            example.weight[c * N_TARGETS + i] =
                static_cast<float>(weight * (few ? 1 / m : GetShare(i)));
        }
        const bool many = c >= M3Features::N_SLOTS - M3Features::N_CLASSES;
        for (uint32_t k = 0; k < K && many; ++k)
        {
            const double level = M3Features::KNOTS[k];
            if (m * std::min(level, 1 - level) >= LEAST_BEYOND)
            {
                example.known[c * K + k] = static_cast<float>(DcnQuantile(values, level));
                example.knownWeight[c * K + k] =
                    static_cast<float>(2 * std::sqrt(std::min(m, MANY_THAT_COUNT)) / K);
            }
        }
    }
    return example;
}

double
M3Example::GetError(const float* quantiles, const M3LossOptions& options, double& weightSum) const
{
    const std::vector<float> levelWeight = options.GetLevelWeights();
    double error = 0;
    for (uint32_t c = 0; c < C; ++c)
    {
        for (uint32_t i = c * N_TARGETS; i < (c + 1) * N_TARGETS; ++i)
        {
            for (uint32_t k = 0; k < K && weight[i] > 0; ++k)
            {
                const double level = M3Features::KNOTS[k];
                const double above = target[i] - quantiles[c * K + k];
                error += 2 * levelWeight[k] * weight[i] *
                         std::max(level * above, (level - 1) * above) / K;
            }
            weightSum += weight[i];
        }
        for (uint32_t i = c * K; i < (c + 1) * K; ++i)
        {
            error += options.known * knownWeight[i] * std::abs(known[i] - quantiles[i]);
            weightSum += options.known * knownWeight[i];
        }
    }
    return error;
}

} // namespace ns3

/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "m3-evaluation.h"

#include "ns3/dcn-statistics.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace ns3
{

namespace
{

/// Numbers that are predicted of a path.
constexpr uint32_t OUTPUTS = M3Features::N_SLOTS * M3Features::N_KNOTS;
constexpr std::size_t BATCH = 256; //!< paths in a call
constexpr double LEVEL = 0.99;     //!< of the quantile that is compared

/**
 * @param example a path
 * @param quantiles its log slowdowns
 * @param sizeClass which flows count
 * @return the estimate's quantile of slowdowns
 */
double
GetEstimate(const M3Example& example, const float* quantiles, const DcnSizeClass& sizeClass)
{
    std::vector<M3Point> points;
    M3Expand(example.input, quantiles, points);
    std::vector<std::pair<double, double>> sorted;
    for (const M3Point& point : points)
    {
        if (sizeClass.Contains(M3Features::CLASS_BYTES[point.sizeClass]))
        {
            sorted.emplace_back(point.slowdown, point.nFlows);
        }
    }
    std::sort(sorted.begin(), sorted.end());
    return DcnWeightedQuantile(sorted, LEVEL);
}

} // namespace

M3Evaluation::M3Evaluation(const std::vector<M3Example>& examples, const M3Network& network)
{
    const auto& classes = DcnSizeClasses();
    for (const DcnSizeClass& sizeClass : classes)
    {
        m_rows.push_back({sizeClass.name, 0, 0, 0});
    }
    double weight = 0;
    double fluidWeight = 0;
    for (std::size_t first = 0; first < examples.size(); first += BATCH)
    {
        const std::size_t last = std::min(examples.size(), first + BATCH);
        std::vector<M3Input> inputs;
        for (std::size_t i = first; i < last; ++i)
        {
            inputs.push_back(examples[i].input);
        }
        const std::vector<float> all = network.Predict(inputs);
        for (std::size_t i = first; i < last; ++i)
        {
            const M3Example& example = examples[i];
            const float* quantiles = all.data() + (i - first) * OUTPUTS;
            m_loss += example.GetError(quantiles, weight);
            m_fluidLoss += example.GetError(example.input.base.data(), fluidWeight);
            for (std::size_t r = 0; r < classes.size(); ++r)
            {
                std::vector<double> truth;
                for (uint32_t c = 0; c < example.truth.size(); ++c)
                {
                    if (classes[r].Contains(M3Features::CLASS_BYTES[c]))
                    {
                        truth.insert(truth.end(), example.truth[c].begin(), example.truth[c].end());
                    }
                }
                if (truth.size() < LEAST_FLOWS)
                {
                    continue;
                }
                std::sort(truth.begin(), truth.end());
                const double p99 = std::exp(DcnQuantile(truth, LEVEL));
                ++m_rows[r].nPaths;
                m_rows[r].model += std::abs(GetEstimate(example, quantiles, classes[r]) / p99 - 1);
                m_rows[r].fluid +=
                    std::abs(GetEstimate(example, example.input.base.data(), classes[r]) / p99 - 1);
            }
        }
    }
    m_loss /= std::max(weight, 1e-9);
    m_fluidLoss /= std::max(fluidWeight, 1e-9);
    m_rows.erase(std::remove_if(m_rows.begin(),
                                m_rows.end(),
                                [](const Row& row) { return row.nPaths == 0; }),
                 m_rows.end());
    for (Row& row : m_rows)
    {
        row.model /= static_cast<double>(row.nPaths);
        row.fluid /= static_cast<double>(row.nPaths);
    }
}

double
M3Evaluation::GetLoss() const
{
    return m_loss;
}

double
M3Evaluation::GetFluidLoss() const
{
    return m_fluidLoss;
}

const std::vector<M3Evaluation::Row>&
M3Evaluation::GetRows() const
{
    return m_rows;
}

} // namespace ns3

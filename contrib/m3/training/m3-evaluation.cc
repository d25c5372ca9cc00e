/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "m3-evaluation.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

namespace ns3
{

namespace
{

constexpr std::size_t BATCH = 256; //!< paths in a batch
constexpr double LEVEL = 0.99;     //!< level of the compared quantile

/**
 * @param points slowdowns and flows; sorted in place
 * @param nFlows number of flows of the truth
 * @return the expected value of their percentile
 */
double
GetPercentile(std::vector<std::pair<double, double>>& points, std::size_t nFlows)
{
    std::sort(points.begin(), points.end());
    const auto n = static_cast<double>(nFlows);
    return DcnWeightedQuantile(points, ((n - 1) * LEVEL + 2.0 / 3) / (n + 1.0 / 3));
}

/**
 * @param logs log slowdowns; sorted in place
 * @return the percentile of the slowdowns
 */
double
GetPercentile(std::vector<double>& logs)
{
    std::sort(logs.begin(), logs.end());
    return std::exp(DcnQuantile(logs, LEVEL));
}

} // namespace

void
M3Evaluation::Add(const M3Example& example,
                  const std::vector<M3Point>& points,
                  const DcnSizeClass& sizeClass,
                  Flows& flows)
{
    const M3FeatureSet& featureSet = *example.input.featureSet;
    for (uint32_t c = 0; c < featureSet.nClasses; ++c)
    {
        if (sizeClass.Contains(featureSet.classBytes[c]))
        {
            flows.truth.insert(flows.truth.end(), example.truth[c].begin(), example.truth[c].end());
            flows.base.insert(flows.base.end(), example.base[c].begin(), example.base[c].end());
            if (!example.flowsim.empty())
            {
                flows.flowsim.insert(flows.flowsim.end(),
                                     example.flowsim[c].begin(),
                                     example.flowsim[c].end());
            }
        }
    }
    for (const M3Point& point : points)
    {
        if (sizeClass.Contains(featureSet.classBytes[point.sizeClass]))
        {
            flows.model.emplace_back(point.slowdown, point.nFlows);
        }
    }
}

M3Evaluation::NetworkError
M3Evaluation::Count(Flows& flows, Row& row)
{
    NetworkError error;
    if (flows.truth.size() < LEAST_FLOWS)
    {
        return error;
    }
    std::vector<double> halves[2];
    for (std::size_t i = 0; i < flows.truth.size(); ++i)
    {
        halves[i % 2].push_back(flows.truth[i]);
    }
    const double p99 = GetPercentile(flows.truth);
    error.nFlows = flows.truth.size();
    error.sizeClass = row.name;
    error.noise = std::abs(std::log(GetPercentile(halves[0]) / GetPercentile(halves[1]))) / 2;
    error.base = GetPercentile(flows.base) / p99 - 1;
    error.model = GetPercentile(flows.model, flows.truth.size()) / p99 - 1;
    ++row.n;
    row.noise += error.noise;
    row.base += std::abs(error.base);
    row.model += std::abs(error.model);
    row.bias += error.model;
    if (!flows.flowsim.empty())
    {
        row.flowsim += std::abs(GetPercentile(flows.flowsim) / p99 - 1);
    }
    return error;
}

void
M3Evaluation::Finish(std::vector<Row>& rows)
{
    rows.erase(std::remove_if(rows.begin(), rows.end(), [](const Row& row) { return row.n == 0; }),
               rows.end());
    for (Row& row : rows)
    {
        for (double* sum : {&row.flowsim, &row.base, &row.model, &row.bias, &row.noise})
        {
            *sum /= static_cast<double>(row.n);
        }
    }
}

M3Evaluation::M3Evaluation(const std::vector<M3Example>& examples, const M3Network& network)
{
    const std::size_t nOutputs = network.GetFeatureSet().nOutputs;
    const auto& classes = DcnSizeClasses();
    for (const DcnSizeClass& sizeClass : classes)
    {
        m_paths.emplace_back();
        m_paths.back().name = sizeClass.name;
    }
    m_networks = m_paths;
    std::map<uint64_t, std::vector<Flows>> networks;
    M3Loss loss;
    M3Loss baseLoss;
    for (std::size_t first = 0; first < examples.size(); first += BATCH)
    {
        const std::size_t last = std::min(examples.size(), first + BATCH);
        std::vector<M3PathFeatures> inputs;
        for (std::size_t i = first; i < last; ++i)
        {
            inputs.push_back(examples[i].input);
        }
        const std::vector<float> all = network.Predict(inputs);
        for (std::size_t i = first; i < last; ++i)
        {
            const M3Example& example = examples[i];
            const float* quantiles = all.data() + (i - first) * nOutputs;
            example.AddLoss(quantiles, loss);
            example.AddLoss(example.input.base.data(), baseLoss);
            std::size_t nFlows = 0;
            for (const auto& ofClass : example.truth)
            {
                nFlows += ofClass.size();
            }
            if (nFlows == 0 || (nFlows < LEAST_FLOWS && example.network == 0))
            {
                continue;
            }
            std::vector<M3Point> points;
            M3Expand(example.input, quantiles, network.GetCorrection(), points);
            auto& whole = networks[example.network];
            whole.resize(classes.size());
            for (std::size_t r = 0; r < classes.size(); ++r)
            {
                if (nFlows >= LEAST_FLOWS)
                {
                    Flows alone;
                    Add(example, points, classes[r], alone);
                    Count(alone, m_paths[r]);
                }
                if (example.network > 0)
                {
                    Add(example, points, classes[r], whole[r]);
                }
            }
        }
    }
    m_loss = loss.GetMean();
    m_baseLoss = baseLoss.GetMean();
    for (auto& [number, whole] : networks)
    {
        for (std::size_t r = 0; r < whole.size(); ++r)
        {
            NetworkError error = Count(whole[r], m_networks[r]);
            if (error.nFlows > 0)
            {
                error.network = number;
                m_errors.push_back(error);
            }
        }
    }
    Finish(m_paths);
    Finish(m_networks);
}

double
M3Evaluation::GetLoss() const
{
    return m_loss;
}

double
M3Evaluation::GetBaseLoss() const
{
    return m_baseLoss;
}

double
M3Evaluation::GetScore() const
{
    double score = 0;
    for (const auto* rows : {&m_paths, &m_networks})
    {
        for (const Row& row : *rows)
        {
            score += row.model / static_cast<double>(rows->size()) / 2;
        }
    }
    return m_paths.empty() && m_networks.empty() ? m_loss : score;
}

const std::vector<M3Evaluation::Row>&
M3Evaluation::GetPaths() const
{
    return m_paths;
}

const std::vector<M3Evaluation::Row>&
M3Evaluation::GetNetworks() const
{
    return m_networks;
}

const std::vector<M3Evaluation::NetworkError>&
M3Evaluation::GetNetworkErrors() const
{
    return m_errors;
}

} // namespace ns3

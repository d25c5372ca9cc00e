/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "dcn-torch-parameters.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace ns3
{

namespace
{

constexpr double BETA_1 = 0.9;    //!< decay of the first moments
constexpr double BETA_2 = 0.999;  //!< decay of the second moments
constexpr double SMALLEST = 1e-8; //!< added to the root of the second moment

} // namespace

DcnTorchParameters::DcnTorchParameters(const std::vector<DcnTorchParameter>& parameters,
                                       double weightDecay,
                                       double clipNorm,
                                       double averaging)
    : m_parameters(parameters),
      m_clipNorm(clipNorm),
      m_averaging(averaging)
{
    for (const auto& parameter : parameters)
    {
        const int64_t length = static_cast<int64_t>(parameter.rows) * parameter.columns;
        m_lengths.push_back(length);
        m_decays.insert(m_decays.end(),
                        length,
                        parameter.decays ? static_cast<float>(weightDecay) : 0);
    }
    m_weights = at::zeros({static_cast<int64_t>(m_decays.size())}).requires_grad_();
    m_weights.mutable_grad() = at::zeros({static_cast<int64_t>(m_decays.size())});
    SetWeights(std::vector<float>(m_decays.size()));
}

std::vector<at::Tensor>
DcnTorchParameters::Split() const
{
    std::vector<at::Tensor> matrices = m_weights.split_with_sizes(m_lengths);
    for (std::size_t i = 0; i < matrices.size(); ++i)
    {
        if (m_parameters[i].rows > 1 || m_parameters[i].decays)
        {
            matrices[i] = matrices[i].view({m_parameters[i].rows, m_parameters[i].columns});
        }
    }
    return matrices;
}

void
DcnTorchParameters::ClearGradient()
{
    m_weights.mutable_grad().zero_();
}

double
DcnTorchParameters::GetGradientNorm() const
{
    double sum = 0;
    for (float gradient : GetGradient())
    {
        sum += static_cast<double>(gradient) * gradient;
    }
    return std::sqrt(sum);
}

void
DcnTorchParameters::Step(double learningRate, double gradientNorm)
{
    ++m_steps;
    const auto scale = static_cast<float>(std::min(1.0, m_clipNorm / (gradientNorm + 1e-12)));
    const auto rate = static_cast<float>(learningRate);
    const auto size =
        static_cast<float>(learningRate / (1 - std::pow(BETA_1, static_cast<double>(m_steps))));
    const auto correction =
        static_cast<float>(1 / std::sqrt(1 - std::pow(BETA_2, static_cast<double>(m_steps))));
    const auto smallest = static_cast<float>(SMALLEST);
    const auto averaging = static_cast<float>(m_averaging);
    auto* weights = m_weights.data_ptr<float>();
    const auto* gradients = m_weights.grad().data_ptr<float>();
    for (std::size_t i = 0; i < m_first.size(); ++i)
    {
        const float gradient = gradients[i] * scale;
        m_first[i] += static_cast<float>(1 - BETA_1) * (gradient - m_first[i]);
        m_second[i] += static_cast<float>(1 - BETA_2) * (gradient * gradient - m_second[i]);
        weights[i] -= rate * m_decays[i] * weights[i];
        weights[i] -= size * m_first[i] / (std::sqrt(m_second[i]) * correction + smallest);
        m_average[i] += (1 - averaging) * (weights[i] - m_average[i]);
    }
}

std::vector<float>
DcnTorchParameters::GetWeights() const
{
    const auto* weights = m_weights.data_ptr<float>();
    return {weights, weights + m_weights.numel()};
}

std::vector<float>
DcnTorchParameters::GetAveragedWeights() const
{
    return m_averaging > 0 ? m_average : GetWeights();
}

std::vector<float>
DcnTorchParameters::GetGradient() const
{
    const auto* gradients = m_weights.grad().data_ptr<float>();
    return {gradients, gradients + m_weights.numel()};
}

void
DcnTorchParameters::SetWeights(const std::vector<float>& weights)
{
    if (weights.size() != m_decays.size())
    {
        throw std::runtime_error("another number of weights");
    }
    std::copy(weights.begin(), weights.end(), m_weights.data_ptr<float>());
    m_average = weights;
    if (m_first.empty())
    {
        m_first.assign(weights.size(), 0);
        m_second.assign(weights.size(), 0);
    }
}

std::vector<float>
DcnTorchParameters::GetState(uint64_t& steps) const
{
    steps = m_steps;
    std::vector<float> state = m_first;
    state.insert(state.end(), m_second.begin(), m_second.end());
    state.insert(state.end(), m_average.begin(), m_average.end());
    return state;
}

void
DcnTorchParameters::SetState(const std::vector<float>& state, uint64_t steps)
{
    const auto count = static_cast<std::ptrdiff_t>(m_decays.size());
    m_first.assign(state.begin(), state.begin() + count);
    m_second.assign(state.begin() + count, state.begin() + 2 * count);
    m_average.assign(state.begin() + 2 * count, state.end());
    m_steps = steps;
}

} // namespace ns3

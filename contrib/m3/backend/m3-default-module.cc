/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "m3-default-module.h"

#include "dcn-torch-module-trainer.h"
#include "m3-torch-layers.h"

#include <algorithm>
#include <cmath>
#include <torch/nn/functional/activation.h>
#include <torch/nn/init.h>

namespace ns3
{

namespace
{

using torch::Tensor;

/// A block of the transformer: attention between all links of a path, and a SwiGLU.
class Block : public torch::nn::Module
{
  public:
    /// Takes the shape of the network.
    explicit Block(const M3NetworkShape& shape)
        : m_heads(shape.heads),
          m_norm1(register_module("norm1", std::make_shared<M3RmsNorm>(shape.width))),
          m_norm2(register_module("norm2", std::make_shared<M3RmsNorm>(shape.width))),
          m_qkv(register_module("qkv", M3MakeMatrix(3 * shape.width, shape.width))),
          m_o(register_module("o", M3MakeMatrix(shape.width, shape.width))),
          m_gate(register_module("gate", M3MakeMatrix(shape.feedForward, shape.width))),
          m_up(register_module("up", M3MakeMatrix(shape.feedForward, shape.width))),
          m_down(register_module("down", M3MakeMatrix(shape.width, shape.feedForward)))
    {
    }

    /// Takes and returns [tokens x d].
    Tensor forward(Tensor tokens, const M3Padding& padding)
    {
        const int64_t d = tokens.size(1);
        const int64_t perHead = d / m_heads;
        // [3 x paths x heads x longest x d / heads]
        const Tensor padded = padding.Pad(m_qkv(m_norm1->forward(tokens)));
        const Tensor qkv = padded.view({padded.size(0), padded.size(1), 3, m_heads, perHead})
                               .permute({2, 0, 3, 1, 4});
        const Tensor scores = torch::matmul(qkv[0], qkv[1].transpose(2, 3)) /
                                  std::sqrt(static_cast<double>(perHead)) +
                              padding.GetMask();
        const Tensor values = torch::matmul(scores.softmax(3), qkv[2])
                                  .permute({0, 2, 1, 3})
                                  .reshape({padded.size(0), padded.size(1), d});
        tokens = tokens + m_o(padding.Unpad(values));
        const Tensor norm = m_norm2->forward(tokens);
        return tokens + m_down(torch::silu(m_gate(norm)) * m_up(norm));
    }

  private:
    int64_t m_heads;                    //!< A
    std::shared_ptr<M3RmsNorm> m_norm1; //!< before the attention
    std::shared_ptr<M3RmsNorm> m_norm2; //!< before the SwiGLU
    torch::nn::Linear m_qkv;            //!< queries, keys and values
    torch::nn::Linear m_o;              //!< of the attention
    torch::nn::Linear m_gate;           //!< of the SwiGLU
    torch::nn::Linear m_up;             //!< of the SwiGLU
    torch::nn::Linear m_down;           //!< of the SwiGLU
};

/// The network; the equations are those of M3DefaultNetwork.
class Module : public torch::nn::Module
{
  public:
    /// Takes the shape of the network.
    explicit Module(const M3NetworkShape& shape)
        : m_shape(shape),
          m_token(register_module("token", torch::nn::Linear(shape.tokenFeatures, shape.width)))
    {
        for (uint32_t i = 0; i < shape.layers; ++i)
        {
            m_blocks.push_back(
                register_module("block" + std::to_string(i), std::make_shared<Block>(shape)));
        }
        m_norm = register_module("norm", std::make_shared<M3RmsNorm>(shape.width));
        m_mlp1 =
            register_module("mlp1",
                            torch::nn::Linear(shape.foregroundFeatures + shape.width, shape.mlp));
        m_mlp2 = register_module("mlp2", torch::nn::Linear(shape.mlp, shape.mlp));
        m_mlp3 = register_module("mlp3", torch::nn::Linear(shape.mlp, shape.slots * shape.knots));
        // an untrained network answers with the fluid
        torch::nn::init::zeros_(m_mlp3->weight);
        torch::nn::init::zeros_(m_mlp3->bias);
    }

    /// Returns the quantiles [paths x SK].
    Tensor forward(const M3TorchBatch& batch, torch::Device device)
    {
        const M3Padding padding(batch.tokens, device);
        Tensor tokens = m_token(M3ToMatrix(batch.token, m_shape.tokenFeatures, device));
        for (const auto& block : m_blocks)
        {
            tokens = block->forward(tokens, padding);
        }
        const Tensor context = padding.Average(m_norm->forward(tokens));
        const Tensor foreground = M3ToMatrix(batch.foreground, m_shape.foregroundFeatures, device);
        const Tensor hidden = m_mlp1(torch::cat({foreground, context}, 1)).relu();
        const Tensor correction = m_mlp3(m_mlp2(hidden).relu());

        std::vector<float> inverse(batch.base.size());
        for (std::size_t i = 0; i < inverse.size(); ++i)
        {
            const double increment = batch.base[i] - (i % m_shape.knots ? batch.base[i - 1] : 0.0F);
            const double ratio = std::max(increment, M3NetworkShape::FLOOR) / M3NetworkShape::TAU;
            inverse[i] =
                static_cast<float>(M3NetworkShape::TAU * (ratio + std::log(-std::expm1(-ratio))));
        }
        const Tensor start = M3ToMatrix(inverse, correction.size(1), device);
        namespace F = torch::nn::functional;
        return F::softplus(start.add(correction, m_shape.gain),
                           F::SoftplusFuncOptions().beta(1 / M3NetworkShape::TAU))
            .view({-1, m_shape.slots, m_shape.knots})
            .cumsum(2)
            .view({-1, correction.size(1)});
    }

  private:
    M3NetworkShape m_shape;                       //!< of the network
    torch::nn::Linear m_token;                    //!< of the features of a link
    std::vector<std::shared_ptr<Block>> m_blocks; //!< of the transformer
    std::shared_ptr<M3RmsNorm> m_norm;            //!< after the last block
    torch::nn::Linear m_mlp1{nullptr};            //!< of the head
    torch::nn::Linear m_mlp2{nullptr};            //!< of the head
    torch::nn::Linear m_mlp3{nullptr};            //!< of the head
};

/// See M3TorchNetwork.
class Network : public M3TorchNetwork
{
  public:
    /// See M3TorchFactory::MakeDefault.
    Network(const M3NetworkShape& shape,
            const std::vector<double>& levels,
            const DcnTorchOptimizerOptions& options)
        : m_device(DcnTorchModuleTrainer::Begin(options)),
          m_knots(shape.knots),
          m_module(std::make_shared<Module>(shape))
    {
        const std::vector<float> p(levels.begin(), levels.end());
        m_levels = torch::tensor(p).view({1, m_knots, 1}).to(m_device);
        m_levelWeights =
            torch::tensor(M3Loss::GetLevelWeights(levels)).view({1, m_knots, 1}).to(m_device);
        m_module->to(m_device);
        m_trainer = std::make_unique<DcnTorchModuleTrainer>(m_module, options);
    }

    DcnTorchTrainer& GetTrainer() override
    {
        return *m_trainer;
    }

    M3Loss Train(const M3TorchBatch& batch, double learningRate) override
    {
        M3Loss loss = GetWeight(batch);
        const Tensor error = GetError(m_module->forward(batch, m_device), batch);
        loss.error = error.item<double>();
        loss.gradientNorm = m_trainer->Step(error / std::max(loss.weight, 1e-9), learningRate);
        return loss;
    }

    M3Loss Evaluate(const M3TorchBatch& batch) override
    {
        const torch::NoGradGuard guard;
        M3Loss loss = GetWeight(batch);
        loss.error = GetError(m_module->forward(batch, m_device), batch).item<double>();
        return loss;
    }

    std::vector<float> Predict(const M3TorchBatch& batch) const override
    {
        const torch::NoGradGuard guard;
        return M3ToNumbers(m_module->forward(batch, m_device));
    }

  private:
    /// Returns a loss with its denominator.
    static M3Loss GetWeight(const M3TorchBatch& batch)
    {
        M3Loss loss;
        for (const auto* weights : {&batch.weight, &batch.knownWeight})
        {
            for (float weight : *weights)
            {
                loss.weight += weight;
            }
        }
        return loss;
    }

    /// Returns the numerator of the loss of the quantiles [paths x SK], see M3Loss.
    Tensor GetError(const Tensor& quantiles, const M3TorchBatch& batch) const;

    torch::Device m_device;                           //!< where it computes
    int64_t m_knots;                                  //!< K
    std::shared_ptr<Module> m_module;                 //!< the network
    std::unique_ptr<DcnTorchModuleTrainer> m_trainer; //!< its trainer
    Tensor m_levels;                                  //!< [1 x K x 1] p_k
    Tensor m_levelWeights;                            //!< [1 x K x 1] v_k
};

Tensor
Network::GetError(const Tensor& quantiles, const M3TorchBatch& batch) const
{
    const int64_t rows = quantiles.numel() / m_knots;
    const int64_t points = static_cast<int64_t>(batch.target.size()) / rows;
    // most paths have flows of a few classes only: rows without weight are left out
    std::vector<int64_t> present;
    std::vector<float> targets;
    std::vector<float> weights;
    for (int64_t row = 0; row < rows; ++row)
    {
        const auto first = batch.weight.begin() + row * points;
        if (std::any_of(first, first + points, [](float weight) { return weight != 0; }))
        {
            present.push_back(row);
            weights.insert(weights.end(), first, first + points);
            const auto target = batch.target.begin() + row * points;
            targets.insert(targets.end(), target, target + points);
        }
    }
    Tensor error = quantiles.sum() * 0;
    if (!present.empty())
    {
        const auto n = static_cast<int64_t>(present.size());
        const Tensor index = torch::tensor(present, torch::kLong).to(m_device);
        const Tensor above =
            M3ToMatrix(targets, points, m_device).view({n, 1, points}) -
            quantiles.reshape({rows, m_knots}).index_select(0, index).view({n, m_knots, 1});
        const Tensor pinball =
            (torch::maximum(above * m_levels, above * (m_levels - 1)) * m_levelWeights).sum(1);
        error = (pinball * M3ToMatrix(weights, points, m_device)).sum() *
                (2.0 / static_cast<double>(m_knots));
    }
    if (batch.known.empty())
    {
        return error;
    }
    // M3Loss::GetRelativeError
    const Tensor over = quantiles - M3ToMatrix(batch.known, quantiles.size(1), m_device);
    const Tensor beyond = (over - M3Loss::STRAIGHT).clamp_min(0);
    const Tensor relative = torch::expm1(over - beyond).abs() + beyond * std::exp(M3Loss::STRAIGHT);
    return error + (relative * M3ToMatrix(batch.knownWeight, quantiles.size(1), m_device)).sum();
}

} // namespace

std::unique_ptr<M3TorchNetwork>
M3MakeDefaultModule(const M3NetworkShape& shape,
                    const std::vector<double>& levels,
                    const DcnTorchOptimizerOptions& options)
{
    return std::make_unique<Network>(shape, levels, options);
}

} // namespace ns3

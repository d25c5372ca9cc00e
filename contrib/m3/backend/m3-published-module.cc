/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "m3-published-module.h"

#include "dcn-torch-module-trainer.h"
#include "m3-torch-layers.h"

#include <cmath>
#include <torch/nn/functional/activation.h>
#include <torch/nn/init.h>
#include <torch/nn/modules/dropout.h>

namespace ns3
{

namespace
{

using torch::Tensor;

constexpr double DROPOUT = 0.2;     //!< published
constexpr double ROTARY_BASE = 1e4; //!< theta of the rotary positions
constexpr double DEVIATION = 0.02;  //!< of the initial weights of the encoder

/**
 * @param heads [paths x heads x positions x n] queries or keys
 * @return the heads, with the pair (2 i, 2 i + 1) of the numbers at position p rotated by the angle
 * p theta^(-2 i / n) (Su et al., RoFormer, 2021)
 */
Tensor
Rotate(const Tensor& heads)
{
    const int64_t positions = heads.size(2);
    const int64_t n = heads.size(3);
    const Tensor frequencies =
        torch::pow(ROTARY_BASE, -torch::arange(0, n, 2, heads.options()) / static_cast<double>(n));
    const Tensor angles = torch::outer(torch::arange(positions, heads.options()), frequencies);
    const Tensor cosine = angles.cos();
    const Tensor sine = angles.sin();
    const Tensor pairs = heads.reshape({heads.size(0), heads.size(1), positions, n / 2, 2});
    const Tensor x = pairs.select(4, 0);
    const Tensor y = pairs.select(4, 1);
    return torch::stack({x * cosine - y * sine, x * sine + y * cosine}, 4).reshape(heads.sizes());
}

/// A block of the encoder: causal attention with rotary positions, and a SwiGLU.
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
          m_down(register_module("down", M3MakeMatrix(shape.width, shape.feedForward))),
          m_dropout(register_module("dropout", torch::nn::Dropout(DROPOUT)))
    {
        const double scaled = DEVIATION / std::sqrt(2.0 * shape.layers);
        for (auto& [layer, deviation] : {std::make_pair(m_qkv, DEVIATION),
                                         {m_gate, DEVIATION},
                                         {m_down, DEVIATION},
                                         {m_o, scaled},
                                         {m_up, scaled}}) // as released, not down
        {
            torch::nn::init::normal_(layer->weight, 0, deviation);
        }
    }

    /// Takes and returns [paths x positions x d].
    Tensor forward(Tensor tokens, const Tensor& causal)
    {
        const int64_t d = tokens.size(2);
        const int64_t perHead = d / m_heads;
        // [3 x paths x heads x positions x d / heads]
        const Tensor qkv = m_qkv(m_norm1->forward(tokens))
                               .view({tokens.size(0), tokens.size(1), 3, m_heads, perHead})
                               .permute({2, 0, 3, 1, 4});
        const Tensor scores = torch::matmul(Rotate(qkv[0]), Rotate(qkv[1]).transpose(2, 3)) /
                                  std::sqrt(static_cast<double>(perHead)) +
                              causal;
        const Tensor values = torch::matmul(m_dropout(scores.softmax(3)), qkv[2])
                                  .permute({0, 2, 1, 3})
                                  .reshape(tokens.sizes());
        tokens = tokens + m_dropout(m_o(values));
        const Tensor norm = m_norm2->forward(tokens);
        return tokens + m_dropout(m_down(torch::silu(m_gate(norm)) * m_up(norm)));
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
    torch::nn::Dropout m_dropout;       //!< of attention and residuals
};

/// The network; the equations are those of M3PublishedNetwork.
class Module : public torch::nn::Module
{
  public:
    /// Takes the shape of the network.
    explicit Module(const M3NetworkShape& shape)
        : m_shape(shape),
          m_absent(register_parameter("absent", torch::zeros({shape.knots}))),
          m_token(register_module("token", torch::nn::Linear(shape.tokenFeatures, shape.width))),
          m_dropout(register_module("dropout", torch::nn::Dropout(DROPOUT)))
    {
        for (uint32_t i = 0; i < shape.layers; ++i)
        {
            m_blocks.push_back(
                register_module("block" + std::to_string(i), std::make_shared<Block>(shape)));
        }
        m_norm = register_module("norm", std::make_shared<M3RmsNorm>(shape.width));
        m_output = register_module("output", M3MakeMatrix(shape.width, shape.width));
        torch::nn::init::normal_(m_token->weight, 0, DEVIATION);
        torch::nn::init::zeros_(m_token->bias);
        torch::nn::init::normal_(m_output->weight, 0, DEVIATION);
        m_mlp1 =
            register_module("mlp1",
                            torch::nn::Linear(shape.foregroundFeatures + shape.width, shape.mlp));
        m_mlp2 = register_module("mlp2", torch::nn::Linear(shape.mlp, shape.mlp));
        m_mlp3 = register_module("mlp3", torch::nn::Linear(shape.mlp, shape.slots * shape.knots));
    }

    /// Returns slowdowns [paths x SK], which may be below 1 and may fall.
    Tensor forward(const M3TorchBatch& batch, torch::Device device)
    {
        const M3Padding padding(batch.tokens, device);
        const Tensor features = Fill(M3ToMatrix(batch.token, m_shape.tokenFeatures, device));
        Tensor tokens = padding.Pad(m_dropout(m_token(features)));
        // a token attends to itself and to earlier tokens; padding comes last
        const Tensor causal = torch::full({padding.GetLongest(), padding.GetLongest()},
                                          -std::numeric_limits<float>::infinity(),
                                          tokens.options())
                                  .triu(1);
        for (const auto& block : m_blocks)
        {
            tokens = block->forward(tokens, causal);
        }
        const Tensor context = padding.Average(m_output(m_norm->forward(padding.Unpad(tokens))));
        const Tensor foreground =
            Fill(M3ToMatrix(batch.foreground, m_shape.foregroundFeatures, device));
        const Tensor hidden = m_mlp1(torch::cat({foreground, context}, 1)).relu();
        return m_mlp3(m_mlp2(hidden).relu()) + 1;
    }

  private:
    /// Replaces absent features by learned numbers, by column.
    Tensor Fill(const Tensor& rows) const
    {
        const int64_t times = (rows.size(1) + m_absent.numel() - 1) / m_absent.numel();
        return torch::where(rows.isnan(),
                            m_absent.repeat({times}).narrow(0, 0, rows.size(1)),
                            rows);
    }

    M3NetworkShape m_shape;                       //!< of the network
    Tensor m_absent;                              //!< of absent features, by percentile
    torch::nn::Linear m_token;                    //!< of the features of a link
    torch::nn::Dropout m_dropout;                 //!< of the tokens
    std::vector<std::shared_ptr<Block>> m_blocks; //!< of the encoder
    std::shared_ptr<M3RmsNorm> m_norm;            //!< after the last block
    torch::nn::Linear m_output{nullptr};          //!< of the encoder
    torch::nn::Linear m_mlp1{nullptr};            //!< of the head
    torch::nn::Linear m_mlp2{nullptr};            //!< of the head
    torch::nn::Linear m_mlp3{nullptr};            //!< of the head
};

/// See M3TorchNetwork.
class Network : public M3TorchNetwork
{
  public:
    /// See M3TorchFactory::MakePublished.
    Network(const M3NetworkShape& shape, const DcnTorchOptimizerOptions& options)
        : m_device(DcnTorchModuleTrainer::Begin(options)),
          m_module(std::make_shared<Module>(shape))
    {
        m_module->to(m_device);
        m_module->eval(); // dropout in training only
        m_trainer = std::make_unique<DcnTorchModuleTrainer>(
            m_module,
            options,
            [](const std::string& name, const Tensor& parameter) {
                return parameter.dim() > 1 && name.rfind("mlp", 0) != 0; // of the encoder only
            });
    }

    DcnTorchTrainer& GetTrainer() override
    {
        return *m_trainer;
    }

    M3Loss Train(const M3TorchBatch& batch, double learningRate) override
    {
        m_trainer->SeedStep();
        m_module->train();
        const Tensor mean = GetMean(batch);
        m_module->eval();
        M3Loss loss = MakeLoss(mean, batch);
        loss.gradientNorm = m_trainer->Step(mean, learningRate);
        return loss;
    }

    M3Loss Evaluate(const M3TorchBatch& batch) override
    {
        const torch::NoGradGuard guard;
        return MakeLoss(GetMean(batch), batch);
    }

    std::vector<float> Predict(const M3TorchBatch& batch) const override
    {
        const torch::NoGradGuard guard;
        return M3ToNumbers(m_module->forward(batch, m_device).clamp_min(1).log());
    }

  private:
    /// Returns the loss of a batch: the mean over all outputs, including those without weight.
    Tensor GetMean(const M3TorchBatch& batch) const
    {
        const Tensor slowdowns = m_module->forward(batch, m_device);
        const Tensor truth = M3ToMatrix(batch.target, slowdowns.size(1), m_device).exp();
        const Tensor weight = M3ToMatrix(batch.weight, slowdowns.size(1), m_device);
        return (weight * (slowdowns / truth - 1).abs()).mean();
    }

    /// Returns the mean loss of a batch as a fraction.
    static M3Loss MakeLoss(const Tensor& mean, const M3TorchBatch& batch)
    {
        M3Loss loss;
        loss.weight = static_cast<double>(batch.target.size());
        loss.error = mean.item<double>() * loss.weight;
        return loss;
    }

    torch::Device m_device;                           //!< where it computes
    std::shared_ptr<Module> m_module;                 //!< the network
    std::unique_ptr<DcnTorchModuleTrainer> m_trainer; //!< its trainer
};

} // namespace

std::unique_ptr<M3TorchNetwork>
M3MakePublishedModule(const M3NetworkShape& shape, const DcnTorchOptimizerOptions& options)
{
    return std::make_unique<Network>(shape, options);
}

} // namespace ns3

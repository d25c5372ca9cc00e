/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "dcn-torch-set-network.h"

#include "dcn-torch-backend.h"
#include "dcn-torch-matrices.h"
#include "dcn-torch.h"

#include "ns3/dcn-error.h"

#include <algorithm>
#include <cmath>

namespace ns3
{

namespace
{

/**
 * @param sizes of the network
 * @return names and shapes, see the class
 */
DcnTorchMatrices
MakeMatrices(const DcnTorchSetNetwork::Sizes& sizes)
{
    const uint32_t d = sizes.width;
    DcnTorchMatrices matrices;
    if (sizes.absent > 0)
    {
        matrices.AddVector("absent", sizes.absent, 0);
    }
    if (sizes.context)
    {
        matrices.AddLayer("token", d, sizes.tokenFeatures);
        for (uint32_t i = 0; i < sizes.layers; ++i)
        {
            const std::string block = "block" + std::to_string(i);
            matrices.AddVector(block + ".norm1.g", d, 0, 1);
            matrices.AddMatrix(block + ".qkv.w", 3 * d, d);
            matrices.AddMatrix(block + ".o.w", d, d);
            matrices.AddVector(block + ".norm2.g", d, 0, 1);
            matrices.AddMatrix(block + ".gate.w", sizes.feedForward, d);
            matrices.AddMatrix(block + ".up.w", sizes.feedForward, d);
            matrices.AddMatrix(block + ".down.w", d, sizes.feedForward);
        }
        matrices.AddVector("norm.g", d, 0, 1);
    }
    matrices.AddLayer("mlp1", sizes.mlp, sizes.foregroundFeatures + (sizes.context ? d : 0));
    matrices.AddLayer("mlp2", sizes.mlp, sizes.mlp);
    matrices.AddLayer("mlp3", sizes.classes * sizes.knots, sizes.mlp);
    matrices.StartAtZero(2); // mlp3: the fluid answer at first
    return matrices;
}

/**
 * @brief Check the length of a vector of a batch.
 * @param what the vector holds
 * @param length it has
 * @param expected what it must have
 */
void
CheckLength(const std::string& what, std::size_t length, std::size_t expected)
{
    if (length != expected)
    {
        DcnFail("a batch has ", length, " ", what, ", not ", expected);
    }
}

} // namespace

DcnTorchSetNetwork::DcnTorchSetNetwork(const Sizes& sizes, const Options& options, uint64_t seed)
    : m_sizes(sizes),
      m_hasLevels(!options.levels.empty())
{
    const uint32_t unused = sizes.context ? 0 : 1;
    for (const auto& [what, size] :
         {std::make_pair("number of token features", sizes.tokenFeatures + unused),
          std::make_pair("number of foreground features", sizes.foregroundFeatures),
          std::make_pair("number of classes", sizes.classes),
          std::make_pair("number of knots", sizes.knots),
          std::make_pair("width", sizes.width + unused),
          std::make_pair("number of heads", sizes.heads + unused),
          std::make_pair("feed-forward width", sizes.feedForward + unused),
          std::make_pair("width of the MLP", sizes.mlp)})
    {
        if (size == 0)
        {
            DcnFail("the ", what, " of a set network is 0");
        }
    }
    if (sizes.context && sizes.width % sizes.heads != 0)
    {
        DcnFail("the width ",
                sizes.width,
                " of a set network is not a multiple of its ",
                sizes.heads,
                " heads");
    }
    if (!(sizes.gain > 0) || !std::isfinite(sizes.gain))
    {
        DcnFail("the gain of a set network is ", sizes.gain);
    }
    if (!(options.weightDecay >= 0) || !std::isfinite(options.weightDecay))
    {
        DcnFail("the weight decay of a set network is ", options.weightDecay);
    }
    if (!(options.clipNorm > 0) || !(options.averaging >= 0) || options.averaging >= 1)
    {
        DcnFail("a set network cannot clip gradients to ",
                options.clipNorm,
                " or average with a decay of ",
                options.averaging);
    }
    if (m_hasLevels && options.levels.size() != sizes.knots)
    {
        DcnFail("a set network of ", sizes.knots, " knots has ", options.levels.size(), " levels");
    }
    for (float level : options.levels)
    {
        if (!(level > 0) || !(level < 1))
        {
            DcnFail("a level of a set network is ", level, ", not between 0 and 1");
        }
    }
    if (!options.levelWeights.empty() && options.levelWeights.size() != options.levels.size())
    {
        DcnFail("a set network of ",
                options.levels.size(),
                " levels has ",
                options.levelWeights.size(),
                " weights of levels");
    }
    for (float weight : options.levelWeights)
    {
        if (!(weight > 0) || !std::isfinite(weight))
        {
            DcnFail("the weight of a level of a set network is ", weight);
        }
    }
    const DcnTorchMatrices matrices = MakeMatrices(sizes);
    m_trainer = DcnTorch::Load<DcnTorchBackend>("a set network", "old")
                    .MakeSet(matrices.Get(), sizes, options);
    m_trainer->SetWeights(matrices.Draw(seed));
}

DcnTorchSetNetwork::~DcnTorchSetNetwork() = default;

const DcnTorchSetNetwork::Sizes&
DcnTorchSetNetwork::GetSizes() const
{
    return m_sizes;
}

void
DcnTorchSetNetwork::Check(const Batch& batch, bool targets) const
{
    const std::size_t n = batch.tokens.size();
    const std::size_t outputs = n * m_sizes.classes * m_sizes.knots;
    std::size_t nTokens = 0;
    for (uint32_t count : batch.tokens)
    {
        if (count == 0)
        {
            DcnFail("a batch has a path without links");
        }
        nTokens += count;
    }
    if (n == 0)
    {
        DcnFail("a batch has no paths");
    }
    if (m_sizes.context)
    {
        CheckLength("token features", batch.token.size(), nTokens * m_sizes.tokenFeatures);
    }
    CheckLength("foreground features", batch.foreground.size(), n * m_sizes.foregroundFeatures);
    CheckLength("fluid quantiles", batch.base.size(), outputs);
    if (targets)
    {
        const std::size_t rows = n * m_sizes.classes;
        const std::size_t points = std::max<std::size_t>(1, batch.target.size() / rows) * rows;
        CheckLength("targets", batch.target.size(), m_hasLevels ? points : outputs);
        CheckLength("weights", batch.weight.size(), m_hasLevels ? points : outputs);
        const bool hasKnown = m_hasLevels && !batch.known.empty();
        CheckLength("known quantiles", batch.known.size(), hasKnown ? outputs : 0);
        CheckLength("weights of known quantiles", batch.knownWeight.size(), hasKnown ? outputs : 0);
    }
    for (std::size_t i = 0; i < outputs; ++i)
    {
        if (!(batch.base[i] >= (i % m_sizes.knots ? batch.base[i - 1] : 0)))
        {
            DcnFail("a batch has fluid quantiles that decrease or are negative: ",
                    batch.base[i],
                    " at place ",
                    i);
        }
    }
}

DcnTorchSetNetwork::Losses
DcnTorchSetNetwork::Train(const Batch& batch, double learningRate)
{
    Check(batch, true);
    const Losses losses = m_trainer->Run(batch, true, learningRate);
    if (!std::isfinite(losses.total) || !std::isfinite(losses.gradientNorm))
    {
        DcnFail("the loss of the set network is ",
                losses.total,
                " and the norm of its gradient ",
                losses.gradientNorm,
                ": the data hold something that is not a number, or the learning rate is too high");
    }
    return losses;
}

DcnTorchSetNetwork::Losses
DcnTorchSetNetwork::Evaluate(const Batch& batch)
{
    Check(batch, true);
    const Losses losses = m_trainer->Run(batch, false, 0);
    if (!std::isfinite(losses.total))
    {
        DcnFail("the loss of the set network is ",
                losses.total,
                ": the data hold something that is not a number");
    }
    return losses;
}

std::vector<float>
DcnTorchSetNetwork::Predict(const Batch& batch)
{
    Check(batch, false);
    return m_trainer->Predict(batch);
}

std::vector<DcnModelFile::Tensor>
DcnTorchSetNetwork::ExportWeights(bool averaged) const
{
    return MakeMatrices(m_sizes).Export(averaged ? m_trainer->GetAveragedWeights()
                                                 : m_trainer->GetWeights());
}

std::vector<DcnModelFile::Tensor>
DcnTorchSetNetwork::ExportGradient() const
{
    return MakeMatrices(m_sizes).Export(m_trainer->GetGradient());
}

void
DcnTorchSetNetwork::ImportWeights(const std::vector<DcnModelFile::Tensor>& tensors)
{
    m_trainer->SetWeights(MakeMatrices(m_sizes).Import(tensors));
}

std::vector<DcnModelFile::Tensor>
DcnTorchSetNetwork::ExportOptimizer() const
{
    return DcnTorchMatrices::ExportOptimizer(*m_trainer);
}

void
DcnTorchSetNetwork::ImportOptimizer(const std::vector<DcnModelFile::Tensor>& tensors)
{
    MakeMatrices(m_sizes).ImportOptimizer(tensors, *m_trainer);
}

} // namespace ns3

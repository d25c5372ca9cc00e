/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "dcn-torch-set-backend.h"

#include "dcn-torch-parameters.h"

#include <ATen/ATen.h>
#include <algorithm>
#include <c10/core/GradMode.h>
#include <cmath>
#include <limits>
#include <torch/csrc/autograd/autograd.h>

namespace ns3
{

namespace
{

using at::Tensor;
using Network = DcnTorchSetNetwork;

constexpr double EPSILON = 1e-5; //!< in RMS

/**
 * @brief See numbers as a matrix, without a copy.
 * @param numbers the numbers
 * @param columns of the matrix
 * @return the tensor
 */
Tensor
View(const std::vector<float>& numbers, int64_t columns)
{
    return at::from_blob(const_cast<float*>(numbers.data()),
                         {static_cast<int64_t>(numbers.size()) / columns, columns});
}

/**
 * @param numbers row numbers
 * @return them as a tensor of its own
 */
Tensor
ToIndex(const std::vector<int64_t>& numbers)
{
    return at::from_blob(const_cast<int64_t*>(numbers.data()),
                         {static_cast<int64_t>(numbers.size())},
                         at::kLong)
        .clone();
}

/**
 * @param rows some rows
 * @param gain of each column
 * @return rows of mean square 1, times the gain
 */
Tensor
Normalise(const Tensor& rows, const Tensor& gain)
{
    return rows * (rows.square().mean(1, true) + EPSILON).rsqrt() * gain;
}

/**
 * @param rows features
 * @param absent what stands for those that are not there, by column, over and over
 * @return rows without missing features
 */
Tensor
Fill(const Tensor& rows, const Tensor& absent)
{
    const int64_t columns = rows.size(1);
    const int64_t times = (columns + absent.numel() - 1) / absent.numel();
    return at::where(rows.isnan(),
                     absent.reshape({-1}).repeat({times}).narrow(0, 0, columns),
                     rows);
}

/// Where the tokens of paths are, when paths lie in the rows of a matrix of the same length.
struct Places
{
    /**
     * @param tokens how many each path has
     */
    explicit Places(const std::vector<uint32_t>& tokens)
        : paths(static_cast<int64_t>(tokens.size())),
          longest(*std::max_element(tokens.begin(), tokens.end()))
    {
        std::vector<int64_t> from(paths * longest);
        std::vector<int64_t> to;
        std::vector<int64_t> ofPath;
        std::vector<float> parts;
        mask = at::full({paths, 1, 1, longest}, -std::numeric_limits<float>::infinity());
        auto* allowed = mask.data_ptr<float>();
        for (int64_t path = 0; path < paths; ++path)
        {
            for (int64_t i = 0; i < tokens[path]; ++i)
            {
                const int64_t place = path * longest + i;
                from[place] = static_cast<int64_t>(to.size());
                allowed[place] = 0;
                to.push_back(place);
                ofPath.push_back(path);
                parts.push_back(1 / static_cast<float>(tokens[path]));
            }
        }
        padded = ToIndex(from);
        packed = ToIndex(to);
        path = ToIndex(ofPath);
        part = View(parts, 1).clone();
    }

    int64_t paths;   //!< how many
    int64_t longest; //!< most tokens of a path
    Tensor padded;   //!< token of each place; any token where there is none
    Tensor packed;   //!< place of each token
    Tensor path;     //!< path of each token
    Tensor part;     //!< [tokens x 1], 1 / tokens of the path
    Tensor mask;     //!< [paths x 1 x 1 x longest], 0, and -infinity where there is no token
};

/// See DcnTorchSetTrainer.
class SetTrainer : public DcnTorchTrainerBase<DcnTorchSetTrainer>
{
  public:
    /// See DcnTorchBackend::MakeSet.
    SetTrainer(const std::vector<DcnTorchParameter>& parameters,
               const Network::Sizes& sizes,
               const Network::Options& options)
        : DcnTorchTrainerBase(parameters, options.weightDecay, options.clipNorm, options.averaging),
          m_sizes(sizes),
          m_levels(options.levels),
          m_levelWeights(options.levelWeights)
    {
        m_levelWeights.resize(m_levels.size(), 1);
    }

    Network::Losses Run(const Network::Batch& batch, bool training, double learningRate) override
    {
        const c10::AutoGradMode mode(training);
        const Tensor error = GetError(Forward(batch), batch);
        Network::Losses losses;
        for (const auto* weights : {&batch.weight, &batch.knownWeight})
        {
            for (float weight : *weights)
            {
                losses.weight += weight;
            }
        }
        losses.error = error.item<double>();
        const double divisor = losses.weight > 0 ? losses.weight : 1;
        losses.total = losses.error / divisor;
        if (training)
        {
            m_parameters.ClearGradient();
            torch::autograd::backward({error}, {at::full({}, 1 / divisor)});
            losses.gradientNorm = m_parameters.GetGradientNorm();
            if (std::isfinite(losses.total) && std::isfinite(losses.gradientNorm))
            {
                m_parameters.Step(learningRate, losses.gradientNorm);
            }
        }
        return losses;
    }

    std::vector<float> Predict(const Network::Batch& batch) override
    {
        const c10::AutoGradMode mode(false);
        const Tensor quantiles = Forward(batch).contiguous();
        const auto* data = quantiles.data_ptr<float>();
        return {data, data + quantiles.numel()};
    }

  private:
    /// Returns the numerator of the loss of the quantiles [paths x CK].
    Tensor GetError(const Tensor& quantiles, const Network::Batch& batch) const;
    /// Returns [paths x CK].
    Tensor Forward(const Network::Batch& batch) const;
    /// Returns [tokens x d]; takes the seven matrices.
    Tensor RunBlock(const Tensor& tokens, const Places& places, const Tensor*& matrices) const;

    Network::Sizes m_sizes;      //!< of the network
    std::vector<float> m_levels; //!< of the pinball loss
    std::vector<float> m_levelWeights; //!< v, as many
};

Tensor
SetTrainer::GetError(const Tensor& quantiles, const Network::Batch& batch) const
{
    if (m_levels.empty())
    {
        const int64_t outputs = quantiles.size(1);
        return ((quantiles - View(batch.target, outputs)).abs() * View(batch.weight, outputs))
            .sum();
    }
    const int64_t rows = quantiles.size(0) * m_sizes.classes;
    const int64_t points = static_cast<int64_t>(batch.target.size()) / rows;
    // most paths have flows of a few classes only: rows without weight are left out
    std::vector<int64_t> there;
    std::vector<float> targets;
    std::vector<float> weights;
    for (int64_t row = 0; row < rows; ++row)
    {
        const auto first = batch.weight.begin() + row * points;
        if (std::any_of(first, first + points, [](float weight) { return weight != 0; }))
        {
            there.push_back(row);
            weights.insert(weights.end(), first, first + points);
            const auto target = batch.target.begin() + row * points;
            targets.insert(targets.end(), target, target + points);
        }
    }
    const auto nThere = static_cast<int64_t>(there.size());
    const Tensor level = View(m_levels, m_sizes.knots).view({1, m_sizes.knots, 1});
    const Tensor above = View(targets, points).clone().view({nThere, 1, points}) -
                         quantiles.reshape({rows, m_sizes.knots})
                             .index_select(0, ToIndex(there))
                             .view({nThere, m_sizes.knots, 1});
    const Tensor levelWeight = View(m_levelWeights, m_sizes.knots).view({1, m_sizes.knots, 1});
    const Tensor error =
        ((at::maximum(above * level, above * (level - 1)) * levelWeight).sum(1) *
         View(weights, points).clone())
            .sum() *
        (2.0 / m_sizes.knots);
    if (batch.known.empty())
    {
        return error;
    }
    // RelativeError(): what is beyond D has the slope there
    const int64_t outputs = quantiles.size(1);
    const Tensor over = quantiles - View(batch.known, outputs);
    const Tensor beyond = (over - DcnTorchSetNetwork::STRAIGHT).clamp_min(0);
    const Tensor relative =
        at::expm1(over - beyond).abs() + beyond * std::exp(DcnTorchSetNetwork::STRAIGHT);
    return error + (relative * View(batch.knownWeight, outputs)).sum();
}

Tensor
SetTrainer::RunBlock(const Tensor& tokens, const Places& places, const Tensor*& matrices) const
{
    const int64_t d = m_sizes.width;
    const int64_t heads = m_sizes.heads;
    const Tensor norm = Normalise(tokens, *matrices++);
    // [3 x paths x heads x longest x d / heads]
    const Tensor qkv = at::linear(norm, *matrices++)
                           .index_select(0, places.padded)
                           .view({places.paths, places.longest, 3, heads, d / heads})
                           .permute({2, 0, 3, 1, 4});
    const double scale = 1 / std::sqrt(static_cast<double>(d / heads));
    const Tensor scores = at::matmul(qkv[0], qkv[1].transpose(2, 3)) * scale + places.mask;
    const Tensor heard = at::matmul(scores.softmax(3), qkv[2])
                             .permute({0, 2, 1, 3})
                             .reshape({places.paths * places.longest, d})
                             .index_select(0, places.packed);
    const Tensor sum = tokens + at::linear(heard, *matrices++);
    const Tensor normSum = Normalise(sum, *matrices++);
    const Tensor gate = at::silu(at::linear(normSum, *matrices++));
    const Tensor up = at::linear(normSum, *matrices++);
    return sum + at::linear(gate * up, *matrices++);
}

Tensor
SetTrainer::Forward(const Network::Batch& batch) const
{
    const std::vector<Tensor> all = m_parameters.Split();
    const Tensor* next = all.data();
    auto see = [&](const std::vector<float>& features, int64_t columns) {
        const Tensor rows = View(features, columns);
        return m_sizes.absent > 0 ? Fill(rows, all.front()) : rows;
    };
    next += m_sizes.absent > 0 ? 1 : 0;
    Tensor input = see(batch.foreground, m_sizes.foregroundFeatures);
    if (m_sizes.context)
    {
        const Places places(batch.tokens);
        Tensor tokens = at::linear(see(batch.token, m_sizes.tokenFeatures), next[0], next[1]);
        next += 2;
        for (uint32_t i = 0; i < m_sizes.layers; ++i)
        {
            tokens = RunBlock(tokens, places, next);
        }
        tokens = Normalise(tokens, *next++);
        const Tensor context = at::zeros({places.paths, m_sizes.width})
                                   .index_add(0, places.path, tokens * places.part);
        input = at::cat({input, context}, 1);
    }
    const Tensor first = at::linear(input, next[0], next[1]).relu();
    const Tensor second = at::linear(first, next[2], next[3]).relu();
    const Tensor correction = at::linear(second, next[4], next[5]);

    const double tau = Network::TAU;
    std::vector<float> inverse(batch.base.size());
    for (std::size_t i = 0; i < inverse.size(); ++i)
    {
        const double increment = batch.base[i] - (i % m_sizes.knots ? batch.base[i - 1] : 0.0F);
        const double ratio = std::max(increment, static_cast<double>(Network::FLOOR)) / tau;
        // ln(exp(r) - 1), which does not overflow this way.
        inverse[i] = static_cast<float>(tau * (ratio + std::log(-std::expm1(-ratio))));
    }
    const int64_t paths = input.size(0);
    return at::softplus(View(inverse, correction.size(1)).add(correction, m_sizes.gain), 1 / tau)
        .view({paths, m_sizes.classes, m_sizes.knots})
        .cumsum(2)
        .view({paths, correction.size(1)});
}

} // namespace

std::unique_ptr<DcnTorchSetTrainer>
DcnMakeTorchSetTrainer(const std::vector<DcnTorchParameter>& parameters,
                       const Network::Sizes& sizes,
                       const Network::Options& options)
{
    return std::make_unique<SetTrainer>(parameters, sizes, options);
}

} // namespace ns3

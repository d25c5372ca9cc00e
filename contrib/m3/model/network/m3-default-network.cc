/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "m3-default-network.h"

#include "ns3/assert.h"

#include <algorithm>
#include <cmath>

namespace ns3
{

namespace
{

constexpr float EPSILON = 1e-5F; //!< in the RMS normalisation

/**
 * @param ratio a number > 0
 * @return ln(exp(ratio) - 1), without overflow
 */
double
InverseSoftplus(double ratio)
{
    return ratio + std::log(-std::expm1(-ratio));
}

/**
 * @param x any number
 * @return ln(1 + exp(x)), without overflow, as in LibTorch
 */
float
Softplus(float x)
{
    return x > 20 ? x : std::log1p(std::exp(x));
}

} // namespace

M3DefaultNetwork::Layer
M3DefaultNetwork::ReadLayer(const DcnModelFile& model,
                            const std::string& name,
                            uint32_t inputs,
                            uint32_t outputs,
                            bool bias)
{
    using Stored = Eigen::Map<const Matrix>;
    Layer layer;
    layer.w =
        Stored(model.Get(name + ".w", outputs, inputs).values.data(), outputs, inputs).transpose();
    if (bias)
    {
        layer.b = ReadRow(model, name + ".b", outputs);
    }
    return layer;
}

M3DefaultNetwork::Row
M3DefaultNetwork::ReadRow(const DcnModelFile& model, const std::string& name, uint32_t n)
{
    return Eigen::Map<const Row>(model.Get(name, 1, n).values.data(), n);
}

M3DefaultNetwork::M3DefaultNetwork(const DcnModelFile& model, const M3NetworkShape& shape)
    : m_shape(shape),
      m_tokenScaler(M3Scaler::Read(model, "token", shape.tokenFeatures)),
      m_foregroundScaler(M3Scaler::Read(model, "foreground", shape.foregroundFeatures))
{
    const uint32_t d = shape.width;
    const uint32_t f = shape.feedForward;
    m_token = ReadLayer(model, "token", shape.tokenFeatures, d, true);
    for (uint32_t i = 0; i < shape.layers; ++i)
    {
        const std::string block = "block" + std::to_string(i);
        m_blocks.push_back({ReadRow(model, block + ".norm1.g", d),
                            ReadLayer(model, block + ".qkv", d, 3 * d, false),
                            ReadLayer(model, block + ".o", d, d, false),
                            ReadRow(model, block + ".norm2.g", d),
                            ReadLayer(model, block + ".gate", d, f, false),
                            ReadLayer(model, block + ".up", d, f, false),
                            ReadLayer(model, block + ".down", f, d, false)});
    }
    m_norm = ReadRow(model, "norm.g", d);
    m_mlp[0] = ReadLayer(model, "mlp1", shape.foregroundFeatures + d, shape.mlp, true);
    m_mlp[1] = ReadLayer(model, "mlp2", shape.mlp, shape.mlp, true);
    m_mlp[2] = ReadLayer(model, "mlp3", shape.mlp, shape.slots * shape.knots, true);
}

M3DefaultNetwork::Matrix
M3DefaultNetwork::Apply(const Layer& layer, const Matrix& in)
{
    Matrix out = in * layer.w;
    if (layer.b.size() > 0)
    {
        out.rowwise() += layer.b;
    }
    return out;
}

M3DefaultNetwork::Matrix
M3DefaultNetwork::Normalise(const Matrix& rows, const Row& gain)
{
    const Eigen::VectorXf scale =
        (rows.rowwise().squaredNorm().array() / static_cast<float>(rows.cols()) + EPSILON).rsqrt();
    return (rows.array().colwise() * scale.array()).rowwise() * gain.array();
}

void
M3DefaultNetwork::Attend(const Block& block,
                         const std::vector<M3PathFeatures>& inputs,
                         Matrix& tokens) const
{
    const Eigen::Index d = m_shape.width;
    const Eigen::Index perHead = d / m_shape.heads;
    const float scale = 1 / std::sqrt(static_cast<float>(perHead));
    const Matrix qkv = Apply(block.qkv, Normalise(tokens, block.norm1));
    Matrix heard(tokens.rows(), d);
    Matrix scores;
    Eigen::Index first = 0;
    for (const M3PathFeatures& input : inputs)
    {
        const Eigen::Index n = input.nTokens;
        for (Eigen::Index head = 0; head < d; head += perHead)
        {
            // products of few rows and columns: to pack them takes longer than to multiply them
            scores.noalias() =
                qkv.block(first, head, n, perHead)
                    .lazyProduct(qkv.block(first, d + head, n, perHead).transpose()) *
                scale;
            for (Eigen::Index i = 0; i < n; ++i)
            {
                scores.row(i) = (scores.row(i).array() - scores.row(i).maxCoeff()).exp();
                scores.row(i) /= scores.row(i).sum();
            }
            heard.block(first, head, n, perHead).noalias() =
                scores.lazyProduct(qkv.block(first, 2 * d + head, n, perHead));
        }
        first += n;
    }
    tokens += Apply(block.o, heard);
    const Matrix norm = Normalise(tokens, block.norm2);
    Matrix gate = Apply(block.gate, norm);
    gate = gate.array() / (1 + (-gate.array()).exp());
    tokens += Apply(block.down, gate.cwiseProduct(Apply(block.up, norm)));
}

M3DefaultNetwork::Matrix
M3DefaultNetwork::Encode(const std::vector<M3PathFeatures>& inputs) const
{
    std::vector<float> scaled;
    for (const M3PathFeatures& input : inputs)
    {
        NS_ASSERT_MSG(input.nTokens > 0, "a path without links");
        m_tokenScaler.Apply(input.token, scaled);
    }
    const auto columns = static_cast<Eigen::Index>(m_shape.tokenFeatures);
    const auto rows = static_cast<Eigen::Index>(scaled.size()) / columns;
    Matrix tokens = Apply(m_token, Eigen::Map<const Matrix>(scaled.data(), rows, columns));
    for (const Block& block : m_blocks)
    {
        Attend(block, inputs, tokens);
    }
    tokens = Normalise(tokens, m_norm);
    Matrix context(inputs.size(), m_shape.width);
    Eigen::Index first = 0;
    for (std::size_t i = 0; i < inputs.size(); ++i)
    {
        context.row(static_cast<Eigen::Index>(i)) =
            tokens.middleRows(first, inputs[i].nTokens).colwise().mean();
        first += inputs[i].nTokens;
    }
    return context;
}

std::vector<float>
M3DefaultNetwork::Predict(const std::vector<M3PathFeatures>& inputs) const
{
    const auto n = static_cast<Eigen::Index>(inputs.size());
    const auto nForeground = static_cast<Eigen::Index>(m_shape.foregroundFeatures);
    std::vector<float> scaled;
    for (const M3PathFeatures& input : inputs)
    {
        m_foregroundScaler.Apply(input.foreground, scaled);
    }
    Matrix in(n, nForeground + m_shape.width);
    in.leftCols(nForeground) = Eigen::Map<const Matrix>(scaled.data(), n, nForeground);
    in.rightCols(m_shape.width) = Encode(inputs);
    Matrix hidden = Apply(m_mlp[0], in).cwiseMax(0.0F);
    hidden = Apply(m_mlp[1], hidden).cwiseMax(0.0F);

    static constexpr auto TAU = static_cast<float>(M3NetworkShape::TAU);
    static constexpr double FLOOR = static_cast<float>(M3NetworkShape::FLOOR); // as in training
    const auto gain = static_cast<float>(m_shape.gain);
    const auto knots = static_cast<Eigen::Index>(m_shape.knots);
    std::vector<float> quantiles;
    quantiles.reserve(inputs.size() * m_shape.slots * m_shape.knots);
    Row correction;
    for (Eigen::Index i = 0; i < n; ++i)
    {
        const M3PathFeatures& input = inputs[static_cast<std::size_t>(i)];
        for (std::size_t slot = 0; slot < m_shape.slots; ++slot)
        {
            const float* base = input.base.data() + slot * m_shape.knots;
            if (input.flows[slot].empty()) // most of them: a path has few flows
            {
                quantiles.insert(quantiles.end(), base, base + knots);
                continue;
            }
            const auto first = static_cast<Eigen::Index>(slot) * knots;
            correction = m_mlp[2].b.segment(first, knots);
            for (Eigen::Index k = 0; k < hidden.cols(); ++k)
            {
                correction += hidden(i, k) * m_mlp[2].w.row(k).segment(first, knots);
            }
            float quantile = 0;
            for (Eigen::Index k = 0; k < knots; ++k)
            {
                const double increment = base[k] - (k == 0 ? 0.0F : base[k - 1]);
                const double ratio = std::max(increment, FLOOR) / TAU;
                const auto start = static_cast<float>(TAU * InverseSoftplus(ratio));
                quantile += TAU * Softplus((start + gain * correction(k)) / TAU);
                quantiles.push_back(quantile);
            }
        }
    }
    return quantiles;
}

} // namespace ns3

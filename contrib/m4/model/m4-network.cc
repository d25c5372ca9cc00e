/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "m4-network.h"

#include "ns3/assert.h"
#include "ns3/dcn-error.h"
#include "ns3/dcn-random.h"
#include "ns3/dcn-trained-ranges.h"
#include "ns3/random-variable-stream.h"

#include <algorithm>
#include <cmath>

namespace ns3
{

namespace
{

/**
 * @param x any number
 * @return ln(1 + exp(x)) without overflow
 */
float
Softplus(float x)
{
    return x > 15 ? x : std::log1p(std::exp(x));
}

/**
 * @param fluidLeft share left at fair rates
 * @param correction what the network says
 * @return share left
 */
float
Correct(float fluidLeft, float correction)
{
    const float fluid = std::clamp(fluidLeft, 0.001F, 0.999F);
    return 1 / (1 + std::exp(-std::log(fluid / (1 - fluid)) - correction));
}

} // namespace

void
M4Network::Layer::Apply(const Eigen::Ref<const Matrix>& in, Matrix& out, bool relu) const
{
    out.noalias() = in * w;
    if (b.size() > 0)
    {
        out.rowwise() += b;
    }
    if (relu)
    {
        out = out.cwiseMax(0.0F);
    }
}

void
M4Network::Gru::Apply(const Eigen::Ref<const Matrix>& in, Matrix& state)
{
    input.Apply(in, gatesIn, false);
    hidden.Apply(state, gatesOut, false);
    const Eigen::Index h = state.cols();
    auto a = gatesIn.array();
    auto c = gatesOut.array();
    auto sigmoid = [](const auto& x) { return 1.0F / (1.0F + (-x).exp()); };
    // r, then n and z in place
    gatesOut.leftCols(h) = sigmoid(a.leftCols(h) + c.leftCols(h)).matrix();
    gatesIn.rightCols(h) =
        (a.rightCols(h) + gatesOut.leftCols(h).array() * c.rightCols(h)).tanh().matrix();
    gatesIn.middleCols(h, h) = sigmoid(a.middleCols(h, h) + c.middleCols(h, h)).matrix();
    const auto z = gatesIn.middleCols(h, h).array();
    const auto n = gatesIn.rightCols(h).array();
    state = (n + z * (state.array() - n)).matrix();
}

M4Network::Matrix
M4Network::Head::Apply(const Matrix& in) const
{
    Matrix inner;
    Matrix out;
    first.Apply(in, inner, true);
    last.Apply(inner, out, false);
    return out;
}

M4Network::Layer
M4Network::ReadLayer(const DcnModelFile& model,
                     const std::string& weights,
                     const std::string& bias,
                     uint32_t in,
                     uint32_t out)
{
    using Stored = Eigen::Map<const Matrix>;
    Layer layer;
    layer.w = Stored(model.Get(weights, out, in).values.data(), out, in).transpose();
    if (!bias.empty())
    {
        layer.b = Stored(model.Get(bias, 1, out).values.data(), 1, out);
    }
    return layer;
}

M4Network::Gru
M4Network::ReadGru(const DcnModelFile& model, const std::string& name, uint32_t in, uint32_t h)
{
    Gru gru;
    gru.input = ReadLayer(model, name + ".w_ih", name + ".b_ih", in, 3 * h);
    gru.hidden = ReadLayer(model, name + ".w_hh", name + ".b_hh", h, 3 * h);
    return gru;
}

M4Network::Head
M4Network::ReadHead(const DcnModelFile& model, const std::string& name, uint32_t h)
{
    return {ReadLayer(model, name + ".a.w", name + ".a.b", 2 * h, h),
            ReadLayer(model, name + ".b.w", name + ".b.b", h, 1)};
}

M4Network::M4Network(const DcnModelFile& model)
{
    const double features = model.GetNumber("architecture", "feature_version");
    if (features != M4Features::VERSION)
    {
        DcnFail("the model was made with version ", features, " of the features, but ",
                M4Features::VERSION, " is needed");
    }
    auto whole = [&model](const char* key, double least, double most) {
        const double value = model.GetNumber("architecture", key);
        if (!(value >= least && value <= most) || value != std::floor(value))
        {
            DcnFail("architecture.", key, " of the model must be a whole number from ", least,
                    " to ", most, ", but it is ", value);
        }
        return static_cast<uint32_t>(value);
    };
    m_sizes.hidden = whole("hidden", 1, MAX_HIDDEN);
    m_sizes.rounds = whole("rounds", 0, MAX_ROUNDS);
    for (const auto& tensor : model.GetTensors())
    {
        for (const float value : tensor.values)
        {
            if (!std::isfinite(value))
            {
                DcnFail("the matrix ", tensor.name, " of the model has the value ", value,
                        ", which is no finite number");
            }
        }
    }
    const uint32_t h = m_sizes.hidden;
    auto layer = [&](const std::string& name, uint32_t in) {
        return ReadLayer(model, name + ".w", name + ".b", in, h);
    };
    m_flowInput = layer("x", M4Features::N_FLOW);
    m_linkInput = layer("y", M4Features::N_LINK);
    m_flowTime = ReadGru(model, "gru_tf", h, h);
    m_linkTime = ReadGru(model, "gru_tl", h, h);
    m_flowMessage = layer("w1", 2 * h);
    m_linkOwn = layer("w2", 2 * h);
    m_linkSum = ReadLayer(model, "w3.w", "", h, h);
    m_linkMean = ReadLayer(model, "w4.w", "", h, h);
    m_linkMessage = layer("w5", h);
    m_flowUpdate = ReadGru(model, "gru_uf", 2 * h, h);
    m_linkUpdate = ReadGru(model, "gru_ul", 2 * h, h);
    m_fct = ReadHead(model, "fct", h);
    m_left = ReadHead(model, "left", h);
    m_queue = ReadHead(model, "queue", h);
}

const M4NetworkSizes&
M4Network::GetSizes() const
{
    return m_sizes;
}

void
M4Network::Begin(uint32_t nLinks)
{
    m_linkStates = Matrix::Zero(nLinks, m_sizes.hidden);
    m_flowStates = Matrix::Zero(64, m_sizes.hidden);
    m_flowTimeBoth.resize(0, 2 * m_sizes.hidden);
    m_linkTimeBoth.resize(0, 2 * m_sizes.hidden);
}

const std::vector<float>&
M4Network::Update(const M4Snapshot& snapshot)
{
    const auto n = static_cast<Eigen::Index>(snapshot.flows.size());
    const auto m = static_cast<Eigen::Index>(snapshot.links.size());
    const Eigen::Index h = m_sizes.hidden;
    if (snapshot.eventRow != M4Snapshot::NO_ROW)
    {
        const Eigen::Index slot = snapshot.flows[snapshot.eventRow];
        if (slot >= m_flowStates.rows())
        {
            m_flowStates.conservativeResize(2 * slot, h);
        }
        m_flowStates.row(slot).setZero();
    }
    using Features = Eigen::Map<const Matrix>;
    m_flowInput.Apply(Features(snapshot.flowFeatures.data(), n, M4Features::N_FLOW), m_x, true);
    m_linkInput.Apply(Features(snapshot.linkFeatures.data(), m, M4Features::N_LINK), m_y, true);
    m_hf.resize(n, h);
    m_hl.resize(m, h);
    for (Eigen::Index i = 0; i < n; ++i)
    {
        m_hf.row(i) = m_flowStates.row(snapshot.flows[static_cast<std::size_t>(i)]);
    }
    for (Eigen::Index i = 0; i < m; ++i)
    {
        m_hl.row(i) = m_linkStates.row(snapshot.links[static_cast<std::size_t>(i)]);
    }
    m_flowTime.Apply(m_x, m_hf);
    m_linkTime.Apply(m_y, m_hl);
    m_flowBoth.resize(n, 2 * h);
    m_linkBoth.resize(m, 2 * h);
    m_flowBoth << m_hf, m_x;
    m_linkBoth << m_hl, m_y;
    m_flowTimeBoth = m_flowBoth;
    m_linkTimeBoth = m_linkBoth;
    for (uint32_t round = 0; round < m_sizes.rounds; ++round)
    {
        ExchangeMessages(snapshot);
    }
    for (Eigen::Index i = 0; i < n; ++i)
    {
        m_flowStates.row(snapshot.flows[static_cast<std::size_t>(i)]) = m_hf.row(i);
    }
    for (Eigen::Index i = 0; i < m; ++i)
    {
        m_linkStates.row(snapshot.links[static_cast<std::size_t>(i)]) = m_hl.row(i);
    }
    m_answer.resize(snapshot.flows.size());
    if (n > 0)
    {
        const Matrix correction = m_fct.Apply(m_flowBoth);
        for (Eigen::Index i = 0; i < n; ++i)
        {
            const auto row = static_cast<std::size_t>(i);
            m_answer[row] =
                TAU * Softplus((snapshot.fluidLogSlowdown[row] + correction(i, 0)) / TAU);
        }
    }
    return m_answer;
}

void
M4Network::ExchangeMessages(const M4Snapshot& snapshot)
{
    const Eigen::Index n = m_hf.rows();
    const Eigen::Index m = m_hl.rows();
    const Eigen::Index h = m_sizes.hidden;
    m_flowMessage.Apply(m_flowBoth, m_sent, true);
    m_sums.setZero(m, h);
    Eigen::VectorXf count = Eigen::VectorXf::Zero(m);
    for (std::size_t e = 0; e < snapshot.edgeFlow.size(); ++e)
    {
        m_sums.row(snapshot.edgeLink[e]) += m_sent.row(snapshot.edgeFlow[e]);
        count[snapshot.edgeLink[e]] += 1;
    }
    m_means = m_sums.array().colwise() / count.cwiseMax(1.0F).array();
    m_linkOwn.Apply(m_linkBoth, m_z, false);
    m_linkSum.Apply(m_sums, m_part, false);
    m_z += m_part;
    m_linkMean.Apply(m_means, m_part, false);
    m_z = (m_z + m_part).cwiseMax(0.0F);

    m_linkMessage.Apply(m_z, m_sent, true);
    m_got.resize(n, 2 * h);
    m_got.leftCols(h).setZero();
    m_got.rightCols(h) = m_x;
    for (std::size_t e = 0; e < snapshot.edgeFlow.size(); ++e)
    {
        m_got.row(snapshot.edgeFlow[e]).leftCols(h) += m_sent.row(snapshot.edgeLink[e]);
    }
    m_flowUpdate.Apply(m_got, m_hf);
    m_zy.resize(m, 2 * h);
    m_zy << m_z, m_y;
    m_linkUpdate.Apply(m_zy, m_hl);
    m_flowBoth.leftCols(h) = m_hf;
    m_linkBoth.leftCols(h) = m_hl;
}

std::vector<float>
M4Network::PredictLeft(const std::vector<float>& fluidLeft) const
{
    NS_ASSERT_MSG(fluidLeft.size() == static_cast<std::size_t>(m_flowTimeBoth.rows()), "rows");
    std::vector<float> left(fluidLeft.size());
    const Matrix correction = m_left.Apply(m_flowTimeBoth);
    for (std::size_t i = 0; i < left.size(); ++i)
    {
        left[i] = Correct(fluidLeft[i], correction(static_cast<Eigen::Index>(i), 0));
    }
    return left;
}

std::vector<float>
M4Network::PredictQueues() const
{
    std::vector<float> queues(static_cast<std::size_t>(m_linkTimeBoth.rows()));
    const Matrix raw = m_queue.Apply(m_linkTimeBoth);
    for (std::size_t i = 0; i < queues.size(); ++i)
    {
        queues[i] = 1000 * std::expm1(Softplus(raw(static_cast<Eigen::Index>(i), 0)));
    }
    return queues;
}

float
M4Network::PredictLeftNow(uint32_t slot, const std::vector<float>& features, float fluidLeft)
{
    Matrix x;
    m_flowInput.Apply(Eigen::Map<const Matrix>(features.data(), 1, M4Features::N_FLOW), x, true);
    Matrix h = m_flowStates.row(slot);
    m_flowTime.Apply(x, h);
    Matrix both(1, 2 * h.cols());
    both << h, x;
    return Correct(fluidLeft, m_left.Apply(both)(0, 0));
}

float
M4Network::PredictQueueNow(uint32_t link, const std::vector<float>& features)
{
    Matrix y;
    m_linkInput.Apply(Eigen::Map<const Matrix>(features.data(), 1, M4Features::N_LINK), y, true);
    Matrix h = m_linkStates.row(link);
    m_linkTime.Apply(y, h);
    Matrix both(1, 2 * h.cols());
    both << h, y;
    return 1000 * std::expm1(Softplus(m_queue.Apply(both)(0, 0)));
}

DcnModelFile
M4Network::MakeUntrained(const M4NetworkSizes& sizes)
{
    const uint32_t h = sizes.hidden;
    DcnModelFile model("m4");
    model.Set("architecture", "feature_version", M4Features::VERSION);
    model.Set("architecture", "hidden", h);
    model.Set("architecture", "rounds", sizes.rounds);
    DcnTrainedRanges().Write(model);
    auto random = CreateObject<UniformRandomVariable>();
    uint32_t nMatrices = 0;
    auto add = [&](const std::string& name, uint32_t rows, uint32_t columns, double scale) {
        DcnRandom(1).Assign(random, DcnPurpose::MODEL_WEIGHTS, nMatrices++);
        std::vector<float> values(static_cast<std::size_t>(rows) * columns);
        for (float& value : values)
        {
            value = static_cast<float>(scale * (2 * random->GetValue() - 1));
        }
        model.Add({name, rows, columns, std::move(values)});
    };
    auto addLayer = [&](const std::string& weights,
                        const std::string& bias,
                        uint32_t in,
                        uint32_t out,
                        double scale) {
        add(weights, out, in, scale / std::sqrt(in));
        add(bias, 1, out, scale / std::sqrt(in));
    };
    auto addGru = [&](const std::string& name, uint32_t in) {
        addLayer(name + ".w_ih", name + ".b_ih", in, 3 * h, 1);
        addLayer(name + ".w_hh", name + ".b_hh", h, 3 * h, 1);
    };
    addLayer("x.w", "x.b", M4Features::N_FLOW, h, 1);
    addLayer("y.w", "y.b", M4Features::N_LINK, h, 1);
    addGru("gru_tf", h);
    addGru("gru_tl", h);
    addLayer("w1.w", "w1.b", 2 * h, h, 1);
    addLayer("w2.w", "w2.b", 2 * h, h, 1);
    add("w3.w", h, h, 1 / std::sqrt(h));
    add("w4.w", h, h, 1 / std::sqrt(h));
    addLayer("w5.w", "w5.b", h, h, 1);
    addGru("gru_uf", 2 * h);
    addGru("gru_ul", 2 * h);
    for (const std::string head : {"fct", "left", "queue"})
    {
        addLayer(head + ".a.w", head + ".a.b", 2 * h, h, 1);
        addLayer(head + ".b.w", head + ".b.b", h, 1, 0);
    }
    return model;
}

} // namespace ns3

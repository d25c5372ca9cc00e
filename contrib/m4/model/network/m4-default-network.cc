/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "m4-default-network.h"

#include "m4-torch-model.h"

#include "ns3/dcn-random.h"
#include "ns3/dcn-trained-ranges.h"
#include "ns3/random-variable-stream.h"

#include <algorithm>
#include <cmath>

namespace ns3
{

namespace
{

constexpr float TAU = 0.02F; //!< temperature of the soft lower bound of slowdowns
constexpr float REMAINING_MARGIN =
    1e-3F; //!< least distance of the fluid's remaining fraction from 0 and 1

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
 * @param fluidRemaining remaining fraction at fair rates
 * @param correction output of the head
 * @return remaining fraction
 */
float
CorrectRemaining(float fluidRemaining, float correction)
{
    // clamped so that its logit is finite
    const float fluid = std::clamp(fluidRemaining, REMAINING_MARGIN, 1 - REMAINING_MARGIN);
    return 1 / (1 + std::exp(-std::log(fluid / (1 - fluid)) - correction));
}

/**
 * @param answer output of the head
 * @return waiting bytes
 */
float
ToQueueBytes(float answer)
{
    return 1000 * std::expm1(Softplus(answer));
}

/**
 * @brief Concatenate the columns of two matrices.
 * @param a left
 * @param b right
 * @param both has the columns of both
 */
template <typename Matrix>
void
Join(const Matrix& a, const Matrix& b, Matrix& both)
{
    both.resize(a.rows(), a.cols() + b.cols());
    both.leftCols(a.cols()) = a;
    both.rightCols(b.cols()) = b;
}

} // namespace

void
M4DefaultNetwork::Layer::Apply(const Eigen::Ref<const Matrix>& in, Matrix& out, bool relu) const
{
    // row by row: an event has so few rows that a product of matrices would take longer to
    // rearrange the weights than to multiply
    out.resize(in.rows(), w.cols());
    for (Eigen::Index row = 0; row < in.rows(); ++row)
    {
        out.row(row).noalias() = in.row(row) * w;
    }
    out.rowwise() += b;
    if (relu)
    {
        out = out.cwiseMax(0.0F);
    }
}

void
M4DefaultNetwork::Gru::Apply(const Eigen::Ref<const Matrix>& in, Matrix& state)
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

const M4DefaultNetwork::Matrix&
M4DefaultNetwork::Head::Apply(const Eigen::Ref<const Matrix>& in)
{
    first.Apply(in, inner, true);
    last.Apply(inner, out, false);
    return out;
}

M4DefaultNetwork::M4DefaultNetwork(const DcnModelFile& model, uint32_t hidden)
    : m_h(hidden)
{
    const uint32_t h = hidden;
    auto weights = [&model](const std::string& name, uint32_t in, uint32_t out) -> Matrix {
        using Stored = Eigen::Map<const Matrix>;
        return Stored(model.Get(name, out, in).values.data(), out, in).transpose();
    };
    auto read = [&](const std::string& name, const std::string& bias, uint32_t in, uint32_t out) {
        using Stored = Eigen::Map<const Row>;
        return Layer{weights(name, in, out), Stored(model.Get(bias, 1, out).values.data(), out)};
    };
    auto layer = [&read](const std::string& name, uint32_t in, uint32_t out) {
        return read(name + ".w", name + ".b", in, out);
    };
    auto gru = [&](const std::string& name, uint32_t in) {
        Gru made;
        made.input = read(name + ".w_ih", name + ".b_ih", in, 3 * h);
        made.hidden = read(name + ".w_hh", name + ".b_hh", h, 3 * h);
        return made;
    };
    auto head = [&](const std::string& name) {
        return Head{layer(name + ".a", 2 * h, h), layer(name + ".b", h, 1), {}, {}};
    };
    m_flowInput = layer("x", M4Features::N_FLOW, h);
    m_linkInput = layer("y", M4Features::N_LINK, h);
    m_flowTime = gru("gru_tf", h);
    m_linkTime = gru("gru_tl", h);
    m_flowMessage = layer("w1", 2 * h, h);
    m_linkAll = layer("w2", 2 * h, h);
    m_linkAll.w.conservativeResize(4 * h, h);
    m_linkAll.w.middleRows(2 * h, h) = weights("w3.w", h, h);
    m_linkAll.w.bottomRows(h) = weights("w4.w", h, h);
    m_linkMessage = layer("w5", h, h);
    m_flowUpdate = gru("gru_uf", 2 * h);
    m_linkUpdate = gru("gru_ul", 2 * h);
    m_fct = head("fct");
    m_remaining = head("left");
    m_queue = head("queue");
    const auto& tensors = model.GetTensors();
    if (std::any_of(tensors.begin(), tensors.end(), [](const auto& tensor) {
            return tensor.name == "spread.a.w";
        }))
    {
        m_spread = {layer("spread.a", 2 * h + 1, h), layer("spread.b", h, M4Spread::N), {}, {}};
    }
}

void
M4DefaultNetwork::Begin(uint32_t nLinks)
{
    m_linkStates = Matrix::Zero(nLinks, m_h);
    m_flowStates = Matrix::Zero(64, m_h);
    m_flowInputs = Matrix::Zero(64, m_h);
    m_flowFluids.assign(64, 0);
    // inputs of the heads before any event
    m_flowBoth.resize(0, 2 * m_h);
    m_linkIn.resize(0, 4 * m_h);
    m_fluidRemaining.clear();
    m_answer.clear();
    m_isAnswered = true;
}

void
M4DefaultNetwork::Update(const M4Snapshot& snapshot)
{
    const auto n = static_cast<Eigen::Index>(snapshot.flows.size());
    const auto m = static_cast<Eigen::Index>(snapshot.links.size());
    if (snapshot.eventRow != M4Snapshot::NO_ROW)
    {
        const Eigen::Index slot = snapshot.flows[snapshot.eventRow];
        if (slot >= m_flowStates.rows())
        {
            m_flowStates.conservativeResize(2 * slot, m_h);
            m_flowInputs.conservativeResize(2 * slot, m_h);
            m_flowFluids.resize(static_cast<std::size_t>(2 * slot));
        }
        m_flowStates.row(slot).setZero();
    }
    using Rows = Eigen::Map<const Matrix>;
    m_flowInput.Apply(Rows(snapshot.flowFeatures.data(), n, M4Features::N_FLOW), m_x, true);
    m_linkInput.Apply(Rows(snapshot.linkFeatures.data(), m, M4Features::N_LINK), m_y, true);
    m_hf.resize(n, m_h);
    m_hl.resize(m, m_h);
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
    ExchangeMessages(snapshot);
    for (Eigen::Index i = 0; i < n; ++i)
    {
        const auto row = static_cast<std::size_t>(i);
        const uint32_t slot = snapshot.flows[row];
        m_flowStates.row(slot) = m_hf.row(i);
        m_flowInputs.row(slot) = m_x.row(i);
        m_flowFluids[slot] = snapshot.fluidLogSlowdown[row];
    }
    for (Eigen::Index i = 0; i < m; ++i)
    {
        m_linkStates.row(snapshot.links[static_cast<std::size_t>(i)]) = m_hl.row(i);
    }
    m_fluidRemaining = snapshot.fluidRemaining;
    m_answer = snapshot.fluidLogSlowdown;
    m_isAnswered = false;
}

void
M4DefaultNetwork::ExchangeMessages(const M4Snapshot& snapshot)
{
    const Eigen::Index n = m_hf.rows();
    const Eigen::Index m = m_hl.rows();
    Join(m_hf, m_x, m_flowBoth);
    m_flowMessage.Apply(m_flowBoth, m_sent, true);
    m_linkIn.resize(m, 4 * m_h);
    m_linkIn.leftCols(m_h) = m_hl;
    m_linkIn.middleCols(m_h, m_h) = m_y;
    auto sums = m_linkIn.middleCols(2 * m_h, m_h);
    sums.setZero();
    m_count.setZero(m);
    for (std::size_t e = 0; e < snapshot.edgeFlow.size(); ++e)
    {
        sums.row(snapshot.edgeLink[e]) += m_sent.row(snapshot.edgeFlow[e]);
        m_count[snapshot.edgeLink[e]] += 1;
    }
    m_linkIn.rightCols(m_h) = sums.array().colwise() / m_count.cwiseMax(1.0F).array();
    m_linkAll.Apply(m_linkIn, m_z, true);

    m_linkMessage.Apply(m_z, m_sent, true);
    m_got.resize(n, 2 * m_h);
    m_got.leftCols(m_h).setZero();
    m_got.rightCols(m_h) = m_x;
    for (std::size_t e = 0; e < snapshot.edgeFlow.size(); ++e)
    {
        m_got.row(snapshot.edgeFlow[e]).leftCols(m_h) += m_sent.row(snapshot.edgeLink[e]);
    }
    m_flowUpdate.Apply(m_got, m_hf);
    Join(m_z, m_y, m_zy);
    m_linkUpdate.Apply(m_zy, m_hl);
}

float
M4DefaultNetwork::CorrectLogSlowdown(float fluid, float correction)
{
    return TAU * Softplus((fluid + correction) / TAU);
}

const std::vector<float>&
M4DefaultNetwork::GetLogSlowdowns()
{
    if (!m_isAnswered)
    {
        m_isAnswered = true;
        Join(m_hf, m_x, m_answerIn);
        const Matrix& correction = m_fct.Apply(m_answerIn);
        for (std::size_t row = 0; row < m_answer.size(); ++row)
        {
            m_answer[row] =
                CorrectLogSlowdown(m_answer[row], correction(static_cast<Eigen::Index>(row), 0));
        }
    }
    return m_answer;
}

bool
M4DefaultNetwork::HasSpread() const
{
    return m_spread.last.w.size() > 0;
}

std::vector<float>
M4DefaultNetwork::GetLogQuantiles(uint32_t slot)
{
    std::vector<float> quantiles;
    if (!HasSpread())
    {
        return quantiles;
    }
    Matrix in(1, 2 * m_h + 1);
    in.leftCols(m_h) = m_flowStates.row(slot);
    in.middleCols(m_h, m_h) = m_flowInputs.row(slot);
    const float logSlowdown =
        CorrectLogSlowdown(m_flowFluids[slot], m_fct.Apply(in.leftCols(2 * m_h))(0, 0));
    in(0, 2 * m_h) = logSlowdown;
    const Matrix& out = m_spread.Apply(in);
    float spread = out(0, 0);
    quantiles.push_back(logSlowdown + spread);
    for (Eigen::Index k = 1; k < out.cols(); ++k)
    {
        spread += M4Spread::SCALE * Softplus(out(0, k));
        quantiles.push_back(logSlowdown + spread);
    }
    return quantiles;
}

std::vector<float>
M4DefaultNetwork::GetRemaining()
{
    std::vector<float> remaining(m_fluidRemaining.size());
    const Matrix& correction = m_remaining.Apply(m_flowBoth);
    for (std::size_t i = 0; i < remaining.size(); ++i)
    {
        remaining[i] =
            CorrectRemaining(m_fluidRemaining[i], correction(static_cast<Eigen::Index>(i), 0));
    }
    return remaining;
}

std::vector<float>
M4DefaultNetwork::GetQueueBytes()
{
    std::vector<float> queues(static_cast<std::size_t>(m_linkIn.rows()));
    const Matrix& answer = m_queue.Apply(m_linkIn.leftCols(2 * m_h));
    for (std::size_t i = 0; i < queues.size(); ++i)
    {
        queues[i] = ToQueueBytes(answer(static_cast<Eigen::Index>(i), 0));
    }
    return queues;
}

float
M4DefaultNetwork::QueryRemaining(uint32_t slot, const std::vector<float>& features)
{
    Matrix x; // the rows of the last event stay
    m_flowInput.Apply(Eigen::Map<const Matrix>(features.data(), 1, M4Features::N_FLOW), x, true);
    Matrix h = m_flowStates.row(slot);
    m_flowTime.Apply(x, h);
    Matrix both;
    Join(h, x, both);
    return CorrectRemaining(features[M4Features::N_STATIC + M4Features::REMAINING],
                            m_remaining.Apply(both)(0, 0));
}

float
M4DefaultNetwork::QueryQueueBytes(uint32_t link, const std::vector<float>& features)
{
    Matrix y;
    m_linkInput.Apply(Eigen::Map<const Matrix>(features.data(), 1, M4Features::N_LINK), y, true);
    Matrix h = m_linkStates.row(link);
    m_linkTime.Apply(y, h);
    Matrix both;
    Join(h, y, both);
    return ToQueueBytes(m_queue.Apply(both)(0, 0));
}

DcnModelFile
M4DefaultNetwork::MakeUntrained(uint32_t hidden)
{
    const uint32_t h = hidden;
    DcnModelFile model("m4");
    model.Set("architecture", "feature_version", M4Features::VERSION);
    model.Set("architecture", "hidden", h);
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
    auto addLayer = [&add](const std::string& name, uint32_t in, uint32_t out, double scale = 1) {
        add(name + ".w", out, in, scale / std::sqrt(in));
        add(name + ".b", 1, out, scale / std::sqrt(in));
    };
    auto addGru = [&](const std::string& name, uint32_t in) {
        add(name + ".w_ih", 3 * h, in, 1 / std::sqrt(in));
        add(name + ".b_ih", 1, 3 * h, 1 / std::sqrt(in));
        add(name + ".w_hh", 3 * h, h, 1 / std::sqrt(h));
        add(name + ".b_hh", 1, 3 * h, 1 / std::sqrt(h));
    };
    addLayer("x", M4Features::N_FLOW, h);
    addLayer("y", M4Features::N_LINK, h);
    addGru("gru_tf", h);
    addGru("gru_tl", h);
    addLayer("w1", 2 * h, h);
    addLayer("w2", 2 * h, h);
    add("w3.w", h, h, 1 / std::sqrt(h));
    add("w4.w", h, h, 1 / std::sqrt(h));
    addLayer("w5", h, h);
    addGru("gru_uf", 2 * h);
    addGru("gru_ul", 2 * h);
    for (const std::string name : {"fct", "left", "queue"})
    {
        addLayer(name + ".a", 2 * h, h);
        addLayer(name + ".b", h, 1, 0);
    }
    addLayer("spread.a", 2 * h + 1, h);
    addLayer("spread.b", h, M4Spread::N, 0);
    return model;
}

} // namespace ns3

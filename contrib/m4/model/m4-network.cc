/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "m4-network.h"

#include "ns3/assert.h"

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
 * @param share between 0 and 1
 * @return what of it is not too close to 0 or 1 for a logarithm of odds
 */
float
LimitShare(float share)
{
    constexpr float MARGIN = DcnTorchGraphNetwork::LEFT_MARGIN;
    return std::clamp(share, MARGIN, 1 - MARGIN);
}

/**
 * @param said what a network says of a queue
 * @param jointHeads whether its heads are joint
 * @return ln(1 + queue / KB)
 */
float
ToLogQueue(float said, bool jointHeads)
{
    return jointHeads ? std::max(said, 0.0F) : Softplus(said);
}

/**
 * @param fluidLeft share left at fair rates
 * @param correction what the network says
 * @return share left
 */
float
Correct(float fluidLeft, float correction)
{
    const float fluid = LimitShare(fluidLeft);
    return 1 / (1 + std::exp(-std::log(fluid / (1 - fluid)) - correction));
}

/**
 * @param slowdown as the network says
 * @return ln of it, not below 0; what is no number stays so
 */
float
ToLogSlowdown(float slowdown)
{
    return std::log(std::max(slowdown, 1.0F));
}

/**
 * @brief Put two matrices side by side.
 * @param a left
 * @param b right
 * @param both of the columns of both
 */
template <typename Matrix>
void
Join(const Matrix& a, const Matrix& b, Matrix& both)
{
    both.leftCols(a.cols()) = a;
    both.rightCols(b.cols()) = b;
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

const M4Architecture&
M4Network::GetArchitecture() const
{
    return m_architecture;
}

void
M4Network::Begin(uint32_t nLinks)
{
    const Eigen::Index h = m_architecture.hidden;
    m_linkStates = Matrix::Zero(nLinks, h);
    m_flowStates = Matrix::Zero(64, h);
    // what heads get before the messages; nothing yet
    const Eigen::Index width = m_architecture.publishedInputs ? h : 2 * h;
    m_flowTimeBoth.resize(0, width);
    m_linkTimeBoth.resize(0, width);
}

void
M4Network::ReadFlowInputs(const std::vector<float>& features, Eigen::Index n)
{
    const Eigen::Map<const Matrix> rows(features.data(), n, M4Features::N_FLOW);
    if (!m_architecture.publishedInputs)
    {
        m_flowInput.Apply(rows, m_x, true);
        return;
    }
    const auto& inputs = M4Architecture::GetPublishedInputs();
    m_flowElapsed = rows.col(inputs.flowTime[0]);
    m_x.resize(n, static_cast<Eigen::Index>(inputs.flowHead.size()));
    for (Eigen::Index i = 0; i < m_x.cols(); ++i)
    {
        m_x.col(i) = rows.col(inputs.flowHead[static_cast<std::size_t>(i)]);
    }
}

void
M4Network::ReadLinkInputs(const std::vector<float>& features, Eigen::Index m)
{
    const Eigen::Map<const Matrix> rows(features.data(), m, M4Features::N_LINK);
    if (!m_architecture.publishedInputs)
    {
        m_linkInput.Apply(rows, m_y, true);
        return;
    }
    m_linkElapsed = rows.col(M4Architecture::GetPublishedInputs().linkTime[0]);
    m_y.resize(m, 0);
}

const std::vector<float>&
M4Network::Update(const M4Snapshot& snapshot)
{
    const auto n = static_cast<Eigen::Index>(snapshot.flows.size());
    const auto m = static_cast<Eigen::Index>(snapshot.links.size());
    const Eigen::Index h = m_architecture.hidden;
    const bool published = m_architecture.publishedInputs;
    if (snapshot.eventRow != M4Snapshot::NO_ROW)
    {
        const Eigen::Index slot = snapshot.flows[snapshot.eventRow];
        if (slot >= m_flowStates.rows())
        {
            m_flowStates.conservativeResize(2 * slot, h);
        }
        m_flowStates.row(slot).setZero();
        if (published)
        {
            const auto& start = M4Architecture::GetPublishedInputs().flowStart;
            for (std::size_t i = 0; i < start.size(); ++i)
            {
                m_flowStates(slot, static_cast<Eigen::Index>(i)) =
                    snapshot.flowFeatures[snapshot.eventRow * M4Features::N_FLOW + start[i]];
            }
        }
    }
    ReadFlowInputs(snapshot.flowFeatures, n);
    ReadLinkInputs(snapshot.linkFeatures, m);
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
    m_flowTime.Apply(published ? m_flowElapsed : m_x, m_hf);
    m_linkTime.Apply(published ? m_linkElapsed : m_y, m_hl);
    m_flowBoth.resize(n, h + m_x.cols());
    m_linkBoth.resize(m, h + m_y.cols());
    Join(m_hf, m_x, m_flowBoth);
    Join(m_hl, m_y, m_linkBoth);
    m_flowTimeBoth = published ? m_hf : m_flowBoth;
    m_linkTimeBoth = m_linkBoth;
    if (m_architecture.graphSage)
    {
        RunSage(snapshot);
    }
    else
    {
        for (uint32_t round = 0; round < m_architecture.rounds; ++round)
        {
            ExchangeMessages(snapshot);
        }
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
        const bool joint = m_architecture.jointHeads;
        if (joint)
        {
            JoinHeads(snapshot);
        }
        const auto& start = joint ? m_corrected : snapshot.fluidLogSlowdown;
        const Matrix said = m_fct.Apply(joint ? m_flowJoint : m_flowBoth);
        for (Eigen::Index i = 0; i < n; ++i)
        {
            const auto row = static_cast<std::size_t>(i);
            m_answer[row] = m_architecture.rawSlowdown
                                ? ToLogSlowdown(said(i, 0))
                                : TAU * Softplus((start[row] + said(i, 0)) / TAU);
        }
    }
    return m_answer;
}

void
M4Network::JoinHeads(const M4Snapshot& snapshot)
{
    float wait = 0;
    const bool starts = snapshot.eventRow != M4Snapshot::NO_ROW;
    if (starts)
    {
        const Matrix queues = m_queue.Apply(m_linkTimeBoth);
        for (std::size_t e = 0; e < snapshot.edgeFlow.size(); ++e)
        {
            if (snapshot.edgeWait[e] > 0) // of the flow that starts
            {
                const float queue = queues(snapshot.edgeLink[e], 0);
                wait += std::expm1(std::clamp(queue, 0.0F, DcnTorchGraphNetwork::MOST_QUEUE)) *
                        snapshot.edgeWait[e];
            }
        }
    }
    const Eigen::Index last = m_flowBoth.cols();
    m_flowJoint.resize(m_flowBoth.rows(), last + 1);
    m_flowJoint.leftCols(last) = m_flowBoth;
    m_flowJoint.col(last).setZero();
    m_corrected = PredictLeft(snapshot.fluidLeft);
    for (std::size_t i = 0; i < m_corrected.size(); ++i)
    {
        const float more =
            (m_corrected[i] - LimitShare(snapshot.fluidLeft[i])) * snapshot.fluidService[i];
        m_corrected[i] = std::exp(snapshot.fluidLogSlowdown[i]) + more;
    }
    if (starts)
    {
        m_flowJoint(snapshot.eventRow, last) = std::log1p(wait);
        m_corrected[snapshot.eventRow] += wait;
    }
    for (float& slowdown : m_corrected)
    {
        slowdown = std::log(std::max(slowdown, 1.0F));
    }
}

void
M4Network::ExchangeMessages(const M4Snapshot& snapshot)
{
    const Eigen::Index n = m_hf.rows();
    const Eigen::Index m = m_hl.rows();
    const Eigen::Index h = m_architecture.hidden;
    const Eigen::Index g = m_architecture.GetMessageWidth();
    m_flowMessage.Apply(m_flowBoth, m_sent, true);
    m_sums.setZero(m, g);
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
    m_got.resize(n, g + h);
    m_got.leftCols(g).setZero();
    m_got.rightCols(h) = m_x;
    for (std::size_t e = 0; e < snapshot.edgeFlow.size(); ++e)
    {
        m_got.row(snapshot.edgeFlow[e]).leftCols(g) += m_sent.row(snapshot.edgeLink[e]);
    }
    m_flowUpdate.Apply(m_got, m_hf);
    m_zy.resize(m, g + h);
    Join(m_z, m_y, m_zy);
    m_linkUpdate.Apply(m_zy, m_hl);
    m_flowBoth.leftCols(h) = m_hf;
    m_linkBoth.leftCols(h) = m_hl;
}

void
M4Network::RunSage(const M4Snapshot& snapshot)
{
    const Eigen::Index n = m_hf.rows();
    const Eigen::Index m = m_hl.rows();
    const Eigen::Index h = m_architecture.hidden;
    m_v.resize(n + m, h);
    m_v.topRows(n) = m_hf;
    m_v.bottomRows(m) = m_hl;
    for (const SageLayer& layer : m_sage)
    {
        layer.project.Apply(m_v, m_sent, true);
        m_sums.setZero(n + m, m_sent.cols());
        for (std::size_t e = 0; e < snapshot.edgeFlow.size(); ++e)
        {
            m_sums.row(snapshot.edgeFlow[e]) += m_sent.row(n + snapshot.edgeLink[e]);
            m_sums.row(n + snapshot.edgeLink[e]) += m_sent.row(snapshot.edgeFlow[e]);
        }
        layer.sum.Apply(m_sums, m_part, false);
        layer.own.Apply(m_v, m_z, false);
        m_v = m_part + m_z;
        for (Eigen::Index i = 0; i < m_v.rows(); ++i)
        {
            auto row = m_v.row(i).array();
            row -= row.mean();
            row *= 1 / std::sqrt(row.square().mean() + NORM_MARGIN);
            row = row * layer.gain.array() + layer.shift.array();
        }
    }
    const Eigen::Index nUpdate =
        m_architecture.publishedInputs
            ? static_cast<Eigen::Index>(M4Architecture::GetPublishedInputs().flowUpdate.size())
            : h;
    m_got.resize(n, h + nUpdate);
    m_got.leftCols(h) = m_v.topRows(n);
    m_got.rightCols(nUpdate) = m_x.rightCols(nUpdate);
    m_flowUpdate.Apply(m_got, m_hf);
    m_zy.resize(m, h + m_y.cols());
    m_zy.leftCols(h) = m_v.bottomRows(m);
    m_zy.rightCols(m_y.cols()) = m_y;
    m_linkUpdate.Apply(m_zy, m_hl);
    m_flowBoth.leftCols(h) = m_hf; // links are asked before the messages only
}

float
M4Network::ToLeft(float said, float fluidLeft) const
{
    return m_architecture.rawSlowdown ? std::clamp(said, 0.0F, 1.0F) : Correct(fluidLeft, said);
}

std::vector<float>
M4Network::PredictLeft(const std::vector<float>& fluidLeft) const
{
    NS_ASSERT_MSG(fluidLeft.size() == static_cast<std::size_t>(m_flowTimeBoth.rows()), "rows");
    std::vector<float> left(fluidLeft.size());
    const Matrix said = m_left.Apply(m_flowTimeBoth);
    for (std::size_t i = 0; i < left.size(); ++i)
    {
        left[i] = ToLeft(said(static_cast<Eigen::Index>(i), 0), fluidLeft[i]);
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
        queues[i] = 1000 * std::expm1(ToLogQueue(raw(static_cast<Eigen::Index>(i), 0),
                                                 m_architecture.jointHeads));
    }
    return queues;
}

float
M4Network::PredictLeftNow(uint32_t slot, const std::vector<float>& features, float fluidLeft)
{
    ReadFlowInputs(features, 1);
    Matrix h = m_flowStates.row(slot);
    m_flowTime.Apply(m_architecture.publishedInputs ? m_flowElapsed : m_x, h);
    if (m_architecture.publishedInputs)
    {
        return ToLeft(m_left.Apply(h)(0, 0), fluidLeft);
    }
    Matrix both(1, 2 * h.cols());
    both << h, m_x;
    return ToLeft(m_left.Apply(both)(0, 0), fluidLeft);
}

float
M4Network::PredictQueueNow(uint32_t link, const std::vector<float>& features)
{
    ReadLinkInputs(features, 1);
    Matrix h = m_linkStates.row(link);
    m_linkTime.Apply(m_architecture.publishedInputs ? m_linkElapsed : m_y, h);
    Matrix both(1, h.cols() + m_y.cols());
    Join(h, m_y, both);
    return 1000 * std::expm1(ToLogQueue(m_queue.Apply(both)(0, 0), m_architecture.jointHeads));
}

} // namespace ns3

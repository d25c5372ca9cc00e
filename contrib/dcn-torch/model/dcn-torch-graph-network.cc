/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "dcn-torch-graph-network.h"

#include "dcn-torch-backend.h"
#include "dcn-torch-matrices.h"
#include "dcn-torch.h"

#include "ns3/dcn-error.h"

#include <cmath>

namespace ns3
{

namespace
{

/// Rows of flows and links after which steps are run: enough for large matrix products, few
/// enough for the caches (measured, see doc/dcn-torch.rst).
constexpr std::size_t SEGMENT_ROWS = 8192;

/**
 * @param sizes of the network
 * @return names and shapes, see the class
 */
DcnTorchMatrices
MakeMatrices(const DcnTorchGraphNetwork::Sizes& sizes)
{
    const uint32_t h = sizes.hidden;
    const uint32_t g = sizes.GetMessageWidth();
    const auto& inputs = sizes.inputs;
    const bool encoded = inputs.flowTime.empty();
    // how many numbers join states, or messages, at a place
    const auto count = [&](const std::vector<uint32_t>& columns) {
        return encoded ? h : static_cast<uint32_t>(columns.size());
    };
    DcnTorchMatrices matrices;
    const auto addCell = [&](const std::string& name, uint32_t width) {
        matrices.AddMatrix(name + ".w_ih", 3 * h, width);
        matrices.AddMatrix(name + ".w_hh", 3 * h, h);
        matrices.AddVector(name + ".b_ih", 3 * h, h);
        matrices.AddVector(name + ".b_hh", 3 * h, h);
    };
    const auto addHead = [&](const std::string& name, uint32_t width) {
        matrices.AddLayer(name + ".a", sizes.GetHeadWidth(), h + width);
        matrices.AddLayer(name + ".b", 1, sizes.GetHeadWidth());
    };
    if (encoded)
    {
        matrices.AddLayer("x", h, sizes.flowFeatures);
        matrices.AddLayer("y", h, sizes.linkFeatures);
    }
    addCell("gru_tf", count(inputs.flowTime));
    addCell("gru_tl", count(inputs.linkTime));
    for (const char* name : {"left", "queue"})
    {
        addHead(name, count({}));
        if (sizes.jointHeads)
        {
            matrices.StartAtZero(2); // .b.w and .b.b: what the fluid has left, no queues
        }
    }
    if (sizes.graphSage)
    {
        for (uint32_t layer = 0; layer < sizes.rounds; ++layer)
        {
            const std::string name = "sage" + std::to_string(layer + 1);
            const uint32_t in = sizes.GetLayerWidth(layer);
            const uint32_t out = sizes.GetLayerWidth(layer + 1);
            matrices.AddLayer(name + ".project", in, in);
            matrices.AddLayer(name + ".sum", out, in);
            matrices.AddMatrix(name + ".own.w", out, in);
            matrices.AddVector(name + ".gain", out, 0, 1);
            matrices.AddVector(name + ".shift", out, 0);
        }
    }
    else
    {
        matrices.AddLayer("w1", g, 2 * h);
        matrices.AddLayer("w2", g, 2 * h);
        matrices.AddMatrix("w3.w", g, g);
        matrices.AddMatrix("w4.w", g, g);
        matrices.AddLayer("w5", g, g);
    }
    const uint32_t message = sizes.graphSage ? h : g;
    addCell("gru_uf", message + count(inputs.flowUpdate));
    addCell("gru_ul", message + count({}));
    addHead("fct", count(inputs.flowHead) + (sizes.jointHeads ? 1 : 0));
    if (!sizes.rawSlowdown)
    {
        matrices.StartAtZero(2); // fct.b.w and fct.b.b: the fluid answer at first
    }
    return matrices;
}

/**
 * @brief Check the length of a vector of a step.
 * @param what the vector holds
 * @param length it has
 * @param expected what it must have
 * @param optional whether it may be empty
 */
void
CheckLength(const std::string& what,
            std::size_t length,
            std::size_t expected,
            bool optional = false)
{
    if (length != expected && !(optional && length == 0))
    {
        DcnFail("a step has ", length, " ", what, ", not ", expected);
    }
}

/**
 * @brief Check row numbers of a step, or columns of features.
 * @param what the rows are
 * @param rows the numbers
 * @param count all are less
 * @param who names them
 */
void
CheckRows(const std::string& what,
          const std::vector<uint32_t>& rows,
          std::size_t count,
          const char* who = "a step")
{
    for (uint32_t row : rows)
    {
        if (row >= count)
        {
            DcnFail(who, " names ", what, " ", row, ", but there are ", count);
        }
    }
}

/**
 * @brief Refuse what a network cannot look like.
 * @param sizes of the network
 */
void
CheckSizes(const DcnTorchGraphNetwork::Sizes& sizes)
{
    for (const auto& [what, size] : {std::make_pair("hidden width", sizes.hidden),
                                     std::make_pair("number of flow features", sizes.flowFeatures),
                                     std::make_pair("number of link features", sizes.linkFeatures)})
    {
        if (size == 0)
        {
            DcnFail("the ", what, " of a graph network is 0");
        }
    }
    if (sizes.graphSage && sizes.rounds == 0)
    {
        DcnFail("a graph network has no layers of GraphSAGE");
    }
    if (sizes.graphSage && sizes.rounds == 1 && sizes.GetMessageWidth() != sizes.hidden)
    {
        DcnFail("a width of messages of ",
                sizes.messageWidth,
                " has no effect on a graph network with one layer of GraphSAGE");
    }
    if (sizes.jointHeads && sizes.rawSlowdown)
    {
        DcnFail("joint heads of a graph network need slowdowns relative to the fluid");
    }
    const auto& inputs = sizes.inputs;
    if (inputs.flowTime.empty())
    {
        for (const auto* columns :
             {&inputs.flowUpdate, &inputs.flowHead, &inputs.flowStart, &inputs.linkTime})
        {
            if (!columns->empty())
            {
                DcnFail("columns of features are chosen for a graph network, but none for the time "
                        "of flows");
            }
        }
        return; // no columns are chosen
    }
    if (!sizes.graphSage || inputs.linkTime.empty() || inputs.flowStart.size() > sizes.hidden)
    {
        DcnFail("columns of features can be chosen for layers of GraphSAGE only, for the time of "
                "links, too, and for the start of a flow at most ",
                sizes.hidden);
    }
    for (const auto* columns :
         {&inputs.flowTime, &inputs.flowUpdate, &inputs.flowHead, &inputs.flowStart})
    {
        CheckRows("the flow feature", *columns, sizes.flowFeatures, "a network");
    }
    CheckRows("the link feature", inputs.linkTime, sizes.linkFeatures, "a network");
}

/**
 * @brief Check that no state is used twice, as only one of the two could be kept.
 * @param what the states are
 * @param rows their numbers
 * @param marks one per state, all 0; again 0 afterwards
 */
void
CheckDifferent(const std::string& what, const std::vector<uint32_t>& rows, std::vector<bool>& marks)
{
    for (uint32_t row : rows)
    {
        if (marks[row])
        {
            marks.assign(marks.size(), false);
            DcnFail("a step names ", what, " ", row, " twice");
        }
        marks[row] = true;
    }
    for (uint32_t row : rows)
    {
        marks[row] = false;
    }
}

/**
 * @brief Append a vector to another.
 * @tparam T type of the elements
 * @param to what grows
 * @param from what is appended
 * @param length what it is filled up to with 0
 */
template <typename T>
void
AppendTo(std::vector<T>& to, const std::vector<T>& from, std::size_t length)
{
    to.insert(to.end(), from.begin(), from.end());
    to.resize(to.size() + length - from.size());
}

} // namespace

DcnTorchGraphNetwork::DcnTorchGraphNetwork(const Sizes& sizes,
                                           const Options& options,
                                           uint64_t seed)
    : m_sizes(sizes),
      m_segment(std::make_unique<DcnTorchGraphSegment>())
{
    CheckSizes(sizes);
    for (const auto& [what, value] :
         {std::make_pair("lambda of the parts left", options.lambdaLeft),
          std::make_pair("lambda of the queues", options.lambdaQueue),
          std::make_pair("weight decay", options.weightDecay),
          std::make_pair("decay of the average", options.averaging)})
    {
        if (!(value >= 0) || !std::isfinite(value))
        {
            DcnFail("the ", what, " of a graph network is ", value);
        }
    }
    if (!(options.clipNorm > 0) || options.averaging >= 1)
    {
        DcnFail("a graph network cannot clip gradients to ",
                options.clipNorm,
                " or average with a decay of ",
                options.averaging);
    }
    const DcnTorchMatrices matrices = MakeMatrices(sizes);
    m_trainer = DcnTorch::Load<DcnTorchBackend>("a graph network", "old")
                    .MakeGraph(matrices.Get(), sizes, options);
    m_trainer->SetWeights(matrices.Draw(seed));
    Begin(0, 0, false);
}

DcnTorchGraphNetwork::~DcnTorchGraphNetwork() = default;

const DcnTorchGraphNetwork::Sizes&
DcnTorchGraphNetwork::GetSizes() const
{
    return m_sizes;
}

void
DcnTorchGraphNetwork::Begin(uint32_t nFlowStates, uint32_t nLinkStates, bool training)
{
    m_nFlowStates = nFlowStates;
    m_nLinkStates = nLinkStates;
    m_flowMarks.assign(nFlowStates, false);
    m_linkMarks.assign(nLinkStates, false);
    m_segment = std::make_unique<DcnTorchGraphSegment>();
    m_kept = {};
    m_trainer->Begin(nFlowStates, nLinkStates, training);
}

void
DcnTorchGraphNetwork::ClearStates(std::pair<uint32_t, uint32_t> flowRows,
                                  std::pair<uint32_t, uint32_t> linkRows)
{
    if (flowRows.first > flowRows.second || flowRows.second > m_nFlowStates ||
        linkRows.first > linkRows.second || linkRows.second > m_nLinkStates)
    {
        DcnFail("states of flows ",
                flowRows.first,
                " to ",
                flowRows.second,
                " of ",
                m_nFlowStates,
                " and links ",
                linkRows.first,
                " to ",
                linkRows.second,
                " of ",
                m_nLinkStates,
                " cannot be cleared");
    }
    m_segment->clearFlows.insert(m_segment->clearFlows.end(), {flowRows.first, flowRows.second});
    m_segment->clearLinks.insert(m_segment->clearLinks.end(), {linkRows.first, linkRows.second});
}

void
DcnTorchGraphNetwork::Check(const Step& step)
{
    const std::size_t n = step.flowState.size();
    const std::size_t m = step.linkState.size();
    CheckLength("marks of new flows", step.isNew.size(), n);
    CheckLength("flow features", step.flowFeatures.size(), n * m_sizes.flowFeatures);
    CheckLength("link features", step.linkFeatures.size(), m * m_sizes.linkFeatures);
    CheckLength("fluid parts left", step.fluidLeft.size(), n);
    CheckLength("fluid slowdowns", step.fluidLogSlowdown.size(), n);
    CheckLength("fluid services", step.fluidService.size(), m_sizes.jointHeads ? n : 0);
    CheckLength("waits of edges",
                step.edgeWait.size(),
                m_sizes.jointHeads ? step.edgeFlow.size() : 0);
    CheckLength("ends of edges", step.edgeLink.size(), step.edgeFlow.size());
    CheckLength("slowdown weights", step.logSlowdownWeight.size(), n, true);
    CheckLength("slowdown targets", step.logSlowdownTarget.size(), step.logSlowdownWeight.size());
    CheckLength("weights of parts left", step.leftWeight.size(), n, true);
    CheckLength("targets of parts left", step.leftTarget.size(), step.leftWeight.size());
    CheckLength("queue weights", step.queueWeight.size(), m, true);
    CheckLength("queue targets", step.queueTarget.size(), step.queueWeight.size());
    CheckRows("the flow state", step.flowState, m_nFlowStates);
    CheckRows("the link state", step.linkState, m_nLinkStates);
    CheckDifferent("the flow state", step.flowState, m_flowMarks);
    CheckDifferent("the link state", step.linkState, m_linkMarks);
    CheckRows("the flow row", step.edgeFlow, n);
    CheckRows("the link row", step.edgeLink, m);
}

void
DcnTorchGraphNetwork::Append(const Step& step)
{
    Check(step);
    auto& all = m_segment->rows;
    const std::size_t n = step.flowState.size();
    const std::size_t m = step.linkState.size();
    AppendTo(all.flowState, step.flowState, n);
    AppendTo(all.linkState, step.linkState, m);
    AppendTo(all.isNew, step.isNew, n);
    AppendTo(all.edgeFlow, step.edgeFlow, step.edgeFlow.size());
    AppendTo(all.edgeLink, step.edgeLink, step.edgeLink.size());
    AppendTo(all.flowFeatures, step.flowFeatures, step.flowFeatures.size());
    AppendTo(all.linkFeatures, step.linkFeatures, step.linkFeatures.size());
    AppendTo(all.fluidLeft, step.fluidLeft, n);
    AppendTo(all.fluidLogSlowdown, step.fluidLogSlowdown, n);
    AppendTo(all.fluidService, step.fluidService, step.fluidService.size());
    AppendTo(all.edgeWait, step.edgeWait, step.edgeWait.size());
    AppendTo(all.logSlowdownTarget, step.logSlowdownTarget, n);
    AppendTo(all.logSlowdownWeight, step.logSlowdownWeight, n);
    AppendTo(all.leftTarget, step.leftTarget, n);
    AppendTo(all.leftWeight, step.leftWeight, n);
    AppendTo(all.queueTarget, step.queueTarget, m);
    AppendTo(all.queueWeight, step.queueWeight, m);
    m_segment->offsets.push_back({all.flowState.size(),
                                  all.linkState.size(),
                                  all.edgeFlow.size(),
                                  m_segment->clearFlows.size()});
}

void
DcnTorchGraphNetwork::Run(Predictions& predictions)
{
    // Clearing that no step follows is left for the next one.
    auto next = std::make_unique<DcnTorchGraphSegment>();
    const auto used = static_cast<std::ptrdiff_t>(m_segment->offsets.back().clear);
    next->clearFlows.assign(m_segment->clearFlows.begin() + used, m_segment->clearFlows.end());
    next->clearLinks.assign(m_segment->clearLinks.begin() + used, m_segment->clearLinks.end());
    std::swap(m_segment, next);
    if (next->offsets.size() > 1)
    {
        m_trainer->Run(std::move(next), predictions);
    }
}

void
DcnTorchGraphNetwork::Accumulate(const Step& step)
{
    Append(step);
    if (m_segment->offsets.back().flow + m_segment->offsets.back().link >= SEGMENT_ROWS)
    {
        Run(m_kept);
    }
}

void
DcnTorchGraphNetwork::Accumulate(const Step& step, Predictions& predictions)
{
    Check(step);
    Run(m_kept);
    Append(step);
    predictions = {};
    Run(predictions);
}

DcnTorchGraphNetwork::Losses
DcnTorchGraphNetwork::Finish(double learningRate)
{
    Predictions dropped;
    return Finish(learningRate, dropped);
}

DcnTorchGraphNetwork::Losses
DcnTorchGraphNetwork::Finish(double learningRate, Predictions& predictions)
{
    Run(m_kept);
    predictions = std::move(m_kept);
    m_kept = {};
    const Losses losses = m_trainer->Finish(learningRate);
    if (!std::isfinite(losses.total) || !std::isfinite(losses.gradientNorm))
    {
        DcnFail("the loss of the graph network is ",
                losses.total,
                " and the norm of its gradient ",
                losses.gradientNorm,
                ": the data hold something that is not a number, or the learning rate is too high");
    }
    return losses;
}

std::vector<DcnModelFile::Tensor>
DcnTorchGraphNetwork::ExportWeights(bool averaged) const
{
    return MakeMatrices(m_sizes).Export(averaged ? m_trainer->GetAveragedWeights()
                                                 : m_trainer->GetWeights());
}

std::vector<DcnModelFile::Tensor>
DcnTorchGraphNetwork::ExportGradient() const
{
    return MakeMatrices(m_sizes).Export(m_trainer->GetGradient());
}

void
DcnTorchGraphNetwork::ImportWeights(const std::vector<DcnModelFile::Tensor>& tensors)
{
    m_trainer->SetWeights(MakeMatrices(m_sizes).Import(tensors));
}

std::vector<DcnModelFile::Tensor>
DcnTorchGraphNetwork::ExportOptimizer() const
{
    return DcnTorchMatrices::ExportOptimizer(*m_trainer);
}

void
DcnTorchGraphNetwork::ImportOptimizer(const std::vector<DcnModelFile::Tensor>& tensors)
{
    MakeMatrices(m_sizes).ImportOptimizer(tensors, *m_trainer);
}

} // namespace ns3

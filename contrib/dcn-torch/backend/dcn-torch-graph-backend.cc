/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "dcn-torch-graph-backend.h"

#include "dcn-torch-graph-operators.h"
#include "dcn-torch-graph-weights.h"
#include "dcn-torch-parameters.h"

#include <ATen/ATen.h>
#include <algorithm>
#include <c10/core/GradMode.h>
#include <cmath>
#include <torch/csrc/autograd/autograd.h>

namespace ns3
{

namespace
{

using at::Tensor;
using Network = DcnTorchGraphNetwork;

/**
 * @brief See numbers as a tensor, without a copy.
 * @param numbers the numbers
 * @param columns of the matrix; 0 for a vector
 * @return the tensor
 */
Tensor
View(const std::vector<float>& numbers, int64_t columns = 0)
{
    auto* data = const_cast<float*>(numbers.data());
    const auto count = static_cast<int64_t>(numbers.size());
    return columns ? at::from_blob(data, {count / columns, columns}) : at::from_blob(data, {count});
}

/**
 * @param tensor a tensor
 * @param to gets its numbers at its end
 */
void
AppendNumbers(const Tensor& tensor, std::vector<float>& to)
{
    const Tensor numbers = tensor.detach().contiguous();
    const auto* data = numbers.data_ptr<float>();
    to.insert(to.end(), data, data + numbers.numel());
}

/// See DcnTorchGraphTrainer.
class GraphTrainer : public DcnTorchTrainerBase<DcnTorchGraphTrainer>
{
  public:
    /// See DcnTorchBackend::MakeGraph.
    GraphTrainer(const std::vector<DcnTorchParameter>& parameters,
                 const Network::Sizes& sizes,
                 const Network::Options& options)
        : DcnTorchTrainerBase(parameters, options.weightDecay, options.clipNorm, options.averaging),
          m_sizes(sizes),
          m_options(options)
    {
        m_states.hidden = sizes.hidden;
    }

    void Begin(uint32_t nFlows, uint32_t nLinks, bool training) override
    {
        m_training = training;
        m_runs.clear();
        m_losses = {};
        const std::size_t flows = static_cast<std::size_t>(nFlows) * m_sizes.hidden;
        const std::size_t links = static_cast<std::size_t>(nLinks) * m_sizes.hidden;
        m_states.flows.assign(flows, 0);
        m_states.links.assign(links, 0);
        m_states.flowGradients.assign(training ? flows : 0, 0);
        m_states.linkGradients.assign(training ? links : 0, 0);
    }

    void Run(std::unique_ptr<DcnTorchGraphSegment> segment,
             Network::Predictions& predictions) override;
    Network::Losses Finish(double learningRate) override;

  private:
    /// A segment that was run and waits for the way back.
    struct RunSegment
    {
        std::unique_ptr<DcnTorchGraphSegment> segment; //!< its rows
        std::vector<DcnTorchGraphStep> steps;          //!< its steps
        Tensor loss;                                   //!< its loss, not yet divided
        Tensor order;                                  //!< after its last step
    };

    /// Inputs of the rows of all steps of a segment: x and y, or columns of features.
    struct Inputs
    {
        Tensor flowTime;   //!< of GRU_gru_tf
        Tensor linkTime;   //!< of GRU_gru_tl
        Tensor flowUpdate; //!< of GRU_gru_uf
        Tensor linkUpdate; //!< of GRU_gru_ul
        Tensor fct;        //!< of the head
        Tensor left;       //!< of the head
        Tensor queue;      //!< of the head
        Tensor start;      //!< states of new flows, else 0; nothing if all start from 0
    };

    /// States and inputs of the rows of all steps of a segment.
    struct Rows
    {
        Inputs inputs;    //!< inputs
        Tensor flowsTime; //!< states of flows before messages
        Tensor linksTime; //!< states of links before messages
        Tensor flows;     //!< states of flows after messages
    };

    void MakeSteps(RunSegment& run);
    Inputs MakeInputs(const Network::Step& rows, const DcnTorchGraphWeights& weights) const;
    Rows RunSteps(RunSegment& run, const DcnTorchGraphWeights& weights);
    /// Returns ln b of joint heads [n]: the slowdown with waits, and what is left as predicted.
    static Tensor Correct(const RunSegment& run, const Tensor& left, const Tensor& wait);
    /// Returns what predicted queues add to the slowdowns of flows [n].
    static Tensor GetWaits(const RunSegment& run, const Tensor& queue);
    /// Returns the sum of weighted absolute errors, and adds to their sums of the chunk.
    static Tensor AddLoss(const Tensor& predicted,
                          const Tensor& targets,
                          const std::vector<float>& weights,
                          double& sum,
                          double& weightSum);

    Network::Sizes m_sizes;         //!< of the network
    Network::Options m_options;     //!< of the training
    bool m_training{false};         //!< whether gradients are needed
    DcnTorchStates m_states;        //!< states
    std::vector<RunSegment> m_runs; //!< segments since the last Finish, if training
    Network::Losses m_losses;       //!< sums since the last Finish
};

void
GraphTrainer::MakeSteps(RunSegment& run)
{
    const auto& rows = run.segment->rows;
    const auto& offsets = run.segment->offsets;
    for (std::size_t i = 0; i + 1 < offsets.size(); ++i)
    {
        const auto& at = offsets[i];
        const auto& end = offsets[i + 1];
        run.steps.push_back({static_cast<int64_t>(end.flow - at.flow),
                             static_cast<int64_t>(end.link - at.link),
                             static_cast<int64_t>(end.edge - at.edge),
                             static_cast<int64_t>(end.clear - at.clear),
                             rows.flowState.data() + at.flow,
                             rows.linkState.data() + at.link,
                             rows.isNew.data() + at.flow,
                             rows.edgeFlow.data() + at.edge,
                             rows.edgeLink.data() + at.edge,
                             run.segment->clearFlows.data() + at.clear,
                             run.segment->clearLinks.data() + at.clear,
                             &m_states});
    }
}

GraphTrainer::Inputs
GraphTrainer::MakeInputs(const Network::Step& rows, const DcnTorchGraphWeights& weights) const
{
    const auto& columns = m_sizes.inputs;
    const Tensor flows = View(rows.flowFeatures, m_sizes.flowFeatures);
    const Tensor links = View(rows.linkFeatures, m_sizes.linkFeatures);
    if (columns.flowTime.empty())
    {
        const Tensor x = at::linear(flows, weights.x, weights.xBias).relu_();
        const Tensor y = at::linear(links, weights.y, weights.yBias).relu_();
        return {x, y, x, y, x, x, y, Tensor()};
    }
    const auto choose = [](const Tensor& features, const std::vector<uint32_t>& which) {
        return features.index_select(1,
                                     at::tensor(std::vector<int64_t>(which.begin(), which.end())));
    };
    const Tensor noFlow = at::empty({flows.size(0), 0});
    const Tensor noLink = at::empty({links.size(0), 0});
    // states of new flows are read as 0, so that this can be added to all
    Tensor start = at::zeros({flows.size(0), static_cast<int64_t>(m_sizes.hidden)});
    const Tensor isNew = at::tensor(std::vector<float>(rows.isNew.begin(), rows.isNew.end()));
    start.narrow(1, 0, static_cast<int64_t>(columns.flowStart.size()))
        .copy_(choose(flows, columns.flowStart) * isNew.unsqueeze(1));
    return {choose(flows, columns.flowTime),
            choose(links, columns.linkTime),
            choose(flows, columns.flowUpdate),
            noLink,
            choose(flows, columns.flowHead),
            noFlow,
            noLink,
            start};
}

GraphTrainer::Rows
GraphTrainer::RunSteps(RunSegment& run, const DcnTorchGraphWeights& weights)
{
    using Operators = DcnTorchGraphOperators;
    std::vector<int64_t> nFlows;
    std::vector<int64_t> nLinks;
    for (const auto& step : run.steps)
    {
        nFlows.push_back(step.nFlows);
        nLinks.push_back(step.nLinks);
    }

    // What does not depend on the states is computed for all steps together.
    Rows all;
    all.inputs = MakeInputs(run.segment->rows, weights);
    const Inputs& inputs = all.inputs;
    const auto flowTime = weights.flowTime.Prepare(inputs.flowTime).split_with_sizes(nFlows);
    const auto linkTime = weights.linkTime.Prepare(inputs.linkTime).split_with_sizes(nLinks);
    const auto flowUpdate = weights.flowUpdate.Prepare(inputs.flowUpdate).split_with_sizes(nFlows);
    const auto linkUpdate = weights.linkUpdate.Prepare(inputs.linkUpdate).split_with_sizes(nLinks);
    std::vector<Tensor> toLinks;
    std::vector<Tensor> mix;
    std::vector<Tensor> start;
    if (!m_sizes.graphSage)
    {
        toLinks =
            at::linear(inputs.flowTime, weights.w1Input, weights.w1Bias).split_with_sizes(nFlows);
        mix = at::linear(inputs.linkTime, weights.w2Input, weights.w2Bias).split_with_sizes(nLinks);
    }
    if (inputs.start.defined())
    {
        start = inputs.start.split_with_sizes(nFlows);
    }

    std::vector<Tensor> flowsTime;
    std::vector<Tensor> linksTime;
    std::vector<Tensor> flowsAfter;
    const Tensor nothing = at::empty({0});
    run.order = at::zeros({1}).requires_grad_(m_training);
    for (std::size_t i = 0; i < run.steps.size(); ++i)
    {
        const auto& step = run.steps[i];
        const auto read = Operators::Read(run.order, step);
        Tensor flows = weights.flowTime.Run(flowTime[i],
                                            nothing,
                                            start.empty() ? read[0] : read[0] + start[i]);
        Tensor links = weights.linkTime.Run(linkTime[i], nothing, read[1]);
        flowsTime.push_back(flows);
        linksTime.push_back(links);
        if (m_sizes.graphSage)
        {
            Tensor rows = at::cat({flows, links});
            for (const auto& layer : weights.sage)
            {
                rows = layer.Run(rows, step);
            }
            flows = weights.flowUpdate.Run(flowUpdate[i], rows.narrow(0, 0, step.nFlows), flows);
            links = weights.linkUpdate.Run(linkUpdate[i],
                                           rows.narrow(0, step.nFlows, step.nLinks),
                                           links);
        }
        for (uint32_t round = 0; round < (m_sizes.graphSage ? 0 : m_sizes.rounds); ++round)
        {
            const Tensor sent = Operators::AddRelu(toLinks[i], at::mm(flows, weights.w1State));
            const Tensor heard = Operators::ToLinks(sent, links, step);
            const Tensor mixed = Operators::AddRelu(mix[i], at::mm(heard, weights.w2));
            const Tensor told = Operators::ToFlows(at::mm(mixed, weights.w5), weights.w5Bias, step);
            flows = weights.flowUpdate.Run(flowUpdate[i], told, flows);
            links = weights.linkUpdate.Run(linkUpdate[i], mixed, links);
        }
        flowsAfter.push_back(flows);
        run.order = Operators::Write(flows, links, read[2], step);
    }
    all.flowsTime = at::cat(flowsTime);
    all.linksTime = at::cat(linksTime);
    all.flows = at::cat(flowsAfter);
    return all;
}

Tensor
GraphTrainer::Correct(const RunSegment& run, const Tensor& left, const Tensor& wait)
{
    const auto& rows = run.segment->rows;
    const Tensor fluidLeft =
        View(rows.fluidLeft).clamp(Network::LEFT_MARGIN, 1 - Network::LEFT_MARGIN);
    const Tensor more = (left.detach() - fluidLeft) * View(rows.fluidService) + wait;
    return (View(rows.fluidLogSlowdown).exp() + more).clamp_min(1).log();
}

Tensor
GraphTrainer::GetWaits(const RunSegment& run, const Tensor& queue)
{
    const auto& rows = run.segment->rows;
    const auto& offsets = run.segment->offsets;
    const Tensor said = queue.detach().contiguous();
    const auto* queues = said.data_ptr<float>();
    Tensor waits = at::zeros({static_cast<int64_t>(rows.flowState.size())});
    auto* sums = waits.data_ptr<float>();
    for (std::size_t i = 0; i + 1 < offsets.size(); ++i)
    {
        for (std::size_t e = offsets[i].edge; e < offsets[i + 1].edge; ++e)
        {
            if (rows.edgeWait[e] > 0) // of flows that start
            {
                const float queue = queues[offsets[i].link + rows.edgeLink[e]];
                sums[offsets[i].flow + rows.edgeFlow[e]] +=
                    std::expm1(std::clamp(queue, 0.0F, Network::MOST_QUEUE)) * rows.edgeWait[e];
            }
        }
    }
    return waits;
}

Tensor
GraphTrainer::AddLoss(const Tensor& predicted,
                      const Tensor& targets,
                      const std::vector<float>& weights,
                      double& sum,
                      double& weightSum)
{
    const Tensor loss = ((predicted - targets).abs_() * View(weights)).sum();
    sum += loss.item<double>();
    for (float weight : weights)
    {
        weightSum += weight;
    }
    return loss;
}

void
GraphTrainer::Run(std::unique_ptr<DcnTorchGraphSegment> segment, Network::Predictions& predictions)
{
    const c10::AutoGradMode mode(m_training);
    RunSegment run;
    run.segment = std::move(segment);
    MakeSteps(run);
    const std::vector<Tensor> matrices = m_parameters.Split();
    const DcnTorchGraphWeights weights(matrices, m_sizes);
    const Rows all = RunSteps(run, weights);

    const auto& rows = run.segment->rows;
    const bool raw = m_sizes.rawSlowdown;
    Tensor left = weights.left.Run(all.flowsTime, all.inputs.left);
    if (!raw)
    {
        const Tensor fluidLeft =
            View(rows.fluidLeft).clamp(Network::LEFT_MARGIN, 1 - Network::LEFT_MARGIN).logit();
        left = at::sigmoid(fluidLeft + left);
    }
    Tensor queue = weights.queue.Run(all.linksTime, all.inputs.queue);
    if (!m_sizes.jointHeads)
    {
        queue = at::softplus(queue);
    }
    Tensor base = View(rows.fluidLogSlowdown);
    Tensor fctInputs = all.inputs.fct;
    if (m_sizes.jointHeads)
    {
        // what supervises left and queue alone trains them
        const Tensor wait = GetWaits(run, queue);
        base = Correct(run, left, wait);
        fctInputs = at::cat({fctInputs, wait.log1p().unsqueeze(1)}, 1);
    }
    Tensor slowdown = weights.fct.Run(all.flows, fctInputs);
    Tensor judged = slowdown;
    Tensor target = View(rows.logSlowdownTarget);
    if (raw)
    {
        judged = slowdown / target.exp();
        target = at::ones_like(target);
        slowdown = slowdown.clamp_min(1).log();
    }
    else
    {
        slowdown = at::softplus(base + slowdown, 1 / Network::TAU);
        judged = slowdown;
    }

    const Tensor slowdownLoss =
        AddLoss(judged, target, rows.logSlowdownWeight, m_losses.slowdown, m_losses.slowdownWeight);
    const Tensor leftLoss =
        AddLoss(left, View(rows.leftTarget), rows.leftWeight, m_losses.left, m_losses.leftWeight);
    Tensor queueLoss = AddLoss(queue,
                               View(rows.queueTarget),
                               rows.queueWeight,
                               m_losses.queue,
                               m_losses.queueWeight);
    if (m_sizes.jointHeads)
    {
        const Tensor huber = at::smooth_l1_loss(queue, View(rows.queueTarget), at::Reduction::None);
        queueLoss = (huber * View(rows.queueWeight)).sum();
    }
    m_losses.total += slowdownLoss.item<double>() + m_options.lambdaLeft * leftLoss.item<double>() +
                      m_options.lambdaQueue * queueLoss.item<double>();
    run.loss = slowdownLoss;
    if (m_options.lambdaLeft > 0)
    {
        run.loss = run.loss + m_options.lambdaLeft * leftLoss;
    }
    if (m_options.lambdaQueue > 0)
    {
        run.loss = run.loss + m_options.lambdaQueue * queueLoss;
    }

    AppendNumbers(slowdown, predictions.logSlowdown);
    AppendNumbers(raw ? left.clamp(0, 1) : left, predictions.left);
    AppendNumbers(m_sizes.jointHeads ? queue.clamp_min(0) : queue, predictions.queue);
    if (m_training)
    {
        m_runs.push_back(std::move(run));
    }
}

Network::Losses
GraphTrainer::Finish(double learningRate)
{
    Network::Losses losses = m_losses;
    m_losses = {};
    const double others =
        m_options.lambdaLeft * losses.leftWeight + m_options.lambdaQueue * losses.queueWeight;
    const double divisor = losses.slowdownWeight > 0 ? losses.slowdownWeight
                           : others > 0              ? others
                                                     : 1;
    losses.total /= divisor;
    if (!m_training)
    {
        return losses;
    }
    m_parameters.ClearGradient();
    std::fill(m_states.flowGradients.begin(), m_states.flowGradients.end(), 0.0F);
    std::fill(m_states.linkGradients.begin(), m_states.linkGradients.end(), 0.0F);
    while (!m_runs.empty())
    {
        auto& run = m_runs.back();
        torch::autograd::backward({run.loss, run.order},
                                  {at::full({}, 1 / divisor), at::zeros({1})});
        m_runs.pop_back();
    }
    losses.gradientNorm = m_parameters.GetGradientNorm();
    if (std::isfinite(losses.total) && std::isfinite(losses.gradientNorm))
    {
        m_parameters.Step(learningRate, losses.gradientNorm);
    }
    return losses;
}

} // namespace

std::unique_ptr<DcnTorchGraphTrainer>
DcnMakeTorchGraphTrainer(const std::vector<DcnTorchParameter>& parameters,
                         const Network::Sizes& sizes,
                         const Network::Options& options)
{
    return std::make_unique<GraphTrainer>(parameters, sizes, options);
}

} // namespace ns3

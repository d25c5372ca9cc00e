/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "dcn-torch-graph-backend.h"

#include "dcn-torch-graph-operators.h"
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

/// A recurrent cell whose input is [a, b], b being known for all steps together.
struct Cell
{
    /**
     * @param next its four matrices, which are taken
     * @param h H
     */
    Cell(const Tensor*& next, int64_t h)
        : inputA(next[0].narrow(1, 0, next[0].size(1) - h).t()),
          inputB(next[0].narrow(1, next[0].size(1) - h, h)),
          hidden(next[1].t()),
          inputBias(next[2]),
          hiddenBias(next[3])
    {
        next += 4;
    }

    /**
     * @param b for all steps
     * @return what the cell adds of it
     */
    Tensor Prepare(const Tensor& b) const
    {
        return at::linear(b, inputB, inputBias);
    }

    /**
     * @param prepared what Prepare returned for these rows
     * @param a the rest of the input; empty if there is none
     * @param state the state before
     * @return the state after
     */
    Tensor Run(const Tensor& prepared, const Tensor& a, const Tensor& state) const
    {
        return DcnTorchGraphOperators::Cell(prepared,
                                            inputA.numel() ? at::mm(a, inputA) : a,
                                            at::mm(state, hidden),
                                            hiddenBias,
                                            state);
    }

    Tensor inputA;     //!< [H or 0 x 3H]
    Tensor inputB;     //!< [3H x H]
    Tensor hidden;     //!< [H x 3H]
    Tensor inputBias;  //!< [3H]
    Tensor hiddenBias; //!< [3H]
};

/// A head: mlp([state, input]).
struct Head
{
    /**
     * @param next its four matrices, which are taken
     * @param h H
     */
    Head(const Tensor*& next, int64_t h)
        : state(next[0].narrow(1, 0, h).t()),
          input(next[0].narrow(1, h, h)),
          bias(next[1]),
          last(next[2]),
          lastBias(next[3])
    {
        next += 4;
    }

    /**
     * @param states [rows x H]
     * @param inputs [rows x H]
     * @return [rows]
     */
    Tensor Run(const Tensor& states, const Tensor& inputs) const
    {
        const Tensor inside = at::addmm(at::linear(inputs, input, bias), states, state).relu_();
        return at::linear(inside, last, lastBias).squeeze(1);
    }

    Tensor state;    //!< [H x H]
    Tensor input;    //!< [H x H]
    Tensor bias;     //!< [H]
    Tensor last;     //!< [1 x H]
    Tensor lastBias; //!< [1]
};

/// All matrices, as the steps use them; the order is that of DcnTorchGraphNetwork.
struct Weights
{
    /**
     * @param all the matrices
     * @param next the one to be taken next
     * @param h H
     */
    Weights(const std::vector<Tensor>& all, const Tensor* next, int64_t h)
        : x(all[0]),
          xBias(all[1]),
          y(all[2]),
          yBias(all[3]),
          flowTime(next, h),
          linkTime(next, h),
          left(next, h),
          queue(next, h),
          w1State(next[0].narrow(1, 0, h).t()),
          w1Input(next[0].narrow(1, h, h)),
          w1Bias(next[1]),
          w2(at::cat({next[2].narrow(1, 0, h), next[4], next[5]}, 1).t()),
          w2Input(next[2].narrow(1, h, h)),
          w2Bias(next[3]),
          w5(next[6].t()),
          w5Bias(next[7]),
          flowUpdate(next += 8, h),
          linkUpdate(next, h),
          fct(next, h)
    {
    }

    Tensor x;        //!< [H x DF]
    Tensor xBias;    //!< [H]
    Tensor y;        //!< [H x DL]
    Tensor yBias;    //!< [H]
    Cell flowTime;   //!< gru_tf
    Cell linkTime;   //!< gru_tl
    Head left;       //!< head of parts left
    Head queue;      //!< head of queues
    Tensor w1State;  //!< [H x H] of w1.w
    Tensor w1Input;  //!< [H x H] of w1.w
    Tensor w1Bias;   //!< [H]
    Tensor w2;       //!< [3H x H] of w2.w, w3.w and w4.w
    Tensor w2Input;  //!< [H x H] of w2.w
    Tensor w2Bias;   //!< [H]
    Tensor w5;       //!< [H x H]
    Tensor w5Bias;   //!< [H]
    Cell flowUpdate; //!< gru_uf
    Cell linkUpdate; //!< gru_ul
    Head fct;        //!< head of slowdowns
};

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

    /// States and inputs of the rows of all steps of a segment.
    struct Rows
    {
        Tensor x;         //!< inputs of flows
        Tensor y;         //!< inputs of links
        Tensor flowsTime; //!< states of flows before messages
        Tensor linksTime; //!< states of links before messages
        Tensor flows;     //!< states of flows after messages
    };

    void MakeSteps(RunSegment& run);
    Rows RunSteps(RunSegment& run, const Weights& weights);
    /// Adds up one part of the loss.
    static Tensor AddLoss(const Tensor& predicted,
                          const std::vector<float>& targets,
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

GraphTrainer::Rows
GraphTrainer::RunSteps(RunSegment& run, const Weights& weights)
{
    using Operators = DcnTorchGraphOperators;
    const auto& rows = run.segment->rows;
    std::vector<int64_t> nFlows;
    std::vector<int64_t> nLinks;
    for (const auto& step : run.steps)
    {
        nFlows.push_back(step.nFlows);
        nLinks.push_back(step.nLinks);
    }

    // What does not depend on the states is computed for all steps together.
    Rows all;
    all.x =
        at::linear(View(rows.flowFeatures, m_sizes.flowFeatures), weights.x, weights.xBias).relu_();
    all.y =
        at::linear(View(rows.linkFeatures, m_sizes.linkFeatures), weights.y, weights.yBias).relu_();
    const auto flowTime = weights.flowTime.Prepare(all.x).split_with_sizes(nFlows);
    const auto linkTime = weights.linkTime.Prepare(all.y).split_with_sizes(nLinks);
    const auto flowUpdate = weights.flowUpdate.Prepare(all.x).split_with_sizes(nFlows);
    const auto linkUpdate = weights.linkUpdate.Prepare(all.y).split_with_sizes(nLinks);
    const auto toLinks =
        at::linear(all.x, weights.w1Input, weights.w1Bias).split_with_sizes(nFlows);
    const auto mix = at::linear(all.y, weights.w2Input, weights.w2Bias).split_with_sizes(nLinks);

    std::vector<Tensor> flowsTime;
    std::vector<Tensor> linksTime;
    std::vector<Tensor> flowsAfter;
    const Tensor nothing = at::empty({0});
    run.order = at::zeros({1}).requires_grad_(m_training);
    for (std::size_t i = 0; i < run.steps.size(); ++i)
    {
        const auto& step = run.steps[i];
        const auto read = Operators::Read(run.order, step);
        Tensor flows = weights.flowTime.Run(flowTime[i], nothing, read[0]);
        Tensor links = weights.linkTime.Run(linkTime[i], nothing, read[1]);
        flowsTime.push_back(flows);
        linksTime.push_back(links);
        for (uint32_t round = 0; round < m_sizes.rounds; ++round)
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
GraphTrainer::AddLoss(const Tensor& predicted,
                      const std::vector<float>& targets,
                      const std::vector<float>& weights,
                      double& sum,
                      double& weightSum)
{
    const Tensor loss = ((predicted - View(targets)).abs_() * View(weights)).sum();
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
    const Weights weights(matrices, matrices.data() + 4, m_sizes.hidden);
    const Rows all = RunSteps(run, weights);

    const auto& rows = run.segment->rows;
    const Tensor fluidLeft =
        View(rows.fluidLeft).clamp(Network::LEFT_MARGIN, 1 - Network::LEFT_MARGIN).logit();
    const Tensor left = at::sigmoid(fluidLeft + weights.left.Run(all.flowsTime, all.x));
    const Tensor queue = at::softplus(weights.queue.Run(all.linksTime, all.y));
    const Tensor slowdown =
        at::softplus(View(rows.fluidLogSlowdown) + weights.fct.Run(all.flows, all.x),
                     1 / Network::TAU);

    const Tensor slowdownLoss = AddLoss(slowdown,
                                        rows.logSlowdownTarget,
                                        rows.logSlowdownWeight,
                                        m_losses.slowdown,
                                        m_losses.slowdownWeight);
    const Tensor leftLoss =
        AddLoss(left, rows.leftTarget, rows.leftWeight, m_losses.left, m_losses.leftWeight);
    const Tensor queueLoss =
        AddLoss(queue, rows.queueTarget, rows.queueWeight, m_losses.queue, m_losses.queueWeight);
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
    AppendNumbers(left, predictions.left);
    AppendNumbers(queue, predictions.queue);
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
    losses.total =
        losses.slowdown + m_options.lambdaLeft * losses.left + m_options.lambdaQueue * losses.queue;
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

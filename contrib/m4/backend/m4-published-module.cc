/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "m4-published-module.h"

#include "../model/state/m4-published-features.h"

#include <string>

namespace ns3
{

namespace
{

using Features = M4PublishedFeatures;

/**
 * @param cell a recurrent cell whose input is the elapsed time
 * @param elapsed time [n x 1]
 * @param states [n x H]
 * @return states after that time; unchanged for a time of 0
 */
torch::Tensor
PassTime(torch::nn::GRUCell& cell, const torch::Tensor& elapsed, const torch::Tensor& states)
{
    return torch::where(elapsed > 0, cell(elapsed, states), states);
}

/**
 * @param logQueue ln(1 + bytes / 1000)
 * @return cube root of the bytes
 */
torch::Tensor
ToCubeRoot(const torch::Tensor& logQueue)
{
    return (1000 * logQueue.expm1()).clamp_min(0).pow(1.0 / 3);
}

} // namespace

M4SageLayer::M4SageLayer(int64_t inputs, int64_t outputs)
    : m_project(register_module("project", torch::nn::Linear(inputs, inputs))),
      m_sum(register_module("sum", torch::nn::Linear(inputs, outputs))),
      m_own(register_module(
          "own",
          torch::nn::Linear(torch::nn::LinearOptions(inputs, outputs).bias(false)))),
      m_norm(register_module("norm", torch::nn::LayerNorm(torch::nn::LayerNormOptions({outputs}))))
{
}

torch::Tensor
M4SageLayer::Run(const torch::Tensor& rows, const torch::Tensor& from, const torch::Tensor& to)
{
    const torch::Tensor sent = m_project(rows).relu_();
    const torch::Tensor sums = torch::zeros_like(rows).index_add(0, to, sent.index_select(0, from));
    return m_norm(m_sum(sums) + m_own(rows));
}

M4PublishedModule::M4PublishedModule(int64_t hidden, int64_t messageWidth, int64_t headWidth)
    : m_hidden(hidden),
      m_flowTime(register_module("gru_tf", torch::nn::GRUCell(1, hidden))),
      m_linkTime(register_module("gru_tl", torch::nn::GRUCell(1, hidden))),
      m_flowUpdate(nullptr),
      m_linkUpdate(nullptr)
{
    for (int64_t layer = 0; layer < LAYERS; ++layer)
    {
        m_sage.push_back(register_module(
            "sage" + std::to_string(layer + 1),
            std::make_shared<M4SageLayer>(layer == 0 ? hidden : messageWidth,
                                          layer + 1 == LAYERS ? hidden : messageWidth)));
    }
    m_flowUpdate =
        register_module("gru_uf", torch::nn::GRUCell(hidden + Features::N_CONFIG, hidden));
    m_linkUpdate = register_module("gru_ul", torch::nn::GRUCell(hidden, hidden));
    m_fct =
        register_module("fct",
                        std::make_shared<M4TorchHead>(hidden + 1 + Features::N_CONFIG, headWidth));
    m_remaining = register_module("left", std::make_shared<M4TorchHead>(hidden, headWidth));
    m_queue = register_module("queue", std::make_shared<M4TorchHead>(hidden, headWidth));
}

torch::Tensor
M4PublishedModule::EncodeFlows(const Tensor& features)
{
    return features;
}

torch::Tensor
M4PublishedModule::EncodeLinks(const Tensor& features)
{
    return features;
}

torch::Tensor
M4PublishedModule::StartFlows(const Tensor& inputs)
{
    Tensor start = torch::zeros({inputs.size(0), m_hidden}, inputs.options());
    start.select(1, 0).fill_(1);
    start.select(1, 2).copy_(inputs.select(1, Features::LOG_SIZE));
    start.select(1, 3).copy_(inputs.select(1, Features::HOPS));
    return start;
}

torch::Tensor
M4PublishedModule::StartLinks(const Tensor& inputs)
{
    Tensor start = torch::zeros({inputs.size(0), m_hidden}, inputs.options());
    start.narrow(1, 1, 2).fill_(1);
    return start;
}

torch::Tensor
M4PublishedModule::PassFlows(const Tensor& inputs, const Tensor& states)
{
    return PassTime(m_flowTime, inputs.narrow(1, Features::ELAPSED, 1), states);
}

torch::Tensor
M4PublishedModule::PassLinks(const Tensor& inputs, const Tensor& states)
{
    return PassTime(m_linkTime, inputs, states);
}

void
M4PublishedModule::Exchange(const Tensor& flowInputs,
                            const Tensor&,
                            const M4TorchEdges& edges,
                            Tensor& flows,
                            Tensor& links)
{
    const int64_t n = flows.size(0);
    const Tensor from = torch::cat({edges.flow, edges.link + n});
    const Tensor to = torch::cat({edges.link + n, edges.flow});
    Tensor rows = torch::cat({flows, links});
    for (const auto& layer : m_sage)
    {
        rows = layer->Run(rows, from, to);
    }
    const Tensor config = flowInputs.narrow(1, Features::CONFIG, Features::N_CONFIG);
    flows = m_flowUpdate(torch::cat({rows.narrow(0, 0, n), config}, 1), flows);
    links = m_linkUpdate(rows.narrow(0, n, links.size(0)), links);
}

torch::Tensor
M4PublishedModule::GetRemaining(const Tensor&, const Tensor& flows, const Tensor&)
{
    return m_remaining->Run(flows);
}

torch::Tensor
M4PublishedModule::GetQueue(const Tensor&, const Tensor& links)
{
    return m_queue->Run(links);
}

torch::Tensor
M4PublishedModule::GetSlowdown(const Tensor& inputs, const Tensor& flows, const Tensor&)
{
    // the number of links comes right before the configuration
    static_assert(Features::HOPS + 1 == Features::CONFIG);
    const Tensor known = inputs.narrow(1, Features::HOPS, 1 + Features::N_CONFIG);
    return m_fct->Run(torch::cat({flows, known}, 1));
}

torch::Tensor
M4PublishedModule::GetSlowdownError(const Tensor& slowdown, const Tensor& target)
{
    return (slowdown / target.exp() - 1).abs();
}

torch::Tensor
M4PublishedModule::GetQueueError(const Tensor& queue, const Tensor& target)
{
    return (queue - ToCubeRoot(target)).abs();
}

torch::Tensor
M4PublishedModule::ToLogSlowdown(const Tensor& slowdown)
{
    return slowdown.clamp_min(1).log();
}

torch::Tensor
M4PublishedModule::ToLogQueue(const Tensor& queue)
{
    return (queue.clamp_min(0).pow(3) / 1000).log1p();
}

} // namespace ns3

/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "m4-default-module.h"

#include "../model/network/m4-torch-model.h"

namespace ns3
{

namespace
{

constexpr double TAU = 0.02; //!< temperature of the soft lower bound of slowdowns
constexpr double REMAINING_MARGIN =
    1e-3; //!< least distance of the fluid's remaining fraction from 0 and 1

/**
 * @param inputs of the layer
 * @param outputs of the layer
 * @return a layer without bias
 */
torch::nn::Linear
MakeUnbiased(int64_t inputs, int64_t outputs)
{
    return torch::nn::Linear(torch::nn::LinearOptions(inputs, outputs).bias(false));
}

} // namespace

M4DefaultModule::M4DefaultModule(int64_t flowFeatures, int64_t linkFeatures, int64_t hidden)
    : m_flowInput(register_module("x", torch::nn::Linear(flowFeatures, hidden))),
      m_linkInput(register_module("y", torch::nn::Linear(linkFeatures, hidden))),
      m_flowTime(register_module("gru_tf", torch::nn::GRUCell(hidden, hidden))),
      m_linkTime(register_module("gru_tl", torch::nn::GRUCell(hidden, hidden))),
      m_flowMessage(register_module("w1", torch::nn::Linear(2 * hidden, hidden))),
      m_linkOwn(register_module("w2", torch::nn::Linear(2 * hidden, hidden))),
      m_linkSum(register_module("w3", MakeUnbiased(hidden, hidden))),
      m_linkMean(register_module("w4", MakeUnbiased(hidden, hidden))),
      m_linkMessage(register_module("w5", torch::nn::Linear(hidden, hidden))),
      m_flowUpdate(register_module("gru_uf", torch::nn::GRUCell(2 * hidden, hidden))),
      m_linkUpdate(register_module("gru_ul", torch::nn::GRUCell(2 * hidden, hidden))),
      m_fct(register_module("fct", std::make_shared<M4TorchHead>(2 * hidden, hidden))),
      m_remaining(register_module("left", std::make_shared<M4TorchHead>(2 * hidden, hidden))),
      m_queue(register_module("queue", std::make_shared<M4TorchHead>(2 * hidden, hidden))),
      m_spread(register_module("spread",
                               std::make_shared<M4TorchHead>(2 * hidden + 1,
                                                             hidden,
                                                             int64_t{M4Spread::N})))
{
    m_fct->Clear(); // initially the slowdown of the fluid
}

torch::Tensor
M4DefaultModule::EncodeFlows(const Tensor& features)
{
    return m_flowInput(features).relu_();
}

torch::Tensor
M4DefaultModule::EncodeLinks(const Tensor& features)
{
    return m_linkInput(features).relu_();
}

torch::Tensor
M4DefaultModule::StartFlows(const Tensor&)
{
    return {};
}

torch::Tensor
M4DefaultModule::StartLinks(const Tensor&)
{
    return {};
}

torch::Tensor
M4DefaultModule::PassFlows(const Tensor& inputs, const Tensor& states)
{
    return m_flowTime(inputs, states);
}

torch::Tensor
M4DefaultModule::PassLinks(const Tensor& inputs, const Tensor& states)
{
    return m_linkTime(inputs, states);
}

void
M4DefaultModule::Exchange(const Tensor& flowInputs,
                          const Tensor& linkInputs,
                          const M4TorchEdges& edges,
                          Tensor& flows,
                          Tensor& links)
{
    const Tensor sent = m_flowMessage(torch::cat({flows, flowInputs}, 1)).relu_();
    const Tensor sums =
        torch::zeros_like(links).index_add(0, edges.link, sent.index_select(0, edges.flow));
    const Tensor counts =
        torch::zeros({links.size(0), 1}, links.options())
            .index_add_(0, edges.link, torch::ones({edges.link.size(0), 1}, links.options()))
            .clamp_min_(1);
    const Tensor z = (m_linkOwn(torch::cat({links, linkInputs}, 1)) + m_linkSum(sums) +
                      m_linkMean(sums / counts))
                         .relu_();
    const Tensor replies = m_linkMessage(z).relu_();
    const Tensor got =
        torch::zeros_like(flows).index_add(0, edges.flow, replies.index_select(0, edges.link));
    flows = m_flowUpdate(torch::cat({got, flowInputs}, 1), flows);
    links = m_linkUpdate(torch::cat({z, linkInputs}, 1), links);
}

torch::Tensor
M4DefaultModule::GetRemaining(const Tensor& inputs, const Tensor& flows, const Tensor& fluid)
{
    const Tensor start = fluid.clamp(REMAINING_MARGIN, 1 - REMAINING_MARGIN).logit();
    return torch::sigmoid(start + m_remaining->Run(torch::cat({flows, inputs}, 1)));
}

torch::Tensor
M4DefaultModule::GetQueue(const Tensor& inputs, const Tensor& links)
{
    return torch::softplus(m_queue->Run(torch::cat({links, inputs}, 1)));
}

torch::Tensor
M4DefaultModule::GetSlowdown(const Tensor& inputs, const Tensor& flows, const Tensor& fluid)
{
    return torch::softplus(fluid + m_fct->Run(torch::cat({flows, inputs}, 1)), 1 / TAU);
}

torch::Tensor
M4DefaultModule::GetSpread(const Tensor& inputs, const Tensor& flows, const Tensor& logSlowdown)
{
    const Tensor out = m_spread->Run(
        torch::cat({flows.detach(), inputs.detach(), logSlowdown.detach().unsqueeze(1)}, 1));
    const Tensor steps = torch::softplus(out.narrow(1, 1, int64_t{M4Spread::N} - 1));
    return torch::cat({out.narrow(1, 0, 1), M4Spread::SCALE * steps}, 1).cumsum(1);
}

torch::Tensor
M4DefaultModule::GetSlowdownError(const Tensor& slowdown, const Tensor& target)
{
    return (slowdown - target).abs();
}

torch::Tensor
M4DefaultModule::GetQueueError(const Tensor& queue, const Tensor& target)
{
    return (queue - target).abs();
}

torch::Tensor
M4DefaultModule::ToLogSlowdown(const Tensor& slowdown)
{
    return slowdown;
}

torch::Tensor
M4DefaultModule::ToLogQueue(const Tensor& queue)
{
    return queue;
}

} // namespace ns3

/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef M4_TORCH_MODULE_H
#define M4_TORCH_MODULE_H

#include <cstdint>
#include <string>
#include <torch/nn/module.h>
#include <torch/nn/modules/linear.h>
#include <torch/utils.h>

namespace ns3
{

/**
 * @ingroup m4
 * @brief Rows and edges of a step, on the device of the network.
 */
struct M4TorchEdges
{
    torch::Tensor flow; //!< by edge: row of the flow [E], int64
    torch::Tensor link; //!< by edge: row of the link [E], int64
};

/**
 * @ingroup m4
 * @brief A network of m4: updates of the states of flows and links, and predictions from them.
 *
 * Derived classes are torch::nn modules. Inputs are those of EncodeFlows and EncodeLinks; n and m
 * are the rows of flows and links, H is the width of a state.
 */
class M4TorchModule : public torch::nn::Module
{
  public:
    using Tensor = torch::Tensor; //!< for short

    /**
     * @param features of flows [n x features]
     * @return inputs of flows [n x any]
     */
    virtual Tensor EncodeFlows(const Tensor& features) = 0;
    /**
     * @param features of links [m x features]
     * @return inputs of links [m x any]
     */
    virtual Tensor EncodeLinks(const Tensor& features) = 0;

    /**
     * @param inputs of flows
     * @return initial states [n x H]; undefined if all are zero
     */
    virtual Tensor StartFlows(const Tensor& inputs) = 0;
    /**
     * @param inputs of links
     * @return initial states [m x H]; undefined if all are zero
     */
    virtual Tensor StartLinks(const Tensor& inputs) = 0;

    /**
     * @brief Advance the states of flows to the time of the event.
     * @param inputs of flows
     * @param states of flows [n x H]
     * @return states just before the event
     */
    virtual Tensor PassFlows(const Tensor& inputs, const Tensor& states) = 0;
    /**
     * @brief Advance the states of links to the time of the event.
     * @param inputs of links
     * @param states of links [m x H]
     * @return states just before the event
     */
    virtual Tensor PassLinks(const Tensor& inputs, const Tensor& states) = 0;

    /**
     * @brief Flows and links exchange messages.
     * @param flowInputs inputs of flows
     * @param linkInputs inputs of links
     * @param edges pairs of flows and links that exchange messages
     * @param flows states of flows, updated in place
     * @param links states of links, updated in place
     */
    virtual void Exchange(const Tensor& flowInputs,
                          const Tensor& linkInputs,
                          const M4TorchEdges& edges,
                          Tensor& flows,
                          Tensor& links) = 0;

    /**
     * @param inputs of flows
     * @param flows states just before the event
     * @param fluid remaining fraction at fair rates [n]; not used if published
     * @return remaining fraction [n]
     */
    virtual Tensor GetRemaining(const Tensor& inputs, const Tensor& flows, const Tensor& fluid) = 0;
    /**
     * @param inputs of links
     * @param links states just before the event
     * @return queues [m], in the unit of the loss
     */
    virtual Tensor GetQueue(const Tensor& inputs, const Tensor& links) = 0;
    /**
     * @param inputs of flows
     * @param flows states after the event
     * @param fluid ln of the slowdown at fair rates [n]; not used if published
     * @return slowdowns [n], in the unit of the loss
     */
    virtual Tensor GetSlowdown(const Tensor& inputs, const Tensor& flows, const Tensor& fluid) = 0;

    /**
     * @param inputs of flows
     * @param flows states after the event
     * @param logSlowdown from ToLogSlowdown
     * @return quantiles of M4Spread [n x N], whose gradient reaches the weights of their head
     * alone; undefined if the network has no such head
     */
    virtual Tensor GetSpread(const Tensor& inputs, const Tensor& flows, const Tensor& logSlowdown)
    {
        return {};
    }

    /**
     * @param slowdown from GetSlowdown
     * @param target ln of the true slowdown
     * @return absolute errors [n]
     */
    virtual Tensor GetSlowdownError(const Tensor& slowdown, const Tensor& target) = 0;
    /**
     * @param queue from GetQueue
     * @param target ln(1 + bytes / 1000)
     * @return absolute errors [m]
     */
    virtual Tensor GetQueueError(const Tensor& queue, const Tensor& target) = 0;

    /**
     * @param slowdown from GetSlowdown
     * @return ln of the slowdown, at least 0
     */
    virtual Tensor ToLogSlowdown(const Tensor& slowdown) = 0;
    /**
     * @param queue from GetQueue
     * @return ln(1 + bytes / 1000), at least 0
     */
    virtual Tensor ToLogQueue(const Tensor& queue) = 0;
};

/**
 * @ingroup m4
 * @brief A head: one hidden layer with ReLU.
 */
class M4TorchHead : public torch::nn::Module
{
  public:
    /**
     * @param inputs of the head
     * @param width of the hidden layer
     * @param outputs of the head
     */
    M4TorchHead(int64_t inputs, int64_t width, int64_t outputs = 1)
        : m_first(register_module("a", torch::nn::Linear(inputs, width))),
          m_last(register_module("b", torch::nn::Linear(width, outputs)))
    {
    }

    /**
     * @param rows [n x inputs]
     * @return [n], or [n x outputs] if these are more than one
     */
    torch::Tensor Run(const torch::Tensor& rows)
    {
        return m_last(m_first(rows).relu_()).squeeze(1);
    }

    /// Sets the last layer to zero: the output is 0 until it is trained.
    void Clear()
    {
        const torch::NoGradGuard guard;
        m_last->weight.zero_();
        m_last->bias.zero_();
    }

  private:
    torch::nn::Linear m_first; //!< to the hidden layer
    torch::nn::Linear m_last;  //!< to the outputs
};

} // namespace ns3

#endif /* M4_TORCH_MODULE_H */

/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef DCN_TORCH_GRAPH_OPERATORS_H
#define DCN_TORCH_GRAPH_OPERATORS_H

#include <ATen/ATen.h>
#include <cstddef>
#include <cstdint>
#include <torch/csrc/autograd/custom_function.h>
#include <vector>

namespace ns3
{

/**
 * @ingroup dcn-torch
 * @brief States of flows and links, [rows x H], and the gradients that come back to them.
 *
 * States are overwritten step by step, which automatic differentiation cannot see. But as a step
 * back visits the same rows in the opposite order, one gradient per row is all that is to be kept:
 * when a step wrote a row, it takes the gradient from there, and leaves that of what it had read.
 */
struct DcnTorchStates
{
    int64_t hidden{0};                //!< H
    std::vector<float> flows;         //!< states
    std::vector<float> links;         //!< states
    std::vector<float> flowGradients; //!< of the loss of what comes later
    std::vector<float> linkGradients; //!< of the loss of what comes later
};

/**
 * @ingroup dcn-torch
 * @brief What the operators below know of a step; it outlives the graph that refers to it.
 */
struct DcnTorchGraphStep
{
    int64_t nFlows;             //!< flow rows
    int64_t nLinks;             //!< link rows
    int64_t nEdges;             //!< edges
    int64_t nClears;            //!< numbers of clearFlows and clearLinks
    const uint32_t* flowState;  //!< rows of states
    const uint32_t* linkState;  //!< rows of states
    const uint8_t* isNew;       //!< flows whose state is 0
    const uint32_t* edgeFlow;   //!< flow rows of this step
    const uint32_t* edgeLink;   //!< link rows of this step
    const uint32_t* clearFlows; //!< pairs first, last + 1 of states zeroed before
    const uint32_t* clearLinks; //!< pairs first, last + 1 of states zeroed before
    DcnTorchStates* states;     //!< where they are
};

/**
 * @ingroup dcn-torch
 * @brief Operators of the graph network that are one call, forth and back.
 *
 * The order makes the readings and writings of states depend on each other, one after the other.
 */
class DcnTorchGraphOperators
{
  public:
    /**
     * @brief Read the states of a step.
     * @param order what comes before
     * @param step the step
     * @return flow states [n x H], link states [m x H], the new order
     */
    static std::vector<at::Tensor> Read(const at::Tensor& order, const DcnTorchGraphStep& step);

    /**
     * @brief Write them back.
     * @param flows [n x H]
     * @param links [m x H]
     * @param order what comes before
     * @param step the step
     * @return the new order
     */
    static at::Tensor Write(const at::Tensor& flows,
                            const at::Tensor& links,
                            const at::Tensor& order,
                            const DcnTorchGraphStep& step);

    /**
     * @brief The nonlinear part of a recurrent cell.
     * @param input [n x 3H], a part of W_ih x + b_ih
     * @param more [n x 3H], the other part; empty if there is none
     * @param hidden [n x 3H], W_hh h
     * @param bias [3H], b_hh
     * @param state [n x H], h
     * @return [n x H], h'
     */
    static at::Tensor Cell(const at::Tensor& input,
                           const at::Tensor& more,
                           const at::Tensor& hidden,
                           const at::Tensor& bias,
                           const at::Tensor& state);

    /**
     * @param a [n x H]
     * @param b [n x H]
     * @return [n x H], relu(a + b)
     */
    static at::Tensor AddRelu(const at::Tensor& a, const at::Tensor& b);

    /**
     * @brief What links hear of their flows.
     * @param flows [n x G]
     * @param links [m x H]
     * @param step the step
     * @return [m x H + 2G]: links, sum of flows over the flows of the link, mean of the same
     */
    static at::Tensor ToLinks(const at::Tensor& flows,
                              const at::Tensor& links,
                              const DcnTorchGraphStep& step);

    /**
     * @brief What flows hear of their links.
     * @param links [m x G]
     * @param bias [G]
     * @param step the step
     * @return [n x G]: sum of relu(links + bias) over the links of the flow
     */
    static at::Tensor ToFlows(const at::Tensor& links,
                              const at::Tensor& bias,
                              const DcnTorchGraphStep& step);

    /**
     * @brief Sums over neighbours, flows and links alike.
     * @param rows [n + m x any], flows first
     * @param step the step
     * @return of the same shape: for each row the sum of those that it has an edge with
     */
    static at::Tensor AddNeighbours(const at::Tensor& rows, const DcnTorchGraphStep& step);
};

} // namespace ns3

#endif /* DCN_TORCH_GRAPH_OPERATORS_H */

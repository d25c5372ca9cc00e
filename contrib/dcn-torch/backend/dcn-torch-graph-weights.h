/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef DCN_TORCH_GRAPH_WEIGHTS_H
#define DCN_TORCH_GRAPH_WEIGHTS_H

#include "ns3/dcn-torch-graph-network.h"
#include "dcn-torch-graph-operators.h"

#include <ATen/ATen.h>
#include <cstdint>
#include <vector>

namespace ns3
{

/**
 * @ingroup dcn-torch
 * @brief A recurrent cell whose input is [a, b], b being known for all steps together.
 */
struct DcnTorchCell
{
    DcnTorchCell() = default;

    /**
     * @param next its four matrices, which are taken
     * @param nB columns of b
     */
    DcnTorchCell(const at::Tensor*& next, int64_t nB)
        : inputA(next[0].narrow(1, 0, next[0].size(1) - nB).t()),
          inputB(next[0].narrow(1, next[0].size(1) - nB, nB)),
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
    at::Tensor Prepare(const at::Tensor& b) const
    {
        return b.size(1) ? at::linear(b, inputB, inputBias)
                         : inputBias.expand({b.size(0), -1}).contiguous();
    }

    /**
     * @param prepared what Prepare returned for these rows
     * @param a the rest of the input; empty if there is none
     * @param state the state before
     * @return the state after
     */
    at::Tensor Run(const at::Tensor& prepared, const at::Tensor& a, const at::Tensor& state) const
    {
        return DcnTorchGraphOperators::Cell(prepared,
                                            inputA.numel() ? at::mm(a, inputA) : a,
                                            at::mm(state, hidden),
                                            hiddenBias,
                                            state);
    }

    at::Tensor inputA;     //!< [columns of a x 3H]
    at::Tensor inputB;     //!< [3H x columns of b]
    at::Tensor hidden;     //!< [H x 3H]
    at::Tensor inputBias;  //!< [3H]
    at::Tensor hiddenBias; //!< [3H]
};

/**
 * @ingroup dcn-torch
 * @brief A head: mlp([state, input]).
 */
struct DcnTorchHead
{
    DcnTorchHead() = default;

    /**
     * @param next its four matrices, which are taken
     * @param h H
     */
    DcnTorchHead(const at::Tensor*& next, int64_t h)
        : state(next[0].narrow(1, 0, h).t()),
          input(next[0].narrow(1, h, next[0].size(1) - h)),
          bias(next[1]),
          last(next[2]),
          lastBias(next[3])
    {
        next += 4;
    }

    /**
     * @param states [rows x H]
     * @param inputs [rows x any]
     * @return [rows]
     */
    at::Tensor Run(const at::Tensor& states, const at::Tensor& inputs) const
    {
        const at::Tensor shift = inputs.size(1) ? at::linear(inputs, input, bias) : bias;
        const at::Tensor inside = at::addmm(shift, states, state).relu_();
        return at::linear(inside, last, lastBias).squeeze(1);
    }

    at::Tensor state;    //!< [H x D]
    at::Tensor input;    //!< [D x columns of inputs]
    at::Tensor bias;     //!< [D]
    at::Tensor last;     //!< [1 x D]
    at::Tensor lastBias; //!< [1]
};

/**
 * @ingroup dcn-torch
 * @brief A layer of GraphSAGE with its LayerNorm.
 */
struct DcnTorchSageLayer
{
    /**
     * @param next its seven matrices, which are taken
     */
    explicit DcnTorchSageLayer(const at::Tensor*& next)
        : project(next[0]),
          projectBias(next[1]),
          sum(next[2]),
          sumBias(next[3]),
          own(next[4].t()),
          gain(next[5]),
          shift(next[6])
    {
        next += 7;
    }

    /**
     * @param rows flows, then links
     * @param step the step
     * @return the rows after the layer
     */
    at::Tensor Run(const at::Tensor& rows, const DcnTorchGraphStep& step) const
    {
        const at::Tensor sent = at::linear(rows, project, projectBias).relu_();
        const at::Tensor heard = DcnTorchGraphOperators::AddNeighbours(sent, step);
        return at::layer_norm(at::addmm(at::linear(heard, sum, sumBias), rows, own),
                              {own.size(1)},
                              gain,
                              shift);
    }

    at::Tensor project;     //!< [I x I]
    at::Tensor projectBias; //!< [I]
    at::Tensor sum;         //!< [O x I]
    at::Tensor sumBias;     //!< [O]
    at::Tensor own;         //!< [I x O]
    at::Tensor gain;        //!< [O]
    at::Tensor shift;       //!< [O]
};

/**
 * @ingroup dcn-torch
 * @brief All matrices, as the steps use them; the order is that of DcnTorchGraphNetwork.
 */
struct DcnTorchGraphWeights
{
    /**
     * @param all the matrices
     * @param sizes of the network
     */
    DcnTorchGraphWeights(const std::vector<at::Tensor>& all,
                         const DcnTorchGraphNetwork::Sizes& sizes)
    {
        const int64_t h = sizes.hidden;
        const auto& inputs = sizes.inputs;
        const bool encoded = inputs.flowTime.empty();
        const auto count = [&](const std::vector<uint32_t>& columns) {
            return encoded ? h : static_cast<int64_t>(columns.size());
        };
        const at::Tensor* next = all.data();
        if (encoded)
        {
            x = *next++;
            xBias = *next++;
            y = *next++;
            yBias = *next++;
        }
        flowTime = DcnTorchCell(next, count(inputs.flowTime));
        linkTime = DcnTorchCell(next, count(inputs.linkTime));
        left = DcnTorchHead(next, h);
        queue = DcnTorchHead(next, h);
        if (sizes.graphSage)
        {
            for (uint32_t layer = 0; layer < sizes.rounds; ++layer)
            {
                sage.emplace_back(next);
            }
        }
        else
        {
            w1State = next[0].narrow(1, 0, h).t();
            w1Input = next[0].narrow(1, h, h);
            w1Bias = next[1];
            w2 = at::cat({next[2].narrow(1, 0, h), next[4], next[5]}, 1).t();
            w2Input = next[2].narrow(1, h, h);
            w2Bias = next[3];
            w5 = next[6].t();
            w5Bias = next[7];
            next += 8;
        }
        flowUpdate = DcnTorchCell(next, count(inputs.flowUpdate));
        linkUpdate = DcnTorchCell(next, count({}));
        fct = DcnTorchHead(next, h);
    }

    at::Tensor x;                        //!< [H x DF]
    at::Tensor xBias;                    //!< [H]
    at::Tensor y;                        //!< [H x DL]
    at::Tensor yBias;                    //!< [H]
    DcnTorchCell flowTime;               //!< gru_tf
    DcnTorchCell linkTime;               //!< gru_tl
    DcnTorchHead left;                   //!< head of parts left
    DcnTorchHead queue;                  //!< head of queues
    at::Tensor w1State;                  //!< [H x G] of w1.w
    at::Tensor w1Input;                  //!< [G x H] of w1.w
    at::Tensor w1Bias;                   //!< [G]
    at::Tensor w2;                       //!< [H + 2G x G] of w2.w, w3.w and w4.w
    at::Tensor w2Input;                  //!< [G x H] of w2.w
    at::Tensor w2Bias;                   //!< [G]
    at::Tensor w5;                       //!< [G x G]
    at::Tensor w5Bias;                   //!< [G]
    std::vector<DcnTorchSageLayer> sage; //!< in place of w1 to w5
    DcnTorchCell flowUpdate;             //!< gru_uf
    DcnTorchCell linkUpdate;             //!< gru_ul
    DcnTorchHead fct;                    //!< head of slowdowns
};

} // namespace ns3

#endif /* DCN_TORCH_GRAPH_WEIGHTS_H */

/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef M4_PUBLISHED_MODULE_H
#define M4_PUBLISHED_MODULE_H

#include "m4-torch-module.h"

#include <cstdint>
#include <memory>
#include <torch/nn/modules/normalization.h>
#include <torch/nn/modules/rnn.h>
#include <vector>

namespace ns3
{

/**
 * @ingroup m4
 * @brief A layer of GraphSAGE (Hamilton et al. 2017) with sums over neighbours, and LayerNorm.
 *
 * With v the rows of flows and links together, and N(i) the rows that have an edge with row i:
 *
 *     p = relu(v project.w' + project.b),  s_i = sum over the rows j of N(i) of p_j
 *     out = LayerNorm(s sum.w' + sum.b + v own.w')
 */
class M4SageLayer : public torch::nn::Module
{
  public:
    /**
     * @param inputs columns of v
     * @param outputs columns of the result
     */
    M4SageLayer(int64_t inputs, int64_t outputs);

    /**
     * @param rows v, flows first [n + m x inputs]
     * @param from by direction of an edge: row that sends
     * @param to by direction of an edge: row that receives
     * @return [n + m x outputs]
     */
    torch::Tensor Run(const torch::Tensor& rows,
                      const torch::Tensor& from,
                      const torch::Tensor& to);

  private:
    torch::nn::Linear m_project; //!< project
    torch::nn::Linear m_sum;     //!< sum
    torch::nn::Linear m_own;     //!< own
    torch::nn::LayerNorm m_norm; //!< norm
};

/**
 * @ingroup m4
 * @brief The published network in LibTorch (m4, sections 3.2 to 3.4 and 4), with
 * M4PublishedFeatures.
 *
 *     flow: state at its start (1, 0, log2(1 + KB), links, 0, ...);  link: (0, 1, 1, 0, ...)
 *     hf = GRU_tf(elapsed, HF),  hl = GRU_tl(elapsed, HL)   time passes, where elapsed > 0
 *     v  = three layers of GraphSAGE on [hf; hl], of widths H, G, G, H
 *     HF = GRU_uf([v, configuration], hf),  HL = GRU_ul(v, hl)
 *     slowdown = mlp_fct([HF, links, configuration]),  at least 1 in use
 *     remaining = mlp_left(hf),  from 0 to 1 in use
 *     (bytes in the queue)^(1/3) = mlp_queue(hl),  at least 0 in use
 *
 * Errors are |slowdown / true slowdown - 1| and |a - b| of remaining fractions and of cube roots.
 * The released code has dropout in heads; the paper does not mention it, so there is none here.
 */
class M4PublishedModule : public M4TorchModule
{
  public:
    static constexpr int64_t LAYERS = 3; //!< of GraphSAGE

    /**
     * @param hidden H
     * @param messageWidth G
     * @param headWidth width of the hidden layers of heads
     */
    M4PublishedModule(int64_t hidden, int64_t messageWidth, int64_t headWidth);

    Tensor EncodeFlows(const Tensor& features) override;
    Tensor EncodeLinks(const Tensor& features) override;
    Tensor StartFlows(const Tensor& inputs) override;
    Tensor StartLinks(const Tensor& inputs) override;
    Tensor PassFlows(const Tensor& inputs, const Tensor& states) override;
    Tensor PassLinks(const Tensor& inputs, const Tensor& states) override;
    void Exchange(const Tensor& flowInputs,
                  const Tensor& linkInputs,
                  const M4TorchEdges& edges,
                  Tensor& flows,
                  Tensor& links) override;
    Tensor GetRemaining(const Tensor& inputs, const Tensor& flows, const Tensor& fluid) override;
    Tensor GetQueue(const Tensor& inputs, const Tensor& links) override;
    Tensor GetSlowdown(const Tensor& inputs, const Tensor& flows, const Tensor& fluid) override;
    Tensor GetSlowdownError(const Tensor& slowdown, const Tensor& target) override;
    Tensor GetQueueError(const Tensor& queue, const Tensor& target) override;
    Tensor ToLogSlowdown(const Tensor& slowdown) override;
    Tensor ToLogQueue(const Tensor& queue) override;

  private:
    int64_t m_hidden;                                 //!< H
    torch::nn::GRUCell m_flowTime;                    //!< GRU_tf
    torch::nn::GRUCell m_linkTime;                    //!< GRU_tl
    std::vector<std::shared_ptr<M4SageLayer>> m_sage; //!< sage1, sage2, sage3
    torch::nn::GRUCell m_flowUpdate;                  //!< GRU_uf
    torch::nn::GRUCell m_linkUpdate;                  //!< GRU_ul
    std::shared_ptr<M4TorchHead> m_fct;               //!< mlp_fct
    std::shared_ptr<M4TorchHead> m_remaining;         //!< mlp_left
    std::shared_ptr<M4TorchHead> m_queue;             //!< mlp_queue
};

} // namespace ns3

#endif /* M4_PUBLISHED_MODULE_H */

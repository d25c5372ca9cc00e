/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef M4_DEFAULT_MODULE_H
#define M4_DEFAULT_MODULE_H

#include "m4-torch-module.h"

#include <cstdint>
#include <memory>
#include <torch/nn/modules/rnn.h>

namespace ns3
{

/**
 * @ingroup m4
 * @brief The default network in LibTorch; M4DefaultNetwork has the equations.
 */
class M4DefaultModule : public M4TorchModule
{
  public:
    /**
     * @param flowFeatures columns of the features of flows
     * @param linkFeatures columns of the features of links
     * @param hidden H
     */
    M4DefaultModule(int64_t flowFeatures, int64_t linkFeatures, int64_t hidden);

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
    Tensor GetSpread(const Tensor& inputs,
                     const Tensor& flows,
                     const Tensor& logSlowdown) override;
    Tensor GetSlowdownError(const Tensor& slowdown, const Tensor& target) override;
    Tensor GetQueueError(const Tensor& queue, const Tensor& target) override;
    Tensor ToLogSlowdown(const Tensor& slowdown) override;
    Tensor ToLogQueue(const Tensor& queue) override;

  private:
    torch::nn::Linear m_flowInput;            //!< x
    torch::nn::Linear m_linkInput;            //!< y
    torch::nn::GRUCell m_flowTime;            //!< GRU_tf
    torch::nn::GRUCell m_linkTime;            //!< GRU_tl
    torch::nn::Linear m_flowMessage;          //!< w1
    torch::nn::Linear m_linkOwn;              //!< w2
    torch::nn::Linear m_linkSum;              //!< w3
    torch::nn::Linear m_linkMean;             //!< w4
    torch::nn::Linear m_linkMessage;          //!< w5
    torch::nn::GRUCell m_flowUpdate;          //!< GRU_uf
    torch::nn::GRUCell m_linkUpdate;          //!< GRU_ul
    std::shared_ptr<M4TorchHead> m_fct;       //!< mlp_fct
    std::shared_ptr<M4TorchHead> m_remaining; //!< mlp_left
    std::shared_ptr<M4TorchHead> m_queue;     //!< mlp_queue
    std::shared_ptr<M4TorchHead> m_spread;    //!< mlp_spread
};

} // namespace ns3

#endif /* M4_DEFAULT_MODULE_H */

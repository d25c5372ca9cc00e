/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef M4_TORCH_RUNNER_H
#define M4_TORCH_RUNNER_H

#include "../model/network/m4-torch-model.h"
#include "dcn-torch-module-trainer.h"
#include "m4-torch-module.h"

#include <cstdint>
#include <memory>
#include <vector>

namespace ns3
{

/**
 * @ingroup m4
 * @brief Runs the steps of a chunk through either network, and keeps the states.
 *
 * Values that depend on no state (inputs) or that the next step does not need (heads, losses) are
 * computed for all steps of a chunk at once. A table holds the states of a chunk; steps read and
 * overwrite it in place, and automatic differentiation follows.
 */
class M4TorchRunner : public M4TorchModel
{
  public:
    /**
     * @param module the network
     * @param sizes of the network
     * @param device where it computes (DcnTorchModuleTrainer::Begin)
     * @param options of the training
     */
    M4TorchRunner(std::shared_ptr<M4TorchModule> module,
                  const M4NetworkSizes& sizes,
                  torch::Device device,
                  const Options& options);

    DcnTorchTrainer& GetTrainer() override;
    void Begin() override;
    M4TorchLosses Train(const M4TorchChunk& chunk, double learningRate) override;
    M4TorchPredictions Predict(const M4TorchChunk& chunk) override;
    M4TorchPredictions Query(const M4TorchChunk& chunk) override;

  private:
    using Tensor = torch::Tensor; //!< for short

    /// Flows or links of a chunk. Tensors of all steps are split by step.
    struct Side
    {
        Tensor rows;                //!< row of all states, by row of the table
        Tensor table;               //!< states [different rows x H], overwritten step by step
        std::vector<Tensor> index;  //!< by step: rows of the table [n]
        std::vector<Tensor> keep;   //!< by step: 0 for new rows, else 1 [n x 1]
        std::vector<Tensor> start;  //!< by step: initial states of new rows, else 0; may be empty
        Tensor inputs;              //!< of the network, all steps
        std::vector<Tensor> input;  //!< of the network, by step
        std::vector<Tensor> before; //!< by step: states just before the event
        std::vector<Tensor> after;  //!< by step: states after the event

        /// Returns the states of a step.
        Tensor Read(std::size_t step) const;
        /// Overwrites the states of a step.
        void Write(std::size_t step, const Tensor& states);
    };

    /// Outputs of the network for all rows of a chunk.
    struct Outputs
    {
        Tensor slowdown;  //!< in the unit of the loss
        Tensor remaining; //!< fraction
        Tensor queue;     //!< in the unit of the loss
        Tensor spread;    //!< quantiles of M4Spread [n x N]; may be undefined
    };

    /// Makes a tensor of numbers.
    Tensor Copy(const std::vector<float>& numbers, int64_t columns = 0) const;
    /// Makes a tensor of numbers.
    Tensor Copy(const std::vector<int64_t>& numbers) const;
    /// Collects the states that a chunk uses; more states begin as zeros.
    Side MakeSide(const std::vector<int64_t>& states,
                  const std::vector<float>& isNew,
                  const std::vector<int64_t>& lengths,
                  const Tensor& inputs,
                  const Tensor& start,
                  Tensor& all) const;
    /// Runs all steps.
    Outputs Run(const M4TorchChunk& chunk, bool keepStates);
    /// Returns predictions.
    M4TorchPredictions Convert(const Outputs& outputs);

    std::shared_ptr<M4TorchModule> m_module; //!< the network
    M4NetworkSizes m_sizes;                  //!< of the network
    torch::Device m_device;                  //!< where it computes
    Options m_options;                       //!< of the training
    DcnTorchModuleTrainer m_trainer;         //!< weights and optimiser
    Tensor m_flowStates;                     //!< by row of states
    Tensor m_linkStates;                     //!< by row of states
};

} // namespace ns3

#endif /* M4_TORCH_RUNNER_H */

/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef DCN_TORCH_TEST_PLUGIN_H
#define DCN_TORCH_TEST_PLUGIN_H

#include "ns3/dcn-torch-trainer.h"

#include <cstdint>
#include <memory>
#include <vector>

/**
 * @ingroup dcn-torch-tests
 * @brief Linear regression y = a W + b with INPUTS inputs and OUTPUTS outputs.
 */
class DcnTorchTestNetwork
{
  public:
    static constexpr uint32_t INPUTS = 3;  //!< of the layer
    static constexpr uint32_t OUTPUTS = 2; //!< of the layer

    virtual ~DcnTorchTestNetwork() = default;
    /** @return the weights. */
    virtual ns3::DcnTorchTrainer& GetTrainer() = 0;
    /**
     * @brief Make a step of the loss sum of (y - target)^2.
     * @param input [INPUTS]
     * @param target [OUTPUTS]
     * @param learningRate of the step
     * @return norm of the gradient
     */
    virtual double Train(const std::vector<float>& input,
                         const std::vector<float>& target,
                         double learningRate) = 0;
    /**
     * @param n how many
     * @return random numbers as the next step's dropout draws them
     */
    virtual std::vector<float> Draw(uint32_t n) = 0;
};

/**
 * @ingroup dcn-torch-tests
 * @brief Creates networks of the class above.
 */
class DcnTorchTestFactory : public ns3::DcnTorchPlugin
{
  public:
    static constexpr uint32_t VERSION = 1; //!< of this interface
    /**
     * @param options of the training
     * @return a network
     */
    virtual std::unique_ptr<DcnTorchTestNetwork> Make(
        const ns3::DcnTorchOptimizerOptions& options) = 0;
};

#endif /* DCN_TORCH_TEST_PLUGIN_H */

/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef DCN_TORCH_MODULE_TRAINER_H
#define DCN_TORCH_MODULE_TRAINER_H

#include "ns3/dcn-torch-trainer.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <torch/nn/module.h>
#include <torch/optim/adamw.h>
#include <torch/version.h>
#include <vector>

namespace ns3
{

/**
 * @ingroup dcn-torch
 * @brief Trains a torch::nn::Module: AdamW with weight decay of matrices only, clipping of the
 * gradient, and an exponential moving average of the weights.
 *
 * Names in the model file are those of torch, except for the last part: weight is w, bias is b,
 * other parts such as gain are kept ("block0.qkv.weight" is "block0.qkv.w", "gru.weight_ih" is
 * "gru.w_ih"). The order is that of torch::nn::Module::named_parameters.
 */
class DcnTorchModuleTrainer : public DcnTorchTrainer
{
  public:
    /// Returns true if weight decay applies to the parameter of a name in torch.
    using Decays = std::function<bool(const std::string&, const torch::Tensor&)>;

    /**
     * @brief Seed torch and choose the device; call it before the module is created.
     * @param options of the training
     * @return the device, to which the caller moves the module with to()
     * @throws std::runtime_error if LibTorch cannot compute on the device
     */
    static torch::Device Begin(const DcnTorchOptimizerOptions& options);

    /**
     * @param module the network, on its device
     * @param options of the training
     * @param decays returns true for parameters with weight decay; by default those with at least
     * two dimensions
     */
    DcnTorchModuleTrainer(std::shared_ptr<torch::nn::Module> module,
                          const DcnTorchOptimizerOptions& options,
                          const Decays& decays = nullptr);

    /**
     * @brief Seed the random numbers of the next step, e.g. of dropout, by seed and number of
     * steps, so that a resumed training draws the same numbers.
     */
    void SeedStep() const;

    /**
     * @brief Compute the gradient, clip it, and make a step of AdamW.
     * @param loss a number with a graph
     * @param learningRate learning rate of the step
     * @return norm of the gradient before clipping. If the norm or the loss is not finite, the
     * weights do not change.
     */
    double Step(const torch::Tensor& loss, double learningRate);

    /** @return device of the weights. */
    torch::Device GetDevice() const;

    std::vector<Tensor> GetTensors() const override;
    std::vector<float> GetWeights() const override;
    std::vector<float> GetGradient() const override;
    std::vector<float> GetAverage() const override;
    void SetWeights(const std::vector<float>& weights) override;
    State GetState() const override;
    void SetState(const State& state) override;

  private:
    using Tensors = std::vector<torch::Tensor>; //!< by parameter

    /// Returns the numbers of all tensors, one after the other.
    static std::vector<float> Pack(const Tensors& tensors);
    /// Copies numbers into tensors.
    static void Unpack(const std::vector<float>& numbers, const Tensors& tensors);
    /// Returns the state of a parameter, created if missing.
    torch::optim::AdamWParamState& GetParameterState(const torch::Tensor& parameter) const;

    std::shared_ptr<torch::nn::Module> m_module; //!< the network
    DcnTorchOptimizerOptions m_options;          //!< of the training
    std::vector<std::string> m_names;            //!< of the parameters in the model file
    Tensors m_parameters;                        //!< in order
    Tensors m_average;                           //!< average of the parameters; empty: no averaging
    std::unique_ptr<torch::optim::AdamW> m_optimizer; //!< of the parameters
    uint64_t m_nSteps{0};                             //!< steps made
};

/**
 * @ingroup dcn-torch
 * @brief Common part of the factories of all plug-ins.
 * @tparam Plugin interface of the module, derived from DcnTorchPlugin
 */
template <typename Plugin>
class DcnTorchPluginBase : public Plugin
{
  public:
    std::string GetTorchVersion() const override
    {
        return TORCH_VERSION;
    }
};

/**
 * @ingroup dcn-torch
 * @brief Limit LibTorch and OpenBLAS to one thread and to deterministic algorithms.
 */
void DcnTorchPrepare();

/// Defines the symbol that a plug-in exports: a factory of this class (DcnTorchPluginBase).
#define DCN_TORCH_PLUGIN(Factory)                                                                  \
    ns3::DcnTorchPlugin* DcnGetTorchPlugin(uint32_t baseVersion, uint32_t version)                 \
    {                                                                                              \
        static Factory factory;                                                                    \
        if (baseVersion != ns3::DcnTorchPlugin::BASE_VERSION || version != Factory::VERSION)       \
        {                                                                                          \
            return nullptr;                                                                        \
        }                                                                                          \
        ns3::DcnTorchPrepare();                                                                    \
        return &factory;                                                                           \
    }

} // namespace ns3

#endif /* DCN_TORCH_MODULE_TRAINER_H */

/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "dcn-torch-test-plugin.h"

#include "dcn-torch-module-trainer.h"

#include <torch/nn/modules/linear.h>

namespace
{

using namespace ns3;

/// The network.
class Module : public torch::nn::Module
{
  public:
    Module()
        : layer(register_module(
              "layer",
              torch::nn::Linear(DcnTorchTestNetwork::INPUTS, DcnTorchTestNetwork::OUTPUTS)))
    {
    }

    torch::nn::Linear layer; //!< the layer
};

/// See DcnTorchTestNetwork.
class Network : public DcnTorchTestNetwork
{
  public:
    /// See DcnTorchTestFactory::Make.
    explicit Network(const DcnTorchOptimizerOptions& options)
        : m_device(DcnTorchModuleTrainer::Begin(options)),
          m_module(std::make_shared<Module>()),
          m_trainer(m_module, options)
    {
    }

    DcnTorchTrainer& GetTrainer() override
    {
        return m_trainer;
    }

    double Train(const std::vector<float>& input,
                 const std::vector<float>& target,
                 double learningRate) override
    {
        const auto y = m_module->layer(torch::tensor(input));
        return m_trainer.Step((y - torch::tensor(target)).square().sum(), learningRate);
    }

    std::vector<float> Draw(uint32_t n) override
    {
        m_trainer.SeedStep();
        const auto numbers = torch::rand({n});
        return {numbers.data_ptr<float>(), numbers.data_ptr<float>() + n};
    }

  private:
    torch::Device m_device;           //!< where it computes
    std::shared_ptr<Module> m_module; //!< the layer
    DcnTorchModuleTrainer m_trainer;  //!< its trainer
};

/// See DcnTorchTestFactory.
class Factory : public DcnTorchPluginBase<DcnTorchTestFactory>
{
  public:
    std::unique_ptr<DcnTorchTestNetwork> Make(const DcnTorchOptimizerOptions& options) override
    {
        return std::make_unique<Network>(options);
    }
};

} // namespace

DCN_TORCH_PLUGIN(Factory)

/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "dcn-torch-module-trainer.h"
#include "m4-default-module.h"
#include "m4-published-module.h"
#include "m4-torch-runner.h"

namespace
{

using namespace ns3;

/// See M4TorchPlugin.
class Factory : public DcnTorchPluginBase<M4TorchPlugin>
{
  public:
    std::unique_ptr<M4TorchModel> Make(const M4NetworkSizes& sizes,
                                       const M4TorchModel::Options& options) override
    {
        const torch::Device device = DcnTorchModuleTrainer::Begin(options);
        std::shared_ptr<M4TorchModule> module;
        if (sizes.isPublished)
        {
            module = std::make_shared<M4PublishedModule>(sizes.hidden,
                                                         sizes.messageWidth,
                                                         sizes.headWidth);
        }
        else
        {
            module = std::make_shared<M4DefaultModule>(sizes.nFlowFeatures,
                                                       sizes.nLinkFeatures,
                                                       sizes.hidden);
        }
        module->to(device);
        return std::make_unique<M4TorchRunner>(module, sizes, device, options);
    }
};

} // namespace

DCN_TORCH_PLUGIN(Factory)

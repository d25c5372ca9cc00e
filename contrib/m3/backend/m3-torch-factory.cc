/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "dcn-torch-module-trainer.h"
#include "m3-default-module.h"
#include "m3-published-module.h"

namespace
{

using namespace ns3;

/// See M3TorchFactory.
class Factory : public DcnTorchPluginBase<M3TorchFactory>
{
  public:
    std::unique_ptr<M3TorchNetwork> MakeDefault(const M3NetworkShape& shape,
                                                const std::vector<double>& levels,
                                                const DcnTorchOptimizerOptions& options) override
    {
        return M3MakeDefaultModule(shape, levels, options);
    }

    std::unique_ptr<M3TorchNetwork> MakePublished(const M3NetworkShape& shape,
                                                  const DcnTorchOptimizerOptions& options) override
    {
        return M3MakePublishedModule(shape, options);
    }
};

} // namespace

DCN_TORCH_PLUGIN(Factory)

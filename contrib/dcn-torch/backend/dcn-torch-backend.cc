/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "../model/dcn-torch-backend.h"

#include "dcn-torch-graph-backend.h"
#include "dcn-torch-module-trainer.h"
#include "dcn-torch-set-backend.h"

namespace ns3
{

namespace
{

/// See DcnTorchBackend.
class Backend : public DcnTorchPluginBase<DcnTorchBackend>
{
  public:
    std::unique_ptr<DcnTorchGraphTrainer> MakeGraph(
        const std::vector<DcnTorchParameter>& parameters,
        const DcnTorchGraphNetwork::Sizes& sizes,
        const DcnTorchGraphNetwork::Options& options) override
    {
        return DcnMakeTorchGraphTrainer(parameters, sizes, options);
    }

    std::unique_ptr<DcnTorchSetTrainer> MakeSet(const std::vector<DcnTorchParameter>& parameters,
                                                const DcnTorchSetNetwork::Sizes& sizes,
                                                const DcnTorchSetNetwork::Options& options) override
    {
        return DcnMakeTorchSetTrainer(parameters, sizes, options);
    }
};

} // namespace

} // namespace ns3

DCN_TORCH_PLUGIN(ns3::Backend)

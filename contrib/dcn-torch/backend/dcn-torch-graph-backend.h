/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef DCN_TORCH_GRAPH_BACKEND_H
#define DCN_TORCH_GRAPH_BACKEND_H

#include "../model/dcn-torch-backend.h"

#include <memory>
#include <vector>

namespace ns3
{

/// See DcnTorchBackend::MakeGraph; the parameters are the same.
std::unique_ptr<DcnTorchGraphTrainer> DcnMakeTorchGraphTrainer(
    const std::vector<DcnTorchParameter>& parameters,
    const DcnTorchGraphNetwork::Sizes& sizes,
    const DcnTorchGraphNetwork::Options& options);

} // namespace ns3

#endif /* DCN_TORCH_GRAPH_BACKEND_H */

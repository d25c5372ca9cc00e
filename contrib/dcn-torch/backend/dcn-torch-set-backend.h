/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef DCN_TORCH_SET_BACKEND_H
#define DCN_TORCH_SET_BACKEND_H

#include "../model/dcn-torch-backend.h"

#include <memory>
#include <vector>

namespace ns3
{

/// See DcnTorchBackend::MakeSet; the parameters are the same.
std::unique_ptr<DcnTorchSetTrainer> DcnMakeTorchSetTrainer(
    const std::vector<DcnTorchParameter>& parameters,
    const DcnTorchSetNetwork::Sizes& sizes,
    const DcnTorchSetNetwork::Options& options);

} // namespace ns3

#endif /* DCN_TORCH_SET_BACKEND_H */

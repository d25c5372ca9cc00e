/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef M3_PUBLISHED_MODULE_H
#define M3_PUBLISHED_MODULE_H

#include "ns3/m3-torch-network.h"

#include <memory>

namespace ns3
{

/**
 * @ingroup m3
 * @brief See M3TorchFactory::MakePublished.
 * @param shape of the network
 * @param options of the training
 * @return the network
 */
std::unique_ptr<M3TorchNetwork> M3MakePublishedModule(const M3NetworkShape& shape,
                                                      const DcnTorchOptimizerOptions& options);

} // namespace ns3

#endif /* M3_PUBLISHED_MODULE_H */

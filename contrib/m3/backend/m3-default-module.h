/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef M3_DEFAULT_MODULE_H
#define M3_DEFAULT_MODULE_H

#include "ns3/m3-torch-network.h"

#include <memory>
#include <vector>

namespace ns3
{

/**
 * @ingroup m3
 * @brief See M3TorchFactory::MakeDefault.
 * @param shape of the network
 * @param levels [K] of the knots
 * @param options of the training
 * @return the network
 */
std::unique_ptr<M3TorchNetwork> M3MakeDefaultModule(const M3NetworkShape& shape,
                                                    const std::vector<double>& levels,
                                                    const DcnTorchOptimizerOptions& options);

} // namespace ns3

#endif /* M3_DEFAULT_MODULE_H */

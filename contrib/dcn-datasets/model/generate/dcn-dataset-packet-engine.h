/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef DCN_DATASET_PACKET_ENGINE_H
#define DCN_DATASET_PACKET_ENGINE_H

#include "dcn-dataset-engine.h"

#include <cstdint>

namespace ns3
{

/**
 * @ingroup dcn-dataset
 * @brief Engine "packet": DcnPacketNetwork.
 */
class DcnDatasetPacketEngine : public DcnDatasetEngine
{
  public:
    /**
     * @param name "packet"
     * @throws DcnError if it has attributes, which are those of ns3::DcnPacketNetwork
     */
    explicit DcnDatasetPacketEngine(const std::string& name);

    std::string GetDigest() const override;
    void Check(const DcnDatasetRecipe& recipe) const override;
    uint64_t Simulate(Ptr<const DcnScenario> scenario,
                      uint64_t seed,
                      Ptr<DcnCollector> collector) const override;
};

} // namespace ns3

#endif /* DCN_DATASET_PACKET_ENGINE_H */

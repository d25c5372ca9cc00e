/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef DCN_TCP_DATASET_ENGINE_H
#define DCN_TCP_DATASET_ENGINE_H

#include "../model/dcn-tcp-estimator.h"

#include "ns3/dcn-dataset-engine.h"

#include <cstdint>

namespace ns3
{

/**
 * @ingroup dcn-tcp
 * @brief Engine "tcp" of data sets: DcnTcpEstimator with its attributes, as in
 * "tcp:Transport=ns3::TcpCubic".
 */
class DcnTcpDatasetEngine : public DcnDatasetEngine
{
  public:
    /**
     * @param name of the method "tcp" with attributes
     * @throws DcnError if it has no such attributes
     */
    explicit DcnTcpDatasetEngine(const std::string& name);

    std::string GetDigest() const override;
    /**
     * @copydoc DcnDatasetEngine::Check
     * The rule cc must have one value: all samples have the same transport.
     */
    void Check(const DcnDatasetRecipe& recipe) const override;
    uint64_t Simulate(Ptr<const DcnScenario> scenario,
                      uint64_t seed,
                      Ptr<DcnCollector> collector) const override;

  private:
    Ptr<DcnTcpEstimator> m_estimator; //!< simulates
};

} // namespace ns3

#endif /* DCN_TCP_DATASET_ENGINE_H */

/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef M4_ESTIMATOR_H
#define M4_ESTIMATOR_H

#include "ns3/dcn-estimator.h"

#include <cstdint>
#include <string>

namespace ns3
{

/**
 * @ingroup m4
 * @brief Method "m4": learned flow-level simulation (M4Session) of a scenario.
 *
 * Attributes:
 * - Model: folder of the trained model; empty: the one in data/models/m4;
 * - InFlightPerRack: closed loop (DcnClosedLoop); completion times then count from the release.
 */
class M4Estimator : public DcnEstimator
{
  public:
    /**
     * @brief Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();
    std::string GetName() const override;

  private:
    void DoEstimate(Ptr<const DcnScenario> scenario, DcnEstimate& estimate) override;

    std::string m_model;         //!< see Model
    uint32_t m_inFlightPerRack;  //!< see InFlightPerRack
};

} // namespace ns3

#endif /* M4_ESTIMATOR_H */

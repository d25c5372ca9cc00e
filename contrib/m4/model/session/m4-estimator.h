/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef M4_ESTIMATOR_H
#define M4_ESTIMATOR_H

#include "ns3/dcn-estimator.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup m4
 * @brief Method "m4": flow-level simulation of a scenario with learned completion times
 * (M4Session).
 *
 * Attributes (also on the command line, as in --methods=m4:Model=results/m4):
 * - Model: folder of the model that m4-train has written, or name of a folder in data/models; by
 *   default m4;
 * - InFlightPerRack: closed loop (DcnClosedLoop) with DcnEstimate::releaseNs.
 *
 * What is not as in the model's training is named on standard error (DcnRangeMonitor).
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
    std::vector<std::string> GetInputFiles() const override;
    double ForecastSeconds(const DcnWork& work) const override;

  private:
    void DoEstimate(Ptr<const DcnScenario> scenario, DcnEstimate& estimate) override;
    void DoCheck(Ptr<const DcnScenario> scenario) const override;

    std::string m_model;        //!< attribute; empty: data/models/m4
    bool m_hasSpread;           //!< attribute Spread
    uint32_t m_inFlightPerRack; //!< attribute, 0: open loop
};

} // namespace ns3

#endif /* M4_ESTIMATOR_H */

/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef M4_RANGE_FEATURES_H
#define M4_RANGE_FEATURES_H

#include "../state/m4-features.h"

#include "ns3/dcn-network-config.h"
#include "ns3/dcn-scenario.h"
#include "ns3/dcn-trained-ranges.h"

#include <vector>

namespace ns3
{

/**
 * @ingroup m4
 * @brief Quantities by which a flow and its network can differ from those of the training
 * (DcnTrainedRanges).
 *
 * These are the static M4Features, as ratios; the rates and round-trip times by which these are
 * divided; and the unmodelled keys of the configuration (DcnUnmodelledKeys), rates as ratios to the
 * sender's rate. The tolerance is 5 %.
 */
class M4RangeFeatures
{
  public:
    /**
     * @param network the configuration, which must outlive this
     */
    explicit M4RangeFeatures(const DcnNetworkParameters& network);

    /** @return names and tolerances of the quantities. */
    static const DcnTrainedRanges::Quantities& GetQuantities();

    /**
     * @brief Widen ranges to the flows of a scenario.
     * @param scenario of the training
     * @param ranges of GetQuantities
     */
    static void Learn(const DcnScenario& scenario, DcnTrainedRanges& ranges);

    /** @return unmodelled keys but rates, which need a flow; all other quantities are absent. */
    DcnTrainedRanges::Conditions Describe() const;

    /**
     * @param nLinks links of a flow's path
     * @param flow constants of the flow
     * @return all quantities
     */
    DcnTrainedRanges::Conditions Describe(std::size_t nLinks, const M4FlowConstants& flow) const;

  private:
    const DcnNetworkParameters& m_network; //!< the configuration
    std::vector<double> m_unmodelled;      //!< DcnUnmodelledKeys::GetValues
};

} // namespace ns3

#endif /* M4_RANGE_FEATURES_H */

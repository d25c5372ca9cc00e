/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef MQL_HELPER_H
#define MQL_HELPER_H

#include "ns3/dcn-estimator-helper.h"

namespace ns3
{

/**
 * @ingroup mql
 * @brief Estimates of flows by a queueing network with a learned correction.
 *
 * Attributes: MqlEstimator. MqlReport has latencies per queue.
 */
class MqlHelper : public DcnEstimatorHelper
{
  public:
    MqlHelper()
        : DcnEstimatorHelper("mql")
    {
    }
};

} // namespace ns3

#endif /* MQL_HELPER_H */

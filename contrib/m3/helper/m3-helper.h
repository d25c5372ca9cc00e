/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef M3_HELPER_H
#define M3_HELPER_H

#include "ns3/dcn-estimator-helper.h"

namespace ns3
{

/**
 * @ingroup m3
 * @brief Slowdown distributions by m3.
 *
 * Attributes: M3Estimator. The answer has samples and no completion time of single flows.
 */
class M3Helper : public DcnEstimatorHelper
{
  public:
    M3Helper()
        : DcnEstimatorHelper("m3")
    {
    }
};

} // namespace ns3

#endif /* M3_HELPER_H */

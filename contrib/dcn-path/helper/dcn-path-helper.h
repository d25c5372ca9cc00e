/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef DCN_PATH_HELPER_H
#define DCN_PATH_HELPER_H

#include "ns3/dcn-estimator-helper.h"

namespace ns3
{

/**
 * @ingroup dcn-path
 * @brief Estimates by packets on sampled paths with their cross traffic.
 *
 * Attributes: DcnPathEstimator.
 */
class DcnPathHelper : public DcnEstimatorHelper
{
  public:
    DcnPathHelper()
        : DcnEstimatorHelper("ns3-path")
    {
    }
};

} // namespace ns3

#endif /* DCN_PATH_HELPER_H */

/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef PARSIMON_HELPER_H
#define PARSIMON_HELPER_H

#include "ns3/dcn-estimator-helper.h"

namespace ns3
{

/**
 * @ingroup parsimon
 * @brief Estimates of flows by link decomposition.
 *
 * Attributes: ParsimonEstimator.
 */
class ParsimonHelper : public DcnEstimatorHelper
{
  public:
    ParsimonHelper()
        : DcnEstimatorHelper("parsimon")
    {
    }
};

} // namespace ns3

#endif /* PARSIMON_HELPER_H */

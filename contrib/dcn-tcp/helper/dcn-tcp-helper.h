/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef DCN_TCP_HELPER_H
#define DCN_TCP_HELPER_H

#include "ns3/dcn-estimator-helper.h"

namespace ns3
{

/**
 * @ingroup dcn-tcp
 * @brief Estimates by ns-3's own TCP, in a process of its own.
 *
 * Attributes: DcnTcpEstimator.
 */
class DcnTcpHelper : public DcnEstimatorHelper
{
  public:
    DcnTcpHelper()
        : DcnEstimatorHelper("tcp")
    {
    }
};

} // namespace ns3

#endif /* DCN_TCP_HELPER_H */

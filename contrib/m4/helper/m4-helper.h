/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef M4_HELPER_H
#define M4_HELPER_H

#include "ns3/dcn-estimator-helper.h"

namespace ns3
{

/**
 * @ingroup m4
 * @brief Estimates of flows by m4, or a network that answers as m4 does.
 *
 * Attributes: M4Estimator. Install makes an M4FlowNetwork.
 */
class M4Helper : public DcnNetworkMethodHelper
{
  public:
    M4Helper()
        : DcnNetworkMethodHelper("m4")
    {
    }
};

} // namespace ns3

#endif /* M4_HELPER_H */

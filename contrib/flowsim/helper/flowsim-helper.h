/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef FLOWSIM_HELPER_H
#define FLOWSIM_HELPER_H

#include "ns3/dcn-estimator-helper.h"

namespace ns3
{

/**
 * @ingroup flowsim
 * @brief Max-min fluid estimates of ns-3 nodes, or a fluid network on them.
 *
 *     FlowsimHelper flowsim;
 *     DcnEstimate answer = flowsim.Estimate(nodes); // flows of the installed applications
 *
 * Attributes: FlowsimEstimator. Install makes a FlowsimNetwork.
 */
class FlowsimHelper : public DcnNetworkMethodHelper
{
  public:
    FlowsimHelper()
        : DcnNetworkMethodHelper("flowsim")
    {
    }
};

} // namespace ns3

#endif /* FLOWSIM_HELPER_H */

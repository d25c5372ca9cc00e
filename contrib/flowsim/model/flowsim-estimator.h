/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef FLOWSIM_ESTIMATOR_H
#define FLOWSIM_ESTIMATOR_H

#include "ns3/dcn-estimator.h"

namespace ns3
{

/**
 * @ingroup flowsim
 * @brief Method "flowsim": max-min fair fluid simulation (FlowsimEngine) of a scenario.
 *
 * A flow of size s with n packets is a fluid of B = 8 (s + n H) bits, H the 48 header bytes of a
 * packet, that crosses the links of its path at wire rates. If D is the time that the fluid takes
 * and b the bottleneck rate at which it would flow alone (DcnIdealFct), the completion time is
 *
 *     FCT = ideal FCT + (D - B / b),
 *
 * the unloaded completion time plus the delay by sharing. A flow alone thus has slowdown exactly 1.
 * Senders' largest rate caps a flow where it is below the path's bottleneck. There are no queues,
 * no windows and no congestion control: what is left to the other methods.
 */
class FlowsimEstimator : public DcnEstimator
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
};

} // namespace ns3

#endif /* FLOWSIM_ESTIMATOR_H */

/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef FLOWSIM_ESTIMATOR_H
#define FLOWSIM_ESTIMATOR_H

#include "flowsim-fluid-model.h"

#include "ns3/dcn-estimator.h"

#include <functional>

namespace ns3
{

/**
 * @ingroup flowsim
 * @brief Method "flowsim": max-min fluid simulation (FlowsimEngine) of a scenario.
 *
 * What a flow is as a fluid, and how the completion time follows from its time of service, is
 * defined by FlowsimFluidModel: the unloaded completion time plus the delay by sharing. There are
 * no queues and no congestion control: what is left to the other methods.
 *
 * Attributes (also on the command line, as in --methods=flowsim:WindowCap=true):
 * - WindowCap: a flow is no faster than one window per base round-trip time;
 * - LinkEfficiency: part of every link's rate that flows can have.
 */
class FlowsimEstimator : public DcnEstimator
{
  public:
    /// Says which weight a flow has in the allocation.
    using Weight = std::function<double(const DcnFlow&)>;

    /**
     * @brief Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();
    std::string GetName() const override;

    /**
     * @brief Gives flows weights other than 1.
     *
     * Estimate() throws a DcnError for a weight that is not between FlowsimMaxMinSolver::MIN_WEIGHT
     * and FlowsimMaxMinSolver::MAX_WEIGHT.
     * @param weight called once per flow; null: every flow has weight 1
     */
    void SetWeight(Weight weight);

    /// @return events of the latest Estimate(), arrivals plus completions
    uint64_t GetNEvents() const;

    /// @return rate changes of the latest Estimate(), see FlowsimEngine::GetNRateChanges()
    uint64_t GetNRateChanges() const;

  private:
    /**
     * @brief Sets an attribute.
     * @param windowCap see FlowsimOptions
     */
    void SetWindowCap(bool windowCap);

    /**
     * @brief Sets an attribute.
     * @param linkEfficiency see FlowsimOptions
     */
    void SetLinkEfficiency(double linkEfficiency);

    void DoEstimate(Ptr<const DcnScenario> scenario, DcnEstimate& estimate) override;

    FlowsimOptions m_options;   //!< Attributes
    Weight m_weight;            //!< See SetWeight()
    uint64_t m_nEvents{0};      //!< See GetNEvents()
    uint64_t m_nRateChanges{0}; //!< See GetNRateChanges()
};

} // namespace ns3

#endif /* FLOWSIM_ESTIMATOR_H */

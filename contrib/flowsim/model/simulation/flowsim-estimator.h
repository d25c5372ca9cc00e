/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef FLOWSIM_ESTIMATOR_H
#define FLOWSIM_ESTIMATOR_H

#include "flowsim-stream.h"

#include "ns3/dcn-estimator.h"

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace ns3
{

class DcnProgress;

/**
 * @ingroup flowsim
 * @brief Method "flowsim": max-min fluid simulation (FlowsimEngine) of a scenario.
 *
 * FlowsimFluidModel converts flows to fluids, and times of service to completion times: the
 * unloaded completion time plus the delay by sharing. The method has no queues and no congestion
 * control; but where the configuration has a slow start (initial_window_bytes), flows have windows
 * that grow and make queues (FlowsimWindowSimulation), except in closed loops.
 *
 * A flow that meets no other (DcnIdleTime) has its idle time: with the headers of its congestion
 * control at every hop, the waits for its window, and what its control leaves free. All other flows
 * have their times in the fluid.
 *
 * Attributes (also on the command line, as in --methods=flowsim:WindowCap=true):
 * - WindowCap: a flow is no faster than one window per base round-trip time;
 * - LinkEfficiency: part of every link's rate that flows can have;
 * - IdleTimes: whether flows that meet no other have their idle times; without effect in closed
 *   loops, with a LinkEfficiency below 1, and for transports with connections;
 * - InFlightPerRack: closed loop (DcnClosedLoop) with DcnEstimate::releaseNs.
 */
class FlowsimEstimator : public DcnEstimator
{
  public:
    /// Returns the weight of a flow in the allocation.
    using Weight = std::function<double(const DcnFlow&)>;

    /**
     * @brief Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();
    std::string GetName() const override;
    double ForecastSeconds(const DcnWork& work) const override;

    /**
     * @brief Gives flows weights other than 1.
     *
     * Estimate() throws a DcnError for a weight that is not between FlowsimMaxMinSolver::MIN_WEIGHT
     * and FlowsimMaxMinSolver::MAX_WEIGHT.
     * @param weight called once per flow; null: every flow has weight 1
     */
    void SetWeight(Weight weight);

    /**
     * @brief Estimates independent scenarios on several threads; DcnError for closed loops.
     *
     * Completion times are those of Estimate(), whatever the number of threads. The function given
     * to SetWeight() is called on several threads. Wall and processor times are those of the thread
     * that simulated the scenario.
     * @param scenarios the scenarios
     * @param nThreads number of threads; 0: as many as the machine has cores
     * @return an estimate per scenario
     */
    std::vector<DcnEstimate> EstimateAll(const std::vector<Ptr<const DcnScenario>>& scenarios,
                                         uint32_t nThreads = 0) const;

    /// @return what the latest Estimate() did, nothing with a closed loop
    const FlowsimStatistics& GetStatistics() const;

  private:
    /**
     * @brief Simulates a scenario as a fluid.
     * @param scenario the scenario
     * @param fctNs receives the completion time of each flow
     * @param progress informed of completions, or null
     * @return numbers of flows, events and rate changes
     */
    FlowsimStatistics Simulate(const DcnScenario& scenario,
                               std::vector<int64_t>& fctNs,
                               DcnProgress* progress) const;

    /**
     * @brief Gives flows that meet no other their idle times, where the attribute applies.
     * @param scenario the scenario
     * @param fctNs completion times in the fluid
     */
    void SetIdleTimes(const DcnScenario& scenario, std::vector<int64_t>& fctNs) const;

    /// @return how a scenario is simulated, for DcnEstimate::provenance
    std::string Describe(const DcnScenario& scenario) const;

    /// @return the attributes as options of the fluid model
    FlowsimOptions GetOptions() const;

    void DoEstimate(Ptr<const DcnScenario> scenario, DcnEstimate& estimate) override;

    bool m_windowCap;               //!< Attribute
    double m_linkEfficiency;        //!< Attribute
    bool m_idleTimes;               //!< Attribute
    uint32_t m_inFlightPerRack;     //!< Attribute, 0: open loop
    Weight m_weight;                //!< See SetWeight()
    FlowsimStatistics m_statistics; //!< See GetStatistics()
};

} // namespace ns3

#endif /* FLOWSIM_ESTIMATOR_H */

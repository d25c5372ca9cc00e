/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef DCN_PATH_ESTIMATOR_H
#define DCN_PATH_ESTIMATOR_H

#include "dcn-path-pre-estimate.h"
#include "dcn-path-scenario.h"
#include "dcn-path-selection.h"

#include "ns3/dcn-estimator.h"
#include "ns3/nstime.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ns3
{

class DcnPathWindow;

/**
 * @ingroup dcn-path
 * @brief Method "ns3-path": packet simulation of sampled paths (m3, section 2.1).
 *
 * The method draws flows, or paths with all their foreground flows, makes the path-level scenario
 * of each draw (DcnPathScenarioBuilder), and lets the engine simulate it. The slowdowns of the
 * drawn flows become the samples of the estimate, each weighted by the number of flows that it
 * represents. If T and T* are the ideal completion times of a foreground flow in the path-level
 * scenario and in the whole network, and C is its completion time in the path-level scenario, its
 * estimate is C + T* - T.
 *
 * As published: Hosts=Host:Sampling=Replacement:WarmUp=0s:Reverse=false:NPaths=500, with every
 * drawn path simulated from its first flow to its last. By default flows are drawn by the score of
 * a pre-estimate (DcnDrawFlows), and only a window around each is simulated (DcnPathWindow): a flow
 * costs much less, and more draws are in the tail of the distribution. The default also goes one
 * step beyond paths: flows that slow a background flow down elsewhere are simulated, on contended
 * links (DcnPathHosts::CONTENDED).
 *
 * Jobs simulations run in parallel, in processes of their own; the results do not depend on Jobs.
 * Ranks of mpirun share scenarios (DcnTaskFarm), not paths.
 *
 * Attributes (also on the command line, as in --methods=packet,ns3-path:NPaths=200):
 * - NPaths: number of draws; 0: every flow on its path;
 * - Sampling: draw Flows (DcnDrawFlows), or paths: Systematic or Replacement (DcnDrawPaths);
 * - WarmUp: longest time simulated before a flow starts; 0: all flows of its path from first to
 *   last;
 * - Engine: method that simulates paths, a name for DcnEstimator::CreateByName with slashes in
 * place of the colons before its attributes;
 * - PreEstimate: method that predicts when flows are active and which are likely to be slow
 *   (DcnPathPreEstimate), named as Engine is; by default Parsimon: its errors of single flows are a
 *   third smaller than flowSim's, so that half of the draws suffice;
 * - Hosts: Host (published): background flows have synthetic hosts where they join and leave the
 *   path; or CrossTraffic: contended links, with the off-path cross traffic that slows background
 *   flows down (DcnPathWindow::AddCrossTraffic), except with WarmUp=0s;
 * - Reverse: see DcnFindPathTraffic;
 * - WholeAbove: where many flows meet, the windows of a thousand draws can hold more packets than
 *   the network. The method builds the windows of some 64 paths first (of half of the paths if they
 *   are few) and counts their packets, without a simulation. If all draws would have more than
 *   WholeAbove times the network's packet transmissions, the engine simulates the whole network
 *   instead, and every flow has its own completion time. By default, networks of fewer than two
 *   million transmissions are simulated at once: pre-estimate and windows would cost as much. Only
 *   where flows are drawn and WarmUp is not 0; a large number switches it off;
 * - Seed: seed of the draws; 0: the scenario's;
 * - Jobs: parallel processes; 0: as many as the machine has cores.
 */
class DcnPathEstimator : public DcnEstimator
{
  public:
    /// Get the type ID. @return the object TypeId
    static TypeId GetTypeId();
    std::string GetName() const override;
    std::vector<std::string> GetInputFiles() const override;
    /// @return digests of Engine and PreEstimate
    std::string GetDigest() const override;

  private:
    /// How flows are drawn.
    enum class Sampling : uint8_t
    {
        FLOWS,
        SYSTEMATIC,
        REPLACEMENT
    };

    /// Drawn flows of one path: one simulation, or one for each flow.
    struct Task
    {
        uint32_t path;                   //!< number of the path
        std::vector<DcnDrawnFlow> flows; //!< its drawn foreground flows
    };

    /// Result of a task.
    struct Outcome
    {
        std::vector<int64_t>
            fctNs; //!< completion times of the task's flows [ns]; UNFINISHED if incomplete
        uint64_t nTransmissions; //!< packets times links, if all flows ran to their ends
    };

    void DoEstimate(Ptr<const DcnScenario> scenario, DcnEstimate& estimate) override;

    /**
     * @brief Refuse attributes that have no effect, and names of methods that are none.
     * @throws DcnError that names the attribute
     */
    void CheckAttributes() const;

    /** @return whether the whole network may be simulated in place of paths. */
    bool MayBeWhole() const;

    /** @return whether any attribute needs the pre-estimate. */
    bool NeedsPreEstimate() const;

    /**
     * @brief Draw flows or paths.
     * @param pathIndex the flows
     * @param preEstimate their scores; null unless flows are drawn
     * @return the tasks
     */
    std::vector<Task> MakeTasks(const DcnPathIndex& pathIndex,
                                const DcnPathPreEstimate* preEstimate) const;

    /**
     * @brief Simulate a task.
     * @param pathIndex the flows
     * @param builder makes path-level scenarios
     * @param preEstimate active times of the flows; null: simulate the whole time
     * @param task drawn flows of a path
     * @return completion times and cost
     */
    Outcome Simulate(const DcnPathIndex& pathIndex,
                     const DcnPathScenarioBuilder& builder,
                     const DcnPathPreEstimate* preEstimate,
                     const Task& task) const;

    /**
     * @brief Simulate a path-level scenario.
     * @param whole the whole scenario
     * @param local the path-level scenario
     * @param task the flows whose completion times are wanted
     * @param outcome completion times are set by position in the task, if known; transmissions are
     * added
     */
    void Run(const DcnScenario& whole,
             const DcnPathScenario& local,
             const Task& task,
             Outcome& outcome) const;

    /**
     * @brief Simulate tasks in Jobs parallel processes.
     * @param pathIndex the flows
     * @param builder makes path-level scenarios
     * @param preEstimate active times of the flows; null: simulate the whole time
     * @param tasks all tasks
     * @return results by task
     */
    std::vector<Outcome> SimulateInProcesses(const DcnPathIndex& pathIndex,
                                             const DcnPathScenarioBuilder& builder,
                                             const DcnPathPreEstimate* preEstimate,
                                             const std::vector<Task>& tasks) const;

    /**
     * @brief Make the path-level scenario of a window.
     * @param pathIndex the flows
     * @param builder makes path-level scenarios
     * @param path number of the path
     * @param isFirst the window has not been extended: choose its begin
     * @param window of a drawn flow of this path
     * @return the scenario
     */
    DcnPathScenario BuildWindow(const DcnPathIndex& pathIndex,
                                const DcnPathScenarioBuilder& builder,
                                uint32_t path,
                                bool isFirst,
                                DcnPathWindow& window) const;

    /**
     * @brief Predict the cost of all tasks from the windows of some, which are not simulated.
     * @param pathIndex the flows
     * @param builder makes path-level scenarios
     * @param preEstimate active times of the flows
     * @param tasks all tasks
     * @return expected packet transmissions of all, over those of the whole scenario; counting ends
     * as soon as the windows counted have more than WholeAbove times as many as the whole
     */
    double GetExpectedShare(const DcnPathIndex& pathIndex,
                            const DcnPathScenarioBuilder& builder,
                            const DcnPathPreEstimate& preEstimate,
                            const std::vector<Task>& tasks) const;

    /**
     * @brief Simulate the whole network.
     * @param scenario the whole
     * @param reason for the provenance
     * @param estimate every flow's completion time is set
     */
    void EstimateWhole(Ptr<const DcnScenario> scenario,
                       const std::string& reason,
                       DcnEstimate& estimate) const;

    /// Returns the end of the provenance: keys of the configuration that packets do not model.
    std::string DescribeUnmodelled(const DcnScenario& scenario) const;

    /**
     * @brief Set the attribute Sampling.
     * @param sampling Flows, Systematic or Replacement
     * @throws DcnError for anything else
     */
    void SetSampling(std::string sampling);

    /**
     * @brief Set the attribute Hosts.
     * @param hosts Host or CrossTraffic
     * @throws DcnError for anything else
     */
    void SetHosts(std::string hosts);

    uint64_t m_nPaths;         //!< draws, 0: every flow
    Sampling m_sampling;       //!< how flows are drawn
    Time m_warmUp;             //!< simulated before a flow starts, 0: the whole time
    std::string m_engine;      //!< simulates paths
    std::string m_preEstimate; //!< method of the pre-estimate
    DcnPathHosts m_hosts;      //!< ends of background flows
    bool m_reverse;            //!< flows in the other direction are simulated
    double m_wholeAbove;       //!< share of transmissions above which the whole is simulated
    uint64_t m_seed;           //!< of the draws, 0: the scenario's
    uint32_t m_jobs;           //!< parallel processes, 0: as many as cores
};

} // namespace ns3

#endif /* DCN_PATH_ESTIMATOR_H */

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
#include <functional>
#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup dcn-path
 * @brief Method "ns3-path": packets, but on sampled paths only (m3, section 2.1).
 *
 * Flows are drawn, or paths with all their foreground flows; the path-level scenario of each is
 * made (DcnPathScenarioBuilder) and simulated by the engine; and the slowdowns of the flows drawn
 * become the samples of the estimate, each with the number of flows that it stands for as its
 * weight. With T and T* the ideal completion times of a foreground flow in the path-level scenario
 * and in the whole, and C its completion time there, its estimated completion time is C + T* - T.
 *
 * As published: Hosts=Host:Sampling=Replacement:WarmUp=0s:Reverse=false:NPaths=500, where each path
 * drawn is simulated from the first flow to the last. The default draws flows by a pre-estimate's
 * score (DcnDrawFlows) and simulates the time around each (DcnPathWindow): much less to simulate
 * for a flow, and more of them where the tail of the distribution is. It also goes beyond paths by
 * one step: flows that slow a background flow down elsewhere are there, on the links where flows
 * wait (DcnPathHosts::CONTENDED).
 *
 * Simulations run in processes of their own, Jobs at a time; results are the same for any number.
 * Under mpirun every rank computes the whole: it is scenarios that ranks share.
 *
 * Attributes (also on the command line, as in --methods=packet,ns3-path:NPaths=200):
 * - NPaths: number of draws; 0: every flow on its path;
 * - Sampling: Flows (DcnDrawFlows), Systematic or Replacement (DcnDrawPaths);
 * - WarmUp: longest time simulated before a flow starts; 0: all flows of its path from first to
 *   last;
 * - Engine: name of the method that simulates paths, as for DcnEstimator::CreateByName, with
 *   slashes in place of the colons before its attributes' settings;
 * - Pre-estimate: the same for the method that says which flows are active when and likely to be
 * slow (DcnPathPreEstimate); by default Parsimon, whose errors of single flows are a third smaller
 * than flowSim's, so that half of the draws do;
 * - Hosts: Host (published): background flows have synthetic hosts where they join and leave the
 *   path; or CrossTraffic: contended links, with the off-path cross traffic that slows background
 *   flows down (DcnPathWindow::AddCrossTraffic), only where WarmUp is not 0;
 * - Reverse: see DcnFindPathTraffic;
 * - WholeAbove: where many flows meet, the windows of a thousand draws can hold more packets than
 *   the network. The draws of some 64 paths, of half of them where they are few, are simulated
 *   first; if all would have more than WholeAbove times
 * the network's packet transmissions, the engine simulates the network in their place, and every
 * flow has its own completion time. Only where flows are drawn and WarmUp is not 0; a large number
 * is never;
 * - Seed: of the draws; 0: the scenario's;
 * - Jobs: processes at a time; 0: as many as the machine has cores.
 */
class DcnPathEstimator : public DcnEstimator
{
  public:
    /// Get the type ID. @return the object TypeId
    static TypeId GetTypeId();
    std::string GetName() const override;
    std::vector<std::string> GetInputFiles() const override;

  private:
    /// Flows that are drawn, and what they stand for.
    enum class Sampling : uint8_t
    {
        FLOWS,
        SYSTEMATIC,
        REPLACEMENT
    };

    /// What one simulation, or one for each flow, is to tell.
    struct Task
    {
        uint32_t path;                   //!< number of the path
        std::vector<DcnDrawnFlow> flows; //!< foreground flows of it
    };

    /// What simulations tell.
    struct Outcome
    {
        std::vector<int64_t> fctNs; //!< of the task's flows [ns]; UNFINISHED where there is none
        uint64_t nTransmissions;    //!< packets times links, if all flows ran to their ends
    };

    void DoEstimate(Ptr<const DcnScenario> scenario, DcnEstimate& estimate) override;

    /**
     * @brief Refuse attributes that have no effect.
     * @throws DcnError that names the attribute
     */
    void CheckAttributes() const;

    /** @return whether the whole network may be simulated in place of paths. */
    bool MayBeWhole() const;

    /** @return whether the pre-estimate is asked for anything. */
    bool NeedsPreEstimate() const;

    /**
     * @brief Draw.
     * @param pathIndex the flows
     * @param preEstimate their scores; null unless flows are drawn
     * @return what to simulate
     */
    std::vector<Task> MakeTasks(const DcnPathIndex& pathIndex,
                                const DcnPathPreEstimate* preEstimate) const;

    /**
     * @brief Simulate.
     * @param pathIndex the flows
     * @param builder of scenarios
     * @param preEstimate which flows are active when; null for the whole time
     * @param task what to simulate
     * @return what came of it
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
     * @param outcome completion times are set by position in the task, where they are there;
     * transmissions are added
     */
    void Run(const DcnScenario& whole,
             const DcnPathScenario& local,
             const Task& task,
             Outcome& outcome) const;

    /**
     * @brief Simulate in processes, Jobs at a time.
     * @param pathIndex the flows
     * @param builder of scenarios
     * @param preEstimate which flows are active when; null for the whole time
     * @param tasks what can be simulated
     * @param which of them are
     * @param outcomes by task; set for those
     * @param onDone called after each
     */
    void SimulateInProcesses(const DcnPathIndex& pathIndex,
                             const DcnPathScenarioBuilder& builder,
                             const DcnPathPreEstimate* preEstimate,
                             const std::vector<Task>& tasks,
                             const std::vector<std::size_t>& which,
                             std::vector<Outcome>& outcomes,
                             const std::function<void()>& onDone) const;

    /// What some draws say of the cost of all. @return expected transmissions of all over those of
    /// the whole scenario
    static double GetExpectedShare(const DcnScenario& scenario,
                                   const std::vector<Task>& tasks,
                                   const std::vector<std::size_t>& pilot,
                                   const std::vector<Outcome>& outcomes);

    /**
     * @brief Simulate the whole network.
     * @param scenario the whole
     * @param share transmissions that the paths would have had, over those of the whole
     * @param estimate every flow's completion time is set
     */
    void EstimateWhole(Ptr<const DcnScenario> scenario, double share, DcnEstimate& estimate) const;

    /**
     * @brief Sets an attribute.
     * @param sampling Flows, Systematic or Replacement
     * @throws DcnError for anything else
     */
    void SetSampling(std::string sampling);

    /**
     * @brief Sets an attribute.
     * @param hosts Host or CrossTraffic
     * @throws DcnError for anything else
     */
    void SetHosts(std::string hosts);

    uint64_t m_nPaths;         //!< draws, 0: every flow
    Sampling m_sampling;       //!< what is drawn, and how
    Time m_warmUp;             //!< before a flow starts, 0: all the time
    std::string m_engine;      //!< simulates paths
    std::string m_preEstimate; //!< says which flows are active when
    DcnPathHosts m_hosts;      //!< where background flows start and end
    bool m_reverse;            //!< flows in the other direction are there
    double m_wholeAbove;       //!< share of transmissions above which the whole is simulated
    uint64_t m_seed;           //!< of the draws, 0: the scenario's
    uint32_t m_jobs;           //!< processes at a time, 0: as many as cores
};

} // namespace ns3

#endif /* DCN_PATH_ESTIMATOR_H */

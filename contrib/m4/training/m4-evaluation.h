/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef M4_EVALUATION_H
#define M4_EVALUATION_H

#include "m4-data.h"

#include "ns3/dcn-model-file.h"
#include "ns3/dcn-statistics.h"
#include "ns3/m4-session.h"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup m4
 * @brief Errors of completion times, over flows and over simulations.
 */
class M4Errors
{
  public:
    /**
     * @brief Add a simulation.
     * @param truth the scenario and its ground truth
     * @param fctNs completion times by flow index [ns]; negative: the flow is omitted
     * @param spread quantiles of slowdowns by flow, of which p99 slowdowns are then; null or empty:
     * there are none
     * @param sizes size class of the flows included; null: all
     */
    void Add(const M4GroundTruth& truth,
             const std::vector<int64_t>& fctNs,
             const M4SpreadTable* spread = nullptr,
             const DcnSizeClass* sizes = nullptr);

    /** @return mean of |slowdown / true slowdown - 1| over flows. */
    double GetMean() const;

    /** @return its 90th percentile over flows. */
    double GetP90() const;

    /** @return mean over simulations of |p99 of the slowdown / true p99 - 1|. */
    double GetP99Error() const;

    /** @return mean over simulations of p99 of the slowdown / true p99 - 1. */
    double GetP99Bias() const;

    /** @return mean over flows of slowdown / true slowdown - 1. */
    double GetBias() const;

    /** @return fraction of the flows whose true slowdown is in its interval of 90 %; NaN without
     * spread. */
    double GetCoverage() const;

    /** @return mean pinball error of the quantiles of ln slowdown (M4Spread) over flows; NaN without
     * spread. */
    double GetPinball() const;

    /** @return number of flows; if 0, the other functions must not be called. */
    std::size_t GetNFlows() const;

  private:
    std::vector<double> m_flows; //!< |slowdown / true slowdown - 1|
    std::vector<double> m_p99;   //!< by simulation: p99 of the slowdown / true p99 - 1
    double m_pinball{0};         //!< sum of pinball errors of flows with an interval
    std::size_t m_nIntervals{0}; //!< flows with an interval
    std::size_t m_nCovered{0};   //!< of these, those whose interval has the true slowdown
    double m_signed{0};          //!< sum of signed errors
};

/**
 * @ingroup m4
 * @brief Errors of a method, of all flows and by class of size (DcnSizeClasses), and by congestion
 * control.
 */
class M4ErrorTable
{
  public:
    /**
     * @brief Add a simulation.
     * @param truth the scenario and its ground truth
     * @param fctNs completion times by flow index [ns]
     * @param spread as in M4Errors
     */
    void Add(const M4GroundTruth& truth,
             const std::vector<int64_t>& fctNs,
             const M4SpreadTable* spread = nullptr);

    /** @return groups that have flows, "all" first, and their errors. */
    std::vector<std::pair<std::string, M4Errors>> GetGroups() const;

  private:
    std::map<std::string, M4Errors> m_errors; //!< by group
};

/**
 * @ingroup m4
 * @brief The noise floor: completion times of packets if the scenario is repeated with
 * unpredictable changes (DcnScenarioSuite::Repeat).
 *
 * Destroys ns-3's simulator.
 *
 * @param scenario flows have the ids 0, 1, ... in their order
 * @return completion time by flow index [ns], negative if unfinished
 */
std::vector<int64_t> M4RepeatPackets(Ptr<const DcnScenario> scenario);

/**
 * @ingroup m4
 * @brief Completion times under teacher forcing (M4Replay): events are the true ones; the last
 * prediction before the end of a flow is its completion time.
 *
 * M4Run has larger errors, because it acts on its own predictions.
 *
 * @param truth the scenario and its ground truth
 * @param model weights
 * @return completion time by flow index [ns]
 */
std::vector<int64_t> M4RunTeacherForced(const M4GroundTruth& truth, const DcnModelFile& model);

/**
 * @ingroup m4
 * @return a model of the default network with untrained heads, which answers like the fluid
 * simulation
 */
DcnModelFile M4MakeUntrained();

} // namespace ns3

#endif /* M4_EVALUATION_H */

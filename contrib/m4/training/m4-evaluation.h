/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef M4_EVALUATION_H
#define M4_EVALUATION_H

#include "m4-tape.h"

#include "ns3/dcn-model-file.h"
#include "ns3/dcn-statistics.h"

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
     * @param truth the scenario and its true completion times
     * @param fctNs completion times by flow index [ns]; a negative one counts like no true one
     * @param sizes of the flows that count; null: all
     */
    void Add(const M4Truth& truth,
             const std::vector<int64_t>& fctNs,
             const DcnSizeClass* sizes = nullptr);

    /** @return mean of |slowdown / true slowdown - 1| over flows. */
    double GetMean() const;

    /** @return its 90th percentile over flows. */
    double GetP90() const;

    /** @return mean over simulations of |p99 of the slowdown / true p99 - 1|. */
    double GetP99Error() const;

    /** @return mean over flows of slowdown / true slowdown - 1. */
    double GetBias() const;

    /** @return number of flows; without any, the others must not be asked for. */
    std::size_t GetNFlows() const;

  private:
    std::vector<double> m_flows; //!< |slowdown / true slowdown - 1|
    std::vector<double> m_p99;   //!< the same of the 99th percentiles
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
     * @param truth the scenario and its true completion times
     * @param fctNs completion times by flow index [ns]
     */
    void Add(const M4Truth& truth, const std::vector<int64_t>& fctNs);

    /** @return groups of flows that have some, "all" first, and their errors. */
    std::vector<std::pair<std::string, M4Errors>> GetGroups() const;

  private:
    std::map<std::string, M4Errors> m_errors; //!< by group
};

/**
 * @ingroup m4
 * @brief Completion times that packets have when the scenario is repeated with what no method can
 * know changed (DcnScenarioSuite::Repeat): the noise floor.
 *
 * Destroys the simulator.
 *
 * @param scenario flows have the ids 0, 1, ... in their order
 * @return completion time by flow index [ns], negative if unfinished
 */
std::vector<int64_t> M4RepeatPackets(Ptr<const DcnScenario> scenario);

/**
 * @ingroup m4
 * @brief Completion times under teacher forcing: events are the true ones (M4Tape), and what counts
 * is what is predicted for a flow at the last event before its end.
 *
 * What M4Run errs more than this comes from acting on its own predictions.
 *
 * @param truth what is played
 * @param model weights
 * @return completion time by flow index [ns]
 */
std::vector<int64_t> M4RunTaught(const M4Truth& truth, const DcnModelFile& model);

} // namespace ns3

#endif /* M4_EVALUATION_H */

/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef PARSIMON_MODEL_H
#define PARSIMON_MODEL_H

#include "parsimon-predictor.h"
#include "parsimon-run.h"

#include "../topology/parsimon-window.h"

#include "ns3/dcn-estimator.h"
#include "ns3/dcn-topology.h"

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace ns3
{

/**
 * @ingroup parsimon
 * @brief Estimates and delay distributions of a network, for any number of queries.
 *
 * Created from a ParsimonRun; can be saved, loaded and queried without further simulation. For
 * flows of the scenario the answer is their point estimates. For pairs without flows it is drawn: a
 * pair, a size, one of the shortest paths (each next hop equally likely), and a delay at each of
 * its links.
 *
 * Confidence limits are order statistics: the number of n independent values below the p-quantile
 * is binomial (n, p). With B its distribution function,
 *
 *     lower = x_(r), r the largest with B(r - 1) <= a / 2
 *     upper = x_(s), s the smallest with B(s - 1) >= 1 - a / 2
 *
 * (x_(1) the smallest; without such an r or s: the smallest or largest value) has a confidence of
 * at least 1 - a for any distribution (David and Nagaraja, Order Statistics, section 7.1). The
 * interval is for the scatter of the scenario's flows; it does not include the method's own error.
 */
class ParsimonModel
{
  public:
    static constexpr uint32_t FORMAT = 3; //!< version of the file format

    /**
     * @param run a run made with ParsimonOptions::allDistributions
     */
    explicit ParsimonModel(const ParsimonRun& run);

    /**
     * @param path a file written by Save
     * @return the model
     * @throws DcnError if it cannot be read, is damaged or was made by another version
     */
    static ParsimonModel Load(const std::string& path);

    /**
     * @brief Write the model into one file, atomically.
     * @param path the file
     * @throws DcnError if it cannot be written
     */
    void Save(const std::string& path) const;

    /** @return the network. */
    const DcnTopology& GetTopology() const;

    /**
     * @brief Slowdowns of flows of the scenario.
     * @param query conditions on the flows
     * @return slowdowns, ascending
     * @throws DcnError if no flow meets them
     */
    std::vector<double> GetSlowdowns(const DcnSlowdownQuery& query) const;

    /**
     * @brief Slowdowns of random flows.
     *
     * Sources and destinations are drawn from the query's hosts; sizes from all flows of the model
     * within the query's range of sizes or, if there are none, log-uniformly in that range. (Paths
     * are drawn over all links of the topology, also links that failed by
     * DcnScenarioChange::FailLink.)
     *
     * @param query conditions on the flows; a link is refused
     * @param n number of draws
     * @return slowdowns, ascending
     * @throws DcnError if no pair of different hosts is asked for, or there is no path
     */
    std::vector<double> Draw(const DcnSlowdownQuery& query, uint64_t n) const;

    /**
     * @param sorted ascending values, at least one
     * @param p probability in [0, 1]
     * @param confidence of the limits, between 0 and 1
     * @return the quantile with its limits
     */
    static DcnSlowdownQuantile GetQuantile(const std::vector<double>& sorted,
                                           double p,
                                           double confidence = 0.95);

  private:
    /// For Load.
    ParsimonModel(Ptr<const DcnTopology> topology, ParsimonPredictor predictor);

    /// A stored flow.
    struct Flow
    {
        uint32_t src;       //!< node index
        uint32_t dst;       //!< node index
        uint64_t sizeBytes; //!< payload
        float slowdown;     //!< point estimate; 0 if unknown
        uint32_t nHops;     //!< links of its path
    };

    /// By node: whether it is one of the hosts; all nodes for an empty list.
    std::vector<bool> Select(const std::vector<uint32_t>& hosts) const;

    Ptr<const DcnTopology> m_topology; //!< the network
    ParsimonPredictor m_predictor;     //!< predicts delays
    std::vector<Flow> m_flows;         //!< point estimates
    std::vector<uint32_t> m_hops;      //!< links of all paths, in flow order
    ParsimonWindow m_window;  //!< packet sizes; its window is 0 if V is part of the delays already
    uint64_t m_maxRateBps{0}; //!< largest rate of a sender; 0: its link's
};

} // namespace ns3

#endif /* PARSIMON_MODEL_H */

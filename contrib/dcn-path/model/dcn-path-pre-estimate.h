/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef DCN_PATH_PRE_ESTIMATE_H
#define DCN_PATH_PRE_ESTIMATE_H

#include "ns3/dcn-scenario.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup dcn-path
 * @brief A cheap answer for all flows of a scenario: which flows are active when, and which are
 * likely to be slow.
 *
 * A fast method (flowSim) gives every flow i a completion time C_i, hence the times
 * [s_i, s_i + C_i) at which it is active. It serves two ends, neither of which needs it to be
 * exact:
 *
 * - windows (DcnPathWindow): which flows are under way at a given time, and how much of them is
 *   left;
 * - stratification (DcnDrawFlows): a score that is large for flows likely to be slow. At the start
 *   of i, n_l other flows are active on link l of its path, which has the rate R_l; none of them is
 *   faster than its host's link, so that m_l = R_l / (rate of the source's link) of them can be
 *   served at full speed. A flow keeps at most a window W in flight, of which what the links cannot
 *   carry waits. With T*_i the ideal completion time,
 *
 *       score_i = C_i / T*_i + (1 / T*_i) sum_l max(0, n_l + 1 - m_l) 8e9 W / R_l.
 *
 *   The first part is what sharing costs a long flow, the second what queues cost a short one.
 */
class DcnPathPreEstimate
{
  public:
    /**
     * @param scenario the flows
     * @param method name of the method, see DcnEstimator::CreateByName
     * @throws DcnError if the method does not give all flows completion times
     */
    DcnPathPreEstimate(Ptr<const DcnScenario> scenario, const std::string& method);

    /// @return the end of a flow [ns]
    int64_t GetEndNs(std::size_t flow) const
    {
        return m_endNs[flow];
    }

    /// @return the score of a flow, see above
    double GetScore(std::size_t flow) const
    {
        return m_scores[flow];
    }

    /**
     * @param timeNs a time [ns]
     * @return the flow of the smallest index that ends after that time, or the number of flows
     */
    std::size_t GetOldestActive(int64_t timeNs) const;

  private:
    void ComputeScores(const DcnScenario& scenario);

    std::vector<int64_t> m_endNs;  //!< by flow
    std::vector<int64_t> m_lastNs; //!< by flow: latest end of it and those before
    std::vector<double> m_scores;  //!< by flow
};

} // namespace ns3

#endif /* DCN_PATH_PRE_ESTIMATE_H */

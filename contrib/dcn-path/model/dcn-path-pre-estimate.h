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
 * @brief A cheap estimate for all flows of a scenario: when each is active, and how likely it is to
 * be slow.
 *
 * A fast method (flowSim) gives every flow i a completion time C_i, hence the time [s_i, s_i + C_i)
 * in which it is active. The estimate has two uses; it need not be exact for either:
 *
 * - windows (DcnPathWindow): the flows under way at a given time, and their remaining bytes;
 * - stratification (DcnDrawFlows): a score that is large for flows that are likely to be slow. When
 *   i starts, n_l other flows are active on link l of its path, of rate R_l. Each has at most the
 *   rate of its host's link, so that m_l = R_l / (rate of the source's link) of them can be served
 *   at full speed. A flow has at most a window W in flight; bytes in excess of the links' capacity
 *   wait. With T*_i the ideal completion time,
 *
 *       score_i = C_i / T*_i + (1 / T*_i) sum_l max(0, n_l + 1 - m_l) 8e9 W / R_l.
 *
 *   The first term is the cost of sharing for a long flow, the second that of queues for a short
 * one.
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
    std::vector<int64_t> m_lastNs; //!< by flow: latest end of this and all earlier flows
    std::vector<double> m_scores;  //!< by flow
};

} // namespace ns3

#endif /* DCN_PATH_PRE_ESTIMATE_H */

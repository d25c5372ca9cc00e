/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef M4_LINK_HISTORY_H
#define M4_LINK_HISTORY_H

#include "ns3/dcn-flow.h"

#include <cstdint>
#include <vector>

namespace ns3
{

/**
 * @ingroup m4
 * @brief Backlog, load and mean wait of each link, from the flows that started so far.
 *
 * Fair rates know no queues. But the first window of a flow leaves the sender before any congestion
 * control can slow it, and short flows have nothing else. Let flow f with b_f bits on the wire and
 * a first window of w_f bits (of payload) start at time t_f, and let c be the capacity of a link.
 * The link gets the work s_f = min(b_f, w_f) / c at the time t_f, all at once. Its backlog V is the
 * work that is left if the link serves it in order (Lindley's recursion),
 *
 *     V(t_f) = max(0, V(t_g) - (t_f - t_g)) + s_f,    g the flow before f,
 *
 * and f waits V(t_f) - s_f. The sums below are over the flows up to time t. Let t' be the time
 * since the first flow of the network. A slack u keeps the first flows from looking like a high
 * load:
 *
 *     load  rho = sum of b_f / c / (t' + u),   at most MAX_LOAD,
 *     mean  W   = sum of s_f^2 / (t' + u) / (2 (1 - rho)),
 *
 * where W is the mean wait behind bursts that arrive as a Poisson process at a link of this load
 * (Pollaczek and Khinchine; exact where all of a flow is in its burst). All are features of the
 * default network (M4Features), so they need not be exact.
 */
class M4LinkHistory
{
  public:
    static constexpr double MAX_LOAD = 0.95; //!< largest load, for which W is finite

    /// Backlogs that a flow meets at its start.
    struct Meeting
    {
        double waitNs; //!< sum over its links [ns]
        double mostNs; //!< the largest one [ns]
    };

    /**
     * @param capacities of the links by directed link index [bit/s]
     */
    explicit M4LinkHistory(std::vector<double> capacities);

    /**
     * @brief Change the capacity of a link from now on; what has come before keeps its time.
     * @param link directed link index
     * @param capacity its capacity [bit/s], > 0
     */
    void SetCapacity(uint32_t link, double capacity);

    /**
     * @brief A flow starts.
     * @param path its links
     * @param fluidBits b, its bits on the wire
     * @param burstBits min(b, w), those of its first window
     * @param nowNs time [ns], not before that of an earlier call
     * @return the backlogs before it
     */
    Meeting Add(DcnPath path, double fluidBits, double burstBits, int64_t nowNs);

    /**
     * @param link directed link index
     * @param nowNs time [ns], not before the last flow's start
     * @return V [ns]
     */
    double GetBacklogNs(uint32_t link, int64_t nowNs) const;

    /**
     * @param link directed link index
     * @return sum of s_f so far [ns]
     */
    double GetWorkNs(uint32_t link) const;

    /**
     * @param link directed link index
     * @param nowNs time [ns], not before the last flow's start
     * @param slackNs u > 0 [ns]
     * @return rho
     */
    double GetLoad(uint32_t link, int64_t nowNs, double slackNs) const;

    /**
     * @param link directed link index
     * @param nowNs time [ns], not before the last flow's start
     * @param slackNs u > 0 [ns]
     * @return W [ns]
     */
    double GetMeanWaitNs(uint32_t link, int64_t nowNs, double slackNs) const;

  private:
    /// Sums over the flows of a link.
    struct Sums
    {
        double backlogNs{0}; //!< V just after the last flow
        int64_t lastNs{0};   //!< start of that flow
        double workNs{0};    //!< sum of s_f
        double squares{0};   //!< sum of s_f^2 [ns^2]
        double fluidNs{0};   //!< sum of b_f / c
    };

    std::vector<double> m_capacities; //!< by link [bit/s]
    std::vector<Sums> m_sums;         //!< by link
    int64_t m_firstNs{-1};            //!< start of the network's first flow; -1: none yet
};

} // namespace ns3

#endif /* M4_LINK_HISTORY_H */

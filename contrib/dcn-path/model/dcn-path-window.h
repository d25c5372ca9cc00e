/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef DCN_PATH_WINDOW_H
#define DCN_PATH_WINDOW_H

#include "dcn-path-index.h"
#include "dcn-path-pre-estimate.h"

#include "ns3/dcn-scenario.h"

#include <cstdint>
#include <utility>
#include <vector>

namespace ns3
{

/**
 * @ingroup dcn-path
 * @brief The part of a path-level scenario in time that one foreground flow can notice.
 *
 * Problem. A flow i that starts at s and takes C meets only what is on its path in [s, s + C),
 * which is a small part of the time that all flows of the scenario take. Packets before s matter in
 * so far as they leave queues and rates behind. Hence only [b, e) is simulated, with
 * e = s + 1.5 C_i + margin, C_i being the pre-estimate's completion time, and b = s - warm-up or
 * later (ChooseBegin). A background flow j of size S_j that the pre-estimate has under way in [s_j,
 * e_j)
 *
 * - is left out if it ends before b or starts at e or later;
 * - starts at max(s_j, b), with S_j (e_j - b) / (e_j - s_j) bytes left if it started before b, as
 *   if it had proceeded evenly, but no more than its host could send until e.
 *
 * Begin. A flow that starts at b has the full rate of its host, no queue before it, and a
 * congestion control that has not seen anything yet. That is what all flows really have at a time
 * at which no link of the path has more flows than it can carry at full rate; begun at any other
 * time, the flows under way form a queue that was not there, and share the link as newcomers do
 * among themselves rather than with those that came before them. A flow counts here for a quarter
 * longer than the pre-estimate has it, and the margin: it is late where there are queues. Of the
 * times when the path is uncontended in this sense, the latest interval [u, v) with
 * u <= s - 0.2 ms counts, and b = max(u, min(v, s) - 0.5 ms): congestion controls forget the
 * marks of their start in that time (DCTCP's alpha, which starts at 1, decays by 1/16 per round
 * trip). If there is none within the warm-up, b = s - warm-up.
 *
 * Initial queues. A flow alone on a link of the same rate as its host's, with a window W above its
 * bandwidth-delay product, leaves no queue before the link, but does not let one drain either. What
 * other flows have brought to the link stays until the window is used up, and short flows wait for
 * it. Flows of more than 16 W do not add to this queue: they last long enough (DCTCP's alpha grows
 * by at most 1/16 per round trip) to have rates fall below the link's, which empties the queue. So
 * where the flows of more than 16 W that are under way at b can send exactly the rate of a link, a
 * warm-up burst is sent over the link at b (AddInitialQueues), of
 *
 *     min(sum of S_j, sum of max(0, W - rate * base round-trip time))
 *
 * bytes. The first sum is over the other flows j that start before b and after the last of the
 * large flows has started, the second over the large flows. The first link of a path has no initial
 * queue: there flows wait in the host, each by itself.
 *
 * Off-path cross traffic. Background flows that share a full link off the path are slower than the
 * path's links would let them be, and by how much changes with each start and end there. Without
 * the flows that slow them down, queues on the path are too long (most of the error,
 * doc/validation.rst). AddCrossTraffic adds these flows: it takes the background flows of more than
 * a window that sharing makes more than 10/9 as long in the pre-estimate, latency apart (smaller
 * flows leave their hosts in one go, so that nothing off the path changes their effect). On each of
 * their links off the path where the flows under way could at some time send twice the link's rate,
 * so that each has no more than half of its full rate, it adds these flows. Two flows are enough on
 * a host's link, not on a link between switches, where hundreds of flows slow each other down
 * little and would cost most of the time of an estimate. The cross traffic of cross traffic is not
 * added, and none where the foreground flow takes more than 2 ms in the pre-estimate: such a flow
 * meets averages over many flows.
 *
 * Contended links (DcnPathTraffic::contended). All flows of the window keep the links of the path
 * that are not free (next paragraph), in both directions, and of their other links those that are
 * not free given the flows of the window. No flow waits on any other link, so that
 * DcnPathHosts::CONTENDED leaves it out.
 *
 * In the window, a link of the path is free if the flows that the pre-estimate has on it at any
 * time, each lasting half as long again and the margin, could send at most what the link carries.
 * Without a queue there, flows that use nothing but free links leave no trace and are left out
 * (Prune); nor do those in the other direction, whose acknowledgements are all that they bring,
 * provided that the foreground's acknowledgements do not queue with their data (ack_high_priority)
 * or cannot queue.
 *
 * Whoever simulates the window has to see that the flow ended before e, and take a longer one if
 * not (Extend).
 */
class DcnPathWindow
{
  public:
    /**
     * @param scenario the whole scenario; must outlive the window, as must the pre-estimate
     * @param preEstimate says which flows are active when
     * @param flow flow index of the foreground flow
     * @param warmUpNs time simulated before its start [ns]
     */
    DcnPathWindow(const DcnScenario& scenario,
                  const DcnPathPreEstimate& preEstimate,
                  uint32_t flow,
                  int64_t warmUpNs);

    /**
     * @brief Begin where the path is uncontended, if it is so within the warm-up; see the class.
     * @param path links of the path
     * @param traffic all flows of GetFlows()
     */
    void ChooseBegin(DcnPath path, const DcnPathTraffic& traffic);

    /** @return when the window begins, b [ns]. */
    int64_t GetBeginNs() const;

    /**
     * @brief Put bursts at the begin that leave the queues that were there; see the class.
     * @param path links of the path
     * @param traffic all flows of GetFlows(), before Prune; the bursts are appended
     */
    void AddInitialQueues(DcnPath path, DcnPathTraffic& traffic) const;

    /** @brief Move the end away: the flow then has twice the time. */
    void Extend();

    /** @return the completion time that the flow may have at most [ns]. */
    int64_t GetLongestNs() const;

    /** @return the flows among which those of the window are: all indices in [first, second). */
    std::pair<uint32_t, uint32_t> GetFlows() const;

    /**
     * @brief Make a flow what it is in the window; a DcnPathScenarioBuilder::Adjust.
     * @param index flow index
     * @param flow the flow, whose start and size are changed
     * @return false if it is not in the window
     */
    bool Adjust(uint32_t index, DcnFlow& flow) const;

    /// Leave out background flows that are not in the window or use free links only.
    void Prune(DcnPath path, DcnPathTraffic& traffic) const;

    /**
     * @brief Add the flows that slow background flows down off the path, and the contended links;
     * see the class.
     *
     * Prune comes before. It is for DcnPathHosts::CONTENDED: the flows that are added have
     * intervals of no link of the path.
     *
     * @param pathIndex the flows
     * @param path links of the path
     * @param traffic the flows
     */
    void AddCrossTraffic(const DcnPathIndex& pathIndex,
                         DcnPath path,
                         DcnPathTraffic& traffic) const;

  private:
    /// Flows by link of the path.
    using ByLink = std::vector<std::vector<uint32_t>>;

    /// Returns whether a flow is under way at some time of the window.
    bool IsIn(uint32_t index) const;

    /// Returns whether flows, each `longer` times as long, and the margin if longer than 1, can
    /// send no more than a rate at any time of the window.
    bool IsFree(uint64_t rateBps, const std::vector<uint32_t>& flows, double longer) const;

    /// Returns whether the pre-estimate has a flow of more than one window slowed down.
    bool IsSlowed(uint32_t index) const;

    /// Finds the links off the path that the background's flows can fill.
    void AddContended(DcnPath path, DcnPathTraffic& traffic) const;

    /// Finds the flows of the window on each link, in the path's direction and the other one.
    void SortByLink(DcnPath path,
                    const DcnPathTraffic& traffic,
                    ByLink& forward,
                    ByLink& backward) const;

    /// Appends the times at which a link becomes contended, 1, or uncontended, -1.
    void AppendChanges(uint64_t rateBps,
                       const std::vector<uint32_t>& flows,
                       std::vector<std::pair<int64_t, int32_t>>& changes) const;

    const DcnScenario* m_scenario;           //!< the whole scenario
    const DcnPathPreEstimate* m_preEstimate; //!< says which flows are active when
    uint32_t m_flow;                         //!< the foreground flow
    int64_t m_beginNs;                       //!< b
    int64_t m_endNs;                         //!< e
};

} // namespace ns3

#endif /* DCN_PATH_WINDOW_H */

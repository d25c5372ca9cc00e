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
 * @brief The time window of a path-level scenario that affects one foreground flow.
 *
 * Problem. A flow i that starts at s and takes C meets only the traffic of its path in [s, s + C),
 * a small part of the time of the whole scenario. Earlier packets matter only through the queues
 * and rates that they leave. Hence only [b, e) is simulated, with e = s + 1.5 C_i + margin, where
 * C_i is the pre-estimated completion time, and b = s - warm-up or later (ChooseBegin). A
 * background flow j of size S_j that is under way in [s_j, e_j) according to the pre-estimate
 *
 * - is omitted if it ends before b or starts at e or later;
 * - starts at max(s_j, b); if it started before b, it has S_j (e_j - b) / (e_j - s_j) bytes left,
 * as at a constant rate, but no more than its host could send until e.
 *
 * Begin. A flow that starts at b has the full rate of its host, no queue before it, and fresh
 * congestion-control state. In the whole network this holds for all flows when no link of the path
 * has more flows than it can carry at full rate. At any other b, the flows under way would form a
 * queue that did not exist, and would share the link as newcomers. Here a flow counts as under way
 * for 1.25 times its pre-estimated time and the margin, since queues delay it. Of the times at
 * which the path is uncontended in this sense, b is in the latest interval [u, v) with u <= s - 0.2
 * ms: b = max(u, min(v, s) - 0.5 ms). In that time congestion controls forget the marks of their
 * start (DCTCP's alpha, which starts at 1, decays by 1/16 per round trip). If there is no such
 * interval within the warm-up, b = s - warm-up.
 *
 * Initial queues. A flow alone on a link of its host's rate, with a window W above its
 * bandwidth-delay product, leaves no queue before the link, but does not let one drain either.
 * Bytes that other flows have queued there stay until the window is full, and short flows wait for
 * them. Large flows, of more than 16 W, do not add to this queue: they last long enough (DCTCP's alpha
 * grows by at most 1/16 per round trip) to reduce their rate below the link's, which empties the
 * queue. So where the large flows under way at b can send exactly the rate of a link, a
 * warm-up burst is sent over the link at b (AddInitialQueues), of
 *
 *     min(sum of S_j, sum of max(0, W - rate * base round-trip time))
 *
 * bytes. The first sum is over the other flows j that start before b and after the start of the
 * last large flow, the second over the large flows. The first link of a path has no initial queue:
 * flows wait there in the host, each by itself.
 *
 * Off-path cross traffic. Background flows that share a full link off the path are slower than the
 * path's links allow, to an extent that changes with every start and end there. Without the flows
 * that slow them down, queues on the path are too long (most of the error, doc/validation.rst).
 * AddCrossTraffic adds these flows. It considers background flows of more than a window that
 * sharing makes more than 10/9 as long in the pre-estimate, apart from latency (hosts send smaller
 * flows at once, so that links off the path do not change their effect). It adds all flows on those
 * of their off-path links where the flows under way could at some time send twice the link's rate,
 * so that each has at most half of its full rate. Two flows suffice on a host's link, but not on a
 * link between switches, where hundreds of flows slow each other down little and would cost most of
 * the time of an estimate. It adds no cross traffic of cross traffic, and none for a foreground
 * flow of more than 2 ms in the pre-estimate: such a flow meets averages over many flows.
 *
 * Contended links (DcnPathTraffic::contended). All flows of the window keep the links of the path
 * that are not free (see below), in both directions, and those of their other links that are not
 * free given the flows of the window. No flow waits on any other link, so that
 * DcnPathHosts::CONTENDED omits these.
 *
 * In the window, a link of the path is free if the flows on it according to the pre-estimate, each
 * 1.5 times as long and the margin, can never send more than the link's rate. There is no queue
 * then: flows that use free links only have no effect and are omitted (Prune). So are flows in the
 * other direction, which bring acknowledgements only, provided that the foreground's
 * acknowledgements do not queue with their data (ack_high_priority) or cannot queue.
 *
 * The simulating class must check that the flow ended before e, and otherwise extend the window
 * (Extend).
 */
class DcnPathWindow
{
  public:
    /**
     * @param scenario the whole scenario; must outlive the window, as must the pre-estimate
     * @param preEstimate active times of the flows
     * @param flow flow index of the foreground flow
     * @param warmUpNs time simulated before its start [ns]
     */
    DcnPathWindow(const DcnScenario& scenario,
                  const DcnPathPreEstimate& preEstimate,
                  uint32_t flow,
                  int64_t warmUpNs);

    /**
     * @brief Begin where the path is uncontended, if it ever is within the warm-up; see the class.
     * @param path links of the path
     * @param traffic all flows of GetFlows()
     */
    void ChooseBegin(DcnPath path, const DcnPathTraffic& traffic);

    /** @return when the window begins, b [ns]. */
    int64_t GetBeginNs() const;

    /**
     * @brief Add warm-up bursts at the begin for the initial queues; see the class.
     * @param path links of the path
     * @param traffic all flows of GetFlows(), before Prune; the bursts are appended
     */
    void AddInitialQueues(DcnPath path, DcnPathTraffic& traffic) const;

    /** @brief Double the time that the flow may take. */
    void Extend();

    /** @return largest completion time of the flow within the window [ns]. */
    int64_t GetLongestNs() const;

    /** @return the range [first, second) of flow indices that contains all flows of the window. */
    std::pair<uint32_t, uint32_t> GetFlows() const;

    /**
     * @brief Restrict a flow to the window; a DcnPathScenarioBuilder::Adjust.
     * @param index flow index
     * @param flow the flow, whose start and size are changed
     * @return false if it is not in the window
     */
    bool Adjust(uint32_t index, DcnFlow& flow) const;

    /// Omit background flows that are not in the window or use free links only.
    void Prune(DcnPath path, DcnPathTraffic& traffic) const;

    /**
     * @brief Add the flows that slow background flows down off the path, and the contended links;
     * see the class.
     *
     * Call it after Prune, for DcnPathHosts::CONTENDED: the intervals of the added flows contain no
     * link of the path.
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

    /// Returns whether flows, each `longer` times as long, and the margin if longer than 1, never
    /// send more than a rate in the window.
    bool IsFree(uint64_t rateBps, const std::vector<uint32_t>& flows, double longer) const;

    /// Returns whether a flow of more than one window is slowed down in the pre-estimate.
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
    const DcnPathPreEstimate* m_preEstimate; //!< active times of the flows
    uint32_t m_flow;                         //!< the foreground flow
    int64_t m_beginNs;                       //!< b
    int64_t m_endNs;                         //!< e
};

} // namespace ns3

#endif /* DCN_PATH_WINDOW_H */

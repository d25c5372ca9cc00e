/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef DCN_PATH_WINDOW_H
#define DCN_PATH_WINDOW_H

#include "dcn-path-surrogate.h"
#include "dcn-path-traffic.h"

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
 * so far as they leave queues and rates behind, which they do for some round trips. Hence only
 * [b, e) is simulated, with b = s - warm-up and e = s + 1.5 C_i + margin, C_i being the surrogate's
 * completion time. A background flow j of size S_j that the surrogate has under way in [s_j, e_j)
 *
 * - is left out if it ends before b or starts at e or later;
 * - starts at max(s_j, b), with S_j (e_j - b) / (e_j - s_j) bytes left if it started before b, as
 *   if it had proceeded evenly;
 * - need not be sent beyond e: its size is at most what it could send until then at the rate of its
 *   host, and at most twice what the surrogate sends of it until then, plus two windows.
 *
 * In the window, a link of the path is free if the flows that the surrogate has on it at any time,
 * each lasting half as long again and the margin, could send at most what the link carries. Without
 * a queue there, flows that use nothing but free links leave no trace and are left out (Prune); nor
 * do those in the other direction, whose acknowledgements are all that they bring, provided that
 * the foreground's acknowledgements do not queue with their data (ack_high_priority) or cannot
 * queue.
 *
 * Whoever simulates the window has to see that the flow ended before e, and take a longer one if
 * not (Extend).
 */
class DcnPathWindow
{
  public:
    /**
     * @param scenario the whole scenario; must outlive the window, as must the surrogate
     * @param surrogate says which flows are active when
     * @param flow flow index of the foreground flow
     * @param warmUpNs time simulated before its start [ns]
     */
    DcnPathWindow(const DcnScenario& scenario,
                  const DcnPathSurrogate& surrogate,
                  uint32_t flow,
                  int64_t warmUpNs);

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

    /**
     * @brief The rate that sharing leaves a background flow in the whole network.
     *
     * In the whole network a flow may be slowed down where the path's other flows are not, and
     * would be too fast on the path without those that slow it down. Its average rate in the
     * surrogate is 8e9 S / (C - latency), with the latency of DcnIdealFct; the limit is this, but
     * at least the configuration's smallest rate. Flows that fit into a window have no such limit,
     * nor do those that get more than 9/10 of their ideal rate: they leave their host in one go.
     *
     * @param index flow index
     * @return the limit [bit/s]; 0: none
     */
    uint64_t GetLimit(uint32_t index) const;

    /**
     * @brief Leave out background flows that are not in the window or use free links only.
     * @param path links of the path
     * @param traffic the flows
     */
    void Prune(DcnPath path, DcnPathTraffic& traffic) const;

  private:
    bool IsFree(uint64_t rateBps, const std::vector<uint32_t>& flows) const;

    const DcnScenario* m_scenario;       //!< the whole scenario
    const DcnPathSurrogate* m_surrogate; //!< says which flows are active when
    uint32_t m_flow;                     //!< the foreground flow
    int64_t m_beginNs;                   //!< b
    int64_t m_endNs;                     //!< e
};

} // namespace ns3

#endif /* DCN_PATH_WINDOW_H */

/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef M3_FLUID_H
#define M3_FLUID_H

#include "ns3/dcn-scenario.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace ns3
{

/**
 * @ingroup m3
 * @brief Slowdowns, queues and backlogs of all flows in a max-min fluid simulation (flowSim), the
 * input of the features of m3.
 *
 * Problem. Flow i of S_i bytes starts at s_i; its completion time in the fluid is C_i, and alone in
 * the network T_i. With windows limiting rates (FlowsimOptions), it has the
 *
 *     log slowdown   x_i = ln max(1, C_i / T_i).
 *
 * A fluid has no queues, which delay short flows. But it gives the flows under way, and bounds of
 * their bytes in the network: the window W and the flow's size. With w_i = min(W, wire bytes of
 * S_i) / W, the link l carries, when flow i starts,
 *
 *     B_l = sum of w_j over the other flows j on l with s_j <= s_i < s_j + C_j
 *
 * windows; of flows with s_j = s_i, only those earlier in the list count. Of these windows, m_l =
 * R_l / (rate of the sender of i) can be in flight at full rate; the others wait, and delay the
 * flow by at most about
 *
 *     q_i = sum over l of max(0, B_l + w_i - m_l) 8e9 W / R_l  [ns],
 *     log queue y_i = ln(1 + q_i / T_i).
 *
 * Flows that meet no other in the fluid (DcnIdleTime) need no network: their slowdown is that of
 * their idle time.
 *
 * Congestion control shortens queues; the network learns by how much. B_l is also stored by hop,
 * for both directions of the link, since data in the other direction delay acknowledgements.
 *
 * Takes time in proportion to the links of all flows, besides the fluid simulation itself. Several
 * threads may create objects at a time.
 */
class M3Fluid
{
  public:
    /// Window of a configuration without a window [bytes].
    static constexpr uint64_t NO_WINDOW_BYTES = 1'000'000;

    /**
     * @param scenario the flows; must outlive this
     * @param windowCap whether windows limit rates; false: as published
     */
    explicit M3Fluid(const DcnScenario& scenario, bool windowCap = true);

    /**
     * @param flow flow index
     * @return x above
     */
    float GetLogSlowdown(std::size_t flow) const
    {
        return m_logSlowdown[flow];
    }

    /**
     * @param flow flow index
     * @return y above
     */
    float GetLogQueue(std::size_t flow) const
    {
        return m_logQueue[flow];
    }

    /**
     * @param flow flow index
     * @param hop position on its path
     * @return B of the link there at the start of the flow [windows]
     */
    float GetBacklog(std::size_t flow, std::size_t hop) const
    {
        return m_backlog[m_offsets[flow] + hop];
    }

    /**
     * @param flow flow index
     * @param hop position on its path
     * @return B of the other direction of the link there [windows]
     */
    float GetReverseBacklog(std::size_t flow, std::size_t hop) const
    {
        return m_reverse[m_offsets[flow] + hop];
    }

    /**
     * @param flow flow index
     * @return its slowdown if it meets no other flow; 0 if it does
     */
    float GetIdleSlowdown(std::size_t flow) const
    {
        return m_idleSlowdown[flow];
    }

    /** @return time of the last completion, at least that of the last start [ns]. */
    int64_t GetEndNs() const
    {
        return m_endNs;
    }

    /**
     * @param network a configuration
     * @return W [bytes]: its window, at least a packet; NO_WINDOW_BYTES without a window
     */
    static double GetWindowBytes(const DcnNetworkParameters& network);

  private:
    void Simulate(const DcnScenario& scenario, bool windowCap, std::vector<int64_t>& endNs);
    void Sweep(const DcnScenario& scenario, const std::vector<int64_t>& endNs);
    void FindIdle(const DcnScenario& scenario, const std::vector<int64_t>& endNs);

    std::vector<float> m_logSlowdown;   //!< by flow
    std::vector<float> m_idleSlowdown;  //!< by flow, see GetIdleSlowdown
    std::vector<float> m_logQueue;      //!< by flow
    std::vector<std::size_t> m_offsets; //!< by flow: its first hop below
    std::vector<float> m_backlog;       //!< by flow and hop
    std::vector<float> m_reverse;       //!< by flow and hop
    int64_t m_endNs{0};                 //!< see GetEndNs
};

} // namespace ns3

#endif /* M3_FLUID_H */

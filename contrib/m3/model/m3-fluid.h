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
 * @brief Slowdowns, queues and backlogs of all flows in a max-min fluid simulation (flowSim), from
 * which the features of m3 are made.
 *
 * Problem. Flow i of S_i bytes starts at s_i; its completion time in the fluid is C_i, alone in the
 * network T_i. With the windows as a cap on rates (FlowsimOptions), it has the
 *
 *     log slowdown   x_i = ln max(1, C_i / T_i).
 *
 * A fluid has no queues, which slow down short flows. But it tells which flows are under
 * way, and how much of them may be in the network: at most the window W, and at most their own
 * size. With w_i = min(W, wire bytes of S_i) / W, the link l carries when flow i starts
 *
 *     B_l = sum of w_j over the other flows j on l with s_j <= s_i < s_j + C_j    (earlier flows
 * only if s_j = s_i)
 *
 * windows. Of these, m_l = R_l / (rate of the sender of i) can be on their way at full rate; the
 * others wait, and delay the flow by at most about
 *
 *     q_i = sum over l of max(0, B_l + w_i - m_l) 8e9 W / R_l  [ns],
 *     log queue y_i = ln(1 + q_i / T_i).
 *
 * Congestion control makes queues shorter; the network learns by how much. B_l is also kept
 * by hop, for the link in either direction, as data that go the other way delay acknowledgements.
 *
 * Takes time in proportion to the links of all flows, besides the fluid simulation itself. Pure:
 * may be made by several threads at a time.
 */
class M3Fluid
{
  public:
    /// What stands in for a window where there is none [bytes].
    static constexpr uint64_t NO_WINDOW_BYTES = 1'000'000;

    /**
     * @param scenario the flows; must outlive this
     * @param windowCap whether windows are a cap on rates; false: as published, to compare with
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
     * @return B of the link there, when the flow starts [windows]
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

    /** @return when the last flow is complete, at least the last start [ns]. */
    int64_t GetEndNs() const
    {
        return m_endNs;
    }

    /**
     * @param network a configuration
     * @return W [bytes]: its window, at least a packet; NO_WINDOW_BYTES if there is none
     */
    static double GetWindowBytes(const DcnNetworkParameters& network);

  private:
    void Simulate(const DcnScenario& scenario, bool windowCap, std::vector<int64_t>& endNs);
    void Sweep(const DcnScenario& scenario, const std::vector<int64_t>& endNs);

    std::vector<float> m_logSlowdown;   //!< by flow
    std::vector<float> m_logQueue;      //!< by flow
    std::vector<std::size_t> m_offsets; //!< by flow: its first hop below
    std::vector<float> m_backlog;       //!< by flow and hop
    std::vector<float> m_reverse;       //!< by flow and hop
    int64_t m_endNs{0};                 //!< see GetEndNs
};

} // namespace ns3

#endif /* M3_FLUID_H */

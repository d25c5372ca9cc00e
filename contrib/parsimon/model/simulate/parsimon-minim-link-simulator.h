/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef PARSIMON_MINIM_LINK_SIMULATOR_H
#define PARSIMON_MINIM_LINK_SIMULATOR_H

#include "parsimon-link-simulator.h"

#include <cstdint>

namespace ns3
{

/**
 * @ingroup parsimon
 * @brief The rules of the published link simulator, minim (Parsimon, section 4.1), for DCTCP.
 *
 * It reproduces published figures; "lean" is closer to the packet engine. Notation: NIC rate R_s,
 * delay D_s from the source to the target, delay D_t from the start of the target to the
 * destination, target rate B; times are whole nanoseconds, tx(b, R) = round(8e9 b / R). Rules:
 *
 * - A source sends one packet at a time, in turn by packet over its flows in the order of arrival.
 *   A flow is skipped if its pacing does not allow it (next send = last send + tx(packet, rate)) or
 *   if its window is used up,
 *
 *       usable = max(0, round(W rate / R_s) - bytes in flight);
 *
 *   a packet carries min(rest, M, usable) bytes, so that a small window sends fragments. When a
 *   flow has sent its last byte, it leaves the list, and the turn skips one flow.
 * - A packet reaches the target tx(wire, R_s) + D_s after its start, waits in one unlimited queue,
 * and is marked on leaving it if more than K bytes remain. It is delivered tx(wire, B) + D_t later,
 * and its acknowledgement arrives D_s + D_t after that, at any load; there is no other link.
 *   traffic there is; there is no other link.
 * - The rate control is DcnDctcp's with one difference: an acknowledgement that both cuts the rate
 *   and ends a window also raises it by the additive step. (In the published program alpha can
 * become NaN when a window ends with no bytes in flight; not here.)
 * - A first-hop target (position FIRST_HOP) is the source's NIC: R_s is its available rate, D_s is
 * 0, and a queue of 100 times its capacity that never marks follows it.
 * - Alone in the topology a flow of s bytes takes, with m = min(M, s) and r = min(R_s, B),
 *
 *       tx(m + H, R_s) + tx(m + H, B) + floor((s - m) / M) tx(M + H, r)
 *         + tx((s - m) mod M + H, r) [if not 0] + D_s + D_t.
 *
 * K belongs to the capacity of the target, all other rules to its available rate. Events of the
 * same nanosecond occur in the order of their scheduling; the published program has another
 * arbitrary order.
 */
class ParsimonMinimLinkSimulator : public ParsimonLinkSimulator
{
  public:
    /**
     * @param network the configuration, which outlives this object
     * @throws DcnError if it is not DCTCP with a window and one marking threshold
     */
    explicit ParsimonMinimLinkSimulator(const DcnNetworkParameters& network);
    ParsimonLinkResult Simulate(const ParsimonLink& link) const override;
    bool IsThreadSafe() const override;
    std::string GetVersion() const override;

    /// Counts of a run.
    struct Counts
    {
        uint64_t packets{0};       //!< packets sent, fragments included
        uint64_t marked{0};        //!< packets marked
        uint64_t maxQueueBytes{0}; //!< longest queue at the target, the leaving packet not counted
    };

    /**
     * @brief Simulate once, and count.
     * @param link the topology
     * @param counts filled in
     * @return completion time of each flow [ns]
     */
    std::vector<int64_t> Run(const ParsimonLink& link, Counts& counts) const;

  private:
    const DcnNetworkParameters& m_network; //!< the configuration
};

} // namespace ns3

#endif /* PARSIMON_MINIM_LINK_SIMULATOR_H */

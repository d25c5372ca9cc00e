/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef PARSIMON_EDGE_SHARES_H
#define PARSIMON_EDGE_SHARES_H

#include "parsimon-link-builder.h"
#include "parsimon-link.h"

#include <cstdint>
#include <functional>
#include <vector>

namespace ns3
{

/**
 * @ingroup parsimon
 * @brief Mean rates of flows through each link of their paths, for the simulations of their other
 * links.
 *
 * A link topology does not contain the traffic that its flows meet elsewhere. Two flows to one
 * receiver queue two windows, less the bytes of a round trip, if each arrives at the rate of its
 * NIC. If one of them shares another link with a flow to another host, it has half of that rate,
 * and the queue is half as long. Flows that wait at one link with all bytes of their windows cannot
 * wait at another one at the same time. Without the shares, both cases cause queues that do not
 * exist in the network (Parsimon, section 3.6: no smoothing of cross traffic).
 *
 * Let w be the bytes of a flow on the wire, F_l the flows of link l, R_l its rate less
 * acknowledgements, and N_l(S) the flow's delay if only link l is shared, by the flows S, by
 * processor sharing (ParsimonNicDelays). Its mean rate through link l, its share, is
 *
 *     r_l = w / (w / R_l + N_l(F_l))
 *
 * but at least the minimum rate of the congestion control. A flow has no share of l
 *
 * - if it has at most one window of bytes (without a window: R_l times a round-trip time), which
 *   leave as a burst before the first acknowledgement;
 * - if sharing takes less than 5 % of its rate, or no more than the window does: r_l >= R' / 1.05,
 *   with R' the smallest of R_l, the rate of its NIC, and the window over the round-trip time.
 *
 * *Pace.* In the simulation of link h behind the NIC, a flow is paced at its least share of all
 * other links of its path (ParsimonLinkFlow::paceBps). It stays at the NIC of its host, so that the
 * flows of a host never come faster than its NIC. Flows are not paced if the topology of h has the
 * traffic that slows them: if, of every other link l with a share,
 *
 *     w / r_l <= 1.05 (w / R_l + N_l(F_l and F_h))
 *
 * Then they meet there packet by packet. In the extreme case of a permutation, all flows of a NIC
 * cross h, and one at a time: at mean rates they would come at the same time and queue.
 *
 * First-hop topologies are not changed. A flow's shares depend on the flows of its links in both
 * directions (acknowledgements) and, where a link has more bytes than it can carry, on the run
 * length T.
 */
class ParsimonEdgeShares
{
  public:
    /// Whether the plain topology of a directed link equals that of another scenario.
    using IsSame = std::function<bool(uint32_t)>;

    /**
     * @param builder makes the topologies of the links; outlives this object
     * @param before shares of another scenario with as many flows, or null
     * @param isSame links whose shares are taken from before
     */
    explicit ParsimonEdgeShares(const ParsimonLinkBuilder& builder,
                                const ParsimonEdgeShares* before = nullptr,
                                const IsSame& isSame = {});

    /**
     * @param flow flow index
     * @param hop position of a link on its path, from 0
     * @return its share of that link [bit/s]; 0 if it has none
     */
    uint64_t GetShare(std::size_t flow, std::size_t hop) const;

    /**
     * @param flow flow index
     * @param hop position of a link on its path, from 0
     * @return its least share of the other links [bit/s]; 0 if it has none
     */
    uint64_t GetLeastOther(std::size_t flow, std::size_t hop) const;

    /**
     * @brief Whether a flow's delay at its last link counts whole (ParsimonOverlap): it has a share
     * of that link by flows that do not come over the link before, where it has not waited for them.
     * @param flow flow index
     * @return whether w / r_l > 1.05 (w / R_l + N_l(F_l and F_g)) of the last link l and g before
     */
    bool IsWhole(std::size_t flow) const;

    /** @return the builder of the links. */
    const ParsimonLinkBuilder& GetBuilder() const;

    /**
     * @brief Pace flows.
     * @param link a topology of the builder
     */
    void Apply(ParsimonLink& link) const;

  private:
    void AddShares(uint32_t link);
    void FindWhole(uint32_t link);
    /// Whether flows that are not in commonNs slow a flow at a link of a rate.
    bool IsSlowed(const ParsimonLinkFlow& flow,
                  std::size_t hop,
                  uint64_t rateBps,
                  double commonNs) const;
    void MarkSlowed(const ParsimonLink& link, std::size_t hop, std::vector<char>& slowed) const;

    const ParsimonLinkBuilder& m_builder; //!< as given
    uint32_t m_payloadBytes;              //!< payload of a full data packet
    uint32_t m_headerBytes;               //!< headers of a data packet
    uint32_t m_ackBytes;                  //!< acknowledgement
    std::vector<std::size_t> m_offsets;   //!< by flow: its first share
    std::vector<uint64_t> m_shares;       //!< by flow and hop [bit/s], 0: none
    std::vector<char> m_isWhole;          //!< by flow, see IsWhole
};

} // namespace ns3

#endif /* PARSIMON_EDGE_SHARES_H */

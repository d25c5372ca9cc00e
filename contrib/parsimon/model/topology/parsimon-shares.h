/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef PARSIMON_SHARES_H
#define PARSIMON_SHARES_H

#include "parsimon-link-builder.h"
#include "parsimon-link.h"

#include <cstddef>
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
 * Let w be the bytes of a flow on the wire, w' these with the headers of ideal completion times
 * (ParsimonNicDelays), F_l the flows of link l, R_l its rate less acknowledgements, c its largest
 * rate alone (the smallest of R_l, the rate of its NIC, `max_rate_bps`, and, not for bursts, the
 * window over the round-trip time), and N_l(F) the flow's delay if only link l is shared, by the
 * flows F, by processor sharing with these limits (ParsimonNicDelays). Its mean rate through link
 * l, its share, is
 *
 *     r_l = w / (w' / c + N_l(F_l))
 *
 * but at least the minimum rate of the congestion control. A flow has no share of l
 *
 * - if it is a single packet;
 * - if sharing takes less than 5 % of its rate: r_l >= c / 1.05.
 *
 * A burst is a flow of at most one window of bytes (without a window: R_l times a round-trip time),
 * which leave before the first acknowledgement.
 *
 * In the simulation of a link h behind the first one, the flow is paced at the rate
 *
 *     r = least of r_l of the links l before h, and, unless the flow is a burst, of those
 *         r_l < r_h / 1.05 of the links l behind h
 *
 * with r_h infinite without a share of h. Links before h shape what comes to h. The window waits at
 * the link of the smallest share, and at the first one of equal shares, since it comes to the
 * others no faster than they serve it. A link behind h with a larger share than r_h thus takes
 * nothing off the waiting at h. If there is no such l, the flow is not paced.
 *
 * *Bursts.* No link behind h slows a burst, as it has left before an acknowledgement can tell. The
 * links before h spread it: a NIC sends its flows' packets in turn, and a first-in first-out queue
 * sends in turn the packets that come at the same time. Let two bursts of w bytes come at rate R to
 * a link of this rate, the second one d < w / R after the first. The first one is alone for d, then
 * both leave at R / 2, and the second one is alone for the last d. Each leaves over the time
 *
 *     d + 2 (w / R - d) = 2 w / R - d = w / R + N_l
 *
 * as by processor sharing, and comes to the next link at the rate r_l. With the rate R of its NIC,
 * the queue there would be too long: two bursts that meet there at rate R queue w - R d bytes, at
 * rate R / 2 none.
 *
 * *Flows that meet at their NIC.* The topology of h has the NICs of hosts, and their flows that
 * cross h. If the NIC, l = 1, shared by these flows alone, slows a flow as much as r does,
 *
 *     w / r <= 1.05 (w' / R_1 + N_1(F_1 and F_h))
 *
 * (N_1 has the time of the window here; with `max_rate_bps`, R_1 is at most that), then it is not
 * paced, and waits there packet by packet. In a permutation, for example, all flows of a NIC cross
 * h, one after the other. At mean rates alone, they would come at the same time and queue, which
 * the flows of one NIC cannot do at a link that is at least as fast. Flows that meet at any other
 * link are paced: the topology of h has no such link, so that they would come to h as fast as their
 * NICs send.
 *
 * *Pace and window.* A pace limits the packets that the NIC sends, as the flow's other links do. It
 * is not the largest rate of its congestion control: that stays the NIC's, c, and the window at the
 * rate r is W r / c. With a largest rate of p it would be W r / p, and the queue of a link whose
 * flows go at their smallest rate too long by the factor c / p.
 *
 * *Pace and NIC.* A paced flow shares the NIC of its host if the NIC is full at any time at which
 * the flow is there: if the rates of the flows that cross h, by processor sharing with r among the
 * limits, add up to R_1. Else no flow of the NIC can slow another one, and the flow has a NIC of
 * its own, of the same rate, which is faster to simulate. A link simulator that cannot pace
 * (ParsimonLinkSimulator::CanPace) has NICs of their own of the rate r for all of these flows, with
 * round-trip times preserved as far as their delays allow.
 *
 * First-hop topologies are not changed. A flow's shares depend on the flows of its links in both
 * directions (acknowledgements) and, where a link has more bytes than it can carry, on the run
 * length T.
 */
class ParsimonShares
{
  public:
    /// Whether the plain topology of a directed link equals that of another scenario.
    using IsSame = std::function<bool(uint32_t)>;

    /**
     * @param builder makes the topologies of the links; outlives this object
     * @param before shares of another scenario with as many flows, or null
     * @param isSame links whose shares are taken from before
     */
    explicit ParsimonShares(const ParsimonLinkBuilder& builder,
                            const ParsimonShares* before = nullptr,
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
     * @return whether its share of that link slows it at the links before: it has one and is no
     * burst
     */
    bool SlowsBefore(std::size_t flow, std::size_t hop) const;

    /**
     * @param flow flow index
     * @param hop position of a link on its path, from 0
     * @return r, at which it comes to that link by its shares of others [bit/s]; 0 if it has none
     * that counts there
     */
    uint64_t GetLeastOther(std::size_t flow, std::size_t hop) const;

    /**
     * @param other shares of another scenario with as many flows
     * @param flow flow index
     * @return whether the flow has equal shares, by hop, in both
     */
    bool HasEqualShares(const ParsimonShares& other, std::size_t flow) const;

    /**
     * @brief Pace flows at their rates r, or give them NICs of their own.
     * @param link a topology of the builder, in which every source is a host's NIC; own NICs have
     * numbers beyond all links
     * @param paces whether the link simulator follows ParsimonLinkFlow::paceBps; if not, all flows
     * with a rate r get NICs of their own
     */
    void Apply(ParsimonLink& link, bool paces) const;

  private:
    void AddShares(uint32_t link);
    void GiveOwnNic(ParsimonLink& link, ParsimonLinkFlow& flow, bool paces) const;

    const ParsimonLinkBuilder& m_builder; //!< as given
    uint32_t m_payloadBytes;              //!< payload of a full data packet
    uint32_t m_headerBytes;               //!< headers of a data packet
    uint32_t m_ackBytes;                  //!< acknowledgement
    std::vector<std::size_t> m_offsets;   //!< by flow: its first share; at the end: their number
    std::vector<uint64_t> m_shares;       //!< by flow and hop [bit/s], 0: none
    std::vector<char> m_isBurst;          //!< by flow and hop: its share is a burst's
};

} // namespace ns3

#endif /* PARSIMON_SHARES_H */

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
 * @brief Mean rates of flows through the first and the last link of their paths, for the
 * simulations of their other links.
 *
 * A link topology does not contain the traffic that its flows meet elsewhere. Two flows to one
 * receiver queue two windows, less the bytes of a round trip, if each arrives at the rate of its
 * NIC. If one of them shares its NIC with a flow to another host, it has half of that rate, and the
 * queue is half as long. Flows that wait at their last link with all bytes of their windows cannot
 * wait between switches at the same time. Without the shares, both cases cause queues that do not
 * exist in the network (Parsimon, section 3.6: no smoothing of cross traffic).
 *
 * Let w be the bytes of a flow on the wire, R the rate of its first or last link less
 * acknowledgements, and N its delay if only that link is shared, by processor sharing
 * (ParsimonNicDelays). Its mean rate through that link is
 *
 *     r = w / (w / R + N)
 *
 * In the simulation of another link the flow has a NIC of its own, at the rate
 *
 *     r_first              at the last link
 *     min(r_first, r_last) between switches,
 *
 * but at least the minimum rate of the congestion control. Its round-trip time is preserved as far
 * as its delay allows. All of its delay in that simulation, FCT - ideal, is then caused by that
 * link. The flow keeps the NIC of its host
 *
 * - if it has at most one window of bytes (without a window: R times a round-trip time), which
 * leave as a burst before the first acknowledgement;
 * - if sharing takes less than 5 % of its rate, or no more than the window does: r >= R' / 1.05,
 * with R' the smallest of R, the rate of its NIC, and the window over the round-trip time.
 *
 * First-hop topologies are not changed. A flow's shares depend on the flows of its two edge links,
 * in both directions (acknowledgements), and, where a link has more bytes than it can carry, on the
 * run length T. Changes elsewhere in the network do not affect them.
 */
class ParsimonEdgeShares
{
  public:
    /// Whether the plain topology of a directed link equals that of another scenario.
    using IsSame = std::function<bool(uint32_t)>;

    /**
     * @param builder makes the topologies of the edge links
     * @param before shares of another scenario with as many flows, or null
     * @param isSame edge links whose shares are taken from before
     */
    explicit ParsimonEdgeShares(const ParsimonLinkBuilder& builder,
                                const ParsimonEdgeShares* before = nullptr,
                                const IsSame& isSame = {});

    /**
     * @param flow flow index
     * @param position of a link of its path
     * @return rate of the flow's own NIC in that link's topology [bit/s]; 0 if it has none
     */
    uint64_t GetRate(std::size_t flow, ParsimonPosition position) const;

    /**
     * @param flow flow index
     * @return whether its share of its last link counts at the links before
     */
    bool HasLast(std::size_t flow) const;

    /**
     * @brief Give flows NICs of their own.
     * @param link a topology of the builder; own NICs have numbers beyond all links
     */
    void Apply(ParsimonLink& link) const;

  private:
    uint32_t m_nLinks;    //!< directed links of the topology
    uint32_t m_dataBytes; //!< full data packet on the wire
    uint32_t m_ackBytes;  //!< acknowledgement
    std::vector<uint64_t>
        m_first; //!< by flow: r_first if the flow has a NIC of its own, else 0 [bit/s]
    std::vector<uint64_t>
        m_last; //!< by flow: r_last if the flow has a NIC of its own, else 0 [bit/s]
};

} // namespace ns3

#endif /* PARSIMON_EDGE_SHARES_H */

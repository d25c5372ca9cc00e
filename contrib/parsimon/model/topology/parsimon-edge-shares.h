/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef PARSIMON_EDGE_SHARES_H
#define PARSIMON_EDGE_SHARES_H

#include "parsimon-link-builder.h"
#include "parsimon-link.h"

#include "ns3/dcn-scenario.h"

#include <cstdint>
#include <vector>

namespace ns3
{

class ParsimonUnchanged;

/**
 * @ingroup parsimon
 * @brief How fast the first and the last link of its path let a flow through, for the simulations
 * of its other links.
 *
 * A link topology knows nothing of the traffic that its flows meet elsewhere. Two flows that come
 * to a receiver queue two windows less what a round trip takes, if each comes at the rate of its
 * interface; if one of them has to share its interface with a flow to another host, it has half of
 * that rate, and the queue is half as long. Flows that wait at their last link, with all bytes that
 * their windows allow, cannot at the same time wait between switches. Both make queues that are not
 * there (Parsimon, section 3.6: no smoothing of cross traffic).
 *
 * With w the bytes of a flow on the wire, R the rate of its first or last link, less
 * acknowledgements, and N what it loses there if that link alone is shared, by processor sharing
 * (ParsimonInterfaceDelays), its mean rate through that link is
 *
 *     r = w / (w / R + N)
 *
 * Where it is simulated at another link, a flow has an interface of its own, of the rate
 *
 *     r_first              at the last link
 *     min(r_first, r_last) between switches,
 *
 * but at least the lowest rate of the congestion control; its round trip stays as it is as far as
 * its delay allows. Its delay in that simulation, FCT - ideal, is then all new there. It keeps the
 * interface of its host
 *
 * - up to one window of bytes (without a window: what R sends in a round trip). These leave before
 *   the first acknowledgement, as a burst;
 * - if that takes less than 5 % of its rate, or the window takes as much: r >= R' / 1.05 with R'
 *   the smallest of R, the rate of its interface, and the window over the round trip.
 *
 * First-hop topologies stay as they are. A flow's shares depend on the flows of its two edge links,
 * in both directions (acknowledgements), and, where a link has more than it can carry, on the run
 * length T. Other changes elsewhere in the network leave them.
 */
class ParsimonEdgeShares
{
  public:
    /**
     * @param scenario the flows
     * @param builder makes the topologies of their edge links
     * @param before shares of a scenario of the same flows, or null
     * @param unchanged tells which of these edge links were the same there; with before
     */
    ParsimonEdgeShares(const DcnScenario& scenario,
                       const ParsimonLinkBuilder& builder,
                       const ParsimonEdgeShares* before = nullptr,
                       const ParsimonUnchanged* unchanged = nullptr);

    /**
     * @param flow flow index
     * @param position of a link of its path
     * @return rate of the flow's own interface in that link's topology [bit/s]; 0 if it has none
     */
    uint64_t GetRate(std::size_t flow, ParsimonPosition position) const;

    /**
     * @brief Give flows their own interfaces.
     * @param link a topology of the builder; own interfaces are numbered beyond all links
     */
    void Apply(ParsimonLink& link) const;

  private:
    uint32_t m_nLinks;             //!< directed links of the topology
    uint32_t m_dataBytes;          //!< full data packet on the wire
    uint32_t m_ackBytes;           //!< acknowledgement
    std::vector<uint64_t> m_first; //!< by flow: r_first if it counts, else 0 [bit/s]
    std::vector<uint64_t> m_last;  //!< by flow: r_last if it counts, else 0 [bit/s]
};

} // namespace ns3

#endif /* PARSIMON_EDGE_SHARES_H */

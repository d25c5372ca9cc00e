/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef PARSIMON_DECOMPOSITION_H
#define PARSIMON_DECOMPOSITION_H

#include "parsimon-link-builder.h"
#include "parsimon-link.h"

#include "ns3/dcn-network-config.h"
#include "ns3/dcn-scenario.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace ns3
{

class ParsimonEdgeShares;

/**
 * @ingroup parsimon
 * @brief A scenario as its link simulations see it: a complete link topology per directed link.
 *
 * By the published rules a topology is the one of ParsimonLinkBuilder. The default rules correct it
 * twice. First, pairs get the round trip that they have in the network. A plain topology keeps the
 * propagation delays of the links left out, but not the time that a packet needs to be sent on each
 * of them: across a fabric of 10 and 40 Gb/s with 12 us of propagation, 1.7 us of 14.7. With a
 * window near the bandwidth-delay product, that is most of the queueing that a flow can stand
 * before its window holds it back: flows would put too much into queues and lose too little
 * themselves. With t(l) the time that link l takes to send a full packet and its acknowledgement,
 * and b the link behind the target that stands for the last ones,
 *
 *     1/2 sum_(left out before) t(l)            is added to the delay of the source
 *     1/2 (sum_(left out behind) t(l) - t(b))   to that of the destination
 *
 * since acknowledgements take each delay a second time. Only through the window does this change
 * the delays of flows: completion times and ideal ones grow alike. Where several paths share an
 * endpoint, the path of its first flow counts. Second, flows come at the rates that the edges of
 * the network leave them (ParsimonEdgeShares).
 *
 * Changed scenarios. Given the decomposition of the scenario before a change, IsSame finds the
 * topologies that have not changed, without making them: comparing takes some nanoseconds per flow
 * and hop, making topologies and their keys a thousand times as much. A topology is the same if
 *
 * - the link's rate, delay and rate of acknowledgements are the same, and the same flows cross it;
 * - each of these flows has the same size, start, ends, first and last link, as many hops of the
 *   same rates and delays, the links that its two paths share at the same hops, and a NIC with the
 *   same rate of acknowledgements (elsewhere on its path it may have moved);
 * - and each has the same shares at the edge.
 *
 * If the two scenarios do not have the same flows, no topology counts as the same.
 */
class ParsimonDecomposition
{
  public:
    /**
     * @param scenario flows, paths and network
     * @param rules of the topologies
     * @param before decomposition of the scenario before a change, by the default rules; or null
     * @throws DcnError as ParsimonLinkBuilder
     */
    ParsimonDecomposition(Ptr<const DcnScenario> scenario,
                          ParsimonRules rules,
                          const ParsimonDecomposition* before = nullptr);

    ~ParsimonDecomposition();

    /** @return the plain topologies, flows by link, and the scenario. */
    const ParsimonLinkBuilder& GetBuilder() const;

    /**
     * @brief Make the complete topology of one target; several threads may call it.
     * @param link directed link index of the target
     * @return the topology
     * @throws DcnError as ParsimonLinkBuilder::Build
     */
    ParsimonLink Make(uint32_t link) const;

    /**
     * @brief Make a scenario of a topology, with the numbers of hosts, switches and flows here
     * (ParsimonMakeLinkScenario).
     * @param link one of the topologies
     * @return the scenario, which DcnWriteScenario can write and any method can run
     */
    Ptr<const DcnScenario> MakeScenario(const ParsimonLink& link) const;

    /**
     * @param flow flow index
     * @param position of a link of its path
     * @return rate of the flow's own NIC in that link's topology [bit/s]; 0 if it has none
     */
    uint64_t GetEdgeShare(std::size_t flow, ParsimonPosition position) const;

    /**
     * @param flow flow index
     * @return whether its share of its last link counts at the links before
     */
    bool HasLastShare(std::size_t flow) const;

    /**
     * @param link directed link index
     * @return whether its topology is the one before the change; false if none was given
     */
    bool IsSame(uint32_t link) const;

    /**
     * @brief Whether nothing changes for a flow: all links of its path have the same topologies.
     *
     * Then they have the same results, and the flow's path, shares, ideal completion time and
     * ParsimonOverlap are the same, too. So is its estimate from its own delays, where links do not
     * share results (clustering).
     *
     * @param flow flow index
     * @return whether its estimate from its own delays is the one before the change
     */
    bool IsSameEstimate(std::size_t flow) const;

  private:
    /// Find topologies that are the same but for the shares at the edge.
    void CompareTopologies(const ParsimonLinkBuilder& before);
    /// Take back links of flows with other shares at the edge.
    void CompareShares(const ParsimonEdgeShares& before);
    /// Give pairs their round trip, see above.
    void KeepRoundTrips(ParsimonLink& link) const;

    ParsimonLinkBuilder m_builder;                      //!< plain topologies
    std::unique_ptr<const ParsimonEdgeShares> m_shares; //!< default rules only
    std::vector<char> m_isSame;                         //!< by link; empty: none is
};

} // namespace ns3

#endif /* PARSIMON_DECOMPOSITION_H */

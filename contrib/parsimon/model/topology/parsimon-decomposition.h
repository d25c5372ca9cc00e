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

class ParsimonShares;

/**
 * @ingroup parsimon
 * @brief Decomposition of a scenario into complete link topologies, one per directed link.
 *
 * The published rules take the topologies of ParsimonLinkBuilder. The default rules correct them
 * twice. First, pairs of hosts get their round-trip time in the network. A plain topology keeps the
 * propagation delays of the omitted links, but not the time to send a packet on each of them:
 * across a fabric of 10 and 40 Gb/s with 12 us of propagation, 1.7 us of 14.7 us. With a window
 * near the bandwidth-delay product, these bytes are most of the queueing that a flow can have
 * before its window limits it: without them, flows would cause too much queueing and suffer too
 * little themselves. With t(l) the time that link l takes to send a full packet and its
 * acknowledgement, and b the link behind the target that replaces the last links, the corrections
 * are
 *
 *     1/2 sum_(links omitted before) t(l)              to the delay of the source
 *     1/2 (sum_(links omitted behind) t(l) - t(b))     to the delay of the destination
 *
 * since acknowledgements take each delay a second time. The correction changes the delays of flows
 * through the window only: completion times and ideal ones grow alike. Where several paths share an
 * endpoint, the path of its first flow determines the correction. Second, flows
 * arrive at the rates that their other links leave them (ParsimonShares).
 *
 * Changed scenarios. Given the decomposition of the scenario before a change, IsSame finds the
 * unchanged topologies without building them: a comparison takes some nanoseconds per flow and hop,
 * topologies and their keys a thousand times as much. A topology is unchanged if
 *
 * - the link's rate, delay and rate of acknowledgements are unchanged, and the same flows cross it;
 * - each of these flows has the same size, start, ends, first and last link, number of hops and
 *   their rates and delays, the same hops that its two paths share, and a NIC with the same rate of
 *   acknowledgements (its path may differ elsewhere);
 * - and each has the same shares of all links of its path.
 *
 * If the two scenarios have different flows, every topology counts as changed.
 */
class ParsimonDecomposition
{
  public:
    /**
     * @param scenario flows, paths and network
     * @param rules of the topologies
     * @param before decomposition of the scenario before a change, by the default rules; or null
     * @param paces whether the link simulator can pace (ParsimonShares::Apply)
     * @throws DcnError as ParsimonLinkBuilder
     */
    ParsimonDecomposition(Ptr<const DcnScenario> scenario,
                          ParsimonRules rules,
                          const ParsimonDecomposition* before = nullptr,
                          bool paces = false);

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
     * @brief Convert a topology to a scenario with the original numbers of hosts, switches and
     * flows (ParsimonMakeLinkScenario).
     * @param link one of the topologies
     * @return the scenario, which DcnWriteScenario can write and any method can run
     */
    Ptr<const DcnScenario> MakeScenario(const ParsimonLink& link) const;

    /**
     * @param flow flow index
     * @param hop position of a link on its path, from 0
     * @return whether it has a share of that link (ParsimonShares) that slows it at the links
     * before
     */
    bool HasShare(std::size_t flow, std::size_t hop) const;

    /**
     * @param link directed link index
     * @return whether its topology is unchanged; false without a decomposition before the change
     */
    bool IsSame(uint32_t link) const;

    /**
     * @brief Whether a flow is unaffected by the change: all links of its path have unchanged
     * topologies, and the run length, of which loads are made, is unchanged.
     *
     * Their results, and the flow's path, shares, ideal completion time and ParsimonOverlap, are
     * then unchanged. So is its estimate from its own delays, if links do not share results
     * (clustering).
     *
     * @param flow flow index
     * @return whether its estimate from its own delays is unchanged
     */
    bool IsSameEstimate(std::size_t flow) const;

  private:
    /// Find topologies that are unchanged apart from the shares.
    void CompareTopologies(const ParsimonLinkBuilder& before);
    /// Exclude links of flows with changed shares.
    void CompareShares(const ParsimonShares& before);
    /// Correct the round-trip times of pairs, see above.
    void KeepRoundTrips(ParsimonLink& link) const;

    ParsimonLinkBuilder m_builder;                  //!< plain topologies
    std::unique_ptr<const ParsimonShares> m_shares; //!< default rules only
    bool m_paces;                                   //!< as given
    bool m_hasSameRun{false};   //!< run length, and with it the loads, as before the change
    std::vector<char> m_isSame; //!< by link, see IsSame; empty: all changed
};

} // namespace ns3

#endif /* PARSIMON_DECOMPOSITION_H */

/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef PARSIMON_UNCHANGED_H
#define PARSIMON_UNCHANGED_H

#include "parsimon-edge-shares.h"
#include "parsimon-link-builder.h"

#include <cstdint>
#include <vector>

namespace ns3
{

/**
 * @ingroup parsimon
 * @brief Which link topologies are the same as before a change, without making them.
 *
 * The input of a link's simulation (ParsimonLink, ParsimonKeepRoundTrip, ParsimonEdgeShares) is the
 * same if
 *
 * - the link's rate, delay and rate of acknowledgements are, and the same flows cross it;
 * - each of them has the size, start, ends, first and last link that it had, as many hops of the
 *   same rates and delays, the links that its two paths share at the same hops, and an interface
 *   with the same rate of acknowledgements;
 * - and it has the same shares at the edge.
 *
 * A flow may have moved elsewhere on its path. Comparing takes some nanoseconds per flow and hop,
 * where making topologies and their keys takes a thousand. If the two scenarios do not have the
 * same flows, nothing counts as the same.
 *
 * The point estimate of a flow by its own delays (ParsimonPredictor) is the same if all links of
 * its path are: they have the same results and flows, so that its path, its shares and its ideal
 * completion time are the same, and the overlap of two of them (ParsimonOverlap), too: what crosses
 * both crossed both before, at the same hops.
 */
class ParsimonUnchanged
{
  public:
    /**
     * @param before link topologies before
     * @param now link topologies now
     */
    ParsimonUnchanged(const ParsimonLinkBuilder& before, const ParsimonLinkBuilder& now);

    /**
     * @brief Look at shares at the edge, too.
     * @param before shares before
     * @param now shares now
     */
    void Compare(const ParsimonEdgeShares& before, const ParsimonEdgeShares& now);

    /**
     * @param link directed link index
     * @return whether its topology is the same
     */
    bool IsSame(uint32_t link) const;

    /**
     * @param flow flow index
     * @return whether its point estimate is the same, where links are not shared (clustering) and
     * own delays are used
     */
    bool IsSameEstimate(std::size_t flow) const;

  private:
    const DcnScenario& m_scenario; //!< now
    std::vector<char> m_isSame;    //!< by link
    bool m_hasSameFlows{false};    //!< as many flows and links as before
};

} // namespace ns3

#endif /* PARSIMON_UNCHANGED_H */

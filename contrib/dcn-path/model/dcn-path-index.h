/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef DCN_PATH_INDEX_H
#define DCN_PATH_INDEX_H

#include "ns3/dcn-flow.h"
#include "ns3/dcn-scenario.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace ns3
{

/**
 * @ingroup dcn-path
 * @brief All paths that have flows, their foreground flows, and the flows of every link.
 *
 * Problem (m3, section 3.2, "path-level decomposition"). Given a scenario with flows i = 0 ...
 * N - 1 and their directed links P(i) = (l_1, ..., l_h), a path is an ordered pair of hosts
 * together with the exact sequence of directed links between them. Two flows are foreground flows
 * of the same path if and only if their sequences of links are equal, so that every flow is a
 * foreground flow of exactly one path and
 *
 *     sum over the paths p of F(p) = N,   F(p) = number of foreground flows of p.
 *
 * Flows on a link l are { i : l in P(i) }; those that share a link with a path without being its
 * foreground are its background (DcnFindPathTraffic).
 *
 * Paths are numbered in the order of their first flow, and flows are listed ascending, which is the
 * order of their start. Both indices are in compressed rows: 4 bytes per flow and 4 per flow and
 * link. Equal sequences are found by hashing and told apart by comparison, in expected time
 * proportional to the number of links of all flows.
 */
class DcnPathIndex
{
  public:
    /**
     * @param scenario the flows and their paths
     * @throws DcnError if there are 2^32 - 1 flows or more
     */
    explicit DcnPathIndex(Ptr<const DcnScenario> scenario);

    /** @return what is decomposed. */
    const DcnScenario& GetScenario() const;

    /** @return the number of paths with flows. */
    uint32_t GetNPaths() const;

    /**
     * @param flow flow index
     * @return the path of which it is a foreground flow
     */
    uint32_t GetPathOf(std::size_t flow) const;

    /**
     * @param path number of a path
     * @return its directed links
     */
    DcnPath GetLinks(uint32_t path) const;

    /**
     * @param path number of a path
     * @return its foreground flows, ascending, at least one; kept by the path index
     */
    DcnIndexSpan GetForeground(uint32_t path) const;

    /**
     * @param link directed link index
     * @return the flows that cross it, ascending; kept by the path index
     */
    DcnIndexSpan GetFlowsOnLink(uint32_t link) const;

  private:
    void NumberPaths();
    void ListForeground();
    void ListLinks();

    Ptr<const DcnScenario> m_scenario;      //!< what is decomposed
    std::vector<uint32_t> m_pathOf;         //!< by flow
    std::vector<uint32_t> m_foreground;     //!< flows by path
    std::vector<std::size_t> m_pathOffsets; //!< path p has [p, p + 1) of m_foreground
    std::vector<uint32_t> m_linkFlows;      //!< flows by directed link
    std::vector<std::size_t> m_linkOffsets; //!< link l has [l, l + 1) of m_linkFlows
};

} // namespace ns3

#endif /* DCN_PATH_INDEX_H */

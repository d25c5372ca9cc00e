/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef PARSIMON_LINK_INDEX_H
#define PARSIMON_LINK_INDEX_H

#include "parsimon-link.h"

#include "ns3/dcn-flow.h"
#include "ns3/dcn-scenario.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace ns3
{

/**
 * @ingroup parsimon
 * @brief The flows of each directed link, and the places of a flow in the lists of its links.
 *
 * A link's flows are in the order of their indices, which is (start, id), the order of
 * ParsimonLink::flows. The index takes 8 bytes per flow and hop.
 */
class ParsimonLinkIndex
{
  public:
    /**
     * @param scenario the flows and their paths
     * @throws DcnError if a flow crosses no link, or there are more flows than 32 bits count
     */
    explicit ParsimonLinkIndex(const DcnScenario& scenario);

    /** @return the number of directed links of the topology. */
    uint32_t GetNLinks() const;

    /**
     * @param link directed link index
     * @return the number of flows that cross it
     */
    uint32_t GetNFlows(uint32_t link) const;

    /**
     * @param link directed link index
     * @return the flows that cross it, ascending: by (start, id); valid as long as the index
     */
    DcnIndexSpan GetFlows(uint32_t link) const;

    /**
     * @param link directed link index
     * @return payload bytes of its flows
     */
    uint64_t GetBytes(uint32_t link) const;

    /**
     * @param flow flow index
     * @param hop position of a link on its path, from 0
     * @return position of the flow among the flows of that link
     */
    uint32_t GetPlace(std::size_t flow, std::size_t hop) const;

    /**
     * @param topology the network
     * @param link directed link index
     * @return the place of the link on the paths of flows
     */
    static ParsimonPosition GetPosition(const DcnTopology& topology, uint32_t link);

  private:
    std::vector<std::size_t> m_hopOffsets;  //!< by flow: its first entry of m_places
    std::vector<uint32_t> m_places;         //!< by flow and hop, see GetPlace
    std::vector<std::size_t> m_linkOffsets; //!< by link: its first entry of m_flows
    std::vector<uint32_t> m_flows;          //!< by link
    std::vector<uint64_t> m_bytes;          //!< by link
};

} // namespace ns3

#endif /* PARSIMON_LINK_INDEX_H */

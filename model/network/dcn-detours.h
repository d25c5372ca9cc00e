/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef DCN_DETOURS_H
#define DCN_DETOURS_H

#include "dcn-routing.h"

#include <cstdint>
#include <memory>
#include <set>
#include <vector>

namespace ns3
{

/**
 * @ingroup dcn
 * @brief Paths of flows around failed cables, for scenarios that change (DcnScenarioChange) and for
 * networks that change while they run (DcnFlowNetwork::FailLink).
 *
 * **Rule.** A flow whose path has a failed link keeps its hops up to the first one that is not on a
 * shortest path of working links, and is routed from there by DcnRouting over the working links,
 * with that node instead of its source in the hash: the flows of a failed link spread evenly over
 * the other links. (With the hash that chose the failed link they would all choose one or two
 * neighbours, since the choice is proportional to the hash.) Other flows keep their paths, as with
 * resilient hashing; plain hashing by the number of links would also move flows of the group's
 * other links.
 */
class DcnDetours
{
  public:
    /**
     * @param topology the network
     * @param failed its failed cables, by link index / 2
     * @param seed ECMP seed, that of the paths
     */
    DcnDetours(const DcnTopology& topology, const std::set<uint32_t>& failed, uint64_t seed);

    /**
     * @param path links of a path
     * @return whether one of them has failed
     */
    bool IsCut(DcnPath path) const;

    /**
     * @brief Find the path of a new flow, or of a flow whose path is cut.
     * @param before its previous path; empty for a new flow
     * @param flow the flow
     * @param links set to its path, in the topology's numbers; empty if there is none
     */
    void Find(DcnPath before, DcnFlow flow, std::vector<uint32_t>& links) const;

  private:
    std::set<uint32_t> m_failed;                 //!< see the constructor
    std::vector<uint32_t> m_working;             //!< other cables, by their position in m_routing
    std::unique_ptr<const DcnRouting> m_routing; //!< on the working cables
};

} // namespace ns3

#endif /* DCN_DETOURS_H */

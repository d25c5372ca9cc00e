/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef DCN_SCENARIO_CHANGE_H
#define DCN_SCENARIO_CHANGE_H

#include "dcn-scenario.h"

#include "ns3/dcn-flow.h"

#include <cstdint>
#include <map>
#include <set>
#include <unordered_map>
#include <utility>
#include <vector>

namespace ns3
{

/**
 * @ingroup dcn
 * @brief Changes of a scenario: links that fail or change their rate, flows that come or move.
 *
 * The changed scenario has the nodes and links of the given one, with the same numbers; links that
 * have failed are there, but no flow crosses them. Its paths are pinned, so that every method
 * means the same, the packet engine included:
 *
 * - a flow keeps its path if all of its links still work (resilient hashing: a failure moves the
 *   flows of the failed link and no others);
 * - otherwise it keeps its hops up to the first one that is not on a shortest path of working
 *   links, and is routed from there by DcnRouting with that node in place of its source in the
 *   hash: the flows of a failed link spread evenly over the others. (The hash that chose the failed
 *   link would have all of them choose one or two neighbours, as it is in proportion to the place.)
 * - if it is new or has other ends, it is routed by DcnRouting, with the scenario's seed, on the
 *   topology without the failed links.
 *
 * With plain hashing by the number of links, flows of other links of the group would move, too.
 */
class DcnScenarioChange
{
  public:
    /**
     * @brief A cable fails, both directions.
     * @param link one of its directed link indices
     * @return this object
     */
    DcnScenarioChange& FailLink(uint32_t link);

    /**
     * @brief A cable gets another rate, both directions.
     * @param link one of its directed link indices
     * @param rateBps its rate [bit/s], > 0
     * @return this object
     */
    DcnScenarioChange& SetRate(uint32_t link, uint64_t rateBps);

    /**
     * @brief There is one more flow.
     * @param flow the flow, with an id of its own
     * @return this object
     */
    DcnScenarioChange& AddFlow(const DcnFlow& flow);

    /**
     * @brief A flow gets other ends.
     * @param flow its id
     * @param src node index of its source now
     * @param dst node index of its destination now
     * @return this object
     */
    DcnScenarioChange& MoveFlow(uint64_t flow, uint32_t src, uint32_t dst);

    /**
     * @brief Make the changed scenario.
     * @param scenario the scenario to change
     * @return the scenario after the changes
     * @throws DcnError for links or flows that are not there, and if flows have no path left: it
     * names up to five of them
     */
    Ptr<const DcnScenario> Apply(Ptr<const DcnScenario> scenario) const;

    /** @return whether a link fails. */
    bool HasFailures() const;

  private:
    std::set<uint32_t> m_failed;          //!< cables, by link index / 2
    std::map<uint32_t, uint64_t> m_rates; //!< rate by cable
    std::vector<DcnFlow> m_added;         //!< new flows
    /// New source and destination by flow id.
    std::unordered_map<uint64_t, std::pair<uint32_t, uint32_t>> m_moved;
};

} // namespace ns3

#endif /* DCN_SCENARIO_CHANGE_H */

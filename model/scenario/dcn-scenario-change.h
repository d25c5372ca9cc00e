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
 * @brief Changes of a scenario: failed links, changed rates, added and moved flows.
 *
 * The changed scenario has the nodes and links of the original one, with equal numbers; failed
 * links stay in it, but no flow crosses them. Its paths are pinned, so that all methods, the packet
 * engine included, use equal paths:
 *
 * - a flow keeps its path if all of its links work, and has a detour otherwise (DcnDetours);
 * - a new or moved flow is routed by DcnRouting, with the scenario's seed, on the topology without
 * the failed links.
 */
class DcnScenarioChange
{
  public:
    /**
     * @brief Let a cable fail, both directions.
     * @param link one of its directed link indices
     * @return this object
     */
    DcnScenarioChange& FailLink(uint32_t link);

    /**
     * @brief Change the rate of a cable, both directions.
     * @param link one of its directed link indices
     * @param rateBps its rate [bit/s], > 0
     * @return this object
     */
    DcnScenarioChange& SetRate(uint32_t link, uint64_t rateBps);

    /**
     * @brief Add a flow.
     * @param flow the flow, with an id of its own
     * @return this object
     */
    DcnScenarioChange& AddFlow(const DcnFlow& flow);

    /**
     * @brief Move a flow to other hosts.
     * @param flow its id
     * @param src node index of its new source
     * @param dst node index of its new destination
     * @return this object
     */
    DcnScenarioChange& MoveFlow(uint64_t flow, uint32_t src, uint32_t dst);

    /**
     * @brief Create the changed scenario.
     * @param scenario the scenario to change
     * @return the scenario after the changes
     * @throws DcnError for unknown links or flows, and for flows without a path: it names up to
     * five of them
     */
    Ptr<const DcnScenario> Apply(Ptr<const DcnScenario> scenario) const;

    /** @return true if a link fails. */
    bool HasFailures() const;

  private:
    /// Position of a flow that the scenario does not have, or not with these ends.
    static constexpr std::size_t NEW = static_cast<std::size_t>(-1);

    /// Sets the flows after the change; returns their positions in the scenario, or NEW.
    std::vector<std::size_t> ChangeFlows(const DcnScenario& scenario,
                                         std::vector<DcnFlow>& flows) const;
    /// Returns the paths of flows, which keep theirs if they can; origins as by ChangeFlows.
    DcnPathTable FindPaths(const DcnScenario& scenario,
                           const std::vector<DcnFlow>& flows,
                           const std::vector<std::size_t>& origins) const;

    std::set<uint32_t> m_failed;          //!< cables, by link index / 2
    std::map<uint32_t, uint64_t> m_rates; //!< rate by cable
    std::vector<DcnFlow> m_added;         //!< new flows
    /// New source and destination by flow id.
    std::unordered_map<uint64_t, std::pair<uint32_t, uint32_t>> m_moved;
};

/**
 * @ingroup dcn
 * @brief Draw cables between switches, such as those that fail one at a time.
 * @param topology the network
 * @param n number of cables
 * @param seed of the draw
 * @return cables without repetition, each by its first directed link index
 * @throws DcnError if the network has fewer
 */
std::vector<uint32_t> DcnDrawCables(const DcnTopology& topology, std::size_t n, uint64_t seed);

} // namespace ns3

#endif /* DCN_SCENARIO_CHANGE_H */

/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef FLOWSIM_BOTTLENECK_GRAPH_H
#define FLOWSIM_BOTTLENECK_GRAPH_H

#include "flowsim-link-loads.h"
#include "flowsim-path-group-table.h"

#include <cstdint>
#include <vector>

namespace ns3
{

/**
 * @ingroup flowsim
 * @brief Bookkeeping of FlowsimMaxMinSolver: the bottleneck of every path group.
 *
 * Extends the loads by the path groups that cause them. A path group with flows is in the class of
 * one link of its path; that link lists it as a member, and every other link of the path lists it
 * among the path groups that cross it, by class. The link of a class has the lowest level on the
 * paths of its path groups, up to rounding.
 */
class FlowsimBottleneckGraph : public FlowsimLinkLoads
{
  public:
    using PathGroupId = uint32_t; //!< Dense reusable handle of a path group
    using HopId = uint32_t;       //!< Index of one hop of one path group

    /**
     * @brief Makes a graph without flows.
     * @param capacities capacity of each link [bit/s], positive and finite
     */
    explicit FlowsimBottleneckGraph(const std::vector<double>& capacities);

    /**
     * @brief Finds or makes the path group of a path; throws std::invalid_argument for a bad path.
     * @param path the numbers of the links
     * @param nHops number of links
     * @param cap cap of a flow [bit/s], possibly infinite
     * @param quanta weight of the flow
     * @return the path group; without class when it is empty
     */
    PathGroupId GetPathGroup(const uint32_t* path, uint32_t nHops, double cap, int64_t quanta);

    /// Puts an empty path group into the class of lowest level on its path.
    void Enter(PathGroupId group, int64_t quanta);

    /**
     * @brief Changes the weight of a path group that has a class; at weight 0 it leaves the class.
     * @param group the path group
     * @param quanta weight to add, possibly negative
     */
    void AddQuanta(PathGroupId group, int64_t quanta);

    /// Moves a path group to another class.
    void Move(PathGroupId group, LinkId cls);

    /**
     * @brief Moves the path groups of all shares above a level to the class of the link.
     * @param link the link
     * @param threshold bound above which a share is moved
     */
    void Absorb(LinkId link, double threshold);

    /**
     * @brief Moves the path groups of a class that meet a lower level elsewhere to that class.
     * @param cls the class
     * @param threshold level below which a level is lower
     * @return true when a path group moved; others may remain to be moved
     */
    bool Expel(LinkId cls, double threshold);

    /**
     * @brief Prefetches what AddQuanta() needs, one step after the other: each step reads what the
     * step before has prefetched.
     * @param group the path group
     * @param step 0: its record; 1: its hops; 2: their links and crossings; 3: their shares
     */
    void PrefetchPathGroup(PathGroupId group, uint32_t step) const;

    /// Forgets which classes changed and which path groups moved.
    void ClearChanges();

    /// @return the path groups and their hops
    const FlowsimPathGroupTable& GetPathGroups() const
    {
        return m_groups;
    }

    /// @return the path groups that got a class since ClearChanges(), without repetition
    const std::vector<PathGroupId>& GetMoved() const
    {
        return m_moved;
    }

  private:
    // Documented at their definitions.
    void Attach(HopId hop, LinkId cls, int64_t quanta);
    void Detach(HopId hop, LinkId cls, int64_t quanta);
    void NoteMoved(PathGroupId group);
    void CheckPath(const uint32_t* path, uint32_t nHops);
    void RecyclePathGroup(PathGroupId group);
    void PrefetchHops(HopId first, HopId end) const;
    void PrefetchLinks(HopId first, HopId end) const;
    void PrefetchShares(HopId first, HopId end) const;

    FlowsimPathGroupTable m_groups;   //!< Path groups and their hops
    std::vector<LinkId> m_path;       //!< Scratch: path as ids, with the virtual link
    std::vector<PathGroupId> m_moved; //!< Path groups that got a class
    uint32_t m_stamp{0};              //!< Stamp of the last path checked
};

} // namespace ns3

#endif // FLOWSIM_BOTTLENECK_GRAPH_H

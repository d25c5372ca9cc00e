/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef FLOWSIM_BOTTLENECK_GRAPH_H
#define FLOWSIM_BOTTLENECK_GRAPH_H

#include "flowsim-bundle-table.h"
#include "ns3/flowsim-link-loads.h"

#include <cstdint>
#include <vector>

namespace ns3
{

/**
 * @ingroup flowsim
 * @brief Bookkeeping of FlowsimMaxMinSolver: which bundle has its bottleneck where.
 *
 * Adds to the loads the bundles that make them: every bundle with flows is in the class of one link
 * of its path, and is listed there and in the crossings of the other links by that class. A class
 * is always the link of lowest level on the path of its bundles, up to rounding.
 */
class FlowsimBottleneckGraph : public FlowsimLinkLoads
{
  public:
    using BundleId = uint32_t; //!< Dense reusable handle of a bundle
    using HopId = uint32_t;    //!< Index of one hop of one bundle

    /**
     * @brief Makes a graph without flows.
     * @param capacities capacity of each link [bit/s], positive and finite
     */
    explicit FlowsimBottleneckGraph(const std::vector<double>& capacities);

    /**
     * @brief Finds or makes the bundle of a path; throws std::invalid_argument for a bad path.
     * @param path the numbers of the links
     * @param nHops number of links
     * @param cap cap of a flow [bit/s], possibly infinite
     * @param quanta weight of the flow
     * @return the bundle; without class when it is empty
     */
    BundleId GetBundle(const uint32_t* path, uint32_t nHops, double cap, int64_t quanta);

    /**
     * @brief Puts an empty bundle into the class of lowest level on its path.
     * @param bundle the bundle
     * @param quanta its weight
     */
    void Enter(BundleId bundle, int64_t quanta);

    /**
     * @brief Changes the weight of a bundle that has a class; at weight 0 it leaves the class.
     * @param bundle the bundle
     * @param quanta weight to add, possibly negative
     */
    void AddQuanta(BundleId bundle, int64_t quanta);

    /**
     * @brief Moves a bundle to another class.
     * @param bundle the bundle
     * @param cls a link of its path
     */
    void Move(BundleId bundle, LinkId cls);

    /**
     * @brief Moves the bundles of all shares above a level to the class of the link.
     * @param link the link
     * @param threshold bound above which a share is moved
     */
    void Absorb(LinkId link, double threshold);

    /**
     * @brief Moves the bundles of a class that meet a lower level elsewhere to that class.
     * @param cls the class
     * @param threshold level below which a level is lower
     * @return true when a bundle moved; there may be more to move then
     */
    bool Expel(LinkId cls, double threshold);

    /// Forgets which classes changed and which bundles moved.
    void ClearChanges();

    /**
     * @brief Returns the bundles.
     * @return the bundles and their hops
     */
    const FlowsimBundleTable& GetBundles() const
    {
        return m_bundles;
    }

    /**
     * @brief Returns the bundles that got a class since the last ClearChanges().
     * @return bundles without repetition
     */
    const std::vector<BundleId>& GetMoved() const
    {
        return m_moved;
    }

  private:
    // What these do is said where they are defined.
    void Attach(HopId hop, LinkId cls, int64_t quanta);
    void Detach(HopId hop, LinkId cls, int64_t quanta);
    void NoteMoved(BundleId bundle);
    void CheckPath(const uint32_t* path, uint32_t nHops);
    void RecycleBundle(BundleId bundle);
    void PrefetchHops(HopId first, HopId end) const;

    FlowsimBundleTable m_bundles;  //!< Bundles and their hops
    std::vector<LinkId> m_path;    //!< Scratch: path as ids, with the virtual link
    std::vector<BundleId> m_moved; //!< Bundles that got a class
    uint32_t m_stamp{0};           //!< Stamp of the last path checked
};

} // namespace ns3

#endif // FLOWSIM_BOTTLENECK_GRAPH_H

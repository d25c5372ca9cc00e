/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef NOC_SYMMETRY_H
#define NOC_SYMMETRY_H

#include "ns3/noc-system.h"

#include <cstdint>
#include <vector>

namespace ns3
{

/**
 * @ingroup noc
 * @brief Nodes, lanes and turns of a NocSystem that are alike because the network looks the same
 * from them.
 *
 * A symmetry is a permutation of the nodes that maps routes to routes, hop by hop, and leaves
 * rates, bursts, shares of destinations and the set of memory controllers as they are. It maps
 * lanes to lanes. All loads of lanes and sinks are equal within an orbit of the group that the
 * symmetries generate, so that a model needs the streams of one source per orbit (NocLayerSolver):
 * a quarter of the sources of a mesh, one source of a torus.
 *
 * Candidates are reflections and shifts of rows and columns, and of all nodes by their numbers.
 * Each is checked in O(n^2) steps, so that none is trusted: meshes route first in the column, so
 * that their rows and columns cannot be exchanged, and a memory controller ends most symmetries.
 */
class NocSymmetry
{
  public:
    /// Elements in classes, each named by its smallest member.
    struct Classes
    {
        std::vector<uint32_t> of;   //!< by element: its class
        std::vector<uint32_t> size; //!< by element: members of its class

        /**
         * @param element an element
         * @return whether it names its class
         */
        bool IsFirst(uint32_t element) const
        {
            return of[element] == element;
        }
    };

    /**
     * @param system the system, without a trace
     * @param isUsed false: every element is a class of its own
     */
    NocSymmetry(const NocSystem& system, bool isUsed);

    /** @return classes of nodes. */
    const Classes& GetNodes() const
    {
        return m_nodes;
    }

    /** @return classes of lanes. */
    const Classes& GetLanes() const
    {
        return m_lanes;
    }

    /** @return classes of turns, by GetTurn. */
    const Classes& GetTurns() const
    {
        return m_turns;
    }

    /**
     * @param from lane at a node, on which packets come
     * @param to lane at the same node, into which they turn
     * @return number of the turn
     */
    uint32_t GetTurn(uint32_t from, uint32_t to) const
    {
        const uint32_t node = m_topology.GetNode(to);
        return m_firstTurn[node] + m_place[from] * m_nLanesAt[node] + m_place[to];
    }

    /** @return number of turns that any topology could have. */
    uint32_t GetNTurns() const
    {
        return m_firstTurn.back();
    }

  private:
    /// Joins the classes of elements and their images, if the permutation of nodes is a symmetry.
    void Try(const NocSystem& system, const std::vector<uint32_t>& image);
    /// @return the lane that each lane is mapped to; empty if routes are not mapped to routes
    std::vector<uint32_t> MapLanes(const std::vector<uint32_t>& image) const;

    const NocTopology& m_topology;     //!< of the system
    std::vector<uint32_t> m_nLanesAt;  //!< by node
    std::vector<uint32_t> m_place;     //!< of a lane among those of its node
    std::vector<uint32_t> m_firstTurn; //!< by node, and the number of turns
    Classes m_nodes;                   //!< see GetNodes
    Classes m_lanes;                   //!< see GetLanes
    Classes m_turns;                   //!< see GetTurns
};

} // namespace ns3

#endif /* NOC_SYMMETRY_H */

/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef NOC_TOPOLOGY_H
#define NOC_TOPOLOGY_H

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace ns3
{

/**
 * @ingroup noc
 * @brief Loops of slots that join nodes, and the routes of packets over them.
 *
 * **Loops.** A loop of M positions carries M slots; a slot moves from position q to q + 1 mod M in
 * every cycle. Each position lies at a node, and a node may have several positions of a loop. A
 * packet on a slot leaves at the first position of its exit node at which there is room for it. If
 * there is none, it stays on its slot (a deflection) and comes back after a round.
 *
 * **Lanes.** A lane is a position as a way out of its node: packets that wait for it are injected
 * into the slot that is there. Lanes are numbered over all loops: lane = first lane of the loop +
 * position.
 *
 * **Half rings.** A line of n stops with links in both directions is one loop of M = 2 (n - 1)
 * positions: stop s has position s, which leads up in index, and position M - s, which leads down;
 * the two end stops have one position each. Commercial meshes are arrays of half rings.
 *
 * **Routes.** A route is a sequence of legs: a lane, and the node at which the packet leaves that
 * loop. At the end of a leg that is not the last the packet waits in the transgress queue of the
 * next lane, which takes at least a cycle. The next leg depends on the node and the destination
 * alone. Meshes and tori route first in the column, then in the row (Y-X).
 */
class NocTopology
{
  public:
    static constexpr uint32_t NONE = UINT32_MAX; //!< no leg: a packet does not travel to itself

    /// A ride on one loop.
    struct Leg
    {
        uint32_t lane{NONE}; //!< lane of the start
        uint32_t exit{NONE}; //!< node of the end
        uint32_t hops{0};    //!< cycles on the slot without deflections
    };

    /**
     * @brief A mesh of half rings, one per row and one per column; node = row * columns + column.
     * @param rows number of rows, from 1 to 32
     * @param columns number of columns, from 1 to 32; at least two nodes
     * @return the topology
     * @throws DcnError for other numbers
     */
    static NocTopology Mesh(uint32_t rows, uint32_t columns);

    /**
     * @brief A torus: two rings per row and per column, one in each direction; shortest way, and
     * up in index if both are equal. A row or column of two nodes has one half ring.
     * @param rows number of rows, from 1 to 32
     * @param columns number of columns, from 1 to 32; at least two nodes
     * @return the topology
     * @throws DcnError for other numbers
     */
    static NocTopology Torus(uint32_t rows, uint32_t columns);

    /**
     * @brief One ring in one direction. A packet may travel to its own node: a whole round.
     * @param n number of nodes, from 1 to 1024
     * @return the topology
     * @throws DcnError for another number
     */
    static NocTopology Ring(uint32_t n);

    /**
     * @brief A line of nodes as one half ring.
     * @param n number of nodes, from 2 to 1024
     * @return the topology
     * @throws DcnError for another number
     */
    static NocTopology HalfRing(uint32_t n);

    /**
     * @brief Loops over any connected graph.
     *
     * At each node the links are paired in the order in which they are given: first with second,
     * third with fourth. A slot that comes over one link of a pair leaves over the other one; over
     * a link without partner it goes back. Each directed link is thereby on exactly one loop.
     * Routes are the quickest ones, a change of the loop counting as one cycle.
     *
     * @param n number of nodes, from 2 to 1024
     * @param links pairs of nodes, each a link in both directions
     * @return the topology
     * @throws DcnError for a link to itself or to an unknown node, a link that is given twice, and
     * for nodes that are not connected
     */
    static NocTopology FromLinks(uint32_t n,
                                 const std::vector<std::pair<uint32_t, uint32_t>>& links);

    /** @return the number of nodes. */
    uint32_t GetNNodes() const
    {
        return m_nNodes;
    }

    /** @return the number of lanes. */
    uint32_t GetNLanes() const
    {
        return static_cast<uint32_t>(m_nodes.size());
    }

    /** @return the number of loops. */
    uint32_t GetNLoops() const
    {
        return static_cast<uint32_t>(m_first.size() - 1);
    }

    /**
     * @param loop a loop
     * @return its first lane; that of the loop after the last one is GetNLanes()
     */
    uint32_t GetFirst(uint32_t loop) const
    {
        return m_first[loop];
    }

    /**
     * @param lane a lane
     * @return its node
     */
    uint32_t GetNode(uint32_t lane) const
    {
        return m_nodes[lane];
    }

    /**
     * @param lane a lane
     * @return its loop
     */
    uint32_t GetLoop(uint32_t lane) const
    {
        return m_loops[lane];
    }

    /**
     * @param lane a lane
     * @return the lane where a slot is a cycle later
     */
    uint32_t GetNext(uint32_t lane) const
    {
        return lane + 1 < m_first[m_loops[lane] + 1] ? lane + 1 : m_first[m_loops[lane]];
    }

    /**
     * @param lane a lane
     * @return the number of positions of its loop: cycles of a round
     */
    uint32_t GetRound(uint32_t lane) const
    {
        return m_first[m_loops[lane] + 1] - m_first[m_loops[lane]];
    }

    /**
     * @param node where a packet is
     * @param destination where it goes
     * @return its next ride; without lane if there is none
     */
    const Leg& GetLeg(uint32_t node, uint32_t destination) const
    {
        return m_legs[static_cast<std::size_t>(node) * m_nNodes + destination];
    }

    /**
     * @param source node of the first leg
     * @param destination node of the last one
     * @return all legs
     */
    std::vector<Leg> GetRoute(uint32_t source, uint32_t destination) const;

    /**
     * @param source a node
     * @param destination another one
     * @return cycles from injection to ejection in an empty network: hops, and a cycle per turn
     */
    uint32_t GetZeroLoadLatency(uint32_t source, uint32_t destination) const;

    /**
     * @param lane a lane
     * @return its name in messages and tables, such as "14 to 15"
     */
    std::string GetLaneName(uint32_t lane) const;

    /** @return number of rows of a mesh or torus; 0 for others. */
    uint32_t GetNRows() const
    {
        return m_nRows;
    }

    /** @return number of columns of a mesh or torus; 0 for others. */
    uint32_t GetNColumns() const
    {
        return m_nColumns;
    }

  private:
    NocTopology() = default;

    /// Appends a loop over these nodes, by position.
    void AddLoop(const std::vector<uint32_t>& nodes);
    /// Appends the half ring of a line of nodes; nothing for one node.
    void AddHalfRing(const std::vector<uint32_t>& line);
    /// Sets m_legs to the best ride on a single loop wherever two nodes share one.
    void MakeDirectLegs();
    /// Sets m_legs of a mesh or torus, from the direct legs.
    void MakeColumnFirstLegs();
    /// Sets m_legs to the quickest routes.
    void MakeQuickestLegs();

    uint32_t m_nNodes{0};          //!< nodes
    uint32_t m_nRows{0};           //!< of a mesh
    uint32_t m_nColumns{0};        //!< of a mesh
    std::vector<uint32_t> m_first; //!< first lane by loop, and the number of lanes
    std::vector<uint32_t> m_nodes; //!< node by lane
    std::vector<uint32_t> m_loops; //!< loop by lane
    std::vector<Leg> m_legs;       //!< by node and destination
};

} // namespace ns3

#endif /* NOC_TOPOLOGY_H */

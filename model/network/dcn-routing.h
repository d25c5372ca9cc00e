/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef DCN_ROUTING_H
#define DCN_ROUTING_H

#include "dcn-flow.h"
#include "dcn-topology.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup dcn
 * @brief Shortest paths with per-flow ECMP: the routing rule of all methods.
 *
 * Paths have the fewest links; hosts do not forward. At each node the next link is chosen among all
 * links on shortest paths (parallel links count separately) by
 *
 *     index = floor(h * n / 2^32),  h = upper 32 bits of Hash64(seed, node, flow id, src, dst)
 *
 * with ns-3's 64-bit hash. Since the node is part of the key, choices at successive hops are
 * independent, without polarisation (netiken/parsimon reuses one hash value at every hop, so that
 * half to three quarters of the core is idle).
 *
 * **Tables.** Let N(D) be the neighbours of switch D among the switches, and d(X, D) the links of a
 * shortest path between switches. A path that ends at D enters it from N(D), and for X != D
 *
 *     d(X, D) = 1 + min over n in N(D) of d(X, n)
 *
 * So switches with the same neighbours (the top-of-rack switches of a pod) are a *group*: apart
 * from D itself and N(D), which has direct links to D, a switch has the same candidates for every D
 * of a group. Distances and candidates are kept per switch and group, computed when first needed.
 *
 * Memory: 6 bytes x switches x groups of switches with hosts, at most switches^2, for any number of
 * hosts; and the lists of candidates, each once per switch.
 */
class DcnRouting
{
  public:
    /**
     * @param topology the network
     * @param seed seed of the ECMP hash; each seed gives another, equally likely assignment
     */
    explicit DcnRouting(Ptr<const DcnTopology> topology, uint64_t seed = 1);

    /**
     * @brief Append the path of a flow.
     * @param flow the flow; its id, src and dst are used
     * @param path directed links are appended here
     * @throws DcnError if dst cannot be reached from src
     */
    void AppendPath(const DcnFlow& flow, std::vector<uint32_t>& path) const;

    /**
     * @brief Links on shortest paths from a node to a host, in the order of ECMP's
     * numbers.
     * @param node node index, different from the host
     * @param host node index of the destination
     * @return the candidate links, empty if there is no path
     */
    std::vector<uint32_t> GetNextLinks(uint32_t node, uint32_t host) const;

    /**
     * @param src node index of a host
     * @param dst node index of another host
     * @return links of a shortest path, 0 if there is none
     */
    uint32_t GetHops(uint32_t src, uint32_t dst) const;

    /** @return the network. */
    Ptr<const DcnTopology> GetTopology() const;

  private:
    static constexpr uint16_t UNREACHABLE = 0xffff;
    static constexpr uint32_t NONE = 0xffffffff;
    static constexpr uint32_t DIRECT = 0xfffffffe;

    /// A switch beside another one.
    struct Neighbour
    {
        uint32_t position;  //!< of the neighbour, among the switches
        DcnIndexSpan links; //!< from the neighbour to the switch, ascending
    };

    /// Switches with the same neighbours, as destinations.
    struct Group
    {
        std::vector<uint32_t> neighbours; //!< positions, ascending
        /// Per switch: links of a shortest path to a switch of the group, other than itself; empty
        /// until first needed.
        std::vector<uint16_t> distances;
        /// Per switch: number of its list of candidates; NONE before it is first needed, DIRECT for
        /// neighbours.
        std::vector<uint32_t> lists;
    };

    void MakeGroups();
    Group& GetGroup(uint32_t destination) const;
    DcnIndexSpan GetList(uint32_t number) const;
    DcnIndexSpan LinksToSwitch(uint32_t position, uint32_t destination) const;
    DcnIndexSpan NextLinks(uint32_t node, uint32_t host) const;
    DcnIndexSpan SearchNextLinks(uint32_t node, uint32_t host) const;
    uint16_t Distance(uint32_t node, uint32_t host) const;

    Ptr<const DcnTopology> m_topology;   //!< the network
    uint64_t m_seed;                     //!< ECMP seed
    std::vector<uint32_t> m_switchIndex; //!< per node: position among the switches
    std::vector<uint32_t> m_switches;    //!< node indices of the switches
    std::vector<uint32_t> m_ends;        //!< per link: node at its end, compact for the cache
    /// Per node: the link of a host that has a single one, to a switch; otherwise NONE.
    std::vector<uint32_t> m_upLinks;
    std::vector<uint32_t> m_downLinks;                  //!< the other directions of m_upLinks
    std::vector<uint32_t> m_homes;                      //!< positions of the ends of m_upLinks
    std::vector<std::vector<Neighbour>> m_neighbours;   //!< per switch, by position
    std::vector<uint32_t> m_groupOf;                    //!< per switch: its group
    mutable std::vector<Group> m_groups;                //!< see Group
    mutable std::vector<std::size_t> m_listOffsets{0};  //!< list i begins at m_listOffsets[i]
    mutable std::vector<uint32_t> m_listLinks;          //!< links of all lists
    mutable std::vector<std::vector<uint32_t>> m_lists; //!< per switch: numbers of its lists
    mutable std::vector<uint32_t> m_found;              //!< answer of SearchNextLinks
};

/**
 * @ingroup dcn
 * @brief The paths of all flows of a scenario, in flow order, in one block of memory.
 */
class DcnPathTable
{
  public:
    /**
     * @brief Append the path of the next flow.
     * @param links its directed links
     */
    void Append(const std::vector<uint32_t>& links);

    /**
     * @param flow position of the flow
     * @return its path, valid as long as the table is not changed
     */
    DcnPath Get(std::size_t flow) const;

    /** @return the number of paths. */
    std::size_t GetN() const;

    /**
     * @brief Reserve memory.
     * @param flows number of paths to come
     * @param hops total number of their links
     */
    void Reserve(std::size_t flows, std::size_t hops);

  private:
    std::vector<uint32_t> m_links;         //!< all paths, one after the other
    std::vector<std::size_t> m_offsets{0}; //!< path i is [m_offsets[i], m_offsets[i + 1])
};

/**
 * @ingroup dcn
 * @brief A path as a sequence of nodes, the form of pinned paths.
 */
struct DcnNodePath
{
    static constexpr uint32_t ANY = 0xffffffff; //!< the flow's id chooses among the parallel links

    std::vector<uint32_t> nodes; //!< node indices from source to destination
    /// By node: index of the parallel link that leads to it (DcnParallelLinks), or ANY; missing:
    /// ANY.
    std::vector<uint32_t> parallel;
};

/**
 * @ingroup dcn
 * @param topology the network
 * @param link a directed link
 * @return all links between its two nodes in its direction, ascending
 */
std::vector<uint32_t> DcnParallelLinks(const DcnTopology& topology, uint32_t link);

/**
 * @ingroup dcn
 * @brief Convert a sequence of nodes to directed links.
 * @param topology the network
 * @param flow the flow that takes the path
 * @param walk nodes from flow.src to flow.dst
 * @param where prefix of the error sentence
 * @return the directed links
 * @throws DcnError if it is no walk from src to dst, visits a link twice, passes through a host or
 * has an unknown parallel link
 */
std::vector<uint32_t> DcnPathFromNodes(const DcnTopology& topology,
                                       const DcnFlow& flow,
                                       const DcnNodePath& walk,
                                       const std::string& where);

} // namespace ns3

#endif /* DCN_ROUTING_H */

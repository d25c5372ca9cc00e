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
 * @brief Shortest paths with per-flow ECMP: the one rule that turns a flow into its path.
 *
 * Paths have the fewest links; hosts do not forward. At each node the next link is drawn among all
 * links that lie on a shortest path (parallel links count separately) by
 *
 *     index = floor(h * n / 2^32),  h = upper 32 bits of Hash64(seed, node, flow id, src, dst)
 *
 * with ns-3's 64-bit hash. Since the node is part of the key, choices at successive hops are
 * independent: no polarisation (netiken/parsimon reuses one hash value at every hop and leaves half
 * to three quarters of the core idle).
 *
 * Memory: distances are kept per destination *switch*, made when first needed, over switches only,
 * so at most 2 bytes x switches^2, whatever the number of hosts.
 */
class DcnRouting
{
  public:
    /**
     * @param topology the network
     * @param seed of the ECMP hash: another seed is another, equally likely, assignment
     */
    explicit DcnRouting(Ptr<const DcnTopology> topology, uint64_t seed = 1);

    /**
     * @brief Append the path of a flow.
     * @param flow the flow; its id, src and dst count
     * @param path directed links are appended here
     * @throws DcnError if dst cannot be reached from src
     */
    void AppendPath(const DcnFlow& flow, std::vector<uint32_t>& path) const;

    /**
     * @brief Links on shortest paths from a node to a host, in the order in which ECMP numbers
     * them.
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

    const std::vector<uint16_t>& DistancesTo(uint32_t destinationSwitch) const;
    uint16_t Distance(uint32_t node, uint32_t host) const;
    void NextLinks(uint32_t node, uint32_t host, std::vector<uint32_t>& links) const;

    Ptr<const DcnTopology> m_topology;   //!< the network
    uint64_t m_seed;                     //!< ECMP seed
    std::vector<uint32_t> m_switchIndex; //!< per node: position among the switches
    std::vector<uint32_t> m_switches;    //!< node indices of the switches
    /// Per destination switch: links from every switch to it, made when first needed.
    mutable std::vector<std::vector<uint16_t>> m_distances;
    mutable std::vector<uint32_t> m_candidates; //!< scratch space of AppendPath
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
     * @brief Make room.
     * @param flows number of paths to come
     * @param hops links of all of them
     */
    void Reserve(std::size_t flows, std::size_t hops);

  private:
    std::vector<uint32_t> m_links;         //!< all paths, one after the other
    std::vector<std::size_t> m_offsets{0}; //!< path i is [m_offsets[i], m_offsets[i + 1])
};

/**
 * @ingroup dcn
 * @brief A path as the nodes that it visits, the form in which paths are pinned.
 */
struct DcnNodePath
{
    static constexpr uint32_t ANY = 0xffffffff; //!< the flow's id picks one of the parallel links

    std::vector<uint32_t> nodes; //!< node indices from source to destination
    /// By node: which of the parallel links leads to it (DcnParallelLinks), or ANY; shorter: ANY.
    std::vector<uint32_t> parallel;
};

/**
 * @ingroup dcn
 * @param topology the network
 * @param link a directed link
 * @return all links from its first to its second node, itself included, ascending
 */
std::vector<uint32_t> DcnParallelLinks(const DcnTopology& topology, uint32_t link);

/**
 * @ingroup dcn
 * @brief Turn a walk given as nodes into directed links.
 * @param topology the network
 * @param flow the flow that takes the path
 * @param walk nodes from flow.src to flow.dst
 * @param where prefix of the error sentence
 * @return the directed links
 * @throws DcnError if it is no walk from src to dst, visits a link twice, passes through a host or
 * names a parallel link that is not there
 */
std::vector<uint32_t> DcnPathFromNodes(const DcnTopology& topology,
                                       const DcnFlow& flow,
                                       const DcnNodePath& walk,
                                       const std::string& where);

} // namespace ns3

#endif /* DCN_ROUTING_H */

/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef DCN_MERGED_LINKS_H
#define DCN_MERGED_LINKS_H

#include "dcn-scenario.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup dcn
 * @brief A network whose packets choose among parallel links, with one fat link in their place: for
 * methods that give each flow one path.
 *
 * **Problem.** With `load_balancing`, the packets of a flow take all shortest paths. A method that
 * knows one path per flow cannot answer. Where the paths are alike, they act as one.
 *
 * **Merging.** Switches are alike if they have the same links to alike switches and hosts. That is
 * the coarsest partition P of the nodes with hosts alone in their classes, and
 *
 *     for A, B in P and a, a' in A: as many links with rate R and delay d lead from a to B as from
 *     a' to B
 *
 * (an equitable partition, by refinement: classes are divided by the links of their members until
 * no class changes). In a leaf-spine all spines are one class; in a fat tree, those of the
 * aggregation switches of a pod, and all cores. Each class becomes one switch, and the n links of
 * rate R between two classes one link of rate n R. A shortest path of the network is a shortest
 * path of the merged one and the reverse. If each packet draws among its shortest paths, each link
 * between two classes has the same share of each flow, so for fluids the merged network is exact.
 *
 * **Time of a packet.** A fat link would send a frame of S bytes n times as fast. Its delay has the
 * difference of a full frame, S (1/R - 1/(n R)); Correct moves each completion time by the rest:
 *
 *     fct = answer on the merged network + ideal(own path) - ideal(merged path)
 *
 * so that a flow that meets no other has its own ideal time exactly.
 *
 * **Example.** Two leaves with four hosts each, two spines, 10 Gb/s: the spines become one, its
 * links have 20 Gb/s, and the four flows between the leaves have 5 Gb/s each. One path per flow by
 * ECMP would leave flows that collide with 3.3 or 2.5 Gb/s.
 *
 * **What is lost.** The queues of single links under random choice: where the stage of switches is
 * the bottleneck, one fat queue is shorter than n queues. The order of packets is that of sending,
 * so nothing is sent again because it was overtaken.
 *
 * **Refused**, with the nodes named: paths that are not alike (a link that is missing or slower), a
 * host with several links, links between switches of one class.
 */
class DcnMergedLinks
{
  public:
    /**
     * @brief Merge the links of a scenario.
     * @param scenario a scenario, with load_balancing
     * @throws DcnError if its links cannot be merged
     */
    explicit DcnMergedLinks(Ptr<const DcnScenario> scenario);

    /** @return the scenario on the merged network, without load_balancing; its flows have the
     * indices that they have in the original. */
    Ptr<const DcnScenario> GetScenario() const;

    /**
     * @param node node index in the original network
     * @return its index in the merged one
     */
    uint32_t GetNode(uint32_t node) const;

    /**
     * @brief Turn completion times on the merged network into those of the original.
     * @param fctNs by flow [ns]; negative ones (of unfinished flows) stay
     */
    void Correct(std::vector<int64_t>& fctNs) const;

    /** @return how many links became how many, for reports. */
    std::string Describe() const;

  private:
    void FindClasses();
    Ptr<const DcnTopology> BuildTopology() const;
    Ptr<const DcnScenario> Route(const Ptr<const DcnTopology>& topology) const;

    Ptr<const DcnScenario> m_original;  //!< with load_balancing
    std::vector<uint32_t> m_classes;    //!< by node: its index in the merged network
    std::vector<uint32_t> m_members;    //!< by merged node: its first member
    Ptr<const DcnScenario> m_scenario;  //!< merged
};

} // namespace ns3

#endif /* DCN_MERGED_LINKS_H */

/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef DCN_NETWORK_CUT_H
#define DCN_NETWORK_CUT_H

#include "ns3/dcn-topology.h"

#include <cstdint>
#include <limits>
#include <vector>

namespace ns3
{

/**
 * @ingroup dcn-packet
 * @brief A network cut into partitions, whose events threads simulate at the same time.
 *
 * **Problem.** Given nodes v with weights w_v (expected events) and links l with rate R_l [bit/s]
 * and propagation delay d_l [ns], find a partition p(v) in 0 .. P - 1 of each node such that the
 * weights of the partitions differ little and the *lookahead* L is large. A link is cut if its ends
 * have different partitions. With F the bytes of the smallest frame, a frame that is sent at time t
 * on link l arrives no sooner than t + h_l, h_l = d_l + s_l, where s_l = floor((8e9 F - 1) / R_l)
 * is its serialisation time (DcnSerializationNs). So
 *
 *     L = min over cut links l of h_l   [ns]
 *
 * and what happens in a partition from t on has no effect in another one before t + L. A link
 * without delay is never cut, and has h_l = 0: serialisation alone would make windows of a few
 * events.
 *
 * **Method.** The units are connected nodes that no cut may divide: a host with its first switch,
 * and both ends of a link without delay. Partitions are grown one after the other (greedy graph
 * growing: G. Karypis and V. Kumar, "A Fast and High Quality Multilevel Scheme for Partitioning
 * Irregular Graphs", SIAM J. Sci. Comput. 20(1), 1998, section 3.2): from the first unit left, the
 * unit with the largest share of its links into the partition joins, until the partition has its
 * share of the weight that is left. In fat trees and fabrics racks of a pod stay together. Cost:
 * units times links of a unit.
 */
class DcnNetworkCut
{
  public:
    /// A lookahead without end: nothing is cut [ns].
    static constexpr int64_t NEVER = std::numeric_limits<int64_t>::max();

    /**
     * @param delayNs d_l [ns]
     * @param rateBps R_l [bit/s]
     * @param frameBytes F [bytes]
     * @return h_l [ns]
     */
    static int64_t GetHopNs(int64_t delayNs, uint64_t rateBps, uint32_t frameBytes);

    /**
     * @brief Cut by weight.
     * @param topology nodes and links
     * @param hopNs h_l, by directed link [ns]
     * @param weights w_v, by node index
     * @param nPartitions P, at least 1; there are fewer if the network has fewer units
     * @return the cut
     */
    static DcnNetworkCut ByWeight(const DcnTopology& topology,
                                  const std::vector<int64_t>& hopNs,
                                  const std::vector<uint64_t>& weights,
                                  uint32_t nPartitions);

    /**
     * @brief Cut as told.
     * @param topology nodes and links
     * @param hopNs h_l, by directed link [ns]
     * @param partitions p(v), by node index; every number from 0 to the largest occurs
     * @return the cut
     * @throws DcnError for a wrong number of nodes, a number that does not occur, and a cut link
     * without delay
     */
    static DcnNetworkCut ByNode(const DcnTopology& topology,
                                const std::vector<int64_t>& hopNs,
                                std::vector<uint32_t> partitions);

    /** @return P. */
    uint32_t GetNPartitions() const
    {
        return m_nPartitions;
    }

    /**
     * @param node node index
     * @return its partition
     */
    uint32_t GetPartition(uint32_t node) const
    {
        return m_partitions[node];
    }

    /** @return L [ns]; NEVER if nothing is cut. */
    int64_t GetLookaheadNs() const
    {
        return m_lookaheadNs;
    }

  private:
    DcnNetworkCut(const DcnTopology& topology,
                  const std::vector<int64_t>& hopNs,
                  std::vector<uint32_t> partitions,
                  uint32_t nPartitions);

    std::vector<uint32_t> m_partitions; //!< p(v)
    uint32_t m_nPartitions;             //!< P
    int64_t m_lookaheadNs{NEVER};       //!< L [ns]
};

} // namespace ns3

#endif /* DCN_NETWORK_CUT_H */

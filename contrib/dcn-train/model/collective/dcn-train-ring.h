/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef DCN_TRAIN_RING_H
#define DCN_TRAIN_RING_H

#include "ns3/dcn-train-collective.h"

#include <cstdint>
#include <functional>

namespace ns3
{

/**
 * @ingroup dcn-train
 * @brief Collectives on a ring of n members: algorithms "ring" and "bidirectional-ring".
 *
 * P. Patarasuk and X. Yuan, "Bandwidth optimal all-reduce algorithms for clusters of workstations",
 * J. Parallel Distrib. Comput. 69(2), 2009; the all-gather is the ring of R. Thakur, R.
 * Rabenseifner and W. Gropp, "Optimization of Collective Communication Operations in MPICH", IJHPCA
 * 19(1), 2005. Each member sends to its successor only. With blocks of S / n bytes:
 *
 *     reduce-scatter  step s = 0 .. n - 2: member i sends block i - 1 - s, which the successor adds
 *     all-gather      step s = 0 .. n - 2: member i sends block i - s
 *     all-reduce      both, one after the other
 *     broadcast       the root's data goes along the ring; chunks make a pipeline
 *
 * With T(s) the completion time of a message of s bytes alone, on a network where all members send
 * at full rate at once, reduce-scatter and all-gather take (n - 1) T(S / n), all-reduce twice that,
 * broadcast (n - 1) T(S).
 *
 * The bidirectional ring sends half of each block in either direction at the same time; a broadcast
 * goes half way round in both directions. A host with one link gains nothing but shorter ways for
 * the broadcast; hosts with links to both neighbours gain a factor of two.
 *
 * **Rails.** With a groupSize g, member a g + i is accelerator i of server a, with a NIC of its
 * own, and channel c has the order of MakeOrder: it goes through all accelerators of a server, and
 * leaves and enters servers by accelerators c and c - 1 (mod g). Over g channels, each NIC sends
 * and receives for one of them, so that the ring has g times the bandwidth of a NIC, as those of
 * NCCL have. Two servers that follow each other use one rail; of an odd number of servers, the last
 * one also has accelerator c - 2.
 */
struct DcnTrainRing
{
    /// Where a block of a ring over groups of blocks is: first block, count and stride.
    struct Place
    {
        uint64_t first;  //!< first block
        uint64_t count;  //!< number of blocks
        uint64_t stride; //!< distance of the blocks
    };

    /**
     * @brief The order of a channel, see above.
     * @param nMembers members, servers of groupSize
     * @param groupSize accelerators of a server; 0: one server order, 0, 1, 2, ...
     * @param channel its number
     * @return members in the order of the ring
     */
    static std::vector<uint32_t> MakeOrder(uint32_t nMembers, uint32_t groupSize, uint32_t channel);

    /// Position in the ring to member, and block of the ring to blocks of the schedule.
    using MemberMap = std::function<uint32_t(uint32_t)>;
    using PlaceMap = std::function<Place(uint32_t)>; //!< see MemberMap

    /**
     * @brief Append a reduce-scatter.
     * @param n members of the ring
     * @param member position to member
     * @param place block to blocks
     * @param transfers to append to
     */
    static void ReduceScatter(uint32_t n,
                              const MemberMap& member,
                              const PlaceMap& place,
                              std::vector<DcnTrainTransfer>& transfers);

    /**
     * @brief Append an all-gather; the parameters are those of ReduceScatter.
     * @param n members of the ring
     * @param member position to member
     * @param place block to blocks
     * @param transfers to append to
     */
    static void AllGather(uint32_t n,
                          const MemberMap& member,
                          const PlaceMap& place,
                          std::vector<DcnTrainTransfer>& transfers);
};

} // namespace ns3

#endif /* DCN_TRAIN_RING_H */

/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef DCN_TRAIN_TREE_H
#define DCN_TRAIN_TREE_H

#include "ns3/dcn-train-collective.h"

#include <cstdint>
#include <vector>

namespace ns3
{

/**
 * @ingroup dcn-train
 * @brief Collectives on trees: algorithms "binary-tree" and "double-binary-tree".
 *
 * **binary-tree.** Member i has the children 2 i + 1 and 2 i + 2, counted from the root. An
 * all-reduce goes up the tree, each member adding what its children send, and the sum comes down
 * again; a broadcast comes down. Chunks make a pipeline.
 *
 * **double-binary-tree.** P. Sanders, J. Speck and J. L. Träff, "Two-tree algorithms for full
 * bandwidth broadcast, reduction and scan", Parallel Computing 35(12), 2009; used by NCCL
 * since 2.4. Either half of the data has a tree of its own, so that a member with children in one
 * tree is a leaf of the other: all links are used both ways. The first tree is the in-order tree of
 * 1 .. n: with b the lowest bit of i, the parent of i is (i - b) | 2 b, or i - b if that is above
 * n; members at odd positions are leaves. The second tree has member i at position n + 1 - i if n
 * is even, and at i + 1 (n at 1) if n is odd. A broadcast has both trees over the other n - 1
 * members, and the root sends a half to the root of each.
 *
 * **Servers.** With a groupSize g, member a g + i is accelerator i of server a, and the two trees
 * of an all-reduce are over servers, as those of NCCL are: in channel c the accelerators c, c + 1,
 * ... (mod g) of a server are a chain, whose first one is the server's node of both trees. So
 * channel c crosses the network on rail c.
 */
struct DcnTrainTree
{
    static constexpr uint32_t ROOT = UINT32_MAX; //!< the root has no parent

    /**
     * @brief The in-order tree, see above.
     * @param n number of members
     * @param isSecond the second tree
     * @return parent of each member, from 0; ROOT for the root
     */
    static std::vector<uint32_t> MakeInOrderTree(uint32_t n, bool isSecond);
};

} // namespace ns3

#endif /* DCN_TRAIN_TREE_H */

/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "dcn-train-tree.h"

#include <algorithm>
#include <numeric>

namespace ns3
{

namespace
{

/**
 * @param parents parent of each member
 * @return members, the root first, each before its children
 */
std::vector<uint32_t>
SortFromRoot(const std::vector<uint32_t>& parents)
{
    std::vector<uint32_t> depth(parents.size(), 0);
    for (uint32_t member = 0; member < parents.size(); ++member)
    {
        for (uint32_t at = member; parents[at] != DcnTrainTree::ROOT; at = parents[at])
        {
            ++depth[member];
        }
    }
    std::vector<uint32_t> order(parents.size());
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(), [&](uint32_t a, uint32_t b) {
        return depth[a] < depth[b];
    });
    return order;
}

/**
 * @brief Make the transfers of a tree for one block.
 * @param parents parent of each node of the tree
 * @param members node to member
 * @param block the block
 * @param isReduction data goes up; false: down
 */
std::vector<DcnTrainTransfer>
MakeTransfers(const std::vector<uint32_t>& parents,
              const std::vector<uint32_t>& members,
              uint64_t block,
              bool isReduction)
{
    std::vector<uint32_t> order = SortFromRoot(parents);
    if (isReduction)
    {
        std::reverse(order.begin(), order.end());
    }
    std::vector<DcnTrainTransfer> transfers;
    for (const uint32_t node : order)
    {
        if (parents[node] != DcnTrainTree::ROOT)
        {
            const uint32_t child = members[node];
            const uint32_t parent = members[parents[node]];
            transfers.push_back({isReduction ? child : parent,
                                 isReduction ? parent : child,
                                 block,
                                 1,
                                 1,
                                 isReduction});
        }
    }
    return transfers;
}

/// Appends the transfers of two lists in turn.
void
AppendInTurn(const std::vector<DcnTrainTransfer>& first,
             const std::vector<DcnTrainTransfer>& second,
             std::vector<DcnTrainTransfer>& transfers)
{
    for (std::size_t i = 0; i < std::max(first.size(), second.size()); ++i)
    {
        for (const auto* list : {&first, &second})
        {
            if (i < list->size())
            {
                transfers.push_back((*list)[i]);
            }
        }
    }
}

/// Makes a schedule of the algorithm "binary-tree".
DcnTrainSchedule
MakeBinaryTree(const DcnTrainCollective& collective, uint32_t n, uint32_t /* channel */)
{
    std::vector<uint32_t> parents(n, DcnTrainTree::ROOT);
    std::vector<uint32_t> members(n);
    for (uint32_t node = 0; node < n; ++node)
    {
        members[node] = (node + collective.root) % n;
        if (node > 0)
        {
            parents[node] = (node - 1) / 2;
        }
    }
    DcnTrainSchedule schedule;
    if (collective.operation == "all-reduce")
    {
        schedule.transfers = MakeTransfers(parents, members, 0, true);
    }
    const auto down = MakeTransfers(parents, members, 0, false);
    schedule.transfers.insert(schedule.transfers.end(), down.begin(), down.end());
    return schedule;
}

/**
 * @param n members, servers of g
 * @param g accelerators of a server
 * @param channel its first accelerator is the server's node of the tree
 * @param isSecond the second tree
 * @return parent of each member in a tree over servers with a chain in each
 */
std::vector<uint32_t>
MakeServerTree(uint32_t n, uint32_t g, uint32_t channel, bool isSecond)
{
    const std::vector<uint32_t> servers = DcnTrainTree::MakeInOrderTree(n / g, isSecond);
    std::vector<uint32_t> parents(n);
    for (uint32_t server = 0; server < n / g; ++server)
    {
        const auto member = [=](uint32_t of, uint32_t position) {
            return of * g + (channel + position) % g;
        };
        const uint32_t above = servers[server];
        parents[member(server, 0)] =
            above == DcnTrainTree::ROOT ? DcnTrainTree::ROOT : member(above, 0);
        for (uint32_t i = 1; i < g; ++i)
        {
            parents[member(server, i)] = member(server, i - 1);
        }
    }
    return parents;
}

/// Makes a schedule of the algorithm "double-binary-tree".
DcnTrainSchedule
MakeDoubleBinaryTree(const DcnTrainCollective& collective, uint32_t n, uint32_t channel)
{
    DcnTrainSchedule schedule;
    const uint32_t g = collective.groupSize;
    if (g > 0)
    {
        collective.CheckGroups(n);
    }
    schedule.nBlocks = 2;
    const bool isBroadcast = collective.operation == "broadcast";
    const uint32_t nNodes = isBroadcast ? n - 1 : n;
    std::vector<uint32_t> members(nNodes);
    for (uint32_t node = 0; node < nNodes; ++node)
    {
        members[node] = isBroadcast ? (collective.root + 1 + node) % n : node;
    }
    const auto makeTree = [&](bool isSecond) {
        return g > 0 ? MakeServerTree(n, g, channel, isSecond)
                     : DcnTrainTree::MakeInOrderTree(nNodes, isSecond);
    };
    const std::vector<uint32_t> trees[] = {makeTree(false), makeTree(true)};
    if (isBroadcast)
    {
        for (uint64_t block : {0, 1})
        {
            const auto& tree = trees[block];
            const auto top = std::find(tree.begin(), tree.end(), DcnTrainTree::ROOT);
            schedule.transfers.push_back(
                {collective.root, members[top - tree.begin()], block, 1, 1, false});
        }
    }
    else
    {
        AppendInTurn(MakeTransfers(trees[0], members, 0, true),
                     MakeTransfers(trees[1], members, 1, true),
                     schedule.transfers);
    }
    AppendInTurn(MakeTransfers(trees[0], members, 0, false),
                 MakeTransfers(trees[1], members, 1, false),
                 schedule.transfers);
    return schedule;
}

/// Make the algorithms known.
const DcnTrainCollective::Registration g_binary("binary-tree",
                                                {"all-reduce", "broadcast"},
                                                MakeBinaryTree);
const DcnTrainCollective::Registration g_double("double-binary-tree",
                                                {"all-reduce", "broadcast"},
                                                MakeDoubleBinaryTree,
                                                {"all-reduce"});

} // namespace

std::vector<uint32_t>
DcnTrainTree::MakeInOrderTree(uint32_t n, bool isSecond)
{
    auto position = [=](uint32_t member) { // from 1
        return !isSecond ? member + 1 : n % 2 == 0 ? n - member : (member + 1) % n + 1;
    };
    std::vector<uint32_t> memberAt(n + 1);
    for (uint32_t member = 0; member < n; ++member)
    {
        memberAt[position(member)] = member;
    }
    uint32_t top = 1;
    while (2 * top <= n)
    {
        top *= 2;
    }
    std::vector<uint32_t> parents(n, ROOT);
    for (uint32_t i = 1; i <= n; ++i)
    {
        if (i != top)
        {
            const uint32_t bit = i & (~i + 1);
            const uint32_t above = (i - bit) | (2 * bit);
            parents[memberAt[i]] = memberAt[above > n ? i - bit : above];
        }
    }
    return parents;
}

} // namespace ns3

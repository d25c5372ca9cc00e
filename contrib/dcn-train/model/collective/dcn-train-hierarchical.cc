/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "dcn-train-hierarchical.h"

#include "dcn-train-ring.h"

#include "ns3/dcn-error.h"

#include <vector>

namespace ns3
{

namespace
{

/// Makes the algorithm known.
const DcnTrainCollective::Registration g_registration("hierarchical",
                                                      DcnTrainCollective::GetOperations(),
                                                      DcnTrainHierarchical::MakeSchedule,
                                                      DcnTrainCollective::GetOperations());

/// Appends transfers of several rings, of equal length, step by step.
void
AppendInTurn(const std::vector<std::vector<DcnTrainTransfer>>& rings,
             std::vector<DcnTrainTransfer>& transfers)
{
    for (std::size_t i = 0; i < rings.front().size(); ++i)
    {
        for (const auto& ring : rings)
        {
            transfers.push_back(ring[i]);
        }
    }
}

/// The direct all-to-all on two levels, see the header.
DcnTrainSchedule
MakeAllToAll(uint64_t g, uint64_t nGroups)
{
    const uint64_t n = g * nGroups;
    DcnTrainSchedule schedule;
    schedule.nBlocks = n * n; // block source n + destination
    auto member = [](uint64_t group, uint64_t number, uint64_t size) {
        return static_cast<uint32_t>(group * size + number);
    };
    for (uint64_t distance = 1; distance < g; ++distance)
    {
        for (uint64_t group = 0; group < nGroups; ++group)
        {
            for (uint64_t i = 0; i < g; ++i)
            {
                const uint64_t j = (i + distance) % g;
                const uint32_t from = member(group, i, g);
                schedule.transfers.push_back(
                    {from, member(group, j, g), from * n + j, nGroups, g, false});
            }
        }
    }
    for (uint64_t distance = 1; distance < nGroups; ++distance)
    {
        for (uint64_t group = 0; group < nGroups; ++group)
        {
            const uint64_t other = (group + distance) % nGroups;
            for (uint64_t j = 0; j < g; ++j)
            {
                const uint32_t to = member(other, j, g);
                // of all members of the group, for that one member
                schedule.transfers.push_back(
                    {member(group, j, g), to, group * g * n + to, g, n, false});
            }
        }
    }
    return schedule;
}

/// @return a chain over the groups from the root on, then a chain in each group
DcnTrainSchedule
MakeBroadcast(uint32_t root, uint32_t g, uint32_t nGroups)
{
    DcnTrainSchedule schedule;
    const uint32_t group = root / g;
    const uint32_t number = root % g;
    for (uint32_t step = 0; step + 1 < nGroups; ++step)
    {
        schedule.transfers.push_back({(group + step) % nGroups * g + number,
                                      (group + step + 1) % nGroups * g + number,
                                      0,
                                      1,
                                      1,
                                      false});
    }
    for (uint32_t step = 0; step + 1 < g; ++step)
    {
        for (uint32_t each = 0; each < nGroups; ++each)
        {
            schedule.transfers.push_back({each * g + (number + step) % g,
                                          each * g + (number + step + 1) % g,
                                          0,
                                          1,
                                          1,
                                          false});
        }
    }
    return schedule;
}

} // namespace

DcnTrainSchedule
DcnTrainHierarchical::MakeSchedule(const DcnTrainCollective& collective,
                                   uint32_t nMembers,
                                   uint32_t /* channel */)
{
    const uint32_t g = collective.groupSize;
    if (g < 2 || nMembers % g != 0 || nMembers == g)
    {
        DcnFail("the algorithm hierarchical needs at least two groups of equal size, at least 2, "
                "but ",
                nMembers,
                " ranks are to be divided into groups of ",
                g);
    }
    const uint32_t nGroups = nMembers / g;
    const std::string& operation = collective.operation;
    if (operation == "all-to-all")
    {
        return MakeAllToAll(g, nGroups);
    }
    if (operation == "broadcast")
    {
        return MakeBroadcast(collective.root, g, nGroups);
    }
    DcnTrainSchedule schedule;
    auto& transfers = schedule.transfers;
    // block a g + i is that of member i of group a: rail i has the blocks i, g + i, 2 g + i, ...
    schedule.nBlocks = nMembers;
    auto inGroups = [&](auto append) {
        std::vector<std::vector<DcnTrainTransfer>> rings(nGroups);
        for (uint32_t group = 0; group < nGroups; ++group)
        {
            append(
                g,
                [=](uint32_t number) { return group * g + number; },
                [=](uint32_t rail) {
                    return DcnTrainRing::Place{rail, nGroups, g};
                },
                rings[group]);
        }
        AppendInTurn(rings, transfers);
    };
    auto onRails = [&](auto append) {
        std::vector<std::vector<DcnTrainTransfer>> rings(g);
        for (uint32_t rail = 0; rail < g; ++rail)
        {
            append(
                nGroups,
                [=](uint32_t group) { return group * g + rail; },
                [=](uint32_t group) {
                    return DcnTrainRing::Place{group * g + rail, 1, 1};
                },
                rings[rail]);
        }
        AppendInTurn(rings, transfers);
    };
    if (operation != "all-gather")
    {
        inGroups(DcnTrainRing::ReduceScatter);
        onRails(DcnTrainRing::ReduceScatter);
    }
    if (operation != "reduce-scatter")
    {
        onRails(DcnTrainRing::AllGather);
        inGroups(DcnTrainRing::AllGather);
    }
    return schedule;
}

} // namespace ns3

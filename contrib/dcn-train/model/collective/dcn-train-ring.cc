/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "dcn-train-ring.h"

#include <algorithm>
#include <numeric>

namespace ns3
{

namespace
{

/**
 * @brief Append the steps of a ring: at step s member i sends block i + shift - s to its successor.
 * @param n members of the ring
 * @param shift see above
 * @param isReduction see DcnTrainTransfer
 * @param member position to member
 * @param place block to blocks
 * @param transfers to append to
 */
void
AppendSteps(uint32_t n,
            uint32_t shift,
            bool isReduction,
            const DcnTrainRing::MemberMap& member,
            const DcnTrainRing::PlaceMap& place,
            std::vector<DcnTrainTransfer>& transfers)
{
    for (uint32_t step = 0; step + 1 < n; ++step)
    {
        for (uint32_t i = 0; i < n; ++i)
        {
            const DcnTrainRing::Place blocks = place((i + shift + n - step) % n);
            transfers.push_back({member(i),
                                 member((i + 1) % n),
                                 blocks.first,
                                 blocks.count,
                                 blocks.stride,
                                 isReduction});
        }
    }
}

/// @return the order of members of a channel; refuses servers of different size
std::vector<uint32_t>
MakeOrder(const DcnTrainCollective& collective, uint32_t n, uint32_t channel)
{
    if (collective.groupSize > 0)
    {
        collective.CheckGroups(n);
    }
    return DcnTrainRing::MakeOrder(n, collective.groupSize, channel);
}

/// @return position of the root of a broadcast in an order
uint32_t
FindRoot(const DcnTrainCollective& collective, const std::vector<uint32_t>& order)
{
    return static_cast<uint32_t>(std::find(order.begin(), order.end(), collective.root) -
                                 order.begin());
}

/**
 * @brief Make the transfers of a ring in one direction.
 * @param collective the operation
 * @param order members in the order of the ring
 * @param isForward members send to the next; false: to the one before
 * @param nDirections each member has a block for each direction: 1 or 2
 */
std::vector<DcnTrainTransfer>
MakeDirection(const DcnTrainCollective& collective,
              const std::vector<uint32_t>& order,
              bool isForward,
              uint32_t nDirections)
{
    const auto n = static_cast<uint32_t>(order.size());
    std::vector<DcnTrainTransfer> transfers;
    auto member = [&](uint32_t position) { return order[isForward ? position : n - 1 - position]; };
    auto place = [&](uint32_t block) {
        return DcnTrainRing::Place{nDirections * member(block) + (isForward ? 0 : 1), 1, 1};
    };
    if (collective.operation != "all-gather")
    {
        DcnTrainRing::ReduceScatter(n, member, place, transfers);
    }
    if (collective.operation != "reduce-scatter")
    {
        DcnTrainRing::AllGather(n, member, place, transfers);
    }
    return transfers;
}

/// Makes a schedule of the algorithm "ring".
DcnTrainSchedule
MakeRing(const DcnTrainCollective& collective, uint32_t n, uint32_t channel)
{
    DcnTrainSchedule schedule;
    const std::vector<uint32_t> order = MakeOrder(collective, n, channel);
    if (collective.operation == "broadcast")
    {
        const uint32_t root = FindRoot(collective, order);
        for (uint32_t step = 0; step + 1 < n; ++step)
        {
            schedule.transfers.push_back(
                {order[(root + step) % n], order[(root + step + 1) % n], 0, 1, 1, false});
        }
        return schedule;
    }
    schedule.nBlocks = n;
    schedule.transfers = MakeDirection(collective, order, true, 1);
    return schedule;
}

/// Makes a schedule of the algorithm "bidirectional-ring".
DcnTrainSchedule
MakeBidirectionalRing(const DcnTrainCollective& collective, uint32_t n, uint32_t channel)
{
    DcnTrainSchedule schedule;
    const std::vector<uint32_t> order = MakeOrder(collective, n, channel);
    const uint32_t root = FindRoot(collective, order);
    if (collective.operation == "broadcast")
    {
        const uint32_t forward = n / 2; // members that are reached forward
        for (uint32_t step = 0; step < forward; ++step)
        {
            schedule.transfers.push_back(
                {order[(root + step) % n], order[(root + step + 1) % n], 0, 1, 1, false});
            if (step < n - 1 - forward)
            {
                schedule.transfers.push_back({order[(root + n - step) % n],
                                              order[(root + n - step - 1) % n],
                                              0,
                                              1,
                                              1,
                                              false});
            }
        }
        return schedule;
    }
    schedule.nBlocks = 2 * n;
    const auto forward = MakeDirection(collective, order, true, 2);
    const auto backward = MakeDirection(collective, order, false, 2);
    for (std::size_t i = 0; i < forward.size(); ++i) // step by step
    {
        schedule.transfers.push_back(forward[i]);
        schedule.transfers.push_back(backward[i]);
    }
    return schedule;
}

/// The operations of both.
const std::vector<std::string> g_operations = {"all-reduce",
                                               "reduce-scatter",
                                               "all-gather",
                                               "broadcast"};

/// Make the algorithms known.
const DcnTrainCollective::Registration g_ring("ring", g_operations, MakeRing, g_operations);
const DcnTrainCollective::Registration g_bidirectional("bidirectional-ring",
                                                       g_operations,
                                                       MakeBidirectionalRing,
                                                       g_operations);

} // namespace

std::vector<uint32_t>
DcnTrainRing::MakeOrder(uint32_t nMembers, uint32_t groupSize, uint32_t channel)
{
    std::vector<uint32_t> order(nMembers);
    std::iota(order.begin(), order.end(), 0);
    const uint32_t g = groupSize;
    if (g == 0)
    {
        return order;
    }
    const uint32_t nServers = nMembers / g;
    const auto enter = [=](uint32_t server) { // accelerator by which the ring enters a server
        const bool isLastOfOdd = nServers % 2 == 1 && server + 1 == nServers && nServers > 1;
        return (channel + g * 2 - (isLastOfOdd ? 2 : server % 2)) % g;
    };
    std::size_t at = 0;
    for (uint32_t server = 0; server < nServers; ++server)
    {
        const uint32_t first = enter(server);
        uint32_t last = enter((server + 1) % nServers);
        last = last == first ? (first + g - 1) % g : last;
        order[at++] = server * g + first;
        for (uint32_t i = 1; i < g; ++i)
        {
            const uint32_t next = (first + i) % g;
            if (next != last)
            {
                order[at++] = server * g + next;
            }
        }
        order[at++] = server * g + last;
    }
    return order;
}

void
DcnTrainRing::ReduceScatter(uint32_t n,
                            const MemberMap& member,
                            const PlaceMap& place,
                            std::vector<DcnTrainTransfer>& transfers)
{
    AppendSteps(n, n - 1, true, member, place, transfers);
}

void
DcnTrainRing::AllGather(uint32_t n,
                        const MemberMap& member,
                        const PlaceMap& place,
                        std::vector<DcnTrainTransfer>& transfers)
{
    AppendSteps(n, 0, false, member, place, transfers);
}

} // namespace ns3

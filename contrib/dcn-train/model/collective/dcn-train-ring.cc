/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "dcn-train-ring.h"

#include <algorithm>

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

/**
 * @brief Make the transfers of a ring in one direction.
 * @param collective the operation
 * @param n members
 * @param isForward members send to the next; false: to the one before
 * @param nDirections each member has a block for each direction: 1 or 2
 */
std::vector<DcnTrainTransfer>
MakeDirection(const DcnTrainCollective& collective,
              uint32_t n,
              bool isForward,
              uint32_t nDirections)
{
    std::vector<DcnTrainTransfer> transfers;
    auto member = [=](uint32_t position) { return isForward ? position : n - 1 - position; };
    auto place = [=](uint32_t block) {
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
MakeRing(const DcnTrainCollective& collective, uint32_t n)
{
    DcnTrainSchedule schedule;
    if (collective.operation == "broadcast")
    {
        for (uint32_t step = 0; step + 1 < n; ++step)
        {
            schedule.transfers.push_back(
                {(collective.root + step) % n, (collective.root + step + 1) % n, 0, 1, 1, false});
        }
        return schedule;
    }
    schedule.nBlocks = n;
    schedule.transfers = MakeDirection(collective, n, true, 1);
    return schedule;
}

/// Makes a schedule of the algorithm "bidirectional-ring".
DcnTrainSchedule
MakeBidirectionalRing(const DcnTrainCollective& collective, uint32_t n)
{
    DcnTrainSchedule schedule;
    const uint32_t root = collective.root;
    if (collective.operation == "broadcast")
    {
        const uint32_t forward = n / 2; // members that are reached forward
        for (uint32_t step = 0; step < forward; ++step)
        {
            schedule.transfers.push_back(
                {(root + step) % n, (root + step + 1) % n, 0, 1, 1, false});
            if (step < n - 1 - forward)
            {
                schedule.transfers.push_back(
                    {(root + n - step) % n, (root + n - step - 1) % n, 0, 1, 1, false});
            }
        }
        return schedule;
    }
    schedule.nBlocks = 2 * n;
    const auto forward = MakeDirection(collective, n, true, 2);
    const auto backward = MakeDirection(collective, n, false, 2);
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
const DcnTrainCollective::Registration g_ring("ring", g_operations, MakeRing);
const DcnTrainCollective::Registration g_bidirectional("bidirectional-ring",
                                                       g_operations,
                                                       MakeBidirectionalRing);

} // namespace

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

/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "dcn-train-halving-doubling.h"

#include "ns3/dcn-error.h"

namespace ns3
{

namespace
{

/// Makes the algorithm known.
const DcnTrainCollective::Registration g_registration(
    "halving-doubling",
    {"all-reduce", "reduce-scatter", "all-gather", "broadcast"},
    DcnTrainHalvingDoubling::MakeSchedule);

} // namespace

DcnTrainSchedule
DcnTrainHalvingDoubling::MakeSchedule(const DcnTrainCollective& collective,
                                      uint32_t nMembers,
                                      uint32_t /* channel */)
{
    uint32_t power = 1;
    while (2 * power <= nMembers)
    {
        power *= 2;
    }
    const uint32_t rest = nMembers - power;
    const std::string& operation = collective.operation;
    if (rest > 0 && operation != "all-reduce")
    {
        DcnFail(operation,
                " by halving-doubling needs a power of two ranks, but there are ",
                nMembers,
                ": take the algorithm ring");
    }
    DcnTrainSchedule schedule;
    schedule.nBlocks = power;
    auto& transfers = schedule.transfers;
    // position among the members that take part to member
    auto member = [=](uint32_t i) { return i < rest ? 2 * i + 1 : i + rest; };
    for (uint32_t i = 0; i < rest; ++i)
    {
        transfers.push_back({2 * i, 2 * i + 1, 0, power, 1, true});
    }
    if (operation == "all-reduce" || operation == "reduce-scatter")
    {
        for (uint32_t d = power / 2; d > 0; d /= 2)
        {
            for (uint32_t i = 0; i < power; ++i)
            {
                transfers.push_back({member(i), member(i ^ d), (i ^ d) & ~(d - 1), d, 1, true});
            }
        }
    }
    const uint32_t root = collective.root;
    if (operation == "broadcast")
    {
        // a member whose position differs from the root's in the bits below 2d has 2d blocks
        for (uint32_t d = power / 2; d > 0; d /= 2)
        {
            for (uint32_t i = 0; i < power; ++i)
            {
                if (((i ^ root) & (2 * d - 1)) == 0)
                {
                    transfers.push_back({i, i ^ d, (i ^ d) & ~(d - 1), d, 1, false});
                }
            }
        }
    }
    if (operation != "reduce-scatter")
    {
        for (uint32_t d = 1; d < power; d *= 2)
        {
            for (uint32_t i = 0; i < power; ++i)
            {
                transfers.push_back({member(i), member(i ^ d), i & ~(d - 1), d, 1, false});
            }
        }
    }
    for (uint32_t i = 0; i < rest; ++i)
    {
        transfers.push_back({2 * i + 1, 2 * i, 0, power, 1, false});
    }
    return schedule;
}

} // namespace ns3

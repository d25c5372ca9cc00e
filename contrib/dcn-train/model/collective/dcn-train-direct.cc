/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "dcn-train-direct.h"

namespace ns3
{

namespace
{

/// Makes the algorithm known.
const DcnTrainCollective::Registration g_registration("direct",
                                                      DcnTrainCollective::GetOperations(),
                                                      DcnTrainDirect::MakeSchedule);

} // namespace

DcnTrainSchedule
DcnTrainDirect::MakeSchedule(const DcnTrainCollective& collective,
                             uint32_t nMembers,
                             uint32_t /* channel */)
{
    const uint64_t n = nMembers;
    const std::string& operation = collective.operation;
    DcnTrainSchedule schedule;
    schedule.nBlocks = operation == "broadcast" ? 1 : operation == "all-to-all" ? n * n : n;
    auto append = [&](uint32_t from, uint32_t distance, bool isReduction) {
        const auto to = static_cast<uint32_t>((from + distance) % n);
        const uint64_t block = operation == "all-to-all"  ? from * n + to
                               : operation == "broadcast" ? 0
                               : isReduction              ? to
                                                          : from;
        schedule.transfers.push_back({from, to, block, 1, 1, isReduction});
    };
    for (const bool isReduction : {true, false})
    {
        const bool isPart = isReduction ? operation == "all-reduce" || operation == "reduce-scatter"
                                        : operation != "reduce-scatter";
        for (uint32_t distance = 1; isPart && distance < n; ++distance)
        {
            for (uint32_t from = 0; from < n; ++from)
            {
                if (operation != "broadcast" || from == collective.root)
                {
                    append(from, distance, isReduction);
                }
            }
        }
    }
    return schedule;
}

} // namespace ns3

/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "dcn-train-collective.h"

#include "ns3/dcn-error.h"
#include "ns3/dcn-units.h"
#include "ns3/log.h"

#include <algorithm>
#include <map>

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("DcnTrainCollective");

namespace
{

/// An algorithm and its operations.
struct Entry
{
    std::vector<std::string> operations;     //!< that it has
    DcnTrainCollective::Algorithm algorithm; //!< computes schedules
};

/// @return the registered algorithms
std::map<std::string, Entry>&
GetRegistry()
{
    static std::map<std::string, Entry> registry;
    return registry;
}

/// @return words joined by commas
std::string
Join(const std::vector<std::string>& words)
{
    std::string text;
    for (const auto& word : words)
    {
        text += (text.empty() ? "" : ", ") + word;
    }
    return text;
}

/// Sorts numbers and removes equal ones.
void
MakeUnique(std::vector<uint32_t>& numbers)
{
    std::sort(numbers.begin(), numbers.end());
    numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
}

} // namespace

DcnTrainCollective::Registration::Registration(const std::string& name,
                                               const std::vector<std::string>& operations,
                                               Algorithm algorithm)
{
    GetRegistry()[name] = {operations, algorithm};
}

const std::vector<std::string>&
DcnTrainCollective::GetOperations()
{
    static const std::vector<std::string> operations = {"all-reduce",
                                                        "reduce-scatter",
                                                        "all-gather",
                                                        "all-to-all",
                                                        "broadcast"};
    return operations;
}

std::vector<std::string>
DcnTrainCollective::GetAlgorithms(const std::string& operation)
{
    std::vector<std::string> names;
    for (const auto& [name, entry] : GetRegistry())
    {
        if (std::find(entry.operations.begin(), entry.operations.end(), operation) !=
            entry.operations.end())
        {
            names.push_back(name);
        }
    }
    return names;
}

double
DcnTrainCollective::GetBusFactor(const std::string& operation, uint32_t nMembers)
{
    const double share = (nMembers - 1.0) / nMembers;
    return operation == "all-reduce" ? 2 * share : operation == "broadcast" ? 1 : share;
}

DcnTrainSchedule
DcnTrainCollective::MakeSchedule(uint32_t nMembers) const
{
    const auto& operations = GetOperations();
    if (std::find(operations.begin(), operations.end(), operation) == operations.end())
    {
        DcnFail("the collective must be ", Join(operations), ", but it is \"", operation, "\"");
    }
    const std::vector<std::string> names = GetAlgorithms(operation);
    if (std::find(names.begin(), names.end(), algorithm) == names.end())
    {
        DcnFail("the algorithm of ",
                operation,
                " must be ",
                Join(names),
                ", but it is \"",
                algorithm,
                "\"");
    }
    if (nMembers < 2)
    {
        DcnFail(operation, " needs at least 2 ranks, but there is ", nMembers);
    }
    if (root >= nMembers || (root > 0 && operation != "broadcast"))
    {
        DcnFail("the root of ", operation, " among ", nMembers, " ranks cannot be ", root);
    }
    if (groupSize > 0 && algorithm != "hierarchical")
    {
        DcnFail("a group size (", groupSize, ") has no effect on the algorithm ", algorithm);
    }
    return GetRegistry()[algorithm].algorithm(*this, nMembers);
}

uint64_t
DcnTrainCollective::GetTotalBytes(uint32_t nMembers, uint64_t nBlocks) const
{
    if (channels == 0 || chunks == 0)
    {
        DcnFail("a collective has at least one channel and one chunk, but ",
                channels,
                " and ",
                chunks,
                " were asked for");
    }
    const uint64_t nParts = static_cast<uint64_t>(channels) * chunks;
    // an all-to-all moves n vectors: one per member
    const uint64_t total = operation == "all-to-all" ? bytes * nMembers : bytes;
    if (total < nParts * nBlocks)
    {
        DcnFail(operation,
                " of ",
                bytes,
                " bytes cannot be divided into ",
                nParts * nBlocks,
                " blocks: ",
                channels,
                " channels of ",
                chunks,
                " chunks of ",
                nBlocks,
                " blocks of the algorithm ",
                algorithm,
                " among ",
                nMembers,
                " ranks");
    }
    return total;
}

std::vector<uint32_t>
DcnTrainCollective::AddTo(DcnTrainGraph& graph,
                          const std::vector<uint32_t>& members,
                          const std::vector<uint32_t>& after) const
{
    const auto nMembers = static_cast<uint32_t>(members.size());
    const DcnTrainSchedule schedule = MakeSchedule(nMembers);
    const uint64_t nParts = static_cast<uint64_t>(channels) * chunks;
    const uint64_t nBlocks = schedule.nBlocks;
    const uint64_t total = GetTotalBytes(nMembers, nBlocks);
    // block b of part p has the bytes from (p nBlocks + b) total / (nParts nBlocks) on
    auto offset = [&](uint64_t block) { return DcnMulDiv(total, block, nParts * nBlocks); };
    graph.BeginOperation({name.empty() ? operation : name, operation, nMembers, bytes});
    auto begin = [&](uint32_t member) {
        return after.empty() ? DcnTrainGraph::NONE : after[member];
    };
    // by part and member: node after which the present version of each block is there
    std::vector<std::vector<uint32_t>> latest(nParts * nMembers);
    for (std::size_t i = 0; i < latest.size(); ++i)
    {
        latest[i].assign(nBlocks, begin(static_cast<uint32_t>(i % nMembers)));
    }
    std::vector<std::vector<uint32_t>> sends(nMembers);
    std::vector<bool> receives(nMembers, false);
    std::vector<uint32_t> needed;
    for (const DcnTrainTransfer& transfer : schedule.transfers)
    {
        receives[transfer.to] = true;
        for (uint64_t part = 0; part < nParts; ++part)
        {
            std::vector<uint32_t>& from = latest[part * nMembers + transfer.from];
            std::vector<uint32_t>& to = latest[part * nMembers + transfer.to];
            uint64_t size = 0;
            needed.clear();
            std::vector<uint32_t> own;
            for (uint64_t i = 0; i < transfer.count; ++i)
            {
                const uint64_t block = transfer.first + i * transfer.stride;
                size += offset(part * nBlocks + block + 1) - offset(part * nBlocks + block);
                needed.push_back(from[block]);
                own.push_back(to[block]);
            }
            MakeUnique(needed);
            MakeUnique(own);
            const uint32_t tag = graph.MakeTag();
            const uint32_t sent = graph.Send(members[transfer.from],
                                             members[transfer.to],
                                             size,
                                             tag,
                                             needed,
                                             stream + static_cast<uint32_t>(part / chunks));
            sends[transfer.from].push_back(sent);
            const uint32_t received = graph.Receive(
                members[transfer.to],
                members[transfer.from],
                size,
                tag,
                transfer.isReduction ? own : std::vector<uint32_t>{begin(transfer.to)});
            for (uint64_t i = 0; i < transfer.count; ++i)
            {
                to[transfer.first + i * transfer.stride] = received;
            }
        }
    }
    std::vector<uint32_t> ends(nMembers);
    for (uint32_t member = 0; member < nMembers; ++member)
    {
        std::vector<uint32_t> last;
        for (uint64_t part = 0; part < nParts; ++part)
        {
            const auto& blocks = latest[part * nMembers + member];
            last.insert(last.end(), blocks.begin(), blocks.end());
        }
        if (!receives[member])
        {
            last = sends[member]; // its data must not change before
        }
        MakeUnique(last);
        ends[member] = graph.Join(members[member], last);
    }
    graph.SetOperation(DcnTrainNode::NO_OPERATION);
    return ends;
}

} // namespace ns3

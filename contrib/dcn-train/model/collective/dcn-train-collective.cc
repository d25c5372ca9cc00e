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
    std::vector<std::string> grouped;        //!< for which groupSize has an effect
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

/// @return whether a word is among words
bool
Has(const std::vector<std::string>& words, const std::string& word)
{
    return std::find(words.begin(), words.end(), word) != words.end();
}

/// Sorts numbers and removes equal ones.
void
MakeUnique(std::vector<uint32_t>& numbers)
{
    std::sort(numbers.begin(), numbers.end());
    numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
}

/**
 * @brief Add the nodes by which members have the result.
 * @param graph the graph
 * @param members ranks
 * @param latest by part and member: node after which each block is there
 * @param sends by member: its sends
 * @param receives by member: whether it receives
 * @return by member: its node
 */
std::vector<uint32_t>
AddEnds(DcnTrainGraph& graph,
        const std::vector<uint32_t>& members,
        const std::vector<std::vector<uint32_t>>& latest,
        const std::vector<std::vector<uint32_t>>& sends,
        const std::vector<bool>& receives)
{
    const std::size_t nMembers = members.size();
    std::vector<uint32_t> ends(nMembers);
    for (std::size_t member = 0; member < nMembers; ++member)
    {
        std::vector<uint32_t> last;
        for (std::size_t i = member; i < latest.size(); i += nMembers)
        {
            last.insert(last.end(), latest[i].begin(), latest[i].end());
        }
        if (!receives[member])
        {
            last = sends[member]; // its data must not change before
        }
        MakeUnique(last);
        ends[member] = graph.Join(members[member], last);
    }
    return ends;
}

} // namespace

DcnTrainCollective::Registration::Registration(const std::string& name,
                                               const std::vector<std::string>& operations,
                                               Algorithm algorithm,
                                               const std::vector<std::string>& grouped)
{
    GetRegistry()[name] = {operations, algorithm, grouped};
}

bool
DcnTrainCollective::IsGrouped() const
{
    const auto found = GetRegistry().find(algorithm);
    return found != GetRegistry().end() && Has(found->second.grouped, operation);
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
        if (Has(entry.operations, operation))
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
DcnTrainCollective::MakeSchedule(uint32_t nMembers, uint32_t channel) const
{
    const auto& operations = GetOperations();
    if (!Has(operations, operation))
    {
        DcnFail("the collective must be ", Join(operations), ", but it is \"", operation, "\"");
    }
    const std::vector<std::string> names = GetAlgorithms(operation);
    if (!Has(names, algorithm))
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
    if (groupSize > 0 && !IsGrouped())
    {
        DcnFail("a group size (",
                groupSize,
                ") has no effect on the algorithm ",
                algorithm,
                " of ",
                operation);
    }
    return GetRegistry()[algorithm].algorithm(*this, nMembers, channel);
}

void
DcnTrainCollective::CheckGroups(uint32_t nMembers) const
{
    if (groupSize < 2 || nMembers % groupSize != 0)
    {
        DcnFail("the algorithm ",
                algorithm,
                " needs groups of equal size, at least 2, but ",
                nMembers,
                " ranks are to be divided into groups of ",
                groupSize);
    }
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
    if (total < nParts * nBlocks && protocols)
    {
        return nParts * nBlocks; // a message has at least a byte
    }
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
    if (!protocols)
    {
        return AddParts(graph, members, after, 0);
    }
    DcnTrainCollective fixed = *this;
    const uint32_t choice = protocols->Fix(fixed, members);
    return fixed.AddParts(graph, members, after, choice);
}

std::vector<DcnTrainSchedule>
DcnTrainCollective::MakeSchedules(uint32_t nMembers) const
{
    // without channels there is one, and GetTotalBytes refuses them
    const uint32_t n = groupSize > 0 ? std::clamp(channels, 1U, groupSize) : 1;
    std::vector<DcnTrainSchedule> schedules;
    for (uint32_t channel = 0; channel < n; ++channel)
    {
        schedules.push_back(MakeSchedule(nMembers, channel));
    }
    return schedules;
}

std::vector<uint32_t>
DcnTrainCollective::AddLaunches(DcnTrainGraph& graph,
                                const std::vector<uint32_t>& members,
                                const std::vector<uint32_t>& after,
                                uint32_t choice) const
{
    std::vector<uint32_t> begins = after;
    begins.resize(members.size(), DcnTrainGraph::NONE);
    const int64_t launchNs = protocols ? protocols->GetLaunchNs(choice) : 0;
    for (std::size_t member = 0; launchNs > 0 && member < members.size(); ++member)
    {
        begins[member] = graph.Join(members[member], {begins[member]}, launchNs);
    }
    return begins;
}

std::vector<uint32_t>
DcnTrainCollective::AddParts(DcnTrainGraph& graph,
                             const std::vector<uint32_t>& members,
                             const std::vector<uint32_t>& after,
                             uint32_t choice) const
{
    const auto nMembers = static_cast<uint32_t>(members.size());
    const std::vector<DcnTrainSchedule> schedules = MakeSchedules(nMembers);
    const DcnTrainSchedule& schedule = schedules.front();
    const uint64_t nParts = static_cast<uint64_t>(channels) * chunks;
    const uint64_t nBlocks = schedule.nBlocks;
    const uint64_t total = GetTotalBytes(nMembers, nBlocks);
    // block b of part p has the bytes from (p nBlocks + b) total / (nParts nBlocks) on
    auto offset = [&](uint64_t block) { return DcnMulDiv(total, block, nParts * nBlocks); };
    graph.BeginOperation({name.empty() ? operation : name, operation, nMembers, bytes});
    const std::vector<uint32_t> begins = AddLaunches(graph, members, after, choice);
    auto begin = [&](uint32_t member) { return begins[member]; };
    // by part and member: node after which the present version of each block is there
    std::vector<std::vector<uint32_t>> latest(nParts * nMembers);
    for (std::size_t i = 0; i < latest.size(); ++i)
    {
        latest[i].assign(nBlocks, begin(static_cast<uint32_t>(i % nMembers)));
    }
    std::vector<std::vector<uint32_t>> sends(nMembers);
    std::vector<bool> receives(nMembers, false);
    std::vector<uint32_t> needed;
    for (std::size_t step = 0; step < schedule.transfers.size(); ++step)
    {
        for (uint64_t part = 0; part < nParts; ++part)
        {
            const DcnTrainTransfer& transfer =
                schedules[part / chunks % schedules.size()].transfers[step];
            receives[transfer.to] = true;
            std::vector<uint32_t>& source = latest[part * nMembers + transfer.from];
            std::vector<uint32_t>& target = latest[part * nMembers + transfer.to];
            uint64_t size = 0;
            needed.clear();
            std::vector<uint32_t> own;
            for (uint64_t i = 0; i < transfer.count; ++i)
            {
                const uint64_t block = transfer.first + i * transfer.stride;
                size += offset(part * nBlocks + block + 1) - offset(part * nBlocks + block);
                needed.push_back(source[block]);
                own.push_back(target[block]);
            }
            MakeUnique(needed);
            MakeUnique(own);
            const uint32_t from = members[transfer.from];
            const uint32_t to = members[transfer.to];
            const DcnTrainHostCosts::Message message =
                protocols ? protocols->MakeMessage(choice, channels, from, to, size)
                          : DcnTrainHostCosts::Message{size, 0, 0};
            const uint32_t tag = graph.MakeTag();
            sends[transfer.from].push_back(graph.Send(from,
                                                      to,
                                                      message.bytes,
                                                      tag,
                                                      needed,
                                                      stream + static_cast<uint32_t>(part / chunks),
                                                      message.sendNs));
            const uint32_t received = graph.Receive(
                to,
                from,
                message.bytes,
                tag,
                transfer.isReduction ? own : std::vector<uint32_t>{begin(transfer.to)},
                message.receiveNs);
            for (uint64_t i = 0; i < transfer.count; ++i)
            {
                target[transfer.first + i * transfer.stride] = received;
            }
        }
    }
    const std::vector<uint32_t> ends = AddEnds(graph, members, latest, sends, receives);
    graph.SetOperation(DcnTrainNode::NO_OPERATION);
    return ends;
}

} // namespace ns3

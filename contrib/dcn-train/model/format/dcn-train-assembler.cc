/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "dcn-train-assembler.h"

#include "ns3/dcn-error.h"

#include <algorithm>
#include <map>
#include <queue>
#include <tuple>
#include <unordered_map>
#include <utility>

namespace ns3
{

DcnTrainAssembler::DcnTrainAssembler(uint32_t nRanks,
                                     const std::string& name,
                                     const DcnTrainImportOptions& options)
    : m_options(options),
      m_graph(std::make_shared<DcnTrainGraph>(nRanks, name)),
      m_ranks(nRanks)
{
}

void
DcnTrainAssembler::Add(uint32_t rank, const std::string& file, Step step)
{
    m_ranks.at(rank).file = file;
    m_ranks[rank].steps.push_back(std::move(step));
}

void
DcnTrainAssembler::Sort(Rank& rank) const
{
    const std::size_t n = rank.steps.size();
    std::unordered_map<uint64_t, std::size_t> places;
    for (std::size_t i = 0; i < n; ++i)
    {
        if (!places.emplace(rank.steps[i].id, i).second)
        {
            DcnFail(rank.file, ": the id ", rank.steps[i].id, " stands for two nodes");
        }
    }
    std::vector<std::vector<std::size_t>> later(n);
    std::vector<std::size_t> nWaiting(n, 0);
    for (std::size_t i = 0; i < n; ++i)
    {
        for (const uint64_t id : rank.steps[i].after)
        {
            const auto before = places.find(id);
            if (before == places.end())
            {
                DcnFail(rank.file,
                        ": node ",
                        rank.steps[i].id,
                        " waits for node ",
                        id,
                        ", which is not in the file");
            }
            later[before->second].push_back(i);
            ++nWaiting[i];
        }
    }
    std::priority_queue<std::size_t, std::vector<std::size_t>, std::greater<>> ready;
    for (std::size_t i = 0; i < n; ++i)
    {
        if (nWaiting[i] == 0)
        {
            ready.push(i);
        }
    }
    while (!ready.empty())
    {
        const std::size_t i = ready.top();
        ready.pop();
        rank.order.push_back(i);
        for (const std::size_t next : later[i])
        {
            if (--nWaiting[next] == 0)
            {
                ready.push(next);
            }
        }
    }
    if (rank.order.size() < n)
    {
        const auto first = std::find_if(nWaiting.begin(), nWaiting.end(), [](std::size_t waiting) {
            return waiting > 0;
        });
        DcnFail(rank.file,
                ": node ",
                rank.steps[first - nWaiting.begin()].id,
                " is part of a cycle, or waits for one");
    }
}

std::vector<uint32_t>
DcnTrainAssembler::GetAfter(const Rank& rank, const Step& step) const
{
    std::vector<uint32_t> after;
    for (const uint64_t id : step.after)
    {
        after.push_back(rank.made.at(id));
    }
    std::sort(after.begin(), after.end());
    after.erase(std::unique(after.begin(), after.end()), after.end());
    return after;
}

bool
DcnTrainAssembler::Advance(uint32_t index)
{
    Rank& rank = m_ranks[index];
    bool hasAdvanced = false;
    while (rank.next < rank.order.size())
    {
        const Step& step = rank.steps[rank.order[rank.next]];
        if (!step.collective.empty())
        {
            // the first member that finds all others there adds it
            for (const uint32_t other : step.group)
            {
                const Rank& peer = m_ranks[other];
                if (peer.next == peer.order.size() ||
                    peer.steps[peer.order[peer.next]].group != step.group)
                {
                    return hasAdvanced;
                }
            }
            Collect(step);
            hasAdvanced = true;
            continue;
        }
        DcnTrainNode node = step.node;
        node.after.clear();
        for (const uint32_t other : GetAfter(rank, step))
        {
            node.after.push_back(other);
        }
        const bool isMessage =
            node.kind == DcnTrainKind::SEND || node.kind == DcnTrainKind::RECEIVE;
        if (isMessage && node.peer >= m_ranks.size())
        {
            DcnFail(rank.file,
                    ": node ",
                    step.id,
                    " of rank ",
                    index,
                    " names rank ",
                    node.peer,
                    ", but there are only ranks 0 to ",
                    m_ranks.size() - 1);
        }
        if (isMessage && node.bytes == 0)
        {
            DcnFail(rank.file, ": node ", step.id, " of rank ", index, " has a message of 0 bytes");
        }
        rank.made[step.id] = m_graph->Add(index, node);
        ++rank.next;
        hasAdvanced = true;
    }
    return hasAdvanced;
}

void
DcnTrainAssembler::Collect(const Step& step)
{
    DcnTrainCollective collective;
    collective.operation = step.collective;
    collective.algorithm =
        step.collective == "all-to-all" ? m_options.allToAll : m_options.algorithm;
    collective.bytes = step.bytes;
    collective.channels = m_options.channels;
    collective.chunks = m_options.chunks;
    collective.protocols = m_options.protocols;
    collective.groupSize = collective.IsGrouped() ? m_options.groupSize : 0;
    collective.root = step.root;
    collective.name = step.name;
    std::vector<uint32_t> after;
    for (const uint32_t member : step.group)
    {
        Rank& rank = m_ranks[member];
        const Step& own = rank.steps[rank.order[rank.next]];
        if (own.collective != step.collective || own.bytes != step.bytes)
        {
            DcnFail(rank.file,
                    ": node ",
                    own.id,
                    " of rank ",
                    member,
                    " is ",
                    own.collective,
                    " of ",
                    own.bytes,
                    " bytes, but node ",
                    step.id,
                    " of rank ",
                    step.group.front(),
                    " is ",
                    step.collective,
                    " of ",
                    step.bytes,
                    " bytes in the same place of their group");
        }
        after.push_back(m_graph->Join(member, GetAfter(rank, own)));
    }
    const auto ends = step.group.size() > 1 ? collective.AddTo(*m_graph, step.group, after) : after;
    for (std::size_t i = 0; i < step.group.size(); ++i)
    {
        Rank& rank = m_ranks[step.group[i]];
        rank.made[rank.steps[rank.order[rank.next]].id] = ends[i];
        ++rank.next;
    }
}

std::shared_ptr<DcnTrainGraph>
DcnTrainAssembler::Make()
{
    for (Rank& rank : m_ranks)
    {
        Sort(rank);
    }
    for (bool hasAdvanced = true; hasAdvanced;)
    {
        hasAdvanced = false;
        for (uint32_t rank = 0; rank < m_ranks.size(); ++rank)
        {
            hasAdvanced = Advance(rank) || hasAdvanced;
        }
    }
    for (uint32_t index = 0; index < m_ranks.size(); ++index)
    {
        const Rank& rank = m_ranks[index];
        if (rank.next < rank.order.size())
        {
            const Step& step = rank.steps[rank.order[rank.next]];
            DcnFail(rank.file,
                    ": node ",
                    step.id,
                    " of rank ",
                    index,
                    " (",
                    step.collective,
                    " of ",
                    step.bytes,
                    " bytes) waits for a member of its group that does not reach it: the order of "
                    "collectives differs");
        }
    }
    DcnCheckTrainMessages(*m_graph);
    CheckCausal();
    return m_graph;
}

std::vector<DcnTrainAssembler::Place>
DcnTrainAssembler::FindReady(std::vector<std::vector<uint32_t>>& nWaiting,
                             std::vector<std::vector<std::vector<uint32_t>>>& later) const
{
    const uint32_t nRanks = m_graph->GetNRanks();
    nWaiting.resize(nRanks);
    later.resize(nRanks);
    std::vector<Place> ready;
    for (uint32_t rank = 0; rank < nRanks; ++rank)
    {
        const auto& nodes = m_graph->GetNodes(rank);
        nWaiting[rank].resize(nodes.size());
        later[rank].resize(nodes.size());
        for (uint32_t number = 0; number < nodes.size(); ++number)
        {
            for (const uint32_t before : nodes[number].after)
            {
                later[rank][before].push_back(number);
                ++nWaiting[rank][number];
            }
            if (nWaiting[rank][number] == 0)
            {
                ready.emplace_back(rank, number);
            }
        }
    }
    return ready;
}

void
DcnTrainAssembler::RefuseWaiting(const std::map<Channel, std::vector<Place>>& receiving) const
{
    for (const auto& [channel, waiting] : receiving)
    {
        if (!waiting.empty())
        {
            DcnFail(
                m_ranks[std::get<1>(channel)].file,
                ": rank ",
                std::get<1>(channel),
                " waits for a message of rank ",
                std::get<0>(channel),
                " with tag ",
                std::get<2>(channel),
                ", which is never sent, since receives wait for each other in a circle: the trace "
                "is not causal");
        }
    }
}

void
DcnTrainAssembler::CheckCausal() const
{
    // a run without times: each node finishes as soon as it can
    std::vector<std::vector<uint32_t>> nWaiting;
    std::vector<std::vector<std::vector<uint32_t>>> later;
    std::vector<Place> ready = FindReady(nWaiting, later);
    std::map<Channel, uint64_t> sent;                // messages without a receive
    std::map<Channel, std::vector<Place>> receiving; // receives without a message
    while (!ready.empty())
    {
        Place place = ready.back();
        ready.pop_back();
        const DcnTrainNode& node = m_graph->GetNodes(place.first)[place.second];
        std::vector<Place> finished{place};
        if (node.kind == DcnTrainKind::SEND)
        {
            auto& waiting = receiving[{place.first, node.peer, node.tag}];
            if (waiting.empty())
            {
                ++sent[{place.first, node.peer, node.tag}];
            }
            else
            {
                finished.push_back(waiting.front());
                waiting.erase(waiting.begin());
            }
        }
        else if (node.kind == DcnTrainKind::RECEIVE)
        {
            const Channel channel{node.peer, place.first, node.tag};
            uint64_t& nSent = sent[channel];
            if (nSent == 0)
            {
                receiving[channel].push_back(place);
                continue;
            }
            --nSent;
        }
        for (const auto& [rank, number] : finished)
        {
            for (const uint32_t next : later[rank][number])
            {
                if (--nWaiting[rank][next] == 0)
                {
                    ready.emplace_back(rank, next);
                }
            }
        }
    }
    RefuseWaiting(receiving);
}

} // namespace ns3

/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "dcn-train-graph.h"

#include "ns3/assert.h"
#include "ns3/dcn-error.h"
#include "ns3/log.h"

#include <algorithm>
#include <map>
#include <sstream>
#include <tuple>
#include <unordered_map>
#include <utility>

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("DcnTrainGraph");

std::string
DcnDescribeTrainNode(uint32_t rank, uint64_t number, const DcnTrainNode& node)
{
    std::ostringstream text;
    text << "node " << number << " of rank " << rank;
    switch (node.kind)
    {
    case DcnTrainKind::COMPUTE:
        text << " (compute for " << node.durationNs << " ns)";
        break;
    case DcnTrainKind::SEND:
        text << " (send of " << node.bytes << " bytes to rank " << node.peer << " with tag "
             << node.tag << ")";
        break;
    case DcnTrainKind::RECEIVE:
        text << " (receive of " << node.bytes << " bytes from rank " << node.peer << " with tag "
             << node.tag << ")";
        break;
    case DcnTrainKind::JOIN:
        text << " (join)";
        break;
    }
    return text.str();
}

void
DcnCheckTrainNode(const std::string& where,
                  uint32_t rank,
                  uint64_t number,
                  uint32_t nRanks,
                  const DcnTrainNode& node)
{
    auto refuse = [&](const auto&... reason) {
        DcnFail(where, DcnDescribeTrainNode(rank, number, node), reason...);
    };
    if (node.kind == DcnTrainKind::SEND || node.kind == DcnTrainKind::RECEIVE)
    {
        if (node.peer >= nRanks)
        {
            refuse(": there are only ranks 0 to ", nRanks - 1);
        }
        if (node.peer == rank)
        {
            refuse(": a rank sends no message to itself");
        }
        if (node.bytes == 0)
        {
            refuse(": a message has at least one byte");
        }
    }
    if (node.durationNs < 0)
    {
        refuse(": a duration is not negative");
    }
    for (const uint32_t other : node.after)
    {
        if (other >= number)
        {
            refuse(" waits for node ",
                   other,
                   ", which is ",
                   other == number ? "itself" : "not before it",
                   ": a node waits for earlier nodes of its rank, so that there is no cycle");
        }
    }
}

namespace
{

/// Messages of one sender, receiver and tag.
struct Tally
{
    uint64_t nSends{0};        //!< sends
    uint64_t nReceives{0};     //!< receives
    uint64_t sentBytes{0};     //!< bytes of the sends
    uint64_t receivedBytes{0}; //!< bytes of the receives
    uint64_t send{0};          //!< node of the last send
    uint64_t receive{0};       //!< node of the last receive
};

/// Hash of the key of a tally.
struct Hash
{
    std::size_t operator()(const std::pair<uint64_t, uint32_t>& key) const
    {
        return std::hash<uint64_t>()((key.first * 0x9e3779b97f4a7c15ULL) ^ key.second);
    }
};

/// By sender << 32 | receiver, and tag.
using Tallies = std::unordered_map<std::pair<uint64_t, uint32_t>, Tally, Hash>;
/// By sender, receiver and tag: in order, so that a sentence does not depend on the hash.
using SortedTallies = std::map<std::tuple<uint32_t, uint32_t, uint32_t>, Tally>;

/// @return the messages of a graph, which is read from its begin and rewound
Tallies
TallyMessages(DcnTrainSource& source)
{
    Tallies tallies;
    source.Rewind();
    const uint32_t nRanks = source.GetNRanks();
    for (uint32_t rank = 0; rank < nRanks; ++rank)
    {
        DcnTrainNode node;
        for (uint64_t number = 0; source.Fetch(rank, node); ++number)
        {
            if (node.kind == DcnTrainKind::SEND)
            {
                Tally& tally = tallies[{static_cast<uint64_t>(rank) << 32 | node.peer, node.tag}];
                ++tally.nSends;
                tally.sentBytes += node.bytes;
                tally.send = number;
            }
            else if (node.kind == DcnTrainKind::RECEIVE)
            {
                Tally& tally = tallies[{static_cast<uint64_t>(node.peer) << 32 | rank, node.tag}];
                ++tally.nReceives;
                tally.receivedBytes += node.bytes;
                tally.receive = number;
            }
        }
    }
    source.Rewind();
    return tallies;
}

/// Fails by a sentence on the first of the tallies, whose sends and receives differ.
[[noreturn]] void
FailUnmatched(const std::string& name, const SortedTallies& wrong)
{
    const auto& [key, tally] = *wrong.begin();
    const auto& [from, to, tag] = key;
    // a tag with the opposite error is what the user probably meant
    std::string hint;
    for (const auto& [otherKey, other] : wrong)
    {
        if (std::get<0>(otherKey) == from && std::get<1>(otherKey) == to &&
            (other.nSends > other.nReceives) == (tally.nSends < tally.nReceives))
        {
            hint = "; with tag " + std::to_string(std::get<2>(otherKey)) + " it is the other way";
            break;
        }
    }
    if (tally.nSends < tally.nReceives)
    {
        DcnFail(name,
                ": node ",
                tally.receive,
                " of rank ",
                to,
                " receives from rank ",
                from,
                " with tag ",
                tag,
                ", but there are ",
                tally.nReceives,
                " such receives and ",
                tally.nSends,
                " sends",
                hint);
    }
    if (tally.nSends > tally.nReceives)
    {
        DcnFail(name,
                ": node ",
                tally.send,
                " of rank ",
                from,
                " sends to rank ",
                to,
                " with tag ",
                tag,
                ", but there are ",
                tally.nSends,
                " such sends and ",
                tally.nReceives,
                " receives",
                hint);
    }
    DcnFail(name,
            ": rank ",
            from,
            " sends ",
            tally.sentBytes,
            " bytes to rank ",
            to,
            " with tag ",
            tag,
            " (last at node ",
            tally.send,
            "), but rank ",
            to,
            " receives ",
            tally.receivedBytes,
            " bytes (last at node ",
            tally.receive,
            ")");
}

} // namespace

void
DcnCheckTrainMessages(DcnTrainSource& source)
{
    SortedTallies wrong;
    for (const auto& [key, tally] : TallyMessages(source))
    {
        if (tally.nSends != tally.nReceives || tally.sentBytes != tally.receivedBytes)
        {
            wrong[{static_cast<uint32_t>(key.first >> 32),
                   static_cast<uint32_t>(key.first),
                   key.second}] = tally;
        }
    }
    if (!wrong.empty())
    {
        FailUnmatched(source.GetName(), wrong);
    }
}

DcnTrainGraph::DcnTrainGraph(uint32_t nRanks, const std::string& name)
    : m_name(name),
      m_where(name + ": "),
      m_nodes(nRanks),
      m_next(nRanks, 0)
{
    if (nRanks == 0)
    {
        DcnFail(name, ": a graph has at least one rank");
    }
}

uint32_t
DcnTrainGraph::Add(uint32_t rank, const DcnTrainNode& node)
{
    if (rank >= m_nodes.size())
    {
        DcnFail(m_name, ": there is no rank ", rank, ", only ranks 0 to ", m_nodes.size() - 1);
    }
    const auto number = static_cast<uint32_t>(m_nodes[rank].size());
    DcnCheckTrainNode(m_where, rank, number, GetNRanks(), node);
    m_nodes[rank].push_back(node);
    m_nodes[rank].back().operation = m_operation;
    return number;
}

namespace
{

/// Sets the nodes that a node waits for, without NONE and repetition.
void
SetAfter(DcnTrainNode& node, const std::vector<uint32_t>& after)
{
    for (const uint32_t other : after)
    {
        if (other != DcnTrainGraph::NONE &&
            std::find(node.after.begin(), node.after.end(), other) == node.after.end())
        {
            node.after.push_back(other);
        }
    }
}

} // namespace

uint32_t
DcnTrainGraph::Compute(uint32_t rank,
                       int64_t durationNs,
                       const std::vector<uint32_t>& after,
                       uint32_t stream)
{
    DcnTrainNode node;
    node.kind = DcnTrainKind::COMPUTE;
    node.durationNs = durationNs;
    node.stream = stream;
    SetAfter(node, after);
    return Add(rank, node);
}

uint32_t
DcnTrainGraph::Send(uint32_t rank,
                    uint32_t peer,
                    uint64_t bytes,
                    uint32_t tag,
                    const std::vector<uint32_t>& after,
                    uint32_t stream,
                    int64_t durationNs)
{
    DcnTrainNode node;
    node.kind = DcnTrainKind::SEND;
    node.peer = peer;
    node.bytes = bytes;
    node.tag = tag;
    node.stream = stream;
    node.durationNs = durationNs;
    SetAfter(node, after);
    return Add(rank, node);
}

uint32_t
DcnTrainGraph::Receive(uint32_t rank,
                       uint32_t peer,
                       uint64_t bytes,
                       uint32_t tag,
                       const std::vector<uint32_t>& after,
                       int64_t durationNs)
{
    DcnTrainNode node;
    node.kind = DcnTrainKind::RECEIVE;
    node.peer = peer;
    node.bytes = bytes;
    node.tag = tag;
    node.durationNs = durationNs;
    SetAfter(node, after);
    return Add(rank, node);
}

uint32_t
DcnTrainGraph::Join(uint32_t rank, const std::vector<uint32_t>& after, int64_t durationNs)
{
    DcnTrainNode node;
    node.durationNs = durationNs;
    SetAfter(node, after);
    return Add(rank, node);
}

uint32_t
DcnTrainGraph::BeginOperation(const DcnTrainOperation& operation)
{
    NS_LOG_INFO("operation " << m_operations.size() << ": " << operation.name << ", "
                             << operation.kind << " of " << operation.bytes << " bytes on "
                             << operation.nRanks << " ranks");
    m_operations.push_back(operation);
    m_operation = static_cast<uint32_t>(m_operations.size() - 1);
    return m_operation;
}

void
DcnTrainGraph::SetOperation(uint32_t operation)
{
    m_operation = operation;
}

uint32_t
DcnTrainGraph::MakeTag()
{
    return m_nTags++;
}

const std::vector<DcnTrainNode>&
DcnTrainGraph::GetNodes(uint32_t rank) const
{
    return m_nodes.at(rank);
}

uint32_t
DcnTrainGraph::GetNRanks() const
{
    return static_cast<uint32_t>(m_nodes.size());
}

const std::vector<DcnTrainOperation>&
DcnTrainGraph::GetOperations() const
{
    return m_operations;
}

bool
DcnTrainGraph::Fetch(uint32_t rank, DcnTrainNode& node)
{
    if (m_next[rank] == m_nodes[rank].size())
    {
        return false;
    }
    node = m_nodes[rank][m_next[rank]++];
    return true;
}

void
DcnTrainGraph::Rewind()
{
    m_next.assign(m_nodes.size(), 0);
}

std::string
DcnTrainGraph::GetName() const
{
    return m_name;
}

} // namespace ns3

/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "dcn-train-chakra.h"

#include "ns3/dcn-csv.h"
#include "ns3/dcn-error.h"
#include "ns3/log.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstring>
#include <fstream>
#include <iterator>
#include <map>
#include <set>

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("DcnTrainChakra");

namespace
{

/// Reads fields of messages of Protocol Buffers.
class Wire
{
  public:
    /**
     * @param file name for sentences
     * @param begin first byte
     * @param end one past the last byte
     * @param offset of the first byte in the file
     */
    Wire(const std::string& file, const char* begin, const char* end, uint64_t offset)
        : m_file(file),
          m_begin(begin),
          m_at(begin),
          m_end(end),
          m_offset(offset)
    {
    }

    /// @return whether nothing is left
    bool IsEnd() const
    {
        return m_at == m_end;
    }

    /// @return place in the file
    uint64_t GetOffset() const
    {
        return m_offset + static_cast<uint64_t>(m_at - m_begin);
    }

    /// Refuses the file.
    [[noreturn]] void Fail(const std::string& reason) const
    {
        DcnFail(m_file, ": byte ", GetOffset(), ": ", reason);
    }

    /// @return the next varint
    uint64_t ReadVarint()
    {
        uint64_t value = 0;
        for (uint32_t shift = 0; shift < 64; shift += 7)
        {
            if (m_at == m_end)
            {
                Fail("the file ends within a number: it is truncated");
            }
            const auto byte = static_cast<unsigned char>(*m_at++);
            value |= static_cast<uint64_t>(byte & 0x7f) << shift;
            if (byte < 0x80)
            {
                return value;
            }
        }
        Fail("a number has more than 10 bytes: this is no Chakra trace");
    }

    /// @return the next message or text: its length comes first
    Wire ReadPart()
    {
        const uint64_t length = ReadVarint();
        if (length > static_cast<uint64_t>(m_end - m_at))
        {
            Fail("a part of " + std::to_string(length) + " bytes ends after the file, which has " +
                 std::to_string(m_end - m_at) + " more: it is truncated");
        }
        Wire part(m_file, m_at, m_at + length, GetOffset());
        m_at += length;
        return part;
    }

    /// @return all that is left as text
    std::string GetText() const
    {
        return {m_at, m_end};
    }

    /// Reads the next field: number and type.
    void ReadKey(uint64_t& field, uint64_t& type)
    {
        const uint64_t key = ReadVarint();
        field = key >> 3;
        type = key & 7;
    }

    /// @return the next number of 4 or 8 bytes
    uint64_t ReadFixed(std::size_t bytes)
    {
        if (static_cast<std::size_t>(m_end - m_at) < bytes)
        {
            Fail("the file ends within a number: it is truncated");
        }
        uint64_t value = 0;
        for (std::size_t i = 0; i < bytes; ++i)
        {
            value |= static_cast<uint64_t>(static_cast<unsigned char>(*m_at++)) << (8 * i);
        }
        return value;
    }

    /// Goes over a value.
    void Skip(uint64_t type)
    {
        switch (type)
        {
        case 0:
            ReadVarint();
            break;
        case 1:
            ReadFixed(8);
            break;
        case 2:
            ReadPart();
            break;
        case 5:
            ReadFixed(4);
            break;
        default:
            Fail("a field has the type " + std::to_string(type) + ": this is no Chakra trace");
        }
    }

  private:
    const std::string& m_file; //!< name for sentences
    const char* m_begin;       //!< first byte
    const char* m_at;          //!< next byte
    const char* m_end;         //!< one past the last byte
    uint64_t m_offset;         //!< of the first byte
};

/// A node as it is in the file.
struct Node
{
    uint64_t id{0};                           //!< its id
    std::string name;                         //!< its name
    uint64_t type{0};                         //!< see the header
    uint64_t durationUs{0};                   //!< duration_micros
    std::vector<uint64_t> after;              //!< data_deps and ctrl_deps
    std::map<std::string, uint64_t> numbers;  //!< attributes that are numbers
    std::map<std::string, std::string> texts; //!< attributes that are texts
};

/// Reads an attribute.
void
ReadAttribute(Wire wire, Node& node)
{
    std::string name;
    uint64_t field = 0;
    uint64_t type = 0;
    while (!wire.IsEnd())
    {
        wire.ReadKey(field, type);
        if (field == 1 && type == 2)
        {
            name = wire.ReadPart().GetText();
        }
        else if (type == 0)
        {
            const uint64_t value = wire.ReadVarint();
            const bool isZigzag = field == 15 || field == 17;
            node.numbers[name] = isZigzag ? (value >> 1) ^ (~(value & 1) + 1) : value;
        }
        else if (type == 1 || type == 5)
        {
            const uint64_t bits = wire.ReadFixed(type == 1 ? 8 : 4);
            double value = static_cast<double>(bits);
            if (field == 3)
            {
                std::memcpy(&value, &bits, sizeof(value));
            }
            else if (field == 5)
            {
                float single = 0;
                const auto half = static_cast<uint32_t>(bits);
                std::memcpy(&single, &half, sizeof(single));
                value = static_cast<double>(single);
            }
            node.numbers[name] = value > 0 ? static_cast<uint64_t>(value) : 0;
        }
        else if (field == 29 && type == 2)
        {
            node.texts[name] = wire.ReadPart().GetText();
        }
        else
        {
            wire.Skip(type);
        }
    }
}

/// Reads a node.
Node
ReadNode(Wire wire)
{
    Node node;
    uint64_t field = 0;
    uint64_t type = 0;
    while (!wire.IsEnd())
    {
        wire.ReadKey(field, type);
        if (type == 0 && (field == 1 || field == 3 || field == 7))
        {
            (field == 1 ? node.id : field == 3 ? node.type : node.durationUs) = wire.ReadVarint();
        }
        else if ((field == 4 || field == 5) && type == 0)
        {
            node.after.push_back(wire.ReadVarint());
        }
        else if ((field == 4 || field == 5) && type == 2) // packed
        {
            for (Wire ids = wire.ReadPart(); !ids.IsEnd();)
            {
                node.after.push_back(ids.ReadVarint());
            }
        }
        else if (field == 2 && type == 2)
        {
            node.name = wire.ReadPart().GetText();
        }
        else if (field == 10 && type == 2)
        {
            ReadAttribute(wire.ReadPart(), node);
        }
        else
        {
            wire.Skip(type);
        }
    }
    return node;
}

/// Attributes that are used.
const std::set<std::string> g_used =
    {"comm_type", "comm_size", "comm_src", "comm_dst", "comm_tag", "pg_name", "num_ops"};

/// Collectives by comm_type.
const std::map<uint64_t, std::string> g_collectives = {{0, "all-reduce"},
                                                       {2, "all-gather"},
                                                       {5, "broadcast"},
                                                       {6, "all-to-all"},
                                                       {7, "reduce-scatter"}};

/// Communicator groups by name.
using Groups = std::map<std::string, std::vector<uint32_t>>;

/// Reads {"name": [ranks], ...}.
Groups
ReadGroups(const std::string& path, uint32_t nRanks)
{
    std::ifstream file(path);
    if (!file)
    {
        DcnFail(path, ": the file of communicator groups cannot be read");
    }
    std::string text((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
    text.erase(std::remove_if(text.begin(),
                              text.end(),
                              [](unsigned char letter) { return std::isspace(letter); }),
               text.end());
    Groups groups;
    std::size_t at = 1;
    auto refuse = [&]() {
        DcnFail(path, ": at byte ", at, " without blanks: expected {\"name\":[rank,...],...}");
    };
    if (text.size() < 2 || text.front() != '{' || text.back() != '}')
    {
        refuse();
    }
    while (at + 1 < text.size())
    {
        const std::size_t quote = text.find('"', at + 1);
        const std::size_t open = quote + 2;
        const std::size_t close = text.find(']', at);
        if (text[at] != '"' || quote == std::string::npos || close == std::string::npos ||
            text.compare(quote, 3, "\":[") != 0)
        {
            refuse();
        }
        std::vector<uint32_t>& members = groups[text.substr(at + 1, quote - at - 1)];
        for (const std::string& each : DcnSplit(text.substr(open + 1, close - open - 1), ','))
        {
            uint64_t rank = 0;
            if (!DcnParse(each, rank) || rank >= nRanks)
            {
                DcnFail(path,
                        ": the rank \"",
                        each,
                        "\" of a group is not among the ranks 0 to ",
                        nRanks - 1,
                        " that have files");
            }
            members.push_back(static_cast<uint32_t>(rank));
        }
        at = close + (text.compare(close, 2, "],") == 0 ? 2 : 1);
    }
    return groups;
}

/// @return all bytes of a file; empty if there is none
std::string
ReadAll(const std::string& path)
{
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

} // namespace

DcnTrainImport
DcnTrainChakra::Read(const std::string& prefix,
                     const std::string& groupFile,
                     const DcnTrainImportOptions& options)
{
    uint32_t nRanks = 0;
    auto path = [&](uint32_t rank) { return prefix + "." + std::to_string(rank) + ".et"; };
    while (std::ifstream(path(nRanks)))
    {
        ++nRanks;
    }
    if (nRanks == 0)
    {
        DcnFail(path(0), ": cannot be read: give the path without .RANK.et");
    }
    std::vector<uint32_t> all;
    for (uint32_t rank = 0; rank < nRanks; ++rank)
    {
        all.push_back(rank);
    }
    const Groups groups = groupFile.empty() ? Groups() : ReadGroups(groupFile, nRanks);
    DcnTrainAssembler assembler(nRanks, prefix, options);
    std::set<std::string> ignored;
    for (uint32_t rank = 0; rank < nRanks; ++rank)
    {
        const std::string file = path(rank);
        const std::string bytes = ReadAll(file);
        Wire wire(file, bytes.data(), bytes.data() + bytes.size(), 0);
        wire.ReadPart(); // GlobalMetadata
        while (!wire.IsEnd())
        {
            const Node node = ReadNode(wire.ReadPart());
            auto refuse = [&](const auto&... reason) {
                DcnFail(file, ": node ", node.id, " of rank ", rank, reason...);
            };
            auto get = [&](const char* name) {
                const auto found = node.numbers.find(name);
                if (found == node.numbers.end())
                {
                    refuse(" has no attribute ", name);
                }
                return found->second;
            };
            for (const auto& number : node.numbers)
            {
                if (g_used.count(number.first) == 0)
                {
                    ignored.insert("attribute " + number.first);
                }
            }
            DcnTrainAssembler::Step step;
            step.id = node.id;
            step.after = node.after;
            step.name = node.name;
            switch (node.type)
            {
            case 4:
                step.node.kind = DcnTrainKind::COMPUTE;
                step.node.durationNs = static_cast<int64_t>(1000 * node.durationUs);
                if (node.durationUs == 0 && node.numbers.count("num_ops") > 0)
                {
                    step.node.durationNs =
                        std::llround(static_cast<double>(get("num_ops")) * 1e9 / options.peakFlops);
                }
                break;
            case 5:
            case 6:
                step.node.kind = node.type == 5 ? DcnTrainKind::SEND : DcnTrainKind::RECEIVE;
                step.node.peer =
                    static_cast<uint32_t>(get(node.type == 5 ? "comm_dst" : "comm_src"));
                step.node.bytes = get("comm_size");
                step.node.tag = static_cast<uint32_t>(get("comm_tag"));
                break;
            case 7: {
                const auto operation = g_collectives.find(get("comm_type"));
                if (operation == g_collectives.end())
                {
                    refuse(" has the comm_type ",
                           get("comm_type"),
                           ", but only 0, 2, 5, 6 and 7 are supported");
                }
                step.collective = operation->second;
                step.bytes = get("comm_size");
                step.group = all;
                const auto group = node.texts.find("pg_name");
                if (group != node.texts.end() && !group->second.empty() && !groupFile.empty())
                {
                    const auto members = groups.find(group->second);
                    if (members == groups.end())
                    {
                        refuse(" names the group \"",
                               group->second,
                               "\", which is not in ",
                               groupFile);
                    }
                    step.group = members->second;
                    if (std::find(step.group.begin(), step.group.end(), rank) == step.group.end())
                    {
                        refuse(" takes part in group \"",
                               group->second,
                               "\", of which it is no member");
                    }
                }
                if (step.collective == "all-gather")
                {
                    step.bytes *= step.group.size();
                }
                if (step.bytes == 0)
                {
                    refuse(" is a collective of 0 bytes");
                }
                break;
            }
            default:
                if (node.type != 1)
                {
                    ignored.insert("nodes of type " + std::to_string(node.type) +
                                   ", which cost nothing");
                }
                step.node.kind = DcnTrainKind::JOIN;
            }
            assembler.Add(rank, file, std::move(step));
        }
    }
    NS_LOG_INFO(prefix << ": traces of " << nRanks << " ranks");
    return {assembler.Make(), {ignored.begin(), ignored.end()}};
}

} // namespace ns3

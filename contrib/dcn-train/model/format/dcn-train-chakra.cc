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
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <numeric>
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
    std::map<std::string, double> numbers;    //!< attributes that are numbers
    std::map<std::string, std::string> texts; //!< attributes that are texts
    std::set<std::string> others;             //!< fields and other attributes, which have no effect
    std::vector<bool> dimensions;             //!< involved_dim
};

/// @return a varint of a field of signed numbers
int64_t
ToSigned(uint64_t value, bool isZigzag)
{
    return static_cast<int64_t>(isZigzag ? (value >> 1) ^ (~(value & 1) + 1) : value);
}

/// @return the number of an attribute of 8 bytes (type 1) or 4 bytes (type 5)
double
ReadFixedNumber(Wire& wire, uint64_t field, uint64_t type)
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
    else if (field == 23 || field == 25) // signed
    {
        value = type == 1 ? static_cast<double>(static_cast<int64_t>(bits))
                          : static_cast<double>(static_cast<int32_t>(bits));
    }
    return value;
}

/// Reads the dimensions of a collective: repeated bool, packed or not.
void
ReadDimensions(Wire list, Node& node)
{
    uint64_t field = 0;
    uint64_t type = 0;
    while (!list.IsEnd())
    {
        list.ReadKey(field, type);
        if (type == 2)
        {
            for (Wire packed = list.ReadPart(); !packed.IsEnd();)
            {
                node.dimensions.push_back(packed.ReadVarint() != 0);
            }
        }
        else
        {
            node.dimensions.push_back(list.ReadVarint() != 0);
        }
    }
}

/// Reads an attribute (message AttributeProto).
void
ReadAttribute(Wire wire, Node& node)
{
    std::string name;
    uint64_t field = 0;
    uint64_t type = 0;
    auto take = [&](double value) {
        if (!node.numbers.emplace(name, value).second)
        {
            wire.Fail("the attribute " + name + " comes twice in node " + std::to_string(node.id));
        }
    };
    while (!wire.IsEnd())
    {
        wire.ReadKey(field, type);
        if (field == 1 && type == 2)
        {
            name = wire.ReadPart().GetText();
        }
        else if (type == 0 && field > 2)
        {
            // fields 11 and 13 are unsigned, 15 and 17 zigzag, 27 is bool
            const uint64_t value = wire.ReadVarint();
            const bool isUnsigned = field == 11 || field == 13 || field == 27;
            take(isUnsigned ? static_cast<double>(value)
                            : static_cast<double>(ToSigned(value, field == 15 || field == 17)));
        }
        else if (type == 1 || type == 5)
        {
            take(ReadFixedNumber(wire, field, type));
        }
        else if (field == 29 && type == 2)
        {
            if (!node.texts.emplace(name, wire.ReadPart().GetText()).second)
            {
                wire.Fail("the attribute " + name + " comes twice in node " +
                          std::to_string(node.id));
            }
        }
        else if (field == 28 && type == 2 && name == "involved_dim")
        {
            ReadDimensions(wire.ReadPart(), node);
        }
        else
        {
            if (field > 2)
            {
                node.others.insert("attribute " + name);
            }
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
            static const std::map<uint64_t, std::string> names = {{6, "start_time_micros"},
                                                                  {8, "inputs"},
                                                                  {9, "outputs"}};
            if (field == 0 || field <= 5 || field == 7 || field == 10)
            {
                wire.Fail("a node has the field " + std::to_string(field) + " with the type " +
                          std::to_string(type) + ": this is no Chakra trace");
            }
            const auto known = names.find(field);
            node.others.insert("field " +
                               (known == names.end() ? std::to_string(field) : known->second));
            wire.Skip(type);
        }
    }
    return node;
}

/// Collectives by comm_type.
const std::map<uint64_t, std::string> g_collectives = {{0, "all-reduce"},
                                                       {2, "all-gather"},
                                                       {5, "broadcast"},
                                                       {6, "all-to-all"},
                                                       {7, "reduce-scatter"}};

/// Communicator groups by name.
using Groups = std::map<std::string, std::vector<uint32_t>>;

/// Reads {"name": [ranks], ...}.
class GroupReader
{
  public:
    GroupReader(const std::string& path, uint32_t nRanks)
        : m_path(path),
          m_nRanks(nRanks)
    {
        std::ifstream file(path);
        if (!file)
        {
            DcnFail(path, ": the file of communicator groups cannot be read");
        }
        m_text.assign(std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>());
        m_at = m_text.compare(0, 3, "\xef\xbb\xbf") == 0 ? 3 : 0;
    }

    /// @return the groups
    Groups Read()
    {
        Groups groups;
        Expect('{');
        if (!Accept('}'))
        {
            do
            {
                const std::string name = ReadName();
                Expect(':');
                if (!groups.emplace(name, ReadMembers(name)).second)
                {
                    DcnFail(m_path, ": the group \"", name, "\" comes twice");
                }
            } while (Accept(','));
            Expect('}');
        }
        SkipBlanks();
        if (m_at < m_text.size())
        {
            Refuse();
        }
        return groups;
    }

  private:
    /// Refuses the text at this place.
    [[noreturn]] void Refuse() const
    {
        DcnFail(m_path, ": at byte ", m_at, ": expected {\"name\": [rank, ...], ...}");
    }

    /// Goes to the next letter.
    void SkipBlanks()
    {
        while (m_at < m_text.size() && std::isspace(static_cast<unsigned char>(m_text[m_at])))
        {
            ++m_at;
        }
    }

    /// @return whether this letter comes next; it is taken
    bool Accept(char letter)
    {
        SkipBlanks();
        const bool isThere = m_at < m_text.size() && m_text[m_at] == letter;
        m_at += isThere ? 1 : 0;
        return isThere;
    }

    /// Takes a letter that must come next.
    void Expect(char letter)
    {
        if (!Accept(letter))
        {
            Refuse();
        }
    }

    /// @return a text in quotation marks, which has no others
    std::string ReadName()
    {
        Expect('"');
        const std::size_t end = m_text.find_first_of("\"\\", m_at);
        if (end == std::string::npos || m_text[end] == '\\')
        {
            Refuse();
        }
        const std::string name = m_text.substr(m_at, end - m_at);
        m_at = end + 1;
        return name;
    }

    /// @return the ranks of a group
    std::vector<uint32_t> ReadMembers(const std::string& name)
    {
        std::vector<uint32_t> members;
        std::set<uint32_t> known;
        Expect('[');
        do
        {
            SkipBlanks();
            const std::size_t end = m_text.find_first_of(",] \t\r\n", m_at);
            if (end == std::string::npos)
            {
                Refuse();
            }
            const std::string each = m_text.substr(m_at, end - m_at);
            uint64_t rank = 0;
            if (!DcnParse(each, rank) || rank >= m_nRanks)
            {
                DcnFail(m_path,
                        ": the rank \"",
                        each,
                        "\" of a group is not among the ranks 0 to ",
                        m_nRanks - 1,
                        " that have files");
            }
            if (!known.insert(static_cast<uint32_t>(rank)).second)
            {
                DcnFail(m_path, ": the rank ", rank, " comes twice in the group \"", name, "\"");
            }
            members.push_back(static_cast<uint32_t>(rank));
            m_at = end;
        } while (Accept(','));
        Expect(']');
        return members;
    }

    std::string m_path;  //!< the file
    uint32_t m_nRanks;   //!< ranks that there are
    std::string m_text;  //!< of the file
    std::size_t m_at{0}; //!< next letter
};

/// @return all bytes of a file
std::string
ReadAll(const std::string& path)
{
    std::ifstream file(path, std::ios::binary);
    if (!file)
    {
        DcnFail(path, ": cannot be read");
    }
    return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

/// Makes steps of nodes of a rank.
class Maker
{
  public:
    /**
     * @param file of the rank
     * @param rank its number
     * @param nRanks number of ranks
     * @param groups communicator groups
     * @param groupFile their file; empty: none
     * @param peakFlops see DcnTrainImportOptions
     * @param ignored what has no effect
     * @param hasFlops set if peakFlops makes a duration
     */
    Maker(const std::string& file,
          uint32_t rank,
          uint32_t nRanks,
          const Groups& groups,
          const std::string& groupFile,
          double peakFlops,
          std::set<std::string>& ignored,
          bool& hasFlops)
        : m_file(file),
          m_rank(rank),
          m_nRanks(nRanks),
          m_groups(groups),
          m_groupFile(groupFile),
          m_peakFlops(peakFlops),
          m_ignored(ignored),
          m_hasFlops(hasFlops)
    {
    }

    /// @return the step of a node
    DcnTrainAssembler::Step Make(const Node& node)
    {
        m_node = &node;
        ListIgnored();
        DcnTrainAssembler::Step step;
        step.id = node.id;
        step.after = node.after;
        step.name = node.name;
        switch (node.type)
        {
        case 4:
            step.node.kind = DcnTrainKind::COMPUTE;
            step.node.durationNs = GetComputeNs();
            break;
        case 5:
        case 6:
            step.node.kind = node.type == 5 ? DcnTrainKind::SEND : DcnTrainKind::RECEIVE;
            step.node.peer =
                static_cast<uint32_t>(Get(node.type == 5 ? "comm_dst" : "comm_src", UINT32_MAX));
            CheckSelf(node.type == 5 ? "comm_src" : "comm_dst");
            step.node.bytes = Get("comm_size", MAX_BYTES);
            step.node.tag = static_cast<uint32_t>(Get("comm_tag", UINT32_MAX));
            break;
        case 7:
            MakeCollective(step);
            break;
        default:
            if (node.type != 1)
            {
                m_ignored.insert("nodes of type " + std::to_string(node.type) +
                                 ", which cost nothing");
            }
            step.node.kind = DcnTrainKind::JOIN;
        }
        return step;
    }

  private:
    static constexpr uint64_t MAX_BYTES = 1'000'000'000'000'000; //!< of a message [bytes]
    static constexpr uint64_t MAX_NS = 1'000'000'000'000'000;    //!< of a computation [ns]

    /// Refuses the node.
    template <typename... Parts>
    [[noreturn]] void Refuse(const Parts&... reason) const
    {
        DcnFail(m_file, ": node ", m_node->id, " of rank ", m_rank, reason...);
    }

    /// @return an attribute as a whole number
    uint64_t Get(const std::string& name, uint64_t most) const
    {
        const auto found = m_node->numbers.find(name);
        if (found == m_node->numbers.end())
        {
            Refuse(" has no attribute ", name);
        }
        const double value = found->second;
        if (!(value >= 0 && value <= static_cast<double>(most)) || value != std::floor(value))
        {
            Refuse(" has the attribute ",
                   name,
                   " ",
                   DcnToText(value),
                   ", which is no whole number from 0 to ",
                   most);
        }
        return static_cast<uint64_t>(value);
    }

    /// @return whether the node is of this rank, as far as an attribute says
    void CheckSelf(const std::string& name) const
    {
        if (m_node->numbers.count(name) > 0 && Get(name, UINT32_MAX) != m_rank)
        {
            Refuse(" has the attribute ",
                   name,
                   " ",
                   Get(name, UINT32_MAX),
                   ", although it is in the file of rank ",
                   m_rank);
        }
    }

    /// Lists attributes that have no effect.
    void ListIgnored()
    {
        static const std::set<std::string> used =
            {"comm_type", "comm_size", "comm_src", "comm_dst", "comm_tag", "num_ops"};
        for (const auto& number : m_node->numbers)
        {
            if (used.count(number.first) == 0)
            {
                m_ignored.insert("attribute " + number.first);
            }
        }
        for (const auto& text : m_node->texts)
        {
            if (text.first != "pg_name")
            {
                m_ignored.insert("attribute " + text.first);
            }
        }
        m_ignored.insert(m_node->others.begin(), m_node->others.end());
    }

    /// @return time of a compute node [ns]
    int64_t GetComputeNs() const
    {
        if (m_node->durationUs > MAX_NS / 1000)
        {
            Refuse(" has a duration of ", m_node->durationUs, " us, more than ", MAX_NS / 1000);
        }
        if (m_node->durationUs > 0 || m_node->numbers.count("num_ops") == 0)
        {
            return static_cast<int64_t>(1000 * m_node->durationUs);
        }
        m_hasFlops = true;
        const double ns = static_cast<double>(Get("num_ops", UINT64_MAX / 2)) * 1e9 / m_peakFlops;
        if (!(ns <= static_cast<double>(MAX_NS)))
        {
            Refuse(" has num_ops that take ", DcnToText(ns), " ns, more than ", MAX_NS);
        }
        return std::llround(ns);
    }

    /// Makes the step a collective.
    void MakeCollective(DcnTrainAssembler::Step& step) const
    {
        const uint64_t type = Get("comm_type", UINT32_MAX);
        const auto operation = g_collectives.find(type);
        if (operation == g_collectives.end())
        {
            Refuse(" has the comm_type ", type, ", but only 0, 2, 5, 6 and 7 are supported");
        }
        step.collective = operation->second;
        step.bytes = Get("comm_size", MAX_BYTES);
        const auto& inside = m_node->dimensions;
        if (std::find(inside.begin(), inside.end(), false) != inside.end())
        {
            Refuse(" is a collective of ",
                   std::count(inside.begin(), inside.end(), true),
                   " of ",
                   inside.size(),
                   " dimensions (involved_dim), but ranks have one dimension here: give it a "
                   "group (pg_name)");
        }
        const auto named = m_node->texts.find("pg_name");
        const std::string name = named == m_node->texts.end() ? "" : named->second;
        const auto members = m_groups.find(name);
        if (members != m_groups.end())
        {
            step.group = members->second;
        }
        else if (name.empty() || name == "0") // all ranks, as in ASTRA-sim
        {
            step.group.resize(m_nRanks);
            std::iota(step.group.begin(), step.group.end(), 0);
        }
        else if (m_groupFile.empty())
        {
            Refuse(" names the group \"", name, "\": give the JSON file of groups (--groups)");
        }
        else
        {
            Refuse(" names the group \"", name, "\", which is not in ", m_groupFile);
        }
        if (std::find(step.group.begin(), step.group.end(), m_rank) == step.group.end())
        {
            Refuse(" takes part in group \"", name, "\", of which it is no member");
        }
        if (step.collective == "all-gather")
        {
            step.bytes *= step.group.size();
        }
        if (step.bytes == 0)
        {
            Refuse(" is a collective of 0 bytes");
        }
    }

    const std::string& m_file;        //!< of the rank
    uint32_t m_rank;                  //!< its number
    uint32_t m_nRanks;                //!< number of ranks
    const Groups& m_groups;           //!< communicator groups
    const std::string& m_groupFile;   //!< their file; empty: none
    double m_peakFlops;               //!< of compute nodes without duration
    std::set<std::string>& m_ignored; //!< what has no effect
    bool& m_hasFlops;                 //!< m_peakFlops has made a duration
    const Node* m_node{nullptr};      //!< that is made
};

} // namespace

uint32_t
DcnTrainChakra::CountRanks(const std::string& prefix)
{
    namespace fs = std::filesystem;
    const fs::path path(prefix);
    const std::string begin = path.filename().string() + ".";
    std::set<uint64_t> ranks;
    std::error_code error;
    const fs::path folder = path.has_parent_path() ? path.parent_path() : fs::path(".");
    for (const auto& entry : fs::directory_iterator(folder, error))
    {
        const std::string name = entry.path().filename().string();
        uint64_t rank = 0;
        if (name.size() > begin.size() + 3 && name.compare(0, begin.size(), begin) == 0 &&
            name.compare(name.size() - 3, 3, ".et") == 0 &&
            DcnParse(name.substr(begin.size(), name.size() - begin.size() - 3), rank) &&
            name == begin + std::to_string(rank) + ".et")
        {
            ranks.insert(rank);
        }
    }
    if (ranks.empty())
    {
        DcnFail(prefix, ".0.et: cannot be read: give the path without .RANK.et");
    }
    uint32_t n = 0;
    for (const uint64_t rank : ranks)
    {
        if (rank != n)
        {
            DcnFail(prefix,
                    ".",
                    n,
                    ".et: the trace of rank ",
                    n,
                    " is missing, although there is one of rank ",
                    rank);
        }
        ++n;
    }
    return n;
}

DcnTrainImport
DcnTrainChakra::Read(const std::string& prefix,
                     const std::string& groupFile,
                     const DcnTrainImportOptions& options)
{
    const uint32_t nRanks = CountRanks(prefix);
    if (nRanks > options.mostRanks)
    {
        DcnFail(prefix,
                ": there are traces of ",
                nRanks,
                " ranks, more than the ",
                options.mostRanks,
                " that can run: take a larger topology");
    }
    const Groups groups = groupFile.empty() ? Groups() : GroupReader(groupFile, nRanks).Read();
    DcnTrainAssembler assembler(nRanks, prefix, options);
    std::set<std::string> ignored;
    bool hasFlops = false;
    for (uint32_t rank = 0; rank < nRanks; ++rank)
    {
        const std::string file = prefix + "." + std::to_string(rank) + ".et";
        const std::string bytes = ReadAll(file);
        Wire wire(file, bytes.data(), bytes.data() + bytes.size(), 0);
        wire.ReadPart(); // GlobalMetadata
        Maker maker(file, rank, nRanks, groups, groupFile, options.peakFlops, ignored, hasFlops);
        while (!wire.IsEnd())
        {
            assembler.Add(rank, file, maker.Make(ReadNode(wire.ReadPart())));
        }
    }
    NS_LOG_INFO(prefix << ": traces of " << nRanks << " ranks");
    return {assembler.Make(), {ignored.begin(), ignored.end()}, hasFlops};
}

} // namespace ns3

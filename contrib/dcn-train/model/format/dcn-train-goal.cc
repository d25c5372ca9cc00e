/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "dcn-train-goal.h"

#include "dcn-train-lines.h"

#include "ns3/dcn-csv.h"
#include "ns3/dcn-error.h"

#include <algorithm>
#include <limits>
#include <set>
#include <unordered_map>
#include <utility>

namespace ns3
{

namespace
{

/// Reads a GOAL file.
class Reader : private DcnTrainLines
{
  public:
    explicit Reader(const std::string& path)
        : DcnTrainLines(path, {"//", "/*", "*/", ":{}"})
    {
    }

    /// @return the graph
    DcnTrainImport Read()
    {
        if (!Reach() || words[0] != "num_ranks")
        {
            Fail("the first line must be \"num_ranks N\"");
        }
        const auto nRanks = static_cast<uint32_t>(
            GetNumber(1, "number of ranks", 1, DcnTrainImportOptions().mostRanks));
        m_at = 2;
        DcnTrainAssembler assembler(nRanks, m_path, {});
        std::vector<bool> isKnown(nRanks, false);
        while (Reach())
        {
            if (words[m_at] != "rank")
            {
                Fail("expected \"rank R {\", but it is " + Quote(words[m_at]));
            }
            const auto rank = static_cast<uint32_t>(GetNumber(m_at + 1, "rank", 0, nRanks - 1));
            m_at += 2;
            if (!Reach() || words[m_at] != "{")
            {
                Fail("expected { behind rank " + std::to_string(rank));
            }
            ++m_at;
            if (isKnown[rank])
            {
                Fail("rank " + std::to_string(rank) + " comes twice");
            }
            isKnown[rank] = true;
            ReadRank(rank, assembler);
        }
        if (!m_hasNode)
        {
            DcnFail(m_path, ": the file has no node: no rank computes, sends or receives");
        }
        return {assembler.Make(), GetIgnored()};
    }

  private:
    static constexpr uint64_t MAX = std::numeric_limits<uint32_t>::max(); //!< of tags and streams

    /// What is read of a rank.
    struct Rank
    {
        uint32_t number;                                       //!< of the rank
        std::vector<DcnTrainAssembler::Step> steps;            //!< its nodes
        std::unordered_map<std::string, uint64_t> ids;         //!< node by label
        std::vector<std::pair<uint64_t, uint64_t>> startsWith; //!< irequires: later, earlier
    };

    /// Goes to the next word, on a later line if need be; returns whether there is one.
    bool Reach()
    {
        while (m_at >= words.size())
        {
            if (!Next())
            {
                return false;
            }
            m_at = 0;
        }
        return true;
    }

    /// @return whether the statement has another word on its line
    bool HasMore() const
    {
        return m_at < words.size() && words[m_at] != "}";
    }

    /// @return the next word of the statement
    const std::string& Take()
    {
        if (!HasMore())
        {
            Fail("the line ends too early");
        }
        return words[m_at++];
    }

    /// Reads the lines of a rank up to its bracket.
    void ReadRank(uint32_t number, DcnTrainAssembler& assembler)
    {
        Rank rank{number, {}, {}, {}};
        while (Reach())
        {
            if (words[m_at] == "}")
            {
                ++m_at;
                AddStarts(rank);
                m_hasNode = m_hasNode || !rank.steps.empty();
                for (auto& step : rank.steps)
                {
                    assembler.Add(number, m_path, std::move(step));
                }
                return;
            }
            ReadStatement(rank);
            if (HasMore())
            {
                Fail("the line must end before " + Quote(words[m_at]));
            }
        }
        Fail("the file ends within rank " + std::to_string(number) + ": it is truncated");
    }

    /// Reads a node, or a dependency.
    void ReadStatement(Rank& rank)
    {
        const std::string first = Take();
        const std::string second = m_at < words.size() ? words[m_at] : "";
        if (second == "requires" || second == "irequires")
        {
            ++m_at;
            const uint64_t later = FindLabel(rank, first);
            const uint64_t earlier = FindLabel(rank, Take());
            if (second == "requires")
            {
                rank.steps[later].after.push_back(earlier);
            }
            else
            {
                rank.startsWith.emplace_back(later, earlier);
            }
            return;
        }
        const bool hasLabel = second == ":";
        if (!hasLabel && first != "calc" && first != "send" && first != "recv")
        {
            Fail("expected \"label: calc|send|recv ...\", \"a requires b\" or \"}\", but the line "
                 "begins with " +
                 Quote(first));
        }
        if (hasLabel && !rank.ids.emplace(first, rank.steps.size()).second)
        {
            Fail("the label " + first + " comes twice in rank " + std::to_string(rank.number));
        }
        m_at += hasLabel ? 1 : 0;
        rank.steps.push_back(ReadStep(hasLabel ? Take() : first));
        rank.steps.back().id = rank.steps.size() - 1;
    }

    /// @return the node of a label
    uint64_t FindLabel(const Rank& rank, const std::string& label) const
    {
        const auto found = rank.ids.find(label);
        if (found == rank.ids.end())
        {
            Fail("the label " + label + " is not known in rank " + std::to_string(rank.number));
        }
        return found->second;
    }

    /// Lets nodes that start with others wait for all that these wait for.
    void AddStarts(Rank& rank) const
    {
        std::unordered_map<uint64_t, std::vector<uint64_t>> earlier;
        for (const auto& [later, other] : rank.startsWith)
        {
            earlier[later].push_back(other);
        }
        std::vector<std::vector<uint64_t>> more(rank.steps.size());
        for (const auto& each : earlier)
        {
            // all nodes that this one starts with, through others, too
            std::vector<uint64_t> reached = each.second;
            std::set<uint64_t> known(reached.begin(), reached.end());
            for (std::size_t i = 0; i < reached.size(); ++i)
            {
                const auto& after = rank.steps[reached[i]].after;
                more[each.first].insert(more[each.first].end(), after.begin(), after.end());
                const auto further = earlier.find(reached[i]);
                if (reached[i] == each.first)
                {
                    DcnFail(m_path,
                            ": node ",
                            each.first,
                            " of rank ",
                            rank.number,
                            " starts with itself by irequires");
                }
                for (std::size_t k = 0; further != earlier.end() && k < further->second.size(); ++k)
                {
                    if (known.insert(further->second[k]).second)
                    {
                        reached.push_back(further->second[k]);
                    }
                }
            }
        }
        for (std::size_t i = 0; i < more.size(); ++i)
        {
            auto& after = rank.steps[i].after;
            after.insert(after.end(), more[i].begin(), more[i].end());
        }
    }

    /// @return the bytes of a message
    uint64_t ReadSize()
    {
        std::string size = Take();
        if (HasMore() && words[m_at] == "b")
        {
            size += Take();
        }
        uint64_t bytes = 0;
        if (size.empty() || size.back() != 'b' ||
            !DcnParse(size.substr(0, size.size() - 1), bytes) || bytes > MAX_BYTES)
        {
            Fail("a size is a number of bytes with a b, but it is " + Quote(size));
        }
        if (bytes == 0)
        {
            Fail("a message of 0 bytes is not supported: give it 1b");
        }
        return bytes;
    }

    /// @return the next word as a number; -1, which stands for any, is refused
    uint32_t ReadNumber(const std::string& what)
    {
        if (HasMore() && words[m_at] == "-1")
        {
            Fail("any " + what + " (-1) is not supported: each receive names its " + what);
        }
        const auto value = static_cast<uint32_t>(GetNumber(m_at, what, 0, MAX));
        ++m_at;
        return value;
    }

    /// @return the node of a line
    DcnTrainAssembler::Step ReadStep(const std::string& kind)
    {
        DcnTrainAssembler::Step step;
        const bool isCompute = kind == "calc";
        const bool isSend = kind == "send";
        if (isCompute)
        {
            step.node.kind = DcnTrainKind::COMPUTE;
            step.node.durationNs =
                static_cast<int64_t>(GetNumber(m_at, "time of calc [ns]", 0, MAX_NS));
            ++m_at;
        }
        else if (isSend || kind == "recv")
        {
            step.node.kind = isSend ? DcnTrainKind::SEND : DcnTrainKind::RECEIVE;
            step.node.bytes = ReadSize();
            const std::string to = Take();
            if (to != (isSend ? "to" : "from"))
            {
                Fail("expected \"" + std::string(isSend ? "to" : "from") + "\", but it is " +
                     Quote(to));
            }
            step.node.peer = ReadNumber("rank");
        }
        else
        {
            Fail("expected calc, send or recv, but it is " + Quote(kind));
        }
        std::set<std::string> options;
        while (HasMore())
        {
            const std::string option = Take();
            if (option != "tag" && option != "cpu" && option != "nic")
            {
                Fail(Quote(option) + " is no option of " + kind);
            }
            if (!options.insert(option).second || (option == "tag" && isCompute))
            {
                Fail("the option " + option + " comes twice, or is none of " + kind);
            }
            const uint32_t value = ReadNumber(option);
            if (option == "tag")
            {
                step.node.tag = value;
            }
            else if ((option == "cpu" && isCompute) || (option == "nic" && isSend))
            {
                step.node.stream = value;
            }
            else
            {
                Ignore(option + " of " + kind);
            }
        }
        return step;
    }

    static constexpr uint64_t MAX_BYTES = 1'000'000'000'000'000; //!< of a message [bytes]
    static constexpr uint64_t MAX_NS = 1'000'000'000'000'000;    //!< of a computation [ns]

    std::size_t m_at{0};   //!< next word of the line
    bool m_hasNode{false}; //!< a rank has a node
};

} // namespace

DcnTrainImport
DcnTrainGoal::Read(const std::string& path)
{
    return Reader(path).Read();
}

void
DcnTrainGoal::Write(DcnTrainSource& source, const std::string& path)
{
    DcnFileWriter file(path);
    std::ostream& out = file.Stream();
    out << "num_ranks " << source.GetNRanks() << '\n';
    source.Rewind();
    DcnTrainNode node;
    for (uint32_t rank = 0; rank < source.GetNRanks(); ++rank)
    {
        out << "\nrank " << rank << " {\n";
        for (uint64_t number = 0; source.Fetch(rank, node); ++number)
        {
            out << 'l' << number << ": ";
            const bool isSend = node.kind == DcnTrainKind::SEND;
            if (isSend || node.kind == DcnTrainKind::RECEIVE)
            {
                if (node.durationNs > 0)
                {
                    DcnFail("GOAL has no host time of a single message, but ",
                            DcnDescribeTrainNode(rank, number, node),
                            " takes ",
                            node.durationNs,
                            " ns: write graph.csv, or give no --collectiveTable");
                }
                out << (isSend ? "send " : "recv ") << node.bytes << (isSend ? "b to " : "b from ")
                    << node.peer << " tag " << node.tag;
            }
            else
            {
                out << "calc " << node.durationNs;
            }
            if (node.stream > 0 && node.kind != DcnTrainKind::RECEIVE)
            {
                out << (isSend ? " nic " : " cpu ") << node.stream;
            }
            out << '\n';
            for (const uint32_t other : node.after)
            {
                out << 'l' << number << " requires l" << other << '\n';
            }
        }
        out << "}\n";
    }
    source.Rewind();
    file.Commit();
}

} // namespace ns3

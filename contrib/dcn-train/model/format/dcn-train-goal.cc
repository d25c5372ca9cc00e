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

/// Reads a GOAL file line by line.
class Reader : private DcnTrainLines
{
  public:
    explicit Reader(const std::string& path)
        : DcnTrainLines(path, "//")
    {
    }

    /// @return the graph
    DcnTrainImport Read()
    {
        if (!Next() || words.size() != 2 || words[0] != "num_ranks")
        {
            Fail("the first line must be \"num_ranks N\"");
        }
        const auto nRanks = static_cast<uint32_t>(ToNumber(words[1], "number of ranks", MAX));
        if (nRanks == 0)
        {
            Fail("num_ranks must be at least 1");
        }
        DcnTrainAssembler assembler(nRanks, m_path, {});
        std::vector<bool> isKnown(nRanks, false);
        while (Next())
        {
            if (words.size() != 3 || words[0] != "rank" || words[2] != "{")
            {
                Fail("expected \"rank R {\"");
            }
            const auto rank =
                static_cast<uint32_t>(ToNumber(words[1], "rank", std::max(nRanks, 1U) - 1));
            if (isKnown[rank])
            {
                Fail("rank " + words[1] + " comes twice");
            }
            isKnown[rank] = true;
            ReadRank(rank, assembler);
        }
        return {assembler.Make(), {m_ignored.begin(), m_ignored.end()}};
    }

  private:
    static constexpr uint64_t MAX = std::numeric_limits<uint32_t>::max(); //!< of ranks and tags

    /// @return a word as a whole number
    uint64_t ToNumber(const std::string& word, const char* what, uint64_t most) const
    {
        uint64_t value = 0;
        if (!DcnParse(word, value) || value > most)
        {
            Fail(std::string(what) + " must be a whole number up to " + std::to_string(most) +
                 ", but it is \"" + word + "\"");
        }
        return value;
    }

    /// Reads the lines of a rank up to its bracket.
    void ReadRank(uint32_t rank, DcnTrainAssembler& assembler)
    {
        std::vector<DcnTrainAssembler::Step> steps;
        std::unordered_map<std::string, uint64_t> ids;
        std::vector<std::pair<uint64_t, uint64_t>> startsWith; // irequires
        auto find = [&](const std::string& label) {
            const auto found = ids.find(label);
            if (found == ids.end())
            {
                Fail("the label " + label + " is not known in rank " + std::to_string(rank));
            }
            return found->second;
        };
        while (Next())
        {
            if (words.size() == 1 && words[0] == "}")
            {
                for (const auto& [later, earlier] : startsWith)
                {
                    auto& after = steps[later].after;
                    after.insert(after.end(),
                                 steps[earlier].after.begin(),
                                 steps[earlier].after.end());
                }
                for (auto& step : steps)
                {
                    assembler.Add(rank, m_path, std::move(step));
                }
                return;
            }
            if (words.size() == 3 && (words[1] == "requires" || words[1] == "irequires"))
            {
                const uint64_t later = find(words[0]);
                const uint64_t earlier = find(words[2]);
                if (words[1] == "requires")
                {
                    steps[later].after.push_back(earlier);
                }
                else
                {
                    startsWith.emplace_back(later, earlier);
                }
                continue;
            }
            if (words[0].size() < 2 || words[0].back() != ':')
            {
                Fail("expected \"label: calc|send|recv ...\", \"a requires b\" or \"}\", but the "
                     "line begins with \"" +
                     words[0] + "\"");
            }
            const std::string label = words[0].substr(0, words[0].size() - 1);
            if (!ids.emplace(label, steps.size()).second)
            {
                Fail("the label " + label + " comes twice in rank " + std::to_string(rank));
            }
            steps.push_back(ReadStep());
            steps.back().id = steps.size() - 1;
        }
        Fail("the file ends within rank " + std::to_string(rank) + ": it is truncated");
    }

    /// @return the node of a line
    DcnTrainAssembler::Step ReadStep()
    {
        DcnTrainAssembler::Step step;
        std::size_t at = 1;
        auto take = [&]() -> const std::string& {
            if (at == words.size())
            {
                Fail("the line ends too early");
            }
            return words[at++];
        };
        const std::string kind = take();
        if (kind == "calc")
        {
            step.node.kind = DcnTrainKind::COMPUTE;
            step.node.durationNs = static_cast<int64_t>(
                ToNumber(take(), "time of calc", std::numeric_limits<int64_t>::max()));
        }
        else if (kind == "send" || kind == "recv")
        {
            step.node.kind = kind == "send" ? DcnTrainKind::SEND : DcnTrainKind::RECEIVE;
            std::string size = take();
            if (size.empty() || size.back() != 'b')
            {
                Fail("a size is a number of bytes with a b, but it is \"" + size + "\"");
            }
            size.pop_back();
            step.node.bytes = ToNumber(size, "size", std::numeric_limits<int64_t>::max());
            const std::string to = take();
            if (to != (kind == "send" ? "to" : "from"))
            {
                Fail("expected \"" + std::string(kind == "send" ? "to" : "from") +
                     "\", but it is \"" + to + "\"");
            }
            step.node.peer = static_cast<uint32_t>(ToNumber(take(), "rank", MAX));
        }
        else
        {
            Fail("expected calc, send or recv, but it is \"" + kind + "\"");
        }
        while (at < words.size())
        {
            const std::string option = take();
            const auto value = static_cast<uint32_t>(ToNumber(take(), option.c_str(), MAX));
            const bool isCompute = step.node.kind == DcnTrainKind::COMPUTE;
            if (option == "tag" && !isCompute)
            {
                step.node.tag = value;
            }
            else if ((option == "cpu" && isCompute) ||
                     (option == "nic" && step.node.kind == DcnTrainKind::SEND))
            {
                step.node.stream = value;
            }
            else if (option == "cpu" || option == "nic")
            {
                m_ignored.insert(option + " of " + kind);
            }
            else
            {
                Fail("\"" + option + "\" is no option of " + kind);
            }
        }
        return step;
    }

    std::set<std::string> m_ignored; //!< what has no effect
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

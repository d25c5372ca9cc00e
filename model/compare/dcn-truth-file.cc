/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "dcn-truth-file.h"

#include "ns3/dcn-csv.h"
#include "ns3/dcn-error.h"
#include "ns3/log.h"

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>
#include <tuple>
#include <unordered_map>
#include <vector>

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("DcnTruthFile");

namespace
{

/// Longest time of a file: 11 days, as keys of network.csv have it [ns].
constexpr int64_t MOST_NS = 1'000'000'000'000'000;

/// Largest number of a port.
constexpr uint64_t MOST_PORT = 65535;

/// A line of fct.txt. Its ports and ideal completion time are checked and not used.
struct Line
{
    uint64_t number;    //!< in the file, from 1
    uint64_t id;        //!< of the flow, in files that have it
    uint64_t ends[2];   //!< numbers of sender and receiver
    uint64_t sizeBytes; //!< payload
    int64_t startNs;    //!< start [ns]
    int64_t fctNs;      //!< completion time [ns]
};

/// Lines of fct.txt, and whether they have numbers of flows.
struct Lines
{
    std::vector<Line> all; //!< in the order of the file
    bool hasIds{false};    //!< lines have 9 words
};

/// Sender, receiver and bytes: what the flows of a group have in common.
using Group = std::tuple<uint64_t, uint64_t, uint64_t>;

/// Joins completion times with the flows of a scenario.
class Joint
{
  public:
    /**
     * @param path of the file, for sentences
     * @param scenario the flows
     */
    Joint(const std::string& path, const DcnScenario& scenario)
        : m_path(path),
          m_scenario(scenario)
    {
        m_estimate.fctNs.assign(scenario.GetFlows().size(), DcnEstimate::UNFINISHED);
        m_isGiven.assign(scenario.GetFlows().size(), false);
    }

    /// Gives a flow its completion time, or the answer that it did not finish (UNFINISHED).
    void Set(std::size_t flow, int64_t fctNs, uint64_t line)
    {
        if (m_isGiven[flow])
        {
            DcnFail(m_path,
                    ":",
                    line,
                    ": flow ",
                    m_scenario.GetFlows()[flow].id,
                    " has a completion time already, on an earlier line");
        }
        m_isGiven[flow] = true;
        m_estimate.fctNs[flow] = fctNs;
        if (fctNs == DcnEstimate::UNFINISHED)
        {
            ++m_estimate.unfinished["nan in the file"];
            return;
        }
        ++m_nJoined;
        m_nShort += fctNs < m_scenario.GetIdealFct(flow).GetTotalNs() ? 1 : 0;
    }

    /// Counts a line without a flow.
    void LeaveOut(uint64_t line, const std::string& reason)
    {
        if (m_nLeft++ == 0)
        {
            m_left = "line " + std::to_string(line) + " (" + reason + ")";
        }
    }

    /// Counts a line whose start is not that of its flow.
    void Shift(std::size_t flow, int64_t startNs)
    {
        const int64_t shift = std::abs(startNs - m_scenario.GetFlows()[flow].startNs);
        m_nShifted += shift > 1 ? 1 : 0; // files have seconds, which are rounded
        m_largestShift = std::max(m_largestShift, shift);
    }

    /// @return the flow with a number; none: the number of flows
    std::size_t FindFlow(uint64_t id)
    {
        const auto& flows = m_scenario.GetFlows();
        if (m_flows.empty())
        {
            for (std::size_t i = 0; i < flows.size(); ++i)
            {
                m_flows[flows[i].id] = i;
            }
        }
        const auto found = m_flows.find(id);
        return found == m_flows.end() ? flows.size() : found->second;
    }

    /// Says which columns of the file are not used; the text follows other words.
    void SetUnused(const std::string& text)
    {
        m_unused = text;
    }

    /// @return the answer
    DcnEstimate Finish()
    {
        const std::size_t n = m_scenario.GetFlows().size();
        if (m_nJoined == 0)
        {
            DcnFail(m_path,
                    ": none of its ",
                    m_nLeft,
                    " completion times belongs to one of the ",
                    n,
                    " flows of the scenario",
                    m_nLeft > 0 ? "; the first is " + m_left : "",
                    ": give the scenario that was simulated, as by dcn-convert");
        }
        m_estimate.method = "file";
        m_estimate.isGroundTruth = true;
        m_estimate.provenance =
            "completion times of " + std::filesystem::path(m_path).filename().string() + ", " +
            std::to_string(m_nJoined) + " of " + std::to_string(n) + " flows joined" + m_unused;
        if (m_nLeft > 0)
        {
            m_estimate.notes.push_back(std::to_string(m_nLeft) + " lines of " + m_path +
                                       " have no flow here and are left out; the first is " +
                                       m_left);
        }
        if (m_nShifted > 0)
        {
            m_estimate.notes.push_back("starts of " + std::to_string(m_nShifted) + " lines of " +
                                       m_path + " differ from those of the flows, by up to " +
                                       std::to_string(m_largestShift) +
                                       " ns: they were joined in the order of starts");
        }
        if (m_nShort > 0)
        {
            m_estimate.notes.push_back(std::to_string(m_nShort) + " completion times of " + m_path +
                                       " are below the ideal ones of this scenario: its network "
                                       "or packets are others");
        }
        const auto nGiven =
            static_cast<uint64_t>(std::count(m_isGiven.begin(), m_isGiven.end(), true));
        if (nGiven < n)
        {
            m_estimate.unfinished["no line in the file"] = n - nGiven;
        }
        return std::move(m_estimate);
    }

    /// @return the flows
    const DcnScenario& GetScenario() const
    {
        return m_scenario;
    }

  private:
    std::string m_path;                                //!< of the file
    const DcnScenario& m_scenario;                     //!< the flows
    DcnEstimate m_estimate;                            //!< the answer
    std::unordered_map<uint64_t, std::size_t> m_flows; //!< positions by number, see FindFlow
    std::string m_unused;                              //!< see SetUnused
    std::vector<bool> m_isGiven;                       //!< flows with a line
    std::string m_left;                                //!< the first line without a flow
    uint64_t m_nJoined{0};                             //!< lines with a flow
    uint64_t m_nLeft{0};                               //!< lines without a flow
    uint64_t m_nShifted{0};                            //!< lines with another start
    uint64_t m_nShort{0};                              //!< times below the ideal ones
    int64_t m_largestShift{0};                         //!< [ns]
};

/**
 * @param word eight hexadecimal digits
 * @param node set to the number of the node
 * @return whether it is the address of a node
 */
bool
ParseAddress(const std::string& word, uint64_t& node)
{
    static constexpr uint64_t NETWORK = 0x0b; // first byte of all addresses
    if (word.size() != 8 || word.find_first_not_of("0123456789abcdefABCDEF") != std::string::npos)
    {
        return false;
    }
    const uint64_t address = std::strtoull(word.c_str(), nullptr, 16);
    node = (address >> 8) & 0xffff;
    return address >> 24 == NETWORK && (address & 0xff) == 1;
}

/**
 * Reads a line of fct.txt.
 * @param words of the line: 8, or 9 with the number of the flow
 * @param path of the file, for sentences
 * @param number of the line
 * @return the line
 */
Line
ReadLine(const std::vector<std::string>& words, const std::string& path, uint64_t number)
{
    Line line{number, 0, {0, 0}, 0, 0, 0};
    const std::size_t first = words.size() - 8;
    auto take = [&](std::size_t word, auto& value, const char* meaning) {
        if (!DcnParse(words[word], value))
        {
            DcnFail(path,
                    ":",
                    number,
                    ": the ",
                    meaning,
                    " must be a whole number, but it is \"",
                    words[word],
                    "\"");
        }
    };
    if (first == 1)
    {
        take(0, line.id, "number of the flow");
    }
    for (std::size_t end = 0; end < 2; ++end)
    {
        if (!ParseAddress(words[first + end], line.ends[end]))
        {
            DcnFail(path,
                    ":",
                    number,
                    ": expected an address such as 0b000001 of node 0, but it is \"",
                    words[first + end],
                    "\"");
        }
    }
    uint64_t ports[2] = {0, 0};
    int64_t idealNs = 0;
    take(first + 2, ports[0], "port of the sender");
    take(first + 3, ports[1], "port of the receiver");
    take(first + 4, line.sizeBytes, "size");
    take(first + 5, line.startNs, "start");
    take(first + 6, line.fctNs, "completion time");
    take(first + 7, idealNs, "ideal completion time");
    if (line.startNs < 0 || std::min(line.fctNs, idealNs) < 1 ||
        std::max({line.startNs, line.fctNs, idealNs}) > MOST_NS)
    {
        DcnFail(path,
                ":",
                number,
                ": a start must be at least 0, a completion time 1 ns, and both at most ",
                MOST_NS,
                " ns");
    }
    if (std::max(ports[0], ports[1]) > MOST_PORT)
    {
        DcnFail(path, ":", number, ": a port must be at most ", MOST_PORT);
    }
    return line;
}

/// Reads the lines of fct.txt.
Lines
ReadLines(std::ifstream& file, const std::string& path)
{
    Lines lines;
    uint64_t number = 0;
    std::size_t nWords = 0;
    for (std::string text; std::getline(file, text);)
    {
        ++number;
        std::istringstream stream(text);
        std::vector<std::string> words;
        for (std::string word; words.size() < 10 && stream >> word;)
        {
            words.push_back(word);
        }
        if (words.empty())
        {
            continue;
        }
        nWords = nWords == 0 ? words.size() : nWords;
        if (words.size() != nWords || (nWords != 8 && nWords != 9))
        {
            DcnFail(path,
                    ":",
                    number,
                    ": expected 8 words (addresses, ports, bytes, start, completion time, ideal "
                    "completion time), or in all lines 9 with the number of the flow before them, "
                    "or CSV with the header flow_id,fct_ns");
        }
        lines.hasIds = nWords == 9;
        lines.all.push_back(ReadLine(words, path, number));
    }
    return lines;
}

/// Joins lines with numbers of flows.
void
JoinIds(const Lines& lines, Joint& joint)
{
    const auto& flows = joint.GetScenario().GetFlows();
    for (const Line& line : lines.all)
    {
        const std::size_t flow = joint.FindFlow(line.id);
        if (flow == flows.size() || flows[flow].sizeBytes != line.sizeBytes)
        {
            joint.LeaveOut(line.number,
                           flow == flows.size()
                               ? "there is no flow " + std::to_string(line.id)
                               : "flow " + std::to_string(line.id) + " has " +
                                     std::to_string(flows[flow].sizeBytes) + " bytes, not " +
                                     std::to_string(line.sizeBytes));
            continue;
        }
        joint.Shift(flow, line.startNs);
        joint.Set(flow, line.fctNs, line.number);
    }
}

/// Joins lines with the flows of the same hosts and bytes.
void
JoinEnds(const Lines& lines, Joint& joint)
{
    const DcnScenario& scenario = joint.GetScenario();
    const DcnTopology& topology = scenario.GetTopology();
    std::map<Group, std::vector<std::size_t>> flows; // flows are in the order of starts
    for (std::size_t i = 0; i < scenario.GetFlows().size(); ++i)
    {
        const DcnFlow& flow = scenario.GetFlows()[i];
        flows[{topology.GetExternalId(flow.src), topology.GetExternalId(flow.dst), flow.sizeBytes}]
            .push_back(i);
    }
    std::map<Group, std::vector<Line>> groups;
    for (const Line& line : lines.all)
    {
        groups[{line.ends[0], line.ends[1], line.sizeBytes}].push_back(line);
    }
    for (auto& [group, some] : groups)
    {
        std::stable_sort(some.begin(), some.end(), [](const Line& a, const Line& b) {
            return a.startNs < b.startNs;
        });
        const std::vector<std::size_t>& own = flows[group];
        std::size_t next = 0;
        for (const Line& line : some)
        {
            // as many lines as flows: in their order; else by the start
            while (own.size() != some.size() && next < own.size() &&
                   scenario.GetFlows()[own[next]].startNs < line.startNs - 1)
            {
                ++next;
            }
            const bool isJoined =
                next < own.size() &&
                (own.size() == some.size() ||
                 std::abs(scenario.GetFlows()[own[next]].startNs - line.startNs) <= 1);
            if (!isJoined)
            {
                joint.LeaveOut(line.number,
                               "no flow from " + std::to_string(line.ends[0]) + " to " +
                                   std::to_string(line.ends[1]) + " with " +
                                   std::to_string(line.sizeBytes) + " bytes starts at " +
                                   std::to_string(line.startNs) + " ns");
                continue;
            }
            joint.Shift(own[next], line.startNs);
            joint.Set(own[next++], line.fctNs, line.number);
        }
    }
}

/// Joins the rows of a CSV file.
void
JoinCsv(const std::string& path, Joint& joint)
{
    DcnCsvReader csv(path, {"flow_id", "fct_ns"});
    while (csv.FetchRow())
    {
        const std::size_t flow = joint.FindFlow(csv.GetUint(0));
        const bool isFinished = csv.GetText(1) != "nan"; // as in fct.csv
        const int64_t fctNs = isFinished ? csv.GetInt(1) : DcnEstimate::UNFINISHED;
        if (isFinished && (fctNs < 1 || fctNs > MOST_NS))
        {
            DcnFail(csv.Where(),
                    "fct_ns must be from 1 to ",
                    MOST_NS,
                    ", or nan, but it is ",
                    csv.GetText(1));
        }
        if (flow == joint.GetScenario().GetFlows().size())
        {
            joint.LeaveOut(csv.GetLine(), "there is no flow " + csv.GetText(0));
        }
        else
        {
            joint.Set(flow, fctNs, csv.GetLine());
        }
    }
}

} // namespace

DcnEstimate
DcnReadTruth(const std::string& path, const DcnScenario& scenario)
{
    std::error_code ignored;
    if (std::filesystem::is_directory(path, ignored))
    {
        DcnFail(path, " is a folder, but --truthFile is a file of completion times");
    }
    std::ifstream file(path);
    std::string first;
    if (!file)
    {
        DcnFail(path, " cannot be read", DcnDescribeFileError(path, errno));
    }
    DcnSkipByteOrderMark(file, path);
    const auto begin = file.tellg();
    std::getline(file, first);
    Joint joint(path, scenario);
    if (first.find(',') != std::string::npos)
    {
        JoinCsv(path, joint);
        return joint.Finish();
    }
    file.clear();
    file.seekg(begin);
    const Lines lines = ReadLines(file, path);
    joint.SetUnused(", its ports and ideal completion times not used");
    lines.hasIds ? JoinIds(lines, joint) : JoinEnds(lines, joint);
    NS_LOG_INFO(path << " has " << lines.all.size() << " completion times");
    return joint.Finish();
}

} // namespace ns3

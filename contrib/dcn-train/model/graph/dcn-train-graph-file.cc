/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "dcn-train-graph-file.h"

#include "ns3/dcn-csv.h"
#include "ns3/dcn-error.h"
#include "ns3/log.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstring>
#include <string_view>
#include <sys/stat.h>

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("DcnTrainGraphFile");

namespace
{

constexpr std::size_t N_COLUMNS = 10; //!< of graph.csv

/// Columns of graph.csv.
const std::array<const char*, N_COLUMNS> COLUMNS =
    {"rank", "node", "kind", "peer", "bytes", "tag", "stream", "duration_ns", "operation", "after"};

/// Kinds of nodes in graph.csv, by DcnTrainKind.
const std::array<const char*, 4> KINDS = {"compute", "send", "receive", "join"};

/// Columns of operations.csv.
const std::vector<std::string> OPERATION_COLUMNS = {"operation", "name", "kind", "ranks", "bytes"};

constexpr std::size_t BLOCK = 1 << 16; //!< bytes of a rank that are in memory

/// @return the header of graph.csv
std::string
MakeHeader()
{
    std::string header = COLUMNS[0];
    for (std::size_t i = 1; i < N_COLUMNS; ++i)
    {
        header += std::string(",") + COLUMNS[i];
    }
    return header;
}

/// @return the last part of a path
std::string
GetFileName(const std::string& path)
{
    const std::size_t slash = path.rfind('/');
    return slash == std::string::npos ? path : path.substr(slash + 1);
}

} // namespace

DcnTrainGraphFile::DcnTrainGraphFile(const std::string& path)
    : m_path(path)
{
    struct stat status;
    if (stat(path.c_str(), &status) == 0 && S_ISDIR(status.st_mode))
    {
        m_path += "/graph.csv";
    }
    m_file.open(m_path, std::ios::binary);
    if (!m_file)
    {
        DcnFail(m_path, ": cannot be read: give graph.csv, or a folder with it");
    }
    DcnSkipByteOrderMark(m_file, m_path);
    ReadOperations(m_path.substr(0, m_path.size() - GetFileName(m_path).size()) + "operations.csv");
    Scan();
    Rewind();
    DcnCheckTrainMessages(*this);
    NS_LOG_INFO(m_path << ": " << m_nNodes << " nodes of " << m_ranks.size() << " ranks");
}

void
DcnTrainGraphFile::ReadOperations(const std::string& path)
{
    if (!std::ifstream(path))
    {
        return;
    }
    DcnCsvReader csv(path, OPERATION_COLUMNS);
    while (csv.FetchRow())
    {
        if (csv.GetUint(0) != m_operations.size())
        {
            DcnFail(csv.Where(),
                    "operation ",
                    csv.GetUint(0),
                    " comes where operation ",
                    m_operations.size(),
                    " is expected: they are numbered from 0");
        }
        m_operations.push_back({csv.GetText(1),
                                csv.GetText(2),
                                static_cast<uint32_t>(csv.GetUint(3)),
                                csv.GetUint(4)});
    }
}

std::string
DcnTrainGraphFile::Where(uint64_t line) const
{
    return m_path + ":" + std::to_string(line) + ": ";
}

void
DcnTrainGraphFile::Parse(const char* begin, const char* end, uint64_t line, Row& row) const
{
    end -= end != begin && end[-1] == '\r' ? 1 : 0; // lines may end as on Windows
    std::array<std::string_view, N_COLUMNS> cells;
    std::size_t nCells = 0;
    for (const char* at = begin; at <= end && nCells <= N_COLUMNS; ++nCells)
    {
        const char* comma = std::find(at, end, ',');
        if (nCells < N_COLUMNS)
        {
            cells[nCells] = {at, static_cast<std::size_t>(comma - at)};
        }
        at = comma + 1;
    }
    if (nCells != N_COLUMNS)
    {
        DcnFail(Where(line), "the row has ", nCells, " cells, but the columns are ", MakeHeader());
    }
    auto read = [&](std::size_t column, auto& value) {
        const std::string_view cell = cells[column];
        const auto [last, error] = std::from_chars(cell.data(), cell.data() + cell.size(), value);
        if (error != std::errc() || last != cell.data() + cell.size())
        {
            DcnFail(Where(line), COLUMNS[column], " is no whole number that fits: \"", cell, "\"");
        }
    };
    auto readOptional = [&](std::size_t column, bool isNeeded, auto& value) {
        if (isNeeded || !cells[column].empty())
        {
            if (!isNeeded && column != 6 && column != 7 && column != 8)
            {
                DcnFail(Where(line),
                        COLUMNS[column],
                        " has no meaning for a node of kind ",
                        cells[2],
                        ": leave it empty, it is \"",
                        cells[column],
                        "\"");
            }
            read(column, value);
        }
    };
    read(0, row.rank);
    read(1, row.number);
    const auto kind = std::find(KINDS.begin(), KINDS.end(), cells[2]);
    if (kind == KINDS.end())
    {
        DcnFail(Where(line),
                "kind is \"",
                cells[2],
                "\", but must be compute, send, receive or join");
    }
    DcnTrainNode& node = row.node;
    node = DcnTrainNode();
    node.kind = static_cast<DcnTrainKind>(kind - KINDS.begin());
    const bool isMessage = node.kind == DcnTrainKind::SEND || node.kind == DcnTrainKind::RECEIVE;
    readOptional(3, isMessage, node.peer);
    readOptional(4, isMessage, node.bytes);
    readOptional(5, isMessage, node.tag);
    readOptional(6, false, node.stream);
    readOptional(7, node.kind == DcnTrainKind::COMPUTE, node.durationNs);
    readOptional(8, false, node.operation);
    if (node.operation != DcnTrainNode::NO_OPERATION && node.operation >= m_operations.size())
    {
        DcnFail(Where(line),
                "operation ",
                node.operation,
                " is not in operations.csv, which has ",
                m_operations.size());
    }
    for (std::string_view rest = cells[9]; !rest.empty();)
    {
        const std::size_t blank = std::min(rest.find(' '), rest.size());
        uint32_t other = 0;
        const auto [last, error] = std::from_chars(rest.data(), rest.data() + blank, other);
        if (error != std::errc() || last != rest.data() + blank)
        {
            DcnFail(Where(line), "after is no list of numbers with blanks: \"", cells[9], "\"");
        }
        node.after.push_back(other);
        rest.remove_prefix(std::min(blank + 1, rest.size()));
    }
}

void
DcnTrainGraphFile::TakeRank(const Row& row, uint64_t line, uint64_t begin)
{
    auto nRanks = static_cast<uint32_t>(m_ranks.size());
    if (row.rank == nRanks)
    {
        m_ranks.emplace_back();
        m_ranks.back().begin = begin;
        m_ranks.back().firstLine = line;
        ++nRanks;
    }
    if (nRanks == 0 || row.rank != nRanks - 1)
    {
        DcnFail(Where(line),
                "rank ",
                row.rank,
                " comes where rank ",
                nRanks == 0 ? 0 : nRanks - 1,
                nRanks == 0 ? "" : " or " + std::to_string(nRanks),
                " is expected: the rows of a rank follow each other, from rank 0 on");
    }
    const Rank& rank = m_ranks.back();
    if (row.number != rank.number)
    {
        DcnFail(Where(line),
                "node ",
                row.number,
                " of rank ",
                row.rank,
                " comes where node ",
                rank.number,
                " is expected: the nodes of a rank are numbered from 0");
    }
}

void
DcnTrainGraphFile::Scan()
{
    std::string text;
    uint64_t line = 0;
    auto offset = static_cast<uint64_t>(m_file.tellg()); // of the next line
    Row row;
    uint32_t largestPeer = 0; // ranks are known when all is read: peers are checked afterwards
    uint64_t peerLine = 0;
    Row peerRow;
    while (std::getline(m_file, text))
    {
        ++line;
        if (m_file.eof())
        {
            DcnFail(Where(line), "the file ends within the line: it is truncated");
        }
        const uint64_t begin = offset;
        offset += text.size() + 1;
        if (line == 1)
        {
            if (!text.empty() && text.back() == '\r')
            {
                text.pop_back();
            }
            if (text != MakeHeader())
            {
                DcnFail(Where(line),
                        "the header is \"",
                        text,
                        "\", but must be \"",
                        MakeHeader(),
                        "\"");
            }
            continue;
        }
        Parse(text.data(), text.data() + text.size(), line, row);
        TakeRank(row, line, begin);
        const auto nRanks = static_cast<uint32_t>(m_ranks.size());
        if (row.node.kind == DcnTrainKind::SEND || row.node.kind == DcnTrainKind::RECEIVE)
        {
            if (row.node.peer >= largestPeer)
            {
                largestPeer = row.node.peer;
                peerLine = line;
                peerRow = row;
            }
        }
        DcnCheckTrainNode(Where(line),
                          nRanks - 1,
                          row.number,
                          DcnTrainNode::NO_OPERATION,
                          row.node);
        ++m_ranks.back().number;
        m_ranks.back().end = offset;
        ++m_nNodes;
    }
    if (m_nNodes == 0)
    {
        DcnFail(m_path, ": the file has no node");
    }
    if (largestPeer >= m_ranks.size())
    {
        DcnCheckTrainNode(Where(peerLine),
                          static_cast<uint32_t>(peerRow.rank),
                          peerRow.number,
                          static_cast<uint32_t>(m_ranks.size()),
                          peerRow.node);
    }
    m_file.clear();
}

uint32_t
DcnTrainGraphFile::GetNRanks() const
{
    return static_cast<uint32_t>(m_ranks.size());
}

const std::vector<DcnTrainOperation>&
DcnTrainGraphFile::GetOperations() const
{
    return m_operations;
}

bool
DcnTrainGraphFile::Fetch(uint32_t index, DcnTrainNode& node)
{
    Rank& rank = m_ranks[index];
    std::size_t end = rank.text.find('\n', rank.at);
    while (end == std::string::npos)
    {
        if (rank.next == rank.end)
        {
            return false;
        }
        rank.text.erase(0, rank.at);
        rank.at = 0;
        const std::size_t kept = rank.text.size();
        const std::size_t more = std::min<uint64_t>(BLOCK, rank.end - rank.next);
        rank.text.resize(kept + more);
        m_file.seekg(static_cast<std::streamoff>(rank.next));
        m_file.read(&rank.text[kept], static_cast<std::streamsize>(more));
        if (!m_file)
        {
            DcnFail(m_path, ": cannot be read any more: it has changed");
        }
        rank.next += more;
        end = rank.text.find('\n', kept);
    }
    Row row;
    Parse(rank.text.data() + rank.at, rank.text.data() + end, rank.firstLine + rank.number, row);
    rank.at = end + 1;
    ++rank.number;
    node = row.node;
    return true;
}

void
DcnTrainGraphFile::Rewind()
{
    for (Rank& rank : m_ranks)
    {
        rank.next = rank.begin;
        rank.number = 0;
        rank.at = 0;
        rank.text.clear();
    }
}

std::string
DcnTrainGraphFile::GetName() const
{
    return m_path;
}

uint64_t
DcnTrainGraphFile::GetNNodes() const
{
    return m_nNodes;
}

void
DcnWriteTrainGraph(DcnTrainSource& source, const std::string& folder)
{
    DcnMakeFolder(folder);
    if (!source.GetOperations().empty())
    {
        DcnFileWriter operations(folder + "/operations.csv");
        operations.Stream() << "operation,name,kind,ranks,bytes\n";
        for (std::size_t i = 0; i < source.GetOperations().size(); ++i)
        {
            const DcnTrainOperation& each = source.GetOperations()[i];
            operations.Stream() << i << ',' << DcnCsvText(each.name) << ',' << each.kind << ','
                                << each.nRanks << ',' << each.bytes << '\n';
        }
        operations.Commit();
    }
    DcnFileWriter file(folder + "/graph.csv");
    file.Stream() << MakeHeader() << '\n';
    source.Rewind();
    DcnTrainNode node;
    for (uint32_t rank = 0; rank < source.GetNRanks(); ++rank)
    {
        bool isEmpty = true;
        for (uint64_t number = 0; source.Fetch(rank, node); ++number)
        {
            isEmpty = false;
            const bool isMessage =
                node.kind == DcnTrainKind::SEND || node.kind == DcnTrainKind::RECEIVE;
            std::ostream& out = file.Stream();
            out << rank << ',' << number << ',' << KINDS[static_cast<std::size_t>(node.kind)]
                << ',';
            if (isMessage)
            {
                out << node.peer << ',' << node.bytes << ',' << node.tag << ',';
            }
            else
            {
                out << ",,,";
            }
            if (node.stream > 0)
            {
                out << node.stream;
            }
            out << ',';
            if (node.kind == DcnTrainKind::COMPUTE || node.durationNs > 0)
            {
                out << node.durationNs;
            }
            out << ',';
            if (node.operation != DcnTrainNode::NO_OPERATION)
            {
                out << node.operation;
            }
            out << ',';
            const char* separator = "";
            for (const uint32_t other : node.after)
            {
                out << separator << other;
                separator = " ";
            }
            out << '\n';
        }
        if (isEmpty)
        {
            file.Stream() << rank << ",0,join,,,,,,,\n"; // a rank without rows would be no rank
        }
    }
    source.Rewind();
    file.Commit();
}

} // namespace ns3

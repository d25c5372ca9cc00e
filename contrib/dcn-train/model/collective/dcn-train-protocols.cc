/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "dcn-train-protocols.h"

#include "ns3/dcn-csv.h"
#include "ns3/dcn-error.h"
#include "ns3/log.h"

#include <algorithm>
#include <cmath>

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("DcnTrainProtocols");

namespace
{

/// Columns of a table.
const std::vector<std::string> COLUMNS = {"operation",
                                          "algorithm",
                                          "protocol",
                                          "least_bytes",
                                          "most_bytes",
                                          "launch_us",
                                          "scale_up_us",
                                          "scale_out_us",
                                          "efficiency",
                                          "bus_gbps",
                                          "chunk_bytes",
                                          "channel_bytes"};

/// @return a cell in us as ns; refuses negative times and those above a minute
int64_t
ReadUs(const DcnCsvReader& csv, std::size_t column)
{
    const double us = csv.GetDouble(column);
    if (us < 0 || us > 60e6)
    {
        DcnFail(csv.Where(), COLUMNS[column], " must be from 0 to 6e7 us, but it is ", us);
    }
    return std::llround(us * 1000);
}

/// Refuses a row that is none.
void
Check(const DcnCsvReader& csv, const DcnTrainProtocol& row)
{
    const auto& operations = DcnTrainCollective::GetOperations();
    const bool isAny = row.operation == "any";
    if (!isAny &&
        std::find(operations.begin(), operations.end(), row.operation) == operations.end())
    {
        DcnFail(csv.Where(),
                "operation must be any or one of nccl-tests, such as all-reduce, but it is \"",
                row.operation,
                "\"");
    }
    if (row.name.empty())
    {
        DcnFail(csv.Where(), "the protocol has no name: give one, such as simple");
    }
    bool isKnown = false;
    for (const std::string& operation : operations)
    {
        const auto names = DcnTrainCollective::GetAlgorithms(operation);
        isKnown = isKnown || ((isAny || operation == row.operation) &&
                              std::find(names.begin(), names.end(), row.algorithm) != names.end());
    }
    if (!isKnown)
    {
        DcnFail(csv.Where(),
                "there is no algorithm \"",
                row.algorithm,
                "\" of the operation ",
                row.operation);
    }
    if (!(row.efficiency > 0 && row.efficiency <= 1) || row.busGbps < 0 || row.channelBytes == 0 ||
        (row.mostBytes > 0 && row.mostBytes < row.leastBytes))
    {
        DcnFail(csv.Where(),
                "efficiency must be above 0 and at most 1, bus_gbps at least 0, channel_bytes at "
                "least 1 and most_bytes 0 or at least least_bytes, but they are ",
                row.efficiency,
                ", ",
                row.busGbps,
                ", ",
                row.channelBytes,
                " and ",
                row.mostBytes);
    }
}

/// @return whether a size is in the ranges of two rows; most_bytes 0 is no limit
bool
IsOverlap(const DcnTrainProtocol& a, const DcnTrainProtocol& b)
{
    return (a.mostBytes == 0 || b.leastBytes <= a.mostBytes) &&
           (b.mostBytes == 0 || a.leastBytes <= b.mostBytes);
}

/// Refuses a row of an operation, algorithm and protocol that has another one for some sizes.
void
CheckNew(const DcnCsvReader& csv,
         const DcnTrainProtocol& row,
         const std::vector<DcnTrainProtocol>& table)
{
    for (const DcnTrainProtocol& other : table)
    {
        if (other.operation == row.operation && other.algorithm == row.algorithm &&
            other.name == row.name && IsOverlap(row, other))
        {
            DcnFail(csv.Where(),
                    "the operation ",
                    row.operation,
                    " with the algorithm ",
                    row.algorithm,
                    " and the protocol ",
                    row.name,
                    " has a row before for some of these sizes: give each size one row");
        }
    }
}

} // namespace

DcnTrainProtocols::DcnTrainProtocols(const std::vector<DcnTrainProtocol>& table,
                                     const DcnTrainServers& servers)
    : m_table(table),
      m_servers(servers)
{
    if (table.empty())
    {
        DcnFail("a table of collectives has at least one row");
    }
    if (!(servers.nicGbps > 0) || servers.scaleUpGbps < 0)
    {
        DcnFail("NICs have a rate above 0, but it is ", servers.nicGbps, " Gb/s");
    }
}

std::vector<DcnTrainProtocol>
DcnTrainProtocols::Read(const std::string& path)
{
    DcnCsvReader csv(path == "nccl" ? DcnDataPath("collectives/nccl.csv") : path, COLUMNS);
    std::vector<DcnTrainProtocol> table;
    while (csv.FetchRow())
    {
        DcnTrainProtocol row;
        row.operation = csv.GetText(0);
        row.algorithm = csv.GetText(1);
        row.name = csv.GetText(2);
        row.leastBytes = csv.GetUint(3);
        row.mostBytes = csv.GetUint(4);
        row.launchNs = ReadUs(csv, 5);
        row.scaleUpNs = ReadUs(csv, 6);
        row.scaleOutNs = ReadUs(csv, 7);
        row.efficiency = csv.GetDouble(8);
        row.busGbps = csv.GetDouble(9);
        row.chunkBytes = csv.GetUint(10);
        row.channelBytes = csv.GetUint(11);
        Check(csv, row);
        CheckNew(csv, row, table);
        table.push_back(row);
    }
    if (table.empty())
    {
        DcnFail(path, ": there is no row: a table of collectives has at least one");
    }
    return table;
}

void
DcnTrainProtocols::Write(const std::vector<DcnTrainProtocol>& table,
                         const std::string& path,
                         const std::vector<std::string>& comments)
{
    DcnFileWriter file(path);
    std::ostream& out = file.Stream();
    for (const std::string& comment : comments)
    {
        out << "# " << comment << '\n';
    }
    for (std::size_t i = 0; i < COLUMNS.size(); ++i)
    {
        out << (i > 0 ? "," : "") << COLUMNS[i];
    }
    out << '\n';
    const auto us = [](int64_t ns) { return DcnToText(static_cast<double>(ns) / 1000); };
    for (const DcnTrainProtocol& row : table)
    {
        out << row.operation << ',' << row.algorithm << ',' << DcnCsvText(row.name) << ','
            << row.leastBytes << ',' << row.mostBytes << ',' << us(row.launchNs) << ','
            << us(row.scaleUpNs) << ',' << us(row.scaleOutNs) << ',' << DcnToText(row.efficiency)
            << ',' << DcnToText(row.busGbps) << ',' << row.chunkBytes << ',' << row.channelBytes
            << '\n';
    }
    file.Commit();
}

uint32_t
DcnTrainProtocols::FindGroupSize(const std::vector<uint32_t>& members) const
{
    const auto n = static_cast<uint32_t>(members.size());
    const auto server = [&](uint32_t member) { return m_servers.serverOf.at(members[member]); };
    uint32_t g = 1;
    while (g < n && server(g) == server(0))
    {
        ++g;
    }
    bool isEqual = n % g == 0;
    for (uint32_t member = 0; isEqual && member < n; ++member)
    {
        const bool isFirst = member % g == 0;
        isEqual = member == 0 || (server(member) != server(member - 1)) == isFirst;
    }
    return isEqual ? g : 1;
}

void
DcnTrainProtocols::SetParts(const DcnTrainProtocol& protocol,
                            uint32_t groupSize,
                            DcnTrainCollective& collective,
                            uint64_t nBlocks) const
{
    collective.groupSize = groupSize > 1 && collective.IsGrouped() ? groupSize : 0;
    const uint64_t channels =
        std::clamp<uint64_t>(collective.bytes / protocol.channelBytes, 1, collective.channels);
    collective.channels = static_cast<uint32_t>(channels);
    if (collective.chunks == 1 && protocol.chunkBytes > 0)
    {
        const uint64_t block = collective.bytes / (channels * nBlocks);
        const uint64_t chunks = (block + protocol.chunkBytes - 1) / protocol.chunkBytes;
        collective.chunks =
            static_cast<uint32_t>(std::clamp<uint64_t>(chunks, 1, uint64_t{MOST_CHUNKS}));
    }
}

double
DcnTrainProtocols::Estimate(const DcnTrainProtocol& protocol,
                            const DcnTrainCollective& collective,
                            const DcnTrainSchedule& schedule,
                            const std::vector<uint32_t>& members) const
{
    const auto n = static_cast<uint32_t>(members.size());
    const auto isInServer = [&](const DcnTrainTransfer& transfer) {
        return m_servers.serverOf.at(members[transfer.from]) ==
               m_servers.serverOf.at(members[transfer.to]);
    };
    // the longest chain of hops, on one channel: by member and block, when its version is there
    std::vector<double> there(n * schedule.nBlocks, 0);
    double latencyNs = 0;
    for (const DcnTrainTransfer& transfer : schedule.transfers)
    {
        double readyNs = 0;
        for (uint64_t i = 0; i < transfer.count; ++i)
        {
            const uint64_t block = transfer.first + i * transfer.stride;
            readyNs = std::max(readyNs, there[transfer.from * schedule.nBlocks + block]);
        }
        readyNs +=
            static_cast<double>(isInServer(transfer) ? protocol.scaleUpNs : protocol.scaleOutNs);
        latencyNs = std::max(latencyNs, readyNs);
        for (uint64_t i = 0; i < transfer.count; ++i)
        {
            double& to =
                there[transfer.to * schedule.nBlocks + transfer.first + i * transfer.stride];
            to = transfer.isReduction ? std::max(to, readyNs) : readyNs;
        }
    }
    // blocks that members send, mean over channels
    std::vector<double> up(n, 0);
    std::vector<double> out(n, 0);
    const uint32_t nChannels =
        collective.groupSize > 0 ? std::min(collective.channels, collective.groupSize) : 1;
    for (uint32_t channel = 0; channel < nChannels; ++channel)
    {
        const DcnTrainSchedule other =
            channel > 0 ? collective.MakeSchedule(n, channel) : DcnTrainSchedule();
        for (const DcnTrainTransfer& transfer : channel > 0 ? other.transfers : schedule.transfers)
        {
            (isInServer(transfer) ? up : out)[transfer.from] +=
                static_cast<double>(transfer.count) / nChannels;
        }
    }
    const double vectors = collective.operation == "all-to-all" ? n : 1;
    const double blockBits =
        8 * static_cast<double>(collective.bytes) * vectors / static_cast<double>(schedule.nBlocks);
    double timeNs = 0;
    for (uint32_t member = 0; member < n; ++member)
    {
        const double upNs =
            m_servers.scaleUpGbps > 0 ? up[member] * blockBits / m_servers.scaleUpGbps : 0;
        const double outNs = out[member] * blockBits / m_servers.nicGbps;
        const double copyNs =
            protocol.busGbps > 0 ? (up[member] + out[member]) * blockBits / protocol.busGbps : 0;
        timeNs =
            std::max({timeNs, upNs / protocol.efficiency, outNs / protocol.efficiency, copyNs});
    }
    return static_cast<double>(protocol.launchNs) + latencyNs + timeNs;
}

DcnTrainProtocols::Key
DcnTrainProtocols::MakeKey(const DcnTrainCollective& collective,
                           const std::vector<uint32_t>& members) const
{
    std::vector<uint32_t> servers;
    std::map<uint32_t, uint32_t> firstOf; // server to its first member
    for (uint32_t i = 0; i < members.size(); ++i)
    {
        servers.push_back(firstOf.emplace(m_servers.serverOf.at(members[i]), i).first->second);
    }
    return {collective.operation,
            collective.algorithm,
            collective.bytes,
            collective.root,
            collective.channels,
            collective.chunks,
            servers};
}

DcnTrainProtocols::Choice
DcnTrainProtocols::Choose(const DcnTrainCollective& collective,
                          const std::vector<uint32_t>& members) const
{
    if (collective.channels == 0 || collective.chunks == 0)
    {
        DcnFail("a collective has at least one channel and one chunk, but ",
                collective.channels,
                " and ",
                collective.chunks,
                " were asked for");
    }
    const Key key = MakeKey(collective, members);
    auto found = m_choices.find(key);
    if (found == m_choices.end())
    {
        found = m_choices.emplace(key, ChooseAnew(collective, members)).first;
    }
    Choice choice = found->second;
    choice.collective.stream = collective.stream;
    choice.collective.name = collective.name;
    return choice;
}

DcnTrainProtocols::Choice
DcnTrainProtocols::ChooseAnew(const DcnTrainCollective& collective,
                              const std::vector<uint32_t>& members) const
{
    const auto n = static_cast<uint32_t>(members.size());
    const uint32_t groupSize = FindGroupSize(members);
    const bool isAuto = collective.algorithm == "auto";
    Choice best{collective, nullptr, 0};
    for (const DcnTrainProtocol& row : m_table)
    {
        DcnTrainCollective candidate = collective;
        candidate.protocols = nullptr; // choices are kept here, and must not own their owner
        candidate.algorithm = isAuto ? row.algorithm : collective.algorithm;
        const auto names = DcnTrainCollective::GetAlgorithms(collective.operation);
        if (row.algorithm != candidate.algorithm || collective.bytes < row.leastBytes ||
            (row.mostBytes > 0 && collective.bytes > row.mostBytes) ||
            (row.operation != "any" && row.operation != collective.operation) ||
            std::find(names.begin(), names.end(), row.algorithm) == names.end())
        {
            continue;
        }
        candidate.groupSize = groupSize > 1 && candidate.IsGrouped() ? groupSize : 0;
        const DcnTrainSchedule schedule = candidate.MakeSchedule(n);
        SetParts(row, groupSize, candidate, schedule.nBlocks);
        const double expectedNs = Estimate(row, candidate, schedule, members);
        if (!best.protocol || expectedNs < best.expectedNs)
        {
            best = {candidate, &row, expectedNs};
        }
    }
    if (!best.protocol)
    {
        DcnFail("the table of collectives has no row for ",
                collective.operation,
                " of ",
                collective.bytes,
                " bytes with the algorithm ",
                collective.algorithm,
                ": add one, or name another algorithm");
    }
    NS_LOG_LOGIC(collective.operation << " of " << collective.bytes << " bytes among " << n << ": "
                                      << best.protocol->algorithm << ' ' << best.protocol->name
                                      << ", " << best.expectedNs << " ns expected");
    return best;
}

uint32_t
DcnTrainProtocols::Fix(DcnTrainCollective& collective, const std::vector<uint32_t>& members) const
{
    const Choice choice = Choose(collective, members);
    const auto costs = collective.protocols;
    collective = choice.collective;
    collective.protocols = costs;
    return static_cast<uint32_t>(choice.protocol - m_table.data());
}

int64_t
DcnTrainProtocols::GetLaunchNs(uint32_t choice) const
{
    return m_table.at(choice).launchNs;
}

DcnTrainHostCosts::Message
DcnTrainProtocols::MakeMessage(uint32_t choice,
                               uint32_t channels,
                               uint32_t from,
                               uint32_t to,
                               uint64_t bytes) const
{
    const DcnTrainProtocol& protocol = m_table.at(choice);
    const auto data = static_cast<double>(bytes);
    const bool isInServer = m_servers.serverOf.at(from) == m_servers.serverOf.at(to);
    return {std::max<uint64_t>(1, std::llround(data / protocol.efficiency)),
            protocol.busGbps > 0 ? std::llround(8 * data * channels / protocol.busGbps) : 0,
            isInServer ? protocol.scaleUpNs : protocol.scaleOutNs};
}

const std::vector<DcnTrainProtocol>&
DcnTrainProtocols::GetTable() const
{
    return m_table;
}

} // namespace ns3

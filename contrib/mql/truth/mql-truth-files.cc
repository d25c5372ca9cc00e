/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "mql-truth-files.h"

#include "mql-truth-digest.h"

#include "ns3/dcn-csv.h"
#include "ns3/dcn-error.h"
#include "ns3/dcn-origin.h"
#include "ns3/log.h"

#include <algorithm>
#include <filesystem>
#include <utility>
#include <vector>

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("MqlTruthFiles");

namespace
{

const std::vector<std::string> HOP_COLUMNS{"flow",
                                           "ack",
                                           "path",
                                           "share",
                                           "hop",
                                           "link",
                                           "packets",
                                           "drops",
                                           "wait_ns",
                                           "wait2_ns2",
                                           "gap_scv",
                                           "mean_bytes"};
const std::vector<std::string> FLOW_COLUMNS{"flow",
                                            "source",
                                            "destination",
                                            "rate",
                                            "scv",
                                            "sent",
                                            "packets",
                                            "data_ns",
                                            "ack_ns",
                                            "rtt_ns",
                                            "rtt_error_ns",
                                            "rtt_p99_ns"};
const std::vector<std::string> QUEUE_COLUMNS{"link",
                                             "from",
                                             "to",
                                             "packets",
                                             "drops",
                                             "offered",
                                             "utilisation",
                                             "wait_ns",
                                             "waiting"};
const std::vector<std::string> RUN_COLUMNS{"key", "value"};

/// Writes a table: its header line and the rows by a function of the stream.
template <typename Rows>
void
WriteTable(const std::string& path,
           const std::vector<std::string>& columns,
           int digits,
           const Rows& writeRows)
{
    DcnFileWriter file(path);
    auto& out = file.Stream();
    out.precision(digits);
    for (const auto& column : columns)
    {
        out << (&column == &columns.front() ? "" : ",") << column;
    }
    out << '\n';
    writeRows(out);
    file.Commit();
}

/// A configuration or a command without commas, which CSV cells cannot contain.
std::string
Cell(std::string text)
{
    std::replace(text.begin(), text.end(), ',', ';');
    return text;
}

/// The text of a cell, with its commas.
std::string
Text(std::string cell)
{
    std::replace(cell.begin(), cell.end(), ';', ',');
    return cell;
}

/// Refuses a file whose rows do not match the configuration.
void
Need(bool good, const DcnCsvReader& reader)
{
    if (!good)
    {
        DcnFail(reader.Where(), "this row does not belong to the configuration in run.csv");
    }
}

/// Keys and values of run.csv, the configuration first.
using Run = std::vector<std::pair<std::string, std::string>>;

Run
ReadRun(const std::string& path)
{
    DcnCsvReader reader(path + "/run.csv", RUN_COLUMNS);
    Run run;
    while (reader.FetchRow())
    {
        run.emplace_back(reader.GetText(0), reader.GetText(1));
    }
    if (run.empty() || run.front().first != "configuration")
    {
        DcnFail(path, "/run.csv does not begin with the configuration");
    }
    return run;
}

/// Value of a key, DCN_UNKNOWN_ORIGIN without one.
std::string
GetText(const Run& run, const std::string& key)
{
    const auto found =
        std::find_if(run.begin(), run.end(), [&](const auto& entry) { return entry.first == key; });
    return found == run.end() ? DCN_UNKNOWN_ORIGIN : found->second;
}

} // namespace

void
MqlWriteTruth(const MqlTruthTraffic& traffic,
              const MqlTruthResult& result,
              const std::string& folder,
              const std::string& command)
{
    const std::string path = folder + "/" + traffic.GetConfig().GetName();
    DcnMakeFolder(path);
    constexpr int DIGITS = 9;
    WriteTable(path + "/hops.csv", HOP_COLUMNS, DIGITS, [&](std::ostream& out) {
        uint32_t previous = UINT32_MAX;
        uint32_t number = 0; // number of the path among the flow's paths in one direction
        for (const auto& stream : traffic.GetStreams())
        {
            const uint32_t key = 2 * stream.flow + (stream.isAck ? 1 : 0);
            number = key == previous ? number + 1 : 0;
            previous = key;
            for (uint32_t hop = 0; hop < stream.nHops; ++hop)
            {
                const auto& r = result.hops[stream.firstHop + hop];
                out << stream.flow << ',' << stream.isAck << ',' << number << ',' << stream.share
                    << ',' << hop << ',' << traffic.GetHopLinks()[stream.firstHop + hop] << ','
                    << r.packets << ',' << r.drops << ',' << r.waitNs << ',' << r.wait2 << ','
                    << r.gapScv << ',' << r.bytes << '\n';
            }
        }
    });
    WriteTable(path + "/flows.csv", FLOW_COLUMNS, DIGITS, [&](std::ostream& out) {
        for (std::size_t i = 0; i < result.flows.size(); ++i)
        {
            const auto& flow = traffic.GetFlows()[i];
            const auto& r = result.flows[i];
            out << i << ',' << flow.src << ',' << flow.dst << ',' << flow.rate << ',' << flow.scv
                << ',' << r.sent << ',' << r.packets << ',' << r.dataNs << ',' << r.ackNs << ','
                << r.rttNs << ',' << r.rttErrorNs << ',' << r.rttP99Ns << '\n';
        }
    });
    WriteTable(path + "/queues.csv", QUEUE_COLUMNS, DIGITS, [&](std::ostream& out) {
        const auto offered = traffic.GetUtilisation();
        for (uint32_t link = 0; link < result.queues.size(); ++link)
        {
            const auto& r = result.queues[link];
            const auto& ends = traffic.GetTopology()->GetLink(link);
            out << link << ',' << ends.from << ',' << ends.to << ',' << r.packets << ',' << r.drops
                << ',' << offered[link] << ',' << r.utilisation << ',' << r.waitNs << ','
                << r.waiting << '\n';
        }
    });
    WriteTable(path + "/run.csv", RUN_COLUMNS, 6, [&](std::ostream& out) {
        out << "configuration," << Cell(traffic.GetConfig().ToFullText()) << "\nrtt_p99_ns,"
            << result.rttP99Ns << "\npacket_hops," << result.packetHops << "\nwall_s,"
            << result.wallSeconds << "\ncpu_s," << result.cpuSeconds << "\nengine_digest,"
            << MqlTruthDigest(traffic.GetConfig().Get("engine")) << "\ndcn_release," << DCN_RELEASE
            << "\ndate," << DcnGetUtcDate() << '\n';
        if (!command.empty())
        {
            out << "command," << Cell(command) << '\n';
        }
    });
}

MqlTruthConfig
MqlReadTruthConfig(const std::string& path)
{
    return MqlTruthConfig::Parse(Text(ReadRun(path).front().second), path + "/run.csv:2: ", true);
}

MqlTruthOrigin
MqlReadTruthOrigin(const std::string& path)
{
    const Run run = ReadRun(path);
    return {GetText(run, "engine_digest"),
            GetText(run, "dcn_release"),
            GetText(run, "date"),
            Text(GetText(run, "command"))};
}

bool
MqlHasTruth(const MqlTruthConfig& config, const std::string& folder)
{
    const std::string path = folder + "/" + config.GetName();
    if (!std::filesystem::exists(path + "/run.csv"))
    {
        return false;
    }
    const std::string there = MqlReadTruthConfig(path).ToFullText();
    if (there != config.ToFullText())
    {
        DcnFail(path,
                " is of another configuration of the same name: ",
                there,
                ", not ",
                config.ToFullText());
    }
    const std::string engine = MqlReadTruthOrigin(path).engineDigest;
    if (engine != MqlTruthDigest(config.Get("engine")))
    {
        DcnFail(path,
                "/run.csv: the program that simulated this is ",
                engine,
                ", but this one is ",
                MqlTruthDigest(config.Get("engine")),
                ": choose another folder");
    }
    NS_LOG_INFO(path << " exists: it is not simulated again");
    return true;
}

MqlTruthResult
MqlReadTruth(const std::string& path, MqlTruthConfig& config)
{
    config = MqlReadTruthConfig(path);
    const Run run = ReadRun(path);
    const auto number = [&](const std::string& key) {
        const std::string text = GetText(run, key);
        double value = 0;
        if (text != DCN_UNKNOWN_ORIGIN && !DcnParse(text, value))
        {
            DcnFail(path, "/run.csv: ", key, " cannot be '", text, "'");
        }
        return value;
    };
    MqlTruthResult result;
    result.rttP99Ns = number("rtt_p99_ns");
    result.packetHops = static_cast<uint64_t>(number("packet_hops"));
    result.wallSeconds = number("wall_s");
    result.cpuSeconds = number("cpu_s");
    if (result.rttP99Ns == 0 && result.packetHops > 0)
    {
        DcnFail(path, "/run.csv has no rtt_p99_ns: it is of an older program, simulate again");
    }
    DcnCsvReader hops(path + "/hops.csv", HOP_COLUMNS);
    while (hops.FetchRow())
    {
        result.hops.push_back({hops.GetUint(6),
                               hops.GetUint(7),
                               hops.GetDouble(8),
                               hops.GetDouble(9),
                               hops.GetDouble(10),
                               hops.GetDouble(11)});
    }
    DcnCsvReader flows(path + "/flows.csv", FLOW_COLUMNS);
    while (flows.FetchRow())
    {
        Need(flows.GetUint(0) == result.flows.size(), flows);
        result.flows.push_back({flows.GetUint(5),
                                flows.GetUint(6),
                                flows.GetDouble(7),
                                flows.GetDouble(8),
                                flows.GetDouble(9),
                                flows.GetDouble(10),
                                flows.GetDouble(11)});
    }
    DcnCsvReader queues(path + "/queues.csv", QUEUE_COLUMNS);
    while (queues.FetchRow())
    {
        Need(queues.GetUint(0) == result.queues.size(), queues);
        result.queues.push_back({queues.GetUint(3),
                                 queues.GetUint(4),
                                 queues.GetDouble(6),
                                 queues.GetDouble(7),
                                 queues.GetDouble(8)});
    }
    return result;
}

} // namespace ns3

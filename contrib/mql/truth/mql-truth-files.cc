/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "mql-truth-files.h"

#include "mql-truth-engine.h"

#include "ns3/dcn-csv.h"
#include "ns3/dcn-error.h"
#include "ns3/dcn-origin.h"
#include "ns3/log.h"

#include <algorithm>
#include <filesystem>
#include <functional>
#include <map>
#include <vector>

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("MqlTruthFiles");

namespace
{

/// A table with a row per hop, flow or queue: what the row is of, then measurements.
template <typename Row>
struct Table
{
    /// A measurement: a count or a number.
    struct Column
    {
        const char* name;             //!< in the header
        uint64_t Row::*count;         //!< null: a number
        double Row::*number{nullptr}; //!< null: a count
    };

    std::string file;                 //!< name of the file
    std::vector<std::string> keys;    //!< columns that say what a row is of
    std::vector<Column> measurements; //!< further columns
    bool isNumbered;                  //!< the first column is the number of the row

    /// @return the header
    std::vector<std::string> GetHeader() const
    {
        std::vector<std::string> header = keys;
        for (const Column& column : measurements)
        {
            header.emplace_back(column.name);
        }
        return header;
    }

    /// Writes rows; a function writes what each is of.
    void Write(const std::string& folder,
               const std::vector<Row>& rows,
               const std::function<void(std::ostream&, std::size_t)>& writeKeys) const
    {
        DcnFileWriter writer(folder + "/" + file);
        auto& out = writer.Stream();
        out.precision(9);
        for (const std::string& name : GetHeader())
        {
            out << (name == keys.front() ? "" : ",") << name;
        }
        for (std::size_t i = 0; i < rows.size(); ++i)
        {
            out << '\n';
            writeKeys(out, i);
            for (const Column& column : measurements)
            {
                out << ',';
                column.count ? out << rows[i].*column.count : out << rows[i].*column.number;
            }
        }
        out << '\n';
        writer.Commit();
    }

    /// @return the rows
    std::vector<Row> Read(const std::string& folder) const
    {
        DcnCsvReader reader(folder + "/" + file, GetHeader());
        std::vector<Row> rows;
        while (reader.FetchRow())
        {
            if (isNumbered && reader.GetUint(0) != rows.size())
            {
                DcnFail(reader.Where(), "this row does not belong to the configuration in run.csv");
            }
            Row row;
            for (std::size_t i = 0; i < measurements.size(); ++i)
            {
                const Column& column = measurements[i];
                column.count ? void(row.*column.count = reader.GetUint(keys.size() + i))
                             : void(row.*column.number = reader.GetDouble(keys.size() + i));
            }
            rows.push_back(row);
        }
        return rows;
    }
};

using H = MqlTruthHop;        // hop
using F = MqlTruthFlowResult; // flow
using Q = MqlTruthQueue;      // queue

const Table<H> HOPS{"hops.csv",
                    {"flow", "ack", "path", "share", "hop", "link"},
                    {{"packets", &H::packets},
                     {"drops", &H::drops},
                     {"wait_ns", nullptr, &H::waitNs},
                     {"wait2_ns2", nullptr, &H::wait2},
                     {"gap_scv", nullptr, &H::gapScv},
                     {"mean_bytes", nullptr, &H::bytes}},
                    false};
const Table<F> FLOWS{"flows.csv",
                     {"flow", "source", "destination", "rate", "scv"},
                     {{"sent", &F::sent},
                      {"packets", &F::packets},
                      {"data_ns", nullptr, &F::dataNs},
                      {"ack_ns", nullptr, &F::ackNs},
                      {"rtt_ns", nullptr, &F::rttNs},
                      {"rtt_error_ns", nullptr, &F::rttErrorNs},
                      {"rtt_p99_ns", nullptr, &F::rttP99Ns}},
                     true};
const Table<Q> QUEUES{"queues.csv",
                      {"link", "from", "to"},
                      {{"packets", &Q::packets},
                       {"drops", &Q::drops},
                       {"offered", nullptr, &Q::offered},
                       {"utilisation", nullptr, &Q::utilisation},
                       {"wait_ns", nullptr, &Q::waitNs},
                       {"waiting", nullptr, &Q::waiting}},
                      true};

} // namespace

void
MqlWriteTruth(const MqlTruthTraffic& traffic,
              const MqlTruthResult& result,
              const std::string& folder,
              const std::string& command)
{
    const std::string path = folder + "/" + traffic.GetConfig().GetName();
    DcnMakeFolder(path);
    const auto& streams = traffic.GetStreams();
    std::size_t current = 0; // stream of the hop
    uint32_t number = 0;     // of the stream among the flow's in one direction
    HOPS.Write(path, result.hops, [&](std::ostream& out, std::size_t i) {
        if (i == streams[current].firstHop + streams[current].nHops)
        {
            const auto& last = streams[current++];
            const auto& next = streams[current];
            number = next.flow == last.flow && next.isAck == last.isAck ? number + 1 : 0;
        }
        const auto& stream = streams[current];
        out << stream.flow << ',' << stream.isAck << ',' << number << ',' << stream.share << ','
            << i - stream.firstHop << ',' << traffic.GetHopLinks()[i];
    });
    FLOWS.Write(path, result.flows, [&](std::ostream& out, std::size_t i) {
        const auto& flow = traffic.GetFlows()[i];
        out << i << ',' << flow.src << ',' << flow.dst << ',' << flow.rate << ',' << flow.c2a;
    });
    QUEUES.Write(path, result.queues, [&](std::ostream& out, std::size_t i) {
        const auto& ends = traffic.GetTopology()->GetLink(static_cast<uint32_t>(i));
        out << i << ',' << ends.from << ',' << ends.to;
    });
    DcnFileWriter file(path + "/run.csv");
    file.Stream() << "key,value\nconfiguration," << DcnCsvText(traffic.GetConfig().ToFullText())
                  << "\nrtt_p99_ns," << result.rttP99Ns << "\npacket_hops," << result.packetHops
                  << "\nwall_s," << result.wallSeconds << "\ncpu_s," << result.cpuSeconds
                  << "\nengine_digest," << MqlTruthDigest(traffic.GetConfig().Get("engine"))
                  << "\ndcn_release," << DCN_RELEASE << "\ndate," << DcnGetUtcDate() << '\n'
                  << (command.empty() ? "" : "command," + DcnCsvText(command) + "\n");
    file.Commit();
}

MqlTruthRun
MqlReadTruthRun(const std::string& path)
{
    DcnCsvReader reader(path + "/run.csv", {"key", "value"});
    std::map<std::string, std::string> values;
    while (reader.FetchRow())
    {
        values.emplace(reader.GetText(0), reader.GetText(1));
    }
    const auto text = [&](const std::string& key) {
        const auto found = values.find(key);
        return found == values.end() ? DCN_UNKNOWN_ORIGIN : found->second;
    };
    // Cells have a semicolon for a comma.
    const auto list = [&](const std::string& key) {
        std::string value = text(key);
        std::replace(value.begin(), value.end(), ';', ',');
        return value;
    };
    const auto number = [&](const std::string& key) {
        double value = 0;
        if (values.count(key) && !DcnParse(values[key], value))
        {
            DcnFail(path, "/run.csv: ", key, " cannot be '", values[key], "'");
        }
        return value;
    };
    if (!values.count("configuration"))
    {
        DcnFail(path, "/run.csv has no configuration");
    }
    MqlTruthRun run{MqlTruthConfig::Parse(list("configuration"), path + "/run.csv:2: ", true),
                    text("engine_digest"),
                    text("dcn_release"),
                    text("date"),
                    list("command"),
                    {}};
    run.result.rttP99Ns = number("rtt_p99_ns");
    run.result.packetHops = static_cast<uint64_t>(number("packet_hops"));
    run.result.wallSeconds = number("wall_s");
    run.result.cpuSeconds = number("cpu_s");
    return run;
}

bool
MqlHasTruth(const MqlTruthConfig& config, const std::string& folder)
{
    const std::string path = folder + "/" + config.GetName();
    if (!std::filesystem::exists(path + "/run.csv"))
    {
        return false;
    }
    const MqlTruthRun there = MqlReadTruthRun(path);
    if (there.config.ToFullText() != config.ToFullText())
    {
        DcnFail(path,
                " is of another configuration of the same name: ",
                there.config.ToFullText(),
                ", not ",
                config.ToFullText());
    }
    const std::string& digest = MqlTruthDigest(config.Get("engine"));
    if (there.engineDigest != digest)
    {
        DcnFail(path,
                "/run.csv: the program that simulated this is ",
                there.engineDigest,
                ", but this one is ",
                digest,
                ": choose another folder");
    }
    NS_LOG_INFO(path << " exists: it is not simulated again");
    return true;
}

MqlTruthRun
MqlReadTruth(const std::string& path)
{
    MqlTruthRun run = MqlReadTruthRun(path);
    if (run.result.rttP99Ns == 0 && run.result.packetHops > 0)
    {
        DcnFail(path, "/run.csv has no rtt_p99_ns: it is of an older program, simulate again");
    }
    run.result.hops = HOPS.Read(path);
    run.result.flows = FLOWS.Read(path);
    run.result.queues = QUEUES.Read(path);
    return run;
}

} // namespace ns3

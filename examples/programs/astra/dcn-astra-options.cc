/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "dcn-astra-options.h"

#include "ns3/dcn-command-line.h"
#include "ns3/dcn-csv.h"
#include "ns3/dcn-error.h"
#include "ns3/dcn-train-chakra.h"

#include <fstream>
#include <json/json.hpp>

namespace ns3
{

namespace
{

/// @return a JSON file
nlohmann::json
ReadJson(const std::string& option, const std::string& path)
{
    std::ifstream file(path);
    if (path.empty() || !file)
    {
        DcnFail("--", option, " must name a JSON file, but \"", path, "\" cannot be read");
    }
    try
    {
        return nlohmann::json::parse(file);
    }
    catch (const nlohmann::json::parse_error& error)
    {
        DcnFail(path, ": the file of --", option, " is not JSON from byte ", error.byte, " on");
    }
}

/// @return name of the trace of a rank
std::string
GetTrace(const std::string& prefix, uint32_t rank)
{
    return prefix + "." + std::to_string(rank) + ".et";
}

} // namespace

void
DcnAstraOptions::AddTo(CommandLine& cmd)
{
    DcnAddText(cmd, "workload-configuration", "Chakra traces: the path without .RANK.et", workload);
    DcnAddText(cmd,
               "comm-group-configuration",
               "JSON file of communicator groups; empty: there are none",
               commGroup);
    DcnAddText(cmd, "system-configuration", "JSON file of the system", system);
    DcnAddText(cmd, "remote-memory-configuration", "JSON file of remote memory", remoteMemory);
    DcnAddText(cmd,
               "network-configuration",
               "Topology file, or configuration file of the ns-3 back end; none: --topology",
               network);
    DcnAddText(cmd,
               "logical-topology-configuration",
               "JSON file of logical dimensions; none: one dimension of all traces",
               logicalTopology);
    DcnAddText(cmd, "logging-configuration", "Configuration of spdlog; empty: none", logging);
    DcnAddText(cmd,
               "logging-folder",
               "Folder for the logs of ASTRA-sim; none: log in the folder for the results",
               loggingFolder);
    cmd.AddValue("num-queues-per-dim", "Queues of a logical dimension", queuesPerDimension);
    cmd.AddValue("comm-scale", "Factor of the sizes of collectives", commScale);
    cmd.AddValue("injection-scale", "Injection scale of ASTRA-sim", injectionScale);
    cmd.AddValue("rendezvous-protocol", "Whether a send waits for its receive", hasRendezvous);
}

void
DcnAstraOptions::Check() const
{
    if (workload.empty())
    {
        DcnFail(
            "--workload-configuration must name traces, such as all_reduce for all_reduce.0.et");
    }
    if (queuesPerDimension < 1)
    {
        DcnFail("--num-queues-per-dim must be at least 1, but it is ", queuesPerDimension);
    }
    if (!(commScale > 0) || !(injectionScale > 0))
    {
        DcnFail("--comm-scale and --injection-scale must be above 0, but they are ",
                commScale,
                " and ",
                injectionScale);
    }
    ReadJson("system-configuration", system);
    ReadJson("remote-memory-configuration", remoteMemory);
    if (commGroup != "empty")
    {
        ReadJson("comm-group-configuration", commGroup);
    }
    if (logging != "empty" && !std::ifstream(logging))
    {
        DcnFail("--logging-configuration names the file \"", logging, "\", which cannot be read");
    }
}

std::vector<int>
DcnAstraOptions::ReadDimensions() const
{
    std::vector<int> dimensions;
    uint64_t nRanks = 1;
    if (logicalTopology.empty())
    {
        nRanks = DcnTrainChakra::CountRanks(workload);
        dimensions.push_back(static_cast<int>(nRanks));
    }
    else
    {
        const nlohmann::json file = ReadJson("logical-topology-configuration", logicalTopology);
        const auto found = file.find("logical-dims");
        if (!file.is_object() || found == file.end() || !found->is_array() || found->empty())
        {
            DcnFail(logicalTopology,
                    ": expected the ranks of each dimension, such as {\"logical-dims\": [\"4\", "
                    "\"2\"]}");
        }
        for (const auto& each : *found)
        {
            const std::string text = each.is_string() ? each.get<std::string>() : each.dump();
            uint64_t size = 0;
            if (!DcnParse(text, size) || size == 0 || size > 1'000'000 / nRanks)
            {
                DcnFail(logicalTopology,
                        ": logical-dims must be whole numbers from 1 on whose product is at most "
                        "1000000, but one is ",
                        text);
            }
            dimensions.push_back(static_cast<int>(size));
            nRanks *= size;
        }
    }
    for (uint64_t rank = 0; rank < nRanks; ++rank)
    {
        if (!std::ifstream(GetTrace(workload, rank)))
        {
            DcnFail(GetTrace(workload, rank), ": the trace of rank ", rank, " cannot be read");
        }
    }
    return dimensions;
}

} // namespace ns3

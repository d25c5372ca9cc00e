/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "dcn-astra-options.h"

#include "ns3/dcn-command-line.h"
#include "ns3/dcn-csv.h"
#include "ns3/dcn-error.h"

#include <filesystem>
#include <fstream>
#include <json/json.hpp>
#include <map>
#include <sstream>

namespace ns3
{

namespace
{

/// CC_MODE of HPCC's family of simulators.
const std::map<std::string, std::string> g_congestionControls = {{"1", "dcqcn"},
                                                                 {"3", "hpcc"},
                                                                 {"7", "timely"},
                                                                 {"8", "dctcp"}};

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
        nRanks = 0;
        while (std::filesystem::exists(GetTrace(workload, nRanks)))
        {
            ++nRanks;
        }
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
    for (uint64_t rank = 0; rank < std::max<uint64_t>(1, nRanks); ++rank)
    {
        if (!std::ifstream(GetTrace(workload, rank)))
        {
            DcnFail(GetTrace(workload, rank), ": the trace of rank ", rank, " cannot be read");
        }
    }
    return dimensions;
}

std::vector<std::string>
DcnAstraOptions::ReadNetwork(DcnTrainNetworkOptions& options) const
{
    std::vector<std::string> ignored;
    if (network.empty())
    {
        return ignored;
    }
    std::ifstream file(network);
    if (!file)
    {
        DcnFail("--network-configuration names the file \"", network, "\", which cannot be read");
    }
    std::string topology;
    uint32_t number = 0;
    for (std::string line; std::getline(file, line);)
    {
        ++number;
        std::istringstream words(line);
        std::string key;
        std::string value;
        std::string rest;
        if (!(words >> key) || key[0] == '#')
        {
            continue;
        }
        uint64_t count = 0;
        if (topology.empty() && ignored.empty() && DcnParse(key, count))
        {
            options.SetTopologyFile(network); // begins with the number of nodes
            return ignored;
        }
        if (key.back() == ':')
        {
            DcnFail(network,
                    ":",
                    number,
                    ": ",
                    key,
                    " is a key of the analytical back end, whose networks have no switches: give "
                    "a topology file, or --topology");
        }
        words >> value;
        std::getline(words, rest);
        DcnScenarioOptions& scenario = options.GetScenarioOptions();
        if (key == "TOPOLOGY_FILE")
        {
            const std::filesystem::path beside =
                std::filesystem::path(network).parent_path() / value;
            topology = std::filesystem::exists(value) ? value : beside.string();
            if (!std::filesystem::exists(topology))
            {
                DcnFail(network,
                        ":",
                        number,
                        ": TOPOLOGY_FILE names ",
                        value,
                        ", which is neither in the current folder nor beside this file");
            }
            options.SetTopologyFile(topology);
        }
        else if (key == "CC_MODE")
        {
            const auto found = g_congestionControls.find(value);
            if (!scenario.GetList("cc").empty())
            {
                ignored.push_back(key + " (--cc is given)");
            }
            else if (found == g_congestionControls.end())
            {
                DcnFail(network,
                        ":",
                        number,
                        ": CC_MODE ",
                        value,
                        " is none of 1 (DCQCN), 3 (HPCC), 7 (TIMELY) and 8 (DCTCP): give --cc");
            }
            else
            {
                scenario.Set("cc", found->second);
            }
        }
        else if (key == "PACKET_PAYLOAD_SIZE")
        {
            const std::string name = "payload_bytes=";
            bool isGiven = false;
            std::string keys = name + value;
            for (const std::string& each : scenario.GetList("network"))
            {
                isGiven = isGiven || each.rfind(name, 0) == 0;
                keys += "," + each;
            }
            if (!DcnParse(value, count) || count == 0)
            {
                DcnFail(network,
                        ":",
                        number,
                        ": PACKET_PAYLOAD_SIZE must be a number of bytes, but it is \"",
                        value,
                        "\"");
            }
            if (isGiven)
            {
                ignored.push_back(key + " (--network is given)");
            }
            else
            {
                scenario.Set("network", keys);
            }
        }
        else
        {
            ignored.push_back(key);
        }
    }
    if (topology.empty())
    {
        DcnFail(network,
                ": neither a topology file, whose first line has numbers of nodes, switches and "
                "links, nor a configuration with the key TOPOLOGY_FILE");
    }
    return ignored;
}

} // namespace ns3

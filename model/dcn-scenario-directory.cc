/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "dcn-csv.h"
#include "dcn-error.h"
#include "dcn-scenario.h"

#include <algorithm>
#include <filesystem>
#include <sstream>

namespace ns3
{

namespace
{

/// Node index by the number that files use.
using NodeIndex = std::unordered_map<uint64_t, uint32_t>;

/**
 * @param index of the nodes
 * @param id node number in a file
 * @param where prefix of the error sentence
 * @return the node's index
 */
uint32_t
FindNode(const NodeIndex& index, uint64_t id, const std::string& where)
{
    auto node = index.find(id);
    if (node == index.end())
    {
        DcnFail(where, "node ", id, " is not in nodes.csv");
    }
    return node->second;
}

/**
 * @param folder scenario directory
 * @param index filled with the nodes
 * @return the network of nodes.csv and links.csv
 */
Ptr<DcnTopology>
ReadTopology(const std::string& folder, NodeIndex& index)
{
    DcnTopologyBuilder builder;
    DcnCsvReader nodes(folder + "/nodes.csv", {"node_id", "kind"});
    while (nodes.FetchRow())
    {
        const std::string& kind = nodes.GetText(1);
        if (kind != "host" && kind != "switch")
        {
            DcnFail(nodes.Where(), "kind must be host or switch, but it is \"", kind, "\"");
        }
        const uint64_t id = nodes.GetUint(0);
        index[id] = builder.AddNode(kind == "host" ? DcnNodeKind::HOST : DcnNodeKind::SWITCH,
                                    id,
                                    nodes.Where());
    }
    DcnCsvReader links(folder + "/links.csv", {"a", "b", "rate_bps", "delay_ns"});
    while (links.FetchRow())
    {
        const std::string where = links.Where();
        const uint32_t a = FindNode(index, links.GetUint(0), where);
        const uint32_t b = FindNode(index, links.GetUint(1), where);
        builder.AddLink(a, b, links.GetUint(2), links.GetInt(3), where);
    }
    try
    {
        return builder.Build();
    }
    catch (const DcnError& error)
    {
        DcnFail(folder, ": ", error.what());
    }
}

/**
 * @param folder scenario directory
 * @param topology its network
 * @return the configuration of network.csv; what it does not name has its preset value
 */
Ptr<DcnNetworkConfig>
ReadNetwork(const std::string& folder, const DcnTopology& topology)
{
    DcnCsvReader csv(folder + "/network.csv", {"key", "value"});
    struct Assignment
    {
        std::string key;
        std::string value;
        std::string where;
    };
    std::vector<Assignment> assignments;
    std::unordered_map<std::string, std::string> seen;
    std::string cc;
    while (csv.FetchRow())
    {
        const std::string& key = csv.GetText(0);
        if (!seen.emplace(key, csv.Where()).second)
        {
            DcnFail(csv.Where(), "the key \"", key, "\" is given twice");
        }
        if (key == "cc")
        {
            cc = csv.GetText(1);
        }
        assignments.push_back({key, csv.GetText(1), csv.Where()});
    }
    if (cc.empty())
    {
        DcnFail(folder, "/network.csv: the key \"cc\" is missing");
    }
    // the congestion control comes first, wherever it stands: it decides which keys are allowed
    Ptr<DcnNetworkConfig> config = CreateObject<DcnNetworkConfig>();
    config->SetKey("cc", cc, seen["cc"]);
    config = DcnNetworkConfig::Preset(cc, topology.GetSlowestHostRate());
    for (const Assignment& assignment : assignments)
    {
        config->SetKey(assignment.key, assignment.value, assignment.where);
    }
    config->Check(topology.GetSlowestHostRate(), folder + "/network.csv: ");
    return config;
}

/**
 * @param folder scenario directory
 * @param index of the nodes
 * @return the pins of paths.csv, none if the file is not there
 */
std::unordered_map<uint64_t, DcnScenario::PinnedPath>
ReadPaths(const std::string& folder, const NodeIndex& index)
{
    std::unordered_map<uint64_t, DcnScenario::PinnedPath> pinned;
    const std::string path = folder + "/paths.csv";
    if (!std::filesystem::exists(path))
    {
        return pinned;
    }
    DcnCsvReader csv(path, {"flow_id", "path"});
    while (csv.FetchRow())
    {
        const std::string where = csv.Where();
        DcnScenario::PinnedPath pin{{}, where};
        // one '-' more than there are makes an empty last node visible
        std::istringstream nodes(csv.GetText(1) + "-");
        for (std::string node; std::getline(nodes, node, '-');)
        {
            const std::size_t colon = node.find(':');
            uint64_t id;
            uint64_t parallel = DcnNodePath::ANY;
            if (!DcnParse(node.substr(0, colon), id) ||
                (colon != std::string::npos && !DcnParse(node.substr(colon + 1), parallel)))
            {
                DcnFail(where, "path must be node ids joined by '-', but it is \"", csv.GetText(1),
                        "\"");
            }
            pin.nodes.nodes.push_back(FindNode(index, id, where));
            pin.nodes.parallel.push_back(static_cast<uint32_t>(parallel));
        }
        const uint64_t flow = csv.GetUint(0);
        if (!pinned.emplace(flow, std::move(pin)).second)
        {
            DcnFail(where, "flow_id ", flow, " has two paths");
        }
    }
    return pinned;
}

} // namespace

Ptr<const DcnScenario>
DcnReadScenario(const std::string& folder, uint64_t seed)
{
    if (!std::filesystem::is_directory(folder))
    {
        DcnFail(folder, ": there is no such scenario directory");
    }
    NodeIndex index;
    Ptr<DcnTopology> topology = ReadTopology(folder, index);
    Ptr<DcnNetworkConfig> network = ReadNetwork(folder, *topology);

    std::vector<DcnFlow> flows;
    std::vector<uint32_t> lines;
    const std::string path = folder + "/flows.csv";
    DcnCsvReader csv(path, {"flow_id", "src", "dst", "size_bytes", "start_ns"});
    while (csv.FetchRow())
    {
        const std::string where = csv.Where();
        flows.push_back({csv.GetUint(0),
                         FindNode(index, csv.GetUint(1), where),
                         FindNode(index, csv.GetUint(2), where),
                         csv.GetUint(3),
                         csv.GetInt(4)});
        lines.push_back(csv.GetLine());
    }
    if (flows.empty())
    {
        DcnFail(path, ": the file has no flow");
    }
    return DcnScenario::Create(topology,
                               network,
                               std::move(flows),
                               ReadPaths(folder, index),
                               seed,
                               [&path, &lines](std::size_t i) {
                                   return path + ":" + std::to_string(lines[i]) + ": ";
                               });
}

void
DcnWriteScenario(const DcnScenario& scenario, const std::string& folder)
{
    DcnMakeFolder(folder);
    const DcnTopology& topology = scenario.GetTopology();
    auto id = [&topology](uint32_t node) { return topology.GetExternalId(node); };

    DcnFileWriter nodes(folder + "/nodes.csv");
    nodes.Stream() << "node_id,kind\n";
    for (uint32_t node = 0; node < topology.GetNNodes(); ++node)
    {
        nodes.Stream() << id(node) << (topology.IsHost(node) ? ",host\n" : ",switch\n");
    }
    DcnFileWriter links(folder + "/links.csv");
    links.Stream() << "a,b,rate_bps,delay_ns\n";
    for (uint32_t l = 0; l < topology.GetNLinks(); l += 2)
    {
        const DcnLink& link = topology.GetLink(l);
        if (link.rateBps != topology.GetLink(l + 1).rateBps)
        {
            DcnFail(folder, "/links.csv: the link between ", id(link.from), " and ", id(link.to),
                    " has two rates, which the format cannot express");
        }
        links.Stream() << id(link.from) << ',' << id(link.to) << ',' << link.rateBps << ','
                       << link.delayNs << '\n';
    }
    DcnFileWriter flows(folder + "/flows.csv");
    DcnFileWriter paths(folder + "/paths.csv");
    flows.Stream() << "flow_id,src,dst,size_bytes,start_ns\n";
    paths.Stream() << "flow_id,path\n";
    for (std::size_t i = 0; i < scenario.GetFlows().size(); ++i)
    {
        const DcnFlow& flow = scenario.GetFlows()[i];
        flows.Stream() << flow.id << ',' << id(flow.src) << ',' << id(flow.dst) << ','
                       << flow.sizeBytes << ',' << flow.startNs << '\n';
        paths.Stream() << flow.id << ',' << id(flow.src);
        for (uint32_t link : scenario.GetPath(i))
        {
            paths.Stream() << '-' << id(topology.GetLink(link).to);
            const auto parallel = DcnParallelLinks(topology, link);
            if (parallel.size() > 1)
            {
                paths.Stream() << ':'
                               << std::find(parallel.begin(), parallel.end(), link) -
                                      parallel.begin();
            }
        }
        paths.Stream() << '\n';
    }
    DcnFileWriter network(folder + "/network.csv");
    network.Stream() << "key,value\n";
    for (const auto& [key, value] : scenario.GetNetworkConfig()->GetKeys())
    {
        network.Stream() << key << ',' << value << '\n';
    }
    for (DcnFileWriter* file : {&nodes, &links, &flows, &paths, &network})
    {
        file->Commit();
    }
}

} // namespace ns3

/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "ns3/dcn-csv.h"
#include "ns3/dcn-error.h"
#include "dcn-scenario-reader.h"
#include "dcn-scenario.h"

#include <algorithm>
#include <filesystem>

namespace ns3
{

namespace
{

/**
 * @param folder scenario directory
 * @param reader of the same directory, for the nodes
 * @return the pins of paths.csv, none if the file is not there
 */
std::unordered_map<uint64_t, DcnScenario::PinnedPath>
ReadPaths(const std::string& folder, const DcnScenarioReader& reader)
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
        DcnScenario::PinnedPath pin{reader.ParsePath(csv.GetText(1), csv.Where()), csv.Where()};
        const uint64_t flow = csv.GetUint(0);
        if (!pinned.emplace(flow, std::move(pin)).second)
        {
            DcnFail(csv.Where(), "flow_id ", flow, " has two paths");
        }
    }
    return pinned;
}

} // namespace

Ptr<const DcnScenario>
DcnReadScenario(const std::string& folder, uint64_t seed)
{
    const DcnScenarioReader reader(folder, seed);
    std::vector<DcnFlow> flows;
    std::vector<uint32_t> lines;
    const std::string path = folder + "/flows.csv";
    DcnCsvReader csv(path, DcnScenarioReader::GetFlowColumns());
    while (csv.FetchRow())
    {
        flows.push_back(reader.ParseFlow(csv));
        lines.push_back(csv.GetLine());
    }
    if (flows.empty())
    {
        DcnFail(path, ": the file has no flow");
    }
    return DcnScenario::Create(reader.GetTopology(),
                               reader.GetNetwork(),
                               std::move(flows),
                               ReadPaths(folder, reader),
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

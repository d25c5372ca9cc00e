/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "dcn-scenario-directory.h"

#include "ns3/dcn-error.h"
#include "ns3/dcn-recipe.h"
#include "ns3/log.h"

#include <algorithm>
#include <filesystem>
#include <set>
#include <sstream>

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("DcnScenarioDirectory");

namespace
{

/**
 * @param folder scenario directory
 * @param reader of the same directory, for the nodes
 * @return the pins of paths.csv, none without the file
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

/**
 * Refuse a directory without paths.csv in which a file has nearly this name: the paths would be
 * others without a word.
 * @param folder scenario directory
 */
void
CheckNames(const std::string& folder)
{
    if (std::filesystem::exists(folder + "/paths.csv"))
    {
        return;
    }
    for (const auto& entry : std::filesystem::directory_iterator(folder))
    {
        const std::filesystem::path& path = entry.path();
        const std::string stem = path.stem().string();
        if (DcnFindNearest(path.extension().string(), {".csv"}) == ".csv" &&
            DcnFindNearest(stem, {"nodes", "links", "flows", "network", "paths"}) == "paths")
        {
            DcnFail(path.string(),
                    ": a scenario directory has no file of this name, did you mean paths.csv?");
        }
    }
}

} // namespace

DcnScenarioReader::DcnScenarioReader(const std::string& folder,
                                     uint64_t seed,
                                     const std::string& networkKeys)
    : m_folder(folder),
      m_seed(seed)
{
    if (!std::filesystem::is_directory(folder))
    {
        DcnFail(folder, ": there is no such scenario directory");
    }
    CheckNames(folder);
    NS_LOG_INFO("scenario directory " << folder << ", seed " << seed);
    m_topology = ReadTopology();
    m_network = ReadNetwork(networkKeys);
}

Ptr<const DcnTopology>
DcnScenarioReader::GetTopology() const
{
    return m_topology;
}

Ptr<const DcnNetworkConfig>
DcnScenarioReader::GetNetwork() const
{
    return m_network;
}

const std::vector<std::string>&
DcnScenarioReader::GetFlowColumns()
{
    static const std::vector<std::string> columns{"flow_id",
                                                  "src",
                                                  "dst",
                                                  "size_bytes",
                                                  "start_ns"};
    return columns;
}

Ptr<DcnTopology>
DcnScenarioReader::ReadTopology()
{
    DcnTopologyBuilder builder;
    DcnCsvReader nodes(m_folder + "/nodes.csv", {"node_id", "kind"});
    while (nodes.FetchRow())
    {
        const std::string& kind = nodes.GetText(1);
        if (kind != "host" && kind != "switch")
        {
            DcnFail(nodes.Where(), "kind must be host or switch, but it is \"", kind, "\"");
        }
        const uint64_t id = nodes.GetUint(0);
        m_index[id] = builder.AddNode(kind == "host" ? DcnNodeKind::HOST : DcnNodeKind::SWITCH,
                                      id,
                                      nodes.Where());
    }
    DcnCsvReader links(m_folder + "/links.csv", {"a", "b", "rate_bps", "delay_ns"});
    while (links.FetchRow())
    {
        const std::string where = links.Where();
        const uint32_t a = FindNode(links.GetUint(0), where);
        const uint32_t b = FindNode(links.GetUint(1), where);
        builder.AddLink(a, b, links.GetUint(2), links.GetInt(3), where);
    }
    try
    {
        return builder.Build();
    }
    catch (const DcnError& error)
    {
        DcnFail(m_folder, ": ", error.what());
    }
}

Ptr<DcnNetworkConfig>
DcnScenarioReader::ReadNetwork(const std::string& networkKeys) const
{
    DcnCsvReader csv(m_folder + "/network.csv", {"key", "value"});

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
        DcnFail(m_folder, "/network.csv: the key \"cc\" is missing");
    }
    // the congestion control is set first, at any position: it determines the allowed keys
    Ptr<DcnNetworkConfig> config = CreateObject<DcnNetworkConfig>();
    config->SetKey("cc", cc, seen["cc"]);
    const std::vector<uint32_t> senders = FindSenders();
    config = DcnNetworkConfig::Preset(cc, m_topology->GetNicRates(senders));
    for (const Assignment& assignment : assignments)
    {
        config->SetKey(assignment.key, assignment.value, assignment.where);
    }
    config->SetKeys(networkKeys);
    std::set<uint64_t> senderRates;
    for (const uint32_t host : senders)
    {
        senderRates.insert(m_topology->GetHostRate(host));
    }
    config->Check({senderRates.begin(), senderRates.end()}, m_folder + "/network.csv: ");
    return config;
}

std::vector<uint32_t>
DcnScenarioReader::FindSenders() const
{
    const std::vector<uint32_t>& all = m_topology->GetHosts();
    if (m_topology->GetNicRates(all).size() == 1)
    {
        return all;
    }
    // idle hosts change nothing
    std::vector<uint32_t> senders;
    DcnCsvReader csv(m_folder + "/flows.csv", GetFlowColumns());
    while (csv.FetchRow())
    {
        senders.push_back(FindNode(csv.GetUint(1), csv.Where()));
    }
    return senders.empty() ? all : senders;
}

uint32_t
DcnScenarioReader::FindNode(uint64_t id, const std::string& where) const
{
    auto node = m_index.find(id);
    if (node == m_index.end())
    {
        DcnFail(where, "node ", id, " is not in nodes.csv");
    }
    return node->second;
}

DcnFlow
DcnScenarioReader::ParseFlow(const DcnCsvReader& csv) const
{
    const std::string where = csv.Where();
    return {csv.GetUint(0),
            FindNode(csv.GetUint(1), where),
            FindNode(csv.GetUint(2), where),
            csv.GetUint(3),
            csv.GetInt(4)};
}

DcnNodePath
DcnScenarioReader::ParsePath(const std::string& text, const std::string& where) const
{
    DcnNodePath path;
    // an additional '-' makes an empty last node visible
    std::istringstream nodes(text + "-");
    for (std::string node; std::getline(nodes, node, '-');)
    {
        const std::size_t colon = node.find(':');
        uint64_t id;
        uint64_t parallel = DcnNodePath::ANY;
        if (!DcnParse(node.substr(0, colon), id) ||
            (colon != std::string::npos && !DcnParse(node.substr(colon + 1), parallel)))
        {
            DcnFail(where, "path must be node ids joined by '-', but it is \"", text, "\"");
        }
        if (colon != std::string::npos && (path.nodes.empty() || parallel >= DcnNodePath::ANY))
        {
            DcnFail(where,
                    "\"",
                    node,
                    path.nodes.empty()
                        ? "\" names a parallel link, but no link leads to the first node"
                        : "\" names a parallel link, but there are not so many");
        }
        path.nodes.push_back(FindNode(id, where));
        path.parallel.push_back(static_cast<uint32_t>(parallel));
    }
    return path;
}

/// Open flows.csv and paths.csv, and make the checks that need flows.
void
DcnScenarioReader::OpenFlows()
{
    m_routing = std::make_unique<DcnRouting>(m_topology, m_seed);
    m_flows = std::make_unique<DcnCsvReader>(m_folder + "/flows.csv", GetFlowColumns());
    const std::string paths = m_folder + "/paths.csv";
    if (std::filesystem::exists(paths))
    {
        m_paths =
            std::make_unique<DcnCsvReader>(paths, std::vector<std::string>{"flow_id", "path"});
        FetchPin();
    }
}

/// Read the next row of paths.csv.
void
DcnScenarioReader::FetchPin()
{
    if (!m_paths->FetchRow())
    {
        m_paths.reset();
    }
}

bool
DcnScenarioReader::FetchFlow(DcnFlow& flow, std::vector<uint32_t>& path)
{
    if (!m_flows)
    {
        OpenFlows();
    }
    if (!m_flows->FetchRow())
    {
        if (m_paths)
        {
            DcnFail(m_paths->Where(),
                    "flow_id ",
                    m_paths->GetUint(0),
                    " is no flow of the scenario, or its path is not in the order of flows.csv, as "
                    "it must be to be read flow by flow");
        }
        return false;
    }
    flow = ParseFlow(*m_flows);
    DcnCheckFlow(*m_topology, flow, [this]() { return m_flows->Where(); });
    if (flow.startNs < m_lastStartNs)
    {
        DcnFail(m_flows->Where(),
                "flow ",
                flow.id,
                " starts at ",
                flow.startNs,
                " ns, before the flow above; flows must be in order of start to be read flow by "
                "flow");
    }
    m_lastStartNs = flow.startNs;
    path.clear();
    if (m_paths && m_paths->GetUint(0) == flow.id)
    {
        const std::string where = m_paths->Where();
        path = DcnPathFromNodes(*m_topology, flow, ParsePath(m_paths->GetText(1), where), where);
        FetchPin();
    }
    else
    {
        m_routing->AppendPath(flow, path);
    }
    return true;
}

Ptr<const DcnScenario>
DcnReadScenario(const std::string& folder, uint64_t seed, const std::string& networkKeys)
{
    const DcnScenarioReader reader(folder, seed, networkKeys);
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
    return DcnScenario::Create(
        reader.GetTopology(),
        reader.GetNetwork(),
        std::move(flows),
        ReadPaths(folder, reader),
        seed,
        [&path, &lines](std::size_t i) { return path + ":" + std::to_string(lines[i]) + ": "; });
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
            DcnFail(folder,
                    "/links.csv: the link between ",
                    id(link.from),
                    " and ",
                    id(link.to),
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
    std::vector<uint32_t> senders;
    for (const DcnFlow& flow : scenario.GetFlows())
    {
        senders.push_back(flow.src);
    }
    std::set<std::string> written;
    for (const auto& [key, value] : scenario.GetNetworkConfig()->GetKeys())
    {
        network.Stream() << key << ',' << value << '\n';
        written.insert(key);
    }
    // the reader begins with the preset: rare keys that it sets, and that are 0 here, are written
    const Ptr<DcnNetworkConfig> preset =
        DcnNetworkConfig::Preset(scenario.GetNetwork().congestionControl,
                                 topology.GetNicRates(senders));
    for (const auto& [key, value] : preset->GetKeys())
    {
        if (written.count(key) == 0)
        {
            network.Stream() << key << ",0\n";
        }
    }
    for (DcnFileWriter* file : {&nodes, &links, &flows, &paths, &network})
    {
        file->Commit();
    }
}

} // namespace ns3

/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "dcn-m3-folder.h"

#include "dcn-hpcc-files.h"
#include "dcn-npy.h"

#include "ns3/dcn-csv.h"
#include "ns3/dcn-error.h"
#include "ns3/log.h"

#include <algorithm>
#include <filesystem>
#include <set>
#include <unordered_map>

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("DcnM3Folder");

namespace
{

/// @return an array of one column; refuses one with more, which would say something else
DcnNpy
ReadColumn(const std::string& path)
{
    DcnNpy array(path);
    if (array.GetNColumns() != 1)
    {
        DcnFail(path,
                " must have one number for each flow, but it has ",
                array.GetNRows(),
                " times ",
                array.GetNColumns());
    }
    return array;
}

} // namespace

DcnM3Folder::DcnM3Folder(const std::string& folder, const std::string& simulation)
    : m_folder(folder),
      m_simulation(simulation)
{
    static const std::string PREFIX = "fct_";
    static const std::string SUFFIX = ".npy";
    std::error_code error;
    if (!std::filesystem::is_directory(folder, error))
    {
        DcnFail(folder, " is no folder of data of m3 or m4", DcnDescribeFileError(folder, 0));
    }
    std::set<std::string> names;
    for (const auto& each : std::filesystem::directory_iterator(folder))
    {
        const std::string name = each.path().filename().string();
        const std::size_t nAround = PREFIX.size() + SUFFIX.size();
        // fct_i_NAME has ideal completion times, and fct_flowsim those of another simulator
        if (name.size() > nAround && name.rfind(PREFIX, 0) == 0 &&
            name.substr(name.size() - SUFFIX.size()) == SUFFIX && name.rfind("fct_i_", 0) != 0 &&
            name.rfind("fct_flowsim", 0) != 0)
        {
            names.insert(name.substr(PREFIX.size(), name.size() - nAround));
        }
    }
    std::string list;
    for (const std::string& name : names)
    {
        list += (list.empty() ? "" : ", ") + name;
    }
    if (names.empty())
    {
        DcnFail(folder, " has no fct_NAME.npy: it is no folder of data of m3 or m4");
    }
    if (simulation.empty() && names.size() > 1)
    {
        DcnFail(folder, " has several simulations: choose one by --simulation=NAME of ", list);
    }
    if (!simulation.empty() && names.count(simulation) == 0)
    {
        DcnFail(folder, " has no simulation \"", simulation, "\", but ", list);
    }
    m_simulation = simulation.empty() ? *names.begin() : simulation;
    NS_LOG_INFO(folder << " has " << names.size() << " simulations");
}

const std::string&
DcnM3Folder::GetSimulation() const
{
    return m_simulation;
}

std::string
DcnM3Folder::Find(const std::string& name) const
{
    const std::string path = m_folder + "/" + name;
    std::error_code error;
    if (!std::filesystem::is_regular_file(path, error))
    {
        return "";
    }
    m_used.insert(name);
    return path;
}

std::string
DcnM3Folder::FindConfig() const
{
    std::string path = Find("config_" + m_simulation + ".txt");
    const std::size_t seed = m_simulation.rfind("_s");
    if (path.empty() && seed != std::string::npos)
    {
        path = Find("config_" + m_simulation.substr(0, seed) + "_flows" +
                    m_simulation.substr(seed) + ".txt");
    }
    // m4 has the congestion control behind the name: topology_flows_dctcp
    return path.empty() ? Find("config_" + m_simulation.substr(0, m_simulation.rfind('_')) + ".txt")
                        : path;
}

std::string
DcnM3Folder::FindTopology() const
{
    return Find("topology.txt");
}

Ptr<DcnTopology>
DcnM3Folder::CreateTopology() const
{
    static const std::string NAME = "topo-pl-";
    static constexpr uint64_t MOST = 7; // hosts of these parking lots
    const std::size_t at = m_simulation.find(NAME);
    const std::string digits = at == std::string::npos ? "" : m_simulation.substr(at + NAME.size());
    uint64_t n = 0;
    if (!DcnParse(digits.substr(0, digits.find_first_not_of("0123456789")), n) || n < 3 ||
        n > MOST || n % 2 == 0)
    {
        DcnFail(m_folder,
                ": the simulation ",
                m_simulation,
                " has no parking lot topo-pl-3, topo-pl-5 or topo-pl-7 in its name, and there is "
                "no topology.txt: give its topology file by --topology");
    }
    DcnTopologyBuilder topology;
    for (uint64_t i = 0; i < n; ++i)
    {
        topology.AddNode(DcnNodeKind::HOST);
    }
    const uint64_t nSwitches = n - 2;
    for (uint64_t i = 0; i < nSwitches; ++i)
    {
        topology.AddNode(DcnNodeKind::SWITCH);
    }
    auto ofSwitch = [n](uint64_t i) { return static_cast<uint32_t>(n + i); };
    const DataRate ofHost("10Gbps");
    const Time delay = MicroSeconds(1);
    topology.AddLink(0, ofSwitch(0), ofHost, delay);
    for (uint64_t i = 0; i < nSwitches; ++i)
    {
        const uint64_t fromEnd = std::min(i, nSwitches - 1 - i);
        topology.AddLink(static_cast<uint32_t>(i + 1),
                         ofSwitch(i),
                         DataRate("100000Gbps"),
                         MicroSeconds(1 + fromEnd));
        if (i + 1 < nSwitches)
        {
            topology.AddLink(ofSwitch(i), ofSwitch(i + 1), DataRate("40Gbps"), delay);
        }
    }
    topology.AddLink(static_cast<uint32_t>(n - 1), ofSwitch(nSwitches - 1), ofHost, delay);
    return topology.Build();
}

std::vector<uint64_t>
DcnM3Folder::ReadPositions(uint64_t nAll) const
{
    std::vector<uint64_t> positions;
    const std::string path = Find("fid_" + m_simulation + ".npy");
    if (path.empty())
    {
        for (uint64_t i = 0; i < nAll; ++i)
        {
            positions.push_back(i);
        }
        return positions;
    }
    const DcnNpy ids = ReadColumn(path);
    std::set<uint64_t> seen;
    for (std::size_t i = 0; i < ids.GetNRows(); ++i)
    {
        if (nAll == 0)
        {
            DcnFail(path, " has flows, but fsize.npy has none");
        }
        const auto id = static_cast<uint64_t>(
            ids.GetWhole(i, 0, "number of a flow", 0, static_cast<int64_t>(nAll) - 1));
        if (!seen.insert(id).second)
        {
            DcnFail(path, ": flow ", id, " comes twice");
        }
        positions.push_back(id);
    }
    return positions;
}

std::unordered_map<uint64_t, DcnFlow>
DcnM3Folder::ReadEnds(const DcnTopology& topology, const DcnNpy& sizes, DcnHpccFiles& files) const
{
    std::unordered_map<uint64_t, DcnFlow> flows;
    const std::string array = Find("fsd.npy").empty() ? Find("flow_src_dst.npy") : Find("fsd.npy");
    if (array.empty())
    {
        const std::string path = m_folder + "/flows.txt";
        if (Find("flows.txt").empty())
        {
            DcnFail(m_folder,
                    " has neither fsd.npy nor flow_src_dst.npy nor flows.txt, which have the hosts "
                    "of flows");
        }
        for (const DcnFlow& flow : files.ReadFlows(path, topology))
        {
            const uint64_t inArray =
                flow.id < sizes.GetNRows()
                    ? static_cast<uint64_t>(
                          sizes.GetWhole(flow.id, 0, "size", 1, DcnScenario::MAX_SIZE_BYTES))
                    : 0;
            if (inArray != flow.sizeBytes)
            {
                DcnFail(path,
                        ": flow ",
                        flow.id,
                        " has ",
                        flow.sizeBytes,
                        " bytes, but ",
                        inArray > 0 ? std::to_string(inArray) : "no size",
                        " in fsize.npy");
            }
            flows[flow.id] = flow;
        }
        return flows;
    }
    const DcnNpy ends(array);
    if (ends.GetNRows() != sizes.GetNRows() || ends.GetNColumns() != 2)
    {
        DcnFail(array,
                " must have two columns, source and destination, and a row for each of the ",
                sizes.GetNRows(),
                " flows of fsize.npy, but it has ",
                ends.GetNRows(),
                " times ",
                ends.GetNColumns());
    }
    std::unordered_map<uint64_t, uint32_t> nodes;
    for (uint32_t node = 0; node < topology.GetNNodes(); ++node)
    {
        nodes[topology.GetExternalId(node)] = node;
    }
    for (const uint64_t i : ReadPositions(sizes.GetNRows()))
    {
        DcnFlow& flow = flows[i];
        for (std::size_t end = 0; end < 2; ++end)
        {
            const int64_t id = ends.GetWhole(i, end, "number of a host", 0, UINT32_MAX);
            const auto node = nodes.find(static_cast<uint64_t>(id));
            if (node == nodes.end())
            {
                DcnFail(array, ": flow ", i, " names node ", id, ", which the topology has not");
            }
            (end == 0 ? flow.src : flow.dst) = node->second;
        }
        DcnCheckFlow(topology, {i, flow.src, flow.dst, 1, 0}, [&]() { return array + ": "; });
    }
    return flows;
}

std::vector<DcnFlow>
DcnM3Folder::ReadFlows(const DcnTopology& topology, DcnHpccFiles& files) const
{
    m_used.insert({"fsize.npy", "fat.npy"});
    const DcnNpy sizes = ReadColumn(m_folder + "/fsize.npy");
    const DcnNpy starts = ReadColumn(m_folder + "/fat.npy");
    if (starts.GetNRows() != sizes.GetNRows())
    {
        DcnFail(m_folder,
                ": fsize.npy has ",
                sizes.GetNRows(),
                " flows and fat.npy ",
                starts.GetNRows(),
                ": they must be as many");
    }
    const std::unordered_map<uint64_t, DcnFlow> ends = ReadEnds(topology, sizes, files);
    std::vector<DcnFlow> flows;
    for (const uint64_t i : ReadPositions(sizes.GetNRows()))
    {
        const auto found = ends.find(i);
        if (found == ends.end())
        {
            DcnFail(m_folder, "/flows.txt has no flow ", i, ", which fsize.npy has");
        }
        const auto size =
            static_cast<uint64_t>(sizes.GetWhole(i, 0, "size", 1, DcnScenario::MAX_SIZE_BYTES));
        flows.push_back({i,
                         found->second.src,
                         found->second.dst,
                         size,
                         starts.GetWhole(i, 0, "start", 0, DcnScenario::MAX_TIME_NS)});
    }
    std::stable_sort(flows.begin(), flows.end(), [](const DcnFlow& a, const DcnFlow& b) {
        return a.startNs < b.startNs;
    });
    return flows;
}

std::string
DcnM3Folder::DescribeUnused() const
{
    return DcnDescribeUnusedFiles(m_folder, m_used);
}

std::vector<std::pair<uint64_t, int64_t>>
DcnM3Folder::ReadTruth() const
{
    const std::string fctPath = m_folder + "/fct_" + m_simulation + ".npy";
    const DcnNpy fct = ReadColumn(fctPath);
    m_used.insert("fct_" + m_simulation + ".npy");
    const auto positions = ReadPositions(ReadColumn(m_folder + "/fsize.npy").GetNRows());
    if (positions.size() != fct.GetNRows())
    {
        DcnFail(fctPath,
                " has ",
                fct.GetNRows(),
                " completion times, but the simulation has ",
                positions.size(),
                " flows");
    }
    std::vector<std::pair<uint64_t, int64_t>> truth;
    for (std::size_t i = 0; i < positions.size(); ++i)
    {
        truth.emplace_back(positions[i],
                           fct.GetWhole(i, 0, "completion time", 1, DcnScenario::MAX_TIME_NS));
    }
    return truth;
}

void
DcnM3Folder::WriteTruth(const std::string& path) const
{
    const auto truth = ReadTruth();
    DcnFileWriter csv(path);
    csv.Stream() << "flow_id,fct_ns\n";
    for (const auto& [flow, fctNs] : truth)
    {
        csv.Stream() << flow << ',' << fctNs << '\n';
    }
    csv.Commit();
}

} // namespace ns3

/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "dcn-train-network-options.h"

#include "ns3/dcn-command-line.h"
#include "ns3/dcn-csv.h"
#include "ns3/dcn-error.h"
#include "ns3/dcn-flow-network-helper.h"
#include "ns3/dcn-hpcc-files.h"
#include "ns3/dcn-recipe.h"
#include "ns3/dcn-train-lines.h"

namespace ns3
{

namespace
{

/// @return the rate of an option
DataRate
ReadRate(const char* option, const std::string& text)
{
    DataRate rate;
    if (!DcnParseRate(text, rate) || rate.GetBitRate() == 0)
    {
        DcnFail("--", option, " must be a rate such as 400Gbps, but it is \"", text, "\"");
    }
    return rate;
}

} // namespace

DcnTrainNetworkOptions::DcnTrainNetworkOptions()
    : m_engines("packet,flowsim:Acknowledgements=true,m4")
{
    m_fabric.servers = 0;
}

void
DcnTrainNetworkOptions::AddTo(CommandLine& cmd)
{
    m_scenario.AddTo(cmd, {{"topology", "fat-tree"}, {"hostRate", "100Gbps"}});
    DcnAddText(cmd,
               "topologyFile",
               "Topology file of HPCC, ASTRA-sim or SimAI, in place of --topology",
               m_topologyFile);
    cmd.AddValue("servers", "Servers of a rail-optimised fabric; 0: --topology", m_fabric.servers);
    cmd.AddValue("accelerators", "Accelerators of a server", m_fabric.accelerators);
    cmd.AddValue("serversPerPod", "Servers that share leaves; 0: all", m_fabric.serversPerPod);
    cmd.AddValue("planes", "Planes of the fabric", m_fabric.planes);
    cmd.AddValue("spines", "Spines of a plane; 0: rails alone", m_fabric.spines);
    DcnAddText(cmd, "scaleUpRate", "Rate of an accelerator within its server", m_scaleUpRate);
    DcnAddText(cmd, "nicRate", "Rate of an accelerator's NIC, over all planes", m_nicRate);
    DcnAddText(cmd,
               "engine",
               "packet, flowsim or m4, joined by commas; with attributes: m4:Model=FOLDER",
               m_engines);
}

std::string
DcnTrainNetworkOptions::DescribeFabric(const DcnTrainFabric& fabric)
{
    const auto gbps = [](const DataRate& rate) {
        return DcnToText(static_cast<double>(rate.GetBitRate()) / 1e9) + " Gb/s";
    };
    const uint32_t nics = fabric.serversPerPod > 0 ? fabric.serversPerPod : fabric.servers;
    return "note: " + std::to_string(fabric.servers) + " servers of " +
           std::to_string(fabric.accelerators) + " accelerators; scale-up links of " +
           gbps(fabric.scaleUpRate) + ", NICs of " + gbps(fabric.nicRate) +
           (fabric.spines > 0 ? "; a leaf has links to " + std::to_string(fabric.spines) +
                                    " spines for " + std::to_string(nics) + " servers"
                              : "; rails have no spines");
}

DcnTrainNetworkOptions::Network
DcnTrainNetworkOptions::Create() const
{
    for (const char* name : {"sizes", "matrix", "load", "sigma", "duration", "flows", "loadRule"})
    {
        if (!m_scenario.GetList(name).empty())
        {
            DcnFail("--", name, " has no effect: the graph has the messages");
        }
    }
    DcnTrainFabric fabric = m_fabric;
    fabric.scaleUpRate = ReadRate("scaleUpRate", m_scaleUpRate);
    fabric.nicRate = ReadRate("nicRate", m_nicRate);
    fabric.spineRate = fabric.nicRate;
    const bool hasFabric = fabric.servers > 0;
    const bool hasFile = !m_topologyFile.empty() || !m_configFile.empty();
    const std::string fileName = m_configFile.empty() ? "the topology file " + m_topologyFile
                                                      : "the configuration " + m_configFile;
    if (!hasFabric && !hasFile)
    {
        const auto parts = m_scenario.CreateParts();
        return {parts.topology,
                parts.network,
                {"note: each host is an accelerator: messages between accelerators of a server "
                 "cross the network, too (--servers makes servers with a scale-up tier)"}};
    }
    if (hasFabric && hasFile)
    {
        DcnFail("--servers has no effect with ", fileName);
    }
    for (const char* name : {"scenario",
                             "topology",
                             "pods",
                             "racksPerPod",
                             "hostsPerRack",
                             "fabricsPerPod",
                             "spinesPerPlane",
                             "hostRate",
                             "fabricRate",
                             "linkDelay",
                             "preset"})
    {
        if (!m_scenario.GetList(name).empty())
        {
            DcnFail("--", name, " has no effect with ", hasFabric ? "--servers" : fileName);
        }
    }
    DcnHpccFiles files;
    DcnHpccFiles::Config file;
    file.topology = m_topologyFile;
    const auto cc = m_scenario.GetList("cc");
    file.congestionControl = cc.empty() ? "" : cc[0];
    if (!m_configFile.empty())
    {
        file = files.ReadConfig(m_configFile, file.congestionControl, false);
        if (file.topology.empty() || file.congestionControl.empty())
        {
            DcnFail(m_configFile,
                    file.topology.empty() ? ": there is no TOPOLOGY_FILE: name one, or give a "
                                            "topology file in place of this file"
                                          : ": there is no CC_MODE: give --cc");
        }
    }
    const Ptr<DcnTopology> topology =
        hasFabric ? fabric.Build() : files.ReadTopology(file.topology);
    const Ptr<DcnNetworkConfig> config =
        DcnNetworkConfig::Preset(file.congestionControl.empty() ? "dctcp" : file.congestionControl,
                                 topology->GetNicRates(topology->GetHosts()));
    std::string keys;
    for (const std::string& each : m_scenario.GetList("network"))
    {
        keys += (keys.empty() ? "" : ",") + each;
    }
    if (m_configFile.empty())
    {
        config->SetKeys(keys);
    }
    else
    {
        files.Apply(file, *topology, *config, keys);
    }
    std::vector<std::string> notes = files.DescribeUnused();
    if (hasFabric)
    {
        notes.push_back(DescribeFabric(fabric));
    }
    return {topology, config, notes};
}

std::vector<std::string>
DcnTrainNetworkOptions::GetEngines() const
{
    const std::vector<std::string> engines = DcnSplit(m_engines, ',');
    if (engines.empty())
    {
        DcnFail("--engine must name packet, flowsim or m4");
    }
    for (const std::string& engine : engines)
    {
        DcnFlowNetworkHelper check(engine); // before anything runs
    }
    return engines;
}

void
DcnTrainNetworkOptions::SetNetworkFile(const std::string& path)
{
    DcnTrainLines lines(path, DcnTrainLines::CONFIG);
    uint64_t nNodes = 0; // a topology file begins with it
    const bool isTopology = lines.Next() && DcnParse(lines.words[0], nNodes);
    m_topologyFile = isTopology ? path : "";
    m_configFile = isTopology ? "" : path;
}

} // namespace ns3

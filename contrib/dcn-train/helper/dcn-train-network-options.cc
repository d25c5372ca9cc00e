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

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>

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

/// @return the time of an option
Time
ReadTime(const char* option, const std::string& text)
{
    Time time;
    if (!DcnParseTime(text, time))
    {
        DcnFail("--", option, " must be a time such as 1us, but it is \"", text, "\"");
    }
    return time;
}

} // namespace

DcnTrainNetworkOptions::DcnTrainNetworkOptions(const std::string& engines)
    : m_engines(engines)
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
    cmd.AddValue("servers", "Servers of a fabric of its own; 0: --topology", m_fabric.servers);
    cmd.AddValue("accelerators", "Accelerators of a server", m_fabric.accelerators);
    cmd.AddValue("serversPerPod", "Servers that share leaves; 0: all", m_fabric.serversPerPod);
    cmd.AddValue("planes", "Planes of the fabric", m_fabric.planes);
    cmd.AddValue("spines", "Spines of a plane; 0: rails alone", m_fabric.spines);
    cmd.AddValue("rails",
                 "With servers: a leaf has accelerators of one rail; false: all of its pod",
                 m_fabric.rails);
    DcnAddText(cmd, "scaleUpRate", "Rate of an accelerator within its server", m_scaleUpRate);
    DcnAddText(cmd, "nicRate", "Rate of an accelerator's NIC, over all planes", m_nicRate);
    DcnAddText(cmd,
               "spineRate",
               "Rate of a link between leaf and spine; that of NICs without it",
               m_spineRate);
    DcnAddText(cmd, "scaleUpDelay", "Delay of a link within a server", m_scaleUpDelay);
    DcnAddText(cmd, "hostLatency", "Time of hosts and NICs for each message", m_hostLatency);
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
           (fabric.spines > 0 ? "; a leaf has links of " + gbps(fabric.spineRate) + " to " +
                                    std::to_string(fabric.spines) + " spines for " +
                                    std::to_string(nics) + " servers"
                              : "; rails have no spines") +
           (fabric.rails ? "" : "; a leaf has all accelerators of a server");
}

DcnTrainNetworkOptions::Network
DcnTrainNetworkOptions::Create() const
{
    const DcnTrainFabric fabric = MakeFabric();
    const bool hasFabric = fabric.servers > 0;
    const bool hasFile = !DescribeFile().empty();
    const Time hostLatency = ReadHostLatency(); // before the network takes time and memory
    Network network;
    if (!hasFabric && !hasFile)
    {
        const auto parts = m_scenario.CreateParts();
        network.topology = parts.topology;
        network.config = parts.network;
        network.notes = {
            "note: each host is an accelerator: messages between accelerators of a server "
            "cross the network, too (--servers makes servers with a scale-up tier)"};
    }
    else
    {
        network = CreateFabricOrFile();
    }
    network.hostLatency = hostLatency;
    const std::string ignored = IsFluid(*network.config) ? DescribeIgnored() : "";
    if (!ignored.empty())
    {
        network.notes.push_back("ignored by flowsim: " + ignored);
    }
    const auto nHosts = static_cast<uint32_t>(network.topology->GetHosts().size());
    for (uint32_t host = 0; host < nHosts; ++host)
    {
        network.servers.serverOf.push_back(hasFabric ? host / m_fabric.accelerators : host);
    }
    const uint64_t hostBps = network.topology->GetSlowestHostRate();
    const DataRate nicRate = hasFabric ? fabric.nicRate : DataRate(hostBps);
    network.servers.nicGbps = static_cast<double>(nicRate.GetBitRate()) / 1e9;
    network.servers.scaleUpGbps =
        hasFabric ? static_cast<double>(fabric.scaleUpRate.GetBitRate()) / 1e9 : 0;
    return network;
}

std::vector<DcnOptionEffect>
DcnTrainNetworkOptions::GetEffects() const
{
    const bool hasFabric = m_fabric.servers > 0;
    const std::string file = DescribeFile();
    const std::string other = hasFabric ? "with --servers" : "with " + file;
    return {{{"sizes", "matrix", "load", "sigma", "duration", "flows", "loadRule"},
             false,
             "beside the messages of the graph"},
            {{"seed"}, m_scenario.IsDrawn(), "beside the messages of the graph"},
            {{"servers"}, file.empty(), "with " + file},
            {{"scaleUpRate",
              "scaleUpDelay",
              "nicRate",
              "spineRate",
              "accelerators",
              "serversPerPod",
              "planes",
              "spines",
              "rails"},
             hasFabric,
             "without --servers"},
            {{"spineRate"}, m_fabric.spines > 0, "with --spines=0: rails have no spines"},
            {{"scaleUpRate", "scaleUpDelay"},
             m_fabric.accelerators > 1,
             "with --accelerators=1: nothing is within a server"},
            {{"scenario",
              "topology",
              "pods",
              "racksPerPod",
              "hostsPerRack",
              "fabricsPerPod",
              "spinesPerPlane",
              "hostRate",
              "fabricRate",
              "preset",
              "draw"},
             !hasFabric && file.empty(),
             other},
            {{"linkDelay"}, file.empty(), other}};
}

std::string
DcnTrainNetworkOptions::DescribeFile() const
{
    return !m_configFile.empty()     ? "the configuration " + m_configFile
           : !m_topologyFile.empty() ? "the topology file " + m_topologyFile
                                     : "";
}

Time
DcnTrainNetworkOptions::ReadHostLatency() const
{
    const Time time = ReadTime("hostLatency", m_hostLatency);
    if (time.IsStrictlyNegative() || time > Seconds(1))
    {
        DcnFail("--hostLatency must be from 0 to 1s, but it is ", m_hostLatency);
    }
    return time;
}

DcnTrainFabric
DcnTrainNetworkOptions::MakeFabric() const
{
    DcnTrainFabric fabric = m_fabric;
    fabric.scaleUpRate = ReadRate("scaleUpRate", m_scaleUpRate);
    fabric.nicRate = ReadRate("nicRate", m_nicRate);
    fabric.spineRate = m_spineRate.empty() ? fabric.nicRate : ReadRate("spineRate", m_spineRate);
    fabric.scaleUpDelay = ReadTime("scaleUpDelay", m_scaleUpDelay);
    const auto delays = m_scenario.GetList("linkDelay");
    if (!delays.empty())
    {
        fabric.linkDelay = ReadTime("linkDelay", delays[0]);
    }
    return fabric;
}

bool
DcnTrainNetworkOptions::IsFluid(const DcnNetworkParameters& network) const
{
    const auto engines = DcnSplitValues("engine", m_engines);
    return network.initialWindowBytes == 0 &&
           std::all_of(engines.begin(), engines.end(), [](const std::string& engine) {
               return engine.substr(0, engine.find(':')) == "flowsim" &&
                      engine.find("WindowCap") == std::string::npos;
           });
}

std::string
DcnTrainNetworkOptions::DescribeIgnored() const
{
    // keys that rates and ideal completion times depend on
    static const std::set<std::string> read = {"payload_bytes",
                                               "header_bytes",
                                               "max_rate_bps",
                                               "handshake_rtts",
                                               "initial_window_bytes",
                                               "slow_start_bytes",
                                               "window_growth_divisor",
                                               "load_balancing",
                                               "time_grain_ns"};
    const auto cc = m_scenario.GetList("cc");
    std::string text = cc.empty() ? "" : "--cc=" + cc[0];
    for (const std::string& each : m_scenario.GetList("network"))
    {
        if (read.count(each.substr(0, each.find('='))) == 0)
        {
            text += (text.empty() ? "--network=" : ", --network=") + each;
        }
    }
    return text;
}

DcnTrainNetworkOptions::Network
DcnTrainNetworkOptions::CreateFabricOrFile() const
{
    const bool hasFabric = m_fabric.servers > 0;
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
        hasFabric ? MakeFabric().Build() : files.ReadTopology(file.topology);
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
        notes.push_back(DescribeFabric(MakeFabric()));
    }
    Network network;
    network.topology = topology;
    network.config = config;
    network.notes = notes;
    return network;
}

double
DcnTrainNetworkOptions::GetTimeUs(const std::string& name) const
{
    const auto delays = m_scenario.GetList("linkDelay");
    const Time time = name == "hostLatency" ? ReadHostLatency()
                      : delays.empty()      ? MicroSeconds(1)
                                            : ReadTime("linkDelay", delays[0]);
    return static_cast<double>(time.GetNanoSeconds()) / 1000;
}

std::string
DcnTrainNetworkOptions::GetNicRate(double factor) const
{
    const auto rates = m_scenario.GetList("hostRate");
    const DataRate rate = m_fabric.servers > 0 ? ReadRate("nicRate", m_nicRate)
                          : rates.empty()      ? DataRate("100Gbps")
                                               : ReadRate("hostRate", rates[0]);
    return std::to_string(std::llround(static_cast<double>(rate.GetBitRate()) * factor)) + "bps";
}

void
DcnTrainNetworkOptions::SetParameter(const std::string& name, double value)
{
    const std::string time = std::to_string(std::llround(value * 1000)) + "ns";
    if (name == "hostLatency")
    {
        m_hostLatency = time;
    }
    else if (name == "linkDelay")
    {
        m_scenario.Set("linkDelay", time);
    }
    else if (m_fabric.servers > 0)
    {
        m_spineRate = m_spineRate.empty() ? m_nicRate : m_spineRate;
        m_nicRate = GetNicRate(value);
    }
    else
    {
        m_scenario.Set("hostRate", GetNicRate(value));
    }
}

std::string
DcnTrainNetworkOptions::DescribeParameter(const std::string& name, double value) const
{
    return name == "nicEfficiency"
               ? (m_fabric.servers > 0 ? "--nicRate=" : "--hostRate=") + GetNicRate(value)
               : "--" + name + "=" + std::to_string(std::llround(value * 1000)) + "ns";
}

std::vector<std::string>
DcnTrainNetworkOptions::GetEngines() const
{
    const std::vector<std::string> engines = DcnSplitValues("engine", m_engines);
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

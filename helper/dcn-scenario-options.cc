/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "dcn-scenario-options.h"

#include "dcn-command-line.h"
#include "dcn-topology-helper.h"

#include "ns3/dcn-csv.h"
#include "ns3/dcn-error.h"
#include "ns3/dcn-random.h"
#include "ns3/dcn-scenario-directory.h"

#include <algorithm>
#include <limits>
#include <sstream>

namespace ns3
{

namespace
{

/// An option and what it means.
struct Option
{
    const char* name; //!< without dashes
    const char* help; //!< one line
};

const Option OPTIONS[] = {
    {"scenario", "Scenario directory; instead of all other options but --seed"},
    {"topology", "fabric (default), leaf-spine, fat-tree, dumbbell or parking-lot"},
    {"pods", "Pods of a fabric (default 2); k of a k-ary fat tree (default 4)"},
    {"racksPerPod", "Racks per pod (4); leaves (8); switches of a parking lot (4)"},
    {"hostsPerRack", "Hosts per rack (4); per side of a dumbbell (10); per switch (1)"},
    {"fabricsPerPod", "Fabric switches per pod, and planes (2)"},
    {"spinesPerPlane", "Spines per plane (2); spines of a leaf-spine network (2)"},
    {"hostRate", "Rate of the hosts' links (10Gbps); of all links of a fat tree"},
    {"fabricRate", "Rate of links between switches (40Gbps; dumbbell, parking lot 10Gbps)"},
    {"linkDelay", "Propagation delay of every link (1us)"},
    {"sizes", "Flow sizes: a name, NAME:PARAMETER or a CSV (web-server)"},
    {"matrix", "Traffic matrix: a name or a CSV (uniform)"},
    {"load", "Payload load of the most loaded link, between 0 and 1 (0.5)"},
    {"sigma", "Shape of log-normal gaps between flows; 0: Poisson (0)"},
    {"flows", "Number of flows (2000)"},
    {"duration", "Time in which flows start, such as 20ms; instead of --flows"},
    {"seed", "Seed of everything random: flows, ECMP paths, marking (1)"},
    {"cc", "Congestion control: dctcp, dcqcn, timely or hpcc (dctcp)"},
    {"preset", "Parameters of the congestion control: evaluation or paper (evaluation)"},
    {"network", "Network configuration as key=value,... with the keys of network.csv"},
};

} // namespace

void
DcnScenarioOptions::AddTo(CommandLine& cmd)
{
    for (const Option& option : OPTIONS)
    {
        DcnAddText(cmd, option.name, option.help, m_values[option.name]);
    }
}

const std::optional<DcnLoadReport>&
DcnScenarioOptions::GetLoadReport() const
{
    return m_loadReport;
}

std::string
DcnScenarioOptions::Get(const std::string& name, const std::string& defaultValue) const
{
    m_used.push_back(name);
    auto value = m_values.find(name);
    return value == m_values.end() || value->second.empty() ? defaultValue : value->second;
}

uint64_t
DcnScenarioOptions::GetUint(const std::string& name, uint64_t defaultValue, uint64_t largest) const
{
    const std::string text = Get(name, "");
    uint64_t value = defaultValue;
    if (!text.empty() && (!DcnParse(text, value) || value > largest))
    {
        DcnFail("--", name, " must be a whole number up to ", largest, ", but it is \"", text,
                "\"");
    }
    return value;
}

double
DcnScenarioOptions::GetDouble(const std::string& name, double defaultValue) const
{
    const std::string text = Get(name, "");
    double value = defaultValue;
    if (!text.empty() && !DcnParse(text, value))
    {
        DcnFail("--", name, " must be a number, but it is \"", text, "\"");
    }
    return value;
}

DataRate
DcnScenarioOptions::GetRate(const std::string& name, DataRate defaultValue) const
{
    const std::string text = Get(name, "");
    if (text.empty())
    {
        return defaultValue;
    }
    DataRateValue value;
    const bool hasUnit = text.find_first_not_of("0123456789.") != std::string::npos;
    if (!hasUnit || !value.DeserializeFromString(text, MakeDataRateChecker()) ||
        value.Get().GetBitRate() == 0)
    {
        DcnFail("--", name, " must be a rate such as 10Gbps, but it is \"", text, "\"");
    }
    return value.Get();
}

Time
DcnScenarioOptions::GetTime(const std::string& name, Time defaultValue) const
{
    const std::string text = Get(name, "");
    if (text.empty())
    {
        return defaultValue;
    }
    // ns-3 ends the program at a unit that it does not know
    const std::size_t unit = text.find_first_not_of("0123456789.");
    double number;
    if (unit == std::string::npos || !DcnParse(text.substr(0, unit), number) ||
        (text.substr(unit) != "ns" && text.substr(unit) != "us" && text.substr(unit) != "ms" &&
         text.substr(unit) != "s"))
    {
        DcnFail("--", name, " must be a time such as 1us, but it is \"", text, "\"");
    }
    const Time time(text);
    if (time.IsZero() && number > 0)
    {
        DcnFail("--", name, "=", text, " is less than a nanosecond");
    }
    return time;
}

Ptr<DcnTopology>
DcnScenarioOptions::CreateTopology() const
{
    const uint64_t most = std::numeric_limits<uint32_t>::max();
    auto count = [this, most](const char* name, uint32_t defaultValue) {
        return static_cast<uint32_t>(GetUint(name, defaultValue, most));
    };
    const std::string kind = Get("topology", "fabric");
    if (kind == "fabric")
    {
        DcnFabricParameters p;
        p.pods = count("pods", p.pods);
        p.racksPerPod = count("racksPerPod", p.racksPerPod);
        p.hostsPerRack = count("hostsPerRack", p.hostsPerRack);
        p.fabricsPerPod = count("fabricsPerPod", p.fabricsPerPod);
        p.spinesPerPlane = count("spinesPerPlane", p.spinesPerPlane);
        p.hostRate = GetRate("hostRate", p.hostRate);
        p.fabricRate = GetRate("fabricRate", p.fabricRate);
        p.linkDelay = GetTime("linkDelay", p.linkDelay);
        return DcnTopologyHelper::Create(p);
    }
    if (kind == "leaf-spine")
    {
        DcnLeafSpineParameters p;
        p.racks = count("racksPerPod", p.racks);
        p.hostsPerRack = count("hostsPerRack", p.hostsPerRack);
        p.spines = count("spinesPerPlane", p.spines);
        p.hostRate = GetRate("hostRate", p.hostRate);
        p.fabricRate = GetRate("fabricRate", p.fabricRate);
        p.linkDelay = GetTime("linkDelay", p.linkDelay);
        return DcnTopologyHelper::Create(p);
    }
    if (kind == "fat-tree")
    {
        DcnFatTreeParameters p;
        p.k = count("pods", p.k);
        p.linkRate = GetRate("hostRate", p.linkRate);
        p.linkDelay = GetTime("linkDelay", p.linkDelay);
        return DcnTopologyHelper::Create(p);
    }
    if (kind == "dumbbell")
    {
        DcnDumbbellParameters p;
        p.senders = p.receivers = count("hostsPerRack", 10);
        p.edgeRate = GetRate("hostRate", p.edgeRate);
        p.bottleneckRate = GetRate("fabricRate", p.bottleneckRate);
        p.linkDelay = GetTime("linkDelay", p.linkDelay);
        return DcnTopologyHelper::Create(p);
    }
    if (kind == "parking-lot")
    {
        DcnParkingLotParameters p;
        p.switches = count("racksPerPod", p.switches);
        p.hostsPerSwitch = count("hostsPerRack", p.hostsPerSwitch);
        p.hostRate = GetRate("hostRate", p.hostRate);
        p.switchRate = GetRate("fabricRate", p.switchRate);
        p.linkDelay = GetTime("linkDelay", p.linkDelay);
        return DcnTopologyHelper::Create(p);
    }
    DcnFail("--topology must be fabric, leaf-spine, fat-tree, dumbbell or parking-lot, but it is "
            "\"", kind, "\"");
}

void
DcnScenarioOptions::CheckAllUsed() const
{
    for (const auto& [name, value] : m_values)
    {
        if (!value.empty() && std::find(m_used.begin(), m_used.end(), name) == m_used.end())
        {
            const std::string scenario = m_values.at("scenario");
            DcnFail("--", name, "=", value, " has no effect ",
                    scenario.empty() ? "on --topology=" + Get("topology", "fabric")
                                     : "on --scenario=" + scenario);
        }
    }
}

std::vector<std::string>
DcnScenarioOptions::GetList(const std::string& option) const
{
    std::vector<std::string> names;
    std::istringstream parts(Get(option, ""));
    for (std::string name; std::getline(parts, name, ',');)
    {
        if (std::find(names.begin(), names.end(), name) != names.end())
        {
            DcnFail("--", option, " names \"", name, "\" twice");
        }
        names.push_back(name);
    }
    return names;
}

void
DcnScenarioOptions::Set(const std::string& name, const std::string& value)
{
    m_values[name] = value;
}

DcnScenarioOptions::Parts
DcnScenarioOptions::CreateParts(const std::string& congestionControl) const
{
    m_used.clear();
    if (!Get("scenario", "").empty())
    {
        DcnFail("--scenario=", Get("scenario", ""),
                " has flows of its own, but here flows are drawn again and again");
    }
    if (!Get("duration", "").empty() && !Get("flows", "").empty())
    {
        DcnFail("--flows=", Get("flows", ""), " and --duration=", Get("duration", ""),
                " cannot be given together");
    }
    const std::string cc = Get("cc", "dctcp");
    Ptr<DcnTopology> topology = CreateTopology();
    Ptr<DcnNetworkConfig> network =
        DcnNetworkConfig::Preset(congestionControl.empty() ? cc : congestionControl,
                                 topology->GetSlowestHostRate(),
                                 Get("preset", "evaluation"));
    network->SetKeys(Get("network", ""));
    Parts parts{topology, network, {}};
    DcnWorkloadSpec& spec = parts.spec;
    spec.sizes = Get("sizes", spec.sizes);
    spec.matrix = Get("matrix", spec.matrix);
    spec.load = GetDouble("load", spec.load);
    spec.sigma = GetDouble("sigma", spec.sigma);
    spec.nFlows = GetUint("flows", spec.nFlows, 1'000'000'000);
    if (spec.nFlows == 0)
    {
        DcnFail("--flows is 0, so there is nothing to estimate");
    }
    if (!Get("duration", "").empty())
    {
        spec.nFlows = 0;
        spec.durationNs = GetTime("duration", Time(0)).GetNanoSeconds();
        if (spec.durationNs <= 0)
        {
            DcnFail("--duration=", Get("duration", ""), " is 0, so no flow starts");
        }
    }
    spec.seed = GetUint("seed", 1, DcnRandom::MAX_SEED);
    spec.ecmpSeed = spec.seed;
    spec.payloadBytes = network->payloadBytes;
    CheckAllUsed();
    return parts;
}

Ptr<const DcnScenario>
DcnScenarioOptions::Create() const
{
    m_used.clear();
    const uint64_t seed = GetUint("seed", 1, DcnRandom::MAX_SEED);
    const std::string folder = Get("scenario", "");
    if (!folder.empty())
    {
        CheckAllUsed();
        return DcnReadScenario(folder, seed);
    }
    const Parts parts = CreateParts();
    DcnWorkload workload = DcnWorkload::Generate(parts.topology, parts.spec);
    m_loadReport = workload.load;
    return DcnScenario::CreateWithPaths(parts.topology,
                                        parts.network,
                                        std::move(workload.flows),
                                        std::move(workload.paths),
                                        seed);
}

} // namespace ns3

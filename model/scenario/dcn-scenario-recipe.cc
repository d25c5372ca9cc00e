/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "dcn-scenario-recipe.h"

#include "dcn-scenario-directory.h"

#include "ns3/dcn-error.h"
#include "ns3/dcn-network-config.h"
#include "ns3/dcn-topology.h"
#include "ns3/log.h"

#include <map>
#include <mutex>
#include <utility>
#include <vector>

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("DcnScenarioRecipe");

namespace
{

/// Largest numbers of keys.
constexpr double MAX_COUNT = 4294967295;       // of hosts, switches, links
constexpr double MAX_FLOWS = 1e9;              // of a scenario
constexpr double MAX_RATE = 1e15;              // bit/s
constexpr double MAX_TIME = 1e15;              // ns: 11 days
constexpr double MAX_NETWORK_NUMBER = 1e18;    // of network.csv, which checks its own limits
constexpr const char* GENERATED = "scenario="; // condition: no scenario directory

/**
 * @param congestionControls names of all, registered so far
 * @return the keys of scenarios
 */
DcnRecipe::Keys
MakeKeys(const std::vector<std::string>& congestionControls)
{
    using K = DcnRecipeKey;
    const std::string fabric = "topology=fabric";
    const std::string racks = "topology=fabric+leaf-spine";
    const std::string dumbbell = "topology=dumbbell";
    const std::string parkingLot = "topology=parking-lot";
    const std::string rows = "topology=dumbbell+parking-lot";
    std::string controls;
    for (const std::string& name : congestionControls)
    {
        controls += (controls.empty() ? "" : "+") + name;
    }
    // clang-format off
    DcnRecipe::Keys keys{
        {"scenario", K::TEXT, "", 0, 0, "", "", "scenario directory; then only seed and network count"},
        {"topology", K::WORD, "fabric", 0, 0, "fabric+leaf-spine+fat-tree+dumbbell+parking-lot",
         GENERATED, "kind of the network"},
        {"pods", K::WHOLE, "2", 0, MAX_COUNT, "", fabric, "pods"},
        {"pods", K::WHOLE, "4", 0, MAX_COUNT, "", "topology=fat-tree", "k of a k-ary fat tree"},
        {"racksPerPod", K::WHOLE, "4", 0, MAX_COUNT, "", fabric, "racks per pod"},
        {"racksPerPod", K::WHOLE, "8", 0, MAX_COUNT, "", "topology=leaf-spine", "leaves"},
        {"racksPerPod", K::WHOLE, "4", 0, MAX_COUNT, "", parkingLot, "switches in a row"},
        {"hostsPerRack", K::WHOLE, "4", 0, MAX_COUNT, "", racks, "hosts per rack"},
        {"hostsPerRack", K::WHOLE, "10", 0, MAX_COUNT, "", dumbbell, "hosts on each side"},
        {"hostsPerRack", K::WHOLE, "1", 0, MAX_COUNT, "", parkingLot, "hosts per switch"},
        {"fabricsPerPod", K::WHOLE, "2", 0, MAX_COUNT, "", fabric, "fabric switches per pod"},
        {"spinesPerPlane", K::WHOLE, "2", 0, MAX_COUNT, "", fabric, "spines per plane"},
        {"spinesPerPlane", K::WHOLE, "2", 0, MAX_COUNT, "", "topology=leaf-spine", "spines"},
        {"hostRate", K::RATE, "10Gbps", 1, MAX_RATE, "", GENERATED,
         "rate of hosts' links; of a fat tree: of all links"},
        {"fabricRate", K::RATE, "40Gbps", 1, MAX_RATE, "", racks, "rate between switches"},
        {"fabricRate", K::RATE, "10Gbps", 1, MAX_RATE, "", rows, "rate between switches"},
        {"linkDelay", K::TIME, "1us", 0, MAX_TIME, "", GENERATED, "propagation delay of a link"},
        {"sizes", K::TEXT, "web-server", 0, 0, "", GENERATED,
         "flow sizes: a name, NAME:PARAMETER or a CSV"},
        {"matrix", K::TEXT, "uniform", 0, 0, "", GENERATED, "traffic matrix: a name or a CSV"},
        {"load", K::NUMBER, "0.5", 0, 1, "", GENERATED, "payload load of the most loaded link"},
        {"sigma", K::NUMBER, "0", 0, 100, "", GENERATED,
         "shape of log-normal gaps between flows; 0: Poisson"},
        {"duration", K::TIME, "", 1, MAX_TIME, "", GENERATED,
         "time in which flows start; instead of flows"},
        {"flows", K::WHOLE, "2000", 1, MAX_FLOWS, "", "duration=", "number of flows"},
        {"loadRule", K::CHOICE, "expected", 0, 0, "expected+exact", "duration=",
         "expected: the load is that of very many flows; exact: that of these flows, whose starts "
         "are stretched"},
        {"seed", K::SINGLE, "1", 0, static_cast<double>(DcnRandom::MAX_SEED), "", "",
         "seed of everything random: draws, flows, ECMP paths, marking"},
        {"cc", K::WORD, "dctcp", 0, 0, controls, GENERATED, "congestion control"},
        {"preset", K::WORD, "evaluation", 0, 0, "evaluation+paper", GENERATED,
         "parameters of the congestion control"},
    };
    // clang-format on
    for (const DcnNetworkConfig::Key& key : DcnNetworkConfig::GetAllKeys())
    {
        const bool isCommon = key.congestionControl.empty();
        // a scenario directory names its congestion control; DcnNetworkConfig::SetKey compares
        for (const std::string& only : isCommon ? std::vector<std::string>{""}
                                                : std::vector<std::string>{
                                                      "cc=" + key.congestionControl,
                                                      "scenario=*"})
        {
            keys.push_back({key.name,
                            key.isWhole ? K::WHOLE : K::NUMBER,
                            "",
                            0,
                            MAX_NETWORK_NUMBER,
                            "",
                            only,
                            "see network.csv",
                            false});
        }
    }
    return keys;
}

} // namespace

DcnScenarioRecipe::DcnScenarioRecipe(const std::string& assignments, const std::string& prefix)
    : DcnRecipe(GetKeys(), "a scenario", prefix)
{
    SetAll(assignments);
}

const DcnRecipe::Keys&
DcnScenarioRecipe::GetKeys()
{
    // a table per set of congestion controls: recipes refer to theirs, and a control may be
    // registered at any time
    static std::mutex mutex;
    static std::map<std::vector<std::string>, const Keys> tables;
    const auto controls = DcnNetworkConfig::GetCongestionControls();
    const std::lock_guard<std::mutex> lock(mutex);
    auto found = tables.find(controls);
    if (found == tables.end())
    {
        found = tables.emplace(controls, MakeKeys(controls)).first;
    }
    return found->second;
}

void
DcnScenarioRecipe::SetNetwork(const std::string& assignments)
{
    for (const auto& [name, value] : Parse(assignments))
    {
        const DcnRecipeKey* row = FindFirst(name);
        if (row && row->isOption)
        {
            DcnFail("\"",
                    name,
                    "\" is no key of the network configuration, but of the scenario: ",
                    GetLabel(name),
                    "=",
                    value);
        }
        Set(name, value);
    }
}

std::string
DcnScenarioRecipe::GetNetworkText() const
{
    std::string text;
    std::string latest; // a name may have several rows
    for (const DcnRecipeKey& row : GetKeys())
    {
        if (!row.isOption && IsSet(row.name) && row.name != std::exchange(latest, row.name))
        {
            text += (text.empty() ? "" : ",") + row.name + "=" + Get(row.name);
        }
    }
    return text;
}

DcnScenarioRecipe
DcnScenarioRecipe::Draw(uint64_t seed) const
{
    DcnScenarioRecipe drawn(*this);
    CheckEffects();
    drawn.Set("seed", std::to_string(seed));
    drawn.DrawAll(DcnRandom(seed), DcnPurpose::RECIPE);
    return drawn;
}

Ptr<DcnTopology>
DcnScenarioRecipe::CreateTopology() const
{
    auto count = [this](const char* name) { return static_cast<uint32_t>(GetWhole(name)); };
    const std::string& kind = Get("topology");
    const Time delay = GetTime("linkDelay");
    const DataRate hostRate = GetRate("hostRate");
    if (kind == "fat-tree")
    {
        return DcnBuildTopology(DcnFatTreeParameters{count("pods"), hostRate, delay});
    }
    const DataRate fabricRate = GetRate("fabricRate");
    const uint32_t hosts = count("hostsPerRack");
    if (kind == "leaf-spine")
    {
        return DcnBuildTopology(DcnLeafSpineParameters{count("racksPerPod"),
                                                       hosts,
                                                       count("spinesPerPlane"),
                                                       hostRate,
                                                       fabricRate,
                                                       delay});
    }
    if (kind == "dumbbell")
    {
        return DcnBuildTopology(DcnDumbbellParameters{hosts, hosts, hostRate, fabricRate, delay});
    }
    if (kind == "parking-lot")
    {
        DcnParkingLotParameters row;
        row.switches = count("racksPerPod");
        row.hostsPerSwitch = hosts;
        row.hostRate = hostRate;
        row.switchRate = fabricRate;
        row.linkDelay = delay;
        return DcnBuildTopology(row);
    }
    return DcnBuildTopology(DcnFabricParameters{count("pods"),
                                                count("racksPerPod"),
                                                hosts,
                                                count("fabricsPerPod"),
                                                count("spinesPerPlane"),
                                                hostRate,
                                                fabricRate,
                                                delay});
}

DcnScenarioRecipe::Parts
DcnScenarioRecipe::CreateParts() const
{
    if (IsSet("scenario"))
    {
        DcnFail(GetLabel("scenario"),
                "=",
                Get("scenario"),
                " has flows of its own, but here flows are drawn again and again");
    }
    const DcnScenarioRecipe drawn = Draw(GetWhole("seed"));
    Parts parts;
    parts.topology = drawn.CreateTopology();
    parts.network =
        DcnNetworkConfig::Preset(drawn.Get("cc"),
                                 parts.topology->GetNicRates(parts.topology->GetHosts()),
                                 drawn.Get("preset"));
    parts.network->SetKeys(drawn.GetNetworkText());
    DcnWorkloadSpec& spec = parts.spec;
    spec.sizes = drawn.Get("sizes");
    spec.matrix = drawn.Get("matrix");
    spec.load = drawn.GetNumber("load");
    spec.sigma = drawn.GetNumber("sigma");
    spec.nFlows = 0;
    if (drawn.IsSet("duration"))
    {
        spec.durationNs = drawn.GetTime("duration").GetNanoSeconds();
    }
    else
    {
        spec.nFlows = drawn.GetWhole("flows");
        spec.exactLoad = drawn.Get("loadRule") == "exact";
    }
    spec.seed = spec.ecmpSeed = drawn.GetWhole("seed");
    spec.payloadBytes = parts.network->payloadBytes;
    return parts;
}

Ptr<const DcnScenario>
DcnScenarioRecipe::Create(std::optional<DcnLoadReport>* load) const
{
    const uint64_t seed = GetWhole("seed");
    if (load)
    {
        load->reset();
    }
    if (IsSet("scenario"))
    {
        const DcnScenarioRecipe drawn = Draw(seed);
        return DcnReadScenario(drawn.Get("scenario"), seed, drawn.GetNetworkText());
    }
    const Parts parts = CreateParts();
    DcnWorkload workload = DcnWorkload::Generate(parts.topology, parts.spec);
    NS_LOG_INFO(workload.flows.size() << " flows on " << parts.topology->GetHosts().size()
                                      << " hosts, load " << workload.load.realised.maxLoad);
    if (load)
    {
        *load = workload.load;
    }
    return DcnScenario::CreateWithPaths(parts.topology,
                                        parts.network,
                                        std::move(workload.flows),
                                        std::move(workload.paths),
                                        seed);
}

} // namespace ns3

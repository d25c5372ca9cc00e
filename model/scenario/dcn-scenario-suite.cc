/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "dcn-scenario-suite.h"

#include "ns3/dcn-error.h"
#include "ns3/dcn-network-config.h"
#include "ns3/dcn-random.h"
#include "ns3/dcn-size-distribution.h"
#include "ns3/dcn-traffic-matrix.h"
#include "ns3/hash.h"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <iterator>
#include <numeric>

namespace ns3
{

namespace
{

const uint64_t PACKET_HOPS = 60'000'000;    //!< about 20 s of the packet engine
const uint64_t SMOKE_PACKET_HOPS = 300'000; //!< about 0.1 s
const uint64_t BLOCK = 18;                  //!< scenarios in an orthogonal array
const uint64_t GROUP = 6;                   //!< scenarios in which every level is balanced
const double LOWEST_LOAD = 0.25;            //!< of the sample space
const double HIGHEST_LOAD = 0.80;           //!< of the sample space

const char* const SIZES[] = {"cache-follower", "web-server", "hadoop"};
const char* const GENERATED[] = {"database", "web", "hadoop"}; //!< stand-ins of A, B, C
const uint32_t OVERSUBSCRIPTIONS[] = {1, 2, 4};
const char* const CONTROLS[] = {"dctcp", "timely", "dcqcn", "hpcc"};
const double TABLE_LOADS[] = {0.45, 0.56, 0.67}; //!< Parsimon, table 5

/// What random variables of a suite are for; numbers are never changed.
enum Drawn : uint32_t
{
    LEVELS = 0, //!< .. 3: which level a number stands for, by factor
    ORDER = 4,  //!< order inside a group
    STRATA = 5, //!< order of the loads of a group
    LOAD = 6,   //!< load in its part of the range
    GROUPS = 7, //!< order of the groups of a block
    CONTROL = 8,
    WINDOW = 9,
    BUFFER = 10,
    PFC = 11,
    THRESHOLD_LOW = 12,  //!< K, Kmin, Tlow, eta
    THRESHOLD_HIGH = 13, //!< Kmax, Thigh, additive increase
    N_DRAWN = 16
};

/// What the packet engine sets aside for a port: 4096 bytes and three bandwidth-delay products.
uint64_t
GetReserve(DataRate rate, Time delay)
{
    return 4096 + static_cast<uint64_t>(3 * rate.GetBitRate() / 8e9 *
                                        static_cast<double>(delay.GetNanoSeconds()));
}

/**
 * @param fabric the network
 * @return what its switch with the most ports sets aside [bytes]
 */
uint64_t
GetLargestReserve(const DcnFabricParameters& fabric)
{
    const uint64_t up = GetReserve(fabric.fabricRate, fabric.linkDelay);
    const uint64_t down = GetReserve(fabric.hostRate, fabric.linkDelay);
    return std::max(fabric.hostsPerRack * down + fabric.fabricsPerPod * up,
                    std::max(fabric.racksPerPod + fabric.spinesPerPlane, fabric.pods) * up);
}

/**
 * @param folder of the matrices
 * @param letter a, b or c
 * @return the file
 */
std::string
GetMatrixFile(const std::string& folder, char letter)
{
    return folder + "/rack-matrix-" + letter + "-32.csv";
}

} // namespace

const std::vector<std::string>&
DcnScenarioSuite::GetNames()
{
    static const std::vector<std::string> names{"sensitivity",
                                                "congestion-controls",
                                                "network-configurations",
                                                "smoke"};
    return names;
}

DcnScenarioSuite::DcnScenarioSuite(const std::string& name,
                                   uint64_t seed,
                                   uint64_t packetHops,
                                   const std::string& matrices)
    : m_name(name),
      m_seed(seed),
      m_packetHops(packetHops),
      m_matrices(matrices)
{
    const auto& names = GetNames();
    if (std::find(names.begin(), names.end(), name) == names.end())
    {
        DcnFail("the suite \"", name,
                "\" is not one of sensitivity, congestion-controls, network-configurations, smoke");
    }
    if (seed > MAX_SEED)
    {
        DcnFail("the seed of a suite must be at most ", MAX_SEED, ", but it is ", seed);
    }
    if (m_packetHops == 0)
    {
        m_packetHops = name == "smoke" ? SMOKE_PACKET_HOPS : PACKET_HOPS;
    }
    if (name == "smoke" && !matrices.empty())
    {
        DcnFail("the suite smoke has 8 racks, for which the matrices of 32 racks in ", matrices,
                " are of no use");
    }
    for (char letter : std::string(matrices.empty() ? "" : "abc"))
    {
        if (!std::ifstream(GetMatrixFile(matrices, letter)))
        {
            DcnFail(GetMatrixFile(matrices, letter), ": the file cannot be read");
        }
    }
}

uint64_t
DcnScenarioSuite::GetDefaultN() const
{
    return m_name == "smoke" ? 2 : m_name == "congestion-controls" ? 12 : 48;
}

std::vector<std::pair<std::string, std::string>>
DcnScenarioSuite::GetOptions() const
{
    std::string matrices = "generated";
    if (!m_matrices.empty())
    {
        std::string text;
        for (char letter : {'a', 'b', 'c'})
        {
            std::ifstream file(GetMatrixFile(m_matrices, letter));
            text.append(std::istreambuf_iterator<char>(file), {});
        }
        matrices = std::to_string(Hash64(text));
    }
    return {{"suite", m_name},
            {"seed", std::to_string(m_seed)},
            {"packet_hops", std::to_string(m_packetHops)},
            {"matrices", matrices}};
}

Ptr<UniformRandomVariable>
DcnScenarioSuite::GetVariable(uint32_t what, uint64_t group) const
{
    auto variable = CreateObject<UniformRandomVariable>();
    DcnRandom(m_seed).Assign(variable,
                             DcnPurpose::SUITE,
                             static_cast<uint32_t>(group * N_DRAWN + what));
    return variable;
}

std::vector<uint32_t>
DcnScenarioSuite::Permute(uint32_t n, uint32_t what, uint64_t group) const
{
    std::vector<uint32_t> order(n);
    std::iota(order.begin(), order.end(), 0);
    auto variable = GetVariable(what, group);
    DcnShuffle(order, *variable);
    return order;
}

void
DcnScenarioSuite::DrawTraffic(DcnSuiteScenario& drawn) const
{
    const uint64_t block = drawn.index / BLOCK;
    const uint64_t group = drawn.index / GROUP;
    const auto inGroup = static_cast<uint32_t>(drawn.index % GROUP);
    const uint32_t g = Permute(3, GROUPS, block)[group % 3];
    const uint32_t row = Permute(GROUP, ORDER, group)[inGroup];
    // rows 0..2 have s = 0, the others s = 1; see the class
    const uint32_t s = row / 3;
    const uint32_t b = row % 3;
    const uint32_t a = s == 0 ? (g + b) % 3 : (g + 2 * b) % 3;
    const uint32_t c = s == 0 ? (a + b) % 3 : (a + 2 * b) % 3;

    const uint32_t matrix = Permute(3, LEVELS, block)[a];
    drawn.matrix =
        m_matrices.empty() ? GENERATED[matrix] : std::string(1, static_cast<char>('A' + matrix));
    drawn.matrixName =
        m_matrices.empty() ? GENERATED[matrix]
                           : GetMatrixFile(m_matrices, static_cast<char>('a' + matrix));
    drawn.sizes = SIZES[Permute(3, LEVELS + 1, block)[b]];
    const uint32_t oversubscription = OVERSUBSCRIPTIONS[Permute(3, LEVELS + 2, block)[c]];
    drawn.oversubscription = std::to_string(oversubscription) + ":1";
    drawn.fabric.spinesPerPlane = drawn.fabric.racksPerPod / oversubscription;
    drawn.sigma = 1 + Permute(2, LEVELS + 3, block)[s];
    const uint32_t stratum = Permute(GROUP, STRATA, group)[inGroup];
    auto load = GetVariable(LOAD, drawn.index);
    drawn.load =
        LOWEST_LOAD + (HIGHEST_LOAD - LOWEST_LOAD) * (stratum + load->GetValue(0, 1)) / GROUP;
}

void
DcnScenarioSuite::DrawNetwork(DcnSuiteScenario& drawn) const
{
    auto draw = [&](Drawn what, double low, double high) {
        return GetVariable(what, drawn.index)->GetValue(low, high);
    };
    auto set = [&](const char* key, double value) {
        drawn.network.emplace_back(key, std::to_string(std::llround(value)));
    };
    // four consecutive scenarios have the four congestion controls
    drawn.congestionControl = CONTROLS[Permute(4, CONTROL, drawn.index / 4)[drawn.index % 4]];
    set("window_bytes", draw(WINDOW, 5000, 30000));
    // the drawn part is the shared one: the published simulator's reserves exceed its buffer, and
    // the difference wraps, so that it has no limit at all
    set("buffer_bytes",
        std::round(draw(BUFFER, 200, 500)) * 1024 +
            static_cast<double>(GetLargestReserve(drawn.fabric)));
    const bool pfc = draw(PFC, 0, 2) >= 1;
    set("pfc", drawn.congestionControl == "dcqcn" || pfc ? 1 : 0);
    if (drawn.congestionControl == "dctcp")
    {
        const double k = draw(THRESHOLD_LOW, 5000, 20000);
        set("ecn_kmin_bytes", k);
        set("ecn_kmax_bytes", k);
    }
    else if (drawn.congestionControl == "dcqcn")
    {
        // drawn at 25 Gb/s, stated at 10 Gb/s
        set("ecn_kmin_bytes", 0.4 * draw(THRESHOLD_LOW, 20000, 50000));
        set("ecn_kmax_bytes", 0.4 * draw(THRESHOLD_HIGH, 50000, 100000));
    }
    else if (drawn.congestionControl == "timely")
    {
        set("timely_low_ns", draw(THRESHOLD_LOW, 40000, 60000));
        set("timely_high_ns", draw(THRESHOLD_HIGH, 100000, 150000));
    }
    else
    {
        const double eta = std::round(1000 * draw(THRESHOLD_LOW, 0.7, 0.95)) / 1000;
        drawn.network.emplace_back("hpcc_eta", std::to_string(eta));
        set("hpcc_additive_increase_bps", std::round(draw(THRESHOLD_HIGH, 500, 1000)) * 1e6);
    }
}

DcnSuiteScenario
DcnScenarioSuite::Draw(uint64_t index) const
{
    if (index > MAX_INDEX)
    {
        DcnFail("a suite has at most ", MAX_INDEX + 1, " scenarios, but number ", index,
                " is asked for");
    }
    DcnSuiteScenario drawn;
    drawn.index = index;
    drawn.seed = m_seed * (MAX_SEED + 1) + index + 1;
    drawn.congestionControl = "dctcp";
    if (m_name == "smoke")
    {
        drawn.fabric.racksPerPod = 4;
        drawn.fabric.hostsPerRack = 4;
    }
    else
    {
        drawn.fabric.racksPerPod = 16;
        drawn.fabric.hostsPerRack = 8;
    }
    if (m_name == "congestion-controls")
    {
        const uint64_t nControls = std::size(CONTROLS);
        const uint64_t nLoads = std::size(TABLE_LOADS);
        // the same flows for each congestion control; after the table, the same with other flows
        drawn.seed = m_seed * (MAX_SEED + 1) + index / nControls + 1;
        drawn.fabric.spinesPerPlane = 8;
        drawn.oversubscription = "2:1";
        drawn.matrix = m_matrices.empty() ? GENERATED[0] : "A";
        drawn.matrixName = m_matrices.empty() ? GENERATED[0] : GetMatrixFile(m_matrices, 'a');
        drawn.sizes = "hadoop";
        drawn.sigma = 1;
        drawn.load = TABLE_LOADS[index / nControls % nLoads];
        drawn.congestionControl = CONTROLS[index % nControls];
    }
    else
    {
        DrawTraffic(drawn);
    }
    if (m_name == "smoke")
    {
        drawn.sizes = "google-rpc";
    }
    if (m_name == "network-configurations")
    {
        DrawNetwork(drawn);
    }
    else
    {
        // as in Parsimon's evaluation; switches of 32 ports do not work with the smaller default
        drawn.network.emplace_back("buffer_bytes", std::to_string(3 * 1024 * 1024));
    }
    return drawn;
}

uint64_t
DcnScenarioSuite::GetNFlows(const DcnSuiteScenario& drawn) const
{
    Ptr<DcnTopology> topology = DcnBuildTopology(drawn.fabric);
    const auto matrix =
        DcnTrafficMatrix::Create(drawn.matrixName, topology, DcnRandom(drawn.seed));
    // hosts come rack by rack and racks pod by pod (DcnBuildTopology)
    const auto& hosts = topology->GetHosts();
    const uint32_t perRack = drawn.fabric.hostsPerRack;
    const uint32_t perPod = perRack * drawn.fabric.racksPerPod;
    double hops = 0;
    for (uint32_t i = 0; i < hosts.size(); ++i)
    {
        for (uint32_t j = 0; j < hosts.size(); ++j)
        {
            const int links = i / perRack == j / perRack ? 2 : i / perPod == j / perPod ? 4 : 6;
            hops += links * matrix->GetPairShare(hosts[i], hosts[j]);
        }
    }
    const double packets = DcnSizeDistribution::Create(drawn.sizes)->GetMean() / 1000 + 0.5;
    return std::max<uint64_t>(
        1,
        static_cast<uint64_t>(std::llround(static_cast<double>(m_packetHops) / (packets * hops))));
}

Ptr<const DcnScenario>
DcnScenarioSuite::Create(const DcnSuiteScenario& drawn, DcnSuiteLoad& load) const
{
    Ptr<DcnTopology> topology = DcnBuildTopology(drawn.fabric);
    Ptr<DcnNetworkConfig> network = DcnNetworkConfig::Preset(drawn.congestionControl,
                                                             topology->GetSlowestHostRate());
    for (const auto& [key, value] : drawn.network)
    {
        network->SetKey(key, value);
    }
    DcnWorkloadSpec spec;
    spec.sizes = drawn.sizes;
    spec.matrix = drawn.matrixName;
    spec.sigma = drawn.sigma;
    spec.load = drawn.load;
    spec.nFlows = GetNFlows(drawn);
    spec.seed = spec.ecmpSeed = drawn.seed;
    spec.payloadBytes = network->payloadBytes;
    DcnWorkload workload = DcnWorkload::Generate(topology, spec);
    const double stretch = workload.load.realised.maxLoad / drawn.load;
    for (DcnFlow& flow : workload.flows)
    {
        flow.startNs = std::llround(static_cast<double>(flow.startNs) * stretch);
    }

    const double spanNs = workload.load.spanNs * stretch;
    const DcnMeasuredLoad measured = DcnMeasureLoad(*topology, workload.flows, workload.paths,
                                                    spanNs, network->payloadBytes);
    load.maxLoad = measured.maxLoad;
    load.maxWireLoad = measured.maxWireLoad;
    std::vector<double> loads(topology->GetNLinks(), 0.0);
    for (std::size_t i = 0; i < workload.flows.size(); ++i)
    {
        for (uint32_t link : workload.paths.Get(i))
        {
            loads[link] += static_cast<double>(workload.flows[i].sizeBytes) * 8e9 /
                           (spanNs * static_cast<double>(topology->GetLink(link).rateBps));
        }
    }
    std::sort(loads.begin(), loads.end(), std::greater<>());
    const std::size_t top = std::max<std::size_t>(1, loads.size() / 10);
    load.topLoad =
        std::accumulate(loads.begin(), loads.begin() + static_cast<std::ptrdiff_t>(top), 0.0) /
        static_cast<double>(top);
    return DcnScenario::CreateWithPaths(topology,
                                        network,
                                        std::move(workload.flows),
                                        std::move(workload.paths),
                                        drawn.seed);
}

Ptr<const DcnScenario>
DcnScenarioSuite::Repeat(Ptr<const DcnScenario> scenario, uint32_t repetition)
{
    auto delay = CreateObject<UniformRandomVariable>();
    DcnRandom(scenario->GetSeed()).Assign(delay, DcnPurpose::SUITE_REPETITION, repetition);
    std::vector<DcnFlow> flows = scenario->GetFlows();
    for (DcnFlow& flow : flows)
    {
        flow.startNs += delay->GetInteger(0, 999);
    }
    std::sort(flows.begin(), flows.end(), [](const DcnFlow& a, const DcnFlow& b) {
        return std::make_pair(a.startNs, a.id) < std::make_pair(b.startNs, b.id);
    });
    DcnPathTable paths;
    for (const DcnFlow& flow : flows)
    {
        const DcnPath path = scenario->GetPath(flow.id);
        paths.Append({path.begin(), path.end()});
    }
    // a seed that no scenario of the suite is likely to have
    const uint64_t seed = (scenario->GetSeed() + repetition * 0x9e3779b1ULL) & DcnRandom::MAX_SEED;
    return DcnScenario::CreateWithPaths(scenario->GetTopologyPtr(),
                                        scenario->GetNetworkConfig(),
                                        std::move(flows),
                                        std::move(paths),
                                        seed);
}

} // namespace ns3

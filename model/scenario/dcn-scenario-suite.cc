/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "dcn-scenario-suite.h"

#include "ns3/dcn-csv.h"
#include "ns3/dcn-error.h"
#include "ns3/dcn-network-config.h"
#include "ns3/dcn-random.h"
#include "ns3/dcn-routing.h"
#include "ns3/dcn-size-distribution.h"
#include "ns3/dcn-traffic-matrix.h"
#include "ns3/hash.h"
#include "ns3/log.h"

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <fstream>
#include <functional>
#include <iterator>
#include <numeric>
#include <utility>

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("DcnScenarioSuite");

namespace
{

const uint64_t BLOCK = 18; //!< scenarios in an orthogonal array
const uint64_t GROUP = 6;  //!< scenarios in which every level is balanced

/// Ranges of the network configurations of a suite; the others are those of m3's table 4.
struct NetworkRanges
{
    std::pair<double, double> windowBytes;  //!< window [bytes]
    std::pair<double, double> bufferKib;    //!< shared part of the buffer [KiB]
    bool isPfcDrawn;                        //!< false: on
    std::pair<double, double> dctcpBytes;   //!< K at 10 Gb/s [bytes]
    std::pair<double, double> dcqcnLow;     //!< Kmin at 25 Gb/s [bytes]
    std::pair<double, double> dcqcnHigh;    //!< Kmax at 25 Gb/s [bytes]
};

/// A range of whole or real numbers.
using Range = std::pair<double, double>;

/// Levels and ranges of the suites anywhere, fast, small and degenerate.
struct Space
{
    std::vector<std::string> kinds;    //!< of topologies; "switch" is a leaf-spine of one leaf
    std::vector<double> hostGbps;      //!< rates of hosts' links
    double mostGbps;                   //!< largest rate between switches
    std::vector<double> payloads;      //!< payloads of packets [bytes]; empty: by default
    Range hosts;                       //!< hosts of a rack or leaf
    Range leaves;                      //!< leaves of a leaf-spine
    Range side;                        //!< hosts on each side of a dumbbell
    Range row;                         //!< hosts of each switch of a parking lot
    Range star;                        //!< hosts of one switch
    std::vector<std::string> matrices; //!< traffic matrices
    Range load;                        //!< load of the most loaded link
    bool hasFewFlows;                  //!< see DrawRegime
};

const std::vector<double> RATE_RATIOS{1, 2, 4};
const std::vector<double> DELAYS_NS{500, 1000, 2000};
const std::vector<std::string> PARAMETRIC{"exp", "lognorm", "pareto"};
const std::vector<std::string>
    MATRICES{"uniform", "permutation", "all-to-all", "incast", "database", "web", "hadoop"};

const std::vector<std::string> KINDS{"fabric", "leaf-spine", "fat-tree", "dumbbell", "parking-lot"};
const Space ANYWHERE{KINDS,
                     {10, 25, 40, 50, 100, 200},
                     400,
                     {},
                     {8, 8},
                     {4, 16},
                     {4, 32},
                     {2, 2},
                     {},
                     MATRICES,
                     {0.2, 0.85},
                     false};
const Space FAST{{"fabric", "leaf-spine", "fat-tree"},
                 {100, 200, 400, 800, 1600},
                 1600,
                 {1000, 4096},
                 {4, 16},
                 {4, 16},
                 {},
                 {},
                 {},
                 MATRICES,
                 {0.2, 0.85},
                 false};
const Space SMALL{{"switch", "leaf-spine", "dumbbell", "parking-lot"},
                  {10, 25, 100},
                  400,
                  {},
                  {1, 8},
                  {2, 4},
                  {1, 8},
                  {1, 4},
                  {3, 16},
                  {"uniform", "permutation", "all-to-all", "incast"},
                  {0.3, 0.95},
                  false};
const Space DEGENERATE{KINDS,
                       {10, 25, 100, 400},
                       400,
                       {1000, 4096},
                       {2, 8},
                       {2, 8},
                       {1, 8},
                       {1, 4},
                       {},
                       {"uniform", "permutation", "all-to-all", "incast"},
                       {0.2, 0.85},
                       true};

/// A suite.
struct Suite
{
    const char* name;
    uint64_t nScenarios; //!< of an evaluation
    uint64_t packetHops; //!< about 3 million per second of the packet engine
    uint64_t mostFlows;  //!< limit of the flows that packetHops needs
    std::string recipe;  //!< spines of 1:1, 2:1 and 4:1; matrices are stand-ins of A, B, C
    bool takesMatrices;  //!< it has the 32 racks of the published matrices
    const NetworkRanges* network; //!< drawn configurations; null: that of the recipe
    const Space* space{nullptr};  //!< of all that is drawn; null: the recipe has it
};

const std::string LEVELS_256 =
    "racksPerPod=16,hostsPerRack=8,spinesPerPlane=16+8+4,matrix=database+web+hadoop,"
    "sizes=cache-follower+web-server+hadoop,sigma=1+2,load=0.25:0.8";
// as in Parsimon's evaluation; the default is too small for switches of 32 ports
const std::string BUFFER = ",buffer_bytes=3145728";
/// Of m3's table 4.
const NetworkRanges M3_NETWORKS{{5000, 30000},
                                {200, 500},
                                true,
                                {5000, 20000},
                                {20000, 50000},
                                {50000, 100000}};
/// Of m3's section 5.2: its buffer is not drawn.
const NetworkRanges M3_TEST_NETWORKS{{5000, 30000},
                                     {400, 400},
                                     true,
                                     {5000, 20000},
                                     {20000, 50000},
                                     {50000, 100000}};
/// Of m4's table 2.
const NetworkRanges M4_NETWORKS{{5000, 15000},
                                {100, 160},
                                false,
                                {10000, 30000},
                                {10000, 30000},
                                {30000, 50000}};
const Suite SUITES[] = {
    {"sensitivity", 48, 60'000'000, UINT64_MAX, LEVELS_256 + BUFFER, true, nullptr},
    {"congestion-controls",
     12,
     60'000'000,
     UINT64_MAX,
     "racksPerPod=16,hostsPerRack=8,spinesPerPlane=8,matrix=database,sizes=hadoop,sigma=1,"
     "load=0.45+0.56+0.67,cc=dctcp+timely+dcqcn+hpcc" +
         BUFFER,
     true,
     nullptr},
    {"network-configurations",
     48,
     60'000'000,
     UINT64_MAX,
     LEVELS_256 + ",cc=dctcp+timely+dcqcn+hpcc",
     true,
     &M3_NETWORKS},
    {"m3-test-set", 192, 60'000'000, UINT64_MAX, LEVELS_256, true, &M3_TEST_NETWORKS},
    {"m4-test-set",
     100,
     80'000'000,
     20'000,
     "pods=4,racksPerPod=16,hostsPerRack=16,fabricsPerPod=4,spinesPerPlane=16+8+4,"
     "fabricRate=10Gbps,matrix=database+web+hadoop,sizes=cache-follower+web-server+hadoop,"
     "sigma=1+2,load=0.3:0.8,cc=dctcp+timely+dcqcn",
     false,
     &M4_NETWORKS},
    {"anywhere", 96, 60'000'000, 300'000, "", false, nullptr, &ANYWHERE},
    {"fast", 60, 60'000'000, 300'000, "", false, nullptr, &FAST},
    {"small", 48, 6'000'000, 100'000, "", false, nullptr, &SMALL},
    {"degenerate", 60, 3'000'000, 50'000, "", false, nullptr, &DEGENERATE},
    {"tcp",
     20,
     6'000'000,
     10'000,
     "topology=fabric+fat-tree,sizes=web-server+google-rpc+cache-follower+hadoop,matrix=uniform,"
     "load=0.2:0.7,cc=dctcp",
     false,
     nullptr},
    {"defaults",
     48,
     6'000'000,
     20'000,
     "topology=fabric+leaf-spine+fat-tree,cc=dctcp+dcqcn+timely+hpcc,"
     "sizes=web-server+google-rpc+cache-follower+hadoop,hostRate=10Gbps+25Gbps+100Gbps,"
     "matrix=uniform+database+web+hadoop,sigma=0:2,load=0.2:0.8",
     false,
     nullptr},
    {"smoke",
     2,
     300'000,
     UINT64_MAX,
     "racksPerPod=4,hostsPerRack=4,spinesPerPlane=4+2+1,matrix=database+web+hadoop,"
     "sizes=google-rpc,sigma=1+2,load=0.25:0.8" +
         BUFFER,
     false,
     nullptr},
};

/// @return the suite of a name; null if there is none
const Suite*
FindSuite(const std::string& name)
{
    const auto suite = std::find_if(std::begin(SUITES), std::end(SUITES), [&](const Suite& each) {
        return each.name == name;
    });
    return suite == std::end(SUITES) ? nullptr : suite;
}

/// Purposes of a suite's random variables; numbers are never changed.
enum Drawn : uint32_t
{
    LEVELS = 0, //!< .. 3: assignment of numbers to levels, by factor
    ORDER = 4,  //!< order inside a group
    STRATA = 5, //!< order of the loads of a group
    LOAD = 6,   //!< load in its part of the range
    GROUPS = 7, //!< order of the groups of a block
    CONTROL = 8,
    WINDOW = 9,
    BUFFER_SIZE = 10,
    PFC = 11,
    THRESHOLD_LOW = 12,  //!< K, Kmin, Tlow, eta
    THRESHOLD_HIGH = 13, //!< Kmax, Thigh, additive increase
    N_DRAWN = 16,
    // of the suites with a space, and of tcp and defaults
    KIND = 16,        //!< topology and congestion control together; in tcp and defaults with sizes
    HOST_RATE = 17,   //!< rate of hosts' links
    RATE_RATIO = 18,  //!< rate between switches over that of hosts
    OVERSUBSCRIPTION = 19,
    LINK_DELAY = 20,
    EXTENT = 21,      //!< racks, hosts, k, switches
    SIZES = 22,
    SIZE_PARAMETER = 23,
    MATRIX = 24,
    INCAST = 25,      //!< senders
    SIGMA = 26,
    SIGMA_ORDER = 27, //!< of the parts of its range
    LOAD_ORDER = 28,  //!< of the parts of its range
    HOSTS = 29,       //!< hosts of a switch
    PAYLOAD = 30,
    REGIME = 31, //!< few flows, idle or full
    N_FLOWS = 32 //!< of few
};

/// The buffer that the packet engine reserves for a port: 4096 bytes and three bandwidth-delay
/// products.
uint64_t
GetReserve(DataRate rate, Time delay)
{
    return 4096 + static_cast<uint64_t>(3 * rate.GetBitRate() / 8e9 *
                                        static_cast<double>(delay.GetNanoSeconds()));
}

/**
 * @param topology a network
 * @return the reserve of its switch with the largest one [bytes]
 */
uint64_t
GetLargestReserve(const DcnTopology& topology)
{
    std::vector<uint64_t> reserves(topology.GetNNodes(), 0);
    for (uint32_t link = 0; link < topology.GetNLinks(); ++link)
    {
        const DcnLink& each = topology.GetLink(link);
        if (!topology.IsHost(each.from))
        {
            reserves[each.from] += GetReserve(DataRate(each.rateBps), NanoSeconds(each.delayNs));
        }
    }
    return *std::max_element(reserves.begin(), reserves.end());
}

/// A scenario of a space, drawn in three steps, each of which needs those before.
class SpaceScenario
{
  public:
    /// Returns a level below n: each once in n consecutive scenarios.
    using Level = std::function<uint32_t(uint32_t n, Drawn what)>;
    /// Returns a value between two.
    using Draw = std::function<double(Drawn what, double low, double high)>;

    /**
     * @param space where it is drawn from
     * @param drawn set by the steps
     * @param level draws levels
     * @param draw draws values
     */
    SpaceScenario(const Space& space, DcnSuiteScenario& drawn, Level level, Draw draw)
        : m_space(space),
          m_drawn(drawn),
          m_level(std::move(level)),
          m_draw(std::move(draw))
    {
    }

    /**
     * @brief Draw topology, rates and delays.
     * @param controls congestion controls, each as often with every kind of topology
     */
    void DrawTopology(const std::vector<std::string>& controls)
    {
        DcnScenarioRecipe& recipe = m_drawn.recipe;
        const auto nKinds = static_cast<uint32_t>(m_space.kinds.size());
        const uint32_t pair = m_level(nKinds * static_cast<uint32_t>(controls.size()), KIND);
        const std::string& kind = m_space.kinds[pair % nKinds];
        m_control = controls[pair / nKinds];
        m_drawn.topology = kind;
        recipe.Set("topology", kind == "switch" ? "leaf-spine" : kind);
        recipe.Set("cc", m_control);
        m_hostGbps = Choose(m_space.hostGbps, HOST_RATE);
        const double ratio =
            std::min(m_space.mostGbps / m_hostGbps, Choose(RATE_RATIOS, RATE_RATIO));
        const double over = std::pow(2, m_level(3, OVERSUBSCRIPTION));
        m_delayNs = Choose(DELAYS_NS, LINK_DELAY);
        recipe.Set("hostRate", DcnToText(m_hostGbps) + "Gbps");
        recipe.Set("linkDelay", DcnToText(m_delayNs) + "ns");
        m_drawn.hostGbps = DcnToText(m_hostGbps);
        m_drawn.oversubscription =
            kind == "fabric" || kind == "leaf-spine" ? DcnToText(over) + ":1" : "1:1";
        if (kind == "fat-tree")
        {
            const double k = 2 * Whole({2, 4});
            Set("pods", k);
            m_nHosts = k * k * k / 4;
            m_hops = 6;
            return;
        }
        recipe.Set("fabricRate", DcnToText(m_hostGbps * ratio) + "Gbps");
        if (kind == "fabric")
        {
            const double racks = Racks({4, 8}, m_space.hosts);
            const double hosts = m_nHosts / racks;
            Set("fabricsPerPod", std::max(1.0, std::round(hosts / ratio / 2)));
            Set("spinesPerPlane", std::max(1.0, std::round(racks / over)));
            m_nHosts *= 2; // pods
            m_hops = 6;
        }
        else if (kind == "leaf-spine")
        {
            const double leaves = Racks(m_space.leaves, m_space.hosts);
            const double hosts = m_nHosts / leaves;
            Set("spinesPerPlane", std::max(1.0, std::round(hosts / ratio / over)));
            m_hops = 4;
        }
        else if (kind == "switch")
        {
            m_nHosts = Whole(m_space.star);
            Set("racksPerPod", 1);
            Set("hostsPerRack", m_nHosts);
            Set("spinesPerPlane", 1);
            m_hops = 2;
        }
        else if (kind == "dumbbell")
        {
            const double hosts = Whole(m_space.side);
            Set("hostsPerRack", hosts);
            m_nHosts = 2 * hosts;
            m_hops = 3;
        }
        else
        {
            // a parking lot; HPCC's telemetry holds five switches
            m_hops = 1 + Racks({3, m_control == "hpcc" ? 5 : 8}, m_space.row);
        }
    }

    /// Draw sizes and traffic matrix.
    void DrawTraffic()
    {
        const auto& empirical = DcnSizeDistribution::GetEmpiricalNames();
        const uint32_t form =
            m_level(static_cast<uint32_t>(empirical.size() + PARAMETRIC.size()), SIZES);
        m_drawn.recipe.Set("sizes",
                           form < empirical.size()
                               ? empirical[form]
                               : PARAMETRIC[form - empirical.size()] + ":" +
                                     DcnToText(std::round(m_draw(SIZE_PARAMETER, 5000, 50000))));
        std::string& matrix = m_drawn.matrix;
        matrix = Choose(m_space.matrices, MATRIX);
        if (m_drawn.topology == "dumbbell" &&
            (matrix == "database" || matrix == "web" || matrix == "hadoop"))
        {
            matrix = "uniform"; // two racks are too few
        }
        const auto getSenders = [this] {
            return std::max(1.0, std::round(m_nHosts * m_draw(INCAST, 0.25, 0.75)));
        };
        m_drawn.recipe.Set("matrix",
                           matrix == "incast" ? "incast:" + DcnToText(getSenders()) : matrix);
    }

    /// Draw windows, buffers and thresholds, in bandwidth-delay products of the longest path.
    void DrawNetwork()
    {
        const double payload = m_space.payloads.empty() ? 1000 : Choose(m_space.payloads, PAYLOAD);
        if (!m_space.payloads.empty())
        {
            Set("payload_bytes", payload);
        }
        const double packetBits = 8 * (payload + 48);
        const double rttNs = m_hops * (2 * m_delayNs + packetBits / m_hostGbps);
        const double bdpBytes = rttNs * m_hostGbps / 8;
        Set("window_bytes", std::max(2 * payload, bdpBytes * m_draw(WINDOW, 1, 2)));
        Set("buffer_bytes",
            std::round(m_draw(BUFFER_SIZE, 200, 500)) * 1024 * m_hostGbps / 10 +
                static_cast<double>(GetLargestReserve(*m_drawn.recipe.CreateParts().topology)));
        Set("pfc", m_control == "dcqcn" || m_draw(PFC, 0, 2) >= 1 ? 1 : 0);
        // stated at 10 Gb/s: the product of a port's own rate follows
        const double markBytes =
            std::max(3 * payload, rttNs * 10 / 8 * m_draw(THRESHOLD_LOW, 0.3, 1.5));
        if (m_control == "dctcp")
        {
            Set("ecn_kmin_bytes", markBytes);
            Set("ecn_kmax_bytes", markBytes);
        }
        else if (m_control == "dcqcn")
        {
            Set("ecn_kmin_bytes", markBytes);
            Set("ecn_kmax_bytes", markBytes * m_draw(THRESHOLD_HIGH, 2, 5));
        }
        else if (m_control == "timely")
        {
            const double low = rttNs * m_draw(THRESHOLD_LOW, 2, 4);
            Set("timely_low_ns", low);
            Set("timely_high_ns", low * m_draw(THRESHOLD_HIGH, 2, 3));
        }
        else
        {
            const double eta = std::round(1000 * m_draw(THRESHOLD_LOW, 0.7, 0.97)) / 1000;
            m_drawn.recipe.Set("hpcc_eta", DcnToText(eta));
            Set("hpcc_additive_increase_bps",
                m_hostGbps * 1e9 * m_draw(THRESHOLD_HIGH, 0.02, 0.06));
        }
    }

  private:
    /// Sets a key to the nearest whole number.
    void Set(const char* key, double value)
    {
        m_drawn.recipe.Set(key, std::to_string(std::llround(value)));
    }

    /// Returns a whole number of a range.
    double Whole(const Range& range, Drawn what = EXTENT) const
    {
        return std::round(range.first + (range.second - range.first) * m_draw(what, 0, 1));
    }

    /// Returns one of some levels.
    template <typename T>
    T Choose(const std::vector<T>& levels, Drawn what) const
    {
        return levels[m_level(static_cast<uint32_t>(levels.size()), what)];
    }

    /// Draws racks and hosts of each, returns the number of racks, and counts the hosts.
    double Racks(const Range& racks, const Range& hosts)
    {
        const double nRacks = Whole(racks);
        const double nEach = Whole(hosts, HOSTS);
        Set("racksPerPod", nRacks);
        Set("hostsPerRack", nEach);
        m_nHosts = nRacks * nEach;
        return nRacks;
    }

    const Space& m_space;      //!< as given
    DcnSuiteScenario& m_drawn; //!< as given
    Level m_level;             //!< as given
    Draw m_draw;               //!< as given
    std::string m_control;     //!< congestion control
    double m_hostGbps{0};      //!< rate of hosts' links
    double m_delayNs{0};       //!< of a link
    double m_nHosts{0};        //!< number of hosts
    double m_hops{0};          //!< links of the longest path
};

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
    static const auto names = []() {
        std::vector<std::string> all;
        for (const Suite& suite : SUITES)
        {
            all.emplace_back(suite.name);
        }
        return all;
    }();
    return names;
}

bool
DcnScenarioSuite::TakesMatrices(const std::string& name)
{
    const Suite* suite = FindSuite(name);
    return suite && suite->takesMatrices;
}

DcnScenarioSuite::DcnScenarioSuite(const std::string& name,
                                   uint64_t seed,
                                   uint64_t packetHops,
                                   const std::string& matrices,
                                   uint64_t mostFlows)
    : m_name(name),
      m_seed(seed),
      m_packetHops(packetHops),
      m_mostFlows(mostFlows),
      m_matrices(matrices)
{
    const Suite* suite = FindSuite(name);
    if (!suite)
    {
        DcnFail(
            "the suite \"",
            name,
            "\" is not one of sensitivity, congestion-controls, network-configurations, "
            "m3-test-set, m4-test-set, anywhere, fast, small, degenerate, tcp, defaults, smoke");
    }
    if (seed > MAX_SEED)
    {
        DcnFail("the seed of a suite must be at most ", MAX_SEED, ", but it is ", seed);
    }
    m_recipe.SetAll(suite->recipe);
    m_packetHops = packetHops == 0 ? suite->packetHops : packetHops;
    m_mostFlows = mostFlows == 0 ? suite->mostFlows : mostFlows;
    if (!suite->takesMatrices && !matrices.empty())
    {
        DcnFail("the matrices in ",
                matrices,
                " are for 32 racks, which the suite ",
                name,
                " does not have: leave out --matrices");
    }
    for (char letter : std::string(matrices.empty() ? "" : "abc"))
    {
        const std::string path = GetMatrixFile(matrices, letter);
        errno = 0;
        if (!std::ifstream(path))
        {
            DcnFail(path, ": the file cannot be read", DcnDescribeFileError(path, errno));
        }
    }
}

uint64_t
DcnScenarioSuite::GetDefaultN() const
{
    return FindSuite(m_name)->nScenarios;
}

const std::vector<std::string>&
DcnScenarioSuite::GetLearnedControls()
{
    static const std::vector<std::string> names{"dctcp", "dcqcn", "timely", "hpcc"};
    return names;
}

std::vector<std::string>
DcnScenarioSuite::GetCongestionControls() const
{
    return FindSuite(m_name)->space ? GetLearnedControls() : m_recipe.GetChoices("cc");
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
                             static_cast<uint32_t>((group + what / N_DRAWN * (MAX_SEED + 1)) *
                                                       N_DRAWN +
                                                   what % N_DRAWN));
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

uint32_t
DcnScenarioSuite::GetLevel(uint32_t n, uint32_t what, uint64_t index) const
{
    return Permute(n, what, index / n)[index % n];
}

double
DcnScenarioSuite::GetSpread(uint32_t order,
                            uint32_t what,
                            uint64_t index,
                            double low,
                            double high) const
{
    const double inPart = GetVariable(what, index)->GetValue(0, 1);
    return low + (high - low) * (GetLevel(GROUP, order, index) + inPart) / GROUP;
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

    auto choose = [&](const char* key, uint32_t level) {
        const auto choices = m_recipe.GetChoices(key);
        drawn.recipe.Set(key, choices[level % choices.size()]);
    };
    const uint32_t matrix = Permute(3, LEVELS, block)[a];
    choose("matrix", matrix);
    drawn.matrix = drawn.recipe.Get("matrix");
    if (!m_matrices.empty())
    {
        drawn.recipe.Set("matrix", GetMatrixFile(m_matrices, static_cast<char>('a' + matrix)));
        drawn.matrix = std::string(1, static_cast<char>('A' + matrix));
    }
    choose("sizes", Permute(3, LEVELS + 1, block)[b]);
    choose("spinesPerPlane", Permute(3, LEVELS + 2, block)[c]);
    choose("sigma", Permute(2, LEVELS + 3, block)[s]);
    const uint32_t stratum = Permute(GROUP, STRATA, group)[inGroup];
    const auto [low, high] = m_recipe.GetRange("load");
    const double inStratum = GetVariable(LOAD, drawn.index)->GetValue(0, 1);
    drawn.recipe.Set("load", DcnToText(low + (high - low) * (stratum + inStratum) / GROUP));
}

void
DcnScenarioSuite::DrawNetwork(DcnSuiteScenario& drawn) const
{
    auto draw = [&](Drawn what, double low, double high) {
        return GetVariable(what, drawn.index)->GetValue(low, high);
    };
    auto set = [&](const char* key, double value) {
        drawn.recipe.Set(key, std::to_string(std::llround(value)));
    };
    auto drawIn = [&draw](Drawn what, const std::pair<double, double>& range) {
        return draw(what, range.first, range.second);
    };
    const NetworkRanges& ranges = *FindSuite(m_name)->network;
    // each congestion control once in as many consecutive scenarios as there are controls
    const auto controls = m_recipe.GetChoices("cc");
    const auto n = static_cast<uint32_t>(controls.size());
    const std::string& control = controls[Permute(n, CONTROL, drawn.index / n)[drawn.index % n]];
    drawn.recipe.Set("cc", control);
    set("window_bytes", drawIn(WINDOW, ranges.windowBytes));
    // the drawn value is for the shared part: the published simulator's reserves exceed its buffer,
    // and the difference wraps around, so that it has no limit at all
    set("buffer_bytes",
        std::round(drawIn(BUFFER_SIZE, ranges.bufferKib)) * 1024 +
            static_cast<double>(GetLargestReserve(*drawn.recipe.CreateParts().topology)));
    const bool pfc = !ranges.isPfcDrawn || draw(PFC, 0, 2) >= 1;
    set("pfc", control == "dcqcn" || pfc ? 1 : 0);
    if (control == "dctcp")
    {
        const double k = drawIn(THRESHOLD_LOW, ranges.dctcpBytes);
        set("ecn_kmin_bytes", k);
        set("ecn_kmax_bytes", k);
    }
    else if (control == "dcqcn")
    {
        // drawn at 25 Gb/s, stated at 10 Gb/s
        set("ecn_kmin_bytes", 0.4 * drawIn(THRESHOLD_LOW, ranges.dcqcnLow));
        set("ecn_kmax_bytes", 0.4 * drawIn(THRESHOLD_HIGH, ranges.dcqcnHigh));
    }
    else if (control == "timely")
    {
        set("timely_low_ns", draw(THRESHOLD_LOW, 40000, 60000));
        set("timely_high_ns", draw(THRESHOLD_HIGH, 100000, 150000));
    }
    else
    {
        const double eta = std::round(1000 * draw(THRESHOLD_LOW, 0.7, 0.95)) / 1000;
        drawn.recipe.Set("hpcc_eta", std::to_string(eta));
        set("hpcc_additive_increase_bps", std::round(draw(THRESHOLD_HIGH, 500, 1000)) * 1e6);
    }
}

void
DcnScenarioSuite::DrawAnywhere(DcnSuiteScenario& drawn) const
{
    const Space& space = *FindSuite(m_name)->space;
    const uint64_t i = drawn.index;
    SpaceScenario scenario(
        space,
        drawn,
        [this, i](uint32_t n, Drawn what) { return GetLevel(n, what, i); },
        [this, i](Drawn what, double low, double high) {
            return GetVariable(what, i)->GetValue(low, high);
        });
    scenario.DrawTopology(GetLearnedControls());
    scenario.DrawTraffic();
    const auto [least, most] = space.load;
    drawn.recipe.Set("sigma", DcnToText(GetSpread(SIGMA_ORDER, SIGMA, i, 0, 2)));
    drawn.recipe.Set("load", DcnToText(GetSpread(LOAD_ORDER, LOAD, i, least, most)));
    if (space.hasFewFlows)
    {
        DrawRegime(drawn);
    }
    scenario.DrawNetwork();
}

void
DcnScenarioSuite::DrawRegime(DcnSuiteScenario& drawn) const
{
    constexpr double MOST_FEW = 50;
    constexpr Range IDLE{0.001, 0.05};
    constexpr double FULL = 0.99; // a workload's load is below 1; headers come on top
    const auto draw = [&](Drawn what, const Range& range) {
        return GetVariable(what, drawn.index)->GetValue(range.first, range.second);
    };
    const uint32_t regime = GetLevel(3, REGIME, drawn.index);
    if (regime == 0)
    {
        const double nFlows = std::exp(draw(N_FLOWS, {0, std::log(MOST_FEW)}));
        drawn.recipe.Set("flows", std::to_string(std::llround(nFlows)));
    }
    else
    {
        drawn.recipe.Set("load", DcnToText(regime == 1 ? draw(LOAD, IDLE) : FULL));
    }
}

void
DcnScenarioSuite::DrawChoices(DcnSuiteScenario& drawn) const
{
    DcnScenarioRecipe& recipe = drawn.recipe;
    auto count = [&](const char* key) {
        return static_cast<uint32_t>(m_recipe.GetChoices(key).size());
    };
    auto choose = [&](const char* key, uint32_t level) {
        const auto choices = m_recipe.GetChoices(key);
        recipe.Set(key, choices[level % choices.size()]);
    };
    const uint32_t nKinds = count("topology");
    const uint32_t nPairs = nKinds * count("cc");
    const uint32_t triple = GetLevel(nPairs * count("sizes"), KIND, drawn.index);
    choose("topology", triple);
    choose("cc", triple / nKinds);
    choose("sizes", triple / nPairs);
    choose("hostRate", GetLevel(count("hostRate"), HOST_RATE, drawn.index));
    choose("matrix", GetLevel(count("matrix"), MATRIX, drawn.index));
    // all links of a fat tree have hostRate
    if (recipe.Get("topology") != "fat-tree")
    {
        const uint64_t hostBps = recipe.GetRate("hostRate").GetBitRate();
        recipe.Set("fabricRate", std::to_string(4 * hostBps) + "bps");
    }
    auto spread = [&](const char* key, Drawn order, Drawn what) {
        const auto [low, high] = m_recipe.GetRange(key);
        recipe.Set(key, DcnToText(GetSpread(order, what, drawn.index, low, high)));
    };
    spread("load", LOAD_ORDER, LOAD);
    spread("sigma", SIGMA_ORDER, SIGMA);
    drawn.matrix = recipe.Get("matrix");
}

DcnSuiteScenario
DcnScenarioSuite::Draw(uint64_t index) const
{
    if (index > MAX_INDEX)
    {
        DcnFail("a suite has at most ",
                MAX_INDEX + 1,
                " scenarios, but number ",
                index,
                " is asked for");
    }
    const bool isTable = m_name == "congestion-controls";
    const auto controls = m_recipe.GetChoices("cc");
    DcnSuiteScenario drawn{index, 0, m_recipe, "", "", "", "", "", 0, 0, ""};
    // in the table: equal flows for each congestion control
    const uint64_t flows = isTable ? index / controls.size() : index;
    drawn.seed = m_seed * (MAX_SEED + 1) + flows + 1;
    drawn.recipe.Set("seed", std::to_string(drawn.seed));
    if (isTable)
    {
        const auto loads = m_recipe.GetChoices("load");
        drawn.recipe.Set("load", loads[flows % loads.size()]); // after the table: other flows
        drawn.recipe.Set("cc", controls[index % controls.size()]);
        drawn.matrix = m_recipe.Get("matrix");
        if (!m_matrices.empty())
        {
            drawn.recipe.Set("matrix", GetMatrixFile(m_matrices, 'a'));
            drawn.matrix = "A";
        }
    }
    else if (FindSuite(m_name)->space)
    {
        DrawAnywhere(drawn);
    }
    else if (m_name == "tcp" || m_name == "defaults")
    {
        DrawChoices(drawn);
    }
    else
    {
        DrawTraffic(drawn);
    }
    if (FindSuite(m_name)->network)
    {
        DrawNetwork(drawn);
    }
    const DcnScenarioRecipe& recipe = drawn.recipe;
    if (!FindSuite(m_name)->space)
    {
        drawn.topology = recipe.Get("topology");
        drawn.hostGbps = DcnToText(static_cast<double>(recipe.GetRate("hostRate").GetBitRate()) / 1e9);
        // a fabric switch has links of one rate, to racks and to spines; leaf-spines and fat trees
        // of these suites have no oversubscription
        const uint64_t over =
            drawn.topology == "fabric"
                ? recipe.GetWhole("racksPerPod") / recipe.GetWhole("spinesPerPlane")
                : 1;
        drawn.oversubscription = std::to_string(over) + ":1";
    }
    drawn.sizes = recipe.Get("sizes");
    drawn.sigma = recipe.GetNumber("sigma");
    drawn.load = recipe.GetNumber("load");
    drawn.congestionControl = recipe.Get("cc");
    NS_LOG_INFO("scenario " << index << " of " << m_name << ": " << recipe.ToText());
    return drawn;
}

uint64_t
DcnScenarioSuite::GetNFlows(const DcnSuiteScenario& drawn) const
{
    if (drawn.recipe.IsSet("flows"))
    {
        return drawn.recipe.GetWhole("flows");
    }
    const auto parts = drawn.recipe.CreateParts();
    const auto matrix =
        DcnTrafficMatrix::Create(parts.spec.matrix, parts.topology, DcnRandom(drawn.seed));
    const auto& hosts = parts.topology->GetHosts();
    const DcnRouting routing(parts.topology, drawn.seed);
    double hops = 0;
    for (uint32_t source : hosts)
    {
        for (uint32_t destination : hosts)
        {
            const double share = matrix->GetPairShare(source, destination);
            hops += share > 0 ? share * routing.GetHops(source, destination) : 0;
        }
    }
    const double packets =
        DcnSizeDistribution::Create(drawn.sizes)->GetMean() / parts.network->payloadBytes + 0.5;
    const auto flows =
        static_cast<uint64_t>(std::llround(static_cast<double>(m_packetHops) / (packets * hops)));
    return std::clamp<uint64_t>(flows, 1, m_mostFlows);
}

Ptr<const DcnScenario>
DcnScenarioSuite::Create(const DcnSuiteScenario& drawn, DcnSuiteLoad& load) const
{
    auto parts = drawn.recipe.CreateParts();
    const Ptr<DcnTopology> topology = parts.topology;
    parts.spec.nFlows = GetNFlows(drawn);
    parts.spec.exactLoad = !drawn.recipe.IsSet("flows"); // a few flows have any load
    DcnWorkload workload = DcnWorkload::Generate(topology, parts.spec);
    const double spanNs = workload.load.spanNs;
    load.maxLoad = workload.load.realised.maxLoad;
    load.maxWireLoad = workload.load.realised.maxWireLoad;
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
                                        parts.network,
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
    // a seed that is unlikely in the suite
    const uint64_t seed = (scenario->GetSeed() + repetition * 0x9e3779b1ULL) & DcnRandom::MAX_SEED;
    return DcnScenario::CreateWithPaths(scenario->GetTopologyPtr(),
                                        scenario->GetNetworkConfig(),
                                        std::move(flows),
                                        std::move(paths),
                                        seed);
}

} // namespace ns3

/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef DCN_SCENARIO_SUITE_H
#define DCN_SCENARIO_SUITE_H

#include "dcn-scenario-recipe.h"

#include "ns3/random-variable-stream.h"

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace ns3
{

/**
 * @ingroup dcn
 * @brief A scenario of a suite: a recipe without ranges and choices, and its levels for tables.
 */
struct DcnSuiteScenario
{
    uint64_t index;           //!< number in the suite
    uint64_t seed;            //!< seed of flows, ECMP paths and marking
    DcnScenarioRecipe recipe; //!< all keys except the number of flows (GetNFlows)
    std::string
        oversubscription; //!< oversubscription of fabric switches towards spines: 1:1, 2:1 or 4:1
    std::string topology; //!< kind of the network, key topology
    std::string hostGbps; //!< rate of hosts' links [Gb/s]
    std::string matrix;   //!< A, B, C (files), else the kind of matrix
    std::string sizes;    //!< name of a DcnSizeDistribution
    double sigma;         //!< shape of log-normal gaps
    double load;          //!< payload load of the most loaded link
    std::string congestionControl; //!< key cc
};

/**
 * @ingroup dcn
 * @brief Actual loads of a scenario.
 */
struct DcnSuiteLoad
{
    double maxLoad;     //!< payload of the most loaded link / (its rate * span)
    double maxWireLoad; //!< with headers; the most loaded link may differ
    double topLoad;     //!< mean payload load of the most loaded 10 % of the directed links
};

/**
 * @ingroup dcn
 * @brief Seeded scenarios for comparisons of methods; each depends only on suite, seed and index. A
 * suite is a recipe (DcnScenarioRecipe) whose choices and ranges are drawn by a design, not
 * independently.
 *
 * - `sensitivity`: the sample space of Parsimon (section 5.3): oversubscription {1:1, 2:1, 4:1} x
 *   matrix {A, B, C} x sizes {cache-follower, web-server, hadoop} x sigma {1, 2} x load in
 *   [0.25, 0.80] on 2 pods x 16 racks x 8 hosts, DCTCP with the parameters of the evaluations.
 * - `congestion-controls`: Parsimon's table 5: matrix A, hadoop, sigma 1, 2:1, with the loads 0.45,
 *   0.56 and 0.67, each with dctcp, timely, dcqcn and hpcc (with equal flows).
 * - `network-configurations`: the flows of `sensitivity` (index by index), with congestion control,
 *   window, buffer, PFC and thresholds drawn as for m3's evaluation (section 5).
 * - `m3-test-set`: the test set of m3's section 5.2 (192 scenarios): the flows of `sensitivity`
 *   with DCTCP, window in [5, 30] KB, K in [5, 20] KB, PFC on or off, a shared buffer of 400 KiB.
 * - `m4-test-set`: the test set of m4's section 5.3 (100 scenarios): 4 pods x 16 racks x 16 hosts,
 *   links of 10 Gb/s, four fabric switches a pod, at most 20,000 flows, load in [0.3, 0.8], with
 *   {dctcp, timely, dcqcn}, window in [5, 15] KB, shared buffer of 100 to 160 KiB, K in [10, 30]
 * KB, Kmin in [10, 30] and Kmax in [30, 50] KB (at 25 Gb/s, as in m3's), PFC on.
 * - `anywhere`: what users have, and no rule or model was made on: topology {fabric, leaf-spine,
 * fat tree, dumbbell, parking lot} x congestion control {dctcp, dcqcn, timely, hpcc}, each pair
 * once in 20 scenarios; hosts' links of {10, 25, 40, 50, 100, 200} Gb/s, between switches {1, 2, 4}
 *   times as fast, at most 400 Gb/s; delays {0.5, 1, 2} us; oversubscription {1:1, 2:1, 4:1}; 6 to
 *   128 hosts (HPCC: parking lots of at most 5 switches); all empirical sizes and {exp, lognorm,
 *   pareto} with THETA in [5000, 50000]; matrix {uniform, permutation, all-to-all, incast of a
 *   quarter to three quarters of the hosts, database, web, hadoop}; sigma in [0, 2], load in [0.2,
 *   0.85]. With T the round trip of the longest path and B its bandwidth-delay product at the
 *   hosts' rate: windows of 1 to 2 B; K and Kmin of 0.3 to 1.5 B at each port's rate, Kmax of 2 to
 *   5 Kmin; Tlow of 2 to 4 T, Thigh of 2 to 3 Tlow; shared buffers of 200 to 500 KB per 10 Gb/s
 *   beside the reserves. n levels come once each in n consecutive scenarios; sigma and load in each
 *   sixth of their range in 6. At most 300,000 flows; a dumbbell has matrix uniform in place of the
 *   three of racks. Seeds 1 to 3 are to be looked at; seed 4 is the test, run once.
 * - `fast`: as anywhere, on hosts' links of {100, 200, 400, 800, 1600} Gb/s, with payloads of
 * {1000, 4096} bytes, 4 to 16 hosts a rack and topology {fabric, leaf-spine, fat tree}. Rails are
 *   leaf-spines here: each leaf is the switch of a rail.
 * - `small`: as anywhere, with few hosts: topology {one switch of 3 to 16 hosts, leaf-spine of 2 to
 *   4 leaves with 1 to 8 hosts, dumbbell of 1 to 8 hosts a side, parking lot of 1 to 4 hosts a
 *   switch}, hosts' links of {10, 25, 100} Gb/s, matrix {uniform, permutation, all-to-all, incast},
 *   load in [0.3, 0.95], at most 100,000 flows.
 * - `degenerate`: as anywhere, in regimes that come once each in three consecutive scenarios: 1 to
 *   50 flows; an idle network, load in [0.001, 0.05]; a full one, load 0.99. Hosts' links of {10, 25,
 *   100, 400} Gb/s, payloads of {1000, 4096} bytes, 1 to 8 hosts a switch, at most 50,000 flows.
 *
 *   Of these three, seeds 1 to 3 are to be looked at; seed 4 is the test, run once.
 * - `tcp`: networks for the truth `tcp` (dcn-tcp), whose simulations take 40 times as long:
 * topology {fabric of 32 hosts, fat tree of 16} x sizes {web-server, google-rpc, cache-follower,
 * hadoop}, each pair once in 8 scenarios; uniform matrix, load in [0.2, 0.7], each sixth of the
 * range once in 6; thresholds of DCTCP and all else by default; at most 10,000 flows.
 * - `defaults`: the network of dcn-compare without options, and what users change first: topology
 *   {fabric, leaf-spine, fat tree of 16 hosts} x congestion control {dctcp, dcqcn, timely, hpcc} x
 *   sizes {web-server, google-rpc, cache-follower, hadoop}, each triple once in 48 scenarios;
 *   hosts' links of {10, 25, 100} Gb/s; links between switches of fabric and leaf-spine are four
 *   times as fast; matrix {uniform, database, web, hadoop}, sigma in [0, 2], load in [0.2, 0.8];
 *   all else by default; at most 20,000 flows.
 * - `smoke`: as sensitivity, with 32 hosts and small flows: for quick tests.
 *
 * *Design.* With independent draws, factors are confounded by chance in as few as 48 scenarios (the
 * published 192 have 56 to 70 of each matrix). Scenarios are therefore drawn in blocks of 18, an
 * orthogonal array of strength 2. With a, b in {0, 1, 2} and s in {0, 1}, the levels are
 *
 *     matrix a, sizes b, sigma s, oversubscription a + b (s = 0) or a + 2 b (s = 1) modulo 3,
 *
 * so that every pair of levels of two factors is equally frequent in a block. Rows with equal a + 2
 * b (s = 0) or a + b (s = 1) modulo 3 form a group of 6 consecutive scenarios, in which every level
 * of every factor is equally frequent. The assignment of numbers to levels and the order in a group
 * are random. The loads of a group are uniform in the six equal parts of the range, in random
 * order. In each scenario, every load of the range is thus equally likely.
 *
 * *Size.* The number of flows is such that the packet engine is expected to need packetHops data
 * packets times links:
 *
 *     n = packetHops / ((E[S] / M + 1/2) * E[links of a path]),
 *
 * with the mean size E[S], packets of M bytes the last one half full on average.
 *
 * *Load.* Few flows with heavy-tailed sizes have other loads than expected, from half to three
 * times as much with 20,000 flows, and possibly above 100 %. The starts of the flows are therefore
 * scaled by (generated load of the most loaded link) / (specified load): the load is then exact
 * over the flows' span, and the shape of the gaps is preserved.
 */
class DcnScenarioSuite
{
  public:
    static constexpr uint64_t MAX_SEED = 65535;  //!< largest seed of a suite
    static constexpr uint64_t MAX_INDEX = 65533; //!< largest index

    /// @return names of the suites
    static const std::vector<std::string>& GetNames();

    /**
     * @param name of a suite
     * @return whether it has the racks of rack-matrix-{a,b,c}-32.csv
     */
    static bool TakesMatrices(const std::string& name);

    /**
     * @param name of the suite
     * @param seed seed of all draws, at most MAX_SEED
     * @param packetHops see the class; 0: that of the suite, mostly 60 million
     * @param matrices folder of rack-matrix-{a,b,c}-32.csv; empty: generated matrices
     * @param mostFlows limit of the number of flows; 0: that of the suite
     * @throws DcnError for an unknown name, a seed that is too large, or a missing file
     */
    DcnScenarioSuite(const std::string& name,
                     uint64_t seed,
                     uint64_t packetHops = 0,
                     const std::string& matrices = "",
                     uint64_t mostFlows = 0);

    /// @return the default number of scenarios of an evaluation
    uint64_t GetDefaultN() const;

    /**
     * @return the congestion controls that suites draw and learned methods know: dctcp, dcqcn,
     * timely, hpcc. The order is their code in data sets and features of models
     */
    static const std::vector<std::string>& GetLearnedControls();

    /// @return the congestion controls of its scenarios
    std::vector<std::string> GetCongestionControls() const;

    /**
     * @return keys and values that determine the scenarios: suite, seed, packet_hops, matrices
     * ("generated" or a hash of the three files)
     */
    std::vector<std::pair<std::string, std::string>> GetOptions() const;

    /**
     * @param index number of a scenario, at most MAX_INDEX
     * @return the drawn scenario
     * @throws DcnError if the index is too large
     */
    DcnSuiteScenario Draw(uint64_t index) const;

    /**
     * @param drawn a scenario of Draw
     * @return its number of flows
     */
    uint64_t GetNFlows(const DcnSuiteScenario& drawn) const;

    /**
     * @brief Create a scenario.
     * @param drawn a scenario of Draw
     * @param load set to its loads
     * @return the scenario
     */
    Ptr<const DcnScenario> Create(const DcnSuiteScenario& drawn, DcnSuiteLoad& load) const;

    /**
     * @brief Repeat a scenario with unpredictable changes: each flow starts up to a
     * microsecond later (about one packet of a host), and the marking has another seed.
     *
     * The difference between the packet engine's answers to both is the noise floor: no method can
     * be expected to have smaller errors.
     *
     * @param scenario its flows have the ids 0, 1, ... in their order
     * @param repetition from 2
     * @return the scenario; ids are those of the given one, the order may differ
     */
    static Ptr<const DcnScenario> Repeat(Ptr<const DcnScenario> scenario, uint32_t repetition);

  private:
    /// Returns the variable of a purpose for a group of scenarios.
    Ptr<UniformRandomVariable> GetVariable(uint32_t what, uint64_t group) const;
    /// Returns 0 .. n - 1 in random order.
    std::vector<uint32_t> Permute(uint32_t n, uint32_t what, uint64_t group) const;
    /// Chooses matrix, sizes, sigma, oversubscription and load by the design.
    void DrawTraffic(DcnSuiteScenario& drawn) const;
    /// Draws a network configuration.
    void DrawNetwork(DcnSuiteScenario& drawn) const;
    /// Draws a scenario of the suites anywhere, fast, small and degenerate.
    void DrawAnywhere(DcnSuiteScenario& drawn) const;
    /// Draws the regime of a scenario of the suite degenerate: few flows, idle or full.
    void DrawRegime(DcnSuiteScenario& drawn) const;
    /// Draws a scenario of the suites tcp and defaults from the choices and ranges of its recipe.
    void DrawChoices(DcnSuiteScenario& drawn) const;
    /// Returns a level below n: each once in n consecutive scenarios.
    uint32_t GetLevel(uint32_t n, uint32_t what, uint64_t index) const;
    /// Returns a value of a range: one in each sixth of it in 6 consecutive scenarios.
    double GetSpread(uint32_t order, uint32_t what, uint64_t index, double low, double high) const;

    std::string m_name;         //!< of the suite
    uint64_t m_seed;            //!< of the suite
    uint64_t m_packetHops;      //!< see GetNFlows
    uint64_t m_mostFlows;       //!< limit of GetNFlows
    std::string m_matrices;     //!< folder, or empty
    DcnScenarioRecipe m_recipe; //!< of all scenarios
};

} // namespace ns3

#endif /* DCN_SCENARIO_SUITE_H */

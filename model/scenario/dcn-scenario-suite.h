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
    uint64_t index;                //!< number in the suite
    uint64_t seed;                 //!< of flows, ECMP paths and marking
    DcnScenarioRecipe recipe;      //!< all keys but the number of flows (GetNFlows)
    std::string oversubscription;  //!< of fabric switches towards spines: 1:1, 2:1 or 4:1
    std::string matrix;            //!< A, B, C (files) or database, web, hadoop (generated)
    std::string sizes;             //!< name of a DcnSizeDistribution
    double sigma;                  //!< shape of log-normal gaps
    double load;                   //!< payload load of the most loaded link
    std::string congestionControl; //!< key cc
};

/**
 * @ingroup dcn
 * @brief Loads of a scenario as it is.
 */
struct DcnSuiteLoad
{
    double maxLoad;     //!< payload of the most loaded link / (its rate * span)
    double maxWireLoad; //!< with headers, of the link that is then the hottest
    double topLoad;     //!< mean payload load of the most loaded 10 % of the directed links
};

/**
 * @ingroup dcn
 * @brief Seeded scenarios on which methods are compared; each depends on suite, seed and index
 * alone. A suite is a recipe (DcnScenarioRecipe) whose choices and ranges are not drawn
 * independently, but by a design.
 *
 * - `sensitivity`: the sample space of Parsimon (section 5.3): oversubscription {1:1, 2:1, 4:1} x
 *   matrix {A, B, C} x sizes {cache-follower, web-server, hadoop} x sigma {1, 2} x load in
 *   [0.25, 0.80] on 2 pods x 16 racks x 8 hosts, DCTCP with the parameters of the evaluations.
 * - `congestion-controls`: Parsimon's table 5: matrix A, hadoop, sigma 1, 2:1, with the loads 0.45,
 *   0.56 and 0.67, each with dctcp, timely, dcqcn and hpcc (the same flows).
 * - `network-configurations`: the flows of `sensitivity` (index by index), with congestion control,
 *   window, buffer, PFC and thresholds drawn as for m3's evaluation (section 5).
 * - `smoke`: as sensitivity, with 32 hosts and small flows: a test of the machinery.
 *
 * *Design.* Independent draws leave factors confounded by chance in as few as 48 scenarios (the
 * published 192 have 56 to 70 of each matrix). Scenarios are therefore drawn in blocks of 18, an
 * orthogonal array of strength 2. With a, b in {0, 1, 2} and s in {0, 1}, the levels are
 *
 *     matrix a, sizes b, sigma s, oversubscription a + b (s = 0) or a + 2 b (s = 1) modulo 3,
 *
 * so that every pair of levels of two of the factors comes equally often in a block. Rows with the
 * same a + 2 b (s = 0) or a + b (s = 1) modulo 3 make a group of 6 consecutive scenarios, in which
 * every level of every factor comes equally often. Which level a number stands for, and the order
 * inside a group, are random. The loads of a group are uniform in its six equal parts of the
 * range, in random order. With these, every load in the range is equally likely in each scenario.
 *
 * *Size.* A scenario has as many flows as the packet engine is expected to need packetHops data
 * packets times links for:
 *
 *     n = packetHops / ((E[S] / M + 1/2) * E[links of a path]),
 *
 * with the mean size E[S], packets of M bytes and the last one half full on average.
 *
 * *Load.* Few flows of sizes with a heavy tail bring other loads than expected, from half to three
 * times as much with 20,000 flows, and a network above 100 % was not asked for. The starts
 * of the flows are therefore stretched by (load of the most loaded link as generated) / (load
 * asked for): it is then exact over the flows' span, and the shape of the gaps stays.
 */
class DcnScenarioSuite
{
  public:
    static constexpr uint64_t MAX_SEED = 65535;  //!< largest seed of a suite
    static constexpr uint64_t MAX_INDEX = 65533; //!< largest index

    /// @return names of the suites
    static const std::vector<std::string>& GetNames();

    /**
     * @param name of the suite
     * @param seed of everything that is drawn, at most MAX_SEED
     * @param packetHops see the class; 0: 60 million (smoke: 300,000)
     * @param matrices folder of rack-matrix-{a,b,c}-32.csv; empty: generated matrices
     * @throws DcnError for an unknown name, a seed that is too large, or a file that is not there
     */
    DcnScenarioSuite(const std::string& name,
                     uint64_t seed,
                     uint64_t packetHops = 0,
                     const std::string& matrices = "");

    /// @return the number of scenarios that an evaluation takes by default
    uint64_t GetDefaultN() const;

    /**
     * @return key and value of all that the scenarios depend on: suite, seed, packet_hops, matrices
     * ("generated" or a hash of the three files)
     */
    std::vector<std::pair<std::string, std::string>> GetOptions() const;

    /**
     * @param index number of a scenario, at most MAX_INDEX
     * @return the scenario that is drawn
     * @throws DcnError if the index is too large
     */
    DcnSuiteScenario Draw(uint64_t index) const;

    /**
     * @param drawn a scenario of Draw
     * @return its number of flows
     */
    uint64_t GetNFlows(const DcnSuiteScenario& drawn) const;

    /**
     * @brief Make a scenario.
     * @param drawn a scenario of Draw
     * @param load set to its loads
     * @return the scenario
     */
    Ptr<const DcnScenario> Create(const DcnSuiteScenario& drawn, DcnSuiteLoad& load) const;

    /**
     * @brief Repeat a scenario with changes that no method can know of: each flow starts up to a
     * microsecond later (about one packet of a host), and the marking has another seed.
     *
     * The difference between the packet engine's answers to both is the noise floor: no method can
     * be expected to be closer.
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

    std::string m_name;         //!< of the suite
    uint64_t m_seed;            //!< of the suite
    uint64_t m_packetHops;      //!< see GetNFlows
    std::string m_matrices;     //!< folder, or empty
    DcnScenarioRecipe m_recipe; //!< of all scenarios
};

} // namespace ns3

#endif /* DCN_SCENARIO_SUITE_H */

/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef DCN_SCENARIO_RECIPE_H
#define DCN_SCENARIO_RECIPE_H

#include "dcn-scenario.h"

#include "ns3/dcn-recipe.h"
#include "ns3/dcn-workload.h"

#include <cstdint>
#include <optional>
#include <string>

namespace ns3
{

/**
 * @ingroup dcn
 * @brief The recipe of a scenario: topology, workload, network configuration.
 *
 * Keys are the command-line options of the programs (GetKeys) and the keys of network.csv. With
 * `scenario`, a scenario directory, only the key `seed` has an effect. The default is the scenario
 * of dcn-compare without options: 2000 web-server flows on a fabric of 32 hosts, DCTCP, 50 % load.
 */
class DcnScenarioRecipe : public DcnRecipe
{
  public:
    /// The parts of a scenario, before flows are drawn.
    struct Parts
    {
        Ptr<DcnTopology> topology;     //!< the network
        Ptr<DcnNetworkConfig> network; //!< the configuration
        DcnWorkloadSpec spec;          //!< the flows to draw
    };

    /**
     * @param assignments see SetAll
     * @param prefix of keys in messages: "--" for command-line options
     * @throws DcnError as SetAll
     */
    explicit DcnScenarioRecipe(const std::string& assignments = "", const std::string& prefix = "");

    /** @return the table of keys. */
    static const Keys& GetKeys();

    /**
     * @brief Set keys of network.csv only, as in "window_bytes=9000,pfc=0".
     * @param assignments key=value joined by commas
     * @throws DcnError as SetAll, and for another key
     */
    void SetNetwork(const std::string& assignments);

    /** @return the keys of network.csv that were set, in the form of SetNetwork. */
    std::string GetNetworkText() const;

    /**
     * @brief Replace all ranges and choices by single values.
     * @param seed key `seed` of the result
     * @return a recipe of one scenario
     * @throws DcnError for a key that was set without effect
     */
    DcnScenarioRecipe Draw(uint64_t seed) const;

    /**
     * @brief Draw by the key `seed`, and create the parts of the scenario.
     * @return the parts
     * @throws DcnError for parts that do not match, and for a scenario directory, whose flows are
     * fixed
     */
    Parts CreateParts() const;

    /**
     * @brief Draw by the key `seed`, and create the scenario.
     * @param load set to the load report of the workload; none for a scenario directory
     * @return the scenario
     * @throws DcnError for parts that do not match
     */
    Ptr<const DcnScenario> Create(std::optional<DcnLoadReport>* load = nullptr) const;

  private:
    /// @return the topology of a drawn recipe
    Ptr<DcnTopology> CreateTopology() const;
};

} // namespace ns3

#endif /* DCN_SCENARIO_RECIPE_H */

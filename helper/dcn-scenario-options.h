/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef DCN_SCENARIO_OPTIONS_H
#define DCN_SCENARIO_OPTIONS_H

#include "ns3/command-line.h"
#include "ns3/dcn-scenario-recipe.h"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup dcn
 * @brief Command-line options that describe the scenario to estimate, shared by all programs: the
 * keys of a DcnScenarioRecipe, and --network=key=value,... for those of network.csv.
 *
 * Values are single ones: an option without effect on the scenario is refused, and so is a range or
 * a choice of a recipe (--load=0.3:0.8, --cc=dctcp+hpcc), of which a scenario has one value. With
 * --draw they are drawn by --seed.
 */
class DcnScenarioOptions
{
  public:
    using Parts = DcnScenarioRecipe::Parts; //!< the parts of a scenario

    /**
     * @brief Declare the options.
     * @param cmd the program's command line
     * @param defaults the program's own defaults by option; they hold where the option has an
     * effect, in place of those of the recipe
     */
    void AddTo(CommandLine& cmd, const std::map<std::string, std::string>& defaults = {});

    /**
     * @brief Create the scenario of the options; call it after parsing.
     * @return the scenario
     * @throws DcnError for a bad value or an option without effect
     */
    Ptr<const DcnScenario> Create() const;

    /**
     * @return the recipe of the scenario that Create makes: that of MakeRecipe with the values that
     * were drawn
     * @throws DcnError as Create
     */
    DcnScenarioRecipe MakeDrawnRecipe() const;

    /**
     * @brief Create the parts of the scenario, for programs that draw flows repeatedly.
     * @param congestionControl replaces --cc, which may then be a list; empty: --cc
     * @return the parts
     * @throws DcnError as Create, and for --scenario, whose flows are fixed
     */
    Parts CreateParts(const std::string& congestionControl = "") const;

    /**
     * @param congestionControl see CreateParts
     * @return the recipe of the options
     * @throws DcnError for a bad value
     */
    DcnScenarioRecipe MakeRecipe(const std::string& congestionControl = "") const;

    /**
     * @brief Read an option as a list, for programs that use several values.
     * @param name of the option, without dashes
     * @return its parts between commas; none if it was not given
     * @throws DcnError for a repeated part
     */
    std::vector<std::string> GetList(const std::string& name) const;

    /**
     * @brief Set an option as on the command line.
     * @param name of the option, without dashes
     * @param value its value; empty: not given
     */
    void Set(const std::string& name, const std::string& value);

    /**
     * @return the load report of the workload generator, none for a scenario directory; set by
     * Create
     */
    const std::optional<DcnLoadReport>& GetLoadReport() const;

  private:
    /// Refuses ranges and choices unless --draw is given.
    void RefuseDraws(const DcnScenarioRecipe& recipe) const;

    std::map<std::string, std::string> m_values;       //!< by option; empty: not given
    bool m_isDrawn{false};                             //!< --draw
    std::map<std::string, std::string> m_defaults;     //!< the program's, by option
    mutable std::optional<DcnLoadReport> m_loadReport; //!< see GetLoadReport
};

} // namespace ns3

#endif /* DCN_SCENARIO_OPTIONS_H */

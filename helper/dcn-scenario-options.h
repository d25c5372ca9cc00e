/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef DCN_SCENARIO_OPTIONS_H
#define DCN_SCENARIO_OPTIONS_H

#include "ns3/command-line.h"
#include "ns3/dcn-scenario-recipe.h"
#include "ns3/dcn-sweep.h"

#include <cstdint>
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
 * --draw they are drawn by --seed. Several values joined by commas (--cc=dctcp,hpcc) are several
 * scenarios: Split takes them apart.
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
     * @return its values between commas; none if it was not given
     * @throws DcnError for an empty and for a repeated value
     */
    std::vector<std::string> GetList(const std::string& name) const;

    using Key = DcnSweep::Key; //!< what tells a scenario from the others of Split

    /// One of several scenarios.
    struct Variant;

    /**
     * @brief Make a scenario of each combination of the values that options have.
     * @param nSeeds number of seeds for each combination, from --seed on
     * @return the scenarios, seeds one after the other; one without keys if each option has one
     * value, and there is one seed
     * @throws DcnError for an empty or a repeated value, and for several values of --seed with
     * several seeds
     */
    std::vector<Variant> Split(uint64_t nSeeds) const;

    /**
     * @brief Set an option as on the command line.
     * @param name of the option, without dashes
     * @param value its value; empty: not given
     */
    void Set(const std::string& name, const std::string& value);

    /** @return whether --seed draws values of options (--draw). */
    bool IsDrawn() const;

    /**
     * @return the load report of the workload generator, none for a scenario directory; set by
     * Create
     */
    const std::optional<DcnLoadReport>& GetLoadReport() const;

  private:
    /// Refuses several values joined by commas.
    void RefuseList(const std::string& name, const std::string& value) const;
    /// Refuses ranges and choices unless --draw is given, and --draw without any.
    void RefuseDraws(const DcnScenarioRecipe& recipe) const;

    std::map<std::string, std::string> m_values;       //!< by option; empty: not given
    bool m_isDrawn{false};                             //!< --draw
    std::map<std::string, std::string> m_defaults;     //!< the program's, by option
    mutable std::optional<DcnLoadReport> m_loadReport; //!< see GetLoadReport
};

/// One of several scenarios.
struct DcnScenarioOptions::Variant
{
    std::vector<Key> keys;      //!< with "seed" at the end if there are several seeds
    DcnScenarioOptions options; //!< of this scenario alone

    /** @return the keys as text: "cc=hpcc,seed=2"; empty without keys. */
    std::string Describe() const;

    /** @return the keys as the name of a folder: "cc-hpcc_seed-2"; empty without keys. */
    std::string GetFolder() const;
};

} // namespace ns3

#endif /* DCN_SCENARIO_OPTIONS_H */

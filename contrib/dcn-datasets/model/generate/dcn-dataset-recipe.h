/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef DCN_DATASET_RECIPE_H
#define DCN_DATASET_RECIPE_H

#include "ns3/dcn-recipe.h"
#include "ns3/dcn-scenario.h"

#include <string>
#include <utility>
#include <vector>

namespace ns3
{

/**
 * @ingroup dcn-dataset
 * @brief The rules by which the samples of a data set are drawn.
 *
 * There are two kinds of samples: `path`, the parking lots on which m3 is trained, and `fabric`,
 * the small fabrics on which m4 is trained. Each has two recipes: `published`, the rules of the
 * papers and their generators, and `reduced`, the default, with the corrections that doc/schema.rst
 * lists and a fraction of the cost. A rule is a key of a DcnRecipe, its default is its value in the
 * recipe, and each can be changed (Set, SetAll).
 */
class DcnDatasetRecipe : public DcnRecipe
{
  public:
    /**
     * @param kind path or fabric
     * @param recipe reduced or published
     * @throws DcnError for another kind or recipe
     */
    explicit DcnDatasetRecipe(const std::string& kind, const std::string& recipe = "reduced");

    /// Name of the sampler of a scenario.
    static constexpr const char* SCENARIO = "scenario";
    /// Name of the sampler of suites.
    static constexpr const char* SUITE = "suite";

    /**
     * @brief The rules of a data set that repeats the flows of one scenario with drawn
     * configurations; its kind is fabric.
     * @param folder a scenario directory; its name and a digest are recorded
     * @param recipe reduced or published, those of the kind fabric
     * @return the rules of congestion controls and their configurations
     * @throws DcnError if the directory cannot be read, or for another recipe
     */
    static DcnDatasetRecipe OfScenario(const std::string& folder,
                                       const std::string& recipe = "reduced");

    /**
     * @brief The rules of a data set whose samples are scenarios of a suite (DcnScenarioSuite), with
     * fewer flows; its kind is fabric, whatever their topologies are.
     * @param suite name of the suite
     * @return the rules of their sizes
     * @throws DcnError if there is no such suite
     */
    static DcnDatasetRecipe OfSuite(const std::string& suite);

    /** @return the suite that scenarios are drawn from; empty where rules draw them. */
    const std::string& GetSuite() const
    {
        return m_suite;
    }

    /** @return the congestion controls of the samples: those of the suite, or of the rule cc. */
    std::vector<std::string> GetCongestionControls() const;

    /** @return name of the sampler: path, fabric, SCENARIO or SUITE. */
    const std::string& GetSampler() const
    {
        return m_table;
    }

    /** @return the scenario that is repeated; null where flows are drawn. */
    Ptr<const DcnScenario> GetScenario() const
    {
        return m_scenario;
    }

    /** @return path or fabric. */
    const std::string& GetKind() const
    {
        return m_kind;
    }

    /** @return reduced or published. */
    const std::string& GetName() const
    {
        return m_name;
    }

    /** @return options of the program dcn-dataset for this recipe, one per changed rule. */
    std::string GetCommandOptions() const;

    /** @return all rules in a fixed order, keys and values, those without effect included. */
    std::vector<std::pair<std::string, std::string>> GetRules() const;

    /**
     * @brief The rules of a kind: value in the recipe reduced, meaning, changes of published.
     * @param kind path, fabric, SCENARIO or SUITE
     * @return lines for --help
     */
    static std::string Describe(const std::string& kind);

  private:
    /**
     * @param table of its rules: path, fabric, SCENARIO or SUITE
     * @param kind path or fabric
     * @param recipe reduced or published
     */
    DcnDatasetRecipe(const std::string& table, const std::string& kind, const std::string& recipe);

    std::string m_table;               //!< see the constructor
    std::string m_kind;                //!< path or fabric
    std::string m_name;                //!< see GetName
    Ptr<const DcnScenario> m_scenario; //!< see GetScenario
    std::string m_scenarioName;        //!< last part of its folder
    std::string m_suite;               //!< see GetSuite
};

} // namespace ns3

#endif /* DCN_DATASET_RECIPE_H */

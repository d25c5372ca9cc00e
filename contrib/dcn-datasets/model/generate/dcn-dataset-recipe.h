/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef DCN_DATASET_RECIPE_H
#define DCN_DATASET_RECIPE_H

#include "ns3/dcn-random.h"

#include <cstdint>
#include <map>
#include <set>
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
 * lists and a fraction of the cost. A recipe is a list of rules, key=value; each can be changed.
 *
 * A rule for numbers is one number, a range LOW:HIGH that is drawn from uniformly, or a list
 * A+B+C whose elements are equally likely. Other rules are a word, or a list of names.
 */
class DcnDatasetRecipe
{
  public:
    /**
     * @param kind path or fabric
     * @param recipe reduced or published
     * @throws DcnError for another kind or recipe
     */
    explicit DcnDatasetRecipe(const std::string& kind, const std::string& recipe = "reduced");

    /**
     * @brief Change rules, as in "theta=5000:50000,weights=published".
     * @param assignments key=value joined by commas; empty: nothing is changed
     * @throws DcnError for an unknown key, a bad value, or a rule that another rule overrides
     */
    void Set(const std::string& assignments);

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

    /** @return all rules in a fixed order, keys and values. */
    std::vector<std::pair<std::string, std::string>> GetRules() const;

    /**
     * @brief One line per rule of a kind: key, values of both recipes, meaning.
     * @param kind path or fabric
     * @return the lines, for --help
     */
    static std::string Describe(const std::string& kind);

    /**
     * @param key a rule of this kind
     * @return its value, as text
     */
    const std::string& Get(const std::string& key) const;

    /**
     * @param key a rule that is a list
     * @return its elements
     */
    std::vector<std::string> GetList(const std::string& key) const;

    /**
     * @brief Draw a number by a rule.
     * @param key a rule for numbers
     * @param random the seed
     * @param purpose DATASET_WORKLOAD or DATASET_NETWORK
     * @return the number; a whole number if the rule is for whole numbers
     */
    double Draw(const std::string& key, const DcnRandom& random, DcnPurpose purpose) const;

    /**
     * @brief Draw an element of a list.
     * @param key a rule that is a list
     * @param random the seed
     * @param purpose DATASET_WORKLOAD or DATASET_NETWORK
     * @return its position
     */
    std::size_t DrawIndex(const std::string& key,
                          const DcnRandom& random,
                          DcnPurpose purpose) const;

    /**
     * @brief Make the random variable of a rule. Each rule has a stream of its own, so that its
     * draws do not depend on other rules.
     * @param key name of the rule, or of another quantity that is drawn
     * @param random the seed
     * @param purpose DATASET_WORKLOAD or DATASET_NETWORK
     * @return uniform in [0, 1)
     */
    static Ptr<UniformRandomVariable> GetVariable(const std::string& key,
                                                  const DcnRandom& random,
                                                  DcnPurpose purpose);

  private:
    std::string m_kind;                          //!< path or fabric
    std::string m_name;                          //!< see GetName
    std::map<std::string, std::string> m_values; //!< by key
    std::set<std::string> m_changed;             //!< keys given to Set
};

} // namespace ns3

#endif /* DCN_DATASET_RECIPE_H */

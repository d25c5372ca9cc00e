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
 * @ingroup dcn-packet
 * @brief The rules by which the samples of a data set are drawn.
 *
 * There are two kinds of samples: `path`, the parking lots on which m3 is trained, and `fabric`,
 * the small fabrics on which m4 is trained; and two recipes for each: `published`, the rules of the
 * papers and their generators, and `reduced`, ours, which corrects what doc/schema.rst lists and
 * needs a fraction of the time. A recipe is a list of rules, key=value, any of which can be
 * changed.
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
     * @throws DcnError for an unknown key, a bad value, or a rule that another one overrules
     */
    void Set(const std::string& assignments);

    /** @return path or fabric. */
    const std::string& GetKind() const;

    /** @return reduced or published. */
    const std::string& GetName() const;

    /** @return options of dcn-dataset that give this recipe, one per rule that was changed. */
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
     * @return its value as it was given
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
     * @return the number, a whole one if the rule is about whole numbers
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
     * @brief The variable of a rule: each has a stream of its own, so that what one rule draws does
     * not depend on the others.
     * @param key name of the rule, or of something else that is drawn
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

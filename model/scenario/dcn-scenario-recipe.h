/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef DCN_SCENARIO_RECIPE_H
#define DCN_SCENARIO_RECIPE_H

#include "dcn-scenario.h"

#include "ns3/data-rate.h"
#include "ns3/dcn-random.h"
#include "ns3/dcn-workload.h"
#include "ns3/nstime.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace ns3
{

/**
 * @ingroup dcn
 * @brief One key of a recipe: a row of the table of keys.
 *
 * A name may have several rows, whose conditions exclude each other: its default and its meaning
 * then depend on an earlier key (--hostsPerRack is 4 in a fabric and 10 in a dumbbell).
 */
struct DcnRecipeKey
{
    /// Kinds of values.
    enum Type : uint8_t
    {
        WHOLE,  //!< whole numbers from 0
        SINGLE, //!< one whole number, which is never drawn: a seed
        NUMBER, //!< numbers
        RATE,   //!< data rates with a unit, such as 10Gbps; numbers are in bit/s
        TIME,   //!< times with a unit (ns, us, ms, s); numbers are in nanoseconds
        WORD,   //!< one of some words
        TEXT    //!< any text without commas, such as a name or a path
    };

    std::string name;    //!< of the key
    Type type;           //!< of its values
    std::string value;   //!< default; empty: the key has no value unless it is set
    double least{0};     //!< smallest number
    double most{0};      //!< largest number
    std::string words;   //!< of WORD: the words, joined by '+'
    std::string only;    //!< condition "key=a+b": another key has one of these values
    std::string meaning; //!< a few words for --help
    bool isOption{true}; //!< programs have a command-line option of this name
};

/**
 * @ingroup dcn
 * @brief The language in which scenarios are described: keys with values, ranges and choices, drawn
 * by a seed.
 *
 * A set of scenarios (of a command line, of a suite, of a data set) is given by few things that are
 * fixed and some that vary. A recipe is the list of both, as text that people write and programs
 * record:
 *
 *     recipe = "" | assignment { "," assignment }
 *     assignment = key "=" value
 *     value = single                  this value
 *           | low ":" high            uniform in [low, high]; whole numbers: each equally likely
 *           | low ":" high ":log"     the logarithm is uniform
 *           | single { "+" single }   one of these, each equally likely
 *
 * Ranges are for numbers, rates and times. Keys, units, ranges and defaults are rows of a table
 * (DcnRecipeKey). A key may depend on others: it has an effect only if another key has certain
 * values. A key that was set and can have no effect is refused.
 *
 * Every key is drawn from a random stream of its own, so that the draw of one key does not depend
 * on the others: a recipe with another range for one key draws the other keys as before. Draw()
 * replaces ranges and choices by single values: the result is a recipe, too, which is printed and
 * read back like any other.
 */
class DcnRecipe
{
  public:
    using Keys = std::vector<DcnRecipeKey>; //!< a table of keys

    /**
     * @param keys the table, which must outlive the recipe; conditions name earlier keys
     * @param title for messages: "a scenario"
     * @param prefix of keys in messages: "--" where they are command-line options
     */
    DcnRecipe(const Keys& keys, const std::string& title, const std::string& prefix = "");

    /**
     * @brief Set a key.
     * @param name of the key
     * @param value in the grammar of the class; empty: the default again
     * @throws DcnError for an unknown key, naming those that there are, and for a bad value
     */
    void Set(const std::string& name, const std::string& value);

    /**
     * @brief Set several keys, as in "load=0.3:0.8,cc=dctcp+hpcc".
     * @param assignments key=value joined by commas; may be empty
     * @throws DcnError as Set, for a part of another form, and for a key that is given twice
     */
    void SetAll(const std::string& assignments);

    /** @return the keys that were set, as SetAll reads them, in the order of the table. */
    std::string ToText() const;

    /**
     * @param name of a key
     * @return its value: as set, else the default; empty if the key has no effect
     */
    const std::string& Get(const std::string& name) const;

    /** @return whether the key was set. */
    bool IsSet(const std::string& name) const;

    /**
     * @param name of a key with a single value
     * @return the number; see DcnRecipeKey::Type for units
     */
    double GetNumber(const std::string& name) const;
    /** @copydoc GetNumber */
    uint64_t GetWhole(const std::string& name) const;
    /** @copydoc GetNumber */
    DataRate GetRate(const std::string& name) const;
    /** @copydoc GetNumber */
    Time GetTime(const std::string& name) const;

    /**
     * @param name of a key
     * @return its choices; a single value or a range is one
     */
    std::vector<std::string> GetChoices(const std::string& name) const;

    /**
     * @param name of a key of numbers
     * @return the smallest and the largest value that can be drawn
     */
    std::pair<double, double> GetRange(const std::string& name) const;

    /**
     * @brief Draw a number.
     * @param name of a key of numbers
     * @param random the seed
     * @param purpose of the stream
     * @return the number, in the unit of DcnRecipeKey::Type
     */
    double DrawNumber(const std::string& name, const DcnRandom& random, DcnPurpose purpose) const;

    /**
     * @brief Draw one of the choices.
     * @param name of a key
     * @param random the seed
     * @param purpose of the stream
     * @return its position in GetChoices
     */
    std::size_t DrawChoice(const std::string& name,
                           const DcnRandom& random,
                           DcnPurpose purpose) const;

    /**
     * @brief Replace all ranges and choices by single values.
     * @param random the seed
     * @param purpose of the streams
     */
    void DrawAll(const DcnRandom& random, DcnPurpose purpose);

    /// @throws DcnError if a key was set that can have no effect; the sentence names the reason
    void CheckEffects() const;

    /**
     * @param name of a key, or of something else that is drawn
     * @param random the seed
     * @param purpose of the stream
     * @return the variable that the key is drawn from, uniform in [0, 1)
     */
    static Ptr<UniformRandomVariable> GetVariable(const std::string& name,
                                                  const DcnRandom& random,
                                                  DcnPurpose purpose);

    /** @return a line per row: key, default, meaning, condition; for --help and pages. */
    static std::string Describe(const Keys& keys);

  protected:
    /// @return the key as messages call it
    std::string GetLabel(const std::string& name) const;

  private:
    /// @return the first row of a name; null if there is none
    const DcnRecipeKey* FindFirst(const std::string& name) const;
    /// @return the row of a name that is in force, by the values that earlier keys can have
    const DcnRecipeKey* FindInForce(const std::string& name) const;
    /// @return whether the condition of a row can be met
    bool CanBeMet(const DcnRecipeKey& row) const;
    /// Refuses a value that the row does not allow.
    void CheckValue(const DcnRecipeKey& row, const std::string& value) const;

    const Keys* m_keys;                          //!< the table
    std::string m_title;                         //!< for messages
    std::string m_prefix;                        //!< for messages
    std::map<std::string, std::string> m_values; //!< keys that were set
};

/**
 * @ingroup dcn
 * @brief The recipe of a scenario: topology, workload, network configuration.
 *
 * Keys are the command-line options of the programs (GetKeys) and the keys of network.csv. With
 * `scenario`, a scenario directory, no other key but `seed` has an effect. The default is the
 * scenario of dcn-compare without options: 2000 web-server flows on a fabric of 32 hosts, DCTCP,
 * half load.
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
     * @param prefix of keys in messages: "--" where they are command-line options
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

    /** @return the keys of network.csv that were set, as SetNetwork reads them. */
    std::string GetNetworkText() const;

    /**
     * @brief Replace all ranges and choices by single values.
     * @param seed key `seed` of the result
     * @return a recipe of one scenario
     * @throws DcnError if a key was set that can have no effect
     */
    DcnScenarioRecipe Draw(uint64_t seed) const;

    /**
     * @brief Draw by the key `seed`, and make the parts of the scenario.
     * @return the parts
     * @throws DcnError for parts that do not fit together, and for a scenario directory, whose
     * flows are fixed
     */
    Parts CreateParts() const;

    /**
     * @brief Draw by the key `seed`, and make the scenario.
     * @param load set to the load report of the workload; none for a scenario directory
     * @return the scenario
     * @throws DcnError for parts that do not fit together
     */
    Ptr<const DcnScenario> Create(std::optional<DcnLoadReport>* load = nullptr) const;

  private:
    /// @return the topology of a recipe that was drawn
    Ptr<DcnTopology> CreateTopology() const;
};

} // namespace ns3

#endif /* DCN_SCENARIO_RECIPE_H */

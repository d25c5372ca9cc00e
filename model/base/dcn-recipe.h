/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef DCN_RECIPE_H
#define DCN_RECIPE_H

#include "dcn-random.h"

#include "ns3/data-rate.h"
#include "ns3/nstime.h"

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace ns3
{

/**
 * @ingroup dcn
 * @brief Read a rate, such as 10Gbps; its unit has to be there.
 * @param text the whole text
 * @param rate set on success
 * @return whether it is a rate
 */
bool DcnParseRate(const std::string& text, DataRate& rate);

/**
 * @ingroup dcn
 * @brief Read a time, such as 1us.
 * @param text the whole text: a number, and ns, us, ms or s
 * @param time set on success
 * @return whether it is a time: 0 or at least a nanosecond
 */
bool DcnParseTime(const std::string& text, Time& time);

/**
 * @ingroup dcn
 * @brief Find the name that somebody may have meant. Case, "-" and "_" do not count, so that
 * hostRate is near to host_rate_bps.
 * @param name that there is not
 * @param known names that there are
 * @return the nearest of them; empty if none is near
 */
std::string DcnFindNearest(const std::string& name, const std::vector<std::string>& known);

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
        CHOICE, //!< one of some words, which is never drawn
        TEXT    //!< any text without commas, such as a name or a path
    };

    std::string name;    //!< of the key
    Type type;           //!< of its values
    std::string value;   //!< default; empty: the key has no value unless it is set
    double least{0};     //!< smallest number
    double most{0};      //!< largest number
    std::string words;   //!< of WORD and CHOICE: the words, joined by '+'
    std::string only; //!< condition: "key=a+b", "key!=a+b", "key=*" (any), or several joined by |
    std::string meaning; //!< a few words for --help
    bool isOption{true}; //!< programs have a command-line option of this name
};

/**
 * @ingroup dcn
 * @brief The language in which scenarios are described: keys with values, ranges and choices, drawn
 * by a seed.
 *
 * Scenarios of a command line, of a suite (DcnScenarioRecipe), of a data set (DcnDatasetRecipe) and
 * of MQL's ground truth (MqlTruthConfig) are given by few things that are fixed and some that vary.
 * A recipe is the list of both, as text that people write and programs record:
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

    /**
     * @brief Take a text apart; SetAll without a table.
     * @param assignments key=value joined by commas; may be empty
     * @return keys and values
     * @throws DcnError for a part of another form, and for a key that is given twice
     */
    static std::vector<std::pair<std::string, std::string>> Parse(const std::string& assignments);

    /** @return the keys that were set, as SetAll reads them, in the order of the table. */
    std::string ToText() const;

    /**
     * @return all keys that have an effect, with defaults, as SetAll reads them; recipes of the
     * same values have the same text, however their numbers were written
     */
    std::string ToFullText() const;

    /**
     * @param name of a key
     * @return its value: as set, else the default; empty if the key has no effect
     */
    const std::string& Get(const std::string& name) const;

    /** @return whether the key was set. */
    bool IsSet(const std::string& name) const;

    /**
     * @param name of a key
     * @param value a single value
     * @return whether the key was set to this value, or to a range or choices with this value
     */
    bool CanBe(const std::string& name, const std::string& value) const;

    /**
     * @param name of a key with a single value
     * @return the number; see DcnRecipeKey::Type for units
     */
    double GetNumber(const std::string& name) const;
    /** @copydoc GetNumber @throws DcnError for a fraction */
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
    /// @return the first row of a name; null if there is none
    const DcnRecipeKey* FindFirst(const std::string& name) const;

  private:
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

} // namespace ns3

#endif /* DCN_RECIPE_H */

/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef DCN_COMMAND_LINE_H
#define DCN_COMMAND_LINE_H

#include "dcn-recipe.h"

#include "ns3/command-line.h"

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace ns3
{

/**
 * @ingroup dcn
 * @brief Declare an option that takes any text, blanks included.
 *
 * CommandLine::AddValue with a string would read up to the first blank and drop the rest.
 *
 * @param cmd the program's command line
 * @param name of the option, without dashes
 * @param help one line
 * @param text set when the option is given; must outlive cmd
 */
void DcnAddText(CommandLine& cmd,
                const std::string& name,
                const std::string& help,
                std::string& text);

/**
 * @ingroup dcn
 * @brief Options that a program reads in some of its runs only: a row of DcnGivenOptions'
 * CheckEffects.
 */
struct DcnOptionEffect
{
    std::vector<std::string> names; //!< of the options, without dashes
    bool isRead;                    //!< whether this run reads them
    std::string otherwise;          //!< why it does not: "without --jobs"
};

/**
 * @ingroup dcn
 * @brief The options that the user gave, with a default as value or with another one.
 */
class DcnGivenOptions
{
  public:
    /**
     * @param argc of main()
     * @param argv of main()
     * @param repeatable names of options that may be given several times
     * @throws DcnError for another option that is given twice
     */
    DcnGivenOptions(int argc, char* argv[], const std::set<std::string>& repeatable = {});

    /**
     * @param name of an option, without dashes
     * @return whether it was given
     */
    bool Has(const std::string& name) const;

    /**
     * @brief Refuse options that were given without effect.
     * @param effects the options of the program that not every run reads
     * @throws DcnError naming the first option of the first row that this run does not read
     */
    void CheckEffects(const std::vector<DcnOptionEffect>& effects) const;

  private:
    std::map<std::string, std::optional<std::string>> m_values; //!< by name; none: no equals sign
};

/**
 * @ingroup dcn
 * @brief Parse the command line and refuse undeclared arguments.
 *
 * An option that is given twice or without a value is refused: which of two values holds, and
 * whether an empty one means the default, would be a guess. The option --version prints the release
 * and the revision, and ends the program. A line is printed if a launcher has started several ranks
 * without --mpi.
 *
 * @param cmd the program's command line
 * @param argc of main()
 * @param argv of main()
 * @param repeatable names of options that may be given several times
 * @param maybeEmpty names of options whose empty value has a meaning of its own
 * @return the options that were given
 * @throws DcnError for an argument that is no option and was not declared, and a value that its
 * option cannot have
 */
DcnGivenOptions DcnParseCommandLine(CommandLine& cmd,
                                    int argc,
                                    char* argv[],
                                    const std::set<std::string>& repeatable = {},
                                    const std::set<std::string>& maybeEmpty = {});

/**
 * @ingroup dcn
 * @brief The command line of a program, as recorded in its files.
 *
 * A shell reads it back: an argument that has another meaning there is between single quotes. Paths
 * from the root, from home or with "..", alone, joined by commas or as attributes of a method, are
 * reduced to their last part, since files must not reveal the folders of the machine.
 *
 * @param program its name
 * @param argc of main()
 * @param argv of main()
 * @return e.g. "m3-train --data=paths,fabrics --epochs=12"
 */
std::string DcnDescribeCommand(const std::string& program, int argc, char* argv[]);

/**
 * @ingroup dcn
 * @brief Take apart the value of an option that may have several, joined by commas.
 * @param name of the option, without dashes
 * @param text its value
 * @return the values; none if the text is empty
 * @throws DcnError for an empty and for a repeated value
 */
std::vector<std::string> DcnSplitValues(const std::string& name, const std::string& text);

/// Most combinations of the values of options that a program takes.
constexpr uint32_t DCN_MOST_COMBINATIONS = 10'000;

/// Options, each with its values.
using DcnOptionValues = std::vector<std::pair<std::string, std::vector<std::string>>>;

/**
 * @ingroup dcn
 * @param options each has at least one value
 * @return all combinations, those of the first option slowest: a value of each option, in their
 * order; one combination without values if there are no options
 * @throws DcnError for more than DCN_MOST_COMBINATIONS
 */
std::vector<std::vector<std::string>> DcnCombineValues(const DcnOptionValues& options);

/**
 * @ingroup dcn
 * @brief Command-line options that are the keys of a recipe.
 *
 * Several values joined by commas (--hits=0.5,1) are several recipes. Keys of which a recipe has
 * one value, or any text (SINGLE, CHOICE, TEXT), take no such list. A choice or a range of a recipe
 * (--hits=0.5+1), which a seed would draw, is refused.
 */
class DcnKeyOptions
{
  public:
    /**
     * @param keys the table, with each name once; it must outlive the object
     * @param title for messages: "a network on chip"
     * @param defaults the program's own defaults, which may be lists; they hold where the key has
     * an effect, in place of those of the table
     */
    DcnKeyOptions(const DcnRecipe::Keys& keys,
                  const std::string& title,
                  const std::map<std::string, std::string>& defaults = {});

    /**
     * @brief Declare an option for each key; one of the words false and true is true without value.
     * @param cmd the program's command line
     */
    void AddTo(CommandLine& cmd);

    /**
     * @return a recipe for each combination of the values, those of the first key slowest
     * @throws DcnError for a bad value, a choice or a range, and an option without effect
     */
    std::vector<DcnRecipe> Split() const;

    /**
     * @return the recipe of a program that takes single values
     * @throws DcnError as Split, and for several values
     */
    DcnRecipe GetOne() const;

    /** @return names of the keys with several values, in the order of the table. */
    std::vector<std::string> GetVaried() const;

    /** @return the keys with an effect and all their values: "--topology=mesh --hits=0.5,1". */
    std::string Describe() const;

  private:
    /// @return keys with values that were given, or with defaults of the program, in the order of
    /// the table
    DcnOptionValues GetLists() const;

    const DcnRecipe::Keys& m_keys;                 //!< the table
    std::string m_title;                           //!< for messages
    std::map<std::string, std::string> m_defaults; //!< see the constructor
    std::map<std::string, std::string> m_values;   //!< by key; empty: not given
};

} // namespace ns3

#endif /* DCN_COMMAND_LINE_H */

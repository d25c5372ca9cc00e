/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "dcn-command-line.h"

#include "dcn-csv.h"
#include "dcn-origin.h"

#include "ns3/attribute.h"
#include "ns3/dcn-error.h"
#include "ns3/global-value.h"
#include "ns3/string.h"
#include "ns3/type-id.h"

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <cstdint>
#include <cstdlib>
#include <fcntl.h>
#include <functional>
#include <iostream>
#include <optional>
#include <regex>
#include <set>
#include <sstream>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

namespace ns3
{

namespace
{

/**
 * @param text a value: a path, or a method with attributes (mql:Correction=/a/b:Threads=2)
 * @return the value with every path that says something of the machine reduced to its last part
 */
std::string
StripFolders(const std::string& text)
{
    // attribute names between the values are kept; a folder is no attribute name
    static const std::regex name("(^|:)\\w+=");
    auto strip = [](const std::string& path) {
        const std::string rooms = "/" + path + "/";
        if (path.find_first_of("/~") != 0 && rooms.find("/../") == std::string::npos)
        {
            return path; // below the folder where the program runs
        }
        const std::size_t last = path.find_last_not_of('/');
        const std::size_t slash = path.find_last_of('/', last); // npos + 1 is 0
        return path.substr(slash + 1, last - slash);
    };
    std::string stripped;
    std::size_t done = 0;
    for (std::sregex_iterator at(text.begin(), text.end(), name); at != std::sregex_iterator();
         ++at)
    {
        const auto begin = static_cast<std::size_t>(at->position());
        stripped += strip(text.substr(done, begin - done)) + at->str();
        done = begin + at->length();
    }
    return stripped + strip(text.substr(done));
}

/**
 * @param text an argument
 * @return it as a shell reads it back: between single quotes if it has another meaning there
 */
std::string
QuoteForShell(const std::string& text)
{
    static const std::string PLAIN =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
        "-_=,.:/+@%^";
    if (!text.empty() && text.find_first_not_of(PLAIN) == std::string::npos)
    {
        return text;
    }
    std::string quoted = "'";
    for (const char c : text)
    {
        quoted += c == '\'' ? "'\\''" : std::string(1, c);
    }
    return quoted + "'";
}

/**
 * @param name that there is not
 * @param known names that there are
 * @return ", did you mean --NAME?" with the nearest one; empty if none is near
 */
std::string
SuggestName(const std::string& name, const std::vector<std::string>& known)
{
    const std::string nearest = DcnFindNearest(name, known);
    return nearest.empty() ? "" : ", did you mean --" + nearest + "?";
}

/**
 * Try something in a process of its own, as ns-3 ends the process where it cannot read a value.
 * @param action what to try
 * @return whether it returns true, or ends the process with status 0
 */
bool
Try(const std::function<bool()>& action)
{
    const pid_t child = fork();
    if (child < 0)
    {
        return true; // without another process, ns-3 itself says what is wrong
    }
    if (child == 0)
    {
        // what the program has in its buffers is for the program to print
        on_exit([](int status, void* /* nothing */) { _exit(status); }, nullptr);
        const int nowhere = open("/dev/null", O_WRONLY);
        dup2(nowhere, STDOUT_FILENO);
        dup2(nowhere, STDERR_FILENO);
        _exit(action() ? 0 : 1);
    }
    int status = 0;
    while (waitpid(child, &status, 0) < 0 && errno == EINTR)
    {
    }
    return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

/**
 * Refuse a value that ns-3 would refuse by its whole help, or by ending the program.
 * @param label of the option, as in --ns3::DcnNetworkConfig::DctcpG
 * @param text the value
 * @param checker of the attribute or global value
 */
void
CheckValue(const std::string& label, const std::string& text, Ptr<const AttributeChecker> checker)
{
    const std::string type = checker->GetValueTypeName();
    std::istringstream words(text);
    double real = 0;
    uint64_t whole = 0;
    int64_t number = 0;
    // these end the program where a text is no number, and take -1 for a large whole number
    const bool isText = type == "ns3::DoubleValue"     ? !(words >> real)
                        : type == "ns3::UintegerValue" ? text[0] == '-' || !(words >> whole)
                        : type == "ns3::IntegerValue"  ? !(words >> number)
                                                       : false;
    const bool isNumber =
        type == "ns3::DoubleValue" || type == "ns3::UintegerValue" || type == "ns3::IntegerValue";
    if (isText || (isNumber && !words.eof()) ||
        !Try([&]() { return checker->CreateValidValue(StringValue(text)) != nullptr; }))
    {
        DcnFail(label,
                " must be of the type ",
                checker->HasUnderlyingTypeInformation() ? checker->GetUnderlyingTypeInformation()
                                                        : type,
                ", but it is \"",
                text,
                "\"");
    }
}

/**
 * Refuse an attribute that ns-3 does not have, and a value that it cannot have.
 * @param name of the option, as in ns3::DcnNetworkConfig::DctcpG
 * @param colons before the name of the attribute
 * @param value of the option; none: there is no equals sign
 */
void
CheckAttribute(const std::string& name, std::size_t colons, const std::optional<std::string>& value)
{
    TypeId type;
    const std::string typeName = name.substr(0, colons);
    if (!TypeId::LookupByNameFailSafe(typeName, &type))
    {
        DcnFail("there is no type ", typeName, " of the attribute --", name);
    }
    TypeId::AttributeInformation information;
    const std::string attribute = name.substr(colons + 2);
    if (type.LookupAttributeByName(attribute, &information))
    {
        if (value)
        {
            CheckValue("--" + name, *value, information.checker);
        }
        return;
    }
    std::vector<std::string> known;
    for (std::size_t i = 0; i < type.GetAttributeN(); ++i)
    {
        known.push_back(typeName + "::" + type.GetAttribute(i).name);
    }
    const std::string suggestion = SuggestName(name, known);
    DcnFail("the type ",
            typeName,
            " has no attribute ",
            attribute,
            suggestion.empty() ? ";" : suggestion,
            " --PrintAttributes=",
            typeName,
            " lists its attributes");
}

/**
 * @param argument of a command line
 * @return name and value of an option: the value is missing without an equals sign; the name is
 * empty if the argument is no option
 */
std::pair<std::string, std::optional<std::string>>
TakeApart(const std::string& argument)
{
    const std::size_t begin = argument.find_first_not_of('-');
    if (begin == 0 || begin == std::string::npos)
    {
        return {};
    }
    const std::size_t equals = argument.find('=');
    return {argument.substr(begin, equals - begin),
            equals == std::string::npos ? std::nullopt
                                        : std::make_optional(argument.substr(equals + 1))};
}

/**
 * Refuse an option that the program does not have. ns-3 would do so by its whole help, above which
 * nobody sees the sentence.
 * @param cmd options of the program
 * @param argument of the command line
 */
void
CheckOption(const CommandLine& cmd, const std::string& argument)
{
    const auto [name, value] = TakeApart(argument);
    if (name.empty())
    {
        return; // no option
    }
    const std::size_t colons = name.rfind("::");
    if (colons != std::string::npos)
    {
        CheckAttribute(name, colons, value);
        return;
    }
    // options of ns-3 itself
    bool isKnown =
        name.rfind("Print", 0) == 0 || name == "help" || name == "h" || name == "version";
    std::vector<std::string> known;
    for (auto global = GlobalValue::Begin(); global != GlobalValue::End(); ++global)
    {
        known.push_back((*global)->GetName());
        if (value && name == known.back())
        {
            CheckValue("--" + name, *value, (*global)->GetChecker());
            TypeId type;
            if (name == "SimulatorImplementationType" &&
                !TypeId::LookupByNameFailSafe(*value, &type))
            {
                DcnFail("there is no type ", *value, " of the option --", name);
            }
        }
    }
    std::ostringstream help;
    cmd.PrintHelp(help);
    std::istringstream lines(help.str());
    for (std::string line; std::getline(lines, line);)
    {
        const std::size_t dashes = line.find_first_not_of(' ');
        const std::size_t colon = line.find(':');
        if (dashes != std::string::npos && line.compare(dashes, 2, "--") == 0 &&
            colon != std::string::npos)
        {
            known.push_back(line.substr(dashes + 2, colon - dashes - 2));
        }
    }
    isKnown = isKnown || std::find(known.begin(), known.end(), name) != known.end();
    if (!isKnown)
    {
        const std::string suggestion = SuggestName(name, known);
        DcnFail("there is no option --",
                name,
                suggestion.empty() ? ";" : suggestion,
                " --help lists the options");
    }
}

/**
 * @param cmd options of the program
 * @param name of an option
 * @return its default, from the end of its line of the help
 */
std::string
FindDefault(const CommandLine& cmd, const std::string& name)
{
    std::ostringstream help;
    cmd.PrintHelp(help);
    std::istringstream lines(help.str());
    for (std::string line; std::getline(lines, line);)
    {
        const std::size_t begin = line.rfind('[');
        if (line.find("--" + name + ":") != std::string::npos && begin != std::string::npos)
        {
            return line.substr(begin + 1, line.rfind(']') - begin - 1);
        }
    }
    return "";
}

/**
 * Refuse an option without a value, which would be taken for the default.
 * @param cmd options of the program
 * @param argument of the command line
 */
void
CheckValueIsThere(const CommandLine& cmd, const std::string& argument)
{
    const auto [name, value] = TakeApart(argument);
    if (name.find("::") != std::string::npos)
    {
        return; // an attribute, whose text may be empty
    }
    const std::string usual = FindDefault(cmd, name);
    if (value && value->find_first_not_of(" \t\r\n") == std::string::npos)
    {
        DcnFail("--", name, "=", *value, " has no value: give one, or leave out the option");
    }
    std::ostringstream help;
    cmd.PrintHelp(help);
    const std::string own = help.str().substr(0, help.str().find("\nGeneral Arguments:"));
    const bool isOfProgram = own.find("--" + name + ":") != std::string::npos;
    if (!value && isOfProgram && usual != "true" && usual != "false")
    {
        DcnFail("--",
                name,
                " has no value: give one behind an equals sign, as in --",
                name,
                "=",
                usual.empty() ? "VALUE" : usual);
    }
}

/// @return whether a program takes a value for an option
bool
CanTake(CommandLine& cmd, const std::string& name, const std::string& value)
{
    std::string program = "program";
    std::string argument = "--" + name + "=" + value;
    char* argv[] = {program.data(), argument.data(), nullptr};
    return Try([&]() {
        try
        {
            cmd.Parse(2, argv);
        }
        catch (const DcnError&)
        {
            // the program's own parsing has the sentence
        }
        return true;
    });
}

/**
 * Refuse a value that the number or flag of an option cannot have. ns-3 does not tell the types of
 * options: it would print its whole help for abc, and take 1 for 1.5 or 1x, and a very large number
 * for -1.
 * @param cmd options of the program
 * @param argument of the command line
 */
void
CheckNumber(CommandLine& cmd, const std::string& argument)
{
    static const std::string DIGITS = "0123456789";
    const auto [name, given] = TakeApart(argument);
    const std::string value = given.value_or("");
    constexpr std::size_t SHORT = 10; // digits of numbers that every type of numbers has
    if (!value.empty() && value.find_first_not_of(DIGITS) == std::string::npos &&
        value.size() < SHORT)
    {
        return;
    }
    const std::string usual = FindDefault(cmd, name);
    const bool isFlag = usual == "true" || usual == "false";
    static const std::set<std::string> FLAGS{"", "true", "t", "false", "f"};
    if (usual.empty() || CanTake(cmd, name, "x") || (isFlag && FLAGS.count(value) > 0))
    {
        return; // an option of ns-3 or a text
    }
    double real = 0;
    uint64_t whole = 0;
    if (!isFlag && !DcnParse(usual, real))
    {
        if (!CanTake(cmd, name, value)) // a time or a rate
        {
            DcnFail("--", name, " must be a value such as ", usual, ", but it is \"", value, "\"");
        }
        return;
    }
    const bool isReal = !isFlag && CanTake(cmd, name, ".5");
    const bool isNumber = isReal ? DcnParse(value, real) : DcnParse(value, whole);
    if (isFlag || !isNumber || !CanTake(cmd, name, value))
    {
        DcnFail("--",
                name,
                " must be ",
                isFlag     ? "true or false"
                : isReal   ? "a number"
                : isNumber ? "a smaller whole number"
                           : "a whole number",
                " (",
                usual,
                "), but it is \"",
                value,
                "\"");
    }
}

/**
 * @param names environment variables
 * @return the value of the first one that is set; none is 0
 */
uint64_t
ReadEnvironment(const std::vector<std::string>& names)
{
    uint64_t value = 0;
    for (const std::string& name : names)
    {
        const char* text = std::getenv(name.c_str());
        if (text && DcnParse(std::string(text), value))
        {
            return value;
        }
    }
    return 0;
}

/**
 * Note that a launcher has started several processes that do not share their work: each does all of
 * it, and writes the same files. The first one says so.
 * @param cmd options of the program
 * @param arguments of the command line
 */
void
NoteRanks(const CommandLine& cmd, const std::vector<std::string>& arguments)
{
    // Open MPI, MPICH, srun
    const uint64_t n =
        ReadEnvironment({"OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "SLURM_STEP_NUM_TASKS"});
    const uint64_t rank = ReadEnvironment({"OMPI_COMM_WORLD_RANK", "PMI_RANK", "SLURM_PROCID"});
    const bool isShared = std::any_of(arguments.begin(), arguments.end(), [](const auto& each) {
        return each == "--mpi" || each == "--mpi=true" || each == "--mpi=1";
    });
    if (n < 2 || rank != 0 || isShared)
    {
        return;
    }
    std::ostringstream help;
    cmd.PrintHelp(help);
    std::cerr << "note: " << n << " processes were started as ranks, and each does the whole work: "
              << (help.str().find("--mpi:") == std::string::npos
                      ? "this program cannot share it, so start one process"
                      : "give --mpi to share it")
              << std::endl;
}

} // namespace

void
DcnAddText(CommandLine& cmd, const std::string& name, const std::string& help, std::string& text)
{
    // a lambda, because the callback's parameter type differs between ns-3.37 and later releases
    cmd.AddValue(
        name,
        help,
        [&text](const std::string& value) {
            text = value;
            return true;
        },
        text);
}

DcnGivenOptions::DcnGivenOptions(int argc, char* argv[], const std::set<std::string>& repeatable)
{
    for (int i = 1; i < argc; ++i)
    {
        const auto [name, value] = TakeApart(argv[i]);
        if (!name.empty() && !m_values.emplace(name, value).second && repeatable.count(name) == 0)
        {
            DcnFail("--", name, " is given twice: give it once");
        }
    }
}

bool
DcnGivenOptions::Has(const std::string& name) const
{
    return m_values.count(name) > 0;
}

void
DcnGivenOptions::CheckEffects(const std::vector<DcnOptionEffect>& effects) const
{
    for (const DcnOptionEffect& effect : effects)
    {
        for (const std::string& name : effect.names)
        {
            if (!effect.isRead && Has(name))
            {
                const std::optional<std::string>& value = m_values.at(name);
                DcnFail("--", name, value ? "=" + *value : "", " has no effect ", effect.otherwise);
            }
        }
    }
}

DcnGivenOptions
DcnParseCommandLine(CommandLine& cmd,
                    int argc,
                    char* argv[],
                    const std::set<std::string>& repeatable,
                    const std::set<std::string>& maybeEmpty)
{
    const DcnGivenOptions given(argc, argv, repeatable);
    for (int i = 1; i < argc; ++i)
    {
        if (argv[i] == std::string("--version"))
        {
            const std::string revision = DcnGetRevision();
            std::cout << "dcn " << DCN_RELEASE << ", revision "
                      << (revision.empty() ? "unknown (no git repository)" : revision) << std::endl;
            std::exit(0);
        }
        CheckOption(cmd, argv[i]);
        if (argv[i][0] == '-')
        {
            if (maybeEmpty.count(TakeApart(argv[i]).first) == 0)
            {
                CheckValueIsThere(cmd, argv[i]);
            }
            CheckNumber(cmd, argv[i]);
        }
    }
    NoteRanks(cmd, {argv + 1, argv + std::max(argc, 1)});
    cmd.Parse(argc, argv);
    if (cmd.GetNExtraNonOptions() > 0)
    {
        DcnFail("the argument \"",
                cmd.GetExtraNonOption(0),
                "\" is no option (--help lists them); a value follows an equals sign, as in "
                "--flows=50");
    }
    return given;
}

std::string
DcnDescribeCommand(const std::string& program, int argc, char* argv[])
{
    std::string command = program;
    for (int i = 1; i < argc; ++i)
    {
        const std::string argument = argv[i];
        const bool isOption = argument.rfind('-', 0) == 0;
        const std::size_t equals = argument.find('=');
        const std::size_t value = !isOption                     ? 0
                                  : equals == std::string::npos ? argument.size()
                                                                : equals + 1;
        std::string said = argument.substr(0, value);
        std::string separator;
        std::istringstream parts(argument.substr(value));
        for (std::string part; std::getline(parts, part, ',');)
        {
            said += separator + StripFolders(part);
            separator = ",";
        }
        command += " " + QuoteForShell(said);
    }
    return command;
}

std::vector<std::string>
DcnSplitValues(const std::string& name, const std::string& text)
{
    std::vector<std::string> values = DcnSplit(text, ',');
    for (std::size_t i = 0; i < values.size(); ++i)
    {
        if (values[i].empty() || text.back() == ',')
        {
            DcnFail("--", name, "=", text, " has an empty value");
        }
        const auto isSame = [&values, i](const std::string& other) {
            double number = 0;
            double before = 0; // 1e6 and 1000000 are one value
            return other == values[i] ||
                   (DcnParse(other, before) && DcnParse(values[i], number) && before == number);
        };
        if (std::any_of(values.begin(), values.begin() + i, isSame))
        {
            DcnFail("--", name, " names \"", values[i], "\" twice");
        }
    }
    return values;
}

std::vector<std::vector<std::string>>
DcnCombineValues(const DcnOptionValues& options)
{
    double n = 1;
    for (const auto& [name, values] : options)
    {
        n *= static_cast<double>(values.size());
    }
    if (n > DCN_MOST_COMBINATIONS)
    {
        DcnFail("the values of the options have more than ",
                DCN_MOST_COMBINATIONS,
                " combinations: run some of them");
    }
    std::vector<std::vector<std::string>> combinations{{}};
    for (const auto& [name, values] : options)
    {
        std::vector<std::vector<std::string>> more;
        for (const std::vector<std::string>& combination : combinations)
        {
            for (const std::string& value : values)
            {
                more.push_back(combination);
                more.back().push_back(value);
            }
        }
        combinations = std::move(more);
    }
    return combinations;
}

DcnKeyOptions::DcnKeyOptions(const DcnRecipe::Keys& keys,
                             const std::string& title,
                             const std::map<std::string, std::string>& defaults)
    : m_keys(keys),
      m_title(title),
      m_defaults(defaults)
{
}

void
DcnKeyOptions::AddTo(CommandLine& cmd)
{
    for (const DcnRecipeKey& row : m_keys)
    {
        const auto own = m_defaults.find(row.name);
        const std::string& value = own == m_defaults.end() ? row.value : own->second;
        const bool isFlag = row.words == "false+true";
        std::string& target = m_values[row.name];
        cmd.AddValue(
            row.name,
            row.meaning + (row.words.empty() || isFlag ? "" : ": " + row.words),
            [&target, isFlag](const std::string& text) {
                target = isFlag && (text.empty() || text == "1") ? "true"
                         : isFlag && text == "0"                 ? "false"
                                                                 : text;
                return true;
            },
            value);
    }
}

DcnOptionValues
DcnKeyOptions::GetLists() const
{
    DcnOptionValues lists;
    DcnRecipe first(m_keys, m_title, "--");
    for (const DcnRecipeKey& row : m_keys)
    {
        const std::string& text = m_values.at(row.name);
        const auto own = m_defaults.find(row.name);
        const bool isList = row.type != DcnRecipeKey::SINGLE && row.type != DcnRecipeKey::CHOICE &&
                            row.type != DcnRecipeKey::TEXT;
        if (text.empty() && (own == m_defaults.end() || first.Get(row.name).empty()))
        {
            continue;
        }
        const std::string& given = text.empty() ? own->second : text;
        lists.emplace_back(row.name,
                           isList ? DcnSplitValues(row.name, given)
                                  : std::vector<std::string>{given});
        for (const std::string& value : lists.back().second)
        {
            first.Set(row.name, value);
            const bool isRange =
                row.type < DcnRecipeKey::WORD && value.find(':') != std::string::npos;
            if (isList && (isRange || first.GetChoices(row.name).size() > 1))
            {
                std::string all = given;
                std::replace_if(
                    all.begin(),
                    all.end(),
                    [](char c) { return c == '+' || c == ':'; },
                    ',');
                DcnFail("--",
                        row.name,
                        "=",
                        given,
                        " would draw one value; --",
                        row.name,
                        "=",
                        all,
                        " takes one after the other");
            }
        }
        first.Set(row.name, lists.back().second.front());
    }
    return lists;
}

std::vector<DcnRecipe>
DcnKeyOptions::Split() const
{
    const DcnOptionValues lists = GetLists();
    std::vector<DcnRecipe> recipes;
    for (const std::vector<std::string>& values : DcnCombineValues(lists))
    {
        recipes.emplace_back(m_keys, m_title, "--");
        for (std::size_t i = 0; i < lists.size(); ++i)
        {
            recipes.back().Set(lists[i].first, values[i]);
        }
        recipes.back().CheckEffects();
    }
    return recipes;
}

DcnRecipe
DcnKeyOptions::GetOne() const
{
    const auto recipes = Split();
    if (recipes.size() > 1)
    {
        const std::string name = GetVaried().front();
        DcnFail("--", name, "=", m_values.at(name), " has several values, but one is taken here");
    }
    return recipes.front();
}

std::vector<std::string>
DcnKeyOptions::GetVaried() const
{
    std::vector<std::string> varied;
    for (const auto& [name, values] : GetLists())
    {
        if (values.size() > 1)
        {
            varied.push_back(name);
        }
    }
    return varied;
}

std::string
DcnKeyOptions::Describe() const
{
    const DcnRecipe first = Split().front();
    const DcnOptionValues lists = GetLists();
    std::string text;
    for (const DcnRecipeKey& row : m_keys)
    {
        const auto list = std::find_if(lists.begin(), lists.end(), [&row](const auto& each) {
            return each.first == row.name;
        });
        std::string values = first.Get(row.name);
        for (std::size_t i = 1; list != lists.end() && i < list->second.size(); ++i)
        {
            values += "," + list->second[i];
        }
        text += values.empty() ? "" : (text.empty() ? "--" : " --") + row.name + "=" + values;
    }
    return text;
}

} // namespace ns3

/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "dcn-command-line.h"

#include "ns3/dcn-error.h"
#include "ns3/global-value.h"

#include <regex>
#include <sstream>

namespace ns3
{

namespace
{

/**
 * @param text a value: a path, or a method with attributes (mql:Correction=/a/b:Threads=2)
 * @return the value with every path reduced to its last part
 */
std::string
StripFolders(const std::string& text)
{
    // attribute names between the values are kept; a folder is no attribute name
    static const std::regex name("(^|:)\\w+=");
    auto strip = [](const std::string& path) {
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
 * Refuse an option that the program does not have. ns-3 would do so by its whole help, above which
 * nobody sees the sentence.
 * @param cmd options of the program
 * @param argument of the command line
 */
void
CheckOption(const CommandLine& cmd, const std::string& argument)
{
    const std::size_t begin = argument.find_first_not_of('-');
    if (begin == 0 || begin == std::string::npos)
    {
        return; // no option
    }
    const std::string name = argument.substr(begin, argument.find('=') - begin);
    // attributes, and options of ns-3 itself
    bool isKnown = name.find("::") != std::string::npos || name.rfind("Print", 0) == 0 ||
                   name == "help" || name == "h" || name == "version";
    for (auto global = GlobalValue::Begin(); global != GlobalValue::End(); ++global)
    {
        isKnown = isKnown || (*global)->GetName() == name;
    }
    if (!isKnown)
    {
        std::ostringstream help;
        cmd.PrintHelp(help);
        isKnown = help.str().find("--" + name + ":") != std::string::npos;
    }
    if (!isKnown)
    {
        DcnFail("there is no option --", name, "; --help lists the options");
    }
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

void
DcnParseCommandLine(CommandLine& cmd, int argc, char* argv[])
{
    for (int i = 1; i < argc; ++i)
    {
        CheckOption(cmd, argv[i]);
    }
    cmd.Parse(argc, argv);
    if (cmd.GetNExtraNonOptions() > 0)
    {
        DcnFail("the argument \"",
                cmd.GetExtraNonOption(0),
                "\" is no option (--help lists them); a value follows an equals sign, as in "
                "--flows=50");
    }
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
        if (isOption && equals == std::string::npos)
        {
            command += " " + argument;
            continue;
        }
        const std::size_t value = isOption ? equals + 1 : 0;
        command += " " + argument.substr(0, value);
        std::string separator;
        std::istringstream parts(argument.substr(value));
        for (std::string part; std::getline(parts, part, ',');)
        {
            command += separator + StripFolders(part);
            separator = ",";
        }
    }
    return command;
}

} // namespace ns3

/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "dcn-command-line.h"

#include "ns3/dcn-error.h"

#include <sstream>

namespace ns3
{

void
DcnAddText(CommandLine& cmd, const std::string& name, const std::string& help, std::string& text)
{
    // a lambda, because the parameter of the callback is another type in ns-3.37 than later
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
    cmd.Parse(argc, argv);
    if (cmd.GetNExtraNonOptions() > 0)
    {
        DcnFail("the argument \"", cmd.GetExtraNonOption(0), "\" is no option (--help lists them)");
    }
}

std::string
DcnDescribeCommand(const std::string& program, int argc, char* argv[])
{
    std::string command = program;
    for (int i = 1; i < argc; ++i)
    {
        const std::string argument = argv[i];
        const std::size_t equals = argument.find('=');
        if (equals == std::string::npos)
        {
            command += " " + argument;
            continue;
        }
        command += " " + argument.substr(0, equals + 1);
        std::string separator;
        std::istringstream parts(argument.substr(equals + 1));
        for (std::string part; std::getline(parts, part, ',');)
        {
            const std::size_t last = part.find_last_not_of('/');
            const std::size_t slash = part.find_last_of('/', last); // npos + 1 is 0
            command += separator + part.substr(slash + 1, last - slash);
            separator = ",";
        }
    }
    return command;
}

} // namespace ns3

/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "dcn-command-line.h"

#include "ns3/dcn-error.h"

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

} // namespace ns3

/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef DCN_COMMAND_LINE_H
#define DCN_COMMAND_LINE_H

#include "ns3/command-line.h"

#include <string>

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
 * @brief Parse the command line and refuse undeclared arguments.
 * @param cmd the program's command line
 * @param argc of main()
 * @param argv of main()
 * @throws DcnError for an argument that is no option and was not declared
 */
void DcnParseCommandLine(CommandLine& cmd, int argc, char* argv[]);

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

} // namespace ns3

#endif /* DCN_COMMAND_LINE_H */

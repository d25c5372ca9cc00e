/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

/**
 * @file
 * @brief Fluid simulation of a scenario directory of any size.
 *
 * Flows are read, routed, simulated and written one by one, so that memory is in proportion to the
 * active flows. Flows must be in order of start.
 */

#include "ns3/command-line.h"
#include "ns3/dcn-command-line.h"
#include "ns3/dcn-csv.h"
#include "ns3/dcn-error.h"
#include "ns3/flowsim-stream.h"

#include <chrono>
#include <iostream>
#include <string>

using namespace ns3;

int
main(int argc, char* argv[])
{
    std::string scenario;
    std::string out = "fct.csv";
    std::string efficiency = "1";
    uint64_t seed = 1;
    FlowsimOptions options;
    CommandLine cmd(__FILE__);
    cmd.Usage("Fluid simulation of a scenario directory, read and written flow by flow.");
    DcnAddText(cmd, "scenario", "Scenario directory", scenario);
    DcnAddText(cmd, "out", "File for the completion times", out);
    cmd.AddValue("windowCap", "The window limits the rate of a flow", options.windowCap);
    cmd.AddValue("linkEfficiency", "Fraction of every link's rate available to flows", efficiency);
    cmd.AddValue("seed", "Seed of paths that are not pinned", seed);
    DcnParseCommandLine(cmd, argc, argv);

    return DcnRunProgram("dcn-flowsim", [&]() {
        if (scenario.empty())
        {
            DcnFail("--scenario must be given");
        }
        if (!DcnParse(efficiency, options.linkEfficiency))
        {
            DcnFail("--linkEfficiency must be a number, but it is \"", efficiency, "\"");
        }
        const auto start = std::chrono::steady_clock::now();
        const FlowsimStatistics done = FlowsimStreamScenario(scenario, out, options, seed);
        const double seconds =
            std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
        std::cout << done.nFlows << " flows in " << seconds << " s, at most " << done.maxActive
                  << " active at once, "
                  << static_cast<double>(done.nRateChanges) / static_cast<double>(done.nEvents)
                  << " rate changes per event; written: " << out << std::endl;
        return 0;
    });
}

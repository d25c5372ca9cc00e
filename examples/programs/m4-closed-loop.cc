/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

/**
 * @file
 * @brief Throughput of a closed loop by packets, the fluid simulation and m4 (m4, section 5.4).
 *
 * A quarter of the racks of a 256-host fabric are clients with a backlog of flows to storage hosts
 * of the other racks; at most N flows of a client rack are in flight. Congestion control and its
 * parameters are those of scenarios of the suite network-configurations. Throughput is the number
 * of flows completed per second until four fifths have completed: later, racks run out of flows.
 */

#include "papers/backlog.h"

#include "ns3/command-line.h"
#include "ns3/dcn-command-line.h"
#include "ns3/dcn-csv.h"
#include "ns3/dcn-error.h"
#include "ns3/dcn-estimator.h"
#include "ns3/dcn-run-record.h"
#include "ns3/dcn-scenario-suite.h"
#include "ns3/dcn-statistics.h"
#include "ns3/string.h"

#include <algorithm>
#include <cinttypes>
#include <cmath>
#include <cstdio>
#include <map>
#include <string>
#include <vector>

using namespace ns3;

namespace
{

/// Methods, the ground truth first.
const std::vector<std::string> METHODS{"packet", "flowsim", "flowsim:WindowCap=true", "m4"};

/// Options of the program.
struct Options
{
    uint64_t seed{1};                          //!< Seed of the configurations
    uint64_t configurations{3};                //!< Number of configurations
    uint64_t nFlows{1000};                     //!< Flows of the backlog
    uint32_t largest{13};                      //!< Largest limit of flows in flight
    std::string model;                         //!< Folder of a model for m4
    std::string out{"results/m4-closed-loop"}; //!< Folder for the file

    /// Declares the options.
    void AddTo(CommandLine& cmd)
    {
        cmd.AddValue("seed", "Seed of the configurations", seed);
        cmd.AddValue("configurations", "Number of configurations", configurations);
        cmd.AddValue("flows", "Flows of the backlog", nFlows);
        cmd.AddValue("largest",
                     "Largest limit of flows in flight, odd: limits are 1, 3, 5, ...",
                     largest);
        DcnAddText(cmd, "model", "Folder of a model for m4; empty: the shipped one", model);
        DcnAddText(cmd, "out", "Folder for closed-loop.csv", out);
    }

    /// Refuses numbers that leave nothing to run, and a limit that none of the steps meets.
    void Check() const
    {
        if (nFlows < 10 || configurations == 0 || largest == 0)
        {
            DcnFail("there must be at least 10 flows, a configuration and a flow in flight, but "
                    "there are ",
                    nFlows,
                    ", ",
                    configurations,
                    " and ",
                    largest);
        }
        if (largest % 2 == 0)
        {
            DcnFail("--largest must be odd, as limits are 1, 3, 5 and so on, but it is ",
                    largest,
                    ": take ",
                    largest - 1,
                    " or ",
                    largest + 1);
        }
    }

    /**
     * Runs all methods on a backlog and prints a line.
     * @param scenario the backlog
     * @param limit flows in flight per rack
     * @param name of the configuration: its number, congestion control and sizes
     * @return flows per second by method
     */
    std::vector<double> Run(Ptr<const DcnScenario> scenario,
                            uint32_t limit,
                            const std::string& name) const
    {
        std::vector<double> answers;
        for (const std::string& method : METHODS)
        {
            Ptr<DcnEstimator> estimator = DcnEstimator::CreateByName(method);
            estimator->SetAttributeFailSafe("Model", StringValue(model)); // m4 alone
            answers.push_back(M4MeasureThroughput(estimator, scenario, limit));
        }
        std::printf("%s %5u %14.0f", name.c_str(), limit, answers[0]);
        for (std::size_t m = 1; m < answers.size(); ++m)
        {
            std::printf(" %+8.1f%%", 100 * (answers[m] / answers[0] - 1));
        }
        std::printf("\n");
        std::fflush(stdout);
        return answers;
    }
};

} // namespace

int
main(int argc, char* argv[])
{
    Options options;
    CommandLine cmd(__FILE__);
    cmd.Usage("Throughput of closed loops by packets, flowsim and m4.");
    options.AddTo(cmd);
    DcnParseCommandLine(cmd, argc, argv);

    return DcnRunProgram("m4-closed-loop", [&]() {
        options.Check();
        const DcnScenarioSuite suite("network-configurations", options.seed);
        DcnMakeFolder(options.out);
        const DcnFolderLock lock(options.out, DcnRunRecord::IN_USE);
        DcnRunRecord::FindParts(options.out);
        DcnFileWriter file(options.out + "/closed-loop.csv");
        file.Stream() << "configuration,cc,sizes,window_bytes,limit,method,flows_per_s,error\n";
        std::map<std::string, std::vector<double>> errors;
        std::printf("configuration cc      sizes           limit  packets [1/s]   flowsim    capped"
                    "        m4\n");
        for (uint64_t i = 0; i < options.configurations; ++i)
        {
            const DcnSuiteScenario drawn = suite.Draw(i);
            Ptr<const DcnScenario> scenario = M4MakeBacklog(drawn, options.nFlows);
            char name[64];
            std::snprintf(name,
                          sizeof(name),
                          "%-13" PRIu64 " %-7s %-15s",
                          i,
                          drawn.congestionControl.c_str(),
                          drawn.sizes.c_str());
            for (uint32_t limit = 1; limit <= options.largest; limit += 2)
            {
                const auto answers = options.Run(scenario, limit, name);
                for (std::size_t m = 0; m < answers.size(); ++m)
                {
                    const double error = answers[m] / answers[0] - 1;
                    file.Stream() << i << ',' << drawn.congestionControl << ',' << drawn.sizes
                                  << ',' << scenario->GetNetwork().windowBytes << ',' << limit
                                  << ',' << METHODS[m] << ',' << answers[m] << ',' << error << '\n';
                    errors[METHODS[m]].push_back(std::abs(error));
                }
            }
        }
        for (auto& [method, values] : errors)
        {
            std::sort(values.begin(), values.end());
            std::printf("%-24s mean |error| %5.1f %%, p90 %5.1f %%\n",
                        method.c_str(),
                        100 * DcnMean(values),
                        100 * DcnQuantile(values, 0.9));
        }
        file.Commit();
        std::printf("written: %s/closed-loop.csv\n", options.out.c_str());
        return 0;
    });
}

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
#include "ns3/dcn-scenario-suite.h"
#include "ns3/dcn-statistics.h"
#include "ns3/string.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <map>
#include <string>
#include <vector>

using namespace ns3;

int
main(int argc, char* argv[])
{
    uint64_t seed = 1;
    uint64_t configurations = 3;
    uint64_t nFlows = 1000;
    uint32_t largest = 13;
    std::string model;
    std::string out = "results/m4-closed-loop";
    CommandLine cmd(__FILE__);
    cmd.Usage("Throughput of closed loops by packets, flowsim and m4.");
    cmd.AddValue("seed", "Seed of the configurations", seed);
    cmd.AddValue("configurations", "Number of configurations", configurations);
    cmd.AddValue("flows", "Flows of the backlog", nFlows);
    cmd.AddValue("largest", "Largest limit of flows in flight; from 1 in steps of 2", largest);
    DcnAddText(cmd, "model", "Folder of a model for m4; empty: the shipped one", model);
    DcnAddText(cmd, "out", "Folder for closed-loop.csv", out);
    DcnParseCommandLine(cmd, argc, argv);

    return DcnRunProgram("m4-closed-loop", [&]() {
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
        const DcnScenarioSuite suite("network-configurations", seed);
        DcnMakeFolder(out);
        DcnFileWriter file(out + "/closed-loop.csv");
        file.Stream() << "configuration,cc,sizes,window_bytes,limit,method,flows_per_s,error\n";
        std::map<std::string, std::vector<double>> errors;
        std::printf("%-13s %-7s %-15s %5s %14s %9s %9s %9s\n",
                    "configuration",
                    "cc",
                    "sizes",
                    "limit",
                    "packets [1/s]",
                    "flowsim",
                    "capped",
                    "m4");
        for (uint64_t i = 0; i < configurations; ++i)
        {
            const DcnSuiteScenario drawn = suite.Draw(i);
            Ptr<const DcnScenario> scenario = M4MakeBacklog(drawn, nFlows);
            for (uint32_t limit = 1; limit <= largest; limit += 2)
            {
                std::vector<double> answers;
                for (const char* name : {"packet", "flowsim", "flowsim:WindowCap=true", "m4"})
                {
                    Ptr<DcnEstimator> estimator = DcnEstimator::CreateByName(name);
                    estimator->SetAttributeFailSafe("Model", StringValue(model)); // m4 alone
                    answers.push_back(M4MeasureThroughput(estimator, scenario, limit));
                    const double error = answers.back() / answers.front() - 1;
                    file.Stream() << i << ',' << drawn.congestionControl << ',' << drawn.sizes
                                  << ',' << scenario->GetNetwork().windowBytes << ',' << limit
                                  << ',' << name << ',' << answers.back() << ',' << error << '\n';
                    errors[name].push_back(std::abs(error));
                }
                std::printf("%-13llu %-7s %-15s %5u %14.0f %+8.1f%% %+8.1f%% %+8.1f%%\n",
                            static_cast<unsigned long long>(i),
                            drawn.congestionControl.c_str(),
                            drawn.sizes.c_str(),
                            limit,
                            answers[0],
                            100 * (answers[1] / answers[0] - 1),
                            100 * (answers[2] / answers[0] - 1),
                            100 * (answers[3] / answers[0] - 1));
                std::fflush(stdout);
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
        std::printf("written: %s/closed-loop.csv\n", out.c_str());
        return 0;
    });
}

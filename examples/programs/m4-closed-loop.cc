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

#include "ns3/command-line.h"
#include "ns3/dcn-command-line.h"
#include "ns3/dcn-csv.h"
#include "ns3/dcn-error.h"
#include "ns3/dcn-estimator.h"
#include "ns3/dcn-random.h"
#include "ns3/dcn-scenario-suite.h"
#include "ns3/dcn-size-distribution.h"
#include "ns3/dcn-statistics.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <map>
#include <string>
#include <vector>

using namespace ns3;

namespace
{

/**
 * @brief Make the backlog.
 * @param drawn sizes and configuration
 * @param nFlows number of flows
 * @return the scenario; all flows start at 0
 */
Ptr<const DcnScenario>
MakeScenario(const DcnSuiteScenario& drawn, uint64_t nFlows)
{
    const auto parts = drawn.recipe.CreateParts();
    const Ptr<DcnTopology> topology = parts.topology;
    const DcnRandom random(drawn.seed);
    auto sizes = DcnSizeDistribution::Create(drawn.sizes);
    sizes->AssignStreams(random);
    auto choice = CreateObject<UniformRandomVariable>();
    random.Assign(choice, DcnPurpose::FLOW_PAIRS);
    std::vector<uint32_t> racks(topology->GetNRacks());
    for (uint32_t rack = 0; rack < racks.size(); ++rack)
    {
        racks[rack] = rack;
    }
    DcnShuffle(racks, *choice);
    racks.resize(racks.size() / 4);
    std::vector<uint32_t> clients;
    std::vector<uint32_t> storage;
    for (const uint32_t host : topology->GetHosts())
    {
        const bool isClient =
            std::find(racks.begin(), racks.end(), topology->GetRack(host)) != racks.end();
        (isClient ? clients : storage).push_back(host);
    }
    auto draw = [&choice](const std::vector<uint32_t>& hosts) {
        return hosts[choice->GetInteger(0, static_cast<uint32_t>(hosts.size()) - 1)];
    };
    std::vector<DcnFlow> flows;
    for (uint64_t i = 0; i < nFlows; ++i)
    {
        const uint32_t from = draw(clients);
        flows.push_back({i, from, draw(storage), sizes->Sample(), 0});
    }
    return DcnScenario::Create(topology, parts.network, std::move(flows), {}, drawn.seed);
}

/**
 * @param ends completion of each flow [ns], negative: incomplete
 * @return flows per second until four fifths have completed
 */
double
GetThroughput(std::vector<int64_t> ends)
{
    const std::size_t n = ends.size() * 4 / 5;
    std::replace_if(
        ends.begin(),
        ends.end(),
        [](int64_t end) { return end < 0; },
        INT64_MAX);
    std::nth_element(ends.begin(), ends.begin() + static_cast<std::ptrdiff_t>(n) - 1, ends.end());
    if (ends[n - 1] == INT64_MAX)
    {
        DcnFail("a fifth of the flows did not complete");
    }
    return static_cast<double>(n) * 1e9 / static_cast<double>(ends[n - 1]);
}

/// Throughput by a method.
double
Run(Ptr<DcnEstimator> method, Ptr<const DcnScenario> scenario, uint32_t limit)
{
    method->SetAttribute("InFlightPerRack", UintegerValue(limit));
    const DcnEstimate estimate = method->Estimate(scenario);
    Simulator::Destroy();
    std::vector<int64_t> ends = estimate.fctNs;
    for (std::size_t i = 0; i < ends.size(); ++i)
    {
        ends[i] = ends[i] < 0 ? -1 : ends[i] + estimate.releaseNs[i];
    }
    return GetThroughput(ends);
}

} // namespace

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
            Ptr<const DcnScenario> scenario = MakeScenario(drawn, nFlows);
            for (uint32_t limit = 1; limit <= largest; limit += 2)
            {
                std::vector<double> answers;
                for (const char* name : {"packet", "flowsim", "flowsim:WindowCap=true", "m4"})
                {
                    Ptr<DcnEstimator> estimator = DcnEstimator::CreateByName(name);
                    estimator->SetAttributeFailSafe("Model", StringValue(model)); // m4 alone
                    answers.push_back(Run(estimator, scenario, limit));
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

/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

/**
 * @file
 * @brief How far are the methods from ns-3's own TCP?
 *
 * The same flows run over a transport of ns-3 (--transport), with a handshake, slow start and
 * losses, and by the methods of this project, which were built for other transports. All errors are
 * relative to the TCP.
 */

#include "ns3/command-line.h"
#include "ns3/dcn-command-line.h"
#include "ns3/dcn-error.h"
#include "ns3/dcn-fct-table.h"
#include "ns3/dcn-workload.h"

#include <algorithm>
#include <cstdio>
#include <string>
#include <utility>

using namespace ns3;

namespace
{

/**
 * @param flows number of flows
 * @return web-server flows on a small fabric with two spines and the thresholds of DCTCP
 */
Ptr<const DcnScenario>
MakeScenario(uint64_t flows)
{
    DcnLeafSpineParameters parameters;
    parameters.racks = 4;
    Ptr<DcnTopology> topology = DcnBuildTopology(parameters);
    DcnWorkloadSpec spec;
    spec.sizes = "web-server";
    spec.nFlows = flows;
    spec.load = 0.4;
    DcnWorkload workload = DcnWorkload::Generate(topology, spec);
    return DcnScenario::CreateWithPaths(topology,
                                        DcnNetworkConfig::Preset("dctcp"),
                                        std::move(workload.flows),
                                        std::move(workload.paths));
}

} // namespace

int
main(int argc, char* argv[])
{
    uint64_t flows = 500;
    std::string transport = "ns3::TcpDctcp";
    CommandLine cmd(__FILE__);
    cmd.Usage("Compare methods with ns-3's own TCP on a small fabric.");
    cmd.AddValue("flows", "Number of flows", flows);
    DcnAddText(cmd, "transport", "Congestion control of ns-3, as ns3::TcpCubic", transport);
    DcnParseCommandLine(cmd, argc, argv);

    return DcnRunProgram("tcp-truth", [&]() {
        Ptr<const DcnScenario> scenario = MakeScenario(flows);
        DcnFctTable table(scenario);
        for (const std::string& name : {"tcp:Transport=" + transport,
                                        std::string("packet"),
                                        std::string("flowsim"),
                                        std::string("parsimon"),
                                        std::string("m4")})
        {
            table.Add(DcnEstimator::CreateByName(name)->Estimate(scenario));
        }
        const auto& answers = table.GetEstimates();
        std::printf("%zu flows; truth: %s\n",
                    scenario->GetFlows().size(),
                    answers.front().provenance.c_str());
        std::printf("method    p99 slowdown     error   mean |error| of flows   cpu [s]\n");
        const auto rows = table.GetSummary();
        for (const DcnEstimate& answer : answers)
        {
            const auto find = [&](const std::string& metric) {
                return *std::find_if(rows.begin(), rows.end(), [&](const auto& row) {
                    return row.method == answer.method && row.metric == metric &&
                           row.sizeClass == "all";
                });
            };
            const bool isTruth = &answer == &answers.front();
            const auto p99 = find("p99_slowdown");
            std::printf("%-9s %12.2f", isTruth ? "tcp" : answer.method.c_str(), p99.value);
            isTruth ? std::printf("   (truth)                       -")
                    : std::printf(" %+8.1f%% %22.1f%%",
                                  100 * p99.relativeError,
                                  100 * find("mean_abs_flow_error").value);
            std::printf(" %9.3f\n", answer.cpuSeconds);
        }
        return 0;
    });
}

/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

/**
 * @file
 * @brief A closed loop: hosts keep at most N flows of a rack in flight, and the others wait.
 *
 * All flows are offered at time 0, and a flow starts when another one of its rack has ended, so
 * that errors of a method accumulate. The program prints the throughput by packets, by the fluid
 * simulation and by m4, for several N. (Packets release the next flow at the last acknowledgement,
 * the others at the delivery of the last byte. m4-closed-loop has the configurations of a suite.)
 */

#include "ns3/command-line.h"
#include "ns3/dcn-command-line.h"
#include "ns3/dcn-error.h"
#include "ns3/dcn-estimator.h"
#include "ns3/dcn-scenario.h"
#include "ns3/dcn-topology.h"
#include "ns3/dcn-workload.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <cstdio>
#include <string>
#include <vector>

using namespace ns3;

namespace
{

/**
 * @param ends completion of each flow [ns]
 * @return flows per second until four fifths are complete: later, racks run out of flows
 */
double
GetThroughput(std::vector<int64_t> ends)
{
    const std::size_t n = std::max<std::size_t>(1, ends.size() * 4 / 5);
    std::nth_element(ends.begin(), ends.begin() + static_cast<std::ptrdiff_t>(n) - 1, ends.end());
    return static_cast<double>(n) * 1e9 / static_cast<double>(ends[n - 1]);
}

/// @return the throughput by a method
double
Run(const std::string& method, Ptr<const DcnScenario> scenario, uint32_t limit)
{
    const std::string name = method + ":InFlightPerRack=" + std::to_string(limit);
    const DcnEstimate estimate = DcnEstimator::CreateByName(name)->Estimate(scenario);
    Simulator::Destroy();
    if (!estimate.IsComplete())
    {
        DcnFail(estimate.DescribeCompletion());
    }
    std::vector<int64_t> ends = estimate.fctNs;
    for (std::size_t i = 0; i < ends.size(); ++i)
    {
        ends[i] += estimate.releaseNs[i];
    }
    return GetThroughput(ends);
}

} // namespace

int
main(int argc, char* argv[])
{
    DcnWorkloadSpec spec;
    spec.sizes = "web-search";
    spec.nFlows = 500;
    uint32_t largest = 9;
    CommandLine cmd(__FILE__);
    cmd.Usage("Throughput of closed loops by packets, flowsim and m4.");
    cmd.AddValue("flows", "Number of flows", spec.nFlows);
    cmd.AddValue("largest", "Largest number of flows in flight; from 1 in steps of 4", largest);
    cmd.AddValue("seed", "Seed of the flows", spec.seed);
    DcnParseCommandLine(cmd, argc, argv);

    return DcnRunProgram("dcn-closed-loop", [&]() {
        Ptr<DcnTopology> topology = DcnBuildTopology(DcnFabricParameters());
        std::vector<DcnFlow> flows = DcnWorkload::Generate(topology, spec).flows;
        for (DcnFlow& flow : flows)
        {
            flow.startNs = 0;
        }
        Ptr<const DcnScenario> scenario =
            DcnScenario::Create(topology, DcnNetworkConfig::Preset("dctcp"), flows);
        std::printf("in flight  packets [flows/s]  flowsim       m4\n");
        for (uint32_t limit = 1; limit <= largest; limit += 4)
        {
            const double truth = Run("packet", scenario, limit);
            std::printf("%9u %18.0f %+7.1f%% %+7.1f%%\n",
                        limit,
                        truth,
                        100 * (Run("flowsim", scenario, limit) / truth - 1),
                        100 * (Run("m4", scenario, limit) / truth - 1));
        }
        return 0;
    });
}

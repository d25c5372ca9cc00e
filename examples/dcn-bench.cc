/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

/**
 * @file
 * @brief Benchmarks: how fast the methods are, as rows benchmark,metric,value.
 *
 * Usage: dcn-bench [NAME]; without a name, all of them. Figures are those of one core and this
 * machine; those meant to be compared with each other are measured in the same run.
 */

#include "dcn-bench.h"

#include "ns3/command-line.h"
#include "ns3/dcn-command-line.h"
#include "ns3/dcn-error.h"
#include "ns3/dcn-packet-estimator.h"
#include "ns3/dcn-topology-helper.h"
#include "ns3/dcn-workload.h"
#include "ns3/simulator.h"

#include <cstdint>
#include <functional>
#include <iostream>
#include <map>
#include <string>

using namespace ns3;

namespace
{

/**
 * @param topology the network
 * @param sizes name of the flow sizes
 * @param nFlows number of flows, Poisson and uniform at 50 % load
 * @param cc congestion control, with the evaluation parameters
 * @return the scenario
 */
Ptr<const DcnScenario>
MakeScenario(Ptr<DcnTopology> topology,
             const std::string& sizes,
             uint64_t nFlows,
             const std::string& cc)
{
    DcnWorkloadSpec spec;
    spec.sizes = sizes;
    spec.nFlows = nFlows;
    DcnWorkload workload = DcnWorkload::Generate(topology, spec);
    return DcnScenario::CreateWithPaths(
        topology,
        DcnNetworkConfig::Preset(cc, topology->GetSlowestHostRate()),
        std::move(workload.flows),
        std::move(workload.paths));
}

/// Data packets times links crossed per CPU second, on a dumbbell and on a fabric.
void
BenchPacket()
{
    DcnDumbbellParameters dumbbell;
    dumbbell.senders = 10;
    dumbbell.receivers = 10;
    for (const auto& cc : DcnNetworkConfig::GetCongestionControls())
    {
        for (bool onFabric : {false, true})
        {
            Ptr<const DcnScenario> scenario =
                onFabric
                    ? MakeScenario(DcnTopologyHelper::Create(DcnFabricParameters()),
                                   "web-server",
                                   20000,
                                   cc)
                    : MakeScenario(DcnTopologyHelper::Create(dumbbell), "web-search", 2000, cc);
            Ptr<DcnPacketEstimator> packet = CreateObject<DcnPacketEstimator>();
            const DcnEstimate estimate = packet->Estimate(scenario);
            Simulator::Destroy();
            Report("packet",
                   cc + (onFabric ? "_fabric" : "") + "_packet_hops_per_cpu_s",
                   static_cast<double>(packet->GetDataPacketHops()) / estimate.cpuSeconds);
        }
    }
}

/// Flows per second of the fluid simulation on a 256-host fabric.
void
BenchFlowsim()
{
    DcnFabricParameters fabric;
    fabric.racksPerPod = 16;
    fabric.hostsPerRack = 8;
    fabric.spinesPerPlane = 8;
    const uint64_t nFlows = 200000;
    Ptr<const DcnScenario> scenario =
        MakeScenario(DcnTopologyHelper::Create(fabric), "web-server", nFlows, "dctcp");
    const DcnEstimate estimate = DcnEstimator::CreateByName("flowsim")->Estimate(scenario);
    Report("flowsim", "flows_per_s", static_cast<double>(nFlows) / estimate.wallSeconds);
}

uint32_t g_nReported{0}; //!< results printed

} // namespace

void
Report(const std::string& benchmark, const std::string& metric, double value)
{
    ++g_nReported;
    std::cout << benchmark << ',' << metric << ',' << value << std::endl;
}

int
main(int argc, char* argv[])
{
    std::string name;
    CommandLine cmd(__FILE__);
    cmd.Usage("Measure the speed of the methods; prints benchmark,metric,value.");
    const std::map<std::string, std::function<void()>> benchmarks{
        {"cceval", BenchCceval},
        {"flowsim", BenchFlowsim},
        {"flowsim-fabric", BenchFlowsimFabric},
        {"flowsim-parking-lot", BenchFlowsimParkingLot},
        {"flowsim-simgrid", BenchFlowsimSimgrid},
        {"m4", BenchM4},
        {"mql", BenchMql},
        {"mql-scale", BenchMqlScale},
        {"packet", BenchPacket},
        {"m3", BenchM3},
        {"m3-fabric", BenchM3Fabric},
        {"parsimon", BenchParsimon},
        {"parsimon-link", BenchParsimonLink},
        {"torch-graph", BenchTorchGraph},
        {"torch-set", BenchTorchSet},
    };
    std::string known;
    for (const auto& [each, run] : benchmarks)
    {
        known += (known.empty() ? "" : ", ") + each;
    }
    cmd.AddNonOption("name", "Benchmark: one of " + known + " (all)", name);
    DcnParseCommandLine(cmd, argc, argv);

    return DcnRunProgram("dcn-bench", [&]() {
        if (!name.empty() && benchmarks.find(name) == benchmarks.end())
        {
            DcnFail("the benchmark \"", name, "\" is not one of ", known);
        }
        std::cout << "benchmark,metric,value" << std::endl;
        for (const auto& [each, run] : benchmarks)
        {
            if (name.empty() || name == each)
            {
                run();
            }
        }
        // one that lacks something has said so, and has failed if nothing else was asked for
        return g_nReported > 0 ? 0 : 1;
    });
}

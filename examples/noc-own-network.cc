/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

/**
 * @file
 * @brief A network on chip of your own nodes and links: the simulator along with ns-3's events, the
 * model beside it, and a design sweep by the model alone.
 */

#include "ns3/core-module.h"
#include "ns3/dcn-command-line.h"
#include "ns3/dcn-error.h"
#include "ns3/network-module.h"
#include "ns3/noc-helper.h"
#include "ns3/noc-network.h"
#include "ns3/point-to-point-module.h"

#include <cstdio>
#include <map>

using namespace ns3;

namespace
{

std::map<uint32_t, uint32_t> g_deflections; //!< packets that found no room, by node

/// A packet found no room at a node.
void
OnDeflected(uint32_t cycle, NocLayer layer, uint32_t source, uint32_t destination, uint32_t node)
{
    ++g_deflections[node];
}

/// Builds the network, simulates, and asks the model.
void
RunAll(double load)
{
    // four cores around a memory controller (4), and one core behind another (5)
    NodeContainer nodes;
    nodes.Create(6);
    PointToPointHelper link; // its rate and delay mean nothing here: a hop takes one cycle
    const std::pair<uint32_t, uint32_t> ends[] = {
        {0, 1}, {1, 2}, {2, 3}, {3, 0}, {0, 4}, {2, 4}, {3, 5}};
    for (const auto& [a, b] : ends)
    {
        link.Install(nodes.Get(a), nodes.Get(b));
    }
    NocHelper helper;
    helper.SetAttribute("MemoryControllers", StringValue("4"));
    helper.SetAttribute("HitRate", DoubleValue(0.7));
    helper.SetAttribute("Burst", DoubleValue(0.1));
    helper.SetAttribute("Ingress", UintegerValue(8));
    Ptr<NocNetwork> noc = helper.Install(nodes);
    const double rate = load * noc->GetSystem().GetLargestRate();
    noc->SetAttribute("Rate", DoubleValue(rate));

    // 1. simulator and model behind one call
    const NocResult simulated = noc->Estimate("simulation");
    const NocResult modelled = noc->Estimate("closed");
    std::printf("load %.2f: %.3f requests per cycle and core\n", load, rate);
    std::printf("simulation %.2f +- %.2f cycles, model %.2f (%+.1f %%), %.0f times as fast\n",
                simulated.request.estimate,
                simulated.request.GetHalfWidth(),
                modelled.request.estimate,
                100 * (modelled.request.estimate / simulated.request.estimate - 1),
                simulated.seconds / modelled.seconds);

    // 2. along with ns-3's events: 100,000 cycles at 2 GHz
    noc->SetAttribute("Frequency", DoubleValue(2e9));
    noc->TraceConnectWithoutContext("Deflect", MakeCallback(&OnDeflected));
    noc->Start(MicroSeconds(10), MicroSeconds(50));
    Simulator::Run();
    std::printf("in ns-3: %.2f transactions per cycle, %.1f cycles each\n",
                static_cast<double>(noc->GetStatistics().transactions.n) /
                    static_cast<double>(noc->GetStatistics().cycles),
                noc->GetStatistics().transactions.GetMean());
    for (const auto& [node, n] : g_deflections)
    {
        std::printf("node %u refused %u packets\n", node, n);
    }

    // 3. how large must sinks be, and how fast the memory?
    for (uint32_t period : {1, 2, 4})
    {
        for (uint32_t ingress : {2, 4, 8, 16})
        {
            noc->SetAttribute("MemoryPeriod", UintegerValue(period));
            noc->SetAttribute("Ingress", UintegerValue(ingress));
            const NocResult result = noc->Estimate("closed");
            std::printf("memory period %u, sinks of %2u: ", period, ingress);
            if (result.isSaturated)
            {
                std::printf("saturated by %s\n", result.binding.c_str());
                continue;
            }
            std::printf("%.2f cycles, busiest: %s\n",
                        result.request.estimate,
                        result.binding.c_str());
        }
    }
    Simulator::Destroy();
}

} // namespace

int
main(int argc, char* argv[])
{
    double load = 0.6;
    CommandLine cmd(__FILE__);
    cmd.AddValue("load", "Share of the rate at which a lane or the memory is busy all the time", load);
    DcnParseCommandLine(cmd, argc, argv);
    return DcnRunProgram("noc-own-network", [load]() {
        RunAll(load);
        return 0;
    });
}

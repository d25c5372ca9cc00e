/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

/**
 * @file
 * @brief Starting point for a program with ns-3 nodes of its own: copy this file to scratch/,
 * change it, and run it by `./dcn run NAME`.
 *
 * Four hosts of one rack send to one host of another rack, over PointToPoint links.
 */

#include "ns3/command-line.h"
#include "ns3/dcn-command-line.h"
#include "ns3/dcn-estimator.h"
#include "ns3/node-container.h"
#include "ns3/point-to-point-helper.h"
#include "ns3/simulator.h"
#include "ns3/string.h"

#include <cstdio>

using namespace ns3;

int
main(int argc, char* argv[])
{
    CommandLine cmd(__FILE__); // options of your own: cmd.AddValue
    DcnParseCommandLine(cmd, argc, argv);

    // Nodes and links as in any ns-3 program: hosts 0 .. 7, switches 8 and 9.
    NodeContainer nodes(10);
    PointToPointHelper link;
    link.SetDeviceAttribute("DataRate", StringValue("10Gbps"));
    link.SetChannelAttribute("Delay", StringValue("1us"));
    for (uint32_t host = 0; host < 8; ++host)
    {
        link.Install(nodes.Get(host), nodes.Get(host < 4 ? 8 : 9));
    }
    link.Install(nodes.Get(8), nodes.Get(9));

    // The scenario. A flow is {id, source, destination, bytes, start [ns]}; node numbers are those
    // of the container.
    Ptr<DcnTopology> topology = DcnTopology::FromNodes(nodes);
    std::vector<DcnFlow> flows;
    for (uint32_t host = 0; host < 4; ++host)
    {
        flows.push_back({host, host, 7, 100'000, 5'000 * host});
    }
    Ptr<const DcnScenario> scenario =
        DcnScenario::Create(topology, DcnNetworkConfig::Preset("dctcp"), flows);

    // Any number of methods, chosen by name, on the same flows.
    const DcnEstimate fluid = DcnEstimator::CreateByName("flowsim")->Estimate(scenario);
    const DcnEstimate learned = DcnEstimator::CreateByName("m4")->Estimate(scenario);
    const DcnEstimate packet = DcnEstimator::CreateByName("packet")->Estimate(scenario);
    Simulator::Destroy();

    std::printf("flow  ideal [us]  flowsim [us]   m4 [us]  packet [us]\n");
    for (std::size_t i = 0; i < flows.size(); ++i)
    {
        std::printf("%4zu %11.3f %13.3f %9.3f %12.3f\n",
                    i,
                    scenario->GetIdealFct(i).GetTotalNs() / 1e3,
                    fluid.fctNs[i] / 1e3,
                    learned.fctNs[i] / 1e3,
                    packet.fctNs[i] / 1e3);
    }
    return 0;
}

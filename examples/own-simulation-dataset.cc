/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

/**
 * @file
 * @brief Training data from a simulation of one's own: TCP on a dumbbell.
 *
 * Each sample is a run of ns-3's TCP with another run number. The collector records starts,
 * completions and remaining bytes of its flows; DcnDatasetBuilder writes them as a data set that
 * m3-train and m4-train read (./dcn run m4-train --data=own-data --validation=8).
 */

#include "ns3/applications-module.h"
#include "ns3/core-module.h"
#include "ns3/dcn-collector.h"
#include "ns3/dcn-command-line.h"
#include "ns3/dcn-dataset-builder.h"
#include "ns3/dcn-dataset-reader.h"
#include "ns3/dcn-error.h"
#include "ns3/dcn-scenario-helper.h"
#include "ns3/internet-module.h"
#include "ns3/point-to-point-module.h"

#include <cstdio>
#include <map>
#include <string>

using namespace ns3;

namespace
{

/// Runs TCP once and adds what the collector has seen.
void
AddSimulation(DcnDatasetBuilder& data, uint32_t nFlows)
{
    RngSeedManager::SetRun(data.GetNextSeed());
    NodeContainer left(4);
    NodeContainer right(4);
    NodeContainer switches(2);
    const NodeContainer nodes(left, right, switches);
    InternetStackHelper().Install(nodes);
    PointToPointHelper link;
    link.SetDeviceAttribute("DataRate", StringValue("1Gbps"));
    link.SetChannelAttribute("Delay", StringValue("5us"));
    Ipv4AddressHelper subnets("10.0.0.0", "255.255.255.0");
    const auto join = [&](Ptr<Node> a, Ptr<Node> b) {
        subnets.Assign(link.Install(a, b));
        subnets.NewNetwork();
    };
    join(switches.Get(0), switches.Get(1));
    for (uint32_t i = 0; i < 4; ++i)
    {
        join(left.Get(i), switches.Get(0));
        join(right.Get(i), switches.Get(1));
    }
    Ipv4GlobalRoutingHelper::PopulateRoutingTables();

    auto random = CreateObject<UniformRandomVariable>();
    std::map<Ptr<Application>, Ptr<PacketSink>> sinks; // of each sender
    for (uint32_t i = 0; i < nFlows; ++i)
    {
        const Ptr<Node> to = right.Get(random->GetInteger(0, 3));
        const Ipv4Address ip = to->GetObject<Ipv4>()->GetAddress(1, 0).GetLocal();
        const InetSocketAddress address(ip, static_cast<uint16_t>(1000 + i));
        BulkSendHelper sender("ns3::TcpSocketFactory", address);
        sender.SetAttribute("MaxBytes", UintegerValue(random->GetInteger(1'000, 200'000)));
        ApplicationContainer source = sender.Install(left.Get(random->GetInteger(0, 3)));
        source.Start(MicroSeconds(random->GetInteger(0, 800 * nFlows)));
        PacketSinkHelper sink("ns3::TcpSocketFactory", address);
        sinks[source.Get(0)] = DynamicCast<PacketSink>(sink.Install(to).Get(0));
    }

    DcnScenarioHelper reader; // dcn, from here on
    const Ptr<const DcnScenario> scenario = reader.FromApplications(nodes);
    Ptr<DcnCollector> collector = CreateObject<DcnCollector>();
    collector->SetAttribute("RemainingBytes", BooleanValue(true));
    for (std::size_t flow = 0; flow < nFlows; ++flow)
    {
        const auto& source = reader.GetSources()[reader.GetSourceOf(flow)].application;
        const auto bulk = DynamicCast<BulkSendApplication>(source);
        collector->WatchTcpFlow(scenario, flow, bulk, sinks[source]);
    }
    Simulator::Stop(Seconds(10));
    Simulator::Run();
    collector->Finish();
    data.Add(scenario, *collector);
    Simulator::Destroy();
}

} // namespace

int
main(int argc, char* argv[])
{
    uint32_t nFlows = 50;
    uint32_t nSamples = 40; // the least that m4-train takes
    std::string out = "own-data";
    CommandLine cmd(__FILE__);
    cmd.AddValue("flows", "Number of flows of a simulation", nFlows);
    cmd.AddValue("samples", "Number of simulations", nSamples);
    DcnAddText(cmd, "out", "Folder of the data set", out);
    DcnParseCommandLine(cmd, argc, argv);
    return DcnRunProgram("own-simulation-dataset", [&]() {
        DcnDatasetBuilder data(out, "ns-3 TCP on a dumbbell of 1 Gb/s");
        for (uint32_t i = 0; i < nSamples; ++i)
        {
            AddSimulation(data, nFlows);
        }
        data.Commit();
        const DcnDatasetSample last = DcnDatasetReader(out).Read(nSamples - 1);
        std::printf("%u samples; %zu events in the last one\n", nSamples, last.events.size());
        return 0;
    });
}

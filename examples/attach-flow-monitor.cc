/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

/**
 * @file
 * @brief Estimates beside a FlowMonitor: what an ns-3 simulation has sent, estimated after the run.
 *
 * All but the lines after "dcn" is a script as ns-3 users write it. The flows are those that the
 * FlowMonitor has seen, so that applications that no method can read are estimated, too: here one
 * with random times. The table has the monitor's times beside those of two methods.
 */

#include "ns3/applications-module.h"
#include "ns3/core-module.h"
#include "ns3/dcn-command-line.h"
#include "ns3/dcn-error.h"
#include "ns3/flow-monitor-module.h"
#include "ns3/flowsim-helper.h"
#include "ns3/internet-module.h"
#include "ns3/network-module.h"
#include "ns3/parsimon-helper.h"
#include "ns3/point-to-point-module.h"

#include <cstdio>
#include <vector>

using namespace ns3;

/// Prints the monitor's times of the flows beside estimates [ns].
static void
PrintTable(const DcnScenarioHelper& reader,
           Ptr<FlowMonitor> monitor,
           const std::vector<int64_t>& fluid,
           const std::vector<int64_t>& links)
{
    std::printf("flow    bytes  mean delay [us]  FlowMonitor [ms]  flowsim  parsimon\n");
    for (std::size_t i = 0; i < reader.GetSources().size(); ++i)
    {
        const auto& source = reader.GetSources()[i];
        const FlowMonitor::FlowStats stats = monitor->GetFlowStats().at(source.monitorId);
        const Time fct = stats.timeLastRxPacket - stats.timeFirstTxPacket;
        std::printf("%4u  %7llu  %15.1f  %16.3f  %7.3f  %8.3f\n",
                    source.monitorId,
                    static_cast<unsigned long long>(source.sizeBytes),
                    stats.delaySum.GetSeconds() * 1e6 / stats.rxPackets,
                    fct.GetSeconds() * 1e3,
                    static_cast<double>(fluid[i]) * 1e-6,
                    static_cast<double>(links[i]) * 1e-6);
    }
    for (const std::string& note : reader.GetNotes())
    {
        std::printf("%s\n", note.c_str());
    }
}

int
main(int argc, char* argv[])
{
    uint32_t nSenders = 6;
    CommandLine cmd(__FILE__);
    cmd.AddValue("senders", "Number of senders to one receiver", nSenders);
    DcnParseCommandLine(cmd, argc, argv);
    Config::SetDefault("ns3::TcpSocket::SegmentSize", UintegerValue(1448));

    NodeContainer hosts(nSenders + 1);
    NodeContainer routers(2);
    PointToPointHelper link;
    link.SetDeviceAttribute("DataRate", StringValue("1Gbps"));
    link.SetChannelAttribute("Delay", StringValue("20us"));
    InternetStackHelper().InstallAll();
    Ipv4AddressHelper subnets("10.0.0.0", "255.255.255.0");
    const auto join = [&](Ptr<Node> a, Ptr<Node> b) {
        subnets.Assign(link.Install(a, b));
        subnets.NewNetwork();
    };
    join(hosts.Get(0), routers.Get(0)); // the receiver
    join(routers.Get(0), routers.Get(1));
    for (uint32_t i = 1; i <= nSenders; ++i)
    {
        join(hosts.Get(i), routers.Get(1));
    }
    Ipv4GlobalRoutingHelper::PopulateRoutingTables();

    const auto ip = hosts.Get(0)->GetObject<Ipv4>();
    const InetSocketAddress address(ip->GetAddress(1, 0).GetLocal(), 80);
    PacketSinkHelper("ns3::TcpSocketFactory", address).Install(hosts.Get(0));
    for (uint32_t i = 1; i < nSenders; ++i)
    {
        BulkSendHelper sender("ns3::TcpSocketFactory", address);
        sender.SetAttribute("MaxBytes", UintegerValue(200'000 * i));
        sender.Install(hosts.Get(i)).Start(MilliSeconds(i));
    }
    OnOffHelper random("ns3::TcpSocketFactory", address);
    random.SetConstantRate(DataRate("2Gbps"), 1448);
    random.SetAttribute("OnTime", StringValue("ns3::ExponentialRandomVariable[Mean=0.001]"));
    random.SetAttribute("OffTime", StringValue("ns3::ExponentialRandomVariable[Mean=0.0001]"));
    random.SetAttribute("MaxBytes", UintegerValue(400'000));
    random.Install(hosts.Get(nSenders)).Start(MilliSeconds(2));

    FlowMonitorHelper helper;
    Ptr<FlowMonitor> monitor = helper.InstallAll();
    Simulator::Stop(Seconds(10));
    Simulator::Run();

    return DcnRunProgram("attach-flow-monitor", [&]() {
        const NodeContainer nodes(hosts, routers); // dcn, from here on
        DcnScenarioHelper reader;
        const auto scenario = reader.FromFlowMonitor(nodes, monitor, helper.GetClassifier());
        const auto fluid = reader.GetSourceFctNs(FlowsimHelper().Estimate(scenario));
        const auto links = reader.GetSourceFctNs(ParsimonHelper().Estimate(scenario));
        PrintTable(reader, monitor, fluid, links);
        Simulator::Destroy();
        return 0;
    });
}

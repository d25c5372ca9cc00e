/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

/**
 * @file
 * @brief flowsim and m4 follow TCP while it runs: a leaf-spine with global routing.
 *
 * All but the lines with "dcn" is a script as ns-3 users write it. Each transfer starts at a random
 * time after the one before it; in the same Simulator::Run both methods have the same flow from
 * that instant on, and the trace source reports who completes it when.
 */

#include "ns3/applications-module.h"
#include "ns3/core-module.h"
#include "ns3/dcn-command-line.h"
#include "ns3/dcn-error.h"
#include "ns3/dcn-shadow-helper.h"
#include "ns3/internet-module.h"
#include "ns3/network-module.h"
#include "ns3/point-to-point-module.h"

#include <cstdio>
#include <string>

using namespace ns3;

namespace
{

/// A flow is complete by a method, or in the simulation itself.
void
OnCompleted(uint64_t flow, const std::string& method, Time completionTime)
{
    if (flow < 3)
    {
        std::printf("%9.1f us  flow %u  %-8s %9.1f us\n",
                    Simulator::Now().GetNanoSeconds() / 1e3,
                    static_cast<unsigned>(flow),
                    method.c_str(),
                    completionTime.GetNanoSeconds() / 1e3);
    }
}

} // namespace

int
main(int argc, char* argv[])
{
    uint32_t nFlows = 200;
    std::string out = "results";
    CommandLine cmd(__FILE__);
    cmd.AddValue("flows", "Number of transfers", nFlows);
    DcnAddText(cmd, "out", "Folder for fct.csv, summary.csv and slowdown-cdf.png", out);
    DcnParseCommandLine(cmd, argc, argv);
    Config::SetDefault("ns3::TcpSocket::SegmentSize", UintegerValue(1448));

    NodeContainer hosts(16);
    NodeContainer leaves(4);
    NodeContainer spines(4);
    PointToPointHelper link;
    link.SetDeviceAttribute("DataRate", StringValue("1Gbps"));
    link.SetChannelAttribute("Delay", StringValue("5us"));
    InternetStackHelper().InstallAll();
    Ipv4AddressHelper subnets("10.0.0.0", "255.255.255.0");
    const auto join = [&](Ptr<Node> a, Ptr<Node> b) {
        subnets.Assign(link.Install(a, b));
        subnets.NewNetwork();
    };
    for (uint32_t i = 0; i < 16; ++i)
    {
        join(hosts.Get(i), leaves.Get(i / 4));
        join(leaves.Get(i / 4), spines.Get(i % 4));
    }
    Ipv4GlobalRoutingHelper::PopulateRoutingTables();

    auto random = CreateObject<UniformRandomVariable>();
    PacketSinkHelper("ns3::TcpSocketFactory", InetSocketAddress(Ipv4Address::GetAny(), 9))
        .Install(hosts);
    int64_t startUs = 0;
    for (uint32_t i = 0; i < nFlows; ++i)
    {
        const uint32_t from = random->GetInteger(0, 15);
        const uint32_t to = (from + random->GetInteger(1, 15)) % 16;
        const auto ip = hosts.Get(to)->GetObject<Ipv4>();
        BulkSendHelper sender("ns3::TcpSocketFactory",
                              InetSocketAddress(ip->GetAddress(1, 0).GetLocal(), 9));
        sender.SetAttribute("MaxBytes", UintegerValue(random->GetInteger(10'000, 1'000'000)));
        startUs += random->GetInteger(0, 4000);
        sender.Install(hosts.Get(from)).Start(MicroSeconds(startUs));
    }

    return DcnRunProgram("shadow-run", [&]() {
        DcnShadowHelper helper({"flowsim", "m4"}); // dcn, from here on
        const Ptr<DcnShadow> shadow = helper.Install(NodeContainer(hosts, leaves, spines));
        shadow->TraceConnectWithoutContext("Completed", MakeCallback(&OnCompleted));
        Simulator::Stop(Seconds(20));
        Simulator::Run();
        Simulator::Destroy();
        for (const auto& row : shadow->GetResults().GetSummary({DcnSizeClasses().front()}))
        {
            if (row.metric == "p50_slowdown" || row.metric == "p99_slowdown")
            {
                std::printf("%-8s %s %.2f\n", row.method.c_str(), row.metric.c_str(), row.value);
            }
        }
        shadow->Write(out);
        return 0;
    });
}

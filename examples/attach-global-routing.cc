/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

/**
 * @file
 * @brief Estimates beside an ns-3 script: TCP over a leaf-spine with global routing.
 *
 * All but the lines with "dcn" is a script as ns-3 users write it: nodes, links, Internet stack,
 * addresses, routing tables, BulkSend applications and sinks. The methods read flows, start times
 * and paths from what is installed. Then TCP runs, and the table shows both.
 */

#include "ns3/applications-module.h"
#include "ns3/core-module.h"
#include "ns3/dcn-command-line.h"
#include "ns3/dcn-error.h"
#include "ns3/flowsim-helper.h"
#include "ns3/internet-module.h"
#include "ns3/network-module.h"
#include "ns3/parsimon-helper.h"
#include "ns3/point-to-point-module.h"

#include <cmath>
#include <cstdio>
#include <map>
#include <vector>

using namespace ns3;

static std::map<uint16_t, std::pair<uint64_t, Time>>
    g_received; //!< bytes and last arrival, by port

/// A sink has received payload.
static void
OnReceived(uint16_t port, Ptr<const Packet> packet, const Address&)
{
    g_received[port].first += packet->GetSize();
    g_received[port].second = Simulator::Now();
}

/// Prints a method and the error of its completion times against those of TCP.
static void
Compare(DcnEstimatorHelper& method, const DcnEstimate& answer)
{
    const std::vector<int64_t> fctNs = method.GetReader().GetSourceFctNs(answer);
    const auto& sources = method.GetReader().GetSources();
    double error = 0;
    for (std::size_t i = 0; i < sources.size(); ++i)
    {
        const Time end = g_received[sources[i].ip.destinationPort].second;
        const auto tcpNs = static_cast<double>(end.GetNanoSeconds() - sources[i].startNs);
        error += std::abs(static_cast<double>(fctNs[i]) - tcpNs) / tcpNs;
    }
    std::printf("%-10s %4zu flows, mean |error| against TCP %5.1f %%\n",
                answer.method.c_str(),
                sources.size(),
                100 * error / static_cast<double>(sources.size()));
}

int
main(int argc, char* argv[])
{
    uint32_t nFlows = 200;
    CommandLine cmd(__FILE__);
    cmd.AddValue("flows", "Number of flows", nFlows);
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
    for (uint32_t i = 0; i < nFlows; ++i)
    {
        const uint32_t from = random->GetInteger(0, 15);
        const uint32_t to = (from + random->GetInteger(1, 15)) % 16;
        const auto port = static_cast<uint16_t>(1000 + i);
        const auto ip = hosts.Get(to)->GetObject<Ipv4>();
        const InetSocketAddress address(ip->GetAddress(1, 0).GetLocal(), port);
        BulkSendHelper sender("ns3::TcpSocketFactory", address);
        sender.SetAttribute("MaxBytes", UintegerValue(random->GetInteger(10'000, 1'000'000)));
        sender.Install(hosts.Get(from)).Start(MilliSeconds(random->GetInteger(0, 100)));
        auto sink = PacketSinkHelper("ns3::TcpSocketFactory", address).Install(hosts.Get(to));
        sink.Get(0)->TraceConnectWithoutContext("Rx", MakeBoundCallback(&OnReceived, port));
    }

    return DcnRunProgram("attach-global-routing", [&]() {
        const NodeContainer nodes(hosts, leaves, spines); // dcn, from here on
        FlowsimHelper flowsim;
        ParsimonHelper parsimon;
        const DcnEstimate fluid = flowsim.Estimate(nodes);
        const DcnEstimate links = parsimon.Estimate(nodes);
        Simulator::Stop(Seconds(20));
        Simulator::Run();
        Compare(flowsim, fluid);
        Compare(parsimon, links);
        Simulator::Destroy();
        return 0;
    });
}

/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

/**
 * @file
 * @brief Use the methods of this project next to ns-3's own TCP.
 *
 * ns-3's DCTCP (TcpDctcp) runs over PointToPoint links with RED queue discs; a DcnCollector watches
 * the bottleneck and one BulkSendApplication and PacketSink per flow. The same nodes are flowsim's
 * topology. TCP's completion times include its handshake and slow start, which flowsim does not
 * know.
 */

#include "ns3/boolean.h"
#include "ns3/bulk-send-application.h"
#include "ns3/bulk-send-helper.h"
#include "ns3/command-line.h"
#include "ns3/config.h"
#include "ns3/dcn-collector.h"
#include "ns3/dcn-command-line.h"
#include "ns3/dcn-error.h"
#include "ns3/dcn-fct-table.h"
#include "ns3/dcn-workload.h"
#include "ns3/double.h"
#include "ns3/internet-stack-helper.h"
#include "ns3/ipv4-address-helper.h"
#include "ns3/ipv4-static-routing-helper.h"
#include "ns3/packet-sink-helper.h"
#include "ns3/packet-sink.h"
#include "ns3/point-to-point-helper.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/system-wall-clock-ms.h"
#include "ns3/traffic-control-helper.h"
#include "ns3/uinteger.h"

#include <cmath>
#include <cstdio>
#include <string>
#include <vector>

using namespace ns3;

namespace
{

constexpr uint32_t SEGMENT_BYTES = 1448; //!< payload of a TCP segment that fills 1500 bytes of IP

/// Two switches with hosts, as ns-3 nodes.
struct Dumbbell
{
    NodeContainer hosts;                //!< half of them at each switch
    NodeContainer switches;             //!< the two
    std::vector<Ipv4Address> addresses; //!< of the hosts
    NetDeviceContainer bottleneck;      //!< devices of the switches towards each other
};

/**
 * DCTCP as in a data center: the defaults of ns-3's TCP are for the Internet.
 */
void
ConfigureTcp()
{
    Config::SetDefault("ns3::TcpL4Protocol::SocketType", StringValue("ns3::TcpDctcp"));
    Config::SetDefault("ns3::TcpSocket::SegmentSize", UintegerValue(SEGMENT_BYTES));
    Config::SetDefault("ns3::TcpSocket::SndBufSize", UintegerValue(4'000'000));
    Config::SetDefault("ns3::TcpSocket::RcvBufSize", UintegerValue(4'000'000));
    Config::SetDefault("ns3::TcpSocket::InitialCwnd", UintegerValue(10));
    Config::SetDefault("ns3::TcpSocket::DelAckCount", UintegerValue(1));
    Config::SetDefault("ns3::TcpSocket::ConnTimeout", TimeValue(MilliSeconds(10)));
    Config::SetDefault("ns3::TcpSocketBase::MinRto", TimeValue(MilliSeconds(10)));
    Config::SetDefault("ns3::TcpSocketBase::ClockGranularity", TimeValue(MicroSeconds(10)));
}

/**
 * @param hostsPerSide hosts at each switch
 * @param rate of every link
 * @param delay of every link
 * @param packets marking threshold K [packets]
 * @return nodes with links, queue discs, addresses and routes
 */
Dumbbell
MakeDumbbell(uint32_t hostsPerSide, DataRate rate, Time delay, double packets)
{
    Dumbbell net;
    net.hosts.Create(2 * hostsPerSide);
    net.switches.Create(2);
    PointToPointHelper link;
    link.SetDeviceAttribute("DataRate", DataRateValue(rate));
    link.SetChannelAttribute("Delay", TimeValue(delay));
    link.SetQueue("ns3::DropTailQueue", "MaxSize", StringValue("1p")); // the disc has the rest
    InternetStackHelper().InstallAll();

    // DCTCP's step: the instantaneous queue (QW = 1), one threshold, marks instead of drops
    TrafficControlHelper control;
    control.SetRootQueueDisc("ns3::RedQueueDisc");
    Config::SetDefault("ns3::RedQueueDisc::UseEcn", BooleanValue(true));
    Config::SetDefault("ns3::RedQueueDisc::UseHardDrop", BooleanValue(false));
    Config::SetDefault("ns3::RedQueueDisc::Gentle", BooleanValue(false));
    Config::SetDefault("ns3::RedQueueDisc::QW", DoubleValue(1));
    Config::SetDefault("ns3::RedQueueDisc::MinTh", DoubleValue(packets));
    Config::SetDefault("ns3::RedQueueDisc::MaxTh", DoubleValue(packets));
    Config::SetDefault("ns3::RedQueueDisc::MeanPktSize", UintegerValue(1500));
    Config::SetDefault("ns3::RedQueueDisc::MaxSize", StringValue("2666p"));

    Ipv4AddressHelper subnets("10.0.0.0", "255.255.255.252");
    Ipv4StaticRoutingHelper routing;
    auto join = [&](Ptr<Node> a, Ptr<Node> b) {
        const NetDeviceContainer devices = link.Install(a, b);
        control.Install(devices);
        const Ipv4InterfaceContainer ends = subnets.Assign(devices);
        subnets.NewNetwork();
        routing.GetStaticRouting(a->GetObject<Ipv4>())
            ->SetDefaultRoute(ends.GetAddress(1), ends.Get(0).second);
        return std::make_pair(devices, ends);
    };
    for (uint32_t host = 0; host < net.hosts.GetN(); ++host)
    {
        Ptr<Node> leaf = net.switches.Get(host < hostsPerSide ? 0 : 1);
        net.addresses.push_back(join(net.hosts.Get(host), leaf).second.GetAddress(0));
    }
    const auto [devices, ends] = join(net.switches.Get(0), net.switches.Get(1));
    routing.GetStaticRouting(net.switches.Get(1)->GetObject<Ipv4>())
        ->SetDefaultRoute(ends.GetAddress(0), ends.Get(1).second);
    net.bottleneck = devices;
    return net;
}

/**
 * Run every flow over TCP.
 * @param scenario the flows
 * @param net the same nodes
 * @param collector watches the flows
 * @return what came of them
 */
DcnEstimate
RunTcp(Ptr<const DcnScenario> scenario, const Dumbbell& net, Ptr<DcnCollector> collector)
{
    static constexpr uint16_t FIRST_PORT = 1024;
    const auto& flows = scenario->GetFlows();
    if (flows.size() > 65535 - FIRST_PORT)
    {
        DcnFail("--flows must be at most ", 65535 - FIRST_PORT, ", the TCP ports that there are");
    }
    for (std::size_t i = 0; i < flows.size(); ++i)
    {
        const InetSocketAddress to(net.addresses[flows[i].dst],
                                   static_cast<uint16_t>(FIRST_PORT + i));
        BulkSendHelper sender("ns3::TcpSocketFactory", to);
        sender.SetAttribute("MaxBytes", UintegerValue(flows[i].sizeBytes));
        auto source =
            DynamicCast<BulkSendApplication>(sender.Install(net.hosts.Get(flows[i].src)).Get(0));
        source->SetStartTime(NanoSeconds(flows[i].startNs));
        PacketSinkHelper receiver("ns3::TcpSocketFactory", to);
        auto sink = DynamicCast<PacketSink>(receiver.Install(net.hosts.Get(flows[i].dst)).Get(0));
        collector->WatchTcpFlow(scenario, i, source, sink);
    }
    SystemWallClockMs clock;
    clock.Start();
    Simulator::Stop(NanoSeconds(flows.back().startNs) + Seconds(10));
    Simulator::Run();
    collector->Finish();
    DcnEstimate estimate;
    estimate.method = "tcp-dctcp";
    estimate.provenance = "ns-3's TcpDctcp over PointToPointNetDevice";
    estimate.wallSeconds = static_cast<double>(clock.End()) / 1000;
    estimate.fctNs = collector->GetFctNs();
    if (estimate.GetNFinished() < flows.size())
    {
        estimate.unfinished["in flight"] = flows.size() - estimate.GetNFinished();
    }
    return estimate;
}

} // namespace

int
main(int argc, char* argv[])
{
    uint32_t hosts = 8;
    DataRate rate("10Gbps");
    Time delay = MicroSeconds(5);
    double packets = 65;
    DcnWorkloadSpec spec;
    spec.nFlows = 1000;
    std::string out = "results";
    CommandLine cmd(__FILE__);
    cmd.Usage("Compare flowsim with ns-3's DCTCP on a dumbbell of PointToPoint links.");
    cmd.AddValue("hosts", "Hosts at each of the two switches", hosts);
    cmd.AddValue("rate", "Rate of every link", rate);
    cmd.AddValue("delay", "Propagation delay of every link", delay);
    cmd.AddValue("k", "Marking threshold of the queue discs [packets]", packets);
    cmd.AddValue("flows", "Number of flows", spec.nFlows);
    cmd.AddValue("sizes", "Flow sizes, as for dcn-compare", spec.sizes);
    cmd.AddValue("load", "Payload load of the bottleneck, between 0 and 1", spec.load);
    cmd.AddValue("seed", "Seed of the flows", spec.seed);
    DcnAddText(cmd, "out", "Folder for the files", out);
    DcnParseCommandLine(cmd, argc, argv);

    return DcnRunProgram("dcn-collect-tcp", [&]() {
        if (hosts == 0 || rate.GetBitRate() == 0 || delay < Time(0) || packets <= 0)
        {
            DcnFail("--hosts, --rate and --k must be above 0, and --delay at least 0");
        }
        ConfigureTcp();
        const Dumbbell net = MakeDumbbell(hosts, rate, delay, packets);
        Ptr<DcnTopology> topology = DcnTopology::FromNodes(net.hosts, net.switches);
        Ptr<DcnNetworkConfig> config =
            DcnNetworkConfig::Preset("dctcp", topology->GetSlowestHostRate());
        config->SetKey("payload_bytes", std::to_string(SEGMENT_BYTES));
        DcnWorkload workload = DcnWorkload::Generate(topology, spec);
        auto scenario =
            DcnScenario::CreateWithPaths(topology, config, workload.flows, workload.paths);

        Ptr<DcnCollector> collector = CreateObject<DcnCollector>();
        collector->Watch(net.bottleneck.Get(0), "left->right");
        collector->Watch(net.bottleneck.Get(1), "right->left");
        DcnFctTable table(scenario);
        table.Add(RunTcp(scenario, net, collector));
        table.Add(DcnEstimator::CreateByName("flowsim")->Estimate(scenario));

        for (const auto& estimate : table.GetEstimates())
        {
            std::printf("%s\n", estimate.DescribeCompletion().c_str());
        }
        std::printf("\nmethod     metric               flows           value      error\n");
        for (const auto& row : table.GetSummary())
        {
            if (row.metric == "p50_slowdown" || row.metric == "p99_slowdown")
            {
                std::printf("%-10s %-20s %-10s %10.3f ",
                            row.method.c_str(),
                            row.metric.c_str(),
                            row.sizeClass.c_str(),
                            row.value);
                std::isnan(row.relativeError) // the truth
                    ? std::printf("%10s\n", "-")
                    : std::printf("%+9.1f%%\n", 100 * row.relativeError);
            }
        }
        collector->Write(out);
        table.Write(out);
        const bool picture = table.PlotSlowdowns(out + "/slowdown-cdf");
        std::printf("written to %s: queues.csv, flow-records.csv, fct.csv, summary.csv%s\n",
                    out.c_str(),
                    picture ? ", slowdown-cdf.png" : "");
        Simulator::Destroy();
        return 0;
    });
}

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
 * model.
 */

#include "dctcp-dumbbell.h"

#include "ns3/bulk-send-application.h"
#include "ns3/bulk-send-helper.h"
#include "ns3/command-line.h"
#include "ns3/dcn-collector.h"
#include "ns3/dcn-command-line.h"
#include "ns3/dcn-error.h"
#include "ns3/dcn-fct-table.h"
#include "ns3/dcn-statistics.h"
#include "ns3/dcn-workload.h"
#include "ns3/packet-sink-helper.h"
#include "ns3/packet-sink.h"
#include "ns3/simulator.h"
#include "ns3/uinteger.h"

#include <cstdio>
#include <string>

using namespace ns3;

namespace
{

/// Runs every flow over TCP.
DcnEstimate
RunTcp(Ptr<const DcnScenario> scenario, const NodeContainer& hosts, Ptr<DcnCollector> collector)
{
    for (std::size_t i = 0; i < scenario->GetFlows().size(); ++i)
    {
        const DcnFlow& flow = scenario->GetFlows()[i];
        const auto ipv4 = hosts.Get(flow.dst)->GetObject<Ipv4>();
        const InetSocketAddress to(ipv4->GetAddress(1, 0).GetLocal(), 1024 + i);
        BulkSendHelper sender("ns3::TcpSocketFactory", to);
        sender.SetAttribute("MaxBytes", UintegerValue(flow.sizeBytes));
        auto source = DynamicCast<BulkSendApplication>(sender.Install(hosts.Get(flow.src)).Get(0));
        source->SetStartTime(NanoSeconds(flow.startNs));
        PacketSinkHelper receiver("ns3::TcpSocketFactory", to);
        auto sink = DynamicCast<PacketSink>(receiver.Install(hosts.Get(flow.dst)).Get(0));
        collector->WatchTcpFlow(scenario, i, source, sink);
    }
    Simulator::Stop(NanoSeconds(scenario->GetFlows().back().startNs) + Seconds(10));
    Simulator::Run();
    collector->Finish();
    DcnEstimate estimate;
    estimate.method = "tcp-dctcp";
    estimate.provenance = "ns-3's TcpDctcp over PointToPointNetDevice";
    estimate.isGroundTruth = true;
    estimate.fctNs = collector->GetFctNs();
    return estimate;
}

} // namespace

int
main(int argc, char* argv[])
{
    DctcpDumbbell dumbbell;
    DcnWorkloadSpec spec;
    spec.nFlows = 1000;
    std::string out = "results";
    CommandLine cmd(__FILE__);
    cmd.Usage("Compare flowsim with ns-3's DCTCP on a dumbbell of PointToPoint links.");
    dumbbell.AddTo(cmd);
    cmd.AddValue("flows", "Number of flows", spec.nFlows);
    DcnAddText(cmd, "sizes", "Flow sizes, as for dcn-compare", spec.sizes);
    cmd.AddValue("load", "Payload load of the bottleneck, between 0 and 1", spec.load);
    cmd.AddValue("seed", "Seed of the flows", spec.seed);
    DcnAddText(cmd, "out", "Folder for queues.csv, flow-records.csv, fct.csv, summary.csv", out);
    DcnParseCommandLine(cmd, argc, argv);

    return DcnRunProgram("dcn-collect-tcp", [&]() {
        if (spec.nFlows > 60'000)
        {
            DcnFail("--flows must be at most 60000, as each flow has a TCP port");
        }
        NodeContainer hosts;
        NodeContainer switches;
        const NetDeviceContainer bottleneck = dumbbell.Make(hosts, switches);
        Ptr<DcnTopology> topology = DcnTopology::FromNodes(hosts, switches);
        Ptr<DcnNetworkConfig> config =
            DcnNetworkConfig::Preset("dctcp", dumbbell.rate.GetBitRate());
        config->payloadBytes = 1448; // as TCP's segments
        auto scenario =
            DcnScenario::Create(topology, config, DcnWorkload::Generate(topology, spec).flows);
        Ptr<DcnCollector> collector = CreateObject<DcnCollector>();
        collector->Watch(bottleneck.Get(0), "left->right");
        collector->Watch(bottleneck.Get(1), "right->left");
        DcnFctTable table(scenario);
        table.Add(RunTcp(scenario, hosts, collector));
        table.Add(DcnEstimator::CreateByName("flowsim")->Estimate(scenario));
        std::printf("method      p99 slowdown\n");
        for (const auto& row : table.GetSummary({DcnSizeClasses().front()})) // flows of all sizes
        {
            if (row.metric == "p99_slowdown")
            {
                std::printf("%-10s %13.3f\n", row.method.c_str(), row.value);
            }
        }
        collector->Write(out);
        table.Write(out);
        std::printf("in %s: queues.csv, flow-records.csv, fct.csv, summary.csv\n", out.c_str());
        Simulator::Destroy();
        return 0;
    });
}

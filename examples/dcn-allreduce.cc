/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

/**
 * @file
 * @brief One application on packets, on the fluid simulation and on m4: only --engine differs.
 *
 * 16 of 32 hosts reduce a vector in a ring, again and again, among flows of other hosts. A message
 * starts when another one has arrived, so that errors of an engine accumulate.
 */

#include "ns3/command-line.h"
#include "ns3/dcn-command-line.h"
#include "ns3/dcn-csv.h"
#include "ns3/dcn-error.h"
#include "ns3/dcn-flow-network-helper.h"
#include "ns3/dcn-statistics.h"
#include "ns3/dcn-topology.h"
#include "ns3/dcn-train-collective.h"
#include "ns3/dcn-train-executor.h"
#include "ns3/dcn-workload.h"
#include "ns3/simulator.h"

#include <cstdio>
#include <memory>
#include <numeric>
#include <string>
#include <vector>

using namespace ns3;

namespace
{
constexpr uint32_t RING = 16; //!< hosts of the ring

/// @return all-reduces of a vector, one after the other
std::shared_ptr<DcnTrainGraph>
MakeGraph(uint64_t bytes, uint32_t iterations)
{
    auto graph = std::make_shared<DcnTrainGraph>(RING);
    std::vector<uint32_t> ranks(RING);
    std::iota(ranks.begin(), ranks.end(), 0);
    DcnTrainCollective collective; // a ring all-reduce
    collective.bytes = bytes;
    std::vector<uint32_t> ends;
    for (uint32_t i = 0; i < iterations; ++i)
    {
        ends = collective.AddTo(*graph, ranks, ends);
    }
    return graph;
}
} // namespace

int
main(int argc, char* argv[])
{
    std::string engines = "packet,flowsim,flowsim:WindowCap=true,m4";
    std::string out = "results/allreduce";
    uint64_t vectorBytes = 2'000'000;
    uint32_t iterations = 4;
    DcnWorkloadSpec spec;
    spec.load = 0.4;
    spec.nFlows = 0; // all that start within three times the duration of rings alone
    CommandLine cmd(__FILE__);
    cmd.Usage("Run a ring all-reduce among other flows on several engines.");
    DcnAddText(cmd, "engine", "packet, flowsim or m4, joined by commas", engines);
    cmd.AddValue("vector", "Bytes that every host reduces", vectorBytes);
    cmd.AddValue("iterations", "Number of reductions", iterations);
    cmd.AddValue("load", "Load of the most loaded link by other flows; 0: none", spec.load);
    DcnAddText(cmd, "out", "Folder for allreduce.csv", out);
    DcnParseCommandLine(cmd, argc, argv);
    return DcnRunProgram("dcn-allreduce", [&]() {
        spec.durationNs = static_cast<int64_t>(iterations * (6 * vectorBytes + 6 * RING * 25'000));
        DcnMakeFolder(out);
        DcnFileWriter file(out + "/allreduce.csv");
        file.Stream() << "engine,iteration,duration_ms\n";
        std::printf("%-24s %14s\n", "engine", "iteration [ms]");
        for (const std::string& engine : DcnSplitValues("engine", engines))
        {
            Ptr<DcnTopology> topology = DcnBuildTopology(DcnFabricParameters());
            Ptr<DcnFlowNetwork> network = DcnFlowNetworkHelper(engine).Install(topology);
            const NodeContainer& nodes = topology->GetNodes();
            for (const auto& flow : spec.load > 0 ? DcnWorkload::Generate(topology, spec).flows
                                                  : std::vector<DcnFlow>())
            {
                network->AddFlowAt(NanoSeconds(flow.startNs),
                                   nodes.Get(flow.src),
                                   nodes.Get(flow.dst),
                                   flow.sizeBytes);
            }
            NodeContainer ring; // every second host
            for (uint32_t rank = 0; rank < RING; ++rank)
            {
                ring.Add(nodes.Get(topology->GetHosts()[2 * rank]));
            }
            auto run = CreateObject<DcnTrainExecutor>();
            run->Install(network, ring, MakeGraph(vectorBytes, iterations));
            run->SetFinishCallback([]() { Simulator::Stop(); });
            run->Start();
            Simulator::Run();
            std::vector<double> times; // [ms]
            for (const auto& each : run->GetOperationTimes())
            {
                times.push_back(static_cast<double>(each.endNs - each.beginNs) / 1e6);
                file.Stream() << engine << ',' << times.size() << ',' << times.back() << '\n';
            }
            std::printf("%-24s %14.3f\n", engine.c_str(), DcnMean(times));
            run->Dispose();
            network->Dispose();
            Simulator::Destroy();
        }
        file.Commit();
        std::printf("written: %s/allreduce.csv\n", out.c_str());
        return 0;
    });
}

/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

/**
 * @file
 * @brief One application on packets, on the fluid simulation and on m4: only --engine differs.
 *
 * 16 of 32 hosts reduce a vector in a ring, again and again, among flows of other hosts. Each host
 * has a chunk for every host of the ring. In step s it sends one chunk to its successor as soon as
 * it has the chunk of step s - 1 from its predecessor; after 2 (n - 1) steps all hosts have the
 * sum. So a flow starts when another one has ended, and errors of an engine accumulate.
 */

#include "ring-all-reduce.h"

#include "ns3/command-line.h"
#include "ns3/dcn-command-line.h"
#include "ns3/dcn-csv.h"
#include "ns3/dcn-error.h"
#include "ns3/dcn-flow-network-helper.h"
#include "ns3/dcn-statistics.h"
#include "ns3/dcn-topology.h"
#include "ns3/dcn-workload.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <cstdio>
#include <sstream>
#include <string>
#include <vector>

using namespace ns3;

namespace
{

constexpr uint64_t RING = 16; //!< hosts of the ring

} // namespace

int
main(int argc, char* argv[])
{
    std::string engines = "packet,flowsim,flowsim:WindowCap=true,m4";
    std::string cc = "dctcp";
    std::string out = "results/allreduce";
    uint64_t vectorBytes = 2'000'000;
    uint32_t iterations = 4;
    DcnWorkloadSpec spec;
    spec.load = 0.4;
    spec.nFlows = 0; // all flows that start within the duration
    CommandLine cmd(__FILE__);
    cmd.Usage("Run a ring all-reduce among other flows on several engines.");
    DcnAddText(cmd,
               "engine",
               "packet, flowsim or m4, joined by commas; with attributes: m4:Model=FOLDER",
               engines);
    DcnAddText(cmd, "cc", "Congestion control", cc);
    cmd.AddValue("vector", "Bytes that every host reduces", vectorBytes);
    cmd.AddValue("iterations", "Number of reductions", iterations);
    cmd.AddValue("load", "Load of the most loaded link by other flows; 0: none", spec.load);
    cmd.AddValue("seed", "Seed of the other flows", spec.seed);
    DcnAddText(cmd, "out", "Folder for allreduce.csv", out);
    DcnParseCommandLine(cmd, argc, argv);

    return DcnRunProgram("dcn-allreduce", [&]() {
        if (vectorBytes == 0 || vectorBytes % RING != 0 || iterations == 0)
        {
            DcnFail("--vector must be a multiple of 16 and --iterations at least 1, but they are ",
                    vectorBytes,
                    " and ",
                    iterations);
        }
        // for three times the duration of rings alone: serialization and 25 us per step
        const double stepNs = 0.8 * static_cast<double>(vectorBytes / RING) + 25'000;
        spec.durationNs =
            static_cast<int64_t>(std::max(6.0 * iterations * static_cast<double>(vectorBytes),
                                          3.0 * iterations * 2 * (RING - 1) * stepNs));
        DcnMakeFolder(out);
        DcnFileWriter file(out + "/allreduce.csv");
        file.Stream() << "engine,iteration,duration_ms\n";
        double first = 0; // mean duration on the first engine, with which others are compared
        std::printf("%-24s %14s %12s\n", "engine", "iteration [ms]", "to the first");
        std::istringstream names(engines);
        for (std::string engine; std::getline(names, engine, ',');)
        {
            Ptr<DcnTopology> topology = DcnBuildTopology(DcnFabricParameters());
            DcnFlowNetworkHelper helper(engine);
            helper.SetConfig(DcnNetworkConfig::Preset(cc, topology->GetSlowestHostRate()));
            Ptr<DcnFlowNetwork> network = helper.Install(topology);
            const NodeContainer& nodes = topology->GetNodes();
            const auto others = spec.load > 0 ? DcnWorkload::Generate(topology, spec).flows
                                              : std::vector<DcnFlow>();
            for (const DcnFlow& flow : others)
            {
                network->AddFlowAt(NanoSeconds(flow.startNs),
                                   nodes.Get(flow.src),
                                   nodes.Get(flow.dst),
                                   flow.sizeBytes);
            }
            RingAllReduce application(network, *topology, RING, vectorBytes / RING, iterations);
            application.Begin();
            Simulator::Run();
            const std::vector<double>& durations = application.GetDurations(); // [ms]
            for (std::size_t i = 0; i < durations.size(); ++i)
            {
                file.Stream() << engine << ',' << i + 1 << ',' << durations[i] << '\n';
            }
            const double mean = DcnMean(durations);
            first = first > 0 ? first : mean;
            std::printf("%-24s %14.3f %+11.1f%%\n", engine.c_str(), mean, 100 * (mean / first - 1));
            network->Dispose();
            Simulator::Destroy();
        }
        file.Commit();
        std::printf("written: %s/allreduce.csv\n", out.c_str());
        return 0;
    });
}

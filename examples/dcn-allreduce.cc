/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

/**
 * @file
 * @brief One application on packets, on the fluid simulation and on m4: only --engine differs.
 *
 * 16 of 32 hosts reduce a vector in a ring, again and again, among flows of other hosts. Each host
 * has a chunk for every host of the ring. In step s it sends one chunk to its successor as soon as
 * it has the chunk of step s - 1 from its predecessor; after 2 (n - 1) steps everybody has the sum.
 * So a flow starts when another one has ended, and what an engine errs adds up.
 */

#include "ring-all-reduce.h"

#include "ns3/command-line.h"
#include "ns3/dcn-command-line.h"
#include "ns3/dcn-csv.h"
#include "ns3/dcn-error.h"
#include "ns3/dcn-flow-network-helper.h"
#include "ns3/dcn-plot.h"
#include "ns3/dcn-statistics.h"
#include "ns3/dcn-topology-helper.h"
#include "ns3/dcn-workload.h"
#include "ns3/gnuplot.h"
#include "ns3/simulator.h"
#include "ns3/string.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <sstream>
#include <string>
#include <vector>

using namespace ns3;

namespace
{

/// What an engine answers.
struct Answer
{
    std::string engine;            //!< its name
    std::vector<double> durations; //!< of the iterations [ms]
    double wallSeconds;            //!< elapsed time
};

/// @return the parts of a text between separators
std::vector<std::string>
Split(const std::string& text, char separator)
{
    std::vector<std::string> parts;
    std::istringstream stream(text);
    for (std::string part; std::getline(stream, part, separator);)
    {
        parts.push_back(part);
    }
    return parts;
}

/// Write allreduce.csv and allreduce.png.
bool
Write(const std::vector<Answer>& answers, const std::string& out)
{
    DcnFileWriter file(out + "/allreduce.csv");
    file.Stream() << "engine,iteration,duration_ms\n";
    Gnuplot plot(out + "/allreduce.png", "Ring all-reduce");
    plot.SetTerminal("png");
    plot.SetLegend("iteration", "duration [ms]");
    plot.AppendExtra("set yrange [0:*]\nset key bottom");
    for (const Answer& answer : answers)
    {
        Gnuplot2dDataset points(answer.engine);
        points.SetStyle(Gnuplot2dDataset::LINES_POINTS);
        for (std::size_t i = 0; i < answer.durations.size(); ++i)
        {
            file.Stream() << answer.engine << ',' << i + 1 << ',' << answer.durations[i] << '\n';
            points.Add(static_cast<double>(i + 1), answer.durations[i]);
        }
        plot.AddDataset(points);
    }
    file.Commit();
    return DcnWritePlot(plot, out + "/allreduce");
}

} // namespace

int
main(int argc, char* argv[])
{
    std::string engines = "packet,flowsim,flowsim:WindowCap=true,m4";
    std::string cc = "dctcp";
    std::string model;
    std::string out = "results/allreduce";
    uint64_t vectorBytes = 2'000'000;
    uint32_t iterations = 4;
    double load = 0.4;
    uint64_t seed = 1;
    CommandLine cmd(__FILE__);
    cmd.Usage("Run a ring all-reduce among other flows on several engines.");
    DcnAddText(cmd,
               "engine",
               "packet, flowsim or m4, with attributes as in flowsim:WindowCap=true; several "
               "joined by commas",
               engines);
    DcnAddText(cmd, "cc", "Congestion control", cc);
    DcnAddText(cmd, "model", "Folder of a model for m4; empty: the shipped one", model);
    cmd.AddValue("vector", "Bytes that every host reduces", vectorBytes);
    cmd.AddValue("iterations", "How often", iterations);
    cmd.AddValue("load", "Load of the most loaded link by the other flows", load);
    cmd.AddValue("seed", "Seed of the other flows", seed);
    DcnAddText(cmd, "out", "Folder for allreduce.csv and allreduce.png", out);
    DcnParseCommandLine(cmd, argc, argv);

    return DcnRunProgram("dcn-allreduce", [&]() {
        constexpr uint64_t RING = 16;
        if (vectorBytes == 0 || vectorBytes % RING != 0 || iterations == 0)
        {
            DcnFail("--vector must be a multiple of ",
                    RING,
                    " and --iterations at least 1, but they are ",
                    vectorBytes,
                    " and ",
                    iterations);
        }
        const std::vector<std::string> names = Split(engines, ',');
        if (names.empty())
        {
            DcnFail("--engine names no engine");
        }
        if (!model.empty() && std::find(names.begin(), names.end(), "m4") == names.end())
        {
            DcnFail("--model=", model, " has no effect with --engine=", engines);
        }
        DcnMakeFolder(out);
        // for three times as long as rings alone take: serialization and 25 us a step
        const double stepNs = 0.8 * static_cast<double>(vectorBytes / RING) + 25'000;
        const auto backgroundNs =
            static_cast<int64_t>(std::max(6.0 * iterations * static_cast<double>(vectorBytes),
                                          3.0 * iterations * 2 * (RING - 1) * stepNs));
        std::vector<Answer> answers;
        for (const std::string& engine : names)
        {
            const auto start = std::chrono::steady_clock::now();
            Ptr<DcnTopology> topology = DcnTopologyHelper::Create(DcnFabricParameters());
            const std::vector<std::string> parts = Split(engine, ':');
            DcnFlowNetworkHelper helper(parts.front());
            for (std::size_t i = 1; i < parts.size(); ++i)
            {
                const std::size_t equals = parts[i].find('=');
                if (equals == std::string::npos)
                {
                    DcnFail("--engine=", engine, ": ", parts[i], " is no attribute=value");
                }
                helper.SetNetworkAttribute(parts[i].substr(0, equals),
                                           StringValue(parts[i].substr(equals + 1)));
            }
            helper.SetConfig(DcnNetworkConfig::Preset(cc, topology->GetSlowestHostRate()));
            if (engine == "m4" && !model.empty())
            {
                helper.SetNetworkAttribute("Model", StringValue(model));
            }
            Ptr<DcnFlowNetwork> network = helper.Install(topology);
            const NodeContainer& nodes = topology->GetNodes();
            DcnWorkloadSpec spec;
            spec.load = load;
            spec.seed = seed;
            spec.nFlows = 0;
            spec.durationNs = backgroundNs;
            for (const DcnFlow& flow : DcnWorkload::Generate(topology, spec).flows)
            {
                network->AddFlowAt(NanoSeconds(flow.startNs),
                                   nodes.Get(flow.src),
                                   nodes.Get(flow.dst),
                                   flow.sizeBytes);
            }
            std::vector<Ptr<Node>> ring;
            for (std::size_t i = 0; i < RING; ++i)
            {
                const auto& hosts = topology->GetHosts();
                ring.push_back(nodes.Get(hosts[i * hosts.size() / RING]));
            }
            RingAllReduce application(network, ring, vectorBytes / RING, iterations);
            application.Begin();
            Simulator::Run();
            const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start;
            answers.push_back({engine, application.GetDurations(), elapsed.count()});
            if (Simulator::Now().GetNanoSeconds() > backgroundNs)
            {
                std::fprintf(stderr,
                             "%s: the rings took longer than the other flows\n",
                             engine.c_str());
            }
            network->Dispose();
            Simulator::Destroy();
        }
        // errors are against packets, or the first where they are not among the engines
        const auto packets = std::find(names.begin(), names.end(), "packet");
        const auto reference =
            static_cast<std::size_t>(packets == names.end() ? 0 : packets - names.begin());
        std::printf("%-24s %14s %10s %9s\n",
                    "engine",
                    "iteration [ms]",
                    ("to " + names[reference]).c_str(),
                    "wall [s]");
        for (const Answer& answer : answers)
        {
            std::printf("%-24s %14.3f %+9.1f%% %9.3f\n",
                        answer.engine.c_str(),
                        DcnMean(answer.durations),
                        100 *
                            (DcnMean(answer.durations) / DcnMean(answers[reference].durations) - 1),
                        answer.wallSeconds);
        }
        const bool picture = Write(answers, out);
        std::printf("written: %s/allreduce.csv%s\n",
                    out.c_str(),
                    picture ? (", " + out + "/allreduce.png").c_str() : "");
        return 0;
    });
}

/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

/**
 * @file
 * @brief Runs the traffic of distributed training on packets, fluids or m4: a collective, the
 * training of a transformer, a dependency graph, or a trace of another tool.
 */

#include "ns3/command-line.h"
#include "ns3/dcn-command-line.h"
#include "ns3/dcn-csv.h"
#include "ns3/dcn-error.h"
#include "ns3/dcn-link-events.h"
#include "ns3/dcn-run-record.h"
#include "ns3/dcn-train-chakra.h"
#include "ns3/dcn-train-collective.h"
#include "ns3/dcn-train-goal.h"
#include "ns3/dcn-train-graph-file.h"
#include "ns3/dcn-train-helper.h"
#include "ns3/dcn-train-layers.h"
#include "ns3/dcn-train-network-options.h"
#include "ns3/dcn-train-report.h"
#include "ns3/dcn-train-timeline.h"
#include "ns3/dcn-train-transformer.h"
#include "ns3/simulator.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <cctype>
#include <cstdio>
#include <ctime>
#include <memory>
#include <numeric>
#include <string>
#include <vector>

using namespace ns3;

namespace
{

/// Options beside those of the network.
struct Options
{
    std::string out{"results/train"}; //!< --out
    // what is run: one of these, else a collective
    std::string graph;  //!< --graph
    std::string model;  //!< --model
    std::string chakra; //!< --chakra
    std::string layers; //!< --layers
    std::string goal;   //!< --goal

    uint32_t ranks{0};              //!< --ranks; 0: all hosts
    DcnTrainCollective collective;  //!< --collective, and what belongs to it
    std::string allToAll{"direct"}; //!< --allToAll
    DcnTrainPlan plan;              //!< parallelism of --model
    uint32_t modelLayers{0};        //!< --modelLayers; 0: those of the model
    uint64_t sequence{0};           //!< --sequence; 0: that of the model
    std::string groups;             //!< --groups of --chakra
    std::string linkEvents;         //!< --linkEvents
    bool hasTimeline{true};         //!< --timeline
    uint32_t window{0};             //!< --window; 0: the default
    bool writesGraph{false};        //!< --writeGraph
    bool writesGoal{false};         //!< --writeGoal
};

/// @return a graph that was read; unused gets lines of what has no effect
std::shared_ptr<DcnTrainSource>
Take(const DcnTrainImport& import, std::vector<std::string>& unused)
{
    for (const std::string& each : import.ignored)
    {
        unused.push_back("ignored: " + each);
    }
    return import.graph;
}

/// @return the graph of the options; unused gets lines of what was read without effect
std::shared_ptr<DcnTrainSource>
MakeGraph(const Options& options, uint32_t nHosts, std::vector<std::string>& unused)
{
    uint32_t nKinds = 0;
    for (const std::string* each :
         {&options.graph, &options.model, &options.chakra, &options.layers, &options.goal})
    {
        nKinds += each->empty() ? 0 : 1;
    }
    if (nKinds > 1)
    {
        DcnFail("give one of --graph, --model, --chakra, --layers and --goal");
    }
    if (options.ranks > 0 && nKinds == 1 && options.layers.empty())
    {
        DcnFail("--ranks has an effect with --collective and --layers only");
    }
    DcnTrainImportOptions import;
    import.algorithm = options.collective.algorithm;
    import.allToAll = options.allToAll;
    import.channels = options.collective.channels;
    import.chunks = options.collective.chunks;
    import.groupSize = options.collective.groupSize;
    import.peakFlops = options.plan.peakFlops;
    import.mostRanks = nHosts;
    if (!options.graph.empty())
    {
        return std::make_shared<DcnTrainGraphFile>(options.graph);
    }
    if (!options.chakra.empty())
    {
        return Take(DcnTrainChakra::Read(options.chakra, options.groups, import), unused);
    }
    if (!options.layers.empty())
    {
        return Take(
            DcnTrainLayers::Read(options.layers, options.ranks, options.plan.iterations, import),
            unused);
    }
    if (!options.goal.empty())
    {
        return Take(DcnTrainGoal::Read(options.goal), unused);
    }
    if (!options.model.empty())
    {
        DcnTrainTransformer model = DcnTrainTransformer::Preset(options.model);
        model.layers = options.modelLayers > 0 ? options.modelLayers : model.layers;
        model.sequence = options.sequence > 0 ? options.sequence : model.sequence;
        DcnTrainPlan plan = options.plan;
        plan.tensorCollective.algorithm = options.collective.algorithm;
        plan.tensorCollective.channels = options.collective.channels;
        plan.tensorCollective.chunks = options.collective.chunks;
        plan.dataCollective = plan.tensorCollective;
        plan.expertCollective = plan.tensorCollective;
        plan.expertCollective.algorithm = options.allToAll;
        if (plan.GetNRanks() > nHosts)
        {
            DcnFail("--tensor, --pipeline and --data make ",
                    plan.GetNRanks(),
                    " ranks, more than the ",
                    nHosts,
                    " hosts: take a larger topology");
        }
        return plan.MakeGraph(model, options.model);
    }
    const uint32_t nRanks = options.ranks > 0 ? options.ranks : nHosts;
    if (nRanks > nHosts)
    {
        DcnFail("--ranks=", nRanks, " is more than the ", nHosts, " hosts: take a larger topology");
    }
    auto graph = std::make_shared<DcnTrainGraph>(nRanks, options.collective.operation);
    std::vector<uint32_t> members(nRanks);
    std::iota(members.begin(), members.end(), 0);
    DcnTrainCollective collective = options.collective;
    if (collective.operation == "all-to-all")
    {
        collective.algorithm = options.allToAll;
    }
    collective.AddTo(*graph, members);
    return graph;
}

/// @return the engine's name as part of a file name
std::string
GetFileName(std::string engine)
{
    std::replace_if(
        engine.begin(),
        engine.end(),
        [](unsigned char letter) { return !std::isalnum(letter) && letter != '-'; },
        '-');
    return "timeline-" + engine + ".json";
}

/// Prints the results of all engines, compared with the first.
void
Print(const std::vector<DcnTrainRunResult>& results,
      const std::vector<double>& cpuSeconds,
      const DcnTopology& topology)
{
    using Times = DcnTrainExecutor::RankTimes;
    std::printf("%-24s %14s %12s %14s %13s %11s %10s\n",
                "engine",
                "iteration [ms]",
                "to the first",
                "compute [ms]",
                "exposed [ms]",
                "idle [ms]",
                "cpu [s]");
    for (std::size_t i = 0; i < results.size(); ++i)
    {
        const DcnTrainRunResult& run = results[i];
        std::printf("%-24s %14.4f %+11.1f%% %14.4f %13.4f %11.4f %10.3f\n",
                    run.engine.c_str(),
                    run.GetIterationMs(),
                    100 * (run.GetIterationMs() / results.front().GetIterationMs() - 1),
                    run.GetMeanMs(&Times::computeNs),
                    run.GetMeanMs(&Times::exposedNs),
                    run.GetMeanMs(&Times::idleNs),
                    cpuSeconds[i]);
    }
    for (const DcnTrainRunResult& run : results)
    {
        if (run.collectives.size() == 1)
        {
            std::printf("%s: algorithm bandwidth %.3f Gb/s, bus bandwidth %.3f Gb/s\n",
                        run.engine.c_str(),
                        run.collectives[0].algorithmGbps,
                        run.collectives[0].busGbps);
        }
    }
    std::printf("busiest links");
    for (std::size_t i = 0; i < std::min<std::size_t>(3, results.front().links.size()); ++i)
    {
        const auto& link = results.front().links[i];
        std::printf("%s %s %.0f %%",
                    i > 0 ? "," : "",
                    topology.DescribeLink(link.link).c_str(),
                    100 * link.utilisation);
    }
    std::printf(" (%s)\n", results.front().engine.c_str());
}

} // namespace

int
main(int argc, char* argv[])
{
    Options options;
    DcnTrainNetworkOptions network;
    std::string bytes = "64e6";
    std::string peakFlops = "312e12";
    std::string efficiency = "0.5";
    CommandLine cmd(__FILE__);
    cmd.Usage("Run the traffic of distributed training on packets, fluids or m4.");
    network.AddTo(cmd);
    DcnAddText(cmd, "graph", "Run graph.csv, or a folder with it", options.graph);
    DcnAddText(cmd, "model", "Run the training of a published transformer", options.model);
    DcnAddText(cmd, "chakra", "Run Chakra traces: the path without .RANK.et", options.chakra);
    DcnAddText(cmd, "layers", "Run a text workload of ASTRA-sim 1.0 or SimAI", options.layers);
    DcnAddText(cmd, "goal", "Run a GOAL file", options.goal);
    DcnAddText(cmd,
               "collective",
               "Run a collective: all-reduce, reduce-scatter, all-gather, all-to-all or broadcast",
               options.collective.operation);
    DcnAddText(cmd,
               "algorithm",
               "Algorithm of collectives but all-to-all",
               options.collective.algorithm);
    DcnAddText(cmd,
               "allToAll",
               "Algorithm of all-to-all: direct or hierarchical",
               options.allToAll);
    DcnAddText(cmd, "bytes", "Size of the collective, as in nccl-tests", bytes);
    cmd.AddValue("ranks", "Ranks of the collective; 0: all hosts", options.ranks);
    cmd.AddValue("channels", "Channels of the collective", options.collective.channels);
    cmd.AddValue("chunks", "Chunks of a channel", options.collective.chunks);
    cmd.AddValue("groupSize",
                 "Ranks of a group, for the algorithm hierarchical",
                 options.collective.groupSize);
    cmd.AddValue("root", "Root of a broadcast", options.collective.root);
    cmd.AddValue("tensor", "Model: ranks of a tensor group", options.plan.tensor);
    cmd.AddValue("pipeline", "Model: stages", options.plan.pipeline);
    cmd.AddValue("data", "Model: replicas", options.plan.data);
    cmd.AddValue("expert", "Model: ranks that share the experts", options.plan.expert);
    cmd.AddValue("sequenceParallel",
                 "Model: all-gather and reduce-scatter in place of all-reduce in tensor groups",
                 options.plan.isSequenceParallel);
    cmd.AddValue("shard", "Model: optimizer states are sharded", options.plan.isSharded);
    cmd.AddValue("recompute", "Model: activations are recomputed", options.plan.isRecomputed);
    cmd.AddValue("microBatch", "Model: sequences of a micro-batch", options.plan.microBatch);
    cmd.AddValue("globalBatch",
                 "Model: sequences of an iteration; 0: data x pipeline x microBatch",
                 options.plan.globalBatch);
    cmd.AddValue("iterations", "Model and layers: iterations", options.plan.iterations);
    cmd.AddValue("modelLayers", "Model: layers; 0: as published", options.modelLayers);
    cmd.AddValue("sequence", "Model: tokens of a sequence; 0: as published", options.sequence);
    DcnAddText(cmd, "peakFlops", "Model: FLOP/s of a rank", peakFlops);
    DcnAddText(cmd, "efficiency", "Model: fraction of it that is reached", efficiency);
    DcnAddText(cmd, "groups", "Chakra: JSON file of communicator groups", options.groups);
    DcnAddText(
        cmd,
        "linkEvents",
        "Links that fail, are repaired or change their rate: A-B@TIME=fail, =repair or =RATE, "
        "joined by commas",
        options.linkEvents);
    cmd.AddValue("timeline",
                 "Write a timeline of each engine as Chrome trace",
                 options.hasTimeline);
    cmd.AddValue("window", "Nodes of a rank in memory; 0: 1048576", options.window);
    cmd.AddValue("writeGraph", "Write graph.csv and operations.csv", options.writesGraph);
    cmd.AddValue("writeGoal", "Write graph.goal", options.writesGoal);
    DcnAddText(cmd, "out", "Folder for the results", options.out);
    DcnParseCommandLine(cmd, argc, argv);

    return DcnRunProgram("dcn-train-sim", [&]() {
        double size = 0;
        if (!DcnParse(bytes, size) || !(size >= 1 && size <= 1e15))
        {
            DcnFail("--bytes must be a number from 1 to 1e15, but it is \"", bytes, "\"");
        }
        options.collective.bytes = static_cast<uint64_t>(size);
        if (!DcnParse(peakFlops, options.plan.peakFlops) ||
            !DcnParse(efficiency, options.plan.efficiency))
        {
            DcnFail("--peakFlops and --efficiency must be numbers, but they are \"",
                    peakFlops,
                    "\" and \"",
                    efficiency,
                    "\"");
        }
        const std::vector<std::string> engines = network.GetEngines();
        std::vector<std::string> owned = {"iterations.csv",
                                          "ranks.csv",
                                          "collectives.csv",
                                          "links.csv",
                                          "graph.csv",
                                          "operations.csv",
                                          "graph.goal",
                                          "times.plt",
                                          "times.png",
                                          "times.svg"};
        for (const std::string& engine : engines)
        {
            if (!options.linkEvents.empty() && engine.rfind("m4", 0) == 0)
            {
                DcnFail("--linkEvents has no effect with m4, whose links do not change: give "
                        "--engine=packet,flowsim:Acknowledgements=true");
            }
            owned.push_back(GetFileName(engine));
        }
        const DcnTrainNetworkOptions::Network parts = network.Create();
        const DcnLinkEvents linkEvents(options.linkEvents, *parts.topology);
        const auto nHosts = static_cast<uint32_t>(parts.topology->GetHosts().size());
        std::vector<std::string> unused = parts.notes;
        auto graph = MakeGraph(options, nHosts, unused);
        DcnRunRecord record(options.out, DcnDescribeCommand("dcn-train-sim", argc, argv), owned);
        record.SetIgnored(unused);
        for (const std::string& each : unused)
        {
            std::printf("%s\n", each.c_str());
        }
        if (options.writesGraph)
        {
            DcnWriteTrainGraph(*graph, options.out);
            record.AddFile("graph.csv");
            record.AddFile("operations.csv");
        }
        if (options.writesGoal)
        {
            DcnTrainGoal::Write(*graph, options.out + "/graph.goal");
            record.AddFile("graph.goal");
        }
        std::printf("%u ranks on %u hosts, %zu links, %s\n",
                    graph->GetNRanks(),
                    nHosts,
                    static_cast<std::size_t>(parts.topology->GetNLinks() / 2),
                    parts.config->congestionControl.c_str());
        std::vector<DcnTrainRunResult> results;
        std::vector<double> cpuSeconds;
        for (const std::string& engine : engines)
        {
            const std::clock_t begin = std::clock();
            const Ptr<DcnTopology> topology = network.Create().topology;
            DcnTrainHelper helper(engine);
            helper.GetNetworkHelper().SetConfig(parts.config);
            if (options.window > 0)
            {
                helper.SetAttribute("Window", UintegerValue(options.window));
            }
            Ptr<DcnFlowNetwork> flows = helper.GetNetworkHelper().Install(topology);
            Ptr<DcnTrainExecutor> executor = helper.InstallOn(flows, graph);
            std::unique_ptr<DcnTrainTimeline> timeline;
            if (options.hasTimeline)
            {
                timeline =
                    std::make_unique<DcnTrainTimeline>(options.out + "/" + GetFileName(engine),
                                                       executor,
                                                       *graph);
            }
            executor->SetFinishCallback([]() { Simulator::Stop(); });
            linkEvents.Schedule(flows);
            executor->Start();
            Simulator::Run();
            executor->CheckFinished();
            results.emplace_back(engine, *executor, *graph, *topology, *parts.config);
            cpuSeconds.push_back(static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC);
            std::printf("%s: %llu nodes finished, %llu messages\n",
                        engine.c_str(),
                        static_cast<unsigned long long>(executor->GetNFinished()),
                        static_cast<unsigned long long>(executor->GetNMessages()));
            if (!flows->GetNote().empty())
            {
                std::printf("%s: %s\n", engine.c_str(), flows->GetNote().c_str());
            }
            if (!linkEvents.IsEmpty())
            {
                std::printf("%s: connections took another path %llu times\n",
                            engine.c_str(),
                            static_cast<unsigned long long>(flows->GetNMoved()));
            }
            if (executor->GetNLate() > 0)
            {
                std::printf("%s: at most %llu nodes started late because --window=%u nodes of a "
                            "rank are in memory\n",
                            engine.c_str(),
                            static_cast<unsigned long long>(executor->GetNLate()),
                            options.window > 0 ? options.window : 1U << 20);
            }
            if (timeline)
            {
                timeline->Commit();
                record.AddFile(GetFileName(engine));
            }
            executor->Dispose();
            flows->Dispose();
            Simulator::Destroy();
        }
        Print(results, cpuSeconds, *parts.topology);
        for (const auto& file : DcnWriteTrainResults(results, *graph, *parts.topology, options.out))
        {
            record.AddFile(file);
        }
        record.Finish();
        std::printf("written: %s\n", record.GetFiles().c_str());
        return 0;
    });
}

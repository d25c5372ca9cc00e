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
#include <iterator>
#include <memory>
#include <numeric>
#include <string>
#include <vector>

using namespace ns3;

namespace
{

using K = DcnRecipeKey;
const char* const MODEL = "model=*"; //!< condition of keys

// clang-format off
/// What is run, beside the network: the first of the keys to "goal" that is set, else a collective.
const DcnRecipe::Keys KEYS{
    {"graph", K::TEXT, "", 0, 0, "", "", "Run graph.csv, or a folder with it"},
    {"model", K::TEXT, "", 0, 0, "", "graph=", "Run the training of a published transformer"},
    {"chakra", K::TEXT, "", 0, 0, "", "model=", "Run Chakra traces: the path without .RANK.et"},
    {"layers", K::TEXT, "", 0, 0, "", "chakra=", "Run a text workload of ASTRA-sim 1.0 or SimAI"},
    {"goal", K::TEXT, "", 0, 0, "", "layers=", "Run a GOAL file"},
    {"collective", K::CHOICE, "all-reduce", 0, 0,
     "all-reduce+reduce-scatter+all-gather+all-to-all+broadcast", "goal=", "Run a collective"},
    {"algorithm", K::TEXT, "ring", 0, 0, "", "", "Algorithm of collectives but all-to-all"},
    {"allToAll", K::TEXT, "direct", 0, 0, "", "",
     "Algorithm of all-to-all: direct or hierarchical"},
    {"bytes", K::NUMBER, "64e6", 1, 1e15, "", "collective=*",
     "Size of the collective, as in nccl-tests"},
    {"ranks", K::SINGLE, "0", 0, UINT32_MAX, "", "",
     "Ranks of a collective, or of --layers; 0: all hosts"},
    {"channels", K::SINGLE, "1", 0, UINT32_MAX, "", "", "Channels of a collective"},
    {"chunks", K::SINGLE, "1", 0, UINT32_MAX, "", "", "Chunks of a channel"},
    {"groupSize", K::SINGLE, "0", 0, UINT32_MAX, "", "",
     "Ranks of a group, for the algorithm hierarchical"},
    {"root", K::SINGLE, "0", 0, UINT32_MAX, "", "collective=broadcast", "Root of a broadcast"},
    {"tensor", K::SINGLE, "1", 0, UINT32_MAX, "", MODEL, "Model: ranks of a tensor group"},
    {"pipeline", K::SINGLE, "1", 0, UINT32_MAX, "", MODEL, "Model: stages"},
    {"data", K::SINGLE, "1", 0, UINT32_MAX, "", MODEL, "Model: replicas"},
    {"expert", K::SINGLE, "1", 0, UINT32_MAX, "", MODEL, "Model: ranks that share the experts"},
    {"sequenceParallel", K::CHOICE, "false", 0, 0, "false+true", MODEL,
     "Model: all-gather and reduce-scatter in place of all-reduce in tensor groups"},
    {"shard", K::CHOICE, "false", 0, 0, "false+true", MODEL,
     "Model: optimizer states are sharded"},
    {"recompute", K::CHOICE, "false", 0, 0, "false+true", MODEL,
     "Model: activations are recomputed"},
    {"microBatch", K::SINGLE, "1", 0, UINT32_MAX, "", MODEL, "Model: sequences of a micro-batch"},
    {"globalBatch", K::SINGLE, "0", 0, UINT32_MAX, "", MODEL,
     "Model: sequences of an iteration; 0: data x pipeline x microBatch"},
    {"iterations", K::SINGLE, "1", 0, UINT32_MAX, "", "", "Model and layers: iterations"},
    {"modelLayers", K::SINGLE, "0", 0, UINT32_MAX, "", MODEL, "Model: layers; 0: as published"},
    {"sequence", K::SINGLE, "0", 0, UINT32_MAX, "", MODEL,
     "Model: tokens of a sequence; 0: as published"},
    {"peakFlops", K::NUMBER, "312e12", 0, 1e300, "", "", "Model: FLOP/s of a rank"},
    {"efficiency", K::NUMBER, "0.5", 0, 1e300, "", MODEL, "Model: fraction of it that is reached"},
    {"groups", K::TEXT, "", 0, 0, "", "chakra=*", "Chakra: JSON file of communicator groups"},
    {"timeline", K::CHOICE, "auto", 0, 0, "auto+false+true", "",
     "Write a timeline of each engine as Chrome trace; auto: of at most a million events"},
    {"window", K::SINGLE, "0", 0, UINT32_MAX, "", "", "Nodes of a rank in memory; 0: 1048576"},
    {"writeGraph", K::CHOICE, "false", 0, 0, "false+true", "",
     "Write graph.csv and operations.csv"},
    {"writeGoal", K::CHOICE, "false", 0, 0, "false+true", "", "Write graph.goal"}};

// clang-format on

/// @return a whole number of the options
uint32_t
GetWhole(const DcnRecipe& options, const std::string& name)
{
    return static_cast<uint32_t>(options.GetWhole(name));
}

/// @return whether a flag of the options is set
bool
IsSet(const DcnRecipe& options, const std::string& name)
{
    return options.Get(name) == "true";
}

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

/// @return the graph of a transformer
std::shared_ptr<DcnTrainSource>
MakeModel(const DcnRecipe& options, uint32_t nHosts)
{
    DcnTrainTransformer model = DcnTrainTransformer::Preset(options.Get("model"));
    const uint32_t layers = GetWhole(options, "modelLayers");
    const uint32_t sequence = GetWhole(options, "sequence");
    model.layers = layers > 0 ? layers : model.layers;
    model.sequence = sequence > 0 ? sequence : model.sequence;
    DcnTrainPlan plan;
    plan.tensor = GetWhole(options, "tensor");
    plan.pipeline = GetWhole(options, "pipeline");
    plan.data = GetWhole(options, "data");
    plan.expert = GetWhole(options, "expert");
    plan.isSequenceParallel = IsSet(options, "sequenceParallel");
    plan.isSharded = IsSet(options, "shard");
    plan.isRecomputed = IsSet(options, "recompute");
    plan.microBatch = GetWhole(options, "microBatch");
    plan.globalBatch = GetWhole(options, "globalBatch");
    plan.iterations = GetWhole(options, "iterations");
    plan.peakFlops = options.GetNumber("peakFlops");
    plan.efficiency = options.GetNumber("efficiency");
    plan.tensorCollective.algorithm = options.Get("algorithm");
    plan.tensorCollective.channels = GetWhole(options, "channels");
    plan.tensorCollective.chunks = GetWhole(options, "chunks");
    plan.dataCollective = plan.tensorCollective;
    plan.expertCollective = plan.tensorCollective;
    plan.expertCollective.algorithm = options.Get("allToAll");
    if (plan.GetNRanks() > nHosts)
    {
        DcnFail("--tensor, --pipeline and --data make ",
                plan.GetNRanks(),
                " ranks, more than the ",
                nHosts,
                " hosts: take a larger topology");
    }
    return plan.MakeGraph(model, options.Get("model"));
}

/// @return the graph of a collective
std::shared_ptr<DcnTrainSource>
MakeCollective(const DcnRecipe& options, uint32_t nHosts)
{
    const uint32_t nRanks = GetWhole(options, "ranks") > 0 ? GetWhole(options, "ranks") : nHosts;
    if (nRanks > nHosts)
    {
        DcnFail("--ranks=", nRanks, " is more than the ", nHosts, " hosts: take a larger topology");
    }
    DcnTrainCollective collective;
    collective.operation = options.Get("collective");
    collective.algorithm =
        options.Get(collective.operation == "all-to-all" ? "allToAll" : "algorithm");
    collective.bytes = options.GetWhole("bytes");
    collective.channels = GetWhole(options, "channels");
    collective.chunks = GetWhole(options, "chunks");
    collective.groupSize = GetWhole(options, "groupSize");
    collective.root =
        collective.operation == "broadcast" ? GetWhole(options, "root") : collective.root;
    auto graph = std::make_shared<DcnTrainGraph>(nRanks, collective.operation);
    std::vector<uint32_t> members(nRanks);
    std::iota(members.begin(), members.end(), 0);
    collective.AddTo(*graph, members);
    return graph;
}

/// @return the graph of the options; unused gets lines of what was read without effect
std::shared_ptr<DcnTrainSource>
MakeGraph(const DcnRecipe& options, uint32_t nHosts, std::vector<std::string>& unused)
{
    const auto has = [&options](const char* name) { return !options.Get(name).empty(); };
    if (GetWhole(options, "ranks") > 0 && !has("collective") && !has("layers"))
    {
        DcnFail("--ranks has an effect with --collective and --layers only");
    }
    if (has("graph"))
    {
        return std::make_shared<DcnTrainGraphFile>(options.Get("graph"));
    }
    if (has("model"))
    {
        return MakeModel(options, nHosts);
    }
    if (has("goal"))
    {
        return Take(DcnTrainGoal::Read(options.Get("goal")), unused);
    }
    if (has("collective"))
    {
        return MakeCollective(options, nHosts);
    }
    DcnTrainImportOptions import;
    import.algorithm = options.Get("algorithm");
    import.allToAll = options.Get("allToAll");
    import.channels = GetWhole(options, "channels");
    import.chunks = GetWhole(options, "chunks");
    import.groupSize = GetWhole(options, "groupSize");
    import.peakFlops = options.GetNumber("peakFlops");
    import.mostRanks = nHosts;
    return Take(has("chakra")
                    ? DcnTrainChakra::Read(options.Get("chakra"), options.Get("groups"), import)
                    : DcnTrainLayers::Read(options.Get("layers"),
                                           GetWhole(options, "ranks"),
                                           GetWhole(options, "iterations"),
                                           import),
                unused);
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

/// A graph on the networks of engines.
class Run
{
  public:
    /**
     * @param options of KEYS
     * @param network its topology and engines
     * @param linkEvents see --linkEvents
     * @param out folder of the results
     */
    Run(const DcnRecipe& options,
        const DcnTrainNetworkOptions& network,
        const std::string& linkEvents,
        const std::string& out)
        : m_options(options),
          m_network(network),
          m_engines(network.GetEngines()),
          m_out(out)
    {
        for (const std::string& engine : m_engines)
        {
            if (!linkEvents.empty() && engine.rfind("m4", 0) == 0)
            {
                DcnFail("--linkEvents has no effect with m4, whose links do not change: give "
                        "--engine=packet,flowsim:Acknowledgements=true");
            }
        }
        m_parts = network.Create();
        m_linkEvents = std::make_unique<DcnLinkEvents>(linkEvents, *m_parts.topology);
    }

    /// Runs all engines, prints and writes.
    void RunAll(const std::string& command)
    {
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
        std::transform(m_engines.begin(), m_engines.end(), std::back_inserter(owned), GetFileName);
        const auto nHosts = static_cast<uint32_t>(m_parts.topology->GetHosts().size());
        std::vector<std::string> unused = m_parts.notes;
        m_graph = MakeGraph(m_options, nHosts, unused);
        DcnRunRecord record(m_out, command, owned);
        record.SetIgnored(unused);
        for (const std::string& each : unused)
        {
            std::printf("%s\n", each.c_str());
        }
        WriteGraph(record);
        std::printf("%u ranks on %u hosts, %zu links, %s\n",
                    m_graph->GetNRanks(),
                    nHosts,
                    static_cast<std::size_t>(m_parts.topology->GetNLinks() / 2),
                    m_parts.config->congestionControl.c_str());
        for (const std::string& engine : m_engines)
        {
            RunOn(engine, record);
        }
        Print(m_results, m_cpuSeconds, *m_parts.topology);
        for (const auto& file : DcnWriteTrainResults(m_results, *m_graph, *m_parts.topology, m_out))
        {
            record.AddFile(file);
        }
        record.Finish();
        std::printf("written: %s\n", record.GetFiles().c_str());
    }

  private:
    /// Writes the graph as the options say.
    void WriteGraph(DcnRunRecord& record) const
    {
        if (IsSet(m_options, "writeGraph"))
        {
            DcnWriteTrainGraph(*m_graph, m_out);
            record.AddFile("graph.csv");
            record.AddFile("operations.csv");
        }
        if (IsSet(m_options, "writeGoal"))
        {
            DcnTrainGoal::Write(*m_graph, m_out + "/graph.goal");
            record.AddFile("graph.goal");
        }
    }

    /// Runs an engine and keeps its results.
    void RunOn(const std::string& engine, DcnRunRecord& record)
    {
        const std::clock_t begin = std::clock();
        const Ptr<DcnTopology> topology = m_network.Create().topology;
        const uint32_t window = GetWhole(m_options, "window");
        DcnTrainHelper helper(engine);
        helper.GetNetworkHelper().SetConfig(m_parts.config);
        if (window > 0)
        {
            helper.SetAttribute("Window", UintegerValue(window));
        }
        Ptr<DcnFlowNetwork> flows = helper.GetNetworkHelper().Install(topology);
        Ptr<DcnTrainExecutor> executor = helper.InstallOn(flows, m_graph);
        std::unique_ptr<DcnTrainTimeline> timeline;
        constexpr uint64_t MOST_EVENTS = 1'000'000; // about 150 MB
        const bool isAuto = m_options.Get("timeline") == "auto";
        if (isAuto || IsSet(m_options, "timeline"))
        {
            timeline = std::make_unique<DcnTrainTimeline>(m_out + "/" + GetFileName(engine),
                                                          executor,
                                                          *m_graph,
                                                          isAuto ? MOST_EVENTS : UINT64_MAX);
        }
        executor->SetFinishCallback([]() { Simulator::Stop(); });
        m_linkEvents->Schedule(flows);
        executor->Start();
        Simulator::Run();
        executor->CheckFinished();
        m_results.emplace_back(engine, *executor, *m_graph, *topology, *m_parts.config);
        m_cpuSeconds.push_back(static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC);
        const char* const name = engine.c_str();
        std::printf("%s: %llu nodes finished, %llu messages\n",
                    name,
                    static_cast<unsigned long long>(executor->GetNFinished()),
                    static_cast<unsigned long long>(executor->GetNMessages()));
        if (!flows->GetNote().empty())
        {
            std::printf("%s: %s\n", name, flows->GetNote().c_str());
        }
        if (!m_linkEvents->IsEmpty())
        {
            std::printf("%s: connections took another path %llu times\n",
                        name,
                        static_cast<unsigned long long>(flows->GetNMoved()));
        }
        if (executor->GetNLate() > 0)
        {
            std::printf("%s: at most %llu nodes started late because --window=%u nodes of a rank "
                        "are in memory\n",
                        name,
                        static_cast<unsigned long long>(executor->GetNLate()),
                        window > 0 ? window : 1U << 20);
        }
        if (timeline && timeline->IsCut())
        {
            std::printf("%s: no timeline, as it has more than %llu events: --timeline=true writes "
                        "it\n",
                        name,
                        static_cast<unsigned long long>(MOST_EVENTS));
        }
        else if (timeline)
        {
            timeline->Commit();
            record.AddFile(GetFileName(engine));
        }
        executor->Dispose();
        flows->Dispose();
        Simulator::Destroy();
    }

    const DcnRecipe m_options;                   //!< of KEYS
    const DcnTrainNetworkOptions& m_network;     //!< topology and engines
    const std::vector<std::string> m_engines;    //!< names
    const std::string m_out;                     //!< folder
    DcnTrainNetworkOptions::Network m_parts;     //!< topology of the messages, configuration
    std::unique_ptr<DcnLinkEvents> m_linkEvents; //!< on all engines
    std::shared_ptr<DcnTrainSource> m_graph;     //!< what is run
    std::vector<DcnTrainRunResult> m_results;    //!< by engine
    std::vector<double> m_cpuSeconds;            //!< by engine
};

} // namespace

int
main(int argc, char* argv[])
{
    DcnKeyOptions keys(KEYS, "a training run");
    DcnTrainNetworkOptions network;
    std::string linkEvents;
    std::string out = "results/train";
    CommandLine cmd(__FILE__);
    cmd.Usage("Run the traffic of distributed training on packets, fluids or m4.");
    network.AddTo(cmd);
    keys.AddTo(cmd);
    DcnAddText(
        cmd,
        "linkEvents",
        "Links that fail, are repaired or change their rate: A-B@TIME=fail, =repair or =RATE, "
        "joined by commas",
        linkEvents);
    DcnAddText(cmd, "out", "Folder for the results", out);
    DcnParseCommandLine(cmd, argc, argv);
    return DcnRunProgram("dcn-train-sim", [&]() {
        Run(keys.GetOne(), network, linkEvents, out)
            .RunAll(DcnDescribeCommand("dcn-train-sim", argc, argv));
        return 0;
    });
}

/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "dcn-train-job-options.h"

#include "ns3/dcn-csv.h"
#include "ns3/dcn-error.h"
#include "ns3/dcn-train-chakra.h"
#include "ns3/dcn-train-goal.h"
#include "ns3/dcn-train-graph-file.h"
#include "ns3/dcn-train-layers.h"
#include "ns3/dcn-train-transformer.h"

#include <algorithm>
#include <numeric>

namespace ns3
{

namespace
{

using K = DcnRecipeKey;
using Protocols = std::shared_ptr<const DcnTrainProtocols>; //!< of collectives; null: none

const char* const MODEL = "model=*"; //!< condition of keys
/// Condition of keys of collectives of any kind.
const char* const COLLECTIVES = "collective=*|tensor!=1|data!=1|chakra=*|layers=*";
/// Condition of keys of collectives but all-to-all.
const char* const REDUCTIONS =
    "collective=all-reduce+reduce-scatter+all-gather+broadcast|tensor!=1|"
    "data!=1|chakra=*|layers=*";

// clang-format off
/// What a job runs: the first of the keys to "goal" that is set, else a collective.
const DcnRecipe::Keys KEYS{
    {"graph", K::TEXT, "", 0, 0, "", "", "Run graph.csv, or a folder with it"},
    {"model", K::TEXT, "", 0, 0, "", "graph=", "Run the training of a published transformer"},
    {"chakra", K::TEXT, "", 0, 0, "", "model=", "Run Chakra traces: the path without .RANK.et"},
    {"layers", K::TEXT, "", 0, 0, "", "chakra=", "Run a text workload of ASTRA-sim 1.0 or SimAI"},
    {"goal", K::TEXT, "", 0, 0, "", "layers=", "Run a GOAL file"},
    {"collective", K::CHOICE, "all-reduce", 0, 0,
     "all-reduce+reduce-scatter+all-gather+all-to-all+broadcast", "goal=", "Run a collective"},
    {"tensor", K::SINGLE, "1", 0, UINT32_MAX, "", MODEL, "Model: ranks of a tensor group"},
    {"pipeline", K::SINGLE, "1", 0, UINT32_MAX, "", MODEL, "Model: stages"},
    {"data", K::SINGLE, "1", 0, UINT32_MAX, "", MODEL, "Model: replicas"},
    {"expert", K::SINGLE, "1", 0, UINT32_MAX, "", MODEL, "Model: ranks that share the experts"},
    {"algorithm", K::TEXT, "ring", 0, 0, "", REDUCTIONS,
     "Algorithm of collectives but all-to-all; auto: the protocols choose"},
    {"allToAll", K::TEXT, "direct", 0, 0, "", "collective=all-to-all|expert!=1|chakra=*|layers=*",
     "Algorithm of all-to-all: direct or hierarchical"},
    {"bytes", K::NUMBER, "64e6", 1, 1e15, "", "collective=*",
     "Size of the collective, as in nccl-tests"},
    {"ranks", K::SINGLE, "0", 0, UINT32_MAX, "", "collective=*|layers=*",
     "Ranks of a collective, or of --layers; 0: all hosts"},
    {"protocols", K::TEXT, "", 0, 0, "", COLLECTIVES,
     "Costs of hosts in collectives: nccl, or a file; none: messages cost time on the network only"},
    {"channels", K::SINGLE, "1", 0, UINT32_MAX, "", COLLECTIVES,
     "Channels of a collective; with protocols: at most"},
    {"chunks", K::SINGLE, "1", 0, UINT32_MAX, "", COLLECTIVES,
     "Chunks of a channel; 1 with protocols: as they say"},
    {"groupSize", K::SINGLE, "0", 0, UINT32_MAX, "", "collective=*|chakra=*|layers=*",
     "Ranks of a server, for hierarchical, and for ring and double-binary-tree over rails"},
    {"root", K::SINGLE, "0", 0, UINT32_MAX, "", "collective=broadcast", "Root of a broadcast"},
    {"sequenceParallel", K::CHOICE, "false", 0, 0, "false+true", "tensor!=1",
     "Model: all-gather and reduce-scatter in place of all-reduce in tensor groups"},
    {"shard", K::CHOICE, "false", 0, 0, "false+true", "data!=1",
     "Model: optimizer states are sharded"},
    {"recompute", K::CHOICE, "false", 0, 0, "false+true", MODEL,
     "Model: activations are recomputed"},
    {"microBatch", K::SINGLE, "1", 0, UINT32_MAX, "", MODEL, "Model: sequences of a micro-batch"},
    {"globalBatch", K::SINGLE, "0", 0, UINT32_MAX, "", MODEL,
     "Model: sequences of an iteration; 0: data x pipeline x microBatch"},
    {"iterations", K::SINGLE, "1", 0, UINT32_MAX, "", "model=*|layers=*", "Model and layers: iterations"},
    {"modelLayers", K::SINGLE, "0", 0, UINT32_MAX, "", MODEL, "Model: layers; 0: as published"},
    {"sequence", K::SINGLE, "0", 0, UINT32_MAX, "", MODEL,
     "Model: tokens of a sequence; 0: as published"},
    {"peakFlops", K::NUMBER, "312e12", 0, 1e300, "", "model=*|chakra=*",
     "Model, and Chakra nodes without durations: FLOP/s of a rank"},
    {"efficiency", K::NUMBER, "0.5", 0, 1e300, "", MODEL, "Model: fraction of it that is reached"},
    {"groups", K::TEXT, "", 0, 0, "", "chakra=*", "Chakra: JSON file of communicator groups"}};

// clang-format on

/// @return the value of a key, or its default where the key has no effect
std::string
GetText(const DcnRecipe& options, const std::string& name)
{
    const std::string& value = options.Get(name);
    return value.empty()
               ? std::find_if(KEYS.begin(),
                              KEYS.end(),
                              [&name](const DcnRecipeKey& row) { return row.name == name; })
                     ->value
               : value;
}

/// @return a whole number of the options; see GetText
uint32_t
GetWhole(const DcnRecipe& options, const std::string& name)
{
    uint64_t number = 0;
    DcnParse(GetText(options, name), number);
    return static_cast<uint32_t>(number);
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

/// Lists options of collectives and computations of which a trace has none.
void
ListUnused(const DcnRecipe& options,
           const DcnTrainImportOptions& used,
           const DcnTrainImport& import,
           std::vector<std::string>& unused)
{
    bool hasReduction = false; // or another collective but all-to-all
    bool hasExchange = false;
    for (const DcnTrainOperation& each : import.graph->GetOperations())
    {
        const auto& kinds = DcnTrainCollective::GetOperations();
        const bool isCollective = std::find(kinds.begin(), kinds.end(), each.kind) != kinds.end();
        hasExchange = hasExchange || each.kind == "all-to-all";
        hasReduction = hasReduction || (isCollective && each.kind != "all-to-all");
    }
    DcnTrainCollective reduction;
    reduction.algorithm = used.algorithm;
    DcnTrainCollective exchange;
    exchange.operation = "all-to-all";
    exchange.algorithm = used.allToAll;
    const bool hasGroups =
        (hasReduction && reduction.IsGrouped()) || (hasExchange && exchange.IsGrouped());
    const auto list = [&](const std::string& name, bool hasEffect, const std::string& reason) {
        if (options.IsSet(name) && !hasEffect)
        {
            unused.push_back("ignored: " + name + "=" + options.Get(name) + ": " + reason);
        }
    };
    list("algorithm", hasReduction, "there is no collective but all-to-all");
    list("allToAll", hasExchange, "there is no all-to-all");
    list("groupSize", used.groupSize == 0 || hasGroups, "no collective has groups");
    for (const char* name : {"channels", "chunks", "protocols"})
    {
        list(name, hasReduction || hasExchange, "there is no collective");
    }
    list("peakFlops", import.hasFlops, "no computation is given in FLOP");
}

/// @return the training of a transformer; notes gets its assumptions
DcnTrainWork
MakeModel(const DcnRecipe& options,
          uint32_t nHosts,
          const std::string& hosts,
          const Protocols& protocols,
          std::vector<std::string>& notes)
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
    plan.tensorCollective.algorithm = GetText(options, "algorithm");
    plan.tensorCollective.channels = GetWhole(options, "channels");
    plan.tensorCollective.chunks = GetWhole(options, "chunks");
    plan.tensorCollective.protocols = protocols;
    plan.dataCollective = plan.tensorCollective;
    plan.expertCollective = plan.tensorCollective;
    plan.expertCollective.algorithm = GetText(options, "allToAll");
    if (plan.GetNRanks() > nHosts)
    {
        DcnFail("--tensor, --pipeline and --data make ",
                plan.GetNRanks(),
                " ranks, more than the ",
                hosts,
                ": take a larger topology");
    }
    const uint64_t batch = plan.globalBatch > 0
                               ? plan.globalBatch
                               : uint64_t{plan.data} * plan.pipeline * plan.microBatch;
    notes.push_back("note: a rank computes " + DcnToText(plan.peakFlops * plan.efficiency / 1e12) +
                    " TFLOP/s, " + DcnToText(100 * plan.efficiency) + " % of its peak; " +
                    std::to_string(model.layers) + " layers, batches of " + std::to_string(batch) +
                    " sequences of " + std::to_string(model.sequence) + " tokens");
    return {plan.MakeGraph(model, options.Get("model")),
            static_cast<double>(batch) * model.sequence,
            plan.efficiency};
}

/// @return the graph of a collective
std::shared_ptr<DcnTrainSource>
MakeCollective(const DcnRecipe& options,
               uint32_t nHosts,
               const std::string& hosts,
               const Protocols& protocols)
{
    const uint32_t nRanks = GetWhole(options, "ranks") > 0 ? GetWhole(options, "ranks") : nHosts;
    if (nRanks > nHosts)
    {
        DcnFail("--ranks=", nRanks, " is more than the ", hosts, ": take a larger topology");
    }
    DcnTrainCollective collective;
    collective.operation = options.Get("collective");
    collective.algorithm =
        options.Get(collective.operation == "all-to-all" ? "allToAll" : "algorithm");
    collective.bytes = options.GetWhole("bytes");
    collective.channels = GetWhole(options, "channels");
    collective.chunks = GetWhole(options, "chunks");
    collective.groupSize = GetWhole(options, "groupSize");
    collective.protocols = protocols;
    collective.root =
        collective.operation == "broadcast" ? GetWhole(options, "root") : collective.root;
    auto graph = std::make_shared<DcnTrainGraph>(nRanks, collective.operation);
    std::vector<uint32_t> members(nRanks);
    std::iota(members.begin(), members.end(), 0);
    collective.AddTo(*graph, members);
    return graph;
}

/// @return the protocols of the options; null: none
Protocols
MakeProtocols(const DcnRecipe& options, const DcnTrainServers& servers)
{
    const std::string& path = options.Get("protocols");
    if (path.empty() && options.Get("algorithm") == "auto")
    {
        DcnFail(
            "--algorithm=auto has an effect with --protocols only, whose table chooses one: give "
            "--protocols=nccl");
    }
    if (path.empty())
    {
        return nullptr;
    }
    if (GetWhole(options, "groupSize") > 0)
    {
        DcnFail("--groupSize has no effect with --protocols, which knows the servers of ranks");
    }
    return std::make_shared<DcnTrainProtocols>(DcnTrainProtocols::Read(path), servers);
}

} // namespace

const DcnRecipe::Keys&
DcnTrainJobOptions::GetKeys()
{
    return KEYS;
}

DcnTrainWork
DcnTrainJobOptions::MakeWork(const DcnRecipe& options,
                             const DcnTrainServers& servers,
                             std::vector<std::string>& notes,
                             const std::string& offer)
{
    const auto nHosts = static_cast<uint32_t>(servers.serverOf.size());
    const std::string hosts = offer.empty() ? std::to_string(nHosts) + " hosts" : offer;
    const Protocols protocols = MakeProtocols(options, servers);
    const auto has = [&options](const char* name) { return !options.Get(name).empty(); };
    if (has("graph"))
    {
        return {std::make_shared<DcnTrainGraphFile>(options.Get("graph"))};
    }
    if (has("model"))
    {
        return MakeModel(options, nHosts, hosts, protocols, notes);
    }
    if (has("goal"))
    {
        return {Take(DcnTrainGoal::Read(options.Get("goal")), notes)};
    }
    if (has("collective"))
    {
        return {MakeCollective(options, nHosts, hosts, protocols)};
    }
    DcnTrainImportOptions import;
    import.algorithm = options.Get("algorithm");
    import.allToAll = options.Get("allToAll");
    import.channels = GetWhole(options, "channels");
    import.chunks = GetWhole(options, "chunks");
    import.groupSize = GetWhole(options, "groupSize");
    import.protocols = protocols;
    import.peakFlops = has("chakra") ? options.GetNumber("peakFlops") : import.peakFlops;
    import.mostRanks = nHosts;
    DcnTrainCollective reduction;
    reduction.algorithm = import.algorithm;
    DcnTrainCollective exchange;
    exchange.operation = "all-to-all";
    exchange.algorithm = import.allToAll;
    if (import.groupSize > 0 && !reduction.IsGrouped() && !exchange.IsGrouped())
    {
        DcnFail("--groupSize has no effect with --algorithm=",
                import.algorithm,
                " and --allToAll=",
                import.allToAll);
    }
    const DcnTrainImport trace =
        has("chakra") ? DcnTrainChakra::Read(options.Get("chakra"), options.Get("groups"), import)
                      : DcnTrainLayers::Read(options.Get("layers"),
                                             GetWhole(options, "ranks"),
                                             GetWhole(options, "iterations"),
                                             import);
    ListUnused(options, import, trace, notes);
    return {Take(trace, notes)};
}

} // namespace ns3

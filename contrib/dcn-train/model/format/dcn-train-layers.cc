/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "dcn-train-layers.h"

#include "dcn-train-lines.h"

#include "ns3/dcn-csv.h"
#include "ns3/dcn-error.h"

#include <algorithm>
#include <array>
#include <map>
#include <set>

namespace ns3
{

namespace
{

/// A pass of a layer.
struct Pass
{
    int64_t computeNs{0};  //!< computation
    std::string operation; //!< of its communication; empty: none
    std::string group;     //!< tensor, data, expert, data-expert or all
    uint64_t bytes{0};     //!< of its communication
};

/// A layer.
struct Layer
{
    std::string name;           //!< its name
    std::array<Pass, 3> passes; //!< forward, input gradient, weight gradient
    int64_t updateNs{0};        //!< update
};

constexpr std::size_t N_CELLS = 12; //!< of a layer

/// Reads a file.
class Reader : private DcnTrainLines
{
  public:
    Reader(const std::string& path, uint32_t ranks, uint32_t mostRanks)
        : DcnTrainLines(path, {})
    {
        ReadHead(ranks, mostRanks);
        if (!Next() || words.size() != 1)
        {
            Fail("the second line must be the number of layers");
        }
        const uint64_t n = GetNumber(0, "number of layers");
        for (uint64_t i = 0; i < n; ++i)
        {
            if (!Next())
            {
                Fail("the file ends after " + std::to_string(i) + " of " + std::to_string(n) +
                     " layers: it is truncated");
            }
            layers.push_back(ReadLayer());
        }
        if (Next())
        {
            Fail("there are more lines than the " + std::to_string(n) + " layers");
        }
    }

    std::vector<Layer> layers;     //!< in order
    uint32_t nRanks{0};            //!< ranks
    uint32_t tensor{1};            //!< ranks of a tensor group
    uint32_t expert{1};            //!< ranks of an expert group

    using DcnTrainLines::GetIgnored;

  private:
    static constexpr uint64_t MAX_BYTES = 1'000'000'000'000'000; //!< of a communication [bytes]
    static constexpr uint64_t MAX_NS = 1'000'000'000'000'000;    //!< of a computation [ns]

    /// Reads the first line.
    void ReadHead(uint32_t ranks, uint32_t mostRanks)
    {
        if (!Next())
        {
            Fail("the file is empty");
        }
        m_policy = words[0];
        static const std::set<std::string> policies = {"HYBRID_TRANSFORMER",
                                                       "HYBRID_TRANSFORMER_FWD_IN_BCKWD",
                                                       "DATA",
                                                       "MODEL",
                                                       "MICRO"};
        if (policies.count(m_policy) == 0)
        {
            Fail("the parallelism must be HYBRID_TRANSFORMER, HYBRID_TRANSFORMER_FWD_IN_BCKWD, "
                 "DATA, MODEL or MICRO, but it is " +
                 Quote(m_policy));
        }
        std::map<std::string, uint64_t> keys;
        for (std::size_t i = 1; i < words.size(); i += 2)
        {
            std::string key = words[i];
            if (key.back() == ':')
            {
                key.pop_back();
            }
            if (!keys.emplace(key, GetNumber(i + 1, key)).second)
            {
                Fail("the key " + key + " comes twice");
            }
        }
        auto take = [&](const char* key, uint64_t otherwise) {
            const auto found = keys.find(key);
            const uint64_t value = found == keys.end() ? otherwise : found->second;
            keys.erase(key);
            return value;
        };
        const uint64_t all = take("all_gpus", 0);
        const uint64_t stages = take("pp", 1);
        if (ranks == 0 && (all == 0 || stages == 0 || all % stages != 0))
        {
            Fail("all_gpus " + std::to_string(all) + " must be given and be a multiple of pp " +
                 std::to_string(stages) + ", or the number of ranks must be given");
        }
        const uint64_t n = ranks > 0 ? ranks : all / stages;
        const uint64_t inTensor = take("model_parallel_NPU_group", 1);
        const uint64_t inExpert = take("ep", 1);
        if (n > mostRanks)
        {
            Fail("the workload has " + std::to_string(n) + " ranks, more than the " +
                 std::to_string(mostRanks) + " that can run: take a larger topology");
        }
        if (inTensor == 0 || n % inTensor != 0 || inExpert == 0 || (n / inTensor) % inExpert != 0)
        {
            Fail(std::to_string(n) + " ranks cannot be divided into tensor groups of " +
                 std::to_string(inTensor) + " and expert groups of " + std::to_string(inExpert));
        }
        nRanks = static_cast<uint32_t>(n);
        tensor = static_cast<uint32_t>(inTensor);
        expert = static_cast<uint32_t>(inExpert);
        if (ranks > 0 && all > 0 && all / std::max<uint64_t>(1, stages) != ranks)
        {
            Ignore("all_gpus, since " + std::to_string(ranks) + " ranks are given");
        }
        if (stages > 1)
        {
            Ignore("pp: one of the stages is simulated");
        }
        for (const auto& key : keys)
        {
            Ignore(key.first);
        }
    }

    /// @return the layer of a line
    Layer ReadLayer()
    {
        if (words.size() < N_CELLS)
        {
            Fail("a layer has " + std::to_string(N_CELLS) + " cells, but there are " +
                 std::to_string(words.size()));
        }
        if (words.size() > N_CELLS)
        {
            Ignore("cells after the update time");
        }
        if (words[1] != "-1")
        {
            Ignore("dependency of a layer");
        }
        Layer layer;
        layer.name = words[0];
        for (std::size_t pass = 0; pass < 3; ++pass)
        {
            layer.passes[pass] = ReadPass(2 + 3 * pass, pass == 2);
        }
        layer.updateNs = static_cast<int64_t>(GetNumber(11, "update time", 0, MAX_NS));
        return layer;
    }

    /// @return a pass of a layer
    Pass ReadPass(std::size_t first, bool isWeight)
    {
        Pass pass;
        pass.computeNs = static_cast<int64_t>(GetNumber(first, "time of computation", 0, MAX_NS));
        std::string type = words[first + 1];
        pass.bytes = GetNumber(first + 2, "size", 0, MAX_BYTES);
        const bool isAll = m_policy == "MODEL" || m_policy == "MICRO";
        pass.group = isAll                ? "all"
                     : m_policy == "DATA" ? (isWeight ? "all" : "")
                     : isWeight           ? "data"
                                          : "tensor";
        for (const auto& [end, group] :
             {std::pair<std::string, std::string>{"_DP_EP", "data-expert"}, {"_EP", "expert"}})
        {
            if (type.size() > end.size() &&
                type.compare(type.size() - end.size(), end.size(), end) == 0)
            {
                type.erase(type.size() - end.size());
                pass.group = group;
            }
        }
        static const std::map<std::string, std::string> operations = {
            {"ALLREDUCE", "all-reduce"},
            {"ALLGATHER", "all-gather"},
            {"REDUCESCATTER", "reduce-scatter"},
            {"ALLTOALL", "all-to-all"},
            {"NONE", ""}};
        const auto operation = operations.find(type);
        if (operation == operations.end())
        {
            Fail("the type of communication must be NONE, ALLREDUCE, ALLGATHER, REDUCESCATTER or "
                 "ALLTOALL, with _EP or _DP_EP, but it is " +
                 Quote(words[first + 1]));
        }
        if (operation->second.empty() && pass.bytes > 0)
        {
            Ignore("sizes of communication of the type NONE");
        }
        if (!operation->second.empty() && pass.bytes == 0)
        {
            Ignore("communication of 0 bytes");
        }
        pass.operation = pass.bytes > 0 ? operation->second : "";
        if (!pass.operation.empty() && pass.group.empty())
        {
            Fail("the policy DATA has no communication but that of weight gradients");
        }
        return pass;
    }

    std::string m_policy; //!< first word
};

/// Makes the graph of a workload.
class Maker
{
  public:
    Maker(const Reader& workload, const std::string& name, const DcnTrainImportOptions& options)
        : m_workload(workload),
          m_options(options),
          m_graph(std::make_shared<DcnTrainGraph>(workload.nRanks, name)),
          m_cursor(workload.nRanks, DcnTrainGraph::NONE),
          m_reduced(workload.nRanks, DcnTrainGraph::NONE)
    {
    }

    /// Adds an iteration.
    void Add(uint32_t iteration)
    {
        const auto& layers = m_workload.layers;
        for (const Layer& layer : layers)
        {
            Compute(layer.passes[0].computeNs, layer.name + " forward");
            Collect(layer.passes[0], layer.name + " forward", true);
        }
        for (auto layer = layers.rbegin(); layer != layers.rend(); ++layer)
        {
            Compute(layer->passes[1].computeNs, layer->name + " input gradient");
            Collect(layer->passes[1], layer->name + " input gradient", true);
            Compute(layer->passes[2].computeNs, layer->name + " weight gradient");
            Collect(layer->passes[2], layer->name + " weight gradient", false);
        }
        for (uint32_t rank = 0; rank < m_workload.nRanks; ++rank)
        {
            m_cursor[rank] = m_graph->Join(rank, {m_cursor[rank], m_reduced[rank]});
        }
        int64_t updateNs = 0;
        for (const Layer& layer : layers)
        {
            updateNs += layer.updateNs;
        }
        Compute(updateNs, "update");
        m_graph->BeginOperation(
            {"iteration " + std::to_string(iteration), "iteration", m_workload.nRanks, 0});
        for (uint32_t rank = 0; rank < m_workload.nRanks; ++rank)
        {
            m_cursor[rank] = m_graph->Join(rank, {m_cursor[rank]});
        }
        m_graph->SetOperation(DcnTrainNode::NO_OPERATION);
    }

    /// @return the graph
    std::shared_ptr<DcnTrainGraph> Get() const
    {
        return m_graph;
    }

  private:
    /// Adds computation to all ranks.
    void Compute(int64_t ns, const std::string& what)
    {
        m_graph->BeginOperation({what, "compute", m_workload.nRanks, 0});
        for (uint32_t rank = 0; rank < m_workload.nRanks; ++rank)
        {
            m_cursor[rank] = m_graph->Compute(rank, ns, {m_cursor[rank]});
        }
        m_graph->SetOperation(DcnTrainNode::NO_OPERATION);
    }

    /// @return the groups of a kind
    std::vector<std::vector<uint32_t>> GetGroups(const std::string& kind) const
    {
        const uint32_t t = m_workload.tensor;
        const uint32_t e = m_workload.expert;
        std::map<uint32_t, std::vector<uint32_t>> groups;
        for (uint32_t rank = 0; rank < m_workload.nRanks; ++rank)
        {
            const uint32_t replica = rank / t;
            groups[kind == "tensor"        ? replica
                   : kind == "data"        ? rank % t
                   : kind == "expert"      ? replica / e * t + rank % t
                   : kind == "data-expert" ? replica % e * t + rank % t
                                           : 0]
                .push_back(rank);
        }
        std::vector<std::vector<uint32_t>> lists;
        for (auto& group : groups)
        {
            lists.push_back(std::move(group.second));
        }
        return lists;
    }

    /// Adds the communication of a pass.
    void Collect(const Pass& pass, const std::string& what, bool isWaitedFor)
    {
        if (pass.operation.empty())
        {
            return;
        }
        for (const auto& members : GetGroups(pass.group))
        {
            if (members.size() < 2)
            {
                continue;
            }
            DcnTrainCollective collective;
            collective.operation = pass.operation;
            collective.algorithm =
                pass.operation == "all-to-all" ? m_options.allToAll : m_options.algorithm;
            collective.bytes = pass.bytes;
            collective.channels = m_options.channels;
            collective.chunks = m_options.chunks;
            collective.protocols = m_options.protocols;
            collective.groupSize = collective.IsGrouped() ? m_options.groupSize : 0;
            collective.name = what;
            collective.stream = isWaitedFor ? 0 : 1000; // a communicator of its own
            std::vector<uint32_t> after;
            for (const uint32_t rank : members)
            {
                after.push_back(isWaitedFor
                                    ? m_cursor[rank]
                                    : m_graph->Join(rank, {m_cursor[rank], m_reduced[rank]}));
            }
            const auto ends = collective.AddTo(*m_graph, members, after);
            for (std::size_t i = 0; i < members.size(); ++i)
            {
                (isWaitedFor ? m_cursor : m_reduced)[members[i]] = ends[i];
            }
        }
    }

    const Reader& m_workload;               //!< the layers
    const DcnTrainImportOptions& m_options; //!< of collectives
    std::shared_ptr<DcnTrainGraph> m_graph; //!< to be made
    std::vector<uint32_t> m_cursor;         //!< by rank: last node that it waits for
    std::vector<uint32_t> m_reduced;        //!< by rank: end of its last reduction of weights
};

} // namespace

DcnTrainImport
DcnTrainLayers::Read(const std::string& path,
                     uint32_t ranks,
                     uint32_t iterations,
                     const DcnTrainImportOptions& options)
{
    const Reader workload(path, ranks, options.mostRanks);
    Maker maker(workload, path, options);
    for (uint32_t iteration = 0; iteration < iterations; ++iteration)
    {
        maker.Add(iteration);
    }
    return {maker.Get(), workload.GetIgnored()};
}

} // namespace ns3

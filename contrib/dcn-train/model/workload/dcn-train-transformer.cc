/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "dcn-train-transformer.h"

#include "ns3/dcn-error.h"
#include "ns3/log.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("DcnTrainTransformer");

namespace
{

/// @return models by name; sources are in the header
const std::map<std::string, DcnTrainTransformer>&
GetModels()
{
    // layers, hidden, ffn, matrices, heads, kvHeads, vocabulary, sequence, experts, topK, tied
    static const std::map<std::string, DcnTrainTransformer> models = {
        {"gpt3-6.7b", {32, 4096, 16384, 2, 32, 32, 50257, 2048, 1, 1, true}},
        {"gpt3-13b", {40, 5140, 20560, 2, 40, 40, 50257, 2048, 1, 1, true}},
        {"gpt3-175b", {96, 12288, 49152, 2, 96, 96, 50257, 2048, 1, 1, true}},
        {"llama2-7b", {32, 4096, 11008, 3, 32, 32, 32000, 4096, 1, 1, false}},
        {"llama2-13b", {40, 5120, 13824, 3, 40, 40, 32000, 4096, 1, 1, false}},
        {"llama2-70b", {80, 8192, 28672, 3, 64, 8, 32000, 4096, 1, 1, false}},
        {"llama3-8b", {32, 4096, 14336, 3, 32, 8, 128256, 8192, 1, 1, false}},
        {"llama3-70b", {80, 8192, 28672, 3, 64, 8, 128256, 8192, 1, 1, false}},
        {"llama3-405b", {126, 16384, 53248, 3, 128, 8, 128256, 8192, 1, 1, false}},
        {"mixtral-8x7b", {32, 4096, 14336, 3, 32, 8, 32000, 32768, 8, 2, false}},
        {"megatron-1t", {128, 25600, 102400, 2, 160, 160, 51200, 2048, 1, 1, true}},
    };
    return models;
}

} // namespace

std::vector<std::string>
DcnTrainTransformer::GetPresets()
{
    std::vector<std::string> names;
    for (const auto& model : GetModels())
    {
        names.push_back(model.first);
    }
    return names;
}

DcnTrainTransformer
DcnTrainTransformer::Preset(const std::string& name)
{
    const auto found = GetModels().find(name);
    if (found == GetModels().end())
    {
        std::string names;
        for (const std::string& each : GetPresets())
        {
            names += (names.empty() ? "" : ", ") + each;
        }
        DcnFail("the model must be ", names, ", but it is \"", name, "\"");
    }
    return found->second;
}

double
DcnTrainTransformer::GetAttentionParameters() const
{
    const auto h = static_cast<double>(hidden);
    return 2 * h * h * (1 + static_cast<double>(kvHeads) / heads);
}

double
DcnTrainTransformer::GetFeedForwardParameters() const
{
    return static_cast<double>(hidden) * static_cast<double>(ffn) * matrices * experts;
}

double
DcnTrainTransformer::GetParameters() const
{
    return layers * (GetAttentionParameters() + GetFeedForwardParameters()) +
           (isTied ? 1 : 2) * static_cast<double>(hidden) * static_cast<double>(vocabulary);
}

namespace
{

/// Streams of the kinds of communication: each has connections of its own.
enum Stream : uint32_t
{
    TENSOR = 0,
    PIPELINE = 1000,
    EXPERT = 2000,
    DATA = 3000
};

/// Makes the graph of a plan.
class Generator
{
  public:
    Generator(const DcnTrainPlan& plan, const DcnTrainTransformer& model, const std::string& name)
        : m_plan(plan),
          m_model(model),
          m_graph(std::make_shared<DcnTrainGraph>(plan.GetNRanks(), name)),
          m_layers(model.layers / plan.pipeline),
          m_nMicroBatches(GetGlobalBatch() / (plan.data * plan.microBatch)),
          m_cursor(plan.GetNRanks(), DcnTrainGraph::NONE)
    {
        const double tokens =
            static_cast<double>(plan.microBatch) * static_cast<double>(model.sequence);
        const auto h = static_cast<double>(model.hidden);
        const double rate = plan.peakFlops * plan.efficiency * plan.tensor / 1e9; // FLOP per ns
        m_attentionNs =
            tokens *
            (2 * model.GetAttentionParameters() + 4 * static_cast<double>(model.sequence) * h) /
            rate;
        m_feedForwardNs =
            tokens * 2 * model.GetFeedForwardParameters() / model.experts * model.topK / rate;
        m_outputNs = tokens * 2 * h * static_cast<double>(model.vocabulary) / rate;
        m_activation = static_cast<uint64_t>(tokens) * model.hidden * plan.valueBytes;
    }

    /// @return the graph
    std::shared_ptr<DcnTrainGraph> Make()
    {
        for (uint32_t iteration = 0; iteration < m_plan.iterations; ++iteration)
        {
            MakeIteration(iteration);
        }
        return m_graph;
    }

    /// @return sequences of an iteration
    uint32_t GetGlobalBatch() const
    {
        return m_plan.globalBatch > 0 ? m_plan.globalBatch
                                      : m_plan.data * m_plan.pipeline * m_plan.microBatch;
    }

  private:
    /// @return the rank of a place
    uint32_t GetRank(uint32_t t, uint32_t d, uint32_t p) const
    {
        return t + m_plan.tensor * (d + m_plan.data * p);
    }

    /// @return ranks of a stage
    uint32_t GetStageSize() const
    {
        return m_plan.tensor * m_plan.data;
    }

    /// Adds an iteration: the passes of each stage, then the end.
    void MakeIteration(uint32_t iteration)
    {
        const uint32_t n = m_plan.GetNRanks();
        m_tags.assign(2ULL * m_nMicroBatches * n, 0);
        for (uint32_t& tag : m_tags)
        {
            tag = m_graph->MakeTag();
        }
        m_reduced.assign(n, DcnTrainGraph::NONE);
        m_label = m_plan.iterations > 1 ? "iteration " + std::to_string(iteration) + " " : "";
        for (uint32_t stage = 0; stage < m_plan.pipeline; ++stage)
        {
            const uint32_t warmUp = std::min(m_plan.pipeline - 1 - stage, m_nMicroBatches);
            for (uint32_t i = 0; i < warmUp; ++i)
            {
                Forward(stage, i);
            }
            for (uint32_t i = warmUp; i < m_nMicroBatches; ++i)
            {
                Forward(stage, i);
                Backward(stage, i - warmUp);
            }
            for (uint32_t i = m_nMicroBatches - warmUp; i < m_nMicroBatches; ++i)
            {
                Backward(stage, i);
            }
        }
        if (m_plan.isSharded && m_plan.data > 1)
        {
            GatherParameters();
        }
        m_graph->BeginOperation({"iteration " + std::to_string(iteration), "iteration", n, 0});
        for (uint32_t rank = 0; rank < n; ++rank)
        {
            m_cursor[rank] = m_graph->Join(rank, {m_cursor[rank], m_reduced[rank]});
        }
        m_graph->SetOperation(DcnTrainNode::NO_OPERATION);
    }

    /// Adds computation to all ranks of a stage.
    void Compute(uint32_t stage, double ns, const std::string& what)
    {
        m_graph->BeginOperation({m_label + what, "compute", GetStageSize(), 0});
        for (uint32_t i = 0; i < GetStageSize(); ++i)
        {
            const uint32_t rank = stage * GetStageSize() + i;
            m_cursor[rank] = m_graph->Compute(rank, std::llround(ns), {m_cursor[rank]});
        }
        m_graph->SetOperation(DcnTrainNode::NO_OPERATION);
    }

    /// Adds a collective that its members wait for.
    void Collect(DcnTrainCollective collective,
                 const std::string& operation,
                 uint64_t bytes,
                 const std::vector<uint32_t>& members,
                 Stream stream,
                 const std::string& what)
    {
        collective.operation = operation;
        collective.bytes = bytes;
        collective.stream = stream;
        collective.name = m_label + what;
        std::vector<uint32_t> after;
        for (const uint32_t rank : members)
        {
            after.push_back(m_cursor[rank]);
        }
        const auto ends = collective.AddTo(*m_graph, members, after);
        for (std::size_t i = 0; i < members.size(); ++i)
        {
            m_cursor[members[i]] = ends[i];
        }
    }

    /// Adds a collective to all tensor groups of a stage.
    void CollectTensor(uint32_t stage, const std::string& operation, const std::string& what)
    {
        for (uint32_t d = 0; m_plan.tensor > 1 && d < m_plan.data; ++d)
        {
            std::vector<uint32_t> members;
            for (uint32_t t = 0; t < m_plan.tensor; ++t)
            {
                members.push_back(GetRank(t, d, stage));
            }
            Collect(m_plan.tensorCollective, operation, m_activation, members, TENSOR, what);
        }
    }

    /// Adds an all-to-all to all expert groups of a stage.
    void CollectExperts(uint32_t stage, const std::string& what)
    {
        if (m_model.experts < 2 || m_plan.expert < 2)
        {
            return;
        }
        const uint64_t bytes = m_activation * m_model.topK / GetShare();
        for (uint32_t d = 0; d < m_plan.data; d += m_plan.expert)
        {
            for (uint32_t t = 0; t < m_plan.tensor; ++t)
            {
                std::vector<uint32_t> members;
                for (uint32_t e = 0; e < m_plan.expert; ++e)
                {
                    members.push_back(GetRank(t, d + e, stage));
                }
                Collect(m_plan.expertCollective, "all-to-all", bytes, members, EXPERT, what);
            }
        }
    }

    /// @return ranks that share the activations between blocks
    uint32_t GetShare() const
    {
        return m_plan.isSequenceParallel ? m_plan.tensor : 1;
    }

    /// Adds one block of a layer with its tensor communication.
    void Block(uint32_t stage, double ns, bool hasExperts, const std::string& what)
    {
        if (m_plan.isSequenceParallel)
        {
            CollectTensor(stage, "all-gather", what + " tensor");
        }
        if (hasExperts)
        {
            CollectExperts(stage, what + " dispatch");
        }
        Compute(stage, ns, what);
        if (hasExperts)
        {
            CollectExperts(stage, what + " combine");
        }
        CollectTensor(stage,
                      m_plan.isSequenceParallel ? "reduce-scatter" : "all-reduce",
                      what + " tensor");
    }

    /// @return index of the tag of a message to a rank
    uint32_t GetTag(uint32_t rank, uint32_t microBatch, bool isBackward) const
    {
        return m_tags[2ULL * (rank * static_cast<uint64_t>(m_nMicroBatches) + microBatch) +
                      (isBackward ? 1 : 0)];
    }

    /// Adds the messages of a stage from or to a neighbour.
    void Exchange(uint32_t stage, uint32_t microBatch, bool isBackward, bool isSend)
    {
        const bool isUp = isBackward != isSend; // the neighbour is the next stage
        if (isUp ? stage + 1 == m_plan.pipeline : stage == 0)
        {
            return;
        }
        const uint32_t n = GetStageSize();
        const uint64_t bytes = m_activation / GetShare();
        m_graph->BeginOperation({m_label + (isBackward ? "backward " : "forward ") +
                                     std::to_string(microBatch) + " stage " + std::to_string(stage),
                                 "point-to-point",
                                 n,
                                 bytes});
        for (uint32_t i = 0; i < n; ++i)
        {
            const uint32_t rank = stage * n + i;
            const uint32_t peer = isUp ? rank + n : rank - n;
            if (isSend)
            {
                m_graph->Send(rank,
                              peer,
                              bytes,
                              GetTag(peer, microBatch, isBackward),
                              {m_cursor[rank]},
                              PIPELINE);
            }
            else
            {
                const uint32_t received = m_graph->Receive(rank,
                                                           peer,
                                                           bytes,
                                                           GetTag(rank, microBatch, isBackward),
                                                           {m_cursor[rank]});
                m_cursor[rank] = received;
            }
        }
        m_graph->SetOperation(DcnTrainNode::NO_OPERATION);
    }

    /// Adds the forward pass of a micro-batch through a stage.
    void Forward(uint32_t stage, uint32_t microBatch)
    {
        Exchange(stage, microBatch, false, false);
        const std::string pass = "forward " + std::to_string(microBatch) + " layer ";
        for (uint32_t i = 0; i < m_layers; ++i)
        {
            const std::string layer = pass + std::to_string(stage * m_layers + i);
            Block(stage, m_attentionNs, false, layer + " attention");
            Block(stage, m_feedForwardNs, m_model.experts > 1, layer + " feed-forward");
        }
        if (stage + 1 == m_plan.pipeline)
        {
            Compute(stage, m_outputNs, pass + "output");
        }
        Exchange(stage, microBatch, false, true);
    }

    /// Adds the backward pass of a micro-batch through a stage.
    void Backward(uint32_t stage, uint32_t microBatch)
    {
        const double times = m_plan.isRecomputed ? 3 : 2;
        Exchange(stage, microBatch, true, false);
        const std::string pass = "backward " + std::to_string(microBatch) + " layer ";
        const bool isLast = microBatch + 1 == m_nMicroBatches;
        const double vocabulary =
            static_cast<double>(m_model.hidden) * static_cast<double>(m_model.vocabulary);
        if (stage + 1 == m_plan.pipeline)
        {
            Compute(stage, 2 * m_outputNs, pass + "output");
            if (isLast)
            {
                ReduceGradients(stage, vocabulary, 1, "gradients output");
            }
        }
        for (uint32_t i = m_layers; i-- > 0;)
        {
            const std::string number = std::to_string(stage * m_layers + i);
            const std::string layer = pass + number;
            Block(stage, times * m_feedForwardNs, m_model.experts > 1, layer + " feed-forward");
            Block(stage, times * m_attentionNs, false, layer + " attention");
            if (isLast)
            {
                const bool hasExperts = m_model.experts > 1;
                ReduceGradients(stage,
                                m_model.GetAttentionParameters() +
                                    (hasExperts ? 0 : m_model.GetFeedForwardParameters()),
                                1,
                                "gradients layer " + number);
                if (hasExperts)
                {
                    ReduceGradients(stage,
                                    m_model.GetFeedForwardParameters() / m_plan.expert,
                                    m_plan.expert,
                                    "gradients experts " + number);
                }
            }
        }
        if (stage == 0 && isLast && !(m_model.isTied && m_plan.pipeline == 1))
        {
            ReduceGradients(stage, vocabulary, 1, "gradients embedding");
        }
        Exchange(stage, microBatch, true, true);
    }

    /// A reduction that was added, for the all-gather of the parameters.
    struct Reduction
    {
        std::vector<uint32_t> members; //!< its ranks
        uint64_t values;               //!< parameters of a rank
        std::string what;              //!< its name
    };

    /**
     * @brief Add the reduction of gradients to all data groups of a stage.
     * @param stage the stage
     * @param parameters of a tensor group
     * @param distance of ranks of the data group with the same parameters
     * @param what its name
     */
    void ReduceGradients(uint32_t stage,
                         double parameters,
                         uint32_t distance,
                         const std::string& what)
    {
        const auto values = static_cast<uint64_t>(std::ceil(parameters / m_plan.tensor));
        for (uint32_t first = 0; first < distance; ++first)
        {
            for (uint32_t t = 0; t < m_plan.tensor; ++t)
            {
                std::vector<uint32_t> members;
                for (uint32_t d = first; d < m_plan.data; d += distance)
                {
                    members.push_back(GetRank(t, d, stage));
                }
                if (members.size() > 1)
                {
                    AddReduction(m_plan.isSharded ? "reduce-scatter" : "all-reduce",
                                 {members, values, what},
                                 m_plan.gradientBytes,
                                 true);
                    if (m_plan.isSharded)
                    {
                        m_reductions.push_back({members, values, what});
                    }
                }
            }
        }
    }

    /// Adds a collective that ranks do not wait for; it follows the one before.
    void AddReduction(const std::string& operation,
                      const Reduction& reduction,
                      uint32_t valueBytes,
                      bool isAfterCursor)
    {
        DcnTrainCollective collective = m_plan.dataCollective;
        collective.operation = operation;
        collective.bytes = reduction.values * valueBytes;
        collective.stream = DATA;
        collective.name = m_label + reduction.what;
        std::vector<uint32_t> after;
        for (const uint32_t rank : reduction.members)
        {
            after.push_back(isAfterCursor ? m_graph->Join(rank, {m_cursor[rank], m_reduced[rank]})
                                          : m_reduced[rank]);
        }
        const auto ends = collective.AddTo(*m_graph, reduction.members, after);
        for (std::size_t i = 0; i < ends.size(); ++i)
        {
            m_reduced[reduction.members[i]] = ends[i];
        }
    }

    /// Adds the all-gather of sharded parameters, when all gradients are there.
    void GatherParameters()
    {
        for (uint32_t rank = 0; rank < m_plan.GetNRanks(); ++rank)
        {
            m_reduced[rank] = m_graph->Join(rank, {m_cursor[rank], m_reduced[rank]});
        }
        for (Reduction& reduction : m_reductions)
        {
            reduction.what.replace(0, std::string("gradients").size(), "parameters");
            AddReduction("all-gather", reduction, m_plan.valueBytes, false);
        }
        m_reductions.clear();
    }

    const DcnTrainPlan& m_plan;             //!< how it is trained
    const DcnTrainTransformer& m_model;     //!< the model
    std::shared_ptr<DcnTrainGraph> m_graph; //!< to be made
    uint32_t m_layers;                      //!< of a stage
    uint32_t m_nMicroBatches;               //!< of an iteration
    double m_attentionNs{0};                //!< forward pass of an attention block [ns]
    double m_feedForwardNs{0};              //!< of a feed-forward block [ns]
    double m_outputNs{0};                   //!< of the output layer [ns]
    uint64_t m_activation{0};               //!< b s h c [bytes]
    std::vector<uint32_t> m_cursor;         //!< by rank: the last node that it waits for
    std::vector<uint32_t> m_reduced;        //!< by rank: end of its last reduction
    std::vector<uint32_t> m_tags;           //!< see GetTag
    std::vector<Reduction> m_reductions;    //!< of this iteration
    std::string m_label;                    //!< begin of names
};

} // namespace

uint32_t
DcnTrainPlan::GetNRanks() const
{
    return tensor * pipeline * data;
}

std::shared_ptr<DcnTrainGraph>
DcnTrainPlan::MakeGraph(const DcnTrainTransformer& model, const std::string& name) const
{
    auto divide = [](uint64_t what, uint64_t by, const char* nameOfWhat, const char* nameOfBy) {
        if (by == 0 || what == 0 || what % by != 0)
        {
            DcnFail(what,
                    " ",
                    nameOfWhat,
                    " cannot be divided by ",
                    by,
                    " ",
                    nameOfBy,
                    ": give a divisor");
        }
    };
    divide(model.layers, pipeline, "layers", "pipeline stages");
    divide(model.heads, tensor, "attention heads", "tensor ranks");
    divide(model.sequence, isSequenceParallel ? tensor : 1, "tokens", "tensor ranks");
    divide(model.experts, expert, "experts", "expert ranks");
    divide(data, expert, "data ranks", "expert ranks");
    divide(model.heads, model.kvHeads, "heads", "heads of keys and values");
    if (microBatch == 0 || iterations == 0 || valueBytes == 0 || gradientBytes == 0)
    {
        DcnFail("micro-batch, iterations and bytes of values and gradients must be at least 1, but "
                "they are ",
                microBatch,
                ", ",
                iterations,
                ", ",
                valueBytes,
                " and ",
                gradientBytes);
    }
    if (!(peakFlops > 0) || !(efficiency > 0 && efficiency <= 1))
    {
        DcnFail("the peak of a rank must be above 0 and the efficiency above 0 and at most 1, but "
                "they are ",
                peakFlops,
                " and ",
                efficiency);
    }
    if (isSequenceParallel && tensor < 2)
    {
        DcnFail("sequence parallelism has no effect without tensor ranks: tensor is ", tensor);
    }
    if (isSharded && data < 2)
    {
        DcnFail("sharded optimizer states have no effect without data ranks: data is ", data);
    }
    Generator generator(*this, model, name);
    divide(generator.GetGlobalBatch(),
           static_cast<uint64_t>(data) * microBatch,
           "sequences of the global batch",
           "sequences of a micro-batch of all data ranks");
    NS_LOG_INFO("transformer of " << model.GetParameters() << " parameters on " << GetNRanks()
                                  << " ranks");
    return generator.Make();
}

} // namespace ns3

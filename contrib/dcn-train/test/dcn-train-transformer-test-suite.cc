/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

/**
 * @file
 * @brief Graphs of the training of transformers.
 */

#include "dcn-test-case.h"
#include "dcn-test-error.h"
#include "dcn-test-scenario.h"

#include "ns3/dcn-train-helper.h"
#include "ns3/dcn-train-report.h"
#include "ns3/dcn-train-transformer.h"
#include "ns3/simulator.h"
#include "ns3/test.h"

#include <cmath>
#include <map>
#include <memory>
#include <string>
#include <vector>

using namespace ns3;

namespace
{

/// Parameters as the papers say them, in 10^9.
DCN_TEST_CASE(ParametersTestCase, "numbers of parameters are those of the papers")
{
    const std::map<std::string, double> published = {{"gpt3-6.7b", 6.7},
                                                     {"gpt3-13b", 13.0},
                                                     {"gpt3-175b", 175},
                                                     {"llama2-7b", 6.7},
                                                     {"llama2-13b", 13.0},
                                                     {"llama2-70b", 69},
                                                     {"llama3-8b", 8.0},
                                                     {"llama3-70b", 70.6},
                                                     {"llama3-405b", 405},
                                                     {"mixtral-8x7b", 46.7},
                                                     {"megatron-1t", 1008}};
    for (const std::string& name : DcnTrainTransformer::GetPresets())
    {
        NS_TEST_EXPECT_MSG_EQ_TOL(DcnTrainTransformer::Preset(name).GetParameters() / 1e9 /
                                      published.at(name),
                                  1,
                                  0.015,
                                  name);
    }
    NS_TEST_EXPECT_MSG_EQ(published.size(), DcnTrainTransformer::GetPresets().size(), "all");
}

/// A small model: h = 64, f = 256, s = 32, V = 1000.
DcnTrainTransformer
MakeModel(uint32_t layers, uint32_t experts = 1)
{
    DcnTrainTransformer model;
    model.layers = layers;
    model.hidden = 64;
    model.ffn = 256;
    model.heads = 4;
    model.kvHeads = 4;
    model.vocabulary = 1000;
    model.sequence = 32;
    model.experts = experts;
    model.topK = experts > 1 ? 2 : 1;
    model.isTied = true;
    return model;
}

/// What a graph has, by kind of operation and name.
struct Sums
{
    std::map<std::string, uint64_t> operations; //!< number, by kind
    std::map<std::string, uint64_t> bytes;      //!< of sends, by kind
    std::vector<double> computeNs;              //!< by rank

    explicit Sums(const DcnTrainGraph& graph)
        : computeNs(graph.GetNRanks(), 0)
    {
        for (const auto& operation : graph.GetOperations())
        {
            ++operations[operation.kind];
        }
        for (uint32_t rank = 0; rank < graph.GetNRanks(); ++rank)
        {
            for (const auto& node : graph.GetNodes(rank))
            {
                computeNs[rank] += static_cast<double>(node.durationNs);
                if (node.kind == DcnTrainKind::SEND)
                {
                    bytes[graph.GetOperations()[node.operation].kind] += node.bytes;
                }
            }
        }
    }
};

/// FLOP of a forward pass of a layer of MakeModel, for b = 1: 32 tokens.
constexpr double ATTENTION = 32 * (4.0 * 64 * 64 * 2 + 4 * 32 * 64); //!< scores, too
constexpr double FEED_FORWARD = 32 * 2.0 * 2 * 64 * 256;             //!< of one expert
constexpr double OUTPUT = 32 * 2.0 * 64 * 1000;                      //!< of the last stage

DCN_TEST_CASE(AmountsTestCase, "computation and messages of each kind of parallelism")
{
    DcnTrainPlan plan;
    plan.peakFlops = 2e9; // with an efficiency of 0.5, a FLOP takes 1 ns
    const uint64_t activation = 32 * 64 * 2;

    plan.tensor = 4;
    plan.globalBatch = 3;
    {
        const auto graph = plan.MakeGraph(MakeModel(2));
        DcnCheckTrainMessages(*graph);
        const Sums sums(*graph);
        const double flop = 3 * (2 * (ATTENTION + FEED_FORWARD) + OUTPUT);
        for (const double ns : sums.computeNs)
        {
            NS_TEST_EXPECT_MSG_EQ_TOL(ns, 3 * flop / 4, 100, "forward and twice that backward");
        }
        // four all-reduces a layer and micro-batch: of each, a rank sends 2 (n - 1) / n
        NS_TEST_EXPECT_MSG_EQ(sums.operations.at("all-reduce"), 2 * 3 * 4, "all-reduces");
        NS_TEST_EXPECT_MSG_EQ(sums.bytes.at("all-reduce"), 24 * 6 * activation, "bytes");
        NS_TEST_EXPECT_MSG_EQ(sums.bytes.size(), 1, "nothing else");
    }
    plan.isSequenceParallel = true;
    plan.isRecomputed = true;
    {
        const Sums sums(*plan.MakeGraph(MakeModel(2)));
        NS_TEST_EXPECT_MSG_EQ(sums.operations.at("all-gather"), 24, "gathers");
        NS_TEST_EXPECT_MSG_EQ(sums.operations.at("reduce-scatter"), 24, "reductions");
        NS_TEST_EXPECT_MSG_EQ(sums.bytes.at("all-gather"), 24 * 3 * activation, "bytes");
        const double flop = 3 * (2 * (ATTENTION + FEED_FORWARD));
        NS_TEST_EXPECT_MSG_EQ_TOL(sums.computeNs[0],
                                  (4 * flop + 3 * 3 * OUTPUT) / 4,
                                  100,
                                  "a second forward pass");
    }
    plan = DcnTrainPlan();
    plan.pipeline = 2;
    plan.globalBatch = 5;
    {
        const auto graph = plan.MakeGraph(MakeModel(4));
        DcnCheckTrainMessages(*graph);
        const Sums sums(*graph);
        NS_TEST_EXPECT_MSG_EQ(sums.bytes.at("point-to-point"), 2 * 5 * activation, "both ways");
        NS_TEST_EXPECT_MSG_EQ(sums.bytes.size(), 1, "nothing else");
    }
    plan = DcnTrainPlan();
    plan.data = 4;
    plan.gradientBytes = 4;
    const uint64_t parameters = 2 * (4 * 64 * 64 + 2 * 64 * 256) + 64'000;
    {
        const Sums sums(*plan.MakeGraph(MakeModel(2)));
        NS_TEST_EXPECT_MSG_EQ(sums.operations.at("all-reduce"), 3, "two layers and the output");
        NS_TEST_EXPECT_MSG_EQ(sums.bytes.at("all-reduce"), 6 * parameters * 4, "bytes");
    }
    plan.isSharded = true;
    {
        const Sums sums(*plan.MakeGraph(MakeModel(2)));
        NS_TEST_EXPECT_MSG_EQ(sums.bytes.at("reduce-scatter"), 3 * parameters * 4, "gradients");
        NS_TEST_EXPECT_MSG_EQ(sums.bytes.at("all-gather"), 3 * parameters * 2, "parameters");
    }
    plan = DcnTrainPlan();
    plan.data = 4;
    plan.expert = 2;
    plan.expertCollective.algorithm = "direct";
    {
        const auto graph = plan.MakeGraph(MakeModel(2, 4));
        DcnCheckTrainMessages(*graph);
        const Sums sums(*graph);
        // two groups, two layers, dispatch and combine, forward and backward; a rank sends half
        NS_TEST_EXPECT_MSG_EQ(sums.operations.at("all-to-all"), 16, "all-to-alls");
        NS_TEST_EXPECT_MSG_EQ(sums.bytes.at("all-to-all"), 16 * activation * 2, "bytes");
        // experts: two of a layer on a rank, reduced between two ranks; the rest among four
        const uint64_t experts = 2 * (2 * 2 * 64 * 256);
        const uint64_t others = 2 * (4 * 64 * 64) + 64'000;
        NS_TEST_EXPECT_MSG_EQ(sums.bytes.at("all-reduce"),
                              (2 * 2 * experts + 6 * others) * 2,
                              "gradients");
    }
}

/// @return results of a graph on a star of 10 Gb/s with flowsim
DcnTrainRunResult
RunGraph(std::shared_ptr<DcnTrainGraph> graph)
{
    Ptr<DcnTopology> topology = DcnMakeStar(std::max(2U, graph->GetNRanks()));
    Ptr<DcnTrainExecutor> executor = DcnTrainHelper("flowsim").Install(topology, graph);
    executor->Start();
    Simulator::Run();
    executor->CheckFinished();
    DcnTrainRunResult result("flowsim",
                             *executor,
                             *graph,
                             *topology,
                             *DcnNetworkConfig::Preset("dctcp"));
    executor->Dispose();
    Simulator::Destroy();
    return result;
}

/// A pipeline of P stages and m micro-batches, of equal stages that take F forward and 2 F
/// backward, takes (m + P - 1) 3 F: the bubble is P - 1 of m + P - 1 (Narayanan et al.). The output
/// layer makes the last stage longer by O and 2 O: m (3 F + 3 O) + (P - 1) 3 F.
DCN_TEST_CASE(PipelineTestCase, "a pipeline has the bubble of 1F1B")
{
    DcnTrainPlan plan;
    plan.peakFlops = 2e7; // slow: messages take no time
    plan.pipeline = 4;
    const double f = 100 * (ATTENTION + FEED_FORWARD) / 1e6; // [ms]
    const double o = 100 * OUTPUT / 1e6;
    for (const uint32_t m : {1, 4, 16})
    {
        plan.globalBatch = m;
        const auto result = RunGraph(plan.MakeGraph(MakeModel(4)));
        NS_TEST_EXPECT_MSG_EQ_TOL(result.GetIterationMs() / (m * 3 * (f + o) + 3 * 3 * f),
                                  1,
                                  0.001,
                                  m << " micro-batches");
        NS_TEST_EXPECT_MSG_EQ_TOL(result.GetMeanMs(&DcnTrainExecutor::RankTimes::computeNs),
                                  m * 3 * (f + o / 4),
                                  1e-3 * m * f,
                                  "work of " << m << " micro-batches");
    }
    plan.globalBatch = 4;
    plan.iterations = 3;
    const auto result = RunGraph(plan.MakeGraph(MakeModel(4)));
    NS_TEST_EXPECT_MSG_EQ(result.iterations.size(), 3, "iterations");
}

/// Data parallelism: gradients of the output layer and of layer 1 are reduced while layers compute,
/// those of layer 0 are exposed, if communication is faster than computation.
DCN_TEST_CASE(OverlapTestCase, "gradients are reduced while the backward pass goes on")
{
    DcnTrainPlan plan;
    plan.data = 2;
    plan.peakFlops = 2e8;
    const auto graph = plan.MakeGraph(MakeModel(2));
    const auto result = RunGraph(graph);
    const double computeMs = 3 * 10 * (2 * (ATTENTION + FEED_FORWARD) + OUTPUT) / 1e6;
    double lastMs = 0;
    for (const auto& each : result.collectives)
    {
        lastMs = static_cast<double>(each.durationNs) / 1e6; // of the last one
    }
    NS_TEST_EXPECT_MSG_EQ(result.collectives.size(), 3, "reductions");
    NS_TEST_EXPECT_MSG_EQ_TOL(result.GetIterationMs(), computeMs + lastMs, 1e-3, "iteration");
    NS_TEST_EXPECT_MSG_EQ_TOL(result.GetMeanMs(&DcnTrainExecutor::RankTimes::exposedNs),
                              lastMs,
                              1e-3,
                              "exposed communication");
}

DCN_TEST_CASE(RefusedTestCase, "plans that cannot be")
{
    DCN_TEST_EXPECT_ERROR(DcnTrainTransformer::Preset("gpt5"),
                          "the model must be gpt3-13b, gpt3-175b, gpt3-6.7b, llama2-13b, "
                          "llama2-70b, llama2-7b, llama3-405b, llama3-70b, llama3-8b, megatron-1t, "
                          "mixtral-8x7b, but it is \"gpt5\"");
    DcnTrainPlan plan;
    plan.pipeline = 3;
    DCN_TEST_EXPECT_ERROR(plan.MakeGraph(MakeModel(4)),
                          "4 layers cannot be divided by 3 pipeline stages: give a divisor");
    plan = DcnTrainPlan();
    plan.data = 4;
    plan.globalBatch = 6;
    DCN_TEST_EXPECT_ERROR(plan.MakeGraph(MakeModel(4)),
                          "6 sequences of the global batch cannot be divided by 4 sequences of a "
                          "micro-batch of all data ranks: give a divisor");
    plan.expert = 4;
    DCN_TEST_EXPECT_ERROR(plan.MakeGraph(MakeModel(4, 2)),
                          "2 experts cannot be divided by 4 expert ranks: give a divisor");
    plan = DcnTrainPlan();
    plan.efficiency = 1.5;
    DCN_TEST_EXPECT_ERROR(
        plan.MakeGraph(MakeModel(4)),
        "the peak of a rank must be above 0 and the efficiency above 0 and at most "
        "1, but they are 3.12e+14 and 1.5");
    plan = DcnTrainPlan();
    plan.isSequenceParallel = true;
    DCN_TEST_EXPECT_ERROR(plan.MakeGraph(MakeModel(4)),
                          "sequence parallelism has no effect without tensor ranks: tensor is 1");
}

DcnTestSuite<ParametersTestCase,
             AmountsTestCase,
             PipelineTestCase,
             OverlapTestCase,
             RefusedTestCase>
    g_dcnTrainTransformerTestSuite("dcn-train-transformer"); //!< the suite

} // namespace

/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

/**
 * @file
 * @brief Benchmarks of the training of networks.
 */

#include "dcn-bench.h"

#include "ns3/dcn-estimator.h"
#include "ns3/dcn-network-config.h"
#include "ns3/dcn-topology.h"
#include "ns3/dcn-torch.h"
#include "ns3/dcn-workload.h"
#include "ns3/m3-torch-network.h"
#include "ns3/m4-data.h"
#include "ns3/m4-trainer.h"

#include <ctime>
#include <functional>
#include <memory>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

using namespace ns3;

namespace
{

/**
 * @param count number of values
 * @param factor makes one vector different from another
 * @return numbers between 0 and 1
 */
std::vector<float>
MakeNumbers(std::size_t count, uint32_t factor)
{
    std::vector<float> numbers(count);
    for (std::size_t i = 0; i < count; ++i)
    {
        numbers[i] = static_cast<float>(i * factor % 101) / 101;
    }
    return numbers;
}

/**
 * @param seed of the flows
 * @return 150 flows on the default fabric with the fluid's completion times as ground truth
 */
std::shared_ptr<const M4GroundTruth>
MakeTruth(uint64_t seed)
{
    DcnWorkloadSpec spec;
    spec.nFlows = 150;
    spec.seed = seed;
    Ptr<DcnTopology> topology = DcnBuildTopology(DcnFabricParameters());
    DcnWorkload workload = DcnWorkload::Generate(topology, spec);
    auto truth = std::make_shared<M4GroundTruth>();
    truth->scenario = DcnScenario::CreateWithPaths(topology,
                                                   DcnNetworkConfig::Preset("dctcp"),
                                                   std::move(workload.flows),
                                                   std::move(workload.paths));
    truth->fctNs = DcnEstimator::CreateByName("flowsim")->Estimate(truth->scenario).fctNs;
    return truth;
}

/// Ends the benchmark if networks cannot be trained.
void
NeedTorch()
{
    if (!DcnTorch::IsAvailable())
    {
        throw DcnBenchSkipped("LibTorch was not there when this program was built");
    }
}

/**
 * @brief Repeat a function for a while.
 * @param run the function
 * @return repetitions per CPU second
 */
double
MeasureRate(const std::function<void()>& run)
{
    run(); // warm-up: the first run allocates memory
    const std::clock_t start = std::clock();
    uint32_t times = 0;
    double seconds = 0;
    do
    {
        run();
        ++times;
        seconds = static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
    } while (seconds < 3);
    return times / seconds;
}

} // namespace

void
BenchTorchGraph()
{
    NeedTorch();
    std::vector<std::shared_ptr<const M4GroundTruth>> truths;
    for (uint64_t seed = 1; seed <= 32; ++seed)
    {
        truths.push_back(MakeTruth(seed));
    }
    for (const auto& [architecture, hidden, batch] :
         {std::make_tuple("default", 32U, 32U), std::make_tuple("published", 200U, 2U)})
    {
        M4TrainingOptions options;
        options.architecture = architecture;
        options.hidden = hidden;
        options.batch = batch;
        options.epochs = 1000;
        options.rollouts = 0;
        M4Trainer trainer(
            options,
            [&](uint64_t i) { return truths[i]; },
            batch);
        uint64_t events = 0;
        uint64_t nEpochs = 0;
        const double rate = MeasureRate([&]() {
            events += trainer.RunEpoch().events;
            ++nEpochs;
        });
        Report("torch-graph",
               std::string(architecture) + "_hidden" + std::to_string(hidden) +
                   "_training_events_per_cpu_s",
               rate * static_cast<double>(events) / static_cast<double>(nEpochs));
    }
}

void
BenchTorchSet()
{
    NeedTorch();
    constexpr uint32_t BATCH = 64;
    M3NetworkShape shape;
    shape.tokenFeatures = 240;
    shape.foregroundFeatures = 240;
    shape.slots = 4;
    shape.knots = 20;
    shape.width = 96;
    shape.feedForward = 256;
    shape.mlp = 256;
    shape.gain = 1;
    M3TorchBatch batch;
    std::size_t nTokens = 0;
    for (uint32_t i = 0; i < BATCH; ++i)
    {
        batch.tokens.push_back(2 + i % 5);
        nTokens += batch.tokens.back();
    }
    const std::size_t outputs = static_cast<std::size_t>(BATCH) * shape.slots * shape.knots;
    batch.token = MakeNumbers(nTokens * shape.tokenFeatures, 37);
    batch.foreground = MakeNumbers(static_cast<std::size_t>(BATCH) * shape.foregroundFeatures, 41);
    batch.base.assign(outputs, 0.5F);
    batch.known = MakeNumbers(outputs, 43);
    batch.knownWeight.assign(outputs, 1);
    batch.target = batch.known;
    batch.weight.assign(outputs, 1);
    std::vector<double> levels;
    for (uint32_t k = 0; k < shape.knots; ++k)
    {
        levels.push_back((k + 0.5) / shape.knots);
    }
    const auto network = DcnTorch::Load<M3TorchFactory>("the benchmark", "m3")
                             .MakeDefault(shape, levels, DcnTorchOptimizerOptions());
    Report("torch-set", "width96_training_paths_per_cpu_s", BATCH * MeasureRate([&]() {
                                                                network->Train(batch, 1e-4);
                                                            }));
    Report("torch-set", "width96_prediction_paths_per_cpu_s", BATCH * MeasureRate([&]() {
                                                                  network->Predict(batch);
                                                              }));
}

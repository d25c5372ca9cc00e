/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

/**
 * @file
 * @brief Benchmarks: how fast networks are trained.
 */

#include "dcn-bench.h"

#include "ns3/dcn-torch-graph-network.h"
#include "ns3/dcn-torch.h"
#include "ns3/m3-torch-network.h"

#include <ctime>
#include <functional>
#include <string>
#include <vector>

using namespace ns3;

namespace
{

constexpr uint32_t SIMULATIONS = 64;   //!< events of a lock-step batch
constexpr uint32_t FLOWS = 8;          //!< flows around an event
constexpr uint32_t LINKS = 5;          //!< links around an event
constexpr uint32_t EDGES = 14;         //!< links crossed by these flows
constexpr uint32_t FLOW_STATES = 100;  //!< rows of states of a simulation
constexpr uint32_t LINK_STATES = 60;   //!< rows of states of a simulation
constexpr uint32_t FLOW_FEATURES = 16; //!< DF
constexpr uint32_t LINK_FEATURES = 12; //!< DL

/**
 * @param count how many
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
 * @param time number of the step
 * @return one event of each simulation
 */
DcnTorchGraphNetwork::Step
MakeStep(uint32_t time)
{
    DcnTorchGraphNetwork::Step step;
    for (uint32_t s = 0; s < SIMULATIONS; ++s)
    {
        for (uint32_t i = 0; i < FLOWS; ++i)
        {
            step.flowState.push_back(s * FLOW_STATES + (time + 7 * i) % FLOW_STATES);
            step.isNew.push_back(i == 0);
        }
        for (uint32_t i = 0; i < LINKS; ++i)
        {
            step.linkState.push_back(s * LINK_STATES + (time + 11 * i) % LINK_STATES);
        }
        for (uint32_t i = 0; i < EDGES; ++i)
        {
            step.edgeFlow.push_back(s * FLOWS + i % FLOWS);
            step.edgeLink.push_back(s * LINKS + i % LINKS);
        }
    }
    const std::size_t n = step.flowState.size();
    const std::size_t m = step.linkState.size();
    step.flowFeatures = MakeNumbers(n * FLOW_FEATURES, 37 + time);
    step.linkFeatures = MakeNumbers(m * LINK_FEATURES, 41 + time);
    step.fluidLeft = MakeNumbers(n, 43);
    step.fluidLogSlowdown = MakeNumbers(n, 47);
    step.logSlowdownTarget = MakeNumbers(n, 53);
    step.logSlowdownWeight.assign(n, 1);
    step.leftTarget = MakeNumbers(n, 59);
    step.leftWeight.assign(n, 1);
    step.queueTarget = MakeNumbers(m, 61);
    step.queueWeight.assign(m, 1);
    return step;
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
 * @brief Repeat something for a while.
 * @param run what to repeat
 * @return how often per CPU second
 */
double
MeasureRate(const std::function<void()>& run)
{
    run(); // the first time, memory is new
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
    for (uint32_t hidden : {32, 64})
    {
        for (uint32_t chunk : {32, 64})
        {
            std::vector<DcnTorchGraphNetwork::Step> steps;
            for (uint32_t i = 0; i < chunk; ++i)
            {
                steps.push_back(MakeStep(i));
            }
            DcnTorchGraphNetwork network({hidden, FLOW_FEATURES, LINK_FEATURES, 1}, {}, 1);
            for (bool training : {true, false})
            {
                network.Begin(SIMULATIONS * FLOW_STATES, SIMULATIONS * LINK_STATES, training);
                const double rate = MeasureRate([&]() {
                    for (const auto& step : steps)
                    {
                        network.Accumulate(step);
                    }
                    network.Finish(1e-4);
                });
                Report("torch-graph",
                       "hidden" + std::to_string(hidden) + "_chunk" + std::to_string(chunk) +
                           (training ? "_training" : "_evaluation") + "_events_per_cpu_s",
                       rate * chunk * SIMULATIONS);
            }
        }
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

/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef M4_TEST_H
#define M4_TEST_H

#include "../model/network/m4-architecture.h"
#include "../model/network/m4-default-network.h"
#include "../model/network/m4-torch-network.h"
#include "dcn-test-scenario.h"

#include "ns3/dcn-estimator.h"
#include "ns3/dcn-scenario.h"
#include "ns3/dcn-torch-training.h"
#include "ns3/dcn-workload.h"
#include "ns3/m4-data.h"

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <utility>

namespace ns3
{

/**
 * @ingroup m4-tests
 * @param nFlows number of flows
 * @param seed of the flows
 * @return flows on a small fabric that take half as long again as in the fluid simulation: ground
 * truth without packets that can be learned
 */
inline std::shared_ptr<M4GroundTruth>
M4MakeTestTruth(uint64_t nFlows, uint64_t seed)
{
    DcnWorkloadSpec spec;
    spec.nFlows = nFlows;
    spec.seed = seed;
    auto truth = std::make_shared<M4GroundTruth>();
    truth->scenario = DcnMakeTestScenario(spec);
    const auto fluid = DcnEstimator::CreateByName("flowsim")->Estimate(truth->scenario).fctNs;
    for (std::size_t i = 0; i < fluid.size(); ++i)
    {
        truth->fctNs.push_back(fluid[i] * 3 / 2);
    }
    return truth;
}

/**
 * @ingroup m4-tests
 * @param model weights
 * @param change applied to each matrix and the index of its element
 * @return a model with the same architecture, no ranges, and other weights
 */
inline DcnModelFile
M4ChangeWeights(const DcnModelFile& model,
                const std::function<float(const DcnModelFile::Tensor&, std::size_t)>& change)
{
    DcnModelFile changed("m4");
    for (const auto& [key, value] : model.GetSection("architecture"))
    {
        changed.Set("architecture", key, value);
    }
    DcnTrainedRanges().Write(changed);
    for (DcnModelFile::Tensor tensor : model.GetTensors())
    {
        for (std::size_t i = 0; i < tensor.values.size(); ++i)
        {
            tensor.values[i] = change(tensor, i);
        }
        changed.Add(std::move(tensor));
    }
    return changed;
}

/**
 * @ingroup m4-tests
 * @param name default or published
 * @param hidden H
 * @return a small network
 */
inline M4Architecture
M4MakeSmall(const std::string& name, uint32_t hidden)
{
    M4Architecture architecture(name, hidden);
    if (architecture.sizes.isPublished)
    {
        architecture.sizes.messageWidth = hidden + 1;
        architecture.sizes.headWidth = hidden - 1;
    }
    return architecture;
}

/**
 * @ingroup m4-tests
 * @param architecture a network; the published one needs LibTorch
 * @return its weights, of both signs and without a pattern
 */
inline DcnModelFile
M4MakeTestModel(const M4Architecture& architecture)
{
    DcnModelFile model("m4");
    architecture.Write(model);
    if (architecture.sizes.isPublished)
    {
        const auto network = M4TorchNetwork::Make("a test", architecture.sizes, {});
        DcnTorchTrainer& trainer = network->GetTrainer();
        for (auto& tensor : DcnTorchCheckpoint::Export(trainer, trainer.GetWeights()))
        {
            model.Add(std::move(tensor));
        }
    }
    else
    {
        model = M4DefaultNetwork::MakeUntrained(architecture.sizes.hidden);
    }
    return M4ChangeWeights(model, [](const DcnModelFile::Tensor& tensor, std::size_t i) {
        double seed = 0;
        for (const char c : tensor.name)
        {
            seed += c;
        }
        // raw slowdowns are mostly above 1, and queues not empty
        const bool isAbove = tensor.name == "fct.b.b" || tensor.name == "queue.b.b";
        return static_cast<float>((isAbove ? 1.2 : 0) + 0.4 * std::sin(12.9898 * (i + 1.0) + seed));
    });
}

} // namespace ns3

#endif /* M4_TEST_H */

/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef M4_TEST_H
#define M4_TEST_H

#include "../model/network/m4-default-network.h"
#include "dcn-test-scenario.h"

#include "ns3/dcn-estimator.h"
#include "ns3/dcn-scenario.h"
#include "ns3/dcn-workload.h"
#include "ns3/m4-data.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>

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

} // namespace ns3

#endif /* M4_TEST_H */

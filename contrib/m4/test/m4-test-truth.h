/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef M4_TEST_TRUTH_H
#define M4_TEST_TRUTH_H

#include "dcn-test-scenario.h"

#include "ns3/dcn-estimator.h"
#include "ns3/dcn-scenario.h"
#include "ns3/dcn-workload.h"
#include "ns3/m4-tape.h"

#include <cstdint>
#include <memory>

namespace ns3
{

/**
 * @param nFlows number of flows
 * @param seed of the flows
 * @return flows on a small fabric that take half as long again as in the fluid simulation: a
 * truth without packets that can be learned
 */
inline std::shared_ptr<M4Truth>
M4MakeTestTruth(uint32_t nFlows, uint64_t seed)
{
    DcnWorkloadSpec spec;
    spec.nFlows = nFlows;
    spec.seed = seed;
    auto truth = std::make_shared<M4Truth>();
    truth->scenario = DcnMakeTestScenario(spec);
    const auto fluid = DcnEstimator::CreateByName("flowsim")->Estimate(truth->scenario).fctNs;
    for (std::size_t i = 0; i < fluid.size(); ++i)
    {
        truth->fctNs.push_back(fluid[i] * 3 / 2);
    }
    return truth;
}

} // namespace ns3

#endif /* M4_TEST_TRUTH_H */

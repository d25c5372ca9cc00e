/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "parsimon-estimator-link-simulator.h"

#include "../topology/parsimon-link-scenario.h"

#include "ns3/dcn-error.h"
#include "ns3/dcn-estimator.h"
#include "ns3/simulator.h"

namespace ns3
{

namespace
{

/**
 * @param method name of a method
 * @return maker of link simulators that use the method
 */
ParsimonLinkSimulator::Maker
MakerOf(const std::string& method)
{
    return [method](const DcnNetworkParameters& network, uint64_t seed) {
        return std::make_unique<ParsimonEstimatorLinkSimulator>(method, network, seed);
    };
}

const ParsimonLinkSimulator::Registration g_packet("packet", MakerOf("packet")); //!< at start-up
/// At start-up; without idle times, which contain what ParsimonLinkBuilder::GetAloneNs adds.
const ParsimonLinkSimulator::Registration g_flowsim("flowsim", MakerOf("flowsim:IdleTimes=false"));

} // namespace

ParsimonEstimatorLinkSimulator::ParsimonEstimatorLinkSimulator(const std::string& method,
                                                               const DcnNetworkParameters& network,
                                                               uint64_t seed)
    : m_method(method),
      m_network(network),
      m_seed(seed)
{
}

ParsimonLinkResult
ParsimonEstimatorLinkSimulator::Simulate(const ParsimonLink& link) const
{
    DcnEstimate estimate = DcnEstimator::CreateByName(m_method)->Estimate(
        ParsimonMakeLinkScenario(link, m_network, m_seed));
    Simulator::Destroy();
    if (estimate.GetNFinished() < estimate.fctNs.size())
    {
        DcnFail("in a link topology not all flows finish: ", estimate.DescribeCompletion());
    }
    return {std::move(estimate.fctNs), ParsimonIdealFcts(link, m_network)};
}

bool
ParsimonEstimatorLinkSimulator::IsThreadSafe() const
{
    return false;
}

std::string
ParsimonEstimatorLinkSimulator::GetVersion() const
{
    return m_method + "-2"; // 2: results have the largest queue
}

std::string
ParsimonEstimatorLinkSimulator::GetDigest() const
{
    return DcnEstimator::CreateByName(m_method)->GetDigest();
}

} // namespace ns3

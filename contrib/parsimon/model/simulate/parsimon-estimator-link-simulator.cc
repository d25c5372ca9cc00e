/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "parsimon-estimator-link-simulator.h"

#include "ns3/parsimon-link-scenario.h"

#include "ns3/dcn-error.h"
#include "ns3/dcn-estimator.h"
#include "ns3/simulator.h"

namespace ns3
{

namespace
{

/**
 * @param method name of a method
 * @param scenario what to estimate
 * @return completion time of every flow [ns]
 */
std::vector<int64_t>
Estimate(const std::string& method, Ptr<const DcnScenario> scenario)
{
    DcnEstimate estimate = DcnEstimator::CreateByName(method)->Estimate(scenario);
    Simulator::Destroy();
    if (estimate.GetNFinished() < estimate.fctNs.size())
    {
        DcnFail("in a link topology not all flows finish: ", estimate.DescribeCompletion());
    }
    return std::move(estimate.fctNs);
}

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
ParsimonEstimatorLinkSimulator::Simulate(const ParsimonLink& link, bool withNic) const
{
    ParsimonLinkResult result;
    result.fctNs = Estimate(m_method, ParsimonMakeLinkScenario(link, m_network, m_seed));
    result.idealNs = ParsimonIdealFcts(link, m_network);
    if (withNic)
    {
        result.nicNs =
            link.position == ParsimonPosition::FIRST_HOP
                ? result.fctNs // the target is the interface
                : Estimate(m_method, ParsimonMakeInterfaceScenario(link, m_network, m_seed));
    }
    return result;
}

bool
ParsimonEstimatorLinkSimulator::IsThreadSafe() const
{
    return false;
}

std::string
ParsimonEstimatorLinkSimulator::GetVersion() const
{
    return m_method + "-1";
}

} // namespace ns3

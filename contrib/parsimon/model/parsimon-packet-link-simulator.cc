/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "parsimon-packet-link-simulator.h"

#include "parsimon-lean-engine.h"
#include "parsimon-link-scenario.h"

#include "ns3/dcn-error.h"
#include "ns3/dcn-packet-estimator.h"
#include "ns3/simulator.h"

namespace ns3
{

ParsimonPacketLinkSimulator::ParsimonPacketLinkSimulator(const DcnNetworkParameters& network,
                                                         uint64_t seed)
    : m_network(network),
      m_seed(seed)
{
}

ParsimonLinkResult
ParsimonPacketLinkSimulator::Simulate(const ParsimonLink& link, bool withNic) const
{
    ParsimonLinkResult result;
    Ptr<const DcnScenario> scenario = ParsimonMakeLinkScenario(link, m_network, m_seed);
    const DcnEstimate estimate = CreateObject<DcnPacketEstimator>()->Estimate(scenario);
    Simulator::Destroy();
    if (estimate.GetNFinished() < estimate.fctNs.size())
    {
        DcnFail("link simulation: ", estimate.DescribeCompletion());
    }
    result.fctNs = estimate.fctNs;
    for (std::size_t flow = 0; flow < link.flows.size(); ++flow)
    {
        result.idealNs.push_back(scenario->GetIdealFct(flow).GetTotalNs());
    }
    if (withNic)
    {
        DcnFail("TODO");
    }
    return result;
}

bool
ParsimonPacketLinkSimulator::IsThreadSafe() const
{
    return false;
}

std::string
ParsimonPacketLinkSimulator::GetVersion() const
{
    return "packet-1";
}

} // namespace ns3

/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "dcn-estimator-helper.h"

#include "ns3/dcn-error.h"
#include "ns3/log.h"

#include <iostream>

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("DcnEstimatorHelper");

DcnEstimatorHelper::DcnEstimatorHelper(const std::string& method)
    : m_factory(DcnEstimator::CreateByName(method)->GetInstanceTypeId().GetName())
{
}

void
DcnEstimatorHelper::SetAttribute(const std::string& name, const AttributeValue& value)
{
    m_factory.Set(name, value);
}

Ptr<DcnEstimator>
DcnEstimatorHelper::Create() const
{
    return m_factory.Create<DcnEstimator>();
}

DcnEstimate
DcnEstimatorHelper::Estimate(Ptr<const DcnScenario> scenario) const
{
    return Create()->Estimate(scenario);
}

DcnEstimate
DcnEstimatorHelper::Estimate(const NodeContainer& nodes)
{
    return EstimateRead(m_reader.FromApplications(nodes));
}

DcnEstimate
DcnEstimatorHelper::Estimate(const NodeContainer& hosts, const NodeContainer& switches)
{
    return EstimateRead(m_reader.FromApplications(hosts, switches));
}

DcnEstimate
DcnEstimatorHelper::EstimateRead(Ptr<const DcnScenario> scenario) const
{
    for (const std::string& note : m_reader.GetNotes())
    {
        NS_LOG_WARN(note);
        std::cerr << "dcn: " << note << std::endl;
    }
    return Estimate(scenario);
}

DcnScenarioHelper&
DcnEstimatorHelper::GetReader()
{
    return m_reader;
}

DcnNetworkMethodHelper::DcnNetworkMethodHelper(const std::string& method)
    : DcnEstimatorHelper(method),
      m_network(method)
{
}

DcnFlowNetworkHelper&
DcnNetworkMethodHelper::GetNetworkHelper()
{
    return m_network;
}

Ptr<DcnFlowNetwork>
DcnNetworkMethodHelper::Install(const NodeContainer& nodes) const
{
    return m_network.Install(nodes);
}

} // namespace ns3

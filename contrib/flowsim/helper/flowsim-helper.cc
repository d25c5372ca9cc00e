/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "flowsim-helper.h"

namespace ns3
{

FlowsimHelper::FlowsimHelper()
{
    m_factory.SetTypeId(FlowsimNetwork::GetTypeId());
}

void
FlowsimHelper::SetNetworkAttribute(const std::string& name, const AttributeValue& value)
{
    m_factory.Set(name, value);
}

void
FlowsimHelper::SetConfig(Ptr<const DcnNetworkConfig> config)
{
    m_config = config;
}

Ptr<FlowsimNetwork>
FlowsimHelper::Install(const NodeContainer& nodes) const
{
    return Install(DcnTopology::FromNodes(nodes));
}

Ptr<FlowsimNetwork>
FlowsimHelper::Install(const NodeContainer& hosts, const NodeContainer& switches) const
{
    return Install(DcnTopology::FromNodes(hosts, switches));
}

Ptr<FlowsimNetwork>
FlowsimHelper::Install(Ptr<const DcnTopology> topology) const
{
    Ptr<FlowsimNetwork> network = m_factory.Create<FlowsimNetwork>();
    Ptr<const DcnNetworkConfig> config = m_config;
    if (!config)
    {
        config = DcnNetworkConfig::Preset("dctcp", topology->GetSlowestHostRate());
    }
    network->Install(topology, config);
    return network;
}

} // namespace ns3

/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "dcn-flow-network-helper.h"

#include "ns3/dcn-error.h"
#include "ns3/dcn-estimator.h"

#include <utility>

namespace ns3
{

DcnFlowNetworkHelper::DcnFlowNetworkHelper(const std::string& engine)
    : m_engine(engine)
{
    const std::string kind = engine.substr(0, engine.find(':'));
    const std::pair<const char*, const char*> engines[] = {{"packet", "ns3::DcnPacketFlowNetwork"},
                                                           {"flowsim", "ns3::FlowsimNetwork"},
                                                           {"m4", "ns3::M4FlowNetwork"}};
    for (const auto& [name, type] : engines)
    {
        if (kind == name)
        {
            TypeId tid;
            if (!TypeId::LookupByNameFailSafe(type, &tid))
            {
                DcnFail("this program is not linked with the module of the engine ",
                        kind,
                        ": link that library, too, after -Wl,--no-as-needed, as ./dcn flags prints "
                        "it");
            }
            m_factory.SetTypeId(tid);
            return;
        }
    }
    DcnFail("the engine must be packet, flowsim or m4, but it is \"", kind, "\"");
}

void
DcnFlowNetworkHelper::SetNetworkAttribute(const std::string& name, const AttributeValue& value)
{
    m_factory.Set(name, value);
}

void
DcnFlowNetworkHelper::SetConfig(Ptr<const DcnNetworkConfig> config)
{
    m_config = config;
}

Ptr<DcnFlowNetwork>
DcnFlowNetworkHelper::Install(const NodeContainer& nodes) const
{
    return Install(DcnTopology::FromNodes(nodes));
}

Ptr<DcnFlowNetwork>
DcnFlowNetworkHelper::Install(const NodeContainer& hosts, const NodeContainer& switches) const
{
    return Install(DcnTopology::FromNodes(hosts, switches));
}

Ptr<DcnFlowNetwork>
DcnFlowNetworkHelper::Install(Ptr<const DcnTopology> topology) const
{
    Ptr<DcnFlowNetwork> network = m_factory.Create<DcnFlowNetwork>();
    const std::size_t colon = m_engine.find(':');
    if (colon != std::string::npos)
    {
        DcnSetAttribute(network,
                        "the engine \"" + m_engine.substr(0, colon) + "\"",
                        m_engine.substr(colon + 1));
    }
    Ptr<const DcnNetworkConfig> config = m_config;
    if (!config)
    {
        config = DcnNetworkConfig::Preset("dctcp", topology->GetNicRates(topology->GetHosts()));
    }
    network->Install(topology, config);
    return network;
}

} // namespace ns3

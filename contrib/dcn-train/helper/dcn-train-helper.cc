/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "dcn-train-helper.h"

#include "ns3/dcn-topology-value.h"
#include "ns3/node-container.h"

#include <numeric>

namespace ns3
{

DcnTrainHelper::DcnTrainHelper(const std::string& engine)
    : m_networks(engine)
{
    m_factory.SetTypeId(DcnTrainExecutor::GetTypeId());
}

DcnFlowNetworkHelper&
DcnTrainHelper::GetNetworkHelper()
{
    return m_networks;
}

void
DcnTrainHelper::SetAttribute(const std::string& name, const AttributeValue& value)
{
    m_factory.Set(name, value);
}

Ptr<DcnTrainExecutor>
DcnTrainHelper::Install(Ptr<const DcnTopology> topology,
                        std::shared_ptr<DcnTrainSource> source) const
{
    return InstallOn(m_networks.Install(topology), source);
}

Ptr<DcnTrainExecutor>
DcnTrainHelper::InstallOn(Ptr<DcnFlowNetwork> network, std::shared_ptr<DcnTrainSource> source) const
{
    DcnTopologyValue value;
    network->GetAttribute("Topology", value);
    std::vector<uint32_t> hosts(value.Get()->GetHosts().size());
    std::iota(hosts.begin(), hosts.end(), 0);
    return InstallOn(network, source, hosts);
}

Ptr<DcnTrainExecutor>
DcnTrainHelper::InstallOn(Ptr<DcnFlowNetwork> network,
                          std::shared_ptr<DcnTrainSource> source,
                          const std::vector<uint32_t>& hosts) const
{
    DcnTopologyValue value;
    network->GetAttribute("Topology", value);
    const Ptr<const DcnTopology> topology = value.Get();
    NodeContainer nodes;
    for (const uint32_t host : hosts)
    {
        nodes.Add(topology->GetNodes().Get(topology->GetHosts().at(host)));
    }
    Ptr<DcnTrainExecutor> executor = m_factory.Create<DcnTrainExecutor>();
    executor->Install(network, nodes, source);
    return executor;
}

} // namespace ns3

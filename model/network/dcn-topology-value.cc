/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "dcn-topology-value.h"

#include "ns3/log.h"

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("DcnTopologyValue");

ATTRIBUTE_CHECKER_IMPLEMENT(DcnTopology);

DcnTopologyValue::DcnTopologyValue(Ptr<const DcnTopology> value)
    : m_value(value)
{
}

void
DcnTopologyValue::Set(const Ptr<const DcnTopology>& value)
{
    m_value = value;
}

Ptr<const DcnTopology>
DcnTopologyValue::Get() const
{
    return m_value;
}

Ptr<AttributeValue>
DcnTopologyValue::Copy() const
{
    return Create<DcnTopologyValue>(m_value);
}

std::string
DcnTopologyValue::SerializeToString(Ptr<const AttributeChecker> /* checker */) const
{
    if (!m_value)
    {
        return "";
    }
    const std::size_t nHosts = m_value->GetHosts().size();
    return std::to_string(nHosts) + " hosts, " + std::to_string(m_value->GetNNodes() - nHosts) +
           " switches, " + std::to_string(m_value->GetNLinks() / 2) + " links";
}

bool
DcnTopologyValue::DeserializeFromString(std::string value,
                                        Ptr<const AttributeChecker> /* checker */)
{
    m_value = nullptr;
    return value.empty();
}

} // namespace ns3

/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "dcn-scenario-value.h"

#include "dcn-scenario-directory.h"

#include "ns3/log.h"

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("DcnScenarioValue");

ATTRIBUTE_CHECKER_IMPLEMENT(DcnScenario);

DcnScenarioValue::DcnScenarioValue(Ptr<const DcnScenario> value)
    : m_value(value)
{
}

void
DcnScenarioValue::Set(const Ptr<const DcnScenario>& value)
{
    m_value = value;
    m_folder.clear();
}

Ptr<const DcnScenario>
DcnScenarioValue::Get() const
{
    return m_value;
}

Ptr<AttributeValue>
DcnScenarioValue::Copy() const
{
    return Create<DcnScenarioValue>(*this);
}

std::string
DcnScenarioValue::SerializeToString(Ptr<const AttributeChecker> /* checker */) const
{
    if (!m_value || !m_folder.empty())
    {
        return m_folder;
    }
    return std::to_string(m_value->GetFlows().size()) + " flows";
}

bool
DcnScenarioValue::DeserializeFromString(std::string value,
                                        Ptr<const AttributeChecker> /* checker */)
{
    m_value = value.empty() ? nullptr : DcnReadScenario(value);
    m_folder = value;
    return true;
}

} // namespace ns3

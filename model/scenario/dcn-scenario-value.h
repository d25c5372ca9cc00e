/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef DCN_SCENARIO_VALUE_H
#define DCN_SCENARIO_VALUE_H

#include "dcn-scenario.h"

#include "ns3/attribute-helper.h"
#include "ns3/attribute.h"
#include "ns3/ptr.h"

#include <string>

namespace ns3
{

/**
 * @ingroup dcn
 * @brief A scenario as the value of an attribute of an ns-3 object.
 *
 * As DcnTopologyValue; and a text is the path of a scenario directory, so that a program has
 * `--ns3::MyApplication::Scenario=DIR`:
 *
 *     .AddAttribute("Scenario",
 *                   "The flows.",
 *                   DcnScenarioValue(),
 *                   MakeDcnScenarioAccessor(&MyApplication::m_scenario),
 *                   MakeDcnScenarioChecker())
 */
class DcnScenarioValue : public AttributeValue
{
  public:
    DcnScenarioValue() = default;

    /**
     * @param value the scenario; may be null
     */
    DcnScenarioValue(Ptr<const DcnScenario> value);

    /**
     * @param value the scenario; may be null
     */
    void Set(const Ptr<const DcnScenario>& value);

    /** @return the scenario; null if there is none. */
    Ptr<const DcnScenario> Get() const;

    /**
     * @brief For ns-3's accessors.
     * @param value set to the scenario
     * @return true
     */
    template <typename T>
    bool GetAccessor(T& value) const
    {
        value = T(m_value);
        return true;
    }

    Ptr<AttributeValue> Copy() const override;

    /**
     * @param checker of the attribute
     * @return the text that the value was made of; else e.g. "2000 flows"; empty for none
     */
    std::string SerializeToString(Ptr<const AttributeChecker> checker) const override;

    /**
     * @param value path of a scenario directory (DcnReadScenario); empty: none
     * @param checker of the attribute
     * @return true
     * @throws DcnError that names file, line and value if the directory cannot be read
     */
    bool DeserializeFromString(std::string value, Ptr<const AttributeChecker> checker) override;

  private:
    Ptr<const DcnScenario> m_value; //!< see Get
    std::string m_folder;           //!< the directory that was read; empty: none was
};

ATTRIBUTE_ACCESSOR_DEFINE(DcnScenario);
ATTRIBUTE_CHECKER_DEFINE(DcnScenario);

} // namespace ns3

#endif /* DCN_SCENARIO_VALUE_H */

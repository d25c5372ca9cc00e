/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef DCN_TOPOLOGY_VALUE_H
#define DCN_TOPOLOGY_VALUE_H

#include "dcn-topology.h"

#include "ns3/attribute-helper.h"
#include "ns3/attribute.h"
#include "ns3/ptr.h"

#include <string>

namespace ns3
{

/**
 * @ingroup dcn
 * @brief A topology as the value of an attribute of an ns-3 object.
 *
 * Topologies are shared by threads, so that their references are counted atomically, and are no
 * ns3::Object, whose are not: PointerValue does not hold them, this class does.
 *
 *     .AddAttribute("Topology",
 *                   "The network.",
 *                   DcnTopologyValue(),
 *                   MakeDcnTopologyAccessor(&MyApplication::m_topology),
 *                   MakeDcnTopologyChecker())
 *
 * Trace sources need nothing of the kind: TracedCallback<Ptr<const DcnTopology>>.
 */
class DcnTopologyValue : public AttributeValue
{
  public:
    DcnTopologyValue() = default;

    /**
     * @param value the topology; may be null
     */
    DcnTopologyValue(Ptr<const DcnTopology> value);

    /**
     * @param value the topology; may be null
     */
    void Set(const Ptr<const DcnTopology>& value);

    /** @return the topology; null if there is none. */
    Ptr<const DcnTopology> Get() const;

    /**
     * @brief For ns-3's accessors.
     * @param value set to the topology
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
     * @return e.g. "32 hosts, 16 switches, 56 links"; empty for none
     */
    std::string SerializeToString(Ptr<const AttributeChecker> checker) const override;

    /**
     * @param value a text
     * @param checker of the attribute
     * @return false unless the text is empty (none): a topology is made of nodes, not of a text
     */
    bool DeserializeFromString(std::string value, Ptr<const AttributeChecker> checker) override;

  private:
    Ptr<const DcnTopology> m_value; //!< see Get
};

ATTRIBUTE_ACCESSOR_DEFINE(DcnTopology);
ATTRIBUTE_CHECKER_DEFINE(DcnTopology);

} // namespace ns3

#endif /* DCN_TOPOLOGY_VALUE_H */

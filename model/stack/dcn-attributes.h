/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef DCN_ATTRIBUTES_H
#define DCN_ATTRIBUTES_H

#include "ns3/dcn-error.h"
#include "ns3/object.h"
#include "ns3/type-id.h"
#include "ns3/uinteger.h"

#include <cstdint>
#include <optional>
#include <string>

namespace ns3
{

/**
 * @ingroup dcn
 * @tparam Value kind of the attribute, such as TimeValue
 * @param object any object
 * @param name of an attribute
 * @return the value; none if the object has no such attribute of this kind
 */
template <class Value>
std::optional<Value>
DcnReadAttribute(const Object& object, const std::string& name)
{
    Value value;
    TypeId::AttributeInformation known;
    if (!object.GetInstanceTypeId().LookupAttributeByName(name, &known) ||
        !object.GetAttributeFailSafe(name, value))
    {
        return std::nullopt;
    }
    return value;
}

/**
 * @ingroup dcn
 * @param object any object
 * @param name of an attribute
 * @return a whole number; none if the object has no such attribute
 */
inline std::optional<uint64_t>
DcnReadNumber(const Object& object, const std::string& name)
{
    const auto value = DcnReadAttribute<UintegerValue>(object, name);
    return value ? std::optional<uint64_t>(value->Get()) : std::nullopt;
}

/**
 * @ingroup dcn
 * @param type name of a type
 * @param name of an attribute
 * @return the attribute, whose initial value is the default as Config::SetDefault left it
 * @throws DcnError if this ns-3 has no such attribute
 */
inline TypeId::AttributeInformation
DcnFindAttribute(const std::string& type, const std::string& name)
{
    TypeId tid;
    TypeId::AttributeInformation known;
    if (!TypeId::LookupByNameFailSafe(type, &tid) || !tid.LookupAttributeByName(name, &known))
    {
        DcnFail("this ns-3 has no attribute ", name, " of ", type);
    }
    return known;
}

/**
 * @ingroup dcn
 * @tparam Value kind of the attribute
 * @param type name of a type
 * @param name of an attribute
 * @return the default, as Config::SetDefault left it
 * @throws DcnError if this ns-3 has no such attribute
 */
template <class Value>
auto
DcnReadDefault(const std::string& type, const std::string& name)
{
    const TypeId::AttributeInformation known = DcnFindAttribute(type, name);
    return dynamic_cast<const Value&>(*known.initialValue).Get();
}

} // namespace ns3

#endif /* DCN_ATTRIBUTES_H */

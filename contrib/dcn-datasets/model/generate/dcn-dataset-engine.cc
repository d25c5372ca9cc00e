/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "dcn-dataset-engine.h"

#include "ns3/dcn-error.h"
#include "ns3/log.h"

#include <map>

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("DcnDatasetEngine");

namespace
{

/** @return the registered engines by name; complete before main begins. */
std::map<std::string, DcnDatasetEngine::Factory>&
GetFactories()
{
    static std::map<std::string, DcnDatasetEngine::Factory> factories;
    return factories;
}

} // namespace

const char* const DcnDatasetEngine::DEFAULT = "packet";

DcnDatasetEngine::Registration::Registration(const std::string& name, Factory factory)
{
    if (!GetFactories().emplace(name, factory).second)
    {
        DcnFail("the engine of data sets \"", name, "\" is registered twice");
    }
}

DcnDatasetEngine::DcnDatasetEngine(const std::string& name)
    : m_name(name)
{
}

std::unique_ptr<DcnDatasetEngine>
DcnDatasetEngine::Create(const std::string& name)
{
    const std::string base = name.substr(0, name.find(':'));
    const auto found = GetFactories().find(base);
    if (found == GetFactories().end())
    {
        std::string known;
        for (const auto& [each, factory] : GetFactories())
        {
            known += (known.empty() ? "" : ", ") + each;
        }
        DcnFail("the engine of a data set must be one of ", known, ", but it is \"", base, "\"");
    }
    NS_LOG_INFO("engine " << name);
    return found->second(name);
}

} // namespace ns3

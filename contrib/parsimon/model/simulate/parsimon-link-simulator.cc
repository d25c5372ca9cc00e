/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "parsimon-link-simulator.h"

#include "ns3/dcn-error.h"
#include "ns3/log.h"

#include <map>

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("ParsimonLinkSimulator");

namespace
{

/** @return makers by name. */
std::map<std::string, ParsimonLinkSimulator::Maker>&
GetMakers()
{
    static std::map<std::string, ParsimonLinkSimulator::Maker> makers; // made at its first use
    return makers;
}

} // namespace

ParsimonLinkSimulator::Registration::Registration(const std::string& name, const Maker& maker)
{
    if (!GetMakers().emplace(name, maker).second)
    {
        DcnFail("the link simulator \"", name, "\" is registered twice");
    }
}

std::unique_ptr<ParsimonLinkSimulator>
ParsimonLinkSimulator::Create(const std::string& name,
                              const DcnNetworkParameters& network,
                              uint64_t seed)
{
    const auto found = GetMakers().find(name);
    if (found == GetMakers().end())
    {
        std::string known;
        for (const auto& entry : GetMakers())
        {
            known += (known.empty() ? "" : ", ") + entry.first;
        }
        DcnFail("there is no link simulator \"", name, "\"; there are ", known);
    }
    NS_LOG_INFO("link simulator " << name << ", " << network.congestionControl);
    return found->second(network, seed);
}

ParsimonLinkResult
ParsimonLinkSimulator::Record(const ParsimonLink& link,
                              std::shared_ptr<const ParsimonLinkHistory>& history) const
{
    history = nullptr;
    return Simulate(link);
}

ParsimonLinkResult
ParsimonLinkSimulator::Repeat(const ParsimonLink& link, const ParsimonLinkHistory&) const
{
    return Simulate(link);
}

bool
ParsimonLinkSimulator::CanPace() const
{
    return false;
}

std::string
ParsimonLinkSimulator::GetDigest() const
{
    return "";
}

} // namespace ns3

/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "parsimon-link-simulator.h"

#include "parsimon-lean-simulator.h"
#include "parsimon-packet-link-simulator.h"

#include "ns3/dcn-error.h"

namespace ns3
{

std::unique_ptr<ParsimonLinkSimulator>
ParsimonLinkSimulator::Create(const std::string& name,
                              const DcnNetworkParameters& network,
                              uint64_t seed)
{
    if (name == "lean")
    {
        return std::make_unique<ParsimonLeanSimulator>(network, seed);
    }
    if (name == "packet")
    {
        return std::make_unique<ParsimonPacketLinkSimulator>(network, seed);
    }
    std::string known;
    for (const auto& each : GetNames())
    {
        known += (known.empty() ? "" : ", ") + each;
    }
    DcnFail("there is no link simulator \"", name, "\"; there are ", known);
}

std::vector<std::string>
ParsimonLinkSimulator::GetNames()
{
    return {"lean", "packet"};
}

} // namespace ns3

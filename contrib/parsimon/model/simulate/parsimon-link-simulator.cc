/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "parsimon-link-simulator.h"

#include "parsimon-estimator-link-simulator.h"
#include "parsimon-lean-simulator.h"
#include "parsimon-minim-link-simulator.h"

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
    if (name == "minim")
    {
        return std::make_unique<ParsimonMinimLinkSimulator>(network);
    }
    if (name == "packet" || name == "flowsim")
    {
        return std::make_unique<ParsimonEstimatorLinkSimulator>(name, network, seed);
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
    return {"lean", "minim", "packet", "flowsim"};
}

ParsimonLinkResult
ParsimonLinkSimulator::Record(const ParsimonLink& link,
                              std::shared_ptr<const ParsimonLinkHistory>& history) const
{
    history = nullptr;
    return Simulate(link, false);
}

ParsimonLinkResult
ParsimonLinkSimulator::Repeat(const ParsimonLink& link, const ParsimonLinkHistory&) const
{
    return Simulate(link, false);
}

} // namespace ns3

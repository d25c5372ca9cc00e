/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "parsimon-lean-simulator.h"

#include "../topology/parsimon-link-scenario.h"
#include "parsimon-lean-history.h"
#include "parsimon-lean-nic.h"

#include "ns3/dcn-estimator.h"
#include "ns3/dcn-random.h"
#include "ns3/rng-seed-manager.h"

namespace ns3
{

namespace
{

const ParsimonLinkSimulator::Registration g_lean( //!< at start-up
    "lean",
    [](const DcnNetworkParameters& network, uint64_t seed) {
        return std::make_unique<ParsimonLeanSimulator>(network, seed);
    });

} // namespace

ParsimonLeanSimulator::ParsimonLeanSimulator(const DcnNetworkParameters& network, uint64_t seed)
    : m_options{&network,
                DcnRandom(seed).GetStream(DcnPurpose::ECN_MARKING),
                RngSeedManager::GetSeed(),
                RngSeedManager::GetRun()}
{
}

ParsimonLinkResult
ParsimonLeanSimulator::Simulate(const ParsimonLink& link) const
{
    const DcnNetworkParameters& network = *m_options.network;
    ParsimonLinkResult result;
    if (link.position == ParsimonPosition::FIRST_HOP)
    {
        ParsimonLeanNic nic(link, network);
        if (nic.IsUnthrottled())
        {
            result.fctNs = nic.Run();
        }
    }
    if (result.fctNs.empty())
    {
        ParsimonLeanEngine engine(link, m_options);
        result.fctNs = engine.Run();
        result.queueBytes = engine.TakeQueueBytes();
    }
    result.idealNs = ParsimonIdealFcts(link, network);
    return result;
}

ParsimonLinkResult
ParsimonLeanSimulator::Record(const ParsimonLink& link,
                              std::shared_ptr<const ParsimonLinkHistory>& history) const
{
    history = nullptr;
    if (link.position != ParsimonPosition::SWITCH_TO_SWITCH)
    {
        return Simulate(link); // failures and rates elsewhere do not affect links at hosts
    }
    auto recorded = std::make_shared<const ParsimonLeanHistory>(link, m_options);
    history = recorded;
    return recorded->GetResult();
}

ParsimonLinkResult
ParsimonLeanSimulator::Repeat(const ParsimonLink& link, const ParsimonLinkHistory& history) const
{
    return dynamic_cast<const ParsimonLeanHistory&>(history).Repeat(link, m_options);
}

bool
ParsimonLeanSimulator::IsThreadSafe() const
{
    return true;
}

bool
ParsimonLeanSimulator::CanPace() const
{
    return true;
}

std::string
ParsimonLeanSimulator::GetVersion() const
{
    return "lean-4"; // 4: results have the largest queue
}

std::string
ParsimonLeanSimulator::GetDigest() const
{
    return DcnEstimator::CreateByName("packet")->GetDigest();
}

} // namespace ns3

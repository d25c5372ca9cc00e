/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "parsimon-lean-simulator.h"

#include "parsimon-lean-engine.h"
#include "parsimon-link-scenario.h"

#include "ns3/dcn-random.h"
#include "ns3/rng-seed-manager.h"

namespace ns3
{

ParsimonLeanSimulator::ParsimonLeanSimulator(const DcnNetworkParameters& network, uint64_t seed)
    : m_network(network),
      m_markingStream(DcnRandom(seed).GetStream(DcnPurpose::ECN_MARKING)),
      m_rngSeed(RngSeedManager::GetSeed()),
      m_rngRun(RngSeedManager::GetRun())
{
}

ParsimonLinkResult
ParsimonLeanSimulator::Simulate(const ParsimonLink& link, bool withNic) const
{
    ParsimonLeanEngine::Options options{&m_network, m_markingStream, m_rngSeed, m_rngRun, true};
    ParsimonLinkResult result;
    result.fctNs = ParsimonLeanEngine(link, options).Run();
    result.idealNs = ParsimonIdealFcts(link, m_network);
    if (withNic)
    {
        if (link.position == ParsimonPosition::FIRST_HOP)
        {
            result.nicNs = result.fctNs; // the target is the interface
        }
        else
        {
            options.contention = false;
            result.nicNs = ParsimonLeanEngine(link, options).Run();
        }
    }
    return result;
}

bool
ParsimonLeanSimulator::IsThreadSafe() const
{
    return true;
}

std::string
ParsimonLeanSimulator::GetVersion() const
{
    return "lean-1";
}

} // namespace ns3

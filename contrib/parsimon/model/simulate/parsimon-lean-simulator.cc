/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "parsimon-lean-simulator.h"

#include "parsimon-lean-history.h"
#include "parsimon-lean-interface.h"
#include "ns3/parsimon-link-scenario.h"

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
    const bool isFirstHop = link.position == ParsimonPosition::FIRST_HOP;
    ParsimonLinkResult result;
    result.fctNs = isFirstHop ? ShareInterfaces(link) : SharePackets(link, true);
    result.idealNs = ParsimonIdealFcts(link, m_network);
    if (withNic)
    {
        result.nicNs = isFirstHop ? result.fctNs : ShareInterfaces(link);
    }
    return result;
}

ParsimonLinkResult
ParsimonLeanSimulator::Record(const ParsimonLink& link,
                              std::shared_ptr<const ParsimonLinkHistory>& history) const
{
    history = nullptr;
    if (link.position != ParsimonPosition::SWITCH_TO_SWITCH)
    {
        return Simulate(link, false); // failures and rates elsewhere leave links at hosts
    }
    auto recorded = std::make_shared<const ParsimonLeanHistory>(link, GetOptions(true));
    history = recorded;
    return recorded->GetResult();
}

ParsimonLinkResult
ParsimonLeanSimulator::Repeat(const ParsimonLink& link, const ParsimonLinkHistory& history) const
{
    const auto& recorded = dynamic_cast<const ParsimonLeanHistory&>(history);
    return recorded.Repeat(link, GetOptions(true));
}

ParsimonLeanEngine::Options
ParsimonLeanSimulator::GetOptions(bool contention) const
{
    return {&m_network, m_markingStream, m_rngSeed, m_rngRun, contention};
}

std::vector<int64_t>
ParsimonLeanSimulator::SharePackets(const ParsimonLink& link, bool contention) const
{
    return ParsimonLeanEngine(link, GetOptions(contention)).Run();
}

std::vector<int64_t>
ParsimonLeanSimulator::ShareInterfaces(const ParsimonLink& link) const
{
    // behind a first-hop target flows to one destination meet again
    const bool contention = link.position == ParsimonPosition::FIRST_HOP;
    std::vector<int64_t> fctNs(link.flows.size(), -1);
    const std::vector<uint32_t> others = ParsimonLeanInterfaces(link, m_network).Run(fctNs);
    if (others.size() == link.flows.size())
    {
        return SharePackets(link, contention);
    }
    if (!others.empty())
    {
        ParsimonLink rest = link;
        rest.flows.clear();
        for (uint32_t flow : others)
        {
            rest.flows.push_back(link.flows[flow]);
        }
        const std::vector<int64_t> restNs = SharePackets(rest, contention);
        for (std::size_t i = 0; i < others.size(); ++i)
        {
            fctNs[others[i]] = restNs[i];
        }
    }
    return fctNs;
}

bool
ParsimonLeanSimulator::IsThreadSafe() const
{
    return true;
}

std::string
ParsimonLeanSimulator::GetVersion() const
{
    return "lean-2";
}

} // namespace ns3

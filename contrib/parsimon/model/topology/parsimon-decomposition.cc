/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "parsimon-decomposition.h"

#include "parsimon-link-scenario.h"
#include "parsimon-shares.h"

#include "ns3/dcn-congestion-control.h"
#include "ns3/dcn-units.h"
#include "ns3/log.h"

#include <algorithm>

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("ParsimonDecomposition");

ParsimonDecomposition::ParsimonDecomposition(Ptr<const DcnScenario> scenario,
                                             ParsimonRules rules,
                                             const ParsimonDecomposition* before,
                                             bool paces)
    : m_builder(scenario, rules),
      m_paces(paces)
{
    if (rules == ParsimonRules::PUBLISHED)
    {
        return;
    }
    const DcnScenario& now = *scenario;
    if (before && now.GetFlows().size() == before->m_builder.GetScenario().GetFlows().size() &&
        now.GetTopology().GetNLinks() == before->m_builder.GetScenario().GetTopology().GetNLinks())
    {
        m_hasSameRun = m_builder.GetRunNs() == before->m_builder.GetRunNs();
        CompareTopologies(before->m_builder);
        if (rules == ParsimonRules::UPPER)
        {
            return;
        }
        m_shares =
            std::make_unique<const ParsimonShares>(m_builder,
                                                   before->m_shares.get(),
                                                   [this](uint32_t link) { return IsSame(link); });
        CompareShares(*before->m_shares);
        NS_LOG_INFO(std::count(m_isSame.begin(), m_isSame.end(), 1)
                    << " of " << m_isSame.size() << " link topologies are unchanged");
        return;
    }
    if (rules == ParsimonRules::DEFAULT)
    {
        m_shares = std::make_unique<const ParsimonShares>(m_builder);
    }
}

ParsimonDecomposition::~ParsimonDecomposition() = default;

void
ParsimonDecomposition::CompareTopologies(const ParsimonLinkBuilder& before)
{
    const DcnScenario& now = m_builder.GetScenario();
    const DcnScenario& old = before.GetScenario();
    auto hasSameSpeed = [&](uint32_t link, uint32_t oldLink) { // rate and delay
        const DcnLink& a = now.GetTopology().GetLink(link);
        const DcnLink& b = old.GetTopology().GetLink(oldLink);
        return a.rateBps == b.rateBps && a.delayNs == b.delayNs;
    };
    const uint32_t nLinks = now.GetTopology().GetNLinks();
    std::vector<char> hasSameAcks(nLinks, 0);
    m_isSame.assign(nLinks, 0);
    for (uint32_t link = 0; link < nLinks; ++link)
    {
        hasSameAcks[link] = m_builder.GetAckRate(link) == before.GetAckRate(link) ? 1 : 0;
        const auto flows = m_builder.GetFlows(link);
        const auto oldFlows = before.GetFlows(link);
        const bool isSame =
            hasSameSpeed(link, link) && hasSameAcks[link] &&
            std::equal(flows.begin(), flows.end(), oldFlows.begin(), oldFlows.end());
        m_isSame[link] = isSame ? 1 : 0;
    }
    auto isSameFlow = [&](std::size_t f) {
        const DcnFlow& a = now.GetFlows()[f];
        const DcnFlow& b = old.GetFlows()[f];
        const DcnPath path = now.GetPath(f);
        const DcnPath then = old.GetPath(f);
        if (a.id != b.id || a.sizeBytes != b.sizeBytes || a.startNs != b.startNs ||
            a.src != b.src || a.dst != b.dst || path.size() != then.size() || path[0] != then[0] ||
            path[path.size() - 1] != then[then.size() - 1] || !hasSameAcks[path[0]])
        {
            return false;
        }
        for (std::size_t hop = 0; hop < path.size(); ++hop)
        {
            if (!hasSameSpeed(path[hop], then[hop]) ||
                (path[hop] != then[hop] &&
                 std::find(then.begin(), then.end(), path[hop]) != then.end()))
            {
                return false;
            }
        }
        return true;
    };
    for (std::size_t f = 0; f < now.GetFlows().size(); ++f)
    {
        if (!isSameFlow(f))
        {
            for (uint32_t link : now.GetPath(f))
            {
                m_isSame[link] = 0;
            }
        }
    }
}

void
ParsimonDecomposition::CompareShares(const ParsimonShares& before)
{
    const DcnScenario& scenario = m_builder.GetScenario();
    for (std::size_t f = 0; f < scenario.GetFlows().size(); ++f)
    {
        if (!m_shares->HasEqualShares(before, f))
        {
            for (uint32_t link : scenario.GetPath(f))
            {
                m_isSame[link] = 0;
            }
        }
    }
}

const ParsimonLinkBuilder&
ParsimonDecomposition::GetBuilder() const
{
    return m_builder;
}

ParsimonLink
ParsimonDecomposition::Make(uint32_t link) const
{
    ParsimonLink topology = m_builder.Build(link);
    if (m_builder.GetRules() != ParsimonRules::PUBLISHED)
    {
        KeepRoundTrips(topology);
    }
    if (m_shares)
    {
        m_shares->Apply(topology, m_paces);
    }
    return topology;
}

Ptr<const DcnScenario>
ParsimonDecomposition::MakeScenario(const ParsimonLink& link) const
{
    const DcnScenario& scenario = m_builder.GetScenario();
    return ParsimonMakeLinkScenario(link, scenario.GetNetwork(), scenario.GetSeed(), &scenario);
}

bool
ParsimonDecomposition::HasShare(std::size_t flow, std::size_t hop) const
{
    return m_shares && m_shares->SlowsBefore(flow, hop);
}

bool
ParsimonDecomposition::IsSame(uint32_t link) const
{
    return !m_isSame.empty() && m_isSame[link] != 0;
}

bool
ParsimonDecomposition::IsSameEstimate(std::size_t flow) const
{
    const DcnPath path = m_builder.GetScenario().GetPath(flow);
    return m_hasSameRun &&
           std::all_of(path.begin(), path.end(), [this](uint32_t link) { return IsSame(link); });
}

void
ParsimonDecomposition::KeepRoundTrips(ParsimonLink& link) const
{
    const DcnScenario& scenario = m_builder.GetScenario();
    const DcnTopology& topology = scenario.GetTopology();
    const auto wire = DcnCongestionControl::GetWireFormat(scenario.GetNetwork());
    const uint32_t data = scenario.GetNetwork().payloadBytes + wire.dataHeaderBytes;
    const uint32_t ack = wire.ackBytes;
    auto time = [&](uint64_t rateBps) {
        return (DcnSerializationTicks(data, rateBps) + DcnSerializationTicks(ack, rateBps)) >>
               DCN_TICK_BITS;
    };
    std::vector<bool> isSourceDone(link.sources.size(), false);
    std::vector<bool> isDestinationDone(link.destinations.size(), false);
    for (const auto& flow : link.flows)
    {
        if (isSourceDone[flow.source] && isDestinationDone[flow.destination])
        {
            continue;
        }
        const DcnPath path = scenario.GetPath(flow.flow);
        const auto target =
            static_cast<std::size_t>(std::find(path.begin(), path.end(), link.link) - path.begin());
        int64_t before = 0;
        for (std::size_t hop = 1; hop < target; ++hop)
        {
            before += time(topology.GetLink(path[hop]).rateBps);
        }
        int64_t behind = 0;
        for (std::size_t hop = target + 1; hop < path.size(); ++hop)
        {
            behind += time(topology.GetLink(path[hop]).rateBps);
        }
        if (!isSourceDone[flow.source])
        {
            link.sources[flow.source].delayNs += before / 2;
            isSourceDone[flow.source] = true;
        }
        auto& destination = link.destinations[flow.destination];
        if (!isDestinationDone[flow.destination] && destination.rateBps > 0)
        {
            destination.delayNs += std::max<int64_t>(0, behind - time(destination.rateBps)) / 2;
        }
        isDestinationDone[flow.destination] = true;
    }
}

} // namespace ns3

/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "parsimon-unchanged.h"

#include <algorithm>

namespace ns3
{

ParsimonUnchanged::ParsimonUnchanged(const ParsimonLinkBuilder& before,
                                     const ParsimonLinkBuilder& now)
    : m_scenario(now.GetScenario()),
      m_isSame(m_scenario.GetTopology().GetNLinks(), 0)
{
    const DcnScenario& old = before.GetScenario();
    const auto& flows = m_scenario.GetFlows();
    const auto& oldFlows = old.GetFlows();
    const auto nLinks = static_cast<uint32_t>(m_isSame.size());
    if (flows.size() != oldFlows.size() || old.GetTopology().GetNLinks() != nLinks)
    {
        return;
    }
    m_hasSameFlows = true;
    std::vector<char> hasSameRate(nLinks, 0); // and delay
    std::vector<char> hasSameAcks(nLinks, 0);
    for (uint32_t link = 0; link < nLinks; ++link)
    {
        const DcnLink& a = m_scenario.GetTopology().GetLink(link);
        const DcnLink& b = old.GetTopology().GetLink(link);
        hasSameRate[link] = a.rateBps == b.rateBps && a.delayNs == b.delayNs ? 1 : 0;
        hasSameAcks[link] = now.GetAckRate(link) == before.GetAckRate(link) ? 1 : 0;
        const auto nowFlows = now.GetFlows(link);
        const auto thenFlows = before.GetFlows(link);
        m_isSame[link] =
            hasSameRate[link] && hasSameAcks[link] &&
                    std::equal(nowFlows.begin(), nowFlows.end(), thenFlows.begin(), thenFlows.end())
                ? 1
                : 0;
    }
    auto isSameFlow = [&](std::size_t f) {
        const DcnFlow& a = flows[f];
        const DcnFlow& b = oldFlows[f];
        const DcnPath path = m_scenario.GetPath(f);
        const DcnPath then = old.GetPath(f);
        if (a.id != b.id || a.sizeBytes != b.sizeBytes || a.startNs != b.startNs ||
            a.src != b.src || a.dst != b.dst || path.size() != then.size() ||
            path[0] != then[0] || path[path.size() - 1] != then[then.size() - 1] ||
            !hasSameAcks[path[0]])
        {
            return false;
        }
        for (std::size_t hop = 0; hop < path.size(); ++hop)
        {
            if (path[hop] == then[hop])
            {
                if (!hasSameRate[path[hop]])
                {
                    return false;
                }
                continue;
            }
            const DcnLink& x = m_scenario.GetTopology().GetLink(path[hop]);
            const DcnLink& y = old.GetTopology().GetLink(then[hop]);
            if (x.rateBps != y.rateBps || x.delayNs != y.delayNs ||
                std::find(then.begin(), then.end(), path[hop]) != then.end())
            {
                return false;
            }
        }
        return true;
    };
    for (std::size_t f = 0; f < flows.size(); ++f)
    {
        if (!isSameFlow(f))
        {
            for (uint32_t link : m_scenario.GetPath(f))
            {
                m_isSame[link] = 0;
            }
        }
    }
}

void
ParsimonUnchanged::Compare(const ParsimonEdgeShares& before, const ParsimonEdgeShares& now)
{
    if (!m_hasSameFlows) // flows have other indices: no link is the same
    {
        return;
    }
    for (std::size_t f = 0; f < m_scenario.GetFlows().size(); ++f)
    {
        for (auto position : {ParsimonPosition::SWITCH_TO_SWITCH, ParsimonPosition::LAST_HOP})
        {
            if (now.GetRate(f, position) != before.GetRate(f, position))
            {
                for (uint32_t link : m_scenario.GetPath(f))
                {
                    m_isSame[link] = 0;
                }
            }
        }
    }
}

bool
ParsimonUnchanged::IsSame(uint32_t link) const
{
    return m_isSame[link] != 0;
}

bool
ParsimonUnchanged::IsSameEstimate(std::size_t flow) const
{
    const DcnPath path = m_scenario.GetPath(flow);
    return std::all_of(path.begin(), path.end(), [this](uint32_t link) { return IsSame(link); });
}

} // namespace ns3

/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "parsimon-combination.h"

#include "../simulate/parsimon-binary.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace ns3
{

ParsimonOverlap::ParsimonOverlap(const DcnScenario& scenario,
                                 const std::function<double(uint32_t)>& getLoad)
{
    const DcnTopology& topology = scenario.GetTopology();
    std::vector<uint64_t> bytes(topology.GetNLinks(), 0);
    std::vector<std::vector<std::pair<uint32_t, uint64_t>>> before(topology.GetNLinks());
    const auto& flows = scenario.GetFlows();
    for (std::size_t f = 0; f < flows.size(); ++f)
    {
        const DcnPath path = scenario.GetPath(f);
        for (std::size_t hop = 0; hop < path.size(); ++hop)
        {
            bytes[path[hop]] += flows[f].sizeBytes;
            if (hop == 0)
            {
                continue;
            }
            auto& list = before[path[hop]];
            auto entry = std::find_if(list.begin(), list.end(), [&](const auto& candidate) {
                return candidate.first == path[hop - 1];
            });
            if (entry == list.end())
            {
                list.emplace_back(path[hop - 1], flows[f].sizeBytes);
            }
            else
            {
                entry->second += flows[f].sizeBytes;
            }
        }
    }
    m_overlaps.resize(before.size());
    for (std::size_t link = 0; link < before.size(); ++link)
    {
        for (const auto& [previous, share] : before[link])
        {
            if (topology.GetLink(previous).rateBps <= topology.GetLink(link).rateBps)
            {
                const double part =
                    GetPart(static_cast<double>(share) / static_cast<double>(bytes[link]),
                            getLoad(static_cast<uint32_t>(link)));
                m_overlaps[link].push_back({previous, static_cast<float>(part)});
            }
        }
    }
}

double
ParsimonOverlap::GetPart(double share, double load)
{
    return share < 1 ? share * (1 - load) / (1 - share * load) : 1;
}

double
ParsimonOverlap::Get(uint32_t previous, uint32_t link) const
{
    for (const Entry& entry : m_overlaps[link])
    {
        if (entry.previous == previous)
        {
            return entry.overlap;
        }
    }
    return 0;
}

ParsimonOverlap
ParsimonOverlap::None(uint32_t nLinks)
{
    ParsimonOverlap none;
    none.m_overlaps.resize(nLinks);
    return none;
}

void
ParsimonOverlap::Save(std::ostream& stream) const
{
    for (const auto& entries : m_overlaps)
    {
        ParsimonWriteVector(stream, entries);
    }
}

ParsimonOverlap
ParsimonOverlap::Load(std::istream& stream, const std::string& where, uint32_t nLinks)
{
    ParsimonOverlap overlap;
    overlap.m_overlaps.resize(nLinks);
    for (auto& entries : overlap.m_overlaps)
    {
        ParsimonReadVector(stream, where, entries);
    }
    return overlap;
}

double
ParsimonCombination::Published(double packets, double normalized)
{
    return std::floor(packets * normalized);
}

double
ParsimonCombination::GetNewDelay(double delayNs, double overlap)
{
    return std::max(0.0, delayNs) * (1 - overlap);
}

double
ParsimonCombination::GetBurstDelay(double delayNs, uint64_t capacityBps, uint64_t ackBps)
{
    const double ackShare = static_cast<double>(ackBps) / static_cast<double>(capacityBps);
    return std::max(0.0, delayNs) * (1 - ackShare);
}

} // namespace ns3

/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "parsimon-combination.h"

#include "../simulate/parsimon-binary.h"

#include "ns3/dcn-congestion-control.h"
#include "ns3/dcn-ideal-fct.h"
#include "ns3/dcn-units.h"

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

ParsimonWindow
ParsimonWindow::Of(const DcnNetworkParameters& network, ParsimonRules rules)
{
    const auto wire = DcnCongestionControl::GetWireFormat(network);
    return {rules != ParsimonRules::PUBLISHED ? network.windowBytes : 0,
            network.payloadBytes,
            wire.dataHeaderBytes,
            wire.ackBytes};
}

double
ParsimonWindow::GetIdleNs(const DcnTopology& topology,
                          DcnPath path,
                          uint64_t sizeBytes,
                          uint64_t bottleneckBps) const
{
    const uint64_t packets = DcnPackets(sizeBytes, payloadBytes);
    const uint64_t inFlight = DcnPackets(windowBytes, payloadBytes);
    if (windowBytes == 0 || packets <= inFlight)
    {
        return 0;
    }
    const uint32_t data = payloadBytes + headerBytes;
    const int64_t roundTrip = DcnBaseRttNs(topology, path, data, ackBytes);
    const double busy =
        static_cast<double>(inFlight) * 8e9 * data / static_cast<double>(bottleneckBps);
    return static_cast<double>((packets - 1) / inFlight) *
           std::max(0.0, static_cast<double>(roundTrip) - busy);
}

bool
ParsimonWindow::IsBurst(const DcnTopology& topology,
                        DcnPath path,
                        uint64_t sizeBytes,
                        uint64_t bottleneckBps) const
{
    if (windowBytes > 0)
    {
        return sizeBytes <= windowBytes;
    }
    const auto rttNs = static_cast<double>(
        DcnBaseRttNs(topology, path, payloadBytes + headerBytes, ackBytes));
    return static_cast<double>(sizeBytes) * 8e9 <= rttNs * static_cast<double>(bottleneckBps);
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

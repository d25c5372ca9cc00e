/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "parsimon-edge-shares.h"

#include "parsimon-link-index.h"
#include "parsimon-nic-delays.h"

#include "ns3/dcn-congestion-control.h"
#include "ns3/dcn-ideal-fct.h"
#include "ns3/dcn-units.h"

#include <algorithm>
#include <unordered_map>

namespace ns3
{

namespace
{

constexpr double LEAST_SLOWDOWN = 1.05; //!< least slowdown by sharing of a flow with a share

/**
 * @param path links of a flow
 * @param link one of them
 * @return its position
 */
std::size_t
FindHop(DcnPath path, uint32_t link)
{
    return static_cast<std::size_t>(std::find(path.begin(), path.end(), link) - path.begin());
}

} // namespace

ParsimonEdgeShares::ParsimonEdgeShares(const ParsimonLinkBuilder& builder,
                                       const ParsimonEdgeShares* before,
                                       const IsSame& isSame)
    : m_builder(builder)
{
    const DcnScenario& scenario = builder.GetScenario();
    const auto wire = DcnCongestionControl::GetWireFormat(scenario.GetNetwork());
    m_payloadBytes = scenario.GetNetwork().payloadBytes;
    m_headerBytes = wire.dataHeaderBytes;
    m_ackBytes = wire.ackBytes;
    std::size_t nHops = 0;
    m_offsets.reserve(scenario.GetFlows().size());
    for (std::size_t f = 0; f < scenario.GetFlows().size(); ++f)
    {
        m_offsets.push_back(nHops);
        nHops += scenario.GetPath(f).size();
    }
    m_shares.assign(nHops, 0);
    m_isWhole.assign(m_offsets.size(), 0);
    for (uint32_t link : builder.GetBusyLinks())
    {
        if (!before || !isSame(link))
        {
            AddShares(link);
            continue;
        }
        for (uint32_t flow : builder.GetFlows(link))
        {
            const std::size_t then = FindHop(before->m_builder.GetScenario().GetPath(flow), link);
            m_shares[m_offsets[flow] + FindHop(scenario.GetPath(flow), link)] =
                before->GetShare(flow, then);
        }
    }
    for (uint32_t link : builder.GetBusyLinks())
    {
        if (ParsimonLinkIndex::GetPosition(scenario.GetTopology(), link) ==
            ParsimonPosition::LAST_HOP)
        {
            FindWhole(link);
        }
    }
}

void
ParsimonEdgeShares::AddShares(uint32_t each)
{
    const DcnScenario& scenario = m_builder.GetScenario();
    const DcnTopology& topology = scenario.GetTopology();
    const DcnNetworkParameters& network = scenario.GetNetwork();
    ParsimonLink link = m_builder.Build(each);
    std::vector<uint64_t> highest; // by flow of the link
    for (const auto& flow : link.flows)
    {
        highest.push_back(link.GetNicRate(flow));
    }
    if (link.position != ParsimonPosition::FIRST_HOP)
    {
        link.sources = {
            {0, 0, link.availableBps, 0}}; // one source: all flows share the target instead
        for (auto& flow : link.flows)
        {
            flow.source = 0;
        }
    }
    const uint32_t dataBytes = m_payloadBytes + m_headerBytes;
    const auto available = static_cast<double>(link.availableBps);
    const auto delaysNs = ParsimonNicDelays(link, m_payloadBytes, m_headerBytes);
    for (std::size_t i = 0; i < delaysNs.size(); ++i)
    {
        const ParsimonLinkFlow& flow = link.flows[i];
        if (delaysNs[i] <= 0)
        {
            continue;
        }
        const DcnPath path = scenario.GetPath(flow.flow);
        const auto rttNs = static_cast<double>(DcnBaseRttNs(topology, path, dataBytes, m_ackBytes));
        double window = available * rttNs / 8e9; // bytes
        double limit = static_cast<double>(std::min(highest[i], link.availableBps));
        if (network.windowBytes > 0)
        {
            window = static_cast<double>(network.windowBytes);
            const auto inFlight = static_cast<double>(DcnPackets(network.windowBytes, m_payloadBytes));
            limit = std::min(limit, inFlight * dataBytes * 8e9 / rttNs);
        }
        if (static_cast<double>(flow.sizeBytes) <= window)
        {
            continue;
        }
        const auto bytes =
            static_cast<double>(DcnWireBytes(flow.sizeBytes, m_payloadBytes, m_headerBytes));
        const double aloneNs = bytes * 8e9 / available;
        const double rate = std::max(available * aloneNs / (aloneNs + delaysNs[i]),
                                     static_cast<double>(network.minRate.GetBitRate()));
        if (rate * LEAST_SLOWDOWN < limit)
        {
            m_shares[m_offsets[flow.flow] + FindHop(path, each)] = static_cast<uint64_t>(rate);
        }
    }
}

void
ParsimonEdgeShares::FindWhole(uint32_t each)
{
    const DcnScenario& scenario = m_builder.GetScenario();
    ParsimonLink link = m_builder.Build(each);
    link.sources.clear(); // one for each link before, of the rate of this one
    std::unordered_map<uint32_t, uint32_t> numbers;
    for (auto& flow : link.flows)
    {
        const DcnPath path = scenario.GetPath(flow.flow);
        const uint32_t previous = path[path.size() - 2];
        const auto [known, isNew] =
            numbers.try_emplace(previous, static_cast<uint32_t>(link.sources.size()));
        if (isNew)
        {
            link.sources.push_back({0, previous, link.availableBps, 0});
        }
        flow.source = known->second;
    }
    const auto commonNs = ParsimonNicDelays(link, m_payloadBytes, m_headerBytes);
    for (std::size_t i = 0; i < commonNs.size(); ++i)
    {
        const ParsimonLinkFlow& flow = link.flows[i];
        const std::size_t last = scenario.GetPath(flow.flow).size() - 1;
        m_isWhole[flow.flow] = IsSlowed(flow, last, link.availableBps, commonNs[i]) ? 1 : 0;
    }
}

bool
ParsimonEdgeShares::IsSlowed(const ParsimonLinkFlow& flow,
                             std::size_t hop,
                             uint64_t rateBps,
                             double commonNs) const
{
    const uint64_t share = GetShare(flow.flow, hop);
    const double bits =
        8e9 * static_cast<double>(DcnWireBytes(flow.sizeBytes, m_payloadBytes, m_headerBytes));
    return share > 0 && bits / static_cast<double>(share) >
                            LEAST_SLOWDOWN * (bits / static_cast<double>(rateBps) + commonNs);
}

bool
ParsimonEdgeShares::IsWhole(std::size_t flow) const
{
    return m_isWhole[flow] != 0;
}

uint64_t
ParsimonEdgeShares::GetShare(std::size_t flow, std::size_t hop) const
{
    return m_shares[m_offsets[flow] + hop];
}

uint64_t
ParsimonEdgeShares::GetLeastOther(std::size_t flow, std::size_t hop) const
{
    uint64_t least = 0;
    for (std::size_t i = 0; i < m_builder.GetScenario().GetPath(flow).size(); ++i)
    {
        const uint64_t share = i == hop ? 0 : GetShare(flow, i);
        if (share > 0 && (least == 0 || share < least))
        {
            least = share;
        }
    }
    return least;
}

const ParsimonLinkBuilder&
ParsimonEdgeShares::GetBuilder() const
{
    return m_builder;
}

void
ParsimonEdgeShares::MarkSlowed(const ParsimonLink& link,
                               std::size_t hop,
                               std::vector<char>& slowed) const
{
    const DcnScenario& scenario = m_builder.GetScenario();
    ParsimonLink others; // a NIC for each link at this hop, with the flows that cross the target
    others.position = ParsimonPosition::LAST_HOP;
    std::vector<std::size_t> places; // in link.flows
    std::unordered_map<uint32_t, uint32_t> numbers;
    bool hasShares = false;
    for (std::size_t i = 0; i < link.flows.size(); ++i)
    {
        ParsimonLinkFlow flow = link.flows[i];
        const DcnPath path = scenario.GetPath(flow.flow);
        if (hop >= path.size() || path[hop] == link.link)
        {
            continue;
        }
        hasShares = hasShares || GetShare(flow.flow, hop) > 0;
        const uint32_t other = path[hop];
        const auto [known, isNew] =
            numbers.try_emplace(other, static_cast<uint32_t>(others.sources.size()));
        if (isNew)
        {
            const uint64_t rateBps =
                scenario.GetTopology().GetLink(other).rateBps - m_builder.GetAckRate(other);
            others.sources.push_back({0, other, rateBps, 0});
        }
        flow.source = known->second;
        others.flows.push_back(flow);
        places.push_back(i);
    }
    if (!hasShares)
    {
        return;
    }
    const auto commonNs = ParsimonNicDelays(others, m_payloadBytes, m_headerBytes);
    for (std::size_t i = 0; i < places.size(); ++i)
    {
        const ParsimonLinkFlow& flow = others.flows[i];
        if (IsSlowed(flow, hop, others.sources[flow.source].rateBps, commonNs[i]))
        {
            slowed[places[i]] = 1;
        }
    }
}

void
ParsimonEdgeShares::Apply(ParsimonLink& link) const
{
    if (link.position == ParsimonPosition::FIRST_HOP)
    {
        return;
    }
    const DcnScenario& scenario = m_builder.GetScenario();
    std::size_t nHops = 0; // of the longest path
    for (const auto& flow : link.flows)
    {
        nHops = std::max(nHops, scenario.GetPath(flow.flow).size());
    }
    std::vector<char> slowed(link.flows.size(), 0);
    for (std::size_t hop = 0; hop < nHops; ++hop)
    {
        MarkSlowed(link, hop, slowed);
    }
    for (std::size_t i = 0; i < slowed.size(); ++i)
    {
        if (slowed[i])
        {
            ParsimonLinkFlow& flow = link.flows[i];
            flow.paceBps =
                GetLeastOther(flow.flow, FindHop(scenario.GetPath(flow.flow), link.link));
        }
    }
}

} // namespace ns3

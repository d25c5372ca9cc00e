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

namespace ns3
{

namespace
{

constexpr double LEAST_SLOWDOWN =
    1.05; //!< least slowdown by sharing of a flow with a NIC of its own

} // namespace

ParsimonEdgeShares::ParsimonEdgeShares(const ParsimonLinkBuilder& builder,
                                       const ParsimonEdgeShares* before,
                                       const IsSame& isSame)
    : m_nLinks(builder.GetScenario().GetTopology().GetNLinks()),
      m_first(builder.GetScenario().GetFlows().size(), 0),
      m_last(m_first)
{
    const DcnScenario& scenario = builder.GetScenario();
    const DcnTopology& topology = scenario.GetTopology();
    const DcnNetworkParameters& network = scenario.GetNetwork();
    const auto wire = DcnCongestionControl::GetWireFormat(network);
    const uint32_t header = wire.dataHeaderBytes;
    m_dataBytes = network.payloadBytes + header;
    m_ackBytes = wire.ackBytes;
    for (uint32_t each : builder.GetBusyLinks())
    {
        const auto position = ParsimonLinkIndex::GetPosition(topology, each);
        if (position == ParsimonPosition::SWITCH_TO_SWITCH)
        {
            continue;
        }
        auto& rates = position == ParsimonPosition::FIRST_HOP ? m_first : m_last;
        if (before && isSame(each))
        {
            const auto& known =
                position == ParsimonPosition::FIRST_HOP ? before->m_first : before->m_last;
            for (uint32_t flow : builder.GetFlows(each))
            {
                rates[flow] = known[flow];
            }
            continue;
        }
        ParsimonLink link = builder.Build(each);
        std::vector<uint64_t> highest; // by flow of the link
        for (const auto& flow : link.flows)
        {
            highest.push_back(link.GetNicRate(flow));
        }
        if (position == ParsimonPosition::LAST_HOP)
        {
            link.sources = {
                {0, 0, link.availableBps, 0}}; // one source: all flows share the target instead
            for (auto& flow : link.flows)
            {
                flow.source = 0;
            }
        }
        const auto available = static_cast<double>(link.availableBps);
        const auto delaysNs = ParsimonNicDelays(link, network.payloadBytes, header);
        for (std::size_t i = 0; i < delaysNs.size(); ++i)
        {
            const ParsimonLinkFlow& flow = link.flows[i];
            if (delaysNs[i] <= 0)
            {
                continue;
            }
            const auto rttNs = static_cast<double>(
                DcnBaseRttNs(topology, scenario.GetPath(flow.flow), m_dataBytes, m_ackBytes));
            double window = available * rttNs / 8e9; // bytes
            double limit = static_cast<double>(std::min(highest[i], link.availableBps));
            if (network.windowBytes > 0)
            {
                window = static_cast<double>(network.windowBytes);
                const auto inFlight =
                    static_cast<double>(DcnPackets(network.windowBytes, network.payloadBytes));
                limit = std::min(limit, inFlight * m_dataBytes * 8e9 / rttNs);
            }
            if (static_cast<double>(flow.sizeBytes) <= window)
            {
                continue;
            }
            const auto bytes = static_cast<double>(
                flow.sizeBytes + DcnPackets(flow.sizeBytes, network.payloadBytes) * header);
            const double aloneNs = bytes * 8e9 / available;
            const double rate = std::max(available * aloneNs / (aloneNs + delaysNs[i]),
                                         static_cast<double>(network.minRate.GetBitRate()));
            if (rate * LEAST_SLOWDOWN < limit)
            {
                rates[flow.flow] = static_cast<uint64_t>(rate);
            }
        }
    }
}

uint64_t
ParsimonEdgeShares::GetRate(std::size_t flow, ParsimonPosition position) const
{
    switch (position)
    {
    case ParsimonPosition::LAST_HOP:
        return m_first[flow];
    case ParsimonPosition::SWITCH_TO_SWITCH:
        return m_first[flow] > 0 && m_last[flow] > 0 ? std::min(m_first[flow], m_last[flow])
                                                     : std::max(m_first[flow], m_last[flow]);
    default:
        return 0;
    }
}

bool
ParsimonEdgeShares::HasLast(std::size_t flow) const
{
    return m_last[flow] > 0;
}

void
ParsimonEdgeShares::Apply(ParsimonLink& link) const
{
    for (auto& flow : link.flows)
    {
        const uint64_t rate = GetRate(flow.flow, link.position);
        ParsimonEndpoint source = link.sources[flow.source];
        if (rate == 0)
        {
            continue;
        }
        const int64_t longerNs = DcnSerializationNs(m_dataBytes, rate) +
                                 DcnSerializationNs(m_ackBytes, rate) -
                                 DcnSerializationNs(m_dataBytes, source.rateBps) -
                                 DcnSerializationNs(m_ackBytes, source.rateBps);
        source.link = m_nLinks + flow.flow; // independent of the link's other flows
        source.rateBps = rate;
        source.delayNs = std::max<int64_t>(0, source.delayNs - longerNs / 2);
        flow.source = static_cast<uint32_t>(link.sources.size());
        link.sources.push_back(source);
    }
    // remove hosts whose flows all have NICs of their own
    std::vector<uint32_t> places(link.sources.size(), 0);
    for (const auto& flow : link.flows)
    {
        places[flow.source] = 1;
    }
    std::vector<ParsimonEndpoint> used;
    for (std::size_t i = 0; i < places.size(); ++i)
    {
        if (places[i] > 0)
        {
            places[i] = static_cast<uint32_t>(used.size());
            used.push_back(link.sources[i]);
        }
    }
    for (auto& flow : link.flows)
    {
        flow.source = places[flow.source];
    }
    link.sources.swap(used);
}

} // namespace ns3

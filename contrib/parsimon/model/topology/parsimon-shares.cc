/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "parsimon-shares.h"

#include "parsimon-nic-delays.h"
#include "parsimon-window.h"

#include "ns3/dcn-congestion-control.h"
#include "ns3/dcn-units.h"

#include <algorithm>
#include <utility>

namespace ns3
{

namespace
{

/// Least slowdown by sharing of a flow with a share, and by flows that a topology does not have of
/// a flow with a NIC of its own.
constexpr double LEAST_SLOWDOWN = 1.05;

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

/**
 * Remove sources that no flow has.
 * @param link the topology
 */
void
RemoveIdleSources(ParsimonLink& link)
{
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

} // namespace

ParsimonShares::ParsimonShares(const ParsimonLinkBuilder& builder,
                               const ParsimonShares* before,
                               const IsSame& isSame)
    : m_builder(builder)
{
    const DcnScenario& scenario = builder.GetScenario();
    const auto wire = DcnCongestionControl::GetWireFormat(scenario.GetNetwork());
    m_payloadBytes = scenario.GetNetwork().payloadBytes;
    m_headerBytes = wire.dataHeaderBytes;
    m_ackBytes = wire.ackBytes;
    m_offsets.reserve(scenario.GetFlows().size() + 1);
    m_offsets.push_back(0);
    for (std::size_t f = 0; f < scenario.GetFlows().size(); ++f)
    {
        m_offsets.push_back(m_offsets.back() + scenario.GetPath(f).size());
    }
    m_shares.assign(m_offsets.back(), 0);
    m_isBurst.assign(m_offsets.back(), 0);
    for (uint32_t link : builder.GetBusyLinks())
    {
        if (!before || !isSame(link))
        {
            AddShares(link);
            continue;
        }
        for (uint32_t flow : builder.GetFlows(link))
        {
            const std::size_t then = before->m_offsets[flow] +
                                     FindHop(before->m_builder.GetScenario().GetPath(flow), link);
            const std::size_t now = m_offsets[flow] + FindHop(scenario.GetPath(flow), link);
            m_shares[now] = before->m_shares[then];
            m_isBurst[now] = before->m_isBurst[then];
        }
    }
}

void
ParsimonShares::AddShares(uint32_t each)
{
    const DcnScenario& scenario = m_builder.GetScenario();
    const DcnNetworkParameters& network = scenario.GetNetwork();
    ParsimonLink link = m_builder.Build(each);
    for (auto& flow : link.flows)
    {
        const uint64_t nicRate = std::min(link.GetNicRate(flow), link.availableBps);
        flow.limitBps = flow.limitBps > 0 ? std::min(nicRate, flow.limitBps) : nicRate;
        flow.idleNs = 0; // the window's part is not the link's
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
    const auto delaysNs = ParsimonNicDelays(link, m_payloadBytes, m_headerBytes);
    for (std::size_t i = 0; i < delaysNs.size(); ++i)
    {
        const ParsimonLinkFlow& flow = link.flows[i];
        if (delaysNs[i] <= 0 || flow.sizeBytes <= m_payloadBytes)
        {
            continue;
        }
        const DcnPath path = scenario.GetPath(flow.flow);
        const auto limit = static_cast<double>(flow.limitBps);
        const double bits =
            8e9 * static_cast<double>(DcnWireBytes(flow.sizeBytes, m_payloadBytes, m_headerBytes));
        const double idealNs =
            8e9 * static_cast<double>(DcnWireBytes(flow.sizeBytes, m_payloadBytes)) / limit;
        const double rate = std::max(bits / (idealNs + delaysNs[i]),
                                     static_cast<double>(network.minRate.GetBitRate()));
        if (rate * LEAST_SLOWDOWN < limit)
        {
            const std::size_t place = m_offsets[flow.flow] + FindHop(path, each);
            m_shares[place] = static_cast<uint64_t>(rate);
            m_isBurst[place] = m_builder.GetWindow().IsBurst(scenario.GetTopology(),
                                                             path,
                                                             flow.sizeBytes,
                                                             link.availableBps);
        }
    }
}

uint64_t
ParsimonShares::GetShare(std::size_t flow, std::size_t hop) const
{
    return m_shares[m_offsets[flow] + hop];
}

bool
ParsimonShares::SlowsBefore(std::size_t flow, std::size_t hop) const
{
    return GetShare(flow, hop) > 0 && !m_isBurst[m_offsets[flow] + hop];
}

uint64_t
ParsimonShares::GetLeastOther(std::size_t flow, std::size_t hop) const
{
    uint64_t least = 0;
    const std::size_t here = m_offsets[flow] + hop;
    for (std::size_t i = m_offsets[flow]; i < m_offsets[flow + 1]; ++i)
    {
        const auto share = static_cast<double>(m_shares[i]);
        const bool counts =
            i < here ||
            (i > here && !m_isBurst[i] &&
             (m_shares[here] == 0 || LEAST_SLOWDOWN * share < static_cast<double>(m_shares[here])));
        if (counts && m_shares[i] > 0 && (least == 0 || m_shares[i] < least))
        {
            least = m_shares[i];
        }
    }
    return least;
}

bool
ParsimonShares::HasEqualShares(const ParsimonShares& other, std::size_t flow) const
{
    auto areEqual = [&](const auto& mine, const auto& others) {
        auto at = [](const auto& values, const ParsimonShares& shares, std::size_t first) {
            return values.begin() + static_cast<std::ptrdiff_t>(shares.m_offsets[first]);
        };
        return std::equal(at(mine, *this, flow),
                          at(mine, *this, flow + 1),
                          at(others, other, flow),
                          at(others, other, flow + 1));
    };
    return areEqual(m_shares, other.m_shares) && areEqual(m_isBurst, other.m_isBurst);
}

void
ParsimonShares::Apply(ParsimonLink& link, bool paces) const
{
    if (link.position == ParsimonPosition::FIRST_HOP)
    {
        return;
    }
    const DcnScenario& scenario = m_builder.GetScenario();
    const auto commonNs = ParsimonNicDelays(link, m_payloadBytes, m_headerBytes);
    for (std::size_t i = 0; i < commonNs.size(); ++i)
    {
        ParsimonLinkFlow& flow = link.flows[i];
        const uint64_t rate =
            GetLeastOther(flow.flow, FindHop(scenario.GetPath(flow.flow), link.link));
        if (rate == 0)
        {
            continue;
        }
        const double bits =
            8e9 * static_cast<double>(DcnWireBytes(flow.sizeBytes, m_payloadBytes, m_headerBytes));
        uint64_t nicRate = link.sources[flow.source].rateBps;
        if (flow.idleNs == 0 && flow.limitBps > 0) // `max_rate_bps`
        {
            nicRate = std::min(nicRate, flow.limitBps);
        }
        const double idealNs = 8e9 *
                               static_cast<double>(DcnWireBytes(flow.sizeBytes, m_payloadBytes)) /
                               static_cast<double>(nicRate);
        const double atNicNs = idealNs + commonNs[i];
        if (bits > LEAST_SLOWDOWN * atNicNs * static_cast<double>(rate))
        {
            flow.paceBps = rate;
        }
    }
    std::vector<char> isMet(link.flows.size(), 0);
    if (paces)
    {
        ParsimonNicDelays(link, m_payloadBytes, m_headerBytes, &isMet);
    }
    for (std::size_t i = 0; i < isMet.size(); ++i)
    {
        if (link.flows[i].paceBps > 0 && !isMet[i])
        {
            GiveOwnNic(link, link.flows[i], paces);
        }
    }
    RemoveIdleSources(link);
}

void
ParsimonShares::GiveOwnNic(ParsimonLink& link, ParsimonLinkFlow& flow, bool paces) const
{
    ParsimonEndpoint source = link.sources[flow.source];
    // a number that is independent of the link's other flows
    source.link = m_builder.GetScenario().GetTopology().GetNLinks() + flow.flow;
    if (!paces)
    {
        const uint32_t dataBytes = m_payloadBytes + m_headerBytes;
        auto roundTripNs = [&](uint64_t rateBps) {
            return (DcnSerializationTicks(dataBytes, rateBps) +
                    DcnSerializationTicks(m_ackBytes, rateBps)) >>
                   DCN_TICK_BITS;
        };
        const int64_t longerNs = roundTripNs(flow.paceBps) - roundTripNs(source.rateBps);
        source.rateBps = std::exchange(flow.paceBps, 0);
        source.delayNs = std::max<int64_t>(0, source.delayNs - longerNs / 2);
    }
    flow.source = static_cast<uint32_t>(link.sources.size());
    link.sources.push_back(source);
}

} // namespace ns3

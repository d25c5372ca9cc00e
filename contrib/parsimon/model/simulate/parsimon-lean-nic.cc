/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "parsimon-lean-nic.h"

#include "ns3/assert.h"
#include "ns3/dcn-units.h"

#include <algorithm>
#include <limits>

namespace ns3
{

ParsimonLeanNic::ParsimonLeanNic(const ParsimonLink& link, const DcnNetworkParameters& network)
    : m_link(link),
      m_network(network),
      m_wire(DcnCongestionControl::GetWireFormat(network))
{
    NS_ASSERT(link.position == ParsimonPosition::FIRST_HOP);
}

bool
ParsimonLeanNic::IsUnthrottled() const
{
    return std::all_of(m_link.flows.begin(), m_link.flows.end(), [this](const auto& flow) {
        return IsUnthrottled(flow);
    });
}

bool
ParsimonLeanNic::IsUnthrottled(const ParsimonLinkFlow& flow) const
{
    const uint64_t rate = m_link.availableBps;
    const uint64_t limit = m_network.maxRate.GetBitRate();
    const ParsimonEndpoint& destination = m_link.destinations[flow.destination];
    const auto& undisturbed = DcnCongestionControl::GetTraits(m_network).undisturbedRttNs;
    if (flow.paceBps > 0 || (limit && limit < rate) || (destination.rateBps && destination.rateBps < rate) ||
        !undisturbed)
    {
        return false;
    }
    // the round trip of a full packet
    const uint32_t full = m_network.payloadBytes + m_wire.dataHeaderBytes;
    const int64_t txNs = DcnSerializationNs(full, rate);
    const int64_t ackNs = DcnSerializationNs(m_wire.ackBytes, rate);
    int64_t rttNs = 2 * m_link.delayNs + txNs + ackNs;
    if (destination.rateBps)
    {
        rttNs += 2 * destination.delayNs + DcnSerializationNs(full, destination.rateBps) +
                 DcnSerializationNs(m_wire.ackBytes, destination.rateBps);
    }
    if (rttNs + 2 * txNs >= undisturbed(m_network))
    {
        return false;
    }
    // an acknowledgement may wait for some others on the way back
    const auto inFlight =
        static_cast<uint64_t>((rttNs + 4 * ackNs - 1) / txNs) * m_network.payloadBytes;
    return m_network.windowBytes == 0 || inFlight < m_network.windowBytes;
}

std::vector<int64_t>
ParsimonLeanNic::Run()
{
    const auto& flows = m_link.flows;
    const uint64_t rate = m_link.availableBps;
    const uint32_t payload = m_network.payloadBytes;
    const int64_t fullNs = DcnSerializationNs(payload + m_wire.dataHeaderBytes, rate);
    std::vector<int64_t> fctNs(flows.size(), -1);
    // flows to the same destination share the link behind the target: end of its latest frame [ns]
    std::vector<int64_t> farFreeNs(m_link.destinations.size(), 0);
    std::vector<Sender> senders;
    uint32_t started = 0;
    std::size_t turn = 0;
    int64_t nowNs = 0;
    bool changed = false; // since the latest attempt to skip rounds
    while (started < flows.size() || !senders.empty())
    {
        if (senders.empty())
        {
            nowNs = std::max(nowNs, flows[started].startNs);
        }
        for (; started < flows.size() && flows[started].startNs <= nowNs; ++started)
        {
            senders.push_back({started, flows[started].sizeBytes});
            changed = true;
        }
        const auto n = static_cast<int64_t>(senders.size());
        if (changed)
        {
            // Whole rounds until the first flow has two packets left, or until the last but one
            // before the next start: a packet after a full one may wait for it further on.
            changed = false;
            uint64_t least = std::numeric_limits<uint64_t>::max();
            for (const Sender& sender : senders)
            {
                least = std::min(least, (sender.leftBytes - 1) / payload);
            }
            int64_t rounds = static_cast<int64_t>(least) - 1;
            if (started < flows.size())
            {
                const int64_t gapNs = flows[started].startNs - nowNs;
                rounds = std::min(rounds, (gapNs - 1) / fullNs / n - 1);
            }
            if (rounds > 0)
            {
                for (Sender& sender : senders)
                {
                    sender.leftBytes -= static_cast<uint64_t>(rounds) * payload;
                }
                nowNs += rounds * n * fullNs;
            }
        }
        const std::size_t place = turn < senders.size() ? turn : 0;
        Sender& sender = senders[place];
        const auto bytes = static_cast<uint32_t>(std::min<uint64_t>(payload, sender.leftBytes));
        const uint32_t wire = bytes + m_wire.dataHeaderBytes;
        sender.leftBytes -= bytes;
        nowNs += bytes == payload ? fullNs : DcnSerializationNs(wire, rate);
        const ParsimonLinkFlow& flow = flows[sender.flow];
        const ParsimonEndpoint& destination = m_link.destinations[flow.destination];
        int64_t& freeNs = farFreeNs[flow.destination];
        freeNs = std::max(nowNs + m_link.delayNs, freeNs) +
                 (destination.rateBps ? DcnSerializationNs(wire, destination.rateBps) : 0);
        turn = place + 1;
        if (sender.leftBytes == 0)
        {
            fctNs[sender.flow] = freeNs + destination.delayNs - flow.startNs;
            senders.erase(senders.begin() + static_cast<std::ptrdiff_t>(place));
            turn = place;
            changed = true;
        }
    }
    return fctNs;
}

} // namespace ns3

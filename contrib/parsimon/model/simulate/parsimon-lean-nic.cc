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
    if ((limit && limit < rate) || (destination.rateBps && destination.rateBps < rate) ||
        !undisturbed)
    {
        return false;
    }
    // the round trip of a full packet
    const uint32_t full = m_network.payloadBytes + m_wire.dataHeaderBytes;
    const int64_t txTicks = DcnSerializationTicks(full, rate);
    const int64_t ackTicks = DcnSerializationTicks(m_wire.ackBytes, rate);
    int64_t rttTicks = 2 * (m_link.delayNs << DCN_TICK_BITS) + txTicks + ackTicks;
    if (destination.rateBps)
    {
        rttTicks += 2 * (destination.delayNs << DCN_TICK_BITS) +
                    DcnSerializationTicks(full, destination.rateBps) +
                    DcnSerializationTicks(m_wire.ackBytes, destination.rateBps);
    }
    if (DcnCeilNs(rttTicks + 2 * txTicks) >= undisturbed(m_network))
    {
        return false;
    }
    // an acknowledgement may wait for some others on the way back
    const auto inFlight =
        static_cast<uint64_t>((rttTicks + 4 * ackTicks - 1) / txTicks) * m_network.payloadBytes;
    const uint64_t window = m_network.ForNic(rate).GetWindowBytes(rate, rttTicks >> DCN_TICK_BITS);
    return window == 0 || inFlight < window;
}

std::vector<int64_t>
ParsimonLeanNic::Run()
{
    const auto& flows = m_link.flows;
    const uint64_t rate = m_link.availableBps;
    const uint32_t payload = m_network.payloadBytes;
    const bool isReference = m_network.timeGrainNs > 0;
    const auto ticks = [](int64_t ns) { return ns << DCN_TICK_BITS; };
    const int64_t fullTicks = DcnFrameTicks(payload + m_wire.dataHeaderBytes, rate, isReference);
    std::vector<int64_t> fctNs(flows.size(), -1);
    // flows to the same destination share the link behind the target: end of its latest frame
    std::vector<int64_t> farFreeTicks(m_link.destinations.size(), 0);
    std::vector<Sender> senders;
    uint32_t started = 0;
    std::size_t turn = 0;
    int64_t nowTicks = 0;
    bool changed = false; // since the latest attempt to skip rounds
    while (started < flows.size() || !senders.empty())
    {
        if (senders.empty())
        {
            nowTicks = std::max(nowTicks, ticks(flows[started].startNs));
        }
        for (; started < flows.size() && ticks(flows[started].startNs) <= nowTicks;
             ++started)
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
                const int64_t gapTicks = ticks(flows[started].startNs) - nowTicks;
                rounds = std::min(rounds, (gapTicks - 1) / fullTicks / n - 1);
            }
            if (rounds > 0)
            {
                for (Sender& sender : senders)
                {
                    sender.leftBytes -= static_cast<uint64_t>(rounds) * payload;
                }
                nowTicks += rounds * n * fullTicks;
            }
        }
        const std::size_t place = turn < senders.size() ? turn : 0;
        Sender& sender = senders[place];
        const auto bytes = static_cast<uint32_t>(std::min<uint64_t>(payload, sender.leftBytes));
        const uint32_t wire = bytes + m_wire.dataHeaderBytes;
        sender.leftBytes -= bytes;
        nowTicks += bytes == payload ? fullTicks : DcnFrameTicks(wire, rate, isReference);
        const ParsimonLinkFlow& flow = flows[sender.flow];
        const ParsimonEndpoint& destination = m_link.destinations[flow.destination];
        int64_t& freeTicks = farFreeTicks[flow.destination];
        freeTicks =
            std::max(nowTicks + ticks(m_link.delayNs), freeTicks) +
            (destination.rateBps ? DcnFrameTicks(wire, destination.rateBps, isReference) : 0);
        turn = place + 1;
        if (sender.leftBytes == 0)
        {
            fctNs[sender.flow] = DcnCeilNs(freeTicks) + destination.delayNs - flow.startNs;
            senders.erase(senders.begin() + static_cast<std::ptrdiff_t>(place));
            turn = place;
            changed = true;
        }
    }
    return fctNs;
}

} // namespace ns3

/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "parsimon-lean-interface.h"

#include "ns3/parsimon-link-scenario.h"

#include "ns3/dcn-units.h"

#include <algorithm>
#include <limits>
#include <map>

namespace ns3
{

ParsimonLeanInterfaces::ParsimonLeanInterfaces(const ParsimonLink& link,
                                               const DcnNetworkParameters& network)
    : m_link(link),
      m_network(network),
      m_wire(DcnCongestionControl::GetWireFormat(network)),
      m_isFirstHop(link.position == ParsimonPosition::FIRST_HOP),
      m_split(ParsimonSplitSources(link)),
      m_farFreeNs(link.destinations.size(), 0)
{
}

uint64_t
ParsimonLeanInterfaces::RateOf(const ParsimonLinkFlow& flow) const
{
    return m_isFirstHop ? m_link.availableBps : m_link.sources[flow.source].rateBps;
}

bool
ParsimonLeanInterfaces::IsQuiet(const ParsimonLinkFlow& flow) const
{
    const uint64_t rate = RateOf(flow);
    const uint64_t limit = m_network.maxRate.GetBitRate();
    const ParsimonEndpoint& destination = m_link.destinations[flow.destination];
    if ((limit && limit < rate) || m_link.availableBps < rate ||
        (destination.rateBps && destination.rateBps < rate) || m_wire.telemetry ||
        (!m_isFirstHop && m_split[flow.source]))
    {
        return false;
    }
    // the round trip of a full packet, and of one that waits for another at every link
    const uint32_t full = m_network.payloadBytes + m_wire.dataHeaderBytes;
    int64_t rttNs = 2 * m_link.delayNs + DcnSerializationNs(full, m_link.availableBps) +
                    DcnSerializationNs(m_wire.ackBytes, m_link.availableBps);
    if (!m_isFirstHop)
    {
        rttNs += 2 * m_link.sources[flow.source].delayNs + DcnSerializationNs(full, rate) +
                 DcnSerializationNs(m_wire.ackBytes, rate);
    }
    if (destination.rateBps)
    {
        rttNs += 2 * destination.delayNs + DcnSerializationNs(full, destination.rateBps) +
                 DcnSerializationNs(m_wire.ackBytes, destination.rateBps);
    }
    const int64_t txNs = DcnSerializationNs(full, rate);
    if (m_network.congestionControl == "timely" &&
        rttNs + 2 * txNs >= m_network.timelyLow.GetNanoSeconds())
    {
        return false;
    }
    // an acknowledgement may wait for some others on the way back
    const int64_t longestNs = rttNs + 4 * DcnSerializationNs(m_wire.ackBytes, rate);
    const auto inFlight = static_cast<uint64_t>((longestNs - 1) / txNs) * m_network.payloadBytes;
    return m_network.windowBytes == 0 || inFlight < m_network.windowBytes;
}

std::vector<uint32_t>
ParsimonLeanInterfaces::Run(std::vector<int64_t>& fctNs)
{
    // an interface is served as a whole or not at all
    struct Group
    {
        std::vector<uint32_t> flows; // positions, ascending
        bool isQuiet{true};
    };

    std::map<uint32_t, Group> groups;
    for (uint32_t i = 0; i < m_link.flows.size(); ++i)
    {
        const ParsimonLinkFlow& flow = m_link.flows[i];
        Group& group = groups[m_link.sources[flow.source].link];
        group.flows.push_back(i);
        group.isQuiet = group.isQuiet && IsQuiet(flow);
    }
    std::vector<uint32_t> others;
    for (const auto& [link, group] : groups)
    {
        if (group.isQuiet)
        {
            Serve(group.flows, fctNs);
        }
        else
        {
            others.insert(others.end(), group.flows.begin(), group.flows.end());
        }
    }
    std::sort(others.begin(), others.end());
    return others;
}

void
ParsimonLeanInterfaces::Serve(const std::vector<uint32_t>& flows, std::vector<int64_t>& fctNs)
{
    const uint64_t rate = RateOf(m_link.flows[flows.front()]);
    const uint32_t payload = m_network.payloadBytes;
    const int64_t fullNs = DcnSerializationNs(payload + m_wire.dataHeaderBytes, rate);
    std::vector<Sender> senders;
    std::size_t started = 0;
    std::size_t turn = 0;
    int64_t nowNs = 0;
    bool changed = false; // since the latest attempt to skip rounds
    while (started < flows.size() || !senders.empty())
    {
        if (senders.empty())
        {
            nowNs = std::max(nowNs, m_link.flows[flows[started]].startNs);
        }
        while (started < flows.size() && m_link.flows[flows[started]].startNs <= nowNs)
        {
            const uint64_t sizeBytes = m_link.flows[flows[started]].sizeBytes;
            senders.push_back({flows[started], sizeBytes, NEVER_SENT});
            ++started;
            changed = true;
        }
        const auto n = static_cast<int64_t>(senders.size());
        if (changed)
        {
            // Whole rounds until the first flow has two packets left, or until the last but one
            // before the next start: what comes after a full packet may wait for it further on.
            changed = false;
            uint64_t least = std::numeric_limits<uint64_t>::max();
            for (const Sender& sender : senders)
            {
                least = std::min(least, (sender.leftBytes - 1) / payload);
            }
            int64_t rounds = static_cast<int64_t>(least) - 1;
            if (started < flows.size())
            {
                const int64_t gapNs = m_link.flows[flows[started]].startNs - nowNs;
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
        const bool isLast = sender.leftBytes == 0;
        const int64_t txNs = bytes == payload ? fullNs : DcnSerializationNs(wire, rate);
        nowNs += txNs;
        const int64_t deliveredNs = Deliver(sender, nowNs, wire, isLast);
        sender.sentNs = nowNs;
        turn = place + 1;
        if (isLast)
        {
            fctNs[sender.flow] = deliveredNs - m_link.flows[sender.flow].startNs;
            senders.erase(senders.begin() + static_cast<std::ptrdiff_t>(place));
            turn = place;
            changed = true;
        }
    }
}

int64_t
ParsimonLeanInterfaces::Deliver(const Sender& sender, int64_t sentNs, uint32_t bytes, bool isLast)
{
    const ParsimonLinkFlow& spec = m_link.flows[sender.flow];
    const ParsimonEndpoint& destination = m_link.destinations[spec.destination];
    const int64_t farNs =
        destination.rateBps ? DcnSerializationNs(bytes, destination.rateBps) : 0;
    if (m_isFirstHop)
    {
        // flows to the same destination share the link behind the target
        int64_t& freeNs = m_farFreeNs[spec.destination];
        freeNs = std::max(sentNs + m_link.delayNs, freeNs) + farNs;
        return freeNs + destination.delayNs;
    }
    if (!isLast)
    {
        return 0; // a full packet waits for nobody
    }
    // a short last packet may find the flow's full packet before it still in transmission
    int64_t leaveNs = sentNs;
    if (sender.sentNs != NEVER_SENT)
    {
        const uint32_t full = m_network.payloadBytes + m_wire.dataHeaderBytes;
        leaveNs = std::max(leaveNs, sender.sentNs + DcnSerializationNs(full, m_link.availableBps));
    }
    return leaveNs + m_link.sources[spec.source].delayNs +
           DcnSerializationNs(bytes, m_link.availableBps) + m_link.delayNs + farNs +
           destination.delayNs;
}

} // namespace ns3

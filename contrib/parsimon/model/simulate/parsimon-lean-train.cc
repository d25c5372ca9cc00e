/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Flows that are alone on their link: part of ParsimonLeanEngine.

#include "parsimon-lean-engine.h"

#include <algorithm>

namespace ns3
{

bool
ParsimonLeanEngine::SendTrain(uint32_t index, int64_t firstNs)
{
    Sender& sender = m_senders[index];
    Interface& nic = m_interfaces[sender.interface];
    Source& source = m_sources[sender.source];
    const int64_t gapNs = nic.fullNs;
    if (!m_queued || !m_options.contention || m_telemetry || sender.rateBps != nic.rateBps ||
        source.splitBps || m_target.fullNs > gapNs)
    {
        return false;
    }
    // whole packets that arrive before a flow can start; the last packet of the flow is no part
    const int64_t arrivalNs = firstNs + gapNs + source.delayNs;
    auto most =
        static_cast<int64_t>((sender.sizeBytes - sender.sndNxt - 1) / m_network.payloadBytes);
    if (m_nextStartNs != NEVER)
    {
        most = std::min(most, (m_nextStartNs - 1 - arrivalNs) / gapNs);
    }
    if (most < SHORTEST_TRAIN)
    {
        return false;
    }
    DrainUntil(arrivalNs);
    Server* const way[] = {&m_destinations[sender.destination].forward,
                           &m_destinations[sender.destination].back,
                           &m_targetBack,
                           &source.back};
    int64_t ackNs = arrivalNs + m_target.fullNs + m_target.delayNs;
    for (const Server* server : way)
    {
        if (server->rateBps)
        {
            if (server->freeNs > ackNs || server->fullNs > gapNs)
            {
                return false;
            }
            ackNs += server->fullNs + server->delayNs;
        }
    }
    DecideBefore(arrivalNs);
    if (m_nTravelling > 0 || m_firstQueued != NONE || m_target.freeNs > arrivalNs)
    {
        return false;
    }
    const uint32_t payload = m_network.payloadBytes;
    const uint64_t startByte = sender.sndNxt;
    int64_t sent = 0;
    int64_t answered = 0; // packets of the train whose acknowledgements have been worked off
    for (; sent < most; ++sent)
    {
        const int64_t nowNs = firstNs + sent * gapNs;
        m_nowNs = std::max(m_nowNs, nowNs);
        for (;;)
        {
            const uint32_t packet = sender.firstOut;
            const int64_t eachNs = packet != NONE       ? m_packets[packet].ackNs
                                   : answered < sent ? ackNs + answered * gapNs
                                                     : NEVER;
            if (std::min(eachNs, sender.timerNs) > nowNs)
            {
                break;
            }
            if (sender.timerNs <= eachNs)
            {
                sender.newsNs = sender.timerNs;
                sender.cc->OnTimer(sender.timerNs);
            }
            else if (packet != NONE)
            {
                sender.newsNs = eachNs;
                Acknowledge(sender, packet);
                continue;
            }
            else
            {
                sender.newsNs = eachNs;
                sender.sndUna = startByte + static_cast<uint64_t>(answered + 1) * payload;
                NeedControl(sender);
                sender.cc->OnAck({eachNs,
                                  sender.sndUna,
                                  sender.sndNxt,
                                  false,
                                  firstNs + answered * gapNs,
                                  nullptr});
                ++answered;
            }
            if (m_timers)
            {
                sender.timerNs = sender.cc->GetNextTimerNs();
            }
            FollowRate(sender);
        }
        if (sender.rateBps != nic.rateBps || sender.sndNxt - sender.sndUna >= sender.window)
        {
            break;
        }
        sender.sndNxt += payload;
    }
    if (sent == 0)
    {
        return false;
    }
    // leave everything as if the packets had been sent one by one
    for (int64_t i = answered; i < sent; ++i)
    {
        const uint32_t number = NewPacket();
        Packet& packet = m_packets[number];
        packet.sentNs = firstNs + i * gapNs;
        packet.ackNs = ackNs + i * gapNs;
        packet.leaveNs = arrivalNs + i * gapNs;
        packet.endByte = startByte + static_cast<uint64_t>(i + 1) * payload;
        packet.sumBytes = m_sumBytes + static_cast<uint64_t>(i + 1) * m_fullBytes;
        packet.queueBytes = 0;
        packet.flow = sender.flow;
        packet.sender = index;
        packet.wireBytes = m_fullBytes;
        packet.destination = sender.destination;
        packet.nextQueued = NONE;
        packet.decided = true;
        packet.marked = false;
        packet.isLast = false;
        Append(sender, number);
    }
    const int64_t lastNs = arrivalNs + (sent - 1) * gapNs;
    m_sumBytes += static_cast<uint64_t>(sent) * m_fullBytes;
    m_nPackets += static_cast<uint64_t>(sent);
    m_target.freeNs = lastNs + m_target.fullNs;
    int64_t passedNs = m_target.freeNs + m_target.delayNs;
    for (Server* server : way)
    {
        const bool isForward = server == way[0];
        const uint32_t bytes = isForward ? m_fullBytes : m_wire.ackBytes;
        passedNs = Pass(*server, passedNs, bytes, bytes);
    }
    sender.lastWire = m_fullBytes;
    sender.nextSendNs = firstNs + sent * gapNs;
    nic.freeNs = sender.nextSendNs;
    nic.next = 1;
    return true;
}

void
ParsimonLeanEngine::DrainUntil(int64_t timeNs)
{
    while (m_events.PeekTimeNs() < timeNs)
    {
        const ParsimonLeanEvents::Event event = m_events.Pop();
        if (event.payload & ARRIVAL)
        {
            Arrive(event.payload & ~ARRIVAL, event.timeNs);
        }
        else if (m_interfaces[event.payload].wakeNs == event.timeNs)
        {
            m_interfaces[event.payload].wakeNs = NEVER; // nobody else sends
        }
    }
}

} // namespace ns3

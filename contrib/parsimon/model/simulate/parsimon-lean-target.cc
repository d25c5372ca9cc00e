/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// Packets at the target and behind it, and their acknowledgements: part of ParsimonLeanEngine.

#include "parsimon-lean-engine.h"

#include "ns3/dcn-units.h"

#include <algorithm>

namespace ns3
{

int64_t
ParsimonLeanEngine::TransmissionNs(const Server& server, uint32_t bytes, uint32_t fullBytes) const
{
    return bytes == fullBytes ? server.fullNs : DcnSerializationNs(bytes, server.rateBps);
}

int64_t
ParsimonLeanEngine::Pass(Server& server, int64_t arrivalNs, uint32_t bytes, uint32_t fullBytes)
{
    if (server.rateBps == 0)
    {
        return arrivalNs;
    }
    const int64_t txNs = TransmissionNs(server, bytes, fullBytes);
    if (arrivalNs < server.lastNs)
    {
        return arrivalNs + txNs + server.delayNs; // came before frames that have been passed
    }
    server.lastNs = arrivalNs;
    server.freeNs = std::max(arrivalNs, server.freeNs) + txNs;
    return server.freeNs + server.delayNs;
}

void
ParsimonLeanEngine::Arrive(uint32_t number, int64_t nowNs)
{
    Packet& packet = m_packets[number];
    --m_nTravelling;
    if (!m_options.contention)
    {
        Server& own = m_own[packet.flow];
        packet.leaveNs = std::max(nowNs, own.freeNs);
        own.freeNs = packet.leaveNs + TransmissionNs(own, packet.wireBytes, m_fullBytes);
        own.txBytes += packet.wireBytes;
        packet.sumBytes = own.txBytes;
        packet.queueBytes = 0;
        packet.decided = true;
        Deliver(number, own.freeNs);
        return;
    }
    DecideBefore(nowNs);
    m_sumBytes += packet.wireBytes;
    packet.sumBytes = m_sumBytes;
    packet.leaveNs = std::max(nowNs, m_target.freeNs);
    m_target.freeNs = packet.leaveNs + TransmissionNs(m_target, packet.wireBytes, m_fullBytes);
    if (packet.leaveNs == nowNs)
    {
        packet.queueBytes = 0; // leaves before anything else can come
        packet.decided = true;
    }
    else if (m_firstQueued == NONE)
    {
        m_firstQueued = number;
        m_lastQueued = number;
    }
    else
    {
        m_packets[m_lastQueued].nextQueued = number;
        m_lastQueued = number;
    }
    Deliver(number, m_target.freeNs);
}

void
ParsimonLeanEngine::Deliver(uint32_t number, int64_t leftNs)
{
    Packet& packet = m_packets[number];
    Destination& destination = m_destinations[packet.destination];
    const int64_t behindNs = leftNs + m_link.delayNs;
    int64_t deliveredNs;
    if (m_options.contention)
    {
        deliveredNs = Pass(destination.forward, behindNs, packet.wireBytes, m_fullBytes);
    }
    else
    {
        deliveredNs = behindNs;
        if (destination.forward.rateBps)
        {
            deliveredNs += TransmissionNs(destination.forward, packet.wireBytes, m_fullBytes) +
                           destination.forward.delayNs;
        }
    }
    if (destination.reports)
    {
        Server& far = destination.forward;
        m_far[number] = {deliveredNs - far.delayNs -
                             TransmissionNs(far, packet.wireBytes, m_fullBytes),
                         far.txBytes};
        far.txBytes += packet.wireBytes;
    }
    if (packet.isLast)
    {
        m_fctNs[packet.flow] = deliveredNs - m_link.flows[packet.flow].startNs;
    }
    int64_t ackNs = Pass(destination.back, deliveredNs, m_wire.ackBytes, m_wire.ackBytes);
    ackNs = Pass(m_targetBack, ackNs, m_wire.ackBytes, m_wire.ackBytes);
    const uint32_t source = packet.sender == NONE ? m_link.flows[packet.flow].source
                                                  : m_senders[packet.sender].source;
    ackNs = Pass(m_sources[source].back, ackNs, m_wire.ackBytes, m_wire.ackBytes);
    if (packet.sender == NONE)
    {
        if (packet.decided)
        {
            FreePacket(number);
        }
        return;
    }
    packet.ackNs = ackNs;
    Sender& sender = m_senders[packet.sender];
    if (sender.waiting)
    {
        sender.waiting = false;
        Interface& nic = m_interfaces[sender.interface];
        WakeAt(nic, sender.interface, std::max(ackNs, nic.freeNs));
    }
}

void
ParsimonLeanEngine::DecideBefore(int64_t timeNs)
{
    while (m_firstQueued != NONE && m_packets[m_firstQueued].leaveNs < timeNs)
    {
        const uint32_t number = m_firstQueued;
        Packet& packet = m_packets[number];
        m_firstQueued = packet.nextQueued;
        packet.queueBytes = m_sumBytes - packet.sumBytes;
        packet.marked = IsMarked(packet.queueBytes);
        m_nMarked += packet.marked ? 1 : 0;
        packet.decided = true;
        if (packet.sender == NONE)
        {
            FreePacket(number);
        }
    }
}

bool
ParsimonLeanEngine::IsMarked(uint64_t queueBytes)
{
    if (queueBytes <= m_kminBytes)
    {
        return false;
    }
    if (queueBytes > m_kmaxBytes)
    {
        return true;
    }
    const double probability = m_network.ecnPmax * static_cast<double>(queueBytes - m_kminBytes) /
                               static_cast<double>(m_kmaxBytes - m_kminBytes);
    ++m_nDraws;
    return m_random->RandU01() < probability;
}

} // namespace ns3

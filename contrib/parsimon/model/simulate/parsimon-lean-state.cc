/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

// The state of a run just before a flow starts: part of ParsimonLeanEngine.

#include "parsimon-lean-engine.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace ns3
{

namespace
{

/// Where a packet is found.
enum class PacketKind : uint8_t
{
    KNOWN, //!< among those that a sender has out
    LOOSE, //!< its flow has sent its last byte
    NONE,  //!< there is no further one
};

} // namespace

ParsimonLeanEngine::Names
ParsimonLeanEngine::GetNames() const
{
    Names names;
    auto number = [](std::vector<uint32_t>& list, std::size_t n) {
        list.resize(n);
        std::iota(list.begin(), list.end(), 0U);
    };
    number(names.flows, m_link.flows.size());
    number(names.interfaces, m_interfaces.size());
    number(names.sources, m_sources.size());
    number(names.destinations, m_destinations.size());
    return names;
}

bool
ParsimonLeanEngine::IsIdle()
{
    return m_nSenders == 0 && m_events.PeekTimeNs() == NEVER;
}

std::shared_ptr<const RngStream>
ParsimonLeanEngine::GetRandom() const
{
    return m_random ? std::make_shared<const RngStream>(*m_random) : nullptr;
}

void
ParsimonLeanEngine::SetRandom(const std::shared_ptr<const RngStream>& random)
{
    if (random)
    {
        m_random = std::make_unique<RngStream>(*random);
    }
}

std::vector<int64_t>&
ParsimonLeanEngine::GetFctNs()
{
    return m_fctNs;
}

std::string
ParsimonLeanEngine::SaveState(const Names& names)
{
    DcnStateBytes state;
    auto write = [&state](auto value) { state.Exchange(value); };
    // whatever has ended by now is the same
    auto writeTime = [&](int64_t timeNs) { write(std::max(timeNs, m_nowNs)); };
    write(m_telemetry ? m_sumBytes : 0);
    write(m_nDraws);
    writeTime(m_target.freeNs);
    writeTime(m_targetBack.freeNs);
    writeTime(m_targetBack.lastNs);

    // interfaces and their senders
    std::vector<std::pair<uint32_t, uint32_t>> order; // name, number
    auto isIdle = [this](const Interface& nic) {
        return nic.flows.empty() && nic.freeNs <= m_nowNs && nic.wakeNs == NEVER && nic.next == 0;
    };
    for (uint32_t i = 0; i < m_interfaces.size(); ++i)
    {
        // also one whose only flow is sent but for its last packet: another input may have more
        // flows
        const Interface& nic = m_interfaces[i];
        if (nic.isShared ? !isIdle(nic) : nic.flows.empty() && nic.freeNs > m_nowNs)
        {
            order.emplace_back(names.interfaces[i], i);
        }
    }
    for (const Sender& sender : m_senders)
    {
        if (sender.flow != NONE && !m_interfaces[sender.interface].isShared)
        {
            order.emplace_back(names.interfaces[sender.interface], sender.interface);
        }
    }
    std::sort(order.begin(), order.end());
    write(static_cast<uint32_t>(order.size()));
    std::vector<uint32_t> numbers(m_packets.size(), NONE); // of packets that senders have out
    uint32_t nOut = 0;
    for (const auto& [name, i] : order)
    {
        const Interface& nic = m_interfaces[i];
        write(name);
        writeTime(nic.freeNs);
        write(nic.wakeNs);
        write(nic.next);
        write(static_cast<uint32_t>(nic.flows.size()));
        for (uint32_t index : nic.flows)
        {
            Sender& sender = m_senders[index];
            write(names.flows[sender.flow]);
            ExchangeSender(state, sender);
            for (uint32_t each = sender.firstOut; each != NONE; each = m_packets[each].nextOut)
            {
                numbers[each] = nOut++;
                write(PacketKind::KNOWN);
                ExchangePacket(state, m_packets[each]);
            }
            write(PacketKind::NONE);
            Server& back = m_sources[sender.source].back;
            writeTime(back.freeNs);
            writeTime(back.lastNs);
        }
    }

    // what is on its way to the target, what waits there, and when interfaces wake up
    auto writePacket = [&](uint32_t number, bool isQueued) {
        if (numbers[number] != NONE)
        {
            write(PacketKind::KNOWN);
            write(numbers[number]);
            return;
        }
        Packet& packet = m_packets[number];
        write(PacketKind::LOOSE);
        write(names.flows[packet.flow]);
        write(packet.wireBytes);
        write(packet.isLast);
        if (isQueued)
        {
            ExchangeQueueing(state, packet);
        }
    };
    m_events.ForEach([&](int64_t timeNs, int64_t causeNs, uint32_t payload) {
        if (payload & ARRIVAL)
        {
            writePacket(payload & ~ARRIVAL, false);
        }
        else
        {
            const Interface& nic = m_interfaces[payload];
            if (nic.wakeNs != timeNs || (!nic.isShared && nic.flows.empty()))
            {
                return; // means nothing any more
            }
            write(PacketKind::NONE);
            write(names.interfaces[payload]);
        }
        write(timeNs);
        write(causeNs);
    });
    write(PacketKind::NONE);
    write(NONE);
    for (uint32_t each = m_firstQueued; each != NONE; each = m_packets[each].nextQueued)
    {
        writePacket(each, true);
    }
    write(PacketKind::NONE);

    // links at hosts
    auto writeServers = [&](Server Destination::*which) {
        order.clear();
        for (uint32_t i = 0; i < m_destinations.size(); ++i)
        {
            const Server& server = m_destinations[i].*which;
            if (server.freeNs > m_nowNs || server.lastNs > m_nowNs || server.txBytes > 0)
            {
                order.emplace_back(names.destinations[i], i);
            }
        }
        std::sort(order.begin(), order.end());
        for (const auto& [name, i] : order)
        {
            const Server& server = m_destinations[i].*which;
            write(name);
            writeTime(server.freeNs);
            writeTime(server.lastNs);
            write(server.txBytes);
        }
        write(NONE);
    };
    writeServers(&Destination::forward);
    writeServers(&Destination::back);
    order.clear();
    for (uint32_t i = 0; i < m_sources.size(); ++i)
    {
        if (m_sources[i].back.freeNs > m_nowNs || m_sources[i].back.lastNs > m_nowNs)
        {
            order.emplace_back(names.sources[i], i);
        }
    }
    std::sort(order.begin(), order.end());
    for (const auto& [name, i] : order)
    {
        write(name);
        writeTime(m_sources[i].back.freeNs);
        writeTime(m_sources[i].back.lastNs);
    }
    write(NONE);
    return std::move(state.GetBytes());
}

void
ParsimonLeanEngine::LoadState(const std::string& bytes, uint32_t flow, const Names& numbers)
{
    Clear();
    m_nextFlow = flow;
    m_nowNs = m_link.flows[flow].startNs;
    m_events.Advance(m_nowNs);
    DcnStateBytes state(bytes);
    auto read = [&state](auto value) {
        state.Exchange(value);
        return value;
    };
    m_sumBytes = read(m_sumBytes);
    m_nDraws = read(m_nDraws);
    m_target.freeNs = read(m_nowNs);
    m_targetBack.freeNs = read(m_nowNs);
    m_targetBack.lastNs = read(m_nowNs);

    std::vector<uint32_t> out; // packets that senders have out
    for (auto nInterfaces = read(uint32_t{0}); nInterfaces > 0; --nInterfaces)
    {
        Interface& nic = m_interfaces[numbers.interfaces[read(uint32_t{0})]];
        nic.freeNs = read(m_nowNs);
        nic.wakeNs = read(m_nowNs);
        nic.next = read(uint32_t{0});
        for (auto nSenders = read(uint32_t{0}); nSenders > 0; --nSenders)
        {
            const uint32_t index = MakeSender(numbers.flows[read(uint32_t{0})]);
            Sender& sender = m_senders[index];
            ExchangeSender(state, sender);
            while (read(PacketKind::NONE) == PacketKind::KNOWN)
            {
                const uint32_t packet = MakePacket(sender.flow, index);
                ExchangePacket(state, m_packets[packet]);
                Append(sender, packet);
                out.push_back(packet);
            }
            Server& back = m_sources[sender.source].back;
            back.freeNs = read(m_nowNs);
            back.lastNs = read(m_nowNs);
        }
    }

    auto readPacket = [&](PacketKind kind, bool isQueued) {
        if (kind == PacketKind::KNOWN)
        {
            return out[read(uint32_t{0})];
        }
        const uint32_t number = MakePacket(numbers.flows[read(uint32_t{0})], NONE);
        Packet& packet = m_packets[number];
        packet.wireBytes = read(packet.wireBytes);
        packet.isLast = read(packet.isLast);
        if (isQueued)
        {
            ExchangeQueueing(state, packet);
        }
        return number;
    };
    for (;;)
    {
        const auto kind = read(PacketKind::NONE);
        uint32_t payload = 0;
        if (kind == PacketKind::NONE)
        {
            const auto name = read(uint32_t{0});
            if (name == NONE)
            {
                break;
            }
            payload = numbers.interfaces[name];
        }
        else
        {
            payload = readPacket(kind, false) | ARRIVAL;
            ++m_nTravelling;
        }
        const int64_t timeNs = read(m_nowNs);
        m_events.Push(timeNs, read(m_nowNs), payload);
    }
    for (auto kind = read(PacketKind::NONE); kind != PacketKind::NONE;)
    {
        const uint32_t packet = readPacket(kind, true);
        (m_firstQueued == NONE ? m_firstQueued : m_packets[m_lastQueued].nextQueued) = packet;
        m_lastQueued = packet;
        kind = read(PacketKind::NONE);
    }

    auto readServers = [&](Server Destination::*which) {
        for (auto name = read(uint32_t{0}); name != NONE; name = read(uint32_t{0}))
        {
            Server& server = m_destinations[numbers.destinations[name]].*which;
            server.freeNs = read(m_nowNs);
            server.lastNs = read(m_nowNs);
            server.txBytes = read(uint64_t{0});
        }
    };
    readServers(&Destination::forward);
    readServers(&Destination::back);
    for (auto name = read(uint32_t{0}); name != NONE; name = read(uint32_t{0}))
    {
        Server& back = m_sources[numbers.sources[name]].back;
        back.freeNs = read(m_nowNs);
        back.lastNs = read(m_nowNs);
    }
}

void
ParsimonLeanEngine::Clear()
{
    for (const Sender& sender : m_senders)
    {
        if (sender.flow != NONE)
        {
            m_interfaces[sender.interface].flows.clear();
        }
    }
    m_senders.clear();
    m_freeSenders.clear();
    m_nSenders = 0;
    m_packets.clear();
    m_far.clear();
    m_freePackets = NONE;
    m_firstQueued = NONE;
    m_lastQueued = NONE;
    m_nTravelling = 0;
    m_events = ParsimonLeanEvents();
    for (Interface& nic : m_interfaces)
    {
        nic.freeNs = 0;
        nic.wakeNs = NEVER;
        nic.next = 0;
    }
    auto free = [](Server& server) {
        server.freeNs = 0;
        server.lastNs = 0;
        server.txBytes = 0;
    };
    for (Source& source : m_sources)
    {
        free(source.back);
    }
    for (Destination& destination : m_destinations)
    {
        free(destination.forward);
        free(destination.back);
    }
}

uint32_t
ParsimonLeanEngine::MakePacket(uint32_t flow, uint32_t sender)
{
    const uint32_t number = NewPacket();
    Packet& packet = m_packets[number];
    packet.ackNs = NEVER;
    packet.flow = flow;
    packet.sender = sender;
    packet.destination = m_link.flows[flow].destination;
    packet.nextQueued = NONE;
    packet.decided = false;
    packet.marked = false;
    return number;
}

void
ParsimonLeanEngine::ExchangeSender(DcnStateBytes& state, Sender& sender)
{
    if (state.IsWriting())
    {
        sender.newsNs = std::max(sender.newsNs, m_nowNs); // nothing is sent before now
        if (!m_telemetry)
        {
            sender.nextSendNs = std::max(sender.nextSendNs, m_nowNs);
        }
    }
    state.Exchange(sender.sndNxt);
    state.Exchange(sender.sndUna);
    state.Exchange(sender.window);
    state.Exchange(sender.rateBps);
    state.Exchange(sender.nextSendNs);
    state.Exchange(sender.newsNs);
    state.Exchange(sender.timerNs);
    state.Exchange(sender.lastWire);
    state.Exchange(sender.waiting);
    bool hasControl = sender.cc != nullptr;
    state.Exchange(hasControl);
    if (hasControl)
    {
        NeedControl(sender);
        sender.cc->ExchangeState(state);
    }
}

void
ParsimonLeanEngine::ExchangePacket(DcnStateBytes& state, Packet& packet)
{
    state.Exchange(packet.sentNs);
    state.Exchange(packet.ackNs);
    state.Exchange(packet.endByte);
    state.Exchange(packet.wireBytes);
    state.Exchange(packet.decided);
    state.Exchange(packet.marked);
    state.Exchange(packet.isLast);
    if (packet.ackNs != NEVER)
    {
        ExchangeQueueing(state, packet);
    }
}

void
ParsimonLeanEngine::ExchangeQueueing(DcnStateBytes& state, Packet& packet)
{
    if (packet.decided && !m_telemetry)
    {
        return; // its mark is all that is left of it
    }
    // without telemetry, only differences of sums count
    uint64_t sum = m_telemetry ? packet.sumBytes : m_sumBytes - packet.sumBytes;
    state.Exchange(sum);
    packet.sumBytes = m_telemetry ? sum : m_sumBytes - sum;
    state.Exchange(packet.leaveNs);
    if (packet.decided)
    {
        state.Exchange(packet.queueBytes);
    }
    if (m_telemetry)
    {
        state.Exchange(m_far[&packet - m_packets.data()]);
    }
}

} // namespace ns3

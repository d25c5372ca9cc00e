/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "parsimon-lean-state.h"

#include "ns3/dcn-replayable-control.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace ns3
{

namespace
{

/// Kind of a packet in a state.
enum class PacketKind : uint8_t
{
    KNOWN, //!< in flight, written with its sender
    LOOSE, //!< its flow has sent its last byte and has no sender any more
    NONE,  //!< end of the list
};

} // namespace

ParsimonLeanState::Names::Names(const ParsimonLink& link)
    : flows(link.flows.size()),
      sources(link.sources.size()),
      destinations(link.destinations.size())
{
    const std::vector<uint32_t> numbers = link.NumberNics();
    const auto last = std::max_element(numbers.begin(), numbers.end());
    nics.resize(last == numbers.end() ? 0 : *last + 1);
    for (auto* list : {&flows, &nics, &sources, &destinations})
    {
        std::iota(list->begin(), list->end(), 0U);
    }
}

ParsimonLeanState::ParsimonLeanState(Engine& engine, const Names& names)
{
    using Nic = Engine::Nic;
    using Packet = Engine::Packet;
    using Sender = Engine::Sender;
    using Transmitter = Engine::Transmitter;
    const int64_t nowTicks = engine.m_nowTicks;
    DcnStateBytes state;
    auto write = [&state](auto value) { state.Exchange(value); };
    // past times have no effect: written as the present
    auto writeTime = [&](int64_t timeNs) { write(std::max(timeNs, nowTicks)); };
    write(engine.m_telemetry ? engine.m_sumBytes : 0);
    writeTime(engine.m_target.freeTicks);
    writeTime(engine.m_targetBack.freeTicks);
    writeTime(engine.m_targetBack.lastTicks);

    // NICs and their senders
    std::vector<std::pair<uint32_t, uint32_t>> order; // name, number
    auto isIdle = [nowTicks](const Nic& nic) {
        return nic.flows.empty() && nic.freeTicks <= nowTicks && nic.wakeTicks == Engine::NEVER &&
               nic.next == 0;
    };
    for (uint32_t i = 0; i < engine.m_nics.size(); ++i)
    {
        // also a NIC that still sends the last packet of its only flow: another topology may give
        // it more flows
        const Nic& nic = engine.m_nics[i];
        if (nic.isShared ? !isIdle(nic) : nic.flows.empty() && nic.freeTicks > nowTicks)
        {
            order.emplace_back(names.nics[i], i);
        }
    }
    for (const Sender& sender : engine.m_senders)
    {
        if (sender.flow != NONE && !engine.m_nics[sender.nic].isShared)
        {
            order.emplace_back(names.nics[sender.nic], sender.nic);
        }
    }
    std::sort(order.begin(), order.end());
    write(static_cast<uint32_t>(order.size()));
    std::vector<uint32_t> numbers(engine.m_packets.size(), NONE); // of packets in flight
    uint32_t nOut = 0;
    for (const auto& [name, i] : order)
    {
        const Nic& nic = engine.m_nics[i];
        write(name);
        writeTime(nic.freeTicks);
        write(nic.wakeTicks);
        write(nic.next);
        write(static_cast<uint32_t>(nic.flows.size()));
        for (uint32_t index : nic.flows)
        {
            Sender& sender = engine.m_senders[index];
            write(names.flows[sender.flow]);
            Exchange(state, engine, sender);
            for (uint32_t each = sender.firstOut; each != NONE;
                 each = engine.m_packets[each].nextOut)
            {
                numbers[each] = nOut++;
                write(PacketKind::KNOWN);
                Exchange(state, engine, engine.m_packets[each]);
            }
            write(PacketKind::NONE);
            Transmitter& back = engine.m_sources[sender.source].back;
            writeTime(back.freeTicks);
            writeTime(back.lastTicks);
        }
    }

    // packets on their way to the target, wake-ups of NICs, and packets that wait at the target
    auto writePacket = [&](uint32_t number, bool isQueued) {
        if (numbers[number] != NONE)
        {
            write(PacketKind::KNOWN);
            write(numbers[number]);
            return;
        }
        Packet& packet = engine.m_packets[number];
        write(PacketKind::LOOSE);
        write(names.flows[packet.flow]);
        write(packet.wireBytes);
        write(packet.isLast);
        if (isQueued)
        {
            ExchangeQueueing(state, engine, packet);
        }
    };
    // a wake-up that an earlier one replaced may be asked for again at its old time
    std::vector<char> isWoken(engine.m_nics.size(), 0);
    engine.m_events.ForEach([&](const ParsimonLeanEvent& event) {
        const uint32_t payload = event.payload;
        if (payload & Engine::ARRIVAL)
        {
            writePacket(payload & ~Engine::ARRIVAL, false);
        }
        else
        {
            const Nic& nic = engine.m_nics[payload];
            if (nic.wakeTicks != event.timeNs || (!nic.isShared && nic.flows.empty()) ||
                std::exchange(isWoken[payload], 1))
            {
                return; // has no further effect
            }
            write(PacketKind::NONE);
            write(names.nics[payload]);
        }
        write(event.timeNs);
    });
    write(PacketKind::NONE);
    write(NONE);
    for (uint32_t each = engine.m_firstQueued; each != NONE;
         each = engine.m_packets[each].nextQueued)
    {
        writePacket(each, true);
    }
    write(PacketKind::NONE);

    // links at hosts that are busy or have sent bytes
    auto writeTransmitters = [&](const std::vector<uint32_t>& ends, auto get) {
        order.clear();
        for (uint32_t i = 0; i < ends.size(); ++i)
        {
            const Transmitter& each = get(i);
            if (each.freeTicks > nowTicks || each.lastTicks > nowTicks || each.txBytes > 0)
            {
                order.emplace_back(ends[i], i);
            }
        }
        std::sort(order.begin(), order.end());
        for (const auto& [name, i] : order)
        {
            write(name);
            writeTime(get(i).freeTicks);
            writeTime(get(i).lastTicks);
            write(get(i).txBytes);
        }
        write(NONE);
    };
    const auto& ends = engine.m_destinations;
    writeTransmitters(names.destinations,
                      [&](uint32_t i) -> const Transmitter& { return ends[i].forward; });
    writeTransmitters(names.destinations,
                      [&](uint32_t i) -> const Transmitter& { return ends[i].back; });
    writeTransmitters(names.sources,
                      [&](uint32_t i) -> const Transmitter& { return engine.m_sources[i].back; });
    m_bytes = std::move(state.GetBytes());
}

void
ParsimonLeanState::Restore(Engine& engine, uint32_t flow, const Names& numbers) const
{
    using Nic = Engine::Nic;
    using Packet = Engine::Packet;
    using Sender = Engine::Sender;
    using Transmitter = Engine::Transmitter;
    Clear(engine);
    engine.m_nextFlow = flow;
    engine.m_nowTicks = engine.m_link.flows[flow].startNs;
    engine.m_events.Advance(engine.m_nowTicks);
    DcnStateBytes state(m_bytes);
    auto read = [&state](auto value) {
        state.Exchange(value);
        return value;
    };
    engine.m_sumBytes = read(engine.m_sumBytes);
    engine.m_target.freeTicks = read(engine.m_nowTicks);
    engine.m_targetBack.freeTicks = read(engine.m_nowTicks);
    engine.m_targetBack.lastTicks = read(engine.m_nowTicks);

    std::vector<uint32_t> out; // packets in flight of senders
    for (auto nNics = read(uint32_t{0}); nNics > 0; --nNics)
    {
        Nic& nic = engine.m_nics[numbers.nics[read(uint32_t{0})]];
        nic.freeTicks = read(engine.m_nowTicks);
        nic.wakeTicks = read(engine.m_nowTicks);
        nic.next = read(uint32_t{0});
        for (auto nSenders = read(uint32_t{0}); nSenders > 0; --nSenders)
        {
            const uint32_t index = engine.MakeSender(numbers.flows[read(uint32_t{0})]);
            Sender& sender = engine.m_senders[index];
            Exchange(state, engine, sender);
            while (read(PacketKind::NONE) == PacketKind::KNOWN)
            {
                const uint32_t packet = engine.NewPacket(sender.flow, index, sender.destination);
                Exchange(state, engine, engine.m_packets[packet]);
                engine.Append(sender, packet);
                out.push_back(packet);
            }
            Transmitter& back = engine.m_sources[sender.source].back;
            back.freeTicks = read(engine.m_nowTicks);
            back.lastTicks = read(engine.m_nowTicks);
        }
    }

    auto readPacket = [&](PacketKind kind, bool isQueued) {
        if (kind == PacketKind::KNOWN)
        {
            return out[read(uint32_t{0})];
        }
        const uint32_t place = numbers.flows[read(uint32_t{0})];
        const uint32_t number =
            engine.NewPacket(place, NONE, engine.m_link.flows[place].destination);
        Packet& packet = engine.m_packets[number];
        packet.wireBytes = read(packet.wireBytes);
        packet.isLast = read(packet.isLast);
        if (isQueued)
        {
            ExchangeQueueing(state, engine, packet);
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
            payload = numbers.nics[name];
        }
        else
        {
            payload = readPacket(kind, false) | Engine::ARRIVAL;
            ++engine.m_nTravelling;
        }
        engine.m_events.Push(engine.MakeEvent(read(engine.m_nowTicks), payload));
    }
    for (auto kind = read(PacketKind::NONE); kind != PacketKind::NONE;)
    {
        const uint32_t packet = readPacket(kind, true);
        (engine.m_firstQueued == NONE ? engine.m_firstQueued
                                      : engine.m_packets[engine.m_lastQueued].nextQueued) = packet;
        engine.m_lastQueued = packet;
        kind = read(PacketKind::NONE);
    }

    auto readTransmitters = [&](const std::vector<uint32_t>& ends, auto get) {
        for (auto name = read(uint32_t{0}); name != NONE; name = read(uint32_t{0}))
        {
            Transmitter& each = get(ends[name]);
            each.freeTicks = read(engine.m_nowTicks);
            each.lastTicks = read(engine.m_nowTicks);
            each.txBytes = read(uint64_t{0});
        }
    };
    auto& ends = engine.m_destinations;
    readTransmitters(numbers.destinations,
                     [&](uint32_t i) -> Transmitter& { return ends[i].forward; });
    readTransmitters(numbers.destinations,
                     [&](uint32_t i) -> Transmitter& { return ends[i].back; });
    readTransmitters(numbers.sources,
                     [&](uint32_t i) -> Transmitter& { return engine.m_sources[i].back; });
}

void
ParsimonLeanState::Clear(Engine& engine)
{
    for (const Engine::Sender& sender : engine.m_senders)
    {
        if (sender.flow != NONE)
        {
            engine.m_nics[sender.nic].flows.clear();
        }
    }
    engine.m_senders.clear();
    engine.m_freeSenders.clear();
    engine.m_nSenders = 0;
    engine.m_packets.clear();
    engine.m_far.clear();
    engine.m_freePackets = NONE;
    engine.m_firstQueued = NONE;
    engine.m_lastQueued = NONE;
    engine.m_nTravelling = 0;
    engine.m_events = ParsimonLeanEvents();
    for (Engine::Nic& nic : engine.m_nics)
    {
        nic.freeTicks = 0;
        nic.wakeTicks = Engine::NEVER;
        nic.next = 0;
    }
    auto free = [](Engine::Transmitter& transmitter) {
        transmitter.freeTicks = 0;
        transmitter.lastTicks = 0;
        transmitter.txBytes = 0;
    };
    for (Engine::Source& source : engine.m_sources)
    {
        free(source.back);
    }
    for (Engine::Destination& destination : engine.m_destinations)
    {
        free(destination.forward);
        free(destination.back);
    }
}

void
ParsimonLeanState::Exchange(DcnStateBytes& state, Engine& engine, Engine::Sender& sender)
{
    if (state.IsWriting())
    {
        sender.lastInputTicks =
            std::max(sender.lastInputTicks, engine.m_nowTicks); // nothing is sent before now
        if (!engine.m_telemetry)
        {
            sender.nextSendTicks = std::max(sender.nextSendTicks, engine.m_nowTicks);
        }
    }
    state.Exchange(sender.sndNxt);
    state.Exchange(sender.sndUna);
    state.Exchange(sender.window);
    state.Exchange(sender.rateBps);
    state.Exchange(sender.nextSendTicks);
    state.Exchange(sender.lastInputTicks);
    state.Exchange(sender.timerTicks);
    state.Exchange(sender.lastWire);
    state.Exchange(sender.waiting);
    bool hasControl = sender.cc != nullptr;
    state.Exchange(hasControl);
    if (hasControl)
    {
        engine.NeedControl(sender);
        sender.cc->AsReplayable()->ExchangeState(state);
    }
}

void
ParsimonLeanState::Exchange(DcnStateBytes& state, Engine& engine, Engine::Packet& packet)
{
    state.Exchange(packet.sentTicks);
    state.Exchange(packet.ackTicks);
    state.Exchange(packet.endByte);
    state.Exchange(packet.wireBytes);
    state.Exchange(packet.decided);
    state.Exchange(packet.marked);
    state.Exchange(packet.isLast);
    if (packet.ackTicks != Engine::NEVER)
    {
        ExchangeQueueing(state, engine, packet);
    }
}

void
ParsimonLeanState::ExchangeQueueing(DcnStateBytes& state, Engine& engine, Engine::Packet& packet)
{
    if (packet.decided && !engine.m_telemetry)
    {
        return; // only its mark has a further effect
    }
    // without telemetry, only differences of sums have an effect
    uint64_t sum = engine.m_telemetry ? packet.sumBytes : engine.m_sumBytes - packet.sumBytes;
    state.Exchange(sum);
    packet.sumBytes = engine.m_telemetry ? sum : engine.m_sumBytes - sum;
    state.Exchange(packet.leaveTicks);
    if (packet.decided)
    {
        state.Exchange(packet.queueBytes);
    }
    if (engine.m_telemetry)
    {
        state.Exchange(engine.m_far[&packet - engine.m_packets.data()]);
    }
}

} // namespace ns3

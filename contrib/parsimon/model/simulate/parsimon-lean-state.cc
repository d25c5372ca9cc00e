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

/// Writes the state of a run.
class ParsimonLeanState::Writer
{
  public:
    /// @param engine the run
    /// @param names of its flows and ends
    Writer(Engine& engine, const Names& names)
        : m_engine(engine),
          m_names(names),
          m_nowTicks(engine.m_nowTicks)
    {
    }

    /// @return the state
    std::string Save()
    {
        Write(m_engine.m_telemetry ? m_engine.m_sumBytes : 0);
        WriteTime(m_engine.m_target.freeTicks);
        WriteTime(m_engine.m_targetBack.freeTicks);
        WriteTime(m_engine.m_targetBack.lastTicks);
        WriteNics();
        WriteTravelling();
        WriteQueue();
        WriteLinks();
        return std::move(m_state.GetBytes());
    }

  private:
    using Named = std::vector<std::pair<uint32_t, uint32_t>>; //!< name, number

    /// Writes a value.
    template <typename T>
    void Write(T value)
    {
        m_state.Exchange(value);
    }

    /// Writes a time; past times have no effect: written as the present.
    void WriteTime(int64_t timeTicks)
    {
        Write(std::max(timeTicks, m_nowTicks));
    }

    /// Writes a packet that is not in flight any more, or on its way.
    void WritePacket(uint32_t number, bool isQueued);
    /// Writes links at hosts that are busy or have sent bytes.
    template <typename Get>
    void WriteTransmitters(const std::vector<uint32_t>& ends, const Get& get);
    Named FindNics() const;
    void WriteNics();
    void WriteTravelling();
    void WriteQueue();
    void WriteLinks();

    Engine& m_engine;                //!< the run
    const Names& m_names;            //!< of its flows and ends
    const int64_t m_nowTicks;        //!< the present
    DcnStateBytes m_state;           //!< written so far
    std::vector<uint32_t> m_numbers; //!< of packets in flight
};

ParsimonLeanState::Writer::Named
ParsimonLeanState::Writer::FindNics() const
{
    using Nic = Engine::Nic;
    using Sender = Engine::Sender;
    Named order;
    auto isIdle = [this](const Nic& nic) {
        return nic.flows.empty() && nic.freeTicks <= m_nowTicks && nic.wakeTicks == Engine::NEVER &&
               nic.next == 0;
    };
    for (uint32_t i = 0; i < m_engine.m_nics.size(); ++i)
    {
        // also a NIC that still sends the last packet of its only flow: another topology may give
        // it more flows
        const Nic& nic = m_engine.m_nics[i];
        if (nic.isShared ? !isIdle(nic) : nic.flows.empty() && nic.freeTicks > m_nowTicks)
        {
            order.emplace_back(m_names.nics[i], i);
        }
    }
    for (const Sender& sender : m_engine.m_senders)
    {
        if (sender.flow != NONE && !m_engine.m_nics[sender.nic].isShared)
        {
            order.emplace_back(m_names.nics[sender.nic], sender.nic);
        }
    }
    std::sort(order.begin(), order.end());
    return order;
}

void
ParsimonLeanState::Writer::WriteNics()
{
    using Nic = Engine::Nic;
    using Sender = Engine::Sender;
    using Transmitter = Engine::Transmitter;
    const Named order = FindNics();
    Write(static_cast<uint32_t>(order.size()));
    m_numbers.assign(m_engine.m_packets.size(), NONE);
    uint32_t nOut = 0;
    for (const auto& [name, i] : order)
    {
        const Nic& nic = m_engine.m_nics[i];
        Write(name);
        WriteTime(nic.freeTicks);
        Write(nic.wakeTicks);
        Write(nic.next);
        Write(static_cast<uint32_t>(nic.flows.size()));
        for (uint32_t index : nic.flows)
        {
            Sender& sender = m_engine.m_senders[index];
            Write(m_names.flows[sender.flow]);
            Exchange(m_state, m_engine, sender);
            for (uint32_t each = sender.firstOut; each != NONE;
                 each = m_engine.m_packets[each].nextOut)
            {
                m_numbers[each] = nOut++;
                Write(PacketKind::KNOWN);
                Exchange(m_state, m_engine, m_engine.m_packets[each]);
            }
            Write(PacketKind::NONE);
            Transmitter& back = m_engine.m_sources[sender.source].back;
            WriteTime(back.freeTicks);
            WriteTime(back.lastTicks);
        }
    }
}

void
ParsimonLeanState::Writer::WritePacket(uint32_t number, bool isQueued)
{
    if (m_numbers[number] != NONE)
    {
        Write(PacketKind::KNOWN);
        Write(m_numbers[number]);
        return;
    }
    Engine::Packet& packet = m_engine.m_packets[number];
    Write(PacketKind::LOOSE);
    Write(m_names.flows[packet.flow]);
    Write(packet.wireBytes);
    Write(packet.isLast);
    if (isQueued)
    {
        ExchangeQueueing(m_state, m_engine, packet);
    }
}

void
ParsimonLeanState::Writer::WriteTravelling()
{
    using Nic = Engine::Nic;
    // a wake-up that an earlier one replaced may be asked for again at its old time
    std::vector<char> isWoken(m_engine.m_nics.size(), 0);
    m_engine.m_events.ForEach([&](const ParsimonLeanEvent& event) {
        const uint32_t payload = event.payload;
        if (payload & Engine::ARRIVAL)
        {
            WritePacket(payload & ~Engine::ARRIVAL, false);
        }
        else
        {
            const Nic& nic = m_engine.m_nics[payload];
            if (nic.wakeTicks != event.timeNs || (!nic.isShared && nic.flows.empty()) ||
                std::exchange(isWoken[payload], 1))
            {
                return; // has no further effect
            }
            Write(PacketKind::NONE);
            Write(m_names.nics[payload]);
        }
        Write(event.timeNs);
    });
    Write(PacketKind::NONE);
    Write(NONE);
}

void
ParsimonLeanState::Writer::WriteQueue()
{
    for (uint32_t each = m_engine.m_firstQueued; each != NONE;
         each = m_engine.m_packets[each].nextQueued)
    {
        WritePacket(each, true);
    }
    Write(PacketKind::NONE);
}

template <typename Get>
void
ParsimonLeanState::Writer::WriteTransmitters(const std::vector<uint32_t>& ends, const Get& get)
{
    Named order;
    for (uint32_t i = 0; i < ends.size(); ++i)
    {
        const Engine::Transmitter& each = get(i);
        if (each.freeTicks > m_nowTicks || each.lastTicks > m_nowTicks || each.txBytes > 0)
        {
            order.emplace_back(ends[i], i);
        }
    }
    std::sort(order.begin(), order.end());
    for (const auto& [name, i] : order)
    {
        Write(name);
        WriteTime(get(i).freeTicks);
        WriteTime(get(i).lastTicks);
        Write(get(i).txBytes);
    }
    Write(NONE);
}

void
ParsimonLeanState::Writer::WriteLinks()
{
    using Transmitter = Engine::Transmitter;
    const auto& ends = m_engine.m_destinations;
    WriteTransmitters(m_names.destinations,
                      [&](uint32_t i) -> const Transmitter& { return ends[i].forward; });
    WriteTransmitters(m_names.destinations,
                      [&](uint32_t i) -> const Transmitter& { return ends[i].back; });
    WriteTransmitters(m_names.sources,
                      [&](uint32_t i) -> const Transmitter& { return m_engine.m_sources[i].back; });
}

ParsimonLeanState::ParsimonLeanState(Engine& engine, const Names& names)
    : m_bytes(Writer(engine, names).Save())
{
}

/// Reads a state into a run.
class ParsimonLeanState::Reader
{
  public:
    /// @param bytes the state
    /// @param engine the run, which has no packets
    /// @param numbers by name: position or index there
    Reader(const std::string& bytes, Engine& engine, const Names& numbers)
        : m_state(bytes),
          m_engine(engine),
          m_numbers(numbers)
    {
    }

    /// Reads all.
    void Restore()
    {
        m_engine.m_sumBytes = Read(m_engine.m_sumBytes);
        m_engine.m_target.freeTicks = Read(m_engine.m_nowTicks);
        m_engine.m_targetBack.freeTicks = Read(m_engine.m_nowTicks);
        m_engine.m_targetBack.lastTicks = Read(m_engine.m_nowTicks);
        ReadNics();
        ReadTravelling();
        ReadQueue();
        ReadLinks();
    }

  private:
    /// Returns the next value, which has the type of the argument.
    template <typename T>
    T Read(T value)
    {
        m_state.Exchange(value);
        return value;
    }

    /// Reads what Writer::WritePacket has written after the kind; returns the number of the packet.
    uint32_t ReadPacket(PacketKind kind, bool isQueued);
    /// Reads links at hosts.
    template <typename Get>
    void ReadTransmitters(const std::vector<uint32_t>& ends, const Get& get);
    void ReadNics();
    void ReadTravelling();
    void ReadQueue();
    void ReadLinks();

    DcnStateBytes m_state;       //!< the state
    Engine& m_engine;            //!< the run
    const Names& m_numbers;      //!< by name
    std::vector<uint32_t> m_out; //!< packets in flight of senders
};

void
ParsimonLeanState::Reader::ReadNics()
{
    using Nic = Engine::Nic;
    using Sender = Engine::Sender;
    using Transmitter = Engine::Transmitter;
    for (auto nNics = Read(uint32_t{0}); nNics > 0; --nNics)
    {
        Nic& nic = m_engine.m_nics[m_numbers.nics[Read(uint32_t{0})]];
        nic.freeTicks = Read(m_engine.m_nowTicks);
        nic.wakeTicks = Read(m_engine.m_nowTicks);
        nic.next = Read(uint32_t{0});
        for (auto nSenders = Read(uint32_t{0}); nSenders > 0; --nSenders)
        {
            const uint32_t index = m_engine.MakeSender(m_numbers.flows[Read(uint32_t{0})]);
            Sender& sender = m_engine.m_senders[index];
            Exchange(m_state, m_engine, sender);
            while (Read(PacketKind::NONE) == PacketKind::KNOWN)
            {
                const uint32_t packet = m_engine.NewPacket(sender.flow, index, sender.destination);
                Exchange(m_state, m_engine, m_engine.m_packets[packet]);
                m_engine.Append(sender, packet);
                m_out.push_back(packet);
            }
            Transmitter& back = m_engine.m_sources[sender.source].back;
            back.freeTicks = Read(m_engine.m_nowTicks);
            back.lastTicks = Read(m_engine.m_nowTicks);
        }
    }
}

uint32_t
ParsimonLeanState::Reader::ReadPacket(PacketKind kind, bool isQueued)
{
    if (kind == PacketKind::KNOWN)
    {
        return m_out[Read(uint32_t{0})];
    }
    const uint32_t place = m_numbers.flows[Read(uint32_t{0})];
    const uint32_t number =
        m_engine.NewPacket(place, NONE, m_engine.m_link.flows[place].destination);
    Engine::Packet& packet = m_engine.m_packets[number];
    packet.wireBytes = Read(packet.wireBytes);
    packet.isLast = Read(packet.isLast);
    if (isQueued)
    {
        ExchangeQueueing(m_state, m_engine, packet);
    }
    return number;
}

void
ParsimonLeanState::Reader::ReadTravelling()
{
    for (;;)
    {
        const auto kind = Read(PacketKind::NONE);
        uint32_t payload = 0;
        if (kind == PacketKind::NONE)
        {
            const auto name = Read(uint32_t{0});
            if (name == NONE)
            {
                break;
            }
            payload = m_numbers.nics[name];
        }
        else
        {
            payload = ReadPacket(kind, false) | Engine::ARRIVAL;
            ++m_engine.m_nTravelling;
        }
        m_engine.m_events.Push(m_engine.MakeEvent(Read(m_engine.m_nowTicks), payload));
    }
}

void
ParsimonLeanState::Reader::ReadQueue()
{
    for (auto kind = Read(PacketKind::NONE); kind != PacketKind::NONE;)
    {
        const uint32_t packet = ReadPacket(kind, true);
        (m_engine.m_firstQueued == NONE ? m_engine.m_firstQueued
                                        : m_engine.m_packets[m_engine.m_lastQueued].nextQueued) =
            packet;
        m_engine.m_lastQueued = packet;
        kind = Read(PacketKind::NONE);
    }
}

template <typename Get>
void
ParsimonLeanState::Reader::ReadTransmitters(const std::vector<uint32_t>& ends, const Get& get)
{
    for (auto name = Read(uint32_t{0}); name != NONE; name = Read(uint32_t{0}))
    {
        Engine::Transmitter& each = get(ends[name]);
        each.freeTicks = Read(m_engine.m_nowTicks);
        each.lastTicks = Read(m_engine.m_nowTicks);
        each.txBytes = Read(uint64_t{0});
    }
}

void
ParsimonLeanState::Reader::ReadLinks()
{
    using Transmitter = Engine::Transmitter;
    auto& ends = m_engine.m_destinations;
    ReadTransmitters(m_numbers.destinations,
                     [&](uint32_t i) -> Transmitter& { return ends[i].forward; });
    ReadTransmitters(m_numbers.destinations,
                     [&](uint32_t i) -> Transmitter& { return ends[i].back; });
    ReadTransmitters(m_numbers.sources,
                     [&](uint32_t i) -> Transmitter& { return m_engine.m_sources[i].back; });
}

void
ParsimonLeanState::Restore(Engine& engine, uint32_t flow, const Names& numbers) const
{
    Clear(engine);
    engine.m_nextFlow = flow;
    engine.m_nowTicks = engine.m_link.flows[flow].startNs;
    engine.m_events.Advance(engine.m_nowTicks);
    Reader(m_bytes, engine, numbers).Restore();
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

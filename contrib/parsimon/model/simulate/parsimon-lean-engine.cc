/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "parsimon-lean-engine.h"

#include "../topology/parsimon-link-scenario.h"

#include "ns3/assert.h"
#include "ns3/dcn-units.h"

#include <algorithm>
#include <limits>

namespace ns3
{

ParsimonLeanEngine::ParsimonLeanEngine(const ParsimonLink& link, const Options& options)
    : m_link(link),
      m_network(*options.network),
      m_wire(DcnCongestionControl::GetWireFormat(m_network)),
      m_fullBytes(m_network.payloadBytes + m_wire.dataHeaderBytes),
      m_telemetry(m_wire.telemetry),
      m_timers(DcnCongestionControl::GetTraits(m_network).hasTimers),
      m_ownWindow(DcnCongestionControl::GetTraits(m_network).hasOwnWindow),
      m_queued(link.position != ParsimonPosition::FIRST_HOP),
      m_fctNs(link.flows.size(), -1)
{
    const ParsimonMarking marking = ParsimonTargetMarking(link, m_network);
    m_kminBytes = marking.kminBytes;
    m_kmaxBytes = marking.kmaxBytes;
    if (m_queued && m_kminBytes < m_kmaxBytes)
    {
        // the same numbers as an ns-3 random variable of this stream
        static constexpr uint64_t FIXED_STREAMS = 1ULL << 63;
        m_random = std::make_unique<RngStream>(options.rngSeed,
                                               FIXED_STREAMS +
                                                   static_cast<uint64_t>(options.markingStream),
                                               options.rngRun);
    }
    MakeEndpoints();
}

void
ParsimonLeanEngine::MakeEndpoints()
{
    auto make = [this](uint64_t rateBps, int64_t delayNs, uint32_t bytes) {
        Transmitter transmitter;
        transmitter.rateBps = rateBps;
        transmitter.delayNs = delayNs;
        transmitter.fullBytes = bytes;
        transmitter.fullNs = rateBps ? DcnSerializationNs(bytes, rateBps) : 0;
        return transmitter;
    };
    m_target = make(m_link.availableBps, m_link.delayNs, m_fullBytes);
    m_targetBack = make(m_link.availableBps, m_link.delayNs, m_wire.ackBytes);
    m_targetRttNs = m_target.fullNs + m_targetBack.fullNs + 2 * m_link.delayNs;
    const std::vector<bool> split = m_link.FindSplitSources();
    int64_t nearestNs = NEVER;
    for (const ParsimonEndpoint& endpoint : m_link.destinations)
    {
        nearestNs = std::min(nearestNs, endpoint.delayNs);
    }
    const std::vector<uint32_t> nics = m_link.NumberNics();
    for (std::size_t i = 0; i < m_link.sources.size(); ++i)
    {
        const ParsimonEndpoint& endpoint = m_link.sources[i];
        const uint64_t rateBps = m_queued ? endpoint.rateBps : m_link.availableBps;
        if (nics[i] == m_nics.size())
        {
            m_nics.push_back(
                {rateBps, DcnSerializationNs(m_fullBytes, rateBps), 0, NEVER, NEVER, 0, false, {}});
        }
        // packets now at or before the target are acknowledged after this time
        Nic& nic = m_nics[nics[i]];
        nic.ackHorizonNs =
            std::min(nic.ackHorizonNs, endpoint.delayNs + 2 * (m_link.delayNs + nearestNs));
        Source source{nics[i], endpoint.delayNs, 0, {}, 0};
        if (m_queued)
        {
            source.back = make(rateBps, endpoint.delayNs, m_wire.ackBytes);
            source.rttNs = DcnSerializationNs(m_fullBytes, rateBps) + source.back.fullNs +
                           2 * endpoint.delayNs;
            if (split[i])
            {
                source.splitBps = PARSIMON_SPLIT_FACTOR * rateBps;
                source.rttNs += DcnSerializationNs(m_fullBytes, source.splitBps) +
                                DcnSerializationNs(m_wire.ackBytes, source.splitBps);
                source.back.delayNs += DcnSerializationNs(m_wire.ackBytes, source.splitBps);
            }
        }
        m_sources.push_back(source);
    }
    for (const ParsimonEndpoint& endpoint : m_link.destinations)
    {
        Destination destination{make(endpoint.rateBps, endpoint.delayNs, m_fullBytes),
                                make(endpoint.rateBps, endpoint.delayNs, m_wire.ackBytes),
                                0,
                                false};
        // At twice the rate of the target no full packet waits there: the same packets take the
        // same time, at a utilisation below the target's, which HPCC therefore follows.
        destination.reports = m_telemetry && endpoint.rateBps > 0 &&
                              !(m_queued && endpoint.rateBps / 2 >= m_target.rateBps);
        destination.rttNs =
            destination.forward.fullNs + destination.back.fullNs + 2 * endpoint.delayNs;
        m_destinations.push_back(destination);
    }
    std::vector<uint32_t> nFlows(m_nics.size(), 0);
    for (const auto& flow : m_link.flows)
    {
        if (++nFlows[nics[flow.source]] == 2)
        {
            m_nics[nics[flow.source]].isShared = true;
        }
    }
}

std::vector<int64_t>
ParsimonLeanEngine::Run()
{
    RunUntil({});
    return std::move(m_fctNs);
}

bool
ParsimonLeanEngine::RunUntil(const Observer& observer)
{
    const auto nFlows = static_cast<uint32_t>(m_link.flows.size());
    for (;;)
    {
        const int64_t eventNs = m_events.PeekTimeNs();
        if (m_nextFlow < nFlows && m_link.flows[m_nextFlow].startNs <= eventNs)
        {
            m_nowNs = m_link.flows[m_nextFlow].startNs;
            m_events.Advance(m_nowNs);
            if (observer && !observer(m_nextFlow))
            {
                return false;
            }
            const uint32_t flow = m_nextFlow++;
            m_nextStartNs = m_nextFlow < nFlows ? m_link.flows[m_nextFlow].startNs : NEVER;
            StartFlow(flow);
            continue;
        }
        if (eventNs == NEVER)
        {
            return true;
        }
        const ParsimonLeanEvent event = m_events.Pop();
        m_nowNs = event.timeNs;
        if (event.payload & ARRIVAL)
        {
            Arrive(event.payload & ~ARRIVAL, event.timeNs);
        }
        else
        {
            Wake(event.payload);
        }
    }
}

uint64_t
ParsimonLeanEngine::GetNPackets() const
{
    return m_nPackets;
}

bool
ParsimonLeanEngine::IsIdle()
{
    return m_nSenders == 0 && m_events.PeekTimeNs() == NEVER;
}

std::vector<int64_t>&
ParsimonLeanEngine::GetFctNs()
{
    return m_fctNs;
}

void
ParsimonLeanEngine::StartFlow(uint32_t flow)
{
    Serve(m_senders[MakeSender(flow)].nic);
}

uint32_t
ParsimonLeanEngine::MakeSender(uint32_t flow)
{
    const ParsimonLinkFlow& crossing = m_link.flows[flow];
    if (m_freeSenders.empty())
    {
        m_freeSenders.push_back(static_cast<uint32_t>(m_senders.size()));
        m_senders.emplace_back();
    }
    const uint32_t index = m_freeSenders.back();
    m_freeSenders.pop_back();
    const uint32_t number = m_sources[crossing.source].nic;
    Nic& nic = m_nics[number];
    Sender& sender = m_senders[index];
    sender.flow = flow;
    sender.nic = number;
    sender.source = crossing.source;
    sender.destination = crossing.destination;
    sender.sizeBytes = crossing.sizeBytes;
    sender.sndNxt = 0;
    sender.sndUna = 0;
    sender.maxRateBps = nic.rateBps;
    for (const uint64_t limit : {m_network.maxRate.GetBitRate(), crossing.paceBps})
    {
        sender.maxRateBps = limit > 0 ? std::min(limit, sender.maxRateBps) : sender.maxRateBps;
    }
    sender.rateBps = sender.maxRateBps;
    sender.window =
        m_network.windowBytes ? m_network.windowBytes : std::numeric_limits<uint64_t>::max();
    sender.nextSendNs = crossing.startNs;
    sender.lastInputNs = crossing.startNs;
    sender.timerNs = NEVER;
    sender.firstOut = NONE;
    sender.lastOut = NONE;
    sender.lastWire = 0;
    sender.waiting = false;
    if (m_network.windowBytes == 0 && m_ownWindow)
    {
        NeedControl(sender);
        sender.window = sender.cc->GetWindowBytes();
    }
    nic.flows.push_back(index);
    ++m_nSenders;
    return index;
}

void
ParsimonLeanEngine::Wake(uint32_t number)
{
    Nic& nic = m_nics[number];
    if (nic.wakeNs == m_nowNs) // otherwise an earlier event replaces it
    {
        nic.wakeNs = NEVER;
        Serve(number);
    }
}

void
ParsimonLeanEngine::Serve(uint32_t number)
{
    Nic& nic = m_nics[number];
    int64_t knownNs = m_queued ? m_nowNs + nic.ackHorizonNs : NEVER;
    int64_t limitNs = std::min(knownNs, m_nextStartNs);
    for (;;)
    {
        // starting with the flow whose turn it is: the first flow that can send earliest
        const int64_t fromNs = std::max(m_nowNs, nic.freeNs);
        const auto n = static_cast<uint32_t>(nic.flows.size());
        int64_t sendNs = NEVER;
        uint32_t place = 0;
        uint32_t i = nic.next < n ? nic.next : 0;
        for (uint32_t tried = 0; tried < n && sendNs > fromNs; ++tried)
        {
            const int64_t eachNs = Advance(m_senders[nic.flows[i]], fromNs, knownNs);
            if (eachNs < sendNs)
            {
                sendNs = eachNs;
                place = i;
            }
            i = i + 1 < n ? i + 1 : 0;
        }
        if (sendNs == NEVER)
        {
            return;
        }
        if (sendNs >= limitNs && sendNs > m_nowNs)
        {
            WakeAt(number, sendNs);
            return;
        }
        const uint32_t index = nic.flows[place];
        if (m_nSenders == 1 && SendTrain(index, sendNs))
        {
            knownNs = m_nowNs + nic.ackHorizonNs;
            limitNs = std::min(knownNs, m_nextStartNs);
            continue;
        }
        nic.next = place + 1;
        nic.freeNs = sendNs + Send(index, sendNs);
        if (m_senders[index].sndNxt == m_senders[index].sizeBytes)
        {
            EndSender(index);
            nic.flows.erase(nic.flows.begin() + place);
            nic.next = place;
        }
    }
}

int64_t
ParsimonLeanEngine::Advance(Sender& sender, int64_t fromNs, int64_t knownNs)
{
    for (;;)
    {
        const bool open = sender.sndNxt - sender.sndUna < sender.window;
        const int64_t sendNs =
            open ? std::max({fromNs, sender.nextSendNs, sender.lastInputNs}) : NEVER;
        const uint32_t packet = sender.firstOut;
        const int64_t ackNs = packet == NONE ? NEVER : m_packets[packet].ackNs;
        const bool isUnknown = ackNs == NEVER && packet != NONE;
        const int64_t inputNs = std::min(ackNs, sender.timerNs);
        if (inputNs > sendNs || inputNs == NEVER)
        {
            // an acknowledgement can open the window; with telemetry it also moves the next packet
            sender.waiting = isUnknown && (!open || (m_telemetry && sendNs >= knownNs));
            return sendNs;
        }
        if (ackNs < sender.timerNs) // at equal times the timer comes first, as in the packet engine
        {
            if (ackNs >= knownNs && ackNs > m_nowNs && !m_packets[packet].decided)
            {
                return open && !m_telemetry ? sendNs : std::max(fromNs, ackNs);
            }
            Acknowledge(sender, packet);
        }
        else
        {
            if (sender.timerNs >= knownNs && isUnknown)
            {
                sender.waiting = true; // the acknowledgement may precede the timer
                return std::min(sendNs, std::max(fromNs, sender.timerNs));
            }
            sender.cc->OnTimer(sender.timerNs);
            sender.timerNs = sender.cc->GetNextTimerNs();
            FollowRate(sender);
        }
        sender.lastInputNs = inputNs; // it could not send before
    }
}

void
ParsimonLeanEngine::WakeAt(uint32_t number, int64_t timeNs)
{
    Nic& nic = m_nics[number];
    if (timeNs < nic.wakeNs)
    {
        nic.wakeNs = timeNs;
        m_events.Push({timeNs, m_nowNs, number});
    }
}

void
ParsimonLeanEngine::Acknowledge(Sender& sender, uint32_t index)
{
    if (!m_packets[index].decided)
    {
        DecideBefore(m_nowNs);
    }
    const Packet& packet = m_packets[index];
    NS_ASSERT(packet.decided);
    NeedControl(sender);
    if (m_telemetry)
    {
        static constexpr uint64_t TX_UNIT_BYTES = 128; // of the wire format, as in the engine
        static constexpr uint64_t QUEUE_UNIT_BYTES = 80;
        m_report.nHops = 0;
        if (m_queued)
        {
            const uint64_t txBytes = packet.sumBytes - packet.wireBytes;
            m_report.hops[m_report.nHops++] = {packet.leaveNs,
                                               txBytes - txBytes % TX_UNIT_BYTES,
                                               packet.queueBytes -
                                                   packet.queueBytes % QUEUE_UNIT_BYTES,
                                               m_target.rateBps};
        }
        const Transmitter& far = m_destinations[sender.destination].forward;
        if (m_destinations[sender.destination].reports)
        {
            const uint64_t txBytes = m_far[index].txBytes;
            m_report.hops[m_report.nHops++] = {m_far[index].leaveNs,
                                               txBytes - txBytes % TX_UNIT_BYTES,
                                               0,
                                               far.rateBps};
        }
    }
    sender.sndUna = packet.endByte;
    sender.cc->OnAck({packet.ackNs,
                      packet.endByte,
                      sender.sndNxt,
                      packet.marked,
                      packet.sentNs,
                      m_telemetry ? &m_report : nullptr});
    if (m_timers)
    {
        sender.timerNs = sender.cc->GetNextTimerNs();
    }
    FollowRate(sender);
    sender.firstOut = packet.nextOut;
    FreePacket(index);
}

void
ParsimonLeanEngine::NeedControl(Sender& sender)
{
    if (!sender.cc)
    {
        const int64_t rttNs = m_sources[sender.source].rttNs + m_targetRttNs +
                              m_destinations[sender.destination].rttNs;
        sender.cc = DcnCongestionControl::Create(m_network, sender.maxRateBps, rttNs);
    }
}

void
ParsimonLeanEngine::FollowRate(Sender& sender)
{
    const uint64_t rateBps = sender.cc->GetRate();
    if (rateBps == sender.rateBps)
    {
        return;
    }
    if (m_telemetry && sender.lastWire > 0) // HPCC and PowerTCP move the time of the next packet
    {
        sender.nextSendNs += DcnSerializationNs(sender.lastWire, rateBps) -
                             DcnSerializationNs(sender.lastWire, sender.rateBps);
    }
    sender.rateBps = rateBps;
    if (const uint64_t window = sender.cc->GetWindowBytes())
    {
        sender.window = std::max<uint64_t>(1, DcnMulDiv(window, rateBps, sender.maxRateBps));
    }
}

int64_t
ParsimonLeanEngine::Send(uint32_t index, int64_t nowNs)
{
    Sender& sender = m_senders[index];
    const uint32_t number = NewPacket(sender.flow, index, sender.destination);
    const Nic& nic = m_nics[sender.nic];
    const Source& source = m_sources[sender.source];
    Packet& packet = m_packets[number];
    const auto payload = static_cast<uint32_t>(
        std::min<uint64_t>(m_network.payloadBytes, sender.sizeBytes - sender.sndNxt));
    packet.wireBytes = payload + m_wire.dataHeaderBytes;
    const int64_t txNs = packet.wireBytes == m_fullBytes
                             ? nic.fullNs
                             : DcnSerializationNs(packet.wireBytes, nic.rateBps);
    sender.sndNxt += payload;
    sender.lastWire = packet.wireBytes;
    sender.nextSendNs = nowNs + (sender.rateBps == nic.rateBps
                                     ? txNs
                                     : DcnSerializationNs(packet.wireBytes, sender.rateBps));
    packet.sentNs = nowNs;
    packet.endByte = sender.sndNxt;
    packet.isLast = sender.sndNxt == sender.sizeBytes;
    Append(sender, number);
    ++m_nPackets;
    if (m_queued)
    {
        int64_t arrivalNs = nowNs + txNs + source.delayNs;
        if (source.splitBps)
        {
            arrivalNs += DcnSerializationNs(packet.wireBytes, source.splitBps);
        }
        m_events.Push({arrivalNs, nowNs, number | ARRIVAL});
        ++m_nTravelling;
    }
    else
    {
        packet.leaveNs = nowNs;
        packet.queueBytes = 0;
        packet.decided = true;
        Deliver(number, nowNs + txNs);
    }
    return txNs;
}

void
ParsimonLeanEngine::Append(Sender& sender, uint32_t packet)
{
    m_packets[packet].nextOut = NONE;
    if (sender.firstOut == NONE)
    {
        sender.firstOut = packet;
    }
    else
    {
        m_packets[sender.lastOut].nextOut = packet;
    }
    sender.lastOut = packet;
}

int64_t
ParsimonLeanEngine::Transmitter::GetTxNs(uint32_t bytes) const
{
    return bytes == fullBytes ? fullNs : DcnSerializationNs(bytes, rateBps);
}

int64_t
ParsimonLeanEngine::Transmitter::Pass(int64_t arrivalNs, uint32_t bytes)
{
    if (rateBps == 0)
    {
        return arrivalNs;
    }
    const int64_t txNs = GetTxNs(bytes);
    if (arrivalNs < lastNs)
    {
        return arrivalNs + txNs + delayNs; // came before frames that have passed
    }
    lastNs = arrivalNs;
    freeNs = std::max(arrivalNs, freeNs) + txNs;
    return freeNs + delayNs;
}

void
ParsimonLeanEngine::Arrive(uint32_t number, int64_t nowNs)
{
    Packet& packet = m_packets[number];
    --m_nTravelling;
    DecideBefore(nowNs);
    m_sumBytes += packet.wireBytes;
    packet.sumBytes = m_sumBytes;
    packet.leaveNs = std::max(nowNs, m_target.freeNs);
    m_target.freeNs = packet.leaveNs + m_target.GetTxNs(packet.wireBytes);
    if (packet.leaveNs == nowNs)
    {
        packet.queueBytes = 0; // leaves before any other packet can arrive
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
    const int64_t deliveredNs = destination.forward.Pass(leftNs + m_link.delayNs, packet.wireBytes);
    if (destination.reports)
    {
        Transmitter& far = destination.forward;
        m_far[number] = {deliveredNs - far.delayNs - far.GetTxNs(packet.wireBytes), far.txBytes};
        far.txBytes += packet.wireBytes;
    }
    if (packet.isLast)
    {
        m_fctNs[packet.flow] = deliveredNs - m_link.flows[packet.flow].startNs;
    }
    int64_t ackNs = destination.back.Pass(deliveredNs, m_wire.ackBytes);
    ackNs = m_targetBack.Pass(ackNs, m_wire.ackBytes);
    const uint32_t source =
        packet.sender == NONE ? m_link.flows[packet.flow].source : m_senders[packet.sender].source;
    ackNs = m_sources[source].back.Pass(ackNs, m_wire.ackBytes);
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
        WakeAt(sender.nic, std::max(ackNs, m_nics[sender.nic].freeNs));
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

bool
ParsimonLeanEngine::SendTrain(uint32_t index, int64_t firstNs)
{
    Sender& sender = m_senders[index];
    Nic& nic = m_nics[sender.nic];
    Source& source = m_sources[sender.source];
    const int64_t gapNs = nic.fullNs;
    if (!m_queued || m_telemetry || sender.rateBps != nic.rateBps || source.splitBps ||
        m_target.fullNs > gapNs)
    {
        return false;
    }
    // whole packets that arrive before a flow can start; without the last packet of the flow
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
    Transmitter* const way[] = {&m_destinations[sender.destination].forward,
                                &m_destinations[sender.destination].back,
                                &m_targetBack,
                                &source.back};
    int64_t ackNs = arrivalNs + m_target.fullNs + m_target.delayNs;
    for (const Transmitter* transmitter : way)
    {
        if (transmitter->rateBps)
        {
            if (transmitter->freeNs > ackNs || transmitter->fullNs > gapNs)
            {
                return false;
            }
            ackNs += transmitter->fullNs + transmitter->delayNs;
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
    int64_t answered = 0; // packets of the train whose acknowledgements have been processed
    for (; sent < most; ++sent)
    {
        const int64_t nowNs = firstNs + sent * gapNs;
        m_nowNs = std::max(m_nowNs, nowNs);
        for (;;)
        {
            const uint32_t packet = sender.firstOut;
            const int64_t eachNs = packet != NONE    ? m_packets[packet].ackNs
                                   : answered < sent ? ackNs + answered * gapNs
                                                     : NEVER;
            if (std::min(eachNs, sender.timerNs) > nowNs)
            {
                break;
            }
            if (sender.timerNs <= eachNs)
            {
                sender.lastInputNs = sender.timerNs;
                sender.cc->OnTimer(sender.timerNs);
            }
            else if (packet != NONE)
            {
                sender.lastInputNs = eachNs;
                Acknowledge(sender, packet);
                continue;
            }
            else
            {
                sender.lastInputNs = eachNs;
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
    // the same state as if the packets had been sent one by one
    for (int64_t i = answered; i < sent; ++i)
    {
        const uint32_t number = NewPacket(sender.flow, index, sender.destination);
        Packet& packet = m_packets[number];
        packet.sentNs = firstNs + i * gapNs;
        packet.ackNs = ackNs + i * gapNs;
        packet.leaveNs = arrivalNs + i * gapNs;
        packet.endByte = startByte + static_cast<uint64_t>(i + 1) * payload;
        packet.sumBytes = m_sumBytes + static_cast<uint64_t>(i + 1) * m_fullBytes;
        packet.queueBytes = 0;
        packet.wireBytes = m_fullBytes;
        packet.decided = true;
        Append(sender, number);
    }
    const int64_t lastNs = arrivalNs + (sent - 1) * gapNs;
    m_sumBytes += static_cast<uint64_t>(sent) * m_fullBytes;
    m_nPackets += static_cast<uint64_t>(sent);
    m_target.freeNs = lastNs + m_target.fullNs;
    int64_t passedNs = m_target.freeNs + m_target.delayNs;
    for (Transmitter* transmitter : way)
    {
        const bool isForward = transmitter == way[0];
        const uint32_t bytes = isForward ? m_fullBytes : m_wire.ackBytes;
        passedNs = transmitter->Pass(passedNs, bytes);
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
        const ParsimonLeanEvent event = m_events.Pop();
        if (event.payload & ARRIVAL)
        {
            Arrive(event.payload & ~ARRIVAL, event.timeNs);
        }
        else if (m_nics[event.payload].wakeNs == event.timeNs)
        {
            m_nics[event.payload].wakeNs = NEVER; // no other NIC sends
        }
    }
}

void
ParsimonLeanEngine::EndSender(uint32_t index)
{
    Sender& sender = m_senders[index];
    for (uint32_t packet = sender.firstOut; packet != NONE;)
    {
        const uint32_t next = m_packets[packet].nextOut;
        m_packets[packet].sender = NONE;
        if (m_packets[packet].decided)
        {
            FreePacket(packet);
        }
        packet = next;
    }
    sender.cc.reset();
    sender.flow = NONE;
    m_freeSenders.push_back(index);
    --m_nSenders;
}

uint32_t
ParsimonLeanEngine::NewPacket(uint32_t flow, uint32_t sender, uint32_t destination)
{
    uint32_t number = m_freePackets;
    if (number == NONE)
    {
        number = static_cast<uint32_t>(m_packets.size());
        m_packets.emplace_back();
        if (m_telemetry)
        {
            m_far.emplace_back();
        }
    }
    else
    {
        m_freePackets = m_packets[number].nextOut;
    }
    Packet& packet = m_packets[number];
    packet.ackNs = NEVER;
    packet.flow = flow;
    packet.sender = sender;
    packet.destination = destination;
    packet.nextQueued = NONE;
    packet.decided = false;
    packet.marked = false;
    packet.isLast = false;
    return number;
}

void
ParsimonLeanEngine::FreePacket(uint32_t packet)
{
    m_packets[packet].nextOut = m_freePackets;
    m_freePackets = packet;
}

} // namespace ns3

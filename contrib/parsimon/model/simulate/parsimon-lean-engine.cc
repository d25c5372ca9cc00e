/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "parsimon-lean-engine.h"

#include "../topology/parsimon-link-scenario.h"

#include "ns3/assert.h"
#include "ns3/dcn-units.h"

#include <algorithm>
#include <limits>
#include <utility>

namespace ns3
{

namespace
{

/// @return DcnAckInfo::restNs of a packet between two exact times [ns]
double
GetRestNs(int64_t sentTicks, int64_t ackTicks)
{
    const int64_t eventNs = DcnCeilNs(ackTicks) - DcnCeilNs(sentTicks);
    return static_cast<double>(ackTicks - sentTicks - (eventNs << DCN_TICK_BITS)) /
           DCN_TICKS_PER_NS;
}

} // namespace

ParsimonLeanEngine::ParsimonLeanEngine(const ParsimonLink& link, const Options& options)
    : m_link(link),
      m_network(*options.network),
      m_wire(DcnCongestionControl::GetWireFormat(m_network)),
      m_fullBytes(m_network.payloadBytes + m_wire.dataHeaderBytes),
      m_telemetry(m_wire.telemetry),
      m_timers(DcnCongestionControl::GetTraits(m_network).hasTimers),
      m_ownWindow(DcnCongestionControl::GetTraits(m_network).hasOwnWindow),
      m_isReference(m_network.timeGrainNs > 0),
      m_queued(link.position != ParsimonPosition::FIRST_HOP),
      m_fctNs(link.flows.size(), -1)
{
    const ParsimonMarking marking = ParsimonTargetMarking(link, m_network);
    m_marking = {marking.kminBytes,
                 marking.kmaxBytes,
                 m_network.ecnPmax,
                 DcnMarking::MakeSeed(options.rngSeed,
                                      options.rngRun,
                                      static_cast<uint64_t>(options.markingStream))};
    MakeEndpoints();
}

void
ParsimonLeanEngine::MakeEndpoints()
{
    auto make = [this](uint64_t rateBps, int64_t delayNs, uint32_t bytes) {
        Transmitter transmitter;
        transmitter.rateBps = rateBps;
        transmitter.delayTicks = delayNs << DCN_TICK_BITS;
        transmitter.fullBytes = bytes;
        transmitter.fullTicks = rateBps ? GetTxTicks(bytes, rateBps) : 0;
        return transmitter;
    };
    m_target = make(m_link.availableBps, m_link.delayNs, m_fullBytes);
    m_targetBack = make(m_link.availableBps, m_link.delayNs, m_wire.ackBytes);
    m_targetRttTicks = m_target.fullTicks + m_targetBack.fullTicks + 2 * m_target.delayTicks;
    const std::vector<bool> split = m_link.FindSplitSources();
    int64_t nearestTicks = NEVER;
    for (const ParsimonEndpoint& endpoint : m_link.destinations)
    {
        nearestTicks = std::min(nearestTicks, endpoint.delayNs << DCN_TICK_BITS);
    }
    const std::vector<uint32_t> nics = m_link.NumberNics();
    for (std::size_t i = 0; i < m_link.sources.size(); ++i)
    {
        const ParsimonEndpoint& endpoint = m_link.sources[i];
        const uint64_t rateBps = m_queued ? endpoint.rateBps : m_link.availableBps;
        const int64_t delayTicks = endpoint.delayNs << DCN_TICK_BITS;
        if (nics[i] == m_nics.size())
        {
            m_nics.push_back(
                {rateBps, GetTxTicks(m_fullBytes, rateBps), 0, NEVER, NEVER, 0, false, {}});
        }
        // packets now at or before the target are acknowledged after this time
        Nic& nic = m_nics[nics[i]];
        nic.ackHorizonTicks =
            std::min(nic.ackHorizonTicks, delayTicks + 2 * (m_target.delayTicks + nearestTicks));
        Source source{nics[i], delayTicks, 0, {}, 0};
        if (m_queued)
        {
            source.back = make(rateBps, endpoint.delayNs, m_wire.ackBytes);
            source.rttTicks =
                GetTxTicks(m_fullBytes, rateBps) + source.back.fullTicks + 2 * delayTicks;
            if (split[i])
            {
                source.splitBps = PARSIMON_SPLIT_FACTOR * rateBps;
                const int64_t ackTicks = GetTxTicks(m_wire.ackBytes, source.splitBps);
                source.rttTicks += GetTxTicks(m_fullBytes, source.splitBps) + ackTicks;
                source.back.delayTicks += ackTicks;
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
        destination.rttTicks = destination.forward.fullTicks + destination.back.fullTicks +
                               2 * destination.forward.delayTicks;
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
        const int64_t eventTicks = m_events.PeekTimeNs();
        if (m_nextFlow < nFlows && GetStartTicks(m_nextFlow) <= eventTicks)
        {
            m_nowTicks = GetStartTicks(m_nextFlow);
            m_events.Advance(m_nowTicks);
            if (observer && !observer(m_nextFlow))
            {
                return false;
            }
            const uint32_t flow = m_nextFlow++;
            m_nextStartTicks = m_nextFlow < nFlows ? GetStartTicks(m_nextFlow) : NEVER;
            StartFlow(flow);
            continue;
        }
        if (eventTicks == NEVER)
        {
            return true;
        }
        const ParsimonLeanEvent event = m_events.Pop();
        m_nowTicks = event.timeNs;
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

uint64_t
ParsimonLeanEngine::TakeQueueBytes()
{
    // what waits for t at a rate R is R t; packets of a train never wait
    static constexpr uint64_t TICKS_PER_BYTE_AT_1_BPS = 8'000'000'000ULL << DCN_TICK_BITS;
    const auto waitTicks = static_cast<uint64_t>(std::exchange(m_longestWaitTicks, 0));
    return DcnMulDiv(m_target.rateBps, waitTicks, TICKS_PER_BYTE_AT_1_BPS);
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
    auto limited = [&nic](uint64_t limit) {
        return limit > 0 ? std::min(limit, nic.rateBps) : nic.rateBps;
    };
    sender.maxRateBps = limited(m_network.maxRate.GetBitRate());
    sender.paceBps = limited(crossing.paceBps);
    sender.rateBps = sender.maxRateBps;
    const uint64_t window =
        GetParametersOf(nic.rateBps).GetWindowBytes(sender.maxRateBps, GetRttNs(sender));
    sender.window = window ? window : std::numeric_limits<uint64_t>::max();
    sender.nextSendTicks = GetStartTicks(flow);
    sender.lastInputTicks = sender.nextSendTicks;
    sender.timerTicks = NEVER;
    sender.firstOut = NONE;
    sender.lastOut = NONE;
    sender.lastWire = 0;
    sender.waiting = false;
    if (window == 0 && m_ownWindow)
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
    if (nic.wakeTicks == m_nowTicks) // otherwise an earlier event replaces it
    {
        nic.wakeTicks = NEVER;
        Serve(number);
    }
}

void
ParsimonLeanEngine::Serve(uint32_t number)
{
    Nic& nic = m_nics[number];
    int64_t knownTicks = m_queued ? m_nowTicks + nic.ackHorizonTicks : NEVER;
    int64_t limitTicks = std::min(knownTicks, m_nextStartTicks);
    for (;;)
    {
        // starting with the flow whose turn it is: the first flow that can send earliest
        const int64_t fromTicks = std::max(m_nowTicks, nic.freeTicks);
        const auto n = static_cast<uint32_t>(nic.flows.size());
        int64_t sendTicks = NEVER;
        uint32_t place = 0;
        uint32_t i = nic.next < n ? nic.next : 0;
        for (uint32_t tried = 0; tried < n && sendTicks > fromTicks; ++tried)
        {
            const int64_t eachTicks = Advance(m_senders[nic.flows[i]], fromTicks, knownTicks);
            if (eachTicks < sendTicks)
            {
                sendTicks = eachTicks;
                place = i;
            }
            i = i + 1 < n ? i + 1 : 0;
        }
        if (sendTicks == NEVER)
        {
            return;
        }
        if (sendTicks >= limitTicks && sendTicks > m_nowTicks)
        {
            WakeAt(number, sendTicks);
            return;
        }
        const uint32_t index = nic.flows[place];
        if (m_nSenders == 1 && SendTrain(index, sendTicks))
        {
            knownTicks = m_nowTicks + nic.ackHorizonTicks;
            limitTicks = std::min(knownTicks, m_nextStartTicks);
            continue;
        }
        nic.next = place + 1;
        nic.freeTicks = sendTicks + Send(index, sendTicks);
        if (m_senders[index].sndNxt == m_senders[index].sizeBytes)
        {
            EndSender(index);
            nic.flows.erase(nic.flows.begin() + place);
            nic.next = place;
        }
    }
}

int64_t
ParsimonLeanEngine::Advance(Sender& sender, int64_t fromTicks, int64_t knownTicks)
{
    for (;;)
    {
        const bool open = sender.sndNxt - sender.sndUna < sender.window;
        const int64_t sendTicks =
            open ? std::max({fromTicks, sender.nextSendTicks, sender.lastInputTicks}) : NEVER;
        const uint32_t packet = sender.firstOut;
        const int64_t ackTicks = packet == NONE ? NEVER : m_packets[packet].ackTicks;
        const bool isUnknown = ackTicks == NEVER && packet != NONE;
        const int64_t inputTicks = std::min(ackTicks, sender.timerTicks);
        if (inputTicks > sendTicks || inputTicks == NEVER)
        {
            // an acknowledgement can open the window; with telemetry it also moves the next packet
            sender.waiting = isUnknown && (!open || (m_telemetry && sendTicks >= knownTicks));
            return sendTicks;
        }
        // at equal times the timer comes first, as in the packet engine
        if (ackTicks < sender.timerTicks)
        {
            if (ackTicks >= knownTicks && ackTicks > m_nowTicks && !m_packets[packet].decided)
            {
                return open && !m_telemetry ? sendTicks : std::max(fromTicks, ackTicks);
            }
            Acknowledge(sender, packet);
        }
        else
        {
            if (sender.timerTicks >= knownTicks && isUnknown)
            {
                sender.waiting = true; // the acknowledgement may precede the timer
                return std::min(sendTicks, std::max(fromTicks, sender.timerTicks));
            }
            sender.cc->OnTimer(sender.timerTicks >> DCN_TICK_BITS);
            FollowTimer(sender);
            FollowRate(sender);
        }
        sender.lastInputTicks = inputTicks; // it could not send before
    }
}

void
ParsimonLeanEngine::WakeAt(uint32_t number, int64_t atTicks)
{
    Nic& nic = m_nics[number];
    if (atTicks < nic.wakeTicks)
    {
        nic.wakeTicks = atTicks;
        m_events.Push(MakeEvent(atTicks, number));
    }
}

void
ParsimonLeanEngine::Acknowledge(Sender& sender, uint32_t index)
{
    if (!m_packets[index].decided)
    {
        DecideBefore(m_nowTicks);
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
            m_report.hops[m_report.nHops++] = {static_cast<uint64_t>(packet.leaveTicks),
                                               txBytes - txBytes % TX_UNIT_BYTES,
                                               packet.queueBytes -
                                                   packet.queueBytes % QUEUE_UNIT_BYTES,
                                               m_target.rateBps};
        }
        const Transmitter& far = m_destinations[sender.destination].forward;
        if (m_destinations[sender.destination].reports)
        {
            const uint64_t txBytes = m_far[index].txBytes;
            m_report.hops[m_report.nHops++] = {static_cast<uint64_t>(m_far[index].leaveTicks),
                                               txBytes - txBytes % TX_UNIT_BYTES,
                                               0,
                                               far.rateBps};
        }
    }
    sender.sndUna = packet.endByte;
    sender.cc->OnAck({DcnCeilNs(packet.ackTicks),
                      packet.endByte,
                      sender.sndNxt,
                      packet.marked,
                      DcnCeilNs(packet.sentTicks),
                      m_telemetry ? &m_report : nullptr,
                      GetRestNs(packet.sentTicks, packet.ackTicks)});
    FollowTimer(sender);
    FollowRate(sender);
    sender.firstOut = packet.nextOut;
    FreePacket(index);
}

void
ParsimonLeanEngine::NeedControl(Sender& sender)
{
    if (!sender.cc)
    {
        sender.cc = DcnCongestionControl::Create(GetParametersOf(m_nics[sender.nic].rateBps),
                                                 sender.maxRateBps,
                                                 GetRttNs(sender));
    }
}

int64_t
ParsimonLeanEngine::GetRttNs(const Sender& sender) const
{
    const int64_t rttTicks = m_sources[sender.source].rttTicks + m_targetRttTicks +
                             m_destinations[sender.destination].rttTicks;
    return rttTicks >> DCN_TICK_BITS;
}

void
ParsimonLeanEngine::FollowRate(Sender& sender)
{
    const uint64_t rateBps = sender.cc->GetRate();
    if (rateBps == sender.rateBps)
    {
        return;
    }
    const uint64_t sendBps = sender.GetSendRate();
    sender.rateBps = rateBps;
    if (m_telemetry && sender.lastWire > 0) // HPCC and PowerTCP move the time of the next packet
    {
        sender.nextSendTicks += GetTxTicks(sender.lastWire, sender.GetSendRate()) -
                                GetTxTicks(sender.lastWire, sendBps);
    }
    if (const uint64_t window = sender.cc->GetWindowBytes())
    {
        sender.window = std::max<uint64_t>(1, DcnMulDiv(window, rateBps, sender.maxRateBps));
    }
}

int64_t
ParsimonLeanEngine::Send(uint32_t index, int64_t nowTicks)
{
    Sender& sender = m_senders[index];
    const uint32_t number = NewPacket(sender.flow, index, sender.destination);
    const Nic& nic = m_nics[sender.nic];
    const Source& source = m_sources[sender.source];
    Packet& packet = m_packets[number];
    const auto payload = static_cast<uint32_t>(
        std::min<uint64_t>(m_network.payloadBytes, sender.sizeBytes - sender.sndNxt));
    packet.wireBytes = payload + m_wire.dataHeaderBytes;
    const int64_t txTicks =
        packet.wireBytes == m_fullBytes ? nic.fullTicks : GetTxTicks(packet.wireBytes, nic.rateBps);
    sender.sndNxt += payload;
    sender.lastWire = packet.wireBytes;
    const uint64_t sendBps = sender.GetSendRate();
    sender.nextSendTicks =
        nowTicks + (sendBps == nic.rateBps ? txTicks : GetTxTicks(packet.wireBytes, sendBps));
    packet.sentTicks = nowTicks;
    packet.endByte = sender.sndNxt;
    packet.isLast = sender.sndNxt == sender.sizeBytes;
    Append(sender, number);
    ++m_nPackets;
    if (m_queued)
    {
        int64_t arrivalTicks = nowTicks + txTicks + source.delayTicks;
        if (source.splitBps)
        {
            arrivalTicks += GetTxTicks(packet.wireBytes, source.splitBps);
        }
        m_events.Push(MakeEvent(arrivalTicks, number | ARRIVAL));
        ++m_nTravelling;
    }
    else
    {
        packet.leaveTicks = nowTicks;
        packet.queueBytes = 0;
        packet.decided = true;
        Deliver(number, nowTicks + txTicks);
    }
    return txTicks;
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
ParsimonLeanEngine::GetTxTicks(uint32_t bytes, uint64_t rateBps) const
{
    return DcnFrameTicks(bytes, rateBps, m_isReference);
}

int64_t
ParsimonLeanEngine::GetStartTicks(uint32_t flow) const
{
    return m_link.flows[flow].startNs << DCN_TICK_BITS;
}

const DcnNetworkParameters&
ParsimonLeanEngine::GetParametersOf(uint64_t nicBps)
{
    const uint64_t referenceBps = m_network.referenceRate.GetBitRate();
    if (referenceBps == 0 || referenceBps == nicBps)
    {
        return m_network;
    }
    const auto found = m_parametersOf.find(nicBps);
    return found != m_parametersOf.end()
               ? found->second
               : m_parametersOf.emplace(nicBps, m_network.ForNic(nicBps)).first->second;
}

void
ParsimonLeanEngine::FollowTimer(Sender& sender) const
{
    if (m_timers)
    {
        const int64_t timerNs = sender.cc->GetNextTimerNs();
        sender.timerTicks =
            timerNs == DcnCongestionControl::NEVER ? NEVER : timerNs << DCN_TICK_BITS;
    }
}

int64_t
ParsimonLeanEngine::Transmitter::GetTxTicks(uint32_t bytes, bool isReference) const
{
    return bytes == fullBytes ? fullTicks : DcnFrameTicks(bytes, rateBps, isReference);
}

int64_t
ParsimonLeanEngine::Transmitter::Pass(int64_t arrivalTicks, uint32_t bytes, bool isReference)
{
    if (rateBps == 0)
    {
        return arrivalTicks;
    }
    const int64_t txTicks = GetTxTicks(bytes, isReference);
    if (arrivalTicks < lastTicks)
    {
        return arrivalTicks + txTicks + delayTicks; // came before frames that have passed
    }
    lastTicks = arrivalTicks;
    freeTicks = std::max(arrivalTicks, freeTicks) + txTicks;
    return freeTicks + delayTicks;
}

void
ParsimonLeanEngine::Arrive(uint32_t number, int64_t nowTicks)
{
    Packet& packet = m_packets[number];
    --m_nTravelling;
    DecideBefore(nowTicks);
    m_sumBytes += packet.wireBytes;
    packet.sumBytes = m_sumBytes;
    packet.leaveTicks = std::max(nowTicks, m_target.freeTicks);
    m_longestWaitTicks = std::max(m_longestWaitTicks, packet.leaveTicks - nowTicks);
    m_target.freeTicks = packet.leaveTicks + m_target.GetTxTicks(packet.wireBytes, m_isReference);
    if (packet.leaveTicks == nowTicks)
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
    Deliver(number, m_target.freeTicks);
}

void
ParsimonLeanEngine::Deliver(uint32_t number, int64_t leftTicks)
{
    Packet& packet = m_packets[number];
    Destination& destination = m_destinations[packet.destination];
    const int64_t deliveredTicks =
        destination.forward.Pass(leftTicks + m_target.delayTicks, packet.wireBytes, m_isReference);
    if (destination.reports)
    {
        Transmitter& far = destination.forward;
        m_far[number] = {deliveredTicks - far.delayTicks -
                             far.GetTxTicks(packet.wireBytes, m_isReference),
                         far.txBytes};
        far.txBytes += packet.wireBytes;
    }
    if (packet.isLast)
    {
        m_fctNs[packet.flow] = DcnCeilNs(deliveredTicks) - m_link.flows[packet.flow].startNs;
    }
    int64_t ackTicks = destination.back.Pass(deliveredTicks, m_wire.ackBytes, m_isReference);
    ackTicks = m_targetBack.Pass(ackTicks, m_wire.ackBytes, m_isReference);
    const uint32_t source =
        packet.sender == NONE ? m_link.flows[packet.flow].source : m_senders[packet.sender].source;
    ackTicks = m_sources[source].back.Pass(ackTicks, m_wire.ackBytes, m_isReference);
    if (packet.sender == NONE)
    {
        if (packet.decided)
        {
            FreePacket(number);
        }
        return;
    }
    packet.ackTicks = ackTicks;
    Sender& sender = m_senders[packet.sender];
    if (sender.waiting)
    {
        sender.waiting = false;
        WakeAt(sender.nic, std::max(ackTicks, m_nics[sender.nic].freeTicks));
    }
}

void
ParsimonLeanEngine::DecideBefore(int64_t endTicks)
{
    while (m_firstQueued != NONE && m_packets[m_firstQueued].leaveTicks < endTicks)
    {
        const uint32_t number = m_firstQueued;
        Packet& packet = m_packets[number];
        m_firstQueued = packet.nextQueued;
        packet.queueBytes = m_sumBytes - packet.sumBytes;
        const uint32_t payload = packet.wireBytes - m_wire.dataHeaderBytes;
        packet.marked = m_marking.IsMarked(packet.queueBytes,
                                           m_link.flows[packet.flow].GetId(),
                                           packet.endByte - payload,
                                           GetHop(packet));
        packet.decided = true;
        if (packet.sender == NONE)
        {
            FreePacket(number);
        }
    }
}

uint32_t
ParsimonLeanEngine::GetHop(const Packet& packet) const
{
    return m_sources[m_link.flows[packet.flow].source].splitBps ? 2 : 1;
}

ParsimonLeanEvent
ParsimonLeanEngine::MakeEvent(int64_t atTicks, uint32_t payload) const
{
    if (payload & ARRIVAL)
    {
        const uint32_t flow = m_packets[payload & ~ARRIVAL].flow;
        return {atTicks, m_link.flows[flow].source, payload};
    }
    return {atTicks, int64_t{ARRIVAL} + payload, payload};
}

bool
ParsimonLeanEngine::FindTrain(const Sender& sender, Train& train)
{
    const Nic& nic = m_nics[sender.nic];
    Source& source = m_sources[sender.source];
    const int64_t gapTicks = train.gapTicks;
    if (!m_queued || m_telemetry || sender.GetSendRate() != nic.rateBps || source.splitBps ||
        m_target.fullTicks > gapTicks)
    {
        return false;
    }
    // whole packets that arrive before a flow can start; without the last packet of the flow
    train.arrivalTicks = train.firstTicks + gapTicks + source.delayTicks;
    train.most =
        static_cast<int64_t>((sender.sizeBytes - sender.sndNxt - 1) / m_network.payloadBytes);
    if (m_nextStartTicks != NEVER)
    {
        train.most = std::min(train.most, (m_nextStartTicks - 1 - train.arrivalTicks) / gapTicks);
    }
    if (train.most < SHORTEST_TRAIN)
    {
        return false;
    }
    DrainUntil(train.arrivalTicks);
    train.way[0] = &m_destinations[sender.destination].forward;
    train.way[1] = &m_destinations[sender.destination].back;
    train.way[2] = &m_targetBack;
    train.way[3] = &source.back;
    train.ackTicks = train.arrivalTicks + m_target.fullTicks + m_target.delayTicks;
    for (const Transmitter* transmitter : train.way)
    {
        if (transmitter->rateBps)
        {
            if (transmitter->freeTicks > train.ackTicks || transmitter->fullTicks > gapTicks)
            {
                return false;
            }
            train.ackTicks += transmitter->fullTicks + transmitter->delayTicks;
        }
    }
    DecideBefore(train.arrivalTicks);
    return m_nTravelling == 0 && m_firstQueued == NONE && m_target.freeTicks <= train.arrivalTicks;
}

void
ParsimonLeanEngine::RunTrain(Sender& sender, Train& train)
{
    const uint64_t nicBps = m_nics[sender.nic].rateBps;
    const uint32_t payload = m_network.payloadBytes;
    for (; train.sent < train.most; ++train.sent)
    {
        const int64_t nowTicks = train.firstTicks + train.sent * train.gapTicks;
        m_nowTicks = std::max(m_nowTicks, nowTicks);
        for (;;)
        {
            const uint32_t packet = sender.firstOut;
            const int64_t eachTicks = packet != NONE ? m_packets[packet].ackTicks
                                      : train.answered < train.sent
                                          ? train.ackTicks + train.answered * train.gapTicks
                                          : NEVER;
            if (std::min(eachTicks, sender.timerTicks) > nowTicks)
            {
                break;
            }
            if (sender.timerTicks <= eachTicks)
            {
                sender.lastInputTicks = sender.timerTicks;
                sender.cc->OnTimer(sender.timerTicks >> DCN_TICK_BITS);
            }
            else if (packet != NONE)
            {
                sender.lastInputTicks = eachTicks;
                Acknowledge(sender, packet);
                continue;
            }
            else
            {
                const int64_t sentTicks = train.firstTicks + train.answered * train.gapTicks;
                ++train.answered;
                sender.lastInputTicks = eachTicks;
                sender.sndUna = train.startByte + static_cast<uint64_t>(train.answered) * payload;
                NeedControl(sender);
                sender.cc->OnAck({DcnCeilNs(eachTicks),
                                  sender.sndUna,
                                  sender.sndNxt,
                                  false,
                                  DcnCeilNs(sentTicks),
                                  nullptr,
                                  GetRestNs(sentTicks, eachTicks)});
            }
            FollowTimer(sender);
            FollowRate(sender);
        }
        if (sender.rateBps != nicBps || sender.sndNxt - sender.sndUna >= sender.window)
        {
            break;
        }
        sender.sndNxt += payload;
    }
}

void
ParsimonLeanEngine::KeepTrain(uint32_t index, const Train& train)
{
    Sender& sender = m_senders[index];
    Nic& nic = m_nics[sender.nic];
    const uint32_t payload = m_network.payloadBytes;
    const int64_t gapTicks = train.gapTicks;
    for (int64_t i = train.answered; i < train.sent; ++i)
    {
        const uint32_t number = NewPacket(sender.flow, index, sender.destination);
        Packet& packet = m_packets[number];
        packet.sentTicks = train.firstTicks + i * gapTicks;
        packet.ackTicks = train.ackTicks + i * gapTicks;
        packet.leaveTicks = train.arrivalTicks + i * gapTicks;
        packet.endByte = train.startByte + static_cast<uint64_t>(i + 1) * payload;
        packet.sumBytes = m_sumBytes + static_cast<uint64_t>(i + 1) * m_fullBytes;
        packet.queueBytes = 0;
        packet.wireBytes = m_fullBytes;
        packet.decided = true;
        Append(sender, number);
    }
    const int64_t lastTicks = train.arrivalTicks + (train.sent - 1) * gapTicks;
    m_sumBytes += static_cast<uint64_t>(train.sent) * m_fullBytes;
    m_nPackets += static_cast<uint64_t>(train.sent);
    m_target.freeTicks = lastTicks + m_target.fullTicks;
    int64_t passedTicks = m_target.freeTicks + m_target.delayTicks;
    for (Transmitter* transmitter : train.way)
    {
        const bool isForward = transmitter == train.way[0];
        const uint32_t bytes = isForward ? m_fullBytes : m_wire.ackBytes;
        passedTicks = transmitter->Pass(passedTicks, bytes, m_isReference);
    }
    sender.lastWire = m_fullBytes;
    sender.nextSendTicks = train.firstTicks + train.sent * gapTicks;
    nic.freeTicks = sender.nextSendTicks;
    nic.next = 1;
}

bool
ParsimonLeanEngine::SendTrain(uint32_t index, int64_t firstTicks)
{
    Sender& sender = m_senders[index];
    Train train{};
    train.firstTicks = firstTicks;
    train.gapTicks = m_nics[sender.nic].fullTicks;
    train.startByte = sender.sndNxt;
    if (!FindTrain(sender, train))
    {
        return false;
    }
    RunTrain(sender, train);
    if (train.sent == 0)
    {
        return false;
    }
    KeepTrain(index, train);
    return true;
}

void
ParsimonLeanEngine::DrainUntil(int64_t endTicks)
{
    while (m_events.PeekTimeNs() < endTicks)
    {
        const ParsimonLeanEvent event = m_events.Pop();
        if (event.payload & ARRIVAL)
        {
            Arrive(event.payload & ~ARRIVAL, event.timeNs);
        }
        else if (m_nics[event.payload].wakeTicks == event.timeNs)
        {
            m_nics[event.payload].wakeTicks = NEVER; // no other NIC sends
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
    packet.ackTicks = NEVER;
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

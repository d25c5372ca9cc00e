/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "dcn-steady-skip.h"

#include "dcn-flow-owner.h"
#include "dcn-host-device.h"
#include "dcn-packet-flow.h"
#include "dcn-switch-device.h"

#include "ns3/dcn-error.h"
#include "ns3/log.h"
#include "ns3/node.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <unordered_map>

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("DcnSteadySkip");

DcnSteadySkip::DcnSteadySkip(DcnFlowOwner& owner,
                             const std::vector<Ptr<DcnPacketDevice>>& devices,
                             int64_t packetNs,
                             double tolerance)
    : m_owner(owner),
      m_pollNs(SHORT_PACKETS * packetNs),
      m_tolerance(tolerance)
{
    for (const auto& device : devices)
    {
        m_devices.push_back(PeekPointer(device));
        if (device->IsHost())
        {
            m_hosts.push_back(static_cast<const DcnHostDevice*>(PeekPointer(device)));
        }
        else
        {
            m_ports.push_back(static_cast<DcnSwitchDevice*>(PeekPointer(device)));
        }
    }
}

DcnSteadySkip::~DcnSteadySkip()
{
    m_event.Cancel();
}

void
DcnSteadySkip::CheckListeners() const
{
    for (const DcnPacketDevice* device : m_devices)
    {
        if (device->HasFrameListener())
        {
            DcnFail("node ",
                    device->GetNode()->GetId(),
                    " traces every frame (PhyTxBegin, PhyRxEnd, pcap or ascii traces), but Skip "
                    "leaves frames out: take Skip=false, or no such trace");
        }
    }
}

void
DcnSteadySkip::Begin()
{
    if (!m_hasBegun)
    {
        CheckListeners();
        m_hasBegun = true;
    }
}

void
DcnSteadySkip::Watch()
{
    if (!m_event.IsRunning())
    {
        m_nStill = 0;
        Schedule(m_pollNs);
    }
}

void
DcnSteadySkip::Schedule(int64_t delayNs)
{
    m_event = Simulator::Schedule(TimeStep(delayNs), &DcnSteadySkip::Poll, this);
}

void
DcnSteadySkip::Look(int64_t nowNs)
{
    static constexpr int64_t MOST_POLLS = 64; // a change is to be seen before a long window ends
    const int64_t markNs = m_markNs[0] + static_cast<int64_t>(m_nextMark) * m_windowNs;
    Schedule(m_phase == Phase::MEASURING ? std::min(markNs - nowNs, MOST_POLLS * m_pollNs)
                                         : m_pollNs);
}

void
DcnSteadySkip::Poll()
{
    const int64_t nowNs = Simulator::Now().GetTimeStep();
    if (m_owner.events.IsFrozen())
    {
        Resume();
        return;
    }
    static constexpr uint32_t MOST_STILL = 1000;
    m_nStill = m_owner.pool.GetNTravelling() > 0 ? 0 : m_nStill + 1;
    if (m_nStill > MOST_STILL)
    {
        return; // nothing moves: the next flow begins to look again
    }
    if (m_owner.events.GetNChanges() != m_nChanges)
    {
        m_nChanges = m_owner.events.GetNChanges();
        Collect();
    }
    if (m_phase == Phase::FILLING)
    {
        while (m_nFilled < m_flows.size() &&
               m_flows[m_nFilled].flow->GetUnacknowledged() >= m_flows[m_nFilled].need)
        {
            ++m_nFilled;
        }
        if (m_flows.empty())
        {
            return; // the next flow begins to look again
        }
        if (m_nFilled == m_flows.size())
        {
            m_windowNs = m_pollNs;
            BeginWindow(nowNs);
            return;
        }
    }
    if (m_phase == Phase::ENDING && GetLongestSkipNs() >= static_cast<double>(2 * m_windowNs))
    {
        Collect(); // the next message of a connection has begun
    }
    if (m_phase == Phase::MEASURING &&
        nowNs >= m_markNs[0] + static_cast<int64_t>(m_nextMark) * m_windowNs)
    {
        SetMark(m_nextMark, nowNs);
        if (m_nextMark == 2)
        {
            TrySkip(nowNs);
            return;
        }
        m_nextMark = 2;
    }
    Look(nowNs);
}

void
DcnSteadySkip::Collect()
{
    m_phase = Phase::FILLING;
    m_nFilled = 0;
    m_flows.clear();
    for (const DcnHostDevice* host : m_hosts)
    {
        for (DcnPacketFlow* flow : host->GetFlows())
        {
            m_flows.push_back({flow, flow->GetNext(), {}, 0, 0, UNKNOWN});
        }
    }
}

void
DcnSteadySkip::BeginWindow(int64_t nowNs)
{
    m_phase = Phase::MEASURING;
    SetMark(0, nowNs);
    m_nextMark = 1;
    Look(nowNs);
}

void
DcnSteadySkip::SetMark(std::size_t mark, int64_t nowNs)
{
    m_markNs[mark] = nowNs;
    for (Watched& watched : m_flows)
    {
        const DcnPacketFlow& flow = *watched.flow;
        watched.marks[mark] = {flow.GetUnacknowledged(),
                               flow.GetNext(),
                               flow.GetProgressNs(),
                               flow.GetRate()};
        if (watched.heldBytes == UNKNOWN)
        {
            watched.heldBytes = static_cast<double>(flow.GetNext() - flow.GetUnacknowledged());
        }
    }
    m_marks[mark].clear();
    for (const DcnSwitchDevice* port : m_ports)
    {
        m_marks[mark].push_back(port->GetNMarked());
    }
}

bool
DcnSteadySkip::IsQuiet() const
{
    if (m_marks[0] != m_marks[2])
    {
        return false;
    }
    return std::all_of(m_flows.begin(), m_flows.end(), [](const Watched& watched) {
        const uint64_t maxRateBps = watched.flow->GetMaxRate();
        return watched.marks[0].rateBps == maxRateBps && watched.marks[1].rateBps == maxRateBps &&
               watched.marks[2].rateBps == maxRateBps;
    });
}

bool
DcnSteadySkip::IsSteady()
{
    const auto rate = [](const Mark& from, const Mark& to) {
        return static_cast<double>(to.acknowledged - from.acknowledged) /
               static_cast<double>(to.progressNs - from.progressNs);
    };
    const double packet = m_owner.parameters->payloadBytes;
    for (Watched& watched : m_flows)
    {
        const auto& [first, second, third] = watched.marks;
        if (second.acknowledged == first.acknowledged || third.acknowledged == second.acknowledged)
        {
            return false;
        }
        watched.rate = rate(first, third); // (1)
        const double before = static_cast<double>(first.sent - first.acknowledged);
        const double after = static_cast<double>(third.sent - third.acknowledged);
        const double bytes = static_cast<double>(third.acknowledged - first.acknowledged);
        if (std::abs(rate(first, second) - rate(second, third)) > m_tolerance * watched.rate ||
            std::abs(after - before) > std::max(2 * packet, m_tolerance * bytes) ||
            (m_isQuiet && std::abs(after - watched.heldBytes) > packet)) // (2), (3), (3b)
        {
            return false;
        }
    }
    return true;
}

void
DcnSteadySkip::TrySkip(int64_t nowNs)
{
    m_isQuiet = IsQuiet();
    int64_t roundNs = 0;
    for (const Watched& watched : m_flows)
    {
        roundNs = std::max(roundNs, watched.flow->GetPathRttNs());
    }
    const DcnNetworkParameters& network = *m_owner.parameters;
    if (DcnCongestionControl::GetTraits(network).hasTimers)
    {
        for (const Time& period :
             {network.dcqcnAlphaTimer, network.dcqcnDecreaseTimer, network.dcqcnIncreaseTimer})
        {
            roundNs = std::max(roundNs, period.GetNanoSeconds());
        }
    }
    if (!m_isQuiet && m_windowNs < ROUNDS * roundNs)
    {
        m_windowNs = ROUNDS * roundNs;
        BeginWindow(nowNs);
        return;
    }
    if (!IsSteady())
    {
        // the window goes on at twice its length
        m_windowNs *= 2;
        for (Watched& watched : m_flows)
        {
            const Mark& last = watched.marks[2];
            watched.heldBytes = static_cast<double>(last.sent - last.acknowledged);
            watched.marks[1] = last;
        }
        m_markNs[1] = m_markNs[2];
        m_marks[1] = m_marks[2];
        Look(nowNs);
        return;
    }
    const double skipNs = GetLongestSkipNs();
    const int64_t longestNs =
        (m_isQuiet ? LONG_STRETCH : SHORT_STRETCH) * (m_markNs[2] - m_markNs[0]);
    m_isStretched = skipNs > static_cast<double>(longestNs);
    const int64_t untilNs = m_isStretched ? longestNs : static_cast<int64_t>(skipNs);
    if (untilNs < m_markNs[2] - m_markNs[0])
    {
        m_phase = Phase::ENDING; // a flow or message ends soon
        Look(nowNs);
        return;
    }
    NS_LOG_INFO("skip of up to " << untilNs << " ns with " << m_flows.size() << " flows");
    m_owner.events.Freeze();
    m_frozenNs = nowNs;
    ++m_nSkips;
    Schedule(untilNs);
}

double
DcnSteadySkip::GetLongestSkipNs() const
{
    const double packet = m_owner.parameters->payloadBytes;
    double skipNs = std::numeric_limits<double>::max();
    for (const Watched& watched : m_flows)
    {
        const auto packets = static_cast<double>(watched.flow->GetSkippablePackets());
        skipNs = std::min(skipNs, packets * packet / watched.rate);
    }
    return skipNs;
}

void
DcnSteadySkip::Count(const DcnPacketFlow& flow, uint64_t packets) const
{
    const uint32_t ackBytes = m_owner.wireFormat.ackBytes;
    const uint32_t wireBytes =
        m_owner.parameters->payloadBytes + m_owner.wireFormat.dataHeaderBytes;
    flow.GetSource()->Skip(packets, wireBytes, true);
    flow.GetSink()->Skip(packets, ackBytes, false);
    for (DcnSwitchDevice* port : flow.GetForward())
    {
        if (port)
        {
            port->SkipQueued(packets, wireBytes, true);
        }
    }
    for (DcnSwitchDevice* port : flow.GetReverse())
    {
        if (port && m_owner.parameters->ackHighPriority)
        {
            port->Skip(packets, ackBytes, false);
        }
        else if (port)
        {
            port->SkipQueued(packets, ackBytes, false);
        }
    }
}

void
DcnSteadySkip::Resume()
{
    if (!m_owner.events.IsFrozen())
    {
        return;
    }
    const bool isEnd = !m_event.IsRunning(); // else an event of others ends the skip
    m_event.Cancel();
    const int64_t nowNs = Simulator::Now().GetTimeStep();
    const int64_t skippedNs = nowNs - m_frozenNs;
    const double packet = m_owner.parameters->payloadBytes;
    for (DcnPacketDevice* device : m_devices)
    {
        device->Translate(skippedNs);
    }
    for (Watched& watched : m_flows)
    {
        const double packets =
            std::round(watched.rate * static_cast<double>(skippedNs) / packet); // (4)
        watched.packets =
            std::min(static_cast<uint64_t>(packets), watched.flow->GetSkippablePackets());
        Count(*watched.flow, watched.packets);
    }
    const double windows =
        static_cast<double>(skippedNs) / static_cast<double>(m_markNs[2] - m_markNs[0]);
    for (std::size_t i = 0; i < m_ports.size(); ++i)
    {
        const auto marks = static_cast<double>(m_marks[2][i] - m_marks[0][i]);
        m_ports[i]->EndSkip(m_frozenNs, static_cast<uint64_t>(std::round(marks * windows)));
    }
    std::unordered_map<const DcnPacketFlow*, std::vector<DcnFrame*>> frames;
    const auto add = [&frames](const std::vector<DcnFrame*>& some) {
        for (DcnFrame* frame : some)
        {
            frames[frame->flow].push_back(frame);
        }
    };
    add(m_owner.events.GetFrames());
    for (const DcnPacketDevice* device : m_devices)
    {
        add(device->GetWaiting());
    }
    m_owner.events.Thaw(nowNs, skippedNs);
    for (const Watched& watched : m_flows)
    {
        std::vector<uint64_t> txBytes;
        for (const DcnSwitchDevice* port : watched.flow->GetForward())
        {
            txBytes.push_back(port ? port->GetSkippedTxBytes() : 0);
        }
        const DcnTranslation by{skippedNs,
                                watched.packets * m_owner.parameters->payloadBytes,
                                txBytes.data(),
                                m_marks[0] == m_marks[2]};
        for (DcnFrame* frame : frames[watched.flow])
        {
            frame->sequence += by.bytes;
            frame->sentNs += by.timeNs;
            if (frame->telemetry)
            {
                frame->telemetry->Translate(by);
            }
        }
        watched.flow->Translate(by);
    }
    m_skippedNs += skippedNs;
    NS_LOG_INFO("skipped " << skippedNs << " ns");
    if (isEnd && m_isStretched)
    {
        BeginWindow(nowNs);
    }
    else
    {
        m_phase = Phase::ENDING; // of a flow, or what the caller changes
        Look(nowNs);
    }
}

} // namespace ns3

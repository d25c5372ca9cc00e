/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "dcn-packet-events.h"

#include "../frames/dcn-frame.h"

#include "ns3/dcn-error.h"
#include "ns3/event-impl.h"
#include "ns3/nstime.h"
#include "ns3/simulator.h"

#include <utility>

namespace ns3
{

/// The event of ns-3. It may be pending several times, each time earlier than before.
class DcnPacketEvents::Turn final : public EventImpl
{
  public:
    /**
     * @param run runs events
     */
    explicit Turn(std::function<void(int64_t)> run)
        : m_run(std::move(run))
    {
    }

  private:
    void Notify() override
    {
        m_run(Simulator::Now().GetTimeStep());
    }

    std::function<void(int64_t)> m_run; //!< see the constructor
};

DcnPacketEvents::DcnPacketEvents(uint32_t partition, uint32_t nPartitions, int64_t aheadNs)
    : m_list(partition, nPartitions, aheadNs)
{
}

DcnPacketEvents::~DcnPacketEvents()
{
    CancelAll();
}

void
DcnPacketEvents::CheckNumber(uint64_t n, uint64_t most, const char* kind)
{
    if (n > most)
    {
        DcnFail("the packet engine simulates at most ", most, " ", kind, ", but there are ", n);
    }
}

void
DcnPacketEvents::PrefetchReferred(const DcnFrame& frame)
{
    if (frame.egress)
    {
        PrefetchBytes(frame.egress, DEVICE_BYTES);
    }
    else if (frame.flow)
    {
        // what both ends read, and what the one writes to which the frame comes
        const char* flow = reinterpret_cast<const char*>(frame.flow);
        PrefetchBytes(flow, FLOW_BYTES);
        PrefetchBytes(flow + (frame.IsAck() ? FLOW_SENDER : FLOW_RECEIVER), FLOW_SIDE_BYTES);
    }
}

void
DcnPacketEvents::FollowNs3(std::function<void(int64_t)> turn)
{
    LeaveNs3(); // turns that are pending have no effect
    m_turn = Create<Turn>(std::move(turn));
    EndTurn();
}

void
DcnPacketEvents::LeaveNs3()
{
    if (m_turn)
    {
        m_turn->Cancel();
        m_turn = nullptr;
    }
    m_turns.clear();
    m_turnNs = NONE;
    m_isRunning = true;
}

void
DcnPacketEvents::EndTurn()
{
    m_isRunning = false;
    if (!m_turn)
    {
        return; // ns-3 gets no events, or a listener has stopped the network
    }
    m_turnNs = m_turns.empty() ? DcnWindowEvents::NEVER : m_turns.back();
    const int64_t nextNs = m_list.GetNextNs();
    if (nextNs < m_turnNs)
    {
        ScheduleTurn(nextNs);
    }
}

void
DcnPacketEvents::ScheduleTurn(int64_t atNs)
{
    m_turns.push_back(atNs);
    m_turnNs = atNs;
    m_turn->Ref(); // the simulator drops one reference after the event
    Simulator::ScheduleWithContext(Simulator::NO_CONTEXT,
                                   TimeStep(atNs) - Simulator::Now(),
                                   PeekPointer(m_turn));
}

int64_t
DcnPacketEvents::GetNowNs() const
{
    return m_isRunning ? m_list.GetNowNs() : Simulator::Now().GetTimeStep();
}

namespace
{

/// See DcnPacketEvents::Running; null: ns-3 has turns.
thread_local const DcnPacketEvents* g_running = nullptr;

} // namespace

DcnPacketEvents::Running::Running(const DcnPacketEvents& events)
    : m_before(std::exchange(g_running, &events))
{
}

DcnPacketEvents::Running::~Running()
{
    g_running = m_before;
}

int64_t
DcnPacketEvents::GetThreadNowNs()
{
    return g_running ? g_running->GetNowNs() : Simulator::Now().GetTimeStep();
}

void
DcnPacketEvents::Freeze(DcnSkipPart& part, int64_t nowNs)
{
    part.isFrozen = true;
    part.frozenNs = nowNs;
    ++m_nFrozen;
    part.events = m_list.TakeIf([&part](const DcnWindowEvent& event) {
        return static_cast<DcnPacketEventKind>(event.GetKind()) == DcnPacketEventKind::PORT &&
               static_cast<DcnEventTarget*>(event.subject)->GetSkipPart() == &part;
    });
}

void
DcnPacketEvents::Thaw(DcnSkipPart& part, int64_t nowNs)
{
    part.isFrozen = false;
    --m_nFrozen;
    for (DcnWindowEvent event : part.events)
    {
        event.timeNs += nowNs - part.frozenNs;
        Add(GetPartition(), event);
    }
    part.events.clear();
}

void
DcnPacketEvents::CancelAll()
{
    LeaveNs3();
    m_list.Stop();
    m_list.Clear();
}

} // namespace ns3

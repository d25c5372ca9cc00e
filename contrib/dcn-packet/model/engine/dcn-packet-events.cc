/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "dcn-packet-events.h"

#include "../frames/dcn-frame.h"

#include "ns3/dcn-wheel-scheduler.h"
#include "ns3/event-impl.h"
#include "ns3/nstime.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <boost/container/small_vector.hpp>
#include <cstddef>
#include <tuple>
#include <typeinfo>
#include <utility>
#include <vector>

namespace ns3
{

/// Events of one time that follow one another; an event of ns-3.
class DcnPacketEvents::Batch final : public EventImpl
{
  public:
    /**
     * @param owner the events
     */
    explicit Batch(DcnPacketEvents* owner)
        : m_owner(owner)
    {
    }

    /**
     * @brief Become pending.
     * @param device where the first event happens
     * @param frame arrives there, if not null
     * @param atNs its time [ns]
     * @param node its device's, see Schedule
     * @param isAlone no other event may join
     */
    void Begin(DcnEventTarget* device, DcnFrame* frame, int64_t atNs, uint32_t node, bool isAlone)
    {
        m_entries.emplace_back(device, frame);
        m_atNs = atNs;
        m_node = node;
        m_isAlone = isAlone;
        m_number = m_owner->m_nBegun++;
        Ref(); // the simulator drops one reference after the event
    }

    /// What TakeFrozen has found: where the event stood, and the event.
    using Taken = std::tuple<int64_t, uint64_t, std::size_t, DcnSkipPart::Event>;

    /**
     * @brief Give away the events of a part.
     * @param part the part
     * @param taken gets them
     */
    void TakeFrozen(const DcnSkipPart& part, std::vector<Taken>& taken)
    {
        std::size_t n = 0;
        for (std::size_t i = 0; i < m_entries.size(); ++i)
        {
            const Entry& entry = m_entries[i];
            if (entry.device->GetSkipPart() != &part)
            {
                m_entries[n++] = entry;
                continue;
            }
            taken.emplace_back(
                m_atNs,
                m_number,
                i,
                DcnSkipPart::Event{entry.device, entry.frame, m_atNs, m_node, m_isAlone});
        }
        // an empty batch happens, and does nothing
        m_entries.erase(m_entries.begin() + n, m_entries.end());
    }

    /**
     * @param owner events
     * @return whether one of these may join
     */
    bool IsOpen(const DcnPacketEvents* owner) const
    {
        return m_owner == owner && !m_isAlone;
    }

    /**
     * @param device where an event happens after those of the batch, at the same time
     * @param frame arrives there, if not null
     */
    void Join(DcnEventTarget* device, DcnFrame* frame)
    {
        m_entries.emplace_back(device, frame);
    }

    /**
     * @brief Have no further effect: the owner, its devices and its frames may go.
     */
    void Abandon()
    {
        Cancel();
        m_owner = nullptr; // no event joins it any more
        if (!m_isRunning)
        {
            m_entries.clear(); // they are neither prefetched nor happen
        }
    }

    /**
     * @brief Have the first events in the cache: frames and devices.
     * @param stage 1: frames and devices; 2: what they refer to
     */
    void Prefetch(int stage) const
    {
        const std::size_t n = std::min<std::size_t>(m_entries.size(), AHEAD);
        for (std::size_t i = 0; i < n; ++i)
        {
            stage == 1 ? PrefetchEntry(m_entries[i]) : PrefetchReferred(m_entries[i]);
        }
    }

  private:
    /// Events ahead of the present one for whose memory it pays to ask.
    static constexpr std::size_t AHEAD = 4;

    void Notify() override;

    static void PrefetchEntry(const Entry& entry)
    {
        if (entry.frame)
        {
            __builtin_prefetch(entry.frame, 1);
        }
        PrefetchDevice(entry.device);
    }

    /// The frame should be in the cache.
    static void PrefetchReferred(const Entry& entry)
    {
        if (entry.frame)
        {
            DcnPacketEvents::PrefetchReferred(*entry.frame);
        }
    }

    DcnPacketEvents* m_owner;                           //!< takes it back
    int64_t m_atNs{0};                                  //!< its time [ns]
    bool m_isAlone{false};                              //!< no other event may join
    uint32_t m_node{0};                                 //!< of the first event, see Schedule
    uint64_t m_number{0};                               //!< batches that became pending before
    bool m_isRunning{false};                            //!< in Notify
    boost::container::small_vector<Entry, 3> m_entries; //!< what happens, in order
};

void
DcnPacketEvents::Batch::Notify()
{
    const std::size_t n = m_entries.size(); // the batch is not pending: no event joins it any more
    if (const DcnWheelScheduler* wheel = DcnWheelScheduler::GetLatest())
    {
        // in stages, since each refers to the next: the batch of the third event, frames and
        // devices of the second, ports and flows of the first
        const auto [next, afterNext, third] = wheel->GuessNext();
        PrefetchBytes(third, sizeof(Batch)); // whatever it is
        if (const Batch* batch = AsBatch(afterNext))
        {
            batch->Prefetch(1);
        }
        if (const Batch* batch = AsBatch(next))
        {
            batch->Prefetch(afterNext ? 2 : 1);
        }
    }
    m_owner->m_nSinceLook += n;
    if (m_owner->m_nSinceLook >= LOOK_EVENTS)
    {
        m_owner->m_nSinceLook = 0;
        if (m_owner->m_look)
        {
            m_owner->m_look();
        }
    }
    m_isRunning = true;
    for (std::size_t i = 0; i < n; ++i)
    {
        if (i + 2 * AHEAD < n)
        {
            PrefetchEntry(m_entries[i + 2 * AHEAD]);
        }
        if (i + AHEAD < n)
        {
            PrefetchReferred(m_entries[i + AHEAD]);
        }
        const Entry& entry = m_entries[i];
        if (entry.frame)
        {
            entry.device->Receive(entry.frame, m_atNs);
        }
        else
        {
            entry.device->Wake(m_atNs);
        }
        if (!m_owner)
        {
            // a listener has stopped the network; the caller has a reference to this event
            m_isRunning = false;
            m_entries.clear();
            return;
        }
        if (i + 1 < n && Simulator::IsFinished())
        {
            m_isRunning = false;
            m_entries.erase(m_entries.begin(), m_entries.begin() + i + 1);
            Ref();
            Simulator::ScheduleWithContext(Simulator::NO_CONTEXT, TimeStep(0), this);
            return;
        }
    }
    m_isRunning = false;
    m_entries.clear();
    m_owner->m_free.push_back(this);
}

DcnPacketEvents::DcnPacketEvents() = default;

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

DcnPacketEvents::Batch*
DcnPacketEvents::AsBatch(EventImpl* event)
{
    return event && typeid(*event) == typeid(Batch) ? static_cast<Batch*>(event) : nullptr;
}

DcnPacketEvents::~DcnPacketEvents()
{
    CancelAll();
}

void
DcnPacketEvents::Schedule(DcnEventTarget* device,
                          DcnFrame* frame,
                          int64_t nowNs,
                          int64_t atNs,
                          uint32_t node,
                          bool isAlone)
{
    if (m_nFrozen > 0 && device->IsFrozen())
    {
        // a frame of a flow that is over comes from elsewhere: time stands still there
        DcnSkipPart& part = *device->GetSkipPart();
        part.events.push_back({device, frame, atNs - (nowNs - part.frozenNs), node, isAlone});
        return;
    }
    if (m_alone)
    {
        LoneEvent event;
        event.timeNs = atNs;
        event.subject = device;
        event.frame = frame;
        event.kind = frame ? DcnPacketEventKind::ARRIVAL : DcnPacketEventKind::WAKE;
        m_alone->wheel.Push(event);
        return;
    }
    if (m_partition)
    {
        const auto kind = frame ? DcnPacketEventKind::ARRIVAL : DcnPacketEventKind::WAKE;
        const DcnWindowEvent event{atNs,
                                   DcnWindowEvent::MakeOrder(static_cast<uint8_t>(kind), node),
                                   device,
                                   frame};
        if (frame)
        {
            m_partition->Send((*m_partitionOf)[node], event);
        }
        else
        {
            m_partition->Push(event);
        }
        return;
    }
    const DcnWheelScheduler* wheel = DcnWheelScheduler::GetLatest();
    if (wheel && !isAlone)
    {
        Batch* last = AsBatch(wheel->PeekLast(atNs));
        if (last && last->IsOpen(this))
        {
            last->Join(device, frame);
            return;
        }
    }
    if (m_free.empty())
    {
        m_all.push_back(Create<Batch>(this));
        m_free.push_back(PeekPointer(m_all.back()));
    }
    Batch* batch = m_free.back();
    m_free.pop_back();
    batch->Begin(device, frame, atNs, node, isAlone || !wheel);
    Simulator::ScheduleWithContext(isAlone || !wheel ? node : Simulator::NO_CONTEXT,
                                   TimeStep(atNs - nowNs),
                                   batch);
}

void
DcnPacketEvents::ScheduleFlow(DcnPacketEventKind kind,
                              DcnPacketFlow* flow,
                              std::size_t index,
                              uint32_t partition,
                              int64_t atNs)
{
    if (m_alone)
    {
        LoneEvent event;
        event.timeNs = atNs;
        event.subject = flow;
        event.index = index;
        event.kind = kind;
        m_alone->wheel.Push(event);
        return;
    }
    m_partition->Send(
        partition,
        {atNs, DcnWindowEvent::MakeOrder(static_cast<uint8_t>(kind), index), flow, nullptr});
}

void
DcnPacketEvents::BeginAlone(int64_t aheadNs)
{
    const int64_t nowNs = Simulator::Now().GetTimeStep();
    m_alone = std::make_unique<Alone>(Alone{LoneWheel(LoneWheel::GetSlots(aheadNs)), nowNs});
    m_alone->wheel.Advance(nowNs);
}

bool
DcnPacketEvents::RunAlone(const FlowEvent& runFlow, int64_t untilNs)
{
    Alone& alone = *m_alone;
    uint64_t untilLook = LOOK_EVENTS;
    while (!alone.isStopped && alone.wheel.PeekTimeNs() < untilNs)
    {
        if (--untilLook == 0)
        {
            untilLook = LOOK_EVENTS;
            if (m_look)
            {
                m_look();
            }
        }
        const LoneEvent event = alone.wheel.Pop();
        if (alone.wheel.GetNInWheel() >= MANY)
        {
            // in stages, since each refers to the next, as in Batch::Notify; not in a function,
            // which would have no effect for the compiler
            const auto [next, afterNext, third, fourth] = alone.wheel.Guess<4>();
            if (third && third->frame)
            {
                __builtin_prefetch(third->frame, 1); // or nothing, if it is an index
            }
            if (afterNext)
            {
                PrefetchDevice(afterNext->subject);
            }
            if (next && next->kind == DcnPacketEventKind::ARRIVAL)
            {
                PrefetchReferred(*next->frame);
            }
        }
        alone.nowNs = event.timeNs;
        auto* device = static_cast<DcnEventTarget*>(event.subject);
        if (event.kind == DcnPacketEventKind::ARRIVAL)
        {
            device->Receive(event.frame, event.timeNs);
        }
        else if (event.kind == DcnPacketEventKind::WAKE)
        {
            device->Wake(event.timeNs);
        }
        else
        {
            runFlow(event.kind,
                    static_cast<DcnPacketFlow*>(event.subject),
                    event.index,
                    event.timeNs);
        }
    }
    if (alone.isStopped || untilNs == LoneWheel::NEVER)
    {
        return false;
    }
    alone.nowNs = untilNs;
    return true;
}

void
DcnPacketEvents::EndAlone(const FlowEvent& giveFlow)
{
    const auto alone = std::move(m_alone);
    const int64_t nowNs = Simulator::Now().GetTimeStep();
    alone->wheel.ForEach([&](const LoneEvent& event) {
        if (event.kind < DcnPacketEventKind::ARRIVAL)
        {
            giveFlow(event.kind,
                     static_cast<DcnPacketFlow*>(event.subject),
                     event.index,
                     event.timeNs);
            return;
        }
        auto* device = static_cast<DcnEventTarget*>(event.subject);
        const auto [node, isAlone] = device->GetContext(event.frame);
        Schedule(device, event.frame, nowNs, event.timeNs, node, isAlone);
    });
}

int64_t
DcnPacketEvents::GetNowNs() const
{
    return m_alone       ? m_alone->nowNs
           : m_partition ? m_partition->GetNowNs()
                         : Simulator::Now().GetTimeStep();
}

void
DcnPacketEvents::Freeze(DcnSkipPart& part, int64_t nowNs)
{
    part.isFrozen = true;
    part.frozenNs = nowNs;
    ++m_nFrozen;
    if (m_alone)
    {
        const auto isOfPart = [&part](const LoneEvent& event) {
            return event.kind >= DcnPacketEventKind::ARRIVAL &&
                   static_cast<DcnEventTarget*>(event.subject)->GetSkipPart() == &part;
        };
        for (const LoneEvent& event : m_alone->wheel.TakeIf(isOfPart))
        {
            auto* device = static_cast<DcnEventTarget*>(event.subject);
            const auto [node, isAlone] = device->GetContext(event.frame);
            part.events.push_back({device, event.frame, event.timeNs, node, isAlone});
        }
        return;
    }
    std::vector<Batch::Taken> taken;
    for (const auto& batch : m_all)
    {
        batch->TakeFrozen(part, taken);
    }
    // in the order of ns-3: by time, then by batch
    std::sort(taken.begin(), taken.end(), [](const Batch::Taken& a, const Batch::Taken& b) {
        return std::tie(std::get<0>(a), std::get<1>(a), std::get<2>(a)) <
               std::tie(std::get<0>(b), std::get<1>(b), std::get<2>(b));
    });
    for (const Batch::Taken& each : taken)
    {
        part.events.push_back(std::get<3>(each));
    }
}

void
DcnPacketEvents::Thaw(DcnSkipPart& part, int64_t nowNs)
{
    part.isFrozen = false;
    --m_nFrozen;
    for (const DcnSkipPart::Event& event : part.events)
    {
        Schedule(event.device,
                 event.frame,
                 nowNs,
                 event.atNs + nowNs - part.frozenNs,
                 event.node,
                 event.isAlone);
    }
    part.events.clear();
}

void
DcnPacketEvents::CancelAll()
{
    for (const auto& batch : m_all)
    {
        batch->Abandon();
    }
}

} // namespace ns3

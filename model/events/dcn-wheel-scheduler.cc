/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "dcn-wheel-scheduler.h"

#include "ns3/assert.h"
#include "ns3/event-impl.h"
#include "ns3/global-value.h"
#include "ns3/log.h"
#include "ns3/map-scheduler.h"
#include "ns3/object-factory.h"
#include "ns3/simulator.h"
#include "ns3/type-id.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <utility>

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("DcnWheelScheduler");
NS_OBJECT_ENSURE_REGISTERED(DcnWheelScheduler);

TypeId
DcnWheelScheduler::GetTypeId()
{
    static TypeId tid = TypeId("ns3::DcnWheelScheduler")
                            .SetParent<Scheduler>()
                            .SetGroupName("Dcn")
                            .AddConstructor<DcnWheelScheduler>()
                            .AddAttribute("Slots",
                                          "Slots of 1 ns, rounded up to a power of 2: events "
                                          "further ahead are in a heap. The fewer, the better "
                                          "they fit into the cache.",
                                          UintegerValue(65536),
                                          MakeUintegerAccessor(&DcnWheelScheduler::SetSlots,
                                                               &DcnWheelScheduler::GetSlots),
                                          MakeUintegerChecker<uint32_t>(1, 65536));
    return tid;
}

DcnWheelScheduler::DcnWheelScheduler()
{
    NS_LOG_FUNCTION(this);
}

DcnWheelScheduler::~DcnWheelScheduler()
{
    NS_LOG_FUNCTION(this);
}

void
DcnWheelScheduler::SetSlots(uint32_t nSlots)
{
    m_nSlots = Wheel::MIN_SLOTS;
    while (m_nSlots < nSlots)
    {
        m_nSlots *= 2;
    }
    Wheel wheel(m_nSlots);
    m_wheel.ForEach([&wheel](const Pending& pending) { wheel.Push(pending); });
    m_wheel = std::move(wheel);
}

uint32_t
DcnWheelScheduler::GetSlots() const
{
    return m_nSlots;
}

DcnWheelScheduler::Pending
DcnWheelScheduler::MakePending(const Scheduler::Event& event)
{
    return {static_cast<int64_t>(event.key.m_ts), event.impl, event.key.m_uid, event.key.m_context, 0};
}

Scheduler::Event
DcnWheelScheduler::MakeEvent(const Pending& pending)
{
    Scheduler::Event event;
    event.impl = pending.impl;
    event.key.m_ts = static_cast<uint64_t>(pending.timeNs);
    event.key.m_uid = pending.uid;
    event.key.m_context = pending.context;
    return event;
}

void
DcnWheelScheduler::Insert(const Scheduler::Event& event)
{
    NS_LOG_FUNCTION(this << event.impl << event.key.m_ts << event.key.m_uid);
    m_wheel.Push(MakePending(event));
}

bool
DcnWheelScheduler::IsEmpty() const
{
    return m_wheel.IsEmpty();
}

Scheduler::Event
DcnWheelScheduler::PeekNext() const
{
    NS_ASSERT_MSG(!IsEmpty(), "no event is pending");
    return MakeEvent(m_wheel.Peek());
}

Scheduler::Event
DcnWheelScheduler::RemoveNext()
{
    NS_ASSERT_MSG(!IsEmpty(), "no event is pending");
    m_wheel.PeekTimeNs();
    const Pending next = m_wheel.Pop();
    NS_LOG_LOGIC("next event " << next.impl << " at " << next.timeNs << ", uid " << next.uid);
    return MakeEvent(next);
}

void
DcnWheelScheduler::Remove(const Scheduler::Event& event)
{
    NS_LOG_FUNCTION(this << event.impl << event.key.m_ts << event.key.m_uid);
    [[maybe_unused]] const bool isRemoved = m_wheel.Remove(MakePending(event));
    NS_ASSERT_MSG(isRemoved, "the event to remove is not pending");
}

DcnWheelSchedulerChoice::DcnWheelSchedulerChoice(int64_t aheadNs)
{
    TypeIdValue type;
    GlobalValue::GetValueByName("SchedulerType", type);
    m_isWheel = type.Get() == MapScheduler::GetTypeId();
    if (m_isWheel)
    {
        ObjectFactory factory;
        factory.SetTypeId(DcnWheelScheduler::GetTypeId());
        factory.Set("Slots", UintegerValue(std::clamp<int64_t>(aheadNs, 1, 65536)));
        Simulator::SetScheduler(factory);
    }
}

DcnWheelSchedulerChoice::~DcnWheelSchedulerChoice()
{
    if (m_isWheel)
    {
        ObjectFactory factory;
        factory.SetTypeId(MapScheduler::GetTypeId());
        Simulator::SetScheduler(factory);
    }
}

} // namespace ns3

/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "dcn-test-case.h"

#include "ns3/dcn-timing-wheel.h"
#include "ns3/dcn-wheel-scheduler.h"
#include "ns3/event-id.h"
#include "ns3/global-value.h"
#include "ns3/make-event.h"
#include "ns3/map-scheduler.h"
#include "ns3/object-factory.h"
#include "ns3/random-variable-stream.h"
#include "ns3/simulator.h"
#include "ns3/string.h"
#include "ns3/type-id.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

using namespace ns3;

namespace
{

/// An event of the wheel that is ordered by time and cause, and then by insertion.
struct Pending
{
    int64_t timeNs;   //!< when [ns]
    int64_t causeNs;  //!< when it became certain [ns]
    uint32_t number;  //!< counts insertions
    uint32_t next{0}; //!< set by the wheel

    /**
     * @param other another one
     * @return whether this one comes first
     */
    bool operator<(const Pending& other) const
    {
        return std::tie(timeNs, causeNs) < std::tie(other.timeNs, other.causeNs);
    }

    /**
     * @param other another one
     * @return whether it is the same
     */
    bool operator==(const Pending& other) const
    {
        return std::tie(timeNs, causeNs, number) ==
               std::tie(other.timeNs, other.causeNs, other.number);
    }
};

/// Draws delays on all scales: within a slot, within the wheel, at its end and far beyond.
class Delays
{
  public:
    /**
     * @param slotNs length of a slot [ns]
     * @param reachNs of the wheel [ns]
     */
    Delays(int64_t slotNs, int64_t reachNs)
        : m_slotNs(slotNs),
          m_reachNs(reachNs)
    {
        m_uniform->SetStream(1);
    }

    /**
     * @param most largest value
     * @return a value between 0 and most
     */
    int64_t UpTo(int64_t most)
    {
        return m_uniform->GetInteger(0, static_cast<uint32_t>(most));
    }

    /** @return a delay, >= 0 [ns]. */
    int64_t Draw()
    {
        switch (UpTo(4))
        {
        case 0:
            return 0;
        case 1:
            return UpTo(2 * m_slotNs);
        case 2:
            return UpTo(m_reachNs / 5);
        case 3:
            return m_reachNs - 2 * m_slotNs + UpTo(4 * m_slotNs);
        default:
            return UpTo(10 * m_reachNs);
        }
    }

  private:
    int64_t m_slotNs;                                                                  //!< slot
    int64_t m_reachNs;                                                                 //!< reach
    Ptr<UniformRandomVariable> m_uniform{CreateObject<UniformRandomVariable>()}; //!< draws
};

/**
 * @ingroup dcn-tests
 * @brief The next event is always the least of (time, cause, insertion), wherever it is kept,
 * against a sorted list; some events lie in the past, some are removed.
 */
DCN_TEST_CASE(OrderTestCase, "order of a wheel with long slots against a sorted list")
{
    constexpr int64_t SLOT_NS = 128;
    constexpr int64_t REACH_NS = 4096 * SLOT_NS;
    using Wheel = DcnTimingWheel<Pending, 7, 4096>;
    Wheel wheel;
    Delays delays(SLOT_NS, REACH_NS);
    std::vector<Pending> expected; // sorted
    NS_TEST_ASSERT_MSG_EQ(wheel.PeekTimeNs(), Wheel::NEVER, "nothing yet");
    int64_t nowNs = 0;
    uint32_t nPushed = 0;
    uint32_t nPopped = 0;
    uint32_t nPast = 0;
    uint32_t nRemoved = 0;
    std::size_t nTaken = 0;
    for (uint32_t step = 0; step < 60'000; ++step)
    {
        NS_TEST_ASSERT_MSG_EQ(wheel.IsEmpty(), expected.empty(), "whether there is an event");
        // grows, then shrinks to nothing, several times
        const bool grows = (step / 5000) % 2 == 0;
        if (expected.empty() || delays.UpTo(9) < (grows ? 6 : 3))
        {
            const int64_t delayNs = delays.UpTo(5) ? delays.Draw() : -delays.UpTo(300);
            const int64_t timeNs = std::max<int64_t>(0, nowNs + delayNs);
            nPast += timeNs < nowNs ? 1 : 0;
            const Pending pending{timeNs, nowNs - delays.UpTo(2), nPushed++};
            wheel.Push(pending);
            expected.insert(std::upper_bound(expected.begin(), expected.end(), pending), pending);
            continue;
        }
        if (delays.UpTo(7) == 0)
        {
            // one of equal events is removed: the first one
            const Pending any = expected[delays.UpTo(expected.size() - 1)];
            expected.erase(std::lower_bound(expected.begin(), expected.end(), any));
            NS_TEST_ASSERT_MSG_EQ(wheel.Remove(any), true, "removed");
            NS_TEST_ASSERT_MSG_EQ(wheel.Remove({any.timeNs, nowNs + 1, 0}), false, "no such event");
            ++nRemoved;
            continue;
        }
        const Pending next = expected.front();
        expected.erase(expected.begin());
        NS_TEST_ASSERT_MSG_EQ((wheel.Peek() == next), true, "the next event");
        NS_TEST_ASSERT_MSG_EQ(wheel.PeekTimeNs(), next.timeNs, "time of the next event");
        NS_TEST_ASSERT_MSG_EQ((wheel.Pop() == next), true, "the event");
        nowNs = std::max(nowNs, next.timeNs);
        ++nPopped;
        if (nPopped % 1000 == 0)
        {
            std::vector<Pending> all;
            wheel.ForEach([&all](const Pending& event) { all.push_back(event); });
            NS_TEST_ASSERT_MSG_EQ((all == expected), true, "all that is pending, in order");
            const auto isTaken = [](const Pending& event) { return event.number % 3 == 0; };
            const auto kept =
                std::stable_partition(expected.begin(), expected.end(), std::not_fn(isTaken));
            const std::vector<Pending> taken(kept, expected.end());
            expected.erase(kept, expected.end());
            NS_TEST_ASSERT_MSG_EQ((wheel.TakeIf(isTaken) == taken), true, "taken, in order");
            nTaken += taken.size();
        }
    }
    NS_TEST_EXPECT_MSG_GT(nPopped, 20'000U, "events that came");
    NS_TEST_EXPECT_MSG_GT(nPast, 1000U, "events in the past");
    NS_TEST_EXPECT_MSG_GT(nRemoved, 2000U, "events removed");
    NS_TEST_EXPECT_MSG_GT(nTaken, 1000U, "events taken");
    NS_TEST_EXPECT_MSG_GT(nowNs, 20 * REACH_NS, "turns of the wheel");
}

/// After time has passed without events, what would have been beyond the wheel is in it; an event
/// that was pushed earlier for the same time and cause still comes first.
DCN_TEST_CASE(AdvanceTestCase, "time that passes without events")
{
    constexpr int64_t FAR_NS = 10'000'000;
    DcnTimingWheel<Pending, 7, 4096> wheel;
    wheel.Push({FAR_NS, 0, 1}); // beyond the wheel
    wheel.Advance(FAR_NS - 1000);
    wheel.Push({FAR_NS, 0, 2}); // within it
    wheel.Push({FAR_NS, -1, 3});
    wheel.Push({FAR_NS - 1, 5, 4});
    std::vector<uint32_t> order;
    while (wheel.PeekTimeNs() != wheel.NEVER)
    {
        NS_TEST_EXPECT_MSG_EQ(wheel.PeekTimeNs(), (order.empty() ? FAR_NS - 1 : FAR_NS), "time");
        order.push_back(wheel.Pop().number);
    }
    NS_TEST_EXPECT_MSG_EQ((order == std::vector<uint32_t>{4, 3, 1, 2}), true, "order");
}

constexpr int64_t SCHEDULER_REACH_NS = 65536; //!< of the wheel of DcnWheelScheduler

/// Gives equal orders of events out of two schedulers.
bool
IsSame(const Scheduler::Event& a, const Scheduler::Event& b)
{
    return a.impl == b.impl && a.key.m_ts == b.key.m_ts && a.key.m_uid == b.key.m_uid &&
           a.key.m_context == b.key.m_context;
}

/**
 * @ingroup dcn-tests
 * @brief Insert, PeekNext, RemoveNext and Remove of the wheel against ns-3's map, uids that begin
 * anew included; now and then all events move into another wheel, as Simulator::SetScheduler does.
 */
DCN_TEST_CASE(SchedulerTestCase, "the scheduler against ns-3's MapScheduler")
{
    Ptr<Scheduler> wheel = CreateObject<DcnWheelScheduler>();
    Ptr<Scheduler> map = CreateObject<MapScheduler>();
    Delays delays(1, SCHEDULER_REACH_NS);
    Ptr<EventImpl> function(MakeEvent([] {}), false);
    std::vector<Scheduler::Event> pending; // in no order
    int64_t nowNs = 0;
    uint32_t uid = 0xffffffff - 20'000; // begins anew on the way
    uint32_t nCame = 0;
    uint32_t nRemoved = 0;
    for (uint32_t step = 0; step < 100'000; ++step)
    {
        NS_TEST_ASSERT_MSG_EQ(wheel->IsEmpty(), map->IsEmpty(), "whether there is an event");
        const bool grows = (step / 7000) % 2 == 0;
        if (map->IsEmpty() || delays.UpTo(9) < (grows ? 6 : 3))
        {
            Scheduler::Event event;
            event.impl = PeekPointer(function);
            event.key.m_ts = static_cast<uint64_t>(nowNs + delays.Draw());
            event.key.m_uid = uid++;
            event.key.m_context = static_cast<uint32_t>(delays.UpTo(9));
            wheel->Insert(event);
            map->Insert(event);
            pending.push_back(event);
            continue;
        }
        if (delays.UpTo(7) == 0)
        {
            const std::size_t any = delays.UpTo(pending.size() - 1);
            wheel->Remove(pending[any]);
            map->Remove(pending[any]);
            pending[any] = pending.back();
            pending.pop_back();
            ++nRemoved;
            continue;
        }
        NS_TEST_ASSERT_MSG_EQ(IsSame(wheel->PeekNext(), map->PeekNext()), true, "the next event");
        const Scheduler::Event event = map->RemoveNext();
        NS_TEST_ASSERT_MSG_EQ(IsSame(wheel->RemoveNext(), event), true, "the event");
        nowNs = static_cast<int64_t>(event.key.m_ts);
        pending.erase(std::find_if(pending.begin(), pending.end(), [&event](const auto& other) {
            return IsSame(event, other);
        }));
        if (++nCame % 10'000 == 0)
        {
            Ptr<Scheduler> other = CreateObject<DcnWheelScheduler>();
            while (!wheel->IsEmpty())
            {
                other->Insert(wheel->RemoveNext());
            }
            wheel = other;
        }
    }
    NS_TEST_EXPECT_MSG_GT(nCame, 30'000U, "events that came");
    NS_TEST_EXPECT_MSG_GT(nRemoved, 4000U, "events removed");
    NS_TEST_EXPECT_MSG_LT(uid, 0x7fffffffU, "uids began anew");
    NS_TEST_EXPECT_MSG_GT(nowNs, 20 * SCHEDULER_REACH_NS, "turns of the wheel");
}

/// The number of slots is rounded up; pending events stay when it changes.
DCN_TEST_CASE(SlotsTestCase, "number of slots")
{
    Ptr<DcnWheelScheduler> wheel = CreateObject<DcnWheelScheduler>();
    Ptr<EventImpl> function(MakeEvent([] {}), false);
    for (const uint32_t timeNs : {30'000, 20'000, 10'000})
    {
        Scheduler::Event event;
        event.impl = PeekPointer(function);
        event.key.m_ts = timeNs;
        event.key.m_uid = 10 + timeNs;
        event.key.m_context = 0;
        wheel->Insert(event);
    }
    for (const auto& [asked, slots] :
         std::vector<std::pair<uint32_t, uint32_t>>{
             {1, 4096},
             {4096, 4096},
             {4097, 8192},
             {65536, 65536}})
    {
        wheel->SetAttribute("Slots", UintegerValue(asked));
        UintegerValue value;
        wheel->GetAttribute("Slots", value);
        NS_TEST_EXPECT_MSG_EQ(value.Get(), slots, "a power of 2");
        NS_TEST_EXPECT_MSG_EQ(wheel->PeekNext().key.m_ts, 10'000, "the events are there");
    }
    for (const uint32_t timeNs : {10'000, 20'000, 30'000})
    {
        NS_TEST_EXPECT_MSG_EQ(wheel->RemoveNext().key.m_ts, timeNs, "in order");
    }
    NS_TEST_EXPECT_MSG_EQ(wheel->IsEmpty(), true, "nothing left");
}

/**
 * @ingroup dcn-tests
 * @brief Events that schedule, cancel and remove others and ask for their state, at random; and a
 * scheduler that is changed while they run.
 */
class RandomSimulation
{
  public:
    /// What an event noted: its number, the time, the context and the answer of its question.
    using Record = std::tuple<uint32_t, int64_t, uint32_t, int64_t>;

    /**
     * @param typeId scheduler to begin with
     * @return what the events noted, in the order in which they ran
     */
    std::vector<Record> Run(TypeId typeId)
    {
        ObjectFactory factory;
        factory.SetTypeId(typeId);
        Simulator::SetScheduler(factory);
        for (uint32_t i = 0; i < 50; ++i)
        {
            Add();
        }
        Simulator::Stop(NanoSeconds(200'000));
        Simulator::Run();
        m_records.emplace_back(0, Simulator::Now().GetTimeStep(), 0, 0);
        factory.SetTypeId(typeId == MapScheduler::GetTypeId() ? typeId
                                                              : DcnWheelScheduler::GetTypeId());
        Simulator::SetScheduler(factory); // moves the pending events
        Simulator::Run();                 // until nothing is left
        Simulator::Destroy();
        return m_records;
    }

  private:
    static constexpr uint32_t N_EVENTS = 30'000;

    void Add()
    {
        if (m_ids.size() == N_EVENTS)
        {
            return;
        }
        const auto number = static_cast<uint32_t>(m_ids.size());
        const Time delay = NanoSeconds(m_delays.Draw() / 8);
        if (m_delays.UpTo(2) == 0)
        {
            Simulator::ScheduleWithContext(number % 7, delay, [this, number] { Happen(number); });
            m_ids.emplace_back();
        }
        else
        {
            m_ids.push_back(Simulator::Schedule(delay, [this, number] { Happen(number); }));
        }
    }

    void Happen(uint32_t number)
    {
        EventId& other = m_ids[m_delays.UpTo(m_ids.size() - 1)];
        m_records.emplace_back(number,
                               Simulator::Now().GetTimeStep(),
                               Simulator::GetContext(),
                               2 * Simulator::GetDelayLeft(other).GetTimeStep() +
                                   (other.IsExpired() ? 1 : 0));
        if (m_delays.UpTo(9) == 0)
        {
            Simulator::Remove(other);
        }
        else if (m_delays.UpTo(9) == 0)
        {
            other.Cancel();
        }
        const int64_t n = m_delays.UpTo(m_ids.size() < N_EVENTS / 2 ? 3 : 2);
        for (int64_t i = 0; i < n; ++i)
        {
            Add();
        }
    }

    Delays m_delays{1, SCHEDULER_REACH_NS}; //!< the same ones in every simulation
    std::vector<EventId> m_ids;             //!< by number of the event
    std::vector<Record> m_records;          //!< what the events noted
};

/// A simulation runs the same events in the same order with the wheel and with ns-3's map.
DCN_TEST_CASE(SimulatorTestCase, "Simulator::Run with the wheel and with the map")
{
    const auto map = RandomSimulation().Run(MapScheduler::GetTypeId());
    const auto wheel = RandomSimulation().Run(DcnWheelScheduler::GetTypeId());
    NS_TEST_EXPECT_MSG_GT(map.size(), 20'000U, "events that ran");
    NS_TEST_EXPECT_MSG_EQ((map == wheel), true, "order, times, contexts, states");
}

/// The choice puts the wheel in place of ns-3's default, moves pending events and takes itself
/// back; a scheduler that the user chose stays.
DCN_TEST_CASE(ChoiceTestCase, "choice of the scheduler for a run")
{
    std::string order;
    auto note = [&order](char letter) { order += letter; };
    Simulator::Schedule(NanoSeconds(20), [note] { note('b'); });
    Simulator::Schedule(NanoSeconds(20), [note] { note('c'); });
    {
        const DcnWheelSchedulerChoice choice(1000);
        NS_TEST_EXPECT_MSG_EQ(choice.IsWheel(), true, "a wheel");
        Simulator::Schedule(NanoSeconds(20), [note] { note('d'); });
        Simulator::Schedule(NanoSeconds(10), [note] {
            note('a');
            Simulator::Stop();
        });
        Simulator::Run();
        NS_TEST_EXPECT_MSG_EQ(order, "a", "until the stop");
    }
    Simulator::Run();
    NS_TEST_EXPECT_MSG_EQ(order, "abcd", "the pending events came along");
    Simulator::Destroy();

    TypeIdValue before;
    GlobalValue::GetValueByName("SchedulerType", before);
    GlobalValue::Bind("SchedulerType", StringValue("ns3::HeapScheduler"));
    {
        const DcnWheelSchedulerChoice choice(1000);
        NS_TEST_EXPECT_MSG_EQ(choice.IsWheel(), false, "the user chose another one");
    }
    GlobalValue::Bind("SchedulerType", before);
    Simulator::Destroy();
}

DcnTestSuite<OrderTestCase,
             AdvanceTestCase,
             SchedulerTestCase,
             SlotsTestCase,
             SimulatorTestCase,
             ChoiceTestCase>
    g_dcnWheelSchedulerTestSuite("dcn-wheel-scheduler"); //!< the suite

} // namespace

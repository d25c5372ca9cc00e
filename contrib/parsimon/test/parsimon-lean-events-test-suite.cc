/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "../model/simulate/parsimon-lean-events.h"
#include "dcn-test-case.h"

#include "ns3/random-variable-stream.h"

#include <algorithm>
#include <cstdint>
#include <tuple>
#include <vector>

using namespace ns3;

namespace
{

using Events = ParsimonLeanEvents;

/// A pending event, ordered as it must come: by time, cause and insertion.
struct Pending
{
    int64_t timeNs;   //!< when [ns]
    int64_t causeNs;  //!< when it became certain [ns]
    uint32_t payload; //!< counts insertions

    /**
     * @param other another one
     * @return whether this one comes first
     */
    bool operator<(const Pending& other) const
    {
        return std::tie(timeNs, causeNs, payload) <
               std::tie(other.timeNs, other.causeNs, other.payload);
    }

    /**
     * @param other another one
     * @return whether it is the same
     */
    bool operator==(const Pending& other) const
    {
        return std::tie(timeNs, causeNs, payload) ==
               std::tie(other.timeNs, other.causeNs, other.payload);
    }
};

/**
 * @ingroup parsimon-tests
 * @brief The next event is always the least of (time, cause, insertion), wherever it is kept.
 *
 * Times are drawn on all scales: within a slot, within the wheel, at its end and far beyond, some
 * equal, some in the past.
 */
class OrderTestCase : public TestCase
{
  public:
    OrderTestCase()
        : TestCase("order of events against a sorted list")
    {
    }

  private:
    static constexpr int64_t WHEEL_NS = 4096 * 128; //!< reach of the wheel

    /// @return how long after now an event is [ns]
    int64_t DrawDelay()
    {
        switch (m_uniform->GetInteger(0, 5))
        {
        case 0:
            return 0;
        case 1:
            return m_uniform->GetInteger(0, 200);
        case 2:
            return m_uniform->GetInteger(0, 100'000);
        case 3:
            return WHEEL_NS - 256 + m_uniform->GetInteger(0, 512);
        case 4:
            return m_uniform->GetInteger(0, 5'000'000);
        default:
            return -static_cast<int64_t>(m_uniform->GetInteger(0, 300)); // in the past
        }
    }

    void DoRun() override
    {
        m_uniform->SetStream(1);
        Events events;
        std::vector<Pending> expected; // sorted
        NS_TEST_ASSERT_MSG_EQ(events.PeekTimeNs(), Events::NEVER, "nothing yet");
        int64_t nowNs = 0;
        uint32_t nPushed = 0;
        uint32_t nPopped = 0;
        uint32_t nPast = 0;
        for (uint32_t step = 0; step < 60'000; ++step)
        {
            // grows, then shrinks to nothing, several times
            const bool grows = (step / 5000) % 2 == 0;
            if (expected.empty() || m_uniform->GetInteger(0, 9) < (grows ? 6U : 3U))
            {
                const int64_t timeNs = std::max<int64_t>(0, nowNs + DrawDelay());
                nPast += timeNs < nowNs ? 1 : 0;
                const int64_t causeNs = nowNs - m_uniform->GetInteger(0, 2);
                const Pending pending{timeNs, causeNs, nPushed++};
                events.Push(timeNs, causeNs, pending.payload);
                expected.insert(std::upper_bound(expected.begin(), expected.end(), pending),
                                pending);
                continue;
            }
            const Pending next = expected.front();
            expected.erase(expected.begin());
            NS_TEST_ASSERT_MSG_EQ(events.PeekTimeNs(), next.timeNs, "time of the next event");
            const Events::Event event = events.Pop();
            NS_TEST_ASSERT_MSG_EQ(event.timeNs, next.timeNs, "time of the event");
            NS_TEST_ASSERT_MSG_EQ(event.payload, next.payload, "which event");
            nowNs = std::max(nowNs, event.timeNs);
            ++nPopped;
            if (nPopped % 1000 == 0)
            {
                std::vector<Pending> all;
                events.ForEach([&all](int64_t timeNs, int64_t causeNs, uint32_t payload) {
                    all.push_back({timeNs, causeNs, payload});
                });
                NS_TEST_ASSERT_MSG_EQ((all == expected), true, "all that is pending, in order");
            }
        }
        NS_TEST_EXPECT_MSG_GT(nPopped, 20'000U, "events that came");
        NS_TEST_EXPECT_MSG_GT(nPast, 1000U, "events in the past");
        NS_TEST_EXPECT_MSG_GT(nowNs, 20 * WHEEL_NS, "turns of the wheel");
    }

    Ptr<UniformRandomVariable> m_uniform{CreateObject<UniformRandomVariable>()}; //!< draws
};

/// After time has passed without events, what would have been beyond the wheel is in it; an event
/// that was pushed earlier for the same time and cause still comes first.
DCN_TEST_CASE(AdvanceTestCase, "time that passes without events")
{
    constexpr int64_t FAR_NS = 10'000'000;
    Events events;
    events.Push(FAR_NS, 0, 1); // beyond the wheel
    events.Advance(FAR_NS - 1000);
    events.Push(FAR_NS, 0, 2); // within it
    events.Push(FAR_NS, -1, 3);
    events.Push(FAR_NS - 1, 5, 4);
    std::vector<uint32_t> order;
    for (int64_t timeNs = events.PeekTimeNs(); timeNs != Events::NEVER;
         timeNs = events.PeekTimeNs())
    {
        NS_TEST_EXPECT_MSG_EQ(timeNs, (order.empty() ? FAR_NS - 1 : FAR_NS), "time");
        order.push_back(events.Pop().payload);
    }
    NS_TEST_EXPECT_MSG_EQ((order == std::vector<uint32_t>{4, 3, 1, 2}), true, "order");
}

DcnTestSuite<OrderTestCase, AdvanceTestCase> g_parsimonLeanEventsTestSuite(
    "parsimon-lean-events"); //!< the suite

} // namespace

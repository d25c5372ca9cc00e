/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef DCN_WHEEL_SCHEDULER_H
#define DCN_WHEEL_SCHEDULER_H

#include "dcn-timing-wheel.h"

#include "ns3/scheduler.h"

#include <cstddef>
#include <cstdint>

namespace ns3
{

/**
 * @ingroup dcn
 * @brief The event list of ns-3 as a timing wheel.
 *
 * Problem: a packet simulation has a pending event per frame on a link, 10^4 of them with 128 hosts
 * and 100 Gb/s, 10^5 with 1,024. Nearly all lie a transmission and a propagation delay ahead. A map
 * or heap finds the next one of n in log2(n) steps; the wheel does so in constant time.
 *
 * The order is ns-3's, whatever is inserted: by time, of equal times by uid. The wheel
 * (DcnTimingWheel) has slots of 1 ns, as many as the attribute Slots says, and a heap for events
 * that lie further ahead. ns-3's uids grow with every insertion, so that an event joins the end of
 * its slot; one with a smaller uid (they begin anew after 2^32 events) is sorted in.
 *
 * Cost: Insert, PeekNext and RemoveNext take constant time within the slots, a logarithm of the
 * events beyond them else. Remove looks through the events beyond, and those of the slot. Memory: 8
 * bytes per slot and 32 per event.
 *
 * It takes part in every simulation of ns-3, as any other scheduler does:
 * --SchedulerType=ns3::DcnWheelScheduler, or Simulator::SetScheduler. The engine for TCP chooses it
 * for the time of a run (DcnWheelSchedulerChoice).
 */
class DcnWheelScheduler : public Scheduler
{
  public:
    /**
     * @brief Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();
    DcnWheelScheduler();
    ~DcnWheelScheduler() override;

    void Insert(const Scheduler::Event& event) override;
    bool IsEmpty() const override;
    Scheduler::Event PeekNext() const override;
    Scheduler::Event RemoveNext() override;
    void Remove(const Scheduler::Event& event) override;

  private:
    /// A pending event.
    struct Pending
    {
        int64_t timeNs;   //!< when [ns]
        EventImpl* impl;  //!< its function
        uint32_t uid;     //!< number of the insertion
        uint32_t context; //!< node
        uint32_t next;    //!< set by the wheel

        /**
         * @param other another event
         * @return whether this one comes first
         */
        bool operator<(const Pending& other) const
        {
            return timeNs < other.timeNs || (timeNs == other.timeNs && uid < other.uid);
        }
    };

    static Pending MakePending(const Scheduler::Event& event);
    static Scheduler::Event MakeEvent(const Pending& pending);

    void SetSlots(uint32_t nSlots);
    uint32_t GetSlots() const;

    using Wheel = DcnTimingWheel<Pending, 0, 65536>;

    mutable Wheel m_wheel{Wheel::MIN_SLOTS}; //!< the pending events; PeekNext may sort a slot
    uint32_t m_nSlots{Wheel::MIN_SLOTS};     //!< attribute Slots
};

/**
 * @ingroup dcn
 * @brief While it exists, ns-3's simulator has the DcnWheelScheduler, unless the user chose a
 * scheduler.
 *
 * ns-3 does not tell which scheduler is in use. The choice of the user is the global value
 * SchedulerType (GlobalValue::Bind, --SchedulerType) if it is not ns-3's default, the MapScheduler;
 * then nothing is changed. Pending events move into the wheel, and at the end into a MapScheduler.
 * Neither changes the order of events.
 */
class DcnWheelSchedulerChoice
{
  public:
    /**
     * @param aheadNs most events are scheduled for this time ahead, or sooner [ns]
     */
    explicit DcnWheelSchedulerChoice(int64_t aheadNs);
    ~DcnWheelSchedulerChoice();
    DcnWheelSchedulerChoice(const DcnWheelSchedulerChoice&) = delete;
    DcnWheelSchedulerChoice& operator=(const DcnWheelSchedulerChoice&) = delete;

    /** @return whether the wheel was put in place of ns-3's default. */
    bool IsWheel() const
    {
        return m_isWheel;
    }

  private:
    bool m_isWheel; //!< the wheel was put in place of ns-3's default
};

} // namespace ns3

#endif /* DCN_WHEEL_SCHEDULER_H */

/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef DCN_WINDOW_EVENTS_H
#define DCN_WINDOW_EVENTS_H

#include "ns3/dcn-timing-wheel.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

namespace ns3
{

struct DcnFrame;

/**
 * @ingroup dcn-packet
 * @brief A pending event of a network. The handler that runs it gives it its meaning.
 */
struct DcnWindowEvent
{
    int64_t timeNs;   //!< when [ns]
    void* subject;    //!< where, or to whom
    DcnFrame* frame;  //!< what comes; null: nothing
    uint32_t order;   //!< among the events of this time: kind and number, see DcnWindowEvents
    uint32_t next{0}; //!< set by the wheel

    static constexpr int KIND_SHIFT = 29;                                   //!< the kind is above
    static constexpr uint64_t MAX_NUMBER = (uint64_t{1} << KIND_SHIFT) - 1; //!< largest number

    /**
     * @param kind kind of event, less than 8
     * @param number which of this kind, at most MAX_NUMBER
     * @return the order
     */
    static uint32_t MakeOrder(uint8_t kind, uint64_t number)
    {
        return uint32_t{kind} << KIND_SHIFT | static_cast<uint32_t>(number);
    }

    /** @return the kind. */
    uint8_t GetKind() const
    {
        return static_cast<uint8_t>(order >> KIND_SHIFT);
    }

    /** @return the number. */
    uint64_t GetNumber() const
    {
        return order & MAX_NUMBER;
    }

    /**
     * @param other another event
     * @return whether this one runs first, whatever the order in which they were added
     */
    bool operator<(const DcnWindowEvent& other) const
    {
        return timeNs < other.timeNs || (timeNs == other.timeNs && order < other.order);
    }
};

/**
 * @ingroup dcn-packet
 * @brief Pending events of one partition of a network, in an order that does not depend on the cut.
 *
 * **Problem.** Partitions run at the same time, and each sees only its own events; a network that
 * is not cut is one partition. ns-3 orders the events of one nanosecond by the number of their
 * insertion, which counts events of all nodes. The states of a network may depend on nothing but
 * the network.
 *
 * **Order.** Events are run by (time, order), where order = (kind, number) names the event among
 * those of its node without regard to other nodes: the flow that starts, the flow of a timer, the
 * port at which a frame arrives or whose transmitter wakes up. Two events of a node with the same
 * time and order come from one place (a link is first-in first-out, also by the instants of its
 * frames within a nanosecond) or have the same effect; they are run as they were sent.
 *
 * **Why results depend on nothing else.** Let C be a set of nodes such that an event of a node in
 * C that happens at t makes events of nodes outside of C at t + 1 ns at the earliest. No cut
 * divides nodes that can reach one another without delay (DcnNetworkCut), so that each partition
 * consists of such sets whatever the cut. By induction over the times t: before its first event at
 * t, C has the same state and the same pending events of time t in all cuts, as those from outside
 * were sent before t. From then on, the next event of C is the least pending one of C. Events of
 * other sets in the same partition may run between two events of C, but they change neither the
 * state of C nor its pending events of time t. So the sequence of events of C, and with it all
 * states, are the same in all cuts, and for any number of threads.
 *
 * Events are in a DcnTimingWheel with slots of 1 ns.
 *
 * **Messages.** Send gives an event to another partition, not before the end of the present window.
 * Messages of a window are collected by their partition at the beginning of the next one. There are
 * two sets of boxes in turn, so that a thread may collect the messages of the latest window while
 * others write those of the present one.
 */
class alignas(64) DcnWindowEvents
{
  public:
    /// A time that never comes [ns].
    static constexpr int64_t NEVER = std::numeric_limits<int64_t>::max();

    /**
     * @param partition number of this partition
     * @param nPartitions of the network
     * @param aheadNs most events are added for this time ahead, or sooner [ns]
     */
    DcnWindowEvents(uint32_t partition, uint32_t nPartitions, int64_t aheadNs)
        : m_partition(partition),
          m_wheel(Wheel::GetSlots(aheadNs))
    {
        m_boxes[0] = std::vector<Box>(nPartitions);
        m_boxes[1] = std::vector<Box>(nPartitions);
    }

    DcnWindowEvents(const DcnWindowEvents&) = delete;
    DcnWindowEvents& operator=(const DcnWindowEvents&) = delete;

    /** @return number of this partition. */
    uint32_t GetPartition() const
    {
        return m_partition;
    }

    /** @return time of the event that runs or of the latest one, or that of Advance [ns]. */
    int64_t GetNowNs() const
    {
        return m_nowNs;
    }

    /**
     * @brief Add an event of this partition.
     * @param event not before the present time
     */
    void Push(const DcnWindowEvent& event)
    {
        m_wheel.Push(event);
    }

    /**
     * @brief Add an event of any partition.
     * @param partition its partition
     * @param event of another partition: not before the end of the window
     */
    void Send(uint32_t partition, const DcnWindowEvent& event)
    {
        if (partition == m_partition)
        {
            Push(event);
            return;
        }
        Post(partition, event);
    }

    /**
     * @brief Begin a window: collect the messages of the one before.
     * @param all all partitions; their Run has returned
     * @param startNs no event is earlier [ns]
     * @param reading set of boxes that they have written; this one writes the other
     */
    void Begin(const std::vector<DcnWindowEvents*>& all, int64_t startNs, uint32_t reading)
    {
        m_wheel.Advance(startNs);
        m_writing = 1 - reading;
        m_firstSentNs = NEVER;
        for (DcnWindowEvents* other : all)
        {
            std::vector<DcnWindowEvent>& box = other->m_boxes[reading][m_partition].events;
            for (const DcnWindowEvent& event : box)
            {
                __builtin_prefetch(event.frame, 1); // it is in the cache of the other thread
                Push(event);
            }
            box.clear();
        }
    }

    /**
     * @brief Run the events of a window.
     *
     * Where many are pending, it has what they need in the cache some events before they come, in
     * stages, since each refers to the next: the third event ahead, the subject of the one after
     * the next, and what the frame of the next one refers to.
     * @tparam Handler has the functions Run(event), PrefetchFrame(event), PrefetchSubject(event)
     * and PrefetchReferred(event)
     * @param endNs end of the window: of events before it [ns]
     * @param handler runs the events
     */
    template <typename Handler>
    void Run(int64_t endNs, Handler& handler);

    /**
     * @brief Let the time go on.
     * @param timeNs no event is earlier [ns]
     */
    void Advance(int64_t timeNs)
    {
        m_nowNs = timeNs;
        m_wheel.Advance(timeNs);
    }

    /// Run returns after the present event.
    void Stop()
    {
        m_isStopped = true;
    }

    /// Events that are pending have gone.
    void Clear()
    {
        TakeIf([](const DcnWindowEvent&) { return true; });
    }

    /**
     * @brief Take some of the pending events out; takes time in proportion to all.
     * @param isTaken returns true for an event to take
     * @return these, in their order
     */
    template <typename F>
    std::vector<DcnWindowEvent> TakeIf(F isTaken)
    {
        return m_wheel.TakeIf(isTaken);
    }

    /** @return time of the next event, sent ones included [ns]; NEVER if there is none. */
    int64_t GetNextNs()
    {
        return std::min(m_firstSentNs, m_wheel.PeekTimeNs());
    }

    /** @return events that have been run. */
    uint64_t GetNEvents() const
    {
        return m_nEvents;
    }

  private:
    using Wheel = DcnTimingWheel<DcnWindowEvent, 0, 65536>;
    static_assert(NEVER == Wheel::NEVER, "a time that never comes");

    /// From so many pending events on, it pays to ask for memory ahead (measured).
    static constexpr std::size_t MANY = 256;

    /// Messages; sender and receiver write it in turn, so it has a line of the cache for itself.
    struct alignas(64) Box
    {
        std::vector<DcnWindowEvent> events; //!< as they were sent
    };

    void Post(uint32_t partition, DcnWindowEvent event);

    uint32_t m_partition;                    //!< see GetPartition
    uint32_t m_writing{0};                   //!< set of boxes for messages of the present window
    int64_t m_nowNs{-1};                     //!< see GetNowNs
    int64_t m_endNs{0};                      //!< end of the window [ns]
    int64_t m_firstSentNs{NEVER};            //!< of the messages of the present window [ns]
    uint64_t m_nEvents{0};                   //!< see GetNEvents
    bool m_isStopped{false};                 //!< see Stop
    Wheel m_wheel;                           //!< pending events
    std::array<std::vector<Box>, 2> m_boxes; //!< by set and partition that they are for
};

template <typename Handler>
void
DcnWindowEvents::Run(int64_t endNs, Handler& handler)
{
    m_endNs = endNs;
    m_isStopped = false;
    while (!m_isStopped && m_wheel.PeekTimeNs() < endNs)
    {
        const DcnWindowEvent event = m_wheel.Pop();
        if (m_wheel.GetNInWheel() >= MANY)
        {
            const auto [next, afterNext, third, fourth] = m_wheel.template Guess<4>();
            if (third)
            {
                handler.PrefetchFrame(*third);
            }
            if (afterNext)
            {
                handler.PrefetchSubject(*afterNext);
            }
            if (next)
            {
                handler.PrefetchReferred(*next);
            }
        }
        m_nowNs = event.timeNs;
        ++m_nEvents;
        handler.Run(event);
    }
}

} // namespace ns3

#endif /* DCN_WINDOW_EVENTS_H */

/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef DCN_WINDOW_EVENTS_H
#define DCN_WINDOW_EVENTS_H

#include "dcn-event-buckets.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace ns3
{

/**
 * @ingroup dcn-packet
 * @brief Pending events of one partition of a network, in an order that does not depend on the cut.
 *
 * **Problem.** Partitions run at the same time, and each sees only its own events. ns-3 orders the
 * events of one nanosecond by the number of their insertion, which counts events of all nodes. The
 * states of a network may depend on nothing but the network.
 *
 * **Order.** Events are run by (time, order), where order = (kind, number) names the event among
 * those of its node without regard to other nodes: the flow that starts, the flow of a timer, the
 * port at which a frame arrives or whose transmitter wakes up. Two events of a node with the same
 * time and order come from one place (a link is first-in first-out) or have the same effect; they
 * are run as they were sent.
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
 * Events are kept by time in DcnEventBuckets. Those of the next bucket or buckets are sorted, some
 * events before they come, so that what they need can be in the cache then. An event that is added
 * for the time of these buckets is sorted in.
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
          m_buckets(aheadNs)
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

    /** @return time of the event that runs, or of the latest one [ns]. */
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
        if (event.timeNs < m_filledNs)
        {
            SortIn(event);
            return;
        }
        m_buckets.Push(event);
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
        m_buckets.Advance(startNs);
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
     * @tparam Handler has the functions Run(event), Prefetch(event) and PrefetchReferred(event)
     * @param endNs end of the window: of events before it [ns]
     * @param handler runs the events
     */
    template <typename Handler>
    void Run(int64_t endNs, Handler& handler);

    /** @return time of the next event, sent ones included [ns]; NEVER if there is none. */
    int64_t GetNextNs() const
    {
        return std::min(m_firstSentNs, GetNLeft() > 0 ? Peek(0).timeNs : m_buckets.GetNextNs());
    }

    /** @return events that have been run. */
    uint64_t GetNEvents() const
    {
        return m_nEvents;
    }

  private:
    /// Events ahead of the present one for whose memory it pays to ask.
    static constexpr std::size_t AHEAD = 4;

    /// Events done that m_batch may keep: those left move to its begin only now and then.
    static constexpr std::size_t MAX_DONE = 64;

    /// Messages; sender and receiver write it in turn, so it has a line of the cache for itself.
    struct alignas(64) Box
    {
        std::vector<DcnWindowEvent> events; //!< as they were sent
    };

    void Post(uint32_t partition, DcnWindowEvent event);
    void Fill();
    void Sort(std::size_t first);
    void SortIn(DcnWindowEvent event);

    /**
     * @param ahead of the next event
     * @return the event that runs so many later, if none is added
     */
    const DcnWindowEvent& Peek(std::size_t ahead) const
    {
        return m_batch[m_places[m_at + ahead]];
    }

    /** @return events of m_batch that have not begun. */
    std::size_t GetNLeft() const
    {
        return m_places.size() - m_at;
    }

    uint32_t m_partition;                    //!< see GetPartition
    uint32_t m_writing{0};                   //!< set of boxes for messages of the present window
    int64_t m_nowNs{-1};                     //!< see GetNowNs
    int64_t m_endNs{0};                      //!< end of the window [ns]
    int64_t m_firstSentNs{NEVER};            //!< of the messages of the present window [ns]
    uint64_t m_nEvents{0};                   //!< see GetNEvents
    int64_t m_filledNs{0};                   //!< m_batch has all events before this time [ns]
    std::vector<DcnWindowEvent> m_batch;     //!< these, as they were added, and some that have run
    std::vector<uint32_t> m_places;          //!< of them in m_batch, in the order in which they run
    std::size_t m_at{0};                     //!< first one of m_places that has not begun
    std::vector<DcnWindowEvent> m_left;      //!< spare memory of m_batch
    DcnEventBuckets m_buckets;               //!< later events
    std::array<std::vector<Box>, 2> m_boxes; //!< by set and partition that they are for
};

template <typename Handler>
void
DcnWindowEvents::Run(int64_t endNs, Handler& handler)
{
    m_endNs = endNs;
    const auto fill = [this]() {
        while (GetNLeft() <= 2 * AHEAD && m_buckets.GetNextNs() < m_endNs)
        {
            Fill();
        }
    };
    fill();
    for (std::size_t i = 0; i < std::min(GetNLeft(), 2 * AHEAD); ++i)
    {
        handler.Prefetch(Peek(i));
    }
    for (; GetNLeft() > 0; fill())
    {
        // in two stages, since frames refer to ports and flows
        if (GetNLeft() > 2 * AHEAD)
        {
            handler.Prefetch(Peek(2 * AHEAD));
        }
        if (GetNLeft() > AHEAD)
        {
            handler.PrefetchReferred(Peek(AHEAD));
        }
        const DcnWindowEvent event = Peek(0);
        if (event.timeNs >= m_endNs)
        {
            return; // it is in a bucket with some of this window
        }
        ++m_at;
        m_nowNs = event.timeNs;
        ++m_nEvents;
        handler.Run(event);
    }
}

} // namespace ns3

#endif /* DCN_WINDOW_EVENTS_H */

/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef DCN_EVENT_BUCKETS_H
#define DCN_EVENT_BUCKETS_H

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

namespace ns3
{

struct DcnFrame;

/**
 * @ingroup dcn-packet
 * @brief A pending event of a partition. What it means is up to who runs it.
 */
struct DcnWindowEvent
{
    int64_t timeNs;  //!< when [ns]
    uint64_t order;  //!< among the events of this time: kind and number, see DcnWindowEvents
    void* subject;   //!< where, or to whom
    DcnFrame* frame; //!< what comes; null: nothing

    static constexpr int KIND_SHIFT = 56; //!< the kind has the 8 bits above

    /**
     * @param kind kind of event
     * @param number which of this kind
     * @return the order
     */
    static uint64_t MakeOrder(uint8_t kind, uint64_t number)
    {
        return uint64_t{kind} << KIND_SHIFT | number;
    }

    /** @return the kind. */
    uint8_t GetKind() const
    {
        return static_cast<uint8_t>(order >> KIND_SHIFT);
    }

    /** @return the number. */
    uint64_t GetNumber() const
    {
        return order & ((uint64_t{1} << KIND_SHIFT) - 1);
    }

    /**
     * @param other another event
     * @return whether this one runs first, whatever the order in which they were added
     */
    bool RunsBefore(const DcnWindowEvent& other) const
    {
        return timeNs < other.timeNs || (timeNs == other.timeNs && order < other.order);
    }
};

/**
 * @ingroup dcn-packet
 * @brief Pending events of a partition by time, in buckets.
 *
 * **Problem.** Keep n pending events, most of them at most some microseconds ahead; give out those
 * of the next few nanoseconds, in the order in which they were added. Each is read once and written
 * once. In large networks they are in no near cache, and where many come at the same nanosecond, a
 * list of them costs a cache miss for each.
 *
 * **Method.** A calendar queue (R. Brown, "Calendar Queues: A Fast O(1) Priority Queue
 * Implementation for the Simulation Event Set Problem", CACM 31(10), 1988) whose days are not
 * sorted: bucket floor(t / w) mod B is an array of the events of the w nanoseconds around t, so
 * that they are written and read one after the other. Events that are B w ns ahead or more wait in
 * a heap. Two levels of bits find the first bucket in use. Push and Take cost constant time per
 * event within the buckets, a logarithm of the heap's events in it.
 */
class DcnEventBuckets
{
  public:
    static constexpr int WIDTH_BITS = 4;                 //!< logarithm of w to the base 2
    static constexpr int64_t WIDTH_NS = 1 << WIDTH_BITS; //!< w [ns]
    static constexpr uint32_t MIN_BUCKETS = 64;          //!< least B
    static constexpr uint32_t MAX_BUCKETS = 64 * 64;     //!< largest B
    static constexpr int64_t NEVER = std::numeric_limits<int64_t>::max(); //!< [ns]

    /**
     * @param aheadNs most events are added for this time ahead, or sooner [ns]
     */
    explicit DcnEventBuckets(int64_t aheadNs);

    /**
     * @brief Add an event.
     * @param event not in a bucket that Take has given out, nor before the time of Advance
     */
    void Push(const DcnWindowEvent& event)
    {
        const int64_t number = event.timeNs >> WIDTH_BITS;
        if (number - m_first > m_mask)
        {
            PushLater(event);
            return;
        }
        const uint32_t index = static_cast<uint32_t>(number) & m_mask;
        Bucket& bucket = m_buckets[index];
        if (bucket.events.empty())
        {
            m_used[index >> 6] |= uint64_t{1} << (index & 63);
            m_usedWords |= uint64_t{1} << (index >> 6);
            bucket.firstNs = event.timeNs;
        }
        bucket.firstNs = std::min(bucket.firstNs, event.timeNs);
        bucket.events.push_back(event);
    }

    /** @return time of the next event [ns]; NEVER if there is none. */
    int64_t GetNextNs() const
    {
        const int64_t laterNs = m_later.empty() ? NEVER : m_later.front().event.timeNs;
        return m_usedWords == 0 ? laterNs : std::min(laterNs, m_buckets[FindFirst()].firstNs);
    }

    /**
     * @brief Give out all events of the first bucket; there must be an event.
     * @param events they are appended, in the order in which they were added
     * @return end of the time of the bucket [ns]
     */
    int64_t Take(std::vector<DcnWindowEvent>& events);

    /**
     * @brief Let the time go on, so that later events are within the buckets.
     * @param timeNs no event is earlier [ns]
     */
    void Advance(int64_t timeNs)
    {
        m_first = std::max(m_first, timeNs >> WIDTH_BITS);
    }

  private:
    /// Events of w nanoseconds.
    struct Bucket
    {
        std::vector<DcnWindowEvent> events; //!< as they were added
        int64_t firstNs{0};                 //!< of the first one, if there is one [ns]
    };

    /// An event beyond the buckets.
    struct Later
    {
        DcnWindowEvent event; //!< the event
        uint64_t serial;      //!< order of insertion

        /**
         * @param other another event
         * @return whether this one is later: heaps of the standard library have the largest first
         */
        bool operator<(const Later& other) const
        {
            return event.timeNs > other.event.timeNs ||
                   (event.timeNs == other.event.timeNs && serial > other.serial);
        }
    };

    uint32_t FindFirst() const
    {
        const uint32_t start = static_cast<uint32_t>(m_first) & m_mask;
        uint32_t word = start >> 6;
        uint64_t bits = m_used[word] & (~uint64_t{0} << (start & 63));
        if (bits == 0)
        {
            const uint64_t after = m_usedWords & (~uint64_t{1} << word); // else around the end
            word = static_cast<uint32_t>(__builtin_ctzll(after ? after : m_usedWords));
            bits = m_used[word];
        }
        return (word << 6) + static_cast<uint32_t>(__builtin_ctzll(bits));
    }

    void PushLater(DcnWindowEvent event);

    int64_t m_first{0};            //!< no event is in a bucket before: floor(t / w)
    uint32_t m_mask;               //!< B - 1
    uint64_t m_usedWords{0};       //!< words of m_used that are not 0, a bit each
    std::vector<uint64_t> m_used;  //!< buckets with events, a bit each
    std::vector<Bucket> m_buckets; //!< B of them
    std::vector<Later> m_later;    //!< heap
    uint64_t m_serial{0};          //!< counts insertions into the heap
};

} // namespace ns3

#endif /* DCN_EVENT_BUCKETS_H */

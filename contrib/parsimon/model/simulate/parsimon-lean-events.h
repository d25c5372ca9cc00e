/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef PARSIMON_LEAN_EVENTS_H
#define PARSIMON_LEAN_EVENTS_H

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <tuple>
#include <vector>

namespace ns3
{

/**
 * @ingroup parsimon
 * @brief Pending events of a simulation: a timing wheel of short slots, and a heap for events
 * beyond its reach.
 *
 * Events are popped by time, then by cause, then in the order of insertion: Pop returns the least
 * (time, cause, number of the insertion).
 *
 * The wheel holds the next half millisecond (4096 slots of 128 ns). Each slot holds its events in
 * an ordered list, and a bit map of two levels finds the next slot in use in constant time. A link
 * sends few packets in 128 ns, so that insertion and removal take constant time for any number of
 * pending events; a binary heap takes several times as long. Events are values of 12 bytes; their
 * payload (a packet, a NIC) belongs to the owner of the events.
 */
class ParsimonLeanEvents
{
  public:
    /// A time that never comes [ns].
    static constexpr int64_t NEVER = std::numeric_limits<int64_t>::max();

    /// An event.
    struct Event
    {
        int64_t timeNs;   //!< when [ns]
        uint32_t payload; //!< given to Push
    };

    ParsimonLeanEvents()
    {
        m_heads.fill(NONE);
    }

    /**
     * @brief Add an event.
     * @param timeNs time of the event; usually not before the latest event popped [ns]
     * @param causeNs time at which the event became certain; orders events of equal time [ns]
     * @param payload any number
     */
    void Push(int64_t timeNs, int64_t causeNs, uint32_t payload)
    {
        // an event earlier than the latest one popped goes into the present slot, as its first
        const int64_t slot = std::max(m_slot, timeNs >> SLOT_BITS);
        if (slot - m_slot >= N_SLOTS)
        {
            m_later.push_back({timeNs, causeNs, m_serial++, payload});
            std::push_heap(m_later.begin(), m_later.end());
            return;
        }
        const uint32_t node = NewNode(timeNs, causeNs, payload);
        const auto index = static_cast<uint32_t>(slot) & (N_SLOTS - 1);
        uint32_t* link = &m_heads[index];
        while (*link != NONE && !m_nodes[*link].IsAfter(timeNs, causeNs))
        {
            link = &m_nodes[*link].next;
        }
        m_nodes[node].next = *link;
        *link = node;
        m_used[index >> 6] |= 1ULL << (index & 63);
        m_usedWords |= 1ULL << (index >> 6);
    }

    /** @return time of the next event [ns], NEVER if there is none. */
    int64_t PeekTimeNs()
    {
        const int64_t laterNs = m_later.empty() ? NEVER : m_later.front().timeNs;
        if (m_usedWords == 0)
        {
            return laterNs;
        }
        m_first = FirstSlot();
        return std::min(laterNs, m_nodes[m_heads[m_first]].timeNs);
    }

    /**
     * @brief Remove the next event; PeekTimeNs must just have returned its time.
     * @return the event
     */
    Event Pop()
    {
        if (m_usedWords == 0 || (!m_later.empty() && IsLaterFirst()))
        {
            const Event event{m_later.front().timeNs, m_later.front().payload};
            std::pop_heap(m_later.begin(), m_later.end());
            m_later.pop_back();
            Advance(event.timeNs);
            return event;
        }
        const uint32_t node = m_heads[m_first];
        const Event event{m_nodes[node].timeNs, m_nodes[node].payload};
        m_heads[m_first] = m_nodes[node].next;
        m_nodes[node].next = m_free;
        m_free = node;
        if (m_heads[m_first] == NONE)
        {
            m_used[m_first >> 6] &= ~(1ULL << (m_first & 63));
            if (m_used[m_first >> 6] == 0)
            {
                m_usedWords &= ~(1ULL << (m_first >> 6));
            }
        }
        Advance(event.timeNs);
        return event;
    }

    /**
     * @brief Advance the time without an event, so that later events are within the wheel.
     * @param timeNs present time; no pending event is earlier [ns]
     */
    void Advance(int64_t timeNs)
    {
        m_slot = std::max(m_slot, timeNs >> SLOT_BITS);
    }

    /**
     * @brief Visit all pending events, in the order in which they will be popped.
     * @param each called with time, cause and payload
     */
    template <typename F>
    void ForEach(F each) const
    {
        std::vector<Later> all;
        uint64_t serial = 0;
        std::vector<Later> later = m_later;
        std::sort(later.begin(), later.end(), [](const Later& a, const Later& b) { return b < a; });
        for (const Later& event : later)
        {
            all.push_back({event.timeNs, event.causeNs, serial++, event.payload});
        }
        for (int64_t slot = 0; slot < N_SLOTS && m_usedWords; ++slot)
        {
            const auto index = static_cast<uint32_t>(m_slot + slot) & (N_SLOTS - 1);
            if (!((m_used[index >> 6] >> (index & 63)) & 1))
            {
                continue;
            }
            for (uint32_t node = m_heads[index]; node != NONE; node = m_nodes[node].next)
            {
                const Node& event = m_nodes[node];
                all.push_back({event.timeNs, event.causeNs, serial++, event.payload});
            }
        }
        std::sort(all.begin(), all.end(), [](const Later& a, const Later& b) { return b < a; });
        for (const Later& event : all)
        {
            each(event.timeNs, event.causeNs, event.payload);
        }
    }

  private:
    static constexpr int SLOT_BITS = 7;          //!< a slot is 128 ns
    static constexpr int64_t N_SLOTS = 4096;     //!< 64 words of 64 bits
    static constexpr uint32_t NONE = 0xffffffff; //!< end of a list

    /// An event in the list of a slot or in the free list.
    struct Node
    {
        /**
         * @param otherNs time of another event [ns]
         * @param otherCauseNs its cause [ns]
         * @return true if the other event is earlier
         */
        bool IsAfter(int64_t otherNs, int64_t otherCauseNs) const
        {
            return timeNs > otherNs || (timeNs == otherNs && causeNs > otherCauseNs);
        }

        /**
         * @param otherNs time of another event [ns]
         * @param otherCauseNs its cause [ns]
         * @return true if the other event is later
         */
        bool IsBefore(int64_t otherNs, int64_t otherCauseNs) const
        {
            return timeNs < otherNs || (timeNs == otherNs && causeNs < otherCauseNs);
        }

        int64_t timeNs;   //!< when [ns]
        int64_t causeNs;  //!< see Push
        uint32_t payload; //!< given to Push
        uint32_t next;    //!< later event of the slot
    };

    /// An event beyond the wheel.
    struct Later
    {
        int64_t timeNs;   //!< when [ns]
        int64_t causeNs;  //!< see Push
        uint64_t serial;  //!< order of insertion
        uint32_t payload; //!< given to Push

        /// Inverted order, since the heaps of the standard library have the largest element first.
        bool operator<(const Later& other) const
        {
            return std::tie(timeNs, causeNs, serial) >
                   std::tie(other.timeNs, other.causeNs, other.serial);
        }
    };

    /**
     * @return whether the first event of the heap precedes the first of the wheel; at equal time
     * and cause the heap's event was pushed first, so that the order does not depend on the
     * container
     */
    bool IsLaterFirst() const
    {
        const Node& node = m_nodes[m_heads[m_first]];
        return !node.IsBefore(m_later.front().timeNs, m_later.front().causeNs);
    }

    uint32_t NewNode(int64_t timeNs, int64_t causeNs, uint32_t payload)
    {
        if (m_free == NONE)
        {
            m_nodes.push_back({timeNs, causeNs, payload, NONE});
            return static_cast<uint32_t>(m_nodes.size() - 1);
        }
        const uint32_t node = m_free;
        m_free = m_nodes[node].next;
        m_nodes[node] = {timeNs, causeNs, payload, NONE};
        return node;
    }

    /// The first slot in use from the present one on, around the wheel; one must be in use.
    uint32_t FirstSlot() const
    {
        const auto start = static_cast<uint32_t>(m_slot) & (N_SLOTS - 1);
        const uint32_t word = start >> 6;
        const uint64_t here = m_used[word] & (~0ULL << (start & 63));
        if (here)
        {
            return (word << 6) + static_cast<uint32_t>(__builtin_ctzll(here));
        }
        const uint64_t after = word == 63 ? 0 : m_usedWords & (~0ULL << (word + 1));
        const auto found = static_cast<uint32_t>(__builtin_ctzll(after ? after : m_usedWords));
        return (found << 6) + static_cast<uint32_t>(__builtin_ctzll(m_used[found]));
    }

    std::array<uint32_t, N_SLOTS> m_heads; //!< first event of each slot
    std::array<uint64_t, 64> m_used{};     //!< slots in use, a bit each
    uint64_t m_usedWords{0};               //!< words of m_used that are not 0
    int64_t m_slot{0};                     //!< present time in slots
    uint32_t m_first{0};                   //!< slot found by PeekTimeNs
    std::vector<Node> m_nodes;             //!< all list elements
    uint32_t m_free{NONE};                 //!< first unused list element
    std::vector<Later> m_later;            //!< heap
    uint64_t m_serial{0};                  //!< counts insertions into the heap
};

} // namespace ns3

#endif /* PARSIMON_LEAN_EVENTS_H */

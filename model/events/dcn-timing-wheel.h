/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef DCN_TIMING_WHEEL_H
#define DCN_TIMING_WHEEL_H

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

namespace ns3
{

/**
 * @ingroup dcn
 * @brief Pending events of a simulation: a timing wheel, and a heap for events beyond its reach.
 *
 * Problem: keep n pending events; give out the least by the order of the events (operator<, whose
 * first criterion is the time), and of equal ones the one that was pushed first. A binary heap
 * takes log2(n) comparisons per event, each with a cache miss where n is large.
 *
 * In packet networks most events lie a transmission and a propagation delay ahead. The wheel has S
 * slots of w = 2^SLOT_BITS ns. With t the time of the latest event popped, the event of
 * time u is in slot floor(u / w) mod S if floor(u / w) - floor(t / w) < S, else in the heap. So
 * every slot holds events of one interval of w, in their order, and the next event is the first one
 * of the first slot in use or the first one of the heap. A bit map of two levels finds that slot.
 * Push takes constant time: an event goes to the end of its slot, and a slot in which one precedes
 * another that was there before is sorted when its time comes. Only in the present slot, which is
 * sorted already, such an event takes time in proportion to the events left. Pop takes constant
 * time, or a logarithm of the events of the slot. Events in the heap stay there until they are
 * popped.
 * S should be as small as the events allow: a wheel that turns slowly is not in the cache.
 *
 * G. Varghese, A. Lauck: "Hashed and hierarchical timing wheels", SOSP 1987, scheme 4 with a heap
 * for the rest.
 *
 * @tparam Event copied; has the members timeNs (int64_t) and next (uint32_t, set by the wheel), and
 * operator<
 * @tparam SLOT_BITS logarithm to the base 2 of the length of a slot in ns
 * @tparam MAX_SLOTS largest S, a power of 2
 */
template <typename Event, int SLOT_BITS, uint32_t MAX_SLOTS>
class DcnTimingWheel
{
  public:
    /// A time that never comes [ns].
    static constexpr int64_t NEVER = std::numeric_limits<int64_t>::max();

    /// Smallest S.
    static constexpr uint32_t MIN_SLOTS = 4096;

    /**
     * @param nSlots S, a power of 2 from MIN_SLOTS to MAX_SLOTS
     */
    explicit DcnTimingWheel(uint32_t nSlots = MAX_SLOTS)
        : m_mask(nSlots - 1),
          m_groupMask(nSlots / 4096 - 1),
          m_lists(nSlots, List{NONE, NONE})
    {
    }

    /**
     * @param aheadNs most events are added for this time ahead, or sooner [ns]
     * @return S for them
     */
    static uint32_t GetSlots(int64_t aheadNs)
    {
        uint32_t nSlots = MIN_SLOTS;
        while (nSlots < MAX_SLOTS && nSlots <= aheadNs >> SLOT_BITS)
        {
            nSlots *= 2;
        }
        return nSlots;
    }

    /** @return true if no event is pending. */
    bool IsEmpty() const
    {
        return m_nInWheel == 0 && m_later.empty();
    }

    /** @return events in the slots, those in the heap not counted. */
    std::size_t GetNInWheel() const
    {
        return m_nInWheel;
    }

    /**
     * @brief Add an event.
     * @param event usually not before the latest event popped
     */
    void Push(const Event& event)
    {
        const int64_t slot = Slot(event);
        if (slot - m_slot > m_mask)
        {
            PushLater(event);
            return;
        }
        const uint32_t node = NewNode(event);
        const uint32_t index = Index(slot);
        List& list = m_lists[index];
        ++m_nInWheel;
        // the bits are in the cache, the list may not be: it is not read if the slot is not in use
        if ((m_used[index >> 6] >> (index & 63) & 1) == 0)
        {
            list = {node, node};
            m_used[index >> 6] |= 1ULL << (index & 63);
            m_usedWords[index >> 12] |= 1ULL << (index >> 6 & 63);
        }
        else if (slot != m_slot || IsUnsorted(index) || !(event < m_nodes[list.last]))
        {
            if (event < m_nodes[list.last])
            {
                m_unsorted[index >> 6] |= 1ULL << (index & 63);
            }
            m_nodes[list.last].next = node;
            list.last = node;
        }
        else
        {
            uint32_t* link = &list.first;
            while (!(event < m_nodes[*link]))
            {
                link = &m_nodes[*link].next;
            }
            m_nodes[node].next = *link;
            *link = node;
        }
    }

    /** @return time of the next event [ns], NEVER if there is none. */
    int64_t PeekTimeNs()
    {
        const int64_t laterNs = m_later.empty() ? NEVER : m_later.front().event.timeNs;
        if (m_nInWheel == 0)
        {
            return laterNs;
        }
        m_first = SortedFirstSlot();
        return std::min(laterNs, m_nodes[m_lists[m_first].first].timeNs);
    }

    /** @return the next event; there must be one. */
    const Event& Peek()
    {
        if (m_nInWheel == 0)
        {
            return m_later.front().event;
        }
        const Event& event = m_nodes[m_lists[SortedFirstSlot()].first];
        return IsLaterFirst(event) ? m_later.front().event : event;
    }

    /**
     * @brief Remove the next event; PeekTimeNs must just have returned its time.
     * @return the event
     */
    Event Pop()
    {
        if (m_nInWheel == 0 || IsLaterFirst(m_nodes[m_lists[m_first].first]))
        {
            const Event event = m_later.front().event;
            std::pop_heap(m_later.begin(), m_later.end());
            m_later.pop_back();
            Advance(event.timeNs);
            return event;
        }
        const Event event = Unlink(m_first, NONE);
        Advance(event.timeNs);
        return event;
    }

    /**
     * @brief Remove a pending event.
     * @param event equal, in the order of events, to the first one that is to be removed
     * @return false if there is none
     */
    bool Remove(const Event& event)
    {
        auto isEqual = [&event](const Event& other) { return !(event < other || other < event); };
        const int64_t slot = Slot(event);
        // of equal events those in the heap were pushed first
        const auto found = std::find_if(m_later.begin(), m_later.end(), [&](const Later& later) {
            return isEqual(later.event);
        });
        if (found != m_later.end())
        {
            auto first = found;
            for (auto other = found; other != m_later.end(); ++other)
            {
                if (isEqual(other->event) && other->serial < first->serial)
                {
                    first = other;
                }
            }
            *first = m_later.back();
            m_later.pop_back();
            std::make_heap(m_later.begin(), m_later.end());
            return true;
        }
        if (slot - m_slot > m_mask)
        {
            return false;
        }
        uint32_t before = NONE;
        for (uint32_t node = m_lists[Index(slot)].first; node != NONE; node = m_nodes[node].next)
        {
            if (isEqual(m_nodes[node]))
            {
                Unlink(Index(slot), before);
                return true;
            }
            before = node;
        }
        return false;
    }

    /**
     * @brief Find what comes soon, to have it in the cache: the next events of the wheel, if they
     * are near. Events of the heap may come before them.
     *
     * It reads all of them but the last one, which it asks the memory for. So one that it reads has
     * been asked for before, if it is called for each event.
     * @tparam N their number
     * @return the events; null where there is none
     */
    template <std::size_t N>
    std::array<const Event*, N> Guess() const
    {
        std::array<const Event*, N> events{};
        if (m_nInWheel == 0)
        {
            return events;
        }
        uint32_t slot = FirstSlot();
        uint32_t node = m_lists[slot].first;
        for (std::size_t i = 0; i < N; ++i)
        {
            events[i] = &m_nodes[node];
            if (i + 1 == N)
            {
                __builtin_prefetch(events[i]);
                break;
            }
            node = events[i]->next;
            if (node == NONE)
            {
                // the next slot in use of the same word; farther ones do not pay
                const uint64_t bits = m_used[slot >> 6] & (~1ULL << (slot & 63));
                if (bits == 0)
                {
                    break;
                }
                slot = (slot & ~63U) + static_cast<uint32_t>(__builtin_ctzll(bits));
                node = m_lists[slot].first;
            }
        }
        return events;
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
     * @param each called with every event
     */
    template <typename F>
    void ForEach(F each) const
    {
        std::vector<Later> all = m_later;
        for (const List& list : m_lists)
        {
            uint32_t node = list.first;
            for (uint64_t serial = m_serial; node != NONE; node = m_nodes[node].next)
            {
                all.push_back({m_nodes[node], serial++}); // after those in the heap
            }
        }
        std::sort(all.begin(), all.end(), [](const Later& a, const Later& b) { return b < a; });
        for (const Later& later : all)
        {
            each(later.event);
        }
    }

    /**
     * @brief Remove some of the events; takes time in proportion to slots and events.
     * @param isTaken returns true for an event to remove
     * @return these, in the order in which they would have been popped
     */
    template <typename F>
    std::vector<Event> TakeIf(F isTaken)
    {
        std::vector<Event> taken;
        DcnTimingWheel others(m_mask + 1);
        others.m_slot = m_slot;
        ForEach([&](const Event& event) {
            if (isTaken(event))
            {
                taken.push_back(event);
            }
            else
            {
                others.Push(event);
            }
        });
        *this = std::move(others);
        return taken;
    }

  private:
    static_assert(MAX_SLOTS >= MIN_SLOTS && (MAX_SLOTS & (MAX_SLOTS - 1)) == 0, "see MAX_SLOTS");

    static constexpr uint32_t NONE = 0xffffffff; //!< end of a list

    /// The events of a slot.
    struct List
    {
        uint32_t first; //!< NONE: the slot is not in use
        uint32_t last;  //!< valid if there is a first one
    };

    /// An event beyond the wheel.
    struct Later
    {
        Event event;     //!< the event
        uint64_t serial; //!< order of insertion

        /// Inverted order, since the heaps of the standard library have the largest element first.
        bool operator<(const Later& other) const
        {
            return other.event < event || (!(event < other.event) && serial > other.serial);
        }
    };

    /// The slot of an event; one earlier than the latest event popped goes into the present slot.
    int64_t Slot(const Event& event) const
    {
        return std::max(m_slot, event.timeNs >> SLOT_BITS);
    }

    uint32_t Index(int64_t slot) const
    {
        return static_cast<uint32_t>(slot) & m_mask;
    }

    /**
     * @param event the first one of the wheel
     * @return whether the first event of the heap precedes it; of equal ones the heap's was pushed
     * first, so that the order does not depend on the container
     */
    bool IsLaterFirst(const Event& event) const
    {
        return !m_later.empty() && !(event < m_later.front().event);
    }

    bool IsUnsorted(uint32_t index) const
    {
        return (m_unsorted[index >> 6] >> (index & 63) & 1) != 0;
    }

    uint32_t SortedFirstSlot()
    {
        const uint32_t index = FirstSlot();
        if (IsUnsorted(index))
        {
            Sort(index);
        }
        return index;
    }

    /**
     * @brief Bring the events of a slot into their order.
     * @param index the slot
     */
    [[gnu::noinline]] void Sort(uint32_t index)
    {
        constexpr std::size_t FEW = 24; // so many are sorted in place
        List& list = m_lists[index];
        m_unsorted[index >> 6] &= ~(1ULL << (index & 63));
        m_sorting.clear();
        for (uint32_t node = list.first; node != NONE; node = m_nodes[node].next)
        {
            m_sorting.push_back(node);
        }
        const auto isBefore = [this](uint32_t a, uint32_t b) { return m_nodes[a] < m_nodes[b]; };
        if (m_sorting.size() > FEW)
        {
            std::stable_sort(m_sorting.begin(), m_sorting.end(), isBefore);
        }
        else
        {
            for (auto each = m_sorting.begin(); each != m_sorting.end(); ++each)
            {
                const uint32_t node = *each;
                auto to = each;
                for (; to != m_sorting.begin() && isBefore(node, to[-1]); --to)
                {
                    *to = to[-1];
                }
                *to = node;
            }
        }
        list = {m_sorting.front(), m_sorting.back()};
        for (std::size_t i = 0; i + 1 < m_sorting.size(); ++i)
        {
            m_nodes[m_sorting[i]].next = m_sorting[i + 1];
        }
        m_nodes[list.last].next = NONE;
    }

    uint32_t NewNode(const Event& event)
    {
        if (m_free == NONE)
        {
            Grow();
        }
        const uint32_t node = m_free;
        m_free = m_nodes[node].next;
        m_nodes[node] = event;
        m_nodes[node].next = NONE;
        return node;
    }

    /// Out of line, so that events to push stay in registers.
    [[gnu::noinline]] void Grow()
    {
        m_free = static_cast<uint32_t>(m_nodes.size());
        m_nodes.emplace_back();
        m_nodes.back().next = NONE;
    }

    [[gnu::noinline]] void PushLater(Event event)
    {
        m_later.push_back({event, m_serial++});
        std::push_heap(m_later.begin(), m_later.end());
    }

    /**
     * @brief Take an event out of a slot.
     * @param index the slot
     * @param before the event before it in the slot, NONE: it is the first one
     * @return the event
     */
    Event Unlink(uint32_t index, uint32_t before)
    {
        List& list = m_lists[index];
        const uint32_t node = before == NONE ? list.first : m_nodes[before].next;
        const Event event = m_nodes[node];
        (before == NONE ? list.first : m_nodes[before].next) = event.next;
        if (list.last == node)
        {
            list.last = before;
        }
        m_nodes[node].next = m_free;
        m_free = node;
        --m_nInWheel;
        if (list.first == NONE)
        {
            const uint32_t word = index >> 6;
            m_used[word] &= ~(1ULL << (index & 63));
            m_unsorted[word] &= ~(1ULL << (index & 63));
            if (m_used[word] == 0)
            {
                m_usedWords[word >> 6] &= ~(1ULL << (word & 63));
            }
        }
        return event;
    }

    /// The first slot in use from the present one on, around the wheel; one must be in use.
    uint32_t FirstSlot() const
    {
        const uint32_t start = Index(m_slot);
        uint32_t word = start >> 6;
        uint64_t bits = m_used[word] & (~0ULL << (start & 63));
        if (bits == 0)
        {
            uint32_t group = word >> 6;
            uint64_t words = m_usedWords[group] & (~1ULL << (word & 63));
            while (words == 0)
            {
                group = (group + 1) & m_groupMask;
                words = m_usedWords[group];
            }
            word = (group << 6) + static_cast<uint32_t>(__builtin_ctzll(words));
            bits = m_used[word];
        }
        return (word << 6) + static_cast<uint32_t>(__builtin_ctzll(bits));
    }

    uint32_t m_mask;           //!< S - 1
    uint32_t m_groupMask;      //!< groups of 64 words of 64 slots, less one
    int64_t m_slot{0};         //!< present time in slots
    uint32_t m_first{0};       //!< slot found by PeekTimeNs
    uint32_t m_free{NONE};     //!< first unused list element
    std::size_t m_nInWheel{0}; //!< events that are not in the heap
    std::vector<List> m_lists; //!< by slot
    std::vector<Event> m_nodes; //!< all list elements
    std::vector<Later> m_later; //!< heap
    uint64_t m_serial{0};       //!< counts insertions into the heap
    std::vector<uint32_t> m_sorting; //!< list elements of the slot that is being sorted
    std::array<uint64_t, MAX_SLOTS / 4096> m_usedWords{}; //!< words in use of m_used, a bit each
    std::array<uint64_t, MAX_SLOTS / 64> m_used{};        //!< slots in use, a bit each
    std::array<uint64_t, MAX_SLOTS / 64> m_unsorted{};    //!< slots out of order, a bit each
};

} // namespace ns3

#endif /* DCN_TIMING_WHEEL_H */

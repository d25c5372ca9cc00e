/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef DCN_TRAIN_MATCHING_H
#define DCN_TRAIN_MATCHING_H

#include <algorithm>
#include <cstdint>
#include <deque>
#include <functional>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <vector>

namespace ns3
{

/**
 * @ingroup dcn-train
 * @brief Pairs sends with receives by source, destination and tag.
 *
 * The rule is that of MPI's point-to-point messages (MPI standard 4.0, section 3.5, order): among
 * the sends and the receives of one key, a source, a destination and a tag, the k-th send belongs
 * to the k-th receive. Either may come first, and any number of either may wait:
 *
 *     s_k, r_k   the k-th send and receive of a key, k from 0, in the order of the calls
 *     pairs      (s_k, r_k) for all k below min(number of sends, number of receives)
 *
 * A pair is one message, which has the slot that its first part was given. Slots are reused.
 *
 * @tparam Part what the caller keeps for a send and for a receive
 */
template <class Part>
class DcnTrainMatching
{
  public:
    /// What a send and its receive have in common.
    struct Key
    {
        uint32_t source;      //!< rank that sends
        uint32_t destination; //!< rank that receives
        uint32_t tag;         //!< distinguishes messages of two ranks

        /// @return whether all three are equal
        bool operator==(const Key& other) const
        {
            return source == other.source && destination == other.destination && tag == other.tag;
        }
    };

    /// A send, a receive, or both.
    struct Message
    {
        Part send{};              //!< of the caller, if isSent
        Part receive{};           //!< of the caller, if isPosted
        uint64_t sendBytes{0};    //!< size that the send has
        uint64_t receiveBytes{0}; //!< size that the receive has
        bool isSent{false};       //!< the send is there
        bool isPosted{false};     //!< the receive is there
        bool isDelivered{false};  //!< set by the caller when the destination has the bytes
    };

    /// A send or a receive without the other.
    struct Open
    {
        Key key;       //!< its key
        bool isSend;   //!< a send; else a receive
        uint32_t slot; //!< of its message
    };

    /**
     * @param key of the send
     * @param bytes its size
     * @param part kept in the message
     * @return slot of its message
     */
    uint32_t AddSend(const Key& key, uint64_t bytes, const Part& part)
    {
        const uint32_t slot = Find(key, &Message::isSent);
        Message& message = m_messages[slot];
        message.send = part;
        message.sendBytes = bytes;
        message.isSent = true;
        return slot;
    }

    /**
     * @param key of the receive
     * @param bytes its size
     * @param part kept in the message
     * @return slot of its message
     */
    uint32_t AddReceive(const Key& key, uint64_t bytes, const Part& part)
    {
        const uint32_t slot = Find(key, &Message::isPosted);
        Message& message = m_messages[slot];
        message.receive = part;
        message.receiveBytes = bytes;
        message.isPosted = true;
        return slot;
    }

    /**
     * @param slot of a message that was not removed
     * @return the message; until the next call of AddSend or AddReceive
     */
    Message& Get(uint32_t slot)
    {
        return m_messages[slot];
    }

    /**
     * @param slot of a message that was not removed
     * @return the message
     */
    const Message& Get(uint32_t slot) const
    {
        return m_messages[slot];
    }

    /**
     * @brief Forget a message, which has both parts.
     * @param slot its slot
     */
    void Remove(uint32_t slot)
    {
        m_free.push_back(slot);
    }

    /** @return all sends and receives without the other, by destination, source, tag and age. */
    std::vector<Open> GetOpen() const
    {
        std::vector<Open> open;
        for (const auto& [key, slots] : m_waiting)
        {
            for (const uint32_t slot : slots)
            {
                open.push_back({key, m_messages[slot].isSent, slot});
            }
        }
        std::stable_sort(open.begin(), open.end(), [](const Open& left, const Open& right) {
            return std::tie(left.key.destination, left.key.source, left.key.tag) <
                   std::tie(right.key.destination, right.key.source, right.key.tag);
        });
        return open;
    }

  private:
    /// Hash of a key.
    struct KeyHash
    {
        /// @return the hash
        std::size_t operator()(const Key& key) const
        {
            const uint64_t ends = static_cast<uint64_t>(key.source) << 32 | key.destination;
            return std::hash<uint64_t>()((ends * 0x9e3779b97f4a7c15ULL) ^ key.tag);
        }
    };

    /**
     * @param key of a part
     * @param isThere the member that says whether a message has such a part
     * @return slot of the oldest message of the key without such a part; else a new one
     */
    uint32_t Find(const Key& key, bool Message::*isThere)
    {
        const auto waiting = m_waiting.find(key);
        if (waiting != m_waiting.end() && !(m_messages[waiting->second.front()].*isThere))
        {
            const uint32_t slot = waiting->second.front();
            waiting->second.pop_front();
            if (waiting->second.empty())
            {
                m_waiting.erase(waiting);
            }
            return slot;
        }
        if (m_free.empty())
        {
            m_free.push_back(static_cast<uint32_t>(m_messages.size()));
            m_messages.emplace_back();
        }
        const uint32_t slot = m_free.back();
        m_free.pop_back();
        m_messages[slot] = Message{};
        m_waiting[key].push_back(slot);
        return slot;
    }

    std::vector<Message> m_messages;                                  //!< by slot
    std::vector<uint32_t> m_free;                                     //!< slots
    std::unordered_map<Key, std::deque<uint32_t>, KeyHash> m_waiting; //!< by key: slots of
                                                                      //!< messages of one part
};

} // namespace ns3

#endif /* DCN_TRAIN_MATCHING_H */

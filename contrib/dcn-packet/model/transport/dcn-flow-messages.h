/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef DCN_FLOW_MESSAGES_H
#define DCN_FLOW_MESSAGES_H

#include <cstdint>
#include <deque>
#include <limits>

namespace ns3
{

/**
 * @ingroup dcn-packet
 * @brief The messages of a connection, at its sender and at its receiver.
 *
 * **Problem.** A connection sends messages back to back as one sequence of bytes. Find where
 * packets have to end, and which messages the receiver has and the sender knows to have arrived.
 *
 * **Rule.** Message k = 0, 1, ... has the bytes from e_(k-1) to e_k. Packets do not cross such an
 * end, as in RoCE, where each work request has packets of its own. The receiver has message k when
 * its next byte in order is e_k; the sender knows it when its first byte not acknowledged is >=
 * e_k.
 *
 * **Cost.** Memory for messages that are not acknowledged; a message costs a search among them.
 */
class DcnFlowMessages
{
  public:
    static constexpr uint64_t NONE = std::numeric_limits<uint64_t>::max(); //!< no message

    /**
     * @brief A message is added.
     * @param end one past its last byte, e_k
     * @param isShort whether it has less than a packet
     */
    void Add(uint64_t end, bool isShort)
    {
        m_ends.push_back(end);
        m_hasShort = m_hasShort || isShort;
    }

    /** @return whether a message so far had less than a packet. */
    bool HasShort() const
    {
        return m_hasShort;
    }

    /**
     * @param byte not acknowledged
     * @param last one past the last byte of all
     * @return end of the message that has it; last: there is none
     */
    uint64_t FindEnd(uint64_t byte, uint64_t last) const;

    /** @return end of the first message that is not acknowledged; there is one. */
    uint64_t GetFirstEnd() const
    {
        return m_ends.front();
    }

    /**
     * @brief The receiver has another message.
     * @return its number
     */
    uint64_t Deliver()
    {
        return m_nDelivered++;
    }

    /** @return end of the message that the receiver will have next; NONE: there is none. */
    uint64_t GetNextEnd() const;

    /**
     * @param byte the next byte that the receiver expects in order
     * @return whether it has all of a message that ends there and is not acknowledged
     */
    bool IsDeliveredEnd(uint64_t byte) const;

    /**
     * @brief The sender takes the next message, if it is acknowledged.
     * @param acknowledged first byte that is not
     * @return whether it is
     */
    bool Acknowledge(uint64_t acknowledged);

    /** @return messages that the sender has taken. */
    uint64_t GetNAcknowledged() const
    {
        return m_nAcknowledged;
    }

    /**
     * @param isIdle whether all is acknowledged
     * @return whether it was so before
     */
    bool SetIdle(bool isIdle);

  private:
    std::deque<uint64_t> m_ends; //!< e_k of messages without acknowledgement, ascending
    uint64_t m_nAcknowledged{0}; //!< see GetNAcknowledged
    uint64_t m_nDelivered{0};    //!< messages that the receiver has
    bool m_isIdle{true};         //!< see SetIdle
    bool m_hasShort{false};      //!< see HasShort
};

} // namespace ns3

#endif /* DCN_FLOW_MESSAGES_H */

/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef DCN_FLOW_SENDER_H
#define DCN_FLOW_SENDER_H

#include "dcn-selective-repeat.h"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <memory>

namespace ns3
{

/**
 * @ingroup dcn-packet
 * @brief The sender of a flow: which bytes it sends next, and when it may.
 *
 * **Rule.** Bytes below una are acknowledged, bytes from next on have not been sent (or have to be
 * sent again). A packet may leave if
 *
 *     next - una < W(t) = max(1, floor(window * rate / maximum rate))  and  now >= nextSend
 *
 * where nextSend paces packets at the rate of the congestion control: S bytes on the wire take
 * 8e9 S / rate from the exact begin of their transmission (DcnFrameTime), and events come at the
 * next whole nanosecond. With go-back-N, next returns to una at a loss. With selective repeat the
 * packets are those of a DcnSelectiveRepeat, and
 *
 *     bytes in flight < W(t)  and  now >= nextSend
 *
 * lets a packet leave; una is the first byte not acknowledged, next never returns.
 *
 * **Cost.** Constant by packet and acknowledgement; DcnSelectiveRepeat has its own cost. A division
 * if the rate or the size of packets has changed.
 */
class DcnFlowSender
{
  public:
    /// A window without bound [bytes].
    static constexpr uint64_t ANY = std::numeric_limits<uint64_t>::max();

    /// A packet to send.
    struct Packet
    {
        uint64_t sequence; //!< its first byte
        uint16_t bytes;    //!< payload
        bool isLast;       //!< it may complete the flow or message
    };

    /// What an acknowledgement says.
    struct Acknowledgement
    {
        uint64_t bytes;  //!< acknowledged so far, as the congestion control counts
        bool isProgress; //!< something new is acknowledged
        bool hasRisen;   //!< una has risen
        bool hasLost;    //!< packets are known to be lost from now on
    };

    /**
     * @brief A flow begins.
     * @param end one past its last byte; 0: a connection without messages
     * @param maxRateBps its largest rate [bit/s]
     * @param isWhole whether the times of frames are whole nanoseconds (DcnFrameTicks)
     * @param selective null: go-back-N
     * @param nowNs present time [ns]
     */
    void Begin(uint64_t end,
               uint64_t maxRateBps,
               bool isWhole,
               std::unique_ptr<DcnSelectiveRepeat> selective,
               int64_t nowNs);

    /** @return true if it has bytes to send that the window does not hold back. */
    bool IsWindowOpen() const
    {
        if (m_selective)
        {
            return (m_next < m_end || m_selective->HasLost()) &&
                   m_selective->GetInFlightBytes() < m_window;
        }
        return m_next < m_end && m_next - m_una < m_window;
    }

    /** @return earliest time of the next packet by pacing, nextSend rounded up [ns]. */
    int64_t GetNextSendNs() const
    {
        return m_nextSendNs;
    }

    /** @return how long before GetNextSendNs the exact nextSend is [ticks of 2^-14 ns]. */
    uint32_t GetSendLead() const
    {
        return m_sendLead;
    }

    /** @return the sending rate [bit/s]. */
    uint64_t GetRate() const
    {
        return m_rateBps;
    }

    /** @return its largest rate [bit/s]. */
    uint64_t GetMaxRate() const
    {
        return m_maxRateBps;
    }

    /** @return W(t); ANY: no bound [bytes]. */
    uint64_t GetWindow() const
    {
        return m_window;
    }

    /** @return una. */
    uint64_t GetUnacknowledged() const
    {
        return m_una;
    }

    /** @return next. */
    uint64_t GetNext() const
    {
        return m_next;
    }

    /** @return one past the last byte ever sent. */
    uint64_t GetSentEnd() const
    {
        return m_sentEnd;
    }

    /** @return end of the flow, or of the message of the byte next. */
    uint64_t GetEnd() const
    {
        return m_end;
    }

    /**
     * @brief Packets from next on go up to another end.
     * @param end see GetEnd
     */
    void SetEnd(uint64_t end)
    {
        m_end = end;
    }

    /** @return payload bytes sent more than once. */
    uint64_t GetRetransmittedBytes() const
    {
        return m_retransmittedBytes;
    }

    /** @return next, as the congestion control counts. */
    uint64_t GetNextOfControl() const
    {
        return m_selective ? m_selective->GetAcknowledgedBytes() + m_selective->GetInFlightBytes()
                           : m_next;
    }

    /** @return time by which a packet may overtake the first one not acknowledged [ns]. */
    int64_t GetReorderNs() const
    {
        return m_selective ? m_selective->GetReorderNs() : 0;
    }

    /**
     * @brief Take the next packet, which is sent now; IsWindowOpen must hold.
     * @param payloadBytes most payload
     * @param nowNs present time [ns]
     * @return the packet
     */
    Packet TakePacket(uint32_t payloadBytes, int64_t nowNs);

    /**
     * @brief Let the packet after this one wait for its time.
     * @param wireBytes of the packet that is sent now
     * @param nowNs present time [ns]
     * @param lead how long before that its transmission exactly begins [ticks of 2^-14 ns]
     */
    void Pace(uint32_t wireBytes, int64_t nowNs, uint32_t lead);

    /**
     * @brief Take another rate and window from now on.
     * @param rateBps the rate [bit/s]
     * @param windowBytes window at the largest rate; 0: none [bytes]
     * @param repaces whether the packet that waits for its time follows the new rate, too
     */
    void SetRate(uint64_t rateBps, uint64_t windowBytes, bool repaces);

    /**
     * @brief An acknowledgement arrives.
     * @param sequence next byte that the receiver expects; with selective repeat, first byte of the
     * packet that has arrived
     * @param sentNs when the packet was sent [ns]
     * @return what it says
     */
    Acknowledgement OnAck(uint64_t sequence, int64_t sentNs)
    {
        if (m_selective)
        {
            return OnSelectiveAck(sequence, sentNs);
        }
        const bool hasRisen = sequence > m_una;
        Rise(sequence);
        return {sequence, hasRisen, hasRisen, false};
    }

    /// All that is not acknowledged is lost.
    void GoBack();

    /**
     * @brief Packets sent from now on have another path (DcnSelectiveRepeat::OnPathChange).
     * @param reorderNs time by which they may overtake those sent before [ns]
     * @param nowNs present time [ns]
     */
    void OnPathChange(int64_t reorderNs, int64_t nowNs);

    /**
     * @brief Tell how far a steady state can be skipped (DcnSteadySkip).
     * @param payloadBytes of a whole packet
     * @return whole packets to send before the last one before GetEnd; 0: some are sent again
     */
    uint64_t GetSkippablePackets(uint32_t payloadBytes) const;

    /**
     * @brief Be in the state of a later time in a steady state.
     * @param bytes that are sent and acknowledged meanwhile
     * @param timeNs by how much later [ns]
     */
    void Translate(uint64_t bytes, int64_t timeNs);

  private:
    int64_t GetGapTicks(uint32_t wireBytes, uint64_t rateBps) const;
    void SendAfter(int64_t fromNs, int64_t ticks);
    Acknowledgement OnSelectiveAck(uint64_t sequence, int64_t sentNs);

    void Rise(uint64_t una)
    {
        m_una = std::max(m_una, una);
        m_next = std::max(m_next, m_una); // after going back, old data may have arrived
    }

    uint64_t m_next{0};               //!< see GetNext
    uint64_t m_end{0};                //!< see GetEnd
    uint64_t m_una{0};                //!< see GetUnacknowledged
    uint64_t m_sentEnd{0};            //!< see GetSentEnd
    uint64_t m_window{0};             //!< W(t) [bytes]
    uint64_t m_rateBps{0};            //!< rate that m_window belongs to [bit/s]
    uint64_t m_maxRateBps{0};         //!< see GetMaxRate [bit/s]
    int64_t m_nextSendNs{0};          //!< see GetNextSendNs [ns]
    uint32_t m_sendLead{0};           //!< see GetSendLead [ticks of 2^-14 ns]
    uint32_t m_lastWireBytes{0};      //!< size of the latest packet
    uint64_t m_gapRateBps{0};         //!< rate of m_gapTicks [bit/s]
    int64_t m_gapTicks{0};            //!< gap after such a packet: saves divisions [2^-14 ns]
    uint64_t m_retransmittedBytes{0}; //!< see GetRetransmittedBytes
    std::unique_ptr<DcnSelectiveRepeat> m_selective; //!< null: go-back-N
    bool m_isWhole{false};                           //!< see Begin
};

} // namespace ns3

#endif /* DCN_FLOW_SENDER_H */

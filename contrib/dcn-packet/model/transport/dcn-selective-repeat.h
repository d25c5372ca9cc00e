/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef DCN_SELECTIVE_REPEAT_H
#define DCN_SELECTIVE_REPEAT_H

#include <algorithm>
#include <cstdint>
#include <deque>

namespace ns3
{

/**
 * @ingroup dcn-packet
 * @brief Selective repeat: the packets of a flow at its sender.
 *
 * **Problem.** Go-back-N sends everything again that follows a lost packet, and takes each packet
 * for lost that a later one of another path has overtaken. Decide which packets are lost, and send
 * them alone (R. Mittal et al., "Revisiting Network Support for RDMA", SIGCOMM 2018, section 3, for
 * RDMA hosts). The receiver keeps what comes early and acknowledges every packet by its own number
 * (DcnFlowReceiver).
 *
 * **Rule.** A packet is *in flight* from its transmission until it is acknowledged or lost. It is
 * *lost* at a timeout, or when the acknowledgement of a packet arrives that was sent more than
 * `reorder` later. (Times distinguish losses from overtaking better than numbers of packets do:
 * Y. Cheng et al., RFC 8985.) Lost packets are sent before new ones. A packet that was taken for
 * lost may be acknowledged later: it is then not sent again, or was sent for nothing. `reorder`, if
 * it may grow, then becomes the time by which that packet was overtaken, because queues of
 * different paths differ by more than was thought. (RFC 8985 makes its window longer in this case,
 * too.)
 *
 * **One path.** Queues are first in, first out, for data as for acknowledgements, so that nothing
 * is overtaken: `reorder` is 0, and the acknowledgement of a packet proves that all packets sent
 * before it are lost that have none. A longer window would only delay their repair, at the end of
 * a flow until the timeout. After a change of the path (OnPathChange), packets of the new path may
 * overtake those sent before the change, and the acknowledgements of these may differ in their
 * path: for them, and only for them, the window is that of several paths.
 *
 *     bytes sent = bytes acknowledged + in flight + lost,   each counted once
 */
class DcnSelectiveRepeat
{
  public:
    /// Bytes of a packet.
    struct Range
    {
        uint64_t sequence; //!< first byte
        uint16_t bytes;    //!< payload
    };

    /**
     * @param reorderNs time by which a packet may overtake another one [ns]
     * @param mayGrow whether it grows when a packet was taken for lost that was only overtaken
     */
    DcnSelectiveRepeat(int64_t reorderNs, bool mayGrow);

    /**
     * @brief A new packet is sent.
     * @param range its bytes; it begins where the latest one ended
     * @param nowNs present time [ns]
     */
    void OnSend(const Range& range, int64_t nowNs);

    /** @return bytes in flight. */
    uint64_t GetInFlightBytes() const
    {
        return m_inFlightBytes;
    }

    /** @return bytes acknowledged, in any order. */
    uint64_t GetAcknowledgedBytes() const
    {
        return m_acknowledgedBytes;
    }

    /** @return time by which a packet may overtake the first one not acknowledged [ns]. */
    int64_t GetReorderNs() const
    {
        return m_sent.empty() ? m_reorderNs : GetWindowNs(m_sent.front());
    }

    /**
     * @brief Packets sent from now on take another path than those before.
     * @param reorderNs time by which they may overtake those sent until now [ns]
     * @param nowNs present time [ns]
     */
    void OnPathChange(int64_t reorderNs, int64_t nowNs);

    /** @return whether there is a lost packet. */
    bool HasLost();

    /**
     * @brief Send a lost packet again; HasLost must hold.
     * @param nowNs present time [ns]
     * @return the packet that was lost first
     */
    Range Resend(int64_t nowNs);

    /**
     * @brief A packet is acknowledged.
     * @param sequence its first byte
     * @param sentNs when it was sent [ns]
     * @return whether other packets are lost from now on
     */
    bool OnAck(uint64_t sequence, int64_t sentNs);

    /// Timeout: everything in flight is lost.
    void LoseAll();

    /**
     * @param end one past the last byte ever sent
     * @return the first byte that is not acknowledged, end if there is none
     */
    uint64_t GetUnacknowledged(uint64_t end) const
    {
        return m_sent.empty() ? end : m_sent.front().range.sequence;
    }

  private:
    /// A packet sent.
    struct Sent
    {
        Range range;         //!< its bytes
        bool isAcknowledged; //!< it has arrived
        bool isLost;         //!< it is taken for lost
        bool isResent;       //!< it was sent again
        int64_t sentNs;      //!< when it was sent, the last time [ns]
    };

    void Lose(Sent& packet);
    Sent* Find(uint64_t sequence);

    /// @return time by which others may overtake a packet [ns]
    int64_t GetWindowNs(const Sent& packet) const
    {
        return packet.sentNs > m_changeNs ? m_reorderNs : std::max(m_reorderNs, m_changeReorderNs);
    }

    int64_t m_reorderNs;         //!< time by which a packet may overtake another one [ns]
    bool m_mayGrow;              //!< see the constructor
    int64_t m_changeNs{-1};      //!< latest change of the path [ns]
    int64_t m_changeReorderNs{0}; //!< window of packets that were sent until then [ns]
    std::deque<Sent> m_sent;     //!< by number; the first one is not acknowledged
    std::deque<uint64_t> m_lost; //!< packets found lost, in this order; some have arrived since
    uint64_t m_inFlightBytes{0}; //!< see GetInFlightBytes
    uint64_t m_acknowledgedBytes{0}; //!< see GetAcknowledgedBytes
    int64_t m_latestNs{0};           //!< latest transmission that has been acknowledged [ns]
};

} // namespace ns3

#endif /* DCN_SELECTIVE_REPEAT_H */

/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef DCN_FRAME_H
#define DCN_FRAME_H

#include "ns3/dcn-congestion-control.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace ns3
{

class DcnPacketFlow;
class DcnSwitchDevice;

/// @ingroup dcn-packet
/// @brief Kind of a frame on the wire.
enum class DcnFrameKind : uint8_t
{
    DATA,   //!< payload of a flow
    ACK,    //!< cumulative acknowledgement
    NACK,   //!< acknowledgement that asks to go back
    PAUSE,  //!< priority flow control: stop the data class
    RESUME, //!< priority flow control: go on
};

/**
 * @ingroup dcn-packet
 * @brief A frame: the unit that devices queue and channels carry.
 *
 * It has the size of a cache line, which is most of the time that an event takes in large networks.
 * An ns-3 Packet is made of a frame only for listeners of packet traces (DcnMakePacket).
 */
struct alignas(64) DcnFrame
{
    /** @return true for acknowledgements of both kinds. */
    bool IsAck() const
    {
        return kind == DcnFrameKind::ACK || kind == DcnFrameKind::NACK;
    }

    /**
     * @brief Become a data packet that is sent now; its flow and route are set by the caller.
     * @param firstByte its first payload byte
     * @param payload payload bytes
     * @param wire bytes with all headers
     * @param nowNs present time [ns]
     * @param startLead how long before that its transmission exactly begins [ticks of 2^-14 ns]
     * @param isEnd see isLast
     */
    void BecomeData(uint64_t firstByte,
                    uint16_t payload,
                    uint16_t wire,
                    int64_t nowNs,
                    uint32_t startLead,
                    bool isEnd)
    {
        kind = DcnFrameKind::DATA;
        sequence = firstByte;
        payloadBytes = payload;
        wireBytes = wire;
        sentNs = nowNs;
        sentLead = startLead;
        lead = startLead;
        congestionExperienced = false;
        highPriority = false;
        isLast = isEnd;
        hop = 0;
    }

    /**
     * @brief Turn round as its own acknowledgement: mark, send time and telemetry are echoed.
     * @param answer ACK or NACK
     * @param number see sequence
     * @param wire bytes with all headers
     * @param isFirst see highPriority
     */
    void BecomeAnswer(DcnFrameKind answer, uint64_t number, uint16_t wire, bool isFirst)
    {
        kind = answer;
        sequence = number;
        payloadBytes = 0;
        wireBytes = wire;
        highPriority = isFirst;
    }

    DcnPacketFlow* flow; //!< flow that it belongs to; null for PAUSE and RESUME
    DcnSwitchDevice* egress; //!< egress port at the next switch; unspecified if there is none
    /// Egress ports of the path; one entry further after each hop. The port at the next switch is
    /// also in egress, which is read long before the frame arrives there.
    DcnSwitchDevice* const* route;
    DcnFrame* next;   //!< next frame in a queue or in the free list
    uint64_t sequence : 48; //!< DATA: first payload byte; ACK and NACK: next byte expected
    /// How long before its event the frame exactly arrived, or began to be sent [ticks of 2^-14 ns];
    /// WAITED: it has waited for a transmitter since.
    uint16_t lead;
    int64_t sentNs : 50; //!< DATA: start of transmission at the host; ACK: copied from DATA
    uint64_t sentLead : 14; //!< sentNs less the exact start [ticks of 2^-14 ns]; copied to the ACK
    std::unique_ptr<DcnTelemetry> telemetry; //!< HPCC only
    uint16_t payloadBytes;      //!< 0 unless DATA
    uint16_t wireBytes;         //!< with all headers
    uint16_t ingressPort;       //!< port of the present switch through which it came
    DcnFrameKind kind;          //!< see DcnFrameKind
    bool congestionExperienced : 1; //!< DATA: marked by a switch; ACK: echo of the mark
    bool highPriority : 1;          //!< travels in the strict-priority class
    bool isLast : 1;                //!< DATA: ends the flow or a message; copied to its ACK
    uint8_t hop : 5;                //!< DATA: switches that it has come to, modulo 32

    static constexpr uint32_t MAX_WIRE_BYTES = 65535; //!< largest value of wireBytes
    static constexpr uint64_t MAX_SEQUENCE = (1ULL << 48) - 1; //!< largest value of sequence
    static constexpr uint32_t MAX_LEAD = 16382; //!< longest lead of a frame that has not waited
    static constexpr uint32_t WAITED = 16383;          //!< see lead
    static constexpr uint32_t MAX_PORTS = 65536;      //!< ports of a switch that have a number here
};

static_assert(sizeof(DcnFrame) == 64, "a cache line");

/**
 * @ingroup dcn-packet
 * @brief Free list of frames.
 */
class DcnFramePool
{
  public:
    DcnFramePool() = default;
    DcnFramePool(const DcnFramePool&) = delete;
    DcnFramePool& operator=(const DcnFramePool&) = delete;

    /** @return a frame; all fields but telemetry have to be set by the caller. */
    DcnFrame* Get()
    {
        DcnFrame* frame = m_free;
        if (!frame)
        {
            return Grow();
        }
        m_free = frame->next;
        return frame;
    }

    /// A frame begins to travel over a link, or the news of its end to its sender.
    void OnLaunch()
    {
        ++m_nTravelling;
    }

    /// A frame has come to the end of its link, or the news to the sender.
    void OnArrival()
    {
        --m_nTravelling;
    }

    /** @return frames that are being transmitted or are on a link, and news under way. */
    uint64_t GetNTravelling() const
    {
        return m_nTravelling;
    }

    /**
     * @brief Take a frame back.
     * @param frame a frame of this pool that nothing refers to any more
     */
    void Put(DcnFrame* frame)
    {
        frame->next = m_free;
        m_free = frame;
    }

    /**
     * @brief Deal the free frames of some pools out to them, since frames may end in another pool
     * than that from which they came; all pools live as long as any frame.
     * @param pools these
     */
    static void Share(const std::vector<DcnFramePool*>& pools);

  private:
    DcnFrame* Grow();

    DcnFrame* m_free{nullptr};                         //!< frames that are not in use
    std::vector<std::unique_ptr<DcnFrame[]>> m_blocks; //!< every frame ever made
    std::size_t m_nUnused{0};                          //!< frames of the last block never taken
    uint64_t m_nTravelling{0};                         //!< see GetNTravelling
};

/**
 * @ingroup dcn-packet
 * @brief First-in first-out queue of frames, linked through the frames, that counts its bytes.
 */
class DcnFrameQueue
{
  public:
    /**
     * @param frame goes to the end
     */
    void Push(DcnFrame* frame)
    {
        frame->next = nullptr;
        if (m_last)
        {
            m_last->next = frame;
        }
        else
        {
            m_first = frame;
        }
        m_last = frame;
        m_bytes += frame->wireBytes;
        ++m_frames;
    }

    /**
     * @param frame goes to the front
     */
    void PushFront(DcnFrame* frame)
    {
        frame->next = m_first;
        m_first = frame;
        m_last = m_last ? m_last : frame;
        m_bytes += frame->wireBytes;
        ++m_frames;
    }

    /** @return the oldest frame, taken out; the queue must not be empty. */
    DcnFrame* Pop()
    {
        DcnFrame* frame = m_first;
        m_first = frame->next;
        __builtin_prefetch(m_first, 1); // it leaves next; in a long queue it is in no cache
        if (!m_first)
        {
            m_last = nullptr;
        }
        m_bytes -= frame->wireBytes;
        --m_frames;
        return frame;
    }

    /** @return the oldest frame; the queue must not be empty. */
    const DcnFrame* Peek() const
    {
        return m_first;
    }

    /** @return all frames, in order. */
    std::vector<DcnFrame*> GetFrames() const
    {
        std::vector<DcnFrame*> frames;
        for (DcnFrame* frame = m_first; frame; frame = frame->next)
        {
            frames.push_back(frame);
        }
        return frames;
    }

    /** @return true if nothing waits. */
    bool IsEmpty() const
    {
        return !m_first;
    }

    /** @return wire bytes that wait. */
    uint64_t GetNBytes() const
    {
        return m_bytes;
    }

    /** @return frames that wait. */
    uint32_t GetNFrames() const
    {
        return m_frames;
    }

  private:
    DcnFrame* m_first{nullptr}; //!< oldest
    DcnFrame* m_last{nullptr};  //!< youngest
    uint64_t m_bytes{0};        //!< wire bytes
    uint32_t m_frames{0};       //!< number
};

} // namespace ns3

#endif /* DCN_FRAME_H */

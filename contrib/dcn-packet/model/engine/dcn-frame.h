/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef DCN_FRAME_H
#define DCN_FRAME_H

#include "ns3/dcn-congestion-control.h"
#include "ns3/event-impl.h"

#include <cstdint>
#include <memory>
#include <vector>

namespace ns3
{

class DcnFrame;
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
 * @brief Receiving end of a link.
 */
class DcnFrameReceiver
{
  public:
    /**
     * @brief A frame has arrived from the link.
     * @param frame now owned by the receiver
     */
    virtual void Receive(DcnFrame* frame) = 0;

  protected:
    ~DcnFrameReceiver() = default;
};

/**
 * @ingroup dcn-packet
 * @brief A frame: the unit that devices queue and channels carry.
 *
 * A frame is its own arrival event, so that a hop allocates nothing: the sending device schedules
 * the frame, and Notify hands it to the receiver. An ns-3 Packet is made of a frame only for
 * listeners of packet traces (DcnMakePacket).
 */
class DcnFrame final : public EventImpl
{
  public:
    /** @return true for acknowledgements of both kinds. */
    bool IsAck() const
    {
        return kind == DcnFrameKind::ACK || kind == DcnFrameKind::NACK;
    }

    DcnFrameReceiver* receiver; //!< far end of the link that the frame is on
    DcnPacketFlow* flow;        //!< flow that it belongs to; null for PAUSE and RESUME
    /// Egress port at the next switch; one entry further after each hop.
    DcnSwitchDevice* const* route;
    DcnFrame* next;             //!< next frame in a queue or in the free list
    uint64_t sequence;          //!< DATA: first payload byte; ACK and NACK: next byte expected
    int64_t sentNs;             //!< DATA: start of transmission at the host; ACK: copied from DATA
    uint32_t payloadBytes;      //!< 0 unless DATA
    uint32_t wireBytes;         //!< with all headers
    uint32_t ingressPort;       //!< port of the present switch through which it came
    DcnFrameKind kind;          //!< see DcnFrameKind
    bool congestionExperienced; //!< DATA: marked by a switch; ACK: echo of the mark
    bool highPriority;          //!< travels in the strict-priority class
    std::unique_ptr<DcnTelemetry> telemetry; //!< HPCC only

  private:
    void Notify() override
    {
        receiver->Receive(this);
    }
};

/**
 * @ingroup dcn-packet
 * @brief Free list of frames.
 *
 * When the pool is destroyed, it cancels frames that are pending events; the simulator drops them
 * later.
 */
class DcnFramePool
{
  public:
    DcnFramePool() = default;
    ~DcnFramePool();
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

    /// Cancels all frames that are still pending events.
    void CancelAll();

    /// A frame begins to travel over a link.
    void OnLaunch()
    {
        ++m_nTravelling;
    }

    /// A frame has come to the end of its link.
    void OnArrival()
    {
        --m_nTravelling;
    }

    /** @return frames that are being transmitted or are on a link. */
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

  private:
    DcnFrame* Grow();

    DcnFrame* m_free{nullptr};    //!< frames that are not in use
    std::vector<DcnFrame*> m_all; //!< every frame ever made
    uint64_t m_nTravelling{0};    //!< see GetNTravelling
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

    /** @return the oldest frame, taken out; the queue must not be empty. */
    DcnFrame* Pop()
    {
        DcnFrame* frame = m_first;
        m_first = frame->next;
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

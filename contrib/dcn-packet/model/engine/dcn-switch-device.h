/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef DCN_SWITCH_DEVICE_H
#define DCN_SWITCH_DEVICE_H

#include "../paths/dcn-link-choice.h"
#include "dcn-packet-device.h"
#include "dcn-packet-switch.h"

#include "ns3/dcn-marking.h"

#include <cstdint>

namespace ns3
{

/**
 * @ingroup dcn-packet
 * @brief Port of a switch: two egress queues; arriving frames are accounted by a DcnPacketSwitch.
 *
 * Egress: the strict-priority class (pause frames, acknowledgements if so configured) goes before
 * the data class; both are first-in first-out. A data packet is marked when it leaves the queue,
 * according to the bytes of the data class that still wait (DcnMarking), with thresholds scaled
 * from the reference rate to the port's rate.
 *
 * Identity of the data class, in bytes and in frames: offered = departed + waiting + dropped.
 * Enqueue and Drop together trace the offered frames, Dequeue the departing ones.
 */
class DcnSwitchDevice final : public DcnPacketDevice,
                              public DcnPacketSwitch::PfcSender,
                              public DcnLinkChoice::Port
{
  public:
    /**
     * @brief Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    /**
     * @brief Signature of Enqueue, Dequeue, Mark and Drop.
     * @param frameBytes the frame on the wire [bytes]
     * @param queueBytes the data class of the port after the event [bytes]
     */
    typedef void (*QueueCallback)(uint32_t frameBytes, uint64_t queueBytes);

    /**
     * @brief Signature of Skip.
     * @param sinceNs begin of the skip, which ends now [ns]
     * @param bytes that came to the data class and left it meanwhile [bytes]
     * @param frames their number
     * @param marks packets marked meanwhile
     */
    typedef void (*SkipCallback)(int64_t sinceNs, uint64_t bytes, uint64_t frames, uint64_t marks);

    /**
     * @brief Become a port of a switch.
     * @param owner the switch
     * @param port number of the port
     */
    void SetSwitch(DcnPacketSwitch* owner, uint32_t port);

    /** @return the switch. */
    DcnPacketSwitch* GetSwitch() const
    {
        return m_switch;
    }

    /** @return number of this port at the switch. */
    uint32_t GetPort() const
    {
        return m_port;
    }

    /// Scale the thresholds of marking to the rate of the link.
    void FollowRate();

    void Kick(int64_t nowNs) override;
    void Receive(DcnFrame* frame, int64_t nowNs) override;

    uint32_t GetNListeners() const override;
    std::vector<DcnFrame*> GetWaiting() const override;

    /**
     * @brief Skip, for frames of the data class.
     * @param frames their number
     * @param wireBytes the size of each
     * @param isData whether they are data packets
     */
    void SkipQueued(uint64_t frames, uint32_t wireBytes, bool isData);

    /**
     * @brief End a skip, after SkipQueued for all flows.
     * @param sinceNs its begin [ns]
     * @param marks packets marked meanwhile
     */
    void EndSkip(int64_t sinceNs, uint64_t marks);

    bool IsHost() const override
    {
        return false;
    }

    void SendPfc(bool pause, uint32_t frameBytes, int64_t nowNs) override;

    /** @return wire bytes of the data class that wait. */
    uint64_t GetQueueBytes() const
    {
        return m_data.GetNBytes();
    }

    int64_t GetWaitNs(int64_t nowNs) const override
    {
        const uint64_t bytes = m_high.GetNBytes() + m_data.GetNBytes();
        constexpr int64_t PAUSED_NS = int64_t{1} << 60; // after every port that may send
        return (IsPaused() ? PAUSED_NS : 0) + std::max<int64_t>(0, GetFreeAtNs() - nowNs) +
               (bytes > 0 ? DcnSerializationNs(bytes, m_rateBps) : 0);
    }

    /** @return wire bytes of the data class that came to this queue, dropped ones included. */
    uint64_t GetOfferedBytes() const
    {
        return m_offeredBytes;
    }

    /** @return wire bytes of the data class that left this queue. */
    uint64_t GetLeftBytes() const
    {
        return m_leftBytes;
    }

    /** @return wire bytes of the data class that were dropped on their way to this queue. */
    uint64_t GetDroppedBytes() const
    {
        return m_droppedBytes;
    }

    /** @return data packets marked. */
    uint64_t GetNMarked() const
    {
        return m_nMarked;
    }

  private:
    friend class DcnPacketDevice;

    void Enqueue(DcnFrame* frame, int64_t nowNs);
    DcnFrame* PickFrame(int64_t nowNs);
    int64_t NextPickNs(int64_t fromNs) const;
    void Flush(int64_t nowNs) override;
    void Stamp(DcnTelemetry& telemetry, int64_t nowNs, uint32_t lead) const;
    void Drop(DcnFrame* frame, int64_t nowNs);

    // in the order of their use, as in DcnPacketDevice
    uint32_t m_port{0};                                          //!< number of this port
    DcnPacketSwitch* m_switch{nullptr};                          //!< owner
    DcnFrameQueue m_data;                                        //!< data class
    DcnTrace<uint32_t, uint64_t> m_enqueueTrace;                 //!< Enqueue
    DcnTrace<uint32_t, uint64_t> m_dequeueTrace;                 //!< Dequeue
    DcnFrameQueue m_high;                                        //!< strict-priority class
    uint64_t m_offeredBytes{0};                                  //!< see GetOfferedBytes
    uint64_t m_leftBytes{0};                                     //!< see GetLeftBytes
    DcnMarking m_marking;                                        //!< at this port's rate
    uint64_t m_droppedBytes{0};                                  //!< see GetDroppedBytes
    uint64_t m_nMarked{0};                                       //!< see GetNMarked
    DcnTrace<uint32_t, uint64_t> m_markTrace;                    //!< Mark
    DcnTrace<uint32_t, uint64_t> m_dropTrace;                    //!< Drop
    uint64_t m_skippedBytes{0};                                  //!< of SkipQueued, until EndSkip
    uint64_t m_skippedFrames{0};                                 //!< their number
    DcnTrace<int64_t, uint64_t, uint64_t, uint64_t> m_skipTrace; //!< Skip
};

} // namespace ns3

#endif /* DCN_SWITCH_DEVICE_H */

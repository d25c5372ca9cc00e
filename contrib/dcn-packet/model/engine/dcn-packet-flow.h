/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef DCN_PACKET_FLOW_H
#define DCN_PACKET_FLOW_H

#include "../transport/dcn-flow-messages.h"
#include "../transport/dcn-flow-path.h"
#include "../transport/dcn-flow-receiver.h"
#include "../transport/dcn-flow-sender.h"
#include "../transport/dcn-retransmission-timer.h"

#include "ns3/dcn-congestion-control.h"
#include "ns3/ipv4-address.h"
#include "ns3/simple-ref-count.h"

#include <atomic>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

namespace ns3
{

class DcnFlowOwner;
struct DcnFrame;
enum class DcnPacketEventKind : uint8_t;

/**
 * @ingroup dcn-packet
 * @brief One flow at its sender and at its receiver.
 *
 * It makes packets of what its DcnFlowSender sends and acknowledgements of what its DcnFlowReceiver
 * answers; a congestion control sets rate and window. It goes back to the first byte that is not
 * acknowledged at a NACK or when its DcnRetransmissionTimer expires; with `selective_repeat` it
 * sends lost packets alone. T of the timer is max(RetransmissionTimeout, 3 RTT of the empty path),
 * and 3 RTT plus the reorder window with selective repeat. The sender learns of a drop one
 * round-trip time of the empty path later (DcnPacketDevice::EndFrame), but the time of the drop
 * counts.
 *
 * **Connections.** A flow that begins without bytes is a connection: AddMessage appends bytes to
 * its bytes (DcnFlowMessages). A connection whose bytes are all acknowledged is
 * *idle*: it leaves its host's list, and its timers make no events. The next message first makes up
 * for them, in order: the congestion control is in the state that it would have with events.
 */
class DcnPacketFlow final : public SimpleRefCount<DcnPacketFlow>
{
  public:
    /**
     * @param owner the network of the flow; it lives as long as this object is used
     */
    explicit DcnPacketFlow(DcnFlowOwner* owner);
    ~DcnPacketFlow();

    /**
     * @brief Begin a flow; the object may have served another one before.
     * @param index flow index in the scenario
     * @param id its id, to which random draws belong (DcnMarking)
     * @param sizeBytes payload bytes; 0: a connection
     * @param nicBps rate of its NIC, which its parameters follow [bit/s]
     * @param maxRateBps its largest rate, at which it starts [bit/s]
     * @param destination node index of the destination host
     * @param path its devices
     * @param nowNs present time [ns]
     */
    void Begin(std::size_t index,
               uint64_t id,
               uint64_t sizeBytes,
               uint64_t nicBps,
               uint64_t maxRateBps,
               uint32_t destination,
               DcnFlowPath path,
               int64_t nowNs);

    /**
     * @brief Give a connection bytes to send.
     * @param bytes payload, > 0
     * @param nowNs present time [ns]
     * @return true if it was idle: the caller gives it to its source (DcnHostDevice::AddFlow)
     */
    bool AddMessage(uint64_t bytes, int64_t nowNs);

    /**
     * @brief Take another path from now on.
     *
     * Frames on their way keep the path that they have. What they overtake is lost for go-back-N,
     * so that the retransmission timeout runs from now on if data is on its way. Telemetry begins
     * anew; rates, and the round-trip time of the empty path that the congestion control knows,
     * stay.
     * @param path its devices; the caller gives the flow to another source
     * @param nowNs present time [ns]
     */
    void Move(DcnFlowPath path, int64_t nowNs);

    /**
     * @brief Go on over a path after there was none.
     *
     * All that is not acknowledged counts as lost and is sent again at once; timeouts without a
     * path do not count.
     * @param path its devices; the caller gives the flow to its source
     * @param nowNs present time [ns]
     */
    void Resume(DcnFlowPath path, int64_t nowNs);

    /** @return the devices on its path. */
    const DcnFlowPath& GetPath() const
    {
        return m_path;
    }

    /** @return what it sends next, and when. */
    const DcnFlowSender& GetSender() const
    {
        return m_sender;
    }

    /** @return node index of the destination host. */
    uint32_t GetDestination() const
    {
        return m_destination;
    }

    /** @return whether switches choose the links of its packets, which may overtake each other. */
    bool HasManyPaths() const;

    /** @return flow index in the scenario. */
    std::size_t GetIndex() const
    {
        return m_index;
    }

    /** @return its id (DcnFlow::id). */
    uint64_t GetId() const
    {
        return m_id;
    }

    /** @return when it began [ns]. */
    int64_t GetStartNs() const
    {
        return m_startNs;
    }

    /** @return payload bytes; of a connection: those of all messages so far. */
    uint64_t GetSizeBytes() const
    {
        return m_sizeBytes;
    }

    /** @return payload bytes that the receiver has in order. */
    uint64_t GetReceivedBytes() const
    {
        return m_receiver.GetExpected();
    }

    /** @return when the first payload byte reached the receiver [ns], -1 before. */
    int64_t GetFirstByteNs() const
    {
        return m_receiver.GetFirstByteNs();
    }

    /** @return payload bytes sent more than once. */
    uint64_t GetRetransmittedBytes() const
    {
        return m_sender.GetRetransmittedBytes();
    }

    /** @return the state of its congestion control; empty once all is acknowledged. */
    DcnCongestionControl::State GetControlState() const
    {
        return m_cc ? m_cc->GetState() : DcnCongestionControl::State{};
    }

    /** @return the sending rate [bit/s]. */
    uint64_t GetRate() const
    {
        return m_sender.GetRate();
    }

    /** @return the payload that may be on its way; DcnFlowSender::ANY: any [bytes]. */
    uint64_t GetWindow() const
    {
        return m_sender.GetWindow();
    }

    /** @return true if the retransmission timeout is running and may let the flow send again. */
    bool IsTimeoutRunning() const;

    /** @return true if one of its frames has been dropped. */
    bool HasLost() const
    {
        return m_timeout.HasDropped();
    }

    /**
     * @brief Make the next data packet and account for it; DcnFlowSender::IsWindowOpen must hold.
     * @param nowNs present time, the start of its transmission [ns]
     * @param lead how long before that the transmission exactly begins [ticks of 2^-14 ns]
     * @return the frame
     */
    DcnFrame* MakePacket(int64_t nowNs, uint32_t lead);

    /**
     * @brief Receiver: process a data packet.
     * @param frame the packet; on return it is the acknowledgement to send
     * @param nowNs present time [ns]
     * @return false if there is nothing to send: the caller gives the frame back to the pool. The
     * packet came out of order, and is lost if none before it need be (HasManyPaths)
     */
    bool OnData(DcnFrame* frame, int64_t nowNs);

    /**
     * @brief Sender: process an acknowledgement.
     * @param frame the acknowledgement; the caller gives it back
     * @param nowNs present time [ns]
     * @return true if the flow has become complete, or the connection idle
     */
    bool OnAck(const DcnFrame* frame, int64_t nowNs);

    /**
     * @brief The first packet comes to the egress queue of a switch.
     * @param frame the packet
     * @param queueBytes wire bytes that wait there
     */
    void OnFirstPacket(const DcnFrame* frame, uint64_t queueBytes);

    /**
     * @brief A frame of this flow was dropped: the retransmission timeout runs from then on.
     * @param atNs when that was: now, or a round-trip time of the empty path ago [ns]
     */
    void OnDrop(int64_t atNs);

    /** @return partition of its source. */
    uint32_t GetPartition() const;

    /**
     * @brief An event of the flow: TIMER, CHECK, LOST or ENDED.
     * @param kind its kind
     * @param nowNs present time [ns]
     */
    void OnEvent(DcnPacketEventKind kind, int64_t nowNs);

    /// A frame of this flow goes back to the pool.
    void OnFrameEnd()
    {
        --m_framesAlive;
    }

    /** @return its retransmission timer. */
    const DcnRetransmissionTimer& GetTimeout() const
    {
        return m_timeout;
    }

    /** @return its messages; null if it is no connection. */
    const DcnFlowMessages* GetMessages() const
    {
        return m_messages.get();
    }

    /** @return its congestion control; null once all is acknowledged. */
    const DcnCongestionControl* GetControl() const
    {
        return m_cc.get();
    }

    /**
     * @brief Be in the state of a later time in a steady state.
     * @param by what is added
     */
    void Translate(const DcnTranslation& by);

    /** @return addresses that its packets carry in traces: source and destination. */
    std::pair<Ipv4Address, Ipv4Address> GetAddresses() const;

    /// Give the object back to the network if the flow is over and none of its frames is left.
    void Release();

  private:
    /// Default reorder window of several paths [round trips]: their queues differ by some.
    static constexpr int64_t REORDER_ROUND_TRIPS = 8;

    void FollowMessages();
    void Deliver(int64_t nowNs);
    void FollowRate();
    void Schedule(DcnPacketEventKind kind, int64_t atNs);
    void ArmTimer();
    void GoBack(int64_t nowNs);
    /// @return T, the timeout without expiries before [ns]
    int64_t GetFirstTimeoutNs() const;
    void OnTimer(int64_t nowNs);
    void ArmCheck(int64_t nowNs);
    void OnCheck(int64_t nowNs);

    // both ends read this
    DcnFlowOwner* m_owner;                      //!< the network
    std::unique_ptr<DcnCongestionControl> m_cc; //!< rate control; null when the flow is over
    DcnFlowPath m_path;                         //!< see GetPath
    /// Ports of earlier paths, for frames on their way.
    std::vector<std::vector<DcnSwitchDevice*>> m_earlier;
    int64_t m_pathSinceNs{0}; //!< packets sent later have the present path [ns]
    std::size_t m_index{0};   //!< flow index
    uint64_t m_id{0};         //!< see GetId
    std::unique_ptr<DcnFlowMessages> m_messages; //!< of a connection; null: a flow
    uint64_t m_sizeBytes{0};                     //!< payload bytes
    int64_t m_startNs{0};                        //!< when it began [ns]

    // sender; both ends write lines of the cache of their own, as they may be in two threads
    /// Frames in queues and on links, acknowledgements too.
    alignas(64) uint32_t m_framesAlive{0};
    bool m_complete{true};            //!< all is acknowledged
    DcnFlowSender m_sender;           //!< see GetSender
    int64_t m_timerAtNs{0};           //!< when the timer event is due [ns]
    DcnRetransmissionTimer m_timeout; //!< after drops

    // receiver
    alignas(64) DcnFlowReceiver m_receiver; //!< what has come
    uint64_t m_deliverEnd{0};               //!< end of the flow or message that comes next
    uint32_t m_destination{0};              //!< see GetDestination
    /// Queues that the first packet has been seen at; switches write it, perhaps in other threads.
    std::atomic<std::size_t> m_firstPacketHops{0};
};

} // namespace ns3

#endif /* DCN_PACKET_FLOW_H */

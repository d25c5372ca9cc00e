/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef DCN_PACKET_FLOW_H
#define DCN_PACKET_FLOW_H

#include "ns3/dcn-congestion-control.h"
#include "ns3/ipv4-address.h"
#include "ns3/simple-ref-count.h"

#include <atomic>
#include <cstdint>
#include <deque>
#include <limits>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace ns3
{

class DcnEventTarget;
class DcnFlowOwner;
struct DcnFrame;
class DcnHostDevice;
class DcnSelectiveRepeat;
class DcnSwitchDevice;
enum class DcnPacketEventKind : uint8_t;

/**
 * @ingroup dcn-packet
 * @brief State of one flow at its sender and at its receiver.
 *
 * Sender: bytes below sndUna are acknowledged, bytes from sndNxt on have not been sent (or have to
 * be sent again). A packet may leave if
 *
 *     sndNxt - sndUna < W(t) = max(1, floor(window * rate / maximum rate))  and  now >= nextSend
 *
 * where nextSend paces packets at the rate of the congestion control: S bytes on the wire take
 * 8e9 S / rate from the exact begin of their transmission (DcnFrameTime), and events come at the
 * next whole nanosecond. The flow recovers from loss by go-back-N: at a NACK, or at a
 * retransmission timeout, sndNxt returns to sndUna.
 *
 * **Timeout.** The timer runs from a drop until all that was sent before the latest drop is
 * acknowledged; flows without a drop cannot need it. It expires at
 *
 *     max(begin, progress) + T 2^k,    T = max(RetransmissionTimeout, 3 RTT of the empty path),
 *
 * where begin is the time of the drop that started the timer, or of the latest expiry since,
 * progress is when the first byte not acknowledged rose last, and k counts the expiries since
 * then. So a flow times out T after its drop or its latest progress, whichever is later, and the
 * next expiries in a row follow after 2 T, 4 T, ..., up to a minute (or T), so that packets that
 * wait in a long queue are not sent again and again. At the expiry in a row that follows
 * MAX_TIMEOUTS others, the flow gives up (OnCheck). The sender learns of a drop one round-trip time
 * of the empty path later (DcnPacketDevice::EndFrame), but the time of the drop counts.
 *
 * With `selective_repeat` the packets are those of a DcnSelectiveRepeat: the receiver acknowledges
 * each by its own number, lost ones are sent again alone, a timeout takes all for lost, and
 *
 *     bytes in flight < W(t)  and  now >= nextSend
 *
 * lets a packet leave. sndUna is the first byte not acknowledged, sndNxt never returns. For the
 * timeout, the first acknowledgement of any packet is progress, and T has the reorder window added
 * to the three round-trip times, since reports of losses come first where there are some. With
 * `load_balancing` a flow has no path: switches choose (DcnLinkChoice). Acknowledgements have the
 * path of ECMP.
 *
 * **Connections.** A flow that begins without bytes is a connection: AddMessage gives it bytes to
 * send after those that it has. Message k has the bytes from e_(k-1) to e_k; packets do not cross
 * such an end, as in RoCE, where each work request has packets of its own. The receiver has message
 * k when its next byte in order is e_k, the sender knows it when sndUna >= e_k. A connection whose
 * bytes are all acknowledged is *idle*: it leaves its host's list, and its timers make no events.
 * The next message first makes up for them, in order, so that the congestion control is in the
 * state that it would have with events.
 */
class DcnPacketFlow final : public SimpleRefCount<DcnPacketFlow>
{
  public:
    /// Expiries in a row, the later ones a minute apart, that a flow survives; the next ends it.
    static constexpr uint32_t MAX_TIMEOUTS = 25;

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
     * @param pathRttNs round-trip time of its empty path [ns]
     * @param source transmitter of the source host
     * @param sink transmitter of the destination host, for acknowledgements
     * @param destination node index of the destination host
     * @param forward egress ports of the switches on the path, in order, and a null pointer; only a
     * null pointer: the switches choose
     * @param reverse egress ports of the switches on the way back, in order, and a null pointer
     * @param nowNs present time [ns]
     */
    void Begin(std::size_t index,
               uint64_t id,
               uint64_t sizeBytes,
               uint64_t nicBps,
               uint64_t maxRateBps,
               int64_t pathRttNs,
               DcnHostDevice* source,
               DcnHostDevice* sink,
               uint32_t destination,
               std::vector<DcnSwitchDevice*> forward,
               std::vector<DcnSwitchDevice*> reverse,
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
     * @param pathRttNs round-trip time of the empty path [ns]
     * @param source transmitter of the source host; the caller gives the flow to it
     * @param sink transmitter of the destination host
     * @param forward as of Begin
     * @param reverse as of Begin
     * @param nowNs present time [ns]
     */
    void Move(int64_t pathRttNs,
              DcnHostDevice* source,
              DcnHostDevice* sink,
              std::vector<DcnSwitchDevice*> forward,
              std::vector<DcnSwitchDevice*> reverse,
              int64_t nowNs);

    /** @return transmitter of the destination host, for acknowledgements. */
    DcnHostDevice* GetSink() const
    {
        return m_sink;
    }

    /**
     * @brief Say where its frames begin, for skips; after Begin and Move.
     * @param origin the transmitter of the source host (GetSource) as a target of events
     */
    void SetOrigin(DcnEventTarget* origin)
    {
        m_origin = origin;
    }

    /** @return transmitter of the source host. */
    DcnHostDevice* GetSource() const
    {
        return m_source;
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
        return m_expected;
    }

    /** @return when the first payload byte reached the receiver [ns], -1 before. */
    int64_t GetFirstByteNs() const
    {
        return m_firstByteNs;
    }

    /** @return payload bytes sent more than once. */
    uint64_t GetRetransmittedBytes() const
    {
        return m_retransmittedBytes;
    }

    /** @return the state of its congestion control; empty once all is acknowledged. */
    DcnCongestionControl::State GetControlState() const
    {
        return m_cc ? m_cc->GetState() : DcnCongestionControl::State{};
    }

    /** @return the sending rate [bit/s]. */
    uint64_t GetRate() const
    {
        return m_rateBps;
    }

    /** @return true if the retransmission timeout is running and may let the flow send again. */
    bool IsTimeoutRunning() const;

    /** @return true if one of its frames has been dropped. */
    bool HasLost() const
    {
        return m_recoverUpTo > 0;
    }

    /** @return true if it has bytes to send that the window does not hold back. */
    bool IsWindowOpen() const
    {
        if (m_selective)
        {
            return IsSelectiveWindowOpen();
        }
        return m_sndNxt < m_sizeBytes && m_sndNxt - m_sndUna < m_window;
    }

    /** @return earliest time of the next packet by pacing [ns]. */
    int64_t GetNextSendNs() const
    {
        return m_nextSendNs;
    }

    /** @return how long before GetNextSendNs its exact time is [ticks of 2^-14 ns]. */
    uint32_t GetSendLead() const
    {
        return m_sendLead;
    }

    /**
     * @brief Make the next data packet and account for it; IsWindowOpen must hold.
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
     * @brief A switch has dropped a frame of this flow: the retransmission timeout runs from then
     * on.
     * @param atNs when that was: now, or one GetPathRttNs ago [ns]
     */
    void OnDrop(int64_t atNs);

    /** @return round-trip time of the empty path [ns]. */
    int64_t GetPathRttNs() const
    {
        return m_pathRttNs;
    }

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

    /** @return when an acknowledgement last was progress, see Timeout; at first the start [ns]. */
    int64_t GetProgressNs() const
    {
        return m_progressNs;
    }

    /** @return first byte not acknowledged. */
    uint64_t GetUnacknowledged() const
    {
        return m_sndUna;
    }

    /** @return next byte to send. */
    uint64_t GetNext() const
    {
        return m_sndNxt;
    }

    /** @return its largest rate [bit/s]. */
    uint64_t GetMaxRate() const
    {
        return m_maxRateBps;
    }

    /**
     * @brief Tell how far a steady state can be skipped (DcnSteadySkip).
     * @return whole packets to send before the last one of the flow or message that is being sent;
     * 0: packets of an earlier message are on their way, or lost ones are being repaired
     */
    uint64_t GetSkippablePackets() const;

    /**
     * @brief Bound the frames of a flow that has lost none (DcnSteadySkip).
     * @return most of them in queues and on links, acknowledgements too; the largest number: any,
     * as it has no window or has sent messages of less than a packet
     */
    uint64_t GetMostFrames() const;

    /** @return W(t), the payload that may be on its way; the largest number: any [bytes]. */
    uint64_t GetWindow() const
    {
        return m_window;
    }

    /** @return whether it had other paths before, which it may still have frames on. */
    bool HasMoved() const
    {
        return !m_earlier.empty();
    }

    /** @return egress ports of data on its path, in order, and a null pointer. */
    const std::vector<DcnSwitchDevice*>& GetForward() const
    {
        return m_forward;
    }

    /** @return egress ports of acknowledgements, too. */
    const std::vector<DcnSwitchDevice*>& GetReverse() const
    {
        return m_reverse;
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
    static constexpr uint64_t NONE = std::numeric_limits<uint64_t>::max(); //!< no message
    /// Default reorder window of several paths [round trips]: their queues differ by some.
    static constexpr int64_t REORDER_ROUND_TRIPS = 8;

    /// Messages of a connection that are not acknowledged.
    struct Messages
    {
        std::deque<uint64_t> ends; //!< one past the last byte of each, ascending
        uint64_t nAcknowledged{0}; //!< messages before the first of these
        uint64_t nDelivered{0};    //!< messages that the receiver has
        bool isIdle{true};         //!< all is acknowledged
        bool hasShort{false};      //!< one of all so far has less than a packet
    };

    bool IsSelectiveWindowOpen() const;
    void Arrive(uint64_t expected, int64_t nowNs);
    void FollowMessages();
    void Deliver(int64_t nowNs);
    void AcknowledgeMessages();
    bool IsReusable() const;
    void FollowRate();
    int64_t GetGapTicks(uint32_t wireBytes, uint64_t rateBps) const;
    void SendAfter(int64_t fromNs, int64_t ticks);
    void ArmTimer();
    void GoBack(int64_t nowNs);
    /// @return the next byte to send, as the congestion control counts
    uint64_t GetNextOfControl() const;
    /// @return T, the timeout without expiries before [ns]
    int64_t GetFirstTimeoutNs() const;
    /// @return when the timer expires if there is no progress until then [ns]
    int64_t GetExpiryNs() const;
    /// @return whether the byte that is expected follows the end of data that was delivered last
    bool IsEndDelivered() const;
    void OnTimer(int64_t nowNs);
    void NoteProgress(int64_t nowNs);
    void ArmCheck(int64_t nowNs);
    void OnCheck(int64_t nowNs);

    DcnFlowOwner* m_owner;                      //!< the network
    std::unique_ptr<DcnCongestionControl> m_cc; //!< rate control; null when the flow is over
    DcnHostDevice* m_source{nullptr};           //!< see GetSource
    DcnEventTarget* m_origin{nullptr};          //!< see SetOrigin
    DcnHostDevice* m_sink{nullptr};             //!< see GetSink
    std::vector<DcnSwitchDevice*> m_forward;    //!< egress ports of data, null at the end
    std::vector<DcnSwitchDevice*> m_reverse;    //!< egress ports of acknowledgements, too
    /// Ports of earlier paths, for frames on their way.
    std::vector<std::vector<DcnSwitchDevice*>> m_earlier;
    int64_t m_pathSinceNs{0}; //!< packets sent later have the present path [ns]
    std::unique_ptr<DcnSelectiveRepeat> m_selective; //!< null: go-back-N
    std::size_t m_index{0};                          //!< flow index
    uint64_t m_id{0};                                //!< see GetId
    std::unique_ptr<Messages> m_messages;            //!< of a connection; null: a flow
    uint64_t m_sizeBytes{0};  //!< payload bytes
    int64_t m_startNs{0};     //!< when it began [ns]
    uint64_t m_maxRateBps{0}; //!< largest rate [bit/s]
    int64_t m_pathRttNs{0};   //!< round-trip time of the empty path [ns]

    // sender; sender and receiver write lines of the cache of their own, as they may be in two
    // threads
    /// Frames in queues and on links, acknowledgements too.
    alignas(64) uint32_t m_framesAlive{0};
    bool m_complete{true};            //!< all is acknowledged
    uint64_t m_sndNxt{0};             //!< next byte to send
    uint64_t m_sendEnd{0};            //!< end of the flow, or of the message of that byte
    uint64_t m_sndUna{0};             //!< first byte not acknowledged
    int64_t m_progressNs{0};          //!< see GetProgressNs [ns]
    uint64_t m_sndMax{0};             //!< one past the last byte ever sent
    uint64_t m_window{0};             //!< W(t) [bytes]
    uint64_t m_rateBps{0};            //!< rate that m_window belongs to [bit/s]
    int64_t m_nextSendNs{0};          //!< pacing [ns]
    uint32_t m_lastWireBytes{0};      //!< size of the latest packet
    uint64_t m_gapRateBps{0};         //!< rate of m_gapTicks [bit/s]
    int64_t m_gapTicks{0};            //!< gap after such a packet: saves divisions [2^-14 ns]
    uint32_t m_sendLead{0};           //!< m_nextSendNs less the exact time [ticks of 2^-14 ns]
    int64_t m_timerAtNs{0};           //!< when the timer event is due [ns]
    uint64_t m_retransmittedBytes{0}; //!< payload sent again
    uint64_t m_recoverUpTo{0};        //!< m_sndMax at the latest drop; watched until acknowledged
    bool m_watched{false};            //!< the retransmission timer runs
    int64_t m_watchedSinceNs{0};      //!< begin: drop that started it, or latest expiry [ns]
    uint32_t m_timeouts{0};           //!< k, expiries in a row without progress
    int64_t m_checkAtNs{0};           //!< first pending event CHECK; NEVER: none [ns]

    // receiver
    alignas(64) uint64_t m_expected{0};      //!< next byte in order
    uint64_t m_deliverEnd{0};                //!< end of the flow or message that it is part of
    int64_t m_firstByteNs{-1};               //!< when the first byte came [ns]
    /// Queues that the first packet has been seen at; switches write it, perhaps in other threads.
    std::atomic<std::size_t> m_firstPacketHops{0};
    uint32_t m_destination{0};               //!< see GetDestination
    uint64_t m_lastNack{0};                  //!< byte asked for by the latest NACK
    int64_t m_lastNackNs{0};                 //!< when that was [ns]
    bool m_hasNacked{false};                 //!< a NACK has been sent
};

/**
 * @ingroup dcn-packet
 * @brief Listens to the flows of a network, also while threads simulate it
 * (DcnPacketNetwork::AddListener).
 *
 * In a network that is cut, threads call the functions at the same time, in the order of time for
 * each end of a flow: OnStarted, OnControl and OnAcknowledged come from the sender's end, and may
 * read what the sender has (rate, window, retransmitted bytes); OnDelivered comes from the
 * receiver's (received bytes, time of the first one). What both ends have is there at OnStarted and
 * OnAcknowledged. Calls of several flows come in any order. The time is
 * DcnPacketNetwork::GetNowNs, not Simulator::Now. A DcnPacketFlow serves another flow after it is
 * acknowledged.
 */
class DcnPacketListener
{
  public:
    virtual ~DcnPacketListener() = default;

    /** @return why one thread has to simulate all flows for this listener; empty: several can. */
    virtual std::string GetWhyOneThread() const
    {
        return "";
    }

    /**
     * @return listeners of trace sources of devices that belong to this one: threads may call them,
     * too, as each uses nothing but what belongs to its device
     */
    virtual uint32_t GetNTraces() const
    {
        return 0;
    }

    /** @return whether OnFirstPacket is to be called for flows that start now. */
    virtual bool WantsFirstPackets() const
    {
        return false;
    }

    /** @return whether OnControl is to be called for flows that start now. */
    virtual bool WantsControl() const
    {
        return false;
    }

    /// A flow starts; no packet has been sent. @param flow the flow
    virtual void OnStarted(const DcnPacketFlow& /* flow */)
    {
    }

    /// The receiver has a whole flow. @param flow the flow
    virtual void OnDelivered(const DcnPacketFlow& /* flow */)
    {
    }

    /// The sender has the last acknowledgement. @param flow the flow
    virtual void OnAcknowledged(const DcnPacketFlow& /* flow */)
    {
    }

    /// As of DcnFlowOwner. @param connection flow index @param message its number
    virtual void OnMessageDelivered(std::size_t /* connection */, uint64_t /* message */)
    {
    }

    /// As of DcnFlowOwner. @param connection flow index @param message its number
    virtual void OnMessageAcknowledged(std::size_t /* connection */, uint64_t /* message */)
    {
    }

    /// As of DcnFlowOwner. @param flow the flow @param hop links @param queueBytes that wait
    virtual void OnFirstPacket(const DcnPacketFlow& /* flow */,
                               std::size_t /* hop */,
                               uint64_t /* queueBytes */)
    {
    }

    /// As of DcnFlowOwner. @param flow the flow @param nowNs present time [ns]
    virtual void OnControl(const DcnPacketFlow& /* flow */, int64_t /* nowNs */)
    {
    }
};

} // namespace ns3

#endif /* DCN_PACKET_FLOW_H */

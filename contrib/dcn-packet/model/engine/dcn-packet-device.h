/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef DCN_PACKET_DEVICE_H
#define DCN_PACKET_DEVICE_H

#include "../frames/dcn-frame.h"
#include "dcn-packet-events.h"
#include "dcn-trace.h"
#include "dcn-transport-header.h"

#include "ns3/data-rate.h"
#include "ns3/dcn-units.h"
#include "ns3/mac48-address.h"
#include "ns3/net-device.h"
#include "ns3/nstime.h"
#include "ns3/traced-callback.h"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <vector>

namespace ns3
{

/**
 * @ingroup dcn-packet
 * @brief One end of a link: the transmitter of hosts and of switches.
 *
 * The transmitter sends one frame at a time and asks its subclass for the next one (PickFrame, see
 * Transmit). It wakes up only when there is a frame to send: at the end of a transmission while
 * other frames wait, or at the time that the subclass gives (NextPickNs). A frame takes
 * DcnFrameTime to leave and arrives a propagation delay later at the other end's Receive.
 *
 * Frames belong to flows, which a DcnPacketNetwork starts. Send, through which other ns-3 protocols
 * would hand over packets, refuses them.
 *
 * Identity, at any time: sent bytes = bytes handed to PickFrame's queues - bytes waiting there.
 */
class DcnPacketDevice : public NetDevice, public DcnEventTarget
{
  public:
    /**
     * @brief Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();
    DcnPacketDevice();
    ~DcnPacketDevice() override;

    /**
     * @brief Signature of Pause.
     * @param paused true if the data class has been stopped, false if it goes on
     */
    typedef void (*PauseCallback)(bool paused);

    /**
     * @brief Join a channel; DcnPacketChannel::Connect calls this function.
     * @param channel the link
     * @param delay its propagation delay
     * @param peer the device at its other end, on its node
     */
    void Attach(Ptr<Channel> channel, Time delay, DcnPacketDevice* peer);

    /**
     * @brief Set the pool to which frames that end here go back, and the events of the network.
     * @param pool outlives the device's last event
     * @param events they, too
     */
    void SetPool(DcnFramePool* pool, DcnPacketEvents* events);

    /**
     * @brief Round the times of frames as the reference simulator does.
     * @param isReference time_grain_ns is 1
     */
    void SetTimeGrain(bool isReference)
    {
        m_isReference = isReference;
        FollowDataRate();
    }

    /**
     * @brief Name the device and its peer in events.
     * @param link directed link that this device sends on; the peer sends on its reverse
     */
    void SetNumber(uint32_t link);

    /** @return listeners of trace sources of the device. */
    virtual uint32_t GetNListeners() const;

    /** @return the rate of the link [bit/s]. */
    uint64_t GetRateBps() const
    {
        return m_rateBps;
    }

    /** @return the propagation delay of the link [ns]. */
    int64_t GetDelayNs() const
    {
        return m_delayNs;
    }

    /** @return wire bytes whose transmission has begun. */
    uint64_t GetTxBytes() const
    {
        return m_txBytes;
    }

    /**
     * @param nowNs a time, not before the begin of the latest transmission [ns]
     * @return wire bytes that have left by then
     */
    uint64_t GetSentBytes(int64_t nowNs) const
    {
        if (IsDown() || m_freeAtNs <= nowNs)
        {
            return m_txBytes;
        }
        // the part of the frame that is still to leave, rounded up
        const uint64_t left =
            1 + DcnMulDiv(m_rateBps, static_cast<uint64_t>(m_freeAtNs - nowNs), 8'000'000'000ULL);
        return m_txBytes - std::min(m_txBytes, left);
    }

    /** @return data packets whose transmission has begun. */
    uint64_t GetTxDataPackets() const
    {
        return m_txDataPackets;
    }

    /**
     * @brief Count frames that a skip does not simulate (DcnSteadySkip).
     * @param frames their number
     * @param wireBytes the size of each
     * @param isData whether they are data packets
     */
    void Skip(uint64_t frames, uint32_t wireBytes, bool isData)
    {
        m_skippedTxBytes += frames * wireBytes;
        m_txBytes += frames * wireBytes;
        m_txDataPackets += isData ? frames : 0;
    }

    /**
     * @brief Go on after a skip, in the state of a later time; its frames are counted afterwards.
     * @param timeNs difference of the times [ns]
     */
    void Translate(int64_t timeNs)
    {
        m_skippedTxBytes = 0;
        m_freeAtNs += IsDown() ? 0 : timeNs; // with its lead
        m_wakeAtNs += IsWakePending() ? timeNs : 0;
    }

    /** @return wire bytes of the latest skip. */
    uint64_t GetSkippedTxBytes() const
    {
        return m_skippedTxBytes;
    }

    /** @return frames that wait here. */
    virtual std::vector<DcnFrame*> GetWaiting() const = 0;

    /** @return whether somebody wants to see every frame. */
    bool HasFrameListener() const
    {
        return !m_txTrace.IsEmpty() || !m_rxTrace.IsEmpty();
    }

    /**
     * @brief Let the link fail in this direction: what is on it is lost, nothing is sent.
     *
     * Frames that wait here are lost, too (Flush). Until SetUp, GetFreeAtNs is infinite.
     * @param nowNs present time [ns]
     */
    void SetDown(int64_t nowNs);

    /**
     * @brief Let the link work again in this direction.
     * @param nowNs present time [ns]
     */
    void SetUp(int64_t nowNs);

    /** @return whether the link has failed. */
    bool IsDown() const
    {
        return m_freeAtNs == NEVER;
    }

    /** @return frames that were lost with the link, waiting for it or on it. */
    uint64_t GetNLost() const
    {
        return m_nLost;
    }

    /** @return end of the present or latest transmission [ns]. */
    int64_t GetFreeAtNs() const
    {
        return m_freeAtNs;
    }

    /**
     * @brief Find when a transmission exactly begins whose event is now.
     *
     * The transmitter is free, and the frame is there: the later one of the two counts.
     * @param frameLead DcnFrame::lead of the frame, or WAITED
     * @param nowNs present time [ns]
     * @return by how much it begins before the present event [ticks of 2^-14 ns]
     */
    uint32_t GetStartLead(uint32_t frameLead, int64_t nowNs) const
    {
        if (nowNs == m_freeAtNs)
        {
            const auto freeLead = static_cast<uint32_t>(m_freeLead >> LEAD_SHIFT);
            return std::min({frameLead, freeLead, DcnFrame::MAX_LEAD});
        }
        return frameLead == DcnFrame::WAITED ? 0 : frameLead; // a pause has ended, or a cable works
    }

    /** @return true while priority flow control stops the data class of this transmitter. */
    bool IsPaused() const
    {
        return m_paused;
    }

    /** @return true if an event is pending that wakes up the transmitter. */
    bool IsWakePending() const
    {
        return m_wakeAtNs != NEVER;
    }

    /**
     * @brief Send the next frame, or schedule an event for the time when that is possible.
     * @param nowNs present time [ns]
     */
    virtual void Kick(int64_t nowNs) = 0;

    void Wake(int64_t nowNs) override
    {
        if (nowNs >= m_wakeAtNs)
        {
            m_wakeAtNs = NEVER;
        }
        Kick(nowNs);
    }

    /** @return true at a host, where flows end. */
    virtual bool IsHost() const = 0;

    // NetDevice
    void SetIfIndex(const uint32_t index) override;
    uint32_t GetIfIndex() const override;
    Ptr<Channel> GetChannel() const override;
    void SetAddress(Address address) override;
    Address GetAddress() const override;
    bool SetMtu(const uint16_t mtu) override;
    uint16_t GetMtu() const override;
    bool IsLinkUp() const override;
    void AddLinkChangeCallback(Callback<void> callback) override;
    bool IsBroadcast() const override;
    Address GetBroadcast() const override;
    bool IsMulticast() const override;
    Address GetMulticast(Ipv4Address multicastGroup) const override;
    Address GetMulticast(Ipv6Address addr) const override;
    bool IsBridge() const override;
    bool IsPointToPoint() const override;
    bool Send(Ptr<Packet> packet, const Address& dest, uint16_t protocolNumber) override;
    bool SendFrom(Ptr<Packet> packet,
                  const Address& source,
                  const Address& dest,
                  uint16_t protocolNumber) override;
    Ptr<Node> GetNode() const override;
    void SetNode(Ptr<Node> node) override;
    bool NeedsArp() const override;
    void SetReceiveCallback(NetDevice::ReceiveCallback cb) override;
    void SetPromiscReceiveCallback(PromiscReceiveCallback cb) override;
    bool SupportsSendFrom() const override;

  protected:
    /// A time that never comes [ns].
    static constexpr int64_t NEVER = std::numeric_limits<int64_t>::max();

    /// Bits between the fractions of DcnFrameTime and ticks.
    static constexpr uint32_t LEAD_SHIFT = DcnFrameTime::FRACTION_BITS - DCN_TICK_BITS;
    static constexpr int64_t FINEST_LEAD = (1 << LEAD_SHIFT) - 1; //!< less than a tick [2^-22 ns]

    /**
     * @brief Kick, for a device of a known class; a template, since it is called for every event.
     * @param self this device; PickFrame(nowNs) gives the frame that a free transmitter sends now,
     * with the lead of its begin (GetStartLead), or null; NextPickNs(fromNs) gives the time from which there is a frame to send if none
     * arrives: fromNs if a frame waits, NEVER if only an arrival can bring one [ns]
     * @param nowNs present time [ns]
     */
    template <class Device>
    void Transmit(Device& self, int64_t nowNs);

    /**
     * @brief The time of a frame, as of DcnFrameTime, without a division.
     * @param wireBytes its size
     * @return floor of 2^22 8e9 wireBytes / m_rateBps, or 1 above it [2^-22 ns]
     */
    int64_t GetFrameTime(uint32_t wireBytes) const
    {
        if (m_byteTime == 0)
        {
            const auto time = DcnFrameTime::Of(wireBytes, m_rateBps, m_isReference);
            return (time.ns << DcnFrameTime::FRACTION_BITS) + time.fraction;
        }
        // the factor is at most 1 too large: the product by at most 2^16 / 2^20
        __extension__ typedef unsigned __int128 Wide;
        return static_cast<int64_t>((Wide{m_byteTime} * wireBytes) >> BYTE_TIME_BITS);
    }

    /// Find m_byteTime.
    void FollowDataRate();

    /**
     * @brief Stop or restart the data class.
     * @param paused true to stop
     * @param nowNs present time [ns]
     */
    void SetPaused(bool paused, int64_t nowNs);

    /**
     * @brief Count and trace an arrival; Receive begins with it.
     * @param frame the frame
     * @param nowNs present time [ns]
     * @return false if it was on the link when that failed: it is lost
     */
    bool OnArrival(DcnFrame* frame, int64_t nowNs)
    {
        m_pool->OnArrival();
        if (nowNs <= m_lostUntilNs)
        {
            Lose(frame);
            return false;
        }
        if (!m_rxTrace.IsEmpty())
        {
            m_rxTrace(DcnMakePacket(*frame));
        }
        return true;
    }

    /**
     * @brief A frame has come to its end here, not at its sender.
     *
     * The sender learns of it one round-trip time of the empty path later, as news does not travel
     * faster than frames.
     * @param flow its flow
     * @param isLost it was dropped
     * @param nowNs present time [ns]
     */
    void EndFrame(DcnPacketFlow* flow, bool isLost, int64_t nowNs);

    /**
     * @brief Give a frame that the link has lost back to the pool.
     * @param frame the frame, in no queue
     */
    void Lose(DcnFrame* frame);

    /**
     * @brief Lose all frames that wait.
     * @param nowNs present time [ns]
     */
    virtual void Flush(int64_t nowNs) = 0;

    void DoDispose() override;

  private:
    void SetDataRate(DataRate rate);
    DataRate GetDataRate() const;

    Ptr<Channel> m_channel; //!< the link
    Ptr<Node> m_node;       //!< where it is installed
    Mac48Address m_address; //!< for pcap and users; not used to forward
    uint32_t m_ifIndex{0};  //!< position among the node's devices
    uint16_t m_mtu{1500};   //!< attribute of NetDevice without effect
    DcnTrace<bool> m_pauseTrace; //!< Pause
    TracedCallback<> m_linkChange; //!< see AddLinkChangeCallback
    int64_t m_lastEndNs{0};        //!< while down: end of the latest transmission [ns]
    uint64_t m_nLost{0};           //!< see GetNLost
    uint64_t m_skippedTxBytes{0};  //!< see GetSkippedTxBytes

  protected:
    // From here on the members are in the order of their use, so that an event needs few lines of
    // the cache.
    uint64_t m_rateBps{0};       //!< attribute DataRate [bit/s]
    uint64_t m_txBytes{0};       //!< see GetTxBytes
    uint64_t m_txDataPackets{0}; //!< see GetTxDataPackets

  private:
    static constexpr uint32_t BYTE_TIME_BITS = 20; //!< units of m_byteTime in 2^-22 ns

    DcnPacketDevice* m_peer{nullptr};        //!< device at the other end
    int64_t m_delayNs{0};                    //!< propagation delay, copied from the channel [ns]
    DcnPacketEvents* m_events{nullptr};      //!< pending arrivals and wake-ups
    DcnTrace<Ptr<const Packet>> m_txTrace;   //!< PhyTxBegin
    uint32_t m_link{0};                      //!< see SetNumber
    uint32_t m_peerLink{0};                  //!< that the other end sends on
    bool m_isReference{false};               //!< time_grain_ns is 1
    uint64_t m_byteTime{0}; //!< time of a byte [2^-42 ns]; 0: below 1 Mb/s, and for m_isReference
    int64_t m_wakeAtNs{NEVER};               //!< earliest time for which a wake-up is scheduled [ns]
    int64_t m_freeAtNs{0};                   //!< end of the present transmission [ns]
    int64_t m_freeLead{0};                   //!< its lead [2^-22 ns]
    DcnTrace<Ptr<const Packet>> m_rxTrace;   //!< PhyRxEnd
    int64_t m_lostUntilNs{-1};               //!< frames that arrive until then are lost [ns]

  protected:
    DcnFramePool* m_pool{nullptr}; //!< source of frames
    bool m_paused{false};          //!< see IsPaused
};

template <class Device>
void
DcnPacketDevice::Transmit(Device& self, int64_t nowNs)
{
    DcnFrame* frame = nowNs < m_freeAtNs ? nullptr : self.PickFrame(nowNs);
    if (frame)
    {
        if (!m_txTrace.IsEmpty())
        {
            m_txTrace(DcnMakePacket(*frame));
        }
        m_txBytes += frame->wireBytes;
        m_txDataPackets += frame->kind == DcnFrameKind::DATA ? 1 : 0;
        // of two frames back to back, the finer end of the first one is the begin of the second
        const int64_t startLead = static_cast<int64_t>(frame->lead) << LEAD_SHIFT;
        const int64_t freeLead = nowNs == m_freeAtNs ? m_freeLead : startLead;
        const int64_t end =
            GetFrameTime(frame->wireBytes) - std::min(freeLead, startLead + FINEST_LEAD);
        const int64_t endNs = (end + DcnFrameTime::ONE_NS - 1) >> DcnFrameTime::FRACTION_BITS;
        m_freeLead = (endNs << DcnFrameTime::FRACTION_BITS) - end;
        m_freeAtNs = nowNs + endNs;
        frame->lead = std::min<uint64_t>(static_cast<uint64_t>(m_freeLead >> LEAD_SHIFT),
                                         DcnFrame::MAX_LEAD);
    }
    // the end of a transmission is an event only if something waits for it
    const int64_t fromNs = std::max(nowNs, m_freeAtNs);
    if (fromNs < m_wakeAtNs)
    {
        const int64_t atNs = self.NextPickNs(fromNs);
        if (atNs < m_wakeAtNs)
        {
            m_wakeAtNs = atNs;
            const auto lead =
                static_cast<uint32_t>(atNs == m_freeAtNs ? m_freeLead >> LEAD_SHIFT : 0);
            m_events->Schedule(this, nullptr, nowNs, atNs, m_link, lead);
        }
    }
    if (frame)
    {
        m_pool->OnLaunch();
        const auto lead = static_cast<uint32_t>(frame->lead);
        m_events->Schedule(m_peer, frame, nowNs, m_freeAtNs + m_delayNs, m_peerLink, lead);
    }
}

} // namespace ns3

#endif /* DCN_PACKET_DEVICE_H */

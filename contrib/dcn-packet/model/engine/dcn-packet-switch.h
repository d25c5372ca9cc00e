/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef DCN_PACKET_SWITCH_H
#define DCN_PACKET_SWITCH_H

#include "dcn-packet-device.h"

#include "ns3/dcn-network-config.h"
#include "ns3/object.h"
#include "ns3/random-variable-stream.h"

#include <cstdint>
#include <vector>

namespace ns3
{

class DcnPacketSwitch;

/**
 * @ingroup dcn-packet
 * @brief Port of a switch: two egress queues and the switch's view of the ingress.
 *
 * Egress: the strict-priority class (pause frames, acknowledgements if so configured) goes before
 * the data class; both are first-in first-out. A data packet is marked when it leaves the queue, on
 * the bytes q of the data class that are still waiting:
 *
 *     q > Kmax: always;   Kmin < q <= Kmax: with probability Pmax (q - Kmin) / (Kmax - Kmin)
 *
 * with thresholds scaled from the reference rate to the port's rate.
 *
 * Identity of the data class, in bytes and in frames: offered = left + waiting + dropped, where
 * Enqueue and Drop together show what was offered and Dequeue what left.
 */
class DcnSwitchDevice : public DcnPacketDevice
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
     * @brief Become a port of a switch.
     * @param owner the switch
     * @param port number of the port
     */
    void SetSwitch(DcnPacketSwitch* owner, uint32_t port);

    void Receive(DcnFrame* frame) override;

    /**
     * @brief Put a frame into its egress queue.
     * @param frame the frame
     * @param nowNs present time [ns]
     */
    void Enqueue(DcnFrame* frame, int64_t nowNs);

    /**
     * @return a new frame for the strict-priority class, without flow; kind and size are to be set
     */
    DcnFrame* MakeControlFrame();

    /** @return wire bytes of the data class that wait. */
    uint64_t GetQueueBytes() const
    {
        return m_data.GetNBytes();
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
    DcnFrame* PickFrame(int64_t nowNs) override;
    int64_t NextPickNs(int64_t fromNs) const override;
    bool ShouldMark();
    void Stamp(DcnTelemetry& telemetry, int64_t nowNs) const;
    void Drop(DcnFrame* frame);

    DcnPacketSwitch* m_switch{nullptr}; //!< owner
    uint32_t m_port{0};                 //!< number of this port
    DcnFrameQueue m_high;               //!< strict-priority class
    DcnFrameQueue m_data;               //!< data class
    uint64_t m_kminBytes{0};            //!< Kmin at this port's rate
    uint64_t m_kmaxBytes{0};            //!< Kmax at this port's rate
    uint64_t m_offeredBytes{0};         //!< see GetOfferedBytes
    uint64_t m_leftBytes{0};            //!< see GetLeftBytes
    uint64_t m_droppedBytes{0};         //!< see GetDroppedBytes
    uint64_t m_nMarked{0};              //!< see GetNMarked

    TracedCallback<uint32_t, uint64_t> m_enqueueTrace; //!< Enqueue
    TracedCallback<uint32_t, uint64_t> m_dequeueTrace; //!< Dequeue
    TracedCallback<uint32_t, uint64_t> m_markTrace;    //!< Mark
    TracedCallback<uint32_t, uint64_t> m_dropTrace;    //!< Drop
};

/**
 * @ingroup dcn-packet
 * @brief Shared buffer of a switch with priority flow control.
 *
 * Packets of the data class are accounted to the port by which they came in. With buffer B, reserve
 * r and headroom h per port, and shared bytes used u, the free shared buffer is
 * P = B - sum h - sum r - u, and port p may take T_p = P / 2^a_p of it, where a_p is the configured
 * shift, less one per doubling (begun ones included) of the port's rate over that of the first
 * host, at least 0. Of a port, I are the bytes in reserve and shared buffer, H those in headroom,
 * S = max(0, I - r):
 *
 * - admitted unless both size + H > h and size + S > T;
 * - counted in I while I + size <= r or I + size - r <= T, in H otherwise;
 * - a leaving packet is taken from H first;
 * - pause the sender when H > 0 or S >= T after an arrival;
 * - let it go on when H = 0 and (S = 0 or S + 3072 <= T) after a departure.
 *
 * r is 4096 bytes. h is three times the one-way bandwidth-delay product of the port's link, as in
 * the evaluations, which loses packets when many senders are paused at once; or, if so configured,
 * what can still arrive after the decision to pause: a round trip of the link, the frame that the
 * pause waits for, the pause itself, and the frame that the sender has begun. The strict-priority
 * class is not accounted.
 */
class DcnPacketSwitch : public Object
{
  public:
    /// How a switch departs from the evaluations' one.
    struct Options
    {
        bool telemetryQuantised; //!< telemetry is rounded as in its 8-byte wire format
        bool losslessHeadroom;   //!< h covers all that can arrive after a pause
        uint32_t maxFrameBytes;  //!< longest frame [bytes]
    };

    /**
     * @brief Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    /**
     * @brief Set up the ports; called once, when all devices are connected.
     * @param network the configuration; outlives the switch
     * @param ports all devices of the switch
     * @param hostRateBps rate of the hosts' links, the unit of the threshold's scaling [bit/s]
     * @param name of the switch in messages
     * @param uniform random numbers for marking, in [0, 1)
     * @param options see Options
     * @throws DcnError if reserves and headroom exceed the buffer, or a port could never admit the
     * longest frame
     */
    void Configure(const DcnNetworkParameters& network,
                   const std::vector<DcnSwitchDevice*>& ports,
                   uint64_t hostRateBps,
                   const std::string& name,
                   Ptr<UniformRandomVariable> uniform,
                   const Options& options);

    /** @return the configuration. */
    const DcnNetworkParameters& GetParameters() const
    {
        return *m_network;
    }

    /** @return random numbers for marking. */
    UniformRandomVariable& GetUniform() const
    {
        return *m_uniform;
    }

    /** @return true if telemetry is rounded. */
    bool IsTelemetryQuantised() const
    {
        return m_options.telemetryQuantised;
    }

    /**
     * @brief Account for an arriving packet of the data class; pauses the sender if need be.
     * @param port by which it came
     * @param bytes its size
     * @param nowNs present time [ns]
     * @return false if there is no room: the packet must be dropped
     */
    bool Admit(uint32_t port, uint32_t bytes, int64_t nowNs);

    /**
     * @brief Account for a leaving packet of the data class; lets the sender go on if need be.
     * @param port by which it had come
     * @param bytes its size
     * @param nowNs present time [ns]
     */
    void Release(uint32_t port, uint32_t bytes, int64_t nowNs);

    /** @return packets dropped for lack of room. */
    uint64_t GetNDropped() const;
    /** @return pauses sent. */
    uint64_t GetNPauses() const;
    /** @return resumes sent. */
    uint64_t GetNResumes() const;
    /** @return bytes of the data class in the switch. */
    uint64_t GetBufferedBytes() const;

  private:
    /// Ingress accounting of a port.
    struct Ingress
    {
        DcnSwitchDevice* device; //!< the port, for pause frames
        uint64_t headroomBytes;  //!< h
        uint32_t alphaShift;     //!< a_p
        uint64_t usedBytes;      //!< I
        uint64_t usedHeadroom;   //!< H
        bool paused;             //!< the sender has been told to stop
    };

    uint64_t Headroom(const DcnSwitchDevice& port) const;
    uint64_t Threshold(const Ingress& ingress) const;
    void SendPfc(Ingress& ingress, DcnFrameKind kind, int64_t nowNs);

    const DcnNetworkParameters* m_network{nullptr}; //!< the configuration
    Ptr<UniformRandomVariable> m_uniform;           //!< for marking
    Options m_options{};                            //!< see Options
    std::vector<Ingress> m_ports;                   //!< by port number
    uint64_t m_sharedBytes{0};                      //!< B - sum h - sum r
    uint64_t m_sharedUsed{0};                       //!< u
    uint64_t m_nDropped{0};                         //!< see GetNDropped
    uint64_t m_nPauses{0};                          //!< see GetNPauses
    uint64_t m_nResumes{0};                         //!< see GetNResumes
};

} // namespace ns3

#endif /* DCN_PACKET_SWITCH_H */

/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef DCN_PACKET_SWITCH_H
#define DCN_PACKET_SWITCH_H

#include "ns3/dcn-network-config.h"
#include "ns3/object.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace ns3
{

class DcnLinkChoice;

/**
 * @ingroup dcn-packet
 * @brief Shared buffer of a switch with priority flow control.
 *
 * Packets of the data class are charged to their ingress port. The buffer of B bytes holds a
 * reserve r and a headroom h for each port; the shared part has u bytes in use and
 * P = B - sum h - sum r - u bytes free. Port p may take T_p = P / 2^a_p of it. Its shift a_p is the
 * configured one at ports to hosts. At ports to switches it is less by one for every doubling (begun
 * ones included) of the port's rate relative to the fastest NIC that sends, and at least 0. A port uses I bytes of reserve and shared buffer, and H
 * bytes of headroom; S = max(0, I - r). A packet is
 *
 * - admitted unless size + H > h and size + S > T;
 * - counted in I while I + size <= r or I + size - r <= T, in H otherwise;
 * - a leaving packet is taken from H first;
 * - The switch pauses the sender when H > 0 or S >= T after an arrival;
 * - resumes it when H = 0 and (S = 0 or S + 3072 <= T) after a departure.
 *
 * r is 4096 bytes. h is three times the one-way bandwidth-delay product of the port's link, as in
 * the evaluations; this loses packets where many senders are paused at once, and on short cables,
 * where it is less than a frame. The strict-priority class is not charged.
 *
 * **Lossless headroom.** A frame is dropped only if it exceeds h. So no frame is dropped if h is at
 * least what can be put into H from the decision to pause on. Let F be the longest frame, P a PFC
 * frame, R the rate and d the delay of the link. The decision falls when a frame has come in:
 *
 *     F               this frame itself: it may be the first one in H
 *     t_1 = 8e9 F/R   the transmitter has just begun a frame, which the PAUSE waits for; it waits
 *                     for no other one (DcnSwitchDevice::SendPfc)
 *     t_2 = 8e9 P/R   the PAUSE is sent
 *     d               and comes to the sender, whose frames fill the link until then
 *     F               the sender has just begun another frame
 *     d               frames that left the sender before the one that decided was complete here
 *
 * so that h = 2 F + V(2 d + t_1 + t_2), with V(t) the most bytes that begin within t: R t / 8e9
 * with exact rates, as t ends with the frame that is counted apart. The events of the arrival, of
 * the PAUSE's begin and of its end come at the next whole nanosecond, which makes t longer by less
 * than 3 ns:
 *
 *     h = 3 F + P + R (2 d + 3 ns) / 8e9.
 *
 * With time_grain_ns 1 a frame of S bytes takes k(S) = floor((8e9 S - 1) / R) ns, so that links are
 * too fast: at most (k + 1) / k times with k that of the shortest frame, since S < (k + 1) R / 8e9
 * for all frames of k ns. V is longer by this factor; with k = 0 there is no bound, and Configure
 * refuses. H is 0 before a PAUSE, because a RESUME waits for that, so that nothing adds up; ports
 * share no headroom. Cables that fail are no part of this.
 */
class DcnPacketSwitch : public Object
{
  public:
    static constexpr uint32_t PFC_FRAME_BYTES = 43; //!< link and IP header and 9 bytes

    /// Sends the pause frames of a port.
    class PfcSender
    {
      public:
        /**
         * @brief Pause or resume the sender at the other end of the port's link.
         * @param pause true to pause, false to resume
         * @param frameBytes pause frame on the wire [bytes]
         * @param nowNs present time [ns]
         */
        virtual void SendPfc(bool pause, uint32_t frameBytes, int64_t nowNs) = 0;

      protected:
        ~PfcSender() = default;
    };

    /// Properties of a port that the buffer depends on.
    struct Port
    {
        PfcSender* pfc;   //!< sends its pause frames
        uint64_t rateBps; //!< rate of its link [bit/s]
        int64_t delayNs;  //!< propagation delay of its link [ns]
        bool isToHost;    //!< a host is at the other end
    };

    /// Differences from the switch of the evaluations.
    struct Options
    {
        bool telemetryQuantised; //!< telemetry is rounded as in its 8-byte wire format
        bool losslessHeadroom;   //!< h covers all that can arrive after a pause
        uint32_t minFrameBytes;  //!< shortest frame [bytes]
        uint32_t maxFrameBytes;  //!< longest frame [bytes]
        uint64_t drawSeed;       //!< of the draws for marking (DcnMarking)
    };

    /**
     * @brief Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();
    DcnPacketSwitch();
    ~DcnPacketSwitch() override;

    /**
     * @brief Divide the buffer among the ports; called once.
     *
     * The buffer of a preset (DcnNetworkParameters::presetBufferBytes) grows: to three times the
     * reserves and headroom where these exceed it, and at least so far that each port can admit the
     * longest frame.
     * @param network the configuration; outlives the switch
     * @param ports all ports, by port number
     * @param hostRateBps rate of the fastest NIC that sends, the unit of the threshold's scaling
     * [bit/s]
     * @param name of the switch in messages
     * @param options see Options
     * @throws DcnError if reserves and headroom exceed the buffer, or a port could never admit the
     * longest frame; the sentence names a buffer that suffices. Or if no headroom is lossless
     */
    void Configure(const DcnNetworkParameters& network,
                   const std::vector<Port>& ports,
                   uint64_t hostRateBps,
                   const std::string& name,
                   const Options& options);

    /** @return the configuration. */
    const DcnNetworkParameters& GetParameters() const
    {
        return *m_network;
    }

    /** @return seed of the draws of its ports (DcnMarking). */
    uint64_t GetDrawSeed() const
    {
        return m_options.drawSeed;
    }

    /** @return whether no frame is dropped while pauses are obeyed. */
    bool IsLossless() const
    {
        return m_options.losslessHeadroom;
    }

    /** @return true if telemetry is rounded. */
    bool IsTelemetryQuantised() const
    {
        return m_options.telemetryQuantised;
    }

    /**
     * @brief Account for an arriving packet of the data class; may pause the sender.
     * @param port ingress port
     * @param bytes its size
     * @param nowNs present time [ns]
     * @return false if there is no room: the packet must be dropped
     */
    bool Admit(uint32_t port, uint32_t bytes, int64_t nowNs);

    /**
     * @brief Account for a leaving packet of the data class; may resume the sender.
     * @param port ingress port of the packet
     * @param bytes its size
     * @param nowNs present time [ns]
     */
    void Release(uint32_t port, uint32_t bytes, int64_t nowNs);

    /**
     * @brief The link of a port has failed: its sender is no longer paused.
     * @param port the port
     */
    void ForgetPause(uint32_t port)
    {
        m_ports[port].paused = false;
    }

    /**
     * @brief Let the switch choose the links of data packets.
     * @param choice how
     */
    void SetLinkChoice(std::unique_ptr<DcnLinkChoice> choice);

    /** @return how the switch chooses the links of data packets; null: they have paths. */
    DcnLinkChoice* GetLinkChoice() const
    {
        return m_choice.get();
    }

    /** @return its buffer B [bytes]. */
    uint64_t GetBufferBytes() const
    {
        return m_sharedBytes + m_setAsideBytes;
    }

    /** @return reserves and headroom of all ports, sum h + sum r [bytes]. */
    uint64_t GetSetAsideBytes() const
    {
        return m_setAsideBytes;
    }

    /**
     * @param port a port
     * @return whether the sender at the other end of its link was told to pause, and not to go on
     * since
     */
    bool IsPausing(uint32_t port) const
    {
        return m_ports[port].paused;
    }

    /** @return packets dropped for lack of room. */
    uint64_t GetNDropped() const
    {
        return m_nDropped;
    }

    /** @return pauses sent. */
    uint64_t GetNPauses() const
    {
        return m_nPauses;
    }

    /** @return resumes sent. */
    uint64_t GetNResumes() const
    {
        return m_nResumes;
    }

    /**
     * @brief Tell whether the ports are independent of each other (DcnSteadySkip).
     * @param mostBytes most wire bytes of the data class that may be here, by ingress port
     * @param mostOfAll and of all ports together
     * @return true if no port has reached a threshold, nor can one do so: none is paused, no frame
     * takes headroom or is dropped
     */
    bool HasRoomFor(const std::vector<uint64_t>& mostBytes, uint64_t mostOfAll) const;

    /** @return bytes of the data class in the switch. */
    uint64_t GetBufferedBytes() const;

  private:
    /// Ingress accounting of a port.
    struct Ingress
    {
        PfcSender* pfc;         //!< sends the port's pause frames
        uint64_t headroomBytes; //!< h
        uint32_t alphaShift;    //!< a_p
        uint64_t usedBytes;     //!< I
        uint64_t usedHeadroom;  //!< H
        bool paused;            //!< a PAUSE was sent, and no RESUME since
    };

    uint64_t Headroom(const Port& port) const;
    uint64_t LosslessHeadroom(const Port& port) const;
    /// @return the least buffer in which each port admits the longest frame [bytes]
    uint64_t LeastBuffer() const;
    uint64_t Threshold(const Ingress& ingress) const;

    const DcnNetworkParameters* m_network{nullptr}; //!< the configuration
    Options m_options{};                            //!< see Options
    std::unique_ptr<DcnLinkChoice> m_choice;        //!< null: packets come with their paths
    std::vector<Ingress> m_ports;                   //!< by port number
    uint64_t m_setAsideBytes{0};                    //!< see GetSetAsideBytes
    uint64_t m_sharedBytes{0};                      //!< B - sum h - sum r
    uint64_t m_sharedUsed{0};                       //!< u
    uint64_t m_nDropped{0};                         //!< see GetNDropped
    uint64_t m_nPauses{0};                          //!< see GetNPauses
    uint64_t m_nResumes{0};                         //!< see GetNResumes
};

} // namespace ns3

#endif /* DCN_PACKET_SWITCH_H */

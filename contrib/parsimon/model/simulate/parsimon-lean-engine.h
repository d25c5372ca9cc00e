/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef PARSIMON_LEAN_ENGINE_H
#define PARSIMON_LEAN_ENGINE_H

#include "parsimon-lean-events.h"

#include "ns3/dcn-congestion-control.h"
#include "ns3/dcn-marking.h"
#include "ns3/parsimon-link.h"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <vector>

namespace ns3
{

/**
 * @ingroup parsimon
 * @brief One run of the lean link simulation: packets of all flows over one target link.
 *
 * The model is that of the packet engine on the topology of ParsimonMakeLinkScenario: NICs serve
 * their flows in turn, packet by packet, with pacing and window; the target has a first-in
 * first-out queue that marks on leaving; links behind the target are usually too fast to queue;
 * acknowledgements return. The congestion control classes are those of the packet engine.
 *
 * It needs about two events per packet; all other work is arithmetic:
 *
 * - The departure of a packet is known when it arrives at the target: packet k of size b_k with
 *   arrival a_k leaves the queue at s_k = max(a_k, s_(k-1) + t(b_(k-1))). So are its delivery and
 * the arrival of its acknowledgement. None of them needs an event.
 * - Its mark depends on the bytes that wait at s_k, hence on arrivals up to s_k. It is decided
 *   when the first later packet arrives, or at the latest when the acknowledgement is processed:
 *   q_k = (bytes that arrived up to s_k) - (bytes of packets 1 to k).
 * - Acknowledgements and timers of a congestion control change only the rate and window of their
 *   flow. They are processed in the order of time when the NIC considers the flow, and wake the NIC
 *   only if the flow could not send before. A flow that has sent its last byte is over; its later
 *   acknowledgements are not processed.
 * - No packet that a NIC sends now is acknowledged before a known time. Until that time, or the
 * next start of a flow, the NIC schedules ahead.
 * - A flow that is alone on the link at full rate sends a train of whole packets that never wait;
 *   only its congestion control processes each of them.
 *
 * Times count in ticks of 2^-14 ns, so that links have their rates (time_grain_ns 1: whole
 * nanoseconds as in the reference simulator). Congestion controls see whole nanoseconds: the next
 * ones, as in the packet engine.
 *
 * ParsimonLeanState saves and restores a run.
 */
class ParsimonLeanEngine
{
  public:
    static constexpr uint32_t NONE = 0xffffffff; //!< no packet, no flow, no number

    /// Options common to the runs of a simulator.
    struct Options
    {
        const DcnNetworkParameters* network; //!< the configuration
        int64_t markingStream;               //!< random stream of the marks
        uint32_t rngSeed;                    //!< ns-3's seed when the simulator was made
        uint64_t rngRun;                     //!< ns-3's run when the simulator was made
    };

    /**
     * @param link the topology, which outlives this object
     * @param options see Options
     */
    ParsimonLeanEngine(const ParsimonLink& link, const Options& options);

    /**
     * @brief Simulate until every flow has been delivered; once.
     * @return completion time of each flow [ns]
     */
    std::vector<int64_t> Run();

    /// Called just before a flow starts; returns false to stop before its start.
    using Observer = std::function<bool(uint32_t)>;

    /**
     * @brief Simulate from the beginning, or from a restored state.
     * @param observer called before each start of a flow; may save the state
     * @return true if every flow has been delivered, false if the observer stopped the run
     */
    bool RunUntil(const Observer& observer);

    /** @return whether no packet, acknowledgement or timer is pending. */
    bool IsIdle();

    /** @return completion times; -1 before the delivery of a flow [ns]. */
    std::vector<int64_t>& GetFctNs();

    /** @return data packets sent. */
    uint64_t GetNPackets() const;

    /**
     * @brief Begin to measure the largest queue anew.
     * @return the most bytes that a packet found waiting at the target since the latest call, or
     * since the beginning
     */
    uint64_t TakeQueueBytes();

  private:
    friend class ParsimonLeanState;

    static constexpr int64_t NEVER = ParsimonLeanEvents::NEVER;
    static constexpr int64_t SHORTEST_TRAIN =
        16; //!< shortest train worth its preparation [packets]
    static constexpr uint32_t ARRIVAL = 0x80000000; //!< event: packet at the target, else a NIC

    /// A transmitter that queues without events.
    struct Transmitter
    {
        uint64_t rateBps{0};   //!< rate [bit/s]; 0: there is no such link
        int64_t delayTicks{0}; //!< propagation delay [ticks]
        int64_t fullTicks{0};  //!< serialisation of the most frequent frame [ticks]
        int64_t freeTicks{0};  //!< end of the latest transmission [ticks]
        int64_t lastTicks{0};  //!< arrival of the latest frame [ticks]
        uint64_t txBytes{0};   //!< bytes sent
        uint32_t fullBytes{0}; //!< size of the most frequent frame

        /**
         * @param bytes size of a frame
         * @param isReference time_grain_ns is 1
         * @return its serialisation [ticks]
         */
        int64_t GetTxTicks(uint32_t bytes, bool isReference) const;

        /**
         * @brief Transmit a frame; frames usually come in the order of their arrivals.
         * @param arrivalTicks when it arrives [ticks]
         * @param bytes its size
         * @param isReference time_grain_ns is 1
         * @return its arrival at the other end [ticks]
         */
        int64_t Pass(int64_t arrivalTicks, uint32_t bytes, bool isReference);
    };

    /// A NIC and the flows that it serves.
    struct Nic
    {
        uint64_t rateBps;            //!< rate [bit/s]
        int64_t fullTicks;           //!< serialisation of a full data packet [ticks]
        int64_t freeTicks;           //!< end of the present transmission [ticks]
        int64_t wakeTicks;           //!< pending event [ticks], NEVER if none
        int64_t ackHorizonTicks;     //!< acknowledgements not known now arrive later [ticks]
        uint32_t next;               //!< place in flows that is served next
        bool isShared;               //!< more than one flow uses it during the run
        std::vector<uint32_t> flows; //!< senders in the order of arrival
    };

    /// A source: its NIC and its links to the target and back.
    struct Source
    {
        uint32_t nic;       //!< its NIC
        int64_t delayTicks; //!< propagation to the target [ticks]
        uint64_t splitBps;  //!< rate of the link behind the NIC (ParsimonMakeLinkScenario); 0: none
        Transmitter back;   //!< last link of acknowledgements
        int64_t rttTicks;   //!< its part of a full packet's round trip [ticks]
    };

    /// A destination: the links from the target and back.
    struct Destination
    {
        Transmitter forward; //!< link from the target
        Transmitter back;    //!< first link of acknowledgements
        int64_t rttTicks;    //!< its part of a full packet's round trip [ticks]
        bool reports;        //!< its telemetry can affect HPCC
    };

    /// State of a flow that has bytes to send.
    struct Sender
    {
        uint32_t flow;          //!< position in ParsimonLink::flows; NONE: unused
        uint32_t nic;           //!< its NIC
        uint32_t source;        //!< index in ParsimonLink::sources
        uint32_t destination;   //!< index in ParsimonLink::destinations
        uint64_t sizeBytes;     //!< payload
        uint64_t sndNxt;        //!< next byte to send
        uint64_t sndUna;        //!< first byte not acknowledged
        uint64_t window;        //!< W(t) [bytes]
        uint64_t rateBps;       //!< rate of the congestion control [bit/s]
        uint64_t maxRateBps;    //!< largest rate of the congestion control [bit/s]
        uint64_t paceBps;       //!< ParsimonLinkFlow::paceBps, at most the NIC's rate [bit/s]
        int64_t nextSendTicks;  //!< pacing [ticks]
        int64_t lastInputTicks; //!< time of the last acknowledgement or timer processed [ticks]
        int64_t timerTicks;     //!< next timer of the congestion control [ticks]
        uint32_t firstOut;      //!< oldest packet not acknowledged
        uint32_t lastOut;       //!< youngest packet not acknowledged
        uint32_t lastWire;      //!< size of the latest packet
        bool waiting; //!< wakes its NIC once the acknowledgement of its oldest packet is known
        std::unique_ptr<DcnCongestionControl> cc; //!< made at the first acknowledgement

        /** @return rate at which its packets follow each other, were it alone at its NIC [bit/s].
         */
        uint64_t GetSendRate() const
        {
            return std::min(rateBps, paceBps);
        }
    };

    /// A data packet from its transmission until its acknowledgement has been processed.
    struct Packet
    {
        int64_t sentTicks;    //!< start of its transmission [ticks]
        int64_t ackTicks;     //!< arrival of its acknowledgement [ticks], NEVER while unknown
        int64_t leaveTicks;   //!< start of its transmission on the target, s_k [ticks]
        uint64_t endByte;     //!< one past its last payload byte
        uint64_t sumBytes;    //!< bytes of the packets up to this one at the target
        uint64_t queueBytes;  //!< q_k, once decided
        uint32_t flow;        //!< position in ParsimonLink::flows
        uint32_t sender;      //!< its sender, NONE after the sender's last byte
        uint32_t wireBytes;   //!< size on the wire
        uint32_t destination; //!< index in ParsimonLink::destinations
        uint32_t nextOut;     //!< next packet of the sender
        uint32_t nextQueued;  //!< next packet at the target
        bool decided;         //!< queueBytes and marked are final
        bool marked;          //!< carries a mark
        bool isLast;          //!< ends its flow
    };

    /// Telemetry of the link behind the target, for HPCC.
    struct FarTelemetry
    {
        int64_t leaveTicks; //!< start of the transmission [ticks]
        uint64_t txBytes;   //!< bytes sent before
    };

    /// @return time of a frame at a rate [ticks]
    int64_t GetTxTicks(uint32_t bytes, uint64_t rateBps) const;
    /// @return start of a flow [ticks]
    int64_t GetStartTicks(uint32_t flow) const;
    void FollowTimer(Sender& sender) const;
    /// @return the configuration for flows of a NIC (DcnNetworkParameters::ForNic)
    const DcnNetworkParameters& GetParametersOf(uint64_t nicBps);
    void MakeEndpoints();
    uint32_t MakeSender(uint32_t flow);
    void StartFlow(uint32_t flow);
    void Wake(uint32_t nic);
    void Serve(uint32_t nic);
    int64_t Advance(Sender& sender, int64_t fromTicks, int64_t knownTicks);
    void WakeAt(uint32_t nic, int64_t atTicks);
    void Acknowledge(Sender& sender, uint32_t packet);
    void FollowRate(Sender& sender);
    int64_t Send(uint32_t index, int64_t nowTicks);

    /// Packets that a sender sends one after the other while nothing else happens on their way.
    struct Train
    {
        int64_t firstTicks;   //!< first bit of the first packet leaves [ticks]
        int64_t gapTicks;     //!< between packets, and their serialisation [ticks]
        int64_t arrivalTicks; //!< the first packet arrives at the target [ticks]
        int64_t ackTicks;     //!< its acknowledgement arrives [ticks]
        int64_t most;         //!< largest number of packets
        uint64_t startByte;   //!< of the first packet
        int64_t sent;         //!< number of packets
        int64_t answered;     //!< those whose acknowledgements have been processed
        Transmitter* way[4];  //!< links behind the target, there and back
    };

    bool SendTrain(uint32_t index, int64_t firstTicks);
    /// @return whether a train can leave; most, arrival, acknowledgement and way are set then
    bool FindTrain(const Sender& sender, Train& train);
    /// Sends packets until the train ends, with the answers that arrive meanwhile.
    void RunTrain(Sender& sender, Train& train);
    /// Leaves the state that the packets sent one by one would have left.
    void KeepTrain(uint32_t index, const Train& train);
    void DrainUntil(int64_t endTicks);
    void Append(Sender& sender, uint32_t packet);
    void NeedControl(Sender& sender);
    int64_t GetRttNs(const Sender& sender) const;
    void EndSender(uint32_t index);
    void Arrive(uint32_t packet, int64_t nowTicks);
    void Deliver(uint32_t packet, int64_t leftTicks);
    void DecideBefore(int64_t endTicks);
    /// @return switches that a packet has come to at the target
    uint32_t GetHop(const Packet& packet) const;
    /// @return a pending event, in the order of the packet engine: arrivals by source, then NICs
    ParsimonLeanEvent MakeEvent(int64_t atTicks, uint32_t payload) const;
    uint32_t NewPacket(uint32_t flow, uint32_t sender, uint32_t destination);
    void FreePacket(uint32_t packet);

    const ParsimonLink& m_link;                              //!< the topology
    const DcnNetworkParameters& m_network;                   //!< the configuration
    std::map<uint64_t, DcnNetworkParameters> m_parametersOf; //!< by rate of the NIC
    DcnCongestionControl::WireFormat m_wire;                 //!< packet sizes
    uint32_t m_fullBytes;                                    //!< a full data packet on the wire
    bool m_telemetry;                                        //!< packets collect telemetry: HPCC
    bool m_timers;                                           //!< rates also change by timers
    bool m_ownWindow;     //!< flows have a window without window_bytes, too
    bool m_isReference;   //!< time_grain_ns is 1
    bool m_queued;        //!< the target has a queue: it leaves a switch
    DcnMarking m_marking; //!< of the target

    Transmitter m_target;                    //!< the target
    Transmitter m_targetBack;                //!< its other direction, for acknowledgements
    int64_t m_targetRttTicks{0};             //!< its part of a full packet's round trip [ticks]
    std::vector<Nic> m_nics;                 //!< by ParsimonLink::NumberNics
    std::vector<Source> m_sources;           //!< as ParsimonLink::sources
    std::vector<Destination> m_destinations; //!< as ParsimonLink::destinations

    ParsimonLeanEvents m_events;         //!< pending arrivals at the target and events of NICs
    uint32_t m_nextFlow{0};              //!< flow that starts next
    int64_t m_nowTicks{0};               //!< present time [ticks]
    int64_t m_nextStartTicks{NEVER};     //!< start of the next flow [ticks]
    std::vector<Sender> m_senders;       //!< flows that have bytes to send
    uint32_t m_nSenders{0};              //!< senders in use
    uint64_t m_nTravelling{0};           //!< packets on their way to the target
    std::vector<uint32_t> m_freeSenders; //!< places in m_senders that are not in use
    std::vector<Packet> m_packets;       //!< packets
    std::vector<FarTelemetry> m_far;     //!< by packet, with telemetry only
    uint32_t m_freePackets{NONE};        //!< packets not in use, by nextOut
    uint32_t m_firstQueued{NONE};        //!< oldest packet at the target with undecided mark
    uint32_t m_lastQueued{NONE};         //!< youngest packet with undecided mark
    uint64_t m_sumBytes{0};              //!< bytes that have arrived at the target
    DcnTelemetry m_report{};             //!< telemetry of the packet being acknowledged
    std::vector<int64_t> m_fctNs;        //!< result
    uint64_t m_nPackets{0};              //!< see GetNPackets
    int64_t m_longestWaitTicks{0}; //!< longest wait at the target since TakeQueueBytes [ticks]
};

} // namespace ns3

#endif /* PARSIMON_LEAN_ENGINE_H */

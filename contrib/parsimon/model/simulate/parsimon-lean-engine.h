/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef PARSIMON_LEAN_ENGINE_H
#define PARSIMON_LEAN_ENGINE_H

#include "parsimon-lean-events.h"
#include "parsimon-lean-parts.h"
#include "ns3/parsimon-link.h"

#include "ns3/dcn-congestion-control.h"
#include "ns3/rng-stream.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup parsimon
 * @brief One run of the lean link simulation: packets of all flows over one target link.
 *
 * The model is the packet engine's on the topology that ParsimonMakeLinkScenario makes: interfaces
 * that serve their flows in turn, packet by packet, with pacing and window; the target's first-in
 * first-out queue, which marks on leaving; links behind the target that are as a rule too fast to
 * queue; acknowledgements on the way back; and the very same congestion control classes.
 *
 * It needs about two events per packet, and no other work that is not arithmetic:
 *
 * - a packet's departure is known when it arrives at the target: packet k of size b_k that arrives
 *   at a_k leaves the queue at s_k = max(a_k, s_(k-1) + t(b_(k-1))), and so are its delivery and
 *   the arrival of its acknowledgement. No event is needed for any of them;
 * - its mark depends on the bytes that wait at s_k, that is on arrivals up to s_k. It is decided
 *   when the first later packet arrives, or at the latest when the acknowledgement is looked at:
 *   q_k = (bytes that arrived up to s_k) - (bytes of packets 1 to k);
 * - acknowledgements and timers of a congestion control change nothing but what its flow may send.
 *   They are worked off, in the order of their times, when the interface considers the flow, and
 *   the interface wakes up for one only if the flow could not send otherwise. A flow that has sent
 *   its last byte is over; its later acknowledgements are not looked at;
 * - what an interface sends cannot come back to it before a known time; up to then, or the next
 *   start, it decides ahead;
 * - a flow that is alone on the link at full rate sends a train of whole packets, none of which
 *   waits anywhere: nothing but its congestion control has to be told of them.
 */
class ParsimonLeanEngine
{
  public:
    /// What the runs of a simulator have in common.
    struct Options
    {
        const DcnNetworkParameters* network; //!< the configuration
        int64_t markingStream;               //!< random stream of the marks
        uint32_t rngSeed;                    //!< ns-3's seed when the simulator was made
        uint64_t rngRun;                     //!< ns-3's run when the simulator was made
        bool contention;                     //!< false: every flow has the target for itself
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

    static constexpr uint32_t NONE = 0xffffffff; //!< no packet, no flow, no name

    /// Numbers of flows and ends of one topology in another one of the same target, or NONE.
    struct Names
    {
        std::vector<uint32_t> flows;        //!< by position in ParsimonLink::flows
        std::vector<uint32_t> interfaces;   //!< by NumberInterfaces
        std::vector<uint32_t> sources;      //!< by index in ParsimonLink::sources
        std::vector<uint32_t> destinations; //!< by index in ParsimonLink::destinations
    };

    /// Called when a flow is about to start; false: stop before that.
    using Observer = std::function<bool(uint32_t)>;

    /**
     * @brief Simulate from the beginning, or from the state that has been loaded.
     * @param observer called before each start, and may save the state then
     * @return whether every flow has been delivered: observer has not stopped it
     */
    bool RunUntil(const Observer& observer);

    /**
     * @param link a topology
     * @return the interface of each source: those of the same link are one
     */
    static std::vector<uint32_t> NumberInterfaces(const ParsimonLink& link);

    /** @return the names of a topology in itself. */
    Names GetNames() const;

    /**
     * @brief Write down all that decides what comes, just before a flow starts.
     *
     * What makes no difference any more is left out, so that the same future is more often the
     * same text. Only with contention, and where the target leaves a switch.
     *
     * @param names by which flows and ends are called
     * @return the state
     */
    std::string SaveState(const Names& names);

    /**
     * @brief Go on from a state instead of from the present one.
     * @param bytes the state, of this topology or another one of the same target
     * @param flow position of the flow that starts next
     * @param numbers by name: position or index here
     */
    void LoadState(const std::string& bytes, uint32_t flow, const Names& numbers);

    /** @return whether nothing is under way. */
    bool IsIdle();

    /** @return where the random numbers are, null if there are none; part of the state. */
    std::shared_ptr<const RngStream> GetRandom() const;

    /**
     * @param random what GetRandom has returned
     */
    void SetRandom(const std::shared_ptr<const RngStream>& random);

    /** @return completion times [ns]. */
    std::vector<int64_t>& GetFctNs();

    /** @return data packets sent. */
    uint64_t GetNPackets() const;
    /** @return packets marked, as far as their marks were looked at. */
    uint64_t GetNMarked() const;

  private:
    static constexpr int64_t NEVER = ParsimonLeanEvents::NEVER;
    static constexpr int64_t SHORTEST_TRAIN = 16;    //!< packets that are worth the preparations
    static constexpr uint32_t ARRIVAL = 0x80000000;  //!< event: packet at the target, or interface

    using Server = ParsimonLeanParts::Server;
    using Interface = ParsimonLeanParts::Interface;
    using Source = ParsimonLeanParts::Source;
    using Destination = ParsimonLeanParts::Destination;
    using Sender = ParsimonLeanParts::Sender;
    using Packet = ParsimonLeanParts::Packet;
    using FarTelemetry = ParsimonLeanParts::FarTelemetry;

    void MakeEndpoints();
    int64_t TransmissionNs(const Server& server, uint32_t bytes, uint32_t fullBytes) const;
    int64_t Pass(Server& server, int64_t arrivalNs, uint32_t bytes, uint32_t fullBytes);
    uint32_t MakeSender(uint32_t flow);
    void StartFlow(uint32_t flow);
    void Wake(uint32_t interface);
    void Serve(uint32_t interface);
    int64_t Advance(Sender& sender, int64_t fromNs, int64_t knownNs);
    void WakeAt(Interface& nic, uint32_t interface, int64_t timeNs);
    void Acknowledge(Sender& sender, uint32_t packet);
    void FollowRate(Sender& sender);
    int64_t Send(uint32_t index, int64_t nowNs);
    bool SendTrain(uint32_t index, int64_t firstNs);
    void DrainUntil(int64_t timeNs);
    void Append(Sender& sender, uint32_t packet);
    void NeedControl(Sender& sender);
    void EndSender(uint32_t index);
    void Arrive(uint32_t packet, int64_t nowNs);
    void Deliver(uint32_t packet, int64_t leftNs);
    void DecideBefore(int64_t timeNs);
    bool IsMarked(uint64_t queueBytes);
    void ExchangeSender(DcnStateBytes& state, Sender& sender);
    void ExchangePacket(DcnStateBytes& state, Packet& packet);
    void ExchangeQueueing(DcnStateBytes& state, Packet& packet);
    uint32_t MakePacket(uint32_t flow, uint32_t sender);
    void Clear();
    uint32_t NewPacket();
    void FreePacket(uint32_t packet);

    const ParsimonLink& m_link;             //!< the topology
    const Options m_options;                //!< as given
    const DcnNetworkParameters& m_network;  //!< the configuration
    DcnCongestionControl::WireFormat m_wire; //!< packet sizes
    uint32_t m_fullBytes;                   //!< a full data packet on the wire
    bool m_telemetry;                       //!< packets collect telemetry: HPCC
    bool m_timers;                          //!< rates also change by timers: DCQCN
    bool m_queued;                          //!< the target has a queue: it leaves a switch
    uint64_t m_kminBytes;                   //!< marking thresholds of the target [bytes]
    uint64_t m_kmaxBytes;                   //!< see m_kminBytes
    std::unique_ptr<RngStream> m_random;    //!< marks between the thresholds

    Server m_target;                         //!< the target
    Server m_targetBack;                     //!< its other direction, for acknowledgements
    int64_t m_targetRttNs{0};                //!< its part of a full packet's round trip [ns]
    std::vector<Interface> m_interfaces;     //!< by link at the source
    std::vector<Source> m_sources;           //!< as ParsimonLink::sources
    std::vector<Destination> m_destinations; //!< as ParsimonLink::destinations
    std::vector<Server> m_own;               //!< by flow, without contention: a target for each

    ParsimonLeanEvents m_events;       //!< what is to come
    uint32_t m_nextFlow{0};            //!< flow that starts next
    int64_t m_nowNs{0};                //!< present time [ns]
    int64_t m_nextStartNs{NEVER};      //!< start of the next flow [ns]
    std::vector<Sender> m_senders;     //!< flows that have bytes to send
    uint32_t m_nSenders{0};            //!< senders in use
    uint64_t m_nTravelling{0};         //!< packets on their way to the target
    std::vector<uint32_t> m_freeSenders; //!< places in m_senders that are not in use
    std::vector<Packet> m_packets;     //!< packets
    std::vector<FarTelemetry> m_far;   //!< by packet, with telemetry only
    uint32_t m_freePackets{NONE};      //!< packets not in use, by nextOut
    uint32_t m_firstQueued{NONE};      //!< oldest packet at the target whose mark is open
    uint32_t m_lastQueued{NONE};       //!< youngest such packet
    uint64_t m_sumBytes{0};            //!< bytes that have arrived at the target
    DcnTelemetry m_report{};             //!< telemetry of the packet looked at
    std::vector<int64_t> m_fctNs;      //!< result
    uint64_t m_nPackets{0};            //!< see GetNPackets
    uint64_t m_nMarked{0};             //!< see GetNMarked
    uint64_t m_nDraws{0};              //!< random numbers used
};

} // namespace ns3

#endif /* PARSIMON_LEAN_ENGINE_H */

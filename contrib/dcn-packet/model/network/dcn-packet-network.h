/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef DCN_PACKET_NETWORK_H
#define DCN_PACKET_NETWORK_H

#include "dcn-packet-traces.h"
#include "dcn-thread-report.h"

#include "ns3/dcn-scenario.h"
#include "ns3/net-device.h"
#include "ns3/nstime.h"

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace ns3
{

class DcnPacketRun;
class DcnPacketSession;
class DcnPacketSwitch;

/**
 * @ingroup dcn-packet
 * @brief The packet-level simulation of a scenario: devices on its nodes, and its flows.
 *
 * Install puts a DcnHostDevice or DcnSwitchDevice at both ends of every link, on the topology's own
 * ns-3 nodes, and a DcnPacketSwitch on every switch. Start schedules the flows at their start
 * times, counted from the present simulation time; Simulator::Run simulates them. Run does both,
 * for programs that simulate nothing else; then ns-3 need not get the events (Event list in
 * contrib/dcn-packet/doc/dcn-packet.rst). Attributes are set before Install.
 *
 * Results depend neither on other events of ns-3, nor on listeners, nor on threads
 * (DcnPacketEvents).
 *
 * With InFlightPerRack the simulation is a closed loop (DcnClosedLoop): a flow waits at its start
 * time while the rack of its source has that many flows in flight, and begins when the last
 * acknowledgement of one of them arrives. Its completion time counts from its begin (GetReleaseNs).
 *
 * With Threads > 1, Run simulates partitions of the network in several threads where nothing needs
 * the whole network at a time (DcnPacketRun); the ThreadReport says why where one thread did.
 *
 * A completion time runs from the flow's start to the arrival, at the receiver, of the packet that
 * completes the flow. Semantics: contrib/dcn-packet/doc/dcn-packet.rst.
 */
class DcnPacketNetwork : public DcnPacketTraces
{
  public:
    /**
     * @brief Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();
    DcnPacketNetwork();
    ~DcnPacketNetwork() override;

    /**
     * @brief Make devices, channels and switches for a scenario.
     * @param scenario topology, flows and configuration
     * @throws DcnError if a switch buffer is too small, or a path too long for HPCC's telemetry
     */
    void Install(Ptr<const DcnScenario> scenario);

    /**
     * @brief Make devices, channels and switches; flows are added while the simulation runs
     * (AddFlow).
     * @param topology nodes and links
     * @param network the configuration
     * @throws DcnError if a switch buffer is too small
     */
    void Install(Ptr<const DcnTopology> topology, Ptr<const DcnNetworkConfig> network);

    /**
     * @brief Add a flow that starts now; only without a scenario.
     * @param flow ends and size; its start time is ignored
     * @param path its links
     * @return its flow index, from 0 in the order of the calls
     * @throws DcnError if the path is too long for HPCC's telemetry
     */
    std::size_t AddFlow(const DcnFlow& flow, DcnPath path);

    /**
     * @brief Add a connection, whose messages are sent back to back (DcnPacketFlow); only without a
     * scenario. FlowStarted, FlowDelivered and FirstPacket are not called for connections.
     * @param ends source and destination; size and start time are ignored
     * @param path its links
     * @return its flow index, as of AddFlow
     * @throws DcnError if the path is too long for HPCC's telemetry
     */
    std::size_t Connect(const DcnFlow& ends, DcnPath path);

    /**
     * @brief Add a message to a connection.
     * @param connection its flow index
     * @param bytes payload, > 0
     */
    void AddMessage(std::size_t connection, uint64_t bytes);

    /**
     * @brief Let a flow of AddFlow send nothing until it is moved: it has no path.
     * Frames on their way go on.
     * @param id of the flow; nothing happens if it is acknowledged
     * @param source node index of its source
     */
    void HoldFlow(uint64_t id, uint32_t source);

    /**
     * @brief Let a connection send nothing until it is moved, as HoldFlow.
     * @param connection its flow index
     */
    void HoldConnection(std::size_t connection);

    /**
     * @brief Give a flow of AddFlow another path from now on, unless it is acknowledged. A flow
     * that is held goes on (DcnPacketFlow::Resume).
     * @param id its id
     * @param path its links, from its source to its destination; CheckPath accepts it
     */
    void MoveFlow(uint64_t id, DcnPath path);

    /**
     * @brief Give a connection another path from now on; one that is held goes on.
     * @param connection its flow index
     * @param path as of MoveFlow
     */
    void MoveConnection(std::size_t connection, DcnPath path);

    /**
     * @brief Change the rate of a cable from now on, or let it fail; both directions.
     *
     * A transmission in progress keeps its rate. Thresholds of marking follow the rate, the
     * headroom of PFC does not. Frames that wait for a cable that fails, are on it or come to it
     * are lost.
     * @param link one of its directed link indices
     * @param rateBps its rate [bit/s]; 0: it fails
     */
    void ChangeLink(uint32_t link, uint64_t rateBps);

    /**
     * @brief Refuse a path that a flow cannot take.
     * @param flow the flow
     * @param path its links
     * @throws DcnError if the path is too long for the telemetry
     */
    void CheckPath(const DcnFlow& flow, DcnPath path) const;

    /**
     * @brief Schedule the flows; Install comes first.
     *
     * The caller ends the simulation (Simulator::Stop), since the timers of DCQCN flows that never
     * finish run for ever. Run ends by itself.
     */
    void Start();

    /**
     * @brief Start, and simulate until every flow has been acknowledged and nothing is on its way,
     * no packet can move, or it is the time of the attribute StopTime, events of which do not run.
     *
     * It is called once. The caller calls Simulator::Destroy.
     */
    void Run();

    /** @return whether StopTime has ended Run while packets could move. */
    bool IsCut() const;

    /**
     * @return end of Run, from the scenario's time 0 [ns]: the end of the last transmission, or
     * StopTime
     */
    int64_t GetEndNs() const;

    /**
     * @brief Give the partitions of the network for Run with threads; by default, Run chooses them.
     * @param partitions partition of each node, by node index; each number from 0 on occurs
     * @throws DcnError as DcnNetworkCut::ByNode
     */
    void SetPartitions(const std::vector<uint32_t>& partitions);

    static constexpr uint32_t MAX_THREADS = 1024;  //!< most Threads and Partitions
    static constexpr double SKIP_TOLERANCE = 0.01; //!< SkipTolerance unless it is set
    static constexpr uint64_t SHARED_EVENTS = 100; //!< SharedEvents unless it is set

    /// What a Run with threads did.
    using ThreadReport = DcnThreadReport;

    /** @return what Run with threads did. */
    ThreadReport GetThreadReport() const;

    /** @return the scenario; null before Install, and if flows are added one by one. */
    Ptr<const DcnScenario> GetScenario() const
    {
        return m_scenario;
    }

    /**
     * @brief Tell a listener of flows; after Install. In contrast to trace sources it does not keep
     * Run from having several threads.
     * @param listener the network keeps it until it is disposed of
     */
    void AddListener(std::shared_ptr<DcnPacketListener> listener);

    /**
     * @return time of the event that runs, for a DcnPacketListener: Simulator::Now may stand still
     * meanwhile [ns]
     */
    static int64_t GetNowNs();

    /** @return nodes and links; Install comes first. */
    const DcnTopology& GetTopology() const;

    /**
     * @param flow flow index
     * @return the flow, of the scenario or of AddFlow
     */
    const DcnFlow& GetFlow(std::size_t flow) const;

    /**
     * @param flow flow index
     * @return its links
     */
    DcnPath GetPath(std::size_t flow) const;

    /** @return completion time by flow index [ns], -1 for flows that are not complete. */
    const std::vector<int64_t>& GetFctNs() const;

    /**
     * @param flow flow index
     * @return when it began, from the scenario's time 0 [ns]: its start time, or later if the
     * closed loop held it back; -1 before
     */
    int64_t GetReleaseNs(std::size_t flow) const;

    /** @return flows that have started and are not complete, by the reason they wait. */
    std::map<std::string, uint64_t> GetUnfinished() const;

    /** @return the switches of a PFC deadlock in a sentence (DcnPauseCircle); empty: none. */
    std::string DescribeDeadlock() const;

    /** @return payload that receivers of the scenario's flows have in order [bytes]. */
    uint64_t GetDeliveredBytes() const;

    /**
     * @return simulated time in which packets were left out, of all flows or of some [ns], and the
     * number of skips
     */
    std::pair<int64_t, uint64_t> GetSkipped() const;

    /// Let packets that are being skipped go on: counters of devices and flows are those of now.
    void Resume() const;

    /** @return data packets times links crossed, the unit of the engine's work. */
    uint64_t GetDataPacketHops() const;
    /** @return packets dropped by all switches. */
    uint64_t GetNDropped() const;
    /** @return frames lost with links that failed. */
    uint64_t GetNLost() const;
    /** @return pauses sent by all switches. */
    uint64_t GetNPauses() const;
    /** @return payload that the flows acknowledged so far sent more than once [bytes]. */
    uint64_t GetRetransmittedBytes() const;

    /**
     * @param link directed link index of the topology
     * @return the transmitter of the link, with the trace sources of DcnHostDevice or
     * DcnSwitchDevice
     */
    Ptr<NetDevice> GetDevice(uint32_t link) const;

    /** @return the shared buffers of the switches, by ascending node index. */
    const std::vector<Ptr<DcnPacketSwitch>>& GetSwitches() const;

    /**
     * @brief Assign a random stream: the key of ECN marking and of random links (DcnLinkChoice).
     * Call it before Install.
     * @param stream stream number
     * @return streams used: 1
     */
    int64_t AssignStreams(int64_t stream);

  private:
    struct Settings; //!< of the session

    void DoDispose() override;
    void Stop();
    Settings MakeSettings() const;
    void CheckUnchanged() const;
    DcnPacketSession& GetSession() const;
    void CheckAdds() const;
    [[noreturn]] void RefuseThreads(const std::string& why) const;
    void FollowNs3();

    Ptr<const DcnScenario> m_scenario;           //!< see GetScenario
    Ptr<const DcnTopology> m_topology;           //!< nodes and links; null before Install
    Ptr<const DcnNetworkConfig> m_config;        //!< the configuration
    std::vector<std::shared_ptr<DcnPacketListener>> m_listeners; //!< of AddListener; so are these
    std::unique_ptr<DcnPacketSession> m_session; //!< the simulation; null before Install
    int64_t m_stream{0};                         //!< see AssignStreams
    std::unique_ptr<DcnPacketRun> m_run;         //!< of Run; null before
    // attributes
    Time m_stopTime;              //!< StopTime
    uint32_t m_inFlightPerRack;   //!< InFlightPerRack
    uint32_t m_nThreads;          //!< Threads
    uint32_t m_nPartitions;       //!< Partitions
    uint64_t m_sharedEvents;      //!< SharedEvents
    bool m_telemetryQuantised;    //!< TelemetryQuantised
    bool m_losslessHeadroom;      //!< LosslessHeadroom
    Time m_nackInterval;          //!< NackInterval
    Time m_retransmissionTimeout; //!< RetransmissionTimeout
    bool m_skips;                 //!< Skip
    double m_skipTolerance;       //!< SkipTolerance
};

} // namespace ns3

#endif /* DCN_PACKET_NETWORK_H */

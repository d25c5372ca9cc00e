/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef DCN_PACKET_SESSION_H
#define DCN_PACKET_SESSION_H

#include "dcn-packet-fabric.h"
#include "dcn-packet-listeners.h"
#include "dcn-packet-partitions.h"

#include "ns3/dcn-closed-loop.h"
#include "ns3/dcn-scenario.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <map>
#include <memory>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

namespace ns3
{

class DcnSteadySkip;

/**
 * @ingroup dcn-packet
 * @brief A packet-level simulation with a clock of its own: flows, their frames and their events.
 *
 * **Problem.** Given a fabric (DcnPacketFabric), flows that begin at given times or are added one
 * by one, and a congestion control for each: find when each flow is delivered. All state changes at
 * events, which are in one list with an order of its own (DcnWindowEvents), so that whoever lets
 * the time go on gets the results of everybody else:
 *
 * - a program without ns-3's simulator: AdvanceTo and GetNextEventNs, as with other sessions
 *   (DcnIsSession);
 * - ns-3 (DcnPacketNetwork): FollowNs3, one event of ns-3 for the events of a nanosecond;
 * - threads: RunWindows, for a network that Cut divides.
 *
 * Flows of a scenario are scheduled by ScheduleStarts. With inFlightPerRack they are a closed loop
 * (DcnClosedLoop): a flow waits while the rack of its source has that many flows in flight.
 */
class DcnPacketSession final : private DcnPartitionedNetwork
{
  public:
    /// A time that never comes [ns].
    static constexpr int64_t NEVER = DcnWindowEvents::NEVER;

    /// Settings that are not in DcnNetworkConfig; attributes of DcnPacketNetwork.
    struct Settings : DcnPacketFabric::Settings
    {
        int64_t nackIntervalNs{500'000};            //!< least time between NACKs for a byte [ns]
        int64_t retransmissionTimeoutNs{1'000'000}; //!< time without progress after a loss [ns]
        bool skips{false};                          //!< steady states are skipped (DcnSteadySkip)
        double skipTolerance{0.01};                 //!< difference of rates in a steady state
        uint32_t inFlightPerRack{0};                //!< limit of the closed loop; 0: open loop
    };

    /**
     * @brief A session whose flows are added one by one.
     * @param topology nodes and links
     * @param config the configuration
     * @param settings see Settings
     * @param listener outlives the session; null: none
     * @throws DcnError as DcnPacketFabric, or if something cannot be had with skips
     */
    DcnPacketSession(Ptr<const DcnTopology> topology,
                     Ptr<const DcnNetworkConfig> config,
                     const Settings& settings,
                     DcnPacketListener* listener = nullptr);

    /**
     * @brief A session of a scenario's flows.
     * @param scenario topology, flows and configuration
     * @param settings see Settings
     * @param listener outlives the session; null: none
     * @throws DcnError as the other one, or if a flow or its path is too long
     */
    DcnPacketSession(Ptr<const DcnScenario> scenario,
                     const Settings& settings,
                     DcnPacketListener* listener = nullptr);
    ~DcnPacketSession();
    DcnPacketSession(const DcnPacketSession&) = delete;
    DcnPacketSession& operator=(const DcnPacketSession&) = delete;

    /// No event runs any more, and devices let go of the nodes; completion times stay.
    void Stop();

    /**
     * @brief Tell a listener of flows.
     * @param listener outlives the session, or Stop
     */
    void AddListener(DcnPacketListener& listener)
    {
        m_listeners.Add(listener);
    }

    /** @return listeners of trace sources of devices that only one thread may call. */
    uint32_t GetNOtherTraces() const;

    // the clock; of a network that is not cut

    /** @return present time [ns]. */
    int64_t GetNowNs() const
    {
        return m_partitions.GetWhole().events.GetNowNs();
    }

    /** @return time of the next event [ns]; NEVER: there is none. */
    int64_t GetNextEventNs()
    {
        return m_partitions.GetWhole().events.GetList().GetNextNs();
    }

    /**
     * @brief Run the events until a time, and let it be the present one; not with FollowNs3.
     * @param timeNs not before the present time [ns]; events at it run
     * @throws DcnError if it is before the present time, or NEVER
     */
    void AdvanceTo(int64_t timeNs);

    /**
     * @brief ns-3 lets the time go on from now on (DcnPacketEvents::FollowNs3).
     * @param turn calls RunTurn
     */
    void FollowNs3(std::function<void(int64_t nowNs)> turn)
    {
        m_partitions.GetWhole().events.FollowNs3(std::move(turn));
    }

    /// The session lets the time go on from now on; events of ns-3 that are pending do nothing.
    void LeaveNs3();

    /// After windows, the time is ns-3's again, which may have no event for the packets.
    void EndTurns();

    /**
     * @brief Run events in a turn of ns-3 (DcnPacketPartition::RunTurn).
     * @param nowNs present time [ns]
     * @param untilNs events before it run, of the present time only [ns]
     */
    void RunTurn(int64_t nowNs, int64_t untilNs)
    {
        m_partitions.GetWhole().RunTurn(nowNs, untilNs);
    }

    // flows

    /**
     * @brief The flows of the scenario start at their times.
     * @param originNs time of the scenario's 0 [ns]
     */
    void ScheduleStarts(int64_t originNs);

    /**
     * @brief Add a flow that starts now; without a scenario.
     * @param flow ends and size; its start time is ignored
     * @param path its links
     * @return its flow index, from 0 in the order of the calls
     * @throws DcnError if the flow or its path is too long
     */
    std::size_t AddFlow(const DcnFlow& flow, DcnPath path);

    /**
     * @brief Add a flow that starts now, as to other sessions.
     * @param id its id
     * @param path its links, from its source to its destination
     * @param bytes payload, > 0
     * @return its flow index
     */
    std::size_t AddFlow(uint64_t id, DcnPath path, uint64_t bytes);

    /**
     * @brief Add a connection, whose messages are sent back to back (DcnPacketFlow).
     * @param ends source and destination; size and start time are ignored
     * @param path its links
     * @return its flow index, as of AddFlow
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
     * @brief Change the rate of a cable from now on (DcnPacketFabric::ChangeLink).
     * @param link one of its directed link indices
     * @param rateBps its rate [bit/s]; 0: it fails
     */
    void ChangeLink(uint32_t link, uint64_t rateBps);

    // windows

    /** @return the partitions of the network, for SetCut and sums. */
    DcnPacketPartitions& GetPartitions()
    {
        return m_partitions;
    }

    /** @return why one thread has to simulate all flows; empty: several can. After SetCut. */
    std::string GetWhyOneThread() const;

    /**
     * @brief Divide the network into partitions; before ScheduleStarts.
     * @throws DcnError if one thread has to simulate all flows
     * @param nWanted partitions, unless DcnPacketPartitions::SetCut gave them
     * @return partitions
     */
    uint32_t Cut(uint32_t nWanted);

    /// What windows have done.
    struct Windows
    {
        int64_t lastNs;           //!< time of the last event [ns]
        bool canMove;             //!< packets could have gone on at the end
        DcnWindowLoop::Cost cost; //!< of the windows
    };

    /**
     * @brief Simulate until nothing is pending or can move, or until a time.
     * @param nThreads that share the partitions, > 0
     * @param sharedEvents events of a window from which on threads share the next one
     * @param untilNs events before it run; NEVER: all [ns]
     * @param show called now and then, between windows
     * @return what was done
     */
    Windows RunWindows(uint32_t nThreads,
                       uint64_t sharedEvents,
                       int64_t untilNs,
                       const std::function<void()>& show);

    // state

    /** @return the settings. */
    const Settings& GetSettings() const
    {
        return m_settings;
    }

    /** @return the fabric. */
    const DcnPacketFabric& GetFabric() const
    {
        return m_fabric;
    }

    /**
     * @param flow flow index
     * @return the flow, of the scenario or of AddFlow
     */
    const DcnFlow& GetFlow(std::size_t flow) const override;

    /**
     * @param flow flow index
     * @return its links
     */
    DcnPath GetPath(std::size_t flow) const;

    /** @return completion time by flow index [ns], -1 for flows that are not complete. */
    const std::vector<int64_t>& GetFctNs() const
    {
        return m_fctNs;
    }

    /**
     * @param flow flow index
     * @return when it began, from the scenario's time 0 [ns]: its start time, or later if the
     * closed loop held it back; -1 before
     */
    int64_t GetReleaseNs(std::size_t flow) const;

    /** @return whether nothing is pending and every flow but connections is acknowledged. */
    bool IsOver();

    /**
     * @return time between two looks whether packets still move: longer than anything but the
     * timers of congestion controls, which go on for ever [ns]
     */
    int64_t GetWatchNs() const
    {
        return 100 * m_settings.retransmissionTimeoutNs;
    }

    /** @return whether a packet can still move. */
    bool CanMove() const;

    /**
     * @param isCut whether the simulation was cut while packets could move
     * @return flows that have started and are not complete, by the reason they wait
     */
    std::map<std::string, uint64_t> GetUnfinished(bool isCut) const;

    /** @return end of the last transmission, or start of the first flow of the scenario [ns]. */
    int64_t GetLastTransmissionNs() const;

    /** @return latest time of an event, of all partitions [ns]. */
    int64_t GetLatestNs() const;

    /** @return payload that receivers of the scenario's flows have in order [bytes]. */
    uint64_t GetDeliveredBytes() const;

    /** @return simulated time in which packets were left out [ns], and the number of skips. */
    std::pair<int64_t, uint64_t> GetSkipped() const;

    /// Let packets that are being skipped go on: counters of devices and flows are those of now.
    void Resume() const;

  private:
    DcnPacketSession(Ptr<const DcnTopology> topology,
                     Ptr<const DcnNetworkConfig> config,
                     const std::vector<uint32_t>& senders,
                     const Settings& settings,
                     DcnPacketListener* listener);

    void OnStart(DcnPacketPartition& partition, std::size_t flow, int64_t nowNs) override;
    DcnPacketPartition& OnDelivered(const DcnPacketFlow& flow, int64_t nowNs) override;
    void OnAcknowledged(const DcnPacketFlow& flow, int64_t nowNs) override;
    void OnLook(uint64_t number) override;

    std::size_t Append(const DcnFlow& flow, DcnPath path);
    /// Returns a flow of AddFlow that is not acknowledged; null: there is none.
    DcnPacketFlow* FindFlow(uint64_t id, uint32_t source) const;
    void Hold(DcnPacketFlow* flow);
    void Move(DcnPacketFlow* flow, DcnPath path);
    DcnPacketFlow* BeginFlow(DcnPacketPartition& partition,
                             std::size_t index,
                             uint64_t sizeBytes,
                             DcnPath path,
                             int64_t nowNs);
    void FollowListeners(DcnPacketPartition& partition) const;
    std::size_t GetNStarted() const;
    DcnPacketPartition& GetPartitionOf(std::size_t flow) const;

    Ptr<const DcnScenario> m_scenario;    //!< null: flows are added one by one
    Ptr<const DcnTopology> m_topology;    //!< nodes and links
    Ptr<const DcnNetworkConfig> m_config; //!< the configuration
    Settings m_settings;                  //!< see Settings
    DcnPacketListeners m_listeners;       //!< see AddListener
    DcnPacketFabric m_fabric;             //!< devices and switches
    DcnPacketPartitions m_partitions;     //!< events, frames and flows
    std::vector<DcnFlow> m_added;         //!< flows of AddFlow, by flow index
    DcnPathTable m_addedPaths;            //!< their paths
    std::unordered_map<std::size_t, DcnPacketFlow*> m_connections; //!< by flow index
    std::map<std::size_t, DcnPacketFlow*> m_held; //!< that send nothing, by flow index
    std::vector<int64_t> m_fctNs;                                  //!< see GetFctNs
    std::unique_ptr<DcnClosedLoop> m_loop;                         //!< null: open loop
    std::unique_ptr<DcnSteadySkip> m_skip; //!< null: every packet is simulated
    int64_t m_originNs{0};                 //!< time of the scenario's 0 [ns]
};

} // namespace ns3

#endif /* DCN_PACKET_SESSION_H */

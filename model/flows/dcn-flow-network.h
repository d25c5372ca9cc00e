/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef DCN_FLOW_NETWORK_H
#define DCN_FLOW_NETWORK_H

#include "ns3/dcn-flow.h"
#include "ns3/dcn-network-config.h"
#include "ns3/dcn-routing.h"
#include "ns3/dcn-topology.h"
#include "ns3/dcn-units.h"
#include "ns3/event-id.h"
#include "ns3/node.h"
#include "ns3/nstime.h"
#include "ns3/object.h"
#include "ns3/traced-callback.h"

#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

namespace ns3
{

class DcnDetours;

/**
 * @ingroup dcn
 * @brief A network inside an ns-3 simulation as applications see it: flows are added while the
 * simulation runs, and complete as ns-3 events.
 *
 * Subclasses simulate the flows: as packets (DcnPacketFlowNetwork), as fluids (FlowsimNetwork), or
 * with a learned model (M4FlowNetwork). An application that uses only this class runs on all.
 *
 * **Connections.** A flow of its own starts at the largest rate and shares the sender's link with
 * the sender's other flows. A *message* is a flow of a connection, as a work request is one of a
 * queue pair: the connection has one path, one state of congestion control, and sends the bytes of
 * its messages back to back, in the order of AddMessage. So message k is sent when message k - 1
 * has left the sender, not when it has arrived. No packet has bytes of two messages. Connections
 * last as long as the network; one without messages costs nothing.
 *
 * A flow or message is *complete* when the receiver has it, and *acknowledged* when the sender
 * knows this. In flowsim and m4 the acknowledgement takes the time of 60 bytes on the empty way
 * back.
 *
 * **Cut off.** A flow or connection whose destination cannot be reached over working links
 * (FailLink) is *cut off*: it sends nothing, and waits until a repair brings back a path, its own
 * one or a detour. Then it goes on: packets with the first byte that is not acknowledged, fluids
 * and m4 with what is left. The time of waiting is part of its completion time. What is on its way
 * beyond the failed link still arrives. Without a repair it never completes.
 *
 * Sinks of FlowCompleted and FlowAcknowledged may add flows: the network is then a closed loop.
 * Simulator::Run throws the exception of a sink; the simulation can continue and then reports the
 * remaining completions of that instant.
 */
class DcnFlowNetwork : public Object
{
  public:
    /**
     * @brief Signature of FlowCompleted and FlowAcknowledged.
     * @param flow number of the flow or message
     * @param completionTime time since its start, which is that of AddMessage for a message
     */
    typedef void (*CompletionCallback)(uint64_t flow, Time completionTime);

    /**
     * @brief Signature of ConnectionCutOff.
     * @param connection number of the connection
     * @param isCutOff true: its destination cannot be reached from now on; false: it can again
     */
    typedef void (*CutOffCallback)(uint64_t connection, bool isCutOff);

    /**
     * @brief Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();
    DcnFlowNetwork();
    ~DcnFlowNetwork() override;

    /**
     * @brief Sets the network; once, before flows are added. Attributes are read here.
     * @param topology the network
     * @param config its configuration
     * @throws DcnError if the configuration is not valid for the network
     */
    void Install(Ptr<const DcnTopology> topology, Ptr<const DcnNetworkConfig> config);

    /**
     * @brief Adds a flow that starts now.
     * @param source the sender
     * @param destination the receiver
     * @param bytes payload, > 0
     * @return its number; flows are numbered from 0
     * @throws DcnError if an end is not a host of the network, both ends are equal, or the size
     * is out of range
     */
    uint64_t AddFlow(Ptr<Node> source, Ptr<Node> destination, uint64_t bytes);

    /**
     * @brief Adds a flow that starts later.
     * @param start simulation time
     * @param source the sender
     * @param destination the receiver
     * @param bytes payload, > 0
     * @return its number
     * @throws DcnError as AddFlow, and if the start is in the past
     */
    uint64_t AddFlowAt(Time start, Ptr<Node> source, Ptr<Node> destination, uint64_t bytes);

    /**
     * @brief Adds a flow that starts now on a given path, such as that of the installed IP routing
     * (DcnIpRoutes).
     * @param source the sender
     * @param destination the receiver
     * @param bytes payload, > 0
     * @param links directed links from source to destination, each at most once
     * @return its number
     * @throws DcnError as AddFlow, and if the links are no path from source to destination
     */
    uint64_t AddFlowOnPath(Ptr<Node> source,
                           Ptr<Node> destination,
                           uint64_t bytes,
                           const std::vector<uint32_t>& links);

    /**
     * @brief Connects two hosts.
     * @param source the sender
     * @param destination the receiver
     * @return number of the connection; connections are numbered from 0. The k-th connection from
     * source to destination, from 0, has channel k
     * @throws DcnError if an end is not a host of the network, or both ends are equal
     */
    uint64_t Connect(Ptr<Node> source, Ptr<Node> destination);

    /**
     * @brief Connects two hosts over a path that does not depend on earlier connections.
     * @param source the sender
     * @param destination the receiver
     * @param channel chooses the path, as the ports of a queue pair do: Seed, source, destination
     * and channel determine it
     * @return number of the connection, as above
     * @throws DcnError as above
     */
    uint64_t Connect(Ptr<Node> source, Ptr<Node> destination, uint64_t channel);

    /**
     * @brief Adds a message to a connection; it is sent after those that were added before.
     * @param connection number of the connection
     * @param bytes payload, > 0
     * @return number of the message, in one sequence with those of flows
     * @throws DcnError if there is no such connection, or the size is out of range
     */
    uint64_t AddMessage(uint64_t connection, uint64_t bytes);

    /**
     * @param connection number of a connection
     * @return its links at present; those before it was cut off if it has none
     * @throws DcnError if there is no such connection
     */
    const std::vector<uint32_t>& GetConnectionPath(uint64_t connection) const;

    /// @return number of flows and messages that have started (or were added) and are not complete
    std::size_t GetNActive() const;

    /**
     * @param connection number of a connection
     * @return whether it is cut off: its destination cannot be reached over working links
     * @throws DcnError if there is no such connection
     */
    bool IsCutOff(uint64_t connection) const;

    /// @return whether links can fail and change their rates
    virtual bool HasLinkChanges() const;

    /**
     * @brief Lets a cable fail now, both directions.
     *
     * Flows and connections whose path has the cable take a detour at once, those that start later
     * too: the shortest paths over working links, of several the one of DcnDetours' hash. Others
     * keep their paths. Those whose destination cannot be reached any more are cut off. In packets,
     * frames that wait for the cable, are on it or come to it by an old path are lost, and the
     * transport sends them again.
     * @param link one of its directed link indices
     * @throws DcnError if the cable has failed already, if there is no such link, and for networks
     * without HasLinkChanges or with many paths per flow
     */
    void FailLink(uint32_t link);

    /**
     * @brief Lets a failed cable work again. What had a path over it returns to this path, and what
     * was cut off goes on.
     * @param link one of its directed link indices
     * @throws DcnError if it has not failed, and as FailLink
     */
    void RepairLink(uint32_t link);

    /**
     * @param link one of the directed link indices of a cable
     * @return whether it has failed
     * @throws DcnError if there is no such link
     */
    bool HasFailed(uint32_t link) const;

    /**
     * @brief Changes the rate of a cable from now on, both directions; paths stay as they are.
     * @param link one of its directed link indices
     * @param rateBps its rate [bit/s], > 0 and at most that of the topology, which ideal times have
     * @throws DcnError for another rate, and as FailLink
     */
    void SetLinkRate(uint32_t link, uint64_t rateBps);

    /// @return how often flows and connections took another path
    uint64_t GetNMoved() const;

    /**
     * @return a sentence on how its answers differ from those of the method of its name for the
     * same flows (DcnEstimator); empty if they are equal, or before Install
     */
    virtual std::string GetNote() const;

  protected:
    void DoDispose() override;

    /// @return number of flows added so far, which is the number of the next flow
    uint64_t GetNFlows() const;

    /**
     * @brief To be called by subclasses when a flow is complete.
     * @param flow number of the flow
     * @param fctNs its completion time [ns]
     */
    void Complete(uint64_t flow, int64_t fctNs);

    /**
     * @brief To be called by subclasses when the sender has the last acknowledgement of a flow.
     * @param flow number of the flow
     * @param timeNs time since its start [ns]
     */
    void Acknowledge(uint64_t flow, int64_t timeNs);

    /**
     * @brief To be called by subclasses when a flow needs its path no longer.
     * @param flow number of a flow; a message has no path of its own
     */
    void Forget(uint64_t flow);

    /// @return whether somebody listens to FlowAcknowledged: Acknowledge is needed
    bool HasAcknowledgementSink() const;

    /// @return the network; null before Install
    Ptr<const DcnTopology> GetInstalledTopology() const;

  private:
    /// A completion or acknowledgement to be reported.
    struct Done
    {
        uint64_t flow;       //!< its number
        int64_t timeNs;      //!< since its start
        bool isAcknowledged; //!< false: complete
    };

    /// The path of a flow or connection.
    struct Route
    {
        DcnFlow key;                  //!< source, destination and id for DcnRouting
        std::vector<uint32_t> home;   //!< path as long as its links work
        std::vector<uint32_t> detour; //!< present path; empty: home
        bool isCutOff{false};         //!< its destination cannot be reached
        bool hasBegun{true};          //!< false: a flow that has been cut off since its start

        /// @return the present path
        const std::vector<uint32_t>& Get() const
        {
            return detour.empty() ? home : detour;
        }
    };

    /// A new path of a flow or connection.
    struct Move
    {
        uint64_t number;             //!< of the flow or connection
        Route* route;                //!< its route
        std::vector<uint32_t> links; //!< its new path; empty: there is none
    };

    /// Makes the simulation; it uses topology and configuration by reference.
    virtual void DoInstall(Ptr<const DcnTopology> topology, Ptr<const DcnNetworkConfig> config) = 0;
    /// Starts a flow, now.
    virtual void DoStart(const DcnFlow& flow, DcnPath path) = 0;
    /// Makes the next connection.
    virtual void DoConnect(const DcnFlow& ends, DcnPath path) = 0;
    /// Adds a message, which starts now, to a connection.
    virtual void DoAddMessage(uint64_t connection, const DcnFlow& message) = 0;
    /// Destroys the simulation.
    virtual void DoStop() = 0;
    /// Refuses a path that a flow cannot take.
    virtual void DoCheckPath(const DcnFlow& flow, DcnPath path) const;
    /// Changes the rate of a cable, which works [bit/s]; 0: it fails. Called before new paths.
    virtual void DoChangeLink(uint32_t link, uint64_t rateBps);
    /// Lets a flow wait until it is moved.
    virtual void DoHold(const DcnFlow& flow);
    /// Lets a connection wait until it is moved.
    virtual void DoHoldConnection(uint64_t connection);
    /// Gives a flow another path, now; one that waits goes on.
    virtual void DoMove(uint64_t flow, DcnPath path);
    /// Gives a connection another path, now; one that waits goes on.
    virtual void DoMoveConnection(uint64_t connection, DcnPath path);

    /// Checks the arguments of AddFlow and AddFlowAt. The number is that of the next flow.
    DcnFlow MakeFlow(Time start, Ptr<Node> source, Ptr<Node> destination, uint64_t bytes) const;
    /// Returns the node index of a host.
    uint32_t FindHost(Ptr<Node> node) const;
    /// Returns a connection by its number.
    const Route& FindConnection(uint64_t connection) const;
    /// Refuses a link that cannot be changed.
    void CheckLink(uint32_t link, const char* function) const;
    /// Returns the detour of a path that is cut, else no links; none also if there is no way.
    std::vector<uint32_t> FindDetour(const DcnFlow& key, const std::vector<uint32_t>& home) const;
    /// Finds out whether a flow or connection has to move when detours change.
    void CollectMove(uint64_t number, Route& route, std::vector<Move>& moves) const;
    /// Sets the failed cables and moves flows and connections; the rate is that of DoChangeLink.
    void SetFailed(std::set<uint32_t> failed, uint32_t link, uint64_t rateBps);
    /// Gives a flow another path, or none.
    void MoveFlow(Move& move);
    /// Gives a connection another path, or none. @return whether it is cut off now or was before
    bool MoveConnection(Move& move);
    /// Returns whether a flow or connection has no path over working links.
    bool IsUnreachable(const Route& route) const;
    /// Reports, after the present event.
    void ReportSoon(const Done& done);
    /// Routes a flow and starts it, now.
    void Start(const DcnFlow& flow);
    /// Starts a flow on a path, now.
    void StartOnPath(const DcnFlow& flow, const std::vector<uint32_t>& links);
    /// Calls the sinks for completions that are not yet reported.
    void Report();

    uint64_t m_seed;                                   //!< attribute: seed of the paths
    Ptr<const DcnTopology> m_topology;                 //!< the network
    Ptr<const DcnNetworkConfig> m_config;              //!< its configuration
    std::unique_ptr<DcnRouting> m_routing;             //!< paths
    std::unordered_map<uint32_t, uint32_t> m_index;    //!< node index by ns-3 node id
    std::vector<Route> m_connections;                  //!< by number
    std::unordered_map<uint64_t, uint64_t> m_nOfPair;  //!< connections by source and destination
    std::unordered_map<uint64_t, Route> m_routes;      //!< of flows, by number, until Forget
    std::set<uint32_t> m_failed;                       //!< failed cables, by link index / 2
    std::unique_ptr<const DcnDetours> m_detours;       //!< around these; null: there are none
    std::map<uint32_t, uint64_t> m_rates;              //!< changed rates by cable [bit/s]
    std::unordered_map<uint64_t, int64_t> m_delays;    //!< of flows that began late, by number [ns]
    uint64_t m_nMoved{0};                              //!< see GetNMoved
    std::vector<Done> m_done;                          //!< to be reported
    EventId m_report;                                  //!< pending call of Report
    uint64_t m_nFlows{0};                              //!< number of the next flow
    std::size_t m_nActive{0};                          //!< see GetNActive
    TracedCallback<uint64_t, Time> m_flowCompleted;    //!< FlowCompleted
    TracedCallback<uint64_t, Time> m_flowAcknowledged; //!< FlowAcknowledged
    TracedCallback<uint64_t, bool> m_cutOff;           //!< ConnectionCutOff
};

} // namespace ns3

#endif /* DCN_FLOW_NETWORK_H */

/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef DCN_FLOW_NETWORK_H
#define DCN_FLOW_NETWORK_H

#include "ns3/dcn-flow.h"
#include "ns3/dcn-ideal-fct.h"
#include "ns3/dcn-network-config.h"
#include "ns3/dcn-routing.h"
#include "ns3/dcn-topology.h"
#include "ns3/dcn-units.h"
#include "ns3/event-id.h"
#include "ns3/node.h"
#include "ns3/nstime.h"
#include "ns3/object.h"
#include "ns3/simulator.h"
#include "ns3/traced-callback.h"

#include <cstdint>
#include <deque>
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

/**
 * @ingroup dcn
 * @brief What a flow of a session is.
 */
enum class DcnFlowKind
{
    FLOW,        //!< a flow of its own
    MESSAGE,     //!< a message of a connection that had nothing to send
    NEXT_MESSAGE //!< a message whose first byte follows the last byte of another one
};

/**
 * @ingroup dcn
 * @brief Couples a flow-level simulation with a clock of its own to the clock of ns-3.
 *
 * Every addition and every query first advances the session to the present time; the next event of
 * the session is an ns-3 event. DcnDriveClosedLoop describes sessions.
 *
 * A session knows no connections. Of each connection it has the message that is being sent, as a
 * flow; when that flow leaves its links (the session's departure listener), the next message
 * becomes a flow at that instant. AddToSession learns the kind of each.
 *
 * @tparam Session the simulation; Session::Handle names a flow in it until it completes
 */
template <class Session>
class DcnSessionNetwork : public DcnFlowNetwork
{
  protected:
    /**
     * @brief To be called once by DoInstall of subclasses.
     * @param session the simulation, without flows
     */
    void SetSession(std::unique_ptr<Session> session)
    {
        m_session = std::move(session);
        // the network may be installed during a simulation
        m_session->AdvanceTo(Simulator::Now().GetNanoSeconds());
        m_session->SetDeliveryListener(
            [this](uint64_t flow, int64_t fctNs) { OnDelivered(flow, fctNs); });
        m_session->SetDepartureListener([this](uint64_t flow, int64_t /* timeNs */) {
            OnDeparture(flow);
            Forget(flow);
            SendNext(flow);
        });
    }

    /**
     * @brief Bring the simulation to the present time.
     * @return the simulation; null unless installed
     */
    Session* GetSession()
    {
        if (m_session)
        {
            m_session->AdvanceTo(Simulator::Now().GetNanoSeconds());
        }
        return m_session.get();
    }

    /**
     * @param flow number of a flow
     * @return its handle; null unless it is in the session: a message that waits is not
     */
    const typename Session::Handle* FindHandle(uint64_t flow) const
    {
        const auto active = m_active.find(flow);
        return active == m_active.end() ? nullptr : &active->second.handle;
    }

    void DoStart(const DcnFlow& flow, DcnPath path) override
    {
        GetSession();
        Begin(flow, path, NO_CONNECTION, DcnFlowKind::FLOW);
        UpdateSoon();
    }

    void DoConnect(const DcnFlow& /* ends */, DcnPath path) override
    {
        m_connections.push_back({{path.begin(), path.end()}, {}, {}, false});
    }

    void DoAddMessage(uint64_t connection, const DcnFlow& message) override
    {
        GetSession(); // may end the message before
        m_connections[connection].messages.push_back(message);
        if (m_connections[connection].messages.size() == 1 && !m_connections[connection].isHeld)
        {
            Send(connection, DcnFlowKind::MESSAGE);
            UpdateSoon();
        }
    }

    void DoHold(const DcnFlow& flow) override
    {
        GetSession();
        Suspend(flow.id);
        UpdateSoon();
    }

    void DoHoldConnection(uint64_t connection) override
    {
        GetSession();
        Connection& held = m_connections[connection];
        held.isHeld = true;
        if (!held.messages.empty())
        {
            Suspend(held.messages.front().id);
            UpdateSoon();
        }
    }

    void DoMove(uint64_t flow, DcnPath path) override
    {
        Session* session = GetSession();
        const auto active = m_active.find(flow);
        if (active != m_active.end())
        {
            active->second.returnNs = GetReturnNs(path);
            if (!MoveInSession(*session, active->second.handle, path))
            {
                Suspend(flow);
            }
        }
        Continue(flow, path);
        UpdateSoon();
    }

    void DoMoveConnection(uint64_t connection, DcnPath path) override
    {
        GetSession();
        Connection& moved = m_connections[connection];
        moved.path.assign(path.begin(), path.end());
        const bool wasHeld = std::exchange(moved.isHeld, false);
        if (moved.messages.empty())
        {
            return;
        }
        if (wasHeld && m_rests.count(moved.messages.front().id) == 0)
        {
            Send(connection, DcnFlowKind::MESSAGE); // it was added meanwhile
            UpdateSoon();
            return;
        }
        DoMove(moved.messages.front().id, path);
    }

    /**
     * @brief Take a flow that has not left its links out of the session; nothing if it is not
     * there. The session is at the present time.
     * @param flow number of a flow or message
     */
    void Suspend(uint64_t flow)
    {
        const auto found = m_active.find(flow);
        if (found == m_active.end())
        {
            return;
        }
        const Active active = found->second;
        m_active.erase(found);
        const uint64_t bytes = m_session->Withdraw(active.handle);
        if (active.connection != NO_CONNECTION)
        {
            m_connections[active.connection].sent.pop_back();
        }
        OnSuspended(flow, bytes);
        m_rests[flow] = {bytes, active};
    }

    /**
     * @brief Let a flow that is suspended go on with what is left; nothing if it is not.
     * @param flow number of a flow or message
     * @param path its links
     */
    void Continue(uint64_t flow, DcnPath path)
    {
        const auto found = m_rests.find(flow);
        if (found == m_rests.end())
        {
            return;
        }
        const Rest rest = found->second;
        m_rests.erase(found);
        const DcnTopology& topology = *GetInstalledTopology();
        const DcnFlow left{flow,
                           topology.GetLink(path[0]).from,
                           topology.GetLink(path[path.size() - 1]).to,
                           rest.bytes,
                           rest.active.startNs};
        const uint64_t connection = rest.active.connection;
        if (connection != NO_CONNECTION)
        {
            m_connections[connection].sent.push_back(flow);
        }
        Begin(left,
              path,
              connection,
              connection == NO_CONNECTION ? DcnFlowKind::FLOW : DcnFlowKind::MESSAGE);
        m_active.at(flow).isRest = true;
    }

    /// Has Update called after the present event, so that flows of one instant are admitted
    /// together. An event that is only cancelled stays with the simulator until its time, which may
    /// be far.
    void UpdateSoon()
    {
        Simulator::Remove(m_event);
        m_event = Simulator::ScheduleNow(&DcnSessionNetwork::Update, this);
    }

    void DoStop() override
    {
        m_event.Cancel();
        m_session.reset();
        m_active.clear();
        m_rests.clear();
        m_connections.clear();
    }

  private:
    static constexpr uint64_t NO_CONNECTION = UINT64_MAX; //!< see Active

    /// A flow in the session.
    struct Active
    {
        typename Session::Handle handle; //!< its handle
        int64_t startNs;                 //!< when it began; of a message: when it was added
        uint64_t connection;             //!< that of a message, else NO_CONNECTION
        int64_t returnNs;                //!< time of an acknowledgement [ns], if it is needed
        bool hasArrived;                 //!< a message that waits for the one before it to arrive
        bool isRest;                     //!< a part of it was sent before it was suspended
    };

    /// What is left of a flow that is suspended.
    struct Rest
    {
        uint64_t bytes; //!< payload that was not sent
        Active active;  //!< as it was before
    };

    /// A connection.
    struct Connection
    {
        std::vector<uint32_t> path;   //!< its links
        std::deque<DcnFlow> messages; //!< that have not left the sender; the first is a flow
        std::deque<uint64_t> sent;    //!< in their order, messages that have not been delivered
        bool isHeld;                  //!< nothing is sent
    };

    /// Gives a flow another path within the session. @return false: the session cannot; then what
    /// is left of the flow goes on as another one
    virtual bool MoveInSession(Session& /* session */,
                               typename Session::Handle /* flow */,
                               DcnPath /* path */)
    {
        return false;
    }

    /// A flow was taken out of the session; so many bytes of its payload were not sent.
    virtual void OnSuspended(uint64_t /* flow */, uint64_t /* bytes */)
    {
    }

    /// A flow has left its links, for further steps of subclasses.
    virtual void OnDeparture(uint64_t /* flow */)
    {
    }

    /// Adds a flow to the session, now.
    void Begin(const DcnFlow& flow, DcnPath path, uint64_t connection, DcnFlowKind kind)
    {
        m_active[flow.id] = {AddToSession(*m_session, flow, path, kind),
                             flow.startNs,
                             connection,
                             GetReturnNs(path),
                             false,
                             false};
    }

    /// Returns the time of an acknowledgement on the empty way back [ns], 0 if it is not needed.
    int64_t GetReturnNs(DcnPath path) const
    {
        int64_t delayNs = 0;
        int64_t ticks = 0;
        if (HasAcknowledgementSink())
        {
            for (const uint32_t link : path)
            {
                const DcnLink& back = GetInstalledTopology()->GetLink(DcnTopology::Reverse(link));
                delayNs += back.delayNs;
                ticks += DcnSerializationTicks(DCN_ACK_BYTES, back.rateBps);
            }
        }
        return delayNs + (ticks >> DCN_TICK_BITS);
    }

    /// Makes the first message of a connection a flow.
    void Send(uint64_t connection, DcnFlowKind kind)
    {
        const std::vector<uint32_t>& path = m_connections[connection].path;
        m_connections[connection].sent.push_back(m_connections[connection].messages.front().id);
        Begin(m_connections[connection].messages.front(),
              {path.data(), path.data() + path.size()},
              connection,
              kind);
    }

    /// A flow has left its links: the next message of its connection follows.
    void SendNext(uint64_t flow)
    {
        const uint64_t connection = m_active.at(flow).connection;
        if (connection != NO_CONNECTION)
        {
            m_connections[connection].messages.pop_front();
            if (!m_connections[connection].messages.empty())
            {
                Send(connection, DcnFlowKind::NEXT_MESSAGE);
            }
        }
    }

    /// The last byte of a flow has arrived.
    void OnDelivered(uint64_t flow, int64_t fctNs)
    {
        Active& active = m_active.at(flow);
        const uint64_t connection = active.connection;
        if (connection == NO_CONNECTION)
        {
            Deliver(flow, active.isRest ? m_session->GetNowNs() - active.startNs : fctNs);
            return;
        }
        // The bytes of a connection arrive in their order, also if a short packet has a shorter way
        // through the switches than the long one before it.
        active.hasArrived = true;
        while (!m_connections[connection].sent.empty())
        {
            const uint64_t first = m_connections[connection].sent.front();
            const Active& message = m_active.at(first);
            if (!message.hasArrived)
            {
                return;
            }
            m_connections[connection].sent.pop_front();
            Deliver(first, m_session->GetNowNs() - message.startNs); // with the time in the queue
        }
    }

    /// The receiver has a flow.
    void Deliver(uint64_t flow, int64_t fctNs)
    {
        const auto found = m_active.find(flow);
        const Active active = found->second;
        m_active.erase(found);
        Complete(flow, fctNs);
        if (HasAcknowledgementSink())
        {
            Simulator::Schedule(NanoSeconds(active.returnNs),
                                &DcnSessionNetwork::Acknowledge,
                                Ptr<DcnSessionNetwork>(this),
                                flow,
                                fctNs + active.returnNs);
        }
    }

    /// Adds a flow, or the message of a connection that is sent from now on.
    virtual typename Session::Handle AddToSession(Session& session,
                                                  const DcnFlow& flow,
                                                  DcnPath path,
                                                  DcnFlowKind /* kind */)
    {
        return session.AddFlow(flow.id, path, flow.sizeBytes);
    }

    /// Called after every update, for further reports of subclasses.
    virtual void OnUpdate()
    {
    }

    /// Brings the simulation to the present time and schedules its next event.
    void Update()
    {
        const int64_t next = GetSession()->GetNextEventNs();
        if (next != Session::NEVER)
        {
            m_event = Simulator::Schedule(NanoSeconds(next) - Simulator::Now(),
                                          &DcnSessionNetwork::Update,
                                          this);
        }
        OnUpdate();
    }

    std::unique_ptr<Session> m_session;            //!< the simulation
    std::unordered_map<uint64_t, Active> m_active; //!< flows in it
    std::unordered_map<uint64_t, Rest> m_rests;    //!< flows that are suspended
    std::vector<Connection> m_connections;         //!< by number
    EventId m_event;                               //!< its next event
};

} // namespace ns3

#endif /* DCN_FLOW_NETWORK_H */

/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef DCN_FLOW_NETWORK_H
#define DCN_FLOW_NETWORK_H

#include "ns3/dcn-flow.h"
#include "ns3/dcn-network-config.h"
#include "ns3/dcn-routing.h"
#include "ns3/dcn-topology.h"
#include "ns3/event-id.h"
#include "ns3/node.h"
#include "ns3/nstime.h"
#include "ns3/object.h"
#include "ns3/simulator.h"
#include "ns3/traced-callback.h"

#include <cstdint>
#include <memory>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

namespace ns3
{

/**
 * @ingroup dcn
 * @brief A network inside an ns-3 simulation as applications see it: flows are added while the
 * simulation runs, and complete as ns-3 events.
 *
 * Subclasses simulate the flows: as packets (DcnPacketFlowNetwork), as fluids (FlowsimNetwork), or
 * with a learned model (M4FlowNetwork). An application that uses only this class runs on all.
 *
 * Sinks of FlowCompleted may add flows: the network is then a closed loop. Simulator::Run throws
 * the exception of a sink; the simulation can continue and then reports the remaining completions
 * of that instant.
 */
class DcnFlowNetwork : public Object
{
  public:
    /**
     * @brief Signature of FlowCompleted.
     * @param flow the flow
     * @param completionTime time since its start
     */
    typedef void (*CompletionCallback)(uint64_t flow, Time completionTime);

    /**
     * @brief Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();
    DcnFlowNetwork() = default;
    ~DcnFlowNetwork() override = default;

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

    /// @return number of flows that have started and have not completed
    std::size_t GetNActive() const;

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

  private:
    /// Makes the simulation; it uses topology and configuration by reference.
    virtual void DoInstall(Ptr<const DcnTopology> topology, Ptr<const DcnNetworkConfig> config) = 0;
    /// Starts a flow, now.
    virtual void DoStart(const DcnFlow& flow, DcnPath path) = 0;
    /// Destroys the simulation.
    virtual void DoStop() = 0;

    /// Checks the arguments of AddFlow and AddFlowAt, and numbers the flow.
    DcnFlow MakeFlow(Time start, Ptr<Node> source, Ptr<Node> destination, uint64_t bytes);
    /// Routes a flow and starts it, now.
    void Start(const DcnFlow& flow);
    /// Starts a flow on a path, now.
    void StartOnPath(const DcnFlow& flow, const std::vector<uint32_t>& links);
    /// Calls the sinks for completions that are not yet reported.
    void Report();

    uint64_t m_seed;                                  //!< attribute: seed of the paths
    Ptr<const DcnTopology> m_topology;                //!< the network
    Ptr<const DcnNetworkConfig> m_config;             //!< its configuration
    std::unique_ptr<DcnRouting> m_routing;            //!< paths
    std::unordered_map<uint32_t, uint32_t> m_index;   //!< node index by ns-3 node id
    std::vector<std::pair<uint64_t, int64_t>> m_done; //!< completions to be reported
    EventId m_report;                                 //!< pending call of Report
    uint64_t m_nFlows{0};                             //!< number of the next flow
    std::size_t m_nActive{0};                         //!< see GetNActive
    TracedCallback<uint64_t, Time> m_flowCompleted;   //!< FlowCompleted
};

/**
 * @ingroup dcn
 * @brief Couples a flow-level simulation with a clock of its own to the clock of ns-3.
 *
 * Every addition and every query first advances the session to the present time; the next event of
 * the session is an ns-3 event. DcnDriveClosedLoop describes sessions.
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
        m_session->SetDeliveryListener([this](uint64_t flow, int64_t fctNs) {
            m_handles.erase(flow);
            Complete(flow, fctNs);
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
     * @return its handle; null unless it has started and not completed
     */
    const typename Session::Handle* FindHandle(uint64_t flow) const
    {
        const auto handle = m_handles.find(flow);
        return handle == m_handles.end() ? nullptr : &handle->second;
    }

    void DoStart(const DcnFlow& flow, DcnPath path) override
    {
        m_handles[flow.id] = AddToSession(*GetSession(), flow, path);
        // flows of one instant are admitted together: Update comes after the present event. An
        // event that is only cancelled stays with the simulator until its time, which may be far
        Simulator::Remove(m_event);
        m_event = Simulator::ScheduleNow(&DcnSessionNetwork::Update, this);
    }

    void DoStop() override
    {
        m_event.Cancel();
        m_session.reset();
        m_handles.clear();
    }

  private:
    /// Adds a flow that starts now.
    virtual typename Session::Handle AddToSession(Session& session,
                                                  const DcnFlow& flow,
                                                  DcnPath path)
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

    std::unique_ptr<Session> m_session;                               //!< the simulation
    std::unordered_map<uint64_t, typename Session::Handle> m_handles; //!< active flows
    EventId m_event;                                                  //!< its next event
};

} // namespace ns3

#endif /* DCN_FLOW_NETWORK_H */

/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef FLOWSIM_NETWORK_H
#define FLOWSIM_NETWORK_H

#include "flowsim-session.h"

#include "ns3/dcn-network-config.h"
#include "ns3/dcn-routing.h"
#include "ns3/dcn-topology.h"
#include "ns3/event-id.h"
#include "ns3/node.h"
#include "ns3/nstime.h"
#include "ns3/object.h"
#include "ns3/traced-callback.h"

#include <cstdint>
#include <memory>
#include <unordered_map>
#include <utility>
#include <vector>

namespace ns3
{

/**
 * @ingroup flowsim
 * @brief Fluid simulation inside an ns-3 simulation, on nodes that are there.
 *
 * Flows are added while the simulation runs and complete as ns-3 events, at the nanosecond at which
 * the last byte is at the receiver. Their rates can be asked for at any time, and changes are
 * traced. Nothing is sent: devices and channels of the nodes only say how fast and how long the
 * links are. Made by FlowsimHelper.
 *
 * Trace sinks may add flows: with one that does so on FlowCompleted the network is a closed loop.
 */
class FlowsimNetwork : public Object
{
  public:
    /**
     * @brief Signature of RateChange.
     * @param flow the flow
     * @param rate its rate on the wire [bit/s], 0 when all of it has been sent
     */
    typedef void (*RateCallback)(uint64_t flow, double rate);

    /**
     * @brief Signature of FlowCompleted.
     * @param flow the flow
     * @param completionTime time since it was added
     */
    typedef void (*CompletionCallback)(uint64_t flow, Time completionTime);

    /**
     * @brief Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();
    FlowsimNetwork() = default;
    ~FlowsimNetwork() override = default;

    /**
     * @brief Sets the network; once, before flows are added. Attributes are read here.
     * @param topology the network
     * @param config window and packet size; the rest does not matter to fluids
     */
    void Install(Ptr<const DcnTopology> topology, Ptr<const DcnNetworkConfig> config);

    /**
     * @brief Adds a flow that starts now.
     *
     * Throws a DcnError if an end is no host of the network, both are the same, or the size or the
     * weight is out of range.
     * @param source the sender
     * @param destination the receiver
     * @param bytes payload, > 0
     * @param weight its weight in the allocation
     * @return its number; flows are numbered from 0
     */
    uint64_t AddFlow(Ptr<Node> source, Ptr<Node> destination, uint64_t bytes, double weight = 1);

    /**
     * @brief Returns the rate of a flow now.
     * @param flow number of a flow
     * @return its rate on the wire [bit/s], 0 once all of it has been sent
     */
    double GetRate(uint64_t flow);

    /// @return number of flows that have not completed
    std::size_t GetNActive() const;

  protected:
    void DoDispose() override;

  private:
    /// Brings the fluid to the present time, tells the sinks, and schedules the next event.
    void Update();

    /**
     * @brief Sets an attribute.
     * @param windowCap see FlowsimOptions
     */
    void SetWindowCap(bool windowCap);

    /**
     * @brief Sets an attribute.
     * @param linkEfficiency see FlowsimOptions
     */
    void SetLinkEfficiency(double linkEfficiency);

    FlowsimOptions m_options;                         //!< Attributes
    uint64_t m_seed;                                  //!< Attribute: seed of the paths
    Ptr<const DcnTopology> m_topology;                //!< The network
    Ptr<const DcnNetworkConfig> m_config;             //!< Its configuration
    std::unique_ptr<DcnRouting> m_routing;            //!< Paths
    std::unique_ptr<FlowsimSession> m_session;        //!< The fluid simulation
    std::unordered_map<uint32_t, uint32_t> m_index;   //!< Node index by ns-3 node id
    std::unordered_map<uint64_t, uint32_t> m_handles; //!< Active flows
    std::vector<std::pair<uint64_t, double>> m_rates; //!< Changes to be reported
    std::vector<std::pair<uint64_t, int64_t>> m_done; //!< Completions to be reported
    uint64_t m_nFlows{0};                             //!< Number of the next flow
    EventId m_event;                                  //!< Next event of the fluid
    TracedCallback<uint64_t, double> m_rateChange;    //!< RateChange
    TracedCallback<uint64_t, Time> m_flowCompleted;   //!< FlowCompleted
};

} // namespace ns3

#endif // FLOWSIM_NETWORK_H

/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef FLOWSIM_NETWORK_H
#define FLOWSIM_NETWORK_H

#include "flowsim-session.h"

#include "ns3/dcn-session-network.h"

#include <cstdint>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

namespace ns3
{

/**
 * @ingroup flowsim
 * @brief Fluid simulation inside an ns-3 simulation, on the nodes of the simulation.
 *
 * Flows are added while the simulation runs and complete as ns-3 events, at the nanosecond at which
 * the last byte reaches the receiver (DcnFlowNetwork). Users can ask for rates at any time and
 * trace their changes. No packet is sent: devices and channels of the nodes only give the rates and
 * delays of the links. DcnFlowNetworkHelper creates such a network.
 *
 * Flows of a transport with windows that grow (DcnNetworkParameters::initialWindowBytes) have the
 * handshake and the slow start of their ideal completion times, but share links as fluids without
 * windows. FlowsimEstimator simulates the windows and their queues for these configurations, so
 * that its answers differ (GetNote). The attribute WindowCap is refused then, for the ideal time
 * has the window already.
 */
class FlowsimNetwork : public DcnSessionNetwork<FlowsimSession>
{
  public:
    /**
     * @brief Signature of RateChange.
     * @param flow the flow
     * @param rate its rate on the wire [bit/s], 0 after the end of service
     */
    typedef void (*RateCallback)(uint64_t flow, double rate);

    /// Get the type ID. @return the object TypeId
    static TypeId GetTypeId();
    FlowsimNetwork() = default;
    ~FlowsimNetwork() override = default;

    using DcnFlowNetwork::AddFlow;

    /**
     * @brief Adds a flow with a weight that starts now.
     *
     * Throws a DcnError as AddFlow() without weight, and for a weight out of range.
     * @param source the sender
     * @param destination the receiver
     * @param bytes payload, > 0
     * @param weight its weight in the allocation
     * @return its number; flows are numbered from 0
     */
    uint64_t AddFlow(Ptr<Node> source, Ptr<Node> destination, uint64_t bytes, double weight);

    /**
     * @brief Returns the rate of a flow now.
     * @param flow number of a flow
     * @return its rate on the wire [bit/s], 0 after the end of service
     */
    double GetRate(uint64_t flow);

    std::string GetNote() const override;
    bool HasLinkChanges() const override;

  private:
    void DoInstall(Ptr<const DcnTopology> topology, Ptr<const DcnNetworkConfig> config) override;
    FlowsimSession::Handle AddToSession(FlowsimSession& session,
                                        const DcnFlow& flow,
                                        DcnPath path,
                                        DcnFlowKind kind) override;
    void DoChangeLink(uint32_t link, uint64_t rateBps) override;
    bool MoveInSession(FlowsimSession& session, FlowsimSession::Handle flow, DcnPath path) override;
    void OnDeparture(uint64_t flow) override;
    void OnUpdate() override;

    bool m_windowCap;                                 //!< Attribute
    bool m_acknowledgements;                          //!< Attribute
    double m_linkEfficiency;                          //!< Attribute
    bool m_hasSlowStart{false};                       //!< Of the configuration
    std::unordered_map<uint64_t, double> m_weights;   //!< Of flows that have other ones than 1
    std::vector<std::pair<uint64_t, double>> m_rates; //!< Changes to be reported
    TracedCallback<uint64_t, double> m_rateChange;    //!< RateChange
};

} // namespace ns3

#endif // FLOWSIM_NETWORK_H

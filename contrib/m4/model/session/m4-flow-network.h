/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef M4_FLOW_NETWORK_H
#define M4_FLOW_NETWORK_H

#include "m4-session.h"

#include "ns3/dcn-session-network.h"

#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

namespace ns3
{

/**
 * @ingroup m4
 * @brief Learned flow-level simulation inside an ns-3 simulation, on existing nodes.
 *
 * Flows are added while the simulation runs and complete as ns-3 events (DcnFlowNetwork). No packet
 * is sent: devices and channels of the nodes only define rates and delays of the links. Remaining
 * sizes and queues are predicted at any time, without an effect on the simulation.
 */
class M4FlowNetwork : public DcnSessionNetwork<M4Session>
{
  public:
    /**
     * @brief Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();
    M4FlowNetwork() = default;
    ~M4FlowNetwork() override = default;

    bool HasLinkChanges() const override;

    /**
     * @param flow number of a flow
     * @return predicted remaining fraction of its payload, 0 to 1: 1 before its start, 0 after its
     * departure, although its last packets may be in flight
     * @throws DcnError if no such flow was added, or the network is not installed any more
     */
    double GetRemaining(uint64_t flow);

    /**
     * @param link directed link index of the topology
     * @return predicted bytes waiting for the link now
     * @throws DcnError if there is no such link, or the network is not installed
     */
    double GetQueueBytes(uint32_t link);

    /**
     * @return a sentence for each quantity so far that is outside of the model's training; one line
     * on standard error summarises those that are met at once
     * @throws DcnError if the network is not installed
     */
    const std::vector<std::string>& GetWarnings();

  private:
    /// Payload of a flow that has started.
    struct Payload
    {
        uint64_t size; //!< all [bytes]
        uint64_t part; //!< that was not sent when the session got the flow, or lost it [bytes]
    };

    void DoInstall(Ptr<const DcnTopology> topology, Ptr<const DcnNetworkConfig> config) override;
    M4Session::Handle AddToSession(M4Session& session,
                                   const DcnFlow& flow,
                                   DcnPath path,
                                   DcnFlowKind kind) override;
    void OnDeparture(uint64_t flow) override;
    void OnSuspended(uint64_t flow, uint64_t bytes) override;
    void DoChangeLink(uint32_t link, uint64_t rateBps) override;
    void DoStop() override;
    /// Returns the session at the present time.
    M4Session& GetInstalled();

    std::string m_model;                                       //!< attribute; empty: data/models/m4
    std::unordered_map<uint64_t, M4Session::Handle> m_onLinks; //!< flows that have not departed
    std::vector<bool> m_started; //!< by flow, up to the last that has started
    std::unordered_map<uint64_t, Payload> m_payloads; //!< of flows that have not departed
};

} // namespace ns3

#endif /* M4_FLOW_NETWORK_H */

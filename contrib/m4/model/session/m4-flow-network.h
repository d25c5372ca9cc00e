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
 * @brief Learned flow-level simulation inside an ns-3 simulation, on nodes that are there.
 *
 * Flows are added while the simulation runs and complete as ns-3 events (DcnFlowNetwork). Nothing
 * is sent: devices and channels of the nodes only say how fast and how long the links are. What is
 * left of a flow and how long a queue is can be asked at any time; asking changes nothing.
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

    /**
     * @param flow number of a flow
     * @return predicted share of its payload that the receiver does not have now, 0 to 1; 1 before
     * it starts, and 0 from when it has left its links, though its last packets may be on their way
     * @throws DcnError if no such flow was added, or the network is not installed any more
     */
    double GetLeft(uint64_t flow);

    /**
     * @param link directed link index of the topology
     * @return predicted bytes that wait for the link now
     * @throws DcnError if there is no such link, or the network is not installed
     */
    double GetQueueBytes(uint32_t link);

  private:
    void DoInstall(Ptr<const DcnTopology> topology, Ptr<const DcnNetworkConfig> config) override;
    M4Session::Handle AddToSession(M4Session& session,
                                   const DcnFlow& flow,
                                   DcnPath path) override;
    void DoStop() override;
    /// Returns the simulation at the present time.
    M4Session& GetInstalled();

    std::string m_model; //!< attribute; empty: data/models/m4
    std::unordered_map<uint64_t, M4Session::Handle> m_onLinks; //!< flows that have not departed
    std::vector<bool> m_started; //!< by flow; may end before those that have not
};

} // namespace ns3

#endif /* M4_FLOW_NETWORK_H */

/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef DCN_PACKET_FLOW_NETWORK_H
#define DCN_PACKET_FLOW_NETWORK_H

#include "dcn-packet-network.h"

#include "ns3/dcn-flow-network.h"

#include <cstdint>
#include <vector>

namespace ns3
{

/**
 * @ingroup dcn-packet
 * @brief Packet-level simulation with flows that are added while it runs (DcnFlowNetwork).
 *
 * Install puts devices on the nodes (DcnPacketNetwork). A flow is complete when the receiver has
 * all of it.
 */
class DcnPacketFlowNetwork : public DcnFlowNetwork
{
  public:
    /**
     * @brief Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();
    DcnPacketFlowNetwork() = default;
    ~DcnPacketFlowNetwork() override = default;

    /// @return the packet-level network, for its trace sources; null before Install
    Ptr<DcnPacketNetwork> GetPackets() const
    {
        return m_packets;
    }

  private:
    void DoInstall(Ptr<const DcnTopology> topology, Ptr<const DcnNetworkConfig> config) override;
    void DoStart(const DcnFlow& flow, DcnPath path) override;
    void DoStop() override;
    /// The receiver has a whole flow.
    void OnDelivered(Ptr<const DcnPacketFlow> flow);

    Ptr<DcnPacketNetwork> m_packets; //!< see GetPackets
    std::vector<uint64_t> m_numbers; //!< by flow index of m_packets: the flow's id
};

} // namespace ns3

#endif /* DCN_PACKET_FLOW_NETWORK_H */

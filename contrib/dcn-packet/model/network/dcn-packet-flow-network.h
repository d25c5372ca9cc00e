/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef DCN_PACKET_FLOW_NETWORK_H
#define DCN_PACKET_FLOW_NETWORK_H

#include "dcn-packet-network.h"

#include "ns3/dcn-flow-network.h"

#include <cstddef>
#include <cstdint>
#include <deque>
#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup dcn-packet
 * @brief Packet-level simulation with flows that are added while it runs (DcnFlowNetwork).
 *
 * Install puts devices on the nodes (DcnPacketNetwork). A flow is complete when the receiver has
 * all of it, and acknowledged when its last acknowledgement reaches the sender.
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

    bool HasLinkChanges() const override;
    /// @return how much simulated time was skipped, with the attribute Skip
    std::string GetNote() const override;

    /// @return the packet-level network, for its trace sources; null before Install
    Ptr<DcnPacketNetwork> GetPackets() const
    {
        return m_packets;
    }

  private:
    void DoInstall(Ptr<const DcnTopology> topology, Ptr<const DcnNetworkConfig> config) override;
    void DoStart(const DcnFlow& flow, DcnPath path) override;
    void DoConnect(const DcnFlow& ends, DcnPath path) override;
    void DoAddMessage(uint64_t connection, const DcnFlow& message) override;
    void DoStop() override;
    void DoCheckPath(const DcnFlow& flow, DcnPath path) const override;
    void DoChangeLink(uint32_t link, uint64_t rateBps) override;
    void DoHold(const DcnFlow& flow) override;
    void DoHoldConnection(uint64_t connection) override;
    void DoMove(uint64_t flow, DcnPath path) override;
    void DoMoveConnection(uint64_t connection, DcnPath path) override;
    /// The receiver has a whole flow.
    void OnDelivered(Ptr<const DcnPacketFlow> flow);
    /// The sender has the last acknowledgement of a flow.
    void OnAcknowledged(Ptr<const DcnPacketFlow> flow);
    /// The receiver has a message; index is that of its connection in m_packets.
    void OnMessageDelivered(std::size_t index, uint64_t message);
    /// The sender has the last acknowledgement of a message.
    void OnMessageAcknowledged(std::size_t index, uint64_t message);

    /// A message that is not acknowledged.
    struct Message
    {
        uint64_t id;     //!< number of the message in the flow network
        int64_t startNs; //!< when it was added
    };

    /// A connection: its messages from the first one that is not acknowledged.
    struct Connection
    {
        std::deque<Message> messages; //!< in the order of AddMessage
        uint64_t nAcknowledged{0};    //!< messages before these
    };

    bool m_skips;                    //!< attribute Skip
    Ptr<DcnPacketNetwork> m_packets; //!< see GetPackets
    std::vector<uint64_t> m_numbers; //!< by flow index of m_packets: number of flow or connection
    std::vector<std::size_t> m_indices;    //!< by connection: flow index of m_packets
    std::vector<Connection> m_connections; //!< by number
};

} // namespace ns3

#endif /* DCN_PACKET_FLOW_NETWORK_H */

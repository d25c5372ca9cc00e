/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef DCN_TCP_FLOW_TABLE_H
#define DCN_TCP_FLOW_TABLE_H

#include "ns3/dcn-scenario.h"
#include "ns3/ipv4-address.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace ns3
{

/**
 * @ingroup dcn-tcp
 * @brief Addresses and ports of the flows of a scenario, and the flow of a packet.
 *
 * Node i has the address 10.0.0.1 + i. The k-th flow of a host, in the order of flow indices, has
 * the sender's port FIRST_SENDER_PORT + k modulo N_SENDER_PORTS and the receiver's port 1 + k /
 * N_SENDER_PORTS. Sender and receiver ports do not overlap, so that a packet's ports give its flow
 * and its direction.
 */
class DcnTcpFlowTable
{
  public:
    static constexpr uint16_t FIRST_SENDER_PORT = 1024;      //!< smallest port of a sender
    static constexpr uint32_t N_SENDER_PORTS = 65536 - 1024; //!< ports of senders
    static constexpr uint32_t N_RECEIVER_PORTS = 1023;       //!< ports of receivers, from 1 on
    static constexpr uint32_t FIRST_ADDRESS = 0x0a000001;    //!< of node 0: 10.0.0.1
    static constexpr uint32_t MAX_NODES = (1U << 24) - 2;    //!< addresses of 10.0.0.0/8

    /// The flow of a packet.
    struct Match
    {
        uint32_t flow;  //!< flow index
        bool isForward; //!< the packet travels from the sender to the receiver
    };

    /**
     * @param scenario the flows
     * @throws DcnError if there are more nodes than addresses, or more flows of a host than ports
     */
    explicit DcnTcpFlowTable(Ptr<const DcnScenario> scenario);

    /**
     * @param node node index
     * @return its address
     */
    static Ipv4Address GetAddress(uint32_t node);

    /**
     * @param address of a node
     * @return node index
     */
    static uint32_t GetNode(Ipv4Address address);

    /**
     * @param flow flow index
     * @return port of its sender
     */
    uint16_t GetSenderPort(std::size_t flow) const;

    /**
     * @param flow flow index
     * @return port at which its receiver listens
     */
    uint16_t GetReceiverPort(std::size_t flow) const;

    /**
     * @param flow flow index
     * @return the flow that had the port of its sender before; none if it is the port's first
     */
    std::optional<std::size_t> FindBefore(std::size_t flow) const;

    /**
     * @param source address that the packet comes from
     * @param sourcePort its port
     * @param destination address that the packet goes to
     * @param destinationPort its port
     * @return the flow of the packet
     */
    Match Find(Ipv4Address source,
               uint16_t sourcePort,
               Ipv4Address destination,
               uint16_t destinationPort) const;

  private:
    Ptr<const DcnScenario> m_scenario;            //!< the flows
    std::vector<uint32_t> m_numbers;              //!< by flow: k above
    std::vector<std::vector<uint32_t>> m_flowsOf; //!< by node: its flows, by k
};

} // namespace ns3

#endif /* DCN_TCP_FLOW_TABLE_H */

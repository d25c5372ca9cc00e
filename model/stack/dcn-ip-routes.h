/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef DCN_IP_ROUTES_H
#define DCN_IP_ROUTES_H

#include "ns3/address.h"
#include "ns3/dcn-topology.h"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup dcn
 * @brief Addresses and ports of a flow of the Internet stack.
 */
struct DcnIpFlow
{
    Address source;              //!< Ipv4Address or Ipv6Address; invalid: that of the first route
    Address destination;         //!< Ipv4Address or Ipv6Address
    uint8_t protocol{6};         //!< number in the IP header: 6 TCP, 17 UDP
    uint16_t sourcePort{0};      //!< 0 where it is not known
    uint16_t destinationPort{0}; //!< of the receiver
};

/**
 * @ingroup dcn
 * @brief Paths that the installed IP routing gives to flows.
 *
 * A path is found as a packet finds it. The source node's routing protocol is asked for the output
 * route (RouteOutput), and every node on the way for the route of an input packet (RouteInput),
 * with the headers that the flow's packets have. Between two nodes of IP, frames go over the links
 * of learning bridges (BridgeNetDevice), each to the port behind which the next address is. No
 * packet is sent, no event is scheduled, no random number of the simulation is drawn, and no number
 * of a packet (Packet::GetUid) is used up.
 *
 * Routing protocols whose lookups are safe in this sense: list, static and global routing,
 * Nix-vectors, RIP and OLSR tables as they are now, for IPv4 and IPv6. A protocol that would start
 * a route discovery (AODV, DSR) is refused. Where Ipv4GlobalRouting draws a path for each packet
 * (attribute RandomEcmpRouting), a flow has no path of its own: IsRandom() says so, and the caller
 * chooses one.
 */
class DcnIpRoutes
{
  public:
    /**
     * @brief Read the addresses of all nodes.
     * @param topology the network, made of ns-3 nodes (DcnTopology::FromNodes)
     */
    explicit DcnIpRoutes(Ptr<const DcnTopology> topology);

    static constexpr uint32_t NONE = 0xffffffff; //!< see FindNode

    static constexpr uint32_t SEVERAL = 0xfffffffe; //!< stands for the nodes of one address

    /**
     * @param address an Ipv4Address or Ipv6Address
     * @return index of the node that has it; NONE if no node of the topology has it, or several
     */
    uint32_t FindNode(const Address& address) const;

    /**
     * @param address an Ipv4Address or Ipv6Address, InetSocketAddress or Inet6SocketAddress
     * @return the address without a port; invalid for other kinds
     */
    static Address WithoutPort(const Address& address);

    /**
     * @param address an Ipv4Address or Ipv6Address, InetSocketAddress or Inet6SocketAddress
     * @return e.g. "10.1.2.3" or "2001:db8::7"; "(no IP address)" for other kinds
     */
    static std::string ToText(const Address& address);

    /**
     * @param node node index
     * @return true if its routing draws a path for each packet
     */
    bool IsRandom(uint32_t node) const;

    /**
     * @brief Follow a flow from node to node.
     * @param src node index of the sender
     * @param flow addresses and ports
     * @param source gets the address from which the packets come; unchanged where the path is empty
     * @return directed links from src to the node that has the destination address; empty if a node
     * on the way draws a path for each packet
     * @throws DcnError where packets do not arrive in ns-3, either, or no path can be read: the
     * destination is a group or of no other node; a node has no Internet stack, no route or a
     * routing protocol that has to discover routes, does not forward, or has an interface that is
     * down; no device on the link has the next address; the route leaves the topology or is a loop,
     * or bridges are a ring; and for a destination in 2001:db8::/32 beyond the first link, since
     * ns-3's routers drop such packets
     */
    std::vector<uint32_t> GetPath(uint32_t src,
                                  const DcnIpFlow& flow,
                                  Address* source = nullptr) const;

  private:
    template <class V>
    class Walk; //!< follows a flow of one version of IP

    Ptr<const DcnTopology> m_topology;                //!< the network
    std::map<Address, uint32_t> m_nodes;              //!< node index by address
    std::map<Ptr<const NetDevice>, uint32_t> m_links; //!< directed link by the device that sends
    std::vector<bool> m_random;                       //!< by node: see IsRandom
    /// Ports of bridges, by the bridge's device.
    std::map<Ptr<const NetDevice>, std::vector<Ptr<NetDevice>>> m_ports;
    std::map<Ptr<const NetDevice>, Ptr<NetDevice>> m_bridges; //!< bridge, by its port
};

} // namespace ns3

#endif /* DCN_IP_ROUTES_H */

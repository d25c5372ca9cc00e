/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef DCN_TCP_ROUTING_H
#define DCN_TCP_ROUTING_H

#include "dcn-tcp-flow-table.h"

#include "ns3/ipv4-route.h"
#include "ns3/ipv4-routing-protocol.h"
#include "ns3/ipv4.h"

#include <cstdint>
#include <functional>
#include <tuple>
#include <vector>

namespace ns3
{

/**
 * @ingroup dcn-tcp
 * @brief Parameter of Ipv4RoutingProtocol::RouteInput: newer releases of ns-3 pass the callbacks by
 * reference.
 * @tparam Index its position
 */
template <std::size_t Index>
class DcnRouteInputParameter
{
    template <typename... Parameters>
    static std::tuple<Parameters...> List(bool (Ipv4RoutingProtocol::*)(Parameters...));

  public:
    /// its type
    using Type = std::tuple_element_t<Index, decltype(List(&Ipv4RoutingProtocol::RouteInput))>;
};

/**
 * @ingroup dcn-tcp
 * @brief State that the routing of all nodes shares.
 */
struct DcnTcpRoutes
{
    /// Called with flow, hop (as in DcnCollector) and the link that the packet goes to next.
    using FirstPacket = std::function<void(uint32_t flow, std::size_t hop, uint32_t link)>;

    /**
     * @param scenario the flows
     */
    explicit DcnTcpRoutes(Ptr<const DcnScenario> scenario);

    Ptr<const DcnScenario> scenario;    //!< the flows
    DcnTcpFlowTable table;              //!< their addresses and ports
    std::vector<Ptr<Ipv4Route>> byLink; //!< route to the other end of each directed link
    std::vector<uint8_t> nHops;         //!< by flow: links to which its first segments came
    uint64_t dataPacketHops{0};         //!< segments with payload times links
    std::vector<uint32_t> sequences;    //!< by flow: sequence number after all that was sent
    uint64_t retransmittedBytes{0};     //!< payload that was sent more than once
    FirstPacket onFirstPacket;          //!< called when the first segment of a flow comes to a
                                        //!< switch; may be null
};

/**
 * @ingroup dcn-tcp
 * @brief Forwards the packets of every flow on its path in the scenario, those to its sender on the
 * same links in the other direction.
 *
 * The ports give the flow and the direction (DcnTcpFlowTable), the time to live gives the position
 * on the path, so that a lookup takes constant time, and parallel links between two nodes are
 * different links.
 */
class DcnTcpRouting : public Ipv4RoutingProtocol
{
  public:
    static constexpr uint8_t TTL = 255; //!< with which hosts send

    /**
     * @brief Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    /**
     * @param routes shared by all nodes; must exist while events run
     * @param node node index
     */
    DcnTcpRouting(DcnTcpRoutes& routes, uint32_t node);

    Ptr<Ipv4Route> RouteOutput(Ptr<Packet> p,
                               const Ipv4Header& header,
                               Ptr<NetDevice> oif,
                               Socket::SocketErrno& sockerr) override;
    bool RouteInput(Ptr<const Packet> p,
                    const Ipv4Header& header,
                    Ptr<const NetDevice> idev,
                    DcnRouteInputParameter<3>::Type ucb,
                    DcnRouteInputParameter<4>::Type mcb,
                    DcnRouteInputParameter<5>::Type lcb,
                    DcnRouteInputParameter<6>::Type ecb) override;
    void NotifyInterfaceUp(uint32_t interface) override;
    void NotifyInterfaceDown(uint32_t interface) override;
    void NotifyAddAddress(uint32_t interface, Ipv4InterfaceAddress address) override;
    void NotifyRemoveAddress(uint32_t interface, Ipv4InterfaceAddress address) override;
    void SetIpv4(Ptr<Ipv4> ipv4) override;
    void PrintRoutingTable(Ptr<OutputStreamWrapper> stream, Time::Unit unit) const override;

  private:
    void DoDispose() override;

    /**
     * @param packet begins with its TCP header
     * @param source address in its IP header
     * @param destination address in its IP header
     * @param hop links that it has crossed
     * @return the route of its next link
     */
    Ptr<Ipv4Route> Forward(Ptr<const Packet> packet,
                           Ipv4Address source,
                           Ipv4Address destination,
                           std::size_t hop);

    DcnTcpRoutes& m_routes; //!< shared by all nodes
    uint32_t m_node;        //!< node index
    Ptr<Ipv4> m_ipv4;       //!< of the node
};

} // namespace ns3

#endif /* DCN_TCP_ROUTING_H */

/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "dcn-ip-routes.h"

#include "ns3/boolean.h"
#include "ns3/dcn-error.h"
#include "ns3/inet-socket-address.h"
#include "ns3/inet6-socket-address.h"
#include "ns3/ipv4-list-routing.h"
#include "ns3/ipv4-route.h"
#include "ns3/ipv4.h"
#include "ns3/ipv6-list-routing.h"
#include "ns3/ipv6-route.h"
#include "ns3/ipv6.h"
#include "ns3/log.h"
#include "ns3/node.h"
#include "ns3/packet.h"
#include "ns3/tcp-header.h"
#include "ns3/udp-header.h"

#include <set>
#include <sstream>
#include <type_traits>

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("DcnIpRoutes");

namespace
{

constexpr uint8_t UDP = 17; //!< protocol number

/// The types of IPv4.
struct V4
{
    using Ip = Ipv4;                     //!< the stack of a node
    using IpAddress = Ipv4Address;       //!< an address
    using Header = Ipv4Header;           //!< of a packet
    using Route = Ipv4Route;             //!< answer of a lookup
    using Routing = Ipv4RoutingProtocol; //!< answers lookups
    using List = Ipv4ListRouting;        //!< asks several protocols

    static void SetProtocol(Header& header, uint8_t protocol)
    {
        header.SetProtocol(protocol);
        header.SetTtl(64);
    }

    static void SetPayload(Header& header, uint16_t bytes)
    {
        header.SetPayloadSize(bytes);
    }

    /// @return writes the route that it is called with
    static Routing::UnicastForwardCallback MakeForward(Ptr<Route>& route)
    {
        return Routing::UnicastForwardCallback(
            [&route](Ptr<Route> found, Ptr<const Packet>, const Header&) { route = found; });
    }

    static Address GetAddress(Ptr<Ip> ip, uint32_t interface, uint32_t i)
    {
        return ip->GetAddress(interface, i).GetLocal();
    }
};

/// The types of IPv6.
struct V6
{
    using Ip = Ipv6;
    using IpAddress = Ipv6Address;
    using Header = Ipv6Header;
    using Route = Ipv6Route;
    using Routing = Ipv6RoutingProtocol;
    using List = Ipv6ListRouting;

    static void SetProtocol(Header& header, uint8_t protocol)
    {
        header.SetNextHeader(protocol);
        header.SetHopLimit(64);
    }

    static void SetPayload(Header& header, uint16_t bytes)
    {
        header.SetPayloadLength(bytes);
    }

    static Routing::UnicastForwardCallback MakeForward(Ptr<Route>& route)
    {
        return Routing::UnicastForwardCallback(
            [&route](Ptr<const NetDevice>, Ptr<Route> found, Ptr<const Packet>, const Header&) {
                route = found;
            });
    }

    static Address GetAddress(Ptr<Ip> ip, uint32_t interface, uint32_t i)
    {
        return ip->GetAddress(interface, i).GetAddress();
    }
};

/// @return the protocols that a node's routing asks, in their order
template <class V>
std::vector<Ptr<typename V::Routing>>
GetProtocols(Ptr<typename V::Ip> ip)
{
    std::vector<Ptr<typename V::Routing>> protocols;
    const Ptr<typename V::Routing> routing = ip->GetRoutingProtocol();
    if (const auto list = DynamicCast<typename V::List>(routing))
    {
        for (uint32_t i = 0; i < list->GetNRoutingProtocols(); ++i)
        {
            int16_t priority = 0;
            protocols.push_back(list->GetRoutingProtocol(i, priority));
        }
    }
    else if (routing)
    {
        protocols.push_back(routing);
    }
    return protocols;
}

/// Enters the addresses of a node, but not those that several nodes have (loopback, link-local).
template <class V>
void
ReadAddresses(Ptr<Node> node, uint32_t index, std::map<Address, uint32_t>& nodes)
{
    const auto ip = node->GetObject<typename V::Ip>();
    for (uint32_t interface = 0; ip && interface < ip->GetNInterfaces(); ++interface)
    {
        for (uint32_t i = 0; i < ip->GetNAddresses(interface); ++i)
        {
            const Address address = V::GetAddress(ip, interface, i);
            const auto plain = V::IpAddress::ConvertFrom(address);
            if constexpr (std::is_same_v<V, V6>)
            {
                if (plain.IsLinkLocal() || plain.IsLocalhost())
                {
                    continue;
                }
            }
            else if (plain.IsLocalhost())
            {
                continue;
            }
            nodes.emplace(address, index);
        }
    }
}

/// @return whether a node's routing draws a path for each packet
template <class V>
bool
DrawsPaths(Ptr<Node> node)
{
    bool draws = false;
    if (const auto ip = node->GetObject<typename V::Ip>())
    {
        for (const auto& protocol : GetProtocols<V>(ip))
        {
            BooleanValue random{false};
            protocol->GetAttributeFailSafe("RandomEcmpRouting", random);
            draws = draws || random.Get();
        }
    }
    return draws;
}

/// Refuses routing protocols whose lookups do more than look up.
template <class V>
void
CheckProtocols(Ptr<typename V::Ip> ip, uint64_t node)
{
    static const std::set<std::string> lookups{"ns3::Ipv4StaticRouting",
                                               "ns3::Ipv4GlobalRouting",
                                               "ns3::Ipv4NixVectorRouting",
                                               "ns3::Rip",
                                               "ns3::olsr::RoutingProtocol",
                                               "ns3::Ipv6StaticRouting",
                                               "ns3::Ipv6GlobalRouting", // from ns-3.47 on
                                               "ns3::Ipv6NixVectorRouting",
                                               "ns3::RipNg"};
    for (const auto& protocol : GetProtocols<V>(ip))
    {
        const std::string type = protocol->GetInstanceTypeId().GetName();
        if (lookups.count(type) == 0)
        {
            DcnFail("node ",
                    node,
                    " routes by ",
                    type,
                    ", whose lookups do more than read a table, so that no path can be read: use "
                    "list, static, global or Nix-vector routing, RIP or OLSR");
        }
    }
}

/**
 * @return a packet of 1000 bytes that did not take a number (Packet::GetUid) of the simulation:
 * ns-3 numbers packets that are made, but not those that are read from a buffer
 */
Ptr<Packet>
MakePacket()
{
    // sections as Packet::Serialize writes them, each after its size in bytes: Nix-vector, byte
    // tags, packet tags, metadata (the number), content (zero bytes, begin, end)
    static const uint32_t words[] = {4, 8, 0, 8, 0, 12, 0, 0, 16, 0, 0, 0};
    Ptr<Packet> packet =
        Create<Packet>(reinterpret_cast<const uint8_t*>(words), sizeof(words), true);
    packet->AddPaddingAtEnd(1000);
    return packet;
}

} // namespace

DcnIpRoutes::DcnIpRoutes(Ptr<const DcnTopology> topology)
    : m_topology(topology),
      m_random(topology->GetNNodes(), false)
{
    for (uint32_t link = 0; link < topology->GetNLinks(); ++link)
    {
        if (Ptr<NetDevice> device = topology->GetDevice(link))
        {
            m_links.emplace(device, link);
        }
    }
    const NodeContainer& nodes = topology->GetNodes();
    for (uint32_t i = 0; i < nodes.GetN(); ++i)
    {
        ReadAddresses<V4>(nodes.Get(i), i, m_nodes);
        ReadAddresses<V6>(nodes.Get(i), i, m_nodes);
        m_random[i] = DrawsPaths<V4>(nodes.Get(i)) || DrawsPaths<V6>(nodes.Get(i));
    }
    NS_LOG_INFO(m_nodes.size() << " addresses on " << nodes.GetN() << " nodes");
}

uint32_t
DcnIpRoutes::FindNode(const Address& address) const
{
    const auto found = m_nodes.find(address);
    return found == m_nodes.end() ? NONE : found->second;
}

Address
DcnIpRoutes::WithoutPort(const Address& address)
{
    if (InetSocketAddress::IsMatchingType(address))
    {
        return InetSocketAddress::ConvertFrom(address).GetIpv4();
    }
    if (Inet6SocketAddress::IsMatchingType(address))
    {
        return Inet6SocketAddress::ConvertFrom(address).GetIpv6();
    }
    const bool isPlain =
        Ipv4Address::IsMatchingType(address) || Ipv6Address::IsMatchingType(address);
    return isPlain ? address : Address();
}

std::string
DcnIpRoutes::ToText(const Address& address)
{
    const Address plain = WithoutPort(address);
    std::ostringstream text;
    if (Ipv4Address::IsMatchingType(plain))
    {
        text << Ipv4Address::ConvertFrom(plain);
    }
    else if (Ipv6Address::IsMatchingType(plain))
    {
        text << Ipv6Address::ConvertFrom(plain);
    }
    else
    {
        text << "(no IP address)";
    }
    return text.str();
}

bool
DcnIpRoutes::IsRandom(uint32_t node) const
{
    return m_random[node];
}

namespace
{

/// Follows a flow of one version of IP; see DcnIpRoutes::GetPath.
template <class V>
class Walk
{
  public:
    /**
     * @param topology the network
     * @param links directed link by the device that sends
     * @param src node index of the sender
     * @param flow addresses and ports
     */
    Walk(const DcnTopology& topology,
         const std::map<Ptr<const NetDevice>, uint32_t>& links,
         uint32_t src,
         const DcnIpFlow& flow)
        : m_topology(topology),
          m_links(links),
          m_src(src),
          m_flow(flow),
          m_packet(MakePacket())
    {
        V::SetProtocol(m_header, flow.protocol);
        m_header.SetDestination(V::IpAddress::ConvertFrom(flow.destination));
        AddPorts();
    }

    /// @return the first link
    uint32_t Begin()
    {
        const auto ip = GetIp(m_src);
        if (!m_flow.source.IsInvalid())
        {
            m_header.SetSource(V::IpAddress::ConvertFrom(m_flow.source));
        }
        Socket::SocketErrno error = Socket::ERROR_NOTERROR;
        const Ptr<typename V::Route> route =
            ip->GetRoutingProtocol()->RouteOutput(m_packet, m_header, nullptr, error);
        if (m_flow.source.IsInvalid() && route)
        {
            m_header.SetSource(route->GetSource());
        }
        return GetLink(m_src, route);
    }

    /**
     * @param link the link by which the flow comes to a node
     * @return the link by which it leaves that node
     */
    uint32_t Continue(uint32_t link)
    {
        const uint32_t node = m_topology.GetLink(link).to;
        const auto ip = GetIp(node);
        if constexpr (std::is_same_v<V, V6>)
        {
            if (m_header.GetDestination().IsDocumentation())
            {
                DcnFail(Describe(),
                        "node ",
                        m_topology.GetExternalId(node),
                        " does not forward to 2001:db8::/32, the addresses of documents (RFC 3849; "
                        "Ipv6L3Protocol drops such packets): use others, such as fd00::/8");
            }
        }
        Ptr<typename V::Route> route;
        ip->GetRoutingProtocol()->RouteInput(
            m_packet,
            m_header,
            m_topology.GetDevice(DcnTopology::Reverse(link)),
            V::MakeForward(route),
            typename V::Routing::MulticastForwardCallback(),
            typename V::Routing::LocalDeliverCallback(),
            typename V::Routing::ErrorCallback(
                [](Ptr<const Packet>, const typename V::Header&, Socket::SocketErrno) {}));
        return GetLink(node, route);
    }

    /// @return begin of a sentence
    std::string Describe() const
    {
        return "node " + std::to_string(m_topology.GetExternalId(m_src)) + " sends to " +
               DcnIpRoutes::ToText(m_flow.destination) + ", but ";
    }

  private:
    /// Adds the header of the transport, which protocols that hash flows read.
    void AddPorts()
    {
        if (m_flow.protocol == UDP)
        {
            UdpHeader header;
            header.SetSourcePort(m_flow.sourcePort);
            header.SetDestinationPort(m_flow.destinationPort);
            m_packet->AddHeader(header);
        }
        else
        {
            TcpHeader header;
            header.SetSourcePort(m_flow.sourcePort);
            header.SetDestinationPort(m_flow.destinationPort);
            m_packet->AddHeader(header);
        }
        V::SetPayload(m_header, static_cast<uint16_t>(m_packet->GetSize()));
    }

    /// @return the stack of a node, with a routing protocol that can be asked
    Ptr<typename V::Ip> GetIp(uint32_t node) const
    {
        const uint64_t id = m_topology.GetExternalId(node);
        const auto ip = m_topology.GetNodes().Get(node)->GetObject<typename V::Ip>();
        if (!ip || !ip->GetRoutingProtocol())
        {
            DcnFail(Describe(),
                    "node ",
                    id,
                    " has no ",
                    std::is_same_v<V, V4> ? "IPv4" : "IPv6",
                    " stack (InternetStackHelper installs one)");
        }
        CheckProtocols<V>(ip, id);
        return ip;
    }

    /// @return the link that a route takes
    uint32_t GetLink(uint32_t node, Ptr<typename V::Route> route) const
    {
        const uint64_t id = m_topology.GetExternalId(node);
        if (!route)
        {
            DcnFail(Describe(),
                    "node ",
                    id,
                    " has no route to it; fill routing tables first "
                    "(Ipv4GlobalRoutingHelper::PopulateRoutingTables)");
        }
        const auto link = m_links.find(route->GetOutputDevice());
        if (link == m_links.end())
        {
            DcnFail(Describe(),
                    "the route leaves node ",
                    id,
                    " by device ",
                    route->GetOutputDevice()->GetIfIndex(),
                    ", which is no end of a link between two of the nodes");
        }
        return link->second;
    }

    const DcnTopology& m_topology;                           //!< the network
    const std::map<Ptr<const NetDevice>, uint32_t>& m_links; //!< see the constructor
    uint32_t m_src;                                          //!< node index of the sender
    const DcnIpFlow& m_flow;                                 //!< addresses and ports
    Ptr<Packet> m_packet;                                    //!< transport header and payload
    typename V::Header m_header;                             //!< of the packet
};

/// @return see DcnIpRoutes::GetPath; random: by node, DcnIpRoutes::IsRandom
template <class V>
std::vector<uint32_t>
FollowFlow(Walk<V> walk,
           const DcnTopology& topology,
           uint32_t destination,
           const std::vector<bool>& random)
{
    std::vector<uint32_t> path{walk.Begin()};
    for (uint32_t node = topology.GetLink(path.back()).to; node != destination;
         node = topology.GetLink(path.back()).to)
    {
        if (random[node])
        {
            return {};
        }
        if (path.size() > topology.GetNNodes())
        {
            DcnFail(walk.Describe(),
                    "its route is a loop that passes node ",
                    topology.GetExternalId(node));
        }
        path.push_back(walk.Continue(path.back()));
    }
    return path;
}

} // namespace

std::vector<uint32_t>
DcnIpRoutes::GetPath(uint32_t src, const DcnIpFlow& flow) const
{
    const uint32_t destination = FindNode(flow.destination);
    if (destination == NONE)
    {
        DcnFail("node ",
                m_topology->GetExternalId(src),
                " sends to ",
                ToText(flow.destination),
                ", but no node has this address");
    }
    if (destination == src)
    {
        DcnFail("node ",
                m_topology->GetExternalId(src),
                " sends to ",
                ToText(flow.destination),
                ", which is an address of its own");
    }
    if (m_random[src])
    {
        return {};
    }
    return Ipv4Address::IsMatchingType(flow.destination)
               ? FollowFlow(Walk<V4>(*m_topology, m_links, src, flow),
                            *m_topology,
                            destination,
                            m_random)
               : FollowFlow(Walk<V6>(*m_topology, m_links, src, flow),
                            *m_topology,
                            destination,
                            m_random);
}

} // namespace ns3

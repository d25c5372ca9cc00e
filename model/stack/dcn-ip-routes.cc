/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "dcn-ip-routes.h"

#include "dcn-attributes.h"

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

/// Enters the addresses of a node, but not those that all nodes have (loopback, link-local). One
/// that another node has, too, becomes DcnIpRoutes::SEVERAL.
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
            const auto [entry, isNew] = nodes.emplace(address, index);
            if (!isNew && entry->second != index)
            {
                entry->second = DcnIpRoutes::SEVERAL;
            }
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
        for (uint32_t j = 0; j < nodes.Get(i)->GetNDevices(); ++j)
        {
            const Ptr<NetDevice> bridge = nodes.Get(i)->GetDevice(j);
            const Ptr<Channel> channel = bridge->IsBridge() ? bridge->GetChannel() : nullptr;
            // its channel has the devices of all channels at its ports, on both sides
            for (std::size_t k = 0; channel && k < channel->GetNDevices(); ++k)
            {
                const Ptr<NetDevice> port = channel->GetDevice(k);
                if (port->GetNode() == nodes.Get(i) && port != bridge)
                {
                    m_ports[bridge].push_back(port);
                    m_bridges[port] = bridge;
                }
            }
        }
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
    return found == m_nodes.end() || found->second == SEVERAL ? NONE : found->second;
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

/// Follows a flow of one version of IP; see DcnIpRoutes::GetPath.
template <class V>
class DcnIpRoutes::Walk
{
  public:
    /**
     * @param routes of the network
     * @param src node index of the sender
     * @param flow addresses and ports
     */
    Walk(const DcnIpRoutes& routes, uint32_t src, const DcnIpFlow& flow)
        : m_routes(routes),
          m_topology(*routes.m_topology),
          m_src(src),
          m_flow(flow),
          m_packet(MakePacket())
    {
        V::SetProtocol(m_header, flow.protocol);
        m_header.SetDestination(V::IpAddress::ConvertFrom(flow.destination));
        AddPorts();
    }

    /// @return see DcnIpRoutes::GetPath; source: gets the source address of the packets
    std::vector<uint32_t> Follow(Address* source)
    {
        std::vector<uint32_t> path;
        uint32_t node = m_src;
        uint32_t nPassed = 0; // nodes of IP
        Ptr<NetDevice> from;  // by which the flow comes to the node
        do
        {
            if (m_routes.m_random[node])
            {
                return {};
            }
            if (nPassed++ > m_topology.GetNNodes())
            {
                DcnFail(Describe(),
                        "its route is a loop that passes node ",
                        m_topology.GetExternalId(node));
            }
            const Ptr<typename V::Route> route = from ? Continue(node, from) : Begin();
            from = Cross(node, route, path);
            node = m_topology.GetLink(path.back()).to;
        } while (!Owns(node, m_flow.destination));
        if (source)
        {
            *source = m_header.GetSource();
        }
        return path;
    }

  private:
    /// @return the route at the sender
    Ptr<typename V::Route> Begin()
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
        return route;
    }

    /// @return the route at a node that the flow comes to; from: the node's device
    Ptr<typename V::Route> Continue(uint32_t node, Ptr<NetDevice> from)
    {
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
        if (!ip->IsForwarding(ip->GetInterfaceForDevice(from)))
        {
            DcnFail(Describe(),
                    "node ",
                    m_topology.GetExternalId(node),
                    " does not forward (IpForward)");
        }
        Ptr<typename V::Route> route;
        ip->GetRoutingProtocol()->RouteInput(
            m_packet,
            m_header,
            from,
            V::MakeForward(route),
            typename V::Routing::MulticastForwardCallback(),
            typename V::Routing::LocalDeliverCallback(),
            typename V::Routing::ErrorCallback(
                [](Ptr<const Packet>, const typename V::Header&, Socket::SocketErrno) {}));
        return route;
    }

    /**
     * @brief Go to the next node of IP, over one link or over the links between bridges.
     * @param node node index
     * @param route of the node
     * @param path gets the links
     * @return the device by which IP of the next node receives
     */
    Ptr<NetDevice> Cross(uint32_t node, Ptr<typename V::Route> route, std::vector<uint32_t>& path)
    {
        const uint64_t id = m_topology.GetExternalId(node);
        if (!route)
        {
            DcnFail(Describe(),
                    "node ",
                    id,
                    " has no route to it; fill routing tables first "
                    "(Ipv4GlobalRoutingHelper::PopulateRoutingTables; RIP fills them while the "
                    "simulation runs)");
        }
        const Ptr<NetDevice> device = route->GetOutputDevice();
        CheckInterface(node, device);
        const bool isBridge = m_routes.m_ports.count(device) > 0;
        if (!isBridge && m_routes.m_links.count(device) == 0)
        {
            DcnFail(Describe(),
                    "the route leaves node ",
                    id,
                    " by device ",
                    device->GetIfIndex(),
                    " (",
                    device->GetInstanceTypeId().GetName(),
                    "), which is no end of a link with a rate between two of the nodes");
        }
        // where devices have no addresses, a packet is for whoever is at the other end
        const auto gateway = route->GetGateway();
        m_next = !device->NeedsArp() ? Address()
                 : gateway == typename V::IpAddress() || gateway == V::IpAddress::GetAny()
                     ? m_flow.destination
                     : Address(gateway);
        m_isPassed.clear();
        m_off.clear();
        const Ptr<NetDevice> end = isBridge ? Flood(device, nullptr, path) : Send(device, path);
        if (!end && !m_off.empty())
        {
            DcnFail(Describe(), m_off);
        }
        if (!end)
        {
            DcnFail(Describe(),
                    "behind device ",
                    device->GetIfIndex(),
                    " of node ",
                    id,
                    " no node has the next address ",
                    DcnIpRoutes::ToText(m_next));
        }
        CheckInterface(m_topology.GetLink(path.back()).to, end);
        return end;
    }

    /// Sends from a port; returns the device behind it that has the next address, and adds the
    /// links to it; null if there is none.
    Ptr<NetDevice> Send(Ptr<NetDevice> port, std::vector<uint32_t>& path)
    {
        const auto link = m_routes.m_links.find(port);
        if (link == m_routes.m_links.end())
        {
            return nullptr;
        }
        path.push_back(link->second);
        const uint32_t node = m_topology.GetLink(link->second).to;
        const Ptr<NetDevice> peer = m_topology.GetDevice(DcnTopology::Reverse(link->second));
        if (!IsOn(port, "SendEnable") || !IsOn(peer, "ReceiveEnable"))
        {
            path.pop_back();
            return nullptr;
        }
        const auto bridge = m_routes.m_bridges.find(peer);
        const Ptr<NetDevice> end = bridge == m_routes.m_bridges.end() ? peer : bridge->second;
        if (m_next.IsInvalid() || HasAddress(node, end))
        {
            return end;
        }
        const Ptr<NetDevice> found = end == peer ? nullptr : Flood(end, peer, path);
        if (!found)
        {
            path.pop_back();
        }
        return found;
    }

    /// Sends from all ports of a bridge but one, as a learning bridge does until it knows.
    Ptr<NetDevice> Flood(Ptr<NetDevice> bridge,
                         Ptr<const NetDevice> except,
                         std::vector<uint32_t>& path)
    {
        if (!m_isPassed.insert(bridge).second)
        {
            DcnFail(Describe(),
                    "bridges are joined to a ring at node ",
                    bridge->GetNode()->GetId(),
                    ", where frames go round without end: ns-3 has no spanning tree");
        }
        Ptr<NetDevice> found;
        for (const Ptr<NetDevice>& port : m_routes.m_ports.at(bridge))
        {
            std::vector<uint32_t> links;
            const Ptr<NetDevice> end = port == except ? nullptr : Send(port, links);
            if (end && !found)
            {
                found = end;
                path.insert(path.end(), links.begin(), links.end());
            }
        }
        return found;
    }

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

    /// @return begin of a sentence
    std::string Describe() const
    {
        return "node " + std::to_string(m_topology.GetExternalId(m_src)) + " sends to " +
               DcnIpRoutes::ToText(m_flow.destination) + ", but ";
    }

    /// @return the stack of a node
    Ptr<typename V::Ip> GetStack(uint32_t node) const
    {
        const auto ip = m_topology.GetNodes().Get(node)->GetObject<typename V::Ip>();
        if (!ip || !ip->GetRoutingProtocol())
        {
            DcnFail(Describe(),
                    "node ",
                    m_topology.GetExternalId(node),
                    " has no ",
                    std::is_same_v<V, V4> ? "IPv4" : "IPv6",
                    " stack (InternetStackHelper installs one)");
        }
        return ip;
    }

    /// @return the stack of a node, with a routing protocol that can be asked
    Ptr<typename V::Ip> GetIp(uint32_t node) const
    {
        const auto ip = GetStack(node);
        CheckProtocols<V>(ip, m_topology.GetExternalId(node));
        return ip;
    }

    /// @return whether a node has an address
    bool Owns(uint32_t node, const Address& address) const
    {
        const auto found = m_routes.m_nodes.find(address);
        return found != m_routes.m_nodes.end() && found->second == node;
    }

    /// @return whether the interface of a device has the next address
    bool HasAddress(uint32_t node, Ptr<NetDevice> device) const
    {
        const auto ip = m_topology.GetNodes().Get(node)->GetObject<typename V::Ip>();
        const int32_t interface = ip ? ip->GetInterfaceForDevice(device) : -1;
        for (uint32_t i = 0; interface >= 0 && i < ip->GetNAddresses(interface); ++i)
        {
            if (V::GetAddress(ip, interface, i) == m_next)
            {
                return true;
            }
        }
        return false;
    }

    /// @return whether a device sends or receives; if not, m_off names it
    bool IsOn(Ptr<NetDevice> device, const std::string& flag)
    {
        const auto isOn = DcnReadAttribute<BooleanValue>(*device, flag);
        if (!isOn || isOn->Get())
        {
            return true;
        }
        m_off = "device " + std::to_string(device->GetIfIndex()) + " of node " +
                std::to_string(device->GetNode()->GetId()) + " is off (" + flag +
                "), so that ns-3 drops the packets";
        return false;
    }

    /// Refuses a device that is no interface of IP, or whose interface is down.
    void CheckInterface(uint32_t node, Ptr<NetDevice> device) const
    {
        const auto ip = GetStack(node);
        const int32_t interface = ip->GetInterfaceForDevice(device);
        if (interface < 0)
        {
            DcnFail(Describe(),
                    "device ",
                    device->GetIfIndex(),
                    " of node ",
                    m_topology.GetExternalId(node),
                    " (",
                    device->GetInstanceTypeId().GetName(),
                    ") has no ",
                    std::is_same_v<V, V4> ? "IPv4" : "IPv6",
                    " address, so that ns-3 drops the packets");
        }
        if (!ip->IsUp(interface))
        {
            DcnFail(Describe(),
                    "interface ",
                    interface,
                    " of node ",
                    m_topology.GetExternalId(node),
                    " is down, so that ns-3 drops the packets");
        }
    }

    const DcnIpRoutes& m_routes;               //!< of the network
    const DcnTopology& m_topology;             //!< the network
    uint32_t m_src;                            //!< node index of the sender
    const DcnIpFlow& m_flow;                   //!< addresses and ports
    Ptr<Packet> m_packet;                      //!< transport header and payload
    typename V::Header m_header;               //!< of the packet
    Address m_next;                            //!< of the next node of IP; invalid: any
    std::set<Ptr<const NetDevice>> m_isPassed; //!< bridges since the latest node of IP
    std::string m_off;                         //!< names a device since then that is off
};

namespace
{

/// @return why no node can be the one that an address means, to be continued after the sender
std::string
DescribeStranger(const NodeContainer& nodes, const Address& address)
{
    bool isBroadcast = false;
    if (Ipv4Address::IsMatchingType(address))
    {
        const Ipv4Address plain = Ipv4Address::ConvertFrom(address);
        if (plain.IsMulticast())
        {
            return "a group (multicast), but a flow has one receiver";
        }
        if (plain.IsLocalhost())
        {
            return "its own loopback: the bytes cross no link";
        }
        isBroadcast = plain.IsBroadcast();
        for (uint32_t i = 0; i < nodes.GetN() && !isBroadcast; ++i)
        {
            const auto ip = nodes.Get(i)->GetObject<Ipv4>();
            for (uint32_t interface = 0; ip && interface < ip->GetNInterfaces(); ++interface)
            {
                for (uint32_t j = 0; j < ip->GetNAddresses(interface); ++j)
                {
                    // a subnet of one address has none for all of its nodes
                    const Ipv4InterfaceAddress each = ip->GetAddress(interface, j);
                    isBroadcast = isBroadcast || (plain == each.GetBroadcast() &&
                                                  each.GetMask() != Ipv4Mask::GetOnes());
                }
            }
        }
    }
    else if (Ipv6Address::IsMatchingType(address))
    {
        const Ipv6Address plain = Ipv6Address::ConvertFrom(address);
        if (plain.IsMulticast())
        {
            return "a group (multicast), but a flow has one receiver";
        }
        if (plain.IsLocalhost())
        {
            return "its own loopback: the bytes cross no link";
        }
        if (plain.IsLinkLocal())
        {
            return "a link-local address, which several nodes may have: send to another one";
        }
    }
    return isBroadcast ? "all nodes of a link (broadcast), but a flow has one receiver" : "";
}

} // namespace

std::vector<uint32_t>
DcnIpRoutes::GetPath(uint32_t src, const DcnIpFlow& flow, Address* source) const
{
    const std::string begin = "node " + std::to_string(m_topology->GetExternalId(src)) +
                              " sends to " + ToText(flow.destination) + ", ";
    const uint32_t destination = FindNode(flow.destination);
    if (destination == NONE)
    {
        const std::string stranger = DescribeStranger(m_topology->GetNodes(), flow.destination);
        DcnFail(begin,
                !stranger.empty()                     ? stranger
                : m_nodes.count(flow.destination) > 0 ? "but several nodes have this address"
                                                      : "but no node has this address");
    }
    if (destination == src)
    {
        DcnFail(begin, "which is an address of its own");
    }
    return Ipv4Address::IsMatchingType(flow.destination)
               ? Walk<V4>(*this, src, flow).Follow(source)
               : Walk<V6>(*this, src, flow).Follow(source);
}

} // namespace ns3

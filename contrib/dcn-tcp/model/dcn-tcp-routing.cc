/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "dcn-tcp-routing.h"

#include "ns3/assert.h"
#include "ns3/log.h"
#include "ns3/output-stream-wrapper.h"
#include "ns3/packet.h"

#include <algorithm>
#include <array>

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("DcnTcpRouting");

NS_OBJECT_ENSURE_REGISTERED(DcnTcpRouting);

DcnTcpRoutes::DcnTcpRoutes(Ptr<const DcnScenario> itsScenario)
    : scenario(itsScenario),
      table(itsScenario),
      byLink(itsScenario->GetTopology().GetNLinks()),
      nHops(itsScenario->GetFlows().size(), 0),
      sequences(itsScenario->GetFlows().size(), 1) // the SYN has number 0
{
}

TypeId
DcnTcpRouting::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::DcnTcpRouting").SetParent<Ipv4RoutingProtocol>().SetGroupName("DcnTcp");
    return tid;
}

DcnTcpRouting::DcnTcpRouting(DcnTcpRoutes& routes, uint32_t node)
    : m_routes(routes),
      m_node(node)
{
}

void
DcnTcpRouting::DoDispose()
{
    m_ipv4 = nullptr;
    Ipv4RoutingProtocol::DoDispose();
}

Ptr<Ipv4Route>
DcnTcpRouting::Forward(Ptr<const Packet> packet,
                       Ipv4Address source,
                       Ipv4Address destination,
                       std::size_t hop)
{
    std::array<uint8_t, 20> tcp{}; // header without options
    packet->CopyData(tcp.data(), tcp.size());
    const DcnTcpFlowTable::Match match =
        m_routes.table.Find(source,
                            static_cast<uint16_t>(tcp[0] << 8 | tcp[1]),
                            destination,
                            static_cast<uint16_t>(tcp[2] << 8 | tcp[3]));
    const DcnPath path = m_routes.scenario->GetPath(match.flow);
    NS_ASSERT_MSG(hop < path.size(), "a packet went further than its path");
    const uint32_t link =
        match.isForward ? path[hop] : DcnTopology::Reverse(path[path.size() - 1 - hop]);
    NS_ASSERT_MSG(m_routes.scenario->GetTopology().GetLink(link).from == m_node,
                  "a packet left its path");
    const uint32_t headerBytes = 4U * (tcp[12] >> 4);
    if (match.isForward && packet->GetSize() > headerBytes)
    {
        ++m_routes.dataPacketHops;
        if (hop == 0)
        {
            const uint32_t payload = packet->GetSize() - headerBytes;
            uint32_t begin = 0;
            for (std::size_t i = 4; i < 8; ++i)
            {
                begin = begin << 8 | tcp[i];
            }
            // numbers are modulo 2^32: the signed difference says which is later
            const auto nNew =
                static_cast<int32_t>(begin + payload - m_routes.sequences[match.flow]);
            m_routes.sequences[match.flow] += nNew > 0 ? nNew : 0;
            m_routes.retransmittedBytes +=
                payload - std::min<uint32_t>(payload, nNew > 0 ? nNew : 0);
        }
        if (hop > m_routes.nHops[match.flow])
        {
            m_routes.nHops[match.flow] = static_cast<uint8_t>(hop);
            if (m_routes.onFirstPacket)
            {
                m_routes.onFirstPacket(match.flow, hop, link);
            }
        }
    }
    NS_LOG_LOGIC("flow " << match.flow << (match.isForward ? ", forward" : ", backward") << ", hop "
                         << hop << ": link " << link);
    return m_routes.byLink[link];
}

Ptr<Ipv4Route>
DcnTcpRouting::RouteOutput(Ptr<Packet> p,
                           const Ipv4Header& header,
                           Ptr<NetDevice> /* oif */,
                           Socket::SocketErrno& sockerr)
{
    sockerr = Socket::ERROR_NOTERROR;
    if (!p)
    {
        // a socket asks for its address only
        return m_routes.byLink[m_routes.scenario->GetTopology().GetOutLinks(m_node)[0]];
    }
    return Forward(p, header.GetSource(), header.GetDestination(), 0);
}

bool
DcnTcpRouting::RouteInput(Ptr<const Packet> p,
                          const Ipv4Header& header,
                          Ptr<const NetDevice> idev,
                          DcnRouteInputParameter<3>::Type ucb,
                          DcnRouteInputParameter<4>::Type /* mcb */,
                          DcnRouteInputParameter<5>::Type lcb,
                          DcnRouteInputParameter<6>::Type /* ecb */)
{
    if (DcnTcpFlowTable::GetNode(header.GetDestination()) == m_node)
    {
        lcb(p, header, static_cast<uint32_t>(m_ipv4->GetInterfaceForDevice(idev)));
        return true;
    }
    const std::size_t hop = TTL - header.GetTtl() + 1U;
    ucb(Forward(p, header.GetSource(), header.GetDestination(), hop), p, header);
    return true;
}

void
DcnTcpRouting::NotifyInterfaceUp(uint32_t /* interface */)
{
}

void
DcnTcpRouting::NotifyInterfaceDown(uint32_t /* interface */)
{
}

void
DcnTcpRouting::NotifyAddAddress(uint32_t /* interface */, Ipv4InterfaceAddress /* address */)
{
}

void
DcnTcpRouting::NotifyRemoveAddress(uint32_t /* interface */, Ipv4InterfaceAddress /* address */)
{
}

void
DcnTcpRouting::SetIpv4(Ptr<Ipv4> ipv4)
{
    m_ipv4 = ipv4;
}

void
DcnTcpRouting::PrintRoutingTable(Ptr<OutputStreamWrapper> stream, Time::Unit /* unit */) const
{
    *stream->GetStream() << "node " << m_node << ": every flow on its path in the scenario"
                         << std::endl;
}

} // namespace ns3

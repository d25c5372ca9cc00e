/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "dcn-traffic-source.h"

#include "ns3/dcn-topology.h"

namespace ns3
{

std::string
DcnTrafficSource::Describe(const DcnTopology& topology) const
{
    if (!application)
    {
        return monitorId > 0 ? "flow " + std::to_string(monitorId) + " of the FlowMonitor"
                             : "the flow from " + DcnIpRoutes::ToText(ip.source) + " port " +
                                   std::to_string(ip.sourcePort) + " to " +
                                   DcnIpRoutes::ToText(ip.destination) + " port " +
                                   std::to_string(ip.destinationPort);
    }
    const Ptr<Node> owner = topology.GetNodes().Get(node);
    uint32_t number = 0;
    while (owner->GetApplication(number) != application)
    {
        ++number;
    }
    return "application " + std::to_string(number) + " of node " +
           std::to_string(topology.GetExternalId(node)) + " (" +
           application->GetInstanceTypeId().GetName() + ")";
}

DcnTrafficSource::Key
DcnTrafficSource::MakeKey(const DcnIpFlow& ip, bool isSwapped)
{
    return isSwapped ? std::make_tuple(ip.destination,
                                       ip.destinationPort,
                                       ip.source,
                                       ip.sourcePort,
                                       ip.protocol)
                     : std::make_tuple(ip.source,
                                       ip.sourcePort,
                                       ip.destination,
                                       ip.destinationPort,
                                       ip.protocol);
}

uint64_t
DcnTrafficSource::GetBytes(const Messages& messages)
{
    uint64_t bytes = 0;
    for (const Message& message : messages)
    {
        bytes += message.sizeBytes;
    }
    return bytes;
}

} // namespace ns3

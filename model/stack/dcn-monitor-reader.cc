/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "dcn-monitor-reader.h"

#include "dcn-application-reader.h"
#include "dcn-stack-config.h"

#include "ns3/dcn-error.h"
#include "ns3/dcn-topology.h"
#include "ns3/flow-monitor.h"
#include "ns3/ipv4-flow-classifier.h"
#include "ns3/ipv6-flow-classifier.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace ns3
{

namespace
{

constexpr uint8_t TCP = DcnStackConfig::TCP; //!< protocol number
constexpr uint8_t UDP = DcnStackConfig::UDP; //!< protocol number

/// A flow as a FlowMonitor knows it.
struct MonitorFlow
{
    uint32_t id;       //!< number in the monitor
    DcnIpFlow ip;      //!< addresses and ports
    uint64_t payload;  //!< bytes that arrived beyond headers
    uint64_t nPackets; //!< packets that arrived
    int64_t startNs;   //!< first packet is sent [ns]
    int64_t endNs;     //!< last packet is sent [ns]
};

/// @return all flows of a monitor, by number
std::vector<MonitorFlow>
ReadMonitor(const FlowMonitor& monitor, Ptr<FlowClassifier> classifier)
{
    const auto v4 = DynamicCast<Ipv4FlowClassifier>(classifier);
    const auto v6 = DynamicCast<Ipv6FlowClassifier>(classifier);
    if (!v4 && !v6)
    {
        DcnFail("the classifier of a FlowMonitor must be an Ipv4FlowClassifier or an "
                "Ipv6FlowClassifier");
    }
    const auto read = [](const auto& tuple) {
        DcnIpFlow ip;
        ip.source = tuple.sourceAddress;
        ip.destination = tuple.destinationAddress;
        ip.protocol = tuple.protocol;
        ip.sourcePort = tuple.sourcePort;
        ip.destinationPort = tuple.destinationPort;
        return ip;
    };
    std::vector<MonitorFlow> flows;
    for (const auto& [id, stats] : monitor.GetFlowStats())
    {
        const DcnIpFlow ip = v4 ? read(v4->FindFlow(id)) : read(v6->FindFlow(id));
        const bool isV4 = v4 != nullptr;
        const uint64_t headers =
            stats.rxPackets == 0
                ? 0
                : DcnStackConfig::GetHeaderBytes(ip.protocol, isV4, true) +
                      (stats.rxPackets - 1) * DcnStackConfig::GetHeaderBytes(ip.protocol, isV4);
        const uint64_t payload = stats.rxBytes > headers ? stats.rxBytes - headers : 0;
        flows.push_back({id,
                         ip,
                         payload,
                         stats.rxPackets,
                         stats.timeFirstTxPacket.GetNanoSeconds(),
                         stats.timeLastTxPacket.GetNanoSeconds()});
    }
    return flows;
}

/// Flows of a monitor by their keys.
using MonitorFlows = std::map<DcnTrafficSource::Key, const MonitorFlow*>;

/// @return whether a flow has the acknowledgements of another one
bool
Acknowledges(const MonitorFlow& flow, const MonitorFlows& byKey)
{
    // acknowledgements with lists of lost segments carry up to 36 bytes of options
    constexpr uint64_t LARGEST_OPTIONS = 36;
    const auto other = byKey.find(DcnTrafficSource::MakeKey(flow.ip, true));
    return flow.ip.protocol == TCP && other != byKey.end() &&
           flow.payload <= LARGEST_OPTIONS * flow.nPackets && other->second->payload > flow.payload;
}

/**
 * Note what a monitor does not say.
 * @param nUnknown flows over TCP whose application is not known
 * @param nSpread flows over TCP whose messages have no known times
 * @param notes appended to
 */
void
NoteGuesses(std::size_t nUnknown, std::size_t nSpread, std::vector<std::string>& notes)
{
    if (nUnknown > 0)
    {
        notes.push_back(std::to_string(nUnknown) +
                        " flows over TCP have no application that can be read; each was taken "
                        "for one transfer that is handed over at its start");
    }
    if (nSpread > 0)
    {
        notes.push_back(std::to_string(nSpread) +
                        " senders over TCP with a pace have random times or lost bytes; their "
                        "bytes were spread evenly between the first and the last packet that the "
                        "FlowMonitor saw, which is late where the network held them up");
    }
}

/**
 * @brief Spread bytes evenly over the packets that carried them.
 * @param bytes payload, at least 1
 * @param nPackets number of packets, at least 1
 * @param firstNs when the first one was sent [ns]
 * @param lastNs when the last one was sent [ns]
 * @param maxMessages largest number of messages
 * @return messages at the instants of packets; one of all if the packets were sent at once
 */
DcnTrafficSource::Messages
Spread(uint64_t bytes, uint64_t nPackets, int64_t firstNs, int64_t lastNs, uint32_t maxMessages)
{
    const uint64_t gaps = lastNs > firstNs && nPackets > 1 ? nPackets - 1 : 0;
    const uint64_t n = gaps == 0 ? 1 : std::min<uint64_t>({nPackets, bytes, maxMessages});
    DcnTrafficSource::Messages messages;
    uint64_t done = 0;
    for (uint64_t i = 0; i < n; ++i)
    {
        // message i begins with packet i * nPackets / n
        const double packets =
            static_cast<double>(i) * static_cast<double>(nPackets) / static_cast<double>(n);
        const uint64_t end = static_cast<uint64_t>(std::llround(
            static_cast<double>(bytes) * static_cast<double>(i + 1) / static_cast<double>(n)));
        const double share = gaps == 0 ? 0 : std::floor(packets) / static_cast<double>(gaps);
        messages.push_back(
            {end - done, firstNs + std::llround(share * static_cast<double>(lastNs - firstNs))});
        done = end;
    }
    return messages;
}

} // namespace

DcnTraffic
DcnMonitorReader::Read(const DcnTopology& topology,
                       const DcnIpRoutes& routes,
                       const FlowMonitor& monitor,
                       Ptr<FlowClassifier> classifier,
                       uint32_t maxMessages)
{
    const std::vector<MonitorFlow> flows = ReadMonitor(monitor, classifier);
    MonitorFlows byKey;
    for (const MonitorFlow& flow : flows)
    {
        byKey[DcnTrafficSource::MakeKey(flow.ip, false)] = &flow;
    }
    std::vector<DcnTrafficSource> senders = DcnApplicationReader::FindSenders(topology.GetNodes());
    DcnTraffic traffic;
    std::size_t nUnknown = 0; // flows over TCP whose application is not known
    std::size_t nSpread = 0;  // flows over TCP whose messages have no known times
    for (const MonitorFlow& flow : flows)
    {
        if (Acknowledges(flow, byKey))
        {
            continue;
        }
        DcnTrafficSource source;
        source.monitorId = flow.id;
        source.ip = flow.ip;
        source.startNs = flow.startNs;
        source.node = routes.FindNode(flow.ip.source);
        DcnTrafficSource::Messages parts;
        if (source.node == DcnIpRoutes::NONE)
        {
            source.reason =
                "none of the nodes has its source address " + DcnIpRoutes::ToText(flow.ip.source);
        }
        else if (flow.payload == 0)
        {
            source.reason = "no payload has arrived";
        }
        else
        {
            // a segment that arrives twice counts twice in the monitor
            uint64_t payload = flow.payload;
            bool isPaced = flow.ip.protocol == UDP;
            if (const DcnTrafficSource* sender = DcnApplicationReader::TakeSender(senders, source))
            {
                const uint64_t most = DcnApplicationReader::ReadMaxBytes(*sender->application);
                payload = most > 0 ? std::min(payload, most) : payload;
                DcnTrafficSource copy = *sender;
                parts = isPaced || DcnApplicationReader::IsPaced(*sender->application)
                            ? DcnApplicationReader::ReadMessages(copy, maxMessages)
                            : parts;
                isPaced = isPaced || DcnApplicationReader::IsPaced(*sender->application);
            }
            else if (!isPaced)
            {
                ++nUnknown;
            }
            if (flow.ip.protocol == UDP)
            {
                source.packetBytes = (flow.payload + flow.nPackets - 1) / flow.nPackets;
            }
            if (!isPaced)
            {
                parts = {{payload, flow.startNs}};
            }
            else if (DcnTrafficSource::GetBytes(parts) != payload)
            {
                // its times are random, or something is missing: evenly between what was seen
                parts = Spread(payload, flow.nPackets, flow.startNs, flow.endNs, maxMessages);
                nSpread += flow.ip.protocol == TCP;
            }
        }
        traffic.sources.push_back(source);
        traffic.messages.push_back(std::move(parts));
    }
    if (traffic.sources.empty())
    {
        DcnFail("the FlowMonitor has seen no flow with payload");
    }
    NoteGuesses(nUnknown, nSpread, traffic.notes);
    return traffic;
}

} // namespace ns3

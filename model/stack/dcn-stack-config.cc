/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "dcn-stack-config.h"

#include "dcn-attributes.h"

#include "ns3/boolean.h"
#include "ns3/double.h"
#include "ns3/log.h"
#include "ns3/net-device.h"
#include "ns3/node.h"
#include "ns3/nstime.h"
#include "ns3/pointer.h"
#include "ns3/queue-disc.h"
#include "ns3/queue-size.h"
#include "ns3/tcp-l4-protocol.h"
#include "ns3/traffic-control-layer.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("DcnStackConfig");

namespace
{

/// @return a whole-numbered default of TcpSocket
uint64_t
GetSocketDefault(const std::string& name)
{
    return DcnReadDefault<UintegerValue>("ns3::TcpSocket", name);
}

/// @return whether a flag of TcpSocketBase is on by default
bool
IsOn(const std::string& name)
{
    return DcnReadDefault<BooleanValue>("ns3::TcpSocketBase", name);
}

/// @return headers of a device's frames [bytes]: PPP, Ethernet, or none that is known
uint32_t
GetFrameBytes(Ptr<NetDevice> device)
{
    const std::string type = device ? device->GetInstanceTypeId().GetName() : "";
    return type.find("PointToPoint") != std::string::npos ? 2
           : type.find("Csma") != std::string::npos       ? 18
                                                          : 0;
}

/// @return the types of congestion control of nodes, each once
std::set<std::string>
GetSocketTypes(const DcnTopology& topology, const std::vector<uint32_t>& nodes)
{
    std::set<std::string> types;
    for (uint32_t node : nodes)
    {
        if (const auto tcp = topology.GetNodes().Get(node)->GetObject<TcpL4Protocol>())
        {
            const auto type = DcnReadAttribute<TypeIdValue>(*tcp, "SocketType");
            types.insert(type ? type->Get().GetName() : "");
        }
    }
    return types;
}

/// Limits of what waits at a port.
struct Port
{
    uint64_t nFirst{0};         //!< packets ahead of a new flow's
    uint64_t nAll{0};           //!< all packets that it can hold
    std::optional<double> kMin; //!< packets above which RED marks; none: it marks nothing
    std::optional<double> kMax; //!< packets above which it marks all
    double pMax{1};             //!< probability just below
};

/// @return a limit in packets
uint64_t
ToPackets(const QueueSize& size, uint32_t packetBytes)
{
    return size.GetUnit() == QueueSizeUnit::PACKETS ? size.GetValue()
                                                    : size.GetValue() / packetBytes;
}

/// @return the queue disc whose packets a device sends; null if there is none
Ptr<QueueDisc>
FindQueueDisc(Ptr<NetDevice> device)
{
    const auto layer = device->GetNode()->GetObject<TrafficControlLayer>();
    Ptr<QueueDisc> disc = layer ? layer->GetRootQueueDiscOnDevice(device) : nullptr;
    while (disc && disc->GetInstanceTypeId().GetName() == "ns3::MqQueueDisc" &&
           disc->GetNQueueDiscClasses() > 0)
    {
        disc = disc->GetQueueDiscClass(0)->GetQueueDisc();
    }
    return disc;
}

/// @return the limits of a port
Port
ReadPort(Ptr<NetDevice> device, uint64_t rateBps, uint32_t packetBytes)
{
    Port port;
    if (const auto queue = DcnReadAttribute<PointerValue>(*device, "TxQueue"))
    {
        if (const Ptr<Object> object = queue->GetObject())
        {
            if (const auto size = DcnReadAttribute<QueueSizeValue>(*object, "MaxSize"))
            {
                port.nAll = ToPackets(size->Get(), packetBytes);
            }
        }
    }
    port.nFirst = port.nAll;
    const Ptr<QueueDisc> disc = FindQueueDisc(device);
    const auto size = disc ? DcnReadAttribute<QueueSizeValue>(*disc, "MaxSize") : std::nullopt;
    if (!size)
    {
        return port;
    }
    const uint64_t limit = ToPackets(size->Get(), packetBytes);
    port.nAll += limit;
    const std::string type = disc->GetInstanceTypeId().GetName();
    if (type.rfind("ns3::Fq", 0) == 0)
    {
        return port; // each flow has a queue of its own
    }
    uint64_t most = limit;
    const auto target = DcnReadAttribute<TimeValue>(*disc, "Target");
    const auto maxTh = DcnReadAttribute<DoubleValue>(*disc, "MaxTh");
    if (type == "ns3::CoDelQueueDisc" && target)
    {
        const double bytes = target->Get().GetSeconds() * static_cast<double>(rateBps) / 8;
        most = std::min(most, static_cast<uint64_t>(bytes / packetBytes));
    }
    else if (maxTh)
    {
        const bool isBytes = size->Get().GetUnit() == QueueSizeUnit::BYTES;
        const double unit = isBytes ? 1.0 / packetBytes : 1;
        most = std::min(most, static_cast<uint64_t>(maxTh->Get() * unit));
        const auto ecn = DcnReadAttribute<BooleanValue>(*disc, "UseEcn");
        const auto minTh = DcnReadAttribute<DoubleValue>(*disc, "MinTh");
        if (ecn && ecn->Get() && minTh)
        {
            const auto inverse = DcnReadAttribute<DoubleValue>(*disc, "LInterm");
            port.kMin = minTh->Get() * unit;
            port.kMax = std::max(minTh->Get(), maxTh->Get()) * unit;
            port.pMax = inverse && inverse->Get() > 1 ? 1 / inverse->Get() : 1;
        }
    }
    port.nFirst += most;
    return port;
}

/// Sets the keys of queues by the ports of switches, or of all nodes if there is no switch; hasEcn:
/// whether sockets use ECN.
void
SetQueues(const DcnTopology& topology,
          bool hasEcn,
          DcnNetworkConfig& config,
          std::vector<std::string>& notes)
{
    const uint32_t packetBytes = config.payloadBytes + config.headerBytes;
    std::map<uint32_t, uint64_t> buffers; // packets, by node
    std::map<uint64_t, uint32_t> sizes;   // ports, by their first packets
    std::optional<Port> marking;
    uint64_t markingBps = 0;
    bool hasSwitch = false;
    for (uint32_t l = 0; l < topology.GetNLinks(); ++l)
    {
        hasSwitch = hasSwitch || !topology.IsHost(topology.GetLink(l).from);
    }
    for (uint32_t l = 0; l < topology.GetNLinks(); ++l)
    {
        const DcnLink& link = topology.GetLink(l);
        const Ptr<NetDevice> device = topology.GetDevice(l);
        if (!device || (hasSwitch && topology.IsHost(link.from)))
        {
            continue;
        }
        const Port port = ReadPort(device, link.rateBps, packetBytes);
        buffers[link.from] += port.nAll;
        ++sizes[port.nFirst];
        if (port.kMin && (!marking || *port.kMax > *marking->kMax))
        {
            marking = port;
            markingBps = link.rateBps;
        }
    }
    if (sizes.empty())
    {
        return;
    }
    const uint64_t nFirst = sizes.rbegin()->first;
    if (sizes.size() > 1)
    {
        notes.push_back("queues in front of ports hold from " +
                        std::to_string(sizes.begin()->first) + " to " + std::to_string(nFirst) +
                        " packets ahead of a new flow's; the configuration has the largest number");
    }
    config.queuePackets = config.initialWindowBytes > 0
                              ? static_cast<uint32_t>(std::min<uint64_t>(nFirst, UINT32_MAX))
                              : 0;
    uint64_t most = 1;
    for (const auto& [node, nPackets] : buffers)
    {
        most = std::max(most, nPackets);
    }
    config.bufferBytes = most * packetBytes;
    config.pfc = false;
    // without marks, the threshold is as high as the buffer
    config.ecnKminBytes = config.ecnKmaxBytes = config.bufferBytes;
    config.ecnPmax = 1;
    config.ecnReferenceRate = DataRate(topology.GetLink(0).rateBps);
    if (marking && hasEcn)
    {
        config.ecnReferenceRate = DataRate(markingBps);
        config.ecnKminBytes = static_cast<uint64_t>(*marking->kMin * packetBytes);
        config.ecnKmaxBytes = static_cast<uint64_t>(*marking->kMax * packetBytes);
        config.ecnPmax = marking->pMax;
    }
    else if (marking && config.initialWindowBytes > 0)
    {
        notes.push_back("queue discs mark packets (RedQueueDisc::UseEcn), but sockets do not use "
                        "ECN (TcpSocketBase::UseEcn is not On): no packet is marked");
    }
}

} // namespace

uint32_t
DcnStackConfig::GetHeaderBytes(uint8_t protocol, bool isV4, bool isFirst)
{
    const uint32_t ip = isV4 ? 20 : 40;
    if (protocol == UDP)
    {
        return ip + 8;
    }
    // options are padded to words of four bytes
    uint32_t options = IsOn("Timestamp") ? 10 : 0;
    options += isFirst && IsOn("WindowScaling") ? 3 : 0;
    options += isFirst && IsOn("Sack") ? 2 : 0;
    return ip + 20 + (options + 3) / 4 * 4;
}

DcnStackConfig::Packet
DcnStackConfig::GetPacket(const DcnTopology& topology, uint8_t protocol, bool isV4)
{
    const uint32_t headers = GetHeaderBytes(protocol, isV4);
    uint32_t mtu = UINT16_MAX;
    uint32_t frame = 0;
    for (uint32_t l = 0; l < topology.GetNLinks(); ++l)
    {
        if (const Ptr<NetDevice> device = topology.GetDevice(l))
        {
            mtu = std::min<uint32_t>(mtu, device->GetMtu());
            frame = std::max(frame, GetFrameBytes(device));
        }
    }
    uint64_t payload = mtu > headers ? mtu - headers : 1;
    if (protocol == TCP)
    {
        const uint64_t segment = GetSocketDefault("SegmentSize");
        if (segment == 0)
        {
            DcnFail("the default of TcpSocket::SegmentSize is 0, so that TCP sends nothing");
        }
        payload = std::min(payload, segment);
    }
    return {headers + frame, static_cast<uint32_t>(payload)};
}

Ptr<DcnNetworkConfig>
DcnStackConfig::Read(const DcnTopology& topology,
                     const Senders& senders,
                     std::vector<std::string>& notes)
{
    Ptr<DcnNetworkConfig> config =
        DcnNetworkConfig::Preset("dctcp", topology.GetNicRates(topology.GetHosts()));
    const bool isTcp = senders.nTcp > 0 || senders.nUdp == 0;
    const Packet packet = GetPacket(topology, isTcp ? TCP : UDP, senders.isV4);
    config->headerBytes = packet.headerBytes;
    config->payloadBytes = packet.payloadBytes;
    if (!isTcp && senders.largestDatagramBytes > 0)
    {
        // IP splits larger packets
        config->payloadBytes = std::min(packet.payloadBytes, senders.largestDatagramBytes);
    }
    config->windowBytes = 0;
    bool hasEcn = false;
    if (isTcp)
    {
        const uint64_t payload = config->payloadBytes;
        config->windowBytes =
            std::min(GetSocketDefault("SndBufSize"), GetSocketDefault("RcvBufSize"));
        if (config->windowBytes < payload)
        {
            DcnFail("the smaller one of TcpSocket::SndBufSize and RcvBufSize is ",
                    config->windowBytes,
                    " bytes, less than a segment of ",
                    payload,
                    " bytes");
        }
        if (!IsOn("WindowScaling"))
        {
            config->windowBytes = std::min<uint64_t>(config->windowBytes, UINT16_MAX);
        }
        const uint64_t nInitial = GetSocketDefault("InitialCwnd");
        if (nInitial == 0)
        {
            DcnFail("the default of TcpSocket::InitialCwnd is 0 segments, so that TCP sends "
                    "nothing");
        }
        config->handshakeRtts = 1;
        config->initialWindowBytes = nInitial * payload;
        const uint64_t threshold = GetSocketDefault("InitialSlowStartThreshold");
        if (threshold < config->windowBytes)
        {
            notes.push_back("TcpSocket::InitialSlowStartThreshold is " + std::to_string(threshold) +
                            " bytes, but the end of slow start at a threshold is not modelled");
        }
        const std::set<std::string> types = GetSocketTypes(topology, senders.tcpNodes);
        const std::string type = types.empty() ? "" : *types.begin();
        if (types.size() > 1)
        {
            notes.push_back("senders have " + std::to_string(types.size()) +
                            " kinds of congestion control; windows grow as those of " + type);
        }
        // TcpDctcp turns ECN on by itself; senders with AcceptOnly do not ask for it in their SYN
        const auto useEcn = DcnFindAttribute("ns3::TcpSocketBase", "UseEcn");
        hasEcn = type == "ns3::TcpDctcp" ||
                 useEcn.initialValue->SerializeToString(useEcn.checker) == "On";
        if (type == "ns3::TcpCubic" && DcnReadDefault<BooleanValue>(type, "HyStart"))
        {
            config->slowStartBytes =
                DcnReadDefault<UintegerValue>(type, "HyStartLowWindow") * payload;
            config->windowGrowthDivisor =
                config->slowStartBytes > 0
                    ? static_cast<uint32_t>(DcnReadDefault<UintegerValue>(type, "CntClamp"))
                    : 0;
        }
        if (senders.nUdp > 0)
        {
            notes.push_back(
                "the configuration is that of TCP, with its handshake and windows, for " +
                std::to_string(senders.nUdp) + " senders over UDP, too, beside " +
                std::to_string(senders.nTcp) + " over TCP");
        }
    }
    SetQueues(topology, hasEcn, *config, notes);
    NS_LOG_INFO("payload " << config->payloadBytes << ", headers " << config->headerBytes
                           << ", window " << config->windowBytes << " from "
                           << config->initialWindowBytes << " bytes, queue " << config->queuePackets
                           << " packets");
    return config;
}

} // namespace ns3

/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "dcn-stack-config.h"

#include "dcn-attributes.h"

#include "ns3/boolean.h"
#include "ns3/channel.h"
#include "ns3/double.h"
#include "ns3/error-model.h"
#include "ns3/log.h"
#include "ns3/net-device.h"
#include "ns3/node.h"
#include "ns3/nstime.h"
#include "ns3/pointer.h"
#include "ns3/queue-disc.h"
#include "ns3/queue-size.h"
#include "ns3/string.h"
#include "ns3/tcp-l4-protocol.h"
#include "ns3/traffic-control-layer.h"

#include <algorithm>
#include <cmath>
#include <deque>
#include <map>
#include <optional>
#include <set>
#include <utility>

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

/// @return headers of a device's frames [bytes]: PPP, Ethernet, with or without LLC, or none that
/// is known
uint32_t
GetFrameBytes(Ptr<NetDevice> device)
{
    const std::string type = device ? device->GetInstanceTypeId().GetName() : "";
    TypeId::AttributeInformation mode;
    StringValue value;
    const bool hasLlc =
        type.find("Csma") != std::string::npos &&
        device->GetInstanceTypeId().LookupAttributeByName("EncapsulationMode", &mode) &&
        device->GetAttributeFailSafe("EncapsulationMode", value) && value.Get() == "Llc";
    return type.find("PointToPoint") != std::string::npos ? 2
           : type.find("Csma") != std::string::npos       ? (hasLlc ? 26 : 18)
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
    uint64_t nDevice{0};        //!< packets in the device's own queue
    uint64_t nFirst{0};         //!< packets ahead of a new flow's
    uint64_t nAll{0};           //!< all packets that it can hold
    std::optional<double> kMin; //!< packets above which RED marks; none: it marks nothing
    std::optional<double> kMax; //!< packets above which it marks all
    double pMax{1};             //!< probability just below
    int64_t targetNs{0};        //!< CoDel drops what waits longer than this [ns]; 0: no CoDel
    int64_t intervalNs{0};      //!< for so long [ns]
};

/// @return an attribute that is a time, or a text with a time [ns]; 0 if there is none
int64_t
ReadTimeNs(const Object& object, const std::string& name)
{
    if (const auto time = DcnReadAttribute<TimeValue>(object, name))
    {
        return time->Get().GetNanoSeconds();
    }
    const auto text = DcnReadAttribute<StringValue>(object, name);
    return text ? Time(text->Get()).GetNanoSeconds() : 0;
}

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
                port.nDevice = port.nAll = ToPackets(size->Get(), packetBytes);
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
    if (type == "ns3::CoDelQueueDisc" || type == "ns3::FqCoDelQueueDisc")
    {
        port.targetNs = ReadTimeNs(*disc, "Target");
        port.intervalNs = ReadTimeNs(*disc, "Interval");
    }
    if (type.rfind("ns3::Fq", 0) == 0)
    {
        return port; // each flow has a queue of its own
    }
    uint64_t most = limit;
    const auto maxTh = DcnReadAttribute<DoubleValue>(*disc, "MaxTh");
    if (port.targetNs > 0)
    {
        const double bytes =
            static_cast<double>(port.targetNs) * static_cast<double>(rateBps) / 8e9;
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

namespace
{

/// Things of one kind, for a sentence: their number and the first one.
struct Kind
{
    uint64_t n{0};     //!< number
    std::string first; //!< the first one

    /// Adds one.
    void Add(const std::string& what)
    {
        first = n == 0 ? what : first;
        ++n;
    }

    /// @return e.g. "3 devices, such as device 1 of node 7 (ns3::CsmaNetDevice)"
    std::string Describe(const std::string& one, const std::string& many) const
    {
        return n == 1 ? "1 " + one + ", " + first
                      : std::to_string(n) + " " + many + ", such as " + first;
    }
};

/// @return e.g. "device 1 of node 7 (ns3::CsmaNetDevice)"
std::string
DescribeDevice(Ptr<NetDevice> device)
{
    return "device " + std::to_string(device->GetIfIndex()) + " of node " +
           std::to_string(device->GetNode()->GetId()) + " (" +
           device->GetInstanceTypeId().GetName() + ")";
}

/// @return type of the error model by which a device loses packets that it receives; empty if there
/// is none
std::string
FindErrorModel(Ptr<NetDevice> device)
{
    const auto pointer = DcnReadAttribute<PointerValue>(*device, "ReceiveErrorModel");
    const auto model = pointer ? DynamicCast<ErrorModel>(pointer->GetObject()) : nullptr;
    if (!model || !model->IsEnabled())
    {
        return "";
    }
    const auto rate = DcnReadAttribute<DoubleValue>(*model, "ErrorRate");
    return rate && rate->Get() == 0 ? "" : model->GetInstanceTypeId().GetName();
}

/// What links and their devices do that no method models.
struct DeviceKinds
{
    Kind errors;                       //!< devices that lose packets
    Kind csma;                         //!< channels that carry one frame at a time
    Kind resolution;                   //!< links with ARP or NDISC
    Kind gaps;                         //!< devices with gaps between frames
    std::map<std::string, Kind> discs; //!< devices with queue discs that were not read, by type

    /**
     * @brief Add a link.
     * @param topology the network
     * @param l a link of a device
     */
    void Add(const DcnTopology& topology, uint32_t l);
};

void
DeviceKinds::Add(const DcnTopology& topology, uint32_t l)
{
    const Ptr<NetDevice> device = topology.GetDevice(l);
    const std::string error = FindErrorModel(device);
    if (!error.empty())
    {
        errors.Add(DescribeDevice(device) + " by " + error);
    }
    if (l < DcnTopology::Reverse(l))
    {
        const std::string channel = device->GetChannel()->GetInstanceTypeId().GetName();
        if (channel.find("Csma") != std::string::npos)
        {
            const DcnLink& link = topology.GetLink(l);
            const double sentNs = 8e9 * device->GetMtu() / static_cast<double>(link.rateBps);
            csma.Add(topology.DescribeLink(l) + ", where a frame of " +
                     std::to_string(device->GetMtu()) + " bytes is sent for " +
                     std::to_string(std::llround(sentNs)) + " ns and travels for " +
                     std::to_string(link.delayNs) + " ns");
        }
        if (device->NeedsArp())
        {
            resolution.Add(topology.DescribeLink(l));
        }
    }
    if (ReadTimeNs(*device, "InterframeGap") > 0)
    {
        gaps.Add(DescribeDevice(device));
    }
    const Ptr<QueueDisc> disc = FindQueueDisc(device);
    // the limits of these are read; of others with fair queueing, all flows have what they need
    static const std::set<std::string> known{"ns3::FifoQueueDisc",
                                             "ns3::PfifoFastQueueDisc",
                                             "ns3::RedQueueDisc",
                                             "ns3::CoDelQueueDisc",
                                             "ns3::FqCoDelQueueDisc"};
    const std::string type = disc ? disc->GetInstanceTypeId().GetName() : "";
    if (disc && known.count(type) == 0)
    {
        discs[type].Add(DescribeDevice(device));
    }
    const auto ecn = disc ? DcnReadAttribute<BooleanValue>(*disc, "UseEcn") : std::nullopt;
    if (type == "ns3::RedQueueDisc" && !(ecn && ecn->Get()))
    {
        discs[type].Add(DescribeDevice(device));
    }
}

/// Notes frames that bridges send to all ports.
void
NoteFloods(const DcnTopology& topology, std::vector<std::string>& notes)
{
    Kind floods;
    for (uint32_t node = 0; node < topology.GetNNodes(); ++node)
    {
        const Ptr<Node> each = topology.GetNodes().Get(node);
        for (uint32_t i = 0; i < each->GetNDevices(); ++i)
        {
            const auto learns =
                each->GetDevice(i)->IsBridge()
                    ? DcnReadAttribute<BooleanValue>(*each->GetDevice(i), "EnableLearning")
                    : std::nullopt;
            if (learns && !learns->Get())
            {
                floods.Add(DescribeDevice(each->GetDevice(i)));
            }
        }
    }
    if (floods.n > 0)
    {
        notes.push_back("frames are sent to all ports of " + floods.Describe("bridge", "bridges") +
                        " (EnableLearning is off), but methods send them to one port");
    }
}

/// Finds what links and their devices do that no method models.
void
NoteDevices(const DcnTopology& topology,
            const std::vector<bool>& isUsed,
            std::vector<std::string>& notes)
{
    DeviceKinds kinds;
    for (uint32_t l = 0; l < topology.GetNLinks(); ++l)
    {
        const Ptr<NetDevice> device = topology.GetDevice(l);
        const bool isPassed =
            isUsed.empty() || isUsed[l] || isUsed[DcnTopology::Reverse(l)]; // acknowledgements
        if (!device || !isPassed)
        {
            continue;
        }
        kinds.Add(topology, l);
    }
    if (kinds.errors.n > 0)
    {
        notes.push_back("packets are lost at " + kinds.errors.Describe("device", "devices") +
                        " (ReceiveErrorModel), but no method models losses: TCP is slower than "
                        "estimated, and datagrams are missing");
    }
    if (kinds.csma.n > 0)
    {
        notes.push_back("methods take " + kinds.csma.Describe("CSMA channel", "CSMA channels") +
                        ", for full-duplex links: in ns-3 such a channel carries one frame at a "
                        "time, in one direction, and is busy while the frame travels");
    }
    if (kinds.resolution.n > 0)
    {
        notes.push_back("on " + kinds.resolution.Describe("link", "links") +
                        ", ns-3 finds the address of the next node before the first packet (ARP, "
                        "with a random wait of up to ArpL3Protocol::RequestJitter, or NDISC) and "
                        "drops what does not fit into its queue meanwhile, which no method models");
    }
    if (kinds.gaps.n > 0)
    {
        notes.push_back("frames have gaps between them at " +
                        kinds.gaps.Describe("device", "devices") +
                        " (InterframeGap), but methods let them follow each other");
    }
    for (const auto& [type, kind] : kinds.discs)
    {
        notes.push_back(type + " at " + kind.Describe("device", "devices") + ", " +
                        (type == "ns3::RedQueueDisc"
                             ? "drops packets early (UseEcn is off), but no method models losses"
                             : "delays, limits or drops packets by a rule that was not read"));
    }
    NoteFloods(topology, notes);
}

/// Finds what sockets do that no method models.
void
NoteSockets(const DcnTopology& topology,
            const DcnStackConfig::Senders& senders,
            std::vector<std::string>& notes)
{
    // windows that grow by segments until a mark or a loss, as methods assume
    static const std::set<std::string> known{"",
                                             "ns3::TcpNewReno",
                                             "ns3::TcpLinuxReno",
                                             "ns3::TcpCubic",
                                             "ns3::TcpDctcp"};
    for (const std::string& type : GetSocketTypes(topology, senders.tcpNodes))
    {
        if (known.count(type) == 0)
        {
            notes.push_back("senders use " + type +
                            ", whose control no method models: windows grow as those of "
                            "ns3::TcpNewReno");
        }
    }
    if (DcnReadDefault<BooleanValue>("ns3::TcpSocketState", "EnablePacing"))
    {
        notes.push_back("sockets pace their packets (TcpSocketState::EnablePacing), but methods "
                        "send windows as fast as links allow");
    }
    const uint64_t nInitial = GetSocketDefault("InitialCwnd");
    const uint64_t nDelayed = GetSocketDefault("DelAckCount");
    if (nInitial < nDelayed)
    {
        const Time delay = DcnReadDefault<TimeValue>("ns3::TcpSocket", "DelAckTimeout");
        notes.push_back("the first window of " + std::to_string(nInitial) +
                        " segments (TcpSocket::InitialCwnd) waits for an acknowledgement that is "
                        "delayed until " +
                        std::to_string(nDelayed) + " segments are there or for " +
                        std::to_string(delay.GetMicroSeconds()) +
                        " us (DelAckCount, DelAckTimeout), which no method models");
    }
}

/// Finds links whose MTUs differ, where that changes the size of packets.
void
NoteSizes(const DcnTopology& topology,
          const DcnStackConfig::Senders& senders,
          std::vector<std::string>& notes)
{
    uint32_t smallest = UINT16_MAX;
    uint32_t largest = 0;
    for (uint32_t l = 0; l < topology.GetNLinks(); ++l)
    {
        if (const Ptr<NetDevice> device = topology.GetDevice(l))
        {
            smallest = std::min<uint32_t>(smallest, device->GetMtu());
            largest = std::max<uint32_t>(largest, device->GetMtu());
        }
    }
    uint64_t packet = 0;
    if (senders.nTcp > 0)
    {
        packet = GetSocketDefault("SegmentSize") +
                 DcnStackConfig::GetHeaderBytes(DcnStackConfig::TCP, senders.isV4);
    }
    if (senders.nUdp > 0)
    {
        packet = std::max<uint64_t>(
            packet,
            senders.largestDatagramBytes +
                DcnStackConfig::GetHeaderBytes(DcnStackConfig::UDP, senders.isV4));
    }
    if (smallest < largest && packet > smallest)
    {
        notes.push_back("links have MTUs from " + std::to_string(smallest) + " to " +
                        std::to_string(largest) + " bytes and packets have up to " +
                        std::to_string(packet) +
                        ", which IP splits on the way; methods use packets of the smallest MTU "
                        "everywhere");
    }
}

} // namespace

void
DcnStackConfig::NoteUnmodelled(const DcnTopology& topology,
                               const Senders& senders,
                               const std::vector<bool>& isUsed,
                               std::vector<std::string>& notes)
{
    NoteDevices(topology, isUsed, notes);
    NoteSizes(topology, senders, notes);
    if (senders.nTcp > 0)
    {
        NoteSockets(topology, senders, notes);
    }
}

void
DcnStackConfig::NoteLosses(const DcnTopology& topology,
                           const DcnNetworkParameters& config,
                           const std::vector<DcnFlow>& flows,
                           const std::function<DcnPath(std::size_t)>& pathOf,
                           const std::vector<bool>& isTcp,
                           std::vector<std::string>& notes)
{
    /// What a link has to carry, as a queue in the order of starts.
    struct Load
    {
        std::deque<std::pair<int64_t, uint64_t>> waiting; //!< end [ns], bytes that may queue
        uint64_t bytes{0};                                //!< sum of these bytes
        int64_t endNs{0};                                 //!< the link is idle from then on [ns]
        int64_t beginNs{0};                               //!< and was until then [ns]
    };

    const uint32_t packetBytes = config.payloadBytes + config.headerBytes;
    std::vector<Load> loads(topology.GetNLinks());
    std::vector<std::optional<Port>> ports(topology.GetNLinks());
    std::set<uint32_t> full;
    Kind kind;
    for (std::size_t i = 0; i < flows.size(); ++i)
    {
        const DcnFlow& flow = flows[i];
        const uint64_t nPackets = (flow.sizeBytes + config.payloadBytes - 1) / config.payloadBytes;
        const uint64_t bytes = flow.sizeBytes + nPackets * config.headerBytes;
        const bool hasWindow = isTcp[i] && config.windowBytes > 0;
        const uint64_t most = hasWindow ? std::min(bytes, config.windowBytes) : bytes;
        for (uint32_t l : pathOf(i))
        {
            if (!topology.GetDevice(l))
            {
                continue;
            }
            const uint64_t rateBps = topology.GetLink(l).rateBps;
            if (!ports[l])
            {
                ports[l] = ReadPort(topology.GetDevice(l), rateBps, packetBytes);
            }
            Load& load = loads[l];
            while (!load.waiting.empty() && load.waiting.front().first <= flow.startNs)
            {
                load.bytes -= load.waiting.front().second;
                load.waiting.pop_front();
            }
            load.beginNs = load.endNs <= flow.startNs ? flow.startNs : load.beginNs;
            load.endNs =
                std::max(load.endNs, flow.startNs) +
                std::llround(8e9 * static_cast<double>(bytes) / static_cast<double>(rateBps));
            load.waiting.emplace_back(load.endNs, most);
            load.bytes += most;
            // the queue disc has what does not fit into the device's queue
            const uint64_t device = ports[l]->nDevice * packetBytes;
            const double waitNs =
                8e9 * static_cast<double>(load.bytes > device ? load.bytes - device : 0) /
                static_cast<double>(rateBps);
            const bool isLong = ports[l]->targetNs > 0 &&
                                waitNs > static_cast<double>(ports[l]->targetNs) &&
                                load.endNs - load.beginNs > ports[l]->intervalNs;
            if ((load.bytes > ports[l]->nAll * packetBytes || isLong) && full.insert(l).second)
            {
                kind.Add(topology.DescribeLink(l) + " with " + std::to_string(load.bytes) +
                         " bytes of windows and datagrams at a time and queues of " +
                         std::to_string(ports[l]->nAll) + " packets" +
                         (isLong ? ", where CoDel drops what waits " +
                                       std::to_string(std::llround(waitNs / 1e3)) +
                                       " us, longer than " +
                                       std::to_string(ports[l]->targetNs / 1000) + " us"
                                 : ""));
            }
        }
    }
    if (kind.n > 0)
    {
        notes.push_back("packets may be lost in front of " + kind.Describe("link", "links") +
                        ": no method models losses");
    }
}

} // namespace ns3

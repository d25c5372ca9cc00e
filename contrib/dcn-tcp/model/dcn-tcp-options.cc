/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "dcn-tcp-options.h"

#include "ns3/boolean.h"
#include "ns3/cobalt-queue-disc.h"
#include "ns3/dcn-csv.h"
#include "ns3/dcn-error.h"
#include "ns3/dcn-units.h"
#include "ns3/double.h"
#include "ns3/log.h"
#include "ns3/object-factory.h"
#include "ns3/pie-queue-disc.h"
#include "ns3/pointer.h"
#include "ns3/queue-disc.h"
#include "ns3/red-queue-disc.h"
#include "ns3/string.h"
#include "ns3/tcp-bbr.h"
#include "ns3/tcp-congestion-ops.h"
#include "ns3/tcp-dctcp.h"
#include "ns3/tcp-l4-protocol.h"
#include "ns3/tcp-socket-base.h"
#include "ns3/tcp-socket-state.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <limits>
#include <set>

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("DcnTcpOptions");

namespace
{

/// Sockets of delivered flows stay in the state TIME_WAIT for twice this time [s]: ports are not
/// used again, and each socket costs memory.
constexpr double SEGMENT_LIFETIME = 0.001;

/**
 * @tparam T a base class
 * @param type a TypeId
 * @return whether objects of the type can be made and are of the base; TypeId::IsChildOf does not
 * say so, since some releases of ns-3 give TcpCubic another parent
 */
template <class T>
bool
CanMake(TypeId type)
{
    if (!type.HasConstructor())
    {
        return false;
    }
    ObjectFactory factory;
    factory.SetTypeId(type);
    return DynamicCast<T>(factory.Create<Object>()) != nullptr;
}

/**
 * @param transport a TcpCongestionOps
 * @return a new object
 */
Ptr<TcpCongestionOps>
MakeCongestionOps(TypeId transport)
{
    ObjectFactory factory;
    factory.SetTypeId(transport);
    return factory.Create<TcpCongestionOps>();
}

/**
 * @param transport a TcpCongestionOps
 * @return whether its sockets use ECN without being told to, as those of TcpDctcp
 */
bool
NeedsEcn(TypeId transport)
{
    Ptr<TcpSocketState> state = CreateObject<TcpSocketState>();
    MakeCongestionOps(transport)->Init(state);
    return state->m_useEcn == TcpSocketState::On;
}

/**
 * @param type a TypeId
 * @param attribute name
 * @return whether objects of the type have the attribute
 */
bool
Has(TypeId type, const std::string& attribute)
{
    TypeId::AttributeInformation information;
    return type.LookupAttributeByName(attribute, &information);
}

/// DCTCP's gain, an attribute of transports.
const std::string GAIN = "DctcpShiftG";

/**
 * @param attribute of the method
 * @param type its value
 * @throws DcnError if it is no queue disc that the method can set up
 */
void
CheckQueueDisc(const std::string& attribute, TypeId type)
{
    if (!CanMake<QueueDisc>(type) || !Has(type, "MaxSize"))
    {
        DcnFail("the attribute ",
                attribute,
                " of the method \"tcp\" is ",
                type.GetName(),
                ", which is no queue disc with a limit (MaxSize), as ns3::RedQueueDisc is");
    }
}

} // namespace

void
DcnTcpOptions::Check() const
{
    if (!CanMake<TcpCongestionOps>(transport))
    {
        DcnFail("the attribute Transport of the method \"tcp\" is ",
                transport.GetName(),
                ", which is no congestion control of ns-3's TCP, as ns3::TcpCubic is");
    }
    CheckQueueDisc("QueueDisc", queueDisc);
    CheckQueueDisc("HostQueueDisc", hostQueueDisc);
    if (ecn && !Has(queueDisc, "UseEcn"))
    {
        DcnFail("the attribute QueueDisc of the method \"tcp\" is ",
                queueDisc.GetName(),
                ", which cannot mark packets: set Ecn=false, or take another queue disc");
    }
    if (!ecn && NeedsEcn(transport))
    {
        DcnFail("the attribute Ecn=false of the method \"tcp\" has no effect with Transport=",
                transport.GetName(),
                ", whose sockets use ECN in any case: take another transport");
    }
    if (delayedAcks == 1 && delayedAckTimeout != NanoSeconds(DELAYED_ACK_NS))
    {
        DcnFail("the attribute DelAckTimeout of the method \"tcp\" has no effect with "
                "DelAckCount=1 (the default), which delays no acknowledgement");
    }
    if (delayedAcks > 1 && delayedAckTimeout >= minRto)
    {
        DcnFail("the attribute DelAckTimeout of the method \"tcp\", ",
                delayedAckTimeout.As(Time::US),
                ", must be shorter than MinRto, ",
                minRto.As(Time::US),
                ": a sender would repeat segments whose acknowledgement is delayed");
    }
}

uint32_t
DcnTcpOptions::GetInitialWindow(const DcnNetworkParameters& network) const
{
    if (initialWindow > 0)
    {
        return initialWindow;
    }
    const uint64_t nSegments = DcnPackets(network.initialWindowBytes, network.payloadBytes);
    return nSegments > 0 ? static_cast<uint32_t>(std::min<uint64_t>(nSegments, UINT32_MAX))
                         : INITIAL_WINDOW;
}

Ptr<Socket>
DcnTcpOptions::MakeSocket(Ptr<TcpL4Protocol> tcp,
                          const DcnNetworkParameters& network,
                          uint32_t stream) const
{
    Ptr<Socket> socket = tcp->CreateSocket(transport);
    socket->SetAttribute("SegmentSize", UintegerValue(network.payloadBytes));
    socket->SetAttribute("InitialCwnd", UintegerValue(GetInitialWindow(network)));
    socket->SetAttribute("SndBufSize", UintegerValue(socketBuffer));
    socket->SetAttribute("RcvBufSize", UintegerValue(socketBuffer));
    socket->SetAttribute("DelAckCount", UintegerValue(delayedAcks));
    socket->SetAttribute("DelAckTimeout", TimeValue(delayedAckTimeout));
    socket->SetAttribute("ConnTimeout", TimeValue(connTimeout));
    socket->SetAttribute("MinRto", TimeValue(minRto));
    socket->SetAttribute("ClockGranularity", TimeValue(std::min(minRto, MilliSeconds(1))));
    socket->SetAttribute("Sack", BooleanValue(sack));
    // round-trip times by this option are whole milliseconds
    socket->SetAttribute("Timestamp", BooleanValue(false));
    socket->SetAttribute("MaxSegLifetime", DoubleValue(SEGMENT_LIFETIME));
    if (ecn)
    {
        socket->SetAttribute("UseEcn", StringValue("On"));
    }
    PointerValue ops;
    socket->GetAttribute("CongestionOps", ops);
    if (network.congestionControl == "dctcp" && Has(transport, GAIN))
    {
        ops.Get<TcpCongestionOps>()->SetAttribute(GAIN, DoubleValue(network.GetOwn("dctcp_g")));
    }
    if (auto bbr = ops.Get<TcpBbr>())
    {
        bbr->SetStream(stream);
    }
    return socket;
}

Ptr<QueueDisc>
DcnTcpOptions::MakeQueueDisc(TypeId type,
                             const DcnNetworkParameters& network,
                             uint64_t rateBps,
                             int64_t stream) const
{
    ObjectFactory factory;
    factory.SetTypeId(type);
    Ptr<QueueDisc> disc = factory.Create<QueueDisc>();
    const uint32_t packetBytes = network.payloadBytes + IP_TCP_BYTES;
    constexpr uint64_t LARGEST = std::numeric_limits<uint32_t>::max();
    const auto limit = static_cast<uint32_t>(std::min(network.bufferBytes, LARGEST));
    // some queue discs count packets only
    if (!disc->SetAttributeFailSafe("MaxSize",
                                    QueueSizeValue(QueueSize(QueueSizeUnit::BYTES, limit))))
    {
        disc->SetAttribute(
            "MaxSize",
            QueueSizeValue(QueueSize(QueueSizeUnit::PACKETS, std::max(1U, limit / packetBytes))));
    }
    if (Has(type, "UseEcn"))
    {
        disc->SetAttribute("UseEcn", BooleanValue(ecn));
    }
    const uint64_t reference = network.ecnReferenceRate.GetBitRate();
    const uint64_t kmin = DcnMulDiv(network.ecnKminBytes, rateBps, reference);
    const uint64_t kmax = DcnMulDiv(network.ecnKmaxBytes, rateBps, reference);
    if (Has(type, "MinTh"))
    {
        // of the queue as it is, not of its average, as switches do for DCTCP
        disc->SetAttribute("MinTh", DoubleValue(static_cast<double>(kmin)));
        disc->SetAttribute("MaxTh", DoubleValue(static_cast<double>(kmax)));
        disc->SetAttribute("LInterm", DoubleValue(1.0 / std::max(1e-9, network.ecnPmax)));
        disc->SetAttribute("QW", DoubleValue(1));
        disc->SetAttribute("Gentle", BooleanValue(false));
        disc->SetAttribute("UseHardDrop", BooleanValue(!ecn));
        disc->SetAttribute("MeanPktSize", UintegerValue(packetBytes));
        disc->SetAttribute("LinkBandwidth", DataRateValue(DataRate(rateBps)));
    }
    else if (ecn && Has(type, "CeThreshold"))
    {
        // the time in which Kmin leaves the port
        disc->SetAttribute(
            "CeThreshold",
            TimeValue(NanoSeconds(static_cast<int64_t>(DcnMulDiv(kmin, 8'000'000'000, rateBps)))));
    }
    if (auto red = DynamicCast<RedQueueDisc>(disc))
    {
        red->AssignStreams(stream);
    }
    else if (auto pie = DynamicCast<PieQueueDisc>(disc))
    {
        pie->AssignStreams(stream);
    }
    else if (auto cobalt = DynamicCast<CobaltQueueDisc>(disc))
    {
        cobalt->AssignStreams(stream);
    }
    return disc;
}

std::vector<std::string>
DcnTcpOptions::GetUnmodelled(Ptr<const DcnNetworkConfig> config) const
{
    const bool hasThresholds = Has(queueDisc, "MinTh");
    const bool hasTime = ecn && Has(queueDisc, "CeThreshold");
    std::set<std::string> modelled{"payload_bytes", "buffer_bytes"};
    if (hasThresholds || hasTime)
    {
        modelled.insert({"ecn_reference_rate_bps", "ecn_kmin_bytes"});
    }
    if (hasThresholds)
    {
        modelled.insert({"ecn_kmax_bytes", "ecn_pmax"});
    }
    if (Has(transport, GAIN))
    {
        modelled.insert("dctcp_g");
    }
    if (config->congestionControl == "dctcp" && transport == TcpDctcp::GetTypeId())
    {
        modelled.insert("cc");
    }
    if (config->congestionControl != "hpcc")
    {
        modelled.insert("base_rtt_ns"); // without effect in the packet engine, too
    }
    if (!config->pfc)
    {
        modelled.insert("pfc_alpha_shift");
    }
    if (config->handshakeRtts == 1)
    {
        modelled.insert("handshake_rtts");
    }
    if (config->headerBytes == HEADER_BYTES)
    {
        modelled.insert("header_bytes");
    }
    if (initialWindow == 0)
    {
        modelled.insert("initial_window_bytes");
    }
    std::vector<std::string> unmodelled;
    for (const auto& [key, value] : config->GetKeys())
    {
        // 0 switches off what is not there: windows, largest rates, pauses, priorities
        const bool isOff = value == "0" && (key == "window_bytes" || key == "max_rate_bps" ||
                                            key == "pfc" || key == "ack_high_priority");
        if (!isOff && modelled.count(key) == 0)
        {
            unmodelled.push_back(key);
        }
    }
    return unmodelled;
}

std::string
DcnTcpOptions::Describe() const
{
    return transport.GetName() + (ecn ? " with ECN" : " without ECN") + ", switches with " +
           queueDisc.GetName() + ", hosts with " + hostQueueDisc.GetName();
}

} // namespace ns3

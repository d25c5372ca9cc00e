/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "dcn-packet-device.h"

#include "dcn-packet-flow.h"

#include "ns3/channel.h"
#include "ns3/dcn-topology.h"
#include "ns3/log.h"
#include "ns3/node.h"

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("DcnPacketDevice");

NS_OBJECT_ENSURE_REGISTERED(DcnPacketDevice);

TypeId
DcnPacketDevice::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::DcnPacketDevice")
            .SetParent<NetDevice>()
            .SetGroupName("DcnPacket")
            .AddAttribute(
                "DataRate",
                "Rate of the link.",
                DataRateValue(DataRate("10Gb/s")),
                MakeDataRateAccessor(&DcnPacketDevice::SetDataRate, &DcnPacketDevice::GetDataRate),
                MakeDataRateChecker())
            .AddTraceSource("PhyTxBegin",
                            "A frame begins to be transmitted, as an ns-3 packet with headers.",
                            MakeTraceSourceAccessor(&DcnPacketDevice::m_txTrace),
                            "ns3::Packet::TracedCallback")
            .AddTraceSource("PhyRxEnd",
                            "A frame has been received whole, as an ns-3 packet with headers.",
                            MakeTraceSourceAccessor(&DcnPacketDevice::m_rxTrace),
                            "ns3::Packet::TracedCallback")
            .AddTraceSource("Pause",
                            "Priority flow control stops the data class of this transmitter "
                            "(true) or lets it go on (false).",
                            MakeTraceSourceAccessor(&DcnPacketDevice::m_pauseTrace),
                            "ns3::DcnPacketDevice::PauseCallback");
    return tid;
}

DcnPacketDevice::DcnPacketDevice()
    : m_address(Mac48Address::Allocate())
{
}

DcnPacketDevice::~DcnPacketDevice() = default;

void
DcnPacketDevice::DoDispose()
{
    m_channel = nullptr;
    m_node = nullptr;
    m_peer = nullptr;
    m_pool = nullptr;
    m_events = nullptr;
    NetDevice::DoDispose();
}

void
DcnPacketDevice::Attach(Ptr<Channel> channel, Time delay, DcnPacketDevice* peer)
{
    m_channel = channel;
    m_peer = peer;
    m_delayNs = delay.GetNanoSeconds();
}

void
DcnPacketDevice::SetPool(DcnFramePool* pool, DcnPacketEvents* events)
{
    m_pool = pool;
    m_events = events;
}

void
DcnPacketDevice::SetNumber(uint32_t link)
{
    m_link = link;
    m_peerLink = DcnTopology::Reverse(link);
}

uint32_t
DcnPacketDevice::GetNListeners() const
{
    return m_txTrace.GetN() + m_rxTrace.GetN() + m_pauseTrace.GetN();
}

void
DcnPacketDevice::SetPaused(bool paused, int64_t nowNs)
{
    NS_LOG_INFO("node " << m_node->GetId() << ", device " << m_ifIndex
                        << (paused ? ": data class paused" : ": data class resumed"));
    NoteChange();
    m_paused = paused;
    m_pauseTrace(paused);
    if (!paused)
    {
        Kick(nowNs);
    }
}

void
DcnPacketDevice::SetDown(int64_t nowNs)
{
    NS_ASSERT_MSG(!IsDown(), "the link has failed already");
    NS_LOG_INFO("node " << m_node->GetId() << ", device " << m_ifIndex << ": the link fails");
    m_lastEndNs = m_freeAtNs;
    m_peer->m_lostUntilNs = std::max(nowNs, m_lastEndNs) + m_delayNs;
    m_freeAtNs = NEVER;
    if (m_paused)
    {
        SetPaused(false, nowNs); // the other end forgets that it has paused this one
    }
    Flush(nowNs);
    m_linkChange();
}

void
DcnPacketDevice::SetUp(int64_t nowNs)
{
    NS_ASSERT_MSG(IsDown(), "the link works");
    NS_LOG_INFO("node " << m_node->GetId() << ", device " << m_ifIndex << ": the link works");
    m_freeAtNs = m_lastEndNs;
    m_linkChange();
    Kick(nowNs);
}

void
DcnPacketDevice::EndFrame(DcnPacketFlow* flow, bool isLost, int64_t nowNs)
{
    if (isLost)
    {
        NoteChange();
        m_events->NoteLoss();
    }
    m_pool->OnLaunch(); // the news is on its way
    m_events->ScheduleFlow(isLost ? DcnPacketEventKind::LOST : DcnPacketEventKind::ENDED,
                           flow,
                           flow->GetIndex(),
                           flow->GetPartition(),
                           nowNs + flow->GetPath().rttNs);
}

void
DcnPacketDevice::Lose(DcnFrame* frame)
{
    ++m_nLost;
    DcnPacketFlow* flow = frame->flow; // none: PAUSE or RESUME
    m_pool->Put(frame);
    if (flow)
    {
        EndFrame(flow, true, m_events->GetNowNs());
    }
}

void
DcnPacketDevice::FollowDataRate()
{
    static constexpr uint64_t ONE = uint64_t{1} << (BYTE_TIME_BITS + DcnFrameTime::FRACTION_BITS);
    static constexpr uint64_t LEAST_BPS = 1'000'000; // the product below has 64 bits
    m_byteTime =
        m_isReference || m_rateBps < LEAST_BPS ? 0 : 1 + DcnMulDiv(8'000'000'000, ONE, m_rateBps);
}

void
DcnPacketDevice::SetDataRate(DataRate rate)
{
    m_rateBps = rate.GetBitRate();
    FollowDataRate();
}

DataRate
DcnPacketDevice::GetDataRate() const
{
    return DataRate(m_rateBps);
}

void
DcnPacketDevice::SetIfIndex(const uint32_t index)
{
    m_ifIndex = index;
}

uint32_t
DcnPacketDevice::GetIfIndex() const
{
    return m_ifIndex;
}

Ptr<Channel>
DcnPacketDevice::GetChannel() const
{
    return m_channel;
}

void
DcnPacketDevice::SetAddress(Address address)
{
    m_address = Mac48Address::ConvertFrom(address);
}

Address
DcnPacketDevice::GetAddress() const
{
    return m_address;
}

bool
DcnPacketDevice::SetMtu(const uint16_t mtu)
{
    m_mtu = mtu;
    return true;
}

uint16_t
DcnPacketDevice::GetMtu() const
{
    return m_mtu;
}

bool
DcnPacketDevice::IsLinkUp() const
{
    return m_peer != nullptr && !IsDown();
}

void
DcnPacketDevice::AddLinkChangeCallback(Callback<void> callback)
{
    m_linkChange.ConnectWithoutContext(callback);
}

bool
DcnPacketDevice::IsBroadcast() const
{
    return false;
}

Address
DcnPacketDevice::GetBroadcast() const
{
    return Mac48Address::GetBroadcast();
}

bool
DcnPacketDevice::IsMulticast() const
{
    return false;
}

Address
DcnPacketDevice::GetMulticast(Ipv4Address multicastGroup) const
{
    return Mac48Address::GetMulticast(multicastGroup);
}

Address
DcnPacketDevice::GetMulticast(Ipv6Address addr) const
{
    return Mac48Address::GetMulticast(addr);
}

bool
DcnPacketDevice::IsBridge() const
{
    return false;
}

bool
DcnPacketDevice::IsPointToPoint() const
{
    return true;
}

bool
DcnPacketDevice::Send(Ptr<Packet> /* packet */,
                      const Address& /* dest */,
                      uint16_t /* protocolNumber */)
{
    return false;
}

bool
DcnPacketDevice::SendFrom(Ptr<Packet> /* packet */,
                          const Address& /* source */,
                          const Address& /* dest */,
                          uint16_t /* protocolNumber */)
{
    return false;
}

Ptr<Node>
DcnPacketDevice::GetNode() const
{
    return m_node;
}

void
DcnPacketDevice::SetNode(Ptr<Node> node)
{
    m_node = node;
}

bool
DcnPacketDevice::NeedsArp() const
{
    return false;
}

void
DcnPacketDevice::SetReceiveCallback(NetDevice::ReceiveCallback /* cb */)
{
    // flows end in this module; nothing is handed to other protocols
}

void
DcnPacketDevice::SetPromiscReceiveCallback(PromiscReceiveCallback /* cb */)
{
}

bool
DcnPacketDevice::SupportsSendFrom() const
{
    return false;
}

} // namespace ns3

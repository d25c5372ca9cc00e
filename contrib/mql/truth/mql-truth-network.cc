/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "mql-truth-network.h"

#include "ns3/assert.h"
#include "ns3/drop-tail-queue.h"
#include "ns3/point-to-point-channel.h"
#include "ns3/point-to-point-helper.h"
#include "ns3/queue-size.h"
#include "ns3/simulator.h"
#include "ns3/string.h"

#include <string>

namespace ns3
{

namespace
{

constexpr uint16_t IPV4_ETHERTYPE = 0x0800; //!< PointToPointNetDevice accepts IP packets only
constexpr uint32_t PPP_BYTES = 2;           //!< header bytes that it adds

/// Sources and sinks of all flows.
class UdpTraffic
{
  public:
    UdpTraffic(const MqlTruthTraffic& traffic, const MqlTruthWatch& watch)
        : m_traffic(traffic),
          m_source(traffic),
          m_recorder(traffic),
          m_network(traffic, m_recorder, watch)
    {
        m_network.Forward(MakeCallback(&UdpTraffic::Deliver, this));
    }

    MqlTruthResult Run()
    {
        for (uint32_t flow = 0; flow < m_traffic.GetFlows().size(); ++flow)
        {
            ScheduleNext(flow);
        }
        m_network.Run();
        return m_recorder.Finish();
    }

  private:
    void ScheduleNext(uint32_t flow)
    {
        if (m_source.Next(flow) && m_source.Get(flow).timeNs < m_recorder.GetEndNs())
        {
            Simulator::Schedule(NanoSeconds(m_source.Get(flow).timeNs) - Simulator::Now(),
                                &UdpTraffic::SendData,
                                this,
                                flow);
        }
    }

    void SendData(uint32_t flow)
    {
        // A batch is sent at once, before other events of this time.
        bool more = true;
        const int64_t now = Simulator::Now().GetNanoSeconds();
        while (more && m_source.Get(flow).timeNs == now)
        {
            const auto birth = m_source.Get(flow);
            MqlStreamTag tag;
            tag.stream = birth.stream;
            tag.ack = birth.ack;
            tag.sentNs = now;
            auto packet = Create<Packet>(birth.bytes - PPP_BYTES);
            packet->AddPacketTag(tag);
            m_recorder.AddSent(flow, now);
            m_network.Send(packet, birth.stream);
            more = m_source.Next(flow);
        }
        if (more && m_source.Get(flow).timeNs < m_recorder.GetEndNs())
        {
            Simulator::Schedule(NanoSeconds(m_source.Get(flow).timeNs - now),
                                &UdpTraffic::SendData,
                                this,
                                flow);
        }
    }

    void Deliver(Ptr<Packet> packet)
    {
        MqlStreamTag tag;
        packet->PeekPacketTag(tag);
        const int64_t now = Simulator::Now().GetNanoSeconds();
        const auto& stream = m_traffic.GetStreams()[tag.stream];
        if (stream.isAck)
        {
            m_recorder.AddAck(stream.flow, tag.sentNs, tag.echoedNs, now);
            return;
        }
        m_recorder.AddData(stream.flow, tag.sentNs, now);
        if (m_traffic.GetAckBytes() > 0)
        {
            tag.stream = tag.ack;
            tag.echoedNs = now;
            auto ack = Create<Packet>(m_traffic.GetAckBytes() - PPP_BYTES);
            ack->AddPacketTag(tag);
            m_network.Send(ack, tag.stream);
        }
    }

    const MqlTruthTraffic& m_traffic; //!< of the configuration
    MqlPacketSource m_source;         //!< draws the packets
    MqlTruthRecorder m_recorder;      //!< measures
    MqlTruthNetwork m_network;        //!< nodes and links
};

} // namespace

NS_OBJECT_ENSURE_REGISTERED(MqlStreamTag);

TypeId
MqlStreamTag::GetTypeId()
{
    static TypeId tid = TypeId("ns3::MqlStreamTag")
                            .SetParent<Tag>()
                            .SetGroupName("Mql")
                            .AddConstructor<MqlStreamTag>();
    return tid;
}

TypeId
MqlStreamTag::GetInstanceTypeId() const
{
    return GetTypeId();
}

uint32_t
MqlStreamTag::GetSerializedSize() const
{
    return 24;
}

void
MqlStreamTag::Serialize(TagBuffer buffer) const
{
    buffer.WriteU32(stream);
    buffer.WriteU32(ack);
    buffer.WriteU64(static_cast<uint64_t>(sentNs));
    buffer.WriteU64(static_cast<uint64_t>(echoedNs));
}

void
MqlStreamTag::Deserialize(TagBuffer buffer)
{
    stream = buffer.ReadU32();
    ack = buffer.ReadU32();
    sentNs = static_cast<int64_t>(buffer.ReadU64());
    echoedNs = static_cast<int64_t>(buffer.ReadU64());
}

void
MqlStreamTag::Print(std::ostream& os) const
{
    os << "stream=" << stream << " ack=" << ack << " sent=" << sentNs << " echoed=" << echoedNs;
}

MqlTruthNetwork::MqlTruthNetwork(const MqlTruthTraffic& traffic,
                                 MqlTruthRecorder& recorder,
                                 const MqlTruthWatch& watch)
    : m_traffic(traffic),
      m_recorder(recorder),
      m_watch(watch),
      m_waiting(traffic.GetTopology()->GetNLinks())
{
    const auto& topology = *traffic.GetTopology();
    m_nodes.Create(topology.GetNNodes());
    PointToPointHelper helper;
    helper.DisableFlowControl(); // there is no queue disc to stop
    helper.SetQueue("ns3::DropTailQueue<Packet>",
                    "MaxSize",
                    StringValue(traffic.GetConfig().Get("buffer") + "p"));
    for (uint32_t link = 0; link < topology.GetNLinks(); link += 2)
    {
        const auto& ends = topology.GetLink(link);
        helper.SetDeviceAttribute("DataRate", DataRateValue(DataRate(ends.rateBps)));
        helper.SetChannelAttribute("Delay", TimeValue(NanoSeconds(ends.delayNs)));
        const auto devices = helper.Install(m_nodes.Get(ends.from), m_nodes.Get(ends.to));
        m_devices.push_back(DynamicCast<PointToPointNetDevice>(devices.Get(0)));
        m_devices.push_back(DynamicCast<PointToPointNetDevice>(devices.Get(1)));
    }
    for (uint32_t link = 0; link < topology.GetNLinks(); ++link)
    {
        Watch(link);
        if (watch.collector)
        {
            watch.collector->Watch(m_devices[link], topology.DescribeLink(link));
        }
    }
}

uint32_t
MqlTruthNetwork::FindHop(const MqlStreamTag& tag, uint32_t link) const
{
    const auto& stream = m_traffic.GetStreams()[tag.stream];
    const auto path = m_traffic.GetPath(stream);
    uint32_t hop = 0;
    while (path[hop] != link)
    {
        hop++;
        NS_ASSERT_MSG(hop < path.size(), "a packet has left its path");
    }
    return stream.firstHop + hop;
}

void
MqlTruthNetwork::Watch(uint32_t link)
{
    auto queue = m_devices[link]->GetQueue();
    queue->TraceConnectWithoutContext(
        "Enqueue",
        Callback<void, Ptr<const Packet>>([this, link](Ptr<const Packet> packet) {
            MqlStreamTag tag;
            packet->PeekPacketTag(tag);
            m_waiting[link].push_back({FindHop(tag, link), Simulator::Now().GetNanoSeconds()});
        }));
    queue->TraceConnectWithoutContext(
        "Dequeue",
        Callback<void, Ptr<const Packet>>([this, link](Ptr<const Packet> packet) {
            const Waiting first = m_waiting[link].front();
            m_waiting[link].pop_front();
            m_recorder.AddHop(first.hop,
                              first.arrivalNs,
                              Simulator::Now().GetNanoSeconds() - first.arrivalNs,
                              packet->GetSize());
        }));
    queue->TraceConnectWithoutContext(
        "DropBeforeEnqueue",
        Callback<void, Ptr<const Packet>>([this, link](Ptr<const Packet> packet) {
            MqlStreamTag tag;
            packet->PeekPacketTag(tag);
            m_recorder.AddDrop(FindHop(tag, link), Simulator::Now().GetNanoSeconds());
        }));
}

void
MqlTruthNetwork::Forward(const Callback<void, Ptr<Packet>>& deliver)
{
    m_deliver = deliver;
    const auto& topology = *m_traffic.GetTopology();
    for (uint32_t link = 0; link < m_devices.size(); ++link)
    {
        if (deliver.IsNull() && topology.IsHost(topology.GetLink(link).to))
        {
            continue;
        }
        // Packets on a link arrive at the device of its other direction.
        m_devices[DcnTopology::Reverse(link)]->SetReceiveCallback(NetDevice::ReceiveCallback(
            [this, link](Ptr<NetDevice>, Ptr<const Packet> packet, uint16_t, const Address&) {
                return Receive(link, packet);
            }));
    }
}

bool
MqlTruthNetwork::Receive(uint32_t link, Ptr<const Packet> packet)
{
    MqlStreamTag tag;
    packet->PeekPacketTag(tag);
    const auto& stream = m_traffic.GetStreams()[tag.stream];
    const uint32_t next = FindHop(tag, link) + 1;
    // The device made this copy of the packet for the receiver only.
    Ptr<Packet> own = ConstCast<Packet>(packet);
    if (next == stream.firstHop + stream.nHops)
    {
        m_deliver(own);
    }
    else
    {
        auto& device = m_devices[m_traffic.GetHopLinks()[next]];
        device->Send(own, device->GetBroadcast(), IPV4_ETHERTYPE);
    }
    return true;
}

void
MqlTruthNetwork::Send(Ptr<Packet> packet, uint32_t stream)
{
    auto& device = m_devices[m_traffic.GetPath(m_traffic.GetStreams()[stream])[0]];
    device->Send(packet, device->GetBroadcast(), IPV4_ETHERTYPE);
}

void
MqlTruthNetwork::Run()
{
    Simulator::Run();
    if (m_watch.collector)
    {
        m_watch.collector->Write(m_watch.folder);
    }
    Simulator::Destroy();
}

Ptr<PointToPointNetDevice>
MqlTruthNetwork::GetDevice(uint32_t link) const
{
    return m_devices[link];
}

MqlTruthResult
MqlSimulateNetwork(const MqlTruthTraffic& traffic, const MqlTruthWatch& watch)
{
    return UdpTraffic(traffic, watch).Run();
}

static const MqlTruthEngine g_network("ns3", "udp", &MqlSimulateNetwork); //!< registers it

} // namespace ns3

/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "dcn-collector.h"

#include "ns3/boolean.h"
#include "ns3/bulk-send-application.h"
#include "ns3/dcn-error.h"
#include "ns3/node.h"
#include "ns3/packet-sink.h"
#include "ns3/pointer.h"
#include "ns3/sequence-number.h"
#include "ns3/simulator.h"
#include "ns3/socket.h"
#include "ns3/tcp-header.h"
#include "ns3/tcp-socket-base.h"
#include "ns3/traffic-control-layer.h"
#include "ns3/uinteger.h"

#include <algorithm>

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(DcnCollector);

namespace
{

/** @return the present time [ns]. */
int64_t
NowNs()
{
    return Simulator::Now().GetNanoSeconds();
}

} // namespace

struct DcnCollector::TcpSender : public SimpleRefCount<DcnCollector::TcpSender>
{
    std::size_t flow{0};        //!< flow index
    bool hasSent{false};        //!< payload has been sent
    SequenceNumber32 highest{}; //!< one past the highest payload byte sent
};

TypeId
DcnCollector::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::DcnCollector")
            .SetParent<Object>()
            .SetGroupName("DcnPacket")
            .AddConstructor<DcnCollector>()
            .AddAttribute("Interval",
                          "Length of the intervals of queue records, which begin at its multiples; "
                          "for queues watched from then on.",
                          TimeValue(MicroSeconds(100)),
                          MakeTimeAccessor(&DcnCollector::m_interval),
                          MakeTimeChecker(NanoSeconds(1)))
            .AddAttribute("Queues",
                          "Whether watching a DcnPacketNetwork includes its queues.",
                          BooleanValue(true),
                          MakeBooleanAccessor(&DcnCollector::m_queues),
                          MakeBooleanChecker())
            .AddAttribute("FirstPackets",
                          "Whether watching a DcnPacketNetwork includes the queues that the first "
                          "packets of flows find: one record per flow and switch.",
                          BooleanValue(true),
                          MakeBooleanAccessor(&DcnCollector::m_firstPackets),
                          MakeBooleanChecker())
            .AddAttribute("RemainingBytes",
                          "Whether the remaining bytes and rates of all active flows are kept at "
                          "every flow arrival and completion.",
                          BooleanValue(false),
                          MakeBooleanAccessor(&DcnCollector::m_remainingBytes),
                          MakeBooleanChecker())
            .AddAttribute("MaxRemainingEntries",
                          "Remaining bytes are not kept beyond this number of entries of 20 bytes; "
                          "a line on stderr says so when they are written.",
                          UintegerValue(10'000'000),
                          MakeUintegerAccessor(&DcnCollector::m_maxRemainingEntries),
                          MakeUintegerChecker<uint64_t>());
    return tid;
}

DcnCollector::DcnCollector() = default;
DcnCollector::~DcnCollector() = default;

void
DcnCollector::SetScenario(Ptr<const DcnScenario> scenario)
{
    if (!m_scenario)
    {
        m_scenario = scenario;
        m_flowRecords.resize(scenario->GetFlows().size());
        m_isTcp.resize(m_flowRecords.size());
    }
    else if (m_scenario != scenario)
    {
        DcnFail("a DcnCollector watches the flows of one scenario: make another one for the "
                "second");
    }
}

DcnQueueProbe&
DcnCollector::AddQueue(const std::string& name, const std::string& layer)
{
    if (!m_probeIndex.emplace(std::make_pair(name, layer), m_probes.size()).second)
    {
        DcnFail("two queues of the layer ", layer, " are called \"", name, "\"");
    }
    m_probes.push_back(Create<DcnQueueProbe>(name, layer, m_interval.GetNanoSeconds()));
    return *m_probes.back();
}

void
DcnCollector::Watch(Ptr<DcnPacketNetwork> network)
{
    NS_ASSERT_MSG(network->GetScenario(), "Install comes before Watch");
    SetScenario(network->GetScenario());
    Ptr<DcnCollector> self(this);
    DcnConnectTrace(network, "FlowStarted", MakeCallback(&DcnCollector::OnFlowStarted, self));
    DcnConnectTrace(network, "FlowDelivered", MakeCallback(&DcnCollector::OnFlowDelivered, self));
    if (m_firstPackets)
    {
        DcnConnectTrace(network, "FirstPacket", MakeCallback(&DcnCollector::OnFirstPacket, self));
    }
    const DcnTopology& topology = m_scenario->GetTopology();
    for (uint32_t link = 0; m_queues && link < topology.GetNLinks(); ++link)
    {
        const std::string layer = topology.IsHost(topology.GetLink(link).from) ? "host" : "switch";
        const std::string nodes = topology.DescribeLink(link);
        std::string name = nodes;
        for (int n = 2; m_probeIndex.count({name, layer}); ++n)
        {
            name = nodes + "#" + std::to_string(n);
        }
        AddQueue(name, layer).ListenTo(network->GetDevice(link));
    }
}

void
DcnCollector::Watch(Ptr<NetDevice> device, const std::string& name)
{
    PointerValue pointer;
    auto queue = device->GetAttributeFailSafe("TxQueue", pointer) ? pointer.Get<Queue<Packet>>()
                                                                  : Ptr<Queue<Packet>>();
    auto control = device->GetNode()->GetObject<TrafficControlLayer>();
    auto disc = control ? control->GetRootQueueDiscOnDevice(device) : Ptr<QueueDisc>();
    if (!queue && !disc)
    {
        DcnFail("the device to be watched as \"",
                name,
                "\" is a ",
                device->GetInstanceTypeId().GetName(),
                ", which has no TxQueue, and no queue disc "
                "is installed on it");
    }
    if ((queue && queue->GetNPackets() > 0) || (disc && disc->GetNPackets() > 0))
    {
        DcnFail("\"", name, "\" cannot be watched from now on, since packets wait in it already");
    }
    if (queue)
    {
        AddQueue(name, "device").ListenTo(queue);
    }
    if (disc)
    {
        AddQueue(name, "qdisc").ListenTo(disc);
    }
}

void
DcnCollector::WatchTcpFlow(Ptr<const DcnScenario> scenario,
                           std::size_t flow,
                           Ptr<BulkSendApplication> source,
                           Ptr<PacketSink> sink)
{
    SetScenario(scenario);
    const DcnFlow& each = scenario->GetFlows().at(flow);
    if (m_isTcp[flow])
    {
        DcnFail("flow ", each.id, " is watched twice");
    }
    UintegerValue maxBytes;
    source->GetAttribute("MaxBytes", maxBytes);
    if (maxBytes.Get() != each.sizeBytes)
    {
        DcnFail("flow ",
                each.id,
                " has ",
                each.sizeBytes,
                " bytes, but MaxBytes of its "
                "BulkSendApplication is ",
                maxBytes.Get());
    }
    m_isTcp[flow] = true;
    TimeValue start;
    source->GetAttribute("StartTime", start);
    Ptr<DcnCollector> self(this);
    DcnConnectTrace(sink, "Rx", MakeCallback(&DcnCollector::OnTcpReceived, self, flow));
    Simulator::Schedule(std::max(Time(0), start.Get() - Simulator::Now()),
                        &DcnCollector::StartTcpFlow,
                        self,
                        flow,
                        source);
}

void
DcnCollector::StartTcpFlow(std::size_t flow, Ptr<BulkSendApplication> source)
{
    m_flowRecords[flow].startNs = NowNs();
    m_active[flow] = nullptr;
    NoteRemaining(flow, true);
    // the application may make its socket later in this very instant; no payload can leave in it
    Simulator::ScheduleNow(&DcnCollector::ListenToTcpSender, Ptr<DcnCollector>(this), flow, source);
}

void
DcnCollector::ListenToTcpSender(std::size_t flow, Ptr<BulkSendApplication> source)
{
    if (Ptr<Socket> socket = source->GetSocket())
    {
        Ptr<TcpSender> sender = Create<TcpSender>();
        sender->flow = flow;
        // a socket that is no TcpSocketBase has no such trace, and no retransmissions to count
        socket->TraceConnectWithoutContext(
            "Tx",
            MakeCallback(&DcnCollector::OnTcpSegment, Ptr<DcnCollector>(this), sender));
    }
}

void
DcnCollector::OnTcpSegment(Ptr<TcpSender> sender,
                           Ptr<const Packet> payload,
                           const TcpHeader& header,
                           Ptr<const TcpSocketBase> /* socket */)
{
    if (payload->GetSize() == 0)
    {
        return;
    }
    const SequenceNumber32 first = header.GetSequenceNumber();
    const SequenceNumber32 end = first + payload->GetSize();
    DcnFlowRecord& record = m_flowRecords[sender->flow];
    if (sender->hasSent && first < sender->highest && record.lastByteNs == DcnFlowRecord::NONE)
    {
        record.retransmittedBytes += static_cast<uint64_t>(std::min(end, sender->highest) - first);
    }
    sender->highest = sender->hasSent ? std::max(sender->highest, end) : end;
    sender->hasSent = true;
}

void
DcnCollector::OnTcpReceived(std::size_t flow, Ptr<const Packet> payload, const Address& /* from */)
{
    DcnFlowRecord& record = m_flowRecords[flow];
    if (record.firstByteNs == DcnFlowRecord::NONE)
    {
        record.firstByteNs = NowNs();
    }
    record.receivedBytes += payload->GetSize();
    if (record.receivedBytes == m_scenario->GetFlows()[flow].sizeBytes)
    {
        record.lastByteNs = NowNs();
        m_active.erase(flow);
        NoteRemaining(flow, false);
    }
}

void
DcnCollector::OnFlowStarted(Ptr<const DcnPacketFlow> flow)
{
    const std::size_t index = flow->GetIndex();
    m_flowRecords[index] = DcnFlowRecord{};
    m_flowRecords[index].startNs = flow->GetStartNs();
    m_active[index] = flow;
    NoteRemaining(index, true);
}

void
DcnCollector::OnFlowDelivered(Ptr<const DcnPacketFlow> flow)
{
    const std::size_t index = flow->GetIndex();
    m_flowRecords[index] = {flow->GetStartNs(),
                            flow->GetFirstByteNs(),
                            NowNs(),
                            flow->GetReceivedBytes(),
                            flow->GetRetransmittedBytes()};
    m_active.erase(index);
    NoteRemaining(index, false);
}

void
DcnCollector::OnFirstPacket(Ptr<const DcnPacketFlow> flow, std::size_t hop, uint64_t queueBytes)
{
    m_firstPacketRecords.push_back(
        {static_cast<uint32_t>(flow->GetIndex()), static_cast<uint32_t>(hop), NowNs(), queueBytes});
}

void
DcnCollector::NoteRemaining(std::size_t flow, bool isArrival)
{
    DcnRemainingRecords& to = m_remaining;
    if (!m_remainingBytes || to.isCut)
    {
        return;
    }
    if (to.flows.size() + m_active.size() > m_maxRemainingEntries)
    {
        to.isCut = true;
        return;
    }
    to.events.push_back({NowNs(), static_cast<uint32_t>(flow), isArrival});
    for (const auto& [index, ours] : m_active)
    {
        const uint64_t received =
            ours ? ours->GetReceivedBytes() : m_flowRecords[index].receivedBytes;
        to.flows.push_back(static_cast<uint32_t>(index));
        to.bytes.push_back(m_scenario->GetFlows()[index].sizeBytes - received);
        to.ratesBps.push_back(ours ? ours->GetRate() : 0);
    }
    to.offsets.push_back(to.flows.size());
}

void
DcnCollector::Finish()
{
    for (const auto& probe : m_probes)
    {
        probe->Finish();
    }
    for (const auto& [index, flow] : m_active)
    {
        if (flow)
        {
            DcnFlowRecord& record = m_flowRecords[index];
            record.firstByteNs = flow->GetFirstByteNs();
            record.receivedBytes = flow->GetReceivedBytes();
            record.retransmittedBytes = flow->GetRetransmittedBytes();
        }
    }
}

std::size_t
DcnCollector::GetNQueues() const
{
    return m_probes.size();
}

const std::string&
DcnCollector::GetQueueName(std::size_t queue) const
{
    return m_probes.at(queue)->GetName();
}

const std::string&
DcnCollector::GetQueueLayer(std::size_t queue) const
{
    return m_probes.at(queue)->GetLayer();
}

const std::vector<DcnQueueRecord>&
DcnCollector::GetQueueRecords(std::size_t queue) const
{
    return m_probes.at(queue)->GetRecorder().GetRecords();
}

const std::vector<DcnQueueRecord>&
DcnCollector::GetQueueRecords(const std::string& name, const std::string& layer) const
{
    auto position = m_probeIndex.find({name, layer});
    if (position == m_probeIndex.end())
    {
        DcnFail("no queue \"", name, "\" of the layer \"", layer, "\" is watched");
    }
    return GetQueueRecords(position->second);
}

const std::vector<DcnFlowRecord>&
DcnCollector::GetFlowRecords() const
{
    return m_flowRecords;
}

std::vector<int64_t>
DcnCollector::GetFctNs() const
{
    std::vector<int64_t> fctNs;
    fctNs.reserve(m_flowRecords.size());
    for (const auto& record : m_flowRecords)
    {
        fctNs.push_back(record.GetFctNs());
    }
    return fctNs;
}

const std::vector<DcnFirstPacketRecord>&
DcnCollector::GetFirstPackets() const
{
    return m_firstPacketRecords;
}

const DcnRemainingRecords&
DcnCollector::GetRemaining() const
{
    return m_remaining;
}

} // namespace ns3

/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "dcn-collector.h"

#include "../engine/dcn-packet-flow.h"
#include "../network/dcn-packet-flow-network.h"
#include "dcn-queue-probe.h"

#include "ns3/boolean.h"
#include "ns3/bulk-send-application.h"
#include "ns3/dcn-csv.h"
#include "ns3/dcn-error.h"
#include "ns3/dcn-plot.h"
#include "ns3/log.h"
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
#include <iomanip>
#include <iostream>
#include <limits>
#include <tuple>

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("DcnCollector");
NS_OBJECT_ENSURE_REGISTERED(DcnCollector);

namespace
{

/** @return the present time, where threads simulate that of the event that runs [ns]. */
int64_t
NowNs()
{
    return DcnPacketNetwork::GetNowNs();
}

/**
 * Write a time, or nan if the event has not happened.
 * @param csv the file
 * @param timeNs the time [ns]
 */
void
WriteTime(std::ostream& csv, int64_t timeNs)
{
    if (timeNs == DcnFlowRecord::NONE)
    {
        csv << ",nan";
    }
    else
    {
        csv << ',' << timeNs;
    }
}

} // namespace

struct DcnCollector::TcpSender : public SimpleRefCount<DcnCollector::TcpSender>
{
    std::size_t flow{0};        //!< flow index
    bool hasSent{false};        //!< payload has been sent
    SequenceNumber32 highest{}; //!< one past the highest payload byte sent
};

class DcnCollector::FlowListener final : public DcnPacketListener
{
  public:
    /**
     * @param collector hears of each event
     * @param nTraces trace sources of devices that its probes listen to
     */
    FlowListener(Ptr<DcnCollector> collector, uint32_t nTraces)
        : m_collector(collector),
          m_nTraces(nTraces)
    {
    }

    std::string GetWhyOneThread() const override
    {
        return m_collector->m_remainingBytes
                   ? "RemainingBytes of a DcnCollector are those of all flows at one instant"
                   : "";
    }

    uint32_t GetNTraces() const override
    {
        return m_nTraces;
    }

    bool WantsFirstPackets() const override
    {
        return m_collector->m_firstPackets;
    }

    bool WantsControl() const override
    {
        return !m_collector->m_control.empty();
    }

    void OnStarted(const DcnPacketFlow& flow) override
    {
        m_collector->OnFlowStarted(flow);
    }

    void OnDelivered(const DcnPacketFlow& flow) override
    {
        m_collector->OnFlowDelivered(flow);
    }

    void OnAcknowledged(const DcnPacketFlow& flow) override
    {
        m_collector->OnFlowAcknowledged(flow);
    }

    void OnFirstPacket(const DcnPacketFlow& flow, std::size_t hop, uint64_t queueBytes) override
    {
        m_collector->NoteFirstPacket(flow.GetIndex(), hop, queueBytes);
    }

    void OnControl(const DcnPacketFlow& flow, int64_t nowNs) override
    {
        m_collector->OnFlowControl(flow, nowNs);
    }

  private:
    Ptr<DcnCollector> m_collector; //!< see the constructor
    uint32_t m_nTraces;            //!< see GetNTraces
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
                          "Length of an interval of queue records, which begins at a multiple of "
                          "it; for queues watched after the attribute is set.",
                          TimeValue(MicroSeconds(100)),
                          MakeTimeAccessor(&DcnCollector::m_interval),
                          MakeTimeChecker(NanoSeconds(1)))
            .AddAttribute("Queues",
                          "Whether watching a DcnPacketNetwork includes its queues.",
                          BooleanValue(true),
                          MakeBooleanAccessor(&DcnCollector::m_queues),
                          MakeBooleanChecker())
            .AddAttribute("FirstPackets",
                          "Whether watching a DcnPacketNetwork records the queues that the first "
                          "packets of flows meet: one record per flow and switch.",
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
                          "Remaining bytes are recorded up to this number of entries of 20 bytes; "
                          "Write prints a line on stderr if there would be more.",
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
    if (!m_scenario && !m_network)
    {
        m_scenario = scenario;
        m_flowRecords.resize(scenario->GetFlows().size());
        m_isTcp.resize(m_flowRecords.size());
    }
    if (m_scenario != scenario)
    {
        DcnFail("a DcnCollector watches the flows of one scenario: make another one for the "
                "second");
    }
}

void
DcnCollector::Watch(Ptr<DcnFlowNetwork> network)
{
    const auto packets = DynamicCast<DcnPacketFlowNetwork>(network);
    if (!packets)
    {
        DcnFail("a DcnCollector watches networks of packets, but this is a ",
                network->GetInstanceTypeId().GetName());
    }
    Watch(packets->GetPackets());
}

DcnQueueProbe&
DcnCollector::AddQueue(const std::string& name, const std::string& layer)
{
    if (!m_probeIndex.emplace(std::make_pair(name, layer), m_probes.size()).second)
    {
        DcnFail("two queues of the layer ", layer, " are called \"", name, "\"");
    }
    NS_LOG_INFO("watches queue " << name << " of the layer " << layer);
    m_probes.push_back(Create<DcnQueueProbe>(name, layer, m_interval.GetNanoSeconds()));
    return *m_probes.back();
}

void
DcnCollector::Watch(Ptr<DcnPacketNetwork> network)
{
    if (network->GetScenario())
    {
        SetScenario(network->GetScenario());
    }
    else if (m_scenario || (m_network && m_network != network))
    {
        DcnFail("a DcnCollector watches the flows of one network: make another one for the "
                "second");
    }
    m_network = network;
    uint32_t nTraces = 0;
    const DcnTopology& topology = network->GetTopology();
    for (uint32_t link = 0; m_queues && link < topology.GetNLinks(); ++link)
    {
        const std::string layer = topology.IsHost(topology.GetLink(link).from) ? "host" : "switch";
        const std::string nodes = topology.DescribeLink(link);
        std::string name = nodes;
        for (int n = 2; m_probeIndex.count({name, layer}); ++n)
        {
            name = nodes + "#" + std::to_string(n);
        }
        nTraces += AddQueue(name, layer).ListenTo(network->GetDevice(link));
    }
    network->AddListener(std::make_shared<FlowListener>(Ptr<DcnCollector>(this), nTraces));
}

void
DcnCollector::KeepControl(std::size_t flow)
{
    if (m_network)
    {
        DcnFail("DcnCollector::KeepControl comes before Watch, but a network is watched already");
    }
    m_control[flow];
}

void
DcnCollector::OnFlowControl(const DcnPacketFlow& flow, int64_t nowNs)
{
    const auto found = m_control.find(flow.GetIndex());
    if (found == m_control.end())
    {
        return;
    }
    static constexpr uint64_t NO_WINDOW = std::numeric_limits<uint64_t>::max();
    DcnControlRecords& records = found->second;
    const uint64_t window = flow.GetWindow();
    DcnCongestionControl::State state{
        {"rate_bps", static_cast<double>(flow.GetRate())},
        {"window_bytes", window == NO_WINDOW ? 0 : static_cast<double>(window)},
        {"flight_bytes",
         static_cast<double>(flow.GetSender().GetNext() - flow.GetSender().GetUnacknowledged())}};
    const auto own = flow.GetControlState();
    state.insert(state.end(), own.begin(), own.end());
    if (records.quantities.empty())
    {
        for (const auto& [name, value] : state)
        {
            records.quantities.push_back(name);
        }
        records.values.resize(state.size());
    }
    records.timesNs.push_back(nowNs);
    for (std::size_t i = 0; i < state.size(); ++i)
    {
        records.values[i].push_back(state[i].second);
    }
}

const DcnControlRecords&
DcnCollector::GetControl(std::size_t flow) const
{
    const auto found = m_control.find(flow);
    if (found == m_control.end())
    {
        DcnFail("the control of flow ", flow, " was not kept: call DcnCollector::KeepControl");
    }
    return found->second;
}

void
DcnCollector::WriteControl(const std::string& path) const
{
    DcnFileWriter file(path);
    std::ostream& csv = file.Stream();
    csv << "flow_id,time_ns,quantity,value\n";
    for (const auto& [flow, records] : m_control)
    {
        for (std::size_t i = 0; i < records.timesNs.size(); ++i)
        {
            for (std::size_t q = 0; q < records.quantities.size(); ++q)
            {
                csv << GetFlow(flow).id << ',' << records.timesNs[i] << ',' << records.quantities[q]
                    << ',' << DcnToText(records.values[q][i]) << '\n';
            }
        }
    }
    file.Commit();
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
    NS_LOG_INFO("watches TCP flow " << each.id);
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
    NoteTcpStart(flow, nullptr);
    // the application may create its socket later at this time; no payload leaves before
    Ptr<DcnCollector> self(this);
    Simulator::ScheduleNow(
        [self, flow, source]() { self->ListenToTcpSender(flow, source->GetSocket()); });
}

void
DcnCollector::WatchTcp(Ptr<const DcnScenario> scenario)
{
    SetScenario(scenario);
    for (std::size_t flow = 0; flow < m_isTcp.size(); ++flow)
    {
        if (m_isTcp[flow])
        {
            DcnFail("flow ", GetFlow(flow).id, " is watched twice");
        }
        m_isTcp[flow] = true;
    }
    NS_LOG_INFO("watches " << m_isTcp.size() << " TCP flows");
}

void
DcnCollector::NoteTcpStart(std::size_t flow, Ptr<Socket> source)
{
    m_flowRecords[flow].startNs = NowNs();
    m_active[flow] = nullptr;
    NoteRemaining(flow, true);
    ListenToTcpSender(flow, source);
}

void
DcnCollector::ListenToTcpSender(std::size_t flow, Ptr<Socket> socket)
{
    if (socket)
    {
        Ptr<TcpSender> sender = Create<TcpSender>();
        sender->flow = flow;
        // other sockets than TcpSocketBase have no such trace: their retransmissions are not
        // counted
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
    NoteTcpReceived(flow, payload->GetSize());
}

void
DcnCollector::NoteTcpReceived(std::size_t flow, uint64_t bytes)
{
    DcnFlowRecord& record = m_flowRecords[flow];
    if (record.firstByteNs == DcnFlowRecord::NONE)
    {
        record.firstByteNs = NowNs();
    }
    record.receivedBytes += bytes;
    if (record.receivedBytes == GetFlow(flow).sizeBytes)
    {
        record.lastByteNs = NowNs();
        m_active.erase(flow);
        NoteRemaining(flow, false);
    }
}

void
DcnCollector::NoteFirstPacket(std::size_t flow, std::size_t hop, uint64_t queueBytes)
{
    if (m_firstPackets)
    {
        const std::lock_guard<std::mutex> lock(m_mutex);
        m_firstPacketRecords.push_back(
            {static_cast<uint32_t>(flow), static_cast<uint32_t>(hop), NowNs(), queueBytes});
    }
}

const DcnFlow&
DcnCollector::GetFlow(std::size_t flow) const
{
    return m_scenario ? m_scenario->GetFlows()[flow] : m_network->GetFlow(flow);
}

DcnPath
DcnCollector::GetPath(std::size_t flow) const
{
    return m_scenario ? m_scenario->GetPath(flow) : m_network->GetPath(flow);
}

void
DcnCollector::OnFlowStarted(const DcnPacketFlow& flow)
{
    const std::lock_guard<std::mutex> lock(m_mutex);
    const std::size_t index = flow.GetIndex();
    m_flowRecords.resize(
        std::max(m_flowRecords.size(), index + 1)); // flows may be added one by one
    m_flowRecords[index] = DcnFlowRecord{};
    m_flowRecords[index].startNs = flow.GetStartNs();
    m_active[index] = Ptr<const DcnPacketFlow>(&flow);
    NoteRemaining(index, true);
}

void
DcnCollector::OnFlowDelivered(const DcnPacketFlow& flow)
{
    const std::lock_guard<std::mutex> lock(m_mutex);
    const std::size_t index = flow.GetIndex();
    DcnFlowRecord& record = m_flowRecords[index];
    record.firstByteNs = flow.GetFirstByteNs();
    record.lastByteNs = NowNs();
    record.receivedBytes = flow.GetReceivedBytes();
    m_delivered.insert(m_active.extract(index)); // without a reference more, which is the sender's
    NoteRemaining(index, false);
}

void
DcnCollector::OnFlowAcknowledged(const DcnPacketFlow& flow)
{
    const std::lock_guard<std::mutex> lock(m_mutex);
    m_flowRecords[flow.GetIndex()].retransmittedBytes = flow.GetRetransmittedBytes();
    m_delivered.erase(flow.GetIndex());
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
    if (m_network)
    {
        m_network->Resume(); // flows that are skipped have counters of an earlier time
    }
    to.events.push_back({NowNs(), static_cast<uint32_t>(flow), isArrival});
    for (const auto& [index, active] : m_active)
    {
        const uint64_t received =
            active ? active->GetReceivedBytes() : m_flowRecords[index].receivedBytes;
        to.flows.push_back(static_cast<uint32_t>(index));
        to.bytes.push_back(GetFlow(index).sizeBytes - received);
        to.ratesBps.push_back(active ? active->GetRate() : 0);
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
    for (const auto& [index, flow] : m_delivered)
    {
        m_flowRecords[index].retransmittedBytes = flow->GetRetransmittedBytes();
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

const std::vector<DcnFirstPacketRecord>&
DcnCollector::GetFirstPackets() const
{
    std::sort(m_firstPacketRecords.begin(),
              m_firstPacketRecords.end(),
              [](const DcnFirstPacketRecord& a, const DcnFirstPacketRecord& b) {
                  return std::tie(a.timeNs, a.flow, a.hop) < std::tie(b.timeNs, b.flow, b.hop);
              });
    return m_firstPacketRecords;
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

std::vector<std::string>
DcnCollector::Write(const std::string& folder)
{
    Finish();
    DcnMakeFolder(folder);
    std::vector<std::string> written;
    if (!m_probes.empty())
    {
        written.push_back(folder + "/queues.csv");
        WriteQueues(written.back());
    }
    if (!m_flowRecords.empty())
    {
        written.push_back(folder + "/flow-records.csv");
        WriteFlows(written.back());
    }
    if (!m_firstPacketRecords.empty())
    {
        written.push_back(folder + "/first-packets.csv");
        WriteFirstPackets(written.back());
    }
    if (std::any_of(m_control.begin(), m_control.end(), [](const auto& control) {
            return !control.second.timesNs.empty();
        }))
    {
        written.push_back(folder + "/control.csv");
        WriteControl(written.back());
    }
    if (!m_remaining.events.empty())
    {
        written.push_back(folder + "/remaining.csv");
        WriteRemaining(written.back());
    }
    for (const std::string& path : written)
    {
        NS_LOG_INFO("written: " << path);
    }
    return written;
}

bool
DcnCollector::PlotQueues(const std::string& base, std::size_t nQueues)
{
    Finish();
    // by the largest mean of an interval; of equal ones, the queue that is watched first
    std::vector<std::pair<double, const DcnQueueProbe*>> longest;
    for (const auto& probe : m_probes)
    {
        double largest = 0;
        for (const DcnQueueRecord& record : probe->GetRecorder().GetRecords())
        {
            largest = std::max(largest, record.meanBytes);
        }
        if (largest > 0)
        {
            longest.emplace_back(largest, PeekPointer(probe));
        }
    }
    std::stable_sort(longest.begin(), longest.end(), [](const auto& a, const auto& b) {
        return a.first > b.first;
    });
    longest.resize(std::min(longest.size(), nQueues));
    if (longest.empty())
    {
        return false;
    }
    Gnuplot plot = DcnMakePlot("The longest queues of switches",
                               "time [ms]",
                               "mean queue of the interval [KB]");
    plot.AppendExtra("set grid\nset yrange [0:]\nset key outside right top");
    for (const auto& [largest, probe] : longest)
    {
        Gnuplot2dDataset curve = DcnMakeCurve(probe->GetName());
        DcnAddQueueCurve(probe->GetRecorder().GetRecords(), curve);
        plot.AddDataset(curve);
    }
    return DcnWritePlot(plot, base);
}

void
DcnCollector::WriteQueues(const std::string& path) const
{
    DcnFileWriter file(path);
    std::ostream& csv = file.Stream();
    csv << "queue,layer,start_ns,end_ns,in_bytes,in_packets,out_bytes,out_packets,marks,drops,"
           "pauses,max_bytes,mean_bytes\n"
        << std::fixed << std::setprecision(1);
    for (const auto& probe : m_probes)
    {
        for (const auto& record : probe->GetRecorder().GetRecords())
        {
            csv << DcnCsvText(probe->GetName()) << ',' << probe->GetLayer() << ',' << record.startNs << ','
                << record.endNs << ',' << record.inBytes << ',' << record.inPackets << ','
                << record.outBytes << ',' << record.outPackets << ',' << record.marks << ','
                << record.drops << ',' << record.pauses << ',' << record.maxBytes << ','
                << record.meanBytes << '\n';
        }
    }
    file.Commit();
}

void
DcnCollector::WriteFlows(const std::string& path) const
{
    DcnFileWriter file(path);
    std::ostream& csv = file.Stream();
    const DcnTopology& topology = m_scenario ? m_scenario->GetTopology() : m_network->GetTopology();
    csv << "flow_id,src,dst,size_bytes,start_ns,first_byte_ns,last_byte_ns,fct_ns,received_bytes,"
           "retransmitted_bytes,path\n";
    for (std::size_t i = 0; i < m_flowRecords.size(); ++i)
    {
        const DcnFlowRecord& record = m_flowRecords[i];
        if (record.startNs == DcnFlowRecord::NONE)
        {
            continue;
        }
        const DcnFlow& flow = GetFlow(i);
        csv << flow.id << ',' << topology.GetExternalId(flow.src) << ','
            << topology.GetExternalId(flow.dst) << ',' << flow.sizeBytes << ',' << record.startNs;
        WriteTime(csv, record.firstByteNs);
        WriteTime(csv, record.lastByteNs);
        WriteTime(csv, record.GetFctNs());
        csv << ',' << record.receivedBytes << ',' << record.retransmittedBytes << ','
            << topology.GetExternalId(flow.src);
        for (uint32_t link : GetPath(i))
        {
            csv << '-' << topology.GetExternalId(topology.GetLink(link).to);
        }
        csv << '\n';
    }
    file.Commit();
}

void
DcnCollector::WriteFirstPackets(const std::string& path) const
{
    DcnFileWriter file(path);
    std::ostream& csv = file.Stream();
    const DcnTopology& topology = m_scenario ? m_scenario->GetTopology() : m_network->GetTopology();
    csv << "flow_id,hop,link,time_ns,queue_bytes\n";
    for (const auto& record : GetFirstPackets())
    {
        csv << GetFlow(record.flow).id << ',' << record.hop << ','
            << topology.DescribeLink(GetPath(record.flow)[record.hop]) << ',' << record.timeNs
            << ',' << record.queueBytes << '\n';
    }
    file.Commit();
}

void
DcnCollector::WriteRemaining(const std::string& path) const
{
    DcnFileWriter file(path);
    std::ostream& csv = file.Stream();
    csv << "event,time_ns,kind,event_flow_id,flow_id,remaining_bytes,rate_bps\n";
    for (std::size_t e = 0; e < m_remaining.events.size(); ++e)
    {
        const auto& event = m_remaining.events[e];
        for (std::size_t i = m_remaining.offsets[e]; i < m_remaining.offsets[e + 1]; ++i)
        {
            csv << e << ',' << event.timeNs << (event.isArrival ? ",arrival," : ",completion,")
                << GetFlow(event.flow).id << ',' << GetFlow(m_remaining.flows[i]).id << ','
                << m_remaining.bytes[i] << ',';
            if (m_remaining.ratesBps[i] == 0)
            {
                csv << "nan\n";
            }
            else
            {
                csv << m_remaining.ratesBps[i] << '\n';
            }
        }
    }
    file.Commit();
    if (m_remaining.isCut)
    {
        std::cerr << path << " was cut before it would have exceeded " << m_maxRemainingEntries
                  << " entries (attribute MaxRemainingEntries)" << std::endl;
    }
}

} // namespace ns3

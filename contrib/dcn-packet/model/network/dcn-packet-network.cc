/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "dcn-packet-network.h"

#include "../engine/dcn-host-device.h"
#include "../engine/dcn-packet-channel.h"
#include "../engine/dcn-packet-partition.h"
#include "../engine/dcn-packet-switch.h"
#include "../engine/dcn-steady-skip.h"
#include "../engine/dcn-switch-device.h"
#include "../paths/dcn-link-choice.h"
#include "../windows/dcn-network-cut.h"
#include "../windows/dcn-window-loop.h"
#include "dcn-pause-circle.h"

#include "ns3/boolean.h"
#include "ns3/dcn-closed-loop.h"
#include "ns3/dcn-error.h"
#include "ns3/dcn-marking.h"
#include "ns3/dcn-processes.h"
#include "ns3/dcn-progress.h"
#include "ns3/dcn-scenario-value.h"
#include "ns3/dcn-topology-value.h"
#include "ns3/dcn-units.h"
#include "ns3/default-simulator-impl.h"
#include "ns3/double.h"
#include "ns3/log.h"
#include "ns3/node.h"
#include "ns3/rng-seed-manager.h"
#include "ns3/simulator.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <cstdio>
#include <exception>
#include <limits>
#include <unordered_set>

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("DcnPacketNetwork");
NS_OBJECT_ENSURE_REGISTERED(DcnPacketNetwork);

namespace
{

/// @return whether a component of ns-3's log is switched on
bool
IsLogging()
{
#ifdef NS3_LOG_ENABLE
    const auto& components = *LogComponent::GetComponentList();
    return std::any_of(components.begin(), components.end(), [](const auto& component) {
        return !component.second->IsNoneEnabled();
    });
#else
    return false;
#endif
}

/// Refuses more flows or links than events can name.
void
CheckNumber(uint64_t n, uint64_t most, const std::string& kind)
{
    if (n > most)
    {
        DcnFail("the packet engine simulates at most ", most, " ", kind, ", but there are ", n);
    }
}

} // namespace

class DcnPacketNetwork::Partitioned final : public DcnPartitionedNetwork
{
  public:
    /**
     * @param network the network, which owns this object
     */
    explicit Partitioned(DcnPacketNetwork& network)
        : m_network(network)
    {
    }

    void OnStart(DcnPacketPartition& partition, std::size_t flow, int64_t nowNs) override
    {
        m_network.OnStart(partition, flow, nowNs);
    }

    DcnPacketPartition& OnDelivered(const DcnPacketFlow& flow, int64_t nowNs) override
    {
        m_network.OnDelivered(flow, nowNs);
        const auto& partitions = m_network.m_partitions;
        return *partitions[partitions.size() == 1
                               ? 0
                               : m_network.m_cut->GetPartition(flow.GetDestination())];
    }

    void OnAcknowledged(const DcnPacketFlow& flow, int64_t nowNs) override
    {
        m_network.OnAcknowledged(flow, nowNs);
    }

    void OnMessageDelivered(const DcnPacketFlow& connection, uint64_t message) override
    {
        m_network.m_messageDelivered(connection.GetIndex(), message);
    }

    void OnMessageAcknowledged(const DcnPacketFlow& connection, uint64_t message) override
    {
        m_network.m_messageAcknowledged(connection.GetIndex(), message);
    }

    void OnFirstPacket(const DcnPacketFlow& flow, std::size_t hop, uint64_t queueBytes) override
    {
        m_network.m_firstPacket(Ptr<const DcnPacketFlow>(&flow), hop, queueBytes);
    }

    void OnControl(const DcnPacketFlow& flow, int64_t nowNs) override
    {
        m_network.m_flowControl(Ptr<const DcnPacketFlow>(&flow), NanoSeconds(nowNs));
    }

    void OnLook(uint64_t number) override
    {
        m_network.m_skip->OnLook(number);
    }

    const DcnFlow& GetFlow(std::size_t flow) const override
    {
        return m_network.GetFlow(flow);
    }

  private:
    DcnPacketNetwork& m_network; //!< the network
};

TypeId
DcnPacketNetwork::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::DcnPacketNetwork")
            .SetParent<Object>()
            .SetGroupName("DcnPacket")
            .AddConstructor<DcnPacketNetwork>()
            .AddAttribute("NackInterval",
                          "Least time between two NACKs for the same byte.",
                          TimeValue(MicroSeconds(500)),
                          MakeTimeAccessor(&DcnPacketNetwork::m_nackInterval),
                          MakeTimeChecker(Time(0)))
            .AddAttribute("RetransmissionTimeout",
                          "A flow that has lost a frame retransmits from the first byte not "
                          "acknowledged after this time without progress.",
                          TimeValue(MilliSeconds(1)),
                          MakeTimeAccessor(&DcnPacketNetwork::m_retransmissionTimeout),
                          MakeTimeChecker(NanoSeconds(1)))
            .AddAttribute("StopTime",
                          "Simulated time, from the scenario's time 0, at which Run ends with the "
                          "flows that are delivered before; 0: none.",
                          TimeValue(Time(0)),
                          MakeTimeAccessor(&DcnPacketNetwork::m_stopTime),
                          MakeTimeChecker(Time(0)))
            .AddAttribute("InFlightPerRack",
                          "Closed loop: most flows in flight from the hosts of a rack, the others "
                          "wait; 0: every flow begins at its start time.",
                          UintegerValue(0),
                          MakeUintegerAccessor(&DcnPacketNetwork::m_inFlightPerRack),
                          MakeUintegerChecker<uint32_t>())
            .AddAttribute("Threads",
                          "Threads that simulate partitions of the network at the same time, with "
                          "the same results for any number of them; 0: one thread.",
                          UintegerValue(0),
                          MakeUintegerAccessor(&DcnPacketNetwork::m_nThreads),
                          MakeUintegerChecker<uint32_t>(0, MAX_THREADS))
            .AddAttribute(
                "Partitions",
                "Partitions of the network, if Threads > 0; 0: four for each thread, but one "
                "for one thread.",
                UintegerValue(0),
                MakeUintegerAccessor(&DcnPacketNetwork::m_nPartitions),
                MakeUintegerChecker<uint32_t>(0, MAX_THREADS))
            .AddAttribute("SharedEvents",
                          "Events of a window from which on threads share the next one; after a "
                          "smaller one, one thread goes on alone, as a barrier would cost more.",
                          UintegerValue(SHARED_EVENTS),
                          MakeUintegerAccessor(&DcnPacketNetwork::m_sharedEvents),
                          MakeUintegerChecker<uint64_t>())
            .AddAttribute("TelemetryQuantised",
                          "Whether HPCC's telemetry is rounded as in its wire format: bytes sent "
                          "in units of 128, queue lengths in units of 80 bytes.",
                          BooleanValue(true),
                          MakeBooleanAccessor(&DcnPacketNetwork::m_telemetryQuantised),
                          MakeBooleanChecker())
            .AddAttribute("LosslessHeadroom",
                          "Whether the headroom of a switch port covers all that can arrive after "
                          "a pause, instead of three one-way bandwidth-delay products.",
                          BooleanValue(false),
                          MakeBooleanAccessor(&DcnPacketNetwork::m_losslessHeadroom),
                          MakeBooleanChecker())
            .AddAttribute("Skip",
                          "Whether steady states are skipped: times in which all flows have "
                          "constant rates (DcnSteadySkip).",
                          BooleanValue(false),
                          MakeBooleanAccessor(&DcnPacketNetwork::m_skips),
                          MakeBooleanChecker())
            .AddAttribute("SkipTolerance",
                          "Largest difference of a flow's rates in the two halves of a window, "
                          "relative to its rate, in a steady state.",
                          DoubleValue(SKIP_TOLERANCE),
                          MakeDoubleAccessor(&DcnPacketNetwork::m_skipTolerance),
                          MakeDoubleChecker<double>(0, 1))
            .AddAttribute("Topology",
                          "The network; null before it is installed.",
                          TypeId::ATTR_GET,
                          DcnTopologyValue(),
                          MakeDcnTopologyAccessor(&DcnPacketNetwork::m_topology),
                          MakeDcnTopologyChecker())
            .AddAttribute("Scenario",
                          "The scenario that is simulated; null where flows are added one by one.",
                          TypeId::ATTR_GET,
                          DcnScenarioValue(),
                          MakeDcnScenarioAccessor(&DcnPacketNetwork::m_scenario),
                          MakeDcnScenarioChecker())
            .AddTraceSource("FlowStarted",
                            "A flow starts; no packet has been sent.",
                            MakeTraceSourceAccessor(&DcnPacketNetwork::m_flowStarted),
                            "ns3::DcnPacketNetwork::FlowCallback")
            .AddTraceSource("FlowDelivered",
                            "The receiver has a whole flow.",
                            MakeTraceSourceAccessor(&DcnPacketNetwork::m_flowDelivered),
                            "ns3::DcnPacketNetwork::FlowCallback")
            .AddTraceSource("FlowAcknowledged",
                            "The sender has the last acknowledgement of a flow.",
                            MakeTraceSourceAccessor(&DcnPacketNetwork::m_flowAcknowledged),
                            "ns3::DcnPacketNetwork::FlowCallback")
            .AddTraceSource("MessageDelivered",
                            "The receiver has a whole message of a connection.",
                            MakeTraceSourceAccessor(&DcnPacketNetwork::m_messageDelivered),
                            "ns3::DcnPacketNetwork::MessageCallback")
            .AddTraceSource("MessageAcknowledged",
                            "The sender has the last acknowledgement of a message.",
                            MakeTraceSourceAccessor(&DcnPacketNetwork::m_messageAcknowledged),
                            "ns3::DcnPacketNetwork::MessageCallback")
            .AddTraceSource("FirstPacket",
                            "The first packet of a flow comes to the egress queue of a switch. "
                            "For flows that start after the listener has connected.",
                            MakeTraceSourceAccessor(&DcnPacketNetwork::m_firstPacket),
                            "ns3::DcnPacketNetwork::FirstPacketCallback")
            .AddTraceSource("FlowControl",
                            "The congestion control of a flow has seen an acknowledgement or a "
                            "timer: GetRate, GetWindow and GetControlState of the flow are new. "
                            "For flows that start after the listener has connected.",
                            MakeTraceSourceAccessor(&DcnPacketNetwork::m_flowControl),
                            "ns3::DcnPacketNetwork::FlowControlCallback");
    return tid;
}

DcnPacketNetwork::DcnPacketNetwork()
    : m_partitioned(std::make_unique<Partitioned>(*this))
{
}

DcnPacketNetwork::~DcnPacketNetwork()
{
    Stop();
}

void
DcnPacketNetwork::DoDispose()
{
    Stop();
    m_switches.clear();
    // a collector holds the network, and these hold the collector
    m_flowStarted = {};
    m_flowDelivered = {};
    m_flowAcknowledged = {};
    m_messageDelivered = {};
    m_messageAcknowledged = {};
    m_firstPacket = {};
    Object::DoDispose();
}

void
DcnPacketNetwork::Stop()
{
    // The simulator may still hold events of every kind, and the nodes hold the devices.
    m_watch.Cancel();
    m_stop.Cancel();
    m_skip.reset();
    for (const auto& partition : m_partitions)
    {
        partition->events.CancelAll();
    }
    for (const auto& device : m_devices)
    {
        device->Dispose();
    }
    m_devices.clear();
}

void
DcnPacketNetwork::Install(Ptr<const DcnScenario> scenario)
{
    m_config = scenario->GetNetworkConfig();
    for (std::size_t i = 0; i < scenario->GetFlows().size(); ++i)
    {
        CheckFlow(scenario->GetFlows()[i], scenario->GetPath(i));
    }
    std::vector<uint32_t> senders;
    for (const DcnFlow& flow : scenario->GetFlows())
    {
        senders.push_back(flow.src);
    }
    CheckNumber(scenario->GetFlows().size(), DcnWindowEvent::MAX_NUMBER, "flows");
    InstallFor(scenario->GetTopologyPtr(), m_config, senders);
    m_scenario = scenario;
    CheckStopTime();
    m_fctNs.assign(scenario->GetFlows().size(), -1);
}

void
DcnPacketNetwork::Install(Ptr<const DcnTopology> topology, Ptr<const DcnNetworkConfig> network)
{
    InstallFor(topology, network, topology->GetHosts());
}

void
DcnPacketNetwork::InstallFor(Ptr<const DcnTopology> topology,
                             Ptr<const DcnNetworkConfig> network,
                             const std::vector<uint32_t>& senders)
{
    NS_ASSERT_MSG(!m_topology, "a DcnPacketNetwork is installed once");
    if (Time::GetResolution() != Time::NS)
    {
        DcnFail("the packet engine counts in nanoseconds, but Time::SetResolution was called with "
                "another unit");
    }
    m_topology = topology;
    m_config = network;
    m_wireFormat = DcnCongestionControl::GetWireFormat(*network);
    if (GetMaxFrameBytes() > DcnFrame::MAX_WIRE_BYTES)
    {
        DcnFail("with payload_bytes ",
                network->payloadBytes,
                " a frame of ",
                network->congestionControl,
                " has ",
                GetMaxFrameBytes(),
                " bytes, but the packet engine has frames of at most ",
                DcnFrame::MAX_WIRE_BYTES);
    }
    if (network->HasManyPaths())
    {
        if (m_wireFormat.telemetry)
        {
            DcnFail(network->congestionControl,
                    " compares reports of successive packets of a flow, which have one path, but "
                    "load_balancing is ",
                    network->loadBalancing,
                    ": take another congestion control, or load_balancing=0");
        }
        for (uint32_t node = 0; node < topology->GetNNodes(); ++node)
        {
            const auto& links = topology->GetOutLinks(node);
            if (topology->IsHost(node) &&
                std::any_of(links.begin(), links.end(), [&](uint32_t link) {
                    return topology->GetLink(link).to != topology->GetLink(links.front()).to;
                }))
            {
                // acknowledgements leave by the link of the flow's own path
                DcnFail("packets of a flow would reach host ",
                        node,
                        " by several switches, but load_balancing is ",
                        network->loadBalancing,
                        ": link each host with one switch, or take load_balancing=0");
            }
        }
        m_routing = std::make_unique<DcnRouting>(topology);
    }
    CheckNumber(topology->GetNLinks(), DcnPacketEvents::MAX_LINK, "directed links");
    m_devices.resize(topology->GetNLinks());
    for (uint32_t link = 0; link < topology->GetNLinks(); link += 2)
    {
        MakeLink(link);
    }
    m_partitions.push_back(MakePartition(0, 1));
    for (const auto& device : m_devices)
    {
        device->SetPool(&m_partitions[0]->pool, &m_partitions[0]->events);
    }
    FollowNs3();
    MakeSwitches(topology->GetNicRates(senders).back());
    if (m_nThreads == 0 && (m_nPartitions > 0 || m_sharedEvents != SHARED_EVENTS))
    {
        DcnFail("Partitions and SharedEvents are for threads, but Threads is 0: set Threads, or "
                "none of them");
    }
    if (!m_skips && m_skipTolerance != SKIP_TOLERANCE)
    {
        DcnFail("SkipTolerance is ", m_skipTolerance, ", but Skip is false: set Skip, or neither");
    }
    if (m_skips)
    {
        MakeSkip();
    }
    NS_LOG_INFO("installed on " << topology->GetNNodes() << " nodes and "
                                << topology->GetNLinks() / 2 << " links, congestion control "
                                << network->congestionControl);
}

void
DcnPacketNetwork::MakeSkip()
{
    for (const auto& [name, isSet] : {std::pair("load_balancing", m_config->HasManyPaths()),
                                      std::pair("selective_repeat", m_config->selectiveRepeat)})
    {
        if (isSet)
        {
            DcnFail("Skip leaves packets out that have one path and are repaired by go-back-N, "
                    "but ",
                    name,
                    " is not 0: take ",
                    name,
                    "=0, or Skip=false");
        }
    }
    if (!DcnCongestionControl::Create(*m_config, 1'000'000'000, 1)
             ->Translate({0, 0, nullptr, false}))
    {
        DcnFail("Skip needs DcnCongestionControl::Translate, but ",
                m_config->congestionControl,
                " does not have it: take Skip=false, or another congestion control");
    }
    int64_t packetNs = std::numeric_limits<int64_t>::max();
    for (const auto& device : m_devices)
    {
        if (device->IsHost())
        {
            packetNs =
                std::min(packetNs, DcnSerializationNs(GetMaxFrameBytes(), device->GetRateBps()));
        }
    }
    m_skip = std::make_unique<DcnSteadySkip>(GetWhole(),
                                             m_devices,
                                             packetNs,
                                             GetMaxFrameBytes(),
                                             m_skipTolerance);
}

void
DcnPacketNetwork::Resume() const
{
    if (m_skip)
    {
        m_skip->ResumeAll();
    }
}

std::pair<int64_t, uint64_t>
DcnPacketNetwork::GetSkipped() const
{
    return m_skip ? std::pair(m_skip->GetSkippedNs(), m_skip->GetNSkips())
                  : std::pair<int64_t, uint64_t>(0, 0);
}

void
DcnPacketNetwork::CheckFlow(const DcnFlow& flow, DcnPath path) const
{
    if (flow.sizeBytes > DcnFrame::MAX_SEQUENCE)
    {
        DcnFail("flow ",
                flow.id,
                " has ",
                flow.sizeBytes,
                " bytes, but a flow of the packet engine has at most ",
                DcnFrame::MAX_SEQUENCE,
                ": take several flows");
    }
    CheckPath(flow, path);
}

void
DcnPacketNetwork::CheckPath(const DcnFlow& flow, DcnPath path) const
{
    const std::size_t switches = path.size() - 1;
    if (DcnCongestionControl::GetWireFormat(*m_config).telemetry &&
        switches > DcnTelemetry::MAX_HOPS)
    {
        DcnFail("flow ",
                flow.id,
                " crosses ",
                switches,
                " switches, but the telemetry of ",
                m_config->congestionControl,
                " holds ",
                int{DcnTelemetry::MAX_HOPS});
    }
}

const DcnTopology&
DcnPacketNetwork::GetTopology() const
{
    return *m_topology;
}

const DcnFlow&
DcnPacketNetwork::GetFlow(std::size_t flow) const
{
    return m_scenario ? m_scenario->GetFlows()[flow] : m_added[flow];
}

DcnPath
DcnPacketNetwork::GetPath(std::size_t flow) const
{
    return m_scenario ? m_scenario->GetPath(flow) : m_addedPaths.Get(flow);
}

std::size_t
DcnPacketNetwork::Append(const DcnFlow& flow, DcnPath path)
{
    NS_ASSERT_MSG(m_topology && !m_scenario, "flows come from the scenario");
    if (m_nThreads > 0)
    {
        RefuseThreads("flows are added one by one, which takes one thread");
    }
    if (m_skip)
    {
        m_skip->Begin(); // before the flow is there, since it may throw
    }
    CheckFlow(flow, path);
    CheckNumber(m_added.size() + 1, DcnWindowEvent::MAX_NUMBER, "flows");
    m_added.push_back(flow);
    m_addedPaths.Append({path.begin(), path.end()});
    m_fctNs.push_back(-1);
    return m_added.size() - 1;
}

std::size_t
DcnPacketNetwork::AddFlow(const DcnFlow& flow, DcnPath path)
{
    const std::size_t index = Append(flow, path);
    BeginFlow(GetWhole(), index, flow.sizeBytes, path, Simulator::Now().GetNanoSeconds());
    return index;
}

std::size_t
DcnPacketNetwork::Connect(const DcnFlow& ends, DcnPath path)
{
    const std::size_t index = Append(ends, path);
    m_connections[index] = BeginFlow(GetWhole(), index, 0, path, Simulator::Now().GetNanoSeconds());
    return index;
}

void
DcnPacketNetwork::AddMessage(std::size_t connection, uint64_t bytes)
{
    const int64_t nowNs = Simulator::Now().GetNanoSeconds();
    DcnPacketFlow* flow = m_connections.at(connection);
    if (m_skip)
    {
        m_skip->Begin();
    }
    // a connection with bytes to send goes on as before, unless packets become short
    const bool isShort = bytes < m_config->payloadBytes;
    if (m_skip && (isShort || flow->GetNext() == flow->GetSizeBytes()))
    {
        m_skip->Touch(*flow);
    }
    if (flow->AddMessage(bytes, nowNs))
    {
        flow->GetSource()->AddFlow(flow, nowNs);
    }
    else if (!flow->GetSource()->IsFrozen())
    {
        flow->GetSource()->Kick(nowNs);
    }
    if (m_skip && isShort)
    {
        m_skip->Touch(*flow); // the bound of its frames has gone
    }
}

void
DcnPacketNetwork::MoveFlow(uint64_t id, DcnPath path)
{
    for (uint32_t link : m_topology->GetOutLinks(m_topology->GetLink(path[0]).from))
    {
        const auto* host = static_cast<DcnHostDevice*>(PeekPointer(m_devices[link]));
        for (DcnPacketFlow* flow : host->GetFlows())
        {
            if (m_added[flow->GetIndex()].id == id && m_connections.count(flow->GetIndex()) == 0)
            {
                Move(flow, path);
                return;
            }
        }
    }
}

void
DcnPacketNetwork::MoveConnection(std::size_t connection, DcnPath path)
{
    Move(m_connections.at(connection), path);
}

void
DcnPacketNetwork::Move(DcnPacketFlow* flow, DcnPath path)
{
    const int64_t nowNs = Simulator::Now().GetNanoSeconds();
    if (m_skip)
    {
        m_skip->TouchAll();
        m_skip->Forget(*flow); // on its path
    }
    Ports ports = FindPorts(path);
    DcnHostDevice* before = flow->GetSource();
    const auto& sending = before->GetFlows(); // an idle connection is in no list
    const bool isSending = std::find(sending.begin(), sending.end(), flow) != sending.end();
    flow->Move(ports.rttNs,
               ports.source,
               ports.sink,
               std::move(ports.forward),
               std::move(ports.reverse),
               nowNs);
    flow->SetOrigin(ports.source);
    if (isSending && before != ports.source)
    {
        before->RemoveFlow(flow);
        ports.source->AddFlow(flow, nowNs);
    }
    if (m_skip && isSending)
    {
        m_skip->Touch(*flow);
    }
}

void
DcnPacketNetwork::ChangeLink(uint32_t link, uint64_t rateBps)
{
    const int64_t nowNs = Simulator::Now().GetNanoSeconds();
    if (m_skip)
    {
        m_skip->TouchAll();
    }
    for (uint32_t direction : {link, DcnTopology::Reverse(link)})
    {
        const Ptr<DcnPacketDevice>& device = m_devices[direction];
        if (rateBps == 0)
        {
            device->SetDown(nowNs);
            continue;
        }
        device->SetAttribute("DataRate", DataRateValue(DataRate(rateBps)));
        if (!device->IsHost())
        {
            static_cast<DcnSwitchDevice*>(PeekPointer(device))->FollowRate();
        }
    }
    for (uint32_t direction : {link, DcnTopology::Reverse(link)})
    {
        if (rateBps > 0 && m_devices[direction]->IsDown())
        {
            m_devices[direction]->SetUp(nowNs);
        }
    }
}

void
DcnPacketNetwork::MakeLink(uint32_t link)
{
    const DcnTopology& topology = *m_topology;
    const NodeContainer& nodes = topology.GetNodes();
    for (uint32_t direction : {link, DcnTopology::Reverse(link)})
    {
        const DcnLink& end = topology.GetLink(direction);
        Ptr<DcnPacketDevice> device;
        if (topology.IsHost(end.from))
        {
            device = CreateObject<DcnHostDevice>();
        }
        else
        {
            device = CreateObject<DcnSwitchDevice>();
        }
        device->SetAttribute("DataRate", DataRateValue(DataRate(end.rateBps)));
        device->SetNumber(direction);
        device->SetTimeGrain(m_config->timeGrainNs > 0);
        nodes.Get(end.from)->AddDevice(device);
        m_devices[direction] = device;
    }
    Ptr<DcnPacketChannel> channel = CreateObject<DcnPacketChannel>();
    channel->SetAttribute("Delay", TimeValue(NanoSeconds(topology.GetLink(link).delayNs)));
    channel->Connect(m_devices[link], m_devices[DcnTopology::Reverse(link)]);
}

void
DcnPacketNetwork::MakeSwitches(uint64_t hostRateBps)
{
    const DcnTopology& topology = *m_topology;
    const uint64_t seed = DcnMarking::MakeSeed(RngSeedManager::GetSeed(),
                                               RngSeedManager::GetRun(),
                                               static_cast<uint64_t>(m_stream));
    for (uint32_t node = 0; node < topology.GetNNodes(); ++node)
    {
        if (topology.IsHost(node))
        {
            continue;
        }
        if (topology.GetOutLinks(node).size() > DcnFrame::MAX_PORTS)
        {
            DcnFail("switch ",
                    topology.GetExternalId(node),
                    " has ",
                    topology.GetOutLinks(node).size(),
                    " ports, but a switch of the packet engine has at most ",
                    DcnFrame::MAX_PORTS);
        }
        std::vector<DcnSwitchDevice*> devices;
        std::vector<DcnPacketSwitch::Port> ports;
        for (uint32_t link : topology.GetOutLinks(node))
        {
            devices.push_back(static_cast<DcnSwitchDevice*>(PeekPointer(m_devices[link])));
            ports.push_back(
                {devices.back(),
                 devices.back()->GetRateBps(),
                 devices.back()->GetDelayNs(),
                 topology.IsHost(topology.GetLink(link).to)});
        }
        Ptr<DcnPacketSwitch> forwarder = CreateObject<DcnPacketSwitch>();
        forwarder->Configure(*m_config,
                             ports,
                             hostRateBps,
                             std::to_string(topology.GetExternalId(node)),
                             {m_telemetryQuantised,
                              m_losslessHeadroom,
                              GetMinFrameBytes(),
                              GetMaxFrameBytes(),
                              seed});
        for (std::size_t port = 0; port < devices.size(); ++port)
        {
            devices[port]->SetSwitch(PeekPointer(forwarder), static_cast<uint32_t>(port));
        }
        if (m_routing)
        {
            forwarder->SetLinkChoice(std::make_unique<DcnLinkChoice>(
                *m_config,
                *m_routing,
                node,
                seed,
                [this](uint32_t link) {
                    return static_cast<DcnSwitchDevice*>(PeekPointer(m_devices[link]));
                }));
        }
        m_switches.push_back(forwarder);
    }
}

void
DcnPacketNetwork::Start()
{
    if (m_nThreads > 0)
    {
        RefuseThreads("only DcnPacketNetwork::Run simulates with threads");
    }
    m_originNs = Simulator::Now().GetNanoSeconds();
    ScheduleStarts();
}

void
DcnPacketNetwork::ScheduleStarts()
{
    if (m_skip)
    {
        m_skip->Begin();
    }
    if (m_inFlightPerRack > 0)
    {
        m_loop = std::make_unique<DcnClosedLoop>(m_scenario->GetTopology().GetNRacks(),
                                                 m_inFlightPerRack);
    }
    for (std::size_t flow = 0; flow < m_scenario->GetFlows().size(); ++flow)
    {
        const uint32_t first = m_scenario->GetPath(flow)[0];
        const uint32_t partition = m_partitions.size() == 1 ? 0 : m_partitionOf[first];
        m_partitions[partition]->AddStart(flow, m_originNs + m_scenario->GetFlows()[flow].startNs);
    }
    for (const auto& partition : m_partitions)
    {
        partition->ScheduleStart();
    }
}

void
DcnPacketNetwork::CheckStopTime() const
{
    const auto& flows = m_scenario->GetFlows();
    if (!m_stopTime.IsZero() && !flows.empty() &&
        m_stopTime.GetNanoSeconds() <= flows.front().startNs)
    {
        DcnFail("StopTime is ",
                m_stopTime.GetNanoSeconds(),
                " ns, but the first flow starts at ",
                flows.front().startNs,
                " ns, so that nothing would be simulated: take a later one");
    }
}

void
DcnPacketNetwork::OnStart(DcnPacketPartition& partition, std::size_t flow, int64_t nowNs)
{
    const DcnFlow& begins = m_scenario->GetFlows()[flow];
    if (!m_loop || m_loop->Offer(m_scenario->GetTopology().GetRack(begins.src), nowNs - m_originNs))
    {
        BeginFlow(partition, flow, begins.sizeBytes, m_scenario->GetPath(flow), nowNs);
    }
}

DcnPacketNetwork::Ports
DcnPacketNetwork::FindPorts(DcnPath path) const
{
    const auto host = [this](uint32_t link) {
        return static_cast<DcnHostDevice*>(PeekPointer(m_devices[link]));
    };
    const auto port = [this](uint32_t link) {
        return static_cast<DcnSwitchDevice*>(PeekPointer(m_devices[link]));
    };
    Ports ports{host(path[0]), host(DcnTopology::Reverse(path[path.size() - 1])), {}, {}, 0};
    for (std::size_t hop = 1; hop < path.size(); ++hop) // all links but the first begin at switches
    {
        if (!m_routing)
        {
            ports.forward.push_back(port(path[hop]));
        }
        ports.reverse.push_back(port(DcnTopology::Reverse(path[path.size() - 1 - hop])));
    }
    ports.forward.push_back(nullptr);
    ports.reverse.push_back(nullptr);
    ports.rttNs = DcnBaseRttNs(*m_topology,
                               path,
                               m_config->payloadBytes + m_wireFormat.dataHeaderBytes,
                               m_wireFormat.ackBytes);
    return ports;
}

DcnPacketFlow*
DcnPacketNetwork::BeginFlow(DcnPacketPartition& partition,
                            std::size_t index,
                            uint64_t sizeBytes,
                            DcnPath path,
                            int64_t nowNs)
{
    if (m_partitions.size() == 1) // else nobody listens, and other threads read this
    {
        partition.isWatched = !m_flowControl.IsEmpty();
        partition.hasFirstPacketListener = !m_firstPacket.IsEmpty();
    }
    DcnPacketFlow* flow = partition.TakeFlow();
    Ports ports = FindPorts(path);
    DcnHostDevice* source = ports.source;
    const uint64_t limit = m_config->maxRate.GetBitRate();
    flow->Begin(index,
                GetFlow(index).id,
                sizeBytes,
                source->GetRateBps(),
                limit ? std::min(limit, source->GetRateBps()) : source->GetRateBps(),
                ports.rttNs,
                source,
                ports.sink,
                m_topology->GetLink(path[path.size() - 1]).to,
                std::move(ports.forward),
                std::move(ports.reverse),
                nowNs);
    flow->SetOrigin(flow->GetSource());
    NS_LOG_INFO("flow " << index << " of " << sizeBytes << " bytes starts, path of " << path.size()
                        << " links");
    if (m_skip && sizeBytes > 0)
    {
        m_skip->Touch(*flow); // a connection without messages changes nothing
    }
    if (sizeBytes == 0)
    {
        return flow; // a connection sends from its first message on
    }
    if (!m_flowStarted.IsEmpty())
    {
        m_flowStarted(Ptr<const DcnPacketFlow>(flow));
    }
    source->AddFlow(flow, nowNs);
    return flow;
}

void
DcnPacketNetwork::OnDelivered(const DcnPacketFlow& flow, int64_t nowNs)
{
    const int64_t fctNs = nowNs - flow.GetStartNs();
    m_fctNs[flow.GetIndex()] = fctNs;
    NS_LOG_INFO("flow " << flow.GetIndex() << " is delivered after " << fctNs << " ns, "
                        << flow.GetRetransmittedBytes() << " bytes retransmitted");
    if (!m_flowDelivered.IsEmpty())
    {
        m_flowDelivered(Ptr<const DcnPacketFlow>(&flow));
    }
}

void
DcnPacketNetwork::OnAcknowledged(const DcnPacketFlow& flow, int64_t nowNs)
{
    if (m_skip)
    {
        m_skip->Forget(flow);
    }
    if (m_loop)
    {
        // the loop numbers flows as they are offered: by flow index
        const std::size_t next = m_loop->Complete(flow.GetIndex(), nowNs - m_originNs);
        if (next != DcnClosedLoop::NONE)
        {
            BeginFlow(GetWhole(),
                      next,
                      m_scenario->GetFlows()[next].sizeBytes,
                      m_scenario->GetPath(next),
                      nowNs);
        }
    }
    if (!m_flowAcknowledged.IsEmpty())
    {
        m_flowAcknowledged(Ptr<const DcnPacketFlow>(&flow));
    }
}

int64_t
DcnPacketNetwork::GetReleaseNs(std::size_t flow) const
{
    if (flow >= GetNStarted())
    {
        return DcnClosedLoop::UNRELEASED;
    }
    return m_loop ? m_loop->GetReleaseNs(flow) : m_scenario->GetFlows()[flow].startNs;
}

int64_t
DcnPacketNetwork::GetLongestHopNs() const
{
    int64_t longestNs = 0;
    for (const auto& device : m_devices)
    {
        longestNs = std::max(longestNs,
                             device->GetDelayNs() +
                                 DcnSerializationNs(GetMaxFrameBytes(), device->GetRateBps()));
    }
    return longestNs;
}

uint32_t
DcnPacketNetwork::GetMaxFrameBytes() const
{
    return std::max(m_config->payloadBytes + m_wireFormat.dataHeaderBytes, m_wireFormat.ackBytes);
}

void
DcnPacketNetwork::Run()
{
    if (m_hasRun)
    {
        DcnFail("Run simulates a scenario once: make another network for another run");
    }
    m_hasRun = true;
    if (m_skips != (m_skip != nullptr))
    {
        DcnFail("Skip was changed after Install, which prepares the network for it: set it before");
    }
    if (m_cut && m_nThreads == 0)
    {
        DcnFail("SetPartitions is for threads, but Threads is 0: set Threads");
    }
    // work done, as a few long flows may take nearly all of it
    uint64_t allBytes = 0;
    for (const DcnFlow& flow : m_scenario->GetFlows())
    {
        allBytes += flow.sizeBytes;
    }
    DcnProgress progress("packet", allBytes, "B");

    /// Ends what belongs to a run, also where a listener throws.
    struct Guard
    {
        DcnPacketNetwork& network; //!< runs

        ~Guard()
        {
            network.m_watch.Cancel();
            network.m_stop.Cancel();
            network.m_progress = nullptr;
        }
    };

    const Guard guard{*this};
    m_progress = &progress;
    m_originNs = Simulator::Now().GetNanoSeconds();
    const int64_t stopTimeNs = m_stopTime.GetNanoSeconds();
    m_stopNs = stopTimeNs == 0 ? NEVER : m_originNs + stopTimeNs;
    std::exception_ptr failure; // ns-3 does not expect exceptions from events
    Simulator::ScheduleNow([this, &failure]() {
        try
        {
            OnRun();
        }
        catch (...)
        {
            failure = std::current_exception();
            Simulator::Stop();
        }
    });
    Simulator::Run();
    if (failure)
    {
        std::rethrow_exception(failure);
    }
    Resume(); // so that counters have what a skip left out
    m_endNs = (m_isCut ? m_stopNs : GetLastTransmissionNs()) - m_originNs;
    m_stopNs = NEVER;
    if (m_isCut && m_partitions.size() == 1)
    {
        FollowNs3(); // the user's simulation may go on
    }
}

void
DcnPacketNetwork::OnRun()
{
    // those with which nodes and devices start have run
    const bool hasOthers = DcnHasPendingEvents();
    const std::string whyOne = GetWhyOneThread(hasOthers);
    m_threadReport.nAsked = m_nThreads;
    m_threadReport.nThreads = std::min(m_nThreads, 1U);
    m_threadReport.nPartitions = 1;
    m_threadReport.lookaheadNs = DcnNetworkCut::NEVER;
    if (m_nThreads > 0 && whyOne.empty())
    {
        Cut();
    }
    else if (m_nThreads > 1)
    {
        m_threadReport.whyOne = whyOne;
    }
    // who listens asks ns-3 for the time, and other simulators take events from elsewhere
    if (!hasOthers && !HasListener() && !IsLogging() &&
        DynamicCast<DefaultSimulatorImpl>(Simulator::GetImplementation()))
    {
        for (const auto& partition : m_partitions)
        {
            partition->events.LeaveNs3();
        }
        ScheduleStarts();
        RunWindows();
        return;
    }
    ScheduleStarts();
    if (m_stopNs != NEVER)
    {
        m_stop = Simulator::Schedule(TimeStep(m_stopNs - m_originNs), [this]() {
            m_isCut = CanMove();
            Simulator::Stop();
        });
    }
    Watch(0);
}

void
DcnPacketNetwork::FollowNs3()
{
    GetWhole().events.FollowNs3([this](int64_t nowNs) { OnTurn(nowNs); });
}

void
DcnPacketNetwork::OnTurn(int64_t nowNs)
{
    DcnPacketPartition& whole = GetWhole();
    whole.RunTurn(nowNs, std::min(nowNs + 1, m_stopNs));
    if (!m_progress)
    {
        return;
    }
    DcnWindowEvents& list = whole.events.GetList();
    constexpr uint64_t LOOK_EVENTS = 65'536; // some milliseconds, and a clock is read in some 10 ns
    if (list.GetNEvents() - m_lookEvents >= LOOK_EVENTS)
    {
        m_lookEvents = list.GetNEvents();
        ShowProgress();
    }
    if (list.GetNextNs() == DcnWindowEvents::NEVER && whole.GetNAcknowledged() == m_fctNs.size())
    {
        Simulator::Stop();
    }
}

int64_t
DcnPacketNetwork::GetLastTransmissionNs() const
{
    int64_t lastNs = m_originNs + m_scenario->GetFlows().front().startNs;
    for (const auto& device : m_devices)
    {
        lastNs = std::max(lastNs, device->IsDown() ? lastNs : device->GetFreeAtNs());
    }
    return lastNs;
}

uint64_t
DcnPacketNetwork::GetDeliveredBytes() const
{
    uint64_t bytes = 0;
    for (const auto& partition : m_partitions)
    {
        bytes += partition->GetDeliveredBytes();
    }
    for (const auto& device : m_devices)
    {
        if (!device->IsHost())
        {
            continue;
        }
        for (const DcnPacketFlow* flow :
             static_cast<const DcnHostDevice*>(PeekPointer(device))->GetFlows())
        {
            // else it is complete
            bytes += flow->GetReceivedBytes() < flow->GetSizeBytes() ? flow->GetReceivedBytes() : 0;
        }
    }
    return bytes;
}

void
DcnPacketNetwork::ShowProgress() const
{
    if (!m_progress->IsDue())
    {
        return;
    }
    int64_t nowNs = m_originNs;
    for (const auto& partition : m_partitions)
    {
        nowNs = std::max(nowNs, partition->events.GetList().GetNowNs());
    }
    char remark[64];
    std::snprintf(remark,
                  sizeof(remark),
                  "at %.6g ms of simulated time",
                  1e-6 * static_cast<double>(nowNs - m_originNs));
    m_progress->Write(GetDeliveredBytes(), remark);
}

void
DcnPacketNetwork::SetPartitions(const std::vector<uint32_t>& partitions)
{
    if (!m_topology)
    {
        DcnFail("the partitions of a network are set after Install, which gives its nodes");
    }
    m_cut = std::make_unique<DcnNetworkCut>(
        DcnNetworkCut::ByNode(*m_topology, partitions, GetMinFrameBytes()));
}

std::string
DcnPacketNetwork::ThreadReport::Describe() const
{
    std::string text = std::to_string(nThreads) + (nThreads == 1 ? " thread" : " threads");
    if (nThreads < nAsked)
    {
        text += " (" + std::to_string(nAsked) + " were asked for";
        text += (whyOne.empty() ? "" : ", but " + whyOne) + ")";
    }
    text += ", " + std::to_string(nPartitions) + (nPartitions == 1 ? " partition" : " partitions");
    if (lookaheadNs != DcnNetworkCut::NEVER)
    {
        text += ", windows of " + std::to_string(lookaheadNs) + " ns";
    }
    return text;
}

void
DcnPacketNetwork::RefuseThreads(const std::string& why) const
{
    DcnFail("Threads is ", m_nThreads, ", but ", why, ": set Threads to 0");
}

std::string
DcnPacketNetwork::GetWhyOneThread(bool hasOthers) const
{
    if (m_skip)
    {
        return "Skip looks at all flows at the same time";
    }
    if (m_inFlightPerRack > 0)
    {
        return "in a closed loop an acknowledgement starts a flow elsewhere at once";
    }
    if (m_config->HasManyPaths())
    {
        return "with load_balancing switches share the state of flows";
    }
    if (m_config->selectiveRepeat)
    {
        return "with selective_repeat both ends of a flow share its state";
    }
    for (uint32_t link = 0; link < m_devices.size(); ++link)
    {
        const auto& device = m_devices[link];
        if (device->IsDown() || device->GetRateBps() != m_topology->GetLink(link).rateBps ||
            device->GetDelayNs() != m_topology->GetLink(link).delayNs)
        {
            return "link " + std::to_string(link) +
                   " has failed, or has another rate or delay than in the topology";
        }
    }
    if (HasListener() || IsLogging())
    {
        return "a trace source has a listener, or a log is written, one event after the other";
    }
    return hasOthers ? "other events of ns-3 are pending, which may depend on the packets" : "";
}

uint32_t
DcnPacketNetwork::GetMinFrameBytes() const
{
    uint32_t bytes = std::min(m_wireFormat.dataHeaderBytes + 1, m_wireFormat.ackBytes);
    return m_config->pfc ? std::min(bytes, DcnPacketSwitch::PFC_FRAME_BYTES) : bytes;
}

std::vector<uint64_t>
DcnPacketNetwork::CountFrames() const
{
    std::vector<uint64_t> arrivals(m_topology->GetNNodes(), 1);
    for (std::size_t i = 0; i < m_scenario->GetFlows().size(); ++i)
    {
        const uint64_t nPackets =
            1 + m_scenario->GetFlows()[i].sizeBytes / std::max<uint64_t>(1, m_config->payloadBytes);
        for (uint32_t link : m_scenario->GetPath(i))
        {
            arrivals[m_topology->GetLink(link).to] += nPackets;   // of packets
            arrivals[m_topology->GetLink(link).from] += nPackets; // of their acknowledgements
        }
    }
    return arrivals;
}

std::unique_ptr<DcnPacketPartition>
DcnPacketNetwork::MakePartition(uint32_t number, uint32_t nPartitions)
{
    auto partition = std::make_unique<DcnPacketPartition>(*m_partitioned,
                                                          number,
                                                          nPartitions,
                                                          GetLongestHopNs());
    partition->parameters = PeekPointer(m_config);
    partition->wireFormat = m_wireFormat;
    partition->nackIntervalNs = m_nackInterval.GetNanoSeconds();
    partition->retransmissionTimeoutNs = m_retransmissionTimeout.GetNanoSeconds();
    return partition;
}

DcnPacketPartition&
DcnPacketNetwork::GetWhole() const
{
    NS_ASSERT_MSG(m_partitions.size() == 1, "the network is cut");
    return *m_partitions[0];
}

void
DcnPacketNetwork::Cut()
{
    // one thread needs no windows; several share their work more evenly in smaller pieces
    constexpr uint32_t PER_THREAD = 4;
    const uint32_t nWanted = m_nPartitions > 0 ? m_nPartitions
                             : m_nThreads == 1 ? 1
                                               : std::min(PER_THREAD * m_nThreads, MAX_THREADS);
    if (!m_cut)
    {
        m_cut = std::make_unique<DcnNetworkCut>(
            DcnNetworkCut::ByWeight(*m_topology, CountFrames(), nWanted, GetMinFrameBytes()));
    }
    const uint32_t n = m_cut->GetNPartitions();
    m_threadReport.nPartitions = n;
    m_threadReport.nThreads = std::min(m_nThreads, n);
    m_threadReport.lookaheadNs = m_cut->GetLookaheadNs();
    if (n == 1)
    {
        return;
    }
    m_partitions.clear();
    m_partitionOf.resize(m_devices.size());
    for (uint32_t i = 0; i < n; ++i)
    {
        m_partitions.push_back(MakePartition(i, n));
        m_partitions.back()->events.SetPartitionOf(&m_partitionOf);
    }
    for (uint32_t link = 0; link < m_devices.size(); ++link)
    {
        m_partitionOf[link] = m_cut->GetPartition(m_topology->GetLink(link).from);
        DcnPacketPartition& partition = *m_partitions[m_partitionOf[link]];
        m_devices[link]->SetPool(&partition.pool, &partition.events);
    }
}

void
DcnPacketNetwork::RunWindows()
{
    std::vector<DcnWindowEvents*> events;
    std::vector<DcnFramePool*> pools;
    for (const auto& partition : m_partitions)
    {
        pools.push_back(&partition->pool);
        events.push_back(&partition->events.GetList());
    }
    // one partition has windows without end, but progress is shown between two of them
    constexpr int64_t LONGEST_WINDOW_NS = 1'000'000;
    DcnWindowLoop loop(
        events,
        std::min(m_threadReport.lookaheadNs, LONGEST_WINDOW_NS),
        std::max(m_threadReport.nThreads, 1U),
        m_sharedEvents,
        [&](uint32_t partition, int64_t endNs) { m_partitions[partition]->Run(endNs); },
        [this]() { ShowProgress(); });
    // timers of congestion controls would keep a simulation going that cannot move (see Watch)
    const int64_t waitNs = 100 * m_retransmissionTimeout.GetNanoSeconds();
    uint64_t hops = 0;
    for (int64_t untilNs = m_originNs + waitNs;;)
    {
        const int64_t nextNs = loop.Run(std::min(untilNs, m_stopNs));
        ShowProgress();
        DcnFramePool::Share(pools);
        const uint64_t now = GetDataPacketHops();
        if (nextNs == DcnWindowEvents::NEVER || (now == hops && !CanMove()))
        {
            break;
        }
        if (untilNs >= m_stopNs)
        {
            m_isCut = CanMove();
            break;
        }
        hops = now;
        untilNs = std::max(untilNs, nextNs) + waitNs;
    }
    int64_t lastNs = m_originNs;
    for (const DcnWindowEvents* each : events)
    {
        lastNs = std::max(lastNs, each->GetNowNs());
    }
    const DcnWindowLoop::Cost cost = loop.GetCost();
    m_threadReport.nWindows = cost.nWindows;
    m_threadReport.nEvents = cost.nEvents;
    m_threadReport.nPathEvents = cost.nPathEvents;
    for (const auto& partition : m_partitions)
    {
        partition->events.EndTurn(); // the time is ns-3's again: of the last event, or of the stop
    }
    Simulator::Stop(NanoSeconds((m_isCut ? m_stopNs : lastNs) - m_originNs));
}

bool
DcnPacketNetwork::HasListener() const
{
    return !m_flowStarted.IsEmpty() || !m_flowDelivered.IsEmpty() ||
           !m_flowAcknowledged.IsEmpty() || !m_firstPacket.IsEmpty() || !m_flowControl.IsEmpty() ||
           std::any_of(m_devices.begin(), m_devices.end(), [](const auto& device) {
               return device->HasListener();
           });
}

void
DcnPacketNetwork::Watch(uint64_t packetHops)
{
    const uint64_t now = GetDataPacketHops();
    if (now == packetHops && !CanMove())
    {
        Simulator::Stop();
        return;
    }
    ShowProgress();
    m_watch = Simulator::Schedule(TimeStep(100 * m_retransmissionTimeout.GetNanoSeconds()),
                                  &DcnPacketNetwork::Watch,
                                  this,
                                  now);
}

std::size_t
DcnPacketNetwork::GetNStarted() const
{
    std::size_t n = 0; // a partition starts its own flows in order: only the number counts
    for (const auto& partition : m_partitions)
    {
        n += partition->GetNStarted();
    }
    return n;
}

bool
DcnPacketNetwork::CanMove() const
{
    uint64_t nTravelling = 0;
    for (const auto& partition : m_partitions)
    {
        nTravelling += partition->pool.GetNTravelling(); // a frame may end elsewhere: modulo 2^64
    }
    if (GetNStarted() < m_fctNs.size() || nTravelling > 0)
    {
        return true;
    }
    for (const auto& device : m_devices)
    {
        if (device->IsWakePending())
        {
            return true;
        }
        if (auto host = DynamicCast<DcnHostDevice>(device))
        {
            for (const DcnPacketFlow* flow : host->GetFlows())
            {
                if (flow->IsTimeoutRunning())
                {
                    return true;
                }
            }
        }
    }
    return false;
}

std::map<std::string, uint64_t>
DcnPacketNetwork::GetUnfinished() const
{
    // flows with frames at ports of a circle of pauses, and at ports that are paused
    const DcnPauseCircle circle(*m_topology, m_devices);
    std::unordered_set<const DcnPacketFlow*> deadlocked;
    std::unordered_set<const DcnPacketFlow*> paused;
    for (uint32_t link = 0; link < m_devices.size(); ++link)
    {
        if (m_devices[link]->IsHost() || !m_devices[link]->IsPaused())
        {
            continue;
        }
        for (const DcnFrame* frame : m_devices[link]->GetWaiting())
        {
            if (!frame->highPriority) // pauses stop the data class only
            {
                (circle.IsInCore(link) ? deadlocked : paused).insert(frame->flow);
            }
        }
    }
    std::map<std::string, uint64_t> reasons;
    for (const auto& device : m_devices)
    {
        auto host = DynamicCast<DcnHostDevice>(device);
        if (!host)
        {
            continue;
        }
        for (const DcnPacketFlow* flow : host->GetFlows())
        {
            if (flow->GetReceivedBytes() < flow->GetSizeBytes())
            {
                const bool isPaused = host->IsPaused() || paused.count(flow) > 0;
                ++reasons[deadlocked.count(flow) > 0 ? "in a PFC deadlock"
                          : m_isCut                  ? "cut by stopTime"
                          : isPaused                 ? "waiting for a pause to end"
                          : flow->HasLost()          ? "lost packets"
                                                     : "in flight"];
            }
        }
    }
    if (m_loop)
    {
        for (uint32_t rack = 0; rack < m_scenario->GetTopology().GetNRacks(); ++rack)
        {
            if (const std::size_t waiting = m_loop->GetNWaiting(rack))
            {
                reasons["held back by the closed loop"] += waiting;
            }
        }
    }
    if (const std::size_t nStarted = GetNStarted(); nStarted < m_fctNs.size())
    {
        reasons["not started"] = m_fctNs.size() - nStarted;
    }
    return reasons;
}

std::string
DcnPacketNetwork::DescribeDeadlock() const
{
    return DcnPauseCircle(*m_topology, m_devices).Describe();
}

uint64_t
DcnPacketNetwork::GetDataPacketHops() const
{
    uint64_t hops = 0;
    for (const auto& device : m_devices)
    {
        hops += device->GetTxDataPackets();
    }
    return hops;
}

uint64_t
DcnPacketNetwork::GetNDropped() const
{
    uint64_t dropped = 0;
    for (const auto& forwarder : m_switches)
    {
        dropped += forwarder->GetNDropped();
    }
    return dropped;
}

uint64_t
DcnPacketNetwork::GetNLost() const
{
    uint64_t lost = 0;
    for (const auto& device : m_devices)
    {
        lost += device->GetNLost();
    }
    return lost;
}

uint64_t
DcnPacketNetwork::GetRetransmittedBytes() const
{
    uint64_t bytes = 0;
    for (const auto& partition : m_partitions)
    {
        bytes += partition->GetRetransmittedBytes();
    }
    return bytes;
}

uint64_t
DcnPacketNetwork::GetNPauses() const
{
    uint64_t pauses = 0;
    for (const auto& forwarder : m_switches)
    {
        pauses += forwarder->GetNPauses();
    }
    return pauses;
}

Ptr<NetDevice>
DcnPacketNetwork::GetDevice(uint32_t link) const
{
    return m_devices.at(link);
}

const std::vector<Ptr<DcnPacketSwitch>>&
DcnPacketNetwork::GetSwitches() const
{
    return m_switches;
}

int64_t
DcnPacketNetwork::AssignStreams(int64_t stream)
{
    m_stream = stream;
    return 1;
}

} // namespace ns3

/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "dcn-packet-network.h"

#include "dcn-packet-session.h"
#include "dcn-pause-circle.h"

#include "ns3/boolean.h"
#include "ns3/dcn-error.h"
#include "ns3/dcn-processes.h"
#include "ns3/dcn-progress.h"
#include "ns3/dcn-scenario-value.h"
#include "ns3/dcn-topology-value.h"
#include "ns3/default-simulator-impl.h"
#include "ns3/double.h"
#include "ns3/log.h"
#include "ns3/simulator.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <cstdio>
#include <exception>

namespace ns3
{

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

} // namespace

struct DcnPacketNetwork::Settings : DcnPacketSession::Settings
{
    static_assert(DcnPacketSession::Settings{}.skipTolerance == SKIP_TOLERANCE, "one default");
};

/// Calls the trace sources of the network.
class DcnPacketNetwork::Traces final : public DcnPacketListener
{
  public:
    /**
     * @param network the network, which owns this object
     */
    explicit Traces(DcnPacketNetwork& network)
        : m_network(network)
    {
    }

    void OnStarted(const DcnPacketFlow& flow) override
    {
        Call(m_network.m_flowStarted, flow);
    }

    void OnDelivered(const DcnPacketFlow& flow) override
    {
        Call(m_network.m_flowDelivered, flow);
    }

    void OnAcknowledged(const DcnPacketFlow& flow) override
    {
        Call(m_network.m_flowAcknowledged, flow);
    }

    void OnMessageDelivered(std::size_t connection, uint64_t message) override
    {
        m_network.m_messageDelivered(connection, message);
    }

    void OnMessageAcknowledged(std::size_t connection, uint64_t message) override
    {
        m_network.m_messageAcknowledged(connection, message);
    }

    void OnFirstPacket(const DcnPacketFlow& flow, std::size_t hop, uint64_t queueBytes) override
    {
        Call(m_network.m_firstPacket, flow, hop, queueBytes);
    }

    void OnControl(const DcnPacketFlow& flow, int64_t nowNs) override
    {
        Call(m_network.m_flowControl, flow, NanoSeconds(nowNs));
    }

    bool WantsFirstPackets() const override
    {
        return !m_network.m_firstPacket.IsEmpty();
    }

    bool WantsControl() const override
    {
        return !m_network.m_flowControl.IsEmpty();
    }

  private:
    /// Calls a trace source. Without listeners it must not count references: threads call it, too.
    template <class Trace, class... Args>
    static void Call(const Trace& trace, const DcnPacketFlow& flow, Args... args)
    {
        if (!trace.IsEmpty())
        {
            trace(Ptr<const DcnPacketFlow>(&flow), args...);
        }
    }

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
                          TimeValue(NanoSeconds(DcnPacketSession::Settings{}.nackIntervalNs)),
                          MakeTimeAccessor(&DcnPacketNetwork::m_nackInterval),
                          MakeTimeChecker(Time(0)))
            .AddAttribute(
                "RetransmissionTimeout",
                "A flow that has lost a frame retransmits from the first byte not "
                "acknowledged after this time without progress.",
                TimeValue(NanoSeconds(DcnPacketSession::Settings{}.retransmissionTimeoutNs)),
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
    : m_traces(std::make_unique<Traces>(*this))
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
    // a collector holds the network, and these hold the collector
    m_flowStarted = {};
    m_flowDelivered = {};
    m_flowAcknowledged = {};
    m_messageDelivered = {};
    m_messageAcknowledged = {};
    m_firstPacket = {};
    m_flowControl = {};
    m_listeners.clear();
    Object::DoDispose();
}

void
DcnPacketNetwork::Stop()
{
    m_watch.Cancel();
    m_stop.Cancel();
    if (m_session)
    {
        m_session->Stop();
    }
}

void
DcnPacketNetwork::Install(Ptr<const DcnScenario> scenario)
{
    NS_ASSERT_MSG(!m_session, "a DcnPacketNetwork is installed once");
    CheckStopTime(*scenario);
    m_session = std::make_unique<DcnPacketSession>(scenario, MakeSettings(), m_traces.get());
    m_scenario = scenario;
    m_topology = scenario->GetTopologyPtr();
    m_config = scenario->GetNetworkConfig();
    FollowNs3();
}

void
DcnPacketNetwork::Install(Ptr<const DcnTopology> topology, Ptr<const DcnNetworkConfig> network)
{
    NS_ASSERT_MSG(!m_session, "a DcnPacketNetwork is installed once");
    m_session =
        std::make_unique<DcnPacketSession>(topology, network, MakeSettings(), m_traces.get());
    m_topology = topology;
    m_config = network;
    FollowNs3();
}

DcnPacketNetwork::Settings
DcnPacketNetwork::MakeSettings() const
{
    if (Time::GetResolution() != Time::NS)
    {
        DcnFail("the packet engine counts in nanoseconds, but Time::SetResolution was called with "
                "another unit");
    }
    if (m_nThreads == 0 && (m_nPartitions > 0 || m_sharedEvents != SHARED_EVENTS))
    {
        DcnFail("Partitions and SharedEvents are for threads, but Threads is 0: set Threads, or "
                "none of them");
    }
    if (!m_skips && m_skipTolerance != SKIP_TOLERANCE)
    {
        DcnFail("SkipTolerance is ", m_skipTolerance, ", but Skip is false: set Skip, or neither");
    }
    Settings settings;
    settings.telemetryQuantised = m_telemetryQuantised;
    settings.losslessHeadroom = m_losslessHeadroom;
    settings.stream = m_stream;
    settings.nackIntervalNs = m_nackInterval.GetNanoSeconds();
    settings.retransmissionTimeoutNs = m_retransmissionTimeout.GetNanoSeconds();
    settings.skips = m_skips;
    settings.skipTolerance = m_skipTolerance;
    settings.inFlightPerRack = m_inFlightPerRack;
    return settings;
}

void
DcnPacketNetwork::Start()
{
    if (m_nThreads > 0)
    {
        RefuseThreads("only DcnPacketNetwork::Run simulates with threads");
    }
    CheckUnchanged();
    m_originNs = Simulator::Now().GetNanoSeconds();
    m_session->ScheduleStarts(m_originNs);
}

DcnPacketSession&
DcnPacketNetwork::GetSession() const
{
    if (!m_session)
    {
        DcnFail("a DcnPacketNetwork has no devices and flows before Install");
    }
    return *m_session;
}

void
DcnPacketNetwork::CheckUnchanged() const
{
    const DcnPacketSession::Settings& was = GetSession().GetSettings();
    const Settings now = MakeSettings();
    for (const auto& [name, isSame] :
         {std::pair("NackInterval", now.nackIntervalNs == was.nackIntervalNs),
          std::pair("RetransmissionTimeout",
                    now.retransmissionTimeoutNs == was.retransmissionTimeoutNs),
          std::pair("InFlightPerRack", now.inFlightPerRack == was.inFlightPerRack),
          std::pair("TelemetryQuantised", now.telemetryQuantised == was.telemetryQuantised),
          std::pair("LosslessHeadroom", now.losslessHeadroom == was.losslessHeadroom),
          std::pair("Skip", now.skips == was.skips),
          std::pair("SkipTolerance", now.skipTolerance == was.skipTolerance),
          std::pair("the stream of AssignStreams", now.stream == was.stream)})
    {
        if (!isSame)
        {
            DcnFail(name,
                    " was changed after Install, which prepares the network for it: set it before");
        }
    }
}

void
DcnPacketNetwork::CheckStopTime(const DcnScenario& scenario) const
{
    const auto& flows = scenario.GetFlows();
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
DcnPacketNetwork::Run()
{
    if (m_hasRun)
    {
        DcnFail("Run simulates a scenario once: make another network for another run");
    }
    CheckUnchanged();
    if (m_session->HasCut() && m_nThreads == 0)
    {
        DcnFail("SetPartitions is for threads, but Threads is 0: set Threads");
    }
    m_hasRun = true;
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
    m_endNs = (m_isCut ? m_stopNs : m_session->GetLastTransmissionNs()) - m_originNs;
    m_stopNs = NEVER;
    if (m_isCut && m_threadReport.nPartitions == 1)
    {
        FollowNs3(); // the user's simulation may go on
    }
}

void
DcnPacketNetwork::OnRun()
{
    // those with which nodes and devices start have run
    const bool hasOthers = DcnHasPendingEvents();
    const std::string whyTurns = GetWhyTurns(hasOthers);
    std::string whyOne = m_session->GetWhyOneThread();
    whyOne = whyOne.empty() ? whyTurns : whyOne;
    m_threadReport.nAsked = m_nThreads;
    m_threadReport.nThreads = std::min(m_nThreads, 1U);
    m_threadReport.nPartitions = 1;
    m_threadReport.lookaheadNs = NEVER;
    if (m_nThreads > 0 && whyOne.empty())
    {
        Cut();
    }
    else if (m_nThreads > 1)
    {
        m_threadReport.whyOne = whyOne;
    }
    if (whyTurns.empty())
    {
        m_session->LeaveNs3();
        m_session->ScheduleStarts(m_originNs);
        RunWindows();
        return;
    }
    m_session->ScheduleStarts(m_originNs);
    if (m_stopNs != NEVER)
    {
        m_stop = Simulator::Schedule(TimeStep(m_stopNs - m_originNs), [this]() {
            m_isCut = m_session->CanMove();
            Simulator::Stop();
        });
    }
    Watch(0);
}

void
DcnPacketNetwork::Cut()
{
    // one thread needs no windows; several share their work more evenly in smaller pieces
    constexpr uint32_t PER_THREAD = 4;
    m_threadReport.nPartitions =
        m_session->Cut(m_nPartitions > 0 ? m_nPartitions
                       : m_nThreads == 1 ? 1
                                         : std::min(PER_THREAD * m_nThreads, MAX_THREADS));
    m_threadReport.nThreads = std::min(m_nThreads, m_threadReport.nPartitions);
    m_threadReport.lookaheadNs = m_session->GetWindowNs();
}

void
DcnPacketNetwork::RunWindows()
{
    const DcnPacketSession::Windows windows =
        m_session->RunWindows(std::max(m_threadReport.nThreads, 1U),
                              m_sharedEvents,
                              m_stopNs,
                              [this]() { ShowProgress(); });
    m_session->EndTurns(); // of the last event, or of the stop
    m_isCut = windows.canMove;
    m_threadReport.nWindows = windows.cost.nWindows;
    m_threadReport.nEvents = windows.cost.nEvents;
    m_threadReport.nPathEvents = windows.cost.nPathEvents;
    Simulator::Stop(NanoSeconds((m_isCut ? m_stopNs : windows.lastNs) - m_originNs));
}

bool
DcnPacketNetwork::HasListener() const
{
    return !m_flowStarted.IsEmpty() || !m_flowDelivered.IsEmpty() ||
           !m_flowAcknowledged.IsEmpty() || !m_firstPacket.IsEmpty() || !m_flowControl.IsEmpty() ||
           m_session->GetNOtherTraces() > 0;
}

void
DcnPacketNetwork::FollowNs3()
{
    m_session->FollowNs3([this](int64_t nowNs) { OnTurn(nowNs); });
}

void
DcnPacketNetwork::OnTurn(int64_t nowNs)
{
    m_session->RunTurn(nowNs, std::min(nowNs + 1, m_stopNs));
    if (!m_progress)
    {
        return;
    }
    constexpr uint64_t LOOK_EVENTS = 65'536; // some milliseconds, and a clock is read in some 10 ns
    if (m_session->GetNEvents() - m_lookEvents >= LOOK_EVENTS)
    {
        m_lookEvents = m_session->GetNEvents();
        ShowProgress();
    }
    if (m_session->IsOver())
    {
        Simulator::Stop();
    }
}

void
DcnPacketNetwork::ShowProgress() const
{
    if (!m_progress->IsDue())
    {
        return;
    }
    char remark[64];
    std::snprintf(remark,
                  sizeof(remark),
                  "at %.6g ms of simulated time",
                  1e-6 * static_cast<double>(m_session->GetLatestNs() - m_originNs));
    m_progress->Write(GetDeliveredBytes(), remark);
}

void
DcnPacketNetwork::AddListener(std::shared_ptr<DcnPacketListener> listener)
{
    GetSession().AddListener(*listener);
    m_listeners.push_back(std::move(listener));
}

int64_t
DcnPacketNetwork::GetNowNs()
{
    return DcnPacketEvents::GetThreadNowNs();
}

void
DcnPacketNetwork::SetPartitions(const std::vector<uint32_t>& partitions)
{
    if (!m_topology)
    {
        DcnFail("the partitions of a network are set after Install, which gives its nodes");
    }
    m_session->SetPartitions(partitions);
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
    if (lookaheadNs != NEVER)
    {
        text += ", windows of " + std::to_string(lookaheadNs) + " ns";
    }
    return text;
}

void
DcnPacketNetwork::CheckAdds() const
{
    NS_ASSERT_MSG(m_session && !m_scenario, "flows come from the scenario");
    if (m_nThreads > 0)
    {
        RefuseThreads("flows are added one by one, which takes one thread");
    }
}

void
DcnPacketNetwork::RefuseThreads(const std::string& why) const
{
    DcnFail("Threads is ", m_nThreads, ", but ", why, ": set Threads to 0");
}

std::string
DcnPacketNetwork::GetWhyTurns(bool hasOthers) const
{
    if (HasListener() || IsLogging())
    {
        return "a trace source has a listener, or a log is written, one event after the other";
    }
    if (!DynamicCast<DefaultSimulatorImpl>(Simulator::GetImplementation()))
    {
        return "the simulator is not ns3::DefaultSimulatorImpl, and takes events from elsewhere";
    }
    return hasOthers ? "other events of ns-3 are pending, which may depend on the packets" : "";
}

void
DcnPacketNetwork::Watch(uint64_t packetHops)
{
    const uint64_t now = GetDataPacketHops();
    if (now == packetHops && !m_session->CanMove())
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

std::string
DcnPacketNetwork::DescribeDeadlock() const
{
    return DcnPauseCircle(*m_topology, GetSession().GetFabric().GetDevices()).Describe();
}

int64_t
DcnPacketNetwork::AssignStreams(int64_t stream)
{
    m_stream = stream;
    return 1;
}

std::size_t
DcnPacketNetwork::AddFlow(const DcnFlow& flow, DcnPath path)
{
    CheckAdds();
    return GetSession().AddFlow(flow, path);
}

std::size_t
DcnPacketNetwork::Connect(const DcnFlow& ends, DcnPath path)
{
    CheckAdds();
    return GetSession().Connect(ends, path);
}

void
DcnPacketNetwork::AddMessage(std::size_t connection, uint64_t bytes)
{
    GetSession().AddMessage(connection, bytes);
}

void
DcnPacketNetwork::MoveFlow(uint64_t id, DcnPath path)
{
    GetSession().MoveFlow(id, path);
}

void
DcnPacketNetwork::MoveConnection(std::size_t connection, DcnPath path)
{
    GetSession().MoveConnection(connection, path);
}

void
DcnPacketNetwork::ChangeLink(uint32_t link, uint64_t rateBps)
{
    GetSession().ChangeLink(link, rateBps);
}

void
DcnPacketNetwork::CheckPath(const DcnFlow& flow, DcnPath path) const
{
    DcnPacketFabric::CheckPath(*m_config, flow, path);
}

const DcnTopology&
DcnPacketNetwork::GetTopology() const
{
    return *m_topology;
}

const DcnFlow&
DcnPacketNetwork::GetFlow(std::size_t flow) const
{
    return GetSession().GetFlow(flow);
}

DcnPath
DcnPacketNetwork::GetPath(std::size_t flow) const
{
    return GetSession().GetPath(flow);
}

const std::vector<int64_t>&
DcnPacketNetwork::GetFctNs() const
{
    return GetSession().GetFctNs();
}

int64_t
DcnPacketNetwork::GetReleaseNs(std::size_t flow) const
{
    return GetSession().GetReleaseNs(flow);
}

std::map<std::string, uint64_t>
DcnPacketNetwork::GetUnfinished() const
{
    return GetSession().GetUnfinished(m_isCut);
}

uint64_t
DcnPacketNetwork::GetDeliveredBytes() const
{
    return GetSession().GetDeliveredBytes();
}

std::pair<int64_t, uint64_t>
DcnPacketNetwork::GetSkipped() const
{
    return GetSession().GetSkipped();
}

void
DcnPacketNetwork::Resume() const
{
    GetSession().Resume();
}

uint64_t
DcnPacketNetwork::GetDataPacketHops() const
{
    return GetSession().GetFabric().GetDataPacketHops();
}

uint64_t
DcnPacketNetwork::GetNDropped() const
{
    return GetSession().GetFabric().GetNDropped();
}

uint64_t
DcnPacketNetwork::GetNLost() const
{
    return GetSession().GetFabric().GetNLost();
}

uint64_t
DcnPacketNetwork::GetNPauses() const
{
    return GetSession().GetFabric().GetNPauses();
}

uint64_t
DcnPacketNetwork::GetRetransmittedBytes() const
{
    return GetSession().GetRetransmittedBytes();
}

Ptr<NetDevice>
DcnPacketNetwork::GetDevice(uint32_t link) const
{
    return GetSession().GetFabric().GetDevices().at(link);
}

const std::vector<Ptr<DcnPacketSwitch>>&
DcnPacketNetwork::GetSwitches() const
{
    return GetSession().GetFabric().GetSwitches();
}

} // namespace ns3

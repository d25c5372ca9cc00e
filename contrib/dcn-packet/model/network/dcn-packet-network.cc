/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "dcn-packet-network.h"

#include "dcn-packet-run.h"
#include "dcn-packet-session.h"
#include "dcn-pause-circle.h"

#include "ns3/boolean.h"
#include "ns3/dcn-error.h"
#include "ns3/dcn-scenario-value.h"
#include "ns3/dcn-topology-value.h"
#include "ns3/double.h"
#include "ns3/simulator.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <utility>

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(DcnPacketNetwork);

struct DcnPacketNetwork::Settings : DcnPacketSession::Settings
{
    static_assert(DcnPacketSession::Settings{}.skipTolerance == SKIP_TOLERANCE, "one default");
    static_assert(DcnPacketRun::MAX_THREADS == MAX_THREADS, "one limit");
};

TypeId
DcnPacketNetwork::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::DcnPacketNetwork")
            .SetParent<DcnPacketTraces>()
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
                          MakeDcnScenarioChecker());
    return tid;
}

DcnPacketNetwork::DcnPacketNetwork() = default;

DcnPacketNetwork::~DcnPacketNetwork()
{
    Stop();
}

void
DcnPacketNetwork::DoDispose()
{
    Stop();
    m_listeners.clear();
    DcnPacketTraces::DoDispose();
}

void
DcnPacketNetwork::Stop()
{
    if (m_run)
    {
        m_run->Cancel();
    }
    if (m_session)
    {
        m_session->Stop();
    }
}

void
DcnPacketNetwork::Install(Ptr<const DcnScenario> scenario)
{
    NS_ASSERT_MSG(!m_session, "a DcnPacketNetwork is installed once");
    DcnPacketRun::CheckStopTime(m_stopTime.GetNanoSeconds(), *scenario);
    m_session = std::make_unique<DcnPacketSession>(scenario, MakeSettings(), GetListener());
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
        std::make_unique<DcnPacketSession>(topology, network, MakeSettings(), GetListener());
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
    m_session->ScheduleStarts(Simulator::Now().GetNanoSeconds());
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
DcnPacketNetwork::Run()
{
    if (m_run)
    {
        DcnFail("Run simulates a scenario once: make another network for another run");
    }
    CheckUnchanged();
    if (m_session->GetPartitions().HasCut() && m_nThreads == 0)
    {
        DcnFail("SetPartitions is for threads, but Threads is 0: set Threads");
    }
    const DcnPacketRun::Settings settings{m_stopTime.GetNanoSeconds(),
                                          m_nThreads,
                                          m_nPartitions,
                                          m_sharedEvents};
    m_run = std::make_unique<DcnPacketRun>(*m_session, *m_scenario, settings, [this]() {
        return HasListener() || m_session->GetNOtherTraces() > 0;
    });
    m_run->Simulate();
    if (m_run->IsCut() && m_run->GetThreadReport().nPartitions == 1)
    {
        FollowNs3(); // the user's simulation may go on
    }
}

bool
DcnPacketNetwork::IsCut() const
{
    return m_run && m_run->IsCut();
}

int64_t
DcnPacketNetwork::GetEndNs() const
{
    return m_run ? m_run->GetEndNs() : 0;
}

DcnThreadReport
DcnPacketNetwork::GetThreadReport() const
{
    return m_run ? m_run->GetThreadReport() : DcnThreadReport();
}

void
DcnPacketNetwork::FollowNs3()
{
    m_session->FollowNs3([this](int64_t nowNs) {
        m_run ? m_run->RunTurn(nowNs) : m_session->RunTurn(nowNs, nowNs + 1);
    });
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
    m_session->GetPartitions().SetCut(partitions);
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
DcnPacketNetwork::HoldFlow(uint64_t id, uint32_t source)
{
    GetSession().HoldFlow(id, source);
}

void
DcnPacketNetwork::HoldConnection(std::size_t connection)
{
    GetSession().HoldConnection(connection);
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
    return GetSession().GetUnfinished(IsCut());
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
    return GetSession().GetPartitions().GetRetransmittedBytes();
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

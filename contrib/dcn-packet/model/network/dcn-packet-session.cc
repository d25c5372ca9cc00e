/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "dcn-packet-session.h"

#include "../engine/dcn-host-device.h"
#include "../skip/dcn-steady-skip.h"
#include "dcn-standstill.h"

#include "ns3/dcn-error.h"
#include "ns3/log.h"

#include <algorithm>

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("DcnPacketSession");

static_assert(DcnIsSession<DcnPacketSession>, "driven as other sessions");

namespace
{

/**
 * Refuses flows before there are devices.
 * @return hosts that send flows of a scenario
 */
std::vector<uint32_t>
GetSenders(const DcnScenario& scenario)
{
    DcnPacketEvents::CheckNumber(scenario.GetFlows().size(), DcnWindowEvent::MAX_NUMBER, "flows");
    std::vector<uint32_t> senders;
    for (std::size_t i = 0; i < scenario.GetFlows().size(); ++i)
    {
        const DcnFlow& flow = scenario.GetFlows()[i];
        DcnPacketFabric::CheckFlow(*scenario.GetNetworkConfig(), flow, scenario.GetPath(i));
        senders.push_back(flow.src);
    }
    return senders;
}

} // namespace

DcnPacketSession::DcnPacketSession(Ptr<const DcnTopology> topology,
                                   Ptr<const DcnNetworkConfig> config,
                                   const std::vector<uint32_t>& senders,
                                   const Settings& settings,
                                   DcnPacketListener* listener)
    : m_topology(topology),
      m_config(config),
      m_settings(settings),
      m_fabric(topology, config, senders, settings),
      m_partitions(static_cast<DcnPartitionedNetwork&>(*this),
                   m_listeners,
                   *topology,
                   *config,
                   m_fabric,
                   settings.nackIntervalNs,
                   settings.retransmissionTimeoutNs)
{
    if (listener)
    {
        AddListener(*listener);
    }
    DcnPacketPartition& whole = m_partitions.GetWhole();
    whole.events.LeaveNs3();
    whole.events.GetList().Advance(0);
    if (settings.skips)
    {
        DcnSteadySkip::CheckPossible(*config);
        m_skip = std::make_unique<DcnSteadySkip>(whole,
                                                 m_fabric.GetDevices(),
                                                 m_fabric.GetShortestPacketNs(),
                                                 m_fabric.GetMaxFrameBytes(),
                                                 settings.skipTolerance);
    }
}

DcnPacketSession::DcnPacketSession(Ptr<const DcnTopology> topology,
                                   Ptr<const DcnNetworkConfig> config,
                                   const Settings& settings,
                                   DcnPacketListener* listener)
    : DcnPacketSession(topology, config, topology->GetHosts(), settings, listener)
{
}

DcnPacketSession::DcnPacketSession(Ptr<const DcnScenario> scenario,
                                   const Settings& settings,
                                   DcnPacketListener* listener)
    : DcnPacketSession(scenario->GetTopologyPtr(),
                       scenario->GetNetworkConfig(),
                       GetSenders(*scenario),
                       settings,
                       listener)
{
    m_scenario = scenario;
    m_fctNs.assign(scenario->GetFlows().size(), -1);
}

DcnPacketSession::~DcnPacketSession()
{
    Stop();
}

void
DcnPacketSession::Stop()
{
    // the simulator may still hold turns, and the nodes hold the devices
    m_listeners.Clear();
    m_skip.reset();
    for (const auto& partition : m_partitions.GetAll())
    {
        partition->events.CancelAll();
    }
    m_fabric.Dispose();
}

void
DcnPacketSession::LeaveNs3()
{
    for (const auto& partition : m_partitions.GetAll())
    {
        partition->events.LeaveNs3();
    }
}

void
DcnPacketSession::EndTurns()
{
    for (const auto& partition : m_partitions.GetAll())
    {
        partition->events.EndTurn();
    }
}

void
DcnPacketSession::AdvanceTo(int64_t timeNs)
{
    DcnPacketPartition& whole = m_partitions.GetWhole();
    if (timeNs < GetNowNs() || timeNs == NEVER)
    {
        DcnFail("the session is at ", GetNowNs(), " ns: it cannot advance to ", timeNs, " ns");
    }
    whole.Run(timeNs + 1);
    whole.events.GetList().Advance(timeNs);
}

void
DcnPacketSession::Resume() const
{
    if (m_skip)
    {
        m_skip->ResumeAll();
    }
}

std::pair<int64_t, uint64_t>
DcnPacketSession::GetSkipped() const
{
    return m_skip ? std::pair(m_skip->GetSkippedNs(), m_skip->GetNSkips())
                  : std::pair<int64_t, uint64_t>(0, 0);
}

const DcnFlow&
DcnPacketSession::GetFlow(std::size_t flow) const
{
    return m_scenario ? m_scenario->GetFlows()[flow] : m_added[flow];
}

DcnPath
DcnPacketSession::GetPath(std::size_t flow) const
{
    return m_scenario ? m_scenario->GetPath(flow) : m_addedPaths.Get(flow);
}

std::size_t
DcnPacketSession::Append(const DcnFlow& flow, DcnPath path)
{
    NS_ASSERT_MSG(!m_scenario, "flows come from the scenario");
    if (m_skip)
    {
        m_skip->Begin(); // before the flow is there, since it may throw
    }
    DcnPacketFabric::CheckFlow(*m_config, flow, path);
    DcnPacketEvents::CheckNumber(m_added.size() + 1, DcnWindowEvent::MAX_NUMBER, "flows");
    m_added.push_back(flow);
    m_added.back().startNs = GetNowNs();
    m_addedPaths.Append({path.begin(), path.end()});
    m_fctNs.push_back(-1);
    return m_added.size() - 1;
}

std::size_t
DcnPacketSession::AddFlow(const DcnFlow& flow, DcnPath path)
{
    const std::size_t index = Append(flow, path);
    BeginFlow(m_partitions.GetWhole(), index, flow.sizeBytes, path, GetNowNs());
    return index;
}

std::size_t
DcnPacketSession::AddFlow(uint64_t id, DcnPath path, uint64_t bytes)
{
    return AddFlow({id,
                    m_topology->GetLink(path[0]).from,
                    m_topology->GetLink(path[path.size() - 1]).to,
                    bytes,
                    GetNowNs()},
                   path);
}

std::size_t
DcnPacketSession::Connect(const DcnFlow& ends, DcnPath path)
{
    const std::size_t index = Append(ends, path);
    m_connections[index] = BeginFlow(m_partitions.GetWhole(), index, 0, path, GetNowNs());
    return index;
}

void
DcnPacketSession::AddMessage(std::size_t connection, uint64_t bytes)
{
    const int64_t nowNs = GetNowNs();
    DcnPacketFlow* flow = m_connections.at(connection);
    if (m_skip)
    {
        m_skip->Begin();
    }
    // a connection with bytes to send goes on as before, unless packets become short
    const bool isShort = bytes < m_config->payloadBytes;
    if (m_skip && (isShort || flow->GetSender().GetNext() == flow->GetSizeBytes()))
    {
        m_skip->Touch(*flow);
    }
    const bool wasIdle = flow->AddMessage(bytes, nowNs);
    if (!m_held.empty() && m_held.count(connection) > 0)
    {
        return; // MoveConnection lets it go on
    }
    if (wasIdle)
    {
        flow->GetPath().source->AddFlow(flow, nowNs);
    }
    else if (!flow->GetPath().source->IsFrozen())
    {
        flow->GetPath().source->Kick(nowNs);
    }
    if (m_skip && isShort)
    {
        m_skip->Touch(*flow); // the bound of its frames has gone
    }
}

DcnPacketFlow*
DcnPacketSession::FindFlow(uint64_t id, uint32_t source) const
{
    for (uint32_t link : m_topology->GetOutLinks(source))
    {
        const auto* host = static_cast<DcnHostDevice*>(PeekPointer(m_fabric.GetDevices()[link]));
        for (DcnPacketFlow* flow : host->GetFlows())
        {
            if (m_added[flow->GetIndex()].id == id && m_connections.count(flow->GetIndex()) == 0)
            {
                return flow;
            }
        }
    }
    for (const auto& [index, flow] : m_held)
    {
        if (m_added[index].id == id && m_connections.count(index) == 0)
        {
            return flow;
        }
    }
    return nullptr;
}

void
DcnPacketSession::HoldFlow(uint64_t id, uint32_t source)
{
    if (DcnPacketFlow* flow = FindFlow(id, source))
    {
        Hold(flow);
    }
}

void
DcnPacketSession::HoldConnection(std::size_t connection)
{
    Hold(m_connections.at(connection));
}

void
DcnPacketSession::Hold(DcnPacketFlow* flow)
{
    if (m_skip)
    {
        m_skip->TouchAll();
        m_skip->Forget(*flow);
    }
    flow->GetPath().source->RemoveFlow(flow);
    m_held[flow->GetIndex()] = flow;
}

void
DcnPacketSession::MoveFlow(uint64_t id, DcnPath path)
{
    if (DcnPacketFlow* flow = FindFlow(id, m_topology->GetLink(path[0]).from))
    {
        Move(flow, path);
    }
}

void
DcnPacketSession::MoveConnection(std::size_t connection, DcnPath path)
{
    Move(m_connections.at(connection), path);
}

void
DcnPacketSession::Move(DcnPacketFlow* flow, DcnPath path)
{
    const int64_t nowNs = GetNowNs();
    if (m_skip)
    {
        m_skip->TouchAll();
        m_skip->Forget(*flow); // on its path
    }
    if (m_held.erase(flow->GetIndex()) > 0)
    {
        flow->Resume(m_fabric.FindPath(path), nowNs);
        if (flow->GetSender().GetUnacknowledged() < flow->GetSizeBytes())
        {
            flow->GetPath().source->AddFlow(flow, nowNs);
            if (m_skip)
            {
                m_skip->Touch(*flow);
            }
        }
        return;
    }
    DcnHostDevice* before = flow->GetPath().source;
    const auto& sending = before->GetFlows(); // an idle connection is in no list
    const bool isSending = std::find(sending.begin(), sending.end(), flow) != sending.end();
    flow->Move(m_fabric.FindPath(path), nowNs);
    if (isSending && before != flow->GetPath().source)
    {
        before->RemoveFlow(flow);
        flow->GetPath().source->AddFlow(flow, nowNs);
    }
    if (m_skip && isSending)
    {
        m_skip->Touch(*flow);
    }
}

void
DcnPacketSession::ChangeLink(uint32_t link, uint64_t rateBps)
{
    if (m_skip)
    {
        m_skip->TouchAll();
    }
    m_fabric.ChangeLink(link, rateBps, GetNowNs());
}

void
DcnPacketSession::ScheduleStarts(int64_t originNs)
{
    m_originNs = originNs;
    if (m_skip)
    {
        m_skip->Begin();
    }
    if (m_settings.inFlightPerRack > 0)
    {
        m_loop = std::make_unique<DcnClosedLoop>(m_topology->GetNRacks(),
                                                 m_settings.inFlightPerRack,
                                                 m_scenario->GetFlows().size());
    }
    for (std::size_t flow = 0; flow < m_scenario->GetFlows().size(); ++flow)
    {
        GetPartitionOf(flow).AddStart(flow, m_originNs + m_scenario->GetFlows()[flow].startNs);
    }
    for (const auto& partition : m_partitions.GetAll())
    {
        partition->ScheduleStart();
    }
}

void
DcnPacketSession::OnStart(DcnPacketPartition& partition, std::size_t flow, int64_t nowNs)
{
    const DcnFlow& begins = m_scenario->GetFlows()[flow];
    if (!m_loop || m_loop->Offer(flow, m_topology->GetRack(begins.src), nowNs - m_originNs))
    {
        BeginFlow(partition, flow, begins.sizeBytes, m_scenario->GetPath(flow), nowNs);
    }
}

DcnPacketFlow*
DcnPacketSession::BeginFlow(DcnPacketPartition& partition,
                            std::size_t index,
                            uint64_t sizeBytes,
                            DcnPath path,
                            int64_t nowNs)
{
    if (m_partitions.IsWhole()) // else other threads read this; nobody comes meanwhile
    {
        FollowListeners(partition);
    }
    DcnPacketFlow* flow = partition.TakeFlow();
    DcnFlowPath links = m_fabric.FindPath(path);
    DcnHostDevice* source = links.source;
    const uint64_t limit = m_config->maxRate.GetBitRate();
    flow->Begin(index,
                GetFlow(index).id,
                sizeBytes,
                source->GetRateBps(),
                limit ? std::min(limit, source->GetRateBps()) : source->GetRateBps(),
                m_topology->GetLink(path[path.size() - 1]).to,
                std::move(links),
                nowNs);
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
    m_listeners.OnStarted(*flow);
    source->AddFlow(flow, nowNs);
    return flow;
}

void
DcnPacketSession::FollowListeners(DcnPacketPartition& partition) const
{
    partition.isWatched = m_listeners.WantsControl();
    partition.hasFirstPacketListener = m_listeners.WantsFirstPackets();
}

uint32_t
DcnPacketSession::GetNOtherTraces() const
{
    const uint32_t n = m_fabric.GetNListeners();
    return n - std::min(n, m_listeners.GetNTraces());
}

DcnPacketPartition&
DcnPacketSession::OnDelivered(const DcnPacketFlow& flow, int64_t nowNs)
{
    const int64_t fctNs = nowNs - flow.GetStartNs();
    m_fctNs[flow.GetIndex()] = fctNs;
    NS_LOG_INFO("flow " << flow.GetIndex() << " is delivered after " << fctNs << " ns, "
                        << flow.GetRetransmittedBytes() << " bytes retransmitted");
    m_listeners.OnDelivered(flow);
    return m_partitions.GetOfNode(flow.GetDestination());
}

void
DcnPacketSession::OnAcknowledged(const DcnPacketFlow& flow, int64_t nowNs)
{
    if (!m_held.empty())
    {
        m_held.erase(flow.GetIndex());
    }
    if (m_skip)
    {
        m_skip->Forget(flow);
    }
    if (m_loop)
    {
        const std::size_t next = m_loop->Complete(flow.GetIndex(), nowNs - m_originNs);
        if (next != DcnClosedLoop::NONE)
        {
            BeginFlow(GetPartitionOf(next), // this one: a partition has whole racks
                      next,
                      m_scenario->GetFlows()[next].sizeBytes,
                      m_scenario->GetPath(next),
                      nowNs);
        }
    }
    m_listeners.OnAcknowledged(flow);
}

void
DcnPacketSession::OnLook(uint64_t number)
{
    m_skip->OnLook(number);
}

int64_t
DcnPacketSession::GetReleaseNs(std::size_t flow) const
{
    if (flow >= GetNStarted())
    {
        return DcnClosedLoop::UNRELEASED;
    }
    return m_loop ? m_loop->GetReleaseNs(flow) : GetFlow(flow).startNs;
}

std::string
DcnPacketSession::GetWhyOneThread() const
{
    if (m_skip)
    {
        return "Skip looks at all flows at the same time";
    }
    const std::string why = m_listeners.GetWhyOneThread();
    if (!why.empty())
    {
        return why;
    }
    for (uint32_t rack = 0; m_settings.inFlightPerRack > 0 && rack < m_topology->GetNRacks();
         ++rack)
    {
        if (m_partitions.IsDivided(m_topology->GetRackHosts(rack)))
        {
            return "in a closed loop an acknowledgement starts a flow of another host of the rack "
                   "at once, but SetPartitions divides a rack";
        }
    }
    return "";
}

DcnPacketPartition&
DcnPacketSession::GetPartitionOf(std::size_t flow) const
{
    return m_partitions.GetOfLink(GetPath(flow)[0]);
}

uint32_t
DcnPacketSession::Cut(uint32_t nWanted)
{
    const std::string why = GetWhyOneThread();
    if (!why.empty())
    {
        DcnFail("the network cannot be cut into partitions: ", why);
    }
    return m_partitions.Cut(*m_scenario, nWanted);
}

DcnPacketSession::Windows
DcnPacketSession::RunWindows(uint32_t nThreads,
                             uint64_t sharedEvents,
                             int64_t untilNs,
                             const std::function<void()>& show)
{
    for (const auto& partition : m_partitions.GetAll())
    {
        FollowListeners(*partition);
    }
    DcnWindowLoop loop = m_partitions.MakeLoop(nThreads, sharedEvents, show);
    // timers of congestion controls would keep a simulation going that cannot move
    // (DcnPacketRun::Watch)
    const int64_t waitNs = GetWatchNs();
    uint64_t hops = 0;
    bool canMove = false;
    for (int64_t pauseNs = m_originNs + waitNs;;)
    {
        const int64_t nextNs = loop.Run(std::min(pauseNs, untilNs));
        show();
        m_partitions.ShareFrames();
        const uint64_t now = m_fabric.GetDataPacketHops();
        if (nextNs == NEVER || (now == hops && !CanMove()))
        {
            break;
        }
        if (pauseNs >= untilNs)
        {
            canMove = CanMove();
            break;
        }
        hops = now;
        pauseNs = std::max(pauseNs, nextNs) + waitNs;
    }
    return {GetLatestNs(), canMove, loop.GetCost()};
}

int64_t
DcnPacketSession::GetLatestNs() const
{
    return std::max(m_originNs, m_partitions.GetLatestNs());
}

int64_t
DcnPacketSession::GetLastTransmissionNs() const
{
    return m_fabric.GetLastTransmissionNs(
        m_originNs + (m_scenario ? m_scenario->GetFlows().front().startNs : 0));
}

bool
DcnPacketSession::IsOver()
{
    return GetNextEventNs() == NEVER &&
           m_partitions.GetWhole().GetNAcknowledged() + m_connections.size() == m_fctNs.size();
}

std::size_t
DcnPacketSession::GetNStarted() const
{
    if (!m_scenario)
    {
        return m_fctNs.size(); // flows start as they are added
    }
    // a partition starts its own flows in order: only the number counts
    return m_partitions.GetNStarted();
}

bool
DcnPacketSession::CanMove() const
{
    return GetNStarted() < m_fctNs.size() || m_partitions.HasTravelling() ||
           DcnStandstill(*m_topology, m_fabric.GetDevices()).WillMove();
}

uint64_t
DcnPacketSession::GetDeliveredBytes() const
{
    return m_partitions.GetDeliveredBytes() +
           DcnStandstill(*m_topology, m_fabric.GetDevices()).GetReceivedBytes();
}

std::map<std::string, uint64_t>
DcnPacketSession::GetUnfinished(bool isCut) const
{
    auto reasons = DcnStandstill(*m_topology, m_fabric.GetDevices()).CountByReason(isCut);
    for (uint32_t rack = 0; m_loop && rack < m_topology->GetNRacks(); ++rack)
    {
        if (const std::size_t waiting = m_loop->GetNWaiting(rack))
        {
            reasons["held back by the closed loop"] += waiting;
        }
    }
    if (const std::size_t nStarted = GetNStarted(); nStarted < m_fctNs.size())
    {
        reasons["not started"] = m_fctNs.size() - nStarted;
    }
    return reasons;
}

} // namespace ns3

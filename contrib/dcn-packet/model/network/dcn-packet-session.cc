/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "dcn-packet-session.h"

#include "../congestion/dcn-replayable-control.h"
#include "../engine/dcn-host-device.h"
#include "../engine/dcn-packet-device.h"
#include "../engine/dcn-steady-skip.h"
#include "../windows/dcn-network-cut.h"
#include "dcn-pause-circle.h"

#include "ns3/dcn-error.h"
#include "ns3/log.h"

#include <algorithm>
#include <unordered_set>

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
      m_fabric(topology, config, senders, settings)
{
    if (listener)
    {
        AddListener(*listener);
    }
    m_partitions.push_back(MakePartition(0, 1));
    for (const auto& device : m_fabric.GetDevices())
    {
        device->SetPool(&m_partitions[0]->pool, &m_partitions[0]->events);
    }
    GetWhole().events.LeaveNs3();
    GetWhole().events.GetList().Advance(0);
    if (settings.skips)
    {
        MakeSkip(settings.skipTolerance);
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
    m_listeners.clear();
    m_skip.reset();
    for (const auto& partition : m_partitions)
    {
        partition->events.CancelAll();
    }
    m_fabric.Dispose();
}

void
DcnPacketSession::LeaveNs3()
{
    for (const auto& partition : m_partitions)
    {
        partition->events.LeaveNs3();
    }
}

void
DcnPacketSession::EndTurns()
{
    for (const auto& partition : m_partitions)
    {
        partition->events.EndTurn();
    }
}

void
DcnPacketSession::AdvanceTo(int64_t timeNs)
{
    DcnPacketPartition& whole = GetWhole();
    if (timeNs < GetNowNs() || timeNs == NEVER)
    {
        DcnFail("the session is at ", GetNowNs(), " ns: it cannot advance to ", timeNs, " ns");
    }
    whole.Run(timeNs + 1);
    whole.events.GetList().Advance(timeNs);
}

void
DcnPacketSession::MakeSkip(double tolerance)
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
    const auto control = DcnCongestionControl::Create(*m_config, 1'000'000'000, 1);
    if (!control->AsReplayable() || !control->AsReplayable()->Translate({0, 0, nullptr, false}))
    {
        DcnFail("Skip needs DcnReplayableControl::Translate, but ",
                m_config->congestionControl,
                " does not have it: take Skip=false, or another congestion control");
    }
    m_skip = std::make_unique<DcnSteadySkip>(GetWhole(),
                                             m_fabric.GetDevices(),
                                             m_fabric.GetShortestPacketNs(),
                                             m_fabric.GetMaxFrameBytes(),
                                             tolerance);
}

std::unique_ptr<DcnPacketPartition>
DcnPacketSession::MakePartition(uint32_t number, uint32_t nPartitions)
{
    auto partition =
        std::make_unique<DcnPacketPartition>(static_cast<DcnPartitionedNetwork&>(*this),
                                             number,
                                             nPartitions,
                                             m_fabric.GetLongestHopNs());
    partition->parameters = PeekPointer(m_config);
    partition->wireFormat = m_fabric.GetWireFormat();
    partition->nackIntervalNs = m_settings.nackIntervalNs;
    partition->retransmissionTimeoutNs = m_settings.retransmissionTimeoutNs;
    return partition;
}

DcnPacketPartition&
DcnPacketSession::GetWhole() const
{
    NS_ASSERT_MSG(m_partitions.size() == 1, "the network is cut");
    return *m_partitions[0];
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
    BeginFlow(GetWhole(), index, flow.sizeBytes, path, GetNowNs());
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
    m_connections[index] = BeginFlow(GetWhole(), index, 0, path, GetNowNs());
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
DcnPacketSession::MoveFlow(uint64_t id, DcnPath path)
{
    for (uint32_t link : m_topology->GetOutLinks(m_topology->GetLink(path[0]).from))
    {
        const auto* host = static_cast<DcnHostDevice*>(PeekPointer(m_fabric.GetDevices()[link]));
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
    DcnPacketFabric::Ports ports = m_fabric.FindPorts(path);
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
    for (const auto& partition : m_partitions)
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
    if (m_partitions.size() == 1) // else other threads read this; nobody comes meanwhile
    {
        FollowListeners(partition);
    }
    DcnPacketFlow* flow = partition.TakeFlow();
    DcnPacketFabric::Ports ports = m_fabric.FindPorts(path);
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
    for (DcnPacketListener* listener : m_listeners)
    {
        listener->OnStarted(*flow);
    }
    source->AddFlow(flow, nowNs);
    return flow;
}

void
DcnPacketSession::FollowListeners(DcnPacketPartition& partition) const
{
    const auto wants = [this](bool (DcnPacketListener::*what)() const) {
        return std::any_of(m_listeners.begin(), m_listeners.end(), [what](const auto* listener) {
            return (listener->*what)();
        });
    };
    partition.isWatched = wants(&DcnPacketListener::WantsControl);
    partition.hasFirstPacketListener = wants(&DcnPacketListener::WantsFirstPackets);
}

uint32_t
DcnPacketSession::GetNOtherTraces() const
{
    uint32_t n = m_fabric.GetNListeners();
    for (const DcnPacketListener* listener : m_listeners)
    {
        n -= std::min(n, listener->GetNTraces());
    }
    return n;
}

DcnPacketPartition&
DcnPacketSession::OnDelivered(const DcnPacketFlow& flow, int64_t nowNs)
{
    const int64_t fctNs = nowNs - flow.GetStartNs();
    m_fctNs[flow.GetIndex()] = fctNs;
    NS_LOG_INFO("flow " << flow.GetIndex() << " is delivered after " << fctNs << " ns, "
                        << flow.GetRetransmittedBytes() << " bytes retransmitted");
    for (DcnPacketListener* listener : m_listeners)
    {
        listener->OnDelivered(flow);
    }
    return *m_partitions[m_partitions.size() == 1 ? 0 : m_cut->GetPartition(flow.GetDestination())];
}

void
DcnPacketSession::OnAcknowledged(const DcnPacketFlow& flow, int64_t nowNs)
{
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
    for (DcnPacketListener* listener : m_listeners)
    {
        listener->OnAcknowledged(flow);
    }
}

void
DcnPacketSession::OnMessageDelivered(const DcnPacketFlow& connection, uint64_t message)
{
    for (DcnPacketListener* listener : m_listeners)
    {
        listener->OnMessageDelivered(connection.GetIndex(), message);
    }
}

void
DcnPacketSession::OnMessageAcknowledged(const DcnPacketFlow& connection, uint64_t message)
{
    for (DcnPacketListener* listener : m_listeners)
    {
        listener->OnMessageAcknowledged(connection.GetIndex(), message);
    }
}

void
DcnPacketSession::OnFirstPacket(const DcnPacketFlow& flow, std::size_t hop, uint64_t queueBytes)
{
    for (DcnPacketListener* listener : m_listeners)
    {
        listener->OnFirstPacket(flow, hop, queueBytes);
    }
}

void
DcnPacketSession::OnControl(const DcnPacketFlow& flow, int64_t nowNs)
{
    for (DcnPacketListener* listener : m_listeners)
    {
        listener->OnControl(flow, nowNs);
    }
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

void
DcnPacketSession::SetPartitions(const std::vector<uint32_t>& partitions)
{
    m_cut = std::make_unique<DcnNetworkCut>(
        DcnNetworkCut::ByNode(*m_topology, m_fabric.GetHopNs(), partitions));
}

std::string
DcnPacketSession::GetWhyOneThread() const
{
    if (m_skip)
    {
        return "Skip looks at all flows at the same time";
    }
    for (const DcnPacketListener* listener : m_listeners)
    {
        const std::string why = listener->GetWhyOneThread();
        if (!why.empty())
        {
            return why;
        }
    }
    for (uint32_t rack = 0;
         m_settings.inFlightPerRack > 0 && m_cut && rack < m_topology->GetNRacks();
         ++rack)
    {
        const auto& hosts = m_topology->GetRackHosts(rack);
        if (std::any_of(hosts.begin(), hosts.end(), [&](uint32_t host) {
                return m_cut->GetPartition(host) != m_cut->GetPartition(hosts.front());
            }))
        {
            return "in a closed loop an acknowledgement starts a flow of another host of the rack "
                   "at "
                   "once, but SetPartitions divides a rack";
        }
    }
    return "";
}

DcnPacketPartition&
DcnPacketSession::GetPartitionOf(std::size_t flow) const
{
    return *m_partitions[m_partitions.size() == 1 ? 0 : m_partitionOf[GetPath(flow)[0]]];
}

int64_t
DcnPacketSession::FindWindowNs() const
{
    int64_t windowNs = m_cut->GetLookaheadNs();
    // The sender learns of a drop a round trip of its own path later. It is no shorter than the way
    // back from where that was, unless the packet has left the path.
    for (std::size_t i = 0; m_config->HasManyPaths() && i < m_scenario->GetFlows().size(); ++i)
    {
        windowNs = std::min(windowNs, m_fabric.FindPorts(m_scenario->GetPath(i)).rttNs);
    }
    return windowNs;
}

std::vector<uint64_t>
DcnPacketSession::CountFrames() const
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

uint32_t
DcnPacketSession::Cut(uint32_t nWanted)
{
    const std::string why = GetWhyOneThread();
    if (!why.empty())
    {
        DcnFail("the network cannot be cut into partitions: ", why);
    }
    if (!m_cut)
    {
        m_cut = std::make_unique<DcnNetworkCut>(
            DcnNetworkCut::ByWeight(*m_topology, m_fabric.GetHopNs(), CountFrames(), nWanted));
    }
    const uint32_t n = m_cut->GetNPartitions();
    if (n == 1)
    {
        return n;
    }
    m_windowNs = FindWindowNs();
    m_partitions.clear();
    m_partitionOf.resize(m_fabric.GetDevices().size());
    for (uint32_t i = 0; i < n; ++i)
    {
        m_partitions.push_back(MakePartition(i, n));
        m_partitions.back()->events.SetPartitionOf(&m_partitionOf);
    }
    for (uint32_t link = 0; link < m_fabric.GetDevices().size(); ++link)
    {
        m_partitionOf[link] = m_cut->GetPartition(m_topology->GetLink(link).from);
        DcnPacketPartition& partition = *m_partitions[m_partitionOf[link]];
        m_fabric.GetDevices()[link]->SetPool(&partition.pool, &partition.events);
    }
    return n;
}

DcnPacketSession::Windows
DcnPacketSession::RunWindows(uint32_t nThreads,
                             uint64_t sharedEvents,
                             int64_t untilNs,
                             const std::function<void()>& show)
{
    std::vector<DcnWindowEvents*> events;
    std::vector<DcnFramePool*> pools;
    for (const auto& partition : m_partitions)
    {
        FollowListeners(*partition);
        pools.push_back(&partition->pool);
        events.push_back(&partition->events.GetList());
    }
    // one partition has windows without end, but progress is shown between two of them
    constexpr int64_t LONGEST_WINDOW_NS = 1'000'000;
    DcnWindowLoop loop(
        events,
        std::min(m_windowNs, LONGEST_WINDOW_NS),
        nThreads,
        sharedEvents,
        [&](uint32_t partition, int64_t endNs) { m_partitions[partition]->Run(endNs); },
        show);
    // timers of congestion controls would keep a simulation going that cannot move
    // (DcnPacketNetwork::Watch)
    const int64_t waitNs = 100 * m_settings.retransmissionTimeoutNs;
    uint64_t hops = 0;
    bool canMove = false;
    for (int64_t pauseNs = m_originNs + waitNs;;)
    {
        const int64_t nextNs = loop.Run(std::min(pauseNs, untilNs));
        show();
        DcnFramePool::Share(pools);
        const uint64_t now = m_fabric.GetDataPacketHops();
        if (nextNs == DcnWindowEvents::NEVER || (now == hops && !CanMove()))
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
    int64_t latestNs = m_originNs;
    for (const auto& partition : m_partitions)
    {
        latestNs = std::max(latestNs, partition->events.GetList().GetNowNs());
    }
    return latestNs;
}

uint64_t
DcnPacketSession::GetNEvents() const
{
    uint64_t n = 0;
    for (const auto& partition : m_partitions)
    {
        n += partition->events.GetList().GetNEvents();
    }
    return n;
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
           GetWhole().GetNAcknowledged() + m_connections.size() == m_fctNs.size();
}

std::size_t
DcnPacketSession::GetNStarted() const
{
    if (!m_scenario)
    {
        return m_fctNs.size(); // flows start as they are added
    }
    std::size_t n = 0; // a partition starts its own flows in order: only the number counts
    for (const auto& partition : m_partitions)
    {
        n += partition->GetNStarted();
    }
    return n;
}

bool
DcnPacketSession::CanMove() const
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
    for (const auto& device : m_fabric.GetDevices())
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

uint64_t
DcnPacketSession::GetDeliveredBytes() const
{
    uint64_t bytes = 0;
    for (const auto& partition : m_partitions)
    {
        bytes += partition->GetDeliveredBytes();
    }
    for (const auto& device : m_fabric.GetDevices())
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

uint64_t
DcnPacketSession::GetRetransmittedBytes() const
{
    uint64_t bytes = 0;
    for (const auto& partition : m_partitions)
    {
        bytes += partition->GetRetransmittedBytes();
    }
    return bytes;
}

std::map<std::string, uint64_t>
DcnPacketSession::GetUnfinished(bool isCut) const
{
    // flows with frames at ports of a circle of pauses, and at ports that are paused
    const DcnPauseCircle circle(*m_topology, m_fabric.GetDevices());
    std::unordered_set<const DcnPacketFlow*> deadlocked;
    std::unordered_set<const DcnPacketFlow*> paused;
    for (uint32_t link = 0; link < m_fabric.GetDevices().size(); ++link)
    {
        if (m_fabric.GetDevices()[link]->IsHost() || !m_fabric.GetDevices()[link]->IsPaused())
        {
            continue;
        }
        for (const DcnFrame* frame : m_fabric.GetDevices()[link]->GetWaiting())
        {
            if (!frame->highPriority) // pauses stop the data class only
            {
                (circle.IsInCore(link) ? deadlocked : paused).insert(frame->flow);
            }
        }
    }
    std::map<std::string, uint64_t> reasons;
    for (const auto& device : m_fabric.GetDevices())
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
                          : isCut                    ? "cut by stopTime"
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

} // namespace ns3

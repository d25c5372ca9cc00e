/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "dcn-train-executor.h"

#include "ns3/assert.h"
#include "ns3/dcn-error.h"
#include "ns3/dcn-topology-value.h"
#include "ns3/log.h"
#include "ns3/simulator.h"
#include "ns3/uinteger.h"

#include <algorithm>
#include <sstream>
#include <tuple>

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("DcnTrainExecutor");

NS_OBJECT_ENSURE_REGISTERED(DcnTrainExecutor);

TypeId
DcnTrainExecutor::GetTypeId()
{
    static TypeId tid =
        TypeId("ns3::DcnTrainExecutor")
            .SetParent<Object>()
            .SetGroupName("DcnTrain")
            .AddConstructor<DcnTrainExecutor>()
            .AddAttribute("Window",
                          "Nodes of a rank that are in memory: from the first unfinished one on. A "
                          "node beyond does not start.",
                          UintegerValue(1 << 20),
                          MakeUintegerAccessor(&DcnTrainExecutor::m_window),
                          MakeUintegerChecker<uint32_t>(1))
            .AddAttribute("HostLatency",
                          "Time of hosts and NICs for each message, before the network has it.",
                          TimeValue(NanoSeconds(0)),
                          MakeTimeAccessor(&DcnTrainExecutor::m_hostLatency),
                          MakeTimeChecker(NanoSeconds(0), Seconds(1)))
            .AddAttribute("StopAfter",
                          "Time in which nothing of the run goes on after which it stops, if a "
                          "message waits for a host that is cut off and links change no more.",
                          TimeValue(MilliSeconds(10)),
                          MakeTimeAccessor(&DcnTrainExecutor::m_stopAfter),
                          MakeTimeChecker(NanoSeconds(1)))
            .AddTraceSource("NodeFinished",
                            "A node is finished.",
                            MakeTraceSourceAccessor(&DcnTrainExecutor::m_nodeFinished),
                            "ns3::DcnTrainExecutor::NodeCallback");
    return tid;
}

void
DcnTrainExecutor::Install(Ptr<DcnFlowNetwork> network,
                          const NodeContainer& hosts,
                          std::shared_ptr<DcnTrainSource> source)
{
    NS_ASSERT_MSG(!m_network, "the executor is installed already");
    if (source->GetNRanks() > hosts.GetN())
    {
        DcnFail(source->GetName(),
                ": the graph has ",
                source->GetNRanks(),
                " ranks, but the network has ",
                hosts.GetN(),
                " hosts: take a larger topology");
    }
    m_network = network;
    m_hosts = hosts;
    m_source = source;
    DcnTopologyValue topology;
    network->GetAttribute("Topology", topology);
    m_linkBytes.assign(topology.Get()->GetNLinks(), 0);
    m_ranks.resize(source->GetNRanks());
    for (const DcnTrainOperation& operation : source->GetOperations())
    {
        m_operations.emplace_back();
        m_isMark.push_back(operation.kind == "iteration");
    }
    network->TraceConnectWithoutContext("FlowCompleted",
                                        MakeCallback(&DcnTrainExecutor::OnCompleted, this));
    network->TraceConnectWithoutContext("FlowAcknowledged",
                                        MakeCallback(&DcnTrainExecutor::OnAcknowledged, this));
    network->TraceConnectWithoutContext("ConnectionCutOff",
                                        MakeCallback(&DcnTrainExecutor::OnCutOff, this));
}

void
DcnTrainExecutor::SetLastLinkChange(Time time)
{
    m_lastChangeNs = time.GetNanoSeconds();
}

void
DcnTrainExecutor::SetFinishCallback(std::function<void()> finish)
{
    m_finish = std::move(finish);
}

void
DcnTrainExecutor::Start()
{
    NS_ASSERT_MSG(m_network && m_startNs == 0 && m_nFinished == 0, "an executor runs once");
    m_startNs = Simulator::Now().GetNanoSeconds();
    m_source->Rewind();
    m_nUnfinishedRanks = m_ranks.size();
    for (uint32_t rank = 0; rank < m_ranks.size(); ++rank)
    {
        m_ranks[rank].sinceNs = m_startNs;
        Read(rank, true);
    }
    Work();
}

void
DcnTrainExecutor::Read(uint32_t index, bool isStart)
{
    Rank& rank = m_ranks[index];
    const int64_t nowNs = Simulator::Now().GetNanoSeconds();
    while (!rank.isRead && rank.nodes.size() < m_window)
    {
        Active active;
        if (!m_source->Fetch(index, active.node))
        {
            rank.isRead = true;
            break;
        }
        const auto number = static_cast<uint32_t>(rank.base + rank.nodes.size());
        bool isLate = !isStart;
        for (const uint32_t other : active.node.after)
        {
            if (other >= rank.base)
            {
                Active& before = rank.nodes[other - rank.base];
                if (!before.isFinished)
                {
                    before.later.push_back(number);
                    ++active.nWaiting;
                    isLate = false;
                }
            }
        }
        const bool isReady = active.nWaiting == 0;
        rank.nodes.push_back(std::move(active));
        if (isReady)
        {
            m_nLate += isLate ? 1 : 0;
            m_ready.push_back({index, number});
        }
    }
    if (rank.isRead && rank.nodes.empty() && --m_nUnfinishedRanks == 0)
    {
        m_endNs = nowNs;
        m_stopEvent.Cancel();
        for (uint32_t each = 0; each < m_ranks.size(); ++each)
        {
            Change(each, 0, 0); // accounts for the time until now
        }
        NS_LOG_INFO("the graph is finished at " << nowNs << " ns");
        if (m_finish)
        {
            m_finish();
        }
    }
}

DcnTrainExecutor::Active&
DcnTrainExecutor::Get(const Place& place)
{
    Rank& rank = m_ranks[place.rank];
    return rank.nodes[place.number - rank.base];
}

void
DcnTrainExecutor::Work()
{
    if (m_isWorking)
    {
        return; // the call further out goes on
    }
    m_isWorking = true;
    while (!m_ready.empty())
    {
        const Place place = m_ready.front();
        m_ready.pop_front();
        Begin(place);
    }
    m_isWorking = false;
    StopSoon();
}

void
DcnTrainExecutor::Begin(const Place& place)
{
    Active& active = Get(place);
    const int64_t nowNs = Simulator::Now().GetNanoSeconds();
    active.startNs = nowNs;
    if (active.node.operation != DcnTrainNode::NO_OPERATION &&
        active.node.kind != DcnTrainKind::RECEIVE &&
        (active.node.kind != DcnTrainKind::JOIN || active.node.durationNs > 0))
    {
        OperationTimes& times = m_operations[active.node.operation];
        times.beginNs = times.beginNs < 0 ? nowNs : times.beginNs;
    }
    NS_LOG_LOGIC(DcnDescribeTrainNode(place.rank, place.number, active.node) << " starts");
    switch (active.node.kind)
    {
    case DcnTrainKind::COMPUTE: {
        Stream& stream = m_ranks[place.rank].streams[active.node.stream];
        stream.ready.push_back(place.number);
        if (!stream.isBusy)
        {
            Compute(place.rank, active.node.stream);
        }
        break;
    }
    case DcnTrainKind::SEND:
    case DcnTrainKind::RECEIVE:
        Match(place, active.node);
        break;
    case DcnTrainKind::JOIN:
        FinishLater(place);
        break;
    }
}

void
DcnTrainExecutor::Compute(uint32_t rank, uint32_t index)
{
    Stream& stream = m_ranks[rank].streams[index];
    stream.isBusy = !stream.ready.empty();
    if (stream.isBusy)
    {
        const Place place{rank, stream.ready.front()};
        stream.ready.pop_front();
        Active& active = Get(place);
        active.startNs = Simulator::Now().GetNanoSeconds();
        Change(rank, 1, 0);
        ++m_nGoing;
        Simulator::Schedule(NanoSeconds(active.node.durationNs),
                            &DcnTrainExecutor::OnComputed,
                            Ptr<DcnTrainExecutor>(this),
                            place);
    }
}

void
DcnTrainExecutor::OnComputed(Place place)
{
    if (!m_network)
    {
        return; // disposed of
    }
    --m_nGoing;
    Change(place.rank, -1, 0);
    const uint32_t stream = Get(place).node.stream;
    Finish(place);
    Compute(place.rank, stream);
    Work();
}

void
DcnTrainExecutor::Match(const Place& place, const DcnTrainNode& node)
{
    const bool isSend = node.kind == DcnTrainKind::SEND;
    const uint32_t slot =
        isSend ? m_matching.AddSend({place.rank, node.peer, node.tag}, node.bytes, place)
               : m_matching.AddReceive({node.peer, place.rank, node.tag}, node.bytes, place);
    const auto& message = m_matching.Get(slot);
    if (message.isSent && message.isPosted && message.sendBytes != message.receiveBytes)
    {
        const Place& other = isSend ? message.receive : message.send;
        DcnFail(m_source->GetName(),
                ": ",
                DcnDescribeTrainNode(place.rank, place.number, node),
                " meets node ",
                other.number,
                " of rank ",
                other.rank,
                ", which is a ",
                isSend ? "receive" : "send",
                " of ",
                isSend ? message.receiveBytes : message.sendBytes,
                " bytes");
    }
    if (isSend)
    {
        Get(place).slot = slot;
        Change(place.rank, 0, 1);
        Change(node.peer, 0, 1);
        Prepare(place, node);
    }
    else if (message.isDelivered)
    {
        m_matching.Remove(slot);
        FinishLater(place);
    }
}

void
DcnTrainExecutor::Schedule(int64_t delayNs, Step step, const Place& place)
{
    ++m_nGoing;
    Simulator::Schedule(NanoSeconds(delayNs), [self = Ptr<DcnTrainExecutor>(this), step, place]() {
        if (self->m_network)
        {
            --self->m_nGoing;
            (PeekPointer(self)->*step)(place);
            self->StopSoon();
        }
    });
}

void
DcnTrainExecutor::Prepare(const Place& place, const DcnTrainNode& node)
{
    auto& senders = m_ranks[place.rank].senders;
    const auto found = senders.find(node.stream);
    if (node.durationNs == 0 && (found == senders.end() || !found->second.isBusy))
    {
        Post(place);
        return;
    }
    Stream& stream = senders[node.stream];
    stream.ready.push_back(place.number);
    if (!stream.isBusy)
    {
        PrepareNext(place.rank, node.stream);
    }
}

void
DcnTrainExecutor::PrepareNext(uint32_t rank, uint32_t index)
{
    Stream& stream = m_ranks[rank].senders[index];
    stream.isBusy = !stream.ready.empty();
    if (stream.isBusy)
    {
        const Place place{rank, stream.ready.front()};
        stream.ready.pop_front();
        Schedule(Get(place).node.durationNs, &DcnTrainExecutor::OnPrepared, place);
    }
}

void
DcnTrainExecutor::OnPrepared(Place place)
{
    const uint32_t stream = Get(place).node.stream;
    Post(place);
    PrepareNext(place.rank, stream);
}

void
DcnTrainExecutor::Post(Place place)
{
    if (m_hostLatency.IsZero())
    {
        Send(place);
    }
    else
    {
        Schedule(m_hostLatency.GetNanoSeconds(), &DcnTrainExecutor::Send, place);
    }
}

void
DcnTrainExecutor::FinishLater(const Place& place)
{
    const int64_t durationNs = Get(place).node.durationNs;
    if (durationNs == 0)
    {
        Finish(place);
        return;
    }
    Change(place.rank, 0, 1);
    Schedule(durationNs, &DcnTrainExecutor::OnDelayed, place);
}

void
DcnTrainExecutor::OnDelayed(Place place)
{
    Change(place.rank, 0, -1);
    Finish(place);
    Work();
}

void
DcnTrainExecutor::Send(Place place)
{
    Active& active = Get(place);
    active.sentNs = Simulator::Now().GetNanoSeconds();
    const DcnTrainNode& node = active.node;
    const Key key{static_cast<uint64_t>(place.rank) << 32 | node.peer, node.stream};
    auto found = m_connections.find(key);
    if (found == m_connections.end())
    {
        found = m_connections
                    .emplace(key,
                             m_network->Connect(m_hosts.Get(place.rank),
                                                m_hosts.Get(node.peer),
                                                node.stream))
                    .first;
        Connection& made = m_ends[found->second];
        made.source = place.rank;
        made.peer = node.peer;
        made.cutOffNs = m_network->IsCutOff(found->second) ? active.sentNs : NOT_CUT;
    }
    for (const uint32_t link : m_network->GetConnectionPath(found->second))
    {
        m_linkBytes[link] += node.bytes;
    }
    ++m_nMessages;
    const uint64_t flow = m_network->AddMessage(found->second, node.bytes);
    m_messages[flow] = {active.slot, found->second};
    m_unacknowledged[flow] = place;
    Connection& connection = m_ends[found->second];
    ++connection.nUndelivered;
    ++connection.nUnacknowledged;
    if (connection.cutOffNs == NOT_CUT)
    {
        ++m_nGoing;
        return;
    }
    m_nCutOff += connection.nUnacknowledged == 1 ? 1 : 0;
    Change(place.rank, 0, 0, 1);
    Change(node.peer, 0, 0, 1);
}

void
DcnTrainExecutor::OnCutOff(uint64_t number, bool isCutOff)
{
    const auto found = m_ends.find(number);
    if (found == m_ends.end() || m_endNs >= 0)
    {
        return; // of other traffic, or after the end
    }
    Connection& connection = found->second;
    connection.cutOffNs = isCutOff ? Simulator::Now().GetNanoSeconds() : NOT_CUT;
    if (connection.nUnacknowledged == 0)
    {
        return;
    }
    const int32_t sign = isCutOff ? 1 : -1;
    const auto nHeld = sign * static_cast<int32_t>(connection.nUndelivered);
    Change(connection.source, 0, 0, nHeld);
    Change(connection.peer, 0, 0, nHeld);
    m_nCutOff += static_cast<uint32_t>(sign);
    m_nGoing -= static_cast<uint64_t>(sign * int64_t{connection.nUnacknowledged});
    StopSoon();
}

void
DcnTrainExecutor::OnCompleted(uint64_t flow, Time /* time */)
{
    const auto found = m_messages.find(flow);
    if (found == m_messages.end())
    {
        return; // of other traffic, or after the end
    }
    const uint32_t slot = found->second.slot;
    Connection& connection = m_ends[found->second.connection];
    --connection.nUndelivered;
    const int32_t nHeld = connection.cutOffNs == NOT_CUT ? 0 : -1; // it was beyond the failed link
    auto& message = m_matching.Get(slot);
    Change(connection.source, 0, -1, nHeld);
    Change(connection.peer, 0, -1, nHeld);
    message.isDelivered = true;
    if (message.isPosted)
    {
        const Place receive = message.receive;
        m_matching.Remove(slot);
        FinishLater(receive);
        Work();
    }
}

void
DcnTrainExecutor::OnAcknowledged(uint64_t flow, Time /* time */)
{
    const auto found = m_unacknowledged.find(flow);
    if (found != m_unacknowledged.end())
    {
        const Place send = found->second;
        m_unacknowledged.erase(found);
        Connection& connection = m_ends[m_messages.at(flow).connection];
        m_messages.erase(flow);
        --connection.nUnacknowledged;
        if (connection.cutOffNs == NOT_CUT)
        {
            --m_nGoing;
        }
        else
        {
            m_nCutOff -= connection.nUnacknowledged == 0 ? 1 : 0;
        }
        Finish(send);
        Work();
    }
}

void
DcnTrainExecutor::Finish(const Place& place)
{
    Rank& rank = m_ranks[place.rank];
    Active& active = Get(place);
    NS_ASSERT_MSG(!active.isFinished, "a node is finished once");
    const int64_t nowNs = Simulator::Now().GetNanoSeconds();
    active.isFinished = true;
    m_lastNs = nowNs;
    ++m_nFinished;
    if (active.node.operation != DcnTrainNode::NO_OPERATION &&
        active.node.kind != DcnTrainKind::SEND &&
        (active.node.kind != DcnTrainKind::JOIN || m_isMark[active.node.operation]))
    {
        m_operations[active.node.operation].endNs = nowNs;
    }
    m_nodeFinished(place.rank, place.number, active.node, NanoSeconds(active.startNs));
    for (const uint32_t later : active.later)
    {
        if (--rank.nodes[later - rank.base].nWaiting == 0)
        {
            m_ready.push_back({place.rank, later});
        }
    }
    while (!rank.nodes.empty() && rank.nodes.front().isFinished)
    {
        rank.nodes.pop_front();
        ++rank.base;
    }
    if (!rank.isRead || rank.nodes.empty())
    {
        Read(place.rank, false);
    }
}

void
DcnTrainExecutor::Account(Rank& rank, int64_t untilNs)
{
    int64_t& time = rank.nComputing > 0 ? rank.times.computeNs
                    : rank.nHeld > 0    ? rank.times.stalledNs
                    : rank.nOnWay > 0   ? rank.times.exposedNs
                                        : rank.times.idleNs;
    time += untilNs - rank.sinceNs;
    rank.sinceNs = untilNs;
}

void
DcnTrainExecutor::Change(uint32_t index, int32_t nComputing, int32_t nOnWay, int32_t nHeld)
{
    Rank& rank = m_ranks[index];
    m_lastNs = Simulator::Now().GetNanoSeconds();
    Account(rank, m_lastNs);
    rank.nComputing += static_cast<uint32_t>(nComputing);
    rank.nOnWay += static_cast<uint32_t>(nOnWay);
    rank.nHeld += static_cast<uint32_t>(nHeld);
}

void
DcnTrainExecutor::StopSoon()
{
    if (m_nGoing > 0 || m_nCutOff == 0 || m_endNs >= 0 || m_lastChangeNs == INT64_MAX ||
        !m_stopEvent.IsExpired())
    {
        return;
    }
    const int64_t nowNs = Simulator::Now().GetNanoSeconds();
    const Time delay = NanoSeconds(std::max<int64_t>(0, m_lastChangeNs - nowNs)) + m_stopAfter;
    m_stopEvent = Simulator::Schedule(delay, &DcnTrainExecutor::StopIfStuck, this);
}

void
DcnTrainExecutor::StopIfStuck()
{
    if (m_nGoing > 0)
    {
        return; // StopSoon looks again when nothing goes on
    }
    const Time waited = Simulator::Now() - NanoSeconds(std::max(m_lastNs, m_lastChangeNs));
    if (waited < m_stopAfter)
    {
        StopSoon();
        return;
    }
    if (!FindStop(m_stop))
    {
        return;
    }
    NS_LOG_INFO(m_stop.sentence);
    m_endNs = m_lastNs;
    for (Rank& rank : m_ranks)
    {
        Account(rank, m_endNs);
    }
    m_messages.clear();
    m_unacknowledged.clear();
    if (m_finish)
    {
        m_finish();
    }
}

bool
DcnTrainExecutor::FindStop(Stop& stop) const
{
    const DcnTrainNode* node = nullptr;
    for (const auto& [flow, place] : m_unacknowledged)
    {
        const Rank& rank = m_ranks[place.rank];
        const Active& active = rank.nodes[place.number - rank.base];
        const int64_t cutOffNs = m_ends.at(m_messages.at(flow).connection).cutOffNs;
        if (cutOffNs == NOT_CUT)
        {
            continue;
        }
        ++stop.nMessages;
        stop.bytes += active.node.bytes;
        const int64_t sinceNs = std::max(cutOffNs, active.sentNs);
        if (!node || std::tie(sinceNs, place.rank, place.number) <
                         std::tie(stop.sinceNs, stop.rank, stop.number))
        {
            node = &active.node;
            stop.rank = place.rank;
            stop.number = place.number;
            stop.sinceNs = sinceNs;
        }
    }
    if (!node)
    {
        return false;
    }
    DcnTopologyValue topology;
    m_network->GetAttribute("Topology", topology);
    const auto name = [&](uint32_t rank) {
        const NodeContainer& nodes = topology.Get()->GetNodes();
        for (uint32_t host : topology.Get()->GetHosts())
        {
            if (nodes.Get(host) == m_hosts.Get(rank))
            {
                return topology.Get()->GetExternalId(host);
            }
        }
        return uint64_t{0};
    };
    std::ostringstream text;
    text << "stopped after " << m_nFinished
         << " nodes: " << DcnDescribeTrainNode(stop.rank, stop.number, *node);
    if (node->operation != DcnTrainNode::NO_OPERATION)
    {
        text << " of operation " << node->operation << " ("
             << m_source->GetOperations()[node->operation].name << ")";
    }
    text << " waits since " << stop.sinceNs << " ns, as host " << name(node->peer)
         << " cannot be reached from host " << name(stop.rank)
         << " over working links, and no link is repaired after that";
    stop.sentence = text.str();
    return true;
}

bool
DcnTrainExecutor::IsFinished() const
{
    return m_endNs >= 0 && m_stop.sentence.empty();
}

const DcnTrainExecutor::Stop&
DcnTrainExecutor::GetStop() const
{
    return m_stop;
}

void
DcnTrainExecutor::CheckFinished() const
{
    if (IsFinished())
    {
        return;
    }
    Stop stop = m_stop;
    if (!stop.sentence.empty() || FindStop(stop))
    {
        DcnFail(m_source->GetName(), ": ", stop.sentence);
    }
    for (uint32_t index = 0; index < m_ranks.size(); ++index)
    {
        for (std::size_t i = 0; i < m_ranks[index].nodes.size(); ++i)
        {
            const Active& active = m_ranks[index].nodes[i];
            if (active.startNs >= 0 && !active.isFinished)
            {
                DcnFail(m_source->GetName(),
                        ": after ",
                        m_nFinished,
                        " nodes, no node can go on: ",
                        DcnDescribeTrainNode(index, m_ranks[index].base + i, active.node),
                        active.node.kind == DcnTrainKind::RECEIVE
                            ? " waits for a send that does not start, which is a cycle of messages"
                            : " has not finished");
            }
        }
    }
    DcnFail(m_source->GetName(), ": the graph was not started");
}

Time
DcnTrainExecutor::GetStart() const
{
    return NanoSeconds(m_startNs);
}

Time
DcnTrainExecutor::GetDuration() const
{
    return NanoSeconds(m_endNs - m_startNs);
}

uint64_t
DcnTrainExecutor::GetNFinished() const
{
    return m_nFinished;
}

uint64_t
DcnTrainExecutor::GetNLate() const
{
    return m_nLate;
}

uint64_t
DcnTrainExecutor::GetNMessages() const
{
    return m_nMessages;
}

std::vector<DcnTrainExecutor::RankTimes>
DcnTrainExecutor::GetRankTimes() const
{
    std::vector<RankTimes> times;
    for (const Rank& rank : m_ranks)
    {
        times.push_back(rank.times);
    }
    return times;
}

const std::vector<DcnTrainExecutor::OperationTimes>&
DcnTrainExecutor::GetOperationTimes() const
{
    return m_operations;
}

const std::vector<uint64_t>&
DcnTrainExecutor::GetLinkBytes() const
{
    return m_linkBytes;
}

void
DcnTrainExecutor::DoDispose()
{
    if (m_network)
    {
        m_network->TraceDisconnectWithoutContext(
            "FlowCompleted",
            MakeCallback(&DcnTrainExecutor::OnCompleted, this));
        m_network->TraceDisconnectWithoutContext(
            "FlowAcknowledged",
            MakeCallback(&DcnTrainExecutor::OnAcknowledged, this));
        m_network->TraceDisconnectWithoutContext("ConnectionCutOff",
                                                 MakeCallback(&DcnTrainExecutor::OnCutOff, this));
    }
    m_stopEvent.Cancel();
    m_network = nullptr;
    m_source.reset();
    m_finish = nullptr;
    m_ranks.clear();
    m_ready.clear();
    Object::DoDispose();
}

} // namespace ns3

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
    Simulator::Schedule(NanoSeconds(delayNs), [self = Ptr<DcnTrainExecutor>(this), step, place]() {
        if (self->m_network)
        {
            (PeekPointer(self)->*step)(place);
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
    const Active& active = Get(place);
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
    }
    for (const uint32_t link : m_network->GetConnectionPath(found->second))
    {
        m_linkBytes[link] += node.bytes;
    }
    ++m_nMessages;
    const uint64_t flow = m_network->AddMessage(found->second, node.bytes);
    m_slotOf[flow] = active.slot;
    m_unacknowledged[flow] = place;
}

void
DcnTrainExecutor::OnCompleted(uint64_t flow, Time /* time */)
{
    const auto found = m_slotOf.find(flow);
    if (found == m_slotOf.end())
    {
        return; // of other traffic
    }
    const uint32_t slot = found->second;
    m_slotOf.erase(found);
    auto& message = m_matching.Get(slot);
    const Place send = message.send;
    Change(send.rank, 0, -1);
    Change(Get(send).node.peer, 0, -1);
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
DcnTrainExecutor::Change(uint32_t index, int32_t nComputing, int32_t nOnWay)
{
    Rank& rank = m_ranks[index];
    const int64_t nowNs = Simulator::Now().GetNanoSeconds();
    int64_t& time = rank.nComputing > 0 ? rank.times.computeNs
                    : rank.nOnWay > 0   ? rank.times.exposedNs
                                        : rank.times.idleNs;
    time += nowNs - rank.sinceNs;
    rank.sinceNs = nowNs;
    rank.nComputing += static_cast<uint32_t>(nComputing);
    rank.nOnWay += static_cast<uint32_t>(nOnWay);
}

bool
DcnTrainExecutor::IsFinished() const
{
    return m_endNs >= 0;
}

void
DcnTrainExecutor::CheckFinished() const
{
    if (IsFinished())
    {
        return;
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
    }
    m_network = nullptr;
    m_source.reset();
    m_finish = nullptr;
    m_ranks.clear();
    m_ready.clear();
    Object::DoDispose();
}

} // namespace ns3

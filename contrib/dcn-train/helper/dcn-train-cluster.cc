/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "dcn-train-cluster.h"

#include "ns3/assert.h"
#include "ns3/dcn-csv.h"
#include "ns3/dcn-error.h"
#include "ns3/dcn-random.h"
#include "ns3/dcn-topology-value.h"
#include "ns3/log.h"
#include "ns3/random-variable-stream.h"
#include "ns3/simulator.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("DcnTrainCluster");

DcnTrainPlacement::DcnTrainPlacement(const std::vector<uint32_t>& groups, uint64_t seed)
    : m_groups(groups),
      m_isTaken(groups.size(), false),
      m_seed(seed)
{
}

std::vector<uint32_t>
DcnTrainPlacement::Offer(const std::string& rule) const
{
    std::vector<uint32_t> free;
    for (uint32_t host = 0; host < m_groups.size(); ++host)
    {
        if (!m_isTaken[host])
        {
            free.push_back(host);
        }
    }
    if (rule == "packed")
    {
        return free;
    }
    if (rule == "random")
    {
        auto draw = CreateObject<UniformRandomVariable>();
        DcnRandom(m_seed).Assign(draw,
                                 DcnPurpose::MATRIX_HOSTS,
                                 static_cast<uint32_t>(m_nJobs) + 1);
        for (std::size_t left = free.size(); left > 1; --left)
        {
            std::swap(free[left - 1], free[draw->GetInteger(0, static_cast<uint32_t>(left) - 1)]);
        }
        return free;
    }
    if (rule == "spread")
    {
        std::map<uint32_t, uint32_t> nOf; // free hosts of a group so far
        std::vector<std::pair<uint32_t, uint32_t>> turns;
        for (const uint32_t host : free)
        {
            turns.emplace_back(nOf[m_groups[host]]++, host);
        }
        std::stable_sort(turns.begin(), turns.end(), [](const auto& a, const auto& b) {
            return a.first < b.first;
        });
        std::transform(turns.begin(), turns.end(), free.begin(), [](const auto& turn) {
            return turn.second;
        });
        return free;
    }
    std::vector<uint32_t> given;
    std::set<uint64_t> seen;
    for (const std::string& part :
         rule.empty() ? std::vector<std::string>{""} : DcnSplit(rule, '+'))
    {
        const std::vector<std::string> ends = DcnSplit(part, '-');
        uint64_t first = 0;
        uint64_t last = 0;
        if (ends.empty() || ends.size() > 2 || !DcnParse(ends.front(), first) ||
            !DcnParse(ends.back(), last) || last < first || last >= m_groups.size())
        {
            DcnFail("a placement is packed, spread, random or hosts from 0 to ",
                    m_groups.size() - 1,
                    " such as 8-15+0, but it is \"",
                    rule,
                    "\"");
        }
        for (uint64_t host = first; host <= last; ++host)
        {
            if (m_isTaken[host] || !seen.insert(host).second)
            {
                DcnFail("the placement ",
                        rule,
                        " has host ",
                        host,
                        m_isTaken[host] ? ", which another job has" : " twice");
            }
            given.push_back(static_cast<uint32_t>(host));
        }
    }
    return given;
}

void
DcnTrainPlacement::Take(const std::vector<uint32_t>& hosts)
{
    ++m_nJobs;
    for (const uint32_t host : hosts)
    {
        m_isTaken[host] = true;
    }
}

DcnTrainCluster::~DcnTrainCluster()
{
    Dispose();
}

void
DcnTrainCluster::AddJob(const DcnTrainJob& job)
{
    NS_ASSERT_MSG(!m_network, "jobs are added before Install");
    if (job.source->GetNRanks() > job.hosts.size())
    {
        DcnFail("the job ",
                job.name,
                " has ",
                job.source->GetNRanks(),
                " ranks, but ",
                job.hosts.size(),
                " hosts");
    }
    for (const DcnTrainJob& other : m_jobs)
    {
        for (const uint32_t host : other.hosts)
        {
            if (std::find(job.hosts.begin(), job.hosts.end(), host) != job.hosts.end())
            {
                DcnFail("the jobs ", other.name, " and ", job.name, " share host ", host);
            }
        }
        if (other.name == job.name)
        {
            DcnFail("two jobs have the name ", job.name, ": give them names");
        }
    }
    m_jobs.push_back(job);
}

void
DcnTrainCluster::SetBackground(const std::vector<DcnFlow>& flows)
{
    m_flows = flows;
    m_background = {};
    m_background.nFlows = flows.size();
    for (const DcnFlow& flow : flows)
    {
        m_background.bytes += flow.sizeBytes;
        m_background.lastStartNs = std::max(m_background.lastStartNs, flow.startNs);
    }
}

void
DcnTrainCluster::SetFinishCallback(std::function<void()> finish)
{
    m_finish = std::move(finish);
}

void
DcnTrainCluster::Install(const DcnTrainHelper& helper, Ptr<DcnFlowNetwork> network)
{
    NS_ASSERT_MSG(!m_network, "a cluster runs once");
    m_network = network;
    for (const DcnTrainJob& job : m_jobs)
    {
        m_executors.push_back(helper.InstallOn(network, job.source, job.hosts));
        m_executors.back()->SetFinishCallback([this]() { OnFinished(); });
    }
}

void
DcnTrainCluster::ShowProgress(const std::string& label)
{
    uint64_t nNodes = 0;
    for (std::size_t i = 0; i < m_jobs.size(); ++i)
    {
        DcnTrainSource& source = *m_jobs[i].source;
        source.Rewind();
        for (uint32_t rank = 0; rank < source.GetNRanks(); ++rank)
        {
            for (DcnTrainNode node; source.Fetch(rank, node);)
            {
                ++nNodes;
            }
        }
        source.Rewind();
        m_executors[i]->TraceConnectWithoutContext(
            "NodeFinished",
            MakeCallback(&DcnTrainCluster::OnNodeFinished, this));
    }
    m_progress = std::make_unique<DcnProgress>(label, nNodes, "nodes");
}

void
DcnTrainCluster::OnNodeFinished(uint32_t /* rank */,
                                uint32_t /* number */,
                                const DcnTrainNode& /* node */,
                                Time /* start */)
{
    m_progress->Update(++m_nNodesDone);
}

void
DcnTrainCluster::SetLastLinkChange(Time time)
{
    for (const Ptr<DcnTrainExecutor>& executor : m_executors)
    {
        executor->SetLastLinkChange(time);
    }
}

void
DcnTrainCluster::Start()
{
    if (!m_flows.empty())
    {
        DcnTopologyValue value;
        m_network->GetAttribute("Topology", value);
        const NodeContainer nodes = value.Get()->GetNodes();
        m_network->TraceConnectWithoutContext("FlowCompleted",
                                              MakeCallback(&DcnTrainCluster::OnCompleted, this));
        for (const DcnFlow& flow : m_flows)
        {
            const Time start = Simulator::Now() + NanoSeconds(flow.startNs);
            m_bytesOf[m_network->AddFlowAt(start,
                                           nodes.Get(flow.src),
                                           nodes.Get(flow.dst),
                                           flow.sizeBytes)] = flow.sizeBytes;
        }
    }
    for (std::size_t i = 0; i < m_jobs.size(); ++i)
    {
        if (m_jobs[i].start.IsZero())
        {
            m_executors[i]->Start();
        }
        else
        {
            Simulator::Schedule(m_jobs[i].start, &DcnTrainExecutor::Start, m_executors[i]);
        }
    }
}

void
DcnTrainCluster::OnCompleted(uint64_t flow, Time time)
{
    const auto found = m_bytesOf.find(flow);
    if (found != m_bytesOf.end())
    {
        ++m_background.nFinished;
        m_background.finishedBytes += found->second;
        m_background.sumFctNs += static_cast<double>(time.GetNanoSeconds());
        m_bytesOf.erase(found);
    }
}

void
DcnTrainCluster::OnFinished()
{
    if (++m_nFinished == m_jobs.size() && m_finish)
    {
        m_finish();
    }
}

Ptr<DcnTrainExecutor>
DcnTrainCluster::GetExecutor(std::size_t job) const
{
    return m_executors.at(job);
}

void
DcnTrainCluster::CheckFinished() const
{
    for (const Ptr<DcnTrainExecutor>& executor : m_executors)
    {
        if (executor->GetStop().sentence.empty())
        {
            executor->CheckFinished();
        }
    }
}

const DcnTrainCluster::Background&
DcnTrainCluster::GetBackground() const
{
    return m_background;
}

void
DcnTrainCluster::Dispose()
{
    m_progress.reset();
    if (m_network && !m_flows.empty())
    {
        m_network->TraceDisconnectWithoutContext("FlowCompleted",
                                                 MakeCallback(&DcnTrainCluster::OnCompleted, this));
    }
    for (const Ptr<DcnTrainExecutor>& executor : m_executors)
    {
        executor->Dispose();
    }
    m_executors.clear();
    m_network = nullptr;
}

} // namespace ns3

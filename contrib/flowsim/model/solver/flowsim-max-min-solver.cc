/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "flowsim-max-min-solver.h"

#include "flowsim-bottleneck-graph.h"
#include "flowsim-indexed-heap.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <iostream>
#include <stdexcept>
#include <string>

namespace ns3
{

namespace
{

/// Quanta per unit of weight, 2^36.
constexpr double QUANTA_PER_WEIGHT = static_cast<double>(1ULL << 36);

static_assert(FlowsimMaxMinSolver::LOAD_REFRESH == FlowsimLinkLoads::LOAD_REFRESH);
static_assert(FlowsimMaxMinSolver::NONE == FlowsimLinkLoads::NONE);

} // namespace

FlowsimMaxMinSolver::FlowsimMaxMinSolver(const std::vector<double>& capacities)
    : m_graph(std::make_unique<FlowsimBottleneckGraph>(capacities)),
      m_queue(std::make_unique<FlowsimIndexedHeap>())
{
}

FlowsimMaxMinSolver::~FlowsimMaxMinSolver() = default;

FlowsimMaxMinSolver::FlowSlot
FlowsimMaxMinSolver::AddFlow(const LinkId* path, uint32_t hops, double weight, double cap)
{
    FlowSlot flow = InsertFlow(path, hops, weight, cap);
    Solve();
    return flow;
}

void
FlowsimMaxMinSolver::RemoveFlow(FlowSlot flow)
{
    EraseFlow(flow);
    Solve();
}

FlowsimMaxMinSolver::FlowSlot
FlowsimMaxMinSolver::InsertFlow(const LinkId* path, uint32_t hops, double weight, double cap)
{
    if (!(weight >= MIN_WEIGHT && weight <= MAX_WEIGHT))
    {
        throw std::invalid_argument("flowsim: weight " + std::to_string(weight) +
                                    " is not between 0.01 and 1000000");
    }
    if (!(cap > 0))
    {
        throw std::invalid_argument("flowsim: rate cap " + std::to_string(cap) +
                                    " is not positive");
    }
    ForgetChanges();
    const auto quanta = static_cast<int64_t>(std::llround(weight * QUANTA_PER_WEIGHT));
    PathGroupId group = m_graph->GetPathGroup(path, hops, cap, quanta);
    const auto& record = m_graph->GetPathGroups().Get(group);
    if (record.quanta == 0)
    {
        m_graph->Enter(group, quanta);
    }
    else
    {
        m_graph->AddQuanta(group, quanta);
    }

    auto flow = static_cast<FlowSlot>(m_flows.size());
    if (m_freeFlows.empty())
    {
        m_flows.emplace_back();
    }
    else
    {
        flow = m_freeFlows.back();
        m_freeFlows.pop_back();
    }
    m_flows[flow] = {group, quanta};
    m_nFlows++;
    return flow;
}

void
FlowsimMaxMinSolver::EraseFlow(FlowSlot flow)
{
    ForgetChanges();
    m_graph->AddQuanta(m_flows[flow].group, -m_flows[flow].quanta);
    m_flows[flow].quanta = 0;
    m_freeFlows.push_back(flow);
    m_nFlows--;
}

void
FlowsimMaxMinSolver::SetCapacity(LinkId link, double capacity)
{
    if (!(capacity > 0) || capacity == INFINITE)
    {
        throw std::invalid_argument("flowsim: capacity of link " + std::to_string(link) + " is " +
                                    std::to_string(capacity) +
                                    ", it must be positive and finite");
    }
    m_graph->SetCapacity(link, capacity);
}

void
FlowsimMaxMinSolver::ForgetChanges()
{
    if (m_reported)
    {
        m_graph->ClearChanges();
        m_reported = false;
    }
}

void
FlowsimMaxMinSolver::Solve()
{
    ForgetChanges();
    m_positions.resize(GetNClasses(), FlowsimIndexedHeap::ABSENT);
    for (;;)
    {
        ClassId link = 0;
        while (m_graph->TakeTouched(link))
        {
            Examine(link);
        }
        if (m_queue->IsEmpty())
        {
            break;
        }
        const FlowsimIndexedHeap::Item top = m_queue->Top();
        m_queue->Remove(top.id, m_positions);
        if (GetImbalance(top.id) > 0)
        {
            m_graph->SetLevel(top.id, top.key);
            m_graph->Absorb(top.id, top.key * (1 + TIE_TOLERANCE));
        }
        else
        {
            Raise(top.id);
        }
    }
    m_graph->RelaxIdle();
    m_graph->FreeUnused();
    m_reported = true;
#ifdef NS3_ASSERT_ENABLE
    // Often enough to find a mistake near its cause, seldom enough to cost O(hops) per event.
    if (++m_nUnchecked > m_nFlows / 16)
    {
        m_nUnchecked = 0;
        if (CheckOptimality() > LARGEST_VIOLATION)
        {
            std::cerr << "flowsim: the allocation is not max-min fair, violation "
                      << CheckOptimality() << std::endl;
            std::abort();
        }
    }
#endif
}

void
FlowsimMaxMinSolver::Prefetch(const LinkId* path, uint32_t hops, bool isNext) const
{
    for (const LinkId* link = path; link < path + hops; link++)
    {
        if (*link >= GetNLinks())
        {
            continue;
        }
        if (isNext)
        {
            m_graph->PrefetchRecord(*link);
        }
        else
        {
            m_graph->PrefetchPlace(*link);
        }
    }
}

void
FlowsimMaxMinSolver::PrefetchPathGroup(PathGroupId group, uint32_t step) const
{
    m_graph->PrefetchPathGroup(group, step);
}

double
FlowsimMaxMinSolver::GetImbalance(ClassId id) const
{
    const auto& link = m_graph->GetLink(id);
    double load = link.load;
    if (link.quanta > 0)
    {
        load += static_cast<double>(link.quanta) * link.level;
    }
    else if (load < link.capacity)
    {
        return 0;
    }
    return load - link.capacity;
}

void
FlowsimMaxMinSolver::Examine(ClassId id)
{
    m_graph->Settle(id);
    const auto& link = m_graph->GetLink(id);
    const double imbalance = link.exact ? GetImbalance(id) : 0;
    if (imbalance > LOAD_TOLERANCE * link.capacity)
    {
        m_queue->Set(id, m_graph->GetFillLevel(id), link.number, m_positions);
    }
    else if (imbalance < -LOAD_TOLERANCE * link.capacity)
    {
        m_queue->Set(id, link.level, link.number, m_positions);
    }
    else
    {
        if (m_positions[id] != FlowsimIndexedHeap::ABSENT)
        {
            m_queue->Remove(id, m_positions);
        }
        if (link.exact && link.quanta == 0)
        {
            m_graph->NoteIdle(id);
        }
    }
}

void
FlowsimMaxMinSolver::Raise(ClassId id)
{
    for (;;)
    {
        const auto& link = m_graph->GetLink(id);
        if (link.quanta == 0)
        {
            return; // all path groups left: the class has ended
        }
        double level = (link.capacity - link.load) / static_cast<double>(link.quanta);
        if (!m_graph->Expel(id, level * (1 - TIE_TOLERANCE)))
        {
            m_graph->SetLevel(id, level);
            return;
        }
    }
}

double
FlowsimMaxMinSolver::GetRate(FlowSlot flow) const
{
    return GetQuanta(flow) * GetLevel(GetClass(m_flows[flow].group));
}

FlowsimMaxMinSolver::LinkId
FlowsimMaxMinSolver::GetBottleneck(FlowSlot flow) const
{
    return GetLink(GetClass(m_flows[flow].group));
}

double
FlowsimMaxMinSolver::GetFairShare(LinkId link) const
{
    const ClassId cls = m_graph->FindLink(link);
    return cls == NONE ? INFINITE : m_graph->GetLink(cls).level * QUANTA_PER_WEIGHT;
}

std::vector<FlowsimMaxMinSolver::LinkId>
FlowsimMaxMinSolver::GetPath(FlowSlot flow) const
{
    std::vector<LinkId> path;
    const auto& groups = m_graph->GetPathGroups();
    const auto& group = groups.Get(m_flows[flow].group);
    for (uint32_t h = group.hops; h < group.hops + group.nHops; h++)
    {
        const auto& link = m_graph->GetLink(groups.GetHop(h).link);
        if (!link.isVirtual)
        {
            path.push_back(link.number);
        }
    }
    return path;
}

uint32_t
FlowsimMaxMinSolver::GetNLinks() const
{
    return m_graph->GetNNumbers();
}

uint32_t
FlowsimMaxMinSolver::GetNFlows() const
{
    return m_nFlows;
}

FlowsimMaxMinSolver::PathGroupId
FlowsimMaxMinSolver::GetPathGroup(FlowSlot flow) const
{
    return m_flows[flow].group;
}

double
FlowsimMaxMinSolver::GetQuanta(FlowSlot flow) const
{
    return static_cast<double>(m_flows[flow].quanta);
}

FlowsimMaxMinSolver::ClassId
FlowsimMaxMinSolver::GetClass(PathGroupId group) const
{
    return m_graph->GetPathGroups().Get(group).cls;
}

double
FlowsimMaxMinSolver::GetLevel(ClassId cls) const
{
    return m_graph->GetLink(cls).level;
}

FlowsimMaxMinSolver::LinkId
FlowsimMaxMinSolver::GetLink(ClassId cls) const
{
    return m_graph->GetLink(cls).number;
}

const std::vector<FlowsimMaxMinSolver::ClassId>&
FlowsimMaxMinSolver::GetChangedClasses() const
{
    return m_graph->GetChanged();
}

const std::vector<FlowsimMaxMinSolver::PathGroupId>&
FlowsimMaxMinSolver::GetMovedPathGroups() const
{
    return m_graph->GetMoved();
}

uint32_t
FlowsimMaxMinSolver::GetNClasses() const
{
    return m_graph->GetNIds();
}

uint32_t
FlowsimMaxMinSolver::GetNPathGroups() const
{
    return m_graph->GetPathGroups().GetNSlots();
}

double
FlowsimMaxMinSolver::CheckOptimality() const
{
    // Uses the flows, their paths and their levels only, and computes the sums anew.
    const auto& groups = m_graph->GetPathGroups();
    std::vector<double> quanta(groups.GetNSlots(), 0);
    for (const Flow& flow : m_flows)
    {
        if (flow.quanta > 0)
        {
            quanta[flow.group] += static_cast<double>(flow.quanta);
        }
    }
    std::vector<double> load(GetNClasses(), 0);
    std::vector<double> highest(GetNClasses(), 0);
    for (PathGroupId b = 0; b < quanta.size(); b++)
    {
        const auto& group = groups.Get(b);
        for (uint32_t h = group.hops; quanta[b] > 0 && h < group.hops + group.nHops; h++)
        {
            const ClassId link = groups.GetHop(h).link;
            load[link] += quanta[b] * GetLevel(group.cls);
            highest[link] = std::max(highest[link], GetLevel(group.cls));
        }
    }
    double worst = 0;
    for (ClassId l = 0; l < load.size(); l++)
    {
        worst = std::max(worst, load[l] / m_graph->GetLink(l).capacity - 1);
    }
    for (PathGroupId b = 0; b < quanta.size(); b++)
    {
        if (quanta[b] == 0)
        {
            continue;
        }
        const auto& group = groups.Get(b);
        const double level = GetLevel(group.cls);
        double best = INFINITE;
        for (uint32_t h = group.hops; h < group.hops + group.nHops; h++)
        {
            const ClassId l = groups.GetHop(h).link;
            const auto& link = m_graph->GetLink(l);
            if (link.isVirtual)
            {
                worst = std::max(worst, level / link.level - 1);
                best = std::min(best, std::abs(1 - level / link.level));
                continue;
            }
            best = std::min(best, std::max(1 - load[l] / link.capacity, 1 - level / highest[l]));
        }
        worst = std::max(worst, best);
    }
    return worst;
}

} // namespace ns3

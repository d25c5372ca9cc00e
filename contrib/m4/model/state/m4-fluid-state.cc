/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "m4-fluid-state.h"

#include "ns3/assert.h"

#include <algorithm>

namespace ns3
{

namespace
{

constexpr double NS_PER_S = 1e9; //!< rates are per nanosecond

} // namespace

M4FluidState::M4FluidState(const std::vector<double>& capacities)
    : m_solver(capacities),
      m_classes(capacities.size()),
      m_nLinks(capacities.size())
{
}

M4FluidState::Slot
M4FluidState::Add(DcnPath path, double cap, int64_t nowNs)
{
    const Slot flow = m_solver.AddFlow(path.first, static_cast<uint32_t>(path.size()), 1, cap);
    if (flow >= m_begin.size())
    {
        m_begin.resize(flow + 1);
    }
    if (m_solver.GetNPathGroups() > m_groups.size())
    {
        m_groups.resize(m_solver.GetNPathGroups());
    }
    if (m_solver.GetNClasses() > m_classes.size())
    {
        m_classes.resize(m_solver.GetNClasses());
    }
    m_quanta = m_solver.GetQuanta(flow); // every flow has weight 1
    PathGroup& group = m_groups[m_solver.GetPathGroup(flow)];
    ++group.flows;
    Follow(nowNs);
    m_begin[flow] = GetService(group, nowNs);
    return flow;
}

void
M4FluidState::Remove(Slot flow, int64_t nowNs)
{
    PathGroup& group = m_groups[m_solver.GetPathGroup(flow)];
    if (--group.flows == 0)
    {
        // its slot may serve another path group later
        --m_classes[group.cls].groups;
        group = PathGroup();
    }
    m_solver.RemoveFlow(flow);
    Follow(nowNs);
}

void
M4FluidState::SetCapacity(uint32_t link, double capacity)
{
    m_solver.SetCapacity(link, capacity);
}

double
M4FluidState::GetRate(Slot flow) const
{
    return m_solver.GetRate(flow);
}

double
M4FluidState::GetServed(Slot flow, int64_t nowNs) const
{
    return GetService(m_groups[m_solver.GetPathGroup(flow)], nowNs) - m_begin[flow];
}

const std::vector<uint32_t>&
M4FluidState::GetChangedLinks() const
{
    return m_changed;
}

void
M4FluidState::NoteChanged(const Class& cls)
{
    if (cls.link < m_nLinks)
    {
        m_changed.push_back(cls.link);
    }
}

void
M4FluidState::Advance(Class& cls, int64_t nowNs) const
{
    NS_ASSERT_MSG(nowNs >= cls.sinceNs || cls.groups == 0, "time goes backwards");
    cls.service += cls.rate * static_cast<double>(nowNs - cls.sinceNs);
    cls.sinceNs = nowNs;
}

double
M4FluidState::GetService(const PathGroup& group, int64_t nowNs) const
{
    const Class& cls = m_classes[group.cls];
    return cls.service + cls.rate * static_cast<double>(nowNs - cls.sinceNs) - group.offset;
}

void
M4FluidState::Follow(int64_t nowNs)
{
    m_changed.clear();
    // path groups first: their service until now depends on the old rates of the classes
    for (const PathGroupId id : m_solver.GetMovedPathGroups())
    {
        PathGroup& group = m_groups[id];
        const LinkId to = m_solver.GetClass(id);
        if (group.flows == 0 || to == FlowsimMaxMinSolver::NONE || to == group.cls)
        {
            continue;
        }
        double served = 0;
        if (group.cls != FlowsimMaxMinSolver::NONE)
        {
            served = GetService(group, nowNs);
            NoteChanged(m_classes[group.cls]);
            --m_classes[group.cls].groups;
        }
        Class& cls = m_classes[to];
        if (cls.groups == 0)
        {
            cls.service = 0; // small numbers are more precise
            cls.rate = m_solver.GetLevel(to) * m_quanta / NS_PER_S; // a cap never changes
            cls.sinceNs = nowNs;
            cls.link = m_solver.GetLink(to);
        }
        Advance(cls, nowNs);
        NoteChanged(cls);
        ++cls.groups;
        group.cls = to;
        group.offset = cls.service - served;
    }
    for (const LinkId id : m_solver.GetChangedClasses())
    {
        Class& cls = m_classes[id];
        if (cls.groups > 0)
        {
            Advance(cls, nowNs);
            cls.rate = m_solver.GetLevel(id) * m_quanta / NS_PER_S;
            NoteChanged(cls);
        }
    }
    std::sort(m_changed.begin(), m_changed.end());
    m_changed.erase(std::unique(m_changed.begin(), m_changed.end()), m_changed.end());
}

} // namespace ns3

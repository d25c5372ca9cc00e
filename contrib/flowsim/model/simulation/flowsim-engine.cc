/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "flowsim-engine.h"

#include "../solver/flowsim-indexed-heap.h"

#include "ns3/dcn-error.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string>
#include <utility>

namespace ns3
{

namespace
{

constexpr uint32_t NONE = FlowsimMaxMinSolver::NONE; //!< No class

/// Quanta of a flow of weight 1: makes bits of a service per quantum.
constexpr double QUANTA_PER_WEIGHT = static_cast<double>(1ULL << 36);

/// Largest virtual service per quantum.
constexpr double LARGEST_SERVICE = FlowsimEngine::SERVICE_LIMIT / QUANTA_PER_WEIGHT;

constexpr double NS_PER_S = 1e9; //!< Nanoseconds per second

constexpr double SMALLEST_BITS = 1e-3; //!< Left at least of a flow that moves: far below a ns

/// Sets a flag while it lives; std::logic_error when the flag is set already.
class Guard
{
  public:
    /// Sets the flag.
    explicit Guard(bool& flag)
        : m_flag(flag)
    {
        if (m_flag)
        {
            throw std::logic_error("flowsim: the engine is called from its own sink, source or "
                                   "rate listener");
        }
        m_flag = true;
    }

    ~Guard()
    {
        m_flag = false;
    }

    Guard(const Guard&) = delete;
    Guard& operator=(const Guard&) = delete;

  private:
    bool& m_flag; //!< The flag
};

} // namespace

struct FlowsimEngine::Class
{
    double level{0};           //!< s, bit per ns and quantum
    double service{0};         //!< V at the time below [bit per quantum]
    double since{0};           //!< Time of the last change [ns after the epoch]
    bool stale{false};         //!< Listed among the classes to be scheduled anew
    FlowsimIndexedHeap groups; //!< Path groups by service of the class at their next completion
};

FlowsimEngine::FlowsimEngine(const std::vector<double>& capacities)
    : m_solver(capacities),
      m_schedule(std::make_unique<FlowsimIndexedHeap>())
{
}

FlowsimEngine::~FlowsimEngine() = default;

void
FlowsimEngine::SetSource(Source source)
{
    m_source = std::move(source);
    m_sourceOpen = true;
    m_hasPending = false;
}

void
FlowsimEngine::SetSink(Sink sink)
{
    m_sink = std::move(sink);
}

void
FlowsimEngine::SetRateListener(RateListener listener)
{
    m_listener = std::move(listener);
}

FlowsimEngine::FlowSlot
FlowsimEngine::AddFlow(const FlowsimArrival& flow)
{
    FlowSlot slot = Start(flow);
    const double whole = std::floor(m_now);
    m_flows[slot].startNs = m_epochNs + static_cast<int64_t>(whole);
    m_flows[slot].startFraction = m_now - whole;
    return slot;
}

FlowsimEngine::FlowSlot
FlowsimEngine::Start(const FlowsimArrival& flow)
{
    if (m_isReporting)
    {
        throw std::logic_error("flowsim: the rate listener adds flow " + std::to_string(flow.id));
    }
    if (!(flow.bits > 0) || flow.bits == FlowsimMaxMinSolver::INFINITE)
    {
        throw std::invalid_argument("flowsim: flow " + std::to_string(flow.id) + " has " +
                                    std::to_string(flow.bits) + " bits");
    }
    const FlowSlot slot = m_solver.InsertFlow(flow.path.data(),
                                              static_cast<uint32_t>(flow.path.size()),
                                              flow.weight,
                                              flow.cap);
    m_needsSolve = true;
    m_nEvents++;
    if (slot >= m_flows.size())
    {
        m_flows.resize(slot + 1);
    }
    m_flows[slot].id = flow.id;
    m_flows[slot].cap = flow.cap;

    const PathGroupId id = m_solver.GetPathGroup(slot);
    if (id >= m_groups.size())
    {
        m_groups.resize(id + 1);
        m_inClass.resize(id + 1, FlowsimIndexedHeap::ABSENT);
    }
    PathGroup& group = m_groups[id];
    double received = 0;
    if (group.cls != NONE)
    {
        BringUpToDate(m_classes[group.cls]);
        received = m_classes[group.cls].service - group.offset;
        if (received > LARGEST_SERVICE)
        {
            for (Target& target : group.targets)
            {
                target.service -= received;
            }
            group.offset += received;
            received = 0;
        }
    }
    const double target = received + flow.bits / m_solver.GetQuanta(slot);
    group.targets.push_back({target, slot});
    std::push_heap(group.targets.begin(), group.targets.end());
    if (group.cls != NONE && group.targets.front().flow == slot)
    {
        m_classes[group.cls].groups.Set(id, target + group.offset, id, m_inClass);
        MarkStale(group.cls);
    }
    if (m_listener)
    {
        m_new.push_back(slot);
    }
    return slot;
}

FlowsimEngine::Removed
FlowsimEngine::Remove(FlowSlot slot)
{
    const PathGroupId id = m_solver.GetPathGroup(slot);
    PathGroup& group = m_groups[id];
    Class& cls = m_classes[group.cls];
    BringUpToDate(cls);
    const double received = cls.service - group.offset;
    const auto target =
        std::find_if(group.targets.begin(), group.targets.end(), [slot](const Target& each) {
            return each.flow == slot;
        });
    const double quanta = m_solver.GetQuanta(slot);
    Removed removed{m_flows[slot], {}};
    removed.arrival.id = m_flows[slot].id;
    // a flow that is due at this very time may have less than nothing left, by rounding
    removed.arrival.bits = std::max((target->service - received) * quanta, SMALLEST_BITS);
    removed.arrival.path = m_solver.GetPath(slot);
    removed.arrival.weight = quanta / QUANTA_PER_WEIGHT;
    removed.arrival.cap = m_flows[slot].cap;
    group.targets.erase(target);
    std::make_heap(group.targets.begin(), group.targets.end());
    MarkStale(group.cls);
    if (group.targets.empty())
    {
        cls.groups.Remove(id, m_inClass);
        group.cls = NONE;
        group.reportedLevel = -1;
    }
    else
    {
        cls.groups.Set(id, group.targets.front().service + group.offset, id, m_inClass);
    }
    m_solver.EraseFlow(slot);
    m_needsSolve = true;
    return removed;
}

FlowsimEngine::FlowSlot
FlowsimEngine::Restore(const Removed& removed)
{
    const FlowSlot slot = Start(removed.arrival);
    m_flows[slot] = removed.flow;
    m_flows[slot].cap = removed.arrival.cap;
    return slot;
}

FlowsimEngine::FlowSlot
FlowsimEngine::MoveFlow(FlowSlot flow, const std::vector<uint32_t>& path, double cap)
{
    const Guard guard(m_isRunning);
    UpdateAllocation(); // of flows added between runs
    Removed removed = Remove(flow);
    removed.arrival.path = path;
    removed.arrival.cap = cap;
    return Restore(removed);
}

double
FlowsimEngine::RemoveFlow(FlowSlot flow)
{
    const Guard guard(m_isRunning);
    UpdateAllocation(); // of flows added between runs
    return Remove(flow).arrival.bits;
}

void
FlowsimEngine::SetCapacity(uint32_t link, double capacity)
{
    const Guard guard(m_isRunning);
    UpdateAllocation();
    std::vector<FlowSlot> slots;
    for (const PathGroup& group : m_groups)
    {
        if (group.cls == NONE)
        {
            continue;
        }
        const std::vector<uint32_t> path = m_solver.GetPath(group.targets.front().flow);
        if (std::find(path.begin(), path.end(), link) != path.end())
        {
            for (const Target& target : group.targets)
            {
                slots.push_back(target.flow);
            }
        }
    }
    std::vector<Removed> removed;
    for (const FlowSlot slot : slots)
    {
        removed.push_back(Remove(slot));
    }
    m_solver.SetCapacity(link, capacity);
    // the latest slot that became free is the first that is used again
    for (std::size_t i = slots.size(); i-- > 0;)
    {
        if (Restore(removed[i]) != slots[i])
        {
            throw std::logic_error("flowsim: a flow has lost its slot");
        }
    }
}

void
FlowsimEngine::Run()
{
    RunUntil(std::numeric_limits<int64_t>::max());
    if (!m_schedule->IsEmpty())
    {
        DcnFail("flows would be in the fluid simulation for more than 292 years");
    }
}

void
FlowsimEngine::RunUntil(int64_t timeNs)
{
    const Guard guard(m_isRunning);
    if (static_cast<double>(timeNs - m_epochNs) < m_now)
    {
        throw std::invalid_argument("flowsim: cannot run until " + std::to_string(timeNs) +
                                    " ns, before the current time");
    }
    if (m_needsSolve)
    {
        UpdateAllocation(); // flows added between runs
    }
    Pull();
    for (;;)
    {
        const double end = static_cast<double>(timeNs - m_epochNs);
        const double arrival =
            m_hasPending ? static_cast<double>(m_pending.startNs - m_epochNs) : end;
        const bool arrives = m_hasPending && m_pending.startNs <= timeNs;
        const bool completes = !m_schedule->IsEmpty() && m_schedule->Top().key <= arrival &&
                               m_schedule->Top().key <= end;
        if (!arrives && !completes)
        {
            break;
        }
        AdvanceTo(completes ? m_schedule->Top().key : arrival);
        if (completes)
        {
            CompleteFlows();
        }
        AdmitArrivals();
        UpdateAllocation();
        PrefetchCompletions();
    }
    if (timeNs != std::numeric_limits<int64_t>::max())
    {
        AdvanceTo(static_cast<double>(timeNs - m_epochNs));
    }
}

void
FlowsimEngine::Pull()
{
    if (m_hasPending || !m_sourceOpen)
    {
        return;
    }
    m_hasPending = m_source(m_pending);
    m_sourceOpen = m_hasPending;
    if (m_hasPending && static_cast<double>(m_pending.startNs - m_epochNs) < m_now)
    {
        throw std::invalid_argument("flowsim: flow " + std::to_string(m_pending.id) +
                                    " starts at " + std::to_string(m_pending.startNs) +
                                    " ns, before the current time; flows must be in order");
    }
    if (m_hasPending)
    {
        m_solver.Prefetch(m_pending.path.data(),
                          static_cast<uint32_t>(m_pending.path.size()),
                          true);
    }
}

void
FlowsimEngine::Expect(const std::vector<uint32_t>& path) const
{
    m_solver.Prefetch(path.data(), static_cast<uint32_t>(path.size()), false);
}

void
FlowsimEngine::PrefetchCompletions()
{
    // The next completions are at the root of the heap and below it. A record points to the next
    // one, so that each level of the heap is a step ahead of the level above it.
    static constexpr std::size_t FIRST_GRANDCHILD = 3;
    static constexpr std::size_t GRANDCHILDREN_END = 7;
    const auto& items = m_schedule->GetItems();
    std::size_t i = std::min(items.size(), GRANDCHILDREN_END);
    while (i > FIRST_GRANDCHILD)
    {
        __builtin_prefetch(&m_classes[items[--i].id]);
    }
    while (i > 1)
    {
        const PathGroupId group = m_classes[items[--i].id].groups.Top().id;
        __builtin_prefetch(&m_groups[group]);
        m_solver.PrefetchPathGroup(group, 0);
    }
    if (i > 0)
    {
        const PathGroupId group = m_classes[items[0].id].groups.Top().id;
        m_nextStep = group == m_nextGroup ? m_nextStep + 1 : 1;
        m_nextGroup = group;
        m_solver.PrefetchPathGroup(group, m_nextStep);
    }
}

void
FlowsimEngine::AdvanceTo(double now)
{
    m_now = now;
    if (now < EPOCH_NS)
    {
        return;
    }
    // Only classes with flows store a time, and all of them are scheduled.
    const double shift = std::floor(now / EPOCH_NS) * EPOCH_NS;
    m_epochNs += static_cast<int64_t>(shift);
    m_now -= shift;
    for (const auto& item : m_schedule->GetItems())
    {
        m_classes[item.id].since -= shift;
    }
    m_schedule->Shift(shift);
}

void
FlowsimEngine::CompleteFlows()
{
    m_done.clear();
    while (!m_schedule->IsEmpty() && m_schedule->Top().key <= m_now)
    {
        CompleteClass(m_schedule->Top().id);
    }
    if (m_sink)
    {
        for (const auto& completion : m_done)
        {
            m_sink(completion);
        }
    }
}

void
FlowsimEngine::CompleteClass(ClassId id)
{
    Class& cls = m_classes[id];
    // Equal by construction of the schedule; the sum would have rounding errors.
    cls.service = cls.groups.Top().key;
    cls.since = m_now;
    while (!cls.groups.IsEmpty() && cls.groups.Top().key <= cls.service)
    {
        const PathGroupId b = cls.groups.Top().id;
        PathGroup& group = m_groups[b];
        const FlowSlot slot = group.targets.front().flow;
        std::pop_heap(group.targets.begin(), group.targets.end());
        group.targets.pop_back();
        if (group.targets.empty())
        {
            cls.groups.Remove(b, m_inClass);
            group.cls = NONE;
            group.reportedLevel = -1;
        }
        else
        {
            const double key = group.targets.front().service + group.offset;
            cls.groups.Set(b, key, b, m_inClass);
        }
        const Flow& flow = m_flows[slot];
        const double duration =
            static_cast<double>(m_epochNs - flow.startNs) + (m_now - flow.startFraction);
        m_done.push_back({flow.id, flow.startNs, flow.startFraction, duration});
        m_solver.EraseFlow(slot);
        m_needsSolve = true;
        m_nEvents++;
    }
    m_schedule->Remove(id, m_scheduled);
    MarkStale(id);
}

void
FlowsimEngine::AdmitArrivals()
{
    while (m_hasPending && static_cast<double>(m_pending.startNs - m_epochNs) <= m_now)
    {
        const FlowSlot slot = Start(m_pending);
        m_flows[slot].startNs = m_pending.startNs;
        m_flows[slot].startFraction = 0;
        m_hasPending = false;
        Pull();
    }
}

void
FlowsimEngine::UpdateAllocation()
{
    m_solver.Solve();
    m_needsSolve = false;
    if (m_classes.size() < m_solver.GetNClasses())
    {
        m_classes.resize(m_solver.GetNClasses());
        m_scheduled.resize(m_solver.GetNClasses(), FlowsimIndexedHeap::ABSENT);
    }
    // Path groups first: what they received so far was served at the old levels.
    for (PathGroupId group : m_solver.GetMovedPathGroups())
    {
        FollowPathGroup(group);
    }
    for (ClassId id : m_solver.GetChangedClasses())
    {
        Class& cls = m_classes[id];
        if (!cls.groups.IsEmpty())
        {
            BringUpToDate(cls);
            cls.level = m_solver.GetLevel(id) / NS_PER_S;
            m_nRateChanges++;
            MarkStale(id);
        }
    }
    for (ClassId id : m_stale)
    {
        Schedule(id);
    }
    m_stale.clear();
    if (m_listener)
    {
        ReportRates();
    }
}

void
FlowsimEngine::FollowPathGroup(PathGroupId id)
{
    PathGroup& group = m_groups[id];
    const ClassId to = m_solver.GetClass(id);
    if (to == NONE || to == group.cls)
    {
        return;
    }
    double received = 0;
    if (group.cls != NONE)
    {
        Class& from = m_classes[group.cls];
        BringUpToDate(from);
        received = from.service - group.offset;
        from.groups.Remove(id, m_inClass);
        MarkStale(group.cls);
        m_nRateChanges++;
    }
    Class& cls = m_classes[to];
    if (cls.groups.IsEmpty())
    {
        cls.service = 0;
        cls.since = m_now;
        cls.level = m_solver.GetLevel(to) / NS_PER_S;
    }
    BringUpToDate(cls);
    group.cls = to;
    group.offset = cls.service - received;
    cls.groups.Set(id, group.targets.front().service + group.offset, id, m_inClass);
    MarkStale(to);
}

void
FlowsimEngine::Schedule(ClassId id)
{
    Class& cls = m_classes[id];
    cls.stale = false;
    if (cls.groups.IsEmpty())
    {
        if (m_scheduled[id] != FlowsimIndexedHeap::ABSENT)
        {
            m_schedule->Remove(id, m_scheduled);
        }
        return;
    }
    BringUpToDate(cls);
    const double left = std::max(0.0, cls.groups.Top().key - cls.service);
    m_schedule->Set(id, m_now + left / cls.level, m_solver.GetLink(id), m_scheduled);
}

double
FlowsimEngine::GetService(const Class& cls) const
{
    return cls.service + cls.level * (m_now - cls.since);
}

void
FlowsimEngine::BringUpToDate(Class& cls)
{
    cls.service = GetService(cls);
    cls.since = m_now;
    if (cls.service > LARGEST_SERVICE)
    {
        for (const auto& item : cls.groups.GetItems())
        {
            m_groups[item.id].offset -= cls.service;
        }
        cls.groups.Shift(cls.service);
        cls.service = 0;
    }
}

void
FlowsimEngine::MarkStale(ClassId id)
{
    if (!m_classes[id].stale)
    {
        m_classes[id].stale = true;
        m_stale.push_back(id);
    }
}

void
FlowsimEngine::ReportRates()
{
    const Guard guard(m_isReporting);
    for (FlowSlot slot : m_new)
    {
        // A path group with older flows may keep its level: only the new flow is reported.
        const PathGroup& group = m_groups[m_solver.GetPathGroup(slot)];
        if (group.reportedLevel == m_solver.GetLevel(group.cls))
        {
            m_listener(m_flows[slot].id, m_solver.GetRate(slot));
        }
    }
    m_new.clear();
    for (PathGroupId group : m_solver.GetMovedPathGroups())
    {
        ReportPathGroup(group);
    }
    for (ClassId id : m_solver.GetChangedClasses())
    {
        for (const auto& item : m_classes[id].groups.GetItems())
        {
            ReportPathGroup(item.id);
        }
    }
}

void
FlowsimEngine::ReportPathGroup(PathGroupId id)
{
    PathGroup& group = m_groups[id];
    if (group.cls == NONE || group.reportedLevel == m_solver.GetLevel(group.cls))
    {
        return;
    }
    group.reportedLevel = m_solver.GetLevel(group.cls);
    for (const Target& target : group.targets)
    {
        m_listener(m_flows[target.flow].id, m_solver.GetRate(target.flow));
    }
}

double
FlowsimEngine::GetNowNs() const
{
    return static_cast<double>(m_epochNs) + m_now;
}

int64_t
FlowsimEngine::GetNextCompletionNs()
{
    const Guard guard(m_isRunning);
    if (m_needsSolve)
    {
        UpdateAllocation();
    }
    constexpr int64_t NEVER = std::numeric_limits<int64_t>::max();
    if (m_schedule->IsEmpty() || m_schedule->Top().key >= static_cast<double>(NEVER - m_epochNs))
    {
        return NEVER;
    }
    return m_epochNs + static_cast<int64_t>(std::ceil(m_schedule->Top().key));
}

double
FlowsimEngine::GetRate(FlowSlot flow) const
{
    return m_solver.GetRate(flow);
}

void
FlowsimEngine::VisitFlows(const FlowVisitor& visitor) const
{
    for (const PathGroup& group : m_groups)
    {
        if (group.cls == NONE)
        {
            continue;
        }
        const double received = GetService(m_classes[group.cls]) - group.offset;
        for (const Target& target : group.targets)
        {
            visitor(m_flows[target.flow].id,
                    m_solver.GetRate(target.flow),
                    (target.service - received) * m_solver.GetQuanta(target.flow));
        }
    }
}

uint64_t
FlowsimEngine::GetNEvents() const
{
    return m_nEvents;
}

uint64_t
FlowsimEngine::GetNRateChanges() const
{
    return m_nRateChanges;
}

const FlowsimMaxMinSolver&
FlowsimEngine::GetSolver() const
{
    return m_solver;
}

} // namespace ns3

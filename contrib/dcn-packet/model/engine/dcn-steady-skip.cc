/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "dcn-steady-skip.h"

#include "dcn-flow-owner.h"
#include "dcn-host-device.h"
#include "dcn-packet-flow.h"
#include "dcn-switch-device.h"

#include "ns3/dcn-error.h"
#include "ns3/dcn-topology.h"
#include "ns3/dcn-units.h"
#include "ns3/log.h"
#include "ns3/node.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <unordered_map>
#include <utility>

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("DcnSteadySkip");

namespace
{

constexpr uint32_t NO_LINK = std::numeric_limits<uint32_t>::max(); //!< after all others

} // namespace

DcnSteadySkip::DcnSteadySkip(DcnFlowOwner& owner,
                             const std::vector<Ptr<DcnPacketDevice>>& devices,
                             int64_t packetNs,
                             uint32_t frameBytes,
                             double tolerance)
    : m_owner(owner),
      m_pollNs(SHORT_PACKETS * packetNs),
      m_frameBytes(frameBytes),
      m_tolerance(tolerance)
{
    std::unordered_map<const DcnPacketSwitch*, uint32_t> numbers;
    for (const auto& device : devices)
    {
        m_linkOf[PeekPointer(device)] = static_cast<uint32_t>(m_devices.size());
        m_devices.push_back(PeekPointer(device));
        if (device->IsHost())
        {
            m_hosts.push_back(static_cast<const DcnHostDevice*>(PeekPointer(device)));
            m_switchOf.push_back(0); // of no use
            continue;
        }
        auto* port = static_cast<DcnSwitchDevice*>(PeekPointer(device));
        const auto [position, isNew] =
            numbers.emplace(port->GetSwitch(), static_cast<uint32_t>(m_switches.size()));
        if (isNew)
        {
            m_switches.emplace_back();
            m_switches.back().device = port->GetSwitch();
        }
        m_switchOf.push_back(position->second);
        auto& ports = m_switches[position->second].ports;
        ports.resize(std::max<std::size_t>(ports.size(), port->GetPort() + 1));
        ports[port->GetPort()] = port;
    }
    for (Switch& forwarder : m_switches)
    {
        forwarder.mostBytes.resize(forwarder.ports.size());
    }
    m_levels.assign(m_devices.size(), 0);
    m_parents.resize(m_devices.size());
}

DcnSteadySkip::~DcnSteadySkip()
{
    for (DcnPacketDevice* device : m_devices)
    {
        device->SetSkipPart(nullptr);
    }
}

void
DcnSteadySkip::CheckListeners() const
{
    for (const DcnPacketDevice* device : m_devices)
    {
        if (device->HasFrameListener())
        {
            DcnFail("node ",
                    device->GetNode()->GetId(),
                    " traces every frame (PhyTxBegin, PhyRxEnd, pcap or ascii traces), but Skip "
                    "leaves frames out: take Skip=false, or no such trace");
        }
    }
}

void
DcnSteadySkip::Begin()
{
    if (!m_hasBegun)
    {
        CheckListeners();
        m_hasBegun = true;
    }
}

DcnSteadySkip::Group*
DcnSteadySkip::GetGroup(const DcnPacketDevice* device) const
{
    return static_cast<Group*>(device->GetSkipPart());
}

std::vector<uint32_t>
DcnSteadySkip::GetLinks(const DcnPacketFlow& flow) const
{
    std::vector<uint32_t> links{m_linkOf.at(flow.GetSource())};
    for (const DcnSwitchDevice* port : flow.GetForward())
    {
        if (port)
        {
            links.push_back(m_linkOf.at(port));
        }
    }
    return links;
}

void
DcnSteadySkip::AddFrames(const DcnPacketFlow& flow, uint64_t frames, bool isAdded)
{
    const std::vector<uint32_t> links = GetLinks(flow);
    const bool isBounded = frames != std::numeric_limits<uint64_t>::max();
    const uint64_t bytes = isBounded ? frames * m_frameBytes : 0;
    const auto add = [isAdded](uint64_t& sum, uint64_t term) { sum += isAdded ? term : -term; };
    for (std::size_t i = 1; i < links.size(); ++i)
    {
        // data come from the link before, acknowledgements from the link behind the switch
        Switch& forwarder = m_switches[m_switchOf[links[i]]];
        const auto* before =
            static_cast<const DcnSwitchDevice*>(m_devices[DcnTopology::Reverse(links[i - 1])]);
        const auto* behind = static_cast<const DcnSwitchDevice*>(m_devices[links[i]]);
        add(forwarder.mostBytes[before->GetPort()], bytes);
        add(forwarder.mostBytes[behind->GetPort()], bytes);
        add(forwarder.mostOfAll, bytes);
        add(forwarder.nUnbounded, isBounded ? 0 : 1);
    }
}

void
DcnSteadySkip::Count(const DcnPacketFlow& flow)
{
    Forget(flow);
    const uint64_t frames = flow.GetMostFrames();
    m_counted[&flow] = frames;
    AddFrames(flow, frames, true);
}

void
DcnSteadySkip::Forget(const DcnPacketFlow& flow)
{
    const auto counted = m_counted.find(&flow);
    if (counted != m_counted.end())
    {
        AddFrames(flow, counted->second, false);
        m_counted.erase(counted);
    }
}

bool
DcnSteadySkip::CanFill(const Switch& forwarder) const
{
    return m_owner.events.HasLost() || forwarder.nUnbounded > 0 ||
           !forwarder.device->HasRoomFor(forwarder.mostBytes, forwarder.mostOfAll);
}

void
DcnSteadySkip::TouchGroup(Group& group)
{
    Resume(group, false);
    ++group.nChanges;
}

int64_t
DcnSteadySkip::GetLookNs(int32_t level) const
{
    int64_t k = 1;
    for (; level > 0 && k < MOST_PATIENCE; --level)
    {
        k *= 2;
    }
    return k * m_pollNs;
}

void
DcnSteadySkip::Touch(const DcnPacketFlow& flow)
{
    m_nStill = 0;
    int32_t level = -CREDIT;
    const std::vector<uint32_t> links = GetLinks(flow);
    for (uint32_t link : links)
    {
        Group* group = GetGroup(m_devices[link]);
        level = std::max(level, group ? group->level : m_levels[link]);
        if (group)
        {
            TouchGroup(*group);
        }
    }
    Count(flow);
    for (std::size_t i = 1; i < links.size(); ++i)
    {
        Switch& forwarder = m_switches[m_switchOf[links[i]]];
        if (!forwarder.isCoupled && CanFill(forwarder))
        {
            forwarder.isCoupled = true;
            for (const DcnSwitchDevice* port : forwarder.ports)
            {
                if (Group* group = GetGroup(port))
                {
                    TouchGroup(*group);
                }
            }
        }
    }
    const int64_t nowNs = m_owner.events.GetNowNs();
    m_regroupNs = std::min(m_regroupNs, nowNs + GetLookNs(level));
    Plan(m_regroupNs);
}

void
DcnSteadySkip::TouchAll()
{
    for (const auto& group : m_groups)
    {
        TouchGroup(*group);
    }
}

void
DcnSteadySkip::ResumeAll()
{
    for (const auto& group : m_groups)
    {
        Resume(*group, false);
    }
}

void
DcnSteadySkip::Plan(int64_t atNs)
{
    if (m_isPlanned && m_eventNs <= atNs)
    {
        return;
    }
    m_isPlanned = true;
    m_eventNs = atNs;
    m_nPlans = (m_nPlans + 1) & DcnWindowEvent::MAX_NUMBER;
    // a look that was due while nothing moved comes now
    const int64_t lookNs = std::max(m_owner.events.GetNowNs(), atNs);
    m_owner.events.ScheduleFlow(DcnPacketEventKind::LOOK, nullptr, m_nPlans, 0, lookNs);
}

void
DcnSteadySkip::OnLook(uint64_t number)
{
    if (m_isPlanned && number == m_nPlans) // else another one was planned in its place
    {
        Poll();
    }
}

void
DcnSteadySkip::Poll()
{
    static constexpr uint32_t MOST_STILL = 1000;
    m_isPlanned = false;
    const int64_t nowNs = m_owner.events.GetNowNs();
    m_nStill = m_owner.pool.GetNTravelling() > 0 ? 0 : m_nStill + 1;
    if (m_nStill > MOST_STILL)
    {
        return; // nothing moves: the next flow begins to look again
    }
    for (const auto& group : m_groups)
    {
        if (group->lookNs <= nowNs)
        {
            Look(*group, nowNs);
        }
    }
    if (m_regroupNs <= nowNs)
    {
        Regroup(nowNs);
    }
    int64_t nextNs = m_regroupNs;
    for (const auto& group : m_groups)
    {
        nextNs = std::min(nextNs, group->lookNs);
    }
    if (nextNs != NEVER) // else the next flow begins to look again
    {
        Plan(nextNs);
    }
}

uint32_t
DcnSteadySkip::FindRoot(uint32_t link)
{
    while (m_parents[link] != link)
    {
        m_parents[link] = m_parents[m_parents[link]];
        link = m_parents[link];
    }
    return link;
}

void
DcnSteadySkip::Dissolve(Group& group)
{
    Resume(group, false);
    // where flows change before a steady state is found, the next one is looked for later
    const int32_t level = group.nChanges == 0 ? group.level
                          : group.hasSkipped  ? -CREDIT
                                              : std::min(CREDIT, group.level + 1);
    for (DcnPacketDevice* device : group.devices)
    {
        m_levels[m_linkOf.at(device)] = level;
        device->SetSkipPart(nullptr);
    }
}

void
DcnSteadySkip::Regroup(int64_t nowNs)
{
    m_regroupNs = NEVER;
    // flows, their links, and what they may leave in switches
    std::vector<std::pair<DcnPacketFlow*, std::vector<uint32_t>>> flows;
    m_counted.clear();
    for (Switch& forwarder : m_switches)
    {
        std::fill(forwarder.mostBytes.begin(), forwarder.mostBytes.end(), 0);
        forwarder.mostOfAll = 0;
        forwarder.nUnbounded = 0;
        forwarder.firstLink = NO_LINK;
    }
    for (const DcnHostDevice* host : m_hosts)
    {
        for (DcnPacketFlow* flow : host->GetFlows())
        {
            flows.emplace_back(flow, GetLinks(*flow));
            Count(*flow);
        }
    }
    // sets of links: those of a flow, and those at a switch that can fill; both directions are one
    std::iota(m_parents.begin(), m_parents.end(), 0);
    const auto join = [this](uint32_t a, uint32_t b) { m_parents[FindRoot(a)] = FindRoot(b); };
    for (Switch& forwarder : m_switches)
    {
        forwarder.isCoupled = CanFill(forwarder);
    }
    for (const auto& [flow, links] : flows)
    {
        for (std::size_t i = 0; i < links.size(); ++i)
        {
            join(links[i], links[0]);
            join(DcnTopology::Reverse(links[i]), links[0]);
            Switch& forwarder = m_switches[m_switchOf[links[i]]];
            if (i > 0 && forwarder.isCoupled)
            {
                forwarder.firstLink =
                    forwarder.firstLink == NO_LINK ? links[0] : forwarder.firstLink;
                join(links[0], forwarder.firstLink);
            }
        }
    }
    // a group stays if nothing has changed in it, and nothing has come to it
    for (const auto& group : m_groups)
    {
        group->nMembers = 0;
    }
    std::vector<Group*> before(m_devices.size(), nullptr); // by root, null: new or changed
    std::vector<bool> isSeen(m_devices.size(), false);
    for (const auto& [flow, links] : flows)
    {
        const uint32_t root = FindRoot(links[0]);
        Group* group = GetGroup(m_devices[links[0]]);
        group = group && group->nChanges == 0 ? group : nullptr;
        if (isSeen[root] && before[root] != group)
        {
            before[root] = nullptr;
        }
        else if (!isSeen[root])
        {
            before[root] = group;
        }
        isSeen[root] = true;
    }
    for (const auto& [flow, links] : flows)
    {
        if (Group* group = before[FindRoot(links[0])])
        {
            ++group->nMembers;
        }
    }
    const auto stays = [](const std::unique_ptr<Group>& group) {
        return group->nMembers > 0 && group->nMembers == group->flows.size();
    };
    const auto firstGone = std::stable_partition(m_groups.begin(), m_groups.end(), stays);
    for (auto group = firstGone; group != m_groups.end(); ++group)
    {
        Dissolve(**group);
    }
    m_groups.erase(firstGone, m_groups.end());
    // the others are new
    std::vector<Group*> groups(m_devices.size(), nullptr); // by root
    for (const auto& [flow, links] : flows)
    {
        const uint32_t root = FindRoot(links[0]);
        if (!groups[root] && GetGroup(m_devices[links[0]]))
        {
            continue; // it has stayed
        }
        if (!groups[root])
        {
            m_groups.push_back(std::make_unique<Group>());
            groups[root] = m_groups.back().get();
        }
        Group& group = *groups[root];
        group.flows.push_back({flow, 0, {}, 0, 0, UNKNOWN});
        for (uint32_t link : links)
        {
            for (uint32_t direction : {link, DcnTopology::Reverse(link)})
            {
                DcnPacketDevice* device = m_devices[direction];
                if (!device->GetSkipPart())
                {
                    device->SetSkipPart(&group);
                    group.devices.push_back(device);
                    group.level = std::max(group.level, m_levels[direction]);
                    if (!device->IsHost())
                    {
                        group.ports.push_back(static_cast<DcnSwitchDevice*>(device));
                    }
                }
            }
        }
    }
    for (const auto& group : m_groups)
    {
        if (group->lookNs == NEVER)
        {
            Refill(*group, nowNs);
        }
    }
}

void
DcnSteadySkip::Refill(Group& group, int64_t nowNs) const
{
    group.phase = Phase::FILLING;
    group.nFilled = 0;
    for (Watched& watched : group.flows)
    {
        watched.need = watched.flow->GetNext();
        watched.heldBytes = UNKNOWN;
    }
    group.lookNs = nowNs + GetLookNs(group.level);
}

void
DcnSteadySkip::Look(Group& group, int64_t nowNs)
{
    if (group.isFrozen)
    {
        Resume(group, true);
        return;
    }
    if (group.nChanges > 0)
    {
        group.lookNs = NEVER;
        m_regroupNs = nowNs;
        return;
    }
    switch (group.phase)
    {
    case Phase::FILLING:
        group.level = std::min(group.level, 0); // nothing has changed
        while (group.nFilled < group.flows.size() &&
               group.flows[group.nFilled].flow->GetUnacknowledged() >=
                   group.flows[group.nFilled].need)
        {
            ++group.nFilled;
        }
        if (group.nFilled == group.flows.size())
        {
            group.windowNs = m_pollNs;
            BeginWindow(group, nowNs);
            return;
        }
        group.lookNs = nowNs + GetLookNs(group.level);
        return;
    case Phase::ENDING: {
        const double untilNs = GetLongestSkipNs(group);
        if (untilNs >= static_cast<double>(2 * group.windowNs))
        {
            Refill(group, nowNs); // the next message of a connection has begun
            return;
        }
        group.lookNs =
            nowNs + std::clamp(static_cast<int64_t>(untilNs), m_pollNs, MOST_POLLS * m_pollNs);
        return;
    }
    case Phase::MEASURING:
        if (nowNs >= GetNextMarkNs(group))
        {
            SetMark(group, group.nextMark, nowNs);
            if (group.nextMark == QUARTERS)
            {
                TrySkip(group, nowNs);
                return;
            }
            ++group.nextMark;
        }
        PlanMark(group, nowNs);
        return;
    }
}

void
DcnSteadySkip::PlanMark(Group& group, int64_t nowNs) const
{
    // a change is to be seen before a long window ends
    group.lookNs = std::min(GetNextMarkNs(group), nowNs + MOST_POLLS * m_pollNs);
}

int64_t
DcnSteadySkip::GetNextMarkNs(const Group& group)
{
    return group.markNs[0] + static_cast<int64_t>(group.nextMark) * group.windowNs * 2 / QUARTERS;
}

void
DcnSteadySkip::BeginWindow(Group& group, int64_t nowNs) const
{
    group.phase = Phase::MEASURING;
    SetMark(group, 0, nowNs);
    group.nextMark = 1;
    PlanMark(group, nowNs);
}

void
DcnSteadySkip::SetMark(Group& group, std::size_t mark, int64_t nowNs)
{
    group.markNs[mark] = nowNs;
    for (Watched& watched : group.flows)
    {
        const DcnPacketFlow& flow = *watched.flow;
        watched.marks[mark] = {flow.GetUnacknowledged(),
                               flow.GetNext(),
                               flow.GetProgressNs(),
                               flow.GetRate()};
        if (watched.heldBytes == UNKNOWN)
        {
            watched.heldBytes = static_cast<double>(flow.GetNext() - flow.GetUnacknowledged());
        }
    }
    group.marks[mark].clear();
    for (const DcnSwitchDevice* port : group.ports)
    {
        group.marks[mark].push_back(port->GetNMarked());
    }
}

bool
DcnSteadySkip::IsQuiet(const Group& group)
{
    if (group.marks.front() != group.marks.back())
    {
        return false;
    }
    return std::all_of(group.flows.begin(), group.flows.end(), [](const Watched& watched) {
        const uint64_t maxRateBps = watched.flow->GetMaxRate();
        return std::all_of(watched.marks.begin(),
                           watched.marks.end(),
                           [maxRateBps](const Mark& mark) { return mark.rateBps == maxRateBps; });
    });
}

double
DcnSteadySkip::GetPacketNs(const DcnPacketFlow& flow) const
{
    const DcnNetworkParameters& network = *m_owner.parameters;
    const uint32_t wireBytes = network.payloadBytes + m_owner.wireFormat.dataHeaderBytes;
    return network.timeGrainNs > 0
               ? static_cast<double>(DcnSerializationNs(wireBytes, flow.GetMaxRate()))
               : 8e9 * wireBytes / static_cast<double>(flow.GetMaxRate());
}

bool
DcnSteadySkip::IsSteady(Group& group) const
{
    const auto rate = [](const Mark& from, const Mark& to) {
        return static_cast<double>(to.acknowledged - from.acknowledged) /
               static_cast<double>(to.progressNs - from.progressNs);
    };
    const double packet = m_owner.parameters->payloadBytes;
    double sum = 0;
    std::array<double, QUARTERS> quarters{}; // sums of rates
    for (Watched& watched : group.flows)
    {
        const auto& marks = watched.marks;
        const auto& [first, early, second, late, third] = marks;
        if (second.acknowledged == first.acknowledged || third.acknowledged == second.acknowledged)
        {
            return false;
        }
        watched.rate = rate(first, third); // (1)
        const double ownRate = packet / GetPacketNs(*watched.flow);
        const auto measuredNs = static_cast<double>(third.progressNs - first.progressNs);
        if (group.isQuiet && std::abs(ownRate / watched.rate - 1) * measuredNs <= 1)
        {
            watched.rate = ownRate; // (1b)
        }
        const double before = static_cast<double>(first.sent - first.acknowledged);
        const double after = static_cast<double>(third.sent - third.acknowledged);
        const double bytes = static_cast<double>(third.acknowledged - first.acknowledged);
        if (std::abs(rate(first, second) - rate(second, third)) > m_tolerance * watched.rate ||
            std::abs(after - before) > std::max(2 * packet, m_tolerance * bytes) ||
            (group.isQuiet && std::abs(after - watched.heldBytes) > packet)) // (2), (3), (3b)
        {
            return false;
        }
        sum += watched.rate;
        const bool isSlow =
            early.acknowledged == first.acknowledged || late.acknowledged == second.acknowledged ||
            second.acknowledged == early.acknowledged || third.acknowledged == late.acknowledged;
        for (std::size_t quarter = 0; quarter < QUARTERS; ++quarter)
        {
            quarters[quarter] += isSlow ? watched.rate : rate(marks[quarter], marks[quarter + 1]);
        }
    }
    if (group.isQuiet)
    {
        return !IsOverloaded(group);
    }
    const bool hasTrend = std::is_sorted(quarters.begin(), quarters.end()) ||
                          std::is_sorted(quarters.rbegin(), quarters.rend());
    const double change = std::abs(quarters.back() - quarters.front());
    return !hasTrend || SHORT_STRETCH * change <= m_tolerance * sum; // (2b)
}

bool
DcnSteadySkip::IsOverloaded(const Group& group) const
{
    const DcnNetworkParameters& network = *m_owner.parameters;
    const uint32_t ackBytes = m_owner.wireFormat.ackBytes;
    const uint32_t wireBytes = network.payloadBytes + m_owner.wireFormat.dataHeaderBytes;
    const auto time = [](uint32_t bytes, uint64_t rateBps) {
        return 8e9 * bytes / static_cast<double>(rateBps);
    };
    const auto packetsPerNs = [&network](const Watched& watched) {
        return watched.rate / network.payloadBytes;
    };
    const auto isHeld = [&network](const Watched& watched) {
        const Mark& last = watched.marks.back();
        return last.sent - last.acknowledged + 2 * uint64_t{network.payloadBytes} >
               watched.flow->GetWindow();
    };

    /// Shares of the time of a host's link.
    struct Load
    {
        double held{0};  //!< acknowledgements, and flows that wait for their windows
        double paced{0}; //!< the others would take
    };

    std::unordered_map<const DcnPacketDevice*, Load> hosts;
    for (const Watched& watched : group.flows)
    {
        const DcnHostDevice* sink = watched.flow->GetSink();
        const DcnHostDevice* source = watched.flow->GetSource();
        hosts[sink].held += packetsPerNs(watched) * time(ackBytes, sink->GetRateBps());
        const double packetNs = time(wireBytes, source->GetRateBps());
        if (isHeld(watched))
        {
            hosts[source].held += packetsPerNs(watched) * packetNs;
        }
        else
        {
            hosts[source].paced += packetNs / time(wireBytes, watched.flow->GetRate());
        }
    }
    std::unordered_map<const DcnPacketDevice*, std::pair<double, bool>> ports; // U_p, any paced
    for (const Watched& watched : group.flows)
    {
        const bool isPaced = !isHeld(watched);
        const double measured = (1 - m_tolerance) * packetsPerNs(watched);
        double offered = measured;
        if (isPaced)
        {
            const Load& load = hosts[watched.flow->GetSource()];
            offered = std::clamp((1 - load.held) / load.paced, 0.0, 1.0) /
                      time(wireBytes, watched.flow->GetRate());
        }
        for (const DcnSwitchDevice* port : watched.flow->GetForward())
        {
            if (port)
            {
                ports[port].first += offered * time(wireBytes, port->GetRateBps());
                ports[port].second = ports[port].second || isPaced;
            }
        }
        for (const DcnSwitchDevice* port : watched.flow->GetReverse())
        {
            if (port)
            {
                ports[port].first += measured * time(ackBytes, port->GetRateBps());
            }
        }
    }
    return std::any_of(ports.begin(), ports.end(), [](const auto& port) {
        return port.second.second && port.second.first > 1 + ROUNDING; // (3c)
    });
}

void
DcnSteadySkip::TrySkip(Group& group, int64_t nowNs)
{
    group.isQuiet = IsQuiet(group);
    int64_t roundNs = 0;
    for (const Watched& watched : group.flows)
    {
        roundNs = std::max(roundNs, watched.flow->GetPathRttNs());
    }
    const DcnNetworkParameters& network = *m_owner.parameters;
    if (const auto getPeriodNs = DcnCongestionControl::GetTraits(network).longestPeriodNs)
    {
        roundNs = std::max(roundNs, getPeriodNs(network));
    }
    if (!group.isQuiet && group.windowNs < ROUNDS * roundNs)
    {
        group.windowNs = ROUNDS * roundNs;
        BeginWindow(group, nowNs);
        return;
    }
    if (!IsSteady(group))
    {
        // twice as long, and without the first half, which a change before it may have shaped
        group.windowNs *= 2;
        for (Watched& watched : group.flows)
        {
            const Mark& last = watched.marks.back();
            watched.heldBytes = static_cast<double>(last.sent - last.acknowledged);
            watched.marks[0] = watched.marks[QUARTERS / 2];
            watched.marks[1] = watched.marks[QUARTERS];
        }
        group.markNs[0] = group.markNs[QUARTERS / 2];
        group.markNs[1] = group.markNs[QUARTERS];
        group.marks[0] = group.marks[QUARTERS / 2];
        group.marks[1] = group.marks[QUARTERS];
        group.nextMark = 2;
        PlanMark(group, nowNs);
        return;
    }
    const double skipNs = GetLongestSkipNs(group);
    const int64_t measuredNs = group.markNs.back() - group.markNs.front();
    const int64_t longestNs = (group.isQuiet ? LONG_STRETCH : SHORT_STRETCH) * measuredNs;
    group.isStretched = skipNs > static_cast<double>(longestNs);
    // whole packets of a flow that is alone in its group
    const Watched& one = group.flows.front();
    const double packetNs = network.payloadBytes / one.rate;
    const int64_t untilNs =
        group.isStretched
            ? std::llround(std::floor(static_cast<double>(longestNs) / packetNs) * packetNs)
            : std::llround(skipNs);
    if (untilNs < measuredNs)
    {
        group.phase = Phase::ENDING; // a flow or message ends soon
        group.lookNs = nowNs + m_pollNs;
        return;
    }
    NS_LOG_INFO("skip of up to " << untilNs << " ns with " << group.flows.size() << " of "
                                 << m_counted.size() << " flows");
    m_owner.events.Freeze(group, nowNs);
    group.lookNs = nowNs + untilNs;
    group.hasSkipped = true;
    group.level = -CREDIT;
    ++m_nSkips;
    m_sinceNs = m_nFrozen++ == 0 ? nowNs : m_sinceNs;
}

double
DcnSteadySkip::GetLongestSkipNs(const Group& group) const
{
    const double packet = m_owner.parameters->payloadBytes;
    double skipNs = std::numeric_limits<double>::max();
    for (const Watched& watched : group.flows)
    {
        const auto packets = static_cast<double>(watched.flow->GetSkippablePackets());
        skipNs = std::min(skipNs, packets * packet / watched.rate);
    }
    return skipNs;
}

void
DcnSteadySkip::CountSkipped(const DcnPacketFlow& flow, uint64_t packets) const
{
    const uint32_t ackBytes = m_owner.wireFormat.ackBytes;
    const uint32_t wireBytes =
        m_owner.parameters->payloadBytes + m_owner.wireFormat.dataHeaderBytes;
    flow.GetSource()->Skip(packets, wireBytes, true);
    flow.GetSink()->Skip(packets, ackBytes, false);
    for (DcnSwitchDevice* port : flow.GetForward())
    {
        if (port)
        {
            port->SkipQueued(packets, wireBytes, true);
        }
    }
    for (DcnSwitchDevice* port : flow.GetReverse())
    {
        if (port && m_owner.parameters->ackHighPriority)
        {
            port->Skip(packets, ackBytes, false);
        }
        else if (port)
        {
            port->SkipQueued(packets, ackBytes, false);
        }
    }
}

void
DcnSteadySkip::Resume(Group& group, bool isEnd)
{
    if (!group.isFrozen)
    {
        return;
    }
    const int64_t nowNs = m_owner.events.GetNowNs();
    const int64_t skippedNs = nowNs - group.frozenNs;
    const double packet = m_owner.parameters->payloadBytes;
    for (DcnPacketDevice* device : group.devices)
    {
        device->Translate(skippedNs);
    }
    for (Watched& watched : group.flows)
    {
        const double packets =
            std::round(watched.rate * static_cast<double>(skippedNs) / packet); // (4)
        watched.packets =
            std::min(static_cast<uint64_t>(packets), watched.flow->GetSkippablePackets());
        CountSkipped(*watched.flow, watched.packets);
    }
    const double windows = static_cast<double>(skippedNs) /
                           static_cast<double>(group.markNs.back() - group.markNs.front());
    for (std::size_t i = 0; i < group.ports.size(); ++i)
    {
        const auto marks = static_cast<double>(group.marks.back()[i] - group.marks.front()[i]);
        group.ports[i]->EndSkip(group.frozenNs, static_cast<uint64_t>(std::round(marks * windows)));
    }
    std::unordered_map<const DcnPacketFlow*, std::vector<DcnFrame*>> frames;
    for (const DcnWindowEvent& event : group.events)
    {
        if (event.frame)
        {
            frames[event.frame->flow].push_back(event.frame);
        }
    }
    for (const DcnPacketDevice* device : group.devices)
    {
        for (DcnFrame* frame : device->GetWaiting())
        {
            frames[frame->flow].push_back(frame);
        }
    }
    m_owner.events.Thaw(group, nowNs);
    for (const Watched& watched : group.flows)
    {
        std::vector<uint64_t> txBytes;
        for (const DcnSwitchDevice* port : watched.flow->GetForward())
        {
            txBytes.push_back(port ? port->GetSkippedTxBytes() : 0);
        }
        const DcnTranslation by{skippedNs,
                                watched.packets * m_owner.parameters->payloadBytes,
                                txBytes.data(),
                                group.marks.front() == group.marks.back()};
        for (DcnFrame* frame : frames[watched.flow])
        {
            frame->sequence += by.bytes;
            frame->sentNs += by.timeNs;
            if (frame->telemetry)
            {
                frame->telemetry->Translate(by);
            }
        }
        watched.flow->Translate(by);
    }
    m_skippedNs += --m_nFrozen == 0 ? nowNs - m_sinceNs : 0;
    NS_LOG_INFO("skipped " << skippedNs << " ns");
    if (isEnd && !group.isStretched)
    {
        group.phase = Phase::ENDING; // of a flow or message
        group.lookNs = nowNs + m_pollNs;
        return;
    }
    BeginWindow(group, nowNs);
    if (!isEnd)
    {
        Plan(group.lookNs);
    }
}

} // namespace ns3

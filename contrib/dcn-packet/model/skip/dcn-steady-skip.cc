/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "dcn-steady-skip.h"

#include "../congestion/dcn-replayable-control.h"
#include "../engine/dcn-flow-owner.h"
#include "../engine/dcn-host-device.h"
#include "../engine/dcn-packet-flow.h"
#include "../engine/dcn-switch-device.h"
#include "dcn-offered-load.h"

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

/// @return plain pointers
std::vector<DcnPacketDevice*>
GetPointers(const std::vector<Ptr<DcnPacketDevice>>& devices)
{
    std::vector<DcnPacketDevice*> pointers;
    for (const auto& device : devices)
    {
        pointers.push_back(PeekPointer(device));
    }
    return pointers;
}

} // namespace

DcnSteadySkip::DcnSteadySkip(DcnFlowOwner& owner,
                             const std::vector<Ptr<DcnPacketDevice>>& devices,
                             int64_t packetNs,
                             uint32_t frameBytes,
                             double tolerance)
    : m_owner(owner),
      m_devices(GetPointers(devices)),
      m_bounds(owner, m_devices, frameBytes),
      m_isCoupled(m_bounds.GetNSwitches(), false),
      m_pollNs(SHORT_PACKETS * packetNs),
      m_tolerance(tolerance),
      m_levels(devices.size(), 0),
      m_parents(devices.size())
{
    for (uint32_t link = 0; link < m_devices.size(); ++link)
    {
        m_linkOf[m_devices[link]] = link;
        if (m_devices[link]->IsHost())
        {
            m_hosts.push_back(static_cast<const DcnHostDevice*>(m_devices[link]));
        }
    }
}

DcnSteadySkip::~DcnSteadySkip()
{
    for (DcnPacketDevice* device : m_devices)
    {
        device->SetSkipPart(nullptr);
    }
}

void
DcnSteadySkip::CheckPossible(const DcnNetworkConfig& config)
{
    for (const auto& [name, isSet] : {std::pair("load_balancing", config.HasManyPaths()),
                                      std::pair("selective_repeat", config.selectiveRepeat)})
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
    const auto control = DcnCongestionControl::Create(config, 1'000'000'000, 1);
    if (!control->AsReplayable() || !control->AsReplayable()->Translate({0, 0, nullptr, false}))
    {
        DcnFail("Skip needs DcnReplayableControl::Translate, but ",
                config.congestionControl,
                " does not have it: take Skip=false, or another congestion control");
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
    std::vector<uint32_t> links{m_linkOf.at(flow.GetPath().source)};
    for (const DcnSwitchDevice* port : flow.GetPath().forward)
    {
        if (port)
        {
            links.push_back(m_linkOf.at(port));
        }
    }
    return links;
}

void
DcnSteadySkip::Forget(const DcnPacketFlow& flow)
{
    m_bounds.Forget(flow);
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
    m_bounds.Count(flow, links);
    for (std::size_t i = 1; i < links.size(); ++i)
    {
        const uint32_t number = m_bounds.GetSwitchOf(links[i]);
        if (!m_isCoupled[number] && m_bounds.CanFill(number))
        {
            m_isCoupled[number] = true;
            for (const DcnSwitchDevice* port : m_bounds.GetPorts(number))
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

std::vector<DcnSteadySkip::Sending>
DcnSteadySkip::CountFlows()
{
    std::vector<Sending> flows;
    m_bounds.Clear();
    for (const DcnHostDevice* host : m_hosts)
    {
        for (DcnPacketFlow* flow : host->GetFlows())
        {
            flows.emplace_back(flow, GetLinks(*flow));
            m_bounds.Count(*flow, flows.back().second);
        }
    }
    for (uint32_t number = 0; number < m_isCoupled.size(); ++number)
    {
        m_isCoupled[number] = m_bounds.CanFill(number);
    }
    return flows;
}

void
DcnSteadySkip::Join(uint32_t a, uint32_t b)
{
    m_parents[FindRoot(a)] = FindRoot(b);
}

void
DcnSteadySkip::JoinLinks(const std::vector<Sending>& flows)
{
    std::iota(m_parents.begin(), m_parents.end(), 0);
    std::vector<uint32_t> firstLinks(m_isCoupled.size(), NO_LINK); // of a flow, by switch
    for (const auto& [flow, links] : flows)
    {
        for (std::size_t i = 0; i < links.size(); ++i)
        {
            Join(links[i], links[0]);
            Join(DcnTopology::Reverse(links[i]), links[0]); // both directions are one
            const uint32_t number = m_bounds.GetSwitchOf(links[i]);
            if (i > 0 && m_isCoupled[number])
            {
                firstLinks[number] = firstLinks[number] == NO_LINK ? links[0] : firstLinks[number];
                Join(links[0], firstLinks[number]);
            }
        }
    }
}

void
DcnSteadySkip::DissolveChanged(const std::vector<Sending>& flows)
{
    // a group stays if nothing has changed in it, and nothing has come to it
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
    for (const auto& group : m_groups)
    {
        group->nMembers = 0;
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
}

void
DcnSteadySkip::FormGroups(const std::vector<Sending>& flows)
{
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
                if (device->GetSkipPart())
                {
                    continue;
                }
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

void
DcnSteadySkip::Regroup(int64_t nowNs)
{
    m_regroupNs = NEVER;
    const std::vector<Sending> flows = CountFlows();
    JoinLinks(flows);
    DissolveChanged(flows);
    FormGroups(flows);
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
        watched.need = watched.flow->GetSender().GetNext();
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
               group.flows[group.nFilled].flow->GetSender().GetUnacknowledged() >=
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
        const DcnFlowSender& sender = flow.GetSender();
        watched.marks[mark] = {sender.GetUnacknowledged(),
                               sender.GetNext(),
                               flow.GetTimeout().GetProgressNs(),
                               flow.GetRate()};
        if (watched.heldBytes == UNKNOWN)
        {
            watched.heldBytes = static_cast<double>(sender.GetNext() - sender.GetUnacknowledged());
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
        const uint64_t maxRateBps = watched.flow->GetSender().GetMaxRate();
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
               ? static_cast<double>(DcnSerializationNs(wireBytes, flow.GetSender().GetMaxRate()))
               : 8e9 * wireBytes / static_cast<double>(flow.GetSender().GetMaxRate());
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
    std::vector<DcnOfferedLoad::Measured> flows;
    for (const Watched& watched : group.flows)
    {
        const Mark& last = watched.marks.back();
        flows.push_back({watched.flow, watched.rate, last.sent - last.acknowledged});
    }
    return DcnOfferedLoad(m_owner, m_tolerance).Exceeds(flows);
}

int64_t
DcnSteadySkip::GetRoundsNs(const Group& group) const
{
    int64_t roundNs = 0;
    for (const Watched& watched : group.flows)
    {
        roundNs = std::max(roundNs, watched.flow->GetPath().rttNs);
    }
    const DcnNetworkParameters& network = *m_owner.parameters;
    if (const auto getPeriodNs = DcnCongestionControl::GetTraits(network).longestPeriodNs)
    {
        roundNs = std::max(roundNs, getPeriodNs(network));
    }
    return ROUNDS * roundNs;
}

void
DcnSteadySkip::ProlongWindow(Group& group, int64_t nowNs) const
{
    // without the first half, which a change before it may have shaped
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
}

void
DcnSteadySkip::TrySkip(Group& group, int64_t nowNs)
{
    group.isQuiet = IsQuiet(group);
    const int64_t roundsNs = GetRoundsNs(group);
    if (!group.isQuiet && group.windowNs < roundsNs)
    {
        group.windowNs = roundsNs;
        BeginWindow(group, nowNs);
        return;
    }
    if (!IsSteady(group))
    {
        ProlongWindow(group, nowNs);
        return;
    }
    const double skipNs = GetLongestSkipNs(group);
    const int64_t measuredNs = group.markNs.back() - group.markNs.front();
    const int64_t longestNs = (group.isQuiet ? LONG_STRETCH : SHORT_STRETCH) * measuredNs;
    group.isStretched = skipNs > static_cast<double>(longestNs);
    // whole packets of a flow that is alone in its group
    const Watched& one = group.flows.front();
    const double packetNs = m_owner.parameters->payloadBytes / one.rate;
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
                                 << m_bounds.GetNCounted() << " flows");
    m_owner.events.Freeze(group, nowNs);
    group.lookNs = nowNs + untilNs;
    group.hasSkipped = true;
    group.level = -CREDIT;
    ++m_nSkips;
    m_sinceNs = m_nFrozen++ == 0 ? nowNs : m_sinceNs;
}

uint64_t
DcnSteadySkip::GetSkippablePackets(const DcnPacketFlow& flow) const
{
    const DcnFlowSender& sender = flow.GetSender();
    const DcnFlowMessages* messages = flow.GetMessages();
    const bool isEarlierLeft = messages && messages->GetFirstEnd() != sender.GetEnd();
    const bool isWhole = flow.GetControl() && !isEarlierLeft && flow.GetFirstByteNs() >= 0 &&
                         !flow.GetTimeout().IsRunning();
    return isWhole ? sender.GetSkippablePackets(m_owner.parameters->payloadBytes) : 0;
}

double
DcnSteadySkip::GetLongestSkipNs(const Group& group) const
{
    const double packet = m_owner.parameters->payloadBytes;
    double skipNs = std::numeric_limits<double>::max();
    for (const Watched& watched : group.flows)
    {
        const auto packets = static_cast<double>(GetSkippablePackets(*watched.flow));
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
    flow.GetPath().source->Skip(packets, wireBytes, true);
    flow.GetPath().sink->Skip(packets, ackBytes, false);
    for (DcnSwitchDevice* port : flow.GetPath().forward)
    {
        if (port)
        {
            port->SkipQueued(packets, wireBytes, true);
        }
    }
    for (DcnSwitchDevice* port : flow.GetPath().reverse)
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
DcnSteadySkip::TranslateDevices(Group& group, int64_t skippedNs) const
{
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
            std::min(static_cast<uint64_t>(packets), GetSkippablePackets(*watched.flow));
        CountSkipped(*watched.flow, watched.packets);
    }
    const double windows = static_cast<double>(skippedNs) /
                           static_cast<double>(group.markNs.back() - group.markNs.front());
    for (std::size_t i = 0; i < group.ports.size(); ++i)
    {
        const auto marks = static_cast<double>(group.marks.back()[i] - group.marks.front()[i]);
        group.ports[i]->EndSkip(group.frozenNs, static_cast<uint64_t>(std::round(marks * windows)));
    }
}

DcnSteadySkip::Frames
DcnSteadySkip::FindFrames(const Group& group)
{
    Frames frames;
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
    return frames;
}

void
DcnSteadySkip::TranslateFlows(const Group& group, Frames& frames, int64_t skippedNs) const
{
    for (const Watched& watched : group.flows)
    {
        std::vector<uint64_t> txBytes;
        for (const DcnSwitchDevice* port : watched.flow->GetPath().forward)
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
    TranslateDevices(group, skippedNs);
    Frames frames = FindFrames(group);
    m_owner.events.Thaw(group, nowNs);
    TranslateFlows(group, frames, skippedNs);
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

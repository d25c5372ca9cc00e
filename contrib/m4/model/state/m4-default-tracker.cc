/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "m4-default-tracker.h"

#include <algorithm>
#include <cmath>

namespace ns3
{

namespace
{

/**
 * @param topology a network
 * @return the capacities of its directed links [bit/s]
 */
std::vector<double>
GetCapacities(const DcnTopology& topology)
{
    std::vector<double> capacities(topology.GetNLinks());
    for (uint32_t link = 0; link < topology.GetNLinks(); ++link)
    {
        capacities[link] = static_cast<double>(topology.GetLink(link).rateBps);
    }
    return capacities;
}

/**
 * @param rtts a wait or a backlog, over T
 * @return the feature
 */
double
DescribeWait(double rtts)
{
    return std::min(M4Features::MAX_WAIT, std::log1p(rtts));
}

} // namespace

M4DefaultTracker::M4DefaultTracker(const DcnTopology& topology, bool describe)
    : M4Tracker(topology, describe),
      m_fluid(GetCapacities(topology)),
      m_history(GetCapacities(topology)),
      m_linkEvents(topology.GetNLinks())
{
}

double
M4DefaultTracker::GetFluidRemaining(uint32_t slot, int64_t nowNs) const
{
    const double served = m_fluid.GetServed(m_visits[slot].fluid, nowNs);
    return std::clamp(1 - served / m_flows[slot].constants.fluidBits, 0.0, 1.0);
}

void
M4DefaultTracker::DoSetCapacity(uint32_t link, double capacity)
{
    m_fluid.SetCapacity(link, capacity);
    m_history.SetCapacity(link, capacity);
}

bool
M4DefaultTracker::HasFairRates() const
{
    return true;
}

double
M4DefaultTracker::GetRate(uint32_t slot) const
{
    return m_fluid.GetRate(m_visits[slot].fluid);
}

void
M4DefaultTracker::DoStart(const Event& event)
{
    const Flow& flow = m_flows[event.slot];
    const DcnPath path{flow.links.data(), flow.links.data() + flow.links.size()};
    m_visits.resize(m_flows.size());
    Visit& visit = m_visits[event.slot];
    visit.fluid = m_fluid.Add(path, flow.constants.capBps, event.nowNs);
    visit.number = m_nVisits++;
    visit.rateBefore = 0;
    visit.meeting =
        m_history.Add(path, flow.constants.fluidBits, flow.constants.burstBits, event.nowNs);
    visit.workNs.clear();
    for (const uint32_t link : path)
    {
        visit.workNs.push_back(m_history.GetWorkNs(link));
    }
}

void
M4DefaultTracker::DoEnd(const Event& event)
{
    m_fluid.Remove(m_visits[event.slot].fluid, event.nowNs);
}

void
M4DefaultTracker::NoteVisit(uint32_t slot)
{
    const Flow& flow = m_flows[slot];
    m_visits[slot].number = m_nVisits++;
    for (std::size_t place = 0; place < flow.links.size(); ++place)
    {
        auto& slots = m_onLink[flow.links[place]];
        slots.splice(slots.end(), slots, flow.places[place]);
    }
}

void
M4DefaultTracker::FindOnLink(uint32_t link, bool onlyMoved, std::vector<uint32_t>& found)
{
    std::size_t n = std::min<std::size_t>(m_onLink[link].size(), MAX_FLOWS);
    auto next = m_onLink[link].begin();
    for (; n > 0; --n)
    {
        const uint32_t slot = *next++; // advance first: the flow may move to the end of the list
        Flow& flow = m_flows[slot];
        if (flow.mark == m_mark)
        {
            continue;
        }
        const Visit& visit = m_visits[slot];
        if (onlyMoved && std::abs(m_fluid.GetRate(visit.fluid) - visit.rateBefore) <=
                             RATE_CHANGE * visit.rateBefore)
        {
            NoteVisit(slot);
            continue;
        }
        flow.mark = m_mark;
        found.push_back(slot);
    }
}

void
M4DefaultTracker::KeepOldest(std::size_t first, std::size_t most, std::vector<uint32_t>& found)
{
    if (found.size() <= first + most)
    {
        return;
    }
    const auto begin = found.begin() + static_cast<std::ptrdiff_t>(first);
    const auto end = begin + static_cast<std::ptrdiff_t>(most);
    std::nth_element(begin, end, found.end(), [this](uint32_t a, uint32_t b) {
        return m_visits[a].number < m_visits[b].number;
    });
    for (auto dropped = end; dropped != found.end(); ++dropped)
    {
        m_flows[*dropped].mark = m_mark - 1;
    }
    found.erase(end, found.end());
}

void
M4DefaultTracker::Gather(const Event& event,
                         std::vector<uint32_t>& flows,
                         std::vector<uint32_t>& links)
{
    links = m_flows[event.slot].links;
    if (event.isArrival)
    {
        m_flows[event.slot].mark = m_mark;
        flows.push_back(event.slot);
    }
    const std::size_t first = flows.size();
    for (const uint32_t link : links)
    {
        FindOnLink(link, false, flows);
    }
    KeepOldest(first, MAX_FLOWS - first, flows);
    const std::size_t nNear = flows.size();
    for (const uint32_t link : m_fluid.GetChangedLinks())
    {
        if (std::find(links.begin(), links.end(), link) == links.end())
        {
            FindOnLink(link, true, flows);
        }
    }
    KeepOldest(nNear, MAX_MOVED, flows);
    // sorted, so that later choices do not depend on the order of the links
    std::sort(flows.begin(), flows.end());
    for (const uint32_t slot : flows)
    {
        NoteVisit(slot);
    }
}

M4DefaultTracker::Fluid
M4DefaultTracker::ComputeFluid(uint32_t slot, int64_t nowNs) const
{
    const M4FlowConstants& constants = m_flows[slot].constants;
    const double remaining = GetFluidRemaining(slot, nowNs);
    const double rate = m_fluid.GetRate(m_visits[slot].fluid);
    const auto age = static_cast<double>(nowNs - m_flows[slot].startNs);
    const double fctNs = age + remaining * constants.fluidBits * 1e9 / rate + constants.latencyNs;
    // at least 1 ns, for the logarithm
    return {remaining, std::log(std::max(1.0, fctNs) / constants.idealNs)};
}

void
M4DefaultTracker::AppendFlow(uint32_t slot,
                             const Fluid& fluid,
                             bool isEvent,
                             const Event& event,
                             std::vector<float>& features) const
{
    const Flow& flow = m_flows[slot];
    const M4FlowConstants& constants = flow.constants;
    const double rate = m_fluid.GetRate(m_visits[slot].fluid);
    const auto age = static_cast<double>(event.nowNs - flow.startNs);
    const double bdpBits = constants.maxRateBps * constants.rttNs / 1e9;
    const Visit& visit = m_visits[slot];
    const double slackNs = M4Features::SLACK * constants.rttNs;
    std::size_t crowd = 0;
    double laterNs = 0;
    double load = 0;
    double meanWaitNs = 0;
    for (std::size_t place = 0; place < flow.links.size(); ++place)
    {
        const uint32_t link = flow.links[place];
        crowd = std::max(crowd, m_onLink[link].size() - 1);
        laterNs = std::max(laterNs, m_history.GetWorkNs(link) - visit.workNs[place]);
        load = std::max(load, m_history.GetLoad(link, event.nowNs, slackNs));
        meanWaitNs += m_history.GetMeanWaitNs(link, event.nowNs, slackNs);
    }
    const std::size_t first = features.size();
    features.insert(features.end(), constants.features.begin(), constants.features.end());
    features.resize(first + M4Features::N_FLOW);
    auto set = [&](M4Features::Dynamic which, double value) {
        features[first + M4Features::N_STATIC + which] = static_cast<float>(value);
    };
    set(M4Features::IDLE,
        std::min(M4Features::MAX_IDLE,
                 std::log1p(static_cast<double>(event.nowNs - flow.touchedNs) / constants.rttNs)));
    set(M4Features::AGE, std::log1p(age / constants.rttNs));
    set(M4Features::REMAINING, fluid.remaining);
    set(M4Features::REMAINING_BDP, std::log1p(fluid.remaining * constants.fluidBits / bdpBits) / 4);
    set(M4Features::RATE, rate / constants.maxRateBps);
    set(M4Features::RATE_BEFORE, visit.rateBefore / constants.maxRateBps);
    set(M4Features::FLUID, std::min(fluid.logSlowdown, 4.0));
    set(M4Features::IS_EVENT, isEvent ? 1 : 0);
    set(M4Features::ARRIVAL, event.isArrival ? 1 : 0);
    set(M4Features::CROWD, std::log1p(static_cast<double>(crowd)) / 2);
    set(M4Features::WAIT, DescribeWait(visit.meeting.waitNs / constants.rttNs));
    set(M4Features::WAIT_MOST, DescribeWait(visit.meeting.mostNs / constants.rttNs));
    set(M4Features::LATER, std::min(M4Features::MAX_LATER, std::log1p(laterNs / constants.rttNs)));
    set(M4Features::LOAD, load);
    set(M4Features::MEAN_WAIT, DescribeWait(meanWaitNs / constants.rttNs));
}

void
M4DefaultTracker::FillLink(uint32_t link,
                           double rttNs,
                           double maxRateBps,
                           bool isArrival,
                           int64_t nowNs,
                           float* features) const
{
    const auto capacity = static_cast<double>(m_topology->GetLink(link).rateBps);
    double demand = 0;
    uint32_t fresh = 0;
    for (const uint32_t slot : m_onLink[link])
    {
        const Flow& flow = m_flows[slot];
        demand += flow.constants.maxRateBps;
        fresh += static_cast<double>(nowNs - flow.startNs) < flow.constants.rttNs ? 1 : 0;
    }
    auto set = [features](M4Features::Link which, double value) {
        features[which] = static_cast<float>(value);
    };
    const int64_t touchedNs = m_linkEvents[link].timeNs;
    set(M4Features::LINK_IDLE,
        touchedNs == NEVER ? M4Features::MAX_IDLE
                           : std::min(M4Features::MAX_IDLE,
                                      std::log1p(static_cast<double>(nowNs - touchedNs) / rttNs)));
    set(M4Features::LINK_FLOWS, std::log1p(static_cast<double>(m_onLink[link].size())) / 2);
    set(M4Features::LINK_USED, GetRateOn(link) / capacity);
    set(M4Features::LINK_DEMAND, std::log1p(demand / capacity));
    set(M4Features::LINK_NEW, std::log1p(static_cast<double>(fresh)));
    set(M4Features::LINK_RATE, std::log(capacity / maxRateBps));
    set(M4Features::LINK_ARRIVAL, isArrival ? 1 : 0);
    const double slackNs = M4Features::SLACK * rttNs;
    set(M4Features::LINK_BACKLOG, DescribeWait(m_history.GetBacklogNs(link, nowNs) / rttNs));
    set(M4Features::LINK_LOAD, m_history.GetLoad(link, nowNs, slackNs));
    set(M4Features::LINK_WAIT, DescribeWait(m_history.GetMeanWaitNs(link, nowNs, slackNs) / rttNs));
}

void
M4DefaultTracker::Describe(const Event& event, M4Snapshot& snapshot)
{
    for (uint32_t row = 0; row < snapshot.flows.size(); ++row)
    {
        const uint32_t slot = snapshot.flows[row];
        if (m_describe)
        {
            const Fluid fluid = ComputeFluid(slot, event.nowNs);
            AppendFlow(slot, fluid, row == snapshot.eventRow, event, snapshot.flowFeatures);
            snapshot.fluidLogSlowdown.push_back(static_cast<float>(fluid.logSlowdown));
            snapshot.fluidRemaining.push_back(static_cast<float>(fluid.remaining));
        }
        m_flows[slot].touchedNs = event.nowNs;
        m_visits[slot].rateBefore = m_fluid.GetRate(m_visits[slot].fluid);
    }
    if (!m_describe)
    {
        return;
    }
    const M4FlowConstants& flow = m_flows[event.slot].constants;
    snapshot.linkFeatures.assign(snapshot.links.size() * M4Features::N_LINK, 0);
    for (std::size_t place = 0; place < snapshot.links.size(); ++place)
    {
        const uint32_t link = snapshot.links[place];
        float* features = &snapshot.linkFeatures[place * M4Features::N_LINK];
        FillLink(link, flow.rttNs, flow.maxRateBps, event.isArrival, event.nowNs, features);
        features[M4Features::LINK_FIRST] = place == 0 ? 1 : 0;
        features[M4Features::LINK_LAST] = place + 1 == snapshot.links.size() ? 1 : 0;
        features[M4Features::LINK_POSITION] = static_cast<float>(place) / 6;
        snapshot.linkIsNew[place] = m_linkEvents[link].timeNs == NEVER ? 1 : 0;
        m_linkEvents[link] = {event.nowNs, flow.rttNs, flow.maxRateBps};
    }
}

std::vector<float>
M4DefaultTracker::DescribeFlow(uint32_t slot, int64_t nowNs) const
{
    std::vector<float> features;
    AppendFlow(slot, ComputeFluid(slot, nowNs), false, {slot, true, nowNs}, features);
    return features;
}

std::vector<float>
M4DefaultTracker::DescribeLink(uint32_t link, int64_t nowNs) const
{
    const LastEvent& last = m_linkEvents[link];
    if (last.timeNs == NEVER)
    {
        return {};
    }
    std::vector<float> features(M4Features::N_LINK, 0);
    FillLink(link, last.rttNs, last.maxRateBps, true, nowNs, features.data());
    const bool fromHost = m_topology->IsHost(m_topology->GetLink(link).from);
    const bool toHost = m_topology->IsHost(m_topology->GetLink(link).to);
    features[M4Features::LINK_FIRST] = fromHost ? 1 : 0;
    features[M4Features::LINK_LAST] = toHost ? 1 : 0;
    features[M4Features::LINK_POSITION] = fromHost ? 0 : 0.5F;
    return features;
}

} // namespace ns3

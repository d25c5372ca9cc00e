/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "m4-tracker.h"

#include "ns3/assert.h"

#include <algorithm>
#include <cmath>
#include <functional>

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

} // namespace

M4Tracker::M4Tracker(const DcnTopology& topology, bool describe, M4Memory memory)
    : m_topology(topology),
      m_describe(describe),
      m_memory(memory),
      m_fluid(GetCapacities(topology)),
      m_onLink(topology.GetNLinks()),
      m_linkEvents(topology.GetNLinks())
{
}

const M4FlowConstants&
M4Tracker::GetConstants(uint32_t slot) const
{
    return m_flows[slot].constants;
}

bool
M4Tracker::IsActive(uint32_t slot) const
{
    return slot < m_flows.size() && m_flows[slot].active;
}

uint32_t
M4Tracker::GetNFlows() const
{
    return m_nActive;
}

double
M4Tracker::GetFluidLeft(uint32_t slot, int64_t nowNs) const
{
    const Flow& flow = m_flows[slot];
    const double served = m_fluid.GetServed(flow.fluid, nowNs);
    return std::clamp(1 - served / flow.constants.fluidBits, 0.0, 1.0);
}

double
M4Tracker::GetToldLeft(uint32_t slot, int64_t nowNs) const
{
    if (m_memory == M4Memory::FLUID)
    {
        return GetFluidLeft(slot, nowNs);
    }
    const Flow& flow = m_flows[slot];
    if (m_memory == M4Memory::NONE)
    {
        return nowNs > flow.startNs ? UNTOLD : 1;
    }
    const auto age = static_cast<double>(nowNs - flow.startNs);
    const double served = age * m_fluid.GetRate(flow.fluid) / 1e9;
    return std::max(LEAST_TOLD, 1 - served / flow.constants.fluidBits);
}

uint32_t
M4Tracker::Start(const M4FlowConstants& constants,
                 DcnPath path,
                 int64_t nowNs,
                 M4Snapshot& snapshot)
{
    uint32_t slot = static_cast<uint32_t>(m_flows.size());
    if (m_free.empty())
    {
        m_flows.emplace_back();
        m_flows.back().mark = m_mark;
    }
    else
    {
        // the smallest, so that the states of the active flows lie close together
        std::pop_heap(m_free.begin(), m_free.end(), std::greater<>());
        slot = m_free.back();
        m_free.pop_back();
    }
    Flow& flow = m_flows[slot];
    flow.constants = constants;
    flow.links.assign(path.begin(), path.end());
    flow.fluid = m_fluid.Add(path, constants.capBps, nowNs);
    flow.startNs = nowNs;
    flow.touchedNs = nowNs;
    flow.looked = m_nLooks++;
    flow.rateBefore = 0;
    flow.active = true;
    ++m_nActive;
    flow.places.clear();
    for (const uint32_t link : flow.links)
    {
        flow.places.push_back(m_onLink[link].insert(m_onLink[link].end(), slot));
    }
    Gather(flow.links, slot, snapshot);
    snapshot.eventRow = static_cast<uint32_t>(
        std::find(snapshot.flows.begin(), snapshot.flows.end(), slot) - snapshot.flows.begin());
    Describe(constants, true, nowNs, snapshot);
    return slot;
}

void
M4Tracker::End(uint32_t slot, int64_t nowNs, M4Snapshot& snapshot)
{
    Flow& flow = m_flows[slot];
    NS_ASSERT_MSG(flow.active, "no flow has this slot");
    for (std::size_t place = 0; place < flow.links.size(); ++place)
    {
        m_onLink[flow.links[place]].erase(flow.places[place]);
    }
    m_fluid.Remove(flow.fluid, nowNs);
    flow.active = false;
    --m_nActive;
    m_free.push_back(slot);
    std::push_heap(m_free.begin(), m_free.end(), std::greater<>());
    Gather(flow.links, M4Snapshot::NO_ROW, snapshot);
    snapshot.eventRow = M4Snapshot::NO_ROW;
    Describe(flow.constants, false, nowNs, snapshot);
}

void
M4Tracker::Look(uint32_t slot)
{
    Flow& flow = m_flows[slot];
    flow.looked = m_nLooks++;
    for (std::size_t place = 0; place < flow.links.size(); ++place)
    {
        auto& slots = m_onLink[flow.links[place]];
        slots.splice(slots.end(), slots, flow.places[place]);
    }
}

void
M4Tracker::FindOnLink(uint32_t link, bool onlyMoved)
{
    std::size_t n = std::min<std::size_t>(m_onLink[link].size(), MAX_FLOWS);
    auto next = m_onLink[link].begin();
    for (; n > 0; --n)
    {
        const uint32_t slot = *next++; // the flow may go to the end of the list
        Flow& flow = m_flows[slot];
        if (flow.mark == m_mark)
        {
            continue;
        }
        if (onlyMoved && std::abs(m_fluid.GetRate(flow.fluid) - flow.rateBefore) <=
                             RATE_CHANGE * flow.rateBefore)
        {
            Look(slot);
            continue;
        }
        flow.mark = m_mark;
        m_found.push_back(slot);
    }
}

void
M4Tracker::KeepOldest(std::size_t first, std::size_t most)
{
    if (m_found.size() <= first + most)
    {
        return;
    }
    const auto begin = m_found.begin() + static_cast<std::ptrdiff_t>(first);
    const auto end = begin + static_cast<std::ptrdiff_t>(most);
    std::nth_element(begin, end, m_found.end(), [this](uint32_t a, uint32_t b) {
        return m_flows[a].looked < m_flows[b].looked;
    });
    for (auto dropped = end; dropped != m_found.end(); ++dropped)
    {
        m_flows[*dropped].mark = m_mark - 1;
    }
    m_found.erase(end, m_found.end());
}

void
M4Tracker::Gather(const std::vector<uint32_t>& links, uint32_t starting, M4Snapshot& snapshot)
{
    ++m_mark;
    m_found.clear();
    if (starting != M4Snapshot::NO_ROW)
    {
        m_flows[starting].mark = m_mark;
        m_found.push_back(starting);
    }
    const std::size_t first = m_found.size();
    for (const uint32_t link : links)
    {
        FindOnLink(link, false);
    }
    KeepOldest(first, MAX_FLOWS - first);
    const std::size_t nNear = m_found.size();
    for (const uint32_t link : m_fluid.GetChangedLinks())
    {
        if (std::find(links.begin(), links.end(), link) == links.end())
        {
            FindOnLink(link, true);
        }
    }
    KeepOldest(nNear, MAX_MOVED);
    // sums over rows must not depend on which link a flow was found by
    std::sort(m_found.begin(), m_found.end());
    for (const uint32_t slot : m_found)
    {
        Look(slot);
    }
    snapshot.flows = m_found;
    snapshot.links = links;
    snapshot.edgeFlow.clear();
    snapshot.edgeLink.clear();
    for (uint32_t row = 0; row < snapshot.flows.size(); ++row)
    {
        const Flow& flow = m_flows[snapshot.flows[row]];
        for (uint32_t place = 0; place < links.size(); ++place)
        {
            if (std::find(flow.links.begin(), flow.links.end(), links[place]) != flow.links.end())
            {
                snapshot.edgeFlow.push_back(row);
                snapshot.edgeLink.push_back(place);
            }
        }
    }
}

M4Tracker::Fluid
M4Tracker::ComputeFluid(uint32_t slot, int64_t nowNs) const
{
    const Flow& flow = m_flows[slot];
    const M4FlowConstants& constants = flow.constants;
    const double left = GetToldLeft(slot, nowNs);
    const double rate = m_fluid.GetRate(flow.fluid);
    const auto age = static_cast<double>(nowNs - flow.startNs);
    const double fctNs = age + left * constants.fluidBits * 1e9 / rate + constants.latencyNs;
    // times are whole nanoseconds: what remains of one is no slowdown below all others
    return {left,
            std::log(std::max(1.0, fctNs) / constants.idealNs),
            constants.fluidBits * 1e9 / rate / constants.idealNs};
}

void
M4Tracker::DescribeFlow(const Flow& flow,
                        const Fluid& fluid,
                        bool isEvent,
                        bool arrival,
                        int64_t nowNs,
                        std::vector<float>& features) const
{
    const M4FlowConstants& constants = flow.constants;
    const double rate = m_fluid.GetRate(flow.fluid);
    const auto age = static_cast<double>(nowNs - flow.startNs);
    const double bdpBits = constants.maxRateBps * constants.rttNs / 1e9;
    std::size_t crowd = 0;
    for (const uint32_t link : flow.links)
    {
        crowd = std::max(crowd, m_onLink[link].size() - 1);
    }
    const std::size_t first = features.size();
    features.insert(features.end(), constants.features.begin(), constants.features.end());
    features.resize(first + M4Features::N_FLOW);
    auto set = [&](M4Features::Dynamic which, double value) {
        features[first + M4Features::N_STATIC + which] = static_cast<float>(value);
    };
    set(M4Features::IDLE,
        std::min(M4Features::MAX_IDLE,
                 std::log1p(static_cast<double>(nowNs - flow.touchedNs) / constants.rttNs)));
    set(M4Features::AGE, std::log1p(age / constants.rttNs));
    set(M4Features::LEFT, fluid.left);
    set(M4Features::LEFT_BDP, std::log1p(fluid.left * constants.fluidBits / bdpBits) / 4);
    set(M4Features::RATE, rate / constants.maxRateBps);
    set(M4Features::RATE_BEFORE, flow.rateBefore / constants.maxRateBps);
    set(M4Features::FLUID, std::min(fluid.logSlowdown, 4.0));
    set(M4Features::IS_EVENT, isEvent ? 1 : 0);
    set(M4Features::ARRIVAL, arrival ? 1 : 0);
    set(M4Features::CROWD, std::log1p(static_cast<double>(crowd)) / 2);
}

void
M4Tracker::DescribeLink(uint32_t link,
                        double rttNs,
                        double maxRateBps,
                        bool arrival,
                        int64_t nowNs,
                        float* features) const
{
    const auto capacity = static_cast<double>(m_topology.GetLink(link).rateBps);
    double used = 0;
    double demand = 0;
    uint32_t fresh = 0;
    for (const uint32_t slot : m_onLink[link])
    {
        const Flow& flow = m_flows[slot];
        used += m_fluid.GetRate(flow.fluid);
        demand += flow.constants.maxRateBps;
        fresh += static_cast<double>(nowNs - flow.startNs) < flow.constants.rttNs ? 1 : 0;
    }
    auto set = [features](M4Features::Link which, double value) {
        features[which] = static_cast<float>(value);
    };
    const int64_t touchedNs = m_linkEvents[link].timeNs;
    set(M4Features::LINK_IDLE,
        touchedNs == NEVER
            ? M4Features::MAX_IDLE
            : std::min(M4Features::MAX_IDLE,
                       std::log1p(static_cast<double>(nowNs - touchedNs) / rttNs)));
    set(M4Features::LINK_FLOWS, std::log1p(static_cast<double>(m_onLink[link].size())) / 2);
    set(M4Features::LINK_USED, used / capacity);
    set(M4Features::LINK_DEMAND, std::log1p(demand / capacity));
    set(M4Features::LINK_NEW, std::log1p(static_cast<double>(fresh)));
    set(M4Features::LINK_RATE, std::log(capacity / maxRateBps));
    set(M4Features::LINK_ARRIVAL, arrival ? 1 : 0);
}

void
M4Tracker::Describe(const M4FlowConstants& event,
                    bool arrival,
                    int64_t nowNs,
                    M4Snapshot& snapshot)
{
    snapshot.flowFeatures.clear();
    snapshot.fluidLogSlowdown.clear();
    snapshot.fluidLeft.clear();
    snapshot.fluidService.clear();
    snapshot.linkFeatures.clear();
    for (uint32_t row = 0; row < snapshot.flows.size(); ++row)
    {
        Flow& flow = m_flows[snapshot.flows[row]];
        const double rate = m_fluid.GetRate(flow.fluid);
        if (!m_describe)
        {
            flow.rateBefore = rate;
            continue;
        }
        const Fluid fluid = ComputeFluid(snapshot.flows[row], nowNs);
        DescribeFlow(flow, fluid, row == snapshot.eventRow, arrival, nowNs, snapshot.flowFeatures);
        snapshot.fluidLogSlowdown.push_back(static_cast<float>(fluid.logSlowdown));
        snapshot.fluidLeft.push_back(static_cast<float>(fluid.left));
        snapshot.fluidService.push_back(static_cast<float>(fluid.service));
        flow.touchedNs = nowNs;
        flow.rateBefore = rate;
    }
    if (!m_describe)
    {
        return;
    }
    DescribeEdges(event, snapshot);
    snapshot.linkFeatures.assign(snapshot.links.size() * M4Features::N_LINK, 0);
    for (std::size_t place = 0; place < snapshot.links.size(); ++place)
    {
        const uint32_t link = snapshot.links[place];
        float* features = &snapshot.linkFeatures[place * M4Features::N_LINK];
        DescribeLink(link, event.rttNs, event.maxRateBps, arrival, nowNs, features);
        features[M4Features::LINK_FIRST] = place == 0 ? 1 : 0;
        features[M4Features::LINK_LAST] = place + 1 == snapshot.links.size() ? 1 : 0;
        features[M4Features::LINK_PLACE] = static_cast<float>(place) / 6;
        m_linkEvents[link] = {nowNs, event.rttNs, event.maxRateBps};
    }
}

void
M4Tracker::DescribeEdges(const M4FlowConstants& event, M4Snapshot& snapshot) const
{
    snapshot.edgeWait.assign(snapshot.edgeFlow.size(), 0);
    for (std::size_t e = 0; e < snapshot.edgeFlow.size(); ++e)
    {
        if (snapshot.edgeFlow[e] == snapshot.eventRow)
        {
            const uint32_t link = snapshot.links[snapshot.edgeLink[e]];
            const auto rateBps = static_cast<double>(m_topology.GetLink(link).rateBps);
            // 1000 bytes in bits, and ns in a second
            snapshot.edgeWait[e] = static_cast<float>(8e3 * 1e9 / rateBps / event.idealNs);
        }
    }
}

std::vector<float>
M4Tracker::LookAtFlow(uint32_t slot, int64_t nowNs) const
{
    const Flow& flow = m_flows[slot];
    std::vector<float> features;
    DescribeFlow(flow, ComputeFluid(slot, nowNs), false, true, nowNs, features);
    return features;
}

std::vector<float>
M4Tracker::LookAtLink(uint32_t link, int64_t nowNs) const
{
    const LastEvent& last = m_linkEvents[link];
    if (last.timeNs == NEVER)
    {
        return {};
    }
    std::vector<float> features(M4Features::N_LINK, 0);
    DescribeLink(link, last.rttNs, last.maxRateBps, true, nowNs, features.data());
    const bool fromHost = m_topology.IsHost(m_topology.GetLink(link).from);
    const bool toHost = m_topology.IsHost(m_topology.GetLink(link).to);
    features[M4Features::LINK_FIRST] = fromHost ? 1 : 0;
    features[M4Features::LINK_LAST] = toHost ? 1 : 0;
    features[M4Features::LINK_PLACE] = fromHost ? 0 : 0.5F;
    return features;
}

} // namespace ns3

/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "m4-tracker.h"

#include "ns3/assert.h"
#include "ns3/log.h"

#include <algorithm>
#include <functional>

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("M4Tracker");

M4Tracker::M4Tracker(const DcnTopology& topology, bool describe)
    : m_topology(&topology),
      m_describe(describe),
      m_onLink(topology.GetNLinks()),
      m_emptyNs(topology.GetNLinks(), NEVER),
      m_linkRow(topology.GetNLinks(), M4Snapshot::NO_ROW)
{
}

M4Tracker::~M4Tracker() = default;

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

const std::vector<uint32_t>&
M4Tracker::GetLinks(uint32_t slot) const
{
    return m_flows[slot].links;
}

bool
M4Tracker::IsAlone(uint32_t slot) const
{
    return m_flows[slot].isAlone;
}

bool
M4Tracker::IsUndisturbed(uint32_t slot) const
{
    return m_flows[slot].isUndisturbed;
}

uint32_t
M4Tracker::FindAlone(uint32_t link) const
{
    const auto& slots = m_onLink[link];
    return slots.size() == 1 && m_flows[slots.front()].isAlone ? slots.front() : NO_FLOW;
}

double
M4Tracker::GetRateOn(uint32_t link) const
{
    double rate = 0;
    for (const uint32_t slot : m_onLink[link])
    {
        rate += GetRate(slot);
    }
    return rate;
}

uint32_t
M4Tracker::GetNFlowsOn(uint32_t link) const
{
    return static_cast<uint32_t>(m_onLink[link].size());
}

bool
M4Tracker::HasFairRates() const
{
    return false;
}

double
M4Tracker::GetRate(uint32_t slot) const
{
    const M4FlowConstants& constants = m_flows[slot].constants;
    return std::min(constants.capBps, constants.slowestBps);
}

void
M4Tracker::SetTopology(const DcnTopology& topology)
{
    for (uint32_t link = 0; link < topology.GetNLinks(); ++link)
    {
        const uint64_t rateBps = topology.GetLink(link).rateBps;
        if (rateBps != m_topology->GetLink(link).rateBps)
        {
            NS_ASSERT_MSG(m_onLink[link].empty(), "flows are on a link whose rate changes");
            DoSetCapacity(link, static_cast<double>(rateBps));
        }
    }
    m_topology = &topology;
}

void
M4Tracker::DoSetCapacity(uint32_t /* link */, double /* capacity */)
{
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
        // the smallest slot, so that the states of active flows are close together in memory
        std::pop_heap(m_free.begin(), m_free.end(), std::greater<>());
        slot = m_free.back();
        m_free.pop_back();
    }
    Flow& flow = m_flows[slot];
    flow.constants = constants;
    flow.links.assign(path.begin(), path.end());
    flow.startNs = nowNs;
    flow.touchedNs = nowNs;
    flow.active = true;
    flow.isAlone = true;
    flow.isUndisturbed = true;
    ++m_nActive;
    flow.places.clear();
    for (const uint32_t link : flow.links)
    {
        if (!m_onLink[link].empty())
        {
            // if there are several, none of them is alone any more
            m_flows[m_onLink[link].front()].isAlone = false;
            flow.isAlone = false;
        }
        for (const uint32_t way : {link, DcnTopology::Reverse(link)})
        {
            if (!m_onLink[way].empty())
            {
                m_flows[m_onLink[way].front()].isUndisturbed = false;
                flow.isUndisturbed = false;
            }
            flow.isUndisturbed = flow.isUndisturbed && m_emptyNs[way] <= nowNs;
        }
        flow.places.push_back(m_onLink[link].insert(m_onLink[link].end(), slot));
    }
    const Event event{slot, true, nowNs};
    DoStart(event);
    MakeSnapshot(event, snapshot);
    return slot;
}

void
M4Tracker::End(uint32_t slot, int64_t nowNs, M4Snapshot& snapshot, bool isOver)
{
    Flow& flow = m_flows[slot];
    NS_ASSERT_MSG(flow.active, "no flow has this slot");
    for (std::size_t place = 0; place < flow.links.size(); ++place)
    {
        m_onLink[flow.links[place]].erase(flow.places[place]);
        if (!isOver)
        {
            continue;
        }
        int64_t& emptyNs = m_emptyNs[flow.links[place]];
        emptyNs = std::max(emptyNs,
                           nowNs + static_cast<int64_t>(std::max(0.0, flow.constants.latencyNs)));
    }
    flow.active = false;
    --m_nActive;
    m_free.push_back(slot);
    std::push_heap(m_free.begin(), m_free.end(), std::greater<>());
    const Event event{slot, false, nowNs};
    DoEnd(event);
    MakeSnapshot(event, snapshot);
}

void
M4Tracker::MakeSnapshot(const Event& event, M4Snapshot& snapshot)
{
    ++m_mark;
    snapshot.flows.clear();
    snapshot.links.clear();
    Gather(event, snapshot.flows, snapshot.links);
    // sorted, so that sums over rows do not depend on the order of the links
    std::sort(snapshot.flows.begin(), snapshot.flows.end());
    snapshot.eventRow = M4Snapshot::NO_ROW;
    if (event.isArrival)
    {
        const auto row = std::find(snapshot.flows.begin(), snapshot.flows.end(), event.slot);
        snapshot.eventRow = static_cast<uint32_t>(row - snapshot.flows.begin());
    }
    for (uint32_t row = 0; row < snapshot.links.size(); ++row)
    {
        m_linkRow[snapshot.links[row]] = row;
    }
    snapshot.edgeFlow.clear();
    snapshot.edgeLink.clear();
    std::vector<uint32_t> rows;
    for (uint32_t row = 0; row < snapshot.flows.size(); ++row)
    {
        rows.clear();
        for (const uint32_t link : m_flows[snapshot.flows[row]].links)
        {
            if (m_linkRow[link] != M4Snapshot::NO_ROW)
            {
                rows.push_back(m_linkRow[link]);
            }
        }
        std::sort(rows.begin(), rows.end());
        snapshot.edgeFlow.insert(snapshot.edgeFlow.end(), rows.size(), row);
        snapshot.edgeLink.insert(snapshot.edgeLink.end(), rows.begin(), rows.end());
    }
    for (const uint32_t link : snapshot.links)
    {
        m_linkRow[link] = M4Snapshot::NO_ROW;
    }
    NS_LOG_LOGIC((event.isArrival ? "arrival" : "departure")
                 << " at " << event.nowNs << " ns affects " << snapshot.flows.size()
                 << " flows and " << snapshot.links.size() << " links");
    snapshot.flowFeatures.clear();
    snapshot.linkFeatures.clear();
    snapshot.linkIsNew.assign(snapshot.links.size(), 0);
    snapshot.fluidLogSlowdown.clear();
    snapshot.fluidRemaining.clear();
    Describe(event, snapshot);
}

} // namespace ns3

/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "dcn-path-window.h"

#include "ns3/dcn-congestion-control.h"
#include "ns3/dcn-units.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <unordered_set>

namespace ns3
{

namespace
{

constexpr int64_t MARGIN_NS = 100'000; //!< for queues, which the pre-estimate neglects
constexpr int64_t LEAST_NS = 200'000;  //!< from the begin to the foreground flow's start, at least
constexpr int64_t SETTLE_NS =
    500'000; //!< after which the start of congestion controls has no effect
constexpr int64_t LONG_NS = 2'000'000; //!< longer flows need no off-path cross traffic
constexpr uint64_t LARGE_WINDOWS = 16; //!< flows of more windows reduce their rate
constexpr double LATE = 1.25;          //!< factor on pre-estimated completion times
constexpr double VERY_LATE = 1.5;      //!< conservative factor on pre-estimated completion times

} // namespace

DcnPathWindow::DcnPathWindow(const DcnScenario& scenario,
                             const DcnPathPreEstimate& preEstimate,
                             uint32_t flow,
                             int64_t warmUpNs)
    : m_scenario(&scenario),
      m_preEstimate(&preEstimate),
      m_flow(flow)
{
    const int64_t startNs = scenario.GetFlows()[flow].startNs;
    m_beginNs = std::max<int64_t>(0, startNs - warmUpNs);
    m_endNs = startNs + (preEstimate.GetEndNs(flow) - startNs) * 3 / 2 + MARGIN_NS;
}

bool
DcnPathWindow::IsIn(uint32_t index) const
{
    return index == m_flow || (m_preEstimate->GetEndNs(index) > m_beginNs &&
                               m_scenario->GetFlows()[index].startNs < m_endNs);
}

void
DcnPathWindow::SortByLink(DcnPath path,
                          const DcnPathTraffic& traffic,
                          ByLink& forward,
                          ByLink& backward) const
{
    std::vector<uint32_t> whole; // flows of the whole path
    for (uint32_t index : traffic.foreground)
    {
        if (IsIn(index))
        {
            whole.push_back(index);
        }
    }
    forward.assign(path.size(), whole);
    backward.assign(path.size(), {});
    for (const DcnPathInterval& each : traffic.background)
    {
        if (!IsIn(each.flow))
        {
            continue;
        }
        for (uint32_t k = each.enter; k < each.leave; ++k)
        {
            forward[k].push_back(each.flow);
        }
        for (uint32_t k = each.leave; k < each.enter; ++k)
        {
            backward[k].push_back(each.flow);
        }
    }
}

void
DcnPathWindow::AppendChanges(uint64_t rateBps,
                             const std::vector<uint32_t>& flows,
                             std::vector<std::pair<int64_t, int32_t>>& changes) const
{
    std::vector<std::pair<int64_t, int64_t>> rates; // time and change of the flows' total rate
    for (uint32_t index : flows)
    {
        if (index != m_flow)
        {
            const DcnFlow& flow = m_scenario->GetFlows()[index];
            const auto rate = static_cast<int64_t>(m_scenario->GetMaxRate(flow.src));
            const auto lastsNs = static_cast<double>(m_preEstimate->GetEndNs(index) - flow.startNs);
            rates.emplace_back(flow.startNs, rate);
            rates.emplace_back(flow.startNs + static_cast<int64_t>(LATE * lastsNs) + MARGIN_NS,
                               -rate);
        }
    }
    std::sort(rates.begin(), rates.end());
    int64_t sum = 0;
    for (const auto& [timeNs, change] : rates)
    {
        const bool wasContended = sum > static_cast<int64_t>(rateBps);
        sum += change;
        if (wasContended != (sum > static_cast<int64_t>(rateBps)))
        {
            changes.emplace_back(timeNs, wasContended ? -1 : 1);
        }
    }
}

void
DcnPathWindow::ChooseBegin(DcnPath path, const DcnPathTraffic& traffic)
{
    const int64_t startNs = m_scenario->GetFlows()[m_flow].startNs;
    ByLink forward;
    ByLink backward;
    SortByLink(path, traffic, forward, backward);
    std::vector<std::pair<int64_t, int32_t>>
        changes; // time and change of the number of contended links
    for (std::size_t k = 0; k < path.size(); ++k)
    {
        const uint64_t rate = m_scenario->GetTopology().GetLink(path[k]).rateBps;
        AppendChanges(rate, forward[k], changes);
        AppendChanges(rate, backward[k], changes);
    }
    changes.emplace_back(startNs, 1); // closes the last interval
    std::sort(changes.begin(), changes.end());
    int32_t nContended = 0;
    int64_t sinceNs = m_beginNs; // uncontended
    int64_t beginNs = m_beginNs;
    for (const auto& [timeNs, change] : changes)
    {
        if (nContended == 0 && timeNs > sinceNs && sinceNs <= startNs - LEAST_NS)
        {
            beginNs = std::max(sinceNs, std::min(timeNs, startNs) - SETTLE_NS);
        }
        if (timeNs >= startNs)
        {
            break;
        }
        nContended += change;
        if (nContended == 0)
        {
            sinceNs = std::max(m_beginNs, timeNs);
        }
    }
    m_beginNs = beginNs;
}

void
DcnPathWindow::AddInitialQueues(DcnPath path, DcnPathTraffic& traffic) const
{
    const DcnNetworkParameters& network = m_scenario->GetNetwork();
    if (!DcnCongestionControl::GetTraits(network).keepsQueues)
    {
        return;
    }
    const uint64_t large = LARGE_WINDOWS * network.windowBytes;
    for (uint16_t place = 1; place < path.size(); ++place)
    {
        std::vector<uint32_t> flows(traffic.foreground.begin(), traffic.foreground.end());
        for (const DcnPathInterval& each : traffic.background)
        {
            if (each.enter <= place && place < each.leave)
            {
                flows.push_back(each.flow);
            }
        }
        // large flows under way at the begin, and the bytes that they leave queued
        uint64_t rates = 0;
        double most = 0;
        int64_t sinceNs = 0; // t_0
        for (uint32_t index : flows)
        {
            const DcnFlow& flow = m_scenario->GetFlows()[index];
            if (flow.startNs >= m_beginNs || flow.sizeBytes <= large ||
                m_preEstimate->GetEndNs(index) <= m_beginNs)
            {
                continue;
            }
            const uint64_t rate = m_scenario->GetMaxRate(flow.src);
            const int64_t rttNs = DcnBaseRttNs(m_scenario->GetTopology(),
                                               m_scenario->GetPath(index),
                                               network.payloadBytes + network.headerBytes,
                                               DCN_ACK_BYTES);
            rates += rate;
            sinceNs = std::max(sinceNs, flow.startNs);
            most += std::max(0.0,
                             static_cast<double>(network.windowBytes) -
                                 static_cast<double>(rate) * static_cast<double>(rttNs) / 8e9);
        }
        double bytes = 0;
        for (uint32_t index : flows)
        {
            const DcnFlow& flow = m_scenario->GetFlows()[index];
            if (flow.startNs > sinceNs && flow.startNs < m_beginNs && flow.sizeBytes <= large)
            {
                bytes += static_cast<double>(flow.sizeBytes);
            }
        }
        const auto size = static_cast<uint64_t>(std::min(bytes, most));
        if (rates == m_scenario->GetTopology().GetLink(path[place]).rateBps && size > 0)
        {
            traffic.initialQueues.push_back({place, size, m_beginNs});
        }
    }
}

int64_t
DcnPathWindow::GetBeginNs() const
{
    return m_beginNs;
}

void
DcnPathWindow::Extend()
{
    m_endNs += GetLongestNs();
}

int64_t
DcnPathWindow::GetLongestNs() const
{
    return m_endNs - m_scenario->GetFlows()[m_flow].startNs;
}

std::pair<uint32_t, uint32_t>
DcnPathWindow::GetFlows() const
{
    const auto& flows = m_scenario->GetFlows();
    const auto last =
        std::lower_bound(flows.begin(),
                         flows.end(),
                         m_endNs,
                         [](const DcnFlow& flow, int64_t timeNs) { return flow.startNs < timeNs; });
    return {static_cast<uint32_t>(m_preEstimate->GetOldestActive(m_beginNs)),
            static_cast<uint32_t>(last - flows.begin())};
}

bool
DcnPathWindow::Adjust(uint32_t index, DcnFlow& flow) const
{
    if (index == m_flow)
    {
        return true;
    }
    if (!IsIn(index))
    {
        return false;
    }
    const int64_t endNs = m_preEstimate->GetEndNs(index);
    const auto total = static_cast<double>(flow.sizeBytes);
    const auto lasts = static_cast<double>(endNs - flow.startNs);
    const int64_t fromNs = std::max(flow.startNs, m_beginNs);
    const double left = total * static_cast<double>(endNs - fromNs) / lasts;
    const double most = static_cast<double>(m_scenario->GetMaxRate(flow.src)) *
                        static_cast<double>(m_endNs - fromNs) / 8e9;
    flow.sizeBytes = std::max<uint64_t>(1, static_cast<uint64_t>(std::min(left, most)));
    flow.startNs = fromNs;
    return true;
}

bool
DcnPathWindow::IsSlowed(uint32_t index) const
{
    if (m_scenario->GetFlows()[index].sizeBytes <= m_scenario->GetNetwork().windowBytes)
    {
        return false; // its host sends it at once
    }
    const DcnIdealFct ideal = m_scenario->GetIdealFct(index);
    const int64_t servedNs =
        m_preEstimate->GetEndNs(index) - m_scenario->GetFlows()[index].startNs - ideal.latencyNs;
    return 9 * servedNs > 10 * ideal.restNs;
}

bool
DcnPathWindow::IsFree(uint64_t rateBps, const std::vector<uint32_t>& flows, double longer) const
{
    std::vector<std::pair<int64_t, int64_t>> changes; // time and change of the flows' total rate
    for (uint32_t index : flows)
    {
        const int64_t startNs = m_scenario->GetFlows()[index].startNs;
        const auto rate =
            static_cast<int64_t>(m_scenario->GetMaxRate(m_scenario->GetFlows()[index].src));
        const auto lastsNs = static_cast<double>(m_preEstimate->GetEndNs(index) - startNs);
        changes.emplace_back(startNs, rate);
        changes.emplace_back(startNs + static_cast<int64_t>(longer * lastsNs) +
                                 (longer > 1 ? MARGIN_NS : 0),
                             -rate);
    }
    std::sort(changes.begin(), changes.end());
    int64_t sum = 0;
    for (const auto& [timeNs, change] : changes)
    {
        sum += change;
        if (sum > static_cast<int64_t>(rateBps) && timeNs < m_endNs)
        {
            return false;
        }
    }
    return true;
}

void
DcnPathWindow::Prune(DcnPath path, DcnPathTraffic& traffic) const
{
    auto& all = traffic.background;
    all.erase(std::remove_if(all.begin(),
                             all.end(),
                             [this](const DcnPathInterval& each) { return !IsIn(each.flow); }),
              all.end());
    ByLink forward;
    ByLink backward;
    SortByLink(path, traffic, forward, backward);
    std::vector<bool> isFree;
    for (std::size_t k = 0; k < path.size(); ++k)
    {
        const uint64_t rate = m_scenario->GetTopology().GetLink(path[k]).rateBps;
        isFree.push_back(
            IsFree(rate, forward[k], VERY_LATE) &&
            (m_scenario->GetNetwork().ackHighPriority || IsFree(rate, backward[k], VERY_LATE)));
        if (!isFree.back())
        {
            traffic.contended.push_back(path[k]);
            traffic.contended.push_back(DcnTopology::Reverse(path[k]));
        }
    }
    all.erase(std::remove_if(all.begin(),
                             all.end(),
                             [&isFree](const DcnPathInterval& each) {
                                 const auto [first, last] = std::minmax(each.enter, each.leave);
                                 return std::all_of(isFree.begin() + first,
                                                    isFree.begin() + last,
                                                    [](bool link) { return link; });
                             }),
              all.end());
}

void
DcnPathWindow::AddCrossTraffic(const DcnPathIndex& pathIndex,
                               DcnPath path,
                               DcnPathTraffic& traffic) const
{
    if (m_preEstimate->GetEndNs(m_flow) - m_scenario->GetFlows()[m_flow].startNs > LONG_NS)
    {
        AddContended(path, traffic);
        return;
    }
    std::unordered_set<uint32_t> isThere(traffic.foreground.begin(), traffic.foreground.end());
    std::vector<uint32_t> slowed;
    for (const DcnPathInterval& each : traffic.background)
    {
        if (isThere.insert(each.flow).second && IsSlowed(each.flow))
        {
            slowed.push_back(each.flow);
        }
    }
    std::unordered_set<uint32_t> isDone; // links that are complete; those of the path already are
    for (uint32_t link : path)
    {
        isDone.insert(link);
        isDone.insert(DcnTopology::Reverse(link));
    }
    const auto [first, last] = GetFlows();
    std::vector<uint32_t> here;
    for (uint32_t flow : slowed)
    {
        for (uint32_t link : m_scenario->GetPath(flow))
        {
            if (!isDone.insert(link).second)
            {
                continue;
            }
            here.clear();
            const DcnIndexSpan all = pathIndex.GetFlowsOnLink(link);
            const uint32_t* end = std::lower_bound(all.begin(), all.end(), last);
            std::copy_if(std::lower_bound(all.begin(), end, first),
                         end,
                         std::back_inserter(here),
                         [this](uint32_t index) { return IsIn(index); });
            // less than twice the link's rate: each flow has more than half of its full rate
            if (IsFree(2 * m_scenario->GetTopology().GetLink(link).rateBps - 1, here, 1))
            {
                continue;
            }
            for (uint32_t crossFlow : here)
            {
                if (isThere.insert(crossFlow).second)
                {
                    traffic.background.push_back({crossFlow, 0, 0});
                }
            }
        }
    }
    std::stable_sort(
        traffic.background.begin(),
        traffic.background.end(),
        [](const DcnPathInterval& a, const DcnPathInterval& b) { return a.flow < b.flow; });
    AddContended(path, traffic);
}

void
DcnPathWindow::AddContended(DcnPath path, DcnPathTraffic& traffic) const
{
    std::unordered_set<uint32_t> isOfPath;
    for (uint32_t link : path)
    {
        isOfPath.insert(link);
        isOfPath.insert(DcnTopology::Reverse(link));
    }
    std::map<uint32_t, std::vector<uint32_t>> flowsOf; // by link off the path
    for (std::size_t i = 0; i < traffic.background.size(); ++i)
    {
        const uint32_t flow = traffic.background[i].flow;
        if (i > 0 && traffic.background[i - 1].flow == flow)
        {
            continue; // another interval of this flow
        }
        for (uint32_t link : m_scenario->GetPath(flow))
        {
            if (isOfPath.count(link) == 0)
            {
                flowsOf[link].push_back(flow);
            }
        }
    }
    for (const auto& [link, flows] : flowsOf)
    {
        if (!IsFree(m_scenario->GetTopology().GetLink(link).rateBps, flows, VERY_LATE))
        {
            traffic.contended.push_back(link);
        }
    }
}

} // namespace ns3

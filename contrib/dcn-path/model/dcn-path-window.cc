/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "dcn-path-window.h"

#include <algorithm>

namespace ns3
{

namespace
{

constexpr int64_t MARGIN_NS = 100'000; //!< for what the surrogate does not know: queues

} // namespace

DcnPathWindow::DcnPathWindow(const DcnScenario& scenario,
                             const DcnPathSurrogate& surrogate,
                             uint32_t flow,
                             int64_t warmUpNs)
    : m_scenario(&scenario),
      m_surrogate(&surrogate),
      m_flow(flow)
{
    const int64_t startNs = scenario.GetFlows()[flow].startNs;
    m_beginNs = std::max<int64_t>(0, startNs - warmUpNs);
    m_endNs = startNs + (surrogate.GetEndNs(flow) - startNs) * 3 / 2 + MARGIN_NS;
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
    const auto last = std::lower_bound(flows.begin(),
                                       flows.end(),
                                       m_endNs,
                                       [](const DcnFlow& flow, int64_t timeNs) {
                                           return flow.startNs < timeNs;
                                       });
    return {static_cast<uint32_t>(m_surrogate->GetOldestActive(m_beginNs)),
            static_cast<uint32_t>(last - flows.begin())};
}

bool
DcnPathWindow::Adjust(uint32_t index, DcnFlow& flow) const
{
    const int64_t endNs = m_surrogate->GetEndNs(index);
    if (index == m_flow)
    {
        return true;
    }
    if (endNs <= m_beginNs || flow.startNs >= m_endNs)
    {
        return false;
    }
    const auto total = static_cast<double>(flow.sizeBytes);
    const auto lasts = static_cast<double>(endNs - flow.startNs);
    const int64_t fromNs = std::max(flow.startNs, m_beginNs);
    const double left = total * static_cast<double>(endNs - fromNs) / lasts;
    const double sent = total * static_cast<double>(std::min(endNs, m_endNs) - fromNs) / lasts;
    const double most = static_cast<double>(m_scenario->GetMaxRate(flow.src)) *
                        static_cast<double>(m_endNs - fromNs) / 8e9;
    const auto window = static_cast<double>(m_scenario->GetNetwork().windowBytes);
    const double size = std::min({left, most, 2 * sent + 2 * window});
    flow.sizeBytes = std::max<uint64_t>(1, static_cast<uint64_t>(size));
    flow.startNs = fromNs;
    return true;
}

uint64_t
DcnPathWindow::GetLimit(uint32_t index) const
{
    const DcnFlow& flow = m_scenario->GetFlows()[index];
    const DcnIdealFct ideal = m_scenario->GetIdealFct(index);
    const int64_t servedNs = m_surrogate->GetEndNs(index) - flow.startNs - ideal.latencyNs;
    if (index == m_flow || flow.sizeBytes <= m_scenario->GetNetwork().windowBytes ||
        10 * ideal.restNs > 9 * servedNs)
    {
        return 0;
    }
    const double rate = 8e9 * static_cast<double>(flow.sizeBytes) / static_cast<double>(servedNs);
    return std::max(static_cast<uint64_t>(rate), m_scenario->GetNetwork().minRate.GetBitRate());
}

bool
DcnPathWindow::IsFree(uint64_t rateBps, const std::vector<uint32_t>& flows) const
{
    std::vector<std::pair<int64_t, int64_t>> changes; // when the flows can send how much more
    for (uint32_t index : flows)
    {
        const int64_t startNs = m_scenario->GetFlows()[index].startNs;
        const auto rate =
            static_cast<int64_t>(m_scenario->GetMaxRate(m_scenario->GetFlows()[index].src));
        const int64_t lastsNs = m_surrogate->GetEndNs(index) - startNs;
        changes.emplace_back(startNs, rate);
        changes.emplace_back(startNs + lastsNs * 3 / 2 + MARGIN_NS, -rate);
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
                             [this](const DcnPathInterval& each) {
                                 DcnFlow flow = m_scenario->GetFlows()[each.flow];
                                 return !Adjust(each.flow, flow);
                             }),
              all.end());
    std::vector<uint32_t> whole; // flows of the whole path
    for (uint32_t index : traffic.foreground)
    {
        DcnFlow flow = m_scenario->GetFlows()[index];
        if (Adjust(index, flow))
        {
            whole.push_back(index);
        }
    }
    // by link and direction
    std::vector<std::vector<uint32_t>> forward(path.size(), whole);
    std::vector<std::vector<uint32_t>> backward(path.size());
    for (const DcnPathInterval& each : all)
    {
        for (uint32_t k = each.enter; k < each.leave; ++k)
        {
            forward[k].push_back(each.flow);
        }
        for (uint32_t k = each.leave; k < each.enter; ++k)
        {
            backward[k].push_back(each.flow);
        }
    }
    std::vector<bool> isFree;
    for (std::size_t k = 0; k < path.size(); ++k)
    {
        const uint64_t rate = m_scenario->GetTopology().GetLink(path[k]).rateBps;
        isFree.push_back(IsFree(rate, forward[k]) &&
                         (m_scenario->GetNetwork().ackHighPriority || IsFree(rate, backward[k])));
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

} // namespace ns3

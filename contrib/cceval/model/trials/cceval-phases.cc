/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "cceval-phases.h"

#include <algorithm>

namespace ns3
{

CcevalPhases::CcevalPhases(const std::vector<DcnFlow>& flows, const std::vector<int64_t>& fctNs)
    : m_phases(flows.size(), CcevalPhase::STABLE)
{
    if (flows.empty())
    {
        return;
    }
    const int64_t last = flows.back().startNs;
    auto endOf = [&](std::size_t i) {
        return fctNs[i] < 0 ? INT64_MAX : flows[i].startNs + fctNs[i];
    };
    // starts and ends of flows up to the last start, ends first where they coincide
    std::vector<std::pair<int64_t, int>> changes;
    double flowTime = 0;
    for (std::size_t i = 0; i < flows.size(); ++i)
    {
        changes.emplace_back(flows[i].startNs, 1);
        if (endOf(i) <= last)
        {
            changes.emplace_back(endOf(i), -1);
        }
        flowTime += static_cast<double>(std::min(endOf(i), last) - flows[i].startNs);
    }
    std::sort(changes.begin(), changes.end());
    const double average = last > 0 ? flowTime / static_cast<double>(last) : 0;
    int active = 0;
    m_warmUpEndNs = last;
    for (const auto& [time, change] : changes)
    {
        active += change;
        if (active >= average)
        {
            m_warmUpEndNs = time;
            break;
        }
    }
    for (std::size_t i = 0; i < flows.size(); ++i)
    {
        if (flows[i].startNs < m_warmUpEndNs)
        {
            m_phases[i] = CcevalPhase::WARM_UP;
        }
        else if (endOf(i) > last)
        {
            m_phases[i] = CcevalPhase::COOL_DOWN;
        }
    }
}

CcevalPhase
CcevalPhases::Get(std::size_t flow) const
{
    return m_phases[flow];
}

std::array<double, 3>
CcevalPhases::GetShares() const
{
    std::array<double, 3> shares{};
    for (const CcevalPhase phase : m_phases)
    {
        shares[static_cast<std::size_t>(phase)] += 1.0 / static_cast<double>(m_phases.size());
    }
    return shares;
}

int64_t
CcevalPhases::GetWarmUpEndNs() const
{
    return m_warmUpEndNs;
}

} // namespace ns3

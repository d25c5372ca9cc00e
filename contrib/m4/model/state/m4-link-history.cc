/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "m4-link-history.h"

#include <algorithm>
#include <utility>

namespace ns3
{

M4LinkHistory::M4LinkHistory(std::vector<double> capacities)
    : m_capacities(std::move(capacities)),
      m_sums(m_capacities.size())
{
}

void
M4LinkHistory::SetCapacity(uint32_t link, double capacity)
{
    m_capacities[link] = capacity;
}

M4LinkHistory::Meeting
M4LinkHistory::Add(DcnPath path, double fluidBits, double burstBits, int64_t nowNs)
{
    m_firstNs = m_firstNs < 0 ? nowNs : m_firstNs;
    Meeting meeting{0, 0};
    for (const uint32_t link : path)
    {
        const double backlogNs = GetBacklogNs(link, nowNs);
        meeting.waitNs += backlogNs;
        meeting.mostNs = std::max(meeting.mostNs, backlogNs);
        Sums& sums = m_sums[link];
        const double workNs = burstBits * 1e9 / m_capacities[link];
        sums.backlogNs = backlogNs + workNs;
        sums.lastNs = nowNs;
        sums.workNs += workNs;
        sums.squares += workNs * workNs;
        sums.fluidNs += fluidBits * 1e9 / m_capacities[link];
    }
    return meeting;
}

double
M4LinkHistory::GetBacklogNs(uint32_t link, int64_t nowNs) const
{
    const Sums& sums = m_sums[link];
    return std::max(0.0, sums.backlogNs - static_cast<double>(nowNs - sums.lastNs));
}

double
M4LinkHistory::GetWorkNs(uint32_t link) const
{
    return m_sums[link].workNs;
}

double
M4LinkHistory::GetLoad(uint32_t link, int64_t nowNs, double slackNs) const
{
    const double sinceNs = static_cast<double>(nowNs - m_firstNs) + slackNs;
    return std::min(MAX_LOAD, m_sums[link].fluidNs / sinceNs);
}

double
M4LinkHistory::GetMeanWaitNs(uint32_t link, int64_t nowNs, double slackNs) const
{
    const double sinceNs = static_cast<double>(nowNs - m_firstNs) + slackNs;
    return m_sums[link].squares / sinceNs / (2 * (1 - GetLoad(link, nowNs, slackNs)));
}

} // namespace ns3

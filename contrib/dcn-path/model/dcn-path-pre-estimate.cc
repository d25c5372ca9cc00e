/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "dcn-path-pre-estimate.h"

#include "ns3/dcn-error.h"
#include "ns3/dcn-estimator.h"
#include "ns3/log.h"

#include <algorithm>
#include <functional>
#include <queue>
#include <utility>

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("DcnPathPreEstimate");

DcnPathPreEstimate::DcnPathPreEstimate(Ptr<const DcnScenario> scenario, const std::string& method)
{
    const DcnEstimate estimate = DcnEstimator::CreateByName(method)->Estimate(scenario);
    const std::size_t nFlows = scenario->GetFlows().size();
    if (estimate.GetNFinished() < nFlows)
    {
        DcnFail("the method \"",
                method,
                "\" has no completion time for ",
                nFlows - estimate.GetNFinished(),
                " of ",
                nFlows,
                " flows, so that it cannot be the pre-estimate");
    }
    NS_LOG_INFO("pre-estimate of " << nFlows << " flows by " << method);
    int64_t last = 0;
    for (std::size_t i = 0; i < nFlows; ++i)
    {
        m_endNs.push_back(scenario->GetFlows()[i].startNs + estimate.fctNs[i]);
        last = std::max(last, m_endNs.back());
        m_lastNs.push_back(last);
    }
    ComputeScores(*scenario);
}

void
DcnPathPreEstimate::ComputeScores(const DcnScenario& scenario)
{
    const DcnTopology& topology = scenario.GetTopology();
    const auto window = static_cast<double>(
        std::max<uint64_t>(scenario.GetNetwork().windowBytes, scenario.GetNetwork().payloadBytes));
    std::vector<uint32_t> active(topology.GetNLinks(), 0);
    using Ending = std::pair<int64_t, std::size_t>; // time and flow index
    std::priority_queue<Ending, std::vector<Ending>, std::greater<>> endings;
    for (std::size_t i = 0; i < m_endNs.size(); ++i)
    {
        const DcnFlow& flow = scenario.GetFlows()[i];
        while (!endings.empty() && endings.top().first <= flow.startNs)
        {
            for (uint32_t link : scenario.GetPath(endings.top().second))
            {
                --active[link];
            }
            endings.pop();
        }
        const auto hostRate = static_cast<double>(scenario.GetMaxRate(flow.src));
        double queueNs = 0;
        for (uint32_t link : scenario.GetPath(i))
        {
            const auto rate = static_cast<double>(topology.GetLink(link).rateBps);
            queueNs += std::max(0.0, active[link] + 1 - rate / hostRate) * 8e9 * window / rate;
            ++active[link];
        }
        endings.emplace(m_endNs[i], i);
        const auto ideal = static_cast<double>(scenario.GetIdealFct(i).GetTotalNs());
        m_scores.push_back((static_cast<double>(m_endNs[i] - flow.startNs) + queueNs) / ideal);
    }
}

std::size_t
DcnPathPreEstimate::GetOldestActive(int64_t timeNs) const
{
    // m_lastNs never falls: its first entry beyond the time belongs to a flow that ends then
    return static_cast<std::size_t>(std::upper_bound(m_lastNs.begin(), m_lastNs.end(), timeNs) -
                                    m_lastNs.begin());
}

} // namespace ns3

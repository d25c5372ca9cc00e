/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "m3-fluid.h"

#include "ns3/dcn-idle-time.h"
#include "ns3/dcn-units.h"
#include "ns3/flowsim-stream.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <queue>
#include <utility>

namespace ns3
{

M3Fluid::M3Fluid(const DcnScenario& scenario, bool windowCap)
{
    const std::size_t nFlows = scenario.GetFlows().size();
    m_logSlowdown.resize(nFlows);
    m_logQueue.resize(nFlows);
    m_offsets.reserve(nFlows);
    std::size_t nHops = 0;
    for (std::size_t i = 0; i < nFlows; ++i)
    {
        m_offsets.push_back(nHops);
        nHops += scenario.GetPath(i).size();
    }
    m_backlog.resize(nHops);
    m_reverse.resize(nHops);
    std::vector<int64_t> endNs(nFlows);
    Simulate(scenario, windowCap, endNs);
    Sweep(scenario, endNs);
    FindIdle(scenario, endNs);
    m_endNs = *std::max_element(endNs.begin(), endNs.end());
}

double
M3Fluid::GetWindowBytes(const DcnNetworkParameters& network)
{
    return static_cast<double>(network.windowBytes == 0
                                   ? NO_WINDOW_BYTES
                                   : std::max<uint64_t>(network.windowBytes, network.payloadBytes));
}

void
M3Fluid::Simulate(const DcnScenario& scenario, bool windowCap, std::vector<int64_t>& endNs)
{
    const auto& flows = scenario.GetFlows();
    FlowsimOptions options;
    options.windowCap = windowCap;
    const FlowsimStream stream(scenario.GetTopology(), scenario.GetNetwork(), options);
    std::size_t next = 0;
    stream.Run(
        [&](FlowsimStream::Input& input) {
            if (next == flows.size())
            {
                return false;
            }
            const DcnPath path = scenario.GetPath(next);
            input.flow = flows[next++];
            input.path.assign(path.begin(), path.end());
            return true;
        },
        [&](const FlowsimStream::Output& output) {
            m_logSlowdown[output.index] = static_cast<float>(std::log(
                std::max(1.0,
                         static_cast<double>(output.fctNs) / static_cast<double>(output.idealNs))));
            // input of Sweep, which overwrites it
            m_logQueue[output.index] = static_cast<float>(output.idealNs);
            endNs[output.index] = output.flow.startNs + output.fctNs;
        });
}

void
M3Fluid::Sweep(const DcnScenario& scenario, const std::vector<int64_t>& endNs)
{
    const DcnTopology& topology = scenario.GetTopology();
    const DcnNetworkParameters& network = scenario.GetNetwork();
    const auto& flows = scenario.GetFlows();
    const double window = GetWindowBytes(network);
    auto share = [&](std::size_t flow) {
        const uint64_t wire = DcnWireBytes(flows[flow].sizeBytes, network.payloadBytes);
        return std::min(1.0, static_cast<double>(wire) / window);
    };
    std::vector<double> backlog(topology.GetNLinks(), 0.0);
    std::vector<uint32_t> active(topology.GetNLinks(), 0);
    using Ending = std::pair<int64_t, std::size_t>; // time and flow
    std::priority_queue<Ending, std::vector<Ending>, std::greater<>> endings;
    for (std::size_t i = 0; i < flows.size(); ++i)
    {
        while (!endings.empty() && endings.top().first <= flows[i].startNs)
        {
            const std::size_t ended = endings.top().second;
            for (uint32_t link : scenario.GetPath(ended))
            {
                // an idle link has a backlog of exactly 0, without rounding errors
                backlog[link] = --active[link] == 0 ? 0.0 : backlog[link] - share(ended);
            }
            endings.pop();
        }
        const auto hostRate = static_cast<double>(scenario.GetMaxRate(flows[i].src));
        const double own = share(i);
        double queueNs = 0;
        std::size_t at = m_offsets[i];
        for (uint32_t link : scenario.GetPath(i))
        {
            const auto rate = static_cast<double>(topology.GetLink(link).rateBps);
            queueNs += std::max(0.0, backlog[link] + own - rate / hostRate) * 8e9 * window / rate;
            m_backlog[at] = static_cast<float>(backlog[link]);
            m_reverse[at++] = static_cast<float>(backlog[DcnTopology::Reverse(link)]);
            backlog[link] += own;
            ++active[link];
        }
        endings.emplace(endNs[i], i);
        m_logQueue[i] = static_cast<float>(std::log1p(queueNs / m_logQueue[i]));
    }
}

void
M3Fluid::FindIdle(const DcnScenario& scenario, const std::vector<int64_t>& endNs)
{
    std::vector<int64_t> fctNs(endNs);
    for (std::size_t i = 0; i < fctNs.size(); ++i)
    {
        fctNs[i] -= scenario.GetFlows()[i].startNs;
    }
    const std::vector<int64_t> idleNs = DcnIdleTime::Find(scenario, fctNs);
    m_idleSlowdown.assign(idleNs.size(), 0);
    for (std::size_t i = 0; i < idleNs.size(); ++i)
    {
        if (idleNs[i] > 0)
        {
            const auto idealNs = static_cast<double>(scenario.GetIdealFct(i).GetTotalNs());
            m_idleSlowdown[i] =
                static_cast<float>(static_cast<double>(idleNs[i]) / std::max(1.0, idealNs));
        }
    }
}

} // namespace ns3

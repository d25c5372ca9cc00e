/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "noc-model.h"

#include "../simulator/noc-traffic.h"
#include "noc-layer-solver.h"
#include "noc-symmetry.h"

#include "ns3/dcn-error.h"
#include "ns3/log.h"

#include <algorithm>
#include <cmath>

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("NocModel");

NocMethod
NocGetMethod(const std::string& name)
{
    for (NocMethod method :
         {NocMethod::PUBLISHED, NocMethod::INDEPENDENT, NocMethod::CLOSED, NocMethod::CHAIN})
    {
        if (name == NocGetMethodName(method))
        {
            return method;
        }
    }
    DcnFail("there is no model \"",
            name,
            "\" of networks on chip; there are: published, independent, closed, chain");
}

const char*
NocGetMethodName(NocMethod method)
{
    static const char* const names[] = {"published", "independent", "closed", "chain"};
    return names[static_cast<std::size_t>(method)];
}

NocModel::NocModel(const NocSystem& system, bool usesSymmetry)
    : m_system(system),
      m_bursts(std::make_unique<NocBursts>())
{
    m_system.Check();
    if (m_system.HasWindows())
    {
        DcnFail("the models know no windows of cores: simulate, or set no limit to hits and misses "
                "under way");
    }
    if (!m_system.trace.empty())
    {
        const auto fits = NocFitTrace(m_system.trace,
                                      m_system.topology->GetNNodes(),
                                      m_system.trace.back().cycle + 1);
        for (std::size_t node = 0; node < fits.size(); ++node)
        {
            m_system.rates[node] = fits[node].first;
            m_system.bursts[node] = fits[node].second;
        }
        // destinations as they occur
        const std::size_t n = m_system.topology->GetNNodes();
        m_system.destinations.assign(n, std::vector<double>(n, 0));
        for (const NocTraceEntry& entry : m_system.trace)
        {
            m_system.destinations[entry.source][entry.destination] += 1;
        }
    }
    m_symmetry = std::make_unique<NocSymmetry>(m_system, usesSymmetry);
    MakeFlows();
}

NocModel::~NocModel() = default;

void
NocModel::MakeFlows()
{
    const uint32_t n = m_system.topology->GetNNodes();
    m_flows.resize(NOC_LAYERS);
    m_bursts->ahead.assign(n, 0);
    auto add = [this](NocLayer layer, const NocFlow& flow) {
        if (flow.rate > 0)
        {
            m_flows[static_cast<std::size_t>(layer)].push_back(flow);
        }
    };
    const auto nMemory = static_cast<double>(m_system.memoryControllers.size());
    const double hit = m_system.hitRate;
    std::vector<double> misses(n, 0); // by cache slice
    double missSum = 0;
    for (uint32_t core = 0; core < n; ++core)
    {
        const double rate = m_system.rates[core];
        if (rate <= 0)
        {
            continue;
        }
        m_bursts->ahead[core] = NocGgeoSource::GetAhead(m_system.bursts[core]);
        m_bursts->rate += rate;
        m_bursts->mixedAhead += rate * m_bursts->ahead[core];
        const auto shares = m_system.GetShares(core);
        for (uint32_t node = 0; node < n; ++node)
        {
            add(NocLayer::REQUEST, {core, node, core, true, rate * shares[node]});
            if (m_system.isCache)
            {
                NocFlow answer{node, core, core, false, hit * rate * shares[node]};
                add(NocLayer::ACKNOWLEDGEMENT, answer);
                answer.rate *= 1 - m_system.snoopRate;
                add(NocLayer::DATA, answer);
                misses[node] += (1 - hit) * rate * shares[node];
            }
        }
        missSum += (1 - hit) * rate;
    }
    m_bursts->mixedAhead /= m_bursts->rate;
    MakeSnoopFlows();
    if (!m_system.isCache || missSum <= 0)
    {
        return;
    }
    for (uint32_t memory : m_system.memoryControllers)
    {
        for (uint32_t node = 0; node < n; ++node)
        {
            add(m_system.sharedRequests ? NocLayer::REQUEST : NocLayer::MEMORY_REQUEST,
                {node, memory, NocFlow::MIXED, false, misses[node] / nMemory});
            add(NocLayer::DATA,
                {memory, node, node, false, (1 - hit) * m_system.rates[node] / nMemory});
        }
    }
}

void
NocModel::MakeSnoopFlows()
{
    const uint32_t n = m_system.topology->GetNNodes();
    const double share = m_system.hitRate * m_system.snoopRate;
    if (!m_system.isCache || share <= 0)
    {
        return;
    }
    // each line is owned by one of the cores that neither ask nor have the slice
    std::vector<double> snoops(static_cast<std::size_t>(n) * n, 0); // by slice and owner
    auto& data = m_flows[static_cast<std::size_t>(NocLayer::DATA)];
    for (uint32_t core = 0; core < n; ++core)
    {
        if (m_system.rates[core] <= 0)
        {
            continue;
        }
        const auto shares = m_system.GetShares(core);
        const double each = share * m_system.rates[core] / (m_system.GetNCores() - 2);
        for (uint32_t owner = 0; owner < n; ++owner)
        {
            if (owner == core || m_system.IsMemory(owner))
            {
                continue;
            }
            for (uint32_t slice = 0; slice < n; ++slice)
            {
                snoops[static_cast<std::size_t>(slice) * n + owner] +=
                    slice == owner ? 0 : each * shares[slice];
            }
            data.push_back({owner, core, core, false, each * (1 - shares[owner])});
        }
    }
    for (uint32_t slice = 0; slice < n; ++slice)
    {
        for (uint32_t owner = 0; owner < n; ++owner)
        {
            const double rate = snoops[static_cast<std::size_t>(slice) * n + owner];
            if (rate > 0)
            {
                m_flows[static_cast<std::size_t>(NocLayer::SNOOP)].push_back(
                    {slice, owner, NocFlow::MIXED, false, rate});
            }
        }
    }
}

NocAnswer
NocModel::Solve(NocMethod method) const
{
    NocAnswer answer;
    double rate = 0;
    double sum = 0;
    for (uint32_t i = 0; i < NOC_LAYERS; ++i)
    {
        const auto layer = static_cast<NocLayer>(i);
        answer.layers.emplace_back();
        if (!m_flows[i].empty())
        {
            NocLayerSolver solver(m_system, *m_symmetry, *m_bursts, m_flows[i], layer, method);
            answer.layers.back() = solver.Solve(answer);
        }
        if (layer == NocLayer::REQUEST || layer == NocLayer::MEMORY_REQUEST)
        {
            rate += answer.layers.back().rate;
            sum += answer.layers.back().rate > 0
                       ? answer.layers.back().rate * answer.layers.back().latency
                       : 0;
        }
    }
    answer.requestLatency = sum / rate;
    answer.isSaturated = answer.utilisation >= 1 || !answer.hasConverged ||
                         !std::isfinite(answer.requestLatency) ||
                         answer.layers[0].rate < (1 - MOST_LOST) * answer.layers[0].offered;
    double offered = 0;
    double largest = 0;
    for (double each : m_system.rates)
    {
        offered += each;
        largest = std::max(largest, each);
    }
    answer.throughput = offered * m_system.GetLargestRate() / largest;
    NS_LOG_INFO(NocGetMethodName(method)
                << ": " << answer.requestLatency << " cycles, " << answer.iterations
                << " iterations, busiest " << answer.binding << " " << answer.utilisation);
    return answer;
}

} // namespace ns3

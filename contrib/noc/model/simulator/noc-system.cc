/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "noc-system.h"

#include "ns3/dcn-error.h"
#include "ns3/log.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("NocSystem");

namespace
{

/// Refuses a capacity of 0.
void
CheckCapacity(const char* what, uint32_t capacity)
{
    if (capacity == 0)
    {
        DcnFail(what, " must hold at least one packet, but its size is 0");
    }
}

} // namespace

const char*
NocGetLayerName(NocLayer layer)
{
    static const char* const names[NOC_LAYERS] = {"request",
                                                  "memory request",
                                                  "data",
                                                  "acknowledgement",
                                                  "snoop"};
    return names[static_cast<std::size_t>(layer)];
}

NocSystem
NocSystem::Cache(std::shared_ptr<const NocTopology> topology,
                 const std::vector<uint32_t>& memoryControllers,
                 double rate,
                 double burst,
                 double hitRate)
{
    NocSystem system;
    system.topology = std::move(topology);
    system.memoryControllers = memoryControllers;
    system.hitRate = hitRate;
    const uint32_t n = system.topology->GetNNodes();
    system.bursts.assign(n, burst);
    for (uint32_t node = 0; node < n; ++node)
    {
        system.rates.push_back(system.IsMemory(node) ? 0 : rate);
    }
    return system;
}

NocSystem
NocSystem::OneLayer(std::shared_ptr<const NocTopology> topology, double rate, double burst)
{
    NocSystem system = Cache(std::move(topology), {}, rate, burst, 1);
    system.isCache = false;
    return system;
}

bool
NocSystem::IsMemory(uint32_t node) const
{
    return std::find(memoryControllers.begin(), memoryControllers.end(), node) !=
           memoryControllers.end();
}

std::vector<double>
NocSystem::GetShares(uint32_t source) const
{
    const uint32_t n = topology->GetNNodes();
    std::vector<double> shares(n, 0);
    for (uint32_t node = 0; node < n; ++node)
    {
        if (!IsMemory(node))
        {
            shares[node] = !destinations.empty() ? destinations[source][node] : node != source;
        }
    }
    const double sum = std::accumulate(shares.begin(), shares.end(), 0.0);
    for (double& share : shares)
    {
        share /= sum;
    }
    return shares;
}

std::vector<NocLayer>
NocSystem::GetLayers() const
{
    if (!isCache)
    {
        return {NocLayer::REQUEST};
    }
    std::vector<NocLayer> layers{NocLayer::REQUEST};
    if (hitRate < 1 && !sharedRequests)
    {
        layers.push_back(NocLayer::MEMORY_REQUEST);
    }
    layers.push_back(NocLayer::DATA);
    if (hitRate > 0)
    {
        layers.push_back(NocLayer::ACKNOWLEDGEMENT);
    }
    if (hitRate > 0 && snoopRate > 0)
    {
        layers.push_back(NocLayer::SNOOP);
    }
    return layers;
}

void
NocSystem::AddAnswers(uint32_t source, const std::vector<double>& shares, const AddLoad& add) const
{
    const uint32_t n = topology->GetNNodes();
    for (uint32_t node = 0; node < n; ++node)
    {
        const double rate = rates[source] * shares[node];
        add(NocLayer::DATA, node, source, hitRate * (1 - snoopRate) * rate);
        add(NocLayer::ACKNOWLEDGEMENT, node, source, hitRate * rate);
    }
    const double snoops = hitRate * snoopRate * rates[source];
    for (uint32_t owner = 0; owner < n && snoops > 0; ++owner)
    {
        // one of the cores that neither ask nor have the slice
        if (owner == source || IsMemory(owner))
        {
            continue;
        }
        const double each = snoops / (GetNCores() - 2);
        for (uint32_t node = 0; node < n; ++node)
        {
            add(NocLayer::SNOOP, node, owner, node == owner ? 0 : each * shares[node]);
        }
        add(NocLayer::DATA, owner, source, each * (1 - shares[owner]));
    }
    const auto nMemory = static_cast<double>(memoryControllers.size());
    for (uint32_t memory : memoryControllers)
    {
        add(NocLayer::DATA, memory, source, (1 - hitRate) * rates[source] / nMemory);
    }
}

double
NocSystem::GetLargestRate() const
{
    const uint32_t n = topology->GetNNodes();
    const uint32_t nLanes = topology->GetNLanes();
    // load of each lane, sink and controller per unit of the rates as they are
    std::vector<std::vector<double>> lanes(NOC_LAYERS, std::vector<double>(nLanes, 0));
    std::vector<double> sinks(n, 0);
    const AddLoad add = [&](NocLayer layer, uint32_t source, uint32_t destination, double rate) {
        if (rate == 0)
        {
            return;
        }
        for (const NocTopology::Leg& leg : topology->GetRoute(source, destination))
        {
            uint32_t lane = leg.lane;
            for (uint32_t hop = 0; hop < leg.hops; ++hop, lane = topology->GetNext(lane))
            {
                lanes[static_cast<std::size_t>(layer)][lane] += rate;
            }
        }
    };
    const auto nMemory = static_cast<double>(memoryControllers.size());
    std::vector<double> misses(n, 0); // by cache slice
    double missSum = 0;
    for (uint32_t source = 0; source < n; ++source)
    {
        if (rates[source] <= 0)
        {
            continue;
        }
        const auto shares = GetShares(source);
        for (uint32_t node = 0; node < n; ++node)
        {
            const double rate = rates[source] * shares[node];
            add(NocLayer::REQUEST, source, node, rate);
            sinks[node] += rate / (isCache ? 1 : sinkService);
            misses[node] += (1 - hitRate) * rate;
        }
        if (isCache)
        {
            AddAnswers(source, shares, add);
        }
        missSum += (1 - hitRate) * rates[source];
    }
    double largest = *std::max_element(sinks.begin(), sinks.end());
    if (isCache && hitRate < 1)
    {
        for (uint32_t node = 0; node < n; ++node)
        {
            for (uint32_t memory : memoryControllers)
            {
                add(sharedRequests ? NocLayer::REQUEST : NocLayer::MEMORY_REQUEST,
                    node,
                    memory,
                    misses[node] / nMemory);
            }
        }
        const double service =
            std::min(1.0 / memoryPeriod, static_cast<double>(memoryList) / memoryLatency);
        largest = std::max(largest, missSum / nMemory / service);
    }
    for (const auto& layer : lanes)
    {
        largest = std::max(largest, *std::max_element(layer.begin(), layer.end()));
    }
    const double rate = *std::max_element(rates.begin(), rates.end()) / largest;
    NS_LOG_INFO("largest rate " << rate << " packets per cycle and core");
    return rate;
}

void
NocSystem::Scale(double factor)
{
    for (double& rate : rates)
    {
        rate *= factor;
    }
}

void
NocSystem::Check() const
{
    if (!topology)
    {
        DcnFail("the network on chip has no topology");
    }
    CheckQueues();
    CheckCores();
    CheckCaches();
    CheckDestinations();
    CheckTrace();
}

void
NocSystem::CheckQueues() const
{
    CheckCapacity("an egress queue", egress);
    CheckCapacity("a transgress queue", transgress);
    CheckCapacity("an ingress queue", ingress);
    CheckCapacity("the list of a cache slice", cacheList);
    CheckCapacity("the list of a memory controller", memoryList);
    CheckCapacity("the window of hits", hitWindow);
    CheckCapacity("the window of misses", missWindow);
    if (HasWindows() && (!isCache || lookAhead == 0))
    {
        DcnFail("windows of cores need caches, and at least one request to choose from");
    }
    if (memoryPeriod == 0)
    {
        DcnFail("a memory controller must have at least one cycle per request, but it has 0");
    }
    if (!(sinkService > 0 && sinkService <= 1))
    {
        DcnFail("a sink takes packets with a probability in (0, 1] per cycle, not ", sinkService);
    }
}

void
NocSystem::CheckCores() const
{
    const uint32_t n = topology->GetNNodes();
    if (rates.size() != n || bursts.size() != n)
    {
        DcnFail("there are ",
                n,
                " nodes, but ",
                rates.size(),
                " rates and ",
                bursts.size(),
                " bursts");
    }
    uint32_t nSources = 0;
    for (uint32_t node = 0; node < n; ++node)
    {
        if (!(rates[node] >= 0 && rates[node] < 1))
        {
            DcnFail("the rate of node ",
                    node,
                    " must be at least 0 and below 1 packet per cycle, but it is ",
                    rates[node]);
        }
        if (!(bursts[node] >= 0 && bursts[node] < 1))
        {
            DcnFail("the burst probability of node ",
                    node,
                    " must be at least 0 and below 1, but it is ",
                    bursts[node]);
        }
        if (rates[node] > 0 && IsMemory(node))
        {
            DcnFail("node ", node, " is a memory controller, which sends no requests");
        }
        nSources += rates[node] > 0;
    }
    if (nSources == 0 && trace.empty())
    {
        DcnFail("no node sends a packet: all rates are 0");
    }
}

void
NocSystem::CheckCaches() const
{
    if (!(hitRate >= 0 && hitRate <= 1))
    {
        DcnFail("the hit rate must be from 0 to 1, but it is ", hitRate);
    }
    if (isCache && hitRate < 1 && memoryControllers.empty())
    {
        DcnFail("the hit rate is ", hitRate, ", but there is no memory controller for the misses");
    }
    if (!(snoopRate >= 0 && snoopRate <= 1))
    {
        DcnFail("the share of hits that are snooped must be from 0 to 1, but it is ", snoopRate);
    }
    if (snoopRate > 0 && (!isCache || GetNCores() < 3))
    {
        DcnFail("snoops need caches and three cores: one asks, one has the slice, one the line");
    }
    const uint32_t n = topology->GetNNodes();
    for (uint32_t memory : memoryControllers)
    {
        if (memory >= n)
        {
            DcnFail("memory controller ", memory, " is no node: there are ", n, " nodes");
        }
        if (std::count(memoryControllers.begin(), memoryControllers.end(), memory) > 1)
        {
            DcnFail("node ", memory, " is a memory controller twice: name it once");
        }
    }
}

void
NocSystem::CheckDestinations() const
{
    const uint32_t n = topology->GetNNodes();
    if (!destinations.empty() && destinations.size() != n)
    {
        DcnFail("there are ", n, " nodes, but destinations of ", destinations.size());
    }
    for (uint32_t source = 0; source < n; ++source)
    {
        if (rates[source] <= 0)
        {
            continue;
        }
        double sum = 0;
        for (uint32_t node = 0; node < n; ++node)
        {
            const double share = IsMemory(node)          ? 0
                                 : !destinations.empty() ? destinations[source][node]
                                                         : node != source;
            if (!(share >= 0 && std::isfinite(share)))
            {
                DcnFail("the share of destination ", node, " of node ", source, " is ", share);
            }
            if (share > 0 && topology->GetLeg(source, node).lane == NocTopology::NONE)
            {
                DcnFail("node ", source, " sends packets to itself");
            }
            sum += share;
        }
        if (sum <= 0)
        {
            DcnFail("node ", source, " has a rate, but no destination");
        }
    }
}

std::string
NocSystem::Where(const NocTraceEntry& entry) const
{
    return traceFile.empty() ? "" : traceFile + ":" + std::to_string(entry.line) + ": ";
}

bool
NocSystem::IsDrawn() const
{
    const bool hasHits = isCache && hitRate > 0;
    const bool hasMisses = isCache && hitRate < 1;
    return trace.empty() || sinkService < 1 || (hasHits && hasMisses) ||
           (hasHits && snoopRate > 0) || (hasMisses && memoryControllers.size() > 1);
}

void
NocSystem::CheckTrace() const
{
    const uint32_t n = topology->GetNNodes();
    for (const NocTraceEntry& entry : trace)
    {
        if (entry.source >= n || entry.destination >= n)
        {
            DcnFail(Where(entry),
                    "a packet of the trace goes from ",
                    entry.source,
                    " to ",
                    entry.destination,
                    ", but there are ",
                    n,
                    " nodes");
        }
        if (IsMemory(entry.source) || IsMemory(entry.destination))
        {
            DcnFail(Where(entry),
                    "a packet of the trace goes from ",
                    entry.source,
                    " to ",
                    entry.destination,
                    ", but node ",
                    IsMemory(entry.source) ? entry.source : entry.destination,
                    " is a memory controller: choose others by MemoryControllers (--memory), or "
                    "none (--memory=none) if all requests are hits");
        }
    }
}

} // namespace ns3

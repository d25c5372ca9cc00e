/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "dcn-scenario.h"

#include "ns3/dcn-error.h"
#include "ns3/log.h"

#include <algorithm>
#include <numeric>
#include <set>
#include <unordered_set>

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("DcnScenario");

namespace
{

/**
 * @param a a flow
 * @param b another flow
 * @return true if a comes before b in a scenario
 */
bool
IsBefore(const DcnFlow& a, const DcnFlow& b)
{
    return std::make_pair(a.startNs, a.id) < std::make_pair(b.startNs, b.id);
}

} // namespace

void
DcnCheckFlow(const DcnTopology& topology,
             const DcnFlow& flow,
             const std::function<std::string()>& where)
{
    auto from = [&where]() { return where ? where() : std::string(); };
    for (uint32_t end : {flow.src, flow.dst})
    {
        if (end >= topology.GetNNodes())
        {
            DcnFail(from(),
                    "flow ",
                    flow.id,
                    " names node ",
                    end,
                    ", but there are ",
                    topology.GetNNodes(),
                    " nodes");
        }
        if (!topology.IsHost(end))
        {
            DcnFail(from(),
                    "flow ",
                    flow.id,
                    end == flow.src ? " starts" : " ends",
                    " at ",
                    topology.GetExternalId(end),
                    ", which is a switch");
        }
    }
    if (flow.src == flow.dst)
    {
        DcnFail(from(),
                "flow ",
                flow.id,
                " goes from host ",
                topology.GetExternalId(flow.src),
                " to itself");
    }
    if (flow.sizeBytes == 0)
    {
        DcnFail(from(), "flow ", flow.id, " has the size 0");
    }
    if (flow.sizeBytes > DcnScenario::MAX_SIZE_BYTES)
    {
        DcnFail(from(),
                "flow ",
                flow.id,
                " has the size ",
                flow.sizeBytes,
                ", more than ",
                DcnScenario::MAX_SIZE_BYTES);
    }
    if (flow.startNs > DcnScenario::MAX_TIME_NS)
    {
        DcnFail(from(),
                "flow ",
                flow.id,
                " starts at ",
                flow.startNs,
                " ns, later than ",
                DcnScenario::MAX_TIME_NS);
    }
    if (flow.startNs < 0)
    {
        DcnFail(from(), "flow ", flow.id, " starts at ", flow.startNs, " ns, which is before 0");
    }
}

void
DcnScenario::CheckFlows(const DcnTopology& topology,
                        const DcnNetworkConfig& network,
                        const std::vector<DcnFlow>& flows,
                        const Locator& locator)
{
    if (flows.empty())
    {
        DcnFail("the scenario has no flow");
    }
    std::set<uint64_t> senderRates; // idle hosts change nothing
    for (const DcnFlow& flow : flows)
    {
        if (flow.src < topology.GetNNodes() && topology.IsHost(flow.src))
        {
            senderRates.insert(topology.GetHostRate(flow.src));
        }
    }
    network.Check({senderRates.begin(), senderRates.end()});
    auto where = [&locator](std::size_t i) { return locator ? locator(i) : std::string(); };
    // ids that ascend, as those of generated flows do, need no set to find an id twice
    const bool isAscending =
        std::adjacent_find(flows.begin(), flows.end(), [](const DcnFlow& a, const DcnFlow& b) {
            return a.id >= b.id;
        }) == flows.end();
    std::unordered_set<uint64_t> ids;
    ids.reserve(isAscending ? 0 : flows.size());
    for (std::size_t i = 0; i < flows.size(); ++i)
    {
        const DcnFlow& flow = flows[i];
        DcnCheckFlow(topology, flow, [&]() { return where(i); });
        if (!isAscending && !ids.insert(flow.id).second)
        {
            DcnFail(where(i), "flow_id ", flow.id, " stands for two flows");
        }
    }
}

Ptr<const DcnScenario>
DcnScenario::Create(Ptr<const DcnTopology> topology,
                    Ptr<const DcnNetworkConfig> network,
                    std::vector<DcnFlow> flows,
                    const std::unordered_map<uint64_t, PinnedPath>& pinned,
                    uint64_t seed,
                    const Locator& locator)
{
    CheckFlows(*topology, *network, flows, locator);
    if (!pinned.empty())
    {
        if (network->HasManyPaths())
        {
            DcnFail("paths of flows are given, but load_balancing is ",
                    network->loadBalancing,
                    ", with which packets choose their links: leave paths.csv away, or take "
                    "load_balancing=0");
        }
        std::unordered_set<uint64_t> ids;
        for (const DcnFlow& flow : flows)
        {
            ids.insert(flow.id);
        }
        for (const auto& [id, path] : pinned)
        {
            if (ids.find(id) == ids.end())
            {
                DcnFail(path.where, "flow_id ", id, " is no flow of the scenario");
            }
        }
    }

    Ptr<DcnScenario> scenario(new DcnScenario, false);
    scenario->m_topology = topology;
    scenario->m_network = CopyObject(network);
    scenario->m_seed = seed;
    std::vector<std::size_t> order(flows.size());
    std::iota(order.begin(), order.end(), 0);
    std::sort(order.begin(), order.end(), [&flows](std::size_t a, std::size_t b) {
        return IsBefore(flows[a], flows[b]);
    });
    auto where = [&locator](std::size_t i) { return locator ? locator(i) : std::string(); };
    DcnRouting routing(topology, seed);
    std::vector<uint32_t> links;
    scenario->m_flows.reserve(flows.size());
    for (std::size_t i : order)
    {
        const DcnFlow& flow = flows[i];
        links.clear();
        auto pin = pinned.find(flow.id);
        if (pin != pinned.end())
        {
            links = DcnPathFromNodes(*topology, flow, pin->second.nodes, pin->second.where);
        }
        else
        {
            try
            {
                routing.AppendPath(flow, links);
            }
            catch (const DcnError& error)
            {
                DcnFail(where(i), error.what());
            }
        }
        scenario->m_paths.Append(links);
        scenario->m_flows.push_back(flow);
    }
    NS_LOG_INFO(scenario->m_flows.size()
                << " flows, of which " << pinned.size() << " have pinned paths; seed " << seed);
    return scenario;
}

Ptr<const DcnScenario>
DcnScenario::CreateWithPaths(Ptr<const DcnTopology> topology,
                             Ptr<const DcnNetworkConfig> network,
                             std::vector<DcnFlow> flows,
                             DcnPathTable paths,
                             uint64_t seed)
{
    CheckFlows(*topology, *network, flows, nullptr);
    NS_ASSERT_MSG(paths.GetN() == flows.size(), "one path per flow");
    NS_ASSERT_MSG(std::is_sorted(flows.begin(), flows.end(), IsBefore), "flows out of order");
    Ptr<DcnScenario> scenario(new DcnScenario, false);
    scenario->m_topology = topology;
    scenario->m_network = CopyObject(network);
    scenario->m_flows = std::move(flows);
    scenario->m_paths = std::move(paths);
    scenario->m_seed = seed;
    NS_LOG_INFO(scenario->m_flows.size() << " flows with their paths; seed " << seed);
    return scenario;
}

const DcnTopology&
DcnScenario::GetTopology() const
{
    return *m_topology;
}

Ptr<const DcnTopology>
DcnScenario::GetTopologyPtr() const
{
    return m_topology;
}

const DcnNetworkParameters&
DcnScenario::GetNetwork() const
{
    return *m_network;
}

Ptr<const DcnNetworkConfig>
DcnScenario::GetNetworkConfig() const
{
    return m_network;
}

const std::vector<DcnFlow>&
DcnScenario::GetFlows() const
{
    return m_flows;
}

uint64_t
DcnScenario::GetSeed() const
{
    return m_seed;
}

DcnPath
DcnScenario::GetPath(std::size_t flow) const
{
    return m_paths.Get(flow);
}

DcnIdealFct
DcnScenario::GetIdealFct(std::size_t flow) const
{
    return DcnComputeIdealFct(*m_topology, m_paths.Get(flow), m_flows[flow].sizeBytes, *m_network);
}

uint64_t
DcnScenario::GetMaxRate(uint32_t host) const
{
    const uint64_t line = m_topology->GetHostRate(host);
    const uint64_t limit = m_network->maxRate.GetBitRate();
    return limit ? std::min(line, limit) : line;
}

} // namespace ns3

/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "dcn-scenario-change.h"

#include "../network/dcn-detours.h"

#include "ns3/dcn-error.h"
#include "ns3/dcn-random.h"
#include "ns3/dcn-routing.h"
#include "ns3/log.h"
#include "ns3/random-variable-stream.h"

#include <algorithm>
#include <numeric>
#include <string>
#include <unordered_set>

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("DcnScenarioChange");

namespace
{

/**
 * @param topology a topology
 * @param rates other rates by cable
 * @return the topology with other rates
 */
Ptr<DcnTopology>
Rebuild(const DcnTopology& topology, const std::map<uint32_t, uint64_t>& rates)
{
    DcnTopologyBuilder builder;
    for (uint32_t node = 0; node < topology.GetNNodes(); ++node)
    {
        builder.AddNode(topology.IsHost(node) ? DcnNodeKind::HOST : DcnNodeKind::SWITCH,
                        topology.GetExternalId(node));
    }
    for (uint32_t cable = 0; cable < topology.GetNLinks() / 2; ++cable)
    {
        const DcnLink& link = topology.GetLink(2 * cable);
        auto rate = rates.find(cable);
        builder.AddLink(link.from,
                        link.to,
                        rate == rates.end() ? link.rateBps : rate->second,
                        link.delayNs);
    }
    return builder.Build();
}

/**
 * @param topology a topology
 * @param link a link number
 * @throws DcnError for an unknown link
 */
void
CheckLink(const DcnTopology& topology, uint32_t link)
{
    if (link >= topology.GetNLinks())
    {
        DcnFail("there is no link ",
                link,
                "; the network has ",
                topology.GetNLinks(),
                " directed links");
    }
}

} // namespace

DcnScenarioChange&
DcnScenarioChange::FailLink(uint32_t link)
{
    m_failed.insert(link / 2);
    return *this;
}

DcnScenarioChange&
DcnScenarioChange::SetRate(uint32_t link, uint64_t rateBps)
{
    m_rates[link / 2] = rateBps;
    return *this;
}

DcnScenarioChange&
DcnScenarioChange::AddFlow(const DcnFlow& flow)
{
    m_added.push_back(flow);
    return *this;
}

DcnScenarioChange&
DcnScenarioChange::MoveFlow(uint64_t flow, uint32_t src, uint32_t dst)
{
    m_moved[flow] = {src, dst};
    return *this;
}

bool
DcnScenarioChange::HasFailures() const
{
    return !m_failed.empty();
}

std::vector<std::size_t>
DcnScenarioChange::ChangeFlows(const DcnScenario& scenario, std::vector<DcnFlow>& flows) const
{
    flows = scenario.GetFlows();
    std::vector<std::size_t> origins(flows.size());
    std::iota(origins.begin(), origins.end(), std::size_t{0});
    std::unordered_set<uint64_t> ids;
    std::size_t nMoved = 0;
    for (std::size_t f = 0; f < flows.size(); ++f)
    {
        ids.insert(flows[f].id);
        auto moved = m_moved.find(flows[f].id);
        if (moved != m_moved.end())
        {
            flows[f].src = moved->second.first;
            flows[f].dst = moved->second.second;
            origins[f] = NEW;
            ++nMoved;
        }
    }
    if (nMoved < m_moved.size())
    {
        for (const auto& moved : m_moved)
        {
            if (ids.count(moved.first) == 0)
            {
                DcnFail("flow ", moved.first, " cannot be moved: there is none of that id");
            }
        }
    }
    for (const DcnFlow& flow : m_added)
    {
        if (!ids.insert(flow.id).second)
        {
            DcnFail("flow ", flow.id, " cannot be added: there is one of that id");
        }
        flows.push_back(flow);
        origins.push_back(NEW);
    }
    for (std::size_t f = 0; f < flows.size(); ++f)
    {
        if (origins[f] == NEW)
        {
            DcnCheckFlow(scenario.GetTopology(), flows[f], [&]() {
                return "flow " + std::to_string(flows[f].id) + ": ";
            });
        }
    }
    return origins;
}

DcnPathTable
DcnScenarioChange::FindPaths(const DcnScenario& scenario,
                             const std::vector<DcnFlow>& flows,
                             const std::vector<std::size_t>& origins) const
{
    const DcnDetours detours(scenario.GetTopology(), m_failed, scenario.GetSeed());
    DcnPathTable paths;
    std::vector<uint32_t> links;
    std::string unreachable;
    uint64_t nUnreachable = 0;
    for (std::size_t f = 0; f < flows.size(); ++f)
    {
        const DcnPath before =
            origins[f] == NEW ? DcnPath{nullptr, nullptr} : scenario.GetPath(origins[f]);
        if (origins[f] != NEW && !detours.IsCut(before))
        {
            links.assign(before.begin(), before.end());
        }
        else
        {
            detours.Find(before, flows[f], links);
        }
        if (links.empty())
        {
            if (++nUnreachable <= 5)
            {
                unreachable += (nUnreachable > 1 ? ", " : "") + std::to_string(flows[f].id);
            }
            continue;
        }
        paths.Append(links);
    }
    if (nUnreachable > 0)
    {
        DcnFail("after the change, the destinations of ",
                nUnreachable,
                " flows cannot be reached, among them of flow ",
                unreachable);
    }
    return paths;
}

Ptr<const DcnScenario>
DcnScenarioChange::Apply(Ptr<const DcnScenario> scenario) const
{
    const DcnTopology& topology = scenario->GetTopology();
    for (uint32_t cable : m_failed)
    {
        CheckLink(topology, 2 * cable);
    }
    for (const auto& rate : m_rates)
    {
        CheckLink(topology, 2 * rate.first);
        if (m_failed.count(rate.first) > 0)
        {
            DcnFail("link ",
                    topology.DescribeLink(2 * rate.first),
                    " fails, so that its rate has no effect");
        }
    }
    if (!m_failed.empty())
    {
        scenario->GetNetwork().RefuseManyPaths("DcnScenarioChange::FailLink");
    }
    Ptr<const DcnTopology> changed = scenario->GetTopologyPtr();
    if (!m_rates.empty())
    {
        changed = Rebuild(topology, m_rates);
    }

    std::vector<DcnFlow> flows;
    const std::vector<std::size_t> origins = ChangeFlows(*scenario, flows);
    std::vector<std::size_t> order(flows.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
        return std::make_pair(flows[a].startNs, flows[a].id) <
               std::make_pair(flows[b].startNs, flows[b].id);
    });
    std::vector<DcnFlow> sorted;
    std::vector<std::size_t> sortedOrigins;
    for (const std::size_t f : order)
    {
        sorted.push_back(flows[f]);
        sortedOrigins.push_back(origins[f]);
    }
    DcnPathTable paths = FindPaths(*scenario, sorted, sortedOrigins);
    NS_LOG_INFO(sorted.size() << " flows after the change: " << m_failed.size() << " links failed, "
                              << m_moved.size() << " flows moved, " << m_added.size() << " added");
    return DcnScenario::CreateWithPaths(changed,
                                        scenario->GetNetworkConfig(),
                                        std::move(sorted),
                                        std::move(paths),
                                        scenario->GetSeed());
}

std::vector<uint32_t>
DcnDrawCables(const DcnTopology& topology, std::size_t n, uint64_t seed)
{
    std::vector<uint32_t> links;
    for (uint32_t link = 0; link < topology.GetNLinks(); link += 2)
    {
        if (!topology.IsHost(topology.GetLink(link).from) &&
            !topology.IsHost(topology.GetLink(link).to))
        {
            links.push_back(link);
        }
    }
    Ptr<UniformRandomVariable> uniform = CreateObject<UniformRandomVariable>();
    DcnRandom(seed).Assign(uniform, DcnPurpose::LINK_DELAYS, 1);
    DcnShuffle(links, *uniform);
    if (links.size() < n)
    {
        DcnFail(n,
                " cables between switches are to be drawn, but the network has only ",
                links.size());
    }
    links.resize(n);
    return links;
}

} // namespace ns3

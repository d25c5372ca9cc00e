/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "dcn-routing.h"

#include "ns3/dcn-error.h"
#include "ns3/hash.h"
#include "ns3/log.h"

#include <algorithm>
#include <cstring>
#include <map>
#include <utility>

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("DcnRouting");

namespace
{

/**
 * The ECMP choice (see DcnRouting).
 * @param seed ECMP seed
 * @param node node at which the choice is made
 * @param flow the flow
 * @param n number of candidates, > 0
 * @return position of the chosen candidate
 */
uint32_t
ChooseNext(uint64_t seed, uint32_t node, const DcnFlow& flow, std::size_t n)
{
    if (n == 1)
    {
        return 0;
    }
    const uint64_t key[4] = {seed, node, flow.id, (uint64_t{flow.src} << 32) | flow.dst};
    char bytes[sizeof(key)];
    std::memcpy(bytes, key, sizeof(key));
    return static_cast<uint32_t>(((Hash64(bytes, sizeof(bytes)) >> 32) * n) >> 32);
}

/// Refuses a flow whose destination cannot be reached.
[[noreturn]] void
FailUnreachable(const DcnTopology& topology, const DcnFlow& flow)
{
    DcnFail("flow ",
            flow.id,
            ": host ",
            topology.GetExternalId(flow.dst),
            " cannot be reached from host ",
            topology.GetExternalId(flow.src));
}

} // namespace

DcnRouting::DcnRouting(Ptr<const DcnTopology> topology, uint64_t seed)
    : m_topology(topology),
      m_seed(seed),
      m_switchIndex(topology->GetNNodes(), 0)
{
    for (uint32_t node = 0; node < topology->GetNNodes(); ++node)
    {
        if (!topology->IsHost(node))
        {
            m_switchIndex[node] = static_cast<uint32_t>(m_switches.size());
            m_switches.push_back(node);
        }
    }
    m_distances.resize(m_switches.size());
    MakeGroups();
}

void
DcnRouting::MakeGroups()
{
    const DcnTopology& topology = *m_topology;
    m_homeLinks.assign(topology.GetNNodes(), NONE);
    for (uint32_t host : topology.GetHosts())
    {
        const auto& links = topology.GetOutLinks(host);
        if (links.size() == 1 && !topology.IsHost(topology.GetLink(links[0]).to))
        {
            m_homeLinks[host] = links[0];
        }
    }
    m_switchLinks.resize(m_switches.size());
    m_listsOf.resize(m_switches.size());
    std::map<std::vector<uint32_t>, uint32_t> known;
    for (uint32_t position = 0; position < m_switches.size(); ++position)
    {
        std::vector<uint32_t> neighbours;
        for (uint32_t link : topology.GetOutLinks(m_switches[position]))
        {
            const uint32_t node = topology.GetLink(link).to;
            if (!topology.IsHost(node))
            {
                const uint32_t peer = m_switchIndex[node];
                m_switchLinks[position].push_back({peer, link});
                if (neighbours.empty() || neighbours.back() != peer)
                {
                    neighbours.push_back(peer);
                }
            }
        }
        const auto [group, isNew] =
            known.try_emplace(neighbours, static_cast<uint32_t>(m_groups.size()));
        if (isNew)
        {
            m_groups.push_back({std::move(neighbours), {}, {}});
        }
        m_groupOf.push_back(group->second);
    }
    NS_LOG_LOGIC(m_groups.size() << " groups of " << m_switches.size() << " switches");
}

DcnIndexSpan
DcnRouting::GetList(uint32_t number) const
{
    return {m_listLinks.data() + m_listOffsets[number],
            m_listLinks.data() + m_listOffsets[number + 1]};
}

DcnIndexSpan
DcnRouting::GetCandidates(uint32_t position, Group& group) const
{
    if (group.distances.empty())
    {
        // breadth-first, from a switch that has the neighbours of the group
        group.distances.assign(m_switches.size(), UNREACHABLE);
        group.lists.assign(m_switches.size(), NONE);
        std::vector<uint32_t> frontier = group.neighbours;
        for (uint32_t neighbour : frontier)
        {
            group.distances[neighbour] = 1;
        }
        for (std::size_t next = 0; next < frontier.size(); ++next)
        {
            const uint16_t distance = group.distances[frontier[next]];
            for (const SwitchLink& link : m_switchLinks[frontier[next]])
            {
                if (group.distances[link.peer] == UNREACHABLE)
                {
                    group.distances[link.peer] = distance + 1;
                    frontier.push_back(link.peer);
                }
            }
        }
    }
    uint32_t& number = group.lists[position];
    if (number != NONE)
    {
        return GetList(number);
    }
    uint16_t best = UNREACHABLE;
    m_candidates.clear();
    for (const SwitchLink& link : m_switchLinks[position])
    {
        const uint16_t distance = group.distances[link.peer];
        if (distance < best)
        {
            best = distance;
            m_candidates.clear();
        }
        if (distance == best && best != UNREACHABLE)
        {
            m_candidates.push_back(link.link);
        }
    }
    for (uint32_t other : m_listsOf[position])
    {
        const DcnIndexSpan list = GetList(other);
        if (std::equal(list.begin(), list.end(), m_candidates.begin(), m_candidates.end()))
        {
            number = other;
            return list;
        }
    }
    number = static_cast<uint32_t>(m_listOffsets.size() - 1);
    m_listLinks.insert(m_listLinks.end(), m_candidates.begin(), m_candidates.end());
    m_listOffsets.push_back(static_cast<uint32_t>(m_listLinks.size()));
    m_listsOf[position].push_back(number);
    return GetList(number);
}

const std::vector<uint16_t>&
DcnRouting::DistancesTo(uint32_t destinationSwitch) const
{
    std::vector<uint16_t>& distances = m_distances[m_switchIndex[destinationSwitch]];
    if (!distances.empty())
    {
        return distances;
    }
    NS_LOG_LOGIC("distances to switch " << m_topology->GetExternalId(destinationSwitch));
    // breadth-first over switches; links are full duplex, so the distance is equal in both
    // directions
    distances.assign(m_switches.size(), UNREACHABLE);
    distances[m_switchIndex[destinationSwitch]] = 0;
    std::vector<uint32_t> frontier{destinationSwitch};
    for (std::size_t next = 0; next < frontier.size(); ++next)
    {
        const uint32_t node = frontier[next];
        const uint16_t distance = distances[m_switchIndex[node]];
        for (uint32_t link : m_topology->GetOutLinks(node))
        {
            const uint32_t peer = m_topology->GetLink(link).to;
            if (!m_topology->IsHost(peer) && distances[m_switchIndex[peer]] == UNREACHABLE)
            {
                distances[m_switchIndex[peer]] = distance + 1;
                frontier.push_back(peer);
            }
        }
    }
    return distances;
}

uint16_t
DcnRouting::Distance(uint32_t node, uint32_t host) const
{
    uint16_t best = UNREACHABLE;
    if (m_topology->IsHost(node))
    {
        for (uint32_t link : m_topology->GetOutLinks(node))
        {
            const uint32_t peer = m_topology->GetLink(link).to;
            if (peer == host)
            {
                return 1;
            }
            const uint16_t rest = m_topology->IsHost(peer) ? UNREACHABLE : Distance(peer, host);
            if (rest < best)
            {
                best = rest + 1;
            }
        }
        return best;
    }
    for (uint32_t link : m_topology->GetOutLinks(host))
    {
        const uint32_t attachment = m_topology->GetLink(link).to;
        if (!m_topology->IsHost(attachment))
        {
            const uint16_t rest = DistancesTo(attachment)[m_switchIndex[node]];
            if (rest < best)
            {
                best = rest + 1;
            }
        }
    }
    return best;
}

void
DcnRouting::NextLinks(uint32_t node, uint32_t host, std::vector<uint32_t>& links) const
{
    links.clear();
    uint16_t best = UNREACHABLE;
    for (uint32_t link : m_topology->GetOutLinks(node))
    {
        const uint32_t peer = m_topology->GetLink(link).to;
        if (m_topology->IsHost(peer) && peer != host)
        {
            continue;
        }
        const uint16_t distance = peer == host ? 0 : Distance(peer, host);
        if (distance < best)
        {
            links.clear();
            best = distance;
        }
        if (distance == best && best != UNREACHABLE)
        {
            links.push_back(link);
        }
    }
}

void
DcnRouting::AppendPathToSwitch(const DcnFlow& flow,
                               uint32_t target,
                               std::vector<uint32_t>& path) const
{
    const uint32_t destination = m_switchIndex[target];
    Group& group = m_groups[m_groupOf[destination]];
    const auto& links = m_switchLinks[destination];
    for (uint32_t node = m_topology->GetLink(path.back()).to; node != target;)
    {
        const uint32_t position = m_switchIndex[node];
        const auto first =
            std::lower_bound(links.begin(),
                             links.end(),
                             position,
                             [](const SwitchLink& link, uint32_t peer) { return link.peer < peer; });
        auto last = first;
        while (last != links.end() && last->peer == position)
        {
            ++last;
        }
        if (first != last)
        {
            const auto n = static_cast<std::size_t>(last - first);
            path.push_back(DcnTopology::Reverse(first[ChooseNext(m_seed, node, flow, n)].link));
            return;
        }
        const DcnIndexSpan candidates = GetCandidates(position, group);
        if (candidates.size() == 0)
        {
            FailUnreachable(*m_topology, flow);
        }
        path.push_back(candidates[ChooseNext(m_seed, node, flow, candidates.size())]);
        node = m_topology->GetLink(path.back()).to;
    }
}

void
DcnRouting::AppendPath(const DcnFlow& flow, std::vector<uint32_t>& path) const
{
    const uint32_t up = m_homeLinks[flow.src];
    const uint32_t down = m_homeLinks[flow.dst];
    if (up != NONE && down != NONE && flow.src != flow.dst)
    {
        path.push_back(up);
        AppendPathToSwitch(flow, m_topology->GetLink(down).to, path);
        path.push_back(DcnTopology::Reverse(down));
        return;
    }
    for (uint32_t node = flow.src; node != flow.dst;)
    {
        NextLinks(node, flow.dst, m_candidates);
        if (m_candidates.empty())
        {
            FailUnreachable(*m_topology, flow);
        }
        const uint32_t choice = ChooseNext(m_seed, node, flow, m_candidates.size());
        path.push_back(m_candidates[choice]);
        node = m_topology->GetLink(m_candidates[choice]).to;
    }
}

std::vector<uint32_t>
DcnRouting::GetNextLinks(uint32_t node, uint32_t host) const
{
    std::vector<uint32_t> links;
    NextLinks(node, host, links);
    return links;
}

uint32_t
DcnRouting::GetHops(uint32_t src, uint32_t dst) const
{
    const uint16_t hops = src == dst ? 0 : Distance(src, dst);
    return hops == UNREACHABLE ? 0 : hops;
}

Ptr<const DcnTopology>
DcnRouting::GetTopology() const
{
    return m_topology;
}

void
DcnPathTable::Append(const std::vector<uint32_t>& links)
{
    m_links.insert(m_links.end(), links.begin(), links.end());
    m_offsets.push_back(m_links.size());
}

DcnPath
DcnPathTable::Get(std::size_t flow) const
{
    return {m_links.data() + m_offsets[flow], m_links.data() + m_offsets[flow + 1]};
}

std::size_t
DcnPathTable::GetN() const
{
    return m_offsets.size() - 1;
}

void
DcnPathTable::Reserve(std::size_t flows, std::size_t hops)
{
    m_offsets.reserve(flows + 1);
    m_links.reserve(hops);
}

std::vector<uint32_t>
DcnParallelLinks(const DcnTopology& topology, uint32_t link)
{
    std::vector<uint32_t> parallel;
    for (uint32_t each : topology.GetOutLinks(topology.GetLink(link).from))
    {
        if (topology.GetLink(each).to == topology.GetLink(link).to)
        {
            parallel.push_back(each);
        }
    }
    return parallel;
}

std::vector<uint32_t>
DcnPathFromNodes(const DcnTopology& topology,
                 const DcnFlow& flow,
                 const DcnNodePath& walk,
                 const std::string& where)
{
    const std::vector<uint32_t>& nodes = walk.nodes;
    auto id = [&topology](uint32_t node) { return topology.GetExternalId(node); };
    if (nodes.size() < 2 || nodes.front() != flow.src || nodes.back() != flow.dst)
    {
        DcnFail(where,
                "the path of flow ",
                flow.id,
                " does not lead from its source ",
                id(flow.src),
                " to its destination ",
                id(flow.dst));
    }
    std::vector<uint32_t> path;
    std::vector<uint32_t> parallel;
    for (std::size_t i = 0; i + 1 < nodes.size(); ++i)
    {
        if (i > 0 && topology.IsHost(nodes[i]))
        {
            DcnFail(where, "the path of flow ", flow.id, " passes through host ", id(nodes[i]));
        }
        parallel.clear();
        for (uint32_t link : topology.GetOutLinks(nodes[i]))
        {
            if (topology.GetLink(link).to == nodes[i + 1])
            {
                parallel.push_back(link);
            }
        }
        if (parallel.empty())
        {
            DcnFail(where,
                    "the path of flow ",
                    flow.id,
                    " goes from ",
                    id(nodes[i]),
                    " to ",
                    id(nodes[i + 1]),
                    ", but no link joins them");
        }
        const uint32_t chosen =
            i + 1 < walk.parallel.size() ? walk.parallel[i + 1] : DcnNodePath::ANY;
        if (chosen != DcnNodePath::ANY && chosen >= parallel.size())
        {
            DcnFail(where,
                    "the path of flow ",
                    flow.id,
                    " takes parallel link ",
                    chosen,
                    " from ",
                    id(nodes[i]),
                    " to ",
                    id(nodes[i + 1]),
                    ", but there are only ",
                    parallel.size());
        }
        const uint32_t link =
            parallel[chosen != DcnNodePath::ANY ? chosen
                                                : ChooseNext(0, nodes[i], flow, parallel.size())];
        if (std::find(path.begin(), path.end(), link) != path.end())
        {
            DcnFail(where,
                    "the path of flow ",
                    flow.id,
                    " takes the link from ",
                    id(nodes[i]),
                    " to ",
                    id(nodes[i + 1]),
                    " twice");
        }
        path.push_back(link);
    }
    return path;
}

} // namespace ns3

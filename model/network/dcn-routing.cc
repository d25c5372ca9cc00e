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

/**
 * @param topology the network
 * @param flow whose ends no path joins
 * @return the cause, to end a sentence, where hosts lie on every way between them; else empty
 */
std::string
DescribeHostsBetween(const DcnTopology& topology, const DcnFlow& flow)
{
    std::vector<bool> isReached(topology.GetNNodes(), false);
    isReached[flow.src] = true;
    std::vector<uint32_t> nodes{flow.src};
    for (std::size_t i = 0; i < nodes.size() && !isReached[flow.dst]; ++i)
    {
        for (const uint32_t link : topology.GetOutLinks(nodes[i]))
        {
            const uint32_t peer = topology.GetLink(link).to;
            if (!isReached[peer])
            {
                isReached[peer] = true;
                nodes.push_back(peer);
            }
        }
    }
    return isReached[flow.dst] ? ": every way between them passes a host, and hosts do not forward"
                               : "";
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
    MakeGroups();
}

void
DcnRouting::MakeGroups()
{
    const DcnTopology& topology = *m_topology;
    m_ends.reserve(topology.GetNLinks());
    for (uint32_t link = 0; link < topology.GetNLinks(); ++link)
    {
        m_ends.push_back(topology.GetLink(link).to);
    }
    m_upLinks.assign(topology.GetNNodes(), NONE);
    m_downLinks.assign(topology.GetNNodes(), NONE);
    m_homes.assign(topology.GetNNodes(), NONE);
    for (uint32_t host : topology.GetHosts())
    {
        const auto& links = topology.GetOutLinks(host);
        if (links.size() == 1 && !topology.IsHost(topology.GetLink(links[0]).to))
        {
            m_upLinks[host] = links[0];
            m_downLinks[host] = DcnTopology::Reverse(links[0]);
            m_homes[host] = m_switchIndex[topology.GetLink(links[0]).to];
        }
    }
    m_neighbours.resize(m_switches.size());
    m_lists.resize(m_switches.size());
    for (uint32_t position = 0; position < m_switches.size(); ++position)
    {
        // out links are ordered by peer: those to one peer are a span
        const auto& links = topology.GetOutLinks(m_switches[position]);
        for (std::size_t first = 0; first < links.size();)
        {
            const uint32_t peer = topology.GetLink(links[first]).to;
            std::size_t last = first + 1;
            while (last < links.size() && topology.GetLink(links[last]).to == peer)
            {
                ++last;
            }
            if (!topology.IsHost(peer))
            {
                m_neighbours[m_switchIndex[peer]].push_back(
                    {position, {links.data() + first, links.data() + last}});
            }
            first = last;
        }
    }
    std::map<std::vector<uint32_t>, uint32_t> known;
    for (const auto& neighbours : m_neighbours)
    {
        std::vector<uint32_t> positions;
        for (const Neighbour& neighbour : neighbours)
        {
            positions.push_back(neighbour.position);
        }
        const auto [group, isNew] =
            known.try_emplace(positions, static_cast<uint32_t>(m_groups.size()));
        if (isNew)
        {
            m_groups.push_back({std::move(positions), {}, {}});
        }
        m_groupOf.push_back(group->second);
    }
    NS_LOG_LOGIC(m_groups.size() << " groups of " << m_switches.size() << " switches");
}

DcnRouting::Group&
DcnRouting::GetGroup(uint32_t destination) const
{
    Group& group = m_groups[m_groupOf[destination]];
    if (!group.distances.empty())
    {
        return group;
    }
    NS_LOG_LOGIC("distances to switch " << m_topology->GetExternalId(m_switches[destination]));
    // breadth-first over switches; links are full duplex, so the distance is equal in both
    // directions
    group.distances.assign(m_switches.size(), UNREACHABLE);
    group.lists.assign(m_switches.size(), NONE);
    std::vector<uint32_t> frontier = group.neighbours;
    for (uint32_t neighbour : frontier)
    {
        group.distances[neighbour] = 1;
        group.lists[neighbour] = DIRECT;
    }
    for (std::size_t next = 0; next < frontier.size(); ++next)
    {
        const uint16_t distance = group.distances[frontier[next]];
        for (const Neighbour& neighbour : m_neighbours[frontier[next]])
        {
            if (group.distances[neighbour.position] == UNREACHABLE)
            {
                group.distances[neighbour.position] = distance + 1;
                frontier.push_back(neighbour.position);
            }
        }
    }
    return group;
}

DcnIndexSpan
DcnRouting::GetList(uint32_t number) const
{
    return {m_listLinks.data() + m_listOffsets[number],
            m_listLinks.data() + m_listOffsets[number + 1]};
}

/**
 * @param position a switch
 * @param destination another switch
 * @return the links on shortest paths between them, valid until the next call; empty if there are
 * none
 */
DcnIndexSpan
DcnRouting::LinksToSwitch(uint32_t position, uint32_t destination) const
{
    Group& group = GetGroup(destination);
    uint32_t& number = group.lists[position];
    if (number == DIRECT)
    {
        const auto& neighbours = m_neighbours[destination];
        return std::lower_bound(
                   neighbours.begin(),
                   neighbours.end(),
                   position,
                   [](const Neighbour& each, uint32_t value) { return each.position < value; })
            ->links;
    }
    if (number != NONE)
    {
        return GetList(number);
    }
    const std::size_t first = m_listLinks.size();
    uint16_t best = UNREACHABLE;
    for (const Neighbour& each : m_neighbours[position])
    {
        const uint16_t distance = group.distances[each.position];
        if (distance < best)
        {
            best = distance;
            m_listLinks.resize(first);
        }
        if (distance == best && best != UNREACHABLE)
        {
            for (uint32_t link : each.links)
            {
                m_listLinks.push_back(DcnTopology::Reverse(link));
            }
        }
    }
    for (uint32_t known : m_lists[position])
    {
        const DcnIndexSpan list = GetList(known);
        if (std::equal(list.begin(), list.end(), m_listLinks.begin() + first, m_listLinks.end()))
        {
            m_listLinks.resize(first);
            number = known;
            return GetList(number);
        }
    }
    number = static_cast<uint32_t>(m_listOffsets.size() - 1);
    m_listOffsets.push_back(m_listLinks.size());
    m_lists[position].push_back(number);
    return GetList(number);
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
    const uint32_t position = m_switchIndex[node];
    for (uint32_t link : m_topology->GetOutLinks(host))
    {
        const uint32_t peer = m_topology->GetLink(link).to;
        if (!m_topology->IsHost(peer))
        {
            const uint32_t attachment = m_switchIndex[peer];
            const uint16_t rest =
                attachment == position ? 0 : GetGroup(attachment).distances[position];
            if (rest < best)
            {
                best = rest + 1;
            }
        }
    }
    return best;
}

/**
 * @param node a node
 * @param host another node, a host
 * @return the links from the node on shortest paths to the host, valid until the next call; empty
 * if there are none
 */
DcnIndexSpan
DcnRouting::NextLinks(uint32_t node, uint32_t host) const
{
    const uint32_t home = m_homes[host];
    const bool isHost = m_topology->IsHost(node);
    const uint32_t position = isHost ? m_homes[node] : m_switchIndex[node];
    if (home == NONE || position == NONE)
    {
        return SearchNextLinks(node, host);
    }
    const DcnIndexSpan links = position == home
                                   ? DcnIndexSpan{&m_downLinks[host], &m_downLinks[host] + 1}
                                   : LinksToSwitch(position, home);
    return isHost && links.size() > 0 ? DcnIndexSpan{&m_upLinks[node], &m_upLinks[node] + 1}
                                      : links;
}

/**
 * NextLinks from or to a host that has several links, or a link to another host.
 * @copydetails NextLinks
 */
DcnIndexSpan
DcnRouting::SearchNextLinks(uint32_t node, uint32_t host) const
{
    m_found.clear();
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
            m_found.clear();
            best = distance;
        }
        if (distance == best && best != UNREACHABLE)
        {
            m_found.push_back(link);
        }
    }
    return {m_found.data(), m_found.data() + m_found.size()};
}

void
DcnRouting::AppendPath(const DcnFlow& flow, std::vector<uint32_t>& path) const
{
    for (uint32_t node = flow.src; node != flow.dst;)
    {
        const DcnIndexSpan candidates = NextLinks(node, flow.dst);
        if (candidates.size() == 0)
        {
            DcnFail("flow ",
                    flow.id,
                    ": host ",
                    m_topology->GetExternalId(flow.dst),
                    " cannot be reached from host ",
                    m_topology->GetExternalId(flow.src),
                    DescribeHostsBetween(*m_topology, flow));
        }
        path.push_back(candidates[ChooseNext(m_seed, node, flow, candidates.size())]);
        node = m_ends[path.back()];
    }
}

std::vector<uint32_t>
DcnRouting::GetNextLinks(uint32_t node, uint32_t host) const
{
    const DcnIndexSpan links = NextLinks(node, host);
    return {links.begin(), links.end()};
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

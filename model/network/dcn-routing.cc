/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "dcn-routing.h"

#include "ns3/dcn-error.h"
#include "ns3/hash.h"
#include "ns3/log.h"

#include <algorithm>
#include <cstring>

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
DcnRouting::AppendPath(const DcnFlow& flow, std::vector<uint32_t>& path) const
{
    for (uint32_t node = flow.src; node != flow.dst;)
    {
        NextLinks(node, flow.dst, m_candidates);
        if (m_candidates.empty())
        {
            DcnFail("flow ",
                    flow.id,
                    ": host ",
                    m_topology->GetExternalId(flow.dst),
                    " cannot be reached from host ",
                    m_topology->GetExternalId(flow.src));
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

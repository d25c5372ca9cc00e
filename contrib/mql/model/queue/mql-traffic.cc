/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "mql-traffic.h"

#include "ns3/dcn-error.h"
#include "ns3/dcn-random.h"

#include <algorithm>
#include <cmath>
#include <deque>
#include <utility>

namespace ns3
{

namespace
{

/// Refuse a value that is not in (0, largest].
void
CheckPositive(const char* name, double value, double largest)
{
    if (!(value > 0) || value > largest)
    {
        DcnFail("the ",
                name,
                " of synthetic traffic must be above 0 and at most ",
                largest,
                ", not ",
                value);
    }
}

} // namespace

std::vector<MqlHostPair>
MqlMakePairs(const std::vector<uint32_t>& hosts, MqlPattern pattern)
{
    std::vector<MqlHostPair> pairs;
    // Pairs of the hosts at positions from first to end: of all of them, or with the first.
    const auto append = [&](std::size_t first, std::size_t end, MqlPattern part) {
        for (std::size_t src = first; src < end; src++)
        {
            for (std::size_t dst = first; dst < end; dst++)
            {
                if (src != dst && (part == MqlPattern::ALL_TO_ALL ||
                                   (part == MqlPattern::INCAST ? dst : src) == first))
                {
                    pairs.emplace_back(hosts[src], hosts[dst]);
                }
            }
        }
    };
    if (pattern != MqlPattern::ASYMMETRIC)
    {
        append(0, hosts.size(), pattern);
        return pairs;
    }
    const std::size_t third = hosts.size() / 3;
    append(0, third, MqlPattern::INCAST);
    append(third, 2 * third, MqlPattern::ALL_TO_ALL);
    append(2 * third, hosts.size(), MqlPattern::BROADCAST);
    return pairs;
}

void
MqlThinPairs(std::vector<MqlHostPair>& pairs, double density, UniformRandomVariable& uniform)
{
    if (density < 1)
    {
        const auto n = std::max(1.0, std::round(density * static_cast<double>(pairs.size())));
        DcnShuffle(pairs, uniform);
        pairs.resize(static_cast<std::size_t>(n));
        std::sort(pairs.begin(), pairs.end());
    }
}

std::vector<MqlFlow>
MqlMakeTraffic(const DcnTopology& topology, const MqlTrafficOptions& options)
{
    CheckPositive("load", options.load, 1000);
    CheckPositive("packet size", options.wireBytes, 1e9);
    CheckPositive("density", options.density, 1);
    if (!(options.c2a >= 0) || !(options.c2s >= 0))
    {
        DcnFail("squared coefficients of variation of synthetic traffic must be at least 0, not "
                "C2a ",
                options.c2a,
                " and C2s ",
                options.c2s);
    }
    const std::size_t needed = options.pattern == MqlPattern::ASYMMETRIC ? 6 : 2;
    if (topology.GetHosts().size() < needed)
    {
        DcnFail("the pattern needs ", needed, " hosts, not ", topology.GetHosts().size());
    }

    std::vector<MqlHostPair> pairs = MqlMakePairs(topology.GetHosts(), options.pattern);
    const DcnRandom random(options.seed);
    auto uniform = CreateObject<UniformRandomVariable>();
    random.Assign(uniform, DcnPurpose::MQL_TRAFFIC);
    MqlThinPairs(pairs, options.density, *uniform);

    std::vector<MqlFlow> flows;
    flows.reserve(pairs.size() * (options.ackBytes > 0 ? 2 : 1));
    std::vector<double> sent(topology.GetNNodes());
    std::vector<double> received(topology.GetNNodes());
    for (const auto& [src, dst] : pairs)
    {
        MqlFlow flow;
        flow.src = src;
        flow.dst = dst;
        flow.rate = options.unequalRates ? 1 - uniform->GetValue() : 1; // (0, 1]
        flow.c2a = options.c2a;
        flow.wireBytes = options.wireBytes;
        flow.c2s = options.c2s;
        sent[src] += flow.rate;
        received[dst] += flow.rate;
        flows.push_back(flow);
    }
    double busiest = 0; // utilisation if rates were packets/s
    for (uint32_t host : topology.GetHosts())
    {
        const double service =
            8 * options.wireBytes / static_cast<double>(topology.GetHostRate(host));
        busiest = std::max(busiest, std::max(sent[host], received[host]) * service);
    }
    for (MqlFlow& flow : flows)
    {
        flow.rate *= options.load / busiest;
    }
    if (options.ackBytes > 0)
    {
        MqlAddAcks(flows, options.ackBytes, options.acksPerPacket);
    }
    return flows;
}

void
MqlAddAcks(std::vector<MqlFlow>& flows, double ackBytes, double acksPerPacket)
{
    CheckPositive("number of ACKs per packet", acksPerPacket, 1000);
    const std::size_t n = flows.size();
    flows.reserve(2 * n);
    for (std::size_t i = 0; i < n; i++)
    {
        MqlFlow ack;
        ack.src = flows[i].dst;
        ack.dst = flows[i].src;
        ack.rate = flows[i].rate * acksPerPacket;
        ack.c2a = 1;
        ack.wireBytes = ackBytes;
        ack.c2s = 0;
        ack.kind = MqlFlow::Kind::ACK;
        ack.partner = static_cast<uint32_t>(i);
        flows[i].partner = static_cast<uint32_t>(n + i);
        flows.push_back(ack);
    }
}

std::vector<uint32_t>
MqlReversePath(const DcnPath& path)
{
    std::vector<uint32_t> links(path.begin(), path.end());
    std::reverse(links.begin(), links.end());
    for (uint32_t& link : links)
    {
        link = DcnTopology::Reverse(link);
    }
    return links;
}

DcnPathTable
MqlHashPaths(const std::vector<MqlFlow>& flows, const DcnRouting& routing)
{
    DcnPathTable paths;
    paths.Reserve(flows.size(), 6 * flows.size());
    std::vector<uint32_t> path;
    for (std::size_t i = 0; i < flows.size(); i++)
    {
        const MqlFlow& flow = flows[i];
        path.clear();
        if (flow.kind == MqlFlow::Kind::ACK && flow.partner < i)
        {
            path = MqlReversePath(paths.Get(flow.partner));
        }
        else
        {
            routing.AppendPath({i, flow.src, flow.dst, 1, 0}, path);
        }
        paths.Append(path);
    }
    return paths;
}

std::vector<uint8_t>
MqlQueueTypes::Of(const DcnTopology& topology)
{
    constexpr uint8_t UNKNOWN = 0xff;
    constexpr uint8_t HIGHEST = 80; // types are 3 * level + direction in a byte
    std::vector<uint8_t> levels(topology.GetNNodes(), UNKNOWN);
    std::deque<uint32_t> next;
    for (uint32_t host : topology.GetHosts())
    {
        levels[host] = 0;
        next.push_back(host);
    }
    while (!next.empty())
    {
        const uint32_t node = next.front();
        next.pop_front();
        for (uint32_t link : topology.GetOutLinks(node))
        {
            const uint32_t peer = topology.GetLink(link).to;
            if (levels[peer] == UNKNOWN)
            {
                levels[peer] = std::min<uint8_t>(HIGHEST, levels[node] + 1);
                next.push_back(peer);
            }
        }
    }
    std::vector<uint8_t> types(topology.GetNLinks());
    for (uint32_t link = 0; link < types.size(); link++)
    {
        const uint8_t from = levels[topology.GetLink(link).from];
        const uint8_t to = levels[topology.GetLink(link).to];
        const uint8_t level = from == UNKNOWN ? HIGHEST : from;
        types[link] = static_cast<uint8_t>(3 * level + (to > from ? 0 : to < from ? 1 : 2));
    }
    return types;
}

std::string
MqlQueueTypes::GetName(uint8_t type)
{
    static const char* const LEVELS[] = {"host", "edge", "agg", "core"};
    static const char* const DIRECTIONS[] = {"Up", "Down", "Peer"};
    const uint8_t level = type / 3;
    const std::string name = level < 4 ? LEVELS[level] : "level" + std::to_string(level);
    return name + DIRECTIONS[type % 3];
}

} // namespace ns3

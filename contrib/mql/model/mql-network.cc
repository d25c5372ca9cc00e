/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "mql-network.h"

#include "ns3/dcn-error.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <unordered_map>

namespace ns3
{

struct MqlNetwork::Moments
{
    double rate{0};    // sum lambda
    double bytes{0};   // sum lambda b
    double bytes2{0};  // sum lambda b^2 (1 + C2s)
    double burst0{0};  // sum lambda (C2 - 1)
    double burst1{0};  // sum lambda (C2 - 1) b
    double burst2{0};  // sum lambda (C2 - 1) b^2
    double work3[3]{}; // coefficients of f, f^2 and f^3 in MqlPair::work3
    double square0{0}; // sum lambda^2
    double square1{0}; // sum lambda^2 b
    double square2{0}; // sum lambda^2 b^2

    void Add(const MqlFlow& flow)
    {
        const double b = flow.wireBytes;
        const double excess = flow.c2a - 1;
        const double second = b * b * (1 + flow.c2s);
        rate += flow.rate;
        bytes += flow.rate * b;
        bytes2 += flow.rate * second;
        burst0 += flow.rate * excess;
        burst1 += flow.rate * excess * b;
        burst2 += flow.rate * excess * b * b;
        // Geometric batches of mean 1 + excess / 2; third moment of sizes as if symmetric.
        work3[0] += flow.rate * b * b * b * (1 + 3 * flow.c2s);
        work3[1] += flow.rate * 3 * excess * b * second;
        work3[2] += flow.rate * 1.5 * excess * excess * b * b * b;
        square0 += flow.rate * flow.rate;
        square1 += flow.rate * flow.rate * b;
        square2 += flow.rate * flow.rate * b * b;
    }

    double Work3(double f) const
    {
        return f * (work3[0] + f * (work3[1] + f * work3[2]));
    }
};

/// Spreads traffic evenly over the next links at each node.
class MqlNetwork::Splitter
{
  public:
    Splitter(MqlNetwork& network, const DcnRouting& routing)
        : m_network(network),
          m_routing(routing)
    {
    }

    /// Slots of all visits, in the order of m_visitFractions.
    std::vector<std::size_t> slots;

    /// Route of a flow, made of new segments or ones that are there; adds to nSplitVisits.
    Route Find(const MqlFlow& flow)
    {
        const DcnTopology& topology = *m_network.m_topology;
        const auto& out = topology.GetOutLinks(flow.src);
        const auto& in = topology.GetOutLinks(flow.dst);
        const uint32_t a = topology.GetLink(out[0]).to;
        const uint32_t b = topology.GetLink(in[0]).to;
        if (out.size() == 1 && in.size() == 1 && a != b && a != flow.dst)
        {
            const Middle& middle = GetMiddle(a, b, flow);
            const Piece head = GetHead(a, b, out[0], flow);
            const Piece tail = GetTail(a, DcnTopology::Reverse(in[0]), flow.dst, middle);
            m_network.m_nSplitVisits +=
                head.splitVisits + middle.piece.splitVisits + tail.splitVisits;
            return {head.segment, middle.piece.segment, tail.segment};
        }
        Expand(flow);
        uint64_t visits = 0;
        const uint32_t segment = Store(0, m_layers, visits);
        m_network.m_nSplitVisits += visits;
        return {segment, NONE, NONE};
    }

  private:
    /// A segment, with the (flow split, queue) visits of one flow on it.
    struct Piece
    {
        uint32_t segment{NONE};
        uint64_t splitVisits{0};
    };

    /// What comes to a link from one upstream link.
    struct Arrival
    {
        uint32_t upstream;
        uint32_t link;
        double fraction;
        uint64_t prefixes; // paths from the source that lead here
    };

    using Layer = std::vector<Arrival>; // arrivals at one hop, grouped by link

    /// Between the first and the last switch.
    struct Middle
    {
        Piece piece;
        std::size_t nHops{0}; // of the whole route
        Layer last;           // what arrives at the last link
    };

    static uint64_t Key(uint64_t from, uint64_t to)
    {
        return from << 32 | to;
    }

    const Middle& GetMiddle(uint32_t a, uint32_t b, const MqlFlow& flow)
    {
        const auto [position, isNew] = m_middles.try_emplace(Key(a, b));
        Middle& middle = position->second;
        if (isNew)
        {
            Expand(flow);
            middle.nHops = m_layers.size();
            middle.last = m_layers.back();
            m_layers.pop_back();
            m_layers.erase(m_layers.begin(), m_layers.begin() + 2);
            middle.piece.segment = Store(2, m_layers, middle.piece.splitVisits);
        }
        return middle;
    }

    /// The first two hops, which depend on the source host.
    Piece GetHead(uint32_t a, uint32_t b, uint32_t firstLink, const MqlFlow& flow)
    {
        const auto [position, isNew] = m_heads.try_emplace(Key(flow.src, b));
        Piece& head = position->second;
        if (isNew)
        {
            const auto& next = NextLinks(a, flow.dst);
            std::vector<Layer> layers{{{MqlPair::EXTERNAL, firstLink, 1, 1}}, {}};
            for (uint32_t link : next)
            {
                layers[1].push_back({firstLink, link, 1 / static_cast<double>(next.size()), 1});
            }
            head.segment = Store(0, layers, head.splitVisits);
        }
        return head;
    }

    /// The last hop, which depends on the destination host.
    Piece GetTail(uint32_t a, uint32_t lastLink, uint32_t host, const Middle& middle)
    {
        const auto [position, isNew] = m_tails.try_emplace(Key(a, host));
        Piece& tail = position->second;
        if (isNew)
        {
            std::vector<Layer> layers{middle.last};
            for (Arrival& arrival : layers[0])
            {
                arrival.link = lastLink;
            }
            tail.segment = Store(middle.nHops - 1, layers, tail.splitVisits);
        }
        return tail;
    }

    const std::vector<uint32_t>& NextLinks(uint32_t node, uint32_t host)
    {
        // Hosts behind the same switch are reached in the same way until there.
        const DcnTopology& topology = *m_network.m_topology;
        const auto& in = topology.GetOutLinks(host);
        const uint32_t last = topology.GetLink(in[0]).to;
        if (in.size() != 1 || node == last)
        {
            m_scratch = m_routing.GetNextLinks(node, host);
            return m_scratch;
        }
        const auto [position, isNew] =
            m_nextLinks.try_emplace(Key(node, last));
        if (isNew)
        {
            position->second = m_routing.GetNextLinks(node, host);
        }
        return position->second;
    }

    /// Make m_layers: arrivals at the links of each hop, grouped by link.
    void Expand(const MqlFlow& flow)
    {
        const DcnTopology& topology = *m_network.m_topology;
        m_layers.clear();
        Layer at{{MqlPair::EXTERNAL, NONE, 1, 1}}; // arrived at a node, by link
        std::vector<uint32_t> nodes{flow.src};                    // where each of them is
        while (nodes[0] != flow.dst)
        {
            Layer layer;
            for (std::size_t i = 0; i < at.size(); i++)
            {
                const auto& next = NextLinks(nodes[i], flow.dst);
                if (next.empty())
                {
                    DcnFail("there is no path from host ",
                            topology.GetExternalId(flow.src),
                            " to host ",
                            topology.GetExternalId(flow.dst));
                }
                const double fraction = at[i].fraction / static_cast<double>(next.size());
                for (uint32_t link : next)
                {
                    layer.push_back({at[i].upstream, link, fraction, at[i].prefixes});
                }
            }
            std::stable_sort(layer.begin(), layer.end(), [](const Arrival& x, const Arrival& y) {
                return x.link < y.link;
            });
            at.clear();
            nodes.clear();
            for (const Arrival& arrival : layer)
            {
                if (at.empty() || at.back().upstream != arrival.link)
                {
                    at.push_back({arrival.link, NONE, 0, 0});
                    nodes.push_back(topology.GetLink(arrival.link).to);
                }
                at.back().fraction += arrival.fraction;
                at.back().prefixes += arrival.prefixes;
            }
            m_layers.push_back(std::move(layer));
        }
    }

    /// Keep consecutive hops as a segment.
    uint32_t Store(std::size_t firstHop, const std::vector<Layer>& layers, uint64_t& splitVisits)
    {
        Segment segment;
        segment.first = slots.size();
        std::size_t hop = firstHop;
        for (const Layer& layer : layers)
        {
            for (const Arrival& arrival : layer)
            {
                slots.push_back(m_network.SlotOf(arrival.upstream, arrival.link));
                m_network.m_visitFractions.push_back(arrival.fraction);
                m_network.m_visitHops.push_back(static_cast<uint8_t>(hop));
                splitVisits += arrival.prefixes;
            }
            hop++;
        }
        segment.last = slots.size();
        m_network.m_segments.push_back(segment);
        return static_cast<uint32_t>(m_network.m_segments.size() - 1);
    }

    MqlNetwork& m_network;
    const DcnRouting& m_routing;
    std::unordered_map<uint64_t, Piece> m_heads;    // by source host and last switch
    std::unordered_map<uint64_t, Middle> m_middles; // by first and last switch
    std::unordered_map<uint64_t, Piece> m_tails;    // by first switch and destination host
    std::unordered_map<uint64_t, std::vector<uint32_t>> m_nextLinks; // by node and last switch
    std::vector<uint32_t> m_scratch;
    std::vector<Layer> m_layers;
};

MqlNetwork::MqlNetwork(Ptr<const DcnTopology> topology,
                       std::vector<MqlFlow> flows,
                       const DcnPathTable& paths)
    : m_topology(topology),
      m_flows(std::move(flows))
{
    CheckFlows();
    if (paths.GetN() != m_flows.size())
    {
        DcnFail("there are ", paths.GetN(), " paths for ", m_flows.size(), " flows");
    }
    IndexPairs();
    std::vector<std::size_t> slots;
    m_segments.reserve(m_flows.size());
    m_routes.reserve(m_flows.size());
    for (std::size_t i = 0; i < m_flows.size(); i++)
    {
        const DcnPath path = paths.Get(i);
        uint32_t node = m_flows[i].src;
        const std::size_t first = slots.size();
        uint32_t upstream = MqlPair::EXTERNAL;
        for (uint32_t link : path)
        {
            if (link >= m_topology->GetNLinks() || m_topology->GetLink(link).from != node)
            {
                break;
            }
            slots.push_back(SlotOf(upstream, link));
            upstream = link;
            node = m_topology->GetLink(link).to;
        }
        if (slots.size() - first != path.size() || node != m_flows[i].dst)
        {
            DcnFail("path ", i, " does not lead from the source to the destination of flow ", i);
        }
        m_routes.push_back({static_cast<uint32_t>(i), NONE, NONE});
        m_segments.push_back({first, slots.size()});
    }
    m_nSplitVisits = slots.size();
    CompressPairs(slots);
    CollectMoments();
    OrderLinks();
}

MqlNetwork::MqlNetwork(std::vector<MqlFlow> flows, const DcnRouting& routing)
    : m_topology(routing.GetTopology()),
      m_flows(std::move(flows))
{
    CheckFlows();
    IndexPairs();
    Splitter splitter(*this, routing);
    m_routes.reserve(m_flows.size());
    for (const MqlFlow& flow : m_flows)
    {
        m_routes.push_back(splitter.Find(flow));
    }
    CompressPairs(splitter.slots);
    CollectMoments();
    OrderLinks();
}

void
MqlNetwork::CheckFlows() const
{
    if (m_flows.empty())
    {
        DcnFail("a queueing network needs at least one flow");
    }
    for (std::size_t i = 0; i < m_flows.size(); i++)
    {
        const MqlFlow& flow = m_flows[i];
        const auto fail = [i](const char* what, double value) {
            DcnFail("flow ", i, " of the queueing network has ", what, " ", value);
        };
        if (!(flow.rate > 0) || std::isinf(flow.rate))
        {
            fail("a rate that is not above 0:", flow.rate);
        }
        if (!(flow.wireBytes > 0) || std::isinf(flow.wireBytes))
        {
            fail("a packet size that is not above 0:", flow.wireBytes);
        }
        if (!(flow.c2a >= 0) || std::isinf(flow.c2a))
        {
            fail("a squared coefficient of variation of gaps below 0:", flow.c2a);
        }
        if (!(flow.c2s >= 0) || std::isinf(flow.c2s))
        {
            fail("a squared coefficient of variation of sizes below 0:", flow.c2s);
        }
        for (uint32_t node : {flow.src, flow.dst})
        {
            if (node >= m_topology->GetNNodes() || !m_topology->IsHost(node))
            {
                fail("an end that is no host: node", node);
            }
        }
        if (flow.src == flow.dst)
        {
            fail("the same source and destination: node", flow.src);
        }
        if (flow.partner != MqlFlow::NO_PARTNER &&
            (flow.partner >= m_flows.size() || m_flows[flow.partner].partner != i))
        {
            fail("a partner that does not point back: flow", flow.partner);
        }
    }
}

void
MqlNetwork::IndexPairs()
{
    m_types = MqlQueueTypes::Of(*m_topology);
    m_outPosition.resize(m_topology->GetNLinks());
    m_slotBase.resize(m_topology->GetNLinks() + 1);
    for (uint32_t node = 0; node < m_topology->GetNNodes(); node++)
    {
        const auto& out = m_topology->GetOutLinks(node);
        for (uint32_t i = 0; i < out.size(); i++)
        {
            m_outPosition[out[i]] = i;
        }
    }
    std::size_t base = 0;
    for (uint32_t link = 0; link < m_topology->GetNLinks(); link++)
    {
        m_slotBase[link] = base;
        base += m_topology->GetOutLinks(m_topology->GetLink(link).from).size() + 1;
    }
    m_slotBase.back() = base;
}

std::size_t
MqlNetwork::SlotOf(uint32_t upstream, uint32_t link) const
{
    // The reverse of an upstream link is one of the links that leave the node.
    return m_slotBase[link] + (upstream == MqlPair::EXTERNAL
                                   ? 0
                                   : 1 + m_outPosition[DcnTopology::Reverse(upstream)]);
}

void
MqlNetwork::CompressPairs(const std::vector<std::size_t>& slots)
{
    std::vector<uint32_t> pairOf(m_slotBase.back(), NONE);
    for (std::size_t slot : slots)
    {
        pairOf[slot] = 0;
    }
    m_firstPair.resize(m_topology->GetNLinks() + 1);
    for (uint32_t link = 0; link < m_topology->GetNLinks(); link++)
    {
        m_firstPair[link] = static_cast<uint32_t>(m_pairs.size());
        const auto& out = m_topology->GetOutLinks(m_topology->GetLink(link).from);
        for (std::size_t slot = m_slotBase[link]; slot < m_slotBase[link + 1]; slot++)
        {
            if (pairOf[slot] != NONE)
            {
                const std::size_t position = slot - m_slotBase[link];
                MqlPair pair;
                pair.link = link;
                pair.upstream = position == 0 ? MqlPair::EXTERNAL
                                              : DcnTopology::Reverse(out[position - 1]);
                pairOf[slot] = static_cast<uint32_t>(m_pairs.size());
                m_pairs.push_back(pair);
            }
        }
    }
    m_firstPair.back() = static_cast<uint32_t>(m_pairs.size());
    m_visitPairs.resize(slots.size());
    for (std::size_t i = 0; i < slots.size(); i++)
    {
        m_visitPairs[i] = pairOf[slots[i]];
    }
}

void
MqlNetwork::CollectMoments()
{
    std::vector<Moments> moments(m_segments.size());
    for (std::size_t i = 0; i < m_flows.size(); i++)
    {
        for (uint32_t segment : m_routes[i])
        {
            if (segment != NONE)
            {
                moments[segment].Add(m_flows[i]);
            }
        }
    }
    m_linkBursts.resize(m_topology->GetNLinks());
    for (std::size_t s = 0; s < m_segments.size(); s++)
    {
        const Moments& sum = moments[s];
        uint32_t link = NONE;
        double total = 0; // fraction of the flows that comes to this link
        const auto closeLink = [&]() {
            if (link != NONE)
            {
                m_linkBursts[link].burst2 += total * total * sum.burst2;
                m_linkBursts[link].work3 += sum.Work3(total);
            }
            total = 0;
        };
        for (std::size_t v = m_segments[s].first; v < m_segments[s].last; v++)
        {
            MqlPair& pair = m_pairs[m_visitPairs[v]];
            if (pair.link != link)
            {
                closeLink();
                link = pair.link;
            }
            const double f = m_visitFractions.empty() ? 1 : m_visitFractions[v];
            total += f;
            pair.rate += f * sum.rate;
            pair.bytes += f * sum.bytes;
            pair.bytes2 += f * sum.bytes2;
            pair.burst0 += f * f * sum.burst0;
            pair.burst1 += f * f * sum.burst1;
            pair.burst2 += f * f * sum.burst2;
            pair.work3 += sum.Work3(f);
            pair.square0 += f * f * sum.square0;
            pair.square1 += f * f * sum.square1;
            pair.square2 += f * f * sum.square2;
        }
        closeLink();
    }
}

void
MqlNetwork::OrderLinks()
{
    const uint32_t nLinks = m_topology->GetNLinks();
    std::vector<uint32_t> nWaiting(nLinks, 0); // upstream links not yet in the order
    std::vector<std::vector<uint32_t>> downstream(nLinks);
    std::size_t nLoaded = 0;
    for (uint32_t link = 0; link < nLinks; link++)
    {
        nLoaded += m_firstPair[link] < m_firstPair[link + 1] ? 1 : 0;
        for (uint32_t i = m_firstPair[link]; i < m_firstPair[link + 1]; i++)
        {
            if (m_pairs[i].upstream != MqlPair::EXTERNAL)
            {
                downstream[m_pairs[i].upstream].push_back(link);
                nWaiting[link]++;
            }
        }
    }
    m_order.reserve(nLoaded);
    std::vector<bool> ordered(nLinks, false);
    for (uint32_t link = 0; link < nLinks; link++)
    {
        if (m_firstPair[link] < m_firstPair[link + 1] && nWaiting[link] == 0)
        {
            m_order.push_back(link);
            ordered[link] = true;
        }
    }
    for (std::size_t next = 0; next < m_order.size(); next++)
    {
        for (uint32_t link : downstream[m_order[next]])
        {
            if (--nWaiting[link] == 0)
            {
                m_order.push_back(link);
                ordered[link] = true;
            }
        }
    }
    m_feedForward = m_order.size() == nLoaded;
    for (uint32_t link = 0; link < nLinks; link++)
    {
        if (m_firstPair[link] < m_firstPair[link + 1] && !ordered[link])
        {
            m_order.push_back(link);
        }
    }
}

const DcnTopology&
MqlNetwork::GetTopology() const
{
    return *m_topology;
}

const std::vector<MqlFlow>&
MqlNetwork::GetFlows() const
{
    return m_flows;
}

void
MqlNetwork::GetVisits(std::size_t flow, std::vector<MqlVisit>& visits) const
{
    visits.clear();
    for (uint32_t segment : m_routes.at(flow))
    {
        if (segment == NONE)
        {
            continue;
        }
        for (std::size_t v = m_segments[segment].first; v < m_segments[segment].last; v++)
        {
            const uint32_t pair = m_visitPairs[v];
            visits.push_back({pair,
                              m_pairs[pair].link,
                              m_visitHops.empty() ? static_cast<uint32_t>(visits.size())
                                                  : m_visitHops[v],
                              m_visitFractions.empty() ? 1 : m_visitFractions[v]});
        }
    }
}

uint8_t
MqlNetwork::GetQueueType(uint32_t link) const
{
    return m_types.at(link);
}

uint64_t
MqlNetwork::GetNSplitVisits() const
{
    return m_nSplitVisits;
}

const std::vector<MqlPair>&
MqlNetwork::GetPairs() const
{
    return m_pairs;
}

bool
MqlNetwork::IsFeedForward() const
{
    return m_feedForward;
}

const std::vector<uint32_t>&
MqlNetwork::GetOrder() const
{
    return m_order;
}

std::pair<uint32_t, uint32_t>
MqlNetwork::GetPairsOf(uint32_t link) const
{
    return {m_firstPair.at(link), m_firstPair.at(link + 1)};
}

} // namespace ns3

/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "mql-network.h"

#include "ns3/dcn-error.h"

#include <algorithm>
#include <unordered_map>
#include <utility>

namespace ns3
{

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

} // namespace ns3

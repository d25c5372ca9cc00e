/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "mql-network.h"

#include "ns3/dcn-error.h"
#include "ns3/log.h"

#include <algorithm>
#include <boost/functional/hash.hpp>
#include <cmath>
#include <unordered_map>
#include <utility>

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("MqlNetwork");

struct MqlNetwork::Moments
{
    double rate{0};       // sum lambda
    double bytes{0};      // sum lambda b
    double bytes2{0};     // sum lambda b^2 (1 + C2s)
    double burst0{0};     // sum lambda (C2 - 1)
    double burst1{0};     // sum lambda (C2 - 1) b
    double burst2{0};     // sum lambda (C2 - 1) b^2
    double work3[3]{};    // coefficients of f, f^2 and f^3 in MqlPair::work3
    double dataRate{0};   // of data alone: sum lambda
    double dataBytes{0};  // sum lambda b
    double dataBytes2{0}; // sum lambda b^2 (1 + C2s)
    double square0{0};    // sum lambda^2
    double square1{0};    // sum lambda^2 b
    double square2{0};    // sum lambda^2 b^2

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
        if (flow.kind == MqlFlow::Kind::DATA)
        {
            dataRate += flow.rate;
            dataBytes += flow.rate * b;
            dataBytes2 += flow.rate * second;
        }
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

/**
 * Spreads traffic evenly over the next links at each node.
 *
 * A state contains the fractions of a flow on each link at one hop. Hosts behind one switch share
 * their next links up to it, and many sources lead to one state (all hosts of a pod: its links to
 * the core), so that steps from state to state are few; they are stored.
 */
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

    /// Append the segments of a flow's route to m_routeSegments; adds to m_nSplitVisits.
    void AppendRoute(const MqlFlow& flow)
    {
        const DcnTopology& topology = *m_network.m_topology;
        const auto& in = topology.GetOutLinks(flow.dst);
        const uint32_t lastSwitch = in.size() == 1 ? topology.GetLink(in[0]).to : flow.dst;
        uint32_t state = StartOf(flow.src);
        for (uint8_t hop = 0; m_states[state].node != flow.dst; hop += hop < 255 ? 1 : 0)
        {
            // From the last switch on, the next links depend on the host.
            const bool isShared = m_states[state].node != lastSwitch;
            const Step& step = GetStep(state, isShared ? lastSwitch : flow.dst, flow, hop);
            m_network.m_routeSegments.push_back(step.segment);
            m_network.m_nSplitVisits += step.splitVisits;
            state = step.next;
        }
    }

  private:
    /// The fraction of a flow on a link.
    struct Part
    {
        uint32_t link;
        double fraction;
        uint64_t prefixes; // number of paths from the source

        bool operator==(const Part& other) const
        {
            return link == other.link && fraction == other.fraction && prefixes == other.prefixes;
        }

        friend std::size_t hash_value(const Part& part) // of boost::hash
        {
            std::size_t hash = part.link;
            boost::hash_combine(hash, part.prefixes);
            return hash;
        }
    };

    struct State
    {
        std::vector<Part> parts; // ordered by link
        uint32_t node;           // their common node, NONE if there are several
    };

    struct Step
    {
        uint32_t segment;
        uint32_t next;
        uint64_t splitVisits;
    };

    /// A visit under construction.
    struct Arrival
    {
        uint32_t upstream;
        uint32_t link;
        double fraction;
        uint64_t prefixes;
    };

    static uint64_t Key(uint64_t from, uint64_t to)
    {
        return from << 32 | to;
    }

    /// A hash table whose keys contain vectors.
    template <typename KeyType, typename Value>
    using Table = std::unordered_map<KeyType, Value, boost::hash<KeyType>>;

    uint32_t StartOf(uint32_t host)
    {
        const auto [position, isNew] =
            m_starts.try_emplace(host, static_cast<uint32_t>(m_states.size()));
        if (isNew)
        {
            m_states.push_back({{{MqlPair::EXTERNAL, 1, 1}}, host});
        }
        return position->second;
    }

    /// Number of the set of next links from a node to a target; equal sets have one number.
    uint32_t NextLinks(uint32_t node, uint32_t target, const MqlFlow& flow)
    {
        const auto [position, isNew] = m_nextLinks.try_emplace(Key(node, target));
        if (isNew)
        {
            std::vector<uint32_t> links = m_routing.GetNextLinks(node, flow.dst);
            if (links.empty())
            {
                const DcnTopology& topology = *m_network.m_topology;
                DcnFail("there is no path from host ",
                        topology.GetExternalId(flow.src),
                        " to host ",
                        topology.GetExternalId(flow.dst));
            }
            const auto [number, isNewSet] =
                m_setNumbers.try_emplace(links, static_cast<uint32_t>(m_sets.size()));
            if (isNewSet)
            {
                m_sets.push_back(std::move(links));
            }
            position->second = number->second;
        }
        return position->second;
    }

    /// Moves all of a state by one link towards the target: the last switch, or the host.
    const Step& GetStep(uint32_t state, uint32_t target, const MqlFlow& flow, uint8_t hop)
    {
        const auto [position, isNew] = m_steps.try_emplace(Key(state, target));
        if (!isNew)
        {
            return position->second;
        }
        // Targets with equal next links share a step.
        std::vector<uint32_t> choice{state};
        for (const Part& part : m_states[state].parts)
        {
            const uint32_t node = part.link == MqlPair::EXTERNAL
                                      ? m_states[state].node
                                      : m_network.m_topology->GetLink(part.link).to;
            choice.push_back(NextLinks(node, target, flow));
        }
        const auto [same, isNewChoice] = m_choices.try_emplace(std::move(choice));
        if (isNewChoice)
        {
            same->second = MakeStep(state, same->first, hop);
        }
        return position->second = same->second;
    }

    Step MakeStep(uint32_t state, const std::vector<uint32_t>& choice, uint8_t hop)
    {
        const DcnTopology& topology = *m_network.m_topology;
        m_arrivals.clear();
        for (std::size_t i = 0; i < m_states[state].parts.size(); i++)
        {
            const Part& part = m_states[state].parts[i];
            const auto& next = m_sets[choice[i + 1]];
            const double fraction = part.fraction / static_cast<double>(next.size());
            for (uint32_t link : next)
            {
                m_arrivals.push_back({part.link, link, fraction, part.prefixes});
            }
        }
        std::sort(m_arrivals.begin(), m_arrivals.end(), [](const Arrival& x, const Arrival& y) {
            return x.link != y.link ? x.link < y.link : x.upstream < y.upstream;
        });
        State after{{}, topology.GetLink(m_arrivals[0].link).to};
        Step step{NONE, NONE, 0};
        for (const Arrival& arrival : m_arrivals)
        {
            if (after.parts.empty() || after.parts.back().link != arrival.link)
            {
                after.parts.push_back({arrival.link, 0, 0});
                after.node = after.node == topology.GetLink(arrival.link).to ? after.node : NONE;
            }
            after.parts.back().fraction += arrival.fraction;
            after.parts.back().prefixes += arrival.prefixes;
            step.splitVisits += arrival.prefixes;
        }
        step.segment = FindSegment(hop);
        step.next = FindState(std::move(after));
        return step;
    }

    /// The segment of m_arrivals, reused if an equal one exists.
    uint32_t FindSegment(uint8_t hop)
    {
        Visits visits;
        for (const Arrival& arrival : m_arrivals)
        {
            visits.emplace_back(m_network.SlotOf(arrival.upstream, arrival.link), arrival.fraction);
        }
        const auto [position, isNew] =
            m_segments.try_emplace({hop, visits},
                                   static_cast<uint32_t>(m_network.m_segments.size()));
        if (isNew)
        {
            m_network.m_segments.push_back({slots.size(), slots.size() + visits.size()});
            for (const auto& [slot, fraction] : visits)
            {
                slots.push_back(slot);
                m_network.m_visitFractions.push_back(fraction);
                m_network.m_visitHops.push_back(hop);
            }
        }
        return position->second;
    }

    uint32_t FindState(State&& state)
    {
        const auto [position, isNew] =
            m_stateNumbers.try_emplace(state.parts, static_cast<uint32_t>(m_states.size()));
        if (isNew)
        {
            m_states.push_back(std::move(state));
        }
        return position->second;
    }

    using Visits = std::vector<std::pair<std::size_t, double>>; // slots and fractions

    MqlNetwork& m_network;
    const DcnRouting& m_routing;
    std::vector<State> m_states;
    std::unordered_map<uint32_t, uint32_t> m_starts;        // by host
    Table<std::vector<Part>, uint32_t> m_stateNumbers;      // by parts
    Table<std::pair<uint8_t, Visits>, uint32_t> m_segments; // by hop and visits
    std::unordered_map<uint64_t, Step> m_steps;             // by state and target
    std::unordered_map<uint64_t, uint32_t> m_nextLinks;     // set by node and target
    std::vector<std::vector<uint32_t>> m_sets;
    Table<std::vector<uint32_t>, uint32_t> m_setNumbers;
    Table<std::vector<uint32_t>, Step> m_choices; // by state and sets
    std::vector<Arrival> m_arrivals;              // of the current step
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
    m_routeSegments.reserve(m_flows.size());
    m_firstSegment.reserve(m_flows.size() + 1);
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
        m_firstSegment.push_back(i);
        m_routeSegments.push_back(static_cast<uint32_t>(i));
        m_segments.push_back({first, slots.size()});
    }
    m_firstSegment.push_back(m_flows.size());
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
    m_firstSegment.reserve(m_flows.size() + 1);
    for (const MqlFlow& flow : m_flows)
    {
        m_firstSegment.push_back(m_routeSegments.size());
        splitter.AppendRoute(flow);
    }
    m_firstSegment.push_back(m_routeSegments.size());
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
        const DcnLink& properties = m_topology->GetLink(link);
        base += m_topology->GetOutLinks(properties.from).size() + 1;
        m_secondsPerByte.push_back(8 / static_cast<double>(properties.rateBps));
        m_delays.push_back(1e-9 * static_cast<double>(properties.delayNs));
    }
    m_slotBase.back() = base;
}

std::size_t
MqlNetwork::SlotOf(uint32_t upstream, uint32_t link) const
{
    // The reverse of an upstream link is one of the links that leave the node.
    return m_slotBase[link] +
           (upstream == MqlPair::EXTERNAL ? 0 : 1 + m_outPosition[DcnTopology::Reverse(upstream)]);
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
                pair.upstream =
                    position == 0 ? MqlPair::EXTERNAL : DcnTopology::Reverse(out[position - 1]);
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
        for (std::size_t r = m_firstSegment[i]; r < m_firstSegment[i + 1]; r++)
        {
            moments[m_routeSegments[r]].Add(m_flows[i]);
        }
    }
    m_linkBursts.resize(m_topology->GetNLinks());
    for (std::size_t s = 0; s < m_segments.size(); s++)
    {
        const Moments& sum = moments[s];
        uint32_t link = NONE;
        double total = 0; // fraction of the flows that enters this link
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
            pair.dataRate += f * sum.dataRate;
            pair.dataBytes += f * sum.dataBytes;
            pair.dataBytes2 += f * sum.dataBytes2;
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
    NS_LOG_INFO(m_flows.size() << " flows, " << m_order.size() << " queues, "
                               << (m_feedForward ? "no cyclic routes" : "cyclic routes"));
}

void
MqlNetwork::GetVisits(std::size_t flow, std::vector<MqlVisit>& visits) const
{
    visits.clear();
    for (std::size_t r = m_firstSegment.at(flow); r < m_firstSegment[flow + 1]; r++)
    {
        const uint32_t segment = m_routeSegments[r];
        for (std::size_t v = m_segments[segment].first; v < m_segments[segment].last; v++)
        {
            const uint32_t pair = m_visitPairs[v];
            visits.push_back(
                {pair,
                 m_pairs[pair].link,
                 m_visitHops.empty() ? static_cast<uint32_t>(visits.size()) : m_visitHops[v],
                 m_visitFractions.empty() ? 1 : m_visitFractions[v]});
        }
    }
}

uint8_t
MqlNetwork::GetQueueType(uint32_t link) const
{
    return m_types.at(link);
}

std::pair<uint32_t, uint32_t>
MqlNetwork::GetPairsOf(uint32_t link) const
{
    return {m_firstPair.at(link), m_firstPair.at(link + 1)};
}

} // namespace ns3

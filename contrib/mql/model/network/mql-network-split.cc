/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "mql-network.h"

#include "ns3/dcn-error.h"

#include <algorithm>
#include <cstring>
#include <unordered_map>
#include <utility>

namespace ns3
{

/**
 * Spreads traffic evenly over the next links at each node.
 *
 * A state is what has come over which links at one hop. Hosts behind one switch share their next
 * links up to it, and many sources lead to the same state (all hosts of a pod: its links to the
 * core), so steps from state to state are few, and kept.
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
            // From the last switch on, the way depends on the host.
            const bool isShared = m_states[state].node != lastSwitch;
            const Step& step = GetStep(state, isShared ? lastSwitch : flow.dst, flow, hop);
            m_network.m_routeSegments.push_back(step.segment);
            m_network.m_nSplitVisits += step.splitVisits;
            state = step.next;
        }
    }

  private:
    /// What has come over a link.
    struct Part
    {
        uint32_t link;
        double fraction;
        uint64_t prefixes; // paths from the source that lead here

        bool operator==(const Part& other) const
        {
            return link == other.link && fraction == other.fraction && prefixes == other.prefixes;
        }
    };

    struct State
    {
        std::vector<Part> parts; // ordered by link
        uint32_t node;           // where they all are, NONE if at several
    };

    struct Step
    {
        uint32_t segment;
        uint32_t next;
        uint64_t splitVisits;
    };

    /// A visit in the making.
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

    static uint64_t Mix(uint64_t hash, uint64_t value)
    {
        hash = (hash ^ value) * 0x9e3779b97f4a7c15ULL;
        return hash ^ hash >> 29;
    }

    struct HashOfNumbers
    {
        std::size_t operator()(const std::vector<uint32_t>& numbers) const
        {
            uint64_t hash = numbers.size();
            for (uint32_t number : numbers)
            {
                hash = Mix(hash, number);
            }
            return hash;
        }
    };

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

    /// Number of the set of next links from a node to a target, the same for the same links.
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

    /// All of a state moves on by a link towards the target: the last switch, or the host.
    const Step& GetStep(uint32_t state, uint32_t target, const MqlFlow& flow, uint8_t hop)
    {
        const auto [position, isNew] = m_steps.try_emplace(Key(state, target));
        if (!isNew)
        {
            return position->second;
        }
        // Targets that are reached over the same links make the same step.
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

    /// The segment of m_arrivals, a new one unless the same is there.
    uint32_t FindSegment(uint8_t hop)
    {
        uint64_t hash = hop;
        for (const Arrival& arrival : m_arrivals)
        {
            uint64_t fraction;
            std::memcpy(&fraction, &arrival.fraction, sizeof(fraction));
            hash = Mix(Mix(hash, Key(arrival.upstream, arrival.link)), fraction);
        }
        auto& candidates = m_segmentsByHash[hash];
        for (uint32_t candidate : candidates)
        {
            if (IsSegment(candidate, hop))
            {
                return candidate;
            }
        }
        Segment segment;
        segment.first = slots.size();
        for (const Arrival& arrival : m_arrivals)
        {
            slots.push_back(m_network.SlotOf(arrival.upstream, arrival.link));
            m_network.m_visitFractions.push_back(arrival.fraction);
            m_network.m_visitHops.push_back(hop);
        }
        segment.last = slots.size();
        m_network.m_segments.push_back(segment);
        candidates.push_back(static_cast<uint32_t>(m_network.m_segments.size() - 1));
        return candidates.back();
    }

    bool IsSegment(uint32_t index, uint8_t hop) const
    {
        const Segment& segment = m_network.m_segments[index];
        if (segment.last - segment.first != m_arrivals.size() ||
            m_network.m_visitHops[segment.first] != hop)
        {
            return false;
        }
        for (std::size_t i = 0; i < m_arrivals.size(); i++)
        {
            const std::size_t v = segment.first + i;
            if (slots[v] != m_network.SlotOf(m_arrivals[i].upstream, m_arrivals[i].link) ||
                m_network.m_visitFractions[v] != m_arrivals[i].fraction)
            {
                return false;
            }
        }
        return true;
    }

    uint32_t FindState(State&& state)
    {
        uint64_t hash = state.parts.size();
        for (const Part& part : state.parts)
        {
            hash = Mix(Mix(hash, part.link), part.prefixes);
        }
        auto& candidates = m_statesByHash[hash];
        for (uint32_t candidate : candidates)
        {
            if (m_states[candidate].parts == state.parts)
            {
                return candidate;
            }
        }
        m_states.push_back(std::move(state));
        candidates.push_back(static_cast<uint32_t>(m_states.size() - 1));
        return candidates.back();
    }

    MqlNetwork& m_network;
    const DcnRouting& m_routing;
    std::vector<State> m_states;
    std::unordered_map<uint32_t, uint32_t> m_starts;                         // by host
    std::unordered_map<uint64_t, std::vector<uint32_t>> m_statesByHash;
    std::unordered_map<uint64_t, std::vector<uint32_t>> m_segmentsByHash;
    std::unordered_map<uint64_t, Step> m_steps;                              // by state and target
    std::unordered_map<uint64_t, uint32_t> m_nextLinks; // set by node and target
    std::vector<std::vector<uint32_t>> m_sets;
    std::unordered_map<std::vector<uint32_t>, uint32_t, HashOfNumbers> m_setNumbers;
    std::unordered_map<std::vector<uint32_t>, Step, HashOfNumbers> m_choices; // by state and sets
    std::vector<Arrival> m_arrivals;                                         // of the current step
};

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

} // namespace ns3

/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "parsimon-link-scenario.h"

#include "ns3/dcn-error.h"
#include "ns3/dcn-ideal-fct.h"
#include "ns3/dcn-units.h"

#include <algorithm>
#include <map>
#include <unordered_map>
#include <unordered_set>
#include <utility>

namespace ns3
{

namespace
{

/// Numbers nodes, by the original scenario's numbers while they are unused.
class NodeNumbers
{
  public:
    /**
     * @param original scenario whose numbers are kept, or null
     * @param nHosts larger numbers are free
     */
    NodeNumbers(Ptr<const DcnScenario> original, uint64_t nHosts)
        : m_original(original),
          m_next(nHosts)
    {
        if (original)
        {
            const DcnTopology& topology = original->GetTopology();
            for (uint32_t node = 0; node < topology.GetNNodes(); ++node)
            {
                m_next = std::max(m_next, topology.GetExternalId(node) + 1);
            }
        }
    }

    /**
     * @param node node index in the original
     * @return its number, or a new one if that is in use
     */
    uint64_t Get(uint32_t node)
    {
        const uint64_t number = m_original ? m_original->GetTopology().GetExternalId(node) : node;
        return m_used.insert(number).second ? number : GetNew();
    }

    /** @return a number that no node of the original has. */
    uint64_t GetNew()
    {
        return m_next++;
    }

  private:
    Ptr<const DcnScenario> m_original;   //!< as given
    uint64_t m_next;                     //!< first free number
    std::unordered_set<uint64_t> m_used; //!< numbers in use
};

/// Links that a flow crosses on one side of the target.
using Way = std::vector<uint32_t>;

/// The topology under construction.
class Maker
{
  public:
    /**
     * @param link the link topology
     * @param original scenario whose numbers are kept, or null
     */
    Maker(const ParsimonLink& link, Ptr<const DcnScenario> original)
        : m_link(link),
          m_numbers(original, HighestHost(link) + 1)
    {
        const bool hostBefore = link.position == ParsimonPosition::FIRST_HOP;
        const bool hostBehind = link.destinations.front().rateBps == 0;
        // the ends of the target keep their numbers; without an original, switches get new ones
        auto end = [&](bool isHost, uint32_t host, bool first) {
            if (isHost)
            {
                return m_builder.AddNode(DcnNodeKind::HOST, m_numbers.Get(host));
            }
            if (original)
            {
                const DcnLink& target = original->GetTopology().GetLink(link.link);
                return m_builder.AddNode(DcnNodeKind::SWITCH,
                                         m_numbers.Get(first ? target.from : target.to));
            }
            return m_builder.AddNode(DcnNodeKind::SWITCH, m_numbers.GetNew());
        };
        m_u = end(hostBefore, link.sources.front().host, true);
        m_v = end(hostBehind, link.destinations.front().host, false);
        m_target = m_builder.AddLink(m_u, m_v, link.availableBps, link.delayNs);
        m_before.resize(link.sources.size());
        if (!hostBefore)
        {
            AddSources();
        }
        for (const ParsimonEndpoint& endpoint : link.destinations)
        {
            m_behind.emplace_back();
            if (hostBehind)
            {
                m_receivers.push_back(m_v);
                continue;
            }
            m_receivers.push_back(
                m_builder.AddNode(DcnNodeKind::HOST, m_numbers.Get(endpoint.host)));
            m_behind.back().push_back(
                m_builder.AddLink(m_v, m_receivers.back(), endpoint.rateBps, endpoint.delayNs));
        }
        m_topology = m_builder.Build();
    }

    /** @return the topology. */
    Ptr<DcnTopology> GetTopology() const
    {
        return m_topology;
    }

    /**
     * @param flow a flow
     * @return its path
     */
    Way GetPath(const ParsimonLinkFlow& flow) const
    {
        Way path = m_before[flow.source];
        path.push_back(m_target);
        path.insert(path.end(),
                    m_behind[flow.destination].begin(),
                    m_behind[flow.destination].end());
        return path;
    }

    /**
     * @param flow a flow
     * @return node indices of its source and destination
     */
    std::pair<uint32_t, uint32_t> GetEnds(const ParsimonLinkFlow& flow) const
    {
        const Way& before = m_before[flow.source];
        return {before.empty() ? m_u : m_topology->GetLink(before.front()).from,
                m_receivers[flow.destination]};
    }

  private:
    static uint64_t HighestHost(const ParsimonLink& link)
    {
        uint64_t highest = 0;
        for (const auto* list : {&link.sources, &link.destinations})
        {
            for (const ParsimonEndpoint& endpoint : *list)
            {
                highest = std::max<uint64_t>(highest, endpoint.host);
            }
        }
        return highest;
    }

    void AddSources()
    {
        const std::vector<bool> split = m_link.FindSplitSources();
        std::unordered_map<uint32_t, uint32_t> nics; // link to the switch, by first link
        for (std::size_t i = 0; i < m_link.sources.size(); ++i)
        {
            const ParsimonEndpoint& endpoint = m_link.sources[i];
            if (!split[i])
            {
                const uint32_t host =
                    m_builder.AddNode(DcnNodeKind::HOST, m_numbers.Get(endpoint.host));
                m_before[i] = {m_builder.AddLink(host, m_u, endpoint.rateBps, endpoint.delayNs)};
                continue;
            }
            auto [known, isNew] = nics.try_emplace(endpoint.link, 0);
            if (isNew)
            {
                const uint32_t host =
                    m_builder.AddNode(DcnNodeKind::HOST, m_numbers.Get(endpoint.host));
                const uint32_t fork = m_builder.AddNode(DcnNodeKind::SWITCH, m_numbers.GetNew());
                known->second = m_builder.AddLink(host, fork, endpoint.rateBps, 0);
                m_forks[endpoint.link] = fork;
            }
            m_before[i] = {known->second,
                           m_builder.AddLink(m_forks[endpoint.link],
                                             m_u,
                                             PARSIMON_SPLIT_FACTOR * endpoint.rateBps,
                                             endpoint.delayNs)};
        }
    }

    const ParsimonLink& m_link;                     //!< the link topology
    NodeNumbers m_numbers;                          //!< numbers in files
    DcnTopologyBuilder m_builder;                   //!< under construction
    Ptr<DcnTopology> m_topology;                    //!< made
    uint32_t m_u;                                   //!< node before the target
    uint32_t m_v;                                   //!< node behind the target
    uint32_t m_target;                              //!< the target
    std::vector<Way> m_before;                      //!< by source: links to u
    std::vector<Way> m_behind;                      //!< by destination: links from v
    std::vector<uint32_t> m_receivers;              //!< by destination: its node
    std::unordered_map<uint32_t, uint32_t> m_forks; //!< switch behind a NIC, by first link
};

} // namespace

ParsimonMarking
ParsimonTargetMarking(const ParsimonLink& link, const DcnNetworkParameters& network)
{
    const double scale = static_cast<double>(link.capacityBps) /
                         static_cast<double>(network.ecnReferenceRate.GetBitRate());
    return {static_cast<uint64_t>(static_cast<double>(network.ecnKminBytes) * scale),
            static_cast<uint64_t>(static_cast<double>(network.ecnKmaxBytes) * scale)};
}

Ptr<const DcnScenario>
ParsimonMakeLinkScenario(const ParsimonLink& link,
                         const DcnNetworkParameters& network,
                         uint64_t seed,
                         Ptr<const DcnScenario> original)
{
    static constexpr uint64_t NO_BOUND_BYTES = 1ULL << 44;
    const Maker maker(link, original);
    Ptr<DcnNetworkConfig> config = CreateObject<DcnNetworkConfig>();
    static_cast<DcnNetworkParameters&>(*config) = network;
    config->ecnReferenceRate = DataRate(link.availableBps);
    config->bufferBytes = NO_BOUND_BYTES;
    config->pfc = false;
    config->minRate =
        DataRate(std::min(network.minRate.GetBitRate(), maker.GetTopology()->GetSlowestHostRate()));
    const ParsimonMarking marking = ParsimonTargetMarking(link, network);
    config->ecnKminBytes = marking.kminBytes;
    config->ecnKmaxBytes = marking.kmaxBytes;
    std::vector<DcnFlow> flows;
    DcnPathTable paths;
    flows.reserve(link.flows.size());
    paths.Reserve(link.flows.size(), 3 * link.flows.size());
    for (const ParsimonLinkFlow& flow : link.flows)
    {
        if (flow.paceBps > 0)
        {
            DcnFail("a scenario has no paces of flows; link ", link.link, " has them");
        }
        const auto [src, dst] = maker.GetEnds(flow);
        const uint64_t id = flow.GetId();
        paths.Append(maker.GetPath(flow));
        flows.push_back({id, src, dst, flow.sizeBytes, flow.startNs});
    }
    return DcnScenario::CreateWithPaths(maker.GetTopology(),
                                        config,
                                        std::move(flows),
                                        std::move(paths),
                                        seed);
}

std::vector<int64_t>
ParsimonIdealFcts(const ParsimonLink& link, const DcnNetworkParameters& network)
{
    const Maker maker(link, nullptr);
    std::vector<int64_t> idealNs;
    idealNs.reserve(link.flows.size());
    // flows of a pair of endpoints share their path
    std::map<std::pair<uint32_t, uint32_t>, Way> paths;
    for (const ParsimonLinkFlow& flow : link.flows)
    {
        auto [known, isNew] = paths.try_emplace({flow.source, flow.destination});
        if (isNew)
        {
            known->second = maker.GetPath(flow);
        }
        const Way& path = known->second;
        uint64_t limit = network.maxRate.GetBitRate();
        if (flow.paceBps > 0)
        {
            limit = limit > 0 ? std::min(limit, flow.paceBps) : flow.paceBps;
        }
        idealNs.push_back(DcnComputeIdealFct(*maker.GetTopology(),
                                             {path.data(), path.data() + path.size()},
                                             flow.sizeBytes,
                                             network.payloadBytes,
                                             limit,
                                             network.timeGrainNs > 0)
                              .GetTotalNs());
    }
    return idealNs;
}

} // namespace ns3

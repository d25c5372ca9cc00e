/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "dcn-path-scenario.h"

#include "ns3/dcn-error.h"
#include "ns3/dcn-units.h"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>
#include <unordered_map>
#include <unordered_set>
#include <utility>

namespace ns3
{

namespace
{

constexpr uint64_t RESERVE_BYTES = 4096; //!< reserve of each switch port

/// @return bytes that a switch reserves for a port: 4096 and three times the bytes in flight
uint64_t
SetAside(uint64_t rateBps, int64_t delayNs)
{
    return RESERVE_BYTES + 3 * DcnMulDiv(rateBps, static_cast<uint64_t>(delayNs), 8'000'000'000ULL);
}

/// A scenario under construction.
class ScenarioDraft
{
  public:
    /**
     * @param whole the whole scenario
     * @param path links of the path
     * @param hosts where background flows start and end
     * @param firstFreeNode number of the first synthetic host
     * @param contended links that flows keep, see DcnPathHosts::CONTENDED
     */
    ScenarioDraft(const DcnScenario& whole,
                  DcnPath path,
                  DcnPathHosts hosts,
                  uint64_t firstFreeNode,
                  const std::vector<uint32_t>& contended)
        : m_whole(whole),
          m_topology(whole.GetTopology()),
          m_path(path),
          m_hosts(hosts),
          m_dataBytes(whole.GetNetwork().payloadBytes + whole.GetNetwork().headerBytes),
          m_nextExternalId(firstFreeNode),
          m_contended(contended.begin(), contended.end())
    {
        AddRealNode(m_topology.GetLink(path[0]).from); // the first host is the path's source
        for (uint32_t link : path)
        {
            AddRealLink(link);
        }
    }

    /// @return the links of the path, or of one of its intervals, in this scenario
    std::vector<uint32_t> GetPath(const DcnPathInterval& interval) const
    {
        std::vector<uint32_t> links;
        for (uint32_t k = interval.enter; k < interval.leave; ++k)
        {
            links.push_back(m_links.at(m_path[k]));
        }
        for (uint32_t k = interval.enter; k > interval.leave; --k)
        {
            links.push_back(m_links.at(DcnTopology::Reverse(m_path[k - std::size_t{1}])));
        }
        return links;
    }

    /// Give a background flow its links, which are added if they do not exist. @return its links
    /// here
    std::vector<uint32_t> Place(const DcnPathInterval& interval)
    {
        const DcnPath own = m_whole.GetPath(interval.flow);
        if (m_hosts == DcnPathHosts::CONTENDED)
        {
            return PlaceContended(own);
        }
        const bool reverse = interval.IsReverse();
        const std::size_t n =
            reverse ? interval.enter - interval.leave : interval.leave - interval.enter;
        const uint32_t firstLink =
            reverse ? DcnTopology::Reverse(m_path[interval.enter - std::size_t{1}])
                    : m_path[interval.enter];
        const uint32_t* first = std::find(own.begin(), own.end(), firstLink);
        std::vector<uint32_t> links = GetPath(interval);
        if (first != own.begin())
        {
            const DcnPath before{own.begin(), first};
            links.insert(links.begin(), DcnTopology::Reverse(AddHost(before, true)));
        }
        if (first + n != own.end())
        {
            links.push_back(AddHost({first + n, own.end()}, false));
        }
        return links;
    }

    /// Give an initial queue its links. @return its links here
    std::vector<uint32_t> PlaceInitialQueue(uint16_t place)
    {
        static constexpr uint64_t FASTER = 10; // a burst then queues before the link
        const DcnLink& link = m_topology.GetLink(m_path[place]);
        const uint64_t rate = FASTER * link.rateBps;
        auto add = [&](uint32_t node) { // returns the link to a new host
            const uint32_t host = m_builder.AddNode(DcnNodeKind::HOST, m_nextExternalId++);
            return AddLink(m_nodes.at(node), host, rate, 0);
        };
        std::vector<uint32_t> links{DcnTopology::Reverse(add(link.from)),
                                    m_links.at(m_path[place])};
        if (!m_topology.IsHost(link.to))
        {
            links.push_back(add(link.to));
        }
        return links;
    }

    /// Make the topology and the configuration. @return both
    std::pair<Ptr<const DcnTopology>, Ptr<const DcnNetworkConfig>> Finish(
        const std::vector<uint64_t>& setAside)
    {
        // Threads share the whole scenario. A pointer to its configuration would count a reference,
        // which is not atomic, so that the object is copied without one.
        const auto& shared = static_cast<const DcnNetworkConfig&>(m_whole.GetNetwork());
        Ptr<DcnNetworkConfig> config(new DcnNetworkConfig(shared), false);
        int64_t extra = 0;
        for (const auto& [node, here] : m_nodes)
        {
            if (!m_topology.IsHost(node))
            {
                extra = std::max(extra, Surplus(here, setAside[node]));
            }
        }
        extra += RESERVE_BYTES;
        config->bufferBytes += static_cast<uint64_t>(extra);
        const uint64_t rate = m_topology.GetLink(m_path[0]).rateBps;
        for (const auto& [node, here] : m_nodes)
        {
            if (!m_topology.IsHost(node))
            {
                const auto missing = static_cast<double>(extra - Surplus(here, setAside[node]) -
                                                         int64_t{RESERVE_BYTES});
                const uint32_t idle = m_builder.AddNode(DcnNodeKind::HOST, m_nextExternalId++);
                m_builder.AddLink(
                    here,
                    idle,
                    rate,
                    static_cast<int64_t>(missing / 3 * 8e9 / static_cast<double>(rate)));
            }
        }
        return {m_builder.Build(), config};
    }

    /// @return the host at which a path of this scenario begins or ends
    uint32_t GetEnd(uint32_t link, bool last) const
    {
        return last ? m_ends[link].second : m_ends[link].first;
    }

  private:
    /// Flows with equal keys share a synthetic host: node, host cable and delay.
    using HostKey = std::tuple<uint32_t, uint32_t, int64_t>;

    uint32_t AddRealNode(uint32_t node)
    {
        auto found = m_nodes.find(node);
        if (found == m_nodes.end())
        {
            const uint32_t here =
                m_builder.AddNode(m_topology.IsHost(node) ? DcnNodeKind::HOST : DcnNodeKind::SWITCH,
                                  m_topology.GetExternalId(node));
            found = m_nodes.emplace(node, here).first;
        }
        return found->second;
    }

    uint32_t AddRealLink(uint32_t link)
    {
        auto found = m_links.find(link);
        if (found == m_links.end())
        {
            const DcnLink& real = m_topology.GetLink(link);
            const uint32_t from = AddRealNode(real.from);
            const uint32_t to = AddRealNode(real.to);
            const uint32_t here = AddLink(from, to, real.rateBps, real.delayNs);
            m_links[DcnTopology::Reverse(link)] = DcnTopology::Reverse(here);
            found = m_links.emplace(link, here).first;
        }
        return found->second;
    }

    /// Gives a flow its contended links, and one synthetic link for each row of others.
    std::vector<uint32_t> PlaceContended(DcnPath own)
    {
        auto isContended = [this](uint32_t link) { return m_contended.count(link) > 0; };
        const uint32_t* begin = std::find_if(own.begin(), own.end(), isContended);
        std::vector<uint32_t> links;
        for (const uint32_t* link = begin; link != own.end();)
        {
            const uint32_t* next = std::find_if_not(link, own.end(), isContended);
            for (; link != next; ++link)
            {
                links.push_back(AddRealLink(*link));
            }
            next = std::find_if(link, own.end(), isContended);
            if (next != own.end())
            {
                links.push_back(AddBridge({link, next}));
            }
            else if (link != own.end())
            {
                links.push_back(AddHost({link, next}, false));
            }
            link = next;
        }
        if (begin != own.begin() && begin != own.end())
        {
            links.insert(links.begin(), DcnTopology::Reverse(AddHost({own.begin(), begin}, true)));
        }
        return links;
    }

    /// @return the link in place of others, with the smallest of their rates and their round-trip
    /// time
    uint32_t AddBridge(DcnPath links)
    {
        std::vector<uint32_t> key(links.begin(), links.end());
        auto found = m_bridges.find(key);
        if (found == m_bridges.end())
        {
            uint64_t rate = m_topology.GetLink(links[0]).rateBps;
            for (uint32_t link : links)
            {
                rate = std::min(rate, m_topology.GetLink(link).rateBps);
            }
            const uint32_t bridge = AddLink(AddRealNode(m_topology.GetLink(links[0]).from),
                                            AddRealNode(m_topology.GetLink(key.back()).to),
                                            rate,
                                            GetDelayNs(links, rate));
            found = m_bridges.emplace(std::move(key), bridge).first;
        }
        return found->second;
    }

    /// @return its delay, which preserves round-trip times
    int64_t GetDelayNs(DcnPath links, uint64_t rateBps) const
    {
        const int64_t ticks = DcnSerializationTicks(m_dataBytes, rateBps) +
                              DcnSerializationTicks(DCN_ACK_BYTES, rateBps);
        const int64_t delayNs = (DcnBaseRttNs(m_topology, links, m_dataBytes, DCN_ACK_BYTES) -
                                 (ticks >> DCN_TICK_BITS)) /
                                2;
        return std::max<int64_t>(0, delayNs); // a packet may take longer on a slow link
    }

    uint32_t AddLink(uint32_t from, uint32_t to, uint64_t rateBps, int64_t delayNs)
    {
        const uint64_t bytes = SetAside(rateBps, delayNs);
        m_setAside[from] += bytes;
        m_setAside[to] += bytes;
        m_ends.emplace_back(from, to);
        m_ends.emplace_back(to, from);
        return m_builder.AddLink(from, to, rateBps, delayNs);
    }

    /**
     * @param links removed, in the flow's order
     * @param before true if they lead to the path, false if away from it
     * @return the link from the path's node to the host in their place
     */
    uint32_t AddHost(DcnPath links, bool before)
    {
        const uint32_t own = before ? links[0] : links[links.size() - 1];
        const uint32_t joining = before ? links[links.size() - 1] : links[0];
        const uint64_t rate = m_topology.GetLink(own).rateBps;
        const int64_t delayNs = GetDelayNs(links, rate);
        const DcnLink& joint = m_topology.GetLink(joining);
        const uint32_t node = m_nodes.at(before ? joint.to : joint.from);
        // both directions of a cable have one key
        const HostKey key{node, own / 2, delayNs};
        auto found = m_hostLinks.find(key);
        if (found == m_hostLinks.end())
        {
            const uint32_t host = m_builder.AddNode(DcnNodeKind::HOST, m_nextExternalId++);
            found = m_hostLinks.emplace(key, AddLink(node, host, rate, delayNs)).first;
        }
        return found->second;
    }

    int64_t Surplus(uint32_t here, uint64_t setAside) const
    {
        return static_cast<int64_t>(m_setAside.at(here)) - static_cast<int64_t>(setAside);
    }

    const DcnScenario& m_whole;                          //!< the whole scenario
    const DcnTopology& m_topology;                       //!< its network
    DcnPath m_path;                                      //!< links of the path
    DcnPathHosts m_hosts;                                //!< where background flows start and end
    uint32_t m_dataBytes;                                //!< wire size of a full packet
    uint64_t m_nextExternalId;                           //!< number of the next synthetic host
    DcnTopologyBuilder m_builder;                        //!< nodes and links so far
    std::map<uint32_t, uint32_t> m_nodes;                //!< node here by real node
    std::unordered_map<uint32_t, uint32_t> m_links;      //!< link here by real link
    std::unordered_map<uint32_t, uint64_t> m_setAside;   //!< reserved bytes by node here
    std::vector<std::pair<uint32_t, uint32_t>> m_ends;   //!< by link here
    std::map<HostKey, uint32_t> m_hostLinks;             //!< link to a synthetic host
    std::unordered_set<uint32_t> m_contended;            //!< links that flows keep
    std::map<std::vector<uint32_t>, uint32_t> m_bridges; //!< synthetic link between two of these
};

} // namespace

DcnPathScenarioBuilder::DcnPathScenarioBuilder(const DcnPathIndex& pathIndex, DcnPathHosts hosts)
    : m_pathIndex(pathIndex),
      m_hosts(hosts),
      m_firstFreeId(0),
      m_firstFreeNode(0)
{
    const DcnScenario& whole = pathIndex.GetScenario();
    for (const DcnFlow& flow : whole.GetFlows())
    {
        m_firstFreeId = std::max(m_firstFreeId, flow.id + 1);
    }
    const DcnTopology& topology = whole.GetTopology();
    for (uint32_t node = 0; node < topology.GetNNodes(); ++node)
    {
        m_firstFreeNode = std::max(m_firstFreeNode, topology.GetExternalId(node) + 1);
    }
    m_setAside.assign(topology.GetNNodes(), 0);
    for (uint32_t link = 0; link < topology.GetNLinks(); ++link)
    {
        const DcnLink& each = topology.GetLink(link);
        m_setAside[each.from] += SetAside(each.rateBps, each.delayNs);
    }
}

DcnPathScenario
DcnPathScenarioBuilder::Build(uint32_t path,
                              const DcnPathTraffic& traffic,
                              const Adjust& adjust) const
{
    /// A flow with its place.
    struct Placed
    {
        DcnFlow flow;
        DcnPathScenario::Origin origin;
        std::vector<uint32_t> links;
    };

    const DcnScenario& whole = m_pathIndex.GetScenario();
    const DcnPath links = m_pathIndex.GetLinks(path);
    ScenarioDraft draft(whole, links, m_hosts, m_firstFreeNode, traffic.contended);
    std::vector<Placed> placed;
    uint64_t nextId = m_firstFreeId;
    const DcnPathInterval all{0, 0, static_cast<uint16_t>(links.size())};
    for (uint32_t flow : traffic.foreground)
    {
        DcnFlow each = whole.GetFlows()[flow];
        if (!adjust || adjust(flow, each))
        {
            placed.push_back({each, {flow, true}, draft.GetPath(all)});
        }
    }
    for (std::size_t i = 0; i < traffic.background.size(); ++i)
    {
        const DcnPathInterval& interval = traffic.background[i];
        const bool again = i > 0 && traffic.background[i - 1].flow == interval.flow;
        DcnFlow each = whole.GetFlows()[interval.flow];
        const bool isWhole = m_hosts == DcnPathHosts::CONTENDED;
        if ((again && isWhole) || (adjust && !adjust(interval.flow, each)))
        {
            continue;
        }
        each.id = again ? nextId++ : each.id;
        placed.push_back({each, {interval.flow, false}, draft.Place(interval)});
    }
    for (const DcnPathInitialQueue& initialQueue : traffic.initialQueues)
    {
        DcnFlow each{};
        each.id = nextId++;
        each.sizeBytes = initialQueue.sizeBytes;
        each.startNs = initialQueue.startNs;
        placed.push_back({each,
                          {DcnPathScenario::INITIAL_QUEUE, false},
                          draft.PlaceInitialQueue(initialQueue.place)});
    }
    std::sort(placed.begin(), placed.end(), [](const Placed& a, const Placed& b) {
        return std::make_pair(a.flow.startNs, a.flow.id) <
               std::make_pair(b.flow.startNs, b.flow.id);
    });

    DcnPathScenario result;
    std::vector<DcnFlow> flows;
    DcnPathTable paths;
    for (Placed& each : placed)
    {
        each.flow.src = draft.GetEnd(each.links.front(), false);
        each.flow.dst = draft.GetEnd(each.links.back(), true);
        flows.push_back(each.flow);
        paths.Append(each.links);
        result.origins.push_back(each.origin);
    }
    const auto [topology, config] = draft.Finish(m_setAside);
    result.scenario = DcnScenario::CreateWithPaths(topology,
                                                   config,
                                                   std::move(flows),
                                                   std::move(paths),
                                                   whole.GetSeed());
    return result;
}

std::vector<std::pair<double, double>>
DcnPathScenario::GetForegroundSlowdowns(const DcnEstimate& estimate) const
{
    std::vector<std::pair<double, double>> slowdowns;
    std::set<std::pair<uint32_t, uint32_t>> ends; // no flow of the background has both
    for (std::size_t i = 0; i < origins.size(); ++i)
    {
        if (!origins[i].foreground)
        {
            continue;
        }
        ends.emplace(scenario->GetFlows()[i].src, scenario->GetFlows()[i].dst);
        if (estimate.samples.empty() && estimate.fctNs[i] != DcnEstimate::UNFINISHED)
        {
            slowdowns.emplace_back(static_cast<double>(estimate.fctNs[i]) /
                                       static_cast<double>(scenario->GetIdealFct(i).GetTotalNs()),
                                   1);
        }
    }
    for (const DcnEstimate::Sample& sample : estimate.samples)
    {
        if (ends.count({sample.src, sample.dst}) > 0)
        {
            slowdowns.emplace_back(sample.slowdown, sample.weight);
        }
    }
    std::sort(slowdowns.begin(), slowdowns.end());
    return slowdowns;
}

} // namespace ns3

/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "dcn-link-choice.h"

#include "ns3/dcn-marking.h"
#include "ns3/dcn-routing.h"
#include "ns3/dcn-topology.h"

#include <algorithm>
#include <iterator>
#include <mutex>

namespace ns3
{

DcnLinkChoice::DcnLinkChoice(const DcnNetworkParameters& network,
                             const DcnRouting& routing,
                             uint32_t node,
                             uint64_t seed,
                             const std::function<Port*(uint32_t link)>& port)
    : m_network(network),
      m_routing(routing),
      m_node(node),
      m_seed(seed),
      m_port(port),
      m_groupOf(routing.GetTopology()->GetNNodes(), UNKNOWN)
{
}

DcnLinkChoice::Group&
DcnLinkChoice::FindGroup(uint32_t destination)
{
    uint32_t& number = m_groupOf[destination];
    if (number == UNKNOWN)
    {
        const std::vector<uint32_t> links = [this, destination]() {
            // one routing serves all switches, and finds its tables when they are first needed
            static std::mutex mutex;
            const std::lock_guard<std::mutex> lock(mutex);
            return m_routing.GetNextLinks(m_node, destination);
        }();
        const auto next = static_cast<uint32_t>(m_groups.size());
        const auto [known, isNew] = m_known.insert({links, next});
        number = known->second;
        if (isNew)
        {
            Group group;
            std::transform(links.begin(), links.end(), std::back_inserter(group.ports), m_port);
            // switches do not begin alike
            group.next = DcnMarking::Mix(m_seed, m_node) % links.size();
            m_groups.push_back(group);
        }
    }
    return m_groups[number];
}

std::size_t
DcnLinkChoice::Draw(const Packet& packet, std::size_t n) const
{
    uint64_t hash = DcnMarking::Mix(m_seed, m_node);
    hash = DcnMarking::Mix(hash, packet.flow);
    hash = DcnMarking::Mix(hash, packet.sequence);
    hash = DcnMarking::Mix(hash, static_cast<uint64_t>(packet.sentNs));
    return static_cast<std::size_t>((hash >> 32) * n >> 32);
}

DcnLinkChoice::Port*
DcnLinkChoice::ChooseShortest(const Group& group, const Packet& packet, int64_t nowNs) const
{
    std::vector<int64_t> waitsNs;
    for (const Port* port : group.ports)
    {
        waitsNs.push_back(port->GetWaitNs(nowNs));
    }
    const int64_t leastNs = *std::min_element(waitsNs.begin(), waitsNs.end());
    const auto nLeast =
        static_cast<std::size_t>(std::count(waitsNs.begin(), waitsNs.end(), leastNs));
    std::size_t number = Draw(packet, nLeast);
    for (std::size_t i = 0;; ++i)
    {
        if (waitsNs[i] == leastNs && number-- == 0)
        {
            return group.ports[i];
        }
    }
}

DcnLinkChoice::Flowlet&
DcnLinkChoice::FindFlowlet(std::size_t flow, int64_t nowNs)
{
    if (m_flowlets.size() >= m_cleanAt)
    {
        for (auto each = m_flowlets.begin(); each != m_flowlets.end();)
        {
            each = each->second.untilNs < nowNs ? m_flowlets.erase(each) : std::next(each);
        }
        m_cleanAt = std::max(m_cleanAt, 2 * m_flowlets.size());
    }
    return m_flowlets.emplace(flow, Flowlet{nullptr, nowNs}).first->second;
}

DcnLinkChoice::Port*
DcnLinkChoice::Choose(const Packet& packet, int64_t nowNs)
{
    Group& group = FindGroup(packet.destination);
    const std::size_t n = group.ports.size();
    if (n == 1)
    {
        return group.ports.front();
    }
    switch (static_cast<DcnLoadBalancing>(m_network.loadBalancing))
    {
    case DcnLoadBalancing::ROUND_ROBIN:
        group.next = group.next + 1 < n ? group.next + 1 : 0;
        return group.ports[group.next];
    case DcnLoadBalancing::ADAPTIVE:
        return ChooseShortest(group, packet, nowNs);
    case DcnLoadBalancing::FLOWLET: {
        Flowlet& latest = FindFlowlet(packet.flow, nowNs);
        if (!latest.port || latest.untilNs < nowNs)
        {
            latest.port = group.ports[Draw(packet, n)];
        }
        const auto gapNs = static_cast<int64_t>(m_network.flowletGapNs);
        latest.untilNs = nowNs + (gapNs > 0 ? gapNs : packet.pathRttNs);
        return latest.port;
    }
    default:
        return group.ports[Draw(packet, n)];
    }
}

} // namespace ns3

/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "dcn-network-cut.h"

#include "ns3/dcn-error.h"
#include "ns3/dcn-units.h"

#include <algorithm>
#include <numeric>

namespace ns3
{

namespace
{

/// Sets of nodes that no cut may divide.
class Units
{
  public:
    /**
     * @param topology nodes and links
     * @param hopNs as of DcnNetworkCut::ByWeight
     */
    Units(const DcnTopology& topology, const std::vector<int64_t>& hopNs)
        : m_parent(topology.GetNNodes())
    {
        std::iota(m_parent.begin(), m_parent.end(), 0);
        for (uint32_t link = 0; link < topology.GetNLinks(); link += 2)
        {
            if (hopNs[link] == 0)
            {
                Join(topology.GetLink(link).from, topology.GetLink(link).to);
            }
        }
        for (uint32_t host : topology.GetHosts())
        {
            const auto& links = topology.GetOutLinks(host);
            const auto isToSwitch = [&topology](uint32_t link) {
                return !topology.IsHost(topology.GetLink(link).to);
            };
            const auto first = std::find_if(links.begin(), links.end(), isToSwitch);
            Join(host, topology.GetLink(first == links.end() ? links.front() : *first).to);
        }
    }

    /**
     * @param node node index
     * @return the first node of its unit
     */
    uint32_t Find(uint32_t node)
    {
        while (m_parent[node] != node)
        {
            m_parent[node] = m_parent[m_parent[node]];
            node = m_parent[node];
        }
        return node;
    }

  private:
    void Join(uint32_t a, uint32_t b)
    {
        a = Find(a);
        b = Find(b);
        m_parent[std::max(a, b)] = std::min(a, b);
    }

    std::vector<uint32_t> m_parent; //!< by node; itself: the first of its unit
};

} // namespace

DcnNetworkCut::DcnNetworkCut(const DcnTopology& topology,
                             const std::vector<int64_t>& hopNs,
                             std::vector<uint32_t> partitions,
                             uint32_t nPartitions)
    : m_partitions(std::move(partitions)),
      m_nPartitions(nPartitions)
{
    for (uint32_t i = 0; i < topology.GetNLinks(); ++i)
    {
        const DcnLink& link = topology.GetLink(i);
        if (m_partitions[link.from] != m_partitions[link.to])
        {
            if (hopNs[i] == 0)
            {
                DcnFail("link ",
                        topology.DescribeLink(i),
                        " has no delay, so that both its ends must be in one partition");
            }
            m_lookaheadNs = std::min(m_lookaheadNs, hopNs[i]);
        }
    }
}

int64_t
DcnNetworkCut::GetHopNs(int64_t delayNs, uint64_t rateBps, uint32_t frameBytes)
{
    return delayNs == 0 ? 0 : delayNs + DcnSerializationNs(frameBytes, rateBps);
}

DcnNetworkCut
DcnNetworkCut::ByNode(const DcnTopology& topology,
                      const std::vector<int64_t>& hopNs,
                      std::vector<uint32_t> partitions)
{
    if (partitions.size() != topology.GetNNodes())
    {
        DcnFail("a cut of a network with ",
                topology.GetNNodes(),
                " nodes names the partitions of ",
                partitions.size());
    }
    std::vector<uint32_t> numbers = partitions;
    std::sort(numbers.begin(), numbers.end());
    numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
    for (uint32_t i = 0; i < numbers.size(); ++i)
    {
        if (numbers[i] != i)
        {
            DcnFail("a cut of the network has a partition ", numbers[i], ", but none ", i);
        }
    }
    return DcnNetworkCut(topology,
                         hopNs,
                         std::move(partitions),
                         static_cast<uint32_t>(numbers.size()));
}

DcnNetworkCut
DcnNetworkCut::ByWeight(const DcnTopology& topology,
                        const std::vector<int64_t>& hopNs,
                        const std::vector<uint64_t>& weights,
                        uint32_t nPartitions)
{
    constexpr uint32_t NONE = std::numeric_limits<uint32_t>::max();
    const uint32_t nNodes = topology.GetNNodes();
    Units units(topology, hopNs);
    std::vector<uint64_t> weightOf(nNodes, 0); // by first node of the unit
    std::vector<uint32_t> nLinksOf(nNodes, 0); // to other units
    std::vector<std::vector<uint32_t>> neighbours(nNodes);
    std::vector<uint32_t> firsts;
    for (uint32_t node = 0; node < nNodes; ++node)
    {
        const uint32_t unit = units.Find(node);
        weightOf[unit] += weights[node];
        if (unit == node)
        {
            firsts.push_back(unit);
        }
        for (uint32_t link : topology.GetOutLinks(node))
        {
            const uint32_t other = units.Find(topology.GetLink(link).to);
            if (other != unit)
            {
                neighbours[unit].push_back(other);
                ++nLinksOf[unit];
            }
        }
    }
    nPartitions = std::min<uint32_t>(nPartitions, static_cast<uint32_t>(firsts.size()));
    std::vector<uint32_t> partitionOf(nNodes, NONE); // by first node of the unit
    uint64_t weightLeft = std::accumulate(weightOf.begin(), weightOf.end(), uint64_t{0});
    std::size_t nLeft = firsts.size();
    for (uint32_t partition = 0; partition < nPartitions; ++partition)
    {
        const uint32_t nOthers = nPartitions - partition - 1; // still to be grown
        const double share = static_cast<double>(weightLeft) / (nOthers + 1);
        double weight = 0;
        std::vector<uint32_t> nInto(nNodes, 0); // links of each unit into the partition
        for (bool isFirst = true; nLeft > nOthers; isFirst = false)
        {
            uint32_t best = NONE;
            for (uint32_t unit : firsts)
            {
                // compare nInto / nLinks without division; units without links come last
                if (partitionOf[unit] == NONE &&
                    (best == NONE || uint64_t{nInto[unit]} * nLinksOf[best] >
                                         uint64_t{nInto[best]} * nLinksOf[unit]))
                {
                    best = unit;
                }
            }
            const auto more = static_cast<double>(weightOf[best]);
            if (!isFirst && nOthers > 0 && weight + more / 2 > share)
            {
                break;
            }
            partitionOf[best] = partition;
            weight += more;
            weightLeft -= weightOf[best];
            --nLeft;
            for (uint32_t other : neighbours[best])
            {
                ++nInto[other];
            }
        }
    }
    std::vector<uint32_t> partitions(nNodes);
    for (uint32_t node = 0; node < nNodes; ++node)
    {
        partitions[node] = partitionOf[units.Find(node)];
    }
    return DcnNetworkCut(topology, hopNs, std::move(partitions), nPartitions);
}

} // namespace ns3

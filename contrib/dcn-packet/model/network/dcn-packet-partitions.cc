/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "dcn-packet-partitions.h"

#include "../engine/dcn-packet-device.h"

#include "ns3/assert.h"

#include <algorithm>

namespace ns3
{

DcnPacketPartitions::DcnPacketPartitions(DcnPartitionedNetwork& network,
                                         DcnPacketListener& listener,
                                         const DcnTopology& topology,
                                         const DcnNetworkConfig& config,
                                         const DcnPacketFabric& fabric,
                                         int64_t nackIntervalNs,
                                         int64_t retransmissionTimeoutNs)
    : m_network(network),
      m_listener(listener),
      m_topology(topology),
      m_config(config),
      m_fabric(fabric),
      m_nackIntervalNs(nackIntervalNs),
      m_retransmissionTimeoutNs(retransmissionTimeoutNs)
{
    Make(1);
    for (const auto& device : m_fabric.GetDevices())
    {
        device->SetPool(&m_all[0]->pool, &m_all[0]->events);
    }
}

void
DcnPacketPartitions::Make(uint32_t nPartitions)
{
    m_all.clear();
    for (uint32_t i = 0; i < nPartitions; ++i)
    {
        m_all.push_back(std::make_unique<DcnPacketPartition>(m_network,
                                                             m_listener,
                                                             i,
                                                             nPartitions,
                                                             m_fabric.GetLongestHopNs()));
        DcnPacketPartition& partition = *m_all.back();
        partition.parameters = &m_config;
        partition.wireFormat = m_fabric.GetWireFormat();
        partition.nackIntervalNs = m_nackIntervalNs;
        partition.retransmissionTimeoutNs = m_retransmissionTimeoutNs;
    }
}

DcnPacketPartition&
DcnPacketPartitions::GetWhole() const
{
    NS_ASSERT_MSG(IsWhole(), "the network is cut");
    return *m_all[0];
}

void
DcnPacketPartitions::SetCut(const std::vector<uint32_t>& partitions)
{
    m_cut = std::make_unique<DcnNetworkCut>(
        DcnNetworkCut::ByNode(m_topology, m_fabric.GetHopNs(), partitions));
}

bool
DcnPacketPartitions::IsDivided(const std::vector<uint32_t>& nodes) const
{
    return m_cut && std::any_of(nodes.begin(), nodes.end(), [&](uint32_t node) {
               return m_cut->GetPartition(node) != m_cut->GetPartition(nodes.front());
           });
}

std::vector<uint64_t>
DcnPacketPartitions::CountFrames(const DcnScenario& scenario) const
{
    std::vector<uint64_t> arrivals(m_topology.GetNNodes(), 1);
    for (std::size_t i = 0; i < scenario.GetFlows().size(); ++i)
    {
        const uint64_t nPackets =
            1 + scenario.GetFlows()[i].sizeBytes / std::max<uint64_t>(1, m_config.payloadBytes);
        for (uint32_t link : scenario.GetPath(i))
        {
            arrivals[m_topology.GetLink(link).to] += nPackets;   // of packets
            arrivals[m_topology.GetLink(link).from] += nPackets; // of their acknowledgements
        }
    }
    return arrivals;
}

int64_t
DcnPacketPartitions::FindWindowNs(const DcnScenario& scenario) const
{
    int64_t windowNs = m_cut->GetLookaheadNs();
    // The sender learns of a drop a round trip of its own path later. It is no shorter than the way
    // back from where that was, unless the packet has left the path.
    for (std::size_t i = 0; m_config.HasManyPaths() && i < scenario.GetFlows().size(); ++i)
    {
        windowNs = std::min(windowNs, m_fabric.FindPath(scenario.GetPath(i)).rttNs);
    }
    return windowNs;
}

uint32_t
DcnPacketPartitions::Cut(const DcnScenario& scenario, uint32_t nWanted)
{
    if (!m_cut)
    {
        m_cut = std::make_unique<DcnNetworkCut>(DcnNetworkCut::ByWeight(m_topology,
                                                                        m_fabric.GetHopNs(),
                                                                        CountFrames(scenario),
                                                                        nWanted));
    }
    const uint32_t n = m_cut->GetNPartitions();
    if (n == 1)
    {
        return n;
    }
    m_windowNs = FindWindowNs(scenario);
    m_partitionOf.resize(m_fabric.GetDevices().size());
    Make(n);
    for (const auto& partition : m_all)
    {
        partition->events.SetPartitionOf(&m_partitionOf);
    }
    for (uint32_t link = 0; link < m_partitionOf.size(); ++link)
    {
        m_partitionOf[link] = m_cut->GetPartition(m_topology.GetLink(link).from);
        DcnPacketPartition& partition = *m_all[m_partitionOf[link]];
        m_fabric.GetDevices()[link]->SetPool(&partition.pool, &partition.events);
    }
    return n;
}

DcnWindowLoop
DcnPacketPartitions::MakeLoop(uint32_t nThreads,
                              uint64_t sharedEvents,
                              const std::function<void()>& look) const
{
    std::vector<DcnWindowEvents*> events;
    for (const auto& partition : m_all)
    {
        events.push_back(&partition->events.GetList());
    }
    // one partition has windows without end, but progress is shown between two of them
    constexpr int64_t LONGEST_WINDOW_NS = 1'000'000;
    return DcnWindowLoop(
        events,
        std::min(m_windowNs, LONGEST_WINDOW_NS),
        nThreads,
        sharedEvents,
        [this](uint32_t partition, int64_t endNs) { m_all[partition]->Run(endNs); },
        look);
}

void
DcnPacketPartitions::ShareFrames() const
{
    std::vector<DcnFramePool*> pools;
    for (const auto& partition : m_all)
    {
        pools.push_back(&partition->pool);
    }
    DcnFramePool::Share(pools);
}

int64_t
DcnPacketPartitions::GetLatestNs() const
{
    int64_t latestNs = 0;
    for (const auto& partition : m_all)
    {
        latestNs = std::max(latestNs, partition->events.GetList().GetNowNs());
    }
    return latestNs;
}

uint64_t
DcnPacketPartitions::GetNEvents() const
{
    uint64_t n = 0;
    for (const auto& partition : m_all)
    {
        n += partition->events.GetList().GetNEvents();
    }
    return n;
}

std::size_t
DcnPacketPartitions::GetNStarted() const
{
    std::size_t n = 0;
    for (const auto& partition : m_all)
    {
        n += partition->GetNStarted();
    }
    return n;
}

uint64_t
DcnPacketPartitions::GetDeliveredBytes() const
{
    uint64_t bytes = 0;
    for (const auto& partition : m_all)
    {
        bytes += partition->GetDeliveredBytes();
    }
    return bytes;
}

uint64_t
DcnPacketPartitions::GetRetransmittedBytes() const
{
    uint64_t bytes = 0;
    for (const auto& partition : m_all)
    {
        bytes += partition->GetRetransmittedBytes();
    }
    return bytes;
}

bool
DcnPacketPartitions::HasTravelling() const
{
    uint64_t n = 0;
    for (const auto& partition : m_all)
    {
        n += partition->pool.GetNTravelling(); // a frame may end elsewhere: modulo 2^64
    }
    return n > 0;
}

} // namespace ns3

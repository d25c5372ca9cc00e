/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef DCN_PACKET_PARTITIONS_H
#define DCN_PACKET_PARTITIONS_H

#include "../engine/dcn-packet-partition.h"
#include "../windows/dcn-network-cut.h"
#include "../windows/dcn-window-loop.h"
#include "dcn-packet-fabric.h"

#include "ns3/dcn-scenario.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

namespace ns3
{

/**
 * @ingroup dcn-packet
 * @brief The partitions of a packet network: one, or those of a cut.
 *
 * **Problem.** Events and frames belong to the partition of the device where they happen, flows to
 * the partition of their source. Threads simulate partitions at the same time, in windows
 * (DcnWindowLoop), as long as nothing that one of them does has an effect in another one within a
 * window.
 *
 * **Rule.** The network is whole until Cut, which divides it by SetCut, or by the frames that the
 * paths of a scenario bring to each node. A window has the lookahead of the cut (DcnNetworkCut).
 * With many paths it has at most the shortest round-trip time of a flow's own path, too: the sender
 * learns of a drop that much later, and a packet that has left its path may be dropped next door.
 *
 * **Cost.** Sums over partitions take one pass; finding the partition of a device takes one
 * look-up.
 */
class DcnPacketPartitions
{
  public:
    /// A time that never comes [ns].
    static constexpr int64_t NEVER = DcnWindowEvents::NEVER;

    /**
     * @brief One partition, which all devices are in.
     * @param network outlives this object
     * @param listener as of DcnPacketPartition
     * @param topology nodes and links; outlives this object
     * @param config the configuration; outlives this object
     * @param fabric devices; outlives this object
     * @param nackIntervalNs least time between NACKs for a byte [ns]
     * @param retransmissionTimeoutNs time without progress after a loss [ns]
     */
    DcnPacketPartitions(DcnPartitionedNetwork& network,
                        DcnPacketListener& listener,
                        const DcnTopology& topology,
                        const DcnNetworkConfig& config,
                        const DcnPacketFabric& fabric,
                        int64_t nackIntervalNs,
                        int64_t retransmissionTimeoutNs);

    /** @return all, by number. */
    const std::vector<std::unique_ptr<DcnPacketPartition>>& GetAll() const
    {
        return m_all;
    }

    /** @return whether there is only one. */
    bool IsWhole() const
    {
        return m_all.size() == 1;
    }

    /** @return the only one. */
    DcnPacketPartition& GetWhole() const;

    /**
     * @param link directed link
     * @return the partition of its transmitter
     */
    DcnPacketPartition& GetOfLink(uint32_t link) const
    {
        return *m_all[IsWhole() ? 0 : m_partitionOf[link]];
    }

    /**
     * @param node node index
     * @return its partition
     */
    DcnPacketPartition& GetOfNode(uint32_t node) const
    {
        return *m_all[IsWhole() ? 0 : m_cut->GetPartition(node)];
    }

    /**
     * @brief Give the partitions for Cut.
     * @param partitions partition of each node, by node index; each number from 0 on occurs
     * @throws DcnError as DcnNetworkCut::ByNode
     */
    void SetCut(const std::vector<uint32_t>& partitions);

    /** @return whether SetCut or Cut was called. */
    bool HasCut() const
    {
        return m_cut != nullptr;
    }

    /**
     * @param nodes node indices
     * @return whether SetCut or Cut gives them several partitions
     */
    bool IsDivided(const std::vector<uint32_t>& nodes) const;

    /**
     * @brief Divide the network; before a flow begins.
     * @param scenario its flows
     * @param nWanted partitions, unless SetCut gave them
     * @return partitions
     */
    uint32_t Cut(const DcnScenario& scenario, uint32_t nWanted);

    /** @return length of a window after Cut [ns]; NEVER: without end. */
    int64_t GetWindowNs() const
    {
        return m_windowNs;
    }

    /**
     * @brief Prepare windows of all partitions.
     * @param nThreads that share the partitions, > 0
     * @param sharedEvents events of a window from which on threads share the next one
     * @param look called now and then, between windows
     * @return runs them
     */
    DcnWindowLoop MakeLoop(uint32_t nThreads,
                           uint64_t sharedEvents,
                           const std::function<void()>& look) const;

    /// Partitions that have given frames to others get some of theirs; no event runs meanwhile.
    void ShareFrames() const;

    /** @return latest time of an event, of all partitions [ns]. */
    int64_t GetLatestNs() const;

    /** @return events that were run. */
    uint64_t GetNEvents() const;

    /** @return flows of the scenario whose start times have come. */
    std::size_t GetNStarted() const;

    /** @return payload of flows that are delivered [bytes]. */
    uint64_t GetDeliveredBytes() const;

    /** @return payload that acknowledged flows sent more than once [bytes]. */
    uint64_t GetRetransmittedBytes() const;

    /** @return whether a frame is in a queue or on a link. */
    bool HasTravelling() const;

  private:
    void Make(uint32_t nPartitions);
    std::vector<uint64_t> CountFrames(const DcnScenario& scenario) const;
    int64_t FindWindowNs(const DcnScenario& scenario) const;

    DcnPartitionedNetwork& m_network;                       //!< see the constructor
    DcnPacketListener& m_listener;                          //!< see the constructor
    const DcnTopology& m_topology;                          //!< nodes and links
    const DcnNetworkConfig& m_config;                       //!< the configuration
    const DcnPacketFabric& m_fabric;                        //!< devices
    int64_t m_nackIntervalNs;                               //!< see the constructor [ns]
    int64_t m_retransmissionTimeoutNs;                      //!< see the constructor [ns]
    std::unique_ptr<DcnNetworkCut> m_cut;                   //!< of SetCut, or of Cut
    std::vector<std::unique_ptr<DcnPacketPartition>> m_all; //!< see GetAll
    std::vector<uint32_t> m_partitionOf; //!< of transmitters, by directed link; of several
    int64_t m_windowNs{NEVER};           //!< see GetWindowNs
};

} // namespace ns3

#endif /* DCN_PACKET_PARTITIONS_H */

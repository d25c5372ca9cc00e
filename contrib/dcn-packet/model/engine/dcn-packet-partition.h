/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef DCN_PACKET_PARTITION_H
#define DCN_PACKET_PARTITION_H

#include "../windows/dcn-network-cut.h"
#include "../windows/dcn-window-events.h"
#include "dcn-flow-owner.h"

#include "ns3/dcn-scenario.h"
#include "ns3/ptr.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <utility>
#include <vector>

namespace ns3
{

class DcnPacketPartition;

/// @ingroup dcn-packet
/// @brief What the partitions of a network know of it, and of one another.
struct DcnPartitionedNetwork
{
    const DcnScenario& scenario;       //!< flows and paths
    int64_t originNs;                  //!< simulation time of its time 0 [ns]
    const DcnNetworkCut& cut;          //!< partition of each node
    std::vector<uint32_t> partitionOf; //!< of each device, by directed link
    const std::vector<std::unique_ptr<DcnPacketPartition>>& partitions; //!< all, by number
    std::vector<int64_t>& fctNs; //!< completion times by flow index, set on delivery [ns]
    /// Begins a flow: its object, its index and the present time [ns].
    std::function<void(DcnPacketFlow*, std::size_t, int64_t)> begin;
};

/**
 * @ingroup dcn-packet
 * @brief A partition of a network that threads simulate: its pending events, frames and flows.
 *
 * The flows of a partition are those whose source is in it. A flow's object has two sides: the
 * sender's fields are used by this partition only, and the receiver's by that of its destination.
 * The rest is written by DcnPacketFlow::Begin, when no frame refers to the object.
 *
 * It is the handler of its DcnWindowEvents: Run, Prefetch and PrefetchReferred.
 */
class DcnPacketPartition final : public DcnFlowOwner
{
  public:
    /**
     * @param network outlives this object
     * @param like the parameters of its flows are those of this owner
     * @param number of the partition
     * @param aheadNs most events are added for this time ahead, or sooner [ns]
     */
    DcnPacketPartition(const DcnPartitionedNetwork& network,
                       const DcnFlowOwner& like,
                       uint32_t number,
                       int64_t aheadNs);

    /** @return its pending events. */
    DcnWindowEvents& GetEvents()
    {
        return m_events;
    }

    /** @return flows delivered here. */
    std::size_t GetNDelivered() const
    {
        return m_nDelivered;
    }

    /** @return payload of flows delivered here [bytes]. */
    uint64_t GetDeliveredBytes() const
    {
        return m_deliveredBytes;
    }

    /** @return flows started here. */
    std::size_t GetNStarted() const
    {
        return m_nextStart;
    }

    /** @return payload that acknowledged flows sent more than once [bytes]. */
    uint64_t GetRetransmittedBytes() const
    {
        return m_retransmittedBytes;
    }

    /** @return the objects of its flows. */
    const std::vector<Ptr<DcnPacketFlow>>& GetFlows() const
    {
        return m_flows;
    }

    /**
     * @param flow starts here; by ascending start time and flow index
     */
    void AddStart(std::size_t flow)
    {
        m_starts.push_back(flow);
    }

    /// Make the next start a pending event: only one is, which keeps the events few.
    void ScheduleStart();

    /**
     * @param event happens now
     */
    void Run(const DcnWindowEvent& event)
    {
        switch (static_cast<DcnPacketEventKind>(event.GetKind()))
        {
        case DcnPacketEventKind::ARRIVAL:
            static_cast<DcnEventTarget*>(event.subject)->Receive(event.frame, event.timeNs);
            break;
        case DcnPacketEventKind::WAKE:
            static_cast<DcnEventTarget*>(event.subject)->Wake(event.timeNs);
            break;
        default:
            RunFlow(event);
        }
    }

    /**
     * @param event soon happens: have its frame and its device in the cache
     */
    void Prefetch(const DcnWindowEvent& event) const
    {
        if (event.frame)
        {
            __builtin_prefetch(event.frame, 1);
        }
        DcnPacketEvents::PrefetchDevice(event.subject);
    }

    /**
     * @param event happens soon, and its frame should be in the cache
     */
    void PrefetchReferred(const DcnWindowEvent& event) const
    {
        if (event.frame)
        {
            DcnPacketEvents::PrefetchReferred(*event.frame);
        }
    }

    void OnDelivered(const DcnPacketFlow& flow, int64_t nowNs) override;
    void OnAcknowledged(const DcnPacketFlow& flow, int64_t nowNs) override;
    void OnMessageDelivered(const DcnPacketFlow& connection, uint64_t message) override;
    void OnMessageAcknowledged(const DcnPacketFlow& connection, uint64_t message) override;
    void OnControl(const DcnPacketFlow& flow, int64_t nowNs) override;
    void OnFirstPacket(const DcnPacketFlow& flow, std::size_t hop, uint64_t queueBytes) override;
    void OnOver(DcnPacketFlow* flow) override;
    void Wake(const DcnPacketFlow& flow, int64_t nowNs) override;
    bool IsPaused(const DcnPacketFlow& flow) const override;
    std::pair<Ipv4Address, Ipv4Address> GetAddresses(const DcnPacketFlow& flow) const override;

  private:
    void RunFlow(const DcnWindowEvent& event);
    void StartFlow(std::size_t index, int64_t nowNs);

    const DcnPartitionedNetwork& m_network;  //!< see the constructor
    DcnWindowEvents m_events;                //!< see GetEvents
    std::vector<std::size_t> m_starts;       //!< flows that start here
    std::size_t m_nextStart{0};              //!< first of these not started
    std::vector<Ptr<DcnPacketFlow>> m_flows; //!< see GetFlows
    std::vector<DcnPacketFlow*> m_freeFlows; //!< objects that serve no flow at present
    uint64_t m_retransmittedBytes{0};        //!< see GetRetransmittedBytes
    std::size_t m_nDelivered{0};             //!< see GetNDelivered
    uint64_t m_deliveredBytes{0};            //!< see GetDeliveredBytes
};

} // namespace ns3

#endif /* DCN_PACKET_PARTITION_H */

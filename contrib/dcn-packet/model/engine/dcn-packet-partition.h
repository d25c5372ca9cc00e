/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef DCN_PACKET_PARTITION_H
#define DCN_PACKET_PARTITION_H

#include "dcn-flow-owner.h"
#include "dcn-packet-flow.h"
#include "dcn-packet-listener.h"

#include "ns3/dcn-scenario.h"
#include "ns3/ptr.h"

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace ns3
{

class DcnPacketPartition;

/**
 * @ingroup dcn-packet
 * @brief The network as its partitions see it.
 *
 * Several threads call the functions at the same time, each for flows or switches of its own.
 */
class DcnPartitionedNetwork
{
  public:
    /**
     * @brief It is the start time of a flow of the scenario.
     * @param partition the partition of its source
     * @param flow flow index
     * @param nowNs present time [ns]
     */
    virtual void OnStart(DcnPacketPartition& partition, std::size_t flow, int64_t nowNs) = 0;

    /**
     * @brief The receiver has a whole flow.
     * @param flow the flow
     * @param nowNs present time [ns]
     * @return the partition of the receiver, which counts it
     */
    virtual DcnPacketPartition& OnDelivered(const DcnPacketFlow& flow, int64_t nowNs) = 0;

    /**
     * @brief The sender has the last acknowledgement of a flow.
     * @param flow the flow
     * @param nowNs present time [ns]
     */
    virtual void OnAcknowledged(const DcnPacketFlow& flow, int64_t nowNs) = 0;

    /**
     * @brief An event LOOK.
     * @param number of it
     */
    virtual void OnLook(uint64_t number) = 0;

    /**
     * @param flow flow index
     * @return its ends, of the scenario or added
     */
    virtual const DcnFlow& GetFlow(std::size_t flow) const = 0;

  protected:
    ~DcnPartitionedNetwork() = default;
};

/**
 * @ingroup dcn-packet
 * @brief A network, or a part of it that a thread simulates: its pending events, frames and flows.
 *
 * The flows of a partition are those whose source is in it. A flow's object has two sides: the
 * sender's fields are used by this partition only, and the receiver's by that of its destination.
 * The rest is written by DcnPacketFlow::Begin, when no frame refers to the object.
 *
 * It is the handler of its DcnWindowEvents.
 */
class DcnPacketPartition final : public DcnFlowOwner
{
  public:
    /**
     * @param network outlives this object
     * @param listener of messages, first packets and controls; outlives this object
     * @param number of the partition
     * @param nPartitions of the network
     * @param aheadNs most events are added for this time ahead, or sooner [ns]
     */
    DcnPacketPartition(DcnPartitionedNetwork& network,
                       DcnPacketListener& listener,
                       uint32_t number,
                       uint32_t nPartitions,
                       int64_t aheadNs);

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

    /** @return flows of the scenario whose start times have come here. */
    std::size_t GetNStarted() const
    {
        return m_nextStart;
    }

    /** @return flows acknowledged here. */
    std::size_t GetNAcknowledged() const
    {
        return m_nAcknowledged;
    }

    /** @return payload that acknowledged flows sent more than once [bytes]. */
    uint64_t GetRetransmittedBytes() const
    {
        return m_retransmittedBytes;
    }

    /**
     * @brief Add a flow that starts here; by ascending start time and flow index.
     * @param flow flow index
     * @param atNs its start time [ns]
     */
    void AddStart(std::size_t flow, int64_t atNs)
    {
        m_starts.emplace_back(flow, atNs);
    }

    /// Make the next start a pending event: only one is, which keeps the events few.
    void ScheduleStart();

    /** @return an object that serves no flow at present. */
    DcnPacketFlow* TakeFlow();

    /**
     * @brief Run events of a window.
     * @param untilNs events before it run [ns]
     */
    void Run(int64_t untilNs)
    {
        const DcnPacketEvents::Running running(events);
        events.GetList().Run(untilNs, *this);
    }

    /**
     * @brief Run events in a turn of ns-3, until Simulator::Stop.
     * @param nowNs present time [ns]
     * @param untilNs events before it run, of the present time only [ns]
     */
    void RunTurn(int64_t nowNs, int64_t untilNs);

    /**
     * @param event happens now
     */
    void Run(const DcnWindowEvent& event)
    {
        if (static_cast<DcnPacketEventKind>(event.GetKind()) != DcnPacketEventKind::PORT)
        {
            RunFlow(event);
        }
        else if (event.frame)
        {
            static_cast<DcnEventTarget*>(event.subject)->Receive(event.frame, event.timeNs);
        }
        else
        {
            static_cast<DcnEventTarget*>(event.subject)->Wake(event.timeNs);
        }
    }

    /**
     * @param event happens soon: have its frame in the cache
     */
    static void PrefetchFrame(const DcnWindowEvent& event)
    {
        __builtin_prefetch(event.frame, 1); // or nothing
    }

    /**
     * @param event happens soon: have its device or flow in the cache
     */
    static void PrefetchSubject(const DcnWindowEvent& event)
    {
        DcnPacketEvents::PrefetchDevice(event.subject);
    }

    /**
     * @param event happens soon, and its frame should be in the cache
     */
    static void PrefetchReferred(const DcnWindowEvent& event)
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

    DcnPartitionedNetwork& m_network;                      //!< see the constructor
    DcnPacketListener& m_listener;                         //!< see the constructor
    std::vector<std::pair<std::size_t, int64_t>> m_starts; //!< flows that start here, times [ns]
    std::size_t m_nextStart{0};              //!< first of these not started
    std::vector<Ptr<DcnPacketFlow>> m_flows; //!< all objects ever made
    std::vector<DcnPacketFlow*> m_freeFlows; //!< objects that serve no flow at present
    uint64_t m_retransmittedBytes{0};        //!< see GetRetransmittedBytes
    std::size_t m_nDelivered{0};             //!< see GetNDelivered
    std::size_t m_nAcknowledged{0};          //!< see GetNAcknowledged
    uint64_t m_deliveredBytes{0};            //!< see GetDeliveredBytes
};

} // namespace ns3

#endif /* DCN_PACKET_PARTITION_H */

/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef DCN_FLOW_OWNER_H
#define DCN_FLOW_OWNER_H

#include "../frames/dcn-frame.h"
#include "dcn-packet-events.h"

#include "ns3/dcn-congestion-control.h"
#include "ns3/ipv4-address.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <utility>

namespace ns3
{

class DcnPacketFlow;

/**
 * @ingroup dcn-packet
 * @brief The network as a DcnPacketFlow sees it.
 *
 * A flow reads the data members for every packet. The functions, which are virtual, are called for
 * flows, timers and traces, not for packets.
 */
class DcnFlowOwner
{
  public:
    /**
     * @param partition see DcnPacketEvents
     * @param nPartitions see DcnPacketEvents
     * @param aheadNs see DcnPacketEvents
     */
    explicit DcnFlowOwner(uint32_t partition = 0, uint32_t nPartitions = 1, int64_t aheadNs = 1000)
        : events(partition, nPartitions, aheadNs)
    {
    }

    virtual ~DcnFlowOwner() = default;

    /**
     * @brief The receiver has the whole flow.
     * @param flow the flow
     * @param nowNs present time [ns]
     */
    virtual void OnDelivered(const DcnPacketFlow& flow, int64_t nowNs) = 0;

    /**
     * @brief The sender has the last acknowledgement of a flow.
     * @param flow the flow
     * @param nowNs present time [ns]
     */
    virtual void OnAcknowledged(const DcnPacketFlow& flow, int64_t nowNs) = 0;

    /**
     * @brief The receiver has a message of a connection.
     * @param connection the connection
     * @param message its number in the connection, from 0
     */
    virtual void OnMessageDelivered(const DcnPacketFlow& connection, uint64_t message) = 0;

    /**
     * @brief The sender has the last acknowledgement of a message.
     * @param connection the connection
     * @param message its number in the connection, from 0
     */
    virtual void OnMessageAcknowledged(const DcnPacketFlow& connection, uint64_t message) = 0;

    /**
     * @brief A flow's first packet comes to a queue; only with hasFirstPacketListener.
     * @param flow the flow
     * @param hop links crossed so far
     * @param queueBytes wire bytes that wait there
     */
    virtual void OnFirstPacket(const DcnPacketFlow& flow, std::size_t hop, uint64_t queueBytes) = 0;

    /**
     * @brief The congestion control of a flow has seen an acknowledgement or a timer; only while
     * isWatched.
     * @param flow the flow
     * @param nowNs present time [ns]
     */
    virtual void OnControl(const DcnPacketFlow& flow, int64_t nowNs) = 0;

    /**
     * @brief The flow is over and none of its frames is left: the object can serve another flow.
     * @param flow the object
     */
    virtual void OnOver(DcnPacketFlow* flow) = 0;

    /**
     * @brief The flow may be able to send: wake up the transmitter of its source.
     * @param flow the flow
     * @param nowNs present time [ns]
     */
    virtual void Wake(const DcnPacketFlow& flow, int64_t nowNs) = 0;

    /**
     * @param flow a flow
     * @return true while priority flow control stops the transmitter of its source
     */
    virtual bool IsPaused(const DcnPacketFlow& flow) const = 0;

    /**
     * @param flow a flow
     * @return addresses that its packets carry in traces: source and destination
     */
    virtual std::pair<Ipv4Address, Ipv4Address> GetAddresses(const DcnPacketFlow& flow) const = 0;

    /**
     * @param node node index
     * @return the address that packets of the node carry in traces
     */
    static Ipv4Address MakeAddress(uint32_t node)
    {
        static constexpr uint32_t FIRST = 0x0b000001; // 11.0.0.1
        return Ipv4Address(FIRST + node);
    }

    /**
     * @param nicBps rate of a NIC [bit/s]
     * @return the configuration for its flows (DcnNetworkParameters::ForNic); lives as this object
     */
    const DcnNetworkParameters& GetParametersOf(uint64_t nicBps)
    {
        const uint64_t referenceBps = parameters->referenceRate.GetBitRate();
        if (referenceBps == 0 || referenceBps == nicBps)
        {
            return *parameters;
        }
        auto& found = m_parametersOf[nicBps];
        if (!found)
        {
            found = std::make_unique<DcnNetworkParameters>(parameters->ForNic(nicBps));
        }
        return *found;
    }

    const DcnNetworkParameters* parameters{nullptr}; //!< the configuration
    DcnCongestionControl::WireFormat wireFormat{};   //!< packet sizes of its congestion control
    int64_t nackIntervalNs{0};          //!< least time between two NACKs for the same byte [ns]
    int64_t retransmissionTimeoutNs{0}; //!< shortest retransmission timeout [ns]
    bool isWatched{false};              //!< OnControl is called
    bool hasFirstPacketListener{false}; //!< OnFirstPacket is called
    DcnFramePool pool;                  //!< source of frames
    DcnPacketEvents events;             //!< pending events

  private:
    /// Of NICs that do not have the reference rate, by their rates.
    std::map<uint64_t, std::unique_ptr<DcnNetworkParameters>> m_parametersOf;
};

} // namespace ns3

#endif /* DCN_FLOW_OWNER_H */

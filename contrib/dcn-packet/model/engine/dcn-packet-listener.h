/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef DCN_PACKET_LISTENER_H
#define DCN_PACKET_LISTENER_H

#include <cstddef>
#include <cstdint>
#include <string>

namespace ns3
{

class DcnPacketFlow;

/**
 * @ingroup dcn-packet
 * @brief Listens to the flows of a network, also while threads simulate it
 * (DcnPacketNetwork::AddListener).
 *
 * In a network that is cut, threads call the functions at the same time, in the order of time for
 * each end of a flow: OnStarted, OnControl and OnAcknowledged come from the sender's end, and may
 * read what the sender has (rate, window, retransmitted bytes); OnDelivered comes from the
 * receiver's (received bytes, time of the first one). What both ends have is there at OnStarted and
 * OnAcknowledged. Calls of several flows come in any order. The time is
 * DcnPacketNetwork::GetNowNs, not Simulator::Now. A DcnPacketFlow serves another flow after it is
 * acknowledged.
 */
class DcnPacketListener
{
  public:
    virtual ~DcnPacketListener() = default;

    /** @return why one thread has to simulate all flows for this listener; empty: several can. */
    virtual std::string GetWhyOneThread() const
    {
        return "";
    }

    /**
     * @return listeners of trace sources of devices that belong to this one: threads may call them,
     * too, as each uses nothing but what belongs to its device
     */
    virtual uint32_t GetNTraces() const
    {
        return 0;
    }

    /** @return whether OnFirstPacket is to be called for flows that start now. */
    virtual bool WantsFirstPackets() const
    {
        return false;
    }

    /** @return whether OnControl is to be called for flows that start now. */
    virtual bool WantsControl() const
    {
        return false;
    }

    /// A flow starts; no packet has been sent. @param flow the flow
    virtual void OnStarted(const DcnPacketFlow& /* flow */)
    {
    }

    /// The receiver has a whole flow. @param flow the flow
    virtual void OnDelivered(const DcnPacketFlow& /* flow */)
    {
    }

    /// The sender has the last acknowledgement. @param flow the flow
    virtual void OnAcknowledged(const DcnPacketFlow& /* flow */)
    {
    }

    /// As of DcnFlowOwner. @param connection flow index @param message its number
    virtual void OnMessageDelivered(std::size_t /* connection */, uint64_t /* message */)
    {
    }

    /// As of DcnFlowOwner. @param connection flow index @param message its number
    virtual void OnMessageAcknowledged(std::size_t /* connection */, uint64_t /* message */)
    {
    }

    /// As of DcnFlowOwner. @param flow the flow @param hop links @param queueBytes that wait
    virtual void OnFirstPacket(const DcnPacketFlow& /* flow */,
                               std::size_t /* hop */,
                               uint64_t /* queueBytes */)
    {
    }

    /// As of DcnFlowOwner. @param flow the flow @param nowNs present time [ns]
    virtual void OnControl(const DcnPacketFlow& /* flow */, int64_t /* nowNs */)
    {
    }
};

} // namespace ns3

#endif /* DCN_PACKET_LISTENER_H */

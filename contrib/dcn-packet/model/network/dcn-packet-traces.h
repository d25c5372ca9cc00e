/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef DCN_PACKET_TRACES_H
#define DCN_PACKET_TRACES_H

#include "../engine/dcn-packet-listener.h"

#include "ns3/nstime.h"
#include "ns3/object.h"
#include "ns3/ptr.h"
#include "ns3/traced-callback.h"

#include <cstddef>
#include <cstdint>

namespace ns3
{

class DcnPacketFlow;

/**
 * @ingroup dcn-packet
 * @brief The trace sources of the flows of a packet network, as a listener of its session.
 *
 * A trace source without listeners costs a look at its list, and holds no reference to the flow:
 * threads call it, too.
 */
class DcnPacketTraces : public Object, protected DcnPacketListener
{
  public:
    /**
     * @brief Signature of FlowStarted, FlowDelivered and FlowAcknowledged.
     * @param flow the flow (dcn-packet-flow.h); the object serves another flow afterwards
     */
    typedef void (*FlowCallback)(Ptr<const DcnPacketFlow> flow);

    /**
     * @brief Signature of MessageDelivered and MessageAcknowledged.
     * @param connection flow index of the connection
     * @param message its number in the connection, from 0
     */
    typedef void (*MessageCallback)(std::size_t connection, uint64_t message);

    /**
     * @brief Signature of FirstPacket.
     * @param flow the flow
     * @param hop links crossed so far, from 1: the queue is that of the path's link of this number
     * @param queueBytes wire bytes that wait there [bytes]
     */
    typedef void (*FirstPacketCallback)(Ptr<const DcnPacketFlow> flow,
                                        std::size_t hop,
                                        uint64_t queueBytes);

    /**
     * @brief Signature of FlowControl.
     * @param flow the flow
     * @param now present time; Simulator::Now may stand still meanwhile
     */
    typedef void (*FlowControlCallback)(Ptr<const DcnPacketFlow> flow, Time now);

    /**
     * @brief Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();
    DcnPacketTraces();
    ~DcnPacketTraces() override;

  protected:
    /** @return what calls the trace sources; it lives as long as this object. */
    DcnPacketListener* GetListener()
    {
        return this;
    }

    /** @return whether one of the sources of flows has a listener, which one thread may call. */
    bool HasListener() const;

    void DoDispose() override;

  private:
    void OnStarted(const DcnPacketFlow& flow) override;
    void OnDelivered(const DcnPacketFlow& flow) override;
    void OnAcknowledged(const DcnPacketFlow& flow) override;
    void OnMessageDelivered(std::size_t connection, uint64_t message) override;
    void OnMessageAcknowledged(std::size_t connection, uint64_t message) override;
    void OnFirstPacket(const DcnPacketFlow& flow, std::size_t hop, uint64_t queueBytes) override;
    void OnControl(const DcnPacketFlow& flow, int64_t nowNs) override;
    bool WantsFirstPackets() const override;
    bool WantsControl() const override;

    TracedCallback<Ptr<const DcnPacketFlow>> m_flowStarted;      //!< FlowStarted
    TracedCallback<Ptr<const DcnPacketFlow>> m_flowDelivered;    //!< FlowDelivered
    TracedCallback<Ptr<const DcnPacketFlow>> m_flowAcknowledged; //!< FlowAcknowledged
    TracedCallback<std::size_t, uint64_t> m_messageDelivered;    //!< MessageDelivered
    TracedCallback<std::size_t, uint64_t> m_messageAcknowledged; //!< MessageAcknowledged
    TracedCallback<Ptr<const DcnPacketFlow>, std::size_t, uint64_t> m_firstPacket; //!< FirstPacket
    TracedCallback<Ptr<const DcnPacketFlow>, Time> m_flowControl;                  //!< FlowControl
};

} // namespace ns3

#endif /* DCN_PACKET_TRACES_H */

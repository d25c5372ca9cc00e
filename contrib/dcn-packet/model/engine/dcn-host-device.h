/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef DCN_HOST_DEVICE_H
#define DCN_HOST_DEVICE_H

#include "dcn-packet-device.h"

#include <cstdint>
#include <vector>

namespace ns3
{

class DcnPacketFlow;

/**
 * @ingroup dcn-packet
 * @brief NIC of a host: sends packets of its flows in turn, and acknowledges data packets.
 *
 * Acknowledgements go first. Otherwise the next packet is one of the first flow, after the flow
 * served last, whose window and pacing allow it (round robin by packet). A packet is made at the
 * moment its transmission begins. There is no processing delay.
 */
class DcnHostDevice final : public DcnPacketDevice
{
  public:
    /**
     * @brief Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    /**
     * @brief Send a flow.
     * @param flow stays in the list until it is acknowledged
     * @param nowNs present time [ns]
     */
    void AddFlow(DcnPacketFlow* flow, int64_t nowNs);

    void Kick(int64_t nowNs) override;
    void Receive(DcnFrame* frame, int64_t nowNs) override;

    std::vector<DcnFrame*> GetWaiting() const override
    {
        return m_acks.GetFrames();
    }

    bool IsHost() const override
    {
        return true;
    }

    /**
     * @brief Send a flow no longer.
     * @param flow one of GetFlows; another one, such as a flow that waits for a path, has no effect
     */
    void RemoveFlow(const DcnPacketFlow* flow);

    /** @return flows that are not yet acknowledged. */
    const std::vector<DcnPacketFlow*>& GetFlows() const
    {
        return m_flows;
    }

  private:
    friend class DcnPacketDevice;

    DcnFrame* PickFrame(int64_t nowNs);
    int64_t NextPickNs(int64_t fromNs) const;
    void Flush(int64_t nowNs) override;

    std::vector<DcnPacketFlow*> m_flows; //!< in the order of arrival
    std::size_t m_nextFlow{0};           //!< position of the flow whose turn it is
    DcnFrameQueue m_acks;                //!< acknowledgements that wait
    /// Lead of the acknowledgement that is being processed (DcnFrame::lead), or DcnFrame::WAITED.
    uint32_t m_inputLead{DcnFrame::WAITED};
};

} // namespace ns3

#endif /* DCN_HOST_DEVICE_H */

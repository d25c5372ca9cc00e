/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef DCN_PACKET_LISTENERS_H
#define DCN_PACKET_LISTENERS_H

#include "../engine/dcn-packet-listener.h"

#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup dcn-packet
 * @brief Listeners of a network as one: each call goes to all of them, in the order of Add.
 *
 * One listener that needs one thread, or first packets, or controls, decides it for all.
 */
class DcnPacketListeners final : public DcnPacketListener
{
  public:
    /**
     * @param listener outlives this object, or Clear
     */
    void Add(DcnPacketListener& listener)
    {
        m_all.push_back(&listener);
    }

    /// Nobody listens from now on.
    void Clear()
    {
        m_all.clear();
    }

    std::string GetWhyOneThread() const override;
    /** @return listeners of trace sources of devices that belong to any of these. */
    uint32_t GetNTraces() const override;
    bool WantsFirstPackets() const override;
    bool WantsControl() const override;
    void OnStarted(const DcnPacketFlow& flow) override;
    void OnDelivered(const DcnPacketFlow& flow) override;
    void OnAcknowledged(const DcnPacketFlow& flow) override;
    void OnMessageDelivered(std::size_t connection, uint64_t message) override;
    void OnMessageAcknowledged(std::size_t connection, uint64_t message) override;
    void OnFirstPacket(const DcnPacketFlow& flow, std::size_t hop, uint64_t queueBytes) override;
    void OnControl(const DcnPacketFlow& flow, int64_t nowNs) override;

  private:
    std::vector<DcnPacketListener*> m_all; //!< see Add
};

} // namespace ns3

#endif /* DCN_PACKET_LISTENERS_H */

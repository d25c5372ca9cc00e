/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef DCN_PACKET_CHANNEL_H
#define DCN_PACKET_CHANNEL_H

#include "ns3/dcn-topology.h"
#include "ns3/nstime.h"

#include <array>

namespace ns3
{

class DcnPacketDevice;

/**
 * @ingroup dcn-packet
 * @brief Full-duplex link between two DcnPacketDevices.
 */
class DcnPacketChannel : public DcnOverlayChannel
{
  public:
    /**
     * @brief Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    /**
     * @brief Join two devices; called once.
     * @param a one end
     * @param b the other end
     */
    void Connect(Ptr<DcnPacketDevice> a, Ptr<DcnPacketDevice> b);

    std::size_t GetNDevices() const override;
    Ptr<NetDevice> GetDevice(std::size_t i) const override;

  protected:
    void DoDispose() override;

  private:
    Time m_delay;                                  //!< propagation delay
    std::array<Ptr<DcnPacketDevice>, 2> m_devices; //!< the two ends
};

} // namespace ns3

#endif /* DCN_PACKET_CHANNEL_H */

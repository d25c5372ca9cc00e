/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "dcn-packet-channel.h"

#include "dcn-packet-device.h"

namespace ns3
{

NS_OBJECT_ENSURE_REGISTERED(DcnPacketChannel);

TypeId
DcnPacketChannel::GetTypeId()
{
    static TypeId tid = TypeId("ns3::DcnPacketChannel")
                            .SetParent<DcnOverlayChannel>()
                            .SetGroupName("DcnPacket")
                            .AddConstructor<DcnPacketChannel>()
                            .AddAttribute("Delay",
                                          "Propagation delay of the link.",
                                          TimeValue(MicroSeconds(1)),
                                          MakeTimeAccessor(&DcnPacketChannel::m_delay),
                                          MakeTimeChecker(Time(0)));
    return tid;
}

void
DcnPacketChannel::Connect(Ptr<DcnPacketDevice> a, Ptr<DcnPacketDevice> b)
{
    m_devices = {a, b};
    a->Attach(this, m_delay, PeekPointer(b));
    b->Attach(this, m_delay, PeekPointer(a));
}

std::size_t
DcnPacketChannel::GetNDevices() const
{
    return m_devices[0] ? 2 : 0;
}

Ptr<NetDevice>
DcnPacketChannel::GetDevice(std::size_t i) const
{
    return m_devices.at(i);
}

void
DcnPacketChannel::DoDispose()
{
    m_devices = {nullptr, nullptr};
    Channel::DoDispose();
}

} // namespace ns3

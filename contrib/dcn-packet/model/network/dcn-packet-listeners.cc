/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "dcn-packet-listeners.h"

#include <algorithm>

namespace ns3
{

std::string
DcnPacketListeners::GetWhyOneThread() const
{
    for (const DcnPacketListener* listener : m_all)
    {
        const std::string why = listener->GetWhyOneThread();
        if (!why.empty())
        {
            return why;
        }
    }
    return "";
}

uint32_t
DcnPacketListeners::GetNTraces() const
{
    uint32_t n = 0;
    for (const DcnPacketListener* listener : m_all)
    {
        n += listener->GetNTraces();
    }
    return n;
}

bool
DcnPacketListeners::WantsFirstPackets() const
{
    return std::any_of(m_all.begin(), m_all.end(), [](const DcnPacketListener* listener) {
        return listener->WantsFirstPackets();
    });
}

bool
DcnPacketListeners::WantsControl() const
{
    return std::any_of(m_all.begin(), m_all.end(), [](const DcnPacketListener* listener) {
        return listener->WantsControl();
    });
}

void
DcnPacketListeners::OnStarted(const DcnPacketFlow& flow)
{
    for (DcnPacketListener* listener : m_all)
    {
        listener->OnStarted(flow);
    }
}

void
DcnPacketListeners::OnDelivered(const DcnPacketFlow& flow)
{
    for (DcnPacketListener* listener : m_all)
    {
        listener->OnDelivered(flow);
    }
}

void
DcnPacketListeners::OnAcknowledged(const DcnPacketFlow& flow)
{
    for (DcnPacketListener* listener : m_all)
    {
        listener->OnAcknowledged(flow);
    }
}

void
DcnPacketListeners::OnMessageDelivered(std::size_t connection, uint64_t message)
{
    for (DcnPacketListener* listener : m_all)
    {
        listener->OnMessageDelivered(connection, message);
    }
}

void
DcnPacketListeners::OnMessageAcknowledged(std::size_t connection, uint64_t message)
{
    for (DcnPacketListener* listener : m_all)
    {
        listener->OnMessageAcknowledged(connection, message);
    }
}

void
DcnPacketListeners::OnFirstPacket(const DcnPacketFlow& flow, std::size_t hop, uint64_t queueBytes)
{
    for (DcnPacketListener* listener : m_all)
    {
        listener->OnFirstPacket(flow, hop, queueBytes);
    }
}

void
DcnPacketListeners::OnControl(const DcnPacketFlow& flow, int64_t nowNs)
{
    for (DcnPacketListener* listener : m_all)
    {
        listener->OnControl(flow, nowNs);
    }
}

} // namespace ns3

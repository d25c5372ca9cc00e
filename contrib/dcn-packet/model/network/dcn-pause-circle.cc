/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "dcn-pause-circle.h"

#include "../engine/dcn-packet-switch.h"
#include "../engine/dcn-switch-device.h"

#include <algorithm>

namespace ns3
{

namespace
{

/// @return the transmitter as a port of a switch; null: a host's
const DcnSwitchDevice*
AsPort(const Ptr<DcnPacketDevice>& device)
{
    return device->IsHost() ? nullptr : static_cast<const DcnSwitchDevice*>(PeekPointer(device));
}

} // namespace

DcnPauseCircle::DcnPauseCircle(const DcnTopology& topology,
                               const std::vector<Ptr<DcnPacketDevice>>& devices)
    : m_topology(topology),
      m_isInCore(devices.size(), false),
      m_for(devices.size())
{
    FindEdges(devices);
    RemoveThoseThatMove();
    RemoveThoseBehind();
    FindCircle();
}

void
DcnPauseCircle::FindEdges(const std::vector<Ptr<DcnPacketDevice>>& devices)
{
    for (uint32_t link = 0; link < devices.size(); ++link)
    {
        const DcnSwitchDevice* port = AsPort(devices[link]);
        const DcnSwitchDevice* far = AsPort(devices[DcnTopology::Reverse(link)]);
        if (!port || !far || port->IsDown() || !port->IsPaused() || port->GetQueueBytes() == 0 ||
            !far->GetSwitch()->IsPausing(far->GetPort()))
        {
            continue;
        }
        m_isInCore[link] = true;
        for (const uint32_t next : m_topology.GetOutLinks(m_topology.GetLink(link).to))
        {
            const std::vector<DcnFrame*> frames = devices[next]->GetWaiting();
            if (std::any_of(frames.begin(), frames.end(), [far](const DcnFrame* frame) {
                    return frame->flow && !frame->highPriority &&
                           frame->ingressPort == far->GetPort();
                }))
            {
                m_for[link].push_back(next);
            }
        }
        std::sort(m_for[link].begin(), m_for[link].end());
    }
}

void
DcnPauseCircle::RemoveThoseThatMove()
{
    for (bool isChanged = true; isChanged;)
    {
        isChanged = false;
        for (uint32_t link = 0; link < m_isInCore.size(); ++link)
        {
            const auto& edges = m_for[link];
            if (m_isInCore[link] &&
                !(!edges.empty() && std::all_of(edges.begin(), edges.end(), [this](uint32_t next) {
                    return m_isInCore[next];
                })))
            {
                m_isInCore[link] = false;
                isChanged = true;
            }
        }
    }
}

void
DcnPauseCircle::RemoveThoseBehind()
{
    for (bool isChanged = true; isChanged;)
    {
        isChanged = false;
        std::vector<bool> isWaitedFor(m_isInCore.size(), false);
        for (uint32_t link = 0; link < m_isInCore.size(); ++link)
        {
            for (const uint32_t next : m_isInCore[link] ? m_for[link] : std::vector<uint32_t>())
            {
                isWaitedFor[next] = true;
            }
        }
        for (uint32_t link = 0; link < m_isInCore.size(); ++link)
        {
            isChanged = isChanged || (m_isInCore[link] && !isWaitedFor[link]);
            m_isInCore[link] = m_isInCore[link] && isWaitedFor[link];
        }
    }
}

void
DcnPauseCircle::FindCircle()
{
    const auto first = std::find(m_isInCore.begin(), m_isInCore.end(), true);
    if (first == m_isInCore.end())
    {
        return;
    }
    auto link = static_cast<uint32_t>(first - m_isInCore.begin());
    for (auto seen = m_circle.end(); seen == m_circle.end();)
    {
        m_circle.push_back(link);
        link = m_for[link].front();
        seen = std::find(m_circle.begin(), m_circle.end(), link);
        if (seen != m_circle.end())
        {
            m_circle.erase(m_circle.begin(), seen); // what leads to the circle
            return;
        }
    }
}

std::string
DcnPauseCircle::Describe() const
{
    if (m_circle.empty())
    {
        return "";
    }
    std::string names;
    for (const uint32_t& link : m_circle)
    {
        const bool isLast = &link == &m_circle.back();
        names += (names.empty() ? ""
                  : isLast      ? " and "
                                : ", ") +
                 std::to_string(m_topology.GetExternalId(m_topology.GetLink(link).from));
    }
    return "the switches " + names +
           " are in a PFC deadlock: each waits until the next one ends its pause, and the last one "
           "waits for the first";
}

} // namespace ns3

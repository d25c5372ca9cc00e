/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "dcn-standstill.h"

#include "../engine/dcn-host-device.h"
#include "../engine/dcn-packet-flow.h"
#include "dcn-pause-circle.h"

#include <algorithm>
#include <unordered_set>

namespace ns3
{

DcnStandstill::DcnStandstill(const DcnTopology& topology,
                             const std::vector<Ptr<DcnPacketDevice>>& devices)
    : m_topology(topology),
      m_devices(devices)
{
    for (const auto& device : devices)
    {
        if (device->IsHost())
        {
            m_hosts.push_back(static_cast<const DcnHostDevice*>(PeekPointer(device)));
        }
    }
}

bool
DcnStandstill::WillMove() const
{
    const auto wakes = [](const Ptr<DcnPacketDevice>& device) { return device->IsWakePending(); };
    const auto repairs = [](const DcnPacketFlow* flow) { return flow->IsTimeoutRunning(); };
    return std::any_of(m_devices.begin(), m_devices.end(), wakes) ||
           std::any_of(m_hosts.begin(), m_hosts.end(), [&](const DcnHostDevice* host) {
               return std::any_of(host->GetFlows().begin(), host->GetFlows().end(), repairs);
           });
}

uint64_t
DcnStandstill::GetReceivedBytes() const
{
    uint64_t bytes = 0;
    for (const DcnHostDevice* host : m_hosts)
    {
        for (const DcnPacketFlow* flow : host->GetFlows())
        {
            bytes += flow->GetReceivedBytes() < flow->GetSizeBytes() ? flow->GetReceivedBytes() : 0;
        }
    }
    return bytes;
}

std::map<std::string, uint64_t>
DcnStandstill::CountByReason(bool isCut) const
{
    // flows with frames at ports of a circle of pauses, and at ports that are paused
    const DcnPauseCircle circle(m_topology, m_devices);
    std::unordered_set<const DcnPacketFlow*> deadlocked;
    std::unordered_set<const DcnPacketFlow*> paused;
    for (uint32_t link = 0; link < m_devices.size(); ++link)
    {
        if (m_devices[link]->IsHost() || !m_devices[link]->IsPaused())
        {
            continue;
        }
        for (const DcnFrame* frame : m_devices[link]->GetWaiting())
        {
            if (!frame->highPriority) // pauses stop the data class only
            {
                (circle.IsInCore(link) ? deadlocked : paused).insert(frame->flow);
            }
        }
    }
    std::map<std::string, uint64_t> reasons;
    for (const DcnHostDevice* host : m_hosts)
    {
        for (const DcnPacketFlow* flow : host->GetFlows())
        {
            if (flow->GetReceivedBytes() < flow->GetSizeBytes())
            {
                const bool isPaused = host->IsPaused() || paused.count(flow) > 0;
                ++reasons[deadlocked.count(flow) > 0 ? "in a PFC deadlock"
                          : isCut                    ? "cut by stopTime"
                          : isPaused                 ? "waiting for a pause to end"
                          : flow->HasLost()          ? "lost packets"
                                                     : "in flight"];
            }
        }
    }
    return reasons;
}

} // namespace ns3

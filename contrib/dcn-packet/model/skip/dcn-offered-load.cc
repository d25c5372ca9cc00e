/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "dcn-offered-load.h"

#include "../engine/dcn-flow-owner.h"
#include "../engine/dcn-host-device.h"
#include "../engine/dcn-packet-flow.h"
#include "../engine/dcn-switch-device.h"

#include <algorithm>
#include <utility>

namespace ns3
{

namespace
{

/// @return time in which a link sends bytes, tau [ns]
double
GetTimeNs(uint32_t bytes, uint64_t rateBps)
{
    return 8e9 * bytes / static_cast<double>(rateBps);
}

} // namespace

DcnOfferedLoad::DcnOfferedLoad(const DcnFlowOwner& owner, double tolerance)
    : m_owner(owner),
      m_tolerance(tolerance),
      m_ackBytes(owner.wireFormat.ackBytes),
      m_wireBytes(owner.parameters->payloadBytes + owner.wireFormat.dataHeaderBytes)
{
}

bool
DcnOfferedLoad::IsHeld(const Measured& measured) const
{
    return measured.onTheWay + 2 * uint64_t{m_owner.parameters->payloadBytes} >
           measured.flow->GetWindow();
}

double
DcnOfferedLoad::GetPacketsPerNs(const Measured& measured) const
{
    return measured.rate / m_owner.parameters->payloadBytes;
}

DcnOfferedLoad::HostLoads
DcnOfferedLoad::FindHostLoads(const std::vector<Measured>& flows) const
{
    HostLoads hosts;
    for (const Measured& measured : flows)
    {
        const DcnHostDevice* sink = measured.flow->GetPath().sink;
        const DcnHostDevice* source = measured.flow->GetPath().source;
        hosts[sink].held += GetPacketsPerNs(measured) * GetTimeNs(m_ackBytes, sink->GetRateBps());
        const double packetNs = GetTimeNs(m_wireBytes, source->GetRateBps());
        if (IsHeld(measured))
        {
            hosts[source].held += GetPacketsPerNs(measured) * packetNs;
        }
        else
        {
            hosts[source].paced += packetNs / GetTimeNs(m_wireBytes, measured.flow->GetRate());
        }
    }
    return hosts;
}

bool
DcnOfferedLoad::Exceeds(const std::vector<Measured>& flows) const
{
    HostLoads hosts = FindHostLoads(flows);
    std::unordered_map<const DcnPacketDevice*, std::pair<double, bool>> ports; // load, any paced
    for (const Measured& one : flows)
    {
        const bool isPaced = !IsHeld(one);
        const double measured = (1 - m_tolerance) * GetPacketsPerNs(one);
        double offered = measured;
        if (isPaced)
        {
            const Load& load = hosts[one.flow->GetPath().source];
            offered = std::clamp((1 - load.held) / load.paced, 0.0, 1.0) /
                      GetTimeNs(m_wireBytes, one.flow->GetRate());
        }
        for (const DcnSwitchDevice* port : one.flow->GetPath().forward)
        {
            if (port)
            {
                ports[port].first += offered * GetTimeNs(m_wireBytes, port->GetRateBps());
                ports[port].second = ports[port].second || isPaced;
            }
        }
        for (const DcnSwitchDevice* port : one.flow->GetPath().reverse)
        {
            if (port)
            {
                ports[port].first += measured * GetTimeNs(m_ackBytes, port->GetRateBps());
            }
        }
    }
    return std::any_of(ports.begin(), ports.end(), [](const auto& port) {
        return port.second.second && port.second.first > 1 + ROUNDING; // (3c)
    });
}

} // namespace ns3

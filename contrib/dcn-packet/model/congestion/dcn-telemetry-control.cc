/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "dcn-telemetry-control.h"

#include "ns3/assert.h"
#include "ns3/dcn-error.h"

#include <algorithm>

namespace ns3
{

DcnTelemetryControl::DcnTelemetryControl(const DcnNetworkParameters& network,
                                         uint64_t maxRateBps,
                                         int64_t pathRttNs)
    : DcnReplayableControl(network, maxRateBps, pathRttNs),
      m_baseRttNs(static_cast<double>(BaseRttNs(network, pathRttNs)))
{
}

DcnCongestionControl::Traits
DcnTelemetryControl::MakeTraits()
{
    Traits traits;
    traits.wireFormat = WireFormat::WithTelemetry();
    traits.hasTimers = false;
    traits.thresholdSeconds = [](const DcnNetworkParameters&, double /* rateBps */) { return 0.0; };
    return traits;
}

void
DcnTelemetryControl::Check(const DcnNetworkParameters& network, const std::string& where)
{
    if (network.HasManyPaths())
    {
        DcnFail(where,
                network.congestionControl,
                " compares reports of successive packets of a flow, which have one path, but "
                "load_balancing is ",
                network.loadBalancing,
                ": take another congestion control, or load_balancing=0");
    }
}

bool
DcnTelemetryControl::HasEarlierReport(const DcnAckInfo& ack)
{
    if (!ack.telemetry || ack.telemetry->nHops == 0)
    {
        return false; // of an earlier path; a path without a switch has no queue and no telemetry
    }
    if (!m_hasTelemetry)
    {
        m_hasTelemetry = true;
        m_previous.CopyFrom(*ack.telemetry);
        BeginRound(ack);
        return false;
    }
    return true;
}

void
DcnTelemetryControl::OnGoBack(uint64_t sndNxt, int64_t /* nowNs */)
{
    m_roundEnd = std::min(m_roundEnd, sndNxt);
}

void
DcnTelemetryControl::OnPathChange()
{
    m_hasTelemetry = false; // reports of other ports cannot be compared
}

bool
DcnTelemetryControl::RepacesPendingPacket() const
{
    return true;
}

void
DcnTelemetryControl::ExchangeState(DcnStateBytes& state)
{
    DcnReplayableControl::ExchangeState(state);
    state.Exchange(m_hasTelemetry);
    state.Exchange(m_roundEnd);
    m_previous.Exchange(state);
}

bool
DcnTelemetryControl::Translate(const DcnTranslation& by)
{
    if (m_hasTelemetry)
    {
        m_previous.Translate(by);
    }
    m_roundEnd += by.bytes;
    return true;
}

} // namespace ns3

/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "dcn-powertcp.h"

#include "ns3/assert.h"

#include <algorithm>

namespace ns3
{

namespace
{

/// @return traits: flows slow down when a queue begins to grow
DcnCongestionControl::Traits
MakeTraits()
{
    DcnCongestionControl::Traits traits;
    traits.wireFormat = DcnCongestionControl::WireFormat::WithTelemetry();
    traits.hasTimers = false;
    traits.hasOwnWindow = true;
    traits.thresholdSeconds = [](const DcnNetworkParameters&, double /* rateBps */) { return 0.0; };
    return traits;
}

/// Makes the algorithm known; gamma is that of the paper's evaluation.
const DcnCongestionControl::Registration g_registration(
    "powertcp",
    MakeTraits(),
    [](const DcnNetworkParameters& network,
       uint64_t maxRateBps,
       int64_t pathRttNs) -> std::unique_ptr<DcnCongestionControl> {
        return std::make_unique<DcnPowerTcp>(network, maxRateBps, pathRttNs);
    },
    {{"powertcp_gamma", 0.9, 0.001, 1, false}, {"powertcp_flows", 100, 1, 1e6, true}},
    true);

} // namespace

DcnPowerTcp::DcnPowerTcp(const DcnNetworkParameters& network,
                         uint64_t maxRateBps,
                         int64_t pathRttNs)
    : DcnCongestionControl(network, maxRateBps),
      m_baseRttNs(static_cast<double>(BaseRttNs(network, pathRttNs))),
      m_gamma(network.GetOwn("powertcp_gamma")),
      m_stepBps(static_cast<double>(maxRateBps) / network.GetOwn("powertcp_flows")),
      m_oldRate(maxRateBps)
{
    HaveOwnWindow(BaseRttNs(network, pathRttNs));
}

bool
DcnPowerTcp::RepacesPendingPacket() const
{
    return true;
}

void
DcnPowerTcp::OnAck(const DcnAckInfo& ack)
{
    NS_ASSERT_MSG(ack.telemetry, "PowerTCP needs telemetry");
    if (ack.telemetry->nHops == 0)
    {
        return; // a path without a switch has no queue and no telemetry
    }
    if (!m_hasTelemetry)
    {
        m_hasTelemetry = true;
        m_previous.CopyFrom(*ack.telemetry);
        m_roundEnd = ack.sndNxt;
        return;
    }
    UpdatePower(*ack.telemetry);
    m_previous.CopyFrom(*ack.telemetry);
    const double target = static_cast<double>(m_oldRate) / m_power + m_stepBps;
    const double rate = m_gamma * target + (1 - m_gamma) * static_cast<double>(m_rate);
    m_rate = Clamp(Scale(m_maxRate, rate / static_cast<double>(m_maxRate)));
    if (ack.acknowledged > m_roundEnd)
    {
        m_oldRate = m_rate;
        m_roundEnd = ack.sndNxt;
    }
}

void
DcnPowerTcp::UpdatePower(const DcnTelemetry& telemetry)
{
    double largest = 0;
    double largestNs = 0;
    for (uint8_t i = 0; i < telemetry.nHops; ++i)
    {
        const DcnTelemetryHop& now = telemetry.hops[i];
        const DcnTelemetryHop& before = m_previous.hops[i];
        const auto ns = static_cast<double>(now.timeNs - before.timeNs);
        if (ns <= 0)
        {
            continue; // an older report: a later packet overtook this one
        }
        const double bytesPerNs = static_cast<double>(now.rateBps) / 8e9; // b
        const auto sent = static_cast<double>(now.txBytes - before.txBytes);
        const auto queue = static_cast<double>(now.queueBytes);
        const double current = (queue - static_cast<double>(before.queueBytes) + sent) / ns;
        const double pipe = bytesPerNs * m_baseRttNs;
        const double power = current * (queue + pipe) / (bytesPerNs * pipe);
        if (power > largest)
        {
            largest = power;
            largestNs = ns;
        }
    }
    const double weight = std::min(largestNs, m_baseRttNs) / m_baseRttNs;
    m_power += weight * (largest - m_power);
    // a path that stood still for a round trip has no power, and any window would do
    m_power = std::max(m_power, 1e-3);
}

void
DcnPowerTcp::OnGoBack(uint64_t sndNxt, int64_t /* nowNs */)
{
    m_roundEnd = std::min(m_roundEnd, sndNxt);
}

void
DcnPowerTcp::ExchangeState(DcnStateBytes& state)
{
    DcnCongestionControl::ExchangeState(state);
    state.Exchange(m_oldRate);
    state.Exchange(m_power);
    state.Exchange(m_hasTelemetry);
    state.Exchange(m_roundEnd);
    m_previous.Exchange(state);
}

} // namespace ns3

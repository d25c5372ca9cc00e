/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "dcn-powertcp.h"

#include "ns3/log.h"

#include <algorithm>

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("DcnPowerTcp");

namespace
{

/// @return traits: with a window of its own
DcnCongestionControl::Traits
MakeTraits()
{
    auto traits = DcnTelemetryControl::MakeTraits();
    traits.hasOwnWindow = true;
    return traits;
}

/// gamma, that of the paper's evaluation.
const DcnControlKey<double> GAMMA("powertcp_gamma",
                                  "PowertcpGamma",
                                  "Weight of the new window.",
                                  0.9,
                                  0.001,
                                  1);

/// N
const DcnControlKey<uint64_t> FLOWS(
    "powertcp_flows",
    "PowertcpFlows",
    "Flows for which the additive increase is made: it is the window divided by this number.",
    100,
    1,
    1e6);

/// @return name, keys and presets
DcnNetworkConfig::Control
MakeControl()
{
    DcnNetworkConfig::Control control{"powertcp", {&GAMMA, &FLOWS}};
    control.check = &DcnTelemetryControl::Check;
    control.paper = [](DcnNetworkParameters& network) {
        network.baseRtt = Time(0); // that of each path
    };
    return control;
}

/// Makes the algorithm known.
const DcnCongestionControl::Registration g_registration(MakeControl(),
                                                        MakeTraits(),
                                                        &DcnCongestionControl::Make<DcnPowerTcp>);

} // namespace

DcnPowerTcp::DcnPowerTcp(const DcnNetworkParameters& network,
                         uint64_t maxRateBps,
                         int64_t pathRttNs)
    : DcnTelemetryControl(network, maxRateBps, pathRttNs),
      m_gamma(network.Get(GAMMA)),
      m_stepBps(static_cast<double>(maxRateBps) / static_cast<double>(network.Get(FLOWS))),
      m_oldRate(maxRateBps)
{
    HaveOwnWindow(BaseRttNs(network, pathRttNs));
}

void
DcnPowerTcp::OnAck(const DcnAckInfo& ack)
{
    if (!HasEarlierReport(ack))
    {
        return;
    }
    UpdatePower(*ack.telemetry);
    m_previous.CopyFrom(*ack.telemetry);
    const double target = static_cast<double>(m_oldRate) / m_power + m_stepBps;
    const double rate = m_gamma * target + (1 - m_gamma) * static_cast<double>(m_rate);
    m_rate = Clamp(Scale(m_maxRate, rate / static_cast<double>(m_maxRate)));
    NS_LOG_LOGIC("power " << m_power << " gives a rate of " << m_rate << " bit/s");
    if (EndsRound(ack))
    {
        m_oldRate = m_rate;
        BeginRound(ack);
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
        const double ns = now.GetNsSince(before);
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

DcnCongestionControl::State
DcnPowerTcp::GetState() const
{
    return {{"power", m_power}, {"old_bps", static_cast<double>(m_oldRate)}};
}

void
DcnPowerTcp::ExchangeState(DcnStateBytes& state)
{
    DcnTelemetryControl::ExchangeState(state);
    state.Exchange(m_oldRate);
    state.Exchange(m_power);
}

} // namespace ns3

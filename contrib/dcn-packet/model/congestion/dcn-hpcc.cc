/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "dcn-hpcc.h"

#include "ns3/log.h"

#include <algorithm>

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("DcnHpcc");

namespace
{

/// Makes the algorithm known.
const DcnCongestionControl::Registration g_registration(
    "hpcc",
    DcnTelemetryControl::MakeTraits(),
    [](const DcnNetworkParameters& network,
       uint64_t maxRateBps,
       int64_t pathRttNs) -> std::unique_ptr<DcnCongestionControl> {
        return std::make_unique<DcnHpcc>(network, maxRateBps, pathRttNs);
    });

} // namespace

DcnHpcc::DcnHpcc(const DcnNetworkParameters& network, uint64_t maxRateBps, int64_t pathRttNs)
    : DcnTelemetryControl(network, maxRateBps, pathRttNs),
      m_referenceWindow(network.baseRtt.IsZero() || GetWindowBytes() == 0
                            ? static_cast<double>(maxRateBps) * m_baseRttNs / 8e9
                            : static_cast<double>(GetWindowBytes())),
      m_additiveStep(network.GetHpccIncreaseBps(m_baseRttNs)),
      m_referenceRate(maxRateBps)
{
}

void
DcnHpcc::OnAck(const DcnAckInfo& ack)
{
    if (!HasEarlierReport(ack))
    {
        return;
    }
    const bool roundEnds = EndsRound(ack);
    if (!roundEnds && !m_network.hpccFastReact)
    {
        return;
    }
    UpdateUtilisation(*ack.telemetry);
    m_previous.CopyFrom(*ack.telemetry);
    const double excess = m_utilisation / m_network.hpccEta;
    const bool multiplicative = excess >= 1 || m_additiveSteps >= m_network.hpccMiThreshold;
    const uint64_t base = multiplicative ? Scale(m_referenceRate, 1 / excess) : m_referenceRate;
    m_rate = Raise(base, m_additiveStep);
    NS_LOG_LOGIC("utilisation " << m_utilisation << ": a "
                                << (multiplicative ? "multiplicative" : "additive") << " step from "
                                << m_referenceRate << " to " << m_rate << " bit/s");
    if (roundEnds)
    {
        m_referenceRate = m_rate;
        m_additiveSteps = multiplicative ? 0 : m_additiveSteps + 1;
        BeginRound(ack);
    }
}

void
DcnHpcc::UpdateUtilisation(const DcnTelemetry& telemetry)
{
    double largest = 0;
    double largestTauNs = 0;
    for (uint8_t i = 0; i < telemetry.nHops; ++i)
    {
        const DcnTelemetryHop& now = telemetry.hops[i];
        const DcnTelemetryHop& before = m_previous.hops[i];
        const double tauNs = now.GetNsSince(before);
        if (tauNs <= 0)
        {
            continue; // an older report: a later packet overtook this one
        }
        // signed numbers become floating-point ones faster than unsigned
        const auto capacity = static_cast<double>(static_cast<int64_t>(now.rateBps));
        const double txRate =
            static_cast<double>(static_cast<int64_t>(now.txBytes - before.txBytes)) * 8e9 / tauNs;
        double utilisation = txRate / capacity;
        if (const uint64_t queueBytes = std::min(now.queueBytes, before.queueBytes))
        {
            utilisation += static_cast<double>(queueBytes) * static_cast<double>(m_maxRate) /
                           (capacity * m_referenceWindow);
        }
        if (utilisation > largest)
        {
            largest = utilisation;
            largestTauNs = tauNs;
        }
    }
    const double tau = std::min(largestTauNs, m_baseRttNs);
    m_utilisation = (m_utilisation * (m_baseRttNs - tau) + largest * tau) / m_baseRttNs;
}

DcnCongestionControl::State
DcnHpcc::GetState() const
{
    return {{"utilisation", m_utilisation},
            {"reference_bps", static_cast<double>(m_referenceRate)}};
}

void
DcnHpcc::ExchangeState(DcnStateBytes& state)
{
    DcnTelemetryControl::ExchangeState(state);
    state.Exchange(m_referenceRate);
    state.Exchange(m_utilisation);
    state.Exchange(m_additiveSteps);
}

} // namespace ns3

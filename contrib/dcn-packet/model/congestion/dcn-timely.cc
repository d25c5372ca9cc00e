/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "dcn-timely.h"

#include "ns3/dcn-units.h"
#include "ns3/log.h"

#include <algorithm>

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("DcnTimely");

namespace
{

constexpr uint32_t TIMESTAMP_BYTES = 8; //!< send time in a data packet

/// @return traits: below Tlow, rates only rise
DcnCongestionControl::Traits
MakeTraits()
{
    DcnCongestionControl::Traits traits;
    traits.wireFormat = {DCN_HEADER_BYTES + TIMESTAMP_BYTES, DCN_ACK_BYTES, false};
    traits.hasTimers = false;
    traits.undisturbedRttNs = [](const DcnNetworkParameters& network) {
        return network.timelyLow.GetNanoSeconds();
    };
    traits.thresholdSeconds = [](const DcnNetworkParameters& network, double /* rateBps */) {
        return network.timelyLow.GetSeconds();
    };
    return traits;
}

/// Makes the algorithm known.
const DcnCongestionControl::Registration g_registration(
    "timely",
    MakeTraits(),
    [](const DcnNetworkParameters& network,
       uint64_t maxRateBps,
       int64_t pathRttNs) -> std::unique_ptr<DcnCongestionControl> {
        return std::make_unique<DcnTimely>(network, maxRateBps, pathRttNs);
    });

} // namespace

DcnTimely::DcnTimely(const DcnNetworkParameters& network, uint64_t maxRateBps, int64_t pathRttNs)
    : DcnCongestionControl(network, maxRateBps, pathRttNs),
      m_minRttNs(static_cast<double>(
          network.timelyMinRtt.IsZero() ? pathRttNs : network.timelyMinRtt.GetNanoSeconds()))
{
}

void
DcnTimely::OnAck(const DcnAckInfo& ack)
{
    if (ack.acknowledged <= m_roundEnd)
    {
        return;
    }
    const double rttNs = ack.GetRttNs();
    if (m_hasRtt)
    {
        UpdateRate(rttNs);
    }
    m_hasRtt = true;
    m_lastRttNs = rttNs;
    m_roundEnd = ack.sndNxt;
}

void
DcnTimely::UpdateRate(double rttNs)
{
    const double a = m_network.timelyEwmaAlpha;
    m_rttDiffNs = (1 - a) * m_rttDiffNs + a * (rttNs - m_lastRttNs);
    const double gradient = m_rttDiffNs / m_minRttNs;
    const auto lowNs = static_cast<double>(m_network.timelyLow.GetNanoSeconds());
    const auto highNs = static_cast<double>(m_network.timelyHigh.GetNanoSeconds());
    if (rttNs < lowNs || (rttNs <= highNs && gradient <= 0))
    {
        Increase();
        return;
    }
    const double excess =
        rttNs > highNs ? 1 - highNs / rttNs : gradient;
    m_rate = Clamp(Scale(m_rate, std::max(0.0, 1 - m_network.timelyBeta * excess)));
    m_increases = 0;
    NS_LOG_LOGIC("a round trip of " << rttNs << " ns with a gradient of " << gradient
                                    << " cuts the rate to " << m_rate << " bit/s");
}

void
DcnTimely::Increase()
{
    static constexpr uint32_t ADDITIVE_STEPS = 5; // the paper's N for hyperactive increase
    const DataRate step = m_increases < ADDITIVE_STEPS ? m_network.timelyAdditiveIncrease
                                                       : m_network.timelyHyperIncrease;
    m_rate = Raise(m_rate, step);
    ++m_increases;
    NS_LOG_LOGIC("increase " << m_increases << " in a row, to " << m_rate << " bit/s");
}

void
DcnTimely::OnGoBack(uint64_t sndNxt, int64_t /* nowNs */)
{
    m_roundEnd = std::min(m_roundEnd, sndNxt);
}

DcnCongestionControl::State
DcnTimely::GetState() const
{
    return {{"rtt_ns", m_lastRttNs}, {"gradient", m_rttDiffNs / m_minRttNs}};
}

void
DcnTimely::ExchangeState(DcnStateBytes& state)
{
    DcnCongestionControl::ExchangeState(state);
    state.Exchange(m_hasRtt);
    state.Exchange(m_roundEnd);
    state.Exchange(m_lastRttNs);
    state.Exchange(m_rttDiffNs);
    state.Exchange(m_increases);
}

bool
DcnTimely::Translate(const DcnTranslation& by)
{
    m_roundEnd += by.bytes;
    return true;
}

} // namespace ns3

/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "dcn-timely.h"

#include "ns3/dcn-error.h"
#include "ns3/dcn-units.h"
#include "ns3/log.h"

#include <algorithm>

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("DcnTimely");

namespace
{

constexpr uint32_t TIMESTAMP_BYTES = 8; //!< send time in a data packet

/// Tlow
const DcnControlKey<Time> LOW("timely_low_ns",
                              "TimelyLow",
                              "Round-trip time below which the rate rises whatever the gradient.",
                              50'000);

/// Thigh
const DcnControlKey<Time> HIGH("timely_high_ns",
                               "TimelyHigh",
                               "Round-trip time above which the rate falls whatever the gradient.",
                               125'000);

/// Minimum rtt.
const DcnControlKey<Time> MIN_RTT(
    "timely_min_rtt_ns",
    "TimelyMinRtt",
    "Round-trip time that normalises the gradient; 0: that of each flow's path when it is empty.",
    20'000);

/// a
const DcnControlKey<double> EWMA_ALPHA("timely_ewma_alpha",
                                       "TimelyEwmaAlpha",
                                       "Gain of the average of RTT differences.",
                                       0.875);

const DcnControlKey<double> BETA("timely_beta",
                                 "TimelyBeta",
                                 "Strength of a decrease.",
                                 0.8); //!< beta

/// Step of five increases in a row.
const DcnControlKey<DataRate> ADDITIVE_INCREASE("timely_additive_increase_bps",
                                                "TimelyAdditiveIncrease",
                                                "Step of the first five consecutive increases.",
                                                10'000'000,
                                                DcnControlKeyInfo::Property::PER_NIC);

/// Step of later ones.
const DcnControlKey<DataRate> HYPER_INCREASE("timely_hyper_increase_bps",
                                             "TimelyHyperIncrease",
                                             "Step of the later increases.",
                                             50'000'000,
                                             DcnControlKeyInfo::Property::PER_NIC);

/// @return name, keys and presets
DcnNetworkConfig::Control
MakeControl()
{
    DcnNetworkConfig::Control control{
        "timely",
        {&LOW, &HIGH, &MIN_RTT, &EWMA_ALPHA, &BETA, &ADDITIVE_INCREASE, &HYPER_INCREASE}};
    control.rank = 3;
    // section 5 of the paper; Tlow is 50 us, too
    control.paper = [](DcnNetworkParameters& network) {
        network.Set(HIGH, 500'000);
        network.Set(MIN_RTT, 20'000); // one for the data centre
    };
    control.check = [](const DcnNetworkParameters& network, const std::string& where) {
        if (network.Get(LOW) > network.Get(HIGH))
        {
            DcnFail(where,
                    "timely_low_ns ",
                    network.Get(LOW),
                    " is above timely_high_ns ",
                    network.Get(HIGH));
        }
    };
    return control;
}

/// @return traits: below Tlow, rates only rise
DcnCongestionControl::Traits
MakeTraits()
{
    DcnCongestionControl::Traits traits;
    traits.wireFormat = {DCN_HEADER_BYTES + TIMESTAMP_BYTES, DCN_ACK_BYTES, false};
    traits.hasTimers = false;
    traits.undisturbedRttNs = [](const DcnNetworkParameters& network) { return network.Get(LOW); };
    traits.thresholdSeconds = [](const DcnNetworkParameters& network, double /* rateBps */) {
        return NanoSeconds(network.Get(LOW)).GetSeconds();
    };
    return traits;
}

/// Makes the algorithm known.
const DcnCongestionControl::Registration g_registration(MakeControl(),
                                                        MakeTraits(),
                                                        &DcnCongestionControl::Make<DcnTimely>);

} // namespace

DcnTimely::DcnTimely(const DcnNetworkParameters& network, uint64_t maxRateBps, int64_t pathRttNs)
    : DcnReplayableControl(network, maxRateBps, pathRttNs),
      m_minRttNs(static_cast<double>(network.Get(MIN_RTT) == 0 ? pathRttNs : network.Get(MIN_RTT)))
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
    const double a = m_network.Get(EWMA_ALPHA);
    m_rttDiffNs = (1 - a) * m_rttDiffNs + a * (rttNs - m_lastRttNs);
    const double gradient = m_rttDiffNs / m_minRttNs;
    const auto lowNs = static_cast<double>(m_network.Get(LOW));
    const auto highNs = static_cast<double>(m_network.Get(HIGH));
    if (rttNs < lowNs || (rttNs <= highNs && gradient <= 0))
    {
        Increase();
        return;
    }
    const double excess =
        rttNs > highNs ? 1 - highNs / rttNs : gradient;
    m_rate = Clamp(Scale(m_rate, std::max(0.0, 1 - m_network.Get(BETA) * excess)));
    m_increases = 0;
    NS_LOG_LOGIC("a round trip of " << rttNs << " ns with a gradient of " << gradient
                                    << " cuts the rate to " << m_rate << " bit/s");
}

void
DcnTimely::Increase()
{
    static constexpr uint32_t ADDITIVE_STEPS = 5; // the paper's N for hyperactive increase
    const uint64_t step = m_increases < ADDITIVE_STEPS ? m_network.Get(ADDITIVE_INCREASE)
                                                       : m_network.Get(HYPER_INCREASE);
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
    DcnReplayableControl::ExchangeState(state);
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

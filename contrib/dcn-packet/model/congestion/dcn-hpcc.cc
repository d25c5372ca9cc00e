/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "dcn-hpcc.h"

#include "ns3/log.h"

#include <algorithm>
#include <limits>

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("DcnHpcc");

namespace
{

const DcnControlKey<double> ETA("hpcc_eta",
                                "HpccEta",
                                "Utilisation aimed at.",
                                0.9,
                                0.01,
                                1); //!< eta

/// Additive increase.
const DcnControlKey<DataRate> INCREASE("hpcc_additive_increase_bps",
                                       "HpccAdditiveIncrease",
                                       "Additive part of every update.",
                                       500'000'000,
                                       DcnControlKeyInfo::Property::PER_NIC);

/// W_AI
const DcnControlKey<uint64_t> INCREASE_BYTES(
    "hpcc_additive_increase_bytes",
    "HpccAdditiveIncreaseBytes",
    "Additive part of every update of the window, in bytes; of this key and "
    "hpcc_additive_increase_bps the later one above 0 counts. 0: hpcc_additive_increase_bps.",
    0,
    0,
    1e9,
    DcnControlKeyInfo::Property::RARE);

/// maxStage of the paper.
const DcnControlKey<uint64_t> MI_THRESHOLD("hpcc_mi_threshold",
                                           "HpccMiThreshold",
                                           "Additive updates in a row before a multiplicative one.",
                                           0,
                                           0,
                                           std::numeric_limits<uint32_t>::max());

/// Whether R follows every acknowledgement.
const DcnControlKey<bool> FAST_REACT(
    "hpcc_fast_react",
    "HpccFastReact",
    "Whether every ACK changes the rate, not only one per round trip.",
    1);

/// @return name, keys and presets
DcnNetworkConfig::Control
MakeControl()
{
    DcnNetworkConfig::Control control{
        "hpcc",
        {&ETA, &INCREASE, &INCREASE_BYTES, &MI_THRESHOLD, &FAST_REACT},
        {{&INCREASE, &INCREASE_BYTES}}};
    control.rank = 4;
    control.check = &DcnTelemetryControl::Check;
    control.evaluation = [](DcnNetworkParameters& network) { network.ackHighPriority = false; };
    // sections 3.3 and 5.1 of the paper
    control.paper = [](DcnNetworkParameters& network) {
        network.baseRtt = Time(0); // that of each path
        network.windowBdp = 1;
        network.Set(ETA, 0.95);
        network.Set(MI_THRESHOLD, 5);
        // W_AI, of the paper's section 5.1 at 25 and 100 Gb/s: room below eta for 100 flows of 13
        // us at 100 Gb/s
        network.Set(INCREASE_BYTES, 80);
        network.Set(INCREASE, 0);
    };
    return control;
}

/**
 * @param network the configuration
 * @param rttNs T [ns]
 * @return the additive increase [bit/s]
 */
uint64_t
GetIncreaseBps(const DcnNetworkParameters& network, double rttNs)
{
    const uint64_t bytes = network.Get(INCREASE_BYTES);
    return bytes == 0 ? network.Get(INCREASE)
                      : static_cast<uint64_t>(8e9 * static_cast<double>(bytes) / rttNs);
}

/// Makes the algorithm known.
const DcnCongestionControl::Registration g_registration(MakeControl(),
                                                        DcnTelemetryControl::MakeTraits(),
                                                        &DcnCongestionControl::Make<DcnHpcc>);

} // namespace

DcnHpcc::DcnHpcc(const DcnNetworkParameters& network, uint64_t maxRateBps, int64_t pathRttNs)
    : DcnTelemetryControl(network, maxRateBps, pathRttNs),
      m_referenceWindow(network.baseRtt.IsZero() || GetWindowBytes() == 0
                            ? static_cast<double>(maxRateBps) * m_baseRttNs / 8e9
                            : static_cast<double>(GetWindowBytes())),
      m_additiveStep(GetIncreaseBps(network, m_baseRttNs)),
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
    if (!roundEnds && !m_network.Get(FAST_REACT))
    {
        return;
    }
    UpdateUtilisation(*ack.telemetry);
    m_previous.CopyFrom(*ack.telemetry);
    const double excess = m_utilisation / m_network.Get(ETA);
    const bool multiplicative = excess >= 1 || m_additiveSteps >= m_network.Get(MI_THRESHOLD);
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

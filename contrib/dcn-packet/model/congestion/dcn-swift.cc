/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "dcn-swift.h"

#include "ns3/dcn-units.h"
#include "ns3/log.h"

#include <algorithm>
#include <cmath>

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("DcnSwift");

namespace
{

/// base
const DcnControlKey<uint64_t> BASE_TARGET("swift_base_target_ns",
                                          "SwiftBaseTarget",
                                          "Queueing delay that is wanted, in ns.",
                                          25000,
                                          0,
                                          1e9);

/// range
const DcnControlKey<uint64_t> FLOW_RANGE("swift_flow_range_ns",
                                         "SwiftFlowRange",
                                         "Largest part of the target by flow scaling, in ns.",
                                         100000,
                                         0,
                                         1e9);

/// ai
const DcnControlKey<double> INCREASE("swift_additive_increase",
                                     "SwiftAdditiveIncrease",
                                     "Increase of the window per round trip, in packets.",
                                     1,
                                     1e-3,
                                     1e3);

const DcnControlKey<double> BETA("swift_beta",
                                 "SwiftBeta",
                                 "Strength of a decrease.",
                                 0.8); //!< beta

/// m
const DcnControlKey<double> MAX_DECREASE("swift_max_decrease",
                                         "SwiftMaxDecrease",
                                         "Largest decrease.",
                                         0.5,
                                         0,
                                         0.999);

/// @return name, keys and presets
DcnNetworkConfig::Control
MakeControl()
{
    DcnNetworkConfig::Control control{"swift",
                                      {&BASE_TARGET, &FLOW_RANGE, &INCREASE, &BETA, &MAX_DECREASE}};
    control.paper = [](DcnNetworkParameters& network) {
        network.baseRtt = Time(0); // that of each path
    };
    return control;
}

constexpr double LEAST_SCALED_PACKETS = 0.1; //!< w_min
constexpr double MOST_SCALED_PACKETS = 100;  //!< w_max

/// @return 1 / sqrt(w_min) - 1 / sqrt(w_max)
double
GetScalingSpan()
{
    return 1 / std::sqrt(LEAST_SCALED_PACKETS) - 1 / std::sqrt(MOST_SCALED_PACKETS);
}

/// @return queueing that is wanted [ns]
double
GetBaseNs(const DcnNetworkParameters& network)
{
    return static_cast<double>(network.Get(BASE_TARGET));
}

/// @return traits: below the target, windows only rise
DcnCongestionControl::Traits
MakeTraits()
{
    static constexpr uint32_t TIMESTAMP_BYTES = 8; // send time in a data packet
    DcnCongestionControl::Traits traits;
    traits.wireFormat = {DCN_HEADER_BYTES + TIMESTAMP_BYTES, DCN_ACK_BYTES, false};
    traits.hasTimers = false;
    traits.hasOwnWindow = true;
    traits.undisturbedRttNs = [](const DcnNetworkParameters& network) {
        return static_cast<int64_t>(GetBaseNs(network));
    };
    traits.thresholdSeconds = [](const DcnNetworkParameters& network, double /* rateBps */) {
        return GetBaseNs(network) / 1e9;
    };
    return traits;
}

/// Makes the algorithm known.
const DcnCongestionControl::Registration g_registration(MakeControl(),
                                                        MakeTraits(),
                                                        &DcnCongestionControl::Make<DcnSwift>);

} // namespace

DcnSwift::DcnSwift(const DcnNetworkParameters& network, uint64_t maxRateBps, int64_t pathRttNs)
    : DcnReplayableControl(network, maxRateBps, pathRttNs),
      m_emptyTargetNs(static_cast<double>(pathRttNs) + GetBaseNs(network)),
      m_rangeNs(static_cast<double>(network.Get(FLOW_RANGE))),
      m_scaleNs(m_rangeNs / GetScalingSpan()),
      m_offsetNs(-m_scaleNs / std::sqrt(MOST_SCALED_PACKETS)),
      m_increase(network.Get(INCREASE)),
      m_beta(network.Get(BETA)),
      m_maxCut(network.Get(MAX_DECREASE)),
      m_payloadBytes(network.payloadBytes)
{
    HaveOwnWindow(pathRttNs);
    m_mostPackets = static_cast<double>(GetWindowBytes()) / m_payloadBytes;
    m_window = m_mostPackets;
}

double
DcnSwift::GetTargetNs() const
{
    const double scaled = m_scaleNs / std::sqrt(m_window) + m_offsetNs;
    return m_emptyTargetNs + std::max(0.0, std::min(m_rangeNs, scaled));
}

void
DcnSwift::OnAck(const DcnAckInfo& ack)
{
    m_nowNs = ack.nowNs;
    m_rttNs = ack.GetRttNs();
    const uint64_t bytes =
        ack.acknowledged > m_acknowledged ? ack.acknowledged - m_acknowledged : 0;
    m_acknowledged += bytes;
    const double target = GetTargetNs();
    if (m_rttNs < target)
    {
        const double step = m_increase * static_cast<double>(bytes) / m_payloadBytes;
        m_window += m_window >= 1 ? step / m_window : step;
        FollowWindow();
        NS_LOG_LOGIC("a round trip of " << m_rttNs << " ns, target " << target
                                        << " ns, raises the window to " << m_window << " packets");
    }
    else
    {
        Cut(std::max(1 - m_beta * (m_rttNs - target) / m_rttNs, 1 - m_maxCut));
    }
}

void
DcnSwift::OnGoBack(uint64_t /* sndNxt */, int64_t nowNs)
{
    m_nowNs = nowNs;
    Cut(1 - m_maxCut);
}

void
DcnSwift::Cut(double factor)
{
    if (factor < 1 &&
        (m_lastCutNs == NEVER || static_cast<double>(m_nowNs - m_lastCutNs) >= m_rttNs))
    {
        m_window *= factor;
        m_lastCutNs = m_nowNs;
        FollowWindow();
        NS_LOG_LOGIC("a cut by " << factor << " to a window of " << m_window << " packets");
    }
}

void
DcnSwift::FollowWindow()
{
    m_window = std::min(m_window, m_mostPackets);
    m_rate = Clamp(Scale(m_maxRate, m_window / m_mostPackets));
    // a window below that of the smallest rate would only take time to come back
    m_window =
        std::max(m_window,
                 m_mostPackets * static_cast<double>(m_minRate) / static_cast<double>(m_maxRate));
}

DcnCongestionControl::State
DcnSwift::GetState() const
{
    return {{"delay_ns", m_rttNs}, {"target_ns", GetTargetNs()}, {"window_packets", m_window}};
}

void
DcnSwift::ExchangeState(DcnStateBytes& state)
{
    DcnReplayableControl::ExchangeState(state);
    state.Exchange(m_window);
    state.Exchange(m_acknowledged);
    state.Exchange(m_nowNs);
    state.Exchange(m_rttNs);
    state.Exchange(m_lastCutNs);
}

bool
DcnSwift::Translate(const DcnTranslation& by)
{
    m_acknowledged += by.bytes;
    m_nowNs += by.timeNs;
    m_lastCutNs += m_lastCutNs == NEVER ? 0 : by.timeNs;
    return true;
}

} // namespace ns3

/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "dcn-dcqcn.h"

#include "ns3/dcn-units.h"
#include "ns3/log.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("DcnDcqcn");

namespace
{

const DcnControlKey<double> GAIN("dcqcn_g", "DcqcnG", "Gain of alpha.", 1.0 / 256); //!< g

/// Period of (2).
const DcnControlKey<Time> ALPHA_TIMER("dcqcn_alpha_timer_us",
                                      "DcqcnAlphaTimer",
                                      "Period of the alpha update.",
                                      50,
                                      1);

/// Decrease period; at once: the time between two notifications.
const DcnControlKey<Time> DECREASE_TIMER("dcqcn_decrease_timer_us",
                                         "DcqcnDecreaseTimer",
                                         "Least time between two decreases.",
                                         50,
                                         1);

/// Increase period.
const DcnControlKey<Time> INCREASE_TIMER("dcqcn_increase_timer_us",
                                         "DcqcnIncreaseTimer",
                                         "Period of increases after a decrease.",
                                         55,
                                         1);

/// B
const DcnControlKey<uint64_t> BYTE_COUNTER(
    "dcqcn_byte_counter_bytes",
    "DcqcnByteCounter",
    "Acknowledged payload bytes between two increases by the byte counter; 0: only the timer "
    "increases.",
    0);

/// F
const DcnControlKey<uint64_t> FAST_RECOVERY_STAGES(
    "dcqcn_fast_recovery_stages",
    "DcqcnFastRecoveryStages",
    "Increases after a decrease that leave the target rate alone.",
    1,
    0,
    std::numeric_limits<uint32_t>::max());

/// Step of the target rate while n = F.
const DcnControlKey<DataRate> ADDITIVE_INCREASE("dcqcn_additive_increase_bps",
                                                "DcqcnAdditiveIncrease",
                                                "Step of the target rate in the additive stage.",
                                                2'000'000,
                                                DcnControlKeyInfo::Property::PER_NIC);

/// Step of the target rate later.
const DcnControlKey<DataRate> HYPER_INCREASE("dcqcn_hyper_increase_bps",
                                             "DcqcnHyperIncrease",
                                             "Step of the target rate after the additive stage.",
                                             20'000'000,
                                             DcnControlKeyInfo::Property::PER_NIC);

/// Whether Rt becomes R also without an increase in between.
const DcnControlKey<bool> CLAMP_TARGET_RATE(
    "dcqcn_clamp_target_rate",
    "DcqcnClampTargetRate",
    "Whether every decrease sets the target to the current rate.",
    0);

/// Whether marks cut at once, not by timers.
const DcnControlKey<bool> AT_ONCE(
    "dcqcn_at_once",
    "DcqcnAtOnce",
    "Whether a mark cuts the rate when it arrives, unless the latest cut is less than the decrease "
    "timer ago; 0: cuts wait for the decrease timer.",
    0,
    DcnControlKeyInfo::Property::RARE);

/// @return name, keys and presets
DcnNetworkConfig::Control
MakeControl()
{
    DcnNetworkConfig::Control control{"dcqcn",
                                      {&GAIN,
                                       &ALPHA_TIMER,
                                       &DECREASE_TIMER,
                                       &INCREASE_TIMER,
                                       &BYTE_COUNTER,
                                       &FAST_RECOVERY_STAGES,
                                       &ADDITIVE_INCREASE,
                                       &HYPER_INCREASE,
                                       &CLAMP_TARGET_RATE,
                                       &AT_ONCE}};
    control.rank = 2;
    control.evaluation = [](DcnNetworkParameters& network) {
        network.ecnKminBytes = 12000;
        network.ecnKmaxBytes = 30000;
        network.ecnPmax = 0.2;
        network.ackHighPriority = false;
    };
    // section 5 of the paper; rates are those at 10 Gb/s
    control.paper = [](DcnNetworkParameters& network) {
        network.ecnReferenceRate = DataRate(40'000'000'000);
        network.ecnKminBytes = 5000;
        network.ecnKmaxBytes = 200000;
        network.ecnPmax = 0.01;
        network.Set(BYTE_COUNTER, 10'000'000);
        network.Set(FAST_RECOVERY_STAGES, 5);
        network.Set(ADDITIVE_INCREASE, 10'000'000);
        network.Set(HYPER_INCREASE, 100'000'000);
        network.Set(ALPHA_TIMER, 55'000);
        network.Set(DECREASE_TIMER, 50'000); // between notifications of a receiver
        network.Set(AT_ONCE, true);
        network.Set(CLAMP_TARGET_RATE, true);
    };
    return control;
}

/// @return traits: rates fall by marks only, and rise by timers
DcnCongestionControl::Traits
MakeTraits()
{
    DcnCongestionControl::Traits traits;
    traits.wireFormat = {DCN_HEADER_BYTES, DCN_ACK_BYTES, false};
    traits.keepsQueues = true;
    traits.longestPeriodNs = [](const DcnNetworkParameters& network) {
        return std::max(
            {network.Get(ALPHA_TIMER), network.Get(DECREASE_TIMER), network.Get(INCREASE_TIMER)});
    };
    traits.undisturbedRttNs = [](const DcnNetworkParameters&) {
        return DcnCongestionControl::NEVER;
    };
    return traits;
}

/// Makes the algorithm known.
const DcnCongestionControl::Registration g_registration(MakeControl(),
                                                        MakeTraits(),
                                                        &DcnCongestionControl::Make<DcnDcqcn>);

} // namespace

DcnDcqcn::DcnDcqcn(const DcnNetworkParameters& network, uint64_t maxRateBps, int64_t pathRttNs)
    : DcnReplayableControl(network, maxRateBps, pathRttNs),
      m_targetRate(maxRateBps)
{
}

void
DcnDcqcn::OnAck(const DcnAckInfo& ack)
{
    m_acknowledged = ack.acknowledged;
    if (m_increaseAtNs != NEVER && m_network.Get(BYTE_COUNTER) > 0 &&
        ack.acknowledged >= m_nextByteIncrease)
    {
        m_nextByteIncrease += m_network.Get(BYTE_COUNTER);
        Increase(m_byteStage);
    }
    if (!ack.congestionExperienced)
    {
        return;
    }
    if (m_network.Get(AT_ONCE))
    {
        if (m_decreaseAtNs == NEVER || ack.nowNs >= m_decreaseAtNs)
        {
            Notify(ack.nowNs);
        }
        return;
    }
    m_markForDecrease = true;
    if (m_hasMark)
    {
        m_markForAlpha = true;
        return;
    }
    m_hasMark = true;
    m_alpha = 1;
    m_targetRate = m_rate;
    m_alphaAtNs = ack.nowNs + m_network.Get(ALPHA_TIMER);
    // one nanosecond later, so that an alpha update due at this instant comes first, as in the
    // reference
    m_decreaseAtNs = ack.nowNs + m_network.Get(DECREASE_TIMER) + 1;
}

int64_t
DcnDcqcn::GetNextTimerNs() const
{
    const int64_t decreaseAtNs = m_network.Get(AT_ONCE) ? NEVER : m_decreaseAtNs;
    return std::min({m_alphaAtNs, decreaseAtNs, m_increaseAtNs});
}

void
DcnDcqcn::OnTimer(int64_t nowNs)
{
    if (m_alphaAtNs <= nowNs)
    {
        UpdateAlpha();
        m_alphaAtNs += m_network.Get(ALPHA_TIMER);
    }
    if (!m_network.Get(AT_ONCE) && m_decreaseAtNs <= nowNs)
    {
        m_decreaseAtNs += m_network.Get(DECREASE_TIMER);
        if (m_markForDecrease)
        {
            Decrease(nowNs);
            return; // an increase due at this instant has been put off
        }
    }
    if (m_increaseAtNs <= nowNs)
    {
        Increase(m_timerStage);
        m_increaseAtNs += m_network.Get(INCREASE_TIMER);
    }
}

void
DcnDcqcn::Notify(int64_t nowNs)
{
    Decrease(nowNs);
    const double g = m_network.Get(GAIN);
    m_alpha = (1 - g) * m_alpha + g; // (1)
    m_alphaAtNs = nowNs + m_network.Get(ALPHA_TIMER);
    m_decreaseAtNs = nowNs + m_network.Get(DECREASE_TIMER);
}

void
DcnDcqcn::UpdateAlpha()
{
    const double g = m_network.Get(GAIN);
    m_alpha = (1 - g) * m_alpha + (m_markForAlpha ? g : 0);
    m_markForAlpha = false;
    NS_LOG_LOGIC("alpha is " << m_alpha);
}

void
DcnDcqcn::Decrease(int64_t nowNs)
{
    if (m_network.Get(CLAMP_TARGET_RATE) || m_timerStage > 0 || m_byteStage > 0)
    {
        m_targetRate = m_rate;
    }
    m_rate = Clamp(Scale(m_rate, 1 - m_alpha / 2));
    NS_LOG_LOGIC("marks cut the rate to " << m_rate << " bit/s, alpha is " << m_alpha
                                          << ", the target rate " << m_targetRate << " bit/s");
    m_timerStage = 0;
    m_byteStage = 0;
    m_nextByteIncrease = m_acknowledged + m_network.Get(BYTE_COUNTER);
    m_markForDecrease = false;
    m_increaseAtNs = nowNs + m_network.Get(INCREASE_TIMER);
}

void
DcnDcqcn::Increase(uint32_t& stage)
{
    const uint64_t fast = m_network.Get(FAST_RECOVERY_STAGES);
    const bool withCounter = m_network.Get(BYTE_COUNTER) > 0;
    if (std::max(m_timerStage, m_byteStage) >= fast)
    {
        // Without the byte counter one additive step follows fast recovery; with it, additive steps
        // go on until both timer and counter have completed fast recovery.
        const bool hyper = withCounter ? std::min(m_timerStage, m_byteStage) >= fast : stage > fast;
        const uint64_t step =
            hyper ? m_network.Get(HYPER_INCREASE) : m_network.Get(ADDITIVE_INCREASE);
        m_targetRate = Raise(m_targetRate, step);
    }
    m_rate = m_rate / 2 + m_targetRate / 2;
    ++stage;
    NS_LOG_LOGIC("the rate rises to " << m_rate << " bit/s towards " << m_targetRate
                                      << " bit/s, stages " << m_timerStage << " of the timer and "
                                      << m_byteStage << " of the byte counter");
}

DcnCongestionControl::State
DcnDcqcn::GetState() const
{
    return {{"alpha", m_alpha}, {"target_bps", static_cast<double>(m_targetRate)}};
}

void
DcnDcqcn::ExchangeState(DcnStateBytes& state)
{
    DcnReplayableControl::ExchangeState(state);
    state.Exchange(m_targetRate);
    state.Exchange(m_alpha);
    state.Exchange(m_timerStage);
    state.Exchange(m_byteStage);
    state.Exchange(m_nextByteIncrease);
    state.Exchange(m_acknowledged);
    state.Exchange(m_hasMark);
    state.Exchange(m_markForAlpha);
    state.Exchange(m_markForDecrease);
    state.Exchange(m_alphaAtNs);
    state.Exchange(m_decreaseAtNs);
    state.Exchange(m_increaseAtNs);
}

bool
DcnDcqcn::Translate(const DcnTranslation& by)
{
    if (by.isUnmarked && m_alphaAtNs != NEVER)
    {
        const double periods =
            static_cast<double>(by.timeNs) / static_cast<double>(m_network.Get(ALPHA_TIMER));
        m_alpha *= std::pow(1 - m_network.Get(GAIN), periods);
    }
    for (int64_t* atNs : {&m_alphaAtNs, &m_decreaseAtNs, &m_increaseAtNs})
    {
        *atNs += *atNs == NEVER ? 0 : by.timeNs;
    }
    m_nextByteIncrease += by.bytes;
    m_acknowledged += by.bytes;
    return true;
}

} // namespace ns3

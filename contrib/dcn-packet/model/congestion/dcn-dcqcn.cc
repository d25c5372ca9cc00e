/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "dcn-dcqcn.h"

#include "ns3/dcn-units.h"
#include "ns3/log.h"

#include <algorithm>
#include <cmath>

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("DcnDcqcn");

namespace
{

/// @return traits: rates fall by marks only, and rise by timers
DcnCongestionControl::Traits
MakeTraits()
{
    DcnCongestionControl::Traits traits;
    traits.wireFormat = {DCN_HEADER_BYTES, DCN_ACK_BYTES, false};
    traits.keepsQueues = true;
    traits.undisturbedRttNs = [](const DcnNetworkParameters&) {
        return DcnCongestionControl::NEVER;
    };
    return traits;
}

/// Makes the algorithm known.
const DcnCongestionControl::Registration g_registration(
    "dcqcn",
    MakeTraits(),
    [](const DcnNetworkParameters& network,
       uint64_t maxRateBps,
       int64_t pathRttNs) -> std::unique_ptr<DcnCongestionControl> {
        return std::make_unique<DcnDcqcn>(network, maxRateBps, pathRttNs);
    });

} // namespace

DcnDcqcn::DcnDcqcn(const DcnNetworkParameters& network, uint64_t maxRateBps, int64_t pathRttNs)
    : DcnCongestionControl(network, maxRateBps, pathRttNs),
      m_targetRate(maxRateBps)
{
}

void
DcnDcqcn::OnAck(const DcnAckInfo& ack)
{
    m_acknowledged = ack.acknowledged;
    if (m_increaseAtNs != NEVER && m_network.dcqcnByteCounter > 0 &&
        ack.acknowledged >= m_nextByteIncrease)
    {
        m_nextByteIncrease += m_network.dcqcnByteCounter;
        Increase(m_byteStage);
    }
    if (!ack.congestionExperienced)
    {
        return;
    }
    if (m_network.dcqcnAtOnce)
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
    m_alphaAtNs = ack.nowNs + m_network.dcqcnAlphaTimer.GetNanoSeconds();
    // one nanosecond later, so that an alpha update due at this instant comes first, as in the
    // reference
    m_decreaseAtNs = ack.nowNs + m_network.dcqcnDecreaseTimer.GetNanoSeconds() + 1;
}

int64_t
DcnDcqcn::GetNextTimerNs() const
{
    const int64_t decreaseAtNs = m_network.dcqcnAtOnce ? NEVER : m_decreaseAtNs;
    return std::min({m_alphaAtNs, decreaseAtNs, m_increaseAtNs});
}

void
DcnDcqcn::OnTimer(int64_t nowNs)
{
    if (m_alphaAtNs <= nowNs)
    {
        UpdateAlpha();
        m_alphaAtNs += m_network.dcqcnAlphaTimer.GetNanoSeconds();
    }
    if (!m_network.dcqcnAtOnce && m_decreaseAtNs <= nowNs)
    {
        m_decreaseAtNs += m_network.dcqcnDecreaseTimer.GetNanoSeconds();
        if (m_markForDecrease)
        {
            Decrease(nowNs);
            return; // an increase due at this instant has been put off
        }
    }
    if (m_increaseAtNs <= nowNs)
    {
        Increase(m_timerStage);
        m_increaseAtNs += m_network.dcqcnIncreaseTimer.GetNanoSeconds();
    }
}

void
DcnDcqcn::Notify(int64_t nowNs)
{
    Decrease(nowNs);
    m_alpha = (1 - m_network.dcqcnG) * m_alpha + m_network.dcqcnG; // (1)
    m_alphaAtNs = nowNs + m_network.dcqcnAlphaTimer.GetNanoSeconds();
    m_decreaseAtNs = nowNs + m_network.dcqcnDecreaseTimer.GetNanoSeconds();
}

void
DcnDcqcn::UpdateAlpha()
{
    m_alpha = (1 - m_network.dcqcnG) * m_alpha + (m_markForAlpha ? m_network.dcqcnG : 0);
    m_markForAlpha = false;
    NS_LOG_LOGIC("alpha is " << m_alpha);
}

void
DcnDcqcn::Decrease(int64_t nowNs)
{
    if (m_network.dcqcnClampTargetRate || m_timerStage > 0 || m_byteStage > 0)
    {
        m_targetRate = m_rate;
    }
    m_rate = Clamp(Scale(m_rate, 1 - m_alpha / 2));
    NS_LOG_LOGIC("marks cut the rate to " << m_rate << " bit/s, alpha is " << m_alpha
                                          << ", the target rate " << m_targetRate << " bit/s");
    m_timerStage = 0;
    m_byteStage = 0;
    m_nextByteIncrease = m_acknowledged + m_network.dcqcnByteCounter;
    m_markForDecrease = false;
    m_increaseAtNs = nowNs + m_network.dcqcnIncreaseTimer.GetNanoSeconds();
}

void
DcnDcqcn::Increase(uint32_t& stage)
{
    const uint32_t fast = m_network.dcqcnFastRecoveryStages;
    const bool withCounter = m_network.dcqcnByteCounter > 0;
    if (std::max(m_timerStage, m_byteStage) >= fast)
    {
        // Without the byte counter one additive step follows fast recovery; with it, additive steps
        // go on until both timer and counter have completed fast recovery.
        const bool hyper = withCounter ? std::min(m_timerStage, m_byteStage) >= fast : stage > fast;
        const DataRate step =
            hyper ? m_network.dcqcnHyperIncrease : m_network.dcqcnAdditiveIncrease;
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
    DcnCongestionControl::ExchangeState(state);
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
        const double periods = static_cast<double>(by.timeNs) /
                               static_cast<double>(m_network.dcqcnAlphaTimer.GetNanoSeconds());
        m_alpha *= std::pow(1 - m_network.dcqcnG, periods);
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

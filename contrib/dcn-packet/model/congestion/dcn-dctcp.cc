/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "dcn-dctcp.h"

#include "ns3/dcn-units.h"
#include "ns3/log.h"

#include <algorithm>
#include <cmath>

namespace ns3
{

NS_LOG_COMPONENT_DEFINE("DcnDctcp");

namespace
{

/// g
const DcnControlKey<double> GAIN("dctcp_g",
                                 "DctcpG",
                                 "Gain of the average of the marked fraction.",
                                 1.0 / 16);

/// Increase of a window without a cut.
const DcnControlKey<DataRate> INCREASE("dctcp_additive_increase_bps",
                                       "DctcpAdditiveIncrease",
                                       "Increase of the rate per round trip.",
                                       615'000'000,
                                       DcnControlKeyInfo::Property::PER_NIC);

/// @return name and keys
DcnNetworkConfig::Control
MakeControl()
{
    DcnNetworkConfig::Control control{"dctcp", {&GAIN, &INCREASE}};
    control.rank = 1;
    control.noPaper = ": the paper's is TCP's, with slow start and a window that grows by a packet "
                      "per round trip; take the method tcp:Transport=ns3::TcpDctcp, or the preset "
                      "evaluation";
    return control;
}

/// @return traits: rates fall by marks only
DcnCongestionControl::Traits
MakeTraits()
{
    DcnCongestionControl::Traits traits;
    traits.wireFormat = {DCN_HEADER_BYTES, DCN_ACK_BYTES, false};
    traits.hasTimers = false;
    traits.keepsQueues = true;
    traits.undisturbedRttNs = [](const DcnNetworkParameters&) {
        return DcnCongestionControl::NEVER;
    };
    return traits;
}

/// Makes the algorithm known.
const DcnCongestionControl::Registration g_registration(MakeControl(),
                                                        MakeTraits(),
                                                        &DcnCongestionControl::Make<DcnDctcp>);

} // namespace

DcnDctcp::DcnDctcp(const DcnNetworkParameters& network, uint64_t maxRateBps, int64_t pathRttNs)
    : DcnReplayableControl(network, maxRateBps, pathRttNs)
{
}

void
DcnDctcp::OnAck(const DcnAckInfo& ack)
{
    m_marked += ack.congestionExperienced ? 1 : 0;
    const bool windowEnds = ack.acknowledged > m_windowEnd;
    if (windowEnds)
    {
        if (m_windowEnd == 0)
        {
            // the first window is the data in flight at the first acknowledgement
            m_windowPackets = ack.sndNxt / m_network.payloadBytes + 1;
        }
        else
        {
            const double fraction =
                std::min(1.0, static_cast<double>(m_marked) / static_cast<double>(m_windowPackets));
            const double g = m_network.Get(GAIN);
            m_alpha = (1 - g) * m_alpha + g * fraction; // (1)
            NS_LOG_LOGIC("alpha is " << m_alpha << ": " << m_marked << " of " << m_windowPackets
                                     << " packets of the window were marked");
            m_marked = 0;
            m_windowPackets = (ack.sndNxt - ack.acknowledged) / m_network.payloadBytes + 1;
        }
        m_windowEnd = ack.sndNxt;
    }
    if (m_hasCut && ack.acknowledged > m_cutEnd)
    {
        m_hasCut = false;
    }
    if (ack.congestionExperienced && !m_hasCut)
    {
        m_rate = Clamp(Scale(m_rate, 1 - m_alpha / 2)); // (2)
        NS_LOG_LOGIC("a mark cuts the rate to " << m_rate << " bit/s, alpha is " << m_alpha);
        m_hasCut = true;
        m_cutEnd = ack.sndNxt;
    }
    if (windowEnds && !m_hasCut)
    {
        m_rate = Raise(m_rate, m_network.Get(INCREASE));
        NS_LOG_LOGIC("a window without a cut raises the rate to " << m_rate << " bit/s");
    }
}

void
DcnDctcp::OnGoBack(uint64_t sndNxt, int64_t /* nowNs */)
{
    m_windowEnd = std::min(m_windowEnd, sndNxt);
    m_cutEnd = std::min(m_cutEnd, sndNxt);
}

DcnCongestionControl::State
DcnDctcp::GetState() const
{
    return {{"alpha", m_alpha}};
}

void
DcnDctcp::ExchangeState(DcnStateBytes& state)
{
    DcnReplayableControl::ExchangeState(state);
    state.Exchange(m_alpha);
    state.Exchange(m_marked);
    state.Exchange(m_windowPackets);
    state.Exchange(m_windowEnd);
    state.Exchange(m_hasCut);
    state.Exchange(m_cutEnd);
}

bool
DcnDctcp::Translate(const DcnTranslation& by)
{
    if (by.isUnmarked && m_windowPackets > 0)
    {
        const double windows = static_cast<double>(by.bytes) /
                               static_cast<double>(m_windowPackets * m_network.payloadBytes);
        m_alpha *= std::pow(1 - m_network.Get(GAIN), windows); // (1), F = 0
    }
    m_windowEnd += m_windowEnd > 0 ? by.bytes : 0; // 0: there was no acknowledgement
    m_cutEnd += by.bytes;
    return true;
}

} // namespace ns3

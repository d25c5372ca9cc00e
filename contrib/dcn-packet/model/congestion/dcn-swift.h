/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef DCN_SWIFT_H
#define DCN_SWIFT_H

#include "dcn-replayable-control.h"

#include <cstdint>

namespace ns3
{

/**
 * @ingroup dcn-packet
 * @brief Swift (Kumar et al., SIGCOMM 2020, algorithm 1): window from the round-trip time and a
 * target for it.
 *
 * **Problem.** Keep the delay of a network near a target, by a window per flow that may be less
 * than a packet, so that thousands of flows into one host do not overflow its switch.
 *
 * **Symbols.** w: window [packets]; d: round-trip time of a packet, from the start of its
 * transmission [ns]; t: target for it [ns]; ai: additive increase [packets per round trip]; beta:
 * strength of a decrease; m: largest decrease; n: packets that an acknowledgement adds.
 *
 * **Rule** (section 3.2). At each acknowledgement,
 *
 *     d < t, w >= 1:  w <- w + ai n / w
 *     d < t, w <  1:  w <- w + ai n
 *     d >= t:         w <- w max(1 - beta (d - t) / d, 1 - m),   if d has passed since the last
 *                                                                decrease
 *
 * and when packets are lost w <- w (1 - m), with the same condition.
 *
 * **Target** (section 3.5). With T the round-trip time of the flow's empty path, base the queueing
 * that is wanted, and flow scaling between windows w_min and w_max,
 *
 *     t = T + base + max(0, min(range, alpha / sqrt(w) + gamma))
 *     alpha = range / (1 / sqrt(w_min) - 1 / sqrt(w_max)),   gamma = -alpha / sqrt(w_max)
 *
 * N flows that share a link have windows proportional to 1 / N, and queues that vary as sqrt(N)
 * (section 3.5): so does the target. It also makes flows fair: of two flows that see the same d
 * the larger one has the lower target. The paper estimates T by a constant and a time per hop; here
 * each flow knows it.
 *
 * **As a rate.** W, the window at the largest rate Rmax, is `window_bytes`, or the bandwidth-delay
 * product Rmax T if that is 0. The flow has R = Rmax w M / W, with packets of M bytes: at most w
 * packets are in flight, paced at one packet per W / (Rmax w); this is the pacing by T / w that
 * the paper has for w < 1. w is at most W / M, as a longer one would have no effect.
 *
 * **Not modelled.** Delays of hosts are 0, so there is one window, that of the fabric. The engine's
 * retransmission timeouts in a row double instead of leading to the smallest window.
 */
class DcnSwift : public DcnReplayableControl
{
  public:
    /**
     * @param network the configuration, which outlives this object
     * @param maxRateBps the flow's largest rate [bit/s]
     * @param pathRttNs T [ns]
     */
    DcnSwift(const DcnNetworkParameters& network, uint64_t maxRateBps, int64_t pathRttNs);
    void OnAck(const DcnAckInfo& ack) override;
    void OnGoBack(uint64_t sndNxt, int64_t nowNs) override;
    void ExchangeState(DcnStateBytes& state) override;
    State GetState() const override;
    bool Translate(const DcnTranslation& by) override;

    /** @return w [packets]. */
    double GetWindow() const
    {
        return m_window;
    }

    /** @return t, at the present window [ns]. */
    double GetTargetNs() const;

  private:
    void Cut(double factor);
    void FollowWindow();

    const double m_emptyTargetNs; //!< T + base [ns]
    const double m_rangeNs;       //!< range [ns]
    const double m_scaleNs;       //!< alpha [ns]
    const double m_offsetNs;      //!< gamma [ns]
    const double m_increase;      //!< ai
    const double m_beta;          //!< beta
    const double m_maxCut;        //!< m
    const double m_payloadBytes;  //!< M
    double m_mostPackets;         //!< W / M
    double m_window;              //!< w
    uint64_t m_acknowledged{0};   //!< bytes acknowledged so far
    int64_t m_nowNs{0};           //!< when the latest acknowledgement came [ns]
    double m_rttNs{0};            //!< its d [ns]
    int64_t m_lastCutNs{NEVER};   //!< time of the latest decrease [ns]; NEVER: none
};

} // namespace ns3

#endif /* DCN_SWIFT_H */

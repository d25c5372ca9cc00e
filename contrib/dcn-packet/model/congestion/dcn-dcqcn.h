/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef DCN_DCQCN_H
#define DCN_DCQCN_H

#include "dcn-replayable-control.h"

#include <cstdint>

namespace ns3
{

/**
 * @ingroup dcn-packet
 * @brief DCQCN (Zhu et al., SIGCOMM 2015, section 3.1, reaction point).
 *
 * R is the rate, Rt the target of its recovery, alpha an estimate of congestion, 1 at first. A mark
 * echoed in an acknowledgement stands for a congestion notification.
 *
 * **At once** (dcqcn_at_once = 1), as in the paper. The receiver of the paper notifies of marks at
 * most once per N = 50 us and flow; here a mark counts as a notification if the latest one that did
 * is at least the decrease period ago. A notification changes at once
 *
 *     Rt <- R,   R <- R (1 - alpha / 2),   alpha <- (1 - g) alpha + g,                   (1)
 *
 * and starts the alpha timer, the increase timer and the byte counter anew, with stage 0. When an
 * alpha period has passed without a notification
 *
 *     alpha <- (1 - g) alpha.                                                            (2)
 *
 * Without dcqcn_clamp_target_rate, Rt keeps its value in (1) if no increase came since the last
 * notification.
 *
 * **By timers** (dcqcn_at_once = 0), as in the reference simulator. The alpha timer and the
 * decrease timer run from the first mark until the flow ends, the increase timer from the first
 * decrease:
 *
 * - alpha, every alpha period: alpha <- (1 - g) alpha + g [a mark came since the last time]; the
 *   first mark of the flow does not count
 * - decrease, every decrease period, if a mark came since the last time: the target Rt becomes the
 *   rate R (unless no increase came since the last decrease and the target is not clamped),
 *   R <- R (1 - alpha / 2), and the increase timer starts anew with stage 0
 *
 * The first decrease thus comes one decrease period after the first mark.
 *
 * **Increase** (both), every increase period: with F fast recovery stages and n the increases since
 * the last decrease, Rt is left alone while n < F, rises by the additive step at n = F and by the
 * hyper step later; then
 *
 *     R <- (R + Rt) / 2.                                                                 (3)
 *
 * With the paper's byte counter, increases also come every B acknowledged bytes after the first
 * decrease. The timer's and the counter's stages T and C are then counted apart: recovery while
 * max(T, C) < F, hyper increase when min(T, C) >= F, additive increase in between.
 */
class DcnDcqcn : public DcnReplayableControl
{
  public:
    /** @copydoc DcnCongestionControl::DcnCongestionControl */
    DcnDcqcn(const DcnNetworkParameters& network, uint64_t maxRateBps, int64_t pathRttNs);
    void OnAck(const DcnAckInfo& ack) override;
    void ExchangeState(DcnStateBytes& state) override;
    State GetState() const override;
    bool Translate(const DcnTranslation& by) override;
    void OnTimer(int64_t nowNs) override;
    int64_t GetNextTimerNs() const override;

  private:
    void Notify(int64_t nowNs);
    void UpdateAlpha();
    void Decrease(int64_t nowNs);
    void Increase(uint32_t& stage);

    uint64_t m_targetRate;          //!< Rt [bit/s]
    double m_alpha{1};              //!< estimate of congestion
    uint32_t m_timerStage{0};       //!< increases by the timer since the last decrease
    uint32_t m_byteStage{0};        //!< increases by the byte counter since the last decrease
    uint64_t m_nextByteIncrease{0}; //!< acknowledged byte at which the counter increases
    uint64_t m_acknowledged{0};     //!< latest acknowledged byte
    bool m_hasMark{false};          //!< a mark has ever come
    bool m_markForAlpha{false};     //!< a mark came since the last alpha update
    bool m_markForDecrease{false};  //!< a mark came since the last decrease check
    int64_t m_alphaAtNs{NEVER};     //!< next alpha update
    int64_t m_decreaseAtNs{NEVER};  //!< next decrease check; at once: no cut before
    int64_t m_increaseAtNs{NEVER};  //!< next increase
};

} // namespace ns3

#endif /* DCN_DCQCN_H */

/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef DCN_DCQCN_H
#define DCN_DCQCN_H

#include "dcn-congestion-control.h"

namespace ns3
{

/**
 * @ingroup dcn-packet
 * @brief DCQCN (Zhu et al., SIGCOMM 2015, section 3.1, reaction point) driven by timers.
 *
 * A mark echoed in an acknowledgement stands for a congestion notification. From the first one on
 * three timers run until the flow ends:
 *
 * - alpha, every alpha period: alpha <- (1 - g) alpha + g [a mark came since the last time]
 * - decrease, every decrease period, if a mark came since the last time: the target Rt becomes the
 *   rate R (unless no increase came since the last decrease and the target is not clamped),
 *   R <- R (1 - alpha / 2), and the increase timer starts anew with stage 0
 * - increase, every increase period: with F fast recovery stages, Rt is left alone in stages below
 *   F, rises by the additive step in stage F and by the hyper step later; then R <- (R + Rt) / 2
 *
 * The first decrease thus comes one decrease period after the first mark.
 */
class DcnDcqcn : public DcnCongestionControl
{
  public:
    /** @copydoc DcnCongestionControl::DcnCongestionControl */
    DcnDcqcn(const DcnNetworkParameters& network, uint64_t maxRateBps);
    void OnAck(const DcnAckInfo& ack) override;
    void OnTimer(int64_t nowNs) override;
    int64_t GetNextTimerNs() const override;

  private:
    void UpdateAlpha();
    void Decrease(int64_t nowNs);
    void Increase();

    uint64_t m_targetRate;          //!< Rt [bit/s]
    double m_alpha{1};              //!< estimate of congestion
    uint32_t m_stage{0};            //!< increases since the last decrease
    bool m_hasMark{false};          //!< a mark has ever come
    bool m_markForAlpha{false};     //!< a mark came since the last alpha update
    bool m_markForDecrease{false};  //!< a mark came since the last decrease check
    int64_t m_alphaAtNs{NEVER};     //!< next alpha update
    int64_t m_decreaseAtNs{NEVER};  //!< next decrease check
    int64_t m_increaseAtNs{NEVER};  //!< next increase
};

} // namespace ns3

#endif /* DCN_DCQCN_H */

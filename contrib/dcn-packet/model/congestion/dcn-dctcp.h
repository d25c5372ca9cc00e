/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef DCN_DCTCP_H
#define DCN_DCTCP_H

#include "dcn-replayable-control.h"

#include <cstdint>

namespace ns3
{

/**
 * @ingroup dcn-packet
 * @brief DCTCP (Alizadeh et al., SIGCOMM 2010, section 3.3) as a rate algorithm.
 *
 * Switches mark above a queue of K bytes. Once per window of data the sender updates the average
 * of the fraction F of marked packets,
 *
 *     alpha <- (1 - g) alpha + g F,                                  (1)
 *
 * and on the first mark of a window cuts once:
 *
 *     R <- R (1 - alpha / 2).                                        (2)
 *
 * In a window without a cut the rate rises by the additive increase. Differences from TCP: the
 * rate, not a window, is changed (the window follows it), there is no slow start, alpha starts at
 * 1, and the window after a cut has no increase.
 */
class DcnDctcp : public DcnReplayableControl
{
  public:
    /** @copydoc DcnCongestionControl::DcnCongestionControl */
    DcnDctcp(const DcnNetworkParameters& network, uint64_t maxRateBps, int64_t pathRttNs);
    void OnAck(const DcnAckInfo& ack) override;
    void ExchangeState(DcnStateBytes& state) override;
    State GetState() const override;
    bool Translate(const DcnTranslation& by) override;
    void OnGoBack(uint64_t sndNxt, int64_t nowNs) override;

  private:
    double m_alpha{1};         //!< average of the marked fraction
    uint64_t m_marked{0};      //!< marked packets of this window
    uint64_t m_windowPackets{0}; //!< packets of this window
    uint64_t m_windowEnd{0};   //!< the window ends when this byte is acknowledged; 0: none yet
    bool m_hasCut{false};      //!< the rate was cut and the bytes then in flight are still out
    uint64_t m_cutEnd{0};      //!< next byte to send at the time of the cut
};

} // namespace ns3

#endif /* DCN_DCTCP_H */

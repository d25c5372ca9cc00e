/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef DCN_TIMELY_H
#define DCN_TIMELY_H

#include "dcn-replayable-control.h"

#include <cstdint>

namespace ns3
{

/**
 * @ingroup dcn-packet
 * @brief TIMELY (Mittal et al., SIGCOMM 2015, algorithm 1): rate from round-trip time gradients.
 *
 * Once per round trip, with the round-trip time rtt of the packet just acknowledged,
 *
 *     diff     <- (1 - a) diff + a (rtt - previous rtt)
 *     gradient  = diff / minimum rtt
 *     rtt < Tlow:           R <- R + step
 *     rtt > Thigh:          R <- R (1 - beta (1 - Thigh / rtt))
 *     gradient <= 0:        R <- R + step
 *     else:                 R <- R (1 - beta gradient)
 *
 * The step is the additive one for five increases in a row, the hyper one afterwards. The
 * round-trip time runs from the start of the packet's transmission; the minimum is a parameter.
 */
class DcnTimely : public DcnReplayableControl
{
  public:
    /**
     * @param network the configuration, which outlives this object
     * @param maxRateBps the flow's largest rate [bit/s]
     * @param pathRttNs round-trip time of the flow's empty path, used if `timely_min_rtt_ns` is 0 [ns]
     */
    DcnTimely(const DcnNetworkParameters& network, uint64_t maxRateBps, int64_t pathRttNs);
    void OnAck(const DcnAckInfo& ack) override;
    void ExchangeState(DcnStateBytes& state) override;
    State GetState() const override;
    bool Translate(const DcnTranslation& by) override;
    void OnGoBack(uint64_t sndNxt, int64_t nowNs) override;

  private:
    void UpdateRate(double rttNs);
    void Increase();

    const double m_minRttNs; //!< normalises the gradient [ns]
    bool m_hasRtt{false};    //!< an acknowledgement has come
    uint64_t m_roundEnd{0};  //!< the round trip ends when this byte is acknowledged
    double m_lastRttNs{0};   //!< round-trip time of the previous update [ns]
    double m_rttDiffNs{0};   //!< average difference of successive round-trip times [ns]
    uint32_t m_increases{0}; //!< increases in a row
};

} // namespace ns3

#endif /* DCN_TIMELY_H */

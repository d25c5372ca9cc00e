/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef DCN_HPCC_H
#define DCN_HPCC_H

#include "dcn-telemetry-control.h"

#include <cstdint>

namespace ns3
{

/**
 * @ingroup dcn-packet
 * @brief HPCC (Li et al., SIGCOMM 2019, algorithm 1): rate from the utilisation that switches
 * report.
 *
 * With T the base round-trip time, W0 the window at the maximum rate Rmax, and for each hop the
 * port rate C, the time tau and the bytes sent between two reports, and queue lengths q,
 *
 *     u_hop = txRate / C + min(q, previous q) Rmax / (C W0)
 *     u    <- (u (T - tau) + U tau) / T,   U = the largest u_hop, tau its time, at most T
 *     R     = Rc / (u / eta) + additive increase            (multiplicative)
 *     R     = Rc + additive increase                        (up to the threshold, while u < eta)
 *
 * with an additive increase of hpcc_additive_increase_bps, or of 8 W_AI / T for W_AI =
 * hpcc_additive_increase_bytes. Rc, the reference rate, is set to R once per round trip; with fast
 * reaction R follows every acknowledgement. T is base_rtt_ns, or the path's round-trip time if that
 * is 0. W0 is the flow's window (window_bytes, window_bdp) if base_rtt_ns is set and there is a
 * window; else it is the bandwidth-delay product Rmax T.
 *
 * In the paper the sender has a window W = R T of bytes in flight beside its pace R. The substrate
 * keeps it, in proportion to R, where the configuration has a window: with window_bdp = 1, as in
 * the preset `paper`, it is R T, too.
 */
class DcnHpcc : public DcnTelemetryControl
{
  public:
    /**
     * @param network the configuration, which outlives this object
     * @param maxRateBps the flow's largest rate [bit/s]
     * @param pathRttNs round-trip time of the flow's empty path, used if `base_rtt_ns` is 0 [ns]
     */
    DcnHpcc(const DcnNetworkParameters& network, uint64_t maxRateBps, int64_t pathRttNs);
    void OnAck(const DcnAckInfo& ack) override;
    void ExchangeState(DcnStateBytes& state) override;
    State GetState() const override;

  private:
    void UpdateUtilisation(const DcnTelemetry& telemetry);

    const double m_referenceWindow; //!< W0 [bytes]
    const uint64_t m_additiveStep; //!< additive increase [bit/s]
    uint64_t m_referenceRate;   //!< Rc [bit/s]
    double m_utilisation{1};    //!< u
    uint32_t m_additiveSteps{0}; //!< additive updates of Rc in a row
};

} // namespace ns3

#endif /* DCN_HPCC_H */

/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef DCN_POWERTCP_H
#define DCN_POWERTCP_H

#include "dcn-telemetry-control.h"

#include <cstdint>

namespace ns3
{

/**
 * @ingroup dcn-packet
 * @brief PowerTCP (Addanki et al., NSDI 2022, algorithm 1): window from the power that switches
 * report.
 *
 * **Problem.** DCTCP and Swift react to the length of a queue, TIMELY to its growth. Either alone
 * is ambiguous: a long queue may be about to drain, and a short one about to overflow (section 2).
 * Find a window from both that leaves a link full, with a small known queue, one round trip after
 * any change.
 *
 * **Symbols.** tau: base round-trip time [s]. b: rate of a port [byte/s], q: its queue [byte], mu:
 * rate at which it sends [byte/s]. w: window of the flow [byte], w = R tau with its rate R; W0 =
 * Rmax tau. N: flows for which the additive increase is made. gamma: weight of the new window.
 *
 * **Power** (section 3). Current lambda, the rate at which data arrives, and voltage nu, the data
 * that a full pipe and the queue hold, have a product, the power, which is b^2 tau where the pipe
 * is full and the queue is empty. From two reports of a hop, dt apart,
 *
 *     lambda = (q - previous q) / dt + mu,     mu = bytes sent between the reports / dt
 *     nu     = q + b tau
 *     P_hop  = lambda nu / (b^2 tau)
 *     P     <- (P (tau - dt) + dt max P_hop) / tau,     dt of that hop, at most tau
 *
 * **Window** (section 3). With w_old the window when the acknowledged packet was sent, known once
 * a round trip,
 *
 *     w <- gamma (w_old / P + beta) + (1 - gamma) w,     beta = W0 / N
 *
 * **Equilibrium** (section 3). Flows with windows w_i share a port which sends at b: lambda = b,
 * nu = sum w_i, so w_i = w_i b tau / sum w + beta; summed, the queue is q = sum beta, and all
 * windows are equal. When n flows at rate b begin together, lambda = n b, and the first window is
 * about w / n: nothing has to be found out by trial.
 *
 * tau is `base_rtt_ns`, or the round-trip time of the flow's empty path if that is 0. Without
 * `window_bytes` the sender has W0 bytes in flight at most. Every acknowledgement updates the
 * window. Windows are kept as rates R = w / tau, limited to [Rmin, Rmax].
 */
class DcnPowerTcp : public DcnTelemetryControl
{
  public:
    /**
     * @param network the configuration, which outlives this object
     * @param maxRateBps the flow's largest rate [bit/s]
     * @param pathRttNs round-trip time of the flow's empty path, used if `base_rtt_ns` is 0 [ns]
     */
    DcnPowerTcp(const DcnNetworkParameters& network, uint64_t maxRateBps, int64_t pathRttNs);
    void OnAck(const DcnAckInfo& ack) override;
    void ExchangeState(DcnStateBytes& state) override;
    State GetState() const override;

  private:
    void UpdatePower(const DcnTelemetry& telemetry);

    const double m_gamma;       //!< weight of the new window
    const double m_stepBps;     //!< beta / tau [bit/s]
    uint64_t m_oldRate;         //!< w_old / tau [bit/s]
    double m_power{1};          //!< P
};

} // namespace ns3

#endif /* DCN_POWERTCP_H */

/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef MQL_ESTIMATOR_H
#define MQL_ESTIMATOR_H

#include "ns3/dcn-estimator.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ns3
{

class MqlSolution;
struct MqlPathTraffic;

/**
 * @ingroup mql
 * @brief Method "mql": completion times from an open queueing network (MqlNetwork).
 *
 * MQL models packet latency under given rates. Completion times of transfers under congestion
 * control are outside of it; this method derives them from its queues. A transfer i of n packets
 * sends X = min(n, window) of them without feedback: these are the bursts of an open network
 * (MqlPathTraffic), and W_q the waiting times in it. The rest, L_i bytes, is clocked by
 * acknowledgements: such transfers share links. With B_i and L_i / r the times that all of it and
 * its rest take at its slowest link, of rate r,
 *
 *     FCT_i = ideal + sum_{q > first} (W_q + Q_q) + B_i x_first + L_i / r sum_{q > first} d_q
 *
 * - x_q: mean number of other transfers that share q. Processor sharing with m = max(1,
 *   round(R_q / r)) places has x = C(m, m rho) / (m (1 - rho)), C Erlang's probability of waiting
 *   (rho / (1 - rho) for m = 1), at any distribution of sizes, rho by the rests of the others. A
 *   list of transfers is finite: no more than N share, N = (sum L)^2 / sum L^2, so that
 *   x_q = 1 / (1 / x + 1 / N), which also answers rho >= 1;
 * - d_q = max(0, x_q - x_up(q)): sharers that the upstream link has not slowed down already;
 * - Q_q: queue that competing windows keep: min(threshold, d_q min(1, rho) window) / R_q, the
 *   threshold that of the congestion control (ECN's Kmin; TIMELY's low delay; none for HPCC).
 *
 * Not modelled (the provenance lists it): reactions of the congestion control (ECN, delay,
 * telemetry), PFC, retransmissions, and any change of load over time: rates are averages over the
 * scenario. Where the learned correction counts for nothing at any hop, the answer is that of
 * Correction=none, under that name (DcnEstimate::answeredBy). Mean completion times are in fctNs;
 * samples hold one draw per transfer from the distribution of its delay (gamma with the model's
 * variance), for percentiles of slowdown.
 */
class MqlEstimator : public DcnEstimator
{
  public:
    /**
     * @brief Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();
    std::string GetName() const override;
    std::vector<std::string> GetInputFiles() const override;

  private:
    void DoEstimate(Ptr<const DcnScenario> scenario, DcnEstimate& estimate) override;
    std::string Describe(const DcnScenario& scenario,
                         const MqlPathTraffic& traffic,
                         const MqlSolution& solution) const;

    std::string m_formula;    //!< attribute
    std::string m_correction; //!< attribute
    uint32_t m_bufferPackets; //!< attribute
};

} // namespace ns3

#endif /* MQL_ESTIMATOR_H */

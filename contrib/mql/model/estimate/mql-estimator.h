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

class MqlCorrection;
class MqlSolution;
enum class MqlFormula : uint8_t;
struct MqlPathTraffic;

/**
 * @ingroup mql
 * @brief Method "mql": completion times from an open queueing network (MqlNetwork).
 *
 * MQL models packet latency at given rates. It does not include completion times of transfers under
 * congestion control; this method derives them from its queues. A transfer i of n packets sends
 * X = min(n, window) of them without feedback: these bursts make an open network (MqlPathTraffic)
 * with waiting times W_q. The rest, L_i bytes, is clocked by acknowledgements: such transfers share
 * links. With B_i and L_i / r the times of the whole transfer and of its rest at its slowest link,
 * of rate r,
 *
 *     FCT_i = ideal + sum_{q > first} (W_q + Q_q) + B_i x_first + L_i / r sum_{q > first} d_q
 *
 * - x_q: mean number of other transfers that share q. Processor sharing with m = max(1,
 *   round(R_q / r)) places has x = C(m, m rho) / (m (1 - rho)), C Erlang's probability of waiting
 *   (rho / (1 - rho) for m = 1), for any distribution of sizes, with rho by the rest of the other
 *   transfers. A list of transfers is finite: at most N = (sum L)^2 / sum L^2 share, so that
 *   x_q = 1 / (1 / x + 1 / N), which also covers rho >= 1;
 * - d_q = max(0, x_q - x_up(q)): sharers not yet slowed down by the upstream link;
 * - Q_q: queue maintained by competing windows: min(threshold, d_q min(1, rho) window) / R_q, with
 * the threshold of the congestion control (ECN's Kmin; TIMELY's low delay; none for HPCC).
 *
 * Not modelled (and listed in the provenance): reactions of the congestion control (ECN, delay,
 * telemetry), PFC, retransmissions, and changes of load over time: rates are averages over the
 * scenario. If the learned correction has no effect at any hop, the answer is that of
 * Correction=none, under that name (DcnEstimate::answeredBy). fctNs are mean completion times;
 * samples contain one draw per transfer from the distribution of its delay (gamma with the model's
 * variance), for percentiles of the slowdown.
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
    bool TakesMergedLinks() const override;

  private:
    void DoEstimate(Ptr<const DcnScenario> scenario, DcnEstimate& estimate) override;
    std::string Describe(const DcnScenario& scenario,
                         const MqlPathTraffic& traffic,
                         const MqlSolution& solution) const;
    /// Says what the correction counts for: nHops hops, at which its weights have the sum allTrust.
    void SetProvenance(MqlFormula formula,
                       const MqlCorrection* correction,
                       uint64_t nHops,
                       double allTrust,
                       DcnEstimate& estimate) const;

    std::string m_formula;    //!< attribute
    std::string m_correction; //!< attribute
    uint32_t m_bufferPackets; //!< attribute
};

} // namespace ns3

#endif /* MQL_ESTIMATOR_H */

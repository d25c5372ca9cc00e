/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef CCEVAL_PHASES_H
#define CCEVAL_PHASES_H

#include "ns3/dcn-flow.h"

#include <array>
#include <cstdint>
#include <vector>

namespace ns3
{

/**
 * @ingroup cceval
 * @brief The three phases of a trial (CCEval, section 6.4, Figure 13), in which the number of
 * active flows rises from zero, varies, and falls to zero.
 */
enum class CcevalPhase : uint8_t
{
    WARM_UP,  //!< the flow started before the warm-up was over
    STABLE,   //!< all other flows
    COOL_DOWN //!< the flow started after the warm-up and ended after the last start
};

/**
 * @ingroup cceval
 * @brief Assigns the flows of a trial to its phases.
 *
 * The paper gives no rule; this module defines one. With A(t) active flows at time t and T the last
 * start, the warm-up ends at the first time at which A reaches its average over [0, T]; the
 * cool-down begins at T. Long flows end after T more often than short ones, so that a short trial
 * without its cool-down has too few of them: trimming is an option, not the default.
 */
class CcevalPhases
{
  public:
    /**
     * @param flows of the trial, ordered by start
     * @param fctNs their completion times [ns]; negative: active until the end
     */
    CcevalPhases(const std::vector<DcnFlow>& flows, const std::vector<int64_t>& fctNs);

    /**
     * @param flow flow index
     * @return its phase
     */
    CcevalPhase Get(std::size_t flow) const;

    /** @return share of the flows in each phase, in the order of CcevalPhase. */
    std::array<double, 3> GetShares() const;

    /** @return the end of the warm-up [ns]. */
    int64_t GetWarmUpEndNs() const;

  private:
    std::vector<CcevalPhase> m_phases; //!< by flow
    int64_t m_warmUpEndNs{0};          //!< see GetWarmUpEndNs
};

} // namespace ns3

#endif /* CCEVAL_PHASES_H */

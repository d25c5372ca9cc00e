/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef CCEVAL_SIMULATION_H
#define CCEVAL_SIMULATION_H

#include "ns3/dcn-scenario.h"

#include <cstdint>
#include <functional>
#include <vector>

namespace ns3
{

/**
 * @ingroup cceval
 * @brief A trial that a program has simulated by itself: flows with their completion times.
 */
struct CcevalOwnTrial
{
    Ptr<const DcnScenario> scenario; //!< the flows, such as DcnScenarioHelper has read them
    std::vector<int64_t> fctNs; //!< completion times by flow [ns]; DcnEstimate::UNFINISHED: the
                                //!< trial has failed
};

/**
 * @ingroup cceval
 * @brief Runs an ns-3 simulation for a seed. Each call is made in a process of its own, in which
 * nothing was simulated, so that simulations share nothing; RngSeedManager's run is the seed.
 * A DcnError is a failure of the trial.
 */
using CcevalSimulation = std::function<CcevalOwnTrial(uint64_t seed)>;

} // namespace ns3

#endif /* CCEVAL_SIMULATION_H */

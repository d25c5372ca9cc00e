/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef PARSIMON_ESTIMATOR_LINK_SIMULATOR_H
#define PARSIMON_ESTIMATOR_LINK_SIMULATOR_H

#include "parsimon-link-simulator.h"

#include <cstdint>
#include <string>

namespace ns3
{

/**
 * @ingroup parsimon
 * @brief Runs a method on the scenario of ParsimonMakeLinkScenario: "packet", the packet engine, or
 * "flowsim", a cheap alternative without queues, windows and marks.
 *
 * Not for several threads: the packet engine uses ns-3's only simulator, which it destroys after
 * each run (so call it outside of other simulations), and methods are ns-3 objects.
 */
class ParsimonEstimatorLinkSimulator : public ParsimonLinkSimulator
{
  public:
    /**
     * @param method name of a method (DcnEstimator::CreateByName)
     * @param network the configuration, which outlives this object
     * @param seed of the random ECN marks
     */
    ParsimonEstimatorLinkSimulator(const std::string& method,
                                   const DcnNetworkParameters& network,
                                   uint64_t seed);
    ParsimonLinkResult Simulate(const ParsimonLink& link) const override;
    bool IsThreadSafe() const override;
    std::string GetVersion() const override;
    /// @return digest of the method
    std::string GetDigest() const override;

  private:
    const std::string m_method;            //!< name of the method
    const DcnNetworkParameters& m_network; //!< the configuration
    const uint64_t m_seed;                 //!< of the random ECN marks
};

} // namespace ns3

#endif /* PARSIMON_ESTIMATOR_LINK_SIMULATOR_H */

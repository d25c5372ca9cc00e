/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef PARSIMON_PACKET_LINK_SIMULATOR_H
#define PARSIMON_PACKET_LINK_SIMULATOR_H

#include "parsimon-link-simulator.h"

#include <cstdint>

namespace ns3
{

/**
 * @ingroup parsimon
 * @brief The packet engine on the scenario of ParsimonMakeLinkScenario.
 *
 * It uses ns-3's one simulator, which it destroys after each run: call it outside of other
 * simulations, and from one thread. For the completion times with the interfaces alone, every flow
 * gets a target of its own.
 */
class ParsimonPacketLinkSimulator : public ParsimonLinkSimulator
{
  public:
    /**
     * @param network the configuration, which outlives this object
     * @param seed of the marks
     */
    ParsimonPacketLinkSimulator(const DcnNetworkParameters& network, uint64_t seed);
    ParsimonLinkResult Simulate(const ParsimonLink& link, bool withNic) const override;
    bool IsThreadSafe() const override;
    std::string GetVersion() const override;

  private:
    const DcnNetworkParameters& m_network; //!< the configuration
    uint64_t m_seed;                       //!< of the marks
};

} // namespace ns3

#endif /* PARSIMON_PACKET_LINK_SIMULATOR_H */

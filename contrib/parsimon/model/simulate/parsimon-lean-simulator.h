/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef PARSIMON_LEAN_SIMULATOR_H
#define PARSIMON_LEAN_SIMULATOR_H

#include "parsimon-lean-engine.h"
#include "parsimon-link-simulator.h"

#include <cstdint>
#include <memory>
#include <string>

namespace ns3
{

/**
 * @ingroup parsimon
 * @brief The link simulator "lean": the packet engine's model of one link, several times as
 * fast.
 *
 * Exact, by the rules and rounding of the packet engine on the topology of
 * ParsimonMakeLinkScenario: packets and their serialisation, round robin, pacing, window, the
 * target's queue, marks (DcnMarking), congestion control, telemetry of the
 * target, completion. ParsimonLeanEngine reduces the number of events; ParsimonLeanNic simulates
 * first-hop targets.
 *
 * Not exact:
 *
 * - events that the packet engine has in one nanosecond happen at their exact times here, so that
 *   they may have another order (not with time_grain_ns=1);
 * - a link behind the target delays packets, but does not mark them, and reports no queue to HPCC;
 *   its queue is negligible unless it is slower than the target;
 * - acknowledgements wait for each other on the way back; but if they come from destinations at
 *   different distances, one that overtakes others does not wait for them.
 *
 * The buffer is unlimited in any configuration: no packet is lost and no sender paused.
 */
class ParsimonLeanSimulator : public ParsimonLinkSimulator
{
  public:
    /**
     * @param network the configuration, which outlives this object
     * @param seed of the random ECN marks
     */
    ParsimonLeanSimulator(const DcnNetworkParameters& network, uint64_t seed);
    ParsimonLinkResult Simulate(const ParsimonLink& link) const override;
    ParsimonLinkResult Record(const ParsimonLink& link,
                              std::shared_ptr<const ParsimonLinkHistory>& history) const override;
    ParsimonLinkResult Repeat(const ParsimonLink& link,
                              const ParsimonLinkHistory& history) const override;
    bool IsThreadSafe() const override;
    bool CanPace() const override;
    std::string GetVersion() const override;
    /// @return digest of the packet engine, whose congestion controls it uses
    std::string GetDigest() const override;

  private:
    ParsimonLeanEngine::Options m_options; //!< options of all runs
};

} // namespace ns3

#endif /* PARSIMON_LEAN_SIMULATOR_H */

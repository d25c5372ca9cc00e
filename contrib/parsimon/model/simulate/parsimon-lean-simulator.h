/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef PARSIMON_LEAN_SIMULATOR_H
#define PARSIMON_LEAN_SIMULATOR_H

#include "parsimon-lean-engine.h"
#include "parsimon-link-simulator.h"

#include <cstdint>
#include <memory>

namespace ns3
{

/**
 * @ingroup parsimon
 * @brief Our own link simulator: the packet engine's model on one link, at a multiple of its speed.
 *
 * Exact, that is by the same rule and with the same rounding as the packet engine on the topology
 * of ParsimonMakeLinkScenario: packets and their serialisation, round robin, pacing, window, the
 * target's queue, marks (random ones from the same stream), congestion control, telemetry of the
 * target, completion. See ParsimonLeanEngine for how it gets by with few events, and
 * ParsimonLeanInterfaces for first-hop targets.
 *
 * Not exact:
 *
 * - what happens at the same nanosecond may happen in another order;
 * - a link behind the target holds packets up, but does not mark them, and reports no queue to
 *   HPCC; there is none to speak of unless the link is slower than the target;
 * - acknowledgements wait for each other on the way back, but if they come from destinations at
 *   different distances one that overtakes does not wait for those it overtook.
 *
 * The buffer has no bound, so nothing is lost and nobody is paused, whatever the configuration
 * says.
 */
class ParsimonLeanSimulator : public ParsimonLinkSimulator
{
  public:
    /**
     * @param network the configuration, which outlives this object
     * @param seed of the marks
     */
    ParsimonLeanSimulator(const DcnNetworkParameters& network, uint64_t seed);
    ParsimonLinkResult Simulate(const ParsimonLink& link, bool withNic) const override;
    ParsimonLinkResult Record(const ParsimonLink& link,
                              std::shared_ptr<const ParsimonLinkHistory>& history) const override;
    ParsimonLinkResult Repeat(const ParsimonLink& link,
                              const ParsimonLinkHistory& history) const override;
    bool IsThreadSafe() const override;
    std::string GetVersion() const override;

  private:
    /// What the engine wants to know.
    ParsimonLeanEngine::Options GetOptions(bool contention) const;
    /// All packets; without contention every flow has the target for itself.
    std::vector<int64_t> SharePackets(const ParsimonLink& link, bool contention) const;
    /// The same without contention, by ParsimonLeanInterfaces as far as that goes.
    std::vector<int64_t> ShareInterfaces(const ParsimonLink& link) const;

    const DcnNetworkParameters& m_network; //!< the configuration
    int64_t m_markingStream;               //!< random stream of the marks
    uint32_t m_rngSeed;                    //!< ns-3's seed now
    uint64_t m_rngRun;                     //!< ns-3's run now
};

} // namespace ns3

#endif /* PARSIMON_LEAN_SIMULATOR_H */

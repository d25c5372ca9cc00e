/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef PARSIMON_LINK_SIMULATOR_H
#define PARSIMON_LINK_SIMULATOR_H

#include "ns3/dcn-network-config.h"
#include "ns3/parsimon-link.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup parsimon
 * @brief Recording of a link simulation, for simulations of similar input.
 */
class ParsimonLinkHistory
{
  public:
    virtual ~ParsimonLinkHistory() = default;
};

/**
 * @ingroup parsimon
 * @brief Simulates the topology of one target link.
 *
 * A simulator registers itself under a name, in its own source file:
 *
 *     const ParsimonLinkSimulator::Registration g_mine("mine", [](const auto& network, uint64_t) {
 *         return std::make_unique<MyLinkSimulator>(network);
 *     });
 */
class ParsimonLinkSimulator
{
  public:
    /// Makes a simulator for a configuration, which outlives it, and a seed of the marks.
    using Maker = std::function<std::unique_ptr<ParsimonLinkSimulator>(const DcnNetworkParameters&,
                                                                       uint64_t)>;

    /// Registers a simulator for Create at program start.
    struct Registration
    {
        /**
         * @param name for Create, used once
         * @param maker makes a simulator
         */
        Registration(const std::string& name, const Maker& maker);
    };

    /**
     * @param name of a registered simulator: lean, packet, flowsim or minim; doc/parsimon.rst
     * @param network the configuration, which outlives the simulator
     * @param seed of random decisions (ECN marking)
     * @return a simulator
     * @throws DcnError if none has that name, or the simulator does not support the configuration
     */
    static std::unique_ptr<ParsimonLinkSimulator> Create(const std::string& name,
                                                         const DcnNetworkParameters& network,
                                                         uint64_t seed);

    virtual ~ParsimonLinkSimulator() = default;

    /**
     * @brief Simulate until every flow has finished.
     * @param link the topology and its flows; at least one flow
     * @return completion times; equal input gives equal times, in any order of simulations
     */
    virtual ParsimonLinkResult Simulate(const ParsimonLink& link) const = 0;

    /**
     * @brief Simulate, and record states that reduce the cost of simulations of similar input.
     * @param link the topology and its flows; at least one flow
     * @param history set to the recording, null if there is none
     * @return completion times as of Simulate
     */
    virtual ParsimonLinkResult Record(const ParsimonLink& link,
                                      std::shared_ptr<const ParsimonLinkHistory>& history) const;

    /**
     * @brief Simulate with the help of a recording of similar input.
     * @param link the topology and its flows; at least one flow
     * @param history of a simulator of the same kind, configuration and seed
     * @return completion times as of Simulate
     */
    virtual ParsimonLinkResult Repeat(const ParsimonLink& link,
                                      const ParsimonLinkHistory& history) const;

    /** @return whether several threads may call Simulate at a time; else use processes. */
    virtual bool IsThreadSafe() const = 0;

    /** @return whether it paces flows at ParsimonLinkFlow::paceBps; false by default. */
    virtual bool CanPace() const;

    /** @return name and version of the rules; part of the key of stored results. */
    virtual std::string GetVersion() const = 0;

    /**
     * @return digest of the code outside this class that determines its results
     * (DcnEstimator::GetDigest), part of the key of results stored in a file; empty by default
     */
    virtual std::string GetDigest() const;
};

} // namespace ns3

#endif /* PARSIMON_LINK_SIMULATOR_H */

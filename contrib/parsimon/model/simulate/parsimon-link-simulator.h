/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef PARSIMON_LINK_SIMULATOR_H
#define PARSIMON_LINK_SIMULATOR_H

#include "ns3/parsimon-link.h"

#include "ns3/dcn-network-config.h"

#include <memory>
#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup parsimon
 * @brief What a simulator remembers of a simulation, for others of nearly the same input.
 */
class ParsimonLinkHistory
{
  public:
    virtual ~ParsimonLinkHistory() = default;
};

/**
 * @ingroup parsimon
 * @brief Simulates the topology of one target link.
 */
class ParsimonLinkSimulator
{
  public:
    /**
     * @param name "lean", "minim" (the lean one with the published link simulator's rules),
     * "packet" or "flowsim"
     * @param network the configuration, which outlives the simulator
     * @param seed of what is random (ECN marking)
     * @return a simulator
     * @throws DcnError if there is none of that name, or the configuration is outside what it can
     * do
     */
    static std::unique_ptr<ParsimonLinkSimulator> Create(const std::string& name,
                                                         const DcnNetworkParameters& network,
                                                         uint64_t seed);

    /** @return the names that Create knows. */
    static std::vector<std::string> GetNames();

    virtual ~ParsimonLinkSimulator() = default;

    /**
     * @brief Simulate until every flow has finished.
     * @param link the topology and its flows; at least one flow
     * @param withNic whether ParsimonLinkResult::nicNs is asked for
     * @return the outcome; the same for the same input, in whatever order links are simulated
     */
    virtual ParsimonLinkResult Simulate(const ParsimonLink& link, bool withNic) const = 0;

    /**
     * @brief Simulate, and remember what may make it cheap to simulate nearly the same input.
     * @param link the topology and its flows; at least one flow
     * @param history set to what has been remembered, null if that is nothing
     * @return what Simulate returns without nicNs
     */
    virtual ParsimonLinkResult Record(const ParsimonLink& link,
                                      std::shared_ptr<const ParsimonLinkHistory>& history) const;

    /**
     * @brief Simulate with the help of what has been remembered of nearly the same input.
     * @param link the topology and its flows; at least one flow
     * @param history of a simulator of the same kind, configuration and seed
     * @return what Simulate returns without nicNs
     */
    virtual ParsimonLinkResult Repeat(const ParsimonLink& link,
                                      const ParsimonLinkHistory& history) const;

    /** @return whether Simulate may be called by several threads at a time; else use processes. */
    virtual bool IsThreadSafe() const = 0;

    /** @return name and version of the rules; part of the key under which results are kept. */
    virtual std::string GetVersion() const = 0;
};

} // namespace ns3

#endif /* PARSIMON_LINK_SIMULATOR_H */

/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef MQL_TRUTH_ENGINE_H
#define MQL_TRUTH_ENGINE_H

#include "mql-truth-recorder.h"

#include "ns3/dcn-collector.h"

#include <string>

namespace ns3
{

/**
 * @ingroup mql
 * @brief A DcnCollector beside the recorder, for engines with devices (engine=ns3): it has the
 * occupancy of queues over time, the recorder has waits by (queue, flow) and round trips.
 */
struct MqlTruthWatch
{
    Ptr<DcnCollector> collector; //!< watches all devices, named by their links; null: none
    std::string folder;          //!< gets its files at the end of the simulation
};

/**
 * @ingroup mql
 * @brief Registers a simulator of configurations: a static object beside each.
 */
class MqlTruthEngine
{
  public:
    /// Simulates a configuration.
    using Simulate = MqlTruthResult (*)(const MqlTruthTraffic&, const MqlTruthWatch&);

    /**
     * @param engine key `engine` of a MqlTruthConfig
     * @param transport key `transport` of a MqlTruthConfig
     * @param simulate the simulator
     */
    MqlTruthEngine(const std::string& engine, const std::string& transport, Simulate simulate);
};

/**
 * @ingroup mql
 * @brief Simulate a configuration with the engine and transport that it names.
 *
 * engine=ns3 uses (and destroys) ns-3's Simulator, of which there is one per process.
 *
 * @param traffic of the configuration
 * @param watch a collector, with engine=ns3
 * @return the outcome
 * @throws DcnError if there is a collector, but the engine has no devices
 */
MqlTruthResult MqlSimulateTruth(const MqlTruthTraffic& traffic, const MqlTruthWatch& watch = {});

} // namespace ns3

#endif /* MQL_TRUTH_ENGINE_H */

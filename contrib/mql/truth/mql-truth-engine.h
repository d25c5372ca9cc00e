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
 * @brief A DcnCollector in addition to the recorder, for engines with devices (engine=ns3): it
 * records queues over time, the recorder waits by (queue, flow) and round trips.
 */
struct MqlTruthWatch
{
    Ptr<DcnCollector> collector; //!< watches all devices, named by their links; null: none
    std::string folder;          //!< folder of its files, written at the end of the simulation
};

/**
 * @ingroup mql
 * @brief Registers a simulator of configurations by a static object in its source file.
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
 * @brief Simulate a configuration with its engine and transport.
 *
 * engine=ns3 uses (and destroys) ns-3's Simulator, the only one in the process.
 *
 * @param traffic of the configuration
 * @param watch a collector, with engine=ns3
 * @return the measurements
 * @throws DcnError for a collector and an engine without devices
 */
MqlTruthResult MqlSimulateTruth(const MqlTruthTraffic& traffic, const MqlTruthWatch& watch = {});

} // namespace ns3

#endif /* MQL_TRUTH_ENGINE_H */

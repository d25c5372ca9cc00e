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
    /// Watches all devices, named by their links (the second of parallel links ends in /2); null:
    /// none.
    Ptr<DcnCollector> collector;
    std::string folder; //!< folder of its files, written at the end of the simulation
};

/**
 * @ingroup mql
 * @brief Simulate a configuration with its engine.
 *
 * Sources hand packets to the first queue of their path; a destination acknowledges each packet at
 * once with a packet of its own. Both engines have the same packets.
 *
 * engine=exact: queues are FIFO with one server each, so that the start of service of a packet is
 * known at its arrival. For packet n, which arrives at a queue at a_n with s_n = 8 bytes / rate
 * (whole nanoseconds):
 *
 *     start_n = max(a_n, start_(n-1) + s_(n-1));  waiting = start_n - a_n
 *     arrival at the next queue = start_n + s_n + propagation
 *
 * It is dropped if as many packets as the buffer can hold arrived before it and have start > a_n.
 * One event per packet and queue, in order of time, suffices. Example: s = 40 us, arrivals at 0, 10
 * and 100 us start at 0, 40 and 100 us and wait 0, 30 and 0 us.
 *
 * engine=ns3: stock PointToPointNetDevice, PointToPointChannel and DropTailQueue, with no queue
 * disc. The queues' trace sources measure waiting: from Enqueue to Dequeue, which is the start of
 * transmission. There are neither sockets nor IP: a node hands a packet to the device of the next
 * link of its path. It agrees with engine=exact packet for packet, except for the order of packets
 * that arrive at a queue in the same nanosecond. It uses (and destroys) ns-3's Simulator, the only
 * one in the process.
 *
 * @param traffic of the configuration
 * @param watch a collector, with engine=ns3
 * @return the measurements
 * @throws DcnError for a collector and an engine without devices
 */
MqlTruthResult MqlSimulateTruth(const MqlTruthTraffic& traffic, const MqlTruthWatch& watch = {});

/**
 * @ingroup mql
 * @brief Identifies a simulator by its results: simulators with equal digests give equal results
 * for some small built-in configurations.
 *
 * These are simulated once per process, in a process of its own (some hundredths of a second with
 * the engine exact); the digest is a hash of the measurements. Ground truth records it, so that a
 * correction is not trained with simulations of different programs.
 *
 * @param engine exact or ns3, as in MqlTruthConfig
 * @return 16 hexadecimal digits
 */
const std::string& MqlTruthDigest(const std::string& engine);

} // namespace ns3

#endif /* MQL_TRUTH_ENGINE_H */

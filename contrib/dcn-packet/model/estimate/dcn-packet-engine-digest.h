/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef DCN_PACKET_ENGINE_DIGEST_H
#define DCN_PACKET_ENGINE_DIGEST_H

#include <string>

namespace ns3
{

/**
 * @ingroup dcn-packet
 * @brief Results of the packet engine for built-in reference scenarios.
 *
 * For each of the four congestion controls: an incast with priority flow control, an incast with
 * drops, three long flows, and a parking lot of 300 flows. The long flows and the parking lot run
 * with the parameters of the evaluations and with those of the papers (DcnNetworkConfig::Preset).
 * Each scenario has a line: its name, the numbers of dropped packets, pauses, marked packets,
 * packet-hops and incomplete flows, and all completion times in ns. Sizes and starts are fixed, and
 * there is one path between any two hosts, so that a change of workloads or routing has no effect.
 *
 * The scenarios are simulated once per process, in a forked process (a tenth of a second), with
 * RngSeed and RngRun at 1 and with the attribute defaults in force at the first call: changed
 * attributes make another engine.
 *
 * Call it first before any simulation is scheduled. The forked process is a copy of the caller: its
 * Simulator::Destroy runs the caller's destroy events (ScheduleDestroy) there. If they write files,
 * the files change; and data in buffers of open files may be written twice.
 *
 * @return the lines
 */
const std::string& DcnPacketEngineRecord();

/**
 * @ingroup dcn-packet
 * @brief Identifies the behaviour of the packet engine: engines with equal digests give equal
 * results for the scenarios of DcnPacketEngineRecord.
 *
 * Data sets record the digest, so that results of different engines are not mixed.
 *
 * @return 16 hexadecimal digits, the hash of DcnPacketEngineRecord
 */
const std::string& DcnPacketEngineDigest();

} // namespace ns3

#endif /* DCN_PACKET_ENGINE_DIGEST_H */

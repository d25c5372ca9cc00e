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
 * @brief What the packet engine does with reference scenarios that are built in.
 *
 * Under each of the four congestion controls: an incast with priority flow control, the same with
 * drops in its place, three long flows, and a parking lot of 300 flows, the latter two with the
 * parameters of the evaluations and with those of the papers (DcnNetworkConfig::Preset). A line per
 * scenario: its name, numbers of packets dropped, pauses, packets marked and packet-hops, how many
 * flows are not complete, and all completion times in ns. Sizes and starts are not drawn, and there
 * is one path between any two hosts, so that a change of workloads or routing changes nothing here.
 *
 * It is simulated once per process, in a process of its own (a tenth of a second), with RngSeed and
 * RngRun at 1 and with the defaults of attributes that are in force at the first call: an engine
 * whose attributes were changed is another engine.
 *
 * The first call should come before the caller schedules a simulation of its own. The process is a
 * copy of the caller's: its Simulator::Destroy runs the caller's destroy events (ScheduleDestroy)
 * there, whose effects reach beyond the process where they write files, and files that the caller
 * has open share their place with the copy, which may write what half-full buffers hold a second
 * time.
 *
 * @return the lines
 */
const std::string& DcnPacketEngineRecord();

/**
 * @ingroup dcn-packet
 * @brief Which packet engine this is: two with different digests do different things, and two with
 * the same one do the same with the scenarios of DcnPacketEngineRecord.
 *
 * Data sets record it, so that results of different engines are not mixed.
 *
 * @return 16 hexadecimal digits, the hash of DcnPacketEngineRecord
 */
const std::string& DcnPacketEngineDigest();

} // namespace ns3

#endif /* DCN_PACKET_ENGINE_DIGEST_H */

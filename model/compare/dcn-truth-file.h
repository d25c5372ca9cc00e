/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef DCN_TRUTH_FILE_H
#define DCN_TRUTH_FILE_H

#include "ns3/dcn-estimator.h"

#include <string>

namespace ns3
{

/**
 * @ingroup dcn
 * @brief Take completion times from a file, such as those of another simulator, as an answer that
 * errors of methods refer to.
 *
 * The file is one of these:
 *
 * - fct.txt of HPCC's simulator and its descendants: lines of 8 words, the addresses of sender and
 *   receiver in hexadecimal digits (0b000001 + (node / 256 << 16) + (node % 256 << 8)), their
 *   ports, bytes, start, completion time and ideal completion time [ns]. A line belongs to a flow
 *   with the same hosts and bytes. Where there are several, both are taken in the order of starts
 *   if there are as many lines as flows; else a line belongs to the flow with its start.
 * - fct.txt of Parsimon's and m3's: lines of 9 words, the number of the flow before these 8. A line
 *   belongs to the flow of this number, which must have the same bytes.
 * - CSV with the header flow_id,fct_ns.
 *
 * Nodes and flows are named as in topology.csv and flows.csv. Ports and ideal completion times have
 * no effect. Flows without a line did not finish. Lines without a flow are counted in a note; a
 * file of which no line has a flow is refused.
 *
 * @param path the file
 * @param scenario the flows
 * @return the completion times, by the method "file"; provenance and notes have what was joined
 * @throws DcnError naming file, line and word for bad input, and for two times of a flow
 */
DcnEstimate DcnReadTruth(const std::string& path, const DcnScenario& scenario);

} // namespace ns3

#endif /* DCN_TRUTH_FILE_H */

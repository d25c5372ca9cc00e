/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef DCN_HPCC_FILES_H
#define DCN_HPCC_FILES_H

#include "ns3/dcn-scenario.h"
#include "ns3/dcn-topology.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup dcn-train
 * @brief Files of the simulators that descend from HPCC's (Y. Li et al., SIGCOMM 2019; also those
 * of SimAI, conweave, m3 and m4), and connection matrices of htsim.
 *
 * **Topology.** The first line is "nodes switches links", or, for SimAI, "nodes gpus_per_server
 * nvswitches switches links gpu_type". Then the numbers of the switches (with those of NVSwitches,
 * which are switches, too), then a line for each link: two nodes, rate, delay and error rate, such
 * as "0 16 100Gbps 1us 0". Nodes that are no switches are hosts.
 *
 * **Flows.** Their number, then a line for each: source, destination, priority group, port, bytes,
 * start [s]; m4's lines begin with the number of the flow. Flows are numbered from 0 in the order
 * of the file.
 *
 * **fct.txt.** A line for each flow that completed: addresses of sender and receiver in hexadecimal
 * digits (0b000001 + (node / 256 << 16) + (node % 256 << 8)), ports, bytes, start, completion time,
 * ideal completion time [ns].
 *
 * **Connection matrix of htsim** (.cm). "Nodes n", "Connections m", then a line for each:
 * "source->destination id i start t size b", t in ps. Other keys and triggers are refused, since a
 * scenario has no dependencies.
 */
struct DcnHpccFiles
{
    /**
     * @param path a topology file
     * @return the topology
     * @throws DcnError naming file, line and value for bad input, and for an error rate above 0
     */
    static Ptr<DcnTopology> ReadTopology(const std::string& path);

    /**
     * @param path a file of flows
     * @param topology the network
     * @return the flows, in the order of their starts
     * @throws DcnError naming file, line and value for bad input
     */
    static std::vector<DcnFlow> ReadFlows(const std::string& path, const DcnTopology& topology);

    /**
     * @param path a connection matrix of htsim; its nodes are the hosts in their order
     * @param topology the network
     * @return the flows, in the order of their starts
     * @throws DcnError naming file, line and value for bad input
     */
    static std::vector<DcnFlow> ReadConnectionMatrix(const std::string& path,
                                                     const DcnTopology& topology);

    /**
     * @brief Write fct.txt.
     * @param scenario the flows
     * @param fctNs completion time by flow index [ns]; negative: not complete, no line
     * @param path the file
     * @throws DcnError if it cannot be written
     */
    static void WriteFct(const DcnScenario& scenario,
                         const std::vector<int64_t>& fctNs,
                         const std::string& path);
};

} // namespace ns3

#endif /* DCN_HPCC_FILES_H */

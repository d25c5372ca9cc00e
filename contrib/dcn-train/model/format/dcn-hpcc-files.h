/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef DCN_HPCC_FILES_H
#define DCN_HPCC_FILES_H

#include "ns3/dcn-scenario.h"
#include "ns3/dcn-topology.h"

#include <cstdint>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

namespace ns3
{

class DcnTrainLines;

/**
 * @ingroup dcn-train
 * @brief Files of the simulators that descend from HPCC's (Y. Li et al., SIGCOMM 2019; also those
 * of PowerTCP, Reverie, SimAI, conweave, m3 and m4), and connection matrices of htsim.
 *
 * **Topology.** The first line has three, four or six words: "nodes switches links" (HPCC), "nodes
 * switches tors links" (PowerTCP), with "leaf_rate spine_rate" behind it (Reverie), or "nodes
 * gpus_per_server nvswitches switches links gpu_type" (SimAI, whose last word is no number). Then
 * the numbers of the switches (with those of NVSwitches, which are switches, too), then a line for
 * each link: two nodes, rate, delay and error rate, such as "0 16 100Gbps 1us 0"; all lines or none
 * may be without the error rate. A rate without
 * unit is in bit/s, as in ns-3; units in which B is a byte are read so and noted. Nodes that are
 * no switches are hosts; nodes without links are left out and listed. Text behind the last link is
 * a legend, or links of nodes beyond the number of nodes, both as in HPCC's own files; it is
 * listed. A link of two nodes that there are is one too many, and refused.
 *
 * **Flows.** Their number, then a line for each. All lines have 5 words (conweave): source,
 * destination, priority group, bytes, start [s]; 6 (HPCC): source, destination, priority group,
 * port, bytes, start; or 7 (m4): the number of the flow before these. Without numbers, flows are
 * numbered from 0 in the order of the file. Starts are rounded to nanoseconds, as by ns-3. Lines
 * behind the last flow have no effect, as in these simulators, and are listed. Lines of ns3-rdma
 * (packets, start, end in the last three words) are refused where they can be told from HPCC's: a
 * fraction in the place of the bytes, or in all lines a whole start and no more bytes than seconds.
 *
 * **fct.txt.** A line for each flow that completed: addresses of sender and receiver in hexadecimal
 * digits (0b000001 + (node / 256 << 16) + (node % 256 << 8)), ports, bytes, start, completion time,
 * ideal completion time [ns]. The port of the sender is 10000 plus the number of earlier flows of
 * the same two hosts, that of the receiver is that of the flow file, 100 without.
 *
 * **config.txt.** Lines "KEY value ...": topology and flows, congestion control (CC_MODE), its
 * parameters, windows, ECN thresholds by rate, buffer. Config says what they become.
 *
 * **Connection matrix of htsim** (.cm). "Nodes n", "Connections m" and, if they are 0, "Triggers"
 * and "Failures" in any order, then a line for each connection: "source->destination" and pairs of
 * key and value: id, start (required), size, prio. Lines that begin with # are comments. Triggers
 * are refused, since a scenario has no dependencies; so are connections without size or of size 0,
 * which have no end in htsim.
 *
 * What is read and has no effect is in GetIgnored, after each function that reads; a word that
 * could mean something else is in GetNotes.
 */
class DcnHpccFiles
{
  public:
    /// config.txt of HPCC's family.
    struct Config
    {
        std::string topology;          //!< path of TOPOLOGY_FILE; empty: not given
        std::string flows;             //!< path of FLOW_FILE; empty: not given
        std::string congestionControl; //!< by CC_MODE; empty: not given
        int64_t stopNs{0};             //!< SIMULATOR_STOP_TIME [ns]; 0: none

        /// Words of a key.
        struct Entry
        {
            std::vector<std::string> words; //!< behind the key
            std::string where;              //!< beginning of sentences on the line
        };

        std::map<std::string, Entry> keys; //!< by name
    };

    /**
     * @brief Read a topology.
     * @param path a topology file
     * @return the topology; ids of nodes are those of the file
     * @throws DcnError naming file, line and word for bad input, and for an error rate above 0
     */
    Ptr<DcnTopology> ReadTopology(const std::string& path);

    /**
     * @brief Read flows; their ports are kept for WriteFct.
     * @param path a file of flows
     * @param topology the network
     * @return the flows, in the order of their starts
     * @throws DcnError naming file, line and word for bad input
     */
    std::vector<DcnFlow> ReadFlows(const std::string& path, const DcnTopology& topology);

    /**
     * @brief Read a connection matrix.
     * @param path a connection matrix of htsim; its nodes are the hosts in their order
     * @param topology the network
     * @param startUnit unit of starts: ps, or us as in htsim's programs for UEC and EQDS
     * @return the flows, in the order of their starts
     * @throws DcnError naming file, line and word for bad input, for another unit, and for starts
     * in ps that would all become 0 ns
     */
    std::vector<DcnFlow> ReadConnectionMatrix(const std::string& path,
                                              const DcnTopology& topology,
                                              const std::string& startUnit = "ps");

    /**
     * @brief Read config.txt.
     *
     * Files that it names are looked for from its own folder and the folders above it, since the
     * simulators start above it, then from the current folder, then beside it.
     *
     * @param path the file
     * @param congestionControl in place of CC_MODE; empty: CC_MODE
     * @param hasFlows FLOW_FILE and SIMULATOR_STOP_TIME count; else they have no effect
     * @param hasTopology TOPOLOGY_FILE counts; else it has no effect, and need not be there
     * @return its words
     * @throws DcnError naming file, line and word for a bad line, a key that comes twice, a file
     * that is not found, an unknown CC_MODE, and for LINK_DOWN and an error rate above 0, which a
     * scenario cannot hold
     */
    Config ReadConfig(const std::string& path,
                      const std::string& congestionControl = "",
                      bool hasFlows = true,
                      bool hasTopology = true);

    /**
     * @brief Set what config.txt says about the network.
     *
     * - PACKET_PAYLOAD_SIZE, MIN_RATE, MAX_RATE, ACK_HIGH_PRIO, ENABLE_PFC and BUFFER_SIZE [MiB;
     *   KiB where FIXED_WIN is, as in m3], whatever the congestion control.
     * - RATE_AI, RATE_HAI, DCTCP_RATE_AI, EWMA_GAIN, RP_TIMER, ALPHA_RESUME_INTERVAL,
     *   RATE_DECREASE_INTERVAL, FAST_RECOVERY_TIMES, CLAMP_TARGET_RATE, U_TARGET, MI_THRESH,
     *   FAST_REACT, TIMELY_T_LOW, TIMELY_T_HIGH and TIMELY_BETA for the congestion controls that
     *   use them.
     * - HAS_WIN 0: no window. Otherwise FIXED_WIN and BASE_RTT; without them, with GLOBAL_T 1 the
     *   largest bandwidth-delay product and round-trip time of all pairs of hosts, as HPCC's
     *   simulator computes them, and with GLOBAL_T 0 those of each flow's path.
     * - KMIN_MAP, KMAX_MAP [kB] and PMAX_MAP by rate: thresholds must be proportional to the rates
     *   that the topology has, and the probabilities equal. A rate without thresholds must be that
     *   of ports that never queue: all other ports of the switch together are not faster.
     *
     * @param file the file
     * @param topology the network
     * @param config its configuration, a preset of the congestion control
     * @param networkKeys keys that take the place of those of the file (DcnNetworkConfig::SetKeys)
     * @throws DcnError naming file, line and word for a bad value, for a rate of the topology
     * without threshold, and for one or two of the three maps alone
     */
    void Apply(const Config& file,
               const DcnTopology& topology,
               DcnNetworkConfig& config,
               const std::string& networkKeys = "");

    /** @return what was read and has no effect, in words, each once. */
    std::vector<std::string> GetIgnored() const;

    /** @return how words with two meanings were read, in sentences, each once. */
    std::vector<std::string> GetNotes() const;

    /** @return GetIgnored and GetNotes in lines to be printed: "ignored: ..." and "note: ...". */
    std::vector<std::string> DescribeUnused() const;

    /**
     * @brief Write fct.txt.
     * @param scenario the flows
     * @param fctNs completion time by flow index [ns]; negative: not complete, no line
     * @param path the file
     * @throws DcnError if it cannot be written
     */
    void WriteFct(const DcnScenario& scenario,
                  const std::vector<int64_t>& fctNs,
                  const std::string& path) const;

  private:
    /// Sets values that are taken over as they are, and the buffer; isGiven: --network has the key.
    /// @return keys that are not in the file, whose values are of the preset
    std::set<std::string> SetPlain(const Config& file,
                                   DcnNetworkConfig& config,
                                   const std::function<bool(const std::string&)>& isGiven);
    /// Sets the window and the round-trip time, see Apply.
    void SetWindow(const Config& file, const DcnTopology& topology, DcnNetworkConfig& config);
    /// Sets the thresholds of KMIN_MAP, KMAX_MAP and PMAX_MAP, see Apply.
    void SetThresholds(const Config& file, const DcnTopology& topology, DcnNetworkConfig& config);
    /// Takes over what a reader has listed.
    void TakeNotes(const DcnTrainLines& lines);

    std::set<std::string> m_ignored;                //!< see GetIgnored
    std::set<std::string> m_notes;                  //!< see GetNotes
    std::unordered_map<uint64_t, uint64_t> m_ports; //!< of receivers, by id of the flow
};

} // namespace ns3

#endif /* DCN_HPCC_FILES_H */

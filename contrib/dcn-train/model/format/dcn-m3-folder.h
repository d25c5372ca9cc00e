/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef DCN_M3_FOLDER_H
#define DCN_M3_FOLDER_H

#include "ns3/dcn-scenario.h"
#include "ns3/dcn-topology.h"

#include <cstdint>
#include <set>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

namespace ns3
{

class DcnHpccFiles;
class DcnNpy;

/**
 * @ingroup dcn-train
 * @brief A folder of simulations from which m3 and m4 are trained (C. Li et al.): arrays of NumPy.
 *
 * All simulations of a folder have the same flows: fsize.npy [bytes], fat.npy (starts) [ns], and
 * their hosts in fsd.npy or flow_src_dst.npy (numbers of source and destination in two columns).
 * Folders of m4 have them in flows.txt (DcnHpccFiles), whose ids are positions in the arrays. A
 * simulation NAME, such as topo-pl-3_s0 or topology_flows_dctcp, has fct_NAME.npy, the completion
 * times [ns] of the flows whose positions are in fid_NAME.npy, or of all flows without it. The
 * other arrays, such as features and ideal completion times (fct_i), are not read.
 */
class DcnM3Folder
{
  public:
    /**
     * @param folder the folder
     * @param simulation NAME; empty: the only one of the folder
     * @throws DcnError if it is none of the folder, or there are several to choose from
     */
    explicit DcnM3Folder(const std::string& folder, const std::string& simulation = "");

    /** @return NAME. */
    const std::string& GetSimulation() const;

    /**
     * @return path of the simulation's configuration: config_NAME.txt, or with _flows before the
     * seed, as m3 has it, or without the last word, as m4 has it; empty: there is none
     */
    std::string FindConfig() const;

    /** @return path of topology.txt, which folders of m4 have; empty: there is none. */
    std::string FindTopology() const;

    /**
     * @brief Make the parking lot of n hosts that NAME has as topo-pl-n: hosts 0 to n - 1; the
     * first and the last one have links of 10 Gb/s and 1 us; each one between them has a link of
     * 100 Tb/s that stands for several hosts, with 1, 2, ..., 2, 1 us. Links of 40 Gb/s and 1 us
     * join n - 2 switches.
     * @return the topology
     * @throws DcnError if NAME has no topo-pl-n with n = 3, 5 or 7
     */
    Ptr<DcnTopology> CreateTopology() const;

    /**
     * @brief Read the flows of the simulation.
     * @param topology the network; numbers of hosts are its external ones
     * @param files reads flows.txt, and lists which of its words have no effect
     * @return the flows, numbered by their position in the arrays, in the order of starts
     * @throws DcnError naming file and position for bad input
     */
    std::vector<DcnFlow> ReadFlows(const DcnTopology& topology, DcnHpccFiles& files) const;

    /**
     * @return numbers of flows and completion times [ns], in the order of the arrays
     * @throws DcnError naming file and position for bad input
     */
    std::vector<std::pair<uint64_t, int64_t>> ReadTruth() const;

    /**
     * @brief Write the completion times as CSV, flow_id and fct_ns, for DcnReadTruth.
     * @param path the file
     */
    void WriteTruth(const std::string& path) const;

    /** @return the files of the folder that were not read so far, to be printed; or empty. */
    std::string DescribeUnused() const;

  private:
    /// @return path of a file of the simulation; empty: there is none
    std::string Find(const std::string& name) const;
    /// @return sources and destinations by position; flows of other simulations may be among them
    std::unordered_map<uint64_t, DcnFlow> ReadEnds(const DcnTopology& topology,
                                                   const DcnNpy& sizes,
                                                   DcnHpccFiles& files) const;
    /// @return positions of the simulation's flows in the arrays of all flows
    std::vector<uint64_t> ReadPositions(uint64_t nAll) const;

    std::string m_folder;     //!< the folder
    std::string m_simulation; //!< NAME
    mutable std::set<std::string> m_used; //!< names of files that were read or asked for
};

} // namespace ns3

#endif /* DCN_M3_FOLDER_H */

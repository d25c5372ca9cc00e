/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef DCN_SCENARIO_DIRECTORY_H
#define DCN_SCENARIO_DIRECTORY_H

#include "dcn-scenario.h"

#include "ns3/dcn-csv.h"

#include <cstdint>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

namespace ns3
{

/**
 * @ingroup dcn
 * @brief Reads the flows of a scenario directory one by one, for methods that do not store all
 * flows.
 *
 * Topology and configuration are read at once, flows.csv and paths.csv row by row, so that memory
 * does not grow with the number of flows. This requires flows in the order of their starts and
 * pinned paths in the order of the flows (as written by DcnWriteScenario), and does not detect a
 * repeated flow_id. DcnReadScenario reads any directory, as a whole.
 */
class DcnScenarioReader
{
  public:
    /**
     * @param folder the directory
     * @param seed of the paths that are not pinned
     * @param networkKeys keys that take the place of those of network.csv, as of
     * DcnNetworkConfig::SetKeys
     * @throws DcnError if the directory, the topology or the configuration cannot be used
     */
    explicit DcnScenarioReader(const std::string& folder,
                               uint64_t seed = 1,
                               const std::string& networkKeys = "");

    /** @return the network. */
    Ptr<const DcnTopology> GetTopology() const;
    /** @return the configuration. */
    Ptr<const DcnNetworkConfig> GetNetwork() const;

    /**
     * @brief Read the next flow.
     * @param flow set to the flow
     * @param path set to its links
     * @return false at the end
     * @throws DcnError for a bad row, and for flows or paths out of order
     */
    bool FetchFlow(DcnFlow& flow, std::vector<uint32_t>& path);

    /** @return the columns of flows.csv. */
    static const std::vector<std::string>& GetFlowColumns();

    /**
     * @param csv reader of flows.csv, at a row
     * @return the flow of that row
     * @throws DcnError for an invalid flow or an unknown node
     */
    DcnFlow ParseFlow(const DcnCsvReader& csv) const;

    /**
     * @param text node numbers joined by '-', as in paths.csv
     * @param where prefix of the error sentence
     * @return the nodes
     * @throws DcnError for a malformed text or an unknown node
     */
    DcnNodePath ParsePath(const std::string& text, const std::string& where) const;

  private:
    /// Node index by the number in files.
    using NodeIndex = std::unordered_map<uint64_t, uint32_t>;

    Ptr<DcnTopology> ReadTopology();
    Ptr<DcnNetworkConfig> ReadNetwork(const std::string& networkKeys) const;
    /// @return hosts that send flows, where NICs have several rates; else all hosts
    std::vector<uint32_t> FindSenders() const;
    uint32_t FindNode(uint64_t id, const std::string& where) const;
    void OpenFlows();
    void FetchPin();

    std::string m_folder;                  //!< as given
    uint64_t m_seed;                       //!< of the paths that are not pinned
    NodeIndex m_index;                     //!< of the nodes
    Ptr<DcnTopology> m_topology;           //!< the network
    Ptr<DcnNetworkConfig> m_network;       //!< the configuration
    std::unique_ptr<DcnRouting> m_routing; //!< created with the first flow
    std::unique_ptr<DcnCsvReader> m_flows; //!< flows.csv, opened with the first flow
    std::unique_ptr<DcnCsvReader> m_paths; //!< paths.csv, null without the file or at its end
    int64_t m_lastStartNs{0};              //!< start of the previous flow
};

/**
 * @ingroup dcn
 * @brief Read a scenario directory: nodes.csv, links.csv, flows.csv, network.csv, and paths.csv if
 * there; columns in doc/schema.rst.
 * @param folder the directory
 * @param seed of the paths that are not pinned, and of the random draws of methods
 * @param networkKeys keys that take the place of those of network.csv, as of
 * DcnNetworkConfig::SetKeys
 * @return the scenario
 * @throws DcnError with file, line and value
 */
Ptr<const DcnScenario> DcnReadScenario(const std::string& folder,
                                       uint64_t seed = 1,
                                       const std::string& networkKeys = "");

/**
 * @ingroup dcn
 * @brief Write a scenario as a directory, all paths pinned, so that reading gives an equal
 * scenario.
 * @param scenario the scenario
 * @param folder created if missing; its scenario files are replaced
 * @throws DcnError if it cannot be written
 */
void DcnWriteScenario(const DcnScenario& scenario, const std::string& folder);

} // namespace ns3

#endif /* DCN_SCENARIO_DIRECTORY_H */

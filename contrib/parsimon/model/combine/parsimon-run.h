/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef PARSIMON_RUN_H
#define PARSIMON_RUN_H

#include "ns3/dcn-scenario.h"
#include "ns3/parsimon-link.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace ns3
{

class ParsimonDecomposition;
class ParsimonLinkTable;
class ParsimonPredictor;
class ParsimonResultStore;

/**
 * @ingroup parsimon
 * @brief Options of the method, set by the user.
 */
struct ParsimonOptions
{
    std::string simulator{"lean"};               //!< name of a ParsimonLinkSimulator
    ParsimonRules rules{ParsimonRules::DEFAULT}; //!< rule set
    bool cluster{false};                         //!< simulate one link of each cluster
    double clusterDistance{0}; //!< largest WMAPE in a cluster (ParsimonClustering); 0: the rules'
    double clusterLoad{0};     //!< threshold of loads in a cluster; 0: the rules'
    bool allDistributions{false}; //!< also make distributions that only ParsimonModel needs
    uint32_t nThreads{0};         //!< threads or processes; 0: all cores
    bool remember{false};         //!< record simulations for runs of changed scenarios
    bool idleTimes{true}; //!< flows that meet no other have their idle time (DcnIdleTime), but by
                          //!< the published rules
};

/**
 * @ingroup parsimon
 * @brief One pass of the method over a scenario: link topologies, link simulations, point
 * estimates.
 */
class ParsimonRun
{
  public:
    /**
     * @param scenario the flows
     * @param options see ParsimonOptions
     * @param store stored results of link simulations, reused and extended; null: none
     * @param before a run of a similar scenario with equal options and remember, or null: its
     * results are reused for links of equal input, and its point estimates for unaffected
     * flows
     * @throws DcnError for an unknown simulator; and errors of the parts
     */
    ParsimonRun(Ptr<const DcnScenario> scenario,
                const ParsimonOptions& options,
                ParsimonResultStore* store = nullptr,
                const ParsimonRun* before = nullptr);
    ~ParsimonRun();

    /** @return the scenario. */
    Ptr<const DcnScenario> GetScenario() const;

    /** @return delays by link. */
    const ParsimonLinkTable& GetTable() const;

    /** @return combines them to delays in the network. */
    const ParsimonPredictor& GetPredictor() const;

    /** @return by flow index: completion time [ns], -1 if the published rules have none. */
    const std::vector<int64_t>& GetFctNs() const;

    /** @return number of links simulated. */
    uint32_t GetNSimulated() const;

    /**
     * @return sentences on links whose queue, in their link simulation, fills the buffer of their
     * switch (DcnBufferRoom): link simulations have unlimited buffers
     */
    std::vector<std::string> DescribeBuffers() const;

    /** @return description for reports, e.g. "1234 of 1536 links simulated, 302 with one flow", for
     * reports. */
    std::string Describe() const;

  private:
    Ptr<const DcnScenario> m_scenario; //!< the flows
    std::string m_context;             //!< context of the results (ParsimonDescribeContext)
    std::unique_ptr<const ParsimonDecomposition> m_decomposition; //!< null without remember
    std::unique_ptr<const ParsimonLinkTable> m_table;             //!< delays by link
    std::unique_ptr<const ParsimonPredictor> m_predictor;         //!< combination
    std::vector<int64_t> m_fctNs;                                 //!< by flow index
    std::vector<int64_t> m_sumNs; //!< by flow index: without idle times; empty without remember
};

} // namespace ns3

#endif /* PARSIMON_RUN_H */

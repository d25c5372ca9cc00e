/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef PARSIMON_RUN_H
#define PARSIMON_RUN_H

#include "ns3/parsimon-clustering.h"
#include "parsimon-delay-distribution.h"
#include "ns3/parsimon-link-builder.h"
#include "ns3/parsimon-link-runner.h"
#include "ns3/parsimon-predictor.h"
#include "ns3/parsimon-result-store.h"
#include "ns3/parsimon-unchanged.h"

#include "ns3/dcn-scenario.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup parsimon
 * @brief All choices of the method.
 */
struct ParsimonSettings
{
    std::string simulator{"lean"};        //!< name of a ParsimonLinkSimulator
    ParsimonLinkOptions link;             //!< link topologies
    bool keepRoundTrip{true};             //!< see ParsimonKeepRoundTrip
    bool edgeShares{true};                //!< see ParsimonEdgeShares
    ParsimonPredictor::Options predictor; //!< combination; its seed is the scenario's
    bool cluster{false};                  //!< simulate one link of each cluster
    ParsimonClusteringOptions clustering; //!< how clusters are found
    ParsimonBucketOptions buckets;        //!< of distributions
    bool allDistributions{false};         //!< make those that no point estimate needs, too
    uint32_t nThreads{0};                 //!< threads or processes; 0: all cores
    bool keep{false};                     //!< look results up in the store, and keep them there
    bool record{false}; //!< with keep: keep in the store how links are simulated, too

    /** @return our rules. */
    static ParsimonSettings Ours();

    /** @return the published rules: sums of draws along a random path, no correction. */
    static ParsimonSettings Faithful();
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
     * @param settings see ParsimonSettings
     * @param store results of link simulations, if they are to be kept
     * @param before a run of the same settings, with keep, whose results are used for links of the
     * same input, and whose point estimates for flows of which nothing changes; or null
     * @throws DcnError for an unknown simulator, or what its parts throw
     */
    ParsimonRun(Ptr<const DcnScenario> scenario,
                const ParsimonSettings& settings,
                ParsimonResultStore& store,
                const ParsimonRun* before = nullptr);

    /** @return the scenario. */
    Ptr<const DcnScenario> GetScenario() const;

    /** @return delays by link. */
    const ParsimonLinkTable& GetTable() const;

    /** @return the rule that makes them delays in the network. */
    const ParsimonPredictor& GetPredictor() const;

    /** @return by flow index: completion time [ns], -1 if the published rule has none. */
    const std::vector<int64_t>& GetFctNs() const;

    /** @return e.g. "1234 of 1536 links simulated, 302 without contention", for reports. */
    std::string Describe() const;

  private:
    ParsimonLinkTable MakeTable(const ParsimonSettings& settings,
                                ParsimonResultStore& store,
                                const ParsimonRun* before);
    static ParsimonPredictor MakePredictor(Ptr<const DcnScenario> scenario,
                                           const ParsimonLinkTable& table,
                                           const ParsimonSettings& settings);

    Ptr<const DcnScenario> m_scenario; //!< the flows
    std::shared_ptr<const ParsimonLinkBuilder> m_builder; //!< with keep: makes link topologies
    std::shared_ptr<const ParsimonEdgeShares> m_shares;   //!< with keep: rates at their sources
    std::string m_context;                                //!< with keep: of results
    std::unique_ptr<const ParsimonUnchanged> m_unchanged; //!< what is as in a run before, or null
    ParsimonLinkTable m_table;         //!< delays by link
    ParsimonPredictor m_predictor;     //!< combination
    std::vector<int64_t> m_fctNs;      //!< by flow index
};

} // namespace ns3

#endif /* PARSIMON_RUN_H */

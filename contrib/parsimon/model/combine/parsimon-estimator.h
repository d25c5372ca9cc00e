/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef PARSIMON_ESTIMATOR_H
#define PARSIMON_ESTIMATOR_H

#include "parsimon-run.h"

#include "ns3/dcn-estimator.h"

#include <cstdint>
#include <string>

namespace ns3
{

/**
 * @ingroup parsimon
 * @brief Method "parsimon": decomposition into links (Zhao et al., NSDI 2023).
 *
 * Simulates each directed link by itself with the flows that cross it (ParsimonLinkBuilder,
 * ParsimonLinkSimulator), and combines the delays along each flow's path (ParsimonCombination). The
 * estimate has a completion time for each flow.
 *
 * Attributes (described in doc/parsimon.rst): LinkSimulator, Rules (default or published),
 * Clustering, ClusterDistance, ClusterLoad, Threads, Cache, LinksSimulated,
 * LinkSeconds, LongestLinkSeconds.
 */
class ParsimonEstimator : public DcnEstimator
{
  public:
    /**
     * @brief Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();

    std::string GetName() const override;
    /// @return digest of the link simulator and of the answers of the rules to a reference scenario
    std::string GetDigest() const override;
    /// @return cost with the simulator lean; negative for another one
    double ForecastSeconds(const DcnWork& work) const override;

    /**
     * @return the options set by the attributes
     * @throws DcnError for unknown rules, or an attribute without effect
     */
    ParsimonOptions GetOptions() const;

  private:
    void DoEstimate(Ptr<const DcnScenario> scenario, DcnEstimate& estimate) override;

    std::string m_simulator;  //!< attribute LinkSimulator
    std::string m_rules;      //!< attribute Rules
    bool m_cluster;           //!< attribute Clustering
    double m_clusterDistance; //!< attribute ClusterDistance; 0: value of the rules
    double m_clusterLoad;     //!< attribute ClusterLoad; 0: value of the rules
    uint32_t m_nThreads;      //!< attribute Threads
    std::string m_cache;      //!< attribute Cache
    uint32_t m_nSimulated{0};       //!< attribute LinksSimulated
    double m_linkSeconds{0};        //!< attribute LinkSeconds
    double m_longestLinkSeconds{0}; //!< attribute LongestLinkSeconds
};

} // namespace ns3

#endif /* PARSIMON_ESTIMATOR_H */

/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef DCN_PATH_ESTIMATOR_H
#define DCN_PATH_ESTIMATOR_H

#include "dcn-path-scenario.h"
#include "dcn-path-selection.h"

#include "ns3/dcn-estimator.h"

#include <cstdint>
#include <string>

namespace ns3
{

/**
 * @ingroup dcn-path
 * @brief Method "ns3-path": packets, but on sampled paths only (m3, section 2.1).
 *
 * A number of paths is drawn (DcnDrawPaths), the scenario of each is made (DcnPathScenarioBuilder)
 * and simulated by the engine, and the slowdowns of foreground flows become the samples of the
 * estimate: each of them stands for as many flows of the scenario as DcnDrawnPath::flowWeight says.
 * With T_p and T*_p the ideal completion times of a foreground flow in the path-level scenario and
 * in the whole, and C its completion time there, its estimated completion time is C + T*_p - T_p.
 *
 * Paths run in processes of their own, Jobs at a time; results are the same for any number. Under
 * mpirun every rank computes the whole.
 *
 * Attributes (also on the command line, as in --methods=packet,ns3-path:NPaths=200):
 * - NPaths: draws; 0: all paths;
 * - Engine: name of the method that simulates paths, as for DcnEstimator::CreateByName, with commas
 *   in place of the colons between its attributes' settings;
 * - Sampling, Hosts, Reverse: see DcnPathSampling, DcnPathHosts and DcnFindPathTraffic;
 * - Seed: of the draws; 0: the scenario's;
 * - Jobs: processes at a time; 0: as many as the machine has cores.
 */
class DcnPathEstimator : public DcnEstimator
{
  public:
    /**
     * @brief Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();
    std::string GetName() const override;

    /**
     * @brief Completion times of the foreground flows of a path.
     * @param census the flows
     * @param path number of the path
     * @return by position among the foreground flows [ns]; DcnEstimate::UNFINISHED if it is not
     * complete
     */
    std::vector<int64_t> Simulate(const DcnPathCensus& census, uint32_t path) const;

  private:
    void DoEstimate(Ptr<const DcnScenario> scenario, DcnEstimate& estimate) override;

    /**
     * @brief Sets an attribute.
     * @param sampling Systematic or Replacement
     * @throws DcnError for anything else
     */
    void SetSampling(std::string sampling);

    /**
     * @brief Sets an attribute.
     * @param hosts Host, Port or Network
     * @throws DcnError for anything else
     */
    void SetHosts(std::string hosts);

    uint64_t m_nPaths;          //!< draws, 0: all paths
    std::string m_engine;       //!< simulates paths
    DcnPathSampling m_sampling; //!< how to draw
    DcnPathHosts m_hosts;       //!< where background flows start and end
    bool m_reverse;             //!< flows in the other direction are there
    uint64_t m_seed;            //!< of the draws, 0: the scenario's
    uint32_t m_jobs;            //!< processes at a time, 0: as many as cores
};

} // namespace ns3

#endif /* DCN_PATH_ESTIMATOR_H */

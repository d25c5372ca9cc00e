/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef M3_ESTIMATOR_H
#define M3_ESTIMATOR_H

#include "m3-answer.h"
#include "m3-prediction.h"

#include "ns3/dcn-estimator.h"
#include "ns3/dcn-path-scenario.h"
#include "ns3/dcn-path-selection.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ns3
{

/**
 * @ingroup m3
 * @brief Method "m3": slowdown distributions of sampled paths by a fluid simulation and a network
 * that has learned to correct it (m3, section 3).
 *
 * Paths are drawn (DcnDrawPaths), their features are made from a fluid simulation (M3Features),
 * the network (M3Network) predicts the quantiles of their foreground flows by size class, and each
 * path's flows become samples of the estimate with the weight of the draw (M3Expand). There are
 * no completion times of single flows. Quantities outside the range of the training (M3Conditions)
 * are named on the standard error stream, and the answer is given all the same. The p99 of each
 * size class has confidence limits of drawing paths (DcnEstimate::limits, M3Answer).
 *
 * Attributes (also on the command line, as in --methods=m3:NPaths=500):
 * - Model: folder of the model; empty: the one that comes with the module, data/models/m3;
 * - NPaths: number of draws; 0: every path;
 * - Sampling: Systematic or Replacement (published), see DcnDrawPaths;
 * - Fluid: Network, one fluid simulation of the whole scenario, or Path, one of each path's own
 *   scenario (published; DcnPathScenarioBuilder), which takes longer;
 * - Seed: of the draws; 0: the scenario's;
 * - Threads: number of threads; 0: as many as the machine has cores. Results are the same.
 */
class M3Estimator : public DcnEstimator
{
  public:
    /**
     * @brief Get the type ID.
     * @return the object TypeId
     */
    static TypeId GetTypeId();
    std::string GetName() const override;
    std::vector<std::string> GetInputFiles() const override;

    /**
     * @brief Estimate, and keep what can be asked.
     * @param scenario what to estimate
     * @return the answer, with the sentences on what is outside of the training
     * @throws DcnError as Estimate
     */
    M3Answer Answer(Ptr<const DcnScenario> scenario) const;

  private:
    void DoEstimate(Ptr<const DcnScenario> scenario, DcnEstimate& estimate) override;

    /**
     * @brief Ask for a path of which a fluid is simulated by itself.
     * @param pathIndex the flows
     * @param builder of scenarios of single paths
     * @param settings of the configuration
     * @param layout of the model
     * @param path number of the path
     * @return the path, flows by their index in the whole scenario
     */
    static M3Question AskAlone(const DcnPathIndex& pathIndex,
                               const DcnPathScenarioBuilder& builder,
                               const M3Settings& settings,
                               const M3Layout& layout,
                               uint32_t path);

    /**
     * @brief Sets an attribute.
     * @param sampling Systematic or Replacement
     * @throws DcnError for anything else
     */
    void SetSampling(std::string sampling);

    /**
     * @brief Sets an attribute.
     * @param fluid Network or Path
     * @throws DcnError for anything else
     */
    void SetFluid(std::string fluid);

    std::string m_model;        //!< folder
    uint64_t m_nPaths;          //!< draws, 0: every path
    DcnPathSampling m_sampling; //!< how to draw
    bool m_perPath;             //!< a fluid simulation for each path
    uint64_t m_seed;            //!< of the draws, 0: the scenario's
    uint32_t m_threads;         //!< 0: as many as cores
};

} // namespace ns3

#endif /* M3_ESTIMATOR_H */

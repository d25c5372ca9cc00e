/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef M3_ESTIMATOR_H
#define M3_ESTIMATOR_H

#include "m3-distribution.h"

#include "ns3/dcn-estimator.h"
#include "ns3/dcn-path-selection.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace ns3
{

class DcnPathIndex;
class M3Network;

/**
 * @ingroup m3
 * @brief Method "m3": slowdown distributions of sampled paths, by a fluid simulation that a neural
 * network corrects (m3, section 3).
 *
 * The method draws paths (DcnDrawPaths), computes their features from a fluid simulation
 * (M3FeatureExtractor), and predicts the quantiles of their foreground flows by size class
 * (M3Network). Each path's flows become samples of the estimate with the weight of the draw
 * (M3Expand). There are no completion times of single flows. Quantities outside the range of the
 * training (M3RangeFeatures) cause warnings on the standard error stream, not errors. The p99 of
 * each size class has confidence limits for the sampling of paths (DcnEstimate::limits,
 * M3Distribution).
 *
 * Attributes (also on the command line, as in --methods=m3:NPaths=500):
 * - Model: folder of the model, or name of a folder in data/models; empty: m3;
 * - NPaths: number of draws; 0: every path;
 * - Sampling: Systematic or Replacement (published), see DcnDrawPaths;
 * - Fluid: Network, one fluid simulation of the whole scenario, or Path, one of each path's own
 *   scenario (published; DcnPathScenarioBuilder), which takes longer;
 * - Seed: seed of the draws; 0: the scenario's;
 * - Threads: number of threads; 0: as many as the machine has cores. Results do not depend on it.
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
    /// @return digest of the model, and of Parsimon if its link simulations are the base
    std::string GetDigest() const override;

    /**
     * @brief Estimate the distribution of slowdowns, for queries.
     * @param scenario the flows
     * @param notModelled if not null, gets what the base does not know of the network
     * (DcnEstimate::notModelled)
     * @return the distribution, with warnings of features outside of the training's ranges
     * @throws DcnError as Estimate
     */
    M3Distribution Predict(Ptr<const DcnScenario> scenario,
                           std::vector<std::string>* notModelled = nullptr) const;

    double ForecastSeconds(const DcnWork& work) const override;

  private:
    void DoEstimate(Ptr<const DcnScenario> scenario, DcnEstimate& estimate) override;
    void DoCheck(Ptr<const DcnScenario> scenario) const override;

    /**
     * @brief Refuse a configuration that the model was not trained on, and attributes without
     * effect.
     * @param scenario the flows
     * @return the model
     */
    std::unique_ptr<M3Network> MakeNetwork(const DcnScenario& scenario) const;

    /**
     * @brief Set the attribute Sampling.
     * @param sampling Systematic or Replacement
     * @throws DcnError for anything else
     */
    void SetSampling(std::string sampling);

    /**
     * @brief Set the attribute Fluid.
     * @param fluid Network or Path
     * @throws DcnError for anything else
     */
    void SetFluid(std::string fluid);

    std::string m_model;        //!< folder
    uint64_t m_nPaths;          //!< draws, 0: every path
    DcnPathSampling m_sampling; //!< how to draw
    bool m_perPath;             //!< a fluid simulation for each path
    uint64_t m_seed;            //!< seed of the draws, 0: the scenario's
    uint32_t m_threads;         //!< number of threads, 0: as many as cores
};

} // namespace ns3

#endif /* M3_ESTIMATOR_H */

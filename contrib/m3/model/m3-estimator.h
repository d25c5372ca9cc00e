/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef M3_ESTIMATOR_H
#define M3_ESTIMATOR_H

#include "m3-example.h"
#include "m3-network.h"

#include "ns3/dcn-estimator.h"
#include "ns3/dcn-path-selection.h"

#include <array>
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
 * no completion times of single flows. Quantities outside the range of the training are
 * named on the standard error stream, and the answer is given all the same.
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

  private:
    void DoEstimate(Ptr<const DcnScenario> scenario, DcnEstimate& estimate) override;

    /// What is said of a path.
    struct Prediction
    {
        std::vector<M3Point> points;     //!< flows by their index in the whole scenario
        std::array<double, 2> traffic{}; //!< of its input
    };

    /**
     * @brief Predict paths with the features of one scenario.
     * @param network what predicts
     * @param features of the scenario, prepared
     * @param paths numbers of paths
     * @return by path
     */
    std::vector<Prediction> Predict(const M3Network& network,
                                    const M3Features& features,
                                    const std::vector<uint32_t>& paths) const;

    /**
     * @brief Predict paths, each with a fluid simulation of its own.
     * @param network what predicts
     * @param census the flows
     * @param paths numbers of paths
     * @return by path
     */
    std::vector<Prediction> PredictAlone(const M3Network& network,
                                         const DcnPathCensus& census,
                                         const std::vector<uint32_t>& paths) const;

    /**
     * @brief Name what is outside of the training's range, and what is not looked at.
     * @param network what predicts
     * @param census the flows
     * @param paths numbers of paths
     * @param predictions of them
     * @return number of quantities outside
     */
    static std::size_t Warn(const M3Network& network,
                            const DcnPathCensus& census,
                            const std::vector<uint32_t>& paths,
                            const std::vector<Prediction>& predictions);

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

/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef M3_WHAT_IF_H
#define M3_WHAT_IF_H

#include "ns3/dcn-estimator.h"
#include "ns3/dcn-path-selection.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace ns3
{

class DcnModelFile;
class DcnNetworkConfig;
class DcnPathIndex;
class M3Distribution;
class M3Network;
struct M3PathFeatures;

/**
 * @ingroup m3
 * @brief Predictions for fixed flows under other network configurations (m3, section 5.6,
 * "counterfactuals").
 *
 * Problem. The answer for a path is a function of the fluid simulation and of the network
 * configuration. The fluid depends on flows, paths and rates, and of the configuration on the
 * window, the payload of a packet and the largest rate of a flow. While these are unchanged, the
 * answer for a configuration needs no simulation: its specification replaces the previous one
 * (M3FeatureExtractor::SetNetworkFeatures), and the model predicts again. If they change, so do the
 * paths' base round-trip times, bottlenecks and bandwidth-delay products; then the fluid is
 * simulated once more, which takes about as long as the prediction for 5,000 paths.
 *
 * All configurations have the same drawn paths, so that their differences do not contain sampling
 * errors.
 */
class M3WhatIf
{
  public:
    /**
     * @param scenario the flows
     * @param model a model of the kind "m3"
     * @param drawn paths of the scenario (DcnDrawPaths)
     * @param sampling how they were drawn
     * @param nThreads number of threads; 0: as many as the machine has cores
     * @throws DcnError as M3Network
     */
    M3WhatIf(Ptr<const DcnScenario> scenario,
             const DcnModelFile& model,
             std::vector<DcnDrawnPath> drawn,
             DcnPathSampling sampling,
             uint32_t nThreads = 1);
    ~M3WhatIf();

    /**
     * @param config a configuration
     * @param queries conditions on the flows
     * @return by query: the percentile for the scenario with this configuration, with its limits;
     * none if no flow of the drawn paths meets the conditions
     * @throws DcnError as DcnScenario and M3NetworkFeatures, for invalid configurations, and as
     * M3Distribution::Ask
     */
    std::vector<std::optional<DcnSlowdownQuantile>> Ask(
        Ptr<const DcnNetworkConfig> config,
        const std::vector<DcnSlowdownQuery>& queries);

    /**
     * @brief Predict all slowdowns, for code of this module.
     * @param config a configuration
     * @return the distribution for the scenario with this configuration
     * @throws DcnError as DcnScenario and M3NetworkFeatures, for invalid configurations
     */
    M3Distribution Predict(Ptr<const DcnNetworkConfig> config);

    /** @return warnings of features outside of the training's ranges, of all configurations. */
    const std::set<std::string>& GetWarnings() const;

    /**
     * @param scenario flows
     * @param config a configuration
     * @return the flows with this configuration
     * @throws DcnError as DcnScenario
     */
    static Ptr<const DcnScenario> Configure(const DcnScenario& scenario,
                                            Ptr<const DcnNetworkConfig> config);

    /** @return number of fluid simulations so far. */
    uint32_t GetNFluids() const;

  private:
    /// Simulates the fluid with a configuration, and computes the path index and the features.
    void MakeInputs(Ptr<const DcnNetworkConfig> config);

    Ptr<const DcnScenario> m_scenario;          //!< the flows
    std::unique_ptr<const M3Network> m_network; //!< the model
    std::vector<DcnDrawnPath> m_drawn;          //!< the paths
    DcnPathSampling m_sampling;                 //!< how they were drawn
    uint32_t m_nThreads;                        //!< see the constructor
    std::unique_ptr<DcnPathIndex> m_pathIndex;  //!< paths of the flows with m_last
    Ptr<const DcnNetworkConfig> m_last;         //!< configuration of the latest fluid simulation
    std::vector<M3PathFeatures> m_inputs;       //!< features of the paths
    uint32_t m_nFluids{0};                      //!< see GetNFluids
    std::set<std::string> m_warnings;           //!< see GetWarnings
};

} // namespace ns3

#endif /* M3_WHAT_IF_H */

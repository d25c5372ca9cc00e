/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef M3_WHAT_IF_H
#define M3_WHAT_IF_H

#include "m3-distribution.h"

#include "ns3/dcn-path-selection.h"

#include <cstdint>
#include <memory>
#include <vector>

namespace ns3
{

class DcnNetworkConfig;
class DcnPathCensus;
class M3Network;
struct M3PathFeatures;

/**
 * @ingroup m3
 * @brief Predictions for fixed flows under other network configurations (m3, section 5.6,
 * "counterfactuals").
 *
 * Problem. The answer for a path is a function of the fluid's answer and of the network
 * configuration. The fluid knows flows, paths, rates, and of the configuration the window, the
 * payload of a packet and the largest rate of a flow. As long as these do not change, a
 * configuration is answered by putting its specification in place of the one before
 * (M3FeatureExtractor:: SetNetworkFeatures) and asking the network of the model: nothing is
 * simulated. If they change, so do the paths' base round-trip times, bottlenecks and
 * bandwidth-delay products, and the fluid is simulated again, once, which takes about as long as
 * the network for 5,000 paths.
 *
 * The same paths are drawn for all configurations, so that differences between them are not blurred
 * by the draw.
 */
class M3WhatIf
{
  public:
    /**
     * @param scenario the flows
     * @param network the model; must outlive this
     * @param drawn paths of the scenario (DcnDrawPaths)
     * @param sampling how they were drawn
     * @param nThreads number of threads; 0: as many as the machine has cores
     */
    M3WhatIf(Ptr<const DcnScenario> scenario,
             const M3Network& network,
             std::vector<DcnDrawnPath> drawn,
             DcnPathSampling sampling,
             uint32_t nThreads = 1);
    ~M3WhatIf();

    /**
     * @param config a configuration
     * @return the distribution for the scenario with this configuration
     * @throws DcnError as DcnScenario and M3NetworkFeatures, for configurations that cannot be
     */
    M3Distribution Predict(Ptr<const DcnNetworkConfig> config);

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
    /// Simulates the fluid with a configuration, and makes the census and the features.
    void MakeInputs(Ptr<const DcnNetworkConfig> config);

    Ptr<const DcnScenario> m_scenario;       //!< the flows
    const M3Network& m_network;              //!< the model
    std::vector<DcnDrawnPath> m_drawn;       //!< the paths
    DcnPathSampling m_sampling;              //!< how they were drawn
    uint32_t m_nThreads;                     //!< see the constructor
    std::unique_ptr<DcnPathCensus> m_census; //!< of the flows with m_last
    Ptr<const DcnNetworkConfig> m_last;      //!< of the fluid that was simulated last
    std::vector<M3PathFeatures> m_inputs;    //!< of the paths
    uint32_t m_nFluids{0};                   //!< see GetNFluids
};

} // namespace ns3

#endif /* M3_WHAT_IF_H */

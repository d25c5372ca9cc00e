/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef DCN_SUITE_SAMPLER_H
#define DCN_SUITE_SAMPLER_H

#include "dcn-dataset-sampler.h"

#include "ns3/dcn-scenario-suite.h"

namespace ns3
{

/**
 * @ingroup dcn-dataset
 * @brief Draws samples as a suite draws its scenarios, with other seeds
 * (DcnDatasetRecipe::OfSuite).
 *
 * Sample i of a data set with seed s is scenario i of the suite with seed FIRST_SEED + s. Data sets
 * therefore have no scenario in common with an evaluation, whose seeds are small.
 */
class DcnSuiteSampler : public DcnDatasetSampler
{
  public:
    static constexpr uint64_t FIRST_SEED = 32768; //!< see the class

    /**
     * @param recipe the rules, of a suite
     * @param seed of the data set
     */
    DcnSuiteSampler(const DcnDatasetRecipe& recipe, uint64_t seed);

  private:
    void DoDraw(const Context& context, DcnDatasetSample& sample) const override;

    DcnScenarioSuite m_suite; //!< draws
};

} // namespace ns3

#endif /* DCN_SUITE_SAMPLER_H */

/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef DCN_REPEAT_SAMPLER_H
#define DCN_REPEAT_SAMPLER_H

#include "dcn-dataset-sampler.h"

#include <cstdint>

namespace ns3
{

/**
 * @ingroup dcn-dataset
 * @brief Repeats the flows of one scenario; congestion control and configuration are drawn
 * (DcnDatasetRecipe::OfScenario).
 */
class DcnRepeatSampler : public DcnDatasetSampler
{
  public:
    /**
     * @param recipe the rules, of a scenario
     * @param seed of the data set
     */
    DcnRepeatSampler(const DcnDatasetRecipe& recipe, uint64_t seed);

  private:
    void DoDraw(const Context& context, DcnDatasetSample& sample) const override;
};

} // namespace ns3

#endif /* DCN_REPEAT_SAMPLER_H */

/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef DCN_FABRIC_SAMPLER_H
#define DCN_FABRIC_SAMPLER_H

#include "dcn-dataset-sampler.h"

#include <cstdint>

namespace ns3
{

/**
 * @ingroup dcn-dataset
 * @brief Samples on which m4 is trained: a few thousand flows on a small three-tier fabric.
 *
 * Sizes, matrix, burstiness and load are drawn, and the flows made by DcnWorkload. See m4,
 * section 5.1 and table 2.
 */
class DcnFabricSampler : public DcnDatasetSampler
{
  public:
    /**
     * @param recipe the rules, of the kind fabric
     * @param seed of the data set
     */
    DcnFabricSampler(const DcnDatasetRecipe& recipe, uint64_t seed);

  private:
    void DoDraw(const Context& context, DcnDatasetSample& sample) const override;
};

} // namespace ns3

#endif /* DCN_FABRIC_SAMPLER_H */

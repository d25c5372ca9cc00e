/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef DCN_DATASET_TEST_H
#define DCN_DATASET_TEST_H

#include "../model/files/dcn-dataset-schema.h"
#include "../model/generate/dcn-dataset-sampler.h"

#include "ns3/dcn-dataset-recipe.h"
#include "ns3/dcn-dataset-sample.h"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>

/**
 * @ingroup dcn-packet-tests
 * @brief Find what was drawn.
 * @param schema of a kind
 * @param sample a sample
 * @param name one of the schema's draws
 * @return its value
 */
inline double
DcnDrawOf(const ns3::DcnDatasetSchema& schema,
          const ns3::DcnDatasetSample& sample,
          const std::string& name)
{
    const auto& names = schema.GetDrawNames();
    return sample.draw.at(std::find(names.begin(), names.end(), name) - names.begin());
}

/**
 * @ingroup dcn-packet-tests
 * @brief Make a sampler with some rules changed.
 * @param kind path or fabric
 * @param rules changed rules
 * @param recipe reduced or published
 * @param seed of the data set
 * @return a sampler
 */
inline std::unique_ptr<ns3::DcnDatasetSampler>
DcnMakeSampler(const std::string& kind,
               const std::string& rules,
               const std::string& recipe = "reduced",
               uint64_t seed = 1)
{
    ns3::DcnDatasetRecipe all(kind, recipe);
    all.SetAll(rules);
    return ns3::DcnDatasetSampler::Create(all, seed);
}

#endif /* DCN_DATASET_TEST_H */

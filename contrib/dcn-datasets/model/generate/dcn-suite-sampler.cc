/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#include "dcn-suite-sampler.h"

#include "ns3/assert.h"

#include <limits>
#include <memory>

namespace ns3
{

namespace
{

/// Makes the sampler known.
const DcnDatasetSampler::Registration g_registration(
    DcnDatasetRecipe::SUITE,
    [](const DcnDatasetRecipe& recipe, uint64_t seed) -> std::unique_ptr<DcnDatasetSampler> {
        return std::make_unique<DcnSuiteSampler>(recipe, seed);
    });

} // namespace

DcnSuiteSampler::DcnSuiteSampler(const DcnDatasetRecipe& recipe, uint64_t seed)
    : DcnDatasetSampler(recipe, seed),
      m_suite(recipe.GetSuite(),
              FIRST_SEED + seed,
              recipe.GetWhole("packet_hops"),
              "",
              recipe.GetWhole("flows"))
{
    static_assert(FIRST_SEED + MAX_SEED <= DcnScenarioSuite::MAX_SEED, "seeds of suites");
    NS_ASSERT_MSG(!recipe.GetSuite().empty(), "no recipe of a suite");
}

void
DcnSuiteSampler::DoDraw(const Context& context, DcnDatasetSample& sample) const
{
    constexpr double UNKNOWN = std::numeric_limits<double>::quiet_NaN();
    const DcnSuiteScenario drawn = m_suite.Draw(context.index);
    DcnSuiteLoad load;
    sample.scenario = m_suite.Create(drawn, load);
    sample.draw = {static_cast<double>(context.workload),
                   UNKNOWN,
                   UNKNOWN,
                   drawn.sigma,
                   drawn.load,
                   load.maxLoad,
                   static_cast<double>(sample.scenario->GetNetwork().bufferBytes),
                   UNKNOWN,
                   UNKNOWN,
                   UNKNOWN};
}

} // namespace ns3

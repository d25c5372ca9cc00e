/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef DCN_DATASET_SAMPLER_H
#define DCN_DATASET_SAMPLER_H

#include "dcn-dataset-recipe.h"

#include "ns3/dcn-dataset-sample.h"
#include "ns3/dcn-network-config.h"
#include "ns3/dcn-random.h"

#include <cstdint>
#include <memory>
#include <string>

namespace ns3
{

/**
 * @ingroup dcn-dataset
 * @brief Draws the scenarios of a data set; each depends on seed, number and recipe only.
 *
 * Sample i has the seed of GetSampleSeed(seed, i), from which its network configuration is drawn.
 * The workload is drawn from the seed of the first sample that shares it: with the rule
 * samples_per_workload = m this is sample m floor(i / m).
 *
 * There is one subclass and one file per kind of data set; a static Registration in that file makes
 * the kind known by its name.
 */
class DcnDatasetSampler
{
  public:
    static constexpr uint64_t MAX_SEED = 4095;          //!< largest seed of a data set
    static constexpr uint64_t MAX_SAMPLES = 1ULL << 20; //!< largest number of samples

    /// Constructor of a subclass; the parameters are those of Create.
    using Factory = std::unique_ptr<DcnDatasetSampler> (*)(const DcnDatasetRecipe& recipe,
                                                           uint64_t seed);

    /// A static object of this type makes a subclass known.
    struct Registration
    {
        /**
         * @param kind of data sets (DcnDatasetRecipe::GetKind)
         * @param factory makes samplers of that kind
         */
        Registration(const std::string& kind, Factory factory);
    };

    /**
     * @param recipe the rules
     * @param seed of the data set
     * @return a sampler for the recipe's kind
     * @throws DcnError if the seed is above MAX_SEED, a rule was set that another rule overrides,
     * or no sampler of the kind is registered
     */
    static std::unique_ptr<DcnDatasetSampler> Create(const DcnDatasetRecipe& recipe, uint64_t seed);

    virtual ~DcnDatasetSampler() = default;
    DcnDatasetSampler(const DcnDatasetSampler&) = delete;
    DcnDatasetSampler& operator=(const DcnDatasetSampler&) = delete;

    /**
     * @brief Draw a sample.
     * @param index its number, below MAX_SAMPLES
     * @return the sample, without results
     * @throws DcnError that names the sample if a rule cannot be followed
     */
    DcnDatasetSample Draw(uint64_t index) const;

    /**
     * @param seed of the data set
     * @param index number of a sample
     * @return seed * 2^20 + index
     */
    static uint64_t GetSampleSeed(uint64_t seed, uint64_t index);

  protected:
    /**
     * @param recipe the rules
     * @param seed of the data set
     */
    DcnDatasetSampler(const DcnDatasetRecipe& recipe, uint64_t seed);

    /// Seeds of the draws of a sample.
    struct Context
    {
        uint64_t index;    //!< number of the sample
        uint64_t workload; //!< number of its workload
        DcnRandom common;  //!< for the workload, shared by all samples of the same workload
        DcnRandom own;     //!< for the network configuration
    };

    /// A size distribution as drawn.
    struct Sizes
    {
        std::string name;  //!< for DcnSizeDistribution
        std::size_t index; //!< position in the rule sizes
        double theta;      //!< size parameter; 0 where the distribution has none
    };

    /**
     * @param context see Context
     * @return a size distribution
     */
    Sizes DrawSizes(const Context& context) const;

    /**
     * @param context see Context
     * @param nicRates rates of the hosts' NICs, each once [bit/s]
     * @return congestion control, its parameters, window, buffer and PFC
     */
    Ptr<DcnNetworkConfig> DrawNetwork(const Context& context,
                                      const std::vector<uint64_t>& nicRates) const;

    /**
     * @param key a rule for numbers of the workload
     * @param context see Context
     * @return the number drawn
     */
    double DrawCommon(const std::string& key, const Context& context) const;

    const DcnDatasetRecipe m_recipe; //!< the rules

  private:
    /**
     * @param context see Context
     * @param sample index and seed are set; gets scenario, draw and the members of its kind
     */
    virtual void DoDraw(const Context& context, DcnDatasetSample& sample) const = 0;

    uint64_t m_seed; //!< of the data set
};

} // namespace ns3

#endif /* DCN_DATASET_SAMPLER_H */

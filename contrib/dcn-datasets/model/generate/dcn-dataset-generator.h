/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef DCN_DATASET_GENERATOR_H
#define DCN_DATASET_GENERATOR_H

#include "dcn-dataset-engine.h"
#include "dcn-dataset-recipe.h"

#include "ns3/dcn-parallel.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace ns3
{

class DcnDatasetSampler;
struct DcnDatasetManifestRow;
struct DcnDatasetOptions;
struct DcnDatasetSample;

/**
 * @ingroup dcn-dataset
 * @brief Makes a data set: a folder of shards, their options (dataset.csv) and a manifest.
 *
 * Every shard is made in a process of its own and gets its name when it is complete; after an
 * interruption, the next run makes the missing shards. The bytes of the folder depend neither on
 * the number of processes nor on interruptions. The shards alone say what is done: dataset.csv and
 * manifest.csv tell readers what is in the folder. A run locks its folder.
 *
 * Under mpirun, rank r of R makes the shards whose number is r modulo R, and the last rank to
 * finish writes the manifest. The ranks share the folder and exchange no messages.
 */
class DcnDatasetGenerator
{
  public:
    /// Result of a run.
    struct Report
    {
        uint64_t made{0};    //!< samples made
        uint64_t kept{0};    //!< samples made by earlier runs
        uint64_t flows{0};   //!< flows of the whole data set, 0 unless it is complete
        uint64_t bytes{0};   //!< size of all shards, 0 unless the data set is complete
        bool complete{true}; //!< false: other ranks have not finished
    };

    /**
     * @param recipe the rules
     * @param seed of the data set
     * @param samples number of samples
     * @param shardSize samples in a file
     * @param folder of the data set; made if it does not exist
     * @param engine simulates the samples, for DcnDatasetEngine::Create
     * @throws DcnError if a number is out of range, the engine cannot follow a rule, or the module
     * was built without HDF5
     */
    DcnDatasetGenerator(const DcnDatasetRecipe& recipe,
                        uint64_t seed,
                        uint64_t samples,
                        uint64_t shardSize,
                        const std::string& folder,
                        const std::string& engine = DcnDatasetEngine::DEFAULT);
    ~DcnDatasetGenerator();
    DcnDatasetGenerator(const DcnDatasetGenerator&) = delete;
    DcnDatasetGenerator& operator=(const DcnDatasetGenerator&) = delete;

    /**
     * @brief Make the missing shards.
     * @param jobs processes at a time, at least 1
     * @param rank part of the work that this process does
     * @return see Report
     * @throws DcnError if the folder holds another data set or another run works there, or a sample
     * cannot be made
     */
    Report Run(uint32_t jobs, const DcnRank& rank);

    /**
     * @brief Make one shard, in this process.
     * @param shard its number
     * @param onSample called after every sample
     */
    void MakeShard(uint64_t shard, const DcnTaskStep& onSample) const;

    /**
     * @brief Simulate one scenario by itself, packet by packet, as for a data set of fabrics.
     * @param sample has the scenario and its seed; gets the results
     * @throws DcnError if the packet engine refuses the scenario
     */
    static void Simulate(DcnDatasetSample& sample);

    /** @return the options of the data set. */
    const DcnDatasetOptions& GetOptions() const;

  private:
    using Manifest =
        std::vector<DcnDatasetManifestRow>; //!< of an earlier run; empty: there is none

    /// Returns the file of a shard.
    std::string GetPath(uint64_t shard) const;
    /// Returns whether a shard exists with all its samples; throws if it is of another data set, or
    /// not as the manifest says.
    bool IsThere(uint64_t shard, const Manifest& manifest) const;
    /// Returns the shards that a rank has to make, and counts the samples in report.
    std::vector<uint64_t> FindMissing(const DcnRank& rank,
                                      const Manifest& manifest,
                                      Report& report) const;
    /// Writes manifest.csv, and counts flows and bytes in report.
    void WriteManifest(Report& report) const;

    std::string m_folder;                         //!< of the data set
    std::string m_engine;                         //!< simulates the samples
    uint64_t m_seed;                              //!< of the data set
    bool m_dense;                                 //!< queues and events are recorded
    std::unique_ptr<DcnDatasetOptions> m_options; //!< see GetOptions
    std::unique_ptr<DcnDatasetSampler> m_sampler; //!< makes the scenarios
};

} // namespace ns3

#endif /* DCN_DATASET_GENERATOR_H */

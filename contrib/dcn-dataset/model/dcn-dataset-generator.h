/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef DCN_DATASET_GENERATOR_H
#define DCN_DATASET_GENERATOR_H

#include "dcn-dataset-manifest.h"
#include "dcn-dataset-recipe.h"
#include "dcn-dataset-sampler.h"

#include "ns3/dcn-process-pool.h"

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace ns3
{

/**
 * @ingroup dcn-packet
 * @brief Makes a data set: a folder of shards, with what they were made with and a manifest.
 *
 * Every shard is made in a process of its own and gets its name when it is complete; a generation
 * that was stopped goes on with the shards that are missing. The bytes of the folder do not depend
 * on the number of processes, nor on where a generation was stopped.
 *
 * Under mpirun, rank r of R takes the shards whose number is r modulo R, and the rank that is done
 * last writes the manifest. The ranks need not talk to each other, but share the folder.
 */
class DcnDatasetGenerator
{
  public:
    /// What a run has done.
    struct Report
    {
        uint64_t made{0};    //!< samples made
        uint64_t kept{0};    //!< samples that were there
        uint64_t flows{0};   //!< flows of the whole data set, 0 unless it is complete
        uint64_t bytes{0};   //!< of all shards, likewise
        bool complete{true}; //!< false: other ranks are still at work
    };

    /**
     * @param recipe the rules
     * @param seed of the data set
     * @param samples number of samples
     * @param shardSize samples in a file
     * @param folder of the data set; made if it is not there
     * @throws DcnError if a number is out of range
     */
    DcnDatasetGenerator(const DcnDatasetRecipe& recipe,
                        uint64_t seed,
                        uint64_t samples,
                        uint64_t shardSize,
                        const std::string& folder);

    /**
     * @brief Make what is missing.
     * @param jobs processes at a time, at least 1
     * @param rank which part of the work is this process's
     * @return what was done
     * @throws DcnError if the folder holds another data set or is in use, or a sample cannot be
     * made
     */
    Report Run(uint32_t jobs, const DcnRank& rank);

    /**
     * @brief Make one shard, in this process.
     * @param shard its number
     * @param onSample called after every sample
     */
    void MakeShard(uint64_t shard, const DcnTaskStep& onSample) const;

    /** @return the options of the data set. */
    const DcnDatasetOptions& GetOptions() const;

  private:
    /// Returns the file of a shard.
    std::string GetPath(uint64_t shard) const;
    /// Returns whether a shard is there with all its samples; one of another data set is refused.
    bool IsThere(uint64_t shard) const;
    /// Returns the shards that a rank has to make, and counts samples.
    std::vector<uint64_t> FindMissing(const DcnRank& rank, Report& report) const;
    /// Writes manifest.csv, and counts flows and bytes.
    void WriteManifest(Report& report) const;

    std::vector<DcnDatasetManifestRow> m_manifest; //!< of an earlier run in this folder
    std::string m_folder;                         //!< of the data set
    uint64_t m_seed;                              //!< of the data set
    bool m_dense;                                 //!< queues and events are recorded
    DcnDatasetOptions m_options;                  //!< see GetOptions
    std::unique_ptr<DcnDatasetSampler> m_sampler; //!< makes the scenarios
};

} // namespace ns3

#endif /* DCN_DATASET_GENERATOR_H */

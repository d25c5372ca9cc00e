/*
 * SPDX-License-Identifier: GPL-2.0-only
 */

#ifndef DCN_DATASET_GENERATOR_H
#define DCN_DATASET_GENERATOR_H

#include "dcn-dataset-engine.h"
#include "dcn-dataset-recipe.h"

#include "ns3/dcn-task-farm.h"


#include <cstdint>
#include <functional>
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
 * Ranks of mpirun (DcnTaskFarm) send their shards to the root, which alone has the folder.
 */
class DcnDatasetGenerator
{
  public:
    /// Result of a run; ranks other than the root have none.
    struct Report
    {
        uint64_t made{0};    //!< samples made
        uint64_t kept{0};    //!< samples made by earlier runs
        uint64_t flows{0};   //!< flows of the whole data set
        uint64_t bytes{0};   //!< size of all shards
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
     * @param farm makes the shards
     * @return see Report
     * @throws DcnError if the folder holds another data set or another run works there, or a sample
     * cannot be made
     */
    Report Run(const DcnTaskFarm& farm);

    /**
     * @brief Make one shard, in this process.
     * @param shard its number
     * @param path its file
     * @param onSample called after every sample
     */
    void MakeShard(uint64_t shard,
                   const std::string& path,
                   const std::function<void()>& onSample) const;

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
    /// Returns the shards that are not there, and counts the samples in report.
    std::vector<uint64_t> FindMissing(const Manifest& manifest, Report& report) const;
    /// Makes a shard for the farm and hands back its bytes; folder is for files meanwhile.
    void SendShard(uint64_t shard,
                   const std::string& folder,
                   const DcnTaskFarm::Reply& reply) const;
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
